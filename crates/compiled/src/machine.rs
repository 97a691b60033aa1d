//! Executes compiled code on a packed state.
use model::Direction;

use crate::code::{ALONE, Array, Element, Instr, Label, MOVED, Reg};
use crate::message::{ChannelPlace, MessageLayout};
use crate::native::Memory;
use crate::points::Points;
use crate::program::Program;
use crate::slot::{read_bits, write_bits};
use crate::successors::{Making, Successors};

/// How a piece of code ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// The guard is true; the effects have happened.
    Done,
    /// The guard is false; the step has to wait.
    Blocked,
    /// Ask the reference interpreter.
    Trouble,
    /// To go on at this row when the request is granted.
    Asks(Request, u32),
}

/// Steps after which an indivisible region is left to the reference interpreter.
const PATIENCE: u32 = 10_000;

/// One field of what a receive or a poll looks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wanted {
    /// The value in the next register.
    Value,
    /// Anything.
    Any,
}

/// A pattern for messages.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Template {
    /// Per field.
    pub fields: Vec<Wanted>,
    /// Look at all messages, not just the oldest.
    pub anywhere: bool,
    /// A message of another length is a fault, not a mismatch.
    pub whole: bool,
}

/// A step that code can make.
#[derive(Clone, Copy, Debug)]
pub struct Act {
    /// The process.
    pub process: usize,
    /// The row of its edge among all edges of the model.
    pub edge: usize,
    /// The edge.
    pub id: model::EdgeId,
}

/// What pieces of code of one model share.
#[derive(Clone, Debug, Default)]
pub struct Tables {
    /// Constant arrays.
    pub arrays: Vec<Vec<i32>>,
    /// Elements whose index is a sum.
    pub elements: Vec<Element>,
    /// Channels that are known when code is made.
    pub queues: Vec<ChannelPlace>,
    /// Patterns.
    pub templates: Vec<Template>,
    /// Where to go on.
    pub jumps: Vec<Label>,
    /// Steps.
    pub acts: Vec<Act>,
    /// Per shape.
    pub messages: Vec<MessageLayout>,
}

/// What a running piece of code asks of those who know the whole state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Request {
    /// Create a process of this type with the arguments in so many registers from this one on.
    Spawn(u8, Reg, u8),
    /// End the process.
    Terminate(usize),
    /// Whether another process than this has declared this use of the channel its own.
    Exclusive(usize, Direction, usize),
    /// Hand a message of so many fields over; the step is in this row of the tables.
    Rendezvous(u32, u8),
}

/// What code works on.
pub struct Work<'a> {
    /// The state.
    pub here: &'a mut Vec<u64>,
    /// Successors, and the one in the making.
    pub out: &'a mut Successors,
    /// Per edge of the model: whether it was ever taken.
    pub taken: &'a mut [bool],
}

/// Registers, and what the code may refer to.
#[derive(Debug)]
pub struct Machine {
    registers: [i32; 256],
    /// Nothing else can move.
    pub timeout: bool,
    /// Points at which one process goes on alone.
    pub pending: Points,
    /// The process created last.
    pub spawned: i32,
    /// Per type: whether a process of it was ever created.
    pub born: [bool; 256],
    /// Turns of loops inside indivisible regions.
    pub turns: u32,
    /// The channels of the state; channel number `n` is row `n - 1`.
    pub channels: Vec<ChannelPlace>,
    /// The channel over which a message is handed, and the message.
    pub handshake: (usize, Vec<i32>),
}

impl Default for Machine {
    fn default() -> Self {
        Machine {
            registers: [0; 256],
            timeout: false,
            pending: Points::default(),
            spawned: 0,
            born: [false; 256],
            turns: 0,
            channels: Vec::new(),
            handshake: (usize::MAX, Vec::new()),
        }
    }
}

impl Machine {
    /// Sets a register.
    pub fn set(&mut self, register: Reg, value: i32) {
        self.registers[register as usize] = value;
    }

    /// The value of a register.
    pub fn register(&self, register: Reg) -> i32 {
        self.registers[register as usize]
    }

    /// Registers in a row.
    pub fn registers(&self, first: Reg, count: usize) -> &[i32] {
        &self.registers[first as usize..first as usize + count]
    }

