//! The fast engine against the reference: state by state, and by what it finds with every store and number of threads.
use std::path::PathBuf;
use std::time::Duration;

use engine::{Finding, Limits, Question, Verdict, Why};
use engine_explicit::{Compared, Plan, StoreKind, crosscheck, crosscheck_with, explicit};
use model::{Effect, Expr, Model, Pattern};
use testkit::random::{Random, seeds};
use testkit::run::{self, Budget};
use testkit::{corpus, parallel, random};

/// States of one model that are compared.
const STATES: usize = 20_000;

/// What the reference may spend on one random model.
const BUDGET: Budget = Budget { states: 20_000, time: Duration::from_secs(20) };

/// `PROM_COMPILED=10000 cargo test --release -p testkit --test it compiled`: so many random models.
fn models() -> Vec<u64> {
    let count = std::env::var("PROM_COMPILED").ok().and_then(|it| it.parse().ok()).unwrap_or(2000);
    seeds(20_000, count)
}

fn model(seed: u64) -> Model {
    run::model(&random::model(seed).text()).unwrap_or_else(|| panic!("MODEL_SEED={seed} is rejected"))
}

#[test]
fn compiled_steps_of_random_models_are_those_of_the_reference() {
    let compared = parallel::map(&models(), |&seed| {
        crosscheck(&model(seed), STATES).unwrap_or_else(|text| panic!("MODEL_SEED={seed}: {text}"))
    });
    let states: u64 = compared.iter().map(|it| it.states).sum();
    let left: u64 = compared.iter().map(|it| it.left).sum();
    println!("{} models, {states} states compared, {left} left to the reference", compared.len());
    assert!(left * 5 < states, "too many states are left to the reference");
}

#[test]
fn compiled_steps_of_the_corpus_are_those_of_the_reference() {
    let Some(folder) = corpus::folder() else { return println!("skipped: the corpus is not there") };
    let answers = ["spin-examples", "corners", "case-studies", "beem"];
    let records = answers.iter().flat_map(|it| corpus::records(&folder, it, "full"));
    let mut files: Vec<PathBuf> = records.map(|it| it.path).collect();
    files.sort();
    files.dedup();
    let compared = parallel::map(&files, |file| {
        let Some(model) = run::model_of(file) else { return Compared::default() };
        crosscheck(&model, STATES / 4).unwrap_or_else(|text| panic!("{}: {text}", file.display()))
    });
    let states: u64 = compared.iter().map(|it| it.states).sum();
    println!("{} files, {states} states compared", files.len());
    assert!(states > 100_000, "only {states} states were compared");
}

/// How the engine may be asked.
fn plans() -> Vec<Plan> {
    let stores =
        [StoreKind::Exact, StoreKind::Tree, StoreKind::HashCompact, StoreKind::Bitstate { bytes: 1 << 22, hashes: 3 }];
    let plans = stores.into_iter().flat_map(|store| [1, 2].map(|threads| Plan { store, threads, ..Plan::default() }));
    plans.collect()
}

fn search(model: &Model, plan: Plan, all_errors: bool) -> Finding {
    let question = Question { all_errors, ..Question::default() };
    explicit(model, &question, &Limits::default(), plan, &mut ())
}

#[test]
fn stores_and_threads_change_nothing() {
    parallel::map(&seeds(5000, 200), |&seed| {
        let model = model(seed);
        let reference = run::search(&model, engine::Search::Breadth, BUDGET);
        if !reference.complete {
            return;
        }
        for plan in plans() {
            let finding = search(&model, plan, true);
            let counts = |it: &Finding| (it.statistics.states, it.statistics.transitions, it.statistics.inner_steps);
            let seen = |it: &Finding| (it.errors, it.unreached.clone(), run::summary(it).kinds);
            assert_eq!(counts(&finding), counts(&reference), "MODEL_SEED={seed} {plan:?}");
            assert_eq!(seen(&finding), seen(&reference), "MODEL_SEED={seed} {plan:?}");
            if plan.store != StoreKind::Exact && plan.store != StoreKind::Tree {
                assert_ne!(finding.verdict, Verdict::Holds, "a lossy store cannot know, MODEL_SEED={seed}");
            } else {
                assert_eq!(finding.verdict, reference.verdict, "MODEL_SEED={seed} {plan:?}");
            }
        }
    });
}

