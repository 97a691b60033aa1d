//! What a claim does along an execution that it forbids.
//!
//! A position of the execution and a place of the claim are a node; the moves of the claim lead from node to node, and after each the system takes the steps
//! up to the next state in which everybody may move. An execution that goes on for ever is forbidden because of a way round that begins with a move of the claim's
//! set; the claim may have to go round the cycle of the system several times until it is back. All others are forbidden because of the last move.
use std::collections::{HashMap, VecDeque};
use std::ops::Range;

use engine::{Trace, ViolationKind};
use model::ClaimEdge;
use model::semantics::{Forbidden, Semantics, State, Watcher};

use crate::behaviour::{Behaviour, Node};

/// A move of the claim, and the steps of the system behind it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Turn {
    /// The statements of the claim.
    pub statements: Vec<u32>,
    /// Rows of the trace's steps.
    pub steps: Range<usize>,
}

/// What claim and system do in turn.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Company {
    /// One after the other.
    pub turns: Vec<Turn>,
    /// The turn at which the cycle begins.
    pub cycle: Option<usize>,
}

/// What a claim with one set does along a trace through `states`; nothing if it does not forbid it in this way.
pub fn company(
    system: &Semantics<'_>,
    trace: &Trace,
    states: &[State],
    watcher: Watcher<'_>,
    kind: ViolationKind,
) -> Option<Company> {
    let behaviour = Behaviour::new(system, states, trace)?;
    let graph = Graph::new(&behaviour, watcher);
    match kind {
        ViolationKind::Cycle => graph.round(),
        ViolationKind::Forbidden(what) => graph.last(what),
        _ => None,
    }
}

/// A move from a node to another, or one after which all that may come is forbidden.
struct Taken<'c> {
    from: Node,
    to: Option<Node>,
    wrong: Option<Forbidden>,
    edge: &'c ClaimEdge,
}

/// All moves of a claim along an execution.
struct Graph<'a, 'c> {
    behaviour: &'a Behaviour<'a>,
    watcher: Watcher<'c>,
    taken: Vec<Taken<'c>>,
    /// Which of them lead out of a node.
    rows: HashMap<Node, Range<usize>>,
    /// Per position: how many steps there were before it.
    passed: Vec<usize>,
}

impl<'a, 'c> Graph<'a, 'c> {
    fn new(behaviour: &'a Behaviour<'a>, watcher: Watcher<'c>) -> Self {
        let passed = behaviour.steps.iter().scan(0, |sum, it| Some(std::mem::replace(sum, *sum + it.len())));
        let passed = passed.collect();
        let mut graph = Graph { behaviour, watcher, taken: Vec::new(), rows: HashMap::new(), passed };
        let mut waiting = vec![graph.start()];
        while let Some(node) = waiting.pop() {
            if !graph.rows.contains_key(&node) {
                let first = graph.taken.len();
                graph.look(node);
                graph.rows.insert(node, first..graph.taken.len());
                waiting.extend(graph.taken[first..].iter().filter_map(|it| it.to));
            }
        }
        graph
    }

    fn start(&self) -> Node {
        (0, self.watcher.claim.entry)
    }

    /// Adds the moves out of a node.
    fn look(&mut self, from: Node) {
        let (behaviour, watcher) = (self.behaviour, self.watcher);
        let still = behaviour.stands_still(from.0);
        let next = behaviour.after(from.0);
        for edge in &watcher.claim.locations[from.1 as usize].edges {
            match behaviour.system.claim_takes(&behaviour.states[from.0], watcher, edge, still) {
                Ok(false) => {}
                Ok(true) => self.taken.push(Taken { from, to: edge.target.map(|it| (next, it)), wrong: None, edge }),
                Err(wrong) => self.taken.push(Taken { from, to: None, wrong: Some(wrong), edge }),
            }
        }
    }

    /// A way to a move of the set, and from there back to it.
    fn round(&self) -> Option<Company> {
        let edges: Vec<(Node, Node, u32)> =
            self.taken.iter().filter_map(|it| Some((it.from, it.to?, it.edge.sets))).collect();
        let left = self.behaviour.again_and_again(self.watcher, &edges);
        let inside = |it: &Taken<'_>| left.contains(&it.from) && it.to.is_some_and(|to| left.contains(&to));
        let marked: Vec<&Taken<'c>> = self.taken.iter().filter(|it| inside(it) && it.edge.sets & 1 == 1).collect();
        // From each of them another one can be reached: whoever follows them comes to one that leads back to itself.
        let first = marked.into_iter().find_map(|it| Some((it, self.way(it.to?, it.from, &inside)?)));
        let (first, back) = first?;
        let before = self.way(self.start(), first.from, &|_| true)?;
        let cycle = Some(before.len());
        Some(Company { turns: before.into_iter().chain([self.turn(first)]).chain(back).collect(), cycle })
    }

    /// A way to the move with which nothing that may come is allowed any more, at the end of the execution.
    fn last(&self, what: Forbidden) -> Option<Company> {
        let end = self.behaviour.states.len() - 1;
        let is_it = |it: &&Taken<'_>| it.from.0 == end && it.wrong == Some(what);
        let ways = self.taken.iter().filter(is_it).filter_map(|last| {
            let mut turns = self.way(self.start(), last.from, &|_| true)?;
            // A condition that cannot be computed keeps the claim where it is.
            turns.extend((!matches!(what, Forbidden::Fault(_))).then(|| self.turn(last)));
            Some(turns)
        });
        ways.min_by_key(Vec::len).map(|turns| Company { turns, cycle: None })
    }

    /// The shortest way from a node to another, over moves that are allowed.
    fn way(&self, from: Node, to: Node, is_allowed: &dyn Fn(&Taken<'c>) -> bool) -> Option<Vec<Turn>> {
        let (mut before, mut waiting) = (HashMap::from([(from, None)]), VecDeque::from([from]));
        while let Some(node) = waiting.pop_front() {
            if node == to {
                return Some(self.turns(node, &before));
            }
            for row in self.rows.get(&node).cloned().unwrap_or_default() {
                let next = Some(&self.taken[row]).filter(|it| is_allowed(it)).and_then(|it| it.to);
                if let Some(next) = next.filter(|it| !before.contains_key(it)) {
                    before.insert(next, Some(row));
                    waiting.push_back(next);
                }
            }
        }
        None
    }

    /// The turns that led to a node.
    fn turns(&self, mut node: Node, before: &HashMap<Node, Option<usize>>) -> Vec<Turn> {
        let mut turns = Vec::new();
        while let Some(Some(row)) = before.get(&node) {
            turns.push(self.turn(&self.taken[*row]));
            node = self.taken[*row].from;
        }
        turns.reverse();
        turns
    }

    fn turn(&self, it: &Taken<'_>) -> Turn {
        let first = self.passed[it.from.0];
        let count = self.behaviour.steps[it.from.0].len();
        Turn { statements: it.edge.statements.clone(), steps: first..first + count }
    }
}
