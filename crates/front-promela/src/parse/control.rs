//! Compound statements.
//!
//! ```text
//! block    : '{' sequence '}'
//! compound : block | 'atomic' block | 'd_step' block
//!          | 'if' option+ 'fi' | 'do' option+ 'od'                option: '::' sequence
//!          | 'for' '(' name ':' e '..' e ')' block | 'for' '(' name 'in' reference ')' block
//!          | 'select' '(' name ':' e '..' e ')'
//! step     : statement 'unless' statement
//! ```
//!
//! A construct that is not closed is reported at the word that shows it, with a note at the word that
//! opened it; the word is left to the construct around it, if one is open that it could close.
use text::Span;

use super::Parser;
use super::statements::is_word;
use crate::ast::{At, Block, Expr, Reference, Statement, StatementKind};
use crate::token::{Keyword, Kind, Punct};

/// How many constructs are open whose closing word could be next.
#[derive(Clone, Copy, Default)]
pub(super) struct Open {
    /// `if`.
    selections: u32,
    /// `do`.
    loops: u32,
}

impl Open {
    fn any(self) -> bool {
        self.selections + self.loops > 0
    }

    fn count(&mut self, opener: Keyword) -> &mut u32 {
        if opener == Keyword::If { &mut self.selections } else { &mut self.loops }
    }
}

