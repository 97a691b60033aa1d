//! Where the parts of a formula hold.
//!
//! Clarke, Emerson, Sistla, *Automatic verification of finite-state concurrent systems using temporal logic specifications*, TOPLAS 8(2), 1986: the parts of a formula
//! are taken in the order in which they are made of each other, and for each the states are marked in which it holds, in time linear in the graph.
//!
//! ```text
//! EX f       a successor is marked with f
//! E[f U g]   begin with g; a predecessor that is marked with f joins
//! EG f       begin with f; who has no successor left leaves, and may take predecessors with it
//! fair EG f  strongly connected parts of f with an edge and all constraints, and what leads to them through f
//! ```
//!
//! *Fair* paths satisfy every constraint again and again; a path that is cut off must go on fairly: `EX f` is `EX (f ∧ fair)`, `E[f U g]` is
//! `E[f U g ∧ fair]`, where `fair` is the fair `EG true`.
use ctl::forward::By;
use ctl::{Base, Part};

use super::bits::Bits;
use super::graph::{Graph, Within, is_one_of};
use crate::components::Components;
use crate::lasso::Marks;
use crate::slip::Slip;

/// What makes a path fair.
#[derive(Clone, Debug, Default)]
pub struct Fair {
    /// Conditions that are true again and again, by their rows.
    pub constraints: Vec<u32>,
    /// What edges have to count for, again and again, beside these.
    pub processes: Marks,
}

impl Fair {
    /// Whether all paths are fair.
    pub fn is_trivial(&self) -> bool {
        self.constraints.is_empty() && self.processes == 0
    }

    /// All that a fair cycle has to have: a bit per constraint, and what edges count for.
    pub fn wanted(&self) -> Marks {
        ((1 << self.constraints.len()) - 1) | self.processes
    }

    /// What a step from a state counts for.
    pub fn marks(&self, graph: &Graph, from: usize, edge: Marks) -> Marks {
        let holds = |it: &(usize, &u32)| graph.labels[*it.1 as usize].get(from);
        let met = self.constraints.iter().enumerate().filter(holds).fold(0, |all, it| all | 1 << it.0);
        edge & self.processes | met
    }
}

/// The sets of states in which parts hold.
pub struct Labels<'g> {
    graph: &'g Graph,
    /// Which paths count.
    pub fair: &'g Fair,
    slip: Option<Slip>,
    /// Where a fair path begins, if not everywhere.
    fair_states: Option<Bits>,
    sets: Vec<Bits>,
}

impl<'g> Labels<'g> {
    /// Of no parts yet.
    pub fn new(graph: &'g Graph, fair: &'g Fair, slip: Option<Slip>) -> Self {
        let mut labels = Labels { graph, fair, slip, fair_states: None, sets: Vec::new() };
        if !fair.is_trivial() {
            labels.fair_states = Some(labels.globally(&None, &Bits::all(graph.len(), true)));
        }
        labels
    }

    /// How many parts there are.
    pub fn len(&self) -> usize {
        self.sets.len()
    }

    /// Where the part of a row holds.
    pub fn set(&self, row: usize) -> &Bits {
        &self.sets[row]
    }

    /// Bytes in use.
    pub fn memory(&self) -> u64 {
        self.sets.iter().map(Bits::memory).sum()
    }

    /// Adds the next part.
    pub fn add(&mut self, base: &Base) {
        let set = |row: usize| &self.sets[row];
        let of = |by| base.actions(by).cloned();
        let found = match base.parts()[self.sets.len()] {
            Part::True => Bits::all(self.graph.len(), true),
            Part::Atom(row) => self.graph.labels[row as usize].clone(),
            Part::Not(f) => set(f).not(),
            Part::And(f, g) => set(f).and(set(g)),
            Part::Or(f, g) => set(f).or(set(g)),
            Part::Next(by, f) => self.next(&of(by), &self.fairly(set(f))),
            Part::Until(by, f, g) => self.until(&of(by), set(f), &self.fairly(set(g))),
            Part::Globally(by, f) => self.globally(&of(by), set(f)),
        };
        self.sets.push(found);
    }

