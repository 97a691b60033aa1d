//! The order of the bits: what belongs together stands together.
//!
//! Cells come in groups: a process with its variables, a channel, a global variable. An edge of a process connects the groups that it uses.
//! The groups are arranged so that connected ones are near each other, by the heuristic FORCE: every edge pulls its groups to its centre, and this is repeated
//! (Aloul, Markov, Sakallah, *FORCE: a fast and easy-to-implement variable-ordering heuristic*, GLSVLSI 2003). Who goes on alone
//! is asked by every step of every process, so that cell stands below all others. FORCE starts twice: from the order of the declarations, and from one in which the
//! shortest edges have joined their groups first (as Kruskal's algorithm joins trees).
//!
//! What an edge uses is a rough guess: an element of an array can be any. Once there are relations, they say exactly what belongs together, one for each value of an
//! index, and the cells are arranged again, each for itself. The measure is how many bits lie between the first and the last that a relation mentions, all relations together
//! (Siminiceanu, Ciardo, *New metrics for static variable ordering in decision diagrams*, TACAS 2006); the best of several starts is taken.
use std::collections::{BTreeMap, BTreeSet};

use model::access::{effect_expressions, region};
use model::variables::{every_part, stores};
use model::{Edge, Effect, Expr, Model, Place, ProcessTypeId, Scope};

use crate::cell::{Cell, Domain, Owner, Slot};
use crate::layout::{Layout, channel_count};

/// Rounds of pulling.
const ROUNDS: usize = 60;

/// Orders that are tried as a start.
const STARTS: u64 = 12;

/// Cells with more bits than this stand together, whatever they belong to.
const WIDE: usize = 8;

/// A bit of a cell.
pub type Bit = (Cell, usize);

/// The bits, from the top of the diagrams to the bottom.
pub fn order(model: &Model, layout: &Layout) -> Vec<Bit> {
    let mut groups: BTreeMap<Group, Vec<Cell>> = BTreeMap::new();
    for &cell in layout.cells.keys() {
        groups.entry(group(layout, cell)).or_default().push(cell);
    }
    let names: Vec<Group> = groups.keys().copied().collect();
    let arrangement = Arrangement::new(layout, &groups, &connections(model, layout));
    let arranged = arrangement.best(&[names, arrangement.joined()]);
    arranged.iter().flat_map(|it| bits_of(layout, *it, &groups[it])).collect()
}

/// The same for a layout whose bits have places, and the cells that are used together.
pub fn improved(layout: &Layout, used: &[BTreeSet<Cell>]) -> Vec<Bit> {
    let units = units(layout);
    let now: Vec<Group> = units.iter().map(|it| it.0).collect();
    let units: BTreeMap<Group, Vec<Cell>> = units.into_iter().collect();
    let used: Vec<_> = used.iter().map(|it| it.iter().map(|cell| unit(layout, *cell)).collect()).collect();
    let starts: Vec<Vec<Group>> = (0..STARTS).map(|seed| shuffled(&now, seed)).collect();
    let arranged = Arrangement::new(layout, &units, &used).best(&starts);
    arranged.iter().flat_map(|it| bits_of(layout, *it, &units[it])).collect()
}

/// The same by a list of names: cells stand where their name does. One that has no name there comes after the one behind which it stands now.
/// Names of other models say nothing; there is no such order if all are.
pub fn named(model: &Model, layout: &Layout, names: &[String]) -> Option<Vec<Bit>> {
    let rows: BTreeMap<&str, usize> = names.iter().enumerate().map(|(row, name)| (name.as_str(), row)).collect();
    let row = |cells: &[Cell]| cells.iter().filter_map(|it| rows.get(layout.name(model, *it).as_str())).min();
    let (mut last, mut known, mut keyed) = (0, false, Vec::new());
    for (unit, cells) in units(layout) {
        known |= row(&cells).is_some();
        last = row(&cells).copied().unwrap_or(last);
        keyed.push((matches!(unit, Group::Last(_)), last, unit, cells));
    }
    keyed.sort_by_key(|it| (it.0, it.1));
    known.then(|| keyed.iter().flat_map(|it| bits_of(layout, it.2, &it.3)).collect())
}

/// The bits that stay together when the order changes, from the top to the bottom.
pub fn blocks(layout: &Layout) -> Vec<Vec<usize>> {
    let block = |(_, cells): (Group, Vec<Cell>)| {
        let mut bits: Vec<usize> = cells.iter().flat_map(|cell| layout.bits[cell].iter().copied()).collect();
        bits.sort_unstable();
        bits
    };
    units(layout).into_iter().map(block).filter(|it| !it.is_empty()).collect()
}

