//! What a step reads and writes: the facts that reductions, slicing and symbolic engines build on.
//!
//! The sets are over-approximations: an element of an array counts as the whole array, and a
//! channel that is only known at run time counts as every channel.
use std::collections::BTreeSet;

use crate::{
    Edge, Effect, Expr, Initial, LocationId, Model, Pattern, Place, PrintPart, ProcessType, ProcessTypeId, Scope,
    VariableId,
};

/// Something that a step can read or write.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Resource {
    /// A global variable.
    Global(VariableId),
    /// A variable of the process itself.
    Local(VariableId),
    /// A variable of processes of this type, seen from outside.
    Remote(ProcessTypeId, VariableId),
    /// The control location of processes of this type, seen from outside.
    RemoteLocation(ProcessTypeId),
    /// The contents of channels that a global variable names.
    GlobalChannel(VariableId),
    /// The contents of channels that a variable of the process names.
    LocalChannel(VariableId),
    /// The contents of any channel.
    AnyChannel,
    /// Which processes exist.
    Processes,
    /// Which process moved last.
    LastMover,
    /// Priorities.
    Priorities,
    /// Everything: the step depends on what the whole system can do.
    Everything,
}

/// What an edge reads and writes.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Access {
    /// Whose values can matter to whether the step is possible and what it does.
    pub reads: BTreeSet<Resource>,
    /// What the step can change.
    pub writes: BTreeSet<Resource>,
}

/// What an edge of `process` reads and writes, its indivisible region included.
pub fn of_edge(process: &ProcessType, edge: &Edge) -> Access {
    let mut access = Access::default();
    access.edge(edge);
    for effect in &edge.effects {
        if let Effect::Indivisible(entry) = effect {
            region(process, *entry).iter().for_each(|inner| access.edge(inner));
        }
    }
    if let Some(provided) = &process.provided {
        access.read(provided);
    }
    access
}

/// The edges of an indivisible region.
pub fn region(process: &ProcessType, entry: LocationId) -> Vec<&Edge> {
    let mut seen = BTreeSet::from([entry]);
    let mut waiting = vec![entry];
    let mut edges = Vec::new();
    while let Some(location) = waiting.pop() {
        for (_, edge) in process.outgoing(location) {
            edges.push(edge);
            let inner = edge.target.filter(|&target| process.location(target).internal);
            waiting.extend(inner.filter(|&target| seen.insert(target)));
        }
    }
    edges
}

impl Access {
    fn edge(&mut self, edge: &Edge) {
        self.read(&edge.guard);
        edge.effects.iter().for_each(|effect| self.effect(effect));
        self.writes.extend(edge.forgets.iter().map(|&variable| Resource::Local(variable)));
    }

    fn effect(&mut self, effect: &Effect) {
        match effect {
            Effect::Assign(place, _) => self.write(place),
            Effect::Send { channel, .. } => self.use_channel(channel, true),
            Effect::Receive { channel, patterns, keep, .. } => {
                self.use_channel(channel, !keep);
                self.stores(patterns);
            }
            Effect::Spawn { .. } | Effect::Terminate => {
                self.reads.insert(Resource::Processes);
                self.writes.insert(Resource::Processes);
            }
            Effect::SetPriority(..) => {
                self.writes.insert(Resource::Priorities);
            }
            Effect::Evaluate(_)
            | Effect::Require(_)
            | Effect::Assert(_)
            | Effect::Print(_)
            | Effect::Indivisible(_) => {}
        }
        effect_expressions(effect, &mut |expr| self.read(expr));
    }

    fn stores(&mut self, patterns: &[Pattern]) {
        for pattern in patterns {
            if let Pattern::Store(place) = pattern {
                self.write(place);
            }
        }
    }

    fn write(&mut self, place: &Place) {
        self.writes.insert(variable(place));
        place.indices.iter().for_each(|index| self.read(index));
    }

    fn use_channel(&mut self, channel: &Expr, changes: bool) {
        let contents = contents(channel);
        self.reads.insert(contents);
        if changes {
            self.writes.insert(contents);
        }
    }

    fn read(&mut self, expr: &Expr) {
        match expr {
            Expr::Read(place) => drop(self.reads.insert(variable(place))),
            Expr::Length(channel) | Expr::Full(channel) | Expr::Empty(channel) => self.use_channel(channel, false),
            Expr::Poll { channel, .. } => self.use_channel(channel, false),
            Expr::ProcessCount => drop(self.reads.insert(Resource::Processes)),
            Expr::LastMover => drop(self.reads.insert(Resource::LastMover)),
            Expr::Enabled(_) | Expr::Timeout | Expr::LocationOf(_) | Expr::AnyAt(_) => {
                self.reads.insert(Resource::Everything);
            }
            Expr::PriorityOf(_) => drop(self.reads.insert(Resource::Priorities)),
            Expr::RemoteAt { process, .. } => {
                self.reads.extend([Resource::RemoteLocation(*process), Resource::Processes]);
            }
            Expr::RemoteRead { process, variable, .. } => {
                self.reads.extend([Resource::Remote(*process, *variable), Resource::Processes]);
            }
            _ => {}
        }
        expr.parts(&mut |part| self.read(part));
    }
}

