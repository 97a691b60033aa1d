//! A model and a layout of its states: reading and writing cells as functions, and states as bits.
use std::collections::BTreeMap;

use diagram::{Function, Space};
use model::semantics::{Semantics, State};
use model::{Model, ProcessTypeId, Type, VariableId};

use crate::cell::{Cell, ChannelRow, Domain, Owner, Slot};
use crate::layout::{Control, Layout};
use crate::number::{Arithmetic, Number};
use crate::run::Mistake;
use crate::stop::Result;

/// What steps have made of cells: per cell its bits, as functions of the state in which they began.
pub type Changes = BTreeMap<Cell, Vec<Function>>;

/// A model, its layout, and the functions of it.
pub struct Encoding<'a> {
    /// The model.
    pub model: &'a Model,
    /// Its cells.
    pub layout: &'a Layout,
    /// Where functions live.
    pub space: &'a Space,
    /// A deliberate mistake, for tests of the tests.
    pub mistake: Option<Mistake>,
}

impl<'a> Encoding<'a> {
    /// Makes numbers.
    pub fn numbers(&self) -> Arithmetic<'a> {
        Arithmetic { space: self.space }
    }

    /// True or false in all states.
    pub fn constant(&self, value: bool) -> Function {
        self.space.constant(value)
    }

    /// The bits of a cell after some changes.
    pub fn bits(&self, changes: &Changes, cell: Cell) -> Result<Vec<Function>> {
        if let Some(bits) = changes.get(&cell) {
            return Ok(bits.clone());
        }
        self.layout.bits[&cell].iter().map(|&bit| Ok(self.space.current(bit)?)).collect()
    }

    /// The value of a cell after some changes.
    pub fn read(&self, changes: &Changes, cell: Cell) -> Result<Number> {
        let Some(domain) = self.layout.cells.get(&cell) else { return Ok(self.numbers().constant(0)) };
        let bits = self.bits(changes, cell)?;
        match domain {
            Domain::Unsigned(_) => Ok(self.numbers().unsigned(bits)),
            Domain::Signed(_) => Ok(Number::new(bits)),
            Domain::Listed(values) => self.listed(values, bits),
        }
    }

    fn listed(&self, values: &[i32], bits: Vec<Function>) -> Result<Number> {
        let code = self.numbers().unsigned(bits);
        let mut value = self.numbers().constant(values.first().copied().unwrap_or(0));
        for (row, &other) in values.iter().enumerate().skip(1) {
            let is_other = self.numbers().is(&code, row as i32)?;
            value = self.numbers().choose(&is_other, &self.numbers().constant(other), &value)?;
        }
        Ok(value)
    }

    /// The bits of a cell that holds a number, and where the cell cannot hold it.
    pub fn coded(&self, cell: Cell, value: &Number) -> Result<(Vec<Function>, Function)> {
        let numbers = self.numbers();
        let values = match &self.layout.cells[&cell] {
            Domain::Unsigned(bits) => return Ok((numbers.kept(value, *bits), numbers.beyond(value, *bits, false)?)),
            Domain::Signed(bits) => return Ok((numbers.kept(value, *bits), numbers.beyond(value, *bits, true)?)),
            Domain::Listed(values) => values,
        };
        let (mut bits, mut missing) = (vec![self.constant(false); self.layout.bits[&cell].len()], self.constant(true));
        for (row, &listed) in values.iter().enumerate() {
            let here = numbers.is(value, listed)?;
            missing = missing.minus(&here)?;
            for (_, function) in bits.iter_mut().enumerate().filter(|it| row >> it.0 & 1 == 1) {
                *function = function.or(&here)?;
            }
        }
        Ok((bits, missing))
    }

    /// The bits of a number that does not depend on the state.
    pub fn code(&self, cell: Cell, code: u32) -> Vec<Function> {
        (0..self.layout.bits[&cell].len()).map(|row| self.constant(code >> row & 1 == 1)).collect()
    }

    /// Where a cell has a code.
    pub fn has_code(&self, changes: &Changes, cell: Cell, code: u32) -> Result<Function> {
        let mut same = self.constant(true);
        for (row, bit) in self.bits(changes, cell)?.iter().enumerate() {
            same = if code >> row & 1 == 1 { same.and(bit)? } else { same.minus(bit)? };
        }
        Ok(same)
    }

    // Processes.

    /// Where the process of a slot is at a place.
    pub fn is_at(&self, changes: &Changes, slot: Slot, control: Control) -> Result<Function> {
        match self.layout.code(slot, control) {
            Some(code) => self.has_code(changes, Cell::Location(slot), code),
            None => Ok(self.constant(false)),
        }
    }

    /// Where a slot has a process of a type.
    pub fn has_type(&self, changes: &Changes, slot: Slot, ty: ProcessTypeId) -> Result<Function> {
        let mut any = self.constant(false);
        for &control in self.layout.controls[slot].iter().filter(|it| it.0 == ty) {
            any = any.or(&self.is_at(changes, slot, control)?)?;
        }
        Ok(any)
    }

    /// Where a slot has a process.
    pub fn exists(&self, changes: &Changes, slot: Slot) -> Result<Function> {
        match slot < self.layout.slots() {
            true => Ok(self.has_code(changes, Cell::Location(slot), 0)?.not()),
            false => Ok(self.constant(false)),
        }
    }

    /// How many processes there are.
    pub fn process_count(&self, changes: &Changes) -> Result<Number> {
        let mut count = self.numbers().constant(0);
        for slot in 0..self.layout.slots() {
            let one = self.numbers().truth(self.exists(changes, slot)?);
            count = self.numbers().add(&count, &one)?;
        }
        Ok(count)
    }

    // Channels.

    /// The number of a channel.
    pub fn channel_number(&self, changes: &Changes, row: ChannelRow) -> Result<Number> {
        let channel = self.layout.channels[row];
        let within = self.numbers().constant(channel.index as i32 + 1);
        match channel.owner {
            Owner::Global => Ok(within),
            Owner::Process(slot, _) => self.numbers().add(&self.channels_below(changes, slot)?, &within),
        }
    }

    /// How many channels are older than the process of a slot.
    pub fn channels_below(&self, changes: &Changes, slot: Slot) -> Result<Number> {
        let numbers = self.numbers();
        let mut count = numbers.constant(self.layout.channels_of(Owner::Global).count() as i32);
        for below in 0..slot {
            let each = |ty: &ProcessTypeId| crate::layout::channel_count(self.model, *ty) as i32;
            let types = &self.layout.types[below];
            let mut own = numbers.constant(types.first().map_or(0, each));
            for ty in types.iter().skip(1).filter(|it| each(it) != each(&types[0])) {
                let is_it = self.has_type(changes, below, *ty)?;
                own = numbers.choose(&is_it, &numbers.constant(each(ty)), &own)?;
            }
            count = numbers.add(&count, &own)?;
        }
        Ok(count)
    }

    /// Where a channel exists.
    pub fn channel_exists(&self, changes: &Changes, row: ChannelRow) -> Result<Function> {
        match self.layout.channels[row].owner {
            Owner::Global => Ok(self.constant(true)),
            Owner::Process(slot, ty) => self.has_type(changes, slot, ty),
        }
    }

    // States.

    /// The bits of a state; `None` if there is no room for it.
    pub fn encode(&self, system: &Semantics<'_>, state: &State) -> Option<Vec<bool>> {
        let mut bits = vec![false; self.layout.bit_count()];
        let concrete = Concrete { encoding: self, system, state };
        for (&cell, domain) in &self.layout.cells {
            let code = match concrete.value(cell)? {
                Held::Code(code) => code,
                Held::Value(value) => domain.code(value)?,
            };
            if let Cell::Length(row) = cell {
                (code <= self.layout.channels[row].places).then_some(())?;
            }
            let places = &self.layout.bits[&cell];
            (places.len() == 32 || code >> places.len() == 0 || matches!(domain, Domain::Signed(_))).then_some(())?;
            places.iter().enumerate().for_each(|(row, &bit)| bits[bit] = code >> row & 1 == 1);
        }
        Some(bits)
    }
}

