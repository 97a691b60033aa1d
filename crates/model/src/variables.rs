//! Which variables there are, which of them steps assign to, and which expressions read them.
use std::collections::HashSet;

use crate::{
    Edge, Effect, Expr, Initial, Model, Pattern, Place, ProcessType, ProcessTypeId, Scope, Type, Variable, VariableId,
};

/// A variable of the model.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Name {
    /// A global one.
    Global(VariableId),
    /// One that every process of a type has.
    Local(ProcessTypeId, VariableId),
}

impl Name {
    /// The variable that a process of type `owner` means by a place.
    pub fn of(owner: ProcessTypeId, place: &Place) -> Name {
        match place.scope {
            Scope::Global => Name::Global(place.variable),
            Scope::Local => Name::Local(owner, place.variable),
        }
    }

    /// Its declaration.
    pub fn declared(self, model: &Model) -> &Variable {
        match self {
            Name::Global(id) => &model.globals[id.0 as usize],
            Name::Local(owner, id) => &model.process(owner).variables[id.0 as usize],
        }
    }
}

/// All variables.
pub fn all(model: &Model) -> Vec<Name> {
    let mut list: Vec<Name> = (0..model.globals.len()).map(|row| Name::Global(VariableId(row as u32))).collect();
    for (owner, process) in types(model) {
        list.extend((0..process.variables.len()).map(|row| Name::Local(owner, VariableId(row as u32))));
    }
    list
}

/// All process types with their numbers.
pub fn types(model: &Model) -> impl Iterator<Item = (ProcessTypeId, &ProcessType)> {
    model.processes.iter().enumerate().map(|(row, process)| (ProcessTypeId(row as u32), process))
}

/// Where an effect stores values.
pub fn stores(effect: &Effect) -> Vec<&Place> {
    match effect {
        Effect::Assign(place, _) => vec![place],
        Effect::Receive { patterns, .. } => patterns.iter().filter_map(stored).collect(),
        _ => Vec::new(),
    }
}

fn stored(pattern: &Pattern) -> Option<&Place> {
    match pattern {
        Pattern::Store(place) => Some(place),
        Pattern::Match(_) | Pattern::Any => None,
    }
}

/// The variables to which some step assigns.
pub fn assigned(model: &Model) -> HashSet<Name> {
    let mut list = HashSet::new();
    for (owner, process) in types(model) {
        let effects = process.edges.iter().flat_map(|it| &it.effects);
        list.extend(effects.flat_map(stores).map(|place| Name::of(owner, place)));
        let forgets = process.edges.iter().flat_map(|it| &it.forgets);
        list.extend(forgets.map(|&variable| Name::Local(owner, variable)));
    }
    list
}

/// Whether a variable holds plain numbers, not channels.
pub fn is_plain(variable: &Variable) -> bool {
    variable.ty != Type::Channel && !matches!(variable.initial, Initial::Channels(_))
}

/// Calls `visit` for an expression and all its parts.
pub fn every_part(expr: &Expr, visit: &mut dyn FnMut(&Expr)) {
    visit(expr);
    expr.parts(&mut |part| every_part(part, visit));
}

/// Calls `visit` for every variable that an expression reads as a process of type `owner`.
pub fn reads(owner: ProcessTypeId, expr: &Expr, visit: &mut dyn FnMut(Name)) {
    every_part(expr, &mut |part| match part {
        Expr::Read(place) => visit(Name::of(owner, place)),
        Expr::RemoteRead { process, variable, .. } => visit(Name::Local(*process, *variable)),
        _ => {}
    });
}

/// Whether a choice in order can come to the edge behind this one because this one has to wait for something
/// that its guard does not tell.
pub fn can_wait(effect: &Effect) -> bool {
    !matches!(effect, Effect::Assign(..) | Effect::Evaluate(_) | Effect::Assert(_) | Effect::Print(_))
}

/// The number of an edge of this process.
pub fn row_of(process: &ProcessType, edge: &Edge) -> usize {
    let mut edges = process.outgoing(edge.source);
    edges.find(|it| std::ptr::eq(it.1, edge)).map_or(0, |it| it.0.0 as usize)
}
