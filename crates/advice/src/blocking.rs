//! A choice that can wait for ever: none of its options is true, and nobody else can make one true.
//!
//! In most languages such an `if` does nothing; in Promela it waits. To wait for others is what choices are for, so only
//! those are meant that ask for nothing but what the process itself can change.
use model::variables::{every_part, stores};
use model::{Effect, Expr, Initial, Model, Place, ProcessTypeId, Scope};
use text::Diagnostic;

use crate::options::is_condition;
use crate::{Spot, Subject, witness};

pub fn look(subject: &Subject) -> Vec<Diagnostic> {
    subject.spots().filter_map(|spot| stuck(subject, spot)).collect()
}

fn stuck(subject: &Subject, spot: Spot) -> Option<Diagnostic> {
    let selection = subject.selections.around(&spot.edges)?;
    let conditions: Vec<&Expr> = spot.edges.iter().map(|it| &it.guard).collect();
    let alone = spot.edges.iter().all(|it| is_condition(it)) && conditions.iter().all(|it| is_own(it));
    let locals = alone.then(|| narrowed(subject, &spot, &conditions)).flatten()?;
    let range = |it: &Expr| subject.ranges.value(spot.owner, &locals, it);
    let found = witness::all_false(&conditions, &range, &|it| assigned(subject.model, spot.owner, it))?;
    let word = if selection.repeats { "do" } else { "if" };
    let message = format!("this `{word}` waits for ever{}", example(subject, spot.owner, &found));
    let more = if selection.repeats { ":: else -> break" } else { ":: else" };
    let help = format!("no other process can change that; write one more option, `{more}`, for all other cases");
    Some(Diagnostic::warning("blocking-choice", selection.span, message).help(help))
}

/// Whether only the process itself can change what an expression is.
fn is_own(expr: &Expr) -> bool {
    let mut own = true;
    every_part(expr, &mut |part| {
        own &= match part {
            Expr::Read(place) => place.scope == Scope::Local,
            Expr::Constant(_) | Expr::Unary(..) | Expr::Binary(..) | Expr::Conditional(..) | Expr::Me => true,
            _ => false,
        }
    });
    own
}

/// The values that a variable of a process ever has, if it is given constants only.
fn assigned(model: &Model, owner: ProcessTypeId, expr: &Expr) -> Option<Vec<i32>> {
    let process = model.process(owner);
    let Expr::Read(Place { scope: Scope::Local, variable, indices }) = expr else { return None };
    let declared = &process.variables[variable.0 as usize];
    let constants = |it: &Expr| witness::constant(it).map(|it| declared.ty.truncate(it));
    let mut values = match &declared.initial {
        Initial::Values(list) => list.iter().map(constants).collect::<Option<Vec<i32>>>()?,
        _ => vec![0],
    };
    let effects = process.edges.iter().flat_map(|it| &it.effects);
    for effect in effects.filter(|it| stores(it).iter().any(|it| it.scope == Scope::Local && it.variable == *variable))
    {
        let Effect::Assign(_, value) = effect else { return None };
        values.push(constants(value)?);
    }
    (indices.is_empty() && variable.0 >= process.parameters).then_some(values)
}

/// What variables hold when all conditions are false; each may say more once another was heard.
fn narrowed(subject: &Subject, spot: &Spot, conditions: &[&Expr]) -> Option<Vec<optimize::Interval>> {
    let mut locals = spot.locals.clone();
    loop {
        let before = locals.clone();
        let possible = conditions.iter().all(|it| subject.ranges.narrow(spot.owner, it, false, &mut locals));
        if !possible || locals == before {
            return possible.then_some(locals);
        }
    }
}

/// `, for example if `x` is 3`.
fn example(subject: &Subject, owner: ProcessTypeId, found: &[(&Expr, i32)]) -> String {
    let variables = &subject.model.process(owner).variables;
    let parts: Vec<String> = found
        .iter()
        .filter_map(|(expr, value)| match expr {
            Expr::Read(place) if place.indices.is_empty() => {
                let variable = &variables[place.variable.0 as usize];
                let names = variable.enumeration.and_then(|it| subject.model.enumerations.get(it.0 as usize));
                let name = names.and_then(|it| it.get(*value as usize)).filter(|it| !it.is_empty());
                Some(format!("`{}` is {}", variable.name, name.map_or(value.to_string(), |it| format!("`{it}`"))))
            }
            _ => None,
        })
        .collect();
    match (parts.len(), found.len()) {
        (0, _) => " if none of its options is true".to_string(),
        (all, several) if all == several => format!(" if {}", parts.join(" and ")),
        _ => " if none of its options is true".to_string(),
    }
}
