//! Where everything lies in a packed state.
//!
//! ```text
//! hidden variables | process count, globals, channels, processes that exist from the start | later processes
//! └ whole words      └ packed to the bit                                                     └ one frame each, whole words
//! ```
//!
//! A variable that nobody assigns to has the value it starts with and takes no room. The processes
//! at the front of the list that no later process can replace have fixed places; the others are a
//! stack of frames, as in the reference semantics ([`model::semantics::layout`]).
use std::collections::HashSet;

use model::semantics::layout::{LENGTH, LOCATION, PRIORITY, message_bytes};
use model::semantics::{Semantics, State};
use model::{
    Edge, EdgeId, Effect, Expr, Initial, Model, Pattern, Place, ProcessType, ProcessTypeId, Scope, Type, Variable,
    VariableId,
};

use crate::births::{Birth, Parent, births};
use crate::message::{ChannelPlace, MessageLayout};
use crate::slot::Slot;

/// Bits that a value of a type takes.
pub fn width(ty: Type) -> u32 {
    match ty {
        Type::Unsigned { bits } => u32::from(bits),
        Type::Short => 16,
        Type::Int => 32,
        Type::Channel => 8,
    }
}

/// Hands out bits, one after the other, so that nothing crosses the border of a word.
#[derive(Clone, Copy, Debug, Default)]
pub struct Allocator {
    next: u32,
}

impl Allocator {
    /// Up to 64 bits within one word.
    pub fn take(&mut self, width: u32) -> u32 {
        if self.next % 64 + width > 64 {
            self.align();
        }
        self.next += width;
        self.next - width
    }

    /// Many elements; each has a width that is a power of two.
    fn take_array(&mut self, width: u32, elements: u32) -> u32 {
        self.next = self.next.next_multiple_of(width);
        if width * elements <= 64 {
            return self.take_aligned(width, elements);
        }
        self.next += width * elements;
        self.next - width * elements
    }

    fn take_aligned(&mut self, width: u32, elements: u32) -> u32 {
        if self.next % 64 + width * elements > 64 {
            self.align();
        }
        self.next += width * elements;
        self.next - width * elements
    }

    fn align(&mut self) {
        self.next = self.next.next_multiple_of(64);
    }

    /// Bits handed out so far.
    pub fn bits(&self) -> u32 {
        self.next
    }

    fn words(&self) -> u32 {
        self.next.div_ceil(64)
    }
}

/// Where a variable lies.
#[derive(Clone, Debug)]
pub enum Home {
    /// In the state: first bit, and the width of an element.
    Bits {
        /// First bit.
        bit: u32,
        /// Bits of an element.
        width: u32,
    },
    /// Nowhere: these are its values for ever.
    Constant(Vec<i32>),
}

/// Where the parts of a process, or of the globals, lie.
#[derive(Clone, Debug, Default)]
pub struct Frame {
    /// The control location.
    pub location: Slot,
    /// The type; only of processes that come later.
    pub ty: Option<Slot>,
    /// The priority, if anybody has one.
    pub priority: Option<Slot>,
    /// Per variable.
    pub variables: Vec<Home>,
    /// Channels created with it.
    pub channels: Vec<ChannelPlace>,
    /// Words, of a process that comes later.
    pub words: u32,
}

/// Where everything lies.
#[derive(Clone, Debug)]
pub struct Packing {
    /// Words at the front that do not count for the identity of a state.
    pub hidden: u32,
    /// How many processes there are.
    pub count: Slot,
    /// Who moved last, if anybody asks.
    pub last_mover: Option<Slot>,
    /// Where the monitor is.
    pub monitor: Option<Slot>,
    /// Globals.
    pub globals: Frame,
    /// The processes with fixed places, and their types.
    pub fixed: Vec<(ProcessTypeId, Frame)>,
    /// Words up to the first later process.
    pub fixed_words: u32,
    /// Whether every state has the same length.
    pub same_length: bool,
    /// The processes with fixed places that do not exist from the start, in order.
    pub births: Vec<Birth>,
    /// Per process type; from the first word of the frame on.
    pub later: Vec<Frame>,
    /// Per shape.
    pub messages: Vec<MessageLayout>,
}

