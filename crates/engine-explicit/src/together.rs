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
//! Where the claim is in a part of itself that does not have all its sets, no cycle can violate anything. Such states are visited once, by whoever comes first;
//! who has nothing to do is given some of them, or the first state of somebody's sets to help there.
use std::sync::atomic::Ordering::{Acquire, Relaxed, Release, SeqCst};
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize};
use std::sync::{Mutex, PoisonError, RwLock, RwLockReadGuard};
use std::time::{Duration, Instant};

use compiled::Successors;
use engine::{Fairness, Limits, Progress, Watch, Why};
use model::Claim;
use model::semantics::{Forbidden, State};
use store::{Digest, Exact, Glance, Insertion, Key, Plain, Store, Trail};

use crate::behaviours::wanted;
use crate::couvreur::matters;
use crate::lasso::{Hop, Marks, cycle};
use crate::product::{Product, Stopped, split};
use crate::unions::{Claimed, Number, Unions};

/// Successors between two looks at what the others do.
const TICK: u64 = 1024;

/// As many workers as a set can remember.
pub const MOST_WORKERS: usize = 64;

/// What several workers have found.
pub enum Together {
    /// There is nothing to be found.
    Nothing,
    /// A state of system and claim on a violating cycle.
    OnCycle(Vec<u64>),
    /// A state in which something is wrong.
    Wrong(Vec<u64>, Forbidden),
    /// A limit.
    Stopped(Why),
}

/// What workers share.
pub struct Shared<'a> {
    store: RwLock<Plain>,
    unions: Unions,
    limits: &'a Limits,
    wanted: u32,
    /// Per place of the claim: whether it can be on a cycle with all sets.
    matters: Vec<bool>,
    /// States for those who have nothing to do, and how many these are.
    pool: Mutex<Vec<Vec<u64>>>,
    idle: AtomicUsize,
    workers: usize,
    /// Somebody has an answer.
    is_over: AtomicBool,
    answer: Mutex<Option<Together>>,
    transitions: AtomicU64,
    deepest: AtomicU64,
    began: Instant,
}

impl<'a> Shared<'a> {
    /// A search that has not begun.
    pub fn new(store: Plain, claim: &Claim, workers: usize, limits: &'a Limits) -> Self {
        Shared {
            store: RwLock::new(store),
            unions: Unions::new(),
            limits,
            wanted: wanted(claim.sets, Fairness::None) as u32,
            matters: matters(claim),
            pool: Mutex::new(Vec::new()),
            idle: AtomicUsize::new(0),
            workers,
            is_over: AtomicBool::new(false),
            answer: Mutex::new(None),
            transitions: AtomicU64::new(0),
            deepest: AtomicU64::new(0),
            began: Instant::now(),
        }
    }

    /// Looks for a violation, with the product of each worker.
    pub fn run(&self, product: impl Fn() -> Product<'a> + Sync, initial: &State, watch: &mut dyn Watch) -> Together {
        let (mut first, mut start) = (product(), product().buffer());
        first.begin(initial, &mut start);
        self.pool.lock().unwrap_or_else(PoisonError::into_inner).extend(start.iter_from(0).map(<[u64]>::to_vec));
        let working = AtomicUsize::new(self.workers);
        std::thread::scope(|scope| {
            for row in 0..self.workers {
                let (working, product) = (&working, &product);
                scope.spawn(move || {
                    self.say(Worker::new(self, product(), row).run());
                    working.fetch_sub(1, Release);
                });
            }
            while working.load(Acquire) > 0 {
                std::thread::sleep(Duration::from_millis(1));
                let progress = self.progress();
                if let Some(why) = self.limits.passed(&progress, progress.elapsed, watch) {
                    self.say(Together::Stopped(why));
                }
            }
        });
        let mut answer = self.answer.lock().unwrap_or_else(PoisonError::into_inner);
        answer.take().unwrap_or(Together::Nothing)
    }

