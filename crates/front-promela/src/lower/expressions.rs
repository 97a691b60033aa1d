//! Expressions: names become places, words become operators.
use model::{Expr, Place, Scope};
use text::{Diagnostic, Span};

use super::names::{Binding, Class, Content, Symbol};
use super::remote::Wanted;
use super::{Lower, SUGGESTIONS};
use crate::ast::{self, BinaryOp, ChannelTest, ExprKind, Ident, Reference, UnaryOp};

/// A value and what it means.
#[derive(Clone, Debug)]
pub struct Value {
    pub expr: Expr,
    pub class: Class,
}

/// Whether, and how, an expression may create a process.
#[derive(Debug)]
pub enum Run {
    /// It may not, and why.
    Forbidden(&'static str),
    /// It may, once.
    Allowed,
    /// It does.
    Used(model::Effect),
}

/// Where a name leads: a scalar, or a record that is used as a whole.
pub enum Target {
    Scalar { place: Place, class: Class },
    Record { binding: Binding, indices: Vec<Expr> },
}

/// Names that are always there.
pub fn is_predefined(name: &str) -> bool {
    ["_", "_pid", "_nr_pr", "_last", "_priority", "_p"].contains(&name)
}

fn number(expr: Expr) -> Value {
    Value { expr, class: Class::Number }
}

impl Lower {
    /// An expression where no process may be created, and why not.
    pub fn plain_value(&mut self, expr: &ast::Expr, why: &'static str) -> Value {
        let outer = std::mem::replace(&mut self.run, Run::Forbidden(why));
        let value = self.value(expr);
        self.run = outer;
        value
    }

    /// An expression as a number.
    pub fn expr(&mut self, expr: &ast::Expr) -> Expr {
        self.value(expr).expr
    }

    pub fn value(&mut self, expr: &ast::Expr) -> Value {
        let at = expr.at.0;
        match &expr.kind {
            ExprKind::Number(value) => number(Expr::Constant(*value)),
            ExprKind::Reference(reference) => self.read(reference),
            ExprKind::Unary(op, operand) => number(self.unary(*op, operand)),
            ExprKind::Binary(op, left, right) => number(self.binary(*op, left, right)),
            ExprKind::Conditional(condition, yes, no) => {
                let condition = Box::new(self.expr(condition));
                let (yes, no) = (self.value(yes), self.value(no));
                Value { expr: Expr::Conditional(condition, Box::new(yes.expr), Box::new(no.expr)), class: yes.class }
            }
            ExprKind::Channel(test, channel) => number(self.channel_test(*test, channel)),
            ExprKind::Poll { channel, random, arguments } => {
                let (channel, patterns) = self.poll(channel, arguments, at);
                number(Expr::Poll { channel: Box::new(channel), patterns, anywhere: *random })
            }
            ExprKind::Run { process, arguments, priority } => {
                number(self.run(process, arguments, priority.as_deref(), at))
            }
            ExprKind::Enabled(process) => number(Expr::Enabled(Box::new(self.expr(process)))),
            ExprKind::PcValue(process) => number(Expr::LocationOf(Box::new(self.expr(process)))),
            ExprKind::GetPriority(process) => number(Expr::PriorityOf(Box::new(self.expr(process)))),
            ExprKind::RemoteLabel { process, index, label } => {
                number(self.remote_label(process, index.as_deref(), label))
            }
            ExprKind::RemoteVariable { process, index, variable } => {
                number(self.remote_variable(process, index.as_deref(), variable))
            }
            ExprKind::Timeout => number(Expr::Timeout),
            ExprKind::NonProgress => number(self.non_progress(at)),
            ExprKind::Code { .. } => number(self.embedded_code(at)),
            // The parser reads formulas of branching time only where they are taken apart before.
            ExprKind::Quantified { .. } | ExprKind::Missing => number(Expr::Constant(0)),
        }
    }

