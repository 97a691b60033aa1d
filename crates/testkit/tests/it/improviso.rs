//! Reduced symbolic searches against complete explicit ones: the same answers from fewer states.
use std::fs;
use std::time::Duration;

use engine::{Limits, Question, Verdict};
use engine_symbolic::{Mistake, Plan, Reduction, symbolic};
use front_promela::parse::Dialect;
use model::Model;
use testkit::symbolic::{Compared, Counts, Effort, compare_reduced};
use testkit::{corpus, parallel, run, suite};

const SMALL: Effort = Effort { states: 20_000, time: Duration::from_secs(4), memory: 1 << 30 };

fn plan(mistake: Option<Mistake>) -> Plan {
    Plan { reduction: Reduction::ImProviso, mistake, ..Plan::default() }
}

/// Prints what came out, fails where answers differ, and returns the counts where they are the same.
fn tally(title: &str, results: Vec<(String, Result<Counts, Compared>)>) -> Vec<Counts> {
    let (mut rows, mut others, mut different) = (Vec::new(), 0, 0);
    for (name, result) in results {
        match result {
            Ok(counts) => rows.push(counts),
            Err(Compared::Different(what)) => {
                println!("  DIFFERENT: {name}: {what}");
                different += 1;
            }
            Err(_) => others += 1,
        }
    }
    let share = |it: &Counts| (it.visited.max(1) as f64 / it.all.max(1) as f64).ln();
    let mean = 100.0 * (rows.iter().map(share).sum::<f64>() / rows.len().max(1) as f64).exp();
    let fewer = rows.iter().filter(|it| it.visited < it.all).count();
    println!(
        "{title}: {} same, {fewer} of them with fewer states, {mean:.1} % of the states in geometric mean, {others} not compared",
        rows.len()
    );
    assert_eq!(different, 0, "{title}: see above");
    rows
}

fn fewer(rows: &[Counts]) -> usize {
    rows.iter().filter(|it| it.visited < it.all).count()
}

/// `PROM_IMPROVISO=3000 cargo test --release -p testkit --test it improviso::`: so many random models, from `PROM_SEED` on.
#[test]
fn random_models_have_the_same_answers_when_sets_are_reduced() {
    let seeds = suite::random_seeds("PROM_IMPROVISO", 80_000, 360);
    let results = parallel::map(&seeds, |&seed| {
        let model = suite::random_model(seed)?;
        Some((format!("MODEL_SEED={seed}"), compare_reduced(&model, plan(None), SMALL)))
    });
    let rows = tally("random models", results.into_iter().flatten().collect());
    assert!(rows.len() * 10 > seeds.len() * 7, "only {} of {} models took part", rows.len(), seeds.len());
    assert!(fewer(&rows) * 4 > rows.len(), "hardly any model is reduced");
}

#[test]
fn talking_processes_have_the_same_answers_when_sets_are_reduced() {
    let seeds = suite::random_seeds("PROM_IMPROVISO_TALK", 82_000, 100);
    let results = parallel::map(&seeds, |&seed| {
        Some((format!("talkers {seed}"), compare_reduced(&suite::talking_model(seed)?, plan(None), SMALL)))
    });
    let rows = tally("talking processes", results.into_iter().flatten().collect());
    assert!(rows.len() * 2 > seeds.len(), "only {} of {} models took part", rows.len(), seeds.len());
    assert!(fewer(&rows) * 2 > rows.len(), "hardly any model is reduced");
}

#[test]
fn literate_cases_have_the_same_answers_when_sets_are_reduced() {
    let models = suite::literate_models();
    let results = parallel::map(&models, |(name, model)| (name.clone(), compare_reduced(model, plan(None), SMALL)));
    let rows = tally("literate cases", results);
    assert!(rows.len() > 300, "only {} cases took part", rows.len());
}

#[test]
fn the_corpus_has_the_same_answers_when_sets_are_reduced() {
    let Some(folder) = corpus::folder() else { return println!("skipped: the corpus is not there") };
    let mut total = 0;
    for answers in ["corners", "spin-examples", "case-studies", "beem"] {
        let effort = match std::env::var_os("PROM_SYMBOLIC_CORPUS") {
            Some(_) => Effort { states: 200_000, time: Duration::from_secs(60), memory: 2 << 30 },
            None => Effort { states: 2_000, time: Duration::from_secs(1), ..SMALL },
        };
        let results = parallel::map(&suite::corpus_files(&folder, answers), |file| {
            let model = run::model_of(file)?;
            Some((file.display().to_string(), compare_reduced(&model, plan(None), effort)))
        });
        total += tally(answers, results.into_iter().flatten().collect()).len();
    }
    assert!(total >= 150, "only {total} models took part");
}

/// A model of `examples/papers`, for so many processes, with further macros.
fn paper(name: &str, n: u32, macros: &[&str]) -> Model {
    let path = corpus::workspace().join("examples/papers").join(name);
    let defined: String = macros.iter().map(|it| format!("#define {it}\n")).collect();
    let text = format!("#define N {n}\n{defined}{}", fs::read_to_string(path).expect("a model of a paper"));
    run::model(&text).expect("a model")
}

