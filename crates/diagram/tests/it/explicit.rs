//! The same things done plainly: sets of numbers, lists of pairs, and random ones of both.
use std::collections::BTreeSet;

use diagram::{Direction, Function, Limits, Relation, Space};

/// Room enough for everything small.
pub const ROOMY: Limits = Limits { nodes: 1 << 18, cache: 1 << 12, contexts: 1 << 10, threads: 1 };

/// A generator of numbers that look random (xorshift), the same ones for the same seed.
pub struct Random(u64);

impl Random {
    pub fn new(seed: u64) -> Random {
        Random(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1)
    }

    pub fn below(&mut self, bound: u32) -> u32 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        ((self.0 >> 32) % u64::from(bound)) as u32
    }

    pub fn shuffled(&mut self, count: usize) -> Vec<usize> {
        let mut items: Vec<usize> = (0..count).collect();
        (1..count).rev().for_each(|last| items.swap(last, self.below(last as u32 + 1) as usize));
        items
    }
}

/// The values of the bits of a number.
pub fn vector(bits: usize, number: u32) -> Vec<bool> {
    (0..bits).map(|bit| number >> bit & 1 == 1).collect()
}

/// The number whose bits have these values.
pub fn number(vector: &[bool]) -> u32 {
    vector.iter().rev().fold(0, |number, value| 2 * number + u32::from(*value))
}

/// A set as the numbers of its vectors.
pub type Numbers = BTreeSet<u32>;

pub fn set(space: &Space, numbers: &Numbers) -> Function {
    numbers.iter().fold(space.constant(false), |set, number| {
        set.or(&space.vector(&vector(space.bits(), *number)).unwrap()).unwrap()
    })
}

pub fn numbers(space: &Space, set: &Function) -> Numbers {
    space.members(set).map(|vector| number(&vector)).collect()
}

pub fn random_numbers(random: &mut Random, bits: usize, one_in: u32) -> Numbers {
    (0..1 << bits).filter(|_| random.below(one_in) == 0).collect()
}

/// Steps: some bits have a value before, some touched ones have a value after, and bits that are not touched stay.
#[derive(Clone, Debug)]
pub struct Steps {
    pub touched: u32,
    /// Which bits count before, and their values; which touched bits count after, and their values.
    pub cases: Vec<[u32; 4]>,
}

impl Steps {
    pub fn random(random: &mut Random, bits: usize) -> Steps {
        let all = 1 << bits;
        let touched = random.below(all) & random.below(all) | 1 << random.below(bits as u32);
        let mut case = |_| {
            let (before, after) = (random.below(all) & random.below(all), random.below(all) & touched);
            [before, random.below(all) & before, after, random.below(all) & after]
        };
        Steps { touched, cases: (0..3).map(&mut case).collect() }
    }

    pub fn allow(&self, from: u32, to: u32) -> bool {
        let stays = (from ^ to) & !self.touched == 0;
        stays && self.cases.iter().any(|[before, was, after, will]| from & before == *was && to & after == *will)
    }

    pub fn relation(&self, space: &Space) -> Relation {
        let touched: Vec<usize> = (0..space.bits()).filter(|bit| self.touched >> bit & 1 == 1).collect();
        Relation::new(space, self.function(space), &touched).unwrap()
    }

    pub fn function(&self, space: &Space) -> Function {
        self.cases.iter().fold(space.constant(false), |union, [before, was, after, will]| {
            let current = space.cube(literals(*before, *was)).unwrap();
            let next = space.cube(literals(*after, *will)).unwrap().exchanged().unwrap();
            union.or(&current.and(&next).unwrap()).unwrap()
        })
    }
}

fn literals(bits: u32, values: u32) -> impl Iterator<Item = (usize, bool)> {
    (0..32).filter(move |bit| bits >> bit & 1 == 1).map(move |bit| (bit, values >> bit & 1 == 1))
}

/// What one step leads to, or comes from.
pub fn step(bits: usize, steps: &[Steps], set: &Numbers, direction: Direction) -> Numbers {
    let reached = |there: &u32| {
        set.iter().any(|here| {
            let (from, to) = if direction == Direction::Forward { (*here, *there) } else { (*there, *here) };
            steps.iter().any(|steps| steps.allow(from, to))
        })
    };
    (0..1 << bits).filter(reached).collect()
}

/// All that steps lead to, or come from, staying within a set.
pub fn closure(bits: usize, steps: &[Steps], from: &Numbers, direction: Direction, within: &Numbers) -> Numbers {
    let mut set = from.clone();
    loop {
        let before = set.len();
        set.extend(step(bits, steps, &set, direction).intersection(within));
        if set.len() == before {
            return set;
        }
    }
}