    /// An operation on numbers: temporal operators are read only in formulas, and are taken apart there.
    fn unary(&mut self, op: UnaryOp, operand: &ast::Expr) -> Expr {
        let operand = self.expr(operand);
        match op.of_numbers() {
            Some(op) => Expr::Unary(op, Box::new(operand)),
            None => operand,
        }
    }

    fn binary(&mut self, op: BinaryOp, left: &ast::Expr, right: &ast::Expr) -> Expr {
        let (left, right) = (Box::new(self.expr(left)), Box::new(self.expr(right)));
        Expr::Binary(op.of_numbers().unwrap_or(model::BinaryOp::Or), left, right)
    }

    fn non_progress(&mut self, at: Span) -> Expr {
        if !self.in_claim {
            self.error("misplaced-np", at, "`np_` can be used only in a never claim or an ltl formula");
        }
        Expr::Unary(model::UnaryOp::Not, Box::new(Expr::AnyAt(model::Mark::Progress)))
    }

    pub fn embedded_code(&mut self, at: Span) -> Expr {
        let message = "embedded C code cannot be checked by this version";
        self.error_help(
            "embedded-code",
            at,
            message,
            "say the same in Promela; an `inline` can take a function's place",
        );
        Expr::Constant(0)
    }

    // Names.

    /// The value that a name stands for.
    pub fn read(&mut self, reference: &Reference) -> Value {
        let first = &reference.segments[0];
        if reference.segments.len() == 1 && first.index.is_none() {
            match &*first.name.name {
                "_pid" => return number(Expr::Me),
                "_nr_pr" => return number(Expr::ProcessCount),
                "_last" => return number(Expr::LastMover),
                "_priority" => return number(Expr::PriorityOf(Box::new(Expr::Me))),
                "_" => return number(self.read_sink(first.name.at.0)),
                name => match self.scopes.find(name) {
                    Some(Symbol::Constant(value, id)) => {
                        return Value { expr: Expr::Constant(*value), class: Class::Enumerated(*id) };
                    }
                    Some(Symbol::Number(value)) => return number(Expr::Constant(*value)),
                    _ => {}
                },
            }
        }
        match self.target(reference) {
            Some(Target::Scalar { place, class, .. }) => Value { expr: Expr::Read(place), class },
            Some(Target::Record { .. }) => {
                self.whole_record(reference);
                number(Expr::Constant(0))
            }
            None => number(Expr::Constant(0)),
        }
    }

    /// In a trace `_` stands for any value; [`Expr::Spawned`], which means nothing there, marks it.
    fn read_sink(&mut self, at: Span) -> Expr {
        if self.body.as_ref().is_some_and(|body| body.kind == super::BodyKind::Trace) {
            return Expr::Spawned;
        }
        self.error("read-of-sink", at, "`_` can be written but not read");
        Expr::Constant(0)
    }

    pub fn whole_record(&mut self, reference: &Reference) {
        let name = crate::print::reference(reference);
        let message = format!("`{name}` is a record and cannot be used as a whole here");
        self.error_help("whole-record", reference.at.0, message, format!("name one of its fields: `{name}.field`"));
    }

    /// Where a scalar can be stored; reports everything else.
    pub fn scalar(&mut self, reference: &Reference) -> Option<(Place, Class)> {
        match self.target(reference)? {
            Target::Scalar { place, class, .. } => Some((place, class)),
            Target::Record { .. } => {
                self.whole_record(reference);
                None
            }
        }
    }

    /// Where a name leads.
    pub fn target(&mut self, reference: &Reference) -> Option<Target> {
        let mut segments = reference.segments.iter();
        let first = segments.next()?;
        let mut binding = self.variable(&first.name)?;
        let mut indices = Vec::new();
        self.index(&binding, first, &mut indices)?;
        for segment in segments {
            binding = self.field(&binding, &segment.name)?;
            self.index(&binding, segment, &mut indices)?;
        }
        Some(match binding.content {
            Content::Scalar { variable, class } => {
                Target::Scalar { place: Place { scope: binding.scope, variable, indices }, class }
            }
            Content::Record { .. } => Target::Record { binding, indices },
        })
    }

