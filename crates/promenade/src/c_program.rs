//! C programs: from source to model.
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Instant;

use engine::Watch;
use extract::{Harness, Model, Request, Table};
use front_c::Loader;
use report::Where;
use text::{Diagnostic, Sources, Span};

use crate::c_verdict::{self, Lifting};
use crate::check::{Opened, check_opened, open};
use crate::{Checked, Extra, Input, Options, evidence, load};

/// How a C program is read.
#[derive(Clone, Debug, Default)]
pub struct Reading {
    /// Functions that become processes; `main` and its threads if there are none.
    pub functions: Vec<String>,
    /// Tables; rows of the first count first.
    pub tables: Vec<PathBuf>,
    /// A harness.
    pub harness: Option<PathBuf>,
    /// `-D`.
    pub defines: Vec<(String, String)>,
    /// `-I`.
    pub include_dirs: Vec<PathBuf>,
    /// Headers that are missing are replaced.
    pub stub_headers: bool,
    /// What the table and the harness say counts as right.
    pub trust_table: bool,
    /// A deliberate mistake: a test of the tests.
    #[doc(hidden)]
    pub mistake: Option<extract::Mistake>,
}

/// A program, and how its model is made.
#[derive(Clone, Debug, Default)]
pub struct Program {
    /// The C file.
    pub file: PathBuf,
    /// How it is read.
    pub reading: Reading,
    /// Threads end with the program, which costs reductions; otherwise they may go on in the model.
    pub ends: bool,
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
    extract_with(file, reading, false)
}

/// The same; with `ends`, threads end with the program.
fn extract_with(file: &Path, reading: &Reading, ends: bool) -> Extracted {
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
    let request = Request { ends, ..request(reading, &name, &mut sources, &mut out.diagnostics) };
    if !out.diagnostics.iter().any(Diagnostic::is_error) {
        let mut model = extract::model(&out.unit, &sources, &request);
        out.diagnostics.append(&mut model.diagnostics);
        out.model = Some(model).filter(|_| !out.diagnostics.iter().any(Diagnostic::is_error));
    }
    Extracted { sources, ..out }
}

/// A line of a file, for a diagnostic.
fn line_span(sources: &mut Sources, name: &str, text: &str, line: usize) -> Span {
    let known = (0..sources.files().count() as u32).map(text::FileId).find(|it| sources.file(*it).name == name);
    let file = known.unwrap_or_else(|| sources.add(name, text));
    let start: usize = text.split_inclusive('\n').take(line - 1).map(str::len).sum();
    let length = text[start..].lines().next().map_or(0, str::len);
    Span { file, start: start as u32, end: (start + length) as u32 }
}

fn stem(path: &Path) -> Option<String> {
    path.file_stem().map(|it| it.to_string_lossy().into_owned())
}

/// What to extract: options, table and harness together.
fn request(reading: &Reading, program: &str, sources: &mut Sources, diagnostics: &mut Vec<Diagnostic>) -> Request {
    let mut request = Request { functions: reading.functions.clone(), mistake: reading.mistake, ..Request::default() };
    let read = |path: &Path, diagnostics: &mut Vec<Diagnostic>| match load::bytes(path).and_then(|it| load::decode(&it))
    {
        Ok(text) => text,
        Err(error) => {
            diagnostics.push(load::explain(&path.display().to_string(), &error));
            String::new()
        }
    };
    let mut tables: Vec<(Option<String>, String, String, String)> = Vec::new();
    for path in &reading.tables {
        let text = read(path, diagnostics);
        tables.push((stem(path), path.display().to_string(), text.clone(), text));
    }
    if let Some(path) = &reading.harness {
        let (text, name) = (read(path, diagnostics), path.display().to_string());
        let (harness, wrong) = Harness::read(&text);
        for (line, why) in wrong {
            diagnostics.push(Diagnostic::error("bad-harness", line_span(sources, &name, &text, line), why));
        }
        if let Some(other) = harness.files.iter().find(|it| !program.ends_with(&***it)) {
            let message = format!("the harness is for `{other}`, not for `{program}`");
            diagnostics.push(Diagnostic::global("bad-harness", message).help("change its section %F"));
        }
        request.functions.extend(harness.functions);
        (request.before, request.after) = (harness.before, harness.after);
        for (function, rows) in harness.tables {
            tables.push((function, name.clone(), text.clone(), rows));
        }
    }
    for (function, name, text, rows) in tables {
        // A table with the name of a function is for that function.
        let function = function.filter(|it| request.functions.contains(it));
        let (table, wrong) = Table::read(&rows);
        for (line, why) in wrong {
            let error = Diagnostic::error("bad-table", line_span(sources, &name, &text, line), why);
            diagnostics.push(error.help("a row is `CLASS: FRAGMENT`, two blanks, and what it becomes"));
        }
        request.tables.push((function, table));
    }
    request
}

