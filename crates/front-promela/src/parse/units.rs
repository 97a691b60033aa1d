//! What stands at the top level.
//!
//! ```text
//! unit    : ['active' ['[' n ']']] ('proctype' | 'D_proctype') name '(' parameters ')' ['priority' n]
//!           ['provided' '(' e ')'] block
//!         | 'init' ['priority' n] block | 'never' [name] block | ('trace' | 'notrace') block
//!         | 'ltl' [name] '{' formula '}' | 'ctl' [name] '{' formula '}' | 'fairness' '{' e '}' | declaration | mtypes | typedef | inline | C
//! C       : ('c_decl' | 'c_code') ['[' … ']'] '{' … '}' | ('c_state' | 'c_track') string string [string]
//! ```
//!
//! Separators between units are optional.
use super::Parser;
use super::hints::Context;
use crate::ast::{Active, Block, Embedded, Expr, Never, Process, Trace, Unit};
use crate::token::{Keyword, Kind, Name, Punct};

impl Parser<'_> {
    /// All units.
    pub(super) fn units(&mut self) {
        self.separators();
        while !self.at_end() {
            let start = self.position();
            self.unit();
            self.end_unit();
            self.ensure_progress(start);
        }
    }

    /// What must follow a unit: nothing, if it was understood.
    fn end_unit(&mut self) {
        if self.trouble.broken {
            self.recover_unit();
        }
        self.separators();
    }

    /// One unit.
    pub(super) fn unit(&mut self) {
        use Keyword::*;
        match self.keyword() {
            Some(Active | Proctype | DProctype) => self.process(),
            Some(Init) => self.init(),
            Some(Never) => self.never(),
            Some(Trace | Notrace) => self.trace(),
            Some(Ltl) => self.ltl(),
            Some(Typedef) if self.at_enumeration() => self.enumeration(),
            Some(Typedef) => self.typedef(),
            Some(Inline) => self.inline(),
            Some(CCode | CDecl | CState | CTrack) => self.embedded(),
            Some(Mtype) if self.at_mtype_list(0) => self.mtype(),
            Some(Hidden | Show | Local) if self.at_mtype_list(1) => self.prefixed_mtype(),
            None if self.at_ctl() => self.ctl(),
            None if self.at_fairness() => self.fairness(),
            None if self.at_invariant() => self.invariant(),
            _ if self.at_declaration() => self.global_declaration(),
            _ => self.other_unit(),
        }
    }

    fn global_declaration(&mut self) {
        let declaration = self.declaration();
        self.units.push(Unit::Declaration(declaration));
        self.end_global_declaration();
    }

    /// What cannot follow a declaration, although units need no separators.
    fn end_global_declaration(&mut self) {
        let separated = self.at(Punct::Semi) || self.at(Punct::Arrow);
        if matches!(self.kind(), Kind::Number(_) | Kind::Text(_)) || (self.punct().is_some() && !separated) {
            self.expected("`;`");
        }
    }

    /// `hidden` and the like before a list of constants: of no use.
    fn prefixed_mtype(&mut self) {
        self.error("misplaced-prefix", "a list of `mtype` constants cannot be hidden, shown or local");
        self.advance();
        self.mtype();
    }

    /// A unit that begins with nothing reserved.
    fn other_unit(&mut self) {
        if self.correct_word(Context::Unit) {
            return self.unit();
        }
        if self.at(Punct::RBrace) {
            self.error("unmatched", "`}` without `{`");
            return self.advance();
        }
        let help =
            self.at_statement().then_some("statements stand in a process: `init { … }`, `active proctype p() { … }`");
        self.expected_with("a process, a declaration or a property", help.map(str::to_string));
    }

    /// A process type.
    fn process(&mut self) {
        let start = self.position();
        let active = self.eat_keyword(Keyword::Active).then(|| self.active());
        let deterministic = self.at_keyword(Keyword::DProctype);
        if !deterministic && !self.at_keyword(Keyword::Proctype) {
            self.expected("`proctype` after `active`");
        } else {
            self.advance();
        }
        let name = self.expect_name("the name of a process");
        self.known.processes.insert(name.name.clone());
        let parameters = self.parameters();
        let priority = self.priority();
        let provided = self.provided();
        let at = self.since(start);
        let body = self.body("process");
        let name = Some(name);
        self.units.push(Unit::Process(Process {
            name,
            deterministic,
            active,
            parameters,
            priority,
            provided,
            body,
            at,
        }));
    }

    /// `[n]` after `active`, if it is there.
    fn active(&mut self) -> Active {
        let open = self.span();
        if !self.eat(Punct::LBracket) {
            return Active { count: None };
        }
        let count = Some(self.operand());
        self.close(Punct::RBracket, open);
        Active { count }
    }

    /// `provided (e)`, if it is there.
    fn provided(&mut self) -> Option<Expr> {
        if !self.eat_keyword(Keyword::Provided) {
            return None;
        }
        let open = self.span();
        self.expect(Punct::LParen);
        let condition = self.expression();
        self.close(Punct::RParen, open);
        Some(condition)
    }

    /// The body of a unit. What stands before it and does not belong there is skipped.
    fn body(&mut self, what: &str) -> Block {
        if !self.at(Punct::LBrace) {
            self.expected("`{`");
        }
        while !self.at(Punct::LBrace) && !self.at(Punct::Semi) && !self.at_end() && !self.at_unit() {
            self.advance();
        }
        self.open = Default::default();
        self.in_body = true;
        let block = self.block(what);
        self.in_body = false;
        block
    }

    /// `init`.
    fn init(&mut self) {
        let start = self.position();
        self.advance();
        let priority = self.priority();
        let at = self.since(start);
        let body = self.body("process");
        self.units.push(Unit::Process(Process {
            name: None,
            deterministic: false,
            active: None,
            parameters: Vec::new(),
            priority,
            provided: None,
            body,
            at,
        }));
    }

    /// `never [name] { … }`.
    fn never(&mut self) {
        let start = self.position();
        self.advance();
        let name = self.eat_name();
        let at = self.since(start);
        let body = self.body("claim");
        self.units.push(Unit::Never(Never { name, body, at }));
    }

    /// `trace { … }` or `notrace { … }`.
    fn trace(&mut self) {
        let start = self.position();
        let forbidden = self.at_keyword(Keyword::Notrace);
        self.advance();
        let at = self.since(start);
        let body = self.body("trace");
        self.units.push(Unit::Trace(Trace { forbidden, body, at }));
    }

    /// C at the top level.
    pub(super) fn embedded(&mut self) {
        let start = self.position();
        let Some(keyword) = self.keyword() else { return };
        self.advance();
        let texts = match keyword {
            Keyword::CState | Keyword::CTrack => self.texts(),
            _ => {
                let (precondition, text) = self.code();
                precondition.into_iter().chain([text]).collect()
            }
        };
        self.units.push(Unit::Embedded(Embedded { keyword, texts, at: self.since(start) }));
    }

    /// Two or three strings.
    fn texts(&mut self) -> Vec<Name> {
        let mut texts = vec![self.expect_text(None), self.expect_text(None)];
        if let Kind::Text(_) = self.kind() {
            texts.push(self.expect_text(None));
        }
        texts
    }
}
