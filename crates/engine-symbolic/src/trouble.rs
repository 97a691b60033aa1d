//! What can go wrong in a step, and in which states it does.
use std::collections::BTreeMap;

use diagram::Function;
use model::{EdgeId, ProcessTypeId};

use crate::stop::Result;

/// Kinds of things that go wrong. What exactly, the reference semantics says for a state in which something does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[allow(missing_docs)]
pub enum Trouble {
    Assertion,
    Index,
    Division,
    NoChannel,
    DeadChannel,
    MessageLength,
    RendezvousPoll,
    RendezvousInside,
    BlockedInside,
    Exclusive,
    Nondeterminism,
    Monitor,
    TooManyProcesses,
    TooManyChannels,
    Other,
}

/// Where an expression has no value.
#[derive(Clone, Debug)]
pub struct Faults {
    /// Each kind, and where it is the first.
    pub list: Vec<(Trouble, Function)>,
    /// All of them.
    pub any: Function,
}

impl Faults {
    /// Nowhere yet; `never` is the function that is false.
    pub fn new(never: Function) -> Self {
        Faults { list: Vec::new(), any: never }
    }

    /// One more; the first fault is the one that counts.
    pub fn add(&mut self, trouble: Trouble, condition: &Function) -> Result<()> {
        let new = condition.minus(&self.any)?;
        if !new.is_false() {
            self.any = self.any.or(&new)?;
            self.list.push((trouble, new));
        }
        Ok(())
    }
}

/// What goes wrong at which edge, in which states. The union of the conditions of all processes would be a large function of states that are
/// never reached, so they are kept apart.
pub type Errors = BTreeMap<(Trouble, ProcessTypeId, EdgeId), Vec<Function>>;

/// Adds one.
pub fn add_error(errors: &mut Errors, key: (Trouble, ProcessTypeId, EdgeId), condition: &Function) {
    if !condition.is_false() {
        errors.entry(key).or_default().push(condition.clone());
    }
}

/// The states of a set in which one of these conditions holds.
pub fn within(set: &Function, conditions: &[Function], never: Function) -> Result<Function> {
    conditions.iter().try_fold(never, |found, it| Ok(found.or(&it.and(set)?)?))
}
