//! The moves of a claim in a trail for SPIN.
//!
//! SPIN's verifiers follow a trail only if the claim moves along. A `never` claim of the model has statements with numbers, as processes have, so that its moves can be
//! written. What SPIN makes of an `ltl` formula only SPIN knows; such a trail has the moves of the processes alone. So have those about progress: there no verifier of
//! SPIN's follows its own.
use certify::{Company, company};
use model::semantics::{State, Watcher};
use model::{Claim, Meaning, Model, TemporalProperty};
use report::{ClaimMove, Terms, Trail, Violation};

use crate::claim::prepare;
use crate::violated::kinds;

/// A violation of a property as a trail with the moves of its claim; nothing if they have no numbers.
pub fn with_claim(
    model: &Model,
    property: &TemporalProperty,
    terms: Terms<'_>,
    violation: &Violation,
    states: &[State],
) -> Option<Trail> {
    let (claim, number) = numbered(model, property)?;
    let watcher = Watcher { claim: &claim, conditions: &property.observes };
    let trace = &violation.trace;
    let kinds = kinds(terms.system, trace, watcher, states.last()?);
    let company = kinds.into_iter().find_map(|kind| company(terms.system, trace, states, watcher, kind))?;
    let mut trail = Trail { claim: Some(number), ..Trail::default() };
    fill(&mut trail, &company, |row| terms.trail_lines(&trace.steps[row], &states[row]));
    Some(trail)
}

fn fill(trail: &mut Trail, company: &Company, lines: impl Fn(usize) -> Vec<report::TrailLine>) {
    for (row, turn) in company.turns.iter().enumerate() {
        if company.cycle == Some(row) {
            trail.cycle = Some(trail.lines.len());
        }
        let (after, in_cycle) = (trail.lines.len(), trail.cycle.is_some());
        let own = turn.statements.iter().map(|&statement| ClaimMove { after, in_cycle, statement });
        trail.claim_moves.extend(own);
        trail.lines.extend(turn.steps.clone().flat_map(&lines));
    }
}

/// The claim of a property if its statements have numbers, and its own among all processes and claims, in the order of the text.
fn numbered(model: &Model, property: &TemporalProperty) -> Option<(Claim, u32)> {
    let Meaning::Claim(_) = &property.meaning else { return None };
    let claim = prepare(model, property).ok()?.claim;
    let first = first(&claim)?;
    Some((claim, firsts(model).filter(|&it| it < first).count() as u32))
}

/// The first statement of each process and claim.
fn firsts(model: &Model) -> impl Iterator<Item = u32> {
    let graphs = model.processes.iter().chain(model.monitor.iter().map(|it| &it.graph));
    let claims = model.temporal_properties.iter().filter_map(|it| match &it.meaning {
        Meaning::Claim(claim) => first(claim),
        _ => None,
    });
    graphs.filter_map(|it| it.edges.iter().map(|it| it.statement).min()).chain(claims)
}

fn first(claim: &Claim) -> Option<u32> {
    claim.locations.iter().flat_map(|it| &it.edges).flat_map(|it| &it.statements).copied().min()
}
