//! A value that its variable, parameter or message field cannot hold.
//!
//! What is kept is the value modulo the range of the type, silently. Only values that never fit are told of.
use model::variables::Name;
use model::{Edge, Effect, Initial, Type, Variable};
use optimize::Interval;
use text::{Diagnostic, Span};

use crate::{Spot, Subject};

pub fn look(subject: &Subject) -> Vec<Diagnostic> {
    let mut list = initial(subject);
    for spot in subject.spots() {
        for edge in &spot.edges {
            let mut locals = spot.locals.clone();
            if subject.ranges.narrow(spot.owner, &edge.guard, true, &mut locals) {
                let spot = Spot { locals, edges: Vec::new(), ..spot };
                list.extend(edge.effects.first().into_iter().flat_map(|it| effect(subject, &spot, edge, it)));
            }
        }
    }
    list
}

fn initial(subject: &Subject) -> Vec<Diagnostic> {
    let mut list = Vec::new();
    for name in model::variables::all(subject.model) {
        let variable = name.declared(subject.model);
        let Initial::Values(values) = &variable.initial else { continue };
        let (owner, locals) = match name {
            Name::Global(_) => (model::ProcessTypeId(0), Vec::new()),
            Name::Local(owner, _) => {
                let entry = subject.model.process(owner).entry;
                let Some(locals) = subject.ranges.at(owner, entry) else { continue };
                (owner, locals)
            }
        };
        let misfit = values.iter().find_map(|it| misfit(subject.ranges.value(owner, &locals, it), variable.ty));
        list.extend(misfit.map(|it| variable_warning(variable, it, variable.span)));
    }
    list
}

fn effect(subject: &Subject, spot: &Spot, edge: &Edge, effect: &Effect) -> Vec<Diagnostic> {
    let value = |it| subject.ranges.value(spot.owner, &spot.locals, it);
    match effect {
        Effect::Assign(place, it) => {
            let variable = Name::of(spot.owner, place).declared(subject.model);
            misfit(value(it), variable.ty).map(|it| variable_warning(variable, it, edge.span)).into_iter().collect()
        }
        Effect::Spawn { process, arguments, .. } => {
            let variables = &subject.model.process(*process).variables;
            let wrong = variables
                .iter()
                .zip(arguments)
                .filter_map(|(variable, it)| Some((variable, misfit(value(it), variable.ty)?)));
            wrong.map(|(variable, it)| variable_warning(variable, it, edge.span)).collect()
        }
        Effect::Send { channel, message, .. } => {
            let shapes = subject.ranges.shapes(spot.owner, channel, message.len());
            let fits = |row: usize, it| {
                shapes.iter().any(|&shape| misfit(it, subject.model.shapes[shape].fields[row]).is_none())
            };
            let wrong = message.iter().map(value).enumerate().filter(|&(row, it)| !shapes.is_empty() && !fits(row, it));
            wrong
                .filter_map(|(row, it)| {
                    Some(field_warning(row, misfit(it, subject.model.shapes[shapes[0]].fields[row])?, edge.span))
                })
                .collect()
        }
        _ => Vec::new(),
    }
}

/// A value that does not fit, and what is kept of it, if it is known.
type Misfit = (Option<(i64, i32)>, Type);

/// What is wrong with storing a value, if it never fits.
fn misfit(value: Interval, ty: Type) -> Option<Misfit> {
    let never_fits = ty != Type::Channel && value.meet(Interval::of_type(ty)).is_none();
    let exact = (value.low == value.high).then(|| (value.low, ty.truncate(value.low as i32)));
    never_fits.then_some((exact, ty))
}

fn variable_warning(variable: &Variable, (exact, ty): Misfit, span: Span) -> Diagnostic {
    warning(&format!("`{}` holds", variable.name), exact, ty, span)
}

fn field_warning(row: usize, (exact, ty): Misfit, span: Span) -> Diagnostic {
    warning(&format!("field {} of the message holds", row + 1), exact, ty, span)
}

fn warning(who: &str, exact: Option<(i64, i32)>, ty: Type, span: Span) -> Diagnostic {
    let range = Interval::of_type(ty);
    let message = match exact {
        Some((value, kept)) => format!("{who} values from {} to {}: of {value}, {kept} is kept", range.low, range.high),
        None => format!("{who} values from {} to {}: what is stored here never fits", range.low, range.high),
    };
    Diagnostic::warning("truncation", span, message).help("a larger type, `short` or `int`, can hold it")
}
