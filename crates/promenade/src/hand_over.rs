//! Two engines, one after the other: what has no room as a list of states may have room as a set.
//!
//! The explicit engine goes first, with everything that may be spent. What it finishes is the answer, with its number of states and its traces, as if there were no other engine. Only when
//! its memory is full is the symbolic engine asked the same about the same model, for the time that is left; without a limit on time, for as long as the
//! explicit engine took, but at least [`LEAST`]. If it has no answer either, that of the explicit engine stands. So nothing that could be answered before is answered otherwise now, or not at all.
//!
//! A search that would run out of memory is not stopped before it does: whether it would is a guess, and a wrong guess would cost an answer.
use std::time::Duration;

use engine::{Explained, Finding, Limits, Verdict, Why};
use engine_explicit::StoreKind;
use engine_symbolic::{Plan, Refusal};

use crate::{Engine, Options, memory};

/// The symbolic engine has at least this time.
const LEAST: Duration = Duration::from_secs(10);

/// What an engine says about a question.
pub trait Found {
    /// Without the evidence beside it.
    fn finding(&self) -> &Finding;
}

impl Found for Finding {
    fn finding(&self) -> &Finding {
        self
    }
}

impl Found for Explained {
    fn finding(&self) -> &Finding {
        &self.finding
    }
}

/// What was found, and by whom.
pub struct Handed<F> {
    /// What was found.
    pub found: F,
    /// The options of the engine that found it.
    pub options: Options,
    /// What happened, if there was more than one engine: sentences.
    pub because: Option<String>,
}

/// Asks the symbolic engine, by `ask`, what the explicit one had no room for.
pub fn hand_over<F: Found>(
    found: F,
    options: &Options,
    ask: impl FnOnce(&Limits, Plan) -> Result<F, Refusal>,
) -> Handed<F> {
    let kept = |found, because| Handed { found, options: options.clone(), because };
    let Verdict::Unknown(Why::MemoryLimit(_)) = found.finding().verdict else { return kept(found, None) };
    if !may_hand_over(options) {
        return kept(found, None);
    }
    let first = told(found.finding());
    let Some(limits) = left(&options.limits, found.finding()) else {
        return kept(found, Some(format!("{first} There was no time left for the symbolic engine.")));
    };
    let plan = Plan::default();
    match ask(&limits, plan).map(|it| (it.finding().verdict.clone(), it)) {
        Ok((Verdict::Holds | Verdict::Violated, found)) => {
            let because = format!("{first} So the symbolic engine was asked.");
            let options = Options { engine: Engine::Symbolic(plan), ..options.clone() };
            Handed { found, options, because: Some(because) }
        }
        Ok((Verdict::Unknown(why), _)) => {
            let why = unanswered(&why);
            kept(found, Some(format!("{first} The symbolic engine was asked, too, and has no answer: {why}.")))
        }
        Err(refusal) => kept(found, Some(format!("{first} {}.", capitalised(&refusal.message)))),
    }
}

/// Whether the options say nothing that only one engine knows.
fn may_hand_over(options: &Options) -> bool {
    let Engine::Explicit(plan) = options.engine else { return false };
    let is_exact = matches!(plan.store, StoreKind::Exact | StoreKind::Tree);
    options.hand_over && is_exact && options.limits.depth.is_none() && options.checkpoint.is_none()
}

/// What is left to spend, if anything is.
fn left(limits: &Limits, found: &Finding) -> Option<Limits> {
    let taken = found.statistics.elapsed;
    let time = match limits.time {
        Some(all) => all.checked_sub(taken).filter(|it| !it.is_zero())?,
        None => taken.max(LEAST),
    };
    let room = memory::available_for_diagrams().map(|it| it / 10 * 9);
    let memory = limits.memory.map(|it| it.min(room.unwrap_or(u64::MAX)));
    Some(Limits { time: Some(time), memory, ..limits.clone() })
}

/// What the first search says of itself: a sentence.
pub fn told(found: &Finding) -> String {
    let (states, seconds) = (found.statistics.states, found.statistics.elapsed.as_secs_f64());
    format!("The explicit engine had no room for more than {states} states after {seconds:.1} s.")
}

/// Why a later search has no answer.
pub fn unanswered(why: &Why) -> String {
    match why {
        Why::MemoryLimit(_) => "its memory was full".into(),
        Why::TimeLimit(time) => format!("{:.0} s were not enough", time.as_secs_f64()),
        Why::Interrupted => "it was interrupted".into(),
        Why::Unsupported(what) => what.clone(),
        Why::DepthLimit(_) | Why::SwitchLimit(_) | Why::Approximate(_) => "it did not come to its end".into(),
    }
}

fn capitalised(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or(String::new(), |it| it.to_uppercase().chain(letters).collect())
}
