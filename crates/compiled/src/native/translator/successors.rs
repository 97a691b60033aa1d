//! Copies of the state that become successors.
use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{AliasRegion, InstBuilder, MemFlags, Value, types};

use super::values::flags;
use super::{Context, Side, Translator, UNROLLED, field};
use crate::code::{Label, MOVED};

impl Translator<'_> {
    /// Copies the state.
    pub(super) fn fork(&mut self, row: Label, side: Side) {
        let (copy, limit) = (self.field(field!(copy)), self.field(field!(limit)));
        let length = self.length();
        let end = self.behind(copy, length);
        let is_full = self.builder.ins().icmp(IntCC::UnsignedGreaterThan, end, limit);
        self.exit_if(is_full, row, side);
        self.builder.def_var(self.copy, copy);
        if self.stride == 0 {
            self.set_field(length, field!(next));
        }
        match self.stride {
            1..=UNROLLED => {
                let (from, to) = (self.words_of(Side::Here), self.words_of(Side::Next));
                self.copy_state(from, to);
            }
            _ => self.copy_words(length),
        }
    }

    pub(super) fn length(&mut self) -> Value {
        match self.stride {
            0 => self.field(field!(length)),
            stride => self.builder.ins().iconst(types::I64, stride as i64),
        }
    }

    /// Copies a state whose length is known, two words at a time.
    pub(super) fn copy_state(&mut self, (from, from_flags): (Value, MemFlags), (to, to_flags): (Value, MemFlags)) {
        let pairs = self.stride / 2;
        let pieces = (0..pairs).map(|pair| (types::I64X2, pair * 2));
        for (ty, word) in pieces.chain((pairs * 2..self.stride).map(|word| (types::I64, word))) {
            let value = self.builder.ins().load(ty, unaligned(from_flags), from, word as i32 * 8);
            self.builder.ins().store(unaligned(to_flags), value, to, word as i32 * 8);
        }
    }

    pub(super) fn copy_words(&mut self, length: Value) {
        let (head, body, done) =
            (self.builder.create_block(), self.builder.create_block(), self.builder.create_block());
        let at = self.builder.append_block_param(head, types::I64);
        let zero = self.builder.ins().iconst(types::I64, 0);
        self.builder.ins().jump(head, &[zero.into()]);
        self.builder.switch_to_block(head);
        let more = self.builder.ins().icmp(IntCC::UnsignedLessThan, at, length);
        self.builder.ins().brif(more, body, &[], done, &[]);
        self.builder.switch_to_block(body);
        let offset = self.builder.ins().ishl_imm(at, 3);
        let ((from, from_flags), (to, to_flags)) = (self.words_of(Side::Here), self.words_of(Side::Next));
        let (from, to) = (self.builder.ins().iadd(from, offset), self.builder.ins().iadd(to, offset));
        let value = self.builder.ins().load(types::I64, from_flags, from, 0);
        self.builder.ins().store(to_flags, value, to, 0);
        let after = self.builder.ins().iadd_imm(at, 1);
        self.builder.ins().jump(head, &[after.into()]);
        self.builder.switch_to_block(done);
    }

    /// An edge was taken.
    pub(super) fn take(&mut self, edge: usize) {
        self.edges = self.edges.max(edge + 1);
        let one = self.builder.ins().iconst(types::I8, 1);
        self.builder.ins().store(flags(AliasRegion::Vmctx), one, self.taken, edge as i32);
        let one = self.builder.ins().iconst(types::I32, 1);
        self.set_register(MOVED, one);
    }

    /// The copy is a successor.
    pub(super) fn keep(&mut self) {
        let length = match self.stride {
            0 => self.field(field!(next)),
            _ => self.length(),
        };
        let copy = self.builder.use_var(self.copy);
        let end = self.behind(copy, length);
        self.set_field(end, field!(copy));
    }

    /// So many words further on.
    fn behind(&mut self, address: Value, words: Value) -> Value {
        if self.stride > 0 {
            return self.builder.ins().iadd_imm(address, self.stride as i64 * 8);
        }
        let offset = self.builder.ins().ishl_imm(words, 3);
        self.builder.ins().iadd(address, offset)
    }

    /// Notes where the copy ends.
    pub(super) fn end(&mut self, row: Label) {
        let (end, room) = (self.field(field!(end)), self.field(field!(end_room)));
        let is_full = self.builder.ins().icmp(IntCC::UnsignedGreaterThanOrEqual, end, room);
        self.exit_if(is_full, row, Side::Next);
        let (copy, block) = (self.builder.use_var(self.copy), self.field(field!(block)));
        let offset = self.builder.ins().isub(copy, block);
        let (tail, next) = (self.builder.ins().ushr_imm(offset, 3), self.field(field!(next)));
        let value = self.builder.ins().iadd(tail, next);
        let (ends, offset) = (self.field(field!(ends)), self.builder.ins().ishl_imm(end, 3));
        let address = self.builder.ins().iadd(ends, offset);
        self.builder.ins().store(flags(AliasRegion::Table), value, address, 0);
        let after = self.builder.ins().iadd_imm(end, 1);
        self.builder.ins().store(MemFlags::trusted(), after, self.context, field!(end));
    }
}

/// Memory that is there, but aligned only for a word.
fn unaligned(flags: MemFlags) -> MemFlags {
    MemFlags::new().with_notrap().with_alias_region(flags.alias_region())
}
