//! The operators of branching time on sets of states.
//!
//! Burch, Clarke, McMillan, Dill, Hwang, *Symbolic model checking: 10^20 states and beyond*, LICS 1990:
//!
//! ```text
//! EX f       the states with a step into f
//! E[f U g]   μZ. g ∨ f ∧ EX Z              by a search backward from g within f
//! EG f       νZ. f ∧ EX Z
//! fair EG f  νZ. f ∧ ⋀ EX E[Z U Z ∧ c]     for all constraints c (Emerson, Lei, *Efficient model checking in fragments of the propositional mu-calculus*, LICS 1986)
//! EY f       the states that a step leads to from f
//! ```
//!
//! A greatest fixpoint that is not found soon is looked for among the steps that can be part of a cycle ([`crate::local_cycles`]); a search back from there finds the rest.
//!
//! What is reached has *points*, too, at which a process goes on alone. They are passed through: a step from state to state is a step into the points that
//! lead on to the state, and a search may go through points as it likes. That somebody goes on alone for ever is no path, since the greatest fixpoints
//! are over states alone. Restricted to actions, only the relations of these actions are taken; to stand still is none of them. A state in which nothing can move is its own successor; one in which every step goes wrong has none.
use ctl::Actions;
use diagram::{Function, Relation, Search};

use model::ActionId;

use crate::explore::{Explored, reach};
use crate::local_cycles::cyclic;
use crate::roads::{Alone, Roads, after, before};
use crate::run::Mistake;
use crate::stop::Result;

/// After so many rounds of a greatest fixpoint, cells are asked which steps can be part of a cycle.
const SOON: usize = 1;

/// The steps that a path may have.
pub struct Steps {
    /// Those that lead elsewhere.
    moving: Vec<Relation>,
    /// These, and to stand still if that counts.
    all: Vec<Relation>,
    /// Their actions, if not all steps are meant.
    by: Option<Actions>,
}

/// States, and the steps between them.
pub struct Tree<'e> {
    /// What was explored.
    pub explored: &'e Explored<'e>,
    /// The states.
    pub states: Function,
    /// What is passed through.
    pub points: Function,
    /// The states in which nothing can move.
    pub still: Function,
    /// The steps; the last one is to stand still.
    relations: Vec<Relation>,
    /// Sets that a path has to visit again and again.
    pub constraints: Vec<Function>,
    /// Where such a path begins, if not everywhere.
    fair: Option<Function>,
}

