//! Conditions on a state, asked one by one.
//!
//! Partial-order reduction wants to know which part of a guard is false. Nearly all parts compare a variable with a
//! constant or with another variable; these are answered without running any code.
use model::Expr;

use crate::code::{Comparison, Instr, Label};
use crate::machine::{Outcome, Work};
use crate::slot::Slot;
use crate::steps::Steps;
use crate::successors::Successors;

/// A condition, as a process at its place in the state says it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Condition {
    /// Always true, or never.
    Constant(bool),
    /// A variable and a constant.
    Compare(Slot, Comparison, i32),
    /// Two variables.
    CompareSlots(Slot, Comparison, Slot),
    /// Anything else, from this row of the program of conditions on.
    Code(Label),
}

impl Condition {
    /// What code for a condition says, if it is one comparison.
    fn of_code(code: &[Instr], start: Label) -> Condition {
        match code[start as usize..] {
            [Instr::Done, Instr::Blocked] => Condition::Constant(true),
            [Instr::Jump(_), Instr::Done, Instr::Blocked] => Condition::Constant(false),
            [Instr::IfSlotConst(slot, comparison, value, to), Instr::Done, Instr::Blocked] if to == start + 2 => {
                Condition::Compare(slot, comparison.negated(), value)
            }
            [Instr::IfSlots(left, comparison, right, to), Instr::Done, Instr::Blocked] if to == start + 2 => {
                Condition::CompareSlots(left, comparison.negated(), right)
            }
            _ => Condition::Code(start),
        }
    }
}

impl Condition {
    /// Adds the bits that it looks at, as far as they are known.
    pub fn mark(self, bits: &mut [u64]) {
        match self {
            Condition::Constant(_) | Condition::Code(_) => {}
            Condition::Compare(slot, ..) => slot.mark(bits),
            Condition::CompareSlots(left, _, right) => [left, right].into_iter().for_each(|it| it.mark(bits)),
        }
    }

    /// Whether it is certain, at a glance, that it does not hold in a state.
    #[inline]
    pub fn fails_in(self, state: &[u64]) -> bool {
        match self {
            Condition::Constant(value) => !value,
            Condition::Compare(slot, comparison, value) => !comparison.holds(slot.read(state), value),
            Condition::CompareSlots(left, comparison, right) => !comparison.holds(left.read(state), right.read(state)),
            Condition::Code(_) => false,
        }
    }
}

impl Steps<'_> {
    /// A condition, as a process of the state that was taken up says it. It may be asked of every state with the same
    /// processes.
    pub fn condition(&mut self, process: usize, condition: &Expr) -> Condition {
        let start = self.compile_condition(process, condition);
        let found = Condition::of_code(&self.conditions.code, start);
        if !matches!(found, Condition::Code(_)) {
            self.conditions.code.truncate(start as usize);
        }
        found
    }

    /// Whether a condition holds in the state that was taken up, if that can be told.
    #[inline]
    pub fn holds(&mut self, condition: Condition) -> Option<bool> {
        match condition {
            Condition::Constant(value) => Some(value),
            Condition::Compare(slot, comparison, value) => Some(comparison.holds(slot.read(&self.here), value)),
            Condition::CompareSlots(left, comparison, right) => {
                Some(comparison.holds(left.read(&self.here), right.read(&self.here)))
            }
            Condition::Code(label) => self.run_condition(label),
        }
    }

    fn run_condition(&mut self, label: Label) -> Option<bool> {
        let mut none = Successors::new(0);
        let work = Work { here: &mut self.here, out: &mut none, taken: &mut [] };
        match self.machine.run(&self.conditions, label, false, &self.tables, work) {
            Outcome::Done => Some(true),
            Outcome::Blocked => Some(false),
            Outcome::Trouble | Outcome::Asks(..) => None,
        }
    }
}
