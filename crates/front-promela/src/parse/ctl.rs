//! Formulas of computation tree logic (Clarke, Emerson 1981), in `ctl name { … }`: an extension.
//!
//! ```text
//! weakest  -> <->   ||   &&   | ^ & == … * / %   ! AX EX AF EF AG EG (prefix)   A[f U g] E[f U g] A[f W g] E[f W g]  strongest
//! ```
//!
//! Infix operators associate to the left, as in `ltl`. No word is reserved: `ctl` and `fairness` begin a unit only before `{` or before a name and `{`, `AG` is an
//! operator only before what it can apply to, `A[` only if there is a `U` or `W` before the bracket that closes it.
use super::ltl::punctuated;
use super::statements::is_word;
use super::{Logic, Parser};
use crate::ast::{BinaryOp, Ctl, Expr, ExprKind, Fairness, PathOp, Unit};
use crate::token::{Keyword, Kind, Punct};

/// Operators with one part.
fn prefix(word: &str) -> Option<(bool, PathOp)> {
    Some(match word {
        "AX" => (true, PathOp::Next),
        "EX" => (false, PathOp::Next),
        "AF" => (true, PathOp::Finally),
        "EF" => (false, PathOp::Finally),
        "AG" => (true, PathOp::Globally),
        "EG" => (false, PathOp::Globally),
        _ => return None,
    })
}

/// Operators between two parts.
fn between(kind: &Kind) -> Option<PathOp> {
    let Kind::Name(name) = kind else { return None };
    match &**name {
        "U" | "until" | "stronguntil" => Some(PathOp::Until),
        "W" | "weakuntil" => Some(PathOp::WeakUntil),
        _ => None,
    }
}

/// Whether a word can begin what a prefix operator applies to. What begins with `-` is a difference.
fn begins_operand(kind: &Kind) -> bool {
    use Keyword::*;
    match kind {
        Kind::Name(_) | Kind::Number(_) => true,
        Kind::Punct(punct) => matches!(punct, Punct::LParen | Punct::Bang | Punct::BangBang | Punct::Tilde),
        Kind::Keyword(word) => {
            matches!(word, True | False | Skip | Timeout | Np | Len | Full | Nfull | Empty | Nempty | Enabled | PcValue)
        }
        _ => false,
    }
}

