//! Little room: an answer, never a crash, and garbage is no reason to give up.
use diagram::{Decision, Full, Function, Limits, Method, Outcome, Search, Space};

use crate::explicit::{Random, numbers, random_numbers, set};

fn go_on(_: &diagram::Progress) -> Decision {
    Decision::Continue
}

/// Bits `n` and `n + half` are equal, for all `n`: exponentially many nodes in the order of the numbers.
fn equal_halves(space: &Space) -> Result<Function, Full> {
    let half = space.bits() / 2;
    (0..half).try_fold(space.constant(true), |equal, bit| {
        equal.and(&space.current(bit)?.equivalent(&space.current(bit + half)?)?)
    })
}

#[test]
fn too_many_nodes_are_an_error() {
    let space = Space::new(40, Limits { nodes: 10_000, cache: 1 << 10, ..Limits::default() });
    assert_eq!(equal_halves(&space), Err(Full));
    assert!(space.collect() < 100, "what was tried is garbage: {}", space.nodes());
    assert!(space.peak() > 5_000 && space.peak() <= 10_000, "{}", space.peak());
    assert!(space.bytes() > 16 * space.peak());
    assert_eq!(space.capacity(), 10_000);
    let function = space.current(3).unwrap().and(&space.current(5).unwrap()).unwrap();
    assert_eq!(space.count(&function), num_bigint::BigUint::from(1u8) << 38);
}

#[test]
fn no_room_at_all_is_an_error() {
    let space = Space::new(4, Limits { nodes: 1, cache: 1, ..Limits::default() });
    let first = space.current(0).unwrap();
    assert_eq!(space.current(1), Err(Full));
    drop(first);
    assert!(space.current(1).is_ok());
}

#[test]
fn garbage_is_collected_when_room_is_needed() {
    let (bits, mut random) = (8, Random::new(1));
    let space = Space::new(bits, Limits { nodes: 600, cache: 1 << 10, ..Limits::default() });
    for _ in 0..60 {
        let (a, b) = (random_numbers(&mut random, bits, 2), random_numbers(&mut random, bits, 2));
        let both = set(&space, &a).xor(&set(&space, &b)).unwrap();
        assert!(numbers(&space, &both).into_iter().eq(a.symmetric_difference(&b).copied()));
    }
    assert!(space.peak() <= 600);
}

#[test]
fn searches_without_room_say_so() {
    for method in [Method::BreadthFirst, Method::Chaining, Method::Saturation] {
        let space = Space::new(28, Limits { nodes: 3_000, cache: 1 << 10, ..Limits::default() });
        // Any bit of the first half is copied to the second: what is reached needs the equality of the halves.
        let copy = |bit: usize| {
            let [from, to] = [space.next(bit).unwrap(), space.next(bit + 14).unwrap()];
            diagram::Relation::new(&space, from.equivalent(&to).unwrap(), &[bit, bit + 14]).unwrap()
        };
        let relations: Vec<_> = (0..14).map(copy).collect();
        let from = space.vector(&[false; 28]).unwrap();
        let reached = Search::forward(&space, &from, &relations).run(method, &mut go_on);
        assert_eq!(reached.outcome, Outcome::Full, "{method:?}");
        assert!(reached.set.evaluate(&[false; 28], &[]), "{method:?}");
    }
}

#[test]
fn searches_with_just_enough_room_collect_and_finish() {
    for method in [Method::BreadthFirst, Method::Chaining, Method::Saturation] {
        let space = Space::new(14, Limits { nodes: 800, cache: 1 << 8, ..Limits::default() });
        let relations = crate::reach::counter(&space);
        let from = space.vector(&[false; 14]).unwrap();
        let reached = Search::forward(&space, &from, &relations).run(method, &mut go_on);
        assert!(reached.outcome == Outcome::Complete && reached.set.is_true(), "{method:?}: {:?}", reached.outcome);
    }
}

#[test]
fn deep_diagrams_do_not_exhaust_the_stack() {
    let bits = 20_000;
    let space = Space::new(bits, Limits { nodes: 1 << 20, cache: 1 << 12, ..Limits::default() });
    let count = space.run(|| {
        let ends = space.vector(&vec![true; bits]).unwrap().or(&space.vector(&vec![false; bits]).unwrap()).unwrap();
        let flip = space.current(0).unwrap().xor(&space.next(0).unwrap()).unwrap();
        let relations = [diagram::Relation::new(&space, flip, &[0]).unwrap()];
        space.count(&Search::forward(&space, &ends, &relations).run(Method::Saturation, &mut go_on).set)
    });
    assert_eq!(count, 4u8.into());
}
