//! Loops that count: `for` in its three forms, and `select`.
//!
//! Each is written out as the assignment and the `do` it stands for; the `do` is what a label before
//! it names:
//!
//! ```text
//! for (i : a .. b) { S }    i = a;  do :: i <= b -> S; i++  :: else -> break od
//! for (i in array) { S }    i = 0;  do :: i <= size - 1 -> S; i++  :: else -> break od
//! for (m in channel) { S }  n = 0;  do :: n < len(q) -> q?m; q!m; S; n++  :: else -> break od
//! select (i : a .. b)       i = a;  do :: break  :: i < b -> i++ od
//! ```
//!
//! A `select` between few constants is one step instead.
use model::{BinaryOp, Effect, Expr, Pattern, Place};
use text::Span;

use super::Lower;
use super::expressions::Target;
use super::names::{Binding, Class, Content, Symbol};
use super::nodes::{Kind, LoopId, NodeId, SequenceId};
use crate::ast::{self, Block, ExprKind, Reference};
use crate::print;

/// The most values for which a `select` between constants is one step.
const SMALL_SELECT: i64 = 33;

/// A loop in the making.
struct Count {
    counter: Place,
    /// The counter's name.
    name: String,
    at: Span,
    exit: LoopId,
}

impl Lower {
    pub fn for_range(
        &mut self,
        index: &Reference,
        from: &ast::Expr,
        to: &ast::Expr,
        body: &Block,
        at: Span,
    ) -> Option<NodeId> {
        let counter = self.counter(index)?;
        self.check_range(from, to);
        let first = self.expr(from);
        let count = self.begin(counter, print::reference(index), (first, print::expression(from)), at);
        let last = (self.expr(to), print::expression(to));
        Some(self.count_while(count, BinaryOp::Le, last, |lower| lower.scoped(body), true))
    }

    pub fn for_in(&mut self, index: &Reference, container: &Reference, body: &Block, at: Span) -> Option<NodeId> {
        let segment = &container.segments[0];
        let binding = match self.scopes.find(&segment.name.name) {
            Some(Symbol::Variable(binding)) if container.segments.len() == 1 => Some(binding.clone()),
            _ => None,
        };
        match binding {
            Some(Binding { array: Some(size), .. }) if segment.index.is_none() => {
                self.for_elements(index, size, body, at)
            }
            Some(Binding { content: Content::Scalar { class: Class::Channel(_), .. }, .. }) => {
                self.for_messages(index, container, body, at)
            }
            Some(_) => {
                let message = format!("`{}` is neither an array nor a channel", segment.name.name);
                self.error("for-container", container.at.0, message);
                None
            }
            None => {
                self.target(container);
                None
            }
        }
    }

    fn for_elements(&mut self, index: &Reference, size: u32, body: &Block, at: Span) -> Option<NodeId> {
        let counter = self.counter(index)?;
        let count = self.begin(counter, print::reference(index), (Expr::Constant(0), "0".into()), at);
        let last = size as i32 - 1;
        let last = (Expr::Constant(last), last.to_string());
        Some(self.count_while(count, BinaryOp::Le, last, |lower| lower.scoped(body), true))
    }

    /// Takes each message out and puts it back, so that after one round all are where they were.
    fn for_messages(&mut self, message: &Reference, channel: &Reference, body: &Block, at: Span) -> Option<NodeId> {
        let Some(Target::Record { binding, indices }) = self.target(message) else {
            let text = "the messages of a channel need a variable of a record type";
            self.error_help("for-message", message.at.0, text, "declare a `typedef` with the channel's fields");
            return None;
        };
        let (queue, shape) = self.channel(channel);
        let fields: Vec<Place> =
            self.leaves(&binding, &indices, message.at.0).into_iter().map(|(place, _)| place).collect();
        self.check_message_type(shape, fields.len(), channel);
        let (channel, message) = (print::reference(channel), print::reference(message));
        let counter = self.hidden_counter(at);
        let count = self.begin(counter, "_count".into(), (Expr::Constant(0), "0".into()), at);
        let length = (Expr::Length(Box::new(queue.clone())), format!("len({channel})"));
        let turn = |lower: &mut Lower| {
            let patterns = fields.iter().cloned().map(Pattern::Store).collect();
            let receive = Effect::Receive { channel: queue.clone(), patterns, anywhere: false, keep: false };
            lower.add_step(Expr::TRUE, vec![receive], format!("{channel}?{message}"), at);
            let values = fields.iter().cloned().map(Expr::Read).collect();
            let send = Effect::Send { channel: queue, message: values, sorted: false };
            lower.add_step(Expr::TRUE, vec![send], format!("{channel}!{message}"), at);
            lower.scoped(body);
        };
        Some(self.count_while(count, BinaryOp::Lt, length, turn, true))
    }

    fn check_message_type(&mut self, shape: Option<model::ShapeId>, fields: usize, channel: &Reference) {
        if let Some(shape) = shape
            && self.model.shape(shape).fields.len() != fields
            && !self.budget.is_spent()
        {
            self.error("for-message", channel.at.0, "the record and the channel do not have the same fields");
        }
    }

