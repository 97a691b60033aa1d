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
//! All edges of a state are looked at when it is entered ([`crate::batch`]): those to known states are done with then, and only
//! the others wait. States of parts of the claim without violating cycles are left to others ([`crate::approach`]).
use std::sync::Arc;
use std::time::Instant;

use compiled::Successors;
use engine::{Limits, Progress, Property, Watch, Why};
use rustc_hash::FxHashMap as HashMap;
use store::{Exact, Glance, Insertion, Key, Trail};

use crate::approach::{End, Lasso};
use crate::batch::Batch;
use crate::behaviours::wanted;
use crate::frontier::Keys;
use crate::lasso::{Marks, cycle};
use crate::product::{Product, Stopped, split};
use crate::shared::loaded;
use crate::slip::Slip;

/// Turns between two looks at the clock and the store.
const TICK: u64 = 1024;

/// A state that nobody has been to.
pub const NEW: u32 = u32::MAX;
/// A state of a complete component.
const COMPLETE: u32 = u32::MAX - 1;

/// A component that is not complete.
struct Root {
    /// Of its first state.
    number: u32,
    /// Those of all its edges.
    marks: Marks,
    /// Those of the edge that leads to it.
    entered: Marks,
}

/// A state on the way.
struct Frame {
    key: Key,
    number: u32,
    /// How many successors of states before it wait.
    waiting: usize,
    /// The system was asked for its successors.
    was_asked: bool,
}

/// The number of each state that was visited.
pub enum Numbers {
    /// Keys are numbers themselves.
    Dense(Vec<u32>),
    /// Keys are scattered.
    Sparse(HashMap<u64, u32>),
}

impl Numbers {
    /// Of a state; [`NEW`] if it has none.
    #[inline]
    pub fn get(&self, key: Key) -> u32 {
        match self {
            Numbers::Dense(list) => list.get(key.0 as usize).copied().unwrap_or(NEW),
            Numbers::Sparse(map) => map.get(&key.0).copied().unwrap_or(NEW),
        }
    }

    /// Gives one to a state.
    #[inline]
    pub fn set(&mut self, key: Key, number: u32) {
        match self {
            Numbers::Dense(list) => {
                if list.len() <= key.0 as usize {
                    list.resize(key.0 as usize + 1, NEW);
                }
                list[key.0 as usize] = number;
            }
            Numbers::Sparse(map) => _ = map.insert(key.0, number),
        }
    }

    /// Bytes in use.
    pub fn memory(&self) -> u64 {
        match self {
            Numbers::Dense(list) => list.capacity() as u64 * 4,
            Numbers::Sparse(map) => map.capacity() as u64 * 17,
        }
    }
}

/// The search.
pub struct Couvreur<'a> {
    limits: &'a Limits,
    slip: Option<Slip>,
    /// Per place of the claim: whether it can be on a cycle with all sets.
    matters: Arc<[bool]>,
    wanted: Marks,
    frames: Vec<Frame>,
    /// Successors of states on the way that were new when these were entered, each with what the edge to it counts for.
    waiting: Vec<(Key, Marks)>,
    numbers: Numbers,
    roots: Vec<Root>,
    /// The states of components that are not complete, in the order of their numbers.
    live: Vec<Key>,
    batch: Batch,
    exits: Keys,
    transitions: u64,
    deepest: u64,
    was_cut: bool,
    turns: u64,
    began: Instant,
}

/// Why the search does not go on.
enum Halt {
    Found(Box<Lasso>),
    Stopped(Why),
}

/// What is searched, and what of it is known.
struct Known<'s, 'a, S: Exact> {
    store: &'s mut S,
    product: &'s mut Product<'a>,
    local: S::Local,
    /// How far the search was when this part of it began.
    before: &'s Progress,
}

