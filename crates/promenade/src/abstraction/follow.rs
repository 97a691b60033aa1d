//! A counterexample of an abstract model, statement by statement on the concrete one (Clarke, Grumberg, Jha, Lu, Veith, CAV 2000).
//!
//! All concrete states that the steps can lead to are followed at once. Either one of them shows the violation, which is then replayed like any other and
//! so is certain, or there is a first step that none of them can take: there the counterexample breaks. The cycle of an endless counterexample is taken
//! again and again, until a concrete state comes back or none is left.
use abstraction::refine::Taken;
use engine::{Trace, Violation, ViolationKind};
use model::semantics::{Forbidden, Semantics, State, Step};
use model::{EdgeId, Model};
use text::Span;

/// Concrete states that are followed at once.
const MOST_STATES: usize = 10_000;

/// Rounds of a cycle.
const MOST_ROUNDS: usize = 300;

/// What a counterexample of the abstract model is worth.
pub enum Followed {
    /// The concrete model has it, too.
    Certain(Box<report::Violation>),
    /// It has not: the step that cannot be taken, those before it, and the statements that it depends on.
    Breaks {
        /// The abstract step.
        at: usize,
        /// The steps before.
        path: Vec<Taken>,
        /// What cannot be done.
        broken: Vec<Taken>,
    },
    /// Nobody knows, and why.
    Unknown(String),
}

/// Replays a violation.
type Certify<'a> = &'a dyn Fn(&Violation) -> Option<report::Violation>;

/// A concrete state, the way to it, and the states at the beginnings of rounds with their places on the way.
#[derive(Clone)]
struct Place {
    state: State,
    way: Vec<Step>,
    rounds: Vec<(Vec<u8>, usize)>,
}

/// Follows one counterexample.
pub struct Follower<'a> {
    system: &'a Semantics<'a>,
    smaller: &'a Model,
    trace: &'a Trace,
    /// The abstract states.
    shadows: Vec<State>,
    initial: State,
}

/// How far one has come.
struct Progress {
    here: Vec<Place>,
    path: Vec<Taken>,
    /// Processes that stand still in the abstract model because they may have to wait.
    waiting: Vec<Taken>,
}

