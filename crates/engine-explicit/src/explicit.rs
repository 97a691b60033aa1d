//! The fast search: compiled steps, any store, any number of threads.
use std::sync::{Mutex, PoisonError};

use compiled::{Refused, Steps};
use engine::{
    Approximation, Finding, Limits, Question, Search as Order, Statistics, Trace, Verdict, Violation, ViolationKind,
    Watch, Why,
};
use model::Model;
use model::semantics::{Fault, Semantics};
use reduction::Mistake;
use reduction::facts::Facts;
use store::{Bitstate, Compact, Plain, Saved, Store, Tree};

use crate::ample::Ample;
use crate::checkpoint::{Checkpoints, Label, Unusable};
use crate::depth::{DepthFirst, Descent};
use crate::expander::{Expand, Expander, Knowledge};
use crate::explain::{explain, lengths};
use crate::firsts::Firsts;
use crate::found::Findings;
use crate::frontier::{Block, Keys, Values};
use crate::levels::{Ended, Lead, Search};
use crate::reference::reference;
use crate::shared::reading;
use crate::slip::Slip;
use crate::stubborn::Stubborn;
use crate::twophase::{Cache, Variant};
use crate::worker::Worker;

/// What this engine is called.
pub const NAME: &str = "explicit";

/// How visited states are kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StoreKind {
    /// Every word of every state.
    Exact,
    /// Every state, equal parts once.
    Tree,
    /// 64 bits of hash of every state.
    HashCompact,
    /// Some bits of every state, in an array of so many bytes.
    Bitstate {
        /// How large the array is.
        bytes: u64,
        /// How many bits a state sets.
        hashes: u32,
    },
}

/// How to search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Plan {
    /// How visited states are kept.
    pub store: StoreKind,
    /// How many workers breadth first; depth first there is one.
    pub threads: usize,
    /// Of the hash functions.
    pub seed: u64,
    /// How often to search with a store that may leave out states, each time with other hash functions.
    pub passes: u32,
    /// How to go depth first, if the question asks for that.
    pub descent: Descent,
    /// Which steps need not be interleaved.
    pub reduction: Reduction,
    /// What a search for cycles gets wrong, on purpose.
    #[doc(hidden)]
    pub slip: Option<Slip>,
}

/// Which steps need not be interleaved.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Reduction {
    /// All are.
    #[default]
    None,
    /// Those of processes that may go first, with a look at the stack: [`crate::ample`]. Depth first only.
    Ample {
        /// Only processes whose steps are local as the text tells go first, as in SPIN.
        local: bool,
        /// What is wrong with it, on purpose.
        #[doc(hidden)]
        mistake: Option<Mistake>,
    },
    /// Those of processes that may go first: [`crate::twophase`].
    Twophase {
        /// How far phase 1 goes.
        variant: Variant,
        /// What is stored of it.
        cache: Cache,
        /// Who moves where phase 1 ends.
        ends: Ends,
        /// What is wrong with it, on purpose.
        #[doc(hidden)]
        mistake: Option<Mistake>,
    },
}

/// Who moves where nobody may go first.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Ends {
    /// Everybody.
    #[default]
    All,
    /// A set of processes that is enough: [`crate::stubborn`].
    Stubborn,
}

impl Default for Plan {
    fn default() -> Self {
        Plan {
            store: StoreKind::Exact,
            threads: 1,
            seed: 0,
            passes: 1,
            descent: Descent::default(),
            reduction: Reduction::None,
            slip: None,
        }
    }
}

impl Plan {
    /// The same with other hash functions, and another order if there is a random one.
    fn varied(self, number: u64) -> Plan {
        let order = self.descent.order.map(|it| it.wrapping_add(number));
        Plan { seed: self.seed.wrapping_add(number), descent: Descent { order, ..self.descent }, ..self }
    }
}

/// Why no reduction leaves out anything of a model, if that is so.
pub fn irreducible(model: &Model) -> Option<&'static str> {
    Facts::new(model).refusal()
}

