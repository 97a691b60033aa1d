//! Counting, picking and listing.
use diagram::Space;
use num_bigint::BigUint;

use crate::explicit::{ROOMY, Random, numbers, random_numbers, set, vector};

#[test]
fn random_sets_are_counted_and_listed() {
    let bits = 5;
    for seed in 1..200 {
        let (mut random, space) = (Random::new(seed), Space::new(bits, ROOMY));
        let one_in = 1 + random.below(8);
        let expected = random_numbers(&mut random, bits, one_in);
        let function = set(&space, &expected);
        assert_eq!(space.count(&function), BigUint::from(expected.len()), "seed {seed}");
        assert_eq!(numbers(&space, &function), expected, "seed {seed}");
        assert_eq!(space.members(&function).count(), expected.len(), "seed {seed}");
        for n in 0..1 << bits {
            assert_eq!(function.evaluate(&vector(bits, n), &[]), expected.contains(&n), "seed {seed}");
        }
        match space.pick(&function) {
            None => assert!(expected.is_empty(), "seed {seed}"),
            // Bit 0 is the topmost, so it is compared first.
            Some(picked) => assert_eq!(Some(picked), expected.iter().map(|n| vector(bits, *n)).min(), "seed {seed}"),
        }
    }
}

#[test]
fn more_vectors_than_machine_words_count() {
    let space = Space::new(200, ROOMY);
    let power = |exponent: u32| BigUint::from(2u8).pow(exponent);
    assert_eq!(space.count(&space.constant(true)), power(200));
    assert_eq!(space.count(&space.constant(false)), BigUint::ZERO);
    let different = space.current(7).unwrap().xor(&space.current(150).unwrap()).unwrap();
    assert_eq!(space.count(&different), power(199));
    assert_eq!(space.count(&different.not()), power(199));
    let one = space.vector(&[true; 200]).unwrap();
    assert_eq!(space.count(&one), power(0));
    assert_eq!(space.count(&one.not()), power(200) - 1u8);
    assert_eq!(space.count(&space.current(199).unwrap().or(&one).unwrap()), power(199));
}

#[test]
#[should_panic(expected = "a set has no next values")]
fn functions_of_next_values_are_not_counted() {
    let space = Space::new(2, ROOMY);
    space.count(&space.next(1).unwrap());
}
