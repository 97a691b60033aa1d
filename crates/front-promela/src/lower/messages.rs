//! Messages and arguments: lists of values that have to fit a channel or a process.
use model::{Effect, Expr, Pattern, Place, PrintPart, ShapeId};
use text::{Diagnostic, Span};

use super::Lower;
use super::expressions::{Run, Target, Value};
use super::names::{Class, Symbol};
use super::remote::Call;
use crate::ast::{self, ExprKind, Ident, ReceiveArgument, Reference};

impl Lower {
    /// Values one after the other; a record stands for all its fields.
    fn flatten(&mut self, arguments: &[ast::Expr]) -> Vec<(Value, Span)> {
        let mut list = Vec::new();
        for argument in arguments {
            if let ExprKind::Reference(reference) = &argument.kind
                && self.names_record(reference)
                && let Some(Target::Record { binding, indices }) = self.target(reference)
            {
                let fields = self.leaves(&binding, &indices, argument.at.0).into_iter();
                list.extend(fields.map(|(place, class)| (Value { expr: Expr::Read(place), class }, argument.at.0)));
            } else {
                list.push((self.value(argument), argument.at.0));
            }
        }
        list
    }

    /// Whether a reference could be a record; says nothing about anything else.
    fn names_record(&self, reference: &Reference) -> bool {
        let first = self.scopes.find(&reference.segments[0].name.name);
        let Some(Symbol::Variable(binding)) = first else { return false };
        let mut content = &binding.content;
        for segment in &reference.segments[1..] {
            let super::names::Content::Record { fields, .. } = content else { return false };
            let Some((_, field)) = fields.iter().find(|(name, _)| *name == segment.name.name) else { return false };
            content = &field.content;
        }
        matches!(content, super::names::Content::Record { .. })
    }

    pub fn send(&mut self, channel: &Reference, arguments: &[ast::Expr], sorted: bool, at: Span) -> Effect {
        let (channel, shape) = self.channel(channel);
        let outer = std::mem::replace(&mut self.run, Run::Forbidden("a message cannot start a process"));
        let values = self.flatten(arguments);
        self.run = outer;
        self.check_length(shape, values.len(), at, true);
        self.check_fields_fit(shape, &values);
        Effect::Send { channel, message: values.into_iter().map(|(value, _)| value.expr).collect(), sorted }
    }

    fn check_fields_fit(&mut self, shape: Option<ShapeId>, values: &[(Value, Span)]) {
        let Some(shape) = shape else { return };
        let wanted = self.model.shape(shape).enumerations.clone();
        for ((value, at), wanted) in values.iter().zip(wanted) {
            if let Some(wanted) = wanted {
                self.check_assignable(Class::Enumerated(wanted), value, *at);
            }
        }
    }

    pub fn receive(&mut self, channel: &Reference, arguments: &[ReceiveArgument], at: Span) -> (Expr, Vec<Pattern>) {
        let (channel, shape, patterns) = self.patterns(channel, arguments);
        self.check_length(shape, patterns.len(), at, false);
        (channel, patterns)
    }

    fn patterns(
        &mut self,
        channel: &Reference,
        arguments: &[ReceiveArgument],
    ) -> (Expr, Option<ShapeId>, Vec<Pattern>) {
        let (channel, shape) = self.channel(channel);
        let mut patterns = Vec::new();
        arguments.iter().for_each(|argument| self.pattern(argument, shape, &mut patterns));
        (channel, shape, patterns)
    }

    fn pattern(&mut self, argument: &ReceiveArgument, shape: Option<ShapeId>, patterns: &mut Vec<Pattern>) {
        let field = patterns.len();
        let enumeration = shape.and_then(|it| self.model.shape(it).enumerations.get(field).copied().flatten());
        match argument {
            ReceiveArgument::Constant(value) | ReceiveArgument::Eval(value) => {
                let (value, at) = (self.plain_value(value, "a receive cannot start a process"), value.at.0);
                if let Some(wanted) = enumeration {
                    self.check_assignable(Class::Enumerated(wanted), &value, at);
                }
                patterns.push(Pattern::Match(value.expr));
            }
            ReceiveArgument::Reference(reference) => match self.named_constant_pattern(reference) {
                Some(value) => {
                    if let Some(wanted) = enumeration {
                        self.check_assignable(Class::Enumerated(wanted), &value, reference.at.0);
                    }
                    patterns.push(Pattern::Match(value.expr));
                }
                None => self.store_pattern(reference, patterns),
            },
        }
    }

    fn named_constant_pattern(&mut self, reference: &Reference) -> Option<Value> {
        let [segment] = &reference.segments[..] else { return None };
        match self.scopes.find(&segment.name.name) {
            Some(Symbol::Constant(..) | Symbol::Number(_)) if segment.index.is_none() => Some(self.read(reference)),
            _ => None,
        }
    }

    fn store_pattern(&mut self, reference: &Reference, patterns: &mut Vec<Pattern>) {
        if &*reference.segments[0].name.name == "_" {
            patterns.push(Pattern::Any);
            return;
        }
        if !self.check_writable(reference) {
            return patterns.push(Pattern::Any);
        }
        match self.target(reference) {
            Some(Target::Scalar { place, .. }) => patterns.push(Pattern::Store(place)),
            Some(Target::Record { binding, indices }) => {
                let fields = self.leaves(&binding, &indices, reference.at.0);
                patterns.extend(fields.into_iter().map(|(place, _)| Pattern::Store(place)));
            }
            None => patterns.push(Pattern::Any),
        }
    }

