//! A set of pairs of numbers that takes 4.4 to 5.7 bytes for a pair as long as the numbers are small enough, and else twice that.
//!
//! Cleary, *Compact hash tables using bidirectional linear probing*, 1984: if a hash is a permutation, the place of an entry
//! tells a part of it, and only the rest has to be stored. Here the hash of a pair is its *code*:
//!
//! ```text
//! code = (place, second)      place = reversed first · odd ⊕ scattered second
//! ```
//!
//! The line is `place · lines / 2^32`, so that the order of lines is that of codes, whatever their number, and a larger table is
//! filled from front to back while the old one is given back. The first number enters with its lowest bit
//! on top: a number of few bits has zeros below then, also as a multiple, so that the line tells as many bits as it can and there is nothing to store but
//! the others. (Without the factor the line would tell low bits; numbers that are all even would leave half of the lines empty.) What is stored of a
//! pair is the second number and the upper bits of the first, in 32 bits: two entries in a word ([`crate::halves`]). An entry
//! is less than [`WALK`] lines away from its place, and its bits are told apart from those of every other code that may be there.
//! While that does not fit into 32 bits, because there are few lines or the numbers are large, an entry is the code, one in a word.
//!
//! Otherwise this is the protocol of [`crate::table`]: an insertion walks word by word and line by line until it finds its entry or wins an
//! empty place with a compare-and-swap; entries never change and never leave. No data is behind an entry, so no order of memory is asked for.
use std::io;
use std::sync::atomic::Ordering::Relaxed;

use crate::counter::{Count, Counter};
use crate::halves::{halves, twice, with, zeros};
use crate::hash::scatter;
use crate::interface::{Glance, OutOfMemory};
use crate::memory::{AtomicU64, Words};
use crate::set64::{Added, spread};
use crate::stream::{Unreadable, WordReader, WordWriter};
use crate::survey::{LINE, Sought, survey, survey_halves};

/// An entry is at most so many lines away from its place, counting the first.
const WALK: usize = 1 << WALK_BITS;
const WALK_BITS: u32 = 8;
/// Slots of a new table.
const FIRST_SLOTS: usize = 128;
/// Tables of at most so many slots are doubled, larger ones grow by 3/10.
const DOUBLED_SLOTS: usize = 1 << 20;
/// Bits of the smaller kind of entry.
const HALF: u32 = 32;

/// 2^32 divided by the golden ratio: its multiples are far apart. And what undoes it, modulo 2^32.
const ODD: u32 = 0x9e37_79b1;
const ODD_INVERSE: u32 = inverse(ODD);

/// Newton's method: every turn doubles the bits that are right, of which there are three at first.
const fn inverse(odd: u32) -> u32 {
    let (mut inverse, mut turn) = (odd, 0);
    while turn < 4 {
        inverse = inverse.wrapping_mul(2u32.wrapping_sub(odd.wrapping_mul(inverse)));
        turn += 1;
    }
    inverse
}

/// The code of a pair, which has the first number in its upper half.
#[inline]
pub fn code(pair: u64) -> u64 {
    let (first, second) = ((pair >> 32) as u32, pair as u32);
    u64::from(first.reverse_bits().wrapping_mul(ODD) ^ scattered(second)) << 32 | u64::from(second)
}

/// The pair that has a code.
#[inline]
pub fn pair(code: u64) -> u64 {
    u64::from(spread_first(code).wrapping_mul(ODD_INVERSE).reverse_bits()) << 32 | u64::from(code as u32)
}

#[inline]
fn scattered(second: u32) -> u32 {
    (scatter(u64::from(second)) >> 32) as u32
}

#[inline]
fn spread_first(code: u64) -> u32 {
    (code >> 32) as u32 ^ scattered(code as u32)
}

/// How a code becomes an entry of 32 bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Split {
    /// The first number has at most so many bits.
    first: u32,
    /// So many of them, the lowest, are told by the line.
    told: u32,
    /// The second number has at most so many bits, and not all of them are set: an entry is one more than its bits.
    second: u32,
}

impl Split {
    /// For a table of so many lines and numbers that have no other bits than those of `extent`, a pair. What is left is
    /// shared out, since numbers grow.
    fn fitting(lines: usize, extent: u64) -> Option<Split> {
        let told = lines.ilog2().saturating_sub(WALK_BITS);
        let bits = |number: u64| u64::BITS - number.leading_zeros();
        let (first, second) = (bits(extent >> 32).max(told).max(1), bits((extent & u64::from(u32::MAX)) + 1));
        let spare = HALF.checked_sub(first - told + second)?;
        Some(Split { first: (first + spare.div_ceil(2)).min(HALF), told, second: (second + spare / 2).min(HALF) })
    }

