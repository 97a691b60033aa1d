//! Branching time: engines against the definition on a graph that is written down, and against linear time; mistakes are caught, evidence is checked.
use std::path::PathBuf;
use std::time::Duration;

use engine::{BranchingProperty, Evidence, Fairness, Limits};
use engine_explicit::{Plan, Slip, StoreKind};
use model::semantics::Semantics;
use model::{Branching, Expr, Formula, Meaning, Model, TemporalProperty};
use promenade::{Engine, Pass};
use testkit::random::model_with_branching;
use testkit::run::{self, Budget};
use testkit::spin::SpinAnswer;
use testkit::suite::random_seeds;
use testkit::temporal::{Asked, Said, Way, answers};
use testkit::{branching, corpus, parallel};

/// What one property may cost.
const BUDGET: Budget = Budget { states: 1_500, time: Duration::from_secs(1) };

fn asked(fairness: Fairness) -> Asked {
    Asked { fairness, progress: false, budget: BUDGET }
}

fn way(name: &'static str, engine: Engine, optimize: &[Pass]) -> Way {
    Way { name, engine, optimize: optimize.to_vec(), reduce: !optimize.is_empty(), is_own_if_fair: true }
}

/// The reference, the compiled steps, and what `prom` does.
fn ways() -> Vec<Way> {
    let explicit = Engine::Explicit(Plan::default());
    vec![
        way("reference", Engine::Reference, &[]),
        way("explicit", explicit, &[]),
        way("as prom does", explicit, &Pass::ALL),
    ]
}

fn model_of(text: &str) -> Option<(Model, text::Sources)> {
    let (compiled, sources) = run::compile_text(text);
    let wrong = compiled.diagnostics.iter().any(text::Diagnostic::is_error);
    compiled.model.filter(|_| !wrong).map(|it| (it, sources))
}

/// What the definition says about each branching property that is small enough.
fn definition(model: &Model, fairness: Fairness) -> Vec<(String, bool)> {
    let rows = model.temporal_properties.iter().enumerate();
    let said = rows.filter_map(|(row, property)| {
        let Meaning::Branching(it) = &property.meaning else { return None };
        let graph = branching::graph(model, row, fairness, if fairness == Fairness::None { 300 } else { 60 })?;
        Some((property.name.clone(), graph.satisfies(&it.formula)))
    });
    said.collect()
}

/// Who contradicts the definition about a text, and how much was compared: what holds and what does not.
fn contradictions(text: &str, ways: &[Way]) -> (Vec<String>, [usize; 2]) {
    let Some((model, sources)) = model_of(text) else { return (Vec::new(), [0, 0]) };
    let (mut list, mut counts) = (Vec::new(), [0, 0]);
    for fairness in [Fairness::None, Fairness::Weak] {
        let definition = definition(&model, fairness);
        if definition.is_empty() {
            continue;
        }
        definition.iter().for_each(|it| counts[usize::from(it.1)] += 1);
        for way in ways {
            let all = answers(&model, &sources, asked(fairness), way);
            for (name, holds) in &definition {
                let said = all.iter().find(|it| it.0 == *name).map(|it| &it.1);
                let is_limit =
                    matches!(said, Some(Said::Unknown(why)) if why.contains("limit") || why.contains("interrupted"));
                if !is_limit && said.and_then(Said::is_violated) != Some(!holds) {
                    list.push(format!("{name} {fairness:?}, {}: {said:?}, but it is {holds}", way.name));
                }
            }
        }
    }
    (list, counts)
}

/// `PROM_BRANCHING=3000 cargo test --release -p testkit --test it branching -- --nocapture`
#[test]
fn branching_formulas_on_random_models_mean_what_they_are_defined_to() {
    let seeds = random_seeds("PROM_BRANCHING", 0, 60);
    let ways = ways();
    let results = parallel::map(&seeds, |&seed| {
        let text = model_with_branching(seed).text();
        let (list, counts) = contradictions(&text, &ways);
        ((!list.is_empty()).then(|| format!("MODEL_SEED={seed}\n{text}\n{}", list.join("\n"))), counts)
    });
    let count = |value: usize| results.iter().map(|it| it.1[value]).sum::<usize>();
    println!("{} formulas hold, {} do not", count(1), count(0));
    let wrong: Vec<&String> = results.iter().filter_map(|it| it.0.as_ref()).collect();
    wrong.iter().take(3).for_each(|it| println!("{it}"));
    assert!(wrong.is_empty(), "{} of {} models: see above", wrong.len(), seeds.len());
    assert!(seeds.len() < 60 || count(0).min(count(1)) > 100, "the questions are too easy");
}

