//! Reduced searches against complete ones: the same verdicts, the same violations, the same code reached, evidence that
//! replays.
use std::fs;
use std::time::Duration;

use engine::{Finding, Limits, Question, Search};
use engine_explicit::{Cache, Ends, Plan, Reduction, StoreKind, Variant, explicit};
use front_promela::parse::Dialect;
use model::Model;
use model::semantics::Semantics;
use reduction::Mistake;
use reduction::facts::Facts;
use testkit::random::seeds;
use testkit::run::{self, Budget, StateLimit};
use testkit::suite::{self, random_model, talking_model};
use testkit::{corpus, parallel};

use crate::optimised::violations;

/// What a complete search may spend on one model.
const BUDGET: Budget = Budget { states: 60_000, time: Duration::from_secs(20) };

/// `PROM_REDUCE=10000 cargo test --release -p testkit --test it reduced_random`: so many random models, from `PROM_SEED` on.
fn random_models() -> Vec<u64> {
    suite::random_seeds("PROM_REDUCE", 60_000, 600)
}

/// A way to search.
#[derive(Clone, Copy, Debug)]
struct Way {
    search: Search,
    plan: Plan,
    only_ends: bool,
}

impl Way {
    /// Breadth first, by one thread.
    fn plain(reduction: Reduction) -> Way {
        Way { search: Search::Breadth, plan: Plan { reduction, ..Plan::default() }, only_ends: false }
    }

    /// The same in other orders.
    fn in_every_order(self) -> [Way; 3] {
        let shared = Plan { threads: 2, store: StoreKind::Tree, ..self.plan };
        [self, Way { search: Search::Depth, ..self }, Way { plan: shared, ..self }]
    }
}

fn twophase(variant: Variant, cache: Cache, mistake: Option<Mistake>) -> Reduction {
    Reduction::Twophase { variant, cache, ends: Ends::All, mistake }
}

fn stubborn(variant: Variant, cache: Cache, mistake: Option<Mistake>) -> Reduction {
    Reduction::Twophase { variant, cache, ends: Ends::Stubborn, mistake }
}

/// Every variant, cache and order, one and two threads, two stores.
fn ways() -> Vec<Way> {
    let mut reductions = Vec::new();
    for variant in [Variant::Strong, Variant::Plain] {
        for cache in [Cache::All, Cache::BackEdges, Cache::None] {
            reductions.push(twophase(variant, cache, None));
        }
        reductions.extend([Cache::All, Cache::None].map(|cache| stubborn(variant, cache, None)));
    }
    let ways = reductions.into_iter().flat_map(|it| Way::plain(it).in_every_order());
    let local = Way { search: Search::Depth, ..Way::plain(Reduction::Ample { local: true, mistake: None }) };
    ways.chain([ample(None), local]).collect()
}

/// Depth first, with a look at the stack.
fn ample(mistake: Option<Mistake>) -> Way {
    Way { search: Search::Depth, ..Way::plain(Reduction::Ample { local: false, mistake }) }
}

/// The same where only ends matter.
fn ways_to_ends() -> Vec<Way> {
    let reductions = [stubborn(Variant::Strong, Cache::None, None), stubborn(Variant::Plain, Cache::All, None)];
    reductions.into_iter().flat_map(|it| Way { only_ends: true, ..Way::plain(it) }.in_every_order()).collect()
}

fn search(model: &Model, way: Way) -> Finding {
    let Way { search, only_ends, .. } = way;
    let question = Question { all_errors: true, search, only_ends, ..Question::default() };
    let limits = Limits { time: Some(BUDGET.time), ..Limits::default() };
    explicit(model, &question, &limits, way.plan, &mut StateLimit(BUDGET.states))
}

/// The complete search, if it is not too long.
fn complete(model: &Model) -> Option<Finding> {
    Some(search(model, Way::plain(Reduction::None))).filter(|it| it.complete)
}

