//! What a step is: the reference interpreter.
//!
//! This module defines the meaning of a [`Model`]; everything faster is measured against it.
//! [`Semantics::initial`] is the first state, [`Semantics::moves`] visits every step out of a state:
//!
//! * A step is one edge of one process, or the two edges of a rendezvous.
//! * The edges of a location are tried in order. A group that interrupts comes before what it
//!   interrupts; `otherwise` edges count only when the process has no other step.
//! * After an edge that keeps control only that process may move ([`State::exclusive`]). When it
//!   cannot, control is lost and everybody may ([`Semantics::release`]).
//! * When nothing can move, everything is tried again with [`crate::Expr::Timeout`] true.
//! * A condition on a process (`provided`) and higher priorities of others restrict every step.
//!
//! A step that goes wrong is visited too, with its [`Failure`]s; a step with a fault leads nowhere.
mod claims;
mod eval;
mod events;
mod execute;
mod fault;
pub mod layout;
mod monitor;
mod moves;
mod state;
mod values;

pub use claims::{Forbidden, Watcher};
pub use events::Event;
pub use execute::MOST_AT_ONCE;
pub use fault::{Failure, FailureKind, Fault};
pub use moves::{Move, Step};
pub use state::State;
pub use values::{Owner, Value};

use crate::{Expr, Model};
use layout::Layout;

/// The meaning of a model.
#[derive(Debug)]
pub struct Semantics<'m> {
    model: &'m Model,
    layout: Layout,
    has_timeout: bool,
    has_exclusive: bool,
    listens: bool,
    loses: bool,
}

impl<'m> Semantics<'m> {
    /// Prepares a model for execution.
    pub fn new(model: &'m Model) -> Self {
        Semantics {
            model,
            layout: Layout::new(model),
            has_timeout: layout::uses(model, &|it| *it == Expr::Timeout),
            has_exclusive: model.checks_exclusive(),
            listens: false,
            loses: false,
        }
    }

    /// The model.
    pub fn model(&self) -> &'m Model {
        self.model
    }

    /// Where everything lies in [`State::bytes`].
    pub fn layout(&self) -> &Layout {
        &self.layout
    }

    /// How many bytes at the front of a state do not tell it from others.
    pub fn hidden_bytes(&self) -> usize {
        self.layout.hidden as usize
    }

    /// The state in which the system starts, or why there is none.
    pub fn initial(&self) -> Result<State, Fault> {
        let mut state = State { bytes: vec![0; self.layout.fixed() as usize], ..State::default() };
        state.reindex(&self.layout);
        self.initialise(&mut state, &self.model.globals, &self.layout.globals.variables, 0, 0, 0)?;
        if let (Some(at), Some(monitor)) = (self.layout.monitor, &self.model.monitor) {
            state.write_u16(at, monitor.graph.entry.0);
        }
        for start in &self.model.start {
            self.spawn(&mut state, start.process, &[], start.priority)?;
        }
        Ok(state)
    }

    /// Makes a state from its [`State::bytes`] into `state`, reusing its memory.
    pub fn decode(&self, bytes: &[u8], state: &mut State) {
        state.bytes.clear();
        state.bytes.extend_from_slice(bytes);
        state.exclusive = None;
        state.reindex(&self.layout);
    }

    /// The first process, if any, that is not where a process may stop.
    pub fn unfinished(&self, state: &State) -> Option<usize> {
        let stopped = |&it: &usize| self.model.process(state.type_of(it)).location(state.location_of(it)).valid_end;
        (0..state.process_count()).find(|it| !stopped(it))
    }

    /// The first invariant, if any, that is false, or the fault in computing one.
    pub fn broken_invariant(&self, state: &State) -> Option<(usize, Option<Fault>)> {
        let holds = |condition| self.holds(state, condition, false);
        self.model.invariants.iter().enumerate().find_map(|(row, it)| match holds(&it.condition) {
            Ok(true) => None,
            Ok(false) => Some((row, None)),
            Err(fault) => Some((row, Some(fault))),
        })
    }

    /// What an observer sees of a step out of a state.
    pub fn action(&self, state: &State, step: Step) -> Option<crate::ActionId> {
        let of = |(process, edge): (u8, crate::EdgeId)| {
            let ty = self.model.process(state.type_of(usize::from(process)));
            ty.edges[edge.0 as usize].action
        };
        of((step.process, step.edge)).or_else(|| step.partner.and_then(of))
    }

    /// Whether a condition that belongs to no process is true; `stands_still` if nothing can move.
    pub fn holds(&self, state: &State, condition: &crate::Expr, stands_still: bool) -> Result<bool, Fault> {
        eval::View { system: self, state, me: eval::NOBODY, timeout: stands_still, spawned: 0, asking: 0 }
            .test(condition)
    }
}