/// A test of the test: engines that are wrong in a small way are caught.
#[test]
fn branching_engines_that_are_wrong_are_caught() {
    for slip in [Slip::Ends, Slip::Way, Slip::Constraint] {
        let plan = Plan { slip: Some(slip), ..Plan::default() };
        let wrong = [way("wrong", Engine::Explicit(plan), &[])];
        let seeds: Vec<u64> = (0..40).collect();
        let caught =
            parallel::map(&seeds, |&seed| !contradictions(&model_with_branching(seed).text(), &wrong).0.is_empty());
        let caught = caught.into_iter().filter(|it| *it).count();
        println!("{slip:?}: caught by {caught} of {} models", seeds.len());
        assert!(caught > 0, "{slip:?} was caught by only {caught} models");
    }
}

#[test]
fn a_path_that_ends_in_a_fault_is_not_for_ever() {
    let text = "byte x; ctl soon { AF (x == 1) } ctl stuck { EG (x == 0) } active proctype P() { x = 1 / x }";
    let plan = |slip| [way("explicit", Engine::Explicit(Plan { slip, ..Plan::default() }), &[])];
    assert_eq!(contradictions(text, &plan(None)), (Vec::new(), [2, 2]));
    let (wrong, _) = contradictions(text, &plan(Some(Slip::Ending)));
    assert_eq!(wrong.len(), 2, "{wrong:?}");
}

/// `l0` and `c0`, and so on, have the same answer.
#[test]
fn linear_and_branching_time_agree_where_they_say_the_same() {
    let seeds: Vec<u64> = random_seeds("PROM_BRANCHING_LINEAR", 0, 20).into_iter().map(|it| it * 4 + 2).collect();
    let results = parallel::map(&seeds, |&seed| {
        let text = model_with_branching(seed).text();
        let Some((model, sources)) = model_of(&text) else { return (Vec::new(), 0) };
        let all: Vec<(Fairness, Vec<(String, Said)>)> =
            [Fairness::None, Fairness::Weak].map(|it| (it, answers(&model, &sources, asked(it), &ways()[2]))).to_vec();
        pairs(seed, &all)
    });
    let compared: usize = results.iter().map(|it| it.1).sum();
    println!("{compared} pairs of formulas");
    let wrong: Vec<&String> = results.iter().flat_map(|it| &it.0).collect();
    assert!(wrong.is_empty(), "{wrong:#?}");
    assert!(compared > 100, "only {compared} pairs were compared");
}

/// Pairs that contradict each other, and how many could be compared.
fn pairs(seed: u64, all: &[(Fairness, Vec<(String, Said)>)]) -> (Vec<String>, usize) {
    let (mut wrong, mut compared) = (Vec::new(), 0);
    for (fairness, answers) in all {
        for (name, linear) in answers.iter().filter(|it| it.0.starts_with('l')) {
            let other = answers.iter().find(|it| it.0[1..] == name[1..] && it.0.starts_with('c'));
            let Some((_, branching)) = other else { continue };
            // A condition that cannot be computed is asked everywhere in branching time.
            if matches!(branching, Said::Violated { kind, .. } if *kind != "ctl") {
                continue;
            }
            if let (Some(left), Some(right)) = (linear.is_violated(), branching.is_violated()) {
                compared += 1;
                if left != right {
                    wrong
                        .push(format!("MODEL_SEED={seed} {name} {fairness:?}: linear {linear}, branching {branching}"));
                }
            }
        }
    }
    (wrong, compared)
}

/// A model with questions about conditions in linear and in branching time.
fn with_both(model: &Model) -> Model {
    let mut conditions: Vec<Expr> =
        model.temporal_properties.iter().flat_map(|it| it.observes.clone()).take(2).collect();
    conditions.push(Expr::Timeout);
    let observes = conditions.clone();
    let (p, q) = (|| Box::new(Formula::Atom(0)), || Box::new(Formula::Atom(observes.len() as u32 - 1)));
    let later = |it| Box::new(Formula::Eventually(it));
    let linear = [
        Formula::Always(p()),
        Formula::Always(Box::new(Formula::Implies(p(), later(q())))),
        Formula::Eventually(q()),
        Formula::Next(p()),
    ];
    let (p, q) = (ctl::Formula::atom(0), ctl::Formula::atom(observes.len() as u32 - 1));
    let branching = [
        p.clone().all_globally(),
        p.clone().implies(q.clone().all_finally()).all_globally(),
        q.all_finally(),
        p.all_next(),
    ];
    let property = |name: String, meaning| TemporalProperty {
        name,
        meaning,
        observes: observes.clone(),
        span: text::Span::default(),
    };
    let linear = linear.into_iter().enumerate().map(|(row, it)| property(format!("l{row}"), Meaning::Formula(it)));
    let branching = branching.into_iter().enumerate().map(|(row, formula)| {
        let texts = vec![String::new(); observes.len()];
        property(format!("c{row}"), Meaning::Branching(Branching { formula, fairness: Vec::new(), texts }))
    });
    Model { temporal_properties: linear.chain(branching).collect(), ..model.clone() }
}

