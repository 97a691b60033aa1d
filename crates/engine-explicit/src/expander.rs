//! What a state leads to: the part of a search that does not depend on its order.
//!
//! Compiled steps say where a state leads. Where they cannot, because a step goes wrong there or is rare, the
//! reference interpreter is asked about that one state. Whatever is wrong is noted on the way.
use compiled::{Steps, Successors, Trouble};
use engine::{Question, ViolationKind};
use model::semantics::{Failure, FailureKind, Semantics, State, Step};
use store::Key;

use crate::ample::Ample;
use crate::chain::{Arrive, successors};
use crate::firsts::Firsts;
use crate::found::{Findings, Found, invalid_end};
use crate::recent::Recent;
use crate::stubborn::Stubborn;
use crate::twophase::{Cache, Phase1, Variant};

/// Expands states, and notes what is wrong.
pub struct Expander<'a> {
    steps: Steps<'a>,
    question: &'a Question,
    /// What was found.
    pub findings: Findings,
    /// Locations reached in steps of the reference interpreter.
    reached: Vec<Vec<bool>>,
    /// What is done with successors before anybody sees them.
    phase1: Option<Box<Reduced<'a>>>,
    /// Who moves in states on the stack.
    ample: Option<Ample<'a>>,
    /// Rows of the successors that need not be expanded.
    pub passed: Vec<usize>,
}

/// Twophase, and what it needs.
struct Reduced<'a> {
    phase1: Phase1<'a>,
    cache: Cache,
    /// Who moves at an end, if not everybody.
    stubborn: Option<Stubborn>,
    /// Successors before phase 1, and those that were met a moment ago, unless they have to be met again.
    next: Successors,
    recent: Option<Recent>,
}

/// How a successor was reached.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Link {
    /// From the successor in this row, or from the state itself.
    pub parent: Option<usize>,
    /// It has to be expanded.
    pub is_end: bool,
}

/// What a search counts.
#[derive(Clone, Copy, Debug, Default)]
pub struct Counts {
    /// Arrivals at a state.
    pub transitions: u64,
    /// Steps in between.
    pub inner: u64,
    /// Words of the longest state.
    pub longest: usize,
}

impl Counts {
    /// Takes over what another worker has counted.
    pub fn add(&mut self, other: Counts) {
        self.transitions += other.transitions;
        self.inner += other.inner;
        self.longest = self.longest.max(other.longest);
    }
}

/// What a search, or one worker of it, has counted and found.
#[derive(Clone, Debug, Default)]
pub struct Knowledge {
    /// What was counted.
    pub counts: Counts,
    /// What was found.
    pub findings: Findings,
    /// Per process type and location: whether it was reached.
    pub reached: Vec<Vec<bool>>,
}

impl Knowledge {
    /// Takes over what another worker knows.
    pub fn add(&mut self, other: Knowledge) {
        self.counts.add(other.counts);
        self.findings.merge(other.findings);
        if self.reached.is_empty() {
            self.reached = other.reached;
            return;
        }
        for (row, more) in self.reached.iter_mut().zip(other.reached) {
            row.iter_mut().zip(more).for_each(|(it, more)| *it |= more);
        }
    }
}

/// Knows what a state leads to: what workers ask, and what checkpoints keep of it.
pub trait Expand: Send {
    /// Room for successors.
    fn buffer(&self) -> Successors;

    /// Adds the states with which a search begins.
    fn begin(&mut self, initial: &State, out: &mut Successors);

    /// Adds the successors of a state, which is so many steps from the initial one.
    fn expand(&mut self, state: &[u64], level: u64, out: &mut Successors);

    /// Whether nothing moves.
    fn is_end(&mut self, state: &[u64], level: u64, out: &mut Successors) -> bool;

    /// The successor in this row is new. Whether it has to be expanded.
    fn arrive(&mut self, key: Key, state: &[u64], row: usize, level: u64) -> bool;

    /// All successors so far were looked up.
    fn settled(&mut self) {}

    /// Successors that were met may have to be met again.
    fn forget(&mut self) {}

    /// There is something for which the search may stop, at the end of the level.
    fn has_found(&self) -> bool;

    /// What was found by this one, with these counts.
    fn knowledge(&self, counts: Counts) -> Knowledge {
        Knowledge { counts, ..Knowledge::default() }
    }

    /// Starts with what others have found.
    fn take_up(&mut self, _findings: Findings, _reached: Vec<Vec<bool>>) {}

    /// What is wrong with a state or the steps from it; all else is forgotten.
    fn reconsider(&mut self, _state: &[u64], _level: u64) -> Findings {
        Findings::default()
    }
}

