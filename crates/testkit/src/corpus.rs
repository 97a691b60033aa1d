//! The recorded answers of the shared corpus, if it is there.
use std::fs;
use std::path::{Path, PathBuf};

use crate::json::Json;
use crate::kind::Kind;
use crate::spin::{Counts, SpinAnswer};

/// A recorded answer.
#[derive(Clone, Debug)]
pub struct Record {
    /// The model's path from the corpus folder.
    pub model: String,
    /// The file.
    pub path: PathBuf,
    /// What SPIN said.
    pub answer: SpinAnswer,
}

/// The folder of this workspace.
pub fn workspace() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().expect("the workspace")
}

/// The corpus folder; `PROM_CORPUS_DIR` says where if it is not in the usual place.
pub fn folder() -> Option<PathBuf> {
    let usual = workspace().join("../shared/corpus");
    let folder = std::env::var_os("PROM_CORPUS_DIR").map_or(usual, PathBuf::from);
    folder.is_dir().then_some(folder)
}

/// The records of one configuration in one file of answers, e.g. `full` in `beem`.
pub fn records(folder: &Path, answers: &str, configuration: &str) -> Vec<Record> {
    let file = folder.join(format!("{answers}.jsonl"));
    let text = fs::read_to_string(&file).unwrap_or_else(|error| panic!("{}: {error}", file.display()));
    let lines = text.lines().filter(|line| !line.trim().is_empty());
    let records = lines.map(|line| Json::parse(line).unwrap_or_else(|| panic!("not JSON: {line}")));
    let wanted = records.filter(|record| record.text("conf") == Some(configuration));
    wanted.map(|record| read(folder, &record)).collect()
}

fn read(folder: &Path, record: &Json) -> Record {
    let model = record.text("model").expect("a model").to_string();
    let path = folder.join(&model);
    Record { answer: answer(record), model, path }
}

fn answer(record: &Json) -> SpinAnswer {
    let message = || record.text("msg").unwrap_or_default().to_string();
    if let Some(why) = record.text("trunc") {
        return SpinAnswer::Truncated(why.to_string());
    }
    match record.text("fail") {
        Some("spin") => return SpinAnswer::Rejected(message()),
        Some("timeout") => return SpinAnswer::Truncated("time".to_string()),
        Some(other) => return SpinAnswer::Failed(format!("{other}: {}", message())),
        None => {}
    }
    let number = |name: &str| record.number(name).unwrap_or_else(|| panic!("no `{name}` in {record:?}"));
    let kinds = record.text("error").map(Kind::of_spin).into_iter().collect();
    SpinAnswer::Counts(Counts {
        states: number("stored"),
        transitions: number("trans"),
        errors: number("errors"),
        kinds,
    })
}
