//! Formulas: what their names mean.
//!
//! The language of formulas is that of [`ctl`]; a name in one is a condition of this language: a variable, or a definition that may be any
//! condition. A name of an action may have indices that are computed from parameters, `lock[k]`.
use ctl::{ActionName, Names, NotAFormula, Numbered};
use model::{Branching, Expr, Meaning, Model, TemporalProperty};
use text::{Diagnostic, Sources, Span};

use crate::elaborate::Elaborator;
use crate::elaborate::scope::Scope;
use crate::facts::Facts;
use crate::system::Gate;
use crate::{ast, lex, parse};

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
        let happening = std::mem::take(&mut model.actions);
        let understood = property(it, sources, formula, &happening);
        model.actions = happening;
        match understood {
            Ok(property) => model.temporal_properties.push(property),
            Err(diagnostic) => it.report(diagnostic),
        }
    }
}

fn property(
    it: &mut Elaborator<'_>,
    sources: &Sources,
    stated: &Stated,
    happening: &[String],
) -> Result<TemporalProperty, Diagnostic> {
    let mut names = Vocabulary { it, happening, span: stated.span, texts: Vec::new() };
    let parsed = ctl::parse_with(sources.slice(stated.span), &mut names);
    let Vocabulary { it, texts, .. } = names;
    let formula = parsed.map_err(|wrong| {
        let start = stated.span.start + wrong.at as u32;
        let span = Span { start, end: (start + 1).min(stated.span.end).max(start), ..stated.span };
        Diagnostic::error("formula", span, wrong.message)
    })?;
    let observes = texts.iter().map(|text| condition(it, text, stated.span)).collect::<Result<Vec<Expr>, _>>()?;
    let meaning = Meaning::Branching(Branching { formula, fairness: Vec::new(), texts });
    Ok(TemporalProperty { name: stated.name.clone(), meaning, observes, span: stated.span })
}

/// What the names in a formula mean.
struct Vocabulary<'v, 't> {
    it: &'v mut Elaborator<'t>,
    /// The actions that can happen.
    happening: &'v [String],
    span: Span,
    /// The conditions so far.
    texts: Vec<String>,
}

impl Names for Vocabulary<'_, '_> {
    fn atom(&mut self, text: &str, at: usize) -> Result<u32, NotAFormula> {
        Numbered { atoms: &mut self.texts, actions: &[] }.atom(text, at)
    }

    fn actions(&mut self, name: &ActionName) -> Result<Vec<u32>, String> {
        let name = ActionName { text: self.with_values(&name.text)?, ..name.clone() };
        let found = name.among(self.happening);
        // An action that is declared and never happens belongs to no step, which is no mistake of the formula.
        let is_declared = |gate: &Gate| name.text.starts_with(&gate.name) || name.matches(&gate.name);
        let declared = found.is_err() && self.it.system.gates.iter().any(is_declared);
        if declared { Ok(Vec::new()) } else { found.map_err(|why| self.closest(&name, why)) }
    }
}

impl Vocabulary<'_, '_> {
    /// The name with numbers for whatever stands between its brackets: `turn[k+1]` is `turn[2]` if `k` is 1.
    fn with_values(&mut self, text: &str) -> Result<String, String> {
        let Some((before, rest)) = text.split_once('[') else { return Ok(text.into()) };
        let (inside, after) = rest.split_once(']').ok_or("`]` is missing")?;
        let values: Result<Vec<String>, String> = inside.split(',').map(|it| self.value(it)).collect();
        Ok(format!("{before}[{}]{after}", values?.join(",")))
    }

    fn value(&mut self, text: &str) -> Result<String, String> {
        let value = constant(self.it, text, self.span);
        value.map(|it| it.to_string()).ok_or_else(|| format!("`{text}` is no number that is known before the search"))
    }

    fn closest(&self, name: &ActionName, why: String) -> String {
        let plain = name.text.split(['[', '!']).next().unwrap_or(&name.text);
        let names = self.it.system.gates.iter().map(|it| it.name.split('[').next().unwrap_or(&it.name));
        match text::closest(plain, names) {
            Some(near) if near != plain => format!("{why}; did you mean `{near}`?"),
            Some(near) => format!("{why}; `{near}` has other indices"),
            None => why,
        }
    }
}

/// The value of an expression that does not depend on the state.
fn constant(it: &mut Elaborator<'_>, text: &str, span: Span) -> Option<i64> {
    let tree = tree(text, span).ok()?;
    let before = it.diagnostics.len();
    let value = it.number(&tree, &Scope::default());
    it.diagnostics.truncate(before);
    value
}

/// The condition that a part of a formula is.
fn condition(it: &mut Elaborator<'_>, text: &str, span: Span) -> Result<Expr, Diagnostic> {
    let tree = tree(text, span)?;
    let before = it.diagnostics.len();
    let condition = it.condition(&tree, &Scope::default(), &Facts::default());
    let said = if it.diagnostics.len() > before { it.diagnostics.pop() } else { None };
    condition.ok_or_else(|| {
        said.unwrap_or_else(|| Diagnostic::error("formula", span, format!("`{text}` is not a condition")))
    })
}

/// An expression that stands somewhere in a formula. What is wrong with it is wrong somewhere in the formula.
fn tree(text: &str, span: Span) -> Result<ast::Expr, Diagnostic> {
    let (mut words, wrong) = lex::words(span.file, text);
    words.iter_mut().for_each(|word| word.span = span);
    match wrong.into_iter().next() {
        Some(wrong) => Err(Diagnostic { span: Some(span), ..wrong }),
        None => parse::condition(&words),
    }
}
