//! Expressions as functions of a state: `model::semantics::eval`, for all states at once.
//!
//! `when` is where the value matters. What goes wrong elsewhere does not: the right side of `&&` matters only where the left side is true.
use diagram::Function;
use model::{BinaryOp, Expr, Mark, Pattern, Place, ProcessTypeId, Scope, Variable, VariableId};

use crate::cell::{Cell, ChannelRow, Owner, Slot};
use crate::encoding::{Changes, Encoding};
use crate::number::Number;
use crate::run::Mistake;
use crate::stop::{Result, Stop};
use crate::trouble::{Faults, Trouble};

/// Who evaluates, and under which assumptions.
#[derive(Clone, Copy)]
pub struct View<'a> {
    /// The cells and their bits.
    pub encoding: &'a Encoding<'a>,
    /// What the step has done so far.
    pub changes: &'a Changes,
    /// The process that evaluates; nobody for an invariant.
    pub me: Option<(Slot, ProcessTypeId)>,
    /// Whether nothing else can move.
    pub timeout: bool,
    /// The process that this step has created.
    pub spawned: Option<&'a Number>,
}

/// The element of an array, and where it is that one.
type Element = (u32, Function);

impl View<'_> {
    /// The value of an expression.
    pub fn eval(&self, expr: &Expr, when: &Function, faults: &mut Faults) -> Result<Number> {
        let numbers = self.encoding.numbers();
        if when.is_false() {
            return Ok(numbers.constant(0));
        }
        Ok(match expr {
            Expr::Constant(value) => numbers.constant(*value),
            Expr::Read(place) => self.read(place, when, faults)?,
            Expr::Unary(op, operand) => numbers.unary(*op, &self.eval(operand, when, faults)?)?,
            Expr::Binary(op @ (BinaryOp::And | BinaryOp::Or), left, right) => {
                let left = self.test(left, when, faults)?;
                let matters = if *op == BinaryOp::And { when.and(&left)? } else { when.minus(&left)? };
                let right = self.test(right, &matters, faults)?;
                numbers.truth(if *op == BinaryOp::And { left.and(&right)? } else { left.or(&right)? })
            }
            Expr::Binary(op, left, right) => {
                let (left, right) = (self.eval(left, when, faults)?, self.eval(right, when, faults)?);
                if matches!(op, BinaryOp::Div | BinaryOp::Rem) {
                    faults.add(Trouble::Division, &when.minus(&numbers.is_true(&right)?)?)?;
                }
                numbers.binary(*op, &left, &right)?
            }
            Expr::Conditional(condition, yes, no) => {
                let condition = self.test(condition, when, faults)?;
                let yes = self.eval(yes, &when.and(&condition)?, faults)?;
                let no = self.eval(no, &when.minus(&condition)?, faults)?;
                numbers.choose(&condition, &yes, &no)?
            }
            Expr::Length(channel) => self.length_of(channel, when, faults)?,
            Expr::Empty(channel) => {
                let length = self.length_of(channel, when, faults)?;
                numbers.truth(numbers.is(&length, 0)?)
            }
            Expr::Full(channel) => self.full(channel, when, faults)?,
            Expr::Poll { channel, patterns, anywhere } => self.poll(channel, patterns, *anywhere, when, faults)?,
            Expr::Me => numbers.constant(self.me.map_or(0, |it| it.0 as i32)),
            Expr::ProcessCount => self.encoding.process_count(self.changes)?,
            Expr::LastMover => self.encoding.read(self.changes, Cell::LastMover)?,
            Expr::LocationOf(process) => self.location_of(process, when, faults)?,
            Expr::Timeout => numbers.constant(i32::from(self.timeout)),
            Expr::AnyAt(mark) => numbers.truth(self.any_at(*mark)?),
            Expr::Spawned => self.spawned.cloned().unwrap_or_else(|| numbers.constant(0)),
            Expr::RemoteAt { process, instance, location } => {
                let mut at = self.encoding.constant(false);
                for (slot, here) in self.instances(*process, instance.as_deref(), when, faults)? {
                    let there = self.encoding.is_at(self.changes, slot, (*process, *location))?;
                    at = at.or(&here.and(&there)?)?;
                }
                numbers.truth(at)
            }
            Expr::RemoteRead { process, instance, variable, indices } => {
                self.remote_read(*process, instance.as_deref(), *variable, indices, when, faults)?
            }
            // These are refused before anything is evaluated.
            Expr::Enabled(_) | Expr::PriorityOf(_) => {
                return Err(Stop::refused("`enabled` and priorities", text::Span::default()));
            }
        })
    }

    /// Where an expression is not 0.
    pub fn test(&self, expr: &Expr, when: &Function, faults: &mut Faults) -> Result<Function> {
        let value = self.eval(expr, when, faults)?;
        self.encoding.numbers().is_true(&value)
    }

    // Variables.

    /// Whose variable a place is, and its declaration.
    pub fn declared(&self, place: &Place) -> (Owner, &Variable) {
        let (model, row) = (self.encoding.model, place.variable.0 as usize);
        match (place.scope, self.me) {
            (Scope::Local, Some((slot, ty))) => (Owner::Process(slot, ty), &model.process(ty).variables[row]),
            _ => (Owner::Global, &model.globals[row]),
        }
    }

    fn read(&self, place: &Place, when: &Function, faults: &mut Faults) -> Result<Number> {
        let (owner, variable) = self.declared(place);
        let elements = self.elements(variable, &place.indices, when, faults)?;
        self.one_of(owner, place.variable, &elements)
    }

    fn one_of(&self, owner: Owner, id: VariableId, elements: &[Element]) -> Result<Number> {
        let mut value = self.encoding.numbers().constant(0);
        for (element, here) in elements {
            let this = self.encoding.read(self.changes, Cell::Variable(owner, id, *element))?;
            value = self.encoding.numbers().choose(here, &this, &value)?;
        }
        Ok(value)
    }

    /// The elements that indices can mean, and where each is meant.
    pub fn elements(
        &self,
        variable: &Variable,
        indices: &[Expr],
        when: &Function,
        faults: &mut Faults,
    ) -> Result<Vec<Element>> {
        let numbers = self.encoding.numbers();
        let mut elements = vec![(0, self.encoding.constant(true))];
        let mut valid = when.clone();
        for (&size, index) in variable.dimensions.iter().zip(indices) {
            let index = self.eval(index, &valid, faults)?;
            let mut longer = Vec::new();
            let mut inside = self.encoding.constant(false);
            for row in 0..size {
                let here = numbers.is(&index, row as i32)?;
                if here.is_false() {
                    continue;
                }
                inside = inside.or(&here)?;
                for (element, condition) in &elements {
                    longer.push((element * size + row, condition.and(&here)?));
                }
            }
            faults.add(Trouble::Index, &valid.minus(&inside)?)?;
            valid = valid.and(&inside)?;
            elements = longer;
        }
        elements.retain(|it| !it.1.is_false());
        Ok(elements)
    }

    // Other processes.

    /// The slots that can be meant, and where each is.
    fn instances(
        &self,
        ty: ProcessTypeId,
        number: Option<&Expr>,
        when: &Function,
        faults: &mut Faults,
    ) -> Result<Vec<(Slot, Function)>> {
        let number = number.map(|it| self.eval(it, when, faults)).transpose()?;
        let mut list = Vec::new();
        let mut nobody_before = self.encoding.constant(true);
        for slot in 0..self.encoding.layout.slots() {
            let is_one = self.encoding.has_type(self.changes, slot, ty)?;
            let chosen = match &number {
                Some(number) => self.encoding.numbers().is(number, slot as i32)?,
                None => nobody_before.clone(),
            };
            nobody_before = nobody_before.minus(&is_one)?;
            let here = is_one.and(&chosen)?;
            if !here.is_false() {
                list.push((slot, here));
            }
        }
        Ok(list)
    }

    fn remote_read(
        &self,
        ty: ProcessTypeId,
        instance: Option<&Expr>,
        id: VariableId,
        indices: &[Expr],
        when: &Function,
        faults: &mut Faults,
    ) -> Result<Number> {
        let mut value = self.encoding.numbers().constant(0);
        let variable = &self.encoding.model.process(ty).variables[id.0 as usize];
        for (slot, here) in self.instances(ty, instance, when, faults)? {
            let elements = self.elements(variable, indices, &when.and(&here)?, faults)?;
            let this = self.one_of(Owner::Process(slot, ty), id, &elements)?;
            value = self.encoding.numbers().choose(&here, &this, &value)?;
        }
        Ok(value)
    }

    fn any_at(&self, mark: Mark) -> Result<Function> {
        let encoding = self.encoding;
        let mut any = encoding.constant(false);
        for (slot, controls) in encoding.layout.controls.iter().enumerate() {
            for &(ty, location) in controls {
                if encoding.model.process(ty).location(location).is_marked(mark) {
                    any = any.or(&encoding.is_at(self.changes, slot, (ty, location))?)?;
                }
            }
        }
        Ok(any)
    }

    fn location_of(&self, process: &Expr, when: &Function, faults: &mut Faults) -> Result<Number> {
        let (encoding, numbers) = (self.encoding, self.encoding.numbers());
        let process = self.eval(process, when, faults)?;
        let mut value = numbers.constant(0);
        for (slot, controls) in encoding.layout.controls.iter().enumerate() {
            let is_it = numbers.is(&process, slot as i32)?;
            if is_it.is_false() {
                continue;
            }
            for &(ty, location) in controls {
                let here = is_it.and(&encoding.is_at(self.changes, slot, (ty, location))?)?;
                let number = encoding.model.process(ty).location(location).number;
                value = numbers.choose(&here, &numbers.constant(number as i32), &value)?;
            }
        }
        Ok(value)
    }

    // Channels.

    /// The channels that an expression can name, and where it names each.
    pub fn channels(&self, expr: &Expr, when: &Function, faults: &mut Faults) -> Result<Vec<(ChannelRow, Function)>> {
        let (encoding, numbers) = (self.encoding, self.encoding.numbers());
        let number = self.eval(expr, when, faults)?;
        faults.add(Trouble::NoChannel, &when.and(&numbers.is(&number, 0)?)?)?;
        let mut list = Vec::new();
        let mut nothing = when.clone();
        for row in 0..encoding.layout.channels.len() {
            let mut here = numbers.equal(&number, &encoding.channel_number(self.changes, row)?)?;
            if !here.is_false() {
                here = here.and(&encoding.channel_exists(self.changes, row)?)?;
            }
            if !here.is_false() {
                nothing = nothing.minus(&here)?;
                list.push((row, here));
            }
        }
        faults.add(Trouble::DeadChannel, &nothing)?;
        Ok(list)
    }

    /// Messages that a channel can hold.
    pub fn capacity(&self, row: ChannelRow) -> u32 {
        self.encoding.model.shape(self.encoding.layout.channels[row].shape).capacity
    }

    /// Messages that there is room for.
    pub fn places(&self, row: ChannelRow) -> u32 {
        self.encoding.layout.channels[row].places
    }

    /// Messages that a channel holds.
    pub fn length(&self, row: ChannelRow) -> Result<Number> {
        self.encoding.read(self.changes, Cell::Length(row))
    }

    fn length_of(&self, channel: &Expr, when: &Function, faults: &mut Faults) -> Result<Number> {
        let mut value = self.encoding.numbers().constant(0);
        for (row, here) in self.channels(channel, when, faults)? {
            value = self.encoding.numbers().choose(&here, &self.length(row)?, &value)?;
        }
        Ok(value)
    }

    fn full(&self, channel: &Expr, when: &Function, faults: &mut Faults) -> Result<Number> {
        let mut full = self.encoding.constant(false);
        for (row, here) in self.channels(channel, when, faults)? {
            full = full.or(&here.and(&self.is_full(row)?)?)?;
        }
        Ok(self.encoding.numbers().truth(full))
    }

    /// Where no more fits into a channel.
    pub fn is_full(&self, row: ChannelRow) -> Result<Function> {
        match self.capacity(row) {
            0 => Ok(self.encoding.constant(false)),
            capacity if capacity > 1 && self.encoding.mistake == Some(Mistake::ShortQueue) => {
                self.encoding.numbers().is(&self.length(row)?, capacity as i32 - 1)
            }
            capacity => self.encoding.numbers().is(&self.length(row)?, capacity as i32),
        }
    }

    /// The fields of a message.
    pub fn message(&self, row: ChannelRow, place: u32) -> Result<Vec<Number>> {
        let fields = self.encoding.model.shape(self.encoding.layout.channels[row].shape).fields.len() as u32;
        (0..fields).map(|field| self.encoding.read(self.changes, Cell::Field(row, place, field))).collect()
    }

    fn poll(
        &self,
        channel: &Expr,
        patterns: &[Pattern],
        anywhere: bool,
        when: &Function,
        faults: &mut Faults,
    ) -> Result<Number> {
        let mut found = self.encoding.constant(false);
        for (row, here) in self.channels(channel, when, faults)? {
            let here = here.and(when)?;
            if self.capacity(row) == 0 {
                faults.add(Trouble::RendezvousPoll, &here)?;
                continue;
            }
            for (_, hit) in self.find(row, patterns, anywhere, false, &here, faults)? {
                found = found.or(&hit)?;
            }
        }
        Ok(self.encoding.numbers().truth(found))
    }

    /// The places of the message that a receive would take, and where each is the one.
    pub fn find(
        &self,
        row: ChannelRow,
        patterns: &[Pattern],
        anywhere: bool,
        fits: bool,
        when: &Function,
        faults: &mut Faults,
    ) -> Result<Vec<(u32, Function)>> {
        let length = self.length(row)?;
        let candidates = if anywhere { self.places(row) } else { 1 };
        let mut searching = when.clone();
        let mut list = Vec::new();
        for place in 0..candidates {
            let there = self.encoding.numbers().less(&self.encoding.numbers().constant(place as i32), &length)?;
            searching = searching.and(&there)?;
            let message = self.message(row, place)?;
            let mut hit = self.matches(patterns, &message, &searching, faults)?;
            searching = searching.minus(&hit)?;
            if fits && patterns.len() != message.len() {
                faults.add(Trouble::MessageLength, &hit)?;
                hit = self.encoding.constant(false);
            }
            if !hit.is_false() {
                list.push((place, hit));
            }
        }
        Ok(list)
    }

    /// Where a message has the values that a receive wants.
    pub fn matches(
        &self,
        patterns: &[Pattern],
        message: &[Number],
        when: &Function,
        faults: &mut Faults,
    ) -> Result<Function> {
        let mut same = when.clone();
        for (pattern, field) in patterns.iter().zip(message) {
            if let Pattern::Match(value) = pattern {
                let value = self.eval(value, &same, faults)?;
                same = same.minus(&faults.any)?;
                same = same.and(&self.encoding.numbers().equal(&value, field)?)?;
            }
        }
        Ok(same)
    }
}
