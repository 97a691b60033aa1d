//! Scanning: from text to raw words.
//!
//! A word is the longest text that can be one, except that a number stops in
//! front of two dots: C reads `1..N` as one number, a modeller means three words.
//! Comments are blanks. Line breaks are reported, because directives end there.
use std::rc::Rc;

use text::{Diagnostic, FileId, Span};

use super::splice::Spliced;
use super::words::{RawWord, WordKind};
use crate::token::Punct;

/// Reads one file from left to right.
pub(super) struct Scanner {
    file: FileId,
    source: Rc<Spliced>,
    at: usize,
}

/// What comes next in a file.
pub(super) enum Step {
    /// A word; it starts a line only if a comment before it has a line break.
    Word(RawWord),
    /// The end of a line.
    Newline,
    /// The end of the file.
    End,
}

impl Scanner {
    /// Stands at the start of the text, behind a byte order mark.
    pub fn new(file: FileId, source: Rc<Spliced>) -> Scanner {
        let at = if source.text.starts_with('\u{feff}') { '\u{feff}'.len_utf8() } else { 0 };
        Scanner { file, source, at }
    }

    /// The next word, or why there is none.
    pub fn next(&mut self, diagnostics: &mut Vec<Diagnostic>) -> Step {
        let start = self.at;
        self.skip_blanks(diagnostics);
        match self.byte(0) {
            None => Step::End,
            Some(b'\n') => {
                self.at += 1;
                Step::Newline
            }
            Some(first) => Step::Word(self.word(first, start, diagnostics)),
        }
    }

    /// The words up to the end of the line, which is left behind.
    pub fn line(&mut self, diagnostics: &mut Vec<Diagnostic>) -> Vec<RawWord> {
        let mut words = Vec::new();
        while let Step::Word(word) = self.next(diagnostics) {
            words.push(word);
        }
        words
    }

    /// The rest of the line as it is written.
    pub fn rest_of_line(&self) -> &str {
        self.rest().split('\n').next().unwrap_or("").trim()
    }

    /// Leaves the line behind without looking for words.
    pub fn skip_line(&mut self, diagnostics: &mut Vec<Diagnostic>) {
        while let Some(byte) = self.byte(0) {
            match byte {
                b'\n' => return self.at += 1,
                b'/' if self.skip_comment(diagnostics) => {}
                b'"' | b'\'' => self.at += 1 + self.quoted(byte).map_or_else(|rest| rest, |inside| inside + 1),
                _ => self.at += 1,
            }
        }
    }

    /// Leaves lines behind until one starts with `#`: the name of that directive (perhaps empty) and its place.
    pub fn skip_to_directive(&mut self, diagnostics: &mut Vec<Diagnostic>) -> Option<(String, Span)> {
        loop {
            self.skip_blanks(diagnostics);
            if self.byte(0)? == b'#' {
                return Some(self.directive_name(diagnostics));
            }
            self.skip_line(diagnostics);
        }
    }

    /// The name behind the `#` that stands here, and the place of both.
    fn directive_name(&mut self, diagnostics: &mut Vec<Diagnostic>) -> (String, Span) {
        let hash = self.at;
        self.at += 1;
        self.skip_blanks(diagnostics);
        let start = self.at;
        self.at += self.rest().bytes().take_while(|&byte| is_name_byte(byte)).count();
        (self.source.text[start..self.at].to_string(), self.span(hash))
    }

    /// The place from `start` up to here.
    fn span(&self, start: usize) -> Span {
        let range = self.source.in_file(start..self.at);
        Span { file: self.file, start: range.start, end: range.end }
    }

    fn rest(&self) -> &str {
        &self.source.text[self.at..]
    }

    fn byte(&self, ahead: usize) -> Option<u8> {
        self.source.text.as_bytes().get(self.at + ahead).copied()
    }

    fn skip_blanks(&mut self, diagnostics: &mut Vec<Diagnostic>) {
        while let Some(byte) = self.byte(0) {
            match byte {
                b' ' | b'\t' | b'\r' | b'\x0b' | b'\x0c' => self.at += 1,
                b'/' if self.skip_comment(diagnostics) => {}
                _ => return,
            }
        }
    }