    /// How many bits of the first number are stored.
    #[inline]
    fn stored(self) -> u32 {
        self.first - self.told
    }

    /// The entry of a code, if it has so few bits.
    #[inline]
    fn entry(self, code: u64) -> Option<u32> {
        let (first, second) = (u64::from(spread_first(code)), code & u64::from(u32::MAX));
        let is_small = (first << self.first) as u32 == 0 && second + 1 < 1 << self.second;
        let rest = (first >> (HALF - self.first)) & ones(self.stored());
        is_small.then(|| ((second << self.stored() | rest) + 1) as u32)
    }

    /// The code of an entry whose place is not less than `lowest`, going around after the last place.
    #[inline]
    fn code(self, entry: u32, lowest: u32) -> u64 {
        let bits = u64::from(entry - 1);
        let (second, rest) = (bits >> self.stored(), bits & ones(self.stored()));
        let place = (rest << (HALF - self.first)) as u32 ^ scattered(second as u32);
        let distance = place.wrapping_sub(lowest) & ones(HALF - self.told) as u32;
        u64::from(lowest.wrapping_add(distance)) << 32 | second
    }

    /// The largest pair that fits.
    fn extent(self) -> u64 {
        ones(self.first) << 32 | (ones(self.second) - 1)
    }
}

/// Whether a code is in a line of whole entries, and how many of its first words are taken.
#[inline]
fn survey_codes(line: &[AtomicU64; LINE], code: u64) -> (bool, usize) {
    let (same, taken) = survey(line, Sought { entry: code, unknown: 0 });
    (same & taken != 0, taken.trailing_ones() as usize)
}

/// So many ones.
#[inline]
fn ones(bits: u32) -> u64 {
    (1 << bits) - 1
}

/// A set of pairs that threads share.
pub struct Pairs {
    words: Words,
    lines: usize,
    /// How codes are halved; `None` if entries are whole.
    split: Option<Split>,
    /// One if code zero is in the set: it would be an empty place if entries are whole.
    zero: AtomicU64,
    /// The bits of pairs that did not fit.
    misfits: AtomicU64,
    counter: Counter,
}

impl Pairs {
    /// An empty set.
    pub fn new() -> Pairs {
        let lines = FIRST_SLOTS / (2 * LINE);
        Pairs {
            words: Words::few(lines * LINE),
            lines,
            split: Split::fitting(lines, 0),
            zero: AtomicU64::new(0),
            misfits: AtomicU64::new(0),
            counter: Counter::default(),
        }
    }

    /// What a further worker counts with.
    pub fn count(&self) -> Count {
        self.counter.share()
    }

    #[inline]
    fn place(&self, code: u64) -> usize {
        (((code >> 32) * self.lines as u64) >> 32) as usize
    }

    #[inline]
    fn line(&self, line: usize) -> &[AtomicU64; LINE] {
        self.words[line * LINE..].first_chunk().unwrap_or_else(|| unreachable!("a table consists of whole lines"))
    }

    /// Touches the line where a pair belongs.
    #[inline]
    pub fn prefetch(&self, code: u64) {
        self.words.prefetch(self.place(code) * LINE);
    }

    /// Whether a pair is in the line where it belongs, or where in the line it would be added. If the line is full of others,
    /// touches the next one.
    #[inline]
    pub fn glance(&self, code: u64) -> Glance {
        let place = self.place(code);
        let line = self.line(place);
        let (found, full) = match self.split {
            Some(split) => {
                let Some(entry) = split.entry(code) else { return Glance::default() };
                survey_halves(line, entry)
            }
            None => survey_codes(line, code),
        };
        if full == LINE && !found {
            self.words.prefetch((place + 1) * LINE);
        }
        Glance { found: u64::from(found), free: full as u32, lines: self.slots() as u32 }
    }

    /// Adds a pair.
    #[inline]
    pub fn insert(&self, count: &mut Count, code: u64, glance: Glance) -> Added {
        let answer = match code {
            0 => self.insert_zero(),
            _ if glance.found != 0 => return Added::Known,
            _ => self.enter(code, if glance.lines == self.slots() as u32 { glance.free as usize } else { 0 }),
        };
        if answer == Added::New {
            count.increment();
        }
        answer
    }

