//! Sequences and simple statements.
//!
//! ```text
//! sequence : step ((';' | '->')+ step)*
//! step     : declaration | ('xr' | 'xs') reference (',' reference)* | statement ['unless' statement]
//! statement: name ':' [statement] | simple | compound
//! simple   : expression | reference '=' expression | reference ('++' | '--') | 'else' | 'break' | 'goto' name
//!          | 'assert' expression | 'printf' '(' string (',' expression)* ')' | 'printm' '(' name ')'
//!          | 'set_priority' '(' expression ',' expression ')' | 'c_code' … | send | receive | call
//! ```
//!
//! `;` and `->` mean the same. More of them than needed do no harm, and after `}` and `else` there may be
//! none. A label with nothing behind it labels a `skip`.
use super::Parser;
use super::expressions::Named;
use super::hints::Context;
use super::words::name_of;
use crate::ast::{Expr, ExprKind, Ident, Reference, Statement, StatementKind};
use crate::token::{Keyword, Kind, Name, Punct};

impl Parser<'_> {
    /// Steps and separators, up to a word that can be neither.
    pub(super) fn sequence(&mut self) -> Vec<Statement> {
        let mut steps = Vec::new();
        self.separators();
        while !self.at_sequence_end() {
            let start = self.position();
            self.words.forget_brackets();
            if self.unmatched() || self.hoisted() {
                self.separators();
                continue;
            }
            self.step(&mut steps);
            self.end_step(steps.last());
            self.ensure_progress(start);
        }
        steps
    }

    /// One step.
    fn step(&mut self, steps: &mut Vec<Statement>) {
        let step = match self.late_unless(steps) {
            Some(step) => step,
            None => {
                let first = self.statement();
                if self.at_keyword(Keyword::Unless) { self.unless(first) } else { first }
            }
        };
        steps.push(step);
    }

    /// What must follow a step.
    fn end_step(&mut self, last: Option<&Statement>) {
        if self.trouble.broken {
            self.recover();
        }
        if self.late_bracket() {
            self.recover();
        }
        if self.separators() || self.at_sequence_end() || self.needs_no_separator(last) {
            return;
        }
        if self.unmatched() {
            self.separators();
            return;
        }
        self.missing_separator();
        if self.trouble.broken || !self.at_statement() {
            self.recover();
            self.separators();
        }
    }

    /// Whether the next step may follow at once.
    fn needs_no_separator(&self, last: Option<&Statement>) -> bool {
        let brace = self.previous().is_some_and(|word| word.kind == Kind::Punct(Punct::RBrace));
        brace || matches!(last.map(|it| &it.kind), Some(StatementKind::Else | StatementKind::Call { .. }))
    }

    /// A statement with its labels.
    pub(super) fn statement(&mut self) -> Statement {
        let labels = self.labels();
        let start = self.position();
        if !labels.is_empty() && self.at_label_end() {
            let at = labels.last().map(|label: &Ident| label.at).unwrap_or_default();
            return Statement { labels, kind: StatementKind::Condition(number(1, at)), at };
        }
        if !self.enter() {
            return Statement { labels, kind: StatementKind::Condition(self.missing()), at: self.since(start) };
        }
        let kind = self.unlabelled(!labels.is_empty());
        self.leave();
        Statement { labels, kind, at: self.place_since(start) }
    }

    /// `a: b: …`.
    fn labels(&mut self) -> Vec<Ident> {
        let mut labels = Vec::new();
        while self.at_label() {
            labels.extend(self.eat_name());
            self.advance();
        }
        labels
    }

    /// Whether a label stands here: a name and a colon, unless that reads a variable of a process.
    fn at_label(&self) -> bool {
        let colon = *self.ahead(1) == Kind::Punct(Punct::Colon) && *self.ahead(2) != Kind::Punct(Punct::Assign);
        colon && self.at_name().is_some_and(|name| !self.is_process(name))
    }

    /// Whether nothing follows a label.
    fn at_label_end(&self) -> bool {
        match self.kind() {
            Kind::Punct(Punct::Semi | Punct::Arrow | Punct::RBrace | Punct::ColonColon) | Kind::End => true,
            Kind::Keyword(Keyword::Fi | Keyword::Od) => true,
            _ => self.at_unit(),
        }
    }

    /// A statement without its labels.
    fn unlabelled(&mut self, labelled: bool) -> StatementKind {
        match self.keyword() {
            Some(keyword) => self.keyword_statement(keyword, labelled),
            None if self.at_declaration() => self.local_declaration(labelled),
            None if self.at_name().is_some() => self.named_statement(),
            None if self.at(Punct::LBrace) => StatementKind::Block(self.block("block")),
            None if self.at_statement() => StatementKind::Condition(self.expression()),
            None => self.no_statement(),
        }
    }

    /// A statement that begins with a reserved word.
    fn keyword_statement(&mut self, keyword: Keyword, labelled: bool) -> StatementKind {
        use Keyword::*;
        match keyword {
            If => self.selection(),
            Do => self.repetition(),
            For => self.for_loop(),
            Select => self.select(),
            Atomic => StatementKind::Atomic(self.prefixed_block("atomic sequence")),
            DStep => StatementKind::DStep(self.prefixed_block("d_step sequence")),
            Else => self.single(StatementKind::Else),
            Break => self.single(StatementKind::Break),
            Goto => self.goto(),
            Assert => self.assert(),
            Printf => self.printf(),
            Printm => self.printm(),
            SetPriority => self.set_priority(),
            CCode => self.code_statement(),
            Return => self.return_statement(),
            Xr | Xs => self.exclusive(labelled),
            Run => self.run_statement(),
            _ if self.at_declaration() => self.local_declaration(labelled),
            _ if self.at_statement() => StatementKind::Condition(self.expression()),
            _ => self.no_statement(),
        }
    }

    /// Nothing that could be a statement.
    fn no_statement(&mut self) -> StatementKind {
        self.expected("a statement");
        StatementKind::Condition(self.missing())
    }

    /// A statement of one word.
    fn single(&mut self, kind: StatementKind) -> StatementKind {
        self.advance();
        kind
    }

    /// A declaration among statements.
    fn local_declaration(&mut self, labelled: bool) -> StatementKind {
        self.forbid_label(labelled, "a declaration");
        StatementKind::Declaration(self.declaration())
    }

    fn forbid_label(&mut self, labelled: bool, what: &str) {
        if labelled {
            let help = "put the label on the statement that follows";
            self.error("misplaced-label", format!("{what} cannot have a label")).help(help);
        }
    }

    /// `xr q, r` or `xs q`.
    fn exclusive(&mut self, labelled: bool) -> StatementKind {
        self.forbid_label(labelled, "an exclusive use of channels");
        let send = self.at_keyword(Keyword::Xs);
        self.advance();
        let mut channels = vec![self.reference()];
        while self.eat(Punct::Comma) {
            channels.push(self.reference());
        }
        StatementKind::Exclusive { send, channels }
    }

    /// `goto L`.
    fn goto(&mut self) -> StatementKind {
        self.advance();
        StatementKind::Goto(self.expect_name("a label after `goto`"))
    }

    /// `assert e`.
    fn assert(&mut self) -> StatementKind {
        self.advance();
        StatementKind::Assert(self.expression())
    }

    /// `printf("…", e, …)`.
    fn printf(&mut self) -> StatementKind {
        self.advance();
        let open = self.span();
        self.expect(Punct::LParen);
        let format = self.expect_text(Some("a format comes first: `printf(\"%d\\n\", x)`"));
        let arguments = if self.eat(Punct::Comma) { self.operands() } else { Vec::new() };
        self.close(Punct::RParen, open);
        StatementKind::Printf(format, arguments)
    }

    /// A string; if there is none, what to say about that.
    pub(super) fn expect_text(&mut self, help: Option<&str>) -> Name {
        if let Kind::Text(text) = self.kind() {
            let text = text.clone();
            self.advance();
            return text;
        }
        self.expected("a string").help_if(help);
        "".into()
    }

    /// `printm(x)`.
    fn printm(&mut self) -> StatementKind {
        self.advance();
        let value = self.argument();
        if !matches!(value.kind, ExprKind::Number(_) | ExprKind::Reference(_) | ExprKind::Missing) {
            self.complain("printm-argument", value.at.0, "`printm` takes one name or number");
        }
        StatementKind::Printm(value)
    }

    /// `set_priority(p, n)`.
    fn set_priority(&mut self) -> StatementKind {
        self.advance();
        let open = self.span();
        self.expect(Punct::LParen);
        let process = self.operand();
        self.expect(Punct::Comma);
        let priority = self.operand();
        self.close(Punct::RParen, open);
        StatementKind::SetPriority(process, priority)
    }

    /// `c_code [precondition] { … }`.
    fn code_statement(&mut self) -> StatementKind {
        self.advance();
        let (precondition, text) = self.code();
        StatementKind::Code { precondition, text }
    }

    /// A condition that creates a process.
    fn run_statement(&mut self) -> StatementKind {
        match self.at_run_many() {
            true => self.run_many(),
            false => StatementKind::Condition(self.expression()),
        }
    }

    /// A statement that begins with a name.
    fn named_statement(&mut self) -> StatementKind {
        if let Some(statement) = self.pv_statement() {
            return statement;
        }
        if self.correct_word(Context::Statement) {
            return self.unlabelled(false);
        }
        if *self.ahead(1) == Kind::Punct(Punct::LParen) {
            return self.call_statement();
        }
        let start = self.position();
        match self.named() {
            Named::Here(reference) => self.reference_statement(reference, start),
            Named::Elsewhere(first) => StatementKind::Condition(self.expression_from(first, start)),
        }
    }

    /// A statement that begins with a variable.
    fn reference_statement(&mut self, reference: Reference, start: usize) -> StatementKind {
        match self.punct() {
            Some(Punct::Assign) => self.assignment(reference),
            Some(Punct::Increment) => self.single(StatementKind::Increment(reference)),
            Some(Punct::Decrement) => self.single(StatementKind::Decrement(reference)),
            Some(Punct::Bang | Punct::BangBang) => self.send(reference),
            Some(Punct::Query | Punct::QueryQuery) if !self.at_poll() => self.receive(reference),
            _ if self.at_foreign_assignment() => self.foreign_assignment(reference),
            _ => {
                let first = self.reference_primary(reference, start);
                StatementKind::Condition(self.expression_from(first, start))
            }
        }
    }

    /// `x = e` or `x = f(…)`.
    pub(super) fn assignment(&mut self, target: Reference) -> StatementKind {
        self.advance();
        if self.at_inline_call() {
            return self.call(Some(target));
        }
        let value = self.expression();
        StatementKind::Assign(target, value)
    }

    /// Whether a statement can begin here.
    pub(super) fn at_statement(&self) -> bool {
        use Keyword::*;
        match self.kind() {
            Kind::Name(_) | Kind::Number(_) => true,
            Kind::Keyword(Active | DProctype | Eval | Fi | Init | Ltl | Never | Notrace) => false,
            Kind::Keyword(Od | Of | Priority | Proctype | Provided | Trace | Unless) => false,
            Kind::Keyword(_) => true,
            Kind::Punct(Punct::LParen | Punct::LBrace) => true,
            Kind::Punct(Punct::Bang | Punct::BangBang | Punct::Tilde | Punct::Minus) => true,
            _ => false,
        }
    }

    /// `typedef`, `inline` and the like inside a body: read as a unit. All but `c_decl` are errors.
    fn hoisted(&mut self) -> bool {
        let what = match self.keyword() {
            Some(Keyword::Typedef) => "a `typedef`",
            Some(Keyword::Inline) => "an `inline`",
            Some(Keyword::Mtype) if self.at_mtype_list(0) => "a list of `mtype` constants",
            Some(Keyword::CState | Keyword::CTrack) => "`c_state` and `c_track`",
            Some(Keyword::CDecl) => {
                self.embedded();
                return true;
            }
            _ => return false,
        };
        self.error("not-global", format!("{what} must stand outside processes")).help("move it before the process");
        self.unit();
        true
    }
}

/// A number that is not written anywhere.
pub(super) fn number(value: i32, at: crate::ast::At) -> Expr {
    Expr { kind: ExprKind::Number(value), at }
}

/// Whether a word is the name `text`.
pub(super) fn is_word(kind: &Kind, text: &str) -> bool {
    name_of(kind).is_some_and(|name| &**name == text)
}
