//! Deliberately broken stores, which the comparison with a set must catch.
use super::against_a_set::{answers_like_a_set, gives_back_what_it_got};
use super::protocol;
use crate::counter::Count;
use crate::hash::hash;
use crate::survey::Sought;
use crate::table::{Entered, Saving, Table};
use crate::{Digest, Exact, Glance, Insertion, Key, Lengths, Near, OutOfMemory, Store, Tree};

/// How a twin is broken.
#[derive(Clone, Copy)]
enum Fault {
    /// States with equal fingerprints of 16 bits are equal.
    ComparesFingerprintsOnly,
    /// Only the first line is searched; what is not there is new.
    ForgetsTheNextLine,
    /// Growing loses what lies in the last line.
    LosesTheLastLine,
    /// A state is new again after it was found.
    None,
}

/// A set of hashes that can be broken.
struct Twin {
    table: Table,
    counter: crate::counter::Counter,
    fault: Fault,
}

fn twin(fault: Fault) -> Twin {
    Twin { table: Table::new(Saving::Memory), counter: Default::default(), fault }
}

impl Twin {
    fn enter(&self, hash: u64) -> Entered {
        let whole = Sought { entry: hash, unknown: 0 };
        let sought = match self.fault {
            Fault::ComparesFingerprintsOnly => Sought { entry: hash, unknown: 48 },
            // What was not seen at a glance is not there.
            Fault::ForgetsTheNextLine if self.table.glance(hash, whole).found == 0 => Sought { entry: 0, unknown: 0 },
            _ => whole,
        };
        self.table.enter(hash, sought, |_| true, || Some(hash))
    }
}

impl Store for Twin {
    type Local = Count;

    fn local(&self) -> Count {
        self.counter.share()
    }

    fn digest(&self, _: &mut Count, state: &[u64], _: Option<Near<'_>>) -> Digest {
        Digest(hash(state, 1))
    }

    fn prefetch(&self, _: Digest) {}

    fn insert(&self, count: &mut Count, _: &[u64], digest: Digest, _: Glance) -> Insertion {
        match self.enter(digest.0) {
            Entered::Crowded => Insertion::Crowded,
            Entered::Known(_) => Insertion::Known(Key(digest.0)),
            Entered::New(_) => {
                count.increment();
                Insertion::New(Key(digest.0))
            }
        }
    }

    fn is_crowded(&self) -> bool {
        false
    }

    fn grow(&mut self, limit: Option<u64>) -> Result<(), OutOfMemory> {
        let lost = if let Fault::LosesTheLastLine = self.fault { self.table.lines() - 1 } else { usize::MAX };
        self.table.grow(self.len(), limit, 1, |_, line, hashes, _| {
            if line == lost {
                hashes.fill(1);
            }
        })
    }

    fn len(&self) -> u64 {
        self.counter.sum()
    }

    fn memory(&self) -> u64 {
        0
    }
}

#[test]
fn broken_sets_are_caught() {
    let states = protocol(5_000, 4, 49);
    assert_eq!(answers_like_a_set(&mut twin(Fault::None), &states).err(), None);
    for fault in [Fault::ComparesFingerprintsOnly, Fault::ForgetsTheNextLine, Fault::LosesTheLastLine] {
        assert!(answers_like_a_set(&mut twin(fault), &states).is_err());
    }
}

/// A tree that does not look at the last word.
struct ShortTree(Tree);

impl ShortTree {
    fn cut(state: &[u64]) -> Vec<u64> {
        let (_, front) = state.split_last().expect("a state is not empty");
        [front, &[0]].concat()
    }
}

impl Store for ShortTree {
    type Local = <Tree as Store>::Local;

    fn local(&self) -> Self::Local {
        self.0.local()
    }

    fn digest(&self, local: &mut Self::Local, state: &[u64], near: Option<Near<'_>>) -> Digest {
        self.0.digest(local, &Self::cut(state), near)
    }

    fn prefetch(&self, digest: Digest) {
        self.0.prefetch(digest);
    }

    fn insert(&self, local: &mut Self::Local, state: &[u64], digest: Digest, glance: Glance) -> Insertion {
        self.0.insert(local, &Self::cut(state), digest, glance)
    }

    fn is_crowded(&self) -> bool {
        self.0.is_crowded()
    }

    fn grow(&mut self, limit: Option<u64>) -> Result<(), OutOfMemory> {
        self.0.grow(limit)
    }

    fn len(&self) -> u64 {
        self.0.len()
    }

    fn memory(&self) -> u64 {
        self.0.memory()
    }
}

impl Exact for ShortTree {
    fn load(&self, key: Key, state: &mut Vec<u64>, trail: &mut crate::Trail) {
        self.0.load(key, state, trail);
    }
}

#[test]
fn a_tree_that_ignores_its_last_leaf_is_caught() {
    let states = protocol(5_000, 4, 50);
    assert!(answers_like_a_set(&mut ShortTree(Tree::new(Lengths::Fixed(4))), &states).is_err());
    let one = vec![vec![1, 2, 3, 4]];
    assert!(gives_back_what_it_got(&mut ShortTree(Tree::new(Lengths::Fixed(4))), &one).is_err());
}
