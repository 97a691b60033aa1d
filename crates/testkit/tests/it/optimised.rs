//! Optimised models against the models they come from: the same verdicts, the same violations, evidence that replays on
//! the original, and not more states.
use std::collections::BTreeSet;
use std::time::Duration;

use engine::{Finding, Limits, Question, Search, Violation, ViolationKind};
use engine_explicit::{Plan, crosscheck, explicit};
use model::Model;
use model::semantics::{FailureKind, Semantics};
use optimize::{Mistake, Pass, with_mistake};
use testkit::random::seeds;
use testkit::run::{self, Budget};
use testkit::suite::{self, random_model};
use testkit::{corpus, parallel};

/// What the reference may spend on one model.
const BUDGET: Budget = Budget { states: 30_000, time: Duration::from_secs(20) };

/// States of one model whose compiled steps are compared with the reference.
const COMPARED: usize = 3_000;

/// `PROM_OPTIMIZE=8000 cargo test --release -p testkit --test it optimised_random`: so many random models, from
/// `PROM_SEED` on.
fn random_models() -> Vec<u64> {
    suite::random_seeds("PROM_OPTIMIZE", 40_000, 600)
}

/// Each pass alone, all together, and SPIN's.
fn choices() -> Vec<Vec<Pass>> {
    let each = Pass::ALL.into_iter().chain(Pass::SPIN).map(|pass| vec![pass]);
    each.chain([Pass::ALL.to_vec(), Pass::SPIN.to_vec()]).collect()
}

fn search(model: &Model) -> Finding {
    run::search(model, Search::Breadth, BUDGET)
}

/// An optimised model has not more states; but other work may slow it down.
fn search_optimised(model: &Model) -> Finding {
    run::search(model, Search::Breadth, Budget { states: BUDGET.states * 2, time: BUDGET.time * 20 })
}

/// What a violation is to a reader, once it has been replayed on the original.
pub fn described(system: &Semantics<'_>, violation: &Violation) -> Result<String, String> {
    let replay = certify::replay(system, violation).map_err(|why| format!("{:?}: {why:?}", violation.kind))?;
    Ok(match violation.kind {
        ViolationKind::Step(failure) => {
            let kind = match failure.kind {
                FailureKind::Fault(fault) => format!("{:?}", std::mem::discriminant(&fault)),
                kind => format!("{:?}", std::mem::discriminant(&kind)),
            };
            format!("{kind} {:?} {:?}", failure.process, failure.edge)
        }
        ViolationKind::InvalidEnd { process } => {
            let last = replay.states.last().expect("an end has a state");
            let process = usize::from(process);
            format!("end {:?} {:?}", last.type_of(process), last.location_of(process))
        }
        kind => format!("{kind:?}"),
    })
}

pub fn violations(system: &Semantics<'_>, finding: &Finding) -> Result<BTreeSet<String>, String> {
    finding.violations.iter().map(|it| described(system, it)).collect()
}

/// How many states there were before and after; nothing if there are too many; or what is different.
fn compare(model: &Model, passes: &[Pass], mistake: Option<Mistake>) -> Result<Option<(u64, u64)>, String> {
    let before = search(model);
    if !before.complete { Ok(None) } else { compare_with(model, &before, passes, mistake).map(Some) }
}

