//! Stuttering, against words that stutter.
use ltl::stutter::{self, Stuttering};
use ltl::{Lasso, Mistake, Options};

use crate::chance::{Chance, for_formulas};

#[track_caller]
fn check(text: &str, expected: Stuttering) {
    let formula = ltl::parse(text, &mut Vec::new()).expect("a formula");
    assert_eq!(stutter::of_formula(&formula), expected, "{text}");
    let automaton = ltl::translate(&formula).expect("small");
    let of_automaton = stutter::of_automaton(&automaton);
    assert!(
        of_automaton == expected || (of_automaton == Stuttering::Unknown && !automaton.is_deterministic()),
        "{text}"
    );
}

#[test]
fn formulas_that_notice_stuttering_and_others() {
    check("[](a -> <>b)", Stuttering::Invariant);
    check("X a", Stuttering::Sensitive);
    check("<>(a && X !a)", Stuttering::Invariant);
    check("<>(a && X a)", Stuttering::Sensitive);
    check("[](a <-> X a)", Stuttering::Invariant);
    check("[](a -> X b)", Stuttering::Sensitive);
    check("<>(a && X(!a && b))", Stuttering::Invariant);
    check("X <>a", Stuttering::Sensitive);
    check("[]<>X a", Stuttering::Invariant);
}

/// A word and one that stutters more.
fn pair(chance: &mut Chance, atoms: usize) -> [Lasso; 2] {
    let mut letters = |count: usize| (0..count).map(|_| chance.below(1 << atoms) as u64).collect::<Vec<u64>>();
    let (prefix, cycle) = (letters(3), letters(2));
    let mut stuttered =
        |letters: &[u64]| letters.iter().flat_map(|&it| vec![it; 1 + chance.below(3)]).collect::<Vec<u64>>();
    let more = (stuttered(&prefix), stuttered(&cycle));
    [Lasso::new(&prefix, &cycle), Lasso::new(&more.0, &more.1)].map(|it| it.expect("a cycle"))
}

/// How often formulas said to be invariant tell two such words apart.
fn contradictions(mistake: Option<Mistake>) -> usize {
    let options = Options { mistake, ..Options::default() };
    let mut contradictions = 0;
    for_formulas(600, 6, |_, formula, atoms, chance| {
        let invariant = stutter::of_formula_with(formula, &options).is_invariant();
        let apart = (0..30).any(|_| {
            let words = pair(chance, atoms);
            words[0].satisfies(formula) != words[1].satisfies(formula)
        });
        contradictions += usize::from(invariant && apart);
    });
    contradictions
}

#[test]
fn invariant_formulas_do_not_tell_stuttering_words_apart() {
    assert_eq!(contradictions(None), 0);
    let caught = contradictions(Some(Mistake::Stuttering));
    assert!(caught > 20, "caught only {caught}");
}

#[test]
fn most_sensitive_formulas_do_tell_some_apart() {
    let (mut sensitive, mut shown) = (0, 0);
    for_formulas(600, 6, |_, formula, atoms, chance| {
        if stutter::of_formula(formula) == Stuttering::Sensitive {
            sensitive += 1;
            let apart = |words: [Lasso; 2]| words[0].satisfies(formula) != words[1].satisfies(formula);
            shown += usize::from((0..500).any(|_| apart(pair(chance, atoms))));
        }
    });
    assert!(sensitive > 20 && shown * 10 > sensitive * 9, "{shown} of {sensitive}");
}
