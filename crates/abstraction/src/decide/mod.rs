//! The one question that abstraction asks: in which ways can conditions be true and false *together*?
//!
//! Everything else follows from the answer: which cubes of predicates are consistent, what a statement can make of
//! each, where a condition may be true and where it must be. There are two ways to answer, and they give the same
//! sets: our own ([`blast`] and [`sat`]: every value has 32 bits, so everything is finite), and a solver by pipe ([`smt`]).
mod blast;
mod sat;
mod smt;

use std::collections::BTreeSet;

use model::Type;

use crate::term::{Term, VarId};

pub use smt::is_installed;

/// Which conditions of a list are true.
pub type Truths = Vec<bool>;

/// What is asked.
pub struct Question<'a> {
    /// The type of each variable.
    pub types: &'a dyn Fn(VarId) -> Type,
    /// What is true anyway.
    pub assume: &'a [Term],
    /// The conditions.
    pub conditions: &'a [Term],
    /// The most combinations that are wanted.
    pub most: usize,
}

/// Why there is no answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Failed {
    /// There are more combinations than wanted.
    TooMany(usize),
    /// The solver of somebody else does not work.
    Solver(String),
}

impl Question<'_> {
    fn bound(&self, found: usize) -> Result<(), Failed> {
        if found > self.most { Err(Failed::TooMany(self.most)) } else { Ok(()) }
    }
}

/// Who answers.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Procedure {
    /// Bits and clauses.
    #[default]
    Own,
    /// A program that speaks SMT-LIB: `z3` or `cvc5`.
    Smt(String),
}

impl Procedure {
    /// All combinations of truth values that the conditions can have.
    pub fn feasible(&self, question: &Question<'_>) -> Result<BTreeSet<Truths>, Failed> {
        match self {
            Procedure::Own => own(question),
            Procedure::Smt(program) => smt::feasible(program, question),
        }
    }
}

fn own(question: &Question<'_>) -> Result<BTreeSet<Truths>, Failed> {
    let mut circuit = blast::Circuit::new(question.types);
    for it in question.assume {
        let literal = circuit.condition(it);
        circuit.solver.clause(&[literal]);
    }
    let conditions: Vec<sat::Literal> = question.conditions.iter().map(|it| circuit.condition(it)).collect();
    let mut found = BTreeSet::new();
    while circuit.solver.solve() {
        let truths: Truths = conditions.iter().map(|&it| circuit.solver.is_true(it)).collect();
        let other: Vec<sat::Literal> =
            conditions.iter().zip(&truths).map(|(&it, &is)| if is { !it } else { it }).collect();
        circuit.solver.clause(&other);
        found.insert(truths);
        question.bound(found.len())?;
    }
    Ok(found)
}
