//! Properties that hold for a reason that nobody may have meant.
//!
//! `[] (request -> <> granted)` also holds if nobody ever requests anything; mostly that is a mistake in the model or in the formula (Beer,
//! Ben-David, Eisner, Rodeh, *Efficient detection of vacuity in temporal model checking*, 2001). Here the question is asked only of
//! implications: can the left side be true at a moment that matters? One more search says so, and it ends early if the answer is yes.
use std::time::Duration;

use engine::{Fairness, Watch};
use front_promela::ast::{BinaryOp, Expr, ExprKind, Tree, UnaryOp, Unit};
use model::{Formula, Meaning, Model, TemporalProperty};
use report::{Answer, Outcome};
use text::Sources;

use crate::{Options, temporal};

/// Where more states than this had to be visited, nobody asks again.
const MANY: u64 = 10_000_000;

/// Implications that are looked at in one formula.
const MOST: usize = 8;

/// The text of a model and what it became.
pub struct Subject<'a> {
    /// With all properties that were checked.
    pub model: &'a Model,
    /// The text.
    pub tree: &'a Tree,
    /// Where the text came from.
    pub sources: &'a Sources,
}

impl Subject<'_> {
    /// Why an outcome means less than it seems to, if that is so.
    pub fn note(&self, outcome: &Outcome, options: &Options, watch: &mut dyn Watch) -> Option<String> {
        if outcome.answer != Answer::Holds || outcome.effort.statistics.states > MANY {
            return None;
        }
        let property = self.model.temporal_properties.iter().find(|it| it.name == outcome.property)?;
        let Meaning::Formula(formula) = &property.meaning else { return None };
        let mut found = Vec::new();
        implications(formula, self.written(property)?, false, &mut found);
        let mut never = Vec::new();
        for (text, left, later) in found.into_iter().take(MOST) {
            if self.is_impossible(property, left, later, options, watch) {
                let when = if later { "" } else { " (not at the start)" };
                never.push(format!("`{}`{when}", self.sources.slice(text.at.0)));
            }
        }
        (!never.is_empty()).then(|| {
            let sides = never.join(", ");
            format!("the left side of an implication is never true, so that its right side does not matter: {sides}")
        })
    }

    /// The formula as it stands in the text.
    fn written(&self, property: &TemporalProperty) -> Option<&Expr> {
        let formulas = self.tree.units.iter().filter_map(|it| if let Unit::Ltl(ltl) = it { Some(ltl) } else { None });
        formulas.into_iter().find(|it| it.at.0 == property.span).map(|it| &it.formula)
    }

    fn is_impossible(
        &self,
        property: &TemporalProperty,
        left: &Formula,
        later: bool,
        options: &Options,
        watch: &mut dyn Watch,
    ) -> bool {
        let not = Formula::Not(Box::new(left.clone()));
        let formula = if later { Formula::Always(Box::new(not)) } else { not };
        let property = TemporalProperty { meaning: Meaning::Formula(formula), ..property.clone() };
        let model = Model { temporal_properties: vec![property], ..self.model.clone() };
        // Whatever happens first can be the beginning of a fair execution.
        let fairness = if matches!(left, Formula::Atom(_)) { Fairness::None } else { options.fairness };
        let options = Options { fairness, ..options.clone() };
        let outcome = temporal::check(&model, 0, self.sources, &options, Duration::ZERO, watch);
        outcome.is_ok_and(|it| it.answer == Answer::Holds)
    }
}

/// The implications that have to be true for a formula to be, each with the text of its left side, and whether they are about later moments, too.
fn implications<'a>(formula: &'a Formula, text: &'a Expr, later: bool, found: &mut Vec<(&'a Expr, &'a Formula, bool)>) {
    match (formula, &text.kind) {
        (Formula::Implies(left, right), ExprKind::Binary(BinaryOp::Implies, left_text, right_text)) => {
            found.push((left_text, left, later));
            implications(right, right_text, later, found);
        }
        (Formula::And(left, right), ExprKind::Binary(BinaryOp::And, left_text, right_text)) => {
            implications(left, left_text, later, found);
            implications(right, right_text, later, found);
        }
        (Formula::Always(it), ExprKind::Unary(UnaryOp::Always, text)) => implications(it, text, true, found),
        _ => {}
    }
}
