//! Statement merging: a step that nobody else can see is taken together with the one before it.
//!
//! G. Holzmann, *The engineering of a model checker*, SPIN 1999 (`-o3` switches it off); its theory is that of ample sets:
//! D. Peled, *All from one, one for all*, CAV 1993. Call a location *transparent* if every step from it
//! reads and writes only variables of the process that nobody else can see, and cannot go wrong. What others do
//! neither enables nor disables nor changes such a step, and it changes nothing for them, so it can as well come first:
//! a process that arrives at a transparent location goes on at once. For this the edges that lead there *keep control*, as
//! inside `atomic`. If the process cannot go on, it loses control there, and everybody moves.
//!
//! * On every loop of a process there is a location that is not transparent. So every loop of the system contains a
//!   state in which all processes are tried, and nobody is ignored for ever (the cycle proviso).
//! * At a transparent location at most one step is possible, so that there are not more transitions than before.
//! * A step that keeps control itself, at the beginning of an `atomic`, is not merged: what follows it can be seen.
//! * Locations that others ask for, and labels for properties of loops, are not transparent, nor is any location of a
//!   process with a `provided` condition. Nothing is merged in a model that asks who moved last, where a process is, or
//!   whether it can move, or has priorities.
//! * Whether a process is ready to receive decides whether a rendezvous send can be taken, hence whether the sender's
//!   `else` can, whether its `unless` interrupts, and whether its `atomic` is interrupted. If any sender in the model
//!   is of that kind, no step to where a rendezvous can be received is invisible.
//! * Assertions and false ends: the step before leads to the same values of everything that others see, a step with an
//!   assertion about own variables is still taken, and a state in which nothing moves is never passed through.
//!
//! Properties of whole executions are kept as long as they do not count steps, that is, without the operator *next*.
use std::collections::HashSet;

use model::{BinaryOp, Edge, Effect, Expr, LocationId, Model, ProcessType, ProcessTypeId, Scope, UnaryOp};

use crate::Mistake;
use crate::faults::Types;
use crate::handshakes::Handshakes;
use model::observers::Observers;
use model::variables::{Name, assigned, every_part};

/// Lets edges keep control where they lead to transparent locations.
pub fn merge(model: &mut Model, mistake: Option<Mistake>) {
    let observers = Observers::new(model);
    if observers.every_step || observers.any_local {
        return;
    }
    let written = assigned(model);
    let handshakes = Handshakes::new(model);
    for row in 0..model.processes.len() {
        let owner = ProcessTypeId(row as u32);
        let sight = Sight { model, owner, observers: &observers, written: &written, handshakes: &handshakes, mistake };
        let transparent = sight.transparent();
        let process = &mut model.processes[row];
        for edge in &mut process.edges {
            let inside = process.locations[edge.source.0 as usize].internal;
            let passes = edge.target.is_some_and(|it| transparent.contains(&it));
            edge.keeps_control |= passes && !inside;
        }
    }
}

/// What others can see of a process.
struct Sight<'m> {
    model: &'m Model,
    owner: ProcessTypeId,
    observers: &'m Observers,
    written: &'m HashSet<Name>,
    handshakes: &'m Handshakes,
    mistake: Option<Mistake>,
}

