//! A set of 64-bit values that takes 9 to 12 bytes for each: a [`Table`] whose entries are the values.
//!
//! Values must look random, since their high bits decide where they go: hashes do, and
//! [`scatter`](crate::scatter) makes other values so. Zero, which means an empty slot in the table, has a
//! place of its own.
use std::io;
use std::sync::atomic::Ordering::Relaxed;

use crate::counter::{Count, Counter};
use crate::interface::{Glance, OutOfMemory};
use crate::memory::AtomicU64;
use crate::stream::{Unreadable, WordReader, WordWriter};
use crate::survey::Sought;
use crate::table::{Entered, Saving, Table, claim};

/// The answer to an insertion.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Added {
    /// The value was not there.
    New,
    /// The value was there.
    Known,
    /// There is no room near its place: grow the set, then insert again.
    Crowded,
}

/// A set of values that threads share.
pub struct Set64 {
    table: Table,
    /// One if zero is in the set.
    zero: AtomicU64,
    counter: Counter,
}

/// Entries are values.
#[inline]
fn whole(value: u64) -> Sought {
    Sought { entry: value, unknown: 0 }
}

impl Set64 {
    /// An empty set.
    #[allow(clippy::new_without_default)]
    pub fn new() -> Set64 {
        Set64 { table: Table::new(Saving::Memory), zero: AtomicU64::new(0), counter: Counter::default() }
    }

    /// What a further worker counts with.
    pub fn count(&self) -> Count {
        self.counter.share()
    }

    /// Touches the line where a value belongs.
    #[inline]
    pub fn prefetch(&self, value: u64) {
        self.table.prefetch(value);
    }

    /// What is in the line where a value belongs. If the line is full of others, touches the next one.
    #[inline]
    pub fn glance(&self, value: u64) -> Glance {
        self.table.glance(value, whole(value))
    }

    /// Adds a value.
    #[inline]
    pub fn insert(&self, count: &mut Count, value: u64, glance: Glance) -> Added {
        if glance.found != 0 {
            return Added::Known;
        }
        let answer = match (value, self.table.free_slot(value, glance)) {
            (0, _) => self.insert_zero(),
            (_, Some(slot)) if slot.load(Relaxed) == value => Added::Known,
            (_, Some(slot)) if claim(slot, value) => Added::New,
            _ => self.insert_other(value),
        };
        if answer == Added::New {
            count.increment();
        }
        answer
    }

    fn insert_other(&self, value: u64) -> Added {
        match self.table.enter(value, whole(value), |_| true, || Some(value)) {
            Entered::New(_) => Added::New,
            Entered::Known(_) => Added::Known,
            Entered::Crowded => Added::Crowded,
        }
    }

    fn insert_zero(&self) -> Added {
        if self.zero.swap(1, Relaxed) == 0 { Added::New } else { Added::Known }
    }

    /// Whether it is time to grow.
    pub fn is_crowded(&self) -> bool {
        self.table.is_crowded(self.len())
    }

    /// Makes room, without ever using more than `limit` bytes.
    pub fn grow(&mut self, limit: Option<u64>) -> Result<(), OutOfMemory> {
        self.table.grow(self.len(), limit, self.counter.shares(), |_, _, _, _| {})
    }

    /// How many values there are. Exact when no worker is inserting.
    pub fn len(&self) -> u64 {
        self.counter.sum()
    }

    /// Whether there are no values.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Bytes in use.
    pub fn memory(&self) -> u64 {
        self.table.memory()
    }

    /// Writes all values, while nobody inserts.
    pub fn save(&self, out: &mut WordWriter<'_>) -> io::Result<()> {
        out.word(self.len())?;
        if self.zero.load(Relaxed) == 1 {
            out.word(0)?;
        }
        spread(self.table.lines()).try_for_each(|line| out.words(self.table.entries(line)))
    }

    /// Adds all values that another set has written.
    pub fn restore(&mut self, from: &mut WordReader<'_>, limit: Option<u64>) -> Result<(), Unreadable> {
        let mut count = self.count();
        for _ in 0..from.word()? {
            let value = from.word()?;
            while self.insert(&mut count, value, Glance::default()) == Added::Crowded {
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

/// The numbers of so many lines in the order in which they are written down.
///
/// Values next to each other in the table belong next to each other in any other. A table that grows while it is filled
/// wants them evenly spread at all times, and so lines are taken in the order of their numbers with all bits reversed
/// (van der Corput, 1935): the first n lines are nearly the same distance apart, whatever n is.
pub fn spread(lines: usize) -> impl Iterator<Item = usize> {
    let bits = lines.next_power_of_two().trailing_zeros();
    let reversed = move |number: usize| number.reverse_bits().checked_shr(usize::BITS - bits).unwrap_or(0);
    (0..1 << bits).map(reversed).filter(move |&line| line < lines)
}
