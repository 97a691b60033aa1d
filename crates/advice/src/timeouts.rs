//! `timeout` where it is never true, or true at the wrong times.
//!
//! It is no clock: it is true when nothing else in the whole system can move. Beside an option that can always be taken
//! that never happens; and its opposite is true nearly always.
use model::{Edge, Expr, UnaryOp};
use text::Diagnostic;

use crate::options::{has_timeout, is_always_possible};
use crate::{Spot, Subject};

pub fn look(subject: &Subject) -> Vec<Diagnostic> {
    subject.spots().flat_map(|spot| [never(&spot), negated(&spot)]).flatten().collect()
}

fn never(spot: &Spot) -> Option<Diagnostic> {
    let waits = |it: &&&Edge| it.guard.conjuncts().iter().any(|part| **part == Expr::Timeout);
    let waiting = spot.edges.iter().find(waits)?;
    let other = spot.edges.iter().find(|it| it.group == waiting.group && (it.otherwise || is_always_possible(it)))?;
    let message = format!("`timeout` is never true here: `{}` can always be taken instead", other.text);
    let help = "`timeout` is true when nothing else in the whole system can move";
    let warning = Diagnostic::warning("timeout-never", waiting.span, message).help(help);
    Some(warning.note(other.span, "this option"))
}

fn negated(spot: &Spot) -> Option<Diagnostic> {
    let is_negated = |it: &Expr| matches!(it, Expr::Unary(UnaryOp::Not, inner) if has_timeout(inner));
    let edge = spot.edges.iter().find(|it| it.guard.any(&is_negated))?;
    let message = "the opposite of `timeout` is true whenever anything in the system can move";
    let help = "`timeout` is no clock; say what the process waits for instead";
    Some(Diagnostic::warning("timeout-negated", edge.span, message).help(help))
}
