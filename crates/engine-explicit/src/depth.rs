//! Depth-first search by one worker.
//!
//! ```text
//! put the initial state on the stack
//! while there is a state on the stack:
//!     take its next successor; if it is new, put it on the stack
//!     if it has no more, take it off
//! ```
//!
//! The stack is the trace of whatever is found on top of it. See Tarjan, *Depth-first search and linear graph
//! algorithms*, SIAM J. Comput. 1(2), 1972; Holzmann, Peled, Yannakakis, *On nested depth first search*, 1996, for
//! what such a stack is good for. What is *new* is a matter of the strategy, a value: a [`Descent`]. Without
//! bounds a state is new once. With a bound on depth or switches, it is expanded again if it is reached in a
//! better way ([`crate::visits`], [`crate::later`]), so that nothing within the bounds is missed. What is found
//! after that is explained by a second search, because the stack begins somewhere on the way.
use std::time::Instant;

use engine::{Limits, Progress, Watch, Why};
use model::semantics::State;
use store::{Glance, Insertion, Key, OutOfMemory, Store};

use crate::expander::{Counts, Expand, Expander};
use crate::frontier::Block;
use crate::later::{Later, Waiting};
use crate::levels::Ended;
use crate::order::Shuffle;
use crate::pace::Pace;
use crate::shorten::Shorten;
use crate::stack::{Entry, Stack};
use crate::switches::{Schedule, Turn};
use crate::visits::{Cut, Visit, Visits};

/// Successors between two looks at the clock and the store.
const TICK: u64 = 1024;

/// How a depth-first search goes, apart from its limits.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Descent {
    /// Visits successors in an order that this seed decides.
    pub order: Option<u64>,
    /// Goes on for shorter counterexamples.
    pub shorten: Option<Shorten>,
    /// Processes are interrupted at most so often.
    pub switches: Option<u16>,
}

/// A depth-first search.
pub struct DepthFirst<'a, S: Store, B> {
    /// Knows what a state leads to.
    pub expander: Expander<'a>,
    /// The visited states.
    pub store: S,
    /// What was counted.
    pub counts: Counts,
    local: S::Local,
    limits: &'a Limits,
    descent: Descent,
    /// Stops at the first violation, or when there can be no shorter one.
    stops: bool,
    /// Nothing deeper is looked at. Shrinks when counterexamples are shortened.
    bound: Option<u64>,
    shuffle: Option<Shuffle>,
    stack: Stack,
    /// How states were reached, if that matters.
    visits: Option<Visits>,
    /// States that were reached better than when they were expanded.
    later: Later<S, B>,
    /// Where the search begins, and has not begun yet.
    roots: Vec<Vec<u64>>,
    /// What was left out last.
    left_out: Option<Cut>,
    done: bool,
    /// The state on top.
    state: Vec<u64>,
    deepest: u64,
    turns: u64,
    pace: Pace,
    began: Instant,
}

/// A state worth to be put on the stack.
struct Arrival {
    /// Where its visit is remembered.
    visit: Option<usize>,
    /// It was never reached before.
    is_new: bool,
}

impl<'a, S: Store, B: Block<S>> DepthFirst<'a, S, B> {
    /// A search that has not begun. Who does not `remember` how states were reached visits each of them once.
    pub fn new(
        expander: Expander<'a>,
        store: S,
        limits: &'a Limits,
        descent: Descent,
        stops: bool,
        remember: bool,
    ) -> Self {
        let is_bounded = limits.depth.is_some() || descent.shorten.is_some() || descent.switches.is_some();
        DepthFirst {
            stack: Stack::new(expander.buffer()),
            expander,
            local: store.local(),
            store,
            counts: Counts::default(),
            limits,
            descent,
            stops,
            bound: limits.depth,
            shuffle: descent.order.map(Shuffle::new),
            visits: (remember && is_bounded).then(Visits::default),
            later: Later::new(),
            roots: Vec::new(),
            left_out: None,
            done: false,
            state: Vec::new(),
            deepest: 0,
            turns: 0,
            pace: Pace::new(),
            began: Instant::now(),
        }
    }

    /// Visits what can be reached within the bounds.
    pub fn run(&mut self, initial: &State, watch: &mut dyn Watch) -> Ended {
        let why = match self.search(initial, watch) {
            Ok(why) => why.or_else(|| self.cut_by()),
            Err(OutOfMemory) => Some(Why::MemoryLimit(self.limits.memory.unwrap_or(0))),
        };
        Ended { why, progress: self.progress() }
    }

