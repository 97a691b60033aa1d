//! Properties that are not in the model: formulas, never claims and automata that somebody adds to it.
//!
//! Each becomes a text that is read after the model, so that it sees the model's macros and names, and what is wrong with it
//! is shown where it stands. An automaton becomes the never claim that accepts the same executions.
use std::path::{Path, PathBuf};

use front_promela::preprocess::Further;
use ltl::hoa::Problem;
use text::{Diagnostic, FileId, Sources, Span};

use crate::formula::spin_reads_differently;
use crate::load;

/// A property that is not in the model.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Extra {
    /// What every execution must be like: `FORMULA` or `name: FORMULA`.
    Formula(String),
    /// A file with such a formula, or with `ltl` blocks.
    FormulaFile(PathBuf),
    /// What the initial state must be like in branching time: `FORMULA` or `name: FORMULA`.
    Branching(String),
    /// A condition that is true again and again on the paths that branching formulas speak about.
    Fairness(String),
    /// A file with a never claim, or with an automaton of the executions that must not be in the Hanoi format.
    Claim(PathBuf),
}

/// The texts of all of them, and what else there is to say; or what is wrong.
pub fn texts(extras: &[Extra], sources: &mut Sources) -> Result<(Vec<Further>, Vec<Diagnostic>), Diagnostic> {
    let (mut list, mut warnings, mut unnamed) = (Vec::new(), Vec::new(), 0);
    for extra in extras {
        list.push(match extra {
            Extra::Formula(text) => {
                warnings.extend(spin_reads_differently(sources, "<--ltl>", named(text).map_or(text, |it| it.1)));
                formula("ltl", text, &mut unnamed)
            }
            Extra::FormulaFile(file) => {
                let text = read(file)?;
                let name = file.display().to_string();
                warnings.extend(spin_reads_differently(sources, &name, named(&text).map_or(&*text, |it| it.1)));
                formula_file(file, text)
            }
            Extra::Branching(text) => formula("ctl", text, &mut unnamed),
            Extra::Fairness(text) => further("<--fairness>", "fairness", text.trim()),
            Extra::Claim(file) => claim(file, sources)?,
        });
    }
    Ok((list, warnings))
}

/// Whether what stands there was added to the model.
pub fn is_added(extras: &[Extra], sources: &Sources, place: Span) -> bool {
    let name = sources.files().nth(place.file.0 as usize).map_or("", |it| &it.name);
    let is_it = |it: &Extra| matches!(it, Extra::Claim(file) if file.display().to_string() == name);
    name.starts_with('<') || extras.iter().any(is_it)
}

/// The formulas of branching time, for a language in which nothing else can be added; what else was asked for is refused.
pub fn stated(extras: &[Extra], sources: &mut Sources) -> (Vec<front_gcl::Stated>, Vec<Diagnostic>) {
    let (mut list, mut wrong) = (Vec::new(), Vec::new());
    for extra in extras {
        let Extra::Branching(text) = extra else {
            let message = "a model of guarded commands can only be asked for branching time, with `--ctl`";
            wrong.push(Diagnostic::global("not-for-this-language", message));
            continue;
        };
        let unnamed =
            format!("formula{}", if list.is_empty() { String::new() } else { format!("_{}", list.len() + 1) });
        let (name, formula) = named(text).unwrap_or((unnamed, text.trim()));
        let file = sources.add("<--ctl>", formula);
        let span = Span { file, start: 0, end: formula.len() as u32 };
        list.push(front_gcl::Stated { name, span });
    }
    (list, wrong)
}

/// Formulas without a name are `formula`, `formula_2` …
fn formula(word: &str, text: &str, unnamed: &mut u32) -> Further {
    let (name, formula) = named(text).unwrap_or_else(|| {
        *unnamed += 1;
        (if *unnamed == 1 { "formula".into() } else { format!("formula_{unnamed}") }, text.trim())
    });
    further(&format!("<--{word}>"), &format!("{word} {name}"), formula)
}

/// A file has blocks, or one formula, whose name is that of the file if it has none.
fn formula_file(file: &Path, text: String) -> Further {
    let has_blocks = text.split(|it: char| !it.is_ascii_alphanumeric() && it != '_').any(|it| it == "ltl");
    let place = file.display().to_string();
    match named(&text) {
        _ if has_blocks => Further { name: place, text },
        Some((name, formula)) => further(&place, &format!("ltl {name}"), formula),
        None => further(&place, &format!("ltl {}", name_of(file).unwrap_or("formula".into())), text.trim()),
    }
}

/// What was said somewhere, as it would stand in a model.
fn further(place: &str, heading: &str, text: &str) -> Further {
    // A comment may hide what follows it in its line.
    let end = if text.contains("//") { "\n}" } else { " }" };
    Further { name: place.into(), text: format!("{heading} {{ {text}{end}\n") }
}

/// The name of a file as the name of a property, if it can be one.
fn name_of(file: &Path) -> Option<String> {
    let stem = file.file_stem().map(|it| it.to_string_lossy().replace(['-', '.', ' '], "_"));
    stem.filter(|it| is_name(it))
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
    let name = document.title.filter(|it| is_name(it)).or_else(|| name_of(file));
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
        let (texts, _) = texts(&extras, &mut Sources::default()).expect("texts");
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
    fn a_file_has_blocks_or_a_formula() {
        let text = |text: &str| formula_file(Path::new("dir/in-time.ltl"), text.into()).text;
        assert_eq!(text("[] p\n"), "ltl in_time { [] p }\n");
        assert_eq!(text("late: [] p\n"), "ltl late { [] p }\n");
        assert_eq!(text("/* two */ ltl a { [] p } ltl b { <> p }"), "/* two */ ltl a { [] p } ltl b { <> p }");
    }

    #[test]
    fn a_formula_that_spin_f_reads_differently_is_said_to_be_so() {
        let warned =
            |text: &str| texts(&[Extra::Formula(text.into())], &mut Sources::default()).expect("texts").1.len();
        assert_eq!(["<> a -> <> b || <> c", "f: <> a -> <> b || <> c", "[] (a && b)"].map(warned), [1, 1, 0]);
    }

    #[test]
    fn a_comment_does_not_hide_the_brace() {
        check(&["[] p // always"], &["ltl formula { [] p // always\n}"]);
    }
}
