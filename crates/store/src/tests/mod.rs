//! Every store against a set from the standard library; see also `tests/interleavings.rs`.
mod against_a_set;
mod hashing;
mod limits;
mod pairs;
mod saving;
mod survey;
mod threads;
mod twins;

use crate::{Insertion, Near, Store};

/// Inserts a state as a search would: grows the store when it must. Says whether the state was new.
fn insert<S: Store>(store: &mut S, local: &mut S::Local, state: &[u64], near: Option<Near<'_>>) -> Insertion {
    loop {
        let digest = store.digest(local, state, near);
        store.prefetch(digest);
        let glance = store.glance(digest);
        match store.insert(local, state, digest, glance) {
            Insertion::Crowded => store.grow(None).expect("memory"),
            answer => return answer,
        }
    }
}

/// Numbers that look random: Marsaglia's xorshift.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }

    fn below(&mut self, limit: u64) -> u64 {
        self.next() % limit
    }
}

/// States like those of a protocol: some processes, each a word with a counter and a few flags. Many repeat.
fn protocol(count: usize, words: usize, seed: u64) -> Vec<Vec<u64>> {
    let mut random = Random(seed | 1);
    let mut state = vec![0; words];
    let mut states = Vec::new();
    for _ in 0..count {
        let process = random.below(words as u64) as usize;
        state[process] = ((state[process] + 1) % 6) | (random.below(2) << 40);
        states.push(state.clone());
    }
    states
}

/// States of 1 to `longest` words, with small values: prefixes of each other are frequent.
fn of_many_lengths(count: usize, longest: u64, seed: u64) -> Vec<Vec<u64>> {
    let mut random = Random(seed | 1);
    let mut state = || (0..=random.below(longest)).map(|_| random.next() & 3).collect();
    (0..count).map(|_| state()).collect()
}
