//! What the targets share: files in memory, and messages that are shown.
use std::collections::HashMap;
use std::path::{Path, PathBuf};

use front_promela::preprocess::{LoadError, Loader};
use text::{Diagnostic, FileId, Sources};

/// Several files in one input: what follows a line `--- name` is the file of that name.
pub struct Files {
    files: HashMap<PathBuf, String>,
}

impl Loader for Files {
    fn load(&mut self, path: &Path) -> Result<String, LoadError> {
        self.files.get(path).cloned().ok_or(LoadError::NotFound)
    }
}

/// The first file of an input as the root, and all others.
pub fn files(input: &str, sources: &mut Sources) -> (FileId, Files) {
    let mut parts = input.split("\n--- ");
    let root = sources.add("main.pml", parts.next().unwrap_or_default());
    let named = parts.filter_map(|part| part.split_once('\n'));
    let files = named.map(|(name, text)| (PathBuf::from(name.trim()), text.to_string())).collect();
    (root, Files { files })
}

/// Every message can be shown, and points to a place in a file.
pub fn show(diagnostics: &[Diagnostic], sources: &Sources) {
    for it in diagnostics {
        let places = it.span.iter().chain(it.notes.iter().map(|note| &note.0));
        for span in places {
            let text = &sources.file(span.file).text;
            assert!(text.get(span.start as usize..span.end as usize).is_some(), "{it:?} points nowhere");
        }
        assert!(!it.message.is_empty() && !it.message.contains('\n'), "{it:?} is not one phrase");
    }
    report::diagnostics::write(diagnostics, sources, true, &mut std::io::sink()).expect("nothing can go wrong");
}
