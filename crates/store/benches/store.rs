//! How long insertions take and how much memory states need.
//!
//! `cargo bench -p store --bench store -- [LARGEST] [STORE]`, where LARGEST is a number of states (default
//! 10000000) and STORE the name of one store. Every line inserts all states twice, in batches as a search does:
//! first all are new, then all are known. Times are processor time where the system tells it (in steps of some
//! milliseconds), without that of making the states.
use std::hint::black_box;
use std::time::Instant;

use store::{Bitstate, Compact, Exact, Glance, Insertion, Key, Lengths, Near, Plain, Store, Trail, Tree};

const BATCH: usize = 256;

/// State `number` of a system of so many processes, each of which has a part of the bits of the number.
fn make(number: u64, words: usize, state: &mut Vec<u64>) {
    let bits = 32 / words;
    let part = |word: usize| number >> (word * bits) & ((1 << bits) - 1);
    state.clear();
    state.extend((0..words).map(|word| part(word).wrapping_mul(0x0001_0000_0401)));
}

/// The states of a batch are near each other, those of the next batch are elsewhere.
fn batches(states: u64) -> impl Iterator<Item = u64> {
    let batches = states / BATCH as u64;
    (0..batches).map(move |batch| batch.wrapping_mul(0x9e37_79b1) % batches * BATCH as u64)
}

/// How a batch is inserted.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Manner {
    /// One state after the other.
    Plainly,
    /// With digests, prefetches and insertions for the whole batch.
    Batched,
    /// As above; the first state is loaded, and the others are said to be near it.
    Near,
}

/// One worker with its batch.
struct Worker<S: Store> {
    store: S,
    local: S::Local,
    batch: Vec<Vec<u64>>,
    digests: Vec<store::Digest>,
    glances: Vec<Glance>,
    manner: Manner,
}

impl<S: Store> Worker<S> {
    fn insert(&mut self, number: usize, digest: store::Digest, glance: Glance) -> Key {
        loop {
            match self.store.insert(&mut self.local, &self.batch[number], digest, glance) {
                Insertion::New(key) | Insertion::Known(key) => return key,
                Insertion::Crowded => self.store.grow(None).expect("memory"),
            }
        }
    }

    fn insert_plainly(&mut self) {
        for number in 0..BATCH {
            let digest = self.store.digest(&mut self.local, &self.batch[number], None);
            black_box(self.insert(number, digest, Glance::default()));
        }
    }

    fn insert_batch(&mut self, near: Option<Near<'_>>) {
        self.digests.clear();
        for state in &self.batch {
            let digest = self.store.digest(&mut self.local, state, near);
            self.store.prefetch(digest);
            self.digests.push(digest);
        }
        self.glances.clear();
        self.glances.extend(self.digests.iter().map(|&digest| self.store.glance(digest)));
        for number in 0..BATCH {
            black_box(self.insert(number, self.digests[number], self.glances[number]));
        }
    }
}

impl<S: Exact> Worker<S> {
    fn insert_near(&mut self, parent: &mut Vec<u64>, trail: &mut Trail) {
        let digest = self.store.digest(&mut self.local, &self.batch[0], None);
        let key = self.insert(0, digest, Glance::default());
        self.store.load(key, parent, trail);
        self.insert_batch(Some(Near { state: parent, trail }));
    }
}

/// Nanoseconds of this thread on a processor, or since the start of the program.
fn now(start: Instant) -> f64 {
    let told = std::fs::read_to_string("/proc/thread-self/schedstat").ok();
    let told = told.and_then(|text| text.split(' ').next()?.parse().ok());
    told.unwrap_or(start.elapsed().as_nanos() as f64)
}

/// Makes all states, and does something with each batch; nanoseconds for each state.
fn round<S: Store>(worker: &mut Worker<S>, states: u64, words: usize, mut action: impl FnMut(&mut Worker<S>)) -> f64 {
    let clock = Instant::now();
    let start = now(clock);
    for first in batches(states) {
        worker.batch.iter_mut().zip(first..).for_each(|(state, number)| make(number, words, state));
        action(worker);
        while worker.store.is_crowded() && worker.store.grow(None).is_ok() {}
    }
    (now(clock) - start) / states as f64
}

fn row<S: Store>(name: &str, store: S, (states, words, manner): Case, mut action: impl FnMut(&mut Worker<S>)) {
    if std::env::args().skip(1).any(|argument| argument.chars().all(char::is_alphabetic) && argument != name) {
        return;
    }
    let (local, batch) = (store.local(), vec![Vec::new(); BATCH]);
    let mut worker = Worker { store, local, batch, digests: Vec::new(), glances: Vec::new(), manner };
    let making = round(&mut worker, states, words, |worker| {
        black_box(&worker.batch);
    });
    let new = round(&mut worker, states, words, &mut action) - making;
    let known = round(&mut worker, states, words, &mut action) - making;
    let bytes = worker.store.memory() as f64 / worker.store.len() as f64;
    let manner = format!("{:?}", worker.manner).to_lowercase();
    println!("{name:10} {states:>9} {words:>5}  {manner:8} {new:>8.1} {known:>9.1} {bytes:>16.1}");
}

/// How many states of how many words, and how they are inserted.
type Case = (u64, usize, Manner);

fn any<S: Store>(name: &str, store: S, case: Case) {
    match case.2 {
        Manner::Plainly => row(name, store, case, Worker::insert_plainly),
        Manner::Batched | Manner::Near => row(name, store, case, |worker| worker.insert_batch(None)),
    }
}

fn rows(states: u64, words: usize) {
    for manner in [Manner::Plainly, Manner::Batched] {
        let case = (states, words, manner);
        any("plain", Plain::new(Lengths::Fixed(words), 0, 1), case);
        any("varying", Plain::new(Lengths::Varying, 0, 1), case);
        any("tree", Tree::new(Lengths::Fixed(words)), case);
        any("compact", Compact::new(0, 1), case);
        any("bitstate", Bitstate::new(states * 16, Bitstate::FUNCTIONS, 0, 1).expect("memory"), case);
    }
    let (mut parent, mut trail) = (Vec::new(), Trail::new());
    let near = |worker: &mut Worker<Tree>| worker.insert_near(&mut parent, &mut trail);
    row("tree", Tree::new(Lengths::Fixed(words)), (states, words, Manner::Near), near);
}

fn main() {
    let largest = std::env::args().find_map(|argument| argument.parse().ok()).unwrap_or(10_000_000);
    println!("store         states words  manner     ns new  ns known  bytes per state");
    for states in [100_000u64, 1_000_000, 10_000_000].into_iter().filter(|&states| states <= largest) {
        rows(states / BATCH as u64 * BATCH as u64, 2);
        rows(states / BATCH as u64 * BATCH as u64, 8);
    }
}
