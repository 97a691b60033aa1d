//! Shortest traces to states in which something is wrong.
//!
//! The search itself keeps no paths: it says only *where* something is wrong. To show *how* it gets
//! there, the levels are searched once more, by one worker, in the order of the semantics, and with
//! a link from every state to the one it was first reached from. This takes twice the time in the
//! case that somebody wants to look at, and nothing in the other; and the trace is the same whatever
//! store and however many threads have found the state.
//!
//! A depth-first search has the states of a trace on its stack; then only the steps between them are looked for.
use std::collections::{HashMap, VecDeque};

use compiled::{Steps, Successors};
use engine::{Trace, Violation};
use model::semantics::{Semantics, State};
use store::{Exact, Glance, Insertion, Key, Lengths, Near, OutOfMemory, Plain, Trail, Tree};

use crate::chain::chain_between;
use crate::expander::{Expand, Expander, Link};
use crate::found::Found;

/// States between two looks at the store.
const TICK: usize = 256;

/// The violations with their traces, of which the search may have the states already.
pub fn explain(
    mut expander: Expander<'_>,
    found: Vec<Found>,
    limit: Option<u64>,
) -> Result<Vec<Violation>, OutOfMemory> {
    if found.iter().any(|it| it.way.is_empty()) || expander.is_reduced() {
        return search_again(expander, found, limit);
    }
    let steps = expander.steps_mut();
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
    Violation { kind: found.kind, trace: Trace { steps: between.chain(found.path).collect(), cycle: None } }
}

fn search_again(
    mut expander: Expander<'_>,
    found: Vec<Found>,
    limit: Option<u64>,
) -> Result<Vec<Violation>, OutOfMemory> {
    let hidden = expander.steps_mut().packing().hidden as usize;
    let lengths = lengths(expander.steps_mut());
    if hidden > 0 {
        Explanation::new(Plain::new(lengths, hidden, 0), hidden, limit).explain(&mut expander, found)
    } else {
        Explanation::new(Tree::new(lengths), hidden, limit).explain(&mut expander, found)
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
    /// The numbers of states, if states are reached from others of the same batch.
    numbers: HashMap<Key, u32>,
    is_linked: bool,
    /// The numbers of states that have to be expanded.
    ends: VecDeque<u32>,
    /// Per wanted state: its number, when it has been reached.
    wanted: HashMap<Vec<u64>, Option<usize>>,
    missing: usize,
}

impl<S: Exact> Explanation<S> {
    fn new(store: S, hidden: usize, limit: Option<u64>) -> Self {
        let (keys, parents, numbers, ends) = (Vec::new(), Vec::new(), HashMap::new(), VecDeque::new());
        Explanation {
            store,
            hidden,
            limit,
            keys,
            parents,
            numbers,
            is_linked: false,
            ends,
            wanted: HashMap::new(),
            missing: 0,
        }
    }

    fn explain(mut self, expander: &mut Expander<'_>, found: Vec<Found>) -> Result<Vec<Violation>, OutOfMemory> {
        self.wanted = found.iter().map(|it| (it.state[self.hidden..].to_vec(), None)).collect();
        self.missing = self.wanted.len();
        self.is_linked = expander.is_reduced();
        self.search(expander)?;
        Ok(found.into_iter().filter_map(|it| self.violation(expander.steps_mut(), it)).collect())
    }

    fn search(&mut self, expander: &mut Expander<'_>) -> Result<(), OutOfMemory> {
        let mut local = self.store.local();
        let (mut state, mut trail, mut batch, mut links) = (Vec::new(), Trail::new(), expander.buffer(), Vec::new());
        let Ok(initial) = expander.steps_mut().system().initial() else { return Ok(()) };
        expander.steps_mut().pack(&initial, &mut state);
        expander.link(&state, 0, &mut batch, &mut links);
        self.arrive(&mut local, &batch, &links, 0, None)?;
        while self.missing > 0 {
            let Some(number) = self.ends.pop_front() else { break };
            if (number as usize).is_multiple_of(TICK) {
                self.store.make_room(self.limit);
            }
            self.store.load(self.keys[number as usize], &mut state, &mut trail);
            batch.clear();
            links.clear();
            expander.expand_linked(&state, 0, &mut batch, &mut links);
            let near = Near { state: &state, trail: &trail };
            self.arrive(&mut local, &batch, &links, number, Some(near))?;
        }
        Ok(())
    }

    fn arrive(
        &mut self,
        local: &mut S::Local,
        batch: &Successors,
        links: &[Link],
        parent: u32,
        near: Option<Near<'_>>,
    ) -> Result<(), OutOfMemory> {
        let mut numbers = Vec::new();
        for (row, link) in links.iter().enumerate() {
            let state = batch.get(row);
            let digest = self.store.digest(local, state, near);
            let inserted = loop {
                match self.store.insert(local, state, digest, Glance::default()) {
                    Insertion::Crowded => self.store.grow(self.limit)?,
                    inserted => break inserted,
                }
            };
            let parent = link.parent.map_or(parent, |row| numbers[row]);
            numbers.push(self.number(inserted, state, parent, *link));
        }
        Ok(())
    }

    /// The number of a state, which is a new one if the state is new. States that were passed and turn out to be ends elsewhere lead to
    /// those ends.
    fn number(&mut self, inserted: Insertion, state: &[u64], parent: u32, link: Link) -> u32 {
        let key = match inserted {
            Insertion::New(key) => key,
            Insertion::Known(key) => return self.numbers.get(&key).copied().unwrap_or(0),
            Insertion::Crowded => unreachable!("room was made"),
        };
        self.note(state);
        let number = self.keys.len() as u32;
        self.keys.push(key);
        self.parents.push(parent);
        if self.is_linked {
            self.numbers.insert(key, number);
        }
        if link.is_end {
            self.ends.push_back(number);
        }
        number
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
