//! All interleavings of a few insertions, with all that the memory model allows a reader to see.
//!
//! The sources of the crate are compiled once more, here, with the atomics of loom in place of the processor's
//! (Norris and Demsky, *CDSChecker*, 2013, is the method). So what is checked is the very code; only `memory.rs`
//! has a stand-in, below. Loom tries orders of steps with at most two preemptions and, for every load, all values
//! that the memory model allows.
#![allow(dead_code)]

#[path = "../src/arena.rs"]
mod arena;
#[path = "../src/counter.rs"]
mod counter;
#[path = "../src/growth.rs"]
mod growth;
#[path = "../src/halves.rs"]
mod halves;
#[path = "../src/hash.rs"]
mod hash;
#[path = "../src/interface.rs"]
mod interface;
#[path = "../src/nodes.rs"]
mod nodes;
#[path = "../src/pairs.rs"]
mod pairs;
#[path = "../src/plain.rs"]
mod plain;
#[path = "../src/saved.rs"]
mod saved;
#[path = "../src/set64.rs"]
mod set64;
#[path = "../src/stream.rs"]
mod stream;
#[path = "../src/survey.rs"]
mod survey;
#[path = "../src/table.rs"]
mod table;

/// Documentation links of the sources lead here.
pub struct Tree;
pub use hash::scatter;

/// Stands in for `memory.rs`: words that loom watches. Few of them: loom keeps a history of each.
mod memory {
    use std::ops::{Deref, Range};

    pub use loom::sync::atomic::AtomicU64;

    use crate::interface::OutOfMemory;

    pub fn load_line(line: &[AtomicU64; 8]) -> [u64; 8] {
        std::array::from_fn(|row| line[row].load(std::sync::atomic::Ordering::Acquire))
    }

    pub struct Words(Vec<AtomicU64>);

    impl Words {
        pub fn zeroed(len: usize) -> Result<Words, OutOfMemory> {
            Ok(Words::few(len))
        }

        pub fn few(len: usize) -> Words {
            Words((0..len).map(|_| AtomicU64::new(0)).collect())
        }

        pub fn prefetch(&self, _index: usize) {}

        pub fn prefetch_to_change(&self, _index: usize) {}

        pub fn peak_of_copy(from: usize, to: usize, _threads: usize) -> u64 {
            (from + to) as u64
        }

        pub fn peak_of_extension(&self, len: usize) -> u64 {
            Words::peak_of_copy(self.len(), len, 1)
        }

        pub fn extend(&mut self, len: usize) -> Result<(), OutOfMemory> {
            self.0.resize_with(len, || AtomicU64::new(0));
            Ok(())
        }

        pub fn release(&self, words: Range<usize>) -> usize {
            words.start
        }
    }

    impl Deref for Words {
        type Target = [AtomicU64];

        fn deref(&self) -> &[AtomicU64] {
            &self.0
        }
    }
}

use std::sync::atomic::AtomicBool;
use std::sync::atomic::Ordering::Relaxed;

use interface::{Digest, Insertion, Lengths, Store};
use loom::sync::Arc;
use loom::thread;
use nodes::Nodes;
use pairs::{Pairs, code};
use plain::Plain;
use set64::{Added, Set64};
use survey::Sought;
use table::{Entered, Saving, Table};

/// Every entry fits. (All entries here are small.)
const ANYTHING: Sought = Sought { entry: 0, unknown: 63 };

/// Tries all interleavings with at most two preemptions.
fn all_interleavings(test: impl Fn() + Send + Sync + 'static) {
    let mut model = loom::model::Builder::new();
    model.preemption_bound = Some(2);
    model.check(test);
}

/// Two workers insert two values in different orders; each is new to one of them.
fn each_is_new_once<W>([one, other]: [u64; 2], worker: impl Fn([u64; 2]) -> W)
where
    W: FnMut() -> [bool; 2] + Send + 'static,
{
    let (first, mut second) = (worker([one, other]), worker([other, one]));
    let first = thread::spawn(first);
    let second = second();
    let first = first.join().expect("a worker");
    assert!(first[0] != second[1] && first[1] != second[0]);
}

/// Two workers insert two values each; the two that go to one line are inserted by both in different orders.
#[test]
fn a_value_is_new_to_one_worker() {
    all_interleavings(|| {
        let set = Arc::new(Set64::new());
        each_is_new_once([1, 2], |values| {
            let (set, mut count) = (set.clone(), set.count());
            move || values.map(|value| set.insert(&mut count, value, set.glance(value)) == Added::New)
        });
        assert_eq!(set.len(), 2);
    });
}

