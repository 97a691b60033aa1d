//! A process language: guarded commands over finite variables, processes that meet in shared actions.
//!
//! ```text
//! text ──lex──► words ──parse──► tree ──elaborate──► system ──lower──► model
//! ```
//!
//! Nothing here fails: each stage returns what it understood together with everything that is wrong.
pub mod ast;
mod compile;
mod elaborate;
mod facts;
pub mod lex;
mod lower;
pub mod parse;
mod property;
mod simultaneous;
pub mod system;

pub use compile::{Compiled, compile};
pub use property::Stated;

/// What `prom explain` says about the codes of these stages; codes that Promela has, too, are explained there.
pub const PAGES: &str = include_str!("pages.md");
