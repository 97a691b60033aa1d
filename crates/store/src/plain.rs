//! Every state, word for word: records in an [`Arena`], found through a [`Table`].
//!
//! An entry of the table is a fingerprint of 28 bits and the number of a record. A worker first writes its record
//! into memory that is its own, and then publishes the number with a compare-and-swap. Who reads the number
//! sees the record (release and acquire). Who loses the race for a slot compares its state with the
//! winner's; if they are equal, its own record was never published and is written over by the next state.
//!
//! A place depends on the upper 34 bits of a hash. The fingerprint is the lower 28 of these, and the upper 6 are
//! known from the line where the entry is, if the table has enough lines: Cleary's idea (*Compact hash
//! tables using bidirectional linear probing*, 1984), used here in order to grow the table without reading a
//! single record.
use std::io;
use std::ops::Range;
use std::sync::atomic::Ordering::{Acquire, Relaxed};

use crate::arena::Arena;
use crate::counter::{Count, Counter};
use crate::hash::hash;
use crate::interface::{Digest, Exact, Glance, Insertion, Key, Lengths, Near, OutOfMemory, Store, Trail, Wanted};
use crate::memory::AtomicU64;
use crate::saved::Saved;
use crate::stream::{Unreadable, WordReader, WordWriter};
use crate::survey::Sought;
use crate::table::{Entered, Saving, Table, WALK, claim};

/// Bits of a record's number in an entry.
const INDEX_BITS: u32 = 36;
const FINGERPRINT_BITS: u32 = 64 - INDEX_BITS;
/// Bits of a hash that decide the place.
const PLACE_BITS: u32 = 34;
/// With so many lines, the line and the fingerprint of an entry tell its place in a larger table.
const TELLING_LINES: usize = WALK << (PLACE_BITS - FINGERPRINT_BITS + 1);

/// When records are read line by line of the table, those of the line so far ahead are touched.
const AHEAD: usize = 4;

/// Records that are read together from a file, so that their lines of the table can be fetched at once.
const RESTORED: usize = 64;

/// A store that keeps every word.
pub struct Plain {
    table: Table,
    arena: Arena,
    counter: Counter,
    lengths: Lengths,
    ignored: usize,
    seed: u64,
}

/// What one worker keeps to itself.
#[derive(Debug)]
pub struct Writer {
    /// Units of the arena for its next records.
    block: Range<u64>,
    count: Count,
}

impl Plain {
    /// An empty store. The first `ignored` words of a state are kept, but do not tell it from others.
    pub fn new(lengths: Lengths, ignored: usize, seed: u64) -> Plain {
        let unit = if let Lengths::Fixed(words) = lengths { words } else { 1 };
        Plain {
            table: Table::new(Saving::Time),
            arena: Arena::new(unit),
            counter: Counter::default(),
            lengths,
            ignored,
            seed,
        }
    }

    /// Finds the record of a state, or adds one.
    fn intern(&self, writer: &mut Writer, state: &[u64], digest: Digest) -> Insertion {
        let mut written = None;
        let make = || {
            written = written.or_else(|| self.write(writer, state));
            written.map(|index| entry(digest, index))
        };
        let is_same = |found| self.holds(index(found), state);
        match self.table.enter(place_of(digest), sought(digest), is_same, make) {
            Entered::Crowded => Insertion::Crowded,
            Entered::Known(found) => Insertion::Known(Key(index(found))),
            Entered::New(found) => self.added(writer, state, index(found)),
        }
    }

    /// The same if this slot was empty a short while ago.
    fn insert_at(&self, slot: &AtomicU64, writer: &mut Writer, state: &[u64], digest: Digest) -> Insertion {
        let found = slot.load(Acquire);
        if found == 0
            && let Some(number) = self.write(writer, state)
            && claim(slot, entry(digest, number))
        {
            return self.added(writer, state, number);
        }
        // States that come together are often equal: then the slot has just been taken by the same state.
        if found != 0 && sought(digest).fits(found) && self.holds(index(found), state) {
            return Insertion::Known(Key(index(found)));
        }
        self.intern(writer, state, digest)
    }

