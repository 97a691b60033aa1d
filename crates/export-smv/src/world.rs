//! What there is: cells with their names and kinds, and the points where processes can be.
use std::collections::{BTreeMap, BTreeSet};

use engine_symbolic::{Cell, ChannelRow, Domain, Instance, Layout, Owner, Slot};
use model::access::region;
use model::{ChannelShape, EdgeId, Effect, LocationId, Model, ProcessTypeId, Type, VariableId};
use text::{Sources, Span};

use crate::names::Names;

/// Where a process can be.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Point {
    /// What it is.
    pub ty: ProcessTypeId,
    /// The edge whose indivisible region it is in.
    pub inside: Option<EdgeId>,
    /// Where.
    pub location: LocationId,
}

/// What a cell holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Always the same, so that there is no variable for it.
    Fixed(i32),
    /// 0 or 1.
    Boolean,
    /// Bits without a sign.
    Unsigned(u32),
    /// Two's complement.
    Signed(u32),
}

impl Kind {
    /// How many bits it has.
    pub fn bits(self) -> u32 {
        match self {
            Kind::Fixed(_) => 32,
            Kind::Boolean => 1,
            Kind::Unsigned(bits) | Kind::Signed(bits) => bits,
        }
    }

    /// The least and the greatest value.
    pub fn bounds(self) -> (i64, i64) {
        match self {
            Kind::Fixed(value) => (value.into(), value.into()),
            Kind::Boolean => (0, 1),
            Kind::Unsigned(bits) => (0, (1 << bits) - 1),
            Kind::Signed(bits) => (-(1 << (bits - 1)), (1 << (bits - 1)) - 1),
        }
    }

    fn of(domain: &Domain) -> Kind {
        match domain {
            Domain::Unsigned(0) => Kind::Fixed(0),
            Domain::Unsigned(1) => Kind::Boolean,
            Domain::Unsigned(bits) => Kind::Unsigned(*bits as u32),
            Domain::Signed(bits) => Kind::Signed(*bits as u32),
            Domain::Listed(values) => match values[..] {
                [] => Kind::Fixed(0),
                [value] => Kind::Fixed(value),
                // What does not exist is 0.
                _ => Kind::around(values.iter().chain([&0])),
            },
        }
    }

    /// The smallest that has all these values.
    fn around<'v>(values: impl Iterator<Item = &'v i32> + Clone) -> Kind {
        let (low, high) = (values.clone().min().copied().unwrap_or(0), values.max().copied().unwrap_or(0));
        match (low < 0, bits_of(high.into())) {
            (true, bits) => Kind::Signed(1 + bits.max(bits_of(-1 - i64::from(low)))),
            (false, 1) => Kind::Boolean,
            (false, bits) => Kind::Unsigned(bits),
        }
    }
}

/// Bits that a number takes which is not negative.
pub fn bits_of(value: i64) -> u32 {
    (64 - value.leading_zeros()).max(1)
}

/// An instance, with names for all that it has.
pub struct World<'a> {
    /// The instance.
    pub instance: &'a Instance,
    /// Where it was written.
    pub sources: &'a Sources,
    /// Per slot: where its process can be.
    pub points: Vec<Vec<Point>>,
    /// Whether processes go on alone.
    pub has_control: bool,
    /// The names of cells, locations included.
    cells: BTreeMap<Cell, String>,
    /// The names of processes.
    slots: Vec<String>,
    /// The names of points.
    at: BTreeMap<Point, String>,
    /// That there is no process.
    pub none: String,
    /// The process that goes on alone.
    pub alone: String,
    /// What happens next.
    pub step: String,
    /// All names.
    pub names: Names,
}

impl<'a> World<'a> {
    /// Names everything.
    pub fn new(instance: &'a Instance, sources: &'a Sources) -> Self {
        let layout = &instance.layout;
        let points: Vec<Vec<Point>> = (0..layout.slots()).map(|slot| points(instance, slot)).collect();
        let inside = points.iter().flatten().any(|it| it.inside.is_some());
        let mut names = Names::default();
        let (none, alone, step) = (names.fresh("none"), names.fresh("alone"), names.fresh("step"));
        let slots: Vec<String> = (0..layout.slots()).map(|slot| slot_name(&instance.model, layout, slot)).collect();
        let mut world = World {
            has_control: inside || layout.cells.contains_key(&Cell::Control),
            cells: BTreeMap::new(),
            at: BTreeMap::new(),
            instance,
            sources,
            points,
            slots,
            none,
            alone,
            step,
            names,
        };
        world.name_cells();
        world.name_points();
        world
    }

    fn name_cells(&mut self) {
        for &cell in self.instance.layout.cells.keys().filter(|it| **it != Cell::Control) {
            let wanted = self.wanted(cell);
            let name = self.names.fresh(&wanted);
            self.cells.insert(cell, name);
        }
    }

    fn wanted(&self, cell: Cell) -> String {
        match cell {
            Cell::Location(slot) => format!("{}_at", self.slots[slot]),
            Cell::Variable(owner, id, element) => self.element(owner, id, element),
            Cell::Length(row) => format!("{}_length", self.channel(row)),
            Cell::Field(row, place, field) => format!("{}_{place}_{field}", self.channel(row)),
            Cell::Monitor => "monitor".into(),
            Cell::LastMover => "last_mover".into(),
            Cell::Control => self.alone.clone(),
            // An instance is of a system without a claim.
            Cell::Claim => "claim".into(),
            Cell::Turn => "turn".into(),
        }
    }

