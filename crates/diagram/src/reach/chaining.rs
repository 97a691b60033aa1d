//! Chaining: what one relation adds is there for the next one in the same round.
//!
//! Roig, Cortadella, Pastor, *Verification of asynchronous circuits by BDD-based model checking of Petri nets*, ICATPN
//! 1995. There are fewer rounds than breadth first, and what is reached in between is closer to closed under each
//! relation, hence often smaller. Relations are applied in the order in which they are given; which order is good depends on
//! the system, and one that follows the flow of its data needs the fewest rounds.
use super::{Decision, Progress, Reached, Search, Watch};

impl Search<'_> {
    /// Searches with chaining.
    pub fn chaining(self, watch: &mut (dyn FnMut(&Progress) -> Decision + Send)) -> Reached {
        self.repeat(Watch::new(watch), |set, watch| {
            for relation in self.relations {
                *set = set.or(&self.allowed(relation.step(set, self.direction)?)?)?;
                watch.pulse(self.space)?;
            }
            Ok(())
        })
    }
}
