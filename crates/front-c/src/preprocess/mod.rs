//! The C preprocessor (C 2011, 6.10, with GNU's extensions): from files to words.
//!
//! Words keep the place where they were written; what comes from a macro has the place of its use. Which macros are not replaced again
//! is a set that each word carries (Prosser's algorithm, X3J11/86-196). Nothing here touches a file system: headers come through
//! [`Loader`], and what the system's compiler defines and where it looks for headers is part of [`Options`].
mod conditions;
mod expand;

use std::collections::{HashMap, HashSet};
use std::path::{Path, PathBuf};
use std::rc::Rc;

use text::{Diagnostic, FileId, Sources, Span};

use crate::headers;
use crate::words::{Kind, Word, words};

/// What to define and where to look.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// `-D NAME=VALUE`.
    pub defines: Vec<(String, String)>,
    /// `-I DIR`.
    pub include_dirs: Vec<PathBuf>,
    /// Where the system's headers are.
    pub system_dirs: Vec<PathBuf>,
    /// What the system's compiler defines, as text; a small list of our own if there is none.
    pub predefined: Option<String>,
    /// Headers that are not found are replaced by short ones of our own, or by nothing.
    pub stub_headers: bool,
}

/// Reads files for `#include`.
pub trait Loader {
    /// The text of a file; `None` if there is none.
    fn load(&mut self, path: &Path) -> Option<String>;
}

/// How deep files may include each other.
const MOST_FILES: usize = 200;
/// The most words that come out of one file: a bomb of macros ends here.
const MOST_WORDS: usize = 20_000_000;

#[derive(Clone, Debug)]
struct Macro {
    /// `None` for a macro without parentheses.
    parameters: Option<Vec<Rc<str>>>,
    variadic: bool,
    body: Vec<Word>,
}

struct Open {
    words: Rc<Vec<Word>>,
    at: usize,
    path: PathBuf,
    /// The place in the list of directories where it was found, for `#include_next`.
    found_at: usize,
    /// How many `#if` were open where it began.
    conditions: usize,
}

struct Condition {
    span: Span,
    /// Whether the words of the present branch count.
    active: bool,
    /// Whether some branch has counted.
    taken: bool,
    /// Whether the words around it count.
    outer: bool,
    seen_else: bool,
}

/// Words from files, with directives obeyed and macros replaced.
pub(crate) struct Preprocessor<'a> {
    sources: &'a mut Sources,
    loader: &'a mut dyn Loader,
    options: &'a Options,
    macros: HashMap<Rc<str>, Rc<Macro>>,
    files: Vec<Open>,
    conditions: Vec<Condition>,
    once: HashSet<PathBuf>,
    texts: HashMap<PathBuf, Rc<Vec<Word>>>,
    /// Words to be read next, last first.
    pending: Vec<Word>,
    /// Where lines are said to come from by `# 1 "file"`, if they are.
    pub(crate) diagnostics: Vec<Diagnostic>,
    counter: u32,
    produced: usize,
    stopped: bool,
}

/// The words of a translation unit, and what is wrong with its directives.
pub fn preprocess(
    sources: &mut Sources,
    root: FileId,
    options: &Options,
    loader: &mut dyn Loader,
) -> (Vec<Word>, Vec<Diagnostic>) {
    let mut it = Preprocessor {
        sources,
        loader,
        options,
        macros: HashMap::new(),
        files: Vec::new(),
        conditions: Vec::new(),
        once: HashSet::new(),
        texts: HashMap::new(),
        pending: Vec::new(),
        diagnostics: Vec::new(),
        counter: 0,
        produced: 0,
        stopped: false,
    };
    it.define_first();
    let (path, text) = (PathBuf::from(&it.sources.file(root).name), it.sources.file(root).text.clone());
    it.open(Rc::new(words(root, &text)), path, 0);
    let mut all = Vec::new();
    while let Some(word) = it.next() {
        all.push(word);
    }
    (all, it.diagnostics)
}

