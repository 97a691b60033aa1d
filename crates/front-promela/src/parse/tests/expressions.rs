//! How words group.
use super::read;
use crate::ast::{Expr, ExprKind, StatementKind, UnaryOp, Unit};
use crate::parse::Dialect;
use crate::print;

/// An expression with parentheses around everything that an operator makes.
fn grouped(expr: &Expr) -> String {
    let mut shallow = expr.clone();
    let hole = |part: &mut Box<Expr>, text: &mut Vec<String>| {
        text.push(grouped(part));
        part.kind = ExprKind::NonProgress;
    };
    let mut parts = Vec::new();
    match &mut shallow.kind {
        ExprKind::Unary(op, operand) => {
            hole(operand, &mut parts);
            let blank = if matches!(op, UnaryOp::Always | UnaryOp::Eventually | UnaryOp::Next) { " " } else { "" };
            return format!("({}{blank}{})", print::expression(&shallow).replace("np_", "").trim_end(), parts[0]);
        }
        ExprKind::Binary(_, left, right) => {
            hole(left, &mut parts);
            hole(right, &mut parts);
        }
        _ => return print::expression(expr),
    }
    let operator = print::expression(&shallow).replace("np_", "");
    format!("({}{operator}{})", parts[0], parts[1])
}

/// An expression groups like this.
#[track_caller]
fn groups(text: &str, expected: &str) {
    let parsed = read(&format!("init {{ ({text}) }}"), Dialect::Spin);
    assert!(parsed.diagnostics.is_empty(), "{:?}", parsed.diagnostics);
    let Some(Unit::Process(process)) = parsed.tree.units.first() else { panic!("no process") };
    let StatementKind::Condition(expr) = &process.body.statements[0].kind else { panic!("no condition") };
    assert_eq!(grouped(expr), expected);
}

/// A formula groups like this.
#[track_caller]
fn groups_in_formula(text: &str, expected: &str) {
    let parsed = read(&format!("ltl {{ {text} }}"), Dialect::Spin);
    assert!(parsed.diagnostics.is_empty(), "{:?}", parsed.diagnostics);
    let Some(Unit::Ltl(ltl)) = parsed.tree.units.first() else { panic!("no formula") };
    assert_eq!(grouped(&ltl.formula), expected);
}

#[test]
fn operators_bind_as_in_c() {
    groups("a || b && c", "(a || (b && c))");
    groups("a && b | c ^ d & e", "(a && (b | (c ^ (d & e))))");
    groups("a & b == c < d", "(a & (b == (c < d)))");
    groups("a < b << c + d * e", "(a < (b << (c + (d * e))))");
    groups("1 | 2 == 2", "(1 | (2 == 2))");
}

#[test]
fn operators_associate_to_the_left() {
    groups("a - b - c", "((a - b) - c)");
    groups("a == b != c", "((a == b) != c)");
    groups("a || b || c", "((a || b) || c)");
}

#[test]
fn prefix_operators_bind_most_strongly() {
    groups("!a == b", "((!a) == b)");
    groups("-a * ~b", "((-a) * (~b))");
    groups("!!a && - -b", "((!(!a)) && (-(-b)))");
    groups("!q?[1] && a", "((!q?[1]) && a)");
}

#[test]
fn temporal_operators_bind_more_weakly_than_those_on_numbers() {
    groups_in_formula("a == b U c", "((a == b) U c)");
    groups_in_formula("a + b U c | d", "((a + b) U (c | d))");
    groups_in_formula("a && b U c || d", "((a && (b U c)) || d)");
}

#[test]
fn temporal_operators_associate_to_the_left() {
    groups_in_formula("a U b U c", "((a U b) U c)");
    groups_in_formula("a V b W c", "((a V b) W c)");
    groups_in_formula("a -> b -> c", "((a -> b) -> c)");
    groups_in_formula("a -> b <-> c", "((a -> b) <-> c)");
}

#[test]
fn temporal_prefixes_bind_most_strongly() {
    groups_in_formula("[] a -> <> b", "(([] a) -> (<> b))");
    groups_in_formula("!a U b", "((!a) U b)");
    groups_in_formula("[]<>a && b", "(([] (<> a)) && b)");
    groups_in_formula("X a U b", "((X a) U b)");
}

#[test]
fn temporal_operators_have_names() {
    groups_in_formula("always eventually next a", "([] (<> (X a)))");
    groups_in_formula("a until b && c stronguntil d", "((a U b) && (c U d))");
    groups_in_formula("a release b || c weakuntil d", "((a V b) || (c W d))");
    groups_in_formula("a implies b equivalent c", "((a -> b) <-> c)");
    groups_in_formula("a /\\ b \\/ c", "((a && b) || c)");
}

#[test]
fn the_names_of_temporal_operators_are_free_elsewhere() {
    groups("U + X", "(U + X)");
    groups_in_formula("a[U] == 1", "(a[U] == 1)");
}
