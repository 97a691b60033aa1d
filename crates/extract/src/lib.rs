//! Models from C programs (Holzmann and Smith, ICSE 1999; Holzmann 2000, §4-6).
//!
//! Control flow is interpreted; what remains are fragments: declarations, assignments, conditions, calls. A [`Table`] may say what each
//! becomes; without a row, what can be said in Promela is said, and what cannot becomes a choice or is left out, and is reported.
//! Every line of the model knows the statement it comes from ([`Origin`]).
mod calls;
mod names;
mod statements;
mod table;
mod translate;
mod values;

use text::{Diagnostic, Span};

pub use table::{Row, Table, merge};
pub use translate::{Request, model};

/// Where a line of the model comes from.
#[derive(Clone, Debug)]
pub struct Origin {
    /// The statement.
    pub span: Span,
    /// Why a trace through it may not be one of the program.
    pub uncertain: Option<String>,
}

/// How a fragment is represented.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Quality {
    /// As it is.
    Exact,
    /// With more behaviour than it has.
    More,
    /// With less behaviour than it has, or under an assumption.
    Less,
}

/// A fragment and what became of it.
#[derive(Clone, Debug)]
pub struct Fragment {
    /// `D`, `A`, `C`, `F`, `R` or `E`.
    pub class: char,
    /// In its one spelling.
    pub text: String,
    /// The right-hand side of its row.
    pub becomes: String,
    /// How good that is.
    pub quality: Quality,
    /// Where it first stands.
    pub span: Span,
}

/// A model as text.
#[derive(Debug, Default)]
pub struct Model {
    /// Promela.
    pub text: String,
    /// For every line of it, from the first.
    pub origins: Vec<Option<Origin>>,
    /// One per distinct fragment, in the order of the source.
    pub fragments: Vec<Fragment>,
    /// What is wrong, and what is assumed.
    pub diagnostics: Vec<Diagnostic>,
}
