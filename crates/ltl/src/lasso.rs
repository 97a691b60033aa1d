//! What a formula means, on words that end in a cycle.
//!
//! An infinite word that some finite system produces can be taken as a prefix and a cycle for ever. On such a *lasso* every operator is
//! evaluated at every position by its definition; `U` and its relatives are fixed points that two rounds backwards
//! reach (Markey, Schnoebelen, *Model checking a path*, CONCUR 2003). This is the oracle of the tests: it knows no automata.
use crate::formula::{Formula, Node};

/// Which atoms are true, bit by bit. Atoms from 64 on are false.
pub type Letter = u64;

/// Whether an atom is true in a letter.
pub fn is_true(letter: Letter, atom: u32) -> bool {
    atom < Letter::BITS && letter >> atom & 1 == 1
}

/// A word: a prefix, then a cycle for ever.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Lasso {
    letters: Vec<Letter>,
    cycle: usize,
}

impl Lasso {
    /// A lasso, if the cycle is not empty.
    pub fn new(prefix: &[Letter], cycle: &[Letter]) -> Option<Lasso> {
        (!cycle.is_empty()).then(|| Lasso { letters: [prefix, cycle].concat(), cycle: prefix.len() })
    }

    /// The letters of prefix and cycle.
    pub fn letters(&self) -> &[Letter] {
        &self.letters
    }

    /// The position after a position.
    pub fn after(&self, position: usize) -> usize {
        if position + 1 < self.letters.len() { position + 1 } else { self.cycle }
    }

    /// Whether the formula holds for the word.
    pub fn satisfies(&self, formula: &Formula) -> bool {
        self.truth(formula)[0]
    }

    /// The truth of a formula at each position.
    fn truth(&self, formula: &Formula) -> Vec<bool> {
        let always = |value| vec![value; self.letters.len()];
        match formula.node() {
            Node::True => always(true),
            Node::False => always(false),
            Node::Atom(atom) => self.letters.iter().map(|&letter| is_true(letter, *atom)).collect(),
            Node::Not(f) => self.truth(f).into_iter().map(|it| !it).collect(),
            Node::And(f, g) => self.pairs(f, g, |f, g| f && g),
            Node::Or(f, g) => self.pairs(f, g, |f, g| f || g),
            Node::Implies(f, g) => self.pairs(f, g, |f, g| !f || g),
            Node::Equivalent(f, g) => self.pairs(f, g, |f, g| f == g),
            Node::Next(f) => {
                let truth = self.truth(f);
                (0..truth.len()).map(|position| truth[self.after(position)]).collect()
            }
            Node::Finally(f) => self.fixed_point(&always(true), &self.truth(f), false, |_, f, later| f || later),
            Node::Globally(f) => self.fixed_point(&always(true), &self.truth(f), true, |_, f, later| f && later),
            Node::Until(f, g) => {
                self.fixed_point(&self.truth(f), &self.truth(g), false, |f, g, later| g || (f && later))
            }
            Node::WeakUntil(f, g) => {
                self.fixed_point(&self.truth(f), &self.truth(g), true, |f, g, later| g || (f && later))
            }
            Node::Release(f, g) => {
                self.fixed_point(&self.truth(f), &self.truth(g), true, |f, g, later| g && (f || later))
            }
            Node::StrongRelease(f, g) => {
                self.fixed_point(&self.truth(f), &self.truth(g), false, |f, g, later| g && (f || later))
            }
        }
    }

    fn pairs(&self, f: &Formula, g: &Formula, combine: impl Fn(bool, bool) -> bool) -> Vec<bool> {
        self.truth(f).into_iter().zip(self.truth(g)).map(|(f, g)| combine(f, g)).collect()
    }

    /// The fixed point of `now = step(f, g, next)`, least if it starts with false, greatest if with true.
    fn fixed_point(&self, f: &[bool], g: &[bool], start: bool, step: impl Fn(bool, bool, bool) -> bool) -> Vec<bool> {
        let mut truth = vec![start; self.letters.len()];
        for _ in 0..2 {
            for position in (0..truth.len()).rev() {
                truth[position] = step(f[position], g[position], truth[self.after(position)]);
            }
        }
        truth
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::parse::parse;

    #[track_caller]
    fn check(text: &str, prefix: &[Letter], cycle: &[Letter], expected: bool) {
        let mut names = Vec::new();
        let formula = parse(text, &mut names).expect("a formula");
        let lasso = Lasso::new(prefix, cycle).expect("a cycle");
        assert_eq!(lasso.satisfies(&formula), expected, "{text}");
    }

    #[test]
    fn operators_mean_what_the_books_say() {
        check("a U b", &[1, 1], &[2], true);
        check("a U b", &[1, 1], &[1], false);
        check("a W b", &[1, 1], &[1], true);
        check("a V b", &[2, 2], &[3, 0], true);
        check("a V b", &[2, 2], &[1], false);
        check("a V b", &[], &[2], true);
        check("a M b", &[], &[2], false);
        check("[]<>a", &[0], &[0, 0, 1], true);
        check("<>[]a", &[0], &[0, 0, 1], false);
        check("X X a", &[0], &[0, 1], true);
        check("X X X a", &[0], &[0, 1], false);
    }

    #[test]
    fn a_word_without_a_cycle_is_not_a_lasso() {
        assert_eq!(Lasso::new(&[1], &[]), None);
    }
}