/// What is arranged for itself, in the order of a layout whose bits have places.
fn units(layout: &Layout) -> Vec<(Group, Vec<Cell>)> {
    let mut units: BTreeMap<Group, Vec<Cell>> = BTreeMap::new();
    for &cell in layout.cells.keys() {
        units.entry(unit(layout, cell)).or_default().push(cell);
    }
    let mut list: Vec<(Group, Vec<Cell>)> = units.into_iter().collect();
    list.sort_by_key(|it| it.1.iter().filter_map(|cell| layout.bits[cell].iter().min()).min().copied());
    list
}

/// The group of a cell if the cells of a process do not stay together.
fn unit(layout: &Layout, cell: Cell) -> Group {
    match group(layout, cell) {
        Group::Process(_) => Group::Local(cell),
        other => other,
    }
}

/// A list in some other order; the same for seed 0.
fn shuffled(list: &[Group], seed: u64) -> Vec<Group> {
    let key = |row: usize| (row as u64 + 1).wrapping_mul(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15)).rotate_left(29);
    let mut rows: Vec<usize> = (0..list.len()).collect();
    rows.sort_by_key(|&row| key(row));
    rows.into_iter().map(|row| list[row]).collect()
}

/// The bits of a group. What is copied from one cell to another stands side by side, highest bits first: a queue field by field, wide numbers
/// all together. Otherwise a copy would have to remember the whole number.
fn bits_of(layout: &Layout, group: Group, cells: &[Cell]) -> Vec<Bit> {
    let mut bits: Vec<Bit> =
        cells.iter().flat_map(|&cell| (0..layout.cells[&cell].bits()).rev().map(move |bit| (cell, bit))).collect();
    match group {
        Group::Channel(_) => bits.sort_by_key(|&(cell, bit)| (field(cell), std::cmp::Reverse(bit))),
        Group::Wide => bits.sort_by_key(|&(_, bit)| std::cmp::Reverse(bit)),
        _ => {}
    }
    bits
}

/// Which field of a message a cell is.
fn field(cell: Cell) -> Option<u32> {
    if let Cell::Field(_, _, field) = cell { Some(field) } else { None }
}

/// Cells that stay together, in the order in which they stand if nothing connects them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Group {
    Process(Slot),
    Local(Cell),
    Channel(usize),
    Global(Cell),
    Wide,
    Last(Cell),
}

fn group(layout: &Layout, cell: Cell) -> Group {
    match cell {
        // Every send and receive of its channel asks for it, whatever its width.
        Cell::Length(row) => Group::Channel(row),
        _ if layout.cells.get(&cell).is_some_and(|it| it.bits() > WIDE) => Group::Wide,
        Cell::Location(slot) | Cell::Variable(Owner::Process(slot, _), ..) => Group::Process(slot),
        Cell::Field(row, ..) => Group::Channel(row),
        Cell::Variable(Owner::Global, ..) => Group::Global(cell),
        Cell::Monitor | Cell::LastMover | Cell::Control | Cell::Claim | Cell::Turn => Group::Last(cell),
    }
}

/// Groups and what connects them.
struct Arrangement {
    names: Vec<Group>,
    /// The bits of each group.
    widths: Vec<f64>,
    /// The groups of each connection.
    edges: Vec<Vec<usize>>,
}

impl Arrangement {
    fn new(layout: &Layout, groups: &BTreeMap<Group, Vec<Cell>>, connections: &[BTreeSet<Group>]) -> Arrangement {
        let names: Vec<Group> = groups.keys().copied().collect();
        let width = |cells: &Vec<Cell>| cells.iter().map(|cell| layout.cells[cell].bits()).sum::<usize>() as f64;
        let rows: BTreeMap<Group, usize> = names.iter().enumerate().map(|(row, it)| (*it, row)).collect();
        let is_free = |it: &&Group| !matches!(it, Group::Last(_));
        let edge = |it: &BTreeSet<Group>| it.iter().filter(is_free).filter_map(|it| rows.get(it).copied()).collect();
        Arrangement {
            widths: groups.values().map(width).collect(),
            edges: connections.iter().map(edge).collect(),
            names,
        }
    }

