//! Points at which a process goes on alone, from where it gets there to where it goes on.
//!
//! A step that keeps control leaves its copy on a stack. When all edges have been tried, of everybody or of the process that is
//! alone, the copy on the top becomes the state, and its process is tried. So a whole chain of steps costs no return to
//! the caller. The caller sees to points that are rare: with another number of processes, or after very many.
use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{Block, InstBuilder, MemFlags, Value, types};
use cranelift_frontend::Switch;

use super::{Context, Side, Translator, field};
use crate::code::{ALONE, Instr, Label, MOVED};
use crate::points;

/// Where code goes on when all edges have been tried.
#[derive(Clone, Copy)]
pub struct Ends {
    /// Of a process that is alone.
    pub of_process: Block,
    /// Of everybody.
    pub of_all: Block,
    /// The row at which the caller goes on.
    row: Label,
}

impl Translator<'_> {
    /// Makes the blocks for the ends, if there are points and an end.
    pub(super) fn ends(&mut self) -> Option<Ends> {
        let row = self.code.iter().position(|it| matches!(it, Instr::End))? as Label;
        let mut block = || self.builder.create_block();
        self.blueprint.has_points().then(|| Ends { of_process: block(), of_all: block(), row })
    }

    /// Fills the blocks for the ends.
    pub(super) fn fill_ends(&mut self, ends: Ends) {
        self.builder.switch_to_block(ends.of_process);
        let (moved, alone, stuck) = (self.register(MOVED), self.register(ALONE), self.builder.create_block());
        let is_free = self.builder.ins().icmp_imm(IntCC::NotEqual, alone, 1);
        let is_free = self.builder.ins().uextend(types::I32, is_free);
        let goes_on = self.builder.ins().bor(moved, is_free);
        self.builder.ins().brif(goes_on, ends.of_all, &[], stuck, &[]);
        self.builder.switch_to_block(stuck);
        self.lose_control(ends.row);
        self.builder.ins().jump(ends.of_all, &[]);
        self.builder.switch_to_block(ends.of_all);
        self.take_point(ends.row);
    }

    /// The copy becomes a point.
    pub(super) fn leave_alone(&mut self, act: u32, row: Label) {
        let (used, room) = (self.field(field!(point)), self.field(field!(point_room)));
        let end = self.builder.ins().iadd_imm(used, self.stride as i64 + 1);
        let is_full = self.builder.ins().icmp(IntCC::UnsignedGreaterThan, end, room);
        self.exit_if(is_full, row, Side::Next);
        let place = self.point_at(used);
        let (from, from_flags) = self.words_of(Side::Next);
        self.copy_state((from, from_flags), (place, MemFlags::trusted()));
        let act = self.tables.acts[act as usize];
        let label = self.builder.ins().iconst(types::I64, points::label(act.process, self.stride) as i64);
        self.builder.ins().store(MemFlags::trusted(), label, place, self.stride as i32 * 8);
        self.set_field(end, field!(point));
        self.count_inner();
        self.take(act.edge);
    }

    fn count_inner(&mut self) {
        let inner = self.field(field!(inner));
        let inner = self.builder.ins().iadd_imm(inner, 1);
        self.set_field(inner, field!(inner));
    }

    /// One point less can be taken.
    fn use_patience(&mut self, patience: Value) {
        let patience = self.builder.ins().iadd_imm(patience, -1);
        self.set_field(patience, field!(patience));
    }

    /// Only one process is asked from now on, and it has no step yet.
    fn begin_alone(&mut self) {
        for (register, value) in [(ALONE, 1), (MOVED, 0)] {
            let value = self.builder.ins().iconst(types::I32, value);
            self.set_register(register, value);
        }
    }

    /// The process at a point cannot go on: the state is a successor. The caller would do the same.
    fn lose_control(&mut self, row: Label) {
        self.fork(row, Side::Here);
        self.keep();
        let one = self.builder.ins().iconst(types::I32, 1);
        self.set_register(MOVED, one);
    }

    /// Goes on with the last point, if there is one.
    fn take_point(&mut self, row: Label) {
        let used = self.field(field!(point));
        let size = self.stride as i64 + 1;
        let is_none = self.builder.ins().icmp_imm(IntCC::UnsignedLessThan, used, size);
        self.exit_if(is_none, row, Side::Here);
        let patience = self.field(field!(patience));
        let is_late = self.builder.ins().icmp_imm(IntCC::Equal, patience, 0);
        self.exit_if(is_late, row, Side::Here);
        let start = self.builder.ins().iadd_imm(used, -size);
        let place = self.point_at(start);
        self.exit_if_others(place, row);
        self.use_patience(patience);
        self.set_field(start, field!(point));
        let state = self.words_of(Side::Here);
        self.copy_state((place, MemFlags::trusted()), state);
        self.begin_alone();
        self.enter_process(place);
    }

    /// Returns to the caller if there are more or fewer processes at a point than in the state.
    fn exit_if_others(&mut self, place: Value, row: Label) {
        let count = self.blueprint.count;
        let here = self.read(count, Side::Here);
        let there = self.read_from(place, MemFlags::trusted(), count);
        let differ = self.builder.ins().icmp(IntCC::NotEqual, here, there);
        self.exit_if(differ, row, Side::Here);
    }

    /// Goes to the code of the process of a point.
    fn enter_process(&mut self, place: Value) {
        let process = self.builder.ins().load(types::I32, MemFlags::trusted(), place, self.stride as i32 * 8);
        let blueprint = self.blueprint;
        let blocks: Vec<Block> = blueprint.processes.iter().map(|&row| self.block_of(row, Side::Here)).collect();
        let mut switch = Switch::new();
        for (process, &block) in blocks.iter().enumerate().skip(1) {
            switch.set_entry(process as u128, block);
        }
        switch.emit(&mut self.builder, process, blocks[0]);
    }

    fn point_at(&mut self, word: Value) -> Value {
        let (points, offset) = (self.field(field!(points)), self.builder.ins().ishl_imm(word, 3));
        self.builder.ins().iadd(points, offset)
    }
}
