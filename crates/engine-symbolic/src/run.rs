//! One run: how it goes about it, who watches, why it ends without an answer.
use std::time::{Duration, Instant};

use diagram::{Method, Space};
use engine::{Limits, Progress, Watch, Why};
use model::Model;
use model::semantics::MOST_AT_ONCE;

use crate::guess::Effort;
use crate::pulse::Pulse;
use crate::stop::{Refusal, Result, Stop};

/// How the search goes about it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Plan {
    /// In which order steps are applied.
    pub method: Method,
    /// The cells from the top of the diagrams to the bottom, by their names, if somebody knows better.
    pub order: Option<&'static [String]>,
    /// How much of the states is looked at before room is made for all of them.
    pub sample: Effort,
    /// With more nodes than this a better order is looked for.
    pub sift: usize,
    /// Who works on one operation.
    pub threads: u32,
    /// How formulas of branching time are evaluated.
    pub evaluation: Evaluation,
    /// Which steps are left out when safety is asked; then `method` does not matter.
    pub reduction: Reduction,
    /// A deliberate mistake, for tests of the tests.
    pub mistake: Option<Mistake>,
}

/// From where formulas of branching time are evaluated.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Evaluation {
    /// Whichever is thought to be better.
    #[default]
    Auto,
    /// From the states in which its parts hold, back to the initial one.
    Backward,
    /// From the initial state on, as far as that goes.
    Forward,
    /// The same, where steps that nobody notices are not interleaved.
    ForwardReduced,
}

/// Partial-order reductions.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Reduction {
    /// Everything is visited.
    #[default]
    None,
    /// Two phases, breadth first.
    ImProviso,
}

/// Mistakes that tests must notice.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mistake {
    /// A bit that a step changes may get any value.
    LooseBit,
    /// Queues hold one message less.
    ShortQueue,
    /// A system that cannot move has no next state.
    Ends,
    /// Points at which a process goes on alone are states.
    Points,
    /// One set that has to be visited again and again is forgotten.
    Constraint,
    /// A claim that moves may go anywhere.
    LooseClaim,
    /// A reduced search loses states in which a process may not go first.
    LostFrontier,
    /// A reduced search takes states for done that it has only come to.
    ReachedIsExpanded,
    /// Steps that others or a property can notice go first.
    UnsafeIsSafe,
    /// A search from the initial state on, reduced, forgets in its first phase through which states it may go.
    PhaseOneConstraint,
    /// The same takes every step for one that the property does not see.
    VisibleIsSafe,
    /// Where no step of some actions is possible, `EAX` of them is true.
    WeakNext,
    /// Steps for which there is no room are forgotten.
    LostNeed,
}

impl Default for Plan {
    fn default() -> Self {
        let (method, reduction, evaluation) = (Method::Saturation, Reduction::None, Evaluation::Auto);
        let (sample, mistake) = (Effort::default(), None);
        Plan { method, reduction, evaluation, order: None, sample, sift: SIFT, threads: 1, mistake }
    }
}

/// So many nodes are no reason to look for a better order.
const SIFT: usize = 1 << 22;

/// Time between two looks at the clock.
const TICK: Duration = Duration::from_millis(20);

/// Room for the stack of the thread that computes; only what is used counts.
const STACK: usize = 1 << 30;

/// Bytes of a node.
pub const NODE: u64 = 28;

/// Bytes of an entry of both caches.
const ENTRY: u64 = 44;

/// What is asked of a model, within which limits.
#[derive(Clone, Copy)]
pub struct Run<'a> {
    /// The model as it was given.
    pub model: &'a Model,
    /// When to give up.
    pub limits: &'a Limits,
    /// How to go about it.
    pub plan: Plan,
    /// Who watches.
    pub pulse: &'a Pulse,
    /// Since when.
    pub began: Instant,
    /// Places of a claim for which room is made; 0 if there is no claim.
    pub places: usize,
}

impl Run<'_> {
    /// Room for diagrams over so many bits.
    pub fn space(&self, bits: usize, room: diagram::Limits) -> Space {
        let space = Space::new(bits, room);
        space.heed(self.pulse.wish());
        space
    }

    /// How many nodes there may be.
    pub fn room(&self) -> diagram::Limits {
        let room = diagram::Limits { threads: self.plan.threads, ..diagram::Limits::default() };
        let Some(bytes) = self.limits.memory else { return room };
        // A quarter for what is remembered, the rest for nodes.
        let cache = (bytes / 4 / ENTRY).clamp(1 << 12, 1 << 26);
        let cache = 1 << cache.ilog2();
        let nodes = bytes.saturating_sub(cache * ENTRY) / NODE;
        let contexts = room.contexts.min(cache as usize);
        diagram::Limits { nodes: (nodes as usize).min(1 << 30), cache: cache as usize, contexts, ..room }
    }
}

/// Computes on a thread with a large stack, and stops it when a limit is passed; then there is a reason beside.
pub fn watched<T: Send>(
    limits: &Limits,
    watch: &mut dyn Watch,
    compute: impl FnOnce(&Pulse) -> Result<T> + Send,
) -> std::result::Result<T, (Stop, Option<Why>)> {
    if limits.memory == Some(0) {
        // Not even an empty diagram could be made, nor those who compute with it.
        return Err((Stop::Full, None));
    }
    let (began, pulse) = (Instant::now(), Pulse::default());
    let mut why = None;
    let answer = std::thread::scope(|scope| {
        let worker = std::thread::Builder::new().stack_size(STACK).spawn_scoped(scope, || compute(&pulse));
        let worker = worker.map_err(|_| Stop::Full)?;
        while !worker.is_finished() {
            std::thread::sleep(TICK.min(began.elapsed() / 8 + Duration::from_micros(200)));
            if why.is_none() {
                let (rounds, memory) = pulse.told();
                let progress = Progress { depth: rounds, memory, elapsed: began.elapsed(), ..Progress::default() };
                why = limits.passed(&progress, progress.elapsed, watch);
                why.iter().for_each(|_| pulse.stop());
            }
        }
        worker.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
    });
    answer.map_err(|stop| (stop, why))
}

/// Why there is no answer, or a refusal. That there is no initial state is an answer, and not asked here.
pub fn unknown(stop: Stop, why: Option<Why>, limits: &Limits) -> std::result::Result<Why, Refusal> {
    match stop {
        Stop::Refused(refusal) => Err(refusal),
        Stop::Crowded(crowded) => Err(Refusal {
            message: "the symbolic engine cannot make room for processes without end: this creates more than can exist at once".into(),
            span: crowded.span,
            help: format!("there can be {MOST_AT_ONCE} processes; a counter that stops at some smaller number is a bound"),
        }),
        // Operations on diagrams end as if there were no room when it is time to stop.
        Stop::Full => Ok(why.unwrap_or(Why::MemoryLimit(limits.memory.unwrap_or(0)))),
        Stop::Told => Ok(why.unwrap_or(Why::Interrupted)),
        Stop::Inconsistent(what) => Ok(Why::Unsupported(format!("internal error: {what}"))),
        Stop::NoStart(fault) => Ok(Why::Unsupported(format!("there is no initial state: {fault:?}"))),
    }
}
