//! From a model to a report.
use std::io::Read;
use std::path::Path;
use std::time::{Duration, Instant};

use certify::Rejected;
use engine::{Fairness, Finding, Question, Search, Verdict, Watch, Why};
use engine_explicit::{Checkpoints, Ends, Reduction, StoreKind};
use front_promela::ast::Tree;
use front_promela::preprocess::LoadError;
use front_promela::{Compiled, compile};
use model::{Meaning, Model};
use report::{Answer, Effort, Method, Outcome, Reason, Report, Snapshot, Terms, Violation};
use text::{Diagnostic, Sources};

use crate::checkpoint::can_go_on;
use crate::safety::Safety;
use crate::vacuity::Subject;
use crate::{
    Checked, Engine, Extra, Input, Options, branching, c_terms, claim, evidence, extra, load, memory, reduce, temporal,
};

/// The name of the property that every model has.
pub const SAFETY: &str = "safety";

/// The name of the part of it that is about where the system can end.
pub const DEADLOCK: &str = "deadlock";

/// Reads a model and checks it.
pub fn check(input: &Input, options: &Options, watch: &mut dyn Watch) -> Checked {
    let began = Instant::now();
    let (mut checked, model) = check_opened(open(input, &options.front, &options.extras), options, began, watch);
    if let (Some(file), Some(model), Some(report)) = (&options.trace, &model, &checked.report) {
        let kept = evidence::keep(file, model, &checked.sources, &options.extras, report, &|_| ());
        checked.diagnostics.extend(kept.err());
    }
    checked
}

/// Checks a model that was read, without keeping a counterexample; the model with all its properties, too.
pub fn check_opened(
    opened: Opened,
    options: &Options,
    began: Instant,
    watch: &mut dyn Watch,
) -> (Checked, Option<Model>) {
    let Opened { mut checked, name, model, tree } = opened;
    if let Some(model) = model.as_ref().filter(|_| options.advice) {
        checked.diagnostics.extend(advice::advice(&tree, model));
        checked.diagnostics.sort_by_key(|it| it.span.map(|span| (span.file, span.start)));
    }
    if options.no_warnings {
        checked.diagnostics.retain(Diagnostic::is_error);
    }
    let model = model.map(|it| completed(it, options));
    checked.report = model.as_ref().and_then(|model| {
        if let Err(error) = options.trace.as_deref().map_or(Ok(()), evidence::try_out) {
            checked.diagnostics.push(error);
            return None;
        }
        let report = check_model(model, &name, &checked.sources, options, began.elapsed(), watch);
        let mut report = report.map_err(|error| checked.diagnostics.push(error)).ok()?;
        let subject = Subject { model, tree: &tree, sources: &checked.sources };
        report.results.iter_mut().for_each(|it| it.vacuous = subject.note(it, options, watch));
        Some(report)
    });
    (checked, model)
}

/// A model with what options say about it, and with the properties that its text states without words.
pub fn completed(model: Model, options: &Options) -> Model {
    let mut model = Model { trusts_exclusive: options.trust_exclusive, ..model };
    claim::add_label_conditions(&mut model);
    let unstated = claim::unstated(&model, options.progress);
    model.temporal_properties.extend(unstated);
    model
}

/// A model that was read.
pub struct Opened {
    /// What is wrong with it.
    pub checked: Checked,
    /// The name of its file.
    pub name: String,
    /// The model, if it can be used.
    pub model: Option<Model>,
    /// Its text.
    pub tree: Tree,
}

/// Reads a model and the properties that are added to it.
pub fn open(input: &Input, front: &front_promela::Options, extras: &[Extra]) -> Opened {
    let (name, text) = match input {
        Input::File(path) => (path.display().to_string(), text_of(path)),
        Input::Bytes { name, bytes } => (name.clone(), load::decode(bytes)),
        Input::Program(program) => return c_terms::open(program, front, extras),
    };
    let mut sources = Sources::default();
    let texts = text.map_err(|error| load::explain(&name, &error)).and_then(|text| {
        let root = sources.add(&*name, text);
        Ok((root, extra::texts(extras, &mut sources)?))
    });
    let (root, (texts, warnings)) = match texts {
        Ok(texts) => texts,
        Err(error) => {
            let checked = Checked { sources, diagnostics: vec![error], report: None };
            return Opened { checked, name, model: None, tree: Tree::default() };
        }
    };
    let (model, mut diagnostics, tree) = if is_process_language(&name) {
        let (stated, mut wrong) = extra::stated(extras, &mut sources);
        let mut compiled = front_gcl::compile(&sources, root, &front.preprocess.defines, &stated);
        compiled.diagnostics.append(&mut wrong);
        (compiled.model, compiled.diagnostics, Tree::default())
    } else {
        let mut front = front.clone();
        front.preprocess.further.extend(texts);
        let Compiled { model, diagnostics, tree } = compile(&mut sources, root, &front, &mut load::Disk);
        (model, diagnostics, tree)
    };
    diagnostics.extend(warnings);
    let model = model.filter(|_| !diagnostics.iter().any(Diagnostic::is_error));
    Opened { checked: Checked { sources, diagnostics, report: None }, name, model, tree }
}

