//! From instructions to Cranelift's, block by block.
//!
//! Every row is translated once for each [`Side`] from which it is reached. What an instruction does to the bits of a state is in
//! [`values`], to a channel in [`channels`], and how a copy becomes a successor in [`successors`].
#![deny(unsafe_code)]
mod channels;
mod points;
mod successors;
mod values;

use std::collections::{BTreeSet, HashMap};

use cranelift_codegen::ir::{AliasRegion, Block, InstBuilder, MemFlags, Value, types};
use cranelift_frontend::{FunctionBuilder, Switch, Variable};

use self::points::Ends;
use self::values::{condition, flags};
use super::{Blueprint, Context, Side, UNROLLED, field};
use crate::code::{ALONE, Instr, Label};
use crate::machine::Tables;
use crate::slot::Slot;

/// The row to which an instruction may jump.
fn target(instr: &Instr) -> Option<Label> {
    let mut copy = *instr;
    if let Instr::NextAt(to) = copy { Some(to) } else { copy.target_mut().copied() }
}

/// The first row of the jumps of an instruction that looks at a location.
fn jumps(instr: &Instr) -> Option<u32> {
    if let Instr::Switch(_, first) | Instr::Next(_, first) = instr { Some(*first) } else { None }
}

/// For the first row of the jumps of a process: an instruction that goes on with the process.
fn nexts(code: &[Instr]) -> HashMap<u32, Label> {
    let next = |(row, instr): (usize, &Instr)| match instr {
        Instr::Next(_, first) => Some((*first, row as Label)),
        _ => None,
    };
    code.iter().enumerate().filter_map(next).collect()
}

/// What is known while code is made.
pub struct Translator<'a> {
    builder: FunctionBuilder<'a>,
    code: &'a [Instr],
    tables: &'a Tables,
    blueprint: &'a Blueprint,
    stride: usize,
    ends: Option<Ends>,
    /// Rows that begin a block.
    leaders: BTreeSet<Label>,
    /// First rows of jumps, in order.
    switches: BTreeSet<u32>,
    /// For the first row of the jumps of a process: where code looks at them when another process ends. One place is enough, and
    /// less to translate than one for each location.
    nexts: HashMap<u32, Label>,
    /// The first row where only the reference interpreter can go on: one is as good as another.
    trouble: Label,
    blocks: HashMap<(Label, Side), Block>,
    entries: Vec<[Option<u32>; 2]>,
    entered: Vec<Block>,
    waiting: Vec<(Label, Side)>,
    words: usize,
    edges: usize,
    context: Value,
    here: Value,
    registers: Value,
    taken: Value,
    /// Which block the caller wants to enter, and where it is looked up, when all blocks are known.
    entry: Value,
    dispatch: Block,
    /// Where the copy begins.
    copy: Variable,
}

impl<'a> Translator<'a> {
    /// Begins a function.
    pub fn new(
        mut builder: FunctionBuilder<'a>,
        code: &'a [Instr],
        tables: &'a Tables,
        blueprint: &'a Blueprint,
    ) -> Self {
        let start = builder.create_block();
        builder.append_block_params_for_function_params(start);
        builder.switch_to_block(start);
        let context = builder.block_params(start)[0];
        let copy = builder.declare_var(types::I64);
        let mut load = |offset| builder.ins().load(types::I64, MemFlags::trusted(), context, offset);
        let (here, first) = (load(field!(here)), load(field!(copy)));
        let (registers, taken) = (load(field!(registers)), load(field!(taken)));
        builder.def_var(copy, first);
        let (entry, dispatch) = (builder.block_params(start)[1], builder.create_block());
        builder.ins().jump(dispatch, &[]);
        let switches: BTreeSet<u32> = code.iter().filter_map(jumps).collect();
        let leaders = code.iter().filter_map(target).collect();
        let mut translator = Translator {
            builder,
            code,
            tables,
            blueprint,
            stride: blueprint.stride,
            ends: None,
            leaders,
            switches,
            nexts: nexts(code),
            trouble: code.iter().position(|it| matches!(it, Instr::Trouble)).unwrap_or(0) as Label,
            blocks: HashMap::new(),
            entries: vec![[None; 2]; code.len() + 1],
            entered: Vec::new(),
            waiting: Vec::new(),
            words: blueprint.stride,
            edges: 0,
            context,
            here,
            registers,
            taken,
            entry,
            dispatch,
            copy,
        };
        translator.ends = translator.ends();
        translator
    }

