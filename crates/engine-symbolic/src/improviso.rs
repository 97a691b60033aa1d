//! ImProviso: partial-order reduction for sets of states.
//!
//! Lerda, Sinha, Theobald, *Symbolic model checking of software*, SoftMC 2003. As in Twophase, every state first goes through *phase 1*, where processes that may go first
//! ([`crate::firsts`]) do so, one after the other, until none moves; where that ends, everybody moves (*phase 2*). All states of a set go through a phase
//! at once. So a way round cannot be told by looking at the way of one state: the *stack* is everything that this phase 1 came to, and who comes
//! to a state of the stack waits there for the next process.
//!
//! ```text
//! phase 1 of the frontier:  stack := frontier
//!     repeat
//!         for each process P:
//!             waiting := {}
//!             while the frontier is not empty:
//!                 moved   := the states of the frontier in which P may go first and comes somewhere
//!                 image   := where P comes to from there
//!                 waiting := waiting ∪ (frontier - moved) ∪ (image ∩ stack)
//!                 frontier := image - stack
//!                 stack    := stack ∪ frontier
//!             frontier := waiting
//!     until the stack stays the same; when asked again, P moves only from states from which it comes to something new
//!
//! frontier := the initial state; reached := {}
//! while the frontier is not empty:
//!     stack, ends := phase 1 of the frontier
//!     image    := where everybody comes to from ends - reached
//!     reached  := reached ∪ stack
//!     frontier := image - reached
//! ```
//!
//! Deviations from figure 4 of the paper: a state in which `P` may not go first waits (`frontier - moved`; the figure loses it); what was
//! *reached before this round* is all that ends are compared with (the figure adds a frontier to what was visited before it has gone through phase 1, and
//! then takes it for done); and when processes are asked again, `P` sets out only from states from which it comes to something that is not on the stack. Otherwise a
//! process that goes round would be caught at another place each time, with all others in all places: 2187 states for the paper's *best* with 7
//! processes, where it prints 15. Why it is right: `docs/theory/partial-order.md`.
//!
//! A step of a process is here all that it does until others may move again: points at which it goes on alone are passed, and kept, but they are no states. Who
//! goes on alone for ever, or meets a fault, comes nowhere; then the others have to be asked.
use diagram::{Function, Relation, Space};

use crate::cell::Slot;
use crate::encoding::Encoding;
use crate::firsts::Firsts;
use crate::pulse::Pulse;
use crate::run::{Mistake, NODE};
use crate::stop::Result;
use crate::system::System;

/// What a reduced search came to.
#[derive(Clone, Debug)]
pub struct Reduced {
    /// The states, and the points between them where a process goes on alone.
    pub reached: Function,
    /// The states in which everybody moved.
    pub expanded: Function,
    /// How often both phases took place.
    pub rounds: u64,
    /// How many different casts of processes there were.
    pub stages: usize,
}

/// Searches with both phases from an initial state on.
pub fn improviso(encoding: &Encoding<'_>, system: &System, start: &Function, pulse: &Pulse) -> Result<Reduced> {
    encoding.space.run(|| Search::new(encoding, system, pulse)?.run(start))
}

struct Search<'a> {
    space: &'a Space,
    system: &'a System,
    firsts: Firsts<'a>,
    pulse: &'a Pulse,
    mistake: Option<Mistake>,
    slots: usize,
    /// Per relation: from where it leads anywhere.
    sources: Vec<Function>,
    rounds: u64,
    /// Points that were passed.
    points: Function,
}

/// Whose steps are meant.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Mover {
    Anybody,
    One(Slot),
}

/// Where steps lead, with all that a process does alone afterwards.
struct Chains {
    /// States.
    ends: Function,
    /// Points on the way.
    points: Function,
    /// Some point was passed twice, perhaps by going round.
    may_return: bool,
}

impl<'a> Search<'a> {
    fn new(encoding: &'a Encoding<'a>, system: &'a System, pulse: &'a Pulse) -> Result<Self> {
        let space = encoding.space;
        let sources = system.relations.iter().map(|it| Ok(it.sources(space)?)).collect::<Result<_>>()?;
        let (firsts, points) = (Firsts::new(encoding, pulse), space.constant(false));
        let (slots, mistake) = (encoding.layout.slots(), encoding.mistake);
        Ok(Search { space, system, firsts, pulse, mistake, slots, sources, rounds: 0, points })
    }

    fn run(mut self, start: &Function) -> Result<Reduced> {
        let (mut reached, mut expanded) = (self.space.constant(false), self.space.constant(false));
        let mut frontier = start.clone();
        while !frontier.is_false() {
            self.rounds += 1;
            if self.mistake == Some(Mistake::ReachedIsExpanded) {
                reached = reached.or(&frontier)?;
            }
            let (ends, stack) = self.phase1(frontier)?;
            let ends = ends.minus(&reached)?;
            let image = self.chains(Mover::Anybody, &ends)?.ends;
            expanded = expanded.or(&ends)?;
            reached = reached.or(&stack)?;
            frontier = image.minus(&reached)?;
        }
        let reached = reached.or(&self.points)?;
        Ok(Reduced { reached, expanded, rounds: self.rounds, stages: self.firsts.stages })
    }

