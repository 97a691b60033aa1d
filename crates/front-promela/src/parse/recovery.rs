//! Complaining once, and going on.
//!
//! A complaint about the word where the last one was made, about a statement that is broken already, or
//! about a place of an inline that an earlier expansion complained about, is not made.
//!
//! A broken statement ends at a separator, at a word that closes or continues what surrounds it (`}`,
//! `::`, `fi`, `od`), before a line that begins with a statement's keyword, or where a unit begins. What
//! stands in braces or between `if` and `fi` is skipped as a whole.
use std::collections::HashSet;

use text::{Diagnostic, Span};

use super::Parser;
use crate::token::{Keyword, Kind, Punct};

/// What has gone wrong.
#[derive(Default)]
pub(super) struct Trouble {
    /// The current statement makes no sense any more.
    pub(super) broken: bool,
    /// Brackets that the last broken statement left open.
    unclosed: usize,
    /// The word of the last complaint, and in how many expansions it was.
    last: Option<(usize, usize)>,
    /// How often there was something to complain about.
    pub(super) count: usize,
    /// What was complained about, and where.
    said: HashSet<(&'static str, Span)>,
}

/// A complaint; there is nothing in it if it was not made.
pub(super) struct Complaint<'d>(Option<&'d mut Diagnostic>);

impl Complaint<'_> {
    /// Says what to do about it.
    pub(super) fn help(self, help: impl Into<String>) -> Self {
        self.with(|it| it.help = Some(help.into()))
    }

    /// Says what to do about it, if anything is known.
    pub(super) fn help_if(self, help: Option<impl Into<String>>) -> Self {
        match help {
            Some(help) => self.help(help),
            None => self,
        }
    }

    /// Points at one more place.
    pub(super) fn note(self, span: Span, phrase: impl Into<String>) -> Self {
        self.with(|it| it.notes.insert(0, (span, phrase.into())))
    }

    fn with(mut self, change: impl FnOnce(&mut Diagnostic)) -> Self {
        if let Some(diagnostic) = &mut self.0 {
            change(diagnostic);
        }
        self
    }
}

