//! SPIN's own statement merging, neither more nor less: who knows SPIN's numbers finds them.
//!
//! G. Holzmann, *The engineering of a model checker*, SPIN 1999 (`-o3` switches it off). What is private to a process is asked of
//! the text, statement by statement; the rule below is that of SPIN 6.5.2, inferred from the automata that its verifiers print (`pan -d`).
//! A step is taken together with the one behind it if the first may *begin* and the second may *follow*:
//!
//! * A step that follows is the only one at its location, and is an assignment, an assertion, a print or a jump: it never waits. No label stands before it
//!   or at a jump that leads to it, and it is not what an `if`, a `do`, an `unless` or a block begins with.
//! * A step that begins may be one of several, but is not an `else` and cannot be interrupted. A condition, a send or a receive may
//!   have a label, others may not. A send begins nothing in a model with rendezvous.
//! * Both are local ([`model::locality`]), unless they stand in an `atomic`.
//! * Nothing is merged in a model with a `provided` condition, or in which somebody reads a variable of another process.
//!
//! As in [`crate::merge`] the first step keeps control. Why nobody notices: what follows is the process's own business and
//! never waits, so if the first step is, too, the whole chain may as well be taken where its last step would have been. If others can see the first step
//! (the last of an `atomic`, a receive), nothing may follow that could go wrong, or after which the process is ready for a rendezvous that somebody waits for:
//! there the chain is cut, which SPIN does not do, nor does it cut where a process is created.
use std::collections::HashSet;

use model::access::{effect_expressions, expressions};
use model::locality::is_local;
use model::observers::{Observers, outside};
use model::variables::{every_part, stores, types};
use model::{Edge, Effect, Expr, LocationId, Model, Place, ProcessType, ProcessTypeId};

use crate::Mistake;
use crate::faults::Types;
use crate::handshakes::Handshakes;

/// Lets steps keep control where SPIN merges them with the next.
pub fn merge(model: &mut Model, mistake: Option<Mistake>) {
    let observers = Observers::new(model);
    if observers.every_step || observers.any_local || is_left_alone(model) {
        return;
    }
    let handshakes = Handshakes::new(model);
    let kept: Vec<Vec<bool>> = types(model)
        .map(|(owner, process)| {
            let rule = Rule { model, owner, process, observers: &observers, handshakes: &handshakes, mistake };
            rule.kept()
        })
        .collect();
    for (process, kept) in model.processes.iter_mut().zip(kept) {
        process.edges.iter_mut().zip(kept).for_each(|(edge, keeps)| edge.keeps_control |= keeps);
    }
}

fn is_left_alone(model: &Model) -> bool {
    let mut remote = false;
    let mut note = |expr: &Expr| every_part(expr, &mut |part| remote |= matches!(part, Expr::RemoteRead { .. }));
    expressions(model, &mut note);
    outside(model, &mut note);
    remote || model.processes.iter().any(|it| it.provided.is_some())
}

/// What may begin and what may follow in one process type.
struct Rule<'m> {
    model: &'m Model,
    owner: ProcessTypeId,
    process: &'m ProcessType,
    observers: &'m Observers,
    handshakes: &'m Handshakes,
    mistake: Option<Mistake>,
}

