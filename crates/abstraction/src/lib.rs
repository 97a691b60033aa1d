//! Predicate abstraction of Promela: chosen variables are replaced by boolean predicates about them.
//!
//! The abstract model can do whatever the concrete one can, seen through the predicates, and perhaps more (Cousot, Cousot,
//! POPL 1977; Clarke, Grumberg, Long, TOPLAS 1994; Graf, Saïdi, CAV 1997). So what holds for it holds for the concrete
//! model; what it violates has to be looked at again. [`abstracted`] rewrites a tree; every statement keeps the place of
//! the one it stands for, so that a step of the abstract model names a step of the concrete one. What cannot be
//! abstracted is refused with its place, never left out.
pub mod best;
mod cover;
pub mod decide;
pub mod predicates;
pub mod refine;
mod rewrite;
pub mod term;
pub mod world;

use std::collections::BTreeSet;

use front_promela::ast::{
    At, BinaryOp, Block, Declaration, Declarator, Expr, ExprKind, Ident, Initial, Statement, StatementKind, Tree, Type,
    TypeKind, UnaryOp, Unit,
};
use front_promela::print;
use front_promela::walk;
use text::Diagnostic;

use best::{Context, Known};
use decide::Procedure;
use predicates::Predicates;
use rewrite::Rewriter;
use world::World;

/// How to abstract.
#[derive(Clone, Debug)]
pub struct Options {
    /// Who decides.
    pub procedure: Procedure,
    /// Only assertions and run-time errors are preserved: conditions are simply weakened.
    pub assertions_only: bool,
    /// The most cubes and outcomes of one statement.
    pub most: usize,
    /// A deliberate mistake, as a test of the tests: of several outcomes of a statement only one is possible.
    #[doc(hidden)]
    pub forgets_outcomes: bool,
}

impl Default for Options {
    fn default() -> Self {
        Options { procedure: Procedure::Own, assertions_only: false, most: 4096, forgets_outcomes: false }
    }
}

/// An abstract model.
#[derive(Debug)]
pub struct Abstracted {
    /// The tree; only if there are no errors does it mean anything.
    pub tree: Tree,
    /// What is wrong, and what was made weaker.
    pub diagnostics: Vec<Diagnostic>,
}

/// The abstraction of a tree by predicates.
pub fn abstracted(tree: &Tree, predicates: &Predicates, options: &Options) -> Abstracted {
    let mut world = World::new(tree);
    let mut diagnostics = Vec::new();
    choose(&mut world, predicates, &mut diagnostics);
    let known: Vec<Known> = predicates.list.iter().filter_map(|it| known_of(&world, it, &mut diagnostics)).collect();
    let temporal = tree.units.iter().any(|it| matches!(it, Unit::Ltl(_) | Unit::Never(_)));
    let assumed: Vec<Known> =
        predicates.assumed.iter().filter_map(|it| known_of(&world, it, &mut diagnostics)).collect();
    for it in &predicates.assumed {
        let message = format!("`{}` is believed, and not checked", print::expression(&it.condition));
        diagnostics.push(Diagnostic::warning("assumed", it.condition.at.0, message));
    }
    let context = Context {
        world: &world,
        predicates: &known,
        procedure: &options.procedure,
        most: options.most,
        assumed: &assumed,
        forgets_outcomes: options.forgets_outcomes,
    };
    let mut rewriter = Rewriter {
        context,
        diagnostics,
        keeps_waiting: !options.assertions_only,
        temporal: temporal && !options.assertions_only,
        asked_labels: asked_labels(tree),
        process: None,
        in_claim: false,
        is_guard: false,
        is_first: false,
        waits: false,
        labels: Vec::new(),
        stuck: 0,
        calls: BTreeSet::new(),
    };
    let units: Vec<Unit> = tree.units.iter().filter_map(|it| unit(&mut rewriter, &known, it, options)).collect();
    let used = |it: &Unit| !matches!(it, Unit::Inline(it) if !rewriter.calls.contains(&*it.name.name));
    let mut all: Vec<Unit> = declaration(&world, &known, None).map(Unit::Declaration).into_iter().collect();
    all.extend(units.into_iter().filter(used));
    Abstracted { tree: Tree { units: all }, diagnostics: rewriter.diagnostics }
}

/// Which variables are replaced, and which others predicates mention.
fn choose(world: &mut World, predicates: &Predicates, diagnostics: &mut Vec<Diagnostic>) {
    let mut mentioned = BTreeSet::new();
    for it in predicates.list.iter().chain(&predicates.assumed) {
        let mut bases = Vec::new();
        walk::references(&it.condition, &mut |it| bases.push(world.base_of(None, it)));
        walk::remotes(&it.condition, &mut |owner, it| bases.push(world::base(Some(owner), &it.segments[0].name.name)));
        bases.retain(|base| world.declared.contains_key(base) || !world.is_constant(base));
        for base in bases {
            if let Some(why) = world.unsuitable(&base) {
                let message = format!("the predicate `{}` cannot be about `{base}`: {why}", it.name);
                diagnostics.push(Diagnostic::error("predicate", it.condition.at.0, message));
            }
            mentioned.insert(base);
        }
    }
    let explicit: BTreeSet<String> = predicates.replaced.iter().cloned().collect();
    for base in &explicit {
        if let Some(why) = world.unsuitable(base) {
            diagnostics.push(Diagnostic::global("predicate", format!("`{base}` cannot be abstracted: {why}")));
        }
    }
    let chosen = if explicit.is_empty() { mentioned.clone() } else { explicit };
    world.replaced = chosen.into_iter().filter(|it| !predicates.kept.contains(it)).collect();
    world.mentioned = mentioned;
}

