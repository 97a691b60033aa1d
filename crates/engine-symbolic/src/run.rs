//! One run: how it goes about it, who watches, why it ends without an answer.
use std::time::{Duration, Instant};

use diagram::Method;
use engine::{Limits, Progress, Watch, Why};
use model::Model;

use crate::pulse::Pulse;
use crate::stop::{Refusal, Result, Stop};

/// How the search goes about it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Plan {
    /// In which order steps are applied.
    pub method: Method,
    /// Which steps are left out when safety is asked; then `method` does not matter.
    pub reduction: Reduction,
    /// A deliberate mistake, for tests of the tests.
    pub mistake: Option<Mistake>,
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
    /// A reduced search loses states in which a process may not go first.
    LostFrontier,
    /// A reduced search takes states for done that it has only come to.
    ReachedIsExpanded,
    /// Steps that others or a property can notice go first.
    UnsafeIsSafe,
}

impl Default for Plan {
    fn default() -> Self {
        Plan { method: Method::Saturation, reduction: Reduction::None, mistake: None }
    }
}

/// Time between two looks at the clock.
const TICK: Duration = Duration::from_millis(20);

/// Room for the stack of the thread that computes; only what is used counts.
const STACK: usize = 1 << 30;

/// Bytes of a node and of an entry of the caches.
pub const NODE: u64 = 28;

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
}

impl Run<'_> {
    /// How many nodes there may be.
    pub fn room(&self) -> diagram::Limits {
        let usual = diagram::Limits::default();
        let nodes = self.limits.memory.map_or(usual.nodes as u64, |bytes| bytes / NODE);
        let cache = usual.cache.min((nodes as usize / 8).max(1 << 12));
        diagram::Limits { nodes: (nodes as usize).min(1 << 30), cache }
    }
}

/// Computes on a thread with a large stack, and stops it when a limit is passed; then there is a reason beside.
pub fn watched<T: Send>(
    limits: &Limits,
    watch: &mut dyn Watch,
    compute: impl FnOnce(&Pulse) -> Result<T> + Send,
) -> std::result::Result<T, (Stop, Option<Why>)> {
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
        Stop::Full => Ok(Why::MemoryLimit(limits.memory.unwrap_or(0))),
        Stop::Told => Ok(why.unwrap_or(Why::Interrupted)),
        Stop::Inconsistent(what) => Ok(Why::Unsupported(format!("internal error: {what}"))),
        Stop::NoStart(fault) => Ok(Why::Unsupported(format!("there is no initial state: {fault:?}"))),
    }
}
