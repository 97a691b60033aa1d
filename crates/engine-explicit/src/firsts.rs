//! Who may go first in a state: [`reduction::Roles`], looked up for the processes that are there.
use std::collections::{HashMap, HashSet, VecDeque};
use std::sync::Arc;

use compiled::Steps;
use engine::Question;
use model::semantics::Semantics;
use model::{Expr, LocationId};
use reduction::facts::Facts;
use reduction::groups::ends;
use reduction::{Actor, Condition, Mistake, Relations, Role, Roles, Stage};

use crate::components::has_cycle;
use crate::expander::{Expand, Expander};
use crate::glance::Bits;
use crate::stubborn::Surveyed;

/// States that are looked at to see which processes there are.
const NEAR: usize = 10_000;

/// Per location where a process may go first: for each edge, what it waits for.
pub type Gates = Vec<Vec<Vec<compiled::Condition>>>;

/// What is known of a stage.
pub struct Known {
    /// Who may go first.
    roles: Roles,
    /// Per process that exists.
    gates: Vec<Gates>,
    /// Which bits matter, if that can be told.
    bits: Option<Bits>,
    /// Nobody may go first, now or later: this stage never ends.
    is_hopeless: bool,
    /// Some process may come back to where it was without having to wait for others.
    may_return: bool,
    /// Who hinders and helps whom, if that is wanted and can be told.
    pub relations: Option<Surveyed>,
}

/// What is known of all stages that were seen so far.
pub struct Firsts<'a> {
    facts: Facts<'a>,
    /// What is wrong on purpose.
    pub mistake: Option<Mistake>,
    /// Relations are wanted, too.
    closely: bool,
    stages: HashMap<Vec<u32>, Arc<Known>>,
    /// The stage of the state that was looked at last, and that state.
    key: Vec<u32>,
    known: Arc<Known>,
    last: Vec<u64>,
    /// The same key in the making.
    next: Vec<u32>,
}

impl<'a> Firsts<'a> {
    /// For the states of a model, if it can be reduced; `closely` with relations.
    pub fn new(facts: Facts<'a>, closely: bool, mistake: Option<Mistake>) -> Option<Self> {
        if facts.refusal().is_some() {
            return None;
        }
        let roles = Roles::new(&facts, &Stage::default());
        let known = Arc::new(Known {
            roles,
            gates: Vec::new(),
            bits: None,
            is_hopeless: false,
            may_return: false,
            relations: None,
        });
        let (stages, key, last, next) = (HashMap::new(), Vec::new(), Vec::new(), Vec::new());
        Some(Firsts { facts, mistake, closely, stages, key, known, last, next })
    }

    /// Takes up a state.
    pub fn look_at(&mut self, steps: &mut Steps<'_>, state: &[u64]) {
        steps.look_at(state);
        if !self.is_same_stage(state) {
            self.find_stage(steps);
        }
        self.last.clear();
        self.last.extend_from_slice(state);
    }

    /// Whether it is certain, at a glance, that a state is of the same stage as the one that was looked at last.
    #[inline]
    fn is_same_stage(&self, state: &[u64]) -> bool {
        self.last.len() == state.len() && self.known.bits.as_ref().is_some_and(|it| it.is_same_stage(&self.last, state))
    }

