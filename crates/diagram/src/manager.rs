//! The kind of diagram: OxiDD's nodes and rules, two caches, and what is counted.
//!
//! OxiDD keeps nodes in a table, counts references, and knows the rules of binary decision diagrams with complemented
//! edges (Bryant, *Graph-based algorithms for Boolean function manipulation*, IEEE Trans. Computers 35(8), 1986; Brace,
//! Rudell, Bryant, *Efficient implementation of a BDD package*, DAC 1990). Its own operators use one cache; ours, which
//! have other operands, a second. A cache does not own what it remembers, so it is emptied before nodes are removed.
use std::hash::Hasher;
use std::sync::atomic::{AtomicBool, AtomicU32, AtomicUsize, Ordering::Relaxed};
use std::sync::{Arc, OnceLock};

use oxidd_cache::direct::DMApplyCache;
use oxidd_core::util::{DropWith, Own};
use oxidd_core::{HasApplyCache, ManagerEventSubscriber};
use oxidd_manager_index::manager as index;
use oxidd_manager_index::node::fixed_arity::NodeWithLevelCons;
use oxidd_manager_index::terminal_manager::StaticTerminalManagerCons;
use oxidd_rules_bdd::complement_edge::{BCDDFunctionMT, BCDDOp, BCDDRules, BCDDTerminal, EdgeTag};

use crate::nodes::FEW;
use crate::space::Limits;

type Nodes = NodeWithLevelCons<2>;
type Terminals = StaticTerminalManagerCons<BCDDTerminal>;
type NodeOf<'id> = <Nodes as index::InnerNodeCons<EdgeTag>>::T<'id>;
type TerminalsOf<'id> = <Terminals as index::TerminalManagerCons<Nodes, EdgeTag, 1>>::T<'id>;

/// Where nodes live, while it is locked.
pub(crate) type Manager<'id> = index::Manager<'id, NodeOf<'id>, EdgeTag, TerminalsOf<'id>, BCDDRules, Data<'id>, 1>;
/// A reference to a node, perhaps complemented.
pub(crate) type Edge<'id> = index::Edge<'id, NodeOf<'id>, EdgeTag>;
/// Where nodes live.
pub(crate) type ManagerRef = index::ManagerRef<Nodes, EdgeTag, Terminals, Rules, DataOf, 1>;
/// A node that is held from outside.
pub(crate) type Diagram = BCDDFunctionMT<index::Function<Nodes, EdgeTag, Terminals, Rules, DataOf, 1>>;

/// Names the rules for OxiDD.
pub(crate) struct Rules;
impl index::DiagramRulesCons<Nodes, EdgeTag, Terminals, DataOf, 1> for Rules {
    type T<'id> = BCDDRules;
}

/// Names [`Data`] for OxiDD.
pub(crate) struct DataOf;
impl index::ManagerDataCons<Nodes, EdgeTag, Terminals, Rules, 1> for DataOf {
    type T<'id> = Data<'id>;
}

/// Operators that OxiDD does not have; the keys of the second cache.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum Operator {
    Image,
    Preimage,
    Exchange,
    Simplify,
    SaturateForward,
    SaturateBackward,
}

type BooleanCache<'id> = DMApplyCache<Manager<'id>, BCDDOp, Mixer, 4>;
type OwnCache<'id> = DMApplyCache<Manager<'id>, Operator, Mixer, 5>;

/// Bytes of a node: two edges, level, references.
const NODE_BYTES: usize = 16;
/// Bytes of a place in the table that finds equal nodes, which is at most three quarters full and doubles.
const PLACE_BYTES: usize = 12;
/// Bytes of an entry in both caches: four bytes of header and the operands.
const ENTRY_BYTES: usize = (4 + 4 * 4) + (4 + 5 * 4);

/// Entries of each cache in the beginning.
const FIRST_ENTRIES: usize = 1 << 17;

/// What is kept beside the nodes.
pub(crate) struct Data<'id> {
    boolean: BooleanCache<'id>,
    own: OwnCache<'id>,
    /// Nodes there may be at once.
    pub(crate) capacity: usize,
    /// Contexts there may be, see `reach/contexts.rs`.
    pub(crate) contexts: usize,
    /// Entries of each cache, and how many there may be.
    entries: usize,
    most_entries: usize,
    peak: AtomicUsize,
    epoch: AtomicU32,
    /// With more nodes than this it is time to collect.
    pub(crate) untidy: AtomicUsize,
    /// Whether nobody waits for results any more, see `Space::heed`.
    pub(crate) stop: OnceLock<Arc<AtomicBool>>,
}

