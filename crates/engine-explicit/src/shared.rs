//! Cycles that violate a property, by several workers.
//!
//! Evangelista, Laarman, Petrucci, van de Pol, *Improved multi-core nested depth-first search*, ATVA 2012 (CNDFS). Every worker has a nested
//! search of its own, each in another order; they share what is *blue* (the first search of somebody is done with it) and *red* (a second search
//! has seen that it leads to no cycle). What is *cyan* is only on one worker's way.
//!
//! ```text
//! blue(s):  s is cyan
//!     for each t after s:  if t is cyan and s or t is accepting: a violation
//!                          if t is neither cyan nor blue: blue(t)
//!     s is blue
//!     if s is accepting:
//!         red(s), which collects all it comes to;  if one of them is cyan: a violation
//!         wait until all other accepting states among them are red
//!         all of them are red
//!     s is not cyan any more
//! ```
//!
//! The wait is for those whose second searches of these states began earlier, so that the first searches are left in an order for which a nested search is right.
use std::sync::atomic::Ordering::{Acquire, Relaxed, Release};
use std::sync::atomic::{AtomicBool, AtomicU8, AtomicU64};
use std::sync::{Mutex, OnceLock, PoisonError, RwLock, RwLockReadGuard};
use std::time::{Duration, Instant};

use engine::{Limits, Progress, Watch, Why};
use model::semantics::State;
use rustc_hash::{FxHashMap as HashMap, FxHashSet as HashSet};
use store::{Glance, Insertion, Key, Plain, Store};

use crate::couvreur::{End, Lasso};
use crate::lasso::Marks;
use crate::order::Shuffle;
use crate::product::{Product, Stopped, split};
use crate::stack::{Entry, Stack, name};

/// Visits between two looks at what the others do.
const TICK: u64 = 1024;

const BLUE: u8 = 1;
const RED: u8 = 2;

/// Two bits for every key of a store, in pieces that never move.
struct Colours {
    pieces: Vec<OnceLock<Box<[AtomicU8]>>>,
}

/// Keys of one piece.
const PIECE: usize = 1 << 20;
/// Pieces there can be: as many keys as a store has.
const PIECES: usize = 1 << 16;

impl Colours {
    fn new() -> Colours {
        Colours { pieces: (0..PIECES).map(|_| OnceLock::new()).collect() }
    }

    fn of(&self, key: Key) -> &AtomicU8 {
        let (piece, place) = (key.0 as usize / PIECE, key.0 as usize % PIECE);
        let piece = self.pieces[piece].get_or_init(|| (0..PIECE).map(|_| AtomicU8::new(0)).collect());
        &piece[place]
    }

    fn has(&self, key: Key, colour: u8) -> bool {
        self.of(key).load(Acquire) & colour != 0
    }

    fn set(&self, key: Key, colour: u8) {
        self.of(key).fetch_or(colour, Release);
    }

    fn memory(&self) -> u64 {
        self.pieces.iter().filter(|it| it.get().is_some()).count() as u64 * PIECE as u64
    }
}

/// What workers share.
pub struct Shared<'a> {
    store: RwLock<Plain>,
    colours: Colours,
    limits: &'a Limits,
    accepting: Vec<bool>,
    /// Somebody has an answer, or it is no use to go on.
    is_over: AtomicBool,
    answer: Mutex<Option<End>>,
    transitions: AtomicU64,
    deepest: AtomicU64,
    was_cut: AtomicBool,
    began: Instant,
}

impl<'a> Shared<'a> {
    /// A search that has not begun, for a claim with these accepting places.
    pub fn new(store: Plain, accepting: Vec<bool>, limits: &'a Limits) -> Self {
        Shared {
            store: RwLock::new(store),
            colours: Colours::new(),
            limits,
            accepting,
            is_over: AtomicBool::new(false),
            answer: Mutex::new(None),
            transitions: AtomicU64::new(0),
            deepest: AtomicU64::new(0),
            was_cut: AtomicBool::new(false),
            began: Instant::now(),
        }
    }

