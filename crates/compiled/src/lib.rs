//! Compiled steps: a model as code over packed states.
//!
//! [`Steps`] gives the successors of a state as the reference semantics does ([`model::semantics`]),
//! in the same order, several times faster:
//!
//! * A state is a few 64-bit words in which every value takes only the bits it needs ([`Packing`]).
//! * Guards and effects are instructions of a register machine ([`code::Instr`]), made for the place
//!   where a process lies, so that addresses, process numbers and most channels are constants.
//! * Whatever goes wrong or is rare (a fault, a false assertion, priorities, `enabled`) is
//!   [`Trouble`]: the caller asks the reference interpreter about that one state. So there is one
//!   place that says what a failure is.
mod births;
pub mod code;
mod compile;
mod conditions;
mod machine;
mod message;
mod native;
mod packing;
mod points;
mod program;
mod slot;
mod steps;
mod successors;

pub use conditions::Condition;
pub use packing::Packing;
pub use program::MachineCode;
pub use slot::Slot;
pub use steps::{Refused, Steps, Trouble};
pub use successors::Successors;
