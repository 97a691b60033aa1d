//! Formulas of linear temporal logic, as they are written.
//!
//! Pnueli, *The temporal logic of programs*, FOCS 1977. A formula speaks about an infinite word of letters, a letter says which
//! atoms are true. `X f`: `f` holds from the next letter on; `f U g`: some day `g`, and `f` until then; `f V g` (release): `g` up to and
//! including the day of `f`, or for ever; `f W g`: `U` or for ever `f`; `f M g`: `V`, and `f` some day.
//!
//! A [`Formula`] is a shared tree and cheap to clone. What the translation works with is [`crate::terms`].
use std::fmt;
use std::sync::Arc;

/// A formula.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Formula(Arc<Node>);

/// What a formula is made of.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Node {
    /// Holds for every word.
    True,
    /// Holds for no word.
    False,
    /// The atom is true in the first letter.
    Atom(u32),
    /// `!f`
    Not(Formula),
    /// `f && g`
    And(Formula, Formula),
    /// `f || g`
    Or(Formula, Formula),
    /// `f -> g`
    Implies(Formula, Formula),
    /// `f <-> g`
    Equivalent(Formula, Formula),
    /// `X f`
    Next(Formula),
    /// `<> f`
    Finally(Formula),
    /// `[] f`
    Globally(Formula),
    /// `f U g`
    Until(Formula, Formula),
    /// `f V g`
    Release(Formula, Formula),
    /// `f W g`
    WeakUntil(Formula, Formula),
    /// `f M g`
    StrongRelease(Formula, Formula),
}

macro_rules! constructors {
    (unary: $($one:ident $one_node:ident $one_doc:literal)*; binary: $($two:ident $two_node:ident $two_doc:literal)*) => {
        impl Formula {
            $(#[doc = $one_doc] #[must_use] pub fn $one(self) -> Formula { Node::$one_node(self).into() })*
            $(#[doc = $two_doc] #[must_use] pub fn $two(self, other: Formula) -> Formula { Node::$two_node(self, other).into() })*
        }
    };
}

constructors! {
    unary:
        negated Not "`!self`"
        next Next "`X self`"
        finally Finally "`<> self`"
        globally Globally "`[] self`";
    binary:
        and And "`self && other`"
        or Or "`self || other`"
        implies Implies "`self -> other`"
        equivalent Equivalent "`self <-> other`"
        until Until "`self U other`"
        release Release "`self V other`"
        weak_until WeakUntil "`self W other`"
        strong_release StrongRelease "`self M other`"
}

impl From<Node> for Formula {
    fn from(node: Node) -> Formula {
        Formula(Arc::new(node))
    }
}

impl std::ops::Not for Formula {
    type Output = Formula;
    fn not(self) -> Formula {
        self.negated()
    }
}

impl Formula {
    /// `true` or `false`.
    pub fn constant(value: bool) -> Formula {
        if value { Node::True.into() } else { Node::False.into() }
    }

    /// An atom.
    pub fn atom(atom: u32) -> Formula {
        Node::Atom(atom).into()
    }

    /// What it is made of.
    pub fn node(&self) -> &Node {
        &self.0
    }

    /// Its parts, none, one or two.
    pub fn parts(&self) -> impl Iterator<Item = &Formula> {
        let (first, second) = match self.node() {
            Node::True | Node::False | Node::Atom(_) => (None, None),
            Node::Not(f) | Node::Next(f) | Node::Finally(f) | Node::Globally(f) => (Some(f), None),
            Node::And(f, g) | Node::Or(f, g) | Node::Implies(f, g) | Node::Equivalent(f, g) => (Some(f), Some(g)),
            Node::Until(f, g) | Node::Release(f, g) | Node::WeakUntil(f, g) | Node::StrongRelease(f, g) => {
                (Some(f), Some(g))
            }
        };
        first.into_iter().chain(second)
    }

    /// One more than the greatest atom in it.
    pub fn atoms(&self) -> u32 {
        match self.node() {
            Node::Atom(atom) => atom + 1,
            _ => self.parts().map(Formula::atoms).max().unwrap_or(0),
        }
    }

    /// How many operators there are, counted as in the text.
    pub fn operators(&self) -> usize {
        let own = usize::from(!matches!(self.node(), Node::True | Node::False | Node::Atom(_)));
        own + self.parts().map(Formula::operators).sum::<usize>()
    }

    /// Whether there is an `X` in it. Without, stuttering is not noticed (Lamport 1983).
    pub fn has_next(&self) -> bool {
        matches!(self.node(), Node::Next(_)) || self.parts().any(Formula::has_next)
    }

    /// Negations before atoms only, and no `->`, `<->`, `<>`, `[]`, `W` and `M`.
    #[must_use]
    pub fn negation_normal_form(&self) -> Formula {
        let mut terms = crate::terms::Terms::default();
        let term = terms.of_formula(self);
        terms.formula(term)
    }

    /// A formula of the same meaning that is mostly shorter; see [`crate::rewrite`].
    #[must_use]
    pub fn simplified(&self) -> Formula {
        let mut terms = crate::terms::Terms::default();
        let term = terms.of_formula(self);
        let simple = terms.simplified(term);
        terms.formula(simple)
    }

    /// In SPIN's syntax, with full parentheses. Atoms without a name are called `p0`, `p1` …
    pub fn text(&self, names: &[String]) -> String {
        let inner = |f: &Formula| f.text(names);
        let two = |f: &Formula, operator, g: &Formula| format!("({} {operator} {})", inner(f), inner(g));
        match self.node() {
            Node::True => "true".to_string(),
            Node::False => "false".to_string(),
            Node::Atom(atom) => names.get(*atom as usize).cloned().unwrap_or_else(|| format!("p{atom}")),
            Node::Not(f) => format!("!{}", inner(f)),
            Node::Next(f) => format!("X {}", inner(f)),
            Node::Finally(f) => format!("<>{}", inner(f)),
            Node::Globally(f) => format!("[]{}", inner(f)),
            Node::And(f, g) => two(f, "&&", g),
            Node::Or(f, g) => two(f, "||", g),
            Node::Implies(f, g) => two(f, "->", g),
            Node::Equivalent(f, g) => two(f, "<->", g),
            Node::Until(f, g) => two(f, "U", g),
            Node::Release(f, g) => two(f, "V", g),
            Node::WeakUntil(f, g) => two(f, "W", g),
            Node::StrongRelease(f, g) => two(f, "M", g),
        }
    }
}

impl fmt::Display for Formula {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        to.write_str(&self.text(&[]))
    }
}

impl fmt::Debug for Formula {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, to)
    }
}
