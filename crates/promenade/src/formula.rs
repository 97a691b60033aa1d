//! Formulas without a model: what they say, for those who want to see the automaton.
//!
//! Conditions are whatever Promela has for expressions, by their text; nobody looks up their names.
use front_promela::ast::{BinaryOp, Expr, ExprKind, UnaryOp};
use front_promela::{LoneFormula, lone_formula, preprocess, print};
use ltl::Formula;
use text::{Diagnostic, FileId, Sources, Span};

use crate::load;

/// A formula that was understood.
#[derive(Debug)]
pub struct Understood {
    /// What it says.
    pub formula: Formula,
    /// Its conditions, by number.
    pub conditions: Vec<String>,
    /// As it was written, on one line.
    pub written: String,
}

/// Reads a file of `sources` as a formula.
pub fn understand(sources: &mut Sources, root: FileId) -> (Option<Understood>, Vec<Diagnostic>) {
    let read = lone_formula(sources, root, &preprocess::Options::default(), &mut load::Disk);
    let LoneFormula { formula, flat, mut diagnostics } = read;
    let understood = formula.map(|expr| {
        if let Some(flat) = flat {
            diagnostics.push(warning(&expr, &flat));
        }
        let (formula, conditions) = meaning(&expr);
        let written = sources.slice(expr.at.0).split_whitespace().collect::<Vec<_>>().join(" ");
        Understood { formula, conditions, written }
    });
    (understood, diagnostics)
}

/// What there is to say about a formula that somebody may have brought from `spin -f`. What is wrong with it is said where it is read for good.
pub fn spin_reads_differently(sources: &mut Sources, name: &str, text: &str) -> Option<Diagnostic> {
    let mut alone = Sources::default();
    let root = alone.add(name, text);
    let read = lone_formula(&mut alone, root, &preprocess::Options::default(), &mut load::Disk);
    let (formula, flat) = (read.formula?, read.flat?);
    // The text is kept only if there is something to show in it.
    let file = sources.add(name, text);
    let mut warning = warning(&formula, &flat);
    warning.span = warning.span.map(|it| Span { file, ..it });
    Some(warning)
}

/// `spin -f` would check something else.
fn warning(here: &Expr, there: &Expr) -> Diagnostic {
    let message = "`spin -f` reads this formula differently, because it has `&&`, `||` and `->` on one level";
    let help = format!("here it is `{}`, for `spin -f` it is `{}`", parenthesised(here), parenthesised(there));
    Diagnostic::warning("spin-precedence", here.at.0, message).help(help)
}

/// With all parentheses.
fn parenthesised(expr: &Expr) -> String {
    let (formula, conditions) = meaning(expr);
    let simple = |it: &String| it.chars().all(|it| it.is_alphanumeric() || "_[]@.".contains(it));
    let names: Vec<String> =
        conditions.into_iter().map(|it| if simple(&it) { it } else { format!("({it})") }).collect();
    let text = formula.text(&names);
    let inner = text.strip_prefix('(').and_then(|it| it.strip_suffix(')'));
    inner.filter(|_| formula.parts().count() == 2).map_or(text.clone(), str::to_string)
}

fn meaning(expr: &Expr) -> (Formula, Vec<String>) {
    let mut conditions = Vec::new();
    let formula = translated(expr, &mut conditions);
    (formula, conditions)
}

fn translated(expr: &Expr, conditions: &mut Vec<String>) -> Formula {
    let mut part = |it: &Expr| translated(it, conditions);
    match &expr.kind {
        ExprKind::Number(value) => Formula::constant(*value != 0),
        ExprKind::Unary(UnaryOp::Not, it) => part(it).negated(),
        ExprKind::Unary(UnaryOp::Always, it) => part(it).globally(),
        ExprKind::Unary(UnaryOp::Eventually, it) => part(it).finally(),
        ExprKind::Unary(UnaryOp::Next, it) => part(it).next(),
        ExprKind::Binary(BinaryOp::And, left, right) => part(left).and(part(right)),
        ExprKind::Binary(BinaryOp::Or, left, right) => part(left).or(part(right)),
        ExprKind::Binary(BinaryOp::Implies, left, right) => part(left).implies(part(right)),
        ExprKind::Binary(BinaryOp::Equivalent, left, right) => part(left).equivalent(part(right)),
        ExprKind::Binary(BinaryOp::Until, left, right) => part(left).until(part(right)),
        ExprKind::Binary(BinaryOp::Release, left, right) => part(left).release(part(right)),
        ExprKind::Binary(BinaryOp::WeakUntil, left, right) => part(left).weak_until(part(right)),
        _ => {
            let text = print::expression(expr);
            let row = conditions.iter().position(|it| *it == text).unwrap_or(conditions.len());
            if row == conditions.len() {
                conditions.push(text);
            }
            Formula::atom(row as u32)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The formula with all parentheses, the conditions, and everything that is said about it.
    #[track_caller]
    fn check(text: &str, formula: &str, conditions: &[&str], complaints: &[&str]) {
        let mut sources = Sources::default();
        let root = sources.add("a", text);
        let (understood, diagnostics) = understand(&mut sources, root);
        let said: Vec<String> = diagnostics.iter().map(|it| it.help.clone().unwrap_or(it.message.clone())).collect();
        assert_eq!(said, complaints);
        let it = understood.expect("a formula");
        assert_eq!(
            (it.formula.text(&[]), it.conditions),
            (formula.to_string(), conditions.iter().map(|it| it.to_string()).collect())
        );
    }

    #[test]
    fn conditions_are_expressions() {
        check("[] (x == 1 -> <> P[0]@done)", "[](p0 -> <>p1)", &["x == 1", "P[0]@done"], &[]);
        check("ltl late { <> !(a && b) }", "<>!(p0 && p1)", &["a", "b"], &[]);
        check("#define p (x > 3)\n[] p && true", "([]p0 && true)", &["x > 3"], &[]);
    }

    #[test]
    fn a_reading_that_spin_f_does_not_share_is_shown() {
        let help = "here it is `<>a -> (<>b || <>c)`, for `spin -f` it is `(<>a -> <>b) || <>c`";
        check("<> a -> <> b || <> c", "(<>p0 -> (<>p1 || <>p2))", &["a", "b", "c"], &[help]);
        // `U` binds more strongly for both, and what is in parentheses without a temporal operator is one condition.
        check("a U b && c", "((p0 U p1) && p2)", &["a", "b", "c"], &[]);
        check("[] (a || b && c)", "[](p0 || (p1 && p2))", &["a", "b", "c"], &[]);
        check("[] a && b || c", "(([]p0 && p1) || p2)", &["a", "b", "c"], &[]);
    }
}
