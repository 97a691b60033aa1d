//! Registers, the bits of a state, and what is computed with them.
use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{AliasRegion, InstBuilder, MemFlags, Value, types};
use model::{BinaryOp, UnaryOp};

use super::{Side, Translator};
use crate::code::{Array, Comparison, Element, Label, Reg};
use crate::slot::Slot;

impl Translator<'_> {
    pub(super) fn field(&mut self, offset: i32) -> Value {
        self.builder.ins().load(types::I64, MemFlags::trusted(), self.context, offset)
    }

    pub(super) fn set_field(&mut self, value: Value, offset: i32) {
        self.builder.ins().store(MemFlags::trusted(), value, self.context, offset);
    }

    pub(super) fn register(&mut self, register: Reg) -> Value {
        let flags = flags(AliasRegion::Vmctx);
        self.builder.ins().load(types::I32, flags, self.registers, i32::from(register) * 4)
    }

    pub(super) fn set_register(&mut self, register: Reg, value: Value) {
        self.builder.ins().store(flags(AliasRegion::Vmctx), value, self.registers, i32::from(register) * 4);
    }

    /// The register, which is below a bound.
    pub(super) fn checked(&mut self, register: Reg, size: u32, row: Label, side: Side) -> Value {
        let index = self.register(register);
        self.exit_unless_below(index, size, row, side);
        index
    }

    pub(super) fn exit_unless_below(&mut self, index: Value, size: u32, row: Label, side: Side) {
        let size = self.builder.ins().iconst(types::I32, i64::from(size));
        let is_outside = self.builder.ins().icmp(IntCC::UnsignedGreaterThanOrEqual, index, size);
        self.exit_if(is_outside, row, side);
    }

    /// Where the words of a side are. Those of the state and of copies never overlap.
    pub(super) fn words_of(&mut self, side: Side) -> (Value, MemFlags) {
        match side {
            Side::Here => (self.here, flags(AliasRegion::Heap)),
            Side::Next => (self.builder.use_var(self.copy), flags(AliasRegion::Table)),
        }
    }

    pub(super) fn read(&mut self, slot: Slot, side: Side) -> Value {
        let (base, flags) = self.words_of(side);
        self.words = self.words.max(usize::from(slot.word) + 1);
        self.read_from(base, flags, slot)
    }

    /// Reads the smallest piece of memory that contains a slot of a state that begins there.
    pub(super) fn read_from(&mut self, base: Value, flags: MemFlags, slot: Slot) -> Value {
        let (shift, width) = (slot.shift(), slot.width());
        let fits = |size: &u32| shift % size + width <= *size;
        let word = i32::from(slot.word) * 8;
        let Some(size) = [8, 16, 32].into_iter().find(fits) else {
            let word = self.builder.ins().load(types::I64, flags, base, word);
            let shifted = self.builder.ins().ushr_imm(word, i64::from(shift));
            let low = self.builder.ins().ireduce(types::I32, shifted);
            return if width == 32 { low } else { self.builder.ins().band_imm(low, mask(width)) };
        };
        let piece = self.load_piece(size, flags, base, word + (shift / size * (size / 8)) as i32);
        let (inside, above) = (shift % size, size - shift % size - width);
        let low = if inside == 0 { piece } else { self.builder.ins().ushr_imm(piece, i64::from(inside)) };
        if above == 0 { low } else { self.builder.ins().band_imm(low, mask(width)) }
    }

    /// So many bits as an `i32`; words have their low bits first ([`super::super::host`]).
    fn load_piece(&mut self, size: u32, flags: MemFlags, base: Value, offset: i32) -> Value {
        match size {
            8 => self.builder.ins().uload8(types::I32, flags, base, offset),
            16 => self.builder.ins().uload16(types::I32, flags, base, offset),
            _ => self.builder.ins().load(types::I32, flags, base, offset),
        }
    }

    pub(super) fn write(&mut self, slot: Slot, value: Value, side: Side) {
        let wide = self.builder.ins().uextend(types::I64, value);
        let cut = self.builder.ins().band_imm(wide, mask(slot.width()));
        let shifted = self.builder.ins().ishl_imm(cut, i64::from(slot.shift()));
        let (base, flags) = self.words_of(side);
        self.words = self.words.max(usize::from(slot.word) + 1);
        let old = self.builder.ins().load(types::I64, flags, base, i32::from(slot.word) * 8);
        let others = self.builder.ins().band_imm(old, slot.others() as i64);
        let new = self.builder.ins().bor(others, shifted);
        self.builder.ins().store(flags, new, base, i32::from(slot.word) * 8);
    }

    pub(super) fn write_const(&mut self, slot: Slot, value: i32, side: Side) {
        let own = !slot.others();
        let bits = (u64::from(value as u32) << slot.shift()) & own;
        let (base, flags) = self.words_of(side);
        self.words = self.words.max(usize::from(slot.word) + 1);
        let mut word = self.builder.ins().load(types::I64, flags, base, i32::from(slot.word) * 8);
        if bits != own {
            word = self.builder.ins().band_imm(word, slot.others() as i64);
        }
        if bits != 0 {
            word = self.builder.ins().bor_imm(word, bits as i64);
        }
        self.builder.ins().store(flags, word, base, i32::from(slot.word) * 8);
    }

    /// The index of an element, which is inside.
    pub(super) fn index(&mut self, element: &Element, row: Label, side: Side) -> Value {
        let [(first, times), (second, times_second)] = element.terms;
        let mut index = self.term(first, times, side);
        index = self.builder.ins().iadd_imm(index, i64::from(element.offset));
        if times_second != 0 {
            let term = self.term(second, times_second, side);
            index = self.builder.ins().iadd(index, term);
        }
        self.exit_unless_below(index, element.size, row, side);
        index
    }

    pub(super) fn term(&mut self, slot: Slot, times: i32, side: Side) -> Value {
        let value = self.read(slot, side);
        if times == 1 { value } else { self.builder.ins().imul_imm(value, i64::from(times)) }
    }

    pub(super) fn read_element(&mut self, element: u16, row: Label, side: Side) -> Value {
        let element = self.tables.elements[element as usize];
        let index = self.index(&element, row, side);
        self.read_at(element.array, element.size, index, side)
    }

    pub(super) fn write_element(&mut self, element: u16, value: Value, row: Label, side: Side) {
        let element = self.tables.elements[element as usize];
        let index = self.index(&element, row, side);
        self.write_at(element.array, element.size, index, value, side);
    }

    /// The address of the word with an element of an array, its offset, and the first bit in it.
    pub(super) fn element(&mut self, array: Array, size: u32, index: Value, side: Side) -> (Value, i32, Value) {
        let (base, _) = self.words_of(side);
        let last = self.needs(array, size);
        let index = self.builder.ins().uextend(types::I64, index);
        let bits = self.builder.ins().ishl_imm(index, i64::from(array.log_width));
        let bit = self.builder.ins().iadd_imm(bits, i64::from(array.bit));
        if array.bit / 64 == last {
            return (base, last as i32 * 8, bit);
        }
        let word = self.builder.ins().ushr_imm(bit, 6);
        let offset = self.builder.ins().ishl_imm(word, 3);
        (self.builder.ins().iadd(base, offset), 0, bit)
    }

    pub(super) fn read_at(&mut self, array: Array, size: u32, index: Value, side: Side) -> Value {
        let width = 1 << array.log_width;
        let (base, flags) = self.words_of(side);
        if width >= 8 && array.bit.is_multiple_of(width) {
            self.needs(array, size);
            let index = self.builder.ins().uextend(types::I64, index);
            let offset = self.builder.ins().ishl_imm(index, i64::from(array.log_width) - 3);
            let address = self.builder.ins().iadd(base, offset);
            return self.load_piece(width, flags, address, (array.bit / 8) as i32);
        }
        let (address, offset, bit) = self.element(array, size, index, side);
        let word = self.builder.ins().load(types::I64, flags, address, offset);
        let shifted = self.builder.ins().ushr(word, bit);
        let low = self.builder.ins().ireduce(types::I32, shifted);
        if width >= 32 { low } else { self.builder.ins().band_imm(low, mask(width)) }
    }

    /// All elements are in the state. Says which word the last one is in.
    fn needs(&mut self, array: Array, size: u32) -> u32 {
        let last = (array.bit + (size << array.log_width) - 1) / 64;
        self.words = self.words.max(last as usize + 1);
        last
    }

    pub(super) fn write_at(&mut self, array: Array, size: u32, index: Value, value: Value, side: Side) {
        let (address, offset, bit) = self.element(array, size, index, side);
        let (_, flags) = self.words_of(side);
        let own = self.builder.ins().iconst(types::I64, mask(1 << array.log_width));
        let wide = self.builder.ins().uextend(types::I64, value);
        let cut = self.builder.ins().band(wide, own);
        let (own, shifted) = (self.builder.ins().ishl(own, bit), self.builder.ins().ishl(cut, bit));
        let old = self.builder.ins().load(types::I64, flags, address, offset);
        let others = self.builder.ins().band_not(old, own);
        let new = self.builder.ins().bor(others, shifted);
        self.builder.ins().store(flags, new, address, offset);
    }

    pub(super) fn unary(&mut self, op: UnaryOp, value: Value) -> Value {
        match op {
            UnaryOp::Negate => self.builder.ins().ineg(value),
            UnaryOp::Complement => self.builder.ins().bnot(value),
            UnaryOp::Not => {
                let is_zero = self.builder.ins().icmp_imm(IntCC::Equal, value, 0);
                self.builder.ins().uextend(types::I32, is_zero)
            }
        }
    }

    pub(super) fn binary(&mut self, op: BinaryOp, left: Value, right: Value, row: Label, side: Side) -> Value {
        let ins = self.builder.ins();
        match op {
            BinaryOp::BitOr => ins.bor(left, right),
            BinaryOp::BitXor => ins.bxor(left, right),
            BinaryOp::BitAnd => ins.band(left, right),
            BinaryOp::Shl => ins.ishl(left, right),
            BinaryOp::Shr => ins.sshr(left, right),
            BinaryOp::Add => ins.iadd(left, right),
            BinaryOp::Sub => ins.isub(left, right),
            BinaryOp::Mul => ins.imul(left, right),
            BinaryOp::Or => {
                let either = ins.bor(left, right);
                self.compare(IntCC::NotEqual, either)
            }
            BinaryOp::And => {
                let (left, right) = (self.compare(IntCC::NotEqual, left), self.compare(IntCC::NotEqual, right));
                self.builder.ins().band(left, right)
            }
            BinaryOp::Div | BinaryOp::Rem => self.divide(op, left, right, row, side),
            BinaryOp::Eq | BinaryOp::Ne | BinaryOp::Lt | BinaryOp::Le | BinaryOp::Gt | BinaryOp::Ge => {
                let holds = ins.icmp(relation(op), left, right);
                self.builder.ins().uextend(types::I32, holds)
            }
        }
    }

    /// Whether a value is, or is not, zero.
    pub(super) fn compare(&mut self, condition: IntCC, value: Value) -> Value {
        let holds = self.builder.ins().icmp_imm(condition, value, 0);
        self.builder.ins().uextend(types::I32, holds)
    }

    /// Divisors 0 and -1, with which processors differ, are left to the caller.
    pub(super) fn divide(&mut self, op: BinaryOp, left: Value, right: Value, row: Label, side: Side) -> Value {
        let after = self.builder.ins().iadd_imm(right, 1);
        let is_special = self.builder.ins().icmp_imm(IntCC::UnsignedLessThanOrEqual, after, 1);
        self.exit_if(is_special, row, side);
        match op {
            BinaryOp::Div => self.builder.ins().sdiv(left, right),
            _ => self.builder.ins().srem(left, right),
        }
    }
}

