//! What a path shows about branching time, in words.
use engine::{Evidence, Remark as Found, Trace, Violation as Broken, ViolationKind};
use model::semantics::{Forbidden, State};
use model::{Meaning, TemporalProperty};

use super::Terms;
use crate::{Remark, Violation};

impl Terms<'_> {
    /// Why a property is false in the initial state, or why it is true: its path is walked along `trace` through `states`.
    pub fn branching(
        &self,
        property: &TemporalProperty,
        (evidence, is_true): (&Evidence, bool),
        (trace, states): (&Trace, &[State]),
        keep: usize,
    ) -> Violation {
        let found = Broken { kind: ViolationKind::Branching, trace: trace.clone() };
        let mut violation = self.violation(&found, states, keep);
        let (texts, actions) = (texts(property), &*self.system.model().actions);
        let shown = evidence.formula.text_with(texts, actions);
        violation.message = match is_true {
            true => format!("{shown} is true in the initial state"),
            false => format!("it is false in the initial state, where {shown} is true"),
        };
        violation.remarks = remarks(&evidence.remarks, texts, actions);
        let stated = self.stated(property);
        (violation.place, violation.statement) = stated.map_or((None, None), |it| (Some(it.0), Some(it.1)));
        violation
    }

    /// A state in which a condition of a property cannot be computed, at the end of a trace through `states`.
    pub fn faulty_condition(
        &self,
        property: &TemporalProperty,
        found: &Broken,
        states: &[State],
        keep: usize,
    ) -> Violation {
        let mut violation = self.violation(found, states, keep);
        if let ViolationKind::Forbidden(Forbidden::Fault(fault)) = found.kind {
            violation.message = format!("a condition cannot be computed: {}", self.fault(fault, ""));
        }
        let stated = self.stated(property);
        (violation.place, violation.statement) = stated.map_or((None, None), |it| (Some(it.0), Some(it.1)));
        violation
    }
}

fn texts(property: &TemporalProperty) -> &[String] {
    if let Meaning::Branching(it) = &property.meaning { &it.texts } else { &[] }
}

/// What is true on the way. What is said of one state after the other is said once.
fn remarks(found: &[Found], texts: &[String], actions: &[String]) -> Vec<Remark> {
    let mut list = Vec::new();
    for (row, it) in found.iter().enumerate() {
        let is_same = |other: &&Found| !other.is_shown && !it.is_shown && other.formula == it.formula;
        if found[..row].iter().rev().find(is_same).is_some_and(|before| before.position + 1 >= it.position) {
            continue;
        }
        let goes_on = found[row + 1..].iter().find(is_same).is_some_and(|next| next.position == it.position + 1);
        let formula = it.formula.text_with(texts, actions);
        let text = match (it.is_shown, goes_on) {
            (true, _) => format!("{formula} is true here"),
            (false, false) => format!("{formula} is true here, which one path cannot show"),
            (false, true) => format!("{formula} is true from here on, which one path cannot show"),
        };
        list.push(Remark { after: it.steps, text });
    }
    list
}
