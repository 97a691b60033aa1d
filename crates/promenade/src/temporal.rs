//! Properties of whole executions: prepared, searched for, and replayed.
use std::time::{Duration, Instant};

use certify::{Meaning, Stated};
use engine::{Finding, Property, Watch};
use engine_explicit::{Plan, Reduction};
use model::semantics::{Semantics, Watcher};
use model::{Claim, Model};
use report::{Outcome, Reason, Terms, Violation};
use text::Sources;

use crate::check::{assessed, internal};
use crate::claim::{NON_PROGRESS, Prepared, prepare};
use crate::{Engine, Options, Pass};

/// Checks one of the temporal properties of a model.
pub fn check(
    model: &Model,
    row: usize,
    sources: &Sources,
    options: &Options,
    setup: Duration,
    watch: &mut dyn Watch,
) -> Outcome {
    let began = Instant::now();
    let property = &model.temporal_properties[row];
    let prepared = match prepare(model, property) {
        Ok(prepared) => prepared,
        Err(because) => return Outcome::unchecked(&*property.name, Reason { because, advice: String::new() }),
    };
    // What other properties look at does not matter here.
    let own = Model { temporal_properties: vec![property.clone()], invariants: Vec::new(), ..model.clone() };
    let may_merge = |pass: &Pass| prepared.stutters || *pass != Pass::Merge;
    let passes: Vec<Pass> = options.optimize.iter().copied().filter(may_merge).collect();
    let options = Options { optimize: passes, ..options.clone() };
    let task = Task { model: &own, prepared: &prepared, sources, setup: setup + began.elapsed() };
    let outcome = task.run(&options, watch);
    // A cycle without variables that nobody looks at may close after too many rounds with them.
    let is_doubtful = outcome.violations.iter().any(|it| it.kind == "internal");
    if is_doubtful && options.optimize.contains(&Pass::Hide) {
        let optimize = options.optimize.iter().copied().filter(|it| *it != Pass::Hide).collect();
        return task.run(&Options { optimize, ..options }, watch);
    }
    outcome
}

struct Task<'a> {
    /// With this property alone.
    model: &'a Model,
    prepared: &'a Prepared,
    sources: &'a Sources,
    setup: Duration,
}

impl Task<'_> {
    fn run(&self, options: &Options, watch: &mut dyn Watch) -> Outcome {
        let began = Instant::now();
        let smaller = optimize::optimize(self.model, &options.optimize);
        let (options, because) = self.reduced(options);
        let setup = self.setup + began.elapsed();
        let finding = search(&smaller, &self.prepared.claim, &options, watch);
        let system = Semantics::new(self.model);
        let violations = finding.violations.iter().map(|it| self.shown(&system, it, &options)).collect();
        let name = &self.model.temporal_properties[0].name;
        let mut outcome = assessed(name, &finding, violations, &options, setup);
        outcome.method.reduction_because = because;
        outcome
    }

    /// The options with the reduction that keeps the property.
    fn reduced(&self, options: &Options) -> (Options, Option<&'static str>) {
        let Engine::Explicit(plan) = options.engine else { return (options.clone(), None) };
        let plan = Plan { reduction: Reduction::None, ..plan };
        (Options { engine: Engine::Explicit(plan), ..options.clone() }, None)
    }

    fn shown(&self, system: &Semantics<'_>, found: &engine::Violation, options: &Options) -> Violation {
        let property = &self.model.temporal_properties[0];
        let watcher = Watcher { claim: &self.prepared.claim, conditions: &property.observes };
        let meaning = self.prepared.formula.as_ref().map_or(Meaning::Claim, Meaning::Formula);
        let stated = Stated { meaning, watcher, fairness: options.fairness };
        let terms = Terms { system, sources: self.sources };
        match certify::replay_temporal(system, found, stated) {
            Ok((replay, trace)) => {
                let walked = engine::Violation { kind: found.kind, trace };
                let mut violation = terms.violation(&walked, &replay.states, options.steps);
                if property.name == NON_PROGRESS {
                    violation.kind = "non-progress-cycle";
                }
                violation
            }
            Err(rejected) => internal(rejected, found),
        }
    }
}

fn search(model: &Model, claim: &Claim, options: &Options, watch: &mut dyn Watch) -> Finding {
    let watcher = Watcher { claim, conditions: &model.temporal_properties[0].observes };
    let property = Property { watcher, fairness: options.fairness };
    match options.engine {
        Engine::Reference => engine_explicit::reference_temporal(model, property, &options.limits, watch),
        Engine::Explicit(plan) => engine_explicit::temporal(model, property, &options.limits, plan, watch),
    }
}
