//! Cycles that violate a property, by a search inside a search.
//!
//! Courcoubetis, Vardi, Wolper, Yannakakis, *Memory-efficient algorithms for the verification of temporal properties*, 1992; Holzmann, Peled,
//! Yannakakis, *On nested depth first search*, 1996; cycles are seen as early as by Schwoon, Esparza, *A note on on-the-fly verification
//! algorithms*, 2005. A state is *cyan* while it is on the way of the first search and *red* once the second has been there.
//!
//! ```text
//! blue(s):  s is cyan
//!     for each t after s:  if t is cyan and s or t is accepting: a violation
//!                          if t is new: blue(t)
//!     if s is accepting: red(s)
//!     s is not cyan any more
//! red(s):   s is red
//!     for each t after s:  if t is cyan: a violation
//!                          if t is not red: red(t)
//! ```
//!
//! Whether a state is known and whether it is red is all that is kept of it, two bits, and no numbers: any store will do. What is cyan is compared word for word, so
//! that even in a store that may take a state for another no cycle is found that does not exist.
use std::time::Instant;

use engine::{Limits, Progress, Watch, Why};
use model::Claim;
use model::semantics::State;
use rustc_hash::FxHashMap as HashMap;
use store::{Digest, Glance, Insertion, Store};

use crate::approach::{End, Lasso};
use crate::lasso::Marks;
use crate::pace::Pace;
use crate::product::{Product, Stopped, split};
use crate::slip::Slip;
use crate::stack::{Entry, Stack, name};

/// Successors between two looks at the clock and the store.
const TICK: u64 = 1024;

/// In the word of the claim: the second search has been there.
const RED: u64 = 1 << 32;

/// Per place of a claim with one set: whether all its edges are in it.
pub fn accepting(claim: &Claim) -> Option<Vec<bool>> {
    let kind = |location: &model::ClaimLocation| {
        let mut edges = location.edges.iter().map(|it| claim.sets == 0 || it.sets & 1 == 1);
        let first = edges.next().unwrap_or(false);
        edges.all(|it| it == first).then_some(first)
    };
    if claim.sets > 1 { None } else { claim.locations.iter().map(kind).collect() }
}

/// The search.
pub struct Nested<'a, S: Store> {
    product: Product<'a>,
    /// What was visited.
    pub store: S,
    local: S::Local,
    limits: &'a Limits,
    slip: Option<Slip>,
    /// The way of the first search, and that of the second.
    blue: Stack,
    red: Stack,
    /// The states on the first way: for each hash, the frames.
    cyan: HashMap<u64, Vec<u32>>,
    accepting: Vec<bool>,
    marks: Vec<Marks>,
    transitions: u64,
    deepest: u64,
    was_cut: bool,
    turns: u64,
    pace: Pace,
    began: Instant,
}

/// Why the search does not go on.
enum Halt {
    Found(Box<Lasso>),
    Stopped(Why),
}