impl Packing {
    /// Plans the states of a model that starts in `initial`.
    pub fn new(system: &Semantics<'_>, initial: &State) -> Packing {
        Planner::new(system, initial).plan()
    }

    /// Words of the longest state that there could be.
    pub fn most_words(&self) -> u64 {
        let frame = self.later.iter().map(|it| u64::from(it.words)).max().unwrap_or(0);
        let later = if self.same_length { 0 } else { 255 * frame };
        u64::from(self.fixed_words) + later
    }

    /// The frame of a later process of a type that starts at a word.
    pub fn frame_at(&self, ty: ProcessTypeId, base: u32) -> Frame {
        self.later[ty.0 as usize].moved(base)
    }
}

impl Frame {
    fn moved(&self, base: u32) -> Frame {
        let slot = |it: Slot| it.moved(base);
        let home = |it: &Home| match it {
            Home::Bits { bit, width } => Home::Bits { bit: bit + base * 64, width: *width },
            Home::Constant(values) => Home::Constant(values.clone()),
        };
        Frame {
            location: slot(self.location),
            ty: self.ty.map(slot),
            priority: self.priority.map(slot),
            variables: self.variables.iter().map(home).collect(),
            channels: self.channels.iter().map(|it| it.moved(base)).collect(),
            words: self.words,
        }
    }
}

fn spawns(process: &ProcessType) -> bool {
    let spawns = |effect: &Effect| matches!(effect, Effect::Spawn { .. });
    process.edges.iter().any(|edge| edge.effects.iter().any(spawns))
}

/// The variables of one scope to which some step assigns, or that one forgets.
pub fn assigned<'a>(processes: impl Iterator<Item = &'a ProcessType>, scope: Scope) -> HashSet<VariableId> {
    let mut list = HashSet::new();
    let mut note = |place: &Place| {
        if place.scope == scope {
            list.insert(place.variable);
        }
    };
    let edges: Vec<&Edge> = processes.flat_map(|it| &it.edges).collect();
    for effect in edges.iter().flat_map(|it| &it.effects) {
        match effect {
            Effect::Assign(place, _) => note(place),
            Effect::Receive { patterns, .. } => patterns.iter().for_each(|it| {
                if let Pattern::Store(place) = it {
                    note(place);
                }
            }),
            _ => {}
        }
    }
    if scope == Scope::Local {
        list.extend(edges.iter().flat_map(|it| &it.forgets));
    }
    list
}

fn bits_for(values: usize) -> u32 {
    (values.max(2) - 1).ilog2() + 1
}

struct Planner<'a> {
    system: &'a Semantics<'a>,
    initial: &'a State,
    messages: Vec<MessageLayout>,
    priorities: bool,
}

impl<'a> Planner<'a> {
    fn new(system: &'a Semantics<'a>, initial: &'a State) -> Self {
        let messages = system.model().shapes.iter().map(MessageLayout::new).collect();
        Planner { system, initial, messages, priorities: system.layout().priorities }
    }

