//! How a search goes, told while it goes and kept for later.
use std::time::{Duration, Instant};

use crate::function::Function;
use crate::space::Space;

/// How far a search is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Progress {
    /// Rounds so far. Saturation counts every round at every node.
    pub rounds: usize,
    /// Nodes of the set so far. Saturation has no such set before it is done.
    pub set: Option<usize>,
    /// Nodes that are stored, those that wait to be collected included.
    pub nodes: usize,
    /// Time since the search began.
    pub elapsed: Duration,
}

/// How a search goes on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Decision {
    /// As before.
    Continue,
    /// With a better order of the bits, see [`Space::sift`].
    Sift,
    /// Not at all.
    Stop,
}

/// Moments that are kept. With twice as many, every second one is forgotten.
const KEPT: usize = 256;

/// Tells the caller how it goes.
pub(crate) struct Watch<'w> {
    tell: &'w mut (dyn FnMut(&Progress) -> Decision + Send),
    began: Instant,
    rounds: usize,
    record: Vec<Progress>,
    /// Every so many-th moment is kept.
    stride: usize,
    told: usize,
}

impl<'w> Watch<'w> {
    pub(crate) fn new(tell: &'w mut (dyn FnMut(&Progress) -> Decision + Send)) -> Watch<'w> {
        Watch { tell, began: Instant::now(), rounds: 0, record: Vec::new(), stride: 1, told: 0 }
    }

    /// A round is over.
    pub(crate) fn round(&mut self, space: &Space, set: &Function) -> Decision {
        self.rounds += 1;
        self.tell(Some(set.nodes()), space.nodes())
    }

    /// Counts a round that is not worth telling of.
    pub(crate) fn count(&mut self) -> usize {
        self.rounds += 1;
        self.rounds
    }

    /// Tells of this moment.
    pub(crate) fn tell(&mut self, set: Option<usize>, nodes: usize) -> Decision {
        let progress = Progress { rounds: self.rounds, set, nodes, elapsed: self.began.elapsed() };
        self.keep(progress);
        (self.tell)(&progress)
    }

    fn keep(&mut self, progress: Progress) {
        if self.told.is_multiple_of(self.stride) {
            self.record.push(progress);
        }
        self.told += 1;
        if self.record.len() == 2 * KEPT {
            let mut index = 0;
            self.record.retain(|_| {
                index += 1;
                index % 2 == 1
            });
            self.stride *= 2;
        }
    }

    pub(crate) fn record(self) -> Vec<Progress> {
        self.record
    }
}