/// The same where only ends matter.
fn complete_ends(model: &Model) -> Option<Finding> {
    Some(search(model, Way { only_ends: true, ..Way::plain(Reduction::None) })).filter(|it| it.complete)
}

/// How many states a reduced search has; or what is different.
fn compare(model: &Model, before: &Finding, way: Way) -> Result<u64, String> {
    let system = Semantics::new(model);
    let after = search(model, way);
    if before.verdict != after.verdict {
        return Err(format!("{way:?}: {:?} became {:?}", before.verdict, after.verdict));
    }
    let (old, new) = (violations(&system, before)?, violations(&system, &after)?);
    if old != new {
        return Err(format!("{way:?}: violations {old:?} became {new:?}"));
    }
    if way.only_ends && before.errors != after.errors {
        return Err(format!("{way:?}: {} ends became {}", before.errors, after.errors));
    }
    if !way.only_ends && before.unreached != after.unreached {
        return Err(format!("{way:?}: unreached {:?} became {:?}", before.unreached, after.unreached));
    }
    if after.statistics.states > before.statistics.states {
        return Err(format!("{way:?}: {} states became {}", before.statistics.states, after.statistics.states));
    }
    Ok(after.statistics.states)
}

/// All ways for one model: states without reduction, and with the strongest one. A model that is not reduced is not
/// searched so often.
fn compare_ways(name: &str, model: &Model) -> Option<(u64, u64)> {
    let before = complete(model)?;
    let one = |way: Way| compare(model, &before, way).unwrap_or_else(|what| panic!("{name}: {what}"));
    let is_reduced = Facts::new(model).refusal().is_none();
    let counts: Vec<u64> = ways().into_iter().take(if is_reduced { usize::MAX } else { 2 }).map(one).collect();
    if is_reduced {
        let before = complete_ends(model)?;
        let one = |way: Way| compare(model, &before, way).unwrap_or_else(|what| panic!("{name}, ends: {what}"));
        ways_to_ends().into_iter().for_each(|way| _ = one(way));
    }
    Some((before.statistics.states, counts.into_iter().min().unwrap_or(0)))
}

fn print_mean(what: &str, rows: &[(u64, u64)]) {
    let share = |row: &(u64, u64)| (row.1.max(1) as f64 / row.0.max(1) as f64).ln();
    let sum: f64 = rows.iter().map(share).sum();
    let mean = 100.0 * (sum / rows.len().max(1) as f64).exp();
    println!("{} {what}; states that are stored, geometric mean: {mean:.1} %", rows.len());
}

#[test]
fn reduced_random_models_have_the_same_answers() {
    let rows = parallel::map(&random_models(), |&seed| {
        random_model(seed).and_then(|model| compare_ways(&format!("MODEL_SEED={seed}"), &model))
    });
    let rows: Vec<_> = rows.into_iter().flatten().collect();
    print_mean("random models", &rows);
    assert!(rows.len() * 10 >= random_models().len() * 8, "only {} models were compared", rows.len());
}

#[test]
fn reduced_random_talkers_have_the_same_answers() {
    let talkers = suite::random_seeds("PROM_TALK", 70_000, 150);
    let rows = parallel::map(&talkers, |&seed| {
        let model = talking_model(seed).filter(|it| complete(it).is_some_and(|it| it.statistics.states < 2_000));
        model.and_then(|model| compare_ways(&format!("talkers {seed}"), &model))
    });
    let rows: Vec<_> = rows.into_iter().flatten().collect();
    print_mean("random models that talk", &rows);
    assert!(rows.len() * 2 >= talkers.len(), "only {} models were compared", rows.len());
}

#[test]
fn reduced_literate_cases_have_the_same_answers() {
    let models = suite::literate_models();
    let rows: Vec<_> =
        parallel::map(&models, |(heading, model)| compare_ways(heading, model)).into_iter().flatten().collect();
    print_mean("literate cases", &rows);
    assert!(rows.len() > 200, "only {} cases were compared", rows.len());
}

