//! Expressions.
//!
//! ```text
//! weakest  ||   &&   |   ^   &   == !=   < <= > >=   << >>   + -   * / %   ! ~ - (prefix)  strongest
//! ```
//!
//! All infix operators associate to the left. Inside `ltl` and `ctl` there are more of them ([`super::ltl`], [`super::ctl`]).
//!
//! `full`, `nfull`, `empty` and `nempty` are *channel tests*. SPIN keeps them apart from other
//! expressions, because partial-order reduction must see them whole: they may be combined with `&&`
//! and `||` only, and stand only where a condition may. An *operand* is an expression without one.
use text::Span;

use super::{Logic, Parser};
use crate::ast::{At, BinaryOp, ChannelTest, Expr, ExprKind, Reference, Segment, UnaryOp};
use crate::print::channel_test;
use crate::token::{Keyword, Kind, Name, Punct};

/// What a name can begin.
pub(super) enum Named {
    /// A variable or a constant.
    Here(Reference),
    /// A label or a variable of another process.
    Elsewhere(Expr),
}

/// The infix operator that is written so in any expression.
pub(super) fn infix(punct: Punct) -> Option<BinaryOp> {
    Some(match punct {
        Punct::Or => BinaryOp::Or,
        Punct::And => BinaryOp::And,
        Punct::BitOr => BinaryOp::BitOr,
        Punct::BitXor => BinaryOp::BitXor,
        Punct::BitAnd => BinaryOp::BitAnd,
        Punct::Eq => BinaryOp::Eq,
        Punct::Ne => BinaryOp::Ne,
        Punct::Lt => BinaryOp::Lt,
        Punct::Le => BinaryOp::Le,
        Punct::Gt => BinaryOp::Gt,
        Punct::Ge => BinaryOp::Ge,
        Punct::Shl => BinaryOp::Shl,
        Punct::Shr => BinaryOp::Shr,
        Punct::Plus => BinaryOp::Add,
        Punct::Minus => BinaryOp::Sub,
        Punct::Star => BinaryOp::Mul,
        Punct::Slash => BinaryOp::Div,
        Punct::Percent => BinaryOp::Rem,
        _ => return None,
    })
}

/// How strongly an infix operator binds for `spin -f`, which has `&&`, `||` and the arrows on one level.
fn flat_strength(op: BinaryOp) -> u8 {
    match op {
        BinaryOp::And | BinaryOp::Or | BinaryOp::Implies | BinaryOp::Equivalent => 0,
        _ => strength(op),
    }
}

/// How strongly an infix operator binds.
pub(crate) fn strength(op: BinaryOp) -> u8 {
    use BinaryOp::*;
    match op {
        Implies | Equivalent => 0,
        Or => 1,
        And => 2,
        Until | Release | WeakUntil => 3,
        BitOr => 4,
        BitXor => 5,
        BitAnd => 6,
        Eq | Ne => 7,
        Lt | Le | Gt | Ge => 8,
        Shl | Shr => 9,
        Add | Sub => 10,
        Mul | Div | Rem => 11,
    }
}

