//! Depth-first search: against the reference, breadth-first search, and twins that are wrong in a small way.
use std::time::Duration;

use engine::{Finding, Limits, Question, Search, Verdict, Violation, Why};
use engine_explicit::{Descent, Plan, Shorten, StoreKind, explicit, reference};
use model::Model;
use model::semantics::Semantics;
use testkit::random::{Random, seeds};
use testkit::run::{self, Budget};
use testkit::{corpus, parallel, random};

/// What one random model may cost.
pub const BUDGET: Budget = Budget { states: 20_000, time: Duration::from_secs(20) };

/// Depths at which models are cut.
const DEPTHS: [u64; 9] = [0, 1, 2, 3, 4, 6, 9, 14, 25];

/// Many bits: no two states of a small model are taken for each other.
const BITSTATE: StoreKind = StoreKind::Bitstate { bytes: 1 << 22, hashes: 3 };

pub fn model(seed: u64) -> Model {
    run::model(&random::model(seed).text()).unwrap_or_else(|| panic!("MODEL_SEED={seed} is rejected"))
}

fn question(search: Search, all_errors: bool) -> Question {
    Question { search, all_errors, ..Question::default() }
}

fn limits(depth: Option<u64>) -> Limits {
    Limits { depth, time: Some(Duration::from_secs(60)), ..Limits::default() }
}

/// Depth first with this strategy, looking for everything.
pub fn descend(model: &Model, descent: Descent, depth: Option<u64>) -> Finding {
    let plan = Plan { descent, ..Plan::default() };
    explicit(model, &question(Search::Depth, true), &limits(depth), plan, &mut ())
}

/// One violation, with some plan.
fn first(model: &Model, search: Search, plan: Plan) -> Finding {
    explicit(model, &question(search, false), &limits(None), plan, &mut ())
}

fn counts(it: &Finding) -> (u64, u64, u64) {
    (it.statistics.states, it.statistics.transitions, it.statistics.inner_steps)
}

/// What a search has found, whatever its order.
fn seen(it: &Finding) -> String {
    format!("{:?} {:?} {} {:?} {:?}", it.verdict, it.complete, it.errors, counts(it), run::summary(it).kinds)
}

/// Every violation is one.
pub fn replayed(model: &Model, finding: &Finding, seed: u64) {
    let system = Semantics::new(model);
    for it in &finding.violations {
        let replay = certify::replay(&system, it);
        assert!(replay.is_ok(), "MODEL_SEED={seed}: {:?} for {:?}", replay.err(), it.kind);
    }
    assert_eq!(finding.verdict == Verdict::Violated, !finding.violations.is_empty(), "MODEL_SEED={seed}");
}

/// The length of a trace, counted in states in which everybody may move.
fn length(system: &Semantics<'_>, violation: &Violation) -> usize {
    let replay = certify::replay(system, violation).expect("a genuine violation");
    let before = replay.states.iter().take(violation.trace.steps.len());
    before.filter(|state| state.exclusive.is_none() || !system.moves(state, &mut |_| {})).count()
}

#[test]
fn depth_first_finds_what_the_reference_finds_with_every_store_in_every_order() {
    parallel::map(&seeds(5000, 150), |&seed| {
        let model = model(seed);
        let expected = run::search(&model, Search::Breadth, BUDGET);
        if !expected.complete {
            return;
        }
        for store in [StoreKind::Exact, StoreKind::Tree, StoreKind::HashCompact, BITSTATE] {
            for order in [None, Some(seed)] {
                let plan = Plan { store, descent: Descent { order, ..Descent::default() }, ..Plan::default() };
                let found = explicit(&model, &question(Search::Depth, true), &limits(None), plan, &mut ());
                replayed(&model, &found, seed);
                assert_eq!(counts(&found), counts(&expected), "MODEL_SEED={seed} {plan:?}");
                let rest = |it: &Finding| (it.errors, it.unreached.clone(), run::summary(it).kinds);
                assert_eq!(rest(&found), rest(&expected), "MODEL_SEED={seed} {plan:?}");
                if matches!(store, StoreKind::Exact | StoreKind::Tree) {
                    assert_eq!(found.verdict, expected.verdict, "MODEL_SEED={seed} {plan:?}");
                } else {
                    assert_ne!(found.verdict, Verdict::Holds, "MODEL_SEED={seed} {plan:?}");
                }
            }
        }
    });
}

