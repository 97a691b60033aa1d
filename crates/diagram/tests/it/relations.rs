//! Images and preimages of partial relations.
use diagram::{Direction, Function, Relation, Space};

use crate::explicit::{Numbers, ROOMY, Random, Steps, numbers, random_numbers, set, step};

const BITS: usize = 5;

fn case(seed: u64) -> (Space, Steps, Numbers) {
    let (mut random, space) = (Random::new(seed), Space::new(BITS, ROOMY));
    let steps = Steps::random(&mut random, BITS);
    let numbers = random_numbers(&mut random, BITS, 3);
    (space, steps, numbers)
}

#[test]
fn images_and_preimages_are_those_of_the_pairs() {
    for seed in 1..400 {
        let (space, steps, from) = case(seed);
        let (relation, from_set) = (steps.relation(&space), set(&space, &from));
        let steps = [steps];
        let image = numbers(&space, &relation.image(&from_set).unwrap());
        assert_eq!(image, step(BITS, &steps, &from, Direction::Forward), "image, seed {seed}, {steps:?}");
        let preimage = numbers(&space, &relation.preimage(&from_set).unwrap());
        assert_eq!(preimage, step(BITS, &steps, &from, Direction::Backward), "preimage, seed {seed}, {steps:?}");
        let sources = numbers(&space, &relation.sources(&space).unwrap());
        let all = (0..1 << BITS).collect();
        assert_eq!(sources, step(BITS, &steps, &all, Direction::Backward), "sources, seed {seed}, {steps:?}");
    }
}

/// How many of the random cases a wrong way to step gets wrong.
fn caught(wrong: impl Fn(&Space, &Steps, &Function) -> Function) -> usize {
    let mistaken = |seed: &u64| {
        let (space, steps, from) = case(*seed);
        let image = numbers(&space, &wrong(&space, &steps, &set(&space, &from)));
        image != step(BITS, &[steps], &from, Direction::Forward)
    };
    (1..100).filter(mistaken).count()
}

#[test]
fn wrong_relations_are_caught() {
    let every: Vec<usize> = (0..BITS).collect();
    let image = |relation: Relation, from: &Function| relation.image(from).unwrap();
    assert_eq!(caught(|space, steps, from| image(steps.relation(space), from)), 0);
    // Bits that are not touched do not stay.
    let moving = caught(|space, steps, from| image(Relation::new(space, steps.function(space), &every).unwrap(), from));
    // Bits that get any value stay.
    let stiff = caught(|space, steps, from| image(Relation::new(space, steps.function(space), &[]).unwrap(), from));
    // Steps go the other way.
    let backward = caught(|space, steps, from| steps.relation(space).preimage(from).unwrap());
    assert!([moving, stiff, backward].iter().all(|count| *count > 30), "{moving} {stiff} {backward}");
}

#[test]
fn a_union_has_the_steps_of_both() {
    for seed in 1..200 {
        let (space, left, from) = case(seed);
        let right = Steps::random(&mut Random::new(seed + 1000), BITS);
        let union = left.relation(&space).union(&space, &right.relation(&space)).unwrap();
        assert!(union.touched().iter().map(|bit| 1 << bit).sum::<u32>() == left.touched | right.touched);
        let image = numbers(&space, &union.image(&set(&space, &from)).unwrap());
        assert_eq!(image, step(BITS, &[left, right], &from, Direction::Forward), "seed {seed}");
    }
}

#[test]
fn a_bit_that_is_only_read_is_not_touched() {
    let space = Space::new(2, ROOMY);
    let function = space.current(0).unwrap().and(&space.next(1).unwrap()).unwrap();
    let relation = Relation::new(&space, function, &[]).unwrap();
    assert_eq!(relation.touched(), [1]);
    let image = relation.image(&space.constant(true)).unwrap();
    assert_eq!(numbers(&space, &image), [0b11].into());
}
