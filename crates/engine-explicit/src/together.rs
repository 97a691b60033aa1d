//! Cycles that violate a property, by several workers.
//!
//! Bloemen, Laarman, van de Pol, *Multi-core on-the-fly SCC decomposition*, PPoPP 2016 (UFSCC). Every worker searches depth first, in an order
//! of its own; what they find out about cycles they share ([`crate::unions`]), and within a set of states on cycles they look at different ones.
//!
//! ```text
//! search(v):
//!     while there is a busy state s in the set of v:
//!         for each t after s:
//!             if the set of t is dead: nothing
//!             if I have not been in the set of t: search(t)
//!             otherwise: join all sets on my way from that of t on; if their edges have all marks: a violation
//!         s is done
//!     the set of v is dead
//! ```
//!
//! All edges of a state are looked at when it is taken up ([`crate::batch`]), and only those to sets where the worker has not been wait. Who has
//! nothing to do takes another seed, or the first state of somebody's sets, to help there.
use std::sync::atomic::Ordering::{Acquire, Relaxed, Release, SeqCst};
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError, RwLock, RwLockReadGuard, RwLockWriteGuard};
use std::time::{Duration, Instant};

use engine::{Limits, Progress, Watch, Why};
use store::{Exact, Glance, Insertion, Key, Plain, Store, Trail};

use crate::approach::{Cycles, End, Lasso};
use crate::batch::Batch;
use crate::behaviours::wanted;
use crate::frontier::{Block, Keys};
use crate::lasso::{Marks, cycle};
use crate::product::{Product, Stopped, split};
use crate::slip::Slip;
use crate::unions::{Claimed, Number, Unions};

/// Turns between two looks at what the others do.
const TICK: u64 = 1024;

/// Between two looks at limits.
const MOMENT: Duration = Duration::from_millis(1);

/// As many workers as a set can remember.
pub const MOST_WORKERS: usize = 64;

/// The search.
pub struct Together<'a> {
    shared: Shared<'a>,
    workers: Vec<Worker<'a>>,
    began: Instant,
}

impl<'a> Together<'a> {
    /// A search that has not begun, by workers with these products, for a claim with these places that matter.
    pub fn new(products: Vec<Product<'a>>, matters: Arc<[bool]>, limits: &'a Limits, slip: Option<Slip>) -> Self {
        let property = products[0].property();
        let shared = Shared {
            unions: Unions::new(),
            limits,
            slip,
            matters,
            wanted: wanted(property.watcher.claim.sets, property.fairness) as u32,
            pool: Mutex::new(Vec::new()),
            idle: AtomicUsize::new(0),
            workers: products.len(),
            is_over: AtomicBool::new(false),
            answer: Mutex::new(End::Nothing),
            transitions: AtomicU64::new(0),
            deepest: AtomicU64::new(0),
        };
        let workers = products.into_iter().enumerate().map(|(row, product)| Worker::new(product, row)).collect();
        Together { shared, workers, began: Instant::now() }
    }

    /// How far workers are, as far as they have said.
    fn progress_of(shared: &Shared<'_>, began: Instant, store: &Plain, before: &Progress) -> Progress {
        Progress {
            states: store.len(),
            transitions: before.transitions + shared.transitions.load(Relaxed),
            depth: before.depth.max(shared.deepest.load(Relaxed)),
            frontier: before.frontier,
            memory: store.memory() + shared.unions.memory(),
            elapsed: began.elapsed(),
        }
    }

    /// A violating cycle through a state that was found to be on one.
    fn explain(&mut self, lasso: &mut Lasso, store: &RwLock<Plain>) {
        let store = reading(store);
        let mut local = store.local();
        let mut key = |state: &[u64]| {
            let digest = store.digest(&mut local, state, None);
            match store.insert(&mut local, state, digest, Glance::default()) {
                Insertion::Known(key) => Some(key),
                _ => None,
            }
        };
        let Some(root) = lasso.way.first().filter(|_| lasso.forbidden.is_none()) else { return };
        let Some(home) = key(root) else { return };
        let (shared, product) = (&self.shared, &mut self.workers[0].product);
        let mut inside = |state: &[u64]| {
            let key = key(state)?;
            let is_inside = shared.unions.are_together(home.0 as Number, key.0 as Number);
            is_inside.then(|| loaded(&store, key))
        };
        let edges = |state: &Vec<u64>| {
            let hops = product.hops(state).into_iter();
            hops.filter_map(|(next, marks)| Some((inside(&next)?, marks))).collect()
        };
        lasso.cycle = cycle(root, Marks::from(shared.wanted), edges).unwrap_or_default();
    }
}

