//! The vocabulary between engines and those who ask them: questions, verdicts, evidence, limits.
//!
//! Plain data. An engine takes a model, a [`Question`] and [`Limits`], tells a [`Watch`] how far it
//! is, and returns a [`Finding`]. No engine is known here, and nothing here is rendered.
use model::semantics::Watcher;

mod branching;
mod finding;
mod keep;
mod limits;

pub use branching::{BranchingProperty, Evidence, Explained, Remark};
pub use finding::{Approximation, Finding, Growth, Search, Statistics, Trace, Verdict, Violation, ViolationKind, Why};
pub use keep::{Keeper, WriteCheckpoint};
pub use limits::{Limits, Progress, Watch};

/// What to look for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Question {
    /// Do not stop at the first violation.
    pub all_errors: bool,
    /// In which order to visit states.
    pub search: Search,
    /// Ending where no end is expected is a violation.
    pub end_states: bool,
    /// False assertions are violations.
    pub assertions: bool,
    /// Nothing else is: only where the system can end matters.
    pub only_ends: bool,
}

/// Whom the scheduler must not forget.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Fairness {
    /// Anybody may be forgotten.
    #[default]
    None,
    /// Who can move all the time from some moment on.
    Weak,
    /// Who can move again and again.
    Strong,
}

/// A property of whole executions, as a claim about those that violate it.
#[derive(Clone, Copy, Debug)]
pub struct Property<'a> {
    /// The claim.
    pub watcher: Watcher<'a>,
    /// Which executions count.
    pub fairness: Fairness,
}

impl Default for Question {
    fn default() -> Self {
        Question { all_errors: false, search: Search::Breadth, end_states: true, assertions: true, only_ends: false }
    }
}
