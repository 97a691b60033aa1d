//! The reference search.
//!
//! ```text
//! reached := { initial };  frontier := initial
//! while the frontier has a state s:
//!     for each chain of steps s → t:  if t is new, add it to reached and to the frontier
//!     if there is none and some process should not stop: report
//! ```
//!
//! Breadth first finds shortest traces (counted in states, not in inner steps); depth first takes
//! the newest state. Which comes first changes neither the set of states nor the number of
//! transitions. See Clarke, Grumberg, Kroening, Peled, Veith, *Model Checking*, 2nd ed. (2018).
use std::collections::{HashSet, VecDeque};
use std::time::Instant;

use engine::{
    Finding, Limits, Progress, Question, Search, Statistics, Trace, Verdict, Violation, ViolationKind, Watch, Why,
};
use model::Model;
use model::semantics::{Failure, FailureKind, Semantics, State, Step};

use crate::chain::{Arrive, chain_between, successors};
use crate::nodes::{Node, Store};

/// States between two looks at the clock.
const TICK: u64 = 128;

/// Visits every reachable state of a model.
pub fn reference(model: &Model, question: &Question, limits: &Limits, watch: &mut dyn Watch) -> Finding {
    let system = Semantics::new(model);
    let mut run = Run::new(&system, question, limits);
    match system.initial() {
        Ok(initial) => run.arrive_at(&initial, None, &[]),
        Err(fault) => run.report(ViolationKind::Start(fault), None, &[]),
    }
    let mut state = State::default();
    while let Some(node) = run.next() {
        system.decode(run.store.state(node), &mut state);
        run.expand(node, &state);
        if run.is_done() {
            break;
        }
        if let Some(why) = run.limit_reached(watch) {
            run.unknown = Some(why);
            break;
        }
    }
    run.finding()
}

struct Run<'a> {
    system: &'a Semantics<'a>,
    question: &'a Question,
    limits: &'a Limits,
    began: Instant,
    store: Store,
    frontier: VecDeque<Node>,
    transitions: u64,
    inner_steps: u64,
    expanded: u64,
    depth: u32,
    state_bytes: usize,
    reached: Vec<Vec<bool>>,
    violations: Vec<Violation>,
    known: HashSet<String>,
    errors: u64,
    unknown: Option<Why>,
}

impl<'a> Run<'a> {
    fn new(system: &'a Semantics<'a>, question: &'a Question, limits: &'a Limits) -> Self {
        Run {
            system,
            question,
            limits,
            began: Instant::now(),
            store: Store::new(system.hidden_bytes()),
            frontier: VecDeque::new(),
            transitions: 0,
            inner_steps: 0,
            expanded: 0,
            depth: 0,
            state_bytes: 0,
            reached: system.model().processes.iter().map(|it| vec![false; it.locations.len()]).collect(),
            violations: Vec::new(),
            known: HashSet::new(),
            errors: 0,
            unknown: None,
        }
    }

    fn next(&mut self) -> Option<Node> {
        match self.question.search {
            Search::Breadth => self.frontier.pop_front(),
            Search::Depth => self.frontier.pop_back(),
        }
    }

    fn expand(&mut self, node: Node, state: &State) {
        self.expanded += 1;
        let system = self.system;
        if let Some(limit) = self.limits.depth.filter(|&limit| u64::from(self.store.depth(node)) >= limit)
            && system.moves(state, &mut |_| {})
        {
            self.unknown = Some(Why::DepthLimit(limit));
            return;
        }
        let moved = successors(system, state, &mut Expansion { run: self, node });
        if !moved
            && self.question.end_states
            && let Some(process) = system.unfinished(state)
        {
            self.report(ViolationKind::InvalidEnd { process: process as u8 }, Some(node), &[]);
        }
    }

    fn arrive_at(&mut self, state: &State, from: Option<Node>, path: &[Step]) {
        self.transitions += 1;
        let depth = from.map_or(0, |node| self.store.depth(node) + path.len() as u32);
        let Some(node) = self.store.insert(state.bytes(), from, depth) else { return };
        self.depth = self.depth.max(depth);
        self.state_bytes = self.state_bytes.max(state.identity().len());
        self.frontier.push_back(node);
        self.mark(state);
        if !self.question.only_ends
            && let Some((row, fault)) = self.system.broken_invariant(state)
        {
            self.report(ViolationKind::Invariant { invariant: row as u32, fault }, from, path);
        }
    }

