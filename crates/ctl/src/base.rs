//! Formulas over `EX`, `EU` and `EG`, each part once.
//!
//! Three operators are enough (Clarke, Emerson, Sistla, *Automatic verification of finite-state concurrent systems using temporal logic specifications*,
//! TOPLAS 8(2), 1986):
//!
//! ```text
//! AX f = !EX !f      EF f = E[true U f]      AF f = !EG !f      AG f = !E[true U !f]
//! A[f U g] = !(E[!g U !f & !g] | EG !g)      A[f W g] = !E[!g U !f & !g]      E[f W g] = E[f U g] | EG f
//! ```
//!
//! These hold for fair paths as they hold for all, and for paths that are restricted to actions. Of the latter some end, and
//! `EAG(a) f = EA(a)[f U f & !EAX(a) true] | EG f by steps of a for ever`. The parts are a list in which each stands behind those it is made of, so that whoever
//! computes the states in which they hold goes through the list once.
use std::collections::HashMap;

use crate::actions::Actions;
use crate::formula::{Formula, Node, Path};

/// The row of a part.
pub type Row = usize;

/// Which steps a path may have: all, or those of a set of actions, by its row in [`Base::restrictions`].
pub type By = Option<usize>;

/// A part of a formula.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Part {
    /// Holds everywhere.
    True,
    /// The atom is true.
    Atom(u32),
    /// The part of a row does not hold.
    Not(Row),
    /// Both hold.
    And(Row, Row),
    /// One of both holds.
    Or(Row, Row),
    /// `EX`: it holds in some next state.
    Next(By, Row),
    /// `EU`: on some path, the second holds in some state, and the first until then.
    Until(By, Row, Row),
    /// `EG`: on some path that goes on for ever, it holds in all states.
    Globally(By, Row),
}

/// Formulas, all parts of them in one list.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Base {
    parts: Vec<Part>,
    rows: HashMap<Part, Row>,
    restrictions: Vec<Actions>,
}

impl Base {
    /// The parts, each behind those it is made of.
    pub fn parts(&self) -> &[Part] {
        &self.parts
    }

    /// The sets of actions to which paths are restricted.
    pub fn restrictions(&self) -> &[Actions] {
        &self.restrictions
    }

    /// The actions of a restriction.
    pub fn actions(&self, by: By) -> Option<&Actions> {
        by.map(|row| &self.restrictions[row])
    }

    fn by(&mut self, actions: Option<&Actions>) -> By {
        let actions = actions?;
        let known = self.restrictions.iter().position(|it| it == actions);
        Some(known.unwrap_or_else(|| {
            self.restrictions.push(actions.clone());
            self.restrictions.len() - 1
        }))
    }

    /// Adds a formula; returns its row.
    pub fn add(&mut self, formula: &Formula) -> Row {
        match formula.node() {
            Node::True => self.part(Part::True),
            Node::False => self.not_of(Part::True),
            Node::Atom(atom) => self.part(Part::Atom(*atom)),
            Node::Not(f) => {
                let f = self.add(f);
                self.not(f)
            }
            Node::And(f, g) => {
                let (f, g) = (self.add(f), self.add(g));
                self.part(Part::And(f, g))
            }
            Node::Or(f, g) => {
                let (f, g) = (self.add(f), self.add(g));
                self.part(Part::Or(f, g))
            }
            Node::Implies(f, g) => {
                let (f, g) = (self.add(f), self.add(g));
                let not = self.not(f);
                self.part(Part::Or(not, g))
            }
            Node::Equivalent(f, g) => {
                let (f, g) = (self.add(f), self.add(g));
                self.equivalent(f, g)
            }
            Node::Path(quantifier, path) => {
                let by = self.by(quantifier.actions.as_ref());
                if quantifier.is_universal { self.on_all_paths(by, path) } else { self.on_some_path(by, path) }
            }
        }
    }

    fn on_some_path(&mut self, by: By, path: &Path) -> Row {
        match path {
            Path::Next(f) => {
                let f = self.add(f);
                self.part(Part::Next(by, f))
            }
            Path::Finally(f) => {
                let (always, f) = (self.part(Part::True), self.add(f));
                self.part(Part::Until(by, always, f))
            }
            Path::Globally(f) => {
                let f = self.add(f);
                self.for_ever(by, f)
            }
            Path::Until(f, g) => {
                let (f, g) = (self.add(f), self.add(g));
                self.part(Part::Until(by, f, g))
            }
            Path::WeakUntil(f, g) => {
                let (f, g) = (self.add(f), self.add(g));
                let (until, globally) = (self.part(Part::Until(by, f, g)), self.for_ever(by, f));
                self.part(Part::Or(until, globally))
            }
        }
    }

    fn on_all_paths(&mut self, by: By, path: &Path) -> Row {
        match path {
            Path::Next(f) => {
                let not = self.not_added(f);
                self.not_of(Part::Next(by, not))
            }
            Path::Finally(f) => {
                let not = self.not_added(f);
                let globally = self.for_ever(by, not);
                self.not(globally)
            }
            Path::Globally(f) => {
                let (always, not) = (self.part(Part::True), self.not_added(f));
                self.not_of(Part::Until(by, always, not))
            }
            Path::Until(f, g) => {
                let (never, missed) = (self.not_added(g), self.missed(by, f, g));
                let globally = self.for_ever(by, never);
                self.not_of(Part::Or(missed, globally))
            }
            Path::WeakUntil(f, g) => {
                let missed = self.missed(by, f, g);
                self.not(missed)
            }
        }
    }

    /// On a path that goes on for ever, or on a restricted one up to its end.
    fn for_ever(&mut self, by: By, f: Row) -> Row {
        if by.is_none() {
            return self.part(Part::Globally(by, f));
        }
        let always = self.part(Part::True);
        if self.parts[f] == Part::Next(by, always) {
            // As long as there is a step, there is no end.
            return self.part(Part::Globally(by, always));
        }
        let ends = self.not_of(Part::Next(by, always));
        let last = self.part(Part::And(f, ends));
        let (ending, endless) = (self.part(Part::Until(by, f, last)), self.part(Part::Globally(by, f)));
        self.part(Part::Or(ending, endless))
    }

    /// `E[!g U !f & !g]`
    fn missed(&mut self, by: By, f: &Formula, g: &Formula) -> Row {
        let (not_f, not_g) = (self.not_added(f), self.not_added(g));
        let neither = self.part(Part::And(not_f, not_g));
        self.part(Part::Until(by, not_g, neither))
    }

    fn equivalent(&mut self, f: Row, g: Row) -> Row {
        let (not_f, not_g) = (self.not(f), self.not(g));
        let (both, neither) = (self.part(Part::And(f, g)), self.part(Part::And(not_f, not_g)));
        self.part(Part::Or(both, neither))
    }

    fn not_added(&mut self, formula: &Formula) -> Row {
        let row = self.add(formula);
        self.not(row)
    }

    fn not_of(&mut self, part: Part) -> Row {
        let row = self.part(part);
        self.not(row)
    }

    fn not(&mut self, row: Row) -> Row {
        match self.parts[row] {
            Part::Not(inner) => inner,
            _ => self.part(Part::Not(row)),
        }
    }

    fn part(&mut self, part: Part) -> Row {
        let next = self.parts.len();
        let row = *self.rows.entry(part).or_insert(next);
        if row == next {
            self.parts.push(part);
        }
        row
    }
}
