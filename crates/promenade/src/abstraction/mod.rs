//! Predicate abstraction: the abstract model, its check, and the loop that adds predicates.
//!
//! A counterexample of the abstract model is followed on the concrete one, statement by statement: every abstract step has
//! the place of the concrete one. Either the concrete model goes wrong in the same way, which is replayed like any other
//! violation, or there is a step that it cannot take.
mod follow;

use std::time::Duration;

use abstraction::predicates::{self, Predicates};
use engine::Watch;
use front_promela::{lower, print};
use model::Model;
use model::semantics::Semantics;
use report::{Answer, Outcome, Terms};
use text::Diagnostic;

use crate::check::{SAFETY, open};
use crate::{Checked, Input, Options, check_model, completed, load, temporal};
use follow::{Followed, Follower};

/// What to do.
#[derive(Clone, Debug)]
pub struct Plan {
    /// How to abstract.
    pub options: abstraction::Options,
    /// How to check; what to read.
    pub check: Options,
    /// The abstract model is checked.
    pub checks: bool,
    /// How often predicates may be added.
    pub rounds: usize,
    /// The most predicates.
    pub most_predicates: usize,
}

/// What became of an abstraction.
#[derive(Debug)]
pub struct Abstraction {
    /// Texts and messages.
    pub checked: Checked,
    /// The last abstract model, as text.
    pub text: Option<String>,
    /// What was found out.
    pub verdict: Option<Verdict>,
    /// How many abstract models were checked.
    pub rounds: usize,
    /// The predicates of the last one, each with its name.
    pub predicates: Vec<(String, String)>,
    /// States of the last one.
    pub states: u64,
    /// What was assumed, and not checked.
    pub assumed: Vec<String>,
}

/// What is known about the concrete model.
#[derive(Clone, Debug)]
pub enum Verdict {
    /// Every property that is preserved holds.
    Holds,
    /// A violation that was replayed on the concrete model.
    Violated(Box<report::Violation>),
    /// The abstract model has a counterexample that the concrete one has not; where it breaks.
    Spurious(String),
    /// Nobody knows, and why.
    Unknown(String),
}

/// Abstracts a model, and checks the abstraction if that is wanted.
pub fn abstract_model(input: &Input, file: &std::path::Path, plan: &Plan, watch: &mut dyn Watch) -> Abstraction {
    let opened = open(input, &plan.check.front, &plan.check.extras);
    let mut result = Abstraction {
        checked: opened.checked,
        text: None,
        verdict: None,
        rounds: 0,
        predicates: Vec::new(),
        states: 0,
        assumed: Vec::new(),
    };
    let Some(model) = opened.model else { return result };
    let model = completed(model, &plan.check);
    let name = file.display().to_string();
    let read = load::bytes(file).and_then(|it| load::decode(&it));
    let text = match read {
        Ok(text) => text,
        Err(error) => {
            result.checked.diagnostics.push(load::explain(&name, &error));
            return result;
        }
    };
    let root = result.checked.sources.add(&*name, text);
    let (mut predicates, wrong) = predicates::read(&mut result.checked.sources, root);
    result.checked.diagnostics.extend(wrong);
    if result.checked.diagnostics.iter().any(Diagnostic::is_error) {
        return result;
    }
    loop {
        let verdict = round(&model, &opened.tree, &mut predicates, plan, watch, &mut result);
        match verdict {
            None => {}
            Some(verdict) => {
                result.verdict = verdict;
                return result;
            }
        }
    }
}

