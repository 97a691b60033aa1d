//! Sets of pairs against a set from the standard library, whatever the size of the numbers.
use std::collections::HashSet;

use super::Random;
use crate::pairs::{Pairs, code, pair};
use crate::{Added, Count, WordReader, WordWriter};

fn insert(set: &mut Pairs, count: &mut Count, pair: u64) -> bool {
    loop {
        match set.insert(count, code(pair), set.glance(code(pair))) {
            Added::Crowded => set.grow(None).expect("memory"),
            answer => return answer == Added::New,
        }
    }
}

/// What a set writes down: its entries, decoded.
fn contents(set: &Pairs) -> HashSet<u64> {
    let mut bytes = Vec::new();
    let mut out = WordWriter::new(&mut bytes);
    set.save(&mut out).and_then(|()| out.finish()).expect("memory can be written to");
    let mut bytes = bytes.as_slice();
    let codes = WordReader::new(&mut bytes).list().expect("what was written can be read");
    assert_eq!(codes.len() as u64, set.len());
    codes.into_iter().map(pair).collect()
}

#[test]
fn a_pair_is_told_by_its_code() {
    let mut random = Random(5);
    for it in [0, 1, u64::MAX, 1 << 32, 1 << 63].into_iter().chain((0..1000).map(|_| random.next())) {
        assert_eq!(pair(code(it)), it);
    }
}

/// References that are given away in turns are all even, or all multiples of something else.
#[test]
fn numbers_with_gaps_find_room() {
    for step in [1u64, 2, 3, 4, 8, 12, 64, 1024] {
        for second in [1, 3, 50] {
            let (mut set, mut random) = (Pairs::new(), Random(11));
            let mut count = set.count();
            for row in 0..40_000u64 {
                insert(&mut set, &mut count, ((row * step) << 32) | (random.next() % second));
                if set.is_crowded() {
                    set.grow(None).expect("memory");
                }
            }
            assert_eq!(set.len(), 40_000);
            assert!(set.memory() < 40_000 * 20, "{step} {second}: {} bytes", set.memory());
        }
    }
}

/// Numbers of few bits become larger and larger, so that entries are halves, whole, and perhaps halves again.
#[test]
fn numbers_of_any_size_in_any_order() {
    for bits in [[(3, 4), (8, 8), (14, 15)], [(16, 16), (32, 32), (10, 10)], [(32, 1), (1, 32), (20, 20)]] {
        let (mut set, mut expected, mut random) = (Pairs::new(), HashSet::new(), Random(7));
        let mut count = set.count();
        for (first, second) in bits {
            for _ in 0..60_000 {
                let it = random.below(1 << first) << 32 | random.below(1 << second);
                assert_eq!(insert(&mut set, &mut count, it), expected.insert(it), "{it:x}");
            }
            assert_eq!(contents(&set), expected);
        }
    }
}

/// Every first number with a few second ones: the lines at both ends of the table overflow, too.
#[test]
fn a_large_table_tells_the_low_bits_of_its_pairs() {
    let mut set = Pairs::new();
    let mut count = set.count();
    let pairs = || (0..40_000u64).flat_map(|first| (0..20u64).map(move |second| first << 32 | second));
    pairs().for_each(|it| assert!(insert(&mut set, &mut count, it)));
    pairs().for_each(|it| assert!(!insert(&mut set, &mut count, it)));
    pairs().for_each(|it| assert!(insert(&mut set, &mut count, it | 1 << 30)));
    assert_eq!(contents(&set), pairs().flat_map(|it| [it, it | 1 << 30]).collect());
}

#[test]
fn a_pair_of_small_numbers_takes_at_most_six_bytes() {
    let mut set = Pairs::new();
    let mut count = set.count();
    let mut random = Random(3);
    for _ in 0..1_000_000 {
        insert(&mut set, &mut count, random.below(1 << 18) << 32 | random.below(1 << 17));
        assert!(set.len() < 1000 || !set.is_crowded() || set.grow(None).is_ok());
    }
    assert!(set.memory() < 6 * set.len(), "{} bytes for {} pairs", set.memory(), set.len());
}
