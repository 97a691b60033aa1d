//! A path that shows why a formula holds.
//!
//! ```text
//! E[f U g]   a shortest way through f to g, and then why g holds there
//! EX f       one step, and then why f holds there
//! EG f       a way through f to a cycle of f, and round it for ever
//! f & g      what is about the state alone, and one part that a path shows; the others are said to hold
//! f | g      the one that holds, rather one that a path shows
//! A …        is said to hold: no single path shows it
//! EAG(a) f   to a cycle of f, or to where no step of a is possible
//! ```
//!
//! Clarke, Grumberg, McMillan, Zhao, *Efficient generation of counterexamples and witnesses in symbolic model checking*, DAC 1995. If only fair paths count,
//! a path that has come to its end goes on to a fair cycle.
//!
//! How ways and cycles are found is the business of a [`Country`]: engines keep states and sets of them in different forms.
use crate::formula::{Formula, Node, Path, Quantifier};
use crate::forward::By;

/// States of which it is known where the parts of a formula hold, and the steps between them. Only paths that count are found.
pub trait Country {
    /// A state, and whatever there is to know about the step that led there.
    type Place: Clone;
    /// Why there is no answer.
    type Error;

    /// Whether a formula holds somewhere.
    fn holds(&mut self, formula: &Formula, place: &Self::Place) -> Result<bool, Self::Error>;

    /// A next place by these actions where a formula holds and a path goes on that counts.
    fn next(&mut self, from: &Self::Place, by: &By, formula: &Formula) -> Result<Self::Place, Self::Error>;

    /// The places after one by these actions, through those of one formula, up to the nearest of another from which a path goes on that counts; none if it is there already.
    fn way(
        &mut self,
        from: &Self::Place,
        by: &By,
        through: &Formula,
        to: &Formula,
    ) -> Result<Vec<Self::Place>, Self::Error>;

    /// The places after one up to a cycle that counts, all of a formula and by these actions; and those round it, where the last is the one with which it begins.
    fn round(&mut self, from: &Self::Place, by: &By, within: &Formula) -> Result<Round<Self::Place>, Self::Error>;

    /// Whether not all paths count, but one that begins here does.
    fn must_go_on(&mut self, from: &Self::Place) -> Result<bool, Self::Error>;
}

/// A way to a cycle, and the way round.
pub type Round<Place> = (Vec<Place>, Vec<Place>);

/// A way that shows why a formula holds.
#[derive(Clone, Debug)]
pub struct Way<Place> {
    /// The places, the initial one first.
    pub places: Vec<Place>,
    /// The places from this one on are repeated; the last is the same as it.
    pub cycle: Option<usize>,
    /// What holds where, and whether the way shows it.
    pub remarks: Vec<(usize, Formula, bool)>,
}

/// The way that shows why a formula in negation normal form holds where it begins.
pub fn show<C: Country>(country: &mut C, from: C::Place, formula: &Formula) -> Result<Way<C::Place>, C::Error> {
    let way = Way { places: vec![from.clone()], cycle: None, remarks: Vec::new() };
    let mut guide = Guide { country, here: from, way };
    guide.explain(formula)?;
    // Where no fair path begins, nothing but the state itself can be shown.
    if guide.way.cycle.is_none() && guide.country.must_go_on(&guide.here)? {
        guide.go_round(&None, &Formula::constant(true))?;
    }
    Ok(guide.way)
}

/// Whether a path can show why a formula in negation normal form holds.
pub fn can_be_shown(formula: &Formula) -> bool {
    match formula.node() {
        Node::Path(quantifier, _) => !quantifier.is_universal,
        Node::And(f, g) | Node::Or(f, g) => can_be_shown(f) || can_be_shown(g),
        _ => false,
    }
}

/// Goes from place to place.
struct Guide<'c, C: Country> {
    country: &'c mut C,
    here: C::Place,
    way: Way<C::Place>,
}