    fn plan(self) -> Packing {
        let model = self.system.model();
        let layout = self.system.layout();
        let mut bits = Allocator::default();
        let written = assigned(model.processes.iter(), Scope::Global);
        let mut globals =
            Frame { variables: vec![Home::Constant(Vec::new()); model.globals.len()], ..Frame::default() };
        let is_hidden = |it: &Variable| it.hidden && !matches!(it.initial, Initial::Channels(_));
        for hidden in [true, false] {
            for (row, variable) in model.globals.iter().enumerate().filter(|it| is_hidden(it.1) == hidden) {
                let values = || self.values(0, layout.globals.variables[row], variable);
                let constant = (!written.contains(&VariableId(row as u32))).then(values);
                globals.variables[row] = home(&mut bits, variable, constant);
            }
            if hidden {
                bits.align();
            }
        }
        let hidden = self.hidden_words(&globals);
        // A new process of higher priority would come in between.
        let births = if self.priorities { None } else { births(self.system, self.initial) };
        let same_length = births.is_some();
        let (births, rehearsal) = births.unwrap_or_default();
        let fixed_count = if same_length { model.start.len() } else { self.fixed_count() };
        let most = if same_length { model.start.len() + births.len() + 1 } else { 256 };
        let count = self.slot(&mut bits, bits_for(most));
        let last_mover = layout.last_mover.map(|_| self.slot(&mut bits, 8));
        let monitor = layout.monitor.map(|_| self.slot(&mut bits, 16));
        globals.channels = self.channels(&mut bits, &model.globals);
        let mut fixed: Vec<_> = (0..fixed_count).map(|pid| self.fixed_frame(&mut bits, pid)).collect();
        for birth in &births {
            let channels = globals.channels.len() + fixed.iter().map(|it| it.1.channels.len()).sum::<usize>();
            fixed.push(match birth.by {
                Parent::Edge(edge, effect) => {
                    self.newborn_frame(&mut bits, birth.ty, (edge, effect), &globals, channels)
                }
                Parent::Rehearsed(pid) => self.rehearsed_frame(&mut bits, pid, birth.ty, &rehearsal),
            });
        }
        let later = (0..model.processes.len()).map(|row| self.later_frame(ProcessTypeId(row as u32))).collect();
        let fixed_words = bits.words();
        Packing {
            hidden,
            count,
            last_mover,
            monitor,
            globals,
            fixed,
            fixed_words,
            same_length,
            births,
            later,
            messages: self.messages,
        }
    }

    fn hidden_words(&self, globals: &Frame) -> u32 {
        let end = |(home, variable): (&Home, &Variable)| match home {
            Home::Bits { bit, width } if variable.hidden && !matches!(variable.initial, Initial::Channels(_)) => {
                (bit + width * variable.elements() as u32).div_ceil(64)
            }
            _ => 0,
        };
        globals.variables.iter().zip(&self.system.model().globals).map(end).max().unwrap_or(0)
    }

    fn slot(&self, bits: &mut Allocator, width: u32) -> Slot {
        Slot::new(bits.take(width), width)
    }

    /// The processes at the front that no later one can replace: up to the first that creates others.
    fn fixed_count(&self) -> usize {
        let model = self.system.model();
        let first = model.start.iter().position(|it| spawns(model.process(it.process)));
        first.map_or(model.start.len(), |row| row + 1)
    }

    fn values(&self, base: u32, offset: u32, variable: &Variable) -> Vec<i32> {
        values(self.initial, base, offset, variable)
    }

    /// The frame of a process in a rehearsal. What never changes and was the same in all of it is a constant.
    fn rehearsed_frame(
        &self,
        bits: &mut Allocator,
        pid: usize,
        ty: ProcessTypeId,
        rehearsal: &[State],
    ) -> (ProcessTypeId, Frame) {
        let process = self.system.model().process(ty);
        let written = assigned(std::iter::once(process), Scope::Local);
        let offsets = &self.system.layout().processes[ty.0 as usize].variables;
        let constant = |row: usize, variable: &Variable| {
            let alive = rehearsal.iter().filter(|state| state.process_count() > pid);
            let mut seen = alive.map(|state| values(state, state.frame_of(pid), offsets[row], variable));
            let first = seen.next().filter(|_| !written.contains(&VariableId(row as u32)))?;
            seen.all(|it| it == first).then_some(first)
        };
        (ty, self.frame(bits, ty, false, &constant))
    }

    fn fixed_frame(&self, bits: &mut Allocator, pid: usize) -> (ProcessTypeId, Frame) {
        let ty = self.initial.type_of(pid);
        let process = self.system.model().process(ty);
        let written = assigned(std::iter::once(process), Scope::Local);
        let offsets = &self.system.layout().processes[ty.0 as usize].variables;
        let base = self.initial.frame_of(pid);
        let constant = |row: usize, variable: &Variable| {
            let is = !written.contains(&VariableId(row as u32));
            is.then(|| self.values(base, offsets[row], variable))
        };
        let frame = self.frame(bits, ty, false, &constant);
        (ty, frame)
    }

