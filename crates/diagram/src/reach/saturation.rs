//! Saturation: from the bottom of the diagram to the top.
//!
//! Ciardo, Lüttgen, Siminiceanu, *Saturation: an efficient iteration strategy for symbolic state-space generation*, TACAS
//! 2001; Ciardo, Marmorstein, Siminiceanu, *The saturation algorithm for symbolic state-space exploration*, STTT 8, 2006.
//! A relation matters to the bits from its *top* on, the topmost bit that it reads or touches; above, it is the same for
//! all values. A node is *saturated* if no relation whose top is at its level or below adds anything to it. Saturating a
//! node first saturates what is below, then applies the relations with their top here, whose results are saturated
//! below again, until nothing changes. Nodes that are not saturated are never built into larger ones, and small changes
//! stay in small diagrams: this is where breadth first loses.
//!
//! Deviations: nodes belong to one bit and relations are partial, as in Meijer, van Dijk, van de Pol; sets are
//! constrained while they are built (Zhao, Ciardo, *Symbolic CTL model checking of asynchronous systems using constrained
//! saturation*, ATVA 2009), which backwards is `E[f U g]`: the constraint is followed along with the set. Results of all
//! relations of a level are saturated below as a whole, once these were applied; doing so after each relation took about
//! twice as long, and node by node while a relation is applied, as in the paper, about four times (Peterson's protocol for
//! five, few runs on a busy machine; a node-by-node version with marked nodes may do better).
//!
//! There is no set of all that was reached until the end. A search that is told to stop leaves all nodes as they are by
//! then; put together they are a part of what can be reached, and a later search can go on from there.
use super::{Decision, Direction, Outcome, Progress, Reached, Search, Watch};
use crate::function::Function;
use crate::manager::{Diagram, Operator};
use crate::nodes::{Held, Nodes, Ref};
use crate::product::product;
use crate::space::Full;
use oxidd_core::function::Function as _;

impl Search<'_> {
    /// Searches by saturation.
    pub fn saturation(self, watch: &mut (dyn FnMut(&Progress) -> Decision + Send)) -> Reached {
        let mut watch = Watch::new(watch);
        let mut set = self.from.clone();
        let outcome = loop {
            let (larger, pause) = match self.saturate(&set, &mut watch) {
                Err(Full) => break Outcome::Full,
                Ok(saturated) => saturated,
            };
            set = larger;
            match pause {
                None => break Outcome::Complete,
                Some(Pause::Told(Decision::Stop)) => break Outcome::Stopped,
                Some(Pause::Told(Decision::Sift)) => self.space.sift(watch.patience()),
                Some(Pause::Cramped | Pause::Told(Decision::Continue)) => self.space.adapt(),
            }
        };
        watch.tell(Some(set.nodes()), self.space.nodes());
        Reached { set, outcome, record: watch.record() }
    }

    /// Saturates a set, or goes a part of the way and says why it pauses.
    fn saturate(&self, set: &Function, watch: &mut Watch<'_>) -> Result<(Function, Option<Pause>), Full> {
        let everything = self.space.constant(true);
        let within = self.within.unwrap_or(&everything);
        set.0.with_manager_shared(|manager, _| {
            let nodes = Nodes(manager);
            let mut saturation = Saturation {
                nodes,
                direction: self.direction,
                events: events(nodes, self),
                epoch: nodes.data().fresh_epoch(),
                watch,
                pause: None,
            };
            let result = saturation.saturate(set.0.as_edge(manager), within.0.as_edge(manager), 0)?;
            Ok((Function(Diagram::from_edge(manager, result.into_edge())), saturation.pause))
        })
    }
}

/// A relation, where it begins, and where those that begin further below do.
#[derive(Clone, Copy)]
struct Event<'a, 'id> {
    relation: Ref<'a, 'id>,
    touched: Ref<'a, 'id>,
    top: u32,
    below: usize,
}

/// The relations of a search from those that begin at the top to those that begin at the bottom.
fn events<'a, 'id>(nodes: Nodes<'a, 'id>, search: &Search<'a>) -> Vec<Event<'a, 'id>> {
    let event = |relation: &'a crate::Relation| {
        let (touched, relation) = (relation.variables.0.as_edge(nodes.0), relation.function.0.as_edge(nodes.0));
        Event { relation, touched, top: nodes.pair(touched).min(nodes.pair(relation)), below: 0 }
    };
    let mut events: Vec<Event<'a, 'id>> = search.relations.iter().map(event).collect();
    events.sort_by_key(|event| event.top);
    for index in 0..events.len() {
        events[index].below = events.partition_point(|event| event.top <= events[index].top);
    }
    events
}

