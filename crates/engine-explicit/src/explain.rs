//! Shortest traces to states in which something is wrong.
//!
//! The search itself keeps no paths: it says only *where* something is wrong. To show *how* it gets
//! there, the levels are searched once more, by one worker, in the order of the semantics, and with
//! a link from every state to the one it was first reached from. This takes twice the time in the
//! case that somebody wants to look at, and nothing in the other; and the trace is the same whatever
//! store and however many threads have found the state.
//!
//! A depth-first search has the states of a trace on its stack; then only the steps between them are looked for.
use std::collections::HashMap;

use compiled::{Steps, Successors, Trouble};
use engine::{Trace, Violation};
use model::semantics::{Failure, Semantics, State, Step};
use store::{Exact, Glance, Insertion, Key, Lengths, Near, OutOfMemory, Plain, Trail, Tree};

use crate::chain::{Arrive, chain_between, successors};
use crate::found::Found;

/// States between two looks at the store.
const TICK: usize = 256;

/// The violations with their traces, of which the search may have the states already.
pub fn explain(steps: Steps<'_>, found: Vec<Found>, limit: Option<u64>) -> Result<Vec<Violation>, OutOfMemory> {
    if found.iter().any(|it| it.way.is_empty()) {
        return search_again(steps, found, limit);
    }
    let state = |words: &Vec<u64>| {
        let mut state = State::default();
        steps.unpack(words, &mut state);
        state
    };
    let explained = found.into_iter().map(|it| {
        let way: Vec<State> = it.way.iter().map(state).collect();
        along(steps.system(), &way, it)
    });
    Ok(explained.collect())
}

/// A violation with the trace that leads through all these states.
fn along(system: &Semantics<'_>, way: &[State], found: Found) -> Violation {
    let between = way.windows(2).flat_map(|pair| chain_between(system, &pair[0], &pair[1]));
    Violation { kind: found.kind, trace: Trace { steps: between.chain(found.path).collect() } }
}

fn search_again(mut steps: Steps<'_>, found: Vec<Found>, limit: Option<u64>) -> Result<Vec<Violation>, OutOfMemory> {
    let hidden = steps.packing().hidden as usize;
    let lengths = lengths(&steps);
    if hidden > 0 {
        Explanation::new(Plain::new(lengths, hidden, 0), hidden, limit).explain(&mut steps, found)
    } else {
        Explanation::new(Tree::new(lengths), hidden, limit).explain(&mut steps, found)
    }
}

/// Whether all states of a model are equally long.
pub fn lengths(steps: &Steps<'_>) -> Lengths {
    let packing = steps.packing();
    if packing.same_length { Lengths::Fixed(packing.fixed_words as usize) } else { Lengths::Varying }
}

/// All states in the order in which they are reached, each with where it was reached from.
struct Explanation<S> {
    store: S,
    hidden: usize,
    limit: Option<u64>,
    keys: Vec<Key>,
    parents: Vec<u32>,
    /// Per wanted state: its number, when it has been reached.
    wanted: HashMap<Vec<u64>, Option<usize>>,
    missing: usize,
}

impl<S: Exact> Explanation<S> {
    fn new(store: S, hidden: usize, limit: Option<u64>) -> Self {
        let (keys, parents) = (Vec::new(), Vec::new());
        Explanation { store, hidden, limit, keys, parents, wanted: HashMap::new(), missing: 0 }
    }

    fn explain(mut self, steps: &mut Steps<'_>, found: Vec<Found>) -> Result<Vec<Violation>, OutOfMemory> {
        self.wanted = found.iter().map(|it| (it.state[self.hidden..].to_vec(), None)).collect();
        self.missing = self.wanted.len();
        self.search(steps)?;
        Ok(found.into_iter().filter_map(|it| self.violation(steps, it)).collect())
    }

    fn search(&mut self, steps: &mut Steps<'_>) -> Result<(), OutOfMemory> {
        let mut local = self.store.local();
        let (mut state, mut trail, mut batch) = (Vec::new(), Trail::new(), steps.buffer());
        let Ok(initial) = steps.system().initial() else { return Ok(()) };
        steps.pack(&initial, &mut state);
        batch.push(&state);
        self.arrive(&mut local, &batch, 0, None)?;
        let mut row = 0;
        while row < self.keys.len() && self.missing > 0 {
            if row.is_multiple_of(TICK) {
                self.store.make_room(self.limit);
            }
            self.store.load(self.keys[row], &mut state, &mut trail);
            batch.clear();
            if steps.successors(&state, &mut batch) == Err(Trouble) {
                interpret(steps, &state, &mut batch);
            }
            let near = Near { state: &state, trail: &trail };
            self.arrive(&mut local, &batch, row, Some(near))?;
            row += 1;
        }
        Ok(())
    }

    fn arrive(
        &mut self,
        local: &mut S::Local,
        batch: &Successors,
        parent: usize,
        near: Option<Near<'_>>,
    ) -> Result<(), OutOfMemory> {
        for row in 0..batch.len() {
            let state = batch.get(row);
            let digest = self.store.digest(local, state, near);
            let inserted = loop {
                match self.store.insert(local, state, digest, Glance::default()) {
                    Insertion::Crowded => self.store.grow(self.limit)?,
                    inserted => break inserted,
                }
            };
            if let Insertion::New(key) = inserted {
                self.note(state);
                self.keys.push(key);
                self.parents.push(parent as u32);
            }
        }
        Ok(())
    }

    fn note(&mut self, state: &[u64]) {
        if let Some(number @ None) = self.wanted.get_mut(&state[self.hidden..]) {
            *number = Some(self.keys.len());
            self.missing -= 1;
        }
    }

    fn violation(&self, steps: &Steps<'_>, found: Found) -> Option<Violation> {
        let number = (*self.wanted.get(&found.state[self.hidden..])?)?;
        Some(along(steps.system(), &self.path(steps, number), found))
    }

    /// The states from the initial one to this.
    fn path(&self, steps: &Steps<'_>, number: usize) -> Vec<State> {
        let mut numbers = vec![number];
        let mut here = number;
        while here > 0 {
            here = self.parents[here] as usize;
            numbers.push(here);
        }
        numbers.iter().rev().map(|&it| self.state(steps, it)).collect()
    }

    fn state(&self, steps: &Steps<'_>, number: usize) -> State {
        let (mut words, mut trail, mut state) = (Vec::new(), Trail::new(), State::default());
        self.store.load(self.keys[number], &mut words, &mut trail);
        steps.unpack(&words, &mut state);
        state
    }
}

/// Successors from the reference interpreter.
fn interpret(steps: &Steps<'_>, words: &[u64], batch: &mut Successors) {
    let mut state = State::default();
    steps.unpack(words, &mut state);
    let system: &Semantics<'_> = steps.system();
    successors(system, &state, &mut Packed { steps, batch });
}

struct Packed<'a, 'm> {
    steps: &'a Steps<'m>,
    batch: &'a mut Successors,
}

impl Arrive for Packed<'_, '_> {
    fn state(&mut self, next: &State, _: &[Step]) {
        let mut words = Vec::new();
        self.steps.pack(next, &mut words);
        self.batch.push(&words);
    }

    fn failure(&mut self, _: Failure, _: &[Step]) {}

    fn inner(&mut self, _: &State) {}
}