impl Parser<'_> {
    /// Whether `ctl {` or `ctl name {` stands here.
    pub(super) fn at_ctl(&self) -> bool {
        let brace = Kind::Punct(Punct::LBrace);
        let is_named = matches!(self.ahead(1), Kind::Name(_)) && *self.ahead(2) == brace;
        is_word(self.kind(), "ctl") && (*self.ahead(1) == brace || is_named)
    }

    /// Whether `fairness {` stands here.
    pub(super) fn at_fairness(&self) -> bool {
        is_word(self.kind(), "fairness") && *self.ahead(1) == Kind::Punct(Punct::LBrace)
    }

    /// `ctl [name] { formula }`.
    pub(super) fn ctl(&mut self) {
        let start = self.position();
        self.advance();
        let name = self.eat_name();
        let formula = self.formula(Logic::Branching);
        let at = self.since(start);
        self.units.push(Unit::Ctl(Ctl { name, formula, at }));
    }

    /// `fairness { condition }`.
    pub(super) fn fairness(&mut self) {
        let start = self.position();
        self.advance();
        let condition = self.formula(Logic::Branching);
        if has_path(&condition) {
            let message = "a fairness constraint is a condition on states";
            self.complain("fairness-formula", condition.at.0, message).help("write it without temporal operators");
        }
        let at = self.since(start);
        self.units.push(Unit::Fairness(Fairness { condition, at }));
    }

    /// The infix operator here, if it is one of those that only formulas have.
    pub(super) fn branching_infix(&self) -> Option<BinaryOp> {
        match self.kind() {
            Kind::Name(name) if &**name == "implies" => Some(BinaryOp::Implies),
            Kind::Name(name) if &**name == "equivalent" => Some(BinaryOp::Equivalent),
            Kind::Punct(punct) => punctuated(*punct),
            _ => None,
        }
    }

    /// Whether a path quantifier stands here.
    pub(super) fn at_quantifier(&self) -> bool {
        let Kind::Name(name) = self.kind() else { return false };
        match &**name {
            "A" | "E" => self.encloses_until(),
            word => prefix(word).is_some() && begins_operand(self.ahead(1)),
        }
    }

    /// Whether a bracket or parenthesis follows with a `U` or `W` directly inside.
    fn encloses_until(&self) -> bool {
        let mut open = 0;
        for ahead in 1.. {
            match self.ahead(ahead) {
                Kind::Punct(Punct::LBracket | Punct::LParen) => open += 1,
                Kind::Punct(Punct::RBracket | Punct::RParen) => open -= 1,
                Kind::End | Kind::Punct(Punct::RBrace) => return false,
                kind if open == 1 && between(kind).is_some() => return true,
                _ => {}
            }
            if open <= 0 {
                return false;
            }
        }
        false
    }

    /// A quantifier and what it applies to.
    pub(super) fn quantified(&mut self) -> Expr {
        let start = self.position();
        let word = self.at_name().cloned();
        self.advance();
        if !self.enter() {
            return self.missing();
        }
        let kind = match word.as_deref().and_then(prefix) {
            Some((universal, path)) => ExprKind::Quantified { universal, path, parts: vec![self.unary()] },
            None => self.bracket(word.as_deref() == Some("A")),
        };
        self.leave();
        if let ExprKind::Quantified { parts, .. } = &kind {
            parts.iter().for_each(|it| self.forbid_channel_test(it));
        }
        Expr { kind, at: self.since(start) }
    }

    /// `[f U g]`.
    fn bracket(&mut self, universal: bool) -> ExprKind {
        let open = self.span();
        let closing = if self.at(Punct::LParen) { Punct::RParen } else { Punct::RBracket };
        if closing == Punct::RParen {
            let letter = if universal { 'A' } else { 'E' };
            let help = format!("write `{letter}[f U g]`");
            self.error("ctl-brackets", "a path quantifier before an until has brackets").help(help);
        }
        self.advance();
        let first = self.expression();
        let Some(path) = between(self.kind()) else {
            self.expected("`U` or `W`");
            return ExprKind::Missing;
        };
        self.advance();
        let second = self.expression();
        self.close(closing, open);
        ExprKind::Quantified { universal, path, parts: vec![first, second] }
    }

    /// What to write instead of an operator of `ltl`.
    pub(super) fn misused_in_ctl(&self) -> Option<&'static str> {
        match self.kind() {
            Kind::Punct(Punct::LBracket) if self.at_all(&[Punct::LBracket, Punct::RBracket]) => {
                Some("this is an operator of `ltl`; here always is `AG` (on all paths) or `EG` (on some path)")
            }
            Kind::Punct(Punct::Lt) if self.at_all(&[Punct::Lt, Punct::Gt]) => {
                Some("this is an operator of `ltl`; here eventually is `AF` (on all paths) or `EF` (on some path)")
            }
            Kind::Name(name) => match &**name {
                "U" | "until" | "stronguntil" => Some("write `A[f U g]` (on all paths) or `E[f U g]` (on some path)"),
                "W" | "weakuntil" => Some("write `A[f W g]` (on all paths) or `E[f W g]` (on some path)"),
                "V" | "R" | "release" => Some("f V g is `!E[!f U !g]` on all paths and `!A[!f U !g]` on some path"),
                _ => None,
            },
            _ => None,
        }
    }

    /// What was read as a name before this word, but was meant as an operator without its quantifier.
    pub(super) fn forgotten_quantifier(&self) -> Option<&'static str> {
        match &self.previous()?.kind {
            Kind::Name(name) if begins_operand(self.kind()) => match &**name {
                "X" | "next" => Some("next is `AX` (on all paths) or `EX` (on some path)"),
                "F" | "eventually" => Some("eventually is `AF` (on all paths) or `EF` (on some path)"),
                "G" | "always" => Some("always is `AG` (on all paths) or `EG` (on some path)"),
                _ => None,
            },
            _ => None,
        }
    }
}

/// Whether there is a path quantifier that no operator on numbers hides.
pub fn has_path(expr: &Expr) -> bool {
    match &expr.kind {
        ExprKind::Quantified { .. } => true,
        ExprKind::Unary(crate::ast::UnaryOp::Not, inner) => has_path(inner),
        ExprKind::Binary(BinaryOp::Or | BinaryOp::And | BinaryOp::Implies | BinaryOp::Equivalent, left, right) => {
            has_path(left) || has_path(right)
        }
        _ => false,
    }
}
