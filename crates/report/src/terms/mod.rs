//! From the terms of engines to those of the source.
//!
//! An engine speaks of process 1 taking edge 7; a reader wants `P(1)`, `peterson.pml:12` and
//! `flag[0] = 1`. [`Terms`] knows both sides.
mod behaviour;
mod branching;
mod coverage;
mod happenings;
mod steps;
mod violation;
mod why;

pub(crate) use why::in_bytes;

use model::semantics::{Semantics, State};
use model::{Edge, LocationId, ProcessTypeId};
use text::{Sources, Span};

use crate::Where;

/// The longest statement that is shown in full.
const LONGEST: usize = 72;

/// Names and places of one model.
#[derive(Clone, Copy)]
pub struct Terms<'a> {
    /// The model's meaning.
    pub system: &'a Semantics<'a>,
    /// The texts it came from.
    pub sources: &'a Sources,
}

impl Terms<'_> {
    /// Where a span begins.
    pub fn place(&self, span: Span) -> Where {
        let place = self.sources.place(span);
        Where { file: place.file.to_string(), line: place.line }
    }

    /// A process as a trace names it: `P(1)`.
    pub fn process(&self, state: &State, process: usize) -> String {
        format!("{}({process})", self.system.model().process(state.type_of(process)).name)
    }

    /// A process as a sentence names it: `P (1)`.
    fn process_in_words(&self, state: &State, process: usize) -> String {
        format!("{} ({process})", self.system.model().process(state.type_of(process)).name)
    }

    /// What can happen at a location, each statement once.
    fn statements(&self, process: ProcessTypeId, location: LocationId) -> Vec<String> {
        let mut list: Vec<String> = Vec::new();
        let own = self.system.model().process(process).outgoing(location).map(|it| it.1);
        for edge in own.chain(self.joined(process)) {
            let statement = one_line(&edge.text);
            if !list.contains(&statement) {
                list.push(statement);
            }
        }
        list
    }

    /// What a process does together with others, who own the steps.
    fn joined(&self, process: ProcessTypeId) -> impl Iterator<Item = &Edge> {
        let model = self.system.model();
        let joined = model.participants.iter().filter(move |it| it.1.contains(&process));
        joined.map(|((owner, edge), _)| model.process(*owner).edge(*edge))
    }
}

/// A statement on one line, shortened if need be.
fn one_line(statement: &str) -> String {
    let line = statement.split_whitespace().collect::<Vec<_>>().join(" ");
    match line.char_indices().nth(LONGEST) {
        Some((end, _)) => format!("{}…", &line[..end]),
        None => line,
    }
}
