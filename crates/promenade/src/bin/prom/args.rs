//! What can be typed.
use std::path::PathBuf;
use std::time::Duration;

use clap::{ArgAction, Args, Parser, Subcommand, ValueEnum};

use crate::units;

/// Promenade checks models of concurrent systems.
#[derive(Parser)]
#[command(name = "prom", version, after_help = "Example: prom check peterson.pml")]
pub struct Arguments {
    #[command(subcommand)]
    pub command: Command,
}

#[derive(Subcommand)]
pub enum Command {
    /// Verify a model: assertions, end states, run-time errors, temporal properties
    Check(Box<CheckArguments>),
    /// Draw processes as graphs, or all states; or show which steps may go first
    Automata(crate::automata::AutomataArguments),
    /// Labelled transition systems: write the one of a model, minimise, compare
    Lts(crate::lts::LtsArguments),
    /// Show the Büchi automaton of a formula
    Ltl(LtlArguments),
    /// Write a model as a program for another checker: NuSMV, nuXmv
    Export(ExportArguments),
    /// Run a model: by chance, along a trace, or step by step as you choose
    Simulate(Box<crate::simulate::SimulateArguments>),
    /// Write the part of a model that can matter to a property, and why
    Slice(crate::slices::SliceArguments),
    /// Replace variables by predicates, check, and refine
    Abstract(crate::abstracts::AbstractArguments),
    /// Make a model of functions of a C program, and the table that says what its statements become
    Extract(crate::extract::ExtractArguments),
    /// Show a counterexample step by step: a file of `check --trace`, or a trail of SPIN's
    Replay(ReplayArguments),
    /// Merge JSON reports of the members of a swarm that ran elsewhere
    Merge(MergeArguments),
    /// Explain the code of a message, with a wrong and a right example
    Explain(crate::explain::ExplainArguments),
    /// Write completions for a shell
    Completions(crate::shell::CompletionsArguments),
    /// Write the manual page
    Man,
}

#[derive(Args)]
#[command(after_help = "\
Example: prom ltl '[] (request -> <> granted)' --negate, the never claim that SPIN makes of it
Exit code: 0, 2 for wrong input, 3 if the automaton is too large")]
pub struct LtlArguments {
    /// The formula, as in `ltl { … }`; conditions are Promela expressions
    #[arg(required_unless_present = "file", conflicts_with = "file")]
    pub formula: Option<String>,
    /// Read the formula from here
    #[arg(long, value_name = "FILE")]
    pub file: Option<PathBuf>,
    /// How the automaton is written
    #[arg(long, value_enum, default_value_t)]
    pub format: AutomatonFormat,
    /// The automaton of what the formula forbids
    #[arg(long)]
    pub negate: bool,
    /// Several acceptance sets, on edges: mostly fewer states (hoa, dot, svg)
    #[arg(long, alias = "generalized")]
    pub generalised: bool,
}

/// A model and how to read it.
#[derive(Args)]
pub struct Source {
    /// The model; `-` for standard input
    pub file: PathBuf,
    /// Define a macro
    #[arg(short = 'D', value_name = "NAME[=VALUE]", value_parser = units::definition)]
    pub define: Vec<(String, String)>,
    /// Look for included files here too
    #[arg(short = 'I', value_name = "DIR")]
    pub include: Vec<PathBuf>,
    /// Which Promela
    #[arg(long, value_enum, default_value_t, hide_default_value = true)]
    pub dialect: Language,
}

#[derive(Args)]
#[command(after_help = "\
Example: prom export peterson.pml --to smv -o peterson.smv, then: NuSMV peterson.smv
Exit code: 0, or 2 for wrong input or a model that cannot be said there")]
pub struct ExportArguments {
    #[command(flatten)]
    pub source: Source,
    /// The language
    #[arg(long, value_enum)]
    pub to: Target,
    /// Write to FILE instead of standard output
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,
    /// One more property: FORMULA, `name: FORMULA`, or @FILE with one (repeatable)
    #[arg(long, value_name = "FORMULA")]
    pub ltl: Vec<String>,
    /// The same in branching time (repeatable)
    #[arg(long, value_name = "FORMULA")]
    pub ctl: Vec<String>,
    /// Memory to prove that there is room for all that happens: 512M, 4G [default: what is free]
    #[arg(long, value_name = "SIZE", value_parser = units::memory)]
    pub memory: Option<u64>,
    /// Time for it: 60s, 5m [default: 60s]
    #[arg(long, value_name = "TIME", value_parser = units::time)]
    pub time: Option<Duration>,
}

#[derive(Args)]
#[command(after_help = "\
Example: prom check peterson.pml --trace bug, then: prom replay peterson.pml bug
Exit code: 0, or 2 for wrong input or a trace that does not fit the model")]
pub struct ReplayArguments {
    #[command(flatten)]
    pub source: Source,
    #[command(flatten)]
    pub program: crate::extract::Program,
    /// The counterexample
    pub trace: PathBuf,
    /// How it is shown: as a story, for programs, as a page, a chart, or as `spin -c` does
    #[arg(long, value_enum, default_value_t, hide_default_value = true)]
    pub format: TraceFormat,
    /// Show lists in full
    #[arg(long)]
    pub verbose: bool,
}

