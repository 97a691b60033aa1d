//! The stack of a depth-first search, flat in memory.
//!
//! All successors of all states on the way lie one behind the other; a frame says which of them its state is, and
//! where those of its state begin. Taking a state off takes its successors off the end:
//!
//! ```text
//! states   [initial] [a b c] [d e] [f]       the way is: initial, b, e
//! frames    0, from 1   2, from 4   5, from 6
//! ```
use compiled::Successors;
use store::{Digest, Store};

use crate::switches::Turn;

/// A successor that waits to be visited.
#[derive(Clone, Copy, Debug)]
pub struct Entry {
    /// Where it belongs in the store.
    pub digest: Digest,
    /// Which of the states it is.
    row: u32,
    /// Who has moved to get there.
    pub turn: Turn,
    /// It need not be expanded.
    pub is_passed: bool,
}

/// A state on the way.
struct Frame {
    /// Which of the states it is.
    row: u32,
    /// Its first successor, and the next one to be visited; the last successors are those of the top.
    first: u32,
    next: u32,
}

/// The way from the initial state to the state in hand, with all that waits beside it.
pub struct Stack {
    states: Successors,
    /// One for each of the states; those of a frame may be in any order.
    entries: Vec<Entry>,
    frames: Vec<Frame>,
    /// How far the lowest state is from the initial one.
    base: u64,
}

impl Stack {
    /// An empty one.
    pub fn new(states: Successors) -> Stack {
        Stack { states, entries: Vec::new(), frames: Vec::new(), base: 0 }
    }

    /// Forgets all, for another lowest state, which is so far from the initial one.
    pub fn restart(&mut self, base: u64, words: &[u64]) {
        self.frames.clear();
        self.entries.clear();
        self.states.clear();
        self.states.push(words);
        self.base = base;
    }

    /// How far the state on top is from the initial one; `None` if there is no state.
    pub fn depth(&self) -> Option<u64> {
        self.frames.len().checked_sub(1).map(|it| self.base + it as u64)
    }

    /// Where successors of the state on top are added. Each needs its [`Stack::add`] then.
    pub fn states(&mut self) -> &mut Successors {
        &mut self.states
    }

    /// The words of the next successor that has no entry.
    pub fn unnamed(&self) -> Option<&[u64]> {
        (self.entries.len() < self.states.len()).then(|| self.states.get(self.entries.len()))
    }

    /// The entry of the next successor that has none.
    pub fn add(&mut self, digest: Digest, turn: Turn, is_passed: bool) {
        self.entries.push(Entry { digest, row: self.entries.len() as u32, turn, is_passed });
    }

    /// Which successor is the next that has no entry.
    pub fn next_row(&self) -> usize {
        self.entries.len()
    }

    /// The successors of the state on top, in the order in which they will be visited.
    pub fn waiting(&mut self) -> &mut [Entry] {
        let first = self.frames.last().map_or(0, |top| top.next as usize);
        &mut self.entries[first..]
    }

    /// The words of a successor.
    pub fn words(&self, entry: Entry) -> &[u64] {
        self.states.get(entry.row as usize)
    }

    /// Takes the next successor of the state on top.
    pub fn next(&mut self) -> Option<Entry> {
        let top = self.frames.last_mut()?;
        let entry = *self.entries.get(top.next as usize)?;
        top.next += 1;
        Some(entry)
    }

    /// Puts a successor on top, whose own successors will be added next.
    pub fn push(&mut self, entry: Entry) {
        let first = self.entries.len() as u32;
        self.frames.push(Frame { row: entry.row, first, next: first });
    }

    /// Takes the state on top off.
    pub fn pop(&mut self) {
        if let Some(frame) = self.frames.pop() {
            self.entries.truncate(frame.first as usize);
            self.states.truncate(frame.first as usize);
        }
    }

    /// The state on top.
    pub fn top(&self) -> Option<&[u64]> {
        self.frames.last().map(|it| self.states.get(it.row as usize))
    }

    /// A state on the way, counted from the lowest.
    pub fn at(&self, frame: usize) -> Option<&[u64]> {
        self.frames.get(frame).map(|it| self.states.get(it.row as usize))
    }

    /// Whether there is room for more: numbers of states have 32 bits.
    pub fn has_room(&self) -> bool {
        self.entries.len() < (u32::MAX / 2) as usize
    }

    /// All states on the way, if it begins with the initial one; otherwise none.
    pub fn way(&self) -> Vec<Vec<u64>> {
        let frames = if self.base == 0 { &self.frames[..] } else { &[] };
        frames.iter().map(|frame| self.states.get(frame.row as usize).to_vec()).collect()
    }

    /// Bytes in use.
    pub fn memory(&self) -> u64 {
        let entries = self.entries.capacity() * size_of::<Entry>() + self.frames.capacity() * size_of::<Frame>();
        self.states.memory() + entries as u64
    }
}

/// Makes entries of the successors just added, whose lines of the table are on their way from now on.
pub fn name<S: Store>(stack: &mut Stack, store: &S, local: &mut S::Local) {
    while let Some(words) = stack.unnamed() {
        let digest = store.digest(local, words, None);
        store.prefetch(digest);
        stack.add(digest, Turn::FIRST, false);
    }
}
