//! A store answers like a set, whatever is inserted, and gives back what it was given.
use std::collections::HashMap;

use proptest::prelude::*;

use super::{insert, of_many_lengths, protocol};
use crate::{Added, Bitstate, Compact, Exact, Insertion, Key, Lengths, Plain, Set64, Store, Tree};

/// Inserts all states and compares each answer with a map's. Returns the keys.
pub fn answers_like_a_set<S: Store>(store: &mut S, states: &[Vec<u64>]) -> Result<HashMap<Vec<u64>, Key>, String> {
    let mut keys: HashMap<Vec<u64>, Key> = HashMap::new();
    let mut local = store.local();
    for state in states {
        match (insert(store, &mut local, state, None), keys.get(state)) {
            (Insertion::New(key), None) => drop(keys.insert(state.clone(), key)),
            (Insertion::Known(key), Some(&first)) if key == first => {}
            (answer, first) => return Err(format!("{state:?} was {first:?}, but the answer is {answer:?}")),
        }
    }
    if store.len() != keys.len() as u64 {
        return Err(format!("{} states were counted as {}", keys.len(), store.len()));
    }
    Ok(keys)
}

/// As above, and every state can be loaded again.
pub fn gives_back_what_it_got<S: Exact>(store: &mut S, states: &[Vec<u64>]) -> Result<(), String> {
    let keys = answers_like_a_set(store, states)?;
    let (mut loaded, mut trail) = (vec![7], vec![7]);
    for (state, key) in keys {
        store.load(key, &mut loaded, &mut trail);
        if loaded != state {
            return Err(format!("{state:?} came back as {loaded:?}"));
        }
    }
    Ok(())
}

#[test]
fn stores_of_states_of_one_length() {
    for words in [1, 2, 3, 5, 8, 17, 300] {
        let states = protocol(30_000, words, 42);
        gives_back_what_it_got(&mut Plain::new(Lengths::Fixed(words), 0, 1), &states).unwrap();
        gives_back_what_it_got(&mut Tree::new(Lengths::Fixed(words)), &states).unwrap();
        answers_like_a_set(&mut Compact::new(0, 1), &states).unwrap();
        answers_like_a_set(&mut Bitstate::new(1 << 26, 3, 0, 1).unwrap(), &states).unwrap();
    }
}

#[test]
fn stores_of_states_of_many_lengths() {
    for longest in [1, 2, 5, 9, 400] {
        let states = of_many_lengths(20_000, longest, 43);
        gives_back_what_it_got(&mut Plain::new(Lengths::Varying, 0, 1), &states).unwrap();
        gives_back_what_it_got(&mut Tree::new(Lengths::Varying), &states).unwrap();
        answers_like_a_set(&mut Compact::new(0, 1), &states).unwrap();
        answers_like_a_set(&mut Bitstate::new(1 << 26, 3, 0, 1).unwrap(), &states).unwrap();
    }
}

/// Large enough for the table to be grown from what its lines tell, without the records.
#[test]
fn a_large_store_grows_without_reading_records() {
    let states: Vec<Vec<u64>> = (0..3_000_000u64).map(|number| vec![number % 2_500_000, 1]).collect();
    let mut store = Plain::new(Lengths::Fixed(2), 0, 1);
    gives_back_what_it_got(&mut store, &states).unwrap();
    assert!(store.memory() < 2_500_000 * (16 + 22), "{} bytes", store.memory());
}

#[test]
fn a_record_longer_than_the_first_chunks_finds_room() {
    let states: Vec<Vec<u64>> = (1..6).map(|number| vec![number; 5000 * number as usize]).collect();
    gives_back_what_it_got(&mut Plain::new(Lengths::Varying, 0, 1), &states).unwrap();
    gives_back_what_it_got(&mut Tree::new(Lengths::Varying), &states).unwrap();
}

#[test]
fn ignored_words_are_kept_but_do_not_count() {
    let mut store = Plain::new(Lengths::Fixed(3), 1, 1);
    let mut local = store.local();
    let Insertion::New(key) = insert(&mut store, &mut local, &[1, 5, 6], None) else { panic!("it is new") };
    assert_eq!(insert(&mut store, &mut local, &[2, 5, 6], None), Insertion::Known(key));
    assert!(matches!(insert(&mut store, &mut local, &[2, 5, 7], None), Insertion::New(_)));
    let mut state = Vec::new();
    store.load(key, &mut state, &mut Vec::new());
    assert_eq!(state, [1, 5, 6]);
}