/// How a counterexample is shown.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum TraceFormat {
    #[default]
    Text,
    Json,
    Html,
    Svg,
    Columns,
}

#[derive(Args)]
#[command(after_help = "\
Example: prom check big.pml --swarm 100 --print-commands, run each command, then: prom merge *.json
Exit code: 1 violated, 2 wrong input, 3 unknown")]
pub struct MergeArguments {
    /// What `prom check --format json` has written
    #[arg(required = true)]
    pub files: Vec<PathBuf>,
    /// How the report is written
    #[arg(long, value_enum, default_value_t, hide_default_value = true)]
    pub format: ReportFormat,
}

#[derive(Args)]
#[command(
    args_override_self = true,
    disable_help_flag = true,
    after_help = "\
Example: prom check peterson.pml --memory 4G --time 60s
Exit code: 0 holds, 1 violated, 2 wrong input, 3 unknown, 130 interrupted"
)]
pub struct CheckArguments {
    #[command(flatten)]
    pub source: Source,
    #[command(flatten)]
    pub program: crate::extract::Program,
    /// Check just this property (repeatable): safety, deadlock (a part of it), or a name
    #[arg(long, value_name = "NAME")]
    pub only: Vec<String>,
    /// One more property: FORMULA, `name: FORMULA`, or @FILE with one (repeatable)
    #[arg(long, value_name = "FORMULA")]
    pub ltl: Vec<String>,
    /// The same in branching time (repeatable)
    #[arg(long, value_name = "FORMULA")]
    pub ctl: Vec<String>,
    /// In branching time, only paths count on which this is true again and again (repeatable)
    #[arg(long, hide_short_help = true, value_name = "CONDITION")]
    pub fairness: Vec<String>,
    /// One more property: a never claim, or a HOA automaton of what must not happen
    #[arg(long, visible_alias = "hoa", value_name = "FILE")]
    pub never: Vec<PathBuf>,
    /// Do not stop at the first violation
    #[arg(long)]
    pub all_errors: bool,
    /// Look for cycles without progress, too (pan -l)
    #[arg(long)]
    pub progress: bool,
    /// Who can move all the time does so in the end (pan -f)
    #[arg(long)]
    pub fair: bool,
    /// Who can move again and again does so in the end
    #[arg(long)]
    pub strongly_fair: bool,
    /// Ending where no end is expected is fine (pan -E)
    #[arg(long)]
    pub no_end_states: bool,
    /// False assertions are fine (pan -A)
    #[arg(long)]
    pub no_assertions: bool,
    /// Who searches
    #[arg(long, value_enum, default_value_t, hide_default_value = true)]
    pub engine: Engine,
    /// Partial-order reduction
    #[arg(long, value_enum, default_value_t, hide_default_value = true)]
    pub reduction: Reduction,
    /// What twophase stores of its first phase [default: all]
    #[arg(long, hide_short_help = true, value_enum, value_name = "WHAT")]
    pub cache: Option<Cache>,
    /// How far the first phase of twophase goes [default: strong]
    #[arg(long, hide_short_help = true, value_enum, value_name = "HOW")]
    pub phase1: Option<Variant>,
    /// Believe `xr` and `xs` instead of checking them (PV's SKIP_XRXS)
    #[arg(long, hide_short_help = true)]
    pub trust_xr_xs: bool,
    /// How visited states are kept
    #[arg(long, value_enum, default_value_t, hide_default_value = true)]
    pub store: Store,
    /// In which order states are visited
    #[arg(long, value_enum, default_value_t, hide_default_value = true)]
    pub search: SearchOrder,
    /// From where the symbolic engine evaluates branching time [default: auto]
    #[arg(long, hide_short_help = true, value_enum, value_name = "HOW")]
    pub method: Option<Evaluation>,
    /// What is done to the model first; spin: what SPIN does [default: full]
    #[arg(long, value_enum, value_name = "LIST", value_delimiter = ',', num_args = 1, overrides_with = "no_optimize")]
    pub optimize: Option<Vec<Optimization>>,
    /// One step per statement, no variable left out
    #[arg(long, overrides_with = "optimize")]
    pub no_optimize: bool,
    /// Ask about the part of the model that can matter [default: auto, off with --no-optimize or --reduction none]
    #[arg(long, value_enum, default_value_t, hide_default_value = true)]
    pub slice: Slicing,
    /// Bits that a state sets in a bitstate store [default: 3]
    #[arg(long, hide_short_help = true, value_name = "K", value_parser = clap::value_parser!(u32).range(1..=64))]
    pub hashes: Option<u32>,
    /// Search so often with a store that may leave out states
    #[arg(long, hide_short_help = true, value_name = "N", default_value_t = 1, hide_default_value = true, value_parser = clap::value_parser!(u32).range(1..))]
    pub passes: u32,
    /// Of hash functions, and of the order of successors with `--search dfs`
    #[arg(long, value_name = "N")]
    pub seed: Option<u64>,
    /// Run N different bitstate searches (--print-commands: only print them)
    #[arg(long, value_name = "N")]
    pub swarm: Option<u32>,
    /// Print the commands of the swarm, for a job scheduler
    #[arg(long, hide_short_help = true)]
    pub print_commands: bool,
    /// Worker threads [default: all cores]
    #[arg(long, value_name = "N")]
    pub threads: Option<u32>,
    /// Memory for states: 512M, 4G [default: what is free]
    #[arg(long, value_name = "SIZE", value_parser = units::memory)]
    pub memory: Option<u64>,
    /// Time for the search: 60s, 5m
    #[arg(long, value_name = "TIME", value_parser = units::time)]
    pub time: Option<Duration>,
    /// Follow no path further than N steps
    #[arg(long, value_name = "N")]
    pub max_depth: Option<u64>,
    /// Interrupt processes at most N times (dfs; pan -L)
    #[arg(long, hide_short_help = true, value_name = "N")]
    pub max_switches: Option<u16>,
    /// Go on until a shortest counterexample is found (dfs; pan -i)
    #[arg(long, value_enum, value_name = "HOW", num_args = 0..=1, require_equals = true, default_missing_value = "fully")]
    pub shorten: Option<Shortening>,
    /// Save the search to FILE now and then, and when it is stopped
    #[arg(long, value_name = "FILE")]
    pub checkpoint: Option<PathBuf>,
    /// Time between two checkpoints [default: 10m]
    #[arg(long, hide_short_help = true, value_name = "TIME", value_parser = units::time)]
    pub every: Option<Duration>,
    /// Go on from the checkpoint in FILE, and keep it up to date
    #[arg(long, value_name = "FILE")]
    pub resume: Option<PathBuf>,
    /// Take the order of the diagrams from FILE; if there is none, write the order that was found (symbolic)
    #[arg(long, hide_short_help = true, value_name = "FILE")]
    pub order: Option<PathBuf>,
    /// How the report is written
    #[arg(long, value_enum, default_value_t, hide_default_value = true)]
    pub format: ReportFormat,
    /// Write the first counterexample to FILE, and to FILE.trail for SPIN
    #[arg(long, value_name = "FILE")]
    pub trace: Option<PathBuf>,
    /// Show every step of a counterexample
    #[arg(long)]
    pub full_trace: bool,
    /// Say nothing about what is allowed and seldom meant
    #[arg(long, hide_short_help = true)]
    pub no_warnings: bool,
    /// Show lists in full
    #[arg(long)]
    pub verbose: bool,
    /// Show what the symbolic engine says about itself
    #[arg(long, hide_short_help = true)]
    pub stats: bool,
    /// Draw how many nodes the symbolic engine had, round by round, into FILE (SVG)
    #[arg(long, hide_short_help = true, value_name = "FILE")]
    pub stats_svg: Option<PathBuf>,
    /// The options that most people need
    #[arg(short, long, action = ArgAction::HelpShort)]
    help: Option<bool>,
    /// All options
    #[arg(long, action = ArgAction::HelpLong)]
    help_all: Option<bool>,
}

