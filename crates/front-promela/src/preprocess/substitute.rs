//! Substitution: a macro's body with the arguments of one use in it.
//!
//! An argument is expanded on its own before it is put in, unless `#` or `##`
//! stands beside it: those take it as it is written. An empty argument beside
//! `##` leaves the other neighbour alone. Words of the body are shown where the
//! macro is used and remember where they are defined; words of an argument keep
//! the place where they are written.
use text::{Diagnostic, Span};

use super::macros::{Item, Macro, Role};
use super::scan::single_word;
use super::words::{RawWord, WordKind};
use crate::token::Punct;

/// An argument of a macro's use.
#[derive(Clone, Debug, Default)]
pub(super) struct Argument {
    /// As it is written.
    pub raw: Vec<RawWord>,
    /// With its macros replaced; empty where nobody asks for it.
    pub expanded: Vec<RawWord>,
}

/// One use of a macro.
pub(super) struct Substitution<'a> {
    definition: &'a Macro,
    place: Span,
    arguments: &'a [Argument],
    words: Vec<RawWord>,
    flaws: Vec<Diagnostic>,
}

impl<'a> Substitution<'a> {
    /// A use that the reader sees at `place`, with one argument for each parameter.
    pub fn new(definition: &'a Macro, place: Span, arguments: &'a [Argument]) -> Self {
        Substitution { definition, place, arguments, words: Vec::new(), flaws: Vec::new() }
    }

    /// What takes the place of the use, and what is wrong with it. `None` if it costs more than is left.
    pub fn write(mut self, items: &[Item], left: &mut usize) -> Option<(Vec<RawWord>, Vec<Diagnostic>)> {
        let mut operand = 0;
        for item in items {
            let replacement = self.replacement(item);
            *left = left.checked_sub(replacement.iter().map(cost).sum())?;
            if item.joins_left {
                operand = self.join(operand, item, replacement);
            } else {
                operand = replacement.len();
                self.words.extend(replacement);
            }
        }
        Some((self.words, self.flaws))
    }

    /// What takes the place of one word of the body.
    fn replacement(&self, item: &Item) -> Vec<RawWord> {
        match item.role {
            Role::Itself => vec![self.of_body(item, item.word.kind.clone())],
            Role::Quoted(index) => {
                let text = quote(&self.arguments[index].raw);
                vec![self.of_body(item, WordKind::Text(text.into()))]
            }
            Role::Argument(index) => {
                let argument = &self.arguments[index];
                let as_written = item.joins_left || item.joins_right;
                spaced_as(item, if as_written { &argument.raw } else { &argument.expanded })
            }
        }
    }

    /// A word that stands in the macro's body.
    fn of_body(&self, item: &Item, kind: WordKind) -> RawWord {
        RawWord { origin: Some(item.word.span), ..RawWord::new(kind, self.place, item.word.spaced) }
    }

    /// Appends `right` to the `left` words before it, which `##` joins; returns how many words that makes.
    fn join(&mut self, left: usize, item: &Item, right: Vec<RawWord>) -> usize {
        if self.is_optional_comma(left, item) {
            self.words.truncate(self.words.len() - usize::from(right.is_empty()));
            self.words.extend(right.iter().cloned());
            return right.len();
        }
        let mut right = right.into_iter();
        if left > 0
            && let Some(first) = right.next()
        {
            self.paste(item, first);
        }
        let added = right.len();
        self.words.extend(right);
        left + added
    }

    /// `, ## __VA_ARGS__`: without arguments the comma goes too (an extension of gcc's).
    fn is_optional_comma(&self, left: usize, item: &Item) -> bool {
        let parameters = self.definition.parameters.as_ref().filter(|it| it.variadic);
        let rest = parameters.map(|it| Role::Argument(it.names.len() - 1));
        left > 0 && rest.as_ref() == Some(&item.role) && self.words.last().is_some_and(|it| it.is(Punct::Comma))
    }

    /// Makes one word of the last one and `right`.
    fn paste(&mut self, item: &Item, right: RawWord) {
        let Some(left) = self.words.pop() else { return self.words.push(right) };
        let text = left.spelling() + &right.spelling();
        if let Some(kind) = single_word(&text) {
            return self.words.push(RawWord { spaced: left.spaced, ..self.of_body(item, kind) });
        }
        let message = format!("`{}` and `{}` do not make one word", left.spelling(), right.spelling());
        let error = Diagnostic::error("bad-paste", self.place, message);
        self.flaws.push(error.note(item.word.span, "`##` stands in front of this"));
        self.words.extend([left, right]);
    }
}

/// How much of the allowance a word takes: long ones more, lest strings of strings grow without end.
fn cost(word: &RawWord) -> usize {
    match &word.kind {
        WordKind::Punct(_) | WordKind::Hash | WordKind::HashHash => 1,
        WordKind::Name(text) | WordKind::Number(text) | WordKind::Text(text) => 1 + text.len() / 16,
        WordKind::Dollars(text) | WordKind::Character(text) | WordKind::Stray(text) => 1 + text.len() / 16,
    }
}

/// The words of an argument, the first one with the blanks of the parameter.
fn spaced_as(item: &Item, words: &[RawWord]) -> Vec<RawWord> {
    let mut words = words.to_vec();
    if let Some(first) = words.first_mut() {
        first.spaced = item.word.spaced;
    }
    words
}

/// The text of the string that `#` makes of an argument.
fn quote(words: &[RawWord]) -> String {
    let mut out = String::new();
    for (at, word) in words.iter().enumerate() {
        if at > 0 && word.spaced {
            out.push(' ');
        }
        let quotes = matches!(word.kind, WordKind::Text(_) | WordKind::Character(_));
        let escaped = |letter: char| quotes && (letter == '"' || letter == '\\');
        for letter in word.spelling().chars() {
            out.extend(escaped(letter).then_some('\\'));
            out.push(letter);
        }
    }
    out
}
