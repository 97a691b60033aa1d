//! What a process does, step by step.
use text::Diagnostic;

use super::Parser;
use crate::ast::{Process, Step};
use crate::lex::Kind;

impl Parser<'_> {
    /// `cycle { … }` or `sequence { … }` as the behaviour of a process, of which there is one.
    pub(super) fn behaviour(&mut self, process: &mut Process) -> Option<()> {
        let start = self.span();
        let steps = match self.is_word("cycle") {
            true => vec![self.step()?],
            false => {
                self.advance();
                self.block()?
            }
        };
        if process.behaviour.is_some() || !process.states.is_empty() {
            let message = "a process has one behaviour: states, or one `cycle` or `sequence`";
            let note = "put steps that follow each other into one `sequence { … }`";
            self.diagnostics.push(Diagnostic::error("two-behaviours", start, message).help(note));
            return Some(());
        }
        process.behaviour = Some(steps);
        Some(())
    }

    fn block(&mut self) -> Option<Vec<Step>> {
        self.expect("{")?;
        let mut steps = Vec::new();
        while !self.take_sign("}") {
            if self.is_at_end() {
                return self.unexpected("`}`");
            }
            let before = self.at;
            match self.deeper(Self::step) {
                Some(step) => steps.push(step),
                None => {
                    if self.at == before {
                        self.advance();
                    }
                    self.recover();
                }
            }
        }
        Some(steps)
    }

    fn step(&mut self) -> Option<Step> {
        let span = self.span();
        let word = if let Kind::Word(word) = self.peek() { word.clone() } else { String::new() };
        match word.as_str() {
            "" => Some(Step::Command(self.command()?)),
            "when" => {
                self.advance();
                let condition = self.expression()?;
                self.semicolon()?;
                Some(Step::When(condition))
            }
            "choose" => self.choose(),
            "if" => self.alternative(),
            "while" => {
                self.advance();
                Some(Step::While(self.expression()?, self.block()?))
            }
            "cycle" => {
                self.advance();
                Some(Step::Cycle(self.block()?))
            }
            "end" | "stop" => {
                self.advance();
                self.semicolon()?;
                Some(if word == "end" { Step::End(span) } else { Step::Stop(span) })
            }
            _ if *self.peek_second() == Kind::Sign(":") => {
                let name = self.name("a place in the sequence")?;
                self.advance();
                Some(Step::Label(name))
            }
            _ => self.unexpected("a step"),
        }
    }

    fn choose(&mut self) -> Option<Step> {
        self.advance();
        let mut alternatives = vec![self.block()?];
        while self.take_word("or") {
            alternatives.push(self.block()?);
        }
        Some(Step::Choose(alternatives))
    }

    fn alternative(&mut self) -> Option<Step> {
        self.advance();
        let condition = self.expression()?;
        let yes = self.block()?;
        let no = match self.take_word("else") {
            true if self.is_word("if") => vec![self.deeper(Self::alternative)?],
            true => self.block()?,
            false => Vec::new(),
        };
        Some(Step::If(condition, yes, no))
    }
}
