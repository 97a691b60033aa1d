//! What was written: files, spans, lines, and diagnostics as data.
//!
//! A [`Span`] names a place in one of the [`Sources`]; a [`Diagnostic`] is a
//! message about such a place. How either looks on a screen is decided
//! elsewhere: nothing here renders, reads files or knows a language.
mod diagnostic;
mod pages;
mod sources;
mod suggest;

pub use diagnostic::{Diagnostic, Severity};
pub use pages::{Example, Page, pages};
pub use sources::{FileId, Place, SourceFile, Sources, Span};
pub use suggest::closest;