/// Which chains of steps out of a state are followed.
pub trait Follow {
    /// Whether this one is.
    fn may(&mut self, path: &[Step]) -> bool;

    /// It has led to the next successor.
    fn arrived(&mut self, path: &[Step]);
}

/// All.
struct Everything;

impl Follow for Everything {
    fn may(&mut self, _: &[Step]) -> bool {
        true
    }

    fn arrived(&mut self, _: &[Step]) {}
}

/// Those that begin with a step of one process.
struct Only(usize);

impl Follow for Only {
    fn may(&mut self, path: &[Step]) -> bool {
        path.first().is_some_and(|it| usize::from(it.process) == self.0)
    }

    fn arrived(&mut self, _: &[Step]) {}
}

impl<'a> Expander<'a> {
    /// One that has seen nothing yet.
    pub fn new(steps: Steps<'a>, question: &'a Question) -> Self {
        let reached = steps.system().model().processes.iter().map(|it| vec![false; it.locations.len()]).collect();
        Expander {
            steps,
            question,
            findings: Findings::default(),
            reached,
            phase1: None,
            ample: None,
            passed: Vec::new(),
        }
    }

    /// Successors go through phase 1 before anybody sees them.
    pub fn reduce(&mut self, firsts: Firsts<'a>, variant: Variant, cache: Cache, stubborn: Option<Stubborn>) {
        let phase1 = Phase1::new(firsts, variant, || self.buffer());
        let next = self.buffer();
        let recent = Some(Recent::default());
        self.phase1 = Some(Box::new(Reduced { phase1, cache, stubborn, next, recent }));
    }

    /// Some states are left by steps of one process. Every state that is expanded has to be left, too.
    pub fn look_at_stack(&mut self, ample: Ample<'a>) {
        self.ample = Some(ample);
    }

    /// Steps that were tried since the last call and led only to the stack.
    pub fn tried_in_vain(&mut self) -> u64 {
        self.ample.as_mut().map_or(0, |it| std::mem::take(&mut it.tried))
    }

    /// Whether states have to be left.
    pub fn looks_at_stack(&self) -> bool {
        self.ample.is_some()
    }

    /// From now on everybody moves in every state, if a stack decided that so far.
    pub fn look_away(&mut self) {
        self.ample = None;
    }

    /// A state is taken off the stack.
    pub fn leave(&mut self, state: &[u64]) {
        self.ample.iter_mut().for_each(|it| it.leave(state));
    }

    /// Whether some successors are left out.
    pub fn is_reduced(&self) -> bool {
        self.phase1.is_some()
    }