    /// The frame of a process whose birth is known; so many channels exist before it.
    fn newborn_frame(
        &self,
        bits: &mut Allocator,
        ty: ProcessTypeId,
        (edge, effect): (EdgeId, usize),
        globals: &Frame,
        channels: usize,
    ) -> (ProcessTypeId, Frame) {
        let model = self.system.model();
        let process = model.process(ty);
        let written = assigned(std::iter::once(process), Scope::Local);
        let parent = model.start.last().map(|it| model.process(it.process));
        let effect = parent.and_then(|it| it.edge(edge).effects.get(effect));
        let arguments = match effect {
            Some(Effect::Spawn { arguments, .. }) => &arguments[..],
            _ => &[],
        };
        let mut number = channels as i32;
        let mut constants: Vec<Option<Vec<i32>>> = Vec::new();
        for (row, variable) in process.variables.iter().enumerate() {
            let first = |value: &Expr| Some(vec![variable.ty.truncate(constant(value, globals)?)]);
            let values = match &variable.initial {
                _ if row < arguments.len() => first(&arguments[row]),
                Initial::Zero => Some(vec![0; variable.elements()]),
                Initial::Values(values) if variable.dimensions.is_empty() => first(&values[0]),
                Initial::Values(_) => None,
                Initial::Channels(_) => {
                    let numbers = (1..=variable.elements() as i32).map(|it| number + it).collect();
                    number += variable.elements() as i32;
                    Some(numbers)
                }
            };
            constants.push(values.filter(|_| !written.contains(&VariableId(row as u32))));
        }
        (ty, self.frame(bits, ty, false, &|row, _| constants[row].clone()))
    }

    fn later_frame(&self, ty: ProcessTypeId) -> Frame {
        let mut bits = Allocator::default();
        let mut frame = self.frame(&mut bits, ty, true, &|_, _| None);
        frame.words = bits.words();
        frame
    }

    fn frame(
        &self,
        bits: &mut Allocator,
        ty: ProcessTypeId,
        later: bool,
        constant: &dyn Fn(usize, &Variable) -> Option<Vec<i32>>,
    ) -> Frame {
        let model = self.system.model();
        let process = model.process(ty);
        let type_slot = later.then(|| self.slot(bits, bits_for(model.processes.len())));
        let location = self.slot(bits, bits_for(process.locations.len()));
        let priority = self.priorities.then(|| self.slot(bits, 8));
        let row = |(row, it)| home(bits, it, constant(row, it));
        let variables = process.variables.iter().enumerate().map(row).collect();
        let channels = self.channels(bits, &process.variables);
        Frame { location, ty: type_slot, priority, variables, channels, words: 0 }
    }

    fn channels(&self, bits: &mut Allocator, variables: &[Variable]) -> Vec<ChannelPlace> {
        let mut list = Vec::new();
        for variable in variables {
            if let Initial::Channels(shape) = variable.initial {
                list.extend((0..variable.elements()).map(|_| self.channel(bits, shape.0 as usize)));
            }
        }
        list
    }

    fn channel(&self, bits: &mut Allocator, shape: usize) -> ChannelPlace {
        let messages = &self.messages[shape];
        if messages.capacity == 0 {
            return ChannelPlace { shape, length: Slot::default(), first: 0 };
        }
        let length = self.slot(bits, bits_for(messages.capacity as usize + 1));
        let first = if messages.is_small() {
            bits.take(messages.bits())
        } else {
            bits.align();
            bits.next += messages.bits();
            bits.next - messages.bits()
        };
        ChannelPlace { shape, length, first }
    }
}

/// The values of a variable in a state.
fn values(state: &State, base: u32, offset: u32, variable: &Variable) -> Vec<i32> {
    let size = variable.ty.size();
    let at = |element: usize| (base + offset) as usize + element * size;
    (0..variable.elements()).map(|it| read(state.bytes(), at(it), variable.ty)).collect()
}

/// The value of an expression that depends on nothing but constants.
fn constant(expr: &Expr, globals: &Frame) -> Option<i32> {
    match expr {
        Expr::Constant(value) => Some(*value),
        Expr::Read(place) if place.scope == Scope::Global && place.indices.len() <= 1 => {
            let Home::Constant(values) = &globals.variables[place.variable.0 as usize] else { return None };
            let index = place.indices.first().map_or(Some(0), |it| constant(it, globals))?;
            values.get(usize::try_from(index).ok()?).copied()
        }
        Expr::Unary(op, operand) => Some(op.apply(constant(operand, globals)?)),
        Expr::Binary(op, left, right) => op.apply(constant(left, globals)?, constant(right, globals)?),
        _ => None,
    }
}

