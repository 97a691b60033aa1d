//! Interned words: equal words have one number, which is a reference of 32 bits.
//!
//! The words are in an [`Arena`], and a table of numbers tells which of them is where: a number and, in what is left of 32
//! bits, a *tag* of the word's hash, two such entries in a word of the table ([`crate::halves`]). The walk goes word by word from the place of the hash; the
//! table is at most 3/4 full, so that most walks end in the first word, and hardly any leaves its cache line.
//!
//! As in [`crate::plain`], a worker writes its word into memory that is its own, and then publishes the number with a
//! compare-and-swap; who reads the number sees the word (release and acquire). If somebody else was faster with
//! the same word, its number was never published, and the next word gets it.
//!
//! A worker remembers the words that it has interned last.
use std::io;
use std::ops::Range;
use std::sync::atomic::Ordering::{Acquire, Relaxed, Release};

use crate::arena::Arena;
use crate::counter::{Count, Counter};
use crate::halves::{halves, with};
use crate::hash::scatter;
use crate::interface::OutOfMemory;
use crate::memory::Words;
use crate::stream::{Unreadable, WordReader, WordWriter};

/// No reference.
pub const NOTHING: u32 = u32::MAX;
/// An entry is at most so many words away from its place, counting the first.
const WALK: usize = 1024;
/// Words of a new table.
const FIRST_WORDS: usize = 512;
/// Tables of at most so many words are doubled, larger ones grow by two fifths.
const DOUBLED_WORDS: usize = 1 << 16;
/// There are at least so many numbers.
const FEWEST_NUMBERS: u64 = 1 << 15;
/// A worker remembers the references of 2 to this power of words that it interned last.
const RECENT_BITS: u32 = 13;

/// Words that threads share, each once.
pub struct Nodes {
    table: Words,
    /// Bits of a number in an entry; the others are the tag.
    number_bits: u32,
    arena: Arena,
    counter: Counter,
}

/// What one worker keeps to itself.
#[derive(Debug)]
pub struct Interner {
    /// Numbers of its next words.
    block: Range<u64>,
    count: Count,
    /// Words and their references, which never change.
    recent: Box<[(u64, u32)]>,
}

/// A word whose number is asked for.
#[derive(Clone, Copy, Debug)]
pub struct Question {
    word: u64,
    hash: u64,
}

impl Nodes {
    /// No words.
    pub fn new() -> Nodes {
        Nodes::of_words(FIRST_WORDS)
    }

    /// No words, and a table of so many.
    pub fn of_words(words: usize) -> Nodes {
        let (arena, table) = (Arena::new(1), Words::few(words));
        Nodes { number_bits: number_bits(table.len(), 0), table, arena, counter: Counter::default() }
    }

    /// What a further worker starts with.
    pub fn local(&self) -> Interner {
        let recent = vec![(0, NOTHING); 1 << RECENT_BITS].into_boxed_slice();
        Interner { block: 0..0, count: self.counter.share(), recent }
    }

    /// The word with a number.
    #[inline]
    pub fn word(&self, number: u32) -> u64 {
        self.arena.words(u64::from(number), 1)[0].load(Relaxed)
    }

    /// Touches the word with a number.
    #[inline]
    pub fn fetch(&self, number: u32) {
        self.arena.prefetch(u64::from(number));
    }

    /// The number of a word; `None` if there is no room for it.
    #[inline]
    pub fn intern(&self, local: &mut Interner, word: u64) -> Option<u32> {
        self.ask(local, word).map_or_else(|question| self.answer(local, &question), Some)
    }

    /// The number of a word if the worker remembers it. Otherwise touches its line of the table.
    #[inline]
    pub fn ask(&self, local: &Interner, word: u64) -> Result<u32, Question> {
        let hash = scatter(word);
        match local.recent[recent_place(hash)] {
            (same, number) if same == word && number != NOTHING => Ok(number),
            _ => {
                self.table.prefetch(self.place(hash));
                Err(Question { word, hash })
            }
        }
    }

    /// Touches the word that the table names, if it names one.
    #[inline]
    pub fn touch(&self, question: &Question) {
        let entries = halves(self.table[self.place(question.hash)].load(Acquire));
        if let Some(&entry) = entries.iter().find(|&&entry| self.is_tagged(entry, question.hash)) {
            self.arena.prefetch(u64::from(self.number(entry)));
        }
    }

