//! Breadth first: round by round, what is one step further.
//!
//! Burch, Clarke, McMillan, Dill, Hwang, *Symbolic model checking: 10^20 states and beyond*, LICS 1990. A round applies
//! all relations to the vectors that the round before added. As many rounds as the longest of the shortest paths are
//! needed, and what is reached half-way is often a far larger diagram than all that can be reached: vectors at the same
//! distance have little else in common.
use super::{Decision, Progress, Reached, Search, Watch};

impl Search<'_> {
    /// Searches breadth first.
    pub fn breadth_first(self, watch: &mut (dyn FnMut(&Progress) -> Decision + Send)) -> Reached {
        let mut newest = self.from.clone();
        self.repeat(Watch::new(watch), |set| {
            newest = self.step(&newest)?.minus(set)?;
            set.or(&newest)
        })
    }
}
