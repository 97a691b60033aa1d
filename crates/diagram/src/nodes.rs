//! What every recursion over nodes needs: cofactors, new nodes, the cache, and a second try after collecting garbage.
use std::sync::atomic::Ordering::Relaxed;

use oxidd_core::function::BooleanFunction;
use oxidd_core::util::{AllocResult, EdgeDropGuard};
use oxidd_core::{ApplyCache, DiagramRules, HasApplyCache, HasLevel, HasWorkers, Manager as _, Node, WorkerPool};
use oxidd_rules_bdd::complement_edge::{BCDDRules, EdgeTag};

use crate::manager::{Data, Diagram, Edge, Manager, Operator};
use crate::space::Full;

/// A borrowed edge.
pub(crate) type Ref<'a, 'id> = oxidd_core::util::Ref<'a, Edge<'id>>;
/// An edge that is given up when it goes out of scope.
pub(crate) type Held<'a, 'id> = EdgeDropGuard<'a, Manager<'id>>;

/// The level of a constant: below all others.
pub(crate) const BOTTOM: u32 = u32::MAX;

/// So many nodes, some 230 MB, are never untidy. A collection forgets all results: with an eighth of this, breadth first
/// took 4.4 s instead of 2.6 s for 30 philosophers.
pub(crate) const FEW: usize = 1 << 23;

/// Operations on the nodes of a locked manager.
#[derive(Clone, Copy)]
pub(crate) struct Nodes<'a, 'id>(pub(crate) &'a Manager<'id>);

impl<'a, 'id> Nodes<'a, 'id> {
    pub(crate) fn data(self) -> &'a Data<'id> {
        self.0.as_ref()
    }

    pub(crate) fn constant(self, value: bool) -> Held<'a, 'id> {
        let edge = if value { Diagram::t_edge(self.0) } else { Diagram::f_edge(self.0) };
        Held::new(self.0, edge)
    }

    pub(crate) fn hold(self, edge: Ref<'_, 'id>) -> Held<'a, 'id> {
        Held::new(self.0, self.0.clone_edge(edge))
    }

    fn is_constant(self, edge: Ref<'_, 'id>) -> bool {
        self.0.get_node(edge).is_any_terminal()
    }

    pub(crate) fn is_false(self, edge: Ref<'_, 'id>) -> bool {
        edge.tag() == EdgeTag::Complemented && self.is_constant(edge)
    }

    pub(crate) fn is_true(self, edge: Ref<'_, 'id>) -> bool {
        edge.tag() == EdgeTag::None && self.is_constant(edge)
    }

    /// The level of the topmost variable; [`BOTTOM`] for a constant.
    pub(crate) fn level(self, edge: Ref<'_, 'id>) -> u32 {
        self.0.get_node(edge).level()
    }

    /// The level of the current variable of the topmost bit; at least `BOTTOM - 1` for a constant.
    pub(crate) fn pair(self, edge: Ref<'_, 'id>) -> u32 {
        self.level(edge) & !1
    }

    /// The function where the variable at this level is true, and where it is false.
    pub(crate) fn cofactors<'r>(self, edge: Ref<'r, 'id>, level: u32) -> [Ref<'r, 'id>; 2]
    where
        'a: 'r,
    {
        match self.0.get_node(edge) {
            Node::Inner(node) if node.level() == level => {
                [BCDDRules::cofactor(edge.tag(), node, 0), BCDDRules::cofactor(edge.tag(), node, 1)]
            }
            _ => [edge, edge],
        }
    }

    /// If the variable at this level is true, then the one, else the other.
    pub(crate) fn node(self, level: u32, then: Held<'_, 'id>, otherwise: Held<'_, 'id>) -> Result<Held<'a, 'id>, Full> {
        let children = [then.into_edge(), otherwise.into_edge()];
        let reduced = <BCDDRules as DiagramRules<_, _, _>>::reduce(self.0, level, children);
        self.made(reduced.then_insert(self.0, level))
    }

