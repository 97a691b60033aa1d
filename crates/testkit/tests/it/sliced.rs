//! Slices against the models they come from: the same verdict for every property, with evidence that replays on the model as it was.
use std::time::Duration;

use engine::{Fairness, Limits, Question};
use engine_explicit::Plan;
use model::Model;
use promenade::{Engine, Options, Slicing, check_model, completed};
use report::{Answer, Outcome, Report};
use slice::Mistake;
use testkit::random::{self, Language};
use testkit::run::{self, Budget, StateLimit};
use testkit::suite::{self, random_seeds};
use testkit::{corpus, parallel};
use text::Sources;

/// What one property may cost.
const BUDGET: Budget = Budget { states: 30_000, time: Duration::from_secs(10) };

/// The same, where there are many.
const FEW: Budget = Budget { states: 10_000, time: Duration::from_secs(3) };

/// How a model is asked.
#[derive(Clone, Copy, Debug)]
struct Asked {
    fairness: Fairness,
    end_states: bool,
    slice: Slicing,
    mistake: Option<Mistake>,
}

const PLAIN: Asked = Asked { fairness: Fairness::None, end_states: true, slice: Slicing::Full, mistake: None };

/// As `prom check` does it.
const AUTO: Asked = Asked { slice: Slicing::Auto, ..PLAIN };

/// Values, and assignments that have nothing left to do.
const UNUSED: Asked = Asked { slice: Slicing::Unused, ..PLAIN };

fn all_ways() -> Vec<Asked> {
    let fair = [Fairness::None, Fairness::Weak, Fairness::Strong].map(|fairness| Asked { fairness, ..PLAIN });
    fair.into_iter().chain([Asked { end_states: false, ..PLAIN }, AUTO, UNUSED]).collect()
}

fn report(model: &Model, asked: Asked, budget: Budget) -> Report {
    let options = Options {
        question: Question { end_states: asked.end_states, ..Question::default() },
        engine: Engine::Explicit(Plan::default()),
        fairness: asked.fairness,
        progress: true,
        limits: Limits { time: Some(budget.time), ..Limits::default() },
        slice: asked.slice,
        slice_mistake: asked.mistake,
        ..Options::default()
    };
    let model = completed(model.clone(), &options);
    let mut watch = StateLimit(budget.states);
    check_model(&model, "model.pml", &Sources::default(), &options, Duration::ZERO, &mut watch)
        .expect("properties by no name")
}

/// What was asked of one model: questions, those asked of a slice, and those with fewer states.
#[derive(Clone, Debug, Default)]
struct Compared {
    questions: usize,
    sliced: usize,
    violated: usize,
    /// Answered without a slice only.
    lost: usize,
    /// The property, its states without and with slicing.
    smaller: Vec<(String, u64, u64)>,
    different: Vec<String>,
}

fn compare(model: &Model, asked: Asked, budget: Budget) -> Compared {
    let whole = report(model, Asked { slice: Slicing::Off, ..asked }, budget);
    let sliced = report(model, asked, budget);
    let mut compared = Compared::default();
    for (old, new) in whole.results.iter().zip(&sliced.results) {
        if matches!(old.answer, Answer::Unknown(_)) {
            continue;
        }
        compared.questions += 1;
        if matches!(new.answer, Answer::Unknown(_)) {
            // The budget may be spent in another place.
            compared.lost += 1;
            continue;
        }
        let unreached = |it: &Outcome| format!("{:?}", it.coverage);
        if asked.slice != Slicing::Full && unreached(old) != unreached(new) {
            compared.different.push(format!("{}: other statements are unreached", old.property));
        }
        compared.violated += usize::from(old.answer == Answer::Violated);
        let is_sliced = new.method.optimizations.contains(&"slice");
        compared.sliced += usize::from(is_sliced);
        if old.answer != new.answer {
            compared.different.push(format!("{} {asked:?}: {:?} became {:?}", old.property, old.answer, new.answer));
        }
        let (before, after) = (old.effort.statistics.states, new.effort.statistics.states);
        if old.answer == Answer::Holds && after < before {
            compared.smaller.push((old.property.clone(), before, after));
        }
    }
    compared
}

fn compare_all(model: &Model, mistake: Option<Mistake>) -> Compared {
    let mut sum = Compared::default();
    for asked in all_ways() {
        let one = compare(model, Asked { mistake, ..asked }, BUDGET);
        sum.questions += one.questions;
        sum.sliced += one.sliced;
        sum.violated += one.violated;
        sum.lost += one.lost;
        sum.smaller.extend(one.smaller);
        sum.different.extend(one.different);
    }
    sum
}

fn random_model(seed: u64) -> Option<(Model, String)> {
    let text = random::model_with_properties(seed, Language::Ours).text();
    let (compiled, _) = run::compile_text(&text);
    let wrong = compiled.diagnostics.iter().any(text::Diagnostic::is_error);
    compiled.model.filter(|_| !wrong).map(|it| (it, text))
}

