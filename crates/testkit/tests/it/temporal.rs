//! Properties of whole executions: random pairs of models and properties, in every way and against SPIN.
use std::collections::BTreeMap;
use std::time::Duration;

use engine::Fairness;
use testkit::random::{self, Language, RandomModel};
use testkit::run::{self, Budget};
use testkit::spin::Spin;
use testkit::spin_temporal::About;
use testkit::suite::random_seeds;
use testkit::temporal::{Asked, Said, answers, compare_ways, ways};
use testkit::{parallel, shrink};

/// What one property may cost.
const BUDGET: Budget = Budget { states: 4_000, time: Duration::from_secs(5) };

/// All that may be asked of a scheduler.
const FAIRNESS: [Fairness; 3] = [Fairness::None, Fairness::Weak, Fairness::Strong];

fn asked(fairness: Fairness) -> Asked {
    Asked { fairness, progress: true, budget: BUDGET }
}

/// What the definition says about a text, and who says something else.
fn compared(text: &str) -> (Vec<Said>, Vec<String>) {
    let (compiled, sources) = run::compile_text(text);
    let wrong = compiled.diagnostics.iter().any(text::Diagnostic::is_error);
    let Some(model) = compiled.model.filter(|_| !wrong) else { return (Vec::new(), Vec::new()) };
    let (mut said, mut contradictions) = (Vec::new(), Vec::new());
    for fairness in FAIRNESS {
        let (answers, others) = compare_ways(&model, &sources, asked(fairness));
        said.extend(answers.into_iter().map(|it| it.1));
        contradictions.extend(others);
    }
    (said, contradictions)
}

/// `PROM_TEMPORAL=5000 cargo test -p testkit --test it temporal_random -- --nocapture`
///
/// `PROM_SEED` is the first seed; `MODEL_SEED=<n>` tries that one alone.
#[test]
fn temporal_random_pairs_have_one_answer_in_every_way() {
    let seeds = random_seeds("PROM_TEMPORAL", 0, 300);
    let results = parallel::map(&seeds, |&seed| {
        let pair = random::model_with_properties(seed, Language::Ours);
        let (said, contradictions) = compared(&pair.text());
        let shown = (!contradictions.is_empty()).then(|| explain(&pair, &contradictions));
        (said, shown)
    });
    let said: Vec<&Said> = results.iter().flat_map(|it| &it.0).collect();
    let share =
        |violated| said.iter().filter(|it| it.is_violated() == Some(violated)).count() * 100 / said.len().max(1);
    let (violated, held) = (share(true), share(false));
    println!("{} questions about {} models: {violated} % violated, {held} % hold", said.len(), seeds.len());
    let different: Vec<&String> = results.iter().filter_map(|it| it.1.as_ref()).collect();
    different.iter().take(5).for_each(|it| println!("{it}"));
    assert!(different.is_empty(), "{} of {} models: see above", different.len(), seeds.len());
    assert!(seeds.len() < 100 || (violated >= 20 && held >= 20), "the questions are too easy");
}

/// A contradiction on a model that is as small as possible.
fn explain(pair: &RandomModel, contradictions: &[String]) -> String {
    let effort = shrink::Effort { attempts: 400, time: Duration::from_secs(60) };
    let small = shrink::shrink(&pair.tree, effort, &mut |it| !compared(&it.print()).1.is_empty()).print();
    let left = compared(&small).1;
    format!("MODEL_SEED={}\n{}\nsmaller:\n{small}\n{}\n", pair.seed, contradictions.join("\n"), left.join("\n"))
}

/// `PROM_SPIN=1 PROM_TEMPORAL=300 cargo test -p testkit --test it temporal_random -- --nocapture`
#[test]
fn temporal_random_pairs_agree_with_spin() {
    if std::env::var_os("PROM_SPIN").is_none() {
        println!("skipped: PROM_SPIN=1 compares random pairs with SPIN");
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
        (results, is_different.then(|| shrunk_with_spin(&pair, &spin)))
    });
    let mut tally = BTreeMap::new();
    compared.iter().flat_map(|it| &it.0).for_each(|it| *tally.entry(it.0).or_insert(0) += 1);
    println!("{} models against SPIN, properties: {tally:?}", seeds.len());
    let different: Vec<&String> = compared.iter().filter_map(|it| it.1.as_ref()).collect();
    different.iter().take(5).for_each(|it| println!("{it}"));
    assert!(different.is_empty(), "{} of {} models: see above", different.len(), seeds.len());
}

/// What a comparison with SPIN says.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Verdicts {
    BothHold,
    BothViolated,
    Different,
    /// A fair execution that ends, which SPIN does not look for.
    FairEnd,
    NotCompared,
}

/// Each property of a text, with and without weak fairness.
fn against_spin(text: &str, spin: &Spin) -> Vec<(Verdicts, String)> {
    let (compiled, sources) = run::compile_text(text);
    let wrong = compiled.diagnostics.iter().any(text::Diagnostic::is_error);
    let Some(model) = compiled.model.filter(|_| !wrong && comparable(text)) else { return Vec::new() };
    let way = &ways()[0];
    let ask = |fairness| answers(&model, &sources, asked(fairness), way).into_iter().map(move |it| (it, fairness));
    let ours: Vec<_> = [Fairness::None, Fairness::Weak].into_iter().flat_map(ask).collect();
    let question = |it: &((String, Said), Fairness)| (About::named(&it.0.0), it.1 == Fairness::Weak);
    let questions: Vec<(About, bool)> = ours.iter().map(question).collect();
    let theirs = spin.ask_temporal(text, &questions);
    let pairs = ours.into_iter().zip(theirs);
    pairs
        .map(|(((name, ours), fairness), theirs)| {
            let verdicts = match (ours.is_violated(), theirs.is_violated(&Default::default())) {
                (Some(false), Some(false)) => Verdicts::BothHold,
                (Some(true), Some(true)) => Verdicts::BothViolated,
                (Some(true), Some(false)) if fairness == Fairness::Weak && ours.stands_still() => Verdicts::FairEnd,
                (Some(_), Some(_)) => Verdicts::Different,
                _ => Verdicts::NotCompared,
            };
            (verdicts, format!("{name}, {fairness:?}: ours: {ours}; SPIN: {theirs:?}"))
        })
        .collect()
}

/// SPIN counts a claim as a process, and takes accept labels of processes for those of a formula.
fn comparable(text: &str) -> bool {
    !text.contains("_nr_pr") && !text.contains("accept:") && !text.contains("accept1") && !text.contains("accept_here")
}

fn shrunk_with_spin(pair: &RandomModel, spin: &Spin) -> String {
    let effort = shrink::Effort { attempts: 150, time: Duration::from_secs(60) };
    let lines = |text: &str| -> Vec<String> {
        let different = against_spin(text, spin).into_iter().filter(|it| it.0 == Verdicts::Different);
        different.map(|it| it.1).collect()
    };
    let small = shrink::shrink(&pair.tree, effort, &mut |it| !lines(&it.print()).is_empty()).print();
    format!("MODEL_SEED={}\n{small}\n{}\n", pair.seed, lines(&small).join("\n"))
}