    fn variable(&mut self, name: &Ident) -> Option<Binding> {
        let what = match self.scopes.find(&name.name) {
            Some(Symbol::Variable(binding)) => return Some(binding.clone()),
            None => {
                self.unknown_name("unknown-name", name, "variable");
                return None;
            }
            Some(Symbol::Constant(..) | Symbol::Number(_)) => "a constant",
            Some(Symbol::Process(_)) => "a process type",
            Some(Symbol::Record(_) | Symbol::Enumeration(_)) => "a type",
            Some(Symbol::Inline) => "an inline",
        };
        self.error("not-a-variable", name.at.0, format!("`{}` is {what}, not a variable", name.name));
        None
    }

    /// Reports a name that is not known here, with what might have been meant.
    pub fn unknown_name(&mut self, code: &'static str, name: &Ident, what: &str) {
        let mut diagnostic =
            Diagnostic::error(code, name.at.0, format!("there is no {what} called `{}` here", name.name));
        if let Some(later) = self.declared_later(&name.name) {
            diagnostic = diagnostic
                .note(later, "it is declared only here")
                .help("move the declaration up: names must be declared before they are used");
        } else if code == "unknown-type" && ["lock", "sema"].contains(&&*name.name) {
            diagnostic = diagnostic.help(format!("`{}` belongs to the PV dialect: use `--dialect pv`", name.name));
        } else if self.diagnostics.len() < SUGGESTIONS
            && let Some(near) = self.scopes.closest(&name.name, could_be(code))
        {
            diagnostic = diagnostic.help(format!("did you mean `{near}`?"));
        }
        if self.reported.insert((code, name.name.clone())) {
            self.diagnostics.push(diagnostic);
        }
    }

    fn field(&mut self, binding: &Binding, name: &Ident) -> Option<Binding> {
        let Content::Record { name: record, fields, .. } = &binding.content else {
            self.error("not-a-record", name.at.0, format!("there is no field `{}`: this is not a record", name.name));
            return None;
        };
        if let Some((_, field)) = fields.iter().find(|(it, _)| *it == name.name) {
            return Some(field.clone());
        }
        let message = format!("`{record}` has no field `{}`", name.name);
        let mut diagnostic = Diagnostic::error("unknown-field", name.at.0, message);
        if self.diagnostics.len() < SUGGESTIONS
            && let Some(near) = text::closest(&name.name, fields.iter().map(|(it, _)| &**it))
        {
            diagnostic = diagnostic.help(format!("did you mean `{near}`?"));
        }
        self.diagnostics.push(diagnostic);
        None
    }

    fn index(&mut self, binding: &Binding, segment: &ast::Segment, indices: &mut Vec<Expr>) -> Option<()> {
        match (binding.array, &segment.index) {
            (Some(size), Some(index)) => {
                let value = self.expr(index);
                if let Expr::Constant(value) = value
                    && !(0..size as i32).contains(&value)
                {
                    let message = format!("index {value} is outside `{}` (size {size})", segment.name.name);
                    self.diagnostics.push(Diagnostic::warning("array-index", index.at.0, message));
                }
                indices.push(value);
            }
            (None, None) => {}
            (Some(size), None) => {
                let message = format!("`{}` is an array of {size}: which element?", segment.name.name);
                self.error_help(
                    "missing-index",
                    segment.name.at.0,
                    message,
                    format!("write `{}[i]`", segment.name.name),
                );
                return None;
            }
            // A scalar is its own element 0.
            (None, Some(index)) if self.evaluate(index) == Ok(0) => {}
            (None, Some(index)) => {
                self.error("not-an-array", index.at.0, format!("`{}` is not an array", segment.name.name));
                return None;
            }
        }
        Some(())
    }

    // Channels.

