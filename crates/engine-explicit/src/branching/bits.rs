//! Sets of states, one bit each.

/// A set of states.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Bits {
    words: Vec<u64>,
    len: usize,
}

impl Bits {
    /// All or none of so many states.
    pub fn all(len: usize, value: bool) -> Bits {
        Bits { words: vec![if value { u64::MAX } else { 0 }; len.div_ceil(64)], len }
    }

    /// Says it of one state more.
    pub fn push(&mut self, value: bool) {
        if self.len.is_multiple_of(64) {
            self.words.push(0);
        }
        self.len += 1;
        if value {
            self.set(self.len - 1);
        }
    }

    /// Whether a state is in it.
    #[inline]
    pub fn get(&self, at: usize) -> bool {
        self.words[at / 64] >> (at % 64) & 1 == 1
    }

    /// Adds a state.
    #[inline]
    pub fn set(&mut self, at: usize) {
        self.words[at / 64] |= 1 << (at % 64);
    }

    /// Takes a state out.
    #[inline]
    pub fn clear(&mut self, at: usize) {
        self.words[at / 64] &= !(1 << (at % 64));
    }

    /// The states that are not in it.
    pub fn not(&self) -> Bits {
        Bits { words: self.words.iter().map(|it| !it).collect(), len: self.len }
    }

    /// The states that are in both.
    pub fn and(&self, other: &Bits) -> Bits {
        Bits { words: self.words.iter().zip(&other.words).map(|(left, right)| left & right).collect(), len: self.len }
    }

    /// The states that are in one of both.
    pub fn or(&self, other: &Bits) -> Bits {
        Bits { words: self.words.iter().zip(&other.words).map(|(left, right)| left | right).collect(), len: self.len }
    }

    /// The states in it.
    pub fn iter(&self) -> impl Iterator<Item = usize> {
        (0..self.len).filter(|&it| self.get(it))
    }

    /// Bytes in use.
    pub fn memory(&self) -> u64 {
        self.words.capacity() as u64 * 8
    }
}
