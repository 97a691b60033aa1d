//! The command `lts`: labelled transition systems.
use std::fmt::Write as _;
use std::fs::{self, File};
use std::io::{self, BufWriter, ErrorKind, IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::time::Duration;

use ::lts::{Comparison, Equivalence, Lts, Silent, Statistics};
use clap::{Args, ValueEnum};
use engine::Limits;
use promenade::{Naming, labelled_system, memory};

use crate::args::Source;
use crate::exit::Exit;
use crate::watch::{self, Monitor};
use crate::{complain, input, plan, show_diagnostics, units, write_out};

/// Labels that are listed.
const LISTED: usize = 20;

/// Characters of a formula that are shown.
const LONGEST: usize = 2000;

#[derive(Args)]
#[command(after_help = "\
Example: prom lts peterson.pml --hide 'P*' --minimise branching -o small.aut
         prom lts small.aut --equivalent other.aut --modulo branching
Exit code: 0, or equivalent; 1 not equivalent; 2 wrong input; 3 a limit was reached")]
pub struct LtsArguments {
    #[command(flatten)]
    pub source: Source,
    /// Make the smallest system that is equivalent
    #[arg(long, alias = "minimize", value_enum, value_name = "EQUIVALENCE")]
    pub minimise: Option<Modulo>,
    /// Steps with these labels become silent: `*` for any text, `?` for any character (repeatable)
    #[arg(long, value_name = "PATTERN")]
    pub hide: Vec<String>,
    /// Compare with the system of this file (.aut or a model); PATTERNs count for both
    #[arg(long, value_name = "FILE")]
    pub equivalent: Option<PathBuf>,
    /// What counts as equivalent [default: strong]
    #[arg(long, value_enum, value_name = "EQUIVALENCE", requires = "equivalent")]
    pub modulo: Option<Modulo>,
    /// Write the system to FILE (.aut), `-` for standard output
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,
    /// What silent steps are called in FILE: i for CADP, tau for mCRL2 and LTSmin
    #[arg(long, value_enum, default_value = "i")]
    pub silent: SilentName,
    /// What steps of a model without actions are called
    #[arg(long, value_enum, default_value = "process")]
    pub labels: Labels,
    /// Memory for states: 512M, 4G [default: what is free]
    #[arg(long, value_name = "SIZE", value_parser = units::memory)]
    pub memory: Option<u64>,
    /// Time to visit all states: 60s, 5m
    #[arg(long, value_name = "TIME", value_parser = units::time)]
    pub time: Option<Duration>,
}

/// Names of equivalences.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Modulo {
    /// Strong bisimilarity
    Strong,
    /// Branching bisimilarity: silent steps that change nothing do not count, however many
    Branching,
    /// The same, but going on silently for ever does
    Divbranching,
}

impl From<Modulo> for Equivalence {
    fn from(it: Modulo) -> Self {
        match it {
            Modulo::Strong => Equivalence::Strong,
            Modulo::Branching => Equivalence::Branching,
            Modulo::Divbranching => Equivalence::DivergenceBranching,
        }
    }
}

/// Names of the silent step.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum SilentName {
    I,
    Tau,
}

/// Ways to call steps.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Labels {
    /// P(1): x = 1
    Process,
    /// x = 1
    Statement,
}

/// Runs the command.
pub fn run(arguments: &LtsArguments) -> Exit {
    watch::listen();
    work(arguments).unwrap_or_else(|exit| exit)
}

fn work(arguments: &LtsArguments) -> Result<Exit, Exit> {
    let system = open(arguments, &arguments.source.file)?;
    if let Some(other) = &arguments.equivalent {
        return compare(arguments, &system, &open(arguments, other)?);
    }
    let mut text = String::new();
    describe(&arguments.source.file.display().to_string(), &::lts::statistics(&system), &mut text);
    let system = match arguments.minimise {
        Some(equivalence) => {
            let small = ::lts::minimise(&system, equivalence.into());
            describe(&format!("minimised ({})", name(equivalence)), &::lts::statistics(&small), &mut text);
            small
        }
        None => system,
    };
    let Some(file) = &arguments.output else { return Ok(write_out(&text, "the figures")) };
    let silent = match arguments.silent {
        SilentName::I => Silent::I,
        SilentName::Tau => Silent::Tau,
    };
    let _ = write!(io::stderr(), "{text}");
    match write_system(&system, silent, file) {
        Err(error) if error.kind() != ErrorKind::BrokenPipe => {
            Err(complain(&format!("`{}` cannot be written: {error}", file.display()), Exit::Wrong))
        }
        _ => Ok(Exit::Holds),
    }
}