    /// Adds a pair that is not in the first words of its line, which are full.
    fn enter(&self, code: u64, full: usize) -> Added {
        match self.split.map(|split| split.entry(code)) {
            Some(Some(entry)) => {
                let holds = |word| zeros(word ^ twice(entry)) != 0;
                self.walk(code, full, |line| survey_halves(line, entry), holds, |word| with(word, entry))
            }
            Some(None) => {
                self.misfits.fetch_or(pair(code), Relaxed);
                Added::Crowded
            }
            None => {
                let with = |word| (word == 0).then_some(code);
                self.walk(code, full, |line| survey_codes(line, code), |word| word == code, with)
            }
        }
    }

    fn insert_zero(&self) -> Added {
        if self.zero.swap(1, Relaxed) == 0 { Added::New } else { Added::Known }
    }

    /// Looks for a word that `holds` the entry or can be made one `with` it. `survey` tells whether it is in a line, and how many
    /// of the first words are full.
    #[inline]
    fn walk(
        &self,
        code: u64,
        full: usize,
        survey: impl Fn(&[AtomicU64; LINE]) -> (bool, usize),
        holds: impl Fn(u64) -> bool,
        with: impl Fn(u64) -> Option<u64>,
    ) -> Added {
        let (mut place, mut found, mut full) = (self.place(code), false, full);
        for walked in 0..WALK.min(self.lines) {
            if walked > 0 {
                (found, full) = survey(self.line(place));
            }
            if found {
                return Added::Known;
            }
            for word in &self.line(place)[full..] {
                let mut seen = word.load(Relaxed);
                if holds(seen) {
                    return Added::Known;
                }
                while let Some(more) = with(seen) {
                    match word.compare_exchange(seen, more, Relaxed, Relaxed) {
                        Ok(_) => return Added::New,
                        Err(now) if holds(now) => return Added::Known,
                        Err(now) => seen = now,
                    }
                }
            }
            place = if place + 1 < self.lines { place + 1 } else { 0 };
        }
        Added::Crowded
    }

    /// Visits the codes in a line.
    #[inline]
    fn each_code(&self, line: usize, mut visit: impl FnMut(u64)) {
        let lowest = self.lowest_place(line);
        for word in self.line(line).iter().map(|word| word.load(Relaxed)).take_while(|&word| word != 0) {
            let Some(split) = self.split else {
                visit(word);
                continue;
            };
            visit(split.code(word as u32, lowest));
            if word >> 32 != 0 {
                visit(split.code((word >> 32) as u32, lowest));
            }
        }
    }

    /// A place that is not larger than that of any entry in a line, going backwards around zero.
    fn lowest_place(&self, line: usize) -> u32 {
        let first = (line + self.lines).saturating_sub(WALK - 1) % self.lines;
        ((first as u64) << 32).div_ceil(self.lines as u64) as u32
    }

    /// How many entries there is room for. Every growth makes this larger, so that it tells one table from the next.
    fn slots(&self) -> u64 {
        self.lines as u64 * u64::from(self.line_slots())
    }

    /// Whether it is time to grow.
    pub fn is_crowded(&self) -> bool {
        self.len() > self.slots() / 12 * 11
    }

    /// Makes room, for pairs that did not fit, too, without ever using more than `limit` bytes.
    pub fn grow(&mut self, limit: Option<u64>) -> Result<(), OutOfMemory> {
        let larger = self.larger(limit)?;
        let mut taken = vec![0; larger.lines];
        let mut released = 0;
        for line in 0..self.lines {
            match (self.split, larger.split) {
                (Some(from), Some(to)) => self.move_halves(line, from, &larger, to, &mut taken),
                _ => self.each_code(line, |code| larger.put(&mut taken, code)),
            }
            released = self.words.release(released..line * LINE);
        }
        (self.words, self.lines, self.split) = (larger.words, larger.lines, larger.split);
        self.misfits.store(0, Relaxed);
        Ok(())
    }

    /// Moves the entries of a line from one table of halves to another: nearly all moves, so this is the short way.
    #[inline]
    fn move_halves(&self, line: usize, from: Split, larger: &Pairs, to: Split, taken: &mut [u8]) {
        let lowest = self.lowest_place(line);
        let entries = self.line(line).iter().flat_map(|word| halves(word.load(Relaxed)));
        for entry in entries.take_while(|&entry| entry != 0) {
            let code = from.code(entry, lowest);
            let entry = to.entry(code).unwrap_or_else(|| unreachable!("all pairs fit"));
            larger.put_half(taken, larger.place(code), entry);
        }
    }

