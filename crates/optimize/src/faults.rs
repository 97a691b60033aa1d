//! Which expressions always have a value.
//!
//! A step that goes wrong is a finding, so whatever could go wrong must stay where it is.
use model::{BinaryOp, Expr, Model, Place, ProcessTypeId, Variable, VariableId};

use crate::interval::{Interval, Values, interval};
use model::variables::Name;

/// What types alone tell about the values that a process of one type sees.
pub struct Types<'m> {
    model: &'m Model,
    owner: ProcessTypeId,
}

impl<'m> Types<'m> {
    /// For expressions of processes of type `owner`.
    pub fn new(model: &'m Model, owner: ProcessTypeId) -> Self {
        Types { model, owner }
    }

    fn declared(&self, place: &Place) -> &'m Variable {
        Name::of(self.owner, place).declared(self.model)
    }

    /// Whether an expression may have no value.
    pub fn can_fault(&self, expr: &Expr) -> bool {
        let mut found = self.can_fault_itself(expr);
        expr.parts(&mut |part| found = found || self.can_fault(part));
        found
    }

    /// Whether an expression may have no value although its parts have.
    pub fn can_fault_itself(&self, expr: &Expr) -> bool {
        match expr {
            Expr::Read(place) => !self.is_inside(place),
            Expr::Binary(BinaryOp::Div | BinaryOp::Rem, _, right) => !excludes_zero(interval(right, self)),
            Expr::Length(_) | Expr::Full(_) | Expr::Empty(_) | Expr::Poll { .. } | Expr::Enabled(_) => true,
            Expr::RemoteRead { indices, .. } => !indices.is_empty(),
            _ => false,
        }
    }

    /// Whether a place exists whatever its indices are.
    pub fn is_always_there(&self, place: &Place) -> bool {
        self.is_inside(place) && !place.indices.iter().any(|index| self.can_fault(index))
    }

    fn is_inside(&self, place: &Place) -> bool {
        let dimensions = &self.declared(place).dimensions;
        let inside =
            |(size, index): (&u32, &Expr)| interval(index, self).is_within(Interval::new(0, i64::from(*size) - 1));
        dimensions.len() == place.indices.len() && dimensions.iter().zip(&place.indices).all(inside)
    }
}

fn excludes_zero(divisor: Interval) -> bool {
    divisor.low > 0 || divisor.high < 0
}

impl Values for Types<'_> {
    fn variable(&self, place: &Place) -> Interval {
        Interval::of_type(self.declared(place).ty)
    }

    fn remote(&self, process: ProcessTypeId, variable: VariableId) -> Interval {
        Interval::of_type(Name::Local(process, variable).declared(self.model).ty)
    }
}
