//! Hashing of states: a 64-bit digest of words.
//!
//! Two words are combined by one multiplication to 128 bits whose halves are folded together by exclusive
//! or: every bit of the result depends on all bits of both words. The idea is that of wyhash (Wang Yi) and
//! foldhash (Orson Peters); the constants are the fractional digits of π, cut into odd words.
//!
//! [`scatter`] is for single words that must not collide: a permutation.

const FIRST: u64 = 0x243f_6a88_85a3_08d3;
const SECOND: u64 = 0x1319_8a2e_0370_7345;
const THIRD: u64 = 0xa409_3822_299f_31d1;

/// The hash of a state. All 64 bits are good: tables take the high bits for places, the middle for fingerprints.
#[inline]
pub fn hash(words: &[u64], seed: u64) -> u64 {
    let mut sum = seed ^ (words.len() as u64).wrapping_mul(THIRD);
    let mut rest = words;
    while let [first, second, others @ ..] = rest {
        sum = fold(first ^ FIRST, second ^ sum ^ SECOND);
        rest = others;
    }
    if let [last] = rest {
        sum = fold(last ^ FIRST, sum ^ SECOND);
    }
    fold(sum ^ THIRD, FIRST)
}

/// A hash of a state whose upper half is good enough for small tables.
#[inline]
pub fn quick_hash(words: &[u64]) -> u64 {
    words.iter().fold(0, |sum: u64, word| (sum.rotate_left(23) ^ word).wrapping_mul(0x9e37_79b9_7f4a_7c15))
}

#[inline]
fn fold(left: u64, right: u64) -> u64 {
    let product = u128::from(left) * u128::from(right);
    (product as u64) ^ (product >> 64) as u64
}

const ODD: u64 = 0xd6e8_feb8_6659_fd93;

/// Spreads words over the whole range, so that similar ones end up far apart. A permutation: nothing is lost.
#[inline]
pub fn scatter(word: u64) -> u64 {
    let word = (word ^ (word >> 32)).wrapping_mul(ODD);
    let word = (word ^ (word >> 32)).wrapping_mul(ODD);
    word ^ (word >> 32)
}
