//! What an option of a choice asks for.
use model::{Edge, Expr};

/// Whether an edge asks for nothing but its guard.
pub fn is_condition(edge: &Edge) -> bool {
    !edge.otherwise && edge.group == 0 && !edge.effects.first().is_some_and(model::variables::can_wait)
}

/// Whether an edge can be taken at any time.
pub fn is_always_possible(edge: &Edge) -> bool {
    is_condition(edge) && edge.guard.is_true()
}

/// The text of a condition, for messages.
pub fn shown(edge: &Edge) -> &str {
    // Both words are one to the printer.
    let text = if edge.text == "skip" { "true" } else { edge.text.as_str() };
    text.strip_prefix('(').and_then(|it| it.strip_suffix(')')).filter(|it| !it.contains(['(', ')'])).unwrap_or(text)
}

/// Whether an expression or a part of it asks for a timeout.
pub fn has_timeout(expr: &Expr) -> bool {
    expr.any(&|it| matches!(it, Expr::Timeout))
}
