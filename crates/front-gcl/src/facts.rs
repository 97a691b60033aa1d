//! What a condition that is true says about the values of variables.
//!
//! An interval for each variable (Cousot, Cousot 1977), learned from comparisons with constants. It is what makes `x < 3 -> x := x + 1` a step
//! that cannot leave `0..3`, and two commands with different places exclude each other.
use std::collections::BTreeMap;

use model::{BinaryOp, Expr, Place, UnaryOp};

/// An element of a variable: its row and the number of the element.
pub type Cell = (u32, Vec<i32>);

/// What is known about variables.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Facts(BTreeMap<Cell, (i64, i64)>);

impl Facts {
    /// The part of an interval in which the value of a place lies.
    pub fn narrowed(&self, place: &Place, (low, high): (i64, i64)) -> (i64, i64) {
        let known = cell(place).and_then(|it| self.0.get(&it));
        known.map_or((low, high), |it| (low.max(it.0), high.min(it.1)))
    }

    /// Whether not both can be true of one state.
    pub fn exclude(&self, other: &Facts) -> bool {
        let meets =
            |(key, it): (&Cell, &(i64, i64))| other.0.get(key).is_none_or(|that| it.0.max(that.0) <= it.1.min(that.1));
        !self.0.iter().all(meets) || self.is_impossible() || other.is_impossible()
    }

    /// Whether no state is like this.
    pub fn is_impossible(&self) -> bool {
        self.0.values().any(|it| it.0 > it.1)
    }

    /// Adds what is known if a condition is true, or if it is not.
    pub fn learn(&mut self, condition: &Expr, truth: bool) {
        match condition {
            Expr::Unary(UnaryOp::Not, it) => self.learn(it, !truth),
            Expr::Binary(BinaryOp::And, left, right) if truth => {
                self.learn(left, true);
                self.learn(right, true);
            }
            Expr::Binary(BinaryOp::Or, left, right) if !truth => {
                self.learn(left, false);
                self.learn(right, false);
            }
            // Conditions are 0 or 1.
            Expr::Read(place) => self.keep(place, i64::from(truth), i64::from(truth)),
            Expr::Binary(op, left, right) => match (&**left, &**right) {
                (Expr::Read(place), Expr::Constant(value)) => self.compare(place, *op, i64::from(*value), truth),
                (Expr::Constant(value), Expr::Read(place)) => {
                    self.compare(place, turned(*op), i64::from(*value), truth);
                }
                _ => {}
            },
            _ => {}
        }
    }

    fn compare(&mut self, place: &Place, op: BinaryOp, value: i64, truth: bool) {
        let op = if truth { op } else { opposite(op) };
        match op {
            BinaryOp::Eq => self.keep(place, value, value),
            BinaryOp::Lt => self.keep(place, i64::MIN, value - 1),
            BinaryOp::Le => self.keep(place, i64::MIN, value),
            BinaryOp::Gt => self.keep(place, value + 1, i64::MAX),
            BinaryOp::Ge => self.keep(place, value, i64::MAX),
            BinaryOp::Ne => self.leave_out(place, value),
            _ => {}
        }
    }

    fn keep(&mut self, place: &Place, low: i64, high: i64) {
        if let Some(cell) = cell(place) {
            let known = self.0.entry(cell).or_insert((i64::MIN, i64::MAX));
            *known = (known.0.max(low), known.1.min(high));
        }
    }

    /// A value at one end of what is known.
    fn leave_out(&mut self, place: &Place, value: i64) {
        let (low, high) = self.narrowed(place, (i64::MIN, i64::MAX));
        if low == value {
            self.keep(place, value + 1, i64::MAX);
        } else if high == value {
            self.keep(place, i64::MIN, value - 1);
        }
    }
}

/// The element that a place is, if that is known.
pub fn cell(place: &Place) -> Option<Cell> {
    let index = |it: &Expr| if let Expr::Constant(value) = it { Some(*value) } else { None };
    Some((place.variable.0, place.indices.iter().map(index).collect::<Option<_>>()?))
}

/// `a op b` as `b op' a`.
fn turned(op: BinaryOp) -> BinaryOp {
    match op {
        BinaryOp::Lt => BinaryOp::Gt,
        BinaryOp::Le => BinaryOp::Ge,
        BinaryOp::Gt => BinaryOp::Lt,
        BinaryOp::Ge => BinaryOp::Le,
        other => other,
    }
}

fn opposite(op: BinaryOp) -> BinaryOp {
    match op {
        BinaryOp::Eq => BinaryOp::Ne,
        BinaryOp::Ne => BinaryOp::Eq,
        BinaryOp::Lt => BinaryOp::Ge,
        BinaryOp::Le => BinaryOp::Gt,
        BinaryOp::Gt => BinaryOp::Le,
        BinaryOp::Ge => BinaryOp::Lt,
        // Nothing is learned from the others.
        other => other,
    }
}
