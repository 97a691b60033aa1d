//! Tools for tests: random models, SPIN as an oracle, recorded answers, literate cases.
//!
//! Nothing of the product depends on this crate, and none of its normal tests needs SPIN:
//! [`spin::Spin::find`] says whether one is installed, and recorded answers are used where none is.
pub mod actions;
pub mod branching;
pub mod compare;
pub mod corpus;
pub mod exported;
pub mod json;
pub mod kind;
pub mod literate;
pub mod nusmv;
pub mod parallel;
pub mod random;
pub mod run;
pub mod shrink;
pub mod smv;
pub mod spin;
pub mod spin_temporal;
pub mod spin_trail;
pub mod suite;
pub mod symbolic;
pub mod temporal;
