//! A kind of process of which there never is one.
use text::Diagnostic;

use crate::Subject;

pub fn look(subject: &Subject) -> Vec<Diagnostic> {
    let mut list = Vec::new();
    for (owner, process) in model::variables::types(subject.model) {
        if subject.ranges.at(owner, process.entry).is_none() {
            let name = &process.name;
            let message = format!("no process `{name}` is ever started");
            let help = format!("write `active proctype {name}`, or `run {name}()` in a process that is");
            list.push(Diagnostic::warning("never-started", process.span, message).help(help));
        }
    }
    list
}