/// Two pairs that share a word of the table, inserted by both workers in different orders.
#[test]
fn a_pair_is_new_to_one_worker() {
    all_interleavings(|| {
        let set = Arc::new(Pairs::new());
        // The upper bits of the first number are stored, the lower ones lead to the same line.
        each_is_new_once([code(64 << 32 | 1), code(128 << 32 | 1)], |codes| {
            let (set, mut count) = (set.clone(), set.count());
            move || codes.map(|code| set.insert(&mut count, code, set.glance(code)) == Added::New)
        });
        assert_eq!(set.len(), 2);
    });
}

/// Two workers intern two words that share a word of the table; each reads back what it was told.
#[test]
fn a_word_has_one_number_and_who_knows_it_reads_the_word() {
    all_interleavings(|| {
        let nodes = Arc::new(Nodes::of_words(1));
        let intern = |words: [u64; 2]| {
            let (nodes, mut local) = (nodes.clone(), nodes.local());
            move || {
                words.map(|word| {
                    let number = nodes.intern(&mut local, word).expect("room");
                    assert_eq!(nodes.word(number), word, "an unwritten word was read");
                    number
                })
            }
        };
        let (first, mut second) = (intern([7, 8]), intern([8, 7]));
        let first = thread::spawn(first);
        let second = second();
        let first = first.join().expect("a worker");
        assert!(first[0] == second[1] && first[1] == second[0] && first[0] != first[1]);
        assert_eq!(nodes.len(), 2);
    });
}

/// Two workers insert overlapping states whose digests are equal, so that only the records tell them apart.
#[test]
fn a_state_is_new_to_one_worker_and_its_record_is_seen_whole() {
    all_interleavings(|| {
        let store = Arc::new(Plain::new(Lengths::Fixed(2), 0, 1));
        let insert = |states: [[u64; 2]; 2]| {
            let (store, mut local) = (store.clone(), store.local());
            move || {
                let digest = Digest(1 << 40);
                states.map(|state| store.insert(&mut local, &state, digest, store.glance(digest)))
            }
        };
        let (first, mut second) = (insert([[1, 1], [1, 2]]), insert([[1, 2], [1, 1]]));
        let first = thread::spawn(first);
        let second = second();
        let first = first.join().expect("a worker");
        one_is_new(first[0], second[1]);
        one_is_new(first[1], second[0]);
        assert_eq!(store.len(), 2);
    });
}

fn one_is_new(left: Insertion, right: Insertion) {
    match (left, right) {
        (Insertion::New(new), Insertion::Known(known)) | (Insertion::Known(known), Insertion::New(new)) => {
            assert_eq!(new, known);
        }
        both => panic!("{both:?}"),
    }
}

/// Two workers insert one value. Sets `lost` if one saw an empty slot, and then lost it to the other.
fn race(lost: &AtomicBool) {
    let table = Arc::new(Table::new(Saving::Memory));
    let enter = |table: Arc<Table>| {
        move || {
            let mut tried = false;
            let make = || {
                tried = true;
                Some(5)
            };
            (table.enter(0, Sought { entry: 5, unknown: 0 }, |_| true, make), tried)
        }
    };
    let (first, second) = (thread::spawn(enter(table.clone())), enter(table)());
    let answers = [first.join().expect("a worker"), second];
    assert_eq!(answers.iter().filter(|(answer, _)| *answer == Entered::New(5)).count(), 1);
    assert_eq!(answers.iter().filter(|(answer, _)| *answer == Entered::Known(5)).count(), 1);
    lost.fetch_or(answers.contains(&(Entered::Known(5), true)), Relaxed);
}

/// Otherwise the tests above would not test much.
#[test]
fn races_are_lost_and_the_loser_looks_at_what_it_lost_to() {
    let lost = std::sync::Arc::new(AtomicBool::new(false));
    let flag = lost.clone();
    all_interleavings(move || race(&flag));
    assert!(lost.load(Relaxed));
}

/// A record of one word is published, in the right order or the wrong one, and read by who finds its number.
fn publish(writes_first: bool) {
    let shared = Arc::new((Table::new(Saving::Memory), memory::Words::few(1)));
    let other = shared.clone();
    let reader = thread::spawn(move || {
        if let Entered::Known(_) = other.0.enter(0, ANYTHING, |_| true, || None) {
            assert_eq!(other.1[0].load(Relaxed), 7, "an unwritten record was read");
        }
    });
    let write = || shared.1[0].store(7, Relaxed);
    let make = || {
        if writes_first {
            write();
        }
        Some(1)
    };
    shared.0.enter(0, ANYTHING, |_| true, make);
    write();
    reader.join().expect("a worker");
}

#[test]
fn who_finds_an_entry_sees_its_record() {
    all_interleavings(|| publish(true));
}

#[test]
#[should_panic(expected = "an unwritten record was read")]
fn publishing_before_writing_is_caught() {
    all_interleavings(|| publish(false));
}