    /// A state for a worker that has nothing to do; none when nobody has.
    fn task(&self) -> Option<Vec<u64>> {
        self.idle.fetch_add(1, SeqCst);
        loop {
            let mut pool = self.pool.lock().unwrap_or_else(PoisonError::into_inner);
            if let Some(task) = pool.pop() {
                self.idle.fetch_sub(1, SeqCst);
                return Some(task);
            }
            let is_over = self.is_over.load(Acquire) || self.idle.load(SeqCst) == self.workers;
            drop(pool);
            if is_over {
                return None;
            }
            std::thread::sleep(Duration::from_micros(20));
        }
    }

    /// Gives a state to those who have nothing to do, if there is somebody.
    fn offer(&self, state: &[u64]) -> bool {
        if self.idle.load(Relaxed) == 0 {
            return false;
        }
        self.pool.lock().unwrap_or_else(PoisonError::into_inner).push(state.to_vec());
        true
    }

    /// A violating cycle through a state that was found to be on one.
    pub fn cycle(&self, product: &mut Product<'a>, state: &Vec<u64>) -> Option<Vec<Hop<Vec<u64>>>> {
        let store = self.reading();
        let mut local = store.local();
        let mut number = |state: &[u64]| {
            let digest = store.digest(&mut local, state, None);
            match store.insert(&mut local, state, digest, Glance::default()) {
                Insertion::Known(key) => Some(key.0 as Number),
                _ => None,
            }
        };
        let home = number(state)?;
        let edges = |state: &Vec<u64>| {
            let mut hops = product.hops(state);
            hops.retain(|it| number(&it.0).is_some_and(|it| self.unions.are_together(home, it)));
            hops
        };
        cycle(state, Marks::from(self.wanted), edges)
    }

    /// The first answer counts, except that a violation is worth more than none.
    fn say(&self, end: Together) {
        let mut answer = self.answer.lock().unwrap_or_else(PoisonError::into_inner);
        let is_violation = matches!(end, Together::OnCycle(_) | Together::Wrong(..));
        let has_violation = matches!(*answer, Some(Together::OnCycle(_) | Together::Wrong(..)));
        if answer.is_none() || is_violation && !has_violation {
            *answer = Some(end);
        }
        self.is_over.store(true, Release);
    }

    /// How far it is.
    pub fn progress(&self) -> Progress {
        let store = self.reading();
        Progress {
            states: store.len(),
            transitions: self.transitions.load(Relaxed),
            depth: self.deepest.load(Relaxed),
            frontier: 0,
            memory: store.memory() + self.unions.memory(),
            elapsed: self.began.elapsed(),
        }
    }

    fn reading(&self) -> RwLockReadGuard<'_, Plain> {
        self.store.read().unwrap_or_else(PoisonError::into_inner)
    }

    /// Makes room; nobody may be reading.
    fn grow(&self, must: bool) -> Result<(), Halt> {
        let mut store = self.store.write().unwrap_or_else(PoisonError::into_inner);
        let limit = self.limits.memory;
        if must {
            return store.grow(limit).map_err(|_| self.out_of_memory());
        }
        store.make_room(limit);
        Ok(())
    }

    fn out_of_memory(&self) -> Halt {
        Halt::Answer(Together::Stopped(Why::MemoryLimit(self.limits.memory.unwrap_or(0))))
    }
}

/// Why a worker does not go on.
enum Halt {
    Answer(Together),
    /// Somebody else has an answer.
    Over,
}

/// A state on the way of a worker whose set is being looked at.
struct Frame {
    number: Number,
    /// The state of the set in hand.
    picked: Option<Number>,
    /// It is only visited, and in no set.
    is_plain: bool,
    /// Its successors, and the next one.
    first: usize,
    next: usize,
}

/// One worker.
struct Worker<'a, 's> {
    shared: &'s Shared<'a>,
    store: Option<RwLockReadGuard<'s, Plain>>,
    local: <Plain as Store>::Local,
    product: Product<'a>,
    /// The bit of the worker, and where it begins among the successors of a state.
    bit: u64,
    turn: usize,
    frames: Vec<Frame>,
    /// The successors of all states in hand, one behind the other.
    states: Successors,
    digests: Vec<Digest>,
    marks: Vec<Marks>,
    /// The first states of the sets on the way, each with the marks of the edge that leads to it.
    roots: Vec<(Number, u32)>,
    state: Vec<u64>,
    trail: Trail,
    transitions: u64,
    deepest: u64,
    turns: u64,
}

