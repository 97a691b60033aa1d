//! Statements of a tree become the best abstract statements, one step for one step.
//!
//! A step that can have several outcomes becomes a choice between indivisible steps. A condition becomes the strongest
//! condition on predicates that it implies. Where it may also be false the process may have to wait for ever; this is
//! a further choice, to stand still, so that ends and temporal properties are preserved as well. What depends on
//! somebody *not* being able to move (`else`, `timeout`, `unless`, priorities) is made explicit, or refused.
use std::collections::{BTreeSet, HashMap};

use front_promela::ast::{At, BinaryOp, Block, Expr, ExprKind, Ident, Reference, Statement, StatementKind, UnaryOp};
use front_promela::print;
use text::{Diagnostic, Span};

use crate::best::{Best, Context, mentions};
use crate::decide::{Failed, Truths};
use crate::term::{Term, VarId};
use crate::world::{named, outside, statement};
use front_promela::walk;

/// A rewriting in progress.
pub struct Rewriter<'a> {
    pub context: Context<'a>,
    pub diagnostics: Vec<Diagnostic>,
    /// Where a process may wait for ever, it may stand still.
    pub keeps_waiting: bool,
    /// There are properties of whole executions.
    pub temporal: bool,
    /// Labels that somebody asks for.
    pub asked_labels: BTreeSet<String>,
    /// The process type.
    pub process: Option<String>,
    pub in_claim: bool,
    /// The statement is the guard of a choice, which looks after waiting.
    pub is_guard: bool,
    /// Nothing of the `atomic` around it has happened before.
    pub is_first: bool,
    /// The process may have to wait inside an `atomic`.
    pub waits: bool,
    /// Labels of the place.
    pub labels: Vec<String>,
    pub stuck: u32,
    /// The calls of inlines that are left.
    pub calls: BTreeSet<String>,
}

/// Assignments in one step, as a substitution.
struct Together {
    guard: Term,
    fault: Term,
    values: HashMap<VarId, Term>,
    atoms: Vec<Expr>,
    kept: Vec<Statement>,
}

