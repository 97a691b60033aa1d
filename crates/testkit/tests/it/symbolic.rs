//! The symbolic engine against the reference: the same states, the same errors.
use std::time::Duration;

use engine::{Limits, Question};
use engine_symbolic::{Method, Mistake, Plan};
use model::semantics::Semantics;
use testkit::kind::Kind;
use testkit::symbolic::{Compared, Effort, compare};
use testkit::{corpus, parallel, random, run, suite};

const SMALL: Effort = Effort { states: 20_000, time: Duration::from_secs(4), memory: 1 << 30 };

/// Hardly a look at the states, so that nearly everything is missing in the beginning.
const GLANCE: engine_symbolic::Effort = engine_symbolic::Effort { near: 1, walks: 0, length: 0 };

/// Counts what came out, prints what is worth a line, and returns how many were the same.
fn tally(title: &str, results: &[(String, Compared)]) -> usize {
    let mut counts = [0; 5];
    for (name, result) in results {
        let (row, line) = match result {
            Compared::Same { states, time } => (0, format!("{states} states in {time:.1?}")),
            Compared::Refused(why) => (1, why.clone()),
            Compared::TooLarge => (2, String::new()),
            Compared::Unfinished(why) => (3, why.clone()),
            Compared::Different(why) => (4, why.clone()),
        };
        counts[row] += 1;
        let words = ["same", "refused", "too large", "unfinished", "DIFFERENT"];
        if row == 4 || std::env::var_os("PROM_VERBOSE").is_some() {
            println!("  {}: {name}: {line}", words[row]);
        }
    }
    let [same, refused, large, unfinished, different] = counts;
    println!(
        "{title}: {same} same, {refused} refused, {large} too large, {unfinished} unfinished, {different} different"
    );
    assert_eq!(different, 0, "{title}: see above");
    same
}

#[test]
fn random_models_have_the_same_states_symbolically() {
    let seeds = suite::random_seeds("PROM_SYMBOLIC", 40_000, 100);
    let results = parallel::map(&seeds, |&seed| {
        let model = suite::random_model(seed)?;
        Some((format!("MODEL_SEED={seed}"), compare(&model, Plan::default(), SMALL)))
    });
    let results: Vec<(String, Compared)> = results.into_iter().flatten().collect();
    let same = tally("random models", &results);
    assert!(same * 2 > results.len(), "only {same} of {} models took part", results.len());
}

#[test]
fn literate_cases_have_the_same_states_symbolically() {
    let models = suite::literate_models();
    let results = parallel::map(&models, |(name, model)| (name.clone(), compare(model, Plan::default(), SMALL)));
    let same = tally("literate cases", &results);
    assert!(same > 300, "only {same} cases took part");
}

#[test]
fn the_corpus_has_the_same_states_symbolically() {
    let Some(folder) = corpus::folder() else { return println!("skipped: the corpus is not there") };
    let wanted = std::env::var("PROM_ANSWERS").ok();
    let mut total = 0;
    for answers in ["corners", "spin-examples", "case-studies", "beem"] {
        if wanted.as_ref().is_some_and(|it| it != answers) {
            continue;
        }
        let files = suite::corpus_files(&folder, answers);
        // So many states, for a longer comparison than that of every day.
        let effort = match std::env::var("PROM_SYMBOLIC_CORPUS").ok().and_then(|it| it.parse().ok()) {
            Some(states) => Effort { states, time: Duration::from_secs(60), memory: 2 << 30 },
            None => Effort { states: 20_000, time: Duration::from_secs(2), ..SMALL },
        };
        let results = parallel::map(&files, |file| {
            let model = run::model_of(file)?;
            let name = file.file_name().map_or(String::new(), |it| it.to_string_lossy().into_owned());
            Some((name, compare(&model, Plan::default(), effort)))
        });
        let results: Vec<(String, Compared)> = results.into_iter().flatten().collect();
        total += tally(answers, &results);
    }
    println!("{total} models of the corpus took part");
    assert!(total >= 150 || wanted.is_some(), "only {total} models took part");
}

/// Tests of the tests: an engine that is wrong in one place must be noticed.
#[test]
fn the_comparison_catches_relations_that_are_wrong() {
    for (mistake, least) in [(Mistake::LooseBit, 20), (Mistake::ShortQueue, 3), (Mistake::LostNeed, 20)] {
        let sample = if mistake == Mistake::LostNeed { GLANCE } else { Plan::default().sample };
        let plan = Plan { mistake: Some(mistake), sample, ..Plan::default() };
        let results = parallel::map(&random::seeds(40_000, 60), |&seed| {
            Some(compare(&suite::random_model(seed)?, plan, Effort { time: Duration::from_secs(5), ..SMALL }))
        });
        let noticed = |it: &&Compared| matches!(it, Compared::Different(_));
        let caught = results.iter().flatten().filter(noticed).count();
        println!("{mistake:?}: caught in {caught} of 60 models");
        assert!(caught >= least, "{mistake:?} was noticed in {caught} models only");
    }
}

