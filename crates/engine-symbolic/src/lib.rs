//! All states at once: sets of states as decision diagrams, steps as relations between them.
//!
//! The meaning of a model is defined by `model::semantics`, one state and one step at a time. Here the same is said for all states at once: where
//! the reference computes a number, this computes the bits of that number as functions of the state; where the reference asks whether, this asks
//! where. The files have the names of those that they follow: `eval`, `execute`, `moves`, `monitor`.
//!
//! * [`guess`](mod@guess), [`layout`](mod@layout), [`order`](mod@order): which processes, channels and values there are, and a place for each of their bits;
//! * [`number`](mod@number), [`encoding`](mod@encoding): values of cells as functions;
//! * [`system`](mod@system), [`split`](mod@split): relations per process and set of bits that its steps touch, one for each value of an index where that is better;
//! * [`run`](mod@run), [`explore`](mod@explore): what can be reached;
//! * [`symbolic`](mod@symbolic), [`wrong`](mod@wrong): what is wrong there;
//! * [`explain`](mod@explain): shortest ways, walked on the reference semantics.
mod case;
mod cell;
mod check;
mod encoding;
mod eval;
mod execute;
mod explain;
mod explore;
mod guess;
mod layout;
mod monitor;
mod moves;
mod number;
mod order;
mod pulse;
mod run;
mod split;
mod stop;
mod symbolic;
mod system;
mod trouble;
mod wrong;

pub use diagram::Method;
pub use guess::Effort;
pub use run::{Mistake, Plan};
pub use stop::Refusal;
pub use symbolic::symbolic;
