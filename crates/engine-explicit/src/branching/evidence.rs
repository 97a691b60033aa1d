//! A path that shows why a formula holds.
//!
//! ```text
//! E[f U g]   a shortest way through f to g, and then why g holds there
//! EX f       one step, and then why f holds there
//! EG f       a shortest way through f to a cycle of f, and round it for ever
//! f & g      what is about the state alone, and one part that a path shows; the others are said to hold
//! f | g      the one that holds, rather one that a path shows
//! A …        is said to hold: no single path shows it
//! ```
//!
//! Clarke, Grumberg, McMillan, Zhao, *Efficient generation of counterexamples and witnesses in symbolic model checking*, DAC 1995. If only fair paths count,
//! a path that has come to its end goes on to a fair cycle.
use std::collections::VecDeque;

use ctl::{Base, Formula, Node, Path};
use rustc_hash::FxHashMap as HashMap;

use super::bits::Bits;
use super::graph::Graph;
use super::label::Labels;
use crate::lasso::{Marks, cycle};

/// A way through the graph that shows why a formula holds.
#[derive(Default)]
pub struct Way {
    /// The states, the initial one first.
    pub nodes: Vec<usize>,
    /// What the step to each counts for, where that matters.
    pub marks: Vec<Option<Marks>>,
    /// The states from this one on are repeated; the last is the same as it.
    pub cycle: Option<usize>,
    /// What holds where, and whether the way shows it.
    pub remarks: Vec<(usize, Formula, bool)>,
}

/// Finds ways.
pub struct Guide<'g> {
    /// The graph.
    pub graph: &'g Graph,
    /// The parts of the formula.
    pub base: Base,
    /// Where they hold.
    pub labels: &'g Labels<'g>,
    /// The way so far.
    pub way: Way,
}

impl<'g> Guide<'g> {
    /// The way that shows a formula in negation normal form, which holds in the initial state.
    pub fn show(mut self, formula: &Formula) -> Option<Way> {
        self.step(0, None);
        self.explain(formula)?;
        // Where no fair path begins, nothing but the state itself can be shown.
        let goes_on = self.labels.fairly(&Bits::all(self.graph.len(), true)).get(self.here());
        if self.way.cycle.is_none() && !self.labels.fair.is_trivial() && goes_on {
            self.go_round(&Bits::all(self.graph.len(), true))?;
        }
        Some(self.way)
    }

    fn step(&mut self, node: usize, marks: Option<Marks>) {
        self.way.nodes.push(node);
        self.way.marks.push(marks);
    }

    fn here(&self) -> usize {
        self.way.nodes.last().copied().unwrap_or(0)
    }