impl<'a, 's> Worker<'a, 's> {
    fn new(shared: &'s Shared<'a>, product: Product<'a>, row: usize) -> Self {
        Worker {
            local: shared.reading().local(),
            store: None,
            states: product.buffer(),
            shared,
            product,
            bit: 1 << row,
            turn: row,
            frames: Vec::new(),
            digests: Vec::new(),
            marks: Vec::new(),
            roots: Vec::new(),
            state: Vec::new(),
            trail: Trail::new(),
            transitions: 0,
            deepest: 0,
            turns: 0,
        }
    }

    fn run(&mut self) -> Together {
        let mut end = Ok(());
        while end.is_ok() {
            let Some(task) = self.shared.task() else { break };
            self.store = Some(self.shared.reading());
            end = self.search(&task);
            self.store = None;
        }
        self.shared.transitions.fetch_add(self.transitions, Relaxed);
        self.shared.deepest.fetch_max(self.deepest, Relaxed);
        match end {
            Ok(()) | Err(Halt::Over) => Together::Nothing,
            Err(Halt::Answer(answer)) => answer,
        }
    }

    fn search(&mut self, from: &[u64]) -> Result<(), Halt> {
        self.states.push(from);
        self.name();
        let (number, _) = self.number(0)?;
        self.forget(0);
        if !self.matters(from) {
            self.enter_plain(number, from)?;
        } else if self.shared.unions.claim(number, self.bit) == Claimed::First {
            self.enter(number, 0);
        }
        while let Some(frame) = self.frames.last() {
            match frame.picked {
                None => self.pick()?,
                Some(_) if frame.next < self.digests.len() => self.visit()?,
                Some(picked) => self.finish(picked),
            }
        }
        Ok(())
    }

    fn matters(&self, state: &[u64]) -> bool {
        self.shared.matters[split(state).1 as usize]
    }

    fn enter(&mut self, number: Number, marks: u32) {
        let first = self.digests.len();
        self.frames.push(Frame { number, picked: None, is_plain: false, first, next: first });
        self.deepest = self.deepest.max(self.frames.len() as u64);
        self.roots.push((number, marks));
    }

    /// A state that is only visited.
    fn enter_plain(&mut self, number: Number, state: &[u64]) -> Result<(), Halt> {
        let first = self.digests.len();
        self.frames.push(Frame { number, picked: Some(number), is_plain: true, first, next: first });
        self.deepest = self.deepest.max(self.frames.len() as u64);
        self.state.clear();
        self.state.extend_from_slice(state);
        self.expand()
    }

    fn expand(&mut self) -> Result<(), Halt> {
        match self.product.expand(&self.state, &mut self.states, &mut self.marks) {
            Ok(()) => {}
            Err(Stopped::Forbidden(what)) => return Err(Halt::Answer(Together::Wrong(self.state.clone(), what))),
            Err(Stopped::Unsupported(why)) => return Err(Halt::Answer(Together::Stopped(why))),
        }
        self.name();
        Ok(())
    }

    /// Takes up a state of the set on top that somebody has to look at.
    fn pick(&mut self) -> Result<(), Halt> {
        let Some(frame) = self.frames.last_mut() else { return Ok(()) };
        let Some(picked) = self.shared.unions.pick(frame.number) else {
            let number = frame.number;
            self.frames.pop();
            self.roots.pop_if(|it| it.0 == number);
            return Ok(());
        };
        frame.picked = Some(picked);
        let Some(store) = &self.store else { return Ok(()) };
        store.load(Key(u64::from(picked)), &mut self.state, &mut self.trail);
        self.expand()
    }

    /// Makes digests of the successors just added.
    fn name(&mut self) {
        let Some(store) = &self.store else { return };
        for row in self.digests.len()..self.states.len() {
            let digest = store.digest(&mut self.local, self.states.get(row), None);
            store.prefetch(digest);
            self.digests.push(digest);
        }
        self.marks.resize(self.digests.len(), 0);
    }

    /// Forgets successors from a row on.
    fn forget(&mut self, row: usize) {
        self.states.truncate(row);
        self.digests.truncate(row);
        self.marks.truncate(row);
    }