impl<C: Country> Guide<'_, C> {
    fn step(&mut self, place: C::Place) {
        self.here = place.clone();
        self.way.places.push(place);
    }

    fn holds(&mut self, formula: &Formula) -> Result<bool, C::Error> {
        self.country.holds(formula, &self.here)
    }

    fn remark(&mut self, formula: &Formula, is_shown: bool) {
        if *formula.node() != Node::True {
            self.way.remarks.push((self.way.places.len() - 1, formula.clone(), is_shown));
        }
    }

    /// Goes on from the last place to show that a formula holds there.
    fn explain(&mut self, formula: &Formula) -> Result<(), C::Error> {
        match formula.node() {
            _ if formula.is_propositional() => self.remark(formula, true),
            Node::Path(quantifier, _) if quantifier.is_universal => self.remark(formula, false),
            Node::Path(quantifier, path) => {
                self.remark(formula, true);
                return self.follow(&quantifier.actions, path);
            }
            Node::And(..) => return self.explain_all(formula),
            Node::Or(f, g) => {
                let other = self.holds(g)? && (!self.holds(f)? || cost(g) < cost(f));
                return self.explain(if other { g } else { f });
            }
            _ => {}
        }
        Ok(())
    }

    fn explain_all(&mut self, formula: &Formula) -> Result<(), C::Error> {
        let mut parts = Vec::new();
        conjuncts(formula, &mut parts);
        let shown = parts.iter().position(|it| cost(it) == 1);
        for (_, part) in parts.iter().enumerate().filter(|it| Some(it.0) != shown) {
            self.remark(part, part.is_propositional());
        }
        shown.map_or(Ok(()), |row| self.explain(&parts[row]))
    }

    fn follow(&mut self, by: &By, path: &Path) -> Result<(), C::Error> {
        match path {
            Path::Next(f) => {
                let next = self.country.next(&self.here, by, f)?;
                self.step(next);
                self.explain(f)
            }
            Path::Finally(f) => self.go(by, &Formula::constant(true), f),
            Path::Until(f, g) => self.go(by, f, g),
            Path::Globally(f) => self.for_ever(by, f),
            Path::WeakUntil(f, g) => {
                let some = Quantifier { is_universal: false, actions: by.clone() };
                let arrives = Formula::path(some, Path::Until(f.clone(), g.clone()));
                if self.holds(&arrives)? { self.go(by, f, g) } else { self.for_ever(by, f) }
            }
        }
    }

    /// By steps of some actions through places of one formula to the nearest of another.
    fn go(&mut self, by: &By, through: &Formula, to: &Formula) -> Result<(), C::Error> {
        for place in self.country.way(&self.here, by, through, to)? {
            self.passed(through);
            self.step(place);
        }
        self.explain(to)
    }

    /// What is passed satisfies a formula; if that is not seen in the state itself, it is said.
    fn passed(&mut self, formula: &Formula) {
        if !formula.is_propositional() {
            self.remark(formula, false);
        }
    }

    fn for_ever(&mut self, by: &By, formula: &Formula) -> Result<(), C::Error> {
        let first = self.way.places.len() - 1;
        if let Some(actions) = by.as_ref().filter(|_| !formula.is_some_step(by)) {
            // A path that ends is as good as one that does not; where there is always a step, there is none that ends.
            let ends = formula.clone().and(Formula::constant(false).all_next_by(actions.clone()));
            let to_an_end = Path::Until(formula.clone(), ends.clone());
            if self.holds(&Formula::path(Quantifier::SOME.by(actions.clone()), to_an_end))? {
                return self.go(by, formula, &ends);
            }
        }
        self.go_round(by, formula)?;
        if !formula.is_propositional() {
            let positions = first..self.way.places.len();
            self.way.remarks.extend(positions.map(|it| (it, formula.clone(), false)));
        }
        Ok(())
    }

    /// By steps of some actions through places of a formula to a cycle of them, and round.
    fn go_round(&mut self, by: &By, within: &Formula) -> Result<(), C::Error> {
        let (way, round) = self.country.round(&self.here, by, within)?;
        way.into_iter().for_each(|it| self.step(it));
        self.way.cycle = Some(self.way.places.len() - 1);
        round.into_iter().for_each(|it| self.step(it));
        Ok(())
    }
}

/// 0 if it is about the state alone, 1 if a path shows it, 2 if none does.
fn cost(formula: &Formula) -> u8 {
    match formula.node() {
        _ if formula.is_propositional() => 0,
        Node::Path(quantifier, _) => 1 + u8::from(quantifier.is_universal),
        Node::And(f, g) => cost(f).max(cost(g)),
        Node::Or(f, g) => cost(f).min(cost(g)),
        _ => 2,
    }
}

fn conjuncts(formula: &Formula, parts: &mut Vec<Formula>) {
    match formula.node() {
        Node::And(f, g) => {
            conjuncts(f, parts);
            conjuncts(g, parts);
        }
        _ => parts.push(formula.clone()),
    }
}
