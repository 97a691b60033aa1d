//! A test of the tests: searches for violating cycles that are wrong in a small way are caught by random models.
use std::time::Duration;

use engine::{Fairness, Limits, Property, Verdict};
use engine_explicit::{Plan, Slip, StoreKind};
use model::semantics::Watcher;
use model::{Claim, Meaning, Model};
use promenade::Engine;
use reduction::Mistake;
use testkit::random::{self, Language};
use testkit::run::{self, Budget, StateLimit};
use testkit::temporal::{Asked, Way, answers, contradictions, twophase, ways};
use testkit::{parallel, suite};

/// What one property may cost.
const BUDGET: Budget = Budget { states: 3_000, time: Duration::from_secs(5) };

/// How many of some random models show that a way is wrong.
fn caught(way: &Way) -> usize {
    let asked = Asked { fairness: Fairness::None, progress: true, budget: BUDGET };
    let found = parallel::map(&suite::random_seeds("PROM_TEMPORAL_BROKEN", 0, 100), |&seed| {
        let text = random::model_with_properties(seed, Language::Ours).text();
        let (compiled, sources) = run::compile_text(&text);
        let wrong = compiled.diagnostics.iter().any(text::Diagnostic::is_error);
        let Some(model) = compiled.model.filter(|_| !wrong) else { return false };
        let definition = answers(&model, &sources, asked, &ways()[0]);
        !contradictions(&definition, &model, &sources, asked, way).is_empty()
    });
    found.into_iter().filter(|it| *it).count()
}

fn reduced(mistake: Option<Mistake>) -> Way {
    let plan = Plan { reduction: twophase(mistake), ..Plan::default() };
    Way {
        name: "wrong reduction",
        engine: Engine::Explicit(plan),
        optimize: Vec::new(),
        reduce: false,
        is_own_if_fair: false,
    }
}

#[test]
fn a_reduction_that_does_not_know_what_a_property_sees_is_caught() {
    assert_eq!(caught(&reduced(None)), 0);
    let caught = caught(&reduced(Some(Mistake::Visibility)));
    println!("caught by {caught} models");
    assert!(caught > 0);
}

#[test]
fn a_reduction_that_forgets_where_it_has_been_is_caught() {
    let caught = caught(&reduced(Some(Mistake::Cycles)));
    println!("caught by {caught} models");
    assert!(caught > 0);
}

/// A search by so many workers that makes a mistake.
fn slipping(store: StoreKind, threads: usize, slip: Option<Slip>) -> Way {
    let engine = Engine::Explicit(Plan { store, threads, slip, ..Plan::default() });
    Way { name: "wrong search", engine, optimize: Vec::new(), reduce: false, is_own_if_fair: false }
}

/// What matters happens once before the cycle, and once in the middle of it.
const IN_THE_MIDDLE: &str =
    "bool a = true; active proctype P() { a = false; do :: a = true; a = false; skip od } ltl seldom { <> [] !a }";

/// Whether a way contradicts the definition about a model.
fn is_caught(text: &str, way: &Way) -> bool {
    let asked = Asked { fairness: Fairness::None, progress: false, budget: BUDGET };
    let (compiled, sources) = run::compile_text(text);
    let model = compiled.model.expect("a model");
    let definition = answers(&model, &sources, asked, &ways()[0]);
    assert_eq!(definition.len(), 1);
    !contradictions(&definition, &model, &sources, asked, way).is_empty()
}

#[test]
fn a_search_inside_a_search_that_begins_too_early_is_caught() {
    let search = |slip| slipping(StoreKind::HashCompact, 1, slip);
    assert!(!is_caught(IN_THE_MIDDLE, &search(None)));
    assert!(is_caught(IN_THE_MIDDLE, &search(Some(Slip::Nesting))));
}

/// A cycle that is too long to be written down before it is judged for the first time; only its beginning matters.
const LONG: &str = "short n; active proctype P() { do :: atomic { n < 2000 -> n++ } :: atomic { n == 2000 -> n = 0 } od } ltl seldom { <> [] (n != 0) }";

