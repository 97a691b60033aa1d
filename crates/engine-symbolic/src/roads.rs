//! Ways from vector to vector, walked on the reference semantics.
//!
//! Layers by distance are computed until one meets where to go; then, backwards, the part of each layer that lies on a shortest way. The
//! way itself is walked: of what follows a place by the reference, one that lies in the next set. So a way is made of steps of the model and nothing else.
//!
//! A *cycle* that visits some sets again and again is found as in Clarke, Grumberg, McMillan, Zhao, *Efficient generation of counterexamples and witnesses in symbolic
//! model checking*, DAC 1995: go to the nearest vector of each set, one after the other, and then back to where the first was visited. If there is no way back, that vector
//! does not belong to the strongly connected part in which we are now, and it is tried again from here; parts do not come again, so this ends.
use ctl::Actions;
use diagram::{Decision, Function, Relation, Search, Space};
use model::semantics::{Semantics, State, Step};

use crate::encoding::Encoding;
use crate::explore::finished;
use crate::pulse::Pulse;
use crate::stop::{Result, Stop};

/// What can be walked: places as the reference knows them.
pub trait Walk {
    /// Where one can be.
    type Place: Clone;

    /// The bits of a place, if there is room for it.
    fn bits(&self, place: &Self::Place) -> Option<Vec<bool>>;

    /// Calls `visit` for everything that follows a place, with the step of the system if there is one.
    fn follow(&self, place: &Self::Place, visit: &mut dyn FnMut(Option<Step>, Self::Place));
}

/// A place, and the step of the system that led there, if one did.
pub type Hop<Place> = (Option<Step>, Place);

/// Hops to a cycle, and round it.
pub type Lasso<Place> = (Vec<Hop<Place>>, Vec<Hop<Place>>);

/// What a cycle has to visit.
pub struct Visit<'a> {
    /// A vector of this set,
    pub at: Function,
    /// and from there one of these steps, if there are any.
    pub by: &'a [Relation],
}

/// Relations between vectors, and how to walk along them.
#[derive(Clone, Copy)]
pub struct Roads<'a, W> {
    /// Where they live.
    pub space: &'a Space,
    /// The steps.
    pub relations: &'a [Relation],
    /// Who may say that it takes too long.
    pub pulse: &'a Pulse,
    /// Who walks.
    pub walk: W,
}

impl<W: Walk> Roads<'_, W> {
    /// The vectors from which a step leads into a set.
    pub fn before(&self, set: &Function) -> Result<Function> {
        before(self.space, self.relations, set, self.pulse)
    }

    /// The vectors to which a step leads from a set.
    pub fn after(&self, set: &Function) -> Result<Function> {
        after(self.space, self.relations, set, self.pulse)
    }

    /// A shortest way from a place to a set, if there is one; what is passed lies within a set. `moved` if there has to be a step.
    pub fn way(
        &self,
        from: &W::Place,
        within: Option<&Function>,
        to: &Function,
        moved: bool,
    ) -> Result<Option<Vec<Hop<W::Place>>>> {
        let allowed = within.map(|it| it.or(to)).transpose()?;
        let mut first = self.vector(from)?;
        if moved {
            first = self.after(&first)?;
            first = allowed.as_ref().map_or(Ok(first.clone()), |it| first.and(it))?;
        }
        let Some(sets) = self.towards(&first, allowed.as_ref(), to)? else { return Ok(None) };
        self.along(from, if moved { &sets } else { &sets[1..] }).map(Some)
    }

    fn vector(&self, place: &W::Place) -> Result<Function> {
        let bits = self.walk.bits(place).ok_or(Stop::Inconsistent("no room for a state that was reached"))?;
        Ok(self.space.vector(&bits)?)
    }

    /// Per distance: the vectors on shortest ways to the target, if there are any.
    fn towards(&self, from: &Function, within: Option<&Function>, to: &Function) -> Result<Option<Vec<Function>>> {
        let mut go_on = |_: &diagram::Progress| match self.pulse.check() {
            Ok(()) => Decision::Continue,
            Err(_) => Decision::Stop,
        };
        let search = Search { within, ..Search::forward(self.space, from, self.relations) };
        let layers = search.layers(Some(to), &mut go_on);
        finished(layers.outcome)?;
        let mut sets: Vec<Function> = Vec::new();
        for ring in layers.rings.iter().rev() {
            let wanted = match sets.last() {
                None => ring.and(to)?,
                Some(next) => ring.and(&self.before(next)?)?,
            };
            if wanted.is_false() && sets.is_empty() {
                return Ok(None);
            }
            if wanted.is_false() {
                return Err(Stop::Inconsistent("a state that was reached is in no layer"));
            }
            sets.push(wanted);
        }
        sets.reverse();
        Ok(Some(sets))
    }

    /// A way through sets, one after the other.
    fn along(&self, from: &W::Place, sets: &[Function]) -> Result<Vec<Hop<W::Place>>> {
        let (mut hops, mut here) = (Vec::new(), from.clone());
        for set in sets {
            let hop = self.into(&here, set)?;
            here = hop.1.clone();
            hops.push(hop);
        }
        Ok(hops)
    }

    /// A step into a set.
    fn into(&self, from: &W::Place, set: &Function) -> Result<Hop<W::Place>> {
        let is_in = |place: &W::Place| self.walk.bits(place).is_some_and(|bits| set.evaluate(&bits, &[]));
        let mut found = None;
        self.walk.follow(from, &mut |step, place| {
            if found.is_none() && is_in(&place) {
                found = Some((step, place));
            }
        });
        found.ok_or(Stop::Inconsistent("a step of the relations is no step of the model"))
    }

    /// A way to a cycle with all visits, and round it, within a set in which there is one after every vector. It begins with a visit; where none
    /// helps, one goes on to a vector of `stations`.
    pub fn round(
        &self,
        from: &W::Place,
        within: &Function,
        stations: &Function,
        visits: &[Visit<'_>],
    ) -> Result<Lasso<W::Place>> {
        let (first, others) = visits.split_first().ok_or(Stop::Inconsistent("a cycle without a visit"))?;
        let mut walked = Walked { roads: self, within, hops: Vec::new(), here: from.clone() };
        loop {
            self.pulse.check()?;
            walked.go(&first.at, false)?;
            let (begin, root) = (walked.hops.len(), walked.here.clone());
            walked.leave(first)?;
            for visit in others {
                walked.go(&visit.at, false)?;
                walked.leave(visit)?;
            }
            let has_moved = walked.hops.len() > begin;
            if let Some(back) = self.way(&walked.here, Some(within), &self.vector(&root)?, !has_moved)? {
                walked.hops.extend(back);
                let round = walked.hops.split_off(begin);
                return Ok((walked.hops, round));
            }
            if !has_moved {
                walked.go(stations, true)?;
            }
        }
    }
}

