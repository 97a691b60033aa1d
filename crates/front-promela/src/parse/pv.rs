//! The extensions of PV (Gopalakrishnan, Nalumasu, Palmer, Chatterjee, Prather 2001), read only in its dialect.
//!
//! ```text
//! type     : 'lock' | 'sema'
//! simple   : 'lock' '(' reference ')' | 'unlock' '(' reference ')'
//!          | 'run' ('[' name '<' n ']')+ name '(' arguments ')'
//! unit     : 'typedef' 'enum' '{' name (',' name)* '}' name | 'typedef' 'enum' name (',' name)* name
//!          | 'invariant' name expression
//! ```
use super::statements::is_word;
use super::words::name_of;
use super::{Dialect, Parser};
use crate::ast::{Enumeration, Expr, Ident, Invariant, StatementKind, TypeKind, Unit};
use crate::token::{Kind, Punct};

impl Parser<'_> {
    fn is_pv(&self) -> bool {
        self.dialect == Dialect::Pv
    }

    /// The type of a lock or a semaphore.
    pub(super) fn pv_type(&self, name: &Ident) -> Option<TypeKind> {
        match &*name.name {
            "lock" if self.is_pv() => Some(TypeKind::Lock),
            "sema" if self.is_pv() => Some(TypeKind::Sema),
            _ => None,
        }
    }

    /// `lock(x)` or `unlock(x)`.
    pub(super) fn pv_statement(&mut self) -> Option<StatementKind> {
        if !self.is_pv() || *self.ahead(1) != Kind::Punct(Punct::LParen) {
            return None;
        }
        let make = match &**self.at_name()? {
            "lock" => StatementKind::Lock,
            "unlock" => StatementKind::Unlock,
            _ => return None,
        };
        self.advance();
        let open = self.span();
        self.advance();
        let reference = self.reference();
        self.close(Punct::RParen, open);
        Some(make(reference))
    }

    /// Whether a `run` with ranges stands here.
    pub(super) fn at_run_many(&self) -> bool {
        self.is_pv() && *self.ahead(1) == Kind::Punct(Punct::LBracket)
    }

    /// `run [i < n] [j < m] P(…)`.
    pub(super) fn run_many(&mut self) -> StatementKind {
        self.advance();
        let mut ranges = Vec::new();
        while self.at(Punct::LBracket) {
            ranges.push(self.run_range());
        }
        let start = self.position();
        StatementKind::RunMany(ranges, self.run_process(start))
    }

    /// `[i < n]`.
    fn run_range(&mut self) -> (Ident, Expr) {
        let open = self.span();
        self.advance();
        let index = self.expect_name("the name of an index");
        self.expect(Punct::Lt);
        let bound = self.operand();
        self.close(Punct::RBracket, open);
        (index, bound)
    }

    /// Whether `typedef enum` stands here.
    pub(super) fn at_enumeration(&self) -> bool {
        self.is_pv() && is_word(self.ahead(1), "enum")
    }

    /// `typedef enum { a, b } T`, also without braces.
    pub(super) fn enumeration(&mut self) {
        self.advance();
        self.advance();
        let open = self.span();
        let braces = self.eat(Punct::LBrace);
        let mut names = vec![self.expect_name("the name of a constant")];
        while self.eat(Punct::Comma) {
            names.push(self.expect_name("the name of a constant"));
        }
        if braces {
            self.close_list(open);
        }
        let name = self.expect_name("the name of a type");
        self.known.types.insert(name.name.clone());
        self.units.push(Unit::Enumeration(Enumeration { name, names }));
    }

    /// `invariant name expression`.
    pub(super) fn invariant(&mut self) {
        self.advance();
        let name = self.expect_name("the name of the invariant");
        let condition = self.expression();
        self.units.push(Unit::Invariant(Invariant { name, condition }));
    }

    /// Whether an invariant stands here.
    pub(super) fn at_invariant(&self) -> bool {
        self.is_pv() && is_word(self.kind(), "invariant") && name_of(self.ahead(1)).is_some()
    }
}
