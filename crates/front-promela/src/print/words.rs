//! Words as text that can be read again.
use crate::token::{Kind, Punct, Token};

/// The words of an inline's body or argument. Lines end only behind `;` and `{`, where no separator is
/// implied; a row of separators becomes one, and those at the end are left out.
pub(crate) fn join(words: &[Token]) -> String {
    let end = words.iter().rposition(|it| !is_separator(&it.kind)).map_or(0, |last| last + 1);
    let mut joined = Joined::default();
    for word in &words[..end] {
        joined.add(&word.kind);
    }
    joined.text
}

#[derive(Default)]
struct Joined {
    text: String,
    last: Option<Punct>,
    parentheses: usize,
    braces: usize,
}

impl Joined {
    fn add(&mut self, kind: &Kind) {
        let punct = if let Kind::Punct(punct) = kind { Some(*punct) } else { None };
        let repeated = self.text.is_empty() || self.last == Some(Punct::Semi);
        if repeated && punct == Some(Punct::Semi) {
            return;
        }
        self.count(punct);
        self.gap(punct);
        match kind {
            Kind::Code(text) if self.last == Some(Punct::LBracket) => self.text.push_str(text),
            _ => self.text.push_str(&word(kind)),
        }
        self.last = punct;
    }

    /// Keeps track of brackets.
    fn count(&mut self, punct: Option<Punct>) {
        match punct {
            Some(Punct::LParen | Punct::LBracket) => self.parentheses += 1,
            Some(Punct::RParen | Punct::RBracket) => self.parentheses = self.parentheses.saturating_sub(1),
            Some(Punct::LBrace) => self.braces += 1,
            Some(Punct::RBrace) => self.braces = self.braces.saturating_sub(1),
            _ => {}
        }
    }

    /// What stands between the last word and the next.
    fn gap(&mut self, next: Option<Punct>) {
        let tight = matches!(next, Some(Punct::Semi | Punct::Comma | Punct::RParen | Punct::RBracket | Punct::Dot))
            || matches!(self.last, Some(Punct::LParen | Punct::LBracket | Punct::Dot));
        if self.parentheses == 0 && matches!(self.last, Some(Punct::Semi | Punct::LBrace)) {
            self.text.push('\n');
            (0..=self.braces).for_each(|_| self.text.push_str("    "));
        } else if !tight && !self.text.is_empty() {
            self.text.push(' ');
        }
    }
}

fn is_separator(kind: &Kind) -> bool {
    *kind == Kind::Punct(Punct::Semi)
}

/// One word.
pub(crate) fn word(kind: &Kind) -> String {
    match kind {
        Kind::Name(name) => name.to_string(),
        Kind::Keyword(keyword) => keyword.text().to_string(),
        Kind::Number(value) => number(*value),
        Kind::Text(text) => string(text),
        Kind::Code(text) => code(text),
        Kind::Punct(punct) => punct.text().to_string(),
        Kind::End => String::new(),
    }
}

/// C code in its braces. Blanks around it do not count.
pub(crate) fn code(text: &str) -> String {
    format!("{{ {text} }}")
}

/// A number. There are no negative ones in the language: they are read from large ones, modulo 2^32.
pub(crate) fn number(value: i32) -> String {
    (value as u32).to_string()
}

/// A string with its quotes.
pub(crate) fn string(text: &str) -> String {
    let mut escaped = false;
    let quoted = text.chars().any(|it| {
        let quote = it == '"' && !escaped;
        escaped = it == '\\' && !escaped;
        quote
    });
    if quoted { format!("${text}$") } else { format!("\"{text}\"") }
}
