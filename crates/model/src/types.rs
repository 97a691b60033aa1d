//! Variables, channels and the values they hold.
use crate::Expr;
use text::Span;

/// Which values a variable or a message field can hold. Values are 32-bit signed integers; a
/// value that does not fit is reduced modulo the range, as a machine does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Type {
    /// `0 .. 2^bits`, with `1 <= bits <= 31`.
    Unsigned {
        /// How many bits.
        bits: u8,
    },
    /// 16 bits, two's complement.
    Short,
    /// 32 bits, two's complement.
    Int,
    /// The number of a channel; 0 is none.
    Channel,
}

impl Type {
    /// 0 or 1.
    pub const BIT: Type = Type::Unsigned { bits: 1 };
    /// 0 to 255.
    pub const BYTE: Type = Type::Unsigned { bits: 8 };

    /// The value that is kept when `value` is stored.
    pub fn truncate(self, value: i32) -> i32 {
        match self {
            Type::Unsigned { bits } => value & (((1u32 << bits) - 1) as i32),
            Type::Short => i32::from(value as i16),
            Type::Int => value,
            Type::Channel => value & 0xff,
        }
    }

    /// Bytes it takes in a state.
    pub fn size(self) -> usize {
        match self {
            Type::Unsigned { bits: 0..=8 } | Type::Channel => 1,
            Type::Unsigned { bits: 9..=16 } | Type::Short => 2,
            Type::Unsigned { .. } | Type::Int => 4,
        }
    }
}

/// A variable: a scalar, or an array of any number of dimensions. A record is one variable per field.
#[derive(Clone, Debug)]
pub struct Variable {
    /// As the source names it, fields joined by dots.
    pub name: String,
    /// What each element holds.
    pub ty: Type,
    /// The size of each dimension; none for a scalar.
    pub dimensions: Vec<u32>,
    /// What it starts with.
    pub initial: Initial,
    /// Not part of the identity of a state.
    pub hidden: bool,
    /// How to show its values, if they have names.
    pub enumeration: Option<EnumerationId>,
    /// Where it is declared.
    pub span: Span,
}

impl Variable {
    /// Number of elements; 1 for a scalar.
    pub fn elements(&self) -> usize {
        self.dimensions.iter().map(|&size| size as usize).product()
    }
}

/// What a variable starts with.
#[derive(Clone, Debug)]
pub enum Initial {
    /// 0 everywhere.
    Zero,
    /// One expression per element; the last also stands for all that follow. Evaluated when the
    /// variable comes to life, in the order of declaration.
    Values(Vec<Expr>),
    /// Each element is a new channel of this shape.
    Channels(ShapeId),
}

/// What channels have in common that one declaration creates.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ChannelShape {
    /// Messages it can hold; 0 for a rendezvous.
    pub capacity: u32,
    /// The fields of a message.
    pub fields: Vec<Type>,
    /// How to show each field's values, if they have names.
    pub enumerations: Vec<Option<EnumerationId>>,
}

/// A variable of the globals or of one process type.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct VariableId(pub u32);

/// A row of [`crate::Model::shapes`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ShapeId(pub u32);

/// A row of [`crate::Model::enumerations`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct EnumerationId(pub u32);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_that_do_not_fit_wrap_around() {
        assert_eq!(Type::BIT.truncate(2), 0);
        assert_eq!(Type::BYTE.truncate(300), 44);
        assert_eq!(Type::BYTE.truncate(-1), 255);
        assert_eq!(Type::Short.truncate(40_000), -25_536);
        assert_eq!(Type::Unsigned { bits: 31 }.truncate(-1), i32::MAX);
        assert_eq!(Type::Int.truncate(-7), -7);
    }
}
