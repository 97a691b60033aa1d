//! What is wrong with a whole execution, in words.
use engine::{Violation as Found, ViolationKind};
use model::semantics::{Forbidden, State};
use model::{Expr, Mark, Meaning, TemporalProperty};

use super::Terms;
use crate::{Violation, Where};

/// How a kind of property speaks of what it forbids: of steps that are repeated, of standing still, of anything that may come, and from the start.
struct Wording {
    repeated: fn(&str) -> String,
    still: &'static str,
    whatever: &'static str,
    at_once: &'static str,
}

const FORMULA: Wording = Wording {
    repeated: |steps| format!("it is false when {steps} for ever"),
    still: "it is false when nothing moves any more after the last step",
    whatever: "it is false whatever comes after the last step",
    at_once: "it is false from the start, whatever comes",
};

const CLAIM: Wording = Wording {
    repeated: |steps| format!("the claim accepts an execution in which {steps} for ever"),
    still: "the claim accepts an execution in which nothing moves any more after the last step",
    whatever: "the claim comes to its end after the last step",
    at_once: "the claim comes to its end at the start",
};

const ACCEPT_LABELS: Wording = Wording {
    repeated: |steps| format!("a process is at an accept label again and again when {steps} for ever"),
    still: "the system can stand still with a process at an accept label",
    ..FORMULA
};

const PROGRESS: Wording =
    Wording { repeated: |steps| format!("nobody makes progress when {steps} for ever"), ..FORMULA };

impl Terms<'_> {
    /// An execution that a temporal property forbids; its trace passes through `states`. At most `keep` of its steps are described.
    pub fn behaviour(&self, property: &TemporalProperty, found: &Found, states: &[State], keep: usize) -> Violation {
        let mut violation = self.violation(found, states, keep);
        violation.message = self.verdict(property, found);
        if found.kind == ViolationKind::Cycle && looks_at(property, Mark::Progress) {
            violation.kind = "non-progress-cycle";
        }
        (violation.place, violation.statement) =
            self.stated(property).map_or((None, None), |it| (Some(it.0), Some(it.1)));
        if let ViolationKind::Forbidden(Forbidden::Assertion(span)) = found.kind {
            violation.place = Some(self.place(span));
            violation.statement = Some(self.written(span));
        }
        violation
    }

    fn verdict(&self, property: &TemporalProperty, found: &Found) -> String {
        let wording = wording(property);
        let length = found.trace.steps.len();
        let steps = match found.trace.cycle.map(|it| length - it) {
            Some(1) => "the last step is repeated".to_string(),
            Some(steps) if steps > 1 => format!("the last {steps} steps are repeated"),
            _ => String::new(),
        };
        match found.kind {
            ViolationKind::Forbidden(Forbidden::Assertion(_)) => "an assertion of the claim is false".into(),
            ViolationKind::Forbidden(Forbidden::Fault(fault)) => {
                format!("a condition cannot be computed: {}", self.fault(fault, ""))
            }
            ViolationKind::Forbidden(Forbidden::End) if length == 0 => wording.at_once.into(),
            ViolationKind::Forbidden(Forbidden::End) => wording.whatever.into(),
            _ if steps.is_empty() && length == 0 => wording.still.replace(" after the last step", ""),
            _ if steps.is_empty() => wording.still.into(),
            _ => (wording.repeated)(&steps),
        }
    }

    /// Where a property is stated, and in which words.
    pub(super) fn stated(&self, property: &TemporalProperty) -> Option<(Where, String)> {
        let written = self.written(property.span);
        (!written.is_empty()).then(|| (self.place(property.span), written))
    }

    fn written(&self, span: text::Span) -> String {
        self.sources.slice(span).split_whitespace().collect::<Vec<_>>().join(" ")
    }
}

fn wording(property: &TemporalProperty) -> &'static Wording {
    match property.meaning {
        Meaning::Claim(_) => &CLAIM,
        Meaning::Formula(_) if looks_at(property, Mark::Progress) => &PROGRESS,
        Meaning::Formula(_) if looks_at(property, Mark::Accepting) => &ACCEPT_LABELS,
        Meaning::Formula(_) | Meaning::Branching(_) => &FORMULA,
    }
}

/// Whether a property is nothing but a question about labels.
fn looks_at(property: &TemporalProperty, mark: Mark) -> bool {
    property.observes == [Expr::AnyAt(mark)]
}
