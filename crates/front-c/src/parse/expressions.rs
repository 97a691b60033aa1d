//! Expressions.
use std::rc::Rc;

use super::{Parser, Result};
use crate::ast::{Expr, ExprKind, Type};
use crate::numbers;
use crate::operators::strength;
use crate::words::Kind;

impl Parser<'_> {
    pub(super) fn expression(&mut self) -> Result<Expr> {
        let start = self.at;
        let mut left = self.assignment()?;
        let mut count = 0;
        while self.eat(",") {
            count += 1;
            self.not_too_long(count)?;
            let right = self.assignment()?;
            left = self.expr(start, ExprKind::Binary(",".into(), Box::new(left), Box::new(right)));
        }
        Ok(left)
    }

    fn expr(&self, start: usize, kind: ExprKind) -> Expr {
        Expr { kind, span: self.since(start) }
    }

    pub(super) fn assignment(&mut self) -> Result<Expr> {
        self.deeper(|it| {
            let start = it.at;
            let left = it.conditional()?;
            let Some(word) = it.peek().filter(|it| it.kind == Kind::Punct) else { return Ok(left) };
            if !matches!(&*word.text, "=" | "+=" | "-=" | "*=" | "/=" | "%=" | "<<=" | ">>=" | "&=" | "^=" | "|=") {
                return Ok(left);
            }
            it.at += 1;
            let right = it.assignment()?;
            Ok(it.expr(start, ExprKind::Assign(word.text.clone(), Box::new(left), Box::new(right))))
        })
    }

    pub(super) fn conditional(&mut self) -> Result<Expr> {
        let start = self.at;
        let condition = self.binary(1)?;
        if !self.eat("?") {
            return Ok(condition);
        }
        let yes = if self.is(":") { None } else { Some(Box::new(self.deeper(Self::expression)?)) };
        self.expect(":")?;
        let no = self.deeper(Self::conditional)?;
        Ok(self.expr(start, ExprKind::Conditional(Box::new(condition), yes, Box::new(no))))
    }

    fn binary(&mut self, least: u8) -> Result<Expr> {
        let start = self.at;
        let mut left = self.cast()?;
        let mut count = 0;
        while let Some(word) = self.peek().filter(|it| it.kind == Kind::Punct) {
            let level = strength(&word.text);
            if level == 0 || level < least {
                break;
            }
            self.at += 1;
            count += 1;
            self.not_too_long(count)?;
            let right = self.binary(level + 1)?;
            left = self.expr(start, ExprKind::Binary(word.text.clone(), Box::new(left), Box::new(right)));
        }
        Ok(left)
    }

    fn cast(&mut self) -> Result<Expr> {
        let start = self.at;
        if !self.holds_type() {
            return self.unary();
        }
        self.at += 1;
        let ty = self.type_name()?;
        self.expect(")")?;
        if self.eat("{") {
            let list = self.deeper(Self::initializers)?;
            let it = self.expr(start, ExprKind::Compound(ty, list));
            return self.postfix(start, it);
        }
        let of = self.deeper(Self::cast)?;
        Ok(self.expr(start, ExprKind::Cast(ty, Box::new(of))))
    }

    fn unary(&mut self) -> Result<Expr> {
        let start = self.at;
        let Some(word) = self.peek() else { return self.fail("an expression") };
        match (&word.kind, &*word.text) {
            (Kind::Punct, "-" | "+" | "!" | "~" | "*" | "&" | "++" | "--") | (Kind::Name, "__real__" | "__imag__") => {
                self.at += 1;
                let of = self.deeper(Self::cast)?;
                Ok(self.expr(start, ExprKind::Unary(word.text.clone(), Box::new(of))))
            }
            (Kind::Punct, "&&") => {
                self.at += 1;
                let name = self.name()?;
                Ok(self.expr(start, ExprKind::Other(format!("&&{name}").into())))
            }
            (Kind::Name, "__extension__") => {
                self.at += 1;
                self.deeper(Self::cast)
            }
            (Kind::Name, "sizeof" | "_Alignof" | "__alignof__" | "__alignof") => {
                self.at += 1;
                if self.holds_type() {
                    self.at += 1;
                    let ty = self.type_name()?;
                    self.expect(")")?;
                    return Ok(self.expr(start, ExprKind::SizeOfType(ty)));
                }
                let of = self.deeper(Self::unary)?;
                Ok(self.expr(start, ExprKind::SizeOf(Box::new(of))))
            }
            _ => {
                let first = self.primary()?;
                self.postfix(start, first)
            }
        }
    }

    fn primary(&mut self) -> Result<Expr> {
        let start = self.at;
        let Some(word) = self.peek() else { return self.fail("an expression") };
        self.at += 1;
        let int = |bits, signed| Type::Integer { bits, signed };
        let kind = match word.kind {
            Kind::Number => match numbers::integer(&word.text) {
                Some(it) => ExprKind::Integer(
                    it.value as i64,
                    word.text.clone(),
                    int(if it.long { 64 } else { 32 }, !it.unsigned),
                ),
                None => ExprKind::Floating(word.text.clone()),
            },
            Kind::Character => ExprKind::Integer(numbers::character(&word.text), word.text.clone(), int(32, true)),
            Kind::String => {
                while self.peek().is_some_and(|it| it.kind == Kind::String) {
                    self.at += 1;
                }
                ExprKind::String(self.text_since(start).replace("\" \"", "").into())
            }
            Kind::Punct if word.is("(") && self.eat("{") => {
                let body = self.deeper(Self::block)?;
                self.expect(")")?;
                ExprKind::Statement(body)
            }
            Kind::Punct if word.is("(") => {
                let it = self.deeper(Self::expression)?;
                self.expect(")")?;
                return Ok(it);
            }
            Kind::Name if self.is("(") && is_special(&word.text) => {
                self.skip_group()?;
                ExprKind::Other(self.text_since(start))
            }
            Kind::Name
                if !super::is_keyword(&word.text) && (!self.starts_type_at(start) || self.is_value(&word.text)) =>
            {
                ExprKind::Name(word.text.clone())
            }
            _ => {
                self.at -= 1;
                return self.fail("an expression");
            }
        };
        Ok(self.expr(start, kind))
    }

    fn starts_type_at(&mut self, at: usize) -> bool {
        let here = std::mem::replace(&mut self.at, at);
        let it = self.starts_type();
        self.at = here;
        it && !self.guesses
    }

    fn postfix(&mut self, start: usize, mut left: Expr) -> Result<Expr> {
        for count in 0.. {
            self.not_too_long(count)?;
            let Some(word) = self.peek().filter(|it| it.kind == Kind::Punct) else { return Ok(left) };
            let of = Box::new(left.clone());
            let kind = match &*word.text {
                "(" => {
                    self.at += 1;
                    ExprKind::Call(of, self.deeper(Self::arguments)?)
                }
                "[" => {
                    self.at += 1;
                    let index = self.deeper(Self::expression)?;
                    self.expect("]")?;
                    ExprKind::Index(of, Box::new(index))
                }
                "." | "->" => {
                    self.at += 1;
                    ExprKind::Member(of, self.name()?, word.is("->"))
                }
                "++" | "--" => {
                    self.at += 1;
                    ExprKind::Postfix(of, word.text.clone())
                }
                _ => return Ok(left),
            };
            left = self.expr(start, kind);
        }
        Ok(left)
    }

    fn arguments(&mut self) -> Result<Vec<Expr>> {
        let mut list = Vec::new();
        while !self.eat(")") {
            list.push(self.assignment()?);
            if !self.eat(",") && !self.is(")") {
                return self.fail("`,` or `)`");
            }
        }
        Ok(list)
    }
}

fn is_special(name: &str) -> bool {
    let _: Option<Rc<str>> = None;
    matches!(
        name,
        "_Generic"
            | "__builtin_va_arg"
            | "__builtin_offsetof"
            | "__builtin_types_compatible_p"
            | "__builtin_choose_expr"
    )
}
