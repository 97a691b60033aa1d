//! The graph of all states: numbers, edges both ways, and what is true where.
//!
//! States are numbered in the order in which they are reached, breadth first. The edges of a state lie behind those of the state before it; the
//! way back is a second list of the same kind, made when all edges are known. A system that cannot move stands still: such a state is its own successor. A
//! state in which every step goes wrong has none.
use rustc_hash::FxHashMap as HashMap;

use super::bits::Bits;
use crate::lasso::Marks;

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
        for node in 0..self.len() {
            for &to in self.after(node) {
                sources[place[to as usize] as usize] = node as u32;
                place[to as usize] += 1;
            }
        }
        ends.remove(0);
        (self.back_ends, self.sources) = (ends, sources);
    }

    /// Bytes that [`Graph::turn`] and one answer more will take.
    pub fn memory_to_turn(&self) -> u64 {
        (self.len() * 20 + self.targets.len() * 4) as u64
    }

    /// Bytes in use.
    pub fn memory(&self) -> u64 {
        let edges = (self.targets.capacity() + self.marks.capacity() + self.sources.capacity()) * 4;
        let ends = (self.ends.capacity() + self.back_ends.capacity()) * 8;
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

    /// The predecessors of a state.
    pub fn before(&self, node: usize) -> &[u32] {
        &self.sources[Self::rows(&self.back_ends, node)]
    }

    /// The edges of a state: where each leads, and what it counts for.
    pub fn edges(&self, node: usize) -> impl Iterator<Item = (usize, Marks)> {
        Self::rows(&self.ends, node).map(|row| {
            let marks = self.marks.get(row).map_or(0, |&it| self.table[it as usize]);
            (self.targets[row] as usize, marks)
        })
    }
}

/// The states of a graph that are in a set.
pub struct Within<'g> {
    /// The graph.
    pub graph: &'g Graph,
    /// The set.
    pub set: &'g Bits,
}

impl crate::components::Graph for Within<'_> {
    fn nodes(&self) -> usize {
        self.graph.len()
    }

    fn edges(&self, node: usize) -> impl Iterator<Item = usize> {
        let after = if self.set.get(node) { self.graph.after(node) } else { &[] };
        after.iter().map(|&to| to as usize).filter(|&to| self.set.get(to))
    }
}