#[test]
fn the_counterexample_is_a_shortest_one_and_does_not_depend_on_the_plan() {
    let violated = parallel::map(&seeds(6000, 400), |&seed| {
        let model = model(seed);
        let system = model::semantics::Semantics::new(&model);
        let findings: Vec<Finding> = plans().into_iter().map(|plan| search(&model, plan, false)).collect();
        for finding in &findings {
            let traces = |it: &Finding| it.violations.iter().map(|it| (it.kind, it.trace.clone())).collect::<Vec<_>>();
            assert_eq!(traces(finding), traces(&findings[0]), "MODEL_SEED={seed}");
            for violation in &finding.violations {
                assert!(certify::replay(&system, violation).is_ok(), "MODEL_SEED={seed}: {:?}", violation.kind);
            }
        }
        u64::from(findings[0].verdict == Verdict::Violated)
    });
    let violated: u64 = violated.into_iter().sum();
    assert!(violated > 50, "only {violated} models have a violation");
}

#[test]
fn limits_are_answers() {
    let text = "byte a, b, c, d; active proctype P() { do :: a++ :: b++ :: c++ :: d++ od }";
    let model = run::model(text).expect("a model");
    for search in [engine::Search::Breadth, engine::Search::Depth] {
        let why = |limits: Limits| {
            let question = Question { search, ..Question::default() };
            let finding = explicit(&model, &question, &limits, Plan::default(), &mut ());
            assert!(finding.statistics.states > 0);
            match finding.verdict {
                Verdict::Unknown(why) => why,
                other => panic!("{other:?}"),
            }
        };
        assert_eq!(why(Limits { depth: Some(10), ..Limits::default() }), Why::DepthLimit(10));
        assert_eq!(why(Limits { memory: Some(10 << 20), ..Limits::default() }), Why::MemoryLimit(10 << 20));
        let time = Duration::from_millis(50);
        assert_eq!(why(Limits { time: Some(time), ..Limits::default() }), Why::TimeLimit(time));
    }
}

#[test]
fn states_that_are_too_large_to_compile_are_left_to_the_reference() {
    let model =
        run::model("int a[200000]; active proctype P() { a[199999] = 1; assert(a[199999] == 0) }").expect("a model");
    let finding = search(&model, Plan::default(), true);
    assert_eq!((finding.engine, finding.verdict, finding.errors), ("reference", Verdict::Violated, 1));
}

#[test]
fn long_messages_are_no_problem() {
    for fields in [30, 40, 210, 300] {
        let types = vec!["byte"; fields].join(", ");
        let values: Vec<String> = (0..fields).map(|it| (it % 7).to_string()).collect();
        let mut patterns = vec!["_".to_string(); fields];
        patterns[fields - 1] = "x".to_string();
        for capacity in [0, 1] {
            let text = format!(
                "chan q = [{capacity}] of {{ {types} }}; byte x;\n\
                 active proctype S() {{ q!{} }}\n\
                 active proctype R() {{ q?{}; assert(x == {}) }}",
                values.join(","),
                patterns.join(","),
                (fields - 1) % 7,
            );
            let model = run::model(&text).expect("a model");
            crosscheck(&model, STATES).unwrap_or_else(|text| panic!("{fields} fields, capacity {capacity}: {text}"));
            assert_eq!(search(&model, Plan::default(), true).verdict, Verdict::Holds, "{fields} fields");
        }
    }
}