    fn search(&mut self, initial: &State, watch: &mut dyn Watch) -> Result<Option<Why>, OutOfMemory> {
        self.begin(initial);
        while !self.done {
            if self.stack.depth().is_none() && self.begin_next()? {
                continue;
            }
            let Some(depth) = self.stack.depth().or_else(|| self.go_back()) else { break };
            match self.stack.next().filter(|_| !self.is_bottom(depth)) {
                Some(entry) => self.visit(entry, depth + 1)?,
                None => self.leave(),
            }
            if let Some(why) = self.limit_reached(watch) {
                return Ok(Some(why));
            }
        }
        Ok(None)
    }

    /// Takes the state on top off the stack.
    fn leave(&mut self) {
        self.stack.top().into_iter().for_each(|it| self.expander.leave(it));
        self.stack.pop();
    }

    fn begin(&mut self, initial: &State) {
        let mut states = self.expander.buffer();
        self.expander.begin(initial, &mut states);
        self.counts.transitions += states.len() as u64;
        self.counts.inner += states.inner;
        let is_passed = |row: usize| self.expander.passed.binary_search(&row).is_ok();
        self.roots = (0..states.len()).filter(|&it| !is_passed(it)).rev().map(|it| states.get(it).to_vec()).collect();
        self.expander.passed.clear();
    }

    /// Begins with the next state at the end of phase 1 of the initial one, if there is one. Without reduction that is the
    /// initial state.
    fn begin_next(&mut self) -> Result<bool, OutOfMemory> {
        let Some(root) = self.roots.pop() else { return Ok(false) };
        self.stack.restart(0, &root);
        self.name_successors(&[]);
        let entry = self.stack.waiting()[0];
        self.visit(entry, 0)?;
        Ok(true)
    }

    /// Whether successors of a state at this depth are too deep.
    fn is_bottom(&self, depth: u64) -> bool {
        self.bound.is_some_and(|bound| depth >= bound)
    }

    /// Puts a successor on the stack, if that is worth it now.
    fn visit(&mut self, entry: Entry, depth: u64) -> Result<(), OutOfMemory> {
        let measured = if self.limits.depth.is_some() || self.descent.shorten.is_some() { depth } else { 0 };
        let visit = Visit { depth: measured, turn: entry.turn };
        match self.insert(entry)? {
            Insertion::New(_) if entry.is_passed => {}
            Insertion::New(key) => {
                let visit = self.visits.as_mut().map(|it| it.first(key, visit));
                self.enter(entry, depth, &Arrival { visit, is_new: true });
            }
            Insertion::Known(key) => {
                if let Some(row) = self.visits.as_mut().and_then(|it| it.again(key, visit)) {
                    self.visit_again(entry, depth, key, row);
                }
            }
            Insertion::Crowded => {}
        }
        Ok(())
    }

    /// A state was reached better than before. If only its depth matters, it can wait.
    fn visit_again(&mut self, entry: Entry, depth: u64, key: Key, row: usize) {
        if self.descent.switches.is_some() {
            self.enter(entry, depth, &Arrival { visit: Some(row), is_new: false });
        } else {
            self.later.push(depth, key, self.stack.words(entry), row);
        }
    }

    /// When the stack is empty: if something was left out, puts the nearest state on it that was reached on a
    /// shorter path than when it was expanded.
    fn go_back(&mut self) -> Option<u64> {
        let visits = self.visits.as_ref()?;
        if self.left_out.is_none() && self.bound == self.limits.depth {
            return None;
        }
        let is_current = |it: &Waiting| visits.depth(it.visit) == it.depth;
        let next = loop {
            let next = self.later.pop(&self.store, &mut self.state)?;
            if is_current(&next) && self.bound.is_none_or(|bound| next.depth <= bound) {
                break next;
            }
        };
        self.stack.restart(next.depth, &self.state);
        self.name_successors(&[]);
        let entry = self.stack.waiting()[0];
        self.enter(entry, next.depth, &Arrival { visit: Some(next.visit), is_new: false });
        self.stack.depth()
    }

    /// Looks a successor up in the store, which grows as often as it has to.
    fn insert(&mut self, entry: Entry) -> Result<Insertion, OutOfMemory> {
        loop {
            match self.store.insert(&mut self.local, self.stack.words(entry), entry.digest, Glance::default()) {
                Insertion::Crowded => self.store.grow(self.limits.memory)?,
                inserted => return Ok(inserted),
            }
        }
    }

