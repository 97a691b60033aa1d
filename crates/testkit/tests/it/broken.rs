//! A test of the tests: an engine that is wrong in a small way is caught by the comparison of counts.
//!
//! SPIN's part is played by the undamaged engine. If one of these tests fails, agreement on random
//! models proves nothing.
use std::time::Duration;

use model::{Edge, Model};
use testkit::random::Random;
use testkit::run::{self, Answer, Budget};
use testkit::{parallel, random};

const BUDGET: Budget = Budget { states: 20_000, time: Duration::from_secs(10) };

/// Seeds that are damaged.
const SEEDS: std::ops::Range<u64> = 9000..9200;

/// In how many percent of the models that can be damaged in this way the damage shows.
fn share_caught(damage: impl Fn(&mut Model, &mut Random) -> bool + Sync) -> usize {
    let seeds: Vec<u64> = SEEDS.collect();
    let caught = parallel::map(&seeds, |&seed| {
        let (compiled, _) = run::compile_text(&random::model(seed).text());
        let model = compiled.model?;
        let mut twin = model.clone();
        if !damage(&mut twin, &mut Random::new(seed)) {
            return None;
        }
        let answer = |model| run::summary(&run::search(model, engine::Search::Breadth, BUDGET));
        Some(counts(&answer(&model)) != counts(&answer(&twin)))
    });
    let damaged: Vec<bool> = caught.into_iter().flatten().collect();
    assert!(damaged.len() >= 20, "only {} models could be damaged", damaged.len());
    damaged.iter().filter(|it| **it).count() * 100 / damaged.len()
}

fn counts(answer: &Answer) -> (u64, u64, u64) {
    (answer.states, answer.transitions, answer.errors)
}

/// Changes one edge that fits, if there is one.
fn change_an_edge(
    model: &mut Model,
    random: &mut Random,
    fits: impl Fn(&Edge) -> bool,
    change: impl Fn(&mut Edge),
) -> bool {
    let mut edges: Vec<&mut Edge> =
        model.processes.iter_mut().flat_map(|it| &mut it.edges).filter(|it| fits(it)).collect();
    if edges.is_empty() {
        return false;
    }
    let row = random.below(edges.len());
    change(edges[row]);
    true
}

#[test]
fn an_engine_that_forgets_an_edge_is_caught() {
    let share = share_caught(|model, random| {
        change_an_edge(model, random, |_| true, |edge| edge.guard = model::Expr::Constant(0))
    });
    println!("caught: {share} %");
    assert!(share >= 40, "caught only {share} %");
}

#[test]
fn an_engine_that_loses_control_inside_atomic_is_caught() {
    let share = share_caught(|model, random| {
        change_an_edge(model, random, |edge| edge.keeps_control, |edge| edge.keeps_control = false)
    });
    println!("caught: {share} %");
    assert!(share >= 40, "caught only {share} %");
}

#[test]
fn an_engine_that_takes_else_at_any_time_is_caught() {
    let share = share_caught(|model, random| {
        change_an_edge(model, random, |edge| edge.otherwise, |edge| edge.otherwise = false)
    });
    println!("caught: {share} %");
    assert!(share >= 30, "caught only {share} %");
}

#[test]
fn an_engine_that_never_interrupts_first_is_caught() {
    let share = share_caught(|model, _| {
        let mut grouped = model.processes.iter_mut().flat_map(|it| &mut it.edges).filter(|it| it.group > 0).peekable();
        let any = grouped.peek().is_some();
        grouped.for_each(|it| it.group = 0);
        any
    });
    println!("caught: {share} %");
    assert!(share >= 20, "caught only {share} %");
}

#[test]
fn an_engine_that_lets_a_process_stop_anywhere_is_caught() {
    let share = share_caught(|model, _| {
        let locations = model.processes.iter_mut().flat_map(|it| &mut it.locations);
        locations.for_each(|it| it.valid_end = true);
        true
    });
    println!("caught: {share} %");
    assert!(share >= 50, "caught only {share} %");
}
