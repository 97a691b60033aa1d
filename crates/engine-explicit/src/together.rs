//! Cycles that violate a property, by several workers.
//!
//! Depth-first search goes one way at a time, and workers that follow different ways find out much twice. But only to *judge* a graph takes an
//! order; to make it, which takes nearly all of the time, takes none. So workers visit the states of the graph together, each
//! once, and write down its edges; now and then the components of what is there are looked at by one of them ([`crate::recording`]):
//!
//! ```text
//! enough := some states
//! repeat until no state waits:
//!     workers take blocks of waiting states, the newest first, visit them, and write down their edges,
//!         until no state waits or enough of them were visited
//!     if inner edges of a component of what is written down have all marks: a violation
//!     enough := 4 · enough
//! ```
//!
//! Newest first leads away from the beginning quickly, as depth-first search does: a cycle that is long is found before everything that is
//! near. All judgements together take a third more than the last one.
//!
//! What can be reached from the seeds is complete when nothing waits, so that no later cycle leads through it, and its edges are forgotten.
use std::sync::atomic::AtomicBool;
use std::sync::atomic::Ordering::{Acquire, Release};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError, RwLock, RwLockReadGuard, RwLockWriteGuard};
use std::time::{Duration, Instant};

use engine::{Limits, Progress, Watch, Why};
use store::{Exact, Glance, Insertion, Key, Saved, Trail};

use crate::approach::{Cycles, End, Lasso};
use crate::batch::Batch;
use crate::behaviours::wanted;
use crate::frontier::{Block, Keys, Pile};
use crate::lasso::{Marks, cycle};
use crate::product::{Product, Stopped, split};
use crate::recording::{Culprit, Index, Recording, culprit};
use crate::slip::Slip;

/// States of a block.
const BLOCK: usize = 64;
/// What the state so many rows later needs is fetched when a state is expanded.
const AHEAD: usize = 2;
/// So many states are visited before the first judgement, by one worker: it is done before others are awake.
const FEW: usize = 1024;
/// How many more it takes for the next one.
const MORE: usize = 4;
/// Between two looks at limits.
const MOMENT: Duration = Duration::from_millis(1);

/// The search.
pub struct Together<'a, S: Exact> {
    shared: Shared<'a>,
    workers: Vec<Worker<'a, S>>,
    recording: Recording,
    index: Index,
    slip: Option<Slip>,
    began: Instant,
}

/// What workers share.
struct Shared<'a> {
    limits: &'a Limits,
    /// Per place of the claim: whether it can be on a cycle with all sets.
    matters: Arc<[bool]>,
    board: Mutex<Board>,
    /// Nobody should begin another block.
    is_over: AtomicBool,
}

/// Who has what to do.
struct Board {
    waiting: Pile<Vec<Key>>,
    /// How many workers have a block in hand.
    working: usize,
    /// States visited since the seeds were given, and how many may be before the next judgement.
    visited: usize,
    enough: usize,
    transitions: u64,
    /// Bytes of what workers have written down and keep to themselves.
    written: u64,
    answer: Option<End>,
}

/// One worker.
struct Worker<'a, S: Exact> {
    row: usize,
    product: Product<'a>,
    batch: Batch,
    local: Option<S::Local>,
    recording: Recording,
    fresh: Vec<Key>,
    exits: Keys,
}

impl<'a, S: Exact + Saved> Together<'a, S> {
    /// A search that has not begun, by workers with these products, for a claim with these places that matter.
    pub fn new(products: Vec<Product<'a>>, matters: Arc<[bool]>, limits: &'a Limits, slip: Option<Slip>) -> Self {
        let (waiting, answer) = (Pile::default(), None);
        let board = Board { waiting, working: 0, visited: 0, enough: 0, transitions: 0, written: 0, answer };
        let shared = Shared { limits, matters, board: Mutex::new(board), is_over: AtomicBool::new(false) };
        let workers = products.into_iter().enumerate().map(|(row, product)| Worker::new(product, row)).collect();
        let (recording, index, began) = (Recording::default(), Index::default(), Instant::now());
        Together { shared, workers, recording, index, slip, began }
    }