/// Walks like a search: every state comes from one that was loaded, with its trail as a hint.
#[test]
fn a_hint_changes_nothing() {
    for (lengths, words) in
        [(Lengths::Fixed(7), 7), (Lengths::Varying, 7), (Lengths::Fixed(2), 2), (Lengths::Varying, 1)]
    {
        let mut store = Tree::new(lengths);
        let mut local = store.local();
        let mut keys: HashMap<Vec<u64>, Key> = HashMap::new();
        let (mut parent, mut trail) = (Vec::new(), Vec::new());
        for state in protocol(20_000, words, 44) {
            let near = (!parent.is_empty()).then_some(crate::Near { state: &parent, trail: &trail });
            let key = match (insert(&mut store, &mut local, &state, near), keys.get(&state)) {
                (Insertion::New(key), None) => *keys.entry(state.clone()).or_insert(key),
                (Insertion::Known(key), Some(&first)) if key == first => key,
                answer => panic!("{answer:?}"),
            };
            store.load(key, &mut parent, &mut trail);
            assert_eq!(parent, state);
        }
    }
}

#[test]
fn a_set_of_words_has_zero_too() {
    let mut set = Set64::new();
    let mut count = set.count();
    for round in [Added::New, Added::Known] {
        for number in 0..100_000 {
            while set.is_crowded() {
                set.grow(None).unwrap();
            }
            let value = crate::scatter(number);
            assert_eq!(set.insert(&mut count, value, set.glance(value)), round);
        }
    }
    assert_eq!(set.len(), 100_000);
    assert!(set.memory() < 100_000 * 18);
}

/// Values that belong to the last lines lie in the first ones, too, when there are many; growing finds all of them a place again.
#[test]
fn what_goes_around_the_end_is_found_after_growing() {
    let mut set = Set64::new();
    let mut count = set.count();
    let near_the_end = (0..1_500).map(|number| u64::MAX - number);
    let values: Vec<u64> = near_the_end.chain((0..30_000).map(crate::scatter)).collect();
    for value in &values {
        while set.insert(&mut count, *value, set.glance(*value)) == Added::Crowded || set.is_crowded() {
            set.grow(None).unwrap();
        }
    }
    for _ in 0..5 {
        set.grow(None).unwrap();
        assert!(values.iter().all(|it| set.insert(&mut count, *it, set.glance(*it)) == Added::Known));
    }
    assert_eq!(set.len(), values.len() as u64);
}

#[test]
fn a_small_set_is_small() {
    let states = protocol(40, 4, 45);
    let mut stores = (Plain::new(Lengths::Fixed(4), 0, 1), Tree::new(Lengths::Varying), Compact::new(0, 1));
    answers_like_a_set(&mut stores.0, &states).unwrap();
    answers_like_a_set(&mut stores.1, &states).unwrap();
    answers_like_a_set(&mut stores.2, &states).unwrap();
    assert!(stores.0.memory() + stores.1.memory() + stores.2.memory() < 32 << 10);
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(60) })]

    #[test]
    fn any_states_in_any_order(states in prop::collection::vec(prop::collection::vec(0u64..4, 1..6), 1..600)) {
        gives_back_what_it_got(&mut Plain::new(Lengths::Varying, 0, 9), &states).unwrap();
        gives_back_what_it_got(&mut Tree::new(Lengths::Varying), &states).unwrap();
    }

    #[test]
    fn any_words_in_states_of_one_length(states in prop::collection::vec(prop::array::uniform3(any::<u64>()), 1..600)) {
        let states: Vec<Vec<u64>> = states.into_iter().map(|state| state.to_vec()).collect();
        gives_back_what_it_got(&mut Plain::new(Lengths::Fixed(3), 0, 9), &states).unwrap();
        gives_back_what_it_got(&mut Tree::new(Lengths::Fixed(3)), &states).unwrap();
    }
}
