//! Branching and linear time on sets of states: the same answers as from state to state.
use std::time::Duration;

use engine::{Fairness, Limits, Property, Verdict};
use engine_symbolic::{Evaluation, Mistake, Plan};
use model::semantics::Watcher;
use model::{Meaning, Model};
use promenade::Engine;
use testkit::random::{Language, model_with_branching, model_with_properties};
use testkit::run::{self, Budget, StateLimit};
use testkit::suite::random_seeds;
use testkit::symbolic::{Compared, Effort, compare};
use testkit::temporal::{Asked, Said, Way, answers, answers_about};
use testkit::{literate, parallel};
use text::Sources;

/// What one property may cost.
const ASKED: Asked =
    Asked { fairness: Fairness::None, progress: true, budget: Budget { states: 1_500, time: Duration::from_secs(5) } };

/// What safety may cost.
const SMALL: Effort = Effort { states: 1_500, time: Duration::from_secs(5), memory: 1 << 28 };

fn way(name: &'static str, engine: Engine) -> Way {
    Way { name, engine, optimize: Vec::new(), reduce: false, is_own_if_fair: false }
}

fn explicit() -> Way {
    way("explicit", Engine::Explicit(engine_explicit::Plan::default()))
}

fn symbolic(name: &'static str, evaluation: Evaluation, mistake: Option<Mistake>) -> Way {
    way(name, Engine::Symbolic(Plan { evaluation, mistake, ..Plan::default() }))
}

fn model_of(text: &str) -> Option<(Model, Sources)> {
    let (compiled, sources) = run::compile_text(text);
    let wrong = compiled.diagnostics.iter().any(text::Diagnostic::is_error);
    compiled.model.filter(|_| !wrong).map(|it| (it, sources))
}

/// What came of one model: what the engines disagree about, how many answers were compared, and why others were not.
#[derive(Default)]
struct Outcome {
    wrong: Vec<String>,
    compared: usize,
    given_up: Vec<String>,
}

/// Asks the explicit engine, and then others about what it knows.
fn compared(model: &Model, sources: &Sources, asked: Asked, ways: &[Way]) -> Outcome {
    let known = answers(model, sources, asked, &explicit());
    let known: Vec<(String, Said)> = known.into_iter().filter(|it| it.1.is_violated().is_some()).collect();
    let mut outcome = Outcome::default();
    for way in ways {
        let is_known = |name: &str| known.iter().any(|it| it.0 == name);
        let others = answers_about(is_known, model, sources, asked, way);
        for ((name, said), (_, other)) in known.iter().zip(&others) {
            match other {
                _ if said.contradicts(other) => outcome.wrong.push(format!("{name}: {said}; {}: {other}", way.name)),
                Said::Unknown(why) => outcome.given_up.push(why.clone()),
                _ => outcome.compared += 1,
            }
        }
    }
    outcome
}

/// Prints what is wrong and how much was compared.
fn tally(title: &str, results: &[Outcome]) -> usize {
    let wrong: Vec<&String> = results.iter().flat_map(|it| &it.wrong).collect();
    wrong.iter().take(10).for_each(|it| println!("{it}"));
    let compared = results.iter().map(|it| it.compared).sum::<usize>();
    let reasons: Vec<&String> = results.iter().flat_map(|it| &it.given_up).collect();
    if std::env::var_os("PROM_VERBOSE").is_some() {
        reasons.iter().for_each(|it| println!("  given up: {it}"));
    }
    let (models, given_up, different) = (results.len(), reasons.len(), wrong.len());
    println!("{title}: {models} models, {compared} answers compared, {given_up} given up, {different} different");
    assert!(wrong.is_empty(), "{title}: see above");
    assert!(given_up * 4 < compared, "{title}: too much was given up");
    compared
}

/// `PROM_SYMBOLIC_TEMPORAL=300 cargo test --release -p testkit --test it symbolic_temporal -- --nocapture`
#[test]
fn random_models_mean_the_same_in_branching_time_forward_and_backward() {
    let ways = [symbolic("backward", Evaluation::Backward, None), symbolic("forward", Evaluation::Forward, None)];
    let seeds = random_seeds("PROM_SYMBOLIC_TEMPORAL", 0, 100);
    let results = parallel::map(&seeds, |&seed| {
        let Some((model, sources)) = model_of(&model_with_branching(seed).text()) else { return Outcome::default() };
        let mut result = compared(&model, &sources, ASKED, &ways);
        if let Compared::Different(why) = compare(&model, Plan::default(), SMALL) {
            result.wrong.push(format!("safety: {why}"));
        }
        result.wrong.iter_mut().for_each(|it| *it = format!("MODEL_SEED={seed} {it}"));
        result
    });
    let compared = tally("branching time", &results);
    assert!(seeds.len() < 100 || compared > seeds.len() * 5, "only {compared} answers");
}

