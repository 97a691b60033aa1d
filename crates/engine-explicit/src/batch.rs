//! The successors of a state, or of several, looked up together.
//!
//! A depth-first search that asks for one successor at a time waits for memory each time. So all successors of a state are looked up when it is
//! expanded: the lines of the table where they belong are fetched at once, and only then is each of them stored, if it was not.
use compiled::Successors;
use store::{Digest, Exact, Glance, Insertion, Key, Near, OutOfMemory, Trail, Wanted};

use crate::lasso::Marks;
use crate::product::{Product, Stopped};

/// Successors, and what is known of them.
pub struct Batch {
    /// The state that the last of them follow.
    pub state: Vec<u64>,
    /// For each state that they follow its key, and how many there were when these were added.
    pub sources: Vec<(Key, usize)>,
    trail: Trail,
    /// They themselves.
    pub states: Successors,
    /// What the edges to them count for.
    pub marks: Vec<Marks>,
    digests: Vec<Digest>,
    glances: Vec<Glance>,
    /// Those that were looked up: their keys, and whether they are new.
    pub keys: Vec<(Key, bool)>,
}

impl Batch {
    /// An empty one.
    pub fn new(states: Successors) -> Batch {
        let (state, trail, marks) = (Vec::new(), Trail::new(), Vec::new());
        Batch {
            state,
            sources: Vec::new(),
            trail,
            states,
            marks,
            digests: Vec::new(),
            glances: Vec::new(),
            keys: Vec::new(),
        }
    }

    /// Forgets all.
    pub fn clear(&mut self) {
        self.sources.clear();
        self.states.clear();
        self.marks.clear();
        self.digests.clear();
        self.glances.clear();
        self.keys.clear();
    }

    /// Adds the successors of a state. Says whether the system was asked for its own.
    pub fn add<S: Exact>(
        &mut self,
        key: Key,
        product: &mut Product<'_>,
        store: &S,
        local: &mut S::Local,
    ) -> Result<bool, Stopped> {
        store.load(key, &mut self.state, &mut self.trail);
        let before = self.states.len();
        let was_asked = product.expand(&self.state, &mut self.states, &mut self.marks)?;
        let (near, is_wanted) = (Some(Near { state: &self.state, trail: &self.trail }), true);
        let enlist = |state| store.enlist(local, Wanted { state, hash: store.hash(state), near, is_wanted });
        self.digests.extend(self.states.iter_from(before).map(enlist));
        self.sources.push((key, self.states.len()));
        Ok(was_asked)
    }

    /// Stores those that were not looked up yet. If there is no room, the store has to grow before this goes on.
    pub fn look_up<S: Exact>(&mut self, store: &S, local: &mut S::Local) -> Result<(), OutOfMemory> {
        if self.glances.is_empty() {
            store.conclude(local, &mut self.digests);
            self.glances.extend(self.digests.iter().map(|&it| store.glance(it)));
        }
        for row in self.keys.len()..self.states.len() {
            match store.insert(local, self.states.get(row), self.digests[row], self.glances[row]) {
                Insertion::New(key) => self.keys.push((key, true)),
                Insertion::Known(key) => self.keys.push((key, false)),
                Insertion::Crowded => return Err(OutOfMemory),
            }
        }
        Ok(())
    }
}
