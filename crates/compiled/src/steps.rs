//! The successors of a state.
use std::collections::HashSet;

use model::semantics::{Fault, Semantics, State};
use model::{Direction, Expr, Initial, LocationId, ProcessTypeId, Scope, VariableId};

use crate::code::{ALONE, Instr, MOVED};
use crate::compile::{ProcessCode, Second, Site, compile, compile_condition};
use crate::machine::{Act, Machine, Outcome, Request, Tables, Work};
use crate::native::Blueprint;
use crate::packing::{Frame, Home, Packing, assigned};
use crate::points::Point;
use crate::program::{MachineCode, Program};
use crate::slot::Slot;
use crate::successors::Successors;

/// The most processes and the most channels that can exist at once.
const LIMIT: usize = 255;

/// Bytes of the largest state, in the reference semantics, that is worth packing.
const LARGEST: usize = 400_000;

/// The successors of this state have to be asked of the reference interpreter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Trouble;

/// Why a model cannot be compiled.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Refused {
    /// It has no initial state.
    NoStart(Fault),
    /// Its states can have more than 65,535 words.
    TooLarge,
}

/// The compiled steps of a model.
pub struct Steps<'m> {
    system: &'m Semantics<'m>,
    packing: Packing,
    pub(crate) tables: Tables,
    /// Instructions: of all processes with fixed places together, then of each other.
    programs: Vec<Program>,
    /// Conditions that are asked one by one.
    pub(crate) conditions: Program,
    codes: Vec<ProcessCode>,
    /// Per process number: the code for each place where such a process has been.
    places: Vec<Vec<(ProcessTypeId, u32, usize)>>,
    /// Per process type: variables that keep the value they get when the process is created.
    lasting: Vec<Vec<VariableId>>,
    /// Per process with a fixed place: where these are.
    lasting_slots: Vec<Vec<Slot>>,
    /// Only the reference interpreter knows this kind of model.
    is_rare: bool,
    /// When programs become machine code.
    machine_code: MachineCode,
    has_timeout: bool,
    has_exclusive: bool,
    pub(crate) machine: Machine,
    /// Evaluates what other processes have declared.
    asker: Machine,
    /// The channels of the globals, then of each process with a fixed place; how many of these there are with `n` processes.
    fixed_channels: Vec<crate::message::ChannelPlace>,
    fixed_channel_counts: Vec<usize>,
    /// Bits to keep when a process with a fixed place ends.
    keeps: Vec<Vec<(usize, u64)>>,
    /// The state in question, and the code of each of its processes.
    pub(crate) here: Vec<u64>,
    processes: Vec<usize>,
    /// The first word of each process that has no fixed place.
    bases: Vec<u32>,
    /// The state of a point at which a process goes on alone.
    point: Vec<u64>,
    /// Per type: the row of its first edge among all edges of the model.
    edge_rows: Vec<usize>,
    /// Per edge of the model: whether it was ever taken.
    taken: Vec<bool>,
}

type Step = Result<bool, Trouble>;

/// The first half of a rendezvous.
struct Sender {
    act: Act,
    /// It has another step already.
    choice: bool,
}

