//! SPIN's own resetting of dead variables (`-o1` switches it off, and so does `-o2`), neither more nor less.
//!
//! [`crate::dead`] lets a process forget whatever it will not read again. SPIN 6.5.2 looks at less: a variable is reset only by a step that
//! speaks of it itself and after which it is dead. The rule was inferred from the verifiers that SPIN writes (the comments `dead 1` and `dead 2` of `pan.m`):
//!
//! * a step that stores in a variable resets it, unless it assigns the constant 0;
//! * a condition or a receive resets what it reads, a `run` on its own its arguments; other steps do not;
//! * a `d_step` resets nothing;
//! * arrays, fields of structures and channels are never reset, nor is a variable's first value.
//!
//! So where a variable is dead on one branch alone, it keeps its value there, and there are more states than [`crate::dead`] leaves.
//! That nobody notices is shown there.
use std::collections::BTreeSet;

use model::access::effect_expressions;
use model::observers::Observers;
use model::variables::{every_part, is_plain, stores};
use model::{Edge, Effect, Expr, Model, ProcessTypeId, Scope, VariableId};

use crate::Mistake;
use crate::dead::Liveness;

/// Lets edges forget what SPIN's would.
pub fn reset(model: &mut Model, mistake: Option<Mistake>) {
    let observers = Observers::new(model);
    if observers.any_local {
        return;
    }
    for row in 0..model.processes.len() {
        let owner = ProcessTypeId(row as u32);
        let candidates = candidates(model, owner, &observers);
        let process = model.process(owner);
        let liveness = Liveness::new(process, candidates.clone(), BTreeSet::new(), mistake);
        let forgets = |(row, edge): (usize, &Edge)| -> Vec<VariableId> {
            if edge.target.is_none() || process.location(edge.source).internal {
                return Vec::new();
            }
            let named = &mentioned(edge) & &candidates;
            (&named - &liveness.after(row)).into_iter().collect()
        };
        let forgets: Vec<Vec<VariableId>> = process.edges.iter().enumerate().map(forgets).collect();
        let edges = &mut model.processes[row].edges;
        edges.iter_mut().zip(forgets).for_each(|(edge, list)| edge.forgets = list);
    }
}

/// Plain variables that nobody else reads.
fn candidates(model: &Model, owner: ProcessTypeId, observers: &Observers) -> BTreeSet<VariableId> {
    let process = model.process(owner);
    let mut always = BTreeSet::new();
    let conditions = process.provided.iter().chain(process.exclusive.iter().map(|it| &it.channel));
    conditions.for_each(|it| note(it, &mut always));
    let fits = |id: &VariableId| {
        let variable = &process.variables[id.0 as usize];
        let is_scalar = variable.dimensions.is_empty() && !variable.name.contains('.');
        is_plain(variable) && is_scalar && !always.contains(id) && !observers.variables.contains(&(owner, *id))
    };
    (0..process.variables.len()).map(|row| VariableId(row as u32)).filter(fits).collect()
}

/// The own variables that a step stores in or, if it is one that waits, reads.
fn mentioned(edge: &Edge) -> BTreeSet<VariableId> {
    let mut list = BTreeSet::new();
    for effect in edge.effects.iter().filter(|it| !matches!(it, Effect::Assign(_, Expr::Constant(0)))) {
        let places = stores(effect).into_iter().filter(|it| it.scope == Scope::Local);
        list.extend(places.map(|it| it.variable));
    }
    if edge.effects.iter().all(|it| matches!(it, Effect::Receive { .. } | Effect::Spawn { .. })) {
        note(&edge.guard, &mut list);
        edge.effects.iter().for_each(|it| effect_expressions(it, &mut |expr| note(expr, &mut list)));
    }
    list
}

fn note(expr: &Expr, list: &mut BTreeSet<VariableId>) {
    every_part(expr, &mut |part| {
        if let Expr::Read(place) = part
            && place.scope == Scope::Local
        {
            list.insert(place.variable);
        }
    });
}
