//! Orders change, functions do not.
use diagram::{Decision, Direction, Function, Growth, Limits, Method, Outcome, Search, Space};

use crate::explicit::{ROOMY, Random, Steps, closure, numbers, random_numbers, set, step, vector};

#[test]
fn functions_are_the_same_in_every_order() {
    let bits = 5;
    for seed in 1..200 {
        let (mut random, space) = (Random::new(seed), Space::new(bits, ROOMY));
        let (expected, steps) = (random_numbers(&mut random, bits, 2), [Steps::random(&mut random, bits)]);
        let (function, relation) = (set(&space, &expected), steps[0].relation(&space));
        let order = random.shuffled(bits);
        space.reorder(&order).unwrap();
        assert_eq!(space.order(), order);
        assert_eq!(numbers(&space, &function), expected, "seed {seed}");
        assert_eq!(space.count(&function), expected.len().into(), "seed {seed}");
        assert_eq!(set(&space, &expected), function, "seed {seed}");
        assert_eq!(steps[0].relation(&space), relation, "seed {seed}");
        let image = numbers(&space, &relation.image(&function).unwrap());
        assert_eq!(image, step(bits, &steps, &expected, Direction::Forward), "seed {seed}");
        space.sift(std::time::Duration::from_secs(60));
        assert_eq!(numbers(&space, &function), expected, "seed {seed}");
        let image = numbers(&space, &relation.image(&function).unwrap());
        assert_eq!(image, step(bits, &steps, &expected, Direction::Forward), "seed {seed}");
    }
}

/// Bits `n` and `n + half` are equal, for all `n`: small if equal bits are neighbours, else exponential.
fn equal_halves(space: &Space) -> Function {
    let half = space.bits() / 2;
    (0..half).fold(space.constant(true), |equal, bit| {
        let pair = space.current(bit).unwrap().equivalent(&space.current(bit + half).unwrap()).unwrap();
        equal.and(&pair).unwrap()
    })
}

#[test]
fn sifting_brings_together_what_belongs_together() {
    let space = Space::new(20, ROOMY);
    let equal = equal_halves(&space);
    let (before, count) = (equal.nodes(), space.count(&equal));
    space.sift(std::time::Duration::from_secs(60));
    assert!(before > 2000 && equal.nodes() < 40, "{before} nodes became {}", equal.nodes());
    assert_eq!(space.count(&equal), count);
}

#[test]
fn groups_stay_together() {
    let space = Space::new(20, ROOMY);
    let equal = equal_halves(&space);
    let groups: Vec<Vec<usize>> = (0..10).map(|pair| vec![2 * pair + 1, 2 * pair]).collect();
    space.group(groups.clone());
    space.sift(std::time::Duration::from_secs(60));
    let order = space.order();
    for group in groups {
        let place = order.iter().position(|bit| *bit == group[0]).unwrap();
        assert_eq!(order[place..place + 2], group[..]);
    }
    assert!(equal.nodes() < 100, "{}", equal.nodes());
}

#[test]
fn without_room_everything_stays() {
    let space = Space::new(20, Limits { nodes: 700, cache: 64, ..Limits::default() });
    let good: Vec<usize> = (0..10).flat_map(|bit| [bit, bit + 10]).collect();
    space.reorder(&good).unwrap();
    let equal = equal_halves(&space);
    let bad: Vec<usize> = (0..20).collect();
    assert_eq!(space.reorder(&bad), Err(diagram::Full));
    assert!((0..1000u32).all(|n| {
        let values = vector(20, n * 1049);
        equal.evaluate(&values, &[]) == (values[..10] == values[10..])
    }));
    space.reorder(&good).unwrap();
    assert_eq!(equal, equal_halves(&space));
    assert_eq!(space.order(), good);
}

#[test]
fn a_search_goes_on_in_another_order() {
    let bits = 6;
    for seed in 1..100 {
        let (mut random, space) = (Random::new(seed), Space::new(bits, ROOMY));
        let steps: Vec<Steps> = (0..6).map(|_| Steps::random(&mut random, bits)).collect();
        let relations: Vec<_> = steps.iter().map(|steps| steps.relation(&space)).collect();
        let from = random_numbers(&mut random, bits, 30);
        space.reorder(&random.shuffled(bits)).unwrap();
        let everything = (0..1 << bits).collect();
        let expected = closure(bits, &steps, &from, Direction::Forward, &everything);
        for method in [Method::BreadthFirst, Method::Chaining, Method::Saturation] {
            let start = set(&space, &from);
            let search = Search::forward(&space, &start, &relations);
            let reached = search.run(method, &mut |_| Decision::Sift);
            assert_eq!(reached.outcome, Outcome::Complete);
            assert_eq!(numbers(&space, &reached.set), expected, "seed {seed}, {method:?}");
        }
    }
}

#[test]
fn saturation_is_interrupted_sifted_and_goes_on() {
    let space = Space::new(14, ROOMY);
    let relations = crate::reach::counter(&space);
    let from = space.vector(&[false; 14]).unwrap();
    let mut sifted = 0;
    let reached = Search::forward(&space, &from, &relations).run(Method::Saturation, &mut |_| {
        sifted += 1;
        if sifted < 4 { Decision::Sift } else { Decision::Continue }
    });
    assert!(reached.outcome == Outcome::Complete && reached.set.is_true() && sifted > 1, "{sifted}");
}

#[test]
fn growing_diagrams_are_sifted_and_the_threshold_grows() {
    let mut growth = Growth::new(100);
    let mut decide =
        |nodes| growth.decide(&diagram::Progress { rounds: 1, set: None, nodes, elapsed: std::time::Duration::ZERO });
    assert_eq!([50, 100, 101].map(&mut decide), [Decision::Continue, Decision::Continue, Decision::Sift]);
    // Sifting left 80: the next time comes after twice as many as the first.
    assert_eq!([80, 200, 201].map(&mut decide), [Decision::Continue, Decision::Continue, Decision::Sift]);
    // Sifting did not help: the next time comes after twice what is left.
    assert_eq!([201, 402, 403].map(&mut decide), [Decision::Continue, Decision::Continue, Decision::Sift]);
}

#[test]
fn growth_keeps_a_search_small() {
    // Any bit of the first half and its partner get the same value: what is reached needs the equality of the halves.
    let search = |growth: Option<usize>| {
        let space = Space::new(24, ROOMY);
        let step = |bit: usize| {
            let same = space.next(bit).unwrap().equivalent(&space.next(bit + 12).unwrap()).unwrap();
            diagram::Relation::new(&space, same, &[]).unwrap()
        };
        let relations: Vec<_> = (0..12).map(step).collect();
        let from = space.vector(&[false; 24]).unwrap();
        let mut growth = growth.map(Growth::new);
        let mut watch = |progress: &_| growth.as_mut().map_or(Decision::Continue, |growth| growth.decide(progress));
        let reached = Search::forward(&space, &from, &relations).run(Method::BreadthFirst, &mut watch);
        assert_eq!(space.count(&reached.set), (1u32 << 12).into());
        reached.set.nodes()
    };
    let (without, with) = (search(None), search(Some(1000)));
    assert!(without > 8000 && with < 100, "{without} and {with} nodes");
}
