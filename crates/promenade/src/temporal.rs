//! Properties of whole executions: prepared, searched for, and replayed.
use std::time::{Duration, Instant};

use certify::{Meaning, Stated};
use engine::{Fairness, Finding, Property, Question, Search, Watch};
use engine_explicit::{Cache, Ends, Plan, Reduction, StoreKind, Variant};
use model::semantics::{Semantics, Watcher};
use model::{Claim, Model};
use report::{Outcome, Reason, Terms, Violation};
use text::{Diagnostic, Sources};

use crate::check::{assessed, internal, refused};
use crate::claim::{Prepared, prepare};
use crate::hand_over::{Handed, hand_over};
use crate::slicing::{self, Slicing};
use crate::{Engine, Options, Pass};

/// Checks one of the temporal properties of a model.
pub fn check(
    model: &Model,
    row: usize,
    sources: &Sources,
    options: &Options,
    setup: Duration,
    watch: &mut dyn Watch,
) -> Result<Outcome, Diagnostic> {
    let began = Instant::now();
    let property = &model.temporal_properties[row];
    let prepared = match prepare(model, property) {
        Ok(prepared) => prepared,
        Err(because) => return Ok(Outcome::unchecked(&*property.name, Reason { because, advice: String::new() })),
    };
    // What other properties look at does not matter here.
    let own = Model { temporal_properties: vec![property.clone()], invariants: Vec::new(), ..model.clone() };
    let may_merge = |pass: &Pass| prepared.stutters || !pass.merges();
    let passes: Vec<Pass> = options.optimize.iter().copied().filter(may_merge).collect();
    let question = Question { search: Search::Depth, ..options.question.clone() };
    let options = Options { optimize: passes, question, ..options.clone() };
    let task = Task { model: &own, prepared: &prepared, sources, setup: setup + began.elapsed() };
    let outcome = task.run(&options, watch)?;
    // What was left out may have a part in it after all.
    let is_doubtful = outcome.violations.iter().any(|it| it.kind == "internal");
    if is_doubtful && options.slice != Slicing::Off {
        let whole = slicing::about_the_whole(&options, began);
        return check(model, row, sources, &whole, setup, watch);
    }
    // A cycle without variables that nobody looks at may close after too many rounds with them.
    let is_doubtful = outcome.violations.iter().any(|it| it.kind == "internal");
    if is_doubtful && options.optimize.iter().any(|it| it.hides()) {
        let optimize = options.optimize.iter().copied().filter(|it| !it.hides()).collect();
        return task.run(&Options { optimize, ..options }, watch);
    }
    Ok(outcome)
}

/// A violation of one of the temporal properties of a model, if it is one.
pub fn certified(
    model: &Model,
    row: usize,
    found: &engine::Violation,
    sources: &Sources,
    options: &Options,
) -> Option<Violation> {
    let property = &model.temporal_properties[row];
    let prepared = prepare(model, property).ok()?;
    let own = Model { temporal_properties: vec![property.clone()], invariants: Vec::new(), ..model.clone() };
    let task = Task { model: &own, prepared: &prepared, sources, setup: Duration::ZERO };
    let shown = task.shown(&Semantics::new(&own), found, options);
    (shown.kind != "internal").then_some(shown)
}

struct Task<'a> {
    /// With this property alone.
    model: &'a Model,
    prepared: &'a Prepared,
    sources: &'a Sources,
    setup: Duration,
}

