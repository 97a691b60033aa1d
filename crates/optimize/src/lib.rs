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
//! * `merge`: a step that nobody else can see is taken together with the one before it;
//! * `spin_merge`, `spin_dead`, `spin_hide`: the same techniques exactly as far as SPIN takes them.
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
mod spin_dead;
mod spin_hide;
mod spin_merge;

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
    /// Merging of statements as SPIN does it.
    SpinMerge,
    /// Resetting of variables as SPIN does it.
    SpinDead,
    /// Hiding of variables as SPIN does it.
    SpinHide,
}

impl Pass {
    /// Those that make a model as small as they can, in the order in which they are done.
    pub const ALL: [Pass; 5] = [Pass::Fold, Pass::Hide, Pass::Dead, Pass::Range, Pass::Merge];

    /// Those that leave SPIN's states, in the order in which they are done.
    pub const SPIN: [Pass; 3] = [Pass::SpinMerge, Pass::SpinDead, Pass::SpinHide];

    /// Whether steps are taken together.
    pub fn merges(self) -> bool {
        matches!(self, Pass::Merge | Pass::SpinMerge)
    }

    /// Whether variables are left out.
    pub fn hides(self) -> bool {
        matches!(self, Pass::Hide | Pass::SpinHide)
    }

    /// A word for it.
    pub fn name(self) -> &'static str {
        match self {
            Pass::Fold => "fold",
            Pass::Hide => "hide",
            Pass::Dead => "dead",
            Pass::Range => "range",
            Pass::Merge => "merge",
            Pass::SpinMerge => "spin-merge",
            Pass::SpinDead => "spin-dead",
            Pass::SpinHide => "spin-hide",
        }
    }
}

/// The model after these passes, in the order of [`Pass::SPIN`] and [`Pass::ALL`].
pub fn optimize(model: &Model, passes: &[Pass]) -> Model {
    with_mistake(model, passes, None)
}

/// The same with a deliberate mistake: a test of the tests.
#[doc(hidden)]
pub fn with_mistake(model: &Model, passes: &[Pass], mistake: Option<Mistake>) -> Model {
    let mut model = model.clone();
    for pass in Pass::SPIN.into_iter().chain(Pass::ALL).filter(|it| passes.contains(it)) {
        match pass {
            Pass::Fold => fold::fold(&mut model, mistake),
            Pass::Hide => hide::hide(&mut model, mistake),
            Pass::Dead => dead::reset(&mut model, mistake),
            Pass::Range => range::narrow(&mut model, mistake),
            Pass::Merge => merge::merge(&mut model, mistake),
            Pass::SpinMerge => spin_merge::merge(&mut model, mistake),
            Pass::SpinDead => spin_dead::reset(&mut model, mistake),
            Pass::SpinHide => spin_hide::hide(&mut model, mistake),
        }
    }
    model
}
