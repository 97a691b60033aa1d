//! Macro definitions: what `#define` says, taken apart once.
//!
//! In a body, `##` joins its neighbours and `#` turns an argument into a string.
//! Both are resolved here into marks on the neighbouring words, so that a use of
//! the macro ([`super::substitute`]) only walks over a list of items.
use std::cell::Cell;
use std::collections::HashMap;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::rc::Rc;

use text::{Diagnostic, Span};

use super::words::{RawWord, WordKind};
use crate::token::{Name, Punct};

/// A macro.
#[derive(Debug)]
pub(super) struct Macro {
    /// What uses of it are called.
    pub name: Name,
    /// Where it is defined: its name.
    pub place: Span,
    /// What stands between the parentheses behind its name; `None` without parentheses.
    pub parameters: Option<Parameters>,
    /// What it stands for.
    pub body: Body,
    /// Whether its words are being read right now, so that it must not be used again.
    pub busy: Cell<bool>,
}

/// The parameters of a macro.
#[derive(Debug, Default, PartialEq)]
pub(super) struct Parameters {
    /// In order; the last one of a variadic macro takes the rest of the arguments.
    pub names: Vec<Name>,
    /// Whether there is a `...`.
    pub variadic: bool,
}

/// What a macro stands for.
#[derive(Debug)]
pub(super) enum Body {
    /// Words.
    Items(Vec<Item>),
    /// The name of the file where it is used.
    FileName,
    /// The number of the line where it is used.
    LineNumber,
}

/// A word of a macro's body.
#[derive(Debug)]
pub(super) struct Item {
    /// As written in the definition.
    pub word: RawWord,
    /// What takes its place.
    pub role: Role,
    /// Whether `##` stands before it.
    pub joins_left: bool,
    /// Whether `##` stands behind it.
    pub joins_right: bool,
}

/// What takes the place of a word in a macro's body.
#[derive(Debug, PartialEq)]
pub(super) enum Role {
    /// The word itself.
    Itself,
    /// An argument.
    Argument(usize),
    /// An argument as a string.
    Quoted(usize),
}

/// All macros at one moment.
pub(super) struct Macros {
    known: HashMap<Name, Rc<Macro>>,
    /// A hash of the whole table, kept up to date as Zobrist's hash of a chess board is: by exclusive or.
    pub fingerprint: u64,
}

impl Default for Macros {
    fn default() -> Self {
        let mut macros = Macros { known: HashMap::new(), fingerprint: 0 };
        for (name, body) in [("__FILE__", Body::FileName), ("__LINE__", Body::LineNumber)] {
            let (name, busy) = (Name::from(name), Cell::new(false));
            let definition = Macro { name: name.clone(), place: Span::default(), parameters: None, body, busy };
            macros.known.insert(name, Rc::new(definition));
        }
        macros
    }
}

impl Macros {
    /// The macro of this name.
    pub fn get(&self, name: &str) -> Option<&Rc<Macro>> {
        self.known.get(name)
    }

    /// Whether there is a macro of this name.
    pub fn has(&self, name: &str) -> bool {
        self.known.contains_key(name)
    }

    /// Adds a macro; returns the one it replaces if that was a different one.
    pub fn define(&mut self, definition: Macro) -> Option<Rc<Macro>> {
        let before = self.known.get(&definition.name).cloned();
        if before.as_ref().is_some_and(|before| before.says_the_same(&definition)) {
            return None;
        }
        self.undefine(&definition.name);
        self.fingerprint ^= definition.fingerprint();
        self.known.insert(definition.name.clone(), Rc::new(definition));
        before
    }

    /// Removes a macro, if it is there.
    pub fn undefine(&mut self, name: &str) {
        if let Some(before) = self.known.remove(name) {
            self.fingerprint ^= before.fingerprint();
        }
    }
}

impl Macro {
    /// Reads what stands behind `#define`; `directive` is the place of that word.
    pub fn parse(words: &[RawWord], directive: Span) -> Result<Macro, Diagnostic> {
        let (name, place) = macro_name(words, "#define", directive)?;
        let has_parameters = words.get(1).is_some_and(|next| next.is(Punct::LParen) && !next.spaced);
        let (parameters, used) =
            if has_parameters { Parameters::parse(&words[2..], words[1].span)? } else { Default::default() };
        let rest = &words[if has_parameters { 2 + used } else { 1 }..];
        let parameters = has_parameters.then_some(parameters);
        let body = Body::Items(items(rest, parameters.as_ref())?);
        Ok(Macro { name, place, parameters, body, busy: Cell::new(false) })
    }

    /// Whether nobody wrote its definition.
    pub fn is_built_in(&self) -> bool {
        !matches!(self.body, Body::Items(_))
    }

    /// A hash of all but its place.
    fn fingerprint(&self) -> u64 {
        let mut hasher = DefaultHasher::new();
        self.name.hash(&mut hasher);
        self.parameters.as_ref().map(|it| (&it.names, it.variadic)).hash(&mut hasher);
        if let Body::Items(items) = &self.body {
            for item in items {
                (item.word.spelling(), item.word.spaced, item.joins_left).hash(&mut hasher);
            }
        }
        hasher.finish()
    }

