//! Values of expressions in a state.
use super::{
    Fault, Semantics, State,
    layout::{LENGTH, message_bytes},
};
use crate::{BinaryOp, Expr, Mark, Pattern, Place, ProcessTypeId, Scope, ShapeId, Variable, VariableId};

/// Who looks at a condition that belongs to no process. To itself it is number 0, as a claim of SPIN is.
pub(super) const NOBODY: usize = usize::MAX;

/// Who evaluates, and under which assumptions.
#[derive(Clone, Copy)]
pub(super) struct View<'a> {
    pub system: &'a Semantics<'a>,
    pub state: &'a State,
    /// The process that evaluates.
    pub me: usize,
    /// Whether nothing else can move.
    pub timeout: bool,
    /// The process that this step has created.
    pub spawned: i32,
    /// How many processes have asked for others, one because of the other.
    pub asking: usize,
}

/// Where a variable lies: its first byte, and what it holds.
pub(super) struct Slot {
    pub at: u32,
    pub ty: crate::Type,
}

impl<'a> View<'a> {
    pub fn eval(&self, expr: &Expr) -> Result<i32, Fault> {
        Ok(match expr {
            Expr::Constant(value) => *value,
            Expr::Read(place) => {
                let slot = self.slot(place)?;
                self.state.read(slot.at, slot.ty)
            }
            Expr::Unary(op, operand) => op.apply(self.eval(operand)?),
            Expr::Binary(BinaryOp::And, left, right) => i32::from(self.test(left)? && self.test(right)?),
            Expr::Binary(BinaryOp::Or, left, right) => i32::from(self.test(left)? || self.test(right)?),
            Expr::Binary(op, left, right) => {
                op.apply(self.eval(left)?, self.eval(right)?).ok_or(Fault::DivisionByZero)?
            }
            Expr::Conditional(condition, yes, no) => self.eval(if self.test(condition)? { yes } else { no })?,
            Expr::Length(channel) => self.length(self.channel(channel)?) as i32,
            Expr::Full(channel) => i32::from(self.is_full(self.channel(channel)?)),
            Expr::Empty(channel) => i32::from(self.length(self.channel(channel)?) == 0),
            Expr::Poll { channel, patterns, anywhere } => i32::from(self.poll(channel, patterns, *anywhere)?),
            Expr::Me => i32::try_from(self.me).unwrap_or(0),
            Expr::ProcessCount => self.state.process_count() as i32,
            Expr::LastMover => self.system.layout.last_mover.map_or(0, |at| i32::from(self.state.bytes[at as usize])),
            Expr::Enabled(process) => i32::from(self.enabled(self.eval(process)?)?),
            Expr::LocationOf(process) => self.location_number(self.eval(process)?),
            Expr::PriorityOf(process) => {
                let process = self.existing(self.eval(process)?);
                process.map_or(0, |it| self.state.priority_of(it, &self.system.layout))
            }
            Expr::Timeout => i32::from(self.timeout),
            Expr::AnyAt(mark) => i32::from(self.any_at(*mark)),
            Expr::Spawned => self.spawned,
            Expr::RemoteAt { process, instance, location } => {
                let instance = self.instance(*process, instance.as_deref())?;
                i32::from(instance.is_some_and(|it| self.state.location_of(it) == *location))
            }
            Expr::RemoteRead { process, instance, variable, indices } => {
                self.remote_read(*process, instance.as_deref(), *variable, indices)?
            }
        })
    }

    fn any_at(&self, mark: Mark) -> bool {
        let (model, state) = (self.system.model, self.state);
        let location = |it: usize| model.process(state.type_of(it)).location(state.location_of(it));
        (0..state.process_count()).any(|it| location(it).is_marked(mark))
    }

    pub fn test(&self, expr: &Expr) -> Result<bool, Fault> {
        Ok(self.eval(expr)? != 0)
    }

    /// Where a place lies in the state.
    pub fn slot(&self, place: &Place) -> Result<Slot, Fault> {
        let row = place.variable.0 as usize;
        let (owner, variable, start) = match place.scope {
            Scope::Global => (None, &self.system.model.globals[row], self.system.layout.globals.variables[row]),
            Scope::Local => {
                let process = self.state.type_of(self.me);
                let offset = self.system.layout.processes[process.0 as usize].variables[row];
                let variable = &self.system.model.process(process).variables[row];
                (Some(process), variable, self.state.processes[self.me] + offset)
            }
        };
        if place.indices.is_empty() {
            return Ok(Slot { at: start, ty: variable.ty });
        }
        let element = self.element(owner, place.variable, variable, &place.indices)?;
        Ok(Slot { at: start + element * variable.ty.size() as u32, ty: variable.ty })
    }

    /// The number of an element, counted row by row.
    fn element(
        &self,
        owner: Option<ProcessTypeId>,
        id: VariableId,
        variable: &Variable,
        indices: &[Expr],
    ) -> Result<u32, Fault> {
        let mut element = 0;
        for (&size, index) in variable.dimensions.iter().zip(indices) {
            let index = self.eval(index)?;
            if index < 0 || index as u32 >= size {
                return Err(Fault::Index { owner, variable: id, index, size });
            }
            element = element * size + index as u32;
        }
        Ok(element)
    }

