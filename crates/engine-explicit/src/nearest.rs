//! A shortest way to one of some states of system and claim.
//!
//! The searches for cycles keep no ways, or long ones. Once it is known where to go, the states are visited once more, breadth first, by one worker and with a link from every
//! state to the one it was first reached from.
use model::semantics::State;
use store::{Exact, Glance, Insertion, Key, OutOfMemory, Plain, Store, Trail};

use crate::product::Product;

/// States between two looks at the store.
const TICK: usize = 256;

/// The states from an initial one to the nearest that is wanted, unless it is not among the first `most`, or memory runs out.
pub fn nearest(
    product: &mut Product<'_>,
    initial: &State,
    store: Plain,
    limits: Reach,
    is_wanted: impl Fn(&[u64]) -> bool,
) -> Option<Vec<Vec<u64>>> {
    let mut first = product.buffer();
    product.begin(initial, &mut first);
    let mut visited =
        Visited { local: store.local(), store, memory: limits.memory, keys: Vec::new(), from: Vec::new() };
    let mut found = visited.arrive(first.iter_from(0), 0, &is_wanted).ok()?;
    let (mut state, mut trail, mut next, mut marks) = (Vec::new(), Trail::new(), product.buffer(), Vec::new());
    let mut here = 0;
    while found.is_none() && here < visited.keys.len() && visited.keys.len() < limits.most {
        visited.store.load(visited.keys[here], &mut state, &mut trail);
        next.clear();
        marks.clear();
        // Where something is wrong, nothing follows.
        let _ = product.expand(&state, &mut next, &mut marks);
        found = visited.arrive(next.iter_from(0), here, &is_wanted).ok()?;
        here += 1;
    }
    found.map(|it| visited.way_to(it))
}

/// How far to look.
#[derive(Clone, Copy)]
pub struct Reach {
    /// So many states.
    pub most: usize,
    /// So many bytes.
    pub memory: Option<u64>,
}

/// States in the order in which they were reached.
struct Visited {
    store: Plain,
    local: <Plain as Store>::Local,
    memory: Option<u64>,
    keys: Vec<Key>,
    /// Where each was reached from; those with which it begins, from themselves.
    from: Vec<usize>,
}

impl Visited {
    /// Adds those that are new. Returns the number of one that is wanted.
    fn arrive<'s>(
        &mut self,
        states: impl Iterator<Item = &'s [u64]>,
        from: usize,
        is_wanted: impl Fn(&[u64]) -> bool,
    ) -> Result<Option<usize>, OutOfMemory> {
        let is_first = self.keys.is_empty();
        for state in states {
            let Some(key) = self.insert(state)? else { continue };
            let number = self.keys.len();
            self.keys.push(key);
            self.from.push(if is_first { number } else { from });
            if is_wanted(state) {
                return Ok(Some(number));
            }
        }
        Ok(None)
    }

    fn insert(&mut self, state: &[u64]) -> Result<Option<Key>, OutOfMemory> {
        if self.keys.len().is_multiple_of(TICK) {
            self.store.make_room(self.memory);
        }
        let digest = self.store.digest(&mut self.local, state, None);
        loop {
            match self.store.insert(&mut self.local, state, digest, Glance::default()) {
                Insertion::Crowded => self.store.grow(self.memory)?,
                Insertion::New(key) => return Ok(Some(key)),
                Insertion::Known(_) => return Ok(None),
            }
        }
    }

    fn way_to(&self, number: usize) -> Vec<Vec<u64>> {
        let (mut way, mut here) = (Vec::new(), number);
        loop {
            let mut state = Vec::new();
            self.store.load(self.keys[here], &mut state, &mut Trail::new());
            way.push(state);
            if self.from[here] == here {
                break;
            }
            here = self.from[here];
        }
        way.reverse();
        way
    }
}
