//! Predicate abstraction: the abstract model, its check, and the loop that adds predicates.
//!
//! A counterexample of the abstract model is followed on the concrete one, statement by statement: every abstract step has
//! the place of the concrete one. Either the concrete model goes wrong in the same way, which is replayed like any other
//! violation, or there is a step that it cannot take.
use std::time::Duration;

use abstraction::predicates::{self, Predicates};
use abstraction::refine::Taken;
use engine::{Violation, ViolationKind, Watch};
use front_promela::{lower, print};
use model::Model;
use model::semantics::{Semantics, State, Step};
use report::{Answer, Terms};
use text::{Diagnostic, Span};

use crate::check::open;
use crate::{Checked, Input, Options, check_model, completed, load};

/// Concrete states that are followed at once.
const MOST_STATES: usize = 10_000;

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

/// What a counterexample of the abstract model is worth.
enum Followed {
    Certain(Violation),
    Breaks { at: usize, path: Vec<Taken>, broken: Vec<Taken> },
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
    if found.property != "safety" {
        return unknown(&format!(
            "the abstract model violates `{}`; counterexamples of whole executions are not followed on the concrete model",
            found.property
        ));
    }
    let Some(violation) = found.violations.first() else { return unknown("the violation has no trace") };
    let is_end = violation.kind == "invalid-end-state";
    match follow(model, &smaller, &violation.trace.steps, is_end) {
        Followed::Unknown(why) => unknown(&why),
        Followed::Certain(certain) => {
            let system = Semantics::new(model);
            let terms = Terms { system: &system, sources: &result.checked.sources };
            match certify::replay(&system, &certain) {
                Ok(replay) => {
                    Some(Some(Verdict::Violated(Box::new(terms.violation(&certain, &replay.states, plan.check.steps)))))
                }
                Err(_) => unknown("a concrete counterexample did not replay"),
            }
        }
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
            match abstraction::refine::refine(tree, predicates, &path, &broken) {
                true => None,
                false => unknown(&format!(
                    "the counterexample is spurious at {where_}, and no predicate was found that excludes it"
                )),
            }
        }
    }
}

/// Follows abstract steps on the concrete model.
fn follow(model: &Model, smaller: &Model, steps: &[Step], is_end: bool) -> Followed {
    let (system, shadow) = (Semantics::new(model), Semantics::new(smaller));
    let (Ok(initial), Ok(_)) = (system.initial(), shadow.initial()) else {
        return Followed::Unknown("there is no initial state".into());
    };
    let Ok(walk) = certify::Walk::along(&shadow, steps) else {
        return Followed::Unknown("the abstract counterexample does not replay".into());
    };
    let span = |at: usize, process: u8, edge| -> Taken {
        let ty = smaller.process(walk.states[at].type_of(process as usize));
        (ty.name.clone(), ty.edge(edge).span)
    };
    let mut here: Vec<(State, Vec<Step>)> = vec![(initial, Vec::new())];
    let (mut path, mut waiting): (Vec<Taken>, Vec<Taken>) = (Vec::new(), Vec::new());
    for (at, step) in steps.iter().enumerate() {
        let taken = span(at, step.process, step.edge);
        if taken.1.start == taken.1.end {
            let full = guard_at(smaller, &taken);
            waiting.push(full);
            continue;
        }
        let partner = step.partner.map(|(process, edge)| (process, span(at, process, edge)));
        let mut next: Vec<(State, Vec<Step>)> = Vec::new();
        for (state, way) in &here {
            let mut state = state.clone();
            if state.exclusive.is_some() && !system.moves(&state, &mut |_| {}) {
                system.release(&mut state);
            }
            let mut certain = None;
            system.moves(&state, &mut |it| {
                let edge = |process: u8, edge| model.process(state.type_of(process as usize)).edge(edge).span;
                let same = it.step.process == step.process && edge(it.step.process, it.step.edge) == taken.1;
                let partners = it.step.partner.map(|(process, id)| (process, edge(process, id)));
                if !same || partners != partner.as_ref().map(|it| (it.0, it.1.1)) {
                    return;
                }
                let way: Vec<Step> = way.iter().copied().chain([it.step]).collect();
                if let (Some(failure), true) = (it.failures.first(), certain.is_none()) {
                    let trace = engine::Trace { steps: way.clone(), cycle: None };
                    certain = Some(Violation { kind: ViolationKind::Step(*failure), trace });
                }
                next.extend(it.next.filter(|it| !next.iter().any(|old| old.0 == **it)).map(|it| (it.clone(), way)));
            });
            if let Some(certain) = certain {
                return Followed::Certain(certain);
            }
        }
        if next.is_empty() {
            return Followed::Breaks { at, path, broken: vec![taken] };
        }
        if next.len() > MOST_STATES {
            return Followed::Unknown("too many concrete states correspond to the abstract counterexample".into());
        }
        here = next;
        path.push(taken);
    }
    if is_end {
        for (state, way) in &here {
            let mut state = state.clone();
            system.release(&mut state);
            if let (Some(process), false) = (system.unfinished(&state), system.moves(&state, &mut |_| {})) {
                let trace = engine::Trace { steps: way.clone(), cycle: None };
                return Followed::Certain(Violation {
                    kind: ViolationKind::InvalidEnd { process: process as u8 },
                    trace,
                });
            }
        }
    }
    let broken = if waiting.is_empty() { path.last().cloned().into_iter().collect() } else { waiting };
    path.pop();
    Followed::Breaks { at: steps.len().saturating_sub(1), path, broken }
}

/// The statement at which a process stands still: the one that begins where its waiting does.
fn guard_at(model: &Model, taken: &Taken) -> Taken {
    let spans = model.processes.iter().filter(|it| it.name == taken.0).flat_map(|it| &it.edges).map(|it| it.span);
    let begins = |it: &Span| it.file == taken.1.file && it.start == taken.1.start && it.end > it.start;
    spans.filter(begins).max_by_key(|it| it.end).map_or_else(|| taken.clone(), |it| (taken.0.clone(), it))
}