    pub(crate) fn and(self, left: Ref<'_, 'id>, right: Ref<'_, 'id>) -> Result<Held<'a, 'id>, Full> {
        self.made(Diagram::and_edge(self.0, left, right))
    }

    pub(crate) fn or(self, left: Ref<'_, 'id>, right: Ref<'_, 'id>) -> Result<Held<'a, 'id>, Full> {
        self.made(Diagram::or_edge(self.0, left, right))
    }

    /// Does both, at the same time if that is still worth it: so many more times work may be split in two.
    pub(crate) fn both<T: Send>(
        self,
        splits: u32,
        one: impl FnOnce(u32) -> T + Send,
        other: impl FnOnce(u32) -> T + Send,
    ) -> [T; 2] {
        match splits.checked_sub(1) {
            None => [one(0), other(0)],
            Some(left) => self.0.workers().join(|| one(left), || other(left)).into(),
        }
    }

    /// How many times the work of an operation may be split in two; never if there is one thread.
    pub(crate) fn splits(self) -> u32 {
        self.0.workers().split_depth()
    }

    /// What OxiDD made, held.
    pub(crate) fn made(self, edge: AllocResult<oxidd_core::util::Own<Edge<'id>>>) -> Result<Held<'a, 'id>, Full> {
        edge.map(|edge| Held::new(self.0, edge)).map_err(|_| Full)
    }

    /// What an operator returned for these operands before, if that is still known.
    pub(crate) fn known(self, operator: Operator, edges: &[Ref<'_, 'id>], numbers: &[u32]) -> Option<Held<'a, 'id>> {
        let cache = HasApplyCache::<_, Operator>::apply_cache(self.0);
        let ([edge], []) = cache.get_extended::<1, 0>(self.0, operator, (edges, numbers))?;
        Some(Held::new(self.0, edge))
    }

    /// Remembers what an operator returned.
    pub(crate) fn remember(self, operator: Operator, edges: &[Ref<'_, 'id>], numbers: &[u32], result: Ref<'_, 'id>) {
        let cache = HasApplyCache::<_, Operator>::apply_cache(self.0);
        cache.add_extended(self.0, operator, (edges, numbers), (&[result], &[]));
    }

    /// An error if nobody waits for results any more.
    pub(crate) fn wanted(self) -> Result<(), Full> {
        if self.data().is_stopped() { Err(Full) } else { Ok(()) }
    }

    /// Does it; if there is no room, collects garbage and does it again.
    ///
    /// A collection costs time in proportion to all nodes and empties the caches. One that frees less than a sixteenth
    /// of the room would soon be followed by the next, so that counts as full.
    pub(crate) fn attempt<T>(self, mut action: impl FnMut() -> Result<T, Full>) -> Result<T, Full> {
        self.wanted()?;
        action().or_else(|Full| {
            self.wanted()?;
            let capacity = self.data().capacity;
            let left = self.collect();
            if capacity - left.min(capacity) < capacity.div_ceil(16) { Err(Full) } else { action() }
        })
    }

    /// Collects garbage if there are four times as many nodes as after the last time; returns how many there were.
    ///
    /// Without it all room there is would be used before anything is collected, and spread over it what is in use.
    pub(crate) fn tidy(self) -> usize {
        let count = self.0.num_inner_nodes();
        self.data().note(count);
        if count > self.data().untidy.load(Relaxed) {
            self.data().untidy.store(FEW.max(4 * self.collect()), Relaxed);
        }
        count
    }

    /// Removes the nodes that nobody holds, and returns how many are left.
    pub(crate) fn collect(self) -> usize {
        self.data().note(self.0.num_inner_nodes());
        let before = self.0.gc_count();
        // OxiDD collects in a thread of its own when there is little room left; a second collection has to wait.
        loop {
            self.0.gc();
            if self.0.gc_count() != before {
                return self.0.num_inner_nodes();
            }
            std::thread::sleep(std::time::Duration::from_millis(1));
        }
    }
}
