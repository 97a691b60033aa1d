//! Messages about wrong inputs, word for word.
//!
//! Each `tests/golden/diagnostics/NAME.pml` is wrong in some way; `NAME.txt` beside it is what a user is
//! told about it. After a change of the messages, `PROM_BLESS=1 cargo test -p testkit --test it golden`
//! writes the files anew: read them before you commit them. An input whose first line is
//! `// prom: --dialect pv` is read in that dialect.
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use front_promela::parse::Dialect;
use front_promela::preprocess::{LoadError, Loader};
use front_promela::{Compiled, Options, compile};
use promenade::load;
use testkit::corpus::workspace;
use text::{Diagnostic, Sources};

fn folder() -> PathBuf {
    workspace().join("tests/golden/diagnostics")
}

/// The files of the folder with this ending, sorted.
fn files(ending: &str) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder()).expect("the folder of golden cases");
    let paths = entries.map(|entry| entry.expect("an entry of the folder").path());
    let mut files: Vec<PathBuf> = paths.filter(|path| path.extension().is_some_and(|it| it == ending)).collect();
    files.sort();
    files
}

/// Finds included files beside the cases, so that messages show short names.
struct Beside;

impl Loader for Beside {
    fn load(&mut self, path: &Path) -> Result<String, LoadError> {
        load::Disk.load(&folder().join(path))
    }
}

/// What comes of a case.
struct Outcome {
    compiled: Compiled,
    sources: Sources,
}

impl Outcome {
    fn of(path: &Path) -> Outcome {
        let name = path.file_name().expect("a name").to_string_lossy().into_owned();
        let bytes = load::bytes(path).expect("a case");
        let text = load::decode(&bytes).expect("a text");
        let mut options = Options::default();
        if text.starts_with("// prom: --dialect pv\n") {
            options.dialect = Dialect::Pv;
        }
        let mut sources = Sources::default();
        let root = sources.add(name, text);
        let compiled = compile(&mut sources, root, &options, &mut Beside);
        Outcome { compiled, sources }
    }

    fn shown(&self) -> String {
        shown(&self.compiled.diagnostics, &self.sources)
    }
}

/// What comes of every case.
fn outcomes() -> &'static [(PathBuf, Outcome)] {
    static OUTCOMES: OnceLock<Vec<(PathBuf, Outcome)>> = OnceLock::new();
    OUTCOMES.get_or_init(|| files("pml").into_iter().map(|case| (case.clone(), Outcome::of(&case))).collect())
}

fn shown(diagnostics: &[Diagnostic], sources: &Sources) -> String {
    let mut out = Vec::new();
    report::diagnostics::write(diagnostics, sources, false, &mut out).expect("memory can be written to");
    String::from_utf8(out).expect("text")
}

#[test]
fn every_wrong_input_is_explained_as_agreed() {
    let bless = std::env::var_os("PROM_BLESS").is_some();
    let mut complaints = Vec::new();
    for (case, outcome) in outcomes() {
        let shown = outcome.shown();
        let expected = case.with_extension("txt");
        if bless {
            fs::write(&expected, &shown).expect("a file for the expectation");
        }
        let name = case.display();
        match fs::read_to_string(&expected) {
            Ok(expected) if expected == shown => {}
            Ok(expected) => complaints.push(format!("{name}: expected\n{expected}\nbut it is\n{shown}")),
            Err(_) => complaints.push(format!("{name}: no expectation beside it; it is\n{shown}")),
        }
    }
    assert!(complaints.is_empty(), "{}\nIf this is right: PROM_BLESS=1", complaints.join("\n"));
}

#[test]
fn every_case_is_wrong_and_a_model_comes_of_none_with_an_error() {
    assert!(outcomes().len() >= 70, "only {} cases", outcomes().len());
    for (case, Outcome { compiled, .. }) in outcomes() {
        let (name, wrong) = (case.display(), compiled.diagnostics.iter().any(Diagnostic::is_error));
        assert!(!compiled.diagnostics.is_empty(), "{name}: nothing is said about it");
        assert_eq!(compiled.model.is_none(), wrong, "{name}: a model if and only if there is no error");
    }
}

#[test]
fn every_expectation_has_a_case() {
    let lonely: Vec<PathBuf> = files("txt").into_iter().filter(|it| !it.with_extension("pml").is_file()).collect();
    assert!(lonely.is_empty(), "{lonely:?}");
}