#[test]
fn a_process_that_goes_on_alone_does_what_it_does_in_the_reference() {
    let other = "bit z, w; active proctype Q() { do :: w == 0 -> z = !z od }";
    for (name, steps) in [
        ("endless", "do :: x = !x od"),
        ("endless with a choice", "do :: x = (x + 1) % 3 :: x = 0 od"),
        ("long", "do :: n < 9000 -> n++ :: else -> break od; x = 1"),
        ("too long to remember nothing", "do :: n < 10010 -> n++ :: else -> break od; x = 1"),
        ("many ways", "do :: n < 14 -> n++ :: n < 14 -> n++; x = !x :: n == 14 -> break od"),
        ("loses control", "x = 1; z == 1; x = 2; z == 0; x = 3"),
        ("hands over", "c!1; x = 2; c!3; x = 0"),
        ("cannot go on where the channel is a variable", "d = c; x = 1; d?x"),
        ("waits until nothing else moves", "w = 1; timeout; x = 1; timeout; x = 2"),
        ("begins when nothing else moves", "w = 1; x = 1; (timeout) -> x = 2; (timeout) -> x = 3; d = c; d?x"),
        ("creates processes", "run R(); x = 1; run R(); x = 2"),
    ] {
        let text = format!(
            "byte x; short n; chan c = [0] of {{ byte }}; chan d; {other}\n\
             active proctype T() {{ byte y; do :: atomic {{ c?y; y++ }} od }}\n\
             active proctype P() {{ atomic {{ {steps} }} }}\n\
             proctype R() {{ x = 0 }}"
        );
        let model = run::model(&text).expect("a model");
        let compared = crosscheck(&model, 50).unwrap_or_else(|text| panic!("{name}: {text}"));
        assert!(compared.states > 0 && compared.left == 0, "{name}: {compared:?}");
    }
}

#[test]
fn several_passes_leave_out_less() {
    let text = "byte a, b; active proctype P() { do :: a++ :: b++ od }";
    let model = run::model(text).expect("a model");
    let approximation = |passes| {
        let store = StoreKind::Bitstate { bytes: 8 << 10, hashes: 2 };
        match search(&model, Plan { store, passes, ..Plan::default() }, false).verdict {
            Verdict::Unknown(Why::Approximate(it)) => it,
            other => panic!("{other:?}"),
        }
    };
    let (one, three) = (approximation(1), approximation(3));
    assert!(one.coverage < 0.99 && one.coverage < three.coverage && three.coverage <= 1.0, "{one:?} {three:?}");
    assert!(three.omission <= one.omission);
}

// Damaged twins: if these are not noticed, the comparisons above prove nothing.

/// In how many percent of the models that can be damaged in this way the damage shows.
fn share_caught(damage: impl Fn(&mut Model, &mut Random) -> bool + Sync) -> usize {
    let caught = parallel::map(&seeds(9000, 150), |&seed| {
        let model = model(seed);
        let mut twin = model.clone();
        damage(&mut twin, &mut Random::new(seed)).then(|| crosscheck_with(&model, &twin, 5_000).is_err())
    });
    let damaged: Vec<bool> = caught.into_iter().flatten().collect();
    assert!(damaged.len() >= 20, "only {} models could be damaged", damaged.len());
    damaged.iter().filter(|it| **it).count() * 100 / damaged.len()
}

/// Changes one effect for which `change` says that it was possible.
fn change_an_effect(model: &mut Model, random: &mut Random, change: impl Fn(&mut Effect) -> bool) -> bool {
    let mut effects: Vec<&mut Effect> =
        model.processes.iter_mut().flat_map(|it| &mut it.edges).flat_map(|it| &mut it.effects).collect();
    let start = random.below(effects.len().max(1));
    let count = effects.len();
    (0..count).any(|row| change(effects[(start + row) % count]))
}

#[test]
fn a_wrong_assignment_is_caught() {
    let share = share_caught(|model, random| {
        change_an_effect(model, random, |effect| match effect {
            Effect::Assign(_, value) => {
                *value = Expr::Binary(model::BinaryOp::Add, Box::new(value.clone()), Box::new(Expr::Constant(1)));
                true
            }
            _ => false,
        })
    });
    assert!(share >= 40, "caught only {share} %");
}

#[test]
fn a_receive_that_does_not_look_is_caught() {
    let share = share_caught(|model, random| {
        change_an_effect(model, random, |effect| match effect {
            Effect::Receive { patterns, .. } => patterns.iter_mut().any(|it| {
                let looks = matches!(it, Pattern::Match(_));
                if looks {
                    *it = Pattern::Any;
                }
                looks
            }),
            _ => false,
        })
    });
    assert!(share >= 10, "caught only {share} %");
}

#[test]
fn a_forgotten_edge_is_caught() {
    let share = share_caught(|model, random| {
        let mut edges: Vec<&mut model::Edge> = model.processes.iter_mut().flat_map(|it| &mut it.edges).collect();
        let row = random.below(edges.len());
        edges[row].guard = Expr::Constant(0);
        true
    });
    assert!(share >= 40, "caught only {share} %");
}