    /// Lets processes go first until none moves; returns where that ends, and all that it came to.
    fn phase1(&mut self, mut frontier: Function) -> Result<(Function, Function)> {
        let mut stack = frontier.clone();
        for slot in 0..self.slots {
            frontier = self.turn(slot, frontier, &mut stack)?;
        }
        loop {
            let before = stack.clone();
            for slot in 0..self.slots {
                let setting_out = self.finding_more(slot, &frontier, &stack)?;
                if !setting_out.is_false() {
                    let staying = frontier.minus(&setting_out)?;
                    frontier = self.turn(slot, setting_out, &mut stack)?.or(&staying)?;
                }
            }
            if stack == before {
                return Ok((frontier, stack));
            }
        }
    }

    /// The states of the frontier in which a process may go first and comes to something that is not on the stack.
    fn finding_more(&mut self, slot: Slot, frontier: &Function, stack: &Function) -> Result<Function> {
        let first = self.firsts.among(slot, frontier)?;
        let chains = self.chains(Mover::One(slot), &first)?;
        self.arriving(slot, &first, &chains.points, &chains.ends.minus(stack)?)
    }

    /// A process moves as long as it may go first and comes to states that are not on the stack; returns where that ends.
    fn turn(&mut self, slot: Slot, mut frontier: Function, stack: &mut Function) -> Result<Function> {
        let mut waiting = self.space.constant(false);
        while !frontier.is_false() {
            let first = self.firsts.among(slot, &frontier)?;
            let chains = self.chains(Mover::One(slot), &first)?;
            let moved = self.moved(slot, &first, &chains)?;
            if self.mistake != Some(Mistake::LostFrontier) {
                waiting = waiting.or(&frontier.minus(&moved)?)?;
            }
            waiting = waiting.or(&chains.ends.and(stack)?)?;
            frontier = chains.ends.minus(stack)?;
            *stack = stack.or(&frontier)?;
        }
        Ok(waiting)
    }

    /// Where some steps lead. The points on the way are kept, too.
    fn chains(&mut self, mover: Mover, from: &Function) -> Result<Chains> {
        let (mut ends, mut points) = (self.space.constant(false), self.space.constant(false));
        let (mut here, mut may_return) = (from.clone(), false);
        while !here.is_false() {
            let next = self.union(mover, |relation, sources| relation.image(&here.and(sources)?))?;
            ends = ends.or(&next.and(&self.system.rests)?)?;
            let passed = next.minus(&self.system.rests)?;
            here = passed.minus(&points)?;
            may_return |= here != passed;
            points = points.or(&here)?;
        }
        self.points = self.points.or(&points)?;
        Ok(Chains { ends, points, may_return })
    }

    /// The states of a set from which its chains come somewhere: all that have a step, unless some way goes round or has no end.
    fn moved(&self, slot: Slot, from: &Function, chains: &Chains) -> Result<Function> {
        if chains.may_return || !self.stuck(slot, &chains.points)?.is_false() {
            return self.arriving(slot, from, &chains.points, &chains.ends);
        }
        Ok(from.minus(&self.stuck(slot, from)?)?)
    }

    /// The part of a set where a process has no step.
    fn stuck(&self, slot: Slot, set: &Function) -> Result<Function> {
        let own = self.system.movers.iter().zip(&self.sources).filter(|it| *it.0 == slot);
        own.into_iter().try_fold(set.clone(), |left, (_, sources)| Ok(left.minus(sources)?))
    }

    /// The states of a set from which chains of a process through these points come to these ends.
    fn arriving(&self, slot: Slot, from: &Function, points: &Function, ends: &Function) -> Result<Function> {
        if ends.is_false() {
            return Ok(self.space.constant(false));
        }
        let mut good = self.space.constant(false);
        loop {
            let there = ends.or(&good)?;
            let before = self.union(Mover::One(slot), |relation, _| relation.preimage(&there))?;
            let next = before.and(points)?;
            if next == good {
                return Ok(before.and(from)?);
            }
            good = next;
        }
    }

    /// What some relations make of something, all together.
    fn union(
        &self,
        mover: Mover,
        make: impl Fn(&Relation, &Function) -> std::result::Result<Function, diagram::Full>,
    ) -> Result<Function> {
        let mut union = self.space.constant(false);
        for ((relation, slot), sources) in self.system.relations.iter().zip(&self.system.movers).zip(&self.sources) {
            if mover == Mover::Anybody || mover == Mover::One(*slot) {
                self.pulse.check()?;
                union = union.or(&make(relation, sources)?)?;
            }
        }
        self.pulse.tell(self.rounds, self.space.tidy() as u64 * NODE);
        Ok(union)
    }
}
