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
    /// Where the claim is.
    Claim,
    /// 0 if the claim moves next, 1 if the system does.
    Turn,
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

    /// The smallest that has all these values and 0.
    pub fn between(least: i32, most: i32) -> Domain {
        let bits = |value: i32| (u32::BITS - value.max(0).leading_zeros()) as usize;
        if least < 0 { Domain::Signed(bits(most).max(bits(!least)) + 1) } else { Domain::Unsigned(bits(most)) }
    }

    /// A larger one, within a type.
    pub fn wider(&self, ty: model::Type) -> Domain {
        match Domain::of(ty) {
            Domain::Signed(most) => Domain::Signed((self.bits() + self.bits() / 2 + 2).min(most)),
            full => Domain::Unsigned((self.bits() + self.bits() / 2 + 1).min(full.bits())),
        }
    }

    /// One that has the values of both, of which none is listed.
    pub fn joined(&self, other: &Domain) -> Domain {
        match (self, other) {
            (Domain::Signed(one), Domain::Signed(two)) => Domain::Signed(*one.max(two)),
            (Domain::Signed(signed), plain) | (plain, Domain::Signed(signed)) => {
                Domain::Signed(*signed.max(&(plain.bits() + 1)))
            }
            (one, two) => Domain::Unsigned(one.bits().max(two.bits())),
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
            Domain::Signed(bits) => {
                let beyond = value >> (bits - 1);
                (beyond == 0 || beyond == -1).then_some(value as u32)
            }
            Domain::Listed(values) => values.iter().position(|it| *it == value).map(|row| row as u32),
        }
    }
}

/// Bits that tell so many values apart.
pub fn bits_for(values: usize) -> usize {
    (usize::BITS - values.saturating_sub(1).leading_zeros()) as usize
}