    fn find_stage(&mut self, steps: &mut Steps<'_>) {
        steps.stage(&mut self.next);
        for process in 0..steps.process_count() {
            let (ty, location) = (steps.type_of(process), steps.location_of(process));
            if !self.facts.offspring(ty, location).is_empty() {
                self.next.extend([u32::MAX, process as u32, location.0]);
            }
        }
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
        let stage = stage_of(&self.facts, steps);
        let roles = Roles::with_mistake(&self.facts, &stage, self.mistake);
        let relations = self.closely.then(|| Relations::new(&self.facts, &stage, &roles, self.mistake)).flatten();
        let relations = relations.map(|it| Surveyed::new(it, steps));
        let gates: Vec<Gates> = (0..steps.process_count()).map(|it| self.gates(&roles, it, steps)).collect();
        let parents = (0..steps.process_count()).filter(|&it| self.facts.is_parent(steps.type_of(it)));
        let bits = Bits::new(steps, parents, &roles, &gates);
        let may_return = (0..steps.process_count()).any(|it| self.may_return(&roles, it, steps));
        let nobody_comes = stage.actors.len() == steps.process_count();
        let nobody_goes = stage.actors.last().is_none_or(|youngest| self.stays(youngest));
        let is_hopeless = gates.iter().flatten().all(Vec::is_empty) && nobody_comes && nobody_goes;
        let known = Arc::new(Known { roles, gates, bits, is_hopeless, may_return, relations });
        self.stages.insert(self.key.clone(), known.clone());
        known
    }

    /// What a process waits for where it may go first.
    fn gates(&self, roles: &Roles, process: usize, steps: &mut Steps<'_>) -> Gates {
        let graph = self.facts.model.process(steps.type_of(process));
        let locations = (0..graph.locations.len()).map(|it| LocationId(it as u32));
        let is_youngest = process + 1 == steps.process_count();
        let is_possible = |role: &Role| match role {
            Role::Always => true,
            Role::If(conditions) => is_youngest || !conditions.contains(&Condition::IsYoungest),
            Role::Never(..) => false,
        };
        let mut gates = |location| match roles.role(process, location) {
            Some(role) if roles.is_useful() && is_possible(role) => {
                let guards = graph.outgoing(location).map(|it| &it.1.guard).filter(|it| **it != Expr::Constant(0));
                guards.map(|it| it.conjuncts().into_iter().map(|it| steps.condition(process, it)).collect()).collect()
            }
            _ => Vec::new(),
        };
        locations.map(&mut gates).collect()
    }

    /// Whether a process never ends.
    fn stays(&self, actor: &Actor) -> bool {
        let process = self.facts.model.process(actor.ty);
        let reached = process.reachable();
        let ends = |it: &model::Edge| reached[it.source.0 as usize] && it.effects.contains(&model::Effect::Terminate);
        !process.edges.iter().any(ends)
    }

    /// Whether a process may come back to where it was without having to wait for others.
    fn may_return(&self, roles: &Roles, process: usize, steps: &Steps<'_>) -> bool {
        let graph = self.facts.model.process(steps.type_of(process));
        let goes = |it: &LocationId| matches!(roles.role(process, *it), Some(Role::Always | Role::If(_)));
        let targets = |it: LocationId| graph.outgoing(it).flat_map(|(_, edge)| ends(graph, edge)).filter(goes);
        let locations = (0..graph.locations.len()).map(|it| LocationId(it as u32));
        let row = |it: LocationId| if goes(&it) { targets(it).map(|to| to.0 as usize).collect() } else { Vec::new() };
        has_cycle(&locations.map(row).collect::<Vec<Vec<usize>>>())
    }

    /// What is known of the stage of the state that was taken up.
    pub fn known(&self) -> Arc<Known> {
        self.known.clone()
    }

    /// Whether it is certain, at a glance, that nobody may go first in a state, and in whatever comes after it.
    #[inline]
    pub fn is_hopeless(&self, state: &[u64]) -> bool {
        self.known.is_hopeless && self.is_same_stage(state)
    }

    /// Whether a search that went through phase 1 everywhere may have left out nobody in a state who may go first. If that
    /// cannot be seen without taking it up, it is taken up.
    #[inline]
    pub fn is_settled(&mut self, steps: &mut Steps<'_>, state: &[u64], is_strong: bool) -> bool {
        if !self.is_same_stage(state) {
            self.look_at(steps, state);
        }
        is_strong && !self.known.may_return || self.is_still(steps, state)
    }

