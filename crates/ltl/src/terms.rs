//! Formulas as the translation uses them: in negation normal form, each stored once.
//!
//! Only literals, conjunctions and disjunctions of sets, `X`, `U` and `R` are left: `<> f` is `true U f`, `[] f` is `false R f`,
//! `f W g` is `g R (f || g)` and `f M g` is `g U (f && g)`. Equal terms have equal numbers (Ershov, *On programming of arithmetic operations*, 1958, calls
//! this a table of common expressions), so a question about two terms can be remembered under two numbers.
//!
//! The constructors here apply only the laws of sets and constants. The laws of time are in [`crate::rewrite`].
use std::collections::HashMap;

use crate::containment::Care;
use crate::formula::{Formula, Node};
use crate::hash::QuickMap;

/// A term in a table of [`Terms`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct TermId(u32);

/// What a term is made of.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Term {
    /// Always true.
    True,
    /// Never true.
    False,
    /// An atom, and whether it is to be true.
    Literal(u32, bool),
    /// All of at least two, in order of their numbers.
    And(Vec<TermId>),
    /// One of at least two, in order of their numbers.
    Or(Vec<TermId>),
    /// From the next letter on.
    Next(TermId),
    /// Some day the second, the first until then.
    Until(TermId, TermId),
    /// The second up to and including the day of the first, or for ever.
    Release(TermId, TermId),
}

/// The table.
#[derive(Debug)]
pub struct Terms {
    nodes: Vec<Term>,
    numbers: HashMap<Term, TermId>,
    eventual: Vec<bool>,
    universal: Vec<bool>,
    negations: QuickMap<TermId, TermId>,
    pub(crate) implications: QuickMap<(TermId, TermId), bool>,
    pub(crate) containments: QuickMap<(TermId, TermId), bool>,
    pub(crate) simple: QuickMap<TermId, TermId>,
    pub(crate) care: Care,
    atoms: u32,
}

impl Default for Terms {
    fn default() -> Self {
        let mut terms = Terms {
            nodes: Vec::new(),
            numbers: HashMap::new(),
            eventual: Vec::new(),
            universal: Vec::new(),
            negations: QuickMap::default(),
            implications: QuickMap::default(),
            containments: QuickMap::default(),
            simple: QuickMap::default(),
            care: Care::Quick,
            atoms: 0,
        };
        terms.intern(Term::False);
        terms.intern(Term::True);
        terms
    }
}

impl Terms {
    /// The term that is never true.
    pub const FALSE: TermId = TermId(0);
    /// The term that is always true.
    pub const TRUE: TermId = TermId(1);

    /// One more than the greatest atom of all terms.
    pub fn atoms(&self) -> u32 {
        self.atoms
    }

    /// What a term is made of.
    pub fn node(&self, id: TermId) -> &Term {
        &self.nodes[id.0 as usize]
    }

    /// Whether a word keeps the term when letters are put before it: a *pure eventuality*.
    pub fn is_eventual(&self, id: TermId) -> bool {
        self.eventual[id.0 as usize]
    }

    /// Whether a word keeps the term when its first letters are lost: a *purely universal* term.
    pub fn is_universal(&self, id: TermId) -> bool {
        self.universal[id.0 as usize]
    }

    /// Whether only the infinite part of a word matters.
    pub fn is_suspendable(&self, id: TermId) -> bool {
        self.is_eventual(id) && self.is_universal(id)
    }

    pub(crate) fn intern(&mut self, node: Term) -> TermId {
        if let Some(&known) = self.numbers.get(&node) {
            return known;
        }
        let id = TermId(self.nodes.len() as u32);
        self.eventual.push(self.classify(&node, |it| self.is_eventual(it), |f, is_until| is_until && f == Self::TRUE));
        self.universal.push(self.classify(
            &node,
            |it| self.is_universal(it),
            |f, is_until| !is_until && f == Self::FALSE,
        ));
        self.nodes.push(node.clone());
        self.numbers.insert(node, id);
        id
    }

    /// Etessami, Holzmann, *Optimizing Büchi automata*, CONCUR 2000: both classes contain constants and are closed under
    /// everything but literals; `<>` begins one and `[]` the other.
    fn classify(&self, node: &Term, has: impl Fn(TermId) -> bool, begins: impl Fn(TermId, bool) -> bool) -> bool {
        match node {
            Term::True | Term::False => true,
            Term::Literal(..) => false,
            Term::And(parts) | Term::Or(parts) => parts.iter().all(|&it| has(it)),
            Term::Next(f) => has(*f),
            Term::Until(f, g) => begins(*f, true) || (has(*f) && has(*g)),
            Term::Release(f, g) => begins(*f, false) || (has(*f) && has(*g)),
        }
    }