#[test]
fn every_code_of_the_front_end_has_a_case() {
    let said = outcomes().iter().flat_map(|(_, outcome)| &outcome.compiled.diagnostics);
    let shown: BTreeSet<&str> = said.map(|it| it.code).collect();
    let source = codes(&workspace().join("crates/front-promela/src"));
    assert!(source.len() > 100, "only {} codes found: how are they written now?", source.len());
    let missing: Vec<&String> = source.iter().filter(|it| !shown.contains(it.as_str())).collect();
    assert!(missing.is_empty(), "no case shows {missing:?}");
    let unseen: Vec<&&str> = shown.iter().filter(|it| !source.contains(**it)).collect();
    assert!(unseen.is_empty(), "codes that the search of the source does not find: {unseen:?}");
}

#[test]
fn pages_explain_codes_of_the_front_end() {
    let source = codes(&workspace().join("crates/front-promela/src"));
    let explained: BTreeSet<String> = text::pages(front_promela::PAGES).iter().map(|it| it.code.to_string()).collect();
    let unknown: Vec<&String> = explained.difference(&source).collect();
    assert!(unknown.is_empty(), "pages about codes that nobody uses: {unknown:?}");
    let missing: Vec<&String> = source.difference(&explained).collect();
    assert!(missing.is_empty(), "no page: {missing:?}");
}

/// The functions that take a code first.
const SPEAKERS: &[&str] = &["error", "error_help", "warning", "warn", "global", "complain", "broken", "unknown_name"];

/// The codes in the sources of a folder, tests left out: what is given to one of [`SPEAKERS`], and every
/// string of several words joined by hyphens.
fn codes(folder: &Path) -> BTreeSet<String> {
    let mut codes = BTreeSet::new();
    for entry in fs::read_dir(folder).expect("a folder of sources") {
        let path = entry.expect("an entry of the folder").path();
        let name = path.file_name().expect("a name").to_string_lossy().into_owned();
        if path.is_dir() && name != "tests" {
            codes.extend(self::codes(&path));
        } else if name.ends_with(".rs") && name != "tests.rs" {
            let text = fs::read_to_string(&path).expect("a source file");
            collect(text.split("#[cfg(test)]").next().unwrap_or(&text), &mut codes);
        }
    }
    codes
}

fn collect(source: &str, codes: &mut BTreeSet<String>) {
    for (quote, _) in source.match_indices('"') {
        let (before, rest) = (&source[..quote], &source[quote + 1..]);
        let Some(end) = rest.find(|it: char| !it.is_ascii_lowercase() && it != '-') else { continue };
        let (word, behind) = rest.split_at(end);
        let is_word = behind.starts_with('"') && word.split('-').all(|part| !part.is_empty());
        let said =
            before.trim_end().strip_suffix('(').is_some_and(|it| SPEAKERS.iter().any(|name| ends_with(it, name)));
        if is_word && (said || word.contains('-')) {
            codes.insert(word.to_string());
        }
    }
}

/// Whether a text ends with this name, and not with a longer one.
fn ends_with(text: &str, name: &str) -> bool {
    let rest = text.strip_suffix(name);
    rest.is_some_and(|rest| !rest.ends_with(|it: char| it.is_alphanumeric() || it == '_'))
}

#[test]
fn codes_are_found_however_they_are_written() {
    let mut found = BTreeSet::new();
    collect(r#"x.error("one", y); Diagnostic::error(\n "two-words", z); f(a, "three-words"); g("four");"#, &mut found);
    assert_eq!(found.iter().map(String::as_str).collect::<Vec<_>>(), ["one", "three-words", "two-words"]);
}

#[test]
fn what_is_no_text_gives_one_message() {
    let load = |path: &Path| load::bytes(path).and_then(|bytes| load::decode(&bytes));
    let explained = |path: &str, what: Result<String, LoadError>| {
        let error = what.expect_err("no text");
        shown(&[load::explain(path, &error)], &Sources::default())
    };
    let missing = explained("no-such-model.pml", load(Path::new("no-such-model.pml")));
    assert_eq!(missing, "error[missing-file]: there is no file `no-such-model.pml`\n\n");
    let folder = explained("models", load(&folder()));
    assert_eq!(folder, "error[is-a-directory]: `models` is a directory\n   = help: name the model's file\n\n");
    let binary = explained("a.out", load::decode(b"\x7fELF\x02\x01\x01\0\0\0\0\0\0\0\0\0\x03\0>\0"));
    assert_eq!(binary, "error[not-text]: `a.out` is not a text file\n\n");
    let wide = explained("a.pml", load::decode(b"\xff\xfei\0n\0i\0t\0"));
    assert_eq!(wide, "error[unreadable-file]: `a.pml` cannot be read: it is UTF-16; save it as UTF-8\n\n");
}
