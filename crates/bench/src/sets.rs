//! Sets of states: how much faster saturation is than breadth first and chaining, over the models of the BEEM collection.
//!
//! Each model is searched in three ways. What counts is the time of the search itself, as the engine reports it; building relations is the same for all. A way that
//! does not end within its limit counts with the limit, so that the ratio is at least what is said.
use std::path::{Path, PathBuf};

use clap::Parser;

use crate::measure;
use crate::statistics::geometric_mean;
use crate::{date, prom, root, write};

/// First argument that asks for this experiment.
pub const WORD: &str = "symbolic";

/// Saturation beside breadth first and chaining; results go to bench/runs/<date>-symbolic/
#[derive(Parser, Debug)]
#[command(name = "bench symbolic")]
struct Options {
    /// Only models whose name contains one of these
    #[arg(long, value_name = "LIST", value_delimiter = ',')]
    only: Vec<String>,
    /// Ways to search beside saturation
    #[arg(long, value_name = "LIST", value_delimiter = ',', default_value = "chaining,bfs")]
    beside: Vec<String>,
    /// Seconds that saturation may take
    #[arg(long, value_name = "SECONDS", default_value_t = 60)]
    limit: u64,
    /// Seconds that the others may take
    #[arg(long, value_name = "SECONDS", default_value_t = 600)]
    patience: u64,
    /// The prom to run [default: built from this workspace]
    #[arg(long, value_name = "FILE")]
    prom: Option<PathBuf>,
    /// Models that are not searched again keep their rows of this earlier summary
    #[arg(long, value_name = "FILE")]
    onto: Option<PathBuf>,
    /// The folder to write, instead of bench/runs/<date>-symbolic
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
}

/// A model and what its searches took.
struct Row {
    model: String,
    states: String,
    nodes: String,
    /// Of saturation, and of each other way.
    times: Vec<Time>,
}

/// What a search took.
#[derive(Clone, Copy)]
enum Time {
    /// So many seconds.
    Took(f64),
    /// It was ended after so many.
    Ended(f64),
}

impl Time {
    fn seconds(self) -> f64 {
        // The engine reports millionths.
        let (Time::Took(seconds) | Time::Ended(seconds)) = self;
        seconds.max(0.000_001)
    }

    fn shown(self) -> String {
        match self {
            Time::Took(seconds) => format!("{seconds:.6}"),
            Time::Ended(seconds) => format!("> {seconds:.0}"),
        }
    }
}

/// Runs the experiment and writes down what came out.
pub fn run(arguments: &[String]) -> Result<(), String> {
    let options = Options::parse_from(arguments);
    let program = match &options.prom {
        Some(file) => file.canonicalize().map_err(|e| format!("{}: {e}", file.display()))?,
        None => prom::build(&root())?,
    };
    let folder = folder(&options)?;
    let (mut rows, mut unfinished) = earlier(&options)?;
    for model in models(&options)? {
        rows.retain(|it| it.model != name(&model));
        unfinished.retain(|it| *it != name(&model));
        match row(&program, &model, &options)? {
            Some(row) => rows.push(row),
            None => unfinished.push(name(&model)),
        }
        rows.sort_by(|one, other| one.model.cmp(&other.model));
        write(&folder, "summary.md", &page(&rows, &unfinished, &options))?;
        eprintln!("{}", rows.iter().find(|it| it.model == name(&model)).map_or(String::new(), line));
    }
    eprintln!("results: {}", folder.display());
    Ok(())
}

/// The rows of an earlier summary, and the models that it lists as not finished.
fn earlier(options: &Options) -> Result<(Vec<Row>, Vec<String>), String> {
    let Some(file) = &options.onto else { return Ok((Vec::new(), Vec::new())) };
    let text = std::fs::read_to_string(file).map_err(|e| format!("{}: {e}", file.display()))?;
    let list = text.lines().find_map(|it| it.strip_prefix("Not finished by saturation: ")).unwrap_or_default();
    let unfinished = list.trim_end_matches('.').split(", ").filter(|it| !it.is_empty()).map(str::to_string);
    Ok((text.lines().filter_map(|it| row_of(it, options.beside.len())).collect(), unfinished.collect()))
}

/// A row as `line` writes it, with so many ways beside saturation.
fn row_of(line: &str, beside: usize) -> Option<Row> {
    let cells: Vec<&str> = line.split('|').map(str::trim).collect();
    let [_, model, states, nodes, times @ ..] = &cells[..] else { return None };
    let time = |cell: &&str| match cell.strip_prefix("> ") {
        Some(limit) => Some(Time::Ended(limit.parse().ok()?)),
        None => Some(Time::Took(cell.parse().ok()?)),
    };
    let times = times.get(..=beside)?.iter().map(time).collect::<Option<_>>()?;
    Some(Row { model: model.to_string(), states: states.to_string(), nodes: nodes.to_string(), times })
}

fn folder(options: &Options) -> Result<PathBuf, String> {
    let name = format!("{}-symbolic", date::today());
    let folder = options.out.clone().unwrap_or_else(|| root().join("bench/runs").join(name));
    let made = std::fs::create_dir_all(&folder).and_then(|()| folder.canonicalize());
    made.map_err(|e| format!("{}: {e}", folder.display()))
}

