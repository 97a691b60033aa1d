//! Cycles that violate a property, by strongly connected components.
//!
//! Couvreur, *On-the-fly verification of linear temporal logic*, FM 1999; Gabow, *Path-based depth-first search for strong and biconnected
//! components*, 2000. The components that are not complete yet lie one behind the other on the way of a depth-first search. An
//! edge back to one of them joins all that come after it; if the edges of the joined part have all marks, there is a violating cycle. It
//! is found as soon as its last edge is seen, each state is visited once, and there may be any number of sets of edges.
//!
//! ```text
//! for each edge s → t, depth first:
//!     if t is new:              t is a component of its own
//!     if t is in a component that is not complete:
//!         join all components from there on, with the marks of all edges between them and of this one
//!         if these are all marks: a violation
//! when s is left and the first of its component: the component is complete
//! ```
//!
//! Where the claim is in a part of itself that does not have all its sets, no cycle can violate anything: such states are only visited.
use std::time::Instant;

use engine::{Limits, Progress, Watch, Why};
use model::Claim;
use model::semantics::{Forbidden, State};
use rustc_hash::FxHashMap as HashMap;
use store::{Glance, Insertion, Key, OutOfMemory, Store};

use crate::behaviours::wanted;
use crate::components::components;
use crate::lasso::{Hop, Marks, cycle};
use crate::product::{Product, Stopped, split};
use crate::stack::{Entry, Stack, name};

/// Successors between two looks at the clock and the store.
const TICK: u64 = 1024;

/// A state of a complete component.
const COMPLETE: u32 = u32::MAX;
/// A state that is in no component worth looking at.
const UNTRACKED: u32 = u32::MAX - 1;

/// What a search has found: states of system and claim.
#[derive(Clone, Debug)]
pub struct Lasso {
    /// From an initial state to the cycle, or to where something is wrong.
    pub way: Vec<Vec<u64>>,
    /// The cycle after the last of these.
    pub cycle: Vec<Hop<Vec<u64>>>,
    /// What is wrong, if there is no cycle.
    pub forbidden: Option<Forbidden>,
}

/// How a search ended.
pub enum End {
    /// There is nothing to be found.
    Nothing,
    /// A violation.
    Found(Lasso),
    /// A limit.
    Stopped(Why),
}

/// A component that is not complete.
struct Root {
    /// Of its first state.
    number: u32,
    /// Those of all its edges.
    marks: Marks,
    /// Those of the edge that leads to it.
    entered: Marks,
}

/// The number of each state in a component that is worth looking at.
pub enum Numbers {
    /// Keys are numbers themselves.
    Dense(Vec<u32>),
    /// Keys are scattered.
    Sparse(HashMap<u64, u32>),
}

impl Numbers {
    #[inline]
    fn get(&self, key: Key) -> u32 {
        match self {
            Numbers::Dense(list) => list.get(key.0 as usize).copied().unwrap_or(COMPLETE),
            Numbers::Sparse(map) => map.get(&key.0).copied().unwrap_or(COMPLETE),
        }
    }

    #[inline]
    fn set(&mut self, key: Key, number: u32) {
        match self {
            Numbers::Dense(list) => {
                if list.len() <= key.0 as usize {
                    list.resize(key.0 as usize + 1, COMPLETE);
                }
                list[key.0 as usize] = number;
            }
            Numbers::Sparse(map) => _ = map.insert(key.0, number),
        }
    }

    fn memory(&self) -> u64 {
        match self {
            Numbers::Dense(list) => list.capacity() as u64 * 4,
            Numbers::Sparse(map) => map.capacity() as u64 * 17,
        }
    }
}

/// The search.
pub struct Couvreur<'a, S: Store> {
    product: Product<'a>,
    store: S,
    local: S::Local,
    limits: &'a Limits,
    stack: Stack,
    /// Per successor on the stack: what the edge to it counts for.
    marks: Vec<Marks>,
    /// Per state on the way: its number.
    way: Vec<u32>,
    numbers: Numbers,
    roots: Vec<Root>,
    /// The states of components that are not complete, in the order of their numbers.
    live: Vec<Key>,
    /// Per place of the claim: whether it can be on a cycle with all sets.
    matters: Vec<bool>,
    wanted: Marks,
    /// The state in hand.
    state: Vec<u64>,
    transitions: u64,
    deepest: u64,
    was_cut: bool,
    turns: u64,
    began: Instant,
}

