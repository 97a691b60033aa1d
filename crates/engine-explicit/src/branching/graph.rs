//! The graph of all states: numbers, edges both ways, and what is true where.
//!
//! States are numbered in the order in which they are reached, breadth first. The edges of a state lie behind those of the state before it; the
//! way back is a second list of the same kind, made when all edges are known. A system that cannot move stands still: such a state is its own successor. A
//! state in which every step goes wrong has none.
use ctl::forward::By;
use rustc_hash::FxHashMap as HashMap;

use super::bits::Bits;
use crate::lasso::Marks;

/// What an edge is marked with if its step has an action, if that matters; to stand still is marked with all, and is no step.
pub fn mark_of(action: Option<u32>) -> Marks {
    action.map_or(0, |it| Marks::from(it) + 1)
}

/// Whether an edge with these marks is a step of these actions.
pub fn is_one_of(by: &By, marks: Marks) -> bool {
    let Some(actions) = by else { return true };
    marks != Marks::MAX && actions.contains(marks.checked_sub(1).map(|it| it as u32))
}

/// All states and the steps between them.
#[derive(Default)]
pub struct Graph {
    /// Where the edges of each state end.
    ends: Vec<u64>,
    targets: Vec<u32>,
    /// Per edge: the row of what it counts for; empty if nothing does.
    marks: Vec<u32>,
    table: Vec<Marks>,
    rows: HashMap<Marks, u32>,
    /// The same edges backward.
    back_ends: Vec<u64>,
    sources: Vec<u32>,
    /// Per edge backward: its place among the edges forward; empty if nothing is known of edges.
    origins: Vec<u64>,
    /// Per condition: where it is true.
    pub labels: Vec<Bits>,
}

impl Graph {
    /// Without states yet.
    pub fn new(conditions: usize) -> Graph {
        Graph { labels: vec![Bits::default(); conditions], ..Graph::default() }
    }

    /// How many states there are.
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// Adds the next state with its successors, each with what the edge counts for if anything does, and what is true there.
    pub fn add(&mut self, next: &[(u32, Marks)], marked: bool, truths: &[bool]) {
        for &(to, marks) in next {
            self.targets.push(to);
            if marked {
                let row = self.row(marks);
                self.marks.push(row);
            }
        }
        self.ends.push(self.targets.len() as u64);
        self.labels.iter_mut().zip(truths).for_each(|(bits, &it)| bits.push(it));
    }

    fn row(&mut self, marks: Marks) -> u32 {
        let next = self.table.len() as u32;
        let row = *self.rows.entry(marks).or_insert(next);
        if row == next {
            self.table.push(marks);
        }
        row
    }

    /// Makes the edges backward.
    pub fn turn(&mut self) {
        let mut ends = vec![0u64; self.len() + 1];
        self.targets.iter().for_each(|&to| ends[to as usize + 1] += 1);
        for row in 1..ends.len() {
            ends[row] += ends[row - 1];
        }
        let (mut place, mut sources) = (ends.clone(), vec![0; self.targets.len()]);
        let mut origins = vec![0; self.marks.len()];
        for node in 0..self.len() {
            for row in Self::rows(&self.ends, node) {
                let next = &mut place[self.targets[row] as usize];
                sources[*next as usize] = node as u32;
                origins.get_mut(*next as usize).into_iter().for_each(|it| *it = row as u64);
                *next += 1;
            }
        }
        ends.remove(0);
        (self.back_ends, self.sources, self.origins) = (ends, sources, origins);
    }

    /// Bytes that [`Graph::turn`] and one answer more will take.
    pub fn memory_to_turn(&self) -> u64 {
        (self.len() * 20 + self.targets.len() * 4 + self.marks.len() * 8) as u64
    }

    /// Bytes in use.
    pub fn memory(&self) -> u64 {
        let edges = (self.targets.capacity() + self.marks.capacity() + self.sources.capacity()) * 4;
        let ends = (self.ends.capacity() + self.back_ends.capacity() + self.origins.capacity()) * 8;
        let labels: u64 = self.labels.iter().map(Bits::memory).sum();
        (edges + ends) as u64 + labels
    }

    fn rows(ends: &[u64], node: usize) -> std::ops::Range<usize> {
        node.checked_sub(1).map_or(0, |before| ends[before] as usize)..ends[node] as usize
    }

    /// The successors of a state.
    pub fn after(&self, node: usize) -> &[u32] {
        &self.targets[Self::rows(&self.ends, node)]
    }

    fn marks_of(&self, row: usize) -> Marks {
        self.marks.get(row).map_or(0, |&it| self.table[it as usize])
    }

    /// The successors of a state by these actions.
    pub fn after_by<'g>(&'g self, node: usize, by: &'g By) -> impl Iterator<Item = usize> + 'g {
        let rows = Self::rows(&self.ends, node);
        rows.filter(|&row| is_one_of(by, self.marks_of(row))).map(|row| self.targets[row] as usize)
    }

    /// The predecessors of a state by these actions.
    pub fn before<'g>(&'g self, node: usize, by: &'g By) -> impl Iterator<Item = usize> + 'g {
        let rows = Self::rows(&self.back_ends, node);
        let marks = |row: usize| self.origins.get(row).map_or(0, |&it| self.marks_of(it as usize));
        rows.filter(move |&row| is_one_of(by, marks(row))).map(|row| self.sources[row] as usize)
    }

    /// The edges of a state: where each leads, and what it counts for.
    pub fn edges(&self, node: usize) -> impl Iterator<Item = (usize, Marks)> {
        Self::rows(&self.ends, node).map(|row| (self.targets[row] as usize, self.marks_of(row)))
    }
}

/// The states of a graph that are in a set.
pub struct Within<'g> {
    /// The graph.
    pub graph: &'g Graph,
    /// The set.
    pub set: &'g Bits,
    /// The steps that count.
    pub by: &'g By,
}

impl crate::components::Graph for Within<'_> {
    fn nodes(&self) -> usize {
        self.graph.len()
    }

    fn edges(&self, node: usize) -> impl Iterator<Item = usize> {
        let is_in = self.set.get(node);
        self.graph.after_by(node, self.by).filter(move |&to| is_in && self.set.get(to))
    }
}