#[test]
fn every_way_to_search_reaches_the_same() {
    for method in [Method::BreadthFirst, Method::Chaining, Method::Saturation] {
        let plan = Plan { method, ..Plan::default() };
        let results = parallel::map(&random::seeds(41_000, 40), |&seed| {
            Some((format!("{method:?} MODEL_SEED={seed}"), compare(&suite::random_model(seed)?, plan, SMALL)))
        });
        let results: Vec<(String, Compared)> = results.into_iter().flatten().collect();
        assert!(tally(&format!("{method:?}"), &results) > 20);
    }
}

#[test]
fn talking_processes_have_the_same_states_symbolically() {
    let results = parallel::map(&suite::random_seeds("PROM_SYMBOLIC_TALK", 42_000, 60), |&seed| {
        Some((format!("talkers {seed}"), compare(&suite::talking_model(seed)?, Plan::default(), SMALL)))
    });
    let results: Vec<(String, Compared)> = results.into_iter().flatten().collect();
    assert!(tally("talking processes", &results) > 30);
}

/// Room that is too small in the beginning, and an order that changes again and again, lead to the same answer.
#[test]
fn neither_the_first_guess_nor_the_order_matters() {
    for (name, plan) in [
        ("a glance", Plan { sample: GLANCE, ..Plan::default() }),
        ("sifted", Plan { sift: 300, ..Plan::default() }),
        ("sifted breadth first", Plan { sift: 300, method: Method::BreadthFirst, ..Plan::default() }),
    ] {
        let results = parallel::map(&random::seeds(43_000, 40), |&seed| {
            Some((format!("{name} MODEL_SEED={seed}"), compare(&suite::random_model(seed)?, plan, SMALL)))
        });
        let results: Vec<(String, Compared)> = results.into_iter().flatten().collect();
        assert!(tally(name, &results) > 20);
    }
}

/// The order of a run, turned upside down and with a name that nobody knows, is taken by the next one.
#[test]
fn an_order_can_be_given() {
    let mut taken = 0;
    for seed in random::seeds(44_000, 12) {
        let Some(model) = suite::random_model(seed) else { continue };
        let order = |plan| {
            let limits = Limits { time: Some(SMALL.time), memory: Some(SMALL.memory), depth: None };
            let finding = engine_symbolic::symbolic(&model, &Question::default(), &limits, plan, &mut ()).ok()?;
            let details = finding.statistics.details.into_iter();
            details.into_iter().find(|it| it.0 == "order").map(|it| (finding.statistics.states, it.1))
        };
        let Some((states, found)) = order(Plan::default()) else { continue };
        let mut names: Vec<String> = found.split(' ').map(str::to_string).rev().collect();
        names.push("nobody".into());
        let given = Plan { order: Some(names.leak()), ..Plan::default() };
        let (again, turned) = order(given).expect("the same model with another order");
        assert_eq!(states, again, "MODEL_SEED={seed}");
        taken += usize::from(turned != found);
        assert!(matches!(compare(&model, given, SMALL), Compared::Same { .. } | Compared::TooLarge));
    }
    assert!(taken > 5, "{taken} orders were taken");
}

/// A model that goes on creating processes has far too many states; the statement that does it is named at once, by a way that can be replayed or by a refusal.
#[test]
fn processes_without_end_are_found_at_their_line() {
    let busy = "proctype P() { byte x; do :: x < 2 -> x++ :: else -> if :: assert(x < 2) :: skip fi; x = 0; if :: run P() :: skip fi od }";
    let text = format!("{busy}\ninit {{ run P() }}\nctl calm {{ AG EF (_nr_pr < 3) }}\n");
    let model = run::model(&text).expect("a model");
    let limits = Limits { time: Some(SMALL.time), memory: Some(SMALL.memory), depth: None };
    let found = engine_symbolic::symbolic(&model, &Question::default(), &limits, Plan::default(), &mut ());
    let finding = found.expect("an answer");
    let [violation] = &finding.violations[..] else { panic!("{:?}", finding.verdict) };
    assert_eq!(Kind::of_ours(&violation.kind), Kind::TooManyProcesses);
    certify::replay(&Semantics::new(&model), violation).expect("a way that can be taken");
    assert!(!finding.complete);
    let refused = engine_symbolic::instantiate(&model, &limits, &mut ()).expect_err("no instance");
    let start = refused.span.start as usize;
    assert!(text[start..].starts_with("run P() :: skip"), "{}", &text[start..]);
}

/// As many processes as can exist, and one more, where there are few states.
#[test]
fn all_processes_that_can_exist_have_room() {
    let model = run::model("proctype P() { false }\ninit { do :: run P() od }\n").expect("a model");
    let patient = Effort { time: Duration::from_secs(60), ..SMALL };
    let compared = compare(&model, Plan::default(), patient);
    assert!(matches!(compared, Compared::Same { states: 255, .. }), "{compared:?}");
}
