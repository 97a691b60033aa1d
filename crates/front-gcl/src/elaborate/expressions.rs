//! Expressions: names are resolved, kinds compared, bounds computed.
//!
//! Every value has an interval in which it lies. An index that is not inside its array, a divisor that can be 0 and a number that does not fit
//! 32 bits are refused here, so that evaluating an expression never goes wrong.
use model::{BinaryOp, Expr, Place, Scope as Storage, UnaryOp, VariableId};
use text::Diagnostic;

use super::Elaborator;
use super::scope::{Meaning, Scope};
use crate::ast::{self, Binary, ExprKind, Name, Quantifier, Unary};
use crate::facts::Facts;
use crate::system::Kind;

/// An expression with its kind and the interval of its values.
#[derive(Clone, Debug)]
pub struct Value {
    pub expr: Expr,
    pub kind: Kind,
    pub low: i64,
    pub high: i64,
}

impl Value {
    pub fn constant(value: i64, kind: Kind) -> Value {
        Value { expr: Expr::Constant(value as i32), kind, low: value, high: value }
    }

    fn is_constant(&self) -> Option<i64> {
        if let Expr::Constant(value) = self.expr { Some(i64::from(value)) } else { None }
    }
}

/// Definitions inside definitions.
const DEEPEST: usize = 60;

