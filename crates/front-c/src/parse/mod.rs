//! Recursive descent, with precedence climbing for operators. What is a type depends on what was declared before, so scopes are kept
//! while reading. After an error, reading goes on behind the next `;` or `}`.
mod declarations;
mod expressions;
mod statements;

use std::collections::HashMap;
use std::rc::Rc;

use text::{Diagnostic, Span};

use crate::ast::{Expr, RecordId, Type, Unit};
use crate::words::{Kind, Word, words};

/// How deep statements, expressions and declarators may stand in each other.
const DEEPEST: u32 = 300;
/// How many operators may stand beside each other: they stand in each other in the tree.
const LONGEST: usize = 1000;
/// After so many errors there is no point in going on.
const MOST_ERRORS: usize = 20;

/// An error that has been reported.
pub(crate) struct Failed;
type Result<T> = std::result::Result<T, Failed>;

/// What a name is.
#[derive(Clone)]
enum Meaning {
    Type(Type),
    Value,
}

struct Parser<'a> {
    words: &'a [Word],
    at: usize,
    unit: Unit,
    scopes: Vec<HashMap<Rc<str>, Meaning>>,
    tags: HashMap<Rc<str>, RecordId>,
    diagnostics: Vec<Diagnostic>,
    depth: u32,
    /// Whether names without a declaration may be types.
    guesses: bool,
}

/// The tree of a list of words.
pub(crate) fn parse(list: &[Word], guesses: bool) -> (Unit, Vec<Diagnostic>) {
    let mut it = Parser::new(list, Unit::default(), guesses);
    it.unit();
    (it.unit, it.diagnostics)
}

/// An expression that stands alone, e.g. in a table; types are those of the unit.
pub fn fragment(unit: &Unit, text: &str) -> Option<Expr> {
    let list = words(text::FileId(u32::MAX), text);
    let known = Unit { types: unit.types.clone(), records: unit.records.clone(), ..Unit::default() };
    let mut it = Parser::new(&list, known, false);
    it.scopes[0].extend(unit.types.iter().map(|(name, ty)| (name.clone(), Meaning::Type(ty.clone()))));
    let named = unit.records.iter().enumerate().filter_map(|(at, it)| Some((it.name.clone()?, RecordId(at as u32))));
    it.tags.extend(named);
    let expr = it.expression().ok()?;
    (it.at == list.len()).then_some(expr)
}

impl<'a> Parser<'a> {
    fn new(words: &'a [Word], unit: Unit, guesses: bool) -> Self {
        let mut first = HashMap::new();
        for name in ["__builtin_va_list", "_Float128", "_Float64", "_Float32", "_Float32x", "_Float64x", "__float128"] {
            first.insert(name.into(), Meaning::Type(Type::Unknown(name.into())));
        }
        let tags = HashMap::new();
        Parser { words, at: 0, unit, scopes: vec![first], tags, diagnostics: Vec::new(), depth: 0, guesses }
    }

    fn unit(&mut self) {
        while self.at < self.words.len() && self.diagnostics.len() < MOST_ERRORS {
            let before = self.at;
            if self.external().is_err() {
                self.depth = 0;
                self.scopes.truncate(1);
                self.recover();
            }
            if self.at == before {
                self.at += 1;
            }
        }
    }

    /// Skips the rest of a declaration or function.
    fn recover(&mut self) {
        let mut open = 0_i32;
        while let Some(word) = self.peek() {
            match &*word.text {
                "{" => open += 1,
                "}" => open -= 1,
                _ => {}
            }
            let ends = open <= 0 && (word.is(";") || word.is("}"));
            self.at += 1;
            // A line that begins with a name in its first column is a new declaration.
            let fresh = self.peek().is_some_and(|it| it.starts_line && !it.spaced && it.kind == Kind::Name);
            if ends || (fresh && open <= 0) {
                return;
            }
        }
    }

