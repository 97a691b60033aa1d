//! The messages of a channel as bits.
//!
//! The fields of a message stand side by side. A message of at most 64 bits lies within one word, as
//! many of them as fit; a longer one takes whole words, and no field crosses the border of a word.
//! Slots behind the last message are zero, so that equal channels have equal bits.
use model::ChannelShape;

use crate::packing::{Allocator, width};
use crate::slot::{read_bits, write_bits};

/// How one kind of channel keeps its messages.
#[derive(Clone, Debug)]
pub struct MessageLayout {
    /// Messages it can hold.
    pub capacity: u32,
    /// Per field: where it starts in the message, and how wide it is.
    pub fields: Vec<Field>,
    /// Bits from one message to the next, if they are in one word.
    pub stride: u32,
    /// Messages in a word.
    pub per_word: u32,
}

/// A field of a message.
#[derive(Clone, Copy, Debug)]
pub struct Field {
    /// First bit, counted from the start of the message.
    pub bit: u32,
    /// How many.
    pub width: u32,
    /// 16 bits with a sign.
    pub short: bool,
}

/// A channel in a state.
#[derive(Clone, Copy, Debug)]
pub struct ChannelPlace {
    /// Row of the message layouts.
    pub shape: usize,
    /// Where the number of messages is; meaningless for a rendezvous.
    pub length: crate::slot::Slot,
    /// The first bit of the first message.
    pub first: u32,
}

impl ChannelPlace {
    /// The same channel in a frame that starts at another word.
    pub fn moved(self, base: u32) -> ChannelPlace {
        ChannelPlace { length: self.length.moved(base), first: self.first + base * 64, ..self }
    }
}

impl MessageLayout {
    /// The layout of a shape.
    pub fn new(shape: &ChannelShape) -> MessageLayout {
        let mut allocator = Allocator::default();
        let field = |ty: &model::Type| {
            let width = width(*ty);
            Field { bit: allocator.take(width), width, short: *ty == model::Type::Short }
        };
        let fields = shape.fields.iter().map(field).collect();
        let bits = allocator.bits().max(1);
        let (stride, per_word) = if bits <= 64 { (bits, 64 / bits) } else { (bits.next_multiple_of(64), 1) };
        MessageLayout { capacity: shape.capacity, fields, stride, per_word }
    }

    /// Where message number `slot` starts, counted from the first.
    #[inline]
    pub fn offset(&self, slot: u32) -> u32 {
        if self.stride <= 64 {
            slot / self.per_word * 64 + slot % self.per_word * self.stride
        } else {
            slot * self.stride
        }
    }

    /// Bits of all messages together.
    pub fn bits(&self) -> u32 {
        match self.capacity {
            0 => 0,
            some => self.offset(some - 1) + self.stride,
        }
    }

    /// Whether all messages fit one word.
    pub fn is_small(&self) -> bool {
        self.bits() <= 64
    }

    /// A field of a message.
    #[inline]
    pub fn read(&self, words: &[u64], first: u32, slot: u32, field: usize) -> i32 {
        let at = &self.fields[field];
        let value = read_bits(words, first + self.offset(slot) + at.bit, at.width) as i32;
        if at.short { i32::from(value as i16) } else { value }
    }

    /// Stores a field of a message.
    pub fn write(&self, words: &mut [u64], first: u32, slot: u32, field: usize, value: i32) {
        let at = &self.fields[field];
        write_bits(words, first + self.offset(slot) + at.bit, at.width, u64::from(value as u32));
    }

    /// The value that a field keeps of another.
    pub fn truncate(&self, field: usize, value: i32) -> i32 {
        let at = &self.fields[field];
        if at.short {
            i32::from(value as i16)
        } else if at.width == 32 {
            value
        } else {
            value & ((1 << at.width) - 1)
        }
    }

    /// Moves message `from` to slot `to`.
    fn copy(&self, words: &mut [u64], first: u32, from: u32, to: u32) {
        let (from, to) = (first + self.offset(from), first + self.offset(to));
        for part in (0..self.stride).step_by(64) {
            let width = (self.stride - part).min(64);
            let bits = read_bits(words, from + part, width);
            write_bits(words, to + part, width, bits);
        }
    }

    fn clear(&self, words: &mut [u64], first: u32, slot: u32) {
        let at = first + self.offset(slot);
        for part in (0..self.stride).step_by(64) {
            write_bits(words, at + part, (self.stride - part).min(64), 0);
        }
    }

    /// Appends a message to a channel that has room.
    pub fn push(&self, words: &mut [u64], place: ChannelPlace, values: &[i32]) {
        let length = place.length.read(words);
        for (field, &value) in values.iter().enumerate() {
            self.write(words, place.first, length as u32, field, value);
        }
        place.length.write(words, length + 1);
    }

    /// Removes the oldest message of a channel that has one.
    pub fn pop(&self, words: &mut [u64], place: ChannelPlace) {
        let length = place.length.read(words);
        self.remove(words, place.first, 0, length as u32);
        place.length.write(words, length - 1);
    }

    /// Makes room for a message at `slot`.
    pub fn open(&self, words: &mut [u64], first: u32, slot: u32, length: u32) {
        for from in (slot..length).rev() {
            self.copy(words, first, from, from + 1);
        }
    }

    /// Removes the message at `slot`.
    pub fn remove(&self, words: &mut [u64], first: u32, slot: u32, length: u32) {
        for from in slot + 1..length {
            self.copy(words, first, from, from - 1);
        }
        self.clear(words, first, length - 1);
    }
}
