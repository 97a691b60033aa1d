//! Reading words: looking, taking, expecting.
//!
//! Everything that moves through the words does it here, so that a production reads like its grammar.
use std::borrow::Cow;

use text::Span;

use super::Parser;
use crate::ast::{At, Ident};
use crate::token::{Keyword, Kind, Name, Punct, Token};

/// Words and how far they have been read.
pub(super) struct Words<'w> {
    list: Cow<'w, [Token]>,
    /// In an expansion, where each word stands in the inline's body: for a word of an argument, where
    /// the parameter stands that it replaces. Empty otherwise.
    places: Vec<Span>,
    /// Index of the word to be read next. Never past the last one.
    next: usize,
    /// Parentheses and brackets that are open.
    brackets: usize,
}

impl<'w> Words<'w> {
    /// The words of a model. There is always an end, even if the caller forgot it.
    pub(super) fn new(list: &'w [Token]) -> Self {
        let mut list = Cow::Borrowed(list);
        if list.last().is_none_or(|word| word.kind != Kind::End) {
            let span = list.last().map_or(Span::default(), |word| word.span);
            list.to_mut().push(Token { kind: Kind::End, span, origin: None, starts_line: true });
        }
        Words { list, places: Vec::new(), next: 0, brackets: 0 }
    }

    /// The words of an expansion.
    pub(super) fn expansion(list: Vec<Token>, places: Vec<Span>) -> Self {
        Words { list: Cow::Owned(list), places, next: 0, brackets: 0 }
    }

    /// Counts brackets afresh.
    pub(super) fn forget_brackets(&mut self) {
        self.brackets = 0;
    }

    /// Where a word stands in the text that is being read.
    fn place(&self, index: usize) -> Span {
        self.places.get(index).copied().unwrap_or(self.list[index].span)
    }
}

impl Parser<'_> {
    /// Index of the current word.
    pub(super) fn position(&self) -> usize {
        self.words.next
    }

    /// The current word.
    pub(super) fn word(&self) -> &Token {
        &self.words.list[self.words.next]
    }

    /// The current word's kind.
    pub(super) fn kind(&self) -> &Kind {
        &self.word().kind
    }

    /// The kind of the word `distance` words ahead; the end if there are not as many.
    pub(super) fn ahead(&self, distance: usize) -> &Kind {
        self.words.list.get(self.words.next + distance).map_or(&Kind::End, |word| &word.kind)
    }

    /// The word before the current one.
    pub(super) fn previous(&self) -> Option<&Token> {
        self.words.list[..self.words.next].last()
    }

    /// A range of words.
    pub(super) fn slice(&self, range: std::ops::Range<usize>) -> &[Token] {
        &self.words.list[range]
    }

    /// The current word, if it is reserved.
    pub(super) fn keyword(&self) -> Option<Keyword> {
        keyword_of(self.kind())
    }

    /// The current word, if it is punctuation.
    pub(super) fn punct(&self) -> Option<Punct> {
        punct_of(self.kind())
    }

    /// The current word, if it is a name.
    pub(super) fn at_name(&self) -> Option<&Name> {
        name_of(self.kind())
    }

    /// Whether the current word is this punctuation.
    pub(super) fn at(&self, punct: Punct) -> bool {
        self.punct() == Some(punct)
    }

    /// Whether the words from the current one on are these.
    pub(super) fn at_all(&self, puncts: &[Punct]) -> bool {
        puncts.iter().enumerate().all(|(distance, &punct)| punct_of(self.ahead(distance)) == Some(punct))
    }

    /// Whether the current word is this reserved word.
    pub(super) fn at_keyword(&self, keyword: Keyword) -> bool {
        self.keyword() == Some(keyword)
    }

    /// Whether all words are read.
    pub(super) fn at_end(&self) -> bool {
        *self.kind() == Kind::End
    }

    /// Goes to the next word.
    pub(super) fn advance(&mut self) {
        let words = &mut self.words;
        match words.list[words.next].kind {
            Kind::End => return,
            Kind::Punct(Punct::LParen | Punct::LBracket) => words.brackets += 1,
            Kind::Punct(Punct::RParen | Punct::RBracket) => words.brackets = words.brackets.saturating_sub(1),
            _ => {}
        }
        words.next += 1;
    }

    /// How many parentheses and brackets are open.
    pub(super) fn open_brackets(&self) -> usize {
        self.words.brackets
    }

    /// Replaces the current word, as if it had been written so.
    pub(super) fn correct(&mut self, kind: Kind) {
        let next = self.words.next;
        self.words.list.to_mut()[next].kind = kind;
    }

    /// Takes the current word if it is this punctuation.
    pub(super) fn eat(&mut self, punct: Punct) -> bool {
        let found = self.at(punct);
        if found {
            self.advance();
        }
        found
    }

    /// Takes the current word if it is this reserved word.
    pub(super) fn eat_keyword(&mut self, keyword: Keyword) -> bool {
        let found = self.at_keyword(keyword);
        if found {
            self.advance();
        }
        found
    }

    /// Takes the current word if it is a name.
    pub(super) fn eat_name(&mut self) -> Option<Ident> {
        let ident = Ident { name: self.at_name()?.clone(), at: At(self.word().span) };
        self.advance();
        Some(ident)
    }

    /// Takes this punctuation or complains.
    pub(super) fn expect(&mut self, punct: Punct) -> bool {
        let found = self.eat(punct);
        if !found {
            self.expected(&format!("`{}`", punct.text()));
        }
        found
    }

    /// Takes a name or complains; the name is then empty.
    pub(super) fn expect_name(&mut self, what: &str) -> Ident {
        self.eat_name().unwrap_or_else(|| {
            self.expected_name(what);
            Ident { name: "".into(), at: At(self.word().span) }
        })
    }

    /// Complains that a name should stand here.
    fn expected_name(&mut self, what: &str) {
        match self.keyword() {
            Some(word) if self.misused_operator().is_none() => {
                self.expected_with(what, Some(format!("`{}` is a reserved word: choose another name", word.text())));
            }
            _ => drop(self.expected(what)),
        }
    }

    /// Takes separators; whether there were any.
    pub(super) fn separators(&mut self) -> bool {
        let start = self.position();
        while self.eat(Punct::Semi) || self.eat(Punct::Arrow) {}
        self.position() > start
    }

    /// The place of the current word.
    pub(super) fn span(&self) -> Span {
        self.word().span
    }

    /// The place of everything from word `start` to the word before the current one. One word stands
    /// where it was written, several stand together where they are read.
    pub(super) fn since(&self, start: usize) -> At {
        match self.words.next.saturating_sub(1) <= start {
            true => At(self.words.list[start].span),
            false => self.place_since(start),
        }
    }

    /// The same, but also one word stands where it is read.
    pub(super) fn place_since(&self, start: usize) -> At {
        let last = self.words.next.saturating_sub(1).max(start);
        At(self.words.place(start).to(self.words.place(last)))
    }
}

/// The reserved word, if it is one.
pub(super) fn keyword_of(kind: &Kind) -> Option<Keyword> {
    if let Kind::Keyword(keyword) = kind { Some(*keyword) } else { None }
}

/// The punctuation, if it is one.
pub(super) fn punct_of(kind: &Kind) -> Option<Punct> {
    if let Kind::Punct(punct) = kind { Some(*punct) } else { None }
}

/// The name, if it is one.
pub(super) fn name_of(kind: &Kind) -> Option<&Name> {
    if let Kind::Name(name) = kind { Some(name) } else { None }
}