impl Cycles<Plain> for Together<'_> {
    fn run(&mut self, store: &RwLock<Plain>, seeds: Vec<Key>, before: &Progress, watch: &mut dyn Watch) -> End {
        let Together { shared, workers, began } = self;
        *lock(&shared.pool) = seeds;
        shared.idle.store(0, SeqCst);
        let (working, is_done, shared) = (Mutex::new(workers.len()), Condvar::new(), &*shared);
        std::thread::scope(|scope| {
            for worker in workers {
                let (working, is_done) = (&working, &is_done);
                scope.spawn(move || {
                    worker.run(&mut Reader { shared, lock: store, held: None });
                    *lock(working) -= 1;
                    is_done.notify_one();
                });
            }
            let mut left = lock(&working);
            while *left > 0 {
                left = is_done.wait_timeout(left, MOMENT).unwrap_or_else(PoisonError::into_inner).0;
                let progress = Self::progress_of(shared, *began, &reading(store), before);
                if let Some(why) = shared.limits.passed(&progress, progress.elapsed, watch) {
                    shared.say(End::Stopped(why));
                }
            }
        });
        let mut end = std::mem::replace(&mut *lock(&shared.answer), End::Nothing);
        if let End::Found(lasso) = &mut end {
            self.explain(lasso, store);
        }
        end
    }

    fn exits(&mut self) -> Vec<Keys> {
        self.workers.iter_mut().map(|it| std::mem::take(&mut it.exits)).collect()
    }

    fn progress(&self, store: &Plain, before: &Progress) -> Progress {
        Self::progress_of(&self.shared, self.began, store, before)
    }
}

/// What workers share.
struct Shared<'a> {
    unions: Unions,
    limits: &'a Limits,
    slip: Option<Slip>,
    /// Per place of the claim: whether it can be on a cycle with all sets.
    matters: Arc<[bool]>,
    wanted: u32,
    /// States for those who have nothing to do, and how many these are.
    pool: Mutex<Vec<Key>>,
    idle: AtomicUsize,
    workers: usize,
    /// Somebody has an answer.
    is_over: AtomicBool,
    answer: Mutex<End>,
    transitions: AtomicU64,
    deepest: AtomicU64,
}

impl Shared<'_> {
    /// A state for a worker that has nothing to do; none when nobody has.
    fn task(&self) -> Option<Key> {
        self.idle.fetch_add(1, SeqCst);
        loop {
            let mut pool = lock(&self.pool);
            if self.is_over.load(Acquire) {
                return None;
            }
            if let Some(task) = pool.pop() {
                self.idle.fetch_sub(1, SeqCst);
                return Some(task);
            }
            let is_over = self.idle.load(SeqCst) == self.workers;
            drop(pool);
            if is_over {
                return None;
            }
            std::thread::sleep(Duration::from_micros(20));
        }
    }

    /// The first answer counts, except that a violation is worth more than none.
    fn say(&self, end: End) {
        let mut answer = lock(&self.answer);
        if matches!(end, End::Found(_)) && !matches!(*answer, End::Found(_)) || matches!(*answer, End::Nothing) {
            *answer = end;
        }
        self.is_over.store(true, Release);
    }

    fn out_of_memory(&self) -> Halt {
        Halt::Answer(End::Stopped(Why::MemoryLimit(self.limits.memory.unwrap_or(0))))
    }
}

/// Why a worker does not go on.
enum Halt {
    Answer(End),
    /// Somebody else has an answer.
    Over,
}

/// The store, as a worker has it while it works.
struct Reader<'s, 'a> {
    shared: &'s Shared<'a>,
    lock: &'s RwLock<Plain>,
    held: Option<RwLockReadGuard<'s, Plain>>,
}

/// A state on the way of a worker whose set is being looked at.
struct Frame {
    number: Number,
    /// The state of the set in hand.
    picked: Option<Number>,
    /// How many successors of states before it wait.
    waiting: usize,
}