/// One abstract model; `None` to go on with more predicates.
fn round(
    model: &Model,
    tree: &front_promela::ast::Tree,
    predicates: &mut Predicates,
    plan: &Plan,
    watch: &mut dyn Watch,
    result: &mut Abstraction,
) -> Option<Option<Verdict>> {
    let abstracted = abstraction::abstracted(tree, predicates, &plan.options);
    let (lowered, mut wrong) = lower::lower(&abstracted.tree);
    let failed = abstracted.diagnostics.iter().any(Diagnostic::is_error);
    wrong.retain(|_| !failed);
    let widened = abstracted.diagnostics.iter().any(|it| it.message.contains("d_step"));
    let news: Vec<Diagnostic> =
        abstracted.diagnostics.into_iter().chain(wrong.into_iter().filter(Diagnostic::is_error)).collect();
    let said =
        |it: &Diagnostic, all: &[Diagnostic]| all.iter().any(|old| (old.span, &old.message) == (it.span, &it.message));
    for it in news {
        if !said(&it, &result.checked.diagnostics) {
            result.checked.diagnostics.push(it);
        }
    }
    let Some(lowered) = lowered.filter(|_| !failed) else { return Some(None) };
    let legend = abstraction::legend(predicates, plan.options.assertions_only);
    result.text = Some(legend + &print::tree(&abstracted.tree));
    result.predicates = predicates.list.iter().map(|it| (it.name.clone(), print::expression(&it.condition))).collect();
    result.assumed = predicates.assumed.iter().map(|it| print::expression(&it.condition)).collect();
    if !plan.checks {
        return Some(None);
    }
    result.rounds += 1;
    let mut options = plan.check.clone();
    options.question.end_states &= !plan.options.assertions_only;
    let smaller = completed(lowered, &options);
    let report = match check_model(&smaller, "abstract", &result.checked.sources, &options, Duration::ZERO, watch) {
        Ok(report) => report,
        Err(error) => {
            result.checked.diagnostics.push(error);
            return Some(None);
        }
    };
    result.states = report.results.iter().map(|it| it.effort.statistics.states).max().unwrap_or(0);
    let unknown = |why: &str| Some(Some(Verdict::Unknown(why.to_string())));
    let Some(found) = report.results.iter().find(|it| it.answer == Answer::Violated) else {
        let open =
            report.results.iter().find_map(|it| if let Answer::Unknown(why) = &it.answer { Some(why) } else { None });
        return open.map_or(Some(Some(Verdict::Holds)), |why| unknown(&why.because));
    };
    let Some(violation) = found.violations.first() else { return unknown("the violation has no trace") };
    match followed(model, &smaller, found, &result.checked, plan) {
        Followed::Unknown(why) => unknown(&why),
        Followed::Certain(certain) => Some(Some(Verdict::Violated(certain))),
        Followed::Breaks { .. } if widened => {
            unknown("a `d_step` was abstracted in several steps: its counterexample cannot be followed")
        }
        Followed::Breaks { at, path, broken } => {
            let place = broken.first().map(|it| result.checked.sources.place(it.1).line).unwrap_or_default();
            let where_ = format!("step {} of {} (line {place})", at + 1, violation.trace.steps.len());
            if plan.rounds == 0 {
                return Some(Some(Verdict::Spurious(where_)));
            }
            if result.rounds > plan.rounds || predicates.list.len() >= plan.most_predicates {
                return unknown(&format!(
                    "still spurious at {where_} after {} rounds with {} predicates",
                    result.rounds,
                    predicates.list.len()
                ));
            }
            let is_new = abstraction::refine::refine(tree, predicates, &path, &broken)
                || found.property != SAFETY
                    && abstraction::refine::refine_formulas(tree, predicates, &[path, broken].concat());
            match is_new {
                true => None,
                false => unknown(&format!(
                    "the counterexample is spurious at {where_}, and no predicate was found that excludes it"
                )),
            }
        }
    }
}

/// Follows the counterexample of an abstract model on the concrete one.
fn followed(model: &Model, smaller: &Model, found: &Outcome, checked: &Checked, plan: &Plan) -> Followed {
    let Some(violation) = found.violations.first() else { return Followed::Unknown("there is no trace".into()) };
    let (system, shadow) = (Semantics::new(model), Semantics::new(smaller));
    let follower = match Follower::new(&system, &shadow, &violation.trace) {
        Ok(follower) => follower,
        Err(why) => return Followed::Unknown(why.into()),
    };
    if found.property == SAFETY {
        let terms = Terms { system: &system, sources: &checked.sources };
        return follower.failure(violation.kind == "invalid-end-state", &|it| {
            let replay = certify::replay(&system, it).ok()?;
            Some(terms.violation(it, &replay.states, plan.check.steps))
        });
    }
    let row = model.temporal_properties.iter().position(|it| it.name == found.property);
    let Some(row) = row else {
        return Followed::Unknown(format!("the abstract model violates `{}`, which is not followed", found.property));
    };
    follower.behaviour(&|it| temporal::certified(model, row, it, &checked.sources, &plan.check))
}