impl<'a> Follower<'a> {
    /// For a counterexample of the model of `shadow` on the model of `system`.
    pub fn new(system: &'a Semantics<'a>, shadow: &'a Semantics<'a>, trace: &'a Trace) -> Result<Self, &'static str> {
        let Ok(initial) = system.initial() else { return Err("there is no initial state") };
        let Ok(walk) = certify::Walk::along(shadow, &trace.steps) else {
            return Err("the abstract counterexample does not replay");
        };
        Ok(Follower { system, smaller: shadow.model(), trace, shadows: walk.states, initial })
    }

    fn begin(&self) -> Progress {
        let first = Place { state: self.initial.clone(), way: Vec::new(), rounds: Vec::new() };
        Progress { here: vec![first], path: Vec::new(), waiting: Vec::new() }
    }

    /// Something goes wrong in a step, or, if `is_end`, at the end.
    pub fn failure(&self, is_end: bool, certify: Certify<'_>) -> Followed {
        let mut progress = self.begin();
        for at in 0..self.trace.steps.len() {
            if let Err(followed) = self.advance(&mut progress, at, Some(certify)) {
                return followed;
            }
        }
        let ends = progress.here.iter().filter(|_| is_end).filter_map(|it| self.invalid_end(it));
        if let Some(certain) = ends.filter_map(|it| certify(&it)).next() {
            return Followed::Certain(Box::new(certain));
        }
        self.breaks_at_the_end(progress)
    }

    fn invalid_end(&self, it: &Place) -> Option<Violation> {
        let mut state = it.state.clone();
        self.system.release(&mut state);
        let process = self.system.unfinished(&state)? as u8;
        let moves = self.system.moves(&state, &mut |_| {});
        let trace = Trace { steps: it.way.clone(), cycle: None };
        (!moves).then_some(Violation { kind: ViolationKind::InvalidEnd { process }, trace })
    }

    /// A property of whole executions is violated.
    pub fn behaviour(&self, certify: Certify<'_>) -> Followed {
        let mut progress = self.begin();
        let length = self.trace.steps.len();
        let first = self.trace.cycle.filter(|&it| it < length);
        for at in 0..first.unwrap_or(length) {
            if let Err(followed) = self.advance(&mut progress, at, None) {
                return followed;
            }
        }
        match first {
            None => self.finite(progress, certify),
            Some(first) => self.endless(progress, first, certify),
        }
    }

    /// It is seen after these steps, or nothing moves any more.
    fn finite(&self, progress: Progress, certify: Certify<'_>) -> Followed {
        let kind = if self.trace.cycle.is_some() { ViolationKind::Cycle } else { forbidden() };
        let one = |it: &Place| {
            let cycle = self.trace.cycle.map(|_| it.way.len());
            certify(&Violation { kind, trace: Trace { steps: it.way.clone(), cycle } })
        };
        match progress.here.iter().find_map(one) {
            Some(certain) => Followed::Certain(Box::new(certain)),
            None => self.breaks_at_the_end(progress),
        }
    }

    /// The cycle is taken until a concrete state comes back.
    fn endless(&self, mut progress: Progress, first: usize, certify: Certify<'_>) -> Followed {
        for _ in 0..MOST_ROUNDS {
            for it in &mut progress.here {
                it.rounds.push((it.state.bytes().to_vec(), it.way.len()));
            }
            for at in first..self.trace.steps.len() {
                if let Err(followed) = self.advance(&mut progress, at, None) {
                    return followed;
                }
            }
            let begin = |it: &Place| Some(it.rounds.iter().find(|round| round.0 == it.state.bytes())?.1);
            let closed = |it: &Place| {
                let trace = Trace { steps: it.way.clone(), cycle: Some(begin(it)?) };
                certify(&Violation { kind: ViolationKind::Cycle, trace })
            };
            if let Some(certain) = progress.here.iter().find_map(closed) {
                return Followed::Certain(Box::new(certain));
            }
            // The executions are there, and the property holds on all of them.
            if progress.here.iter().all(|it| begin(it).is_some()) {
                return self.breaks_at_the_end(progress);
            }
        }
        Followed::Unknown(format!("the cycle of the abstract counterexample did not close in {MOST_ROUNDS} rounds"))
    }

    /// Every step could be taken, and yet nothing goes wrong.
    fn breaks_at_the_end(&self, progress: Progress) -> Followed {
        let Progress { mut path, waiting, .. } = progress;
        let broken = if waiting.is_empty() { path.last().cloned().into_iter().collect() } else { waiting };
        path.pop();
        Followed::Breaks { at: self.trace.steps.len().saturating_sub(1), path, broken }
    }

    /// The statement of an abstract step.
    fn taken(&self, at: usize, process: u8, edge: EdgeId) -> Taken {
        let ty = self.smaller.process(self.shadows[at].type_of(process as usize));
        (ty.name.clone(), ty.edge(edge).span)
    }

    /// Takes one abstract step with all concrete states; if that is the end, what it says. What goes wrong counts if somebody can certify it.
    fn advance(&self, progress: &mut Progress, at: usize, certify: Option<Certify<'_>>) -> Result<(), Followed> {
        let step = self.trace.steps[at];
        let taken = self.taken(at, step.process, step.edge);
        if taken.1.start == taken.1.end {
            progress.waiting.push(self.guard_at(&taken));
            return Ok(());
        }
        let partner = step.partner.map(|(process, edge)| (process, self.taken(at, process, edge).1));
        let mut next: Vec<Place> = Vec::new();
        for it in &progress.here {
            let failure = self.successors(it, step.process, taken.1, partner, &mut next);
            if let Some(certain) = failure.and_then(|it| certify.and_then(|certify| certify(&it))) {
                return Err(Followed::Certain(Box::new(certain)));
            }
        }
        if next.is_empty() {
            let path = std::mem::take(&mut progress.path);
            return Err(Followed::Breaks { at, path, broken: vec![taken] });
        }
        if next.len() > MOST_STATES {
            let why = "too many concrete states correspond to the abstract counterexample";
            return Err(Followed::Unknown(why.into()));
        }
        progress.here = next;
        progress.path.push(taken);
        Ok(())
    }

    /// The concrete steps at the same place; returns the first that goes wrong.
    fn successors(
        &self,
        from: &Place,
        process: u8,
        span: Span,
        partner: Option<(u8, Span)>,
        next: &mut Vec<Place>,
    ) -> Option<Violation> {
        let (system, model) = (self.system, self.system.model());
        let mut state = from.state.clone();
        if state.exclusive.is_some() && !system.moves(&state, &mut |_| {}) {
            system.release(&mut state);
        }
        let mut failed = None;
        system.moves(&state, &mut |it| {
            let place = |process: u8, edge| model.process(state.type_of(process as usize)).edge(edge).span;
            let partners = it.step.partner.map(|(process, edge)| (process, place(process, edge)));
            if it.step.process != process || place(process, it.step.edge) != span || partners != partner {
                return;
            }
            let way: Vec<Step> = from.way.iter().copied().chain([it.step]).collect();
            if let (Some(failure), None) = (it.failures.first(), &failed) {
                let trace = Trace { steps: way.clone(), cycle: None };
                failed = Some(Violation { kind: ViolationKind::Step(*failure), trace });
            }
            let new = it.next.filter(|it| !next.iter().any(|old| old.state == **it && old.rounds == from.rounds));
            next.extend(new.map(|it| Place { state: it.clone(), way, rounds: from.rounds.clone() }));
        });
        failed
    }

    /// The statement at which a process stands still: the one that begins where its waiting does.
    fn guard_at(&self, taken: &Taken) -> Taken {
        let processes = self.smaller.processes.iter().filter(|it| it.name == taken.0);
        let spans = processes.flat_map(|it| &it.edges).map(|it| it.span);
        let begins = |it: &Span| it.file == taken.1.file && it.start == taken.1.start && it.end > it.start;
        spans.filter(begins).max_by_key(|it| it.end).map_or_else(|| taken.clone(), |it| (taken.0.clone(), it))
    }
}

/// What an execution does that is forbidden after finitely many steps.
fn forbidden() -> ViolationKind {
    ViolationKind::Forbidden(Forbidden::End)
}
