//! One worker of a search: expands the states of a block, batch by batch.
//!
//! Looking up a state in a large table waits for memory. So successors are collected, the places where
//! each belongs are fetched at once, and only then is each looked up.
use std::sync::{PoisonError, RwLock};

use compiled::{Steps, Successors, Trouble};
use engine::{Question, ViolationKind};
use model::semantics::{Failure, FailureKind, State, Step};
use store::{Digest, Glance, Insertion, Near, OutOfMemory, Store, Trail};

use crate::chain::{Arrive, successors};
use crate::checkpoint::Unsettled;
use crate::found::{Findings, Found, invalid_end};
use crate::frontier::{BLOCK, Block};

/// Successors in a batch.
const BATCH: usize = 128;

/// What one worker has.
pub struct Worker<'a, S: Store, B> {
    steps: Steps<'a>,
    question: &'a Question,
    limit: Option<u64>,
    local: S::Local,
    /// Successors whose states are looked up together.
    batch: Successors,
    digests: Vec<Digest>,
    glances: Vec<Glance>,
    state: Vec<u64>,
    trail: Trail,
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
    /// What was found.
    pub findings: Findings,
    /// Locations reached in steps of the reference interpreter.
    pub reached: Vec<Vec<bool>>,
}

/// What a worker counts.
#[derive(Clone, Copy, Debug, Default)]
pub struct Counts {
    /// Arrivals at a state.
    pub transitions: u64,
    /// Steps in between.
    pub inner: u64,
    /// Words of the longest state.
    pub longest: usize,
}

/// What a worker, or all of them together, have counted and found.
#[derive(Clone, Debug, Default)]
pub struct Knowledge {
    /// What was counted.
    pub counts: Counts,
    /// What was found.
    pub findings: Findings,
    /// Per process type and location: whether it was reached.
    pub reached: Vec<Vec<bool>>,
}

impl Knowledge {
    /// Takes over what another worker knows.
    pub fn add(&mut self, other: Knowledge) {
        self.counts.add(other.counts);
        self.findings.merge(other.findings);
        if self.reached.is_empty() {
            self.reached = other.reached;
            return;
        }
        for (row, more) in self.reached.iter_mut().zip(other.reached) {
            row.iter_mut().zip(more).for_each(|(it, more)| *it |= more);
        }
    }
}

impl Counts {
    /// Takes over what another worker has counted.
    pub fn add(&mut self, other: Counts) {
        self.transitions += other.transitions;
        self.inner += other.inner;
        self.longest = self.longest.max(other.longest);
    }
}

impl<'a, S: Store, B: Block<S>> Worker<'a, S, B> {
    /// A worker with nothing to do yet.
    pub fn new(steps: Steps<'a>, store: &S, question: &'a Question, limit: Option<u64>) -> Self {
        let reached = steps.system().model().processes.iter().map(|it| vec![false; it.locations.len()]).collect();
        Worker {
            batch: steps.buffer(),
            steps,
            question,
            limit,
            local: store.local(),
            digests: Vec::new(),
            glances: Vec::new(),
            state: Vec::new(),
            trail: Trail::new(),
            done: 0,
            fresh: B::default(),
            full: Vec::new(),
            counts: Counts::default(),
            new_transitions: 0,
            findings: Findings::default(),
            reached,
        }
    }

    /// Stores the initial state.
    pub fn begin(&mut self, initial: &State, store: &RwLock<S>) -> Result<(), OutOfMemory> {
        self.mark(initial);
        let mut words = Vec::new();
        self.steps.pack(initial, &mut words);
        self.batch.push(&words);
        self.state.clear();
        self.flush(store, 0)
    }

    /// Expands the states of a block, which are so many steps from the initial one. If memory runs out, the first `done`
    /// states are expanded, and the successors that could not be looked up stay in the batch: see [`Worker::unsettled`].
    pub fn expand(&mut self, block: &B, level: u64, store: &RwLock<S>) -> Result<(), OutOfMemory> {
        let mut row = 0;
        while row < block.len() {
            let guard = store.read().unwrap_or_else(PoisonError::into_inner);
            while row < block.len() && self.digests.len() < BATCH {
                let (mut state, mut trail) = (std::mem::take(&mut self.state), std::mem::take(&mut self.trail));
                block.load(row, &guard, &mut state, &mut trail);
                (self.state, self.trail) = (state, trail);
                self.expand_state(level);
                self.look_ahead(&guard);
                row += 1;
            }
            drop(guard);
            self.done = row;
            self.flush(store, level + 1)?;
        }
        Ok(())
    }

    /// Adds the successors of the state in hand to the batch.
    fn expand_state(&mut self, level: u64) {
        match self.steps.successors(&self.state, &mut self.batch) {
            Ok(true) => {}
            Ok(false) => self.end(level),
            Err(Trouble) => self.interpret(level),
        }
    }

    /// The digests of the new successors, whose lines of the table are on their way from now on.
    fn look_ahead(&mut self, store: &S) {
        for row in self.digests.len()..self.batch.len() {
            let near = (!self.state.is_empty()).then_some(Near { state: &self.state, trail: &self.trail });
            let digest = store.digest(&mut self.local, self.batch.get(row), near);
            store.prefetch(digest);
            self.digests.push(digest);
        }
    }