    /// The copy becomes a point from which the process goes on alone.
    pub fn leave_alone(&mut self, process: usize, words: &[u64]) {
        self.pending.push(process, words);
    }

    /// Runs code from a row on, on the state or on the successor in the making.
    #[inline(always)]
    pub fn run(&mut self, program: &Program, start: u32, on_next: bool, tables: &Tables, work: Work<'_>) -> Outcome {
        let Work { here, out, taken } = work;
        let stopped = self.advance(program, (start as usize, on_next), tables, Work { here, out, taken });
        match program.code[stopped.0] {
            Instr::Done | Instr::End | Instr::Next(..) | Instr::NextAt(_) => Outcome::Done,
            _ => self.go_on(program, stopped, tables, Work { here, out, taken }),
        }
    }

    /// Executes instructions up to one that needs more than the state and the registers.
    #[inline(always)]
    fn advance(
        &mut self,
        program: &Program,
        (at, on_next): (usize, bool),
        tables: &Tables,
        work: Work<'_>,
    ) -> (usize, bool) {
        let Work { here, out, taken } = work;
        let Machine { registers, pending: points, turns, .. } = self;
        if let Some(native) = &program.native {
            let memory = Memory { here, making: out.making(), registers, taken, points };
            if let Some((stopped, took_points)) = native.run((at, on_next), memory) {
                if took_points {
                    *turns = 0;
                }
                return stopped;
            }
        }
        compute(&program.code, at, on_next, here, out.making(), registers, tables, taken)
    }

    /// Executes the instruction at which the code has stopped, and so on.
    fn go_on(
        &mut self,
        program: &Program,
        (mut at, mut on_next): (usize, bool),
        tables: &Tables,
        work: Work<'_>,
    ) -> Outcome {
        let Work { here, out, taken } = work;
        loop {
            let instr = program.code[at];
            at += 1;
            match instr {
                Instr::Done | Instr::End | Instr::Next(..) | Instr::NextAt(_) => return Outcome::Done,
                Instr::Blocked => return Outcome::Blocked,
                Instr::Fork => {
                    out.fork(here);
                    on_next = true;
                }
                Instr::Emit(act) => {
                    taken[tables.acts[act as usize].edge] = true;
                    self.registers[MOVED as usize] = 1;
                    out.keep();
                    on_next = false;
                }
                Instr::EmitInner(act) => {
                    let act = &tables.acts[act as usize];
                    taken[act.edge] = true;
                    self.registers[MOVED as usize] = 1;
                    out.inner += 1;
                    self.leave_alone(act.process, out.next());
                    on_next = false;
                }
                Instr::Drop => on_next = false,
                rare => {
                    let words = if on_next { out.next_mut() } else { &mut here[..] };
                    match self.rare(rare, at, words, tables) {
                        Ok(row) => at = row,
                        Err(outcome) => return outcome,
                    }
                }
            }
            (at, on_next) = self.advance(program, (at, on_next), tables, Work { here, out, taken });
        }
    }