fn compare_with(
    model: &Model,
    before: &Finding,
    passes: &[Pass],
    mistake: Option<Mistake>,
) -> Result<(u64, u64), String> {
    let system = Semantics::new(model);
    let optimised = with_mistake(model, passes, mistake);
    let after = search_optimised(&optimised);
    if before.verdict != after.verdict {
        return Err(format!("{passes:?}: {:?} became {:?}", before.verdict, after.verdict));
    }
    let (old, new) = (violations(&system, before)?, violations(&system, &after)?);
    if old != new {
        return Err(format!("{passes:?}: violations {old:?} became {new:?}"));
    }
    if before.unreached != after.unreached {
        return Err(format!("{passes:?}: unreached {:?} became {:?}", before.unreached, after.unreached));
    }
    let counts = |it: &Finding| (it.statistics.states, it.statistics.transitions);
    let exact = passes.iter().all(|it| matches!(it, Pass::Fold | Pass::Range));
    let (old, new) = (counts(before), counts(&after));
    // SPIN forgets on some ways what it keeps on others, so that there may be more states.
    let grows = passes.contains(&Pass::SpinDead);
    if !grows && (new.0 > old.0 || new.1 > old.1) || exact && new != old {
        return Err(format!("{passes:?}: counts {old:?} became {new:?}"));
    }
    crosscheck(&optimised, COMPARED).map_err(|what| format!("{passes:?}: {what}"))?;
    fast_engine(&system, &optimised, before)?;
    Ok((old.0, new.0))
}

/// The fast engine says the same about the optimised model, and its counterexample replays on the original.
fn fast_engine(system: &Semantics<'_>, optimised: &Model, before: &Finding) -> Result<(), String> {
    let finding = explicit(optimised, &Question::default(), &Limits::default(), Plan::default(), &mut ());
    violations(system, &finding)?;
    if finding.verdict == before.verdict { Ok(()) } else { Err(format!("the fast engine: {:?}", finding.verdict)) }
}

/// All choices of passes for one model.
fn compare_choices(name: &str, model: &Model) -> Option<Vec<(u64, u64)>> {
    let before = search(model);
    let one =
        |passes: &Vec<Pass>| compare_with(model, &before, passes, None).unwrap_or_else(|what| panic!("{name}: {what}"));
    before.complete.then(|| choices().iter().map(one).collect())
}

/// The mean factor of states that is left, per choice of passes.
fn print_means(what: &str, rows: &[Vec<(u64, u64)>]) {
    println!("{} {what}; states that are left, geometric mean:", rows.len());
    for (column, passes) in choices().iter().enumerate() {
        let sum: f64 = rows.iter().map(|row| (row[column].1 as f64 / row[column].0 as f64).ln()).sum();
        let names: Vec<&str> = passes.iter().map(|it| it.name()).collect();
        println!("  {:5.1} % with {}", 100.0 * (sum / rows.len().max(1) as f64).exp(), names.join(", "));
    }
}

#[test]
fn optimised_random_models_have_the_same_answers() {
    let rows = parallel::map(&random_models(), |&seed| {
        random_model(seed).and_then(|model| compare_choices(&format!("MODEL_SEED={seed}"), &model))
    });
    let rows: Vec<_> = rows.into_iter().flatten().collect();
    print_means("random models", &rows);
    assert!(rows.len() * 10 >= random_models().len() * 8, "only {} models were compared", rows.len());
}

#[test]
fn optimised_literate_cases_have_the_same_answers() {
    let models = suite::literate_models();
    let compared = models.iter().filter(|(heading, model)| compare_choices(heading, model).is_some()).count();
    assert!(compared > 200, "only {compared} cases were compared");
}

#[test]
fn optimised_models_of_the_corpus_have_the_same_answers() {
    let Some(folder) = corpus::folder() else { return println!("skipped: the corpus is not there") };
    for answers in ["corners", "spin-examples", "case-studies", "beem"] {
        let rows = parallel::map(&suite::corpus_files(&folder, answers), |file| {
            run::model_of(file).and_then(|model| compare_choices(&file.display().to_string(), &model))
        });
        let rows: Vec<_> = rows.into_iter().flatten().collect();
        print_means(answers, &rows);
    }
}

// Deliberate mistakes: if these are not noticed, the comparisons above prove nothing.

