//! Explicit search: one state at a time, each stored once.
//!
//! [`reference()`] walks every reachable state with the interpreter that defines the semantics
//! ([`model::semantics`]): exact store, no reduction, no optimisation. It is the measure for
//! everything faster.
mod chain;
mod reference;
mod store;

pub use reference::reference;
