//! Properties of whole executions: SPIN gives the same answers about random models with random properties.
//!
//! Under weak fairness SPIN overlooks executions where processes end, unless some process goes on for ever: what it overlooks is asked again
//! with such a process. It also waits for processes that their priority or a `provided` keeps from moving; these are not compared.
use std::collections::BTreeMap;
use std::time::Duration;

use engine::Fairness;
use testkit::random::{self, Language, RandomModel};
use testkit::run::{self, Budget};
use testkit::spin::Spin;
use testkit::spin_temporal::{About, SpinSaid};
use testkit::suite::random_seeds;
use testkit::temporal::{Asked, Said, answers, ways};
use testkit::{parallel, shrink};

/// What one property may cost.
const BUDGET: Budget = Budget { states: 20_000, time: Duration::from_secs(10) };

/// A process that goes on for ever.
const IDLE: &str = "\nbit idle;\nactive proctype Idle() { do :: idle = 1 - idle od }\n";

/// `PROM_SPIN=1 PROM_TEMPORAL=300 cargo test --release -p testkit --test it temporal_spin -- --nocapture`
///
/// `PROM_SEED` is the first seed; `MODEL_SEED=<n>` tries that one alone.
#[test]
fn random_properties_have_spins_answer() {
    if std::env::var_os("PROM_SPIN").is_none() {
        println!("skipped: PROM_SPIN=1 compares random properties with SPIN");
        return;
    }
    let Some(spin) = Spin::find() else {
        println!("skipped: SPIN is not installed");
        return;
    };
    let seeds = random_seeds("PROM_TEMPORAL", 100_000, 100);
    let compared = parallel::map(&seeds, |&seed| {
        let pair = random::model_with_properties(seed, Language::Spins);
        let results = against_spin(&pair.text(), &spin);
        let is_different = results.iter().any(|it| it.0 == Verdicts::Different);
        (results, is_different.then(|| shrunk(&pair, &spin)))
    });
    let mut tally = BTreeMap::new();
    compared.iter().flat_map(|it| &it.0).for_each(|it| *tally.entry(it.0).or_insert(0) += 1);
    println!("{} models against SPIN, properties: {tally:?}", seeds.len());
    let different: Vec<&String> = compared.iter().filter_map(|it| it.1.as_ref()).collect();
    different.iter().take(5).for_each(|it| println!("{it}"));
    assert!(different.is_empty(), "{} of {} models: see above", different.len(), seeds.len());
}

/// What a comparison says.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Verdicts {
    BothHold,
    BothViolated,
    /// SPIN sees it only if some process goes on for ever.
    OverlookedByFairness,
    Different,
    NotCompared,
}

/// Each property of a text, with and without weak fairness.
fn against_spin(text: &str, spin: &Spin) -> Vec<(Verdicts, String)> {
    let mut results = compared(text, spin);
    if results.iter().any(|it| it.overlooked) {
        let again = compared(&with_idle(text), spin);
        for (result, again) in results.iter_mut().zip(again).filter(|it| it.0.overlooked) {
            result.verdicts = match again.verdicts {
                Verdicts::BothViolated => Verdicts::OverlookedByFairness,
                _ => Verdicts::Different,
            };
        }
    }
    results.into_iter().map(|it| (it.verdicts, it.line)).collect()
}

/// The same with a process that goes on for ever, before the properties: SPIN does not find claims that stand before processes.
fn with_idle(text: &str) -> String {
    let properties = ["\nnever ", "\nltl "].iter().filter_map(|it| text.find(it)).min().unwrap_or(text.len());
    let (model, properties) = text.split_at(properties);
    format!("{model}{IDLE}{properties}")
}

/// One property.
struct Compared {
    verdicts: Verdicts,
    /// Ours is violated under weak fairness and SPIN's is not.
    overlooked: bool,
    line: String,
}

fn compared(text: &str, spin: &Spin) -> Vec<Compared> {
    let (compiled, sources) = run::compile_text(text);
    let wrong = compiled.diagnostics.iter().any(text::Diagnostic::is_error);
    let Some(model) = compiled.model.filter(|_| !wrong && is_comparable(text)) else { return Vec::new() };
    let ask = |fairness| {
        let asked = Asked { fairness, progress: true, budget: BUDGET };
        answers(&model, &sources, asked, &ways()[0]).into_iter().map(move |(name, said)| (name, fairness, said))
    };
    let knows_fairness = !text.contains("priority") && !text.contains("provided");
    let weak = knows_fairness.then_some(Fairness::Weak);
    let ours: Vec<(String, Fairness, Said)> = [Fairness::None].into_iter().chain(weak).flat_map(ask).collect();
    let questions: Vec<(About, bool)> = ours.iter().map(|it| (About::named(&it.0), it.1 == Fairness::Weak)).collect();
    let own = run::text(text, BUDGET).kinds;
    let theirs = spin.ask_temporal(text, &questions);
    ours.iter().zip(theirs).map(|(ours, theirs)| judged(ours, &theirs, theirs.is_violated(&own))).collect()
}

fn judged((name, fairness, ours): &(String, Fairness, Said), theirs: &SpinSaid, violated: Option<bool>) -> Compared {
    let line = format!("{name}, {fairness:?}: ours: {ours}; SPIN: {theirs:?}");
    let verdicts = match (ours.is_violated(), violated) {
        (Some(false), Some(false)) => Verdicts::BothHold,
        (Some(true), Some(true)) => Verdicts::BothViolated,
        (Some(_), Some(_)) => Verdicts::Different,
        _ => Verdicts::NotCompared,
    };
    let is_missed = verdicts == Verdicts::Different && violated == Some(false);
    Compared { verdicts, overlooked: is_missed && *fairness == Fairness::Weak, line }
}

/// SPIN counts a claim as a process, and takes accept labels of processes for those of a formula.
fn is_comparable(text: &str) -> bool {
    !(text.contains("_nr_pr") || text.contains("\nltl ") && text.contains("accept"))
}

fn shrunk(pair: &RandomModel, spin: &Spin) -> String {
    let effort = shrink::Effort { attempts: 150, time: Duration::from_secs(60) };
    let lines = |text: &str| -> Vec<String> {
        let different = against_spin(text, spin).into_iter().filter(|it| it.0 == Verdicts::Different);
        different.map(|it| it.1).collect()
    };
    let small = shrink::shrink(&pair.tree, effort, &mut |it| !lines(&it.print()).is_empty()).print();
    format!("MODEL_SEED={}\n{small}\n{}\n", pair.seed, lines(&small).join("\n"))
}
