//! From text to words (C 2011, 6.4): the same ones for the preprocessor and the parser.
//!
//! A line that ends with a backslash goes on in the next one. Comments are blanks. Whatever is no word of C is a word of its own
//! and the parser's problem.
use std::collections::HashMap;
use std::rc::Rc;

use text::{FileId, Span};

/// What a word is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A name or a keyword.
    Name,
    /// A number, as the preprocessor sees it: any letters and digits after a digit.
    Number,
    /// A character constant, quotes included.
    Character,
    /// A string, quotes and prefix included.
    String,
    /// An operator or a separator.
    Punct,
    /// Anything else.
    Other,
}

/// A word.
#[derive(Clone, Debug)]
pub struct Word {
    /// What it is.
    pub kind: Kind,
    /// As it is written.
    pub text: Rc<str>,
    /// Where it is written; the use of the macro that it comes from.
    pub span: Span,
    /// Whether there is a blank before it.
    pub spaced: bool,
    /// Whether it is the first of its line.
    pub starts_line: bool,
    /// The macros that are not replaced in it any more.
    pub(crate) hidden: Option<Rc<Vec<Rc<str>>>>,
}

impl Word {
    /// A word of this spelling at a place.
    pub fn new(kind: Kind, text: impl Into<Rc<str>>, span: Span) -> Word {
        Word { kind, text: text.into(), span, spaced: false, starts_line: false, hidden: None }
    }

    /// Whether it is this operator or separator.
    pub fn is(&self, punct: &str) -> bool {
        self.kind == Kind::Punct && &*self.text == punct
    }

    /// Whether it is this name or keyword.
    pub fn is_name(&self, name: &str) -> bool {
        self.kind == Kind::Name && &*self.text == name
    }
}

/// The operators and separators, longest first.
const PUNCTS: [&str; 54] = [
    "%:%:", "...", "<<=", ">>=", "->", "++", "--", "<<", ">>", "<=", ">=", "==", "!=", "&&", "||", "*=", "/=", "%=",
    "+=", "-=", "&=", "^=", "|=", "##", "<:", ":>", "<%", "%>", "%:", "[", "]", "(", ")", "{", "}", ".", "&", "*", "+",
    "-", "~", "!", "/", "%", "<", ">", "^", "|", "?", ":", ";", "=", ",", "#",
];

/// The words of a text.
pub fn words(file: FileId, text: &str) -> Vec<Word> {
    let mut scanner = Scanner { file, text, at: 0, names: HashMap::new() };
    let mut all = Vec::new();
    let (mut spaced, mut starts_line) = (false, true);
    loop {
        match scanner.blank() {
            Blank::None => {}
            Blank::Space => {
                spaced = true;
                continue;
            }
            Blank::Line => {
                (spaced, starts_line) = (true, true);
                continue;
            }
        }
        let Some((kind, text, span)) = scanner.word() else { return all };
        all.push(Word { kind, text, span, spaced, starts_line, hidden: None });
        (spaced, starts_line) = (false, false);
    }
}

enum Blank {
    None,
    Space,
    Line,
}

struct Scanner<'a> {
    file: FileId,
    text: &'a str,
    at: usize,
    names: HashMap<&'a str, Rc<str>>,
}

