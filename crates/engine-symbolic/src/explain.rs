//! From a set of states in which something is wrong to a shortest way there.
//!
//! Layers by distance are computed until one meets the set; then, backwards, the part of each layer that lies on a shortest way. The
//! way itself is walked on the reference semantics: of the successors of a state, one that lies in the next set. So a trace is made of
//! steps of the model and nothing else.
use diagram::{Decision, Function, Outcome, Search};
use model::semantics::{State, Step};

use crate::explore::Explored;
use crate::stop::{Result, Stop};

impl Explored<'_> {
    /// A shortest way to one of these states, and the state.
    pub fn way(&self, target: &Function) -> Result<(Vec<Step>, State)> {
        let sets = self.towards(target)?;
        let mut state = self.initial.clone();
        let mut steps = Vec::new();
        for set in &sets[1..] {
            let (step, next) = self.follow(&state, set)?;
            steps.extend(step);
            state = next;
        }
        Ok((steps, state))
    }

    /// Per distance: the states on shortest ways to the target.
    fn towards(&self, target: &Function) -> Result<Vec<Function>> {
        let mut go_on = |_: &diagram::Progress| match self.run.pulse.check() {
            Ok(()) => Decision::Continue,
            Err(_) => Decision::Stop,
        };
        let search = Search::forward(self.encoding.space, self.start, &self.system.relations);
        // What a reduced search has left out may be too large to go through.
        let search = if self.reduced.is_some() { search.within(self.reached) } else { search };
        let layers = search.layers(Some(target), &mut go_on);
        match layers.outcome {
            Outcome::Complete => {}
            Outcome::Stopped => return Err(Stop::Told),
            Outcome::Full => return Err(Stop::Full),
        }
        let mut sets = Vec::new();
        for ring in layers.rings.iter().rev() {
            let wanted = match sets.last() {
                None => ring.and(target)?,
                Some(next) => ring.and(&self.before(next)?)?,
            };
            if wanted.is_false() {
                return Err(Stop::Inconsistent("a state that was reached is in no layer"));
            }
            sets.push(wanted);
        }
        sets.reverse();
        Ok(sets)
    }

    fn before(&self, set: &Function) -> Result<Function> {
        let mut union = self.encoding.constant(false);
        for relation in &self.system.relations {
            union = union.or(&relation.preimage(set)?)?;
        }
        Ok(union)
    }

    /// A step into a set, or the loss of control.
    fn follow(&self, state: &State, set: &Function) -> Result<(Option<Step>, State)> {
        let is_in =
            |state: &State| self.encoding.encode(self.reference, state).is_some_and(|bits| set.evaluate(&bits, &[]));
        let mut found = None;
        let moved = self.reference.moves(state, &mut |it| {
            if let Some(next) = it.next.filter(|next| found.is_none() && is_in(next)) {
                found = Some((Some(it.step), next.clone()));
            }
        });
        if !moved && state.exclusive.is_some() {
            let mut released = state.clone();
            self.reference.release(&mut released);
            found = Some((None, released)).filter(|it| is_in(&it.1));
        }
        found.ok_or(Stop::Inconsistent("a step of the relations is no step of the model"))
    }
}