impl Elaborator<'_> {
    /// A condition.
    pub fn condition(&mut self, expr: &ast::Expr, scope: &Scope, facts: &Facts) -> Option<Expr> {
        let value = self.expr(expr, scope, facts)?;
        self.expect_kind(&value, Kind::Bool, expr)?;
        Some(value.expr)
    }

    fn expect_kind(&mut self, value: &Value, kind: Kind, expr: &ast::Expr) -> Option<()> {
        if value.kind == kind {
            return Some(());
        }
        let (wanted, found) = (self.kind_name(kind), self.kind_name(value.kind));
        self.report(Diagnostic::error("type", expr.span, format!("expected {wanted}, found {found}")));
        None
    }

    pub fn expr(&mut self, expr: &ast::Expr, scope: &Scope, facts: &Facts) -> Option<Value> {
        match &expr.kind {
            ExprKind::Number(value) => Some(Value::constant(*value, Kind::Int)),
            ExprKind::Bool(value) => Some(Value::constant(i64::from(*value), Kind::Bool)),
            ExprKind::Name(text) => self.named(&Name { text: text.clone(), span: expr.span }, scope, facts),
            ExprKind::Index(..) | ExprKind::Member(..) => {
                let (place, _) = self.place(expr, scope, facts)?;
                Some(self.read(place, facts))
            }
            ExprKind::At(process, state) => self.at(process, state, scope),
            ExprKind::Call(name, arguments) => self.call(name, arguments, scope, facts),
            ExprKind::Unary(op, operand) => self.unary(*op, operand, scope, facts),
            ExprKind::Binary(op, left, right) => self.binary(*op, expr, left, right, scope, facts),
            ExprKind::Conditional(test, yes, no) => self.conditional(test, yes, no, scope, facts),
            ExprKind::Quantified(quantifier, binding, body) => {
                self.quantified(*quantifier, binding, body, scope, facts)
            }
            ExprKind::Wrong => None,
        }
    }

    fn named(&mut self, name: &Name, scope: &Scope, facts: &Facts) -> Option<Value> {
        if let Some((_, value, kind)) = scope.bound.iter().rev().find(|it| it.0 == name.text) {
            return Some(Value::constant(*value, *kind));
        }
        if let Some(variable) = self.local(name, scope) {
            let place = self.whole(variable, name)?;
            return Some(self.read(place, facts));
        }
        match self.names.get(&name.text).map(|it| it.0.clone()) {
            Some(Meaning::Value(value, kind)) => Some(Value::constant(value, kind)),
            Some(Meaning::Variable(variable)) => {
                let place = self.whole(variable, name)?;
                Some(self.read(place, facts))
            }
            Some(Meaning::Definition(row)) => self.definition(row, &[], name, scope, facts),
            Some(_) => {
                let place = self.names[&name.text].1;
                let message = format!("`{}` is not a value", name.text);
                self.report(Diagnostic::error("not-a-value", name.span, message).note(place, "it is declared here"));
                None
            }
            None => {
                let candidates = self.value_names(scope);
                self.unknown("variable or constant", name, candidates);
                None
            }
        }
    }

    fn value_names(&self, scope: &Scope) -> Vec<String> {
        let own = scope.instance.iter().flat_map(|it| self.locals[*it].keys().cloned());
        own.chain(scope.bound.iter().map(|it| it.0.clone())).chain(self.names.keys().cloned()).collect()
    }

    /// A variable of the process whose names are known here.
    fn local(&self, name: &Name, scope: &Scope) -> Option<u32> {
        scope.instance.and_then(|it| self.locals[it].get(&name.text)).map(|it| it.0)
    }

    /// A variable without an index.
    fn whole(&mut self, variable: u32, name: &Name) -> Option<Place> {
        let declared = &self.system.variables[variable as usize];
        if !declared.dimensions.is_empty() {
            let (count, place) = (declared.dimensions.len(), declared.span);
            let message = format!("`{}` is an array and needs {count} {}", name.text, indices(count));
            self.report(Diagnostic::error("missing-index", name.span, message).note(place, "it is declared here"));
            return None;
        }
        Some(Place { scope: Storage::Global, variable: VariableId(variable), indices: Vec::new() })
    }

    pub fn read(&self, place: Place, facts: &Facts) -> Value {
        let domain = self.system.variables[place.variable.0 as usize].domain;
        let (low, high) = facts.narrowed(&place, (domain.low, domain.high));
        Value { expr: Expr::Read(place), kind: domain.kind, low, high }
    }

    /// A variable or an element of one, and whether it is another process's.
    pub fn place(&mut self, expr: &ast::Expr, scope: &Scope, facts: &Facts) -> Option<(Place, bool)> {
        let (base, list) = match &expr.kind {
            ExprKind::Index(base, list) => (&**base, &list[..]),
            _ => (expr, &[][..]),
        };
        // `a[1][2]` is `a[1, 2]`.
        let (base, first) = match &base.kind {
            ExprKind::Index(inner, first) => (&**inner, &first[..]),
            _ => (base, &[][..]),
        };
        let (variable, is_foreign) = self.variable(base, scope)?;
        let list: Vec<&ast::Expr> = first.iter().chain(list).collect();
        let declared = &self.system.variables[variable as usize];
        if declared.dimensions.len() != list.len() {
            let (count, place) = (declared.dimensions.len(), declared.span);
            let message = match count {
                0 => "this is no array and has no index".to_string(),
                _ => format!("this array needs {count} {}, not {}", indices(count), list.len()),
            };
            self.report(Diagnostic::error("index-count", expr.span, message).note(place, "it is declared here"));
            return None;
        }
        let mut indices = Vec::new();
        for (row, index) in list.into_iter().enumerate() {
            indices.push(self.index(variable, row, index, scope, facts)?);
        }
        Some((Place { scope: Storage::Global, variable: VariableId(variable), indices }, is_foreign))
    }

    fn variable(&mut self, expr: &ast::Expr, scope: &Scope) -> Option<(u32, bool)> {
        match &expr.kind {
            ExprKind::Name(text) => {
                let name = Name { text: text.clone(), span: expr.span };
                if let Some(variable) = self.local(&name, scope) {
                    return Some((variable, false));
                }
                if let Some((Meaning::Variable(variable), _)) = self.names.get(text) {
                    return Some((*variable, false));
                }
                let candidates = self.value_names(scope);
                self.unknown("variable", &name, candidates);
                None
            }
            ExprKind::Member(process, member) => {
                let instance = self.instance(process, scope)?;
                if let Some((variable, _)) = self.locals[instance].get(&member.text) {
                    return Some((*variable, Some(instance) != scope.instance));
                }
                let candidates = self.locals[instance].keys().cloned().collect();
                self.unknown("variable", member, candidates);
                None
            }
            _ => {
                self.report(Diagnostic::error("not-a-variable", expr.span, "expected a variable"));
                None
            }
        }
    }

    /// An index, from 0, which must be inside.
    fn index(&mut self, variable: u32, row: usize, expr: &ast::Expr, scope: &Scope, facts: &Facts) -> Option<Expr> {
        let value = self.expr(expr, scope, facts)?;
        let declared = &self.system.variables[variable as usize];
        let ((low, high), place, name) = (declared.dimensions[row], declared.span, declared.name.clone());
        if value.kind == Kind::Bool {
            self.expect_kind(&value, Kind::Int, expr)?;
        }
        if value.low < low || value.high > high {
            let message = if value.low == value.high {
                format!("the index {} is outside `{name}`, which has {low}..{high}", value.low)
            } else {
                format!("the index can be {}..{}, but `{name}` has only {low}..{high}", value.low, value.high)
            };
            let help = format!("a condition that bounds it is enough, such as `index >= {low} && index <= {high}`");
            let diagnostic = Diagnostic::error("unbounded-index", expr.span, message);
            self.report(diagnostic.note(place, "the array is declared here").help(help));
            return None;
        }
        Some(match (value.expr, low) {
            (Expr::Constant(index), _) => Expr::Constant(index - low as i32),
            (expr, 0) => expr,
            (expr, _) => binary(BinaryOp::Sub, expr, Expr::Constant(low as i32)),
        })
    }

    fn at(&mut self, process: &ast::Expr, state: &Name, scope: &Scope) -> Option<Value> {
        let instance = self.instance(process, scope)?;
        let places = &self.automata[self.process_of[instance]].places;
        let Some((_, row)) = places.iter().find(|it| it.0 == state.text) else {
            let candidates = places.iter().map(|it| it.0.clone()).collect();
            self.unknown("state", state, candidates);
            return None;
        };
        let (row, counter) = (*row, self.locals[instance].get("pc").map(|it| it.0));
        let (Some(row), Some(counter)) = (row, counter) else { return Some(Value::constant(0, Kind::Bool)) };
        let place = Place { scope: Storage::Global, variable: VariableId(counter), indices: Vec::new() };
        let expr = binary(BinaryOp::Eq, Expr::Read(place), Expr::Constant(row as i32));
        Some(Value { expr, kind: Kind::Bool, low: 0, high: 1 })
    }

    fn call(&mut self, name: &Name, arguments: &[ast::Expr], scope: &Scope, facts: &Facts) -> Option<Value> {
        match self.names.get(&name.text) {
            Some((Meaning::Definition(row), _)) => self.definition(*row, arguments, name, scope, facts),
            _ => {
                let candidates = self.tree.definitions.iter().map(|it| it.name.text.clone()).collect();
                self.unknown("definition", name, candidates);
                None
            }
        }
    }

    /// What a definition stands for; parameters are replaced by what is given.
    fn definition(
        &mut self,
        row: usize,
        arguments: &[ast::Expr],
        name: &Name,
        scope: &Scope,
        facts: &Facts,
    ) -> Option<Value> {
        let definition = &self.tree.definitions[row];
        if definition.parameters.len() != arguments.len() {
            let message =
                format!("`{}` needs {} values, not {}", name.text, definition.parameters.len(), arguments.len());
            let place = definition.name.span;
            self.report(Diagnostic::error("argument-count", name.span, message).note(place, "it is defined here"));
            return None;
        }
        if self.depth == DEEPEST {
            let message = format!("`{}` is defined by itself", name.text);
            self.report(Diagnostic::error("endless-definition", definition.name.span, message));
            return None;
        }
        let body = substituted(&definition.value, &definition.parameters, arguments);
        self.depth += 1;
        let value = self.expr(&body, scope, facts);
        self.depth -= 1;
        value
    }

    fn unary(&mut self, op: Unary, operand: &ast::Expr, scope: &Scope, facts: &Facts) -> Option<Value> {
        let value = self.expr(operand, scope, facts)?;
        match op {
            Unary::Not => {
                self.expect_kind(&value, Kind::Bool, operand)?;
                Some(negated(value))
            }
            Unary::Minus => {
                self.expect_kind(&value, Kind::Int, operand)?;
                let expr = match value.expr {
                    Expr::Constant(it) => Expr::Constant(it.wrapping_neg()),
                    expr => Expr::Unary(UnaryOp::Negate, Box::new(expr)),
                };
                Some(Value { expr, kind: Kind::Int, low: -value.high, high: -value.low })
            }
        }
    }

    fn binary(
        &mut self,
        op: Binary,
        whole: &ast::Expr,
        left: &ast::Expr,
        right: &ast::Expr,
        scope: &Scope,
        facts: &Facts,
    ) -> Option<Value> {
        let one = self.expr(left, scope, facts);
        let mut known = facts.clone();
        if let (Some(one), Binary::And | Binary::Or | Binary::Implies) = (&one, op) {
            known.learn(&one.expr, op != Binary::Or);
        }
        let other = self.expr(right, scope, &known);
        let (one, other) = (one?, other?);
        let kind = match op {
            Binary::Equivalent | Binary::Implies | Binary::Or | Binary::And => Kind::Bool,
            Binary::Equal | Binary::Unequal => one.kind,
            _ => Kind::Int,
        };
        self.expect_kind(&one, kind, left)?;
        self.expect_kind(&other, kind, right)?;
        let value = match op {
            Binary::Implies => or(negated(one), other),
            Binary::And => and(one, other),
            Binary::Or => or(one, other),
            Binary::Plus | Binary::Minus | Binary::Times | Binary::Divided | Binary::Remainder => {
                self.arithmetic(op, whole, right, one, other)?
            }
            _ => compared(op, one, other),
        };
        Some(value)
    }

    fn arithmetic(
        &mut self,
        op: Binary,
        whole: &ast::Expr,
        right: &ast::Expr,
        one: Value,
        other: Value,
    ) -> Option<Value> {
        if matches!(op, Binary::Divided | Binary::Remainder) && other.low <= 0 && other.high >= 0 {
            let message = if other.low == other.high {
                "this is 0, and nothing can be divided by it"
            } else {
                "this can be 0, and nothing can be divided by it"
            };
            let help = "a condition that excludes 0 is enough, such as `x > 0`";
            self.report(Diagnostic::error("division-by-zero", right.span, message).help(help));
            return None;
        }
        let (model_op, low, high) = bounds(op, &one, &other);
        if low < i64::from(i32::MIN) || high > i64::from(i32::MAX) {
            let message = format!("this can be {low}..{high}, which is more than 32 bits hold");
            self.report(Diagnostic::error("too-large", whole.span, message));
            return None;
        }
        let expr = match (one.is_constant(), other.is_constant()) {
            (Some(a), Some(b)) => Expr::Constant(model_op.apply(a as i32, b as i32)?),
            _ => binary(model_op, one.expr, other.expr),
        };
        Some(Value { expr, kind: Kind::Int, low, high })
    }

    fn conditional(
        &mut self,
        test: &ast::Expr,
        yes: &ast::Expr,
        no: &ast::Expr,
        scope: &Scope,
        facts: &Facts,
    ) -> Option<Value> {
        let condition = self.condition(test, scope, facts)?;
        let (mut if_true, mut if_false) = (facts.clone(), facts.clone());
        if_true.learn(&condition, true);
        if_false.learn(&condition, false);
        match condition {
            Expr::Constant(0) => return self.expr(no, scope, facts),
            Expr::Constant(_) => return self.expr(yes, scope, facts),
            _ => {}
        }
        let (one, other) = (self.expr(yes, scope, &if_true), self.expr(no, scope, &if_false));
        let (one, other) = (one?, other?);
        self.expect_kind(&other, one.kind, no)?;
        let (low, high, kind) = (one.low.min(other.low), one.high.max(other.high), one.kind);
        let expr = Expr::Conditional(Box::new(condition), Box::new(one.expr), Box::new(other.expr));
        Some(Value { expr, kind, low, high })
    }

    fn quantified(
        &mut self,
        quantifier: Quantifier,
        binding: &ast::Binding,
        body: &ast::Expr,
        scope: &Scope,
        facts: &Facts,
    ) -> Option<Value> {
        let (low, high, kind) = self.values(binding, scope)?;
        let mut total = match quantifier {
            Quantifier::ForAll => Value::constant(1, Kind::Bool),
            Quantifier::Exists => Value::constant(0, Kind::Bool),
            Quantifier::Count | Quantifier::Sum => Value::constant(0, Kind::Int),
        };
        for value in low..=high {
            let one = self.expr(body, &scope.with(&binding.name.text, value, kind), facts)?;
            let wanted = if quantifier == Quantifier::Sum { Kind::Int } else { Kind::Bool };
            self.expect_kind(&one, wanted, body)?;
            total = match quantifier {
                Quantifier::ForAll => and(total, one),
                Quantifier::Exists => or(total, one),
                Quantifier::Count | Quantifier::Sum => {
                    self.arithmetic(Binary::Plus, body, body, total, Value { kind: Kind::Int, ..one })?
                }
            };
        }
        Some(total)
    }
}

