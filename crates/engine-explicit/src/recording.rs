//! The edges of a graph, written down while it is visited.
//!
//! To find the components of a graph that is in memory takes a small part of the time that it takes to make the graph, and the order in which
//! it was made does not matter. An edge takes four bytes, a state with edges sixteen more.
//!
//! A component violates a property if its inner edges have all marks (Emerson, Lei, *Modalities for model checking: branching time logic strikes
//! back*, 1987). States whose edges are not written down yet have none, so that a part of a graph can be judged, too: what is found there stays.
use rustc_hash::FxHashSet as HashSet;
use store::Key;

use crate::components::{Components, Graph};
use crate::slip::Slip;

/// Not a state of the recording.
const NOBODY: u32 = u32::MAX;

/// An edge inside a component, whatever it counts for.
const INNER: u64 = 1 << 32;

/// Some edges.
#[derive(Default)]
pub struct Recording {
    /// For each state its key and how many words follow; for each kind of its edges how many there are, what they count for, and
    /// where each leads.
    words: Vec<u32>,
    /// Where the state begins that is being written down, and the last kind of its edges.
    state: usize,
    kind: Option<usize>,
    /// What some edge counts for.
    marks: u32,
}

impl Recording {
    /// The largest key that can be written down.
    pub const LARGEST: u64 = NOBODY as u64 - 1;

    /// Begins the edges of a state.
    pub fn begin(&mut self, Key(from): Key) {
        self.state = self.words.len();
        self.kind = None;
        self.words.extend([from as u32, 0]);
    }

    /// Adds an edge of this state.
    #[inline]
    pub fn edge(&mut self, marks: u32, Key(to): Key) {
        let kind = match self.kind.filter(|&it| self.words[it + 1] == marks) {
            Some(kind) => kind,
            None => {
                self.marks |= marks;
                self.words.extend([0, marks]);
                self.words.len() - 2
            }
        };
        self.kind = Some(kind);
        self.words[kind] += 1;
        self.words.push(to as u32);
    }

    /// These were all edges of this state; if it has none, it need not be known.
    pub fn end(&mut self) {
        match self.words.len() - self.state - 2 {
            0 => self.words.truncate(self.state),
            more => self.words[self.state + 1] = more as u32,
        }
    }

    /// Takes over what another one has written down.
    pub fn append(&mut self, other: &mut Recording) {
        self.words.append(&mut other.words);
        self.marks |= other.marks;
    }

    /// Forgets all.
    pub fn clear(&mut self) {
        *self = Recording::default();
    }

    /// What some states and edges take, in bytes.
    pub fn bytes(states: usize, edges: usize) -> u64 {
        (states * 16 + edges * 4) as u64
    }

    /// Bytes in use.
    pub fn memory(&self) -> u64 {
        self.words.capacity() as u64 * 4
    }
}

/// The number of each state of a recording, by its key.
#[derive(Default)]
pub struct Index(Vec<u32>);

impl Index {
    #[inline]
    fn get(&self, key: u32) -> Option<usize> {
        self.0.get(key as usize).filter(|it| **it != NOBODY).map(|it| *it as usize)
    }

    fn set(&mut self, key: u32, number: u32) {
        let key = key as usize;
        if self.0.len() <= key {
            self.0.resize(key + 1, NOBODY);
        }
        self.0[key] = number;
    }

    /// Bytes in use.
    pub fn memory(&self) -> u64 {
        self.0.capacity() as u64 * 4
    }
}

/// A component that violates a property.
pub struct Culprit {
    /// The state of it that was written down first.
    pub first: Key,
    /// The keys of all its states.
    pub members: HashSet<u64>,
}

/// A component whose inner edges have all marks that are wanted. The index is empty before and after.
pub fn culprit(recording: &Recording, index: &mut Index, wanted: u32, slip: Option<Slip>) -> Option<Culprit> {
    if recording.marks & wanted != wanted {
        return None;
    }
    let (mut starts, mut at) = (Vec::new(), 0);
    while let Some(&[key, length]) = recording.words[at..].first_chunk() {
        index.set(key, starts.len() as u32);
        starts.push(at);
        at += 2 + length as usize;
    }
    let recorded = Recorded { words: &recording.words, starts: &starts, index };
    let found = recorded.culprit(wanted, slip);
    starts.iter().for_each(|&it| index.set(recording.words[it], NOBODY));
    found
}