impl<'m> Steps<'m> {
    /// Compiles a model.
    pub fn new(system: &'m Semantics<'m>) -> Result<Self, Refused> {
        let initial = system.initial().map_err(Refused::NoStart)?;
        let model = system.model();
        let frames = system.layout().processes.iter().map(|it| it.size as usize);
        if initial.bytes().len().max(frames.max().unwrap_or(0)) > LARGEST {
            return Err(Refused::TooLarge);
        }
        let packing = Packing::new(system, &initial);
        if packing.most_words() > u64::from(u16::MAX) {
            return Err(Refused::TooLarge);
        }
        let tables = Tables { messages: packing.messages.clone(), ..Tables::default() };
        let mut steps = Steps {
            tables,
            programs: vec![Program::default()],
            conditions: Program::default(),
            codes: Vec::new(),
            places: vec![Vec::new(); LIMIT + 1],
            lasting: model.processes.iter().map(lasting).collect(),
            lasting_slots: Vec::new(),
            is_rare: system.layout().priorities || model.monitor.is_some(),
            machine_code: MachineCode::OnTheSide,
            has_timeout: uses_timeout(model),
            has_exclusive: model.checks_exclusive(),
            machine: Machine::default(),
            asker: Machine::default(),
            fixed_channels: Vec::new(),
            fixed_channel_counts: Vec::new(),
            keeps: Vec::new(),
            here: Vec::new(),
            processes: Vec::new(),
            bases: Vec::new(),
            point: Vec::new(),
            edge_rows: edge_rows(model),
            taken: vec![false; model.processes.iter().map(|it| it.edges.len()).sum()],
            system,
            packing,
        };
        steps.index_fixed();
        Ok(steps)
    }

    /// The same for a further worker. The machine code of processes with fixed places is made once for all.
    pub fn for_another(&self) -> Result<Self, Refused> {
        let mut steps = Steps::new(self.system)?;
        steps.programs[0].share(&self.programs[0]);
        Ok(steps)
    }

    fn index_fixed(&mut self) {
        self.fixed_channels = self.packing.globals.channels.clone();
        self.fixed_channel_counts.push(self.fixed_channels.len());
        for (ty, frame) in &self.packing.fixed {
            self.fixed_channels.extend_from_slice(&frame.channels);
            self.fixed_channel_counts.push(self.fixed_channels.len());
            self.keeps.push(own_bits(&self.packing, self.system.model().process(*ty), frame));
        }
        let mut then = None;
        for pid in 0..self.packing.fixed.len() {
            let (ty, frame) = self.packing.fixed[pid].clone();
            let homes = self.lasting[ty.0 as usize].iter().map(|id| &frame.variables[id.0 as usize]);
            let slot = |home: &Home| match home {
                Home::Bits { bit, width } => Some(Slot::new(*bit, *width)),
                Home::Constant(_) => None,
            };
            self.lasting_slots.push(homes.filter_map(slot).collect());
            let keeps = &self.keeps[pid];
            let site = Site { pid, ty, frame: &frame, known: Vec::new(), program: 0, keeps, then };
            let program = &mut self.programs[0].code;
            self.codes.push(compile(self.system.model(), &self.packing, &mut self.tables, &site, program));
            then = Some(self.codes[pid].then);
        }
    }

    /// Decides when programs become machine code.
    pub fn set_machine_code(&mut self, when: MachineCode) {
        self.machine_code = when;
    }

    /// Where everything lies.
    pub fn packing(&self) -> &Packing {
        &self.packing
    }

    /// The reference semantics.
    pub fn system(&self) -> &'m Semantics<'m> {
        self.system
    }

    /// Packs a state.
    pub fn pack(&self, state: &State, words: &mut Vec<u64>) {
        self.packing.pack(self.system, state, words);
    }

    /// Unpacks a state.
    pub fn unpack(&self, words: &[u64], state: &mut State) {
        self.packing.unpack(self.system, words, state);
    }

    /// Takes up a state, for the questions that follow here.
    pub fn look_at(&mut self, state: &[u64]) {
        self.load(state);
    }

    /// How many processes there are in the state.
    pub fn process_count(&self) -> usize {
        self.processes.len()
    }

    /// The type of a process of the state.
    pub fn type_of(&self, process: usize) -> ProcessTypeId {
        self.codes[self.processes[process]].ty
    }

    /// Where a process of the state is.
    #[inline]
    pub fn location_of(&self, process: usize) -> LocationId {
        LocationId(self.codes[self.processes[process]].location.read(&self.here) as u32)
    }

    /// Where a process is in a state: one with the processes of the state that was taken up, or the process has a fixed place.
    #[inline]
    pub fn location_in(&self, process: usize, state: &[u64]) -> LocationId {
        let code = if process < self.packing.fixed.len() { process } else { self.processes[process] };
        LocationId(self.codes[code].location.read(state) as u32)
    }

