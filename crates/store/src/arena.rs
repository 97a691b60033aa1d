//! Memory for records that never move, written by many workers.
//!
//! The arena counts in *units* of some words, numbered from zero. It consists of chunks, each twice as large as the
//! one before, so the position of a unit's highest bit names its chunk. Workers reserve blocks of units and fill
//! them alone. Reserving never allocates: only [`Arena::extend`] does.
use std::ops::Range;
use std::sync::atomic::Ordering::Relaxed;

use crate::interface::OutOfMemory;
use crate::memory::{AtomicU64, Words};

/// Words of the first chunk, at least.
const FIRST_WORDS: usize = 1024;

/// The memory.
pub struct Arena {
    /// Words of a unit.
    unit: usize,
    /// Units of the first chunk, a power of two, and which one.
    first: u64,
    first_bits: u32,
    chunks: Vec<Words>,
    /// Units from here on are not reserved.
    next: AtomicU64,
    /// Units from here on cannot be reserved.
    end: u64,
    /// One if a worker asked in vain.
    starved: AtomicU64,
}

impl Arena {
    /// An arena whose units have so many words.
    pub fn new(unit: usize) -> Arena {
        let first = (FIRST_WORDS / unit).max(1).next_power_of_two();
        let chunks = vec![Words::few(first * unit)];
        let (next, starved) = (AtomicU64::new(0), AtomicU64::new(0));
        let (first, first_bits) = (first as u64, first.ilog2());
        Arena { unit, first, first_bits, chunks, next, end: first, starved }
    }

    /// The chunk of a unit, and where in it the unit starts.
    #[inline]
    fn locate(&self, index: u64) -> (usize, usize) {
        let shifted = index + self.first;
        let top = 63 - shifted.leading_zeros();
        ((top - self.first_bits) as usize, (shifted ^ (1 << top)) as usize * self.unit)
    }

    /// Words that start at a unit. They must lie in one block.
    #[inline]
    pub fn words(&self, index: u64, len: usize) -> &[AtomicU64] {
        let (chunk, start) = self.locate(index);
        &self.chunks[chunk][start..start + len]
    }

    /// Touches the first words of a unit.
    #[inline]
    pub fn prefetch(&self, index: u64) {
        let (chunk, start) = self.locate(index);
        self.chunks[chunk].prefetch(start);
        if self.unit > 4 {
            self.chunks[chunk].prefetch(start + self.unit - 1);
        }
    }

    /// Takes at least so many units, all in one chunk, for one worker.
    pub fn reserve(&self, least: u64) -> Option<Range<u64>> {
        let mut next = self.next.load(Relaxed);
        loop {
            let block = self.block(next, least);
            if block.end - block.start < least {
                self.starved.store(1, Relaxed);
                return None;
            }
            match self.next.compare_exchange_weak(next, block.end, Relaxed, Relaxed) {
                Ok(_) => return Some(block),
                Err(now) => next = now,
            }
        }
    }

    /// The block that begins at `next`, or at a later chunk if this one has not enough left. Blocks grow with
    /// the arena, so that little is wasted.
    fn block(&self, next: u64, least: u64) -> Range<u64> {
        let mut start = next;
        while self.chunk_end(start) - start < least {
            start = self.chunk_end(start);
        }
        let wanted = (start / 64).clamp(16, 4096).max(least);
        start..(start + wanted).min(self.chunk_end(start)).min(self.end).max(start)
    }

    /// Where the chunk of a unit ends.
    fn chunk_end(&self, index: u64) -> u64 {
        let chunk = (index + self.first).ilog2();
        (2 << chunk) - self.first
    }

    /// Whether it is time to extend.
    pub fn is_crowded(&self) -> bool {
        self.starved.load(Relaxed) == 1 || self.end - self.reserved() < self.end / 16
    }

    /// Allows twice as many units if it is crowded, but not more than `limit` bytes in any case.
    pub fn extend(&mut self, limit: Option<u64>) -> Result<(), OutOfMemory> {
        let (before, is_crowded) = (self.end, self.is_crowded());
        let allowed = limit.map_or(u64::MAX, |limit| limit / self.unit_bytes()).max(self.reserved());
        self.end = before.min(allowed);
        if is_crowded {
            self.allocate((2 * before).min(allowed))?;
            self.starved.store(0, Relaxed);
        }
        if is_crowded && self.end <= before { Err(OutOfMemory) } else { Ok(()) }
    }

    /// Makes an arena that nobody has used into one of which so many units are taken.
    pub fn claim(&mut self, units: u64, limit: Option<u64>) -> Result<(), OutOfMemory> {
        let allowed = limit.map_or(u64::MAX, |limit| limit / self.unit_bytes());
        if units > allowed {
            return Err(OutOfMemory);
        }
        self.allocate(units.max(self.end))?;
        self.next = AtomicU64::new(units);
        Ok(())
    }

    /// Adds chunks, so that there are so many units.
    fn allocate(&mut self, end: u64) -> Result<(), OutOfMemory> {
        while self.capacity() < end {
            self.chunks.push(Words::zeroed(self.unit * (self.first << self.chunks.len()) as usize)?);
        }
        self.end = end;
        Ok(())
    }

    /// Units of all chunks together.
    fn capacity(&self) -> u64 {
        (self.first << self.chunks.len()) - self.first
    }

    /// How many units workers have taken.
    pub fn reserved(&self) -> u64 {
        self.next.load(Relaxed)
    }

    fn unit_bytes(&self) -> u64 {
        (self.unit * size_of::<u64>()) as u64
    }

    /// Bytes in use.
    pub fn memory(&self) -> u64 {
        self.reserved() * self.unit_bytes()
    }
}
