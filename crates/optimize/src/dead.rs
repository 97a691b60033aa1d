//! Dead variables: what a process will not read again, before it assigns to it again, becomes 0.
//!
//! Two states that differ only in such variables have the same future, so they are made one. Live variables are
//! found backwards along the edges (Aho, Lam, Sethi, Ullman, *Compilers*, 2nd ed. (2006), §9.2.5); for model checking see
//! G. Holzmann, *The engineering of a model checker: the Gnu i-protocol case study revisited*, SPIN 1999 (`-o1` switches
//! it off).
//!
//! A variable is live where a location has an edge that reads it, or leads to where it is live without storing in it.
//! Every condition and every effect counts as a read; so do the inner steps of an indivisible region, whose way out
//! leads to where the edge around it leads. Left alone are variables that others can read at any time (remote
//! references, `provided`, exclusive use of channels), channels, and what no step assigns to: that takes no room
//! anyway.
//!
//! What is dead at a location is 0 whenever a process is there, so that a state of the old model becomes one state of the
//! new one. A first value that nobody reads becomes 0, too; a parameter counts as live where a process begins.
use std::collections::{BTreeSet, HashSet};

use model::access::{effect_expressions, region};
use model::{Edge, Effect, Initial, LocationId, Model, Pattern, Place, ProcessType, ProcessTypeId, Scope, VariableId};

use crate::Mistake;
use crate::faults::Types;
use model::observers::Observers;
use model::variables::{Name, assigned, every_part, is_plain, reads, row_of, stores};

/// Arrays with more elements are left alone.
const LARGEST: usize = 16;

/// Variables of one process type.
type Set = BTreeSet<VariableId>;

/// Lets edges forget what is dead where they lead.
pub fn reset(model: &mut Model, mistake: Option<Mistake>) {
    let observers = Observers::new(model);
    if observers.any_local {
        return;
    }
    let written = assigned(model);
    for row in 0..model.processes.len() {
        let owner = ProcessTypeId(row as u32);
        let candidates = candidates(model, owner, &observers, &written);
        if candidates.is_empty() {
            continue;
        }
        drop_first_values(model, owner, &candidates, mistake);
        let process = model.process(owner);
        let given: Set = candidates.iter().copied().filter(|&it| !starts_with_zero(process, it)).collect();
        let forgets = Liveness::new(process, candidates, given, mistake).forgets();
        let edges = &mut model.processes[row].edges;
        edges.iter_mut().zip(forgets).for_each(|(edge, list)| edge.forgets = list);
    }
}

/// The variables that can be forgotten.
fn candidates(model: &Model, owner: ProcessTypeId, observers: &Observers, written: &HashSet<Name>) -> Set {
    let process = model.process(owner);
    let mut always = HashSet::new();
    let conditions = process.provided.iter().chain(process.exclusive.iter().map(|it| &it.channel));
    conditions.for_each(|expr| reads(owner, expr, &mut |name| _ = always.insert(name)));
    let fits = |&id: &VariableId| {
        let (name, variable) = (Name::Local(owner, id), &process.variables[id.0 as usize]);
        is_plain(variable)
            && variable.elements() <= LARGEST
            && written.contains(&name)
            && !always.contains(&name)
            && !observers.variables.contains(&(owner, id))
    };
    (0..process.variables.len()).map(|row| VariableId(row as u32)).filter(fits).collect()
}

/// First values that nobody reads become 0.
fn drop_first_values(model: &mut Model, owner: ProcessTypeId, candidates: &Set, mistake: Option<Mistake>) {
    let process = model.process(owner);
    let liveness = Liveness::new(process, candidates.clone(), Set::new(), mistake);
    let mut read = liveness.live[process.entry.0 as usize].clone();
    let types = Types::new(model, owner);
    for variable in &process.variables {
        if let Initial::Values(values) = &variable.initial {
            values.iter().for_each(|value| liveness.read(value, &mut read));
        }
    }
    let can_fault = |id: VariableId| match &process.variables[id.0 as usize].initial {
        Initial::Values(values) => values.iter().any(|value| types.can_fault(value)),
        Initial::Zero | Initial::Channels(_) => false,
    };
    let unread: Vec<VariableId> =
        candidates.iter().copied().filter(|it| !read.contains(it) && !can_fault(*it)).collect();
    for variable in unread {
        model.processes[owner.0 as usize].variables[variable.0 as usize].initial = Initial::Zero;
    }
}

fn starts_with_zero(process: &ProcessType, variable: VariableId) -> bool {
    let row = variable.0;
    row >= process.parameters && matches!(process.variables[row as usize].initial, Initial::Zero)
}

/// What is live where.
pub struct Liveness<'m> {
    process: &'m ProcessType,
    candidates: Set,
    mistake: Option<Mistake>,
    /// Per location.
    live: Vec<Set>,
    /// Per edge: where the process can be afterwards.
    targets: Vec<Vec<LocationId>>,
    /// Per edge: what it may store in, its region included.
    stored: Vec<Set>,
}

impl<'m> Liveness<'m> {
    /// `given` is taken to be live at the entry, whoever reads it.
    pub fn new(process: &'m ProcessType, candidates: Set, given: Set, mistake: Option<Mistake>) -> Self {
        let mut live = vec![Set::new(); process.locations.len()];
        live[process.entry.0 as usize] = given;
        let stored = process.edges.iter().map(|edge| &stored(process, edge) & &candidates).collect();
        let mut liveness = Liveness { process, candidates, mistake, live, targets: targets(process), stored };
        while liveness.grow() {}
        liveness
    }

