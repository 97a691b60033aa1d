//! Properties of the tree of all executions: prepared, evaluated, and their evidence replayed.
use std::time::{Duration, Instant};

use engine::{BranchingProperty, Explained, Fairness, Question, Search, Verdict, ViolationKind, Watch};
use engine_explicit::{Plan, Reduction, StoreKind};
use model::semantics::Semantics;
use model::{Branching, Meaning, Model};
use report::{Answer, Outcome, Reason, Terms, Violation};
use text::{Diagnostic, Sources};

use crate::check::{assessed, internal, refused};
use crate::hand_over::{Handed, hand_over};
use crate::{Engine, Options};

/// Checks one of the branching properties of a model.
pub fn check(
    model: &Model,
    row: usize,
    sources: &Sources,
    options: &Options,
    setup: Duration,
    watch: &mut dyn Watch,
) -> Result<Outcome, Diagnostic> {
    let property = &model.temporal_properties[row];
    let Meaning::Branching(branching) = &property.meaning else {
        let because = "it is not a formula of branching time".into();
        return Ok(Outcome::unchecked(&*property.name, Reason { because, advice: String::new() }));
    };
    // What other properties look at does not matter here.
    let own = Model { temporal_properties: vec![property.clone()], invariants: Vec::new(), ..model.clone() };
    let task = Task { model: &own, branching, sources, setup };
    let options = prepared(options);
    let outcome = task.run(&options, watch)?;
    // A cycle without variables that nobody looks at may close after too many rounds with them.
    let is_doubtful = outcome.violations.iter().chain(&outcome.witness).any(|it| it.kind == "internal");
    if is_doubtful && options.optimize.iter().any(|it| it.hides()) {
        let optimize = options.optimize.iter().copied().filter(|it| !it.hides()).collect();
        return task.run(&Options { optimize, ..options }, watch);
    }
    Ok(outcome)
}

/// The options without whatever leaves out steps: what is possible in between would be lost.
fn prepared(options: &Options) -> Options {
    let optimize = options.optimize.iter().copied().filter(|it| !it.merges()).collect();
    let question = Question { search: Search::Breadth, ..options.question.clone() };
    let engine = match options.engine {
        Engine::Reference | Engine::Symbolic(_) => options.engine,
        Engine::Explicit(plan) => {
            let store = if plan.store == StoreKind::Tree { StoreKind::Exact } else { plan.store };
            Engine::Explicit(Plan { reduction: Reduction::None, threads: 1, store, ..plan })
        }
    };
    Options { optimize, question, engine, ..options.clone() }
}

struct Task<'a> {
    /// With this property alone.
    model: &'a Model,
    branching: &'a Branching,
    sources: &'a Sources,
    setup: Duration,
}

impl Task<'_> {
    fn run(&self, options: &Options, watch: &mut dyn Watch) -> Result<Outcome, Diagnostic> {
        let began = Instant::now();
        let smaller = optimize::optimize(self.model, &options.optimize);
        let setup = self.setup + began.elapsed();
        let found = self.search(&smaller, options, watch)?;
        let property = self.property(&smaller, options.fairness);
        let ask = |limits: &_, plan| engine_symbolic::branching(&smaller, property, limits, plan, watch);
        let Handed { found, options, because: handed } = hand_over(found, options, ask);
        let shown = self.shown(&found, &options);
        let is_true = found.finding.verdict == Verdict::Holds;
        let (violations, witness) = if is_true { (Vec::new(), shown) } else { (shown.into_iter().collect(), None) };
        let name = &self.model.temporal_properties[0].name;
        let mut outcome = assessed(name, &found.finding, violations, &options, setup);
        outcome.method.reduction_because = Some("what is still possible in between counts");
        outcome.method.engine_because = handed;
        if witness.as_ref().is_some_and(|it| it.kind == "internal") {
            let because = "internal error: the search reported a witness that does not exist".into();
            let advice = "This is a fault of this program, not of the model. Please report it.".into();
            outcome.answer = Answer::Unknown(Reason { because, advice });
        }
        Ok(Outcome { witness, ..outcome })
    }

    fn property<'m>(&'m self, model: &'m Model, fairness: Fairness) -> BranchingProperty<'m> {
        BranchingProperty { branching: self.branching, conditions: &model.temporal_properties[0].observes, fairness }
    }

    fn search(&self, model: &Model, options: &Options, watch: &mut dyn Watch) -> Result<Explained, Diagnostic> {
        let property = self.property(model, options.fairness);
        let limits = &options.limits;
        match options.engine {
            Engine::Reference => Ok(engine_explicit::reference_branching(model, property, limits, watch)),
            Engine::Explicit(plan) => Ok(engine_explicit::branching(model, property, limits, plan, watch)),
            Engine::Symbolic(plan) => {
                engine_symbolic::branching(model, property, limits, plan, watch).map_err(|it| refused(&it))
            }
        }
    }

    /// What was found, replayed on the model as it was.
    fn shown(&self, found: &Explained, options: &Options) -> Option<Violation> {
        let system = Semantics::new(self.model);
        let terms = Terms { system: &system, sources: self.sources };
        let stated = &self.model.temporal_properties[0];
        let property = self.property(self.model, options.fairness);
        let broken = found.finding.violations.first();
        let is_true = broken.is_none();
        if let Some(violation) = broken.filter(|it| it.kind != ViolationKind::Branching) {
            let replayed = match violation.kind {
                ViolationKind::Start(_) => certify::replay(&system, violation),
                _ => certify::replay_fault(&system, violation, property),
            };
            return Some(match replayed {
                Ok(replay) if matches!(violation.kind, ViolationKind::Start(_)) => {
                    terms.violation(violation, &replay.states, options.steps)
                }
                Ok(replay) => terms.faulty_condition(stated, violation, &replay.states, options.steps),
                Err(rejected) => internal(rejected, violation),
            });
        }
        let Some(evidence) = &found.evidence else {
            return broken.map(|it| internal(certify::Rejected::NotAViolation, it));
        };
        Some(match certify::replay_branching(&system, evidence, property, is_true) {
            Ok((replay, trace)) => {
                terms.branching(stated, (evidence, is_true), (&trace, &replay.states), options.steps)
            }
            Err(rejected) => {
                let kind = ViolationKind::Branching;
                internal(rejected, &engine::Violation { kind, trace: evidence.trace.clone() })
            }
        })
    }
}