    /// Leaves a comment behind, if one starts here.
    fn skip_comment(&mut self, diagnostics: &mut Vec<Diagnostic>) -> bool {
        let start = self.at;
        let (length, closed) = match self.byte(1) {
            Some(b'/') => (self.rest().find('\n').unwrap_or(self.rest().len()), true),
            Some(b'*') => match self.rest()[2..].find("*/") {
                Some(inside) => (inside + 4, true),
                None => (self.rest().len(), false),
            },
            _ => return false,
        };
        self.at += length;
        if !closed {
            let opening = Span { end: self.span(start).start + 2, ..self.span(start) };
            let error = Diagnostic::error("unterminated-comment", opening, "this comment does not end");
            diagnostics.push(error.help("close it with `*/`"));
        }
        true
    }

    /// The word that starts here, `blanks` being where the blanks before it start.
    fn word(&mut self, first: u8, blanks: usize, diagnostics: &mut Vec<Diagnostic>) -> RawWord {
        let start = self.at;
        let kind = self.kind(first, diagnostics);
        let between = &self.source.text[blanks..start];
        let starts_line = between.contains('\n');
        RawWord { starts_line, ..RawWord::new(kind, self.span(start), !between.is_empty()) }
    }

    fn kind(&mut self, first: u8, diagnostics: &mut Vec<Diagnostic>) -> WordKind {
        match first {
            b'a'..=b'z' | b'A'..=b'Z' | b'_' => self.name(),
            b'0'..=b'9' => self.number(),
            b'"' => self.text(diagnostics),
            b'\'' => self.character(diagnostics),
            b'$' => self.dollars(),
            b'#' => self.hash(),
            _ => self.punct(),
        }
    }

    /// A name; a stray word if it has letters that names cannot have.
    fn name(&mut self) -> WordKind {
        let length = self.rest().bytes().take_while(|&byte| is_name_byte(byte)).count();
        if self.rest()[length..].starts_with(|next: char| !next.is_ascii() && next.is_alphanumeric()) {
            return self.stray();
        }
        self.at += length;
        WordKind::Name(self.source.text[self.at - length..self.at].into())
    }

    fn number(&mut self) -> WordKind {
        let start = self.at;
        while self.byte(0).is_some_and(is_name_byte) || (self.byte(0) == Some(b'.') && self.byte(1) != Some(b'.')) {
            self.at += 1;
        }
        WordKind::Number(self.source.text[start..self.at].into())
    }

    fn text(&mut self, diagnostics: &mut Vec<Diagnostic>) -> WordKind {
        let (start, inside) = (self.at, self.quoted(b'"'));
        self.at += 1 + inside.map_or_else(|rest| rest, |inside| inside + 1);
        if inside.is_err() {
            let error =
                Diagnostic::error("unterminated-string", self.span(start), "this string does not end on its line");
            diagnostics.push(error.help("close it with `\"`"));
        }
        let length = inside.unwrap_or_else(|rest| rest);
        WordKind::Text(self.source.text[start + 1..start + 1 + length].into())
    }

    /// A character constant; without a closing quote, the one character (or escape) that was meant.
    fn character(&mut self, diagnostics: &mut Vec<Diagnostic>) -> WordKind {
        let (start, inside) = (self.at, self.quoted(b'\''));
        let length = inside.unwrap_or_else(|rest| one_character(&self.rest()[1..1 + rest]));
        self.at += 1 + length + usize::from(inside.is_ok());
        if inside.is_err() {
            let message = "this character constant does not end on its line";
            let error = Diagnostic::error("unterminated-character", self.span(start), message);
            diagnostics.push(error.help("close it with `'`"));
        }
        WordKind::Character(self.source.text[start + 1..start + 1 + length].into())
    }

    /// How much text stands between this quote and the closing one, or up to the end of the line if none closes.
    fn quoted(&self, quote: u8) -> Result<usize, usize> {
        let inside = &self.rest().as_bytes()[1..];
        let mut at = 0;
        while at < inside.len() && inside[at] != b'\n' {
            match inside[at] {
                b'\\' if inside.get(at + 1).is_some_and(|&next| next != b'\n') => at += 2,
                byte if byte == quote => return Ok(at),
                _ => at += 1,
            }
        }
        let line = &inside[..at];
        Err(line.strip_suffix(b"\r").unwrap_or(line).len())
    }

    /// The second form of a string; a `$` without a partner on its line is stray.
    fn dollars(&mut self) -> WordKind {
        let line = self.rest()[1..].split('\n').next().unwrap_or("");
        let Some(length) = line.find('$') else { return self.stray() };
        let inside = line[..length].into();
        self.at += length + 2;
        WordKind::Dollars(inside)
    }

