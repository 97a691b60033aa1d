//! Who may go first in a state: [`reduction::Roles`], looked up for the processes that are there.
use std::collections::HashMap;
use std::sync::Arc;

use compiled::Steps;
use model::ProcessTypeId;
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
    /// How many processes there were, if that tells which.
    count: Option<usize>,
    /// Those of them that may have created others, and do so no more.
    parents: Vec<(usize, ProcessTypeId)>,
}

impl<'a> Firsts<'a> {
    /// For the states of a model, if it can be reduced.
    pub fn new(facts: Facts<'a>, mistake: Option<Mistake>) -> Option<Self> {
        if facts.refusal().is_some() {
            return None;
        }
        let roles = Arc::new(Roles::new(&facts, &Stage::default()));
        let (stages, key, next, parents) = (HashMap::new(), Vec::new(), Vec::new(), Vec::new());
        Some(Firsts { facts, mistake, stages, key, roles, next, count: None, parents })
    }

    /// Takes up a state.
    pub fn look_at(&mut self, steps: &mut Steps<'_>, state: &[u64]) {
        steps.look_at(state);
        if !self.is_same_stage(steps, state) {
            self.find_stage(steps);
        }
    }

    /// Whether it is certain, at a glance, that a state has the same processes as the one that was looked at last.
    #[inline]
    fn is_same_stage(&self, steps: &Steps<'_>, state: &[u64]) -> bool {
        let is_done = |&(process, ty): &(usize, ProcessTypeId)| {
            self.facts.offspring(ty, steps.location_in(process, state)).is_empty()
        };
        self.count == Some(steps.count_in(state)) && self.parents.iter().all(is_done)
    }

    fn find_stage(&mut self, steps: &Steps<'_>) {
        steps.stage(&mut self.next);
        let stage = self.next.len();
        for process in 0..steps.process_count() {
            let (ty, location) = (steps.type_of(process), steps.location_of(process));
            if !self.facts.offspring(ty, location).is_empty() {
                self.next.extend([u32::MAX, process as u32, location.0]);
            }
        }
        let count = steps.process_count();
        self.count = Some(count).filter(|_| self.next.len() == stage && steps.is_one_cast());
        self.parents.clear();
        let types = (0..count).map(|it| (it, steps.type_of(it)));
        self.parents.extend(types.filter(|it| self.facts.is_parent(it.1)));
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

    /// Whether it is certain, at a glance, that nobody may go first in a state.
    #[inline]
    pub fn is_still(&self, steps: &Steps<'_>, state: &[u64]) -> bool {
        self.is_same_stage(steps, state) && !self.roles.movers().iter().any(|&it| self.may_go(steps, it, state))
    }

    /// Whether a process may go first in a state that has the same processes as the one that was taken up, if it can move.
    #[inline]
    pub fn may_go(&self, steps: &Steps<'_>, process: usize, state: &[u64]) -> bool {
        let holds = |condition: &Condition| match *condition {
            Condition::IsYoungest => process + 1 == steps.count_in(state),
            Condition::HasMessage(channel) => steps.messages_in(channel, state) > 0,
            Condition::HasRoom(channel) => steps.messages_in(channel, state) < steps.capacity_of(channel),
        };
        match self.roles.role(process, steps.location_in(process, state)) {
            Some(Role::Always) => true,
            Some(Role::If(conditions)) => conditions.iter().all(holds),
            Some(Role::Never(..)) | None => false,
        }
    }
}
