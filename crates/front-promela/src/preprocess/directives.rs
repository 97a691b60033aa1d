//! Directives: lines that start with `#`.
//!
//! One function for each. All leave their line behind and go on after an error.
//! Line markers (`# 12 "file"`, `#line`) are not followed, because a place here
//! is always a place in the text that was read.
use text::{Diagnostic, Span, closest};

use super::expand::Expander;
use super::files::{Files, Wanted};
use super::macros::{Macro, macro_name};
use super::scan::Step;
use super::words::{RawWord, WordKind, join};
use crate::token::Punct;

/// For "did you mean".
const KNOWN: [&str; 18] = [
    "define", "undef", "include", "if", "ifdef", "ifndef", "elif", "elifdef", "elifndef", "else", "endif", "error",
    "warning", "pragma", "line", "ident", "sccs", "assert",
];

impl Files<'_> {
    /// Obeys the directive whose `#` stands at `hash`.
    pub(super) fn directive(&mut self, expander: &mut Expander, hash: Span) {
        let (name, place) = match self.current().scanner.next(&mut expander.diagnostics) {
            Step::Word(RawWord { kind: WordKind::Name(name), span, .. }) => (name, hash.to(span)),
            Step::Word(RawWord { kind: WordKind::Number(_), .. }) => return self.ignore(expander),
            Step::Word(word) => return self.unknown(&word.spelling(), hash.to(word.span), expander),
            Step::Newline | Step::End => return,
        };
        match &*name {
            "define" => self.define(place, expander),
            "undef" => self.undefine(place, expander),
            "include" => self.include_line(place, expander),
            "if" | "ifdef" | "ifndef" => self.open_group(&name, place, expander),
            "elif" | "elifdef" | "elifndef" | "else" | "endif" => self.next_branch(&name, place, expander),
            "error" => self.message(place, expander, Diagnostic::error, "error-directive"),
            "warning" => self.message(place, expander, Diagnostic::warning, "warning-directive"),
            "pragma" => self.pragma(expander),
            "line" | "ident" | "sccs" | "assert" | "unassert" => self.ignore(expander),
            _ => self.unknown(&name, place, expander),
        }
    }

    fn ignore(&mut self, expander: &mut Expander) {
        self.current().scanner.skip_line(&mut expander.diagnostics);
    }

    fn unknown(&mut self, name: &str, place: Span, expander: &mut Expander) {
        let error = Diagnostic::error("unknown-directive", place, format!("there is no directive `#{name}`"));
        expander.report(match closest(name, KNOWN) {
            Some(known) => error.help(format!("did you mean `#{known}`?")),
            None => error,
        });
        self.ignore(expander);
    }

    fn define(&mut self, place: Span, expander: &mut Expander) {
        let words = self.current().scanner.line(&mut expander.diagnostics);
        let definition = match Macro::parse(&words, place) {
            Ok(definition) => definition,
            Err(error) => return expander.report(error),
        };
        let (name, place) = (definition.name.clone(), definition.place);
        if let Some(before) = expander.macros.define(definition) {
            let warning = Diagnostic::warning("macro-redefined", place, format!("macro `{name}` gets another meaning"));
            let warning = if before.is_built_in() { warning } else { warning.note(before.place, "its meaning so far") };
            expander.report(warning.help(format!("write `#undef {name}` first if that is meant")));
        }
    }

    fn undefine(&mut self, place: Span, expander: &mut Expander) {
        let words = self.current().scanner.line(&mut expander.diagnostics);
        match macro_name(&words, "#undef", place) {
            Ok((name, _)) => expander.macros.undefine(&name),
            Err(error) => expander.report(error),
        }
    }

    /// `#error` and `#warning`: the message is the rest of the line.
    fn message(
        &mut self,
        place: Span,
        expander: &mut Expander,
        diagnostic: fn(&'static str, Span, String) -> Diagnostic,
        code: &'static str,
    ) {
        let text = self.current().scanner.rest_of_line().to_string();
        let text = if text.is_empty() { "no reason is given".to_string() } else { text };
        expander.report(diagnostic(code, place, text));
        self.ignore(expander);
    }

    /// Only `#pragma once` has a meaning.
    fn pragma(&mut self, expander: &mut Expander) {
        if self.current().scanner.rest_of_line() == "once" {
            let id = self.current().id;
            self.once.insert(id);
        }
        self.ignore(expander);
    }

    /// `#include "file"`, `#include <file>`, or a macro that stands for one of them.
    fn include_line(&mut self, place: Span, expander: &mut Expander) {
        let words = self.current().scanner.line(&mut expander.diagnostics);
        let written = file_name(&words, place);
        let wanted = written.or_else(|| {
            let expanded = expander.expand(words);
            file_name(&expanded, place)
        });
        match wanted {
            Some(wanted) => self.include(&wanted, expander),
            None => {
                let error = Diagnostic::error("bad-include", place, "`#include` needs the name of a file");
                expander.report(error.help("write `#include \"file\"`"));
            }
        }
    }
}

/// The file that the words name, if they do; `directive` is the place of `#include`.
fn file_name(words: &[RawWord], directive: Span) -> Option<Wanted> {
    let first = words.first()?;
    if let WordKind::Text(name) = &first.kind {
        return Some(Wanted { name: name.to_string(), place: directive.to(first.span) });
    }
    let close = words.iter().position(|word| word.is(Punct::Gt)).filter(|_| first.is(Punct::Lt))?;
    Some(Wanted { name: join(&words[1..close]), place: directive.to(words[close].span) })
}
