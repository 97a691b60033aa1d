//! Indivisible regions: one piece of code each, with jumps from location to location.
//!
//! In every location the first edge that is possible is taken. A region that cannot go on after it
//! has begun, or that does not come to an end, is left to the reference interpreter.
use std::collections::{HashMap, HashSet};

use model::{Edge, EdgeId, Effect, LocationId};

use super::{Compiler, Mark};
use crate::code::Instr;

/// The locations of a region that still have to be translated.
#[derive(Default)]
struct Pending {
    marks: HashMap<LocationId, Mark>,
    waiting: Vec<LocationId>,
    done: HashSet<LocationId>,
    /// How many locations are being translated, each inside another.
    depth: usize,
}

/// Locations that are translated one inside the other.
const DEEPEST: usize = 100;

impl Compiler<'_> {
    /// Jumps if no edge at the entrance is possible.
    pub(super) fn can_enter(&mut self, entry: LocationId, blocked: Mark) {
        let fine = self.mark();
        let edges: Vec<&Edge> = self.graph.outgoing(entry).map(|it| it.1).collect();
        for edge in edges {
            let next = self.mark();
            self.entrance(edge, next);
            self.jump(fine);
            self.set(next);
        }
        self.jump(blocked);
        self.set(fine);
    }

    /// An edge that is a region and nothing else: the state is copied only when an edge at the entrance is possible.
    pub(super) fn whole_region(&mut self, id: EdgeId, outer: &Edge, entry: LocationId) {
        let mut pending = Pending::default();
        let (end, done) = (self.mark(), self.mark());
        let edges: Vec<&Edge> = self.graph.outgoing(entry).map(|it| it.1).collect();
        for edge in edges {
            let next = self.mark();
            self.entrance(edge, next);
            self.emit(Instr::Fork);
            self.inner_actions(edge, 0);
            self.go_on(edge.target, end, &mut pending);
            self.set(next);
        }
        self.jump(done);
        self.rest_of_region(end, &mut pending);
        self.set(end);
        self.forget(outer);
        self.arrive(id, outer, outer.target, done);
        self.set(done);
    }

    /// The locations behind the entrance.
    fn rest_of_region(&mut self, end: Mark, pending: &mut Pending) {
        while let Some(location) = pending.waiting.pop() {
            if pending.done.insert(location) {
                self.set(pending.marks[&location]);
                self.location(location, end, pending);
                self.emit(Instr::Trouble);
            }
        }
    }

    /// Jumps if an edge is not possible.
    fn entrance(&mut self, edge: &Edge, next: Mark) {
        if !edge.guard.is_true() {
            self.jump_unless(&edge.guard, next, 0);
        }
        if let Some(effect) = edge.effects.first() {
            self.condition(effect, next);
        }
    }

    /// The whole region, up to the location behind it.
    pub(super) fn region(&mut self, entry: LocationId, target: Option<LocationId>, handed: bool, blocked: Mark) {
        let mut pending = Pending::default();
        let end = self.mark();
        if handed {
            self.handed_entrance(entry, end, &mut pending);
        } else {
            self.location(entry, end, &mut pending);
        }
        self.jump(blocked);
        self.rest_of_region(end, &mut pending);
        self.set(end);
        if let Some(target) = target {
            self.emit(Instr::StoreConst(self.frame.location, target.0 as i32));
        }
    }

    /// The edges of a location, one after the other.
    fn location(&mut self, location: LocationId, end: Mark, pending: &mut Pending) {
        let edges: Vec<&Edge> = self.graph.outgoing(location).map(|it| it.1).collect();
        for edge in edges {
            let next = self.mark();
            self.entrance(edge, next);
            self.inner_actions(edge, 0);
            self.go_on(edge.target, end, pending);
            self.set(next);
        }
    }

    /// The edges at the entrance that can take the message that is being handed over.
    fn handed_entrance(&mut self, entry: LocationId, end: Mark, pending: &mut Pending) {
        let edges: Vec<&Edge> = self.graph.outgoing(entry).map(|it| it.1).collect();
        for edge in edges {
            let Some(Effect::Receive { channel, patterns, keep, .. }) = edge.effects.first() else { continue };
            let next = self.mark();
            if !edge.guard.is_true() {
                self.jump_unless(&edge.guard, next, 0);
            }
            self.take_over(channel, patterns, *keep, next);
            self.inner_actions(edge, 1);
            self.go_on(edge.target, end, pending);
            self.set(next);
        }
    }

    fn inner_actions(&mut self, edge: &Edge, first: usize) {
        for (row, effect) in edge.effects.iter().enumerate().skip(first) {
            if row > 0 {
                let (bad, good) = (self.mark(), self.mark());
                self.condition(effect, bad);
                self.jump(good);
                self.set(bad);
                self.emit(Instr::Trouble);
                self.set(good);
            }
            match effect {
                Effect::Indivisible(_) | Effect::Terminate => self.emit(Instr::Trouble),
                _ => {
                    let never = self.mark();
                    self.set(never);
                    self.action(effect, None, never);
                }
            }
        }
        self.forget(edge);
    }

    /// Goes on at the next location: at once if it has only one edge and was not seen before.
    fn go_on(&mut self, target: Option<LocationId>, end: Mark, pending: &mut Pending) {
        let Some(target) = target.filter(|&it| self.graph.location(it).internal) else { return self.jump(end) };
        let mark = match pending.marks.get(&target) {
            Some(&mark) => mark,
            None => {
                let mark = self.mark();
                pending.marks.insert(target, mark);
                pending.waiting.push(target);
                mark
            }
        };
        if pending.done.contains(&target) {
            // Only such a jump can close a loop.
            self.emit(Instr::Turn);
            return self.jump(mark);
        }
        if self.graph.location(target).edge_count == 1 && pending.depth < DEEPEST {
            pending.depth += 1;
            pending.done.insert(target);
            self.set(mark);
            self.location(target, end, pending);
            pending.depth -= 1;
            return self.emit(Instr::Trouble);
        }
        self.jump(mark);
    }
}
