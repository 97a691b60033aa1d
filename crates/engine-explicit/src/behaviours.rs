//! The reference for properties of whole executions.
//!
//! ```text
//! build the graph of all states of system and claim together
//! for each strongly connected part with an edge:
//!     if its edges are in all sets of the claim, and nobody is forgotten: a violation
//! ```
//!
//! *Weakly fair*: each process is at some point of the cycle unable to move, or moves; this is one more set of edges per process. *Strongly fair*:
//! a process that can move somewhere on the cycle moves on it. If a part is not, states where the process can move are taken
//! out, and what is left is looked at again (Emerson, Lei, *Modalities for model checking*, 1987; Lichtenstein, Pnueli, 1985).
use std::collections::{HashMap, HashSet, VecDeque};
use std::time::Instant;

use engine::{
    Fairness, Finding, Limits, Progress, Property, Statistics, Trace, Verdict, Violation, ViolationKind, Watch, Why,
};
use model::Model;
use model::semantics::{Failure, Forbidden, Semantics, State, Step};

use crate::chain::{Arrive, successors};
use crate::components::components;
use crate::lasso::{Marks, cycle};

/// Sets of a claim; the bits behind them are processes.
pub const MOST_SETS: u32 = 24;
/// Processes that a scheduler can be fair to.
pub const MOST_PROCESSES: usize = (Marks::BITS - MOST_SETS) as usize;

/// The bit of a process.
pub fn process_mark(process: usize) -> Marks {
    1 << (MOST_SETS as usize + process)
}

/// All that a violating cycle needs to have, if processes are not forgotten.
pub fn wanted(sets: u32, fairness: Fairness) -> Marks {
    let sets = (1 << sets) - 1;
    if fairness == Fairness::None { sets } else { sets | !((1 << MOST_SETS) - 1) }
}

/// Checks a property of whole executions with the interpreter that defines the semantics.
pub fn reference_temporal(model: &Model, property: Property<'_>, limits: &Limits, watch: &mut dyn Watch) -> Finding {
    let system = Semantics::new(model);
    let mut graph = Graph { system: &system, property, nodes: Vec::new(), known: HashMap::new(), transitions: 0 };
    let began = Instant::now();
    let (verdict, violations) = match graph.build(limits, began, watch) {
        Ok(None) => match graph.violating_cycle() {
            Some(violation) => (Verdict::Violated, vec![violation]),
            None => (Verdict::Holds, Vec::new()),
        },
        Ok(Some(violation)) => (Verdict::Violated, vec![violation]),
        Err(why) => (Verdict::Unknown(why), Vec::new()),
    };
    let Progress { states, transitions, depth, memory, elapsed, .. } = graph.progress(began);
    let statistics = Statistics { states, transitions, depth, memory, elapsed, ..Statistics::default() };
    let errors = violations.len() as u64;
    let complete = verdict == Verdict::Holds;
    Finding { engine: "reference", verdict, violations, errors, complete, unreached: Vec::new(), statistics }
}

/// A state of system and claim together.
struct Node {
    state: State,
    location: u32,
    /// How it was first reached.
    parent: Option<(usize, Vec<Step>)>,
    edges: Vec<Edge>,
    /// Who can move.
    can_move: Marks,
}

struct Edge {
    to: usize,
    marks: Marks,
    /// Who moves.
    moves: Marks,
    steps: Vec<Step>,
}

struct Graph<'a> {
    system: &'a Semantics<'a>,
    property: Property<'a>,
    nodes: Vec<Node>,
    known: HashMap<(Vec<u8>, u32), usize>,
    transitions: u64,
}