    /// How many processes there are in a state.
    #[inline]
    pub fn count_in(&self, state: &[u64]) -> usize {
        self.packing.count.read(state) as usize
    }

    /// How many messages are in the channel with a number, in such a state.
    #[inline]
    pub fn messages_in(&self, channel: u8, state: &[u64]) -> u32 {
        self.channel(channel).length.read(state) as u32
    }

    /// How many messages are in the channel with a number.
    #[inline]
    pub fn messages(&self, channel: u8) -> u32 {
        self.messages_in(channel, &self.here)
    }

    /// How many messages the channel with a number can hold; 0 for a rendezvous.
    pub fn capacity_of(&self, channel: u8) -> u32 {
        self.tables.messages[self.channel(channel).shape].capacity
    }

    #[inline]
    fn channel(&self, number: u8) -> &crate::message::ChannelPlace {
        let row = usize::from(number) - 1;
        self.fixed_channels.get(row).unwrap_or_else(|| &self.machine.channels[row])
    }

    /// The same for all channels, from number 1 on.
    pub fn capacities(&self) -> Vec<u32> {
        (0..self.machine.channels.len()).map(|row| self.capacity_of(row as u8 + 1)).collect()
    }

    /// The variables of a process that keep the value they got when it was created.
    pub fn lasting_values(&self, process: usize) -> Vec<(VariableId, i32)> {
        let (ty, frame) = (self.type_of(process), self.frame_of(process));
        let value = |id: &VariableId| match &frame.variables[id.0 as usize] {
            Home::Bits { bit, width } => Slot::new(*bit, *width).read(&self.here),
            Home::Constant(values) => values.first().copied().unwrap_or(0),
        };
        self.lasting[ty.0 as usize].iter().map(|id| (*id, value(id))).collect()
    }

    /// Where the parts of a process lie.
    fn frame_of(&self, process: usize) -> Frame {
        match self.packing.fixed.get(process) {
            Some((_, frame)) => frame.clone(),
            None => self.packing.frame_at(self.type_of(process), self.bases[process - self.packing.fixed.len()]),
        }
    }

    /// The bits that tell which processes a state has, if every state has the same length.
    pub fn bits_of_cast(&self) -> Option<Vec<u64>> {
        let mut bits = vec![0; self.packing.same_length.then_some(self.packing.fixed_words as usize)?];
        self.packing.count.mark(&mut bits);
        self.lasting_slots.iter().flatten().for_each(|it| it.mark(&mut bits));
        Some(bits)
    }

    /// Which bits tell where a process of the state is.
    pub fn location_slot(&self, process: usize) -> Slot {
        self.codes[self.processes[process]].location
    }

    /// Adds the bits that tell how many messages are in a channel.
    pub fn mark_messages(&self, channel: u8, bits: &mut [u64]) {
        self.channel(channel).length.mark(bits);
    }

    /// Numbers that tell apart states whose processes differ in their types or lasting values.
    pub fn stage(&self, key: &mut Vec<u32>) {
        key.clear();
        for (process, &code) in self.processes.iter().enumerate() {
            key.push(code as u32);
            let slots = self.lasting_slots.get(process).into_iter().flatten();
            key.extend(slots.map(|slot| slot.read(&self.here) as u32));
        }
    }

    /// The edges that were taken, of all process types in a row.
    pub fn taken(&self) -> &[bool] {
        &self.taken
    }

    /// The types of which a process was created.
    pub fn spawned(&self) -> &[bool] {
        &self.machine.born
    }

    /// Adds the successors of a state to `out`, in the order of the reference semantics; false if there is none.
    pub fn successors(&mut self, state: &[u64], out: &mut Successors) -> Step {
        if self.is_rare {
            return Err(Trouble);
        }
        self.all_or_nothing(state, None, out)
    }

