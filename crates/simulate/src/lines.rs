//! A conversation about an execution, line by line: for pipes, and for terminals that cannot do more.
//!
//! Every answer ends with the steps that can be taken next and a prompt. What is not understood is answered with what would be.
use std::io::{self, BufRead, Write};

use report::{Columns, Detail, Terms, What};

use crate::{Dice, History};

/// What can be said.
const HELP: &str = "\
  NUMBER      take that step          ENTER   take step 1
  r [COUNT]   take random steps       b [COUNT]   take steps back
  f [COUNT]   take them again         j NUMBER    jump to the state after that step
  v [TEXT]    variables and channels, those with TEXT in their names
  p [TEXT]    the steps so far, those with TEXT in them
  m           messages in columns     h   this help     q   end
";

/// The most random steps that one line can ask for.
const MOST: usize = 10_000;

/// Talks until the other side has no more to say; true if the execution is then where something is wrong.
pub fn converse(
    history: &mut History<'_>,
    dice: &mut Dice,
    input: &mut dyn BufRead,
    out: &mut dyn Write,
) -> io::Result<bool> {
    let mut talk = Talk { history, dice, out };
    talk.situation()?;
    let mut line = String::new();
    while input.read_line(&mut line)? > 0 {
        let said = line.trim().to_string();
        line.clear();
        match said.split_once(char::is_whitespace).map_or((&*said, ""), |(word, rest)| (word, rest.trim())) {
            ("q", _) => break,
            (word, rest) => talk.answer(word, rest)?,
        }
    }
    writeln!(talk.out)?;
    Ok(talk.history.walk().end().is_some_and(crate::End::is_error))
}

struct Talk<'t, 'a> {
    history: &'t mut History<'a>,
    dice: &'t mut Dice,
    out: &'t mut dyn Write,
}

impl Talk<'_, '_> {
    fn answer(&mut self, word: &str, rest: &str) -> io::Result<()> {
        let count = |without: usize| if rest.is_empty() { Ok(without) } else { rest.parse::<usize>() };
        let at = self.history.past().len();
        match (word, word.parse::<usize>(), count(1)) {
            ("v", ..) => self.values(rest)?,
            ("p", ..) => self.past(rest)?,
            ("m", ..) => self.messages()?,
            ("h", ..) => write!(self.out, "{HELP}")?,
            ("", ..) => self.take(0)?,
            (_, Ok(number), _) => self.take(number.wrapping_sub(1))?,
            ("r", _, Ok(count)) => self.random(count.min(MOST))?,
            ("b", _, Ok(count)) => self.history.jump(at.saturating_sub(count)),
            ("f", _, Ok(count)) => self.history.jump(at.saturating_add(count)),
            ("j", _, Ok(number)) if !rest.is_empty() => self.history.jump(number),
            _ => writeln!(self.out, "`{word} {rest}` is not understood; `h` shows what is")?,
        }
        self.situation()
    }

    fn take(&mut self, row: usize) -> io::Result<()> {
        if !self.history.take(row) {
            let count = self.history.walk().choices().len();
            return writeln!(self.out, "there is no such step: there are {count}");
        }
        self.tell()
    }

    fn random(&mut self, count: usize) -> io::Result<()> {
        for _ in 0..count {
            let Some(row) = self.dice.choose(self.history.walk().choices()) else { break };
            self.take(row)?;
            if self.history.walk().end().is_some() {
                break;
            }
        }
        Ok(())
    }

    /// Says what the last step did.
    fn tell(&mut self) -> io::Result<()> {
        let Some(moment) = self.history.past().last() else { return Ok(()) };
        for it in &moment.happenings {
            if let What::Text(text) = &it.what {
                writeln!(self.out, "      prints: {}", text.trim_end())?;
            }
        }
        writeln!(self.out, "{}", told(&moment.shown))
    }

    /// Says where the execution is, and what can be done.
    fn situation(&mut self) -> io::Result<()> {
        let (walk, terms) = (self.history.walk(), self.history.terms());
        if let Some(says) = walk.says(terms) {
            writeln!(self.out, "after step {}: {says}", walk.length())?;
        }
        for (row, choice) in walk.choices().iter().enumerate() {
            let step = terms.step(walk.length() + 1, choice.step, walk.here(), choice.next.as_ref());
            writeln!(self.out, "  {}) {}", row + 1, line(&step))?;
        }
        write!(self.out, "{}> ", walk.length())?;
        self.out.flush()
    }

    fn values(&mut self, filter: &str) -> io::Result<()> {
        let terms: Terms<'_> = self.history.terms();
        let mut snapshot = terms.snapshot(self.history.walk().here());
        snapshot.globals.retain(|it| it.0.contains(filter));
        for it in &mut snapshot.processes {
            let named = it.process.contains(filter);
            it.values.retain(|it| named || it.0.contains(filter));
        }
        snapshot.processes.retain(|it| filter.is_empty() || it.process.contains(filter) || !it.values.is_empty());
        report::render_snapshot(&snapshot, Detail { verbose: true, ..Detail::default() }, self.out)
    }

    fn past(&mut self, filter: &str) -> io::Result<()> {
        let lines = self.history.past().iter().map(|it| told(&it.shown)).filter(|it| it.contains(filter));
        lines.collect::<Vec<_>>().iter().try_for_each(|it| writeln!(self.out, "{it}"))
    }

    fn messages(&mut self) -> io::Result<()> {
        let terms = self.history.terms();
        let mut columns = Columns::default();
        for moment in self.history.past() {
            let Some((before, _)) = moment.walk.last() else { continue };
            let names = |state: &model::semantics::State| -> Vec<String> {
                (0..state.process_count()).map(|it| terms.process(state, it)).collect()
            };
            columns.announce(&names(before), self.out)?;
            columns.write(&names(moment.walk.here()), &moment.happenings, self.out)?;
        }
        Ok(())
    }
}

/// A step that was taken, with its number and what it changed.
fn told(it: &report::ShownStep) -> String {
    let changes = if it.changes.is_empty() { String::new() } else { format!("  → {}", it.changes.join(", ")) };
    format!("{:>5}  {}{changes}", it.number, line(it))
}

/// `P(0)  file:1  x = 1`, and the other side of a rendezvous.
pub fn line(it: &report::ShownStep) -> String {
    let half = |it: &report::Half| format!("{}  {}  {}", it.process, it.place.short(), it.statement);
    it.partner.iter().fold(half(&it.mover), |text, other| format!("{text}  with  {}", half(other)))
}
