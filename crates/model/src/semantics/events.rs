//! What a step lets others see: messages, and texts for the reader of an execution.
//!
//! Nobody needs to know this to search, so nothing is written down unless the semantics is [`Semantics::listening`].
use super::eval::View;
use super::execute::Execution;
use super::{Fault, Semantics};
use crate::{Direction, PrintPart};

/// Something that happened in a step.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Event {
    /// A message went into or came out of a channel, or from hand to hand.
    Message {
        /// Who sent or received it.
        process: u8,
        /// Which way it went.
        direction: Direction,
        /// The channel, from 0 in the order of creation.
        channel: usize,
        /// Which message of the channel it is now, or was; 0 in a rendezvous. `None` if it was lost.
        slot: Option<u32>,
        /// The fields.
        message: Vec<i32>,
        /// The message stays in the channel: it was only looked at.
        stays: bool,
    },
    /// A text.
    Print {
        /// Whose.
        process: u8,
        /// What.
        text: String,
    },
}

impl<'m> Semantics<'m> {
    /// Moves come with their [`Event`]s.
    #[must_use]
    pub fn listening(self) -> Self {
        Semantics { listens: true, ..self }
    }

    /// A message for a channel that is full is lost, instead of waited with.
    #[must_use]
    pub fn losing(self) -> Self {
        Semantics { loses: true, ..self }
    }
}

impl Execution<'_> {
    /// Tells who listens of a message.
    pub(super) fn tell(
        &mut self,
        direction: Direction,
        channel: usize,
        slot: Option<u32>,
        message: &[i32],
        stays: bool,
    ) {
        if self.system.listens {
            let (process, message) = (self.me as u8, message.to_vec());
            self.events.push(Event::Message { process, direction, channel, slot, message, stays });
        }
    }

    /// Writes a text, if somebody listens. A fault in an argument is a fault in any case.
    pub(super) fn print(&mut self, parts: &[PrintPart]) -> Result<(), Fault> {
        let mut text = String::new();
        for part in parts {
            let shown = self.view().part(part)?;
            if self.system.listens {
                text += &shown;
            }
        }
        if self.system.listens {
            self.events.push(Event::Print { process: self.me as u8, text });
        }
        Ok(())
    }
}

impl View<'_> {
    fn part(&self, part: &PrintPart) -> Result<String, Fault> {
        Ok(match part {
            PrintPart::Text(text) if self.system.listens => text.clone(),
            PrintPart::Text(_) => String::new(),
            PrintPart::Name(names, value) => {
                let value = self.eval(value)?;
                if self.system.listens { self.system.show(Some(*names), value) } else { String::new() }
            }
            PrintPart::Value(kind, value) => {
                let value = self.eval(value)?;
                if self.system.listens { formatted(*kind, value) } else { String::new() }
            }
        })
    }
}

fn formatted(kind: char, value: i32) -> String {
    match kind {
        'u' => (value as u32).to_string(),
        'o' => format!("{value:o}"),
        'x' => format!("{value:x}"),
        'c' => char::from(value as u8).to_string(),
        _ => value.to_string(),
    }
}
