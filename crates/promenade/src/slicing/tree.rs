//! A slice as a text: what is irrelevant becomes `skip`, and what consists of `skip`s alone disappears (Holzmann, *Software model checking*, 2000, §5.1).
//!
//! The graph of the slice says which statements stay ([`fate`](super::fate)); here the tree of the text follows it. A statement that nobody notices is left out,
//! an `if` in which nothing is left, too. A loop stays a loop, because it may go on for ever. Where nothing that matters can be reached any more the
//! process stands still, which is a valid end. Inlines are written out, since two uses may have different slices.
use std::collections::HashSet;

use front_promela::ast::{
    At, Block, Expr, ExprKind, Ident, Process, ReceiveArgument, Reference, Segment, Statement, StatementKind,
};
use front_promela::walk;
use model::{Effect, Pattern};

use super::fate::{Fate, Fates, is_step};

/// The body of a process in the slice; `labels` are those that others ask for, and it `may_end` if nobody asks which processes exist.
pub fn body(process: &Process, fates: &Fates<'_>, labels: &HashSet<String>, may_end: bool) -> Block {
    let mut jumps: HashSet<String> = HashSet::new();
    collect_jumps(&process.body, &mut jumps);
    loop {
        let asked: HashSet<String> = jumps.union(labels).cloned().collect();
        let mut slicer = Slicer { fates, asked: &asked, stops: 0, begun: false };
        let mut statements = slicer.sequence(&process.body, true);
        if may_end {
            drop_last_stop(&mut statements, &asked);
        }
        if !statements.iter().any(is_step) {
            statements.push(plain(StatementKind::Condition(number(1))));
        }
        let body = Block { statements, close: process.body.close };
        let mut left = HashSet::new();
        collect_jumps(&body, &mut left);
        // A label to which no jump is left needs no statement of its own.
        if left == jumps {
            return body;
        }
        jumps = left;
    }
}

fn collect_jumps(block: &Block, jumps: &mut HashSet<String>) {
    for it in &block.statements {
        if let StatementKind::Goto(label) = &it.kind {
            jumps.insert(label.name.to_string());
        }
        walk::blocks(it, &mut |inner| collect_jumps(inner, jumps));
    }
}

/// At its end a process may as well end as stand still.
fn drop_last_stop(statements: &mut Vec<Statement>, asked: &HashSet<String>) {
    let is_last = |it: &Statement| is_stop(it) && !it.labels.iter().any(|it| asked.contains(&*it.name));
    if statements.len() > 1 && statements.last().is_some_and(is_last) {
        statements.pop();
    }
}

struct Slicer<'a> {
    fates: &'a Fates<'a>,
    /// Labels that jumps lead to, or that others ask for.
    asked: &'a HashSet<String>,
    /// Places where a process stands still.
    stops: usize,
    /// A statement has been written.
    begun: bool,
}

