//! Tests of the crate as a whole.
mod chance;
mod equivalences;
mod files;
mod oracle;
