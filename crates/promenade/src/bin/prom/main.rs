//! `prom`: the command line.
//!
//! What was typed ([`args`]) becomes what it means ([`plan`]); the library does the work; the
//! report goes to standard output, everything else to standard error; [`exit`] decides the exit code.
mod abstracts;
mod args;
mod automata;
mod exit;
mod explain;
mod extract;
mod formula;
mod lts;
mod order;
mod plan;
mod shell;
mod simulate;
mod slices;
mod swarm;
mod units;
mod watch;

use std::io::{self, ErrorKind, IsTerminal, Write};
use std::path::Path;
use std::process::ExitCode;
use std::thread;

use clap::Parser;
use promenade::{Checked, Input, load};
use report::{Detail, Format, Report};

use args::{Arguments, Command, ExportArguments, MergeArguments, ReplayArguments, TraceFormat};
use exit::Exit;
use plan::Plan;
use swarm::{Ended, Swarm};
use watch::Monitor;

/// Stack for the work: deep models are walked recursively.
const STACK: usize = 64 << 20;

fn main() -> ExitCode {
    let arguments = match Arguments::parse().command {
        Command::Check(arguments) => arguments,
        Command::Merge(arguments) => return merge(&arguments).into(),
        Command::Automata(arguments) => return with_room("the drawing", || automata::run(&arguments)).into(),
        Command::Simulate(arguments) => return with_room("the simulation", || simulate::run(&arguments)).into(),
        Command::Replay(arguments) => return with_room("the replay", || replay(&arguments)).into(),
        Command::Export(arguments) => return export(&arguments).into(),
        Command::Lts(arguments) => return lts::run(&arguments).into(),
        Command::Explain(arguments) => return explain::run(&arguments).into(),
        Command::Completions(arguments) => return shell::completions(&arguments).into(),
        Command::Man => return shell::man().into(),
        Command::Abstract(arguments) => return abstracts::run(&arguments).into(),
        Command::Extract(arguments) => return extract::run(&arguments).into(),
        Command::Slice(arguments) => return slices::run(&arguments).into(),
        Command::Ltl(arguments) => {
            plan::automaton(&arguments).unwrap_or_else(|error| error.exit());
            return formula::run(&arguments).into();
        }
    };
    let plan = Plan::new(arguments).unwrap_or_else(|error| error.exit());
    watch::listen();
    with_room("the check", || check(&plan)).into()
}

/// Does something for which deep models and programs need a large stack.
fn with_room(what: &str, work: impl FnOnce() -> Exit + Send) -> Exit {
    thread::scope(|scope| match thread::Builder::new().stack_size(STACK).spawn_scoped(scope, work) {
        Ok(work) => work.join().unwrap_or_else(|_| {
            complain(&format!("internal error: {what} came to an unexpected end; please report this"), Exit::Unknown)
        }),
        Err(error) => complain(&format!("no thread to work on: {error}"), Exit::Unknown),
    })
}

/// The command `merge`.
fn merge(arguments: &MergeArguments) -> Exit {
    match swarm::merge_files(&arguments.files) {
        Ok(report) => show_and_tell(&report, plan::format(arguments.format), Detail::default(), false),
        Err(why) => complain(&why, Exit::Wrong),
    }
}

/// The command `export`.
fn export(arguments: &ExportArguments) -> Exit {
    let input = match input(&arguments.source.file) {
        Ok(input) => input,
        Err(exit) => return exit,
    };
    watch::listen();
    let mut monitor = Monitor::new(io::stderr().is_terminal());
    let (extras, limits) = plan::export(arguments);
    let front = plan::front(&arguments.source);
    let (checked, text) = promenade::export_smv(&input, &front, &extras, &limits, &mut monitor);
    let interrupted = monitor.finish();
    show_diagnostics(&checked);
    match (text, &arguments.output) {
        _ if interrupted => Exit::Interrupted,
        (None, _) => Exit::Wrong,
        (Some(text), file) => write_to(&text, file.as_deref(), "the program"),
    }
}

/// Writes a text to a file, or to standard output if none is given.
fn write_to(text: &str, file: Option<&Path>, what: &str) -> Exit {
    let Some(file) = file else { return write_out(text, what) };
    match std::fs::write(file, text) {
        Ok(()) => Exit::Holds,
        Err(error) => complain(&format!("`{}` cannot be written: {error}", file.display()), Exit::Wrong),
    }
}

/// The command `replay`.
fn replay(arguments: &ReplayArguments) -> Exit {
    let input = match extract::model(&arguments.source, &arguments.program, true) {
        Ok(input) => input,
        Err(exit) => return exit,
    };
    let (checked, replayed) = promenade::replay(&input, &arguments.trace, &plan::front(&arguments.source));
    show_diagnostics(&checked);
    let Some(replayed) = replayed else { return Exit::Wrong };
    let mut text = match arguments.format {
        TraceFormat::Text => format!("{}: {}\n", arguments.trace.display(), replayed.says).into_bytes(),
        TraceFormat::Json => return write_out(&(report::violation_json(&replayed.violation) + "\n"), "the trace"),
        TraceFormat::Html => return write_out(&report::page_html(&replayed.story), "the page"),
        TraceFormat::Svg => return write_out(&report::chart_svg(&replayed.story), "the chart"),
        TraceFormat::Columns => return write_out(&columns(&replayed.story), "the columns"),
    };
    let detail = Detail { verbose: arguments.verbose, stats: false, colour: false };
    match report::render_trace(&replayed.violation, detail, &mut text) {
        Ok(()) => write_out(&String::from_utf8_lossy(&text), "the trace"),
        Err(error) => complain(&format!("the trace cannot be written: {error}"), Exit::Wrong),
    }
}