impl Rule<'_> {
    /// Per edge: whether the step behind it is taken at once.
    fn kept(&self) -> Vec<bool> {
        let edges = &self.process.edges;
        let mut kept: Vec<bool> = edges.iter().map(|edge| self.is_merged(edge)).collect();
        let mut seen = HashSet::new();
        let visible = edges.iter().zip(&kept).filter(|(edge, keeps)| **keeps && !self.is_private(edge));
        let mut waiting: Vec<LocationId> = visible.filter_map(|it| it.0.target).collect();
        while let Some(location) = waiting.pop().filter(|_| !edges.is_empty()) {
            if !seen.insert(location) {
                continue;
            }
            for (id, edge) in self.process.outgoing(location) {
                let row = id.0 as usize;
                kept[row] &= edge.target.is_some_and(|it| self.is_harmless(it));
                waiting.extend(edge.target.filter(|_| kept[row]));
            }
        }
        kept
    }

    fn is_merged(&self, edge: &Edge) -> bool {
        let Some(target) = edge.target else { return false };
        let inside = self.process.location(edge.source).internal || self.process.location(target).internal;
        !inside
            && !edge.keeps_control
            && !edge.form.apart
            && self.begins(edge)
            && self.follows(target)
            && (self.is_private(edge) || self.is_harmless(target))
    }

    fn begins(&self, edge: &Edge) -> bool {
        let waits =
            is_condition(edge) || matches!(edge.effects.first(), Some(Effect::Send { .. } | Effect::Receive { .. }));
        let sends = matches!(edge.effects.first(), Some(Effect::Send { .. }));
        let interrupted = self.process.outgoing(edge.source).any(|it| it.1.group > 0);
        let is_alone = edge.otherwise
            || interrupted
            || edge.form.labelled && !waits
            || sends && self.handshakes.any
            || edge.effects.iter().any(is_beyond);
        !is_alone && (edge.form.atomic || self.is_local(edge))
    }

    /// Whether the step of a location can be taken together with the one before it.
    fn follows(&self, location: LocationId) -> bool {
        let mut edges = self.process.outgoing(location).map(|it| it.1);
        let (Some(edge), None) = (edges.next(), edges.next()) else { return false };
        let seen = self.observers.locations.contains(&(self.owner, location));
        let plain = |it: &Effect| matches!(it, Effect::Assign(..) | Effect::Assert(_) | Effect::Print(_));
        !seen
            && edge.group == 0
            && edge.guard.is_true()
            && (edge.form.jump || !edge.effects.is_empty())
            && edge.effects.iter().all(plain)
            && self.is_private(edge)
    }

    fn is_local(&self, edge: &Edge) -> bool {
        self.mistake == Some(Mistake::MergeGlobals) || is_local(self.process, edge)
    }

    /// Whether what follows can neither go wrong nor make a difference to others.
    fn is_harmless(&self, location: LocationId) -> bool {
        let types = Types::new(self.model, self.owner);
        let receives = |location: LocationId| {
            let mut edges = self.process.outgoing(location).map(|it| it.1);
            edges.any(|it| self.handshakes.begins_with_receive(self.owner, self.process, it))
        };
        self.process.outgoing(location).all(|(_, edge)| {
            let mut faults = false;
            let mut note = |expr: &Expr| faults |= types.can_fault(expr);
            edge.effects.iter().for_each(|it| effect_expressions(it, &mut note));
            let there = edge.effects.iter().flat_map(stores).all(|it| types.is_always_there(it));
            !faults && there && !(self.handshakes.observed && edge.target.is_some_and(receives))
        })
    }

    /// Whether a step is the process's own business.
    fn is_private(&self, edge: &Edge) -> bool {
        let talks = |it: &Effect| matches!(it, Effect::Send { .. } | Effect::Receive { .. } | Effect::Spawn { .. });
        let seen = |it: &Place| self.observers.variables.contains(&(self.owner, it.variable));
        let mut stores = edge.effects.iter().flat_map(stores);
        self.is_local(edge)
            && !edge.keeps_control
            && !edge.effects.iter().any(|it| talks(it) || is_beyond(it))
            && !stores.any(seen)
    }
}

/// Whether a step only waits for something, perhaps for room for a process.
fn is_condition(edge: &Edge) -> bool {
    !edge.form.jump && edge.effects.iter().all(|it| matches!(it, Effect::Spawn { .. }))
}

/// Whether an effect is never merged with anything.
fn is_beyond(effect: &Effect) -> bool {
    matches!(effect, Effect::Indivisible(_) | Effect::Terminate | Effect::SetPriority(..))
}