    /// Predefined variables can be read only.
    fn check_writable(&mut self, reference: &Reference) -> bool {
        let name = &reference.segments[0].name;
        let read_only = ["_pid", "_nr_pr", "_last"].contains(&&*name.name);
        if read_only {
            self.error("read-only", name.at.0, format!("`{}` is predefined and cannot be changed", name.name));
        }
        !read_only
    }

    /// In a poll only constants and `eval` matter; variables are not changed.
    pub fn poll(&mut self, channel: &Reference, arguments: &[ReceiveArgument], at: Span) -> (Expr, Vec<Pattern>) {
        let (channel, shape, patterns) = self.patterns(channel, arguments);
        if shape.is_some_and(|it| patterns.len() > self.model.shape(it).fields.len()) {
            self.check_length(shape, patterns.len(), at, false);
        }
        let look = |it| if matches!(it, Pattern::Store(_)) { Pattern::Any } else { it };
        (channel, patterns.into_iter().map(look).collect())
    }

    fn check_length(&mut self, shape: Option<ShapeId>, given: usize, at: Span, is_send: bool) {
        let Some(shape) = shape.filter(|_| !self.budget.is_spent()) else { return };
        let wanted = self.model.shape(shape).fields.len();
        let fields = if given == 1 { "field" } else { "fields" };
        let message = format!("this message has {given} {fields}, but those of the channel have {wanted}");
        if given > wanted {
            self.error("message-length", at, message);
        } else if given < wanted && is_send {
            let help = "name all fields: this send is an error when it is reached";
            self.diagnostics.push(Diagnostic::warning("message-length", at, message).help(help));
        } else if given < wanted {
            let help = "this receive will fail when it happens: write `_` for a field that may have any value";
            self.diagnostics.push(Diagnostic::warning("message-length", at, message).help(help));
        }
    }

    // Processes.

    /// Creating a process; its parameters are checked when all processes are known.
    pub fn spawn(&mut self, process: &Ident, arguments: &[ast::Expr], priority: Option<&ast::Expr>) -> Option<Effect> {
        let why = "the arguments of one `run` cannot start another process";
        let outer = std::mem::replace(&mut self.run, Run::Forbidden(why));
        let values = self.flatten(arguments);
        self.run = outer;
        let priority = priority.map(|it| self.priority(it));
        let id = self.process_type(process)?;
        let priority = Expr::Constant(priority.unwrap_or(1));
        let arguments = values.iter().map(|(value, _)| value.expr.clone()).collect();
        self.calls.push(Call { process: id, given: values, span: process.at.0, name: process.name.clone() });
        Some(Effect::Spawn { process: id, arguments, priority })
    }

    pub fn priority(&mut self, expr: &ast::Expr) -> i32 {
        match self.constant(expr) {
            Some(value @ 1..=255) => value,
            Some(value) => {
                self.error("priority-range", expr.at.0, format!("a priority is a number from 1 to 255, not {value}"));
                1
            }
            None => 1,
        }
    }

    // Printing.

    /// The pieces of a `printf`.
    pub fn print_parts(&mut self, format: &str, arguments: &[ast::Expr], at: Span) -> Vec<PrintPart> {
        let values: Vec<Value> = arguments.iter().map(|it| self.value(it)).collect();
        let mut values = values.into_iter();
        let mut parts = Vec::new();
        let mut literal = String::new();
        let mut chars = format.chars();
        let (mut wanted, given) = (0, arguments.len());
        while let Some(c) = chars.next() {
            match c {
                '\\' => literal.push(escaped(chars.next())),
                '%' => match chars.next() {
                    Some(kind @ ('c' | 'd' | 'e' | 'o' | 'u' | 'x')) => {
                        parts.push(PrintPart::Text(std::mem::take(&mut literal)));
                        wanted += 1;
                        parts.extend(values.next().map(|value| print_part(kind, value)));
                    }
                    Some('%') => literal.push('%'),
                    Some(other) => literal.extend(['%', other]),
                    None => literal.push('%'),
                },
                c => literal.push(c),
            }
        }
        parts.push(PrintPart::Text(literal));
        if wanted != given {
            let plural = if wanted == 1 { "" } else { "s" };
            let message = format!("this format has place for {wanted} value{plural}, not for {given}");
            self.diagnostics.push(Diagnostic::warning("printf-arguments", at, message));
        }
        parts
    }

    pub fn printm_part(&mut self, expr: &ast::Expr) -> PrintPart {
        let value = self.value(expr);
        print_part('e', value)
    }

    /// Where an assignment goes; `None` for the sink.
    pub fn assignable(&mut self, reference: &Reference) -> Option<(Place, Class)> {
        if !self.check_writable(reference) {
            return None;
        }
        self.scalar(reference)
    }
}

fn print_part(kind: char, value: Value) -> PrintPart {
    match (kind, value.class) {
        ('e', Class::Enumerated(id)) => PrintPart::Name(id, value.expr),
        ('e', _) => PrintPart::Value('d', value.expr),
        _ => PrintPart::Value(kind, value.expr),
    }
}

fn escaped(c: Option<char>) -> char {
    match c {
        Some('n') => '\n',
        Some('t') => '\t',
        Some('r') => '\r',
        Some(other) => other,
        None => '\\',
    }
}
