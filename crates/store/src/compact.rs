//! Hash compaction: of every state, only 64 bits of hash are kept.
//!
//! Wolper and Leroy, *Reliable hashing without collision detection*, 1993; Stern and Dill, *Improved
//! probabilistic verification by hash compaction*, 1995. Two states with the same hash are taken for one,
//! and the second one is omitted with all that is only reachable through it. Among n states there are
//! n(n-1)/2 pairs, each of which collides with probability 2^-64: for a thousand million states, one omission is
//! expected in 37 runs.
//!
//! Deviation: the papers keep less than the whole hash in a slot and use another hash for the place. Here all
//! 64 bits are kept, as the place is a function of them.
use std::io;

use crate::counter::Count;
use crate::hash::hash;
use crate::interface::{Digest, Glance, Insertion, Key, Near, OutOfMemory, Store, Wanted};
use crate::saved::Saved;
use crate::set64::{Added, Set64};
use crate::stream::{Unreadable, WordReader, WordWriter};

/// A store that keeps hashes.
pub struct Compact {
    hashes: Set64,
    ignored: usize,
    seed: u64,
}

impl Compact {
    /// An empty store. The first `ignored` words of a state do not count. Another seed omits other states.
    pub fn new(ignored: usize, seed: u64) -> Compact {
        Compact { hashes: Set64::new(), ignored, seed }
    }

    /// How many states were taken for others so far, as far as can be expected.
    pub fn expected_omissions(&self) -> f64 {
        let states = self.len() as f64;
        states * (states - 1.0).max(0.0) / 2.0 / 2f64.powi(64)
    }

    /// The probability that some state was taken for another one.
    pub fn omission_probability(&self) -> f64 {
        -(-self.expected_omissions()).exp_m1()
    }
}

impl Store for Compact {
    type Local = Count;

    fn local(&self) -> Count {
        self.hashes.count()
    }

    #[inline]
    fn digest(&self, _local: &mut Count, state: &[u64], _near: Option<Near<'_>>) -> Digest {
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
        self.hashes.prefetch(digest.0);
    }

    #[inline]
    fn glance(&self, digest: Digest) -> Glance {
        self.hashes.glance(digest.0)
    }

    #[inline]
    fn insert(&self, count: &mut Count, _state: &[u64], digest: Digest, glance: Glance) -> Insertion {
        match self.hashes.insert(count, digest.0, glance) {
            Added::New => Insertion::New(Key(digest.0)),
            Added::Known => Insertion::Known(Key(digest.0)),
            Added::Crowded => Insertion::Crowded,
        }
    }

    fn is_crowded(&self) -> bool {
        self.hashes.is_crowded()
    }

    fn grow(&mut self, limit: Option<u64>) -> Result<(), OutOfMemory> {
        self.hashes.grow(limit)
    }

    fn len(&self) -> u64 {
        self.hashes.len()
    }

    fn memory(&self) -> u64 {
        self.hashes.memory()
    }
}

impl Saved for Compact {
    fn save(&self, out: &mut WordWriter<'_>) -> io::Result<()> {
        self.hashes.save(out)
    }

    fn restore(&mut self, from: &mut WordReader<'_>, limit: Option<u64>) -> Result<(), Unreadable> {
        self.hashes.restore(from, limit)
    }
}