    /// Adds the successors that the steps of one process lead to; false if there is none. Whether nothing else can move is not asked.
    pub fn successors_of(&mut self, process: usize, state: &[u64], out: &mut Successors) -> Step {
        self.all_or_nothing(state, Some(process), out)
    }

    #[inline(always)]
    fn all_or_nothing(&mut self, state: &[u64], who: Option<usize>, out: &mut Successors) -> Step {
        let before = out.mark();
        self.machine.pending.begin();
        let result = self.chains(state, who, out);
        if result.is_err() {
            self.machine.timeout = false;
            out.go_back(before);
        }
        result
    }

    #[inline(always)]
    fn chains(&mut self, state: &[u64], who: Option<usize>, out: &mut Successors) -> Step {
        self.load(state);
        let moved = match who {
            None => self.everybody(out)?,
            Some(process) => self.one_of_all(process, out)?,
        };
        if !self.machine.pending.is_empty() {
            let mut words = std::mem::take(&mut self.point);
            let result = self.alone(&mut words, out);
            self.point = words;
            result?;
        }
        Ok(moved)
    }

    /// Follows processes that go on alone.
    fn alone(&mut self, words: &mut Vec<u64>, out: &mut Successors) -> Result<(), Trouble> {
        let mut seen = HashSet::new();
        while let Some(Point { process, is_late }) = self.machine.pending.pop(words) {
            if !is_late || seen.insert((words.clone(), process)) {
                self.load(words);
                self.process(process, out)?;
            }
        }
        Ok(())
    }

    /// Whether anybody has a step. Without any, time is up for those who wait for that.
    #[inline(always)]
    fn everybody(&mut self, out: &mut Successors) -> Step {
        let before = (out.used(), out.inner);
        self.every_process(out)?;
        if before == (out.used(), out.inner) && self.has_timeout {
            // Whoever goes on alone afterwards does so in another state.
            self.machine.timeout = true;
            self.machine.pending.hold();
            self.every_process(out)?;
            self.machine.pending.release();
            self.machine.timeout = false;
        }
        Ok(before != (out.used(), out.inner))
    }

    /// The steps of every process. Those with fixed places are one program, from the youngest on.
    #[inline(always)]
    fn every_process(&mut self, out: &mut Successors) -> Result<(), Trouble> {
        self.machine.set(ALONE, 0);
        let fixed = self.processes.len().min(self.packing.fixed.len());
        for process in (fixed..self.processes.len()).rev() {
            self.try_process(process, out)?;
        }
        if let Some(youngest) = fixed.checked_sub(1) {
            self.run_now(youngest, self.codes[youngest].entry, false, out)?;
            self.lose_control(out);
        }
        Ok(())
    }

    /// Whether a process has a step.
    fn one_of_all(&mut self, process: usize, out: &mut Successors) -> Step {
        let before = (out.used(), out.inner);
        self.machine.set(ALONE, 2);
        self.machine.set(MOVED, 0);
        self.try_process(process, out)?;
        self.lose_control(out);
        Ok(before != (out.used(), out.inner))
    }

    /// A process goes on alone.
    fn process(&mut self, process: usize, out: &mut Successors) -> Result<(), Trouble> {
        self.machine.set(ALONE, 1);
        self.machine.set(MOVED, 0);
        self.try_process(process, out)?;
        self.lose_control(out);
        Ok(())
    }

    /// A process that was alone and could not go on loses control there. Whoever was asked first: machine code goes on with points by
    /// itself, and leaves the last one as if it had begun there.
    #[inline(always)]
    fn lose_control(&mut self, out: &mut Successors) {
        if self.machine.register(ALONE) == 1 && self.machine.register(MOVED) == 0 {
            out.push(&self.here);
        }
    }

    fn try_process(&mut self, process: usize, out: &mut Successors) -> Step {
        let code = self.processes[process];
        self.run(code, self.codes[code].entry, false, out)
    }

