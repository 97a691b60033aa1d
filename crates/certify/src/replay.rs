//! Walking along a trace.
use engine::{Violation, ViolationKind};
use model::semantics::{Failure, Fault, Semantics, State, Step};

/// The states along a trace that was found to be genuine.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Replay {
    /// The initial state, then the state after each step. A last step that leads nowhere has none;
    /// if there is no initial state, there is no state at all.
    pub states: Vec<State>,
}

/// Why a claimed violation is none.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rejected {
    /// The system has no initial state.
    NoStart(Fault),
    /// Step number `at` (from 0) does not exist where the trace takes it.
    NoSuchStep {
        /// Row of the trace's steps.
        at: usize,
    },
    /// The trace is a behaviour of the system, but does not show what is claimed.
    NotAViolation,
}

/// Checks that a violation's trace is a behaviour of the system and ends in that violation.
pub fn replay(system: &Semantics<'_>, violation: &Violation) -> Result<Replay, Rejected> {
    if let (Err(fault), ViolationKind::Start(claimed)) = (system.initial(), violation.kind) {
        return refused_start(fault == claimed && violation.trace.steps.is_empty());
    }
    let walk = Walk::along(system, &violation.trace.steps)?;
    if walk.shows(violation.kind) { Ok(Replay { states: walk.states }) } else { Err(Rejected::NotAViolation) }
}

/// The answer when a system cannot even start.
fn refused_start(as_claimed: bool) -> Result<Replay, Rejected> {
    if as_claimed { Ok(Replay { states: Vec::new() }) } else { Err(Rejected::NotAViolation) }
}

/// A walk through the system: where it is, and what its last step did wrong.
pub struct Walk<'a> {
    system: &'a Semantics<'a>,
    /// The states that were passed.
    pub states: Vec<State>,
    failures: Vec<Failure>,
    /// The last step led nowhere.
    ended: bool,
}

impl<'a> Walk<'a> {
    /// From the initial state along these steps.
    pub fn along(system: &'a Semantics<'a>, steps: &[Step]) -> Result<Self, Rejected> {
        let initial = system.initial().map_err(Rejected::NoStart)?;
        let mut walk = Walk { system, states: vec![initial], failures: Vec::new(), ended: false };
        for (at, &step) in steps.iter().enumerate() {
            if !walk.take(step) {
                return Err(Rejected::NoSuchStep { at });
            }
        }
        Ok(walk)
    }

    /// A walk that begins where this one is.
    pub fn branch(&self) -> Self {
        let (states, failures) = (vec![self.here().clone()], self.failures.clone());
        Walk { system: self.system, states, failures, ended: self.ended }
    }

    /// The state reached last.
    pub fn here(&self) -> &State {
        self.states.last().expect("a walk starts somewhere")
    }

    /// What is wrong where the walk ends, if anything is.
    pub fn violation(&self) -> Option<ViolationKind> {
        let here = rest(self.system, self.here());
        let failed = self.failures.first().map(|&it| ViolationKind::Step(it));
        let broken = || {
            let (row, fault) = self.system.broken_invariant(&here)?;
            Some(ViolationKind::Invariant { invariant: row as u32, fault })
        };
        let stuck = || {
            let process = self.system.unfinished(&here)? as u8;
            (!can_move(self.system, &here)).then_some(ViolationKind::InvalidEnd { process })
        };
        failed.or_else(broken).or_else(stuck).filter(|&it| self.shows(it))
    }

    /// The steps that can be taken next.
    pub fn steps(&self) -> Vec<Step> {
        let mut steps = Vec::new();
        if !self.ended {
            self.system.moves(&rest(self.system, self.here()), &mut |it| steps.push(it.step));
        }
        steps
    }

    /// Takes a step, if there is such a step.
    pub fn take(&mut self, wanted: Step) -> bool {
        if self.ended {
            return false;
        }
        let (mut found, mut next, mut failures) = (false, None, Vec::new());
        self.system.moves(&rest(self.system, self.here()), &mut |it| {
            if it.step == wanted && !found {
                (found, next, failures) = (true, it.next.cloned(), it.failures.to_vec());
            }
        });
        self.failures = failures;
        self.ended = next.is_none();
        self.states.extend(next);
        found
    }

    /// Whether the walk ends in this violation.
    fn shows(&self, kind: ViolationKind) -> bool {
        let here = rest(self.system, self.here());
        let rests = !self.ended && here.exclusive.is_none();
        match kind {
            ViolationKind::Step(failure) => self.failures.contains(&failure),
            ViolationKind::InvalidEnd { process } => {
                rests && !can_move(self.system, &here) && self.system.unfinished(&here) == Some(usize::from(process))
            }
            ViolationKind::Invariant { invariant, fault } => {
                rests && self.system.broken_invariant(&here) == Some((invariant as usize, fault))
            }
            ViolationKind::Start(_) | ViolationKind::Forbidden(_) | ViolationKind::Cycle | ViolationKind::Branching => {
                false
            }
        }
    }
}

/// The state from which the next step is taken: a process that may go on alone but cannot loses control.
pub fn rest(system: &Semantics<'_>, state: &State) -> State {
    let mut state = state.clone();
    if state.exclusive.is_some() && !can_move(system, &state) {
        system.release(&mut state);
    }
    state
}

pub fn can_move(system: &Semantics<'_>, state: &State) -> bool {
    system.moves(state, &mut |_| {})
}
