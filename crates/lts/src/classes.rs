//! Which states cannot be told apart, and what that means.
use crate::branching::Condensed;
use crate::{Lts, State, branching, strong};

/// When two states count as the same.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Equivalence {
    /// Whatever one can do, the other can do, and they are the same again afterwards; silent steps are steps like others.
    /// Park, *Concurrency and automata on infinite sequences*, 1981; Milner 1989.
    #[default]
    Strong,
    /// Silent steps that change nothing do not count. Whether silent steps can go on for ever does not matter.
    /// Van Glabbeek, Weijland, *Branching time and abstraction in bisimulation semantics*, 1996.
    Branching,
    /// The same, but who can take silent steps for ever, among states that are the same, differs from who cannot
    /// (branching bisimilarity *with explicit divergence*).
    DivergenceBranching,
}

/// The classes of states that count as the same.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Classes {
    /// For each state the number of its class.
    pub of: Vec<u32>,
    /// How many classes there are.
    pub count: usize,
    /// Per class, whether it keeps a silent step to itself.
    pub diverges: Vec<bool>,
}

impl Classes {
    /// The class of a state.
    pub fn of(&self, state: State) -> u32 {
        self.of[state as usize]
    }
}

/// The classes of a system.
pub fn classes(lts: &Lts, equivalence: Equivalence) -> Classes {
    match equivalence {
        Equivalence::Strong => {
            let of = strong::strong(lts);
            let count = of.iter().max().map_or(0, |&it| it as usize + 1);
            Classes { of, count, diverges: vec![false; count] }
        }
        Equivalence::Branching | Equivalence::DivergenceBranching => {
            let condensed = Condensed::new(lts, equivalence == Equivalence::DivergenceBranching);
            let of_component = branching::branching(&condensed);
            let count = of_component.iter().max().map_or(0, |&it| it as usize + 1);
            let mut diverges = vec![false; count];
            condensed.divergent().for_each(|it| diverges[of_component[it as usize] as usize] = true);
            let of = condensed.component_of.iter().map(|&it| of_component[it as usize]).collect();
            Classes { of, count, diverges }
        }
    }
}