    fn is_provided(&mut self, code: usize, out: &mut Successors) -> Step {
        match self.codes[code].provided {
            None => Ok(true),
            Some(label) => self.run(code, label, false, out),
        }
    }

    /// Runs code on the state or on the successor in the making; false if it has to wait.
    #[inline(never)]
    fn run(&mut self, code: usize, label: u32, on_next: bool, out: &mut Successors) -> Step {
        self.run_now(code, label, on_next, out)
    }

    /// The same without a call, for the place where it happens once for every state.
    #[inline(always)]
    fn run_now(&mut self, code: usize, label: u32, on_next: bool, out: &mut Successors) -> Step {
        let program = self.codes[code].program;
        if self.programs[program].native.is_none() && self.programs[program].is_time(self.machine_code) {
            self.translate(program);
        }
        self.machine.spawned = 0;
        self.machine.turns = 0;
        let work = Work { here: &mut self.here, out, taken: &mut self.taken };
        match self.machine.run(&self.programs[program], label, on_next, &self.tables, work) {
            Outcome::Done => Ok(true),
            Outcome::Blocked => Ok(false),
            Outcome::Trouble => Err(Trouble),
            Outcome::Asks(request, row) => self.go_on(program, request, row, out),
        }
    }

    /// Grants a request, and runs the code that asked from this row on, and so on.
    #[inline(never)]
    fn go_on(&mut self, program: usize, request: Request, row: u32, out: &mut Successors) -> Step {
        let (mut request, mut row) = (request, row);
        loop {
            let on_next = !matches!(request, Request::Rendezvous(..));
            self.grant(request, out)?;
            let work = Work { here: &mut self.here, out, taken: &mut self.taken };
            match self.machine.run(&self.programs[program], row, on_next, &self.tables, work) {
                Outcome::Done => return Ok(true),
                Outcome::Blocked => return Ok(false),
                Outcome::Trouble => return Err(Trouble),
                Outcome::Asks(next, at) => (request, row) = (next, at),
            }
        }
    }

    /// Makes machine code for a program.
    fn translate(&mut self, program: usize) {
        let codes = || self.codes.iter().filter(|it| it.program == program);
        let halves = |it: &Program| it.code.iter().any(|it| matches!(it, Instr::Rendezvous(..)));
        let has_halves = !self.packing.same_length || self.programs.iter().any(halves);
        let begins = codes().flat_map(|it| {
            let seconds = it.seconds.iter().flatten().filter(|_| has_halves).map(|second| (second.code, true));
            seconds.chain(it.provided.map(|row| (row, false))).chain([(it.entry, false)])
        });
        let blueprint = Blueprint {
            begins: begins.collect(),
            processes: codes().map(|it| it.entry).collect(),
            count: self.packing.count,
            stride: self.stride(),
        };
        self.programs[program].translate(self.machine_code, blueprint, &self.tables);
    }

    /// The length of all states, or 0 if they differ.
    fn stride(&self) -> usize {
        if self.packing.same_length { self.packing.fixed_words as usize } else { 0 }
    }

    fn grant(&mut self, request: Request, out: &mut Successors) -> Result<(), Trouble> {
        match request {
            Request::Spawn(ty, first, count) => self.spawn(ty, first, usize::from(count), out),
            Request::Terminate(process) => {
                self.terminate(process, out);
                Ok(())
            }
            Request::Exclusive(process, direction, channel) => self.check_exclusive(process, direction, channel, out),
            Request::Rendezvous(act, fields) => {
                let (act, choice) = (self.tables.acts[act as usize], self.machine.register(MOVED) != 0);
                let moved = self.rendezvous(&Sender { act, choice }, usize::from(fields), out)?;
                self.machine.set(MOVED, i32::from(choice | moved));
                Ok(())
            }
        }
    }

    // Rendezvous.

