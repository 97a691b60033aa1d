//! The models on which a technique is compared with doing without it.
use std::fs;
use std::path::{Path, PathBuf};

use model::Model;

use crate::{corpus, literate, random, run};

/// `NAME=8000` in the environment: so many random models, from `PROM_SEED` on.
pub fn random_seeds(name: &str, first: u64, count: u64) -> Vec<u64> {
    let number = |name: &str| std::env::var(name).ok().and_then(|it| it.parse().ok());
    random::seeds(number("PROM_SEED").unwrap_or(first), number(name).unwrap_or(count))
}

/// A random model; very few are rejected.
pub fn random_model(seed: u64) -> Option<Model> {
    run::model(&random::model(seed).text())
}

/// A random model of processes that talk over channels.
pub fn talking_model(seed: u64) -> Option<Model> {
    run::model(&random::talkers(seed))
}

/// The models of the literate cases that are alone and not in the dialect of PV, with their headings.
pub fn literate_models() -> Vec<(String, Model)> {
    let mut models = Vec::new();
    for path in literate::files(&corpus::workspace().join("tests/literate")) {
        let text = fs::read_to_string(&path).expect("a text");
        let cases = literate::cases("literate", &text).expect("cases");
        for case in cases.iter().filter(|it| !it.pv && it.beside.is_empty()) {
            let (compiled, _) = run::compile_text(&case.text());
            let wrong = compiled.diagnostics.iter().any(text::Diagnostic::is_error);
            models.extend(compiled.model.filter(|_| !wrong).map(|model| (case.heading.clone(), model)));
        }
    }
    models
}

/// The files of the corpus with a complete answer in one file of answers.
pub fn corpus_files(folder: &Path, answers: &str) -> Vec<PathBuf> {
    let mut files: Vec<PathBuf> = corpus::records(folder, answers, "full").into_iter().map(|it| it.path).collect();
    files.sort();
    files.dedup();
    files
}