/// Whether the name of a file says that it is guarded commands and not Promela.
fn is_process_language(name: &str) -> bool {
    Path::new(name).extension().is_some_and(|it| it == "gcl")
}

fn text_of(path: &Path) -> Result<String, LoadError> {
    load::decode(&load::bytes(path)?)
}

/// Checks a model that is already there and [`completed`]; `setup` is what it took to get it.
pub fn check_model(
    model: &Model,
    name: &str,
    sources: &Sources,
    options: &Options,
    setup: Duration,
    watch: &mut dyn Watch,
) -> Result<Report, Diagnostic> {
    let names = model.temporal_properties.iter().map(|it| &*it.name);
    known(&options.only, [SAFETY, DEADLOCK].into_iter().chain(names).collect())?;
    let wanted = |name: &&str| options.only.is_empty() || options.only.iter().any(|it| it == name);
    let safety = [SAFETY, DEADLOCK].into_iter().find(wanted);
    if options.checkpoint.is_some() && safety.is_none() {
        let message = "checkpoints are of the search for safety, which `--only` leaves out";
        return Err(Diagnostic::global("no-checkpoint", message));
    }
    let (mut results, mut checkpoint) = (Vec::new(), None);
    if let Some(property) = safety {
        let only_ends = property == DEADLOCK;
        let question = Question { only_ends, ..options.question.clone() };
        let options = &Options { question, ..options.clone() };
        let (outcome, finding) = Safety::new(model, property, sources, setup).check(options, watch)?;
        results.push(outcome);
        let kept = options.checkpoint.as_ref().filter(|_| can_go_on(&finding, options.question.all_errors));
        checkpoint = kept.map(|it| it.file.display().to_string());
    }
    let options = &reduce::beyond_safety(options);
    for (row, property) in model.temporal_properties.iter().enumerate() {
        if wanted(&&*property.name) {
            let check = match property.meaning {
                Meaning::Branching(_) => branching::check,
                Meaning::Formula(_) | Meaning::Claim(_) => temporal::check,
            };
            results.push(check(model, row, sources, options, setup, watch)?);
        }
    }
    Ok(Report { version: env!("CARGO_PKG_VERSION").into(), model: name.into(), results, checkpoint, swarm: Vec::new() })
}

/// Refuses names that no property has.
pub fn known(only: &[String], properties: Vec<&str>) -> Result<(), Diagnostic> {
    let Some(unknown) = only.iter().find(|it| !properties.contains(&&***it)) else { return Ok(()) };
    let list = format!("the properties of this model are: {}", properties.join(", "));
    let help = match text::closest(unknown, properties) {
        Some(name) => format!("did you mean `{name}`? {list}"),
        None => list,
    };
    Err(Diagnostic::global("unknown-property", format!("there is no property `{unknown}`")).help(help))
}

/// Asks the engine of the options about safety.
pub fn search(model: &Model, options: &Options, watch: &mut dyn Watch) -> Result<Finding, Diagnostic> {
    let Options { question, limits, .. } = options;
    match (options.engine, &options.checkpoint) {
        (Engine::Reference, _) => Ok(engine_explicit::reference(model, question, limits, watch)),
        (Engine::Symbolic(plan), _) => {
            engine_symbolic::symbolic(model, question, limits, plan, watch).map_err(|it| refused(&it))
        }
        (Engine::Explicit(plan), None) => Ok(engine_explicit::explicit(model, question, limits, plan, watch)),
        (Engine::Explicit(plan), Some(checkpoint)) => {
            let mut from = checkpoint.open()?;
            let mut keeper = checkpoint.keeper()?;
            let from = from.as_mut().map(|it| it as &mut dyn Read);
            let kept = Checkpoints { keeper: Some(&mut keeper), from };
            engine_explicit::explicit_kept(model, question, limits, plan, watch, kept)
                .map_err(|why| checkpoint.explain(&why))
        }
    }
}

