//! From words to a tree, by recursive descent.
//!
//! A part that cannot be read says so once and is left out; reading goes on behind the next `;`, or where the next declaration
//! begins. The grammar is in the manual.
mod composition;
mod declarations;
mod expressions;
mod processes;
mod sequences;

use text::{Diagnostic, Span};

use crate::ast::{Expr, Name, Tree};
use crate::lex::{Kind, Token};

/// Deeper than people write, less deep than the stack.
const DEEPEST: usize = 200;

/// Words that are no names.
const RESERVED: [&str; 38] = [
    "param",
    "const",
    "enum",
    "type",
    "define",
    "var",
    "action",
    "process",
    "alphabet",
    "final",
    "state",
    "goto",
    "cycle",
    "sequence",
    "choose",
    "or",
    "if",
    "else",
    "while",
    "when",
    "end",
    "stop",
    "system",
    "hide",
    "rename",
    "invariant",
    "property",
    "in",
    "at",
    "for",
    "forall",
    "exists",
    "count",
    "sum",
    "true",
    "false",
    "bool",
    "_",
];

/// Words with which a declaration begins.
const BEGINNINGS: [&str; 11] =
    ["param", "const", "enum", "type", "define", "var", "action", "process", "system", "invariant", "property"];

/// The tree of these words, as far as it could be understood, and what is wrong.
pub fn parse(words: &[Token]) -> (Tree, Vec<Diagnostic>) {
    let mut parser = Parser { words, at: 0, depth: 0, diagnostics: Vec::new() };
    let mut tree = Tree::default();
    while !parser.is_at_end() {
        parser.declaration(&mut tree);
    }
    (tree, parser.diagnostics)
}

/// The expression at the start of these words, and how many of them it takes; operators that formulas have too are not part of it.
pub fn leading_condition(words: &[Token]) -> Result<(Expr, usize), Diagnostic> {
    let mut parser = Parser { words, at: 0, depth: 0, diagnostics: Vec::new() };
    match parser.comparison() {
        Some(expr) => Ok((expr, parser.at)),
        None => Err(parser.diagnostics.remove(0)),
    }
}

/// All of these words as one condition.
pub fn condition(words: &[Token]) -> Result<Expr, Diagnostic> {
    let mut parser = Parser { words, at: 0, depth: 0, diagnostics: Vec::new() };
    let expr = parser.expression();
    let expr = expr.filter(|_| parser.is_at_end() || parser.unexpected::<()>("nothing more").is_some());
    expr.ok_or_else(|| parser.diagnostics.remove(0))
}

struct Parser<'w> {
    words: &'w [Token],
    at: usize,
    depth: usize,
    diagnostics: Vec<Diagnostic>,
}

impl Parser<'_> {
    fn peek(&self) -> &Kind {
        &self.words[self.at].kind
    }

    fn peek_second(&self) -> &Kind {
        &self.words[(self.at + 1).min(self.words.len() - 1)].kind
    }

    fn span(&self) -> Span {
        self.words[self.at].span
    }

    /// From a place to the last word that was read.
    fn since(&self, start: Span) -> Span {
        start.to(self.words[self.at.saturating_sub(1)].span)
    }

    fn is_at_end(&self) -> bool {
        *self.peek() == Kind::End
    }

    fn advance(&mut self) {
        if !self.is_at_end() {
            self.at += 1;
        }
    }

    fn is_sign(&self, sign: &str) -> bool {
        matches!(self.peek(), Kind::Sign(it) if *it == sign)
    }

    fn is_word(&self, word: &str) -> bool {
        matches!(self.peek(), Kind::Word(it) if it == word)
    }

    fn take_sign(&mut self, sign: &str) -> bool {
        let found = self.is_sign(sign);
        if found {
            self.advance();
        }
        found
    }

    fn take_word(&mut self, word: &str) -> bool {
        let found = self.is_word(word);
        if found {
            self.advance();
        }
        found
    }

    fn expect(&mut self, sign: &'static str) -> Option<()> {
        if self.take_sign(sign) { Some(()) } else { self.unexpected(&format!("`{sign}`")) }
    }

    fn expect_word(&mut self, word: &'static str) -> Option<()> {
        if self.take_word(word) { Some(()) } else { self.unexpected(&format!("`{word}`")) }
    }

    /// A semicolon, which is missed where it should have been.
    fn semicolon(&mut self) -> Option<()> {
        if self.take_sign(";") {
            return Some(());
        }
        let before = self.words[self.at.saturating_sub(1)].span;
        let end = Span { start: before.end.saturating_sub(1), ..before };
        let message = format!("`;` is missing before {}", self.shown());
        self.diagnostics.push(Diagnostic::error("syntax", end, message));
        None
    }

    /// Says that something else should stand here.
    fn unexpected<T>(&mut self, wanted: &str) -> Option<T> {
        let message = format!("expected {wanted}, found {}", self.shown());
        self.diagnostics.push(Diagnostic::error("syntax", self.span(), message));
        None
    }

    fn shown(&self) -> String {
        match self.peek() {
            Kind::Word(word) => format!("`{word}`"),
            Kind::Number(number) => format!("`{number}`"),
            Kind::Sign(sign) => format!("`{sign}`"),
            Kind::End => "the end of the text".into(),
        }
    }

    /// A name that is no reserved word.
    fn name(&mut self, what: &str) -> Option<Name> {
        let span = self.span();
        match self.peek() {
            Kind::Word(word) if RESERVED.contains(&word.as_str()) => {
                let message = format!("`{word}` is a word of the language and cannot be the name of {what}");
                self.diagnostics.push(Diagnostic::error("reserved-word", span, message));
                None
            }
            Kind::Word(word) => {
                let text = word.clone();
                self.advance();
                Some(Name { text, span })
            }
            _ => self.unexpected(&format!("the name of {what}")),
        }
    }

    /// One or more, with commas between them.
    fn list<T>(&mut self, mut item: impl FnMut(&mut Self) -> Option<T>) -> Option<Vec<T>> {
        let mut list = vec![item(self)?];
        while self.take_sign(",") {
            list.push(item(self)?);
        }
        Some(list)
    }

    /// What is nested, unless it is too deep.
    fn deeper<T>(&mut self, read: impl FnOnce(&mut Self) -> Option<T>) -> Option<T> {
        if self.depth == DEEPEST {
            let message = format!("this is nested deeper than {DEEPEST} levels");
            self.diagnostics.push(Diagnostic::error("too-deep", self.span(), message));
            return None;
        }
        self.depth += 1;
        let result = read(self);
        self.depth -= 1;
        result
    }

    /// Goes on behind the next `;` of this level, before its `}`, or before the next declaration.
    fn recover(&mut self) {
        let mut open = 0;
        loop {
            match self.peek() {
                Kind::End => return,
                Kind::Sign("{") => open += 1,
                Kind::Sign("}") if open == 0 => return,
                Kind::Sign("}") => open -= 1,
                Kind::Sign(";") if open == 0 => return self.advance(),
                Kind::Word(word) if open == 0 && BEGINNINGS.contains(&word.as_str()) => return,
                _ => {}
            }
            self.advance();
        }
    }
}