fn home(bits: &mut Allocator, variable: &Variable, constant: Option<Vec<i32>>) -> Home {
    if let Some(values) = constant {
        return Home::Constant(values);
    }
    let width = width(variable.ty);
    if variable.dimensions.is_empty() {
        return Home::Bits { bit: bits.take(width), width };
    }
    let width = width.next_power_of_two();
    Home::Bits { bit: bits.take_array(width, variable.elements() as u32), width }
}

// Between the two forms of a state.

fn read(bytes: &[u8], at: usize, ty: Type) -> i32 {
    let mut four = [0; 4];
    four[..ty.size()].copy_from_slice(&bytes[at..at + ty.size()]);
    let value = i32::from_le_bytes(four);
    if ty == Type::Short { i32::from(value as i16) } else { value }
}

fn write(bytes: &mut [u8], at: usize, ty: Type, value: i32) {
    bytes[at..at + ty.size()].copy_from_slice(&ty.truncate(value).to_le_bytes()[..ty.size()]);
}

impl Packing {
    /// Packs a state.
    pub fn pack(&self, system: &Semantics<'_>, state: &State, words: &mut Vec<u64>) {
        words.clear();
        words.resize(self.fixed_words as usize, 0);
        let (layout, bytes) = (system.layout(), state.bytes());
        self.count.write(words, state.process_count() as i32);
        if let (Some(slot), Some(at)) = (self.last_mover, layout.last_mover) {
            slot.write(words, i32::from(bytes[at as usize]));
        }
        if let (Some(slot), Some(at)) = (self.monitor, layout.monitor) {
            slot.write(words, i32::from(u16::from_le_bytes([bytes[at as usize], bytes[at as usize + 1]])));
        }
        let model = system.model();
        let mut copy = Copying { packing: self, model, bytes };
        copy.pack_frame(&self.globals, &layout.globals, &model.globals, 0, words);
        for pid in 0..state.process_count() {
            let ty = state.type_of(pid);
            let base = state.frame_of(pid);
            let later;
            let frame = match self.fixed.get(pid) {
                Some((_, frame)) => frame,
                None => {
                    later = self.frame_at(ty, words.len() as u32);
                    words.resize(words.len() + later.words as usize, 0);
                    &later
                }
            };
            frame.ty.into_iter().for_each(|slot| slot.write(words, ty.0 as i32));
            frame.location.write(words, state.location_of(pid).0 as i32);
            if let Some(slot) = frame.priority {
                slot.write(words, i32::from(bytes[(base + PRIORITY) as usize]));
            }
            let variables = &model.process(ty).variables;
            copy.pack_frame(frame, &layout.processes[ty.0 as usize], variables, base, words);
        }
    }

    /// Unpacks a state.
    pub fn unpack(&self, system: &Semantics<'_>, words: &[u64], state: &mut State) {
        let (layout, model) = (system.layout(), system.model());
        let mut bytes = vec![0; layout.fixed() as usize];
        if let (Some(slot), Some(at)) = (self.last_mover, layout.last_mover) {
            bytes[at as usize] = slot.read(words) as u8;
        }
        if let (Some(slot), Some(at)) = (self.monitor, layout.monitor) {
            bytes[at as usize..at as usize + 2].copy_from_slice(&(slot.read(words) as u16).to_le_bytes());
        }
        self.unpack_frame(&self.globals, &layout.globals, model, &model.globals, 0, words, &mut bytes);
        let mut next = self.fixed_words;
        for pid in 0..self.count.read(words) as usize {
            let (ty, frame) = self.process(words, pid, &mut next);
            let base = bytes.len() as u32;
            let reference = &layout.processes[ty.0 as usize];
            bytes.resize((base + reference.size) as usize, 0);
            bytes[base as usize] = ty.0 as u8;
            let location = (frame.location.read(words) as u16).to_le_bytes();
            bytes[(base + LOCATION) as usize..(base + LOCATION) as usize + 2].copy_from_slice(&location);
            if let Some(slot) = frame.priority {
                bytes[(base + PRIORITY) as usize] = slot.read(words) as u8;
            }
            let variables = &model.process(ty).variables;
            self.unpack_frame(&frame, reference, model, variables, base, words, &mut bytes);
        }
        system.decode(&bytes, state);
    }