impl<'a> Couvreur<'a> {
    /// A search that has not begun, for a claim with these places that matter.
    pub fn new(
        property: Property<'_>,
        buffer: Successors,
        matters: Arc<[bool]>,
        numbers: Numbers,
        limits: &'a Limits,
        slip: Option<Slip>,
    ) -> Self {
        Couvreur {
            batch: Batch::new(buffer),
            wanted: wanted(property.watcher.claim.sets, property.fairness),
            limits,
            slip,
            matters,
            frames: Vec::new(),
            waiting: Vec::new(),
            numbers,
            roots: Vec::new(),
            live: Vec::new(),
            exits: Keys::default(),
            transitions: 0,
            deepest: 0,
            was_cut: false,
            turns: 0,
            began: Instant::now(),
        }
    }

    fn search<S: Exact>(&mut self, seed: Key, known: &mut Known<'_, 'a, S>, watch: &mut dyn Watch) -> Result<(), Halt> {
        self.visit(seed, 0, known)?;
        while let Some(frame) = self.frames.last() {
            let waits = self.waiting.len() > frame.waiting;
            match self.waiting.pop_if(|_| waits) {
                Some((key, marks)) => self.visit(key, marks, known)?,
                None => self.leave(known),
            }
            self.look_at_limits(known, watch)?;
        }
        Ok(())
    }

    /// An edge to a state.
    #[inline]
    fn visit<S: Exact>(&mut self, key: Key, marks: Marks, known: &mut Known<'_, 'a, S>) -> Result<(), Halt> {
        match self.numbers.get(key) {
            NEW => self.enter(key, marks, known),
            COMPLETE => Ok(()),
            number => self.close(number, marks, known),
        }
    }

    /// A new state is a component of its own.
    fn enter<S: Exact>(&mut self, key: Key, entered: Marks, known: &mut Known<'_, 'a, S>) -> Result<(), Halt> {
        let number = self.live.len() as u32;
        self.live.push(key);
        self.numbers.set(key, number);
        self.roots.push(Root { number, marks: 0, entered });
        let depth = self.frames.len() as u64;
        self.frames.push(Frame { key, number, waiting: self.waiting.len(), was_asked: false });
        self.deepest = self.deepest.max(depth);
        if self.limits.depth.is_some_and(|limit| depth >= limit) {
            self.was_cut = true;
            return Ok(());
        }
        self.batch.clear();
        match self.batch.add(key, known.product, known.store, &mut known.local) {
            Ok(was_asked) => self.frames.last_mut().into_iter().for_each(|it| it.was_asked = was_asked),
            Err(Stopped::Forbidden(what)) => {
                let (way, cycle) = (self.way(known.store, self.frames.len()), Vec::new());
                return Err(Halt::Found(Box::new(Lasso { way, cycle, forbidden: Some(what) })));
            }
            Err(Stopped::Unsupported(why)) => return Err(Halt::Stopped(why)),
        }
        self.look_at_successors(known)
    }

    /// Those that are known are done with; the others wait.
    fn look_at_successors<S: Exact>(&mut self, known: &mut Known<'_, 'a, S>) -> Result<(), Halt> {
        while self.batch.look_up(known.store, &mut known.local).is_err() {
            let limit = self.limits.memory;
            known.store.grow(limit).map_err(|_| Halt::Stopped(Why::MemoryLimit(limit.unwrap_or(0))))?;
        }
        self.transitions += self.batch.keys.len() as u64;
        for row in (0..self.batch.keys.len()).rev() {
            let ((key, is_new), marks) = (self.batch.keys[row], self.batch.marks[row]);
            let state = self.batch.states.get(row);
            if !self.matters[split(state).1 as usize] {
                if is_new {
                    self.exits.add(key);
                }
                continue;
            }
            match self.numbers.get(key) {
                NEW => self.waiting.push((key, marks)),
                COMPLETE => {}
                number => self.close(number, marks, known)?,
            }
        }
        Ok(())
    }

    /// An edge to a state on the way, or behind one, joins components.
    fn close<S: Exact>(&mut self, to: u32, mut marks: Marks, known: &mut Known<'_, 'a, S>) -> Result<(), Halt> {
        while let Some(root) = self.roots.pop_if(|it| it.number > to) {
            let entered = if self.slip == Some(Slip::Between) { 0 } else { root.entered };
            marks |= root.marks | entered;
        }
        let Some(root) = self.roots.last_mut() else { return Ok(()) };
        root.marks |= marks;
        if root.marks & self.wanted != self.wanted {
            return Ok(());
        }
        let first = root.number;
        Err(self.cycle_from(first, known))
    }