impl<'e> Tree<'e> {
    /// The states of what was explored; all paths count.
    pub fn new(explored: &'e Explored<'e>) -> Result<Tree<'e>> {
        let (system, mistake) = (explored.system, explored.run.plan.mistake);
        let (states, points) = match mistake {
            Some(Mistake::Points) => (explored.reached.clone(), explored.encoding.constant(false)),
            _ => (explored.states()?, explored.reached.minus(&system.rests)?),
        };
        let still = system.stuck(explored.reached)?;
        let loops = if mistake == Some(Mistake::Ends) { explored.encoding.constant(false) } else { still.clone() };
        let mut relations = system.relations.clone();
        relations.push(Relation::new(explored.space(), loops, &[])?);
        Ok(Tree { explored, states, points, still, relations, constraints: Vec::new(), fair: None })
    }

    /// Only paths count that visit each of these sets again and again.
    pub fn restrict(&mut self, mut constraints: Vec<Function>) -> Result<()> {
        if self.explored.run.plan.mistake == Some(Mistake::Constraint) {
            constraints.pop();
        }
        self.constraints = constraints;
        if !self.constraints.is_empty() {
            self.fair = Some(self.globally(&self.steps(None), &self.states)?);
        }
        Ok(())
    }

    /// Those of some states in which a path begins that counts.
    pub fn fairly(&self, set: &Function) -> Result<Function> {
        self.fair.as_ref().map_or(Ok(set.clone()), |fair| Ok(set.and(fair)?))
    }

    /// How to walk by steps of some actions.
    pub fn roads_by<'r>(&'r self, steps: &'r Steps) -> Roads<'r, Alone<'r>> {
        let roads = self.explored.roads();
        Roads { relations: &steps.all, walk: Alone { by: steps.by.as_ref(), ..roads.walk }, ..roads }
    }

    /// The steps of some actions.
    pub fn steps(&self, by: Option<&Actions>) -> Steps {
        let moving = &self.relations[..self.relations.len() - 1];
        let Some(actions) = by else { return Steps { moving: moving.to_vec(), all: self.relations.clone(), by: None } };
        let is_one = |it: &(&Relation, &Option<ActionId>)| actions.contains(it.1.map(|it| it.0));
        let list = moving.iter().zip(&self.explored.system.actions).filter(is_one);
        let chosen: Vec<Relation> = list.map(|it| it.0.clone()).collect();
        Steps { moving: chosen.clone(), all: chosen, by: Some(actions.clone()) }
    }

    /// What leads to a set through others, by steps that lead elsewhere.
    fn backward(&self, by: &Steps, set: &Function, through: &Function) -> Result<Function> {
        let search = Search::backward(self.explored.space(), set, &by.moving).within(through);
        reach(self.explored.run, search)
    }

    /// What a set leads to through others, by steps that lead elsewhere.
    fn forward(&self, by: &Steps, set: &Function, through: &Function) -> Result<Function> {
        let search = Search::forward(self.explored.space(), set, &by.moving).within(through);
        reach(self.explored.run, search)
    }

    // Backward.

    /// `EX`, on paths that need not count.
    pub fn next(&self, by: &Steps, set: &Function) -> Result<Function> {
        let entries = self.backward(by, set, &self.points)?;
        let before = before(self.explored.space(), &by.all, &entries, self.explored.run.pulse)?;
        Ok(before.and(&self.states)?)
    }

    /// `EU`, on paths that need not count.
    pub fn until(&self, by: &Steps, through: &Function, to: &Function) -> Result<Function> {
        Ok(self.backward(by, to, &through.or(&self.points)?)?.and(&self.states)?)
    }

    /// `EG`, on paths that count: what leads to a cycle.
    pub fn globally(&self, by: &Steps, set: &Function) -> Result<Function> {
        let shrink = |by: &Steps, left: &Function| {
            let Some((first, others)) = self.constraints.split_first() else { return self.next(by, left) };
            let again = |it: &Function| self.next(by, &self.until(by, left, &left.and(it)?)?);
            others.iter().try_fold(again(first)?, |left, it| Ok(left.and(&again(it)?)?))
        };
        match self.core(by, set, shrink)? {
            Core::Complete(all) => Ok(all),
            Core::Cycles(cycles) => self.until(by, set, &cycles),
        }
    }

    /// A greatest fixpoint. If it is not found soon, one of the steps that can be part of a cycle, from which the whole can be reached.
    fn core(&self, by: &Steps, set: &Function, shrink: impl Fn(&Steps, &Function) -> Result<Function>) -> Result<Core> {
        let (left, is_stable) = self.greatest(set, SOON, |left| shrink(by, left))?;
        if is_stable {
            return Ok(Core::Complete(left));
        }
        let cyclic = self.cyclic(by)?;
        Ok(Core::Cycles(self.greatest(&left, usize::MAX, |left| shrink(&cyclic, left))?.0))
    }

    /// Only the steps that can be part of a cycle.
    fn cyclic(&self, by: &Steps) -> Result<Steps> {
        let explored = self.explored;
        let (space, layout) = (explored.space(), explored.encoding.layout);
        let moving = cyclic(space, layout, &by.moving, explored.run.pulse)?;
        let still = by.all[by.moving.len()..].iter().cloned();
        Ok(Steps { all: moving.iter().cloned().chain(still).collect(), moving, by: by.by.clone() })
    }

    /// The greatest part of a set that lies in what a function makes of it, if so many rounds are enough; and whether they are.
    fn greatest(
        &self,
        set: &Function,
        rounds: usize,
        shrink: impl Fn(&Function) -> Result<Function>,
    ) -> Result<(Function, bool)> {
        let mut left = set.clone();
        for _ in 0..rounds {
            let smaller = left.and(&shrink(&left)?)?;
            if smaller == left {
                return Ok((left, true));
            }
            left = smaller;
        }
        Ok((left, false))
    }

    // Forward.

    /// `EY`.
    pub fn previous(&self, by: &Steps, set: &Function) -> Result<Function> {
        let exits = self.forward(by, set, &self.points)?;
        let after = after(self.explored.space(), &by.all, &exits, self.explored.run.pulse)?;
        Ok(after.and(&self.states)?)
    }

    /// `FwdUntil`: a set, and what it leads to through another.
    pub fn reached_through(&self, by: &Steps, set: &Function, through: &Function) -> Result<Function> {
        let closed = self.forward(by, &set.and(through)?, &through.or(&self.points)?)?;
        let ends = after(self.explored.space(), &by.moving, &closed, self.explored.run.pulse)?;
        Ok(set.or(&closed)?.or(&ends)?.and(&self.states)?)
    }

    /// What can be reached from a cycle that counts, all within a set.
    pub fn behind_cycles(&self, by: &Steps, set: &Function) -> Result<Function> {
        let shrink = |by: &Steps, left: &Function| {
            let Some((first, others)) = self.constraints.split_first() else { return self.previous(by, left) };
            let again = |it: &Function| {
                let next = self.previous(by, &left.and(it)?)?.and(left)?;
                self.forward(by, &next, &left.or(&self.points)?)
            };
            others.iter().try_fold(again(first)?, |left, it| Ok(left.and(&again(it)?)?))
        };
        match self.core(by, set, shrink)? {
            Core::Complete(all) => Ok(all),
            Core::Cycles(cycles) => Ok(self.forward(by, &cycles, &set.or(&self.points)?)?.and(&self.states)?),
        }
    }
}

/// What came of a greatest fixpoint.
enum Core {
    /// It was found.
    Complete(Function),
    /// A part of it with all its cycles.
    Cycles(Function),
}
