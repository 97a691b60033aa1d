//! Counterexamples in files.
//!
//! Both files of a counterexample, ours and SPIN's, are written beside their places and then renamed, so that nobody ever finds half of one.
use std::ffi::OsString;
use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use certify::Walk;
use model::Model;
use model::semantics::Semantics;
use report::{Answer, Outcome, Report, Terms, TraceFile, Violation, Where};
use text::{Diagnostic, Sources};

use crate::extra::{self, Extra};
use crate::trail_claim::with_claim;

/// The file for SPIN that belongs to a file of ours.
pub fn trail_of(file: &Path) -> PathBuf {
    with_suffix(file, ".trail")
}

/// Whether a counterexample could be written, asked before a search that may take long.
pub fn try_out(file: &Path) -> Result<(), Diagnostic> {
    for file in [file, &trail_of(file)] {
        let tried = if file.is_dir() { Err(io::Error::other("it is a directory")) } else { write(file, None) };
        tried.map_err(|error| unwritable(file, &error))?;
    }
    Ok(())
}

/// Writes the first counterexample of a report, if there is one; `extras` are properties that the text of the model does not have. Steps are known by
/// their statements; places are for people, and `moved` may put better ones there.
pub fn keep(
    file: &Path,
    model: &Model,
    sources: &Sources,
    extras: &[Extra],
    report: &Report,
    moved: &dyn Fn(&mut Where),
) -> Result<(), Diagnostic> {
    let Some((outcome, violation)) = report.results.iter().find_map(first) else { return Ok(()) };
    let system = Semantics::new(model);
    let terms = Terms { system: &system, sources };
    // A system that cannot start has a counterexample without states. All others have been replayed.
    let states = Walk::along(&system, &violation.trace.steps).map_or(Vec::new(), |it| it.states);
    let mut steps = terms.steps(&violation.trace, &states, usize::MAX);
    let halves = steps.iter_mut().flat_map(|it| std::iter::once(&mut it.mover).chain(&mut it.partner));
    halves.for_each(|it| moved(&mut it.place));
    let own = TraceFile::new(&report.version, &report.model, &outcome.property, violation, steps);
    let mut text = Vec::new();
    own.write(&mut text).map_err(|error| unwritable(file, &error))?;
    write(file, Some(&text)).map_err(|error| unwritable(file, &error))?;
    let trail = trail_of(file);
    let property = model.temporal_properties.iter().find(|it| it.name == outcome.property);
    let claimed = property.filter(|it| !extra::is_added(extras, sources, it.span));
    let claimed = claimed.and_then(|it| with_claim(model, it, terms, violation, &states));
    let text = claimed.unwrap_or_else(|| terms.trail(&violation.trace, &states)).text();
    write(&trail, Some(text.as_bytes())).map_err(|error| unwritable(&trail, &error))
}

fn first(outcome: &Outcome) -> Option<(&Outcome, &Violation)> {
    let is_violated = outcome.answer == Answer::Violated;
    let violation = outcome.violations.iter().find(|it| is_violated && it.kind != "internal")?;
    Some((outcome, violation))
}

/// Writes a file as a whole; without a text, only tries to create one beside it.
fn write(file: &Path, text: Option<&[u8]>) -> io::Result<()> {
    let beside = with_suffix(file, &format!(".{}.new", std::process::id()));
    let written = File::create(&beside).and_then(|mut out| {
        out.write_all(text.unwrap_or_default())?;
        if text.is_some() { out.sync_all().and_then(|()| fs::rename(&beside, file)) } else { Ok(()) }
    });
    if written.is_err() || text.is_none() {
        // It may never have been there.
        let _ = fs::remove_file(&beside);
    }
    written
}

fn with_suffix(file: &Path, suffix: &str) -> PathBuf {
    let mut name = OsString::from(file);
    name.push(suffix);
    PathBuf::from(name)
}

fn unwritable(file: &Path, error: &io::Error) -> Diagnostic {
    let message = format!("the trace cannot be written to `{}`: {error}", file.display());
    Diagnostic::global("unwritable-trace", message)
}
