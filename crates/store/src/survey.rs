//! Which slots of a line of a table hold what is looked for, and which are empty.
//!
//! Where in a line an entry is cannot be predicted, so a jump for each slot costs more than looking at all slots. On
//! x86-64 two slots are in one register, and the answers for all eight become the bits of one number. (Used in this way
//! by hash tables since Ross, *Efficient hash probes on modern processors*, 2007.)
#![allow(unsafe_code)]
use crate::memory::{AtomicU64, load_line};

/// Slots of a line.
pub const LINE: usize = 8;
/// All of them.
pub const ALL: Slots = (1 << LINE) - 1;

/// A set of slots of a line, one bit for each.
type Slots = u32;

/// What a walk looks for: entries that begin like this one.
#[derive(Clone, Copy, Debug)]
pub struct Sought {
    /// The entry, as far as it is known.
    pub entry: u64,
    /// How many of its lower bits are not known.
    pub unknown: u32,
}

impl Sought {
    /// Whether an entry begins like this.
    #[inline]
    pub fn fits(self, entry: u64) -> bool {
        (entry ^ self.entry) >> self.unknown == 0
    }
}

/// The first of some slots.
#[inline]
pub fn first(slots: Slots) -> usize {
    slots.trailing_zeros() as usize % LINE
}

/// The slots of a line whose entries fit, and those that are taken. Each slot is read once, so that whatever is in a slot
/// that counts as taken was looked at. An empty slot may fit, too.
#[cfg(target_arch = "x86_64")]
#[inline]
pub fn survey(line: &[AtomicU64; LINE], sought: Sought) -> (Slots, Slots) {
    let entries = load_line(line);
    // SAFETY: every x86-64 processor has SSE2.
    let bits = unsafe { pairwise::survey(entries, sought) };
    (bits & ALL, !(bits >> LINE) & ALL)
}

/// The same, slot by slot.
#[cfg(not(target_arch = "x86_64"))]
#[inline]
pub fn survey(line: &[AtomicU64; LINE], sought: Sought) -> (Slots, Slots) {
    let (mut same, mut taken) = (0, 0);
    for (row, entry) in load_line(line).into_iter().enumerate() {
        same |= Slots::from(sought.fits(entry)) << row;
        taken |= Slots::from(entry != 0) << row;
    }
    (same, taken)
}

/// Whether one of the halves of the words of a line is this, which is not zero; and how many words have an upper half, from the
/// first one on. Each word is read once.
#[cfg(target_arch = "x86_64")]
#[inline]
pub fn survey_halves(line: &[AtomicU64; LINE], half: u32) -> (bool, usize) {
    // SAFETY: every x86-64 processor has SSE2.
    unsafe { pairwise::survey_halves(load_line(line), half) }
}

/// The same, word by word.
#[cfg(not(target_arch = "x86_64"))]
#[inline]
pub fn survey_halves(line: &[AtomicU64; LINE], half: u32) -> (bool, usize) {
    let words = load_line(line);
    let found = words.iter().any(|&word| word as u32 == half || (word >> 32) as u32 == half);
    (found, words.iter().take_while(|&&word| word >> 32 != 0).count())
}

/// Two slots in a register.
#[cfg(target_arch = "x86_64")]
mod pairwise {
    use std::arch::x86_64::*;

    use super::{LINE, Slots, Sought};

    type Pairs = [__m128i; LINE / 2];

    /// The bits of upper halves.
    const UPPER: u32 = 0xaaaa;

    /// The slots that fit, and from bit [`LINE`] on those that are empty.
    #[inline]
    #[target_feature(enable = "sse2")]
    pub fn survey(entries: [u64; LINE], sought: Sought) -> Slots {
        let pair = |row: usize| _mm_set_epi64x(entries[2 * row + 1] as i64, entries[2 * row] as i64);
        let pairs = [pair(0), pair(1), pair(2), pair(3)];
        let (entry, unknown) = (_mm_set1_epi64x(sought.entry as i64), _mm_cvtsi32_si128(sought.unknown as i32));
        let rest = |pair| _mm_srl_epi64(_mm_xor_si128(pair, entry), unknown);
        let differences = [rest(pairs[0]), rest(pairs[1]), rest(pairs[2]), rest(pairs[3])];
        _mm_movemask_epi8(_mm_packs_epi16(zeros(differences), zeros(pairs))) as Slots
    }

    /// Whether a half is this, and how many words have an upper half, from the first one on.
    #[inline]
    #[target_feature(enable = "sse2")]
    pub fn survey_halves(words: [u64; LINE], half: u32) -> (bool, usize) {
        let pair = |row: usize| _mm_set_epi64x(words[2 * row + 1] as i64, words[2 * row] as i64);
        let pairs = [pair(0), pair(1), pair(2), pair(3)];
        let found = equal_halves(pairs, _mm_set1_epi32(half as i32));
        let missing = equal_halves(pairs, _mm_setzero_si128()) & UPPER;
        (found != 0, (missing | 1 << (2 * LINE)).trailing_zeros() as usize / 2)
    }

    /// The halves of eight words that are those of a register, as bits.
    #[inline]
    #[target_feature(enable = "sse2")]
    fn equal_halves(pairs: Pairs, halves: __m128i) -> u32 {
        let equal = |row: usize| _mm_cmpeq_epi32(pairs[row], halves);
        let (first, second) = (_mm_packs_epi32(equal(0), equal(1)), _mm_packs_epi32(equal(2), equal(3)));
        _mm_movemask_epi8(_mm_packs_epi16(first, second)) as u32
    }

    /// For each of eight words: all ones if it is zero.
    #[inline]
    #[target_feature(enable = "sse2")]
    fn zeros(pairs: Pairs) -> __m128i {
        _mm_packs_epi32(zeros_of_four(pairs[0], pairs[1]), zeros_of_four(pairs[2], pairs[3]))
    }

    #[inline]
    #[target_feature(enable = "sse2")]
    fn zeros_of_four(first: __m128i, second: __m128i) -> __m128i {
        let (first, second) = (_mm_castsi128_ps(first), _mm_castsi128_ps(second));
        let low = _mm_shuffle_ps::<0b10_00_10_00>(first, second);
        let high = _mm_shuffle_ps::<0b11_01_11_01>(first, second);
        _mm_cmpeq_epi32(_mm_castps_si128(_mm_or_ps(low, high)), _mm_setzero_si128())
    }
}
