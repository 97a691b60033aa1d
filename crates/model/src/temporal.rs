//! Properties of whole executions.
//!
//! A *formula* says what every execution must be like (Pnueli, *The temporal logic of programs*, 1977). A *claim* is an automaton that
//! accepts the executions that must not be (Vardi, Wolper, 1986): it moves before every step of the system, and only along edges whose
//! condition is true at that moment; if the system stands still, it goes on alone. An execution is forbidden if the claim can take edges of
//! each of its sets again and again, or reaches its end.
//!
//! A *branching* formula says what is possible, in every state anew (Clarke, Emerson 1981).
//!
//! All name conditions by their rows in [`TemporalProperty::observes`].
use text::Span;

use crate::Expr;

/// A property of whole executions.
#[derive(Clone, Debug)]
pub struct TemporalProperty {
    /// Its name.
    pub name: String,
    /// What it says.
    pub meaning: Meaning,
    /// The conditions at which it looks; they belong to no process.
    pub observes: Vec<Expr>,
    /// Where it is stated.
    pub span: Span,
}

/// What a property says.
#[derive(Clone, Debug)]
pub enum Meaning {
    /// What every execution must be like.
    Formula(Formula),
    /// What no execution may be like.
    Claim(Claim),
    /// What is possible and what is inevitable from the initial state on.
    Branching(Branching),
}

/// A property of the tree of all executions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Branching {
    /// The formula; its atoms are conditions by their rows. Those that are not below the same temporal operators are one.
    pub formula: ctl::Formula,
    /// Conditions that are true again and again on the paths that count, by their rows.
    pub fairness: Vec<u32>,
    /// The conditions as they are written, by their rows.
    pub texts: Vec<String>,
}

/// A formula of linear temporal logic.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs)]
pub enum Formula {
    /// A condition, by its row.
    Atom(u32),
    Not(Box<Formula>),
    And(Box<Formula>, Box<Formula>),
    Or(Box<Formula>, Box<Formula>),
    Implies(Box<Formula>, Box<Formula>),
    Equivalent(Box<Formula>, Box<Formula>),
    Next(Box<Formula>),
    Always(Box<Formula>),
    Eventually(Box<Formula>),
    Until(Box<Formula>, Box<Formula>),
    Release(Box<Formula>, Box<Formula>),
    WeakUntil(Box<Formula>, Box<Formula>),
}

/// An automaton that moves along with the system.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Claim {
    /// Where it begins.
    pub entry: u32,
    /// Where it can be.
    pub locations: Vec<ClaimLocation>,
    /// How many sets of edges there are.
    pub sets: u32,
    /// If the system stands still, nothing is forbidden.
    pub only_moving: bool,
}

/// A place of a claim.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ClaimLocation {
    /// Ways out of it.
    pub edges: Vec<ClaimEdge>,
}

/// A move of a claim.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ClaimEdge {
    /// It can be taken if one of these is true.
    pub label: Vec<Cube>,
    /// Where it leads; `None` to the end, where the execution is forbidden whatever comes.
    pub target: Option<u32>,
    /// The sets it belongs to, one bit each.
    pub sets: u32,
    /// Conditions that should be true when it is taken.
    pub asserts: Vec<(u32, Span)>,
    /// The statements that it stands for, with the numbers of [`Edge::statement`](crate::Edge::statement); none if no text has them.
    pub statements: Vec<u32>,
}

/// Conditions that must be true together; looked at in this order.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Cube(pub Vec<Literal>);

/// A condition or its opposite.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Literal {
    /// The condition, by its row.
    pub row: u32,
    /// Whether it has to be true.
    pub is_true: bool,
}

impl Claim {
    /// Whether an edge is one of those that have to be taken again and again, for one set.
    pub fn is_accepting(&self, location: u32) -> bool {
        let edges = &self.locations[location as usize].edges;
        !edges.is_empty() && edges.iter().all(|it| it.sets & 1 == 1)
    }
}

impl Formula {
    /// Calls `visit` for the formulas it is made of.
    pub fn parts<'a>(&'a self, visit: &mut dyn FnMut(&'a Formula)) {
        use Formula::*;
        match self {
            Atom(_) => {}
            Not(it) | Next(it) | Always(it) | Eventually(it) => visit(it),
            And(left, right) | Or(left, right) | Implies(left, right) | Equivalent(left, right) => {
                visit(left);
                visit(right);
            }
            Until(left, right) | Release(left, right) | WeakUntil(left, right) => {
                visit(left);
                visit(right);
            }
        }
    }

    /// Whether it speaks of the next moment.
    pub fn has_next(&self) -> bool {
        let mut found = matches!(self, Formula::Next(_));
        self.parts(&mut |it| found |= it.has_next());
        found
    }
}