/// A recording as a graph.
struct Recorded<'r> {
    words: &'r [u32],
    /// Where each state begins.
    starts: &'r [usize],
    index: &'r Index,
}

impl<'r> Recorded<'r> {
    fn key(&self, node: usize) -> Key {
        Key(self.words[self.starts[node]].into())
    }

    /// The edges of a state: for each kind what they count for, and the keys to which they lead.
    fn kinds(&self, node: usize) -> Kinds<'r> {
        let at = self.starts[node];
        Kinds(&self.words[at + 2..][..self.words[at + 1] as usize])
    }

    fn culprit(&self, wanted: u32, slip: Option<Slip>) -> Option<Culprit> {
        let components = Components::new(self);
        let mut inner = vec![0; components.count];
        for node in 0..self.nodes() {
            let home = components.of[node];
            let counting = self.kinds(node).filter(|it| wanted == 0 || it.0 & wanted != 0);
            for (marks, targets) in counting {
                let mut targets = targets.iter().filter_map(|&it| self.index.get(it));
                let counts = |it| slip != Some(Slip::Between) || it <= node;
                if targets.any(|it| components.of[it] == home && counts(it)) {
                    inner[home as usize] |= INNER | u64::from(marks);
                }
            }
        }
        let wanted = INNER | u64::from(wanted);
        let first = (0..self.nodes()).find(|&it| inner[components.of[it] as usize] & wanted == wanted)?;
        let inside = (0..self.nodes()).filter(|&it| components.of[it] == components.of[first]);
        Some(Culprit { first: self.key(first), members: inside.map(|it| self.key(it).0).collect() })
    }
}

impl Graph for Recorded<'_> {
    fn nodes(&self) -> usize {
        self.starts.len()
    }

    fn edges(&self, node: usize) -> impl Iterator<Item = usize> {
        self.kinds(node).flat_map(|it| it.1).filter_map(|&it| self.index.get(it))
    }
}

/// The kinds of edges of a state.
struct Kinds<'r>(&'r [u32]);

impl<'r> Iterator for Kinds<'r> {
    type Item = (u32, &'r [u32]);

    fn next(&mut self) -> Option<Self::Item> {
        let (&[count, marks], rest) = self.0.split_first_chunk()?;
        let (targets, rest) = rest.split_at(count as usize);
        self.0 = rest;
        Some((marks, targets))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Edges as (from, to, marks); those of a state stand together.
    fn recorded(edges: &[(u64, u64, u32)]) -> Recording {
        let mut recording = Recording::default();
        for edges in edges.chunk_by(|one, other| one.0 == other.0) {
            recording.begin(Key(edges[0].0));
            edges.iter().for_each(|it| recording.edge(it.2, Key(it.1)));
            recording.end();
        }
        recording
    }

    fn members(edges: &[(u64, u64, u32)], wanted: u32) -> Option<Vec<u64>> {
        let mut index = Index::default();
        let found = culprit(&recorded(edges), &mut index, wanted, None);
        assert!(index.0.iter().all(|it| *it == NOBODY));
        let mut members: Vec<u64> = found?.members.into_iter().collect();
        members.sort_unstable();
        Some(members)
    }

    #[test]
    fn inner_edges_have_to_have_all_marks() {
        let edges = [(7, 3, 1), (7, 9, 0), (3, 7, 0), (9, 9, 2)];
        assert_eq!(members(&edges, 1), Some(vec![3, 7]));
        assert_eq!(members(&edges, 2), Some(vec![9]));
        assert_eq!(members(&edges, 3), None);
        assert_eq!(members(&edges, 0), Some(vec![3, 7]));
    }

    #[test]
    fn without_a_cycle_there_is_nothing_to_find() {
        assert_eq!(members(&[(1, 2, 1), (2, 3, 1), (3, 4, 1)], 0), None);
        assert_eq!(members(&[], 0), None);
    }

    #[test]
    fn a_state_without_edges_is_not_kept() {
        let mut recording = Recording::default();
        recording.begin(Key(5));
        recording.end();
        assert!(recording.words.is_empty());
    }
}