impl<'a> Scanner<'a> {
    fn rest(&self) -> &'a str {
        &self.text[self.at..]
    }

    /// Skips one blank, comment or line break.
    fn blank(&mut self) -> Blank {
        let rest = self.rest();
        if rest.starts_with('\n') {
            self.at += 1;
            return Blank::Line;
        }
        if let Some(length) = splice(rest) {
            self.at += length;
            return Blank::Space;
        }
        if rest.starts_with("//") {
            self.at += line_comment(rest);
            return Blank::Space;
        }
        if let Some(comment) = rest.strip_prefix("/*") {
            self.at += comment.find("*/").map_or(rest.len(), |it| it + 4);
            return Blank::Space;
        }
        match rest.chars().next() {
            Some(it) if it.is_whitespace() => {
                self.at += it.len_utf8();
                Blank::Space
            }
            _ => Blank::None,
        }
    }

    fn word(&mut self) -> Option<(Kind, Rc<str>, Span)> {
        let rest = self.rest();
        let first = rest.chars().next()?;
        let (kind, length) = match first {
            '"' => (Kind::String, quoted(rest, '"')),
            '\'' => (Kind::Character, quoted(rest, '\'')),
            _ if is_name_start(first) => name_or_prefixed(rest),
            '0'..='9' => (Kind::Number, number(rest)),
            '.' if rest[1..].starts_with(|it: char| it.is_ascii_digit()) => (Kind::Number, number(rest)),
            _ => match PUNCTS.iter().find(|it| rest.starts_with(**it)) {
                Some(punct) => (Kind::Punct, punct.len()),
                None => (Kind::Other, first.len_utf8()),
            },
        };
        let span = Span { file: self.file, start: self.at as u32, end: (self.at + length) as u32 };
        self.at += length;
        Some((kind, self.shared(&rest[..length]), span))
    }

    fn shared(&mut self, text: &'a str) -> Rc<str> {
        let plain = match text {
            "<:" => "[",
            ":>" => "]",
            "<%" => "{",
            "%>" => "}",
            "%:" => "#",
            "%:%:" => "##",
            _ => text,
        };
        if plain.contains("\\\n") || plain.contains("\\\r\n") {
            return plain.replace("\\\r\n", "").replace("\\\n", "").into();
        }
        self.names.entry(plain).or_insert_with(|| plain.into()).clone()
    }
}

/// The length of a backslash and a line break.
fn splice(rest: &str) -> Option<usize> {
    let behind = rest.strip_prefix('\\')?;
    let blanks = behind.len() - behind.trim_start_matches([' ', '\t', '\r']).len();
    behind[blanks..].starts_with('\n').then_some(blanks + 2)
}

fn line_comment(rest: &str) -> usize {
    let mut at = 0;
    while let Some(next) = rest[at..].find('\n') {
        at += next;
        if !rest[..at].trim_end_matches('\r').ends_with('\\') {
            return at;
        }
        at += 1;
    }
    rest.len()
}

fn is_name_start(it: char) -> bool {
    it.is_alphabetic() || it == '_' || it == '$'
}

fn name_or_prefixed(rest: &str) -> (Kind, usize) {
    let length = rest.find(|it: char| !(is_name_start(it) || it.is_ascii_digit())).unwrap_or(rest.len());
    let behind = &rest[length..];
    match (&rest[..length], behind.chars().next()) {
        ("L" | "u" | "U" | "u8", Some('"')) => (Kind::String, length + quoted(behind, '"')),
        ("L" | "u" | "U", Some('\'')) => (Kind::Character, length + quoted(behind, '\'')),
        _ => (Kind::Name, length),
    }
}

fn number(rest: &str) -> usize {
    let mut before = ' ';
    let ends = |&(_, it): &(usize, char)| {
        let signed = matches!(it, '+' | '-') && matches!(before, 'e' | 'E' | 'p' | 'P');
        before = it;
        !(signed || it.is_ascii_alphanumeric() || it == '.' || it == '_')
    };
    rest.char_indices().find(ends).map_or(rest.len(), |it| it.0)
}

/// Up to the closing quote, or to the end of the line.
fn quoted(rest: &str, quote: char) -> usize {
    let mut escaped = false;
    for (at, it) in rest.char_indices().skip(1) {
        match it {
            _ if escaped && it == '\r' => {}
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            '\n' => return at,
            _ if it == quote => return at + 1,
            _ => {}
        }
    }
    rest.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, expected: &str) {
        let all: Vec<String> = words(FileId(0), text).iter().map(|it| it.text.to_string()).collect();
        assert_eq!(all.join(" "), expected);
    }

    #[test]
    fn words_are_as_long_as_possible() {
        check("a+++b>>=c->d...", "a ++ + b >>= c -> d ...");
        check("0x1Fu 1e-5 .5f L'a' u8\"x\"", "0x1Fu 1e-5 .5f L'a' u8\"x\"");
    }

    #[test]
    fn comments_and_spliced_lines_are_blanks() {
        check("a/* b */c // d \\\n e\nf\\\n g", "a c f g");
        check("\"a\\\"b\" '\\''", "\"a\\\"b\" '\\''");
    }

    #[test]
    fn what_does_not_end_ends_with_its_line_or_file() {
        check("\"abc\nd", "\"abc d");
        check("a /* b", "a");
    }
}
