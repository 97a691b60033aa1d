//! A counterexample in a file of our own.
use std::io::{self, Write};

use model::EdgeId;
use model::semantics::Step;
use serde_json::{Value, json};

use crate::read::{list, number, step as shown_step, string};
use crate::render::step_json;
use crate::{ShownStep, Violation};

/// What a file says.
#[derive(Clone, Debug)]
pub struct TraceFile {
    /// The version of the program that wrote it.
    pub version: String,
    /// The model's file, as it was named then.
    pub model: String,
    /// The property.
    pub property: String,
    /// What is wrong: a word.
    pub kind: String,
    /// What is wrong: a phrase.
    pub message: String,
    /// The number of the step from which on the steps are repeated for ever; one more than there are steps if the system stands still.
    pub cycle_start: Option<usize>,
    /// The steps.
    pub steps: Vec<Recorded>,
}

/// A step, for programs and for people.
#[derive(Clone, Debug)]
pub struct Recorded {
    /// By numbers.
    pub step: Step,
    /// In the terms of the source.
    pub shown: ShownStep,
}

/// The word by which a file is known.
const FORMAT: &str = "promenade-trace";

impl TraceFile {
    /// The file for a violation all of whose steps are described by `steps`.
    pub fn new(version: &str, model: &str, property: &str, violation: &Violation, steps: Vec<ShownStep>) -> Self {
        let numbers = violation.trace.steps.iter();
        TraceFile {
            version: version.into(),
            model: model.into(),
            property: property.into(),
            kind: violation.kind.into(),
            message: violation.message.clone(),
            cycle_start: violation.cycle_start,
            steps: numbers.zip(steps).map(|(&step, shown)| Recorded { step, shown }).collect(),
        }
    }

    /// Writes the file.
    pub fn write(&self, out: &mut dyn Write) -> io::Result<()> {
        let TraceFile { version, model, property, kind, message, cycle_start, steps } = self;
        write!(out, "{{\"format\":\"{FORMAT}\",\"version\":{},", json!(version))?;
        write!(out, "\"model\":{},\"property\":{},\"kind\":{},", json!(model), json!(property), json!(kind))?;
        write!(out, "\"message\":{},\"cycle_start\":{},\"steps\":[", json!(message), json!(cycle_start))?;
        for (row, recorded) in steps.iter().enumerate() {
            write!(out, "{}\n{}", if row == 0 { "" } else { "," }, recorded.json())?;
        }
        writeln!(out, "\n]}}")
    }

    /// What a file says, or what is wrong with it.
    pub fn read(text: &str) -> Result<Self, String> {
        let json: Value = serde_json::from_str(text).map_err(|error| format!("it is not JSON: {error}"))?;
        if json["format"] != FORMAT {
            return Err(format!("its format is not `{FORMAT}`"));
        }
        Ok(TraceFile {
            version: string(&json["version"])?,
            model: string(&json["model"])?,
            property: string(&json["property"])?,
            kind: string(&json["kind"])?,
            message: string(&json["message"])?,
            cycle_start: json["cycle_start"].as_u64().map(|it| it as usize),
            steps: list(&json["steps"], Recorded::read)?,
        })
    }
}

impl Recorded {
    fn json(&self) -> Value {
        let mut json = step_json(&self.shown);
        json["pid"] = self.step.process.into();
        json["edge"] = self.step.edge.0.into();
        if let Some((process, edge)) = self.step.partner {
            json["partner"]["pid"] = process.into();
            json["partner"]["edge"] = edge.0.into();
        }
        json
    }

    fn read(json: &Value) -> Result<Self, String> {
        let shown = shown_step(json)?;
        let (process, edge) = numbers(json)?;
        let partner = if shown.partner.is_some() { Some(numbers(&json["partner"])?) } else { None };
        Ok(Recorded { step: Step { process, edge, partner }, shown })
    }
}

fn numbers(json: &Value) -> Result<(u8, EdgeId), String> {
    let process = u8::try_from(number(&json["pid"])?).map_err(|_| "the number of a process is above 255")?;
    let edge = u32::try_from(number(&json["edge"])?).map_err(|_| "the number of an edge is too large")?;
    Ok((process, EdgeId(edge)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Half, Where};

    fn half(process: &str, line: u32, statement: &str) -> Half {
        Half { process: process.into(), place: Where { file: "a \"b\".pml".into(), line }, statement: statement.into() }
    }

    fn file() -> TraceFile {
        let changes = vec!["x = 1".to_string()];
        let first = ShownStep { number: 1, mover: half("P(0)", 2, "x = 1"), partner: None, changes };
        let partner = Some(half("Q(1)", 5, "q?v"));
        let second = ShownStep { number: 2, mover: half("P(0)", 3, "q!1"), partner, changes: Vec::new() };
        let alone = Step { process: 0, edge: EdgeId(0), partner: None };
        let together = Step { process: 0, edge: EdgeId(1), partner: Some((1, EdgeId(7))) };
        TraceFile {
            version: "1".into(),
            model: "a \"b\".pml".into(),
            property: "safety".into(),
            kind: "assertion".into(),
            message: "assertion violated: x".into(),
            cycle_start: Some(2),
            steps: vec![Recorded { step: alone, shown: first }, Recorded { step: together, shown: second }],
        }
    }

    fn written(file: &TraceFile) -> String {
        let mut out = Vec::new();
        file.write(&mut out).expect("memory can be written");
        String::from_utf8(out).expect("text")
    }

    #[test]
    fn what_is_written_is_read_back() {
        let file = file();
        let again = TraceFile::read(&written(&file)).expect("a trace");
        assert_eq!(format!("{again:?}"), format!("{file:?}"));
    }

    #[test]
    fn a_file_has_a_line_for_each_step() {
        let text = written(&file());
        assert_eq!(text.lines().count(), 4, "{text}");
    }

    #[test]
    fn what_is_no_trace_is_refused() {
        for (text, error) in [
            ("1:0:4", "it is not JSON"),
            ("{}", "its format is not"),
            (r#"{"format":"promenade-trace","version":"1"}"#, "a text is missing"),
        ] {
            assert!(TraceFile::read(text).is_err_and(|it| it.contains(error)), "{text}");
        }
    }

    #[test]
    fn numbers_that_are_too_large_are_refused() {
        let text = written(&file()).replace("\"pid\":1", "\"pid\":300");
        assert_eq!(TraceFile::read(&text).unwrap_err(), "the number of a process is above 255");
    }
}