/// What the symbolic engine does not do is said where the model asks for it.
pub fn refused(it: &engine_symbolic::Refusal) -> Diagnostic {
    Diagnostic::error("not-symbolic", it.span, it.message.clone()).help(it.help.clone())
}

/// What a finding is worth: every violation is replayed first.
pub fn assess(property: &str, finding: &Finding, terms: Terms<'_>, options: &Options, setup: Duration) -> Outcome {
    let replayed = |found| match certify::replay(terms.system, found) {
        Ok(replay) => terms.violation(found, &replay.states, options.steps),
        Err(rejected) => internal(rejected, found),
    };
    let violations: Vec<Violation> = finding.violations.iter().map(replayed).collect();
    let mut outcome = assessed(property, finding, violations, options, setup);
    // Safety does not ask who is forgotten.
    outcome.method.fairness = "none";
    if finding.complete && !options.question.only_ends {
        outcome.coverage = terms.coverage(&finding.unreached);
    }
    outcome
}

/// What a finding is worth whose violations were replayed.
pub fn assessed(
    property: &str,
    finding: &Finding,
    violations: Vec<Violation>,
    options: &Options,
    setup: Duration,
) -> Outcome {
    let statistics = finding.statistics.clone();
    let peak_memory = memory::peak().unwrap_or(statistics.memory);
    Outcome {
        property: property.into(),
        answer: advised(answer(&finding.verdict, &violations), finding, options.engine),
        expected_coverage: expected_coverage(&finding.verdict),
        complete: finding.complete,
        method: method(options, finding.engine),
        effort: Effort { statistics, setup, peak_memory },
        errors: finding.errors,
        violations,
        coverage: Vec::new(),
        vacuous: None,
        witness: None,
    }
}

fn expected_coverage(verdict: &Verdict) -> Option<f64> {
    if let Verdict::Unknown(Why::Approximate(it)) = verdict { Some(it.coverage) } else { None }
}

fn answer(verdict: &Verdict, violations: &[Violation]) -> Answer {
    match verdict {
        Verdict::Holds => Answer::Holds,
        Verdict::Violated if violations.iter().any(|it| it.kind != "internal") => Answer::Violated,
        Verdict::Violated => Answer::Unknown(Reason {
            because: "internal error: the search reported a violation that does not exist".into(),
            advice: "This is a fault of this program, not of the model. Please report it.".into(),
        }),
        Verdict::Unknown(why) => Answer::Unknown(why.into()),
    }
}

/// When memory was not enough, says which store needs less and what that costs.
fn advised(answer: Answer, finding: &Finding, engine: Engine) -> Answer {
    let (Answer::Unknown(reason), Verdict::Unknown(Why::MemoryLimit(limit)), Engine::Explicit(plan)) =
        (&answer, &finding.verdict, engine)
    else {
        return answer;
    };
    let it = &finding.statistics;
    let bytes = it.memory / it.states.max(1);
    if bytes == 0 || *limit == 0 {
        return answer;
    }
    let next = match plan.store {
        StoreKind::Exact => "`--store tree` needs some 9 to 15 and takes a third more time",
        StoreKind::Tree => "`--store bitstate` needs 1 or 2, but can only find violations, not exclude them",
        StoreKind::HashCompact => "`--store bitstate` needs 1 or 2, but leaves out more states",
        StoreKind::Bitstate { .. } => "less than that is not possible",
    };
    let advice = format!("Raise --memory, or make the model smaller. A state took {bytes} bytes; {next}.");
    Answer::Unknown(Reason { because: reason.because.clone(), advice })
}

/// What stands in the place of a violation that does not replay.
pub fn internal(rejected: Rejected, found: &engine::Violation) -> Violation {
    let because = match rejected {
        Rejected::NoStart(_) => "there is no initial state".into(),
        Rejected::NoSuchStep { at } => format!("step {} of its trace is not possible", at + 1),
        Rejected::NotAViolation => "its trace does not show it".into(),
    };
    Violation {
        kind: "internal",
        message: format!("internal error: a reported violation does not replay: {because}"),
        place: None,
        process: None,
        statement: None,
        length: found.trace.steps.len(),
        cycle_start: None,
        steps: Vec::new(),
        remarks: Vec::new(),
        last: Snapshot::default(),
        trace: engine::Trace::default(),
    }
}