impl Task<'_> {
    fn run(&self, options: &Options, watch: &mut dyn Watch) -> Result<Outcome, Diagnostic> {
        let began = Instant::now();
        let slice = self.slice(options);
        let smaller = optimize::optimize(slice.as_ref().map_or(self.model, |it| &it.model), &options.optimize);
        let (options, because) = self.reduced(&smaller, options);
        let setup = self.setup + began.elapsed();
        let claim = if is_nested(&options) { &self.prepared.buchi } else { &self.prepared.claim };
        let finding = search(&smaller, claim, &options, watch)?;
        let property = property(&smaller, &self.prepared.claim, &options);
        let ask = |limits: &_, plan| engine_symbolic::temporal(&smaller, property, limits, plan, watch);
        let Handed { found: finding, options, because: handed } = hand_over(finding, &options, ask);
        let finding = match &slice {
            None => finding,
            Some(slice) => match slicing::lifted(finding, slice, self.model) {
                Some(finding) => finding,
                None => return self.run(&slicing::about_the_whole(&options, began), watch),
            },
        };
        let system = Semantics::new(self.model);
        let violations = finding.violations.iter().map(|it| self.shown(&system, it, &options)).collect();
        let name = &self.model.temporal_properties[0].name;
        let mut outcome = assessed(name, &finding, violations, &options, setup);
        outcome.method.reduction_because = because;
        outcome.method.engine_because = handed;
        outcome.method.optimizations.extend(slice.map(|_| "slice"));
        Ok(outcome)
    }

    /// The slice for a formula that does not count steps.
    fn slice(&self, options: &Options) -> Option<slice::Slice> {
        let model::Meaning::Formula(formula) = &self.model.temporal_properties[0].meaning else { return None };
        // Then every statement that can wait matters, and little is won.
        let is_hard = options.fairness == Fairness::Strong && options.slice == Slicing::Auto;
        if is_hard || !self.prepared.stutters {
            return None;
        }
        slicing::sliced(self.model, slicing::of_formula(formula, options), options)
    }

    /// The options with the reduction that keeps the property.
    fn reduced(&self, model: &Model, options: &Options) -> (Options, Option<&'static str>) {
        let Engine::Explicit(plan) = options.engine else { return (options.clone(), None) };
        let is_wanted = options.choose_reduction || plan.reduction != Reduction::None;
        let refusal = if is_wanted { self.refusal(model, options) } else { None };
        let reduction = match plan.reduction {
            _ if !is_wanted || refusal.is_some() => Reduction::None,
            Reduction::Twophase { variant: Variant::Plain, mistake, .. } => twophase(Variant::Plain, mistake),
            Reduction::Twophase { mistake, .. } => twophase(Variant::Lasting, mistake),
            Reduction::Ample { .. } => plan.reduction,
            Reduction::None => twophase(Variant::Lasting, None),
        };
        let because = if options.choose_reduction { Some("no next step is spoken of") } else { None };
        let engine = Engine::Explicit(Plan { reduction, ..plan });
        (Options { engine, ..options.clone() }, refusal.or(because))
    }

    /// Why nothing may be left out, if that is so.
    fn refusal(&self, model: &Model, options: &Options) -> Option<&'static str> {
        match () {
            () if options.fairness != Fairness::None => Some("fairness counts who moves"),
            () if !self.prepared.stutters && self.prepared.formula.is_some() => Some("the formula counts steps"),
            () if !self.prepared.stutters => Some("the claim may count steps"),
            () if options.limits.depth.is_some() => Some("a bound counts steps"),
            () => engine_explicit::irreducible(model),
        }
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
                terms.behaviour(property, &walked, &replay.states, options.steps)
            }
            Err(rejected) => internal(rejected, found),
        }
    }
}

/// Whether the search for cycles is one inside another.
fn is_nested(options: &Options) -> bool {
    let Engine::Explicit(plan) = options.engine else { return false };
    let is_lossy = matches!(plan.store, StoreKind::HashCompact | StoreKind::Bitstate { .. });
    options.fairness == Fairness::None && is_lossy
}

fn twophase(variant: Variant, mistake: Option<reduction::Mistake>) -> Reduction {
    Reduction::Twophase { variant, cache: Cache::None, ends: Ends::All, mistake }
}

fn property<'m>(model: &'m Model, claim: &'m Claim, options: &Options) -> Property<'m> {
    let watcher = Watcher { claim, conditions: &model.temporal_properties[0].observes };
    Property { watcher, fairness: options.fairness }
}

fn search(model: &Model, claim: &Claim, options: &Options, watch: &mut dyn Watch) -> Result<Finding, Diagnostic> {
    let property = property(model, claim, options);
    let limits = &options.limits;
    match options.engine {
        Engine::Reference => Ok(engine_explicit::reference_temporal(model, property, limits, watch)),
        Engine::Explicit(plan) => Ok(engine_explicit::temporal(model, property, limits, plan, watch)),
        Engine::Symbolic(plan) => {
            engine_symbolic::temporal(model, property, limits, plan, watch).map_err(|it| refused(&it))
        }
    }
}
