//! Random orders, the same for the same seed.
//!
//! A depth-first search that does not reach everything reaches other states when successors are visited in another
//! order (Holzmann, Joshi, Groce, *Swarm verification techniques*, IEEE TSE 37(6), 2011).

/// A source of numbers: Steele, Lea, Flood, *Fast splittable pseudorandom number generators*, OOPSLA 2014.
pub struct Shuffle(u64);

impl Shuffle {
    /// From a seed.
    pub fn new(seed: u64) -> Shuffle {
        Shuffle(seed)
    }

    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    /// Brings a list into some order (Fisher and Yates).
    pub fn shuffle<T>(&mut self, list: &mut [T]) {
        for last in (1..list.len()).rev() {
            list.swap(last, (self.next() % (last as u64 + 1)) as usize);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_order_occurs() {
        let mut shuffle = Shuffle::new(1);
        let mut seen = std::collections::BTreeSet::new();
        for _ in 0..200 {
            let mut list = [1, 2, 3];
            shuffle.shuffle(&mut list);
            seen.insert(list);
        }
        assert_eq!(seen.len(), 6);
    }
}
