//! Who looks at processes from outside: other processes, properties, the monitor of messages.
use std::collections::HashSet;

use crate::access::{effect_expressions, expressions};
use crate::{Effect, Expr, LocationId, Model, ProcessTypeId, Scope, VariableId};

use crate::variables::{Name, every_part, reads, types};

/// What is looked at from outside.
#[derive(Debug, Default)]
pub struct Observers {
    /// Variables of other processes.
    pub variables: HashSet<(ProcessTypeId, VariableId)>,
    /// Locations of other processes.
    pub locations: HashSet<(ProcessTypeId, LocationId)>,
    /// Somebody asks who moved last, where a process is or whether it can move, or processes have priorities: every
    /// single step can be seen.
    pub every_step: bool,
    /// A property reads a variable of whatever process evaluates it.
    pub any_local: bool,
}

impl Observers {
    /// Those of a model.
    pub fn new(model: &Model) -> Self {
        let mut observers = Observers { every_step: has_priorities(model), ..Observers::default() };
        expressions(model, &mut |expr| every_part(expr, &mut |part| observers.note(model, part)));
        outside(model, &mut |expr| {
            every_part(expr, &mut |part| {
                observers.note(model, part);
                observers.any_local |= matches!(part, Expr::Read(place) if place.scope == Scope::Local);
            });
        });
        observers.exclusive_channels(model);
        observers
    }

    /// Whoever uses a channel looks at what others have declared their own.
    fn exclusive_channels(&mut self, model: &Model) {
        for (owner, process) in types(model) {
            for declared in &process.exclusive {
                reads(owner, &declared.channel, &mut |name| {
                    if let Name::Local(owner, variable) = name {
                        self.variables.insert((owner, variable));
                    }
                });
            }
        }
    }

    fn note(&mut self, model: &Model, expr: &Expr) {
        match expr {
            Expr::RemoteRead { process, variable, .. } => _ = self.variables.insert((*process, *variable)),
            Expr::RemoteAt { process, location, .. } => _ = self.locations.insert((*process, *location)),
            Expr::AnyAt(mark) => {
                for (ty, process) in types(model) {
                    let locations = process.locations.iter().enumerate().filter(|it| it.1.is_marked(*mark));
                    self.locations.extend(locations.map(|it| (ty, LocationId(it.0 as u32))));
                }
            }
            Expr::LastMover | Expr::Enabled(_) | Expr::LocationOf(_) | Expr::PriorityOf(_) => self.every_step = true,
            _ => {}
        }
    }
}

fn has_priorities(model: &Model) -> bool {
    let changes = |effect: &Effect| match effect {
        Effect::Spawn { priority, .. } => *priority != Expr::Constant(1),
        Effect::SetPriority(..) => true,
        _ => false,
    };
    model.start.iter().any(|it| it.priority != 1)
        || model.processes.iter().flat_map(|it| &it.edges).flat_map(|it| &it.effects).any(changes)
}

/// Calls `visit` for every expression that belongs to no process (not for the parts of those).
pub fn outside(model: &Model, visit: &mut dyn FnMut(&Expr)) {
    model.invariants.iter().for_each(|it| visit(&it.condition));
    model.temporal_properties.iter().flat_map(|it| &it.observes).for_each(&mut *visit);
    for edge in model.monitor.iter().flat_map(|it| &it.graph.edges) {
        visit(&edge.guard);
        edge.effects.iter().for_each(|effect| effect_expressions(effect, visit));
    }
}