impl Parser<'_> {
    /// Complains about a place. The statement still makes sense.
    pub(super) fn complain(&mut self, code: &'static str, span: Span, message: impl Into<String>) -> Complaint<'_> {
        let made = self.say(Diagnostic::error(code, span, message));
        self.complaint(made)
    }

    /// Complains about the current word. The statement still makes sense.
    pub(super) fn error(&mut self, code: &'static str, message: impl Into<String>) -> Complaint<'_> {
        let made = self.first_here() && self.say(Diagnostic::error(code, self.span(), message));
        self.complaint(made)
    }

    /// Complains about the current word. The statement is broken.
    pub(super) fn broken(&mut self, code: &'static str, message: impl Into<String>) -> Complaint<'_> {
        let made = self.first_here() && self.say(Diagnostic::error(code, self.span(), message));
        self.trouble.broken = true;
        self.complaint(made)
    }

    /// Complains that something else should stand here. The statement is broken.
    pub(super) fn expected(&mut self, what: &str) -> Complaint<'_> {
        let help = self.misused_operator();
        self.expected_with(what, help.map(str::to_string))
    }

    /// Complains that something else should stand here, and says what to do about it.
    pub(super) fn expected_with(&mut self, what: &str, help: Option<String>) -> Complaint<'_> {
        self.broken("unexpected-word", format!("expected {what}, found {}", self.found())).help_if(help)
    }

    /// Warns about a place.
    pub(super) fn warn(&mut self, code: &'static str, span: Span, message: impl Into<String>) -> Complaint<'_> {
        let made = self.say(Diagnostic::warning(code, span, message));
        self.complaint(made)
    }

    fn complaint(&mut self, made: bool) -> Complaint<'_> {
        Complaint(self.diagnostics.last_mut().filter(|_| made))
    }

    /// Whether the last complaint was about another word.
    fn first_here(&mut self) -> bool {
        let first = self.trouble.last != Some((self.expansions.len(), self.position()));
        if !self.trouble.broken {
            self.stay_silent_here();
        }
        first
    }

    /// Makes no further complaint about the current word.
    pub(super) fn stay_silent_here(&mut self) {
        self.trouble.last = Some((self.expansions.len(), self.position()));
    }

    /// Adds a diagnostic with its surroundings, unless it says nothing new.
    fn say(&mut self, mut diagnostic: Diagnostic) -> bool {
        let place = diagnostic.span.unwrap_or_default();
        self.trouble.count += usize::from(diagnostic.is_error());
        if self.trouble.broken || !self.trouble.said.insert((diagnostic.code, place)) {
            return false;
        }
        let origin = self.word().origin.filter(|_| self.span() == place);
        diagnostic.notes.extend(origin.map(|it| (it, "in this macro".to_string())));
        diagnostic.notes.extend(self.expansions.iter().rev().take(4).map(|it| it.note()));
        self.diagnostics.push(diagnostic);
        true
    }

    /// How the current word reads in a message.
    pub(super) fn found(&self) -> String {
        let word = self.word();
        let implied = word.kind == Kind::Punct(Punct::Semi) && word.span.start == word.span.end;
        if implied { "the end of the line".into() } else { word.kind.describe() }
    }

    /// Takes the bracket that closes the one at `open`, or complains about both.
    pub(super) fn close(&mut self, punct: Punct, open: Span) {
        if self.eat(punct) {
            return;
        }
        let opener = if punct == Punct::RParen { "(" } else { "[" };
        // After `a[1` an `=` is most likely right, and the bracket missing.
        let help = self.misused_operator().filter(|_| punct == Punct::RParen).map(str::to_string);
        self.expected_with(&format!("`{}`", punct.text()), help).note(open, format!("to close this `{opener}`"));
    }

    /// Whether a closing bracket stands here that the last broken statement did not get to.
    pub(super) fn late_bracket(&mut self) -> bool {
        let bracket = self.at(Punct::RParen) || self.at(Punct::RBracket);
        bracket && std::mem::take(&mut self.trouble.unclosed) > 0
    }

    /// Skips the rest of a broken statement.
    pub(super) fn recover(&mut self) {
        let start = self.position();
        while !(self.at_statement_end() || (self.position() > start && self.line_begins_statement())) {
            self.skip_group();
        }
        self.trouble.broken = false;
        self.trouble.unclosed = self.open_brackets();
        self.below_limit();
    }

    /// Skips a word if none has been read since `start`: what no production takes must not stop a loop.
    pub(super) fn ensure_progress(&mut self, start: usize) {
        if self.position() == start {
            self.advance();
        }
    }

    /// Whether the current word ends a broken statement. Between brackets, `->` does not.
    fn at_statement_end(&self) -> bool {
        match self.kind() {
            Kind::Punct(Punct::Arrow) => self.open_brackets() == 0,
            Kind::Punct(Punct::Semi | Punct::RBrace | Punct::ColonColon) => true,
            Kind::Keyword(Keyword::Fi | Keyword::Od) | Kind::End => true,
            _ => self.at_unit(),
        }
    }

    /// Whether the current line begins with a keyword that only a statement begins with.
    fn line_begins_statement(&self) -> bool {
        use Keyword::*;
        let begins = matches!(
            self.keyword(),
            Some(
                If | Do
                    | For
                    | Atomic
                    | DStep
                    | Goto
                    | Break
                    | Printf
                    | Assert
                    | Byte
                    | Int
                    | Bool
                    | Bit
                    | Short
                    | Chan
            )
        );
        begins && self.word().starts_line
    }

    /// Skips one word, or a group if the word opens one: `{ … }`, `if … fi`, `do … od`.
    pub(super) fn skip_group(&mut self) {
        let mut open = 0;
        loop {
            open += self.opens_or_closes();
            self.advance();
            if open <= 0 || self.at_end() || (self.at_unit() && self.word().starts_line) {
                return;
            }
        }
    }

    /// One if the current word opens a group, minus one if it closes one.
    fn opens_or_closes(&self) -> i32 {
        match self.kind() {
            Kind::Punct(Punct::LBrace) | Kind::Keyword(Keyword::If | Keyword::Do) => 1,
            Kind::Punct(Punct::RBrace) | Kind::Keyword(Keyword::Fi | Keyword::Od) => -1,
            _ => 0,
        }
    }

    /// Skips to where a unit begins.
    pub(super) fn recover_unit(&mut self) {
        while !self.at_end() && !self.at_unit() && !self.at_known_type() && !self.eat(Punct::Semi) {
            self.skip_group();
        }
        self.trouble.broken = false;
        self.below_limit();
    }

    /// Skips to the end of a list or formula whose opening brace has been read.
    pub(super) fn recover_list(&mut self) {
        while !self.at_end() && !self.at_unit() && !self.eat(Punct::RBrace) {
            self.skip_group();
        }
        self.trouble.broken = false;
        self.below_limit();
    }

    /// Whether a process, a claim or the like begins here: something that no statement begins with.
    pub(super) fn at_unit(&self) -> bool {
        use Keyword::*;
        let named = || matches!(self.ahead(1), Kind::Name(_));
        let follows = |kind: &Kind| self.ahead(1) == kind;
        let body = || follows(&Kind::Punct(Punct::LBrace));
        match self.keyword() {
            Some(Proctype | DProctype) => named(),
            Some(Active) => {
                follows(&Kind::Punct(Punct::LBracket))
                    || follows(&Kind::Keyword(Proctype))
                    || follows(&Kind::Keyword(DProctype))
            }
            Some(Init) => body() || follows(&Kind::Keyword(Priority)) || follows(&Kind::Keyword(Provided)),
            Some(Never | Ltl) => body() || named(),
            Some(Trace | Notrace) => body(),
            _ => self.at_ctl() || self.at_fairness(),
        }
    }
}
