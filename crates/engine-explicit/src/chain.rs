//! From one state to the next, through the steps that a process makes alone.
//!
//! After a step that keeps control the system is not in a state of its own: the process goes on at
//! once. A *chain* is a step together with all that follow in this way, up to the first state in
//! which everybody may move again, or in which the process cannot go on and loses control.
//!
//! Every chain is followed: two chains to one state are two transitions. Only when a chain returns
//! to a point it has passed, or when one state has more than [`PATIENCE`] chain steps, are points
//! remembered and each is followed once.
use std::collections::HashSet;

use model::semantics::{Failure, Semantics, State, Step};

/// Chain steps out of one state after which each point is followed only once.
const PATIENCE: usize = 10_000;

/// What the search wants to know of the steps out of a state.
pub trait Arrive {
    /// A state in which everybody may move, and the steps that led there.
    fn state(&mut self, next: &State, path: &[Step]);
    /// A step that went wrong, at the end of the path.
    fn failure(&mut self, failure: Failure, path: &[Step]);
    /// A state that is passed through.
    fn inner(&mut self, next: &State);
}

/// Follows every chain out of `state`; false if there is none.
pub fn successors(system: &Semantics<'_>, state: &State, arrive: &mut dyn Arrive) -> bool {
    let mut chains = Chains { pending: Vec::new(), arrive };
    let moved = chains.expand(system, state, &[]);
    let mut seen = HashSet::new();
    let mut steps = 0;
    while let Some((mut point, path)) = chains.pending.pop() {
        steps += 1;
        let remember = steps > PATIENCE || path.len() > PATIENCE;
        if remember && !seen.insert((point.bytes().to_vec(), point.exclusive)) {
            continue;
        }
        if !chains.expand(system, &point, &path) {
            system.release(&mut point);
            chains.arrive.state(&point, &path);
        }
    }
    moved
}

struct Chains<'a> {
    pending: Vec<(State, Vec<Step>)>,
    arrive: &'a mut dyn Arrive,
}

impl Chains<'_> {
    fn expand(&mut self, system: &Semantics<'_>, state: &State, path: &[Step]) -> bool {
        let mut longer = path.to_vec();
        longer.push(Step { process: 0, edge: model::EdgeId(0), partner: None });
        system.moves(state, &mut |it| {
            *longer.last_mut().expect("the step just pushed") = it.step;
            it.failures.iter().for_each(|&failure| self.arrive.failure(failure, &longer));
            match it.next {
                Some(next) if next.exclusive.is_some() => {
                    self.arrive.inner(next);
                    self.pending.push((next.clone(), longer.clone()));
                }
                Some(next) => self.arrive.state(next, &longer),
                None => {}
            }
        })
    }
}

/// The steps of the first chain from one state to another, its successor. A chain on which hidden variables get
/// the same values, too, is preferred.
pub fn chain_between(system: &Semantics<'_>, from: &State, to: &State) -> Vec<Step> {
    let mut find = FindPath { wanted: to, exact: None, similar: None };
    successors(system, from, &mut find);
    find.exact.or(find.similar).expect("a stored state is a successor of its parent")
}

struct FindPath<'a> {
    wanted: &'a State,
    exact: Option<Vec<Step>>,
    similar: Option<Vec<Step>>,
}

impl Arrive for FindPath<'_> {
    fn state(&mut self, next: &State, path: &[Step]) {
        if self.exact.is_none() && next.bytes() == self.wanted.bytes() {
            self.exact = Some(path.to_vec());
        } else if self.similar.is_none() && next.identity() == self.wanted.identity() {
            self.similar = Some(path.to_vec());
        }
    }

    fn failure(&mut self, _: Failure, _: &[Step]) {}

    fn inner(&mut self, _: &State) {}
}
