//! Constant folding: what has the same value in every state is computed once.
//!
//! A. Aho, M. Lam, R. Sethi, J. Ullman, *Compilers*, 2nd ed. (2006), §8.5. Constants are literals and scalars to
//! which no step assigns and whose first value is a constant. What would go wrong is left as it is: `1/0` is a
//! fault when, and only when, it is evaluated. The right side of `0 && e` is never evaluated and may go, unless it
//! asks who moved last: whether anybody asks decides whether states remember it.
use std::collections::HashSet;

use model::access::effect_expressions_mut;
use model::{BinaryOp, Effect, Expr, Initial, Model, Place, ProcessTypeId, Scope, Variable, VariableId};

use crate::Mistake;
use model::variables::{Name, assigned, is_plain};

/// Values of the variables that never change, where they are known.
#[derive(Default)]
struct Known {
    globals: Vec<Option<i32>>,
    locals: Vec<Option<i32>>,
    divides_by_zero: bool,
}

/// Folds every expression of the model; the monitor's stay.
pub fn fold(model: &mut Model, mistake: Option<Mistake>) {
    let written = if mistake == Some(Mistake::FoldAssigned) { HashSet::new() } else { assigned(model) };
    let mut known = Known { divides_by_zero: mistake == Some(Mistake::FoldDivision), ..Known::default() };
    for (row, variable) in model.globals.iter_mut().enumerate() {
        let lasts = !written.contains(&Name::Global(VariableId(row as u32)));
        let value = known.first_value(variable).filter(|_| lasts);
        known.globals.push(value);
    }
    for row in 0..model.processes.len() {
        known.process(model, ProcessTypeId(row as u32), &written);
    }
    known.locals.clear();
    model.invariants.iter_mut().for_each(|it| known.fold(&mut it.condition));
    model.temporal_properties.iter_mut().flat_map(|it| &mut it.observes).for_each(|it| known.fold(it));
}

impl Known {
    fn process(&mut self, model: &mut Model, owner: ProcessTypeId, written: &HashSet<Name>) {
        let process = &mut model.processes[owner.0 as usize];
        self.locals.clear();
        for (row, variable) in process.variables.iter_mut().enumerate() {
            let lasts = !written.contains(&Name::Local(owner, VariableId(row as u32)));
            let given = row < process.parameters as usize;
            let value = self.first_value(variable).filter(|_| lasts && !given);
            self.locals.push(value);
        }
        process.provided.iter_mut().for_each(|it| self.fold(it));
        process.exclusive.iter_mut().for_each(|it| self.fold(&mut it.channel));
        for edge in &mut process.edges {
            // Whether such an edge can be half of a rendezvous depends on how its guard is written.
            if !matches!(edge.effects.first(), Some(Effect::Receive { .. })) {
                self.fold(&mut edge.guard);
            }
            edge.effects.iter_mut().for_each(|effect| effect_expressions_mut(effect, &mut |expr| self.fold(expr)));
        }
    }

    /// The value with which a variable starts; only variables before it are known so far.
    fn first_value(&self, variable: &mut Variable) -> Option<i32> {
        if let Initial::Values(values) = &mut variable.initial {
            values.iter_mut().for_each(|value| self.fold(value));
        }
        match &variable.initial {
            _ if !is_plain(variable) || !variable.dimensions.is_empty() => None,
            Initial::Zero => Some(0),
            Initial::Values(values) => constant(&values[0]).map(|value| variable.ty.truncate(value)),
            Initial::Channels(_) => None,
        }
    }

    fn fold(&self, expr: &mut Expr) {
        expr.parts_mut(&mut |part| self.fold(part));
        if let Some(simpler) = self.simpler(expr) {
            *expr = simpler;
        }
    }

    fn simpler(&self, expr: &Expr) -> Option<Expr> {
        match expr {
            Expr::Read(place) => self.value(place).map(Expr::Constant),
            Expr::Unary(op, operand) => Some(Expr::Constant(op.apply(constant(operand)?))),
            Expr::Binary(BinaryOp::And, left, right) if constant(left)? == 0 && may_go(right) => {
                Some(Expr::Constant(0))
            }
            Expr::Binary(BinaryOp::Or, left, right) if constant(left)? != 0 && may_go(right) => Some(Expr::Constant(1)),
            Expr::Binary(BinaryOp::Div, _, right) if self.divides_by_zero && constant(right)? == 0 => {
                Some(Expr::Constant(0))
            }
            Expr::Binary(op, left, right) => op.apply(constant(left)?, constant(right)?).map(Expr::Constant),
            Expr::Conditional(condition, yes, no) => {
                let (taken, other) = if constant(condition)? != 0 { (yes, no) } else { (no, yes) };
                may_go(other).then(|| (**taken).clone())
            }
            _ => None,
        }
    }

    fn value(&self, place: &Place) -> Option<i32> {
        let values = match place.scope {
            Scope::Global => &self.globals,
            Scope::Local => &self.locals,
        };
        values.get(place.variable.0 as usize).copied().flatten()
    }
}

fn constant(expr: &Expr) -> Option<i32> {
    match expr {
        Expr::Constant(value) => Some(*value),
        _ => None,
    }
}

fn may_go(expr: &Expr) -> bool {
    !expr.any(&|part| *part == Expr::LastMover)
}
