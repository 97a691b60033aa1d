//! New predicates from a step that the abstract model can take and the concrete one cannot.
//!
//! The conditions of that step come first, then their weakest preconditions along the steps before it, nearest first:
//! predicates that follow each other so make the abstract path impossible (Clarke, Grumberg, Jha, Lu, Veith, CAV 2000).
use front_promela::ast::{BinaryOp, Expr, ExprKind, Reference, Statement, StatementKind, Tree, UnaryOp, Unit};
use front_promela::print;
use text::Span;

use crate::each_statement;
use crate::predicates::Predicates;
use crate::world::World;
use front_promela::walk;

/// A step: the process type and where its statement stands.
pub type Taken = (String, Span);

/// Adds predicates because `broken` cannot follow `path`; false if none is new.
pub fn refine(tree: &Tree, predicates: &mut Predicates, path: &[Taken], broken: &[Taken]) -> bool {
    let mut world = World::new(tree);
    crate::choose(&mut world, predicates, &mut Vec::new());
    let atoms: Vec<Expr> = broken.iter().flat_map(|it| conditions(tree, &world, it)).collect();
    backwards(tree, &world, predicates, atoms, path)
}

/// Adds the first of these conditions, or of their weakest preconditions along a path, that are new.
fn backwards(tree: &Tree, world: &World, predicates: &mut Predicates, mut atoms: Vec<Expr>, path: &[Taken]) -> bool {
    for before in path.iter().rev().map(Some).chain([None]) {
        let mut new = false;
        for it in &atoms {
            let wanted = world.is_abstract(None, it) && is_suitable(world, it);
            new |= wanted && predicates.add(it.clone());
        }
        if new {
            return true;
        }
        let Some((process, span)) = before else { break };
        for it in statements(tree, process, *span) {
            atoms = atoms.iter().map(|atom| before_step(world, process, atom, &it)).collect();
        }
    }
    false
}

/// Adds predicates because formulas hold where `path` leads, although they do not abstractly; false if none is new.
pub fn refine_formulas(tree: &Tree, predicates: &mut Predicates, path: &[Taken]) -> bool {
    let mut world = World::new(tree);
    crate::choose(&mut world, predicates, &mut Vec::new());
    let mut atoms = Vec::new();
    for unit in &tree.units {
        if let Unit::Ltl(it) = unit {
            walk::each(&it.formula, &mut |it| {
                let is_atom = matches!(&it.kind, ExprKind::Binary(op, ..) if op.of_numbers().is_some())
                    && !matches!(&it.kind, ExprKind::Binary(BinaryOp::And | BinaryOp::Or, ..));
                atoms.extend(is_atom.then(|| it.clone()));
            });
        }
    }
    atoms.retain(is_condition);
    backwards(tree, &world, predicates, atoms, path)
}

fn is_condition(it: &Expr) -> bool {
    use BinaryOp::*;
    matches!(it.kind, ExprKind::Binary(Eq | Ne | Lt | Le | Gt | Ge, ..))
}

fn is_suitable(world: &World, it: &Expr) -> bool {
    let mut owners: Vec<Option<String>> = Vec::new();
    let mut fine = true;
    walk::references(it, &mut |it| {
        fine &= world.is_constant(&it.segments[0].name.name) || world.unsuitable(&it.segments[0].name.name).is_none();
        if !world.is_constant(&it.segments[0].name.name) {
            owners.push(None);
        }
    });
    walk::remotes(it, &mut |owner, it| {
        fine &= world.unsuitable(&crate::world::base(Some(owner), &it.segments[0].name.name)).is_none();
        owners.push(Some(owner.to_string()));
    });
    owners.dedup();
    fine && owners.len() == 1
}

/// The statements of a process that stand there.
fn statements(tree: &Tree, process: &str, span: Span) -> Vec<Statement> {
    let mut found = Vec::new();
    for unit in &tree.units {
        if let Unit::Process(it) = unit
            && it.name.as_ref().map_or("init", |it| &*it.name) == process
        {
            each_statement(&it.body, &mut |it| found.extend((it.at.0 == span).then(|| it.clone())));
        }
    }
    found.truncate(1);
    found
}