impl Graph<'_> {
    /// All states; or a violation that needs no cycle.
    fn build(&mut self, limits: &Limits, began: Instant, watch: &mut dyn Watch) -> Result<Option<Violation>, Why> {
        let initial = match self.system.initial() {
            Ok(initial) => initial,
            Err(fault) => return Ok(Some(Violation { kind: ViolationKind::Start(fault), trace: Trace::default() })),
        };
        let mut waiting = VecDeque::new();
        self.node(initial, self.property.watcher.claim.entry, None, &mut waiting);
        while let Some(row) = waiting.pop_front() {
            if let Err(forbidden) = self.expand(row, &mut waiting)? {
                let trace = Trace { steps: self.steps_to(row), cycle: None };
                return Ok(Some(Violation { kind: ViolationKind::Forbidden(forbidden), trace }));
            }
            if row % 128 == 0 {
                let progress = self.progress(began);
                limits.passed(&progress, progress.elapsed, watch).map_or(Ok(()), Err)?;
            }
        }
        Ok(None)
    }

    fn progress(&self, began: Instant) -> Progress {
        let bytes = self.nodes.first().map_or(0, |it| it.state.bytes().len() + 200) as u64;
        Progress {
            states: self.nodes.len() as u64,
            transitions: self.transitions,
            depth: 0,
            frontier: 0,
            memory: bytes * self.nodes.len() as u64,
            elapsed: began.elapsed(),
        }
    }

    fn node(
        &mut self,
        state: State,
        location: u32,
        parent: Option<(usize, Vec<Step>)>,
        waiting: &mut VecDeque<usize>,
    ) -> usize {
        self.transitions += 1;
        let next = self.nodes.len();
        let row = *self.known.entry((state.identity().to_vec(), location)).or_insert(next);
        if row == next {
            self.nodes.push(Node { state, location, parent, edges: Vec::new(), can_move: 0 });
            waiting.push_back(row);
        }
        row
    }

    fn expand(&mut self, row: usize, waiting: &mut VecDeque<usize>) -> Result<Result<(), Forbidden>, Why> {
        let (state, location) = (self.nodes[row].state.clone(), self.nodes[row].location);
        let mut moves = Moves::default();
        // Who can only go wrong does not stand still.
        let stands_still = !successors(self.system, &state, &mut moves);
        let taken = match self.system.claim_moves(&state, self.property.watcher, location, stands_still) {
            Ok(taken) => taken,
            Err(forbidden) => return Ok(Err(forbidden)),
        };
        if state.process_count() > MOST_PROCESSES && self.property.fairness != Fairness::None {
            return Err(Why::Unsupported(format!("fairness is known for at most {MOST_PROCESSES} processes")));
        }
        let can_move = moves.list.iter().flat_map(|it| it.1.first()).fold(0, |all, it| all | movers(it));
        if stands_still && !self.property.watcher.claim.only_moving {
            moves.list.push((state, Vec::new()));
        }
        for edge in taken {
            for (next, steps) in &moves.list {
                let Some(target) = edge.target else { continue };
                let to = self.node(next.clone(), target, Some((row, steps.clone())), waiting);
                let moves = steps.iter().fold(0, |all, it| all | movers(it));
                self.nodes[row].edges.push(Edge { to, marks: Marks::from(edge.sets), moves, steps: steps.clone() });
            }
        }
        self.nodes[row].can_move = can_move;
        Ok(Ok(()))
    }

    /// The steps by which a node was first reached.
    fn steps_to(&self, row: usize) -> Vec<Step> {
        let (mut pieces, mut here) = (Vec::new(), row);
        while let Some((parent, steps)) = &self.nodes[here].parent {
            pieces.push(steps);
            here = *parent;
        }
        pieces.into_iter().rev().flatten().copied().collect()
    }

    fn violating_cycle(&self) -> Option<Violation> {
        let mut parts: Vec<HashSet<usize>> = vec![(0..self.nodes.len()).collect()];
        while let Some(part) = parts.pop() {
            for component in self.components(&part) {
                match self.judge(&component) {
                    Judgement::Fine => {}
                    Judgement::Violates(marks) => return self.lasso(&component, marks),
                    Judgement::Without(removed) => {
                        parts.push(component.into_iter().filter(|it| !removed.contains(it)).collect());
                    }
                }
            }
        }
        None
    }

    /// The strongly connected parts of some nodes.
    fn components(&self, part: &HashSet<usize>) -> Vec<HashSet<usize>> {
        let mut nodes: Vec<usize> = part.iter().copied().collect();
        nodes.sort_unstable();
        let rows: HashMap<usize, usize> = nodes.iter().enumerate().map(|it| (*it.1, it.0)).collect();
        let edges: Vec<Vec<usize>> = nodes
            .iter()
            .map(|&it| self.nodes[it].edges.iter().filter_map(|edge| rows.get(&edge.to).copied()).collect())
            .collect();
        let found = components(&edges).into_iter();
        found.map(|it| it.into_iter().map(|row| nodes[row]).collect()).collect()
    }

    fn inner<'s>(&'s self, component: &'s HashSet<usize>) -> impl Iterator<Item = (usize, &'s Edge)> {
        let edges = component.iter().flat_map(|&it| self.nodes[it].edges.iter().map(move |edge| (it, edge)));
        edges.filter(|it| component.contains(&it.1.to))
    }

    /// What an edge counts for.
    fn marks(&self, from: usize, edge: &Edge) -> Marks {
        let processes = !((1 << MOST_SETS) - 1);
        match self.property.fairness {
            Fairness::None => edge.marks,
            Fairness::Weak => edge.marks | (edge.moves | !self.nodes[from].can_move) & processes,
            Fairness::Strong => edge.marks | edge.moves,
        }
    }

    fn judge(&self, component: &HashSet<usize>) -> Judgement {
        if self.inner(component).next().is_none() {
            return Judgement::Fine;
        }
        let found = self.inner(component).fold(0, |all, (from, edge)| all | self.marks(from, edge));
        let Property { watcher, fairness } = self.property;
        if fairness != Fairness::Strong {
            let wanted = wanted(watcher.claim.sets, fairness);
            return if wanted & !found == 0 { Judgement::Violates(wanted) } else { Judgement::Fine };
        }
        let sets = wanted(watcher.claim.sets, Fairness::None);
        let can_move = component.iter().fold(0, |all, &it| all | self.nodes[it].can_move);
        let forgotten = can_move & !found;
        match (sets & !found, forgotten) {
            (0, 0) => Judgement::Violates(sets | can_move),
            (0, _) => {
                let removed = component.iter().filter(|&&it| self.nodes[it].can_move & forgotten != 0);
                Judgement::Without(removed.copied().collect())
            }
            _ => Judgement::Fine,
        }
    }

    fn lasso(&self, component: &HashSet<usize>, wanted: Marks) -> Option<Violation> {
        let root = *component.iter().min()?;
        let edges = |node: &usize| {
            let inner = self.nodes[*node].edges.iter().filter(|it| component.contains(&it.to));
            inner.map(|it| (it.to, self.marks(*node, it))).collect()
        };
        let mut steps = self.steps_to(root);
        let (begin, mut here) = (steps.len(), root);
        for (next, marks) in cycle(&root, wanted, edges)? {
            let is_taken = |it: &&Edge| it.to == next && self.marks(here, it) == marks;
            steps.extend(&self.nodes[here].edges.iter().find(is_taken)?.steps);
            here = next;
        }
        Some(Violation { kind: ViolationKind::Cycle, trace: Trace { steps, cycle: Some(begin) } })
    }
}