    /// An empty table of the next size, or of the largest size that the limit allows.
    fn larger(&self, limit: Option<u64>) -> Result<Pairs, OutOfMemory> {
        let (slots, extent) = (self.slots() as usize, self.extent());
        let wanted = match slots {
            _ if self.misfits.load(Relaxed) != 0 && self.has_room_for(self.len()) => slots + 2 * LINE,
            ..DOUBLED_SLOTS => 2 * slots,
            _ => slots / 10 * 13,
        };
        let least = slots.min(wanted) + (wanted - slots) / 8;
        let steps = (0..=8).map(|step| wanted - (wanted - least) / 8 * step);
        let peak = |words| Words::peak_of_copy(self.words.len(), words, 1) + (words / LINE) as u64;
        let fits = |words| limit.is_none_or(|limit| peak(words) <= limit);
        let (words, split) = steps.map(|slots| shape(slots, extent)).find(|it| fits(it.0)).ok_or(OutOfMemory)?;
        let larger = Pairs { words: Words::zeroed(words)?, lines: words / LINE, split, ..Pairs::new() };
        if larger.has_room_for(self.len()) { Ok(larger) } else { Err(OutOfMemory) }
    }

    /// Whether so many pairs find room near their places.
    fn has_room_for(&self, pairs: u64) -> bool {
        pairs <= self.slots() / 20 * 17
    }

    /// A pair that has all bits that a pair in the set has, or one that did not fit.
    fn extent(&self) -> u64 {
        match self.split.filter(|_| self.misfits.load(Relaxed) == 0) {
            Some(split) => split.extent(),
            None => {
                let mut sum = self.misfits.load(Relaxed);
                (0..self.lines).for_each(|line| self.each_code(line, |code| sum |= pair(code)));
                sum
            }
        }
    }

    /// Adds a pair that is not there to a table that is roomy and not shared. `taken` says how many entries each line has.
    fn put(&self, taken: &mut [u8], code: u64) {
        let Some(split) = self.split else {
            let (line, row) = self.take(taken, self.place(code), LINE as u8);
            return self.line(line)[row].store(code, Relaxed);
        };
        let entry = split.entry(code).unwrap_or_else(|| unreachable!("all pairs fit"));
        self.put_half(taken, self.place(code), entry);
    }

    #[inline]
    fn put_half(&self, taken: &mut [u8], place: usize, entry: u32) {
        let (line, row) = self.take(taken, place, 2 * LINE as u8);
        let word = &self.line(line)[row / 2];
        word.store(word.load(Relaxed) | u64::from(entry) << (HALF * (row as u32 % 2)), Relaxed);
    }

    /// Takes the next free slot of the line at a place, or of one after it.
    #[inline]
    fn take(&self, taken: &mut [u8], place: usize, slots: u8) -> (usize, usize) {
        let (mut line, mut walked) = (place, 1);
        while taken[line] == slots {
            line = if line + 1 < self.lines { line + 1 } else { 0 };
            walked += 1;
        }
        assert!(walked <= WALK, "a roomy table has room near every place");
        taken[line] += 1;
        (line, usize::from(taken[line] - 1))
    }

    /// How many entries a line has room for.
    #[inline]
    fn line_slots(&self) -> u8 {
        if self.split.is_some() { 2 * LINE as u8 } else { LINE as u8 }
    }

    /// How many pairs there are. Exact when no worker is inserting.
    pub fn len(&self) -> u64 {
        self.counter.sum()
    }

    /// Bytes in use.
    pub fn memory(&self) -> u64 {
        (self.words.len() * size_of::<u64>()) as u64
    }

    /// Writes the codes of all pairs, while nobody inserts.
    pub fn save(&self, out: &mut WordWriter<'_>) -> io::Result<()> {
        out.word(self.len())?;
        if self.zero.load(Relaxed) == 1 {
            out.word(0)?;
        }
        let mut codes = Vec::new();
        spread(self.lines).try_for_each(|line| {
            self.each_code(line, |code| codes.push(code));
            out.words(codes.drain(..))
        })
    }

    /// Adds all pairs that another set has written.
    pub fn restore(&mut self, from: &mut WordReader<'_>, limit: Option<u64>) -> Result<(), Unreadable> {
        let mut count = self.count();
        for _ in 0..from.word()? {
            let code = from.word()?;
            while self.insert(&mut count, code, Glance::default()) == Added::Crowded {
                self.grow(limit)?;
            }
        }
        // So evenly spread they fill a table more tightly than is good for it afterwards.
        if self.is_crowded() {
            // If there is no room now, somebody will ask again.
            let _ = self.grow(limit);
        }
        Ok(())
    }
}

/// Words of a table of so many slots for pairs with no other bits than those of `extent`, and how codes are halved.
fn shape(slots: usize, extent: u64) -> (usize, Option<Split>) {
    let lines = slots.div_ceil(2 * LINE);
    match Split::fitting(lines, extent) {
        Some(split) => (lines * LINE, Some(split)),
        None => (2 * lines * LINE, None),
    }
}