#[test]
fn reduced_models_of_the_corpus_have_the_same_answers() {
    let Some(folder) = corpus::folder() else { return println!("skipped: the corpus is not there") };
    for answers in ["corners", "spin-examples", "case-studies", "beem"] {
        let rows = parallel::map(&suite::corpus_files(&folder, answers), |file| {
            run::model_of(file).and_then(|model| compare_ways(&file.display().to_string(), &model))
        });
        print_mean(answers, &rows.into_iter().flatten().collect::<Vec<_>>());
    }
}

/// A model of `examples/papers` for so many processes.
fn paper(name: &str, n: u32) -> String {
    let path = corpus::workspace().join("examples/papers").join(name);
    format!("#define N {n}\n{}", fs::read_to_string(path).expect("a model of a paper"))
}

/// The models that were written from descriptions hold, in every way, with the counts of `docs/reproduction.md`: plain and strong,
/// all stored.
#[test]
fn reduced_models_of_the_papers_have_the_same_answers() {
    let models = [
        ("client_server.pml", 2, 333, 147),
        ("leader.pml", 4, 72, 48),
        ("stable_marriage.pml", 4, 1_433, 1_433),
        ("basic.pml", 0, 1_277, 1_023),
    ];
    for (name, n, plain, strong) in models {
        let model = run::model(&paper(name, n)).expect("a model");
        let count = |variant| search(&model, Way::plain(twophase(variant, Cache::All, None)));
        let (one, other) = (count(Variant::Plain), count(Variant::Strong));
        assert_eq!((one.statistics.states, other.statistics.states), (plain, strong), "{name}");
        assert!(one.verdict == engine::Verdict::Holds && other.verdict == engine::Verdict::Holds, "{name}");
        if name != "basic.pml" {
            compare_ways(name, &model).unwrap_or_else(|| panic!("{name} is too large"));
        }
    }
}

/// The counts of the papers: states with the plain and the strong variant, all of phase 1 stored, and only ends.
#[test]
fn counts_of_the_papers() {
    let (best, worst) = (|n| paper("best.pml", n), |n| paper("worst.pml", n));
    let count = |text: &str, variant, cache| {
        search(&run::model(text).expect("a model"), Way::plain(twophase(variant, cache, None))).statistics.states
    };
    for n in [2, 5, 7] {
        assert_eq!(count(&best(n), Variant::Plain, Cache::All), u64::from(2 * n + 1));
        assert_eq!(count(&best(n), Variant::Plain, Cache::None), 1);
        assert_eq!(count(&best(n), Variant::Strong, Cache::None), 1);
    }
    assert_eq!(count(&best(20), Variant::Plain, Cache::All), 41);
    for n in [3, 5, 7] {
        assert_eq!(count(&worst(n), Variant::Plain, Cache::All), 3u64.pow(n));
        assert_eq!(count(&worst(n), Variant::Strong, Cache::All), 2u64.pow(n + 1) - 1);
    }
}

// Deliberate mistakes: if these are not noticed, the comparisons above prove nothing.