/// One worker.
struct Worker<'a> {
    product: Product<'a>,
    /// The bit of the worker, and where it begins among the successors of a state.
    bit: u64,
    turn: usize,
    frames: Vec<Frame>,
    /// Successors of states on the way in sets where the worker had not been, each with what the edge to it counts for.
    waiting: Vec<(Number, u32)>,
    /// The first states of the sets on the way, each with the marks of the edge that leads to it.
    roots: Vec<(Number, u32)>,
    batch: Batch,
    local: Option<<Plain as Store>::Local>,
    exits: Keys,
    transitions: u64,
    deepest: u64,
    turns: u64,
}

impl<'a> Worker<'a> {
    fn new(product: Product<'a>, row: usize) -> Self {
        Worker {
            batch: Batch::new(product.buffer()),
            product,
            bit: 1 << row,
            turn: row,
            frames: Vec::new(),
            waiting: Vec::new(),
            roots: Vec::new(),
            local: None,
            exits: Keys::default(),
            transitions: 0,
            deepest: 0,
            turns: 0,
        }
    }

    fn run(&mut self, reader: &mut Reader<'_, 'a>) {
        while let Some(seed) = reader.shared.task() {
            reader.hold();
            let searched = self.search(seed, reader);
            reader.held = None;
            match searched {
                Ok(()) => continue,
                Err(Halt::Answer(answer)) => reader.shared.say(answer),
                Err(Halt::Over) => {}
            }
            break;
        }
        self.report(reader.shared);
    }

    fn search(&mut self, seed: Key, reader: &mut Reader<'_, 'a>) -> Result<(), Halt> {
        if reader.shared.unions.claim(seed.0 as Number, self.bit) == Claimed::First {
            self.enter(seed.0 as Number, 0);
        }
        while let Some(frame) = self.frames.last() {
            let waits = self.waiting.len() > frame.waiting;
            match (frame.picked, self.waiting.pop_if(|_| waits)) {
                (None, _) => self.pick(reader)?,
                (Some(_), Some((number, marks))) => self.visit(number, marks, reader)?,
                (Some(picked), None) => self.finish(picked, reader),
            }
        }
        Ok(())
    }

    fn enter(&mut self, number: Number, marks: u32) {
        self.frames.push(Frame { number, picked: None, waiting: self.waiting.len() });
        self.deepest = self.deepest.max(self.frames.len() as u64);
        self.roots.push((number, marks));
    }

    /// Takes up a state of the set on top that somebody has to look at.
    fn pick(&mut self, reader: &mut Reader<'_, 'a>) -> Result<(), Halt> {
        let Some(frame) = self.frames.last_mut() else { return Ok(()) };
        let number = frame.number;
        if self.roots.last().is_none_or(|it| it.0 != number) {
            // Its set was joined with one before it, where the rest of it will be looked at.
            self.frames.pop();
            return Ok(());
        }
        frame.picked = reader.shared.unions.pick(number);
        let Some(picked) = frame.picked else {
            self.frames.pop();
            self.roots.pop();
            return Ok(());
        };
        let local = self.local.get_or_insert_with(|| reader.store().local());
        match self.batch.expand(Key(picked.into()), &mut self.product, reader.store(), local) {
            Ok(_) => self.look_at_successors(number, reader),
            Err(Stopped::Unsupported(why)) => Err(Halt::Answer(End::Stopped(why))),
            Err(Stopped::Forbidden(what)) => {
                let state = std::mem::take(&mut self.batch.state);
                Err(Halt::Answer(End::Found(Lasso::to(state, what))))
            }
        }
    }

    /// Those in known sets are done with; the others wait.
    fn look_at_successors(&mut self, here: Number, reader: &mut Reader<'_, 'a>) -> Result<(), Halt> {
        let Some(local) = &mut self.local else { return Ok(()) };
        while self.batch.look_up(reader.store(), local).is_err() {
            reader.grow()?;
        }
        let (count, turn) = (self.batch.keys.len(), self.turn * 7);
        self.transitions += count as u64;
        for row in (0..count).map(|it| (it + turn) % count) {
            let ((key, is_new), marks) = (self.batch.keys[row], self.batch.marks[row] as u32);
            let state = self.batch.states.get(row);
            if key.0 >= Unions::most() {
                return Err(reader.shared.out_of_memory());
            }
            if !reader.shared.matters[split(state).1 as usize] {
                if is_new {
                    Block::<Plain>::push(&mut self.exits, key, state);
                }
                continue;
            }
            match reader.shared.unions.look(key.0 as Number, self.bit) {
                Claimed::Dead => {}
                Claimed::First => self.waiting.push((key.0 as Number, marks)),
                Claimed::Again => self.close(here, key.0 as Number, marks, reader)?,
            }
        }
        Ok(())
    }