    fn leave<S: Exact>(&mut self, known: &mut Known<'_, 'a, S>) {
        let Some(frame) = self.frames.pop() else { return };
        if self.roots.pop_if(|it| it.number == frame.number).is_some() {
            for key in self.live.drain(frame.number as usize..) {
                self.numbers.set(key, COMPLETE);
            }
        }
        if frame.was_asked && known.product.expander.looks_at_stack() {
            known.store.load(frame.key, &mut self.batch.state, &mut Trail::new());
            known.product.expander.leave(split(&self.batch.state).0);
        }
    }

    /// The first states on the way.
    fn way<S: Exact>(&self, store: &S, count: usize) -> Vec<Vec<u64>> {
        self.frames[..count].iter().map(|it| loaded(store, it.key)).collect()
    }

    /// A cycle in the component that begins with this state.
    fn cycle_from<S: Exact>(&mut self, first: u32, known: &mut Known<'_, 'a, S>) -> Halt {
        let depth = self.frames.iter().position(|it| it.number == first).unwrap_or(0);
        let way = self.way(known.store, depth + 1);
        let Known { store, product, local, .. } = known;
        let numbers = &self.numbers;
        product.expander.look_away();
        let mut inside = |state: &[u64]| {
            let digest = store.digest(local, state, None);
            match store.insert(local, state, digest, Glance::default()) {
                Insertion::Known(key) if (first..COMPLETE).contains(&numbers.get(key)) => Some(loaded(*store, key)),
                _ => None,
            }
        };
        let edges = |state: &Vec<u64>| {
            let hops = product.hops(state).into_iter();
            hops.filter_map(|(next, marks)| Some((inside(&next)?, marks))).collect()
        };
        let cycle = way.last().and_then(|root| cycle(root, self.wanted, edges)).unwrap_or_default();
        Halt::Found(Box::new(Lasso { way, cycle, forbidden: None }))
    }

    fn look_at_limits<S: Exact>(&mut self, known: &mut Known<'_, 'a, S>, watch: &mut dyn Watch) -> Result<(), Halt> {
        self.turns += 1;
        if !self.turns.is_multiple_of(TICK) {
            return Ok(());
        }
        known.store.make_room(self.limits.memory);
        let progress = self.progress(known.store, known.before);
        let full = (self.live.len() >= COMPLETE as usize).then_some(Why::MemoryLimit(progress.memory));
        let why = full.or_else(|| self.limits.passed(&progress, progress.elapsed, watch));
        why.map_or(Ok(()), |why| Err(Halt::Stopped(why)))
    }

    /// Looks for a cycle that can be reached from the seeds, which are stored, after a search that has come so far.
    pub fn run<S: Exact>(
        &mut self,
        store: &mut S,
        product: &mut Product<'a>,
        seeds: Vec<Key>,
        before: &Progress,
        watch: &mut dyn Watch,
    ) -> End {
        let mut known = Known { local: store.local(), store, product, before };
        for seed in seeds {
            match self.search(seed, &mut known, watch) {
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

    /// States that it has come to first, in parts where no cycle violates anything.
    pub fn exits(&mut self) -> Keys {
        std::mem::take(&mut self.exits)
    }

    /// How far all is.
    pub fn progress<S: Exact>(&self, store: &S, before: &Progress) -> Progress {
        let own = self.waiting.capacity() * size_of::<(Key, Marks)>()
            + self.live.capacity() * size_of::<Key>()
            + self.frames.capacity() * size_of::<Frame>();
        Progress {
            states: store.len(),
            transitions: before.transitions + self.transitions,
            depth: before.depth.max(self.deepest),
            frontier: before.frontier + self.frames.len() as u64,
            memory: store.memory() + self.numbers.memory() + own as u64,
            elapsed: self.began.elapsed(),
        }
    }
}