    /// The best order that is found from these.
    fn best(&self, starts: &[Vec<Group>]) -> Vec<Group> {
        let row = |name: &Group| self.names.binary_search(name).expect("every group has a row");
        let orders = starts.iter().flat_map(|start| self.attempts(start.iter().map(row).collect()));
        let best = orders.min_by(|one, other| self.span(one).total_cmp(&self.span(other))).unwrap_or_default();
        let (last, mut order): (Vec<Group>, Vec<Group>) =
            best.into_iter().map(|row| self.names[row]).partition(|it| matches!(it, Group::Last(_)));
        order.extend(last);
        order
    }

    /// The groups in the order in which edges join them, short edges first: what few steps share stands closer together than what all share. An edge that has
    /// nearly everything in it pulls everything to one place; here it comes last, when what belongs together has been put together already.
    fn joined(&self) -> Vec<Group> {
        let mut clusters: Vec<Vec<usize>> = (0..self.names.len()).map(|row| vec![row]).collect();
        let mut cluster_of: Vec<usize> = (0..self.names.len()).collect();
        let mut edges: Vec<&Vec<usize>> = self.edges.iter().collect();
        edges.sort_by(|one, other| self.width(one).total_cmp(&self.width(other)));
        for edge in edges {
            let joined: BTreeSet<usize> = edge.iter().map(|&row| cluster_of[row]).collect();
            let Some(&first) = joined.first() else { continue };
            let members: Vec<usize> = joined.iter().flat_map(|&it| std::mem::take(&mut clusters[it])).collect();
            members.iter().for_each(|&row| cluster_of[row] = first);
            clusters[first] = members;
        }
        clusters.into_iter().flatten().map(|row| self.names[row]).collect()
    }

    fn width(&self, edge: &[usize]) -> f64 {
        edge.iter().map(|&row| self.widths[row]).sum()
    }

    /// An order and what pulling makes of it, round by round.
    fn attempts(&self, mut order: Vec<usize>) -> Vec<Vec<usize>> {
        let mut orders = Vec::with_capacity(ROUNDS);
        for _ in 0..ROUNDS {
            let next = self.pulled(&order);
            let settled = next == order;
            orders.push(order);
            order = next;
            if settled {
                break;
            }
        }
        orders
    }

    /// Where groups begin and end.
    fn places(&self, order: &[usize]) -> Vec<(f64, f64)> {
        let (mut places, mut at) = (vec![(0.0, 0.0); order.len()], 0.0);
        for &row in order {
            places[row] = (at, at + self.widths[row]);
            at += self.widths[row];
        }
        places
    }

    /// Every group goes to the middle of its edges.
    fn pulled(&self, order: &[usize]) -> Vec<usize> {
        let places: Vec<f64> = self.places(order).into_iter().map(|(from, to)| (from + to) / 2.0).collect();
        let mut pulls = vec![(0.0, 0.0); order.len()];
        for edge in self.edges.iter().filter(|it| it.len() > 1) {
            let centre = edge.iter().map(|&row| places[row]).sum::<f64>() / edge.len() as f64;
            edge.iter().for_each(|&row| pulls[row] = (pulls[row].0 + centre, pulls[row].1 + 1.0));
        }
        let wanted = |row: usize| if pulls[row].1 > 0.0 { pulls[row].0 / pulls[row].1 } else { places[row] };
        let mut next = order.to_vec();
        next.sort_by(|&a, &b| wanted(a).total_cmp(&wanted(b)));
        next
    }

    /// How far apart connected groups are, all together.
    fn span(&self, order: &[usize]) -> f64 {
        let places = self.places(order);
        let length = |edge: &Vec<usize>| {
            let from = edge.iter().map(|&row| places[row].0).fold(f64::MAX, f64::min);
            edge.iter().map(|&row| places[row].1).fold(f64::MIN, f64::max) - from
        };
        self.edges.iter().filter(|it| it.len() > 1).map(length).sum()
    }
}

/// Per slot and edge: the groups that it uses.
fn connections(model: &Model, layout: &Layout) -> Vec<BTreeSet<Group>> {
    let mut list = Vec::new();
    for (slot, types) in layout.types.iter().enumerate() {
        for &ty in types {
            let process = model.process(ty);
            for edge in &process.edges {
                let mut uses = Uses { model, layout, slot, ty, groups: BTreeSet::from([Group::Process(slot)]) };
                uses.edge(edge);
                let regions = edge.effects.iter().filter_map(Effect::entry);
                regions.flat_map(|entry| region(process, entry)).for_each(|inner| uses.edge(inner));
                list.push(uses.groups);
            }
        }
    }
    list
}