    fn hash(&mut self) -> WordKind {
        let double = self.byte(1) == Some(b'#');
        self.at += 1 + usize::from(double);
        if double { WordKind::HashHash } else { WordKind::Hash }
    }

    fn punct(&mut self) -> WordKind {
        for length in [3, 2, 1] {
            if let Some(punct) = self.rest().get(..length).and_then(Punct::from_text) {
                self.at += length;
                return WordKind::Punct(punct);
            }
        }
        self.stray()
    }

    /// A whole word in another alphabet, or one character.
    fn stray(&mut self) -> WordKind {
        let rest = self.rest();
        let in_word = |next: char| next.is_alphanumeric() || next == '_';
        let word = rest.find(|next| !in_word(next)).unwrap_or(rest.len());
        let length = if word > 0 { word } else { rest.chars().next().map_or(0, char::len_utf8) };
        let stray = rest[..length].into();
        self.at += length;
        WordKind::Stray(stray)
    }
}

/// The word that this text is, if it is exactly one.
pub(super) fn single_word(text: &str) -> Option<WordKind> {
    let mut scanner = Scanner::new(FileId::default(), Rc::new(Spliced::new(text)));
    let mut flaws = Vec::new();
    let Step::Word(word) = scanner.next(&mut flaws) else { return None };
    let whole = !word.spaced && flaws.is_empty() && scanner.rest().is_empty();
    (whole && !matches!(word.kind, WordKind::Stray(_))).then_some(word.kind)
}

/// Whether a name may contain this.
fn is_name_byte(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_'
}

/// The length of the first character, or of the escape that stands there.
fn one_character(text: &str) -> usize {
    let escape = usize::from(text.starts_with('\\'));
    escape + text[escape..].chars().next().map_or(0, char::len_utf8)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Words with a bar between them, `~` for a line end, then the codes of what is wrong.
    #[track_caller]
    fn check(text: &str, expected: &str) {
        let mut scanner = Scanner::new(FileId(0), Rc::new(Spliced::new(text)));
        let (mut got, mut flaws) = (Vec::new(), Vec::new());
        loop {
            match scanner.next(&mut flaws) {
                Step::Word(word) => got.push(word.spelling()),
                Step::Newline => got.push("~".to_string()),
                Step::End => break,
            }
        }
        got.extend(flaws.iter().map(|it| format!("{} {:?}", it.code, it.span.map(|at| at.start..at.end).unwrap())));
        assert_eq!(got.join("|"), expected);
    }

    #[test]
    fn the_longest_punctuation_wins() {
        check("a<->b<=c<<-->!!==", "a|<->|b|<=|c|<<|--|>|!!|==");
        check("p/\\q\\/r q??<x>", "p|/\\|q|\\/|r|q|??|<|x|>");
    }

    #[test]
    fn a_number_stops_before_two_dots() {
        check("1..N 0x1F 1.5 3x", "1|..|N|0x1F|1.5|3x");
    }

    #[test]
    fn comments_are_blanks_even_over_several_lines() {
        check("a/* 'x\n\" */b // c /*\nd", "a|b|~|d");
    }

    #[test]
    fn a_joint_does_not_end_a_name() {
        check("ab\\\ncd", "abcd");
    }

    #[test]
    fn quotes_may_be_escaped() {
        check(r#""a\"b" '\'' '"' "\\""#, r#""a\"b"|'\''|'"'|"\\""#);
    }

    #[test]
    fn what_does_not_end_is_reported_once() {
        check("x /* y", "x|unterminated-comment 2..4");
        check("x \"y\r\nz", "x|\"y\"|~|z|unterminated-string 2..4");
        check("'a;\n'", "'a'|;|~|''|unterminated-character 0..2|unterminated-character 4..5");
        check("\"\\", "\"\\\"|unterminated-string 0..2");
    }

    #[test]
    fn strays_are_words_too() {
        check("a ` été naïve x$y ##", "a|`|été|naïve|x|$|y|##");
        check("$a b$", "$a b$");
    }

    #[test]
    fn a_byte_order_mark_and_other_blanks_do_not_count() {
        check("\u{feff}a\tb\x0c\r\nc", "a|b|~|c");
    }
}
