//! Rendezvous between processes whose places and channel are known when the code is made.
//!
//! The sender's code contains, for every other process and every location where that process could take the
//! message, what both do together. So a rendezvous costs no more than any other step.
use model::{Edge, EdgeId, Effect, Expr, LocationId};

use super::{Compiler, Mark, begins_with_receive};
use crate::code::{Instr, Reg};
use crate::message::ChannelPlace;

/// The first of the registers in which a message is handed over.
pub(super) const HANDED: Reg = 208;

/// The longest message that is handed over in this way.
const LONGEST: usize = 32;

/// Edges of one receiver that can take the message, by location.
type Takers<'a> = Vec<(LocationId, Vec<(EdgeId, &'a Edge)>)>;

impl<'a> Compiler<'a> {
    /// Code for all ways in which the message can be taken; false if there is no such code.
    pub(super) fn hand_over_at_once(
        &mut self,
        id: EdgeId,
        edge: &Edge,
        channel: &Expr,
        place: ChannelPlace,
        message: &[Expr],
    ) -> bool {
        let fields = self.packing.messages[place.shape].fields.len();
        let Some(number) = self.constant(channel) else { return false };
        if !self.is_plain() || message.len() != fields || fields > LONGEST {
            return false;
        }
        let receivers: Vec<usize> = (0..self.packing.fixed.len()).rev().filter(|&it| it != self.pid).collect();
        let takers: Option<Vec<Takers<'a>>> = receivers.iter().map(|&it| self.takers(it, number, fields)).collect();
        let Some(takers) = takers else { return false };
        // Even if nobody ever takes it: a fault in computing the message is a fault.
        for (field, value) in message.iter().enumerate() {
            self.expr(value, 0);
            self.emit(Instr::Move(HANDED + field as u8, 0));
            self.truncate_field(place, field);
        }
        for (receiver, takers) in receivers.into_iter().zip(takers) {
            self.receiver(id, edge, receiver, takers);
        }
        true
    }

    /// Whether nothing in the model makes a rendezvous more than a step of two processes.
    fn is_plain(&self) -> bool {
        let plain = |it: &model::ProcessType| !it.deterministic && it.provided.is_none();
        self.packing.same_length && !self.has_exclusive && self.model.processes.iter().all(plain)
    }

    /// The edges of a process that can take a message from a channel; nothing if that is not known now.
    fn takers(&mut self, receiver: usize, number: i32, fields: usize) -> Option<Takers<'a>> {
        self.as_process(receiver, |it| {
            let mut list = Vec::new();
            for row in 0..it.graph.locations.len() {
                let location = LocationId(row as u32);
                if it.graph.location(location).internal {
                    continue;
                }
                let edges = it.takers_at(location, number, fields)?;
                if !edges.is_empty() {
                    list.push((location, edges));
                }
            }
            Some(list)
        })
    }

    fn takers_at(&self, location: LocationId, number: i32, fields: usize) -> Option<Vec<(EdgeId, &'a Edge)>> {
        let mut list = Vec::new();
        for (id, edge) in self.graph.outgoing(location).filter(|it| begins_with_receive(self.graph, it.1)) {
            let Some(Effect::Receive { channel, patterns, .. }) = edge.effects.first() else { return None };
            self.known_channel(channel)?;
            if self.constant(channel) != Some(number) {
                continue;
            }
            if edge.group > 0 || patterns.len() != fields {
                return None;
            }
            list.push((id, edge));
        }
        Some(list)
    }

    /// Does something as another process.
    pub(super) fn as_process<T>(&mut self, process: usize, work: impl FnOnce(&mut Self) -> T) -> T {
        let before = (self.pid, self.ty, self.frame, self.graph, self.first_edge);
        let (ty, frame) = &self.packing.fixed[process];
        (self.pid, self.ty, self.frame) = (process, *ty, frame);
        self.graph = self.model.process(*ty);
        self.first_edge = super::first_edge(self.model, *ty);
        let result = work(self);
        (self.pid, self.ty, self.frame, self.graph, self.first_edge) = before;
        result
    }

    /// What a receiver can do with the message, by its location.
    fn receiver(&mut self, id: EdgeId, send: &Edge, receiver: usize, takers: Takers<'a>) {
        if takers.is_empty() {
            return;
        }
        let end = self.mark();
        let locations = self.packing.fixed[receiver].0;
        let count = self.model.process(locations).locations.len();
        let first = self.tables.jumps.len();
        let gone = crate::code::Comparison::Le;
        self.emit(Instr::IfSlotConst(self.packing.count, gone, receiver as i32, end.0));
        self.emit(Instr::Switch(self.packing.fixed[receiver].1.location, first as u32));
        self.tables.jumps.extend(std::iter::repeat_n(0, count));
        for (location, edges) in takers {
            self.tables.jumps[first + location.0 as usize] = self.here();
            edges.into_iter().for_each(|(taken, edge)| self.taker((id, send), receiver, (taken, edge)));
            self.jump(end);
        }
        self.set(end);
        let here = self.here();
        self.tables.jumps[first..first + count].iter_mut().filter(|it| **it == 0).for_each(|it| *it = here);
    }

    /// One step of both.
    fn taker(&mut self, (id, send): (EdgeId, &Edge), receiver: usize, (taken, edge): (EdgeId, &Edge)) {
        let (next, blocked) = (self.mark(), self.mark());
        let sender_row = (self.first_edge + id.0 as usize) as u32;
        let sender_location = self.frame.location;
        self.emit(Instr::Fork);
        if let Some(target) = send.target {
            self.emit(Instr::StoreConst(sender_location, target.0 as i32));
        }
        self.forget(send);
        self.at_once = true;
        self.as_process(receiver, |it| it.take(edge, blocked));
        self.at_once = false;
        self.emit(Instr::Mark(sender_row));
        self.as_process(receiver, |it| it.arrive(taken, edge, edge.target, next));
        self.set(blocked);
        self.emit(Instr::Drop);
        self.set(next);
    }

    /// The second half of a rendezvous, on the copy; jumps if it cannot happen.
    pub(super) fn take(&mut self, edge: &Edge, blocked: Mark) {
        if !edge.guard.is_true() {
            self.jump_unless(&edge.guard, blocked, 0);
        }
        for (row, effect) in edge.effects.iter().enumerate() {
            match effect {
                Effect::Receive { channel, patterns, keep, .. } if row == 0 => {
                    self.take_over(channel, patterns, *keep, blocked);
                }
                Effect::Indivisible(entry) if row == 0 => self.region(*entry, edge.target, true, blocked),
                _ => {
                    self.condition(effect, blocked);
                    self.action(effect, edge.target, blocked);
                }
            }
        }
        self.forget(edge);
    }
}
