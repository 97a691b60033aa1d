//! The symbolic engine beside the explicit one.
use std::collections::BTreeSet;
use std::time::{Duration, Instant};

use engine::{Finding, Limits, Question, Verdict, ViolationKind};
use engine_symbolic::Plan;
use model::semantics::Semantics;
use model::{LocationId, Model, ProcessTypeId};

use crate::kind::Kind;
use crate::run::{self, Budget};

/// What may be spent on one model by each engine.
#[derive(Clone, Copy, Debug)]
pub struct Effort {
    /// States of the explicit search.
    pub states: u64,
    /// Time of each search.
    pub time: Duration,
    /// Bytes of the symbolic search.
    pub memory: u64,
}

/// What came of a comparison.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Compared {
    /// The same number of states, kinds of errors and unreached locations.
    Same {
        /// How many.
        states: u64,
        /// What the symbolic search took.
        time: Duration,
    },
    /// The model has something that the symbolic engine does not do.
    Refused(String),
    /// The explicit search is too large for this comparison.
    TooLarge,
    /// The symbolic search did not come to an end.
    Unfinished(String),
    /// A difference: one of the engines is wrong.
    Different(String),
}

/// Numbers of states.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Counts {
    /// All.
    pub all: u64,
    /// Those that a reduced search visits.
    pub visited: u64,
}

/// Compares both engines on a model, which neither may change.
pub fn compare(model: &Model, plan: Plan, effort: Effort) -> Compared {
    match both(model, plan, effort) {
        Err(other) => other,
        Ok((explicit, symbolic, time)) => match (view(&explicit), view(&symbolic)) {
            (left, right) if left == right => Compared::Same { states: explicit.statistics.states, time },
            (left, right) => Compared::Different(format!("explicit {left:?}, symbolic {right:?}")),
        },
    }
}

/// Compares a complete explicit search with a reduced symbolic one: the same answers from no more states.
pub fn compare_reduced(model: &Model, plan: Plan, effort: Effort) -> Result<Counts, Compared> {
    let (explicit, symbolic, _) = both(model, plan, effort)?;
    let (left, right) = (answers(&explicit), answers(&symbolic));
    if left != right {
        return Err(Compared::Different(format!("complete {left:?}, reduced {right:?}")));
    }
    let counts = Counts { all: explicit.statistics.states, visited: symbolic.statistics.states };
    match counts.visited > counts.all {
        true => Err(Compared::Different(format!("{} states became {}", counts.all, counts.visited))),
        false => Ok(counts),
    }
}

/// What a complete explicit search and a symbolic one find, and what the latter took; or why there is nothing to compare.
fn both(model: &Model, plan: Plan, effort: Effort) -> Result<(Finding, Finding, Duration), Compared> {
    let explicit = run::explicit(model, Budget { states: effort.states, time: effort.time });
    if !explicit.complete {
        return Err(Compared::TooLarge);
    }
    let began = Instant::now();
    let question = Question { all_errors: true, ..Question::default() };
    let limits = Limits { time: Some(effort.time), memory: Some(effort.memory), depth: None };
    let symbolic = match engine_symbolic::symbolic(model, &question, &limits, plan, &mut ()) {
        Ok(finding) => finding,
        Err(refusal) => return Err(Compared::Refused(refusal.message)),
    };
    let time = began.elapsed();
    match &symbolic.verdict {
        Verdict::Unknown(engine::Why::Unsupported(what)) => return Err(Compared::Different(what.clone())),
        Verdict::Unknown(why) => return Err(Compared::Unfinished(format!("{why:?}"))),
        Verdict::Violated if !symbolic.complete => return Err(Compared::Unfinished("not all errors".into())),
        Verdict::Holds | Verdict::Violated => {}
    }
    let system = Semantics::new(model);
    let false_alarm = symbolic.violations.iter().find(|it| certify::replay(&system, it).is_err());
    if let Some(violation) = false_alarm {
        return Err(Compared::Different(format!("{:?} does not replay", violation.kind)));
    }
    Ok((explicit, symbolic, time))
}

/// What a reduction keeps.
#[derive(Debug, PartialEq)]
struct Answers {
    verdict: Verdict,
    /// Kinds of errors, with the edges where they happen.
    errors: BTreeSet<(Kind, Option<(u32, u32)>)>,
    /// Locations that were not reached.
    unreached: Vec<(ProcessTypeId, LocationId)>,
}

fn answers(finding: &Finding) -> Answers {
    let edge = |kind: &ViolationKind| match kind {
        ViolationKind::Step(failure) => Some((failure.process.0, failure.edge.0)),
        _ => None,
    };
    let errors = finding.violations.iter().map(|it| (Kind::of_ours(&it.kind), edge(&it.kind))).collect();
    Answers { verdict: finding.verdict.clone(), errors, unreached: finding.unreached.clone() }
}

/// What must be the same: states, kinds of errors, locations that were not reached.
fn view(finding: &Finding) -> (Verdict, String, BTreeSet<Kind>, usize) {
    let statistics = &finding.statistics;
    let states = statistics.many_states.clone().unwrap_or_else(|| statistics.states.to_string());
    let kinds = finding.violations.iter().map(|it| Kind::of_ours(&it.kind)).collect();
    (finding.verdict.clone(), states, kinds, finding.unreached.len())
}
