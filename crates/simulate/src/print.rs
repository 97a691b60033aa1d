//! An execution as lines of text, one for each step of which something is to be seen.
//!
//! What is to be seen is said as SPIN's simulator is told: statements (`-p`), changes of global (`-g`) and local variables (`-l`), messages that are
//! sent (`-s`) and received (`-r`), or messages in columns (`-c`). What `printf` writes is always there, in a column for each process.
use std::io::{self, Write};

use model::Direction;
use model::semantics::Owner;
use report::{Columns, Happening, Terms, What};

use crate::Walk;

/// What is to be seen.
#[derive(Clone, Debug, Default)]
pub struct Prints {
    /// Every step.
    pub statements: bool,
    /// Global variables and channels when they change.
    pub globals: bool,
    /// Variables of processes when they change.
    pub locals: bool,
    /// Messages when they are sent.
    pub sends: bool,
    /// Messages when they are received.
    pub receives: bool,
    /// Messages in columns.
    pub columns: bool,
    /// Texts of `printf` without columns.
    pub flush_left: bool,
    /// Nothing of the steps before this one.
    pub quiet_until: usize,
}

/// Writes the lines.
pub struct Printer<'a> {
    terms: Terms<'a>,
    prints: Prints,
    columns: Columns,
    /// The widest names and places.
    widths: (usize, usize),
    /// The last text ended in the middle of a line.
    in_line: bool,
}

/// The room for a statement before what it changes.
const STATEMENT: usize = 28;

impl<'a> Printer<'a> {
    /// A printer for executions of a model.
    pub fn new(terms: Terms<'a>, prints: Prints) -> Self {
        let processes = &terms.system.model().processes;
        let name = processes.iter().map(|it| it.name.chars().count() + 3).max().unwrap_or(0);
        let spans = processes.iter().flat_map(|it| &it.edges).map(|it| it.span);
        let place = spans.map(|it| terms.place(it).short().chars().count()).max().unwrap_or(0);
        Printer { terms, prints, columns: Columns::default(), widths: (name, place), in_line: false }
    }

    /// Writes what is to be seen before the first step.
    pub fn start(&mut self, walk: &Walk<'_>, out: &mut dyn Write) -> io::Result<()> {
        if self.prints.columns { self.columns.announce(&self.processes(walk), out) } else { Ok(()) }
    }

    /// Writes what is to be seen of the last step of a walk.
    pub fn step(&mut self, walk: &Walk<'_>, out: &mut dyn Write) -> io::Result<()> {
        let Some((before, choice)) = walk.last().filter(|_| walk.length() >= self.prints.quiet_until) else {
            return Ok(());
        };
        let happenings = self.terms.happenings(before, &choice.events);
        if self.prints.columns {
            return self.columns.write(&self.processes(walk), &happenings, out);
        }
        happenings.iter().try_for_each(|it| self.text(it, out))?;
        let effects = self.effects(walk, &happenings);
        if self.prints.statements || !effects.is_empty() {
            self.end_line(out)?;
            self.line(walk, &effects, out)?;
        }
        Ok(())
    }

    /// Ends a line that a text has begun.
    pub fn end_line(&mut self, out: &mut dyn Write) -> io::Result<()> {
        if std::mem::take(&mut self.in_line) { writeln!(out) } else { Ok(()) }
    }

    fn processes(&self, walk: &Walk<'_>) -> Vec<String> {
        (0..walk.here().process_count()).map(|it| self.terms.process(walk.here(), it)).collect()
    }

    fn text(&mut self, it: &Happening, out: &mut dyn Write) -> io::Result<()> {
        let What::Text(text) = &it.what else { return Ok(()) };
        let indent = if self.prints.flush_left { 0 } else { 6 + 4 * it.process };
        for line in text.split_inclusive('\n') {
            let indent = if self.in_line { 0 } else { indent };
            write!(out, "{:indent$}{line}", "")?;
            self.in_line = !line.ends_with('\n');
        }
        Ok(())
    }

    /// What is to be seen of a step beside its statement.
    fn effects(&self, walk: &Walk<'_>, happenings: &[Happening]) -> Vec<String> {
        let Some((before, choice)) = walk.last() else { return Vec::new() };
        let messages = happenings.iter().filter(|it| self.shows(it)).filter_map(|it| message(&it.what));
        let mut list: Vec<String> = messages.collect();
        if let Some(after) = &choice.next {
            let comings = if self.prints.statements { self.terms.comings(before, after) } else { Vec::new() };
            list.extend(comings);
            let Prints { globals, locals, .. } = self.prints;
            let wanted = |owner: &Owner| if *owner == Owner::Global { globals } else { locals };
            if globals || locals {
                list.extend(self.terms.changed(before, after).into_iter().filter(|it| wanted(&it.0)).map(|it| it.1));
            }
        }
        list
    }

    fn shows(&self, it: &Happening) -> bool {
        match it.what {
            What::Message { direction: Direction::Send, .. } => self.prints.sends,
            What::Message { direction: Direction::Receive, .. } => self.prints.receives,
            What::Text(_) => false,
        }
    }

    fn line(&self, walk: &Walk<'_>, effects: &[String], out: &mut dyn Write) -> io::Result<()> {
        let Some((before, choice)) = walk.last() else { return Ok(()) };
        let shown = self.terms.step(walk.length(), choice.step, before, None);
        let (name, place) = self.widths;
        let effects = effects.join(", ");
        let (number, arrow) = (walk.length(), if effects.is_empty() { "" } else { "→ " });
        let line = |number: &str, half: &report::Half, rest: &str| {
            let (process, at, statement) = (&half.process, half.place.short(), &half.statement);
            format!("{number:>5}  {process:<name$}  {at:<place$}  {statement:<STATEMENT$}  {rest}")
        };
        let rest = format!("{arrow}{effects}");
        match &shown.partner {
            None => writeln!(out, "{}", line(&number.to_string(), &shown.mover, &rest).trim_end()),
            Some(partner) => {
                writeln!(out, "{}", line(&number.to_string(), &shown.mover, "").trim_end())?;
                writeln!(out, "{}", line("", partner, &rest).trim_end())
            }
        }
    }
}

/// `sends 1,2 to q`.
fn message(what: &What) -> Option<String> {
    let What::Message { direction, name, fields, slot, stays, .. } = what else { return None };
    Some(match (direction, slot) {
        (Direction::Send, None) => format!("loses {fields} for {name}, which is full"),
        (Direction::Send, Some(_)) => format!("sends {fields} to {name}"),
        (Direction::Receive, _) if *stays => format!("looks at {fields} in {name}"),
        (Direction::Receive, _) => format!("receives {fields} from {name}"),
    })
}