    /// A successor that had to wait.
    fn visit(&mut self, number: Number, marks: u32, reader: &mut Reader<'_, 'a>) -> Result<(), Halt> {
        self.look_around(reader)?;
        match reader.shared.unions.claim(number, self.bit) {
            Claimed::Dead => {}
            Claimed::First => self.enter(number, marks),
            Claimed::Again => {
                let here = self.frames.last().map_or(number, |it| it.number);
                self.close(here, number, marks, reader)?;
            }
        }
        Ok(())
    }

    /// An edge back to a set on the way: all sets from there on are one.
    fn close(&mut self, here: Number, back: Number, mut marks: u32, reader: &Reader<'_, 'a>) -> Result<(), Halt> {
        let unions = &reader.shared.unions;
        while !unions.are_together(here, back) {
            let Some((last, entered)) = self.roots.pop() else { break };
            marks |= if reader.shared.slip == Some(Slip::Between) { 0 } else { entered };
            self.roots.last().into_iter().for_each(|it| unions.join(last, it.0));
        }
        if unions.add(here, marks) & reader.shared.wanted != reader.shared.wanted {
            return Ok(());
        }
        let way = vec![loaded(reader.store(), Key(here.into()))];
        Err(Halt::Answer(End::Found(Lasso { way, cycle: Vec::new(), forbidden: None })))
    }

    fn finish(&mut self, picked: Number, reader: &Reader<'_, 'a>) {
        self.frames.last_mut().into_iter().for_each(|it| it.picked = None);
        reader.shared.unions.finish(picked);
    }

    fn look_around(&mut self, reader: &mut Reader<'_, 'a>) -> Result<(), Halt> {
        self.turns += 1;
        if !self.turns.is_multiple_of(TICK) {
            return Ok(());
        }
        if reader.shared.is_over.load(Acquire) {
            return Err(Halt::Over);
        }
        self.report(reader.shared);
        reader.rest();
        // Others may come to the sets on the way.
        if reader.shared.idle.load(Relaxed) > 0 {
            lock(&reader.shared.pool).extend(self.roots.first().map(|it| Key(it.0.into())));
        }
        Ok(())
    }

    fn report(&mut self, shared: &Shared<'_>) {
        shared.transitions.fetch_add(std::mem::take(&mut self.transitions), Relaxed);
        shared.deepest.fetch_max(self.deepest, Relaxed);
    }
}

impl<'s> Reader<'s, '_> {
    fn store(&self) -> &Plain {
        self.held.as_ref().unwrap_or_else(|| unreachable!("who works holds the store"))
    }

    /// Holds the store, until it is let go.
    fn hold(&mut self) {
        self.held = Some(reading(self.lock));
    }

    /// Makes room; nobody may hold the store.
    fn grow(&mut self) -> Result<(), Halt> {
        self.held = None;
        let grown = writing(self.lock).grow(self.shared.limits.memory);
        self.hold();
        grown.map_err(|_| self.shared.out_of_memory())
    }

    /// Lets the store go for a moment: somebody may be waiting for that.
    fn rest(&mut self) {
        let is_crowded = self.store().is_crowded();
        self.held = None;
        if is_crowded {
            writing(self.lock).make_room(self.shared.limits.memory);
        }
        self.hold();
    }
}

fn loaded(store: &Plain, key: Key) -> Vec<u64> {
    let mut state = Vec::new();
    store.load(key, &mut state, &mut Trail::new());
    state
}

fn writing(store: &RwLock<Plain>) -> RwLockWriteGuard<'_, Plain> {
    store.write().unwrap_or_else(PoisonError::into_inner)
}

fn reading(store: &RwLock<Plain>) -> RwLockReadGuard<'_, Plain> {
    store.read().unwrap_or_else(PoisonError::into_inner)
}

fn lock<T>(it: &Mutex<T>) -> MutexGuard<'_, T> {
    it.lock().unwrap_or_else(PoisonError::into_inner)
}
