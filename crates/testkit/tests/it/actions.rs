//! Branching time over actions: engines and methods against the definition of the operators, on random systems of processes.
//!
//! `ARCTL_SYSTEMS` is how many systems there are, 1000 if nothing is said.
use engine::{BranchingProperty, Fairness, Limits, Verdict};
use engine_symbolic::{Evaluation, Mistake, Places, Plan, Shape, Size};
use model::semantics::Semantics;
use model::{Meaning, Model};
use testkit::actions::Chance;

fn systems() -> u64 {
    std::env::var("ARCTL_SYSTEMS").ok().and_then(|it| it.parse().ok()).unwrap_or(1_000)
}

fn asked(model: &Model) -> BranchingProperty<'_> {
    let property = &model.temporal_properties[0];
    let Meaning::Branching(branching) = &property.meaning else { panic!("a branching property") };
    BranchingProperty { branching, conditions: &property.observes, fairness: Fairness::None }
}

/// Whether an engine says that the property holds; its evidence has to be evidence.
fn said(model: &Model, name: &str, explained: &engine::Explained) -> bool {
    let holds = match &explained.finding.verdict {
        Verdict::Holds => true,
        Verdict::Violated => false,
        other => panic!("{name}: {other:?}"),
    };
    if let Some(evidence) = &explained.evidence {
        let replayed = certify::replay_branching(&Semantics::new(model), evidence, asked(model), holds);
        replayed.unwrap_or_else(|why| panic!("{name}: {why:?}: {evidence:?}"));
    }
    holds
}

fn symbolic(model: &Model, evaluation: Evaluation, mistake: Option<Mistake>) -> engine::Explained {
    let plan = Plan { evaluation, mistake, ..Plan::default() };
    engine_symbolic::branching(model, asked(model), &Limits::default(), plan, &mut ()).expect("no refusal")
}

fn detail<'d>(explained: &'d engine::Explained, name: &str) -> Option<&'d str> {
    let details = &explained.finding.statistics.details;
    details.iter().find(|it| it.0 == name).map(|it| it.1.as_str())
}

const METHODS: [(&str, Evaluation); 3] =
    [("backward", Evaluation::Backward), ("forward", Evaluation::Forward), ("forward-por", Evaluation::ForwardReduced)];

/// What the definition of the operators says.
fn expected(model: &Model) -> bool {
    let graph = testkit::branching::graph(model, 0, Fairness::None, 5_000).expect("a small graph");
    graph.satisfies(&asked(model).branching.formula)
}

#[test]
fn all_methods_agree_with_the_definition() {
    let (mut positive, mut negative, mut shown, mut reduced) = (0, 0, 0, 0);
    for seed in 0..systems() {
        let model = Chance(seed).system();
        let expected = expected(&model);
        let context = || format!("seed {seed}: {}", asked(&model).branching.formula);
        let explicit = engine_explicit::reference_branching(&model, asked(&model), &Limits::default(), &mut ());
        assert_eq!(said(&model, &format!("explicit {}", context()), &explicit), expected, "explicit, {}", context());
        shown += u32::from(explicit.evidence.is_some());
        for (name, evaluation) in METHODS {
            let explained = symbolic(&model, evaluation, None);
            assert_eq!(said(&model, &format!("{name} {}", context()), &explained), expected, "{name}, {}", context());
            let visited = detail(&explained, "reduced states").and_then(|it| it.parse::<u64>().ok());
            let is_reduced = detail(&explained, "evaluation") == Some("forward, reduced");
            reduced +=
                u32::from(is_reduced && visited.is_some_and(|it| 0 < it && it < explained.finding.statistics.states));
        }
        if expected { positive += 1 } else { negative += 1 }
    }
    let enough = systems() as u32 / 5;
    assert!(positive > enough && negative > enough && shown > enough, "{positive}, {negative}, {shown}");
    assert!(reduced > systems() as u32 / 20, "only {reduced} questions were asked of fewer states");
}

/// Systems among which there is one that shows a mistake.
const MANY: u64 = 4_000;

