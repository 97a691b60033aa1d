//! How a search goes, told while it goes and kept for later.
use std::time::{Duration, Instant};

use super::Halt;
use crate::function::Function;
use crate::space::Space;

/// How far a search is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Progress {
    /// Rounds so far. Saturation counts every round at every node.
    pub rounds: usize,
    /// Nodes of the set at the end of a round; none in the middle of one. Saturation has no such set before it is done.
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

/// Decides when it is time for a better order: when there are more nodes than a threshold, which then doubles, or grows to
/// twice what is left. What a search remembers is lost every time, so it must not happen again and again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Growth {
    threshold: usize,
    sifted: bool,
}

impl Growth {
    /// To sift for the first time when there are more nodes than this.
    pub fn new(threshold: usize) -> Growth {
        Growth { threshold, sifted: false }
    }

    /// Whether to sift now.
    pub fn decide(&mut self, progress: &Progress) -> Decision {
        if std::mem::take(&mut self.sifted) {
            self.threshold = 2 * self.threshold.max(progress.nodes);
        }
        self.sifted = progress.nodes > self.threshold;
        if self.sifted { Decision::Sift } else { Decision::Continue }
    }
}

/// A search that says nothing for so long says something before its round is over.
const SILENCE: Duration = Duration::from_millis(50);

/// Moments that are kept. With twice as many, every second one is forgotten.
const KEPT: usize = 256;

/// Tells the caller how it goes.
pub(crate) struct Watch<'w> {
    tell: &'w mut (dyn FnMut(&Progress) -> Decision + Send),
    began: Instant,
    /// When something was told last.
    spoke: Instant,
    rounds: usize,
    record: Vec<Progress>,
    /// Every so many-th moment is kept.
    stride: usize,
    told: usize,
}

impl<'w> Watch<'w> {
    pub(crate) fn new(tell: &'w mut (dyn FnMut(&Progress) -> Decision + Send)) -> Watch<'w> {
        let now = Instant::now();
        Watch { tell, began: now, spoke: now, rounds: 0, record: Vec::new(), stride: 1, told: 0 }
    }

    /// A round is over.
    pub(crate) fn round(&mut self, space: &Space, set: &Function) -> Result<(), Halt> {
        self.rounds += 1;
        self.obey(space, Some(set.nodes()))
    }

    /// A part of a round is over.
    pub(crate) fn pulse(&mut self, space: &Space) -> Result<(), Halt> {
        if self.is_due() { self.obey(space, None) } else { Ok(()) }
    }

    /// Whether nothing was told for a while.
    pub(crate) fn is_due(&self) -> bool {
        self.spoke.elapsed() > SILENCE
    }

    /// Tells of this moment, and does what is decided.
    fn obey(&mut self, space: &Space, set: Option<usize>) -> Result<(), Halt> {
        let nodes = space.with(|nodes| nodes.tidy());
        space.adapt();
        match self.tell(set, nodes) {
            Decision::Stop => return Err(Halt::Stopped),
            Decision::Sift => space.sift(self.patience()),
            Decision::Continue => {}
        }
        Ok(())
    }

    /// How long to look for a better order: a part of the time so far, and not so long that nobody hears of the search.
    pub(crate) fn patience(&self) -> Duration {
        (self.began.elapsed() / 4).clamp(SILENCE, Duration::from_secs(1))
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
        let decision = (self.tell)(&progress);
        self.spoke = Instant::now();
        decision
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
