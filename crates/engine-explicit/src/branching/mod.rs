//! Branching time: the graph of all states, and where the parts of a formula hold in it.
//!
//! ```text
//! number all states, breadth first; note their successors and which conditions are true      world, graph
//! for each part of the negated formula, inner ones first: mark the states in which it holds   label
//! if the initial state is among those of the whole: find a path that shows why                evidence
//! ```
//!
//! Nothing is left out: steps that need not be interleaved for a property of executions can make a difference in what is still possible. Time and
//! memory are linear in the graph; a state costs its bytes and some 40 more, a step 8.
mod bits;
mod evidence;
mod graph;
mod label;
#[cfg(test)]
mod tests;
mod world;

use std::time::Instant;

use compiled::{Refused, Steps};
use ctl::guide::can_be_shown;
use ctl::{Base, Formula, Way};
use engine::{
    BranchingProperty, Evidence, Explained, Fairness, Finding, Limits, Progress, Question, Search, Statistics, Trace,
    Verdict, Violation, ViolationKind, Watch, Why,
};
use model::Model;
use model::semantics::{Fault, Forbidden, Semantics, Step};

use crate::behaviours::{ChainsTo, MOST_SETS, movers, wanted};
use crate::chain::{chain_between, successors};
use crate::explicit::{NAME, StoreKind};
use crate::lasso::Marks;
use crate::slip::Slip;
use evidence::{Charted, Place};
use graph::{Graph, mark_of};
use label::{Fair, Labels};
use world::{Compiled, Interpreted, Noted, Stopped, Surroundings, World};

/// States between two looks at the clock.
const TICK: usize = 128;

/// What goes wrong in a single step or state is the business of another search.
static NOTHING_ELSE: Question =
    Question { all_errors: true, search: Search::Depth, end_states: false, assertions: false, only_ends: true };

/// Checks a branching property with compiled steps.
pub fn branching(
    model: &Model,
    property: BranchingProperty<'_>,
    limits: &Limits,
    plan: crate::Plan,
    watch: &mut dyn Watch,
) -> Explained {
    let system = Semantics::new(model);
    let task = Task { system: &system, property, limits, slip: plan.slip, engine: NAME };
    if matches!(plan.store, StoreKind::HashCompact | StoreKind::Bitstate { .. }) {
        let why = "branching time needs a store that tells all states apart";
        return task.unknown(Why::Unsupported(why.into()));
    }
    if property.branching.formula.has_actions() {
        // Compiled steps do not tell their actions.
        return reference_branching(model, property, limits, watch);
    }
    let steps = match Steps::new(&system) {
        Ok(steps) => steps,
        Err(Refused::NoStart(fault)) => return task.no_start(fault),
        Err(Refused::TooLarge) => return reference_branching(model, property, limits, watch),
    };
    let world = Compiled::new(steps, &NOTHING_ELSE, property.conditions, task.counts_processes(), limits.memory);
    task.check(world, watch)
}

/// Checks a branching property with the interpreter that defines the semantics.
pub fn reference_branching(
    model: &Model,
    property: BranchingProperty<'_>,
    limits: &Limits,
    watch: &mut dyn Watch,
) -> Explained {
    let system = Semantics::new(model);
    let task = Task { system: &system, property, limits, slip: None, engine: "reference" };
    let noted = match () {
        () if task.has_actions() => Noted::Action,
        () if task.counts_processes() => Noted::Movers,
        () => Noted::Nothing,
    };
    let world = Interpreted::new(&system, property.conditions, noted);
    task.check(world, watch)
}

struct Task<'a> {
    system: &'a Semantics<'a>,
    property: BranchingProperty<'a>,
    limits: &'a Limits,
    slip: Option<Slip>,
    engine: &'static str,
}

