//! Which reduction a search has.
use engine::{Finding, Limits, Progress, Question, Search, Verdict, Watch};
use engine_explicit::{Cache, Ends, Plan, Reduction, Variant};
use model::Model;

use crate::{Engine, Options};

/// A shorter counterexample is looked for among so many states, or as many as it took to find one.
const FEW: u64 = 100_000;

/// The options with the reduction that is used, and why it is that one.
pub fn decide(model: &Model, options: &Options) -> (Options, Option<&'static str>) {
    let plan = match options.engine {
        Engine::Explicit(plan) => plan,
        Engine::Symbolic(plan) => return decide_for_sets(model, options, plan),
        Engine::Reference => return (options.clone(), None),
    };
    let (wanted, because) = match options.choose_reduction {
        true => best(&options.question),
        false => (plan.reduction, None),
    };
    let refusal = if wanted == Reduction::None { None } else { engine_explicit::irreducible(model) };
    let reduction = if refusal.is_some() { Reduction::None } else { wanted };
    (Options { engine: Engine::Explicit(Plan { reduction, ..plan }), ..options.clone() }, refusal.or(because))
}

/// Sets of states are reduced if that is asked for and the model allows it.
fn decide_for_sets(model: &Model, options: &Options, plan: engine_symbolic::Plan) -> (Options, Option<&'static str>) {
    let is_wanted = plan.reduction != engine_symbolic::Reduction::None;
    match engine_explicit::irreducible(model).filter(|_| is_wanted) {
        Some(refusal) => {
            let plan = engine_symbolic::Plan { reduction: engine_symbolic::Reduction::None, ..plan };
            (Options { engine: Engine::Symbolic(plan), ..options.clone() }, Some(refusal))
        }
        None => (options.clone(), None),
    }
}

/// The options for properties that are not about safety: for these sets of states are complete.
pub fn beyond_safety(options: &Options) -> Options {
    let engine = match options.engine {
        Engine::Symbolic(plan) => {
            Engine::Symbolic(engine_symbolic::Plan { reduction: engine_symbolic::Reduction::None, ..plan })
        }
        other => other,
    };
    Options { engine, ..options.clone() }
}

/// The reduction that keeps what is asked and leaves out most.
fn best(question: &Question) -> (Reduction, Option<&'static str>) {
    let twophase = |ends| Reduction::Twophase { variant: Variant::Strong, cache: Cache::None, ends, mistake: None };
    match question.only_ends {
        true => (twophase(Ends::Stubborn), Some("only ends matter")),
        false => (twophase(Ends::All), Some("safety alone matters")),
    }
}

/// A reduced search does not find the shortest counterexample. If it chose its reduction itself and there is a shorter one
/// nearby, that is the better one to look at.
pub fn shortened(found: Finding, model: &Model, options: &Options, watch: &mut dyn Watch) -> Finding {
    let Engine::Explicit(plan) = options.engine else { return found };
    let is_first = found.verdict == Verdict::Violated && !options.question.all_errors;
    let is_breadth_first = options.question.search == Search::Breadth;
    if !is_first || !is_breadth_first || !options.choose_reduction || plan.reduction == Reduction::None {
        return found;
    }
    let depth = found.violations.first().map_or(0, |it| it.trace.steps.len() as u64).saturating_sub(1);
    let limits = Limits { depth: Some(depth), ..options.limits.clone() };
    let mut nearby = Nearby { watch, states: found.statistics.states.max(FEW) };
    let plan = Plan { reduction: Reduction::None, ..plan };
    let shorter = engine_explicit::explicit(model, &options.question, &limits, plan, &mut nearby);
    match shorter.verdict {
        Verdict::Violated => Finding { violations: shorter.violations, ..found },
        _ => found,
    }
}

/// Stops after some states.
struct Nearby<'w> {
    watch: &'w mut dyn Watch,
    states: u64,
}

impl Watch for Nearby<'_> {
    fn tick(&mut self, progress: &Progress) -> bool {
        progress.states < self.states && self.watch.tick(progress)
    }
}
