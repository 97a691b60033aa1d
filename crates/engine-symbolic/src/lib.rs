//! All states at once: sets of states as decision diagrams, steps as relations between them.
//!
//! The meaning of a model is defined by `model::semantics`, one state and one step at a time. Here the same is said for all states at once: where
//! the reference computes a number, this computes the bits of that number as functions of the state; where the reference asks whether, this asks
//! where. The files have the names of those that they follow: `eval`, `execute`, `moves`, `monitor`.
//!
//! * [`guess`](mod@guess), [`crowd`](mod@crowd), [`layout`](mod@layout), [`order`](mod@order): which processes, channels and values there are, and a place for each of their bits;
//! * [`number`](mod@number), [`encoding`](mod@encoding): values of cells as functions;
//! * [`system`](mod@system), [`split`](mod@split): relations per process and set of bits that its steps touch, one for each value of an index where that is better;
//! * [`run`](mod@run), [`explore`](mod@explore): what can be reached;
//! * [`firsts`](mod@firsts), [`improviso`](mod@improviso): the same without steps that need not be interleaved;
//! * [`symbolic`](mod@symbolic), [`wrong`](mod@wrong): what is wrong there;
//! * [`instance`](mod@instance): a model with its cells, for other programs;
//! * [`tree`](mod@tree), [`branching`](mod@branching), [`forward`](mod@forward), [`local_cycles`](mod@local_cycles): what is possible and inevitable there;
//! * [`components`](mod@components), [`forward_reduced`](mod@forward_reduced): the same with fewer interleavings;
//! * [`claims`](mod@claims), [`linear`](mod@linear): whole executions;
//! * [`roads`](mod@roads), [`explain`](mod@explain): shortest ways and cycles, walked on the reference semantics.
mod branching;
mod case;
mod cell;
mod check;
mod claims;
mod components;
mod conditions;
mod crowd;
mod encoding;
mod eval;
mod execute;
mod explain;
mod explore;
mod firsts;
mod forward;
mod forward_reduced;
mod guess;
mod improviso;
mod instance;
mod layout;
mod linear;
mod local_cycles;
mod monitor;
mod monolithic;
mod moves;
mod number;
mod order;
mod pulse;
mod roads;
mod run;
mod split;
mod stop;
mod symbolic;
mod system;
mod tree;
mod trouble;
mod wrong;

pub use branching::branching;
pub use cell::{Cell, ChannelRow, Domain, Owner, Slot, bits_for};
pub use diagram::Method;
pub use guess::Effort;
pub use instance::{Instance, Proof, instantiate};
pub use layout::{Channel, Control, Layout, channel_count, is_hidden};
pub use linear::temporal;
pub use monolithic::{Places, Shape, Size, relation_size};
pub use run::{Evaluation, Mistake, Plan, Reduction};
pub use stop::Refusal;
pub use symbolic::symbolic;
pub use trouble::Trouble;
