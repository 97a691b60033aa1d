//! Strongly connected components: what of an automaton matters for acceptance.
//!
//! A run ends up in one component (Tarjan, *Depth-first search and linear graph algorithms*, 1972), and only marks inside that component count.
//! So states that reach no accepting component can go, marks outside of accepting components too, and inside each component a set that contains another says nothing new.
//! How hard a component is to search is its *strength*: Bloem, Ravi, Somenzi, *Efficient decision procedures for model checking of linear time logic
//! properties*, CAV 1999; the classification of cycles is that of Černá, Pelánek, MFCS 2003.
use crate::automaton::{Automaton, Edge, Marks};
use crate::bdd::Bdd;

/// What kind of cycles a component has, from easy to hard.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Strength {
    /// No accepting cycle.
    Rejecting,
    /// Every word is accepted from here on.
    Terminal,
    /// Every cycle is accepting.
    Weak,
    /// Accepting and rejecting cycles.
    Strong,
}

/// The components of a graph.
#[derive(Clone, Debug)]
pub struct Components {
    /// The component of each state; edges between components lead to smaller numbers. States that cannot be reached have none.
    pub of: Vec<Option<usize>>,
    /// The states of each component.
    pub members: Vec<Vec<usize>>,
}

/// The components of the part of a graph that can be reached from `roots`: Tarjan's algorithm without recursion.
pub(crate) fn components(count: usize, roots: &[usize], next: impl Fn(usize) -> Vec<usize>) -> Components {
    let mut search = Tarjan {
        order: vec![None; count],
        low: vec![0; count],
        open: Vec::new(),
        visited: 0,
        found: Components { of: vec![None; count], members: Vec::new() },
    };
    for &root in roots {
        if search.order[root].is_none() {
            search.visit(root, &next);
        }
    }
    search.found
}

struct Tarjan {
    order: Vec<Option<usize>>,
    low: Vec<usize>,
    open: Vec<usize>,
    visited: usize,
    found: Components,
}

impl Tarjan {
    fn visit(&mut self, root: usize, next: &impl Fn(usize) -> Vec<usize>) {
        let mut path = vec![(root, self.enter(root, next))];
        while let Some((state, waiting)) = path.last_mut() {
            let state = *state;
            match waiting.pop() {
                Some(target) => match self.order[target] {
                    None => path.push((target, self.enter(target, next))),
                    Some(order) if self.found.of[target].is_none() => self.low[state] = self.low[state].min(order),
                    Some(_) => {}
                },
                None => {
                    path.pop();
                    self.leave(state);
                    if let Some((parent, _)) = path.last() {
                        self.low[*parent] = self.low[*parent].min(self.low[state]);
                    }
                }
            }
        }
    }

    fn enter(&mut self, state: usize, next: &impl Fn(usize) -> Vec<usize>) -> Vec<usize> {
        self.order[state] = Some(self.visited);
        self.low[state] = self.visited;
        self.visited += 1;
        self.open.push(state);
        next(state)
    }

    /// Closes the component if the state is its first one.
    fn leave(&mut self, state: usize) {
        if self.order[state] != Some(self.low[state]) {
            return;
        }
        let start = self.open.iter().rposition(|&it| it == state).unwrap_or(0);
        let members = self.open.split_off(start);
        for &member in &members {
            self.found.of[member] = Some(self.found.members.len());
        }
        self.found.members.push(members);
    }
}

impl Components {
    /// The components of the states that can be reached.
    pub fn of(automaton: &Automaton) -> Components {
        Self::of_edges(automaton, &[automaton.initial], |_| true)
    }

    /// The components when only some edges are there.
    fn of_edges(automaton: &Automaton, roots: &[usize], keep: impl Fn(&Edge) -> bool) -> Components {
        components(automaton.states(), roots, |state| {
            automaton.edges[state].iter().filter(|it| keep(it)).map(|it| it.target).collect()
        })
    }

    /// Whether an edge stays in the component of its source.
    pub fn is_inside(&self, source: usize, edge: &Edge) -> bool {
        self.of[source].is_some() && self.of[source] == self.of[edge.target]
    }

    /// The edges inside a component.
    pub fn inner<'a>(&'a self, automaton: &'a Automaton, component: usize) -> impl Iterator<Item = &'a Edge> {
        self.members[component]
            .iter()
            .flat_map(move |&source| automaton.edges[source].iter().filter(move |edge| self.is_inside(source, edge)))
    }

    /// Whether each component has an accepting cycle.
    pub fn accepting(&self, automaton: &Automaton) -> Vec<bool> {
        (0..self.members.len()).map(|component| self.is_accepting(automaton, component)).collect()
    }

