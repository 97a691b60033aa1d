//! Sends and receives.
//!
//! Where the channel is known when the code is made, its length and the fields of its oldest message
//! are slots like any variable. Otherwise its number is looked up in the machine's table of channels.
use model::{Direction, Edge, EdgeId, Effect, Expr, Pattern};

use super::handshakes::HANDED;
use super::{Compiler, Mark, REGISTERS, Second, begins_with_receive};
use crate::code::{Comparison, Instr, Reg};
use crate::message::ChannelPlace;
use crate::slot::Slot;

impl Compiler<'_> {
    /// The channel that an expression names, if that is known now and it cannot vanish before this process.
    pub(super) fn known_channel(&self, channel: &Expr) -> Option<ChannelPlace> {
        let mut row = usize::try_from(self.constant(channel)?).ok()?.checked_sub(1)?;
        if let Some(place) = self.packing.globals.channels.get(row) {
            return Some(*place);
        }
        row -= self.packing.globals.channels.len();
        for (_, frame) in self.packing.fixed.iter().take(self.pid + 1) {
            if let Some(place) = frame.channels.get(row) {
                return Some(*place);
            }
            row -= frame.channels.len();
        }
        None
    }

    pub(super) fn capacity(&self, place: ChannelPlace) -> u32 {
        self.packing.messages[place.shape].capacity
    }

    /// Cuts a field of the message that is being handed over to its type.
    pub(super) fn truncate_field(&mut self, place: ChannelPlace, field: usize) {
        let at = self.packing.messages[place.shape].fields[field];
        let register = HANDED + field as u8;
        if at.short {
            self.emit(Instr::SignExtend(register));
        } else if at.width < 32 {
            self.emit(Instr::BinaryConst(model::BinaryOp::BitAnd, register, register, (1 << at.width) - 1));
        }
    }

    /// The row of a channel.
    pub(super) fn channel(&mut self, channel: &Expr, to: Reg) {
        match self.known_channel(channel) {
            Some(_) => {
                let number = self.constant(channel).unwrap_or(1);
                self.emit(Instr::Const(to, number - 1));
            }
            None => {
                self.expr(channel, to);
                self.emit(Instr::Channel(to));
            }
        }
    }

    pub(super) fn can_send(&mut self, channel: &Expr, blocked: Mark) {
        match self.known_channel(channel) {
            // A rendezvous is tried before this: here it is inside an indivisible region.
            Some(place) if self.capacity(place) == 0 => self.emit(Instr::Trouble),
            Some(place) => {
                let capacity = self.capacity(place) as i32;
                self.emit(Instr::IfSlotConst(place.length, Comparison::Ge, capacity, blocked.0));
            }
            None => {
                self.channel(channel, 0);
                self.no_rendezvous(0);
                self.emit(Instr::Full(0, 0));
                self.if_register(0, Comparison::Ne, 0, blocked);
            }
        }
    }

    pub(super) fn send(&mut self, channel: &Expr, message: &[Expr], sorted: bool) {
        self.channel(channel, 0);
        self.emit(Instr::Fields(0, message.len() as u8));
        let mut register = 1;
        for value in message {
            self.expr(value, register);
            register = self.next(register);
        }
        if self.has_exclusive {
            self.emit(Instr::Exclusive(self.pid as u8, 0, true));
        }
        self.emit(Instr::Send(0, 1, sorted));
    }

    /// Appends to a known channel whose messages have as many fields.
    pub(super) fn push(&mut self, channel: &Expr, place: ChannelPlace, message: &[Expr]) {
        let mut register = 1;
        for value in message {
            self.expr(value, register);
            register = self.next(register);
        }
        if self.is_contested(channel, Direction::Send) {
            self.channel(channel, 0);
            self.emit(Instr::Exclusive(self.pid as u8, 0, true));
        }
        let queue = self.queue(place);
        self.emit(Instr::Push(queue, 1));
    }

    /// Whether another process may have declared this use of a channel its own.
    fn is_contested(&mut self, channel: &Expr, direction: Direction) -> bool {
        let (me, number) = (self.pid, self.known_channel(channel).and(self.constant(channel)));
        if !self.packing.same_length || number.is_none() {
            return self.has_exclusive;
        }
        let mut others = (0..self.packing.fixed.len()).filter(|&other| other != me);
        others.any(|other| self.as_process(other, |it| it.declares(number, direction)))
    }

    /// Whether this process may have declared a use of a channel its own.
    fn declares(&self, number: Option<i32>, direction: Direction) -> bool {
        let same = |channel: &Expr| self.constant(channel).is_none_or(|it| Some(it) == number);
        self.graph.exclusive.iter().any(|it| it.direction == direction && same(&it.channel))
    }

    /// A known channel that keeps messages, and whose messages have so many fields.
    pub(super) fn known_queue(&self, channel: &Expr, fields: usize) -> Option<ChannelPlace> {
        let place = self.known_channel(channel)?;
        let messages = &self.packing.messages[place.shape];
        (messages.capacity > 0 && messages.fields.len() == fields).then_some(place)
    }

    /// The row of a known channel in the tables.
    fn queue(&mut self, place: ChannelPlace) -> u16 {
        let queues = &mut self.tables.queues;
        let known = queues.iter().position(|it| it.first == place.first && it.length == place.length);
        let row = known.unwrap_or(queues.len());
        if row == queues.len() {
            queues.push(place);
        }
        row as u16
    }

    pub(super) fn can_receive(
        &mut self,
        channel: &Expr,
        patterns: &[Pattern],
        anywhere: bool,
        keep: bool,
        blocked: Mark,
    ) {
        match self.known_channel(channel) {
            Some(place) if self.capacity(place) == 0 && !keep => self.jump(blocked),
            Some(place) if self.capacity(place) > 0 && !anywhere => {
                self.emit(Instr::IfSlotConst(place.length, Comparison::Eq, 0, blocked.0));
                self.head_fits(place, patterns, blocked);
            }
            _ => {
                self.find(channel, patterns, anywhere, keep);
                self.if_register(0, Comparison::Lt, 0, blocked);
            }
        }
    }

    /// Jumps unless the oldest message fits.
    fn head_fits(&mut self, place: ChannelPlace, patterns: &[Pattern], blocked: Mark) {
        let fields = self.packing.messages[place.shape].fields.clone();
        for (row, (field, pattern)) in fields.iter().zip(patterns).enumerate() {
            let Pattern::Match(value) = pattern else { continue };
            let slot = Slot::new(place.first + field.bit, field.width);
            match self.constant(value) {
                Some(value) if !field.short => self.emit(Instr::IfSlotConst(slot, Comparison::Ne, value, blocked.0)),
                _ => {
                    self.load_head(place, row, 0);
                    self.expr(value, 1);
                    self.emit(Instr::IfRegs(0, Comparison::Ne, 1, blocked.0));
                }
            }
        }
        if fields.len() != patterns.len() {
            self.emit(Instr::Trouble);
        }
    }

    /// The slot of the message to be received goes to register 0, or -1; the channel to register 1.
    fn find(&mut self, channel: &Expr, patterns: &[Pattern], anywhere: bool, keep: bool) {
        self.channel(channel, 1);
        if keep {
            self.no_rendezvous(1);
        }
        self.values(patterns, 2);
        let template = self.template(patterns, anywhere, true);
        self.emit(Instr::Find(0, 1, 2, template));
    }

    /// Receives a message that is known to be there.
    pub(super) fn receive(&mut self, channel: &Expr, patterns: &[Pattern], anywhere: bool, keep: bool) {
        if patterns.len() > usize::from(REGISTERS) {
            return self.emit(Instr::Trouble);
        }
        if let Some(place) = self.known_queue(channel, patterns.len()).filter(|_| !anywhere) {
            return self.receive_head(channel, place, patterns, keep);
        }
        match self.known_channel(channel) {
            Some(place) if self.capacity(place) > 0 && !anywhere => {
                self.emit(Instr::Const(0, 0));
                self.channel(channel, 1);
            }
            _ => self.find(channel, patterns, anywhere, keep),
        }
        if self.has_exclusive {
            self.emit(Instr::Exclusive(self.pid as u8, 1, false));
        }
        let end = self.fetch(patterns, 2, &|field, to| Instr::Field(to, 1, 0, field));
        if !keep {
            self.emit(Instr::Remove(1, 0));
        }
        self.keep_fields(patterns, 2, end);
    }

    /// Receives the oldest message of a known channel.
    fn receive_head(&mut self, channel: &Expr, place: ChannelPlace, patterns: &[Pattern], keep: bool) {
        if self.is_contested(channel, Direction::Receive) {
            self.channel(channel, 1);
            self.emit(Instr::Exclusive(self.pid as u8, 1, false));
        }
        let mut register = 2;
        for (field, pattern) in patterns.iter().enumerate() {
            if matches!(pattern, Pattern::Store(_)) {
                self.load_head(place, field, register);
                register = self.next(register);
            }
        }
        if !keep {
            let queue = self.queue(place);
            self.emit(Instr::Pop(queue));
        }
        self.keep_fields(patterns, 2, register);
    }

    /// A field of the oldest message.
    fn load_head(&mut self, place: ChannelPlace, field: usize, to: Reg) {
        let field = self.packing.messages[place.shape].fields[field];
        self.emit(Instr::Load(to, Slot::new(place.first + field.bit, field.width)));
        if field.short {
            self.emit(Instr::SignExtend(to));
        }
    }

    /// Loads the fields that are stored; the next free register.
    fn fetch(&mut self, patterns: &[Pattern], first: Reg, load: &dyn Fn(u8, Reg) -> Instr) -> Reg {
        let mut register = first;
        for (field, pattern) in patterns.iter().enumerate() {
            if matches!(pattern, Pattern::Store(_)) {
                self.emit(load(field as u8, register));
                register = self.next(register);
            }
        }
        register
    }

    /// Stores the fields that were loaded; the first register is used to work with at the end.
    fn keep_fields(&mut self, patterns: &[Pattern], first: Reg, free: Reg) {
        let mut register = first;
        for pattern in patterns {
            if let Pattern::Store(place) = pattern {
                // A copy behind all others, because storing needs registers of its own.
                self.emit(Instr::Move(free, register));
                self.store(place, free);
                register += 1;
            }
        }
    }

    // Rendezvous.

    /// Hands a message over and jumps, if this is a send to a rendezvous channel.
    pub(super) fn handshake(&mut self, id: EdgeId, edge: &Edge, next: Mark) {
        let Some(Effect::Send { channel, message, .. }) = edge.effects.first() else { return };
        let known = self.known_channel(channel);
        if known.is_some_and(|it| self.capacity(it) > 0) {
            return;
        }
        if let Some(place) = known
            && self.hand_over_at_once(id, edge, channel, place, message)
        {
            return self.jump(next);
        }
        self.channel(channel, 0);
        let other = self.mark();
        if known.is_none() {
            self.emit(Instr::IsRendezvous(1, 0));
            self.if_register(1, Comparison::Eq, 0, other);
        }
        self.emit(Instr::Fields(0, message.len() as u8));
        let mut register = 2;
        for value in message {
            self.expr(value, register);
            register = self.next(register);
        }
        let act = self.act(id);
        self.emit(Instr::Rendezvous(act, message.len() as u8));
        self.jump(next);
        self.set(other);
    }

    /// An edge as the second half of a rendezvous.
    pub(super) fn second(&mut self, id: EdgeId, edge: &Edge) -> Option<Second> {
        if !begins_with_receive(self.graph, edge) {
            return None;
        }
        let channel = match edge.effects.first() {
            Some(Effect::Receive { channel, .. }) => {
                let known = self.known_channel(channel);
                if known.is_some_and(|it| self.capacity(it) > 0) {
                    return None;
                }
                known.and(self.constant(channel)).map(|number| number as u32 - 1)
            }
            _ => None,
        };
        let wanted = channel.and(self.first_wanted(edge));
        let start = self.here();
        let blocked = self.mark();
        self.take(edge, blocked);
        self.move_to(edge);
        if let Some(slot) = self.packing.last_mover {
            self.emit(Instr::StoreConst(slot, self.pid as i32));
        }
        self.emit(Instr::Done);
        self.set(blocked);
        self.emit(Instr::Blocked);
        Some(Second { edge: id, code: start, channel, keeps_control: edge.keeps_control, group: edge.group, wanted })
    }

    /// The first field of the messages that an edge can take from a known channel, if it is a constant and nothing can go
    /// wrong before it is compared.
    fn first_wanted(&self, edge: &Edge) -> Option<i32> {
        let Some(Effect::Receive { channel, patterns, keep: false, .. }) = edge.effects.first() else { return None };
        let fields = &self.packing.messages[self.known_channel(channel)?.shape].fields;
        let Some(Pattern::Match(value)) = patterns.first() else { return None };
        let is_plain = edge.guard.is_true() && patterns.len() == fields.len();
        self.constant(value).filter(|_| is_plain)
    }

    /// Receives the message that is being handed over, or jumps.
    pub(super) fn take_over(&mut self, channel: &Expr, patterns: &[Pattern], keep: bool, blocked: Mark) {
        if patterns.len() > usize::from(REGISTERS) {
            return self.emit(Instr::Trouble);
        }
        if !self.at_once {
            self.channel(channel, 0);
            self.emit(Instr::IfOther(0, blocked.0));
        }
        if keep {
            return self.emit(Instr::Trouble);
        }
        if !self.at_once {
            self.emit(Instr::Fields(0, patterns.len() as u8));
        }
        for (field, pattern) in patterns.iter().enumerate() {
            let Pattern::Match(value) = pattern else { continue };
            let register = if self.at_once { HANDED + field as Reg } else { 1 };
            if !self.at_once {
                self.emit(Instr::Handed(register, field as u8));
            }
            if let Some(value) = self.constant(value) {
                self.if_register(register, Comparison::Ne, value, blocked);
                continue;
            }
            self.expr(value, 2);
            self.emit(Instr::IfRegs(register, Comparison::Ne, 2, blocked.0));
        }
        if self.has_exclusive {
            self.emit(Instr::Exclusive(self.pid as u8, 0, false));
        }
        let end = if self.at_once {
            self.fetch(patterns, 1, &|field, to| Instr::Move(to, HANDED + field))
        } else {
            self.fetch(patterns, 1, &|field, to| Instr::Handed(to, field))
        };
        self.keep_fields(patterns, 1, end);
    }
}
