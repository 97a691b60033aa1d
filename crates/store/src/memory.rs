//! Arrays of shared words. (Apart from two calls in `survey.rs`, all `unsafe` code of this crate is here.)
//!
//! A table of many megabytes is read at random places, and then a translation from virtual to real
//! addresses is missed almost every time, unless pages are huge. So large arrays are mapped anonymously
//! with the advice to use huge pages. They are zero without having been touched, the kernel backs only what
//! is, and what is no longer needed can be given back piece by piece. Small arrays come from the heap.
#![allow(unsafe_code)]
use std::ops::{Deref, Range};

use std::sync::atomic::Ordering::Relaxed;

use memmap2::{MmapMut, MmapOptions};
pub use std::sync::atomic::AtomicU64;

use crate::interface::OutOfMemory;

/// Arrays of at least so many bytes are mapped.
const MAPPED: usize = 128 << 10;
/// Mappings of at least so many bytes ask for huge pages.
const HUGE: usize = 2 << 20;
/// Memory is given back in pieces of this size: a huge page.
const PIECE: usize = 2 << 20;
/// Memory without huge pages is given back in pieces of this size.
const SMALL_PIECE: usize = 64 << 10;

/// An array that grows gets addresses for so many times its length.
const ROOM: usize = 256;

/// The eight words of a cache line, each loaded as with `Acquire`.
#[cfg(target_arch = "x86_64")]
#[inline]
pub fn load_line(line: &[AtomicU64; 8]) -> [u64; 8] {
    use std::arch::asm;
    use std::arch::x86_64::__m128i;
    let (first, second, third, fourth): (__m128i, __m128i, __m128i, __m128i);
    // SAFETY: the 64 bytes of a reference are readable. Processors load each of the two aligned words of a pair whole,
    // and do not let later loads overtake earlier ones; so this is eight loads with `Acquire`. The
    // compiler moves no access to memory across it.
    unsafe {
        asm!(
            "movdqu {first}, [{line}]",
            "movdqu {second}, [{line} + 16]",
            "movdqu {third}, [{line} + 32]",
            "movdqu {fourth}, [{line} + 48]",
            line = in(reg) line.as_ptr(),
            first = out(xmm_reg) first,
            second = out(xmm_reg) second,
            third = out(xmm_reg) third,
            fourth = out(xmm_reg) fourth,
            options(nostack, preserves_flags),
        );
        std::mem::transmute([first, second, third, fourth])
    }
}

/// The eight words of a cache line.
#[cfg(not(target_arch = "x86_64"))]
#[inline]
pub fn load_line(line: &[AtomicU64; 8]) -> [u64; 8] {
    std::array::from_fn(|row| line[row].load(std::sync::atomic::Ordering::Acquire))
}