fn indices(count: usize) -> &'static str {
    if count == 1 { "index" } else { "indices" }
}

pub fn binary(op: BinaryOp, left: Expr, right: Expr) -> Expr {
    Expr::Binary(op, Box::new(left), Box::new(right))
}

pub fn not(expr: Expr) -> Expr {
    match expr {
        Expr::Constant(value) => Expr::Constant(i32::from(value == 0)),
        Expr::Unary(UnaryOp::Not, inner) => *inner,
        expr => Expr::Unary(UnaryOp::Not, Box::new(expr)),
    }
}

fn negated(value: Value) -> Value {
    Value { low: 1 - value.high.min(1), high: 1 - value.low.max(0), kind: Kind::Bool, expr: not(value.expr) }
}

fn and(one: Value, other: Value) -> Value {
    match (one.is_constant(), other.is_constant()) {
        (Some(0), _) | (_, Some(0)) => Value::constant(0, Kind::Bool),
        (Some(_), _) => other,
        (_, Some(_)) => one,
        _ => Value { expr: binary(BinaryOp::And, one.expr, other.expr), kind: Kind::Bool, low: 0, high: 1 },
    }
}

fn or(one: Value, other: Value) -> Value {
    match (one.is_constant(), other.is_constant()) {
        (Some(0), _) => other,
        (_, Some(0)) => one,
        (Some(_), _) | (_, Some(_)) => Value::constant(1, Kind::Bool),
        _ => Value { expr: binary(BinaryOp::Or, one.expr, other.expr), kind: Kind::Bool, low: 0, high: 1 },
    }
}