    /// Whether nobody may go first in a state. If that cannot be seen without taking it up, it is taken up.
    pub fn is_still(&mut self, steps: &mut Steps<'_>, state: &[u64]) -> bool {
        if !self.is_same_stage(state) {
            self.look_at(steps, state);
        }
        !(0..self.known.gates.len()).any(|it| self.may_go(steps, it, state))
    }

    /// Whether it is certain, at a glance, that nobody may go first after a step, where nobody could before. The state before
    /// is of the stage of the state that was taken up.
    #[inline(always)]
    pub fn stays_still(&self, steps: &Steps<'_>, before: &[u64], after: &[u64]) -> bool {
        let Some(bits) = &self.known.bits else { return false };
        bits.none_changed(before, after, |it| self.may_go(steps, it, after))
    }

    /// The model.
    pub fn model(&self) -> &'a model::Model {
        self.facts.model
    }

    /// Whether a process may go first in a state that has the same processes as the one that was taken up, if it can move.
    #[inline(never)]
    pub fn may_go(&self, steps: &Steps<'_>, process: usize, state: &[u64]) -> bool {
        let holds = |condition: &Condition| match *condition {
            Condition::IsYoungest => process + 1 == steps.count_in(state),
            Condition::HasMessage(channel) => steps.messages_in(channel, state) > 0,
            Condition::HasRoom(channel) => steps.messages_in(channel, state) < steps.capacity_of(channel),
        };
        let Known { roles, gates, .. } = &*self.known;
        let location = steps.location_in(process, state);
        // Where the process never goes first, there is no gate.
        let edges = &gates[process][location.0 as usize];
        let is_open = |edge: &Vec<compiled::Condition>| !edge.iter().any(|it| it.fails_in(state));
        edges.iter().any(is_open)
            && match roles.role(process, location) {
                Some(Role::If(conditions)) => conditions.iter().all(holds),
                _ => true,
            }
    }
}

/// The processes of the state that was taken up, and those that may be created.
fn stage_of(facts: &Facts<'_>, steps: &Steps<'_>) -> Stage {
    let actor = |process| {
        let known = steps.lasting_values(process);
        Actor { ty: steps.type_of(process), number: u8::try_from(process).ok(), known }
    };
    let mut actors: Vec<Actor> = (0..steps.process_count()).map(actor).collect();
    let mut offspring: Vec<_> =
        (0..steps.process_count()).flat_map(|it| facts.offspring(steps.type_of(it), steps.location_of(it))).collect();
    offspring.sort_unstable();
    offspring.dedup();
    // Two of a kind, since they may get into each other's way.
    let later = offspring.into_iter().flat_map(|&ty| [ty; 2]);
    actors.extend(later.map(|ty| Actor { ty, number: None, known: Vec::new() }));
    Stage { actors, capacities: steps.capacities() }
}

/// Of the states near the initial one, the processes of the one that has most; of several, the last.
pub fn largest_stage(facts: &Facts<'_>, system: &Semantics<'_>) -> Option<Stage> {
    let question = Question::default();
    let mut expander = Expander::new(Steps::new(system).ok()?, &question);
    let mut first = Vec::new();
    expander.steps().pack(&system.initial().ok()?, &mut first);
    let (mut seen, mut waiting) = (HashSet::from([first.clone()]), VecDeque::from([first]));
    let mut largest: Option<Stage> = None;
    while let Some(state) = waiting.pop_front().filter(|_| seen.len() < NEAR) {
        expander.steps_mut().look_at(&state);
        let stage = stage_of(facts, expander.steps());
        let count = |it: &Stage| it.actors.iter().filter(|it| it.number.is_some()).count();
        if largest.as_ref().is_none_or(|it| count(it) <= count(&stage)) {
            largest = Some(stage);
        }
        let mut next = expander.buffer();
        expander.expand(&state, 0, &mut next);
        waiting.extend(next.iter_from(0).map(<[u64]>::to_vec).filter(|it| seen.insert(it.clone())));
    }
    largest
}
