//! What the effects of a step do to a state.
use super::eval::View;
use super::layout::{LENGTH, message_bytes};
use super::monitor::Observation;
use super::{Event, Failure, FailureKind, Fault, Semantics, State};
use crate::{
    ChannelShape, Direction, Edge, EdgeId, Effect, Expr, Initial, LocationId, Pattern, Place, ProcessTypeId, Variable,
};

/// Steps after which an indivisible region is taken to run for ever.
const ENDLESS: u32 = 1_000_000;

/// The most processes and the most channels that can exist at once.
pub const MOST_AT_ONCE: usize = 255;

/// A message that waits for the other half of a rendezvous.
pub(super) struct Handshake {
    pub channel: usize,
    pub message: Vec<i32>,
}

/// One step in the making: `state` is changed in place.
pub(super) struct Execution<'a> {
    pub system: &'a Semantics<'a>,
    pub state: &'a mut State,
    pub me: usize,
    pub timeout: bool,
    pub spawned: i32,
    pub asking: usize,
    /// The message to be received, when this is the second half of a rendezvous.
    pub handshake: Option<&'a Handshake>,
    pub failures: &'a mut Vec<Failure>,
    pub events: &'a mut Vec<Event>,
    pub process: ProcessTypeId,
    pub edge: EdgeId,
}

/// Whether an effect happened or has to wait.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Progress {
    Done,
    Blocked,
}

