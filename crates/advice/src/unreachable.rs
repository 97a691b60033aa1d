//! An option that is never taken: its condition is never true, or another one always is, so that `else` never comes.
//!
//! A part of a condition that no variable occurs in, as `N > 2` with a macro, says for which models the option is there at all; that it is false here is meant.
use model::{BinaryOp, Edge, Expr};
use text::Diagnostic;

use crate::options::{is_always_possible, is_condition, shown};
use crate::witness::constant;
use crate::{Spot, Subject};

pub fn look(subject: &Subject) -> Vec<Diagnostic> {
    let several = subject.spots().filter(|it| it.edges.len() > 1);
    several.flat_map(|spot| [impossible(subject, &spot), superfluous(subject, &spot)].concat()).collect()
}

fn impossible(subject: &Subject, spot: &Spot) -> Vec<Diagnostic> {
    let never = spot.edges.iter().filter(|it| !it.otherwise && !is_switched_off(&it.guard));
    let never = never.filter(|it| !subject.can_be(spot, &it.guard, true));
    never.map(|it| warning(it, format!("this option is never taken: `{}` is never true here", shown(it)))).collect()
}

/// Whether a condition is false for a reason that has nothing to do with variables.
fn is_switched_off(guard: &Expr) -> bool {
    match guard {
        Expr::Binary(BinaryOp::And, left, right) => is_switched_off(left) || is_switched_off(right),
        other => constant(other) == Some(0),
    }
}

fn superfluous(subject: &Subject, spot: &Spot) -> Vec<Diagnostic> {
    let Some(otherwise) = spot.edges.iter().find(|it| it.otherwise) else { return Vec::new() };
    let others = spot.edges.iter().filter(|it| it.group == otherwise.group && is_condition(it));
    if let Some(always) = others.clone().find(|it| is_always_possible(it)) {
        let message = format!("this option is never taken: `{}` is always possible", shown(always));
        return vec![warning(otherwise, message)];
    }
    let mut locals = spot.locals.clone();
    let reached = others.clone().all(|it| subject.ranges.narrow(spot.owner, &it.guard, false, &mut locals));
    let message = "this option is never taken: there is always another one that can be";
    if reached { Vec::new() } else { vec![warning(otherwise, message.to_string())] }
}

fn warning(edge: &Edge, message: String) -> Diagnostic {
    Diagnostic::warning("unreachable-option", edge.span, message)
}
