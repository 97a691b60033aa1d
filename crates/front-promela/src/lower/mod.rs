//! From tree to model: names are resolved, types checked, control flow made explicit.
//!
//! Units are taken in the order of the text, because a name must be declared before it is used;
//! only process types may be used before. What one process asks of another ([`remote`]) and the
//! arguments of `run` are settled at the end, when all processes are known.
mod branching;
mod constants;
mod declarations;
mod expressions;
mod graph;
mod loops;
mod messages;
mod names;
mod nodes;
mod processes;
mod pv;
mod remote;
mod size;
mod statements;
mod temporal;

use std::collections::{HashMap, HashSet};

use model::{Exclusive, Model, Variable};
use text::{Diagnostic, Span};

use crate::ast::{self, Ident, Name, Tree, Unit};
use expressions::Run;
use names::{Scopes, Symbol};
use nodes::{LoopId, Nodes};
use remote::{Call, WantedList};

/// The model of a tree, if there is nothing wrong with it, and everything that is.
pub fn lower(tree: &Tree) -> (Option<Model>, Vec<Diagnostic>) {
    let mut lower = Lower::new(tree);
    lower.units(tree);
    lower.finish()
}

/// Why most expressions may not start a process.
const NO_STATEMENT: &str = "only a condition, an assignment, `assert` or `printf` can start a process";

/// What is known so far.
struct Lower {
    model: Model,
    diagnostics: Vec<Diagnostic>,
    scopes: Scopes,
    /// The subtypes of `mtype`; the first, without a name, is plain `mtype`.
    enumerations: Vec<Name>,
    wanted: WantedList,
    calls: Vec<Call>,
    /// The bodies of finished processes, whose graphs are built at the end.
    finished: Vec<(Nodes, nodes::NodeId)>,
    /// The body that is being read.
    body: Option<Body>,
    /// The number of the next statement outside it.
    next_statement: u32,
    /// Loops around the statement, innermost last, each with the `d_step` around it.
    loops: Vec<(LoopId, Option<u32>)>,
    /// The `d_step` around the statement.
    d_step: Option<u32>,
    d_steps: u32,
    /// Only declarations so far in this body: they take effect when the process is created.
    fresh: bool,
    run: Run,
    in_claim: bool,
    /// Where every global name is declared, for names that are used too early.
    declarations: HashMap<Name, Span>,
    /// Unknown names that have been reported: once is enough.
    reported: HashSet<(&'static str, Name)>,
    budget: size::Budget,
}

/// After this many messages nobody needs to be told what else a name could have been.
const SUGGESTIONS: usize = 50;

/// A body while it is read.
struct Body {
    kind: BodyKind,
    nodes: Nodes,
    variables: Vec<Variable>,
    exclusive: Vec<Exclusive>,
    /// Jumps, the blocks they stand in, and the `d_step` around them.
    jumps: Vec<(Ident, Vec<u32>, Option<u32>)>,
}

/// What a body belongs to.
#[derive(Clone, Copy, PartialEq, Eq)]
enum BodyKind {
    Process,
    Claim,
    Trace,
}

impl Lower {
    fn new(tree: &Tree) -> Self {
        let mut lower = Lower {
            model: Model::default(),
            diagnostics: Vec::new(),
            scopes: Scopes::default(),
            enumerations: Vec::new(),
            wanted: WantedList::default(),
            calls: Vec::new(),
            finished: Vec::new(),
            body: None,
            next_statement: 0,
            loops: Vec::new(),
            d_step: None,
            d_steps: 0,
            fresh: false,
            run: Run::Forbidden(NO_STATEMENT),
            in_claim: false,
            declarations: HashMap::new(),
            reported: HashSet::new(),
            budget: size::Budget::default(),
        };
        lower.enumeration(None);
        tree.units.iter().for_each(|unit| lower.announce(unit));
        lower
    }

    /// Process types are known from the start; of other names only where they will be declared.
    fn announce(&mut self, unit: &Unit) {
        let mut known = |name: &Ident| {
            self.declarations.entry(name.name.clone()).or_insert(name.at.0);
        };
        match unit {
            Unit::Declaration(declaration) => declaration.variables.iter().for_each(|it| known(&it.name)),
            Unit::Mtype(mtype) => mtype.names.iter().for_each(known),
            Unit::Typedef(typedef) => known(&typedef.name),
            Unit::Process(process) => self.announce_process(process),
            _ => {}
        }
    }

    fn declared_later(&self, name: &str) -> Option<Span> {
        self.declarations.get(name).copied()
    }

    fn units(&mut self, tree: &Tree) {
        tree.units.iter().for_each(|unit| self.unit(unit));
        let formulas = tree.units.iter().filter_map(|unit| if let Unit::Ltl(ltl) = unit { Some(ltl) } else { None });
        formulas.enumerate().for_each(|(row, ltl)| self.formula(row, ltl));
        self.branching_formulas(tree);
    }

    fn unit(&mut self, unit: &Unit) {
        match unit {
            Unit::Declaration(declaration) => drop(self.declare(declaration)),
            Unit::Mtype(mtype) => self.declare_mtype(mtype),
            Unit::Typedef(typedef) => self.declare_record(typedef),
            Unit::Inline(inline) => self.declare_name(&inline.name, Symbol::Inline),
            Unit::Enumeration(enumeration) => self.declare_enumeration(enumeration),
            Unit::Process(process) => self.process(process),
            Unit::Never(never) => self.never(never),
            Unit::Trace(trace) => self.trace(trace),
            Unit::Invariant(invariant) => self.invariant(invariant),
            Unit::Embedded(embedded) => drop(self.embedded_code(embedded.at.0)),
            Unit::Ltl(_) | Unit::Ctl(_) | Unit::Fairness(_) => {}
        }
    }

    fn invariant(&mut self, invariant: &ast::Invariant) {
        let condition = self.expr(&invariant.condition);
        let name = invariant.name.name.to_string();
        self.model.invariants.push(model::Invariant { name, condition, span: invariant.name.at.0 });
    }

    fn finish(mut self) -> (Option<Model>, Vec<Diagnostic>) {
        let labels = self.build_graphs();
        self.wanted.settle(&mut self.model, &labels, &mut self.diagnostics);
        self.check_calls();
        self.check_start();
        self.check_state();
        self.diagnostics.sort_by_key(|it| it.span.map(|span| (span.file, span.start)));
        // An inline that is used twice is not wrong twice.
        self.diagnostics
            .dedup_by(|it, before| (it.code, it.span, &it.message) == (before.code, before.span, &before.message));
        let wrong = self.diagnostics.iter().any(Diagnostic::is_error);
        ((!wrong).then_some(self.model), self.diagnostics)
    }

    fn error(&mut self, code: &'static str, span: Span, message: impl Into<String>) {
        self.diagnostics.push(Diagnostic::error(code, span, message));
    }

    fn error_help(&mut self, code: &'static str, span: Span, message: impl Into<String>, help: impl Into<String>) {
        self.diagnostics.push(Diagnostic::error(code, span, message).help(help));
    }
}
