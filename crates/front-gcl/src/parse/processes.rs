//! Processes and their commands.
use super::Parser;
use crate::ast::{Binding, Command, Datum, Event, ExprKind, GateIndex, Gates, Process, Range, StateSection, Update};
use crate::lex::Kind;

impl Parser<'_> {
    pub(super) fn process(&mut self) -> Option<Process> {
        let start = self.span();
        self.advance();
        let name = self.name("a process")?;
        let mut bindings = Vec::new();
        if self.take_sign("[") {
            bindings = self.list(Self::binding)?;
            self.expect("]")?;
        }
        let span = self.since(start);
        let mut process = Process {
            name,
            bindings,
            variables: Vec::new(),
            actions: Vec::new(),
            alphabet: Vec::new(),
            finals: Vec::new(),
            commands: Vec::new(),
            states: Vec::new(),
            behaviour: None,
            span,
        };
        self.expect("{")?;
        while !self.take_sign("}") {
            if self.is_at_end() {
                let message = "this process has no end";
                let diagnostic = text::Diagnostic::error("syntax", process.span, message).help("write `}`");
                self.diagnostics.push(diagnostic);
                return Some(process);
            }
            let before = self.at;
            if self.item(&mut process).is_none() {
                if self.at == before {
                    self.advance();
                }
                self.recover();
            }
        }
        self.take_sign(";");
        Some(process)
    }

    /// A declaration, a command, a state or the behaviour of a process.
    fn item(&mut self, process: &mut Process) -> Option<()> {
        let word = if let Kind::Word(word) = self.peek() { word.clone() } else { String::new() };
        match word.as_str() {
            "var" => process.variables.push(self.variables()?),
            "action" => process.actions.extend(self.actions()?),
            "alphabet" => {
                self.advance();
                process.alphabet.extend(self.list(Self::gates)?);
                self.semicolon()?;
            }
            "final" if *self.peek_second() != Kind::Word("state".into()) => {
                self.advance();
                process.finals.push(self.expression()?);
                self.semicolon()?;
            }
            "state" | "final" => {
                let state = self.state_section()?;
                process.states.push(state);
            }
            "cycle" | "sequence" => self.behaviour(process)?,
            _ if self.is_sign("[") => {
                let command = self.command()?;
                let commands = process.states.last_mut().map_or(&mut process.commands, |it| &mut it.commands);
                commands.push(command);
            }
            _ => return self.unexpected("a declaration, a command or a state of the process"),
        }
        Some(())
    }

    fn state_section(&mut self) -> Option<StateSection> {
        let is_final = self.take_word("final");
        self.expect_word("state")?;
        let name = self.name("a state")?;
        self.expect(":")?;
        Some(StateSection { name, is_final, commands: Vec::new() })
    }

    /// `[event] condition -> updates goto state;`, where all but the brackets can be missing.
    pub(super) fn command(&mut self) -> Option<Command> {
        let start = self.span();
        self.expect("[")?;
        let event = if self.is_sign("]") { None } else { Some(self.event()?) };
        self.expect("]")?;
        let ends = |it: &Self| it.is_sign("->") || it.is_sign(";") || it.is_word("goto");
        let condition = if ends(self) { None } else { Some(self.guard()?) };
        let has_updates = self.take_sign("->") && !self.is_word("goto") && !self.is_sign(";");
        let updates = if has_updates { self.list(Self::update)? } else { Vec::new() };
        let target = if self.take_word("goto") { Some(self.name("a state")?) } else { None };
        let span = self.since(start);
        self.semicolon()?;
        Some(Command { event, condition, updates, target, span })
    }

    fn event(&mut self) -> Option<Event> {
        let name = self.name("an action")?;
        let start = name.span;
        let mut indices = Vec::new();
        while self.take_sign("[") {
            indices.extend(self.list(Self::expression)?);
            self.expect("]")?;
        }
        let mut data = Vec::new();
        while self.is_sign("!") || self.is_sign("?") {
            data.push(self.datum()?);
        }
        Some(Event { name, indices, data, span: self.since(start) })
    }

    fn datum(&mut self) -> Option<Datum> {
        if self.take_sign("!") {
            return Some(Datum::Offer(self.sum()?));
        }
        self.advance();
        if self.is_word("_") {
            let span = self.span();
            self.advance();
            return Some(Datum::Any(span));
        }
        if matches!(self.peek(), Kind::Word(_)) && *self.peek_second() == Kind::Sign(":") {
            let name = self.name("a value")?;
            self.advance();
            return Some(Datum::Bind(name, self.ty()?));
        }
        Some(Datum::Store(self.postfix()?))
    }

    fn update(&mut self) -> Option<Update> {
        if self.take_word("for") {
            let binding: Binding = self.binding()?;
            self.expect(":")?;
            if self.take_sign("(") {
                let updates = self.deeper(|it| it.list(Self::update))?;
                self.expect(")")?;
                return Some(Update::For(binding, updates));
            }
            return Some(Update::For(binding, vec![self.deeper(Self::update)?]));
        }
        let place = self.postfix()?;
        if self.is_sign("=") && matches!(place.kind, ExprKind::Name(_) | ExprKind::Index(..)) {
            let found: Option<Update> = self.unexpected("`:=`");
            self.diagnostics.last_mut()?.help = Some("an update is written `x := value`".into());
            return found;
        }
        self.expect(":=")?;
        Some(Update::Assign(place, self.expression()?))
    }

    /// `a`, `a[2]`, `a[1..n]`, `a !value`
    pub(super) fn gates(&mut self) -> Option<Gates> {
        let name = self.name("an action")?;
        let start = name.span;
        let mut indices = None;
        while self.take_sign("[") {
            indices.get_or_insert_with(Vec::new).extend(self.list(Self::gate_index)?);
            self.expect("]")?;
        }
        let mut values = Vec::new();
        while self.take_sign("!") {
            values.push(self.sum()?);
        }
        Some(Gates { name, indices, values, span: self.since(start) })
    }

    fn gate_index(&mut self) -> Option<GateIndex> {
        let low = self.sum()?;
        if self.take_sign("..") {
            return Some(GateIndex::Range(Range { low, high: self.sum()? }));
        }
        Some(GateIndex::One(low))
    }
}