/// A walk so far.
struct Walked<'a, W: Walk> {
    roads: &'a Roads<'a, W>,
    within: &'a Function,
    hops: Vec<Hop<W::Place>>,
    here: W::Place,
}

impl<W: Walk> Walked<'_, W> {
    fn go(&mut self, to: &Function, moved: bool) -> Result<()> {
        let way = self.roads.way(&self.here, Some(self.within), &to.and(self.within)?, moved)?;
        way.ok_or(Stop::Inconsistent("no way where there is a fair path"))?.into_iter().for_each(|it| self.take(it));
        Ok(())
    }

    fn take(&mut self, hop: Hop<W::Place>) {
        self.here = hop.1.clone();
        self.hops.push(hop);
    }

    /// Takes one of the steps of a visit.
    fn leave(&mut self, visit: &Visit<'_>) -> Result<()> {
        if visit.by.is_empty() {
            return Ok(());
        }
        let roads = self.roads;
        let next = after(roads.space, visit.by, &roads.vector(&self.here)?, roads.pulse)?.and(self.within)?;
        let hop = roads.into(&self.here, &next)?;
        self.take(hop);
        Ok(())
    }
}

/// The vectors from which one of these steps leads into a set.
pub fn before(space: &Space, relations: &[Relation], set: &Function, pulse: &Pulse) -> Result<Function> {
    let mut union = space.constant(false);
    for relation in relations {
        pulse.check()?;
        union = union.or(&relation.preimage(set)?)?;
    }
    Ok(union)
}

/// The vectors to which one of these steps leads from a set.
pub fn after(space: &Space, relations: &[Relation], set: &Function, pulse: &Pulse) -> Result<Function> {
    let mut union = space.constant(false);
    for relation in relations {
        pulse.check()?;
        union = union.or(&relation.image(set)?)?;
    }
    Ok(union)
}

/// The system alone: a step, the loss of control, or standing still.
#[derive(Clone, Copy)]
pub struct Alone<'a> {
    /// The cells.
    pub encoding: &'a Encoding<'a>,
    /// The reference.
    pub reference: &'a Semantics<'a>,
    /// Only steps of these actions; then to stand still is none.
    pub by: Option<&'a Actions>,
}

impl Walk for Alone<'_> {
    type Place = State;

    fn bits(&self, state: &State) -> Option<Vec<bool>> {
        self.encoding.encode(self.reference, state)
    }

    fn follow(&self, state: &State, visit: &mut dyn FnMut(Option<Step>, State)) {
        let moved = self.reference.moves(state, &mut |it| {
            let action = || self.reference.action(state, it.step).map(|it| it.0);
            if let Some(next) = it.next.filter(|_| self.by.is_none_or(|by| by.contains(action()))) {
                visit(Some(it.step), next.clone());
            }
        });
        if !moved && self.by.is_none() {
            let mut released = state.clone();
            self.reference.release(&mut released);
            visit(None, released);
        }
    }
}
