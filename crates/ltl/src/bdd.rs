//! Boolean functions as reduced ordered decision diagrams.
//!
//! Bryant, *Graph-based algorithms for Boolean function manipulation*, IEEE Transactions on Computers 35(8), 1986. A function is a constant or a choice
//! on its first variable; equal choices are stored once, so equal functions have equal numbers. All operations are
//! *if-then-else* with a cache. [`Bdds::cubes`] writes a function as an irredundant sum of products: Minato, *Fast generation of irredundant sum-of-products
//! forms from binary decision diagrams*, SASIMI 1992.
//!
//! Labels of automata are such functions of the atoms; inside a translation the variables behind the atoms stand for other things.
use crate::hash::QuickMap;

/// A function in a table of [`Bdds`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Bdd(u32);

impl Bdd {
    /// The function that is never true.
    pub const FALSE: Bdd = Bdd(0);
    /// The function that is always true.
    pub const TRUE: Bdd = Bdd(1);

    fn is_constant(self) -> bool {
        self.0 < 2
    }
}

/// A conjunction of literals: variables and whether they are true, in order of the variables.
pub type Cube = Vec<(u32, bool)>;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct Choice {
    variable: u32,
    low: Bdd,
    high: Bdd,
}

/// A table of functions.
#[derive(Clone, Debug)]
pub struct Bdds {
    choices: Vec<Choice>,
    numbers: QuickMap<Choice, Bdd>,
    results: QuickMap<(Bdd, Bdd, Bdd), Bdd>,
}

impl Default for Bdds {
    fn default() -> Self {
        let constant = Choice { variable: u32::MAX, low: Bdd::FALSE, high: Bdd::TRUE };
        Bdds { choices: vec![constant; 2], numbers: QuickMap::default(), results: QuickMap::default() }
    }
}

impl Bdds {
    /// The function that is true when the variable is.
    pub fn variable(&mut self, variable: u32) -> Bdd {
        self.choice(variable, Bdd::FALSE, Bdd::TRUE)
    }

    /// A variable or its negation.
    pub fn literal(&mut self, variable: u32, positive: bool) -> Bdd {
        if positive { self.variable(variable) } else { self.choice(variable, Bdd::TRUE, Bdd::FALSE) }
    }

    fn choice(&mut self, variable: u32, low: Bdd, high: Bdd) -> Bdd {
        if low == high {
            return low;
        }
        let choice = Choice { variable, low, high };
        *self.numbers.entry(choice).or_insert_with(|| {
            self.choices.push(choice);
            Bdd(self.choices.len() as u32 - 1)
        })
    }

    /// How many choices the table has.
    pub fn nodes(&self) -> usize {
        self.choices.len()
    }

    /// The first variable of a function; greater than every variable if it is constant.
    pub fn first(&self, function: Bdd) -> u32 {
        self.choices[function.0 as usize].variable
    }

    /// The function where the variable, its first one or before it, is false and where it is true.
    fn branches(&self, function: Bdd, variable: u32) -> (Bdd, Bdd) {
        let choice = self.choices[function.0 as usize];
        if choice.variable == variable { (choice.low, choice.high) } else { (function, function) }
    }

    /// `g` where `f` is true, `h` where it is not.
    pub fn if_then_else(&mut self, f: Bdd, g: Bdd, h: Bdd) -> Bdd {
        if f == Bdd::TRUE || g == h {
            return g;
        }
        if f == Bdd::FALSE {
            return h;
        }
        if (g, h) == (Bdd::TRUE, Bdd::FALSE) {
            return f;
        }
        if let Some(&known) = self.results.get(&(f, g, h)) {
            return known;
        }
        let variable = self.first(f).min(self.first(g)).min(self.first(h));
        let [(f0, f1), (g0, g1), (h0, h1)] = [f, g, h].map(|it| self.branches(it, variable));
        let (low, high) = (self.if_then_else(f0, g0, h0), self.if_then_else(f1, g1, h1));
        let result = self.choice(variable, low, high);
        self.results.insert((f, g, h), result);
        result
    }

    /// Both.
    pub fn and(&mut self, f: Bdd, g: Bdd) -> Bdd {
        let (f, g) = (f.min(g), f.max(g));
        self.if_then_else(f, g, Bdd::FALSE)
    }