/// Visits every reachable state of a model. States that are too large for compiled steps are left to the reference.
pub fn explicit(model: &Model, question: &Question, limits: &Limits, plan: Plan, watch: &mut dyn Watch) -> Finding {
    let mut finding = plain_pass(model, question, limits, plan, watch);
    for number in 1..u64::from(plan.passes) {
        let Verdict::Unknown(Why::Approximate(before)) = finding.verdict else { break };
        let left = limits.time.map(|limit| limit.saturating_sub(finding.statistics.elapsed));
        let limits = Limits { time: left, ..limits.clone() };
        let next = plain_pass(model, question, &limits, plan.varied(number), watch);
        finding = joined(before, finding.statistics, next);
    }
    finding
}

/// What two passes say together. A state is left out only if both leave it out.
fn joined(before: Approximation, statistics: Statistics, mut next: Finding) -> Finding {
    if let Verdict::Unknown(Why::Approximate(it)) = &mut next.verdict {
        it.coverage = 1.0 - (1.0 - before.coverage) * (1.0 - it.coverage);
        it.omission *= before.omission;
    }
    let elapsed = statistics.elapsed + next.statistics.elapsed;
    if statistics.states > next.statistics.states {
        next.statistics = statistics;
    }
    next.statistics.elapsed = elapsed;
    next
}

fn plain_pass(model: &Model, question: &Question, limits: &Limits, plan: Plan, watch: &mut dyn Watch) -> Finding {
    let found = explicit_kept(model, question, limits, plan, watch, Checkpoints::default());
    found.unwrap_or_else(|_| unreachable!("no checkpoint is read or written"))
}

/// One search, which may begin at a checkpoint and takes others now and then. It is one pass, whatever the plan says.
pub fn explicit_kept(
    model: &Model,
    question: &Question,
    limits: &Limits,
    plan: Plan,
    watch: &mut dyn Watch,
    kept: Checkpoints<'_>,
) -> Result<Finding, Unusable> {
    let system = Semantics::new(model);
    let steps = match Steps::new(&system) {
        Ok(steps) => steps,
        Err(Refused::NoStart(fault)) => return Ok(no_start(model, fault)),
        Err(Refused::TooLarge) if kept.are_unwanted() => return Ok(interpreted(model, question, limits, plan, watch)),
        Err(Refused::TooLarge) => return Err(Unusable::Unsupported),
    };
    let hidden = steps.packing().hidden as usize;
    let lengths = lengths(&steps);
    let run = Run { system: &system, question, limits, plan, steps, keeps_cycles: false };
    match plan.store {
        StoreKind::Exact => run.search::<_, Keys>(Plain::new(lengths, hidden, plan.seed), watch, kept),
        StoreKind::Tree if hidden > 0 => run.search::<_, Keys>(Plain::new(lengths, hidden, plan.seed), watch, kept),
        StoreKind::Tree => run.search::<_, Keys>(Tree::new(lengths), watch, kept),
        StoreKind::HashCompact => run.search::<_, Values>(Compact::new(hidden, plan.seed), watch, kept),
        StoreKind::Bitstate { bytes, hashes } => match Bitstate::new(bytes * 8, hashes, hidden, plan.seed) {
            Ok(store) => run.search::<_, Values>(store, watch, kept),
            Err(store::OutOfMemory) => Ok(unknown(Why::MemoryLimit(bytes))),
        },
    }
}

/// What the reference can do.
fn interpreted(model: &Model, question: &Question, limits: &Limits, plan: Plan, watch: &mut dyn Watch) -> Finding {
    let descent = plan.descent;
    if question.search == Order::Depth && (descent.switches.is_some() || descent.shorten.is_some()) {
        let why = "states of this model are too large for a bound on switches, or to shorten counterexamples";
        return unknown(Why::Unsupported(why.into()));
    }
    reference(model, question, limits, watch)
}

/// What a store may have left out.
pub trait Estimate {
    /// Nothing, if it tells all states apart.
    fn approximation(&self) -> Option<Approximation> {
        None
    }
}

impl Estimate for Plain {}

impl Estimate for Tree {}

impl Estimate for Compact {
    fn approximation(&self) -> Option<Approximation> {
        let states = (self.len() as f64).max(1.0);
        Some(Approximation {
            coverage: 1.0 - self.expected_omissions() / states,
            omission: self.omission_probability(),
        })
    }
}