/// A comparison; decided if the intervals decide it.
fn compared(op: Binary, one: Value, other: Value) -> Value {
    let op = match op {
        Binary::Unequal => BinaryOp::Ne,
        Binary::Less => BinaryOp::Lt,
        Binary::LessOrEqual => BinaryOp::Le,
        Binary::Greater => BinaryOp::Gt,
        Binary::GreaterOrEqual => BinaryOp::Ge,
        _ => BinaryOp::Eq,
    };
    let decided = match (one.is_constant(), other.is_constant()) {
        (Some(a), Some(b)) => op.apply(a as i32, b as i32),
        _ => None,
    };
    let truth_of = |value: &Value, constant: Option<i64>| (value.kind == Kind::Bool).then_some(constant).flatten();
    if let Some(value) = decided {
        return Value::constant(i64::from(value), Kind::Bool);
    }
    // `b == true` is `b`.
    let is_equal = op == BinaryOp::Eq;
    let (value, truth) = match (truth_of(&one, one.is_constant()), truth_of(&other, other.is_constant())) {
        (Some(truth), _) => (other, truth),
        (_, Some(truth)) => (one, truth),
        _ => return Value { expr: binary(op, one.expr, other.expr), kind: Kind::Bool, low: 0, high: 1 },
    };
    if (truth != 0) == is_equal { value } else { negated(value) }
}

