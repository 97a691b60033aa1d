//! An execution on a whole screen.
//!
//! The screen knows keys and draws frames; which terminal they come from and go to is the business of others. What is shown is computed from the
//! [`History`] each time: beside it there are only a selection, a filter, and what is being typed.
mod draw;
mod panes;

use crate::{Dice, History};

/// What a person does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum Key {
    Up,
    Down,
    Left,
    Right,
    Enter,
    Backspace,
    Escape,
    Home,
    End,
    PageUp,
    PageDown,
    Char(char),
}

/// Whether to go on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum Action {
    Continue,
    Quit,
}

/// What is being typed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Asking {
    Nothing,
    Filter,
    Number,
}

/// The most random steps that one key takes.
const MANY: usize = 1_000;

/// An execution on a screen.
pub struct Screen<'a> {
    history: History<'a>,
    dice: Dice,
    title: String,
    /// The row of the selected step among those that are shown.
    selected: usize,
    /// Only what has this text in it is shown.
    filter: String,
    asking: Asking,
    typed: String,
    /// Messages are shown below instead of steps.
    shows_messages: bool,
    shows_help: bool,
    /// How far the variables are scrolled.
    scroll: u16,
}

impl<'a> Screen<'a> {
    /// The execution so far, with chance for those who do not want to choose.
    pub fn new(history: History<'a>, dice: Dice, title: impl Into<String>) -> Self {
        Screen {
            history,
            dice,
            title: title.into(),
            selected: 0,
            filter: String::new(),
            asking: Asking::Nothing,
            typed: String::new(),
            shows_messages: false,
            shows_help: false,
            scroll: 0,
        }
    }

    /// The execution.
    pub fn history(&self) -> &History<'a> {
        &self.history
    }

    /// Does what a key means.
    pub fn press(&mut self, key: Key) -> Action {
        if self.shows_help {
            self.shows_help = false;
            return Action::Continue;
        }
        match self.asking {
            Asking::Nothing => return self.command(key),
            Asking::Filter | Asking::Number => self.type_key(key),
        }
        Action::Continue
    }

    fn command(&mut self, key: Key) -> Action {
        let at = self.history.past().len();
        match key {
            Key::Char('q') => return Action::Quit,
            Key::Up | Key::Char('k') => self.selected = self.selected.saturating_sub(1),
            Key::Down | Key::Char('j') => self.selected += 1,
            Key::Enter | Key::Char(' ') => self.take_selected(),
            Key::Char(digit @ '1'..='9') => self.take_shown(digit as usize - '1' as usize),
            Key::Left | Key::Backspace | Key::Char('b') => self.jump(at.saturating_sub(1)),
            Key::Right | Key::Char('f') => self.jump(at + 1),
            Key::Home => self.jump(0),
            Key::End => self.jump(usize::MAX),
            Key::Char('r') => self.random(1),
            Key::Char('R') => self.random(MANY),
            Key::Char('g') => self.ask(Asking::Number),
            Key::Char('/') => self.ask(Asking::Filter),
            Key::Escape => self.filter.clear(),
            Key::Char('m') => self.shows_messages = !self.shows_messages,
            Key::PageDown => self.scroll = self.scroll.saturating_add(5),
            Key::PageUp => self.scroll = self.scroll.saturating_sub(5),
            Key::Char('?' | 'h') => self.shows_help = true,
            Key::Char(_) => {}
        }
        self.selected = self.selected.min(self.shown_choices().len().saturating_sub(1));
        Action::Continue
    }

    fn ask(&mut self, what: Asking) {
        self.asking = what;
        self.typed.clear();
    }

    fn type_key(&mut self, key: Key) {
        match key {
            Key::Escape => self.asking = Asking::Nothing,
            Key::Backspace => drop(self.typed.pop()),
            Key::Char(it) if self.asking == Asking::Filter || it.is_ascii_digit() => self.typed.push(it),
            Key::Enter => {
                match (self.asking, self.typed.parse()) {
                    (Asking::Filter, _) => self.filter = std::mem::take(&mut self.typed),
                    (_, Ok(number)) => self.jump(number),
                    (_, Err(_)) => {}
                }
                self.asking = Asking::Nothing;
                self.selected = 0;
            }
            _ => {}
        }
    }

    fn take_selected(&mut self) {
        self.take_shown(self.selected);
    }

    fn take_shown(&mut self, row: usize) {
        if let Some(&row) = self.shown_choices().get(row) {
            self.history.take(row);
            self.selected = 0;
        }
    }

    fn jump(&mut self, length: usize) {
        self.history.jump(length);
        self.selected = 0;
    }

    fn random(&mut self, count: usize) {
        for _ in 0..count {
            let Some(row) = self.dice.choose(self.history.walk().choices()) else { break };
            self.history.take(row);
            if self.history.walk().end().is_some() {
                break;
            }
        }
        self.selected = 0;
    }

    /// The rows of the steps that the filter lets through.
    fn shown_choices(&self) -> Vec<usize> {
        let (walk, terms) = (self.history.walk(), self.history.terms());
        let fits = |&row: &usize| {
            let step = terms.step(0, walk.choices()[row].step, walk.here(), None);
            self.filter.is_empty() || crate::lines::line(&step).contains(&self.filter)
        };
        (0..walk.choices().len()).filter(fits).collect()
    }
}
