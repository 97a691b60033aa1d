//! Safety: what is wrong in the states that can be reached.
use diagram::Function;
use engine::{Finding, Limits, Question, Verdict, Violation, ViolationKind, Watch};
use model::{LocationId, Model, ProcessTypeId};

use crate::encoding::{Changes, Encoding};
use crate::explore::{Explored, explore, explore_reduced};
use crate::run::{Plan, Reduction, Run, unknown, watched};
use crate::stop::{Refusal, Result, Stop};
use crate::wrong;

/// The name of this engine in reports.
pub const NAME: &str = "symbolic";

/// Visits every reachable state of a model, all at once.
pub fn symbolic(
    model: &Model,
    question: &Question,
    limits: &Limits,
    plan: Plan,
    watch: &mut dyn Watch,
) -> std::result::Result<Finding, Refusal> {
    let began = std::time::Instant::now();
    let answer = watched(limits, watch, |pulse| {
        let run = Run { model, limits, plan, pulse, began, places: 0 };
        let mut ask = |explored: &Explored<'_>| safety(explored, question);
        match plan.reduction {
            Reduction::None => explore(&run, &mut ask),
            Reduction::ImProviso => explore_reduced(&run, &mut ask),
        }
    });
    // Where there is no start, there is nothing else to find.
    let complete = matches!(answer, Err((Stop::NoStart(_), _)));
    let (verdict, violations, unreached) = match answer {
        Ok(finding) => return Ok(finding),
        Err((Stop::NoStart(fault), _)) => {
            let nowhere: Vec<_> = model.processes.iter().map(|it| vec![false; it.locations.len()]).collect();
            let trace = engine::Trace::default();
            (Verdict::Violated, vec![Violation { kind: ViolationKind::Start(fault), trace }], model.unreached(&nowhere))
        }
        Err((Stop::Crowded(crowded), _)) if !question.only_ends => {
            let trace = engine::Trace { steps: crowded.steps, cycle: None };
            (Verdict::Violated, vec![Violation { kind: ViolationKind::Step(crowded.failure), trace }], Vec::new())
        }
        Err((stop, why)) => (Verdict::Unknown(unknown(stop, why, limits)?), Vec::new(), Vec::new()),
    };
    let statistics = engine::Statistics { elapsed: began.elapsed(), ..engine::Statistics::default() };
    let errors = violations.len() as u64;
    Ok(Finding { engine: NAME, errors, complete, verdict, violations, unreached, statistics })
}

/// What is wrong in reachable states, as far as a question asks.
fn safety(it: &Explored<'_>, question: &Question) -> Result<Finding> {
    let wrong = wrong::all(it.encoding, it.system, it.reached, question)?;
    let violations = wrong::evidence(it, &wrong, question)?;
    let unreached = unreached(it.run.model, it.encoding, it.reached)?;
    Ok(Finding {
        engine: NAME,
        errors: violations.len() as u64,
        complete: violations.is_empty() || question.all_errors,
        verdict: if violations.is_empty() { Verdict::Holds } else { Verdict::Violated },
        violations,
        unreached,
        statistics: it.statistics()?,
    })
}

/// The locations that no process ever reaches.
fn unreached(model: &Model, encoding: &Encoding<'_>, reached: &Function) -> Result<Vec<(ProcessTypeId, LocationId)>> {
    let mut seen: Vec<Vec<bool>> = model.processes.iter().map(|it| vec![false; it.locations.len()]).collect();
    for (slot, controls) in encoding.layout.controls.iter().enumerate() {
        for &(ty, location) in controls {
            let seen = &mut seen[ty.0 as usize][location.0 as usize];
            *seen = *seen || !encoding.is_at(&Changes::new(), slot, (ty, location))?.and(reached)?.is_false();
        }
    }
    Ok(model.unreached(&seen))
}
