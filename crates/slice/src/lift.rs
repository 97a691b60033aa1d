//! A trace of the slice, as one of the model as it was.
//!
//! Steps that stay are taken as they are; before that, a process passes the locations that the slice leaves out, by the first step that is possible. A cycle is
//! taken until it comes back to where it was, because what was left out takes part again.
use model::LocationId;
use model::semantics::{Semantics, State, Step};

use crate::Shape;

/// A trace.
pub struct Lifted {
    /// Its steps.
    pub steps: Vec<Step>,
    /// Where its cycle begins.
    pub cycle: Option<usize>,
}

/// Steps after which nobody goes on looking.
const PATIENCE: usize = 200_000;
const ROUNDS: usize = 1_000;

/// Takes a trace of the slice on the model as it was; `settles` if it has to end where everybody has passed what is left out.
pub fn lift(
    system: &Semantics<'_>,
    shapes: &[Shape],
    steps: &[Step],
    cycle: Option<usize>,
    settles: bool,
) -> Option<Lifted> {
    let mut walk = Walk { system, shapes, state: system.initial().ok()?, steps: Vec::new(), ended: false };
    let first = cycle.filter(|&it| it < steps.len());
    walk.all(&steps[..first.unwrap_or(steps.len())])?;
    let Some(first) = first else {
        if settles && !walk.ended {
            walk.settle()?;
        }
        return Some(Lifted { steps: walk.steps, cycle });
    };
    walk.settle()?;
    let mut rounds: Vec<(Vec<u8>, usize)> = Vec::new();
    for _ in 0..ROUNDS {
        if let Some(begin) = rounds.iter().find(|it| it.0 == walk.state.bytes()).map(|it| it.1) {
            return Some(Lifted { steps: walk.steps, cycle: Some(begin) });
        }
        rounds.push((walk.state.bytes().to_vec(), walk.steps.len()));
        walk.all(&steps[first..])?;
        walk.settle()?;
    }
    None
}

struct Walk<'a> {
    system: &'a Semantics<'a>,
    shapes: &'a [Shape],
    state: State,
    steps: Vec<Step>,
    ended: bool,
}

impl Walk<'_> {
    fn all(&mut self, steps: &[Step]) -> Option<()> {
        steps.iter().try_for_each(|&step| self.one(step))
    }

    /// Takes a step of the slice.
    fn one(&mut self, step: Step) -> Option<()> {
        while !self.is_due(step) || !self.take(&|it| self_same(it, step)) {
            let holder = self.state.exclusive.map(usize::from);
            let partner = step.partner.map(|it| usize::from(it.0));
            let movers = [holder, Some(usize::from(step.process)), partner];
            let moved = movers.into_iter().flatten().any(|it| self.pass(it));
            // A process may be due at a location where it does not matter which step is taken.
            if !moved {
                return self.any_step(step);
            }
        }
        Some(())
    }

    /// Whether processes are where a step begins.
    fn is_due(&self, step: Step) -> bool {
        let model = self.system.model();
        let source = |process: u8, edge| {
            let ty = self.state.type_of(usize::from(process));
            model.process(ty).edge(edge).source == self.state.location_of(usize::from(process))
        };
        let exists = |process: u8| usize::from(process) < self.state.process_count();
        exists(step.process)
            && source(step.process, step.edge)
            && step.partner.is_none_or(|it| exists(it.0) && source(it.0, it.1))
    }

    /// A step from where all lead to the same place.
    fn any_step(&mut self, step: Step) -> Option<()> {
        let process = usize::from(step.process);
        let (shape, here) = (self.shape(process)?, self.location(process)?);
        let decides = shape.decides[here.0 as usize];
        (self.is_due(step) && !decides && self.take(&|it| it.process == step.process && it.partner.is_none()))
            .then_some(())
    }

    fn shape(&self, process: usize) -> Option<&Shape> {
        (process < self.state.process_count()).then(|| &self.shapes[self.state.type_of(process).0 as usize])
    }

    fn location(&self, process: usize) -> Option<LocationId> {
        (process < self.state.process_count()).then(|| self.state.location_of(process))
    }

    /// Lets a process pass one location that is left out.
    fn pass(&mut self, process: usize) -> bool {
        let (Some(shape), Some(here)) = (self.shape(process), self.location(process)) else { return false };
        let row = here.0 as usize;
        let is_left_out = shape.stops[row].0 != here && !shape.cut[row];
        is_left_out && self.take(&|it| usize::from(it.process) == process && it.partner.is_none())
    }

    /// Lets everybody pass what is left out.
    fn settle(&mut self) -> Option<()> {
        loop {
            if self.steps.len() > PATIENCE {
                return None;
            }
            let passed = (0..self.state.process_count()).any(|it| self.pass(it));
            if !passed && !self.take_cut() {
                return Some(());
            }
        }
    }

    /// A step of processes for which nothing matters any more.
    fn take_cut(&mut self) -> bool {
        let is_cut = |process: u8| {
            let process = usize::from(process);
            let row = self.state.location_of(process).0 as usize;
            self.shapes[self.state.type_of(process).0 as usize].cut[row]
        };
        let cut: Vec<bool> = (0..self.state.process_count()).map(|it| is_cut(it as u8)).collect();
        self.take(&|it| cut[usize::from(it.process)] && it.partner.is_none_or(|it| cut[usize::from(it.0)]))
    }

    /// Takes the first step that is wanted, if there is one.
    fn take(&mut self, wanted: &dyn Fn(Step) -> bool) -> bool {
        if self.ended || self.steps.len() > PATIENCE {
            return false;
        }
        let (mut found, mut next) = (None, None);
        if self.state.exclusive.is_some() && !self.system.moves(&self.state, &mut |_| {}) {
            self.system.release(&mut self.state);
        }
        self.system.moves(&self.state, &mut |it| {
            if found.is_none() && wanted(it.step) {
                (found, next) = (Some(it.step), it.next.cloned());
            }
        });
        let Some(step) = found else { return false };
        self.steps.push(step);
        self.ended = next.is_none();
        next.into_iter().for_each(|it| self.state = it);
        true
    }
}

fn self_same(left: Step, right: Step) -> bool {
    left == right
}