    /// Looks for a violation, with a product for each worker. Gives back one of these.
    pub fn run(&self, products: Vec<Product<'a>>, initial: &State, watch: &mut dyn Watch) -> End {
        let workers = products.into_iter().enumerate();
        let mut workers: Vec<Worker<'a, '_>> = workers.map(|(row, it)| Worker::new(self, it, row as u64)).collect();
        let working = AtomicU64::new(workers.len() as u64);
        std::thread::scope(|scope| {
            for worker in &mut workers {
                let working = &working;
                scope.spawn(move || {
                    let end = worker.run(initial);
                    self.say(end);
                    working.fetch_sub(1, Release);
                });
            }
            while working.load(Acquire) > 0 {
                std::thread::sleep(Duration::from_millis(1));
                let progress = self.progress();
                if let Some(why) = self.limits.passed(&progress, progress.elapsed, watch) {
                    self.say(End::Stopped(why));
                }
            }
        });
        let answer = self.answer.lock().unwrap_or_else(PoisonError::into_inner).take().unwrap_or(End::Nothing);
        match (answer, self.limits.depth.filter(|_| self.was_cut.load(Acquire))) {
            (End::Nothing, Some(depth)) => End::Stopped(Why::DepthLimit(depth)),
            (answer, _) => answer,
        }
    }

    /// The first answer counts, except that a violation is worth more than a limit.
    fn say(&self, end: End) {
        let mut answer = self.answer.lock().unwrap_or_else(PoisonError::into_inner);
        let is_better = matches!((&*answer, &end), (None, _) | (Some(End::Nothing | End::Stopped(_)), End::Found(_)));
        if is_better {
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
            memory: store.memory() + self.colours.memory(),
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
        store.make_room(limit);
        match must {
            true => store.grow(limit).map_err(|_| Halt::Stopped(Why::MemoryLimit(limit.unwrap_or(0)))),
            false => Ok(()),
        }
    }
}

/// Why a worker does not go on.
enum Halt {
    Found(Box<Lasso>),
    Stopped(Why),
    /// Somebody else has an answer.
    Over,
}

/// One worker's nested search.
struct Worker<'a, 's> {
    shared: &'s Shared<'a>,
    product: Product<'a>,
    local: <Plain as Store>::Local,
    blue: Stack,
    red: Stack,
    /// The states on the first way, and their frames.
    cyan: HashMap<u64, u32>,
    way: Vec<Key>,
    marks: Vec<Marks>,
    shuffle: Option<Shuffle>,
    transitions: u64,
    turns: u64,
}

impl<'a, 's> Worker<'a, 's> {
    fn new(shared: &'s Shared<'a>, product: Product<'a>, number: u64) -> Self {
        Worker {
            local: shared.reading().local(),
            blue: Stack::new(product.buffer()),
            red: Stack::new(product.buffer()),
            shared,
            product,
            cyan: HashMap::default(),
            way: Vec::new(),
            marks: Vec::new(),
            shuffle: (number > 0).then(|| Shuffle::new(number)),
            transitions: 0,
            turns: 0,
        }
    }

    fn run(&mut self, initial: &State) -> End {
        let mut first = self.product.buffer();
        self.product.begin(initial, &mut first);
        for row in 0..first.len() {
            match self.search(first.get(row)) {
                Ok(()) => {}
                Err(Halt::Found(lasso)) => return End::Found(*lasso),
                Err(Halt::Stopped(why)) => return End::Stopped(why),
                Err(Halt::Over) => return End::Nothing,
            }
        }
        End::Nothing
    }

    fn search(&mut self, initial: &[u64]) -> Result<(), Halt> {
        self.blue.restart(0, initial);
        self.name_blue();
        let entry = self.blue.waiting()[0];
        self.visit(entry)?;
        while self.blue.depth().is_some() {
            match self.blue.next() {
                Some(entry) => self.visit(entry)?,
                None => self.leave()?,
            }
            self.look_around()?;
        }
        Ok(())
    }

    fn name_blue(&mut self) {
        name(&mut self.blue, &*self.shared.reading(), &mut self.local);
        if let Some(shuffle) = &mut self.shuffle {
            shuffle.shuffle(self.blue.waiting());
        }
    }

    /// The key of a state, which is stored if it was not.
    fn key(&mut self, entry: Entry, is_red: bool) -> Result<Key, Halt> {
        loop {
            let stack = if is_red { &self.red } else { &self.blue };
            let inserted = {
                let store = self.shared.reading();
                store.insert(&mut self.local, stack.words(entry), entry.digest, Glance::default())
            };
            match inserted {
                Insertion::New(key) | Insertion::Known(key) => return Ok(key),
                Insertion::Crowded => self.shared.grow(true)?,
            }
        }
    }

    fn is_accepting(&self, state: &[u64]) -> bool {
        self.shared.accepting[split(state).1 as usize]
    }

    fn visit(&mut self, entry: Entry) -> Result<(), Halt> {
        let key = self.key(entry, false)?;
        if let Some(&frame) = self.cyan.get(&key.0) {
            let ends = [Some(self.blue.words(entry)), self.blue.top()];
            let closes = ends.into_iter().flatten().any(|it| self.is_accepting(it));
            return if closes { Err(self.found(frame as usize, false)) } else { Ok(()) };
        }
        if self.shared.colours.has(key, BLUE) {
            return Ok(());
        }
        self.enter(entry, key)
    }