impl Slicer<'_> {
    /// What is left of a sequence.
    fn sequence(&mut self, block: &Block, is_body: bool) -> Vec<Statement> {
        let (mut list, mut was_begun) = (Vec::new(), !is_body);
        for it in &block.statements {
            if !is_step(it) {
                // A declaration at the beginning has another meaning than a later one.
                if was_begun && !self.begun {
                    self.push(&mut list, plain(StatementKind::Condition(number(1))));
                }
                list.push(it.clone());
                if was_begun && self.fates.gives_idle_value(it) {
                    self.push(&mut list, plain(StatementKind::Condition(number(1))));
                }
                continue;
            }
            was_begun = true;
            self.statement(it, &mut list);
        }
        list
    }

    fn push(&mut self, list: &mut Vec<Statement>, it: Statement) {
        self.begun = true;
        list.push(it);
    }

    fn has_asked_label(&self, it: &Statement) -> bool {
        it.labels.iter().any(|it| self.asked.contains(&*it.name))
    }

    fn statement(&mut self, it: &Statement, list: &mut Vec<Statement>) {
        let stands_still = list.last().is_some_and(is_stop) && !self.has_asked_label(it);
        match self.fates.of_entry(it) {
            Some(Fate::Cut) if stands_still => {}
            Some(Fate::Cut) => {
                let stop = self.stop(it);
                self.push(list, stop);
            }
            None if stands_still && is_jump(it) => {}
            _ => self.reached(it, list),
        }
    }

    /// A process stands still here, and may.
    fn stop(&mut self, it: &Statement) -> Statement {
        self.stops += 1;
        let name = Ident { name: format!("end_slice{}", self.stops).into(), at: it.at };
        let asked = it.labels.iter().filter(|it| self.asked.contains(&*it.name)).cloned();
        let labels = [name].into_iter().chain(asked).collect();
        Statement { labels, kind: StatementKind::Condition(number(0)), at: it.at }
    }

    fn reached(&mut self, it: &Statement, list: &mut Vec<Statement>) {
        let kind = match &it.kind {
            StatementKind::If(options) | StatementKind::Do(options) => return self.choice(it, options, list),
            StatementKind::Block(body) | StatementKind::Call { body, .. } => return self.block(it, body, list),
            StatementKind::Atomic(body) => self.inside(body).map(StatementKind::Atomic),
            StatementKind::DStep(body) => match self.fates.of(it) {
                Some(Fate::Cut | Fate::Gone) => None,
                Some(Fate::Idle) => Some(StatementKind::Condition(number(1))),
                Some(Fate::Kept(_)) | None => {
                    Some(self.inside(body).map_or(StatementKind::Condition(number(1)), StatementKind::DStep))
                }
            },
            StatementKind::For { body, .. } | StatementKind::ForIn { body, .. } => self.counted(it, body),
            StatementKind::Unless(main, escape) => {
                let (main, escape) = (Box::new(self.part(main)), Box::new(self.part(escape)));
                Some(StatementKind::Unless(main, escape))
            }
            _ => self.basic(it),
        };
        match kind {
            Some(kind) => self.push(list, Statement { kind, ..it.clone() }),
            None => self.left_out(it, list),
        }
    }

    /// Of a statement that is left out, labels may have to stay.
    fn left_out(&mut self, it: &Statement, list: &mut Vec<Statement>) {
        let labels: Vec<Ident> = it.labels.iter().filter(|it| self.asked.contains(&*it.name)).cloned().collect();
        if !labels.is_empty() {
            self.push(list, Statement { labels, kind: StatementKind::Condition(number(1)), at: it.at });
        }
    }

    /// A block, if something is left of it.
    fn inside(&mut self, body: &Block) -> Option<Block> {
        let statements = with_open_begin(self.nested(body));
        statements.iter().any(is_step).then_some(Block { statements, close: body.close })
    }

    fn nested(&mut self, body: &Block) -> Vec<Statement> {
        self.sequence(body, false)
    }

    /// One of the two parts of an `unless`.
    fn part(&mut self, it: &Statement) -> Statement {
        let mut list = Vec::new();
        self.statement(it, &mut list);
        match list.len() {
            0 => Statement { kind: StatementKind::Condition(number(1)), ..it.clone() },
            1 if !matches!(it.kind, StatementKind::Block(_) | StatementKind::Call { .. }) => list.remove(0),
            _ => Statement {
                labels: Vec::new(),
                kind: StatementKind::Block(Block { statements: list, close: it.at }),
                at: it.at,
            },
        }
    }

    /// Braces go where they hold nothing together.
    fn block(&mut self, it: &Statement, body: &Block, list: &mut Vec<Statement>) {
        let statements = self.nested(body);
        if !statements.iter().any(is_step) {
            return self.left_out(it, list);
        }
        let has_names = statements.iter().any(|it| !is_step(it)) || has_labels(&statements);
        if has_names || !it.labels.is_empty() {
            let kind = StatementKind::Block(Block { statements: with_open_begin(statements), close: body.close });
            self.push(list, Statement { labels: it.labels.clone(), kind, at: it.at });
        } else {
            list.extend(statements);
        }
    }

    /// `if` and `do`.
    fn choice(&mut self, it: &Statement, options: &[Block], list: &mut Vec<Statement>) {
        let is_if = matches!(it.kind, StatementKind::If(_));
        let guard = |it: &Block| it.statements.iter().find(|it| is_step(it)).and_then(|it| self.fates.of_entry(it));
        let is_free: Vec<bool> = options.iter().map(|it| guard(it) == Some(Fate::Gone)).collect();
        let mut left: Vec<Vec<Statement>> = options.iter().map(|it| self.nested(it)).collect();
        if is_if && left.iter().all(|it| !it.iter().any(is_step)) {
            return self.left_out(it, list);
        }
        for (option, is_free) in left.iter_mut().zip(is_free) {
            let begins = option.first().is_some_and(|it| is_skip(it) || is_jump(it));
            if !option.iter().any(is_step) || is_free && !begins {
                option.insert(0, plain(StatementKind::Condition(number(1))));
            }
            if !is_if && option.len() == 1 && is_skip(&option[0]) {
                option.push(round_again());
            }
        }
        let mut distinct: Vec<Block> = Vec::new();
        for (statements, close) in left.into_iter().zip(options.iter().map(|it| it.close)) {
            let option = Block { statements, close };
            if !distinct.contains(&option) {
                distinct.push(option);
            }
        }
        if let ([only], true) = (&mut distinct[..], is_if)
            && only.statements.first().is_some_and(is_skip)
            && it.labels.is_empty()
            && !only.statements.iter().any(|it| !is_step(it))
        {
            let rest = std::mem::take(&mut only.statements);
            let kept = self.fates.of_entry(it) == Some(Fate::Gone) && rest.len() > 1;
            return rest.into_iter().skip(usize::from(kept)).for_each(|it| self.push(list, it));
        }
        let kind = if is_if { StatementKind::If(distinct) } else { StatementKind::Do(distinct) };
        self.push(list, Statement { kind, ..it.clone() });
    }

    /// A loop that counts: as it is, or, if it does not matter how often, one that goes on for ever.
    fn counted(&mut self, it: &Statement, body: &Block) -> Option<StatementKind> {
        let body = self.inside(body);
        let skip = || Block { statements: vec![plain(StatementKind::Condition(number(1)))], close: it.at };
        match self.fates.of(it) {
            Some(Fate::Kept(_)) | None => {
                let inner = body.unwrap_or_else(skip);
                Some(match it.kind.clone() {
                    StatementKind::For { index, from, to, .. } => StatementKind::For { index, from, to, body: inner },
                    StatementKind::ForIn { index, container, .. } => {
                        StatementKind::ForIn { index, container, body: inner }
                    }
                    other => other,
                })
            }
            Some(Fate::Idle) => {
                let mut round = skip();
                round.statements.extend(body.map_or_else(|| vec![round_again()], |it| it.statements));
                Some(StatementKind::Do(vec![round]))
            }
            Some(Fate::Cut | Fate::Gone) => body.map(StatementKind::Block),
        }
    }

    /// A statement without others inside; nothing if it is left out.
    fn basic(&self, it: &Statement) -> Option<StatementKind> {
        match self.fates.of(it) {
            // Where it leads to matters, even if nobody notices that it is a step.
            _ if is_jump(it) => Some(it.kind.clone()),
            None => Some(it.kind.clone()),
            Some(Fate::Cut | Fate::Gone) => None,
            Some(Fate::Idle) => Some(StatementKind::Condition(number(1))),
            Some(Fate::Kept(edge)) => {
                let (before, after) = self.fates.edges(edge);
                Some(without_values(&it.kind, &before.effects, &after.effects))
            }
        }
    }
}