    /// Whether two definitions are the same but for their places.
    fn says_the_same(&self, other: &Macro) -> bool {
        let (Body::Items(left), Body::Items(right)) = (&self.body, &other.body) else { return false };
        let same = |(at, (l, r)): (usize, (&Item, &Item))| {
            l.word.kind == r.word.kind
                && (l.role == r.role && l.joins_left == r.joins_left)
                && (at == 0 || l.word.spaced == r.word.spaced)
        };
        self.parameters == other.parameters && left.len() == right.len() && left.iter().zip(right).enumerate().all(same)
    }
}

/// The name that `directive` is about, and its place.
pub(super) fn macro_name(words: &[RawWord], directive: &str, place: Span) -> Result<(Name, Span), Diagnostic> {
    let Some(first) = words.first() else {
        return Err(Diagnostic::error("macro-name", place, format!("`{directive}` needs the name of a macro")));
    };
    match first.name() {
        Some(name) if &**name != "defined" => Ok((name.clone(), first.span)),
        _ => {
            let message = format!("`{}` cannot be the name of a macro", first.spelling());
            Err(Diagnostic::error("macro-name", first.span, message))
        }
    }
}

impl Parameters {
    /// Reads up to the closing parenthesis; returns also how many words that took.
    fn parse(words: &[RawWord], open: Span) -> Result<(Parameters, usize), Diagnostic> {
        let mut parameters = Parameters::default();
        let mut at = 0;
        if words.first().is_some_and(|word| word.is(Punct::RParen)) {
            return Ok((parameters, 1));
        }
        loop {
            at += parameters.parse_one(&words[at..], open)?;
            match words.get(at).map(|word| &word.kind) {
                Some(WordKind::Punct(Punct::RParen)) => return Ok((parameters, at + 1)),
                Some(WordKind::Punct(Punct::Comma)) if !parameters.variadic => at += 1,
                _ => return Err(misplaced(words.get(at), open)),
            }
        }
    }

    /// Reads `name`, `...` or `name...`; returns how many words that took.
    fn parse_one(&mut self, words: &[RawWord], open: Span) -> Result<usize, Diagnostic> {
        let name = words.first().and_then(|word| word.name().cloned());
        let dots = usize::from(name.is_some());
        self.variadic = is_ellipsis(&words[dots..]);
        let Some(name) = name.or_else(|| self.variadic.then(|| "__VA_ARGS__".into())) else {
            return Err(misplaced(words.first(), open));
        };
        if self.names.contains(&name) {
            let message = format!("there are two parameters `{name}`");
            return Err(Diagnostic::error("macro-parameters", words[0].span, message));
        }
        self.names.push(name);
        Ok(dots + if self.variadic { 2 } else { 0 })
    }

    /// Which parameter a word is.
    fn index(&self, word: &RawWord) -> Option<usize> {
        let name = word.name()?;
        self.names.iter().position(|it| it == name)
    }
}

/// `...` is two words to the scanner.
fn is_ellipsis(words: &[RawWord]) -> bool {
    matches!(words, [first, second, ..] if first.is(Punct::DotDot) && second.is(Punct::Dot))
}

/// What to say about a word that does not fit into a list of parameters.
fn misplaced(word: Option<&RawWord>, open: Span) -> Diagnostic {
    let (span, message) = match word {
        Some(word) => (word.span, format!("`{}` does not fit into a list of macro parameters", word.spelling())),
        None => (open, "this list of macro parameters does not end".to_string()),
    };
    Diagnostic::error("macro-parameters", span, message).help("write the parameters as `(a, b, c)`")
}

/// Takes a body apart.
fn items(words: &[RawWord], parameters: Option<&Parameters>) -> Result<Vec<Item>, Diagnostic> {
    let mut items: Vec<Item> = Vec::new();
    let mut rest = words.iter();
    while let Some(word) = rest.next() {
        if word.kind == WordKind::HashHash {
            join_left(&mut items, word, rest.len())?;
            continue;
        }
        let joins_left = items.last().is_some_and(|before| before.joins_right);
        let (role, word) = match parameters {
            Some(parameters) if word.kind == WordKind::Hash => (quoted(rest.next(), parameters, word)?, word),
            Some(parameters) => (parameters.index(word).map_or(Role::Itself, Role::Argument), word),
            None => (Role::Itself, word),
        };
        items.push(Item { word: word.clone(), role, joins_left, joins_right: false });
    }
    Ok(items)
}

/// Marks the word before a `##`, behind which `behind` words stand.
fn join_left(items: &mut [Item], word: &RawWord, behind: usize) -> Result<(), Diagnostic> {
    match items.last_mut() {
        Some(left) if behind > 0 => left.joins_right = true,
        _ => return Err(Diagnostic::error("bad-paste", word.span, "`##` needs a word on either side")),
    }
    Ok(())
}

/// The role of `#` in front of a word.
fn quoted(word: Option<&RawWord>, parameters: &Parameters, hash: &RawWord) -> Result<Role, Diagnostic> {
    let index = word.and_then(|word| parameters.index(word));
    let error = || Diagnostic::error("bad-stringise", hash.span, "`#` needs a parameter of the macro behind it");
    index.map(Role::Quoted).ok_or_else(error)
}