    fn hidden_counter(&mut self, span: Span) -> Place {
        let variables = self.variables();
        let variable = model::VariableId(variables.len() as u32);
        variables.push(model::Variable {
            name: "_count".into(),
            ty: model::Type::BYTE,
            dimensions: Vec::new(),
            initial: model::Initial::Zero,
            hidden: false,
            enumeration: None,
            span,
        });
        Place { scope: model::Scope::Local, variable, indices: Vec::new() }
    }

    pub fn select(&mut self, index: &Reference, from: &ast::Expr, to: &ast::Expr, at: Span) -> Option<NodeId> {
        let counter = self.counter(index)?;
        let name = print::reference(index);
        self.check_range(from, to);
        if let (ExprKind::Number(a), ExprKind::Number(b)) = (&from.kind, &to.kind)
            && (0..SMALL_SELECT).contains(&(i64::from(*b) - i64::from(*a)))
        {
            return Some(self.small_select(&counter, &name, *a..=*b, at));
        }
        let first = self.expr(from);
        let count = self.begin(counter, name, (first, print::expression(from)), at);
        let last = (self.expr(to), print::expression(to));
        Some(self.count_while(count, BinaryOp::Lt, last, |_| {}, false))
    }

    fn small_select(&mut self, place: &Place, name: &str, range: std::ops::RangeInclusive<i32>, at: Span) -> NodeId {
        let mut options = Vec::new();
        for value in range {
            self.nodes().open();
            let effect = Effect::Assign(place.clone(), Expr::Constant(value));
            self.add_step(Expr::TRUE, vec![effect], format!("{name} = {value}"), at);
            options.push(self.nodes().close());
        }
        self.nodes().append_if(options, "select", at)
    }

    /// The variable that a loop counts with.
    fn counter(&mut self, index: &Reference) -> Option<Place> {
        let (place, class) = self.assignable(index)?;
        if matches!(class, Class::Channel(_)) {
            let message = format!("`{}` is a channel and cannot count", print::reference(index));
            self.error("for-index", index.at.0, message);
            return None;
        }
        Some(place)
    }

    fn check_range(&mut self, from: &ast::Expr, to: &ast::Expr) {
        if let (ExprKind::Number(a), ExprKind::Number(b)) = (&from.kind, &to.kind)
            && a > b
        {
            let message = format!("the range {a} .. {b} is empty");
            let help = format!("the smaller value comes first: `{b} .. {a}`");
            self.error_help("empty-range", from.at.0.to(to.at.0), message, help);
        }
    }

    /// A body with a scope of its own, in the open sequence.
    fn scoped(&mut self, body: &Block) {
        self.scopes.open();
        self.statements(body);
        self.scopes.close();
    }

    /// The first assignment.
    fn begin(&mut self, counter: Place, name: String, first: (Expr, String), at: Span) -> Count {
        let exit = self.open_loop();
        let text = format!("{name} = {}", first.1);
        self.add_step(Expr::TRUE, vec![Effect::Assign(counter.clone(), first.0)], text, at);
        Count { counter, name, at, exit }
    }

    /// The `do`: one option goes on while the counter compares to the last value, the other leaves.
    fn count_while(
        &mut self,
        count: Count,
        op: BinaryOp,
        last: (Expr, String),
        body: impl FnOnce(&mut Lower),
        with_else: bool,
    ) -> NodeId {
        let (exit, at) = (count.exit, count.at);
        let main = self.round(count, op, last, body);
        let leave = self.leave(exit, with_else, at);
        self.loops.pop();
        let options = if with_else { vec![main, leave] } else { vec![leave, main] };
        self.nodes().append_do(options, exit, "for", at)
    }

    fn round(&mut self, count: Count, op: BinaryOp, last: (Expr, String), body: impl FnOnce(&mut Lower)) -> SequenceId {
        let Count { counter, name, at, .. } = count;
        let value = || Box::new(Expr::Read(counter.clone()));
        let sign = if op == BinaryOp::Le { "<=" } else { "<" };
        self.nodes().open();
        self.fresh = false;
        self.add_step(Expr::Binary(op, value(), Box::new(last.0)), Vec::new(), format!("{name} {sign} {}", last.1), at);
        body(self);
        let next = Expr::Binary(BinaryOp::Add, value(), Box::new(Expr::Constant(1)));
        self.add_step(Expr::TRUE, vec![Effect::Assign(counter, next)], format!("{name}++"), at);
        self.nodes().close()
    }

    fn leave(&mut self, exit: LoopId, with_else: bool, at: Span) -> SequenceId {
        self.nodes().open();
        if with_else {
            let otherwise = Kind::Step { guard: Expr::TRUE, effects: Vec::new(), otherwise: true };
            self.add_node(otherwise, "else".into(), at);
        }
        self.add_node(Kind::Break(exit), "break".into(), at);
        self.nodes().close()
    }
}