/// Languages of other checkers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Target {
    Smv,
}

/// How formulas of branching time are evaluated.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Evaluation {
    Auto,
    Backward,
    Forward,
    ForwardPor,
}

/// Names of engines.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum Engine {
    #[default]
    Auto,
    Reference,
    Explicit,
    Symbolic,
}

/// Names of reductions.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum Reduction {
    #[default]
    Auto,
    None,
    Ample,
    Spin,
    Twophase,
    Stubborn,
    Improviso,
}

/// Which states of the first phase are stored.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Cache {
    All,
    BackEdges,
    None,
}

/// How far the first phase goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Variant {
    Strong,
    Plain,
}

/// Names of optimisations.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Optimization {
    Fold,
    Hide,
    Dead,
    Range,
    Merge,
    Full,
    Spin,
    None,
}

/// Whether models are sliced.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum Slicing {
    #[default]
    Auto,
    Unused,
    #[value(alias = "on")]
    Full,
    Off,
}

/// Names of stores.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum Store {
    #[default]
    Auto,
    Exact,
    Tree,
    HashCompact,
    Bitstate,
}

/// Names of search orders.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum SearchOrder {
    #[default]
    Auto,
    Bfs,
    Dfs,
    Chaining,
    Saturation,
}

/// Ways to shorten counterexamples.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Shortening {
    Fully,
    Halving,
}

/// Names of formats.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum ReportFormat {
    #[default]
    Text,
    Json,
    Sarif,
    Junit,
    Spin,
}

/// Names of formats of automata.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum AutomatonFormat {
    #[default]
    Never,
    Hoa,
    Dot,
    Svg,
}

/// Names of dialects.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum Language {
    #[default]
    Spin,
    Pv,
}
