//! Bounded context switching: only behaviours in which processes are seldom interrupted.
//!
//! Qadeer, Rehof, *Context-bounded model checking of concurrent software*, TACAS 2005: many errors show when few
//! switches from one process to another are allowed, and the behaviours with few switches are far fewer than all.
//! As in Musuvathi, Qadeer, *Iterative context bounding for systematic testing of multithreaded programs*, PLDI
//! 2007, and in `pan -L`, a switch counts only if it interrupts:
//!
//! * A step is a *switch* if the process that moved before takes no part in it although it could move.
//!   When that process cannot move, or has ended, anybody may go on for nothing; so may anybody in the initial state.
//! * Both processes of a rendezvous take part in it. The receiver is the one that has moved then.
//! * Inside `atomic` nobody is interrupted: only the first step of a chain can be a switch. Who made the last step
//!   of the chain has moved then.
//!
//! The steps of a state are asked of the reference interpreter, for compiled steps do not say who moves.
use model::semantics::{Semantics, State, Step};

use crate::expander::Follow;

/// No process has this number.
const NOBODY: u16 = u16::MAX;

/// Whose turn it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Turn {
    /// Switches so far.
    pub used: u16,
    /// Who moved last.
    pub last: u16,
}

impl Turn {
    /// In the initial state.
    pub const FIRST: Turn = Turn { used: 0, last: NOBODY };
}

/// The steps out of a state that are allowed.
pub struct Schedule {
    turn: Turn,
    limit: u16,
    /// Who moved last can move.
    can_go_on: bool,
    /// For each successor whose turn it is then.
    pub turns: Vec<Turn>,
    /// There was a step that is not allowed.
    pub cut: bool,
}

impl Schedule {
    /// For a state.
    pub fn new(system: &Semantics<'_>, state: &State, turn: Turn, limit: u16) -> Schedule {
        let mut can_go_on = false;
        system.moves(state, &mut |it| can_go_on |= takes_part(it.step, turn.last));
        Schedule { turn, limit, can_go_on, turns: Vec::new(), cut: false }
    }

    /// Switches after a chain of steps.
    fn used_after(&self, path: &[Step]) -> u16 {
        let is_switch = self.can_go_on && path.first().is_some_and(|&step| !takes_part(step, self.turn.last));
        self.turn.used + u16::from(is_switch)
    }
}

impl Follow for Schedule {
    fn may(&mut self, path: &[Step]) -> bool {
        let may = self.used_after(path) <= self.limit;
        self.cut |= !may;
        may
    }

    fn arrived(&mut self, path: &[Step]) {
        let last = path.last().map_or(NOBODY, |&step| u16::from(mover(step)));
        self.turns.push(Turn { used: self.used_after(path), last });
    }
}

fn takes_part(step: Step, process: u16) -> bool {
    u16::from(step.process) == process || step.partner.is_some_and(|(partner, _)| u16::from(partner) == process)
}

/// Who has moved after a step.
fn mover(step: Step) -> u8 {
    step.partner.map_or(step.process, |(partner, _)| partner)
}