/// Messages in columns.
fn columns(story: &report::Story) -> String {
    let (mut columns, mut text) = (report::Columns::default(), Vec::new());
    // Who comes later is announced then.
    let count = story.scenes.first().map_or(story.processes.len(), |it| it.processes.len());
    let first = story.processes.iter().take(count).map(|it| it.split(", ").next().unwrap_or(it).to_string());
    let first: Vec<String> = first.collect();
    // Memory can be written.
    let _ = columns.announce(&first, &mut text);
    for scene in &story.scenes {
        let _ = columns.write(&scene.processes, &scene.happenings, &mut text);
    }
    let _ = writeln!(text, "{}", story.says);
    String::from_utf8_lossy(&text).into_owned()
}

/// Writes what was asked for. That the reader stops reading is no error.
fn write_out(text: &str, what: &str) -> Exit {
    match io::stdout().write_all(text.as_bytes()) {
        Err(error) if error.kind() != ErrorKind::BrokenPipe => {
            complain(&format!("{what} cannot be written: {error}"), Exit::Wrong)
        }
        _ => Exit::Holds,
    }
}

/// The command `check` with `--swarm`.
fn check_in_swarm(swarm: &Swarm, plan: &Plan) -> Exit {
    if swarm.print {
        let written = swarm.commands().iter().try_for_each(|line| writeln!(io::stdout(), "{line}"));
        return if written.is_ok() { Exit::Holds } else { Exit::Wrong };
    }
    match swarm.run() {
        Ended::Report(report, interrupted) => show_and_tell(&report, plan.format, plan.detail(), interrupted),
        Ended::Failed(complaints, Exit::Wrong) => {
            let _ = write!(io::stderr(), "{complaints}");
            Exit::Wrong
        }
        Ended::Failed(why, exit) => complain(&why, exit),
    }
}

fn show_and_tell(report: &Report, format: Format, detail: Detail, interrupted: bool) -> Exit {
    match show(report, format, detail) {
        Ok(()) => exit::of_report(report, interrupted),
        Err(error) => complain(&format!("the report cannot be written: {error}"), Exit::Wrong),
    }
}

/// The command `check`.
fn check(plan: &Plan) -> Exit {
    if let Some(swarm) = &plan.swarm {
        return check_in_swarm(swarm, plan);
    }
    let input = match input(&plan.file) {
        Ok(input) => input,
        Err(exit) => return exit,
    };
    let mut monitor = Monitor::new(io::stderr().is_terminal());
    let checked = extract::check(&input, plan, &mut monitor);
    let interrupted = monitor.finish();
    show_diagnostics(&checked);
    let Some(report) = &checked.report else { return exit::of(&checked, interrupted) };
    if let Err(error) = show(report, plan.format, plan.detail()) {
        return complain(&format!("the report cannot be written: {error}"), Exit::Wrong);
    }
    if let Some(Err(why)) = plan.order.as_deref().map(|file| order::keep(file, report)) {
        return complain(&why, Exit::Wrong);
    }
    if let Some(error) = plan.stats_svg.as_deref().and_then(|file| draw_growth(report, file).err()) {
        return complain(&error, Exit::Wrong);
    }
    if let Some(checkpoint) = plan.options.checkpoint.as_ref().filter(|_| report.checkpoint.is_none()) {
        // The search is over and told of. If the file cannot be removed, it does no harm.
        let _ = std::fs::remove_file(&checkpoint.file);
    }
    exit::of(&checked, interrupted)
}

/// Draws how sets of states grew.
fn draw_growth(report: &Report, file: &Path) -> Result<(), String> {
    let drawn = report::growth_svg(report).ok_or("`--stats-svg`: no search with sets came to its end")?;
    std::fs::write(file, drawn).map_err(|error| format!("`{}` cannot be written: {error}", file.display()))
}

/// The file, or what comes from standard input if the file is `-`.
fn input(file: &Path) -> Result<Input, Exit> {
    if file.as_os_str() != "-" {
        return Ok(Input::File(file.to_path_buf()));
    }
    let name = "<stdin>".to_string();
    match load::read(&mut io::stdin()) {
        Ok(bytes) => Ok(Input::Bytes { name, bytes }),
        Err(error) => Err(complain(&load::explain(&name, &error).message, Exit::Wrong)),
    }
}

fn show_diagnostics(checked: &Checked) {
    let mut out = io::stderr().lock();
    let colour = plan::shows_colour(out.is_terminal());
    // If nobody can hear it, there is nobody to tell that.
    let _ = report::diagnostics::write(&checked.diagnostics, &checked.sources, colour, &mut out);
}

/// Writes the report. That the reader stops reading is no error.
fn show(report: &Report, format: Format, detail: Detail) -> io::Result<()> {
    let stdout = io::stdout().lock();
    let colour = plan::shows_colour(stdout.is_terminal());
    let mut out = io::BufWriter::new(stdout);
    let detail = Detail { colour, ..detail };
    let written = report::render(report, format, detail, &mut out).and_then(|()| out.flush());
    match written {
        Err(error) if error.kind() == ErrorKind::BrokenPipe => {
            // What is still in the buffer has no reader either.
            let _ = out.into_parts();
            Ok(())
        }
        other => other,
    }
}

fn complain(message: &str, exit: Exit) -> Exit {
    let _ = writeln!(io::stderr(), "error: {message}");
    exit
}