struct Uses<'a> {
    model: &'a Model,
    layout: &'a Layout,
    slot: Slot,
    ty: ProcessTypeId,
    groups: BTreeSet<Group>,
}

impl Uses<'_> {
    fn edge(&mut self, edge: &Edge) {
        every_part(&edge.guard, &mut |it| self.part(it));
        for effect in &edge.effects {
            effect_expressions(effect, &mut |expr| every_part(expr, &mut |it| self.part(it)));
            stores(effect).into_iter().for_each(|place| self.place(place));
            if let Effect::Send { channel, .. } | Effect::Receive { channel, .. } = effect {
                self.contents(channel);
            }
        }
    }

    fn part(&mut self, expr: &Expr) {
        match expr {
            Expr::Read(place) => self.place(place),
            Expr::Length(channel) | Expr::Full(channel) | Expr::Empty(channel) | Expr::Poll { channel, .. } => {
                self.contents(channel);
            }
            Expr::RemoteAt { process, .. } | Expr::RemoteRead { process, .. } => {
                let slots = self.layout.types.iter().enumerate().filter(|it| it.1.contains(process));
                self.groups.extend(slots.map(|it| Group::Process(it.0)));
            }
            _ => {}
        }
    }

    fn place(&mut self, place: &Place) {
        if place.scope == Scope::Global {
            let cells = self.cells(place);
            self.groups.extend(cells.into_iter().map(|it| group(self.layout, it)));
        }
    }

    /// The cells that a place can be.
    fn cells(&self, place: &Place) -> Vec<Cell> {
        let owner = match place.scope {
            Scope::Global => Owner::Global,
            Scope::Local => Owner::Process(self.slot, self.ty),
        };
        let variables = match place.scope {
            Scope::Global => &self.model.globals,
            Scope::Local => &self.model.process(self.ty).variables,
        };
        let variable = &variables[place.variable.0 as usize];
        let indices: Option<Vec<i32>> = place.indices.iter().map(|it| self.constant(it)).collect();
        let element = indices.map(|list| {
            list.iter()
                .zip(&variable.dimensions)
                .fold(0, |element, (index, size)| element * *size as i64 + i64::from(*index))
        });
        let all = 0..variable.elements() as u32;
        let elements: Vec<u32> = all.filter(|it| element.is_none_or(|known| known == i64::from(*it))).collect();
        elements.into_iter().map(|it| Cell::Variable(owner, place.variable, it)).collect()
    }

    /// The value of an expression that is always the same for this process.
    fn constant(&self, expr: &Expr) -> Option<i32> {
        match expr {
            Expr::Constant(value) => Some(*value),
            Expr::Me => Some(self.slot as i32),
            Expr::Unary(op, operand) => Some(op.apply(self.constant(operand)?)),
            Expr::Binary(op, left, right) => op.apply(self.constant(left)?, self.constant(right)?),
            Expr::Read(place) => match &self.values(place)?[..] {
                [value] => Some(*value),
                _ => None,
            },
            _ => None,
        }
    }

    /// The values of a place, if they are listed.
    fn values(&self, place: &Place) -> Option<Vec<i32>> {
        let mut values = BTreeSet::new();
        for cell in self.cells(place) {
            let Some(Domain::Listed(list)) = self.layout.cells.get(&cell) else { return None };
            values.extend(list.iter().copied());
        }
        Some(values.into_iter().collect())
    }

    /// The channels that an expression names, if they are known.
    fn contents(&mut self, channel: &Expr) {
        let Expr::Read(place) = channel else { return };
        let numbers = self.values(place).unwrap_or_default();
        for row in 0..self.layout.channels.len() {
            if numbers.contains(&self.number(row)) {
                self.groups.insert(Group::Channel(row));
            }
        }
    }

    /// The number of a channel if every slot below its own has a process of its first type.
    fn number(&self, row: usize) -> i32 {
        let channel = self.layout.channels[row];
        let globals = self.layout.channels_of(Owner::Global).count() as u32;
        let below = match channel.owner {
            Owner::Global => 0,
            Owner::Process(slot, _) => {
                let first = self.layout.types[..slot].iter().filter_map(|it| it.first());
                globals + first.map(|ty| channel_count(self.model, *ty)).sum::<u32>()
            }
        };
        (below + channel.index + 1) as i32
    }
}
