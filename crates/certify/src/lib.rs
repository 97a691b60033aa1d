//! Believes nothing an engine says: replays its evidence on the unreduced semantics.
//!
//! A violation comes with a trace. [`replay()`] starts at the initial state, looks for each step of
//! the trace among all steps that [`Semantics::moves`] has for the state reached so far, and asks at
//! the end whether exactly the claimed violation is there. What it returns is its own: the states
//! it passed, not those of the engine. [`replay_temporal()`] does the same for executions that go on for ever, [`replay_branching()`] for paths that
//! show something about all executions together. What a claim does meanwhile says [`company()`]. Who has only steps and wants to know where they lead takes a [`Walk`].
//!
//! No engine is known here, and no reduction: nothing that could be wrong in the same way.
mod behaviour;
mod branching;
mod company;
mod replay;

pub use behaviour::{Meaning, Stated, replay_temporal};
pub use branching::{replay_branching, replay_fault};
pub use company::{Company, Turn, company};
pub use replay::{Rejected, Replay, Walk, replay};

#[cfg(doc)]
use model::semantics::Semantics;
