//! Negations pushed down to atoms.
//!
//! ```text
//! !AX f = EX !f    !AF f = EG !f    !AG f = EF !f    !A[f U g] = E[!g W !f & !g]    !A[f W g] = E[!g U !f & !g]
//! ```
//!
//! and the same with `A` and `E` exchanged (Emerson, Halpern, *Decision procedures and expressiveness in the temporal logic of branching time*, 1985).
//! Restricted quantifiers have the same laws, since a path that ends counts for both. What is left says plainly which parts need one path and which need all.
use crate::formula::{Formula, Node, Path};

impl Formula {
    /// A formula of the same meaning with negations before atoms only, and no `->` and `<->`.
    #[must_use]
    pub fn negation_normal_form(&self) -> Formula {
        normal(self, true)
    }
}

/// The normal form of a formula, or of its negation.
fn normal(formula: &Formula, is_positive: bool) -> Formula {
    let same = |f: &Formula| normal(f, is_positive);
    let opposite = |f: &Formula| normal(f, !is_positive);
    match (formula.node(), is_positive) {
        (Node::True, _) => Formula::constant(is_positive),
        (Node::False, _) => Formula::constant(!is_positive),
        (Node::Atom(_), true) => formula.clone(),
        (Node::Atom(_), false) => formula.clone().negated(),
        (Node::Not(f), _) => opposite(f),
        (Node::And(f, g), true) | (Node::Or(f, g), false) => same(f).and(same(g)),
        (Node::Or(f, g), true) | (Node::And(f, g), false) => same(f).or(same(g)),
        (Node::Implies(f, g), true) => opposite(f).or(same(g)),
        (Node::Implies(f, g), false) => opposite(f).and(same(g)),
        (Node::Equivalent(f, g), _) => {
            let both = same(f).and(normal(g, true));
            both.or(opposite(f).and(normal(g, false)))
        }
        (Node::Path(quantifier, path), true) => Node::Path(quantifier.clone(), path.map(same)).into(),
        (Node::Path(quantifier, path), false) => Node::Path(quantifier.dual(), opposed(path)).into(),
    }
}

/// What a path is like that is not like this.
fn opposed(path: &Path) -> Path {
    let not = |f: &Formula| normal(f, false);
    match path {
        Path::Next(f) => Path::Next(not(f)),
        Path::Finally(f) => Path::Globally(not(f)),
        Path::Globally(f) => Path::Finally(not(f)),
        Path::Until(f, g) => Path::WeakUntil(not(g), not(f).and(not(g))),
        Path::WeakUntil(f, g) => Path::Until(not(g), not(f).and(not(g))),
    }
}

impl Path {
    /// The same of other parts.
    #[must_use]
    pub fn map(&self, mut change: impl FnMut(&Formula) -> Formula) -> Path {
        match self {
            Path::Next(f) => Path::Next(change(f)),
            Path::Finally(f) => Path::Finally(change(f)),
            Path::Globally(f) => Path::Globally(change(f)),
            Path::Until(f, g) => Path::Until(change(f), change(g)),
            Path::WeakUntil(f, g) => Path::WeakUntil(change(f), change(g)),
        }
    }
}
