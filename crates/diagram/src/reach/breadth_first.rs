//! Breadth first: round by round, what is one step further.
//!
//! Burch, Clarke, McMillan, Dill, Hwang, *Symbolic model checking: 10^20 states and beyond*, LICS 1990. A round applies
//! all relations to all vectors so far: the newest ones alone are fewer, but often a larger diagram, and most of what is
//! computed for the others is still remembered (30 philosophers, one relation each: 1.1 s instead of 2.5 s, one run on a
//! busy machine; with one relation for each step there was no clear difference). As many rounds as the longest of the shortest paths are needed, and what is reached half-way is often a far larger diagram than
//! all that can be reached: vectors at the same distance have little else in common.
use super::{Decision, Progress, Reached, Search, Watch};

impl Search<'_> {
    /// Searches breadth first.
    pub fn breadth_first(self, watch: &mut (dyn FnMut(&Progress) -> Decision + Send)) -> Reached {
        self.repeat(Watch::new(watch), |set, watch| {
            *set = set.or(&self.step(set, watch)?)?;
            Ok(())
        })
    }
}
