//! The pivot: concurrent processes as graphs of guarded steps over typed variables and channels.
//!
//! Every source language becomes a [`Model`]; every engine reads one. A model has two doors:
//!
//! * *structure*: process types ([`ProcessType`]) whose [`Edge`]s carry a guard, effects, what
//!   they read and write ([`access`]), and the span they came from;
//! * *successors*: [`semantics`] says which moves a state has. It is derived from the structure
//!   and defines what a model means.
//!
//! One edge is one step of the plainest execution: nothing is merged, nothing is optimised away.
//!
//! No source language is known here, and nothing here reads files, clocks or random numbers.
use std::collections::BTreeMap;

pub mod access;
mod expr;
pub mod locality;
pub mod observers;
mod process;
pub mod semantics;
mod temporal;
mod types;
pub mod variables;

pub use expr::{BinaryOp, Expr, Mark, Place, Scope, UnaryOp};
pub use process::{
    ActionId, Direction, Edge, EdgeId, Effect, Exclusive, Form, Location, LocationId, Monitor, Pattern, PrintPart,
    ProcessType, ProcessTypeId, Start,
};
pub use temporal::{Branching, Claim, ClaimEdge, ClaimLocation, Cube, Formula, Literal, Meaning, TemporalProperty};
pub use types::{ChannelShape, EnumerationId, Initial, ShapeId, Type, Variable, VariableId};

/// A closed system: everything an engine has to know.
#[derive(Clone, Debug, Default)]
pub struct Model {
    /// Variables that every process sees.
    pub globals: Vec<Variable>,
    /// The kinds of channels that initial values create.
    pub shapes: Vec<ChannelShape>,
    /// The kinds of processes.
    pub processes: Vec<ProcessType>,
    /// The processes that exist at the beginning, in the order of their numbers.
    pub start: Vec<Start>,
    /// Watches every message.
    pub monitor: Option<Monitor>,
    /// Conditions that must hold in every state.
    pub invariants: Vec<Invariant>,
    /// Names for the values of enumerated variables, for display; value `v` is at index `v`.
    pub enumerations: Vec<Vec<String>>,
    /// What steps are called by those who see only actions: the name and values, as the source writes them.
    pub actions: Vec<String>,
    /// Who else takes part in a step, for display: kinds of processes of which there is one each.
    pub participants: BTreeMap<(ProcessTypeId, EdgeId), Vec<ProcessTypeId>>,
    /// Properties of whole executions.
    pub temporal_properties: Vec<TemporalProperty>,
    /// What processes have declared their own is believed, and not checked.
    pub trusts_exclusive: bool,
}

/// A condition that must hold in every state.
#[derive(Clone, Debug)]
pub struct Invariant {
    /// Its name.
    pub name: String,
    /// Over global variables.
    pub condition: Expr,
    /// Where it is stated.
    pub span: text::Span,
}

impl Model {
    /// The process type with this id.
    pub fn process(&self, id: ProcessTypeId) -> &ProcessType {
        &self.processes[id.0 as usize]
    }

    /// Whether some process makes several steps before others may move.
    pub fn goes_on_alone(&self) -> bool {
        self.processes.iter().flat_map(|it| &it.edges).any(|it| it.keeps_control)
    }

    /// Whether somebody has to look after declarations of exclusive use.
    pub fn checks_exclusive(&self) -> bool {
        !self.trusts_exclusive && self.processes.iter().any(|it| !it.exclusive.is_empty())
    }

    /// The locations that were not reached, in the order of the text; `reached` has a row per process
    /// type and a column per location. What happens inside an indivisible region cannot be told.
    pub fn unreached(&self, reached: &[Vec<bool>]) -> Vec<(ProcessTypeId, LocationId)> {
        let mut list = Vec::new();
        for (row, process) in self.processes.iter().enumerate() {
            let missing = |column: &usize| !reached[row][*column] && !process.locations[*column].internal;
            let columns = (0..process.locations.len()).filter(missing);
            list.extend(columns.map(|column| (ProcessTypeId(row as u32), LocationId(column as u32))));
        }
        list.sort_by_key(|&(process, location)| (process, self.process(process).location(location).span.start));
        list
    }

    /// The channel shape with this id.
    pub fn shape(&self, id: ShapeId) -> &ChannelShape {
        &self.shapes[id.0 as usize]
    }
}