impl Data<'_> {
    /// Notes how many nodes there are now.
    pub(crate) fn note(&self, nodes: usize) {
        self.peak.fetch_max(nodes, Relaxed);
    }

    /// The most nodes that were ever noted.
    pub(crate) fn peak(&self) -> usize {
        self.peak.load(Relaxed)
    }

    /// Whether the caches are too small for so many nodes: what is forgotten is computed again, and again.
    pub(crate) fn is_cramped(&self, nodes: usize) -> bool {
        nodes > self.entries && self.entries < self.most_entries
    }

    /// Whether nobody waits for results any more.
    pub(crate) fn is_stopped(&self) -> bool {
        self.stop.get().is_some_and(|it| it.load(Relaxed))
    }

    /// A number that no earlier call returned.
    pub(crate) fn fresh_epoch(&self) -> u32 {
        self.epoch.fetch_add(1, Relaxed)
    }

    /// Bytes for so many nodes, and the caches.
    pub(crate) fn bytes(&self, nodes: usize) -> usize {
        nodes * (NODE_BYTES + PLACE_BYTES) + self.entries * ENTRY_BYTES
    }
}

/// Makes room for diagrams.
pub(crate) fn new_manager(limits: Limits) -> ManagerRef {
    let nodes = u32::try_from(limits.nodes).unwrap_or(u32::MAX).min((1 << 31) - 2);
    let most_entries = limits.cache.clamp(1, 1 << 30).next_power_of_two();
    let entries = most_entries.min(FIRST_ENTRIES);
    let (boolean, own) = caches(entries);
    let data = Data {
        boolean,
        own,
        capacity: nodes as usize,
        contexts: limits.contexts,
        entries,
        most_entries,
        peak: AtomicUsize::new(0),
        epoch: AtomicU32::new(0),
        untidy: AtomicUsize::new(FEW),
        stop: OnceLock::new(),
    };
    index::new_manager(nodes, 1, limits.threads.max(1), data)
}

/// Empty caches with so many entries each.
fn caches<'id>(entries: usize) -> (BooleanCache<'id>, OwnCache<'id>) {
    // OxiDD's index manager tells its data before and after every removal of nodes, which is all the caches ask for.
    #[allow(unsafe_code)]
    unsafe {
        (DMApplyCache::with_capacity(entries), DMApplyCache::with_capacity(entries))
    }
}

/// Larger caches, four entries for every node; they are empty.
pub(crate) fn enlarge(manager: &mut Manager<'_>, nodes: usize) {
    let data: &Data<'_> = (*manager).as_ref();
    let entries = (4 * nodes).next_power_of_two().min(data.most_entries);
    let (boolean, own) = caches(entries);
    let data: &mut Data<'_> = manager.as_mut();
    (data.boolean, data.own, data.entries) = (boolean, own, entries);
}

impl<'id> AsRef<Data<'id>> for Data<'id> {
    fn as_ref(&self) -> &Data<'id> {
        self
    }
}

impl<'id> AsMut<Data<'id>> for Data<'id> {
    fn as_mut(&mut self) -> &mut Data<'id> {
        self
    }
}

impl<'id> DropWith<Edge<'id>> for Data<'id> {
    fn drop_with(self, drop_edge: impl Fn(Own<Edge<'id>>)) {
        self.boolean.drop_with(&drop_edge);
        self.own.drop_with(&drop_edge);
    }
}

impl<'id> ManagerEventSubscriber<Manager<'id>> for Data<'id> {
    fn pre_gc(&self, manager: &Manager<'id>) {
        self.boolean.pre_gc(manager);
        self.own.pre_gc(manager);
    }

    // The trait declares it so; the caller's promise is passed on.
    #[allow(unsafe_code)]
    unsafe fn post_gc(&self, manager: &Manager<'id>) {
        unsafe { self.boolean.post_gc(manager) };
        unsafe { self.own.post_gc(manager) };
    }
}

impl<'id> HasApplyCache<Manager<'id>, BCDDOp> for Data<'id> {
    type ApplyCache = BooleanCache<'id>;

    fn apply_cache(&self) -> &Self::ApplyCache {
        &self.boolean
    }

    fn apply_cache_mut(&mut self) -> &mut Self::ApplyCache {
        &mut self.boolean
    }
}

impl<'id> HasApplyCache<Manager<'id>, Operator> for Data<'id> {
    type ApplyCache = OwnCache<'id>;

    fn apply_cache(&self) -> &Self::ApplyCache {
        &self.own
    }

    fn apply_cache_mut(&mut self) -> &mut Self::ApplyCache {
        &mut self.own
    }
}

/// Hashes a few numbers: one multiplication each, and the high half folded into the low one, which chooses the entry.
#[derive(Default)]
pub(crate) struct Mixer(u64);

impl Mixer {
    fn add(&mut self, word: u64) {
        self.0 = (self.0.rotate_left(23) ^ word).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    }
}

impl Hasher for Mixer {
    fn finish(&self) -> u64 {
        self.0 ^ (self.0 >> 32)
    }

    fn write(&mut self, bytes: &[u8]) {
        bytes.iter().for_each(|byte| self.add(u64::from(*byte)));
    }

    fn write_u8(&mut self, word: u8) {
        self.add(u64::from(word));
    }

    fn write_u32(&mut self, word: u32) {
        self.add(u64::from(word));
    }

    fn write_u64(&mut self, word: u64) {
        self.add(word);
    }

    fn write_usize(&mut self, word: usize) {
        self.add(word as u64);
    }

    fn write_isize(&mut self, word: isize) {
        self.add(word as u64);
    }
}