impl Parser<'_> {
    /// Whether no further step can follow.
    pub(super) fn at_sequence_end(&self) -> bool {
        match self.kind() {
            Kind::Punct(Punct::RBrace) | Kind::End => true,
            Kind::Punct(Punct::ColonColon) | Kind::Keyword(Keyword::Fi | Keyword::Od) => self.open.any(),
            _ => self.at_unit(),
        }
    }

    /// `::`, `fi` or `od` where nothing is open.
    pub(super) fn unmatched(&mut self) -> bool {
        let opener = match self.kind() {
            Kind::Punct(Punct::ColonColon) => "`if` or `do`",
            Kind::Keyword(Keyword::Fi) => "`if`",
            Kind::Keyword(Keyword::Od) => "`do`",
            _ => return false,
        };
        self.error("unmatched", format!("{} without {opener}", self.found()));
        self.advance();
        true
    }

    /// `keyword { … }`.
    pub(super) fn prefixed_block(&mut self, what: &str) -> Block {
        self.advance();
        self.block(what)
    }

    /// `{ … }`.
    pub(super) fn block(&mut self, what: &str) -> Block {
        let open = self.span();
        if !self.expect(Punct::LBrace) {
            return Block { statements: Vec::new(), close: At(open) };
        }
        self.trouble.broken = false;
        let start = self.position();
        let statements = self.nested_sequence();
        let close = At(self.span());
        self.require_statement(start, what, open);
        self.close_block(open);
        Block { statements, close }
    }

    /// A sequence one level further down.
    fn nested_sequence(&mut self) -> Vec<Statement> {
        if !self.enter() {
            self.recover_from_depth();
            return Vec::new();
        }
        let statements = self.sequence();
        self.leave();
        statements
    }

    /// Skips the sequence that is nested too deeply.
    fn recover_from_depth(&mut self) {
        self.trouble.broken = false;
        while !self.at_end() && !self.closes_sequence() {
            self.skip_group();
        }
        self.below_limit();
    }

    fn closes_sequence(&self) -> bool {
        let closes = matches!(self.kind(), Kind::Punct(Punct::RBrace) | Kind::Keyword(Keyword::Fi | Keyword::Od));
        closes || self.at_sequence_end()
    }

    /// Complains about what opens at `open` if nothing but separators stood between word `start` and here.
    fn require_statement(&mut self, start: usize, what: &str, open: Span) {
        let written = self.slice(start..self.position());
        let empty = written.iter().all(|it| matches!(it.kind, Kind::Punct(Punct::Semi | Punct::Arrow)));
        if empty && !self.at_end() && !self.at_unit() {
            let help = "write `skip` if nothing is to be done";
            self.complain("empty-block", open, format!("this {what} is empty")).help(help);
        }
    }

    fn close_block(&mut self, open: Span) {
        if !self.eat(Punct::RBrace) {
            self.error("unclosed", format!("expected `}}`, found {}", self.found())).note(open, "to close this `{`");
        }
    }

    /// `if … fi`.
    pub(super) fn selection(&mut self) -> StatementKind {
        StatementKind::If(self.options(Keyword::If, Keyword::Fi))
    }

    /// `do … od`.
    pub(super) fn repetition(&mut self) -> StatementKind {
        StatementKind::Do(self.options(Keyword::Do, Keyword::Od))
    }

    /// The options between two keywords.
    fn options(&mut self, opener: Keyword, closer: Keyword) -> Vec<Block> {
        let open = self.span();
        self.advance();
        *self.open.count(opener) += 1;
        self.separators();
        let proper = self.at(Punct::ColonColon);
        let mut options = if proper { Vec::new() } else { vec![self.missing_option(opener, closer)] };
        while self.at(Punct::ColonColon) {
            options.push(self.option());
        }
        *self.open.count(opener) -= 1;
        self.close_options(opener, closer, open, proper);
        options
    }

    /// What follows `if` or `do` without `::`.
    fn missing_option(&mut self, opener: Keyword, closer: Keyword) -> Block {
        let (word, end) = (opener.text(), closer.text());
        let help = format!("write `{word} :: condition -> … :: else -> … {end}`");
        self.error("missing-option", format!("expected `::` after `{word}`, found {}", self.found())).help(help);
        let mut statements = Vec::new();
        if !self.at_sequence_end() {
            statements.push(self.statement());
            statements.extend(self.nested_sequence());
        }
        Block { statements, close: At(self.span()) }
    }

    /// `:: sequence`.
    fn option(&mut self) -> Block {
        let open = self.span();
        self.advance();
        let start = self.position();
        let statements = self.nested_sequence();
        self.require_statement(start, "option", open);
        Block { statements, close: At(self.span()) }
    }

    /// `fi` or `od`. The other one is taken for it if nothing is open that it could close.
    fn close_options(&mut self, opener: Keyword, closer: Keyword, open: Span, proper: bool) {
        if self.eat_keyword(closer) {
            return;
        }
        if proper {
            let message = format!("expected `{}`, found {}", closer.text(), self.found());
            self.error("unclosed", message).note(open, format!("to close this `{}`", opener.text()));
        }
        if self.at_keyword(Keyword::Fi) && self.open.selections == 0
            || self.at_keyword(Keyword::Od) && self.open.loops == 0
        {
            self.advance();
        }
    }

    /// `for ( … ) { … }`.
    pub(super) fn for_loop(&mut self) -> StatementKind {
        self.advance();
        let open = self.span();
        self.expect(Punct::LParen);
        let index = self.reference();
        if is_word(self.kind(), "in") {
            return self.for_in(index, open);
        }
        let (from, to) = self.range(open);
        StatementKind::For { index, from, to, body: self.for_body() }
    }

    /// `in container ) { … }`.
    fn for_in(&mut self, index: Reference, open: Span) -> StatementKind {
        self.advance();
        let container = self.reference();
        self.close(Punct::RParen, open);
        StatementKind::ForIn { index, container, body: self.for_body() }
    }

    /// `: from .. to )`.
    fn range(&mut self, open: Span) -> (Expr, Expr) {
        if self.at(Punct::Assign) {
            self.broken("unexpected-word", "expected `:`, found `=`").help("write `for (i : 0 .. 9) { … }`");
        }
        self.expect(Punct::Colon);
        let from = self.operand();
        self.expect(Punct::DotDot);
        let to = self.operand();
        self.close(Punct::RParen, open);
        (from, to)
    }

    /// The body, which may stand on the next line.
    fn for_body(&mut self) -> Block {
        if *self.ahead(1) == Kind::Punct(Punct::LBrace) {
            self.eat(Punct::Semi);
        }
        self.block("loop")
    }

    /// `select ( name : from .. to )`.
    pub(super) fn select(&mut self) -> StatementKind {
        self.advance();
        let open = self.span();
        self.expect(Punct::LParen);
        let index = self.reference();
        let (from, to) = self.range(open);
        StatementKind::Select { index, from, to }
    }

    /// `main unless escape`; `main` has been read.
    pub(super) fn unless(&mut self, main: Statement) -> Statement {
        self.advance();
        let escape = self.statement();
        let at = At(main.at.0.to(escape.at.0));
        if self.at_keyword(Keyword::Unless) {
            let help = "put the first `unless` and what it joins in braces";
            self.broken("misplaced-unless", "`unless` cannot be repeated").help(help);
        }
        Statement { labels: Vec::new(), kind: StatementKind::Unless(Box::new(main), Box::new(escape)), at }
    }

    /// `unless` after a separator: joined to the step before it.
    pub(super) fn late_unless(&mut self, steps: &mut Vec<Statement>) -> Option<Statement> {
        let main = self.at_keyword(Keyword::Unless).then(|| steps.pop()).flatten()?;
        let help = "remove the `;` before `unless`, or put it on the same line";
        self.error("misplaced-unless", "`unless` cannot follow a separator").help(help);
        Some(self.unless(main))
    }
}
