//! Promela: from text to tree to model.
//!
//! ```text
//! text ──preprocess──► words ──parse──► tree ──lower──► model
//! ```
//!
//! Nothing here fails: each stage returns what it understood together with
//! everything that is wrong ([`text::Diagnostic`]). Only [`preprocess`] asks for
//! files, through a trait that the caller implements.
pub mod ast;
mod compile;
mod consequences;
pub mod lex;
pub mod lower;
pub mod parse;
pub mod preprocess;
pub mod print;
pub mod token;
pub mod walk;

pub use compile::{Compiled, LoneFormula, Options, compile, lone_formula};

/// What `prom explain` says about the codes of these stages.
pub const PAGES: &str = include_str!("pages.md");
