//! Tests of the crate as a whole.
mod chance;
mod formats;
mod random;
mod sizes;
mod stuttering;
