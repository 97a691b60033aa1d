//! Groups of which every cycle of the state space has one.
//!
//! Kurshan, Levin, Minea, Peled, Yenigün, *Static partial order reduction*, TACAS 1998: whatever returns to a state has brought each
//! process that moved back to its location, along a loop of its own. So it is enough to choose an edge in every loop of every process, and to let
//! everybody move where a chosen edge is taken: nobody is forgotten, in whichever order states are visited.
//!
//! Here loops of steps with which a process may go first need none: phase 1 of Twophase ends in them. A process that goes first only on a
//! condition is not reckoned with elsewhere.
use model::{LocationId, ProcessType};

use crate::facts::Facts;
use crate::groups::{Group, ends};
use crate::roles::{Role, Roles};
use crate::rows::Rows;
use crate::stage::Stage;

/// An edge of a process that does not go first, and where it may lead.
struct Way {
    id: u32,
    from: usize,
    to: Vec<usize>,
}

/// The chosen groups of a stage.
pub fn sticky(facts: &Facts<'_>, stage: &Stage, roles: &Roles, groups: &[Group]) -> Rows {
    let chosen: Vec<Vec<u32>> = (0..stage.actors.len())
        .map(|row| chosen(facts.model.process(stage.actors[row].ty), |location| is_never(roles, row, location)))
        .collect();
    Rows::of(groups.len(), |row| {
        groups[row].moves.iter().any(|&(actor, edge)| {
            let source = facts.model.process(stage.actors[actor].ty).edges[edge as usize].source;
            !is_never(roles, actor, source) || chosen[actor].contains(&edge)
        })
    })
}

fn is_never(roles: &Roles, row: usize, location: LocationId) -> bool {
    matches!(roles.role(row, location), Some(Role::Never(..)))
}

/// Edges from locations at which the process never goes first, one in every loop that has such an edge.
fn chosen(process: &ProcessType, is_never: impl Fn(LocationId) -> bool) -> Vec<u32> {
    let way = |(id, edge): (usize, &model::Edge)| Way {
        id: id as u32,
        from: edge.source.0 as usize,
        to: ends(process, edge).into_iter().map(|it| it.0 as usize).collect(),
    };
    let (mut open, others): (Vec<Way>, Vec<Way>) =
        process.edges.iter().enumerate().map(way).partition(|it| is_never(LocationId(it.from as u32)));
    let mut chosen = Vec::new();
    let count = process.locations.len();
    // An edge is in a loop if its source can be reached from one of its ends.
    while let Some(row) = (0..open.len()).rev().find(|&row| {
        let reached = reached(count, &open[row].to, open.iter().chain(&others));
        reached[open[row].from]
    }) {
        chosen.push(open.remove(row).id);
    }
    chosen
}

/// The locations that can be reached from some.
fn reached<'w>(count: usize, from: &[usize], ways: impl Iterator<Item = &'w Way>) -> Vec<bool> {
    let mut next = vec![Vec::new(); count];
    ways.for_each(|it| next[it.from].extend(&it.to));
    let (mut seen, mut waiting) = (vec![false; count], from.to_vec());
    while let Some(location) = waiting.pop() {
        if !std::mem::replace(&mut seen[location], true) {
            waiting.extend(&next[location]);
        }
    }
    seen
}
