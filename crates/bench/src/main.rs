//! Promenade and SPIN's verifier side by side: every model is searched by both in turn, and what counts are
//! the ratios of neighbouring runs, because the speed of a machine changes from minute to minute.
//!
//! `bench coverage` is another experiment: how much of a model searches with little memory find. `bench symbolic` compares ways to search sets of states.
//!
//! `bench/README.md` says how to read the results.
mod chart;
mod coverage;
mod date;
mod machine;
mod measure;
mod options;
mod pan;
mod prom;
mod raw;
mod row;
mod schedule;
mod sets;
mod statistics;
mod suite;
mod summary;

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::Parser;

use crate::options::Options;
use crate::row::Row;
use crate::suite::Model;

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().collect();
    if arguments.get(1).is_some_and(|word| word == measure::WORD) {
        return measure::stand_in(&arguments[2..]);
    }
    let done = match arguments.get(1) {
        Some(word) if word == coverage::WORD => coverage::run(&arguments[1..]).map(|()| true),
        Some(word) if word == sets::WORD => sets::run(&arguments[1..]).map(|()| true),
        _ => run(&Options::parse()),
    };
    match done {
        Ok(agreed) => ExitCode::from(u8::from(!agreed)),
        Err(message) => {
            eprintln!("bench: {message}");
            ExitCode::from(2)
        }
    }
}

/// The root of the project.
fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// Runs everything asked for; true if the two tools agreed about every model.
fn run(options: &Options) -> Result<bool, String> {
    let models = chosen(options)?;
    let corpus = root().join("../shared/corpus").canonicalize().map_err(|e| format!("../shared/corpus: {e}"))?;
    let tools = schedule::Tools::find(options, corpus)?;
    let folder = folder(options)?;
    write(&folder, "machine.txt", &machine::describe(&tools, options))?;
    let mut rows: Vec<Row> = Vec::new();
    for (at, model) in models.iter().enumerate() {
        eprintln!("[{}/{}] {}: {} states", at + 1, models.len(), model.name, model.states);
        rows.extend(schedule::measure_model(&tools, options, model));
        record(&folder, &rows, options)?;
    }
    eprintln!("results: {}", folder.display());
    Ok(rows.iter().all(|row| row.disagreement().is_none()))
}

/// The models of the suite that the options ask for.
fn chosen(options: &Options) -> Result<Vec<Model>, String> {
    let file = options.suite.clone().unwrap_or_else(|| root().join("bench/suite.txt"));
    let text = std::fs::read_to_string(&file).map_err(|e| format!("{}: {e}", file.display()))?;
    let models = suite::read(&text)?.into_iter().filter(|model| options.wants(model)).collect::<Vec<_>>();
    if models.is_empty() { Err("no model of the suite is asked for".to_string()) } else { Ok(models) }
}

/// The folder of this run, which exists afterwards.
fn folder(options: &Options) -> Result<PathBuf, String> {
    let name = format!("{}-{}", date::today(), options.run_name());
    let folder = options.out.clone().unwrap_or_else(|| root().join("bench/runs").join(name));
    let made = std::fs::create_dir_all(&folder).and_then(|()| folder.canonicalize());
    made.map_err(|e| format!("{}: {e}", folder.display()))
}

/// Writes what is known so far, so that an interrupted run is not lost.
fn record(folder: &Path, rows: &[Row], options: &Options) -> Result<(), String> {
    write(folder, "raw.csv", &raw::table(rows))?;
    write(folder, "summary.md", &summary::page(rows, options))?;
    write(folder, "ratios.svg", &chart::draw(&chart::bars(rows)))
}

fn write(folder: &Path, name: &str, text: &str) -> Result<(), String> {
    std::fs::write(folder.join(name), text).map_err(|e| format!("{name}: {e}"))
}
