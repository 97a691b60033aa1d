//! Properties that are not in the model: formulas, never claims and automata that somebody adds to it.
//!
//! Each becomes a text that is read after the model, so that it sees the model's macros and names, and what is wrong with it
//! is shown where it stands. An automaton becomes the never claim that accepts the same executions.
use std::path::{Path, PathBuf};

use front_promela::preprocess::Further;
use ltl::hoa::Problem;
use text::{Diagnostic, FileId, Sources, Span};

use crate::load;

/// A property that is not in the model.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Extra {
    /// What every execution must be like: `FORMULA` or `name: FORMULA`.
    Formula(String),
    /// What the initial state must be like in branching time: `FORMULA` or `name: FORMULA`.
    Branching(String),
    /// A condition that is true again and again on the paths that branching formulas speak about.
    Fairness(String),
    /// A file with a never claim, or with an automaton of the executions that must not be in the Hanoi format.
    Claim(PathBuf),
}

/// The texts of all of them, or what is wrong.
pub fn texts(extras: &[Extra], sources: &mut Sources) -> Result<Vec<Further>, Diagnostic> {
    let mut unnamed = 0;
    let mut list = Vec::new();
    for extra in extras {
        list.push(match extra {
            Extra::Formula(text) => formula("ltl", text, &mut unnamed),
            Extra::Branching(text) => formula("ctl", text, &mut unnamed),
            Extra::Fairness(text) => block("fairness", "fairness", text.trim()),
            Extra::Claim(file) => claim(file, sources)?,
        });
    }
    Ok(list)
}

/// Formulas without a name are `formula`, `formula_2` …
fn formula(word: &str, text: &str, unnamed: &mut u32) -> Further {
    let (name, formula) = named(text).unwrap_or_else(|| {
        *unnamed += 1;
        (if *unnamed == 1 { "formula".into() } else { format!("formula_{unnamed}") }, text.trim())
    });
    block(word, &format!("{word} {name}"), formula)
}

/// What an option says, as it would stand in a model.
fn block(option: &str, heading: &str, text: &str) -> Further {
    // A comment may hide what follows it in its line.
    let end = if text.contains("//") { "\n}" } else { " }" };
    Further { name: format!("<--{option}>"), text: format!("{heading} {{ {text}{end}\n") }
}

/// `name: formula`, with a blank after the colon, which the `P:x` of another process's variable does not have.
fn named(text: &str) -> Option<(String, &str)> {
    let (name, formula) = text.split_once(':')?;
    let name = name.trim();
    let is_named = is_name(name) && formula.starts_with(char::is_whitespace);
    is_named.then(|| (name.into(), formula.trim()))
}

fn is_name(text: &str) -> bool {
    let mut letters = text.chars();
    letters.next().is_some_and(|it| it.is_ascii_alphabetic() || it == '_')
        && letters.all(|it| it.is_ascii_alphanumeric() || it == '_')
}

fn read(file: &Path) -> Result<String, Diagnostic> {
    let text = load::bytes(file).and_then(|it| load::decode(&it));
    text.map_err(|error| load::explain(&file.display().to_string(), &error))
}

/// What is in a file. An automaton is known by its first word.
fn claim(file: &Path, sources: &mut Sources) -> Result<Further, Diagnostic> {
    let text = read(file)?;
    match text.trim_start().starts_with("HOA:") {
        true => automaton(file, &text, sources),
        false => Ok(Further { name: file.display().to_string(), text }),
    }
}

/// An automaton as a never claim that has the automaton's name, or that of its file.
fn automaton(file: &Path, text: &str, sources: &mut Sources) -> Result<Further, Diagnostic> {
    let document = ltl::hoa::read(text).map_err(|problem| {
        let file = sources.add(file.display().to_string(), text);
        misread(&problem, text, file)
    })?;
    let stem = file.file_stem().map(|it| it.to_string_lossy().replace(['-', '.', ' '], "_"));
    let name = document.title.filter(|it| is_name(it)).or(stem).filter(|it| is_name(it));
    let claim = ltl::never::claim(&document.automaton, &document.names);
    let text = claim.replacen("never", &format!("never {}", name.as_deref().unwrap_or("automaton")), 1);
    Ok(Further { name: format!("<{} as a never claim>", file.display()), text })
}

/// What is wrong with an automaton, where it stands.
fn misread(problem: &Problem, text: &str, file: FileId) -> Diagnostic {
    let line = text.split_inclusive('\n').take(problem.line.saturating_sub(1)).map(str::len).sum::<usize>();
    let rest = text[line..].char_indices().nth(problem.column.saturating_sub(1)).map_or(text.len() - line, |it| it.0);
    let start = (line + rest) as u32;
    let end = (start + 1).min(text.len() as u32).max(start);
    Diagnostic::error("automaton", Span { file, start, end }, problem.message.clone())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(given: &[&str], expected: &[&str]) {
        let extras: Vec<Extra> = given.iter().map(|it| Extra::Formula(it.to_string())).collect();
        let texts = texts(&extras, &mut Sources::default()).expect("texts");
        assert_eq!(texts.iter().map(|it| it.text.trim_end()).collect::<Vec<_>>(), expected);
    }

    #[test]
    fn a_formula_has_the_name_before_its_colon_or_one_by_number() {
        check(
            &["[] p", "late: <> p", "<> q"],
            &["ltl formula { [] p }", "ltl late { <> p }", "ltl formula_2 { <> q }"],
        );
    }

    #[test]
    fn the_variable_of_another_process_is_not_a_name() {
        check(&["P:x == 1", "P[1]: x"], &["ltl formula { P:x == 1 }", "ltl formula_2 { P[1]: x }"]);
    }

    #[test]
    fn a_comment_does_not_hide_the_brace() {
        check(&["[] p // always"], &["ltl formula { [] p // always\n}"]);
    }
}
