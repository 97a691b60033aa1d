//! The C preprocessor: from files to words.
//!
//! ```text
//! file ──splice──► text ──scan──► words ──directives──► words ──expand──► words
//!          \⏎                              #if #include         macros
//! ```
//!
//! Promela has no macros of its own; it has always been read through C's
//! preprocessor (C 2011, 6.10). This is that preprocessor, with words instead of
//! text between its stages, so that every word knows where it was written and
//! which macro it came from. The stages pull: `expand` asks `files` for a
//! word, which obeys the `directives` on its way to the next one.
//!
//! Nothing here fails and nothing recurses with the input: what is wrong becomes
//! a diagnostic, and reading goes on.
mod call;
mod conditions;
mod directives;
mod expand;
mod files;
mod groups;
mod macros;
mod scan;
mod splice;
mod substitute;
mod words;

use std::path::{Path, PathBuf};

use text::{Diagnostic, FileId, Sources, Span};

use expand::Expander;
use files::Files;
pub use words::{RawWord, WordKind, join};

/// What the command line says to the preprocessor.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// `-D NAME=VALUE`, as if each were a `#define` before the first line.
    pub defines: Vec<(String, String)>,
    /// `-I DIR`: where to look for included files that are not beside the including one.
    pub include_dirs: Vec<PathBuf>,
    /// What is read after the model, as if it went on there: further properties.
    pub further: Vec<Further>,
}

/// A text that does not come from the model's files.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Further {
    /// What it is called where a file's name would stand.
    pub name: String,
    /// What it says.
    pub text: String,
}

/// Reads files for `#include`. The preprocessor itself touches no file system.
pub trait Loader {
    /// The text of a file, or why there is none.
    fn load(&mut self, path: &Path) -> Result<String, LoadError>;
}

/// Why a file has no text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum LoadError {
    /// Nothing has this name.
    NotFound,
    /// A directory has this name.
    Directory,
    /// Its bytes are not UTF-8.
    NotText,
    /// Something else, in words.
    Other(String),
}

/// What the preprocessor understood.
#[derive(Clone, Debug, Default)]
pub struct Preprocessed {
    /// In order. No directive and no use of a macro is left. None at all if macros explode.
    pub words: Vec<RawWord>,
    /// Everything wrong.
    pub diagnostics: Vec<Diagnostic>,
    /// The file that was read last.
    pub end: FileId,
}

/// Reads `root` and all that it includes.
pub fn preprocess(sources: &mut Sources, root: FileId, options: &Options, loader: &mut dyn Loader) -> Preprocessed {
    let command_line = command_line(sources, options);
    let further: Vec<FileId> = options.further.iter().map(|it| sources.add(&*it.name, &*it.text)).collect();
    let mut expander = Expander::new(sources);
    let mut files = Files::new(loader, &options.include_dirs);
    files.remember(root, &expander);
    // What is entered last is read first.
    for file in further.iter().rev().copied().chain([root]).chain(command_line) {
        files.enter(file, Span::default(), &expander);
    }
    while let Some(word) = expander.next(&mut files) {
        expander.words.push(word);
    }
    if expander.halted {
        // Millions of words that end anywhere are of no use to anybody.
        expander.words.clear();
    }
    let end = further.last().copied().unwrap_or(root);
    Preprocessed { words: expander.words, diagnostics: expander.diagnostics, end }
}

/// The definitions of the command line as a file of directives, so that they have places too.
fn command_line(sources: &mut Sources, options: &Options) -> Option<FileId> {
    let line = |(name, value): &(String, String)| {
        let line = format!("#define {name} {value}").replace('\n', " ");
        line.trim_end_matches(['\\', ' ']).to_string() + "\n"
    };
    let text: String = options.defines.iter().map(line).collect();
    (!text.is_empty()).then(|| sources.add("<command line>", text))
}

#[cfg(test)]
mod tests;