fn known_of(world: &World, it: &predicates::Predicate, diagnostics: &mut Vec<Diagnostic>) -> Option<Known> {
    let mut owners = BTreeSet::new();
    walk::remotes(&it.condition, &mut |owner, _| _ = owners.insert(owner.to_string()));
    let mut globals = false;
    walk::references(&it.condition, &mut |it| globals |= world.declared.contains_key(&*it.segments[0].name.name));
    if owners.len() > 1 || globals && !owners.is_empty() {
        let message = format!("the predicate `{}` is about variables of different owners", it.name);
        let help = "make the local variable global, or an element of a global array";
        diagnostics.push(Diagnostic::error("predicate", it.condition.at.0, message).help(help));
        return None;
    }
    if diagnostics.iter().any(Diagnostic::is_error) {
        return None;
    }
    let term = world.value(None, &it.condition, &mut Vec::new()).term;
    Some(Known { name: it.name.clone(), owner: owners.into_iter().next(), term })
}

/// The boolean variables of an owner.
fn declaration(world: &World, known: &[Known], owner: Option<&str>) -> Option<Declaration> {
    let at = At::default();
    let variable = |it: &Known| Declarator {
        name: Ident { name: it.name.as_str().into(), at },
        width: None,
        size: None,
        initial: Some(Initial::Value(Expr {
            kind: ExprKind::Number(i32::from(it.term.value(&|id| world.initial(id)) != 0)),
            at,
        })),
    };
    let variables: Vec<Declarator> = known.iter().filter(|it| it.owner.as_deref() == owner).map(variable).collect();
    let ty = Type { kind: TypeKind::Bool, at };
    (!variables.is_empty()).then_some(Declaration { prefix: None, ty, variables, at })
}

fn asked_labels(tree: &Tree) -> BTreeSet<String> {
    let mut labels = BTreeSet::new();
    let mut ask = |it: &Expr| {
        if let ExprKind::RemoteLabel { label, .. } = &it.kind {
            labels.insert(label.name.to_string());
        }
    };
    for unit in &tree.units {
        match unit {
            Unit::Ltl(it) => walk::each(&it.formula, &mut ask),
            Unit::Never(it) => {
                each_statement(&it.body, &mut |it| walk::expressions(it, &mut |it| walk::each(it, &mut ask)))
            }
            Unit::Process(it) => {
                each_statement(&it.body, &mut |it| walk::expressions(it, &mut |it| walk::each(it, &mut ask)))
            }
            _ => {}
        }
    }
    labels
}

fn each_statement(block: &Block, visit: &mut dyn FnMut(&Statement)) {
    for it in &block.statements {
        visit(it);
        walk::blocks(it, &mut |block| each_statement(block, visit));
    }
}

fn unit(rewriter: &mut Rewriter<'_>, known: &[Known], it: &Unit, options: &Options) -> Option<Unit> {
    let world = rewriter.context.world;
    Some(match it {
        Unit::Declaration(declaration) => {
            let mut kept = declaration.clone();
            kept.variables.retain(|it| !world.replaced.contains(&*it.name.name));
            for it in &kept.variables {
                if let Some(Initial::Value(value)) = &it.initial
                    && world.is_abstract(None, value)
                {
                    let message = "a kept variable begins with a value that depends on abstracted ones";
                    rewriter.diagnostics.push(Diagnostic::error("not-abstracted", value.at.0, message));
                }
            }
            (!kept.variables.is_empty()).then_some(Unit::Declaration(kept))?
        }
        Unit::Process(process) => {
            let mut process = process.clone();
            let name = process.name.as_ref().map_or("init", |it| &*it.name).to_string();
            refuse(rewriter, &process);
            rewriter.process = Some(name.clone());
            process.body = rewriter.block(&process.body);
            rewriter.process = None;
            if let Some(own) = declaration(world, known, Some(&name)) {
                let at = At::default();
                process
                    .body
                    .statements
                    .insert(0, Statement { labels: Vec::new(), kind: StatementKind::Declaration(own), at });
            }
            process.deterministic = false;
            Unit::Process(process)
        }
        Unit::Never(_) if options.assertions_only => return None,
        Unit::Never(never) => {
            let mut never = never.clone();
            rewriter.in_claim = true;
            never.body = rewriter.block(&never.body);
            rewriter.in_claim = false;
            Unit::Never(never)
        }
        Unit::Ltl(_) if options.assertions_only => return None,
        Unit::Ltl(ltl) => {
            let mut ltl = ltl.clone();
            ltl.formula = formula(rewriter, &ltl.formula, true);
            Unit::Ltl(ltl)
        }
        Unit::Ctl(ctl) => {
            let message = "what is possible is not preserved by abstraction: this property is left out";
            rewriter.diagnostics.push(Diagnostic::warning("abstracted", ctl.at.0, message));
            return None;
        }
        Unit::Fairness(_) => return None,
        Unit::Invariant(invariant) => {
            let mut invariant = invariant.clone();
            if world.is_abstract(None, &invariant.condition) {
                invariant.condition = rewriter.surely(&invariant.condition, invariant.condition.at);
            }
            Unit::Invariant(invariant)
        }
        Unit::Trace(trace) => {
            let mut touched = None;
            each_statement(&trace.body, &mut |it| {
                walk::expressions(it, &mut |it| touched = touched.or(world.is_abstract(None, it).then_some(it.at)));
            });
            if let Some(at) = touched {
                rewriter.diagnostics.push(Diagnostic::error(
                    "not-abstracted",
                    at.0,
                    "a trace mentions an abstracted variable",
                ));
            }
            it.clone()
        }
        other => other.clone(),
    })
}

