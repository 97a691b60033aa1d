//! Declarations that nobody needs any more are left out of a text.
//!
//! A name counts as used wherever it occurs in its process, whatever it means there: a declaration too many does no harm.
use std::collections::HashSet;

use front_promela::ast::{
    Block, Declaration, Expr, ExprKind, Initial, Process, Reference, Statement, StatementKind, Tree, Type, TypeKind,
    Unit,
};
use front_promela::walk;

/// Names that occur.
#[derive(Default)]
struct Used {
    names: HashSet<String>,
    /// `P:x`.
    remote: HashSet<(String, String)>,
}

/// Leaves out what nothing refers to, until nothing more can be left out.
pub fn tidy(tree: &mut Tree) {
    loop {
        let before = tree.clone();
        for unit in &mut tree.units {
            if let Unit::Process(it) = unit {
                tidy_process(it, &remotes(&before));
            }
        }
        let mut used = Used::default();
        tree.units.iter().for_each(|it| used.unit(it));
        for unit in &mut tree.units {
            if let Unit::Declaration(it) = unit {
                it.variables.retain(|it| used.names.contains(&*it.name.name));
            }
        }
        let created =
            |it: &Process| it.active.is_some() || it.name.as_ref().is_none_or(|it| used.names.contains(&*it.name));
        tree.units.retain(|it| match it {
            Unit::Declaration(it) => !it.variables.is_empty(),
            Unit::Process(it) => created(it),
            Unit::Typedef(it) => used.names.contains(&*it.name.name),
            Unit::Mtype(it) => {
                let kind = it.subtype.as_ref().map_or("mtype", |it| &*it.name);
                used.names.contains(kind) || it.names.iter().any(|it| used.names.contains(&*it.name))
            }
            Unit::Inline(_) => false,
            _ => true,
        });
        if *tree == before {
            return;
        }
    }
}

fn remotes(tree: &Tree) -> HashSet<(String, String)> {
    let mut used = Used::default();
    tree.units.iter().for_each(|it| used.unit(it));
    used.remote
}

fn tidy_process(process: &mut Process, remote: &HashSet<(String, String)>) {
    let mut used = Used::default();
    used.block(&process.body);
    if let Some(name) = &process.name {
        used.names.extend(remote.iter().filter(|it| *it.0 == *name.name).map(|it| it.1.clone()));
    }
    tidy_block(&mut process.body, &used);
}

fn tidy_block(block: &mut Block, used: &Used) {
    block.statements.retain_mut(|it| {
        let StatementKind::Declaration(declaration) = &mut it.kind else {
            inner_blocks(it, &mut |it| tidy_block(it, used));
            return true;
        };
        declaration.variables.retain(|it| used.names.contains(&*it.name.name));
        !declaration.variables.is_empty()
    });
}

fn inner_blocks(statement: &mut Statement, visit: &mut dyn FnMut(&mut Block)) {
    match &mut statement.kind {
        StatementKind::Call { body, .. }
        | StatementKind::Atomic(body)
        | StatementKind::DStep(body)
        | StatementKind::Block(body)
        | StatementKind::For { body, .. }
        | StatementKind::ForIn { body, .. } => visit(body),
        StatementKind::If(options) | StatementKind::Do(options) => options.iter_mut().for_each(visit),
        StatementKind::Unless(main, escape) => {
            inner_blocks(main, visit);
            inner_blocks(escape, visit);
        }
        _ => {}
    }
}

impl Used {
    fn unit(&mut self, unit: &Unit) {
        match unit {
            Unit::Process(it) => {
                it.parameters.iter().for_each(|it| self.declaration(it));
                it.active.iter().filter_map(|it| it.count.as_ref()).for_each(|it| self.expr(it));
                it.priority.iter().chain(&it.provided).for_each(|it| self.expr(it));
                self.block(&it.body);
            }
            Unit::Never(it) => self.block(&it.body),
            Unit::Trace(it) => self.block(&it.body),
            Unit::Ltl(it) => self.expr(&it.formula),
            Unit::Ctl(it) => self.expr(&it.formula),
            Unit::Fairness(it) => self.expr(&it.condition),
            Unit::Invariant(it) => self.expr(&it.condition),
            Unit::Declaration(it) => self.declaration(it),
            Unit::Typedef(it) => it.fields.iter().for_each(|it| self.declaration(it)),
            Unit::Mtype(_) | Unit::Inline(_) | Unit::Embedded(_) | Unit::Enumeration(_) => {}
        }
    }

    fn block(&mut self, block: &Block) {
        for it in &block.statements {
            walk::expressions(it, &mut |expr| self.expr(expr));
            if let StatementKind::Declaration(it) = &it.kind {
                self.declaration(it);
            }
            if let StatementKind::Lock(it) | StatementKind::Unlock(it) = &it.kind {
                self.reference(it);
            }
            walk::blocks(it, &mut |inner| self.block(inner));
        }
    }

    fn declaration(&mut self, it: &Declaration) {
        self.ty(&it.ty);
        for it in &it.variables {
            it.width.iter().chain(&it.size).for_each(|it| self.expr(it));
            match &it.initial {
                Some(Initial::Value(it)) => self.expr(it),
                Some(Initial::List(list)) => list.iter().for_each(|it| self.expr(it)),
                Some(Initial::Channel { capacity, fields }) => {
                    self.expr(capacity);
                    fields.iter().for_each(|it| self.ty(it));
                }
                None => {}
            }
        }
    }

    fn ty(&mut self, it: &Type) {
        match &it.kind {
            TypeKind::Named(it) | TypeKind::Mtype(Some(it)) => _ = self.names.insert(it.name.to_string()),
            TypeKind::Mtype(None) => _ = self.names.insert("mtype".into()),
            _ => {}
        }
    }

    fn reference(&mut self, it: &Reference) {
        self.names.extend(it.segments.first().map(|it| it.name.name.to_string()));
        walk::indices(it, &mut |it| self.part(it));
    }

    fn expr(&mut self, expr: &Expr) {
        walk::each(expr, &mut |it| self.part(it));
    }

    fn part(&mut self, it: &Expr) {
        let first = |it: &Reference| it.segments.first().map(|it| it.name.name.to_string());
        match &it.kind {
            ExprKind::Reference(it) | ExprKind::Channel(_, it) | ExprKind::Poll { channel: it, .. } => {
                self.names.extend(first(it));
            }
            ExprKind::Run { process, .. } | ExprKind::RemoteLabel { process, .. } => {
                self.names.insert(process.name.to_string());
            }
            ExprKind::RemoteVariable { process, variable, .. } => {
                self.names.insert(process.name.to_string());
                self.remote.extend(first(variable).map(|it| (process.name.to_string(), it)));
            }
            _ => {}
        }
    }
}
