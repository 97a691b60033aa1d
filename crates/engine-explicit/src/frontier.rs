//! States that wait to be expanded, in blocks that workers take and fill.
//!
//! An exact store gives its states back, so that a key is enough; otherwise the states wait themselves.
use std::io;

use store::{Exact, Key, Store, Trail, Unreadable, WordReader, WordWriter};

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

    /// Touches what a later load will read.
    fn touch(&self, _row: usize, _store: &S) {}

    /// Forgets the first states.
    fn skip(&mut self, rows: usize);

    /// Takes half of the states away.
    fn split(&mut self) -> Self;

    /// Forgets states for which this says so.
    fn keep(&mut self, wanted: &[bool]);

    /// Gives back what it reserved for more states.
    fn fit(&mut self);

    /// Bytes in use.
    fn memory(&self) -> u64;

    /// Writes all of them.
    fn save(&self, out: &mut WordWriter<'_>) -> io::Result<()>;

    /// Reads what a block has written.
    fn restore(from: &mut WordReader<'_>) -> Result<Self, Unreadable>;
}

/// Blocks, each with the number of the worker that has filled it: what it has written is in the cache of its processor, and so
/// it had better read it, too.
pub struct Pile<B>(Vec<(usize, B)>);

impl<B> Default for Pile<B> {
    fn default() -> Self {
        Pile(Vec::new())
    }
}

impl<B> Pile<B> {
    /// Blocks that nobody here has filled.
    pub fn of(blocks: Vec<B>) -> Pile<B> {
        Pile(blocks.into_iter().map(|it| (0, it)).collect())
    }

    /// Adds a block that a worker has filled.
    pub fn add(&mut self, worker: usize, block: B) {
        self.0.push((worker, block));
    }

    /// The last block of a worker, or of anybody.
    pub fn take(&mut self, worker: usize) -> Option<B> {
        let row = self.0.iter().rposition(|it| it.0 == worker).or(self.0.len().checked_sub(1))?;
        Some(self.0.swap_remove(row).1)
    }

    /// Moves all blocks of another one here.
    pub fn append(&mut self, other: &mut Pile<B>) {
        self.0.append(&mut other.0);
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// All of them.
    pub fn blocks(&self) -> impl Iterator<Item = &B> {
        self.0.iter().map(|it| &it.1)
    }
}

/// States by their keys. Keys are rarely larger than 32 bits, and so upper halves are kept only if one is not zero.
#[derive(Default)]
pub struct Keys {
    lower: Vec<u32>,
    upper: Vec<u32>,
}

impl Keys {
    /// Adds a state.
    #[inline]
    pub fn add(&mut self, Key(key): Key) {
        let upper = (key >> 32) as u32;
        if upper != 0 || !self.upper.is_empty() {
            self.upper.resize(self.lower.len(), 0);
            self.upper.push(upper);
        }
        self.lower.push(key as u32);
    }

    /// One of them.
    #[inline]
    pub fn get(&self, row: usize) -> Key {
        let upper = self.upper.get(row).copied().unwrap_or(0);
        Key(u64::from(upper) << 32 | u64::from(self.lower[row]))
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.lower.len()
    }

    /// Forgets the first of them.
    pub fn forget_first(&mut self, rows: usize) {
        self.lower.drain(..rows);
        self.upper.drain(..rows.min(self.upper.len()));
    }

    /// Takes half of them away.
    pub fn halve(&mut self) -> Keys {
        let middle = self.lower.len() / 2;
        Keys { lower: self.lower.split_off(middle), upper: self.upper.split_off(middle.min(self.upper.len())) }
    }

    /// All of them.
    pub fn keys(&self) -> impl Iterator<Item = Key> {
        (0..self.lower.len()).map(|row| self.get(row))
    }
}

impl FromIterator<Key> for Keys {
    fn from_iter<I: IntoIterator<Item = Key>>(keys: I) -> Keys {
        let mut block = Keys::default();
        keys.into_iter().for_each(|key| block.add(key));
        block
    }
}

impl<S: Exact> Block<S> for Keys {
    fn push(&mut self, key: Key, _: &[u64]) {
        self.add(key);
    }

    fn len(&self) -> usize {
        Keys::len(self)
    }

    fn load(&self, row: usize, store: &S, state: &mut Vec<u64>, trail: &mut Trail) {
        store.load(self.get(row), state, trail);
    }

    fn touch(&self, row: usize, store: &S) {
        if row < self.lower.len() {
            store.touch(self.get(row));
        }
    }

    fn skip(&mut self, rows: usize) {
        self.forget_first(rows);
    }

    fn split(&mut self) -> Self {
        self.halve()
    }

    fn keep(&mut self, wanted: &[bool]) {
        *self = self.keys().zip(wanted).filter(|it| *it.1).map(|it| it.0).collect();
    }

    fn fit(&mut self) {
        // A block that is nearly full is not worth moving.
        if self.lower.len() * 2 < self.lower.capacity() {
            self.lower.shrink_to_fit();
            self.upper.shrink_to_fit();
        }
    }

    fn memory(&self) -> u64 {
        ((self.lower.capacity() + self.upper.capacity()) * size_of::<u32>()) as u64
    }

    fn save(&self, out: &mut WordWriter<'_>) -> io::Result<()> {
        out.word(self.lower.len() as u64)?;
        out.words(self.keys().map(|key| key.0))
    }

    fn restore(from: &mut WordReader<'_>) -> Result<Self, Unreadable> {
        Ok(from.list()?.into_iter().map(Key).collect())
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

    fn skip(&mut self, rows: usize) {
        let words = rows.checked_sub(1).map_or(0, |last| self.ends[last]);
        self.words.drain(..words as usize);
        self.ends.drain(..rows);
        self.ends.iter_mut().for_each(|end| *end -= words);
    }

    fn split(&mut self) -> Self {
        let ends = self.ends.split_off(self.ends.len() / 2);
        let middle = self.ends.last().copied().unwrap_or(0);
        let words = self.words.split_off(middle as usize);
        Values { words, ends: ends.into_iter().map(|end| end - middle).collect() }
    }

    fn keep(&mut self, wanted: &[bool]) {
        let (words, ends) = (std::mem::take(&mut self.words), std::mem::take(&mut self.ends));
        let starts = std::iter::once(0).chain(ends.iter().copied());
        for ((start, &end), _) in starts.zip(&ends).zip(wanted).filter(|it| *it.1) {
            self.words.extend_from_slice(&words[start as usize..end as usize]);
            self.ends.push(self.words.len() as u32);
        }
    }

    fn fit(&mut self) {
        self.words.shrink_to_fit();
        self.ends.shrink_to_fit();
    }

    fn memory(&self) -> u64 {
        (self.words.capacity() * size_of::<u64>() + self.ends.capacity() * size_of::<u32>()) as u64
    }

    fn save(&self, out: &mut WordWriter<'_>) -> io::Result<()> {
        out.list(&self.words)?;
        out.word(self.ends.len() as u64)?;
        out.words(self.ends.iter().map(|&end| u64::from(end)))
    }

    fn restore(from: &mut WordReader<'_>) -> Result<Self, Unreadable> {
        let (words, ends) = (from.list()?, from.list()?);
        Ok(Values { words, ends: ends.into_iter().map(|end| end as u32).collect() })
    }
}