impl Parser<'_> {
    /// An expression, also one with channel tests.
    pub(super) fn expression(&mut self) -> Expr {
        self.binary(0)
    }

    /// An expression without channel tests and temporal operators.
    pub(super) fn operand(&mut self) -> Expr {
        let logic = std::mem::replace(&mut self.logic, Logic::Numbers);
        let expr = self.binary(0);
        self.logic = logic;
        self.forbid_channel_test(&expr);
        expr
    }

    /// Operands separated by commas.
    pub(super) fn operands(&mut self) -> Vec<Expr> {
        let mut list = vec![self.operand()];
        while self.eat(Punct::Comma) {
            list.push(self.operand());
        }
        list
    }

    /// `( operands )`, possibly none.
    pub(super) fn arguments(&mut self) -> Vec<Expr> {
        let open = self.span();
        self.expect(Punct::LParen);
        let list = if self.at(Punct::RParen) { Vec::new() } else { self.operands() };
        self.close(Punct::RParen, open);
        list
    }

    /// `( operand )`.
    pub(super) fn argument(&mut self) -> Expr {
        let open = self.span();
        self.expect(Punct::LParen);
        let operand = self.operand();
        self.close(Punct::RParen, open);
        operand
    }

    /// Operands between operators that bind at least as strongly as `weakest`.
    fn binary(&mut self, weakest: u8) -> Expr {
        if !self.enter() {
            return self.missing();
        }
        let start = self.position();
        let before = self.nesting.mark();
        let first = self.unary();
        let expr = self.continue_binary(first, start, weakest);
        self.nesting.unmark(before);
        self.leave();
        expr
    }

    /// What follows the first operand.
    fn continue_binary(&mut self, first: Expr, start: usize, weakest: u8) -> Expr {
        let mut left = first;
        let strength = if self.flat { flat_strength } else { strength };
        while let Some(op) = self.infix().filter(|&op| strength(op) >= weakest) {
            if !self.nesting.push_down() {
                self.too_deep();
                return left;
            }
            self.warn_of_line_start();
            self.advance();
            let right = self.binary(strength(op) + 1);
            self.check_operands(op, &left, &right);
            left = Expr { kind: ExprKind::Binary(op, Box::new(left), Box::new(right)), at: self.since(start) };
        }
        left
    }

    /// An expression whose first operand has been read already, from word `start` on.
    pub(super) fn expression_from(&mut self, first: Expr, start: usize) -> Expr {
        let before = self.nesting.mark();
        let expr = self.continue_binary(first, start, 0);
        self.nesting.unmark(before);
        expr
    }

    /// The infix operator here.
    fn infix(&self) -> Option<BinaryOp> {
        let usual = self.punct().and_then(infix);
        usual.or_else(|| match self.logic {
            Logic::Numbers => None,
            Logic::Linear => self.temporal_infix(),
            Logic::Branching => self.branching_infix(),
        })
    }

    /// `! e`, `- e`, `~ e`, a temporal operator, or a primary.
    pub(super) fn unary(&mut self) -> Expr {
        let start = self.position();
        match self.punct() {
            Some(Punct::Bang) => self.prefixed(UnaryOp::Not, 1, start),
            Some(Punct::BangBang) => self.double_negation(),
            Some(Punct::Minus) => self.prefixed(UnaryOp::Negate, 1, start),
            Some(Punct::Tilde) => self.prefixed(UnaryOp::Complement, 1, start),
            _ if self.logic == Logic::Branching && self.at_quantifier() => self.quantified(),
            _ => match self.temporal_prefix().filter(|_| self.logic == Logic::Linear) {
                Some((op, words)) => self.prefixed(op, words, start),
                None => self.primary(),
            },
        }
    }

    /// An operator of so many words, and what it applies to.
    fn prefixed(&mut self, op: UnaryOp, words: usize, start: usize) -> Expr {
        (0..words).for_each(|_| self.advance());
        if !self.enter() {
            return self.missing();
        }
        let operand = self.unary();
        self.leave();
        self.check_prefixed(op, &operand);
        Expr { kind: ExprKind::Unary(op, Box::new(operand)), at: self.since(start) }
    }

    /// `!! e` is `! ! e`.
    fn double_negation(&mut self) -> Expr {
        let start = self.position();
        if !self.enter() {
            return self.missing();
        }
        let inner = self.prefixed(UnaryOp::Not, 1, start);
        self.leave();
        Expr { kind: ExprKind::Unary(UnaryOp::Not, Box::new(inner)), at: self.since(start) }
    }

    /// What operators apply to.
    fn primary(&mut self) -> Expr {
        match self.kind() {
            Kind::Number(value) => self.constant(*value),
            Kind::Name(_) if self.logic == Logic::Linear && self.temporal_infix().is_some() => self.no_primary(),
            Kind::Name(_) => self.named_primary(),
            Kind::Punct(Punct::LParen) => self.parenthesised(),
            Kind::Keyword(keyword) => self.keyword_primary(*keyword),
            _ => self.no_primary(),
        }
    }

    /// A primary that begins with a reserved word.
    fn keyword_primary(&mut self, keyword: Keyword) -> Expr {
        match keyword {
            Keyword::True | Keyword::Skip => self.constant(1),
            Keyword::False => self.constant(0),
            Keyword::Timeout => self.word_as(ExprKind::Timeout),
            Keyword::Np => self.word_as(ExprKind::NonProgress),
            Keyword::Len => self.channel_question(ChannelTest::Len),
            Keyword::Full => self.channel_question(ChannelTest::Full),
            Keyword::Nfull => self.channel_question(ChannelTest::NotFull),
            Keyword::Empty => self.channel_question(ChannelTest::Empty),
            Keyword::Nempty => self.channel_question(ChannelTest::NotEmpty),
            Keyword::Run => self.run(),
            Keyword::Enabled => self.process_query(ExprKind::Enabled),
            Keyword::PcValue => self.process_query(ExprKind::PcValue),
            Keyword::GetPriority => self.process_query(ExprKind::GetPriority),
            Keyword::CExpr => self.code_expression(),
            _ => self.no_primary(),
        }
    }

    /// Nothing that could be an operand.
    fn no_primary(&mut self) -> Expr {
        self.expected("an expression");
        self.missing()
    }

    /// What stands for an expression that is not there.
    pub(super) fn missing(&self) -> Expr {
        Expr { kind: ExprKind::Missing, at: At(self.span()) }
    }

    /// One word that is a number.
    fn constant(&mut self, value: i32) -> Expr {
        self.word_as(ExprKind::Number(value))
    }

    /// One word that is an expression.
    fn word_as(&mut self, kind: ExprKind) -> Expr {
        let at = At(self.span());
        self.advance();
        Expr { kind, at }
    }

    /// `( e )`, or `( c -> a : b )`.
    fn parenthesised(&mut self) -> Expr {
        let (start, open) = (self.position(), self.span());
        // For `spin -f`, what has no temporal operator in it is an expression like any other.
        let flat = self.flat;
        self.flat = flat && self.encloses_temporal();
        self.advance();
        let mut inner = self.expression();
        self.flat = flat;
        if self.at(Punct::Assign) {
            inner = self.assignment_for_comparison(inner, start + 1);
        }
        if self.at(Punct::Arrow) {
            inner = self.conditional(inner);
        }
        self.close(Punct::RParen, open);
        Expr { at: self.since(start), ..inner }
    }

    /// `( a = b )`, where `==` is meant.
    fn assignment_for_comparison(&mut self, left: Expr, start: usize) -> Expr {
        let help = "write `==` to compare; an assignment is a statement, not an expression";
        self.error("assignment-in-expression", "expected `)`, found `=`").help(help);
        self.correct(Kind::Punct(Punct::Eq));
        self.expression_from(left, start)
    }

    /// `c -> a : b` between parentheses; `c` has been read.
    fn conditional(&mut self, condition: Expr) -> Expr {
        self.forbid_channel_test(&condition);
        self.advance();
        let then = self.operand();
        if !self.at(Punct::Colon) {
            self.expected("`:`").help("a choice between two values is `(condition -> value : value)`");
        }
        self.eat(Punct::Colon);
        let otherwise = self.operand();
        let parts = (Box::new(condition), Box::new(then), Box::new(otherwise));
        Expr { kind: ExprKind::Conditional(parts.0, parts.1, parts.2), at: At::default() }
    }

    /// A variable, a poll of a channel, a look into another process.
    fn named_primary(&mut self) -> Expr {
        let start = self.position();
        if *self.ahead(1) == Kind::Punct(Punct::LParen) {
            return self.call_in_expression();
        }
        match self.named() {
            Named::Here(reference) => self.reference_primary(reference, start),
            Named::Elsewhere(expr) => expr,
        }
    }

    /// What a name begins.
    pub(super) fn named(&mut self) -> Named {
        let start = self.position();
        let first = self.segment();
        match self.punct() {
            Some(Punct::At) => Named::Elsewhere(self.remote_label(first, start)),
            Some(Punct::Colon) if self.is_process(&first.name.name) => {
                Named::Elsewhere(self.remote_variable(first, start))
            }
            _ => Named::Here(self.reference_from(first, start)),
        }
    }

    /// A reference, or a poll of the channel it names.
    pub(super) fn reference_primary(&mut self, reference: Reference, start: usize) -> Expr {
        if self.at_all(&[Punct::Query, Punct::LBracket]) || self.at_all(&[Punct::QueryQuery, Punct::LBracket]) {
            return self.poll(reference, start);
        }
        Expr { at: reference.at, kind: ExprKind::Reference(reference) }
    }

    /// `a`, `a[i]`, `a[i].b.c[j]`.
    pub(super) fn reference(&mut self) -> Reference {
        let start = self.position();
        if self.at_name().is_none() {
            self.expected("a variable");
        }
        let first = self.segment();
        self.reference_from(first, start)
    }

    /// A reference whose first step has been read.
    fn reference_from(&mut self, first: Segment, start: usize) -> Reference {
        let mut segments = vec![first];
        while self.eat(Punct::Dot) {
            segments.push(self.segment());
        }
        Reference { segments, at: self.since(start) }
    }

    /// `a` or `a[i]`.
    fn segment(&mut self) -> Segment {
        let name = self.expect_name("a name");
        Segment { name, index: self.index() }
    }

    /// `[i]`, if there is one.
    fn index(&mut self) -> Option<Box<Expr>> {
        let open = self.span();
        if !self.eat(Punct::LBracket) {
            return None;
        }
        let index = self.operand();
        self.close(Punct::RBracket, open);
        Some(Box::new(index))
    }

    /// `P[i]@label`; `P[i]` has been read.
    fn remote_label(&mut self, process: Segment, start: usize) -> Expr {
        self.advance();
        let label = self.expect_name("a label");
        let kind = ExprKind::RemoteLabel { process: process.name, index: process.index, label };
        Expr { kind, at: self.since(start) }
    }

    /// `P[i]:x`; `P[i]` has been read.
    fn remote_variable(&mut self, process: Segment, start: usize) -> Expr {
        self.advance();
        let variable = self.reference();
        let kind = ExprKind::RemoteVariable { process: process.name, index: process.index, variable };
        Expr { kind, at: self.since(start) }
    }

    /// `len(q)` and the like.
    fn channel_question(&mut self, test: ChannelTest) -> Expr {
        let start = self.position();
        self.advance();
        let open = self.span();
        self.expect(Punct::LParen);
        let channel = self.reference();
        self.close(Punct::RParen, open);
        Expr { kind: ExprKind::Channel(test, channel), at: self.since(start) }
    }

    /// `enabled(p)` and the like.
    fn process_query(&mut self, kind: fn(Box<Expr>) -> ExprKind) -> Expr {
        let start = self.position();
        self.advance();
        let process = self.argument();
        Expr { kind: kind(Box::new(process)), at: self.since(start) }
    }

    /// `run P(…) [priority n]`.
    pub(super) fn run(&mut self) -> Expr {
        let start = self.position();
        self.advance();
        self.run_process(start)
    }

    /// What follows `run`.
    pub(super) fn run_process(&mut self, start: usize) -> Expr {
        let process = self.expect_name("a process type");
        let arguments = self.arguments();
        let priority = self.priority().map(Box::new);
        Expr { kind: ExprKind::Run { process, arguments, priority }, at: self.since(start) }
    }

    /// `priority n`, if it is there.
    pub(super) fn priority(&mut self) -> Option<Expr> {
        self.eat_keyword(Keyword::Priority).then(|| self.small_constant())
    }

    /// A number, the name of one, or anything in parentheses: what needs no operator.
    pub(super) fn small_constant(&mut self) -> Expr {
        match self.kind() {
            Kind::Number(_) | Kind::Name(_) | Kind::Punct(Punct::LParen) => self.primary(),
            _ => {
                self.expected("a number");
                self.missing()
            }
        }
    }

    /// `c_expr [precondition] { … }`.
    fn code_expression(&mut self) -> Expr {
        let start = self.position();
        self.advance();
        let (precondition, text) = self.code();
        Expr { kind: ExprKind::Code { precondition, text }, at: self.since(start) }
    }

    /// `[precondition] { … }`, as C text.
    pub(super) fn code(&mut self) -> (Option<Name>, Name) {
        let open = self.span();
        let mut precondition = None;
        if self.eat(Punct::LBracket) {
            precondition = Some(self.code_text());
            self.close(Punct::RBracket, open);
        }
        (precondition, self.code_text())
    }

    fn code_text(&mut self) -> Name {
        if let Kind::Code(text) = self.kind() {
            let text = text.clone();
            self.advance();
            return text;
        }
        self.expected("C code");
        "".into()
    }

    /// Checks what an infix operator is applied to.
    fn check_operands(&mut self, op: BinaryOp, left: &Expr, right: &Expr) {
        let takes_tests = matches!(op, BinaryOp::And | BinaryOp::Or) || self.in_formula && super::ltl::is_boolean(op);
        for operand in [left, right] {
            if !takes_tests {
                self.forbid_channel_test(operand);
            }
            if self.logic != Logic::Numbers && !super::ltl::is_boolean(op) {
                self.forbid_temporal(operand, Some(op));
            }
        }
    }

    /// Checks what a prefix operator is applied to.
    fn check_prefixed(&mut self, op: UnaryOp, operand: &Expr) {
        let Some((test, channel)) = channel_test_in(operand) else {
            if self.logic != Logic::Numbers && matches!(op, UnaryOp::Negate | UnaryOp::Complement) {
                self.forbid_temporal(operand, None);
            }
            return;
        };
        // A formula only looks, so that the opposite of a test is no worse than the test.
        if self.in_formula && !matches!(op, UnaryOp::Negate | UnaryOp::Complement) {
            return;
        }
        let direct = op == UnaryOp::Not && matches!(operand.kind, ExprKind::Channel(..));
        let help = match direct {
            true => format!("write `{}({})`", channel_test(opposite(test)), crate::print::reference(channel)),
            false => channel_test_help(channel),
        };
        self.misplaced_channel_test(test, operand.at.0, help);
    }

    /// Complains if a channel test stands where an operand must.
    pub(super) fn forbid_channel_test(&mut self, expr: &Expr) {
        if let Some((test, channel)) = channel_test_in(expr) {
            self.misplaced_channel_test(test, expr.at.0, channel_test_help(channel));
        }
    }

    fn misplaced_channel_test(&mut self, test: ChannelTest, span: Span, help: String) {
        let message = format!("`{}` can be combined only with `&&` and `||`", channel_test(test));
        self.complain("channel-test-operand", span, message).help(help);
    }
}

/// A channel test that is not below an operator which hides it.
fn channel_test_in(expr: &Expr) -> Option<(ChannelTest, &Reference)> {
    match &expr.kind {
        ExprKind::Channel(ChannelTest::Len, _) => None,
        ExprKind::Channel(test, channel) => Some((*test, channel)),
        ExprKind::Binary(BinaryOp::And | BinaryOp::Or, left, right) => {
            channel_test_in(left).or_else(|| channel_test_in(right))
        }
        _ => None,
    }
}

fn channel_test_help(channel: &Reference) -> String {
    format!("compare `len({})` instead", crate::print::reference(channel))
}

/// The test that is true when this one is false.
fn opposite(test: ChannelTest) -> ChannelTest {
    match test {
        ChannelTest::Full => ChannelTest::NotFull,
        ChannelTest::NotFull => ChannelTest::Full,
        ChannelTest::Empty => ChannelTest::NotEmpty,
        ChannelTest::NotEmpty => ChannelTest::Empty,
        ChannelTest::Len => ChannelTest::Len,
    }
}