#[test]
fn edges_that_are_forgotten_before_all_of_the_cycle_is_there_are_caught() {
    let search = |slip| slipping(StoreKind::Exact, 2, slip);
    assert!(!is_caught(LONG, &search(None)));
    // If the other worker is quick, all of it is there in time.
    assert!((0..1000).any(|_| is_caught(LONG, &search(Some(Slip::Early)))));
}

#[test]
fn components_that_are_joined_without_the_edges_between_them_are_caught() {
    for threads in [1, 2] {
        let search = |slip| slipping(StoreKind::Exact, threads, slip);
        assert!(!is_caught(IN_THE_MIDDLE, &search(None)));
        assert!(is_caught(IN_THE_MIDDLE, &search(Some(Slip::Between))));
    }
    assert!(caught(&slipping(StoreKind::Exact, 1, Some(Slip::Between))) > 0);
}

#[test]
fn a_search_that_does_not_come_back_from_where_cycles_matter_is_caught() {
    for threads in [1, 2] {
        let caught = caught(&slipping(StoreKind::Exact, threads, Some(Slip::Exits)));
        println!("caught by {caught} models with {threads} threads");
        assert!(caught > 0);
    }
}

/// In how many percent of the claims that say anything a search gives another answer if the claim is damaged.
fn share_damaged(damage: impl Fn(&mut Claim) + Sync) -> usize {
    let seeds: Vec<u64> = (0..300).collect();
    let results = parallel::map(&seeds, |&seed| {
        let model = run::model(&random::model_with_properties(seed, Language::Ours).text())?;
        let row = model.temporal_properties.iter().position(|it| matches!(it.meaning, Meaning::Claim(_)))?;
        let (right, wrong) = (verdict(&model, row, &|_| {})?, verdict(&model, row, &damage)?);
        Some(right != wrong)
    });
    let results: Vec<bool> = results.into_iter().flatten().collect();
    assert!(results.len() >= 30, "only {} claims could be damaged", results.len());
    results.iter().filter(|it| **it).count() * 100 / results.len()
}

/// Whether a claim finds something, if that is known.
fn verdict(model: &Model, row: usize, damage: &dyn Fn(&mut Claim)) -> Option<bool> {
    let property = &model.temporal_properties[row];
    let Meaning::Claim(claim) = &property.meaning else { return None };
    let mut claim = claim.clone();
    damage(&mut claim);
    let watcher = Watcher { claim: &claim, conditions: &property.observes };
    let asked = Property { watcher, fairness: Fairness::None };
    let limits = Limits { time: Some(BUDGET.time), ..Limits::default() };
    let finding = engine_explicit::temporal(model, asked, &limits, Plan::default(), &mut StateLimit(BUDGET.states));
    match finding.verdict {
        Verdict::Holds => Some(false),
        Verdict::Violated => Some(true),
        Verdict::Unknown(_) => None,
    }
}

#[test]
fn a_search_that_leaves_out_executions_that_end_is_caught() {
    let share = share_damaged(|claim| claim.only_moving = true);
    println!("caught: {share} %");
    assert!(share >= 5, "caught only {share} %");
}

#[test]
fn a_search_that_takes_any_cycle_is_caught() {
    let all = |claim: &mut Claim| claim.locations.iter_mut().flat_map(|it| &mut it.edges).for_each(|it| it.sets = 1);
    let share = share_damaged(all);
    println!("caught: {share} %");
    assert!(share >= 5, "caught only {share} %");
}

#[test]
fn a_search_that_does_not_see_the_end_of_a_claim_is_caught() {
    let endless = |claim: &mut Claim| {
        let entry = claim.entry;
        let edges = claim.locations.iter_mut().flat_map(|it| &mut it.edges);
        edges.filter(|it| it.target.is_none()).for_each(|it| it.target = Some(entry));
    };
    let share = share_damaged(endless);
    println!("caught: {share} %");
    assert!(share >= 3, "caught only {share} %");
}
