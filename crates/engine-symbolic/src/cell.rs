//! The parts of which a state consists.
//!
//! States of a model grow and shrink; sets of bit vectors need a fixed place for everything. There is a *slot* for each process
//! number, and in a slot a place for each type of process that can have the number. What does not exist is 0.
use model::{ProcessTypeId, VariableId};

/// The number of a process, and the room for it.
pub type Slot = usize;

/// A row of the channels of a layout.
pub type ChannelRow = usize;

/// Something with a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Cell {
    /// Where the process of a slot is.
    Location(Slot),
    /// An element of a variable.
    Variable(Owner, VariableId, u32),
    /// How many messages a channel holds.
    Length(ChannelRow),
    /// A field of a message: the channel, the place in the queue, the field.
    Field(ChannelRow, u32, u32),
    /// Where the monitor of messages is.
    Monitor,
    /// The process that moved last.
    LastMover,
    /// The process that goes on alone, plus 1; 0 if there is none.
    Control,
}

/// Whose variable or channel.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Owner {
    /// Everybody's.
    Global,
    /// Of the process in a slot, while it has this type.
    Process(Slot, ProcessTypeId),
}

/// Which values a cell can have, and by which bits they are told apart.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Domain {
    /// `0 .. 2^bits`.
    Unsigned(usize),
    /// Two's complement.
    Signed(usize),
    /// One of these, by its row.
    Listed(Vec<i32>),
}

impl Domain {
    /// How many bits it takes.
    pub fn bits(&self) -> usize {
        match self {
            Domain::Unsigned(bits) | Domain::Signed(bits) => *bits,
            Domain::Listed(values) => bits_for(values.len()),
        }
    }

    /// Of a type.
    pub fn of(ty: model::Type) -> Domain {
        match ty {
            model::Type::Unsigned { bits } => Domain::Unsigned(bits.into()),
            model::Type::Short => Domain::Signed(16),
            model::Type::Int => Domain::Signed(32),
            model::Type::Channel => Domain::Unsigned(8),
        }
    }

    /// The value that a code stands for.
    pub fn value(&self, code: u32) -> i32 {
        match self {
            Domain::Signed(bits) if *bits < 32 => (code << (32 - bits)) as i32 >> (32 - bits),
            Domain::Unsigned(_) | Domain::Signed(_) => code as i32,
            Domain::Listed(values) => values.get(code as usize).copied().unwrap_or(0),
        }
    }

    /// The code of a value, if it has one.
    pub fn code(&self, value: i32) -> Option<u32> {
        match self {
            Domain::Unsigned(_) => u32::try_from(value).ok(),
            Domain::Signed(_) => Some(value as u32),
            Domain::Listed(values) => values.iter().position(|it| *it == value).map(|row| row as u32),
        }
    }
}

/// Bits that tell so many values apart.
pub fn bits_for(values: usize) -> usize {
    (usize::BITS - values.saturating_sub(1).leading_zeros()) as usize
}
