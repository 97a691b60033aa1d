//! Expressions as text in one spelling, so that two fragments that say the same are the same: operators without blanks, operands of
//! operators in parentheses, as in the tables of AX (Holzmann and Smith 1999).
use crate::ast::{Expr, ExprKind, Type, Unit};

/// An expression in its one spelling.
pub fn expression(unit: &Unit, it: &Expr) -> String {
    match &it.kind {
        ExprKind::Binary(operator, left, right) if &**operator != "," => {
            format!("{}{operator}{}", operand(unit, left), operand(unit, right))
        }
        ExprKind::Binary(_, left, right) => format!("{},{}", expression(unit, left), expression(unit, right)),
        ExprKind::Assign(operator, left, right) => {
            format!("{}{operator}{}", expression(unit, left), operand(unit, right))
        }
        ExprKind::Unary(operator, of) if matches!(&**operator, "&" | "*") => {
            format!("{operator}({})", expression(unit, of))
        }
        ExprKind::Unary(operator, of) => format!("{operator}{}", operand(unit, of)),
        ExprKind::Postfix(of, operator) => format!("{}{operator}", operand(unit, of)),
        ExprKind::Conditional(condition, yes, no) => {
            let yes = yes.as_ref().map_or(String::new(), |it| operand(unit, it));
            format!("{}?{yes}:{}", operand(unit, condition), operand(unit, no))
        }
        ExprKind::Call(function, arguments) => {
            let list: Vec<String> = arguments.iter().map(|it| argument(unit, it)).collect();
            format!("{}({})", operand(unit, function), list.join(","))
        }
        ExprKind::Index(array, index) => format!("{}[{}]", operand(unit, array), expression(unit, index)),
        ExprKind::Member(of, name, arrow) => format!("{}{}{name}", operand(unit, of), if *arrow { "->" } else { "." }),
        ExprKind::Cast(ty, of) => format!("({}){}", type_name(unit, ty), operand(unit, of)),
        ExprKind::SizeOf(of) => format!("sizeof({})", expression(unit, of)),
        ExprKind::SizeOfType(ty) => format!("sizeof({})", type_name(unit, ty)),
        ExprKind::Compound(ty, _) => format!("({}){{...}}", type_name(unit, ty)),
        ExprKind::Statement(_) => "({...})".into(),
        ExprKind::Name(it) | ExprKind::Floating(it) | ExprKind::String(it) | ExprKind::Other(it) => it.to_string(),
        ExprKind::Integer(_, text, _) => text.to_string(),
    }
}

fn argument(unit: &Unit, it: &Expr) -> String {
    match it.kind {
        ExprKind::Binary(..) => operand(unit, it),
        _ => expression(unit, it),
    }
}

/// In parentheses, unless it is one thing anyway.
fn operand(unit: &Unit, it: &Expr) -> String {
    let text = expression(unit, it);
    match it.kind {
        ExprKind::Binary(..) | ExprKind::Assign(..) | ExprKind::Conditional(..) => format!("({text})"),
        _ => text,
    }
}

/// A condition in its one spelling.
pub fn condition(unit: &Unit, it: &Expr) -> String {
    operand(unit, it)
}

/// A type, shortly.
pub fn type_name(unit: &Unit, ty: &Type) -> String {
    match ty {
        Type::Void => "void".into(),
        Type::Bool => "_Bool".into(),
        Type::Integer { bits, signed } => {
            let name = match bits {
                8 => "char",
                16 => "short",
                32 => "int",
                64 => "long",
                _ => "__int128",
            };
            if *signed { name.into() } else { format!("unsigned {name}") }
        }
        Type::Floating => "double".into(),
        Type::Pointer(of) => format!("{} *", type_name(unit, of)),
        Type::Array(of, length) => {
            format!("{}[{}]", type_name(unit, of), length.map_or(String::new(), |it| it.to_string()))
        }
        Type::Function(result, _) => format!("{}()", type_name(unit, result)),
        Type::Record(it) => {
            // A fragment that stands alone may name a record that the program does not have.
            let Some(record) = unit.records.get(it.0 as usize) else { return "struct".into() };
            let kind = if record.is_union { "union" } else { "struct" };
            format!("{kind} {}", record.name.as_deref().unwrap_or("(unnamed)"))
        }
        Type::Enumeration => "enum".into(),
        Type::Named(name, _) | Type::Unknown(name) => name.to_string(),
        Type::Atomic(of) => format!("_Atomic {}", type_name(unit, of)),
    }
}
