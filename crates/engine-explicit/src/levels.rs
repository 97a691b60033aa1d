//! Breadth-first search by any number of workers.
//!
//! ```text
//! level := { initial }
//! while the level is not empty:
//!     workers take blocks of the level; each adds the new states it finds to blocks of the next
//!     when all are done, the next level becomes the level
//! ```
//!
//! All states at one distance from the initial state are expanded before any further one, so that
//! distances, and with them shortest traces, do not depend on the number of workers. A violation
//! ends the search only when its level is complete.
//!
//! Now and then somebody wants a checkpoint. Then nobody begins another block, and when all rest, the first worker
//! writes down what all know; the level goes on afterwards.
use std::io::{self, Read};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard, RwLock};
use std::time::{Duration, Instant};

use engine::{Keeper, Limits, Progress, Watch, Why};
use store::{OutOfMemory, Saved, Store, Unreadable};

use crate::barrier::Barrier;
use crate::checkpoint::{Label, Resting, Saying, Unsettled, Unusable, read, write};
use crate::expander::{Expand, Knowledge};
use crate::frontier::{Block, Pile};
use crate::shared::{lock, opened, reading};
use crate::worker::Worker;

/// Blocks of so few states are not divided.
const SMALL: usize = 64;
/// A level of so few states is the work of one: it is over before the others have woken up.
const ALONE: u64 = 512;

/// What workers share.
pub struct Search<'a, S, B> {
    /// The visited states.
    pub store: RwLock<S>,
    limits: &'a Limits,
    began: Instant,
    /// What the search took before it was resumed.
    before: Duration,
    board: Mutex<Board<B>>,
    /// Nobody should begin another block.
    halted: AtomicBool,
    stop_at_violation: bool,
    /// How many workers there are.
    workers: usize,
}

/// Who has what to do.
pub struct Board<B> {
    /// The states that wait are one step less than this from the initial one.
    pub level: u64,
    /// Blocks of this level that nobody has begun.
    pub waiting: Pile<B>,
    /// Blocks of the next level.
    pub next: Pile<B>,
    /// Blocks of this level that may not be expanded, since it is the last one.
    beyond: Pile<B>,
    waiting_states: u64,
    next_states: u64,
    /// Arrivals at a state, new or known.
    pub transitions: u64,
    violated: bool,
    why: Option<Why>,
    finished: bool,
}

/// How a search ended.
pub struct Ended {
    /// Why it stopped early.
    pub why: Option<Why>,
    /// How far it was.
    pub progress: Progress,
}

/// Who the first worker talks to.
pub struct Lead<'l, 'k> {
    /// Is told how far the search is.
    pub watch: &'l mut dyn Watch,
    /// Keeps checkpoints.
    pub keeper: Option<&'k mut dyn Keeper>,
    /// What the checkpoints belong to.
    pub label: &'l Label,
}

impl Lead<'_, '_> {
    fn wants_checkpoint(&self) -> bool {
        self.keeper.as_ref().is_some_and(|keeper| keeper.is_due())
    }
}

impl<B> Board<B> {
    /// Nobody has begun.
    pub fn new<S: Store>(level: u64, transitions: u64, waiting: Vec<B>, next: Vec<B>) -> Self
    where
        B: Block<S>,
    {
        let (waiting, next, beyond) = (Pile::of(waiting), Pile::of(next), Pile::default());
        let states = |pile: &Pile<B>| pile.blocks().map(|it| it.len() as u64).sum();
        let (waiting_states, next_states) = (states(&waiting), states(&next));
        let (violated, why, finished) = (false, None, false);
        Board { level, waiting, next, beyond, waiting_states, next_states, transitions, violated, why, finished }
    }
}

impl<'a, S: Saved, B: Block<S>> Search<'a, S, B> {
    /// A search that has not begun.
    pub fn new(store: S, limits: &'a Limits, stop_at_violation: bool, workers: usize) -> Self {
        Search {
            store: RwLock::new(store),
            limits,
            began: Instant::now(),
            before: Duration::ZERO,
            board: Mutex::new(Board::new(0, 0, Vec::new(), Vec::new())),
            halted: AtomicBool::new(false),
            stop_at_violation,
            workers,
        }
    }

