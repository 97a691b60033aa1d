//! Which property of whole executions an execution violates, if it is not said.
//!
//! A trail of SPIN's does not name its property. So each is asked, as `certify` asks about what an engine has found: formulas by their definition,
//! claims by walking along with them. A trail with a claim has the number of the claim, which is asked first.
use certify::{Meaning, Stated};
use engine::{Fairness, Trace, ViolationKind};
use model::semantics::{Forbidden, Semantics, State, Watcher};
use model::{Model, TemporalProperty};
use report::Terms;

use crate::claim::{NON_PROGRESS, Prepared, prepare};

/// Which properties may be meant.
#[derive(Clone, Debug, Default)]
pub struct Meant {
    /// This one alone.
    pub name: Option<String>,
    /// A claim, by its number among all processes and claims, is more likely than others.
    pub claim: Option<u32>,
    /// That somebody makes progress.
    pub progress: bool,
}

/// What was found out about an execution.
pub struct Broken {
    /// The name of the property.
    pub property: String,
    /// How it is violated.
    pub shown: report::Violation,
}

/// The properties of a model, ready to be asked.
pub struct Properties<'m> {
    model: &'m Model,
    /// In the order in which they are asked.
    rows: Vec<(usize, Prepared)>,
}

impl<'m> Properties<'m> {
    /// Those that may be meant.
    pub fn new(model: &'m Model, meant: &Meant) -> Self {
        let likely = meant.claim.and_then(|it| (it as usize).checked_sub(model.processes.len()));
        let mut rows: Vec<usize> = (0..model.temporal_properties.len()).collect();
        rows.sort_by_key(|&row| likely != Some(row));
        let is_meant = |row: &usize| match (&meant.name, &*model.temporal_properties[*row].name) {
            (Some(wanted), name) => wanted == name,
            (None, name) => meant.progress == (name == NON_PROGRESS),
        };
        let prepared = |row| prepare(model, &model.temporal_properties[row]).ok().map(|it| (row, it));
        Properties { model, rows: rows.into_iter().filter(is_meant).filter_map(prepared).collect() }
    }

    /// The one that is asked first.
    pub fn likely(&self) -> Option<&TemporalProperty> {
        self.rows.first().map(|it| &self.model.temporal_properties[it.0])
    }

    /// The first property that a trace violates; its last state is `end`.
    pub fn violated(&self, terms: Terms<'_>, trace: &Trace, end: &State) -> Option<Broken> {
        let ask = |(row, prepared): &(usize, Prepared)| {
            let property = &self.model.temporal_properties[*row];
            let watcher = Watcher { claim: &prepared.claim, conditions: &property.observes };
            let meaning = prepared.formula.as_ref().map_or(Meaning::Claim, Meaning::Formula);
            let stated = Stated { meaning, watcher, fairness: Fairness::None };
            kinds(terms.system, trace, watcher, end).into_iter().find_map(|kind| {
                let violation = engine::Violation { kind, trace: trace.clone() };
                let (replay, trace) = certify::replay_temporal(terms.system, &violation, stated).ok()?;
                let violation = engine::Violation { kind, trace };
                let shown = terms.behaviour(property, &violation, &replay.states, usize::MAX);
                Some(Broken { property: property.name.clone(), shown })
            })
        };
        self.rows.iter().find_map(ask)
    }
}

/// What can be wrong: a cycle, or whatever makes a claim come to its end at the last state.
pub fn kinds(system: &Semantics<'_>, trace: &Trace, watcher: Watcher<'_>, end: &State) -> Vec<ViolationKind> {
    if trace.cycle.is_some() {
        return vec![ViolationKind::Cycle];
    }
    let edges = watcher.claim.locations.iter().flat_map(|it| &it.edges);
    let assertions = edges.flat_map(|it| &it.asserts).map(|it| Forbidden::Assertion(it.1));
    let faults = watcher.conditions.iter().filter_map(|it| system.holds(end, it, false).err()).map(Forbidden::Fault);
    [Forbidden::End].into_iter().chain(assertions).chain(faults).map(ViolationKind::Forbidden).collect()
}
