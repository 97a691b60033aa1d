//! Messages of known channels: pushing and popping is shifting bits.
use cranelift_codegen::ir::{InstBuilder, MemFlags, Value, types};

use super::values::{low_bits, mask};
use super::{Side, Translator};
use crate::code::Reg;
use crate::message::{ChannelPlace, MessageLayout};

impl Translator<'_> {
    /// Adds to the number of messages, which was this.
    pub(super) fn count(&mut self, place: ChannelPlace, length: Value, more: i64, side: Side) {
        let length = self.builder.ins().iadd_imm(length, more);
        self.write(place.length, length, side);
    }

    /// Appends registers. Behind the last message there are zeros.
    pub(super) fn push(&mut self, place: ChannelPlace, first: Reg, side: Side) {
        let tables = self.tables;
        let messages = &tables.messages[place.shape];
        let length = self.read(place.length, side);
        let start = self.message_start(messages, place, length);
        self.words = self.words.max((place.first + messages.bits()).div_ceil(64) as usize);
        for (row, field) in messages.fields.iter().enumerate() {
            let value = self.register(first + row as Reg);
            let wide = self.builder.ins().uextend(types::I64, value);
            let cut = self.builder.ins().band_imm(wide, mask(field.width));
            let bit = self.builder.ins().iadd_imm(start, i64::from(field.bit));
            let (address, offset, flags) = self.word_at(messages, place, bit, side);
            let shifted = self.builder.ins().ishl(cut, bit);
            let old = self.builder.ins().load(types::I64, flags, address, offset);
            let new = self.builder.ins().bor(old, shifted);
            self.builder.ins().store(flags, new, address, offset);
        }
        self.count(place, length, 1, side);
    }

    /// The bit where a message starts.
    pub(super) fn message_start(&mut self, messages: &MessageLayout, place: ChannelPlace, slot: Value) -> Value {
        let slot = self.builder.ins().uextend(types::I64, slot);
        let offset = if messages.stride > 64 || messages.capacity <= messages.per_word {
            self.builder.ins().imul_imm(slot, i64::from(messages.stride))
        } else {
            let word = self.builder.ins().udiv_imm(slot, i64::from(messages.per_word));
            let first = self.builder.ins().imul_imm(word, i64::from(messages.per_word));
            let inside = self.builder.ins().isub(slot, first);
            let inside = self.builder.ins().imul_imm(inside, i64::from(messages.stride));
            let before = self.builder.ins().ishl_imm(word, 6);
            self.builder.ins().iadd(before, inside)
        };
        self.builder.ins().iadd_imm(offset, i64::from(place.first))
    }

    /// The address and offset of the word with a bit of a channel's messages.
    pub(super) fn word_at(
        &mut self,
        messages: &MessageLayout,
        place: ChannelPlace,
        bit: Value,
        side: Side,
    ) -> (Value, i32, MemFlags) {
        let (base, flags) = self.words_of(side);
        if messages.is_small() {
            return (base, (place.first / 64) as i32 * 8, flags);
        }
        let word = self.builder.ins().ushr_imm(bit, 6);
        let offset = self.builder.ins().ishl_imm(word, 3);
        (self.builder.ins().iadd(base, offset), 0, flags)
    }

    /// How many words the messages of a channel take.
    pub(super) fn words_of_queue(&self, queue: u16) -> usize {
        let messages = &self.tables.messages[self.tables.queues[queue as usize].shape];
        messages.bits().div_ceil(64) as usize
    }

    /// Removes the oldest message: all others move. Behind the last one there are zeros.
    pub(super) fn pop(&mut self, place: ChannelPlace, side: Side) {
        let messages = &self.tables.messages[place.shape];
        let length = self.read(place.length, side);
        let (first, words) = ((place.first / 64) as i32, messages.bits().div_ceil(64) as i32);
        self.words = self.words.max((first + words) as usize);
        if messages.is_small() {
            self.shift_within(place, side);
        } else {
            (0..words).for_each(|word| self.shift_word(messages, first, word, words, side));
        }
        self.count(place, length, -1, side);
    }

    /// Moves messages that share a word with other things.
    pub(super) fn shift_within(&mut self, place: ChannelPlace, side: Side) {
        let messages = &self.tables.messages[place.shape];
        let own = low_bits(messages.bits()) << (place.first % 64);
        let (base, flags) = self.words_of(side);
        let offset = (place.first / 64) as i32 * 8;
        let old = self.builder.ins().load(types::I64, flags, base, offset);
        let rest = self.builder.ins().band_imm(old, !own as i64);
        let kept = own & (own.checked_shl(messages.stride).unwrap_or(0));
        let kept = self.builder.ins().band_imm(old, kept as i64);
        let moved = self.shifted_down(kept, messages.stride);
        let new = self.builder.ins().bor(rest, moved);
        self.builder.ins().store(flags, new, base, offset);
    }

    /// Moves messages in one of several words. Other things can be at the end of the last one.
    pub(super) fn shift_word(&mut self, messages: &MessageLayout, first: i32, word: i32, words: i32, side: Side) {
        let (base, flags) = self.words_of(side);
        let mut get = |word: i32| match word < words {
            true => self.builder.ins().load(types::I64, flags, base, (first + word) * 8),
            false => self.builder.ins().iconst(types::I64, 0),
        };
        let new = if messages.stride > 64 {
            get(word + (messages.stride / 64) as i32)
        } else {
            let (old, next) = (get(word), get(word + 1));
            let own = low_bits(if word + 1 < words { 64 } else { messages.bits() - word as u32 * 64 });
            let (kept, rest) =
                (self.builder.ins().band_imm(old, own as i64), self.builder.ins().band_imm(old, !own as i64));
            let moved = self.shifted_down(kept, messages.stride);
            let oldest = self.builder.ins().band_imm(next, mask(messages.stride));
            let oldest = self.builder.ins().ishl_imm(oldest, i64::from((messages.per_word - 1) * messages.stride));
            let own = self.builder.ins().bor(moved, oldest);
            self.builder.ins().bor(own, rest)
        };
        self.builder.ins().store(flags, new, base, (first + word) * 8);
    }

    /// A word, shifted by up to 64 bits.
    pub(super) fn shifted_down(&mut self, word: Value, bits: u32) -> Value {
        match bits {
            64 => self.builder.ins().iconst(types::I64, 0),
            _ => self.builder.ins().ushr_imm(word, i64::from(bits)),
        }
    }
}
