//! What a raw word is in Promela.
//!
//! Promela's only constants are decimal integers and single characters, both
//! stored as C's `int`. The words that C would also understand get a message that
//! says what to write instead, and the token that was meant.
use text::{Diagnostic, Span};

use super::Lexer;
use crate::preprocess::{RawWord, WordKind};
use crate::token::{Keyword, Kind, Punct};

impl Lexer {
    /// Adds the token that a word is, and what belongs to it.
    pub(super) fn take(&mut self, word: &RawWord) {
        match &word.kind {
            WordKind::Name(name) => match Keyword::from_text(name) {
                Some(keyword) => self.keyword(keyword, word),
                None => self.push(Kind::Name(name.clone()), word),
            },
            WordKind::Text(text) | WordKind::Dollars(text) => self.push(Kind::Text(text.clone()), word),
            WordKind::Punct(Punct::Star) if self.ends_comment() => self.comment_end(word),
            WordKind::Punct(punct) => self.push(Kind::Punct(*punct), word),
            WordKind::Number(text) => self.number(text, word),
            WordKind::Character(text) => self.character(text, word),
            WordKind::Hash | WordKind::HashHash | WordKind::Stray(_) => self.stray(word),
        }
    }

    /// Whether a `/` stands right behind the `*` that was read.
    fn ends_comment(&mut self) -> bool {
        self.words.peek().is_some_and(|next| next.is(Punct::Slash) && !next.spaced && !next.starts_line)
    }

    /// Ignores a `*/` without a comment, as SPIN does: old models have comments in comments.
    fn comment_end(&mut self, star: &RawWord) {
        let slash = self.words.next().unwrap_or_else(|| star.clone());
        let warning = Diagnostic::warning("stray-comment-end", star.span.to(slash.span), "`*/` ends no comment here");
        self.diagnostics.push(warning.help("a comment ends at its first `*/`, whatever it contains"));
    }

    fn keyword(&mut self, keyword: Keyword, word: &RawWord) {
        self.push(Kind::Keyword(keyword), word);
        if matches!(keyword, Keyword::CCode | Keyword::CExpr | Keyword::CDecl) {
            self.embedded_code(word);
        }
    }

    fn number(&mut self, text: &str, word: &RawWord) {
        if !text.bytes().all(|byte| byte.is_ascii_digit()) {
            return self.foreign_number(text, word);
        }
        let value: i64 = text.parse().unwrap_or(i64::MAX);
        let negated = matches!(self.tokens.last(), Some(it) if it.kind == Kind::Punct(Punct::Minus));
        if value > i64::from(i32::MAX) + i64::from(negated) {
            let message = format!("`{text}` does not fit into 32 bits and becomes {}", value as i32);
            let warning = Diagnostic::warning("number-overflow", word.span, message);
            self.diagnostics.push(warning.help(format!("the largest number is {}", i32::MAX)));
        }
        self.push(Kind::Number(value as i32), word);
    }

    /// A number of C that is none of Promela.
    fn foreign_number(&mut self, text: &str, word: &RawWord) {
        let error = Diagnostic::error("bad-number", word.span, format!("`{text}` is not a number of Promela"));
        let value = foreign_value(text);
        self.diagnostics.push(match value {
            Some(value) => error.help(format!("there are only decimal integers: write `{value}`")),
            None => error.help("there are only decimal integers, and no name starts with a digit"),
        });
        self.push(Kind::Number(value.unwrap_or(0) as i32), word);
    }

    fn character(&mut self, text: &str, word: &RawWord) {
        let mut letters = text.chars();
        let value = match (letters.next(), letters.next(), letters.next()) {
            (Some('\\'), Some(letter), None) => self.escape(letter, word.span),
            (Some(letter), None, None) if letter.is_ascii() && letter != '\\' => letter as i32,
            _ => self.bad_character(word),
        };
        self.push(Kind::Number(value), word);
    }

    fn escape(&mut self, letter: char, place: Span) -> i32 {
        let value = match letter {
            'n' => '\n',
            't' => '\t',
            'r' => '\r',
            'f' => '\x0c',
            '0' => '\0',
            other => other,
        };
        if !matches!(letter, 'n' | 't' | 'r' | 'f' | '\\' | '\'' | '"') {
            let message = format!("SPIN reads `'\\{letter}'` as {}, here it is {}", letter as i32, value as i32);
            self.diagnostics.push(Diagnostic::warning("unusual-escape", place, message));
        }
        value as i32
    }

    fn bad_character(&mut self, word: &RawWord) -> i32 {
        let message = format!("`{}` is not one character", word.spelling());
        let error = Diagnostic::error("bad-character", word.span, message);
        self.diagnostics.push(error.help("a character constant is one ASCII character or an escape such as `'\\n'`"));
        0
    }

    fn stray(&mut self, word: &RawWord) {
        let text = word.spelling();
        let error = Diagnostic::error("stray-character", word.span, format!("{} cannot stand here", name(&text)));
        self.diagnostics.push(match meant(&text) {
            Some(help) => error.help(help),
            None => error,
        });
    }
}

/// The value of C's hexadecimal, binary and suffixed integers.
fn foreign_value(text: &str) -> Option<u32> {
    let lower = text.to_ascii_lowercase();
    let digits = lower.trim_end_matches(['u', 'l']);
    let (radix, digits) = match digits.get(..2) {
        Some("0x") => (16, &digits[2..]),
        Some("0b") => (2, &digits[2..]),
        _ => (10, digits),
    };
    u32::from_str_radix(digits, radix).ok()
}

/// A stray word as a message calls it.
fn name(text: &str) -> String {
    match text.chars().next() {
        Some(letter) if letter.is_control() || letter.is_whitespace() || is_invisible(letter) => {
            format!("the invisible character U+{:04X}", u32::from(letter))
        }
        _ => format!("`{text}`"),
    }
}

fn is_invisible(letter: char) -> bool {
    matches!(letter, '\u{ad}' | '\u{200b}'..='\u{200f}' | '\u{2060}' | '\u{feff}')
}

/// What somebody who wrote this may have meant.
fn meant(text: &str) -> Option<&'static str> {
    Some(match text.chars().next()? {
        '“' | '”' | '„' | '«' | '»' => "write strings in `\"`",
        '‘' | '’' | '´' | '`' => "write character constants in `'`",
        '–' | '—' | '−' => "write `-`",
        '→' => "write `->`",
        '≤' => "write `<=`",
        '≥' => "write `>=`",
        '≠' => "write `!=`",
        '∧' => "write `&&`",
        '∨' => "write `||`",
        '¬' => "write `!`",
        '#' => "a directive starts its line",
        '$' => "a string in `$` ends on its line",
        letter if letter.is_alphanumeric() || letter == '_' => "names have only ASCII letters, digits and `_`",
        letter if letter.is_whitespace() || is_invisible(letter) => "replace it by a blank or remove it",
        _ => return None,
    })
}
