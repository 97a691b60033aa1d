//! From a set of states in which something is wrong to a shortest way there.
use diagram::Function;
use model::semantics::{State, Step};

use crate::explore::Explored;
use crate::roads::{Alone, Roads};
use crate::stop::{Result, Stop};

impl Explored<'_> {
    /// The steps of the system.
    pub fn roads(&self) -> Roads<'_, Alone<'_>> {
        let walk = Alone { encoding: self.encoding, reference: self.reference, by: None };
        Roads { space: self.space(), relations: &self.system.relations, pulse: self.run.pulse, walk }
    }

    /// A shortest way to one of these states, and the state.
    pub fn way(&self, target: &Function) -> Result<(Vec<Step>, State)> {
        // What a reduced search has left out may be too large to go through.
        let within = self.reduced.map(|_| self.reached);
        let hops = self.roads().way(self.initial, within, target, false)?;
        let hops = hops.ok_or(Stop::Inconsistent("a state that was reached is in no layer"))?;
        let last = hops.last().map_or(self.initial, |it| &it.1).clone();
        Ok((hops.into_iter().filter_map(|it| it.0).collect(), last))
    }
}