/// The counts of Lerda, Sinha, Theobald, tables 1, 3 and 4.
#[test]
fn counts_of_the_paper_on_improviso() {
    let check = |name, n, macros: &[&str], expected: &str| {
        let model = paper(name, n, macros);
        let limits = Limits { memory: Some(1 << 30), ..Limits::default() };
        let found = symbolic(&model, &Question::default(), &limits, plan(None), &mut ()).expect("nothing is refused");
        let statistics = found.statistics;
        let states = statistics.many_states.unwrap_or_else(|| statistics.states.to_string());
        assert_eq!((found.verdict, &*states), (Verdict::Holds, expected), "{name} for {n} {macros:?}");
    };
    check("best.pml", 7, &[], "15");
    check("best.pml", 20, &[], "41");
    check("worst.pml", 3, &[], "15");
    check("worst.pml", 20, &[], "2097151");
    check("worst.pml", 100, &[], "2535301200456458802993406410751");
    check("leader.pml", 2, &["HIDDEN"], "48");
    check("leader.pml", 3, &["HIDDEN"], "209");
    check("leader.pml", 4, &["HIDDEN"], "922");
    check("leader.pml", 2, &["FREE", "HIDDEN"], "119");
    check("leader.pml", 3, &["FREE", "HIDDEN"], "2566");
    check("leader.pml", 4, &[], "48");
}

/// What is easily lost: each with the number of its violations.
const TRICKY: &[(&str, usize)] = &[
    // Who goes round for ever must not keep the others from moving.
    (
        "byte x; active proctype P() { do :: skip; skip od } active proctype Q() { x = 1; assert(x == 2) }
         active proctype R() { x = 2 }",
        1,
    ),
    // Who goes on alone for ever comes nowhere, and one who meets a fault halfway.
    ("active proctype P() { atomic { do :: skip od } } active proctype Q() { assert(false) }", 1),
    ("active proctype P() { byte b; atomic { skip; b = 1 / b } } active proctype Q() { assert(false) }", 2),
    // A message that is still to come opens another way.
    (
        "chan q = [1] of { bit }; byte x; active proctype Q() { x = 1; q!0 }
         active proctype P() { if :: q?_ -> assert(false) :: true fi } active proctype R() { x = 2 }",
        1,
    ),
    // Who is created later shares what nobody shares now.
    ("byte x; proctype R() { x = 2 } active proctype P() { x = 1; assert(x == 1) } init { run R() }", 1),
    // The number of a new process depends on who has ended.
    ("proctype R() { skip } init { byte n; run R(); n = run R(); assert(n != 2) }", 1),
    ("proctype R() { skip } init { byte n; run R(); n = run R(); assert(n != 1) }", 1),
];

#[test]
fn what_is_easily_lost_is_found_in_reduced_sets() {
    for (text, violations) in TRICKY {
        let model = pv(text);
        compare_reduced(&model, plan(None), SMALL).unwrap_or_else(|what| panic!("{text}: {what:?}"));
        let question = Question { all_errors: true, ..Question::default() };
        let found = symbolic(&model, &question, &Limits::default(), plan(None), &mut ()).expect("nothing is refused");
        assert_eq!(found.violations.len(), *violations, "{text}: {:?}", found.violations);
    }
}

// Deliberate mistakes: if these are not noticed, the comparisons above prove nothing.

/// Per mistake: a model in the dialect of PV in which it shows.
const TRAPS: &[(Mistake, &str)] = &[
    // Nobody may go first, so that the first state is lost at once.
    (Mistake::LostFrontier, "byte x; active [2] proctype P() { x++; assert(x != 2) }"),
    // The initial state is taken for done before anybody has moved.
    (Mistake::ReachedIsExpanded, "byte x; active [2] proctype P() { x++; assert(x != 2) }"),
    // Another process can come in between.
    (Mistake::UnsafeIsSafe, "byte x; active proctype P() { x = 1; assert(x == 1) } active proctype Q() { x = 2 }"),
    // The invariant is broken in between only.
    (
        Mistake::UnsafeIsSafe,
        "byte x, y; invariant apart (x == 0 || y == 0)
         active proctype P() { x = 1; x = 0 } active proctype Q() { y = 1; y = 0 }",
    ),
];

/// A model in the dialect of PV.
fn pv(text: &str) -> Model {
    let options = front_promela::Options { dialect: Dialect::Pv, ..front_promela::Options::default() };
    run::compile_named("trap.pml", text, &options).0.model.expect("a model")
}

#[test]
fn every_mistake_of_a_reduced_search_has_a_trap() {
    for (mistake, text) in TRAPS {
        let model = pv(text);
        compare_reduced(&model, plan(None), SMALL).unwrap_or_else(|what| panic!("{text}: {what:?}"));
        let caught = compare_reduced(&model, plan(Some(*mistake)), SMALL);
        assert!(matches!(caught, Err(Compared::Different(_))), "{mistake:?} does not show in {text}");
    }
}

#[test]
fn mistakes_of_a_reduced_search_show_in_random_models() {
    let mistakes = [(Mistake::LostFrontier, 20), (Mistake::ReachedIsExpanded, 20), (Mistake::UnsafeIsSafe, 3)];
    for (mistake, least) in mistakes {
        let results = parallel::map(&testkit::random::seeds(81_000, 80), |&seed| {
            Some(compare_reduced(&suite::random_model(seed)?, plan(Some(mistake)), SMALL))
        });
        let noticed = |it: &&Result<Counts, Compared>| matches!(it, Err(Compared::Different(_)));
        let caught = results.iter().flatten().filter(noticed).count();
        println!("{mistake:?}: caught in {caught} of 80 models");
        assert!(caught >= least, "{mistake:?} was noticed in {caught} models only");
    }
}
