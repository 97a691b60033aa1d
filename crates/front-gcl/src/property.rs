//! Formulas: what their names mean.
//!
//! The language of formulas is that of [`ctl`]; a name in one is a condition of this language: a variable, or a definition that may be any
//! condition.
use model::{Branching, Expr, Meaning, Model, TemporalProperty};
use text::{Diagnostic, Sources, Span};

use crate::elaborate::Elaborator;
use crate::elaborate::scope::Scope;
use crate::facts::Facts;
use crate::{lex, parse};

/// A formula that is to be checked: its name and where its text stands.
#[derive(Clone, Debug)]
pub struct Stated {
    /// Its name.
    pub name: String,
    /// The text of the formula.
    pub span: Span,
}

/// The properties that formulas state; what is wrong is reported.
pub(crate) fn properties(it: &mut Elaborator<'_>, model: &mut Model, sources: &Sources, stated: &[Stated]) {
    for formula in stated {
        match property(it, sources, formula) {
            Ok(property) => model.temporal_properties.push(property),
            Err(diagnostic) => it.report(diagnostic),
        }
    }
}

fn property(it: &mut Elaborator<'_>, sources: &Sources, stated: &Stated) -> Result<TemporalProperty, Diagnostic> {
    let mut texts = Vec::new();
    let parsed = ctl::parse(sources.slice(stated.span), &mut texts);
    let formula = parsed.map_err(|wrong| {
        let start = stated.span.start + wrong.at as u32;
        let span = Span { start, end: (start + 1).min(stated.span.end).max(start), ..stated.span };
        Diagnostic::error("formula", span, wrong.message)
    })?;
    let observes = texts.iter().map(|text| condition(it, text, stated.span)).collect::<Result<Vec<Expr>, _>>()?;
    let meaning = Meaning::Branching(Branching { formula, fairness: Vec::new(), texts });
    Ok(TemporalProperty { name: stated.name.clone(), meaning, observes, span: stated.span })
}

/// The condition that a part of a formula is.
fn condition(it: &mut Elaborator<'_>, text: &str, span: Span) -> Result<Expr, Diagnostic> {
    let (mut words, wrong) = lex::words(span.file, text);
    // What is wrong is wrong somewhere in the formula.
    words.iter_mut().for_each(|word| word.span = span);
    if let Some(wrong) = wrong.into_iter().next() {
        return Err(Diagnostic { span: Some(span), ..wrong });
    }
    let tree = parse::condition(&words)?;
    let before = it.diagnostics.len();
    let condition = it.condition(&tree, &Scope::default(), &Facts::default());
    let said = if it.diagnostics.len() > before { it.diagnostics.pop() } else { None };
    condition.ok_or_else(|| {
        said.unwrap_or_else(|| Diagnostic::error("formula", span, format!("`{text}` is not a condition")))
    })
}
