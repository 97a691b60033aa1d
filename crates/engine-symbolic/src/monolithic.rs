//! All steps as one relation, and how large it is in two orders of variables.
//!
//! Enders, Filkorn, Taubner, *Generating BDDs for symbolic model checking in CCS*, 1993; fwduntilpor-2008 §6 and table 1. A relation `T(a, s, s')` of actions, states and next states can have its variables
//! *interlaced*, `a < s1 < s1' < s2 < s2' < …`, or *apart*, `a < s1 < s2 < … < s1' < s2' < …`. A step leaves most bits as they are; apart, the diagram has to remember all of them until it comes to the next values.
//!
//! From all states the relation that is apart has no room for one drill already; there steps are those from reachable states. Interlaced, both can be built, and a third: the relation `T(s, s')` of states alone, which
//! does not say which action it is. Its size is linear in the number of components: above the bits of the one that moves all bits stay, and below it all bits stay. With actions on top the part *above* is there
//! once for each action, so that components with actions of their own make it quadratic.
//!
//! The disjunction is balanced: steps are joined in pairs, pairs in fours and so on, so that no step meets all steps before it.
//!
//! The engine itself needs no such relation: it has one for each kind of step, over the bits that the step touches, always interlaced. This is here for the comparison.
use std::collections::BTreeSet;

use diagram::{Function, Space, Which};
use engine::{Limits, Watch};
use model::Model;

use crate::cell::bits_for;
use crate::explore::{Explored, explore};
use crate::run::{NODE, Plan, Run, watched};
use crate::stop::{Result, Stop};

/// Where next values stand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Places {
    /// Each behind its current value.
    Interlaced,
    /// Behind all current values.
    Apart,
}

/// What the relation of all steps says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shape {
    /// Where next values stand.
    pub places: Places,
    /// Only steps from states that can be reached.
    pub is_reachable: bool,
    /// Which action a step has is part of it.
    pub has_actions: bool,
}

/// How large a relation is, or how far it came.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Size {
    /// The nodes of the relation; if it is not whole, of all that was built of it.
    pub nodes: usize,
    /// How many kinds of steps it has taken in.
    pub steps: usize,
    /// How many there are.
    pub all_steps: usize,
}

impl Size {
    /// Whether all steps are there.
    pub fn is_whole(&self) -> bool {
        self.steps == self.all_steps
    }
}

/// The size of the relation of all steps; nothing if there is not even room or time to find the states.
pub fn relation_size(model: &Model, shape: Shape, limits: &Limits, watch: &mut dyn Watch) -> Option<Size> {
    let began = std::time::Instant::now();
    let answer = watched(limits, watch, |pulse| {
        let run = Run { model, limits, plan: Plan::default(), pulse, began, places: 0 };
        explore(&run, &mut |explored| size(explored, shape))
    });
    answer.ok()
}

fn size(explored: &Explored<'_>, shape: Shape) -> Result<Size> {
    let builder = Builder::new(explored, shape);
    builder.wide.run(|| {
        let (all_steps, mut sum, mut steps) = (explored.system.relations.len(), Sum::default(), 0);
        while steps < all_steps && builder.step(steps).and_then(|step| sum.add(step)).is_ok() {
            steps += 1;
            explored.run.pulse.tell(steps as u64, builder.wide.tidy() as u64 * NODE);
        }
        match sum.total(&builder.wide) {
            Ok(all) if steps == all_steps => Ok(Size { nodes: all.nodes(), steps, all_steps }),
            _ => Ok(Size { nodes: builder.wide.nodes(), steps: steps.min(all_steps - 1), all_steps }),
        }
    })
}

/// A disjunction whose parts are joined with others of the same weight.
#[derive(Default)]
struct Sum {
    /// Each with how many steps it has, twice as many as the next one or more.
    parts: Vec<(usize, Function)>,
}

impl Sum {
    fn add(&mut self, step: Function) -> Result<()> {
        let mut part = (1, step);
        while let Some((weight, last)) = self.parts.pop_if(|it| it.0 <= part.0) {
            part = (weight + part.0, last.or(&part.1)?);
        }
        self.parts.push(part);
        Ok(())
    }

    fn total(mut self, space: &Space) -> Result<Function> {
        let mut all = space.constant(false);
        while let Some((_, part)) = self.parts.pop() {
            all = part.or(&all)?;
        }
        Ok(all)
    }
}

/// What it takes to build the relation of one step over all bits.
struct Builder<'e> {
    explored: &'e Explored<'e>,
    shape: Shape,
    wide: Space,
    /// Bits of the action.
    actions: usize,
    /// Per bit: its place in the order.
    positions: Vec<usize>,
    /// Bits that steps change: what no step ever changes need not be said to stay.
    changing: BTreeSet<usize>,
}

impl<'e> Builder<'e> {
    fn new(explored: &'e Explored<'e>, shape: Shape) -> Builder<'e> {
        let (space, relations) = (explored.space(), &explored.system.relations);
        let actions = bits_for(explored.encoding.model.actions.len() + 1);
        let mut positions = vec![0; space.bits()];
        space.order().into_iter().enumerate().for_each(|(place, bit)| positions[bit] = place);
        let changing = relations.iter().flat_map(|it| it.touched().iter().copied()).collect();
        let wide = explored.run.space(actions + 2 * space.bits(), explored.run.room());
        Builder { explored, shape, wide, actions, positions, changing }
    }

    /// The variable of a bit.
    fn name(&self, bit: usize, which: Which) -> usize {
        let (place, is_next) = (self.positions[bit], which == Which::Next);
        self.actions
            + match self.shape.places {
                Places::Interlaced => 2 * place + usize::from(is_next),
                Places::Apart => place + if is_next { self.positions.len() } else { 0 },
            }
    }

    /// One step, with its action and with what stays.
    fn step(&self, row: usize) -> Result<Function> {
        self.explored.run.pulse.check()?;
        let (relation, action) = (&self.explored.system.relations[row], self.explored.system.actions[row]);
        let mut function = relation.function().clone();
        if self.shape.is_reachable {
            function = function.and(self.explored.reached)?;
        }
        let stay = self.changing.iter().copied().filter(|it| relation.touched().binary_search(it).is_err());
        let step = self.staying(function.copied(&self.wide, &|bit, which| self.name(bit, which))?, stay)?;
        if !self.shape.has_actions {
            return Ok(step);
        }
        let code = action.map_or(0, |it| it.0 as usize + 1);
        let action = self.wide.cube((0..self.actions).map(|bit| (bit, code >> bit & 1 == 1)))?;
        Ok(action.and(&step)?)
    }

    /// The steps in which these bits keep their values.
    fn staying(&self, steps: Function, bits: impl Iterator<Item = usize>) -> Result<Function> {
        let both = |bit| (self.name(bit, Which::Current), self.name(bit, Which::Next));
        let mut pairs: Vec<(usize, usize)> = bits.map(both).collect();
        // From the bottom to the top, so that every conjunction adds to what is below.
        pairs.sort_unstable_by_key(|it| std::cmp::Reverse(it.0));
        pairs.into_iter().try_fold(steps, |all, (current, next)| {
            Ok::<Function, Stop>(self.wide.current(current)?.equivalent(&self.wide.current(next)?)?.and(&all)?)
        })
    }
}