    /// The compiled steps.
    pub fn steps(&self) -> &Steps<'a> {
        &self.steps
    }

    /// The compiled steps.
    pub fn steps_mut(&mut self) -> &mut Steps<'a> {
        &mut self.steps
    }

    /// Successors, from this row on, go through phase 1.
    #[inline(never)]
    fn pass(&mut self, reduced: &mut Reduced<'a>, state: &[u64], level: u64, first: usize, out: &mut Successors) {
        reduced.next.clear();
        out.iter_from(first).for_each(|it| reduced.next.push(it));
        out.truncate(first);
        for row in 0..reduced.next.len() {
            let Reduced { phase1, next, recent, .. } = &mut *reduced;
            let next = next.get(row);
            if phase1.is_settled(&mut self.steps, state) && phase1.stays_still(&self.steps, state, next) {
                out.push(next);
            } else if !recent.as_mut().is_some_and(|it| it.has_met(next)) {
                phase1.run(self, next, level + 1);
                self.add_passed(reduced, out);
            }
        }
    }

    /// Adds the end of phase 1 of a state, then what is to be stored of the way there: nobody finds a state that was passed before its
    /// end is found, or two workers could each leave the end to the other.
    fn add_passed(&mut self, reduced: &Reduced<'a>, out: &mut Successors) {
        reduced.phase1.passed().filter(|it| it.2).for_each(|it| out.push(it.0));
        for (state, parent, _) in reduced.phase1.passed().filter(|it| !it.2) {
            if reduced.cache == Cache::All
                || reduced.cache == Cache::BackEdges && reduced.phase1.is_smaller(state, parent)
            {
                self.passed.push(out.len());
                out.push(state);
            } else {
                out.inner += 1;
            }
        }
    }

    /// Successors always have to be met again.
    pub fn meet_again(&mut self) {
        self.phase1.iter_mut().for_each(|it| it.recent = None);
    }

    /// The same for all states on the way, each with how it was reached.
    pub fn expand_linked(&mut self, state: &[u64], level: u64, out: &mut Successors, links: &mut Vec<Link>) {
        let mut next = self.buffer();
        match self.phase1.take() {
            None => self.expand_fully(state, level, &mut next),
            Some(mut reduced) => {
                self.expand_end(&mut reduced, state, level, &mut next);
                self.phase1 = Some(reduced);
            }
        }
        next.iter_from(0).for_each(|it| self.link(it, level + 1, out, links));
    }

    /// Adds a state, or all states of its phase 1.
    pub fn link(&mut self, state: &[u64], level: u64, out: &mut Successors, links: &mut Vec<Link>) {
        let Some(mut reduced) = self.phase1.take() else {
            links.push(Link { parent: None, is_end: true });
            return out.push(state);
        };
        let first = out.len();
        reduced.phase1.run(self, state, level);
        for (state, parent, is_end) in reduced.phase1.passed() {
            links.push(Link { parent: parent.map(|it| first + it), is_end });
            out.push(state);
        }
        self.phase1 = Some(reduced);
    }

    /// Adds the successors of the end of a phase 1: by steps of some processes if these are enough.
    fn expand_end(&mut self, reduced: &mut Reduced<'a>, state: &[u64], level: u64, out: &mut Successors) {
        let before = out.len();
        if let Some(stubborn) = &mut reduced.stubborn
            && let Some(stage) = &reduced.phase1.stage_of(&mut self.steps, state).relations
            && let Some(processes) = stubborn.choose(stage, &mut self.steps)
        {
            processes.iter().for_each(|&it| self.expand_one(it, state, level, out));
        }
        if out.len() == before {
            self.expand_fully(state, level, out);
        }
    }

    /// Adds the successors by steps of one process.
    pub fn expand_one(&mut self, process: usize, state: &[u64], level: u64, out: &mut Successors) {
        if self.steps.successors_of(process, state, out) == Err(Trouble) {
            self.interpret(state, level, &mut Only(process), out);
        }
    }

    fn expand_fully(&mut self, state: &[u64], level: u64, out: &mut Successors) {
        match self.steps.successors(state, out) {
            Ok(true) => {}
            Ok(false) => self.end(state, level),
            Err(Trouble) => self.interpret(state, level, &mut Everything, out),
        }
    }

    /// The same for some of the successors, which the reference interpreter is asked for.
    pub fn expand_some<F: Follow>(
        &mut self,
        state: &[u64],
        level: u64,
        choose: impl FnOnce(&Semantics<'a>, &State) -> F,
        out: &mut Successors,
    ) -> F {
        let mut follow = choose(self.steps.system(), &self.unpacked(state));
        self.interpret(state, level, &mut follow, out);
        follow
    }

    /// Looks at a new state.
    #[inline]
    pub fn check(&mut self, words: &[u64], level: u64) {
        if !self.steps.system().model().invariants.is_empty() && !self.question.only_ends {
            self.check_invariants(words, level);
        }
    }

    fn check_invariants(&mut self, words: &[u64], level: u64) {
        let (system, state) = (self.steps.system(), self.unpacked(words));
        if let Some((invariant, fault)) = system.broken_invariant(&state) {
            let kind = ViolationKind::Invariant { invariant: invariant as u32, fault };
            self.findings.add(Found::new(level, words, &[], kind), &state);
        }
    }

    /// A state has no successor.
    fn end(&mut self, words: &[u64], level: u64) {
        if !self.question.end_states {
            return;
        }
        let state = self.unpacked(words);
        if let Some(kind) = invalid_end(self.steps.system(), &state) {
            self.findings.add(Found::new(level, words, &[], kind), &state);
        }
    }

    /// Asks the reference interpreter for the successors of a state.
    fn interpret(&mut self, words: &[u64], level: u64, follow: &mut dyn Follow, out: &mut Successors) {
        let from = self.unpacked(words);
        let system = self.steps.system();
        let moved =
            successors(system, &from, &mut Interpreted { expander: self, words, level, from: &from, follow, out });
        if !moved {
            self.end(words, level);
        }
    }

    fn unpacked(&self, words: &[u64]) -> State {
        let mut state = State::default();
        self.steps.unpack(words, &mut state);
        state
    }

    /// Remembers where every process is.
    fn mark(&mut self, state: &State) {
        for process in 0..state.process_count() {
            self.reached[state.type_of(process).0 as usize][state.location_of(process).0 as usize] = true;
        }
    }

    /// All locations that were reached.
    fn locations(&self) -> Vec<Vec<bool>> {
        let model = self.steps.system().model();
        let mut reached = self.reached.clone();
        let mut all_taken = self.steps.taken();
        for (row, process) in model.processes.iter().enumerate() {
            let (own, others) = all_taken.split_at(process.edges.len());
            all_taken = others;
            let taken = process.edges.iter().zip(own).filter(|it| *it.1);
            for target in taken.filter_map(|(edge, _)| edge.target) {
                reached[row][target.0 as usize] = true;
            }
            if self.steps.spawned()[row] {
                reached[row][process.entry.0 as usize] = true;
            }
        }
        reached
    }
}

