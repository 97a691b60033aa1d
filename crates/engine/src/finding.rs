//! What a run has established, with its evidence.
use std::time::Duration;

use model::semantics::{Failure, Fault, Forbidden, Step};
use model::{LocationId, ProcessTypeId};

/// What a run has established.
#[derive(Clone, Debug)]
pub struct Finding {
    /// Who searched: `reference`, `explicit`, `symbolic`.
    pub engine: &'static str,
    /// The answer.
    pub verdict: Verdict,
    /// What was found, shortest trace first seen; one per kind and place unless all were asked for.
    pub violations: Vec<Violation>,
    /// How many violations there were, repetitions included.
    pub errors: u64,
    /// Whether the search came to its own end: nothing stopped it, not even a violation.
    pub complete: bool,
    /// Locations that no process ever reached.
    pub unreached: Vec<(ProcessTypeId, LocationId)>,
    /// What it took.
    pub statistics: Statistics,
}

/// The answer to a question.
#[derive(Clone, Debug, PartialEq)]
pub enum Verdict {
    /// Every behaviour satisfies the property: every reachable state was visited.
    Holds,
    /// Some behaviour does not: see the violations.
    Violated,
    /// Nothing was established.
    Unknown(Why),
}

/// Why a run ended without an answer.
#[derive(Clone, Debug, PartialEq)]
pub enum Why {
    /// Paths longer than this were not followed.
    DepthLimit(u64),
    /// Behaviours in which processes are interrupted more often than this were not followed.
    SwitchLimit(u16),
    /// This many bytes were not enough.
    MemoryLimit(u64),
    /// This was not enough time.
    TimeLimit(Duration),
    /// Somebody asked to stop.
    Interrupted,
    /// Nothing was found, but states may have been taken for others and left out.
    Approximate(Approximation),
    /// The engine cannot answer this kind of question.
    Unsupported(String),
}

/// How far a search can be trusted that may take a state for another.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Approximation {
    /// The expected fraction of states that were told apart.
    pub coverage: f64,
    /// The probability that at least one state was left out.
    pub omission: f64,
}

/// Evidence against a property.
#[derive(Clone, Debug)]
pub struct Violation {
    /// What is wrong.
    pub kind: ViolationKind,
    /// How to get there. The last step is the one that goes wrong, if a step does.
    pub trace: Trace,
}

/// What is wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ViolationKind {
    /// The last step of the trace.
    Step(Failure),
    /// The last state of the trace: nothing can move, and this process should not stop where it is.
    InvalidEnd {
        /// The process.
        process: u8,
    },
    /// The last state of the trace: this invariant is false or cannot be computed.
    Invariant {
        /// Row of the model's invariants.
        invariant: u32,
        /// Why it cannot be computed.
        fault: Option<Fault>,
    },
    /// There is no initial state.
    Start(Fault),
    /// The last state of the trace: whatever comes, a temporal property is violated.
    Forbidden(Forbidden),
    /// The cycle of the trace, which violates a temporal property.
    Cycle,
    /// The initial state does not satisfy a branching property; the trace shows why, as far as one path can.
    Branching,
}

/// A way through the system, from the initial state on, step by step.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Trace {
    /// The steps.
    pub steps: Vec<Step>,
    /// The steps from this one on are repeated for ever. If there is none, the system stands still for ever.
    pub cycle: Option<usize>,
}

/// In which order states are visited.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Search {
    /// Nearest first: shortest traces.
    #[default]
    Breadth,
    /// Newest first.
    Depth,
}

/// What a run took.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Statistics {
    /// Distinct states stored.
    pub states: u64,
    /// Their number in decimal, if it is greater than any `u64`.
    pub many_states: Option<String>,
    /// Arrivals at a state, new or known, the initial one included.
    pub transitions: u64,
    /// Steps in between that are not states of their own.
    pub inner_steps: u64,
    /// Longest path from the initial state that the search followed.
    pub depth: u64,
    /// Bytes of the longest state.
    pub state_bytes: u64,
    /// Bytes for all states.
    pub memory: u64,
    /// Time for the search alone.
    pub elapsed: Duration,
    /// What else the engine has to say about itself, each under a name.
    pub details: Vec<(&'static str, String)>,
    /// How the sets of states grew, if the engine has sets.
    pub growth: Vec<Growth>,
}

/// How large sets of states were at some moment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Growth {
    /// Rounds of the search so far.
    pub rounds: u64,
    /// Nodes that were stored.
    pub nodes: u64,
    /// Time since the search began.
    pub elapsed: Duration,
}
