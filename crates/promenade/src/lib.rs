//! Sources in, reports out: the one entry point for applications.
//!
//! [`check()`] reads a model, searches it, replays every violation it is told of, and puts what was
//! found out into a [`report::Report`]. Wrong input becomes diagnostics; a limit becomes an
//! answer that says so; a violation that does not replay is never shown as one.
//!
//! Terminals, signals and exit codes are the business of the applications.
pub mod abstraction;
mod automata;
mod branching;
pub mod c_program;
mod c_replay;
mod c_terms;
pub mod c_verdict;
mod check;
mod checkpoint;
mod claim;
mod evidence;
mod exclusive;
mod explain;
mod export;
mod extra;
pub mod formula;
mod hand_over;
mod independence;
pub mod load;
mod lts;
pub mod memory;
mod reduce;
mod replay;
mod safety;
mod slicing;
mod state_space;
pub mod swarm;
mod temporal;
mod trail_claim;
mod vacuity;
mod violated;

use std::path::PathBuf;

use engine::{Limits, Question};
use report::Report;
use text::{Diagnostic, Sources};

pub use automata::{Drawn, automata};
pub use check::{Opened, check, check_model, completed, open};
pub use checkpoint::Checkpoint;
pub use evidence::trail_of;
pub use explain::{explanation, explanations};
pub use export::export_smv;
pub use extra::Extra;
pub use independence::independence;
pub use lts::{Naming, system as labelled_system};
pub use optimize::Pass;
pub use replay::{Replayed, replay};
pub use slicing::{SlicedText, Slicing, Told, slice_text, sliced_text};
pub use state_space::state_space;

/// Where a model comes from.
#[derive(Clone, Debug)]
pub enum Input {
    /// A file.
    File(PathBuf),
    /// Bytes that somebody else has read, and what to call them.
    Bytes {
        /// Stands where a file's name would.
        name: String,
        /// The whole text.
        bytes: Vec<u8>,
    },
    /// A C program: its model, with the places and statements of the program.
    Program(Box<c_program::Program>),
}

/// What to do with a model.
#[derive(Clone, Debug)]
pub struct Options {
    /// How the text is read.
    pub front: front_promela::Options,
    /// Properties beside those of the text.
    pub extras: Vec<Extra>,
    /// Warnings about what is seldom meant; none changes an answer.
    pub advice: bool,
    /// No warnings at all, whoever has them.
    pub no_warnings: bool,
    /// Names of the properties to check; empty for all.
    pub only: Vec<String>,
    /// What counts as a violation, and in which order to look.
    pub question: Question,
    /// Who searches.
    pub engine: Engine,
    /// What the explicit engine has no room for is given to the symbolic one.
    pub hand_over: bool,
    /// The explicit engine has the reduction that suits the question and the model, not the one of its plan.
    pub choose_reduction: bool,
    /// What processes declare with `xr` and `xs` is believed, and not checked.
    pub trust_exclusive: bool,
    /// Executions that go on for ever without progress are looked for.
    pub progress: bool,
    /// Which executions count for properties of whole executions.
    pub fairness: engine::Fairness,
    /// What is done to the model before the search; evidence is replayed on the model as it was.
    pub optimize: Vec<Pass>,
    /// Each question is asked about the part of the model that can matter to it; evidence is replayed on the model as it was.
    pub slice: Slicing,
    /// A deliberate mistake of slicing: a test of the tests.
    #[doc(hidden)]
    pub slice_mistake: Option<slice::Mistake>,
    /// What may be spent.
    pub limits: Limits,
    /// What to keep of a run that takes long; only of the explicit engine.
    pub checkpoint: Option<Checkpoint>,
    /// Where the first counterexample goes; a trail for SPIN goes beside it.
    pub trace: Option<PathBuf>,
    /// Steps of a counterexample that are described; of longer ones the middle is left out.
    pub steps: usize,
}

/// Who searches.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Engine {
    /// The plain interpreter that defines the semantics.
    Reference,
    /// Compiled steps.
    Explicit(engine_explicit::Plan),
    /// Sets of states.
    Symbolic(engine_symbolic::Plan),
}

impl Default for Options {
    fn default() -> Self {
        Options {
            front: front_promela::Options::default(),
            extras: Vec::new(),
            advice: false,
            no_warnings: false,
            only: Vec::new(),
            question: Question::default(),
            engine: Engine::Explicit(engine_explicit::Plan::default()),
            hand_over: false,
            choose_reduction: false,
            trust_exclusive: false,
            progress: false,
            fairness: engine::Fairness::None,
            optimize: Pass::ALL.to_vec(),
            slice: Slicing::Off,
            slice_mistake: None,
            limits: Limits::default(),
            checkpoint: None,
            trace: None,
            steps: 60,
        }
    }
}

/// What became of a model.
#[derive(Debug)]
pub struct Checked {
    /// Every text that was read, for showing diagnostics.
    pub sources: Sources,
    /// What is wrong with the input.
    pub diagnostics: Vec<Diagnostic>,
    /// What was found out; `None` if the input cannot be used.
    pub report: Option<Report>,
}