    fn is_accepting(&self, automaton: &Automaton, component: usize) -> bool {
        let mut inner = self.inner(automaton, component).peekable();
        let has_cycle = inner.peek().is_some();
        has_cycle && inner.fold(Marks::NONE, |all, it| all.with(it.marks)) == automaton.all_marks()
    }

    /// The strength of each component.
    pub fn strengths(&self, automaton: &Automaton) -> Vec<Strength> {
        let accepting = self.accepting(automaton);
        (0..self.members.len())
            .map(|component| match accepting[component] {
                false => Strength::Rejecting,
                true if !self.is_weak(automaton, component) => Strength::Strong,
                true if self.is_universal(automaton, component) => Strength::Terminal,
                true => Strength::Weak,
            })
            .collect()
    }

    /// Whether every cycle meets every set: without the edges of a set there is no cycle.
    fn is_weak(&self, automaton: &Automaton, component: usize) -> bool {
        (0..automaton.sets).all(|set| {
            let keep = |it: &Edge| !it.marks.has(set) && self.of[it.target] == Some(component);
            let rest = Self::of_edges(automaton, &self.members[component], keep);
            let has_loop = |state: usize| automaton.edges[state].iter().any(|it| it.target == state && keep(it));
            rest.members.iter().all(|it| it.len() == 1 && !has_loop(it[0]))
        })
    }

    /// Whether every letter can stay inside.
    fn is_universal(&self, automaton: &Automaton, component: usize) -> bool {
        let mut labels = automaton.labels.clone();
        self.members[component].iter().all(|&source| {
            let inside = automaton.edges[source].iter().filter(|it| self.is_inside(source, it));
            inside.fold(Bdd::FALSE, |all, it| labels.or(all, it.label)) == Bdd::TRUE
        })
    }
}

/// Whether an automaton accepts nothing.
pub fn is_empty(automaton: &Automaton) -> bool {
    !Components::of(automaton).accepting(automaton).contains(&true)
}

/// The automaton without what does not matter for its language.
#[must_use]
pub fn pruned(automaton: &Automaton) -> Automaton {
    let useful = without_useless_states(automaton);
    with_few_sets(&useful)
}

/// Removes edges to states from which nothing is accepted.
#[must_use]
pub fn without_useless_states(automaton: &Automaton) -> Automaton {
    let components = Components::of(automaton);
    let mut useful = components.accepting(automaton);
    // Successors have smaller numbers, so they are known already.
    for component in 0..useful.len() {
        let leads_to = |it: &Edge| components.of[it.target].is_some_and(|target| useful[target]);
        useful[component] |= components.members[component].iter().any(|&it| automaton.edges[it].iter().any(leads_to));
    }
    let mut smaller = automaton.clone();
    for edges in &mut smaller.edges {
        edges.retain(|it| components.of[it.target].is_some_and(|target| useful[target]));
    }
    smaller.tidied()
}

/// In each component only the sets that say something, numbered from 0; other marks as they are needed.
fn with_few_sets(automaton: &Automaton) -> Automaton {
    let components = Components::of(automaton);
    let strengths = components.strengths(automaton);
    let needed: Vec<Vec<u32>> = (0..strengths.len())
        .map(|it| if strengths[it] == Strength::Strong { needed_sets(automaton, &components, it) } else { Vec::new() })
        .collect();
    let least = u32::from(strengths.contains(&Strength::Rejecting));
    let sets = needed.iter().map(|it| it.len() as u32).max().unwrap_or(0).max(least);
    let mut fewer = Automaton { sets, ..automaton.clone() };
    for (source, edges) in fewer.edges.iter_mut().enumerate() {
        for edge in edges {
            edge.marks = match components.of[source] {
                Some(it) if components.is_inside(source, edge) && strengths[it] != Strength::Rejecting => {
                    renumbered(edge.marks, &needed[it], sets)
                }
                _ => Marks::NONE,
            };
        }
    }
    fewer.tidied()
}

/// Sets of a component such that every set contains one of them.
fn needed_sets(automaton: &Automaton, components: &Components, component: usize) -> Vec<u32> {
    let contains = |outer: u32, inner: u32| {
        components.inner(automaton, component).all(|it| !it.marks.has(inner) || it.marks.has(outer))
    };
    let mut needed: Vec<u32> = (0..automaton.sets).collect();
    for set in 0..automaton.sets {
        if needed.iter().any(|&it| it != set && contains(set, it)) {
            needed.retain(|&it| it != set);
        }
    }
    needed
}

/// The marks of the needed sets under their new numbers, and all marks that the component does not need.
fn renumbered(marks: Marks, needed: &[u32], sets: u32) -> Marks {
    let kept = needed.iter().enumerate().filter(|it| marks.has(*it.1));
    kept.fold(Marks::all(sets).without(Marks::all(needed.len() as u32)), |all, (new, _)| {
        all.with(Marks::one(new as u32))
    })
}
