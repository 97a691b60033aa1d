//! Text in, text out.
//!
//! A test gives a model and says what comes back: the tree as text, then the complaints, each as
//! `code at 'words': message`, its notes and its help below it.
mod accepted;
mod broken;
mod corpus;
mod ctl;
mod expressions;
mod inlines;
mod limits;
mod pv;

use std::fmt::Write;

use text::{Diagnostic, Sources};

use super::{Dialect, Parsed, parse};
use crate::preprocess::{LoadError, Loader, Options};
use crate::token::Token;
use crate::{lex, print};

/// There are no files to include.
pub(super) struct Nothing;

impl Loader for Nothing {
    fn load(&mut self, _: &std::path::Path) -> Result<String, LoadError> {
        Err(LoadError::NotFound)
    }
}

/// The words of a text, and the text's place.
pub(crate) fn words(text: &str) -> (Sources, Vec<Token>, Vec<Diagnostic>) {
    let mut sources = Sources::default();
    let root = sources.add("model", text);
    let (words, complaints) = lex::read(&mut sources, root, &Options::default(), &mut Nothing);
    (sources, words, complaints)
}

/// Reads a text.
pub(crate) fn read(text: &str, dialect: Dialect) -> Parsed {
    parse(&words(text).1, dialect)
}

/// Complaints as text.
fn complaints(sources: &Sources, list: &[Diagnostic]) -> String {
    let mut text = String::new();
    for it in list {
        let place = sources.slice(it.span.unwrap_or_default());
        let _ = writeln!(text, "{} at '{place}': {}", it.code, it.message);
        for (span, phrase) in &it.notes {
            let _ = writeln!(text, "  '{}': {phrase}", sources.slice(*span));
        }
        let _ = it.help.iter().try_for_each(|help| writeln!(text, "  help: {help}"));
    }
    text
}

/// A model is understood, and this is it.
#[track_caller]
fn accepts(text: &str, expected: &str) {
    let (sources, words, _) = words(text);
    let parsed = parse(&words, Dialect::Spin);
    assert_eq!(complaints(&sources, &parsed.diagnostics), "", "complaints about {text}");
    assert_eq!(print::tree(&parsed.tree), expected);
}

/// The body of a process is understood, and this is it.
#[track_caller]
fn accepts_body(body: &str, expected: &str) {
    let expected: String = expected.lines().map(|line| format!("    {line}\n")).collect();
    accepts(&format!("init {{ {body} }}"), &format!("init {{\n{expected}}}\n"));
}

/// These are the complaints about a model.
#[track_caller]
fn complains(text: &str, expected: &str) {
    let (sources, words, _) = words(text);
    let parsed = parse(&words, Dialect::Spin);
    assert_eq!(complaints(&sources, &parsed.diagnostics), expected);
}

/// These are the complaints about the body of a process.
#[track_caller]
fn complains_in_body(body: &str, expected: &str) {
    complains(&format!("init {{ {body} }}"), expected);
}
