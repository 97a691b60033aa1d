//! What one process wants to know of another: settled when all processes are built.
use std::collections::{HashMap, HashSet};

use model::{Expr, LocationId, Model, ProcessTypeId, VariableId};
use text::{Diagnostic, closest};

use super::expressions::Value;
use super::graph::label_locations;
use crate::ast::{Ident, Name};

/// Something in another process, by name. Until it is settled, the row in [`WantedList`] stands for it.
#[derive(Clone, Debug)]
pub enum Wanted {
    Label { process: ProcessTypeId, label: Ident },
    Variable { process: ProcessTypeId, name: Ident, indices: usize },
}

/// A label before the first statement of an option is no place to be: control rests at the choice.
const NOWHERE: u32 = u32::MAX;

/// Everything that is wanted.
#[derive(Debug, Default)]
pub struct WantedList {
    list: Vec<Wanted>,
}

/// A `run`, whose arguments have to fit the process.
#[derive(Debug)]
pub struct Call {
    pub process: ProcessTypeId,
    pub given: Vec<(Value, text::Span)>,
    pub span: text::Span,
    pub name: Name,
}

impl WantedList {
    pub fn add(&mut self, wanted: Wanted) -> u32 {
        self.list.push(wanted);
        self.list.len() as u32 - 1
    }

    /// The labels of a process that others ask for.
    pub fn labels_of(&self, wanted: ProcessTypeId) -> HashSet<&str> {
        let labels = self.list.iter().filter_map(|it| match it {
            Wanted::Label { process, label } if *process == wanted => Some(&*label.name),
            _ => None,
        });
        labels.collect()
    }

    /// Replaces rows by locations and variables; `labels` has all labels of each process.
    pub fn settle(&self, model: &mut Model, labels: &[Vec<Name>], diagnostics: &mut Vec<Diagnostic>) {
        let mut found = Vec::new();
        let mut indices: HashMap<ProcessTypeId, Labels> = HashMap::new();
        for wanted in &self.list {
            let suggest = diagnostics.len() < super::SUGGESTIONS;
            let found_here = match wanted {
                Wanted::Label { process, label } => {
                    let index = indices.entry(*process).or_insert_with(|| Labels::new(*process, model, labels));
                    index.find(label, &model.process(*process).name, suggest)
                }
                Wanted::Variable { process, name, indices } => find_variable(model, *process, name, *indices, suggest),
            };
            found.push(found_here.unwrap_or_else(|diagnostic| {
                diagnostics.push(*diagnostic);
                0
            }));
        }
        model::access::expressions_mut(model, &mut |expr| replace(expr, &found));
    }
}

/// The labels of a process.
struct Labels<'a> {
    known: HashSet<&'a str>,
    locations: HashMap<&'a str, LocationId>,
}

impl<'a> Labels<'a> {
    fn new(process: ProcessTypeId, model: &'a Model, labels: &'a [Vec<Name>]) -> Self {
        let known = labels[process.0 as usize].iter().map(|it| &**it).collect();
        Labels { known, locations: label_locations(model.process(process)) }
    }

    fn find(&self, label: &Ident, process: &str, suggest: bool) -> Result<u32, Box<Diagnostic>> {
        if !self.known.contains(&*label.name) {
            let near = closest(&label.name, self.known.iter().filter(|_| suggest).copied());
            return Err(Box::new(unknown("unknown-label", label, "label", process, near)));
        }
        Ok(self.locations.get(&*label.name).map_or(NOWHERE, |it| it.0))
    }
}

fn find_variable(
    model: &Model,
    process: ProcessTypeId,
    name: &Ident,
    indices: usize,
    suggest: bool,
) -> Result<u32, Box<Diagnostic>> {
    let process = model.process(process);
    let is = |it: &&model::Variable| it.name.trim_end_matches("[]") == &*name.name;
    let Some(variable) = process.variables.iter().find(is) else {
        let names = process.variables.iter().filter(|_| suggest).map(|it| it.name.trim_end_matches("[]"));
        return Err(Box::new(unknown("unknown-name", name, "variable", &process.name, closest(&name.name, names))));
    };
    let element_zero = variable.dimensions.is_empty() && indices == 1;
    if variable.dimensions.len() != indices && !element_zero {
        return Err(Box::new(match variable.dimensions[..] {
            [] => Diagnostic::error("not-an-array", name.at.0, format!("`{}` is not an array", name.name)),
            [size, ..] => {
                let message = format!("`{}` is an array of {size}: which element?", name.name);
                Diagnostic::error("missing-index", name.at.0, message).help(format!("write `{}[i]`", name.name))
            }
        }));
    }
    Ok(process.variables.iter().position(|it| is(&it)).unwrap_or(0) as u32)
}

fn unknown(code: &'static str, name: &Ident, what: &str, process: &str, near: Option<&str>) -> Diagnostic {
    let diagnostic = Diagnostic::error(code, name.at.0, format!("`{process}` has no {what} `{}`", name.name));
    match near {
        Some(near) => diagnostic.help(format!("did you mean `{near}`?")),
        None => diagnostic,
    }
}

fn replace(expr: &mut Expr, found: &[u32]) {
    match expr {
        Expr::RemoteAt { location, .. } => *location = LocationId(found[location.0 as usize]),
        Expr::RemoteRead { variable, .. } => *variable = VariableId(found[variable.0 as usize]),
        _ => {}
    }
}
