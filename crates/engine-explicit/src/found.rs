//! Violations found on the way, and which of them are reported.
//!
//! Of all violations that look the same to a reader, the one nearest to the initial state counts; of
//! those equally near, the one whose state is smallest. So the choice does not depend on who found it.
use std::collections::BTreeMap;

use engine::ViolationKind;
use model::semantics::{Semantics, State, Step};

/// A violation: where it was found, and how it is reached from there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Found {
    /// Steps from the initial state, counted in states.
    pub level: u64,
    /// The state from which the last steps are taken, or which is wrong itself.
    pub state: Vec<u64>,
    /// The last steps.
    pub path: Vec<Step>,
    /// What is wrong.
    pub kind: ViolationKind,
    /// All states from the initial one to this, if the search has them at hand; otherwise none.
    pub way: Vec<Vec<u64>>,
}

impl Found {
    /// A violation in a state, or in steps out of it.
    pub fn new(level: u64, state: &[u64], path: &[Step], kind: ViolationKind) -> Found {
        Found { level, state: state.to_vec(), path: path.to_vec(), kind, way: Vec::new() }
    }

    /// How long a trace to it is, counted in states.
    pub fn length(&self) -> u64 {
        self.level + u64::from(!self.path.is_empty())
    }
}

/// The nearest violation of each sort.
#[derive(Clone, Debug, Default)]
pub struct Findings {
    /// How many there were, repetitions included.
    pub errors: u64,
    nearest: BTreeMap<String, Found>,
}

impl Findings {
    /// Counts a violation; `state` is its state as the reference has it.
    pub fn add(&mut self, found: Found, state: &State) {
        self.errors += 1;
        self.keep(signature(found.kind, state), found);
    }

    fn keep(&mut self, signature: String, found: Found) {
        match self.nearest.get(&signature) {
            Some(known) if order(known) <= order(&found) => {}
            _ => drop(self.nearest.insert(signature, found)),
        }
    }

    /// Takes over what another worker has found.
    pub fn merge(&mut self, other: Findings) {
        self.errors += other.errors;
        other.nearest.into_iter().for_each(|(signature, found)| self.keep(signature, found));
    }

    /// Tells the violations that do not know how they were reached.
    pub fn show_way(&mut self, way: impl Fn() -> Vec<Vec<u64>>) {
        let lost = self.nearest.values_mut().filter(|it| it.way.is_empty());
        lost.for_each(|it| it.way = way());
    }

    /// The length of the shortest trace to any of them.
    pub fn shortest(&self) -> Option<u64> {
        self.nearest.values().map(Found::length).min()
    }

    /// The nearest of each sort, with what makes it one sort.
    pub fn list(&self) -> Vec<(&str, &Found)> {
        self.nearest.iter().map(|(signature, found)| (&**signature, found)).collect()
    }

    /// Takes over one sort of violation, without counting it; false if there is none of this sort.
    pub fn adopt(&mut self, signature: &str, mut other: Findings) -> bool {
        other.nearest.remove(signature).map(|found| self.keep(signature.into(), found)).is_some()
    }

    /// The violations, nearest first.
    pub fn into_list(self) -> Vec<Found> {
        let mut list: Vec<Found> = self.nearest.into_values().collect();
        list.sort_by(|left, right| order(left).cmp(&order(right)));
        list
    }
}

fn order(found: &Found) -> (u64, usize, &[u64], String) {
    (found.level, found.path.len(), &found.state, format!("{:?}", found.path))
}

/// What makes two violations the same to a reader.
fn signature(kind: ViolationKind, state: &State) -> String {
    match kind {
        ViolationKind::InvalidEnd { process } => {
            let process = usize::from(process);
            format!("end {:?} {:?}", state.type_of(process), state.location_of(process))
        }
        ViolationKind::Step(failure) => {
            format!("{:?} {:?} {:?}", std::mem::discriminant(&failure.kind), failure.process, failure.edge)
        }
        kind => format!("{kind:?}"),
    }
}

/// Where no process may stay, if nothing moves.
pub fn invalid_end(system: &Semantics<'_>, state: &State) -> Option<ViolationKind> {
    system.unfinished(state).map(|process| ViolationKind::InvalidEnd { process: process as u8 })
}
