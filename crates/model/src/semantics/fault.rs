//! What can go wrong in a step.
use crate::{EdgeId, ProcessTypeId, VariableId};

/// A run-time fault: the step has no meaning and leads nowhere.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fault {
    /// An index outside its array.
    Index {
        /// Whose variable; `None` for a global one.
        owner: Option<ProcessTypeId>,
        /// Which.
        variable: VariableId,
        /// The index.
        index: i32,
        /// The array's size in that dimension.
        size: u32,
    },
    /// Division or remainder by zero.
    DivisionByZero,
    /// A channel variable that names no channel.
    NoChannel,
    /// A channel that vanished with its process.
    DeadChannel,
    /// More processes than can exist.
    TooManyProcesses,
    /// More channels than can exist.
    TooManyChannels,
    /// A message with the wrong number of fields.
    MessageLength {
        /// Fields given.
        given: u32,
        /// Fields of the channel.
        wanted: u32,
    },
    /// A rendezvous channel cannot be polled, and nothing can be read from it without taking it.
    RendezvousPoll,
    /// A rendezvous send inside an indivisible region.
    RendezvousInside,
    /// An indivisible region that cannot go on.
    BlockedInside,
    /// An indivisible region that does not end.
    EndlessInside,
    /// A priority outside 1 to 255.
    PriorityRange(i32),
    /// A process that asks whether it is itself enabled, directly or through others that ask.
    EnabledSelf,
}

/// What a step did wrong, and where.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Failure {
    /// What.
    pub kind: FailureKind,
    /// The type of the process.
    pub process: ProcessTypeId,
    /// The edge; for a step inside an indivisible region, the inner one.
    pub edge: EdgeId,
}

/// What a step did wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FailureKind {
    /// An assertion was false. The step goes on.
    Assertion,
    /// The step has no meaning.
    Fault(Fault),
    /// A channel was used by a process other than the one that declared it its own. The step goes on.
    Exclusive {
        /// The process that declared it.
        owner: u8,
    },
    /// A deterministic process had a choice. The step goes on.
    Nondeterminism,
    /// A message that the monitor does not allow. The step goes on.
    MonitorMismatch,
    /// The monitor saw everything it forbids. The step goes on.
    MonitorComplete,
}