/// Per mistake: a model in which it shows, in the dialect of PV, and the searches in which it does.
const TRAPS: &[(Mistake, &[Trap], &str)] = &[
    (
        Mistake::Conditions,
        &[Trap::Twophase, Trap::Ample],
        "chan q = [1] of { bit }; byte x; active proctype Q() { x = 1; q!0 }
         active proctype P() { if :: q?_ -> assert(false) :: true fi } active proctype R() { x = 2 }",
    ),
    (
        Mistake::Visibility,
        &[Trap::Twophase, Trap::Ample],
        "byte x, y; invariant apart (x == 0 || y == 0)
         active proctype P() { x = 1; x = 0 } active proctype Q() { y = 1; y = 0 }",
    ),
    (
        Mistake::Visibility,
        &[Trap::Stubborn],
        "byte x, y; bit a, b; invariant apart (x == 0 || y == 0)
         active proctype P() { atomic { a == 0; x = 1 }; x = 0 } active proctype Q() { atomic { b == 0; y = 1 }; y = 0 }
         active proctype R() { a = 1; a = 0 } active proctype S() { b = 1; b = 0 }",
    ),
    (
        Mistake::Cycles,
        &[Trap::Twophase, Trap::Ample],
        "byte x; active proctype P() { do :: skip; skip od } active proctype Q() { x = 1; assert(x == 2) }
         active proctype R() { x = 2 }",
    ),
    (
        Mistake::Cycles,
        &[Trap::Stubborn],
        "bit a, b; active proctype P() { do :: a = 1; a = 0 od } active proctype Q() { do :: a == 1; a = 0 od }
         active proctype R() { b = 1; assert(b == 0) } active proctype S() { b = 0 }",
    ),
    (
        Mistake::Declarations,
        &[Trap::Twophase, Trap::Ample],
        "chan q = [1] of { bit }; bit x; active proctype W() { x = 1; q!0 } active proctype R() { xr q; end: q?_ }
         active proctype S() { end: q?_; assert(x == 0) } active proctype T() { x = 1 }",
    ),
    (
        Mistake::Helpers,
        &[Trap::Stubborn],
        "bit a, b; active proctype P() { if :: a == 1 -> assert(false) :: b == 0 fi } active proctype Q() { b = 0; a = 1 }",
    ),
];

/// A search in which a mistake is made.
#[derive(Clone, Copy, Debug)]
enum Trap {
    Twophase,
    Stubborn,
    Ample,
}

impl Trap {
    fn way(self, mistake: Option<Mistake>) -> Way {
        match self {
            Trap::Twophase => Way::plain(twophase(Variant::Strong, Cache::All, mistake)),
            Trap::Stubborn => Way::plain(stubborn(Variant::Strong, Cache::All, mistake)),
            Trap::Ample => ample(mistake),
        }
    }
}

/// A model in the dialect of PV.
fn pv(text: &str) -> Model {
    let options = front_promela::Options { dialect: Dialect::Pv, ..front_promela::Options::default() };
    run::compile_named("model.pml", text, &options).0.model.expect("a model")
}

#[test]
fn every_mistake_of_a_reduction_is_caught_where_it_shows() {
    for &(mistake, traps, text) in TRAPS {
        let model = pv(text);
        let before = complete(&model).expect("a small model");
        for trap in traps {
            compare(&model, &before, trap.way(None))
                .unwrap_or_else(|what| panic!("{mistake:?} shows without being made: {what}"));
            let caught = compare(&model, &before, trap.way(Some(mistake)));
            assert!(caught.is_err(), "{trap:?}, {mistake:?}: not caught");
        }
    }
}

/// Who receives from `q[0]` cannot be told from the text, since `j` changes; the declaration says it.
#[test]
fn declarations_count_where_they_are_trusted() {
    let text =
        "chan q[3] = [4] of { bit }; active proctype W() { byte i; do :: i < 6 -> q[i % 3]!0; i++ :: else -> break od }
                active proctype R() { xr q[0]; q[0]?_; q[0]?_ }
                active proctype S() { byte j = 1; do :: j < 5 -> q[1 + j % 2]?_; j++ :: else -> break od }";
    let model = run::model(text).expect("a model");
    let trusting = Model { trusts_exclusive: true, ..model.clone() };
    let way = Way::plain(twophase(Variant::Strong, Cache::None, None));
    let count = |model| compare(model, &complete(model).expect("a small model"), way).expect("the same answers");
    assert!(count(&trusting) < count(&model));
}

#[test]
fn a_phase_1_that_goes_round_for_ever_is_caught_by_random_models() {
    let way = Way::plain(twophase(Variant::Strong, Cache::None, Some(Mistake::Cycles)));
    let shown = parallel::map(&seeds(61_000, 600), |&seed| {
        let found = random_model(seed).and_then(|model| complete(&model).map(|before| compare(&model, &before, way)));
        found.is_some_and(|it| it.is_err())
    });
    let count = shown.into_iter().filter(|it| *it).count();
    assert!(count >= 2, "it shows in only {count} models");
}
