//! Saturation: from the bottom of the diagram to the top.
//!
//! Ciardo, Lüttgen, Siminiceanu, *Saturation: an efficient iteration strategy for symbolic state-space generation*, TACAS
//! 2001; Ciardo, Marmorstein, Siminiceanu, *The saturation algorithm for symbolic state-space exploration*, STTT 8, 2006.
//! A relation matters to the bits from its *top* on, the topmost bit that it touches; above, it changes nothing, and what it
//! reads there is known on the way down (`contexts.rs`). A node is *saturated* if no relation whose top is at its level or below adds anything to it. Saturating a
//! node first saturates what is below, then applies the relations with their top here, whose results are saturated
//! below again, until nothing changes. Nodes that are not saturated are never built into larger ones, and small changes
//! stay in small diagrams: this is where breadth first loses.
//!
//! Deviations: nodes belong to one bit and relations are partial, as in Meijer, van Dijk, van de Pol; sets are
//! constrained while they are built (Zhao, Ciardo, *Symbolic CTL model checking of asynchronous systems using constrained
//! saturation*, ATVA 2009), which backwards is `E[f U g]`: the constraint is followed along with the set. Results of all
//! relations of a level are saturated below as a whole, once these were applied; doing so after each relation took about
//! twice as long, and node by node while a relation is applied, as in the paper, about four times (Peterson's protocol for
//! five, few runs on a busy machine; a node-by-node version with marked nodes may do better). To saturate and apply relations to
//! what is new alone took up to six times as long (eleven models of BEEM): small differences are diagrams that nobody has seen before.
//!
//! There is no set of all that was reached until the end. A search that is told to stop leaves all nodes as they are by
//! then; put together they are a part of what can be reached, and a later search can go on from there.
use super::contexts::{Begin, Contexts, Event};
use super::{Decision, Direction, Outcome, Progress, Reached, Search, Watch};
use crate::function::Function;
use crate::manager::{Diagram, Operator};
use crate::nodes::{BOTTOM, Held, Nodes, Ref};
use crate::product::product;
use crate::space::Full;
use oxidd_core::function::Function as _;

impl Search<'_> {
    /// Searches by saturation.
    pub fn saturation(self, watch: &mut (dyn FnMut(&Progress) -> Decision + Send)) -> Reached {
        let mut watch = Watch::new(watch);
        let (mut set, mut begin) = (self.from.clone(), Begin::Touching);
        let outcome = loop {
            let (larger, pause) = match self.saturate(&set, begin, &mut watch) {
                Err(Full) => break Outcome::Full,
                Ok(saturated) => saturated,
            };
            set = larger;
            match pause {
                None => break Outcome::Complete,
                Some(Pause::Told(Decision::Stop)) => break Outcome::Stopped,
                Some(Pause::Told(Decision::Sift)) => self.space.sift(watch.patience()),
                Some(Pause::Crowded) => begin = Begin::Reading,
                Some(Pause::Cramped | Pause::Told(Decision::Continue)) => self.space.adapt(),
            }
        };
        watch.tell(Some(set.nodes()), self.space.nodes());
        Reached { set, outcome, record: watch.record() }
    }

    /// Saturates a set, or goes a part of the way and says why it pauses.
    fn saturate(&self, set: &Function, begin: Begin, watch: &mut Watch<'_>) -> Result<(Function, Option<Pause>), Full> {
        let everything = self.space.constant(true);
        let within = self.within.unwrap_or(&everything);
        set.0.with_manager_shared(|manager, _| {
            let nodes = Nodes(manager);
            let mut saturation = Saturation {
                nodes,
                direction: self.direction,
                contexts: Contexts::new(nodes, begin, events(nodes, self)),
                epoch: nodes.data().fresh_epoch(),
                watch,
                pause: None,
            };
            let result = saturation.saturate(set.0.as_edge(manager), within.0.as_edge(manager), 0)?;
            Ok((Function(Diagram::from_edge(manager, result.into_edge())), saturation.pause))
        })
    }
}

/// The relations of a search.
fn events<'a, 'id>(nodes: Nodes<'a, 'id>, search: &Search<'a>) -> Vec<Event<'a, 'id>> {
    let event = |relation: &'a crate::Relation| Event {
        relation: relation.function.0.as_edge(nodes.0),
        touched: relation.variables.0.as_edge(nodes.0),
    };
    search.relations.iter().map(event).collect()
}

/// A search that is under way.
struct Saturation<'a, 'id, 'w, 't> {
    nodes: Nodes<'a, 'id>,
    direction: Direction,
    contexts: Contexts<'a, 'id>,
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
    /// There are too many contexts.
    Crowded,
}

impl<'a, 'id> Saturation<'a, 'id, '_, '_> {
    /// The least set that contains this one and, within the constraint, what the events of a context lead to.
    fn saturate(&mut self, set: Ref<'_, 'id>, within: Ref<'_, 'id>, context: u32) -> Result<Held<'a, 'id>, Full> {
        let nodes = self.nodes;
        let top = self.contexts.top(context);
        let done = top == BOTTOM || self.pause.is_some();
        if done || nodes.is_false(set) || nodes.is_true(set) || nodes.is_false(within) {
            return Ok(nodes.hold(set));
        }
        let operator = self.direction.saturation();
        if let Some(known) = nodes.known(operator, &[set, within], &[context, self.epoch]) {
            return Ok(known);
        }
        let level = nodes.level(set).min(nodes.level(within));
        let result = if level < top {
            self.halves(level, set, within, [context, context])?
        } else {
            self.fixpoint(set, within, context)?
        };
        if self.pause.is_none() {
            nodes.remember(operator, &[set, within], &[context, self.epoch], result.borrowed());
        }
        Ok(result)
    }

    /// Both halves at a level saturated, each in its context.
    fn halves(
        &mut self,
        level: u32,
        set: Ref<'_, 'id>,
        within: Ref<'_, 'id>,
        contexts: [u32; 2],
    ) -> Result<Held<'a, 'id>, Full> {
        let nodes = self.nodes;
        let (sets, withins) = (nodes.cofactors(set, level), nodes.cofactors(within, level));
        let then = self.saturate(sets[0], withins[0], contexts[0])?;
        let otherwise = self.saturate(sets[1], withins[1], contexts[1])?;
        nodes.attempt(|| nodes.node(level, nodes.hold(then.borrowed()), nodes.hold(otherwise.borrowed())))
    }

    /// Saturates below and applies the events that begin at the top of the context, until nothing changes.
    fn fixpoint(&mut self, set: Ref<'_, 'id>, within: Ref<'_, 'id>, context: u32) -> Result<Held<'a, 'id>, Full> {
        let top = self.contexts.top(context);
        let below = self.contexts.below(context);
        if self.contexts.are_too_many() {
            self.pause = Some(Pause::Crowded);
        }
        let mut set = self.halves(top, set, within, below)?;
        loop {
            let mut larger = self.nodes.hold(set.borrowed());
            for event in self.contexts.here(context) {
                larger = self.fire(self.contexts.event(context, event), larger.borrowed(), within)?;
            }
            if larger.borrowed() == set.borrowed() || self.interrupted() {
                return Ok(larger);
            }
            set = self.halves(top, larger.borrowed(), within, below)?;
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
