//! Literate test cases: prose, a model, and what to expect of it, in one Markdown file per topic.
//!
//! ````markdown
//! ## A receive that nobody answers
//!
//! A rendezvous needs two.
//!
//! ```promela
//! chan c = [0] of { byte };
//! active proctype P() { c?1 }
//! ```
//!
//! ```expect
//! violated: invalid end state, process P at line 2, after 0 steps
//! ```
//! ````
//!
//! The words after `promela` say how to read the model: `pv` for that dialect, `-DN=2` for a macro.
//! `fair` and `strongly-fair` say which executions count for properties of whole executions, `progress` that cycles without
//! progress are looked for, too. `file=name.h` makes the block a file that the next model may include; `spin-differs` says that
//! SPIN 6.5.2 gives another answer.
//!
//! An expectation is everything the checker has to say, in the order of the text:
//!
//! * `holds: 5 states, 6 transitions`
//! * `violated: assertion, after 3 steps, line 4` (the step that goes wrong is counted), and
//!   `violated: invalid end state, process P at line 7, after 2 steps`
//! * `rejected: unknown-name at 3:9`, one line for each error
//! * `warning: number-overflow at 1:9`, one line for each warning
//! * `p holds` or `p violated: acceptance-cycle`, one line for each property `p` of whole executions, after the line for safety. The
//!   kinds are those of reports: `acceptance-cycle`, `claim-end`, `assertion` (of a claim), `non-progress-cycle`, a fault
//!
//! What follows the colon of `holds` and `violated` may be shortened: parts that are not mentioned
//! are not compared.
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use engine::{Fairness, Question, Search};
use front_promela::parse::Dialect;
use front_promela::preprocess::{LoadError, Loader};
use front_promela::{Compiled, compile};
use model::Model;
use promenade::{Options, check_model};
use report::Outcome;
use text::{Diagnostic, Sources};

use crate::run::Budget;
use crate::temporal::{self, Asked};

/// The name that a model has in its messages.
const NAME: &str = "model.pml";

/// A model and what to expect of it.
#[derive(Clone, Debug, Default)]
pub struct Case {
    /// The Markdown file.
    pub file: String,
    /// The heading above it.
    pub heading: String,
    /// The model.
    pub model: String,
    /// `-D`, in order.
    pub defines: Vec<(String, String)>,
    /// The model is written in the dialect of PV.
    pub pv: bool,
    /// Which executions count.
    pub fairness: Fairness,
    /// Cycles without progress are looked for, too.
    pub progress: bool,
    /// SPIN is known to give another answer.
    pub spin_differs: bool,
    /// Files that the model may include: name and text.
    pub beside: Vec<(String, String)>,
    /// What to expect.
    pub expected: Vec<String>,
    /// The first line of the expectation in the Markdown file, from 0.
    pub line: usize,
}

/// All cases of a Markdown text, or what is wrong with it.
pub fn cases(file: &str, text: &str) -> Result<Vec<Case>, String> {
    let mut reader = Reader { file, heading: String::new(), beside: Vec::new(), open: None, cases: Vec::new() };
    let lines: Vec<&str> = text.lines().collect();
    let mut row = 0;
    while row < lines.len() {
        let line = lines[row];
        if let Some(words) = line.strip_prefix("```") {
            let length = lines[row + 1..].iter().position(|it| it.starts_with("```"));
            let length = length.ok_or_else(|| format!("{file}:{}: a block without an end", row + 1))?;
            reader.block(words.trim(), &lines[row + 1..][..length], row)?;
            row += length + 1;
        } else if line.starts_with('#') {
            reader.heading(line.trim_start_matches('#').trim())?;
        }
        row += 1;
    }
    reader.nothing_open()?;
    Ok(reader.cases)
}

/// All cases that are written.
pub fn all() -> Vec<Case> {
    let read = |path: PathBuf| {
        let text = fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        let name = path.file_name().map_or(String::new(), |it| it.to_string_lossy().into_owned());
        cases(&name, &text).unwrap_or_else(|what| panic!("{what}"))
    };
    files(&crate::corpus::workspace().join("tests/literate")).into_iter().flat_map(read).collect()
}

struct Reader<'a> {
    file: &'a str,
    heading: String,
    beside: Vec<(String, String)>,
    open: Option<Case>,
    cases: Vec<Case>,
}

