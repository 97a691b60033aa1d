//! Explicit search: one state at a time, each stored once.
//!
//! [`reference()`] walks every reachable state with the interpreter that defines the semantics
//! ([`model::semantics`]): exact store, no reduction, no optimisation. It is the measure for
//! everything faster.
//!
//! [`explicit()`] is what is faster: compiled steps, any store, breadth first by any number of threads, or depth
//! first with the strategies of a [`Descent`].
mod ample;
mod approach;
mod barrier;
mod batch;
mod behaviours;
mod board;
mod branching;
mod chain;
mod checkpoint;
mod components;
mod conditions;
mod couvreur;
mod crosscheck;
mod depth;
mod expander;
mod explain;
mod explicit;
mod firsts;
mod found;
mod frontier;
mod glance;
mod labelled;
mod lasso;
mod later;
mod levels;
mod lookup;
mod nearest;
mod nested;
mod nodes;
mod order;
mod pace;
mod product;
mod recent;
mod recording;
mod reference;
mod shared;
mod shorten;
mod slip;
mod stack;
mod stubborn;
mod switches;
mod temporal;
mod together;
mod twophase;
mod visits;
mod worker;

pub use behaviours::reference_temporal;
pub use branching::{branching, reference_branching};
pub use checkpoint::{Checkpoints, Unusable};
pub use crosscheck::{Compared, crosscheck, crosscheck_with};
pub use depth::Descent;
pub use explicit::{Ends, Plan, Reduction, StoreKind, explicit, explicit_kept, irreducible};
pub use firsts::largest_stage;
pub use labelled::{Arrival, labelled};
pub use reference::reference;
pub use shorten::Shorten;
#[doc(hidden)]
pub use slip::Slip;
pub use store::Unreadable;
pub use temporal::temporal;
pub use twophase::{Cache, Variant};
