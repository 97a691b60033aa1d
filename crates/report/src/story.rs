//! An execution from its beginning to its end: what a chart, a page and columns are made of.
use crate::{Happening, ShownStep};

/// An execution.
#[derive(Clone, Debug, Default)]
pub struct Story {
    /// What it is of, and what is wrong at its end: a sentence without its full stop.
    pub says: String,
    /// The number of the step from which on the steps are repeated for ever.
    pub cycle_start: Option<usize>,
    /// The names of processes by number; a number that was used again has all its names.
    pub processes: Vec<String>,
    /// The steps.
    pub scenes: Vec<Scene>,
    /// How values changed.
    pub tracks: Vec<Track>,
    /// The texts of the model: name and content.
    pub sources: Vec<(String, String)>,
}

/// A step of an execution.
#[derive(Clone, Debug)]
pub struct Scene {
    /// The step.
    pub shown: ShownStep,
    /// Who moves, by number.
    pub process: usize,
    /// The receiver of a rendezvous.
    pub partner: Option<usize>,
    /// Of an action, who else takes part in it.
    pub others: Option<Vec<usize>>,
    /// Messages and texts.
    pub happenings: Vec<Happening>,
    /// The names of the processes that exist after it.
    pub processes: Vec<String>,
}

/// The values of a variable in the order of time.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Track {
    /// Its name.
    pub name: String,
    /// After how many steps it had which value: when it changed.
    pub values: Vec<(usize, String)>,
}

impl Story {
    /// Adds what values are after so many steps.
    pub fn record(&mut self, after: usize, values: impl Iterator<Item = (String, String)>) {
        for (name, value) in values {
            match self.tracks.iter_mut().find(|it| it.name == name) {
                None => self.tracks.push(Track { name, values: vec![(after, value)] }),
                Some(track) if track.values.last().is_some_and(|it| it.1 == value) => {}
                Some(track) => track.values.push((after, value)),
            }
        }
    }
}
