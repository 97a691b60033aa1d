//! Expressions, operators by level.
use super::Parser;
use crate::ast::{Binary, Expr, ExprKind, Name, Quantifier, Unary};
use crate::lex::Kind;

/// Infix operators by level, the loosest first.
const LEVELS: [&[(&str, Binary)]; 7] = [
    &[("<->", Binary::Equivalent)],
    &[("->", Binary::Implies)],
    &[("||", Binary::Or)],
    &[("&&", Binary::And)],
    &[
        ("==", Binary::Equal),
        ("!=", Binary::Unequal),
        ("<", Binary::Less),
        ("<=", Binary::LessOrEqual),
        (">", Binary::Greater),
        (">=", Binary::GreaterOrEqual),
    ],
    &[("+", Binary::Plus), ("-", Binary::Minus)],
    &[("*", Binary::Times), ("/", Binary::Divided), ("%", Binary::Remainder)],
];

/// The level of `||`: implications need parentheses where an arrow means something else.
const DISJUNCTION: usize = 2;
const COMPARISON: usize = 4;
const SUM: usize = 5;

const QUANTIFIERS: [(&str, Quantifier); 4] = [
    ("forall", Quantifier::ForAll),
    ("exists", Quantifier::Exists),
    ("count", Quantifier::Count),
    ("sum", Quantifier::Sum),
];

impl Parser<'_> {
    pub(super) fn expression(&mut self) -> Option<Expr> {
        let condition = self.level(0)?;
        self.conditional(condition)
    }

    /// A condition in front of the `->` of a command.
    pub(super) fn guard(&mut self) -> Option<Expr> {
        let condition = self.level(DISJUNCTION)?;
        self.conditional(condition)
    }

    fn conditional(&mut self, condition: Expr) -> Option<Expr> {
        if !self.take_sign("?") {
            return Some(condition);
        }
        let yes = self.deeper(Self::expression)?;
        self.expect(":")?;
        let no = self.deeper(Self::expression)?;
        let span = condition.span.to(no.span);
        Some(Expr { kind: ExprKind::Conditional(Box::new(condition), Box::new(yes), Box::new(no)), span })
    }

    pub(super) fn comparison(&mut self) -> Option<Expr> {
        self.level(COMPARISON)
    }

    pub(super) fn sum(&mut self) -> Option<Expr> {
        self.level(SUM)
    }

    /// Everything of this level or tighter. Arrows group to the right, all others to the left.
    fn level(&mut self, level: usize) -> Option<Expr> {
        let Some(operators) = LEVELS.get(level) else { return self.prefix() };
        let mut left = self.level(level + 1)?;
        while let Some(&(_, operator)) = operators.iter().find(|it| self.is_sign(it.0)) {
            self.advance();
            let right = match level < DISJUNCTION {
                true => self.deeper(|it| it.level(level))?,
                false => self.level(level + 1)?,
            };
            let span = left.span.to(right.span);
            left = Expr { kind: ExprKind::Binary(operator, Box::new(left), Box::new(right)), span };
        }
        Some(left)
    }

    fn prefix(&mut self) -> Option<Expr> {
        let start = self.span();
        let operator = match self.peek() {
            Kind::Sign("!") => Unary::Not,
            Kind::Sign("-") => Unary::Minus,
            _ => return self.quantified(),
        };
        self.advance();
        let operand = self.deeper(Self::prefix)?;
        let span = start.to(operand.span);
        Some(Expr { kind: ExprKind::Unary(operator, Box::new(operand)), span })
    }

    fn quantified(&mut self) -> Option<Expr> {
        let start = self.span();
        let Some(&(_, quantifier)) = QUANTIFIERS.iter().find(|it| self.is_word(it.0)) else { return self.postfix() };
        self.advance();
        let binding = self.binding()?;
        self.expect(":")?;
        let body = self.deeper(Self::expression)?;
        let span = start.to(body.span);
        Some(Expr { kind: ExprKind::Quantified(quantifier, Box::new(binding), Box::new(body)), span })
    }

    /// `a[i]`, `p.x`, `p at s`.
    pub(super) fn postfix(&mut self) -> Option<Expr> {
        let mut expr = self.primary()?;
        loop {
            let kind = if self.take_sign("[") {
                let indices = self.list(|it| it.deeper(Self::expression))?;
                self.expect("]")?;
                ExprKind::Index(Box::new(expr.clone()), indices)
            } else if self.take_sign(".") {
                ExprKind::Member(Box::new(expr.clone()), self.member()?)
            } else if self.take_word("at") {
                ExprKind::At(Box::new(expr.clone()), self.name("a state")?)
            } else {
                return Some(expr);
            };
            expr = Expr { kind, span: self.since(expr.span) };
        }
    }

    fn member(&mut self) -> Option<Name> {
        self.name("a variable")
    }

    fn primary(&mut self) -> Option<Expr> {
        let span = self.span();
        let kind = match self.peek() {
            Kind::Number(value) => ExprKind::Number(*value),
            Kind::Word(word) if word == "true" || word == "false" => ExprKind::Bool(word == "true"),
            Kind::Sign("(") => return self.parenthesis(),
            Kind::Word(_) => return self.named(),
            _ => return self.unexpected("an expression"),
        };
        self.advance();
        Some(Expr { kind, span })
    }

    fn parenthesis(&mut self) -> Option<Expr> {
        let start = self.span();
        self.advance();
        let inner = self.deeper(Self::expression)?;
        self.expect(")")?;
        Some(Expr { span: self.since(start), ..inner })
    }

    fn named(&mut self) -> Option<Expr> {
        let name = self.name("a value")?;
        let span = name.span;
        if !self.take_sign("(") {
            return Some(Expr { kind: ExprKind::Name(name.text), span });
        }
        let arguments = self.list(|it| it.deeper(Self::expression))?;
        self.expect(")")?;
        Some(Expr { kind: ExprKind::Call(name, arguments), span: self.since(span) })
    }
}
