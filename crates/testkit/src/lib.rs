//! Tools for tests.
pub mod kind;
pub mod random;
pub mod spin;
