//! From many acceptance sets on edges to one set of accepting states.
//!
//! The classical construction (Choueka 1974) goes through copies of the automaton, *levels*: level `i` waits for set `i`, and whoever has seen all sets is on the last level, which is
//! accepting and counts like the first. Gastin, Oddoux, *Fast LTL to Büchi automata translation*, CAV 2001, skip levels whose sets are all seen in one
//! step. Babiak, Badie, Duret-Lutz, Křetínský, Strejček, SPIN 2013, add what components allow: a run that enters a component may start on any level, so it starts on one where the state exists
//! already; components without accepting cycles, and those with no others, need one level only.
//!
//! In which order the sets are awaited and where a component is entered is a [`Plan`]; which one is best depends on the automaton.
use crate::automaton::{Automaton, Edge, Marks, add_edge};
use crate::components::{Components, Strength};
use crate::hash::QuickMap;
use crate::mistake::Mistake;
use crate::translate::Options;

/// Choices that do not change the language.
#[derive(Clone, Debug)]
pub struct Plan {
    /// The sets in the order they are awaited.
    pub order: Vec<u32>,
    /// Whether components are entered on the accepting level.
    pub enter_accepting: bool,
}

impl Plan {
    /// A few plans for a number of sets.
    pub fn several(sets: u32) -> Vec<Plan> {
        let forwards: Vec<u32> = (0..sets).collect();
        let backwards: Vec<u32> = (0..sets).rev().collect();
        let orders = if sets <= 3 { permutations(&forwards) } else { vec![forwards, backwards] };
        let with =
            |order: Vec<u32>| [false, true].map(|enter_accepting| Plan { order: order.clone(), enter_accepting });
        orders.into_iter().flat_map(with).collect()
    }
}

fn permutations(items: &[u32]) -> Vec<Vec<u32>> {
    if items.is_empty() {
        return vec![Vec::new()];
    }
    let starting_with = |&first: &u32| {
        let rest: Vec<u32> = items.iter().copied().filter(|&it| it != first).collect();
        permutations(&rest).into_iter().map(move |rest| [vec![first], rest].concat())
    };
    items.iter().flat_map(starting_with).collect()
}

/// A state-based automaton with one set and the same language.
#[must_use]
pub fn degeneralised(automaton: &Automaton, plan: &Plan, options: &Options) -> Automaton {
    let components = Components::of(automaton);
    let strengths = components.strengths(automaton);
    let mut work = Levels { components, strengths, plan, options, numbers: QuickMap::default(), copies: Vec::new() };
    let level = work.entry(automaton.initial);
    let initial = work.copy(automaton.initial, level);
    let mut labels = automaton.labels.clone();
    let mut edges = Vec::new();
    while let Some(&(state, level)) = work.copies.get(edges.len()) {
        let marks = if level == work.last() { Marks::one(0) } else { Marks::NONE };
        let mut out = Vec::new();
        for edge in &automaton.edges[state] {
            let next = work.next_level(state, level, edge);
            let target = work.copy(edge.target, next);
            add_edge(&mut out, &mut labels, Edge { label: edge.label, marks, target });
        }
        edges.push(out);
    }
    Automaton { atoms: automaton.atoms, sets: 1, initial, edges, labels }.tidied()
}

struct Levels<'a> {
    components: Components,
    strengths: Vec<Strength>,
    plan: &'a Plan,
    options: &'a Options,
    numbers: QuickMap<(usize, usize), usize>,
    copies: Vec<(usize, usize)>,
}

impl Levels<'_> {
    /// The accepting level.
    fn last(&self) -> usize {
        self.plan.order.len()
    }

    fn strength(&self, state: usize) -> Strength {
        self.components.of[state].map_or(Strength::Rejecting, |it| self.strengths[it])
    }

    /// The level on which a run enters the component of a state.
    fn entry(&self, state: usize) -> usize {
        let exists = |level: &usize| self.numbers.contains_key(&(state, *level));
        match self.strength(state) {
            Strength::Rejecting if self.last() == 0 => 1,
            Strength::Rejecting => 0,
            Strength::Terminal | Strength::Weak => self.last(),
            Strength::Strong => {
                let fresh = if self.plan.enter_accepting { self.last() } else { 0 };
                (0..=self.last()).rev().find(exists).unwrap_or(fresh)
            }
        }
    }

    fn next_level(&self, source: usize, level: usize, edge: &Edge) -> usize {
        if self.strength(source) != Strength::Strong || !self.components.is_inside(source, edge) {
            return self.entry(edge.target);
        }
        let start = if level == self.last() { 0 } else { level };
        let awaited = self.plan.order[start..].iter();
        if self.options.mistake == Some(Mistake::Waiting) {
            return self.last();
        }
        start + awaited.take_while(|&&set| edge.marks.has(set)).count()
    }

    fn copy(&mut self, state: usize, level: usize) -> usize {
        *self.numbers.entry((state, level)).or_insert_with(|| {
            self.copies.push((state, level));
            self.copies.len() - 1
        })
    }
}

/// Whether an automaton needs no levels.
pub fn is_degeneralised(automaton: &Automaton) -> bool {
    automaton.sets == 1 && automaton.is_state_based()
}
