//! The visited states, each bit for bit, with a link to where it was first reached from.
//!
//! States lie one after the other in one block of memory; a hash table holds their numbers only
//! (open addressing, `hashbrown`). A trace is found by walking the links: it costs nothing until
//! somebody wants one.
use std::hash::Hasher;

use hashbrown::HashTable;
use rustc_hash::FxHasher;

/// A stored state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Node(pub u32);

/// All states seen so far.
#[derive(Default)]
pub struct Store {
    table: HashTable<u32>,
    bytes: Vec<u8>,
    /// Where each state ends in `bytes`.
    ends: Vec<u64>,
    parents: Vec<u32>,
    depths: Vec<u32>,
    /// Bytes at the front of a state that do not tell it from others.
    hidden: usize,
}

impl Store {
    /// An empty store for states whose first `hidden` bytes do not count.
    pub fn new(hidden: usize) -> Self {
        Store { hidden, ..Store::default() }
    }

    /// Adds a state; `None` if it was there.
    pub fn insert(&mut self, state: &[u8], parent: Option<Node>, depth: u32) -> Option<Node> {
        let hash = hash(&state[self.hidden..]);
        let (bytes, ends, hidden) = (&self.bytes, &self.ends, self.hidden);
        let same = |&row: &u32| slice(bytes, ends, row)[hidden..] == state[hidden..];
        let rehash = |&row: &u32| self::hash(&slice(bytes, ends, row)[hidden..]);
        let hashbrown::hash_table::Entry::Vacant(entry) = self.table.entry(hash, same, rehash) else { return None };
        let node = Node(ends.len() as u32);
        entry.insert(node.0);
        self.bytes.extend_from_slice(state);
        self.ends.push(self.bytes.len() as u64);
        self.parents.push(parent.map_or(u32::MAX, |it| it.0));
        self.depths.push(depth);
        Some(node)
    }

    /// The bytes of a state.
    pub fn state(&self, node: Node) -> &[u8] {
        slice(&self.bytes, &self.ends, node.0)
    }

    /// Where a state was first reached from.
    pub fn parent(&self, node: Node) -> Option<Node> {
        let parent = self.parents[node.0 as usize];
        (parent != u32::MAX).then_some(Node(parent))
    }

    /// How many steps from the initial state it was first reached.
    pub fn depth(&self, node: Node) -> u32 {
        self.depths[node.0 as usize]
    }

    /// How many states there are.
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// Bytes in use.
    pub fn memory(&self) -> u64 {
        let per_state = size_of::<u64>() + 2 * size_of::<u32>();
        (self.bytes.capacity() + self.ends.capacity() * per_state + self.table.allocation_size()) as u64
    }
}

fn slice<'a>(bytes: &'a [u8], ends: &[u64], row: u32) -> &'a [u8] {
    let start = row.checked_sub(1).map_or(0, |before| ends[before as usize]);
    &bytes[start as usize..ends[row as usize] as usize]
}

fn hash(bytes: &[u8]) -> u64 {
    let mut hasher = FxHasher::default();
    hasher.write(bytes);
    hasher.finish()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_state_is_stored_once() {
        let mut store = Store::new(0);
        let first = store.insert(b"ab", None, 0);
        assert_eq!(first, Some(Node(0)));
        assert_eq!(store.insert(b"abc", first, 1), Some(Node(1)));
        assert_eq!(store.insert(b"ab", first, 1), None);
        assert_eq!((store.len(), store.state(Node(1)), store.parent(Node(1))), (2, &b"abc"[..], Some(Node(0))));
    }

    #[test]
    fn hidden_bytes_do_not_tell_states_apart() {
        let mut store = Store::new(1);
        assert!(store.insert(b"xab", None, 0).is_some());
        assert!(store.insert(b"yab", None, 0).is_none());
    }
}