impl Reader<'_> {
    fn heading(&mut self, heading: &str) -> Result<(), String> {
        self.nothing_open()?;
        self.heading = heading.to_string();
        Ok(())
    }

    /// No model without an expectation: it would never be run.
    fn nothing_open(&self) -> Result<(), String> {
        match (&self.open, self.beside.is_empty()) {
            (Some(_), _) => Err(format!("{}: \"{}\": a model without an expectation", self.file, self.heading)),
            (None, false) => Err(format!("{}: \"{}\": a file without a model", self.file, self.heading)),
            (None, true) => Ok(()),
        }
    }

    fn block(&mut self, words: &str, lines: &[&str], row: usize) -> Result<(), String> {
        let at = format!("{}:{}", self.file, row + 1);
        match (words.split_whitespace().next(), self.open.take()) {
            (Some("promela"), None) => self.model(words, lines).map_err(|what| format!("{at}: {what}")),
            (Some("expect"), Some(case)) if !lines.is_empty() => {
                let expected = lines.iter().map(ToString::to_string).collect();
                self.cases.push(Case { expected, line: row + 1, ..case });
                Ok(())
            }
            (Some("promela"), Some(_)) => Err(format!("{at}: the model above has no expectation")),
            (Some("expect"), None) => Err(format!("{at}: an expectation without a model")),
            (Some("expect"), Some(_)) => Err(format!("{at}: an empty expectation")),
            (_, open) => {
                self.open = open;
                Ok(())
            }
        }
    }

    fn model(&mut self, words: &str, lines: &[&str]) -> Result<(), String> {
        let text: String = lines.iter().flat_map(|line| [*line, "\n"]).collect();
        if let Some(name) = words.strip_prefix("promela file=") {
            self.beside.push((name.to_string(), text));
            return Ok(());
        }
        let mut case =
            Case { file: self.file.to_string(), heading: self.heading.clone(), model: text, ..Case::default() };
        for word in words.split_whitespace().skip(1) {
            match (word, word.strip_prefix("-D")) {
                ("pv", _) => case.pv = true,
                ("fair", _) => case.fairness = Fairness::Weak,
                ("strongly-fair", _) => case.fairness = Fairness::Strong,
                ("progress", _) => case.progress = true,
                ("spin-differs", _) => case.spin_differs = true,
                (_, Some(define)) => {
                    let (name, value) = define.split_once('=').unwrap_or((define, "1"));
                    case.defines.push((name.to_string(), value.to_string()));
                }
                _ => return Err(format!("`{word}` is not an option")),
            }
        }
        case.beside = std::mem::take(&mut self.beside);
        self.open = Some(case);
        Ok(())
    }
}

/// The files that stand beside a model.
struct Beside<'a>(&'a [(String, String)]);

impl Loader for Beside<'_> {
    fn load(&mut self, path: &Path) -> Result<String, LoadError> {
        let file = self.0.iter().find(|(name, _)| path.file_name().is_some_and(|it| it == name.as_str()));
        file.map(|it| it.1.clone()).ok_or(LoadError::NotFound)
    }
}

impl Case {
    /// The model with its macros written out, for those who take only a text.
    pub fn text(&self) -> String {
        let defines = self.defines.iter().map(|(name, value)| format!("#define {name} {value}\n"));
        defines.chain([self.model.clone()]).collect()
    }

    /// Everything the checker says about the model.
    pub fn run(&self) -> Vec<String> {
        let (Compiled { model, diagnostics, .. }, sources) = self.compiled();
        let mut said: Vec<String> = diagnostics.iter().map(|it| complaint(it, &sources)).collect();
        if let Some(model) = model.filter(|_| !diagnostics.iter().any(Diagnostic::is_error)) {
            said.extend(safety_in_all_orders(&model, &sources));
            said.extend(self.temporal_in_all_ways(&model, &sources));
        }
        said
    }

    fn compiled(&self) -> (Compiled, Sources) {
        let mut options = front_promela::Options::default();
        options.preprocess.defines.clone_from(&self.defines);
        options.dialect = if self.pv { Dialect::Pv } else { Dialect::default() };
        let mut sources = Sources::default();
        let root = sources.add(NAME, self.model.as_str());
        let compiled = compile(&mut sources, root, &options, &mut Beside(&self.beside));
        (compiled, sources)
    }