    /// Takes up a search where a checkpoint was taken. The worker gets what was known there.
    pub fn resume<E: Expand>(
        &mut self,
        label: &Label,
        from: &mut dyn Read,
        worker: &mut Worker<E, S, B>,
    ) -> Result<(), Unusable> {
        let store = opened(&mut self.store);
        let said: Saying<B> = read(label, store, self.limits.memory, from)?;
        self.board = Mutex::new(said.board);
        self.before = said.elapsed;
        self.began = Instant::now();
        let mut known = Knowledge { counts: said.counts, reached: said.reached, ..Knowledge::default() };
        known.findings.errors = said.errors;
        for (signature, level, state) in said.violations {
            if !known.findings.adopt(&signature, worker.reconsider(&state, level)) {
                return Err(Unreadable::Damaged.into());
            }
        }
        worker.take_up(known);
        let level = self.board().level;
        worker.settle(&said.unsettled, level, &self.store).map_err(|it| Unreadable::from(it).into())
    }

    /// Puts what the first worker has begun with on the board.
    pub fn begin<E: Expand>(&self, first: &mut Worker<E, S, B>) {
        self.hand_in(first);
        if self.board().waiting.is_empty() {
            self.turn_over();
        }
    }

    /// After something was found for which it stopped: goes on with the next level, and with these states. Says whether any wait.
    pub fn go_on(&self, more: Vec<B>) -> bool {
        {
            let mut board = self.board();
            board.violated = false;
            for block in more.into_iter().filter(|it| it.len() > 0) {
                board.next_states += block.len() as u64;
                board.next.add(0, block);
            }
        }
        self.turn_over();
        self.halted.store(false, Ordering::Relaxed);
        !self.board().finished
    }

    /// Lets the workers expand every state that waits, and all that are reached from there.
    pub fn run<E: Expand>(&self, workers: &[Mutex<Worker<E, S, B>>], lead: &mut Lead<'_, '_>) -> Ended {
        let barrier = Barrier::new(workers.len());
        std::thread::scope(|scope| {
            for worker in &workers[1..] {
                let barrier = &barrier;
                scope.spawn(move || self.follow(worker, barrier));
            }
            self.lead(workers, &barrier, lead);
        });
        self.ended()
    }

    /// The first worker decides when a level is over; small levels it does alone.
    fn lead<E: Expand>(&self, workers: &[Mutex<Worker<E, S, B>>], barrier: &Barrier, lead: &mut Lead<'_, '_>) {
        while !self.board().finished {
            let together = self.workers > 1 && self.board().waiting_states > ALONE;
            if together {
                barrier.wait();
            }
            self.work(&mut lock(&workers[0]), Some(lead));
            if together {
                barrier.wait();
            }
            self.rest(workers, lead);
        }
        barrier.wait();
    }

    fn follow<E: Expand>(&self, worker: &Mutex<Worker<E, S, B>>, barrier: &Barrier) {
        loop {
            barrier.wait();
            if self.board().finished {
                return;
            }
            self.work(&mut lock(worker), None);
            barrier.wait();
        }
    }

    /// Nobody works: either the level is over, or the search, or somebody wanted a checkpoint.
    fn rest<E: Expand>(&self, workers: &[Mutex<Worker<E, S, B>>], lead: &mut Lead<'_, '_>) {
        let is_over = self.board().waiting.is_empty();
        if is_over || self.board().why.is_some() {
            self.turn_over();
        }
        let (is_finished, is_stopped) = {
            let board = self.board();
            (board.finished, board.why.is_some())
        };
        self.halted.store(is_finished, Ordering::Relaxed);
        if is_stopped || (!is_finished && lead.wants_checkpoint()) {
            let kept = self.keep(workers, lead);
            kept.unwrap_or_else(|error| lead.watch.warn(&not_written(is_stopped, &error)));
        }
    }

    /// Takes a checkpoint, while nobody works.
    pub fn keep<E: Expand>(&self, workers: &[Mutex<Worker<E, S, B>>], lead: &mut Lead<'_, '_>) -> io::Result<()> {
        let Some(keeper) = &mut lead.keeper else { return Ok(()) };
        let (mut knowledge, mut unsettled) = (Knowledge::default(), Unsettled::default());
        for worker in workers {
            let worker = lock(worker);
            let mut more = worker.unsettled();
            knowledge.add(worker.knowledge());
            unsettled.inner += more.inner;
            unsettled.states.append(&mut more.states);
        }
        let (board, elapsed) = (self.board(), self.elapsed());
        let resting = Resting { board: &board, elapsed, knowledge, unsettled };
        let store = reading(&self.store);
        keeper.keep(&mut |out| write(lead.label, &resting, &*store, out))
    }

