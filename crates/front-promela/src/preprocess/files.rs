//! The files that are being read: a stack, because files include files.
//!
//! A file that is entered again while it is open, with exactly the macros it was
//! entered with before, would do the same again for ever: that is a cycle. With
//! other macros it may well stop (an include guard does), so it is read.
use std::collections::{HashMap, HashSet};
use std::path::{Component, Path, PathBuf};
use std::rc::Rc;

use text::{Diagnostic, FileId, Span};

use super::expand::{Expander, Reach, Supply};
use super::groups::Group;
use super::scan::{Scanner, Step};
use super::splice::Spliced;
use super::words::{RawWord, WordKind};
use super::{LoadError, Loader};

/// How deep files may include files.
const DEEPEST: usize = 64;

/// How many files may be included in one run.
const MOST_FILES: usize = 4096;

/// The files that are being read.
pub(super) struct Files<'a> {
    open: Vec<OpenFile>,
    loader: &'a mut dyn Loader,
    include_dirs: &'a [PathBuf],
    known: HashMap<PathBuf, FileId>,
    texts: HashMap<FileId, Rc<Spliced>>,
    /// Files that said `#pragma once`.
    pub once: HashSet<FileId>,
    included: usize,
    reported: HashSet<Span>,
    at_line_start: bool,
}

/// A file that is being read.
pub(super) struct OpenFile {
    /// Which.
    pub id: FileId,
    /// How far.
    pub scanner: Scanner,
    /// The conditionals it is in.
    pub groups: Vec<Group>,
    entry: Entry,
}

/// How things stood when a file was entered.
struct Entry {
    directive: Span,
    macros: u64,
    words: usize,
    diagnostics: usize,
}

/// A name in `#include`.
pub(super) struct Wanted {
    /// As written between the quotes.
    pub name: String,
    /// Where it stands.
    pub place: Span,
}

impl Supply for Files<'_> {
    fn next(&mut self, expander: &mut Expander, reach: Reach) -> Option<RawWord> {
        loop {
            let step = self.open.last_mut()?.scanner.next(&mut expander.diagnostics);
            match step {
                Step::Newline => self.at_line_start = true,
                Step::End if reach == Reach::ThisFile => return None,
                Step::End => self.leave(expander),
                Step::Word(word) if self.at_line_start && word.kind == WordKind::Hash => {
                    self.directive(expander, word.span);
                    self.at_line_start = true;
                }
                Step::Word(mut word) => {
                    word.starts_line |= std::mem::take(&mut self.at_line_start);
                    return Some(word);
                }
            }
        }
    }
}

impl<'a> Files<'a> {
    /// No file is open yet.
    pub fn new(loader: &'a mut dyn Loader, include_dirs: &'a [PathBuf]) -> Self {
        Files {
            open: Vec::new(),
            loader,
            include_dirs,
            known: HashMap::new(),
            texts: HashMap::new(),
            once: HashSet::new(),
            included: 0,
            reported: HashSet::new(),
            at_line_start: true,
        }
    }

    /// The file that is being read.
    ///
    /// # Panics
    /// If there is none: only directives ask, and they stand in a file.
    pub fn current(&mut self) -> &mut OpenFile {
        self.open.last_mut().expect("a directive stands in an open file")
    }

    /// Goes on with this file and comes back at its end.
    pub fn enter(&mut self, id: FileId, directive: Span, expander: &Expander) {
        let text = self.texts.entry(id).or_insert_with(|| Rc::new(Spliced::new(&expander.sources.file(id).text)));
        let entry = Entry {
            directive,
            macros: expander.macros.fingerprint,
            words: expander.words.len(),
            diagnostics: expander.diagnostics.len(),
        };
        self.open.push(OpenFile { id, scanner: Scanner::new(id, text.clone()), groups: Vec::new(), entry });
        self.at_line_start = true;
    }

    /// Leaves a file at its end.
    fn leave(&mut self, expander: &mut Expander) {
        self.at_line_start = true;
        for group in self.open.pop().into_iter().flat_map(|file| file.groups) {
            expander.report(group.unterminated());
        }
    }

    /// Follows an `#include`.
    pub fn include(&mut self, wanted: &Wanted, expander: &mut Expander) {
        match self.find(wanted, expander) {
            Ok(id) if self.once.contains(&id) => {}
            Ok(id) if self.is_cycle(id, expander) => self.report_cycle(id, wanted, expander),
            Ok(id) => match self.limit() {
                None => self.enter(id, wanted.place, expander),
                Some(limit) if self.reported.insert(wanted.place) => {
                    expander.report(Diagnostic::error("include-limit", wanted.place, limit));
                }
                Some(_) => {}
            },
            Err(error) => expander.report(error),
        }
    }

