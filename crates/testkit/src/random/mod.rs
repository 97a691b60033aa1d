//! Random Promela models: small, always accepted by SPIN 6.5.2, together covering the language.
//!
//! [`model`] makes one from a seed; the same seed gives the same text. The result is a tree
//! ([`tree::Node`]) that [`crate::shrink`] can make smaller. Statements are made so that values stay
//! small and most loops can end; how many states come out is not known before somebody counts.
mod branching;
mod declaration;
mod expression;
mod features;
mod message;
mod plan;
mod prng;
mod process;
mod scope;
mod statement;
mod talkers;
mod temporal;
pub mod tree;

use std::collections::BTreeSet;

pub use branching::model_with_branching;
pub use features::{Coverage, FEATURES};
pub use plan::Plan;
pub use prng::Random;
pub use talkers::talkers;
pub use temporal::{Language, model_with_properties};

use scope::{Scope, Signature, Struct};
use tree::{Node, Sort};

/// Names of the enumerations.
const MTYPES: [&[&str]; 2] = [&["red", "green", "blue"], &["apple", "pear"]];

/// A random model.
#[derive(Clone, Debug)]
pub struct RandomModel {
    /// What it was made from.
    pub seed: u64,
    /// Its pieces.
    pub tree: Node,
    /// Which of [`FEATURES`] it has.
    pub used: BTreeSet<&'static str>,
}

impl RandomModel {
    /// Its text.
    pub fn text(&self) -> String {
        self.tree.print()
    }
}

/// The model of a seed.
pub fn model(seed: u64) -> RandomModel {
    let mut random = Random::new(seed);
    let plan = Plan::random(&mut random);
    let mut generator = Generator::new(random, plan);
    let tree = generator.model();
    RandomModel { seed, tree, used: generator.used }
}

/// The seeds to try: the one in `MODEL_SEED`, or `count` from `first` on.
pub fn seeds(first: u64, count: u64) -> Vec<u64> {
    match std::env::var("MODEL_SEED").ok().and_then(|it| it.parse().ok()) {
        Some(seed) => vec![seed],
        None => (first..first + count).collect(),
    }
}

/// A model in the making.
struct Generator {
    random: Random,
    plan: Plan,
    used: BTreeSet<&'static str>,
    scope: Scope,
    structs: Vec<Struct>,
    signatures: Vec<Signature>,
    /// Which processes stand above the place where we are.
    declared: Vec<bool>,
    /// How many processes exist at the start.
    first_pids: usize,
    /// Name, whether it takes a channel, whether it returns a value.
    inlines: Vec<(String, bool, bool)>,
    /// Numbers for names.
    names: usize,
    /// Channels to which something was sent.
    debts: Vec<String>,
}

impl Generator {
    fn new(random: Random, plan: Plan) -> Generator {
        Generator {
            random,
            plan,
            used: BTreeSet::new(),
            scope: Scope::default(),
            structs: Vec::new(),
            signatures: Vec::new(),
            declared: Vec::new(),
            first_pids: 0,
            inlines: Vec::new(),
            names: 0,
            debts: Vec::new(),
        }
    }

    /// Notes that a construct is in the model.
    fn uses(&mut self, feature: &'static str) {
        debug_assert!(FEATURES.contains(&feature), "`{feature}` is not in the table");
        self.used.insert(feature);
    }

    fn model(&mut self) -> Node {
        let mut units = Vec::new();
        units.extend(self.macros());
        units.extend(self.types());
        units.extend(self.globals());
        units.extend(self.inline_definitions());
        units.extend(self.processes());
        Node::new(Sort::Unit).list(units, "\n", 1).text("\n")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_seed_always_gives_the_same_model() {
        assert_eq!(model(7).text(), model(7).text());
        assert_ne!(model(7).text(), model(8).text());
    }

    #[test]
    fn every_construct_is_generated_by_some_seed() {
        let mut coverage = Coverage::default();
        (0..2000).for_each(|seed| coverage.add(&model(seed).used));
        assert_eq!(coverage.missing(), Vec::<&str>::new());
    }
}
