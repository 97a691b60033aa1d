//! One worker of a search: expands the states of a block, batch by batch.
//!
//! Looking up a state in a large table waits for memory. So successors are collected, the places where
//! each belongs are fetched at once, and only then is each looked up. Those that were met a moment ago
//! are not looked up at all.
use std::sync::RwLock;

use compiled::Successors;
use model::semantics::State;
use store::{Digest, Glance, Insertion, Near, OutOfMemory, Store, Trail};

use crate::checkpoint::Unsettled;
use crate::expander::{Counts, Expand, Knowledge};
use crate::found::Findings;
use crate::frontier::{BLOCK, Block};
use crate::lookup::Lookup;
use crate::pace::Pace;
use crate::shared::{reading, writing};

/// Successors of a batch that are looked up.
const BATCH: usize = 128;
/// A batch is full if it has so many successors, whether they are looked up or not.
const MOST: usize = 8 * BATCH;

/// What the state so many rows later needs is fetched when a state is expanded.
const AHEAD: usize = 2;

/// What one worker has.
pub struct Worker<E, S: Store, B> {
    /// Knows what a state leads to.
    pub expander: E,
    /// Its number.
    pub row: usize,
    limit: Option<u64>,
    /// What it keeps of the store to itself.
    pub local: S::Local,
    /// Successors whose states are looked up together.
    batch: Successors,
    lookup: Lookup,
    state: Vec<u64>,
    trail: Trail,
    pace: Pace,
    /// States of the block in hand whose successors are in the batch or were looked up.
    pub done: usize,
    /// New states.
    pub fresh: B,
    /// Blocks of new states that are full.
    pub full: Vec<B>,
    /// What was counted.
    pub counts: Counts,
    /// Transitions since somebody asked.
    pub new_transitions: u64,
}

impl<E: Expand, S: Store, B: Block<S>> Worker<E, S, B> {
    /// A worker with nothing to do yet.
    pub fn new(row: usize, expander: E, store: &S, limit: Option<u64>) -> Self {
        Worker {
            batch: expander.buffer(),
            expander,
            row,
            limit,
            local: store.local(),
            lookup: Lookup::default(),
            state: Vec::new(),
            trail: Trail::new(),
            pace: Pace::new(),
            done: 0,
            fresh: B::default(),
            full: Vec::new(),
            counts: Counts::default(),
            new_transitions: 0,
        }
    }

    /// Stores the initial state.
    pub fn begin(&mut self, initial: &State, store: &RwLock<S>) -> Result<(), OutOfMemory> {
        self.expander.begin(initial, &mut self.batch);
        self.state.clear();
        self.flush(store, 0)
    }

    /// Expands the states of a block, which are so many steps from the initial one: the first `done` of them, for it rests when somebody
    /// should look at limits. If memory runs out, the successors that could not be looked up stay in the batch: see [`Worker::unsettled`].
    pub fn expand(&mut self, block: &B, level: u64, store: &RwLock<S>) -> Result<(), OutOfMemory> {
        let (mut row, mut is_due) = (0, false);
        while row < block.len() && !is_due {
            let guard = reading(store);
            while row < block.len() && self.lookup.len() < BATCH && self.lookup.seen < MOST && !is_due {
                let (mut state, mut trail) = (std::mem::take(&mut self.state), std::mem::take(&mut self.trail));
                block.touch(row + AHEAD, &guard);
                block.load(row, &guard, &mut state, &mut trail);
                (self.state, self.trail) = (state, trail);
                self.expander.expand(&self.state, level, &mut self.batch);
                self.look_ahead(&guard);
                row += 1;
                is_due = self.pace.is_due();
            }
            drop(guard);
            self.done = row;
            self.flush(store, level + 1)?;
        }
        Ok(())
    }

    /// Which of the states of a block can move, each of which is so many steps from the initial one.
    pub fn look(&mut self, block: &B, level: u64, store: &RwLock<S>) -> Vec<bool> {
        let guard = reading(store);
        let moves = (0..block.len()).map(|row| {
            block.load(row, &guard, &mut self.state, &mut self.trail);
            !self.expander.is_end(&self.state, level, &mut self.batch)
        });
        moves.collect()
    }