    /// A literal.
    pub fn literal(&mut self, atom: u32, positive: bool) -> TermId {
        self.atoms = self.atoms.max(atom + 1);
        self.intern(Term::Literal(atom, positive))
    }

    /// The conjunction, by the laws of sets.
    pub fn and(&mut self, parts: &[TermId]) -> TermId {
        let mut all = Vec::new();
        for &part in parts {
            match self.node(part) {
                Term::And(inner) => all.extend(inner),
                _ => all.push(part),
            }
        }
        all.retain(|&it| it != Self::TRUE);
        all.sort();
        all.dedup();
        let contradiction = all.iter().any(|&it| it == Self::FALSE || all.binary_search(&self.not(it)).is_ok());
        match all[..] {
            _ if contradiction => Self::FALSE,
            [] => Self::TRUE,
            [only] => only,
            _ => self.intern(Term::And(all)),
        }
    }

    /// The disjunction, by the laws of sets.
    pub fn or(&mut self, parts: &[TermId]) -> TermId {
        let opposite: Vec<TermId> = parts.iter().map(|&it| self.not(it)).collect();
        let none = self.and(&opposite);
        self.not(none)
    }

    /// The negation.
    pub fn not(&mut self, id: TermId) -> TermId {
        if let Some(&known) = self.negations.get(&id) {
            return known;
        }
        let node = match self.node(id).clone() {
            Term::True => Term::False,
            Term::False => Term::True,
            Term::Literal(atom, positive) => Term::Literal(atom, !positive),
            Term::And(parts) => Term::Or(self.all_not(&parts)),
            Term::Or(parts) => Term::And(self.all_not(&parts)),
            Term::Next(f) => Term::Next(self.not(f)),
            Term::Until(f, g) => Term::Release(self.not(f), self.not(g)),
            Term::Release(f, g) => Term::Until(self.not(f), self.not(g)),
        };
        let opposite = self.intern(node);
        self.negations.insert(id, opposite);
        self.negations.insert(opposite, id);
        opposite
    }

    fn all_not(&mut self, parts: &[TermId]) -> Vec<TermId> {
        let mut opposite: Vec<TermId> = parts.iter().map(|&it| self.not(it)).collect();
        opposite.sort();
        opposite
    }

    /// A formula in negation normal form.
    pub fn of_formula(&mut self, formula: &Formula) -> TermId {
        let [f, g] = {
            let mut parts = formula.parts().map(|it| self.of_formula(it));
            let mut part = || parts.next().unwrap_or(Self::TRUE);
            [part(), part()]
        };
        match formula.node() {
            Node::True => Self::TRUE,
            Node::False => Self::FALSE,
            Node::Atom(atom) => self.literal(*atom, true),
            Node::Not(_) => self.not(f),
            Node::And(..) => self.and(&[f, g]),
            Node::Or(..) => self.or(&[f, g]),
            Node::Implies(..) => self.implication(f, g),
            Node::Equivalent(..) => {
                let (there, back) = (self.implication(f, g), self.implication(g, f));
                self.and(&[there, back])
            }
            Node::Next(_) => self.intern(Term::Next(f)),
            Node::Finally(_) => self.intern(Term::Until(Self::TRUE, f)),
            Node::Globally(_) => self.intern(Term::Release(Self::FALSE, f)),
            Node::Until(..) => self.intern(Term::Until(f, g)),
            Node::Release(..) => self.intern(Term::Release(f, g)),
            Node::WeakUntil(..) => {
                let either = self.or(&[f, g]);
                self.intern(Term::Release(g, either))
            }
            Node::StrongRelease(..) => {
                let both = self.and(&[f, g]);
                self.intern(Term::Until(g, both))
            }
        }
    }

    fn implication(&mut self, f: TermId, g: TermId) -> TermId {
        let not_f = self.not(f);
        self.or(&[not_f, g])
    }

    /// A term as a formula.
    pub fn formula(&self, id: TermId) -> Formula {
        let all = |parts: &[TermId], join: fn(Formula, Formula) -> Formula| {
            parts.iter().map(|&it| self.formula(it)).reduce(join).unwrap_or(Formula::constant(true))
        };
        match self.node(id) {
            Term::True => Formula::constant(true),
            Term::False => Formula::constant(false),
            Term::Literal(atom, true) => Formula::atom(*atom),
            Term::Literal(atom, false) => Formula::atom(*atom).negated(),
            Term::And(parts) => all(parts, Formula::and),
            Term::Or(parts) => all(parts, Formula::or),
            Term::Next(f) => self.formula(*f).next(),
            Term::Until(f, g) if *f == Self::TRUE => self.formula(*g).finally(),
            Term::Release(f, g) if *f == Self::FALSE => self.formula(*g).globally(),
            Term::Until(f, g) => self.formula(*f).until(self.formula(*g)),
            Term::Release(f, g) => self.formula(*f).release(self.formula(*g)),
        }
    }
}
