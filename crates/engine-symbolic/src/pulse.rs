//! Between the thread that computes and the one that watches.
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use crate::stop::{Result, Stop};

/// How far the computation is, and whether it should go on.
#[derive(Debug, Default)]
pub struct Pulse {
    stop: Arc<AtomicBool>,
    rounds: AtomicU64,
    bytes: AtomicU64,
}

impl Pulse {
    /// Goes on, or does not.
    pub fn check(&self) -> Result<()> {
        if self.stop.load(Ordering::Relaxed) { Err(Stop::Told) } else { Ok(()) }
    }

    /// Asks the computation to stop.
    pub fn stop(&self) {
        self.stop.store(true, Ordering::Relaxed);
    }

    /// What says that it should stop.
    pub fn wish(&self) -> Arc<AtomicBool> {
        self.stop.clone()
    }

    /// Tells how far it is.
    pub fn tell(&self, rounds: u64, bytes: u64) {
        self.rounds.store(rounds, Ordering::Relaxed);
        self.bytes.store(bytes, Ordering::Relaxed);
    }

    /// Rounds and bytes so far.
    pub fn told(&self) -> (u64, u64) {
        (self.rounds.load(Ordering::Relaxed), self.bytes.load(Ordering::Relaxed))
    }
}