impl Rewriter<'_> {
    fn process(&self) -> Option<&str> {
        self.process.as_deref()
    }

    fn error(&mut self, at: At, message: impl Into<String>, help: &str) {
        self.diagnostics.push(Diagnostic::error("not-abstracted", at.0, message).help(help));
    }

    fn warn(&mut self, at: At, message: &str) {
        self.diagnostics.push(Diagnostic::warning("abstracted", at.0, message));
    }

    fn best(&mut self, atoms: &[Expr], outcomes: &[Term], at: At) -> Best {
        match self.context.best(self.process(), atoms, outcomes, at) {
            Ok(best) => best,
            Err(Failed::TooMany(most)) => {
                let message = format!("more than {most} cubes of predicates and outcomes meet here");
                self.error(at, message, "use fewer predicates about these variables");
                Best { literals: Vec::new(), outcomes: Default::default() }
            }
            Err(Failed::Solver(why)) => {
                self.error(at, why, "use `--solver own`");
                Best { literals: Vec::new(), outcomes: Default::default() }
            }
        }
    }

    fn is_abstract(&self, expr: &Expr) -> bool {
        self.context.world.is_abstract(self.process(), expr)
    }

    /// Whether a predicate may change when this variable does.
    fn is_watched(&self, it: &Reference) -> bool {
        let base = self.context.world.base_of(self.process(), it);
        self.context.world.replaced.contains(&base) || self.context.world.mentioned.contains(&base)
    }

    // Blocks.

    pub fn block(&mut self, block: &Block) -> Block {
        let (is_guard, is_first, labels) = (self.is_guard, self.is_first, self.labels.clone());
        let mut statements = Vec::new();
        let mut begun = false;
        for it in &block.statements {
            let plain = matches!(it.kind, StatementKind::Declaration(_) | StatementKind::Exclusive { .. });
            (self.is_guard, self.is_first) = (is_guard && !begun, is_first && !begun);
            self.labels = if begun { Vec::new() } else { labels.clone() };
            statements.extend(self.statement(it));
            begun |= !plain;
        }
        (self.is_guard, self.is_first, self.labels) = (is_guard, is_first, labels);
        Block { statements, close: block.close }
    }

    /// A block that is no guard.
    fn inner(&mut self, block: &Block, is_guard: bool) -> Block {
        let before = std::mem::replace(&mut self.is_guard, is_guard);
        let block = self.block(block);
        self.is_guard = before;
        block
    }

    fn statement(&mut self, it: &Statement) -> Option<Statement> {
        self.labels.extend(it.labels.iter().map(|it| it.name.to_string()));
        let kind = match &it.kind {
            StatementKind::Declaration(declaration) => {
                let mut declaration = declaration.clone();
                let world = self.context.world;
                let process = self.process.clone();
                declaration
                    .variables
                    .retain(|it| !world.replaced.contains(&crate::world::base(process.as_deref(), &it.name.name)));
                self.only_kept(it);
                if declaration.variables.is_empty() {
                    return None;
                }
                StatementKind::Declaration(declaration)
            }
            kind => self.kind(it, kind, it.at),
        };
        Some(Statement { labels: it.labels.clone(), kind, at: it.at })
    }

    fn kind(&mut self, it: &Statement, kind: &StatementKind, at: At) -> StatementKind {
        match kind {
            StatementKind::Condition(condition) => self.condition(it, condition, at),
            StatementKind::Assign(target, _) | StatementKind::Increment(target) | StatementKind::Decrement(target) => {
                if self.is_touched(it, target) {
                    self.together(std::slice::from_ref(it), at)
                } else {
                    kind.clone()
                }
            }
            StatementKind::Assert(condition) if self.is_abstract(condition) => {
                StatementKind::Assert(self.surely(condition, at))
            }
            StatementKind::Printf(format, arguments) => self.printf(format, arguments),
            StatementKind::Call { name, body, .. } => {
                let known = self.diagnostics.len();
                let rewritten = self.block(body);
                if rewritten == *body && known == self.diagnostics.len() {
                    self.keep_calls(it);
                    return kind.clone();
                }
                let _ = name;
                StatementKind::Block(rewritten)
            }
            StatementKind::Atomic(body) => self.atomic(body, at),
            StatementKind::DStep(body) => self.d_step(body, at),
            StatementKind::Block(body) => StatementKind::Block(self.block(body)),
            StatementKind::If(options) => StatementKind::If(self.options(options, at)),
            StatementKind::Do(options) => StatementKind::Do(self.options(options, at)),
            StatementKind::For { index, from, to, body } => {
                if self.is_watched(index) || [from, to].into_iter().any(|it| self.is_abstract(it)) {
                    return self.counted(index, from, to, body, at);
                }
                let body = self.later(body);
                StatementKind::For { index: index.clone(), from: from.clone(), to: to.clone(), body }
            }
            StatementKind::ForIn { index, container, body } => {
                if self.is_watched(index) {
                    self.error(at, "`for … in` counts with an abstracted variable", "write `for (i : 0 .. n)`");
                }
                let body = self.later(body);
                StatementKind::ForIn { index: index.clone(), container: container.clone(), body }
            }
            StatementKind::Select { index, from, to }
                if self.is_watched(index) || [from, to].into_iter().any(|it| self.is_abstract(it)) =>
            {
                self.selected(index, from, to, at)
            }
            StatementKind::Unless(main, escape) => self.unless(main, escape, at),
            StatementKind::SetPriority(..) => {
                self.error(at, "priorities depend on who can move, which abstraction changes", "leave priorities out");
                kind.clone()
            }
            _ => {
                self.only_kept(it);
                kind.clone()
            }
        }
    }

    /// Notes the inlines that a statement still uses.
    fn keep_calls(&mut self, it: &Statement) {
        if let StatementKind::Call { name, .. } = &it.kind {
            self.calls.insert(name.name.to_string());
        }
        let mut inside = Vec::new();
        walk::blocks(it, &mut |block| inside.extend(block.statements.clone()));
        inside.iter().for_each(|it| self.keep_calls(it));
    }

    /// A body that begins after something else has happened.
    fn later(&mut self, body: &Block) -> Block {
        let before =
            (std::mem::take(&mut self.is_guard), std::mem::take(&mut self.is_first), std::mem::take(&mut self.labels));
        let body = self.block(body);
        (self.is_guard, self.is_first, self.labels) = before;
        body
    }

    /// A statement that says nothing about abstracted variables and changes no predicate, or a message.
    fn only_kept(&mut self, it: &Statement) {
        let mut wrong = Vec::new();
        walk::expressions(it, &mut |expr| {
            let stored = |stored: &Reference| {
                matches!(
                    it.kind,
                    StatementKind::Receive { .. }
                        | StatementKind::Lock(_)
                        | StatementKind::Unlock(_)
                        | StatementKind::Select { .. }
                ) && self.is_watched(stored)
            };
            let changes = matches!(&expr.kind, ExprKind::Reference(it) if stored(it));
            if self.is_abstract(expr) || changes {
                wrong.push(expr.clone());
            }
        });
        for expr in wrong {
            let message = format!("`{}` is abstracted, or a predicate depends on it", print::expression(&expr));
            let help = match it.kind {
                StatementKind::Send { .. } | StatementKind::Receive { .. } => {
                    "messages are kept as they are: `keep` the variable, or pass another one and assign to it before or after"
                }
                _ => "`keep` the variable, or copy it before",
            };
            self.error(expr.at, message, help);
        }
    }

    // Conditions.

    fn condition(&mut self, whole: &Statement, condition: &Expr, at: At) -> StatementKind {
        if matches!(condition.kind, ExprKind::Timeout) {
            self.warn(at, "`timeout` may now happen at any time: whether others can move is no longer known");
            return StatementKind::Condition(Expr { kind: ExprKind::Number(1), at });
        }
        if !self.is_abstract(condition) {
            return whole.kind.clone();
        }
        if matches!(condition.kind, ExprKind::Run { .. }) {
            self.only_kept(whole);
            return whole.kind.clone();
        }
        self.together(std::slice::from_ref(whole), at)
    }

    /// A property must not be able to fail by itself.
    pub fn refuse_faults(&mut self, condition: &Expr, at: At) {
        let (atoms, value) = self.read(condition);
        if !self.best(&atoms, &[value.fault], at).cubes(|it| it[0]).is_empty() {
            let message = "this condition may divide by zero, or read outside an array";
            self.error(at, message, "add predicates that exclude it, or say when it may be asked");
        }
    }

    /// Where a condition may be true.
    pub fn maybe(&mut self, condition: &Expr, at: At) -> Expr {
        let (atoms, value) = self.read(condition);
        let best = self.best(&atoms, &[value.term], at);
        best.condition(&best.cubes(|it| it[0]), at)
    }

    /// Where a condition is surely true, and nothing goes wrong in finding out.
    pub fn surely(&mut self, condition: &Expr, at: At) -> Expr {
        let (atoms, value) = self.read(condition);
        let best = self.best(&atoms, &[value.term, value.fault], at);
        let wrong = best.cubes(|it| !it[0] || it[1]);
        best.condition(&best.cubes(|_| true).difference(&wrong).cloned().collect(), at)
    }

    fn read(&self, condition: &Expr) -> (Vec<Expr>, crate::world::Value) {
        let mut atoms = Vec::new();
        let value = self.context.world.value(self.process(), condition, &mut atoms);
        self.context.world.atoms(self.process(), condition, &mut atoms);
        (atoms, value)
    }

    // Assignments.

    fn is_touched(&self, it: &Statement, target: &Reference) -> bool {
        let mut found = self.is_watched(target);
        walk::expressions(it, &mut |it| found |= self.is_abstract(it));
        found
    }

    /// Statements that happen in one step: at most one condition, at the front, then assignments.
    fn together(&mut self, statements: &[Statement], at: At) -> StatementKind {
        let mut all = Together {
            guard: Term::TRUE,
            fault: Term::FALSE,
            values: HashMap::new(),
            atoms: Vec::new(),
            kept: Vec::new(),
        };
        for it in statements {
            match &it.kind {
                StatementKind::Condition(condition) => {
                    let (atoms, value) = self.read(condition);
                    all.atoms.extend(atoms);
                    (all.guard, all.fault) = (value.term, value.fault);
                }
                StatementKind::Assign(target, value) => self.assign(&mut all, it, target, value),
                StatementKind::Increment(target) => {
                    self.assign(&mut all, it, target, &plus(target, BinaryOp::Add, it.at))
                }
                StatementKind::Decrement(target) => {
                    self.assign(&mut all, it, target, &plus(target, BinaryOp::Sub, it.at))
                }
                _ => {}
            }
        }
        self.steps(all, at)
    }

    fn assign(&mut self, all: &mut Together, it: &Statement, target: &Reference, value: &Expr) {
        let world = self.context.world;
        let base = world.base_of(self.process(), target);
        let replaced = world.replaced.contains(&base);
        let (mut atoms, read) = self.read(value);
        // Only conditions are literals: that a number is not 0 says little about where it is stored.
        atoms.retain(|atom| match &atom.kind {
            ExprKind::Unary(op, _) => *op == UnaryOp::Not,
            ExprKind::Binary(op, ..) => is_condition(*op),
            _ => false,
        });
        if !replaced && self.is_abstract(value) {
            let message = format!("`{base}` is kept, but gets a value that depends on abstracted variables");
            self.error(it.at, message, &format!("abstract `{base}` too, or keep what it depends on"));
        }
        if !replaced {
            all.kept.push(statement(it.kind.clone(), it.at));
        }
        let elements = if self.is_watched(target) { world.elements(&base) } else { Vec::new() };
        let old = |id| all.values.get(&id).cloned();
        let new = read.term.substitute(&old);
        let mut fault = read.fault.substitute(&old);
        let mut changed = Vec::new();
        match target.segments[0].index.as_deref() {
            None => changed.extend(elements.first().map(|&id| (id, new.clone().stored(world.type_of(id))))),
            Some(index) if !elements.is_empty() => {
                let at = world.value(self.process(), index, &mut atoms);
                world.index_atoms(self.process(), index, elements.len(), &mut atoms);
                let at = at.term.substitute(&old);
                fault = fault.or(outside(&at, elements.len()));
                for (row, &id) in elements.iter().enumerate() {
                    let here = Term::binary(model::BinaryOp::Eq, at.clone(), Term::Constant(row as i32));
                    let before = old(id).unwrap_or(Term::Variable(id));
                    changed.push((id, Term::choice(here, new.clone().stored(world.type_of(id)), before)));
                }
                if !replaced && self.is_abstract(index) {
                    self.error(
                        it.at,
                        "an element of a kept array is chosen by an abstracted index",
                        "abstract the array too",
                    );
                }
            }
            Some(index) => {
                if self.is_abstract(index) {
                    self.error(
                        it.at,
                        "an element of a kept array is chosen by an abstracted index",
                        "abstract the array too",
                    );
                }
            }
        }
        let earlier = std::mem::replace(&mut all.fault, Term::FALSE);
        all.fault = earlier.or(all.guard.clone().and(fault));
        all.atoms.extend(atoms);
        all.values.extend(changed);
    }

    /// One choice per outcome.
    fn steps(&mut self, all: Together, at: At) -> StatementKind {
        let watched = |id| all.values.contains_key(&id);
        let process = self.process.clone();
        let changed: Vec<(String, Term)> = (self.context.visible(process.as_deref()))
            .filter(|it| mentions(&it.term, &watched))
            .map(|it| (it.name.clone(), it.term.substitute(&|id| all.values.get(&id).cloned())))
            .collect();
        let outcomes: Vec<Term> =
            [all.guard.clone(), all.fault.clone()].into_iter().chain(changed.iter().map(|it| it.1.clone())).collect();
        let best = self.best(&all.atoms, &outcomes, at);
        let mut options: Vec<Vec<Statement>> = Vec::new();
        let mut by_outcome: Vec<(Vec<bool>, BTreeSet<Truths>)> = Vec::new();
        for (outcome, cubes) in best.outcomes.iter().filter(|it| it.0[0] && !it.0[1]) {
            by_outcome.push((outcome[2..].to_vec(), cubes.clone()));
        }
        if let Some(plain) = self.plain(&best, &changed, &all.kept, &by_outcome, at) {
            options.push(plain);
        } else {
            for (outcome, cubes) in by_outcome {
                let assigned = changed.iter().zip(outcome).map(|((name, _), value)| set(name, i32::from(value), at));
                let effects: Vec<Statement> = all.kept.iter().cloned().chain(assigned).collect();
                options.push(vec![step(best.condition(&cubes, at), effects, at)]);
            }
        }
        let wrong = best.cubes(|it| it[1]);
        if !wrong.is_empty() && self.in_claim {
            self.error(at, "a condition of a claim may divide by zero, or read outside an array", "exclude it before");
        }
        if !wrong.is_empty() {
            let failed = statement(StatementKind::Assert(Expr { kind: ExprKind::Number(0), at }), at);
            options.push(vec![step(best.condition(&wrong, at), vec![failed], at)]);
        }
        let enabled = best.cubes(|it| it[0]);
        let waiting: BTreeSet<Truths> = best.cubes(|it| !it[0] && !it[1]).intersection(&enabled).cloned().collect();
        if !self.is_guard && !waiting.is_empty() {
            self.waits |= !self.is_first;
            options.extend(self.standing_still(best.condition(&waiting, at), at));
        }
        match (options.len(), options.first().map(|it| it.len())) {
            (0, _) => StatementKind::Condition(Expr { kind: ExprKind::Number(0), at }),
            (1, Some(1)) => options.swap_remove(0).swap_remove(0).kind,
            _ => StatementKind::If(options.into_iter().map(|statements| Block { statements, close: at }).collect()),
        }
    }

    /// One assignment, or one condition, says it all: where at most one predicate changes, to what the cube says.
    fn plain(
        &self,
        best: &Best,
        changed: &[(String, Term)],
        kept: &[Statement],
        outcomes: &[(Vec<bool>, BTreeSet<Truths>)],
        at: At,
    ) -> Option<Vec<Statement>> {
        let always = best.cubes(|it| !it[0] || it[1]).is_empty();
        match (changed, kept) {
            ([], []) => {
                let condition = best.condition(&best.cubes(|it| it[0] && !it[1]), at);
                Some(vec![statement(StatementKind::Condition(condition), at)])
            }
            ([(name, _)], [])
                if always && outcomes.iter().map(|it| it.1.len()).sum::<usize>() == best.cubes(|_| true).len() =>
            {
                let value = best.condition(&best.cubes(|it| it[2]), at);
                let own = matches!(&value.kind, ExprKind::Reference(it) if print::reference(it) == *name);
                let kind = match own {
                    true => StatementKind::Condition(Expr { kind: ExprKind::Number(1), at }),
                    false => StatementKind::Assign(named(name, at), value),
                };
                Some(vec![statement(kind, at)])
            }
            _ => None,
        }
    }

    /// The choice to wait for ever.
    fn standing_still(&mut self, condition: Expr, at: At) -> Option<Vec<Statement>> {
        if !self.keeps_waiting || self.in_claim {
            return None;
        }
        if self.labels.iter().any(|it| self.asked_labels.contains(it)) {
            let message =
                "a property asks whether a process is here, where it may have to wait: it would seem to have gone on";
            self.error(at, message, "add predicates that decide the condition, or use `--assertions-only`");
        }
        self.stuck += 1;
        let here = At(Span { end: at.0.start, ..at.0 });
        let is_end = self.labels.iter().any(|it| it.starts_with("end"));
        let name = format!("{}waits_{}", if is_end { "end_" } else { "" }, self.stuck);
        let label = Ident { name: name.into(), at: here };
        let wait = Statement {
            labels: vec![label],
            ..statement(StatementKind::Condition(Expr { kind: ExprKind::Number(0), at: here }), here)
        };
        Some(vec![statement(StatementKind::Condition(condition), here), wait])
    }

    fn printf(&mut self, format: &front_promela::ast::Name, arguments: &[Expr]) -> StatementKind {
        if !arguments.iter().any(|it| self.is_abstract(it)) {
            return StatementKind::Printf(format.clone(), arguments.to_vec());
        }
        let mut text = String::new();
        let mut rest = arguments.iter();
        let mut kept = Vec::new();
        let mut letters = format.chars();
        while let Some(letter) = letters.next() {
            let conversion = if letter == '%' { letters.next() } else { None };
            match conversion.and_then(|it| if it == '%' { None } else { rest.next() }) {
                Some(value) if self.is_abstract(value) => text.push('?'),
                value => {
                    text.push(letter);
                    text.extend(conversion);
                    kept.extend(value.cloned());
                }
            }
        }
        StatementKind::Printf(text.into(), kept)
    }

    // Choices.

    fn options(&mut self, options: &[Block], at: At) -> Vec<Block> {
        let is_else = |it: &Block| matches!(it.statements.first(), Some(Statement { kind: StatementKind::Else, .. }));
        let guards: Vec<&Block> = options.iter().filter(|it| !is_else(it)).collect();
        let touched = guards.iter().any(|it| self.guard_is_abstract(it));
        if !touched {
            return options.iter().map(|it| self.inner(it, self.is_guard)).collect();
        }
        let mut atoms = Vec::new();
        let enabled: Vec<Option<Term>> = guards.iter().map(|it| self.enabling(it, &mut atoms)).collect();
        let none = enabled.iter().fold(Term::TRUE, |all, it| all.and(it.clone().map_or(Term::TRUE, Term::negated)));
        let any = enabled.iter().flatten().fold(Term::FALSE, |all, it| all.or(it.clone()));
        let best = self.best(&atoms, &[none, any], at);
        let (has_else, is_guard) = (options.iter().any(is_else), self.is_guard);
        if has_else && enabled.contains(&None) {
            self.error(
                at,
                "`else` stands beside a step whose condition is not known here",
                "write the condition of `else` out",
            );
        }
        let mut list: Vec<Block> = Vec::new();
        for it in options {
            let mut block = self.inner(it, true);
            if is_else(it) {
                let condition = best.condition(&best.cubes(|it| it[0]), at);
                block.statements[0].kind = StatementKind::Condition(condition);
            }
            list.push(block);
        }
        let waiting: BTreeSet<Truths> = best.cubes(|it| it[0]).intersection(&best.cubes(|it| it[1])).cloned().collect();
        if !has_else && !is_guard && !waiting.is_empty() {
            self.waits |= !self.is_first;
            let still = self.standing_still(best.condition(&waiting, at), at);
            list.extend(still.map(|statements| Block { statements, close: at }));
        }
        list
    }

    fn guard_is_abstract(&self, block: &Block) -> bool {
        let Some(first) = first(block) else { return false };
        let mut found = false;
        match &first.kind {
            StatementKind::Condition(it) => found = self.is_abstract(it),
            StatementKind::Assign(..) | StatementKind::Increment(_) | StatementKind::Decrement(_) => {}
            StatementKind::Assert(_) | StatementKind::Printf(..) => {}
            _ => {
                walk::expressions(first, &mut |it| found |= self.is_abstract(it));
                walk::blocks(first, &mut |it| found |= self.guard_is_abstract(it));
            }
        }
        found
    }

    /// When a block can begin, if that is known.
    fn enabling(&self, block: &Block, atoms: &mut Vec<Expr>) -> Option<Term> {
        let Some(first) = first(block) else { return Some(Term::TRUE) };
        match &first.kind {
            StatementKind::Condition(it) if has_timeout(it) => None,
            StatementKind::Condition(it) => {
                let (more, value) = self.read(it);
                atoms.extend(more);
                Some(value.term.or(value.fault))
            }
            StatementKind::If(options) | StatementKind::Do(options) => {
                let parts: Vec<Option<Term>> = options.iter().map(|it| self.enabling(it, atoms)).collect();
                parts.into_iter().try_fold(Term::FALSE, |all, it| Some(all.or(it?)))
            }
            StatementKind::Atomic(body) | StatementKind::DStep(body) | StatementKind::Block(body) => {
                self.enabling(body, atoms)
            }
            StatementKind::Call { body, .. } => self.enabling(body, atoms),
            StatementKind::Send { .. }
            | StatementKind::Receive { .. }
            | StatementKind::Unless(..)
            | StatementKind::Lock(_)
            | StatementKind::Unlock(_)
            | StatementKind::Code { .. } => None,
            _ => Some(Term::TRUE),
        }
    }

    // Regions.

    fn atomic(&mut self, body: &Block, at: At) -> StatementKind {
        let before = (std::mem::replace(&mut self.is_first, true), std::mem::take(&mut self.waits));
        let body = self.block(body);
        let waits = std::mem::replace(&mut self.waits, before.1);
        self.is_first = before.0;
        if waits {
            self.waits |= !self.is_first;
            self.warn(at, "this `atomic` may have to wait inside, where others move: its steps are no longer atomic");
            return StatementKind::Block(body);
        }
        StatementKind::Atomic(body)
    }

    fn d_step(&mut self, body: &Block, at: At) -> StatementKind {
        if self.quietly(|it| it.block(body) == *body) {
            return StatementKind::DStep(body.clone());
        }
        if self.is_straight(body) {
            return self.together(&body.statements, at);
        }
        if self.temporal {
            let message = "this `d_step` is abstracted in several steps, which properties of executions would see";
            self.error(
                at,
                message,
                "make it a sequence of assignments after one condition, or use `--assertions-only`",
            );
        } else {
            self.warn(at, "this `d_step` is now an `atomic`: what it does is no longer determined");
        }
        self.atomic(body, at)
    }

    fn quietly<T>(&mut self, ask: impl FnOnce(&mut Self) -> T) -> T {
        let (known, stuck, waits) = (self.diagnostics.len(), self.stuck, self.waits);
        let answer = ask(self);
        self.diagnostics.truncate(known);
        (self.stuck, self.waits) = (stuck, waits);
        answer
    }

    /// Whether a body is at most one condition, then assignments, none of which reads what a kept one has written.
    fn is_straight(&self, body: &Block) -> bool {
        let mut written: Vec<String> = Vec::new();
        body.statements.iter().enumerate().all(|(row, it)| {
            let target = match &it.kind {
                StatementKind::Condition(it) if row == 0 => return !has_timeout(it),
                StatementKind::Condition(Expr { kind: ExprKind::Number(1), .. }) => return true,
                StatementKind::Assign(target, _)
                | StatementKind::Increment(target)
                | StatementKind::Decrement(target) => target,
                _ => return false,
            };
            let base = |it: &Reference| self.context.world.base_of(self.process(), it);
            let mut reads = false;
            walk::expressions(it, &mut |it| walk::references(it, &mut |it| reads |= written.contains(&base(it))));
            if !self.context.world.replaced.contains(&base(target)) {
                written.push(base(target));
            }
            !reads && it.labels.is_empty()
        })
    }

    fn unless(&mut self, main: &Statement, escape: &Statement, at: At) -> StatementKind {
        let block = Block { statements: vec![escape.clone()], close: at };
        if self.guard_is_abstract(&block) {
            let message = "the escape of this `unless` begins with a condition on abstracted variables";
            self.error(at, message, "keep these variables: whether the escape is possible must be known exactly");
        }
        let main = self.statement(main).unwrap_or_else(|| main.clone());
        let (guard, labels) = (std::mem::take(&mut self.is_guard), std::mem::take(&mut self.labels));
        let escape = self.statement(escape).unwrap_or_else(|| escape.clone());
        (self.is_guard, self.labels) = (guard, labels);
        StatementKind::Unless(Box::new(main), Box::new(escape))
    }

    // Loops that count.

    /// `for (i : a .. b) { S }`, written out.
    fn counted(&mut self, index: &Reference, from: &Expr, to: &Expr, body: &Block, at: At) -> StatementKind {
        let goes_on = compare(BinaryOp::Le, index, to, at);
        let round = [
            statement(StatementKind::Condition(goes_on), at),
            statement(StatementKind::Block(body.clone()), at),
            statement(StatementKind::Increment(index.clone()), at),
        ];
        let leave = [StatementKind::Else, StatementKind::Break].map(|it| statement(it, at));
        self.written_out(index, from, vec![round.to_vec(), leave.to_vec()], at)
    }

    /// `select (i : a .. b)`, written out.
    fn selected(&mut self, index: &Reference, from: &Expr, to: &Expr, at: At) -> StatementKind {
        let goes_on = compare(BinaryOp::Lt, index, to, at);
        let round =
            [StatementKind::Condition(goes_on), StatementKind::Increment(index.clone())].map(|it| statement(it, at));
        let leave = vec![statement(StatementKind::Break, at)];
        self.written_out(index, from, vec![leave, round.to_vec()], at)
    }

    fn written_out(&mut self, index: &Reference, from: &Expr, options: Vec<Vec<Statement>>, at: At) -> StatementKind {
        let first = statement(StatementKind::Assign(index.clone(), from.clone()), at);
        let options = options.into_iter().map(|statements| Block { statements, close: at }).collect();
        let statements = vec![first, statement(StatementKind::Do(options), at)];
        StatementKind::Block(self.block(&Block { statements, close: at }))
    }
}