impl Preprocessor<'_> {
    /// Reads what is defined before the first line.
    fn define_first(&mut self) {
        let mut text = self.options.predefined.clone().unwrap_or_else(|| headers::PREDEFINED.into());
        for (name, value) in &self.options.defines {
            text += &format!("#define {name} {value}\n");
        }
        let file = self.sources.add("<predefined>", text.clone());
        self.open(Rc::new(words(file, &text)), PathBuf::from("<predefined>"), 0);
        while self.raw().is_some() {}
        self.files.clear();
    }

    fn open(&mut self, words: Rc<Vec<Word>>, path: PathBuf, found_at: usize) {
        let conditions = self.conditions.len();
        self.files.push(Open { words, at: 0, path, found_at, conditions });
    }

    fn error(&mut self, code: &'static str, span: Span, message: impl Into<String>) {
        self.diagnostics.push(Diagnostic::error(code, span, message));
    }

    fn active(&self) -> bool {
        self.conditions.last().is_none_or(|it| it.active)
    }

    /// The next word of the files that counts, directives obeyed.
    fn raw(&mut self) -> Option<Word> {
        loop {
            if self.stopped {
                return None;
            }
            let open = self.files.last_mut()?;
            let Some(word) = open.words.get(open.at).cloned() else {
                self.close();
                continue;
            };
            open.at += 1;
            if word.starts_line && word.is("#") {
                let line = self.rest_of_line();
                self.directive(&word, &line);
            } else if self.active() {
                return Some(word);
            }
        }
    }

    fn close(&mut self) {
        let Some(open) = self.files.pop() else { return };
        while self.conditions.len() > open.conditions {
            if let Some(condition) = self.conditions.pop() {
                let error = Diagnostic::error("open-condition", condition.span, "this condition has no `#endif`");
                self.diagnostics.push(error.help("close it with `#endif`"));
            }
        }
    }

    fn rest_of_line(&mut self) -> Vec<Word> {
        let Some(open) = self.files.last_mut() else { return Vec::new() };
        let rest = &open.words[open.at..];
        let length = rest.iter().position(|it| it.starts_line).unwrap_or(rest.len());
        open.at += length;
        rest[..length].to_vec()
    }

    fn directive(&mut self, hash: &Word, line: &[Word]) {
        let Some(name) = line.first() else { return };
        let rest = &line[1..];
        match &*name.text {
            "if" | "ifdef" | "ifndef" => self.begin_condition(name, rest),
            "elif" | "else" | "elifdef" | "elifndef" => self.next_branch(name, rest),
            "endif" => {
                if self.conditions.len() <= self.files.last().map_or(0, |it| it.conditions) {
                    self.error("lone-endif", name.span, "this `#endif` ends nothing");
                } else {
                    self.conditions.pop();
                }
            }
            _ if !self.active() => {}
            "define" => self.define(name, rest),
            "undef" => {
                if let Some(it) = rest.first() {
                    self.macros.remove(&it.text);
                }
            }
            "include" | "include_next" | "import" => self.include(name, rest),
            "pragma" => self.pragma(rest),
            "error" => {
                let says: Vec<&str> = rest.iter().map(|it| &*it.text).collect();
                let message = format!("the source says: {}", says.join(" "));
                let error = Diagnostic::error("error-directive", hash.span.to(name.span), message);
                self.diagnostics.push(error.help("define what it asks for with `-D NAME=VALUE`"));
            }
            "warning" | "line" | "ident" | "sccs" | "assert" | "unassert" => {}
            _ if name.kind == Kind::Number => {}
            _ => self.error("unknown-directive", name.span, format!("there is no directive `#{}`", name.text)),
        }
    }

    fn pragma(&mut self, rest: &[Word]) {
        if rest.first().is_some_and(|it| it.is_name("once"))
            && let Some(open) = self.files.last()
        {
            self.once.insert(open.path.clone());
        }
    }

    fn begin_condition(&mut self, name: &Word, rest: &[Word]) {
        let outer = self.active();
        let holds = outer && self.condition(&name.text, name, rest);
        self.conditions.push(Condition { span: name.span, active: holds, taken: holds, outer, seen_else: false });
    }

    fn next_branch(&mut self, name: &Word, rest: &[Word]) {
        let outside = self.conditions.len() <= self.files.last().map_or(0, |it| it.conditions);
        let Some(condition) = self.conditions.last_mut().filter(|_| !outside) else {
            self.error("lone-else", name.span, format!("this `#{}` belongs to no `#if`", name.text));
            return;
        };
        let (late, open) = (condition.seen_else, condition.outer && !condition.taken);
        condition.seen_else |= &*name.text == "else";
        condition.active = false;
        let kind = name.text.strip_prefix("el").unwrap_or("if");
        let holds = open && (&*name.text == "else" || self.condition(kind, name, rest));
        if late {
            self.error("late-else", name.span, "this comes after the `#else`");
        }
        if let Some(condition) = self.conditions.last_mut() {
            condition.active = holds;
            condition.taken |= holds;
        }
    }

    fn condition(&mut self, kind: &str, name: &Word, rest: &[Word]) -> bool {
        let defined = |it: &Self| rest.first().is_some_and(|word| it.is_defined(&word.text));
        match kind {
            "ifdef" => defined(self),
            "ifndef" => !defined(self),
            _ => {
                let prepared = self.prepare(rest);
                let expanded = self.expand_all(prepared);
                conditions::holds(&expanded, name.span).unwrap_or_else(|error| {
                    self.diagnostics.push(error);
                    false
                })
            }
        }
    }

    fn is_defined(&self, name: &str) -> bool {
        self.macros.contains_key(name) || matches!(name, "__FILE__" | "__LINE__" | "__has_include" | "__COUNTER__")
    }

    /// Replaces `defined X` and `__has_include(…)` by numbers.
    fn prepare(&mut self, rest: &[Word]) -> Vec<Word> {
        let (mut out, mut at) = (Vec::new(), 0);
        while let Some(word) = rest.get(at) {
            at += 1;
            let has = matches!(
                &*word.text,
                "__has_include"
                    | "__has_include_next"
                    | "__has_attribute"
                    | "__has_builtin"
                    | "__has_feature"
                    | "__has_extension"
                    | "__has_c_attribute"
            );
            if word.is_name("defined") {
                let open = usize::from(rest.get(at).is_some_and(|it| it.is("(")));
                let known = rest.get(at + open).is_some_and(|it| self.is_defined(&it.text));
                at += 1 + 2 * open;
                out.push(Word::new(Kind::Number, if known { "1" } else { "0" }, word.span));
            } else if has && rest.get(at).is_some_and(|it| it.is("(")) {
                let length = rest[at..].iter().position(|it| it.is(")")).unwrap_or(rest.len() - at);
                let inside = rest.get(at + 1..at + length).unwrap_or_default();
                let found = word.text.starts_with("__has_include") && self.find(inside, false).is_some();
                out.push(Word::new(Kind::Number, if found { "1" } else { "0" }, word.span));
                at += length + 1;
            } else {
                out.push(word.clone());
            }
        }
        out
    }

    fn define(&mut self, directive: &Word, rest: &[Word]) {
        let Some(name) = rest.first().filter(|it| it.kind == Kind::Name) else {
            return self.error("bad-define", directive.span, "a name should stand after `#define`");
        };
        let mut it = Macro { parameters: None, variadic: false, body: Vec::new() };
        let mut at = 1;
        if rest.get(1).is_some_and(|it| it.is("(") && !it.spaced) {
            let Some(close) = rest.iter().position(|it| it.is(")")) else {
                return self.error("bad-define", name.span, "the parameters of this macro do not end");
            };
            let mut names = Vec::new();
            for word in &rest[2..close] {
                match &*word.text {
                    "," => {}
                    "..." => {
                        it.variadic = true;
                        // `name...` is GNU's.
                        let named = rest[2..close].iter().rev().nth(1).is_some_and(|it| it.kind == Kind::Name);
                        if !named || names.is_empty() {
                            names.push("__VA_ARGS__".into());
                        }
                    }
                    _ => names.push(word.text.clone()),
                }
            }
            it.parameters = Some(names);
            at = close + 1;
        }
        it.body = rest[at..].to_vec();
        if let Some(first) = it.body.first_mut() {
            first.spaced = false;
        }
        self.macros.insert(name.text.clone(), Rc::new(it));
    }

    /// The name between quotes or angle brackets.
    fn header(&self, rest: &[Word]) -> Option<(String, bool)> {
        let first = rest.first()?;
        if first.kind == Kind::String {
            return Some((first.text.trim_matches('"').to_string(), true));
        }
        if !first.is("<") {
            return None;
        }
        let length = rest.iter().position(|it| it.is(">"))?;
        let name: String = rest[1..length].iter().map(|it| &*it.text).collect();
        Some((name, false))
    }

    /// The words of a header, where it is, and its place among the directories.
    fn find(&mut self, rest: &[Word], next: bool) -> Option<(Rc<Vec<Word>>, PathBuf, usize)> {
        let (name, quoted) = self.header(rest)?;
        if let Some(text) = headers::always(&name) {
            return Some((self.ours(&name, text), PathBuf::from(format!("<{name}>")), 0));
        }
        let here = self.files.last().map(|it| (it.path.clone(), it.found_at));
        let mut places = Vec::new();
        let beside = here.as_ref().and_then(|it| it.0.parent()).map(Path::to_path_buf);
        places.push(if quoted { beside } else { None });
        let dirs = self.options.include_dirs.iter().chain(&self.options.system_dirs);
        places.extend(dirs.map(|it| Some(it.clone())));
        let first = if next { here.map_or(0, |it| it.1 + 1) } else { 0 };
        for (at, place) in places.iter().enumerate().skip(first) {
            let Some(path) = place.as_ref().map(|it| it.join(&name)) else { continue };
            if let Some(words) = self.load(&path) {
                return Some((words, path, at));
            }
        }
        None
    }

    fn ours(&mut self, name: &str, text: &str) -> Rc<Vec<Word>> {
        let path = PathBuf::from(format!("<{name}>"));
        if let Some(known) = self.texts.get(&path) {
            return known.clone();
        }
        let file = self.sources.add(format!("<{name}>"), text);
        let read = Rc::new(words(file, text));
        self.texts.insert(path, read.clone());
        read
    }

    fn load(&mut self, path: &Path) -> Option<Rc<Vec<Word>>> {
        if let Some(known) = self.texts.get(path) {
            return Some(known.clone());
        }
        let text = self.loader.load(path)?;
        let file = self.sources.add(path.display().to_string(), text.clone());
        let read = Rc::new(words(file, &text));
        self.texts.insert(path.to_path_buf(), read.clone());
        Some(read)
    }

    fn include(&mut self, directive: &Word, rest: &[Word]) {
        let expanded;
        let rest = match rest.first() {
            Some(it) if it.kind == Kind::Name => {
                expanded = self.expand_all(rest.to_vec());
                &expanded
            }
            _ => rest,
        };
        let span = rest.first().map_or(directive.span, |it| it.span);
        let Some((name, quoted)) = self.header(rest) else {
            return self.error("bad-include", span, "a file in `\"…\"` or `<…>` should stand here");
        };
        if self.files.len() >= MOST_FILES {
            self.stopped = true;
            return self.error(
                "endless-include",
                span,
                format!("files include each other more than {MOST_FILES} deep"),
            );
        }
        match self.find(rest, &*directive.text == "include_next") {
            Some((_, path, _)) if self.once.contains(&path) => {}
            Some((words, path, at)) => self.open(words, path, at),
            None if self.options.stub_headers => {
                let words = self.ours(&name, headers::stub(&name));
                if self.once.insert(PathBuf::from(format!("<{name}>"))) {
                    self.open(words, PathBuf::from(format!("<{name}>")), 0);
                }
            }
            None => {
                let (open, close) = if quoted { ('"', '"') } else { ('<', '>') };
                let message = format!("there is no header {open}{name}{close}");
                let help = "say where it is with `-I DIR`, or use `--stub-headers`: headers that are missing are then replaced by short ones, and types that stay unknown are guessed";
                self.diagnostics.push(Diagnostic::error("missing-header", span, message).help(help));
            }
        }
    }
}
