//! Büchi automata with marks on their edges: the public types.
//!
//! A run is accepting if it takes edges of every acceptance set infinitely often (transition-based generalised Büchi automata). With no set at all every infinite run is
//! accepting. An automaton is *state-based* with one set if the edges of a state are all marked or all not; it is then an ordinary Büchi automaton
//! (Büchi, *On a decision method in restricted second order arithmetic*, 1962) and can be written as a never claim.
use crate::bdd::{Bdd, Bdds, Cube};
use crate::components::{Components, Strength};
use crate::hash::QuickMap;
use crate::lasso::{Letter, is_true};

/// A set of acceptance sets, bit by bit.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Marks(pub u64);

impl Marks {
    /// In no set.
    pub const NONE: Marks = Marks(0);
    /// How many sets there can be.
    pub const MOST: u32 = u64::BITS;

    /// The first `count` sets.
    pub fn all(count: u32) -> Marks {
        Marks(if count >= Self::MOST { u64::MAX } else { (1 << count) - 1 })
    }

    /// One set.
    pub fn one(set: u32) -> Marks {
        Marks(1 << set)
    }

    /// Whether a set is among them.
    pub fn has(self, set: u32) -> bool {
        self.0 >> set & 1 == 1
    }

    /// All of both.
    #[must_use]
    pub fn with(self, other: Marks) -> Marks {
        Marks(self.0 | other.0)
    }

    /// Those that are not among the others.
    #[must_use]
    pub fn without(self, other: Marks) -> Marks {
        Marks(self.0 & !other.0)
    }

    /// Whether all of these are among the others.
    pub fn within(self, other: Marks) -> bool {
        self.without(other) == Marks::NONE
    }

    /// The sets, in order.
    pub fn sets(self) -> impl Iterator<Item = u32> {
        (0..Self::MOST).filter(move |&set| self.has(set))
    }
}

/// An edge to another state.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Edge {
    /// The letters it can be taken with, a function of the atoms in [`Automaton::labels`].
    pub label: Bdd,
    /// The acceptance sets it is in.
    pub marks: Marks,
    /// Where it leads to.
    pub target: usize,
}

/// A transition-based generalised Büchi automaton. A state is its number.
#[derive(Clone, Debug)]
pub struct Automaton {
    /// How many atoms the labels may speak of.
    pub atoms: u32,
    /// How many acceptance sets there are.
    pub sets: u32,
    /// Where every run starts.
    pub initial: usize,
    /// The edges out of each state.
    pub edges: Vec<Vec<Edge>>,
    /// What the labels mean.
    pub labels: Bdds,
}

/// What can be said of an automaton in numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Statistics {
    /// How many states.
    pub states: usize,
    /// How many edges.
    pub edges: usize,
    /// How many acceptance sets.
    pub sets: u32,
    /// Whether no letter leaves a choice.
    pub deterministic: bool,
    /// Whether every letter has a way.
    pub complete: bool,
    /// The greatest strength of a component.
    pub strength: Strength,
}

impl Automaton {
    /// An automaton without edges; it accepts nothing.
    pub fn empty(atoms: u32) -> Automaton {
        Automaton { atoms, sets: 0, initial: 0, edges: vec![Vec::new()], labels: Bdds::default() }
    }

    /// How many states there are.
    pub fn states(&self) -> usize {
        self.edges.len()
    }

    /// How many edges there are.
    pub fn edge_count(&self) -> usize {
        self.edges.iter().map(Vec::len).sum()
    }

    /// The marks of a set of edges that is in every set.
    pub fn all_marks(&self) -> Marks {
        Marks::all(self.sets)
    }

    /// A label as a sum of products of literals.
    pub fn cubes(&self, label: Bdd) -> Vec<Cube> {
        self.labels.clone().cubes(label)
    }

    /// Whether an edge can be taken where the atoms have these values.
    pub fn can_take(&self, edge: &Edge, is_true: impl Fn(u32) -> bool) -> bool {
        self.labels.holds(edge.label, is_true)
    }

    /// The edges that can be taken with a letter.
    pub fn moves(&self, state: usize, letter: Letter) -> impl Iterator<Item = &Edge> {
        self.edges[state].iter().filter(move |it| self.can_take(it, |atom| is_true(letter, atom)))
    }

