//! C programs: from source to model, and from what was found in the model back to the source.
use std::path::{Path, PathBuf};
use std::process::Command;

use engine::Watch;
use extract::{Model, Request, Table};
use front_c::Loader;
use report::{Answer, Reason, Report, Violation, Where};
use text::{Diagnostic, Sources};

use crate::{Checked, Input, Options, check, load};

/// How a C program is read.
#[derive(Clone, Debug, Default)]
pub struct Reading {
    /// Functions that become processes; `main` and its threads if there are none.
    pub functions: Vec<String>,
    /// A table.
    pub table: Option<PathBuf>,
    /// A harness.
    pub harness: Option<PathBuf>,
    /// `-D`.
    pub defines: Vec<(String, String)>,
    /// `-I`.
    pub include_dirs: Vec<PathBuf>,
    /// Headers that are missing are replaced.
    pub stub_headers: bool,
}

/// A program and its model.
pub struct Extracted {
    /// Every file that was read.
    pub sources: Sources,
    /// What is wrong, and what is assumed.
    pub diagnostics: Vec<Diagnostic>,
    /// The tree.
    pub unit: front_c::ast::Unit,
    /// The model; `None` if the program cannot be read.
    pub model: Option<Model>,
}

struct Disk;

impl Loader for Disk {
    fn load(&mut self, path: &Path) -> Option<String> {
        load::bytes(path).and_then(|it| load::decode(&it)).ok()
    }
}

/// What the system's compiler defines and where it looks for headers; nothing if there is none.
fn system() -> (Option<String>, Vec<PathBuf>) {
    let ask = |flags: &[&str]| {
        Command::new("cc")
            .args(flags)
            .args(["-E", "-x", "c", "/dev/null"])
            .output()
            .ok()
            .filter(|it| it.status.success())
    };
    let predefined = ask(&["-dM"]).map(|it| String::from_utf8_lossy(&it.stdout).into_owned());
    let listed = ask(&["-v"]).map(|it| String::from_utf8_lossy(&it.stderr).into_owned()).unwrap_or_default();
    let inside =
        listed.lines().skip_while(|it| !it.starts_with("#include <")).skip(1).take_while(|it| it.starts_with(' '));
    (predefined, inside.map(|it| PathBuf::from(it.trim())).collect())
}

/// Reads a program and makes its model.
pub fn extract_model(file: &Path, reading: &Reading) -> Extracted {
    let mut sources = Sources::default();
    let mut out =
        Extracted { sources: Sources::default(), diagnostics: Vec::new(), unit: Default::default(), model: None };
    let name = file.display().to_string();
    let text = match load::bytes(file).and_then(|it| load::decode(&it)) {
        Ok(text) => text,
        Err(error) => {
            out.diagnostics.push(load::explain(&name, &error));
            return out;
        }
    };
    let root = sources.add(&*name, text);
    let (predefined, system_dirs) = system();
    let Reading { defines, include_dirs, stub_headers, .. } = reading.clone();
    let options = front_c::Options { defines, include_dirs, system_dirs, predefined, stub_headers };
    let parsed = front_c::read(&mut sources, root, &options, &mut Disk);
    (out.unit, out.diagnostics) = (parsed.unit, parsed.diagnostics);
    let request = request(reading, &mut out.diagnostics);
    if !out.diagnostics.iter().any(Diagnostic::is_error) {
        let mut model = extract::model(&out.unit, &sources, &request);
        out.diagnostics.append(&mut model.diagnostics);
        out.model = Some(model).filter(|_| !out.diagnostics.iter().any(Diagnostic::is_error));
    }
    Extracted { sources, ..out }
}

