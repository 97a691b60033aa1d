//! The search: a guess, its relations, what they reach, what is wrong there.
//!
//! ```text
//! guess := what a sample of the states shows
//! repeat
//!     make room for the guess, and relations for every step
//!     reached := everything that the relations reach from the initial state
//!     if some reached state needs more room: widen the guess, and begin again
//! until there is none
//! report what is wrong in reached states
//! ```
use std::time::{Duration, Instant};

use diagram::{Decision, Function, Method, Outcome, Search, Space};
use engine::{Finding, Limits, Progress, Question, Statistics, Verdict, Violation, ViolationKind, Watch, Why};
use model::semantics::{Semantics, State};
use model::{LocationId, Model, ProcessTypeId};
use optimize::Pass;

use crate::encoding::{Changes, Encoding};
use crate::explain::Explainer;
use crate::guess::{Guess, Need};
use crate::layout::Layout;
use crate::pulse::Pulse;
use crate::stop::{Refusal, Result, Stop};
use crate::system::System;
use crate::{check, order, wrong};

/// How the search goes about it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Plan {
    /// In which order steps are applied.
    pub method: Method,
    /// A deliberate mistake, for tests of the tests.
    pub mistake: Option<Mistake>,
}

/// Mistakes that tests must notice.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mistake {
    /// A bit that a step changes may get any value.
    LooseBit,
    /// Queues hold one message less.
    ShortQueue,
}

impl Default for Plan {
    fn default() -> Self {
        Plan { method: Method::Saturation, mistake: None }
    }
}

/// Time between two looks at the clock.
const TICK: Duration = Duration::from_millis(20);

/// Room for the stack of the thread that computes; only what is used counts.
const STACK: usize = 1 << 30;

/// Bytes of a node and of an entry of the caches.
const NODE: u64 = 28;

/// Visits every reachable state of a model, all at once.
pub fn symbolic(
    model: &Model,
    question: &Question,
    limits: &Limits,
    plan: Plan,
    watch: &mut dyn Watch,
) -> std::result::Result<Finding, Refusal> {
    let began = Instant::now();
    let pulse = Pulse::default();
    let mut why = None;
    let answer = std::thread::scope(|scope| {
        let run = || Run { model, question, limits, plan, pulse: &pulse, began }.answer();
        let worker = std::thread::Builder::new().stack_size(STACK).spawn_scoped(scope, run).ok()?;
        while !worker.is_finished() {
            std::thread::sleep(TICK.min(began.elapsed() / 8 + Duration::from_micros(200)));
            if why.is_none() {
                let (rounds, memory) = pulse.told();
                let progress = Progress { depth: rounds, memory, elapsed: began.elapsed(), ..Progress::default() };
                why = limits.passed(&progress, progress.elapsed, watch);
                why.iter().for_each(|_| pulse.stop());
            }
        }
        Some(worker.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)))
    });
    let stop = match answer {
        Some(Ok(finding)) => return Ok(finding),
        Some(Err(stop)) => stop,
        None => Stop::Full,
    };
    let unknown = match stop {
        Stop::Refused(refusal) => return Err(refusal),
        Stop::Full => Why::MemoryLimit(limits.memory.unwrap_or(0)),
        Stop::Told => why.unwrap_or(Why::Interrupted),
        Stop::Inconsistent(what) => Why::Unsupported(format!("internal error: {what}")),
    };
    Ok(finding(Verdict::Unknown(unknown), Vec::new(), began))
}

fn finding(verdict: Verdict, violations: Vec<Violation>, began: Instant) -> Finding {
    Finding {
        engine: "symbolic",
        errors: violations.len() as u64,
        complete: false,
        verdict,
        violations,
        unreached: Vec::new(),
        statistics: Statistics { elapsed: began.elapsed(), ..Statistics::default() },
    }
}

/// One run.
struct Run<'a> {
    model: &'a Model,
    question: &'a Question,
    limits: &'a Limits,
    plan: Plan,
    pulse: &'a Pulse,
    began: Instant,
}

