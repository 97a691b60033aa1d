//! Ways through trees: what stands directly inside, and everything below.
use crate::ast::{Block, Expr, ExprKind, ReceiveArgument, Reference, Statement, StatementKind};

/// The blocks directly inside a statement.
pub fn blocks(statement: &Statement, visit: &mut dyn FnMut(&Block)) {
    match &statement.kind {
        StatementKind::Call { body, .. }
        | StatementKind::Atomic(body)
        | StatementKind::DStep(body)
        | StatementKind::Block(body)
        | StatementKind::For { body, .. }
        | StatementKind::ForIn { body, .. } => visit(body),
        StatementKind::If(options) | StatementKind::Do(options) => options.iter().for_each(visit),
        StatementKind::Unless(main, escape) => [main, escape].into_iter().for_each(|it| {
            visit(&Block { statements: vec![(**it).clone()], close: it.at });
        }),
        _ => {}
    }
}

/// Every variable that an expression mentions, indices included.
pub fn references(expr: &Expr, visit: &mut dyn FnMut(&Reference)) {
    each(expr, &mut |it| match &it.kind {
        ExprKind::Reference(it) | ExprKind::Channel(_, it) | ExprKind::Poll { channel: it, .. } => visit(it),
        _ => {}
    });
}

/// Every variable of another process that an expression mentions.
pub fn remotes(expr: &Expr, visit: &mut dyn FnMut(&str, &Reference)) {
    each(expr, &mut |it| {
        if let ExprKind::RemoteVariable { process, variable, .. } = &it.kind {
            visit(&process.name, variable);
        }
    });
}

/// An expression and all its parts.
pub fn each(expr: &Expr, visit: &mut dyn FnMut(&Expr)) {
    visit(expr);
    match &expr.kind {
        ExprKind::Reference(it) | ExprKind::Channel(_, it) => indices(it, visit),
        ExprKind::Unary(_, a) | ExprKind::Enabled(a) | ExprKind::PcValue(a) | ExprKind::GetPriority(a) => {
            each(a, visit)
        }
        ExprKind::Binary(_, a, b) => [a, b].into_iter().for_each(|it| each(it, visit)),
        ExprKind::Conditional(a, b, c) => [a, b, c].into_iter().for_each(|it| each(it, visit)),
        ExprKind::Poll { channel, arguments, .. } => {
            indices(channel, visit);
            arguments.iter().for_each(|it| argument(it, visit));
        }
        ExprKind::Run { arguments, priority, .. } => {
            arguments.iter().chain(priority.as_deref()).for_each(|it| each(it, visit));
        }
        ExprKind::RemoteLabel { index, .. } => index.iter().for_each(|it| each(it, visit)),
        ExprKind::RemoteVariable { index, variable, .. } => {
            index.iter().for_each(|it| each(it, visit));
            indices(variable, visit);
        }
        ExprKind::Quantified { parts, .. } => parts.iter().for_each(|it| each(it, visit)),
        ExprKind::Number(_) | ExprKind::Timeout | ExprKind::NonProgress | ExprKind::Code { .. } | ExprKind::Missing => {
        }
    }
}

/// The indices of a reference.
pub fn indices(it: &Reference, visit: &mut dyn FnMut(&Expr)) {
    it.segments.iter().filter_map(|it| it.index.as_deref()).for_each(|it| each(it, visit));
}

/// What a field of a receive mentions; a variable counts as an expression.
pub fn argument(it: &ReceiveArgument, visit: &mut dyn FnMut(&Expr)) {
    match it {
        ReceiveArgument::Reference(it) => {
            each(&Expr { kind: ExprKind::Reference(it.clone()), at: it.at }, visit);
        }
        ReceiveArgument::Constant(it) | ReceiveArgument::Eval(it) => each(it, visit),
    }
}

/// The expressions directly in a statement; variables that it stores to count too.
pub fn expressions(statement: &Statement, visit: &mut dyn FnMut(&Expr)) {
    let reference = |it: &Reference, visit: &mut dyn FnMut(&Expr)| {
        visit(&Expr { kind: ExprKind::Reference(it.clone()), at: it.at });
    };
    match &statement.kind {
        StatementKind::Condition(it) | StatementKind::Assert(it) | StatementKind::Printm(it) => visit(it),
        StatementKind::Assign(target, value) => {
            reference(target, visit);
            visit(value);
        }
        StatementKind::Increment(it) | StatementKind::Decrement(it) => reference(it, visit),
        StatementKind::Send { channel, arguments, .. } => {
            reference(channel, visit);
            arguments.iter().for_each(visit);
        }
        StatementKind::Receive { channel, arguments, .. } => {
            reference(channel, visit);
            arguments.iter().for_each(|it| match it {
                ReceiveArgument::Reference(it) => reference(it, visit),
                ReceiveArgument::Constant(it) | ReceiveArgument::Eval(it) => visit(it),
            });
        }
        StatementKind::Printf(_, arguments) => arguments.iter().for_each(visit),
        StatementKind::For { index, from, to, .. } | StatementKind::Select { index, from, to } => {
            reference(index, visit);
            visit(from);
            visit(to);
        }
        StatementKind::ForIn { index, container, .. } => {
            reference(index, visit);
            reference(container, visit);
        }
        StatementKind::SetPriority(a, b) => [a, b].into_iter().for_each(visit),
        StatementKind::RunMany(ranges, run) => {
            ranges.iter().for_each(|it| visit(&it.1));
            visit(run);
        }
        StatementKind::Declaration(it) => {
            for it in &it.variables {
                match &it.initial {
                    Some(crate::ast::Initial::Value(it)) => visit(it),
                    Some(crate::ast::Initial::List(list)) => list.iter().for_each(&mut *visit),
                    _ => {}
                }
            }
        }
        _ => {}
    }
}
