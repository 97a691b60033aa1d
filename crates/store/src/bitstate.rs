//! Bitstate hashing, or supertrace: of every state, k bits of one large array are set.
//!
//! Holzmann, *An improved protocol reachability analysis technique*, 1988, and *An analysis of bitstate
//! hashing*, 1998. A state is known if all of its k bits are set. If the fraction f of the array is set, a new state is
//! taken for a known one with probability f^k, and is omitted.
//!
//! The k places come from one hash by enhanced double hashing (Dillinger and Manolios, *Bloom filters in
//! probabilistic verification*, 2004): a, a+b, a+2b+1, a+3b+4 … — nearly as good as k independent hashes.
//!
//! If several workers insert one state at the same moment, each could set some of its bits, and it would be new to all of
//! them. So whoever finds a bit that is not set takes turns with others that may insert the same state, and looks again.
use std::io;
use std::sync::atomic::Ordering::Relaxed;
use std::sync::{Mutex, PoisonError};

use crate::counter::{Count, Counter};
use crate::hash::{hash, scatter};
use crate::interface::{Digest, Glance, Insertion, Key, Near, OutOfMemory, Store, Wanted};
use crate::memory::Words;
use crate::saved::Saved;
use crate::stream::{Unreadable, WordReader, WordWriter};

/// Words that are written together if one of them is not zero.
const PAGE: usize = 512;
/// Comes after the last page.
const NO_PAGE: u64 = u64::MAX;

/// States that may be inserted at once, at most.
const TURNS: usize = 256;

/// A store that keeps bits. Its size is given, and it does not grow.
pub struct Bitstate {
    words: Words,
    /// Who inserts a state has the turn that its digest says.
    turns: Vec<Mutex<()>>,
    bits: u64,
    functions: u32,
    counter: Counter,
    ignored: usize,
    seed: u64,
}

impl Bitstate {
    /// How many bits a state sets if nobody says otherwise.
    pub const FUNCTIONS: u32 = 3;

    /// An empty array of at least so many bits, of which a state sets `functions`. The first `ignored` words of
    /// a state do not count. Another seed omits other states.
    pub fn new(bits: u64, functions: u32, ignored: usize, seed: u64) -> Result<Bitstate, OutOfMemory> {
        let words = Words::zeroed(bits.div_ceil(64).max(1) as usize)?;
        let bits = words.len() as u64 * 64;
        let turns = (0..TURNS).map(|_| Mutex::new(())).collect();
        Ok(Bitstate { words, turns, bits, functions: functions.max(1), counter: Counter::default(), ignored, seed })
    }

    /// The places of the bits of a state.
    #[inline]
    fn places(&self, digest: Digest) -> impl Iterator<Item = u64> {
        let (mut place, mut step) = (digest.0, scatter(digest.0) | 1);
        (0..u64::from(self.functions)).map(move |number| {
            let bit = (u128::from(place) * u128::from(self.bits)) >> 64;
            place = place.wrapping_add(step);
            step = step.wrapping_add(number);
            bit as u64
        })
    }

    /// Whether a bit is set.
    #[inline]
    fn is_set(&self, bit: u64) -> bool {
        self.words[(bit / 64) as usize].load(Relaxed) & (1 << (bit % 64)) != 0
    }

    /// Sets a bit. Says whether it was not set.
    #[inline]
    fn set(&self, bit: u64) -> bool {
        let (word, mask) = (&self.words[(bit / 64) as usize], 1 << (bit % 64));
        word.load(Relaxed) & mask == 0 && word.fetch_or(mask, Relaxed) & mask == 0
    }

    /// The fraction of bits that are set. Reads the whole array.
    pub fn fill(&self) -> f64 {
        let ones: u64 = self.words.iter().map(|word| u64::from(word.load(Relaxed).count_ones())).sum();
        ones as f64 / self.bits as f64
    }

    /// The probability that the next new state will be taken for a known one.
    pub fn omission_probability(&self) -> f64 {
        self.fill().powi(self.functions as i32)
    }