#[test]
fn linear_and_branching_time_agree_on_the_corpus() {
    let Some(folder) = corpus::folder() else {
        println!("skipped: there is no ../shared/corpus");
        return;
    };
    let recorded = ["corners", "spin-examples", "case-studies"].map(|it| corpus::records(&folder, it, "full")).concat();
    let is_small = |it: &corpus::Record| matches!(&it.answer, SpinAnswer::Counts(it) if it.states < 20_000);
    let mut files: Vec<PathBuf> = recorded.into_iter().filter(is_small).map(|it| it.path).collect();
    files.sort();
    files.dedup();
    let budget = Budget { states: 30_000, time: Duration::from_secs(5) };
    let results = parallel::map(&files, |path| {
        let Some(model) = run::model_of(path) else { return (Vec::new(), 0) };
        let asked = Asked { budget, ..asked(Fairness::None) };
        let all = answers(&with_both(&model), &text::Sources::default(), asked, &ways()[2]);
        let (wrong, compared) = pairs(0, &[(Fairness::None, all)]);
        (wrong.into_iter().map(|it| format!("{}: {it}", path.display())).collect(), compared)
    });
    let compared: usize = results.iter().map(|it| it.1).sum();
    let wrong: Vec<&String> = results.iter().flat_map(|it| &it.0).collect();
    println!("{compared} pairs of formulas about {} files", files.len());
    assert!(wrong.is_empty(), "{wrong:#?}");
    assert!(compared > 200, "only {compared} pairs were compared");
}

const EXAMPLE: &str = "byte x; bool y;
ctl not_so { AG (x == 1 -> AF y && AX (x < 9)) }
ctl nowhere { EF (y && x == 3) }
active proctype P() { do :: x < 3 -> x++ :: x == 3 -> x = 0 :: x == 2 -> y = !y od }";

/// Evidence about the first property of the example.
fn evidence(damage: impl Fn(&mut Evidence)) -> bool {
    let (model, _) = model_of(EXAMPLE).expect("a model");
    let TemporalProperty { meaning: Meaning::Branching(branching), observes, .. } = &model.temporal_properties[0]
    else {
        panic!("no branching property")
    };
    let property = BranchingProperty { branching, conditions: observes, fairness: Fairness::None };
    let found = engine_explicit::branching(&model, property, &Limits::default(), Plan::default(), &mut ());
    let mut evidence = found.evidence.expect("evidence");
    damage(&mut evidence);
    certify::replay_branching(&Semantics::new(&model), &evidence, property, false).is_ok()
}

#[test]
fn damaged_evidence_is_not_believed() {
    assert!(evidence(|_| {}));
    assert!(!evidence(|it| it.trace.steps.rotate_left(1)));
    assert!(!evidence(|it| it.trace.cycle = None));
    assert!(!evidence(|it| _ = it.trace.steps.pop()));
    assert!(!evidence(|it| it.trace.steps.clear()));
    assert!(!evidence(|it| it.formula = ctl::Formula::constant(true)));
}

#[test]
fn what_no_path_shows_has_to_be_said() {
    let (model, _) = model_of(EXAMPLE).expect("a model");
    let TemporalProperty { meaning: Meaning::Branching(branching), observes, .. } = &model.temporal_properties[1]
    else {
        panic!("no branching property")
    };
    let property = BranchingProperty { branching, conditions: observes, fairness: Fairness::None };
    let holds = Branching { formula: branching.formula.clone().negated().all_globally(), ..branching.clone() };
    let opposite = BranchingProperty { branching: &holds, ..property };
    let found = engine_explicit::branching(&model, opposite, &Limits::default(), Plan::default(), &mut ());
    let mut evidence = found.evidence.unwrap_or_else(|| panic!("{:?}", found.finding.verdict));
    let system = Semantics::new(&model);
    let is_true = found.finding.violations.is_empty();
    assert!(certify::replay_branching(&system, &evidence, opposite, is_true).is_ok());
    evidence.remarks.clear();
    let still = certify::replay_branching(&system, &evidence, opposite, is_true).is_ok();
    assert_eq!(still, evidence.formula.is_propositional() || !evidence.trace.steps.is_empty());
}

#[test]
fn a_store_that_may_leave_out_states_and_strong_fairness_are_refused() {
    let (model, sources) = model_of(EXAMPLE).expect("a model");
    let said = |fairness, store| {
        let engine = Engine::Explicit(Plan { store, ..Plan::default() });
        answers(&model, &sources, asked(fairness), &way("", engine, &[])).remove(0).1
    };
    for (fairness, store, why) in [
        (Fairness::None, StoreKind::HashCompact, "tells all states apart"),
        (Fairness::Strong, StoreKind::Exact, "strong fairness"),
    ] {
        let Said::Unknown(reason) = said(fairness, store) else { panic!("an answer") };
        assert!(reason.contains(why), "{reason}");
    }
}
