//! What can be reached: the least set that holds some vectors and, with a vector, what steps lead to.
//!
//! All techniques answer the same question, a [`Search`], and are interchangeable. It can be asked backwards, and within
//! a set: the least `Z` that contains `from` and the part of `within` that a step leads to from `Z`. Backwards this is
//! `E[within U from]` of computation tree logic.
//!
//! | technique | steps are applied | good for |
//! | --- | --- | --- |
//! | [`breadth_first`](Search::breadth_first) | all relations to all vectors so far, round by round | few rounds |
//! | [`chaining`](Search::chaining) | one relation after the other, each to all vectors so far | few relations |
//! | [`saturation`](Search::saturation) | to the lowest bits until nothing changes, then one bit further up | asynchronous systems |
mod breadth_first;
mod chaining;
mod contexts;
mod layers;
mod saturation;
mod watch;

pub use layers::{Layers, Path};
pub use watch::{Decision, Growth, Progress};

use crate::function::Function;
use crate::relation::Relation;
use crate::space::{Full, Space};
use watch::Watch;

/// Along the steps or against them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Direction {
    /// From a vector to its successors.
    Forward,
    /// From a vector to its predecessors.
    Backward,
}

/// How a search goes about it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Method {
    /// Round by round.
    BreadthFirst,
    /// Relation by relation.
    Chaining,
    /// From the bottom of the diagram to the top.
    Saturation,
}

/// A question about reachability.
#[derive(Clone, Copy)]
pub struct Search<'a> {
    /// Where the functions live.
    pub space: &'a Space,
    /// Where to start.
    pub from: &'a Function,
    /// The steps.
    pub relations: &'a [Relation],
    /// Along the steps or against them.
    pub direction: Direction,
    /// Only vectors of this set are added; all if there is none.
    pub within: Option<&'a Function>,
}

/// How a search ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// Everything that can be reached was reached.
    Complete,
    /// It was told to stop.
    Stopped,
    /// There was no room for more nodes.
    Full,
}

/// What was reached.
#[derive(Clone, Debug)]
pub struct Reached {
    /// All that can be reached if the search is complete; else a part of it.
    pub set: Function,
    /// How the search ended.
    pub outcome: Outcome,
    /// How it went: at most some hundred moments.
    pub record: Vec<Progress>,
}

impl<'a> Search<'a> {
    /// Everything that steps lead to.
    pub fn forward(space: &'a Space, from: &'a Function, relations: &'a [Relation]) -> Search<'a> {
        Search { space, from, relations, direction: Direction::Forward, within: None }
    }

    /// Everything from which steps lead here.
    pub fn backward(space: &'a Space, from: &'a Function, relations: &'a [Relation]) -> Search<'a> {
        Search { direction: Direction::Backward, ..Search::forward(space, from, relations) }
    }

    /// Adds vectors of this set only.
    pub fn within(self, set: &'a Function) -> Search<'a> {
        Search { within: Some(set), ..self }
    }

    /// Searches. `watch` is told how it goes, and decides how it goes on.
    pub fn run(self, method: Method, watch: &mut (dyn FnMut(&Progress) -> Decision + Send)) -> Reached {
        self.space.run(|| match method {
            Method::BreadthFirst => self.breadth_first(watch),
            Method::Chaining => self.chaining(watch),
            Method::Saturation => self.saturation(watch),
        })
    }

    /// The part of a set that may be added.
    fn allowed(&self, set: Function) -> Result<Function, Full> {
        self.within.map_or(Ok(set.clone()), |within| set.and(within))
    }

    /// What one step of any relation leads to.
    fn step(&self, set: &Function, watch: &mut Watch<'_>) -> Result<Function, Halt> {
        let mut union = self.space.constant(false);
        for relation in self.relations {
            union = union.or(&relation.step(set, self.direction)?)?;
            watch.pulse(self.space)?;
        }
        Ok(self.allowed(union)?)
    }

    /// Makes larger what was reached, round by round, until a round adds nothing or it cannot go on.
    fn repeat(
        &self,
        mut watch: Watch<'_>,
        mut round: impl FnMut(&mut Function, &mut Watch<'_>) -> Result<(), Halt>,
    ) -> Reached {
        let mut set = self.from.clone();
        let halt = loop {
            let before = set.clone();
            match round(&mut set, &mut watch).map(|()| watch.round(self.space, &set)) {
                Ok(_) if set == before => break None,
                Ok(Ok(())) => {}
                Ok(Err(halt)) | Err(halt) => break Some(halt),
            }
        };
        let outcome = halt.map_or(Outcome::Complete, Halt::outcome);
        Reached { set, outcome, record: watch.record() }
    }
}

/// Why a search cannot go on.
enum Halt {
    Full,
    Stopped,
}

impl Halt {
    fn outcome(self) -> Outcome {
        match self {
            Halt::Full => Outcome::Full,
            Halt::Stopped => Outcome::Stopped,
        }
    }
}

impl From<Full> for Halt {
    fn from(_: Full) -> Halt {
        Halt::Full
    }
}