impl Task<'_> {
    fn counts_processes(&self) -> bool {
        self.property.fairness != Fairness::None
    }

    fn has_actions(&self) -> bool {
        self.property.branching.formula.has_actions()
    }

    fn check<W: World>(&self, world: Result<W, Stopped>, watch: &mut dyn Watch) -> Explained {
        let refusal = self.refusal();
        match (world, refusal) {
            (_, Some(why)) | (Err(Stopped::Limit(why)), _) => self.unknown(why),
            (Err(Stopped::Fault(fault)), _) => self.no_start(fault),
            (Ok(world), None) => {
                let (began, depth) = (Instant::now(), 0);
                let graph = Graph::new(self.property.conditions.len());
                Run { task: self, world, graph, began, transitions: 1, depth, watch }.run()
            }
        }
    }

    fn refusal(&self) -> Option<Why> {
        let constraints = self.property.branching.fairness.len();
        let why = match () {
            () if self.property.fairness == Fairness::Strong => {
                "strong fairness is known for linear time only; `--fair` and fairness constraints are known here".into()
            }
            () if constraints > MOST_SETS as usize => format!("there can be at most {MOST_SETS} fairness constraints"),
            () if self.has_actions() && (self.counts_processes() || constraints > 0) => {
                "fairness and restriction to actions do not go together".into()
            }
            () if self.has_actions() && self.system.model().goes_on_alone() => {
                "actions of steps that a process makes alone are not known".into()
            }
            () => return None,
        };
        Some(Why::Unsupported(why))
    }

    fn fair(&self) -> Fair {
        let processes = if self.counts_processes() { wanted(0, Fairness::Weak) } else { 0 };
        Fair { constraints: self.property.branching.fairness.clone(), processes }
    }

    fn no_start(&self, fault: Fault) -> Explained {
        let violation = Violation { kind: ViolationKind::Start(fault), trace: Trace::default() };
        self.explained(Verdict::Violated, vec![violation], None, Statistics::default())
    }

    fn unknown(&self, why: Why) -> Explained {
        self.explained(Verdict::Unknown(why), Vec::new(), None, Statistics::default())
    }

    fn explained(
        &self,
        verdict: Verdict,
        violations: Vec<Violation>,
        evidence: Option<Evidence>,
        statistics: Statistics,
    ) -> Explained {
        let (errors, complete) = (violations.len() as u64, !matches!(verdict, Verdict::Unknown(_)));
        let (engine, unreached) = (self.engine, Vec::new());
        let finding = Finding { engine, verdict, violations, errors, complete, unreached, statistics };
        Explained { finding, evidence }
    }
}

/// A check under way.
struct Run<'r, 'a, W> {
    task: &'r Task<'a>,
    world: W,
    graph: Graph,
    began: Instant,
    transitions: u64,
    depth: u64,
    watch: &'r mut dyn Watch,
}

impl<W: World> Run<'_, '_, W> {
    fn run(mut self) -> Explained {
        let (verdict, violations, evidence) = match self.build().and_then(|()| self.decide()) {
            Ok((true, evidence)) => (Verdict::Holds, Vec::new(), evidence),
            Ok((false, evidence)) => {
                let trace = evidence.as_ref().map_or_else(Trace::default, |it| it.trace.clone());
                (Verdict::Violated, vec![Violation { kind: ViolationKind::Branching, trace }], evidence)
            }
            Err(Stopped::Limit(why)) => (Verdict::Unknown(why), Vec::new(), None),
            Err(Stopped::Fault(fault)) => (Verdict::Violated, vec![self.faulty(fault)], None),
        };
        let Progress { states, transitions, depth, memory, elapsed, .. } = self.progress(0);
        let statistics = Statistics { states, transitions, depth, memory, elapsed, ..Statistics::default() };
        self.task.explained(verdict, violations, evidence, statistics)
    }

    /// Looks at all states.
    fn build(&mut self) -> Result<(), Stopped> {
        let (mut around, mut level_end) = (Surroundings::default(), self.world.len());
        while self.graph.len() < self.world.len() {
            let node = self.graph.len();
            if node == level_end {
                self.depth += 1;
                level_end = self.world.len();
            }
            self.world.look(node, &mut around)?;
            self.transitions += around.next.len() as u64;
            if let Some(limit) = self.task.limits.depth.filter(|&it| self.depth >= it && !around.next.is_empty()) {
                return Err(Stopped::Limit(Why::DepthLimit(limit)));
            }
            self.add(node as u32, &mut around);
            if node.is_multiple_of(TICK) {
                self.look_at_limits(0)?;
            }
        }
        self.look_at_limits(self.graph.memory_to_turn())?;
        self.graph.turn();
        Ok(())
    }

    fn add(&mut self, node: u32, around: &mut Surroundings) {
        if around.stands_still && self.task.slip != Some(Slip::Ends) {
            around.next.push((node, Marks::MAX));
        }
        around.next.sort_unstable();
        around.next.dedup();
        let marked = self.task.counts_processes() || self.task.has_actions();
        self.graph.add(&around.next, marked, &around.truths);
    }

    fn progress(&self, more: u64) -> Progress {
        Progress {
            states: self.world.len() as u64,
            transitions: self.transitions,
            depth: self.depth,
            frontier: (self.world.len() - self.graph.len()) as u64,
            memory: self.world.memory() + self.graph.memory() + more,
            elapsed: self.began.elapsed(),
        }
    }