fn is_condition(op: BinaryOp) -> bool {
    use BinaryOp::{And, Eq, Ge, Gt, Le, Lt, Ne, Or};
    matches!(op, And | Or | Eq | Ne | Lt | Le | Gt | Ge)
}

/// The first statement that is one.
fn first(block: &Block) -> Option<&Statement> {
    let counts = |it: &&Statement| !matches!(it.kind, StatementKind::Declaration(_) | StatementKind::Exclusive { .. });
    block.statements.iter().find(counts)
}

fn has_timeout(expr: &Expr) -> bool {
    let mut found = false;
    walk::each(expr, &mut |it| found |= matches!(it.kind, ExprKind::Timeout));
    found
}

fn read_expr(it: &Reference, at: At) -> Expr {
    Expr { kind: ExprKind::Reference(it.clone()), at }
}

fn plus(it: &Reference, op: BinaryOp, at: At) -> Expr {
    let one = Expr { kind: ExprKind::Number(1), at };
    Expr { kind: ExprKind::Binary(op, Box::new(read_expr(it, at)), Box::new(one)), at }
}

fn compare(op: BinaryOp, left: &Reference, right: &Expr, at: At) -> Expr {
    Expr { kind: ExprKind::Binary(op, Box::new(read_expr(left, at)), Box::new(right.clone())), at }
}

fn set(name: &str, value: i32, at: At) -> Statement {
    statement(StatementKind::Assign(named(name, at), Expr { kind: ExprKind::Number(value), at }), at)
}

/// A condition and effects as one step.
fn step(condition: Expr, effects: Vec<Statement>, at: At) -> Statement {
    let is_true = matches!(condition.kind, ExprKind::Number(1));
    let guard = statement(StatementKind::Condition(condition), at);
    match (is_true, &effects[..]) {
        (true, [one]) => one.clone(),
        (_, []) => guard,
        (true, _) => statement(StatementKind::DStep(Block { statements: effects, close: at }), at),
        (false, _) => {
            let statements = std::iter::once(guard).chain(effects).collect();
            statement(StatementKind::DStep(Block { statements, close: at }), at)
        }
    }
}

/// The opposite of an expression.
pub fn negation(it: Expr) -> Expr {
    let at = it.at;
    Expr { kind: ExprKind::Unary(UnaryOp::Not, Box::new(it)), at }
}