    /// One of them.
    pub fn or(&mut self, f: Bdd, g: Bdd) -> Bdd {
        let (f, g) = (f.min(g), f.max(g));
        self.if_then_else(f, Bdd::TRUE, g)
    }

    /// The opposite.
    pub fn not(&mut self, f: Bdd) -> Bdd {
        self.if_then_else(f, Bdd::FALSE, Bdd::TRUE)
    }

    /// `f` without `g`.
    pub fn minus(&mut self, f: Bdd, g: Bdd) -> Bdd {
        let not_g = self.not(g);
        self.and(f, not_g)
    }

    /// Whether `g` is true wherever `f` is.
    pub fn implies(&mut self, f: Bdd, g: Bdd) -> bool {
        self.if_then_else(f, g, Bdd::TRUE) == Bdd::TRUE
    }

    /// Whether both can be true together.
    pub fn intersect(&mut self, f: Bdd, g: Bdd) -> bool {
        self.and(f, g) != Bdd::FALSE
    }

    /// The conjunction of some literals.
    pub fn cube(&mut self, literals: &[(u32, bool)]) -> Bdd {
        literals.iter().fold(Bdd::TRUE, |cube, &(variable, positive)| {
            let literal = self.literal(variable, positive);
            self.and(cube, literal)
        })
    }

    /// The value of a function.
    pub fn holds(&self, function: Bdd, is_true: impl Fn(u32) -> bool) -> bool {
        let mut at = function;
        while !at.is_constant() {
            let choice = self.choices[at.0 as usize];
            at = if is_true(choice.variable) { choice.high } else { choice.low };
        }
        at == Bdd::TRUE
    }

    /// The function as an irredundant sum of products.
    pub fn cubes(&mut self, function: Bdd) -> Vec<Cube> {
        self.cubes_within(function, usize::MAX).unwrap_or_default()
    }

    /// The same, if there are at most `most` products.
    pub fn cubes_within(&mut self, function: Bdd, most: usize) -> Option<Vec<Cube>> {
        self.cover(function, function, most).map(|it| it.1)
    }

    /// Minato's recursion: products that cover `lower` and stay within `upper`, and their sum.
    fn cover(&mut self, lower: Bdd, upper: Bdd, most: usize) -> Option<(Bdd, Vec<Cube>)> {
        if lower == Bdd::FALSE {
            return Some((Bdd::FALSE, Vec::new()));
        }
        if upper == Bdd::TRUE {
            return Some((Bdd::TRUE, vec![Vec::new()]));
        }
        let variable = self.first(lower).min(self.first(upper));
        let [(lower0, lower1), (upper0, upper1)] = [lower, upper].map(|it| self.branches(it, variable));
        let (only0, only1) = (self.minus(lower0, upper1), self.minus(lower1, upper0));
        let (sum0, cubes0) = self.cover(only0, upper0, most)?;
        let (sum1, cubes1) = self.cover(only1, upper1, most)?;
        let (rest0, rest1) = (self.minus(lower0, sum0), self.minus(lower1, sum1));
        let (rest, both) = (self.or(rest0, rest1), self.and(upper0, upper1));
        let (sum, mut cubes) = self.cover(rest, both, most)?;
        let (low, high) = (self.or(sum0, sum), self.or(sum1, sum));
        for (branch, positive) in [(cubes0, false), (cubes1, true)] {
            cubes.extend(branch.into_iter().map(|cube| [vec![(variable, positive)], cube].concat()));
        }
        (cubes.len() <= most).then(|| (self.choice(variable, low, high), cubes))
    }

    /// The function by what is left of it when the variables below `bound` are known: each rest with the condition for it, if there are at most `most`.
    pub(crate) fn split(&mut self, function: Bdd, bound: u32, most: usize) -> Option<Vec<(Bdd, Bdd)>> {
        self.split_known(function, bound, most, &mut QuickMap::default())
    }