    fn set(&mut self, formula: &Formula) -> &'g Bits {
        let row = self.base.add(formula);
        self.labels.set(row)
    }

    fn holds(&mut self, formula: &Formula) -> bool {
        let here = self.here();
        self.set(formula).get(here)
    }

    fn remark(&mut self, formula: &Formula, is_shown: bool) {
        if *formula.node() != Node::True {
            self.way.remarks.push((self.way.nodes.len() - 1, formula.clone(), is_shown));
        }
    }

    /// Goes on from the last state to show that a formula holds there.
    fn explain(&mut self, formula: &Formula) -> Option<()> {
        match formula.node() {
            _ if formula.is_propositional() => self.remark(formula, true),
            Node::Path(quantifier, _) if quantifier.is_universal => self.remark(formula, false),
            Node::Path(_, path) => {
                self.remark(formula, true);
                return self.follow(path);
            }
            Node::And(..) => return self.explain_all(formula),
            Node::Or(f, g) => {
                let other = self.holds(g) && (!self.holds(f) || cost(g) < cost(f));
                return self.explain(if other { g } else { f });
            }
            _ => {}
        }
        Some(())
    }

    fn explain_all(&mut self, formula: &Formula) -> Option<()> {
        let mut parts = Vec::new();
        conjuncts(formula, &mut parts);
        let shown = parts.iter().position(|it| cost(it) == 1);
        for (_, part) in parts.iter().enumerate().filter(|it| Some(it.0) != shown) {
            self.remark(part, part.is_propositional());
        }
        shown.map_or(Some(()), |row| self.explain(&parts[row]))
    }

    fn follow(&mut self, path: &Path) -> Option<()> {
        match path {
            Path::Next(f) => {
                let (set, here) = (self.set(f), self.here());
                let fair = self.labels.fairly(set);
                let next = *self.graph.after(here).iter().find(|&&to| fair.get(to as usize))?;
                self.step(next as usize, None);
                self.explain(f)
            }
            Path::Finally(f) => self.go(&Formula::constant(true), f),
            Path::Until(f, g) => self.go(f, g),
            Path::Globally(f) => self.for_ever(f),
            Path::WeakUntil(f, g) if self.holds(&f.clone().some_until(g.clone())) => self.go(f, g),
            Path::WeakUntil(f, _) => self.for_ever(f),
        }
    }

    /// Through states of one formula to the nearest of another.
    fn go(&mut self, through: &Formula, to: &Formula) -> Option<()> {
        let (way, end) = (self.set(through), self.set(to));
        let end = self.labels.fairly(end);
        let nodes = nearest(self.graph, self.here(), way, &end)?;
        for node in nodes {
            self.passed(through);
            self.step(node, None);
        }
        self.explain(to)
    }

    /// What is passed satisfies a formula; if that is not seen in the state itself, it is said.
    fn passed(&mut self, formula: &Formula) {
        if !formula.is_propositional() {
            self.remark(formula, false);
        }
    }

    fn for_ever(&mut self, formula: &Formula) -> Option<()> {
        let first = self.way.nodes.len() - 1;
        let set = self.set(formula);
        self.go_round(set)?;
        if !formula.is_propositional() {
            let positions = first..self.way.nodes.len();
            self.way.remarks.extend(positions.map(|it| (it, formula.clone(), false)));
        }
        Some(())
    }

    /// Through a set to the nearest fair cycle in it, and round.
    fn go_round(&mut self, within: &Bits) -> Option<()> {
        let (graph, fair) = (self.graph, self.labels.fair);
        let cycles = self.labels.cycles(within);
        let nodes = nearest(graph, self.here(), within, &cycles)?;
        nodes.into_iter().for_each(|it| self.step(it, None));
        let root = self.here();
        let component = self.labels.component(root, &cycles);
        let edges = |node: &usize| {
            let inner = graph.edges(*node).filter(|it| component.get(it.0));
            inner.map(|it| (it.0, fair.marks(graph, *node, it.1))).collect()
        };
        let round = cycle(&root, fair.wanted(), edges)?;
        self.way.cycle = Some(self.way.nodes.len() - 1);
        round.into_iter().for_each(|(node, marks)| self.step(node, Some(marks)));
        Some(())
    }
}

/// 0 if it is about the state alone, 1 if a path shows it, 2 if none does.
fn cost(formula: &Formula) -> u8 {
    match formula.node() {
        _ if formula.is_propositional() => 0,
        Node::Path(quantifier, _) => 1 + u8::from(quantifier.is_universal),
        Node::And(f, g) => cost(f).max(cost(g)),
        Node::Or(f, g) => cost(f).min(cost(g)),
        _ => 2,
    }
}

fn conjuncts(formula: &Formula, parts: &mut Vec<Formula>) {
    match formula.node() {
        Node::And(f, g) => {
            conjuncts(f, parts);
            conjuncts(g, parts);
        }
        _ => parts.push(formula.clone()),
    }
}

/// The states after one, through a set, up to the nearest of another set; none if it is there already.
fn nearest(graph: &Graph, from: usize, through: &Bits, to: &Bits) -> Option<Vec<usize>> {
    if to.get(from) {
        return Some(Vec::new());
    }
    let mut parents: HashMap<usize, usize> = HashMap::from_iter([(from, from)]);
    let mut waiting = VecDeque::from([from]);
    while let Some(node) = waiting.pop_front() {
        if !through.get(node) {
            continue;
        }
        for &next in graph.after(node) {
            let next = next as usize;
            if parents.contains_key(&next) {
                continue;
            }
            parents.insert(next, node);
            if to.get(next) {
                return Some(back(&parents, from, next));
            }
            waiting.push_back(next);
        }
    }
    None
}

fn back(parents: &HashMap<usize, usize>, from: usize, to: usize) -> Vec<usize> {
    let (mut nodes, mut here) = (Vec::new(), to);
    while here != from {
        nodes.push(here);
        here = parents[&here];
    }
    nodes.reverse();
    nodes
}
