//! What the symbolic engine does not do: each with the place that asks for it.
use std::collections::HashSet;

use model::access::{effect_expressions, region};
use model::variables::{Name, every_part, types};
use model::{BinaryOp, Edge, Effect, Expr, Initial, Model, ProcessType, ProcessTypeId, Scope};

use crate::cell::Owner;
use crate::layout::is_hidden;
use crate::stop::{Result, Stop};

/// Refuses what cannot be said with sets of bit vectors.
pub fn check(model: &Model) -> Result<()> {
    priorities(model)?;
    for (ty, process) in types(model) {
        for edge in &process.edges {
            questions(edge)?;
            own_location(ty, process, edge)?;
        }
        if let Some(condition) = process.provided.as_ref().filter(|it| asks_too_much(it)) {
            return Err(too_much(condition, process.span));
        }
    }
    for property in &model.temporal_properties {
        if let Some(condition) = property.observes.iter().find(|it| asks_too_much(it)) {
            return Err(too_much(condition, property.span));
        }
    }
    hidden(model)
}

fn priorities(model: &Model) -> Result<()> {
    for start in &model.start {
        if start.priority != 1 {
            return Err(Stop::refused("processes with priorities", model.process(start.process).span));
        }
    }
    for edge in model.processes.iter().flat_map(|it| &it.edges) {
        let changes = |effect: &Effect| match effect {
            Effect::Spawn { priority, .. } => *priority != Expr::Constant(1),
            Effect::SetPriority(..) => true,
            _ => false,
        };
        if edge.effects.iter().any(changes) {
            return Err(Stop::refused("processes with priorities", edge.span));
        }
    }
    Ok(())
}

/// Calls `visit` for every expression of an edge.
fn expressions(edge: &Edge, visit: &mut dyn FnMut(&Expr)) {
    visit(&edge.guard);
    edge.effects.iter().for_each(|effect| effect_expressions(effect, visit));
}

fn questions(edge: &Edge) -> Result<()> {
    let mut found = None;
    expressions(edge, &mut |expr| found = found.take().or(asks_too_much(expr).then(|| expr.clone())));
    found.map_or(Ok(()), |expr| Err(too_much(&expr, edge.span)))
}

fn asks_too_much(expr: &Expr) -> bool {
    expr.any(&|it| matches!(it, Expr::Enabled(_) | Expr::PriorityOf(_)))
}

fn too_much(expr: &Expr, span: text::Span) -> Stop {
    let what = if expr.any(&|it| matches!(it, Expr::Enabled(_))) { "`enabled`" } else { "processes with priorities" };
    Stop::refused(what, span)
}

/// Inside an indivisible region a process is nowhere, as far as the bits of a state can tell.
fn own_location(ty: ProcessTypeId, process: &ProcessType, edge: &Edge) -> Result<()> {
    for entry in edge.effects.iter().filter_map(Effect::entry) {
        for inner in region(process, entry) {
            let mut asks = false;
            let is_asked = |it: &Expr| match it {
                Expr::RemoteAt { process, .. } => *process == ty,
                Expr::AnyAt(_) | Expr::LocationOf(_) => true,
                _ => false,
            };
            expressions(inner, &mut |expr| asks |= expr.any(&is_asked));
            if asks {
                return Err(Stop::refused("a question about locations inside a `d_step`", inner.span));
            }
        }
    }
    Ok(())
}

/// What hidden variables hold is no part of a state, so nothing may depend on it but other hidden variables.
fn hidden(model: &Model) -> Result<()> {
    let is_one = |row: usize| is_hidden(Owner::Global, &model.globals[row]);
    let names: HashSet<Name> = (0..model.globals.len())
        .filter(|&row| is_one(row))
        .map(|row| Name::Global(model::VariableId(row as u32)))
        .collect();
    if names.is_empty() {
        return Ok(());
    }
    let reads = |expr: &Expr| {
        expr.any(&|it| matches!(it, Expr::Read(place) if place.scope == Scope::Global && names.contains(&Name::Global(place.variable))))
    };
    let message = "a `hidden` variable whose value matters";
    for edge in model.processes.iter().flat_map(|it| &it.edges) {
        if reads(&edge.guard) {
            return Err(Stop::refused(message, edge.span));
        }
        for effect in &edge.effects {
            let mut matters = false;
            match effect {
                Effect::Assign(place, value)
                    if place.scope == Scope::Global && names.contains(&Name::Global(place.variable)) =>
                {
                    matters = place.indices.iter().any(&reads) || reads(value) && can_fail(value);
                }
                _ => effect_expressions(effect, &mut |expr| matters |= reads(expr)),
            }
            if matters {
                return Err(Stop::refused(message, edge.span));
            }
        }
    }
    others(model, &reads, message)
}

fn others(model: &Model, reads: &dyn Fn(&Expr) -> bool, message: &str) -> Result<()> {
    for process in &model.processes {
        let first = process.variables.iter().filter_map(|it| match &it.initial {
            Initial::Values(values) => Some(values),
            _ => None,
        });
        if process.provided.iter().chain(first.flatten()).any(reads) {
            return Err(Stop::refused(message, process.span));
        }
    }
    for edge in model.monitor.iter().flat_map(|it| &it.graph.edges) {
        let mut matters = false;
        expressions(edge, &mut |expr| matters |= reads(expr));
        if matters {
            return Err(Stop::refused(message, edge.span));
        }
    }
    let mut declared = model.processes.iter().flat_map(|it| &it.exclusive);
    if let Some(exclusive) = declared.find(|it| reads(&it.channel)) {
        return Err(Stop::refused(message, exclusive.span));
    }
    if let Some(property) = model.temporal_properties.iter().find(|it| it.observes.iter().any(reads)) {
        return Err(Stop::refused(message, property.span));
    }
    match model.invariants.iter().find(|it| reads(&it.condition)) {
        Some(invariant) => Err(Stop::refused(message, invariant.span)),
        None => Ok(()),
    }
}

/// Whether an expression may have no value.
fn can_fail(expr: &Expr) -> bool {
    let mut fails = false;
    every_part(expr, &mut |part| {
        fails |= match part {
            Expr::Binary(op, ..) => matches!(op, BinaryOp::Div | BinaryOp::Rem),
            Expr::Read(place) => !place.indices.is_empty(),
            Expr::Unary(..) | Expr::Constant(_) | Expr::Conditional(..) | Expr::Me | Expr::ProcessCount => false,
            _ => true,
        }
    });
    fails
}