    /// The digests of further successors, whose lines of the table are on their way from now on.
    fn look_ahead(&mut self, store: &S) {
        let near = (!self.state.is_empty()).then_some(Near { state: &self.state, trail: &self.trail });
        self.lookup.add(&self.batch, near, store, &mut self.local);
    }

    /// Looks up the successors of the batch. After an error the batch is as it was, and nothing of it is counted.
    fn flush(&mut self, store: &RwLock<S>, level: u64) -> Result<(), OutOfMemory> {
        self.look_up(store, level).inspect_err(|_| {
            self.lookup.forget();
            self.expander.forget();
        })
    }

    fn look_up(&mut self, store: &RwLock<S>, level: u64) -> Result<(), OutOfMemory> {
        let mut guard = reading(store);
        self.look_ahead(&guard);
        self.lookup.sort_out(&self.batch, &*guard, &mut self.local);
        for (row, digest, glance) in self.lookup.new_ones() {
            let state = self.batch.get(row);
            let mut insertion = guard.insert(&mut self.local, state, digest, glance);
            if insertion == Insertion::Crowded {
                drop(guard);
                insertion = insert_alone(store, &mut self.local, state, digest, self.limit)?;
                guard = reading(store);
            }
            if let Insertion::New(key) = insertion {
                self.counts.longest = self.counts.longest.max(state.len());
                if self.expander.arrive(key, state, row, level) {
                    self.fresh.push(key, state);
                    if self.fresh.len() == BLOCK {
                        self.full.push(std::mem::take(&mut self.fresh));
                    }
                }
            }
        }
        let is_crowded = guard.is_crowded();
        drop(guard);
        if is_crowded {
            writing(store).make_room(self.limit);
        }
        self.settled();
        Ok(())
    }

    /// All successors of the batch were looked up.
    fn settled(&mut self) {
        let transitions = self.lookup.seen as u64;
        self.new_transitions += transitions;
        self.counts.transitions += transitions;
        self.counts.inner += self.batch.inner;
        self.batch.clear();
        self.lookup.clear();
        self.expander.settled();
    }

    /// What it has counted and found.
    pub fn knowledge(&self) -> Knowledge {
        self.expander.knowledge(self.counts)
    }

    /// Starts with what others have counted and found.
    pub fn take_up(&mut self, knowledge: Knowledge) {
        self.counts = knowledge.counts;
        self.expander.take_up(knowledge.findings, knowledge.reached);
    }

    /// Successors that could not be looked up because there was no memory.
    pub fn unsettled(&self) -> Unsettled {
        let states = (0..self.batch.len()).map(|row| self.batch.get(row).to_vec()).collect();
        Unsettled { inner: self.batch.inner, states }
    }

    /// Looks up what could not be looked up before.
    pub fn settle(&mut self, unsettled: &Unsettled, level: u64, store: &RwLock<S>) -> Result<(), OutOfMemory> {
        self.state.clear();
        unsettled.states.iter().for_each(|state| self.batch.push(state));
        self.batch.inner = unsettled.inner;
        self.flush(store, level)
    }

    /// What is wrong with a state or the steps from it.
    pub fn reconsider(&mut self, state: &[u64], level: u64) -> Findings {
        self.expander.reconsider(state, level)
    }
}

/// Inserts while nobody else uses the store, which grows as often as it has to.
#[cold]
fn insert_alone<S: Store>(
    store: &RwLock<S>,
    local: &mut S::Local,
    state: &[u64],
    digest: Digest,
    limit: Option<u64>,
) -> Result<Insertion, OutOfMemory> {
    let mut store = writing(store);
    loop {
        match store.insert(local, state, digest, Glance::default()) {
            Insertion::Crowded => store.grow(limit)?,
            inserted => return Ok(inserted),
        }
    }
}
