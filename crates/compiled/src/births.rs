//! Processes whose numbers are known although they are created at run time.
//!
//! Most models have one process that creates all others in one go and then does nothing of the kind again. If
//! nobody can come in between, the number of each new process is known, and it can have a fixed place in
//! the state like those that exist from the start:
//!
//! * only the last of the processes that exist from the start creates others, whenever it wants to move;
//! * its steps from the first creation to the last are one after the other, keep control, never wait, and
//!   cannot be reached again.
//!
//! If they are not in one line (a loop, a choice) they are *rehearsed*: the reference semantics is followed from the initial
//! state until the parent cannot create any more. If these are few states, and all end with the same processes, then so
//! does every run.
use std::collections::{HashSet, VecDeque};

use model::semantics::{Semantics, State};
use model::{Edge, EdgeId, Effect, LocationId, Model, ProcessType, ProcessTypeId};

/// States of a rehearsal.
const PATIENCE: usize = 10_000;

/// A process that will be created.
#[derive(Clone, Debug)]
pub struct Birth {
    /// Its type.
    pub ty: ProcessTypeId,
    /// Where that happens.
    pub by: Parent,
}

/// Who creates a process.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Parent {
    /// This edge, and this of the edge's effects.
    Edge(EdgeId, usize),
    /// The rehearsal shows that it has this number.
    Rehearsed(usize),
}

/// All processes that will ever be created, in order; nothing if that is not known. Also the states of the rehearsal, if there
/// was one: a process that ended in it can have made room for another.
pub fn births(system: &Semantics<'_>, initial: &State) -> Option<(Vec<Birth>, Vec<State>)> {
    let model = system.model();
    let rows: Vec<usize> = (0..model.processes.len()).filter(|&it| creates(&model.processes[it])).collect();
    let last = model.start.last()?;
    let [row] = rows[..] else { return rows.is_empty().then(Default::default) };
    let parents = model.start.iter().filter(|it| it.process.0 as usize == row).count();
    if last.process.0 as usize != row || parents != 1 || model.processes[row].provided.is_some() {
        return None;
    }
    let (list, states) = match line(&model.processes[row]) {
        Some(list) => (list, Vec::new()),
        None => rehearsed(system, initial)?,
    };
    let bears_itself = list.iter().any(|it| it.ty.0 as usize == row);
    (!bears_itself && model.start.len() + list.len() <= 255).then_some((list, states))
}

fn creates(ty: &ProcessType) -> bool {
    ty.edges.iter().any(is_creation)
}

/// The processes in which every rehearsal ends, and all its states.
fn rehearsed(system: &Semantics<'_>, initial: &State) -> Option<(Vec<Birth>, Vec<State>)> {
    let model = system.model();
    let parent = model.start.len() - 1;
    let (mut states, ends) = rehearse(system, initial, parent)?;
    let types = |state: &State| (0..state.process_count()).map(|it| state.type_of(it)).collect::<Vec<_>>();
    let all = types(ends.first()?);
    let is_early = |state: &State| all.starts_with(&types(state));
    let is_end = |state: &State| types(state) == all;
    if !states.iter().all(is_early) || !ends.iter().all(is_end) {
        return None;
    }
    let birth = |(number, &ty)| Birth { ty, by: Parent::Rehearsed(number) };
    let births = all.iter().enumerate().skip(model.start.len()).map(birth).collect();
    states.extend(ends);
    Some((births, states))
}

/// The states before the parent has created all it can, and the first ones after.
fn rehearse(system: &Semantics<'_>, initial: &State, parent: usize) -> Option<(Vec<State>, Vec<State>)> {
    let may_create = before_creation(system.model(), parent);
    let (mut seen, mut waiting) = (HashSet::new(), VecDeque::from([initial.clone()]));
    let (mut early, mut ends) = (Vec::new(), Vec::new());
    while let Some(mut state) = waiting.pop_front() {
        if !seen.insert((state.bytes().to_vec(), state.exclusive)) {
            continue;
        }
        if seen.len() > PATIENCE {
            return None;
        }
        if state.process_count() <= parent || !may_create.contains(&state.location_of(parent)) {
            ends.push(state);
            continue;
        }
        if !system.moves(&state, &mut |it| waiting.extend(it.next.cloned())) && state.exclusive.is_some() {
            system.release(&mut state);
            waiting.push_back(state.clone());
        }
        early.push(state);
    }
    Some((early, ends))
}

/// The locations of a process that exists from the start from which it may still create others.
fn before_creation(model: &Model, process: usize) -> HashSet<LocationId> {
    let graph = model.process(model.start[process].process);
    let mut found: HashSet<LocationId> = graph.edges.iter().filter(|it| is_creation(it)).map(|it| it.source).collect();
    let leads = |edge: &Edge, found: &HashSet<LocationId>| {
        let inside = |it: &Effect| matches!(it, Effect::Indivisible(entry) if found.contains(entry));
        edge.target.is_some_and(|it| found.contains(&it)) || edge.effects.iter().any(inside)
    };
    loop {
        let more: Vec<LocationId> = graph.edges.iter().filter(|it| leads(it, &found)).map(|it| it.source).collect();
        let before = found.len();
        found.extend(more);
        if found.len() == before {
            return found;
        }
    }
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
        Effect::Spawn { process, .. } => Some(Birth { ty: *process, by: Parent::Edge(id, row) }),
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