impl<'a> Execution<'a> {
    pub fn view(&self) -> View<'_> {
        let Execution { system, me, timeout, spawned, asking, .. } = *self;
        View { system, state: self.state, me, timeout, spawned, asking }
    }

    fn shape(&self, channel: usize) -> &'a ChannelShape {
        self.system.model.shape(self.state.channels[channel].1)
    }

    /// Takes an edge: guard, effects, and the move to its target.
    pub fn take(&mut self, id: EdgeId) -> Result<Progress, Fault> {
        let edge = self.system.model.process(self.process).edge(id);
        self.edge = id;
        if !edge.guard.is_true() && !self.view().test(&edge.guard)? {
            return Ok(Progress::Blocked);
        }
        for effect in &edge.effects {
            if self.effect(effect, edge.target)? == Progress::Blocked {
                return Ok(Progress::Blocked);
            }
        }
        if let Some(target) = edge.target
            && !matches!(edge.effects.last(), Some(Effect::Indivisible(_)))
        {
            self.state.set_location(self.me, target);
        }
        self.system.forget(self.state, self.me, edge);
        Ok(Progress::Done)
    }

    fn effect(&mut self, effect: &Effect, target: Option<LocationId>) -> Result<Progress, Fault> {
        match effect {
            Effect::Assign(place, value) => {
                let value = self.view().eval(value)?;
                self.store(place, value)?;
            }
            Effect::Evaluate(expr) => drop(self.view().eval(expr)?),
            Effect::Require(expr) if !self.view().test(expr)? => return Ok(Progress::Blocked),
            Effect::Require(_) => {}
            Effect::Send { channel, message, sorted } => return self.send(channel, message, *sorted),
            Effect::Receive { channel, patterns, anywhere, keep } => {
                return self.receive(channel, patterns, *anywhere, *keep);
            }
            Effect::Assert(condition) if !self.view().test(condition)? => self.fail(FailureKind::Assertion),
            Effect::Assert(_) => {}
            Effect::Print(parts) => self.print(parts)?,
            Effect::Spawn { process, arguments, priority } => self.spawn_from(*process, arguments, priority)?,
            Effect::SetPriority(process, priority) => self.set_priority(process, priority)?,
            Effect::Indivisible(entry) => return self.indivisible(*entry, target),
            Effect::Terminate => return Ok(self.terminate()),
        }
        Ok(Progress::Done)
    }

    pub fn fail(&mut self, kind: FailureKind) {
        self.failures.push(Failure { kind, process: self.process, edge: self.edge });
    }

    fn store(&mut self, place: &Place, value: i32) -> Result<(), Fault> {
        let slot = self.view().slot(place)?;
        self.state.write(slot.at, slot.ty, value);
        Ok(())
    }

    // Processes.

    fn spawn_from(&mut self, process: ProcessTypeId, arguments: &[Expr], priority: &Expr) -> Result<(), Fault> {
        let values: Vec<i32> = arguments.iter().map(|it| self.view().eval(it)).collect::<Result<_, _>>()?;
        let priority = self.view().eval(priority)?;
        self.spawned = self.system.spawn(self.state, process, &values, priority)? as i32;
        Ok(())
    }

    fn set_priority(&mut self, process: &Expr, priority: &Expr) -> Result<(), Fault> {
        let process = self.view().eval(process)?;
        let priority = self.view().eval(priority)?;
        if !(1..=255).contains(&priority) {
            return Err(Fault::PriorityRange(priority));
        }
        if (0..self.state.process_count() as i32).contains(&process) {
            self.state.set_priority(process as usize, priority);
        }
        Ok(())
    }

    fn terminate(&mut self) -> Progress {
        if self.me + 1 != self.state.process_count() {
            return Progress::Blocked;
        }
        let frame = &self.system.layout.processes[self.process.0 as usize];
        self.state.pop_frame(frame);
        Progress::Done
    }

    // Indivisible regions.

    fn indivisible(&mut self, entry: LocationId, target: Option<LocationId>) -> Result<Progress, Fault> {
        let outer = self.edge;
        let graph = self.system.model.process(self.process);
        let mut here = entry;
        for step in 0..ENDLESS {
            match self.first_possible(here)? {
                Some(next) if graph.location(next).internal => here = next,
                Some(_) => {
                    self.edge = outer;
                    target.into_iter().for_each(|target| self.state.set_location(self.me, target));
                    return Ok(Progress::Done);
                }
                None if step == 0 => return Ok(Progress::Blocked),
                None => {
                    self.edge = EdgeId(graph.location(here).first_edge);
                    return Err(Fault::BlockedInside);
                }
            }
        }
        Err(Fault::EndlessInside)
    }

    /// Takes the first edge that is possible; the region's own locations need not be stored.
    fn first_possible(&mut self, here: LocationId) -> Result<Option<LocationId>, Fault> {
        let graph = self.system.model.process(self.process);
        for (id, edge) in graph.outgoing(here) {
            if self.handshake.is_some() && !matches!(edge.effects.first(), Some(Effect::Receive { .. })) {
                continue;
            }
            if self.take(id)? == Progress::Done {
                self.handshake = None;
                return Ok(edge.target);
            }
        }
        Ok(None)
    }

    // Messages.

    fn send(&mut self, channel: &Expr, message: &[Expr], sorted: bool) -> Result<Progress, Fault> {
        let channel = self.view().channel(channel)?;
        if self.shape(channel).capacity == 0 {
            return Err(Fault::RendezvousInside);
        }
        let is_full = self.view().is_full(channel);
        if is_full && !self.system.loses {
            return Ok(Progress::Blocked);
        }
        let message = self.view().new_message(channel, message)?;
        self.check_exclusive(Direction::Send, channel);
        self.observe(Direction::Send, channel, &message);
        let slot = (!is_full).then(|| self.insert(channel, &message, sorted));
        self.tell(Direction::Send, channel, slot, &message, false);
        Ok(Progress::Done)
    }

    /// Puts a message into a channel with room; returns which one it is there.
    fn insert(&mut self, channel: usize, message: &[i32], sorted: bool) -> u32 {
        let length = self.view().length(channel);
        let greater = |slot: &u32| self.view().message(channel, *slot).gt(message.iter().copied());
        let slot = if sorted { (0..length).find(greater).unwrap_or(length) } else { length };
        let shape = self.shape(channel);
        let size = message_bytes(shape) as usize;
        let first = (self.state.channels[channel].0 + LENGTH) as usize;
        let (from, to) = (first + slot as usize * size, first + length as usize * size);
        self.state.bytes.copy_within(from..to, from + size);
        let mut at = from as u32;
        for (&field, &value) in shape.fields.iter().zip(message) {
            self.state.write(at, field, value);
            at += field.size() as u32;
        }
        self.state.write_u16(self.state.channels[channel].0, length + 1);
        slot
    }

    fn receive(&mut self, channel: &Expr, patterns: &[Pattern], anywhere: bool, keep: bool) -> Result<Progress, Fault> {
        let channel = self.view().channel(channel)?;
        match self.handshake {
            Some(handshake) if handshake.channel != channel => Ok(Progress::Blocked),
            _ if keep && self.shape(channel).capacity == 0 => Err(Fault::RendezvousPoll),
            Some(handshake) => self.receive_handshake(handshake, patterns),
            None => self.receive_buffered(channel, patterns, anywhere, keep),
        }
    }

    fn receive_handshake(&mut self, handshake: &Handshake, patterns: &[Pattern]) -> Result<Progress, Fault> {
        if !self.view().fits(patterns, handshake.message.iter().copied())? {
            return Ok(Progress::Blocked);
        }
        self.check_exclusive(Direction::Receive, handshake.channel);
        self.observe(Direction::Receive, handshake.channel, &handshake.message);
        self.tell(Direction::Receive, handshake.channel, Some(0), &handshake.message, false);
        self.accept(patterns, &handshake.message)
    }

    fn receive_buffered(
        &mut self,
        channel: usize,
        patterns: &[Pattern],
        anywhere: bool,
        keep: bool,
    ) -> Result<Progress, Fault> {
        if self.view().length(channel) == 0 {
            return Ok(Progress::Blocked);
        }
        let Some(slot) = self.view().find_message(channel, patterns, anywhere)? else { return Ok(Progress::Blocked) };
        let message: Vec<i32> = self.view().message(channel, slot).collect();
        self.check_exclusive(Direction::Receive, channel);
        self.tell(Direction::Receive, channel, Some(slot), &message, keep);
        // A look at a message is no event for a monitor.
        if !keep {
            self.remove(channel, slot);
            self.observe(Direction::Receive, channel, &message);
        }
        self.accept(patterns, &message)
    }

    fn accept(&mut self, patterns: &[Pattern], message: &[i32]) -> Result<Progress, Fault> {
        for (pattern, &value) in patterns.iter().zip(message) {
            if let Pattern::Store(place) = pattern {
                self.store(place, value)?;
            }
        }
        Ok(Progress::Done)
    }

    fn remove(&mut self, channel: usize, slot: u32) {
        let length = self.view().length(channel) as usize;
        let size = message_bytes(self.shape(channel)) as usize;
        let first = (self.state.channels[channel].0 + LENGTH) as usize;
        let end = first + length * size;
        self.state.bytes.copy_within(first + (slot as usize + 1) * size..end, first + slot as usize * size);
        self.state.bytes[end - size..end].fill(0);
        self.state.write_u16(self.state.channels[channel].0, length as u32 - 1);
    }

    /// Has somebody else declared this use of the channel his own?
    pub fn check_exclusive(&mut self, direction: Direction, channel: usize) {
        if !self.system.has_exclusive {
            return;
        }
        let owns = |&other: &usize| {
            let view = View { me: other, ..self.view() };
            let declared = &self.system.model.process(self.state.type_of(other)).exclusive;
            declared.iter().any(|it| it.direction == direction && view.channel(&it.channel) == Ok(channel))
        };
        let me = self.me;
        if let Some(owner) = (0..self.state.process_count()).filter(|&other| other != me).find(owns) {
            self.fail(FailureKind::Exclusive { owner: owner as u8 });
        }
    }

    /// Tells the monitor of a message.
    pub fn observe(&mut self, direction: Direction, channel: usize, message: &[i32]) {
        let (Some(monitor), Some(at)) = (&self.system.model.monitor, self.system.layout.monitor) else { return };
        let here = LocationId(self.state.read_u16(at));
        let (next, failure) = match self.system.observe(monitor, &self.view(), here, direction, channel, message) {
            Observation::Ignored => return,
            Observation::Moves(next) => {
                let complete = monitor.forbidden && monitor.graph.location(next).edge_count == 0;
                (next, complete.then_some(FailureKind::MonitorComplete))
            }
            Observation::Mismatch(next) => (next, (!monitor.forbidden).then_some(FailureKind::MonitorMismatch)),
        };
        self.state.write_u16(at, next.0);
        failure.into_iter().for_each(|kind| self.fail(kind));
    }
}