/// A C program that was read, and its model.
pub(crate) struct Understood {
    /// The model, in its own terms.
    pub opened: Opened,
    /// The texts of the program.
    pub sources: Sources,
    /// What is assumed of the program.
    pub diagnostics: Vec<Diagnostic>,
    /// Where each line of the model comes from.
    pub model: Model,
}

/// The name of a model. One that ends with its program is another, with other steps.
fn model_name(program: &Program) -> String {
    format!("model of {}{}", program.file.display(), if program.ends { ENDS } else { "" })
}

/// What is added to the name of a model whose threads end with the program.
pub(crate) const ENDS: &str = ", ending with main";

/// Reads a program and its model, with the properties that are added to it; or says what is wrong.
pub(crate) fn understand(
    program: &Program,
    front: &front_promela::Options,
    extras: &[Extra],
) -> Result<Understood, Box<Checked>> {
    let Extracted { sources, diagnostics, model, .. } = extract_with(&program.file, &program.reading, program.ends);
    let Some(model) = model else { return Err(Box::new(Checked { sources, diagnostics, report: None })) };
    let input = Input::Bytes { name: model_name(program), bytes: model.text.clone().into_bytes() };
    Ok(Understood { opened: open(&input, front, extras), sources, diagnostics, model })
}

/// Checks a C program by its model; what is found is told in terms of the program.
pub fn check_program(file: &Path, reading: &Reading, options: &Options, watch: &mut dyn Watch) -> Checked {
    let program = Program { file: file.to_path_buf(), reading: reading.clone(), ends: false };
    let (checked, goes_on) = check_once(&program, options, watch);
    if goes_on {
        // What was found needs threads that outlive the program.
        return check_once(&Program { ends: true, ..program }, options, watch).0;
    }
    checked
}

/// The answer, and whether it depends on threads that go on after the end of the program.
fn check_once(program: &Program, options: &Options, watch: &mut dyn Watch) -> (Checked, bool) {
    let began = Instant::now();
    let Understood { opened, sources, mut diagnostics, model } =
        match understand(program, &options.front, &options.extras) {
            Ok(understood) => understood,
            Err(checked) => return (*checked, false),
        };
    // Whether a counterexample is certain depends on every step.
    let whole = Options { steps: usize::MAX, ..options.clone() };
    let (mut checked, searched) = check_opened(opened, &whole, began, watch);
    let (Some(report), Some(searched)) = (&mut checked.report, searched) else { return (checked, false) };
    let goes_on = c_verdict::goes_on(report, &model);
    let lifting = Lifting { model: &model, sources: &sources, reading: &program.reading, options };
    report.results.iter_mut().for_each(|it| lifting.limits(it));
    if let Some(trace) = options.trace.as_deref().filter(|_| !goes_on) {
        let moved = |place: &mut Where| _ = lifting.moved(place);
        diagnostics.extend(evidence::keep(trace, &searched, &checked.sources, &options.extras, report, &moved).err());
    }
    lifting.report(report, &program.file.display().to_string());
    (Checked { sources, diagnostics, ..checked }, goes_on)
}