/// The operator and the interval of what it gives.
fn bounds(op: Binary, one: &Value, other: &Value) -> (BinaryOp, i64, i64) {
    let corners = |apply: &dyn Fn(i64, i64) -> i64| {
        let all = [one.low, one.high].into_iter().flat_map(|a| [other.low, other.high].map(|b| apply(a, b)));
        let all: Vec<i64> = all.collect();
        (*all.iter().min().unwrap_or(&0), *all.iter().max().unwrap_or(&0))
    };
    match op {
        Binary::Plus => (BinaryOp::Add, one.low + other.low, one.high + other.high),
        Binary::Minus => (BinaryOp::Sub, one.low - other.high, one.high - other.low),
        Binary::Times => {
            let (low, high) = corners(&|a, b| a * b);
            (BinaryOp::Mul, low, high)
        }
        Binary::Divided => {
            let (low, high) = corners(&|a, b| a / b);
            (BinaryOp::Div, low, high)
        }
        _ => {
            let most = other.low.abs().max(other.high.abs()) - 1;
            let low = if one.low >= 0 { 0 } else { (-most).max(one.low) };
            let high = if one.high <= 0 { 0 } else { most.min(one.high) };
            (BinaryOp::Rem, low, high)
        }
    }
}

/// An expression with names replaced.
fn substituted(expr: &ast::Expr, names: &[Name], by: &[ast::Expr]) -> ast::Expr {
    let go = |it: &ast::Expr| Box::new(substituted(it, names, by));
    let all = |list: &[ast::Expr]| list.iter().map(|it| substituted(it, names, by)).collect::<Vec<_>>();
    let kind = match &expr.kind {
        ExprKind::Name(text) => match names.iter().position(|it| it.text == *text) {
            Some(row) => return by[row].clone(),
            None => expr.kind.clone(),
        },
        ExprKind::Index(base, list) => ExprKind::Index(go(base), all(list)),
        ExprKind::Member(base, name) => ExprKind::Member(go(base), name.clone()),
        ExprKind::At(base, name) => ExprKind::At(go(base), name.clone()),
        ExprKind::Call(name, list) => ExprKind::Call(name.clone(), all(list)),
        ExprKind::Unary(op, it) => ExprKind::Unary(*op, go(it)),
        ExprKind::Binary(op, left, right) => ExprKind::Binary(*op, go(left), go(right)),
        ExprKind::Conditional(test, yes, no) => ExprKind::Conditional(go(test), go(yes), go(no)),
        ExprKind::Quantified(quantifier, binding, body) => {
            let mut binding = binding.clone();
            if let ast::Bounds::Range(range) = &mut binding.range {
                (range.low, range.high) = (*go(&range.low), *go(&range.high));
            }
            ExprKind::Quantified(*quantifier, binding, go(body))
        }
        other @ (ExprKind::Number(_) | ExprKind::Bool(_) | ExprKind::Wrong) => other.clone(),
    };
    ast::Expr { kind, span: expr.span }
}
