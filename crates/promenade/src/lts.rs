//! The labelled transition system of a model, or of a file that has one.
use std::fs::File;
use std::io::{BufRead, BufReader};
use std::path::Path;

use engine::{Limits, Watch};
use engine_explicit::{Arrival, labelled};
use lts::{Builder, Label, Lts};
use model::Model;
use model::semantics::{Semantics, State, Step};
use report::Terms;
use rustc_hash::FxHashMap as HashMap;
use text::{Diagnostic, Severity, Sources};

use crate::check::{Opened, open};
use crate::{Checked, Input};

/// What steps of a model without actions are called.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Naming {
    /// Who takes them, and the statement: `P(1): x = 1`.
    #[default]
    Process,
    /// The statement alone.
    Statement,
}

/// Reads a system: a file of Aldebaran's if its name ends in `.aut`, a model otherwise.
pub fn system(
    input: &Input,
    front: &front_promela::Options,
    naming: Naming,
    limits: &Limits,
    watch: &mut dyn Watch,
) -> (Checked, Option<Lts>) {
    match input {
        Input::File(path) if path.extension().is_some_and(|it| it == "aut") => read_file(path),
        Input::Bytes { name, bytes } if bytes.trim_ascii_start().starts_with(b"des") => read(name, &mut &bytes[..]),
        _ => of_model(input, front, naming, limits, watch),
    }
}

fn read_file(path: &Path) -> (Checked, Option<Lts>) {
    let name = path.display().to_string();
    if path.is_dir() {
        return refused(crate::load::explain(&name, &front_promela::preprocess::LoadError::Directory));
    }
    match File::open(path) {
        Ok(file) => read(&name, &mut BufReader::with_capacity(1 << 16, file)),
        Err(error) => refused(Diagnostic::global("unreadable-file", format!("`{name}` cannot be read: {error}"))),
    }
}

fn refused(error: Diagnostic) -> (Checked, Option<Lts>) {
    (Checked { sources: Sources::default(), diagnostics: vec![error], report: None }, None)
}

fn read(name: &str, input: &mut dyn BufRead) -> (Checked, Option<Lts>) {
    match lts::read(input) {
        Ok(Ok(system)) => {
            (Checked { sources: Sources::default(), diagnostics: Vec::new(), report: None }, Some(system))
        }
        Ok(Err(mistake)) => {
            let mut sources = Sources::default();
            let at = (mistake.column - 1).min(mistake.text.len() as u32);
            let file = sources.add_from(name, mistake.text, mistake.line);
            let span = text::Span { file, start: at, end: at + 1 };
            let error = Diagnostic::error("wrong-aut", span, mistake.message);
            let error = if let Some(help) = mistake.help { error.help(help) } else { error };
            (Checked { sources, diagnostics: vec![error], report: None }, None)
        }
        Err(error) => refused(Diagnostic::global("unreadable-file", format!("`{name}` cannot be read: {error}"))),
    }
}

fn of_model(
    input: &Input,
    front: &front_promela::Options,
    naming: Naming,
    limits: &Limits,
    watch: &mut dyn Watch,
) -> (Checked, Option<Lts>) {
    let Opened { mut checked, model, .. } = open(input, front, &[]);
    let Some(model) = model else { return (checked, None) };
    let semantics = Semantics::new(&model);
    let terms = Terms { system: &semantics, sources: &checked.sources };
    let mut names = Names { model: &model, terms, naming, builder: Builder::default(), known: HashMap::default() };
    let mut wrong = 0u64;
    let explored = labelled(&semantics, limits, watch, &mut |it| names.add(it, &mut wrong));
    let Names { builder, .. } = names;
    match explored {
        Ok(Ok(states)) => {
            checked.diagnostics.extend((wrong > 0).then(|| left_out(wrong)));
            (checked, Some(builder.finish(0, states as usize)))
        }
        Ok(Err(_)) => {
            let help = "`prom check` says why";
            checked.diagnostics.push(Diagnostic::global("no-initial-state", "there is no initial state").help(help));
            (checked, None)
        }
        Err(why) => {
            let reason = report::Reason::from(&why);
            let message = format!("not all states were visited: {}", reason.because);
            checked.diagnostics.push(Diagnostic::global("incomplete", message).help(reason.advice));
            (checked, None)
        }
    }
}

fn left_out(count: u64) -> Diagnostic {
    let message = match count {
        1 => "one step goes wrong and leads nowhere; it is left out".to_string(),
        _ => format!("{count} steps go wrong and lead nowhere; they are left out"),
    };
    let warning = Diagnostic::global("failing-steps", message).help("`prom check` says what is wrong with them");
    Diagnostic { severity: Severity::Warning, ..warning }
}

/// What steps are called.
struct Names<'a> {
    model: &'a Model,
    terms: Terms<'a>,
    naming: Naming,
    builder: Builder,
    /// Labels of chains by their steps and the types of the processes that take them.
    known: HashMap<(Vec<Step>, Vec<u32>), Label>,
}

impl Names<'_> {
    fn add(&mut self, arrival: Arrival<'_>, wrong: &mut u64) {
        let Some(target) = arrival.target else {
            *wrong += 1;
            return;
        };
        let label = self.label(arrival);
        self.builder.add(arrival.source, label, target);
    }

    fn label(&mut self, arrival: Arrival<'_>) -> Label {
        let from = arrival.from;
        let types = (0..from.process_count()).map(|it| from.type_of(it).0).collect();
        let key = (arrival.steps.to_vec(), types);
        if let Some(&known) = self.known.get(&key) {
            return known;
        }
        let name = self.name(&arrival.passed(self.terms.system), arrival.steps);
        let label = self.builder.label(&name);
        self.known.insert(key, label);
        label
    }

    /// The actions of a chain if the model has any, or its statements. Nobody sees a chain without actions.
    fn name(&self, passed: &[State], steps: &[Step]) -> String {
        let steps = || passed.iter().zip(steps);
        if self.model.actions.is_empty() {
            return steps().map(|(from, it)| self.statements(from, *it)).collect::<Vec<_>>().join("; ");
        }
        let actions: Vec<&str> = steps().filter_map(|(from, it)| self.action(from, *it)).collect();
        if actions.is_empty() { "i".into() } else { actions.join("; ") }
    }

    fn action(&self, from: &State, step: Step) -> Option<&str> {
        let process = usize::from(step.process);
        let edge = self.model.process(from.type_of(process)).edge(step.edge);
        edge.action.map(|it| &*self.model.actions[it.0 as usize])
    }

    /// `P(1): c!2`, or `P(1): c!2 -> Q(2): c?x` of a rendezvous.
    fn statements(&self, from: &State, step: Step) -> String {
        let trace = engine::Trace { steps: vec![step], cycle: None };
        let shown = self.terms.steps(&trace, std::slice::from_ref(from), 1);
        let halves = shown.iter().flat_map(|it| std::iter::once(&it.mover).chain(&it.partner));
        let named = halves.map(|it| match self.naming {
            Naming::Process => format!("{}: {}", it.process, it.statement),
            Naming::Statement => it.statement.clone(),
        });
        named.collect::<Vec<_>>().join(" -> ")
    }
}
