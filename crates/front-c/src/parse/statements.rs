//! Statements.
use super::{Meaning, Parser, Result};
use crate::ast::{Stmt, StmtKind};
use crate::words::Kind;

impl Parser<'_> {
    /// Behind `{`, up to `}`.
    pub(super) fn block(&mut self) -> Result<Vec<Stmt>> {
        self.scopes.push(Default::default());
        let mut list = Vec::new();
        while !self.eat("}") {
            list.push(self.statement()?);
        }
        self.scopes.pop();
        Ok(list)
    }

    pub(super) fn statement(&mut self) -> Result<Stmt> {
        self.deeper(Self::statement_inside)
    }

    fn statement_inside(&mut self) -> Result<Stmt> {
        let start = self.at;
        let labelled =
            self.peek().is_some_and(|it| it.kind == Kind::Name) && self.ahead(1).is_some_and(|it| it.is(":"));
        let is_label = labelled && !self.is_name("default") && self.peek().is_none_or(|it| &*it.text != "case");
        if is_label {
            let name = self.name()?;
            self.at += 1;
            self.skip_extras()?;
            let of = self.labelled()?;
            return Ok(self.made(start, StmtKind::Label(name, of)));
        }
        let Some(word) = self.peek() else { return self.fail("a statement") };
        let kind = match &*word.text {
            "{" => {
                self.at += 1;
                StmtKind::Block(self.block()?)
            }
            ";" => {
                self.at += 1;
                StmtKind::Empty
            }
            "asm" | "__asm__" | "__asm" => {
                self.at += 1;
                while self.eat("volatile") || self.eat("__volatile__") || self.eat("goto") || self.eat("inline") {}
                self.skip_group()?;
                self.expect(";")?;
                StmtKind::Asm
            }
            "__attribute__" if self.ahead(1).is_some_and(|it| it.is("(")) => {
                self.skip_extras()?;
                return self.statement();
            }
            "__extension__" => {
                self.at += 1;
                return self.statement();
            }
            _ if word.kind == Kind::Name => match self.keyword(&word.text)? {
                Some(kind) => kind,
                None if self.starts_type() => return self.declaration(),
                None => self.expression_statement()?,
            },
            _ => self.expression_statement()?,
        };
        Ok(self.made(start, kind))
    }

    fn made(&self, start: usize, kind: StmtKind) -> Stmt {
        Stmt { kind, span: self.since(start) }
    }

    fn expression_statement(&mut self) -> Result<StmtKind> {
        let it = self.expression()?;
        self.expect(";")?;
        Ok(StmtKind::Expr(it))
    }

    /// What a label stands before; it may be the end of a block.
    fn labelled(&mut self) -> Result<Box<Stmt>> {
        if self.is("}") {
            return Ok(Box::new(Stmt { kind: StmtKind::Empty, span: self.span() }));
        }
        Ok(Box::new(self.statement()?))
    }

    fn in_parentheses(&mut self) -> Result<crate::ast::Expr> {
        self.expect("(")?;
        let it = self.expression()?;
        self.expect(")")?;
        Ok(it)
    }

    fn keyword(&mut self, word: &str) -> Result<Option<StmtKind>> {
        let known = matches!(
            word,
            "if" | "while" | "do" | "for" | "switch" | "case" | "default" | "goto" | "break" | "continue" | "return"
        );
        if !known {
            return Ok(None);
        }
        self.at += 1;
        let kind = match word {
            "if" => {
                let condition = self.in_parentheses()?;
                let yes = Box::new(self.statement()?);
                let no = if self.eat("else") { Some(Box::new(self.statement()?)) } else { None };
                return Ok(Some(StmtKind::If(condition, yes, no)));
            }
            "while" => {
                let condition = self.in_parentheses()?;
                return Ok(Some(StmtKind::While(condition, Box::new(self.statement()?))));
            }
            "switch" => {
                let value = self.in_parentheses()?;
                return Ok(Some(StmtKind::Switch(value, Box::new(self.statement()?))));
            }
            "for" => return Ok(Some(self.for_loop()?)),
            "case" => {
                let first = self.conditional()?;
                let last = if self.eat("...") { Some(self.conditional()?) } else { None };
                self.expect(":")?;
                return Ok(Some(StmtKind::Case(first, last, self.labelled()?)));
            }
            "default" => {
                self.expect(":")?;
                return Ok(Some(StmtKind::Default(self.labelled()?)));
            }
            "do" => {
                let body = Box::new(self.statement()?);
                if !self.eat("while") {
                    return self.fail("`while`");
                }
                StmtKind::DoWhile(body, self.in_parentheses()?)
            }
            "goto" if self.eat("*") => StmtKind::GotoComputed(self.expression()?),
            "goto" => StmtKind::Goto(self.name()?),
            "break" => StmtKind::Break,
            "continue" => StmtKind::Continue,
            _ if self.is(";") => StmtKind::Return(None),
            _ => StmtKind::Return(Some(self.expression()?)),
        };
        self.expect(";")?;
        Ok(Some(kind))
    }

    fn for_loop(&mut self) -> Result<StmtKind> {
        self.expect("(")?;
        self.scopes.push(Default::default());
        let first = match () {
            () if self.eat(";") => None,
            () if self.starts_type() => Some(Box::new(self.declaration()?)),
            () => {
                let start = self.at;
                let kind = self.expression_statement()?;
                Some(Box::new(self.made(start, kind)))
            }
        };
        let condition = if self.is(";") { None } else { Some(self.expression()?) };
        self.expect(";")?;
        let step = if self.is(")") { None } else { Some(self.expression()?) };
        self.expect(")")?;
        let body = Box::new(self.statement()?);
        self.scopes.pop();
        Ok(StmtKind::For(first, condition, step, body))
    }

    /// Whether a parenthesis holds a type.
    pub(super) fn holds_type(&mut self) -> bool {
        if !self.is("(") {
            return false;
        }
        self.at += 1;
        let known = self.starts_type() || self.is_name("__extension__") && !self.ahead(1).is_some_and(|it| it.is("("));
        let guessed = self.guesses
            && self.peek().is_some_and(|it| it.kind == Kind::Name && self.meaning(&it.text).is_none())
            && self.ahead(1).is_some_and(|it| it.is(")"))
            && self.ahead(2).is_some_and(|it| it.kind == Kind::Name);
        self.at -= 1;
        known || guessed
    }

    pub(super) fn is_value(&self, name: &str) -> bool {
        matches!(self.meaning(name), Some(Meaning::Value))
    }
}
