//! Relations between vectors that leave most bits alone.
use crate::function::{Function, Which};
use crate::product::product;
use crate::reach::Direction;
use crate::space::{Full, Space};

/// Steps from vectors to vectors: a function of current and next values, and the bits that it *touches*.
///
/// A bit that is not touched keeps its value. The function may read its current value, which makes the step depend on
/// it, but never mentions the next one. A touched bit whose next value is not mentioned gets any value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Relation {
    pub(crate) function: Function,
    /// The conjunction of the current variables of the touched bits.
    pub(crate) variables: Function,
    touched: Vec<usize>,
}

impl Relation {
    /// The steps that `function` allows. Besides `touched`, the bits whose next value it mentions are touched.
    pub fn new(space: &Space, function: Function, touched: &[usize]) -> Result<Relation, Full> {
        let mut touched = [touched, &function.support().next].concat();
        touched.sort_unstable();
        touched.dedup();
        let variables = space.variables(&touched, Which::Current)?;
        Ok(Relation { function, variables, touched })
    }

    /// The function of current and next values.
    pub fn function(&self) -> &Function {
        &self.function
    }

    /// The bits whose values a step may change, ascending.
    pub fn touched(&self) -> &[usize] {
        &self.touched
    }

    /// The steps of both. Where one does not touch a bit that the other touches, it says that the bit stays.
    pub fn union(&self, space: &Space, other: &Relation) -> Result<Relation, Full> {
        let left = self.widened(space, &other.touched)?;
        let right = other.widened(space, &self.touched)?;
        Ok(Relation { function: left.function.or(&right.function)?, ..left })
    }

    /// The same steps, where bits that stayed because they were not touched are touched and stay.
    pub fn widened(&self, space: &Space, bits: &[usize]) -> Result<Relation, Full> {
        let mut function = self.function.clone();
        for bit in bits.iter().filter(|bit| self.touched.binary_search(bit).is_err()) {
            function = function.and(&space.current(*bit)?.equivalent(&space.next(*bit)?)?)?;
        }
        Relation::new(space, function, &[self.touched.as_slice(), bits].concat())
    }

    /// The vectors that one step leads to from a set.
    pub fn image(&self, set: &Function) -> Result<Function, Full> {
        self.step(set, Direction::Forward)
    }

    /// The vectors from which one step leads into a set.
    pub fn preimage(&self, set: &Function) -> Result<Function, Full> {
        self.step(set, Direction::Backward)
    }

    /// The vectors from which there is a step.
    pub fn sources(&self, space: &Space) -> Result<Function, Full> {
        self.function.exists(space, &self.touched, Which::Next)
    }

    pub(crate) fn step(&self, set: &Function, direction: Direction) -> Result<Function, Full> {
        set.with_others([&self.function, &self.variables], |nodes, set, [relation, touched]| {
            product(nodes, direction, set, relation, touched)
        })
    }
}
