//! A variable that is given values and never asked for one, or never used at all.
//!
//! Steps that do nothing but write it cost states, and mostly a name was mistaken for another. What `printf` shows is
//! read; `x = x + 1` reads `x` only for itself. `hidden` and `show` say that it is meant.
use std::collections::{BTreeMap, HashSet};

use front_promela::ast::{Declaration, Prefix, StatementKind, Tree, Unit};
use model::access::effect_expressions;
use model::observers::outside;
use model::variables::{Name, all, assigned, is_plain, reads, stores, types};
use model::{Effect, Expr, Initial, Model, ProcessTypeId};
use text::{Diagnostic, Span};

use crate::Subject;

pub fn look(subject: &Subject) -> Vec<Diagnostic> {
    let model = subject.model;
    let (read, written) = (read(model), assigned(model));
    // The fields of a record are declared in one place: it is used if one of them is.
    let mut places: BTreeMap<(Option<ProcessTypeId>, Span), Vec<Name>> = BTreeMap::new();
    for name in all(model).into_iter().filter(|it| !is_parameter(model, *it)) {
        let owner = if let Name::Local(owner, _) = name { Some(owner) } else { None };
        places.entry((owner, name.declared(model).span)).or_default().push(name);
    }
    let unread = places.into_values().filter(|names| {
        let is_meant = |it: &model::Variable| it.hidden || subject.shown.contains(&it.span);
        names.iter().all(|it| {
            let declared = it.declared(model);
            !read.contains(it) && is_plain(declared) && !is_meant(declared)
        })
    });
    unread.map(|names| warning(model, &names, names.iter().any(|it| written.contains(it)))).collect()
}

/// The places of all names that are declared with `show`.
pub fn shown(tree: &Tree) -> HashSet<Span> {
    let mut places = HashSet::new();
    let mut declared = |it: &Declaration| {
        let shown = it.variables.iter().filter(|_| it.prefix == Some(Prefix::Show));
        places.extend(shown.map(|it| it.name.at.0));
    };
    for unit in &tree.units {
        match unit {
            Unit::Declaration(it) => declared(it),
            Unit::Process(process) => {
                for statement in &process.body.statements {
                    if let StatementKind::Declaration(it) = &statement.kind {
                        declared(it);
                    }
                }
            }
            _ => {}
        }
    }
    places
}

fn is_parameter(model: &Model, name: Name) -> bool {
    matches!(name, Name::Local(owner, id) if id.0 < model.process(owner).parameters)
}

fn warning(model: &Model, names: &[Name], written: bool) -> Diagnostic {
    let variable = names[0].declared(model);
    let name = in_common(&names.iter().map(|it| &*it.declared(model).name).collect::<Vec<_>>());
    if !written {
        return Diagnostic::warning("never-used", variable.span, format!("the variable `{name}` is never used"));
    }
    let message = format!("the variable `{name}` is given values, but nobody ever reads it");
    let help = if only_received(model, names) {
        "write `_` where a message field is not needed"
    } else {
        "leave it out, or declare it `hidden` or `show` if it is there for the reader"
    };
    Diagnostic::warning("never-read", variable.span, message).help(help)
}

/// What variables of one place are called: the record whose fields they are, or, if they are the same of several processes, the first.
fn in_common(names: &[&str]) -> String {
    let parts = |name: &str| name.split('.').map(String::from).collect::<Vec<_>>();
    let first = parts(names[0]);
    let common = |length: &usize| names.iter().all(|it| parts(it).get(..*length) == Some(&first[..*length]));
    let length = (1..=first.len()).rev().find(common).unwrap_or(first.len());
    first[..length].join(".")
}

/// Whether all the values that variables get come in messages.
fn only_received(model: &Model, names: &[Name]) -> bool {
    types(model).all(|(owner, process)| {
        let effects = process.edges.iter().flat_map(|it| &it.effects);
        let mut others = effects.filter(|it| !matches!(it, Effect::Receive { .. }));
        !others.any(|it| stores(it).into_iter().any(|place| names.contains(&Name::of(owner, place))))
    })
}

/// Everything that somebody reads, not counting what a variable does to itself.
fn read(model: &Model) -> HashSet<Name> {
    let mut list = HashSet::new();
    let nobody = ProcessTypeId(u32::MAX);
    outside(model, &mut |expr| reads(nobody, expr, &mut |it| _ = list.insert(it)));
    declared(model, &mut |owner, expr| reads(owner, expr, &mut |it| _ = list.insert(it)));
    for (owner, process) in types(model) {
        for edge in &process.edges {
            reads(owner, &edge.guard, &mut |it| _ = list.insert(it));
            for effect in &edge.effects {
                let target = if let Effect::Assign(place, _) = effect { Some(Name::of(owner, place)) } else { None };
                effect_expressions(effect, &mut |expr| {
                    reads(owner, expr, &mut |it| {
                        if Some(it) != target {
                            list.insert(it);
                        }
                    });
                });
            }
        }
    }
    list
}

/// The expressions of declarations.
fn declared(model: &Model, visit: &mut dyn FnMut(ProcessTypeId, &Expr)) {
    let mut values = |owner, initial: &Initial| {
        if let Initial::Values(values) = initial {
            values.iter().for_each(|it| visit(owner, it));
        }
    };
    model.globals.iter().for_each(|it| values(ProcessTypeId(0), &it.initial));
    for (owner, process) in types(model) {
        process.variables.iter().for_each(|it| values(owner, &it.initial));
    }
    for (owner, process) in types(model) {
        process.provided.iter().for_each(|it| visit(owner, it));
        process.exclusive.iter().for_each(|it| visit(owner, &it.channel));
    }
}

#[cfg(test)]
mod tests {
    use super::in_common;

    #[test]
    fn variables_of_one_place_have_the_name_that_was_written_there() {
        assert_eq!(in_common(&["x"]), "x");
        assert_eq!(in_common(&["D[1].on"]), "D[1].on");
        assert_eq!(in_common(&["D[1].on", "D[2].on"]), "D[1].on");
        assert_eq!(in_common(&["r.a", "r.b"]), "r");
        assert_eq!(in_common(&["r.a.x", "r.a.y"]), "r.a");
        assert_eq!(in_common(&["r", "r"]), "r");
    }
}