    /// The number of the word, which the worker remembers from now on; `None` if there is no room for it.
    #[inline]
    pub fn answer(&self, local: &mut Interner, question: &Question) -> Option<u32> {
        let number = self.intern_shared(local, question.word, question.hash)?;
        local.recent[recent_place(question.hash)] = (question.word, number);
        Some(number)
    }

    /// Finds a word in the table, or adds it.
    fn intern_shared(&self, local: &mut Interner, word: u64, hash: u64) -> Option<u32> {
        let mut at = self.place(hash);
        for _ in 0..WALK.min(self.table.len()) {
            let mut seen = self.table[at].load(Acquire);
            loop {
                if let Some(number) = self.find(seen, word, hash) {
                    return Some(number);
                }
                if seen >> 32 != 0 {
                    break;
                }
                let number = self.write(local, word)?;
                let more = with(seen, self.entry(number, hash))?;
                match self.table[at].compare_exchange(seen, more, Release, Acquire) {
                    Ok(_) => return Some(added(local, number)),
                    Err(now) => seen = now,
                }
            }
            at = if at + 1 < self.table.len() { at + 1 } else { 0 };
        }
        None
    }

    #[inline]
    fn place(&self, hash: u64) -> usize {
        ((u128::from(hash) * self.table.len() as u128) >> 64) as usize
    }

    /// The number that one of the entries in a word of the table has, if it is that of a word.
    #[inline]
    fn find(&self, entries: u64, word: u64, hash: u64) -> Option<u32> {
        let tagged = halves(entries).into_iter().filter(|&entry| self.is_tagged(entry, hash));
        tagged.map(|entry| self.number(entry)).find(|&number| self.word(number) == word)
    }

    /// Whether an entry may be that of a word with a hash.
    #[inline]
    fn is_tagged(&self, entry: u32, hash: u64) -> bool {
        u64::from(entry ^ hash as u32) >> self.number_bits == 0 && entry != 0
    }

    /// The entry of a number. It is never zero, since numbers in entries begin with one.
    #[inline]
    fn entry(&self, number: u32, hash: u64) -> u32 {
        (u64::from(hash as u32) >> self.number_bits << self.number_bits) as u32 | (number + 1)
    }

    #[inline]
    fn number(&self, entry: u32) -> u32 {
        (u64::from(entry) & ((1 << self.number_bits) - 1)) as u32 - 1
    }

    /// Writes a word where the worker's next one belongs, if its number fits into an entry. Nobody sees it before it is published.
    fn write(&self, local: &mut Interner, word: u64) -> Option<u32> {
        if local.block.is_empty() {
            local.block = self.arena.reserve(1)?;
        }
        let number = local.block.start;
        if number + 1 >= 1 << self.number_bits || number >= u64::from(NOTHING) {
            return None;
        }
        self.arena.words(number, 1)[0].store(word, Relaxed);
        Some(number as u32)
    }

    /// Whether it is time to grow.
    pub fn is_crowded(&self) -> bool {
        self.arena.is_crowded() || self.table_is_crowded()
    }

    fn table_is_crowded(&self) -> bool {
        self.len() > self.table.len() as u64 / 2 * 3 || self.arena.reserved() + 1 >= 1 << self.number_bits
    }

    /// Makes room, without ever using more than `limit` bytes.
    pub fn grow(&mut self, limit: Option<u64>) -> Result<(), OutOfMemory> {
        let left = |used: u64| limit.map(|limit| limit.saturating_sub(used));
        if self.arena.reserved() >= u64::from(NOTHING) {
            return Err(OutOfMemory);
        }
        if self.table_is_crowded() || !self.arena.is_crowded() {
            self.grow_table(left(self.arena.memory()))?;
        }
        self.arena.extend(left(self.table_memory()))
    }

    /// Moves all entries to a larger table, from front to back, and gives the old one back on the way.
    fn grow_table(&mut self, limit: Option<u64>) -> Result<(), OutOfMemory> {
        let words = self.table.len();
        let wanted = if words <= DOUBLED_WORDS { 2 * words } else { words / 5 * 7 };
        let fits = |&len: &usize| limit.is_none_or(|limit| Words::peak_of_copy(words, len, 1) <= limit);
        let len = [wanted, words / 4 * 5].into_iter().find(fits).ok_or(OutOfMemory)?;
        let old = std::mem::replace(&mut self.table, Words::zeroed(len)?);
        self.refill(old);
        Ok(())
    }