/// What a cell holds.
enum Held {
    Code(u32),
    Value(i32),
}

/// A state and where its cells lie.
struct Concrete<'a> {
    encoding: &'a Encoding<'a>,
    system: &'a Semantics<'a>,
    state: &'a State,
}

impl Concrete<'_> {
    fn value(&self, cell: Cell) -> Option<Held> {
        let (state, layout) = (self.state, self.system.layout());
        Some(match cell {
            Cell::Location(slot) if slot < state.process_count() => {
                Held::Code(self.encoding.layout.code(slot, (state.type_of(slot), state.location_of(slot)))?)
            }
            Cell::Location(_) => Held::Code(0),
            Cell::Control => Held::Code(state.exclusive.map_or(0, |it| u32::from(it) + 1)),
            Cell::LastMover => Held::Value(i32::from(state.bytes()[layout.last_mover? as usize])),
            Cell::Monitor => Held::Code(self.system.monitor_location(state)?.0),
            // No part of the system.
            Cell::Claim | Cell::Turn => Held::Code(0),
            Cell::Variable(owner, id, element) => self.variable(owner, id, element),
            Cell::Length(row) => self.in_channel(row, |at, _| (at, Type::Unsigned { bits: 16 })),
            Cell::Field(row, place, field) => self.in_channel(row, |at, fields| {
                let size = |list: &[Type]| list.iter().map(|it| it.size() as u32).sum::<u32>();
                let before = place * size(fields) + size(&fields[..field as usize]);
                (at + model::semantics::layout::LENGTH + before, fields[field as usize])
            }),
        })
    }

    /// Where the bytes of an owner start, if it exists.
    fn base(&self, owner: Owner) -> Option<u32> {
        match owner {
            Owner::Global => Some(0),
            Owner::Process(slot, ty) => {
                let exists = slot < self.state.process_count() && self.state.type_of(slot) == ty;
                exists.then(|| self.state.frame_of(slot))
            }
        }
    }

    fn variable(&self, owner: Owner, id: VariableId, element: u32) -> Held {
        let (model, layout) = (self.encoding.model, self.system.layout());
        let (variables, frame) = match owner {
            Owner::Global => (&model.globals, &layout.globals),
            Owner::Process(_, ty) => (&model.process(ty).variables, &layout.processes[ty.0 as usize]),
        };
        let (variable, at) = (&variables[id.0 as usize], frame.variables[id.0 as usize]);
        let place = |base| base + at + element * variable.ty.size() as u32;
        self.base(owner).map_or(Held::Code(0), |base| Held::Value(self.state.read(place(base), variable.ty)))
    }

    fn in_channel(&self, row: ChannelRow, place: impl Fn(u32, &[Type]) -> (u32, Type)) -> Held {
        let channel = self.encoding.layout.channels[row];
        let layout = self.system.layout();
        let frame = match channel.owner {
            Owner::Global => &layout.globals,
            Owner::Process(_, ty) => &layout.processes[ty.0 as usize],
        };
        let Some(base) = self.base(channel.owner) else { return Held::Code(0) };
        let start = base + frame.channels[channel.index as usize].0;
        let (at, ty) = place(start, &self.encoding.model.shape(channel.shape).fields);
        Held::Value(self.state.read(at, ty))
    }
}