/// Per mistake: the pass that makes it, and a model in which it shows.
const TRAPS: &[(Pass, Mistake, &str)] = &[
    (Pass::Fold, Mistake::FoldDivision, "byte x; active proctype P() { x = 1 / 0; assert(false) }"),
    (Pass::Fold, Mistake::FoldAssigned, "byte x = 1; active proctype P() { x = 2; assert(x == 2) }"),
    (Pass::Hide, Mistake::HideTested, "byte x; active proctype P() { x = 1; x == 1; assert(false) }"),
    (Pass::Hide, Mistake::HideFault, "byte x, y; active proctype P() { y = 1; x = 1 / (y - 1); assert(false) }"),
    (Pass::Dead, Mistake::DeadTested, "active proctype P() { byte i; i = 3; skip; i == 3; assert(false) }"),
    (
        Pass::Dead,
        Mistake::DeadBranch,
        "byte x; active proctype P() { byte i; i = 3; if :: x = 1 :: x = i; assert(x == 3) fi }",
    ),
    (
        Pass::Range,
        Mistake::RangeReceived,
        "chan q = [1] of { byte }; byte x; active proctype P() { q!5; q?x; assert(x == 5) }",
    ),
    (
        Pass::Range,
        Mistake::RangeOtherwise,
        "byte x; active proctype P() { byte i; do :: i < 4 -> i++ :: else -> break od; x = i; assert(x == 4) }",
    ),
    (
        Pass::Merge,
        Mistake::MergeGlobals,
        "byte x; active proctype P() { x = 1; x = 0 } active proctype Q() { assert(x == 0) }",
    ),
    (
        Pass::Merge,
        Mistake::MergeReady,
        "byte x; chan p = [0] of { byte };
         active proctype P() { if :: p!1 :: atomic { else -> assert(x == 0) } fi }
         active proctype Q() { byte i; x = 1; i = 1; p?i }",
    ),
    (
        Pass::Merge,
        Mistake::MergeLoops,
        "byte x; active proctype P() { byte i; x = 1; do :: i = 1 - i od } active proctype Q() { assert(x == 0) }",
    ),
    (
        Pass::SpinMerge,
        Mistake::MergeGlobals,
        "byte x; active proctype P() { x = 1; x = 0 } active proctype Q() { assert(x == 0) }",
    ),
    (Pass::SpinDead, Mistake::DeadTested, "active proctype P() { byte i; i = 3; skip; i == 3; assert(false) }"),
    (Pass::SpinHide, Mistake::HideTested, "byte x; active proctype P() { x = 1; x == 1; assert(false) }"),
];

#[test]
fn every_mistake_is_caught_where_it_shows() {
    for &(pass, mistake, text) in TRAPS {
        let model = run::model(text).expect("a model");
        assert!(matches!(compare(&model, &[pass], None), Ok(Some(_))), "{mistake:?} shows without being made");
        assert!(compare(&model, &[pass], Some(mistake)).is_err(), "{mistake:?} is not caught");
    }
}

#[test]
fn mistakes_are_caught_by_random_models() {
    let seeds = seeds(41_000, 400);
    for (pass, mistake, least) in [
        (Pass::Fold, Mistake::FoldAssigned, 10),
        (Pass::Hide, Mistake::HideTested, 10),
        (Pass::Dead, Mistake::DeadTested, 5),
        (Pass::Dead, Mistake::DeadBranch, 5),
        (Pass::Range, Mistake::RangeReceived, 3),
        (Pass::Merge, Mistake::MergeGlobals, 2),
        (Pass::SpinHide, Mistake::HideTested, 2),
        (Pass::SpinDead, Mistake::DeadTested, 2),
        (Pass::SpinMerge, Mistake::MergeGlobals, 2),
    ] {
        let shown = parallel::map(&seeds, |&seed| {
            random_model(seed).is_some_and(|model| compare(&model, &[pass], Some(mistake)).is_err())
        });
        let count = shown.into_iter().filter(|it| *it).count();
        println!("{mistake:?} shows in {count} models");
        assert!(count >= least, "{mistake:?} shows in only {count} models");
    }
}