impl Estimate for Bitstate {
    fn approximation(&self) -> Option<Approximation> {
        let coverage = self.expected_coverage();
        let omitted = self.len() as f64 * (1.0 - coverage) / coverage;
        Some(Approximation { coverage, omission: -(-omitted).exp_m1() })
    }
}

/// A search and what it is about.
pub struct Run<'a> {
    /// The system.
    pub system: &'a Semantics<'a>,
    /// What is looked for.
    pub question: &'a Question,
    /// What may be spent.
    pub limits: &'a Limits,
    /// How to search.
    pub plan: Plan,
    /// The system's steps.
    pub steps: Steps<'a>,
    /// Whole executions matter.
    pub keeps_cycles: bool,
}

/// What a search has, at its end.
struct Searched<S> {
    ended: Ended,
    store: S,
    known: Knowledge,
}

impl<'a> Run<'a> {
    fn search<S: Saved + Estimate, B: Block<S>>(
        self,
        store: S,
        watch: &mut dyn Watch,
        kept: Checkpoints<'_>,
    ) -> Result<Finding, Unusable> {
        match self.question.search {
            Order::Breadth => self.breadth_first::<S, B>(store, watch, kept),
            Order::Depth if kept.are_unwanted() => Ok(self.depth_first::<S, B>(store, watch)),
            Order::Depth => Err(Unusable::Unsupported),
        }
    }

    fn breadth_first<S: Saved + Estimate, B: Block<S>>(
        self,
        store: S,
        watch: &mut dyn Watch,
        kept: Checkpoints<'_>,
    ) -> Result<Finding, Unusable> {
        let initial = match self.system.initial() {
            Ok(initial) => initial,
            Err(fault) => return Ok(no_start(self.system.model(), fault)),
        };
        let mut search = Search::new(store, self.limits, !self.question.all_errors, self.threads());
        let mut workers = self.workers::<S, B>(&search);
        // Nothing but checkpoints needs it, and large models have long labels.
        let label =
            if kept.are_unwanted() { Label::default() } else { Label::new(&self.steps, self.question, self.plan) };
        let is_resumed = kept.from.is_some();
        if let Some(from) = kept.from {
            search.resume(&label, from, &mut workers[0])?;
        } else if workers[0].begin(&initial, &search.store).is_err() {
            return Ok(unknown(Why::MemoryLimit(self.limits.memory.unwrap_or(0))));
        }
        search.begin(&mut workers[0]);
        let workers: Vec<Mutex<Worker<Expander<'a>, S, B>>> = workers.into_iter().map(Mutex::new).collect();
        let mut lead = Lead { watch, keeper: kept.keeper, label: &label };
        if !is_resumed {
            search.keep(&workers, &mut lead).map_err(Unusable::Unwritable)?;
        }
        let ended = search.run(&workers, &mut lead);
        let mut known = Knowledge::default();
        for worker in workers {
            known.add(worker.into_inner().unwrap_or_else(PoisonError::into_inner).knowledge());
        }
        let store = search.store.into_inner().unwrap_or_else(PoisonError::into_inner);
        Ok(self.conclude(Searched { ended, store, known }))
    }

    fn workers<S: Store, B: Block<S>>(&self, search: &Search<'a, S, B>) -> Vec<Worker<Expander<'a>, S, B>> {
        let store = reading(&search.store);
        (0..self.threads()).map(|row| Worker::new(row, self.expander(), &*store, self.limits.memory)).collect()
    }

    fn threads(&self) -> usize {
        self.plan.threads.max(1)
    }

    /// Knows the graph that was searched; with a look at the stack, that is in the findings.
    fn explainer(&self) -> Expander<'a> {
        match self.plan.reduction {
            Reduction::Ample { .. } => Expander::new(self.steps_again(), self.question),
            _ => self.expander(),
        }
    }

