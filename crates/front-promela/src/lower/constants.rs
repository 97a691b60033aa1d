//! Expressions that must be known before the model runs.
use text::Span;

use super::Lower;
use super::names::{Content, Symbol};
use crate::ast::{BinaryOp, Expr, ExprKind, UnaryOp};

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
                let value = self.evaluate(operand)?;
                match op {
                    UnaryOp::Not => Ok(i32::from(value == 0)),
                    UnaryOp::Negate => Ok(value.wrapping_neg()),
                    UnaryOp::Complement => Ok(!value),
                    _ => Err((expr.at.0, "a constant is wanted here".to_string())),
                }
            }
            ExprKind::Binary(op, left, right) => {
                let (left, right) = (self.evaluate(left)?, self.evaluate(right)?);
                binary(*op, left, right).ok_or_else(|| (expr.at.0, "this divides by zero".to_string()))
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
            _ => Err((expr.at.0, "a constant is wanted here".to_string())),
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

fn binary(op: BinaryOp, left: i32, right: i32) -> Option<i32> {
    Some(match op {
        BinaryOp::Or => i32::from(left != 0 || right != 0),
        BinaryOp::And => i32::from(left != 0 && right != 0),
        BinaryOp::BitOr => left | right,
        BinaryOp::BitXor => left ^ right,
        BinaryOp::BitAnd => left & right,
        BinaryOp::Eq => i32::from(left == right),
        BinaryOp::Ne => i32::from(left != right),
        BinaryOp::Lt => i32::from(left < right),
        BinaryOp::Le => i32::from(left <= right),
        BinaryOp::Gt => i32::from(left > right),
        BinaryOp::Ge => i32::from(left >= right),
        BinaryOp::Shl => left.wrapping_shl(right as u32),
        BinaryOp::Shr => left.wrapping_shr(right as u32),
        BinaryOp::Add => left.wrapping_add(right),
        BinaryOp::Sub => left.wrapping_sub(right),
        BinaryOp::Mul => left.wrapping_mul(right),
        BinaryOp::Div => left.checked_div(right)?,
        BinaryOp::Rem => left.checked_rem(right)?,
        _ => return None,
    })
}
