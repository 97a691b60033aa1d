//! Several threads insert overlapping sets: every state is new exactly once.
use std::collections::HashSet;
use std::sync::RwLock;
use std::thread;

use super::{of_many_lengths, protocol};
use crate::{Bitstate, Compact, Exact, Insertion, Key, Lengths, Plain, Store, Tree};

const WORKERS: usize = 4;

/// Each worker inserts all states, beginning at another one. Returns what was new to whom.
fn race<S: Store>(store: S, states: &[Vec<u64>]) -> (S, Vec<(Vec<u64>, Key)>) {
    let lock = RwLock::new(store);
    let new: Vec<_> = thread::scope(|scope| {
        let workers: Vec<_> = (0..WORKERS).map(|worker| scope.spawn(move_in(&lock, states, worker))).collect();
        workers.into_iter().flat_map(|worker| worker.join().expect("a worker")).collect()
    });
    (lock.into_inner().expect("the store"), new)
}

fn move_in<'a, S: Store>(
    lock: &'a RwLock<S>,
    states: &'a [Vec<u64>],
    worker: usize,
) -> impl FnOnce() -> Vec<(Vec<u64>, Key)> + Send + 'a {
    move || {
        let mut local = lock.read().expect("the store").local();
        let start = worker * states.len() / WORKERS / 8;
        let mine = states[start..].iter().chain(&states[..start]);
        mine.filter_map(|state| Some((state.clone(), insert(lock, &mut local, state)?))).collect()
    }
}

/// As a search does it: under the read lock, and under the write lock only if there is no room.
fn insert<S: Store>(lock: &RwLock<S>, local: &mut S::Local, state: &[u64]) -> Option<Key> {
    let store = lock.read().expect("the store");
    let digest = store.digest(local, state, None);
    let glance = store.glance(digest);
    let mut answer = store.insert(local, state, digest, glance);
    drop(store);
    while answer == Insertion::Crowded {
        let mut store = lock.write().expect("the store");
        answer = store.insert(local, state, digest, glance);
        if answer == Insertion::Crowded {
            store.grow(None).expect("memory");
        }
    }
    if let Insertion::New(key) = answer { Some(key) } else { None }
}

fn every_state_is_new_once<S: Store>(store: S, states: &[Vec<u64>]) -> (S, Vec<(Vec<u64>, Key)>) {
    let (store, new) = race(store, states);
    let expected: HashSet<&Vec<u64>> = states.iter().collect();
    let found: HashSet<&Vec<u64>> = new.iter().map(|(state, _)| state).collect();
    assert_eq!(found, expected);
    assert_eq!((new.len(), store.len()), (expected.len(), expected.len() as u64));
    (store, new)
}

fn and_can_be_loaded<S: Exact>(store: S, states: &[Vec<u64>]) {
    let (store, new) = every_state_is_new_once(store, states);
    let (mut loaded, mut trail) = (Vec::new(), Vec::new());
    for (state, key) in new {
        store.load(key, &mut loaded, &mut trail);
        assert_eq!(loaded, state);
    }
}

#[test]
fn threads_share_stores_of_states_of_one_length() {
    for words in [1, 2, 6] {
        let states = protocol(60_000, words, 46);
        and_can_be_loaded(Plain::new(Lengths::Fixed(words), 0, 1), &states);
        and_can_be_loaded(Tree::new(Lengths::Fixed(words)), &states);
        every_state_is_new_once(Compact::new(0, 1), &states);
    }
}

#[test]
fn threads_share_stores_of_states_of_many_lengths() {
    let states = of_many_lengths(60_000, 10, 47);
    and_can_be_loaded(Plain::new(Lengths::Varying, 0, 1), &states);
    and_can_be_loaded(Tree::new(Lengths::Varying), &states);
}

/// A race between two insertions of one state may make it new to both; nothing is forgotten.
#[test]
fn threads_share_bits() {
    let states = protocol(60_000, 6, 48);
    let (_, new) = race(Bitstate::new(1 << 26, 3, 0, 1).unwrap(), &states);
    let expected: HashSet<&Vec<u64>> = states.iter().collect();
    assert_eq!(new.iter().map(|(state, _)| state).collect::<HashSet<_>>(), expected);
}

/// Numbers that several threads have to move when the table grows: more than one has to move alone.
#[test]
fn a_table_that_threads_move_together_loses_nothing() {
    let mut store = Plain::new(Lengths::Fixed(1), 0, 0);
    let mut locals: Vec<_> = (0..WORKERS).map(|_| store.local()).collect();
    let mut insert = |store: &mut Plain, number: u64| {
        store.make_room(None);
        let (local, state) = (&mut locals[number as usize % WORKERS], [number]);
        let digest = store.digest(local, &state, None);
        store.insert(local, &state, digest, store.glance(digest))
    };
    let numbers = 0..1_000_000;
    assert!(numbers.clone().all(|number| matches!(insert(&mut store, number), Insertion::New(_))));
    assert!(numbers.clone().all(|number| matches!(insert(&mut store, number), Insertion::Known(_))));
    assert_eq!(store.len(), numbers.end);
}
