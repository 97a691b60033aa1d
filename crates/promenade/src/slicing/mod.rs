//! Slices in the service of a check: when a model is sliced, and what a finding about a slice says about the model; slices as text.
mod fate;
mod text;
mod tidy;
mod told;
mod tree;

use std::time::Instant;

use engine::{Finding, Limits, Trace, Violation, ViolationKind};
use model::semantics::Semantics;
use model::{Formula, Model};
use slice::{Criterion, Keep, Slice, slice};

pub use text::{SlicedText, slice_text, sliced_text};
pub use told::Told;

use crate::Options;

/// How much is left out of a model before it is searched.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Slicing {
    /// Nothing.
    #[default]
    Off,
    /// For a formula all that cannot matter; for safety, whose answer includes which statements are never reached, only values.
    Auto,
    /// For safety, assignments that are left with nothing to do, too, where it is still known whether they are reached.
    Unused,
    /// All that cannot matter, and then nothing is known about statements that are left out.
    Full,
}

/// The same about the whole model, with the time that is left.
pub fn about_the_whole(options: &Options, began: Instant) -> Options {
    let time = options.limits.time.map(|it| it.saturating_sub(began.elapsed()));
    Options { slice: Slicing::Off, limits: Limits { time, ..options.limits.clone() }, ..options.clone() }
}

/// What has to be kept for a question.
#[derive(Clone, Copy, Debug)]
pub struct Kept {
    /// False assertions matter.
    pub assertions: bool,
    /// Waiting and going on for ever.
    pub keep: Keep,
    /// Which statements are reached.
    pub coverage: bool,
    /// But assignments without effect are no steps.
    pub idle: bool,
}

/// The slice of a model for its own question, if there may be one and it is smaller.
pub fn sliced(model: &Model, kept: Kept, options: &Options) -> Option<Slice> {
    let counts_steps = options.limits.depth.is_some() || options.checkpoint.is_some();
    if options.slice == Slicing::Off || counts_steps {
        return None;
    }
    slice(model, criterion(kept, options)).ok().filter(|it| it.is_smaller_than(model))
}

fn criterion(Kept { assertions, keep, coverage, idle }: Kept, options: &Options) -> Criterion {
    Criterion { assertions, keep, coverage, idle, mistake: options.slice_mistake }
}

/// What has to be kept for safety.
pub fn of_safety(options: &Options) -> Kept {
    let question = &options.question;
    let keep = if question.end_states || question.only_ends { Keep::Ends } else { Keep::Reach };
    let coverage = matches!(options.slice, Slicing::Auto | Slicing::Unused) && !question.only_ends;
    let idle = options.slice == Slicing::Unused;
    Kept { assertions: question.assertions && !question.only_ends, keep, coverage, idle }
}

/// What has to be kept for a formula.
pub fn of_formula(formula: &Formula, options: &Options) -> Kept {
    let keep = match options.fairness {
        engine::Fairness::None if is_safe(formula, true) => Keep::Reach,
        engine::Fairness::None | engine::Fairness::Weak => Keep::Cycles,
        engine::Fairness::Strong => Keep::Ends,
    };
    Kept { assertions: false, keep, coverage: false, idle: false }
}

/// Whether every violation of a formula (of its opposite, if not `positive`) is seen after finitely many states (Sistla, 1994).
fn is_safe(formula: &Formula, positive: bool) -> bool {
    use Formula::*;
    match formula {
        Atom(_) => true,
        Not(it) => is_safe(it, !positive),
        And(left, right) | Or(left, right) => is_safe(left, positive) && is_safe(right, positive),
        Implies(left, right) => is_safe(left, !positive) && is_safe(right, positive),
        Equivalent(left, right) => [left, right].iter().all(|it| is_safe(it, true) && is_safe(it, false)),
        Next(it) => is_safe(it, positive),
        Always(it) => positive && is_safe(it, true),
        Eventually(it) => !positive && is_safe(it, false),
        WeakUntil(left, right) | Release(left, right) => positive && is_safe(left, true) && is_safe(right, true),
        Until(left, right) => !positive && is_safe(left, false) && is_safe(right, false),
    }
}

/// A finding about a slice as one about the model; nothing if a violation is none there.
pub fn lifted(finding: Finding, slice: &Slice, model: &Model) -> Option<Finding> {
    let system = Semantics::new(model);
    let one = |it: &Violation| {
        let settles = !matches!(it.kind, ViolationKind::Step(_));
        if matches!(it.kind, ViolationKind::Start(_)) {
            return Some(it.clone());
        }
        let steps = slice::lift(&system, &slice.shapes, &it.trace.steps, it.trace.cycle, settles)?;
        Some(Violation { kind: it.kind, trace: Trace { steps: steps.steps, cycle: steps.cycle } })
    };
    let violations: Option<Vec<Violation>> = finding.violations.iter().map(one).collect();
    // What is left out may be reached; what no way leads to is not.
    let reachable: Vec<Vec<bool>> = model.processes.iter().map(model::ProcessType::reachable).collect();
    let is_known = |it: &(model::ProcessTypeId, model::LocationId)| {
        let (process, row) = (it.0.0 as usize, it.1.0 as usize);
        let stop = slice.shapes[process].stops[row].0;
        let is_passed = slice.criterion.idle && stop != it.1;
        slice.shapes[process].decides[row]
            || !reachable[process][row]
            || is_passed && finding.unreached.contains(&(it.0, stop))
    };
    let unreached = finding.unreached.iter().copied().filter(is_known).collect();
    Some(Finding { violations: violations?, unreached, ..finding })
}
