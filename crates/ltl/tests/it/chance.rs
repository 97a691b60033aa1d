//! Random formulas and words, repeatable.
use ltl::{Formula, Lasso, Letter};

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

    /// A formula with so many operators.
    pub fn formula(&mut self, operators: usize, atoms: usize) -> Formula {
        if operators == 0 {
            return match self.below(12) {
                0 => Formula::constant(self.below(2) == 0),
                _ => Formula::atom(self.below(atoms) as u32),
            };
        }
        let unary = [Formula::negated, Formula::next, Formula::finally, Formula::globally];
        let binary = [
            Formula::and,
            Formula::or,
            Formula::until,
            Formula::release,
            Formula::weak_until,
            Formula::strong_release,
            Formula::implies,
            Formula::equivalent,
        ];
        match self.below(12) {
            choice @ 0..4 => unary[choice](self.formula(operators - 1, atoms)),
            choice => {
                let left = self.below(operators);
                let (f, g) = (self.formula(left, atoms), self.formula(operators - 1 - left, atoms));
                binary[choice - 4](f, g)
            }
        }
    }

    pub fn lasso(&mut self, atoms: usize) -> Lasso {
        let (prefix, cycle) = (self.below(4), 1 + self.below(4));
        let mut letters = |count| (0..count).map(|_| self.below(1 << atoms) as Letter).collect::<Vec<Letter>>();
        Lasso::new(&letters(prefix), &letters(cycle)).expect("a cycle")
    }
}

/// How many formulas, `PROM_LTL` or as given.
pub fn count(usual: u64) -> u64 {
    std::env::var("PROM_LTL").ok().and_then(|it| it.parse().ok()).unwrap_or(usual)
}

/// Calls `check` with a formula, its number of atoms and a generator for more. The seed is in the number of the formula.
pub fn for_formulas(usual: u64, most_operators: usize, mut check: impl FnMut(u64, &Formula, usize, &mut Chance)) {
    for seed in 1..=count(usual) {
        let mut chance = Chance::new(seed);
        let atoms = 1 + chance.below(3);
        let operators = 1 + chance.below(most_operators);
        let formula = chance.formula(operators, atoms);
        check(seed, &formula, atoms, &mut chance);
    }
}