enum Judgement {
    Fine,
    /// There is a violating cycle with these marks.
    Violates(Marks),
    /// There can be one only without these nodes.
    Without(HashSet<usize>),
}

/// Who takes part in a step.
pub fn movers(step: &Step) -> Marks {
    let partner = step.partner.map_or(0, |it| process_mark(usize::from(it.0)));
    process_mark(usize::from(step.process)) | partner
}

/// The chains out of a state.
#[derive(Default)]
struct Moves {
    list: Vec<(State, Vec<Step>)>,
}

impl Arrive for Moves {
    fn state(&mut self, next: &State, path: &[Step]) {
        self.list.push((next.clone(), path.to_vec()));
    }

    fn failure(&mut self, _: Failure, _: &[Step]) {}

    fn inner(&mut self, _: &State) {}
}

/// The chains of steps to a state, and who could move.
pub struct ChainsTo<'s> {
    /// The chains.
    pub list: Vec<Vec<Step>>,
    /// Who could move.
    pub can_move: Marks,
    to: &'s State,
}

impl<'s> ChainsTo<'s> {
    /// None yet.
    pub fn new(to: &'s State) -> Self {
        ChainsTo { list: Vec::new(), can_move: 0, to }
    }
}

impl Arrive for ChainsTo<'_> {
    fn state(&mut self, next: &State, path: &[Step]) {
        self.can_move |= path.first().map_or(0, movers);
        if next.identity() == self.to.identity() {
            self.list.push(path.to_vec());
        }
    }

    fn failure(&mut self, _: Failure, _: &[Step]) {}

    fn inner(&mut self, _: &State) {}
}