/// Memory of this kind, which is there and aligned.
pub fn flags(region: AliasRegion) -> MemFlags {
    MemFlags::trusted().with_alias_region(Some(region))
}

/// So many low bits.
pub fn low_bits(width: u32) -> u64 {
    if width >= 64 { u64::MAX } else { (1 << width) - 1 }
}

pub fn mask(width: u32) -> i64 {
    low_bits(width) as i64
}

pub fn condition(comparison: Comparison) -> IntCC {
    match comparison {
        Comparison::Eq => IntCC::Equal,
        Comparison::Ne => IntCC::NotEqual,
        Comparison::Lt => IntCC::SignedLessThan,
        Comparison::Le => IntCC::SignedLessThanOrEqual,
        Comparison::Gt => IntCC::SignedGreaterThan,
        Comparison::Ge => IntCC::SignedGreaterThanOrEqual,
    }
}

pub fn relation(op: BinaryOp) -> IntCC {
    match op {
        BinaryOp::Ne => IntCC::NotEqual,
        BinaryOp::Lt => IntCC::SignedLessThan,
        BinaryOp::Le => IntCC::SignedLessThanOrEqual,
        BinaryOp::Gt => IntCC::SignedGreaterThan,
        BinaryOp::Ge => IntCC::SignedGreaterThanOrEqual,
        _ => IntCC::Equal,
    }
}
