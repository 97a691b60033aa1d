//! Formulas of branching time.
//!
//! A part without a path quantifier is one condition, whatever operators it is made of: it is asked as a whole, from left to right, and where a left side
//! decides, the right one is not asked.
use ctl::Formula;
use model::{Branching, Expr, Meaning, TemporalProperty};

use super::Lower;
use super::temporal::row_of;
use crate::ast::{self, BinaryOp, ExprKind, PathOp, Tree, UnaryOp, Unit};
use crate::parse::ctl::has_path;
use crate::print;

/// The conditions of a formula.
#[derive(Clone, Default)]
struct Conditions {
    observes: Vec<Expr>,
    texts: Vec<String>,
}

impl Conditions {
    fn row(&mut self, condition: Expr, text: String) -> u32 {
        let row = row_of(condition, &mut self.observes);
        if row as usize == self.texts.len() {
            self.texts.push(text);
        }
        row
    }
}

impl Lower {
    /// All of `ctl name { … }`; what `fairness { … }` says counts for each.
    pub fn branching_formulas(&mut self, tree: &Tree) {
        self.in_claim = true;
        let mut constraints = Vec::new();
        for unit in &tree.units {
            if let Unit::Fairness(it) = unit {
                constraints.push((self.proposition(&it.condition), print::expression(&it.condition)));
            }
        }
        let formulas = tree.units.iter().filter_map(|unit| if let Unit::Ctl(ctl) = unit { Some(ctl) } else { None });
        for (row, ctl) in formulas.enumerate() {
            let mut conditions = Conditions::default();
            let formula = self.branching(&ctl.formula, &mut conditions);
            let fairness = constraints.iter().map(|it| conditions.row(it.0.clone(), it.1.clone())).collect();
            let Conditions { observes, texts } = conditions;
            let name = ctl.name.as_ref().map_or_else(|| format!("ctl_{row}"), |it| it.name.to_string());
            let meaning = Meaning::Branching(Branching { formula, fairness, texts });
            self.property(TemporalProperty { name, meaning, observes, span: ctl.at.0 });
        }
        self.in_claim = false;
    }

    fn branching(&mut self, expr: &ast::Expr, conditions: &mut Conditions) -> Formula {
        if !has_path(expr) {
            return match self.proposition(expr) {
                Expr::Constant(value) => Formula::constant(value != 0),
                condition => Formula::atom(conditions.row(condition, print::expression(expr))),
            };
        }
        let mut part = |it: &ast::Expr| self.branching(it, conditions);
        match &expr.kind {
            ExprKind::Unary(_, it) => part(it).negated(),
            ExprKind::Binary(BinaryOp::And, left, right) => part(left).and(part(right)),
            ExprKind::Binary(BinaryOp::Implies, left, right) => part(left).implies(part(right)),
            ExprKind::Binary(BinaryOp::Equivalent, left, right) => part(left).equivalent(part(right)),
            ExprKind::Binary(_, left, right) => part(left).or(part(right)),
            ExprKind::Quantified { universal, path, parts } => {
                let parts = parts.iter().map(part).collect();
                quantified(*universal, *path, parts)
            }
            // Nothing else has a path in it.
            _ => Formula::constant(false),
        }
    }

    /// A condition, in which implications may stand.
    fn proposition(&mut self, expr: &ast::Expr) -> Expr {
        let not = |it: Expr| Box::new(Expr::Unary(model::UnaryOp::Not, Box::new(it)));
        match &expr.kind {
            ExprKind::Unary(UnaryOp::Not, it) => *not(self.proposition(it)),
            ExprKind::Binary(BinaryOp::Implies, left, right) => {
                let (left, right) = (self.proposition(left), self.proposition(right));
                Expr::Binary(model::BinaryOp::Or, not(left), Box::new(right))
            }
            ExprKind::Binary(BinaryOp::Equivalent, left, right) => {
                let (left, right) = (self.proposition(left), self.proposition(right));
                Expr::Binary(model::BinaryOp::Eq, not(left), not(right))
            }
            ExprKind::Binary(op @ (BinaryOp::And | BinaryOp::Or), left, right) => {
                let op = if *op == BinaryOp::And { model::BinaryOp::And } else { model::BinaryOp::Or };
                let (left, right) = (self.proposition(left), self.proposition(right));
                Expr::Binary(op, Box::new(left), Box::new(right))
            }
            _ => self.expr(expr),
        }
    }
}

fn quantified(universal: bool, path: PathOp, parts: Vec<Formula>) -> Formula {
    let mut parts = parts.into_iter();
    let mut part = || parts.next().unwrap_or_else(|| Formula::constant(false));
    let path = match path {
        PathOp::Next => ctl::Path::Next(part()),
        PathOp::Finally => ctl::Path::Finally(part()),
        PathOp::Globally => ctl::Path::Globally(part()),
        PathOp::Until => ctl::Path::Until(part(), part()),
        PathOp::WeakUntil => ctl::Path::WeakUntil(part(), part()),
    };
    ctl::Node::Path(ctl::Quantifier { is_universal: universal, actions: None }, path).into()
}
