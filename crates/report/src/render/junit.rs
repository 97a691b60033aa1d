//! For test runners: JUnit's XML, as Jenkins, GitLab and others read it. A property is a test case.
use std::io::{self, Write};

use crate::{Answer, Outcome, Report};

/// Writes the document.
pub fn write(report: &Report, out: &mut dyn Write) -> io::Result<()> {
    let count = |wanted: fn(&Answer) -> bool| report.results.iter().filter(|it| wanted(&it.answer)).count();
    let failures = count(|it| *it == Answer::Violated);
    let errors = count(|it| matches!(it, Answer::Unknown(_)));
    let (model, tests) = (escape(&report.model), report.results.len());
    writeln!(out, r#"<?xml version="1.0" encoding="UTF-8"?>"#)?;
    writeln!(out, r#"<testsuites name="promenade" tests="{tests}" failures="{failures}" errors="{errors}">"#)?;
    writeln!(out, r#"  <testsuite name="{model}" tests="{tests}" failures="{failures}" errors="{errors}">"#)?;
    report.results.iter().try_for_each(|it| case(&model, it, out))?;
    writeln!(out, "  </testsuite>\n</testsuites>")
}

fn case(model: &str, it: &Outcome, out: &mut dyn Write) -> io::Result<()> {
    let (name, seconds) = (escape(&it.property), it.effort.statistics.elapsed.as_secs_f64());
    write!(out, r#"    <testcase classname="{model}" name="{name}" time="{seconds:.3}""#)?;
    if let (Answer::Holds, Some(note)) = (&it.answer, &it.vacuous) {
        return writeln!(out, "><system-out>Note: {}</system-out></testcase>", escape(note));
    }
    if it.answer == Answer::Holds {
        return writeln!(out, "/>");
    }
    writeln!(out, ">")?;
    body(it, out)?;
    writeln!(out, "    </testcase>")
}

fn body(it: &Outcome, out: &mut dyn Write) -> io::Result<()> {
    if let Answer::Unknown(reason) = &it.answer {
        writeln!(out, r#"      <error type="unknown" message="{}"/>"#, escape(&reason.because))?;
    }
    for violation in &it.violations {
        let (kind, message) = (violation.kind, escape(&violation.message));
        write!(out, r#"      <failure type="{kind}" message="{message}">"#)?;
        let place = violation.place.as_ref().map(|place| format!("{}: ", place.short())).unwrap_or_default();
        let when = match violation.cycle_length() {
            Some(cycle) if cycle > 0 => format!("after {} steps, then {cycle} for ever", violation.length - cycle),
            _ => format!("after {} steps", violation.length),
        };
        writeln!(out, "{}{message} ({when})</failure>", escape(&place))?;
    }
    Ok(())
}

/// What XML 1.0 allows in an attribute; other characters are replaced.
fn escape(text: &str) -> String {
    let mut safe = String::new();
    for it in text.chars() {
        match it {
            '&' => safe += "&amp;",
            '<' => safe += "&lt;",
            '>' => safe += "&gt;",
            '"' => safe += "&quot;",
            '\n' | '\t' => safe.push(' '),
            it if it.is_control() || matches!(it, '\u{fffe}' | '\u{ffff}') => safe.push('\u{fffd}'),
            it => safe.push(it),
        }
    }
    safe
}
