//! Cycles that violate a property, by several workers.
//!
//! Depth-first search goes one way at a time, and workers that follow different ways find out much twice. But only to *judge* a graph takes an
//! order; to make it, which takes nearly all of the time, takes none. So workers visit the states of the graph together, each
//! once, and write down the edges that a violating cycle may have ([`crate::recording`]); now and then one of them judges what is there, while the
//! others go on. Who does what is decided at a [`Board`]:
//!
//! ```text
//! each worker, until nothing is left for anybody:
//!     visits states where cycles can violate the property, and writes down their edges,
//!     or visits others ([`crate::approach`]),
//!     or judges: if inner edges of a component of what is written down have all marks, there is a violation
//! ```
use std::sync::atomic::AtomicBool;
use std::sync::atomic::Ordering::{Acquire, Release};
use std::sync::{Arc, Mutex, RwLock};
use std::time::{Duration, Instant};

use engine::{Limits, Progress, Watch, Why};
use model::semantics::State;
use store::{Exact, Glance, Insertion, OutOfMemory};

use crate::approach::{Approach, End, Lasso};
use crate::batch::Batch;
use crate::behaviours::wanted;
use crate::board::{Board, Desk, Next, Task, Waiting};
use crate::frontier::Keys;
use crate::lasso::{Marks, cycle};
use crate::product::{Product, Stopped, split};
use crate::recording::{Culprit, Recording, culprit};
use crate::shared::{loaded, lock, reading, writing};
use crate::slip::Slip;
use crate::worker;

/// Successors that are looked up together.
const BATCH: usize = 256;
/// What the state so many rows later needs is fetched when a state is expanded.
const AHEAD: usize = 2;
/// Between two looks at limits.
const MOMENT: Duration = Duration::from_millis(1);
/// Looks at the board before a worker that waits goes to sleep, and how long it sleeps.
const LOOKS: u32 = 1 << 6;
const NAP: Duration = Duration::from_micros(50);

/// The search.
pub struct Together<'a, S> {
    store: RwLock<S>,
    limits: &'a Limits,
    /// Per place of the claim: whether it can be on a cycle with all sets.
    matters: Arc<[bool]>,
    slip: Option<Slip>,
    board: Mutex<Board>,
    answer: Mutex<Option<End>>,
    /// There is an answer.
    is_over: AtomicBool,
    began: Instant,
}

/// One worker.
struct Worker<'a, S: Exact> {
    /// Visits states where cycles do not matter, and has the product.
    outside: worker::Worker<Approach<'a>, S, Keys>,
    batch: Batch,
    desk: Desk,
}

impl<'a, S: Exact> Together<'a, S> {
    /// A search that has not begun, for a claim with these places that matter.
    pub fn new(store: S, matters: Arc<[bool]>, limits: &'a Limits, slip: Option<Slip>) -> Self {
        let (board, answer) = (Mutex::new(Board::new(slip)), Mutex::new(None));
        let (store, is_over, began) = (RwLock::new(store), AtomicBool::new(false), Instant::now());
        Together { store, limits, matters, slip, board, answer, is_over, began }
    }

    /// Looks for a violation, by as many workers as there are products.
    pub fn run(self, initial: &State, products: Vec<Product<'a>>, watch: &mut dyn Watch) -> (End, Progress) {
        let rows = products.into_iter().enumerate();
        let mut workers: Vec<Worker<'a, S>> = rows.map(|(row, product)| Worker::new(row, product, &self)).collect();
        let first = &mut workers[0];
        first.outside.begin(initial, &self.store).unwrap_or_else(|OutOfMemory| self.say(self.out_of_memory()));
        first.hand_over();
        // Who looks at an empty board has nothing to do for ever.
        lock(&self.board).hand_in(&mut first.desk);
        std::thread::scope(|scope| {
            let mut workers = workers.into_iter();
            let first = workers.next();
            let search = &self;
            workers.for_each(|mut it| _ = scope.spawn(move || it.run(search, None)));
            first.into_iter().for_each(|mut it| it.run(search, Some(watch)));
        });
        let progress = self.progress();
        let answer = lock(&self.answer).take();
        (answer.unwrap_or(End::Nothing), progress)
    }

    /// How far it is.
    fn progress(&self) -> Progress {
        let (states, memory) = {
            let store = reading(&self.store);
            (store.len(), store.memory())
        };
        let board = lock(&self.board);
        Progress {
            states,
            transitions: board.transitions,
            depth: board.depth,
            frontier: board.waiting,
            memory: memory + board.memory(),
            elapsed: self.began.elapsed(),
        }
    }

    fn look_at_limits(&self, watch: &mut dyn Watch) {
        let progress = self.progress();
        let is_full = lock(&self.board).recorded() > Recording::MOST;
        if is_full {
            self.say(self.out_of_memory());
        } else if let Some(why) = self.limits.passed(&progress, progress.elapsed, watch) {
            self.say(End::Stopped(why));
        }
    }

    /// The first answer counts, except that a violation is worth more than none.
    fn say(&self, end: End) {
        let mut answer = lock(&self.answer);
        if matches!(end, End::Found(_)) && !matches!(*answer, Some(End::Found(_))) || answer.is_none() {
            *answer = Some(end);
        }
        self.is_over.store(true, Release);
    }

    fn out_of_memory(&self) -> End {
        End::Stopped(Why::MemoryLimit(self.limits.memory.unwrap_or(0)))
    }
}

impl<'a, S: Exact> Worker<'a, S> {
    fn new(row: usize, product: Product<'a>, search: &Together<'a, S>) -> Self {
        let batch = Batch::new(product.buffer());
        let approach = Approach::new(product, search.matters.clone());
        let outside = worker::Worker::new(row, approach, &*reading(&search.store), search.limits.memory);
        Worker { outside, batch, desk: Desk::new(row) }
    }

