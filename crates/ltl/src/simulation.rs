//! Simulation: a state that can do all that another can, with at least its marks, makes the other superfluous.
//!
//! Etessami, Wilke, Schuller, *Fair simulation relations, parity games, and state space reduction for Büchi automata*, ICALP 2001 (direct simulation); Somenzi, Bloem, CAV 2000 (also
//! backwards). A state simulates another if, for each edge of the other and each of its letters, it has an edge with at least the same marks to a state that simulates the
//! target. The greatest such relation is found by starting with all pairs and removing those that do not fit. It is finer than one edge against one edge: several edges
//! together may cover the letters of one (Babiak, Badie, Duret-Lutz, Křetínský, Strejček, *Compositional approach to suspension and other improvements to LTL
//! translation*, SPIN 2013).
//!
//! States that simulate each other become one, and an edge loses the letters for which its state has a better one. Backwards it is the same with the edges turned round.
//! The relation that is found is used as a whole either forwards or backwards, never both at once, which would not be sound.
use crate::automaton::{Automaton, Edge, Marks, add_edge};
use crate::bdd::{Bdd, Bdds};
use crate::mistake::Mistake;
use crate::translate::Options;

/// Above this number of states the effort is not worth it.
const LARGEST: usize = 300;

/// Reduces forwards and backwards until nothing changes.
#[must_use]
pub fn simulated(automaton: &Automaton, options: &Options) -> Automaton {
    let mut best = automaton.tidied();
    loop {
        let forwards = quotient(&best, Direction::Forwards, options);
        let backwards = quotient(&forwards, Direction::Backwards, options);
        if backwards.size() >= best.size() {
            return best;
        }
        best = backwards;
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Direction {
    Forwards,
    Backwards,
}

/// One reduction. A state-based automaton stays one.
fn quotient(automaton: &Automaton, direction: Direction, options: &Options) -> Automaton {
    if automaton.states() > LARGEST {
        return automaton.clone();
    }
    match direction {
        Direction::Forwards => reduced(automaton, false, options),
        Direction::Backwards if automaton.is_state_based() => {
            // The acceptance of a state goes to the edges into it, so that states are told apart by it.
            let arriving = with_marks_of(automaton, |_, edge| edge.target);
            leaving(&turned(&reduced(&turned(&arriving), true, options)))
        }
        Direction::Backwards => turned(&reduced(&turned(automaton), true, options)),
    }
    .tidied()
}

/// The state-based automaton where each edge carries the acceptance of the chosen state.
fn with_marks_of(automaton: &Automaton, chosen: impl Fn(usize, &Edge) -> usize) -> Automaton {
    let mut changed = automaton.clone();
    for (source, edges) in changed.edges.iter_mut().enumerate() {
        for edge in edges {
            let accepting = automaton.is_accepting(chosen(source, edge));
            edge.marks = if accepting { automaton.all_marks() } else { Marks::NONE };
        }
    }
    changed
}

/// The inverse of marking edges by their target: a state is accepting if edges into it are marked.
fn leaving(arriving: &Automaton) -> Automaton {
    let mut marks = vec![Marks::NONE; arriving.states()];
    arriving.edges.iter().flatten().for_each(|it| marks[it.target] = it.marks);
    let mut changed = arriving.clone();
    for (source, edges) in changed.edges.iter_mut().enumerate() {
        edges.iter_mut().for_each(|it| it.marks = marks[source]);
    }
    changed
}

/// All edges the other way. Twice gives the same automaton again.
fn turned(automaton: &Automaton) -> Automaton {
    let mut turned = Automaton { edges: vec![Vec::new(); automaton.states()], ..automaton.clone() };
    for (source, edges) in automaton.edges.iter().enumerate() {
        for edge in edges {
            turned.edges[edge.target].push(Edge { target: source, ..*edge });
        }
    }
    turned
}

/// The automaton that is left when states that simulate each other are one, and dominated edges are gone.
/// Backwards it matters where runs start.
fn reduced(automaton: &Automaton, start_matters: bool, options: &Options) -> Automaton {
    let mut work = Simulation {
        automaton,
        labels: automaton.labels.clone(),
        above: Vec::new(),
        ignore_marks: options.mistake == Some(Mistake::Acceptance),
    };
    work.start(start_matters);
    while work.refine() {}
    work.quotient()
}

struct Simulation<'a> {
    automaton: &'a Automaton,
    labels: Bdds,
    /// For each state, which states may still simulate it.
    above: Vec<Vec<bool>>,
    ignore_marks: bool,
}

impl Simulation<'_> {
    fn start(&mut self, start_matters: bool) {
        let (count, initial) = (self.automaton.states(), self.automaton.initial);
        let allowed = |below: usize, above: usize| !start_matters || below != initial || above == initial;
        self.above = (0..count).map(|below| (0..count).map(|above| allowed(below, above)).collect()).collect();
    }

    /// Removes pairs that do not simulate; says whether there were any.
    fn refine(&mut self) -> bool {
        let (mut changed, count) = (false, self.automaton.states());
        for (below, above) in (0..count).flat_map(|one| (0..count).map(move |other| (one, other))) {
            if below != above && self.above[below][above] && !self.simulates(above, below) {
                self.above[below][above] = false;
                changed = true;
            }
        }
        changed
    }

    /// Whether, for every edge of `below` and each of its letters, `above` has one that is as good.
    fn simulates(&mut self, above: usize, below: usize) -> bool {
        let automaton = self.automaton;
        automaton.edges[below].iter().all(|edge| {
            let better = automaton.edges[above].iter().filter(|it| self.is_as_good(it, edge)).map(|it| it.label);
            let better: Vec<Bdd> = better.collect();
            let all = better.into_iter().fold(Bdd::FALSE, |all, it| self.labels.or(all, it));
            self.labels.implies(edge.label, all)
        })
    }

    /// Whether an edge has at least the marks of another and leads to a state that simulates where the other leads.
    fn is_as_good(&self, edge: &Edge, than: &Edge) -> bool {
        (self.ignore_marks || than.marks.within(edge.marks)) && self.above[than.target][edge.target]
    }

    /// One state for each class: the first of its members, with those letters of its edges for which no other edge is better.
    fn quotient(&mut self) -> Automaton {
        let automaton = self.automaton;
        let equal = |one: usize, other: usize| self.above[one][other] && self.above[other][one];
        let first: Vec<usize> =
            (0..automaton.states()).map(|it| (0..it).find(|&other| equal(it, other)).unwrap_or(it)).collect();
        let mut smaller = Automaton { initial: first[automaton.initial], ..automaton.clone() };
        smaller.edges.iter_mut().for_each(Vec::clear);
        for state in (0..automaton.states()).filter(|&it| first[it] == it) {
            let mut edges = Vec::new();
            for edge in &automaton.edges[state] {
                add_edge(&mut edges, &mut self.labels, Edge { target: first[edge.target], ..*edge });
            }
            smaller.edges[state] = (0..edges.len()).map(|it| self.without_dominated(&edges, it)).collect();
        }
        smaller.labels = std::mem::take(&mut self.labels);
        smaller
    }

    /// An edge without the letters of better ones. Edges that are equally good have become one before.
    fn without_dominated(&mut self, edges: &[Edge], place: usize) -> Edge {
        let edge = edges[place];
        let better =
            |&it: &usize| it != place && self.is_as_good(&edges[it], &edge) && !self.is_as_good(&edge, &edges[it]);
        let better: Vec<usize> = (0..edges.len()).filter(better).collect();
        let label = better.into_iter().fold(edge.label, |label, it| self.labels.minus(label, edges[it].label));
        Edge { label, ..edge }
    }
}
