//! Automata against the meaning of formulas, on random formulas and words.
use ltl::{Automaton, Formula, Mistake, Options, buchi, translate, translate_to_buchi, translate_to_buchi_with};

use crate::chance::for_formulas;

fn of(result: Result<Automaton, ltl::TooLarge>) -> Automaton {
    result.expect("small enough")
}

#[test]
fn simplified_formulas_mean_the_same() {
    for_formulas(3000, 10, |seed, formula, atoms, chance| {
        let (normal, simple) = (formula.negation_normal_form(), formula.simplified());
        for _ in 0..20 {
            let word = chance.lasso(atoms);
            let expected = word.satisfies(formula);
            assert_eq!(word.satisfies(&normal), expected, "{seed}: {formula} as {normal} on {word:?}");
            assert_eq!(word.satisfies(&simple), expected, "{seed}: {formula} as {simple} on {word:?}");
        }
    });
}

#[test]
fn automata_accept_what_formulas_mean() {
    for_formulas(1500, 8, |seed, formula, atoms, chance| {
        let generalised = of(translate(formula));
        let automata = [
            of(translate(&formula.clone().negated())),
            buchi(&generalised),
            of(translate_to_buchi(formula)),
            generalised,
        ];
        for _ in 0..20 {
            let word = chance.lasso(atoms);
            let expected = word.satisfies(formula);
            let accepts = automata.each_ref().map(|it| it.accepts(&word));
            assert_eq!(accepts, [!expected, expected, expected, expected], "{seed}: {formula} on {word:?}");
        }
        for automaton in &automata[1..3] {
            assert!(automaton.sets == 1 && automaton.is_state_based(), "{seed}: {formula}");
        }
    });
}

#[test]
fn a_formula_and_its_negation_share_no_word() {
    for_formulas(300, 8, |seed, formula, _, _| {
        let (one, other) = (of(translate(formula)), of(translate(&formula.clone().negated())));
        assert_eq!(ltl::are_disjoint(&one, &other), Ok(true), "{seed}: {formula}");
    });
}

/// How many of the first formulas show that the translation is wrong.
fn caught(mistake: Option<Mistake>) -> usize {
    let options = Options { mistake, ..Options::default() };
    let mut caught = 0;
    for_formulas(400, 8, |_, formula: &Formula, atoms, chance| {
        let automaton = of(translate_to_buchi_with(formula, &options));
        let wrong = (0..20).any(|_| {
            let word = chance.lasso(atoms);
            automaton.accepts(&word) != word.satisfies(formula)
        });
        caught += usize::from(wrong);
    });
    caught
}

/// A test of the test.
#[test]
fn deliberate_mistakes_are_caught() {
    assert_eq!(caught(None), 0);
    for mistake in [Mistake::Promises, Mistake::Waiting, Mistake::Acceptance, Mistake::Obligation, Mistake::Recurrence]
    {
        let caught = caught(Some(mistake));
        assert!(caught > 3, "{mistake:?} caught only {caught} times");
    }
}
