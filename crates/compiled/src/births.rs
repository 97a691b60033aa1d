//! Processes whose numbers are known although they are created at run time.
//!
//! Most models have one process that creates all others in one go and then does nothing of the kind again. If
//! nobody can come in between, the number of each new process is known, and it can have a fixed place in
//! the state like those that exist from the start:
//!
//! * only the last of the processes that exist from the start creates others, whenever it wants to move;
//! * its steps from the first creation to the last are one after the other, keep control, never wait, and
//!   cannot be reached again.
use std::collections::HashSet;

use model::{Edge, EdgeId, Effect, LocationId, Model, ProcessType, ProcessTypeId};

/// A process that will be created.
#[derive(Clone, Debug)]
pub struct Birth {
    /// Its type.
    pub ty: ProcessTypeId,
    /// The edge of its parent, and which of the edge's effects.
    pub at: (EdgeId, usize),
}

/// All processes that will ever be created, in order; nothing if that is not known.
pub fn births(model: &Model) -> Option<Vec<Birth>> {
    let creators = |ty: &ProcessType| ty.edges.iter().any(is_creation);
    let rows: Vec<usize> = (0..model.processes.len()).filter(|&it| creators(&model.processes[it])).collect();
    let last = model.start.last()?;
    let [row] = rows[..] else { return rows.is_empty().then(Vec::new) };
    let parents = model.start.iter().filter(|it| it.process.0 as usize == row).count();
    if last.process.0 as usize != row || parents != 1 || model.processes[row].provided.is_some() {
        return None;
    }
    let list = line(&model.processes[row])?;
    let bears_itself = list.iter().any(|it| it.ty.0 as usize == row);
    (!bears_itself && model.start.len() + list.len() <= 255).then_some(list)
}

fn is_creation(edge: &Edge) -> bool {
    edge.effects.iter().any(|it| matches!(it, Effect::Spawn { .. }))
}

/// The creations of a process, if they stand in one line.
fn line(graph: &ProcessType) -> Option<Vec<Birth>> {
    let wanted = graph.edges.iter().filter(|it| is_creation(it)).count();
    let (mut here, mut seen, mut list, mut found) = (graph.entry, HashSet::new(), Vec::new(), 0);
    while found < wanted {
        let (id, edge) = only_edge(graph, here)?;
        if !seen.insert(here) {
            return None;
        }
        if is_creation(edge) {
            found += 1;
            list.extend(births_of(id, edge));
        }
        let between = found > 0 && found < wanted;
        if between && !edge.keeps_control || found > 0 && waits(edge) {
            return None;
        }
        here = edge.target?;
    }
    let visible = graph.edges.iter().filter(|it| !graph.location(it.source).internal);
    let entries = visible.filter(|it| it.target.is_some_and(|it| seen.contains(&it))).count();
    // Each location of the line but the first is entered once: from the one before.
    (entries + 1 == seen.len()).then_some(list)
}

fn only_edge(graph: &ProcessType, here: LocationId) -> Option<(EdgeId, &Edge)> {
    let mut edges = graph.outgoing(here);
    edges.next().filter(|_| edges.next().is_none())
}

fn births_of(id: EdgeId, edge: &Edge) -> impl Iterator<Item = Birth> + '_ {
    edge.effects.iter().enumerate().filter_map(move |(row, it)| match it {
        Effect::Spawn { process, .. } => Some(Birth { ty: *process, at: (id, row) }),
        _ => None,
    })
}

/// Whether an edge may have to wait.
fn waits(edge: &Edge) -> bool {
    let waits = |it: &Effect| {
        !matches!(
            it,
            Effect::Spawn { .. } | Effect::Assign(..) | Effect::Evaluate(_) | Effect::Print(_) | Effect::Assert(_)
        )
    };
    !edge.guard.is_true() || edge.otherwise || edge.effects.iter().any(waits)
}