fn variable(place: &Place) -> Resource {
    match place.scope {
        Scope::Global => Resource::Global(place.variable),
        Scope::Local => Resource::Local(place.variable),
    }
}

fn contents(channel: &Expr) -> Resource {
    match channel {
        Expr::Read(Place { scope: Scope::Global, variable, .. }) => Resource::GlobalChannel(*variable),
        Expr::Read(Place { scope: Scope::Local, variable, .. }) => Resource::LocalChannel(*variable),
        _ => Resource::AnyChannel,
    }
}

/// Calls `visit` for every expression of an effect (not for the parts of those), places' indices included.
pub fn effect_expressions(effect: &Effect, visit: &mut dyn FnMut(&Expr)) {
    match effect {
        Effect::Assign(place, value) => {
            place.indices.iter().for_each(&mut *visit);
            visit(value);
        }
        Effect::Evaluate(expr) | Effect::Require(expr) | Effect::Assert(expr) => visit(expr),
        Effect::Send { channel, message, .. } => {
            visit(channel);
            message.iter().for_each(visit);
        }
        Effect::Receive { channel, patterns, .. } => {
            visit(channel);
            for pattern in patterns {
                match pattern {
                    Pattern::Match(expr) => visit(expr),
                    Pattern::Store(place) => place.indices.iter().for_each(&mut *visit),
                    Pattern::Any => {}
                }
            }
        }
        Effect::Print(parts) => {
            for part in parts {
                if let PrintPart::Value(_, expr) | PrintPart::Name(_, expr) = part {
                    visit(expr);
                }
            }
        }
        Effect::Spawn { arguments, priority, .. } => {
            arguments.iter().for_each(&mut *visit);
            visit(priority);
        }
        Effect::SetPriority(process, priority) => {
            visit(process);
            visit(priority);
        }
        Effect::Indivisible(_) | Effect::Terminate => {}
    }
}

/// Calls `visit` for every expression of a model (not for the parts of those).
pub fn expressions(model: &Model, visit: &mut dyn FnMut(&Expr)) {
    let locals = model.processes.iter().flat_map(|process| &process.variables);
    for variable in model.globals.iter().chain(locals) {
        if let Initial::Values(values) = &variable.initial {
            values.iter().for_each(&mut *visit);
        }
    }
    model.invariants.iter().for_each(|it| visit(&it.condition));
    model.temporal_properties.iter().flat_map(|it| &it.observes).for_each(&mut *visit);
    for process in &model.processes {
        process.provided.iter().for_each(&mut *visit);
        process.exclusive.iter().for_each(|it| visit(&it.channel));
        for edge in &process.edges {
            visit(&edge.guard);
            edge.effects.iter().for_each(|effect| effect_expressions(effect, visit));
        }
    }
}

/// Calls `visit` for every expression of a model and for all parts of those.
pub fn expressions_mut(model: &mut Model, visit: &mut dyn FnMut(&mut Expr)) {
    let locals = model.processes.iter_mut().flat_map(|process| &mut process.variables);
    for variable in model.globals.iter_mut().chain(locals) {
        if let Initial::Values(values) = &mut variable.initial {
            values.iter_mut().for_each(|value| value.all_mut(visit));
        }
    }
    model.invariants.iter_mut().for_each(|it| it.condition.all_mut(visit));
    model.temporal_properties.iter_mut().flat_map(|it| &mut it.observes).for_each(|it| it.all_mut(visit));
    for process in &mut model.processes {
        process.provided.iter_mut().for_each(|it| it.all_mut(visit));
        process.exclusive.iter_mut().for_each(|it| it.channel.all_mut(visit));
        for edge in &mut process.edges {
            edge.guard.all_mut(visit);
            edge.effects.iter_mut().for_each(|effect| effect_expressions_mut(effect, visit));
        }
    }
}

/// Calls `visit` for every expression of an effect and for all parts of those.
pub fn effect_expressions_mut(effect: &mut Effect, visit: &mut dyn FnMut(&mut Expr)) {
    let mut all = |expr: &mut Expr| expr.all_mut(visit);
    match effect {
        Effect::Assign(place, value) => {
            place.indices.iter_mut().for_each(&mut all);
            all(value);
        }
        Effect::Evaluate(expr) | Effect::Require(expr) | Effect::Assert(expr) => all(expr),
        Effect::Send { channel, message, .. } => {
            all(channel);
            message.iter_mut().for_each(all);
        }
        Effect::Receive { channel, patterns, .. } => {
            all(channel);
            patterns.iter_mut().for_each(|pattern| pattern.expressions_mut(&mut all));
        }
        Effect::Print(parts) => {
            for part in parts {
                if let PrintPart::Value(_, expr) | PrintPart::Name(_, expr) = part {
                    all(expr);
                }
            }
        }
        Effect::Spawn { arguments, priority, .. } => {
            arguments.iter_mut().for_each(&mut all);
            all(priority);
        }
        Effect::SetPriority(process, priority) => {
            all(process);
            all(priority);
        }
        Effect::Indivisible(_) | Effect::Terminate => {}
    }
}