    fn element(&self, owner: Owner, id: VariableId, element: u32) -> String {
        let (prefix, variable) = match owner {
            Owner::Global => (String::new(), &self.model().globals[id.0 as usize]),
            Owner::Process(slot, ty) => {
                let shared = self.instance.layout.types[slot].len() > 1;
                let kind = if shared { format!("_{}", self.model().process(ty).name) } else { String::new() };
                let variable = &self.model().process(ty).variables[id.0 as usize];
                (format!("{}{kind}_", self.slots[slot]), variable)
            }
        };
        let index = if variable.dimensions.is_empty() { String::new() } else { format!("_{element}") };
        format!("{prefix}{}{index}", variable.name)
    }

    /// A channel by the variable that it was created for.
    fn channel(&self, row: usize) -> String {
        let channel = self.instance.layout.channels[row];
        let variables = match channel.owner {
            Owner::Global => &self.model().globals,
            Owner::Process(_, ty) => &self.model().process(ty).variables,
        };
        let mut left = channel.index;
        for (id, variable) in variables.iter().enumerate() {
            if matches!(variable.initial, model::Initial::Channels(_)) {
                let elements = variable.elements() as u32;
                if left < elements {
                    return self.element(channel.owner, VariableId(id as u32), left);
                }
                left -= elements;
            }
        }
        format!("channel_{row}")
    }

    fn name_points(&mut self) {
        let all: BTreeSet<Point> = self.points.iter().flatten().copied().collect();
        for point in all {
            let process = self.model().process(point.ty);
            let location = process.location(point.location);
            let inside = point.inside.map_or(String::new(), |it| format!("_in_{}", it.0));
            let line = self.line(location.span);
            let wanted = format!("{}_line{line}_{}{inside}", process.name, location.number);
            let name = self.names.fresh(&wanted);
            self.at.insert(point, name);
        }
    }

    /// The model.
    pub fn model(&self) -> &'a Model {
        &self.instance.model
    }

    /// The line where something stands.
    pub fn line(&self, span: Span) -> u32 {
        self.sources.place(span).line
    }

    /// The name of a cell.
    pub fn cell(&self, cell: Cell) -> &str {
        self.cells.get(&cell).map_or("", |it| it)
    }

    /// The name of the process of a slot.
    pub fn slot(&self, slot: Slot) -> &str {
        &self.slots[slot]
    }

    /// The name of a point.
    pub fn point(&self, point: Point) -> &str {
        self.at.get(&point).map_or("", |it| it)
    }

    /// The name of a slot's state of having this process there, or none.
    pub fn place(&self, point: Option<Point>) -> &str {
        point.map_or(&self.none, |it| self.point(it))
    }

    /// The kind of channel in a row.
    pub fn shape(&self, row: ChannelRow) -> &'a ChannelShape {
        self.model().shape(self.instance.layout.channels[row].shape)
    }

    /// The types of the fields of a message.
    pub fn fields(&self, row: ChannelRow) -> &'a [Type] {
        &self.shape(row).fields
    }

    /// What a cell holds; what has no cell is 0.
    pub fn kind(&self, cell: Cell) -> Kind {
        self.instance.layout.cells.get(&cell).map_or(Kind::Fixed(0), Kind::of)
    }

    /// The values of a cell, if they are listed.
    pub fn listed(&self, cell: Cell) -> Option<&[i32]> {
        if let Domain::Listed(values) = self.instance.layout.cells.get(&cell)? { Some(values) } else { None }
    }

    /// The cells for which there are variables; locations are not among them, nor who goes on alone.
    pub fn variables(&self) -> impl Iterator<Item = Cell> + '_ {
        let plain = |it: &Cell| !matches!(it, Cell::Location(_) | Cell::Control);
        let varies = move |it: &Cell| plain(it) && !matches!(self.kind(*it), Kind::Fixed(_));
        self.instance.layout.cells.keys().copied().filter(varies)
    }

    /// Whether the search has proved that the instance has room for all that happens.
    pub fn is_proved(&self) -> bool {
        self.instance.proof.is_ok()
    }
}

/// What the variables of a slot begin with.
fn slot_name(model: &Model, layout: &Layout, slot: Slot) -> String {
    match layout.types[slot][..] {
        [ty] => format!("{}{slot}", model.process(ty).name.trim_start_matches(':').trim_end_matches(':')),
        _ => format!("process{slot}"),
    }
}

/// Where the process of a slot can be: at its locations, and inside the indivisible regions that begin there.
fn points(instance: &Instance, slot: Slot) -> Vec<Point> {
    let mut list = Vec::new();
    for &(ty, location) in &instance.layout.controls[slot] {
        list.push(Point { ty, inside: None, location });
    }
    for &(ty, location) in &instance.layout.controls[slot] {
        let process = instance.model.process(ty);
        for (id, edge) in process.outgoing(location) {
            let Some(entry) = edge.effects.iter().find_map(Effect::entry) else { continue };
            let targets = region(process, entry).into_iter().filter_map(|it| it.target);
            let inner: BTreeSet<LocationId> = targets.filter(|it| process.location(*it).internal).collect();
            list.extend(inner.into_iter().map(|location| Point { ty, inside: Some(id), location }));
        }
    }
    list
}

/// Bits of the values of a type.
pub fn type_bits(ty: Type) -> u32 {
    Domain::of(ty).bits() as u32
}

/// Whether values of a type have a sign.
pub fn is_signed(ty: Type) -> bool {
    matches!(ty, Type::Short | Type::Int)
}