    /// Translates everything that can be reached.
    pub fn translate(mut self) -> (Vec<[Option<u32>; 2]>, usize, usize) {
        let blueprint = self.blueprint;
        blueprint.begins.iter().for_each(|&(row, on_next)| self.entry(row, Side::of(on_next)));
        let mut done = BTreeSet::new();
        while let Some((row, side)) = self.waiting.pop() {
            if done.insert((row, side)) {
                let block = self.blocks[&(row, side)];
                self.builder.switch_to_block(block);
                self.rows(row, side);
            }
        }
        if let Some(ends) = self.ends {
            self.fill_ends(ends);
        }
        self.enter();
        self.builder.seal_all_blocks();
        self.builder.finalize();
        (self.entries, self.words, self.edges)
    }

    /// Goes to the block that the caller wants to enter.
    fn enter(&mut self) {
        self.builder.switch_to_block(self.dispatch);
        let mut switch = Switch::new();
        for (number, &block) in self.entered.iter().enumerate() {
            switch.set_entry(number as u128, block);
        }
        let nowhere = self.builder.create_block();
        switch.emit(&mut self.builder, self.entry, nowhere);
        self.builder.switch_to_block(nowhere);
        let zero = self.builder.ins().iconst(types::I64, 0);
        self.builder.ins().return_(&[zero]);
    }

    /// The caller may begin at this row.
    fn entry(&mut self, row: Label, side: Side) {
        let block = self.block_of(row, side);
        let number = &mut self.entries[row as usize][side as usize];
        if number.is_none() {
            *number = Some(self.entered.len() as u32);
            self.entered.push(block);
        }
    }

    /// The instruction that is executed first, if one goes on at a row.
    fn first_of(&self, row: Label, side: Side) -> (Label, Side) {
        let (mut row, mut side) = (row, side);
        // Jumps that go round in circles are left as they are.
        for _ in 0..self.code.len() {
            (row, side) = match self.code.get(row as usize) {
                Some(Instr::Jump(to)) => (*to, side),
                Some(Instr::Drop) => (row + 1, Side::Here),
                Some(Instr::Next(_, first)) if self.nexts[first] != row => (self.nexts[first], side),
                Some(Instr::Trouble) if self.trouble != row || side == Side::Next => (self.trouble, Side::Here),
                _ => break,
            };
        }
        (row, side)
    }

    fn block_of(&mut self, row: Label, side: Side) -> Block {
        let (row, side) = self.first_of(row, side);
        if let Some(&block) = self.blocks.get(&(row, side)) {
            return block;
        }
        let block = self.builder.create_block();
        self.blocks.insert((row, side), block);
        self.waiting.push((row, side));
        block
    }

    /// Translates instructions up to one after which another block goes on.
    fn rows(&mut self, first: Label, side: Side) {
        let (mut row, mut side) = (first, side);
        while let Some(instr) = self.code.get(row as usize).copied() {
            match self.instr(instr, row, side) {
                Some(on) => side = on,
                None => return,
            }
            row += 1;
            if self.leaders.contains(&row) || self.blocks.contains_key(&(row, side)) {
                return self.go_to(row, side);
            }
        }
        self.exit(row, side);
    }

    fn go_to(&mut self, row: Label, side: Side) {
        let block = self.block_of(row, side);
        self.builder.ins().jump(block, &[]);
    }

    /// Returns to the caller, who has to look at this row.
    fn exit(&mut self, row: Label, side: Side) {
        let stopped = i64::from(row) << 1 | i64::from(side == Side::Next);
        let stopped = self.builder.ins().iconst(types::I64, stopped);
        self.builder.ins().return_(&[stopped]);
    }

    /// Returns to the caller if the condition holds.
    fn exit_if(&mut self, condition: Value, row: Label, side: Side) {
        let (exit, stay) = (self.builder.create_block(), self.builder.create_block());
        self.builder.set_cold_block(exit);
        self.builder.ins().brif(condition, exit, &[], stay, &[]);
        self.builder.switch_to_block(exit);
        self.exit(row, side);
        self.builder.switch_to_block(stay);
    }

    /// Returns to the caller, who will come back to the next row.
    fn call(&mut self, row: Label, side: Side) -> Option<Side> {
        self.exit(row, side);
        self.entry(row + 1, side);
        None
    }