    fn refill(&mut self, old: Words) {
        let old_bits = std::mem::replace(&mut self.number_bits, number_bits(self.table.len(), self.arena.reserved()));
        let mut released = 0;
        for at in 0..old.len() {
            for entry in halves(old[at].load(Relaxed)).into_iter().filter(|&it| it != 0) {
                self.put((u64::from(entry) & ((1 << old_bits) - 1)) as u32 - 1);
            }
            released = old.release(released..at);
        }
    }

    /// Adds the number of a word that is not there to a table that is roomy and not shared.
    fn put(&mut self, number: u32) {
        let hash = scatter(self.word(number));
        let (mut at, mut walked) = (self.place(hash), 1);
        while self.table[at].load(Relaxed) >> 32 != 0 {
            at = if at + 1 < self.table.len() { at + 1 } else { 0 };
            walked += 1;
        }
        assert!(walked <= WALK, "a roomy table has room near every place");
        let more = with(self.table[at].load(Relaxed), self.entry(number, hash));
        self.table[at].store(more.unwrap_or_else(|| unreachable!("one half is empty")), Relaxed);
    }

    /// How many words there are. Exact when no worker is interning.
    pub fn len(&self) -> u64 {
        self.counter.sum()
    }

    fn table_memory(&self) -> u64 {
        (self.table.len() * size_of::<u64>()) as u64
    }

    /// Bytes in use.
    pub fn memory(&self) -> u64 {
        self.table_memory() + self.arena.memory()
    }

    /// Writes which numbers are given away and what their words are, while nobody interns.
    pub fn save(&self, out: &mut WordWriter<'_>) -> io::Result<()> {
        let mut given = vec![0; self.arena.reserved().div_ceil(64) as usize];
        let entries = self.table.iter().flat_map(|word| halves(word.load(Relaxed))).filter(|&entry| entry != 0);
        entries.map(|entry| self.number(entry)).for_each(|it| given[it as usize / 64] |= 1u64 << (it % 64));
        out.word(self.arena.reserved())?;
        for (first, bits) in (0u32..).step_by(64).zip(given) {
            out.word(bits)?;
            out.words((0..64).filter(|bit| bits >> bit & 1 == 1).map(|bit| self.word(first + bit)))?;
        }
        Ok(())
    }

    /// Fills a table without words with what another one has written. Numbers stay what they are.
    pub fn restore(&mut self, from: &mut WordReader<'_>, limit: Option<u64>) -> Result<(), Unreadable> {
        let reserved = from.word()?;
        if reserved >= u64::from(NOTHING) {
            return Err(Unreadable::Damaged);
        }
        self.arena.claim(reserved, limit)?;
        let mut local = self.local();
        for first in (0..reserved).step_by(64) {
            let bits = from.word()?;
            for number in (0..64).filter(|bit| bits >> bit & 1 == 1).map(|bit| first + bit) {
                local.block = number..number + 1;
                self.put_back(&mut local, from.word()?, limit)?;
            }
        }
        Ok(())
    }

    /// Interns a word that gets the worker's next number.
    fn put_back(&mut self, local: &mut Interner, word: u64, limit: Option<u64>) -> Result<(), Unreadable> {
        if local.block.end > self.arena.reserved() {
            return Err(Unreadable::Damaged);
        }
        while self.table_is_crowded() || self.intern_shared(local, word, scatter(word)).is_none() {
            self.grow_table(limit.map(|limit| limit.saturating_sub(self.arena.memory())))?;
        }
        if local.block.is_empty() { Ok(()) } else { Err(Unreadable::Damaged) }
    }
}

/// The number that was written last is given away now.
#[inline]
fn added(local: &mut Interner, number: u32) -> u32 {
    local.block.start += 1;
    local.count.increment();
    number
}

/// Where a worker remembers a word.
#[inline]
fn recent_place(hash: u64) -> usize {
    (hash >> (64 - RECENT_BITS)) as usize
}

/// Bits of numbers in a table of so many words. Not all numbers are given away: workers keep some.
fn number_bits(words: usize, reserved: u64) -> u32 {
    let numbers = (4 * words as u64).max(2 * reserved).max(FEWEST_NUMBERS);
    (u64::BITS - numbers.leading_zeros()).min(u32::BITS)
}