    fn existing(&self, process: i32) -> Option<usize> {
        usize::try_from(process).ok().filter(|&it| it < self.state.process_count())
    }

    fn location_number(&self, process: i32) -> i32 {
        self.existing(process).map_or(0, |it| {
            let location = self.state.location_of(it);
            self.system.model.process(self.state.type_of(it)).location(location).number as i32
        })
    }

    fn enabled(&self, process: i32) -> Result<bool, Fault> {
        if i32::try_from(self.me) == Ok(process) || self.asking > self.state.process_count() {
            return Err(Fault::EnabledSelf);
        }
        let can_move = |it| self.system.can_move(self.state, it, self.timeout, self.asking + 1);
        self.existing(process).map_or(Ok(false), can_move)
    }

    fn instance(&self, ty: ProcessTypeId, number: Option<&Expr>) -> Result<Option<usize>, Fault> {
        let of_type = |&it: &usize| self.state.type_of(it) == ty;
        Ok(match number {
            Some(number) => self.existing(self.eval(number)?).filter(of_type),
            None => (0..self.state.process_count()).find(of_type),
        })
    }

    fn remote_read(
        &self,
        ty: ProcessTypeId,
        instance: Option<&Expr>,
        id: VariableId,
        indices: &[Expr],
    ) -> Result<i32, Fault> {
        let Some(process) = self.instance(ty, instance)? else { return Ok(0) };
        let variable = &self.system.model.process(ty).variables[id.0 as usize];
        let element = self.element(Some(ty), id, variable, indices)?;
        let offset = self.system.layout.processes[ty.0 as usize].variables[id.0 as usize];
        let at = self.state.processes[process] + offset + element * variable.ty.size() as u32;
        Ok(self.state.read(at, variable.ty))
    }

    // Channels.

    /// The row of the channel that an expression names.
    pub fn channel(&self, expr: &Expr) -> Result<usize, Fault> {
        match self.eval(expr)? {
            0 => Err(Fault::NoChannel),
            number if (1..=self.state.channel_count() as i32).contains(&number) => Ok(number as usize - 1),
            _ => Err(Fault::DeadChannel),
        }
    }

    pub fn shape(&self, channel: usize) -> &'a crate::ChannelShape {
        self.system.model.shape(self.shape_id(channel))
    }

    fn shape_id(&self, channel: usize) -> ShapeId {
        self.state.channels[channel].1
    }

    pub fn length(&self, channel: usize) -> u32 {
        if self.shape(channel).capacity == 0 {
            return 0;
        }
        self.state.read_u16(self.state.channels[channel].0)
    }

    pub fn is_full(&self, channel: usize) -> bool {
        self.length(channel) == self.shape(channel).capacity && self.shape(channel).capacity > 0
    }

    /// The fields of a message.
    pub fn message(&self, channel: usize, slot: u32) -> impl ExactSizeIterator<Item = i32> + use<'a> {
        let shape = self.shape(channel);
        let mut at = self.state.channels[channel].0 + LENGTH + slot * message_bytes(shape);
        let state = self.state;
        shape.fields.iter().map(move |&field| {
            let value = state.read(at, field);
            at += field.size() as u32;
            value
        })
    }

    fn poll(&self, channel: &Expr, patterns: &[Pattern], anywhere: bool) -> Result<bool, Fault> {
        let channel = self.channel(channel)?;
        if self.shape(channel).capacity == 0 {
            return Err(Fault::RendezvousPoll);
        }
        let slots = self.candidates(channel, anywhere);
        Ok(self.find(slots, |slot| self.matches(patterns, self.message(channel, slot)))?.is_some())
    }

    /// The slot of the message that a receive would take.
    pub fn find_message(&self, channel: usize, patterns: &[Pattern], anywhere: bool) -> Result<Option<u32>, Fault> {
        self.find(self.candidates(channel, anywhere), |slot| self.fits(patterns, self.message(channel, slot)))
    }

    fn candidates(&self, channel: usize, anywhere: bool) -> std::ops::Range<u32> {
        let length = self.length(channel);
        0..if anywhere { length } else { length.min(1) }
    }

    fn find(
        &self,
        slots: std::ops::Range<u32>,
        test: impl Fn(u32) -> Result<bool, Fault>,
    ) -> Result<Option<u32>, Fault> {
        for slot in slots {
            if test(slot)? {
                return Ok(Some(slot));
            }
        }
        Ok(None)
    }

    /// Whether a message can be received; one that matches but has more or fewer fields is a fault.
    pub fn fits(&self, patterns: &[Pattern], message: impl ExactSizeIterator<Item = i32>) -> Result<bool, Fault> {
        let fault = Fault::MessageLength { given: patterns.len() as u32, wanted: message.len() as u32 };
        let same_length = patterns.len() == message.len();
        match self.matches(patterns, message)? {
            true if !same_length => Err(fault),
            matched => Ok(matched),
        }
    }

    pub fn matches(&self, patterns: &[Pattern], message: impl Iterator<Item = i32>) -> Result<bool, Fault> {
        for (pattern, field) in patterns.iter().zip(message) {
            if let Pattern::Match(value) = pattern
                && self.eval(value)? != field
            {
                return Ok(false);
            }
        }
        Ok(true)
    }
}