    /// The next successor of the state in hand.
    fn visit(&mut self) -> Result<(), Halt> {
        self.look_around()?;
        let rows = self.digests.len();
        let Some(frame) = self.frames.last_mut() else { return Ok(()) };
        let (first, here) = (frame.first, frame.number);
        let row = first + (frame.next - first + self.turn * 7) % (rows - first);
        frame.next += 1;
        self.transitions += 1;
        let (number, is_new) = self.number(row)?;
        let marks = self.marks[row] as u32;
        if !self.matters(self.states.get(row)) {
            let state = self.states.get(row).to_vec();
            return if is_new && !self.shared.offer(&state) { self.enter_plain(number, &state) } else { Ok(()) };
        }
        match self.shared.unions.claim(number, self.bit) {
            Claimed::Dead => Ok(()),
            Claimed::First => {
                self.enter(number, marks);
                Ok(())
            }
            Claimed::Again => self.close(here, number, marks),
        }
    }

    /// An edge back to a set on the way: all sets from there on are one.
    fn close(&mut self, here: Number, back: Number, marks: u32) -> Result<(), Halt> {
        let unions = &self.shared.unions;
        let mut marks = marks;
        while !unions.are_together(here, back) {
            let Some((last, entered)) = self.roots.pop() else { break };
            marks |= entered;
            self.roots.last().into_iter().for_each(|it| unions.join(last, it.0));
        }
        if unions.add(here, marks) & self.shared.wanted != self.shared.wanted {
            return Ok(());
        }
        let mut state = Vec::new();
        if let Some(store) = &self.store {
            store.load(Key(u64::from(here)), &mut state, &mut self.trail);
        }
        Err(Halt::Answer(Together::OnCycle(state)))
    }

    fn finish(&mut self, picked: Number) {
        let Some(frame) = self.frames.last_mut() else { return };
        (frame.picked, frame.next) = (None, frame.first);
        let first = frame.first;
        if frame.is_plain {
            self.frames.pop();
        } else {
            self.shared.unions.finish(picked);
        }
        self.forget(first);
    }

    /// The number of a successor, which is stored if it was not, and whether it was not.
    fn number(&mut self, row: usize) -> Result<(Number, bool), Halt> {
        loop {
            let Some(store) = &self.store else { return Err(Halt::Over) };
            match store.insert(&mut self.local, self.states.get(row), self.digests[row], Glance::default()) {
                Insertion::New(key) if key.0 < Unions::most() => return Ok((key.0 as Number, true)),
                Insertion::Known(key) if key.0 < Unions::most() => return Ok((key.0 as Number, false)),
                Insertion::New(_) | Insertion::Known(_) => return Err(self.shared.out_of_memory()),
                Insertion::Crowded => self.grow(true)?,
            }
        }
    }

    fn grow(&mut self, must: bool) -> Result<(), Halt> {
        self.store = None;
        self.shared.grow(must)?;
        self.store = Some(self.shared.reading());
        Ok(())
    }

    fn look_around(&mut self) -> Result<(), Halt> {
        self.turns += 1;
        if !self.turns.is_multiple_of(TICK) {
            return Ok(());
        }
        if self.shared.is_over.load(Acquire) {
            return Err(Halt::Over);
        }
        self.shared.transitions.fetch_add(std::mem::take(&mut self.transitions), Relaxed);
        self.shared.deepest.fetch_max(self.deepest, Relaxed);
        let is_crowded = self.store.as_ref().is_some_and(|it| it.is_crowded());
        // Somebody else may be waiting for everybody to stop reading.
        self.store = None;
        if is_crowded {
            self.shared.grow(false)?;
        }
        self.store = Some(self.shared.reading());
        self.call_for_help();
        Ok(())
    }

    /// Lets others come to the sets on the way.
    fn call_for_help(&self) {
        let Some((&(root, _), store)) = self.roots.first().zip(self.store.as_ref()) else { return };
        if self.shared.idle.load(Relaxed) > 0 {
            let mut state = Vec::new();
            store.load(Key(u64::from(root)), &mut state, &mut Trail::new());
            self.shared.offer(&state);
        }
    }
}
