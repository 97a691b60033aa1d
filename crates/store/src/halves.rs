//! Two entries of 32 bits in a shared word of 64.
//!
//! Zero is an empty half; the lower half is taken first. An entry is added by a compare-and-swap of the whole word, so that it
//! fails also if somebody has taken the other half meanwhile: then the word is looked at once more, and who has lost a
//! half to an equal entry sees it (`docs/models/halves.pml`).

/// A one in each half, and the highest bit of each half.
const ONES: u64 = 0x0000_0001_0000_0001;
const TOPS: u64 = 0x8000_0000_8000_0000;

/// The entries of a word.
#[inline]
pub fn halves(word: u64) -> [u32; 2] {
    [word as u32, (word >> 32) as u32]
}

/// An entry in both halves.
#[inline]
pub fn twice(entry: u32) -> u64 {
    u64::from(entry) * ONES
}

/// Not zero if one of the halves is. Lamport, *Multiple byte processing with full-word instructions*, 1975: only the lowest zero
/// is marked for sure and rightly, which is enough here.
#[inline]
pub fn zeros(word: u64) -> u64 {
    word.wrapping_sub(ONES) & !word & TOPS
}

/// The word with one more entry, if there is room.
#[inline]
pub fn with(word: u64, entry: u32) -> Option<u64> {
    match halves(word) {
        [0, _] => Some(word | u64::from(entry)),
        [_, 0] => Some(word | u64::from(entry) << 32),
        _ => None,
    }
}
