//! Exported programs beside the model: what an interpreter of SMV reaches in the text, and what the explicit engine reaches in the model.
use std::collections::BTreeSet;
use std::time::Instant;

use engine::{Limits, Verdict};
use export_smv::Mistake;
use model::Model;
use text::Sources;

use crate::kind::Kind;
use crate::nusmv::NuSmv;
use crate::run::{self, Budget};
use crate::smv::{self, Graph, Program};
use crate::symbolic::{Compared, Effort};

/// A program that was exported and read again, with all that it reaches.
#[derive(Debug)]
pub struct Read {
    /// The text.
    pub text: String,
    /// What it says.
    pub program: Program,
    /// What that reaches.
    pub graph: Graph,
}

/// Exports a model and visits the states of the text; points inside `atomic` are more than the states.
pub fn read(model: &Model, mistake: Option<Mistake>, effort: Effort) -> Result<Read, Compared> {
    let limits = Limits { time: Some(effort.time), memory: Some(effort.memory), depth: None };
    let instance = engine_symbolic::instantiate(model, &limits, &mut ()).map_err(|it| Compared::Refused(it.message))?;
    match &instance.proof {
        Err(why) => return Err(Compared::Unfinished(format!("{why:?}"))),
        Ok(proof) if proof.states.parse().is_ok_and(|it: u64| it <= effort.states) => {}
        Ok(_) => return Err(Compared::TooLarge),
    }
    let exported = export_smv::export(&instance, "model.pml", &Sources::default(), mistake);
    let text = exported.map_err(|it| Compared::Refused(it.message))?.text;
    let wrong = |why: String| Compared::Different(format!("the text is wrong: {why}"));
    let program = smv::parse(&text).map_err(wrong)?;
    let graph = smv::visit(&program, 8 * effort.states as usize).map_err(wrong)?;
    let graph = graph.ok_or_else(|| Compared::Different("far too many states".into()))?;
    Ok(Read { text, program, graph })
}

/// Compares the text with the model: states, and kinds of errors. With a NuSMV, also what that says about the text.
pub fn compare(model: &Model, mistake: Option<Mistake>, effort: Effort, nusmv: Option<&NuSmv>) -> Compared {
    let plain = Model { temporal_properties: Vec::new(), ..model.clone() };
    let explicit = run::explicit(&plain, Budget { states: effort.states, time: effort.time });
    if !explicit.complete {
        return Compared::TooLarge;
    }
    let began = Instant::now();
    let Read { text, program, graph } = match read(&plain, mistake, effort) {
        Ok(read) => read,
        // Without an initial state there is nothing to write down.
        Err(Compared::Refused(why)) => return Compared::Refused(why),
        Err(other) => return other,
    };
    let kinds: BTreeSet<&str> = explicit.violations.iter().map(|it| called(&Kind::of_ours(&it.kind))).collect();
    let broken: BTreeSet<&str> = graph.broken.iter().map(|it| kind_of(it)).collect();
    let (left, right) = ((explicit.statistics.states, kinds), (graph.resting as u64, broken));
    if left != right || (explicit.verdict == Verdict::Violated) == graph.broken.is_empty() {
        return Compared::Different(format!("model {left:?}, text {right:?}"));
    }
    match nusmv.map(|it| it.contradicts(&text, &program, &graph)) {
        Some(Ok(Some(difference))) => Compared::Different(difference),
        Some(Err(why)) => Compared::Unfinished(why),
        Some(Ok(None)) | None => Compared::Same { states: left.0, time: began.elapsed() },
    }
}

/// The words by which kinds of errors are called in programs.
const WORDS: [&str; 16] = [
    "assertion",
    "valid_end_states",
    "array_index",
    "division_by_zero",
    "uninitialised_channel",
    "channel_is_gone",
    "message_length",
    "poll_of_rendezvous",
    "rendezvous_in_d_step",
    "blocked_in_d_step",
    "exclusive_use",
    "choice",
    "trace",
    "too_many_processes",
    "invariant",
    "room",
];

/// The kind of error that an invariant excludes.
fn kind_of(name: &str) -> &'static str {
    WORDS.into_iter().find(|it| name.starts_with(it)).unwrap_or("unknown")
}

fn called(kind: &Kind) -> &'static str {
    match kind {
        Kind::Assertion => "assertion",
        Kind::InvalidEnd => "valid_end_states",
        Kind::IndexOutOfRange => "array_index",
        Kind::DivisionByZero => "division_by_zero",
        Kind::NoChannel => "uninitialised_channel",
        Kind::DeadChannel => "channel_is_gone",
        Kind::MessageLength => "message_length",
        Kind::RendezvousPoll => "poll_of_rendezvous",
        Kind::RendezvousInDStep => "rendezvous_in_d_step",
        Kind::BlockedInDStep => "blocked_in_d_step",
        Kind::Exclusive => "exclusive_use",
        Kind::Nondeterminism => "choice",
        Kind::TraceMismatch | Kind::TraceComplete => "trace",
        Kind::TooManyProcesses => "too_many_processes",
        Kind::Invariant => "invariant",
        _ => "something else",
    }
}