/// Formulas, never claims, accept labels and cycles without progress.
#[test]
fn random_models_mean_the_same_in_linear_time() {
    let ways = [symbolic("symbolic", Evaluation::Auto, None)];
    let seeds = random_seeds("PROM_SYMBOLIC_LINEAR", 0, 40);
    let results = parallel::map(&seeds, |&seed| {
        let text = model_with_properties(seed, Language::Ours).text();
        let Some((model, sources)) = model_of(&text) else { return Outcome::default() };
        let mut outcome = compared(&model, &sources, ASKED, &ways);
        outcome.wrong.iter_mut().for_each(|it| *it = format!("MODEL_SEED={seed} {it}"));
        outcome
    });
    let compared = tally("linear time", &results);
    assert!(seeds.len() < 40 || compared > seeds.len() * 3, "only {compared} answers");
}

/// The cases that are written, each with what is asked of it; who is forgotten, the symbolic engine does not know.
#[test]
fn literate_cases_mean_the_same_on_sets_of_states() {
    let ways = [symbolic("backward", Evaluation::Backward, None), symbolic("forward", Evaluation::Forward, None)];
    let cases: Vec<literate::Case> = literate::all().into_iter().filter(|it| it.fairness == Fairness::None).collect();
    let results = parallel::map(&cases, |case| {
        let Some((model, sources)) = case.accepted() else { return Outcome::default() };
        let asked = Asked { progress: case.progress, ..ASKED };
        let mut outcome = compared(&model, &sources, asked, &ways);
        outcome.wrong.iter_mut().for_each(|it| *it = format!("{}: {}: {it}", case.file, case.heading));
        outcome
    });
    let compared = tally("literate cases", &results);
    assert!(compared > 200, "only {compared} answers");
}

/// How many of some models show that a way is wrong.
fn caught(mistake: Mistake, text: impl Fn(u64) -> String + Sync) -> usize {
    let wrong = [symbolic("wrong", Evaluation::Backward, Some(mistake))];
    // Relations that are wrong may reach far more than they should.
    let asked = Asked { budget: Budget { time: Duration::from_secs(1), ..ASKED.budget }, ..ASKED };
    let caught = parallel::map(&random_seeds("PROM_SYMBOLIC_BROKEN", 0, 20), |&seed| {
        let Some((model, sources)) = model_of(&text(seed)) else { return false };
        !compared(&model, &sources, asked, &wrong).wrong.is_empty()
    });
    caught.into_iter().filter(|it| *it).count()
}

/// Tests of the tests: an engine that is wrong in one place must be noticed.
#[test]
fn sets_of_states_that_are_wrong_are_caught() {
    for mistake in [Mistake::Ends, Mistake::Constraint, Mistake::LooseBit] {
        let caught = caught(mistake, |seed| model_with_branching(seed).text());
        println!("branching time, {mistake:?}: caught by {caught} of some models");
        assert!(caught > 0, "{mistake:?} was not noticed in branching time");
    }
    for mistake in [Mistake::Ends, Mistake::Constraint, Mistake::LooseClaim] {
        let caught = caught(mistake, |seed| model_with_properties(seed, Language::Ours).text());
        println!("linear time, {mistake:?}: caught by {caught} of some models");
        assert!(caught > 0, "{mistake:?} was not noticed in linear time");
    }
}

#[test]
fn what_happens_inside_is_not_seen() {
    let text = "byte x; active [2] proctype P() { atomic { x = 1; x = 2 } }
        ctl unseen { AG (x != 1) } ctl then { AX (x == 2) } ltl not_one { [] (x != 1) } ltl soon { X (x == 2) }";
    let (model, sources) = model_of(text).expect("a model");
    let outcome = |mistake| compared(&model, &sources, ASKED, &[symbolic("symbolic", Evaluation::Backward, mistake)]);
    let right = outcome(None);
    assert_eq!((right.wrong, right.compared), (Vec::new(), 5));
    assert_eq!(outcome(Some(Mistake::Points)).wrong.len(), 2);
}

/// System and claim have as many states together as the reference finds, where it visits all of them.
#[test]
fn system_and_claim_have_the_same_states() {
    let results = parallel::map(&random_seeds("PROM_SYMBOLIC_CLAIMS", 0, 100), |&seed| {
        let model = run::model(&model_with_properties(seed, Language::Ours).text())?;
        let property = model.temporal_properties.first()?;
        let Meaning::Claim(claim) = &property.meaning else { return None };
        let watcher = Watcher { claim, conditions: &property.observes };
        let asked = Property { watcher, fairness: Fairness::None };
        let limits = Limits { time: Some(ASKED.budget.time), memory: Some(1 << 26), depth: None };
        let mut most = StateLimit(ASKED.budget.states);
        let reference = engine_explicit::reference_temporal(&model, asked, &limits, &mut most);
        let symbolic = engine_symbolic::temporal(&model, asked, &limits, Plan::default(), &mut ()).ok()?;
        let both_hold = reference.verdict == Verdict::Holds && symbolic.verdict == Verdict::Holds;
        both_hold.then_some((seed, reference.statistics.states, symbolic.statistics.states))
    });
    let pairs: Vec<(u64, u64, u64)> = results.into_iter().flatten().collect();
    let different: Vec<&(u64, u64, u64)> = pairs.iter().filter(|it| it.1 != it.2).collect();
    println!("{} claims were compared", pairs.len());
    assert!(different.is_empty(), "seed, states of the reference, states of the symbolic engine: {different:?}");
    assert!(pairs.len() >= 5, "only {} claims were compared", pairs.len());
}
