//! How much a few words may stand for.
//!
//! Records contain records and arrays, so a short text can name more variables than any memory holds.
//! What a record unfolds to is known when it is declared and bounded there; what all uses of records
//! and late arrays unfold to together is bounded by a budget.
use std::rc::Rc;

use model::{Initial, Variable};
use text::{Diagnostic, Span};

use super::Lower;
use super::names::{RecordType, Symbol};
use crate::ast::{Declaration, TypeKind};

/// The most elements of an array, a record or an array of records; more would not fit a state.
pub const LARGEST_ARRAY: u64 = 1 << 20;

/// The most elements that records and late arrays may unfold to in a whole model.
const BUDGET: u64 = 1 << 18;

/// The most bytes that a state may have at the beginning.
const LARGEST_STATE: u64 = 64 << 20;

/// How deep records may be nested.
const NESTED: u32 = 100;

/// What a record unfolds to.
#[derive(Clone, Copy, Debug, Default)]
pub struct Size {
    /// Variables: an array is one.
    pub variables: u64,
    /// Elements of all of them.
    pub elements: u64,
    depth: u32,
}

/// What may still be unfolded.
pub struct Budget {
    left: u64,
    reported: bool,
}

impl Default for Budget {
    fn default() -> Self {
        Budget { left: BUDGET, reported: false }
    }
}

impl Budget {
    /// Whether more was wanted than there was.
    pub fn is_spent(&self) -> bool {
        self.reported
    }
}

impl Lower {
    /// Makes a field part of a record, unless that becomes too large.
    pub fn grow(&mut self, size: &mut Size, field: &Declaration, record: &str) -> bool {
        let inner = match &field.ty.kind {
            TypeKind::Named(name) => self.record(&name.name).map_or(ONE, |it| it.size),
            _ => ONE,
        };
        let mut grown = Size { depth: size.depth.max(inner.depth + 1), ..*size };
        for variable in &field.variables {
            let times = u64::from(self.array_size(variable).unwrap_or(1));
            // A record from which something was left out may be empty, but it has still to be looked at.
            grown.variables = grown.variables.saturating_add(inner.variables.max(1));
            grown.elements = grown.elements.saturating_add(inner.elements.max(1).saturating_mul(times));
        }
        let message = if grown.depth > NESTED {
            format!("with this field, `{record}` contains records in records more than {NESTED} deep")
        } else if grown.elements > LARGEST_ARRAY {
            format!("with this field, `{record}` has {} elements, more than {LARGEST_ARRAY}", grown.elements)
        } else {
            *size = grown;
            return true;
        };
        self.error("record-too-large", field.at.0, message);
        false
    }

    /// Complains if a state is so large that a few of them fill any memory.
    pub fn check_state(&mut self) {
        let own = self.model.start.iter().map(|start| self.bytes(&self.model.process(start.process).variables));
        let bytes = self.bytes(&self.model.globals) + own.sum::<u64>();
        if bytes > LARGEST_STATE {
            let (large, most) = (bytes >> 20, LARGEST_STATE >> 20);
            let message = format!("a state of this model takes {large} MB, more than {most} MB");
            let diagnostic = Diagnostic::global("state-too-large", message);
            self.diagnostics.push(diagnostic.help("make arrays and channels smaller"));
        }
    }

    /// Bytes for variables and the channels that they create.
    fn bytes(&self, variables: &[Variable]) -> u64 {
        let element = |it: &Variable| match it.initial {
            Initial::Channels(shape) => {
                let shape = self.model.shape(shape);
                let message: usize = shape.fields.iter().map(|field| field.size()).sum();
                1 + message as u64 * u64::from(shape.capacity)
            }
            _ => it.ty.size() as u64,
        };
        variables.iter().map(|it| it.elements() as u64 * element(it)).sum()
    }

    fn record(&self, name: &str) -> Option<Rc<RecordType>> {
        match self.scopes.find(name) {
            Some(Symbol::Record(record)) => Some(record.clone()),
            _ => None,
        }
    }

    /// Whether so many more elements can be unfolded.
    pub fn afford(&mut self, elements: u64, at: Span) -> bool {
        if let Some(left) = self.budget.left.checked_sub(elements) {
            self.budget.left = left;
            return true;
        }
        if !std::mem::replace(&mut self.budget.reported, true) {
            let message = format!("the records and late arrays up to here have more than {BUDGET} elements in all");
            let help = "use smaller ones; an array at the beginning of a process does not count";
            self.error_help("model-too-large", at, message, help);
        }
        false
    }
}

const ONE: Size = Size { variables: 1, elements: 1, depth: 0 };
