//! What is wrong, in words.
use engine::ViolationKind;
use model::Edge;
use model::semantics::{Failure, FailureKind, Fault, Forbidden, State, Step};

use super::{Terms, one_line};
use crate::{Violation, Where};

/// What the last step of a trace, or its last state, has to do with a violation.
struct Scene {
    message: String,
    place: Option<Where>,
    process: Option<String>,
    statement: Option<String>,
}

impl Terms<'_> {
    /// A violation whose trace passes through `states`; at most `keep` of its steps are described.
    pub fn violation(&self, found: &engine::Violation, states: &[State], keep: usize) -> Violation {
        let Scene { message, place, process, statement } = self.scene(found, states);
        Violation {
            kind: kind(found.kind),
            message,
            place,
            process,
            statement,
            length: found.trace.steps.len(),
            cycle_start: found.trace.cycle.map(|it| it + 1),
            steps: self.steps(&found.trace, states, keep),
            remarks: Vec::new(),
            last: states.last().map(|state| self.snapshot(state)).unwrap_or_default(),
            trace: found.trace.clone(),
        }
    }

    fn scene(&self, found: &engine::Violation, states: &[State]) -> Scene {
        let before = found.trace.steps.len().checked_sub(1).and_then(|row| states.get(row));
        match (found.kind, found.trace.steps.last(), states.last()) {
            (ViolationKind::Step(failure), Some(&step), Some(last)) => {
                self.failed_step(failure, step, before.unwrap_or(last))
            }
            (ViolationKind::InvalidEnd { process }, _, Some(last)) => self.invalid_end(last, usize::from(process)),
            (ViolationKind::Invariant { invariant, fault }, ..) => self.broken_invariant(invariant, fault),
            (ViolationKind::Start(fault), ..) => {
                scene(format!("the initial state cannot be computed: {}", self.fault(fault, "")), None)
            }
            _ => scene(kind(found.kind).into(), None),
        }
    }

    /// A step goes wrong; `before` is the state it starts from.
    fn failed_step(&self, failure: Failure, step: Step, before: &State) -> Scene {
        let edge = self.system.model().process(failure.process).edge(failure.edge);
        let process = culprit(failure, step, before);
        Scene {
            message: self.failure(failure, edge, &self.process_in_words(before, process), before),
            place: Some(self.place(edge.span)),
            process: Some(self.process(before, process)),
            statement: Some(one_line(&edge.text)),
        }
    }

    fn failure(&self, failure: Failure, edge: &Edge, process: &str, before: &State) -> String {
        let statement = one_line(&edge.text);
        match failure.kind {
            FailureKind::Assertion => format!("assertion violated: {}", one_line(condition(&edge.text))),
            FailureKind::Fault(fault) => self.fault(fault, &statement),
            FailureKind::Exclusive { owner } => {
                let owner = self.process_in_words(before, usize::from(owner));
                format!("{process} uses a channel that {owner} has declared its own: {statement}")
            }
            FailureKind::Nondeterminism => {
                format!("{process} is declared deterministic, but has a choice: {statement}")
            }
            FailureKind::MonitorMismatch => format!("the trace declaration does not allow this event: {statement}"),
            FailureKind::MonitorComplete => format!("this event completes a forbidden sequence (notrace): {statement}"),
        }
    }

    pub(super) fn fault(&self, fault: Fault, statement: &str) -> String {
        let text = match fault {
            Fault::Index { index, size, .. } => {
                let array = self.array(fault);
                return format!("array index {index} is outside {array} (size {size})");
            }
            Fault::DivisionByZero => "division by zero",
            Fault::NoChannel => "a channel variable is used that names no channel",
            Fault::DeadChannel => "a channel is used that vanished with the process that created it",
            Fault::TooManyProcesses => "too many processes: at most 255 can exist at once",
            Fault::TooManyChannels => "too many channels: at most 255 can exist at once",
            Fault::MessageLength { given, wanted } => {
                return after(&format!("wrong number of message fields: {given} instead of {wanted}"), statement);
            }
            Fault::RendezvousPoll => "a rendezvous channel cannot be polled",
            Fault::RendezvousInside => "a rendezvous send inside a d_step",
            Fault::BlockedInside => "a d_step cannot go on after it has begun",
            Fault::EndlessInside => "a d_step does not end",
            Fault::PriorityRange(priority) => {
                return after(&format!("priority {priority} is outside 1 to 255"), statement);
            }
            Fault::EnabledSelf => "a process asks whether it is enabled itself",
        };
        after(text, statement)
    }

    /// The name of the array in an index fault.
    fn array(&self, fault: Fault) -> String {
        let Fault::Index { owner, variable, .. } = fault else { return String::new() };
        let model = self.system.model();
        let variables = owner.map_or(&model.globals, |process| &model.process(process).variables);
        format!("`{}`", variables[variable.0 as usize].name.replace("[]", ""))
    }

    fn invalid_end(&self, last: &State, process: usize) -> Scene {
        let (ty, at) = (last.type_of(process), last.location_of(process));
        let place = self.place(self.system.model().process(ty).location(at).span);
        let name = self.process_in_words(last, process);
        let statement = one_line(&self.statements(ty, at).join(" or "));
        Scene {
            message: format!("invalid end state: process {name} is waiting at line {}: {statement}", place.line),
            place: Some(place),
            process: Some(self.process(last, process)),
            statement: Some(statement),
        }
    }

    fn broken_invariant(&self, row: u32, fault: Option<Fault>) -> Scene {
        let invariant = &self.system.model().invariants[row as usize];
        let place = Some(self.place(invariant.span));
        match fault {
            None => scene(format!("invariant `{}` is false", invariant.name), place),
            Some(fault) => {
                let fault = self.fault(fault, "");
                scene(format!("invariant `{}` cannot be computed: {fault}", invariant.name), place)
            }
        }
    }
}