fn name(equivalence: Modulo) -> &'static str {
    match equivalence {
        Modulo::Strong => "strong",
        Modulo::Branching => "branching",
        Modulo::Divbranching => "divbranching",
    }
}

/// The system of a file, with what is to be hidden hidden.
fn open(arguments: &LtsArguments, file: &Path) -> Result<Lts, Exit> {
    let limits = Limits { depth: None, memory: arguments.memory.or_else(memory::available), time: arguments.time };
    let naming = match arguments.labels {
        Labels::Process => Naming::Process,
        Labels::Statement => Naming::Statement,
    };
    let mut monitor = Monitor::new(io::stderr().is_terminal());
    let (checked, system) =
        labelled_system(&input(file)?, &plan::front(&arguments.source), naming, &limits, &mut monitor);
    let interrupted = monitor.finish();
    show_diagnostics(&checked);
    let is_limit = checked.diagnostics.iter().any(|it| it.code == "incomplete");
    let system = system.ok_or(match (interrupted, is_limit) {
        (true, _) => Exit::Interrupted,
        (_, true) => Exit::Unknown,
        _ => Exit::Wrong,
    })?;
    let is_hidden = |label: &str| arguments.hide.iter().any(|it| ::lts::matches(it, label));
    Ok(if arguments.hide.is_empty() { system } else { system.hide(is_hidden) })
}

fn compare(arguments: &LtsArguments, one: &Lts, other: &Lts) -> Result<Exit, Exit> {
    let equivalence = arguments.modulo.or(arguments.minimise).unwrap_or(Modulo::Strong);
    let (text, exit) = match ::lts::compare(one, other, equivalence.into()) {
        Comparison::Equivalent => (format!("equivalent ({})\n", name(equivalence)), Exit::Holds),
        Comparison::Different(formula) => {
            let formula = formula.and_then(|it| it.text(LONGEST));
            let why = match formula {
                Some(formula) => format!("true of the first, not of the second: {formula}\n"),
                None => "what tells them apart is too long to be shown\n".into(),
            };
            (format!("not equivalent ({})\n{why}", name(equivalence)), Exit::Violated)
        }
    };
    match write_out(&text, "the answer") {
        Exit::Holds => Ok(exit),
        other => Err(other),
    }
}

fn describe(title: &str, it: &Statistics, out: &mut String) {
    let mut line = |text: String| _ = writeln!(out, "  {text}");
    line(format!("{title}:"));
    let unreached = it.states - it.reachable;
    let reached = if unreached > 0 { format!(" ({unreached} cannot be reached)") } else { String::new() };
    line(format!("  states        {}{reached}", it.states));
    line(format!("  transitions   {} ({} silent)", it.transitions, it.silent));
    let first = it.first_deadlock.map_or(String::new(), |it| format!(" (the nearest is {it})"));
    line(format!("  deadlocks     {}{first}", it.deadlocks));
    line(format!("  depth         {}", it.depth));
    line(format!("  outgoing      {} at most", it.most_outgoing));
    line(format!("  deterministic {}", if it.deterministic { "yes" } else { "no" }));
    line(format!("  labels        {}", it.labels.len()));
    for (label, count) in it.labels.iter().take(LISTED) {
        line(format!("    {count:>9}  {label}"));
    }
    if it.labels.len() > LISTED {
        line(format!("    … and {} more", it.labels.len() - LISTED));
    }
}

/// Writes a system to where it belongs when it is complete.
fn write_system(system: &Lts, silent: Silent, file: &Path) -> io::Result<()> {
    if file.as_os_str() == "-" {
        let mut out = BufWriter::new(io::stdout().lock());
        return ::lts::write(system, silent, &mut out).and_then(|()| out.flush());
    }
    if file.exists() && !file.is_file() {
        let mut out = BufWriter::new(File::create(file)?);
        return ::lts::write(system, silent, &mut out).and_then(|()| out.flush());
    }
    let part = file.with_extension("aut.part");
    let mut out = BufWriter::new(File::create(&part)?);
    let written = ::lts::write(system, silent, &mut out).and_then(|()| out.flush());
    written.and_then(|()| fs::rename(&part, file)).inspect_err(|_| _ = fs::remove_file(&part))
}
