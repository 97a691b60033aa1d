//! SPIN's own hiding of variables that are only written (`-o2` switches it off), neither more nor less.
//!
//! [`crate::hide`] removes what does not matter, however indirectly. SPIN 6.5.2 hides only global variables, arrays included, that no statement and no property
//! reads. A print is no reader, nor is `n++` or `n--`, but `n = n + 1` is, and so is a receive that stores in the variable. Fields of structures, channels
//! and variables of processes stay, and so does what is only read to be stored in something hidden.
use std::collections::HashSet;

use model::access::effect_expressions;
use model::observers::{Observers, outside};
use model::variables::{Name, all, is_plain, reads, stores, types};
use model::{Edge, Effect, Expr, Initial, Model, ProcessTypeId, Variable};

use crate::Mistake;
use crate::faults::Types;
use crate::hide::{Needs, remove};

/// Removes what is stored in globals that nobody reads.
pub fn hide(model: &mut Model, mistake: Option<Mistake>) {
    if Observers::new(model).any_local {
        return;
    }
    let read = read(model, mistake);
    let hidden = |name: &Name| {
        let declared = name.declared(model);
        let fits = is_plain(declared) && !declared.name.contains('.');
        matches!(name, Name::Global(_)) && fits && !read.contains(name)
    };
    let needed = all(model).into_iter().filter(|it| !hidden(it)).collect();
    remove(model, &Needs { needed, mistake });
}

/// The variables that somebody reads.
fn read(model: &Model, mistake: Option<Mistake>) -> HashSet<Name> {
    let mut list = HashSet::new();
    let mut note = |owner: ProcessTypeId, expr: &Expr| reads(owner, expr, &mut |name| _ = list.insert(name));
    outside(model, &mut |expr| note(ProcessTypeId(0), expr));
    model.globals.iter().flat_map(first_values).for_each(|it| note(ProcessTypeId(0), it));
    for (owner, process) in types(model) {
        process.variables.iter().flat_map(first_values).for_each(|it| note(owner, it));
        process.provided.iter().for_each(|it| note(owner, it));
        process.exclusive.iter().for_each(|it| note(owner, &it.channel));
        let types = Types::new(model, owner);
        for edge in &process.edges {
            if mistake != Some(Mistake::HideTested) {
                note(owner, &edge.guard);
            }
            read_by(&types, edge, &mut |expr| note(owner, expr));
        }
    }
    list
}

fn first_values(variable: &Variable) -> &[Expr] {
    match &variable.initial {
        Initial::Values(values) => values,
        Initial::Zero | Initial::Channels(_) => &[],
    }
}

/// Calls `note` for the expressions in what a step does that count as reads.
fn read_by(types: &Types<'_>, edge: &Edge, note: &mut dyn FnMut(&Expr)) {
    for effect in &edge.effects {
        match effect {
            Effect::Assign(place, value) if edge.form.counts && !types.can_fault(value) => {
                place.indices.iter().for_each(&mut *note);
            }
            Effect::Print(_) => effect_expressions(effect, &mut |it| {
                if types.can_fault(it) {
                    note(it);
                }
            }),
            _ => effect_expressions(effect, note),
        }
        if matches!(effect, Effect::Receive { .. }) {
            stores(effect).into_iter().for_each(|it| note(&Expr::Read(it.clone())));
        }
    }
}
