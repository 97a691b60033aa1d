//! The command line.
use std::path::PathBuf;

use clap::{Parser, ValueEnum};

use crate::suite::Model;

/// Promenade and SPIN's verifier side by side; results go to bench/runs/<date>-<name>/
#[derive(Parser, Debug)]
#[command(
    name = "bench",
    after_help = "Example: cargo run --release -p bench -- --quick --repeat 5\nAnother experiment: bench coverage, states found against memory (see bench coverage --help)"
)]
pub struct Options {
    /// The list of models [default: bench/suite.txt]
    #[arg(long, value_name = "FILE")]
    pub suite: Option<PathBuf>,
    /// Only models whose name contains this
    #[arg(long, value_name = "PATTERN")]
    pub only: Option<String>,
    /// Only the models marked `quick`
    #[arg(long)]
    pub quick: bool,
    /// Only models with at least so many states
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub min_states: u64,
    /// Only models with at most so many states
    #[arg(long, value_name = "N", default_value_t = u64::MAX, hide_default_value = true)]
    pub max_states: u64,
    /// How often each pair of runs is repeated
    #[arg(long, value_name = "N", default_value_t = 3)]
    pub repeat: usize,
    /// Values for prom's --store, each a configuration of its own [default: prom's choice]
    #[arg(long, value_name = "LIST", value_delimiter = ',')]
    pub store: Vec<String>,
    /// Values for prom's --threads, each a configuration of its own
    #[arg(long, value_name = "LIST", value_delimiter = ',', default_value = "1")]
    pub threads: Vec<String>,
    /// Further options for prom, in one word; they replace those of the same name
    #[arg(long, value_name = "TEXT", default_value = "", allow_hyphen_values = true)]
    pub prom_args: String,
    /// The prom to run [default: built from this workspace]
    #[arg(long, value_name = "FILE")]
    pub prom: Option<PathBuf>,
    /// How SPIN's verifier is built
    #[arg(long, value_name = "KIND", default_value = "plain")]
    pub pan: Pan,
    /// The hash table of SPIN's verifier
    #[arg(long, value_name = "KIND", default_value = "default")]
    pub pan_table: Table,
    /// Seconds after which a run is ended
    #[arg(long, value_name = "SECONDS", default_value_t = 300)]
    pub limit: u64,
    /// The name of this run, part of its folder's name
    #[arg(long, value_name = "NAME")]
    pub name: Option<String>,
    /// The folder to write, instead of bench/runs/<date>-<name>
    #[arg(long, value_name = "DIR")]
    pub out: Option<PathBuf>,
}

/// How SPIN's verifier is built.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Pan {
    /// As the counts are compared: no reduction, no compression
    Plain,
    /// With `-DCOLLAPSE`, SPIN's lossless compression of states
    Collapse,
    /// Not at all
    None,
}

/// How large the hash table of SPIN's verifier is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Table {
    /// As it is without `-w`
    Default,
    /// Just right, by a `-w` that knows the number of states
    Sized,
}

impl Options {
    /// Is this model asked for?
    pub fn wants(&self, model: &Model) -> bool {
        (self.min_states..=self.max_states).contains(&model.states)
            && (model.quick || !self.quick)
            && self.only.as_ref().is_none_or(|part| model.name.contains(part))
    }

    /// What this run is called.
    pub fn run_name(&self) -> &str {
        self.name.as_deref().unwrap_or(if self.quick { "quick" } else { "full" })
    }

    /// The configurations of prom to compare: one for each store and number of threads.
    pub fn configurations(&self) -> Vec<String> {
        let stores = self.store.iter().map(|store| format!("--store {store} ")).collect::<Vec<_>>();
        let stores = if stores.is_empty() { vec![String::new()] } else { stores };
        let pairs = stores.iter().flat_map(|store| self.threads.iter().map(move |n| format!("{store}--threads {n}")));
        pairs.collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_store_meets_every_number_of_threads() {
        let options = Options::parse_from(["bench", "--store", "exact,tree", "--threads", "1,2"]);
        let expected = [
            "--store exact --threads 1",
            "--store exact --threads 2",
            "--store tree --threads 1",
            "--store tree --threads 2",
        ];
        assert_eq!(options.configurations(), expected);
        assert_eq!(Options::parse_from(["bench"]).configurations(), ["--threads 1"]);
    }

    #[test]
    fn options_for_prom_may_begin_with_a_dash() {
        let options = Options::parse_from(["bench", "--prom-args", "--search dfs"]);
        assert_eq!(options.prom_args, "--search dfs");
    }
}
