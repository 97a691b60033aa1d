//! Explicit search: one state at a time, each stored once.
//!
//! [`reference()`] walks every reachable state with the interpreter that defines the semantics
//! ([`model::semantics`]): exact store, no reduction, no optimisation. It is the measure for
//! everything faster.
mod chain;
mod checkpoint;
mod crosscheck;
mod explain;
mod explicit;
mod found;
mod frontier;
mod levels;
mod nodes;
mod reference;
mod worker;

pub use checkpoint::{Checkpoints, Unusable};
pub use crosscheck::{Compared, crosscheck, crosscheck_with};
pub use explicit::{Plan, StoreKind, explicit, explicit_kept};
pub use reference::reference;
pub use store::Unreadable;
