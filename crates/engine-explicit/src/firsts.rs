//! Who may go first in a state: [`reduction::Roles`], looked up for the processes that are there.
use std::collections::HashMap;
use std::sync::Arc;

use compiled::Steps;
use reduction::facts::Facts;
use reduction::{Actor, Condition, Mistake, Role, Roles, Stage};

/// The roles of all stages that were seen so far.
pub struct Firsts<'a> {
    facts: Facts<'a>,
    /// What is wrong on purpose.
    pub mistake: Option<Mistake>,
    stages: HashMap<Vec<u32>, Arc<Roles>>,
    /// The stage of the state that was looked at last.
    key: Vec<u32>,
    roles: Arc<Roles>,
    /// The same in the making.
    next: Vec<u32>,
}

impl<'a> Firsts<'a> {
    /// For the states of a model, if it can be reduced.
    pub fn new(facts: Facts<'a>, mistake: Option<Mistake>) -> Option<Self> {
        if facts.refusal().is_some() {
            return None;
        }
        let roles = Arc::new(Roles::new(&facts, &Stage::default()));
        Some(Firsts { facts, mistake, stages: HashMap::new(), key: Vec::new(), roles, next: Vec::new() })
    }

    /// Takes up a state.
    pub fn look_at(&mut self, steps: &mut Steps<'_>, state: &[u64]) {
        steps.look_at(state);
        steps.stage(&mut self.next);
        for process in 0..steps.process_count() {
            let (ty, location) = (steps.type_of(process), steps.location_of(process));
            if !self.facts.offspring(ty, location).is_empty() {
                self.next.extend([u32::MAX, process as u32, location.0]);
            }
        }
        if self.next != self.key {
            std::mem::swap(&mut self.next, &mut self.key);
            self.roles = match self.stages.get(&self.key) {
                Some(roles) => roles.clone(),
                None => self.set_up(steps),
            };
        }
    }

    /// A stage that was not seen before.
    fn set_up(&mut self, steps: &Steps<'_>) -> Arc<Roles> {
        let actor = |process| {
            let known = steps.lasting_values(process);
            Actor { ty: steps.type_of(process), number: u8::try_from(process).ok(), known }
        };
        let mut actors: Vec<Actor> = (0..steps.process_count()).map(actor).collect();
        let mut offspring: Vec<_> = (0..steps.process_count())
            .flat_map(|it| self.facts.offspring(steps.type_of(it), steps.location_of(it)))
            .collect();
        offspring.sort_unstable();
        offspring.dedup();
        // Two of a kind, since they may get into each other's way.
        let later = offspring.into_iter().flat_map(|&ty| [ty; 2]);
        actors.extend(later.map(|ty| Actor { ty, number: None, known: Vec::new() }));
        let stage = Stage { actors, capacities: steps.capacities() };
        let roles = Arc::new(Roles::with_mistake(&self.facts, &stage, self.mistake));
        self.stages.insert(self.key.clone(), roles.clone());
        roles
    }

    /// Whether a process of the state that was taken up may go first, if it can move.
    #[inline]
    pub fn may_go(&self, steps: &Steps<'_>, process: usize) -> bool {
        match self.roles.role(process, steps.location_of(process)) {
            Some(Role::Always) => true,
            Some(Role::If(conditions)) => conditions.iter().all(|it| holds(steps, *it)),
            Some(Role::Never(..)) | None => false,
        }
    }
}

fn holds(steps: &Steps<'_>, condition: Condition) -> bool {
    match condition {
        Condition::HasMessage(channel) => steps.messages_in(channel) > 0,
        Condition::HasRoom(channel) => steps.messages_in(channel) < steps.capacity_of(channel),
    }
}