/// Whether a method with a mistake gives a wrong answer about some system.
fn is_caught(evaluation: Evaluation, mistake: Mistake) -> bool {
    (0..MANY).any(|seed| {
        let model = Chance(seed).system();
        let found = symbolic(&model, evaluation, Some(mistake)).finding.verdict;
        found != if expected(&model) { Verdict::Holds } else { Verdict::Violated }
    })
}

#[test]
fn weak_and_strong_next_are_not_the_same() {
    assert!(is_caught(Evaluation::Backward, Mistake::WeakNext));
}

#[test]
fn a_constraint_that_is_dropped_in_phase_1_is_noticed() {
    assert!(is_caught(Evaluation::ForwardReduced, Mistake::PhaseOneConstraint));
}

#[test]
fn a_visible_action_that_is_taken_for_safe_is_noticed() {
    assert!(is_caught(Evaluation::ForwardReduced, Mistake::VisibleIsSafe));
}

fn turntable(n: u32) -> Model {
    let file = testkit::corpus::workspace().join("examples/gcl/turntable.gcl");
    let mut sources = text::Sources::default();
    let root = sources.add("turntable.gcl", std::fs::read_to_string(file).expect("a text"));
    let compiled = front_gcl::compile(&sources, root, &[("n".into(), n.to_string())], &[]);
    compiled.model.expect("a model")
}

/// The relation of all steps of the turntable, in one order of its variables.
fn relation(n: u32, shape: Shape) -> Size {
    let (limits, began) = (Limits { memory: Some(room()), ..Limits::default() }, std::time::Instant::now());
    let size = engine_symbolic::relation_size(&turntable(n), shape, &limits, &mut ()).expect("room for the states");
    println!("{n} drills, {shape:?}: {size:?}, {:.1} s", began.elapsed().as_secs_f64());
    size
}

fn room() -> u64 {
    std::env::var("TURNTABLE_MEMORY").ok().and_then(|it| it.parse::<u64>().ok()).unwrap_or(2) << 30
}

const INTERLACED: Shape = Shape { places: Places::Interlaced, is_reachable: true, has_actions: true };
const APART: Shape = Shape { places: Places::Apart, ..INTERLACED };
const EVERYWHERE: Shape = Shape { is_reachable: false, ..INTERLACED };
const STATES_ALONE: Shape = Shape { has_actions: false, ..EVERYWHERE };

/// Two cells that are copied, and more beside: where next values stand matters, and more so the more cells there are (fwduntilpor-2008, table 1).
#[test]
fn a_relation_is_smaller_if_next_values_stand_behind_current_ones() {
    let (interlaced, apart) = (relation(1, INTERLACED), relation(1, APART));
    assert!(interlaced.is_whole());
    assert!(!apart.is_whole() || apart.nodes > 20 * interlaced.nodes);
}

/// Who does not move stays as it is, above and below: twice as many drills are twice as many nodes. With an action for each drill on top it is more.
#[test]
fn a_relation_of_states_alone_grows_linearly() {
    let growth = |shape| {
        let [small, middle, large] = [4, 8, 16].map(|n| relation(n, shape));
        assert!(small.is_whole() && middle.is_whole() && large.is_whole());
        (large.nodes - middle.nodes) as f64 / (middle.nodes - small.nodes) as f64
    };
    let (alone, with_actions) = (growth(STATES_ALONE), growth(EVERYWHERE));
    assert!((1.9..2.1).contains(&alone) && with_actions > 2.5, "{alone}, {with_actions}");
}

/// `TURNTABLE_ORDERS=1,2,3` prints the sizes for so many drills, `TURNTABLE_APART=1,2` those of the relation that is apart, with `TURNTABLE_MEMORY` GiB.
#[test]
fn sizes_of_relations_can_be_printed() {
    let drills = |name: &str| {
        let list = std::env::var(name).unwrap_or_default();
        list.split(',').filter_map(|it| it.parse().ok()).collect::<Vec<u32>>()
    };
    for n in drills("TURNTABLE_ORDERS") {
        for shape in [STATES_ALONE, EVERYWHERE, INTERLACED] {
            relation(n, shape);
        }
    }
    drills("TURNTABLE_APART").into_iter().for_each(|n| _ = relation(n, APART));
}
