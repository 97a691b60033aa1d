//! The symbolic engine against the reference: the same states, the same errors.
use std::time::Duration;

use engine_symbolic::{Method, Mistake, Plan};
use testkit::symbolic::{Compared, Effort, compare};
use testkit::{corpus, parallel, random, run, suite};

const SMALL: Effort = Effort { states: 20_000, time: Duration::from_secs(4), memory: 1 << 30 };

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
    for (mistake, least) in [(Mistake::LooseBit, 20), (Mistake::ShortQueue, 3)] {
        let plan = Plan { mistake: Some(mistake), ..Plan::default() };
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
