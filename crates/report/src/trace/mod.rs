//! Counterexamples in files: our own format, and SPIN's.
//!
//! A file of our own is one JSON object with a step per line: what the counterexample is of, and each step twice, once for programs (the process
//! and its edge, by number) and once for people (name, place, statement, what it changed). A trail has only numbers.
mod file;
mod trail;

pub use file::{Recorded, TraceFile};
pub use trail::{ClaimMove, Trail, TrailLine};