    fn enter(&mut self, entry: Entry, key: Key) -> Result<(), Halt> {
        let state = self.blue.words(entry).to_vec();
        self.blue.push(entry);
        let depth = self.blue.depth().unwrap_or(0);
        self.cyan.insert(key.0, depth as u32);
        self.way.push(key);
        self.shared.deepest.fetch_max(depth, Relaxed);
        if self.shared.limits.depth.is_some_and(|limit| depth >= limit) {
            self.shared.was_cut.store(true, Release);
            return Ok(());
        }
        let before = self.blue.states().len();
        let expanded = self.product.expand(&state, self.blue.states(), &mut self.marks);
        self.marks.clear();
        match expanded {
            Ok(()) => {}
            Err(Stopped::Forbidden(what)) => {
                let (way, cycle) = (self.blue.way(), Vec::new());
                return Err(Halt::Found(Box::new(Lasso { way, cycle, forbidden: Some(what) })));
            }
            Err(Stopped::Unsupported(why)) => return Err(Halt::Stopped(why)),
        }
        self.transitions += (self.blue.states().len() - before) as u64;
        self.name_blue();
        Ok(())
    }

    fn leave(&mut self) -> Result<(), Halt> {
        let Some(key) = self.way.last().copied() else { return Ok(()) };
        self.shared.colours.set(key, BLUE);
        if self.blue.top().is_some_and(|it| self.is_accepting(it)) {
            self.second(key)?;
        }
        self.way.pop();
        self.cyan.remove(&key.0);
        self.blue.pop();
        Ok(())
    }

    /// The second search, from the accepting state on top.
    fn second(&mut self, from: Key) -> Result<(), Halt> {
        let Some(state) = self.blue.top().map(<[u64]>::to_vec) else { return Ok(()) };
        if self.shared.colours.has(from, RED) {
            return Ok(());
        }
        let (mut met, mut awaited) = (HashSet::from_iter([from.0]), Vec::new());
        self.red.restart(0, &state);
        name(&mut self.red, &*self.shared.reading(), &mut self.local);
        let entry = self.red.waiting()[0];
        self.enter_red(entry);
        while self.red.depth().is_some() {
            let Some(entry) = self.red.next() else {
                self.red.pop();
                continue;
            };
            let key = self.key(entry, true)?;
            if let Some(&frame) = self.cyan.get(&key.0) {
                return Err(self.found(frame as usize, true));
            }
            if !self.shared.colours.has(key, RED) && met.insert(key.0) {
                if self.is_accepting(self.red.words(entry)) {
                    awaited.push(key);
                }
                self.enter_red(entry);
            }
            self.look_around()?;
        }
        while awaited.iter().any(|&it| !self.shared.colours.has(it, RED)) {
            std::thread::yield_now();
            self.over()?;
        }
        met.into_iter().for_each(|it| self.shared.colours.set(Key(it), RED));
        Ok(())
    }

    fn enter_red(&mut self, entry: Entry) {
        let state = self.red.words(entry).to_vec();
        self.red.push(entry);
        // What is wrong in a state is seen when it becomes blue.
        let _ = self.product.expand(&state, self.red.states(), &mut self.marks);
        self.marks.clear();
        name(&mut self.red, &*self.shared.reading(), &mut self.local);
    }

    /// A cycle from a state on the first way, perhaps over the second way, back to it.
    fn found(&self, frame: usize, over_red: bool) -> Halt {
        let mut way = self.blue.way();
        let mut cycle = way.split_off(frame + 1);
        if over_red {
            cycle.extend(self.red.way().into_iter().skip(1));
        }
        cycle.extend(way.last().cloned());
        let cycle = cycle.into_iter().map(|it| (it, 0)).collect();
        Halt::Found(Box::new(Lasso { way, cycle, forbidden: None }))
    }

    fn look_around(&mut self) -> Result<(), Halt> {
        self.turns += 1;
        if !self.turns.is_multiple_of(TICK) {
            return Ok(());
        }
        self.over()?;
        self.shared.transitions.fetch_add(std::mem::take(&mut self.transitions), Relaxed);
        if !self.blue.has_room() || !self.red.has_room() {
            return Err(Halt::Stopped(Why::MemoryLimit(self.shared.progress().memory)));
        }
        let is_crowded = self.shared.reading().is_crowded();
        if is_crowded { self.shared.grow(false) } else { Ok(()) }
    }

    fn over(&self) -> Result<(), Halt> {
        if self.shared.is_over.load(Acquire) { Err(Halt::Over) } else { Ok(()) }
    }
}
