//! A lock-free hash table of 64-bit entries: open addressing by cache lines.
//!
//! Zero is an empty slot; an entry never changes and never leaves. An insertion walks from the line that
//! its hash leads to, slot by slot and line by line, until it finds its entry or wins an empty slot with
//! one compare-and-swap. Slots fill up in the order of this walk, so two workers that insert the same thing
//! race for the same slot: one wins, and the other looks at what it lost to. (Laarman, van de Pol, Weber:
//! *Boosting multi-core reachability performance with shared hash tables*, 2010. They walk inside a line
//! cyclically; we need not, as lines are fetched whole.)
//!
//! The line is `hash · lines / 2^64`. So the number of lines is free, and hashes and lines have the same
//! order: this is how a table grows where it is (see [`growth`](crate::growth)).
//!
//! A walk ends at the first line with an empty slot. In a table that is 7/8 full a line is wanted by 7 entries on average; that n lines
//! in a row are wanted by 8n or more has a probability of about e^(-n/15) (Chernoff). So most walks end in
//! the first or second line, and hardly any is longer than 256.
use std::sync::atomic::Ordering::{Acquire, Relaxed, Release};

use crate::interface::Glance;
use crate::memory::{AtomicU64, Words};
use crate::survey::{ALL, LINE, Sought, first, survey};

/// An entry is at most so many lines away from its place, counting the first.
pub const WALK: usize = 256;
/// Lines of a new table.
const FIRST_LINES: usize = 8;
/// Tables of at most so many lines are doubled, larger ones grow by 3/10.
const DOUBLED_LINES: usize = 1 << 15;

/// What a table saves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Saving {
    /// Time: it is at most 3/4 full, so that most walks end in the first line, and doubled while it is not very large.
    Time,
    /// Memory: it is at most 7/8 full and grows in small steps.
    Memory,
}

impl Saving {
    /// How many slots of so many may be taken before it is time to grow.
    fn enough(self, slots: u64) -> u64 {
        match self {
            Saving::Time => slots / 4 * 3,
            Saving::Memory => slots / 8 * 7,
        }
    }

    /// The next size after so many lines.
    pub(crate) fn next(self, lines: usize) -> usize {
        match self {
            Saving::Time if lines < DOUBLED_LINES / 4 => 4 * lines,
            Saving::Time if lines < DOUBLED_LINES << 5 => 2 * lines,
            Saving::Memory if lines < DOUBLED_LINES => 2 * lines,
            _ => lines / 10 * 13,
        }
    }
}

/// The line that a hash leads to, of so many.
#[inline]
pub(crate) fn place(hash: u64, lines: usize) -> usize {
    ((u128::from(hash) * lines as u128) >> 64) as usize
}

/// Adds an entry in an empty slot, unless somebody was faster.
#[inline]
pub fn claim(slot: &AtomicU64, entry: u64) -> bool {
    slot.compare_exchange(0, entry, Release, Relaxed).is_ok()
}

/// What became of an insertion.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Entered {
    /// The entry is new.
    New(u64),
    /// An equal entry was there.
    Known(u64),
    /// All slots near the place are taken, or the entry could not be made.
    Crowded,
}

/// The table.
pub struct Table {
    pub(crate) words: Words,
    pub(crate) lines: usize,
    pub(crate) saving: Saving,
}

impl Table {
    /// A small table.
    pub fn new(saving: Saving) -> Table {
        Table { words: Words::few(FIRST_LINES * LINE), lines: FIRST_LINES, saving }
    }

    /// The line that a hash leads to.
    #[inline]
    fn place(&self, hash: u64) -> usize {
        place(hash, self.lines)
    }

    #[inline]
    pub(crate) fn line(&self, line: usize) -> &[AtomicU64; LINE] {
        self.words[line * LINE..].first_chunk().unwrap_or_else(|| unreachable!("a table consists of whole lines"))
    }

    /// The line after a line. After the last one comes the first.
    #[inline]
    pub(crate) fn next(&self, line: usize) -> usize {
        if line + 1 < self.lines { line + 1 } else { 0 }
    }

    /// Touches the first line of a walk.
    #[inline]
    pub fn prefetch(&self, hash: u64) {
        self.words.prefetch_to_change(self.place(hash) * LINE);
    }

    /// Looks into the first line of a walk for an entry that fits. If there is none and the line is full, the
    /// walk will go on, and the next line is touched.
    #[inline(always)]
    pub fn glance(&self, hash: u64, sought: Sought) -> Glance {
        let place = self.place(hash);
        let line = self.line(place);
        let (same, taken) = survey(line, sought);
        let fits = same & taken;
        // Whether there is one cannot be predicted, so this is no jump.
        let if_any = u64::from(fits != 0).wrapping_neg();
        let found = line[first(fits)].load(Acquire) & if_any;
        if taken == ALL && fits == 0 {
            self.words.prefetch(self.next(place) * LINE);
        }
        let free = ((taken.trailing_ones() + 1) % (LINE as u32 + 1)) & !if_any as u32;
        Glance { found, free, lines: self.lines as u32 }
    }

    /// The slot that a glance has found free, unless the table has grown since.
    #[inline]
    pub fn free_slot(&self, hash: u64, glance: Glance) -> Option<&AtomicU64> {
        let row = glance.free.checked_sub(1).filter(|_| glance.lines == self.lines as u32)?;
        Some(&self.line(self.place(hash))[row as usize % LINE])
    }

    /// The entries of a line.
    #[inline]
    pub fn entries(&self, line: usize) -> impl Iterator<Item = u64> {
        self.line(line).iter().map(|slot| slot.load(Acquire)).take_while(|&entry| entry != 0)
    }

    /// Finds the entry that `is_same`, of those that fit, or adds the one that `make` makes. What was
    /// written before `make` returned is visible to whoever finds the entry.
    #[inline]
    pub fn enter(
        &self,
        hash: u64,
        sought: Sought,
        is_same: impl Fn(u64) -> bool,
        mut make: impl FnMut() -> Option<u64>,
    ) -> Entered {
        let mut place = self.place(hash);
        let mut walked = 0;
        while walked < WALK.min(self.lines) {
            let line = self.line(place);
            let (same, taken) = survey(line, sought);
            let mut candidates = same & taken;
            while candidates != 0 {
                let found = line[first(candidates)].load(Acquire);
                if is_same(found) {
                    return Entered::Known(found);
                }
                candidates &= candidates - 1;
            }
            let Some(free) = line.get(taken.trailing_ones() as usize) else {
                place = self.next(place);
                walked += 1;
                continue;
            };
            let Some(entry) = make() else { return Entered::Crowded };
            // Whoever is faster has taken this very slot: the line is looked at once more.
            if claim(free, entry) {
                return Entered::New(entry);
            }
        }
        Entered::Crowded
    }

    /// Whether it is time to grow, when so many entries are in the table.
    pub fn is_crowded(&self, entries: u64) -> bool {
        entries > self.saving.enough(self.words.len() as u64)
    }

    /// A hash that is not larger than that of any entry in a line, and not much smaller, going backwards around zero.
    #[inline]
    pub fn lowest_hash(&self, line: usize) -> u64 {
        let first = line.checked_sub(WALK - 1).unwrap_or_else(|| (line + self.lines - (WALK - 1)) % self.lines);
        first as u64 * (u64::MAX / self.lines as u64)
    }

    /// How many lines there are.
    pub fn lines(&self) -> usize {
        self.lines
    }

    /// Bytes in use.
    pub fn memory(&self) -> u64 {
        (self.words.len() * size_of::<u64>()) as u64
    }
}
