//! Evidence about branching time: a path, and what is said to hold on it.
//!
//! The formula is evaluated on the states of the path, where `E` means *on this path*: what holds so holds in the tree, too. Conditions are asked of the states; a part that
//! is about more paths than one counts only where the evidence says that it holds, and the reader is told so. Nothing that is said to hold helps
//! another part than itself. Whether a step of the path has an action, and whether none of some actions is possible where the path ends, say the semantics.
use ctl::{Actions, Formula, Node, Path};
use engine::{BranchingProperty, Evidence, Fairness, Trace, Violation, ViolationKind};
use model::semantics::{Forbidden, Semantics, State};

use crate::behaviour::{Behaviour, closed, walked};
use crate::replay::{Rejected, Replay, Walk, can_move, rest};

/// Checks that evidence is a behaviour of the system that shows why the property is true, or why it is not.
///
/// A cycle may have to be taken several times before it closes, as in [`crate::replay_temporal`].
pub fn replay_branching(
    system: &Semantics<'_>,
    evidence: &Evidence,
    property: BranchingProperty<'_>,
    is_true: bool,
) -> Result<(Replay, Trace), Rejected> {
    let formula = property.branching.formula.clone();
    let shown = if is_true { formula } else { formula.negated() }.negation_normal_form();
    let (states, trace) = walked(system, &evidence.trace)?;
    let behaviour = Behaviour::new(system, &states, &trace).ok_or(Rejected::NotAViolation)?;
    let path = Shown { behaviour: &behaviour, is_infinite: trace.cycle.is_some(), property, evidence };
    if evidence.formula == shown && path.counts() && path.values(&shown)[0] {
        // What is said of positions has been believed where they are; the reader sees the cycle as early as it begins.
        let (states, trace) = closed(system, &evidence.trace)?;
        Ok((Replay { states }, trace))
    } else {
        Err(Rejected::NotAViolation)
    }
}

/// Checks that a condition of a property cannot be computed at the end of a trace.
pub fn replay_fault(
    system: &Semantics<'_>,
    violation: &Violation,
    property: BranchingProperty<'_>,
) -> Result<Replay, Rejected> {
    let ViolationKind::Forbidden(Forbidden::Fault(fault)) = violation.kind else { return Err(Rejected::NotAViolation) };
    let walk = Walk::along(system, &violation.trace.steps)?;
    let last = rest(system, walk.states.last().ok_or(Rejected::NotAViolation)?);
    let stands_still = !can_move(system, &last);
    let fails = |it: &model::Expr| system.holds(&last, it, stands_still) == Err(fault);
    match last.exclusive.is_none() && property.conditions.iter().any(fails) {
        true => Ok(Replay { states: walk.states }),
        false => Err(Rejected::NotAViolation),
    }
}

/// A path, and what is said of it.
struct Shown<'a> {
    behaviour: &'a Behaviour<'a>,
    is_infinite: bool,
    property: BranchingProperty<'a>,
    evidence: &'a Evidence,
}

