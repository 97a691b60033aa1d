//! Random graphs and formulas, the same for the same seed; and all small formulas.
use std::collections::HashSet;

use ctl::{Actions, Formula, Graph, Node};

/// Numbers that look random (Knuth's generator).
pub struct Chance(pub u64);

impl Chance {
    pub fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % bound
    }

    /// A graph; of every third one, some states have no successors.
    pub fn graph(&mut self, constraints: usize) -> Graph {
        let states = 1 + self.below(7);
        let ends = self.below(3) == 0;
        let mut edges: Vec<Vec<usize>> = vec![Vec::new(); states];
        for from in &mut edges {
            let least = usize::from(!ends);
            for _ in 0..least + self.below(3) {
                let to = self.below(states);
                if !from.contains(&to) {
                    from.push(to);
                }
            }
        }
        let labels = (0..states).map(|_| self.below(4) as u64).collect();
        let all: Vec<(usize, usize)> = (0..states).flat_map(|it| edges[it].iter().map(move |&to| (it, to))).collect();
        let mut some = || -> HashSet<(usize, usize)> { all.iter().copied().filter(|_| self.below(3) == 0).collect() };
        let constraints = (0..constraints).map(|_| some()).collect();
        let mut steps: Vec<Vec<(Option<u32>, usize)>> = vec![Vec::new(); states];
        for (from, tos) in edges.iter().enumerate() {
            // Of those that stand still some have no step, and some steps are two.
            for &to in tos {
                let count = if to == from && self.below(3) == 0 { 0 } else { 1 + self.below(2) };
                steps[from].extend((0..count).map(|_| ([None, Some(0), Some(1)][self.below(3)], to)));
            }
        }
        Graph { initial: vec![0], edges, steps, labels, constraints }
    }

    /// A set of the actions of graphs.
    pub fn actions(&mut self) -> Actions {
        let some = Actions::list((0..2).filter(|_| self.below(2) == 0));
        if self.below(2) == 0 { some } else { some.not() }
    }

    /// A formula, some of whose paths are restricted to actions.
    pub fn restricted_formula(&mut self, depth: usize) -> Formula {
        let formula = self.formula(depth);
        self.restrict(&formula)
    }

    fn restrict(&mut self, formula: &Formula) -> Formula {
        let mut of = |it: &Formula| self.restrict(it);
        match formula.node() {
            Node::Not(f) => of(f).negated(),
            Node::And(f, g) => of(f).and(of(g)),
            Node::Or(f, g) => of(f).or(of(g)),
            Node::Implies(f, g) => of(f).implies(of(g)),
            Node::Equivalent(f, g) => of(f).equivalent(of(g)),
            Node::Path(quantifier, path) => {
                let path = path.map(of);
                let actions = self.actions();
                let quantifier = if self.below(5) == 0 { quantifier.clone() } else { quantifier.by(actions) };
                Formula::path(quantifier, path)
            }
            _ => formula.clone(),
        }
    }

    /// A formula over two atoms.
    pub fn formula(&mut self, depth: usize) -> Formula {
        if depth == 0 {
            return match self.below(6) {
                0 => Formula::constant(true),
                1 => Formula::constant(false),
                it => Formula::atom(it as u32 % 2),
            };
        }
        let all = larger(&self.formula(depth - 1), &self.formula(depth - 1));
        let chosen = self.below(all.len());
        all[chosen].clone()
    }
}

/// Every formula with one more operator above these two.
fn larger(f: &Formula, g: &Formula) -> Vec<Formula> {
    let one: [fn(Formula) -> Formula; 7] = [
        Formula::negated,
        Formula::all_next,
        Formula::some_next,
        Formula::all_finally,
        Formula::some_finally,
        Formula::all_globally,
        Formula::some_globally,
    ];
    let two: [fn(Formula, Formula) -> Formula; 8] = [
        Formula::and,
        Formula::or,
        Formula::implies,
        Formula::equivalent,
        Formula::all_until,
        Formula::some_until,
        Formula::all_weak_until,
        Formula::some_weak_until,
    ];
    let ones = one.iter().map(|it| it(f.clone()));
    ones.chain(two.iter().map(|it| it(f.clone(), g.clone()))).collect()
}

/// All formulas with at most two operators over two atoms, where the second is not a further pair.
pub fn small_formulas() -> Vec<Formula> {
    let atoms = [Formula::atom(0), Formula::atom(1)];
    let mut list: Vec<Formula> = larger(&atoms[0], &atoms[1]);
    for inner in list.clone() {
        list.extend(larger(&inner, &atoms[1]));
        list.extend(larger(&atoms[0], &inner));
    }
    list.sort();
    list.dedup();
    list
}
