//! Ample sets with a look at the stack: partial-order reduction for depth-first search.
//!
//! Holzmann, Peled, *An improvement in formal verification*, FORTE 1994, as in SPIN; `dfs_po` of Nalumasu and Gopalakrishnan.
//!
//! ```text
//! successors of s:
//!     for each process P that may go first in s:
//!         if one of the states after its steps is not on the stack: these states
//!     otherwise: the states after the steps of everybody
//! ```
//!
//! Of each part of the reduced graph that cannot be left, one state is left by the search first. All its successors
//! are on the stack or were left before, so not all of them by steps of one process: everybody moves there, and nobody is
//! forgotten. This keeps safety properties and deadlocks. For properties of whole executions *none* of the states may be on the stack, so that every
//! cycle has a state in which everybody moves (Holzmann, Peled, Yannakakis, *On nested depth first search*, 1996). What is chosen in a
//! state depends on the stack, so this needs a search that expands each state once.
//!
//! SPIN lets fewer processes go first: those whose steps are all local as the text tells ([`model::locality`]), or are made so by `xr` and
//! `xs`. On request that is asked in addition, for who compares numbers; and as in SPIN a step that was tried in vain counts as a
//! transition (to a state that was known), though it is taken again with those of everybody.
//!
//! The stack is a set of hashes. If two states have the same, there is less reduction, and nothing worse.
use std::hash::{Hash, Hasher};

use compiled::{Steps, Successors};
use model::locality::location_is_local;
use model::{LocationId, ProcessType};
use reduction::Mistake;
use rustc_hash::{FxHashMap as HashMap, FxHasher};

use crate::expander::Expander;
use crate::firsts::Firsts;

/// Ample sets, and the stack.
pub struct Ample<'a> {
    firsts: Firsts<'a>,
    /// How often each hash is on the stack.
    way: HashMap<u64, u32>,
    /// Every cycle must have a state in which everybody moves.
    keeps_cycles: bool,
    /// Per type and location: whether all steps are local as the text tells, if that is asked.
    local: Option<Vec<Vec<bool>>>,
    /// Steps that led only to the stack, if they count.
    pub tried: u64,
}

impl<'a> Ample<'a> {
    /// With an empty stack.
    pub fn new(firsts: Firsts<'a>, local: bool, keeps_cycles: bool) -> Self {
        let local = local.then(|| firsts.model().processes.iter().map(local_locations).collect());
        Ample { firsts, way: HashMap::default(), keeps_cycles, local, tried: 0 }
    }

    /// A state is taken off the stack.
    pub fn leave(&mut self, state: &[u64]) {
        let hash = hash(state);
        if let Some(count) = self.way.get_mut(&hash) {
            *count -= 1;
            if *count == 0 {
                self.way.remove(&hash);
            }
        }
    }

    /// Adds the successors of a state that is put on the stack, by steps of one process if that is enough. Otherwise adds none.
    pub fn expand(&mut self, expander: &mut Expander<'_>, state: &[u64], level: u64, out: &mut Successors) -> bool {
        *self.way.entry(hash(state)).or_default() += 1;
        self.firsts.look_at(expander.steps_mut(), state);
        let (before, inner) = (out.len(), out.inner);
        for process in (0..expander.steps().process_count()).rev() {
            if self.may_go(expander.steps(), process, state) {
                expander.expand_one(process, state, level, out);
                let mut next = out.iter_from(before);
                let is_enough = match self.keeps_cycles {
                    true => out.len() > before && next.all(|it| self.is_new(it)),
                    false => next.any(|it| self.is_new(it)),
                };
                if is_enough {
                    return true;
                }
                self.tried += if self.local.is_some() { (out.len() - before) as u64 } else { 0 };
                out.truncate(before);
                out.inner = inner;
                self.firsts.look_at(expander.steps_mut(), state);
            }
        }
        false
    }

    fn may_go(&self, steps: &Steps<'_>, process: usize, state: &[u64]) -> bool {
        let is_local = |rows: &Vec<Vec<bool>>| {
            let location = steps.location_in(process, state);
            rows[steps.type_of(process).0 as usize][location.0 as usize]
        };
        self.local.as_ref().is_none_or(is_local) && self.firsts.may_go(steps, process, state)
    }

    fn is_new(&self, state: &[u64]) -> bool {
        self.firsts.mistake == Some(Mistake::Cycles) || !self.way.contains_key(&hash(state))
    }
}

fn local_locations(process: &ProcessType) -> Vec<bool> {
    (0..process.locations.len()).map(|row| location_is_local(process, LocationId(row as u32))).collect()
}

fn hash(state: &[u64]) -> u64 {
    let mut hasher = FxHasher::default();
    state.hash(&mut hasher);
    hasher.finish()
}