    fn peek(&self) -> Option<&'a Word> {
        self.words.get(self.at)
    }

    fn ahead(&self, by: usize) -> Option<&'a Word> {
        self.words.get(self.at + by)
    }

    fn span(&self) -> Span {
        self.peek().or(self.words.last()).map_or(Span::default(), |it| it.span)
    }

    fn since(&self, start: usize) -> Span {
        let last = self.at.saturating_sub(1).max(start);
        match (self.words.get(start), self.words.get(last)) {
            (Some(first), Some(last)) => first.span.to(last.span),
            _ => Span::default(),
        }
    }

    fn is(&self, punct: &str) -> bool {
        self.peek().is_some_and(|it| it.is(punct))
    }

    fn is_name(&self, name: &str) -> bool {
        self.peek().is_some_and(|it| it.is_name(name))
    }

    fn eat(&mut self, text: &str) -> bool {
        let found = self.is(text) || self.is_name(text);
        self.at += usize::from(found);
        found
    }

    fn expect(&mut self, punct: &str) -> Result<()> {
        if self.eat(punct) { Ok(()) } else { self.fail(&format!("`{punct}`")) }
    }

    fn fail<T>(&mut self, wanted: &str) -> Result<T> {
        let message = match self.peek() {
            Some(it) => format!("`{}` stands where {wanted} should", it.text),
            None => format!("the file ends where {wanted} should stand"),
        };
        let mut error = Diagnostic::error("c-syntax", self.span(), message);
        let unknown = self.peek().filter(|it| it.kind == Kind::Name && !self.guesses).is_some();
        if unknown {
            error = error
                .help("if a name of a type is missing here, include its header (`-I DIR`) or use `--stub-headers`");
        }
        self.diagnostics.push(error);
        Err(Failed)
    }

    fn name(&mut self) -> Result<Rc<str>> {
        match self.peek() {
            Some(it) if it.kind == Kind::Name && !is_keyword(&it.text) => {
                self.at += 1;
                Ok(it.text.clone())
            }
            _ => self.fail("a name"),
        }
    }

    fn deeper<T>(&mut self, part: impl FnOnce(&mut Self) -> Result<T>) -> Result<T> {
        if self.depth >= DEEPEST {
            let message = format!("this stands more than {DEEPEST} deep in other parts");
            self.diagnostics.push(Diagnostic::error("too-deep", self.span(), message));
            return Err(Failed);
        }
        self.depth += 1;
        let result = part(self);
        self.depth -= 1;
        result
    }

    /// A chain of operators that is too long is as bad as one that is too deep.
    fn not_too_long(&mut self, count: usize) -> Result<()> {
        if count < LONGEST {
            return Ok(());
        }
        let message = format!("more than {LONGEST} operators stand beside each other");
        self.diagnostics
            .push(Diagnostic::error("too-deep", self.span(), message).help("make several expressions of it"));
        Err(Failed)
    }

    fn meaning(&self, name: &str) -> Option<&Meaning> {
        self.scopes.iter().rev().find_map(|it| it.get(name))
    }

    fn declare(&mut self, name: &Rc<str>, meaning: Meaning) {
        if let Some(scope) = self.scopes.last_mut() {
            scope.insert(name.clone(), meaning);
        }
    }

    /// The words since `start`, with as few blanks as possible.
    fn text_since(&self, start: usize) -> Rc<str> {
        let mut text = String::new();
        for it in &self.words[start..self.at] {
            let wordy = |it: char| it.is_alphanumeric() || it == '_' || it == '"';
            if text.ends_with(wordy) && it.text.starts_with(wordy) {
                text.push(' ');
            }
            text += &it.text;
        }
        text.into()
    }

    /// Skips from an opening parenthesis behind its closing one.
    fn skip_group(&mut self) -> Result<()> {
        let mut open = 0;
        while let Some(word) = self.peek() {
            self.at += 1;
            match &*word.text {
                "(" | "{" | "[" => open += 1,
                ")" | "}" | "]" => open -= 1,
                _ => {}
            }
            if open == 0 {
                return Ok(());
            }
        }
        self.fail("`)`")
    }

    /// Skips attributes, `__extension__` and the like.
    fn skip_extras(&mut self) -> Result<()> {
        while let Some(it) = self.peek() {
            match &*it.text {
                "__attribute__" | "__attribute" | "asm" | "__asm__" | "__asm" | "_Alignas" | "__declspec" => {
                    self.at += 1;
                    while self.eat("volatile") || self.eat("__volatile__") {}
                    self.skip_group()?;
                }
                "__extension__" | "__restrict" | "__restrict__" | "restrict" | "_Nonnull" | "_Nullable" => self.at += 1,
                "[" if self.ahead(1).is_some_and(|it| it.is("[")) => self.skip_group()?,
                _ => return Ok(()),
            }
        }
        Ok(())
    }
}

fn is_keyword(name: &str) -> bool {
    matches!(
        name,
        "if" | "else"
            | "while"
            | "do"
            | "for"
            | "switch"
            | "case"
            | "default"
            | "break"
            | "continue"
            | "return"
            | "goto"
            | "sizeof"
            | "struct"
            | "union"
            | "enum"
            | "typedef"
            | "extern"
            | "static"
            | "void"
            | "int"
            | "char"
            | "short"
            | "long"
            | "float"
            | "double"
            | "signed"
            | "unsigned"
            | "const"
            | "volatile"
    )
}
