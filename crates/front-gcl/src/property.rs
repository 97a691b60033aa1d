//! Formulas: what their names mean.
//!
//! The language of formulas is that of [`ctl`]; a name in one is a condition of this language: a variable, or a definition that may be any
//! condition. A name of an action may have indices and values that are computed from parameters, `lock[k] !(k + 1)`.
use ctl::{ActionName, Names, NotAFormula, Numbered};
use model::{Branching, Expr, Meaning, Model, TemporalProperty};
use text::{Diagnostic, Sources, Span};

use crate::elaborate::Elaborator;
use crate::elaborate::scope::Scope;
use crate::facts::Facts;
use crate::system::{Domain, Gate, Kind};
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
        let declared = found.is_err() && self.it.system.gates.iter().any(|it| self.is_of(&name, it));
        if declared { Ok(Vec::new()) } else { found.map_err(|why| self.closest(&name, why)) }
    }
}

impl Vocabulary<'_, '_> {
    /// The name with numbers for whatever stands between its brackets, and its values as labels have them: `turn[k+1]!k` is `turn[2]!1` if `k` is 1.
    fn with_values(&mut self, text: &str) -> Result<String, String> {
        let mut parts = text.split('!');
        let mut name = self.with_indices(parts.next().unwrap_or_default())?;
        for part in parts {
            name = format!("{name}!{}", self.shown(part));
        }
        Ok(name)
    }

    fn with_indices(&mut self, text: &str) -> Result<String, String> {
        let Some((before, rest)) = text.split_once('[') else { return Ok(text.into()) };
        let (inside, after) = rest.split_once(']').ok_or("`]` is missing")?;
        let values: Result<Vec<String>, String> = inside.split(',').map(|it| self.number(it)).collect();
        Ok(format!("{before}[{}]{after}", values?.join(",")))
    }

    fn number(&mut self, text: &str) -> Result<String, String> {
        let value = constant(self.it, text, self.span).filter(|it| it.1 == Kind::Int);
        value.map(|it| it.0.to_string()).ok_or_else(|| format!("`{text}` is no number that is known before the search"))
    }

    /// A value as labels have it; formulas may write `TRUE` and `FALSE`, which models may mean something else by.
    fn shown(&mut self, text: &str) -> String {
        match (constant(self.it, text, self.span), text) {
            (Some((value, kind)), _) => self.it.system.shown(value, kind),
            (None, "TRUE") => "true".into(),
            (None, "FALSE") => "false".into(),
            (None, _) => text.into(),
        }
    }

    /// Whether a gate can have this name: its values are some that it can have, all of them or the first ones.
    fn is_of(&self, name: &ActionName, gate: &Gate) -> bool {
        let (mut values, own) = (name.text.split('!'), gate.name.split_whitespace().collect::<String>());
        let plain = values.next().unwrap_or_default();
        let values: Vec<&str> = values.collect();
        let is_named = own == plain || name.is_beginning && values.is_empty() && own.starts_with(plain);
        let is_long_enough = values.len() == gate.fields.len() || name.is_beginning && values.len() < gate.fields.len();
        is_named && is_long_enough && values.iter().zip(&gate.fields).all(|it| self.can_be(it.0, *it.1))
    }

    fn can_be(&self, value: &str, field: Domain) -> bool {
        let number = match field.kind {
            Kind::Int => value.parse().ok(),
            Kind::Bool => ["false", "true"].iter().position(|it| *it == value).map(|it| it as i64),
            Kind::Enum(row) => {
                let names = &self.it.system.enumerations[row as usize];
                names.iter().position(|it| it == value).map(|it| it as i64)
            }
        };
        number.is_some_and(|it| field.low <= it && it <= field.high)
    }

    fn closest(&self, name: &ActionName, why: String) -> String {
        let plain = name.text.split(['[', '!']).next().unwrap_or(&name.text);
        let lists: Vec<usize> = (0..self.it.families.len()).filter(|&it| self.it.families[it].name == plain).collect();
        if !lists.is_empty() {
            let declared: Vec<String> = lists.iter().map(|&it| format!("`{}`", self.it.declared(it))).collect();
            return format!("{why}; it is declared as {}", declared.join(", "));
        }
        match text::closest(plain, self.it.families.iter().map(|it| it.name.as_str())) {
            Some(near) => format!("{why}; did you mean `{near}`?"),
            None => why,
        }
    }
}

/// The value of an expression that does not depend on the state.
fn constant(it: &mut Elaborator<'_>, text: &str, span: Span) -> Option<(i64, Kind)> {
    let tree = tree(text, span).ok()?;
    let before = it.diagnostics.len();
    let value = it.constant(&tree, &Scope::default());
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
