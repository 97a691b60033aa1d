//! What is wrong, as far as a question asks, and what exactly is wrong in a state.
use diagram::Function;
use engine::{Question, Violation, ViolationKind};
use model::semantics::{Failure, FailureKind, Fault, Semantics, State, Step};
use model::{EdgeId, ProcessTypeId};

use crate::encoding::{Changes, Encoding};
use crate::explore::Explored;
use crate::stop::{Result, Stop};
use crate::system::System;
use crate::trouble::{Trouble, within};

/// Something that is wrong, and where.
pub struct Wrong {
    what: What,
    states: Function,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum What {
    Step(Trouble, ProcessTypeId, EdgeId),
    Invariant(u32),
    End,
}

/// All that is wrong in reachable states.
pub fn all(encoding: &Encoding<'_>, system: &System, reached: &Function, question: &Question) -> Result<Vec<Wrong>> {
    let mut list = Vec::new();
    if !question.only_ends {
        for (&(trouble, ty, edge), condition) in &system.errors {
            if trouble != Trouble::Assertion || question.assertions {
                list.push((What::Step(trouble, ty, edge), condition.clone()));
            }
        }
        let broken = system.broken.iter().enumerate();
        list.extend(broken.map(|(row, condition)| (What::Invariant(row as u32), vec![condition.clone()])));
    }
    if question.end_states {
        for condition in ends(encoding, system.stuck(reached)?)? {
            list.push((What::End, vec![condition]));
        }
    }
    let mut wrong = Vec::new();
    for (what, conditions) in list {
        let states = within(reached, &conditions, encoding.constant(false))?;
        wrong.extend(Some(Wrong { what, states }).filter(|it| !it.states.is_false()));
    }
    Ok(wrong)
}

/// Where nobody can move and some process should not stop: by the type and place of the first one.
fn ends(encoding: &Encoding<'_>, stuck: Function) -> Result<Vec<Function>> {
    let none = Changes::new();
    let mut list: std::collections::BTreeMap<_, Function> = std::collections::BTreeMap::new();
    // The processes before this one may stop where they are.
    let mut fine = stuck;
    for (slot, controls) in encoding.layout.controls.iter().enumerate() {
        let mut unfinished = encoding.constant(false);
        for &(ty, location) in controls {
            if !encoding.model.process(ty).location(location).valid_end {
                let here = encoding.is_at(&none, slot, (ty, location))?;
                unfinished = unfinished.or(&here)?;
                let found = fine.and(&here)?;
                let known = list.get(&(ty, location)).map_or(Ok(found.clone()), |it| it.or(&found))?;
                list.insert((ty, location), known);
            }
        }
        fine = fine.minus(&unfinished)?;
    }
    Ok(list.into_values().collect())
}

/// Evidence for all of them, or for the nearest one.
pub fn evidence(explored: &Explored<'_>, wrong: &[Wrong], question: &Question) -> Result<Vec<Violation>> {
    if question.all_errors {
        return wrong.iter().map(|it| violation(explored, &it.states, &[it], question)).collect();
    }
    let mut any = explored.encoding.constant(false);
    for it in wrong {
        any = any.or(&it.states)?;
    }
    if any.is_false() {
        return Ok(Vec::new());
    }
    let all: Vec<&Wrong> = wrong.iter().collect();
    Ok(vec![violation(explored, &any, &all, question)?])
}

fn violation(explored: &Explored<'_>, states: &Function, wrong: &[&Wrong], question: &Question) -> Result<Violation> {
    let (mut steps, state) = explored.way(states)?;
    let (kind, step) = exactly(explored.reference, &state, wrong, question)
        .ok_or(Stop::Inconsistent("nothing is wrong where something should be"))?;
    steps.extend(step);
    Ok(Violation { kind, trace: engine::Trace { steps, cycle: None } })
}

/// What exactly is wrong in a state: the first thing of those that are looked for.
fn exactly(
    system: &Semantics<'_>,
    state: &State,
    wrong: &[&Wrong],
    question: &Question,
) -> Option<(ViolationKind, Option<Step>)> {
    let mut found = None;
    let moved = system.moves(state, &mut |it| {
        let is_meant = |failure: &&Failure| wrong.iter().any(|it| it.what == meant(failure));
        if let Some(failure) = it.failures.iter().find(is_meant).filter(|_| found.is_none()) {
            found = Some((ViolationKind::Step(*failure), Some(it.step)));
        }
    });
    let invariant = || {
        let (row, fault) = system.broken_invariant(state)?;
        let row = row as u32;
        let is_meant = wrong.iter().any(|it| matches!(it.what, What::Invariant(_)));
        is_meant.then_some((ViolationKind::Invariant { invariant: row, fault }, None))
    };
    let end = || {
        let process = system.unfinished(state).filter(|_| !moved && question.end_states)?;
        Some((ViolationKind::InvalidEnd { process: process as u8 }, None))
    };
    found.or_else(invariant).or_else(end)
}

/// Which of the things that are looked for a failure is.
fn meant(failure: &Failure) -> What {
    let trouble = match failure.kind {
        FailureKind::Assertion => Trouble::Assertion,
        FailureKind::Exclusive { .. } => Trouble::Exclusive,
        FailureKind::Nondeterminism => Trouble::Nondeterminism,
        FailureKind::MonitorMismatch | FailureKind::MonitorComplete => Trouble::Monitor,
        FailureKind::Fault(fault) => match fault {
            Fault::Index { .. } => Trouble::Index,
            Fault::DivisionByZero => Trouble::Division,
            Fault::NoChannel => Trouble::NoChannel,
            Fault::DeadChannel => Trouble::DeadChannel,
            Fault::MessageLength { .. } => Trouble::MessageLength,
            Fault::RendezvousPoll => Trouble::RendezvousPoll,
            Fault::RendezvousInside => Trouble::RendezvousInside,
            Fault::BlockedInside => Trouble::BlockedInside,
            Fault::TooManyProcesses => Trouble::TooManyProcesses,
            Fault::TooManyChannels => Trouble::TooManyChannels,
            // These do not arise in what the engine accepts.
            Fault::EndlessInside | Fault::PriorityRange(_) | Fault::EnabledSelf => Trouble::Other,
        },
    };
    What::Step(trouble, failure.process, failure.edge)
}
