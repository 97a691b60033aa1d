//! What names mean.
use std::collections::HashMap;

use text::{Diagnostic, Span};

use super::Elaborator;
use crate::ast::{self, Binding, Bounds, Element, ExprKind, Name, Range};
use crate::system::{Domain, GateId, InstanceId, Kind};

/// What a name of the text means.
#[derive(Clone, Debug)]
pub enum Meaning {
    /// A value.
    Value(i64, Kind),
    /// A type.
    Type(Domain),
    /// An array type.
    Array(Domain, Vec<(i64, i64)>),
    /// A row of the definitions.
    Definition(usize),
    /// A variable.
    Variable(u32),
    /// The lists of values of an action.
    Action(Vec<usize>),
    /// A process, by its row.
    Process(usize),
    /// An invariant or a property.
    Property,
}

/// An action with one list of values, and its gates.
#[derive(Clone, Debug)]
pub struct Family {
    /// The name of the action.
    pub name: String,
    /// Lowest and highest of each index.
    pub indices: Vec<(i64, i64)>,
    /// The values that go with it.
    pub fields: Vec<Domain>,
    /// The first of its gates; the others follow, the last index first.
    pub first: GateId,
    /// Where it is declared.
    pub span: Span,
}

/// A process with its instances.
#[derive(Clone, Debug, Default)]
pub struct Group {
    /// The values of the indices of each instance.
    pub members: Vec<(Vec<i64>, InstanceId)>,
    /// The kind of each index.
    pub kinds: Vec<Kind>,
}

/// A value that stands for a name for a while.
pub type Bound = (String, i64, Kind);

/// The names of one place: those of the text, those of a process, those of indices.
#[derive(Clone, Debug, Default)]
pub struct Scope {
    /// Indices and values that are known here; the last ones first.
    pub bound: Vec<Bound>,
    /// The process whose names are known here.
    pub instance: Option<InstanceId>,
}

impl Scope {
    /// With one more name.
    pub fn with(&self, name: &str, value: i64, kind: Kind) -> Scope {
        let mut scope = self.clone();
        scope.bound.push((name.into(), value, kind));
        scope
    }
}

