//! Words of a text: names, numbers and signs, each with its place. Comments are `// …` and `/* … */`.
use text::{Diagnostic, FileId, Span};

/// A word.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Token {
    /// What it is.
    pub kind: Kind,
    /// Where it stands.
    pub span: Span,
}

/// What a word is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A name or a reserved word.
    Word(String),
    /// A number.
    Number(i64),
    /// Anything else.
    Sign(&'static str),
    /// After the last word.
    End,
}

/// Longer signs first.
const SIGNS: [&str; 36] = [
    "<->", "|||", "->", "..", ":=", "==", "!=", "<=", ">=", "&&", "||", "(", ")", "[", "]", "{", "}", "<", ">", "=",
    "!", "?", ":", ";", ",", ".", "+", "-", "*", "/", "%", "|", "&", "@", "\\", "^",
];

/// The words of a file, the last of which is [`Kind::End`], and what is none.
pub fn words(file: FileId, text: &str) -> (Vec<Token>, Vec<Diagnostic>) {
    let mut lexer = Lexer { file, text, at: 0, words: Vec::new(), diagnostics: Vec::new() };
    while lexer.word() {}
    let span = lexer.span(text.len(), text.len());
    lexer.words.push(Token { kind: Kind::End, span });
    (lexer.words, lexer.diagnostics)
}

struct Lexer<'t> {
    file: FileId,
    text: &'t str,
    at: usize,
    words: Vec<Token>,
    diagnostics: Vec<Diagnostic>,
}

impl Lexer<'_> {
    /// Reads one word or skips what is none; false at the end.
    fn word(&mut self) -> bool {
        let rest = &self.text[self.at..];
        let Some(first) = rest.chars().next() else { return false };
        let start = self.at;
        if first.is_whitespace() {
            self.at += first.len_utf8();
        } else if rest.starts_with("//") {
            self.at += rest.find('\n').unwrap_or(rest.len());
        } else if rest.starts_with("/*") {
            self.comment(start);
        } else if first.is_ascii_alphabetic() || first == '_' {
            self.at += rest.find(|it: char| !it.is_ascii_alphanumeric() && it != '_').unwrap_or(rest.len());
            let word = self.text[start..self.at].to_string();
            self.push(start, Kind::Word(word));
        } else if first.is_ascii_digit() {
            self.number(start);
        } else if let Some(sign) = SIGNS.iter().find(|it| rest.starts_with(**it)) {
            self.at += sign.len();
            self.push(start, Kind::Sign(sign));
        } else {
            self.at += first.len_utf8();
            let span = self.span(start, self.at);
            self.diagnostics.push(Diagnostic::error("syntax", span, format!("`{first}` means nothing here")));
        }
        true
    }

    fn comment(&mut self, start: usize) {
        let end = self.text[start..].find("*/");
        self.at = end.map_or(self.text.len(), |it| start + it + 2);
        if end.is_none() {
            let span = self.span(start, start + 2);
            self.diagnostics.push(Diagnostic::error("syntax", span, "this comment has no end").help("write `*/`"));
        }
    }

    fn number(&mut self, start: usize) {
        let rest = &self.text[start..];
        self.at += rest.find(|it: char| !it.is_ascii_alphanumeric() && it != '_').unwrap_or(rest.len());
        let word = &self.text[start..self.at];
        let value = word.parse::<i32>();
        if value.is_err() {
            let message = match word.bytes().all(|it| it.is_ascii_digit()) {
                true => format!("`{word}` is too large: numbers go up to {}", i32::MAX),
                false => format!("`{word}` is neither a number nor a name"),
            };
            let span = self.span(start, self.at);
            self.diagnostics.push(Diagnostic::error("syntax", span, message));
        }
        self.push(start, Kind::Number(i64::from(value.unwrap_or(0))));
    }

    fn push(&mut self, start: usize, kind: Kind) {
        let span = self.span(start, self.at);
        self.words.push(Token { kind, span });
    }

    fn span(&self, start: usize, end: usize) -> Span {
        Span { file: self.file, start: start as u32, end: end as u32 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, expected: &str) {
        let (words, diagnostics) = words(FileId(0), text);
        let mut got: Vec<String> = words.iter().map(|it| format!("{:?}", it.kind)).collect();
        got.extend(diagnostics.iter().map(|it| it.message.clone()));
        assert_eq!(got.join(" "), expected);
    }

    #[test]
    fn long_signs_are_not_two_short_ones() {
        check("a|||b", r#"Word("a") Sign("|||") Word("b") End"#);
        check("1..3", r#"Number(1) Sign("..") Number(3) End"#);
    }

    #[test]
    fn comments_are_no_words() {
        check("a // b\n/* c */ d", r#"Word("a") Word("d") End"#);
        check("a /* b", r#"Word("a") End this comment has no end"#);
    }

    #[test]
    fn what_is_no_word_is_said_and_skipped() {
        check("a ` é", r#"Word("a") End ``` means nothing here `é` means nothing here"#);
        check("99999999999", "Number(0) End `99999999999` is too large: numbers go up to 2147483647");
    }
}