    fn rendezvous(&mut self, sender: &Sender, fields: usize, out: &mut Successors) -> Step {
        self.prepare_handshake(fields);
        if self.has_exclusive {
            out.fork(&self.here);
            self.check_exclusive(sender.act.process, Direction::Send, self.machine.handshake.0, out)?;
        }
        let mut any = false;
        for receiver in (0..self.processes.len()).rev().filter(|&it| it != sender.act.process) {
            any |= self.second_half(receiver, sender, out)?;
        }
        Ok(any)
    }

    fn prepare_handshake(&mut self, fields: usize) {
        let channel = self.machine.register(0) as usize;
        let messages = &self.tables.messages[self.machine.channels[channel].shape];
        let mut message = std::mem::take(&mut self.machine.handshake.1);
        message.clear();
        let values = self.machine.registers(2, fields).iter().enumerate();
        message.extend(values.map(|(field, &value)| messages.truncate(field, value)));
        self.machine.handshake = (channel, message);
    }

    /// Every way in which a process takes the message.
    fn second_half(&mut self, receiver: usize, sender: &Sender, out: &mut Successors) -> Step {
        let code = self.processes[receiver];
        let location = self.codes[code].location.read(&self.here) as usize;
        let (mut any, mut group, mut provided) = (false, 0, false);
        for row in 0..self.codes[code].seconds[location].len() {
            let second = self.codes[code].seconds[location][row];
            if group > 0 && second.group != group {
                break;
            }
            if second.channel.is_some_and(|it| it as usize != self.machine.handshake.0) {
                continue;
            }
            if !provided && !self.is_provided(code, out)? {
                return Ok(false);
            }
            provided = true;
            if second.wanted.is_some_and(|it| self.machine.handshake.1.first() != Some(&it)) {
                continue;
            }
            self.between_the_halves(sender, out);
            if !self.run(code, second.code, true, out)? {
                continue;
            }
            let choice = any && self.codes[code].deterministic;
            let sender_code = self.processes[sender.act.process];
            if choice || sender.choice && self.codes[sender_code].deterministic {
                return Err(Trouble);
            }
            self.arrive_together(receiver, code, &second, sender, out);
            (any, group) = (true, second.group);
        }
        Ok(any)
    }

    /// The state after the first half.
    fn between_the_halves(&mut self, sender: &Sender, out: &mut Successors) {
        out.fork(&self.here);
        let code = &self.codes[self.processes[sender.act.process]];
        if let Some(target) = code.targets[sender.act.id.0 as usize] {
            code.location.write(out.next_mut(), target.0 as i32);
        }
        let forgotten = &code.forgotten[sender.act.id.0 as usize];
        forgotten.iter().for_each(|slot| slot.write(out.next_mut(), 0));
    }

    fn arrive_together(
        &mut self,
        receiver: usize,
        code: usize,
        second: &Second,
        sender: &Sender,
        out: &mut Successors,
    ) {
        let first = self.edge_rows[self.codes[code].ty.0 as usize];
        self.taken[sender.act.edge] = true;
        self.taken[first + second.edge.0 as usize] = true;
        if second.keeps_control {
            out.inner += 1;
            self.machine.leave_alone(receiver, out.next());
        } else {
            out.keep();
        }
    }

    /// Trouble if another process has declared this use of the channel its own.
    fn check_exclusive(
        &mut self,
        me: usize,
        direction: Direction,
        channel: usize,
        out: &mut Successors,
    ) -> Result<(), Trouble> {
        for other in (0..self.processes.len()).filter(|&other| other != me) {
            let code = &self.codes[self.processes[other]];
            for &(_, known, label) in code.exclusive.iter().filter(|it| it.0 == direction) {
                let row = known.or_else(|| {
                    self.asker.channels.clone_from(&self.machine.channels);
                    let mut here = out.next().to_vec();
                    let work = Work { here: &mut here, out, taken: &mut [] };
                    let outcome = self.asker.run(&self.programs[code.program], label, false, &self.tables, work);
                    (outcome == Outcome::Done).then(|| self.asker.register(0) as usize)
                });
                if row == Some(channel) {
                    return Err(Trouble);
                }
            }
        }
        Ok(())
    }