    fn split_known(
        &mut self,
        function: Bdd,
        bound: u32,
        most: usize,
        known: &mut QuickMap<Bdd, Vec<(Bdd, Bdd)>>,
    ) -> Option<Vec<(Bdd, Bdd)>> {
        if self.first(function) >= bound {
            return Some(if function == Bdd::FALSE { Vec::new() } else { vec![(Bdd::TRUE, function)] });
        }
        if let Some(parts) = known.get(&function) {
            return Some(parts.clone());
        }
        let Choice { variable, low, high } = self.choices[function.0 as usize];
        let mut parts: Vec<(Bdd, Bdd)> = Vec::new();
        for (branch, positive) in [(low, false), (high, true)] {
            for (condition, rest) in self.split_known(branch, bound, most, known)? {
                let literal = self.literal(variable, positive);
                let condition = self.and(literal, condition);
                match parts.iter_mut().find(|it| it.1 == rest) {
                    Some(part) => part.0 = self.or(part.0, condition),
                    None => parts.push((condition, rest)),
                }
            }
        }
        known.insert(function, parts.clone());
        (parts.len() <= most).then_some(parts)
    }

    /// A function of another table, in this one.
    pub fn import(&mut self, other: &Bdds, function: Bdd) -> Bdd {
        self.import_known(other, function, &mut QuickMap::default())
    }

    pub(crate) fn import_known(&mut self, other: &Bdds, function: Bdd, known: &mut QuickMap<Bdd, Bdd>) -> Bdd {
        if function.is_constant() {
            return function;
        }
        if let Some(&here) = known.get(&function) {
            return here;
        }
        let choice = other.choices[function.0 as usize];
        let low = self.import_known(other, choice.low, known);
        let high = self.import_known(other, choice.high, known);
        let here = self.choice(choice.variable, low, high);
        known.insert(function, here);
        here
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The function of three variables with this truth table.
    fn function(bdds: &mut Bdds, table: u8) -> Bdd {
        (0..8).filter(|row| table >> row & 1 == 1).fold(Bdd::FALSE, |sum, row| {
            let literals: Vec<_> = (0..3).map(|it| (it, row >> it & 1 == 1)).collect();
            let cube = bdds.cube(&literals);
            bdds.or(sum, cube)
        })
    }

    fn table(bdds: &Bdds, function: Bdd) -> u8 {
        (0..8).filter(|row| bdds.holds(function, |it| row >> it & 1 == 1)).map(|row| 1 << row).sum()
    }

    #[test]
    fn every_function_of_three_variables_is_the_sum_of_its_cubes() {
        let mut bdds = Bdds::default();
        for wanted in 0..=255 {
            let function = function(&mut bdds, wanted);
            assert_eq!(table(&bdds, function), wanted);
            let cubes = bdds.cubes(function);
            let sums: Vec<Bdd> = (0..=cubes.len()).map(|without| sum_without(&mut bdds, &cubes, without)).collect();
            assert_eq!(sums[cubes.len()], function);
            assert!(sums[..cubes.len()].iter().all(|&it| it != function), "a cube too much in {cubes:?}");
        }
    }

    fn sum_without(bdds: &mut Bdds, cubes: &[Cube], without: usize) -> Bdd {
        cubes.iter().enumerate().filter(|it| it.0 != without).fold(Bdd::FALSE, |sum, (_, cube)| {
            let cube = bdds.cube(cube);
            bdds.or(sum, cube)
        })
    }

    #[test]
    fn operations_agree_with_truth_tables() {
        let mut bdds = Bdds::default();
        for (left, right) in (0..=255).step_by(5).flat_map(|left| (0..=255).step_by(3).map(move |right| (left, right)))
        {
            let (f, g) = (function(&mut bdds, left), function(&mut bdds, right));
            let results = [bdds.and(f, g), bdds.or(f, g), bdds.not(f)].map(|it| table(&bdds, it));
            assert_eq!(results, [left & right, left | right, !left]);
            assert_eq!(bdds.implies(f, g), left & !right == 0);
        }
    }

    #[test]
    fn parts_of_a_split_add_up() {
        let mut bdds = Bdds::default();
        for wanted in 0..=255 {
            let function = function(&mut bdds, wanted);
            let parts = bdds.split(function, 2, 100).expect("few parts");
            let sum = parts.iter().fold(Bdd::FALSE, |sum, &(condition, rest)| {
                let part = bdds.and(condition, rest);
                bdds.or(sum, part)
            });
            assert_eq!(sum, function);
        }
    }
}
