//! What every store is: the words in which a search and a store talk.
use std::fmt;

use crate::hash::quick_hash;

/// What a table is asked for: it decides where a state belongs. Made by [`Store::digest`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Digest(pub u64);

/// What was seen in a table before the question was asked.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Glance {
    /// An entry that may be the answer, or zero.
    pub found: u64,
    /// If there was none: which slot of the line an entry would get, counted from one; or zero if it would get none.
    pub free: u32,
    /// Of how many lines the table was. (Of a larger one, the lower half of the number.)
    pub lines: u32,
}

/// Names a stored state, for ever: it survives growth.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Key(pub u64);

/// The answer to an insertion.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Insertion {
    /// The state was not there. Of all insertions of a state, one is told so.
    New(Key),
    /// The state was there, or the store cannot tell it from one that was.
    Known(Key),
    /// There is no room near its place: grow the store, then insert again.
    Crowded,
}

/// Whether all states of a run are equally long. Who says so need not store lengths.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Lengths {
    /// Every state has so many words.
    Fixed(usize),
    /// Every state has its own number of words.
    Varying,
}

/// The inner references of a stored state; see [`Tree`](crate::Tree). Empty for other stores.
pub type Trail = Vec<u32>;

/// A stored state that a new one was made from: they differ in few words, which can save work.
#[derive(Clone, Copy, Debug)]
pub struct Near<'a> {
    /// The stored state.
    pub state: &'a [u64],
    /// What [`Exact::load`] said about it.
    pub trail: &'a [u32],
}

/// A state of a batch that may be looked up.
#[derive(Clone, Copy, Debug)]
pub struct Wanted<'a> {
    /// The state.
    pub state: &'a [u64],
    /// Its [hash](Store::hash).
    pub hash: u64,
    /// The state that it follows.
    pub near: Option<Near<'a>>,
    /// It will be looked up.
    pub is_wanted: bool,
}

/// The memory that growing needs is not there, or not allowed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OutOfMemory;

impl fmt::Display for OutOfMemory {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("no memory is left for further states")
    }
}

impl std::error::Error for OutOfMemory {}

/// A set of states that threads share.
pub trait Store: Send + Sync {
    /// What one worker keeps to itself: reserved memory, its share of the count.
    type Local: Send;

    /// What a new worker starts with.
    fn local(&self) -> Self::Local;

    /// Where a state belongs. `near` may be given by a search that has just loaded the state's parent.
    fn digest(&self, local: &mut Self::Local, state: &[u64], near: Option<Near<'_>>) -> Digest;

    /// Touches the line of the table that a digest leads to.
    fn prefetch(&self, digest: Digest);

    /// A hash of a state, of which a digest can be made without looking at the state again.
    #[inline(always)]
    fn hash(&self, state: &[u64]) -> u64 {
        quick_hash(state)
    }

    /// The digest of one more state of a batch, which has this hash; it may stay open until [`Store::conclude`]. Touches what that needs. If the
    /// state is not wanted, the digest is not used, and it depends on the store whether asking or computing it takes longer.
    #[inline]
    fn enlist(&self, local: &mut Self::Local, wanted: Wanted<'_>) -> Digest {
        let digest = self.digest(local, wanted.state, wanted.near);
        self.prefetch(digest);
        digest
    }

    /// Fills in the digests of a batch that are open. The lines that they lead to are touched.
    #[inline]
    fn conclude(&self, _local: &mut Self::Local, _digests: &mut [Digest]) {}

    /// Looks at the line, and touches what comes after it: the record that it names, if there is one, or the next line.
    fn glance(&self, _digest: Digest) -> Glance {
        Glance::default()
    }

    /// Whether what a glance found is this state.
    #[inline]
    fn confirms(&self, _state: &[u64], _digest: Digest, glance: Glance) -> bool {
        glance.found != 0
    }

    /// Adds a state with its digest and what was seen before. Never allocates; only in an array of bits workers may have to
    /// wait for each other.
    fn insert(&self, local: &mut Self::Local, state: &[u64], digest: Digest, glance: Glance) -> Insertion;

    /// Whether it is time to grow. A store that is not asked goes on until an insertion is `Crowded`.
    fn is_crowded(&self) -> bool;

    /// Grows before lookups become slow. If there is no memory for that, the store may still have room.
    fn make_room(&mut self, limit: Option<u64>) {
        if self.is_crowded() {
            let _ = self.grow(limit);
        }
    }

    /// Makes room, without ever using more than `limit` bytes, not even while growing. After an error
    /// nothing is lost, and what is there is still found.
    fn grow(&mut self, limit: Option<u64>) -> Result<(), OutOfMemory>;

    /// How many states were new. Exact when no worker is inserting.
    fn len(&self) -> u64;

    /// Whether no state was inserted yet.
    fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Bytes in use.
    fn memory(&self) -> u64;
}

/// A store that tells every two states apart, and gives them back.
pub trait Exact: Store {
    /// Reads a state, and what makes inserting its successors cheap.
    fn load(&self, key: Key, state: &mut Vec<u64>, trail: &mut Trail);

    /// Touches what [`Exact::load`] will read first.
    #[inline]
    fn touch(&self, _key: Key) {}
}