    /// Does what is to be done. Who has somebody to talk to looks at limits now and then.
    fn run(&mut self, search: &Together<'a, S>, mut watch: Option<&mut dyn Watch>) {
        let (mut looked, mut idle) = (Instant::now(), 0);
        while !search.is_over.load(Acquire) {
            let next = lock(&search.board).next(&mut self.desk);
            idle = if matches!(next, Next::Wait) { idle + 1 } else { 0 };
            match next {
                Next::Do(task) => self.work(task, search).unwrap_or_else(|answer| search.say(answer)),
                Next::Wait if idle > LOOKS => std::thread::sleep(NAP),
                Next::Wait => std::thread::yield_now(),
                Next::Nothing => return,
            }
            if let Some(watch) = watch.as_deref_mut().filter(|_| looked.elapsed() > MOMENT) {
                search.look_at_limits(watch);
                looked = Instant::now();
            }
        }
    }

    fn work(&mut self, task: Task, search: &Together<'a, S>) -> Result<(), End> {
        match task {
            Task::Inside(block) => self.visit_inside(&block.states, search),
            Task::Outside(block) => self.visit_outside(block, search),
            Task::Judge(recordings) => self.judge(&recordings, search),
        }
    }

    /// Visits states inside, and writes down their edges.
    fn visit_inside(&mut self, block: &Keys, search: &Together<'a, S>) -> Result<(), End> {
        let mut row = 0;
        while row < block.len() {
            row = self.expand(block, row, search)?;
            self.look_at_successors(search)?;
        }
        Ok(())
    }

    /// Looks up what states from a row on lead to, as many as make a batch. Says which row is the next.
    fn expand(&mut self, block: &Keys, first: usize, search: &Together<'a, S>) -> Result<usize, End> {
        let (store, mut row) = (&search.store, first);
        let mut guard = reading(store);
        let worker::Worker { local, expander, .. } = &mut self.outside;
        self.batch.clear();
        while row < block.len() && self.batch.states.len() < BATCH {
            if row + AHEAD < block.len() {
                guard.touch(block.get(row + AHEAD));
            }
            match self.batch.add(block.get(row), &mut expander.product, &*guard, local) {
                Ok(_) => {}
                Err(Stopped::Unsupported(why)) => return Err(End::Stopped(why)),
                Err(Stopped::Forbidden(what)) => return Err(End::Found(Lasso::to(self.batch.state.clone(), what))),
            }
            row += 1;
        }
        while self.batch.look_up(&*guard, local).is_err() {
            drop(guard);
            writing(store).grow(search.limits.memory).map_err(|_| search.out_of_memory())?;
            guard = reading(store);
        }
        let is_crowded = guard.is_crowded();
        drop(guard);
        if is_crowded {
            writing(store).make_room(search.limits.memory);
        }
        Ok(row)
    }

    /// Writes down the edges, and sets aside what is new.
    fn look_at_successors(&mut self, search: &Together<'a, S>) -> Result<(), End> {
        let Worker { batch, desk, .. } = self;
        let (mut row, mut exits) = (0, Keys::default());
        for &(from, end) in &batch.sources {
            desk.recording.begin(from);
            for row in std::mem::replace(&mut row, end)..end {
                let ((key, is_new), place) = (batch.keys[row], split(batch.states.get(row)).1);
                let matters = search.matters[place as usize];
                if matters {
                    desk.recording.edge(batch.marks[row] as u32, key);
                }
                match (is_new, matters) {
                    (true, true) => desk.inside.push(key),
                    (true, false) => exits.add(key),
                    (false, _) => {}
                }
            }
            desk.recording.end();
        }
        desk.outside.extend((search.slip != Some(Slip::Exits)).then_some(exits));
        desk.recorded += batch.sources.len();
        desk.transitions += batch.keys.len() as u64;
        let largest = batch.keys.iter().map(|it| it.0.0).max().unwrap_or(0);
        if largest > Recording::LARGEST { Err(search.out_of_memory()) } else { Ok(()) }
    }

    /// Visits states outside, not all of them if it is time to rest.
    fn visit_outside(&mut self, mut block: Waiting, search: &Together<'a, S>) -> Result<(), End> {
        let visited = self.outside.expand(&block.states, block.depth, &search.store);
        block.states.forget_first(self.outside.done);
        self.desk.left = block.states;
        self.hand_over();
        let approach = &mut self.outside.expander;
        match (approach.unsupported.take(), approach.wrong.take()) {
            (Some(why), _) => Err(End::Stopped(why)),
            (_, Some((state, what))) => Err(End::Found(Lasso::to(state, what))),
            _ => visited.map_err(|OutOfMemory| search.out_of_memory()),
        }
    }

    /// Puts what was found outside on the desk.
    fn hand_over(&mut self) {
        let Worker { outside, desk, .. } = self;
        desk.outside.append(&mut outside.full);
        desk.outside.push(std::mem::take(&mut outside.fresh));
        desk.inside.append(&mut outside.expander.seeds);
        desk.transitions += std::mem::take(&mut outside.new_transitions);
    }

    fn judge(&mut self, recordings: &[Arc<Recording>], search: &Together<'a, S>) -> Result<(), End> {
        let product = &mut self.outside.expander.product;
        let property = product.property();
        let wanted = wanted(property.watcher.claim.sets, property.fairness);
        match culprit(recordings, &mut self.desk.index, wanted as u32, search.slip) {
            Some(found) => Err(End::Found(lasso(&found, wanted, product, &*reading(&search.store)))),
            None => Ok(()),
        }
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
