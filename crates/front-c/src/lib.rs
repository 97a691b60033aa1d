//! C 2011 with the usual extensions of GNU's: from files to a tree.
//!
//! ```text
//! file ──words──► words ──preprocess──► words ──parse──► tree
//! ```
//!
//! Nothing here fails: each stage returns what it understood and everything that is wrong. Files come through a trait.
pub mod ast;
pub mod constants;
mod headers;
mod numbers;
mod operators;
mod parse;
pub mod preprocess;
pub mod print;
pub mod words;

use text::{Diagnostic, FileId, Sources};

pub use parse::fragment;
pub use preprocess::{Loader, Options};

/// A tree and what is wrong with it.
#[derive(Debug)]
pub struct Parsed {
    /// As much as could be understood.
    pub unit: ast::Unit,
    /// In the order in which it was found.
    pub diagnostics: Vec<Diagnostic>,
}

/// Reads a file and all that it includes.
pub fn read(sources: &mut Sources, root: FileId, options: &Options, loader: &mut dyn Loader) -> Parsed {
    let (words, mut diagnostics) = preprocess::preprocess(sources, root, options, loader);
    let (unit, further) = parse::parse(&words, options.stub_headers);
    diagnostics.extend(further);
    Parsed { unit, diagnostics }
}
