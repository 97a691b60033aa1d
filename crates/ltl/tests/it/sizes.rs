//! How many states the automata of well-known formulas have. The figures may fall and must not grow.
use std::time::{Duration, Instant};

use ltl::{translate, translate_to_buchi};

use crate::chance::Chance;

/// The formulas of a set.
fn formulas(set: &str) -> Vec<ltl::Formula> {
    let lines = include_str!("../data/formulas.txt").lines();
    let texts = lines.filter_map(|it| it.split_once(':')).filter(|it| it.0 == set);
    texts
        .map(|(_, text)| ltl::parse(text, &mut Vec::new()).unwrap_or_else(|wrong| panic!("{wrong} in {text}")))
        .collect()
}

/// States of the generalised and of the ordinary automata, for the formulas and for their negations.
fn totals(set: &str) -> [usize; 4] {
    let (mut totals, formulas) = ([0; 4], formulas(set));
    for formula in &formulas {
        let negation = formula.clone().negated();
        let automata =
            [translate(formula), translate(&negation), translate_to_buchi(formula), translate_to_buchi(&negation)];
        for (total, automaton) in totals.iter_mut().zip(automata) {
            *total += automaton.expect("small enough").states();
        }
    }
    totals
}

#[track_caller]
fn check(set: &str, recorded: [usize; 4]) {
    let totals = totals(set);
    assert!(totals.iter().zip(recorded).all(|(&now, then)| now <= then), "{set}: {totals:?}, recorded {recorded:?}");
}

#[test]
fn the_formulas_of_etessami_and_holzmann() {
    check("etessami-holzmann", [34, 47, 43, 51]);
}

#[test]
fn the_formulas_of_somenzi_and_bloem() {
    check("somenzi-bloem", [73, 75, 83, 82]);
}

#[test]
fn the_patterns_of_dwyer() {
    check("dwyer", [200, 218, 206, 221]);
}

#[test]
fn formulas_with_eight_operators_take_less_than_a_second() {
    for seed in 1..=100 {
        let mut chance = Chance::new(seed);
        let formula = chance.formula(8, 4);
        let start = Instant::now();
        let automaton = translate_to_buchi(&formula).expect("small enough");
        let (time, limit) = (start.elapsed(), Duration::from_secs(if cfg!(debug_assertions) { 10 } else { 1 }));
        assert!(time < limit, "{formula} took {time:?}, {} states", automaton.states());
    }
}

#[test]
fn a_formula_that_is_too_large_is_refused() {
    let fair = |count: u32| (0..count).map(|it| ltl::Formula::atom(it).finally().globally()).reduce(ltl::Formula::and);
    let sizes = [4, 8, 40].map(|count| translate_to_buchi(&fair(count).expect("some")).map(|it| it.states()));
    assert_eq!(sizes, [Ok(5), Ok(9), Err(ltl::TooLarge::Edges(2000))]);
}