    /// What does not occur in every step: channels, processes, faults. Says where to go on.
    fn rare(&mut self, instr: Instr, at: usize, words: &mut [u64], tables: &Tables) -> Result<usize, Outcome> {
        macro_rules! reg {
            ($reg:expr) => {
                self.registers[$reg as usize]
            };
        }
        let mut goes_on = at;
        match instr {
            Instr::IfTimeout(to) => {
                if self.timeout {
                    goes_on = to as usize;
                }
            }
            Instr::IfOther(channel, to) => {
                if reg!(channel) as usize != self.handshake.0 {
                    goes_on = to as usize;
                }
            }
            Instr::LoadTable(to, index, table) => {
                let value = tables.arrays[table as usize].get(reg!(index) as u32 as usize);
                reg!(to) = *value.ok_or(Outcome::Trouble)?;
            }
            Instr::Spawned(to) => reg!(to) = self.spawned,
            Instr::Channel(register) => {
                let row = reg!(register).wrapping_sub(1);
                if row as u32 as usize >= self.channels.len() {
                    return Err(Outcome::Trouble);
                }
                reg!(register) = row;
            }
            Instr::Length(to, channel) => {
                let (place, messages) = self.channel(channel, tables);
                reg!(to) = if messages.capacity == 0 { 0 } else { place.length.read(words) };
            }
            Instr::Full(to, channel) => {
                let (place, messages) = self.channel(channel, tables);
                let full = messages.capacity > 0 && place.length.read(words) as u32 == messages.capacity;
                reg!(to) = i32::from(full);
            }
            Instr::IsRendezvous(to, channel) => {
                reg!(to) = i32::from(self.channel(channel, tables).1.capacity == 0);
            }
            Instr::Fields(channel, count) => {
                if self.channel(channel, tables).1.fields.len() != usize::from(count) {
                    return Err(Outcome::Trouble);
                }
            }
            Instr::Send(channel, first, sorted) => self.send(words, tables, channel, first, sorted),
            Instr::Find(to, channel, first, template) => {
                reg!(to) = self.find(words, tables, channel, first, template).ok_or(Outcome::Trouble)?;
            }
            Instr::Field(to, channel, slot, field) => {
                let (place, messages) = self.channel(channel, tables);
                reg!(to) = messages.read(words, place.first, reg!(slot) as u32, usize::from(field));
            }
            Instr::Remove(channel, slot) => {
                let (place, messages) = self.channel(channel, tables);
                let length = place.length.read(words) as u32;
                messages.remove(words, place.first, reg!(slot) as u32, length);
                place.length.write(words, length as i32 - 1);
            }
            // Machine code leaves long channels to this.
            Instr::Pop(queue) => {
                let place = tables.queues[queue as usize];
                tables.messages[place.shape].pop(words, place);
            }
            Instr::Handed(to, field) => reg!(to) = self.handshake.1[usize::from(field)],
            Instr::Exclusive(process, channel, sends) => {
                let direction = if sends { Direction::Send } else { Direction::Receive };
                let request = Request::Exclusive(usize::from(process), direction, reg!(channel) as usize);
                return Err(Outcome::Asks(request, at as u32));
            }
            Instr::Spawn(ty, first, count) => return Err(Outcome::Asks(Request::Spawn(ty, first, count), at as u32)),
            Instr::Born(process, ty) => {
                self.spawned = i32::from(process);
                self.born[usize::from(ty)] = true;
            }
            Instr::Terminate(process) => {
                return Err(Outcome::Asks(Request::Terminate(usize::from(process)), at as u32));
            }
            Instr::Rendezvous(edge, fields) => {
                return Err(Outcome::Asks(Request::Rendezvous(edge, fields), at as u32));
            }
            Instr::Turn => {
                self.turns += 1;
                if self.turns > PATIENCE {
                    return Err(Outcome::Trouble);
                }
            }
            _ => return Err(Outcome::Trouble),
        }
        Ok(goes_on)
    }

    fn channel<'t>(&self, register: Reg, tables: &'t Tables) -> (ChannelPlace, &'t MessageLayout) {
        let place = self.channels[self.registers[register as usize] as usize];
        (place, &tables.messages[place.shape])
    }

    fn send(&mut self, words: &mut [u64], tables: &Tables, channel: Reg, first: Reg, sorted: bool) {
        let (place, messages) = self.channel(channel, tables);
        let length = place.length.read(words) as u32;
        let fields = messages.fields.len();
        let slot = if sorted { self.sorted_place(words, place, messages, first, length) } else { length };
        if slot < length {
            messages.open(words, place.first, slot, length);
        }
        for field in 0..fields {
            messages.write(words, place.first, slot, field, self.registers[first as usize + field]);
        }
        place.length.write(words, length as i32 + 1);
    }

    /// Before the first greater message.
    fn sorted_place(
        &self,
        words: &[u64],
        place: ChannelPlace,
        messages: &MessageLayout,
        first: Reg,
        length: u32,
    ) -> u32 {
        let value = |field| messages.truncate(field, self.registers[first as usize + field]);
        let fields = 0..messages.fields.len();
        let greater = |&slot: &u32| {
            fields.clone().map(|field| messages.read(words, place.first, slot, field)).gt(fields.clone().map(value))
        };
        (0..length).find(greater).unwrap_or(length)
    }

    /// The slot of the first message that fits, or -1; nothing if that is a fault.
    fn find(&self, words: &[u64], tables: &Tables, channel: Reg, first: Reg, template: u32) -> Option<i32> {
        let (place, messages) = self.channel(channel, tables);
        let template = &tables.templates[template as usize];
        let length = if messages.capacity == 0 { 0 } else { place.length.read(words) as u32 };
        let last = if template.anywhere { length } else { length.min(1) };
        let fits = |slot: u32| {
            let mut register = first as usize;
            template.fields.iter().take(messages.fields.len()).enumerate().all(|(field, wanted)| match wanted {
                Wanted::Any => true,
                Wanted::Value => {
                    register += 1;
                    messages.read(words, place.first, slot, field) == self.registers[register - 1]
                }
            })
        };
        match (0..last).find(|&slot| fits(slot)) {
            Some(_) if template.whole && template.fields.len() != messages.fields.len() => None,
            Some(slot) => Some(slot as i32),
            None => Some(-1),
        }
    }
}

