//! Conditions of a property as sets of states.
//!
//! They belong to no process and are looked at in states, where nobody goes on alone. `timeout` is true where the system stands still.
use diagram::Function;
use model::Expr;

use crate::encoding::{Changes, Encoding};
use crate::eval::View;
use crate::stop::Result;
use crate::trouble::Faults;

/// Where conditions are looked at.
#[derive(Clone, Copy)]
pub struct Conditions<'a> {
    /// The cells.
    pub encoding: &'a Encoding<'a>,
    /// The conditions.
    pub list: &'a [Expr],
    /// The states in which nothing can move.
    pub still: &'a Function,
}

impl Conditions<'_> {
    /// Where a condition is true, as far as it matters; where it has no value is added to the faults. Elsewhere the answer means nothing.
    pub fn holds(&self, row: u32, when: &Function, faults: &mut Faults) -> Result<Function> {
        let condition = &self.list[row as usize];
        if !condition.any(&|it| *it == Expr::Timeout) {
            return self.test(condition, false, when, faults);
        }
        let moving = self.test(condition, false, &when.minus(self.still)?, faults)?;
        let still = self.test(condition, true, &when.and(self.still)?, faults)?;
        Ok(self.still.if_then_else(&still, &moving)?)
    }

    fn test(&self, condition: &Expr, timeout: bool, when: &Function, faults: &mut Faults) -> Result<Function> {
        let none = Changes::new();
        let view = View { encoding: self.encoding, changes: &none, me: None, timeout, spawned: None };
        view.test(condition, when, faults)
    }
}
