//! Boolean operators on all functions of two variables, and on random functions of eight.
use diagram::{Function, Space, Which};

use crate::explicit::{ROOMY, Random, numbers, random_numbers, set, vector};

/// All sixteen functions of the current and the next value of one bit, in the order of their tables.
fn all(space: &Space) -> Vec<Function> {
    (0..16).map(|table| from_table(space, table)).collect()
}

fn from_table(space: &Space, table: u32) -> Function {
    let (current, next) = (space.current(0).unwrap(), space.next(0).unwrap());
    (0..4).filter(|row| table >> row & 1 == 1).fold(space.constant(false), |function, row| {
        let left = if row & 1 == 1 { current.clone() } else { current.not() };
        let right = if row & 2 == 2 { next.clone() } else { next.not() };
        function.or(&left.and(&right).unwrap()).unwrap()
    })
}

fn table(function: &Function) -> u32 {
    (0..4).filter(|row| function.evaluate(&[row & 1 == 1], &[row & 2 == 2])).map(|row| 1 << row).sum()
}

#[test]
fn equal_tables_are_equal_functions() {
    let space = Space::new(1, ROOMY);
    for (expected, function) in (0..).zip(all(&space)) {
        assert_eq!(table(&function), expected);
        assert_eq!(function.is_false(), expected == 0);
        assert_eq!(function.is_true(), expected == 15);
        assert_eq!(table(&function.not()), 15 & !expected);
        assert_eq!(from_table(&space, expected), function);
        assert!((0..expected).all(|other| from_table(&space, other) != function));
    }
}

#[test]
fn operators_of_two_agree_with_tables() {
    let space = Space::new(1, ROOMY);
    let functions = all(&space);
    for (a, left) in (0..).zip(&functions) {
        for (b, right) in (0..).zip(&functions) {
            assert_eq!(table(&left.and(right).unwrap()), a & b);
            assert_eq!(table(&left.or(right).unwrap()), a | b);
            assert_eq!(table(&left.xor(right).unwrap()), a ^ b);
            assert_eq!(table(&left.minus(right).unwrap()), a & !b);
            assert_eq!(table(&left.implies(right).unwrap()), 15 & (!a | b));
            assert_eq!(table(&left.equivalent(right).unwrap()), 15 & !(a ^ b));
            assert_eq!(left.is_subset(right).unwrap(), a & !b == 0);
            let simplified = table(&left.simplified(right).unwrap());
            assert_eq!(simplified & b, a & b, "simplified {a:04b} where {b:04b}");
        }
    }
}

#[test]
fn if_then_else_agrees_with_tables() {
    let space = Space::new(1, ROOMY);
    let functions = all(&space);
    for (a, condition) in (0..).zip(&functions) {
        for (b, then) in (0..).zip(&functions) {
            for (c, otherwise) in (0..).zip(&functions) {
                let function = condition.if_then_else(then, otherwise).unwrap();
                assert_eq!(table(&function), (a & b) | (15 & !a & c));
            }
        }
    }
}

#[test]
fn quantifiers_and_exchange_agree_with_tables() {
    let space = Space::new(1, ROOMY);
    for (a, function) in (0u32..).zip(all(&space)) {
        let pairs = |left: u32, right: u32| (a >> left & 1, a >> right & 1);
        let over = |which, forall: bool| {
            let quantified =
                if forall { function.forall(&space, &[0], which) } else { function.exists(&space, &[0], which) };
            table(&quantified.unwrap())
        };
        // Rows 0 and 1 differ in the current value, rows 0 and 2 in the next one.
        let or = |(x, y): (u32, u32)| x | y;
        let and = |(x, y): (u32, u32)| x & y;
        assert_eq!(over(Which::Current, false), or(pairs(0, 1)) * 0b0011 + or(pairs(2, 3)) * 0b1100);
        assert_eq!(over(Which::Next, false), or(pairs(0, 2)) * 0b0101 + or(pairs(1, 3)) * 0b1010);
        assert_eq!(over(Which::Current, true), and(pairs(0, 1)) * 0b0011 + and(pairs(2, 3)) * 0b1100);
        assert_eq!(over(Which::Next, true), and(pairs(0, 2)) * 0b0101 + and(pairs(1, 3)) * 0b1010);
        assert_eq!(over(Which::Both, false), if a == 0 { 0 } else { 15 });
        assert_eq!(over(Which::Both, true), if a == 15 { 15 } else { 0 });
        let exchanged = (a & 0b1001) | (a & 0b0010) << 1 | (a & 0b0100) >> 1;
        assert_eq!(table(&function.exchanged().unwrap()), exchanged);
    }
}

#[test]
fn random_functions_are_simplified_exchanged_and_quantified() {
    let bits = 5;
    for seed in 1..100 {
        let (mut random, space) = (Random::new(seed), Space::new(bits, ROOMY));
        let a = random_numbers(&mut random, bits, 2);
        let care = random_numbers(&mut random, bits, 3);
        let (function, care_set) = (set(&space, &a), set(&space, &care));

        let simplified = numbers(&space, &function.simplified(&care_set).unwrap());
        assert!(simplified.intersection(&care).eq(a.intersection(&care)), "seed {seed}");

        let exchanged = function.exchanged().unwrap();
        let nothing = vec![false; bits];
        assert!((0..1 << bits).all(|n| exchanged.evaluate(&nothing, &vector(bits, n)) == a.contains(&n)));
        assert_eq!(exchanged.exchanged().unwrap(), function);

        let bit = random.below(bits as u32);
        let exists = numbers(&space, &function.exists(&space, &[bit as usize], Which::Current).unwrap());
        assert!((0..1 << bits).all(|n| exists.contains(&n) == (a.contains(&n) || a.contains(&(n ^ 1 << bit)))));
    }
}

#[test]
fn support_names_the_bits_that_matter() {
    let space = Space::new(4, ROOMY);
    let function =
        space.current(3).unwrap().xor(&space.next(1).unwrap()).unwrap().or(&space.current(0).unwrap()).unwrap();
    let support = function.support();
    assert_eq!((support.current, support.next), (vec![0, 3], vec![1]));
    assert_eq!(space.constant(true).support(), diagram::Support::default());
}
