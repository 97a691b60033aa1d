//! Properties of whole executions, answered in every way that the product knows.
//!
//! The first way is the definition: the interpreter, on the model as it was written. All others have to say the same. Every
//! violation is replayed before anyone sees it; one that does not replay is no answer here.
use std::time::Duration;

use engine::{Fairness, Limits};
use engine_explicit::{Cache, Ends, Plan, Reduction, StoreKind, Variant};
use model::Model;
use promenade::{Engine, Options, Pass, check_model, completed};
use reduction::Mistake;
use report::{Answer, Outcome};
use text::Sources;

use crate::run::{Budget, StateLimit};

/// A way to an answer. A new engine, store or reduction is a new row of [`ways`].
#[derive(Clone, Debug)]
pub struct Way {
    /// For messages.
    pub name: &'static str,
    /// Who searches.
    pub engine: Engine,
    /// What is done to the model first.
    pub optimize: Vec<Pass>,
    /// Steps may be left out if that cannot be noticed.
    pub reduce: bool,
    /// With fairness it is not the same as another way.
    pub is_own_if_fair: bool,
}

/// All ways, the definition first and what `prom` does last.
pub fn ways() -> Vec<Way> {
    let way = |name, engine| Way { name, engine, optimize: Vec::new(), reduce: false, is_own_if_fair: true };
    let fair = |name, plan| way(name, Engine::Explicit(plan));
    let explicit = |name, plan| Way { is_own_if_fair: false, ..fair(name, plan) };
    let stored = |store, threads| Plan { store, threads, ..Plan::default() };
    let reduced = |reduction, threads| Plan { reduction, threads, ..Plan::default() };
    let bits = StoreKind::Bitstate { bytes: 1 << 20, hashes: 3 };
    vec![
        way("reference", Engine::Reference),
        fair("exact", stored(StoreKind::Exact, 1)),
        explicit("exact, two threads", stored(StoreKind::Exact, 2)),
        fair("tree", stored(StoreKind::Tree, 1)),
        explicit("hash-compact", stored(StoreKind::HashCompact, 1)),
        explicit("hash-compact, two threads", stored(StoreKind::HashCompact, 2)),
        explicit("bitstate", stored(bits, 1)),
        explicit("ample", reduced(Reduction::Ample { local: false, mistake: None }, 1)),
        explicit("twophase", reduced(twophase(None), 1)),
        explicit("twophase, two threads", reduced(twophase(None), 2)),
        Way { optimize: Pass::ALL.to_vec(), ..way("optimised reference", Engine::Reference) },
        Way { optimize: Pass::ALL.to_vec(), reduce: true, ..fair("as prom does", stored(StoreKind::Exact, 1)) },
    ]
}

/// The reduction by phases, perhaps with a mistake.
pub fn twophase(mistake: Option<Mistake>) -> Reduction {
    Reduction::Twophase { variant: Variant::Lasting, cache: Cache::None, ends: Ends::All, mistake }
}

/// What is asked of a model.
#[derive(Clone, Copy, Debug)]
pub struct Asked {
    /// Which executions count.
    pub fairness: Fairness,
    /// Cycles without progress are looked for, too.
    pub progress: bool,
    /// What may be spent on each property.
    pub budget: Budget,
}

/// What is said of a property.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Said {
    /// No execution violates it.
    Holds,
    /// One does, in this way.
    Violated {
        /// The word for it in reports.
        kind: &'static str,
        /// From some moment on nothing moves.
        stands_still: bool,
    },
    /// Nothing is known, because of this.
    Unknown(String),
}

impl Said {
    /// Whether it is violated, if that is known.
    pub fn is_violated(&self) -> Option<bool> {
        match self {
            Said::Holds => Some(false),
            Said::Violated { .. } => Some(true),
            Said::Unknown(_) => None,
        }
    }

    /// Whether it is violated by an execution that comes to an end.
    pub fn stands_still(&self) -> bool {
        matches!(self, Said::Violated { stands_still: true, .. })
    }

    /// Whether two answers contradict each other, or one of them is that the product is wrong.
    pub fn contradicts(&self, other: &Said) -> bool {
        let known = self.is_violated().zip(other.is_violated());
        self.is_fault() || other.is_fault() || known.is_some_and(|it| it.0 != it.1)
    }