/// `PROM_SLICE=3000 cargo test --release -p testkit --test it sliced_random -- --nocapture`
#[test]
fn sliced_random_pairs_have_the_same_answers() {
    let seeds = random_seeds("PROM_SLICE", 700_000, 150);
    let results = parallel::map(&seeds, |&seed| {
        let Some((model, text)) = random_model(seed) else { return Compared::default() };
        let mut compared = compare_all(&model, None);
        compared.different.iter_mut().for_each(|it| *it = format!("MODEL_SEED={seed} {it}\n{text}"));
        compared
    });
    let sum = |of: fn(&Compared) -> usize| results.iter().map(of).sum::<usize>();
    let (questions, sliced, smaller) = (sum(|it| it.questions), sum(|it| it.sliced), sum(|it| it.smaller.len()));
    println!(
        "{questions} questions, {} violated, {sliced} answered by a slice, {smaller} with fewer states, {} lost",
        sum(|it| it.violated),
        sum(|it| it.lost)
    );
    let different: Vec<&String> = results.iter().flat_map(|it| &it.different).collect();
    different.iter().take(3).for_each(|it| println!("{it}"));
    assert!(different.is_empty(), "{} of {questions} answers are different", different.len());
    assert!(sum(|it| it.lost) * 1000 <= questions, "slices take too much");
    assert!(seeds.len() < 100 || sliced * 4 > questions && smaller > 20, "too little was sliced");
}

/// `PROM_SLICE_CORPUS=1 cargo test --release -p testkit --test it sliced_models -- --nocapture`: all of it, else the corners.
#[test]
fn sliced_models_of_the_corpus_have_the_same_answers() {
    let Some(folder) = corpus::folder() else { return println!("skipped: the corpus is not there") };
    let all = std::env::var_os("PROM_SLICE_CORPUS").is_some();
    let sets: &[&str] = if all { &["corners", "spin-examples", "case-studies", "beem"] } else { &["corners"] };
    let budget = if all { Budget { states: 300_000, time: Duration::from_secs(20) } } else { FEW };
    for answers in sets {
        let results = parallel::map(&suite::corpus_files(&folder, answers), |file| {
            let model = run::model_of(file)?;
            let name = file.file_name()?.to_string_lossy().into_owned();
            Some([(name.clone() + " auto", compare(&model, AUTO, budget)), (name, compare(&model, PLAIN, budget))])
        });
        let results: Vec<_> = results.into_iter().flatten().flatten().collect();
        let questions: usize = results.iter().map(|it| it.1.questions).sum();
        println!("{answers}: {} models, {questions} questions", results.len() / 2);
        for (name, compared) in &results {
            compared.smaller.iter().for_each(|it| println!("  {name} {}: {} -> {}", it.0, it.1, it.2));
        }
        let different: Vec<String> =
            results.iter().flat_map(|it| it.1.different.iter().map(|text| format!("{}: {text}", it.0))).collect();
        assert!(different.is_empty(), "{}", different.join("\n"));
    }
}

/// Per mistake: a model in which it shows.
const TRAPS: &[(Mistake, &str)] = &[
    (
        Mistake::Control,
        "byte x, y; active proctype P() { y = 1; if :: y == 0 -> x = 1 :: else fi } ltl p { [] (x == 0) }",
    ),
    (
        Mistake::Messages,
        "byte x; chan q = [1] of { byte }; active proctype P() { byte i; q!5; q?i; x = i; assert(x == 0) }",
    ),
    (
        Mistake::Cycles,
        "byte x, y; active proctype P() { do :: y < 9 -> y++; y-- :: else -> break od; x = 1; assert(x == 0) }",
    ),
    (
        Mistake::Aliases,
        "byte x; chan a = [1] of { byte }; chan b; active proctype P() { byte i; b = a; b!5; a?i; x = i } ltl p { [] (x == 0) }",
    ),
    (
        Mistake::Aliases,
        "byte x; chan a = [1] of { byte }; chan c = [1] of { chan };
         active proctype P() { chan b; byte i; c!a; c?b; b!5; a?i; x = i } ltl p { [] (x == 0) }",
    ),
    (
        Mistake::Aliases,
        "byte x; chan a = [1] of { byte }; proctype Q(chan b) { b!5 }
         init { byte i; run Q(a); a?i; x = i } ltl p { [] (x == 0) }",
    ),
    (Mistake::Waiting, "byte x, y; active proctype P() { y == 1; x = 1 } ltl p { [] (x == 0) }"),
    (Mistake::Faults, "byte x, y; active proctype P() { y = 1; x = 1 / (y - 1) }"),
];

#[test]
fn every_mistake_of_slicing_is_caught_where_it_shows() {
    for &(mistake, text) in TRAPS {
        let model = run::model(text).expect("a model");
        assert_eq!(compare_all(&model, None).different, Vec::<String>::new(), "{mistake:?} shows without being made");
        let wrong = compare_all(&model, Some(mistake));
        assert!(!wrong.different.is_empty() || spurious(&model, mistake), "{mistake:?} is not caught");
    }
}

/// Whether the slice finds something that does not exist, so that the whole model has to be asked.
fn spurious(model: &Model, mistake: Mistake) -> bool {
    compare_all(model, Some(mistake)).sliced < compare_all(model, None).sliced
}