    /// Its model and texts, unless it is rejected.
    pub fn accepted(&self) -> Option<(Model, Sources)> {
        let (Compiled { model, diagnostics, .. }, sources) = self.compiled();
        model.filter(|_| !diagnostics.iter().any(Diagnostic::is_error)).map(|it| (it, sources))
    }

    /// What is asked about whole executions.
    pub fn asked(&self) -> Asked {
        Asked { fairness: self.fairness, progress: self.progress, budget: Budget::default() }
    }

    fn temporal_in_all_ways(&self, model: &Model, sources: &Sources) -> Vec<String> {
        let (said, contradictions) = temporal::compare_ways(model, sources, self.asked());
        let lines = said.iter().map(|(name, said)| format!("{name} {said}"));
        contradictions.iter().map(|it| format!("contradiction: {it}")).chain(lines).collect()
    }

    /// Whether that is what was expected.
    pub fn accepts(&self, got: &[String]) -> bool {
        self.expected.len() == got.len() && self.expected.iter().zip(got).all(|it| fits(it.0, it.1))
    }

    /// What to tell the reader if it is not.
    pub fn complaint(&self, got: &[String]) -> Option<String> {
        if self.accepts(got) {
            return None;
        }
        let Case { file, heading, model, expected, line, .. } = self;
        let (expected, got) = (expected.join("\n  "), got.join("\n  "));
        Some(format!("{file}:{line}: {heading}\n\n{model}\nexpected:\n  {expected}\ngot:\n  {got}\n"))
    }
}

/// Whether an expectation, possibly shortened, describes an answer.
fn fits(expected: &str, got: &str) -> bool {
    let (Some((verdict, wanted)), Some((given, parts))) = (expected.split_once(": "), got.split_once(": ")) else {
        return expected == got;
    };
    let parts: Vec<&str> = parts.split(", ").collect();
    verdict == given && wanted.split(", ").all(|it| parts.contains(&it))
}

/// The part of an answer that does not depend on the order of the search.
fn verdict(answer: &str) -> &str {
    if answer.starts_with("violated") { "violated" } else { answer }
}

fn complaint(it: &Diagnostic, sources: &Sources) -> String {
    let mut line = format!("{}: {}", if it.is_error() { "rejected" } else { "warning" }, it.code);
    if let Some(span) = it.span {
        let place = sources.place(span);
        let file = if place.file == NAME { String::new() } else { format!("{} ", place.file) };
        line += &format!(" at {file}{}:{}", place.line, place.column);
    }
    line
}

/// What is said of safety, nearest states first; more if newest first says something else.
fn safety_in_all_orders(model: &Model, sources: &Sources) -> Vec<String> {
    let ask = |search| {
        let question = Question { search, ..Question::default() };
        // Counts are those of the plain semantics.
        let options =
            Options { question, optimize: Vec::new(), only: vec!["safety".to_string()], ..Options::default() };
        let report = check_model(model, NAME, sources, &options, Duration::ZERO, &mut ());
        safety(&report.expect("every model has this property").results[0])
    };
    let (nearest_first, newest_first) = (ask(Search::Breadth), ask(Search::Depth));
    let differs = (verdict(&nearest_first) != verdict(&newest_first)).then(|| format!("depth first: {newest_first}"));
    differs.into_iter().chain([nearest_first]).collect()
}

fn safety(it: &Outcome) -> String {
    let (states, transitions) = (it.effort.statistics.states, it.effort.statistics.transitions);
    let Some(violation) = it.violations.first() else {
        let verdict = if it.complete { "holds" } else { "unknown" };
        return format!("{verdict}: {states} states, {transitions} transitions");
    };
    let steps = format!("after {} step{}", violation.length, if violation.length == 1 { "" } else { "s" });
    let line = violation.place.as_ref().map(|place| format!("line {}", place.line));
    let process = violation.process.as_deref().map(|it| it.split('(').next().unwrap_or(it));
    let parts = match (violation.kind, process, line) {
        ("invalid-end-state", Some(process), Some(line)) => {
            vec!["invalid end state".to_string(), format!("process {process} at {line}"), steps]
        }
        (kind, _, line) => [kind.to_string(), steps].into_iter().chain(line).collect(),
    };
    format!("violated: {}", parts.join(", "))
}

