//! Room for diagrams.
use std::fmt;
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, Mutex};

use oxidd_core::function::BooleanFunction;
use oxidd_core::{HasWorkers, Manager as _, ManagerRef as _, WorkerPool};

use crate::function::Function;
use crate::manager::{Diagram, Manager, ManagerRef, enlarge, new_manager};
use crate::nodes::Nodes;

/// There is no room for another node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Full;

impl fmt::Display for Full {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str("no room for more nodes of decision diagrams")
    }
}

impl std::error::Error for Full {}

/// How much a [`Space`] may hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Nodes at once, those in use and those that wait to be collected; 28 bytes each, taken when needed.
    pub nodes: usize,
    /// Entries that each of the two caches may have, rounded up to a power of two; 44 bytes for both. They grow with the nodes.
    pub cache: usize,
    /// What saturation may note about relations, 16 bytes each, before it does with less (`reach/contexts.rs`).
    pub contexts: usize,
    /// Who works on one operation.
    pub threads: u32,
}

impl Default for Limits {
    /// 64 million nodes, 16 million entries, 8 million notes, one thread: at most 2.7 GB.
    fn default() -> Limits {
        Limits { nodes: 1 << 26, cache: 1 << 24, contexts: 1 << 23, threads: 1 }
    }
}

/// Room for diagrams over a fixed number of bits, each of which has a *current* and a *next* value.
///
/// The two variables of a bit are neighbours in every order, the current one first.
pub struct Space {
    pub(crate) manager: ManagerRef,
    bits: usize,
    /// False and true.
    constants: [Function; 2],
    /// Bits that move together when they are reordered.
    pub(crate) groups: Mutex<Vec<Vec<usize>>>,
}

impl Space {
    /// Room for diagrams over so many bits, which are ordered by their numbers.
    pub fn new(bits: usize, limits: Limits) -> Space {
        let variables = u32::try_from(2 * bits).expect("there are fewer than two thousand million bits");
        let manager = new_manager(limits);
        manager.with_manager_exclusive(|manager| manager.add_vars(variables));
        let constants = manager.with_manager_shared(|manager| [Diagram::f(manager), Diagram::t(manager)].map(Function));
        Space { manager, bits, constants, groups: Mutex::default() }
    }

    /// From when on this is true, every operation ends soon, as if there were no room. A space heeds one such wish.
    pub fn heed(&self, stop: Arc<AtomicBool>) {
        self.with(|nodes| _ = nodes.data().stop.set(stop));
    }

    /// The number of bits.
    pub fn bits(&self) -> usize {
        self.bits
    }

    /// Runs something on threads with a stack of a gigabyte each, of which only what is used counts.
    ///
    /// Operations recurse as deep as there are variables, and some call each other. With more than a few hundred bits all
    /// work should be done inside; it is also faster there, since the thread keeps a reserve of nodes for itself.
    pub fn run<T: Send>(&self, work: impl FnOnce() -> T + Send) -> T {
        self.manager.workers().install(work)
    }

    /// The function that is always true or always false.
    pub fn constant(&self, value: bool) -> Function {
        self.constants[usize::from(value)].clone()
    }

    /// The current value of a bit.
    pub fn current(&self, bit: usize) -> Result<Function, Full> {
        self.variable(bit, 0)
    }

    /// The next value of a bit.
    pub fn next(&self, bit: usize) -> Result<Function, Full> {
        self.variable(bit, 1)
    }

    fn variable(&self, bit: usize, which: u32) -> Result<Function, Full> {
        assert!(bit < self.bits, "bit {bit} of {}", self.bits);
        self.with(|nodes| {
            let make = || Diagram::var(nodes.0, 2 * bit as u32 + which).map_err(|_| Full);
            nodes.attempt(make).map(Function)
        })
    }

    /// The set of this one vector.
    pub fn vector(&self, values: &[bool]) -> Result<Function, Full> {
        assert_eq!(values.len(), self.bits, "a vector has a value for every bit");
        self.cube(values.iter().copied().enumerate())
    }

    /// The vectors that have these values at these bits.
    pub fn cube(&self, values: impl IntoIterator<Item = (usize, bool)>) -> Result<Function, Full> {
        let mut literals = Vec::new();
        for (bit, value) in values {
            let variable = self.current(bit)?;
            literals.push((self.level(bit), if value { variable } else { variable.not() }));
        }
        self.conjunction(literals)
    }

    /// The conjunction of variables that stand at these levels; from the bottom up, every step adds one node.
    pub(crate) fn conjunction(&self, mut literals: Vec<(u32, Function)>) -> Result<Function, Full> {
        literals.sort_by_key(|(level, _)| std::cmp::Reverse(*level));
        literals.iter().try_fold(self.constant(true), |cube, (_, literal)| literal.and(&cube))
    }

    /// The level of a bit's current variable.
    pub(crate) fn level(&self, bit: usize) -> u32 {
        self.with(|nodes| nodes.0.var_to_level(2 * bit as u32))
    }

    /// Nodes that are stored, those that wait to be collected included.
    pub fn nodes(&self) -> usize {
        self.with(|nodes| {
            let count = nodes.0.num_inner_nodes();
            nodes.data().note(count);
            count
        })
    }

    /// Removes the nodes that nobody holds, and returns how many are left. This is done when needed, too.
    pub fn collect(&self) -> usize {
        self.with(|nodes| nodes.collect())
    }

    /// Makes the caches larger if they are too small for the nodes that there are. Searches do this for themselves.
    pub fn adapt(&self) {
        let nodes = self.nodes();
        if self.with(|it| it.data().is_cramped(nodes)) {
            self.manager.with_manager_exclusive(|manager| enlarge(manager, nodes));
        }
    }

    /// The same when there are many more nodes than after the last time; returns how many there were. Who computes for long without a search
    /// should do this now and then.
    pub fn tidy(&self) -> usize {
        self.with(|nodes| nodes.tidy())
    }

    /// The most nodes that were seen by [`Space::nodes`], by a collection or by a search.
    pub fn peak(&self) -> usize {
        self.nodes();
        self.with(|nodes| nodes.data().peak())
    }

    /// Bytes that the most nodes and the caches take, roughly.
    pub fn bytes(&self) -> usize {
        let peak = self.peak();
        self.with(|nodes| nodes.data().bytes(peak))
    }

    /// How many nodes there may be at once.
    pub fn capacity(&self) -> usize {
        self.with(|nodes| nodes.data().capacity)
    }

    pub(crate) fn with<T>(&self, work: impl for<'id> FnOnce(Nodes<'_, 'id>) -> T) -> T {
        self.manager.with_manager_shared(|manager: &Manager<'_>| work(Nodes(manager)))
    }
}
