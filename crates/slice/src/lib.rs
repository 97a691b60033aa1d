//! Slicing: the part of a model that can matter to one question (Holzmann, *Software model checking*, 2000, §5; Tip, *A survey of program
//! slicing techniques*, 1995).
//!
//! * `needs`: which variables, channels and fields of messages matter, by data and control dependence to a fixpoint;
//! * `shape`: which locations are passed without anybody noticing. A bubble (acyclic, never waiting, one exit, nothing in it matters) collapses into the
//!   step before it; cycles stay; a part from which nothing that matters can be reached is cut off, if the question allows it;
//! * `build`: the sliced model. Processes, locations and edges keep their numbers;
//! * `why`: who asked for what is kept;
//! * `lift`: a trace of the slice as one of the model as it was.
//!
//! Every execution of the model is one of the slice, up to steps that nobody sees; the opposite is checked for each counterexample.
mod build;
mod channels;
mod lift;
mod needs;
mod shape;
mod why;

use std::collections::HashMap;

use model::observers::Observers;
use model::{Effect, Expr, Model};

pub use lift::{Lifted, lift};
pub use needs::Needs;
pub use shape::Shape;
pub use why::{Because, Origin, Thing, Why};

/// What has to be kept of waiting and of going on for ever.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Keep {
    /// Only what can be reached matters.
    Reach,
    /// So does what goes on for ever.
    Cycles,
    /// So does where the system stands still.
    Ends,
}

/// What is asked about a model: its invariants and temporal properties, and this.
#[derive(Clone, Copy, Debug)]
pub struct Criterion {
    /// False assertions matter.
    pub assertions: bool,
    /// What else has to be kept.
    pub keep: Keep,
    /// Which statements are reached matters: every step stays a step, and only values are left out.
    pub coverage: bool,
    /// Assignments of which nothing is left are no steps, though, where it is known without them whether they are reached.
    pub idle: bool,
    /// A deliberate mistake: a test of the tests.
    #[doc(hidden)]
    pub mistake: Option<Mistake>,
}

/// Something that slicing gets wrong on purpose.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[doc(hidden)]
pub enum Mistake {
    /// Conditions do not count.
    Control,
    /// What is sent does not count.
    Messages,
    /// Cycles without effect collapse, too.
    Cycles,
    /// Steps that may go wrong do not count.
    Faults,
    /// A channel has no other names.
    Aliases,
    /// No step ever waits.
    Waiting,
}

/// The part of a model that can matter.
pub struct Slice {
    /// The sliced model.
    pub model: Model,
    /// What matters.
    pub needs: Needs,
    /// Per process type: its graph.
    pub shapes: Vec<Shape>,
    /// Who asked first for what matters.
    pub origins: HashMap<Thing, Origin>,
    /// What was asked.
    pub criterion: Criterion,
}

impl Slice {
    /// Whether anything has been left out that could be reached.
    pub fn is_smaller_than(&self, model: &Model) -> bool {
        model.processes.iter().zip(&self.model.processes).any(|(old, new)| {
            let reachable = old.reachable();
            let differs = |old: &model::Edge, new: &model::Edge| {
                (&old.guard, &old.effects, old.target) != (&new.guard, &new.effects, new.target)
            };
            let is_there = |it: &model::Edge| reachable[it.source.0 as usize];
            old.edges.iter().zip(&new.edges).any(|(old, new)| is_there(old) && differs(old, new))
        })
    }
}

/// Slices a model, or says why that cannot be done.
pub fn slice(model: &Model, criterion: Criterion) -> Result<Slice, &'static str> {
    if let Some(why) = refusal(model) {
        return Err(why);
    }
    let mut criterion = criterion;
    if asks(model, &|it| *it == Expr::Timeout) {
        criterion.keep = Keep::Ends;
    }
    let (needs, origins, shapes) = needs::needs(model, criterion);
    let sliced = build::build(model, &needs, &shapes, criterion);
    Ok(Slice { model: sliced, needs, shapes, origins, criterion })
}

/// Why every step of a model matters, if that is so.
fn refusal(model: &Model) -> Option<&'static str> {
    let observers = Observers::new(model);
    let effects = || model.processes.iter().flat_map(|it| &it.edges).flat_map(|it| &it.effects);
    match () {
        () if observers.every_step => Some("every single step can be seen"),
        () if observers.any_local => Some("a property reads a variable of whoever looks"),
        () if model.processes.iter().any(|it| it.deterministic) => Some("a process must have no choice"),
        () if model.processes.iter().any(|it| it.provided.is_some()) => Some("a process has a `provided` condition"),
        () if model.checks_exclusive() => Some("the use of channels is checked"),
        () if model.monitor.is_some() => Some("messages are watched"),
        () if effects().any(|it| matches!(it, Effect::SetPriority(..))) => Some("priorities change"),
        () => None,
    }
}

fn asks(model: &Model, test: &dyn Fn(&Expr) -> bool) -> bool {
    let mut found = false;
    model::access::expressions(model, &mut |expr| found |= expr.any(test));
    found
}