    /// Workers visit states until there are enough.
    fn visit(&mut self, store: &RwLock<S>, before: &Progress, watch: &mut dyn Watch) {
        let Together { shared, workers, began, recording, index, .. } = self;
        let count = if lock(&shared.board).enough > FEW { workers.len() } else { 1 };
        let (working, is_done, shared) = (Mutex::new(count), Condvar::new(), &*shared);
        let kept = recording.memory() + index.memory();
        std::thread::scope(|scope| {
            for worker in &mut workers[..count] {
                let (working, is_done) = (&working, &is_done);
                scope.spawn(move || {
                    worker.run(shared, store);
                    *lock(working) -= 1;
                    is_done.notify_one();
                });
            }
            let mut left = lock(&working);
            while *left > 0 {
                left = is_done.wait_timeout(left, MOMENT).unwrap_or_else(PoisonError::into_inner).0;
                let progress = shared.progress(&*reading(store), before, kept, *began);
                if let Some(why) = shared.limits.passed(&progress, progress.elapsed, watch) {
                    shared.say(End::Stopped(why));
                }
            }
        });
        workers.iter_mut().for_each(|it| recording.append(&mut it.recording));
        lock(&shared.board).written = 0;
    }

    /// What is known after a visit; nothing if it has to go on.
    fn judge(&mut self, store: &RwLock<S>) -> Option<End> {
        if let Some(answer) = lock(&self.shared.board).answer.take() {
            return Some(answer);
        }
        let product = &mut self.workers[0].product;
        let property = product.property();
        let wanted = wanted(property.watcher.claim.sets, property.fairness);
        if let Some(found) = culprit(&self.recording, &mut self.index, wanted as u32, self.slip) {
            return Some(End::Found(lasso(&found, wanted, product, &*reading(store))));
        }
        let mut board = lock(&self.shared.board);
        board.enough *= MORE;
        board.waiting.is_empty().then_some(End::Nothing)
    }
}

/// A cycle with all marks in a component that has them.
fn lasso<S: Exact>(found: &Culprit, wanted: Marks, product: &mut Product<'_>, store: &S) -> Lasso {
    let (root, mut local) = (loaded(store, found.first), store.local());
    let mut inside = |state: &[u64]| {
        let digest = store.digest(&mut local, state, None);
        match store.insert(&mut local, state, digest, Glance::default()) {
            Insertion::Known(key) if found.members.contains(&key.0) => Some(loaded(store, key)),
            _ => None,
        }
    };
    let edges = |state: &Vec<u64>| {
        let hops = product.hops(state).into_iter();
        hops.filter_map(|(next, marks)| Some((inside(&next)?, marks))).collect()
    };
    let cycle = cycle(&root, wanted, edges).unwrap_or_default();
    Lasso { way: vec![root], cycle, forbidden: None }
}

impl<S: Exact + Saved> Cycles<S> for Together<'_, S> {
    fn run(&mut self, store: &RwLock<S>, seeds: Vec<Key>, before: &Progress, watch: &mut dyn Watch) -> End {
        {
            let mut board = lock(&self.shared.board);
            seeds.chunks(BLOCK).for_each(|it| board.waiting.add(0, it.to_vec()));
            (board.visited, board.enough) = (0, FEW);
        }
        let end = loop {
            self.visit(store, before, watch);
            if let Some(end) = self.judge(store) {
                break end;
            }
        };
        self.recording.clear();
        end
    }

    fn exits(&mut self) -> Vec<Keys> {
        self.workers.iter_mut().map(|it| std::mem::take(&mut it.exits)).collect()
    }

    fn progress(&self, store: &S, before: &Progress) -> Progress {
        self.shared.progress(store, before, self.recording.memory() + self.index.memory(), self.began)
    }
}

impl Shared<'_> {
    /// How far workers are, as far as they have said.
    fn progress<S: Exact>(&self, store: &S, before: &Progress, kept: u64, began: Instant) -> Progress {
        let board = lock(&self.board);
        Progress {
            states: store.len(),
            transitions: before.transitions + board.transitions,
            depth: before.depth,
            frontier: before.frontier + (board.waiting.len() * BLOCK) as u64,
            memory: store.memory() + kept + board.written,
            elapsed: began.elapsed(),
        }
    }

    /// A block of states to visit; none if there are enough, or nobody has any.
    fn take(&self, worker: usize) -> Option<Vec<Key>> {
        loop {
            if self.is_over.load(Acquire) {
                return None;
            }
            let mut board = lock(&self.board);
            if board.visited >= board.enough {
                return None;
            }
            if let Some(block) = board.waiting.take(worker) {
                board.working += 1;
                return Some(block);
            }
            if board.working == 0 {
                return None;
            }
            drop(board);
            std::thread::yield_now();
        }
    }

    /// The first answer counts, except that a violation is worth more than none.
    fn say(&self, end: End) {
        let mut board = lock(&self.board);
        if matches!(end, End::Found(_)) && !matches!(board.answer, Some(End::Found(_))) || board.answer.is_none() {
            board.answer = Some(end);
        }
        self.is_over.store(true, Release);
    }

    fn out_of_memory(&self) -> End {
        End::Stopped(Why::MemoryLimit(self.limits.memory.unwrap_or(0)))
    }
}

