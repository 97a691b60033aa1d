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
//! order: a larger table is filled from front to back while the old one is given back from front to back.
//!
//! A walk ends at the first line with an empty slot. In a table that is 7/8 full a line is wanted by 7 entries on average; that n lines
//! in a row are wanted by 8n or more has a probability of about e^(-n/15) (Chernoff). So most walks end in
//! the first or second line, and hardly any is longer than 256.
use std::ops::Range;
use std::sync::atomic::Ordering::{Acquire, Relaxed, Release};
use std::thread::Builder;

use crate::interface::{Glance, OutOfMemory};
use crate::memory::{AtomicU64, Words};
use crate::survey::{ALL, LINE, Sought, first, survey};

/// An entry is at most so many lines away from its place, counting the first.
pub const WALK: usize = 256;
/// A thread moves a multiple of so many lines when a table grows: huge pages, which it can give back.
const PART_LINES: usize = 1 << 15;
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
    fn next(self, lines: usize) -> usize {
        match self {
            Saving::Time if lines < DOUBLED_LINES / 4 => 4 * lines,
            Saving::Time if lines < DOUBLED_LINES << 5 => 2 * lines,
            Saving::Memory if lines < DOUBLED_LINES => 2 * lines,
            _ => lines / 10 * 13,
        }
    }
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
    words: Words,
    lines: usize,
    saving: Saving,
}

impl Table {
    /// A small table.
    pub fn new(saving: Saving) -> Table {
        Table { words: Words::few(FIRST_LINES * LINE), lines: FIRST_LINES, saving }
    }

    /// The line that a hash leads to.
    #[inline]
    fn place(&self, hash: u64) -> usize {
        ((u128::from(hash) * self.lines as u128) >> 64) as usize
    }

    #[inline]
    fn line(&self, line: usize) -> &[AtomicU64; LINE] {
        self.words[line * LINE..].first_chunk().unwrap_or_else(|| unreachable!("a table consists of whole lines"))
    }

    /// The line after a line. After the last one comes the first.
    #[inline]
    fn next(&self, line: usize) -> usize {
        if line + 1 < self.lines { line + 1 } else { 0 }
    }

    /// Touches the first line of a walk.
    #[inline]
    pub fn prefetch(&self, hash: u64) {
        self.words.prefetch_to_change(self.place(hash) * LINE);
    }

    /// Looks into the first line of a walk for an entry that fits. If there is none and the line is full, the
    /// walk will go on, and the next line is touched.
    #[inline]
    pub fn glance(&self, hash: u64, sought: Sought) -> Glance {
        let place = self.place(hash);
        let line = self.line(place);
        let (same, taken) = survey(line, sought);
        if same & taken != 0 {
            return Glance { found: line[first(same & taken)].load(Acquire), ..Glance::default() };
        }
        if taken == ALL {
            self.words.prefetch(self.next(place) * LINE);
            return Glance::default();
        }
        Glance { found: 0, free: taken.trailing_ones() + 1, lines: self.lines as u32 }
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

    /// Moves all entries to a larger table, which so many threads do together. `hashes` says where the entries of a line belong:
    /// it replaces each by its hash, with the help of a buffer.
    pub fn grow(
        &mut self,
        entries: u64,
        limit: Option<u64>,
        threads: usize,
        hashes: impl Fn(&Table, usize, &mut [u64], &mut Vec<u64>) + Sync,
    ) -> Result<(), OutOfMemory> {
        let larger = self.larger(entries, limit, threads)?;
        let part = self.lines.div_ceil(threads).next_multiple_of(PART_LINES);
        let is_shared = part < self.lines;
        let work = |first: usize| {
            self.move_to(&larger, first..(first + part).min(self.lines), is_shared, &hashes);
        };
        std::thread::scope(|scope| {
            for first in (part..self.lines).step_by(part) {
                let work = &work;
                if Builder::new().spawn_scoped(scope, move || work(first)).is_err() {
                    work(first);
                }
            }
            work(0);
        });
        *self = larger;
        Ok(())
    }

    /// Moves the entries of some lines.
    fn move_to(
        &self,
        larger: &Table,
        lines: Range<usize>,
        is_shared: bool,
        hashes: impl Fn(&Table, usize, &mut [u64], &mut Vec<u64>),
    ) {
        let (mut released, mut buffer) = (lines.start * LINE, Vec::new());
        for line in lines {
            let mut moved: [u64; LINE] = std::array::from_fn(|slot| self.line(line)[slot].load(Relaxed));
            let count = moved.iter().take_while(|&&entry| entry != 0).count();
            let entries = moved;
            hashes(self, line, &mut moved[..count], &mut buffer);
            entries[..count].iter().zip(moved).for_each(|(&entry, hash)| larger.put(hash, entry, is_shared));
            released = self.words.release(released..line * LINE);
        }
    }

    /// An empty table of the next size, or of the largest size that the limit allows.
    fn larger(&self, entries: u64, limit: Option<u64>, threads: usize) -> Result<Table, OutOfMemory> {
        let wanted = self.saving.next(self.lines);
        let peak = |lines: usize| Words::peak_of_copy(self.words.len(), lines * LINE, threads);
        let fits = |lines: usize| limit.is_none_or(|limit| peak(lines) <= limit);
        let least = self.lines + self.lines.div_ceil(32);
        let steps = (0..16).map(|step| wanted - (wanted - least) / 16 * step);
        let lines = steps.chain([least]).find(|&lines| fits(lines)).ok_or(OutOfMemory)?;
        let larger = Table { words: Words::zeroed(lines * LINE)?, lines, saving: self.saving };
        let is_roomy = entries <= larger.words.len() as u64 / 20 * 17;
        if is_roomy { Ok(larger) } else { Err(OutOfMemory) }
    }

    /// Adds an entry that is not there to a table that is roomy, while nobody looks anything up.
    fn put(&self, hash: u64, entry: u64, is_shared: bool) {
        let take = |slot: &AtomicU64| {
            if is_shared {
                return claim(slot, entry);
            }
            slot.store(entry, Relaxed);
            true
        };
        let mut line = self.place(hash);
        for _ in 0..WALK.min(self.lines) {
            if self.line(line).iter().any(|slot| slot.load(Relaxed) == 0 && take(slot)) {
                return;
            }
            line = self.next(line);
        }
        panic!("a roomy table has room near every place");
    }

    /// A hash that is not larger than that of any entry in a line, going backwards around zero.
    pub fn lowest_hash(&self, line: usize) -> u64 {
        let first = (line + self.lines - (WALK - 1)) % self.lines;
        ((first as u128) << 64).div_ceil(self.lines as u128) as u64
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
