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
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Barrier, Mutex, MutexGuard, PoisonError, RwLock};
use std::time::Instant;

use engine::{Limits, Progress, Watch, Why};
use store::{OutOfMemory, Store};

use crate::frontier::Block;
use crate::worker::Worker;

/// What workers share.
pub struct Search<'a, S, B> {
    /// The visited states.
    pub store: RwLock<S>,
    limits: &'a Limits,
    began: Instant,
    board: Mutex<Board<B>>,
    /// Nobody should begin another block.
    halted: AtomicBool,
    stop_at_violation: bool,
}

/// Who has what to do.
struct Board<B> {
    /// The states that wait are one step less than this from the initial one.
    level: u64,
    waiting: Vec<B>,
    next: Vec<B>,
    waiting_states: u64,
    next_states: u64,
    transitions: u64,
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

impl<'a, S: Store, B: Block<S>> Search<'a, S, B> {
    /// A search that has not begun.
    pub fn new(store: S, limits: &'a Limits, stop_at_violation: bool) -> Self {
        let board = Board {
            level: 0,
            waiting: Vec::new(),
            next: Vec::new(),
            waiting_states: 0,
            next_states: 0,
            transitions: 0,
            violated: false,
            why: None,
            finished: false,
        };
        Search {
            store: RwLock::new(store),
            limits,
            began: Instant::now(),
            board: Mutex::new(board),
            halted: AtomicBool::new(false),
            stop_at_violation,
        }
    }

    /// Lets the workers expand every state that the first of them has begun with.
    pub fn run(&self, workers: &mut [Worker<'a, S, B>], watch: &mut dyn Watch) -> Ended {
        let barrier = Barrier::new(workers.len());
        let Some((first, others)) = workers.split_first_mut() else { return self.ended() };
        self.hand_in(first);
        self.turn_over();
        std::thread::scope(|scope| {
            for worker in others {
                let barrier = &barrier;
                scope.spawn(move || self.follow(worker, barrier));
            }
            self.lead(first, &barrier, watch);
        });
        self.ended()
    }

    /// The first worker decides when a level is over; small levels it does alone.
    fn lead(&self, worker: &mut Worker<'a, S, B>, barrier: &Barrier, watch: &mut dyn Watch) {
        while !self.board().finished {
            if self.board().waiting.len() > 1 {
                barrier.wait();
                self.work(worker, Some(watch));
                barrier.wait();
            } else {
                self.work(worker, Some(watch));
            }
            self.turn_over();
        }
        barrier.wait();
    }

    fn follow(&self, worker: &mut Worker<'a, S, B>, barrier: &Barrier) {
        loop {
            barrier.wait();
            if self.board().finished {
                return;
            }
            self.work(worker, None);
            barrier.wait();
        }
    }

    /// Takes blocks until there is none.
    fn work(&self, worker: &mut Worker<'a, S, B>, mut watch: Option<&mut dyn Watch>) {
        while let Some((block, level)) = self.take() {
            let done = match self.limits.depth {
                Some(limit) if level >= limit => self.look(worker, &block, level, limit),
                _ => worker.expand(&block, level, &self.store),
            };
            self.hand_in(worker);
            if done == Err(OutOfMemory) {
                self.stop(Why::MemoryLimit(self.limits.memory.unwrap_or(0)));
            }
            if let Some(watch) = &mut watch
                && let Some(why) = self.limit_reached(*watch)
            {
                self.stop(why);
            }
        }
    }

    /// At the last level: whether there would be another one.
    fn look(&self, worker: &mut Worker<'a, S, B>, block: &B, level: u64, limit: u64) -> Result<(), OutOfMemory> {
        if worker.look(block, level, &self.store) {
            let mut board = self.board();
            board.why = board.why.take().or(Some(Why::DepthLimit(limit)));
        }
        Ok(())
    }

    fn take(&self) -> Option<(B, u64)> {
        if self.halted.load(Ordering::Relaxed) {
            return None;
        }
        let mut board = self.board();
        let block = board.waiting.pop()?;
        board.waiting_states -= block.len() as u64;
        Some((block, board.level - 1))
    }

    /// Puts what a worker has found on the board.
    fn hand_in(&self, worker: &mut Worker<'a, S, B>) {
        let mut board = self.board();
        let full = std::mem::take(&mut worker.full);
        let rest = std::mem::take(&mut worker.fresh);
        for block in full.into_iter().chain([rest]).filter(|it| it.len() > 0) {
            board.next_states += block.len() as u64;
            board.next.push(block);
        }
        board.transitions += std::mem::take(&mut worker.new_transitions);
        board.violated |= worker.expander.findings.errors > 0;
    }

    /// The next level becomes the level, unless the search is over.
    fn turn_over(&self) {
        let mut board = self.board();
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
        self.limits.passed(&self.progress(), watch)
    }

    fn progress(&self) -> Progress {
        let (states, memory) = {
            let store = self.store.read().unwrap_or_else(PoisonError::into_inner);
            (store.len(), store.memory())
        };
        let board = self.board();
        let blocks = board.waiting.iter().chain(&board.next);
        Progress {
            states,
            transitions: board.transitions,
            depth: board.level.saturating_sub(1),
            frontier: board.waiting_states + board.next_states,
            memory: memory + blocks.map(Block::memory).sum::<u64>(),
            elapsed: self.began.elapsed(),
        }
    }

    fn ended(&self) -> Ended {
        let progress = self.progress();
        Ended { why: self.board().why.take(), progress }
    }

    fn board(&self) -> MutexGuard<'_, Board<B>> {
        self.board.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
