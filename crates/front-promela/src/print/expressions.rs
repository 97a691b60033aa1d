//! Expressions as text.
use super::Printer;
use super::words::number;
use crate::ast::{BinaryOp, ChannelTest, Expr, ExprKind, Name, PathOp, ReceiveArgument, Reference, Segment, UnaryOp};
use crate::parse::strength;

/// Stronger than any infix operator: what is printed at this level needs no parentheses anywhere.
const OPERAND: u8 = 12;

impl Printer {
    /// An expression where nothing binds to it.
    pub(super) fn expression(&mut self, expr: &Expr) {
        self.binding(expr, 0);
    }

    /// An expression where something binds to it that is as strong as `weakest`.
    fn binding(&mut self, expr: &Expr, weakest: u8) {
        match level(expr) < weakest {
            true => {
                self.put("(");
                self.bare(expr);
                self.put(")");
            }
            false => self.bare(expr),
        }
    }

    /// An expression without parentheses around it.
    fn bare(&mut self, expr: &Expr) {
        match &expr.kind {
            ExprKind::Number(value) => self.put(&number(*value)),
            ExprKind::Reference(reference) => self.reference(reference),
            ExprKind::Unary(op, operand) => self.unary(*op, operand),
            ExprKind::Binary(op, left, right) => self.binary(*op, left, right),
            ExprKind::Conditional(condition, then, otherwise) => self.conditional(condition, then, otherwise),
            ExprKind::Channel(test, channel) => self.channel_test(*test, channel),
            ExprKind::Poll { channel, random, arguments } => self.poll(channel, *random, arguments),
            ExprKind::Run { process, arguments, priority } => self.run(&process.name, arguments, priority.as_deref()),
            ExprKind::Enabled(process) => self.call("enabled", process),
            ExprKind::PcValue(process) => self.call("pc_value", process),
            ExprKind::GetPriority(process) => self.call("get_priority", process),
            ExprKind::RemoteLabel { process, index, label } => {
                self.remote(&process.name, index.as_deref(), "@");
                self.put(&label.name);
            }
            ExprKind::RemoteVariable { process, index, variable } => {
                self.remote(&process.name, index.as_deref(), ":");
                self.reference(variable);
            }
            ExprKind::Timeout => self.put("timeout"),
            ExprKind::NonProgress => self.put("np_"),
            ExprKind::Code { precondition, text } => self.code("c_expr", precondition.as_ref(), text),
            ExprKind::Quantified { universal, path, parts } => self.quantified(*universal, *path, parts),
            ExprKind::Missing => self.put("/* missing */"),
        }
    }

    fn unary(&mut self, op: UnaryOp, operand: &Expr) {
        self.put(prefix(op));
        let nested = matches!(operand.kind, ExprKind::Unary(..)) && !is_temporal(op);
        self.binding(operand, if nested { u8::MAX } else { OPERAND });
    }

    /// `AG e` or `A[e U e]`.
    fn quantified(&mut self, universal: bool, path: PathOp, parts: &[Expr]) {
        self.put(if universal { "A" } else { "E" });
        let operator = match path {
            PathOp::Next => "X ",
            PathOp::Finally => "F ",
            PathOp::Globally => "G ",
            PathOp::Until => " U ",
            PathOp::WeakUntil => " W ",
        };
        match parts {
            [first, second] => {
                self.put("[");
                self.expression(first);
                self.put(operator);
                self.expression(second);
                self.put("]");
            }
            _ => {
                self.put(operator);
                parts.iter().for_each(|it| self.operand_of_path(it));
            }
        }
    }

    /// What is negative would be taken for the rest of a difference.
    fn operand_of_path(&mut self, expr: &Expr) {
        let is_negative = matches!(expr.kind, ExprKind::Unary(UnaryOp::Negate, _) | ExprKind::Number(..0));
        self.binding(expr, if is_negative { u8::MAX } else { OPERAND });
    }

    /// Left-associative: the right operand must bind more strongly.
    fn binary(&mut self, op: BinaryOp, left: &Expr, right: &Expr) {
        self.binding(left, strength(op));
        self.put(" ");
        self.put(infix(op));
        self.put(" ");
        self.binding(right, strength(op) + 1);
    }

    fn conditional(&mut self, condition: &Expr, then: &Expr, otherwise: &Expr) {
        self.put("(");
        self.expression(condition);
        self.put(" -> ");
        self.expression(then);
        self.put(" : ");
        self.expression(otherwise);
        self.put(")");
    }

    fn channel_test(&mut self, test: ChannelTest, channel: &Reference) {
        self.put(channel_test(test));
        self.put("(");
        self.reference(channel);
        self.put(")");
    }

    fn poll(&mut self, channel: &Reference, random: bool, arguments: &[ReceiveArgument]) {
        self.reference(channel);
        self.put(if random { "??[" } else { "?[" });
        self.separated(arguments, ", ", |printer, it| printer.receive_argument(it));
        self.put("]");
    }

