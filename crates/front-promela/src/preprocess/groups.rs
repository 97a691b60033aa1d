//! Conditional groups: `#if … #elif … #else … #endif`.
//!
//! At most one branch of a group is read. The others are skipped line by line:
//! only comments and the first word behind a `#` matter there, so that prose with
//! apostrophes is no error, and groups inside are merely counted.
use text::{Diagnostic, Span};

use super::conditions;
use super::expand::Expander;
use super::files::Files;
use super::macros::macro_name;
use super::words::RawWord;

/// A group that has not ended.
pub(super) struct Group {
    /// The place of its `#if`.
    opening: Span,
    /// Whether a branch has been read.
    done: bool,
    /// The place of its `#else`.
    other: Option<Span>,
}

impl Group {
    /// What to say when the file ends first.
    pub fn unterminated(&self) -> Diagnostic {
        let message = "this conditional group does not end in its file";
        Diagnostic::error("unterminated-if", self.opening, message).help("close it with `#endif`")
    }
}

impl Files<'_> {
    /// `#if`, `#ifdef` or `#ifndef`, which stands at `place`.
    pub(super) fn open_group(&mut self, directive: &str, place: Span, expander: &mut Expander) {
        let holds = self.condition(directive, place, expander);
        self.current().groups.push(Group { opening: place, done: holds, other: None });
        if !holds {
            self.skip_branches(expander);
        }
    }

    /// `#elif`, `#else` or `#endif` behind a branch that was read.
    pub(super) fn next_branch(&mut self, directive: &str, place: Span, expander: &mut Expander) {
        if self.current().groups.is_empty() {
            let message = format!("`#{directive}` stands behind no `#if`");
            expander.report(Diagnostic::error("unmatched-directive", place, message));
            self.current().scanner.skip_line(&mut expander.diagnostics);
        } else if !self.reads_behind(directive, place, expander) {
            self.skip_branches(expander);
        }
    }

    /// Skips branches until one is to be read or the group ends.
    fn skip_branches(&mut self, expander: &mut Expander) {
        let mut inside = 0_usize;
        while let Some((name, place)) = self.current().scanner.skip_to_directive(&mut expander.diagnostics) {
            match name.as_str() {
                "if" | "ifdef" | "ifndef" => inside += 1,
                "endif" if inside > 0 => inside -= 1,
                "endif" | "else" | "elif" | "elifdef" | "elifndef" if inside == 0 => {
                    if self.reads_behind(&name, place, expander) {
                        return;
                    }
                    continue;
                }
                _ => {}
            }
            self.current().scanner.skip_line(&mut expander.diagnostics);
        }
    }

    /// Takes in a directive of the innermost group: whether what stands behind it is to be read.
    fn reads_behind(&mut self, directive: &str, place: Span, expander: &mut Expander) -> bool {
        let Some(group) = self.current().groups.last_mut() else { return true };
        group.check_order(directive, place, expander);
        let done = group.done;
        let holds = match directive {
            "elif" | "elifdef" | "elifndef" if !done => self.condition(directive, place, expander),
            _ => {
                self.current().scanner.skip_line(&mut expander.diagnostics);
                !done || directive == "endif"
            }
        };
        if directive == "endif" {
            self.current().groups.pop();
        } else if let Some(group) = self.current().groups.last_mut() {
            group.done |= holds;
        }
        holds
    }

    /// Reads what stands behind `directive` and decides it; what is wrong counts as false.
    fn condition(&mut self, directive: &str, place: Span, expander: &mut Expander) -> bool {
        let flaws = expander.diagnostics.len();
        let words = self.current().scanner.line(&mut expander.diagnostics);
        let is_macro = |expander: &Expander| {
            let (name, _) = macro_name(&words, &format!("#{directive}"), place)?;
            Ok(expander.macros.has(&name))
        };
        let decided = match directive {
            "ifdef" | "elifdef" => is_macro(expander),
            "ifndef" | "elifndef" => is_macro(expander).map(|it| !it),
            _ => expression(words, place, flaws, expander),
        };
        decided.unwrap_or_else(|error| {
            expander.report(error);
            false
        })
    }
}

/// Decides the expression behind the directive at `place`, unless there are more flaws than before.
fn expression(words: Vec<RawWord>, place: Span, flaws: usize, expander: &mut Expander) -> Result<bool, Diagnostic> {
    let whole = words.last().map_or(place, |last| words[0].span.to(last.span));
    let words = expander.expand_condition(words);
    if expander.diagnostics.len() > flaws { Ok(false) } else { conditions::holds(&words, whole) }
}

impl Group {
    /// Nothing but `#endif` may follow `#else`.
    fn check_order(&mut self, directive: &str, place: Span, expander: &mut Expander) {
        match self.other {
            Some(other) if directive != "endif" => {
                let message = format!("`#{directive}` stands behind the `#else` of its group");
                expander.report(Diagnostic::error("unmatched-directive", place, message).note(other, "the `#else`"));
            }
            None if directive == "else" => self.other = Some(place),
            _ => {}
        }
    }
}