impl<'a, S: Store> Couvreur<'a, S> {
    /// A search that has not begun.
    pub fn new(product: Product<'a>, store: S, numbers: Numbers, limits: &'a Limits) -> Self {
        let claim = product.property().watcher.claim;
        Couvreur {
            stack: Stack::new(product.buffer()),
            matters: matters(claim),
            wanted: wanted(claim.sets, product.property().fairness),
            product,
            local: store.local(),
            store,
            limits,
            marks: Vec::new(),
            way: Vec::new(),
            numbers,
            roots: Vec::new(),
            live: Vec::new(),
            state: Vec::new(),
            transitions: 0,
            deepest: 0,
            was_cut: false,
            turns: 0,
            began: Instant::now(),
        }
    }

    /// Looks for a violation.
    pub fn run(&mut self, initial: &State, watch: &mut dyn Watch) -> End {
        let mut first = self.product.buffer();
        self.product.begin(initial, &mut first);
        self.transitions += first.len() as u64;
        for row in 0..first.len() {
            match self.search(first.get(row), watch) {
                Ok(()) => {}
                Err(Halt::Found(lasso)) => return End::Found(*lasso),
                Err(Halt::Stopped(why)) => return End::Stopped(why),
            }
        }
        match self.limits.depth.filter(|_| self.was_cut) {
            Some(depth) => End::Stopped(Why::DepthLimit(depth)),
            None => End::Nothing,
        }
    }

    fn search(&mut self, initial: &[u64], watch: &mut dyn Watch) -> Result<(), Halt> {
        self.stack.restart(0, initial);
        self.marks.clear();
        self.marks.push(0);
        name(&mut self.stack, &self.store, &mut self.local);
        let entry = self.stack.waiting()[0];
        self.visit(entry)?;
        while self.stack.depth().is_some() {
            match self.stack.next() {
                Some(entry) => self.visit(entry)?,
                None => self.leave(),
            }
            self.look_at_limits(watch)?;
        }
        Ok(())
    }

    fn visit(&mut self, entry: Entry) -> Result<(), Halt> {
        match self.insert(entry)? {
            Insertion::New(key) => self.enter(entry, key),
            Insertion::Known(key) => self.close(entry, key),
            Insertion::Crowded => Ok(()),
        }
    }

    fn insert(&mut self, entry: Entry) -> Result<Insertion, Halt> {
        loop {
            match self.store.insert(&mut self.local, self.stack.words(entry), entry.digest, Glance::default()) {
                Insertion::Crowded => self.store.grow(self.limits.memory).map_err(|it| self.out_of_memory(it))?,
                inserted => return Ok(inserted),
            }
        }
    }

    fn out_of_memory(&self, _: OutOfMemory) -> Halt {
        Halt::Stopped(Why::MemoryLimit(self.limits.memory.unwrap_or(0)))
    }

    /// A new state is a component of its own.
    fn enter(&mut self, entry: Entry, key: Key) -> Result<(), Halt> {
        self.state.clear();
        self.state.extend_from_slice(self.stack.words(entry));
        let mut number = UNTRACKED;
        if self.matters[split(&self.state).1 as usize] {
            number = self.live.len() as u32;
            self.live.push(key);
            self.numbers.set(key, number);
            self.roots.push(Root { number, marks: 0, entered: self.marks[entry.row()] });
        }
        self.stack.push(entry);
        self.way.push(number);
        let depth = self.stack.depth().unwrap_or(0);
        self.deepest = self.deepest.max(depth);
        if self.limits.depth.is_some_and(|limit| depth >= limit) {
            self.was_cut = true;
            return Ok(());
        }
        let before = self.stack.states().len();
        match self.product.enter(&self.state, self.stack.states(), &mut self.marks) {
            Ok(()) => {}
            Err(Stopped::Forbidden(what)) => return Err(self.forbidden(what)),
            Err(Stopped::Unsupported(why)) => return Err(Halt::Stopped(why)),
        }
        self.transitions += (self.stack.states().len() - before) as u64;
        name(&mut self.stack, &self.store, &mut self.local);
        Ok(())
    }

