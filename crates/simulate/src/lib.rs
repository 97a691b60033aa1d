//! One execution of a model, as it goes on.
//!
//! A [`Walk`] is where an execution is: its state, the steps that can be taken from there, what the last step did, and what is wrong with it. A
//! [`History`] is a walk that can be taken back. Who chooses the steps is not their business: chance ([`Dice`]), a trace, or a person.
//!
//! What a person sees is made of them: lines for each step ([`Printer`]), a conversation in lines ([`converse`]), or a [`Screen`] that is drawn into
//! any terminal, also into one that only a test looks at. Steps, names and places are those of a [`report::Terms`].
//!
//! Nothing here reads files, asks the clock or knows which terminal there is.
mod dice;
mod history;
mod lines;
mod print;
mod screen;
mod walk;

pub use dice::Dice;
pub use history::{History, Moment};
pub use lines::converse;
pub use print::{Printer, Prints};
pub use screen::{Action, Key, Screen};
pub use walk::{Choice, End, Walk};