impl<'a, S: Store> Nested<'a, S> {
    /// A search that has not begun, for a claim with these accepting places.
    pub fn new(product: Product<'a>, store: S, accepting: Vec<bool>, limits: &'a Limits, slip: Option<Slip>) -> Self {
        Nested {
            blue: Stack::new(product.buffer()),
            red: Stack::new(product.buffer()),
            product,
            local: store.local(),
            store,
            limits,
            slip,
            cyan: HashMap::default(),
            accepting,
            marks: Vec::new(),
            transitions: 0,
            deepest: 0,
            was_cut: false,
            turns: 0,
            pace: Pace::new(),
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
        self.blue.restart(0, initial);
        name(&mut self.blue, &self.store, &mut self.local);
        let entry = self.blue.waiting()[0];
        self.visit(entry, watch)?;
        while self.blue.depth().is_some() {
            match self.blue.next() {
                Some(entry) => self.visit(entry, watch)?,
                None => self.leave(watch)?,
            }
            self.look_at_limits(watch)?;
        }
        Ok(())
    }

    fn is_accepting(&self, state: &[u64]) -> bool {
        self.accepting[split(state).1 as usize]
    }

    /// An edge of the first search.
    fn visit(&mut self, entry: Entry, watch: &mut dyn Watch) -> Result<(), Halt> {
        let state = self.blue.words(entry);
        if let Some(frame) = self.cyan_frame(entry.digest, state) {
            let closes = self.is_accepting(state) || self.blue.top().is_some_and(|it| self.is_accepting(it));
            return if closes { Err(self.found(frame, &[])) } else { Ok(()) };
        }
        let state = state.to_vec();
        match self.insert(&state, entry.digest)? {
            Insertion::New(_) => self.enter(entry, &state, watch),
            _ => Ok(()),
        }
    }

    fn enter(&mut self, entry: Entry, state: &[u64], watch: &mut dyn Watch) -> Result<(), Halt> {
        self.blue.push(entry);
        let depth = self.blue.depth().unwrap_or(0);
        self.deepest = self.deepest.max(depth);
        self.cyan.entry(entry.digest.0).or_default().push(depth as u32);
        if self.limits.depth.is_some_and(|limit| depth >= limit) {
            self.was_cut = true;
            return Ok(());
        }
        let before = self.blue.states().len();
        let expanded = self.product.expand(state, self.blue.states(), &mut self.marks);
        self.marks.clear();
        match expanded {
            Ok(_) => {}
            Err(Stopped::Forbidden(what)) => {
                let (way, cycle) = (self.blue.way(), Vec::new());
                return Err(Halt::Found(Box::new(Lasso { way, cycle, forbidden: Some(what) })));
            }
            Err(Stopped::Unsupported(why)) => return Err(Halt::Stopped(why)),
        }
        self.transitions += (self.blue.states().len() - before) as u64;
        name(&mut self.blue, &self.store, &mut self.local);
        if self.slip == Some(Slip::Nesting) { self.begin_second(state, watch) } else { Ok(()) }
    }

    /// An accepting state is where the second search begins, if that has not been there.
    fn begin_second(&mut self, state: &[u64], watch: &mut dyn Watch) -> Result<(), Halt> {
        if self.is_accepting(state) && self.redden(state)? { self.second(state, watch) } else { Ok(()) }
    }

    /// The first search is done with the state on top.
    fn leave(&mut self, watch: &mut dyn Watch) -> Result<(), Halt> {
        let Some(state) = self.blue.top().map(<[u64]>::to_vec) else { return Ok(()) };
        self.begin_second(&state, watch)?;
        let digest = self.store.digest(&mut self.local, &state, None);
        if let Some(frames) = self.cyan.get_mut(&digest.0) {
            frames.pop();
            if frames.is_empty() {
                self.cyan.remove(&digest.0);
            }
        }
        self.blue.pop();
        Ok(())
    }

    /// The second search, from an accepting state.
    fn second(&mut self, from: &[u64], watch: &mut dyn Watch) -> Result<(), Halt> {
        self.red.restart(0, from);
        name(&mut self.red, &self.store, &mut self.local);
        let entry = self.red.waiting()[0];
        let mut state = self.red.words(entry).to_vec();
        self.red.push(entry);
        self.expand_red(&state)?;
        while self.red.depth().is_some() {
            let Some(entry) = self.red.next() else {
                self.red.pop();
                continue;
            };
            state.clear();
            state.extend_from_slice(self.red.words(entry));
            if let Some(frame) = self.cyan_frame(entry.digest, &state) {
                return Err(self.found(frame, &state));
            }
            if self.redden(&state)? {
                self.red.push(entry);
                self.expand_red(&state)?;
            }
            self.look_at_limits(watch)?;
        }
        Ok(())
    }

    fn expand_red(&mut self, state: &[u64]) -> Result<(), Halt> {
        // What is wrong in a state was seen when it was blue.
        let _ = self.product.expand(state, self.red.states(), &mut self.marks);
        self.marks.clear();
        name(&mut self.red, &self.store, &mut self.local);
        Ok(())
    }

    /// Colours a state red; false if it was.
    fn redden(&mut self, state: &[u64]) -> Result<bool, Halt> {
        let twin = twin(state);
        let digest = self.store.digest(&mut self.local, &twin, None);
        Ok(matches!(self.insert(&twin, digest)?, Insertion::New(_)))
    }

    fn insert(&mut self, state: &[u64], digest: Digest) -> Result<Insertion, Halt> {
        loop {
            match self.store.insert(&mut self.local, state, digest, Glance::default()) {
                Insertion::Crowded => {
                    let limit = self.limits.memory;
                    self.store.grow(limit).map_err(|_| Halt::Stopped(Why::MemoryLimit(limit.unwrap_or(0))))?;
                }
                inserted => return Ok(inserted),
            }
        }
    }

    /// Where a state is on the first way, if it is there.
    fn cyan_frame(&self, digest: Digest, state: &[u64]) -> Option<usize> {
        let frames = self.cyan.get(&digest.0)?;
        frames.iter().map(|&it| it as usize).find(|&it| self.blue.at(it) == Some(state))
    }

    /// A cycle from a state on the first way over the second way back to it.
    fn found(&self, frame: usize, last: &[u64]) -> Halt {
        let mut way = self.blue.way();
        let mut cycle = way.split_off(frame + 1);
        if !last.is_empty() {
            cycle.extend(self.red.way().into_iter().skip(1));
        }
        cycle.extend(way.last().cloned());
        let cycle = cycle.into_iter().map(|it| (it, 0)).collect();
        Halt::Found(Box::new(Lasso { way, cycle, forbidden: None }))
    }

    fn look_at_limits(&mut self, watch: &mut dyn Watch) -> Result<(), Halt> {
        self.turns += 1;
        if !self.turns.is_multiple_of(TICK) && !self.pace.is_due() {
            return Ok(());
        }
        self.store.make_room(self.limits.memory);
        let progress = self.progress();
        let has_room = self.blue.has_room() && self.red.has_room();
        let full = (!has_room).then_some(Why::MemoryLimit(progress.memory));
        let why = full.or_else(|| self.limits.passed(&progress, progress.elapsed, watch));
        why.map_or(Ok(()), |why| Err(Halt::Stopped(why)))
    }

    /// How far it is.
    pub fn progress(&self) -> Progress {
        Progress {
            states: self.store.len(),
            transitions: self.transitions,
            depth: self.deepest,
            frontier: self.blue.depth().map_or(0, |it| it + 1),
            memory: self.store.memory() + self.blue.memory() + self.red.memory() + self.cyan.capacity() as u64 * 32,
            elapsed: self.began.elapsed(),
        }
    }
}

/// The red twin of a state.
fn twin(state: &[u64]) -> Vec<u64> {
    let mut twin = state.to_vec();
    twin.last_mut().into_iter().for_each(|it| *it |= RED);
    twin
}