/// A search that is under way.
struct Saturation<'a, 'id, 'w, 't> {
    nodes: Nodes<'a, 'id>,
    direction: Direction,
    events: Vec<Event<'a, 'id>>,
    /// What is remembered of this search and no other.
    epoch: u32,
    watch: &'w mut Watch<'t>,
    /// Why it does not go on.
    pause: Option<Pause>,
}

/// Why a search leaves its recursion.
#[derive(Clone, Copy)]
enum Pause {
    /// It was told to do something else.
    Told(Decision),
    /// The caches are too small.
    Cramped,
}

impl<'a, 'id> Saturation<'a, 'id, '_, '_> {
    /// The least set that contains this one and, within the constraint, what the events from the first one on lead to.
    fn saturate(&mut self, set: Ref<'_, 'id>, within: Ref<'_, 'id>, first: usize) -> Result<Held<'a, 'id>, Full> {
        let nodes = self.nodes;
        let done = first == self.events.len() || self.pause.is_some();
        if done || nodes.is_false(set) || nodes.is_true(set) || nodes.is_false(within) {
            return Ok(nodes.hold(set));
        }
        let operator = self.direction.saturation();
        if let Some(known) = nodes.known(operator, &[set, within], &[first as u32, self.epoch]) {
            return Ok(known);
        }
        let level = nodes.level(set).min(nodes.level(within));
        let result = if level < self.events[first].top {
            self.halves(level, set, within, first)?
        } else {
            self.fixpoint(set, within, first)?
        };
        if self.pause.is_none() {
            nodes.remember(operator, &[set, within], &[first as u32, self.epoch], result.borrowed());
        }
        Ok(result)
    }

    /// Both halves at a level saturated.
    fn halves(
        &mut self,
        level: u32,
        set: Ref<'_, 'id>,
        within: Ref<'_, 'id>,
        first: usize,
    ) -> Result<Held<'a, 'id>, Full> {
        let nodes = self.nodes;
        let (sets, withins) = (nodes.cofactors(set, level), nodes.cofactors(within, level));
        let then = self.saturate(sets[0], withins[0], first)?;
        let otherwise = self.saturate(sets[1], withins[1], first)?;
        nodes.attempt(|| nodes.node(level, nodes.hold(then.borrowed()), nodes.hold(otherwise.borrowed())))
    }

    /// Saturates below and applies the events with their top at the level of the first one, until nothing changes.
    fn fixpoint(&mut self, set: Ref<'_, 'id>, within: Ref<'_, 'id>, first: usize) -> Result<Held<'a, 'id>, Full> {
        let Event { top, below, .. } = self.events[first];
        let mut set = self.nodes.hold(set);
        loop {
            set = self.halves(top, set.borrowed(), within, below)?;
            let mut larger = self.nodes.hold(set.borrowed());
            for event in first..below {
                larger = self.fire(self.events[event], larger.borrowed(), within)?;
            }
            if larger.borrowed() == set.borrowed() || self.interrupted() {
                return Ok(larger);
            }
            set = larger;
        }
    }

    /// A set and what one step of an event leads to from it.
    fn fire(&self, event: Event<'_, 'id>, set: Ref<'_, 'id>, within: Ref<'_, 'id>) -> Result<Held<'a, 'id>, Full> {
        let nodes = self.nodes;
        nodes.attempt(|| {
            let added = product(nodes, self.direction, set, event.relation, event.touched)?;
            let allowed = nodes.and(added.borrowed(), within)?;
            nodes.or(set, allowed.borrowed())
        })
    }

    /// Counts a round, tells of it now and then, and says whether to end.
    fn interrupted(&mut self) -> bool {
        let due = self.watch.count().is_multiple_of(256) || self.watch.is_due();
        if due && self.pause.is_none() {
            let count = self.nodes.tidy();
            self.pause = match self.watch.tell(None, count) {
                Decision::Continue => self.nodes.data().is_cramped(count).then_some(Pause::Cramped),
                told => Some(Pause::Told(told)),
            };
        }
        self.pause.is_some()
    }
}

impl Direction {
    fn saturation(self) -> Operator {
        match self {
            Direction::Forward => Operator::SaturateForward,
            Direction::Backward => Operator::SaturateBackward,
        }
    }
}
