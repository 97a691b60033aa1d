//! The choices of a text, found by the statements that their options begin with.
//!
//! In a model a choice is a place with several edges, and one with a single option looks like a plain condition.
use std::collections::HashMap;

use front_promela::ast::{Block, Statement, StatementKind, Tree, Unit};
use model::Edge;
use text::Span;

/// A choice.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Selection {
    /// `do`, not `if`.
    pub repeats: bool,
    /// All of it.
    pub span: Span,
}

/// All choices of a text.
#[derive(Default)]
pub struct Selections {
    by_first: HashMap<Span, Selection>,
}

impl Selections {
    /// Those in processes.
    pub fn of(tree: &Tree) -> Self {
        let mut selections = Selections::default();
        for unit in &tree.units {
            if let Unit::Process(process) = unit {
                selections.block(&process.body);
            }
        }
        selections
    }

    /// The choice to which the edges of a place belong, if they belong to one.
    pub fn around(&self, edges: &[&Edge]) -> Option<Selection> {
        let mut found = edges.iter().map(|it| self.by_first.get(&it.span).copied());
        let first = found.next()??;
        found.all(|it| it == Some(first)).then_some(first)
    }

    fn block(&mut self, block: &Block) {
        block.statements.iter().for_each(|it| self.statement(it));
    }

    fn statement(&mut self, statement: &Statement) {
        match &statement.kind {
            StatementKind::If(options) => self.options(options, false, statement.at.0),
            StatementKind::Do(options) => self.options(options, true, statement.at.0),
            StatementKind::Unless(main, escape) => {
                self.statement(main);
                self.statement(escape);
            }
            kind => inner(kind).into_iter().for_each(|it| self.block(it)),
        }
    }

    fn options(&mut self, options: &[Block], repeats: bool, span: Span) {
        for option in options {
            self.first(option, Selection { repeats, span });
            self.block(option);
        }
    }

    /// Remembers what an option begins with; of a choice in a choice the inner one is remembered.
    fn first(&mut self, option: &Block, selection: Selection) {
        let mut statements = option.statements.iter();
        let Some(first) = statements.find(|it| !matches!(it.kind, StatementKind::Declaration(_))) else { return };
        match inner(&first.kind) {
            Some(block)
                if matches!(
                    first.kind,
                    StatementKind::Atomic(_) | StatementKind::Block(_) | StatementKind::Call { .. }
                ) =>
            {
                self.first(block, selection);
            }
            _ => _ = self.by_first.insert(first.at.0, selection),
        }
    }
}

/// The block that a statement consists of.
fn inner(kind: &StatementKind) -> Option<&Block> {
    match kind {
        StatementKind::Atomic(body)
        | StatementKind::DStep(body)
        | StatementKind::Block(body)
        | StatementKind::Call { body, .. }
        | StatementKind::For { body, .. }
        | StatementKind::ForIn { body, .. } => Some(body),
        _ => None,
    }
}
