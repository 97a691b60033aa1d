//! For programs: one JSON object. The fields are a contract; more may come, none goes.
use std::io::{self, Write};

use serde::Serialize;

use crate::{Answer, Half, Member, Outcome, Report, ShownStep, Violation};

#[derive(Serialize)]
struct Root<'a> {
    tool: &'static str,
    version: &'a str,
    model: &'a str,
    results: Vec<Row<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    checkpoint: Option<&'a str>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    swarm: Vec<MemberRow<'a>>,
}

#[derive(Serialize)]
struct MemberRow<'a> {
    name: &'a str,
    verdict: &'static str,
    why: Option<&'a str>,
    states: u64,
    transitions: u64,
    depth: u64,
    seconds: f64,
    expected_coverage: Option<f64>,
}

#[derive(Serialize)]
struct Row<'a> {
    property: &'a str,
    verdict: &'static str,
    why: Option<&'a str>,
    states: Number<'a>,
    /// A set of states has neither transitions nor a depth.
    transitions: Option<u64>,
    depth: Option<u64>,
    seconds: f64,
    setup_seconds: f64,
    peak_memory_bytes: u64,
    engine: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    engine_because: Option<&'a str>,
    reduction: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    reduction_because: Option<&'static str>,
    optimizations: &'a [&'static str],
    store: &'static str,
    search: &'static str,
    threads: u32,
    fairness: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    expected_coverage: Option<f64>,
    complete: bool,
    errors: u64,
    vacuous: Option<&'a str>,
    unreached: Vec<UnreachedRow<'a>>,
    violations: Vec<ViolationRow<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    witness: Option<ViolationRow<'a>>,
    #[serde(skip_serializing_if = "std::collections::BTreeMap::is_empty")]
    details: std::collections::BTreeMap<&'static str, &'a str>,
}

/// A number; one that no `u64` holds is written as a text.
#[derive(Serialize)]
#[serde(untagged)]
enum Number<'a> {
    Small(u64),
    Large(&'a str),
}

#[derive(Serialize)]
struct UnreachedRow<'a> {
    process: &'a str,
    file: &'a str,
    line: u32,
    statement: String,
}

#[derive(Serialize)]
struct ViolationRow<'a> {
    kind: &'static str,
    message: &'a str,
    file: Option<&'a str>,
    line: Option<u32>,
    length: usize,
    cycle_start: Option<usize>,
    process: Option<&'a str>,
    statement: Option<&'a str>,
    steps: Vec<StepRow<'a>>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    remarks: Vec<RemarkRow<'a>>,
}

#[derive(Serialize)]
struct RemarkRow<'a> {
    after: usize,
    text: &'a str,
}

#[derive(Serialize)]
struct StepRow<'a> {
    number: usize,
    #[serde(flatten)]
    mover: HalfRow<'a>,
    partner: Option<HalfRow<'a>>,
    changes: &'a [String],
}

#[derive(Serialize)]
struct HalfRow<'a> {
    process: &'a str,
    file: &'a str,
    line: u32,
    statement: &'a str,
}

/// Writes the object and a line break.
pub fn write(report: &Report, out: &mut dyn Write) -> io::Result<()> {
    let results = report.results.iter().map(row).collect();
    let (version, model, checkpoint) = (&report.version, &report.model, report.checkpoint.as_deref());
    let swarm = report.swarm.iter().map(member).collect();
    let root = Root { tool: "promenade", version, model, results, checkpoint, swarm };
    serde_json::to_writer(&mut *out, &root)?;
    writeln!(out)
}

fn row(it: &Outcome) -> Row<'_> {
    let statistics = &it.effort.statistics;
    let walks = it.method.engine != "symbolic";
    Row {
        property: &it.property,
        verdict: verdict(&it.answer),
        why: why(&it.answer),
        states: statistics.many_states.as_deref().map_or(Number::Small(statistics.states), Number::Large),
        transitions: walks.then_some(statistics.transitions),
        depth: walks.then_some(statistics.depth),
        seconds: statistics.elapsed.as_secs_f64(),
        setup_seconds: it.effort.setup.as_secs_f64(),
        peak_memory_bytes: it.effort.peak_memory,
        engine: it.method.engine,
        engine_because: it.method.engine_because.as_deref(),
        reduction: it.method.reduction,
        reduction_because: it.method.reduction_because,
        optimizations: &it.method.optimizations,
        store: it.method.store,
        search: it.method.search,
        threads: it.method.threads,
        fairness: it.method.fairness,
        expected_coverage: it.expected_coverage,
        complete: it.complete,
        errors: it.errors,
        vacuous: it.vacuous.as_deref(),
        unreached: unreached(it),
        violations: it.violations.iter().map(violation).collect(),
        witness: it.witness.as_ref().map(violation),
        details: statistics.details.iter().map(|(name, text)| (*name, &**text)).collect(),
    }
}

fn member(it: &Member) -> MemberRow<'_> {
    MemberRow {
        name: &it.name,
        verdict: it.verdict,
        why: it.why.as_deref(),
        states: it.states,
        transitions: it.transitions,
        depth: it.depth,
        seconds: it.seconds,
        expected_coverage: it.expected_coverage,
    }
}

fn verdict(answer: &Answer) -> &'static str {
    match answer {
        Answer::Holds => "holds",
        Answer::Violated => "violated",
        Answer::Unknown(_) => "unknown",
    }
}

fn why(answer: &Answer) -> Option<&str> {
    match answer {
        Answer::Unknown(reason) => Some(&reason.because),
        Answer::Holds | Answer::Violated => None,
    }
}

fn unreached(it: &Outcome) -> Vec<UnreachedRow<'_>> {
    let mut rows = Vec::new();
    for process in &it.coverage {
        rows.extend(process.unreached.iter().map(|it| UnreachedRow {
            process: &process.process,
            file: &it.place.file,
            line: it.place.line,
            statement: it.statements.join(" or "),
        }));
    }
    rows
}

fn violation(it: &Violation) -> ViolationRow<'_> {
    ViolationRow {
        kind: it.kind,
        message: &it.message,
        file: it.place.as_ref().map(|place| &*place.file),
        line: it.place.as_ref().map(|place| place.line),
        length: it.length,
        cycle_start: it.cycle_start,
        process: it.process.as_deref(),
        statement: it.statement.as_deref(),
        steps: it.steps.iter().map(step).collect(),
        remarks: it.remarks.iter().map(|it| RemarkRow { after: it.after, text: &it.text }).collect(),
    }
}

fn step(it: &ShownStep) -> StepRow<'_> {
    let ShownStep { number, mover, partner, changes } = it;
    StepRow { number: *number, mover: half(mover), partner: partner.as_ref().map(half), changes }
}

/// A counterexample as an object.
pub fn violation_json(it: &Violation) -> String {
    serde_json::to_string(&violation(it)).unwrap_or_default()
}

/// A step as an object.
pub fn step_json(it: &ShownStep) -> serde_json::Value {
    serde_json::to_value(step(it)).unwrap_or_default()
}

fn half(it: &Half) -> HalfRow<'_> {
    HalfRow { process: &it.process, file: &it.place.file, line: it.place.line, statement: &it.statement }
}
