//! From a text to an answer, through the front end and the reference engine.
use std::collections::BTreeSet;
use std::path::Path;
use std::time::Duration;

use engine::{Finding, Limits, Progress, Question, Search, Verdict, Watch};
use front_promela::{Compiled, Options, compile};
use model::Model;
use promenade::load;
use text::{Diagnostic, Sources};

use crate::kind::Kind;

/// What may be spent on one model.
#[derive(Clone, Copy, Debug)]
pub struct Budget {
    /// States, roughly.
    pub states: u64,
    /// Time for the search.
    pub time: Duration,
}

impl Default for Budget {
    fn default() -> Self {
        Budget { states: 50_000_000, time: Duration::from_secs(600) }
    }
}

/// What came out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// The text is no model; see the diagnostics.
    Rejected,
    /// No error, every state visited.
    Holds,
    /// At least one error.
    Violated,
    /// The budget was not enough.
    Unknown,
}

/// Our answer about a text.
#[derive(Clone, Debug)]
pub struct Answer {
    /// What came out.
    pub verdict: Outcome,
    /// Whether every state was visited: only then do the counts mean something.
    pub complete: bool,
    /// Kinds of all errors.
    pub kinds: BTreeSet<Kind>,
    /// States stored.
    pub states: u64,
    /// Transitions, as SPIN counts them.
    pub transitions: u64,
    /// Errors, repetitions included.
    pub errors: u64,
    /// What the front end said.
    pub diagnostics: Vec<Diagnostic>,
    /// The texts the diagnostics are about.
    pub sources: Sources,
}

impl Answer {
    /// In one line; errors of the front end in one line each.
    pub fn short(&self) -> String {
        if self.verdict == Outcome::Rejected {
            return self.complaints();
        }
        let kinds: Vec<String> = self.kinds.iter().map(|it| format!("{it:?}")).collect();
        let Answer { verdict, states, transitions, errors, .. } = self;
        format!("{verdict:?}: {states} states, {transitions} transitions, {errors} errors [{}]", kinds.join(", "))
    }

    /// `file:line:column: code: message`, one line per error.
    pub fn complaints(&self) -> String {
        let errors = self.diagnostics.iter().filter(|it| it.is_error());
        let lines = errors.map(|it| {
            let place = self.sources.place(it.span.unwrap_or_default());
            format!("{}:{}:{}: {}: {}", place.file, place.line, place.column, it.code, it.message)
        });
        lines.collect::<Vec<_>>().join("\n")
    }
}

/// Compiles a text that includes nothing.
pub fn compile_text(text: &str) -> (Compiled, Sources) {
    compile_named("model.pml", text, &Options::default())
}

/// Compiles a text under a file name, from which includes are looked for.
pub fn compile_named(name: &str, text: &str, options: &Options) -> (Compiled, Sources) {
    let mut sources = Sources::default();
    let root = sources.add(name, text);
    let compiled = compile(&mut sources, root, options, &mut load::Disk);
    (compiled, sources)
}

/// Who searches.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Engine {
    /// The plain interpreter.
    Reference,
    /// Compiled steps.
    Explicit(engine_explicit::Plan),
    /// Compiled steps, newest states first.
    DepthFirst(engine_explicit::Plan),
}

/// The answer of an engine about a file.
pub fn file_by(path: &Path, engine: Engine, budget: Budget) -> Answer {
    let (plan, search) = match engine {
        Engine::Reference => return file(path, budget),
        Engine::Explicit(plan) => (plan, Search::Breadth),
        Engine::DepthFirst(plan) => (plan, Search::Depth),
    };
    let Some(model) = model_of(path) else { return file(path, budget) };
    let question = Question { all_errors: true, search, ..Question::default() };
    let limits = Limits { time: Some(budget.time), ..Limits::default() };
    summary(&engine_explicit::explicit(&model, &question, &limits, plan, &mut StateLimit(budget.states)))
}