#[test]
fn a_depth_first_search_that_forgets_an_edge_is_caught() {
    let caught = parallel::map(&seeds(9000, 100), |&seed| {
        let (model, mut random) = (model(seed), Random::new(seed));
        let mut twin = model.clone();
        let mut edges: Vec<_> = twin.processes.iter_mut().flat_map(|it| &mut it.edges).collect();
        let row = random.below(edges.len());
        edges[row].guard = model::Expr::Constant(0);
        let expected = run::search(&model, Search::Breadth, BUDGET);
        expected.complete && counts(&descend(&twin, Descent::default(), None)) != counts(&expected)
    });
    let share = caught.iter().filter(|it| **it).count();
    println!("caught: {share} %");
    assert!(share >= 40, "caught only {share} %");
}

/// Everything that the reference finds so near, if it counts steps as we do: not if there are steps in between.
fn nearby(model: &Model, search: Search, depth: u64) -> Option<Finding> {
    let found = reference(model, &question(search, true), &limits(Some(depth)), &mut ());
    (found.statistics.inner_steps == 0).then_some(found)
}

#[test]
fn a_bounded_depth_first_search_finds_exactly_what_is_within_its_bound() {
    let cut = parallel::map(&seeds(7000, 200), |&seed| {
        let (model, shortest) = (model(seed), violated(seed).map(|it| it.1 as u64));
        let mut cut = 0;
        for depth in DEPTHS {
            let levels =
                explicit(&model, &question(Search::Breadth, true), &limits(Some(depth)), Plan::default(), &mut ());
            let expected = nearby(&model, Search::Breadth, depth);
            for order in [None, Some(seed)] {
                let told = format!("MODEL_SEED={seed} --max-depth {depth} {order:?}");
                let found = descend(&model, Descent { order, ..Descent::default() }, Some(depth));
                replayed(&model, &found, seed);
                assert_eq!(seen(&found), seen(&levels), "{told}");
                assert_eq!(found.verdict == Verdict::Violated, shortest.is_some_and(|it| it <= depth), "{told}");
                assert!(found.verdict != Verdict::Holds || shortest.is_none(), "{told}");
                if let Some(expected) = &expected {
                    assert_eq!(seen(&found), seen(expected), "{told}");
                    cut += usize::from(expected.verdict == Verdict::Unknown(Why::DepthLimit(depth)));
                }
            }
        }
        cut
    });
    assert!(cut.iter().sum::<usize>() > 200, "few searches were cut");
}

#[test]
fn a_search_that_never_expands_a_state_again_is_caught() {
    let caught = parallel::map(&seeds(7000, 200), |&seed| {
        let model = model(seed);
        DEPTHS.iter().any(|&depth| {
            let expected = nearby(&model, Search::Breadth, depth);
            // The reference keeps the depth at which it first reached a state, as SPIN does.
            let twin = nearby(&model, Search::Depth, depth);
            twin.zip(expected).is_some_and(|(twin, expected)| seen(&twin) != seen(&expected))
        })
    });
    let share = caught.iter().filter(|it| **it).count() * 100 / caught.len();
    println!("caught: {share} %");
    assert!(share >= 5, "caught only {share} %");
}

/// Models with a violation, and how long a shortest trace is.
fn violated(seed: u64) -> Option<(Model, usize)> {
    let model = model(seed);
    let nearest = first(&model, Search::Breadth, Plan::default());
    let length = length(&Semantics::new(&model), nearest.violations.first()?);
    Some((model, length))
}

fn shortened(model: &Model, shorten: Shorten, order: Option<u64>, store: StoreKind) -> usize {
    let plan = Plan { store, descent: Descent { shorten: Some(shorten), order, switches: None }, ..Plan::default() };
    let found = first(model, Search::Depth, plan);
    length(&Semantics::new(model), &found.violations[0])
}