    fn steps_again(&self) -> Steps<'a> {
        self.steps.for_another().unwrap_or_else(|_| unreachable!("it could be compiled before"))
    }

    /// Knows what a state leads to.
    pub fn expander(&self) -> Expander<'a> {
        let mut expander = Expander::new(self.steps_again(), self.question);
        let firsts = |closely, mistake| Firsts::new(Facts::new(self.system.model()), closely, mistake);
        match self.plan.reduction {
            Reduction::None => {}
            Reduction::Ample { local, mistake } => {
                let ample = |firsts| Ample::new(firsts, local, self.keeps_cycles);
                firsts(false, mistake).into_iter().for_each(|it| expander.look_at_stack(ample(it)));
            }
            Reduction::Twophase { variant, cache, ends, mistake } => {
                let closely = ends == Ends::Stubborn;
                let stubborn = closely.then(|| Stubborn::new(self.question.only_ends, mistake));
                if let Some(firsts) = firsts(closely, mistake) {
                    expander.reduce(firsts, variant, cache, stubborn);
                }
            }
        }
        if self.keeps_cycles {
            expander.meet_again();
        }
        expander
    }

    fn depth_first<S: Store + Estimate, B: Block<S>>(self, store: S, watch: &mut dyn Watch) -> Finding {
        let initial = match self.system.initial() {
            Ok(initial) => initial,
            Err(fault) => return no_start(self.system.model(), fault),
        };
        let descent = self.plan.descent;
        // A few bits a state are no bargain if its depth is remembered beside them.
        let remember = !matches!(self.plan.store, StoreKind::Bitstate { .. }) || descent.switches.is_some();
        let stops = !self.question.all_errors;
        let mut search = DepthFirst::<S, B>::new(self.expander(), store, self.limits, descent, stops, remember);
        let ended = search.run(&initial, watch);
        let DepthFirst { expander, store, counts, .. } = search;
        self.conclude(Searched { ended, store, known: expander.knowledge(counts) })
    }

    fn conclude<S: Store + Estimate>(self, searched: Searched<S>) -> Finding {
        let Searched { ended, store, known } = searched;
        let why = ended.why.or_else(|| store.approximation().map(Why::Approximate));
        drop(store);
        let statistics = Statistics {
            states: ended.progress.states,
            many_states: None,
            transitions: known.counts.transitions,
            inner_steps: known.counts.inner,
            depth: ended.progress.depth,
            state_bytes: known.counts.longest as u64 * 8,
            memory: ended.progress.memory,
            elapsed: ended.progress.elapsed,
            details: Vec::new(),
            growth: Vec::new(),
        };
        self.finding(known.findings, why, known.reached, statistics)
    }

    fn finding(self, findings: Findings, why: Option<Why>, reached: Vec<Vec<bool>>, statistics: Statistics) -> Finding {
        let errors = findings.errors;
        let complete = why.is_none() && (errors == 0 || self.question.all_errors);
        let mut list = findings.into_list();
        if !self.question.all_errors {
            list.truncate(1);
        }
        let errors = if self.question.all_errors { errors } else { errors.min(1) };
        let unreached = self.system.model().unreached(&reached);
        let (verdict, violations) = match (list.is_empty(), why) {
            (true, None) => (Verdict::Holds, Vec::new()),
            (true, Some(why)) => (Verdict::Unknown(why), Vec::new()),
            (false, _) => match explain(self.explainer(), list, self.limits.memory) {
                Ok(violations) => (Verdict::Violated, violations),
                Err(store::OutOfMemory) => (Verdict::Unknown(no_room_for_trace()), Vec::new()),
            },
        };
        Finding { engine: NAME, verdict, violations, errors, complete, unreached, statistics }
    }
}

pub fn unknown(why: Why) -> Finding {
    let (violations, unreached, statistics) = (Vec::new(), Vec::new(), Statistics::default());
    let verdict = Verdict::Unknown(why);
    Finding { engine: NAME, verdict, violations, errors: 0, complete: false, unreached, statistics }
}

/// A violation that cannot be shown.
pub fn no_room_for_trace() -> Why {
    Why::Unsupported("a violation was found, but the memory is not enough to show how it is reached".into())
}

/// The system cannot even start.
pub fn no_start(model: &Model, fault: Fault) -> Finding {
    let violation = Violation { kind: ViolationKind::Start(fault), trace: Trace::default() };
    let reached: Vec<Vec<bool>> = model.processes.iter().map(|it| vec![false; it.locations.len()]).collect();
    Finding {
        engine: NAME,
        verdict: Verdict::Violated,
        violations: vec![violation],
        errors: 1,
        complete: true,
        unreached: model.unreached(&reached),
        statistics: Statistics::default(),
    }
}