fn models(options: &Options) -> Result<Vec<PathBuf>, String> {
    let folder = root().join("../shared/corpus/beem");
    let read = std::fs::read_dir(&folder).map_err(|e| format!("{}: {e}", folder.display()))?;
    let wanted = |file: &PathBuf| options.only.is_empty() || options.only.iter().any(|it| name(file).contains(it));
    let mut files: Vec<PathBuf> = read.filter_map(|it| Some(it.ok()?.path())).filter(wanted).collect();
    files.sort();
    Ok(files)
}

fn name(model: &Path) -> String {
    model.file_stem().map_or(String::new(), |it| it.to_string_lossy().into_owned())
}

/// Searches a model in every way; nothing if saturation does not end. Ways that count different states are a failure of the whole experiment.
fn row(program: &Path, model: &Path, options: &Options) -> Result<Option<Row>, String> {
    let Some(first) = search(program, model, "saturation", options.limit) else { return Ok(None) };
    let mut times = vec![Time::Took(first.seconds)];
    for method in &options.beside {
        let done = search(program, model, method, options.patience);
        if let Some(other) = done.as_ref().filter(|it| it.states != first.states) {
            return Err(format!("{}: {} states, with {method} {}", name(model), first.states, other.states));
        }
        times.push(done.map_or(Time::Ended(options.patience as f64), |it| Time::Took(it.seconds)));
    }
    Ok(Some(Row { model: name(model), states: first.states, nodes: first.nodes, times }))
}

/// What a search that ended in time says.
struct Search {
    states: String,
    /// Of the set that was reached.
    nodes: String,
    /// Of the search itself.
    seconds: f64,
}

/// One search; nothing if it does not end in time.
fn search(program: &Path, model: &Path, method: &str, limit: u64) -> Option<Search> {
    let time = format!("{limit}s");
    let words = ["check", "--engine", "symbolic", "--only", "safety", "--stats", "--memory", "4G", "--search", method];
    let mut command = vec![program.display().to_string()];
    command.extend(words.map(str::to_string));
    command.extend(["--time".to_string(), time, model.display().to_string()]);
    let output = measure::run(&command, &root(), limit + 30).ok()?.output;
    let seconds = detail(&output, "reaching")?.strip_suffix(" s")?.parse().ok()?;
    let states = output.lines().find_map(|line| line.split_once(" states"))?.0.to_string();
    let nodes = detail(&output, "nodes of the reached set")?.to_string();
    Some(Search { states, nodes, seconds })
}

/// What the engine says about itself.
fn detail<'o>(output: &'o str, name: &str) -> Option<&'o str> {
    output.lines().find_map(|line| line.trim().strip_prefix(name)?.strip_prefix(": "))
}

fn line(row: &Row) -> String {
    let times: Vec<String> = row.times.iter().map(|it| it.shown()).collect();
    let ratios = (1..row.times.len()).map(|other| format!("{:.1}", ratio(row, other)));
    let cells = [row.model.clone(), row.states.clone(), row.nodes.clone()].into_iter().chain(times).chain(ratios);
    format!("| {} |", cells.collect::<Vec<_>>().join(" | "))
}

/// How many times longer another way takes than the first.
fn ratio(row: &Row, other: usize) -> f64 {
    row.times[other].seconds() / row.times[0].seconds()
}

fn page(rows: &[Row], unfinished: &[String], options: &Options) -> String {
    let means: Vec<String> = options.beside.iter().enumerate().map(|(row, way)| mean(rows, row + 1, way)).collect();
    let ratios = options.beside.iter().map(|way| format!("{way} : saturation"));
    let others = options.beside.iter().cloned().chain(ratios).collect::<Vec<_>>();
    let lines: Vec<String> = rows.iter().map(line).collect();
    format!(
        "# Saturation beside other ways to search\n\nSeconds of the search; saturation had {} s, the others {} s.\n\n{}\n\n| model | states | nodes | saturation | {} |\n|{}\n{}\n\nNot finished by saturation: {}.\n",
        options.limit,
        options.patience,
        means.join("\n"),
        others.join(" | "),
        " --- |".repeat(4 + others.len()),
        lines.join("\n"),
        unfinished.join(", ")
    )
}

/// How many times longer another way takes, in the mean.
fn mean(rows: &[Row], other: usize, way: &str) -> String {
    let over = |least: f64| {
        let slow = rows.iter().filter(|row| row.times[other].seconds() >= least);
        let ratios: Vec<f64> = slow.map(|row| ratio(row, other)).collect();
        (geometric_mean(&ratios).unwrap_or(1.0), ratios.len())
    };
    let (all, slow) = (over(0.0), over(0.1));
    format!(
        "* {way} takes {:.1} times as long as saturation (geometric mean of {} models); {:.1} times where it takes 0.1 s or more ({} models)",
        all.0, all.1, slow.0, slow.1
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_are_read_as_they_are_written() {
        let times = vec![Time::Took(0.25), Time::Ended(600.0)];
        let row = Row { model: "phils.4".into(), states: "340789".into(), nodes: "623".into(), times };
        let again = row_of(&line(&row), 1).expect("a row");
        assert_eq!(line(&again), line(&row));
        assert_eq!(ratio(&again, 1), 2400.0);
        assert!(row_of("| model | states | nodes | saturation | bfs | bfs : saturation |", 1).is_none());
    }
}