    /// Remembers where every process is.
    fn mark(&mut self, state: &State) {
        for process in 0..state.process_count() {
            self.reached[state.type_of(process).0 as usize][state.location_of(process).0 as usize] = true;
        }
    }

    fn fail(&mut self, failure: Failure, from: Node, path: &[Step]) {
        let Question { assertions, only_ends, .. } = *self.question;
        if only_ends || failure.kind == FailureKind::Assertion && !assertions {
            return;
        }
        self.report(ViolationKind::Step(failure), Some(from), path);
    }

    /// Counts a violation, and keeps the first of each kind and place.
    fn report(&mut self, kind: ViolationKind, from: Option<Node>, path: &[Step]) {
        self.errors += 1;
        if self.known.insert(self.signature(kind, from)) {
            let trace = self.trace(from, path);
            self.violations.push(Violation { kind, trace });
        }
    }

    /// What makes two violations the same to a reader.
    fn signature(&self, kind: ViolationKind, from: Option<Node>) -> String {
        match (kind, from) {
            (ViolationKind::InvalidEnd { process }, Some(node)) => {
                let mut state = State::default();
                self.system.decode(self.store.state(node), &mut state);
                let process = usize::from(process);
                format!("end {:?} {:?}", state.type_of(process), state.location_of(process))
            }
            (ViolationKind::Step(failure), _) => {
                format!("{:?} {:?} {:?}", std::mem::discriminant(&failure.kind), failure.process, failure.edge)
            }
            (kind, _) => format!("{kind:?}"),
        }
    }

    fn is_done(&self) -> bool {
        self.errors > 0 && !self.question.all_errors
    }

    fn limit_reached(&self, watch: &mut dyn Watch) -> Option<Why> {
        if !self.expanded.is_multiple_of(TICK) {
            return None;
        }
        let progress = self.progress();
        self.limits.passed(&progress, progress.elapsed, watch)
    }

    fn progress(&self) -> Progress {
        Progress {
            states: self.store.len() as u64,
            transitions: self.transitions,
            depth: u64::from(self.depth),
            frontier: self.frontier.len() as u64,
            memory: self.store.memory() + (self.frontier.capacity() * size_of::<Node>()) as u64,
            elapsed: self.began.elapsed(),
        }
    }

    /// Walks back to the initial state, and finds again the steps between stored states.
    fn trace(&self, from: Option<Node>, path: &[Step]) -> Trace {
        let mut pieces = vec![path.to_vec()];
        let mut here = from;
        while let Some(node) = here {
            here = self.store.parent(node);
            pieces.extend(here.map(|parent| self.steps_between(parent, node)));
        }
        Trace { steps: pieces.into_iter().rev().flatten().collect(), cycle: None }
    }

    fn steps_between(&self, parent: Node, child: Node) -> Vec<Step> {
        let (mut from, mut to) = (State::default(), State::default());
        self.system.decode(self.store.state(parent), &mut from);
        self.system.decode(self.store.state(child), &mut to);
        chain_between(self.system, &from, &to)
    }

    fn finding(self) -> Finding {
        let progress = self.progress();
        let statistics = Statistics {
            states: progress.states,
            many_states: None,
            transitions: progress.transitions,
            inner_steps: self.inner_steps,
            depth: progress.depth,
            state_bytes: self.state_bytes as u64,
            memory: progress.memory,
            elapsed: progress.elapsed,
            details: Vec::new(),
            growth: Vec::new(),
        };
        let complete = self.unknown.is_none() && !self.is_done();
        let verdict = match self.unknown {
            _ if self.errors > 0 => Verdict::Violated,
            Some(why) => Verdict::Unknown(why),
            None => Verdict::Holds,
        };
        let unreached = self.system.model().unreached(&self.reached);
        Finding {
            engine: "reference",
            verdict,
            violations: self.violations,
            errors: self.errors,
            complete,
            unreached,
            statistics,
        }
    }
}

/// The expansion of one stored state.
struct Expansion<'r, 'a> {
    run: &'r mut Run<'a>,
    node: Node,
}

impl Arrive for Expansion<'_, '_> {
    fn state(&mut self, next: &State, path: &[Step]) {
        if !self.run.is_done() {
            self.run.arrive_at(next, Some(self.node), path);
        }
    }

    fn failure(&mut self, failure: Failure, path: &[Step]) {
        if !self.run.is_done() {
            self.run.fail(failure, self.node, path);
        }
    }

    fn inner(&mut self, next: &State) {
        self.run.inner_steps += 1;
        self.run.mark(next);
    }
}
