//! Kinds of errors, in words that both SPIN's texts and our violations can be put into.
use engine::ViolationKind;
use model::semantics::{FailureKind, Fault, Forbidden};

/// A kind of error.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[allow(missing_docs)]
pub enum Kind {
    Assertion,
    InvalidEnd,
    IndexOutOfRange,
    DivisionByZero,
    NoChannel,
    DeadChannel,
    TooManyProcesses,
    TooManyChannels,
    MessageLength,
    RendezvousPoll,
    RendezvousInDStep,
    BlockedInDStep,
    EndlessDStep,
    PriorityRange,
    EnabledSelf,
    Exclusive,
    Nondeterminism,
    TraceMismatch,
    TraceComplete,
    Invariant,
    /// An acceptance cycle or a non-progress cycle.
    Cycle,
    ClaimEnd,
    /// A formula of branching time that is false.
    Branching,
    /// Something that has no name here.
    Other(String),
}

impl Kind {
    /// The kind behind a text that pan prints.
    pub fn of_spin(text: &str) -> Kind {
        let table = [
            ("invalid end state", Kind::InvalidEnd),
            ("assertion violated - invalid array index", Kind::IndexOutOfRange),
            ("assertion violated", Kind::Assertion),
            ("ref to uninitialized chan", Kind::NoChannel),
            ("bad queue", Kind::DeadChannel),
            ("too many processes", Kind::TooManyProcesses),
            ("too many queues", Kind::TooManyChannels),
            ("too few parameters", Kind::MessageLength),
            ("error to poll rendezvous", Kind::RendezvousPoll),
            ("polling rv chan", Kind::RendezvousPoll),
            ("rv-attempt in d_step", Kind::RendezvousInDStep),
            ("block in d_step seq", Kind::BlockedInDStep),
            ("blocking sel in d_step", Kind::BlockedInDStep),
            ("priority is out of range", Kind::PriorityRange),
            ("used: enabled(pid=thisproc)", Kind::EnabledSelf),
            ("missing pars in receive", Kind::MessageLength),
            ("wrong nr of msg fields", Kind::MessageLength),
            ("non-determinism in D_proctype", Kind::Nondeterminism),
            ("event_trace error (no matching event)", Kind::TraceMismatch),
            ("event_trace error (all events matched)", Kind::TraceComplete),
            ("xs chan", Kind::Exclusive),
            ("xr chan", Kind::Exclusive),
            ("acceptance cycle", Kind::Cycle),
            ("accept stutter", Kind::Cycle),
            ("non-progress cycle", Kind::Cycle),
            ("end state in claim reached", Kind::ClaimEnd),
            ("claim violated", Kind::ClaimEnd),
        ];
        let text = text.trim();
        let known = table.into_iter().find(|it| text.starts_with(it.0)).map(|it| it.1);
        known.unwrap_or_else(|| Kind::Other(text.to_string()))
    }

    /// The kind of one of our violations.
    pub fn of_ours(kind: &ViolationKind) -> Kind {
        match kind {
            ViolationKind::InvalidEnd { .. } => Kind::InvalidEnd,
            ViolationKind::Invariant { .. } => Kind::Invariant,
            ViolationKind::Start(fault) => Kind::of_fault(fault),
            ViolationKind::Cycle => Kind::Cycle,
            ViolationKind::Branching => Kind::Branching,
            ViolationKind::Forbidden(Forbidden::End) => Kind::ClaimEnd,
            ViolationKind::Forbidden(Forbidden::Assertion(_)) => Kind::Assertion,
            ViolationKind::Forbidden(Forbidden::Fault(fault)) => Kind::of_fault(fault),
            ViolationKind::Step(failure) => match &failure.kind {
                FailureKind::Assertion => Kind::Assertion,
                FailureKind::Fault(fault) => Kind::of_fault(fault),
                FailureKind::Exclusive { .. } => Kind::Exclusive,
                FailureKind::Nondeterminism => Kind::Nondeterminism,
                FailureKind::MonitorMismatch => Kind::TraceMismatch,
                FailureKind::MonitorComplete => Kind::TraceComplete,
            },
        }
    }

    fn of_fault(fault: &Fault) -> Kind {
        match fault {
            Fault::Index { .. } => Kind::IndexOutOfRange,
            Fault::DivisionByZero => Kind::DivisionByZero,
            Fault::NoChannel => Kind::NoChannel,
            Fault::DeadChannel => Kind::DeadChannel,
            Fault::TooManyProcesses => Kind::TooManyProcesses,
            Fault::TooManyChannels => Kind::TooManyChannels,
            Fault::MessageLength { .. } => Kind::MessageLength,
            Fault::RendezvousPoll => Kind::RendezvousPoll,
            Fault::RendezvousInside => Kind::RendezvousInDStep,
            Fault::BlockedInside => Kind::BlockedInDStep,
            Fault::EndlessInside => Kind::EndlessDStep,
            Fault::PriorityRange(_) => Kind::PriorityRange,
            Fault::EnabledSelf => Kind::EnabledSelf,
        }
    }
}
