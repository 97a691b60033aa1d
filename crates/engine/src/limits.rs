//! How much may be spent, and how far a run is.
use std::time::Duration;

use crate::Why;

/// What a run may spend. `None` is no limit.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Limits {
    /// Steps from the initial state.
    pub depth: Option<u64>,
    /// Bytes for states.
    pub memory: Option<u64>,
    /// Time for the search.
    pub time: Option<Duration>,
}

impl Limits {
    /// Why a run has to stop that is so far and has taken so long, if it has to. (What it took before it was resumed is
    /// part of its progress, but not limited.)
    pub fn passed(&self, progress: &Progress, taken: Duration, watch: &mut dyn Watch) -> Option<Why> {
        let memory = self.memory.filter(|&limit| progress.memory > limit).map(Why::MemoryLimit);
        let time = self.time.filter(|&limit| taken > limit).map(Why::TimeLimit);
        memory.or(time).or_else(|| (!watch.tick(progress)).then_some(Why::Interrupted))
    }
}

/// How far a run is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Progress {
    /// States stored.
    pub states: u64,
    /// Steps taken, the arrival at the initial state included.
    pub transitions: u64,
    /// Longest path so far.
    pub depth: u64,
    /// States waiting.
    pub frontier: u64,
    /// Bytes for states.
    pub memory: u64,
    /// Time since the search began.
    pub elapsed: Duration,
}

/// Is told how far a run is, now and then; may ask it to stop.
pub trait Watch {
    /// False to stop.
    fn tick(&mut self, progress: &Progress) -> bool;

    /// Something went wrong that does not keep the run from going on.
    fn warn(&mut self, _message: &str) {}
}

/// Nobody watches.
impl Watch for () {
    fn tick(&mut self, _: &Progress) -> bool {
        true
    }
}