/// The Markdown files of a folder, in the order of their names.
pub fn files(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    let mut files: Vec<PathBuf> = entries.flatten().map(|it| it.path()).collect();
    files.retain(|it| it.extension().is_some_and(|it| it == "md"));
    files.sort();
    files
}

/// A Markdown text in which the expectations of these cases are what was got.
pub fn blessed(text: &str, answers: &[(&Case, Vec<String>)]) -> String {
    let mut lines: Vec<String> = text.lines().map(ToString::to_string).collect();
    for (case, got) in answers.iter().rev() {
        lines.splice(case.line..case.line + case.expected.len(), got.iter().cloned());
    }
    lines.join("\n") + "\n"
}

#[cfg(test)]
mod tests {
    use super::*;

    fn document(words: &str, expected: &str) -> String {
        format!(
            "# A topic\n\nProse.\n\n```promela{words}\nbyte x;\nactive proctype P() {{ x = N; assert(x == 1) }}\n```\n\n\
             ```expect\n{expected}\n```\n\nMore prose.\n"
        )
    }

    fn only(text: &str) -> Case {
        let mut cases = cases("topic.md", text).unwrap();
        assert_eq!(cases.len(), 1);
        cases.remove(0)
    }

    #[test]
    fn a_case_that_is_right_is_accepted() {
        let case = only(&document(" -DN=1", "holds: 4 states, 4 transitions"));
        assert_eq!(case.complaint(&case.run()), None);
        let case = only(&document(" -DN=2", "violated: assertion, after 2 steps, line 2"));
        assert_eq!(case.complaint(&case.run()), None);
        let case = only(&document("", "rejected: unknown-name at 2:27"));
        assert_eq!(case.complaint(&case.run()), None);
    }

    #[test]
    fn a_wrong_expectation_is_reported_with_all_there_is_to_know() {
        for wrong in [
            "holds: 5 states, 4 transitions",
            "holds: 4 states, 5 transitions",
            "violated: assertion, after 2 steps, line 2",
            "rejected: unknown-name at 2:27",
            "holds: 4 states, 4 transitions\nwarning: number-overflow at 1:1",
            "holds",
        ] {
            let case = only(&document(" -DN=1", wrong));
            let complaint = case.complaint(&case.run()).unwrap_or_else(|| panic!("accepted: {wrong}"));
            let shown =
                ["topic.md", "A topic", "byte x;", wrong.lines().next().unwrap(), "holds: 4 states, 4 transitions"];
            assert!(shown.iter().all(|it| complaint.contains(it)), "{complaint}");
        }
        for wrong in ["violated: assertion, after 3 steps", "violated: array-index", "violated: assertion, line 1"] {
            let case = only(&document(" -DN=2", wrong));
            assert!(case.complaint(&case.run()).is_some(), "accepted: {wrong}");
        }
    }

    #[test]
    fn what_is_not_mentioned_is_not_compared() {
        let case = only(&document(" -DN=2", "violated: assertion"));
        assert_eq!(case.complaint(&case.run()), None);
    }

    #[test]
    fn nothing_is_skipped_silently() {
        let model = "```promela\nbyte x;\n```\n";
        let expectation = "```expect\nholds: 1 states, 1 transitions\n```\n";
        for wrong in [
            model.to_string(),
            expectation.to_string(),
            format!("{model}\n## Next\n{expectation}"),
            format!("{model}{model}{expectation}"),
            format!("{model}```expect\n```\n"),
            "```promela fast\n```\n```expect\nholds\n```\n".to_string(),
            "```promela\nbyte x;\n".to_string(),
            "```promela file=x.h\nbyte x;\n```\n".to_string(),
        ] {
            assert!(cases("topic.md", &wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn blessing_changes_expectations_and_nothing_else() {
        let wrong = document(" -DN=1", "rejected: two-inits\nrejected: two-traces");
        let case = only(&wrong);
        let got = case.run();
        assert_eq!(blessed(&wrong, &[(&case, got)]), document(" -DN=1", "holds: 4 states, 4 transitions"));
    }

    #[test]
    fn files_beside_a_model_can_be_included() {
        let header = "# A topic\n\n```promela file=limits.h\n#define N 1\n```\n";
        let text = document("", "holds: 4 states, 4 transitions").replace("byte x;", "#include \"limits.h\"\nbyte x;");
        let case = only(&text.replace("# A topic\n", header));
        assert_eq!(case.complaint(&case.run()), None);
    }
}
