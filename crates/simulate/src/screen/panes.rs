//! What stands in each part of the screen, as lines.
use std::collections::BTreeMap;

use model::Direction;
use model::semantics::State;
use ratatui::style::{Color, Modifier, Style};
use ratatui::text::{Line, Span};
use report::{ShownStep, What};

use super::Screen;
use crate::Moment;

/// A line with a mark on it.
pub struct Marked {
    pub lines: Vec<Line<'static>>,
    /// The row that should be seen.
    pub focus: usize,
}

pub fn strong() -> Style {
    Style::default().add_modifier(Modifier::BOLD)
}

pub fn wrong() -> Style {
    Style::default().fg(Color::Red).add_modifier(Modifier::BOLD)
}

fn faint() -> Style {
    Style::default().add_modifier(Modifier::DIM)
}

impl Screen<'_> {
    /// The steps that can be taken.
    pub fn choices(&self, width: usize) -> Marked {
        let (walk, terms) = (self.history.walk(), self.history.terms());
        let rows = self.shown_choices();
        let mut lines: Vec<Line<'static>> = Vec::new();
        if let Some(says) = walk.says(terms) {
            let style = if walk.end().is_some_and(crate::End::is_error) { wrong() } else { strong() };
            lines.extend(wrapped(&says, width).into_iter().map(|it| Line::styled(it, style)));
        }
        let first = lines.len();
        for (shown, &row) in rows.iter().enumerate() {
            let choice = &walk.choices()[row];
            let step = terms.step(0, choice.step, walk.here(), choice.next.as_ref());
            let mark = if shown == self.selected { "▶" } else { " " };
            let style = if shown == self.selected { strong() } else { Style::default() };
            let fails = if choice.failures.is_empty() { "" } else { "  (goes wrong)" };
            lines.push(Line::styled(format!("{mark}{:>2} {}{fails}", shown + 1, short(&step)), style));
        }
        let hidden = walk.choices().len() - rows.len();
        if hidden > 0 {
            lines.push(Line::styled(format!("   {hidden} more are hidden by the filter"), faint()));
        }
        Marked { lines, focus: first + self.selected }
    }

    /// The text, with the numbers of the processes at the lines where they are.
    pub fn source(&self, lines_of: &str, file: &str) -> Marked {
        let marks = self.lines_now(file);
        let focus = self.line_of_interest(file).or_else(|| marks.keys().next().copied()).unwrap_or(1);
        let line = |(row, text): (usize, &str)| {
            let at = row as u32 + 1;
            let text = text.replace('\t', "    ");
            let number = Span::styled(format!("{at:>4} "), faint());
            match marks.get(&at) {
                None => Line::from(vec![Span::raw("      "), number, Span::raw(text)]),
                Some(processes) => {
                    let mark = Span::styled(format!("{processes:>5}▶"), Style::default().fg(Color::Yellow));
                    Line::from(vec![mark, number, Span::styled(text, strong())])
                }
            }
        };
        Marked { lines: lines_of.lines().enumerate().map(line).collect(), focus: focus as usize - 1 }
    }

    /// Where processes are now: lines, and their numbers.
    fn lines_now(&self, file: &str) -> BTreeMap<u32, String> {
        let snapshot = self.history.terms().snapshot(self.history.walk().here());
        let mut marks: BTreeMap<u32, Vec<usize>> = BTreeMap::new();
        for (number, it) in snapshot.processes.iter().enumerate().filter(|it| it.1.place.file == file) {
            marks.entry(it.place.line).or_default().push(number);
        }
        marks.into_iter().map(|(line, list)| (line, numbers(&list))).collect()
    }

    /// Where the process is that has the selected step, or that took the last one: what is marked there should be seen.
    fn line_of_interest(&self, file: &str) -> Option<u32> {
        let (walk, terms) = (self.history.walk(), self.history.terms());
        let selected = self.shown_choices().get(self.selected).map(|&row| walk.choices()[row].step);
        let step = selected.or_else(|| walk.last().map(|it| it.1.step))?;
        let processes = terms.snapshot(walk.here()).processes;
        let place = &processes.get(usize::from(step.process))?.place;
        (place.file == file).then_some(place.line)
    }

    /// Variables and channels; what the last step changed stands out.
    pub fn values(&self) -> Marked {
        let (walk, terms) = (self.history.walk(), self.history.terms());
        let changed: Vec<String> = walk.last().map_or(Vec::new(), |(before, choice)| {
            let changed = |after: &State| terms.changed(before, after).into_iter().map(|it| it.1).collect();
            choice.next.as_ref().map_or(Vec::new(), changed)
        });
        let snapshot = terms.snapshot(walk.here());
        let globals = snapshot.globals.iter().map(|(name, value)| format!("{name} = {value}"));
        let own = snapshot.processes.iter().flat_map(|process| {
            process.values.iter().map(move |(name, value)| format!("{}.{name} = {value}", process.process))
        });
        let shown = globals.chain(own).filter(|it| it.contains(&self.filter));
        let line = |it: String| {
            let style = if changed.contains(&it) { Style::default().fg(Color::Yellow) } else { Style::default() };
            Line::styled(if changed.contains(&it) { format!("* {it}") } else { format!("  {it}") }, style)
        };
        Marked { lines: shown.map(line).collect(), focus: 0 }
    }

    /// The steps so far, and those that were taken back.
    pub fn steps(&self) -> Marked {
        let past = self.history.past().iter().filter(|it| self.lets(it));
        let mut lines: Vec<Line<'static>> = past.map(|it| Line::raw(told(&it.shown))).collect();
        let focus = lines.len().saturating_sub(1);
        if let Some(last) = lines.last_mut() {
            *last = last.clone().style(strong());
        }
        let future = self.history.future().iter().filter(|it| self.lets(it));
        lines.extend(future.map(|it| Line::styled(told(&it.shown), faint())));
        Marked { lines, focus }
    }

    fn lets(&self, moment: &Moment<'_>) -> bool {
        self.filter.is_empty() || told(&moment.shown).contains(&self.filter)
    }

    /// Messages in a column for each process.
    pub fn messages(&self) -> Marked {
        let count = self.history.past().iter().map(|it| it.walk.here().process_count()).max().unwrap_or(0);
        let width = self.width_of_messages();
        let mut lines = vec![self.heading(count, width)];
        for moment in self.history.past() {
            for it in &moment.happenings {
                let (text, style) = match (&it.what, it.what.statement()) {
                    (What::Text(text), _) => (text.trim_end().to_string(), faint()),
                    (What::Message { slot: None, .. }, Some(text)) => (format!("{text} (lost)"), wrong()),
                    (What::Message { direction: Direction::Send, .. }, Some(text)) => {
                        (format!("{text} →"), Style::default())
                    }
                    (_, text) => (format!("→ {}", text.unwrap_or_default()), Style::default()),
                };
                let columns = format!("{:>5}  ", moment.shown.number) + &column(it.process, width);
                if text.contains(&self.filter) || self.filter.is_empty() {
                    lines.push(Line::styled(columns + &text, style));
                }
            }
        }
        let focus = lines.len().saturating_sub(1);
        Marked { lines, focus }
    }

    fn width_of_messages(&self) -> usize {
        let texts = self.history.past().iter().flat_map(|it| &it.happenings).filter_map(|it| it.what.statement());
        let names = self.history.terms().snapshot(self.history.walk().here()).processes;
        let names = names.iter().map(|it| it.process.chars().count() + 1);
        texts.map(|it| it.chars().count() + 4).chain(names).max().unwrap_or(8).clamp(8, 24)
    }

    fn heading(&self, count: usize, width: usize) -> Line<'static> {
        let snapshot = self.history.terms().snapshot(self.history.walk().here());
        let name = |row: usize| snapshot.processes.get(row).map_or(format!("({row})"), |it| it.process.clone());
        let names: String =
            (0..count.max(snapshot.processes.len())).map(|row| format!("{:<width$}", name(row))).collect();
        Line::styled(format!("       {names}"), strong())
    }
}

