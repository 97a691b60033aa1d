//! The command line of this experiment.
use std::path::PathBuf;

use clap::Parser;

/// The model if nobody names one, from the root of the project: 439,895 states.
pub const MODEL: &str = "../shared/corpus/spin-examples/LTL/pftp.pml";

/// States found against memory, for each store; results go to bench/runs/<date>-coverage/
#[derive(Parser, Debug)]
#[command(name = "bench coverage")]
pub struct Options {
    /// The model, whose states must fit into memory [default: pftp.pml of the corpus]
    #[arg(long, value_name = "FILE")]
    pub model: Option<PathBuf>,
    /// The folder to write, instead of bench/runs/<date>-coverage
    #[arg(long, value_name = "DIR")]
    pub out: Option<PathBuf>,
}