#[test]
fn a_shortened_counterexample_is_as_short_as_the_nearest() {
    let lengths = parallel::map(&seeds(6000, 200), |&seed| {
        let Some((model, shortest)) = violated(seed) else { return 0 };
        for order in [None, Some(seed)] {
            for store in [StoreKind::Exact, StoreKind::Tree, StoreKind::HashCompact] {
                let fully = shortened(&model, Shorten::Fully, order, store);
                assert_eq!(fully, shortest, "MODEL_SEED={seed} {order:?}");
            }
            let halving = shortened(&model, Shorten::Halving, order, StoreKind::Exact);
            assert!(halving <= (2 * shortest).saturating_sub(1), "MODEL_SEED={seed}: {halving}, not {shortest}");
        }
        1
    });
    assert!(lengths.iter().sum::<usize>() > 30, "few models have a violation");
}

#[test]
fn shortening_that_never_expands_a_state_again_is_caught() {
    let caught = parallel::map(&seeds(6000, 200), |&seed| {
        let (model, shortest) = violated(seed)?;
        // A bitstate store does not remember how states were reached.
        let longer = |order| shortened(&model, Shorten::Fully, Some(order), BITSTATE) > shortest;
        Some((0..4).any(longer))
    });
    let caught: Vec<bool> = caught.into_iter().flatten().collect();
    let share = caught.iter().filter(|it| **it).count() * 100 / caught.len();
    println!("caught: {share} %");
    assert!(share >= 3, "caught only {share} %");
}

/// Violations of the corpus that are found at once: at the bound that is just enough, and one less.
#[test]
fn the_bound_decides_what_is_found_in_the_corpus() {
    let Some(folder) = corpus::folder() else { return println!("skipped: the corpus is not there") };
    let answers = ["corners", "spin-examples", "case-studies", "beem"];
    let records: Vec<_> = answers.iter().flat_map(|it| corpus::records(&folder, it, "full")).collect();
    let compared = parallel::map(&records, |record| {
        let Some(model) = run::model_of(&record.path) else { return 0 };
        let brief = |search, depth, descent| {
            let limits = Limits { depth, time: Some(Duration::from_millis(300)), ..Limits::default() };
            let plan = Plan { descent, ..Plan::default() };
            explicit(&model, &question(search, false), &limits, plan, &mut ())
        };
        let nearest = brief(Search::Breadth, None, Descent::default());
        let Some(violation) = nearest.violations.first() else { return 0 };
        let name = &record.model;
        if nearest.engine != "explicit" || violation.trace.steps.is_empty() {
            return 0;
        }
        let shortest = length(&Semantics::new(&model), violation);
        let enough = brief(Search::Depth, Some(shortest as u64), Descent::default());
        let less = brief(Search::Depth, Some(shortest as u64 - 1), Descent::default());
        let ended_early = |it: &Finding| matches!(it.verdict, Verdict::Unknown(Why::TimeLimit(_)));
        assert!(ended_early(&enough) || enough.verdict == Verdict::Violated, "{name}: {:?}", enough.verdict);
        assert_ne!(less.verdict, Verdict::Violated, "{name}");
        assert_ne!(less.verdict, Verdict::Holds, "{name}");
        let short = brief(Search::Depth, None, Descent { shorten: Some(Shorten::Fully), ..Descent::default() });
        if short.statistics.elapsed < Duration::from_millis(290) {
            assert_eq!(length(&Semantics::new(&model), &short.violations[0]), shortest, "{name}");
        }
        1
    });
    let compared: usize = compared.iter().sum();
    println!("{compared} models with violations");
    assert!(compared > 20);
}

#[test]
fn strategies_that_the_reference_does_not_have_are_not_pretended() {
    let text = "int a[200000]; active proctype P() { a[199999] = 1; assert(a[199999] == 0) }";
    let model = run::model(text).expect("a model");
    let plain = descend(&model, Descent::default(), None);
    assert_eq!((plain.engine, plain.verdict), ("reference", Verdict::Violated));
    let found = descend(&model, Descent { switches: Some(1), ..Descent::default() }, None);
    assert!(matches!(found.verdict, Verdict::Unknown(Why::Unsupported(_))));
}
