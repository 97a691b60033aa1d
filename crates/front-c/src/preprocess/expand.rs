//! Replacing macros.
use std::rc::Rc;

use text::{Diagnostic, Span};

use super::{MOST_WORDS, Macro, Preprocessor};
use crate::words::{Kind, Word, words};

impl Preprocessor<'_> {
    /// The next word of the translation unit.
    pub(super) fn next(&mut self) -> Option<Word> {
        loop {
            let word = self.pending.pop().or_else(|| self.raw())?;
            self.produced += 1;
            if self.produced > MOST_WORDS {
                if !self.stopped {
                    self.stopped = true;
                    self.error("too-long", word.span, "macros and headers make this file too long");
                }
                return None;
            }
            if word.kind != Kind::Name || !self.replace(&word) {
                return Some(word);
            }
        }
    }

    /// Replaces a list of words as if it were all there is.
    pub(super) fn expand_all(&mut self, list: Vec<Word>) -> Vec<Word> {
        let kept = std::mem::take(&mut self.pending);
        let files = std::mem::take(&mut self.files);
        self.pending = list.into_iter().rev().collect();
        let mut out = Vec::new();
        while let Some(word) = self.next() {
            out.push(word);
        }
        self.pending = kept;
        self.files = files;
        out
    }

    /// Puts what a macro stands for in front of what is read next. False if the word is no use of a macro.
    fn replace(&mut self, word: &Word) -> bool {
        if let Some(special) = self.special(word) {
            self.pending.push(special);
            return true;
        }
        let Some(definition) = self.macros.get(&word.text).cloned() else { return false };
        if word.hidden.as_ref().is_some_and(|it| it.contains(&word.text)) {
            return false;
        }
        let Some(parameters) = &definition.parameters else {
            let hidden = with(word.hidden.as_deref(), &word.text);
            let body = self.substituted(&definition, &[], &[], word.span);
            self.push_back(body, word, word.span, hidden);
            return true;
        };
        let Some(open) = self.pending.pop().or_else(|| self.raw()) else { return false };
        if !open.is("(") {
            self.pending.push(open);
            return false;
        }
        let Some((arguments, close)) = self.arguments(parameters.len(), definition.variadic) else {
            let error = Diagnostic::error(
                "unterminated-call",
                word.span,
                format!("the arguments of macro `{}` do not end", word.text),
            );
            self.diagnostics.push(error.help("close them with `)`"));
            return true;
        };
        let place = word.span.to(close.span);
        if arguments.len() < parameters.len() && !(definition.variadic || parameters.len() == 1) {
            let message =
                format!("macro `{}` takes {} arguments, not {}", word.text, parameters.len(), arguments.len());
            self.error("argument-count", place, message);
        }
        let common: Vec<Rc<str>> = match (&word.hidden, &close.hidden) {
            (Some(one), Some(two)) => one.iter().filter(|it| two.contains(it)).cloned().collect(),
            _ => Vec::new(),
        };
        let hidden = with(Some(&common), &word.text);
        let body = self.substituted(&definition, parameters, &arguments, place);
        self.push_back(body, word, place, hidden);
        true
    }

    fn special(&mut self, word: &Word) -> Option<Word> {
        let (kind, text) = match &*word.text {
            "__LINE__" => (Kind::Number, self.sources.place(word.span).line.to_string()),
            "__FILE__" => (Kind::String, format!("\"{}\"", self.sources.place(word.span).file)),
            "__COUNTER__" => {
                self.counter += 1;
                (Kind::Number, (self.counter - 1).to_string())
            }
            _ => return None,
        };
        Some(Word { kind, text: text.into(), ..word.clone() })
    }

    fn push_back(&mut self, body: Vec<Word>, word: &Word, place: Span, hidden: Rc<Vec<Rc<str>>>) {
        let count = body.len();
        for (at, mut it) in body.into_iter().enumerate().rev() {
            if at == 0 {
                (it.spaced, it.starts_line) = (word.spaced, word.starts_line);
            } else {
                it.starts_line = false;
            }
            let _ = place;
            it.hidden = Some(match &it.hidden {
                None => hidden.clone(),
                Some(own) => {
                    let mut all = (**own).clone();
                    all.extend(hidden.iter().filter(|name| !own.contains(name)).cloned());
                    Rc::new(all)
                }
            });
            self.pending.push(it);
        }
        self.produced += count;
    }

    /// The arguments of a use, and its closing parenthesis.
    fn arguments(&mut self, wanted: usize, variadic: bool) -> Option<(Vec<Vec<Word>>, Word)> {
        let (mut all, mut depth) = (vec![Vec::new()], 0_u32);
        loop {
            let mut word = self.pending.pop().or_else(|| self.raw())?;
            word.spaced |= std::mem::take(&mut word.starts_line);
            match &*word.text {
                ")" if depth == 0 && word.kind == Kind::Punct => {
                    if wanted == 0 && all.len() == 1 && all[0].is_empty() {
                        all.clear();
                    }
                    return Some((all, word));
                }
                "(" if word.kind == Kind::Punct => depth += 1,
                ")" if word.kind == Kind::Punct => depth -= 1,
                "," if depth == 0 && word.kind == Kind::Punct && !(variadic && all.len() >= wanted) => {
                    all.push(Vec::new());
                    continue;
                }
                _ => {}
            }
            all.last_mut()?.push(word);
        }
    }

    /// The body with arguments in the place of parameters; words of the body have the place of the use.
    fn substituted(&mut self, it: &Macro, parameters: &[Rc<str>], arguments: &[Vec<Word>], place: Span) -> Vec<Word> {
        let mut out: Vec<Word> = Vec::new();
        let row = |word: &Word| parameters.iter().position(|name| word.kind == Kind::Name && *name == word.text);
        let empty = Vec::new();
        let mut joins = false;
        let mut at = 0;
        while let Some(word) = it.body.get(at) {
            at += 1;
            let next_joins = it.body.get(at).is_some_and(|it| it.is("##"));
            if word.is("##") {
                joins = true;
                continue;
            }
            if word.is("#")
                && it.parameters.is_some()
                && let Some(index) = it.body.get(at).and_then(row)
            {
                at += 1;
                out.push(stringized(arguments.get(index).unwrap_or(&empty), word, place));
                joins = false;
                continue;
            }
            if word.is_name("__VA_OPT__") && it.variadic {
                let length = it.body[at..].iter().position(|it| it.is(")")).unwrap_or(0);
                if arguments.len() >= parameters.len() && arguments.last().is_some_and(|it| !it.is_empty()) {
                    let part = Macro {
                        parameters: it.parameters.clone(),
                        variadic: false,
                        body: it.body.get(at + 1..at + length).unwrap_or_default().to_vec(),
                    };
                    out.extend(self.substituted(&part, parameters, arguments, place));
                }
                at += length + 1;
                continue;
            }
            let mut piece: Vec<Word> = match row(word) {
                Some(index) => {
                    let raw = arguments.get(index).unwrap_or(&empty);
                    let mut piece = if joins || next_joins { raw.clone() } else { self.expand_all(raw.clone()) };
                    if let Some(first) = piece.first_mut() {
                        first.spaced = word.spaced;
                    }
                    piece
                }
                None => vec![Word { span: place, hidden: None, starts_line: false, ..word.clone() }],
            };
            if std::mem::take(&mut joins) {
                let is_rest = it.variadic && row(word).is_some_and(|it| it + 1 == parameters.len());
                match (out.last().cloned(), piece.is_empty()) {
                    // GNU: `, ## __VA_ARGS__` without arguments.
                    (Some(left), true) if left.is(",") && is_rest && arguments.len() < parameters.len() => {
                        out.pop();
                    }
                    (Some(left), false) if !(left.is(",") && is_rest) => {
                        out.pop();
                        let right = piece.remove(0);
                        out.extend(joined(&left, &right));
                    }
                    _ => {}
                }
            }
            out.append(&mut piece);
        }
        out
    }
}

