//! A system with all its processes written out: what is left of a text when names, indices and parameters are resolved.
use std::collections::{BTreeMap, BTreeSet};

use model::{Expr, Place};
use text::Span;

use crate::facts::Facts;

/// What kind of value it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// `false` is 0, `true` is 1.
    Bool,
    /// A number.
    Int,
    /// A value of an enumeration, by its row.
    Enum(u32),
}

/// The values of a type.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Domain {
    /// Their kind.
    pub kind: Kind,
    /// The lowest.
    pub low: i64,
    /// The highest.
    pub high: i64,
}

impl Domain {
    /// One value alone.
    pub fn only(value: i64, kind: Kind) -> Domain {
        Domain { kind, low: value, high: value }
    }

    /// `false` and `true`.
    pub const BOOL: Domain = Domain { kind: Kind::Bool, low: 0, high: 1 };

    /// What both have in common.
    pub fn meet(self, other: Domain) -> Domain {
        Domain { low: self.low.max(other.low), high: self.high.min(other.high), ..self }
    }

    /// How many values there are.
    pub fn size(self) -> u64 {
        if self.high < self.low { 0 } else { (self.high - self.low) as u64 + 1 }
    }
}

/// A variable of somebody, or of everybody.
#[derive(Clone, Debug)]
pub struct Variable {
    /// With its owner: `C[1].locked`.
    pub name: String,
    /// Of one element.
    pub domain: Domain,
    /// Lowest and highest index of each dimension.
    pub dimensions: Vec<(i64, i64)>,
    /// One value, or one per element.
    pub initial: Vec<i64>,
    /// Whose it is.
    pub owner: Option<usize>,
    /// Names of its values, if they are no numbers.
    pub names: Option<Vec<String>>,
    /// Where it is declared.
    pub span: Span,
}

/// One place where processes meet: an action with its indices and one of its lists of values.
#[derive(Clone, Debug)]
pub struct Gate {
    /// `CMD[1]`
    pub name: String,
    /// The values that go with it.
    pub fields: Vec<Domain>,
    /// With the values that are always the same: `CMD[1] !LOCK`.
    pub title: String,
    /// How many of the first values are always the same.
    pub fixed: usize,
    /// Where the action is declared.
    pub span: Span,
}

/// A row of [`System::gates`].
pub type GateId = usize;

/// A row of [`System::instances`].
pub type InstanceId = usize;

/// A process of the system.
#[derive(Clone, Debug)]
pub struct Instance {
    /// `C[1]`
    pub name: String,
    /// Where its process is declared.
    pub span: Span,
    /// What it can do.
    pub commands: Vec<Command>,
    /// The gates in which it takes part, and the first place that says so.
    pub alphabet: BTreeMap<GateId, Span>,
    /// When it may stop.
    pub may_stop: Option<Expr>,
}

/// Something that a process can do, with all values known.
#[derive(Clone, Debug)]
pub struct Command {
    /// Where it meets others; `None` for a step of its own.
    pub gate: Option<GateId>,
    /// The values that go with it.
    pub values: Vec<i32>,
    /// Conditions that must be true together.
    pub guard: Vec<Expr>,
    /// What the conditions say about variables.
    pub facts: Facts,
    /// What changes, all at once.
    pub updates: Vec<Assignment>,
    /// What must not be the case when it happens.
    pub checks: Vec<Check>,
    /// Where.
    pub span: Span,
}

/// A place gets a value.
#[derive(Clone, Debug)]
pub struct Assignment {
    /// Where it is stored.
    pub place: Place,
    /// What.
    pub value: Expr,
    /// Where it is written.
    pub span: Span,
}

/// Something that is wrong if it is the case.
#[derive(Clone, Debug)]
pub struct Check {
    /// The case.
    pub bad: Expr,
    /// What is wrong then, around the value.
    pub message: (String, Expr, String),
    /// Where it is written.
    pub span: Span,
}

/// Processes that do something together.
#[derive(Clone, Debug)]
pub struct Way {
    /// What an observer sees; `None` if it is hidden.
    pub seen: Option<GateId>,
    /// Who takes part, each at a gate of its own.
    pub parts: Vec<(InstanceId, GateId)>,
}

/// A condition that must hold in every state.
#[derive(Clone, Debug)]
pub struct Invariant {
    /// Its name.
    pub name: String,
    /// What must be true.
    pub condition: Expr,
    /// Where.
    pub span: Span,
}

/// A whole system.
#[derive(Clone, Debug, Default)]
pub struct System {
    /// All variables.
    pub variables: Vec<Variable>,
    /// Names of values, by enumeration.
    pub enumerations: Vec<Vec<String>>,
    /// All gates.
    pub gates: Vec<Gate>,
    /// All processes that are declared.
    pub instances: Vec<Instance>,
    /// Those that are part of the system.
    pub present: BTreeSet<InstanceId>,
    /// What they can do together.
    pub ways: Vec<Way>,
    /// What must be true in every state.
    pub invariants: Vec<Invariant>,
}

impl System {
    /// A value as it is written.
    pub fn shown(&self, value: i64, kind: Kind) -> String {
        match kind {
            Kind::Bool => (value != 0).to_string(),
            Kind::Int => value.to_string(),
            Kind::Enum(row) => {
                let name = usize::try_from(value).ok().and_then(|it| self.enumerations[row as usize].get(it));
                name.map_or_else(|| value.to_string(), Clone::clone)
            }
        }
    }
}
