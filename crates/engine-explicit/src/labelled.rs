//! All states and the steps between them, as the reference has them, for those who want to see the whole graph.
//!
//! States are numbered in the order in which they are reached, breadth first. Nothing is reduced or merged: one arrival is one chain of steps.
use std::collections::HashMap;
use std::time::Instant;

use engine::{Limits, Progress, Watch, Why};
use model::semantics::{Failure, Fault, Semantics, State, Step};

use crate::chain::{Arrive, successors};

/// States between two looks at the clock.
const TICK: u64 = 128;

/// A chain of steps from one state to the next.
#[derive(Clone, Copy, Debug)]
pub struct Arrival<'a> {
    /// The number of the state that it begins in.
    pub source: u32,
    /// That state.
    pub from: &'a State,
    /// The steps.
    pub steps: &'a [Step],
    /// The number of the state that it leads to; `None` if the last step goes wrong and leads nowhere.
    pub target: Option<u32>,
}

/// Visits every chain of steps between reachable states; returns how many states there are. `Ok(Err(fault))` if there is no initial one.
pub fn labelled(
    system: &Semantics<'_>,
    limits: &Limits,
    watch: &mut dyn Watch,
    visit: &mut dyn FnMut(Arrival<'_>),
) -> Result<Result<u32, Fault>, Why> {
    let initial = match system.initial() {
        Ok(initial) => initial,
        Err(fault) => return Ok(Err(fault)),
    };
    let began = Instant::now();
    let mut walk = Walk { numbers: HashMap::new(), states: Vec::new(), source: 0, transitions: 1, visit };
    walk.number(&initial);
    let mut state = State::default();
    while let Some(bytes) = walk.states.get(walk.source as usize) {
        system.decode(bytes, &mut state);
        successors(system, &state, &mut Expansion { walk: &mut walk, from: &state });
        walk.source += 1;
        if u64::from(walk.source).is_multiple_of(TICK) {
            let progress = walk.progress(began);
            limits.passed(&progress, progress.elapsed, watch).map_or(Ok(()), Err)?;
        }
        if walk.states.len() >= u32::MAX as usize {
            return Err(Why::Unsupported("more states than a graph of them can have".into()));
        }
    }
    Ok(Ok(walk.source))
}

impl Arrival<'_> {
    /// The state before each of the steps, and the one after the last if it leads somewhere. On the way processes may come and go.
    pub fn passed(&self, system: &Semantics<'_>) -> Vec<State> {
        let mut states = vec![self.from.clone()];
        for &step in self.steps {
            let mut next = None;
            system.moves(&states[states.len() - 1], &mut |it| {
                if it.step == step {
                    next = it.next.cloned();
                }
            });
            states.extend(next);
        }
        states
    }
}

struct Walk<'v> {
    numbers: HashMap<Vec<u8>, u32>,
    states: Vec<Vec<u8>>,
    /// The state that is looked at.
    source: u32,
    transitions: u64,
    visit: &'v mut dyn FnMut(Arrival<'_>),
}

impl Walk<'_> {
    fn number(&mut self, state: &State) -> u32 {
        let next = self.states.len() as u32;
        let number = *self.numbers.entry(state.identity().to_vec()).or_insert(next);
        if number == next {
            self.states.push(state.bytes().to_vec());
        }
        number
    }

    fn progress(&self, began: Instant) -> Progress {
        let bytes = self.states.last().map_or(0, |it| 2 * it.len() + 100);
        Progress {
            states: self.states.len() as u64,
            transitions: self.transitions,
            depth: 0,
            frontier: self.states.len() as u64 - u64::from(self.source),
            memory: (bytes * self.states.len()) as u64 + 12 * self.transitions,
            elapsed: began.elapsed(),
        }
    }
}

/// The chains out of one state.
struct Expansion<'w, 'v, 's> {
    walk: &'w mut Walk<'v>,
    from: &'s State,
}

impl Arrive for Expansion<'_, '_, '_> {
    fn state(&mut self, next: &State, steps: &[Step]) {
        let target = Some(self.walk.number(next));
        self.walk.transitions += 1;
        (self.walk.visit)(Arrival { source: self.walk.source, from: self.from, steps, target });
    }

    fn failure(&mut self, failure: Failure, steps: &[Step]) {
        if matches!(failure.kind, model::semantics::FailureKind::Fault(_)) {
            (self.walk.visit)(Arrival { source: self.walk.source, from: self.from, steps, target: None });
        }
    }

    fn inner(&mut self, _: &State) {}
}
