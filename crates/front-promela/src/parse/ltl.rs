//! Formulas of linear temporal logic (Pnueli 1977), in `ltl name { … }`.
//!
//! ```text
//! weakest  -> <->   ||   &&   U V W   | ^ & == … * / %   [] <> X ! (prefix)  strongest
//! ```
//!
//! All infix operators associate to the left, the temporal ones too: `a U b U c` is `(a U b) U c`. Each
//! has a spelled-out form. Since prefix operators bind most strongly, `[] x == 1` would compare the truth
//! of `[] x` with 1; SPIN takes that and checks something else. Here it is an error.
use super::expressions::infix;
use super::{Logic, Parser};
use crate::ast::{BinaryOp, Expr, ExprKind, Ltl, UnaryOp, Unit};
use crate::token::{Keyword, Kind, Punct};

/// Operators that may stand above a temporal one.
pub(super) fn is_boolean(op: BinaryOp) -> bool {
    use BinaryOp::*;
    matches!(op, Or | And | Implies | Equivalent | Until | Release | WeakUntil)
}

/// Infix operators that are punctuation only here.
pub(super) fn punctuated(punct: Punct) -> Option<BinaryOp> {
    match punct {
        Punct::Arrow => Some(BinaryOp::Implies),
        Punct::Equiv => Some(BinaryOp::Equivalent),
        Punct::Disj => infix(Punct::Or),
        Punct::Conj => infix(Punct::And),
        _ => None,
    }
}

/// Infix operators that are words.
fn spelled(word: &str) -> Option<BinaryOp> {
    match word {
        "implies" => Some(BinaryOp::Implies),
        "equivalent" => Some(BinaryOp::Equivalent),
        "U" | "until" | "stronguntil" => Some(BinaryOp::Until),
        "V" | "release" => Some(BinaryOp::Release),
        "W" | "weakuntil" => Some(BinaryOp::WeakUntil),
        _ => None,
    }
}

/// Prefix operators that are words.
fn spelled_prefix(word: &str) -> Option<UnaryOp> {
    match word {
        "always" => Some(UnaryOp::Always),
        "eventually" => Some(UnaryOp::Eventually),
        "X" | "next" => Some(UnaryOp::Next),
        _ => None,
    }
}

impl Parser<'_> {
    /// `ltl [name] { formula }`.
    pub(super) fn ltl(&mut self) {
        let start = self.position();
        self.advance();
        let name = self.eat_name();
        self.in_formula = true;
        let formula = self.formula(Logic::Linear);
        self.in_formula = false;
        let at = self.since(start);
        self.units.push(Unit::Ltl(Ltl { name, formula, at }));
    }

    /// A formula without anything around it, up to the last word; or an `ltl` unit.
    pub(super) fn formula_alone(&mut self) {
        self.separators();
        if self.at_keyword(Keyword::Ltl) {
            self.ltl();
        } else {
            (self.in_formula, self.logic) = (true, Logic::Linear);
            let formula = self.expression();
            (self.in_formula, self.logic) = (false, Logic::Numbers);
            let at = formula.at;
            self.units.push(Unit::Ltl(Ltl { name: None, formula, at }));
        }
        self.separators();
        if !self.at_end() && !self.trouble.broken {
            self.expected("the end of the formula");
        }
    }

    /// `{ formula }`.
    pub(super) fn formula(&mut self, logic: Logic) -> Expr {
        let open = self.span();
        self.in_formula = true;
        self.expect(Punct::LBrace);
        self.logic = logic;
        let formula = self.expression();
        self.separators();
        if !self.eat(Punct::RBrace) {
            self.expected("`}` at the end of the formula").note(open, "to close this `{`");
            self.recover_list();
        }
        (self.in_formula, self.logic) = (false, Logic::Numbers);
        self.forbid_channel_test(&formula);
        formula
    }

    /// Whether there is a temporal operator or an arrow between this parenthesis and the one that closes it.
    pub(super) fn encloses_temporal(&self) -> bool {
        let mut open = 0;
        for ahead in 0.. {
            let is_temporal = match (self.ahead(ahead), self.ahead(ahead + 1)) {
                (Kind::Punct(Punct::LBracket), Kind::Punct(Punct::RBracket)) => true,
                (Kind::Punct(Punct::Lt), Kind::Punct(Punct::Gt)) => true,
                (Kind::Punct(punct), _) => matches!(punct, Punct::Arrow | Punct::Equiv),
                (Kind::Name(name), _) => spelled(name).is_some() || spelled_prefix(name).is_some(),
                _ => false,
            };
            open += i32::from(*self.ahead(ahead) == Kind::Punct(Punct::LParen));
            open -= i32::from(*self.ahead(ahead) == Kind::Punct(Punct::RParen));
            if is_temporal || open == 0 || *self.ahead(ahead) == Kind::End {
                return is_temporal;
            }
        }
        false
    }

    /// The infix operator here, if it is one of those that only formulas have.
    pub(super) fn temporal_infix(&self) -> Option<BinaryOp> {
        let word = self.at_name().and_then(|name| spelled(name));
        word.or_else(|| self.punct().and_then(punctuated))
    }

    /// The prefix operator here, and of how many words it is.
    pub(super) fn temporal_prefix(&self) -> Option<(UnaryOp, usize)> {
        if self.at_all(&[Punct::LBracket, Punct::RBracket]) {
            return Some((UnaryOp::Always, 2));
        }
        if self.at_all(&[Punct::Lt, Punct::Gt]) {
            return Some((UnaryOp::Eventually, 2));
        }
        self.at_name().and_then(|name| spelled_prefix(name)).map(|op| (op, 1))
    }

    /// Complains if a temporal operator stands below an operator on numbers.
    pub(super) fn forbid_temporal(&mut self, expr: &Expr, op: Option<BinaryOp>) {
        if is_temporal(expr) {
            let help = match op {
                Some(BinaryOp::BitAnd) => "write `&&`",
                Some(BinaryOp::BitOr) => "write `||`",
                _ if self.logic == Logic::Branching => "put the comparison in parentheses: `AG (x == 1)`",
                _ => "put the comparison in parentheses: `[] (x == 1)`",
            };
            self.complain("temporal-operand", expr.at.0, "a temporal formula is not a number").help(help);
        }
    }
}

/// Whether an expression has a temporal operator that no operator on numbers hides.
pub fn is_temporal(expr: &Expr) -> bool {
    match &expr.kind {
        ExprKind::Unary(UnaryOp::Always | UnaryOp::Eventually | UnaryOp::Next, _) => true,
        ExprKind::Quantified { .. } => true,
        ExprKind::Unary(UnaryOp::Not, inner) => is_temporal(inner),
        ExprKind::Binary(BinaryOp::Or | BinaryOp::And, left, right) => is_temporal(left) || is_temporal(right),
        ExprKind::Binary(op, ..) => is_boolean(*op),
        _ => false,
    }
}
