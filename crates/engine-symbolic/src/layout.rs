//! Which cells a state has, and by which bits they are told apart.
use std::collections::{BTreeMap, BTreeSet};

use diagram::{Relation, Support};
use model::variables::Name;
use model::{Expr, Initial, LocationId, Model, ProcessTypeId, ShapeId, Variable, VariableId};

use crate::cell::{Cell, ChannelRow, Domain, Owner, Slot, bits_for};
use crate::guess::{Guess, Kind};
use crate::order::Bit;

/// A channel that can exist.
#[derive(Clone, Copy, Debug)]
pub struct Channel {
    /// Who creates it and takes it along.
    pub owner: Owner,
    /// Its place among the channels of its owner, from 0.
    pub index: u32,
    /// Its shape.
    pub shape: ShapeId,
    /// How many messages there is room for: not more than it can hold.
    pub places: u32,
}

/// A place where the process of a slot can be.
pub type Control = (ProcessTypeId, LocationId);

/// Everything that a state consists of.
#[derive(Clone, Debug, Default)]
pub struct Layout {
    /// The cells, in the order of declaration.
    pub cells: BTreeMap<Cell, Domain>,
    /// All channels.
    pub channels: Vec<Channel>,
    /// Per slot: where its process can be; code 0 is for no process, and that of row `r` is `r + 1`.
    pub controls: Vec<Vec<Control>>,
    /// Per slot: the types of its process.
    pub types: Vec<Vec<ProcessTypeId>>,
    /// Per cell: its bits, lowest first.
    pub bits: BTreeMap<Cell, Vec<usize>>,
}

impl Layout {
    /// Room for what is guessed; bits have no place yet.
    pub fn new(model: &Model, guess: &Guess) -> Layout {
        let mut layout = Layout::default();
        layout.frame(model, guess, Owner::Global, &model.globals);
        for (slot, types) in guess.slots.iter().enumerate() {
            layout.slot(model, guess, slot, types.iter().copied().collect());
        }
        layout.rest(model);
        layout
    }

    fn slot(&mut self, model: &Model, guess: &Guess, slot: Slot, types: Vec<ProcessTypeId>) {
        let mut controls = Vec::new();
        for &ty in &types {
            let process = model.process(ty);
            let reachable = process.reachable();
            let seen = |&row: &usize| reachable[row] && !process.locations[row].internal;
            controls.extend((0..process.locations.len()).filter(seen).map(|row| (ty, LocationId(row as u32))));
        }
        self.cells.insert(Cell::Location(slot), Domain::Unsigned(bits_for(controls.len() + 1)));
        self.controls.push(controls);
        types.iter().for_each(|&ty| self.frame(model, guess, Owner::Process(slot, ty), &model.process(ty).variables));
        self.types.push(types);
    }

    fn frame(&mut self, model: &Model, guess: &Guess, owner: Owner, variables: &[Variable]) {
        let mut index = 0;
        for (row, variable) in variables.iter().enumerate() {
            let id = VariableId(row as u32);
            for element in 0..variable.elements() as u32 {
                if let Initial::Channels(shape) = variable.initial {
                    self.channel(model, guess, Channel { owner, index, shape, places: 0 });
                    index += 1;
                }
                if is_hidden(owner, variable) {
                    continue;
                }
                let cell = Cell::Variable(owner, id, element);
                let listed = guess.values.get(&cell).map(|it| Domain::Listed(it.iter().copied().collect()));
                let kind = Kind::Variable(name(owner, id));
                self.cells.insert(cell, listed.unwrap_or_else(|| domain(model, guess, kind)));
            }
        }
    }

    fn channel(&mut self, model: &Model, guess: &Guess, channel: Channel) {
        let (row, shape) = (self.channels.len(), model.shape(channel.shape));
        let places = guess.lengths.get(&channel.shape).map_or(shape.capacity, |it| shape.capacity.min(*it));
        self.channels.push(Channel { places, ..channel });
        if places == 0 {
            return;
        }
        self.cells.insert(Cell::Length(row), Domain::Unsigned(bits_for(places as usize + 1)));
        for field in 0..shape.fields.len() as u32 {
            let domain = domain(model, guess, Kind::Field(channel.shape, field));
            (0..places).for_each(|place| _ = self.cells.insert(Cell::Field(row, place, field), domain.clone()));
        }
    }

    fn rest(&mut self, model: &Model) {
        let slots = bits_for(self.types.len() + 1);
        let edges = || model.processes.iter().flat_map(|it| &it.edges);
        if edges().any(|it| it.keeps_control) {
            self.cells.insert(Cell::Control, Domain::Unsigned(slots));
        }
        let mut asks = false;
        model::access::expressions(model, &mut |expr| asks |= expr.any(&|it| *it == Expr::LastMover));
        if asks {
            self.cells.insert(Cell::LastMover, Domain::Unsigned(slots));
        }
        if let Some(monitor) = &model.monitor {
            self.cells.insert(Cell::Monitor, Domain::Unsigned(bits_for(monitor.graph.locations.len())));
        }
    }

