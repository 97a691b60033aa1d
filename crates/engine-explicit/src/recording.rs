//! The edges of a graph, written down while it is visited.
//!
//! To find the components of a graph that is in memory takes a small part of the time that it takes to make the graph, and the order in which
//! it was made does not matter. An edge takes four bytes, a state with edges sixteen more, and twelve while it is judged.
//!
//! A component violates a property if its inner edges have all marks (Emerson, Lei, *Modalities for model checking: branching time logic strikes
//! back*, 1987). So only components matter that can be reached from edges with a mark, and the search begins where the edges with the rarest one lead. States whose edges are not written down yet have none, so that a part of a graph can be judged, too: what is found there stays.
use std::cell::Cell;
use std::sync::Arc;

use rustc_hash::FxHashSet as HashSet;
use store::Key;

use crate::components::{Graph, NEVER, Numbers, number};
use crate::slip::Slip;

/// Not a state of a recording.
const NOBODY: u32 = u32::MAX;
/// From here on, which state of the recordings it is, until it is seen; below, the number that it got then.
const UNSEEN: u32 = 1 << 31;

/// An edge inside a component, whatever it counts for.
const INNER: u64 = 1 << 32;

/// Some edges.
#[derive(Default)]
pub struct Recording {
    /// For each state its key and how many words follow; for each kind of its edges how many there are, what they count for, and
    /// where each leads.
    words: Vec<u32>,
    /// Where the state begins that is being written down, and the last kind of its edges, of which it is known what they count for.
    state: usize,
    kind: usize,
    counts: Option<u32>,
    /// What some edge counts for.
    marks: u32,
    /// For each kind of edges that count for something, where the state begins that has them, and where the kind does.
    marked: Vec<[u32; 2]>,
}

impl Recording {
    /// The largest key that can be written down.
    pub const LARGEST: u64 = NOBODY as u64 - 1;
    /// The most states that can be judged together.
    pub const MOST: usize = UNSEEN as usize - 2;

    /// Begins the edges of a state.
    pub fn begin(&mut self, Key(from): Key) {
        self.state = self.words.len();
        self.counts = None;
        self.words.extend([from as u32, 0]);
    }

    /// Adds an edge of this state.
    #[inline]
    pub fn edge(&mut self, marks: u32, Key(to): Key) {
        if self.counts != Some(marks) {
            self.end_kind();
            self.begin_kind(marks);
        }
        self.words.push(to as u32);
    }

    fn begin_kind(&mut self, marks: u32) {
        (self.kind, self.counts) = (self.words.len(), Some(marks));
        self.words.extend([0, marks]);
        self.marks |= marks;
        if marks != 0 {
            self.marked.push([self.state as u32, self.kind as u32]);
        }
    }

    fn end_kind(&mut self) {
        if self.counts.is_some() {
            self.words[self.kind] = (self.words.len() - self.kind - 2) as u32;
        }
    }

    /// These were all edges of this state; if it has none, it need not be known.
    pub fn end(&mut self) {
        self.end_kind();
        match self.words.len() - self.state - 2 {
            0 => self.words.truncate(self.state),
            more => self.words[self.state + 1] = more as u32,
        }
    }

    /// Kinds of edges that count for something wanted, or all if nothing is: from where, what for, and where they lead.
    fn counting(&self, wanted: u32) -> impl Iterator<Item = (u32, u32, &[u32])> {
        let marked = self.marked.iter().map(|&[state, kind]| (self.words[state as usize], self.kind_at(kind as usize)));
        let marked = marked.filter(move |it| it.1.0 & wanted != 0);
        let states = States(if wanted == 0 { &self.words } else { &[] });
        let all = states.flat_map(|it| Kinds(&it[2..]).map(|kind| (it[0], kind)));
        marked.chain(all).map(|(from, (marks, targets))| (from, marks, targets))
    }

    fn kind_at(&self, at: usize) -> (u32, &[u32]) {
        (self.words[at + 1], &self.words[at + 2..][..self.words[at] as usize])
    }

    /// How many words it has.
    pub fn len(&self) -> usize {
        self.words.len()
    }

    /// Bytes in use.
    pub fn memory(&self) -> u64 {
        (self.words.capacity() + self.marked.capacity() * 2) as u64 * 4
    }
}

/// Where states of recordings are found.
#[derive(Default)]
pub struct Index {
    /// By its key, which state it is, then its number.
    keys: Vec<Cell<u32>>,
    /// Which recording each is in, and where it begins there.
    states: Vec<[u32; 2]>,
}

impl Index {
    /// Knows all states of some recordings.
    fn fill(&mut self, recordings: &[Arc<Recording>]) {
        for (number, recording) in recordings.iter().enumerate() {
            let mut begin = 0;
            for state in States(&recording.words) {
                self.know(state[0] as usize, [number as u32, begin as u32]);
                begin += state.len();
            }
        }
    }

    fn know(&mut self, key: usize, place: [u32; 2]) {
        if self.keys.len() <= key {
            self.keys.resize(key + 1, Cell::new(NOBODY));
        }
        self.keys[key].set(UNSEEN | self.states.len() as u32);
        self.states.push(place);
    }

    /// Knows none of them any more.
    fn clear(&mut self, recordings: &[Arc<Recording>]) {
        self.states.clear();
        let states = recordings.iter().flat_map(|it| States(&it.words));
        states.for_each(|it| self.keys[it[0] as usize].set(NOBODY));
    }

