//! Labelled transition systems: states without content, steps with labels.
//!
//! What process algebras and their tools exchange (CADP, mCRL2, LTSmin): [`read`] and [`write()`] know the format of Aldebaran.
//! [`minimise`] makes the smallest system that nobody who sees only labels can tell from a given one, and [`compare`] says whether two
//! systems can be told apart, and by what. What *telling apart* means is an [`Equivalence`].
//!
//! ```text
//! read ─► Lts ─► hide ─► minimise: classes (strong | branching) ─► quotient ─► write
//!                   └──► compare:  classes of both together, a formula that is true of one alone
//! ```
//!
//! One label, [`Label::SILENT`], is the step that nobody sees: `i` to CADP, `tau` to mCRL2.
//! No model and no source language is known here.
mod branching;
mod classes;
mod compare;
mod formula;
mod levels;
mod partition;
mod pattern;
mod quotient;
mod read;
mod statistics;
mod strong;
mod system;
mod write;

pub use classes::{Classes, Equivalence, classes};
pub use compare::{Comparison, compare};
pub use formula::{Distinction, Formula, FormulaId, Formulas};
pub use pattern::matches;
pub use quotient::minimise;
pub use read::{Mistake, read};
pub use statistics::{Statistics, statistics};
pub use system::{Builder, Label, Lts, State, Step};
pub use write::{Silent, write};