    /// A channel, by name.
    pub fn channel(&mut self, reference: &Reference) -> (Expr, Option<model::ShapeId>) {
        let Some((place, class)) = self.scalar(reference) else { return (Expr::Constant(0), None) };
        if let Class::Channel(shape) = class {
            return (Expr::Read(place), shape);
        }
        let name = crate::print::reference(reference);
        self.error("not-a-channel", reference.at.0, format!("`{name}` is not a channel"));
        (Expr::Constant(0), None)
    }

    fn channel_test(&mut self, test: ChannelTest, channel: &Reference) -> Expr {
        let channel = Box::new(self.channel(channel).0);
        let not = |expr| Expr::Unary(model::UnaryOp::Not, Box::new(expr));
        match test {
            ChannelTest::Len => Expr::Length(channel),
            ChannelTest::Full => Expr::Full(channel),
            ChannelTest::NotFull => not(Expr::Full(channel)),
            ChannelTest::Empty => Expr::Empty(channel),
            ChannelTest::NotEmpty => not(Expr::Empty(channel)),
        }
    }

    // Processes.

    fn run(&mut self, process: &Ident, arguments: &[ast::Expr], priority: Option<&ast::Expr>, at: Span) -> Expr {
        let spawn = self.spawn(process, arguments, priority);
        if self.d_step.is_some() {
            self.run = Run::Forbidden("a `d_step` cannot start processes");
        }
        match std::mem::replace(&mut self.run, Run::Allowed) {
            Run::Forbidden(why) => {
                self.run = Run::Forbidden(why);
                let help = "start the process in a statement of its own: `run p(…)` or `x = run p(…)`";
                self.error_help("misplaced-run", at, format!("`run` cannot be used here: {why}"), help);
            }
            Run::Used(first) => {
                self.run = Run::Used(first);
                self.error_help("two-runs", at, "only one `run` can be used in a statement", "write two statements");
            }
            Run::Allowed => self.run = spawn.map_or(Run::Allowed, Run::Used),
        }
        Expr::Spawned
    }

    fn process_row(&mut self, name: &Ident) -> Option<u32> {
        match self.scopes.find(&name.name) {
            Some(Symbol::Process(row)) => Some(*row),
            Some(symbol) => {
                let inline = matches!(symbol, Symbol::Inline);
                let message = format!("`{}` is not a process type", name.name);
                let mut diagnostic = Diagnostic::error("not-a-process", name.at.0, message);
                if inline {
                    diagnostic = diagnostic.help(format!("an inline is used without `run`: `{}(…)`", name.name));
                }
                self.diagnostics.push(diagnostic);
                None
            }
            None => {
                self.unknown_name("unknown-process", name, "process type");
                None
            }
        }
    }

    pub fn process_type(&mut self, name: &Ident) -> Option<model::ProcessTypeId> {
        self.process_row(name).map(model::ProcessTypeId)
    }

    fn remote_label(&mut self, process: &Ident, index: Option<&ast::Expr>, label: &Ident) -> Expr {
        let instance = index.map(|it| Box::new(self.expr(it)));
        let Some(process) = self.process_type(process) else { return Expr::Constant(0) };
        self.keep_label(process, label);
        let location = self.wanted.add(Wanted::Label { process, label: label.clone() });
        Expr::RemoteAt { process, instance, location: model::LocationId(location) }
    }

    /// In a process that was read before, the label that others ask for becomes a place to be.
    fn keep_label(&mut self, process: model::ProcessTypeId, label: &Ident) {
        let open = self.body.as_mut().map(|it| &mut it.nodes.next_statement);
        let next_statement = open.unwrap_or(&mut self.next_statement);
        let Some((nodes, _)) = self.finished.get_mut(process.0 as usize) else { return };
        for row in 0..nodes.labels.len() {
            if nodes.labels[row].name == label.name && nodes.keep_label(row, *next_statement) {
                *next_statement += 1;
            }
        }
    }

