//! A limit on memory is kept, and reaching it is an answer.
use super::{Random, protocol};
use crate::{Bitstate, Compact, Glance, Insertion, Lengths, OutOfMemory, Plain, Store, Tree};

/// Inserts until the store may not grow any more. Returns how many states it held then.
fn fill<S: Store>(store: &mut S, limit: u64, mut state: impl FnMut() -> Vec<u64>) -> u64 {
    let mut local = store.local();
    loop {
        let state = state();
        let digest = store.digest(&mut local, &state, None);
        while store.insert(&mut local, &state, digest, Glance::default()) == Insertion::Crowded {
            let grown = store.grow(Some(limit));
            assert!(store.memory() <= limit, "{} bytes are more than {limit}", store.memory());
            if grown.is_err() {
                return store.len();
            }
        }
    }
}

fn random_states(words: usize) -> impl FnMut() -> Vec<u64> {
    let mut random = Random(99);
    move || (0..words).map(|_| random.next()).collect()
}

#[test]
fn no_store_uses_more_than_its_limit() {
    for limit in [100_000, 3_000_000, 40_000_000] {
        let plain = fill(&mut Plain::new(Lengths::Fixed(4), 0, 1), limit, random_states(4));
        assert!(plain > limit / 32 * 4 / 10, "{plain} states in {limit} bytes");
        let varying = fill(&mut Plain::new(Lengths::Varying, 0, 1), limit, random_states(4));
        assert!(varying > limit / 40 * 4 / 10, "{varying} states in {limit} bytes");
        let compact = fill(&mut Compact::new(0, 1), limit, random_states(4));
        assert!(compact > limit / 8 * 3 / 10, "{compact} states in {limit} bytes");
        fill(&mut Tree::new(Lengths::Fixed(4)), limit, random_states(4));
    }
}

#[test]
fn after_an_error_the_store_is_what_it_was() {
    let mut store = Plain::new(Lengths::Fixed(4), 0, 1);
    let held = fill(&mut store, 200_000, random_states(4));
    assert_eq!(store.grow(Some(200_000)), Err(OutOfMemory));
    let mut again = random_states(4);
    let mut local = store.local();
    for _ in 0..held {
        let state = again();
        let digest = store.digest(&mut local, &state, None);
        assert!(matches!(store.insert(&mut local, &state, digest, Glance::default()), Insertion::Known(_)));
    }
}

#[test]
fn bits_do_not_grow() {
    let mut store = Bitstate::new(1 << 10, 3, 0, 1).unwrap();
    assert!(!store.is_crowded());
    assert_eq!(store.grow(None), Err(OutOfMemory));
    assert_eq!(store.memory(), 128);
}

#[test]
fn hash_compaction_expects_few_omissions() {
    let mut store = Compact::new(0, 1);
    assert_eq!(store.omission_probability(), 0.0);
    super::against_a_set::answers_like_a_set(&mut store, &protocol(20_000, 8, 5)).unwrap();
    assert!(store.omission_probability() > 0.0 && store.omission_probability() < 1e-10);
}

/// The estimate of omissions is right: it is compared with the truth.
#[test]
fn a_crowded_bit_array_knows_what_it_omitted() {
    for bits in [1 << 16, 1 << 18, 1 << 20] {
        let mut store = Bitstate::new(bits, 3, 0, 1).unwrap();
        let mut local = store.local();
        let mut states = random_states(2);
        for _ in 0..50_000 {
            super::insert(&mut store, &mut local, &states(), None);
        }
        let covered = store.len() as f64 / 50_000.0;
        let expected = store.expected_coverage();
        assert!((covered - expected).abs() < 0.02, "{bits} bits: {covered} covered, {expected} expected");
    }
}
