//! What is possible under each cube of predicates: the best abstract transformer.
//!
//! For a statement, the predicates it can change and those that say anything about the outcome are taken together.
//! With `p` the predicates before and `wp(p)` their weakest preconditions, the best abstraction relates a cube `b` to an
//! outcome `b'` exactly if some concrete state satisfies `p = b` and `wp(p) = b'` (Graf, Saïdi, CAV 1997; Ball,
//! Podelski, Rajamani, TACAS 2001). Inconsistent cubes have no such state, and no outcome.
use std::collections::{BTreeMap, BTreeSet};

use front_promela::ast::{At, BinaryOp, Expr, ExprKind, UnaryOp};
use front_promela::print;

use crate::cover::cover;
use crate::decide::{Failed, Procedure, Question, Truths};
use crate::term::{Term, VarId};
use crate::world::{World, named};

/// A predicate, and the boolean variable that stands for it.
#[derive(Clone, Debug)]
pub struct Known {
    /// The variable.
    pub name: String,
    /// The process type whose variables it is about; `None` for those of everybody.
    pub owner: Option<String>,
    /// What it says.
    pub term: Term,
}

/// Which outcomes are possible under which cubes.
#[derive(Clone, Debug)]
pub struct Best {
    /// What cubes are made of: predicates, and conditions on variables that are kept.
    pub literals: Vec<Expr>,
    /// The cubes of each outcome.
    pub outcomes: BTreeMap<Truths, BTreeSet<Truths>>,
}

impl Best {
    /// The cubes under which some outcome that is wanted is possible.
    pub fn cubes(&self, wanted: impl Fn(&Truths) -> bool) -> BTreeSet<Truths> {
        self.outcomes.iter().filter(|it| wanted(it.0)).flat_map(|it| it.1.iter().cloned()).collect()
    }

    /// A condition that is true for these cubes, and for no other that is consistent.
    pub fn condition(&self, cubes: &BTreeSet<Truths>, at: At) -> Expr {
        let (inside, outside): (Vec<Truths>, Vec<Truths>) =
            self.cubes(|_| true).into_iter().partition(|it| cubes.contains(it));
        let expr = |kind| Expr { kind, at };
        let join = |op, parts: Vec<Expr>, empty| {
            let joined = parts.into_iter().reduce(|a, b| expr(ExprKind::Binary(op, Box::new(a), Box::new(b))));
            joined.unwrap_or_else(|| expr(ExprKind::Number(empty)))
        };
        let literal = |(it, is_true): (&Expr, &Option<bool>)| match is_true {
            Some(true) => Some(it.clone()),
            Some(false) => Some(expr(ExprKind::Unary(UnaryOp::Not, Box::new(it.clone())))),
            None => None,
        };
        let parts = cover(&inside, &outside);
        let conjunction = |part: &Vec<Option<bool>>| {
            join(BinaryOp::And, self.literals.iter().zip(part).filter_map(literal).collect(), 1)
        };
        join(BinaryOp::Or, parts.iter().map(conjunction).collect(), 0)
    }
}

/// Who knows everything that the best abstraction depends on.
pub struct Context<'a> {
    /// Names.
    pub world: &'a World,
    /// Predicates.
    pub predicates: &'a [Known],
    /// Who decides.
    pub procedure: &'a Procedure,
    /// The most combinations.
    pub most: usize,
    /// What is believed.
    pub assumed: &'a [Known],
    /// A deliberate mistake: of several outcomes only one is possible.
    pub forgets_outcomes: bool,
}

impl Context<'_> {
    /// Which of the `outcomes` can be true together under which cubes of the predicates that a process sees.
    pub fn best(&self, process: Option<&str>, atoms: &[Expr], outcomes: &[Term], at: At) -> Result<Best, Failed> {
        let mut literals: Vec<Expr> = Vec::new();
        let mut terms: Vec<Term> = Vec::new();
        let mut seen = BTreeSet::new();
        for atom in atoms.iter().filter(|it| seen.insert(print::expression(it))) {
            terms.push(self.world.value(process, atom, &mut Vec::new()).term);
            literals.push(atom.clone());
        }
        for known in self.relevant(process, outcomes.iter().chain(&terms)) {
            terms.push(known.term.clone());
            literals.push(Expr { kind: ExprKind::Reference(named(&known.name, at)), at });
        }
        let conditions: Vec<Term> = terms.iter().chain(outcomes).cloned().collect();
        let types = |id| self.world.type_of(id);
        let is_near = |it: &&Known| it.owner.is_none() || it.owner.as_deref() == process;
        let assume: Vec<Term> = self.assumed.iter().filter(is_near).map(|it| it.term.clone()).collect();
        let question = Question { types: &types, assume: &assume, conditions: &conditions, most: self.most };
        let mut best = Best { literals, outcomes: BTreeMap::new() };
        for mut truths in self.procedure.feasible(&question)? {
            let outcome = truths.split_off(terms.len());
            if self.forgets_outcomes && !best.cubes(|_| true).is_disjoint(&BTreeSet::from([truths.clone()])) {
                continue;
            }
            best.outcomes.entry(outcome).or_default().insert(truths);
        }
        Ok(best)
    }

    /// The predicates that are connected with the terms by variables.
    fn relevant<'t>(&self, process: Option<&str>, terms: impl Iterator<Item = &'t Term>) -> Vec<&Known> {
        let mut variables: BTreeSet<VarId> = BTreeSet::new();
        terms.for_each(|it| it.variables(&mut |id| _ = variables.insert(id)));
        let mut waiting: Vec<&Known> = self.visible(process).collect();
        let mut found: Vec<&Known> = Vec::new();
        loop {
            let (near, far): (Vec<&Known>, Vec<&Known>) =
                waiting.into_iter().partition(|it| mentions(&it.term, &|id| variables.contains(&id)));
            if near.is_empty() {
                found.sort_by_key(|known| self.predicates.iter().position(|it| it.name == known.name));
                return found;
            }
            near.iter().for_each(|it| it.term.variables(&mut |id| _ = variables.insert(id)));
            found.extend(near);
            waiting = far;
        }
    }

    /// The predicates that a process sees.
    pub fn visible(&self, process: Option<&str>) -> impl Iterator<Item = &Known> {
        self.predicates.iter().filter(move |it| it.owner.is_none() || it.owner.as_deref() == process)
    }
}

/// Whether a term mentions such a variable.
pub fn mentions(term: &Term, test: &dyn Fn(VarId) -> bool) -> bool {
    let mut found = false;
    term.variables(&mut |id| found |= test(id));
    found
}