    /// What is done with a field of a received message.
    pub(super) fn receive_argument(&mut self, argument: &ReceiveArgument) {
        match argument {
            ReceiveArgument::Reference(reference) => self.reference(reference),
            ReceiveArgument::Constant(value) => self.expression(value),
            ReceiveArgument::Eval(value) => self.call("eval", value),
        }
    }

    /// `run P(…)`.
    pub(super) fn run(&mut self, process: &Name, arguments: &[Expr], priority: Option<&Expr>) {
        self.put("run ");
        self.run_process(process, arguments, priority);
    }

    fn run_process(&mut self, process: &Name, arguments: &[Expr], priority: Option<&Expr>) {
        self.put(process);
        self.put("(");
        self.separated(arguments, ", ", Self::expression);
        self.put(")");
        self.priority(priority);
    }

    /// `priority n`.
    pub(super) fn priority(&mut self, priority: Option<&Expr>) {
        self.optional(" priority ", priority, Self::small_constant);
    }

    /// A number or a name, or anything else in parentheses.
    pub(super) fn small_constant(&mut self, expr: &Expr) {
        let small = matches!(expr.kind, ExprKind::Number(_) | ExprKind::Reference(_));
        self.binding(expr, if small { 0 } else { u8::MAX });
    }

    /// What follows `run` and its ranges.
    pub(super) fn run_without_keyword(&mut self, expr: &Expr) {
        match &expr.kind {
            ExprKind::Run { process, arguments, priority } => {
                self.run_process(&process.name, arguments, priority.as_deref());
            }
            _ => self.expression(expr),
        }
    }

    /// `name(argument)`.
    pub(super) fn call(&mut self, name: &str, argument: &Expr) {
        self.put(name);
        self.put("(");
        self.expression(argument);
        self.put(")");
    }

    fn remote(&mut self, process: &str, index: Option<&Expr>, separator: &str) {
        self.put(process);
        self.index(index);
        self.put(separator);
    }

    /// `keyword [precondition] { … }`.
    pub(super) fn code(&mut self, keyword: &str, precondition: Option<&Name>, text: &str) {
        self.put(keyword);
        self.optional(" [", precondition, |printer, it| {
            printer.put(it);
            printer.put("]");
        });
        self.put(" ");
        self.put(&super::words::code(text));
    }

    /// `a[i].b`.
    pub(super) fn reference(&mut self, reference: &Reference) {
        self.separated(&reference.segments, ".", Self::segment);
    }

    fn segment(&mut self, segment: &Segment) {
        self.put(&segment.name.name);
        self.index(segment.index.as_deref());
    }

    /// `[i]`, if there is one.
    pub(super) fn index(&mut self, index: Option<&Expr>) {
        self.optional("[", index, |printer, it| {
            printer.expression(it);
            printer.put("]");
        });
    }
}

/// How a question about a channel is written.
pub(crate) fn channel_test(test: ChannelTest) -> &'static str {
    match test {
        ChannelTest::Len => "len",
        ChannelTest::Full => "full",
        ChannelTest::NotFull => "nfull",
        ChannelTest::Empty => "empty",
        ChannelTest::NotEmpty => "nempty",
    }
}

/// How strongly the outermost operator binds.
fn level(expr: &Expr) -> u8 {
    match &expr.kind {
        ExprKind::Binary(op, ..) => strength(*op),
        _ => OPERAND,
    }
}

fn is_temporal(op: UnaryOp) -> bool {
    matches!(op, UnaryOp::Always | UnaryOp::Eventually | UnaryOp::Next)
}

fn prefix(op: UnaryOp) -> &'static str {
    match op {
        UnaryOp::Not => "!",
        UnaryOp::Negate => "-",
        UnaryOp::Complement => "~",
        UnaryOp::Always => "[] ",
        UnaryOp::Eventually => "<> ",
        UnaryOp::Next => "X ",
    }
}

fn infix(op: BinaryOp) -> &'static str {
    match op {
        BinaryOp::Or => "||",
        BinaryOp::And => "&&",
        BinaryOp::BitOr => "|",
        BinaryOp::BitXor => "^",
        BinaryOp::BitAnd => "&",
        BinaryOp::Eq => "==",
        BinaryOp::Ne => "!=",
        BinaryOp::Lt => "<",
        BinaryOp::Le => "<=",
        BinaryOp::Gt => ">",
        BinaryOp::Ge => ">=",
        BinaryOp::Shl => "<<",
        BinaryOp::Shr => ">>",
        BinaryOp::Add => "+",
        BinaryOp::Sub => "-",
        BinaryOp::Mul => "*",
        BinaryOp::Div => "/",
        BinaryOp::Rem => "%",
        BinaryOp::Implies => "->",
        BinaryOp::Equivalent => "<->",
        BinaryOp::Until => "U",
        BinaryOp::Release => "V",
        BinaryOp::WeakUntil => "W",
    }
}
