//! The slice of a model for one question, as a text and with reasons.
use std::collections::HashSet;
use std::fmt::Write;

use front_promela::ast::{ExprKind, Process, Tree, Unit};
use front_promela::{print, walk};
use model::{Meaning, Model, ProcessTypeId};
use slice::{Criterion, Keep, Slice, slice};
use text::{Diagnostic, Sources};

use super::fate::Fates;
use super::told::{Told, statements, told};
use super::{Slicing, criterion, of_formula, tidy, tree};
use crate::check::{DEADLOCK, SAFETY, known};
use crate::{Checked, Input, Opened, Options, claim, completed, open};

/// A slice.
#[derive(Clone, Debug)]
pub struct SlicedText {
    /// What it is for, as one would say it.
    pub question: String,
    /// As a tree.
    pub tree: Tree,
    /// Why each statement is kept.
    pub reasons: Vec<Told>,
    /// How many statements the model has.
    pub statements: usize,
}

impl SlicedText {
    /// The model, with the reasons as a comment behind it if `explained`.
    pub fn text(&self, name: &str, explained: bool) -> String {
        let mut text = String::new();
        if explained {
            let kept = self.reasons.len();
            // Memory can be written.
            let _ = writeln!(
                text,
                "/* The slice of {} for {}: {kept} of {} statements can matter. */\n",
                comment(name),
                self.question,
                self.statements
            );
        }
        text += &print::tree(&self.tree);
        if explained {
            text += "\n/* Why they are kept; lines are those of the whole model.\n";
            let mut process = None;
            for it in &self.reasons {
                if process != Some(&it.process) {
                    let _ = writeln!(text, "   {}", it.process);
                    process = Some(&it.process);
                }
                let _ = writeln!(text, "   {:>5}  {}: {}", it.line, comment(&it.statement), comment(&it.because));
            }
            text += "*/\n";
        }
        text
    }
}

/// What ends a comment does not stand in one.
fn comment(text: &str) -> String {
    text.replace("*/", "* /").replace("/*", "/ *").replace('\n', " ")
}

/// Reads a model and slices it for a property: `safety`, `deadlock`, or the name of a formula.
pub fn slice_text(input: &Input, options: &Options, property: &str) -> (Checked, Option<SlicedText>) {
    let Opened { mut checked, model, tree, .. } = open(input, &options.front, &options.extras);
    let Some(model) = model else { return (checked, None) };
    let model = completed(model, options);
    match sliced_text(&model, &tree, &checked.sources, options, property) {
        Ok(text) => (checked, Some(text)),
        Err(error) => {
            checked.diagnostics.push(error);
            (checked, None)
        }
    }
}

/// The slice of a model that is already there and completed.
pub fn sliced_text(
    model: &Model,
    tree: &Tree,
    sources: &Sources,
    options: &Options,
    property: &str,
) -> Result<SlicedText, Diagnostic> {
    let names = model.temporal_properties.iter().map(|it| &*it.name);
    known(&[property.to_string()], [SAFETY, DEADLOCK].into_iter().chain(names).collect())?;
    if tree.units.is_empty() {
        return Err(refused("this is no Promela", "`prom slice` writes Promela, and so reads it"));
    }
    let (own, criterion, question) = asked(model, options, property)?;
    let slice = slice(&own, criterion).map_err(|why| refused(why, "check the whole model"))?;
    let row = model.temporal_properties.iter().position(|it| it.name == property);
    let formula = row.map(|row| model.temporal_properties[row].span);
    let reasons = told(&own, &slice, sources, &question);
    let statements = statements(&own, sources);
    let mut sliced = Tree::default();
    let labels = asked_labels(tree, formula);
    for unit in &tree.units {
        match unit {
            Unit::Process(it) => sliced.units.extend(sliced_process(it, &own, &slice, &labels).map(Unit::Process)),
            Unit::Ltl(it) if Some(it.at.0) == formula => sliced.units.push(unit.clone()),
            Unit::Invariant(_) if row.is_none() => sliced.units.push(unit.clone()),
            Unit::Ltl(_) | Unit::Never(_) | Unit::Ctl(_) | Unit::Fairness(_) | Unit::Invariant(_) => {}
            other => sliced.units.push(other.clone()),
        }
    }
    tidy::tidy(&mut sliced);
    Ok(SlicedText { question, tree: sliced, reasons, statements })
}

/// The model with one question alone, what has to be kept for it, and what it is called.
fn asked(model: &Model, options: &Options, property: &str) -> Result<(Model, Criterion, String), Diagnostic> {
    let Some(row) = model.temporal_properties.iter().position(|it| it.name == property) else {
        let only_ends = property == DEADLOCK;
        let question = engine::Question { only_ends, ..options.question.clone() };
        let kept = super::of_safety(&Options { question, slice: Slicing::Full, ..options.clone() });
        let own = Model { temporal_properties: Vec::new(), ..model.clone() };
        let words = if kept.keep == Keep::Reach { "assertions" } else { property };
        return Ok((own, criterion(kept, options), words.into()));
    };
    let it = &model.temporal_properties[row];
    let Meaning::Formula(formula) = &it.meaning else {
        return Err(refused(
            "a never claim or a formula of branching time can see single steps",
            "check the whole model",
        ));
    };
    let prepared = claim::prepare(model, it).map_err(|why| refused(&why, "check the whole model"))?;
    if !prepared.stutters {
        return Err(refused("the formula counts steps", "leave out `X`, or check the whole model"));
    }
    let own = Model { temporal_properties: vec![it.clone()], invariants: Vec::new(), ..model.clone() };
    let criterion = criterion(of_formula(formula, options), options);
    Ok((own, criterion, format!("`{property}`")))
}

fn refused(why: &str, help: &str) -> Diagnostic {
    Diagnostic::global("not-sliced", format!("this cannot be sliced: {why}")).help(help)
}

fn sliced_process(it: &Process, model: &Model, slice: &Slice, labels: &HashSet<String>) -> Option<Process> {
    let row = model.processes.iter().position(|process| process.span == it.at.0)?;
    let fates = Fates::new(model, slice, ProcessTypeId(row as u32));
    Some(Process { body: tree::body(it, &fates, labels, !slice.needs.processes), ..it.clone() })
}

/// The labels that remote references ask for.
fn asked_labels(tree: &Tree, formula: Option<text::Span>) -> HashSet<String> {
    let mut labels = HashSet::new();
    let mut note = |expr: &front_promela::ast::Expr| {
        walk::each(expr, &mut |it| {
            if let ExprKind::RemoteLabel { label, .. } = &it.kind {
                labels.insert(label.name.to_string());
            }
        });
    };
    for unit in &tree.units {
        match unit {
            Unit::Ltl(it) if Some(it.at.0) == formula => note(&it.formula),
            Unit::Invariant(it) => note(&it.condition),
            Unit::Process(it) => every_expression(&it.body, &mut note),
            _ => {}
        }
    }
    labels
}

fn every_expression(block: &front_promela::ast::Block, visit: &mut dyn FnMut(&front_promela::ast::Expr)) {
    for it in &block.statements {
        walk::expressions(it, visit);
        walk::blocks(it, &mut |inner| every_expression(inner, visit));
    }
}
