//! How much of a state space searches find that have too little memory for it: figure 15 of Holzmann, *Software
//! model checking*, 2000, with the stores of Promenade.
mod method;
mod options;
mod page;
mod plot;
mod row;
mod search;

use std::path::{Path, PathBuf};

use clap::Parser;

use self::method::Method;
use self::options::Options;
use self::row::Row;
use self::search::{Found, search};
use crate::{date, root, write};

/// First argument that asks for this experiment.
pub const WORD: &str = "coverage";

/// The least memory that is tried.
const LEAST: u64 = 1 << 13;
/// Sizes from one power of two to the next.
const PER_OCTAVE: u32 = 3;
/// Bits for each state where several hash functions are compared.
const ROOMY_BITS: u64 = 100;
/// How many different hash functions are compared there.
const SEEDS: u64 = 10;

/// What was measured.
struct Experiment {
    /// The model, as somebody may read it.
    model: String,
    /// The search that finds everything.
    whole: Found,
    /// One search of each method for each size.
    rows: Vec<Row>,
    /// Bitstate searches with 100 bits for each state, each with other hash functions.
    roomy: Vec<Row>,
}

/// Runs the experiment and writes down what came out.
pub fn run(arguments: &[String]) -> Result<(), String> {
    let options = Options::parse_from(arguments);
    let model = options.model.clone().unwrap_or_else(|| root().join(options::MODEL));
    let folder = folder(&options)?;
    let experiment = measure(&model)?;
    let all = || experiment.rows.iter().chain(&experiment.roomy);
    write(&folder, "coverage.csv", &row::table(all()))?;
    write(&folder, "coverage.svg", &plot::draw(&experiment.rows, experiment.whole.states))?;
    write(&folder, "summary.md", &page::page(&experiment))?;
    eprintln!("results: {}", folder.display());
    Ok(())
}

fn folder(options: &Options) -> Result<PathBuf, String> {
    let name = format!("{}-coverage", date::today());
    let folder = options.out.clone().unwrap_or_else(|| root().join("bench/runs").join(name));
    std::fs::create_dir_all(&folder).map_err(|e| format!("{}: {e}", folder.display()))?;
    Ok(folder)
}

fn measure(model: &Path) -> Result<Experiment, String> {
    let whole = search(model, Method::Exact, u64::MAX, 0)?;
    eprintln!("{} states, {} bytes in the exact store", whole.states, whole.memory);
    let run = |method: Method, memory: u64, seed: u64| -> Result<Row, String> {
        let found = search(model, method, memory, seed)?;
        let row = Row { method, memory, seed, all: whole.states, found };
        eprintln!("    {}, {memory} bytes: {:.3} %", method.name(), row.coverage() * 100.0);
        Ok(row)
    };
    let sizes = sizes(2 * whole.memory);
    let pairs = Method::ALL.into_iter().flat_map(|method| sizes.iter().map(move |size| (method, *size)));
    let rows = pairs.map(|(method, size)| run(method, size, 0)).collect::<Result<_, _>>()?;
    let bytes = (whole.states * ROOMY_BITS).div_ceil(8);
    let seeded = Method::ARRAYS.into_iter().flat_map(|method| (0..SEEDS).map(move |seed| (method, seed)));
    let roomy = seeded.map(|(method, seed)| run(method, bytes, seed)).collect::<Result<_, _>>()?;
    let model = model.file_name().unwrap_or_default().to_string_lossy().into_owned();
    Ok(Experiment { model, whole, rows, roomy })
}

/// Sizes in geometric progression, the last of which is at least so large.
fn sizes(enough: u64) -> Vec<u64> {
    let size = |step: u32| (LEAST as f64 * 2f64.powf(f64::from(step) / f64::from(PER_OCTAVE))) as u64;
    let small = (0..).map(size).take_while(|size| *size < enough);
    let mut sizes: Vec<u64> = small.collect();
    sizes.push(size(sizes.len() as u32));
    sizes
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_double_every_third_step() {
        let sizes = sizes(40_000);
        assert_eq!(sizes, [8192, 10_321, 13_003, 16_384, 20_642, 26_007, 32_768, 41_285]);
    }
}