    /// One instruction. What follows is about this side; none if a block has ended.
    fn instr(&mut self, instr: Instr, row: Label, side: Side) -> Option<Side> {
        match instr {
            Instr::Jump(to) => {
                self.go_to(to, side);
                return None;
            }
            Instr::Fork => {
                self.fork(row, side);
                return Some(Side::Next);
            }
            Instr::Arrive(slot, location, edge, to) if side == Side::Next && self.stride > 0 => {
                self.write_const(slot, i32::from(location), side);
                self.take(edge as usize);
                self.keep();
                self.go_to(to, Side::Here);
                return None;
            }
            Instr::Emit(act) if side == Side::Next => {
                if self.stride == 0 {
                    self.end(row);
                }
                self.take(self.tables.acts[act as usize].edge);
                self.keep();
                return Some(Side::Here);
            }
            Instr::Drop => return Some(Side::Here),
            Instr::End => {
                self.end_of_all(row, side);
                return None;
            }
            Instr::Next(_, first) if self.nexts[&first] != row => {
                self.go_to(self.nexts[&first], side);
                return None;
            }
            Instr::Next(slot, first) => {
                self.end_if_alone(row, side);
                return self.switch(slot, first, row, side);
            }
            Instr::NextAt(to) => {
                self.end_if_alone(row, side);
                self.go_to(to, side);
                return None;
            }
            Instr::Switch(slot, first) => return self.switch(slot, first, row, side),
            Instr::Mark(edge) => {
                let one = self.builder.ins().iconst(types::I8, 1);
                self.edges = self.edges.max(edge as usize + 1);
                self.builder.ins().store(flags(AliasRegion::Vmctx), one, self.taken, edge as i32);
            }
            Instr::Mask(word, bits) => {
                let (base, flags) = self.words_of(side);
                self.words = self.words.max(usize::from(word) + 1);
                let old = self.builder.ins().load(types::I64, flags, base, i32::from(word) * 8);
                let new = self.builder.ins().band_imm(old, bits as i64);
                self.builder.ins().store(flags, new, base, i32::from(word) * 8);
            }
            Instr::IfSlotConst(slot, comparison, value, to) => {
                let left = self.read(slot, side);
                let holds = self.builder.ins().icmp_imm(condition(comparison), left, i64::from(value));
                return self.branch(holds, to, row, side);
            }
            Instr::IfSlots(left, comparison, right, to) => {
                let (left, right) = (self.read(left, side), self.read(right, side));
                let holds = self.builder.ins().icmp(condition(comparison), left, right);
                return self.branch(holds, to, row, side);
            }
            Instr::IfElementConst(element, comparison, value, to) => {
                let left = self.read_element(element, row, side);
                let holds = self.builder.ins().icmp_imm(condition(comparison), left, i64::from(value));
                return self.branch(holds, to, row, side);
            }
            Instr::IfElementSlot(element, comparison, slot, to) => {
                let (left, right) = (self.read_element(element, row, side), self.read(slot, side));
                let holds = self.builder.ins().icmp(condition(comparison), left, right);
                return self.branch(holds, to, row, side);
            }
            Instr::IfRegs(left, comparison, right, to) => {
                let (left, right) = (self.register(left), self.register(right));
                let holds = self.builder.ins().icmp(condition(comparison), left, right);
                return self.branch(holds, to, row, side);
            }
            Instr::IfRegConst(left, comparison, right, to) => {
                let left = self.register(left);
                let holds = self.builder.ins().icmp_imm(condition(comparison), left, i64::from(right));
                return self.branch(holds, to, row, side);
            }
            Instr::Move(to, from) => {
                let value = self.register(from);
                self.set_register(to, value);
            }
            Instr::Const(to, value) => {
                let value = self.builder.ins().iconst(types::I32, i64::from(value));
                self.set_register(to, value);
            }
            Instr::Load(to, slot) => {
                let value = self.read(slot, side);
                self.set_register(to, value);
            }
            Instr::SignExtend(to) => {
                let value = self.register(to);
                let short = self.builder.ins().ireduce(types::I16, value);
                let value = self.builder.ins().sextend(types::I32, short);
                self.set_register(to, value);
            }
            Instr::LoadAt(to, index, array, size) => {
                let index = self.checked(index, size, row, side);
                let value = self.read_at(array, size, index, side);
                self.set_register(to, value);
            }
            Instr::LoadElement(to, element) => {
                let value = self.read_element(element, row, side);
                self.set_register(to, value);
            }
            Instr::Check(register, size) => {
                self.checked(register, size, row, side);
            }
            Instr::Index(first, second, size) => {
                let (left, right) = (self.register(first), self.register(second));
                let product = self.builder.ins().imul_imm(left, i64::from(size));
                let sum = self.builder.ins().iadd(product, right);
                self.set_register(first, sum);
            }
            Instr::Unary(op, to, from) => {
                let value = self.register(from);
                let value = self.unary(op, value);
                self.set_register(to, value);
            }
            Instr::Binary(op, to, left, right) => {
                let (left, right) = (self.register(left), self.register(right));
                let value = self.binary(op, left, right, row, side);
                self.set_register(to, value);
            }
            Instr::BinaryConst(op, to, left, right) => {
                let left = self.register(left);
                let right = self.builder.ins().iconst(types::I32, i64::from(right));
                let value = self.binary(op, left, right, row, side);
                self.set_register(to, value);
            }
            Instr::Store(slot, from) => {
                let value = self.register(from);
                self.write(slot, value, side);
            }
            Instr::StoreConst(slot, value) => self.write_const(slot, value, side),
            Instr::Copy(to, from) => {
                let value = self.read(from, side);
                self.write(to, value, side);
            }
            Instr::Add(to, from, value) => {
                let old = self.read(from, side);
                let new = self.builder.ins().iadd_imm(old, i64::from(value));
                self.write(to, new, side);
            }
            Instr::StoreAt(array, index, from, size) => {
                let index = self.checked(index, size, row, side);
                let value = self.register(from);
                self.write_at(array, size, index, value, side);
            }
            Instr::StoreElement(element, from) => {
                let value = self.register(from);
                self.write_element(element, value, row, side);
            }
            Instr::StoreElementConst(element, value) => {
                let value = self.builder.ins().iconst(types::I32, i64::from(value));
                self.write_element(element, value, row, side);
            }
            Instr::Push(queue, first) => self.push(self.tables.queues[queue as usize], first, side),
            Instr::Pop(queue) if self.words_of_queue(queue) <= UNROLLED => {
                self.pop(self.tables.queues[queue as usize], side);
            }
            Instr::Done | Instr::Blocked | Instr::Trouble => {
                self.exit(row, side);
                return None;
            }
            Instr::EmitInner(act) if self.ends.is_some() => {
                self.leave_alone(act, row);
                self.entry(row + 1, Side::Here);
                return Some(Side::Here);
            }
            Instr::EmitInner(_) => {
                self.exit(row, side);
                self.entry(row + 1, Side::Here);
                return None;
            }
            Instr::IfTimeout(to) | Instr::IfOther(_, to) => {
                self.entry(to, side);
                return self.call(row, side);
            }
            _ => return self.call(row, side),
        }
        Some(side)
    }

