//! Names that change how words are read.
//!
//! `P : x` is a variable of process `P` if `P` is a process type, and a labelled statement otherwise;
//! `f (x)` is a use of an inline. Both must be declared before. Formulas are read as if they stood at
//! the end of the text. What is declared later is known too, for better messages.
use std::collections::{HashMap, HashSet};
use std::rc::Rc;

use text::Span;

use super::Parser;
use super::inline::Definition;
use super::words::{keyword_of, name_of};
use crate::token::{Keyword, Name, Token};

/// Names declared so far, and later.
#[derive(Default)]
pub(super) struct Known {
    /// Inlines so far.
    pub(super) inlines: HashMap<Name, Rc<Definition>>,
    /// Types so far.
    pub(super) types: HashSet<Name>,
    /// Process types so far.
    pub(super) processes: HashSet<Name>,
    /// All inlines of the text.
    pub(super) all_inlines: HashMap<Name, Span>,
    /// All process types of the text.
    pub(super) all_processes: HashMap<Name, Span>,
}

impl Known {
    /// Collects what the whole text declares.
    pub(super) fn scan(words: &[Token]) -> Self {
        let mut known = Known::default();
        for pair in words.windows(2) {
            let Some(name) = name_of(&pair[1].kind) else { continue };
            match keyword_of(&pair[0].kind) {
                Some(Keyword::Inline) => known.all_inlines.insert(name.clone(), pair[1].span),
                Some(Keyword::Proctype | Keyword::DProctype) => known.all_processes.insert(name.clone(), pair[1].span),
                _ => None,
            };
        }
        known
    }
}

impl Parser<'_> {
    /// Whether a name is that of a process type.
    pub(super) fn is_process(&self, name: &Name) -> bool {
        self.known.processes.contains(name) || (self.in_formula && self.known.all_processes.contains_key(name))
    }
}