/// The answer about a text.
pub fn text(text: &str, budget: Budget) -> Answer {
    answer(compile_text(text), budget)
}

/// The answer about a file.
pub fn file(path: &Path, budget: Budget) -> Answer {
    file_with(path, &Options::default(), budget)
}

/// The answer about a file read in a certain way.
pub fn file_with(path: &Path, options: &Options, budget: Budget) -> Answer {
    let name = path.display().to_string();
    match load::bytes(path).and_then(|bytes| load::decode(&bytes)) {
        Ok(text) => answer(compile_named(&name, &text, options), budget),
        Err(error) => rejected(vec![load::explain(&name, &error)], Sources::default()),
    }
}

fn answer((compiled, sources): (Compiled, Sources), budget: Budget) -> Answer {
    match compiled.model {
        Some(model) if !compiled.diagnostics.iter().any(Diagnostic::is_error) => {
            let finding = search(&model, Search::Breadth, budget);
            Answer { diagnostics: compiled.diagnostics, sources, ..summary(&finding) }
        }
        _ => rejected(compiled.diagnostics, sources),
    }
}

/// The model of a text, if it is one.
pub fn model(text: &str) -> Option<Model> {
    compile_text(text).0.model
}

/// The model of a file, if it is one.
pub fn model_of(path: &Path) -> Option<Model> {
    let text = load::bytes(path).and_then(|bytes| load::decode(&bytes)).ok()?;
    let (compiled, _) = compile_named(&path.display().to_string(), &text, &Options::default());
    compiled.model.filter(|_| !compiled.diagnostics.iter().any(Diagnostic::is_error))
}

/// What beginners are told about the model of a file, if it is one.
pub fn advice_on(path: &Path) -> Option<(Vec<Diagnostic>, Sources)> {
    let text = load::bytes(path).and_then(|bytes| load::decode(&bytes)).ok()?;
    let (compiled, sources) = compile_named(&path.display().to_string(), &text, &Options::default());
    Some((advice::advice(&compiled.tree, &compiled.model?), sources))
}

/// Everything that is wrong with a model, in some order of search.
pub fn search(model: &Model, search: Search, budget: Budget) -> Finding {
    let question = Question { all_errors: true, search, ..Question::default() };
    let limits = Limits { time: Some(budget.time), ..Limits::default() };
    engine_explicit::reference(model, &question, &limits, &mut StateLimit(budget.states))
}

/// Everything that is wrong with a model, by the fast engine.
pub fn explicit(model: &Model, budget: Budget) -> Finding {
    let question = Question { all_errors: true, ..Question::default() };
    let limits = Limits { time: Some(budget.time), ..Limits::default() };
    let plan = engine_explicit::Plan::default();
    engine_explicit::explicit(model, &question, &limits, plan, &mut StateLimit(budget.states))
}

/// A finding as an answer.
pub fn summary(finding: &Finding) -> Answer {
    Answer {
        verdict: match finding.verdict {
            Verdict::Holds => Outcome::Holds,
            Verdict::Violated => Outcome::Violated,
            Verdict::Unknown(_) => Outcome::Unknown,
        },
        complete: finding.complete,
        kinds: finding.violations.iter().map(|it| Kind::of_ours(&it.kind)).collect(),
        states: finding.statistics.states,
        transitions: finding.statistics.transitions,
        errors: finding.errors,
        diagnostics: Vec::new(),
        sources: Sources::default(),
    }
}

fn rejected(diagnostics: Vec<Diagnostic>, sources: Sources) -> Answer {
    let (states, transitions, errors) = (0, 0, 0);
    let kinds = BTreeSet::new();
    let verdict = Outcome::Rejected;
    Answer { verdict, complete: false, kinds, states, transitions, errors, diagnostics, sources }
}

/// Stops after so many states.
pub struct StateLimit(pub u64);

impl Watch for StateLimit {
    fn tick(&mut self, progress: &Progress) -> bool {
        progress.states < self.0
    }
}
