//! Functions of current values as sets of vectors: counting, picking, listing.
use std::collections::HashMap;

use num_bigint::BigUint;
use oxidd_core::function::Function as _;

use crate::function::Function;
use crate::manager::Diagram;
use crate::nodes::{BOTTOM, Nodes, Ref};
use crate::space::Space;

impl Space {
    /// The number of vectors in a set, exactly.
    pub fn count(&self, set: &Function) -> BigUint {
        set.with(|nodes, edge| {
            let mut counting = Counting { nodes, bits: self.bits() as u64, known: HashMap::new() };
            counting.count(edge) << counting.position(edge)
        })
    }

    /// One vector of a set: the first when vectors are compared bit by bit in the order of the bits.
    pub fn pick(&self, set: &Function) -> Option<Vec<bool>> {
        self.members(set).next()
    }

    /// All vectors of a set, in the order of [`Space::pick`]. The order of the bits must not change meanwhile.
    pub fn members(&self, set: &Function) -> Members {
        let open = if set.is_false() { Vec::new() } else { vec![(set.clone(), Vec::new())] };
        Members { order: self.order(), open }
    }
}

/// Counts vectors from the bottom up, once for each node.
struct Counting<'a, 'id> {
    nodes: Nodes<'a, 'id>,
    bits: u64,
    known: HashMap<Ref<'a, 'id>, BigUint>,
}

impl<'a, 'id> Counting<'a, 'id> {
    /// The number of vectors of the bits from the topmost one on.
    fn count(&mut self, edge: Ref<'a, 'id>) -> BigUint {
        let (nodes, here) = (self.nodes, self.position(edge));
        if here == self.bits {
            return BigUint::from(u8::from(nodes.is_true(edge)));
        }
        if let Some(known) = self.known.get(&edge) {
            return known.clone();
        }
        let [with, without] = nodes.cofactors(edge, 2 * here as u32).map(|half| {
            let between = self.position(half) - here - 1;
            self.count(half) << between
        });
        let sum = with + without;
        self.known.insert(edge, sum.clone());
        sum
    }

    /// How many bits are above the topmost one.
    fn position(&self, edge: Ref<'a, 'id>) -> u64 {
        let level = self.nodes.level(edge);
        assert!(level.is_multiple_of(2) || level == BOTTOM, "a set has no next values");
        (u64::from(level) / 2).min(self.bits)
    }
}

/// The vectors of a set, one after the other.
pub struct Members {
    order: Vec<usize>,
    /// Functions of the bits behind a prefix of values; the next one is the last.
    open: Vec<(Function, Vec<bool>)>,
}

impl Iterator for Members {
    type Item = Vec<bool>;

    fn next(&mut self) -> Option<Vec<bool>> {
        while let Some((rest, prefix)) = self.open.pop() {
            if prefix.len() == self.order.len() {
                assert!(rest.is_true(), "a set has no next values");
                return Some(self.arranged(&prefix));
            }
            let halves = rest.halves(2 * prefix.len() as u32);
            for (half, value) in halves.into_iter().zip([true, false]).filter(|(half, _)| !half.is_false()) {
                self.open.push((half, [prefix.as_slice(), &[value]].concat()));
            }
        }
        None
    }
}

impl Members {
    /// Values by bit, from values by position.
    fn arranged(&self, prefix: &[bool]) -> Vec<bool> {
        let mut values = vec![false; prefix.len()];
        self.order.iter().zip(prefix).for_each(|(bit, value)| values[*bit] = *value);
        values
    }
}

impl Function {
    /// The function where the variable at a level is true, and where it is false; no variable is above that level.
    fn halves(&self, level: u32) -> [Function; 2] {
        self.with(|nodes, edge| {
            nodes.cofactors(edge, level).map(|half| Function(Diagram::from_edge_ref(nodes.0, half)))
        })
    }
}
