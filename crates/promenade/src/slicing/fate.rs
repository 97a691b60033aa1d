//! What becomes of each statement of a text in a slice.
//!
//! A statement is found by where it stands and how it is written; what macros and inlines write twice in one place has the best of the fates.
use std::collections::HashMap;

use front_promela::ast::{Block, Statement, StatementKind};
use front_promela::print;
use model::{Edge, EdgeId, Model, ProcessTypeId};
use slice::Slice;
use text::Span;

/// What becomes of a statement, the worst first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Fate {
    /// Nothing that matters can be reached from here.
    Cut,
    /// Nobody notices it.
    Gone,
    /// It is a step that does nothing.
    Idle,
    /// It stays, as this edge does.
    Kept(EdgeId),
}

/// The fates of the statements of one process.
pub struct Fates<'a> {
    process: &'a model::ProcessType,
    sliced: &'a model::ProcessType,
    by_text: HashMap<(Span, &'a str), Fate>,
    by_place: HashMap<Span, Fate>,
}

impl<'a> Fates<'a> {
    /// Those in the slice of a model.
    pub fn new(model: &'a Model, slice: &'a Slice, owner: ProcessTypeId) -> Self {
        let (process, sliced) = (model.process(owner), slice.model.process(owner));
        let mut fates = Fates { process, sliced, by_text: HashMap::new(), by_place: HashMap::new() };
        for (row, edge) in process.edges.iter().enumerate() {
            let fate = fate(edge, EdgeId(row as u32), sliced, &slice.shapes[owner.0 as usize]);
            let better = |old: &mut Fate| *old = fate.max(*old);
            fates.by_text.entry((edge.span, &*edge.text)).and_modify(better).or_insert(fate);
            fates.by_place.entry(edge.span).and_modify(better).or_insert(fate);
        }
        fates
    }

    /// That of a statement which is one step; nothing for those that are no step, as most jumps.
    pub fn of(&self, statement: &Statement) -> Option<Fate> {
        match &statement.kind {
            // Several steps, all at one place.
            StatementKind::For { .. }
            | StatementKind::ForIn { .. }
            | StatementKind::Select { .. }
            | StatementKind::DStep(_)
            | StatementKind::RunMany(..) => self.by_place.get(&statement.at.0).copied(),
            _ => self.by_text.get(&(statement.at.0, &*print::statement(statement))).copied(),
        }
    }

    /// That of where a statement begins.
    pub fn of_entry(&self, statement: &Statement) -> Option<Fate> {
        let first = |it: &Block| it.statements.iter().find(|it| is_step(it)).and_then(|it| self.of_entry(it));
        match &statement.kind {
            StatementKind::If(options) | StatementKind::Do(options) => options.iter().filter_map(first).max(),
            StatementKind::Block(body) | StatementKind::Atomic(body) | StatementKind::Call { body, .. } => first(body),
            StatementKind::DStep(body) => self.of(statement).or_else(|| first(body)),
            StatementKind::Unless(main, escape) => self.of_entry(main).max(self.of_entry(escape)),
            _ => self.of(statement),
        }
    }

    /// Whether a declaration among statements is a step that nobody needs but that is noticed, as in a `d_step`.
    pub fn gives_idle_value(&self, statement: &Statement) -> bool {
        let StatementKind::Declaration(it) = &statement.kind else { return false };
        it.variables.iter().any(|it| self.by_place.get(&it.name.at.0) == Some(&Fate::Idle))
    }

    /// An edge of the model and the same in the slice.
    pub fn edges(&self, edge: EdgeId) -> (&Edge, &Edge) {
        (self.process.edge(edge), self.sliced.edge(edge))
    }
}

/// Whether a statement is more than a declaration.
pub fn is_step(statement: &Statement) -> bool {
    !matches!(statement.kind, StatementKind::Declaration(_) | StatementKind::Exclusive { .. })
}

fn fate(edge: &Edge, id: EdgeId, sliced: &model::ProcessType, shape: &slice::Shape) -> Fate {
    let row = edge.source.0 as usize;
    let has_lost = !edge.effects.is_empty() && sliced.edge(id).effects.is_empty();
    match () {
        () if shape.cut[row] => Fate::Cut,
        () if !shape.kept[row] => Fate::Gone,
        () if !shape.decides[row] || has_lost => Fate::Idle,
        () => Fate::Kept(id),
    }
}