    /// Whether the product says that it is wrong.
    fn is_fault(&self) -> bool {
        matches!(self, Said::Unknown(why) if why.starts_with("internal error"))
    }
}

impl std::fmt::Display for Said {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Said::Holds => write!(out, "holds"),
            Said::Violated { kind, .. } => write!(out, "violated: {kind}"),
            Said::Unknown(why) => write!(out, "unknown: {why}"),
        }
    }
}

/// What one way says of each temporal property of a model, in the order of the text.
pub fn answers(model: &Model, sources: &Sources, asked: Asked, way: &Way) -> Vec<(String, Said)> {
    answers_about(|_| true, model, sources, asked, way)
}

/// The same for some properties.
pub fn answers_about(
    wanted: impl Fn(&str) -> bool,
    model: &Model,
    sources: &Sources,
    asked: Asked,
    way: &Way,
) -> Vec<(String, Said)> {
    let mut options = Options {
        engine: way.engine,
        optimize: way.optimize.clone(),
        choose_reduction: way.reduce,
        fairness: asked.fairness,
        progress: asked.progress,
        limits: Limits { time: Some(asked.budget.time), memory: memory(way.engine), depth: None },
        ..Options::default()
    };
    let model = completed(model.clone(), &options);
    options.only = model.temporal_properties.iter().map(|it| it.name.clone()).filter(|it| wanted(it)).collect();
    if options.only.is_empty() {
        return Vec::new();
    }
    let mut watch = StateLimit(asked.budget.states);
    let report = check_model(&model, "model.pml", sources, &options, Duration::ZERO, &mut watch);
    match report {
        Ok(report) => report.results.iter().map(|it| (it.property.clone(), said(it))).collect(),
        // What one property asks for is refused for all.
        Err(refused) => options.only.iter().map(|it| (it.clone(), Said::Unknown(refused.message.clone()))).collect(),
    }
}

/// Sets of states are not counted one by one; their room is limited instead.
fn memory(engine: Engine) -> Option<u64> {
    matches!(engine, Engine::Symbolic(_)).then_some(1 << 26)
}

/// The fraction of states that have to be told apart.
const ALL_BUT_ALL: f64 = 0.999_99;

fn said(outcome: &Outcome) -> Said {
    match (&outcome.answer, outcome.violations.first()) {
        (Answer::Holds, _) => Said::Holds,
        // A store that may leave out states has room for all of a small model.
        (Answer::Unknown(_), _) if outcome.expected_coverage.is_some_and(|it| it > ALL_BUT_ALL) => Said::Holds,
        (Answer::Unknown(reason), _) => Said::Unknown(reason.because.clone()),
        (Answer::Violated, Some(it)) => {
            Said::Violated { kind: it.kind, stands_still: it.message.contains("nothing moves") }
        }
        (Answer::Violated, None) => Said::Unknown("internal error: a violation without evidence".into()),
    }
}

/// Compares all ways with the first: what that says, and every contradiction.
pub fn compare_ways(model: &Model, sources: &Sources, asked: Asked) -> (Vec<(String, Said)>, Vec<String>) {
    let ways = ways();
    let definition = answers(model, sources, asked, &ways[0]);
    let others = ways[1..].iter().filter(|it| asked.fairness == Fairness::None || it.is_own_if_fair);
    let contradictions = others.flat_map(|it| contradictions(&definition, model, sources, asked, it)).collect();
    (definition, contradictions)
}

/// What a way says that is not what the definition says, where that says anything.
pub fn contradictions(
    definition: &[(String, Said)],
    model: &Model,
    sources: &Sources,
    asked: Asked,
    way: &Way,
) -> Vec<String> {
    let is_interesting = |it: &Said| it.is_violated().is_some() || it.is_fault();
    let known: Vec<&(String, Said)> = definition.iter().filter(|it| is_interesting(&it.1)).collect();
    let is_known = |name: &str| known.iter().any(|it| it.0 == name);
    let answers = answers_about(is_known, model, sources, asked, way);
    let wrong = known.into_iter().zip(answers).filter(|it| it.0.1.contradicts(&it.1.1));
    let line = |((name, said), other): (&(String, Said), (String, Said))| {
        format!("{name}, {:?}: {said}; {}: {}", asked.fairness, way.name, other.1)
    };
    wrong.map(line).collect()
}
