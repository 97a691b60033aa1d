//! Uses of macros with arguments.
//!
//! Arguments are separated by the commas that stand in no inner parentheses. Each
//! is expanded on its own, as if it were the whole input, before it goes into the
//! body. Line breaks between the parentheses become blanks; what follows the use
//! then stands on a new line.
use std::rc::Rc;

use text::{Diagnostic, Span};

use super::expand::{Expander, Gap, Reach, Supply};
use super::macros::{Body, Macro, Parameters, Role};
use super::substitute::Argument;
use super::words::{RawWord, WordKind};
use crate::token::Punct;

/// How deep macro uses may stand in arguments of macro uses.
const MOST_NESTING: usize = 200;

/// What stands between the parentheses of a use.
pub(super) struct ArgumentList {
    /// At least one, which may be empty.
    arguments: Vec<Vec<RawWord>>,
    /// The place of the closing parenthesis, if that is no macro's.
    close: Option<Span>,
    /// Whether there are line breaks.
    broken: bool,
}

impl Expander<'_> {
    /// Reads up to the closing parenthesis. `None`, and a report, if there is none.
    pub(super) fn argument_list(
        &mut self,
        parameters: &Parameters,
        name: &RawWord,
        open: &RawWord,
        supply: &mut dyn Supply,
    ) -> Option<ArgumentList> {
        let mut list = ArgumentList { arguments: vec![Vec::new()], close: None, broken: open.starts_line };
        let mut depth = 0_usize;
        while let Some(word) = self.read(supply, Reach::ThisFile) {
            match word.kind {
                WordKind::Punct(Punct::LParen) => depth += 1,
                WordKind::Punct(Punct::RParen) if depth == 0 => return Some(list.closed_by(&word)),
                WordKind::Punct(Punct::RParen) => depth -= 1,
                _ => {}
            }
            list.add(word, depth == 0, parameters);
        }
        self.report_open_list(name);
        None
    }

    fn report_open_list(&mut self, name: &RawWord) {
        let message = format!("the arguments of macro `{}` do not end", name.spelling());
        let error = Diagnostic::error("unterminated-call", name.span, message);
        self.report(error.help("close them with `)`"));
    }

    /// Replaces a use with arguments.
    pub(super) fn call(&mut self, definition: &Rc<Macro>, parameters: &Parameters, name: &RawWord, list: ArgumentList) {
        let close = list.close.filter(|_| name.origin.is_none());
        let place = close.map_or(name.span, |close| name.span.to(close));
        self.check_count(definition, parameters, &list, place);
        let behind = Gap { spaced: false, starts_line: list.broken };
        let mut arguments = Vec::new();
        let given = list.arguments.into_iter().chain(std::iter::repeat_with(Vec::new));
        for (index, raw) in given.take(parameters.names.len()).enumerate() {
            let expanded = if definition.expands(index) { self.expand_argument(&raw, place) } else { Vec::new() };
            arguments.push(Argument { raw, expanded });
        }
        self.enter(definition, name, place, &arguments, behind);
    }

    fn check_count(&mut self, definition: &Macro, parameters: &Parameters, list: &ArgumentList, place: Span) {
        let wanted = parameters.names.len();
        let given =
            if wanted == 0 && list.arguments[0].is_empty() { list.arguments.len() - 1 } else { list.arguments.len() };
        if given == wanted || (parameters.variadic && given + 1 == wanted) {
            return;
        }
        let wanted = wanted - usize::from(parameters.variadic);
        let least = if parameters.variadic { "at least " } else { "" };
        let plural = if wanted == 1 { "" } else { "s" };
        let message = format!("macro `{}` takes {least}{wanted} argument{plural}, not {given}", definition.name);
        let error = Diagnostic::error("argument-count", place, message);
        self.report(error.note(definition.place, "defined here"));
    }

    /// Expands an argument on its own, unless it stands too deep.
    fn expand_argument(&mut self, words: &[RawWord], place: Span) -> Vec<RawWord> {
        if words.iter().all(|word| self.definition(word).is_none()) {
            return words.to_vec();
        }
        if self.nesting == MOST_NESTING {
            self.halt(place, format!("macro uses stand more than {MOST_NESTING} deep in each other"));
            return Vec::new();
        }
        self.nesting += 1;
        let expanded = self.expand(words.to_vec());
        self.nesting -= 1;
        expanded
    }
}

impl ArgumentList {
    /// Adds a word, which may be a comma between two arguments.
    fn add(&mut self, mut word: RawWord, outside: bool, parameters: &Parameters) {
        self.broken |= word.starts_line;
        word.spaced |= std::mem::take(&mut word.starts_line);
        let takes_rest = parameters.variadic && self.arguments.len() == parameters.names.len();
        if outside && word.is(Punct::Comma) && !takes_rest {
            self.arguments.push(Vec::new());
        } else if let Some(last) = self.arguments.last_mut() {
            last.push(word);
        }
    }

    fn closed_by(mut self, word: &RawWord) -> Self {
        self.broken |= word.starts_line;
        self.close = word.origin.is_none().then_some(word.span);
        self
    }
}

impl Macro {
    /// Whether the body wants this argument expanded, and not just as it is written.
    fn expands(&self, index: usize) -> bool {
        let Body::Items(items) = &self.body else { return false };
        items.iter().any(|it| it.role == Role::Argument(index) && !it.joins_left && !it.joins_right)
    }
}