    /// All edges of the last process have been tried.
    fn end_of_all(&mut self, row: Label, side: Side) {
        let Some(ends) = self.ends else { return self.exit(row, side) };
        let alone = self.register(ALONE);
        self.builder.ins().brif(alone, ends.of_process, &[], ends.of_all, &[]);
    }

    /// All edges of a process have been tried: goes on unless it is alone.
    fn end_if_alone(&mut self, row: Label, side: Side) {
        let alone = self.register(ALONE);
        let Some(ends) = self.ends else { return self.exit_if(alone, row, side) };
        let others = self.builder.create_block();
        self.builder.ins().brif(alone, ends.of_process, &[], others, &[]);
        self.builder.switch_to_block(others);
    }

    fn branch(&mut self, holds: Value, to: Label, row: Label, side: Side) -> Option<Side> {
        let (yes, no) = (self.block_of(to, side), self.block_of(row + 1, side));
        self.builder.ins().brif(holds, yes, &[], no, &[]);
        None
    }

    /// Goes to a row that depends on a location.
    fn switch(&mut self, slot: Slot, first: u32, row: Label, side: Side) -> Option<Side> {
        let next = self.switches.range(first + 1..).next().copied();
        let end = next.unwrap_or(u32::MAX).min(self.tables.jumps.len() as u32);
        let value = self.read(slot, side);
        let mut switch = Switch::new();
        for number in 0..(end - first).min(1 << slot.width().min(16)) {
            let to = self.tables.jumps[(first + number) as usize];
            if (to as usize) < self.code.len() {
                let block = self.block_of(to, side);
                switch.set_entry(u128::from(number), block);
            }
        }
        let otherwise = self.builder.create_block();
        switch.emit(&mut self.builder, value, otherwise);
        self.builder.switch_to_block(otherwise);
        self.exit(row, side);
        None
    }
}
