//! Sending and receiving.
//!
//! ```text
//! send     : q ('!' | '!!') e (',' e)*            | q ('!' | '!!') e '(' e (',' e)* ')'
//! receive  : q ('?' | '??') fields                | q ('?' | '??') '<' fields '>'
//! poll     : q ('?' | '??') '[' fields ']'        (an expression)
//! fields   : field (',' fields)? | field '(' fields ')' | '(' fields ')'
//! field    : reference | number | '-' number | 'eval' '(' e ')'
//! ```
//!
//! `q!a(b, c)` is `q!a, b, c`: the first field is often the kind of message.
use super::Parser;
use crate::ast::{Expr, ExprKind, ReceiveArgument, Reference, StatementKind};
use crate::token::{Keyword, Kind, Punct};

impl Parser<'_> {
    /// `q!…` or `q!!…`; `q` has been read.
    pub(super) fn send(&mut self, channel: Reference) -> StatementKind {
        let sorted = self.at(Punct::BangBang);
        self.advance();
        let arguments = self.message();
        StatementKind::Send { channel, sorted, arguments }
    }

    /// The fields of a sent message.
    fn message(&mut self) -> Vec<Expr> {
        let head = self.at_name().is_some() && *self.ahead(1) == Kind::Punct(Punct::LParen);
        let mut fields = if head { vec![self.message_head()] } else { self.operands() };
        if fields.len() == 1 && self.at(Punct::LParen) {
            fields.extend(self.arguments());
        }
        fields
    }

    /// A name before the parentheses that hold the rest of the message.
    fn message_head(&mut self) -> Expr {
        let reference = self.reference();
        Expr { at: reference.at, kind: ExprKind::Reference(reference) }
    }

    /// Whether a poll stands here, after the channel.
    pub(super) fn at_poll(&self) -> bool {
        *self.ahead(1) == Kind::Punct(Punct::LBracket)
    }

    /// `q?…` and its relatives; `q` has been read.
    pub(super) fn receive(&mut self, channel: Reference) -> StatementKind {
        let random = self.at(Punct::QueryQuery);
        self.advance();
        let keep = self.eat(Punct::Lt);
        let arguments = self.fields();
        if keep {
            self.expect(Punct::Gt);
        } else if self.punct().is_some_and(|it| super::expressions::infix(it).is_some()) {
            let help = "write `eval(…)` to receive only messages with a certain value";
            self.broken("unexpected-word", format!("a receive cannot contain {}", self.found())).help(help);
        }
        StatementKind::Receive { channel, random, keep, arguments }
    }

    /// `q?[…]` or `q??[…]`; `q` has been read.
    pub(super) fn poll(&mut self, channel: Reference, start: usize) -> Expr {
        let random = self.at(Punct::QueryQuery);
        self.advance();
        let open = self.span();
        self.expect(Punct::LBracket);
        let arguments = self.fields();
        self.close(Punct::RBracket, open);
        Expr { kind: ExprKind::Poll { channel, random, arguments }, at: self.since(start) }
    }

    /// The fields of a received message.
    fn fields(&mut self) -> Vec<ReceiveArgument> {
        let mut fields = Vec::new();
        loop {
            if !self.at(Punct::LParen) {
                fields.push(self.field());
            }
            if self.at(Punct::LParen) {
                fields.extend(self.fields_in_parentheses());
                return fields;
            }
            if !self.eat(Punct::Comma) {
                return fields;
            }
        }
    }

    /// `( fields )`.
    fn fields_in_parentheses(&mut self) -> Vec<ReceiveArgument> {
        let open = self.span();
        if !self.enter() {
            return Vec::new();
        }
        self.advance();
        let fields = self.fields();
        self.close(Punct::RParen, open);
        self.leave();
        fields
    }

    /// What to do with one field.
    fn field(&mut self) -> ReceiveArgument {
        match self.kind() {
            Kind::Name(_) => ReceiveArgument::Reference(self.reference()),
            Kind::Keyword(Keyword::Eval) => {
                self.advance();
                ReceiveArgument::Eval(self.argument())
            }
            _ => ReceiveArgument::Constant(self.constant_field()),
        }
    }

    /// A number, perhaps negative.
    fn constant_field(&mut self) -> Expr {
        let number = usize::from(self.at(Punct::Minus));
        match self.ahead(number) {
            Kind::Number(_) | Kind::Keyword(Keyword::True | Keyword::False | Keyword::Skip) => self.unary(),
            _ => {
                self.expected("a variable, a number or `eval`");
                self.missing()
            }
        }
    }
}