    // Processes.

    /// Takes up a state.
    #[inline(always)]
    fn load(&mut self, state: &[u64]) {
        self.here.clear();
        self.here.extend_from_slice(state);
        let count = self.packing.count.read(state) as usize;
        if !self.packing.same_length || count != self.processes.len() {
            self.find_processes(count, state);
        }
    }

    /// Finds the processes and channels of a state.
    fn find_processes(&mut self, count: usize, state: &[u64]) {
        let fixed = count.min(self.packing.fixed.len());
        self.processes.clear();
        self.bases.clear();
        self.processes.extend(0..fixed);
        self.machine.channels.clear();
        self.machine.channels.extend_from_slice(&self.fixed_channels[..self.fixed_channel_counts[fixed]]);
        let mut base = self.packing.fixed_words;
        for pid in fixed..count {
            let ty = self.packing.type_at(state, base);
            let code = self.code_at(pid, ty, base, state);
            self.processes.push(code);
            self.bases.push(base);
            let frame = &self.packing.later[ty.0 as usize];
            for place in &frame.channels {
                self.machine.channels.push(place.moved(base));
            }
            base += frame.words;
        }
    }

    /// The code for a later process.
    fn code_at(&mut self, pid: usize, ty: ProcessTypeId, base: u32, words: &[u64]) -> usize {
        let fits = |&&(other, at, code): &&(ProcessTypeId, u32, usize)| {
            other == ty && at == base && self.codes[code].known.iter().all(|it| it.0.read(words) == it.1)
        };
        if let Some(&(_, _, code)) = self.places[pid].iter().find(fits) {
            return code;
        }
        let frame = self.packing.frame_at(ty, base);
        let value = |id: &VariableId| match frame.variables[id.0 as usize] {
            Home::Bits { bit, width } => Slot::new(bit, width).read(words),
            Home::Constant(_) => 0,
        };
        let known = self.lasting[ty.0 as usize].iter().map(|it| (*it, value(it))).collect();
        let site = Site { pid, ty, frame: &frame, known, program: self.programs.len(), keeps: &[], then: None };
        let mut program = Program::default();
        let code = compile(self.system.model(), &self.packing, &mut self.tables, &site, &mut program.code);
        self.codes.push(code);
        self.programs.push(program);
        self.places[pid].push((ty, base, self.codes.len() - 1));
        self.codes.len() - 1
    }

    /// Code for a condition of a process of the state that was taken up.
    pub(crate) fn compile_condition(&mut self, process: usize, condition: &Expr) -> crate::code::Label {
        let ty = self.type_of(process);
        let known = self.lasting_values(process);
        let frame = self.frame_of(process);
        let site = Site { pid: process, ty, frame: &frame, known, program: 0, keeps: &[], then: None };
        let program = &mut self.conditions.code;
        compile_condition(self.system.model(), &self.packing, &mut self.tables, &site, program, condition)
    }

    fn spawn(&mut self, ty: u8, first: u8, count: usize, out: &mut Successors) -> Result<(), Trouble> {
        let mut words = out.next().to_vec();
        let pid = self.packing.count.read(&words) as usize;
        let channels = self.machine.channels.len();
        let (ty, base) = (ProcessTypeId(u32::from(ty)), words.len() as u32);
        let frame = self.packing.frame_at(ty, base);
        if pid >= LIMIT || channels + frame.channels.len() > LIMIT || base + frame.words > u32::from(u16::MAX) {
            return Err(Trouble);
        }
        words.resize(words.len() + frame.words as usize, 0);
        self.packing.count.write(&mut words, pid as i32 + 1);
        frame.ty.into_iter().for_each(|slot| slot.write(&mut words, ty.0 as i32));
        let process = self.system.model().process(ty);
        frame.location.write(&mut words, process.entry.0 as i32);
        for (home, &value) in frame.variables.iter().zip(self.machine.registers(first, count)) {
            if let Home::Bits { bit, width } = home {
                Slot::new(*bit, *width).write(&mut words, value);
            }
        }
        name_channels(&frame, process, channels, &mut words);
        let code = self.code_at(pid, ty, base, &words);
        self.machine.born[ty.0 as usize] = true;
        let start = self.codes[code].start;
        let work = Work { here: &mut words, out, taken: &mut [] };
        let program = &self.programs[self.codes[code].program];
        let outcome = self.machine.run(program, start, false, &self.tables, work);
        out.fork(&words);
        self.machine.spawned = pid as i32;
        if outcome == Outcome::Done { Ok(()) } else { Err(Trouble) }
    }