impl View<'_> {
    /// The fields of a message as the channel keeps them.
    pub fn new_message(&self, channel: usize, values: &[Expr]) -> Result<Vec<i32>, Fault> {
        let fields = &self.shape(channel).fields;
        if values.len() != fields.len() {
            return Err(Fault::MessageLength { given: values.len() as u32, wanted: fields.len() as u32 });
        }
        fields.iter().zip(values).map(|(field, value)| Ok(field.truncate(self.eval(value)?))).collect()
    }
}

impl Semantics<'_> {
    /// Clears the variables that nobody will look at after a step.
    pub(super) fn forget(&self, state: &mut State, me: usize, edge: &Edge) {
        if edge.target.is_none() {
            return;
        }
        let ty = state.type_of(me);
        for variable in edge.forgets.iter().map(|it| it.0 as usize) {
            let start = (state.processes[me] + self.layout.processes[ty.0 as usize].variables[variable]) as usize;
            let declared = &self.model.process(ty).variables[variable];
            state.bytes[start..start + declared.elements() * declared.ty.size()].fill(0);
        }
    }

    /// Creates a process and returns its number.
    pub(super) fn spawn(
        &self,
        state: &mut State,
        ty: ProcessTypeId,
        arguments: &[i32],
        priority: i32,
    ) -> Result<usize, Fault> {
        let frame = &self.layout.processes[ty.0 as usize];
        let process = self.model.process(ty);
        let (me, channels) = (state.process_count(), state.channel_count());
        if me >= MOST_AT_ONCE {
            return Err(Fault::TooManyProcesses);
        }
        if channels + frame.channels.len() > MOST_AT_ONCE {
            return Err(Fault::TooManyChannels);
        }
        let base = state.push_frame(frame);
        state.bytes[base as usize] = ty.0 as u8;
        state.set_location(me, process.entry);
        if self.layout.priorities {
            state.set_priority(me, priority);
        }
        for ((variable, &at), &value) in process.variables.iter().zip(&frame.variables).zip(arguments) {
            state.write(base + at, variable.ty, value);
        }
        self.initialise(state, &process.variables, &frame.variables, base, me, channels)?;
        Ok(me)
    }

    /// Gives variables their first values; `channels` is how many channels existed before.
    pub(super) fn initialise(
        &self,
        state: &mut State,
        variables: &[Variable],
        offsets: &[u32],
        base: u32,
        me: usize,
        mut channels: usize,
    ) -> Result<(), Fault> {
        for (variable, &offset) in variables.iter().zip(offsets) {
            for element in 0..variable.elements() {
                let value = match &variable.initial {
                    Initial::Zero => break,
                    Initial::Values(values) => {
                        let value = &values[element.min(values.len() - 1)];
                        View { system: self, state, me, timeout: false, spawned: 0, asking: 0 }.eval(value)?
                    }
                    Initial::Channels(_) => {
                        channels += 1;
                        channels as i32
                    }
                };
                state.write(base + offset + (element * variable.ty.size()) as u32, variable.ty, value);
            }
        }
        Ok(())
    }
}