impl<'m> Sight<'m> {
    fn process(&self) -> &'m ProcessType {
        self.model.process(self.owner)
    }

    /// The transparent locations, without one of every loop.
    fn transparent(&self) -> HashSet<LocationId> {
        let process = self.process();
        if process.provided.is_some() {
            return HashSet::new();
        }
        let locations = (0..process.locations.len()).map(|row| LocationId(row as u32));
        let found: HashSet<LocationId> = locations.filter(|&it| self.is_transparent(it)).collect();
        if self.mistake == Some(Mistake::MergeLoops) {
            return found;
        }
        let looped = loop_heads(process, &found);
        found.difference(&looped).copied().collect()
    }

    fn is_transparent(&self, id: LocationId) -> bool {
        let process = self.process();
        let location = process.location(id);
        let edges: Vec<&Edge> = process.outgoing(id).map(|it| it.1).collect();
        !edges.is_empty()
            && !location.internal
            && !location.progress
            && !location.accepting
            && !self.is_seen(id)
            && edges.iter().all(|edge| self.is_invisible(edge))
            && excludes_each_other(&edges)
    }

    fn is_seen(&self, location: LocationId) -> bool {
        self.observers.locations.contains(&(self.owner, location))
    }

    /// Whether a step is nobody else's business.
    fn is_invisible(&self, edge: &Edge) -> bool {
        !edge.keeps_control
            && edge.target.is_some_and(|it| !self.is_seen(it) && !self.shows_readiness(it))
            && self.is_private(&edge.guard)
            && edge.effects.iter().all(|effect| self.effect_is_private(effect))
    }

    /// Whether it makes a difference to a sender that the process has come here.
    fn shows_readiness(&self, location: LocationId) -> bool {
        let wrong = self.mistake == Some(Mistake::MergeReady);
        let process = self.process();
        let mut edges = process.outgoing(location).map(|it| it.1);
        self.handshakes.observed
            && !wrong
            && edges.any(|it| self.handshakes.begins_with_receive(self.owner, process, it))
    }

    fn effect_is_private(&self, effect: &Effect) -> bool {
        match effect {
            Effect::Assign(place, value) => {
                self.is_own(place) && self.is_private(value) && self.is_private(&Expr::Read(place.clone()))
            }
            Effect::Evaluate(expr) | Effect::Require(expr) | Effect::Assert(expr) => self.is_private(expr),
            Effect::Print(_) => {
                let mut private = true;
                model::access::effect_expressions(effect, &mut |expr| private &= self.is_private(expr));
                private
            }
            Effect::Send { .. }
            | Effect::Receive { .. }
            | Effect::Spawn { .. }
            | Effect::SetPriority(..)
            | Effect::Indivisible(_)
            | Effect::Terminate => false,
        }
    }

    /// Whether an expression has a value that only this process can change.
    fn is_private(&self, expr: &Expr) -> bool {
        let mut private = !Types::new(self.model, self.owner).can_fault(expr);
        every_part(expr, &mut |part| {
            private &= match part {
                Expr::Read(place) => self.is_own(place) || !self.written.contains(&Name::of(self.owner, place)),
                Expr::Constant(_) | Expr::Unary(..) | Expr::Binary(..) | Expr::Conditional(..) | Expr::Me => true,
                _ => false,
            };
        });
        private
    }

    fn is_own(&self, place: &model::Place) -> bool {
        match place.scope {
            Scope::Local => !self.observers.variables.contains(&(self.owner, place.variable)),
            Scope::Global => self.mistake == Some(Mistake::MergeGlobals),
        }
    }
}

/// Whether at most one of these edges can be taken.
fn excludes_each_other(edges: &[&Edge]) -> bool {
    let pair = |(row, edge): (usize, &&Edge)| {
        edges[row + 1..].iter().all(|later| later.otherwise || disjoint(&edge.guard, &later.guard))
    };
    let grouped = edges.iter().any(|it| it.group > 0);
    edges.len() == 1 || !grouped && edges.iter().enumerate().all(pair)
}

/// Whether two conditions are surely not true together.
fn disjoint(left: &Expr, right: &Expr) -> bool {
    match (left, right) {
        (Expr::Constant(0), _) | (_, Expr::Constant(0)) => true,
        (Expr::Unary(UnaryOp::Not, inner), other) | (other, Expr::Unary(UnaryOp::Not, inner)) if **inner == *other => {
            true
        }
        (Expr::Binary(left, a, b), Expr::Binary(right, c, d)) if a == c && b == d => opposite(*left, *right),
        (Expr::Binary(BinaryOp::Eq, a, b), Expr::Binary(BinaryOp::Eq, c, d)) => match (&**b, &**d) {
            (Expr::Constant(b), Expr::Constant(d)) => a == c && b != d,
            _ => false,
        },
        _ => false,
    }
}

/// Whether two comparisons of the same values are never true together.
fn opposite(left: BinaryOp, right: BinaryOp) -> bool {
    let values = [(0, 0), (0, 1), (1, 0)];
    let is_comparison =
        |op| matches!(op, BinaryOp::Eq | BinaryOp::Ne | BinaryOp::Lt | BinaryOp::Le | BinaryOp::Gt | BinaryOp::Ge);
    is_comparison(left)
        && is_comparison(right)
        && values.iter().all(|&(a, b)| left.apply(a, b) == Some(0) || right.apply(a, b) == Some(0))
}

/// Locations without which no loop is transparent all along: where a search in depth meets its own path.
fn loop_heads(process: &ProcessType, transparent: &HashSet<LocationId>) -> HashSet<LocationId> {
    let next = |here: LocationId| -> Vec<LocationId> {
        let targets = process.outgoing(here).filter_map(|it| it.1.target);
        targets.filter(|it| transparent.contains(it)).collect()
    };
    let (mut heads, mut done) = (HashSet::new(), HashSet::new());
    let mut order: Vec<LocationId> = transparent.iter().copied().collect();
    order.sort_unstable();
    for start in order {
        let mut path: Vec<(LocationId, Vec<LocationId>)> = Vec::new();
        let mut on_path = HashSet::new();
        if done.insert(start) {
            on_path.insert(start);
            path.push((start, next(start)));
        }
        while let Some((here, waiting)) = path.last_mut() {
            match waiting.pop() {
                Some(target) if on_path.contains(&target) => drop(heads.insert(target)),
                Some(target) if done.insert(target) => {
                    on_path.insert(target);
                    path.push((target, next(target)));
                }
                Some(_) => {}
                None => {
                    on_path.remove(here);
                    path.pop();
                }
            }
        }
    }
    heads
}