    /// Ends the youngest process, which is one that came later.
    fn terminate(&mut self, pid: usize, out: &mut Successors) {
        self.packing.count.write(out.next_mut(), pid as i32);
        let ty = self.codes[self.processes[pid]].ty;
        let words = self.packing.later[ty.0 as usize].words as usize;
        out.resize_next(out.next().len() - words);
    }

    /// Room for successors.
    pub fn buffer(&self) -> Successors {
        Successors::new(self.stride())
    }
}

/// A new process's variables for the channels that were created with it.
fn name_channels(frame: &Frame, process: &model::ProcessType, before: usize, words: &mut [u64]) {
    let mut number = before as i32;
    for (home, variable) in frame.variables.iter().zip(&process.variables) {
        if let (Home::Bits { bit, width }, Initial::Channels(_)) = (home, &variable.initial) {
            for element in 0..variable.elements() as u32 {
                number += 1;
                Slot::new(bit + element * width, *width).write(words, number);
            }
        }
    }
}

/// Parameters and channels that no step of the process assigns to.
fn lasting(process: &model::ProcessType) -> Vec<VariableId> {
    let written = assigned(std::iter::once(process), Scope::Local);
    let lasts = |&(row, variable): &(usize, &model::Variable)| {
        let given = row < process.parameters as usize || matches!(variable.initial, Initial::Channels(_));
        given
            && variable.dimensions.is_empty()
            && variable.ty != model::Type::Short
            && !written.contains(&VariableId(row as u32))
    };
    process.variables.iter().enumerate().filter(lasts).map(|it| VariableId(it.0 as u32)).collect()
}

fn edge_rows(model: &model::Model) -> Vec<usize> {
    let row = |next: &mut usize, process: &model::ProcessType| {
        *next += process.edges.len();
        Some(*next - process.edges.len())
    };
    model.processes.iter().scan(0, row).collect()
}

fn uses_timeout(model: &model::Model) -> bool {
    let mut found = false;
    model::access::expressions(model, &mut |expr| found |= expr.any(&|it| *it == Expr::Timeout));
    found
}

/// Per word: the bits that are not those of a process with a fixed place.
fn own_bits(packing: &Packing, process: &model::ProcessType, frame: &crate::packing::Frame) -> Vec<(usize, u64)> {
    let mut keeps = vec![u64::MAX; packing.fixed_words as usize];
    let mut clear = |bit: u32, width: u32| {
        for bit in bit..bit + width {
            keeps[(bit / 64) as usize] &= !(1 << (bit % 64));
        }
    };
    for (home, variable) in frame.variables.iter().zip(&process.variables) {
        if let Home::Bits { bit, width } = home {
            clear(*bit, width * variable.elements() as u32);
        }
    }
    for place in &frame.channels {
        clear(place.first, packing.messages[place.shape].bits());
    }
    let slots = frame.channels.iter().filter(|it| packing.messages[it.shape].capacity > 0).map(|it| it.length);
    for slot in slots.chain([frame.location]).chain(frame.priority) {
        keeps[slot.word as usize] &= slot.others();
    }
    keeps.into_iter().enumerate().filter(|it| it.1 != u64::MAX).collect()
}
