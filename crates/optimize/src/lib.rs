//! A model in, a model with fewer or smaller states and the same verdicts out.
//!
//! Every [`Pass`] keeps the numbers of processes, locations and edges, so that a trace of the new
//! model is, step by step, a trace of the old one: evidence is replayed on the model that the user wrote.
//! What a pass may change, and why nobody notices, stands at the top of its file:
//!
//! * `fold`: what is always the same is computed once;
//! * `hide`: what nobody ever looks at is not stored;
//! * `dead`: what nobody looks at any more becomes 0;
//! * `range`: a value takes the bits that its possible values need;
//! * `merge`: a step that nobody else can see is taken together with the one before it.
//!
//! The first and the fourth leave the number of states as it is, the others can only make it smaller.
mod dead;
mod faults;
mod fold;
mod handshakes;
mod hide;
mod interval;
mod merge;
mod mistake;
mod range;

use model::Model;

pub use faults::Types;
pub use handshakes::Handshakes;
pub use interval::Interval;
pub use mistake::Mistake;
pub use range::Ranges;

/// One optimisation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Pass {
    /// Constant folding.
    Fold,
    /// Hiding of variables that are only written.
    Hide,
    /// Resetting of variables that are not read again.
    Dead,
    /// Ranges of values.
    Range,
    /// Merging of statements.
    Merge,
}

impl Pass {
    /// All of them, in the order in which they are done.
    pub const ALL: [Pass; 5] = [Pass::Fold, Pass::Hide, Pass::Dead, Pass::Range, Pass::Merge];

    /// A word for it.
    pub fn name(self) -> &'static str {
        match self {
            Pass::Fold => "fold",
            Pass::Hide => "hide",
            Pass::Dead => "dead",
            Pass::Range => "range",
            Pass::Merge => "merge",
        }
    }
}

/// The model after these passes, in the order of [`Pass::ALL`].
pub fn optimize(model: &Model, passes: &[Pass]) -> Model {
    with_mistake(model, passes, None)
}

/// The same with a deliberate mistake: a test of the tests.
#[doc(hidden)]
pub fn with_mistake(model: &Model, passes: &[Pass], mistake: Option<Mistake>) -> Model {
    let mut model = model.clone();
    for pass in Pass::ALL.into_iter().filter(|it| passes.contains(it)) {
        match pass {
            Pass::Fold => fold::fold(&mut model, mistake),
            Pass::Hide => hide::hide(&mut model, mistake),
            Pass::Dead => dead::reset(&mut model, mistake),
            Pass::Range => range::narrow(&mut model, mistake),
            Pass::Merge => merge::merge(&mut model, mistake),
        }
    }
    model
}
