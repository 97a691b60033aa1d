//! Iterative shortening of counterexamples that a depth-first search has found.
//!
//! The first one is seldom short. So the search does not stop there but goes on for shorter ones only: with a bound
//! one below the length of the shortest so far (`pan -i`), or half of it (`pan -I`). Since every state is expanded
//! again if it is reached on a shorter path ([`crate::visits`]), nothing within the bound is missed by an exact
//! store: at the end, the shortest one so far is a shortest of all, or at most about twice as long as that.
//!
//! The bound only ever shrinks, so what was explored under a larger bound need not be explored again.

/// How to go on after a counterexample.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shorten {
    /// Look for any that is shorter.
    Fully,
    /// Look for one that is at most half as long.
    Halving,
}

impl Shorten {
    /// How deep to look after one of this length; `None` if nothing can be shorter.
    pub fn bound(self, length: u64) -> Option<u64> {
        match self {
            Shorten::Fully => length.checked_sub(1),
            Shorten::Halving => (length > 0).then_some(length / 2),
        }
    }
}
