//! Raw words: what the preprocessor reads and what it hands on.
//!
//! They are C's preprocessing tokens with the punctuation of Promela, so that
//! `::` or `<->` is one word. Nothing is judged here: a number may have letters
//! in it and a character may be stray, because embedded C may want both.
use text::Span;

use crate::token::{Name, Punct};

/// A word, where it stands, and what separates it from the word before.
#[derive(Clone, Debug)]
pub struct RawWord {
    /// What it is.
    pub kind: WordKind,
    /// Where the reader sees it: for a word that a macro produced, the macro's use.
    pub span: Span,
    /// For a word that a macro produced, its place in the macro's definition.
    pub origin: Option<Span>,
    /// Whether a blank or a comment stands before it.
    pub spaced: bool,
    /// Whether a line break stands before it.
    pub starts_line: bool,
    /// Whether it is the name of a macro that met itself and must stay as it is.
    pub(super) painted: bool,
}

/// What a raw word is.
#[derive(Clone, Debug, PartialEq)]
pub enum WordKind {
    /// Letters, digits and underscores, not starting with a digit.
    Name(Name),
    /// Starts with a digit; letters and single dots may follow.
    Number(Name),
    /// The text between double quotes.
    Text(Name),
    /// The text between two `$`.
    Dollars(Name),
    /// The text between single quotes.
    Character(Name),
    /// Punctuation.
    Punct(Punct),
    /// `#`
    Hash,
    /// `##`
    HashHash,
    /// Anything else.
    Stray(Name),
}

impl WordKind {
    /// Appends the word as it is written.
    pub fn write(&self, out: &mut String) {
        let (quote, text) = match self {
            WordKind::Name(text) | WordKind::Number(text) | WordKind::Stray(text) => ("", &**text),
            WordKind::Text(text) => ("\"", &**text),
            WordKind::Dollars(text) => ("$", &**text),
            WordKind::Character(text) => ("'", &**text),
            WordKind::Punct(punct) => ("", punct.text()),
            WordKind::Hash => ("", "#"),
            WordKind::HashHash => ("", "##"),
        };
        out.extend([quote, text, quote]);
    }
}

impl RawWord {
    /// A word as written in a file.
    pub(super) fn new(kind: WordKind, span: Span, spaced: bool) -> Self {
        RawWord { kind, span, origin: None, spaced, starts_line: false, painted: false }
    }

    /// How it is written.
    pub fn spelling(&self) -> String {
        let mut out = String::new();
        self.kind.write(&mut out);
        out
    }

    /// Whether it is this punctuation.
    pub fn is(&self, punct: Punct) -> bool {
        self.kind == WordKind::Punct(punct)
    }

    /// Its text, if it is a name.
    pub fn name(&self) -> Option<&Name> {
        match &self.kind {
            WordKind::Name(name) => Some(name),
            _ => None,
        }
    }
}

/// The words as text: a line break or one blank where the source had any.
///
/// Where a macro put words side by side that would grow together, they get a blank too.
pub fn join(words: &[RawWord]) -> String {
    let mut out = String::new();
    for (at, word) in words.iter().enumerate() {
        let start = out.len();
        word.kind.write(&mut out);
        if at > 0 {
            let gap = gap(&words[at - 1], word, &out, start);
            out.insert_str(start, gap);
        }
    }
    out
}

/// What to write before a word that now stands at `start` of the text.
fn gap(before: &RawWord, word: &RawWord, out: &str, start: usize) -> &'static str {
    let neighbours = before.origin.is_none() && word.origin.is_none() && before.span.end == word.span.start;
    match word {
        RawWord { starts_line: true, .. } => "\n",
        RawWord { spaced: true, .. } => " ",
        _ if neighbours || !grows_together(&out[..start], &out[start..]) => "",
        _ => " ",
    }
}

/// Whether two texts could be read as one word where they meet. Says so too often rather than too seldom.
fn grows_together(left: &str, right: &str) -> bool {
    let is_alone = |letter: char| "()[]{};,\"'".contains(letter);
    let in_name = |letter: char| letter.is_alphanumeric() || letter == '_';
    match (left.chars().next_back(), right.chars().next()) {
        (Some(left), Some(right)) if is_alone(left) || is_alone(right) => false,
        (Some('.'), _) | (_, Some('.')) => true,
        (Some(left), Some(right)) => in_name(left) == in_name(right),
        _ => false,
    }
}
