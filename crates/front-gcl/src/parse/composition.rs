//! How processes are put together.
use text::Diagnostic;

use super::Parser;
use crate::ast::{Composition, Operator};

impl Parser<'_> {
    /// Two or more with the same operator between them; different ones need parentheses.
    pub(super) fn composition(&mut self) -> Option<Composition> {
        let first = self.hidden_or_renamed()?;
        let start = self.span();
        let Some(operator) = self.operator()? else { return Some(first) };
        let mut parts = vec![first, self.hidden_or_renamed()?];
        loop {
            let place = self.span();
            let Some(next) = self.operator()? else { return Some(Composition::Parallel(operator, parts)) };
            let is_same = matches!(
                (&operator, &next),
                (Operator::Together, Operator::Together) | (Operator::Interleaved, Operator::Interleaved)
            );
            if !is_same {
                let message = "which of the two operators comes first?";
                let diagnostic = Diagnostic::error("ambiguous-composition", place, message);
                self.diagnostics.push(diagnostic.note(start, "the other one").help("use parentheses"));
                return None;
            }
            parts.push(self.hidden_or_renamed()?);
        }
    }

    fn operator(&mut self) -> Option<Option<Operator>> {
        if self.take_sign("||") {
            return Some(Some(Operator::Together));
        }
        if self.take_sign("|||") {
            return Some(Some(Operator::Interleaved));
        }
        if !self.take_sign("|") {
            return Some(None);
        }
        self.expect("[")?;
        let gates = if self.is_sign("]") { Vec::new() } else { self.list(Self::gates)? };
        self.expect("]")?;
        self.expect("|")?;
        Some(Some(Operator::On(gates)))
    }

    fn hidden_or_renamed(&mut self) -> Option<Composition> {
        let mut inner = self.deeper(Self::single)?;
        loop {
            if self.take_word("hide") {
                self.expect("{")?;
                let gates = self.list(Self::gates)?;
                self.expect("}")?;
                inner = Composition::Hide(Box::new(inner), gates);
            } else if self.take_word("rename") {
                self.expect("{")?;
                let pairs = self.list(|it| {
                    let old = it.gates()?;
                    it.expect("->")?;
                    Some((old, it.gates()?))
                })?;
                self.expect("}")?;
                inner = Composition::Rename(Box::new(inner), pairs);
            } else {
                return Some(inner);
            }
        }
    }

    fn single(&mut self) -> Option<Composition> {
        if self.take_sign("(") {
            let inner = self.composition()?;
            self.expect(")")?;
            return Some(inner);
        }
        if let Some(operator) = self.operator()? {
            let binding = self.binding()?;
            self.expect(":")?;
            let body = self.composition()?;
            return Some(Composition::Replicated(operator, binding, Box::new(body)));
        }
        let name = self.name("a process")?;
        let mut indices = Vec::new();
        if self.take_sign("[") {
            indices = self.list(Self::expression)?;
            self.expect("]")?;
        }
        Some(Composition::Process(name, indices))
    }
}
