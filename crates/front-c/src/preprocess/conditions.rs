//! The integer expressions of `#if` and `#elif`, by precedence climbing.
use text::{Diagnostic, Span};

use crate::numbers;
use crate::operators;
use crate::words::{Kind, Word};

/// How deep parentheses may stand in each other.
const DEEPEST: u32 = 200;

/// Whether a condition holds. Macros have been replaced; names that are left are zero.
pub(super) fn holds(list: &[Word], whole: Span) -> Result<bool, Diagnostic> {
    let mut reader = Reader { list, at: 0, whole, depth: 0 };
    let value = reader.ternary()?;
    match list.get(reader.at) {
        Some(word) => Err(reader.unexpected(Some(word))),
        None => Ok(value != 0),
    }
}

struct Reader<'a> {
    list: &'a [Word],
    at: usize,
    whole: Span,
    depth: u32,
}

impl Reader<'_> {
    fn unexpected(&self, word: Option<&Word>) -> Diagnostic {
        match word {
            Some(it) => {
                Diagnostic::error("bad-condition", it.span, format!("`{}` does not fit into this condition", it.text))
            }
            None => Diagnostic::error("bad-condition", self.whole, "this condition ends too early"),
        }
    }

    fn ternary(&mut self) -> Result<i64, Diagnostic> {
        let condition = self.binary(1)?;
        if !self.list.get(self.at).is_some_and(|it| it.is("?")) {
            return Ok(condition);
        }
        self.at += 1;
        let yes = self.ternary()?;
        if !self.list.get(self.at).is_some_and(|it| it.is(":")) {
            return Err(self.unexpected(self.list.get(self.at)));
        }
        self.at += 1;
        let no = self.ternary()?;
        Ok(if condition != 0 { yes } else { no })
    }

    fn binary(&mut self, least: u8) -> Result<i64, Diagnostic> {
        let mut left = self.unary()?;
        while let Some(word) = self.list.get(self.at) {
            let level = if word.kind == Kind::Punct { operators::strength(&word.text) } else { 0 };
            if level < least || level == 0 {
                break;
            }
            self.at += 1;
            let right = self.binary(level + 1)?;
            // What is divided by zero may stand behind an operator that does not look.
            left = operators::apply(&word.text, left, right).unwrap_or(0);
        }
        Ok(left)
    }

    fn unary(&mut self) -> Result<i64, Diagnostic> {
        let Some(word) = self.list.get(self.at) else { return Err(self.unexpected(None)) };
        self.at += 1;
        self.depth += 1;
        if self.depth > DEEPEST {
            return Err(Diagnostic::error("bad-condition", word.span, "this condition is too deep"));
        }
        let value = match (word.kind, &*word.text) {
            (Kind::Punct, "!") => i64::from(self.unary()? == 0),
            (Kind::Punct, "-") => self.unary()?.wrapping_neg(),
            (Kind::Punct, "+") => self.unary()?,
            (Kind::Punct, "~") => !self.unary()?,
            (Kind::Punct, "(") => {
                let value = self.ternary()?;
                if !self.list.get(self.at).is_some_and(|it| it.is(")")) {
                    return Err(self.unexpected(self.list.get(self.at)));
                }
                self.at += 1;
                value
            }
            (Kind::Name, _) => 0,
            (Kind::Number, text) => numbers::integer(text).map_or(0, |it| it.value as i64),
            (Kind::Character, text) => numbers::character(text),
            _ => return Err(self.unexpected(Some(word))),
        };
        self.depth -= 1;
        Ok(value)
    }
}
