//! A trace, step by step: who did what where, and what it changed.
use std::ops::Range;

use engine::Trace;
use model::semantics::{Owner, State, Step, Value};
use model::{EdgeId, Effect};

use super::{Terms, one_line};
use crate::{Half, ProcessState, ShownStep, Snapshot};

impl Terms<'_> {
    /// The steps of a trace through `states`; of those in the middle of the way to its cycle, and of the cycle, none if
    /// there are more than `keep`.
    pub fn steps(&self, trace: &Trace, states: &[State], keep: usize) -> Vec<ShownStep> {
        let length = trace.steps.len().min(states.len());
        let cycle = trace.cycle.map_or(length, |it| it.min(length));
        let rows = ends(0..cycle, keep).chain(ends(cycle..length, keep));
        rows.map(|row| self.step(row + 1, trace.steps[row], &states[row], states.get(row + 1))).collect()
    }

    /// A step, by its number from 1.
    pub fn step(&self, number: usize, step: Step, before: &State, after: Option<&State>) -> ShownStep {
        ShownStep {
            number,
            mover: self.half(before, step.process, step.edge),
            partner: step.partner.map(|(process, edge)| self.half(before, process, edge)),
            changes: after.map_or(Vec::new(), |after| self.changes(before, after)),
        }
    }

    fn half(&self, state: &State, process: u8, edge: EdgeId) -> Half {
        let process = usize::from(process);
        let edge = self.system.model().process(state.type_of(process)).edge(edge);
        Half { process: self.process(state, process), place: self.place(edge.span), statement: one_line(&edge.text) }
    }

    /// What differs between two states.
    fn changes(&self, before: &State, after: &State) -> Vec<String> {
        self.comings(before, after).into_iter().chain(self.changed(before, after).into_iter().map(|it| it.1)).collect()
    }

    /// Which processes come and go between two states.
    pub fn comings(&self, before: &State, after: &State) -> Vec<String> {
        let (old, new) = (before.process_count(), after.process_count());
        let ended = (new..old).map(|it| format!("{} ends", self.process(before, it)));
        let started = (old..new).map(|it| format!("{} starts", self.process(after, it)));
        ended.chain(started).collect()
    }

    /// Which values differ between two states, and whose they are.
    pub fn changed(&self, before: &State, after: &State) -> Vec<(Owner, String)> {
        // Processes come and go at the end of the list only, so that rows correspond.
        let (values, current) = (self.values(before), self.values(after));
        let changed =
            |(row, it): &(usize, &Value)| values.get(*row).map_or(nothing(&it.text), |old| &*old.text) != it.text;
        let changed = current.iter().enumerate().filter(changed);
        changed.map(|(_, it)| (it.owner, format!("{} = {}", self.name(after, it), it.text))).collect()
    }

    /// The values of a state. A variable without a name is none of the source's.
    fn values(&self, state: &State) -> Vec<Value> {
        let mut values = self.system.values(state);
        values.retain(|it| !it.name.is_empty());
        values
    }

    /// A variable with its owner: `x`, `P(1).x`.
    fn name(&self, state: &State, value: &Value) -> String {
        match value.owner {
            Owner::Global => value.name.clone(),
            Owner::Process(process) => format!("{}.{}", self.process(state, usize::from(process)), value.name),
        }
    }

    /// A whole state.
    pub fn snapshot(&self, state: &State) -> Snapshot {
        let values = self.values(state);
        let of = |owner| {
            let own = values.iter().filter(move |it| it.owner == owner);
            own.map(|it| (it.name.clone(), it.text.clone())).collect::<Vec<_>>()
        };
        let processes =
            (0..state.process_count()).map(|it| self.process_state(state, it, of(Owner::Process(it as u8))));
        Snapshot { globals: of(Owner::Global), processes: processes.collect() }
    }

    fn process_state(&self, state: &State, process: usize, values: Vec<(String, String)>) -> ProcessState {
        let (ty, at) = (state.type_of(process), state.location_of(process));
        let graph = self.system.model().process(ty);
        let ends = |(_, edge): (_, &model::Edge)| edge.effects.contains(&Effect::Terminate);
        let is_over = graph.outgoing(at).all(ends) && self.joined(ty).next().is_none();
        let next = if is_over { String::new() } else { self.statements(ty, at).join(" or ") };
        ProcessState {
            process: self.process(state, process),
            place: self.place(graph.location(at).span),
            next: one_line(&next),
            values,
        }
    }
}

/// All of a range, or only `keep` at both ends.
fn ends(range: Range<usize>, keep: usize) -> impl Iterator<Item = usize> {
    let left_out = match range.len() > keep {
        true => range.start + keep.div_ceil(2)..range.end - keep / 2,
        false => 0..0,
    };
    range.filter(move |row| !left_out.contains(row))
}

/// What a variable of a new process is taken to have held before: whatever is not worth showing.
fn nothing(text: &str) -> &str {
    if text == "[]" { text } else { "0" }
}