fn with(hidden: Option<&Vec<Rc<str>>>, name: &Rc<str>) -> Rc<Vec<Rc<str>>> {
    let mut all = hidden.cloned().unwrap_or_default();
    if !all.contains(name) {
        all.push(name.clone());
    }
    Rc::new(all)
}

fn stringized(argument: &[Word], hash: &Word, place: Span) -> Word {
    let mut text = String::from("\"");
    for (at, word) in argument.iter().enumerate() {
        if at > 0 && word.spaced {
            text.push(' ');
        }
        let quoted = matches!(word.kind, Kind::String | Kind::Character);
        for it in word.text.chars() {
            if quoted && matches!(it, '"' | '\\') {
                text.push('\\');
            }
            text.push(it);
        }
    }
    text.push('"');
    Word { span: place, spaced: hash.spaced, ..Word::new(Kind::String, text, place) }
}

fn joined(left: &Word, right: &Word) -> Vec<Word> {
    let text = format!("{}{}", left.text, right.text);
    let pieces = words(left.span.file, &text);
    pieces
        .into_iter()
        .enumerate()
        .map(|(at, it)| Word {
            span: left.span,
            spaced: at == 0 && left.spaced,
            starts_line: false,
            hidden: left.hidden.clone(),
            ..it
        })
        .collect()
}
