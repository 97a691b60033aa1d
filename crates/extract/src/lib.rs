//! Models from C programs (Holzmann and Smith, ICSE 1999; Holzmann 2000, §4-6).
//!
//! Control flow is interpreted; what remains are fragments: declarations, assignments, conditions, calls. A [`Table`] may say what each
//! becomes; without a row, what can be said in Promela is said, and what cannot becomes a choice or is left out, and is reported.
//! Every line of the model knows the statement it comes from ([`Origin`]).
mod assigned;
mod calls;
mod harness;
mod initial;
mod names;
mod numbers;
mod places;
mod statements;
mod table;
mod threads;
mod translate;
mod values;

use text::{Diagnostic, Span};

pub use harness::Harness;
pub use table::{Row, Table, merge};
pub use translate::{Mistake, Request, model};

/// Where a line of the model comes from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Origin {
    /// The statement.
    pub span: Span,
    /// Why a trace through it may not be one of the program.
    pub uncertain: Option<String>,
    /// An assertion that fails where the model comes to its limit; the program may be right there.
    pub limit: bool,
    /// The program has ended here, and its threads go on in the model.
    pub goes_on: bool,
    /// What happens here, if no statement says it.
    pub says: Option<&'static str>,
}

impl Origin {
    /// A statement about which there is nothing to say.
    pub fn at(span: Span) -> Origin {
        Origin { span, uncertain: None, limit: false, goes_on: false, says: None }
    }

    /// Something that happens around a function.
    pub fn saying(span: Span, says: &'static str) -> Origin {
        Origin { says: Some(says), ..Origin::at(span) }
    }
}

/// How a fragment is represented.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Quality {
    /// As it is.
    Exact,
    /// With more behaviour than it has: what holds of the model holds of the program.
    More,
    /// As a row of the table says, which nobody has checked.
    Yours,
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
    /// Why it is no better; may be empty.
    pub why: String,
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
    /// Variables that are not the program's.
    pub temporaries: Vec<String>,
    /// Locks, without indices.
    pub locks: Vec<String>,
    /// Variables of the program that are not in the model, and why.
    pub lost: Vec<(Span, String)>,
}