    /// Looks up the successors of the batch. After an error the batch is as it was, and nothing of it is counted.
    fn flush(&mut self, store: &RwLock<S>, level: u64) -> Result<(), OutOfMemory> {
        let mut row = 0;
        let mut guard = store.read().unwrap_or_else(PoisonError::into_inner);
        self.look_ahead(&guard);
        self.glances.clear();
        self.glances.extend(self.digests.iter().map(|&digest| guard.glance(digest)));
        while row < self.digests.len() {
            let mut insertion =
                guard.insert(&mut self.local, self.batch.get(row), self.digests[row], self.glances[row]);
            if insertion == Insertion::Crowded {
                drop(guard);
                insertion = self.insert_alone(store, row)?;
                guard = store.read().unwrap_or_else(PoisonError::into_inner);
            }
            if let Insertion::New(key) = insertion {
                self.arrive(row, level);
                self.fresh.push(key, self.batch.get(row));
                if self.fresh.len() == BLOCK {
                    self.full.push(std::mem::take(&mut self.fresh));
                }
            }
            row += 1;
        }
        drop(guard);
        self.new_transitions += row as u64;
        self.counts.transitions += row as u64;
        self.counts.inner += self.batch.inner;
        self.batch.clear();
        self.digests.clear();
        Ok(())
    }

    /// Inserts while nobody else uses the store, which grows as often as it has to.
    fn insert_alone(&mut self, store: &RwLock<S>, row: usize) -> Result<Insertion, OutOfMemory> {
        let mut store = store.write().unwrap_or_else(PoisonError::into_inner);
        loop {
            match store.insert(&mut self.local, self.batch.get(row), self.digests[row], Glance::default()) {
                Insertion::Crowded => store.grow(self.limit)?,
                inserted => return Ok(inserted),
            }
        }
    }

    /// A new state.
    fn arrive(&mut self, row: usize, level: u64) {
        let words = self.batch.get(row);
        self.counts.longest = self.counts.longest.max(words.len());
        let system = self.steps.system();
        if system.model().invariants.is_empty() {
            return;
        }
        let mut state = State::default();
        self.steps.unpack(words, &mut state);
        if let Some((invariant, fault)) = system.broken_invariant(&state) {
            let kind = ViolationKind::Invariant { invariant: invariant as u32, fault };
            self.findings.add(Found { level, state: words.to_vec(), path: Vec::new(), kind }, &state);
        }
    }

    /// The state in hand has no successor.
    fn end(&mut self, level: u64) {
        if !self.question.end_states {
            return;
        }
        let mut state = State::default();
        self.steps.unpack(&self.state, &mut state);
        if let Some(kind) = invalid_end(self.steps.system(), &state) {
            self.findings.add(Found { level, state: self.state.clone(), path: Vec::new(), kind }, &state);
        }
    }

    /// Asks the reference interpreter for the successors of the state in hand.
    fn interpret(&mut self, level: u64) {
        let mut state = State::default();
        self.steps.unpack(&self.state, &mut state);
        let system = self.steps.system();
        let moved = successors(system, &state, &mut Interpreted { worker: self, level, from: &state });
        if !moved {
            self.end(level);
        }
    }

    /// Remembers where every process is.
    fn mark(&mut self, state: &State) {
        for process in 0..state.process_count() {
            self.reached[state.type_of(process).0 as usize][state.location_of(process).0 as usize] = true;
        }
    }

    /// All locations that were reached.
    fn locations(&self) -> Vec<Vec<bool>> {
        let model = self.steps.system().model();
        let mut reached = self.reached.clone();
        let mut all_taken = self.steps.taken();
        for (row, process) in model.processes.iter().enumerate() {
            let (own, others) = all_taken.split_at(process.edges.len());
            all_taken = others;
            let taken = process.edges.iter().zip(own).filter(|it| *it.1);
            for target in taken.filter_map(|(edge, _)| edge.target) {
                reached[row][target.0 as usize] = true;
            }
            if self.steps.spawned()[row] {
                reached[row][process.entry.0 as usize] = true;
            }
        }
        reached
    }

    /// What it has counted and found.
    pub fn knowledge(&self) -> Knowledge {
        Knowledge { counts: self.counts, findings: self.findings.clone(), reached: self.locations() }
    }

    /// Starts with what others have counted and found.
    pub fn take_up(&mut self, knowledge: Knowledge) {
        Knowledge { counts: self.counts, findings: self.findings, reached: self.reached } = knowledge;
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

    /// What is wrong with a state or the steps from it. For a worker that has nothing else in hand.
    pub fn reconsider(&mut self, state: &[u64], level: u64) -> Findings {
        let before = self.knowledge();
        self.batch.push(state);
        self.arrive(0, level);
        self.state = state.to_vec();
        self.interpret(level);
        self.batch.clear();
        let findings = std::mem::take(&mut self.findings);
        self.take_up(before);
        findings
    }
}

/// The successors of one state, from the reference interpreter.
struct Interpreted<'w, 'a, S: Store, B> {
    worker: &'w mut Worker<'a, S, B>,
    level: u64,
    from: &'w State,
}

impl<S: Store, B: Block<S>> Arrive for Interpreted<'_, '_, S, B> {
    fn state(&mut self, next: &State, _: &[Step]) {
        let mut words = Vec::new();
        self.worker.steps.pack(next, &mut words);
        self.worker.batch.push(&words);
        self.worker.mark(next);
    }

    fn failure(&mut self, failure: Failure, path: &[Step]) {
        if failure.kind == FailureKind::Assertion && !self.worker.question.assertions {
            return;
        }
        let state = self.worker.state.clone();
        let found = Found { level: self.level, state, path: path.to_vec(), kind: ViolationKind::Step(failure) };
        self.worker.findings.add(found, self.from);
    }

    fn inner(&mut self, next: &State) {
        self.worker.counts.inner += 1;
        self.worker.mark(next);
    }
}
