//! Statements as text.
use super::Printer;
use crate::ast::{Block, Expr, ExprKind, Ident, ReceiveArgument, Reference, Statement, StatementKind};

impl Printer {
    /// `{ … }`.
    pub(super) fn block(&mut self, block: &Block) {
        self.put("{");
        self.indented(&block.statements);
        self.line();
        self.put("}");
    }

    /// Statements one level further in, each with a `;`.
    fn indented(&mut self, statements: &[Statement]) {
        self.indent += 1;
        for (number, statement) in statements.iter().enumerate() {
            self.line();
            self.statement(statement);
            self.put(if self.lines || number + 1 < statements.len() { ";" } else { "" });
        }
        self.indent -= 1;
    }

    /// A statement with its labels.
    fn statement(&mut self, statement: &Statement) {
        for label in &statement.labels {
            self.put(&label.name);
            self.put(": ");
        }
        self.statement_kind(&statement.kind);
    }

    /// A statement without its labels.
    pub(super) fn statement_kind(&mut self, kind: &StatementKind) {
        match kind {
            StatementKind::Condition(condition) => self.condition(condition),
            StatementKind::Else => self.put("else"),
            StatementKind::Assign(target, value) => self.assign(target, value),
            StatementKind::Increment(target) => self.suffixed(target, "++"),
            StatementKind::Decrement(target) => self.suffixed(target, "--"),
            StatementKind::Call { name, arguments, result, .. } => self.inline_call(name, arguments, result.as_ref()),
            StatementKind::Send { channel, sorted, arguments } => self.send(channel, *sorted, arguments),
            StatementKind::Receive { channel, random, keep, arguments } => {
                self.receive(channel, *random, *keep, arguments)
            }
            StatementKind::Assert(condition) => self.call("assert", condition),
            StatementKind::Printf(format, arguments) => self.printf(format, arguments),
            StatementKind::Printm(value) => self.call("printm", value),
            StatementKind::Goto(label) => self.goto(label),
            StatementKind::Break => self.put("break"),
            StatementKind::SetPriority(process, priority) => self.set_priority(process, priority),
            StatementKind::Exclusive { send, channels } => self.exclusive(*send, channels),
            StatementKind::Code { precondition, text } => self.code("c_code", precondition.as_ref(), text),
            StatementKind::Declaration(declaration) => self.declaration(declaration),
            StatementKind::Lock(lock) => self.locked("lock", lock),
            StatementKind::Unlock(lock) => self.locked("unlock", lock),
            StatementKind::RunMany(ranges, run) => self.run_many(ranges, run),
            compound => self.compound(compound),
        }
    }

    /// A statement that has others inside.
    fn compound(&mut self, kind: &StatementKind) {
        match kind {
            StatementKind::Atomic(body) => self.prefixed_block("atomic ", body),
            StatementKind::DStep(body) => self.prefixed_block("d_step ", body),
            StatementKind::Block(body) => self.block(body),
            StatementKind::If(options) => self.options("if", options, "fi"),
            StatementKind::Do(options) => self.options("do", options, "od"),
            StatementKind::For { index, from, to, body } => {
                self.range("for", index, from, to);
                self.prefixed_block(" ", body);
            }
            StatementKind::ForIn { index, container, body } => self.for_in(index, container, body),
            StatementKind::Select { index, from, to } => self.range("select", index, from, to),
            StatementKind::Unless(main, escape) => {
                self.statement(main);
                self.put(" unless ");
                self.statement(escape);
            }
            _ => {}
        }
    }

    /// A condition; the constants have names.
    fn condition(&mut self, condition: &Expr) {
        match condition.kind {
            ExprKind::Number(1) => self.put("skip"),
            ExprKind::Number(0) => self.put("false"),
            _ => self.expression(condition),
        }
    }

    fn assign(&mut self, target: &Reference, value: &Expr) {
        self.suffixed(target, " = ");
        self.expression(value);
    }

    fn suffixed(&mut self, target: &Reference, suffix: &str) {
        self.reference(target);
        self.put(suffix);
    }