    fn enter(&mut self, entry: Entry, depth: u64, arrival: &Arrival) {
        self.state.clear();
        self.state.extend_from_slice(self.stack.words(entry));
        self.stack.push(entry);
        self.deepest = self.deepest.max(depth);
        self.counts.longest = self.counts.longest.max(self.state.len());
        let errors = self.expander.findings.errors;
        self.expander.check(&self.state, depth);
        self.note_errors(errors, arrival.is_new);
        let errors = self.expander.findings.errors;
        let before = arrival.visit.zip(self.visits.as_mut()).and_then(|(row, visits)| visits.begin(row));
        let counts = arrival.is_new || self.descent.switches.is_some() || before == Some(Cut::Depth);
        let cut = if self.is_bottom(depth) { self.look(depth) } else { self.expand(depth, entry.turn, counts) };
        self.note_errors(errors, counts);
        if let Some(cut) = cut {
            self.left_out = Some(cut);
            arrival.visit.zip(self.visits.as_mut()).into_iter().for_each(|(row, visits)| visits.cut(row, cut));
        }
    }

    /// Looks whether there would be successors.
    fn look(&mut self, depth: u64) -> Option<Cut> {
        (!self.expander.is_end(&self.state, depth, self.stack.states())).then_some(Cut::Depth)
    }

    /// Adds the successors of the state on top; says if some were left out.
    fn expand(&mut self, depth: u64, turn: Turn, counts: bool) -> Option<Cut> {
        let states = self.stack.states();
        let before = states.len();
        let (turns, cut) = match self.descent.switches {
            Some(limit) => {
                let choose = |system: &_, state: &_| Schedule::new(system, state, turn, limit);
                let schedule = self.expander.expand_some(&self.state, depth, choose, states);
                (schedule.turns, schedule.cut)
            }
            None => {
                self.expander.expand(&self.state, depth, states);
                (Vec::new(), false)
            }
        };
        let inner = std::mem::take(&mut states.inner);
        let tried = self.expander.tried_in_vain();
        if counts {
            self.counts.transitions += (states.len() - before) as u64 + tried;
            self.counts.inner += inner;
        }
        self.name_successors(&turns);
        cut.then_some(Cut::Switches)
    }

    /// Makes entries of the successors just added, whose lines of the table are on their way from now on.
    fn name_successors(&mut self, turns: &[Turn]) {
        let mut turns = turns.iter();
        while let Some(words) = self.stack.unnamed() {
            let digest = self.store.digest(&mut self.local, words, None);
            self.store.prefetch(digest);
            let is_passed = self.expander.passed.binary_search(&self.stack.next_row()).is_ok();
            self.stack.add(digest, turns.next().copied().unwrap_or(Turn::FIRST), is_passed);
        }
        self.expander.passed.clear();
        if let Some(shuffle) = &mut self.shuffle {
            shuffle.shuffle(self.stack.waiting());
            // Nobody finds a state that was passed before its end is found.
            self.stack.waiting().sort_by_key(|it| it.is_passed);
        }
    }

    /// If something is wrong that was not before: the stack says how to get there.
    fn note_errors(&mut self, before: u64, counts: bool) {
        let findings = &mut self.expander.findings;
        if findings.errors == before {
            return;
        }
        findings.show_way(|| self.stack.way());
        if !counts {
            findings.errors = before;
        }
        if self.stops {
            self.bound = self.shorter_than(self.expander.findings.shortest().unwrap_or(0));
            self.done = self.bound.is_none();
        }
    }

    /// How deep to look for a shorter counterexample, if at all.
    fn shorter_than(&self, length: u64) -> Option<u64> {
        self.descent.shorten.and_then(|it| it.bound(length))
    }

    /// What was left out on purpose.
    fn cut_by(&self) -> Option<Why> {
        let cut = self.visits.as_ref().map_or(self.left_out, Visits::left_out);
        match cut? {
            Cut::Depth => self.limits.depth.map(Why::DepthLimit),
            Cut::Switches => self.descent.switches.map(Why::SwitchLimit),
        }
    }

    fn limit_reached(&mut self, watch: &mut dyn Watch) -> Option<Why> {
        self.turns += 1;
        if !self.turns.is_multiple_of(TICK) && !self.pace.is_due() {
            return None;
        }
        self.store.make_room(self.limits.memory);
        let progress = self.progress();
        let full = (!self.stack.has_room()).then_some(Why::MemoryLimit(progress.memory));
        full.or_else(|| self.limits.passed(&progress, progress.elapsed, watch))
    }

    fn progress(&self) -> Progress {
        let visits = self.visits.as_ref().map_or(0, Visits::memory);
        Progress {
            states: self.store.len(),
            transitions: self.counts.transitions,
            depth: self.deepest,
            frontier: self.stack.depth().map_or(0, |it| it + 1),
            memory: self.store.memory() + self.stack.memory() + self.later.memory() + visits,
            elapsed: self.began.elapsed(),
        }
    }
}
