//! The command `simulate`: one execution, chosen by chance, by a trace or by a person.
use std::hash::{BuildHasher, RandomState};
use std::io::{self, BufWriter, ErrorKind, IsTerminal, Write};
use std::path::PathBuf;

use clap::Args;
use model::Model;
use model::semantics::{Semantics, Step};
use promenade::{Opened, open, replay};
use ratatui::crossterm::event::{self, Event, KeyCode, KeyEventKind, KeyModifiers};
use report::{Detail, Terms};
use simulate::{Action, Dice, End, History, Key, Printer, Prints, Screen, Walk, converse};

use crate::args::Source;
use crate::exit::Exit;
use crate::extract::{Program, model};
use crate::{complain, plan, show_diagnostics, watch};

#[derive(Args)]
#[command(after_help = "\
Example: prom simulate leader.pml -p -g --seed 7
         prom simulate philosophers.pml -D BROKEN --interactive
Exit code: 0, 1 if the execution ends in an error, 2 for wrong input")]
pub struct SimulateArguments {
    #[command(flatten)]
    pub source: Source,
    #[command(flatten)]
    pub program: Program,
    /// Choose the steps of this seed [default: another one each time]
    #[arg(short = 'n', long, value_name = "NUMBER")]
    pub seed: Option<u64>,
    /// Choose the steps yourself: on the whole screen, or line by line in a pipe
    #[arg(short, long)]
    pub interactive: bool,
    /// Take the steps of a trace, ours or SPIN's
    #[arg(short = 't', long, visible_alias = "trace", value_name = "FILE")]
    pub trail: Option<PathBuf>,
    /// Stop after so many steps
    #[arg(short = 'u', long, value_name = "N", default_value_t = 10_000)]
    pub steps: usize,
    /// Show nothing of the steps before this one
    #[arg(short = 'j', long, value_name = "N", default_value_t = 0, hide_default_value = true)]
    pub quiet_until: usize,
    /// Show every statement that is executed
    #[arg(short = 'p', long)]
    pub statements: bool,
    /// Show changes of global variables and channels
    #[arg(short = 'g', long)]
    pub globals: bool,
    /// Show changes of local variables
    #[arg(short = 'l', long)]
    pub locals: bool,
    /// Show messages that are sent
    #[arg(short = 's', long)]
    pub sends: bool,
    /// Show messages that are received
    #[arg(short = 'r', long)]
    pub receives: bool,
    /// Show messages in a column for each process
    #[arg(short = 'c', long)]
    pub columns: bool,
    /// Messages for a full channel are lost
    #[arg(short = 'm', long)]
    pub lossy: bool,
    /// What `printf` writes is not indented
    #[arg(short = 'T', long)]
    pub flush_left: bool,
    /// Do not show the last state
    #[arg(short = 'B', long)]
    pub no_final: bool,
}

/// Runs the command.
pub fn run(arguments: &SimulateArguments) -> Exit {
    let input = match model(&arguments.source, &arguments.program, true) {
        Ok(input) => input,
        Err(exit) => return exit,
    };
    let front = plan::front(&arguments.source);
    let (input, steps) = match &arguments.trail {
        None => (input, None),
        Some(trail) => {
            let (checked, replayed) = replay(&input, trail, &front);
            let Some(replayed) = replayed else {
                show_diagnostics(&checked);
                return Exit::Wrong;
            };
            (replayed.model, Some(replayed.violation.trace.steps))
        }
    };
    let Opened { checked, name, model, .. } = open(&input, &front, &[]);
    show_diagnostics(&checked);
    let Some(model) = model else { return Exit::Wrong };
    let system = semantics(&model, arguments.lossy);
    let terms = Terms { system: &system, sources: &checked.sources };
    let simulated = match arguments.interactive {
        true => interact(terms, arguments, &name, steps.as_deref()),
        false => go(terms, arguments, steps.as_deref()),
    };
    match simulated {
        Ok(exit) => exit,
        Err(error) if error.kind() == ErrorKind::BrokenPipe => Exit::Holds,
        Err(error) => complain(&error.to_string(), Exit::Wrong),
    }
}

fn semantics(model: &Model, lossy: bool) -> Semantics<'_> {
    let system = Semantics::new(model).listening();
    if lossy { system.losing() } else { system }
}

/// The seed that was given, or one that nobody expects, short enough to be typed again.
fn seed(arguments: &SimulateArguments) -> u64 {
    arguments.seed.unwrap_or_else(|| RandomState::new().hash_one(0) % 1_000_000)
}

/// A model that cannot start.
fn no_start(fault: model::semantics::Fault) -> io::Error {
    io::Error::other(format!("the initial state cannot be computed: {fault:?}"))
}

