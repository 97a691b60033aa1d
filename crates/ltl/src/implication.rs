//! When the shape of two terms shows that one implies the other.
//!
//! Somenzi, Bloem, *Efficient Büchi automata from LTL formulae*, CAV 2000, call this syntactic implication; Babiak, Křetínský, Řehák, Strejček,
//! *LTL to Büchi automata translation: fast and more deterministic*, TACAS 2012, extend it by pure eventualities and purely universal terms.
//! An answer "yes" is right; an answer "no" means nothing.
use crate::containment::Care;
use crate::terms::{Term, TermId, Terms};

impl Terms {
    /// Whether `f` is seen to imply `g`, with the care that is taken at the moment.
    pub fn implies(&mut self, f: TermId, g: TermId) -> bool {
        self.shows(f, g) || (self.care == Care::Thorough && self.is_contained(f, g))
    }

    /// Whether the shapes show that `f` implies `g`.
    pub fn shows(&mut self, f: TermId, g: TermId) -> bool {
        if f == g || f == Self::FALSE || g == Self::TRUE {
            return true;
        }
        if let Some(&known) = self.implications.get(&(f, g)) {
            return known;
        }
        let answer = self.implies_by_shape(f, g);
        self.implications.insert((f, g), answer);
        answer
    }

    /// Whether both cannot hold together, as far as is seen.
    pub fn excludes(&mut self, f: TermId, g: TermId) -> bool {
        let not_g = self.not(g);
        self.implies(f, not_g)
    }

    fn implies_by_shape(&mut self, f: TermId, g: TermId) -> bool {
        let (left, right) = (self.node(f).clone(), self.node(g).clone());
        match (&left, &right) {
            (_, Term::And(parts)) => return parts.iter().all(|&it| self.shows(f, it)),
            (Term::Or(parts), _) => return parts.iter().all(|&it| self.shows(it, g)),
            _ => {}
        }
        self.left_is_enough(&left, g)
            || self.right_is_enough(f, &right)
            || self.implies_in_step(&left, &right)
            || self.implies_because_of_class(f, &left, g, &right)
    }

    /// Something weaker than `f` already implies `g`.
    fn left_is_enough(&mut self, left: &Term, g: TermId) -> bool {
        match *left {
            Term::And(ref parts) => parts.iter().any(|&it| self.shows(it, g)),
            Term::Until(a, b) => a != Self::TRUE && self.shows(b, g) && self.shows(a, g),
            Term::Release(_, b) => self.shows(b, g),
            _ => false,
        }
    }

    /// Something stronger than `g` is already implied by `f`.
    fn right_is_enough(&mut self, f: TermId, right: &Term) -> bool {
        match *right {
            Term::Or(ref parts) => parts.iter().any(|&it| self.shows(f, it)),
            Term::Until(_, b) => self.shows(f, b),
            Term::Release(a, b) => a != Self::FALSE && self.shows(f, a) && self.shows(f, b),
            _ => false,
        }
    }

    /// Both have the same operator, and their parts imply each other.
    fn implies_in_step(&mut self, left: &Term, right: &Term) -> bool {
        match (left, right) {
            (Term::Next(a), Term::Next(b)) => self.shows(*a, *b),
            (Term::Until(a, b), Term::Until(c, d)) => self.shows(*a, *c) && self.shows(*b, *d),
            (Term::Release(a, b), Term::Release(c, d)) => self.shows(*a, *c) && self.shows(*b, *d),
            _ => false,
        }
    }

    /// A pure eventuality may come later, a universal term holds later too.
    fn implies_because_of_class(&mut self, f: TermId, left: &Term, g: TermId, right: &Term) -> bool {
        let sooner = match *left {
            Term::Until(_, b) | Term::Next(b) => self.is_eventual(g) && self.shows(b, g),
            _ => false,
        };
        sooner
            || match *right {
                Term::Release(_, b) | Term::Next(b) => self.is_universal(f) && self.shows(f, b),
                _ => false,
            }
    }
}
