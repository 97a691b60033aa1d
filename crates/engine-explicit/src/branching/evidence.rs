//! Ways and cycles in the graph of all states, for a path that shows why a formula holds (`ctl::guide`).
use std::collections::VecDeque;

use ctl::forward::By;
use ctl::guide::Round;
use ctl::{Base, Country, Formula};
use rustc_hash::FxHashMap as HashMap;

use super::bits::Bits;
use super::graph::{Graph, is_one_of};
use super::label::Labels;
use crate::lasso::{Marks, cycle};

/// A state, and what the step to it counts for, where that matters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Place {
    /// The number of the state.
    pub node: usize,
    /// What the step counts for.
    pub marks: Option<Marks>,
}

impl From<usize> for Place {
    fn from(node: usize) -> Self {
        Place { node, marks: None }
    }
}

/// There is no such way.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Lost;

/// A graph in which it is known where the parts of a formula hold.
pub struct Charted<'g> {
    /// The graph.
    pub graph: &'g Graph,
    /// The parts of the formula.
    pub base: Base,
    /// Where they hold.
    pub labels: &'g Labels<'g>,
}

impl Charted<'_> {
    /// Where a formula holds, which is a part of those that were added.
    fn set(&mut self, formula: &Formula) -> Bits {
        if *formula == Formula::constant(true) {
            return self.everywhere();
        }
        let row = self.base.add(formula);
        self.labels.set(row).clone()
    }

    fn everywhere(&self) -> Bits {
        Bits::all(self.graph.len(), true)
    }
}

impl Country for Charted<'_> {
    type Place = Place;
    type Error = Lost;

    fn holds(&mut self, formula: &Formula, place: &Place) -> Result<bool, Lost> {
        let row = self.base.add(formula);
        Ok(self.labels.set(row).get(place.node))
    }

    fn next(&mut self, from: &Place, by: &By, formula: &Formula) -> Result<Place, Lost> {
        let set = self.set(formula);
        let fair = self.labels.fairly(&set);
        let next = self.graph.edges(from.node).find(|it| fair.get(it.0) && is_one_of(by, it.1));
        next.map(|(node, marks)| Place { node, marks: by.as_ref().map(|_| marks) }).ok_or(Lost)
    }

    fn way(&mut self, from: &Place, by: &By, through: &Formula, to: &Formula) -> Result<Vec<Place>, Lost> {
        let (through, end) = (self.set(through), self.set(to));
        nearest(self.graph, from.node, by, &through, &self.labels.fairly(&end)).ok_or(Lost)
    }

    fn round(&mut self, from: &Place, by: &By, within: &Formula) -> Result<Round<Place>, Lost> {
        let (graph, fair, within) = (self.graph, self.labels.fair, self.set(within));
        let cycles = self.labels.cycles(by, &within);
        let way = nearest(graph, from.node, by, &within, &cycles).ok_or(Lost)?;
        let root = way.last().map_or(from.node, |it| it.node);
        let component = self.labels.component(root, by, &cycles);
        let edges = |node: &usize| {
            let inner = graph.edges(*node).filter(|it| component.get(it.0) && is_one_of(by, it.1));
            let counts = |marks| if by.is_some() { marks } else { fair.marks(graph, *node, marks) };
            inner.map(|it| (it.0, counts(it.1))).collect()
        };
        let round = cycle(&root, fair.wanted(), edges).ok_or(Lost)?;
        let round = round.into_iter().map(|(node, marks)| Place { node, marks: Some(marks) });
        Ok((way, round.collect()))
    }

    fn must_go_on(&mut self, from: &Place) -> Result<bool, Lost> {
        let goes_on = self.labels.fairly(&self.everywhere()).get(from.node);
        Ok(!self.labels.fair.is_trivial() && goes_on)
    }
}

/// The states after one by some actions, through a set, up to the nearest of another set; none if it is there already.
fn nearest(graph: &Graph, from: usize, by: &By, through: &Bits, to: &Bits) -> Option<Vec<Place>> {
    if to.get(from) {
        return Some(Vec::new());
    }
    let mut parents: HashMap<usize, (usize, Marks)> = HashMap::from_iter([(from, (from, 0))]);
    let mut waiting = VecDeque::from([from]);
    while let Some(node) = waiting.pop_front() {
        if !through.get(node) {
            continue;
        }
        for (next, marks) in graph.edges(node).filter(|it| is_one_of(by, it.1)) {
            if parents.contains_key(&next) {
                continue;
            }
            parents.insert(next, (node, marks));
            if to.get(next) {
                return Some(back(&parents, from, next, by));
            }
            waiting.push_back(next);
        }
    }
    None
}

fn back(parents: &HashMap<usize, (usize, Marks)>, from: usize, to: usize, by: &By) -> Vec<Place> {
    let (mut places, mut here) = (Vec::new(), to);
    while here != from {
        let (parent, marks) = parents[&here];
        places.push(Place { node: here, marks: by.as_ref().map(|_| marks) });
        here = parent;
    }
    places.reverse();
    places
}