impl Elaborator<'_> {
    /// Gives a name of the text its meaning, unless it has one.
    pub fn declare(&mut self, name: &Name, meaning: Meaning) {
        if let Some((_, first)) = self.names.get(&name.text) {
            let first = *first;
            self.duplicate(name, first);
            return;
        }
        self.names.insert(name.text.clone(), (meaning, name.span));
    }

    pub fn duplicate(&mut self, name: &Name, first: Span) {
        let message = format!("`{}` is declared twice", name.text);
        self.report(Diagnostic::error("duplicate-name", name.span, message).note(first, "the first declaration"));
    }

    /// Says that a name means nothing, and which one may be meant.
    pub fn unknown(&mut self, what: &str, name: &Name, candidates: Vec<String>) {
        let near = text::closest(&name.text, candidates.iter().map(String::as_str)).map(str::to_string);
        let mut diagnostic =
            Diagnostic::error("unknown-name", name.span, format!("there is no {what} `{}`", name.text));
        diagnostic.help = near.map(|it| format!("did you mean `{it}`?"));
        self.report(diagnostic);
    }

    /// The value of an expression that no state changes.
    pub fn constant(&mut self, expr: &ast::Expr, scope: &Scope) -> Option<(i64, Kind)> {
        let value = self.expr(expr, scope, &crate::facts::Facts::default())?;
        if let model::Expr::Constant(constant) = value.expr {
            return Some((i64::from(constant), value.kind));
        }
        self.report(Diagnostic::error("not-constant", expr.span, "this is not constant: it depends on variables"));
        None
    }

    pub fn number(&mut self, expr: &ast::Expr, scope: &Scope) -> Option<i64> {
        let (value, kind) = self.constant(expr, scope)?;
        if kind != Kind::Int {
            let found = self.kind_name(kind);
            self.report(Diagnostic::error("type", expr.span, format!("expected a number, found {found}")));
            return None;
        }
        Some(value)
    }

    /// Lowest and highest; a range without values only if `may_be_empty`.
    pub fn range(&mut self, range: &Range, scope: &Scope, may_be_empty: bool) -> Option<(i64, i64)> {
        let (low, high) = (self.number(&range.low, scope), self.number(&range.high, scope));
        let (low, high) = (low?, high?);
        if low > high && !may_be_empty {
            let span = range.low.span.to(range.high.span);
            self.report(Diagnostic::error("empty-range", span, format!("the range {low}..{high} has no values")));
            return None;
        }
        Some((low, high))
    }

    /// The values of an index, and their kind.
    pub fn values(&mut self, binding: &Binding, scope: &Scope) -> Option<(i64, i64, Kind)> {
        if let Some((_, first)) = self.names.get(&binding.name.text) {
            let first = *first;
            self.duplicate(&binding.name, first);
            return None;
        }
        match &binding.range {
            Bounds::Range(range) => self.range(range, scope, true).map(|it| (it.0, it.1, Kind::Int)),
            Bounds::Type(name) if name.text == "bool" => Some((0, 1, Kind::Bool)),
            Bounds::Type(name) => self.named_type(name).map(|it| (it.low, it.high, it.kind)),
        }
    }

    fn named_type(&mut self, name: &Name) -> Option<Domain> {
        match self.names.get(&name.text) {
            Some((Meaning::Type(domain), _)) => Some(*domain),
            Some((_, span)) => {
                let span = *span;
                let message = format!("`{}` is not a type", name.text);
                self.report(Diagnostic::error("not-a-type", name.span, message).note(span, "it is declared here"));
                None
            }
            None => {
                let is_type =
                    |it: &(&String, &(Meaning, Span))| matches!(it.1.0, Meaning::Type(_) | Meaning::Array(..));
                let candidates = self.names.iter().filter(is_type).map(|it| it.0.clone()).collect();
                self.unknown("type", name, candidates);
                None
            }
        }
    }

    /// The values of a type and the dimensions of an array.
    pub fn ty(&mut self, ty: &ast::Type, scope: &Scope) -> Option<(Domain, Vec<(i64, i64)>)> {
        let mut dimensions = Vec::new();
        for it in &ty.dimensions {
            dimensions.push(self.range(it, scope, false)?);
        }
        let domain = match &ty.element {
            Element::Bool => Domain::BOOL,
            Element::Range(range) => {
                let (low, high) = self.range(range, scope, false)?;
                Domain { kind: Kind::Int, low, high }
            }
            Element::Named(name) => match self.names.get(&name.text) {
                Some((Meaning::Array(domain, more), _)) => {
                    dimensions.extend(more.clone());
                    *domain
                }
                _ => self.named_type(name)?,
            },
        };
        let elements = dimensions.iter().map(|it| (it.1 - it.0 + 1) as u128).product::<u128>();
        if elements > MOST_ELEMENTS {
            let message = format!("an array can have {MOST_ELEMENTS} elements, and this has {elements}");
            self.report(Diagnostic::error("too-large", ty.span, message));
            return None;
        }
        Some((domain, dimensions))
    }

    pub fn kind_name(&self, kind: Kind) -> String {
        match kind {
            Kind::Bool => "a condition".into(),
            Kind::Int => "a number".into(),
            Kind::Enum(row) => format!("a value of `{}`", self.enumeration_names[row as usize]),
        }
    }

    /// The instance of a process that an expression names.
    pub fn instance(&mut self, expr: &ast::Expr, scope: &Scope) -> Option<InstanceId> {
        let (base, indices) = match &expr.kind {
            ExprKind::Index(base, indices) => (&**base, &indices[..]),
            _ => (expr, &[][..]),
        };
        let ExprKind::Name(text) = &base.kind else {
            self.report(Diagnostic::error("not-a-process", expr.span, "expected the name of a process"));
            return None;
        };
        let name = Name { text: text.clone(), span: base.span };
        let row = self.process_row(&name)?;
        let mut values = Vec::new();
        for it in indices {
            values.push(self.constant(it, scope)?.0);
        }
        let found = self.groups[row].members.iter().find(|it| it.0 == values).map(|it| it.1);
        if found.is_none() {
            let message = format!("there is no process `{}`", super::with_indices(&name.text, &values));
            let place = self.tree.processes[row].span;
            self.report(Diagnostic::error("no-such-process", expr.span, message).note(place, "it is declared here"));
        }
        found
    }

    pub fn process_row(&mut self, name: &Name) -> Option<usize> {
        if let Some((Meaning::Process(row), _)) = self.names.get(&name.text) {
            return Some(*row);
        }
        let candidates = self.tree.processes.iter().map(|it| it.name.text.clone()).collect();
        self.unknown("process", name, candidates);
        None
    }
}

/// The most elements of an array.
const MOST_ELEMENTS: u128 = 100_000;

/// Names with their meaning and the place that gave it.
pub type Names = HashMap<String, (Meaning, Span)>;