/// First bit and width of an element, if its index is inside.
#[inline(always)]
fn place(words: &[u64], element: &Element) -> Option<(u32, u32)> {
    let [(first, times), (second, times_second)] = element.terms;
    let mut index = first.read(words).wrapping_mul(times).wrapping_add(element.offset);
    if times_second != 0 {
        index = index.wrapping_add(second.read(words).wrapping_mul(times_second));
    }
    let index = index as u32;
    let array = element.array;
    (index < element.size).then(|| (array.bit + (index << array.log_width), 1 << array.log_width))
}

#[inline(always)]
fn load_bit(words: &[u64], (bit, width): (u32, u32)) -> i32 {
    read_bits(words, bit, width) as i32
}

#[inline(always)]
fn load(words: &[u64], array: Array, index: u32) -> i32 {
    let bit = array.bit + (index << array.log_width);
    read_bits(words, bit, 1 << array.log_width) as i32
}

#[inline(always)]
fn store(words: &mut [u64], array: Array, index: u32, value: i32) {
    let bit = array.bit + (index << array.log_width);
    write_bits(words, bit, 1 << array.log_width, u64::from(value as u32));
}

/// Executes instructions up to the first that needs more than the state and the registers; says where that is,
/// and whether it is about the successor in the making.
///
/// This is where the time of a search goes, so it has nothing to do with anything else: its few variables
/// stay in the processor's registers.
#[allow(clippy::too_many_arguments)]
#[inline(never)]
pub(crate) fn compute(
    code: &[Instr],
    start: usize,
    on_next: bool,
    here: &mut [u64],
    making: Making<'_>,
    registers: &mut [i32; 256],
    tables: &Tables,
    taken: &mut [bool],
) -> (usize, bool) {
    let Making { words: block, tail, next, .. } = making;
    let (mut at, mut on_next) = (start, on_next);
    let mut words: &mut [u64] = if on_next { &mut block[*tail..*tail + *next] } else { here };
    let elements = &tables.elements[..];
    macro_rules! reg {
        ($reg:expr) => {
            registers[$reg as usize]
        };
    }
    // An instruction that cannot be executed here is looked at once more by the caller.
    loop {
        match &code[at] {
            Instr::Jump(to) => {
                at = *to as usize;
                continue;
            }
            Instr::Fork => {
                *next = here.len();
                let Some(copy) = block.get_mut(*tail..*tail + *next) else { return (at, on_next) };
                copy.iter_mut().zip(&*here).for_each(|(to, from)| *to = *from);
                words = copy;
                on_next = true;
            }
            Instr::Arrive(slot, location, edge, to) => {
                slot.write(words, i32::from(*location));
                taken[*edge as usize] = true;
                reg!(MOVED) = 1;
                *tail += *next;
                words = here;
                on_next = false;
                at = *to as usize;
                continue;
            }
            Instr::Next(slot, first) => {
                if reg!(ALONE) != 0 {
                    return (at, on_next);
                }
                at = tables.jumps[*first as usize + slot.read(words) as usize] as usize;
                continue;
            }
            Instr::NextAt(to) => {
                if reg!(ALONE) != 0 {
                    return (at, on_next);
                }
                at = *to as usize;
                continue;
            }
            Instr::Mark(edge) => taken[*edge as usize] = true,
            Instr::Move(to, from) => reg!(*to) = reg!(*from),
            Instr::Mask(word, bits) => words[*word as usize] &= bits,
            Instr::Switch(slot, first) => {
                at = tables.jumps[*first as usize + slot.read(words) as usize] as usize;
                continue;
            }
            Instr::IfSlotConst(slot, comparison, value, to) => {
                if comparison.holds(slot.read(words), *value) {
                    at = *to as usize;
                    continue;
                }
            }
            Instr::IfSlots(left, comparison, right, to) => {
                if comparison.holds(left.read(words), right.read(words)) {
                    at = *to as usize;
                    continue;
                }
            }
            Instr::IfElementConst(element, comparison, value, to) => {
                let Some(place) = place(words, &elements[*element as usize]) else { return (at, on_next) };
                if comparison.holds(load_bit(words, place), *value) {
                    at = *to as usize;
                    continue;
                }
            }
            Instr::IfElementSlot(element, comparison, slot, to) => {
                let Some(place) = place(words, &elements[*element as usize]) else { return (at, on_next) };
                if comparison.holds(load_bit(words, place), slot.read(words)) {
                    at = *to as usize;
                    continue;
                }
            }
            Instr::IfRegs(left, comparison, right, to) => {
                if comparison.holds(reg!(*left), reg!(*right)) {
                    at = *to as usize;
                    continue;
                }
            }
            Instr::IfRegConst(left, comparison, right, to) => {
                if comparison.holds(reg!(*left), *right) {
                    at = *to as usize;
                    continue;
                }
            }
            Instr::Const(to, value) => reg!(*to) = *value,
            Instr::Load(to, slot) => reg!(*to) = slot.read(words),
            Instr::SignExtend(to) => reg!(*to) = i32::from(reg!(*to) as i16),
            Instr::LoadAt(to, index, array, size) => {
                let index = reg!(*index) as u32;
                if index >= *size {
                    return (at, on_next);
                }
                reg!(*to) = load(words, *array, index);
            }
            Instr::LoadElement(to, element) => {
                let Some(place) = place(words, &elements[*element as usize]) else { return (at, on_next) };
                reg!(*to) = load_bit(words, place);
            }
            Instr::Check(register, size) => {
                if reg!(*register) as u32 >= *size {
                    return (at, on_next);
                }
            }
            Instr::Index(first, second, size) => {
                reg!(*first) = reg!(*first).wrapping_mul(*size as i32).wrapping_add(reg!(*second));
            }
            Instr::Unary(op, to, from) => reg!(*to) = op.apply(reg!(*from)),
            Instr::Binary(op, to, left, right) => {
                let Some(value) = op.apply(reg!(*left), reg!(*right)) else { return (at, on_next) };
                reg!(*to) = value;
            }
            Instr::BinaryConst(op, to, left, right) => {
                let Some(value) = op.apply(reg!(*left), *right) else { return (at, on_next) };
                reg!(*to) = value;
            }
            Instr::Store(slot, from) => slot.write(words, reg!(*from)),
            Instr::StoreConst(slot, value) => slot.write(words, *value),
            Instr::Copy(to, from) => {
                let value = from.read(words);
                to.write(words, value);
            }
            Instr::Add(to, from, value) => {
                let value = from.read(words).wrapping_add(*value);
                to.write(words, value);
            }
            Instr::StoreAt(array, index, from, size) => {
                let index = reg!(*index) as u32;
                if index >= *size {
                    return (at, on_next);
                }
                store(words, *array, index, reg!(*from));
            }
            Instr::StoreElement(element, from) => {
                let Some((bit, width)) = place(words, &elements[*element as usize]) else { return (at, on_next) };
                write_bits(words, bit, width, u64::from(reg!(*from) as u32));
            }
            Instr::Push(queue, first) => {
                let place = tables.queues[*queue as usize];
                let messages = &tables.messages[place.shape];
                messages.push(words, place, &registers[*first as usize..][..messages.fields.len()]);
            }
            Instr::Pop(queue) => {
                let place = tables.queues[*queue as usize];
                tables.messages[place.shape].pop(words, place);
            }
            Instr::StoreElementConst(element, value) => {
                let Some((bit, width)) = place(words, &elements[*element as usize]) else { return (at, on_next) };
                write_bits(words, bit, width, u64::from(*value as u32));
            }
            _ => return (at, on_next),
        }
        at += 1;
    }
}
