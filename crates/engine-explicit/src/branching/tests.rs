//! Labels and ways against the definition of the operators, on random graphs.
use std::collections::HashSet;

use ctl::{Base, Formula, Way};

use super::evidence::{Charted, Place};
use super::graph::Graph;
use super::label::{Fair, Labels};
use crate::lasso::Marks;
use crate::slip::Slip;

/// Numbers that look random.
struct Chance(u64);

impl Chance {
    fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % bound
    }

    /// Some states, where some end all paths, with two conditions; and constraints: conditions, and marks on edges.
    fn graph(&mut self) -> (ctl::Graph, Graph, Fair) {
        let states = 1 + self.below(8);
        let constraints: Vec<u32> = (0..self.below(3) as u32).map(|it| it % 2).collect();
        let marked = self.below(3) == 0;
        let wanted: Marks = if marked { 3 << 24 } else { 0 };
        let (mut edges, mut labels) = (vec![Vec::new(); states], Vec::new());
        let (mut graph, mut sets) = (Graph::new(2), vec![HashSet::new(); constraints.len() + 2]);
        for (node, targets) in edges.iter_mut().enumerate() {
            let truths = [self.below(2) == 0, self.below(3) > 0];
            labels.push(u64::from(truths[0]) | u64::from(truths[1]) << 1);
            let mut next: Vec<(u32, Marks)> = Vec::new();
            for _ in 0..self.below(4) {
                next.push((self.below(states) as u32, (self.below(4) as Marks) << 24));
            }
            next.sort_unstable();
            next.dedup_by_key(|it| it.0);
            graph.add(&next, marked, &truths);
            for (to, marks) in next {
                targets.push(to as usize);
                (0..2).filter(|it| marks >> (24 + it) & 1 == 1).for_each(|it| _ = sets[it].insert((node, to as usize)));
                for (row, &constraint) in constraints.iter().enumerate().filter(|it| truths[*it.1 as usize]) {
                    let _ = constraint;
                    sets[row + 2].insert((node, to as usize));
                }
            }
        }
        graph.turn();
        let constraint_sets = sets.split_off(2);
        let constraints_there = if marked { [sets, constraint_sets].concat() } else { constraint_sets };
        let plain =
            ctl::Graph { edges, labels, initial: vec![0], constraints: constraints_there, ..ctl::Graph::default() };
        (plain, graph, Fair { constraints, processes: wanted })
    }

    fn formula(&mut self, depth: usize) -> Formula {
        if depth == 0 {
            return Formula::atom(self.below(2) as u32);
        }
        let (f, g) = (self.formula(depth - 1), self.formula(depth - 1));
        match self.below(14) {
            0 => f.negated(),
            1 => f.and(g),
            2 => f.or(g),
            3 => f.implies(g),
            4 => f.all_next(),
            5 => f.some_next(),
            6 => f.all_finally(),
            7 => f.some_finally(),
            8 => f.all_globally(),
            9 => f.some_globally(),
            10 => f.all_until(g),
            11 => f.some_until(g),
            12 => f.all_weak_until(g),
            _ => f.some_weak_until(g),
        }
    }
}

/// Where a formula holds.
fn states(graph: &Graph, fair: &Fair, formula: &Formula, slip: Option<Slip>) -> Vec<bool> {
    let mut base = Base::default();
    let row = base.add(formula);
    let mut labels = Labels::new(graph, fair, slip);
    (0..base.parts().len()).for_each(|_| labels.add(&base));
    (0..graph.len()).map(|it| labels.set(row).get(it)).collect()
}

#[test]
fn labels_are_what_the_operators_mean() {
    let mut chance = Chance(7);
    for _ in 0..6_000 {
        let ((plain, graph, fair), formula) = (chance.graph(), chance.formula(3));
        assert_eq!(states(&graph, &fair, &formula, None), plain.states(&formula), "{formula} on {plain:?}");
    }
}

/// A test of the test: labels that are wrong on purpose differ.
#[test]
fn labels_that_are_wrong_are_noticed() {
    for slip in [Slip::Ending, Slip::Way, Slip::Constraint] {
        let (mut chance, mut caught) = (Chance(7), 0);
        for _ in 0..2_000 {
            let ((plain, graph, fair), formula) = (chance.graph(), chance.formula(3));
            caught += u32::from(states(&graph, &fair, &formula, Some(slip)) != plain.states(&formula));
        }
        assert!(caught > 20, "{slip:?} was caught only {caught} times");
    }
}

/// Ways that are found exist, are closed where they say so, fair, and show what they should with what they say.
#[test]
fn ways_show_why() {
    let (mut chance, mut shown) = (Chance(9), 0);
    for _ in 0..6_000 {
        let ((plain, graph, fair), formula) = (chance.graph(), chance.formula(3).negation_normal_form());
        if !plain.states(&formula)[0] {
            continue;
        }
        let mut base = Base::default();
        base.add(&formula);
        let mut labels = Labels::new(&graph, &fair, None);
        (0..base.parts().len()).for_each(|_| labels.add(&base));
        let mut country = Charted { graph: &graph, base, labels: &labels };
        let way = ctl::guide::show(&mut country, Place::from(0), &formula);
        let Ok(way) = way else { panic!("no way for {formula} on {plain:?}") };
        let is_cut_off = way.cycle.is_none() && way.places.len() > 1;
        assert!(fair.is_trivial() || !is_cut_off, "{:?} for {formula} on {plain:?}", way.places);
        shown += 1;
        check(&plain, &graph, &fair, &formula, &way);
    }
    assert!(shown > 2_000, "{shown}");
}

fn check(plain: &ctl::Graph, graph: &Graph, fair: &Fair, formula: &Formula, way: &Way<Place>) {
    let nodes: Vec<usize> = way.places.iter().map(|it| it.node).collect();
    let told = format!("{nodes:?} for {formula} on {plain:?}");
    assert_eq!(nodes[0], 0);
    assert!(nodes.windows(2).all(|pair| plain.edges[pair[0]].contains(&pair[1])), "{told}");
    for (position, remark, _) in &way.remarks {
        assert!(plain.states(remark)[nodes[*position]], "{remark} at {position}: {told}");
    }
    if let Some(begin) = way.cycle {
        assert_eq!(nodes.last(), Some(&nodes[begin]), "{told}");
        let marks = nodes[begin..].windows(2).fold(0, |all, pair| {
            let edges = graph.edges(pair[0]).filter(|it| it.0 == pair[1]);
            all | edges.fold(0, |all, it| all | fair.marks(graph, pair[0], it.1))
        });
        assert_eq!(marks & fair.wanted(), fair.wanted(), "{told}");
    }
}
