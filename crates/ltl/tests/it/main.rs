//! Tests of the crate as a whole.
mod chance;
mod random;
