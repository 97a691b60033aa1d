//! What is known of a model as a whole.
use std::collections::HashSet;

use model::observers::Observers;
use model::variables::types;
use model::{Effect, LocationId, Model, ProcessTypeId};

use crate::channels::Channels;

/// Facts that no stage changes.
pub struct Facts<'m> {
    /// The model.
    pub model: &'m Model,
    /// Who looks at processes from outside.
    pub observers: Observers,
    /// Which channels are named where.
    pub channels: Channels,
    /// Per type and location: the types of which a process there may create others, or these again.
    offspring: Vec<Vec<HashSet<ProcessTypeId>>>,
}

impl<'m> Facts<'m> {
    /// Those of a model.
    pub fn new(model: &'m Model) -> Facts<'m> {
        Facts { model, observers: Observers::new(model), channels: Channels::new(model), offspring: offspring(model) }
    }

    /// Why the model is not reduced at all, if it is not.
    pub fn refusal(&self) -> Option<&'static str> {
        if self.observers.every_step {
            return Some("somebody can see every single step: priorities, `_last`, `enabled` or `pc_value`");
        }
        self.model.monitor.as_ref().map(|_| "a trace assertion watches the order of messages")
    }

    /// Whether processes of a type ever create others.
    pub fn is_parent(&self, ty: ProcessTypeId) -> bool {
        self.offspring[ty.0 as usize].iter().any(|it| !it.is_empty())
    }

    /// The types of processes that one of this type may create when it is here, and that those may create.
    pub fn offspring(&self, ty: ProcessTypeId, location: LocationId) -> &HashSet<ProcessTypeId> {
        &self.offspring[ty.0 as usize][location.0 as usize]
    }
}

fn offspring(model: &Model) -> Vec<Vec<HashSet<ProcessTypeId>>> {
    let mut sets: Vec<Vec<HashSet<ProcessTypeId>>> =
        model.processes.iter().map(|it| vec![HashSet::new(); it.locations.len()]).collect();
    loop {
        let before: usize = sets.iter().flatten().map(HashSet::len).sum();
        for (owner, process) in types(model) {
            for edge in &process.edges {
                let mut more: HashSet<ProcessTypeId> = HashSet::new();
                for effect in &edge.effects {
                    match effect {
                        Effect::Spawn { process: child, .. } => {
                            more.insert(*child);
                            more.extend(&sets[child.0 as usize][model.process(*child).entry.0 as usize]);
                        }
                        Effect::Indivisible(entry) => more.extend(&sets[owner.0 as usize][entry.0 as usize]),
                        _ => {}
                    }
                }
                if let Some(target) = edge.target {
                    more.extend(&sets[owner.0 as usize][target.0 as usize]);
                }
                sets[owner.0 as usize][edge.source.0 as usize].extend(more);
            }
        }
        if sets.iter().flatten().map(HashSet::len).sum::<usize>() == before {
            return sets;
        }
    }
}
