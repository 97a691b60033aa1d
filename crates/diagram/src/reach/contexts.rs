//! Relations as a node of the diagram sees them: what is left once the bits above have their values.
//!
//! A relation is often the same for all values of a bit but for being impossible where a condition is false: it *reads* the bit and does not
//! touch it. A step then leads from one half of a set to the same half, and there the rest of the relation is a relation of its own. So it need not be
//! applied where it first reads a bit; it can wait for the first one that it touches, which may be far below. What a node leads to depends on the
//! way to it, then: by the values of the bits that were read above some relations are gone and others less conditional. All that is left for some such
//! values is a *context*. Equal ones are one, and there are few of them as long as conditions are about few bits: a program counter, a turn.
//!
//! There can be as many contexts as ways. If there are too many, relations begin where they read first, which needs one context for each bit.
use std::collections::HashMap;
use std::ops::Range;

use crate::nodes::{BOTTOM, Nodes, Ref};

/// What is left of a relation below some bits, and the bits that it touches, all of which are still to come.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(super) struct Event<'a, 'id> {
    pub(super) relation: Ref<'a, 'id>,
    pub(super) touched: Ref<'a, 'id>,
}

/// Where relations are applied.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Begin {
    /// At the first bit that they touch.
    Touching,
    /// At the first bit that they touch or read.
    Reading,
}

impl Begin {
    fn level<'id>(self, nodes: Nodes<'_, 'id>, event: &Event<'_, 'id>) -> u32 {
        let touched = nodes.pair(event.touched);
        match self {
            Begin::Touching => touched,
            Begin::Reading => touched.min(nodes.pair(event.relation)),
        }
    }
}

/// What is left of all relations for some values of the bits above.
struct Context<'a, 'id> {
    /// Those that begin at the top come first.
    events: Vec<Event<'a, 'id>>,
    here: usize,
    /// The level of the first bit that any of them reads or touches.
    top: u32,
    /// Where that bit is true, and where it is false.
    below: Option<[u32; 2]>,
}

/// All contexts of a search, by their numbers.
pub(super) struct Contexts<'a, 'id> {
    nodes: Nodes<'a, 'id>,
    begin: Begin,
    contexts: Vec<Context<'a, 'id>>,
    numbers: HashMap<Vec<Event<'a, 'id>>, u32>,
    /// Events of all contexts together; a context itself counts as eight.
    events: usize,
}

impl<'a, 'id> Contexts<'a, 'id> {
    /// The one of the root has number 0.
    pub(super) fn new(nodes: Nodes<'a, 'id>, begin: Begin, events: Vec<Event<'a, 'id>>) -> Contexts<'a, 'id> {
        let mut contexts = Contexts { nodes, begin, contexts: Vec::new(), numbers: HashMap::new(), events: 0 };
        contexts.number(events.into_iter());
        contexts
    }

    /// The level of the first bit that an event of a context reads or touches; [`BOTTOM`] if there are no events.
    pub(super) fn top(&self, context: u32) -> u32 {
        self.contexts[context as usize].top
    }

    /// The events of a context that begin at its top.
    pub(super) fn here(&self, context: u32) -> Range<usize> {
        0..self.contexts[context as usize].here
    }

    /// One of these.
    pub(super) fn event(&self, context: u32, event: usize) -> Event<'a, 'id> {
        self.contexts[context as usize].events[event]
    }

    /// Whether there are too many to go on like this.
    pub(super) fn are_too_many(&self) -> bool {
        self.begin == Begin::Touching && self.events > self.nodes.data().contexts
    }

    /// The contexts where the bit at the top is true, and where it is false.
    pub(super) fn below(&mut self, context: u32) -> [u32; 2] {
        if let Some(below) = self.contexts[context as usize].below {
            return below;
        }
        let Context { events, here, top, .. } = &self.contexts[context as usize];
        let (nodes, top, later) = (self.nodes, *top, events[*here..].to_vec());
        let below = [0, 1].map(|half| {
            let left = |it: &Event<'a, 'id>| Event { relation: nodes.cofactors(it.relation, top)[half], ..*it };
            self.number(later.iter().map(left))
        });
        self.contexts[context as usize].below = Some(below);
        below
    }

    /// The number of the context with these events, without those that lead nowhere.
    fn number(&mut self, events: impl Iterator<Item = Event<'a, 'id>>) -> u32 {
        let nodes = self.nodes;
        let leads = |it: &Event<'a, 'id>| !nodes.is_false(it.relation) && !nodes.is_true(it.touched);
        let mut events: Vec<_> = events.filter(leads).collect();
        let top = events.iter().map(|it| Begin::Reading.level(nodes, it)).min().unwrap_or(BOTTOM);
        events.sort_by_key(|it| self.begin.level(nodes, it) != top);
        if let Some(known) = self.numbers.get(&events) {
            return *known;
        }
        let here = events.partition_point(|it| self.begin.level(nodes, it) == top);
        let number = self.contexts.len() as u32;
        self.events += events.len() + 8;
        self.numbers.insert(events.clone(), number);
        self.contexts.push(Context { events, here, top, below: None });
        number
    }
}