    /// Room for a claim with so many places, and for whose turn it is.
    pub fn add_claim(&mut self, places: usize) {
        self.cells.insert(Cell::Claim, Domain::Unsigned(bits_for(places)));
        self.cells.insert(Cell::Turn, Domain::Unsigned(1));
    }

    /// Gives every bit its place.
    pub fn place(&mut self, order: &[Bit]) {
        self.bits = self.cells.iter().map(|(cell, domain)| (*cell, vec![0; domain.bits()])).collect();
        for (place, (cell, bit)) in order.iter().enumerate() {
            self.bits.entry(*cell).or_default()[*bit] = place;
        }
    }

    /// The cells that a relation reads or writes.
    pub fn mentioned(&self, relation: &Relation) -> BTreeSet<Cell> {
        let Support { current, next } = relation.function().support();
        let bits: BTreeSet<usize> = current.into_iter().chain(next).chain(relation.touched().iter().copied()).collect();
        let cells = self.bits.iter().filter(|it| it.1.iter().any(|bit| bits.contains(bit)));
        cells.map(|it| *it.0).collect()
    }

    /// How many bits a state has.
    pub fn bit_count(&self) -> usize {
        self.cells.values().map(Domain::bits).sum()
    }

    /// How many processes there can be.
    pub fn slots(&self) -> usize {
        self.types.len()
    }

    /// The code of a place.
    pub fn code(&self, slot: Slot, control: Control) -> Option<u32> {
        self.controls[slot].iter().position(|it| *it == control).map(|row| row as u32 + 1)
    }

    /// A name for a cell, for people.
    pub fn name(&self, model: &Model, cell: Cell) -> String {
        match cell {
            Cell::Location(slot) => format!("{slot}@"),
            Cell::Variable(Owner::Global, id, element) => element_name(&model.globals[id.0 as usize], element),
            Cell::Variable(Owner::Process(slot, ty), id, element) => {
                format!("{slot}.{}", element_name(&model.process(ty).variables[id.0 as usize], element))
            }
            Cell::Length(row) => format!("channel{}.length", row + 1),
            Cell::Field(row, place, field) => format!("channel{}[{place}].{field}", row + 1),
            Cell::Monitor => "monitor".into(),
            Cell::LastMover => "_last".into(),
            Cell::Control => "alone".into(),
            Cell::Claim => "claim".into(),
            Cell::Turn => "turn".into(),
        }
    }

    /// The kind of a cell whose values are not listed, if it has one.
    pub fn kind(&self, cell: Cell) -> Option<Kind> {
        match cell {
            Cell::Variable(owner, id, _) => Some(Kind::Variable(name(owner, id))),
            Cell::Field(row, _, field) => Some(Kind::Field(self.channels[row].shape, field)),
            _ => None,
        }
    }

    /// The channels of an owner.
    pub fn channels_of(&self, owner: Owner) -> impl Iterator<Item = ChannelRow> + '_ {
        (0..self.channels.len()).filter(move |&row| self.channels[row].owner == owner)
    }

    /// The cells that belong to the process in a slot, but for where it is.
    pub fn cells_of(&self, owner: Owner) -> Vec<Cell> {
        let belongs = |cell: &Cell| match *cell {
            Cell::Variable(it, ..) => it == owner,
            Cell::Length(row) | Cell::Field(row, ..) => self.channels[row].owner == owner,
            _ => false,
        };
        self.cells.keys().copied().filter(belongs).collect()
    }
}

/// The values of a kind of cells.
fn domain(model: &Model, guess: &Guess, kind: Kind) -> Domain {
    guess.domains.get(&kind).cloned().unwrap_or_else(|| Domain::of(kind.ty(model)))
}

/// The variable of the model that somebody's variable is.
pub fn name(owner: Owner, id: VariableId) -> Name {
    match owner {
        Owner::Global => Name::Global(id),
        Owner::Process(_, ty) => Name::Local(ty, id),
    }
}

fn element_name(variable: &Variable, element: u32) -> String {
    if variable.dimensions.is_empty() { variable.name.clone() } else { format!("{}#{element}", variable.name) }
}

/// How many channels each process of a type has.
pub fn channel_count(model: &Model, ty: ProcessTypeId) -> u32 {
    let own = model.process(ty).variables.iter().filter(|it| matches!(it.initial, Initial::Channels(_)));
    own.map(|it| it.elements() as u32).sum()
}

/// Whether a variable is no part of the identity of a state.
pub fn is_hidden(owner: Owner, variable: &Variable) -> bool {
    owner == Owner::Global && variable.hidden && !matches!(variable.initial, Initial::Channels(_))
}
