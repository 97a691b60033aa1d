//! For code scanning services: the Static Analysis Results Interchange Format, SARIF 2.1.0 (OASIS 2020).
//!
//! A violation is a result, its kind is the rule; a property without an answer is a result of level
//! `warning`.
use std::io::{self, Write};

use serde_json::{Value, json};

use crate::{Answer, Outcome, Report, Violation, Where};

/// Writes the log.
pub fn write(report: &Report, out: &mut dyn Write) -> io::Result<()> {
    let results: Vec<Value> = report.results.iter().flat_map(|it| results(report, it)).collect();
    let driver = json!({ "name": "promenade", "version": report.version, "rules": rules(report) });
    let log = json!({
        "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
        "version": "2.1.0",
        "runs": [{ "tool": { "driver": driver }, "results": results }],
    });
    serde_json::to_writer_pretty(&mut *out, &log)?;
    writeln!(out)
}

fn rules(report: &Report) -> Vec<Value> {
    let mut kinds: Vec<&str> = report.results.iter().flat_map(|it| &it.violations).map(|it| it.kind).collect();
    kinds.extend(report.results.iter().any(is_unknown).then_some("unknown"));
    kinds.extend(report.results.iter().any(|it| it.vacuous.is_some()).then_some("vacuous"));
    kinds.sort_unstable();
    kinds.dedup();
    kinds.into_iter().map(|kind| json!({ "id": kind })).collect()
}

fn is_unknown(it: &Outcome) -> bool {
    matches!(it.answer, Answer::Unknown(_))
}

fn results(report: &Report, outcome: &Outcome) -> Vec<Value> {
    let whole = json!({ "physicalLocation": { "artifactLocation": { "uri": uri(&report.model) } } });
    let mut list: Vec<Value> = outcome.violations.iter().map(|it| violation(&outcome.property, it, &whole)).collect();
    if let Answer::Unknown(reason) = &outcome.answer {
        let message = format!("{} is unknown: {}", outcome.property, reason.because);
        list.push(json!({
            "ruleId": "unknown", "level": "warning", "message": { "text": message }, "locations": [whole],
        }));
    }
    if let Some(note) = &outcome.vacuous {
        let message = format!("{} holds, but {note}", outcome.property);
        list.push(json!({
            "ruleId": "vacuous", "level": "note", "message": { "text": message }, "locations": [whole],
        }));
    }
    list
}

/// What has no place in a file concerns the model as a whole.
fn violation(property: &str, it: &Violation, whole: &Value) -> Value {
    let place = it.place.as_ref().filter(|it| !it.file.starts_with('<'));
    let locations = [place.map_or_else(|| whole.clone(), location)];
    // Of a whole execution, only the property's name says what is wrong with it.
    let is_safety = matches!(property, "safety" | "deadlock");
    let message = if is_safety { it.message.clone() } else { format!("{property}: {}", it.message) };
    let mut result = json!({
        "ruleId": it.kind, "level": "error", "message": { "text": message }, "locations": locations,
    });
    if !it.steps.is_empty() {
        let step = |place: &Where, text: String| {
            let mut location = location(place);
            location["message"] = json!({ "text": text });
            json!({ "location": location })
        };
        let steps = it.steps.iter().map(|shown| {
            let text = format!("{} {}", shown.mover.process, shown.mover.statement);
            let begins = it.cycle_start == Some(shown.number);
            let text = if begins { format!("repeated for ever from here on: {text}") } else { text };
            let remarks = it.remarks.iter().filter(|remark| remark.after == shown.number);
            step(&shown.mover.place, remarks.fold(text, |text, remark| format!("{text}; then {}", remark.text)))
        });
        result["codeFlows"] = json!([{ "threadFlows": [{ "locations": steps.collect::<Vec<_>>() }] }]);
    }
    result
}

fn location(place: &Where) -> Value {
    json!({ "physicalLocation": {
        "artifactLocation": { "uri": uri(&place.file) },
        "region": { "startLine": place.line.max(1) },
    } })
}

/// A file name as a relative or absolute reference: what may not stand in one is percent-encoded.
fn uri(file: &str) -> String {
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-._~/".contains(&byte);
    let encode = |byte| if plain(byte) { char::from(byte).to_string() } else { format!("%{byte:02X}") };
    file.bytes().map(encode).collect()
}
