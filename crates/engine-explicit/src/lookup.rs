//! The successors of a batch that are to be looked up, and which of them are new.
//!
//! About half of all successors are known, and which ones cannot be predicted: a jump that depends on it is taken wrongly every
//! second time, and that costs as much as the work that it saves. So what is computed here is computed for
//! all, and lists grow by one or by nothing; the loops over what is known and over what is new have no such jump. (Ross, *Selection conditions in main
//! memory*, TODS 29, 2004.)
use compiled::Successors;
use store::{Digest, Glance, Near, Store, Wanted};

use crate::recent::Recent;

/// The successors that are to be looked up.
#[derive(Debug, Default)]
pub struct Lookup {
    /// How many successors of the batch have been looked at.
    pub seen: usize,
    /// How many of them are to be looked up; all lists are as long or longer.
    count: usize,
    rows: Vec<u32>,
    digests: Vec<Digest>,
    glances: Vec<Glance>,
    known: Vec<u32>,
    new: Vec<u32>,
    /// How many of the new ones there are.
    new_count: usize,
    recent: Recent,
}

impl Lookup {
    /// How many successors are to be looked up.
    #[inline]
    pub fn len(&self) -> usize {
        self.count
    }

    /// Adds the successors that were not looked at, except those that were met a moment ago; what they need is on its way from now on.
    #[inline]
    pub fn add<S: Store>(&mut self, batch: &Successors, near: Option<Near<'_>>, store: &S, local: &mut S::Local) {
        self.make_room(batch.len());
        for state in batch.iter_from(self.seen) {
            let hash = store.hash(state);
            let is_wanted = !self.recent.has_met_hashed(state, hash);
            self.digests[self.count] = store.enlist(local, Wanted { state, hash, near, is_wanted });
            self.rows[self.count] = self.seen as u32;
            self.count += usize::from(is_wanted);
            self.seen += 1;
        }
    }

    #[inline]
    fn make_room(&mut self, len: usize) {
        if self.rows.len() < len {
            let len = len.next_power_of_two();
            [&mut self.rows, &mut self.known, &mut self.new].into_iter().for_each(|it| it.resize(len, 0));
            self.digests.resize(len, Digest(0));
            self.glances.resize(len, Glance::default());
        }
    }

    /// Finds out which of them are new, as far as can be seen without inserting any.
    pub fn sort_out<S: Store>(&mut self, batch: &Successors, store: &S, local: &mut S::Local) {
        store.conclude(local, &mut self.digests[..self.count]);
        let (mut known, mut new) = (0, 0);
        for at in 0..self.count {
            let glance = store.glance(self.digests[at]);
            self.glances[at] = glance;
            (self.known[known], self.new[new]) = (at as u32, at as u32);
            known += usize::from(glance.found != 0);
            new += usize::from(glance.found == 0);
        }
        let confirmed = |&at: &u32| {
            let at = at as usize;
            store.confirms(batch.get(self.rows[at] as usize), self.digests[at], self.glances[at])
        };
        self.new_count = new;
        if !self.known[..known].iter().all(confirmed) {
            self.ask_for_all();
        }
    }

    /// What looked like a known state was another one. In which order states are inserted matters, so all are.
    #[cold]
    fn ask_for_all(&mut self) {
        self.new_count = self.count;
        (0..self.count).for_each(|at| self.new[at] = at as u32);
    }

    /// Those that seem to be new: their rows in the batch, their digests, and what was seen of them.
    #[inline]
    pub fn new_ones(&self) -> impl Iterator<Item = (usize, Digest, Glance)> {
        let one = |&at: &u32| (self.rows[at as usize] as usize, self.digests[at as usize], self.glances[at as usize]);
        self.new[..self.new_count].iter().map(one)
    }

    /// All successors of the batch were looked up.
    pub fn clear(&mut self) {
        (self.seen, self.count) = (0, 0);
    }

    /// Successors that were met may have to be met again.
    pub fn forget(&mut self) {
        self.recent.forget();
    }
}