/// Words that start on a cache line.
#[repr(align(64))]
struct Line(#[allow(dead_code)] [AtomicU64; 8]);

/// An array of zeroed words that threads may read and write.
pub struct Words {
    start: *const AtomicU64,
    len: usize,
    backing: Backing,
}

/// Who owns the memory. It is only reached through `start`.
enum Backing {
    Heap { _lines: Vec<Line> },
    Mapped(MmapMut),
}

// SAFETY: `start` points into `backing`, which moves along with it and is freed only when it is dropped;
// what is shared through it are atomics.
unsafe impl Send for Words {}
// SAFETY: as above.
unsafe impl Sync for Words {}

impl Words {
    /// So many words, all zero.
    pub fn zeroed(len: usize) -> Result<Words, OutOfMemory> {
        let bytes = len.checked_mul(size_of::<u64>()).ok_or(OutOfMemory)?;
        if bytes < MAPPED { Ok(Words::few(len)) } else { Words::mapped(len, bytes) }
    }

    /// A few words, all zero.
    pub fn few(len: usize) -> Words {
        let lines: Vec<Line> = (0..len.div_ceil(8)).map(|_| Line(Default::default())).collect();
        Words { start: lines.as_ptr().cast(), len, backing: Backing::Heap { _lines: lines } }
    }

    fn mapped(len: usize, bytes: usize) -> Result<Words, OutOfMemory> {
        // Only mappings of whole huge pages begin at one.
        let whole = if bytes >= HUGE { bytes.next_multiple_of(PIECE) } else { bytes };
        let map = MmapMut::map_anon(whole).map_err(|_| OutOfMemory)?;
        Ok(Words::over(map, len))
    }

    fn over(mut map: MmapMut, len: usize) -> Words {
        let words = Words { start: map.as_mut_ptr().cast(), len, backing: Backing::Mapped(map) };
        words.ask_for_huge_pages();
        words
    }

    /// Advice may be refused; then pages are small.
    fn ask_for_huge_pages(&self) {
        #[cfg(target_os = "linux")]
        if let Backing::Mapped(map) = &self.backing
            && size_of_val(&**self) >= HUGE
        {
            let _ = map.advise(memmap2::Advice::HugePage);
        }
    }

    /// So many words, all zero, with addresses for many more behind them. What is not touched takes no memory.
    fn roomy(len: usize) -> Result<Words, OutOfMemory> {
        let bytes = len.checked_mul(size_of::<u64>()).ok_or(OutOfMemory)?;
        if bytes < MAPPED {
            return Ok(Words::few(len));
        }
        let room = bytes.saturating_mul(ROOM).next_multiple_of(PIECE);
        let map = MmapOptions::new().len(room).no_reserve_swap().map_anon();
        map.map_or_else(|_| Words::mapped(len, bytes), |map| Ok(Words::over(map, len)))
    }

    /// How many words there can be at these addresses.
    fn capacity(&self) -> usize {
        match &self.backing {
            Backing::Heap { .. } => self.len,
            Backing::Mapped(map) => map.len() / size_of::<u64>(),
        }
    }

    /// Adds words that are zero. They are moved only if there is no room behind them.
    pub fn extend(&mut self, len: usize) -> Result<(), OutOfMemory> {
        if len > self.capacity() {
            let longer = Words::roomy(len)?;
            let mut released = 0;
            for (row, word) in self.iter().enumerate() {
                longer[row].store(word.load(Relaxed), Relaxed);
                released = self.release(released..row);
            }
            *self = longer;
        }
        let was_huge = size_of_val(&**self) >= HUGE;
        self.len = len;
        if !was_huge {
            self.ask_for_huge_pages();
        }
        Ok(())
    }

    /// The most memory that is in use while words are added.
    pub fn peak_of_extension(&self, len: usize) -> u64 {
        if len <= self.capacity() { (len * size_of::<u64>()) as u64 } else { Words::peak_of_copy(self.len, len, 1) }
    }

    /// Asks the processor to fetch the cache line of a word. Costs nothing if the word does not exist.
    #[inline]
    pub fn prefetch(&self, index: usize) {
        #[cfg(target_arch = "x86_64")]
        {
            use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
            // SAFETY: a prefetch is a hint: it never faults, whatever the address.
            unsafe { _mm_prefetch::<_MM_HINT_T0>(self.start.wrapping_add(index).cast()) };
        }
        #[cfg(not(target_arch = "x86_64"))]
        let _ = index;
    }

    /// The same for a word that will probably be changed: no other processor keeps the line, so that the change need not wait for it.
    #[inline]
    pub fn prefetch_to_change(&self, index: usize) {
        #[cfg(target_arch = "x86_64")]
        // SAFETY: a prefetch is a hint: it never faults, whatever the address, and a processor that does not know this one ignores it.
        unsafe {
            std::arch::asm!(
                "prefetchw [{address}]",
                address = in(reg) self.start.wrapping_add(index),
                options(nostack, preserves_flags, readonly),
            );
        };
        #[cfg(not(target_arch = "x86_64"))]
        let _ = index;
    }

    /// The most memory that is in use while one array is copied to another from front to back, a part by each of some threads,
    /// and what was copied is given back on the way.
    pub fn peak_of_copy(from: usize, to: usize, threads: usize) -> u64 {
        let (from, to) = ((from * size_of::<u64>()) as u64, (to * size_of::<u64>()) as u64);
        let piecewise = from.max(to) + (4 * PIECE * threads) as u64;
        if cfg!(target_os = "linux") { piecewise.min(from + to) } else { from + to }
    }

    /// Gives words back to the system that nobody will read again; returns where it stopped, so that the
    /// next call can start there.
    pub fn release(&self, words: Range<usize>) -> usize {
        let start = words.start * size_of::<u64>();
        let piece = if size_of_val(&**self) >= HUGE { PIECE } else { SMALL_PIECE };
        let pieces = (words.end * size_of::<u64>()).saturating_sub(start) / piece;
        if pieces > 0 {
            self.release_bytes(start, pieces * piece);
        }
        words.start + pieces * (piece / size_of::<u64>())
    }

    #[cfg(target_os = "linux")]
    fn release_bytes(&self, start: usize, bytes: usize) {
        if let Backing::Mapped(map) = &self.backing {
            // SAFETY: the pages are private and anonymous: they read as zero afterwards, which is a value
            // of an atomic like any other.
            let _ = unsafe { map.unchecked_advise_range(memmap2::UncheckedAdvice::DontNeed, start, bytes) };
        }
    }

    #[cfg(not(target_os = "linux"))]
    fn release_bytes(&self, _start: usize, _bytes: usize) {}
}

impl Deref for Words {
    type Target = [AtomicU64];

    #[inline]
    fn deref(&self) -> &[AtomicU64] {
        // SAFETY: `backing` holds at least `len` words from `start` on, zeroed when it was made and aligned
        // to a cache line or a page; they are only ever accessed as atomics.
        unsafe { std::slice::from_raw_parts(self.start, self.len) }
    }
}
