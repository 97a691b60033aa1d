//! All steps as one relation, and how large it is in two orders of variables.
//!
//! Enders, Filkorn, Taubner, *Generating BDDs for symbolic model checking in CCS*, 1993; fwduntilpor-2008 §6 and table 1. A relation `T(a, s, s')` of actions, states and next states can have its variables
//! *interlaced*, `a < s1 < s1' < s2 < s2' < …`, or *apart*, `a < s1 < s2 < … < s1' < s2' < …`. A step leaves most bits as they are; apart, the diagram has to remember all of them until it comes to the next values.
//!
//! Steps are those from reachable states; from all states the relation that is apart has no room for one drill already.
//!
//! The engine itself needs no such relation: it has one for each kind of step, over the bits that the step touches, always interlaced. This is here for the comparison.
use std::collections::BTreeSet;

use diagram::{Function, Space, Which};
use engine::{Limits, Watch};
use model::Model;

use crate::cell::bits_for;
use crate::explore::{Explored, explore};
use crate::run::{Plan, Run, watched};
use crate::stop::{Result, Stop};

/// Where next values stand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Places {
    /// Each behind its current value.
    Interlaced,
    /// Behind all current values.
    Apart,
}

/// The nodes of the relation of all steps; nothing if there is no room or no time for it.
pub fn relation_nodes(model: &Model, places: Places, limits: &Limits, watch: &mut dyn Watch) -> Option<usize> {
    let began = std::time::Instant::now();
    let answer = watched(limits, watch, |pulse| {
        let run = Run { model, limits, plan: Plan::default(), pulse, began, places: 0 };
        explore(&run, &mut |explored| nodes(explored, places))
    });
    answer.ok()
}

fn nodes(explored: &Explored<'_>, places: Places) -> Result<usize> {
    let (system, space) = (explored.system, explored.space());
    let actions = bits_for(explored.encoding.model.actions.len() + 1);
    let bits = space.bits();
    // What no step ever changes need not be said to stay.
    let changing: BTreeSet<usize> = system.relations.iter().flat_map(|it| it.touched().iter().copied()).collect();
    let mut positions = vec![0; bits];
    space.order().into_iter().enumerate().for_each(|(place, bit)| positions[bit] = place);
    let name = |bit: usize, which: Which| match (places, which == Which::Next) {
        (Places::Interlaced, is_next) => actions + 2 * positions[bit] + usize::from(is_next),
        (Places::Apart, is_next) => actions + positions[bit] + if is_next { bits } else { 0 },
    };
    let wide = explored.run.space(actions + 2 * bits, explored.run.room());
    wide.run(|| {
        let mut all = wide.constant(false);
        for (relation, action) in system.relations.iter().zip(&system.actions) {
            explored.run.pulse.check()?;
            let code = action.map_or(0, |it| it.0 as usize + 1);
            let action = wide.cube((0..actions).map(|bit| (bit, code >> bit & 1 == 1)))?;
            let steps = relation.function().and(explored.reached)?.copied(&wide, &name)?.and(&action)?;
            let stay = changing.iter().copied().filter(|it| relation.touched().binary_search(it).is_err());
            all = all.or(&staying(&wide, steps, stay, &name)?)?;
            explored.run.pulse.tell(0, wide.tidy() as u64 * crate::run::NODE);
        }
        Ok::<usize, Stop>(all.nodes())
    })
}

/// The steps in which these bits keep their values.
fn staying(
    wide: &Space,
    steps: Function,
    bits: impl Iterator<Item = usize>,
    name: &dyn Fn(usize, Which) -> usize,
) -> Result<Function> {
    let mut pairs: Vec<(usize, usize)> = bits.map(|it| (name(it, Which::Current), name(it, Which::Next))).collect();
    // From the bottom to the top, so that every conjunction adds to what is below.
    pairs.sort_unstable_by_key(|it| std::cmp::Reverse(it.0));
    pairs.into_iter().try_fold(steps, |all, (current, next)| {
        Ok(wide.current(current)?.equivalent(&wide.current(next)?)?.and(&all)?)
    })
}