    /// What is too much about one more file.
    fn limit(&mut self) -> Option<String> {
        self.included += 1;
        let depth = (self.open.len() > DEEPEST).then(|| format!("files include each other more than {DEEPEST} deep"));
        depth.or_else(|| (self.included > MOST_FILES).then(|| format!("more than {MOST_FILES} files are included")))
    }

    fn is_cycle(&self, id: FileId, expander: &Expander) -> bool {
        self.open.iter().any(|file| file.id == id && file.entry.macros == expander.macros.fingerprint)
    }

    /// Reports a cycle where it first closed, and forgets what was read since then.
    fn report_cycle(&mut self, id: FileId, wanted: &Wanted, expander: &mut Expander) {
        let first = self.open.iter().position(|file| file.id == id).unwrap_or(0);
        let again = self.open.iter().skip(first + 1).position(|file| file.id == id).map(|at| at + first + 1);
        let chain: Vec<FileId> =
            self.open[first..again.unwrap_or(self.open.len())].iter().map(|file| file.id).chain([id]).collect();
        let mut place = wanted.place;
        if let Some(again) = again {
            let entry = &self.open[again].entry;
            place = entry.directive;
            expander.words.truncate(entry.words);
            expander.diagnostics.truncate(entry.diagnostics);
            self.open.truncate(again);
        }
        if self.reported.insert(place) {
            expander.report(cycle(place, &chain, expander));
        }
    }

    /// The file that `#include` means.
    fn find(&mut self, wanted: &Wanted, expander: &mut Expander) -> Result<FileId, Diagnostic> {
        let here = PathBuf::from(&expander.sources.file(wanted.place.file).name);
        let beside = here.parent().unwrap_or(Path::new(""));
        let folders = std::iter::once(beside).chain(self.include_dirs.iter().map(PathBuf::as_path));
        let paths: Vec<PathBuf> = folders.map(|folder| folder.join(&wanted.name)).collect();
        let mut failure = LoadError::NotFound;
        for path in &paths {
            match self.load(path, expander) {
                Ok(id) => return Ok(id),
                Err(LoadError::NotFound) => {}
                Err(error) => failure = error,
            }
        }
        Err(failure.describe(wanted, &paths))
    }

    /// The file at a path, read once.
    fn load(&mut self, path: &Path, expander: &mut Expander) -> Result<FileId, LoadError> {
        let key = normal(path);
        if let Some(id) = self.known.get(&key) {
            return Ok(*id);
        }
        let text = self.loader.load(path)?;
        let id = expander.sources.add(path.display().to_string(), text);
        self.known.insert(key, id);
        Ok(id)
    }

    /// Remembers a file that is already among the sources.
    pub fn remember(&mut self, id: FileId, expander: &Expander) {
        self.known.insert(normal(Path::new(&expander.sources.file(id).name)), id);
    }
}

/// A path without `.` and without names that `..` takes back.
fn normal(path: &Path) -> PathBuf {
    let mut out = PathBuf::new();
    for part in path.components() {
        match part {
            Component::CurDir => {}
            Component::ParentDir if matches!(out.components().next_back(), Some(Component::Normal(_))) => {
                out.pop();
            }
            other => out.push(other),
        }
    }
    out
}

fn cycle(place: Span, chain: &[FileId], expander: &Expander) -> Diagnostic {
    let names: Vec<&str> = chain.iter().map(|&id| expander.sources.file(id).name.as_str()).collect();
    let message = format!("`{}` includes itself: {}", names[0], names.join(" -> "));
    Diagnostic::error("include-cycle", place, message)
        .help("remove this line, or put `#ifndef` around the file's content")
}

impl LoadError {
    /// What to say about an `#include` that failed.
    fn describe(self, wanted: &Wanted, tried: &[PathBuf]) -> Diagnostic {
        let name = &wanted.name;
        let (code, message) = match self {
            LoadError::NotFound => ("missing-include", format!("there is no file `{name}`")),
            LoadError::Directory => ("unreadable-include", format!("`{name}` is a directory")),
            LoadError::NotText => ("unreadable-include", format!("`{name}` is not a text file")),
            LoadError::Other(why) => ("unreadable-include", format!("`{name}` cannot be read: {why}")),
        };
        let tried: Vec<String> = tried.iter().map(|path| format!("`{}`", path.display())).collect();
        Diagnostic::error(code, wanted.place, message).help(format!("looked for {}", tried.join(", ")))
    }
}
