//! Implication between terms, decided by their automata.
//!
//! `f` implies `g` exactly if the automaton of `f && !g` accepts nothing. This sees what shapes do not show; Tauriainen, Heljanko, *Testing LTL formula translation into Büchi
//! automata*, STTT 4, 2002, use it to test translators, and Duret-Lutz, *LTL translation improvements in Spot*, VECoS 2011, to simplify formulas. It costs
//! a translation for each question, so only formulas of moderate size are treated [`Care::Thorough`]ly, and automata that grow too large give no answer.
use crate::components::is_empty;
use crate::tableau::{Cut, tableau};
use crate::terms::{Term, TermId, Terms};
use crate::translate::Options;

/// How hard to look for implications.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Care {
    /// By the shape of terms.
    #[default]
    Quick,
    /// Also by their automata.
    Thorough,
}

/// Largest automaton for one question.
const STATES: usize = 60;
/// Largest term, in nodes, that is treated thoroughly.
const NODES: usize = 40;

impl Terms {
    /// The term simplified with all implications that its parts have, if it is not too large.
    pub fn simplified_thoroughly(&mut self, id: TermId) -> TermId {
        if self.nodes_of(id) > NODES {
            return id;
        }
        self.care = Care::Thorough;
        self.simple.clear();
        let simple = self.simplified(id);
        self.care = Care::Quick;
        self.simple.clear();
        simple
    }

    /// Whether every word of `f` is seen to be one of `g`.
    pub(crate) fn is_contained(&mut self, f: TermId, g: TermId) -> bool {
        if let Some(&known) = self.containments.get(&(f, g)) {
            return known;
        }
        let not_g = self.not(g);
        let both = self.and(&[f, not_g]);
        let options = Options { states: STATES, ..Options::default() };
        let automaton = tableau(self, both, self.atoms(), Cut::Products, &options);
        let answer = automaton.is_ok_and(|it| is_empty(&it));
        self.containments.insert((f, g), answer);
        answer
    }

    /// How large a term is, as a tree.
    fn nodes_of(&self, id: TermId) -> usize {
        1 + match self.node(id) {
            Term::True | Term::False | Term::Literal(..) => 0,
            Term::And(parts) | Term::Or(parts) => parts.iter().map(|&it| self.nodes_of(it)).sum(),
            Term::Next(f) => self.nodes_of(*f),
            Term::Until(f, g) | Term::Release(f, g) => self.nodes_of(*f) + self.nodes_of(*g),
        }
    }
}