fn scene(message: String, place: Option<Where>) -> Scene {
    Scene { message, place, process: None, statement: None }
}

/// The process that a failure is about: one of the two of a rendezvous.
fn culprit(failure: Failure, step: Step, before: &State) -> usize {
    let is = |process: u8, edge| before.type_of(usize::from(process)) == failure.process && edge == failure.edge;
    let of_type = |process: u8| before.type_of(usize::from(process)) == failure.process;
    match step.partner {
        Some((process, edge)) if is(process, edge) => usize::from(process),
        Some((process, _)) if of_type(process) && !is(step.process, step.edge) => usize::from(process),
        _ => usize::from(step.process),
    }
}

/// The condition of an assertion.
fn condition(statement: &str) -> &str {
    let inner = statement.trim().strip_prefix("assert").map(str::trim).unwrap_or(statement);
    inner.strip_prefix('(').and_then(|it| it.strip_suffix(')')).filter(|it| is_balanced(it)).unwrap_or(inner)
}

/// Whether every parenthesis inside closes inside.
fn is_balanced(text: &str) -> bool {
    let mut open = 0;
    text.chars().all(|it| {
        open += i32::from(it == '(') - i32::from(it == ')');
        open >= 0
    })
}

fn after(text: &str, statement: &str) -> String {
    if statement.is_empty() { text.into() } else { format!("{text}: {statement}") }
}

/// The word for a kind of violation.
fn kind(kind: ViolationKind) -> &'static str {
    match kind {
        ViolationKind::Step(failure) => failure_kind(failure.kind),
        ViolationKind::InvalidEnd { .. } => "invalid-end-state",
        ViolationKind::Invariant { .. } => "invariant",
        ViolationKind::Start(fault) | ViolationKind::Forbidden(Forbidden::Fault(fault)) => fault_kind(fault),
        ViolationKind::Forbidden(Forbidden::End) => "claim-end",
        ViolationKind::Forbidden(Forbidden::Assertion(_)) => "assertion",
        ViolationKind::Cycle => "acceptance-cycle",
        ViolationKind::Branching => "ctl",
    }
}

fn failure_kind(kind: FailureKind) -> &'static str {
    match kind {
        FailureKind::Assertion => "assertion",
        FailureKind::Fault(fault) => fault_kind(fault),
        FailureKind::Exclusive { .. } => "xr-xs",
        FailureKind::Nondeterminism => "nondeterminism",
        FailureKind::MonitorMismatch | FailureKind::MonitorComplete => "trace",
    }
}

fn fault_kind(fault: Fault) -> &'static str {
    match fault {
        Fault::Index { .. } => "array-index",
        Fault::DivisionByZero => "division-by-zero",
        Fault::NoChannel => "uninitialised-channel",
        Fault::DeadChannel => "dead-channel",
        Fault::TooManyProcesses | Fault::TooManyChannels => "limit",
        Fault::MessageLength { .. } => "message-length",
        Fault::RendezvousPoll => "rendezvous-poll",
        Fault::RendezvousInside => "rendezvous-in-d-step",
        Fault::BlockedInside => "d-step-blocked",
        Fault::EndlessInside => "d-step-endless",
        Fault::PriorityRange(_) => "priority-range",
        Fault::EnabledSelf => "enabled-self",
    }
}

#[cfg(test)]
mod tests {
    use super::condition;

    #[test]
    fn an_assertion_is_named_by_its_condition() {
        assert_eq!(condition("assert(x == 1)"), "x == 1");
        assert_eq!(condition("assert((x) && (y))"), "(x) && (y)");
        assert_eq!(condition("assert (x) || (y)"), "(x) || (y)");
    }
}