impl Shown<'_> {
    /// Whether it is one of the paths that the property is about.
    fn counts(&self) -> bool {
        let BranchingProperty { branching, fairness, .. } = self.property;
        let is_restricted = fairness != Fairness::None || !branching.fairness.is_empty();
        if !self.is_infinite {
            // What is cut off may not have a fair end.
            return !is_restricted || self.evidence.trace.steps.is_empty();
        }
        let cycle = self.behaviour.cycle..self.behaviour.states.len();
        let again = |&row: &u32| cycle.clone().any(|it| self.condition(row, it) == Some(true));
        self.behaviour.is_fair(fairness) && branching.fairness.iter().all(again)
    }

    /// Whether a condition is true somewhere; nothing if it cannot be computed.
    fn condition(&self, row: u32, position: usize) -> Option<bool> {
        let condition = &self.property.conditions[row as usize];
        let still = self.behaviour.stands_still(position);
        self.behaviour.system.holds(&self.behaviour.states[position], condition, still).ok()
    }

    fn after(&self, position: usize) -> Option<usize> {
        let last = self.behaviour.states.len() - 1;
        (position < last || self.is_infinite).then(|| self.behaviour.after(position))
    }

    /// Per state of the path: whether a formula in negation normal form holds on the path from there on.
    fn values(&self, formula: &Formula) -> Vec<bool> {
        let all = || 0..self.behaviour.states.len();
        let both = |f, g, join: fn(bool, bool) -> bool| -> Vec<bool> {
            self.values(f).into_iter().zip(self.values(g)).map(|(f, g)| join(f, g)).collect()
        };
        let mut values = match formula.node() {
            Node::True => all().map(|_| true).collect(),
            Node::Atom(row) => all().map(|it| self.condition(*row, it) == Some(true)).collect(),
            Node::Not(inner) => match inner.node() {
                Node::Atom(row) => all().map(|it| self.condition(*row, it) == Some(false)).collect(),
                _ => all().map(|_| false).collect(),
            },
            Node::And(f, g) => both(f, g, |f, g| f && g),
            Node::Or(f, g) => both(f, g, |f, g| f || g),
            Node::Path(quantifier, path) if !quantifier.is_universal => self.on_path(quantifier.actions.as_ref(), path),
            _ => all().map(|_| false).collect(),
        };
        for remark in self.evidence.remarks.iter().filter(|it| !it.is_shown && it.formula == *formula) {
            values.get_mut(remark.position).into_iter().for_each(|it| *it = true);
        }
        values
    }

    /// The state after one on the path, if a step of these actions leads there.
    fn after_by(&self, by: Option<&Actions>, position: usize) -> Option<usize> {
        let next = self.after(position)?;
        let Some(actions) = by else { return Some(next) };
        let there = self.behaviour.states[next].identity();
        self.some_step(actions, position, |to| to.identity() == there).then_some(next)
    }

    /// Whether a step of these actions leads from a state of the path to such a state.
    fn some_step(&self, actions: &Actions, position: usize, is_such: impl Fn(&State) -> bool) -> bool {
        let (system, from) = (self.behaviour.system, &self.behaviour.states[position]);
        let mut found = false;
        system.moves(from, &mut |it| {
            let is_one = || actions.contains(system.action(from, it.step).map(|it| it.0));
            found |= it.next.is_some_and(&is_such) && is_one();
        });
        found
    }

    /// Whether a path by these actions ends in a state.
    fn ends(&self, by: Option<&Actions>, position: usize) -> bool {
        by.is_some_and(|actions| !self.some_step(actions, position, |_| true))
    }

    fn on_path(&self, by: Option<&Actions>, path: &Path) -> Vec<bool> {
        match path {
            Path::Next(f) => {
                let f = self.values(f);
                (0..f.len()).map(|it| self.after_by(by, it).is_some_and(|next| f[next])).collect()
            }
            Path::Finally(f) => self.fixpoint(by, false, &vec![true; self.behaviour.states.len()], &self.values(f)),
            Path::Until(f, g) => self.fixpoint(by, false, &self.values(f), &self.values(g)),
            Path::Globally(f) => self.fixpoint(by, true, &self.values(f), &vec![false; self.behaviour.states.len()]),
            Path::WeakUntil(f, g) => self.fixpoint(by, true, &self.values(f), &self.values(g)),
        }
    }

    /// `Z = g ∨ f ∧ X Z`, the greatest or the least. Once round the cycle, and once more, is enough.
    fn fixpoint(&self, by: Option<&Actions>, greatest: bool, f: &[bool], g: &[bool]) -> Vec<bool> {
        let mut values = vec![greatest; f.len()];
        for position in (0..f.len()).rev().chain((0..f.len()).rev()) {
            let next = self.after_by(by, position).is_some_and(|it| values[it]) || greatest && self.ends(by, position);
            values[position] = g[position] || f[position] && next;
        }
        values
    }
}