    /// The record that was written last is one of the store now.
    #[inline]
    fn added(&self, writer: &mut Writer, state: &[u64], number: u64) -> Insertion {
        writer.block.start += self.units(state);
        writer.count.increment();
        Insertion::New(Key(number))
    }

    /// Writes a record where the worker's next one belongs. Nobody sees it before its number is published.
    #[inline]
    fn write(&self, writer: &mut Writer, state: &[u64]) -> Option<u64> {
        let units = self.units(state);
        if writer.block.end - writer.block.start < units {
            writer.block = self.arena.reserve(units)?;
        }
        let start = writer.block.start;
        if start + units >= 1 << INDEX_BITS {
            return None;
        }
        self.fill(start, state);
        Some(start)
    }

    #[inline]
    fn fill(&self, start: u64, state: &[u64]) {
        let record = match self.lengths {
            Lengths::Fixed(words) => {
                assert_eq!(state.len(), words, "a state does not have the length that all states have");
                self.arena.words(start, words)
            }
            Lengths::Varying => {
                let (header, record) = self.arena.words(start, state.len() + 1).split_at(1);
                header[0].store(state.len() as u64, Relaxed);
                record
            }
        };
        record.iter().zip(state).for_each(|(to, &word)| to.store(word, Relaxed));
    }

    /// Units of a record.
    #[inline]
    fn units(&self, state: &[u64]) -> u64 {
        if let Lengths::Fixed(_) = self.lengths { 1 } else { state.len() as u64 + 1 }
    }

    #[inline(always)]
    fn record(&self, index: u64) -> &[AtomicU64] {
        match self.lengths {
            Lengths::Fixed(words) => self.arena.words(index, words),
            Lengths::Varying => {
                let len = self.arena.words(index, 1)[0].load(Relaxed) as usize;
                &self.arena.words(index, len + 1)[1..]
            }
        }
    }

    /// Whether a record is that of a state.
    #[inline(always)]
    fn holds(&self, index: u64, state: &[u64]) -> bool {
        let record = self.record(index);
        if record.len() != state.len() {
            return false;
        }
        let (record, state) = (&record[self.ignored..], &state[self.ignored..]);
        // All words are compared: a record whose fingerprint is right is hardly ever another one.
        let difference = |(stored, &word): (&AtomicU64, &u64)| stored.load(Relaxed) ^ word;
        record.iter().zip(state).map(difference).fold(0, |sum, it| sum | it) == 0
    }

    /// Replaces the entries of a line by their hashes, from what is known without the records if possible.
    fn hashes(&self, table: &Table, line: usize, entries: &mut [u64], state: &mut Vec<u64>) {
        if table.lines() >= TELLING_LINES {
            let lowest = table.lowest_hash(line);
            return entries.iter_mut().for_each(|entry| *entry = recovered(lowest, fingerprint(*entry)));
        }
        let ahead = (line + AHEAD).min(table.lines() - 1);
        table.entries(ahead).for_each(|entry| self.arena.prefetch(index(entry)));
        for entry in entries {
            self.read(index(*entry), state);
            *entry = place_of(Digest(hash(&state[self.ignored..], self.seed)));
        }
    }

    fn read(&self, index: u64, state: &mut Vec<u64>) {
        state.clear();
        state.extend(self.record(index).iter().map(|word| word.load(Relaxed)));
    }

    /// How many numbers of records were given away.
    fn reserved(&self) -> u64 {
        self.arena.reserved()
    }

    fn table_is_crowded(&self) -> bool {
        self.table.is_crowded(self.len())
    }

    fn grow_table(&mut self, limit: Option<u64>) -> Result<(), OutOfMemory> {
        let mut table = std::mem::replace(&mut self.table, Table::new(Saving::Time));
        let hashes = |table: &Table, line: usize, entries: &mut [u64], state: &mut Vec<u64>| {
            self.hashes(table, line, entries, state);
        };
        let grown = table.grow(self.len(), limit, self.counter.shares(), hashes);
        self.table = table;
        grown
    }
}

