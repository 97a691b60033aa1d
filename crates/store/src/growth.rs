//! How a table grows where it is.
//!
//! Fresh memory is dear: the system clears it, and a virtual machine may have to ask for it first. So a table does not move to a larger one; lines are added
//! behind it, and entries move within it, as in files that grow by splitting (Litwin, *Linear hashing: a new tool for file and table addressing*, VLDB 1980). The line
//! of an entry is `hash · lines / 2^64`: with more lines every entry belongs further behind, and nearly as far as it was behind the front.
//!
//! ```text
//! end := number of lines before
//! repeat
//!     the entries of lines start to end move, all to lines behind end: so far behind is start
//!     end := start
//! until there is no such start, near the front
//! what is left is taken out, then put where it belongs
//! ```
//!
//! Where entries come from and where they go to are apart, so that threads can share the work.
use std::ops::Range;
use std::sync::atomic::Ordering::Relaxed;
use std::thread::Builder;

use crate::interface::OutOfMemory;
use crate::survey::{LINE, Sought, survey};
use crate::table::{Table, WALK, claim, place};

/// A thread moves so many lines, at least.
const PART_LINES: usize = 1 << 15;

/// Entries for which there is no place yet, with their hashes.
type Aside = Vec<(u64, u64)>;

/// Lines that were written to a moment ago, counted from one, and how many of their slots are taken. To ask the lines themselves would mean to wait
/// until what was written to them can be read.
#[derive(Default)]
struct Nearest([(usize, usize); LINE]);

impl Table {
    /// Makes the table larger, which so many threads do together. `hashes` says where the entries of a line belong:
    /// it replaces each by its hash, with the help of a buffer.
    pub fn grow(
        &mut self,
        entries: u64,
        limit: Option<u64>,
        threads: usize,
        hashes: impl Fn(&Table, usize, &mut [u64], &mut Vec<u64>) + Sync,
    ) -> Result<(), OutOfMemory> {
        let lines = self.larger(entries, limit)?;
        self.words.extend(lines * LINE)?;
        let (mut end, mut aside) = (self.lines, Aside::new());
        while let Some(start) = self.movable(end, lines) {
            aside.append(&mut self.spread(start..end, lines, threads, &hashes));
            end = start;
        }
        self.take_out(0..end, &hashes, |hash, entry| aside.push((hash, entry)));
        self.lines = lines;
        aside.into_iter().for_each(|(hash, entry)| self.put_anywhere(hash, entry));
        Ok(())
    }

    /// The next size, or the largest one that the limit allows.
    fn larger(&self, entries: u64, limit: Option<u64>) -> Result<usize, OutOfMemory> {
        let wanted = self.saving.next(self.lines);
        let fits = |&lines: &usize| limit.is_none_or(|limit| self.words.peak_of_extension(lines * LINE) <= limit);
        let least = self.lines + self.lines.div_ceil(32);
        let steps = (0..16).map(|step| wanted - (wanted - least) / 16 * step);
        let lines = steps.chain([least]).find(fits).ok_or(OutOfMemory)?;
        let is_roomy = entries <= (lines * LINE) as u64 / 20 * 17;
        if is_roomy { Ok(lines) } else { Err(OutOfMemory) }
    }

    /// From which line on all entries get places at `end` or behind it, when there are so many lines. An entry is less than [`WALK`]
    /// lines behind its place; only near the front it may belong near the end.
    fn movable(&self, end: usize, lines: usize) -> Option<usize> {
        let start = (end as u128 * self.lines as u128).div_ceil(lines as u128) as usize + WALK;
        (start < end).then_some(start)
    }

    /// Moves the entries of some lines to where they belong when there are so many lines. Returns those that find no place before the end.
    fn spread(
        &self,
        part: Range<usize>,
        lines: usize,
        threads: usize,
        hashes: &(impl Fn(&Table, usize, &mut [u64], &mut Vec<u64>) + Sync),
    ) -> Aside {
        let share = part.len().div_ceil(threads).next_multiple_of(PART_LINES);
        let is_shared = share < part.len();
        let work = |first: usize| {
            let (mut aside, mut nearest) = (Aside::new(), Nearest::default());
            self.take_out(first..(first + share).min(part.end), hashes, |hash, entry| {
                let is_put = if is_shared {
                    self.put(hash, entry, lines, true)
                } else {
                    self.put_near(&mut nearest, hash, entry, lines)
                };
                if !is_put {
                    aside.push((hash, entry));
                }
            });
            aside
        };
        std::thread::scope(|scope| {
            let (mut others, mut aside) = (Vec::new(), Aside::new());
            for first in (part.start + share..part.end).step_by(share) {
                let work = &work;
                match Builder::new().spawn_scoped(scope, move || work(first)) {
                    Ok(other) => others.push(other),
                    Err(_) => aside.append(&mut work(first)),
                }
            }
            aside.append(&mut work(part.start));
            let joined = others.into_iter().map(|it| it.join().unwrap_or_else(|it| std::panic::resume_unwind(it)));
            joined.for_each(|mut more| aside.append(&mut more));
            aside
        })
    }

    /// Takes all entries out of some lines.
    fn take_out(
        &self,
        lines: Range<usize>,
        hashes: &impl Fn(&Table, usize, &mut [u64], &mut Vec<u64>),
        mut taken: impl FnMut(u64, u64),
    ) {
        let mut buffer = Vec::new();
        for line in lines {
            let entries: [u64; LINE] = std::array::from_fn(|slot| self.line(line)[slot].load(Relaxed));
            let count = entries.iter().take_while(|&&entry| entry != 0).count();
            let mut moved = entries;
            hashes(self, line, &mut moved[..count], &mut buffer);
            self.line(line).iter().for_each(|slot| slot.store(0, Relaxed));
            moved[..count].iter().zip(entries).for_each(|(&hash, entry)| taken(hash, entry));
        }
    }

    /// Adds an entry that is not there, when there are so many lines and nobody looks anything up. Says whether there was a place before the end.
    fn put(&self, hash: u64, entry: u64, lines: usize, is_shared: bool) -> bool {
        let mut line = place(hash, lines);
        while line < lines {
            let taken = survey(self.line(line), Sought { entry, unknown: 0 }).1;
            match self.line(line).get(taken.trailing_ones() as usize) {
                Some(free) if is_shared && claim(free, entry) => return true,
                Some(_) if is_shared => {}
                Some(free) => {
                    free.store(entry, Relaxed);
                    return true;
                }
                None => line += 1,
            }
        }
        false
    }

    /// The same for an entry that belongs near the one before, by one thread.
    #[inline]
    fn put_near(&self, nearest: &mut Nearest, hash: u64, entry: u64, lines: usize) -> bool {
        let line = place(hash, lines);
        let known = &mut nearest.0[line % LINE];
        if known.0 != line + 1 {
            let taken = survey(self.line(line), Sought { entry, unknown: 0 }).1;
            *known = (line + 1, taken.trailing_ones() as usize);
        }
        let Some(free) = self.line(line).get(known.1) else {
            *nearest = Nearest::default();
            return self.put(hash, entry, lines, false);
        };
        free.store(entry, Relaxed);
        known.1 += 1;
        true
    }

    /// The same when all lines are those of the table: after the last one comes the first.
    fn put_anywhere(&self, hash: u64, entry: u64) {
        let is_put = self.put(hash, entry, self.lines, false) || self.put(0, entry, self.lines, false);
        assert!(is_put, "a table that has grown has room");
    }
}