    /// Bytes in use.
    pub fn memory(&self) -> u64 {
        self.keys.capacity() as u64 * 4 + self.states.capacity() as u64 * 8
    }
}

impl Numbers for Index {
    #[inline]
    fn get(&self, key: usize) -> u32 {
        let known = self.keys.get(key).map_or(NOBODY, Cell::get);
        if (UNSEEN..NOBODY).contains(&known) { NEVER } else { known }
    }

    #[inline]
    fn set(&self, key: usize, number: u32) {
        self.keys[key].set(number);
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
pub fn culprit(recordings: &[Arc<Recording>], index: &mut Index, wanted: u32, slip: Option<Slip>) -> Option<Culprit> {
    if recordings.iter().fold(0, |all, it| all | it.marks) & wanted != wanted {
        return None;
    }
    index.fill(recordings);
    let found = Recorded { recordings, index }.culprit(wanted, slip);
    index.clear(recordings);
    found
}

/// The states of a recording, each with all that is written down of it.
struct States<'r>(&'r [u32]);

impl<'r> Iterator for States<'r> {
    type Item = &'r [u32];

    fn next(&mut self) -> Option<Self::Item> {
        let &[_, length] = self.0.first_chunk()?;
        let (state, rest) = self.0.split_at(2 + length as usize);
        self.0 = rest;
        Some(state)
    }
}

/// Recordings as a graph, whose nodes are keys.
struct Recorded<'r> {
    recordings: &'r [Arc<Recording>],
    index: &'r Index,
}

impl<'r> Recorded<'r> {
    /// The edges that count for something wanted, or all if nothing is.
    fn counting(&self, wanted: u32) -> impl Iterator<Item = (u32, u32, &'r [u32])> {
        self.recordings.iter().flat_map(move |it| it.counting(wanted))
    }

    /// The mark that the fewest states have edges with, or none if none is wanted.
    fn rarest(&self, wanted: u32) -> u32 {
        if wanted.count_ones() < 2 {
            return wanted;
        }
        let bits = (0..u32::BITS).map(|it| 1 << it).filter(|it| wanted & it != 0);
        bits.min_by_key(|&it| self.counting(it).count()).unwrap_or(wanted)
    }

    fn culprit(&self, wanted: u32, slip: Option<Slip>) -> Option<Culprit> {
        let begins = self.counting(self.rarest(wanted)).flat_map(|it| it.2).map(|&it| it as usize);
        let count = number(self, self.index, begins);
        let home = |key: u32| self.index.get(key as usize);
        let mut inner = vec![0; count];
        for (from, marks, targets) in self.counting(wanted) {
            let counts = |to: u32| slip != Some(Slip::Between) || to <= from;
            if home(from) != NEVER && targets.iter().any(|&it| home(it) == home(from) && counts(it)) {
                inner[self.nodes() - home(from) as usize] |= INNER | u64::from(marks);
            }
        }
        let guilty = inner.iter().position(|it| it & INNER != 0 && *it as u32 & wanted == wanted)?;
        let states = self.recordings.iter().flat_map(|it| States(&it.words)).map(|it| it[0]);
        let mut members = states.filter(|&it| home(it) as usize == self.nodes() - guilty).map(u64::from).peekable();
        Some(Culprit { first: Key(*members.peek()?), members: members.collect() })
    }
}

impl Graph for Recorded<'_> {
    fn nodes(&self) -> usize {
        self.index.states.len()
    }

    fn edges(&self, key: usize) -> impl Iterator<Item = usize> {
        let state = self.index.keys[key].get() & !UNSEEN;
        let [recording, begin] = self.index.states[state as usize];
        let words = &self.recordings[recording as usize].words[begin as usize..];
        Targets { kinds: &words[2..][..words[1] as usize], left: 0 }
    }
}

/// Where the edges of a state lead.
struct Targets<'r> {
    /// What is left of all of them.
    kinds: &'r [u32],
    /// How many more are of the kind in hand.
    left: u32,
}

impl Iterator for Targets<'_> {
    type Item = usize;

    #[inline]
    fn next(&mut self) -> Option<usize> {
        if self.left == 0 {
            let (&[count, _], rest) = self.kinds.split_first_chunk()?;
            (self.left, self.kinds) = (count, rest);
        }
        let (&to, rest) = self.kinds.split_first()?;
        (self.left, self.kinds) = (self.left - 1, rest);
        Some(to as usize)
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

    /// Edges as (from, to, marks); those of a state stand together, each in a recording of its own.
    fn recorded(edges: &[(u64, u64, u32)]) -> Vec<Arc<Recording>> {
        let by_state = edges.chunk_by(|one, other| one.0 == other.0);
        let recorded = by_state.map(|edges| {
            let mut recording = Recording::default();
            recording.begin(Key(edges[0].0));
            edges.iter().for_each(|it| recording.edge(it.2, Key(it.1)));
            recording.end();
            Arc::new(recording)
        });
        recorded.collect()
    }

    fn members(edges: &[(u64, u64, u32)], wanted: u32) -> Option<Vec<u64>> {
        let mut index = Index::default();
        let found = culprit(&recorded(edges), &mut index, wanted, None);
        assert!(index.keys.iter().all(|it| it.get() == NOBODY));
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
        assert!(members(&edges, 0).is_some());
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
