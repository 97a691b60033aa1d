//! States that wait to be expanded, in blocks that workers take and fill.
//!
//! An exact store gives its states back, so that a key is enough; otherwise the states wait themselves.
use store::{Exact, Key, Store, Trail};

/// States in a block.
pub const BLOCK: usize = 1024;

/// A block of waiting states.
pub trait Block<S: Store>: Default + Send {
    /// Adds a state that was just stored.
    fn push(&mut self, key: Key, state: &[u64]);

    /// How many states are in it.
    fn len(&self) -> usize;

    /// Reads one of them.
    fn load(&self, row: usize, store: &S, state: &mut Vec<u64>, trail: &mut Trail);

    /// Bytes in use.
    fn memory(&self) -> u64;
}

/// States by their keys.
#[derive(Default)]
pub struct Keys(Vec<Key>);

impl<S: Exact> Block<S> for Keys {
    fn push(&mut self, key: Key, _: &[u64]) {
        self.0.push(key);
    }

    fn len(&self) -> usize {
        self.0.len()
    }

    fn load(&self, row: usize, store: &S, state: &mut Vec<u64>, trail: &mut Trail) {
        store.load(self.0[row], state, trail);
    }

    fn memory(&self) -> u64 {
        (self.0.capacity() * size_of::<Key>()) as u64
    }
}

/// States word for word.
#[derive(Default)]
pub struct Values {
    words: Vec<u64>,
    ends: Vec<u32>,
}

impl<S: Store> Block<S> for Values {
    fn push(&mut self, _: Key, state: &[u64]) {
        self.words.extend_from_slice(state);
        self.ends.push(self.words.len() as u32);
    }

    fn len(&self) -> usize {
        self.ends.len()
    }

    fn load(&self, row: usize, _: &S, state: &mut Vec<u64>, trail: &mut Trail) {
        let start = row.checked_sub(1).map_or(0, |before| self.ends[before]);
        state.clear();
        state.extend_from_slice(&self.words[start as usize..self.ends[row] as usize]);
        trail.clear();
    }

    fn memory(&self) -> u64 {
        (self.words.capacity() * size_of::<u64>() + self.ends.capacity() * size_of::<u32>()) as u64
    }
}
