//! Who may go first in a state: [`reduction::Roles`], looked up for the processes that are there.
use std::collections::HashMap;
use std::sync::Arc;

use compiled::Steps;
use model::{Expr, LocationId, ProcessTypeId};
use reduction::facts::Facts;
use reduction::{Actor, Condition, Mistake, Relations, Role, Roles, Stage};

use crate::stubborn::Surveyed;

/// What is known of a stage.
pub struct Known {
    /// Who may go first.
    pub roles: Roles,
    /// Per actor and location where it may go first: for each edge, what it waits for.
    gates: Vec<Vec<Vec<Vec<compiled::Condition>>>>,
    /// Who hinders and helps whom, if that is wanted and can be told.
    pub relations: Option<Surveyed>,
}

/// The roles of all stages that were seen so far.
pub struct Firsts<'a> {
    facts: Facts<'a>,
    /// What is wrong on purpose.
    pub mistake: Option<Mistake>,
    /// Relations are wanted, too.
    closely: bool,
    stages: HashMap<Vec<u32>, Arc<Known>>,
    /// The stage of the state that was looked at last.
    key: Vec<u32>,
    known: Arc<Known>,
    /// The same in the making.
    next: Vec<u32>,
    /// How many processes there were, if that tells which.
    count: Option<usize>,
    /// Those of them that may have created others, and do so no more.
    parents: Vec<(usize, ProcessTypeId)>,
}

impl<'a> Firsts<'a> {
    /// For the states of a model, if it can be reduced; `closely` with relations.
    pub fn new(facts: Facts<'a>, closely: bool, mistake: Option<Mistake>) -> Option<Self> {
        if facts.refusal().is_some() {
            return None;
        }
        let known =
            Arc::new(Known { roles: Roles::new(&facts, &Stage::default()), gates: Vec::new(), relations: None });
        let (stages, key, next, parents) = (HashMap::new(), Vec::new(), Vec::new(), Vec::new());
        Some(Firsts { facts, mistake, closely, stages, key, known, next, count: None, parents })
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

    fn find_stage(&mut self, steps: &mut Steps<'_>) {
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
            self.known = match self.stages.get(&self.key) {
                Some(known) => known.clone(),
                None => self.set_up(steps),
            };
        }
    }

    /// A stage that was not seen before.
    fn set_up(&mut self, steps: &mut Steps<'_>) -> Arc<Known> {
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
        let roles = Roles::with_mistake(&self.facts, &stage, self.mistake);
        let relations = self.closely.then(|| Relations::new(&self.facts, &stage, &roles, self.mistake)).flatten();
        let relations = relations.map(|it| Surveyed::new(it, steps));
        let gates = (0..steps.process_count()).map(|it| self.gates(&roles, it, steps)).collect();
        let known = Arc::new(Known { roles, gates, relations });
        self.stages.insert(self.key.clone(), known.clone());
        known
    }

    /// What a process waits for where it may go first.
    fn gates(&self, roles: &Roles, process: usize, steps: &mut Steps<'_>) -> Vec<Vec<Vec<compiled::Condition>>> {
        let graph = self.facts.model.process(steps.type_of(process));
        let locations = (0..graph.locations.len()).map(|it| LocationId(it as u32));
        let mut gates = |location| match roles.role(process, location) {
            Some(Role::Always | Role::If(_)) => {
                let guards = graph.outgoing(location).map(|it| &it.1.guard).filter(|it| **it != Expr::Constant(0));
                guards.map(|it| it.conjuncts().into_iter().map(|it| steps.condition(process, it)).collect()).collect()
            }
            _ => Vec::new(),
        };
        locations.map(&mut gates).collect()
    }

    /// What is known of the stage of the state that was taken up.
    pub fn known(&self) -> Arc<Known> {
        self.known.clone()
    }

    /// Whether it is certain, at a glance, that nobody may go first in a state.
    #[inline]
    pub fn is_still(&self, steps: &Steps<'_>, state: &[u64]) -> bool {
        self.is_same_stage(steps, state) && !self.known.roles.movers().iter().any(|&it| self.may_go(steps, it, state))
    }

    /// Whether a process may go first in a state that has the same processes as the one that was taken up, if it can move.
    #[inline]
    pub fn may_go(&self, steps: &Steps<'_>, process: usize, state: &[u64]) -> bool {
        let holds = |condition: &Condition| match *condition {
            Condition::IsYoungest => process + 1 == steps.count_in(state),
            Condition::HasMessage(channel) => steps.messages_in(channel, state) > 0,
            Condition::HasRoom(channel) => steps.messages_in(channel, state) < steps.capacity_of(channel),
        };
        let location = steps.location_in(process, state);
        let may = match self.known.roles.role(process, location) {
            Some(Role::Always) => true,
            Some(Role::If(conditions)) => conditions.iter().all(holds),
            Some(Role::Never(..)) | None => false,
        };
        let is_open = |edge: &Vec<compiled::Condition>| !edge.iter().any(|it| it.fails_in(state));
        may && self.known.gates[process][location.0 as usize].iter().any(is_open)
    }
}