    /// An edge to a known state may join components.
    fn close(&mut self, entry: Entry, key: Key) -> Result<(), Halt> {
        let from = self.way.last().copied().unwrap_or(UNTRACKED);
        if from == UNTRACKED || !self.matters[split(self.stack.words(entry)).1 as usize] {
            return Ok(());
        }
        let to = self.numbers.get(key);
        if to == COMPLETE {
            return Ok(());
        }
        let mut marks = self.marks[entry.row()];
        while let Some(root) = self.roots.pop_if(|it| it.number > to) {
            marks |= root.marks | root.entered;
        }
        let Some(root) = self.roots.last_mut() else { return Ok(()) };
        root.marks |= marks;
        if root.marks & self.wanted == self.wanted {
            let number = root.number;
            return Err(self.cycle_from(number));
        }
        Ok(())
    }

    fn leave(&mut self) {
        let number = self.way.pop().unwrap_or(UNTRACKED);
        if number != UNTRACKED && self.roots.pop_if(|it| it.number == number).is_some() {
            for key in self.live.drain(number as usize..) {
                self.numbers.set(key, COMPLETE);
            }
        }
        self.stack.top().into_iter().for_each(|it| self.product.leave(it));
        self.stack.pop();
        self.marks.truncate(self.stack.next_row());
    }

    fn forbidden(&self, what: Forbidden) -> Halt {
        Halt::Found(Box::new(Lasso { way: self.stack.way(), cycle: Vec::new(), forbidden: Some(what) }))
    }

    /// A cycle in the component that begins with this state.
    fn cycle_from(&mut self, number: u32) -> Halt {
        let depth = self.way.iter().position(|&it| it == number).unwrap_or(0);
        let mut way = self.stack.way();
        way.truncate(depth + 1);
        self.product.expander.look_away();
        let Couvreur { product, store, local, numbers, .. } = self;
        let edges = |state: &Vec<u64>| {
            let mut is_inside = |state: &[u64]| {
                let digest = store.digest(local, state, None);
                let number_of = |key| Some(numbers.get(key)).filter(|&it| it != COMPLETE);
                match store.insert(local, state, digest, Glance::default()) {
                    Insertion::Known(key) => number_of(key).is_some_and(|it| it >= number),
                    _ => false,
                }
            };
            let mut hops = product.hops(state);
            hops.retain(|it| is_inside(&it.0));
            hops
        };
        let cycle = way.last().and_then(|root| cycle(root, self.wanted, edges)).unwrap_or_default();
        Halt::Found(Box::new(Lasso { way, cycle, forbidden: None }))
    }

    fn look_at_limits(&mut self, watch: &mut dyn Watch) -> Result<(), Halt> {
        self.turns += 1;
        if !self.turns.is_multiple_of(TICK) {
            return Ok(());
        }
        self.store.make_room(self.limits.memory);
        let progress = self.progress();
        let full = (!self.stack.has_room() || self.live.len() >= UNTRACKED as usize)
            .then_some(Why::MemoryLimit(progress.memory));
        let why = full.or_else(|| self.limits.passed(&progress, progress.elapsed, watch));
        why.map_or(Ok(()), |why| Err(Halt::Stopped(why)))
    }

    /// How far it is.
    pub fn progress(&self) -> Progress {
        let own = self.marks.capacity() * 16 + self.live.capacity() * 8 + self.way.capacity() * 4;
        Progress {
            states: self.store.len(),
            transitions: self.transitions,
            depth: self.deepest,
            frontier: self.way.len() as u64,
            memory: self.store.memory() + self.stack.memory() + self.numbers.memory() + own as u64,
            elapsed: self.began.elapsed(),
        }
    }

    /// What it searched.
    pub fn into_parts(self) -> (Product<'a>, S) {
        (self.product, self.store)
    }
}

/// Why the search does not go on.
enum Halt {
    Found(Box<Lasso>),
    Stopped(Why),
}

/// Per place of a claim: whether it is in a part of the claim whose edges have all sets.
pub fn matters(claim: &Claim) -> Vec<bool> {
    let targets =
        |it: &model::ClaimLocation| it.edges.iter().filter_map(|it| it.target).map(|it| it as usize).collect();
    let edges: Vec<Vec<usize>> = claim.locations.iter().map(targets).collect();
    let all = (1u64 << claim.sets) as u32 - 1;
    let mut matters = vec![false; edges.len()];
    for part in components(&edges) {
        let inner = part.iter().flat_map(|&it| &claim.locations[it].edges);
        let inner = inner.filter(|it| it.target.is_some_and(|it| part.contains(&(it as usize))));
        let (count, sets) = inner.fold((0, 0), |(count, sets), it| (count + 1, sets | it.sets));
        part.into_iter().for_each(|it| matters[it] = count > 0 && sets & all == all);
    }
    matters
}
