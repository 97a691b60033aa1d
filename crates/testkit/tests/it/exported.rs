//! Exported programs: an interpreter of SMV, and NuSMV where it is installed, reach and find in the text what the engines find in the model.
use std::time::Duration;

use export_smv::Mistake;
use model::{Meaning, Model};
use testkit::exported::{compare, read};
use testkit::nusmv::NuSmv;
use testkit::random::{Language, model_with_branching, model_with_properties};
use testkit::run::Budget;
use testkit::symbolic::{Compared, Effort};
use testkit::temporal::{Asked, answers, ways};
use testkit::{branching, corpus, parallel, random, run, suite};

const SMALL: Effort = Effort { states: 1_000, time: Duration::from_secs(4), memory: 1 << 29 };

/// NuSMV, if it is installed; says so either way.
fn nusmv() -> Option<NuSmv> {
    let found = NuSmv::find();
    match &found {
        Some(it) => println!("with {it:?}"),
        None => println!("without NuSMV: it is not on the path, and PROM_NUSMV does not name it"),
    }
    found
}

/// Counts what came out, prints what is worth a line, and returns how many were the same.
fn tally(title: &str, results: &[(String, Compared)]) -> usize {
    let mut counts = [0; 5];
    for (name, result) in results {
        let (row, line) = match result {
            Compared::Same { .. } => (0, String::new()),
            Compared::Refused(why) => (1, why.clone()),
            Compared::TooLarge => (2, String::new()),
            Compared::Unfinished(why) => (3, why.clone()),
            Compared::Different(why) => (4, why.clone()),
        };
        counts[row] += 1;
        if row == 4 || row % 2 == 1 && std::env::var_os("PROM_VERBOSE").is_some() {
            println!("  {}: {name}: {line}", ["same", "refused", "too large", "unfinished", "DIFFERENT"][row]);
        }
    }
    println!("{title}: same, refused, too large, unfinished, different: {counts:?}");
    assert_eq!(counts[4], 0, "{title}: see above");
    counts[0]
}

#[test]
fn literate_cases_mean_the_same_in_smv() {
    let nusmv = nusmv();
    let models = suite::literate_models();
    let results = parallel::map(&models, |(name, model)| (name.clone(), compare(model, None, SMALL, nusmv.as_ref())));
    let same = tally("literate cases", &results);
    assert!(same > 300, "only {same} cases took part");
}

#[test]
fn random_models_mean_the_same_in_smv() {
    let nusmv = nusmv();
    let plain = parallel::map(&suite::random_seeds("PROM_EXPORTED", 60_000, 60), |&seed| {
        Some((format!("MODEL_SEED={seed}"), compare(&suite::random_model(seed)?, None, SMALL, nusmv.as_ref())))
    });
    let talking = parallel::map(&suite::random_seeds("PROM_EXPORTED", 61_000, 60), |&seed| {
        Some((format!("talkers {seed}"), compare(&suite::talking_model(seed)?, None, SMALL, nusmv.as_ref())))
    });
    let results: Vec<_> = plain.into_iter().chain(talking).flatten().collect();
    let same = tally("random models", &results);
    assert!(same > 40, "only {same} of {} models took part", results.len());
}

#[test]
fn the_corpus_means_the_same_in_smv() {
    let Some(folder) = corpus::folder() else { return println!("skipped: the corpus is not there") };
    let nusmv = nusmv();
    for answers in ["corners", "spin-examples"] {
        let results = parallel::map(&suite::corpus_files(&folder, answers), |file| {
            let model = run::model_of(file)?;
            let name = file.file_name().map_or(String::new(), |it| it.to_string_lossy().into_owned());
            Some((name, compare(&model, None, SMALL, nusmv.as_ref())))
        });
        let results: Vec<_> = results.into_iter().flatten().collect();
        assert!(tally(answers, &results) > 10, "hardly any of {answers} took part");
    }
}

/// What the definition says about the formulas of a model, and what the interpreter says about those of its program.
fn formulas(model: &Model, nusmv: Option<&NuSmv>) -> Option<(Vec<String>, usize)> {
    let exported = match read(model, None, SMALL) {
        Ok(exported) => exported,
        Err(Compared::Different(why)) => return Some((vec![why], 0)),
        Err(_) => return None,
    };
    // A state whose only steps have no meaning stands still in a program; in a graph no path goes on from there.
    if !exported.graph.broken.iter().all(|it| it.starts_with("assertion") || it.starts_with("valid_end")) {
        return None;
    }
    let mut wrong = Vec::new();
    for (row, property) in model.temporal_properties.iter().enumerate() {
        let Meaning::Branching(it) = &property.meaning else { continue };
        let Some(graph) = branching::graph(model, row, engine::Fairness::None, 1_000) else { continue };
        let (holds, said) =
            (graph.satisfies(&it.formula), exported.graph.formulas.iter().find(|it| it.0 == property.name));
        if let Some((name, text)) = said.filter(|it| it.1 != holds) {
            wrong.push(format!("{name}: {holds} in the model, {text} in the program"));
        }
    }
    match nusmv.map(|it| it.contradicts(&exported.text, &exported.program, &exported.graph)) {
        Some(Ok(difference)) => wrong.extend(difference),
        Some(Err(why)) => println!("  {why}"),
        None => {}
    }
    Some((wrong, exported.graph.formulas.len()))
}

