//! Why a computation with sets does not come to its end.
use model::semantics::Fault;
use text::Span;

use crate::crowd::Crowded;

/// Why no answer can be computed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Stop {
    /// There is no room for more nodes.
    Full,
    /// Somebody asked to stop.
    Told,
    /// There is no initial state.
    NoStart(Fault),
    /// There is no end of processes.
    Crowded(Crowded),
    /// What was computed does not agree with the reference semantics: a fault of this program.
    Inconsistent(&'static str),
    /// The model has something that cannot be said with sets of bit vectors.
    Refused(Refusal),
}

/// What the engine cannot do, and where the model asks for it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refusal {
    /// One phrase.
    pub message: String,
    /// Where.
    pub span: Span,
    /// What to do instead.
    pub help: String,
}

/// What was computed, or why it was not.
pub type Result<T> = std::result::Result<T, Stop>;

impl From<diagram::Full> for Stop {
    fn from(_: diagram::Full) -> Self {
        Stop::Full
    }
}

impl Stop {
    /// A refusal with the usual advice.
    pub fn refused(message: impl Into<String>, span: Span) -> Self {
        Stop::Refused(Refusal {
            message: format!("the symbolic engine cannot do this: {}", message.into()),
            span,
            help: "`--engine explicit` can".into(),
        })
    }
}