    /// One round, backwards; false if nothing was new.
    fn grow(&mut self) -> bool {
        let mut grown = false;
        for row in (0..self.process.edges.len()).rev() {
            let edge = &self.process.edges[row];
            if self.mistake == Some(Mistake::DeadBranch) && !self.is_first(row) {
                continue;
            }
            let before = self.before(edge, self.after(row));
            let live = &mut self.live[edge.source.0 as usize];
            let count = live.len();
            live.extend(before);
            grown |= live.len() > count;
        }
        grown
    }

    fn is_first(&self, row: usize) -> bool {
        self.process.location(self.process.edges[row].source).first_edge as usize == row
    }

    /// What is live where an edge leads.
    pub fn after(&self, row: usize) -> Set {
        self.targets[row].iter().flat_map(|it| &self.live[it.0 as usize]).copied().collect()
    }

    /// What is live before an edge.
    fn before(&self, edge: &Edge, after: Set) -> Set {
        let mut live = after;
        for effect in edge.effects.iter().rev() {
            if let Effect::Indivisible(entry) = effect {
                // The ways out of the region know what is live behind it.
                live = self.live[entry.0 as usize].clone();
            }
            surely_stored(effect).for_each(|variable| _ = live.remove(&variable));
            effect_expressions(effect, &mut |expr| self.read(expr, &mut live));
        }
        if self.mistake != Some(Mistake::DeadTested) {
            self.read(&edge.guard, &mut live);
        }
        live
    }

    fn read(&self, expr: &model::Expr, live: &mut Set) {
        every_part(expr, &mut |part| {
            if let model::Expr::Read(Place { scope: Scope::Local, variable, .. }) = part
                && self.candidates.contains(variable)
            {
                live.insert(*variable);
            }
        });
    }

    /// Per edge: what it should forget.
    fn forgets(&self) -> Vec<Vec<VariableId>> {
        let dirty = self.dirty();
        let edges = self.process.edges.iter().enumerate();
        edges.map(|(row, edge)| self.dead_after(row, edge, &dirty).into_iter().collect()).collect()
    }

    /// What may hold something when an edge is taken, or after it, and is dead then.
    fn dead_after(&self, row: usize, edge: &Edge, dirty: &[Set]) -> Set {
        if edge.target.is_none() || self.process.location(edge.source).internal {
            return Set::new();
        }
        &(&dirty[edge.source.0 as usize] | &self.stored[row]) - &self.after(row)
    }

    /// Per location: what may hold something there, given what is forgotten on the way.
    fn dirty(&self) -> Vec<Set> {
        let mut dirty = vec![Set::new(); self.process.locations.len()];
        let at_entry = self.candidates.iter().filter(|it| !starts_with_zero(self.process, **it));
        dirty[self.process.entry.0 as usize] = at_entry.copied().collect();
        loop {
            let mut grown = false;
            for (row, edge) in self.process.edges.iter().enumerate() {
                let Some(target) = edge.target else { continue };
                let holds = &dirty[edge.source.0 as usize] | &self.stored[row];
                let left = &holds - &self.dead_after(row, edge, &dirty);
                let there = &mut dirty[target.0 as usize];
                let count = there.len();
                there.extend(left);
                grown |= there.len() > count;
            }
            if !grown {
                return dirty;
            }
        }
    }
}

/// The own variables that an edge may store in, its region included.
fn stored(process: &ProcessType, edge: &Edge) -> Set {
    let mut list = Set::new();
    let mut effects = |edge: &Edge| {
        let places = edge.effects.iter().flat_map(stores);
        list.extend(places.filter(|it| it.scope == Scope::Local).map(|it| it.variable));
    };
    effects(edge);
    for effect in &edge.effects {
        if let Effect::Indivisible(entry) = effect {
            region(process, *entry).into_iter().for_each(&mut effects);
        }
    }
    list
}

/// The own scalars to which an effect surely assigns.
fn surely_stored(effect: &Effect) -> impl Iterator<Item = VariableId> + '_ {
    let assigned = match effect {
        Effect::Assign(place, _) => Some(place),
        _ => None,
    };
    let patterns = match effect {
        Effect::Receive { patterns, .. } => &patterns[..],
        _ => &[],
    };
    let received = patterns.iter().filter_map(|it| match it {
        Pattern::Store(place) => Some(place),
        Pattern::Match(_) | Pattern::Any => None,
    });
    let places = assigned.into_iter().chain(received);
    places.filter(|it| it.scope == Scope::Local && it.indices.is_empty()).map(|it| it.variable)
}

/// Per edge: where the process can be afterwards. The way out of a region leads to where the edge around it leads.
fn targets(process: &ProcessType) -> Vec<Vec<LocationId>> {
    let mut targets: Vec<Vec<LocationId>> = process.edges.iter().map(|it| it.target.into_iter().collect()).collect();
    for outer in &process.edges {
        for effect in &outer.effects {
            let Effect::Indivisible(entry) = effect else { continue };
            for inner in region(process, *entry) {
                let leaves = inner.target.is_none_or(|it| !process.location(it).internal);
                let row = row_of(process, inner);
                targets[row].extend(outer.target.filter(|_| leaves));
            }
        }
    }
    targets
}