    fn remote_variable(&mut self, process: &Ident, index: Option<&ast::Expr>, variable: &Reference) -> Expr {
        let instance = index.map(|it| Box::new(self.expr(it)));
        let Some(process) = self.process_type(process) else { return Expr::Constant(0) };
        let segment = &variable.segments[0];
        if variable.segments.len() > 1 {
            self.error("remote-field", variable.at.0, "a field of a record cannot be read from outside its process");
            return Expr::Constant(0);
        }
        let indices: Vec<Expr> = segment.index.iter().map(|it| self.expr(it)).collect();
        if &*segment.name.name == "_p" {
            return Expr::LocationOf(instance.unwrap_or_else(|| Box::new(Expr::Constant(0))));
        }
        let wanted = Wanted::Variable { process, name: segment.name.clone(), indices: indices.len() };
        Expr::RemoteRead { process, instance, variable: model::VariableId(self.wanted.add(wanted)), indices }
    }

    /// A constant of one enumeration cannot be stored where another is expected; nor a number in a channel.
    pub fn check_assignable(&mut self, target: Class, value: &Value, at: Span) {
        match (target, value.class) {
            (Class::Enumerated(wanted), Class::Enumerated(given))
                if wanted != given && matches!(value.expr, Expr::Constant(_)) =>
            {
                let (wanted, given) = (self.enumeration_name(wanted), self.enumeration_name(given));
                self.error("mtype-clash", at, format!("this is a name of {given}, but {wanted} is wanted"));
            }
            (Class::Channel(_), Class::Number | Class::Enumerated(_)) if matches!(value.expr, Expr::Constant(number) if number != 0) =>
            {
                let message = "a constant cannot be stored in a channel variable";
                self.error_help(
                    "type-clash",
                    at,
                    message,
                    "channels come from `chan q = [n] of { … }` or from other channel variables",
                );
            }
            _ => {}
        }
    }

    fn enumeration_name(&self, id: model::EnumerationId) -> String {
        match &*self.enumerations[id.0 as usize] {
            "" => "`mtype`".to_string(),
            name => format!("`mtype:{name}`"),
        }
    }
}

/// What can have been meant by an unknown name.
fn could_be(code: &'static str) -> fn(&Symbol) -> bool {
    match code {
        "unknown-type" => |it| matches!(it, Symbol::Record(_) | Symbol::Enumeration(_)),
        "unknown-process" => |it| matches!(it, Symbol::Process(_)),
        _ => |it| matches!(it, Symbol::Variable(_) | Symbol::Constant(..) | Symbol::Number(_)),
    }
}

impl Lower {
    /// Every element of every field of a record, in order; none if there are too many.
    pub fn leaves(&mut self, binding: &Binding, indices: &[Expr], at: Span) -> Vec<(Place, Class)> {
        let elements = if let Content::Record { elements, .. } = binding.content { elements } else { 1 };
        let mut list = Vec::new();
        if self.afford(elements, at) {
            collect_leaves(binding, indices, &mut list);
        }
        list
    }
}

fn collect_leaves(binding: &Binding, indices: &[Expr], list: &mut Vec<(Place, Class)>) {
    match &binding.content {
        Content::Scalar { variable, class } => {
            let place = Place { scope: binding.scope, variable: *variable, indices: indices.to_vec() };
            list.push((place, *class));
        }
        Content::Record { fields, .. } => {
            for (_, field) in fields.iter() {
                for element in 0..field.array.unwrap_or(1) {
                    let mut inner = indices.to_vec();
                    inner.extend(field.array.map(|_| Expr::Constant(element as i32)));
                    collect_leaves(field, &inner, list);
                }
            }
        }
    }
}

/// Whether an expression may be used in a `provided` clause: nothing of one process but its number.
pub fn is_global(expr: &Expr) -> bool {
    !expr.any(&|it| matches!(it, Expr::Read(Place { scope: Scope::Local, .. })))
}
