//! The value of constant expressions.
use crate::ast::{Expr, ExprKind, Type, Unit};
use crate::operators;

/// The value of an expression, if it is a constant one.
pub fn value(unit: &Unit, it: &Expr) -> Option<i64> {
    match &it.kind {
        ExprKind::Integer(value, ..) => Some(*value),
        ExprKind::Name(name) => unit.constants.iter().rev().find(|it| it.0 == *name).map(|it| it.1),
        ExprKind::Unary(operator, of) => unary(operator, value(unit, of)?),
        ExprKind::Binary(operator, left, right) => {
            let left = value(unit, left)?;
            match &**operator {
                "&&" if left == 0 => Some(0),
                "||" if left != 0 => Some(1),
                _ => operators::apply(operator, left, value(unit, right)?),
            }
        }
        ExprKind::Conditional(condition, yes, no) => match value(unit, condition)? {
            0 => value(unit, no),
            same => yes.as_ref().map_or(Some(same), |it| value(unit, it)),
        },
        ExprKind::Cast(ty, of) => Some(truncated(ty, value(unit, of)?)),
        ExprKind::SizeOfType(ty) => unit.size(ty).map(|it| it as i64),
        _ => None,
    }
}

/// A value as a variable of this type holds it.
pub fn truncated(ty: &Type, value: i64) -> i64 {
    match ty.plain() {
        Type::Bool => i64::from(value != 0),
        Type::Integer { bits: 8, signed: true } => i64::from(value as i8),
        Type::Integer { bits: 8, signed: false } => i64::from(value as u8),
        Type::Integer { bits: 16, signed: true } => i64::from(value as i16),
        Type::Integer { bits: 16, signed: false } => i64::from(value as u16),
        Type::Integer { bits: 32, signed: true } => i64::from(value as i32),
        Type::Integer { bits: 32, signed: false } => i64::from(value as u32),
        _ => value,
    }
}

fn unary(operator: &str, value: i64) -> Option<i64> {
    Some(match operator {
        "-" => value.wrapping_neg(),
        "+" => value,
        "~" => !value,
        "!" => i64::from(value == 0),
        _ => return None,
    })
}