impl Run<'_> {
    fn answer(&self) -> Result<Finding> {
        // Neither changes the number of states.
        let model = optimize::optimize(self.model, &[Pass::Fold, Pass::Range]);
        check::check(&model)?;
        let reference = Semantics::new(&model);
        let initial = match reference.initial() {
            Ok(initial) => initial,
            Err(fault) => {
                let kind = ViolationKind::Start(fault);
                let violation = Violation { kind, trace: engine::Trace::default() };
                let nowhere: Vec<_> = self.model.processes.iter().map(|it| vec![false; it.locations.len()]).collect();
                let unreached = self.model.unreached(&nowhere);
                return Ok(Finding { unreached, ..finding(Verdict::Violated, vec![violation], self.began) });
            }
        };
        let mut guess = Guess::sample(&reference, &initial)?;
        loop {
            match self.attempt(&model, &reference, &initial, &guess)? {
                Attempt::Answer(finding) => return Ok(finding),
                Attempt::Needs(needs) => needs.into_iter().try_for_each(|need| guess.widen(need))?,
            }
        }
    }

    fn attempt(&self, model: &Model, reference: &Semantics<'_>, initial: &State, guess: &Guess) -> Result<Attempt> {
        let mut layout = Layout::new(model, guess);
        layout.place(&order::order(model, &layout));
        let space = Space::new(layout.bit_count(), self.room());
        let encoding = Encoding { model, layout: &layout, space: &space, mistake: self.plan.mistake };
        let start = encoding.encode(reference, initial).ok_or(Stop::Inconsistent("no room for the initial state"))?;
        let start = space.vector(&start)?;
        let began = Instant::now();
        let system = System::new(&encoding, self.pulse)?;
        let built = began.elapsed();
        let reached = self.reach(&space, &start, &system)?;
        let searched = began.elapsed() - built;
        let needs = needs(&system, &reached)?;
        if !needs.is_empty() {
            return Ok(Attempt::Needs(needs));
        }
        let explainer =
            Explainer { encoding: &encoding, system: &system, reference, initial, start: &start, pulse: self.pulse };
        let wrong = wrong::all(&encoding, &system, &reached, self.question)?;
        let violations = wrong::evidence(&explainer, &wrong, self.question)?;
        let count = space.count(&reached.and(&system.rests)?);
        let statistics = Statistics {
            states: u64::try_from(&count).unwrap_or(u64::MAX),
            many_states: u64::try_from(&count).is_err().then(|| count.to_string()),
            state_bytes: layout.bit_count().div_ceil(8) as u64,
            memory: space.bytes() as u64,
            elapsed: self.began.elapsed(),
            details: vec![
                ("bits", layout.bit_count().to_string()),
                ("relations", system.relations.len().to_string()),
                ("nodes of the relations", nodes(&system).to_string()),
                ("nodes of the reached set", reached.nodes().to_string()),
                ("most nodes at once", space.peak().to_string()),
                ("building the relations", format!("{:.3} s", built.as_secs_f64())),
                ("reaching", format!("{:.3} s", searched.as_secs_f64())),
                ("explaining", format!("{:.3} s", (began.elapsed() - built - searched).as_secs_f64())),
                ("order", shown_order(model, &layout)),
            ],
            ..Statistics::default()
        };
        let verdict = if violations.is_empty() { Verdict::Holds } else { Verdict::Violated };
        let complete = violations.is_empty() || self.question.all_errors;
        let unreached = unreached(self.model, &encoding, &reached)?;
        Ok(Attempt::Answer(Finding { complete, unreached, statistics, ..finding(verdict, violations, self.began) }))
    }

    /// How many nodes there may be.
    fn room(&self) -> diagram::Limits {
        let usual = diagram::Limits::default();
        let nodes = self.limits.memory.map_or(usual.nodes as u64, |bytes| bytes / NODE);
        let cache = usual.cache.min((nodes as usize / 8).max(1 << 12));
        diagram::Limits { nodes: (nodes as usize).min(1 << 30), cache }
    }

    fn reach(&self, space: &Space, start: &Function, system: &System) -> Result<Function> {
        let mut watch = |progress: &diagram::Progress| {
            self.pulse.tell(progress.rounds as u64, progress.nodes as u64 * NODE);
            if self.pulse.check().is_ok() { Decision::Continue } else { Decision::Stop }
        };
        let reached = Search::forward(space, start, &system.relations).run(self.plan.method, &mut watch);
        match reached.outcome {
            Outcome::Complete => Ok(reached.set),
            Outcome::Stopped => Err(Stop::Told),
            Outcome::Full => Err(Stop::Full),
        }
    }
}

/// What reachable states need and there is no room for.
fn needs(system: &System, reached: &Function) -> Result<Vec<Need>> {
    let mut needs = Vec::new();
    for (need, conditions) in &system.needs {
        for condition in conditions {
            if !needs.contains(need) && !reached.and(condition)?.is_false() {
                needs.push(*need);
            }
        }
    }
    Ok(needs)
}

/// What came of a guess.
enum Attempt {
    /// It was right.
    Answer(Finding),
    /// It was too small.
    Needs(Vec<Need>),
}

/// Nodes of all relations, each for itself.
fn nodes(system: &System) -> usize {
    system.relations.iter().map(|it| it.function().nodes()).sum()
}

/// The cells from the top of the diagrams to the bottom, each where its first bit is.
fn shown_order(model: &Model, layout: &Layout) -> String {
    let mut cells: Vec<_> = layout.bits.iter().filter_map(|(cell, bits)| Some((*bits.iter().min()?, *cell))).collect();
    cells.sort_unstable();
    let names: Vec<String> = cells.iter().map(|it| layout.name(model, it.1)).collect();
    names.join(" ")
}

/// The locations that no process ever reaches.
fn unreached(model: &Model, encoding: &Encoding<'_>, reached: &Function) -> Result<Vec<(ProcessTypeId, LocationId)>> {
    let mut seen: Vec<Vec<bool>> = model.processes.iter().map(|it| vec![false; it.locations.len()]).collect();
    for (slot, controls) in encoding.layout.controls.iter().enumerate() {
        for &(ty, location) in controls {
            let seen = &mut seen[ty.0 as usize][location.0 as usize];
            *seen = *seen || !encoding.is_at(&Changes::new(), slot, (ty, location))?.and(reached)?.is_false();
        }
    }
    Ok(model.unreached(&seen))
}
