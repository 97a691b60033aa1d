//! The command `automata`: processes or states as graphs.
use std::io::{self, IsTerminal};
use std::path::PathBuf;

use clap::{Args, ValueEnum};
use drawing::Graph;
use promenade::{Drawn, Input};

use crate::args::Source;
use crate::exit::Exit;
use crate::extract::{Program, model};
use crate::watch::{self, Monitor};
use crate::{plan, show_diagnostics, write_to};

/// States that are drawn if nobody says how many.
const DRAWN: usize = 200;
/// States that are visited to find out what is never reached.
const VISITED: usize = 200_000;

#[derive(Args)]
#[command(after_help = "\
Example: prom automata leader.pml --format svg -o leader.svg
         prom automata peterson.pml --state-space --format svg -o states.svg
Exit code: 0, or 2 for wrong input or more states than can be drawn")]
pub struct AutomataArguments {
    #[command(flatten)]
    pub source: Source,
    #[command(flatten)]
    pub program: Program,
    /// How the graphs are written
    #[arg(long, value_enum, default_value_t)]
    pub format: GraphFormat,
    /// Only the process with this name
    #[arg(long, value_name = "NAME")]
    pub process: Option<String>,
    /// Draw the way of a counterexample in red: a file of `check --trace`, or a trail of SPIN's
    #[arg(long, value_name = "FILE")]
    pub trace: Option<PathBuf>,
    /// All states and the steps between them instead, if there are few enough
    #[arg(long, conflicts_with_all = ["process", "trace"])]
    pub state_space: bool,
    /// The most states that are drawn [default: 200], or visited to find what is never reached [default: 200000]
    #[arg(long, value_name = "N")]
    pub limit: Option<usize>,
    /// Write to FILE instead of standard output
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,
    /// A list instead: per process and step, local, safe, safe on a condition, or why it is not
    #[arg(long, conflicts_with_all = ["format", "process", "trace", "state_space", "limit"])]
    pub independence: bool,
}

/// How a graph is written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum GraphFormat {
    #[default]
    Dot,
    Svg,
}

/// Runs the command.
pub fn run(arguments: &AutomataArguments) -> Exit {
    let input = match model(&arguments.source, &arguments.program, false) {
        Ok(input) => input,
        Err(exit) => return exit,
    };
    let Some(text) = text(&input, arguments) else { return Exit::Wrong };
    write_to(&text, arguments.output.as_deref(), "the graph")
}

fn text(input: &Input, arguments: &AutomataArguments) -> Option<String> {
    let front = plan::front(&arguments.source);
    if arguments.independence {
        let (checked, text) = promenade::independence(input, &front);
        show_diagnostics(&checked);
        return text;
    }
    watch::listen();
    let mut monitor = Monitor::new(io::stderr().is_terminal());
    let (checked, pictures) = if arguments.state_space {
        let most = arguments.limit.unwrap_or(DRAWN);
        let (checked, graph) = promenade::state_space(input, &front, most, &mut monitor);
        (checked, graph.map(|it| vec![("states".to_string(), it)]))
    } else {
        let most_states = arguments.limit.unwrap_or(VISITED);
        let drawn = Drawn { process: arguments.process.clone(), trace: arguments.trace.clone(), most_states };
        promenade::automata(input, &front, &drawn, &mut monitor)
    };
    monitor.finish();
    show_diagnostics(&checked);
    let title = arguments.source.file.display().to_string();
    pictures.map(|it| written(&it, &title, arguments.format))
}

fn written(pictures: &[(String, Graph)], title: &str, format: GraphFormat) -> String {
    match format {
        GraphFormat::Dot => pictures.iter().map(|(name, graph)| drawing::dot(graph, name)).collect(),
        GraphFormat::Svg => drawing::svg_of_all(pictures, title),
    }
}
