//! Counting without contention: every worker counts for itself, and who wants the sum adds up.
use std::sync::atomic::Ordering::Relaxed;
use std::sync::{Arc, Mutex, PoisonError};

use crate::memory::AtomicU64;

/// A number that only one worker changes, on a cache line of its own.
#[repr(align(128))]
#[derive(Debug)]
struct Share(AtomicU64);

/// One worker's share of a count.
#[derive(Debug)]
pub struct Count(Arc<Share>);

impl Count {
    /// Counts one more.
    #[inline]
    pub fn increment(&mut self) {
        let share = &self.0.0;
        share.store(share.load(Relaxed) + 1, Relaxed);
    }
}

/// A count that many workers share.
#[derive(Default)]
pub struct Counter(Mutex<Vec<Arc<Share>>>);

impl Counter {
    /// A further worker's share.
    pub fn share(&self) -> Count {
        let share = Arc::new(Share(AtomicU64::new(0)));
        self.0.lock().unwrap_or_else(PoisonError::into_inner).push(share.clone());
        Count(share)
    }

    /// Counts what was counted elsewhere.
    pub fn add(&self, count: u64) {
        self.share().0.0.store(count, Relaxed);
    }

    /// How many workers have a share.
    pub fn shares(&self) -> usize {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).len().max(1)
    }

    /// The sum of all shares.
    pub fn sum(&self) -> u64 {
        let shares = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        shares.iter().map(|share| share.0.load(Relaxed)).sum()
    }
}
