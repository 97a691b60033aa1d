//! Where each part of the screen is.
use ratatui::Frame;
use ratatui::layout::{Constraint, Layout, Rect};
use ratatui::style::{Modifier, Style};
use ratatui::text::Line;
use ratatui::widgets::{Block, Clear, Paragraph};

use super::panes::{Marked, strong};
use super::{Asking, Screen};

/// Below so many columns, parts stand one below the other.
const NARROW: u16 = 90;

const KEYS: &str = " ↑↓ choose  Enter take  ← back  → again  g jump  r/R random  / filter  m messages  ? help  q quit ";

const HELP: [&str; 15] = [
    "↑ ↓         choose a step          1…9  take it at once",
    "Enter       take the chosen step",
    "← →         one step back, and forward again",
    "Home End    to the first state, to the last one",
    "g NUMBER    jump to the state after that step",
    "r           take a random step",
    "R           take random steps until something happens,",
    "            at most 1000",
    "/ TEXT      show only what has TEXT in it: a process `P(1)`,",
    "            a variable, a statement",
    "Esc         show everything again",
    "m           messages in columns, or steps",
    "PgUp PgDn   scroll variables",
    "q           end",
    "Any key closes this help.",
];

impl Screen<'_> {
    /// Draws everything.
    pub fn draw(&self, frame: &mut Frame<'_>) {
        let [top, middle, below, keys] =
            Layout::vertical([Constraint::Length(1), Constraint::Fill(3), Constraint::Fill(2), Constraint::Length(1)])
                .areas(frame.area());
        frame.render_widget(Paragraph::new(self.headline()).style(reversed()), top);
        let sides = [Constraint::Fill(11), Constraint::Fill(9)];
        let [source, right] = match frame.area().width < NARROW {
            true => Layout::vertical(sides).areas(middle),
            false => Layout::horizontal(sides).areas(middle),
        };
        let [choices, values] = Layout::vertical([Constraint::Fill(1), Constraint::Fill(1)]).areas(right);
        let (name, text) = self.file();
        pane(frame, source, &name, self.source(&text, &name), None);
        pane(frame, choices, "Steps to choose from", self.choices(choices.width.saturating_sub(2).into()), None);
        pane(frame, values, "Variables and channels", self.values(), Some(self.scroll));
        match self.shows_messages {
            true => pane(frame, below, "Messages", self.messages(), None),
            false => pane(frame, below, "Steps so far", self.steps(), None),
        }
        frame.render_widget(Paragraph::new(self.foot()).style(reversed()), keys);
        if self.shows_help {
            help(frame);
        }
    }

    fn headline(&self) -> String {
        let (at, ahead) = (self.history.past().len(), self.history.future().len());
        let ahead = if ahead == 0 { String::new() } else { format!(" of {}", at + ahead) };
        let filter = if self.filter.is_empty() { String::new() } else { format!("   only: {}", self.filter) };
        format!(" {}   after step {at}{ahead}{filter}", self.title)
    }

    fn foot(&self) -> String {
        match self.asking {
            Asking::Nothing => KEYS.into(),
            Asking::Filter => format!(" show only: {}▏ (Enter; Esc: no)", self.typed),
            Asking::Number => format!(" jump to step: {}▏ (Enter; Esc: no)", self.typed),
        }
    }

    /// The file of the selected or last step.
    fn file(&self) -> (String, String) {
        let (walk, terms) = (self.history.walk(), self.history.terms());
        let next = self.shown_choices().get(self.selected).map(|&row| (walk.here(), walk.choices()[row].step));
        let here = next.or_else(|| walk.last().map(|(before, choice)| (before, choice.step)));
        let name = here.map(|(state, step)| terms.step(0, step, state, None).mover.place.file);
        let found = terms.sources.files().find(|it| name.as_ref().is_none_or(|name| it.name == *name));
        found.map_or_else(Default::default, |it| (it.name.clone(), it.text.clone()))
    }
}

fn reversed() -> Style {
    Style::default().add_modifier(Modifier::REVERSED)
}

/// Lines in a box; the one of interest is seen.
fn pane(frame: &mut Frame<'_>, area: Rect, title: &str, marked: Marked, scroll: Option<u16>) {
    let block = Block::bordered().title(format!(" {title} "));
    let height = usize::from(block.inner(area).height);
    let last = marked.lines.len().saturating_sub(height);
    let first = scroll.map_or(marked.focus.saturating_sub(height / 2), usize::from).min(last);
    let shown: Vec<Line<'static>> = marked.lines.into_iter().skip(first).take(height).collect();
    frame.render_widget(Paragraph::new(shown).block(block), area);
}

fn help(frame: &mut Frame<'_>) {
    let all = frame.area();
    let (width, height) = (64.min(all.width), (HELP.len() as u16 + 2).min(all.height));
    let area = Rect { x: (all.width - width) / 2, y: (all.height - height) / 2, width, height };
    frame.render_widget(Clear, area);
    let lines: Vec<Line<'static>> = HELP.into_iter().map(Line::raw).collect();
    frame.render_widget(Paragraph::new(lines).block(Block::bordered().title(" Keys ").title_style(strong())), area);
}