    fn look_at_limits(&mut self, more: u64) -> Result<(), Stopped> {
        let progress = self.progress(more);
        match self.task.limits.passed(&progress, progress.elapsed, self.watch) {
            Some(why) => Err(Stopped::Limit(why)),
            None => Ok(()),
        }
    }

    /// Whether the formula holds in the initial state, and why.
    fn decide(&mut self) -> Result<(bool, Option<Evidence>), Stopped> {
        let formula = &self.task.property.branching.formula;
        let why_not = formula.clone().negated().negation_normal_form();
        let (is_false, evidence) = self.answer(&why_not)?;
        if is_false {
            return Ok((false, evidence));
        }
        // What holds on all paths, no path shows.
        let why = formula.negation_normal_form();
        let is_telling = can_be_shown(&why);
        let (_, evidence) = if is_telling { self.answer(&why)? } else { (true, None) };
        Ok((true, evidence))
    }

    /// Whether a formula in negation normal form holds in the initial state, and why.
    fn answer(&mut self, formula: &Formula) -> Result<(bool, Option<Evidence>), Stopped> {
        let mut base = Base::default();
        let row = base.add(formula);
        let (graph, fair) = (std::mem::take(&mut self.graph), self.task.fair());
        let found = self.find(&graph, &fair, base, row, formula);
        self.graph = graph;
        let (holds, way) = found?;
        Ok((holds, way.map(|it| self.evidence(formula, &it))))
    }

    fn find(
        &mut self,
        graph: &Graph,
        fair: &Fair,
        base: Base,
        row: usize,
        formula: &Formula,
    ) -> Result<(bool, Option<Way<Place>>), Stopped> {
        let mut labels = Labels::new(graph, fair, self.task.slip);
        while labels.len() < base.parts().len() {
            labels.add(&base);
            self.look_at_limits(graph.memory() + labels.memory())?;
        }
        let holds = labels.set(row).get(0);
        let mut country = Charted { graph, base, labels: &labels };
        let way = holds.then(|| ctl::guide::show(&mut country, Place::from(0), formula).ok()).flatten();
        Ok((holds, way))
    }

    fn evidence(&self, formula: &Formula, way: &Way<Place>) -> Evidence {
        Evidence::along(formula, way, |from, to| self.between(from.node, to.node, to.marks))
    }

    /// The steps from a state to the next, none if the system stands still; by processes that marks tell, if they do.
    fn between(&self, from: usize, to: usize, marks: Option<Marks>) -> Vec<Step> {
        let (before, after) = (self.world.state(from), self.world.state(to));
        let mut chains = ChainsTo::new(&after);
        if !successors(self.task.system, &before, &mut chains) {
            return Vec::new();
        }
        if let Some(marks) = marks.filter(|_| self.task.has_actions()) {
            let is_it = |path: &&Vec<Step>| mark_of(self.task.system.action(&before, path[0]).map(|it| it.0)) == marks;
            let meant = chains.list.iter().find(is_it);
            return meant.or(chains.list.first()).cloned().unwrap_or_default();
        }
        let processes = self.task.fair().processes;
        let Some(marks) = marks.filter(|_| processes != 0) else {
            return chain_between(self.task.system, &before, &after);
        };
        let moved = |path: &&Vec<Step>| path.iter().fold(!chains.can_move, |all, it| all | movers(it));
        let meant = chains.list.iter().find(|it| moved(it) & processes == marks & processes);
        meant.or(chains.list.first()).cloned().unwrap_or_default()
    }

    /// The way to the state that was looked at last, where a condition cannot be computed.
    fn faulty(&self, fault: Fault) -> Violation {
        let mut parents = vec![usize::MAX; self.world.len()];
        for node in 0..self.graph.len() {
            let new = |&to: &usize| to > 0 && parents[to] == usize::MAX;
            let fresh: Vec<usize> = self.graph.after(node).iter().map(|&it| it as usize).filter(new).collect();
            fresh.into_iter().for_each(|to| parents[to] = node);
        }
        let mut nodes = vec![self.graph.len()];
        while let Some(&first) = nodes.last().filter(|&&it| it > 0) {
            nodes.push(parents[first]);
        }
        let pairs = nodes.windows(2).rev();
        let steps = pairs.flat_map(|pair| self.between(pair[1], pair[0], None)).collect();
        let kind = ViolationKind::Forbidden(Forbidden::Fault(fault));
        Violation { kind, trace: Trace { steps, cycle: None } }
    }
}