fn method(options: &Options, engine: &'static str) -> Method {
    let search = match options.question.search {
        Search::Breadth => "bfs",
        Search::Depth => "dfs",
    };
    let search = match options.engine {
        Engine::Symbolic(plan) => method_of_sets(plan.method),
        _ => search,
    };
    let (store, threads) = match options.engine {
        Engine::Explicit(plan) if engine != "reference" => (store(plan.store), plan.threads as u32),
        Engine::Symbolic(plan) => ("diagram", plan.threads),
        _ => ("exact", 1),
    };
    let reduction = match options.engine {
        Engine::Explicit(plan) if engine != "reference" => reduction(plan.reduction),
        Engine::Symbolic(plan) => reduction_of_sets(plan.reduction),
        _ => "none",
    };
    let Question { assertions, end_states, only_ends, .. } = options.question;
    let assertions = assertions && !only_ends;
    let optimizations = options.optimize.iter().map(|it| it.name()).collect();
    let fairness = match options.fairness {
        Fairness::None => "none",
        Fairness::Weak => "weak",
        Fairness::Strong => "strong",
    };
    let (engine_because, reduction_because) = (None, None);
    Method {
        engine,
        engine_because,
        reduction,
        reduction_because,
        optimizations,
        store,
        search,
        threads,
        assertions,
        end_states,
        fairness,
    }
}

fn method_of_sets(method: engine_symbolic::Method) -> &'static str {
    match method {
        engine_symbolic::Method::BreadthFirst => "bfs",
        engine_symbolic::Method::Chaining => "chaining",
        engine_symbolic::Method::Saturation => "saturation",
    }
}

fn reduction_of_sets(kind: engine_symbolic::Reduction) -> &'static str {
    match kind {
        engine_symbolic::Reduction::None => "none",
        engine_symbolic::Reduction::ImProviso => "improviso",
    }
}

fn reduction(kind: Reduction) -> &'static str {
    match kind {
        Reduction::None => "none",
        Reduction::Ample { local: false, .. } => "ample",
        Reduction::Ample { local: true, .. } => "spin",
        Reduction::Twophase { ends: Ends::All, .. } => "twophase",
        Reduction::Twophase { ends: Ends::Stubborn, .. } => "stubborn",
    }
}

fn store(kind: StoreKind) -> &'static str {
    match kind {
        StoreKind::Exact => "exact",
        StoreKind::Tree => "tree",
        StoreKind::HashCompact => "hash-compact",
        StoreKind::Bitstate { .. } => "bitstate",
    }
}

#[cfg(test)]
mod tests {
    use model::semantics::Semantics;

    use super::*;

    const TEXT: &str = "byte x; active [2] proctype P() { x++; assert(x != 2) }";

    /// The outcome when a search says what `damage` makes of the truth.
    fn outcome(damage: impl Fn(&mut Finding)) -> Outcome {
        let mut sources = Sources::default();
        let root = sources.add("a.pml", TEXT);
        let options = Options { question: Question { all_errors: true, ..Question::default() }, ..Options::default() };
        let model = compile(&mut sources, root, &options.front, &mut load::Disk).model.expect("a model");
        let mut finding = engine_explicit::reference(&model, &options.question, &options.limits, &mut ());
        damage(&mut finding);
        assess(SAFETY, &finding, Terms { system: &Semantics::new(&model), sources: &sources }, &options, Duration::ZERO)
    }

    #[test]
    fn a_violation_that_replays_is_shown() {
        let outcome = outcome(|_| {});
        assert_eq!(outcome.answer, Answer::Violated);
        assert_eq!((outcome.violations[0].kind, outcome.violations[0].steps.len()), ("assertion", 3));
    }

    #[test]
    fn a_violation_that_does_not_replay_is_an_internal_error_and_no_counterexample() {
        let outcome = outcome(|finding| finding.violations[0].trace.steps.rotate_left(1));
        assert!(matches!(&outcome.answer, Answer::Unknown(reason) if reason.because.starts_with("internal error")));
        let violation = &outcome.violations[0];
        assert_eq!((violation.kind, violation.steps.len()), ("internal", 0));
        assert!(violation.message.ends_with("step 2 of its trace is not possible"), "{}", violation.message);
    }

    #[test]
    fn one_violation_that_does_not_replay_does_not_hide_another() {
        let outcome = outcome(|finding| {
            let mut copy = finding.violations[0].clone();
            copy.trace.steps.clear();
            finding.violations.insert(0, copy);
        });
        let kinds: Vec<&str> = outcome.violations.iter().map(|it| it.kind).collect();
        assert_eq!((outcome.answer, kinds), (Answer::Violated, vec!["internal", "assertion"]));
    }
}
