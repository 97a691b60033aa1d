//! Why a step is kept: who asked first for what it provides (the dependences that the fixpoint of `needs` has followed).
//!
//! Following the answers from a step leads to a property, an assertion, or something that may go wrong: nothing is kept for its own sake.
use std::collections::{HashSet, VecDeque};

use model::variables::{Name, types};
use model::{EdgeId, LocationId, Model, ProcessTypeId};

use crate::Slice;
use crate::needs::Search;

/// Something that can matter.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Thing {
    /// The value of a variable.
    Variable(Name),
    /// How many messages are in the channels of a declaration.
    Contents(Name),
    /// A field of their messages.
    Field(Name, usize),
}

/// Who asks for it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Origin {
    /// A property.
    Property,
    /// A step that matters.
    Step(ProcessTypeId, EdgeId),
    /// The first value of a variable.
    FirstValue(Name),
}

/// Why a step is kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Because {
    /// A variable gets a value that matters.
    Stores(Name),
    /// What is in a channel matters.
    Uses(Name),
    /// A condition is checked here.
    Asserts,
    /// It may go wrong.
    MayFail,
    /// A process is created.
    Creates,
    /// A process ends.
    Ends,
    /// Somebody sees that a process is here.
    Seen,
    /// It decides whether this other step is reached.
    Decides(EdgeId),
    /// It may have to wait, and somebody can notice.
    Waits,
}

/// Answers questions about a slice.
pub struct Why<'a> {
    model: &'a Model,
    slice: &'a Slice,
    search: Search<'a>,
}

impl<'a> Why<'a> {
    /// About the slice of a model.
    pub fn new(model: &'a Model, slice: &'a Slice) -> Self {
        Why { model, slice, search: Search::given(model, slice.criterion, slice.needs.clone()) }
    }

    /// Why an edge is in the slice; nothing if it is not, or does nothing there.
    pub fn edge(&self, owner: ProcessTypeId, edge: EdgeId) -> Option<Because> {
        let (process, shape) = (self.model.process(owner), &self.slice.shapes[owner.0 as usize]);
        let it = process.edge(edge);
        let row = it.source.0 as usize;
        if !shape.kept[row] || shape.cut[row] || !shape.decides[row] {
            return None;
        }
        let sees = |it: LocationId| self.search.is_seen(owner, it);
        let seen = sees(it.source) || it.target.is_some_and(sees);
        let itself = self.search.why_edge(owner, process, it).or(seen.then_some(Because::Seen));
        itself.or_else(|| {
            let idle = it.guard.is_true() && !it.otherwise && !it.effects.iter().any(model::variables::can_wait);
            if idle { None } else { Some(self.next_that_matters(owner, it.source)) }
        })
    }

    /// Who asked first for something.
    pub fn origin(&self, thing: Thing) -> Option<Origin> {
        self.slice.origins.get(&thing).copied()
    }

    /// The nearest step after a choice that does something that matters.
    fn next_that_matters(&self, owner: ProcessTypeId, from: LocationId) -> Because {
        let process = &self.slice.model.processes[owner.0 as usize];
        let original = self.model.process(owner);
        let (mut seen, mut waiting) = (HashSet::from([from]), VecDeque::from([from]));
        while let Some(here) = waiting.pop_front() {
            for (id, edge) in process.outgoing(here) {
                if self.search.why_edge(owner, original, original.edge(id)).is_some() {
                    return Because::Decides(id);
                }
                waiting.extend(edge.target.filter(|it| seen.insert(*it)));
            }
        }
        Because::Waits
    }

    /// Every edge with the reason why it is kept.
    pub fn all(&self) -> Vec<(ProcessTypeId, EdgeId, Because)> {
        let rows = types(self.model).flat_map(|(owner, it)| (0..it.edges.len()).map(move |row| (owner, row)));
        rows.filter_map(|(owner, row)| {
            let edge = EdgeId(row as u32);
            self.edge(owner, edge).map(|it| (owner, edge, it))
        })
        .collect()
    }
}
