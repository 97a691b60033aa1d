//! Branching time over actions: engines and methods against the definition of the operators, on random systems of processes.
//!
//! `ARCTL_SYSTEMS` is how many systems there are, 300 if nothing is said.
use engine::{BranchingProperty, Fairness, Limits, Verdict};
use engine_symbolic::{Evaluation, Plan};
use model::semantics::Semantics;
use model::{Meaning, Model};
use testkit::actions::Chance;

fn systems() -> u64 {
    std::env::var("ARCTL_SYSTEMS").ok().and_then(|it| it.parse().ok()).unwrap_or(300)
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

fn symbolic(model: &Model, evaluation: Evaluation) -> engine::Explained {
    let plan = Plan { evaluation, ..Plan::default() };
    engine_symbolic::branching(model, asked(model), &Limits::default(), plan, &mut ()).expect("no refusal")
}

const METHODS: [(&str, Evaluation); 2] = [("backward", Evaluation::Backward), ("forward", Evaluation::Forward)];

#[test]
fn all_methods_agree_with_the_definition() {
    let (mut positive, mut negative, mut shown) = (0, 0, 0);
    for seed in 0..systems() {
        let model = Chance(seed).system();
        let graph = testkit::branching::graph(&model, 0, Fairness::None, 5_000).expect("a small graph");
        let expected = graph.satisfies(&asked(&model).branching.formula);
        let context = || format!("seed {seed}: {}", asked(&model).branching.formula);
        let explicit = engine_explicit::reference_branching(&model, asked(&model), &Limits::default(), &mut ());
        assert_eq!(said(&model, &context(), &explicit), expected, "explicit, {}", context());
        shown += u32::from(explicit.evidence.is_some());
        for (name, evaluation) in METHODS {
            let found = said(&model, &context(), &symbolic(&model, evaluation));
            assert_eq!(found, expected, "{name}, {}", context());
        }
        if expected { positive += 1 } else { negative += 1 }
    }
    let enough = systems() as u32 / 5;
    assert!(positive > enough && negative > enough && shown > enough, "{positive}, {negative}, {shown}");
}