/// A text in lines of at most this width, broken between words where that is possible.
fn wrapped(text: &str, width: usize) -> Vec<String> {
    let mut lines = vec![String::new()];
    for word in text.split_inclusive(' ') {
        let last = lines.len() - 1;
        match lines[last].chars().count() + word.trim_end().chars().count() > width && !lines[last].is_empty() {
            true => lines.push(word.into()),
            false => lines[last] += word,
        }
    }
    lines
}

fn column(process: usize, width: usize) -> String {
    format!("·{}", " ".repeat(width - 1)).repeat(process)
}

/// A step without its number: who, the line, the statement.
fn short(it: &ShownStep) -> String {
    let half = |it: &report::Half| format!("{}:{} {}", it.process, it.place.line, it.statement);
    it.partner.iter().fold(half(&it.mover), |text, other| format!("{text}  with {}", half(other)))
}

fn told(it: &ShownStep) -> String {
    let changes = if it.changes.is_empty() { String::new() } else { format!("  → {}", it.changes.join(", ")) };
    format!("{:>5}  {}{changes}", it.number, short(it))
}

/// Numbers of processes in little room: `1,3`, `0-4`, `0,2…`.
fn numbers(list: &[usize]) -> String {
    match list {
        [first, .., last] if list.len() > 2 && last - first + 1 == list.len() => format!("{first}-{last}"),
        [first, second, _, ..] => format!("{first},{second}…"),
        _ => list.iter().map(usize::to_string).collect::<Vec<_>>().join(","),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn many_numbers_need_little_room() {
        let shown: Vec<String> = [&[3][..], &[1, 3], &[0, 1, 2, 3], &[0, 2, 3]].map(numbers).to_vec();
        assert_eq!(shown, ["3", "1,3", "0-3", "0,2…"]);
    }
}
