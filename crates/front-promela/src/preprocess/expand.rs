//! Macro expansion by painting.
//!
//! The words that take the place of a macro's use are read again, together with
//! what follows, for further uses. While they are being read the macro is *busy*;
//! a busy macro's name is painted and never replaced again, so that expansion
//! ends (C 2011, 6.10.3.4). Reading is a stack: on top the words of the latest
//! use, at the bottom the [`Supply`]. Uses in a body thus cost no recursion;
//! only arguments, which are expanded on their own, do, and their nesting is
//! limited. So is the number of words, because bodies can double.
use std::rc::Rc;

use text::{Diagnostic, Sources, Span};

use super::macros::{Body, Macro, Macros};
use super::substitute::{Argument, Substitution};
use super::words::{RawWord, WordKind};
use crate::token::Punct;

/// How many words macros may produce in one run.
const MOST_WORDS: usize = if cfg!(test) { 200_000 } else { 1_000_000 };

/// Where words come from when no macro provides any.
pub(super) trait Supply {
    /// The next word, or `None` at the end of what is in reach.
    fn next(&mut self, expander: &mut Expander, reach: Reach) -> Option<RawWord>;
}

/// How far to look for a word.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Reach {
    /// To the end of everything.
    Everything,
    /// To the end of the file: a use of a macro does not go on in the including file.
    ThisFile,
}

/// Supplies nothing: for a list of words that stands alone.
struct Nothing;

impl Supply for Nothing {
    fn next(&mut self, _: &mut Expander, _: Reach) -> Option<RawWord> {
        None
    }
}

/// Replaces uses of macros.
pub(super) struct Expander<'a> {
    /// Every file so far.
    pub sources: &'a mut Sources,
    /// Everything wrong so far.
    pub diagnostics: Vec<Diagnostic>,
    /// Everything that came out so far.
    pub words: Vec<RawWord>,
    /// The macros of the moment.
    pub macros: Macros,
    reading: Reading,
    in_condition: bool,
    busy: usize,
    /// How deep the argument stands that is being expanded.
    pub(super) nesting: usize,
    left: usize,
    pub(super) halted: bool,
}

/// What is being read.
#[derive(Default)]
struct Reading {
    /// The latest use is the last one.
    uses: Vec<Use>,
    /// A word that was read too early.
    returned: Option<RawWord>,
    /// What stood before a use that produced nothing, for the word behind it.
    owed: Gap,
}

/// The words of one use of a macro.
struct Use {
    words: std::vec::IntoIter<RawWord>,
    definition: Option<Rc<Macro>>,
    /// What stands between the last of them and the word behind the use, beyond what that word says.
    behind: Gap,
}

/// What separates two words.
#[derive(Clone, Copy, Default)]
pub(super) struct Gap {
    /// A blank.
    pub spaced: bool,
    /// A line break.
    pub starts_line: bool,
}

impl Gap {
    fn before(word: &RawWord) -> Gap {
        Gap { spaced: word.spaced, starts_line: word.starts_line }
    }

    fn add(&mut self, other: Gap) {
        self.spaced |= other.spaced;
        self.starts_line |= other.starts_line;
    }
}

impl<'a> Expander<'a> {
    /// Knows no macros but the built-in ones.
    pub fn new(sources: &'a mut Sources) -> Self {
        Expander {
            sources,
            diagnostics: Vec::new(),
            words: Vec::new(),
            macros: Macros::default(),
            reading: Reading::default(),
            in_condition: false,
            busy: 0,
            nesting: 0,
            left: MOST_WORDS,
            halted: false,
        }
    }

    /// The next word that is not a use of a macro.
    pub fn next(&mut self, supply: &mut dyn Supply) -> Option<RawWord> {
        loop {
            let word = self.read(supply, Reach::Everything)?;
            if self.in_condition && word.name().is_some_and(|name| &**name == "defined") {
                return Some(self.defined(word, supply));
            }
            let Some(definition) = self.definition(&word) else { return Some(word) };
            if let Some(word) = self.use_of(definition, word, supply) {
                return Some(word);
            }
        }
    }

    /// A list of words that stands alone, with its macros replaced.
    pub fn expand(&mut self, words: Vec<RawWord>) -> Vec<RawWord> {
        let alone = Reading {
            uses: vec![Use { words: words.into_iter(), definition: None, behind: Gap::default() }],
            ..Reading::default()
        };
        let outside = std::mem::replace(&mut self.reading, alone);
        let mut out = Vec::new();
        while let Some(word) = self.next(&mut Nothing) {
            out.push(word);
        }
        self.reading = outside;
        out
    }

    /// The words of a condition: as [`Self::expand`], and `defined X` becomes 1 or 0.
    pub fn expand_condition(&mut self, words: Vec<RawWord>) -> Vec<RawWord> {
        self.in_condition = true;
        let words = self.expand(words);
        self.in_condition = false;
        words
    }

