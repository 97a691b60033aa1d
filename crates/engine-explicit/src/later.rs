//! States to be expanded again, nearest first.
//!
//! A state that is reached on a shorter path than before could be expanded again at once; but then a state is
//! expanded about as often as there are lengths of paths to it. So it waits until the stack is empty. Then the
//! nearest of all that wait goes first, as in Dijkstra, *A note on two problems in connexion with graphs*, 1959:
//! nothing that is found from there on is nearer, so that each state comes back at most once.
use std::collections::BTreeMap;
use std::marker::PhantomData;

use store::{Key, Store, Trail};

use crate::frontier::Block;

/// The states that wait, by their distance from the initial one.
pub struct Later<S, B> {
    waiting: BTreeMap<u64, Bucket<B>>,
    /// Bytes in use.
    memory: u64,
    store: PhantomData<S>,
}

/// States at one distance, and where their visits are remembered.
struct Bucket<B> {
    states: B,
    visits: Vec<usize>,
    next: usize,
}

/// A state that comes back.
pub struct Waiting {
    /// Steps from the initial state.
    pub depth: u64,
    /// Where its visit is remembered.
    pub visit: usize,
}

impl<S: Store, B: Block<S>> Later<S, B> {
    /// None yet.
    pub fn new() -> Self {
        Later { waiting: BTreeMap::new(), memory: 0, store: PhantomData }
    }

    /// Adds a state.
    pub fn push(&mut self, depth: u64, key: Key, words: &[u64], visit: usize) {
        let empty = || Bucket { states: B::default(), visits: Vec::new(), next: 0 };
        let bucket = self.waiting.entry(depth).or_insert_with(empty);
        let before = bucket.memory::<S>();
        bucket.states.push(key, words);
        bucket.visits.push(visit);
        self.memory += bucket.memory::<S>() - before;
    }

    /// Takes the nearest one.
    pub fn pop(&mut self, store: &S, words: &mut Vec<u64>) -> Option<Waiting> {
        let mut entry = self.waiting.first_entry()?;
        let (depth, bucket) = (*entry.key(), entry.get_mut());
        bucket.states.load(bucket.next, store, words, &mut Trail::new());
        let visit = bucket.visits[bucket.next];
        bucket.next += 1;
        if bucket.next == bucket.visits.len() {
            self.memory -= entry.remove().memory::<S>();
        }
        Some(Waiting { depth, visit })
    }

    /// Bytes in use.
    pub fn memory(&self) -> u64 {
        self.memory
    }
}

impl<B> Bucket<B> {
    fn memory<S: Store>(&self) -> u64
    where
        B: Block<S>,
    {
        self.states.memory() + (self.visits.capacity() * size_of::<usize>()) as u64
    }
}
