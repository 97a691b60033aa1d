//! A value among the bits of a packed state.
//!
//! A slot has a width of 1 to 32 bits and never crosses the border of a word, so that reading it is
//! one load and two shifts.

/// Where a value of at most 32 bits lies: `(word << left) >> right`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Slot {
    /// Which word.
    pub word: u16,
    left: u8,
    right: u8,
}

impl Slot {
    /// The slot of `width` bits that starts at a bit address.
    pub fn new(bit: u32, width: u32) -> Slot {
        let shift = bit % 64;
        debug_assert!((1..=32).contains(&width) && shift + width <= 64);
        Slot { word: (bit / 64) as u16, left: (64 - shift - width) as u8, right: (64 - width) as u8 }
    }

    /// How many bits it has.
    pub fn width(self) -> u32 {
        64 - u32::from(self.right)
    }

    /// How many bits of the word are below it.
    pub fn shift(self) -> u32 {
        u32::from(self.right - self.left)
    }

    /// The slot so many words further on.
    pub fn moved(self, words: u32) -> Slot {
        Slot { word: self.word + words as u16, ..self }
    }

    /// The bits, as an unsigned number; those of a 32-bit number with its sign.
    #[inline(always)]
    pub fn read(self, words: &[u64]) -> i32 {
        ((words[self.word as usize] << self.left) >> self.right) as i32
    }

    /// Stores as many low bits as there is room for.
    #[inline(always)]
    pub fn write(self, words: &mut [u64], value: i32) {
        let word = &mut words[self.word as usize];
        let shift = self.right - self.left;
        let mask = (u64::MAX >> self.right) << shift;
        *word = (*word & !mask) | ((u64::from(value as u32) << shift) & mask);
    }

    /// Adds its bits.
    pub fn mark(self, bits: &mut [u64]) {
        bits[self.word as usize] |= !self.others();
    }

    /// The bits of its word that are not its own.
    pub fn others(self) -> u64 {
        !((u64::MAX >> self.right) << (self.right - self.left))
    }
}

/// Reads up to 64 bits that do not cross the border of a word.
#[inline(always)]
pub fn read_bits(words: &[u64], bit: u32, width: u32) -> u64 {
    let word = words[(bit / 64) as usize] >> (bit % 64);
    if width == 64 { word } else { word & ((1 << width) - 1) }
}

/// Writes up to 64 bits that do not cross the border of a word.
#[inline(always)]
pub fn write_bits(words: &mut [u64], bit: u32, width: u32, value: u64) {
    let mask = if width == 64 { u64::MAX } else { ((1 << width) - 1) << (bit % 64) };
    let word = &mut words[(bit / 64) as usize];
    *word = (*word & !mask) | ((value << (bit % 64)) & mask);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_is_read_and_nothing_else_changes() {
        for (bit, width) in [(0, 1), (63, 1), (64, 32), (96, 32), (5, 7), (120, 8)] {
            let mut words = vec![u64::MAX; 3];
            let slot = Slot::new(bit, width);
            slot.write(&mut words, 0);
            assert_eq!(slot.read(&words), 0);
            assert_eq!(words.iter().map(|it| it.count_zeros()).sum::<u32>(), width);
            slot.write(&mut words, -1);
            assert_eq!(words, vec![u64::MAX; 3]);
            assert_eq!(read_bits(&words, bit, width), (1 << width) - 1);
        }
    }
}