    /// Type and frame of a process; `next` is where the next later frame starts.
    fn process(&self, words: &[u64], pid: usize, next: &mut u32) -> (ProcessTypeId, Frame) {
        if let Some((ty, frame)) = self.fixed.get(pid) {
            return (*ty, frame.clone());
        }
        let ty = self.type_at(words, *next);
        let frame = self.frame_at(ty, *next);
        *next += frame.words;
        (ty, frame)
    }

    /// The type of the later process whose frame starts at a word.
    pub fn type_at(&self, words: &[u64], base: u32) -> ProcessTypeId {
        let slot = self.later.first().and_then(|it| it.ty).unwrap_or_default();
        ProcessTypeId(slot.moved(base).read(words) as u32)
    }

    #[allow(clippy::too_many_arguments)]
    fn unpack_frame(
        &self,
        frame: &Frame,
        reference: &model::semantics::layout::Frame,
        model: &Model,
        variables: &[Variable],
        base: u32,
        words: &[u64],
        bytes: &mut [u8],
    ) {
        for ((home, &offset), variable) in frame.variables.iter().zip(&reference.variables).zip(variables) {
            for element in 0..variable.elements() {
                let value = match home {
                    Home::Constant(values) => values[element],
                    Home::Bits { bit, width } => Slot::new(bit + element as u32 * width, *width).read(words),
                };
                write(bytes, (base + offset) as usize + element * variable.ty.size(), variable.ty, value);
            }
        }
        for (place, &(at, shape)) in frame.channels.iter().zip(&reference.channels) {
            let (messages, shape) = (&self.messages[place.shape], model.shape(shape));
            if messages.capacity == 0 {
                continue;
            }
            let at = (base + at) as usize;
            let length = place.length.read(words) as u32;
            bytes[at..at + 2].copy_from_slice(&(length as u16).to_le_bytes());
            let mut to = at + LENGTH as usize;
            for slot in 0..length {
                for (field, &ty) in shape.fields.iter().enumerate() {
                    write(bytes, to, ty, messages.read(words, place.first, slot, field));
                    to += ty.size();
                }
            }
        }
    }
}

struct Copying<'a> {
    packing: &'a Packing,
    model: &'a Model,
    bytes: &'a [u8],
}

impl Copying<'_> {
    fn pack_frame(
        &mut self,
        frame: &Frame,
        reference: &model::semantics::layout::Frame,
        variables: &[Variable],
        base: u32,
        words: &mut [u64],
    ) {
        for ((home, &offset), variable) in frame.variables.iter().zip(&reference.variables).zip(variables) {
            let Home::Bits { bit, width } = home else { continue };
            for element in 0..variable.elements() {
                let value = read(self.bytes, (base + offset) as usize + element * variable.ty.size(), variable.ty);
                Slot::new(bit + element as u32 * width, *width).write(words, value);
            }
        }
        for (place, &(at, shape)) in frame.channels.iter().zip(&reference.channels) {
            self.pack_channel(place, (base + at) as usize, self.model.shape(shape), words);
        }
    }

    fn pack_channel(&self, place: &ChannelPlace, at: usize, shape: &model::ChannelShape, words: &mut [u64]) {
        let messages = &self.packing.messages[place.shape];
        if messages.capacity == 0 {
            return;
        }
        let length = u32::from(u16::from_le_bytes([self.bytes[at], self.bytes[at + 1]]));
        place.length.write(words, length as i32);
        for slot in 0..length {
            let mut from = at + (LENGTH + slot * message_bytes(shape)) as usize;
            for (field, &ty) in shape.fields.iter().enumerate() {
                messages.write(words, place.first, slot, field, read(self.bytes, from, ty));
                from += ty.size();
            }
        }
    }
}
