//! Random systems, repeatable.
use lts::{Builder, Lts};

/// A small random number generator (xorshift64*; Vigna 2016).
pub struct Chance(u64);

impl Chance {
    pub fn new(seed: u64) -> Chance {
        Chance(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1)
    }

    pub fn below(&mut self, bound: usize) -> usize {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        (self.0.wrapping_mul(0x2545_f491_4f6c_dd1d) >> 33) as usize % bound
    }

    /// A system with these many states and steps; about `silent` of ten steps are silent.
    pub fn system(&mut self, states: usize, steps: usize, labels: usize, silent: usize) -> Lts {
        let mut builder = Builder::default();
        for _ in 0..steps {
            let name = if self.below(10) < silent { "i".into() } else { format!("a{}", self.below(labels)) };
            let label = builder.label(&name);
            builder.add(self.below(states) as u32, label, self.below(states) as u32);
        }
        builder.finish(0, states)
    }

    /// A small system of a random kind.
    pub fn small(&mut self) -> Lts {
        let states = 1 + self.below(9);
        let (steps, labels, silent) = (self.below(3 * states + 1), 1 + self.below(3), self.below(9));
        self.system(states, steps, labels, silent)
    }
}