    /// The fraction of all inserted states that were told apart, as far as can be expected.
    ///
    /// After x insertions of different states into m bits, omitted ones included, the fill is 1 - e^(-kx/m); an
    /// omitted state changes no bit. So the fill tells how many there were, say n, and state number x was omitted
    /// with probability p(x) = (1 - e^(-kx/m))^k. The coverage is one less the mean of p over 0 to n (by the
    /// midpoint rule). What could only be reached through an omitted state was never inserted and is not in the
    /// estimate.
    pub fn expected_coverage(&self) -> f64 {
        const STEPS: u32 = 1000;
        let exponent = (1.0 - self.fill()).max(0.5 / self.bits as f64).ln();
        let omitted = |step: u32| {
            let progress = (f64::from(step) + 0.5) / f64::from(STEPS);
            (-(exponent * progress).exp_m1()).powi(self.functions as i32)
        };
        1.0 - (0..STEPS).map(omitted).sum::<f64>() / f64::from(STEPS)
    }
}

impl Store for Bitstate {
    type Local = Count;

    fn local(&self) -> Count {
        self.counter.share()
    }

    #[inline]
    fn digest(&self, _count: &mut Count, state: &[u64], _near: Option<Near<'_>>) -> Digest {
        Digest(self.hash(state))
    }

    #[inline(always)]
    fn hash(&self, state: &[u64]) -> u64 {
        hash(&state[self.ignored..], self.seed)
    }

    #[inline(always)]
    fn enlist(&self, _: &mut Count, wanted: Wanted<'_>) -> Digest {
        self.prefetch(Digest(wanted.hash));
        Digest(wanted.hash)
    }

    #[inline]
    fn prefetch(&self, digest: Digest) {
        self.places(digest).for_each(|bit| self.words.prefetch((bit / 64) as usize));
    }

    #[inline]
    fn insert(&self, count: &mut Count, _state: &[u64], digest: Digest, _glance: Glance) -> Insertion {
        if self.places(digest).all(|bit| self.is_set(bit)) {
            return Insertion::Known(Key(digest.0));
        }
        let turn = self.turns[digest.0 as usize % TURNS].lock().unwrap_or_else(PoisonError::into_inner);
        let new = self.places(digest).fold(false, |new, bit| self.set(bit) | new);
        drop(turn);
        if new {
            count.increment();
        }
        if new { Insertion::New(Key(digest.0)) } else { Insertion::Known(Key(digest.0)) }
    }

    fn is_crowded(&self) -> bool {
        false
    }

    fn grow(&mut self, _limit: Option<u64>) -> Result<(), OutOfMemory> {
        Err(OutOfMemory)
    }

    fn len(&self) -> u64 {
        self.counter.sum()
    }

    fn memory(&self) -> u64 {
        (self.words.len() * size_of::<u64>()) as u64
    }
}

impl Saved for Bitstate {
    fn save(&self, out: &mut WordWriter<'_>) -> io::Result<()> {
        out.words([self.words.len() as u64, self.len()])?;
        for (number, page) in self.words.chunks(PAGE).enumerate() {
            if page.iter().any(|word| word.load(Relaxed) != 0) {
                out.word(number as u64)?;
                out.words(page.iter().map(|word| word.load(Relaxed)))?;
            }
        }
        out.word(NO_PAGE)
    }

    /// The array becomes as large as the other one was: a place depends on the size.
    fn restore(&mut self, from: &mut WordReader<'_>, limit: Option<u64>) -> Result<(), Unreadable> {
        let (words, states) = (from.word()?, from.word()?);
        if limit.is_some_and(|limit| words > limit / 8) {
            return Err(Unreadable::OutOfMemory);
        }
        self.words = Words::zeroed(words as usize)?;
        self.bits = words * 64;
        self.counter.add(states);
        loop {
            let number = from.word()?;
            if number == NO_PAGE {
                return Ok(());
            }
            let page = self.words.chunks(PAGE).nth(number as usize).ok_or(Unreadable::Damaged)?;
            for word in page {
                word.store(from.word()?, Relaxed);
            }
        }
    }
}