    fn inline_call(&mut self, name: &Ident, arguments: &[String], result: Option<&Reference>) {
        if let Some(result) = result {
            self.suffixed(result, " = ");
        }
        self.put(&name.name);
        self.put("(");
        self.separated(arguments, ", ", |printer, it| printer.put(it));
        self.put(")");
    }

    /// `q!a, b`. A first field that begins with `!` is put in parentheses, lest `!!` be read.
    fn send(&mut self, channel: &Reference, sorted: bool, arguments: &[Expr]) {
        self.suffixed(channel, if sorted { "!!" } else { "!" });
        let start = self.text.len();
        self.separated(&arguments[..arguments.len().min(1)], "", Self::expression);
        if self.text[start..].starts_with('!') {
            self.text.insert(start, '(');
            self.put(")");
        }
        for argument in arguments.iter().skip(1) {
            self.put(", ");
            self.expression(argument);
        }
    }

    fn receive(&mut self, channel: &Reference, random: bool, keep: bool, arguments: &[ReceiveArgument]) {
        self.suffixed(channel, if random { "??" } else { "?" });
        self.put(if keep { "<" } else { "" });
        self.separated(arguments, ", ", |printer, it| printer.receive_argument(it));
        self.put(if keep { ">" } else { "" });
    }

    fn printf(&mut self, format: &str, arguments: &[Expr]) {
        self.put("printf(");
        self.put(&super::words::string(format));
        for argument in arguments {
            self.put(", ");
            self.expression(argument);
        }
        self.put(")");
    }

    fn goto(&mut self, label: &Ident) {
        self.put("goto ");
        self.put(&label.name);
    }

    fn set_priority(&mut self, process: &Expr, priority: &Expr) {
        self.put("set_priority(");
        self.expression(process);
        self.put(", ");
        self.expression(priority);
        self.put(")");
    }

    fn exclusive(&mut self, send: bool, channels: &[Reference]) {
        self.put(if send { "xs " } else { "xr " });
        self.separated(channels, ", ", Self::reference);
    }

    fn locked(&mut self, operation: &str, lock: &Reference) {
        self.put(operation);
        self.put("(");
        self.suffixed(lock, ")");
    }

    /// `run [i < n] P(…)`.
    fn run_many(&mut self, ranges: &[(Ident, Expr)], run: &Expr) {
        self.put("run");
        for (index, bound) in ranges {
            self.put(" [");
            self.put(&index.name);
            self.put(" < ");
            self.expression(bound);
            self.put("]");
        }
        self.put(" ");
        self.run_without_keyword(run);
    }

    fn prefixed_block(&mut self, prefix: &str, body: &Block) {
        self.put(prefix);
        self.block(body);
    }

    /// `if :: … fi`.
    fn options(&mut self, opener: &str, options: &[Block], closer: &str) {
        self.put(opener);
        for option in options {
            self.line();
            self.put(":: ");
            self.option(&option.statements);
        }
        self.line();
        self.put(closer);
    }

    /// The guard after `::`, the rest below it.
    fn option(&mut self, statements: &[Statement]) {
        let Some((guard, rest)) = statements.split_first() else { return };
        self.indent += 1;
        self.statement(guard);
        self.indent -= 1;
        self.put(if rest.is_empty() && !self.lines {
            ""
        } else if rest.is_empty() || !can_wait(guard) {
            ";"
        } else {
            " ->"
        });
        self.indented(rest);
    }

    /// `for (i : a .. b)` or `select (i : a .. b)`.
    fn range(&mut self, keyword: &str, index: &Reference, from: &Expr, to: &Expr) {
        self.put(keyword);
        self.put(" (");
        self.suffixed(index, " : ");
        self.expression(from);
        self.put(" .. ");
        self.expression(to);
        self.put(")");
    }

    fn for_in(&mut self, index: &Reference, container: &Reference, body: &Block) {
        self.put("for (");
        self.suffixed(index, " in ");
        self.suffixed(container, ") ");
        self.block(body);
    }
}

/// Whether a statement is a guard that may have to wait.
fn can_wait(statement: &Statement) -> bool {
    use StatementKind::{Condition, Else, Receive, Send};
    matches!(statement.kind, Condition(_) | Else | Send { .. } | Receive { .. })
}