/// What a process must not have, because it depends on what others cannot do.
fn refuse(rewriter: &mut Rewriter<'_>, process: &front_promela::ast::Process) {
    let mut wrong: Vec<(At, &'static str)> = Vec::new();
    let name = process.name.as_ref().map(|it| it.name.to_string());
    if process.priority.is_some() {
        wrong.push((process.at, "priorities depend on who can move, which abstraction changes"));
    }
    if let Some(it) = process.provided.as_ref().filter(|it| rewriter.context.world.is_abstract(name.as_deref(), it)) {
        wrong.push((it.at, "a `provided` condition must not depend on abstracted variables"));
    }
    each_statement(&process.body, &mut |it| {
        let alone = matches!(&it.kind, StatementKind::Condition(Expr { kind: ExprKind::Timeout, .. }));
        walk::expressions(it, &mut |expr| {
            walk::each(expr, &mut |part| match &part.kind {
                ExprKind::Timeout if !alone => {
                    wrong.push((part.at, "`timeout` can be abstracted only as a statement of its own"))
                }
                ExprKind::Enabled(_) | ExprKind::PcValue(_) | ExprKind::GetPriority(_) => {
                    wrong.push((part.at, "what a process can do, and where it is, is not preserved"));
                }
                ExprKind::Run { priority: Some(_), .. } => wrong.push((part.at, "priorities depend on who can move")),
                ExprKind::Reference(it) if &*it.segments[0].name.name == "_last" => {
                    wrong.push((part.at, "`_last` is not preserved"));
                }
                _ => {}
            });
        });
    });
    for (at, message) in wrong {
        rewriter.diagnostics.push(Diagnostic::error("not-abstracted", at.0, message));
    }
}

/// A formula that is no weaker: what must be true is surely true, what must be false is surely false.
fn formula(rewriter: &mut Rewriter<'_>, it: &Expr, positive: bool) -> Expr {
    let at = it.at;
    let expr = |kind| Expr { kind, at };
    if !rewriter.context.world.is_abstract(None, it) {
        return it.clone();
    }
    match &it.kind {
        ExprKind::Unary(op, part) if *op == UnaryOp::Not || op.of_numbers().is_none() => {
            let part = formula(rewriter, part, positive != (*op == UnaryOp::Not));
            expr(ExprKind::Unary(*op, Box::new(part)))
        }
        ExprKind::Binary(BinaryOp::Equivalent, a, b) => {
            let both = |a: Expr, b: Expr| expr(ExprKind::Binary(BinaryOp::And, Box::new(a), Box::new(b)));
            let none = both(rewrite::negation((**a).clone()), rewrite::negation((**b).clone()));
            let either =
                expr(ExprKind::Binary(BinaryOp::Or, Box::new(both((**a).clone(), (**b).clone())), Box::new(none)));
            formula(rewriter, &either, positive)
        }
        ExprKind::Binary(op, a, b) if op.of_numbers().is_none() || matches!(op, BinaryOp::And | BinaryOp::Or) => {
            let a = formula(rewriter, a, positive != (*op == BinaryOp::Implies));
            let b = formula(rewriter, b, positive);
            expr(ExprKind::Binary(*op, Box::new(a), Box::new(b)))
        }
        _ => {
            rewriter.refuse_faults(it, at);
            if positive { rewriter.surely(it, at) } else { rewriter.maybe(it, at) }
        }
    }
}

/// What stands above the text of an abstract model: what each variable means.
pub fn legend(predicates: &Predicates, assertions_only: bool) -> String {
    let mut text =
        String::from("/* An abstraction by predicates. What holds for it holds for the model it was made from");
    text += if assertions_only { ",\n   as far as assertions and run-time errors go.\n" } else { ".\n" };
    for it in predicates.list.iter().chain(&predicates.assumed) {
        text += &format!("   {}: {}\n", it.name, print::expression(&it.condition));
    }
    text + "*/\n"
}