    /// The next word as it stands, painted if it names a busy macro.
    pub(super) fn read(&mut self, supply: &mut dyn Supply, reach: Reach) -> Option<RawWord> {
        if let Some(word) = self.reading.returned.take() {
            return Some(word);
        }
        let mut word = match self.read_use() {
            Some(word) => word,
            None if self.halted => return None,
            None => supply.next(self, reach)?,
        };
        let owed = std::mem::take(&mut self.reading.owed);
        word.spaced |= owed.spaced;
        word.starts_line |= owed.starts_line;
        word.painted |= self.busy > 0 && self.definition(&word).is_some_and(|it| it.busy.get());
        Some(word)
    }

    /// The next word of the uses that are being read; leaves those that are over.
    fn read_use(&mut self) -> Option<RawWord> {
        loop {
            if let Some(word) = self.reading.uses.last_mut()?.words.next() {
                self.spend_one(word.span);
                return (!self.halted).then_some(word);
            }
            let over = self.reading.uses.pop()?;
            self.reading.owed.add(over.behind);
            if let Some(definition) = over.definition {
                definition.busy.set(false);
                self.busy -= 1;
            }
        }
    }

    /// Counts a word that a macro produced, and stops everything when there are too many.
    fn spend_one(&mut self, place: Span) {
        match self.left.checked_sub(1) {
            Some(left) => self.left = left,
            None => self.halt_for_words(place),
        }
    }

    fn halt_for_words(&mut self, place: Span) {
        self.halt(place, format!("macros produce more than {MOST_WORDS} words"));
    }

    /// Adds a diagnostic, unless everything has stopped.
    pub(super) fn report(&mut self, diagnostic: Diagnostic) {
        if !self.halted {
            self.diagnostics.push(diagnostic);
        }
    }

    /// Stops everything.
    pub(super) fn halt(&mut self, place: Span, message: String) {
        let error = Diagnostic::error("expansion-limit", place, message);
        self.report(error.help("look for macros that use each other several times"));
        self.halted = true;
        self.reading.uses.clear();
    }

    /// The macro that a word may be a use of.
    pub(super) fn definition(&self, word: &RawWord) -> Option<Rc<Macro>> {
        let name = word.name().filter(|_| !word.painted)?;
        self.macros.get(name).cloned()
    }

    /// Replaces a use; gives `name` back if it is none, because no parenthesis follows.
    fn use_of(&mut self, definition: Rc<Macro>, name: RawWord, supply: &mut dyn Supply) -> Option<RawWord> {
        let Some(parameters) = &definition.parameters else {
            self.enter(&definition, &name, name.span, &[], Gap::default());
            return None;
        };
        match self.read(supply, Reach::ThisFile) {
            Some(open) if open.is(Punct::LParen) => {
                let list = self.argument_list(parameters, &name, &open, supply)?;
                self.call(&definition, parameters, &name, list);
                None
            }
            other => {
                self.reading.returned = other;
                Some(name)
            }
        }
    }

    /// Puts what a macro stands for in front of what is read next.
    pub(super) fn enter(
        &mut self,
        definition: &Rc<Macro>,
        name: &RawWord,
        place: Span,
        arguments: &[Argument],
        mut behind: Gap,
    ) {
        let mut words = self.replacement(definition, place, arguments);
        let Some(first) = words.first_mut() else {
            behind.add(Gap::before(name));
            return self.reading.owed.add(behind);
        };
        (first.spaced, first.starts_line) = (name.spaced, name.starts_line);
        definition.busy.set(true);
        self.busy += 1;
        self.reading.uses.push(Use { words: words.into_iter(), definition: Some(definition.clone()), behind });
    }

    /// What takes the place of a use.
    fn replacement(&mut self, definition: &Macro, place: Span, arguments: &[Argument]) -> Vec<RawWord> {
        let built_in = |kind| vec![RawWord { origin: Some(place), ..RawWord::new(kind, place, false) }];
        let items = match &definition.body {
            Body::Items(items) => items,
            Body::FileName => return built_in(WordKind::Text(self.sources.place(place).file.into())),
            Body::LineNumber => return built_in(number(self.sources.place(place).line)),
        };
        match Substitution::new(definition, place, arguments).write(items, &mut self.left) {
            Some((words, flaws)) => {
                self.diagnostics.extend(flaws);
                words
            }
            None => {
                self.halt_for_words(place);
                Vec::new()
            }
        }
    }

    /// `defined X` or `defined (X)` in a condition, as a number. `word` is the first word of it.
    fn defined(&mut self, word: RawWord, supply: &mut dyn Supply) -> RawWord {
        let mut next = self.read(supply, Reach::Everything);
        let open = next.as_ref().is_some_and(|it| it.is(Punct::LParen));
        if open {
            next = self.read(supply, Reach::Everything);
        }
        let name = next.as_ref().and_then(RawWord::name);
        let value = name.is_some_and(|name| self.macros.has(name));
        let complete =
            name.is_some() && (!open || self.read(supply, Reach::Everything).is_some_and(|it| it.is(Punct::RParen)));
        if !complete {
            let error = Diagnostic::error("bad-condition", word.span, "`defined` needs the name of a macro");
            self.report(error.help("write `defined(NAME)`"));
        }
        RawWord { kind: number(u32::from(value)), ..word }
    }
}

/// A number as a word.
fn number(value: u32) -> WordKind {
    WordKind::Number(value.to_string().into())
}
