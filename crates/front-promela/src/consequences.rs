//! What complaints of one stage mean for those of the next.
//!
//! Where words are wrong or missing, the grammar is wrong too, and saying so would only hide what
//! happened. What macros wrote is known to the first stages only, so where it stands is added here to
//! what the last one says.
use std::collections::{HashMap, HashSet};

use text::{Diagnostic, FileId, Sources, Span};

use crate::token::{Kind, Name, Token};

/// The complaints about the grammar that do not follow from those about words.
pub(crate) fn remove(grammar: Vec<Diagnostic>, words: &[Diagnostic], sources: &Sources) -> Vec<Diagnostic> {
    let causes = Causes::new(words, sources);
    grammar.into_iter().filter(|it| !causes.explain(it, sources)).collect()
}

/// What is wrong with the words.
#[derive(Default)]
struct Causes {
    /// Lines about which there is a complaint already.
    lines: HashSet<(FileId, usize)>,
    /// An unknown part of the text is missing.
    everywhere: bool,
    /// Words up to the end are missing.
    end: bool,
    /// Definitions are missing.
    definitions: bool,
}

impl Causes {
    fn new(words: &[Diagnostic], sources: &Sources) -> Self {
        let mut causes = Causes::default();
        for it in words.iter().filter(|it| it.is_error()) {
            let unterminated = it.code.starts_with("unterminated");
            causes.everywhere |= it.code == "expansion-limit";
            causes.definitions |= it.code.ends_with("-include");
            causes.end |= unterminated;
            if let Some(span) = it.span {
                let line = line(span, sources);
                causes.lines.extend([(span.file, line), (span.file, line + usize::from(unterminated))]);
            }
        }
        causes
    }

    fn explain(&self, it: &Diagnostic, sources: &Sources) -> bool {
        let Some(span) = it.span else { return self.everywhere };
        let at_end = || sources.file(span.file).text[span.start as usize..].trim_start().is_empty();
        self.everywhere
            || self.lines.contains(&(span.file, line(span, sources)))
            || self.definitions && it.code == "unknown-inline"
            || self.end && at_end()
    }
}

fn line(span: Span, sources: &Sources) -> usize {
    sources.file(span.file).line_index(span.start)
}

/// Adds where in a macro the name stands that something is said of.
pub(crate) fn point_into_macros(diagnostics: &mut [Diagnostic], words: &[Token]) {
    if diagnostics.is_empty() {
        return;
    }
    let from_macro = |it: &Token| match (&it.kind, it.origin) {
        (Kind::Name(name), Some(origin)) => Some(((it.span, name.clone()), origin)),
        _ => None,
    };
    let origins: HashMap<(Span, Name), Span> = words.iter().filter_map(from_macro).collect();
    for it in diagnostics {
        let Some(span) = it.span else { continue };
        let mut named = it.message.split('`').skip(1).step_by(2);
        let origin = named.find_map(|name| origins.get(&(span, name.into()))).copied();
        it.notes.extend(origin.map(|origin| (origin, "in this macro".to_string())));
    }
}