/// What to extract: options, table and harness together.
fn request(reading: &Reading, diagnostics: &mut Vec<Diagnostic>) -> Request {
    let mut request = Request { functions: reading.functions.clone(), ..Request::default() };
    let mut text = |path: &Path| match load::bytes(path).and_then(|it| load::decode(&it)) {
        Ok(text) => text,
        Err(error) => {
            diagnostics.push(load::explain(&path.display().to_string(), &error));
            String::new()
        }
    };
    let mut rows = reading.table.as_deref().map_or(String::new(), &mut text);
    if let Some(harness) = &reading.harness {
        let mut section = ' ';
        for line in text(harness).lines() {
            match line.strip_prefix('%').map(|it| it.split_at(it.len().min(1))) {
                Some(("X", rest)) => request.functions.extend(
                    rest.split_whitespace()
                        .filter(|it| !it.starts_with('-') && !it.ends_with(".lut"))
                        .map(String::from),
                ),
                Some((name, _)) => section = name.chars().next().unwrap_or(' '),
                None => match section {
                    'L' => rows += &format!("{line}\n"),
                    'D' | 'P' => request.before += &format!("{line}\n"),
                    'A' => request.after += &format!("{line}\n"),
                    _ => {}
                },
            }
        }
    }
    let (table, wrong) = Table::read(&rows);
    diagnostics.extend(
        wrong
            .into_iter()
            .map(|(line, why)| Diagnostic::global("bad-table", format!("line {line} of the table: {why}"))),
    );
    Request { table, ..request }
}

/// Checks a C program by its model; what is found is told in terms of the program.
pub fn check_program(file: &Path, reading: &Reading, options: &Options, watch: &mut dyn Watch) -> Checked {
    let extracted = extract_model(file, reading);
    let Some(model) = extracted.model else {
        return Checked { sources: extracted.sources, diagnostics: extracted.diagnostics, report: None };
    };
    let name = format!("model of {}", file.display());
    let input = Input::Bytes { name, bytes: model.text.clone().into_bytes() };
    let mut checked = check(&input, options, watch);
    if let Some(report) = &mut checked.report {
        lift(report, &model, &extracted.sources, &file.display().to_string());
        return Checked { sources: extracted.sources, diagnostics: extracted.diagnostics, ..checked };
    }
    checked
}

/// Puts places and statements of the program where those of the model were.
fn lift(report: &mut Report, model: &Model, sources: &Sources, file: &str) {
    report.model = file.into();
    let left_out = model.fragments.iter().filter(|it| it.quality == extract::Quality::Less).count();
    for outcome in &mut report.results {
        if outcome.answer == Answer::Holds {
            outcome.answer = Answer::Unknown(unproved(left_out));
        }
        outcome.violations.iter_mut().for_each(|it| lift_violation(it, model, sources));
        for unreached in outcome.coverage.iter_mut().flat_map(|it| &mut it.unreached) {
            move_place(&mut unreached.place, model, sources);
        }
    }
}

/// Why what holds in the model is not yet said of the program.
fn unproved(left_out: usize) -> Reason {
    let missing =
        if left_out > 0 { format!("; {left_out} fragments of it are not in the model") } else { String::new() };
    Reason {
        because: format!("it holds in the model, and models are not yet exact enough to prove it of the program{missing}"),
        advice: "`prom extract --show-table` says what became of each fragment; docs/decisions/014-c-programs.md what is not exact.".into(),
    }
}

fn lift_violation(it: &mut Violation, model: &Model, sources: &Sources) {
    let mut doubtful = Vec::new();
    for half in it.steps.iter_mut().flat_map(|it| std::iter::once(&mut it.mover).chain(&mut it.partner)) {
        let origin = origin(model, half.place.line);
        doubtful.extend(origin.and_then(|it| it.uncertain.clone()));
        if let Some(text) = move_place(&mut half.place, model, sources) {
            half.statement = text;
        }
    }
    if let Some(place) = &mut it.place
        && let Some(text) = move_place(place, model, sources)
    {
        it.statement = Some(text);
    }
    for process in &mut it.last.processes {
        if let Some(text) = move_place(&mut process.place, model, sources) {
            process.next = text;
        }
    }
    doubtful.sort();
    doubtful.dedup();
    let says = match doubtful.is_empty() {
        true => "every step of it stands in the program; try it there, models are not exact yet".to_string(),
        false => format!("it depends on what the model does not know: {}", doubtful.join(", ")),
    };
    it.message = format!("{} ({says})", it.message);
}

fn origin(model: &Model, line: u32) -> Option<&extract::Origin> {
    model.origins.get((line as usize).checked_sub(1)?)?.as_ref()
}

/// Moves a place from the model to the program; the statement there.
fn move_place(place: &mut Where, model: &Model, sources: &Sources) -> Option<String> {
    let span = origin(model, place.line)?.span;
    let found = sources.place(span);
    *place = Where { file: found.file.to_string(), line: found.line };
    Some(sources.slice(span).lines().next().unwrap_or("").trim().to_string())
}
