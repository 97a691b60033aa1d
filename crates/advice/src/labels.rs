//! A label for progress or acceptance that no state of the system ever shows.
//!
//! Such a label does nothing: with `--progress` every cycle is one without progress, and what is never accepted is never
//! found. Either there is no way to it, or it stands inside `atomic` or `d_step`, where the process goes on at once and nobody
//! sees it there.
use model::{Location, LocationId};
use text::Diagnostic;

use crate::Subject;

pub fn look(subject: &Subject) -> Vec<Diagnostic> {
    let mut list = Vec::new();
    for (owner, process) in model::variables::types(subject.model) {
        if subject.ranges.at(owner, process.entry).is_none() {
            continue;
        }
        let rests = process.resting();
        for (row, location) in process.locations.iter().enumerate() {
            let Some(label) = special(location) else { continue };
            let passed = subject.ranges.at(owner, LocationId(row as u32)).is_some();
            let name = &process.name;
            if !passed && !location.internal {
                let message = format!("no process ever comes to the label `{label}` of `{name}`");
                list.push(Diagnostic::warning("unreachable-label", location.span, message));
            } else if !rests[row] || location.internal {
                let message = format!("nobody ever sees `{name}` at the label `{label}`: it goes on at once");
                let help = "inside `atomic` and `d_step` there are no states in between; put the label before it";
                list.push(Diagnostic::warning("unseen-label", location.span, message).help(help));
            }
        }
    }
    list
}

/// The label of a place that asks for states.
fn special(location: &Location) -> Option<&str> {
    let asks = |it: &&String| it.starts_with("progress") || it.starts_with("accept");
    location.labels.iter().find(asks).map(String::as_str)
}
