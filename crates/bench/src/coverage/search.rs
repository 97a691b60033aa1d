//! One search. It is not a process of its own, because `prom --memory` is about states and queue together, and the
//! experiment is about the states alone.
use std::path::Path;

use engine::{Limits, Progress, Question, Watch};
use engine_explicit::Plan;
use promenade::{Engine, Input, Options};

use super::method::Method;

/// What a search found, and in how much memory.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Found {
    /// Distinct states.
    pub states: u64,
    /// Bytes of the longest state.
    pub state_bytes: u64,
    /// Bytes for states at the end.
    pub memory: u64,
    /// The most bytes of states and queue that were seen at any time.
    pub peak: u64,
    /// The fraction of states that the store thinks it told apart, if the search came to its end.
    pub expected: Option<f64>,
}

/// Remembers the largest memory.
#[derive(Default)]
struct Peak(u64);

impl Watch for Peak {
    fn tick(&mut self, progress: &Progress) -> bool {
        self.0 = self.0.max(progress.memory);
        true
    }
}

/// Searches all states of the plain semantics, breadth first in one thread.
pub fn search(model: &Path, method: Method, memory: u64, seed: u64) -> Result<Found, String> {
    let mut peak = Peak::default();
    let checked = promenade::check(&Input::File(model.to_path_buf()), &asked(method, memory, seed), &mut peak);
    let failed = || format!("{}: {:?}", model.display(), checked.diagnostics);
    let outcome = checked.report.as_ref().and_then(|report| report.results.first()).ok_or_else(failed)?;
    let statistics = &outcome.effort.statistics;
    Ok(Found {
        states: statistics.states,
        state_bytes: statistics.state_bytes,
        memory: statistics.memory,
        peak: peak.0.max(statistics.memory),
        expected: outcome.expected_coverage,
    })
}

/// `--only safety --no-optimize --no-end-states --no-assertions`: nothing ends the search but its end or a limit.
fn asked(method: Method, memory: u64, seed: u64) -> Options {
    Options {
        only: vec!["safety".to_string()],
        question: Question { end_states: false, assertions: false, ..Question::default() },
        engine: Engine::Explicit(Plan { store: method.kind(memory), seed, ..Plan::default() }),
        optimize: Vec::new(),
        limits: Limits { memory: method.limit(memory), ..Limits::default() },
        ..Options::default()
    }
}