impl Expand for Expander<'_> {
    fn buffer(&self) -> Successors {
        self.steps.buffer()
    }

    fn begin(&mut self, initial: &State, out: &mut Successors) {
        self.mark(initial);
        let mut words = Vec::new();
        self.steps.pack(initial, &mut words);
        match self.phase1.take() {
            None => out.push(&words),
            Some(mut reduced) => {
                reduced.phase1.run(self, &words, 0);
                self.add_passed(&reduced, out);
                self.phase1 = Some(reduced);
            }
        }
    }

    fn expand(&mut self, state: &[u64], level: u64, out: &mut Successors) {
        if let Some(mut ample) = self.ample.take() {
            let is_enough = ample.expand(self, state, level, out);
            self.ample = Some(ample);
            if !is_enough {
                self.expand_fully(state, level, out);
            }
            return;
        }
        let Some(mut reduced) = self.phase1.take() else { return self.expand_fully(state, level, out) };
        let first = out.len();
        self.expand_end(&mut reduced, state, level, out);
        if !reduced.phase1.is_hopeless(state) {
            let is_still = reduced.phase1.is_settled(&mut self.steps, state);
            let is_end = |it: &[u64]| is_still && reduced.phase1.stays_still(&self.steps, state, it);
            if !out.iter_from(first).all(is_end) {
                self.pass(&mut reduced, state, level, first, out);
            }
        }
        self.phase1 = Some(reduced);
    }

    fn is_end(&mut self, state: &[u64], level: u64, out: &mut Successors) -> bool {
        let (before, inner) = (out.len(), out.inner);
        let moves = match self.steps.successors(state, out) {
            Ok(moves) => moves,
            Err(Trouble) => self.steps.system().moves(&self.unpacked(state), &mut |_| {}),
        };
        out.truncate(before);
        out.inner = inner;
        if !moves {
            self.end(state, level);
        }
        !moves
    }

    fn forget(&mut self) {
        self.phase1.iter_mut().filter_map(|it| it.recent.as_mut()).for_each(Recent::forget);
    }

    fn knowledge(&self, counts: Counts) -> Knowledge {
        Knowledge { counts, findings: self.findings.clone(), reached: self.locations() }
    }

    fn take_up(&mut self, findings: Findings, reached: Vec<Vec<bool>>) {
        (self.findings, self.reached) = (findings, reached);
    }

    fn reconsider(&mut self, state: &[u64], level: u64) -> Findings {
        let before = (std::mem::take(&mut self.findings), self.locations());
        self.check(state, level);
        self.interpret(state, level, &mut Everything, &mut self.buffer());
        let findings = std::mem::take(&mut self.findings);
        self.take_up(before.0, before.1);
        findings
    }

    #[inline]
    fn arrive(&mut self, _: Key, state: &[u64], row: usize, level: u64) -> bool {
        self.check(state, level);
        self.passed.is_empty() || self.passed.binary_search(&row).is_err()
    }

    fn settled(&mut self) {
        self.passed.clear();
    }

    fn has_found(&self) -> bool {
        self.findings.errors > 0
    }
}

/// The successors of one state, from the reference interpreter.
struct Interpreted<'w, 'a> {
    expander: &'w mut Expander<'a>,
    words: &'w [u64],
    level: u64,
    from: &'w State,
    follow: &'w mut dyn Follow,
    out: &'w mut Successors,
}

impl Arrive for Interpreted<'_, '_> {
    fn state(&mut self, next: &State, path: &[Step]) {
        if !self.follow.may(path) {
            return;
        }
        let mut words = Vec::new();
        self.expander.steps.pack(next, &mut words);
        self.out.push(&words);
        self.expander.mark(next);
        self.follow.arrived(path);
    }

    fn failure(&mut self, failure: Failure, path: &[Step]) {
        let Question { assertions, only_ends, .. } = *self.expander.question;
        let ignored = only_ends || failure.kind == FailureKind::Assertion && !assertions;
        if ignored || !self.follow.may(path) {
            return;
        }
        let found = Found::new(self.level, self.words, path, ViolationKind::Step(failure));
        self.expander.findings.add(found, self.from);
    }

    fn inner(&mut self, next: &State) {
        self.out.inner += 1;
        self.expander.mark(next);
    }
}