/// The bits of a digest that decide where its state belongs.
#[inline]
fn place_of(digest: Digest) -> u64 {
    digest.0 >> (64 - PLACE_BITS) << (64 - PLACE_BITS)
}

/// The entry of a record. It is never zero.
#[inline]
fn entry(digest: Digest, index: u64) -> u64 {
    (digest.0 >> (64 - PLACE_BITS) << INDEX_BITS) | (index + 1)
}

/// Entries of states with this digest.
#[inline]
fn sought(digest: Digest) -> Sought {
    Sought { entry: entry(digest, 0), unknown: INDEX_BITS }
}

#[inline]
fn index(entry: u64) -> u64 {
    (entry & ((1 << INDEX_BITS) - 1)) - 1
}

#[inline]
fn fingerprint(entry: u64) -> u64 {
    entry >> INDEX_BITS
}

/// The first place from `lowest` on, going around after the last one, that has a fingerprint.
fn recovered(lowest: u64, fingerprint: u64) -> u64 {
    let lowest = lowest >> (64 - PLACE_BITS);
    let distance = fingerprint.wrapping_sub(lowest) & ((1 << FINGERPRINT_BITS) - 1);
    (lowest + distance) << (64 - PLACE_BITS)
}

impl Store for Plain {
    type Local = Writer;

    fn local(&self) -> Writer {
        Writer { block: 0..0, count: self.counter.share() }
    }

    #[inline]
    fn digest(&self, _writer: &mut Writer, state: &[u64], _near: Option<Near<'_>>) -> Digest {
        Digest(self.hash(state))
    }

    #[inline(always)]
    fn hash(&self, state: &[u64]) -> u64 {
        hash(&state[self.ignored..], self.seed)
    }

    #[inline(always)]
    fn enlist(&self, _: &mut Writer, wanted: Wanted<'_>) -> Digest {
        self.prefetch(Digest(wanted.hash));
        Digest(wanted.hash)
    }

    #[inline]
    fn prefetch(&self, digest: Digest) {
        self.table.prefetch(place_of(digest));
    }

    #[inline(always)]
    fn glance(&self, digest: Digest) -> Glance {
        let glance = self.table.glance(place_of(digest), sought(digest));
        // Whether there is a record cannot be predicted. If there is none, the first one is touched, which is never far.
        self.arena.prefetch(index(glance.found.max(1)));
        glance
    }

    #[inline(always)]
    fn confirms(&self, state: &[u64], _digest: Digest, glance: Glance) -> bool {
        glance.found != 0 && self.holds(index(glance.found), state)
    }

    #[inline(always)]
    fn insert(&self, writer: &mut Writer, state: &[u64], digest: Digest, glance: Glance) -> Insertion {
        if self.confirms(state, digest, glance) {
            return Insertion::Known(Key(index(glance.found)));
        }
        match self.table.free_slot(place_of(digest), glance) {
            Some(slot) => self.insert_at(slot, writer, state, digest),
            None => self.intern(writer, state, digest),
        }
    }

    fn is_crowded(&self) -> bool {
        self.arena.is_crowded() || self.table_is_crowded()
    }

    fn grow(&mut self, limit: Option<u64>) -> Result<(), OutOfMemory> {
        let left = |used: u64| limit.map(|limit| limit.saturating_sub(used));
        if self.table_is_crowded() || !self.arena.is_crowded() {
            self.grow_table(left(self.arena.memory()))?;
        }
        self.arena.extend(left(self.table.memory()))
    }

    fn len(&self) -> u64 {
        self.counter.sum()
    }

    fn memory(&self) -> u64 {
        self.table.memory() + self.arena.memory()
    }
}

impl Exact for Plain {
    fn load(&self, key: Key, state: &mut Vec<u64>, trail: &mut Trail) {
        self.read(key.0, state);
        trail.clear();
    }
}

