//! Reading back what [`Format::Json`](crate::Format::Json) has written, in order to merge reports of several runs.
//!
//! Everything comes back but the last state of a counterexample, its steps by numbers and what was never reached, which the object
//! does not have in full.
use std::time::Duration;

use engine::{Statistics, Trace};
use serde_json::Value;

use crate::{Answer, Effort, Half, Method, Outcome, Reason, Remark, Report, ShownStep, Snapshot, Violation, Where};

/// The report that a JSON object describes; or what is wrong with the text.
pub fn read(text: &str) -> Result<Report, String> {
    let json: Value = serde_json::from_str(text).map_err(|error| format!("it is not JSON: {error}"))?;
    if json["tool"] != "promenade" {
        return Err("it is not a report of this program".into());
    }
    Ok(Report {
        version: string(&json["version"])?,
        model: string(&json["model"])?,
        results: list(&json["results"], outcome)?,
        checkpoint: optional(&json["checkpoint"]),
        swarm: Vec::new(),
    })
}

fn outcome(it: &Value) -> Result<Outcome, String> {
    Ok(Outcome {
        property: string(&it["property"])?,
        answer: answer(it)?,
        expected_coverage: it["expected_coverage"].as_f64(),
        complete: it["complete"] == true,
        method: Method {
            engine: word(&it["engine"])?,
            reduction: word(&it["reduction"])?,
            engine_because: None,
            reduction_because: None,
            optimizations: list(&it["optimizations"], word)?,
            store: word(&it["store"])?,
            search: word(&it["search"])?,
            threads: number(&it["threads"])? as u32,
            assertions: true,
            end_states: true,
            fairness: optional(&it["fairness"]).map_or("none", |it| it.leak()),
        },
        effort: Effort {
            statistics: Statistics {
                states: if it["states"].is_string() { u64::MAX } else { number(&it["states"])? },
                many_states: optional(&it["states"]),
                transitions: if it["transitions"].is_null() { 0 } else { number(&it["transitions"])? },
                depth: if it["depth"].is_null() { 0 } else { number(&it["depth"])? },
                elapsed: seconds(&it["seconds"]),
                ..Statistics::default()
            },
            setup: seconds(&it["setup_seconds"]),
            peak_memory: number(&it["peak_memory_bytes"])?,
        },
        errors: number(&it["errors"])?,
        violations: list(&it["violations"], violation)?,
        coverage: Vec::new(),
        vacuous: optional(&it["vacuous"]),
        witness: if it["witness"].is_null() { None } else { Some(violation(&it["witness"])?) },
    })
}

fn answer(it: &Value) -> Result<Answer, String> {
    match it["verdict"].as_str() {
        Some("holds") => Ok(Answer::Holds),
        Some("violated") => Ok(Answer::Violated),
        Some("unknown") => {
            Ok(Answer::Unknown(Reason { because: optional(&it["why"]).unwrap_or_default(), advice: String::new() }))
        }
        _ => Err("a result has no verdict".into()),
    }
}

fn violation(it: &Value) -> Result<Violation, String> {
    Ok(Violation {
        kind: word(&it["kind"])?,
        message: string(&it["message"])?,
        place: if it["file"].is_null() { None } else { Some(place(it)?) },
        process: optional(&it["process"]),
        statement: optional(&it["statement"]),
        length: number(&it["length"])? as usize,
        cycle_start: it["cycle_start"].as_u64().map(|it| it as usize),
        steps: list(&it["steps"], step)?,
        remarks: if it["remarks"].is_null() { Vec::new() } else { list(&it["remarks"], remark)? },
        last: Snapshot::default(),
        trace: Trace::default(),
    })
}

fn remark(it: &Value) -> Result<Remark, String> {
    Ok(Remark { after: number(&it["after"])? as usize, text: string(&it["text"])? })
}

pub(crate) fn step(it: &Value) -> Result<ShownStep, String> {
    Ok(ShownStep {
        number: number(&it["number"])? as usize,
        mover: half(it)?,
        partner: if it["partner"].is_null() { None } else { Some(half(&it["partner"])?) },
        changes: list(&it["changes"], string)?,
    })
}

fn half(it: &Value) -> Result<Half, String> {
    Ok(Half { process: string(&it["process"])?, place: place(it)?, statement: string(&it["statement"])? })
}

fn place(it: &Value) -> Result<Where, String> {
    Ok(Where { file: string(&it["file"])?, line: number(&it["line"])? as u32 })
}

pub(crate) fn list<T>(it: &Value, read: impl Fn(&Value) -> Result<T, String>) -> Result<Vec<T>, String> {
    it.as_array().ok_or("a list is missing")?.iter().map(read).collect()
}

pub(crate) fn string(it: &Value) -> Result<String, String> {
    optional(it).ok_or_else(|| "a text is missing".into())
}

fn optional(it: &Value) -> Option<String> {
    it.as_str().map(str::to_string)
}

/// One of a few words that a report has as constants. They live as long as the program.
fn word(it: &Value) -> Result<&'static str, String> {
    Ok(string(it)?.leak())
}

pub(crate) fn number(it: &Value) -> Result<u64, String> {
    it.as_u64().ok_or_else(|| "a number is missing".into())
}

fn seconds(it: &Value) -> Duration {
    it.as_f64().and_then(|it| Duration::try_from_secs_f64(it).ok()).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::read;

    #[test]
    fn what_is_no_report_is_refused() {
        for (text, error) in [
            ("{", "it is not JSON"),
            ("{}", "it is not a report of this program"),
            (r#"{"tool":"promenade","version":"1","model":"a","results":[{"property":"p"}]}"#, "no verdict"),
        ] {
            assert!(read(text).is_err_and(|it| it.contains(error)), "{text}");
        }
    }
}