#[test]
fn formulas_mean_the_same_in_smv() {
    let nusmv = nusmv();
    let results = parallel::map(&suite::random_seeds("PROM_EXPORTED", 62_000, 80), |&seed| {
        Some((seed, formulas(&run::model(&model_with_branching(seed).text())?, nusmv.as_ref())?))
    });
    let results: Vec<_> = results.into_iter().flatten().collect();
    let compared: usize = results.iter().map(|it| it.1.1).sum();
    println!("{compared} formulas of {} models", results.len());
    for (seed, (wrong, _)) in results.iter().filter(|it| !it.1.0.is_empty()) {
        println!("MODEL_SEED={seed}: {wrong:?}");
    }
    assert!(results.iter().all(|it| it.1.0.is_empty()), "see above");
    assert!(compared > 40, "only {compared} formulas took part");
}

/// What NuSMV says about formulas of linear time, where the reference says something else; and how many were compared.
fn linear(text: &str, nusmv: &NuSmv) -> Option<(Vec<String>, usize)> {
    let (compiled, sources) = run::compile_text(text);
    let model = compiled.model.filter(|_| !compiled.diagnostics.iter().any(text::Diagnostic::is_error))?;
    let exported = read(&model, None, SMALL).ok()?;
    if !exported.graph.broken.iter().all(|it| it.starts_with("assertion") || it.starts_with("valid_end")) {
        return None;
    }
    let said = nusmv.linear(&exported.text, &exported.program).ok()?;
    let budget = Budget { states: SMALL.states, time: SMALL.time };
    let asked = Asked { fairness: engine::Fairness::None, progress: false, budget };
    let answers = answers(&model, &sources, asked, &ways()[0]);
    let (mut wrong, mut compared) = (Vec::new(), 0);
    for (name, holds) in said {
        let answer = answers.iter().find(|it| it.0 == name).and_then(|it| it.1.is_violated());
        compared += usize::from(answer.is_some());
        wrong.extend(answer.filter(|it| *it == holds).map(|it| format!("{name}: violated {it}, NuSMV {holds}")));
    }
    Some((wrong, compared))
}

#[test]
fn formulas_of_linear_time_mean_the_same_to_nusmv() {
    let Some(nusmv) = nusmv() else { return println!("skipped: only NuSMV reads formulas of linear time") };
    let results = parallel::map(&suite::random_seeds("PROM_EXPORTED", 63_000, 60), |&seed| {
        Some((seed, linear(&model_with_properties(seed, Language::Ours).text(), &nusmv)?))
    });
    let results: Vec<_> = results.into_iter().flatten().collect();
    let compared: usize = results.iter().map(|it| it.1.1).sum();
    println!("{compared} formulas of {} models", results.len());
    results.iter().filter(|it| !it.1.0.is_empty()).for_each(|it| println!("MODEL_SEED={}: {:?}", it.0, it.1.0));
    assert!(results.iter().all(|it| it.1.0.is_empty()), "see above");
    assert!(compared > 20, "only {compared} formulas took part");
}

/// Tests of the tests: a program that is wrong in one place must be noticed.
#[test]
fn the_comparison_catches_programs_that_are_wrong() {
    for (mistake, least) in [(Mistake::FrozenCell, 20), (Mistake::EagerElse, 5)] {
        let results = parallel::map(&random::seeds(60_000, 60), |&seed| {
            Some(compare(&suite::random_model(seed)?, Some(mistake), SMALL, None))
        });
        let caught = results.iter().flatten().filter(|it| matches!(it, Compared::Different(_))).count();
        println!("{mistake:?}: caught in {caught} of 60 models");
        assert!(caught >= least, "{mistake:?} was noticed in {caught} models only");
    }
}

#[test]
fn a_small_program_reads_well() {
    let text = "byte x; chan q = [1] of { byte };\n\
                active proctype A() { do :: x < 2 -> atomic { q!x; x++ } :: else -> break od }\n\
                active proctype B() { byte y; end: do :: q?y -> assert(y < 2) od }\n\
                ctl again { AG EF (x == 2) }\n\
                ltl small { [] (x < 3) }\n";
    let exported = read(&run::model(text).expect("a model"), None, SMALL).expect("a program");
    for line in [
        "  x : unsigned word[8]; -- `x`, line 0",
        "  q_length : boolean; -- messages in it, at most 1",
        "CTLSPEC NAME again := (AG (rest -> (EF (rest & (x = 0ud8_2)))));",
        "LTLSPEC NAME small := (G (rest -> (x < 0ud8_3)));",
        "FAIRNESS rest;",
    ] {
        assert!(exported.text.contains(line), "`{line}` is missing in\n{}", exported.text);
    }
}