impl<'a, S: Exact> Worker<'a, S> {
    fn new(product: Product<'a>, row: usize) -> Self {
        Worker {
            row,
            batch: Batch::new(product.buffer()),
            product,
            local: None,
            recording: Recording::default(),
            fresh: Vec::new(),
            exits: Keys::default(),
        }
    }

    fn run(&mut self, shared: &Shared<'_>, store: &RwLock<S>) {
        while let Some(block) = shared.take(self.row) {
            let visited = self.expand(&block, shared, store).and_then(|()| self.look_at_successors(shared));
            self.hand_in(shared, block.len());
            visited.unwrap_or_else(|answer| shared.say(answer));
        }
    }

    /// Looks up what states lead to.
    fn expand(&mut self, block: &[Key], shared: &Shared<'_>, store: &RwLock<S>) -> Result<(), End> {
        let mut guard = reading(store);
        let local = self.local.get_or_insert_with(|| guard.local());
        self.batch.clear();
        for (row, &key) in block.iter().enumerate() {
            block.get(row + AHEAD).into_iter().for_each(|&it| guard.touch(it));
            match self.batch.add(key, &mut self.product, &*guard, local) {
                Ok(_) => {}
                Err(Stopped::Unsupported(why)) => return Err(End::Stopped(why)),
                Err(Stopped::Forbidden(what)) => return Err(End::Found(Lasso::to(self.batch.state.clone(), what))),
            }
        }
        while self.batch.look_up(&*guard, local).is_err() {
            drop(guard);
            writing(store).grow(shared.limits.memory).map_err(|_| shared.out_of_memory())?;
            guard = reading(store);
        }
        let is_crowded = guard.is_crowded();
        drop(guard);
        if is_crowded {
            writing(store).make_room(shared.limits.memory);
        }
        Ok(())
    }

    /// Writes down the edges, and sets aside what is new.
    fn look_at_successors(&mut self, shared: &Shared<'_>) -> Result<(), End> {
        let Worker { batch, recording, fresh, exits, .. } = self;
        let mut row = 0;
        for &(from, end) in &batch.sources {
            recording.begin(from);
            for row in std::mem::replace(&mut row, end)..end {
                let ((key, is_new), state) = (batch.keys[row], batch.states.get(row));
                let matters = shared.matters[split(state).1 as usize];
                if matters {
                    recording.edge(batch.marks[row] as u32, key);
                }
                match (is_new, matters) {
                    (true, true) => fresh.push(key),
                    (true, false) => Block::<S>::push(exits, key, state),
                    (false, _) => {}
                }
            }
            recording.end();
        }
        let largest = batch.keys.iter().map(|it| it.0.0).max().unwrap_or(0);
        if largest > Recording::LARGEST { Err(shared.out_of_memory()) } else { Ok(()) }
    }

    fn hand_in(&mut self, shared: &Shared<'_>, visited: usize) {
        let mut board = lock(&shared.board);
        self.fresh.chunks(BLOCK).for_each(|it| board.waiting.add(self.row, it.to_vec()));
        self.fresh.clear();
        board.transitions += self.batch.keys.len() as u64;
        board.written += Recording::bytes(self.batch.sources.len(), self.batch.keys.len());
        board.visited += visited;
        board.working -= 1;
    }
}

fn loaded<S: Exact>(store: &S, key: Key) -> Vec<u64> {
    let mut state = Vec::new();
    store.load(key, &mut state, &mut Trail::new());
    state
}

fn writing<S>(store: &RwLock<S>) -> RwLockWriteGuard<'_, S> {
    store.write().unwrap_or_else(PoisonError::into_inner)
}

fn reading<S>(store: &RwLock<S>) -> RwLockReadGuard<'_, S> {
    store.read().unwrap_or_else(PoisonError::into_inner)
}

fn lock<T>(it: &Mutex<T>) -> MutexGuard<'_, T> {
    it.lock().unwrap_or_else(PoisonError::into_inner)
}