/// The comparisons that decide whether a step can be taken.
fn conditions(tree: &Tree, world: &World, (process, span): &Taken) -> Vec<Expr> {
    let mut atoms = Vec::new();
    let mut take = |it: &Expr| collect(&canonical(world, process, it), &mut atoms);
    for it in statements(tree, process, *span) {
        each_statement(&front_promela::ast::Block { statements: vec![it], close: Default::default() }, &mut |it| {
            match &it.kind {
                StatementKind::Condition(it) | StatementKind::Assert(it) => take(it),
                StatementKind::For { index, to, .. } | StatementKind::Select { index, to, .. } => {
                    let left = Expr { kind: ExprKind::Reference(index.clone()), at: it.at };
                    let kind = ExprKind::Binary(BinaryOp::Le, Box::new(left), Box::new(to.clone()));
                    take(&Expr { kind, at: it.at });
                }
                _ => {}
            }
        });
    }
    // `else` is decided by the conditions beside it.
    for unit in &tree.units {
        let Unit::Process(it) = unit else { continue };
        each_statement(&it.body, &mut |it| {
            let (StatementKind::If(options) | StatementKind::Do(options)) = &it.kind else { return };
            let firsts: Vec<&Statement> = options.iter().filter_map(|it| it.statements.first()).collect();
            if firsts.iter().any(|it| it.at.0 == *span && it.kind == StatementKind::Else) {
                for it in firsts {
                    if let StatementKind::Condition(it) = &it.kind {
                        take(it);
                    }
                }
            }
        });
    }
    atoms
}

/// Comparisons and other conditions without connectives.
fn collect(it: &Expr, atoms: &mut Vec<Expr>) {
    match &it.kind {
        ExprKind::Unary(UnaryOp::Not, it) => collect(it, atoms),
        ExprKind::Binary(BinaryOp::And | BinaryOp::Or, a, b) => {
            collect(a, atoms);
            collect(b, atoms);
        }
        ExprKind::Number(_) => {}
        _ => atoms.push(it.clone()),
    }
}

/// Variables of the process as everybody would write them.
fn canonical(world: &World, process: &str, it: &Expr) -> Expr {
    replace(it, &|it| {
        let ExprKind::Reference(reference) = &it.kind else { return None };
        let is_local = world.base_of(Some(process), reference).contains(':');
        let name = front_promela::ast::Ident { name: process.into(), at: it.at };
        let kind = ExprKind::RemoteVariable { process: name, index: None, variable: reference.clone() };
        is_local.then_some(Expr { kind, at: it.at })
    })
}

/// The weakest precondition of an atom for an assignment.
fn before_step(world: &World, process: &str, atom: &Expr, step: &Statement) -> Expr {
    let (target, value) = match &step.kind {
        StatementKind::Assign(target, value) => (target, value.clone()),
        StatementKind::Increment(target) => (target, one_more(target, BinaryOp::Add)),
        StatementKind::Decrement(target) => (target, one_more(target, BinaryOp::Sub)),
        _ => return atom.clone(),
    };
    let read = Expr { kind: ExprKind::Reference(target.clone()), at: step.at };
    let (target, value) = (print::expression(&canonical(world, process, &read)), canonical(world, process, &value));
    replace(atom, &|it| (print::expression(it) == target).then(|| value.clone()))
}

fn one_more(target: &Reference, op: BinaryOp) -> Expr {
    let part = |kind| Box::new(Expr { kind, at: target.at });
    let kind = ExprKind::Binary(op, part(ExprKind::Reference(target.clone())), part(ExprKind::Number(1)));
    Expr { kind, at: target.at }
}

fn replace(it: &Expr, with: &dyn Fn(&Expr) -> Option<Expr>) -> Expr {
    if let Some(other) = with(it) {
        return other;
    }
    let again = |it: &Expr| Box::new(replace(it, with));
    let kind = match &it.kind {
        ExprKind::Unary(op, a) => ExprKind::Unary(*op, again(a)),
        ExprKind::Binary(op, a, b) => ExprKind::Binary(*op, again(a), again(b)),
        ExprKind::Conditional(a, b, c) => ExprKind::Conditional(again(a), again(b), again(c)),
        other => other.clone(),
    };
    Expr { kind, at: it.at }
}
