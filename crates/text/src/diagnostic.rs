//! A message about a place in the source.
use crate::Span;

/// How bad it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Severity {
    /// Worth a look; the input is still understood.
    Warning,
    /// The input cannot be used.
    Error,
}

/// A message about a place in the source. Renderers decide how it looks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnostic {
    /// Stable name for documentation and suppression, e.g. `unknown-name`.
    pub code: &'static str,
    /// How bad it is.
    pub severity: Severity,
    /// One phrase, no full stop.
    pub message: String,
    /// Where; `None` when no file is involved.
    pub span: Option<Span>,
    /// Further places, each with its own phrase.
    pub notes: Vec<(Span, String)>,
    /// What to do about it, if we know.
    pub help: Option<String>,
}

impl Diagnostic {
    /// An error at a place.
    pub fn error(code: &'static str, span: Span, message: impl Into<String>) -> Self {
        Diagnostic {
            code,
            severity: Severity::Error,
            message: message.into(),
            span: Some(span),
            notes: Vec::new(),
            help: None,
        }
    }

    /// A warning at a place.
    pub fn warning(code: &'static str, span: Span, message: impl Into<String>) -> Self {
        Diagnostic { severity: Severity::Warning, ..Self::error(code, span, message) }
    }

    /// An error that no place in a file explains.
    pub fn global(code: &'static str, message: impl Into<String>) -> Self {
        Diagnostic { span: None, ..Self::error(code, Span::default(), message) }
    }

    /// Says what to do about it.
    #[must_use]
    pub fn help(mut self, help: impl Into<String>) -> Self {
        self.help = Some(help.into());
        self
    }

    /// Points at one more place.
    #[must_use]
    pub fn note(mut self, span: Span, phrase: impl Into<String>) -> Self {
        self.notes.push((span, phrase.into()));
        self
    }

    /// Whether the input cannot be used.
    pub fn is_error(&self) -> bool {
        self.severity == Severity::Error
    }
}