    /// Whether the edges of each state are either in all sets or in none.
    pub fn is_state_based(&self) -> bool {
        let all = self.all_marks();
        self.edges.iter().all(|edges| {
            edges.iter().all(|it| it.marks == edges[0].marks)
                && edges.iter().all(|it| it.marks == all || it.marks == Marks::NONE)
        })
    }

    /// Whether a state is accepting, in a state-based automaton.
    pub fn is_accepting(&self, state: usize) -> bool {
        self.edges[state].first().is_some_and(|it| it.marks == self.all_marks())
    }

    /// Whether no letter leaves a choice between two edges.
    pub fn is_deterministic(&self) -> bool {
        self.choices() == 0
    }

    /// How many pairs of edges some letter leaves a choice between.
    pub fn choices(&self) -> usize {
        let mut labels = self.labels.clone();
        let mut of_state = |edges: &Vec<Edge>| {
            let pairs = (0..edges.len()).flat_map(|one| (0..one).map(move |other| (one, other)));
            pairs.filter(|&(one, other)| labels.intersect(edges[one].label, edges[other].label)).count()
        };
        self.edges.iter().map(&mut of_state).sum()
    }

    /// By what automata of the same language are compared: few states, then few choices, edges and sets.
    pub fn size(&self) -> (usize, usize, usize, u32) {
        (self.states(), self.choices(), self.edge_count(), self.sets)
    }

    /// Whether every state has an edge for every letter.
    pub fn is_complete(&self) -> bool {
        let mut labels = self.labels.clone();
        self.edges
            .iter()
            .all(|edges| edges.iter().fold(Bdd::FALSE, |all, edge| labels.or(all, edge.label)) == Bdd::TRUE)
    }

    /// The greatest strength of a component that can be reached: what a search for accepting cycles must be prepared for.
    pub fn strength(&self) -> Strength {
        let components = Components::of(self);
        components.strengths(self).into_iter().max().unwrap_or(Strength::Rejecting)
    }

    /// Whether an accepting run can be told as soon as it enters an accepting component.
    pub fn is_terminal(&self) -> bool {
        self.strength() <= Strength::Terminal
    }

    /// Whether all cycles of a component are accepting or none.
    pub fn is_weak(&self) -> bool {
        self.strength() <= Strength::Weak
    }

    /// The automaton in numbers.
    pub fn statistics(&self) -> Statistics {
        Statistics {
            states: self.states(),
            edges: self.edge_count(),
            sets: self.sets,
            deterministic: self.is_deterministic(),
            complete: self.is_complete(),
            strength: self.strength(),
        }
    }

    /// Only the states that can be reached, numbered breadth first; edges that differ in the label only become one; a new table of labels.
    #[must_use]
    pub fn tidied(&self) -> Automaton {
        let mut tidy = Automaton { sets: self.sets, edges: Vec::new(), ..Automaton::empty(self.atoms) };
        let (mut numbers, mut order, mut known) = (vec![None; self.states()], vec![self.initial], QuickMap::default());
        numbers[self.initial] = Some(0);
        let mut next = 0;
        while next < order.len() {
            let mut edges: Vec<Edge> = Vec::new();
            for edge in self.edges[order[next]].iter().filter(|it| it.label != Bdd::FALSE) {
                let target = *numbers[edge.target].get_or_insert_with(|| {
                    order.push(edge.target);
                    order.len() - 1
                });
                let label = tidy.labels.import_known(&self.labels, edge.label, &mut known);
                add_edge(&mut edges, &mut tidy.labels, Edge { label, target, ..*edge });
            }
            tidy.edges.push(edges);
            next += 1;
        }
        tidy
    }
}

/// Adds an edge, or its label to an edge that differs in nothing else.
pub(crate) fn add_edge(edges: &mut Vec<Edge>, labels: &mut Bdds, edge: Edge) {
    match edges.iter_mut().find(|it| it.target == edge.target && it.marks == edge.marks) {
        Some(known) => known.label = labels.or(known.label, edge.label),
        None => edges.push(edge),
    }
}