/// Values that nobody looks at are not sent, not received and not handed over.
fn without_values(kind: &StatementKind, before: &[Effect], after: &[Effect]) -> StatementKind {
    let mut kind = kind.clone();
    for old in before {
        let Some(new) = after.iter().find(|it| std::mem::discriminant(*it) == std::mem::discriminant(old)) else {
            continue;
        };
        match (old, new, &mut kind) {
            (
                Effect::Send { message: old, .. },
                Effect::Send { message: new, .. },
                StatementKind::Send { arguments, .. },
            ) => forget(arguments, old, new),
            (
                Effect::Spawn { arguments: old, .. },
                Effect::Spawn { arguments: new, .. },
                StatementKind::Condition(Expr { kind: ExprKind::Run { arguments, .. }, .. }),
            ) => forget(arguments, old, new),
            (
                Effect::Receive { patterns: old, .. },
                Effect::Receive { patterns: new, .. },
                StatementKind::Receive { arguments, .. },
            ) => ignore(arguments, old, new),
            _ => {}
        }
    }
    kind
}

/// Records take several fields; then all stay.
fn forget(arguments: &mut [Expr], old: &[model::Expr], new: &[model::Expr]) {
    if arguments.len() != old.len() {
        return;
    }
    for ((argument, old), new) in arguments.iter_mut().zip(old).zip(new) {
        if old != new {
            argument.kind = ExprKind::Number(0);
        }
    }
}

fn ignore(arguments: &mut [ReceiveArgument], old: &[Pattern], new: &[Pattern]) {
    if arguments.len() != old.len() {
        return;
    }
    for ((argument, old), new) in arguments.iter_mut().zip(old).zip(new) {
        if let (ReceiveArgument::Reference(it), true) = (&mut *argument, old != new) {
            let segments = vec![Segment { name: Ident { name: "_".into(), at: it.at }, index: None }];
            *argument = ReceiveArgument::Reference(Reference { segments, at: it.at });
        }
    }
}

/// SPIN takes no label right behind a brace.
fn with_open_begin(mut statements: Vec<Statement>) -> Vec<Statement> {
    if let Some(row) = statements.iter().position(is_step).filter(|&row| !statements[row].labels.is_empty()) {
        statements.insert(row, plain(StatementKind::Condition(number(1))));
    }
    statements
}

fn has_labels(statements: &[Statement]) -> bool {
    statements.iter().any(|it| {
        let mut found = !it.labels.is_empty();
        walk::blocks(it, &mut |inner| found |= has_labels(&inner.statements));
        found
    })
}

/// SPIN's verifier takes no step that leads nowhere else at once, so a loop without content has two.
fn round_again() -> Statement {
    plain(StatementKind::Condition(number(1)))
}

fn is_jump(it: &Statement) -> bool {
    matches!(it.kind, StatementKind::Goto(_) | StatementKind::Break)
}

fn is_skip(it: &Statement) -> bool {
    it.labels.is_empty() && matches!(&it.kind, StatementKind::Condition(it) if it.kind == ExprKind::Number(1))
}

fn is_stop(it: &Statement) -> bool {
    it.labels.first().is_some_and(|it| it.name.starts_with("end_slice"))
        && matches!(&it.kind, StatementKind::Condition(it) if it.kind == ExprKind::Number(0))
}

fn number(value: i32) -> Expr {
    Expr { kind: ExprKind::Number(value), at: At::default() }
}

fn plain(kind: StatementKind) -> Statement {
    Statement { labels: Vec::new(), kind, at: At::default() }
}