impl Plain {
    /// Per unit of the arena, a bit: whether a published record starts there.
    fn published(&self) -> Vec<u64> {
        let mut starts = vec![0; self.reserved().div_ceil(64) as usize];
        let entries = (0..self.table.lines()).flat_map(|line| self.table.entries(line));
        entries.map(index).for_each(|it| starts[(it / 64) as usize] |= 1 << (it % 64));
        starts
    }

    /// Units of the record that starts at a unit.
    fn units_at(&self, index: u64) -> u64 {
        if let Lengths::Fixed(_) = self.lengths { 1 } else { self.record(index).len() as u64 + 1 }
    }

    /// Writes a run of records: the number of the first, how many there are, and their words. Returns where it ends.
    fn save_run(&self, start: u64, is_start: impl Fn(u64) -> bool, out: &mut WordWriter<'_>) -> io::Result<u64> {
        let (mut end, mut count) = (start, 0);
        while is_start(end) {
            end += self.units_at(end);
            count += 1;
        }
        out.words([start, count])?;
        let mut at = start;
        while at < end {
            let record = self.record(at);
            if self.lengths == Lengths::Varying {
                out.word(record.len() as u64)?;
            }
            out.words(record.iter().map(|word| word.load(Relaxed)))?;
            at += self.units_at(at);
        }
        Ok(end)
    }

    /// Reads some records of a run and stores them where they were. Returns where the last one ends.
    fn restore_records(
        &mut self,
        writer: &mut Writer,
        start: u64,
        batch: &mut [Vec<u64>],
        from: &mut WordReader<'_>,
        limit: Option<u64>,
    ) -> Result<u64, Unreadable> {
        for state in batch.iter_mut() {
            let words = if let Lengths::Fixed(words) = self.lengths { words as u64 } else { from.word()? };
            from.words(words, state)?;
            self.prefetch(self.digest(writer, state, None));
        }
        let mut at = start;
        if self.table_is_crowded() {
            // If there is no room now, a record will ask again.
            let _ = self.grow_table(limit.map(|it| it.saturating_sub(self.arena.memory())));
        }
        for state in batch.iter() {
            let end = at + self.units(state);
            if end > self.reserved() {
                return Err(Unreadable::Damaged);
            }
            writer.block = at..end;
            self.put_back(writer, at, state, limit)?;
            at = end;
        }
        Ok(at)
    }

    /// Stores a record at a place of its own.
    fn put_back(
        &mut self,
        writer: &mut Writer,
        place: u64,
        state: &[u64],
        limit: Option<u64>,
    ) -> Result<(), Unreadable> {
        let digest = self.digest(writer, state, None);
        loop {
            match self.intern(writer, state, digest) {
                Insertion::New(Key(index)) if index == place => return Ok(()),
                Insertion::Crowded => self.grow_table(limit.map(|it| it.saturating_sub(self.arena.memory())))?,
                _ => return Err(Unreadable::Damaged),
            }
        }
    }
}

impl Saved for Plain {
    fn save(&self, out: &mut WordWriter<'_>) -> io::Result<()> {
        let starts = self.published();
        let is_start = |unit: u64| starts.get((unit / 64) as usize).is_some_and(|bits| bits >> (unit % 64) & 1 == 1);
        out.word(self.reserved())?;
        let mut unit = 0;
        while unit < self.reserved() {
            unit = if is_start(unit) { self.save_run(unit, is_start, out)? } else { unit + 1 };
        }
        out.words([0, 0])
    }

    fn restore(&mut self, from: &mut WordReader<'_>, limit: Option<u64>) -> Result<(), Unreadable> {
        self.arena.claim(from.word()?, limit)?;
        let (mut writer, mut batch) = (self.local(), vec![Vec::new(); RESTORED]);
        loop {
            let (mut at, mut count) = (from.word()?, from.word()?);
            if count == 0 {
                return Ok(());
            }
            while count > 0 {
                let some = count.min(RESTORED as u64);
                at = self.restore_records(&mut writer, at, &mut batch[..some as usize], from, limit)?;
                count -= some;
            }
        }
    }
}