/// By chance, or along the steps of a trace.
fn go(terms: Terms<'_>, arguments: &SimulateArguments, steps: Option<&[Step]>) -> io::Result<Exit> {
    let mut out = BufWriter::new(io::stdout().lock());
    let seed = seed(arguments);
    if steps.is_none() {
        writeln!(out, "seed {seed}")?;
    }
    watch::listen();
    let (mut dice, mut walk) = (Dice::new(seed), Walk::new(terms.system).map_err(no_start)?);
    let mut printer = Printer::new(terms, prints(arguments));
    printer.start(&walk, &mut out)?;
    let stop = arguments.steps;
    while walk.length() < stop && walk.end().is_none_or(|it| steps.is_some() && goes_on(it)) && !watch::is_interrupted()
    {
        let moved = match steps {
            None => dice.choose(walk.choices()).is_some_and(|row| walk.take(row)),
            Some(steps) => steps.get(walk.length()).is_some_and(|&step| walk.follow(step)),
        };
        if !moved {
            break;
        }
        printer.step(&walk, &mut out)?;
    }
    printer.end_line(&mut out)?;
    ending(&walk, terms, arguments, steps, &mut out)?;
    out.flush()?;
    Ok(exit(&walk))
}

/// Whether a trace may go on behind what is wrong.
fn goes_on(end: End) -> bool {
    matches!(end, End::Failed(_) | End::Broken(..))
}

fn prints(it: &SimulateArguments) -> Prints {
    Prints {
        statements: it.statements,
        globals: it.globals,
        locals: it.locals,
        sends: it.sends,
        receives: it.receives,
        columns: it.columns,
        flush_left: it.flush_left,
        quiet_until: it.quiet_until,
    }
}

fn ending(
    walk: &Walk<'_>,
    terms: Terms<'_>,
    arguments: &SimulateArguments,
    steps: Option<&[Step]>,
    out: &mut dyn Write,
) -> io::Result<()> {
    let length = walk.length();
    match walk.says(terms) {
        Some(says) => writeln!(out, "after step {length}: {says}")?,
        None if watch::is_interrupted() => writeln!(out, "after step {length}: interrupted")?,
        None if steps.is_some_and(|it| it.len() == length) => writeln!(out, "after step {length}: the trace ends")?,
        None => writeln!(out, "after step {length}: stopped; --steps sets when")?,
    }
    if arguments.no_final {
        return Ok(());
    }
    writeln!(out, "The last state:")?;
    report::render_snapshot(&terms.snapshot(walk.here()), Detail::default(), out)
}

fn exit(walk: &Walk<'_>) -> Exit {
    if walk.end().is_some_and(End::is_error) { Exit::Violated } else { Exit::Holds }
}

/// With a person.
fn interact(terms: Terms<'_>, arguments: &SimulateArguments, name: &str, steps: Option<&[Step]>) -> io::Result<Exit> {
    let mut history = History::new(terms).map_err(no_start)?;
    // Along a trace the person begins at the start, with all of its steps ahead.
    steps.unwrap_or_default().iter().all(|&step| history.follow(step));
    history.jump(0);
    let seed = seed(arguments);
    let mut dice = Dice::new(seed);
    if !io::stdin().is_terminal() || !io::stdout().is_terminal() {
        let failed = converse(&mut history, &mut dice, &mut io::stdin().lock(), &mut io::stdout().lock())?;
        return Ok(if failed { Exit::Violated } else { Exit::Holds });
    }
    let mut screen = Screen::new(history, dice, format!("{name}   seed {seed}"));
    let mut terminal = ratatui::try_init()?;
    let ended = show(&mut screen, &mut terminal);
    ratatui::restore();
    ended.map(|()| exit(screen.history().walk()))
}

fn show(screen: &mut Screen<'_>, terminal: &mut ratatui::DefaultTerminal) -> io::Result<()> {
    loop {
        terminal.draw(|frame| screen.draw(frame))?;
        let Event::Key(it) = event::read()? else { continue };
        if it.code == KeyCode::Char('c') && it.modifiers.contains(KeyModifiers::CONTROL) {
            return Ok(());
        }
        let key = key(it.code).filter(|_| it.kind != KeyEventKind::Release);
        if key.is_some_and(|key| screen.press(key) == Action::Quit) {
            return Ok(());
        }
    }
}

fn key(code: KeyCode) -> Option<Key> {
    Some(match code {
        KeyCode::Up => Key::Up,
        KeyCode::Down => Key::Down,
        KeyCode::Left => Key::Left,
        KeyCode::Right => Key::Right,
        KeyCode::Enter => Key::Enter,
        KeyCode::Backspace => Key::Backspace,
        KeyCode::Esc => Key::Escape,
        KeyCode::Home => Key::Home,
        KeyCode::End => Key::End,
        KeyCode::PageUp => Key::PageUp,
        KeyCode::PageDown => Key::PageDown,
        KeyCode::Char(it) => Key::Char(it),
        _ => return None,
    })
}