    /// Those of some states in which a fair path begins.
    pub fn fairly(&self, states: &Bits) -> Bits {
        self.fair_states.as_ref().map_or_else(|| states.clone(), |fair| states.and(fair))
    }

    fn next(&self, by: &By, states: &Bits) -> Bits {
        let mut found = Bits::all(self.graph.len(), false);
        let leads = |&node: &usize| self.graph.after_by(node, by).any(|to| states.get(to));
        (0..self.graph.len()).filter(leads).for_each(|it| found.set(it));
        found
    }

    fn until(&self, by: &By, way: &Bits, end: &Bits) -> Bits {
        let mut found = end.clone();
        let mut waiting: Vec<u32> = end.iter().map(|it| it as u32).collect();
        while let Some(node) = waiting.pop() {
            for before in self.graph.before(node as usize, by) {
                let joins = way.get(before) || self.slip == Some(Slip::Way);
                if joins && !found.get(before) {
                    found.set(before);
                    waiting.push(before as u32);
                }
            }
        }
        found
    }

    fn globally(&self, by: &By, states: &Bits) -> Bits {
        if self.fair.is_trivial() {
            self.for_ever(by, states)
        } else {
            self.until(by, states, &self.cycles(by, states))
        }
    }

    fn for_ever(&self, by: &By, states: &Bits) -> Bits {
        let mut left = states.clone();
        let count = |node: usize| self.graph.after_by(node, by).filter(|&to| states.get(to)).count() as u32;
        let mut counts: Vec<u32> = (0..self.graph.len()).map(|it| if states.get(it) { count(it) } else { 0 }).collect();
        let is_end = |node: usize| self.slip == Some(Slip::Ending) && self.graph.after(node).is_empty();
        let mut waiting: Vec<usize> = states.iter().filter(|&it| counts[it] == 0 && !is_end(it)).collect();
        while let Some(node) = waiting.pop() {
            left.clear(node);
            for before in self.graph.before(node, by) {
                if states.get(before) {
                    counts[before] -= 1;
                    if counts[before] == 0 {
                        waiting.push(before);
                    }
                }
            }
        }
        left
    }

    /// The strongly connected part of a set that a state is in.
    pub fn component(&self, node: usize, by: &By, within: &Bits) -> Bits {
        let mut found = Bits::all(self.graph.len(), false);
        let of = Components::new(&Within { graph: self.graph, set: within, by }).of;
        let members = (0..self.graph.len()).filter(|&it| of[it] == of[node]);
        members.for_each(|it| found.set(it));
        found
    }

    /// The states of strongly connected parts of a set that have an edge and whatever a fair cycle has.
    pub fn cycles(&self, by: &By, within: &Bits) -> Bits {
        let mut found = Bits::all(self.graph.len(), false);
        let mut member = Bits::all(self.graph.len(), false);
        let forgotten = Marks::from(self.slip == Some(Slip::Constraint));
        let wanted = self.fair.wanted() & !forgotten;
        Components::new(&Within { graph: self.graph, set: within, by }).each(|nodes| {
            if !within.get(nodes[0]) {
                return;
            }
            nodes.iter().for_each(|&it| member.set(it));
            let inner = || {
                let edges = nodes.iter().flat_map(|&it| self.graph.edges(it).map(move |edge| (it, edge)));
                edges.filter(|it| member.get(it.1.0) && is_one_of(by, it.1.1))
            };
            let marks = inner().fold(0, |all, (from, edge)| all | self.fair.marks(self.graph, from, edge.1));
            if inner().next().is_some() && wanted & !marks == 0 {
                nodes.iter().for_each(|&it| found.set(it));
            }
            nodes.iter().for_each(|&it| member.clear(it));
        });
        found
    }
}