    /// Takes blocks until there is none, or everybody is to rest.
    fn work<E: Expand>(&self, worker: &mut Worker<E, S, B>, mut lead: Option<&mut Lead<'_, '_>>) {
        while let Some((block, level)) = self.take(worker.row) {
            if self.limits.depth.is_some_and(|limit| level >= limit) {
                self.look(worker, block, level);
            } else {
                if worker.expand(&block, level, &self.store) == Err(OutOfMemory) {
                    self.stop(Why::MemoryLimit(self.limits.memory.unwrap_or(0)));
                }
                self.put_back(worker.row, block, worker.done);
            }
            self.hand_in(worker);
            let Some(lead) = &mut lead else { continue };
            if let Some(why) = self.limit_reached(lead.watch) {
                self.stop(why);
            } else if lead.wants_checkpoint() {
                self.halted.store(true, Ordering::Relaxed);
            }
        }
    }

    /// At the last level: states that lead further wait for a search that may follow them.
    fn look<E: Expand>(&self, worker: &mut Worker<E, S, B>, mut block: B, level: u64) {
        let moves = worker.look(&block, level, &self.store);
        block.keep(&moves);
        if block.len() > 0 {
            self.board().beyond.add(worker.row, block);
        }
    }

    /// Leaves the rest of a block to whoever goes on with it, perhaps from a checkpoint.
    fn put_back(&self, row: usize, mut block: B, done: usize) {
        block.skip(done);
        if block.len() > 0 {
            let mut board = self.board();
            board.waiting_states += block.len() as u64;
            board.waiting.add(row, block);
        }
    }

    fn take(&self, row: usize) -> Option<(B, u64)> {
        if self.halted.load(Ordering::Relaxed) {
            return None;
        }
        let mut board = self.board();
        let mut block = board.waiting.take(row)?;
        // Near the end of a level the others would wait for whoever has a large block.
        if board.waiting.len() + 1 < self.workers && block.len() >= 2 * SMALL {
            board.waiting.add(row, block.split());
        }
        board.waiting_states -= block.len() as u64;
        Some((block, board.level - 1))
    }

    /// Puts what a worker has found on the board.
    fn hand_in<E: Expand>(&self, worker: &mut Worker<E, S, B>) {
        let mut board = self.board();
        let full = std::mem::take(&mut worker.full);
        let rest = std::mem::take(&mut worker.fresh);
        for mut block in full.into_iter().chain([rest]).filter(|it| it.len() > 0) {
            block.fit();
            board.next_states += block.len() as u64;
            board.next.add(worker.row, block);
        }
        board.transitions += std::mem::take(&mut worker.new_transitions);
        board.violated |= worker.expander.has_found();
    }

    /// The next level becomes the level, unless the search is over.
    fn turn_over(&self) {
        let mut board = self.board();
        let mut beyond = std::mem::take(&mut board.beyond);
        if let Some(limit) = self.limits.depth.filter(|_| !beyond.is_empty()) {
            board.why = board.why.take().or(Some(Why::DepthLimit(limit)));
            board.waiting_states += beyond.blocks().map(|it| it.len() as u64).sum::<u64>();
            board.waiting.append(&mut beyond);
        }
        let violated = board.violated && self.stop_at_violation;
        board.finished = board.next.is_empty() || violated || board.why.is_some();
        if !board.finished {
            board.waiting = std::mem::take(&mut board.next);
            board.waiting_states = std::mem::take(&mut board.next_states);
            board.level += 1;
        }
    }

    fn stop(&self, why: Why) {
        self.halted.store(true, Ordering::Relaxed);
        let mut board = self.board();
        board.why = board.why.take().or(Some(why));
    }

    fn limit_reached(&self, watch: &mut dyn Watch) -> Option<Why> {
        self.limits.passed(&self.progress(), self.began.elapsed(), watch)
    }

    fn progress(&self) -> Progress {
        let (states, memory) = {
            let store = reading(&self.store);
            (store.len(), store.memory())
        };
        let board = self.board();
        let blocks = board.waiting.blocks().chain(board.next.blocks());
        Progress {
            states,
            transitions: board.transitions,
            depth: board.level.saturating_sub(1),
            frontier: board.waiting_states + board.next_states,
            memory: memory + blocks.map(Block::memory).sum::<u64>(),
            elapsed: self.elapsed(),
        }
    }

    /// What the search took, earlier runs included.
    fn elapsed(&self) -> Duration {
        self.before + self.began.elapsed()
    }

    fn ended(&self) -> Ended {
        let progress = self.progress();
        Ended { why: self.board().why.take(), progress }
    }

    fn board(&self) -> MutexGuard<'_, Board<B>> {
        lock(&self.board)
    }
}

fn not_written(is_last: bool, error: &io::Error) -> String {
    let then = if is_last { "the one before" } else { "the search goes on, and the one before" };
    format!("the checkpoint cannot be written: {error}; {then} stays")
}
