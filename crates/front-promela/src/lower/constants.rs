//! Expressions that must be known before the model runs.
use text::Span;

use super::Lower;
use super::names::{Content, Symbol};
use crate::ast::{Expr, ExprKind};

impl Lower {
    /// The value of a constant expression; reports why it is not one.
    pub fn constant(&mut self, expr: &Expr) -> Option<i32> {
        match self.evaluate(expr) {
            Ok(value) => Some(value),
            Err((span, why)) => {
                let help = "the value must be known before the run: write a number, or a name that `#define` gives one";
                self.error_help("not-constant", span, why, help);
                None
            }
        }
    }

    /// The value of a constant expression, or what is wrong with it and where.
    pub fn evaluate(&self, expr: &Expr) -> Result<i32, (Span, String)> {
        match &expr.kind {
            ExprKind::Number(value) => Ok(*value),
            ExprKind::Unary(op, operand) => {
                let op = op.of_numbers().ok_or_else(|| no_constant(expr))?;
                Ok(op.apply(self.evaluate(operand)?))
            }
            ExprKind::Binary(op, left, right) => {
                let op = op.of_numbers().ok_or_else(|| no_constant(expr))?;
                let (left, right) = (self.evaluate(left)?, self.evaluate(right)?);
                op.apply(left, right).ok_or_else(|| (expr.at.0, "this divides by zero".to_string()))
            }
            ExprKind::Conditional(condition, yes, no) => {
                let branch = if self.evaluate(condition)? != 0 { yes } else { no };
                self.evaluate(branch)
            }
            ExprKind::Reference(reference)
                if reference.segments.len() == 1 && reference.segments[0].index.is_none() =>
            {
                self.named_constant(&reference.segments[0].name.name, expr.at.0)
            }
            _ => Err(no_constant(expr)),
        }
    }

    /// A named constant, or a scalar whose declaration gives it a constant value.
    fn named_constant(&self, name: &str, span: Span) -> Result<i32, (Span, String)> {
        match self.scopes.find(name) {
            Some(Symbol::Constant(value, _) | Symbol::Number(value)) => Ok(*value),
            Some(Symbol::Variable(binding)) => match (binding.constant, &binding.content) {
                (Some(value), Content::Scalar { .. }) => Ok(value),
                _ => Err((span, format!("`{name}` is not a constant"))),
            },
            Some(_) => Err((span, format!("`{name}` is not a constant"))),
            None => Err((span, format!("there is no constant called `{name}` here"))),
        }
    }
}

fn no_constant(expr: &Expr) -> (Span, String) {
    (expr.at.0, "a constant is wanted here".to_string())
}
