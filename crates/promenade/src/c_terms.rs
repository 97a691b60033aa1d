//! The model of a C program, in terms of the program.
//!
//! Whoever shows a model asks it for the places and the texts of its steps. So here these become those of the program, and everything that draws, walks or
//! prints models shows C without knowing it. What a step does stays as it is, and so do all numbers: an execution of one is an execution of the
//! other. What has no place in the program, as text of a harness, keeps its own. Variables that the program does not have lose their
//! names, and locks tell who holds them.
use model::{Edge, EnumerationId, Model, ProcessType, Variable};
use text::{FileId, Sources, Span};

use crate::c_program::{Program, Understood, understand};
use crate::c_verdict::Lifting;
use crate::check::Opened;
use crate::{Extra, Options};

/// Threads that a model has.
const THREADS: usize = 8;

/// Reads a program; its model is in terms of the program.
pub(crate) fn open(program: &Program, front: &front_promela::Options, extras: &[Extra]) -> Opened {
    let Understood { mut opened, sources, diagnostics, model } = match understand(program, front, extras) {
        Ok(understood) => understood,
        Err(checked) => {
            return Opened { checked: *checked, name: String::new(), model: None, tree: Default::default() };
        }
    };
    let Some(own) = opened.model.take() else { return opened };
    let lifting = Lifting { model: &model, sources: &sources, reading: &program.reading, options: &Options::default() };
    let both = Both { lifting, own: &opened.checked.sources, first: sources.files().count() as u32 };
    let told = both.model(own);
    opened.checked.sources = joined(sources.clone(), &opened.checked.sources);
    opened.checked.diagnostics = diagnostics;
    Opened { model: Some(told), name: program.file.display().to_string(), ..opened }
}

/// The texts of a program, and behind them those of its model.
fn joined(mut program: Sources, model: &Sources) -> Sources {
    for file in model.files() {
        program.add(&*file.name, &*file.text);
    }
    program
}

struct Both<'a> {
    lifting: Lifting<'a>,
    /// The texts of the model.
    own: &'a Sources,
    /// The number of the first of them among all texts.
    first: u32,
}

impl Both<'_> {
    fn model(&self, own: Model) -> Model {
        let holders = EnumerationId(own.enumerations.len() as u32);
        let mut told = own;
        told.enumerations.push(holders_of_locks());
        for process in &mut told.processes {
            self.process(process, holders);
        }
        told.globals.iter_mut().for_each(|it| self.variable(it, holders));
        told
    }

    fn process(&self, process: &mut ProcessType, holders: EnumerationId) {
        process.variables.iter_mut().for_each(|it| self.variable(it, holders));
        process.locations.iter_mut().for_each(|it| it.span = self.place(it.span));
        let texts: Vec<String> = process.edges.iter().map(|it| self.text(it, process)).collect();
        for (edge, text) in process.edges.iter_mut().zip(texts) {
            edge.text = text;
            edge.span = self.place(edge.span);
        }
        process.span = self.place(process.span);
    }

    fn variable(&self, it: &mut Variable, holders: EnumerationId) {
        let plain = it.name.replace("[]", "");
        if self.lifting.is_ours(&plain) {
            it.name = String::new();
        } else if self.lifting.model.locks.contains(&plain) {
            it.enumeration = Some(holders);
        }
    }

    /// The statement of the program, and that of the model behind it where there is a choice between two parts of one.
    fn text(&self, edge: &Edge, process: &ProcessType) -> String {
        let Some((span, statement)) = self.statement(edge) else { return edge.text.clone() };
        let mut others = process.outgoing(edge.source).map(|it| it.1).filter(|it| it.text != edge.text);
        let is_part = |it: &Edge| self.statement(it).is_some_and(|it| it == (span, statement.clone()));
        let is_written = self.lifting.sources.slice(span).starts_with(&statement);
        let short = statement.trim_end_matches(';');
        match is_written && others.any(is_part) {
            true => format!("{short} /* {} */", edge.text),
            false => short.to_string(),
        }
    }

    fn statement(&self, edge: &Edge) -> Option<(Span, String)> {
        self.lifting.statement(self.line(edge.span)?)
    }

    fn place(&self, span: Span) -> Span {
        let behind = Span { file: FileId(span.file.0 + self.first), ..span };
        self.line(span).and_then(|it| self.lifting.statement(it)).map_or(behind, |it| it.0)
    }

    /// The line of the model where something stands, if it is not in a text that the model includes.
    fn line(&self, span: Span) -> Option<u32> {
        (span.file == FileId(0)).then(|| self.own.place(span).line)
    }
}

fn holders_of_locks() -> Vec<String> {
    let held = (0..THREADS).map(|it| format!("held by thread {it}"));
    std::iter::once("free".to_string()).chain(held).collect()
}
