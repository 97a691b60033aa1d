//! What each process can do, with all values known.
//!
//! A command whose event has values becomes one command per combination of them: what is accepted is enumerated, and what is
//! offered too, with the condition that it is this value. So two commands fit if they have the same gate and the same values.
use model::{BinaryOp, Expr, Place, Scope as Storage, VariableId};
use text::{Diagnostic, Span};

use super::automaton::{Arc, Condition};
use super::expressions::{Value, binary, not};
use super::scope::Scope;
use super::{Elaborator, combinations};
use crate::ast::{self, Datum, Event, Update};
use crate::facts::{Facts, cell};
use crate::system::{Assignment, Check, Command, Domain, GateId, InstanceId, Kind};

/// The most commands that one command can become.
const MOST: u64 = 20_000;

/// A value that is not known before the command is looked at in detail.
enum Field<'t> {
    /// It has this value.
    Known(i64),
    /// It has the value of this expression.
    Offered(&'t ast::Expr),
}

/// Where an event happens.
#[derive(Clone, Copy)]
struct At<'g> {
    gate: GateId,
    /// All gates to which it belongs.
    all: &'g [GateId],
}

impl<'t> Elaborator<'t> {
    pub(super) fn commands(&mut self) {
        for id in 0..self.system.instances.len() {
            let row = self.process_of[id];
            let process = &self.tree.processes[row];
            for gates in &process.alphabet {
                for gate in self.gates(gates, &self.scopes[id].clone()) {
                    self.system.instances[id].alphabet.entry(gate).or_insert(gates.span);
                }
            }
            for arc in self.automata[row].arcs.clone() {
                self.arc(id, &arc);
            }
            self.stops(id, row);
        }
    }

    /// When a process may stop.
    fn stops(&mut self, id: InstanceId, row: usize) {
        let scope = self.scopes[id].clone();
        let mut cases = Vec::new();
        for expr in &self.tree.processes[row].finals {
            cases.extend(self.condition(expr, &scope, &Facts::default()));
        }
        for (place, conditions) in self.automata[row].ends.clone() {
            let mut guard = vec![self.is_at(id, place)];
            if self.join(&conditions, &scope, &mut guard, &mut Facts::default()).is_some() {
                cases.push(all(guard));
            }
        }
        let either = cases.into_iter().reduce(|one, other| binary(BinaryOp::Or, one, other));
        self.system.instances[id].may_stop = either;
    }

    fn counter(&self, id: InstanceId) -> Place {
        let variable = self.locals[id].get("pc").map_or(0, |it| it.0);
        Place { scope: Storage::Global, variable: VariableId(variable), indices: Vec::new() }
    }

    fn is_at(&self, id: InstanceId, place: usize) -> Expr {
        binary(BinaryOp::Eq, Expr::Read(self.counter(id)), Expr::Constant(place as i32))
    }

    /// Adds conditions to a guard; `None` if they cannot be true.
    pub(super) fn join(
        &mut self,
        conditions: &[Condition<'_>],
        scope: &Scope,
        guard: &mut Vec<Expr>,
        facts: &mut Facts,
    ) -> Option<()> {
        for (expr, truth) in conditions {
            let condition = self.condition(expr, scope, facts)?;
            let condition = if *truth { condition } else { not(condition) };
            match condition {
                Expr::Constant(0) => return None,
                Expr::Constant(_) => {}
                condition => {
                    facts.learn(&condition, true);
                    guard.push(condition);
                }
            }
        }
        (!facts.is_impossible()).then_some(())
    }

    /// All commands that one command of the text becomes.
    fn arc(&mut self, id: InstanceId, arc: &Arc<'t>) {
        let scope = self.scopes[id].clone();
        let Some(event) = &arc.command.event else {
            return self.with_values(id, arc, None, &[], &scope);
        };
        let Some(gates) = self.meant(arc, event, &scope) else { return };
        for &gate in &gates {
            self.system.instances[id].alphabet.entry(gate).or_insert(event.span);
            let Some(unknowns) = self.unknowns(event, gate, &scope) else { return };
            let ranges: Vec<(i64, i64)> = unknowns.iter().map(|it| (it.low, it.high)).collect();
            for values in combinations(&ranges) {
                self.with_values(id, arc, Some(At { gate, all: &gates }), &values, &scope);
            }
        }
    }

    /// The values of each thing that an event accepts.
    pub(super) fn unknowns(&mut self, event: &Event, gate: GateId, scope: &Scope) -> Option<Vec<Domain>> {
        let (fields, place) = (self.system.gates[gate].fields.clone(), self.system.gates[gate].span);
        if fields.len() != event.data.len() {
            let message =
                format!("`{}` has {} values, and here are {}", event.name.text, fields.len(), event.data.len());
            let note = "the action is declared here";
            self.report(Diagnostic::error("alphabet-mismatch", event.span, message).note(place, note));
            return None;
        }
        let mut list = Vec::new();
        for (datum, field) in event.data.iter().zip(fields) {
            let domain = match datum {
                Datum::Offer(_) => continue,
                Datum::Any(_) => field,
                Datum::Bind(name, ty) => {
                    let (domain, _) = self.ty(ty, scope)?;
                    self.same_kind(domain.kind, field.kind, name.span, place)?;
                    field.meet(domain)
                }
                Datum::Store(expr) => {
                    let stored = self.written(expr, scope, &Facts::default())?;
                    let domain = self.system.variables[stored.variable.0 as usize].domain;
                    self.same_kind(domain.kind, field.kind, expr.span, place)?;
                    field.meet(domain)
                }
            };
            list.push(domain);
        }
        let count = list.iter().map(|it| it.size()).fold(1, u64::saturating_mul);
        if count > MOST {
            let message = format!("this accepts {count} combinations of values, and there can be {MOST}");
            self.report(Diagnostic::error("too-many-values", event.span, message).help("use smaller ranges"));
            return None;
        }
        Some(list)
    }

    fn same_kind(&mut self, found: Kind, wanted: Kind, span: Span, place: Span) -> Option<()> {
        if found == wanted {
            return Some(());
        }
        let (wanted, found) = (self.kind_name(wanted), self.kind_name(found));
        let diagnostic = Diagnostic::error("type", span, format!("expected {wanted}, found {found}"));
        self.report(diagnostic.note(place, "the action is declared here"));
        None
    }

    /// A place that the process may change.
    fn written(&mut self, expr: &ast::Expr, scope: &Scope, facts: &Facts) -> Option<Place> {
        let (place, is_foreign) = self.place(expr, scope, facts)?;
        if is_foreign {
            let declared = self.system.variables[place.variable.0 as usize].span;
            let message = "a process cannot change a variable of another one";
            let help = "let both take part in an action, or use a global variable";
            let diagnostic = Diagnostic::error("foreign-variable", expr.span, message).help(help);
            self.report(diagnostic.note(declared, "it is declared here"));
            return None;
        }
        Some(place)
    }

    /// The command for given values of what it accepts.
    fn with_values(&mut self, id: InstanceId, arc: &Arc<'t>, at: Option<At<'_>>, values: &[i64], scope: &Scope) {
        let mut values = values.iter();
        let (mut scope, mut fields, mut stores) = (scope.clone(), Vec::new(), Vec::new());
        let domains = at.map_or(Vec::new(), |it| self.system.gates[it.gate].fields.clone());
        let data = arc.command.event.iter().flat_map(|it| &it.data);
        for (datum, domain) in data.zip(domains) {
            if let Datum::Offer(expr) = datum {
                fields.push((Field::Offered(expr), domain));
                continue;
            }
            let Some(&value) = values.next() else { return };
            fields.push((Field::Known(value), domain));
            match datum {
                Datum::Bind(name, _) => scope = scope.with(&name.text, value, domain.kind),
                Datum::Store(expr) => stores.push((expr, value)),
                Datum::Offer(_) | Datum::Any(_) => {}
            }
        }
        let (mut guard, mut facts) = (Vec::new(), Facts::default());
        let place = arc.from.map(|it| self.is_at(id, it));
        place.iter().for_each(|it| facts.learn(it, true));
        guard.extend(place);
        let own = arc.command.condition.iter().map(|it| (it, true));
        let conditions: Vec<Condition<'_>> = arc.conditions.iter().copied().chain(own).collect();
        if self.join(&conditions, &scope, &mut guard, &mut facts).is_none() {
            return;
        }
        let command = Command {
            gate: at.map(|it| it.gate),
            values: Vec::new(),
            guard,
            facts,
            updates: Vec::new(),
            checks: Vec::new(),
            span: arc.command.span,
        };
        let Some(offered) = self.offers(command, &fields, at, &scope) else { return };
        for mut command in offered {
            let facts = command.facts.clone();
            let counter = arc.to.map(|it| (self.counter(id), Expr::Constant(it as i32)));
            let moved = counter.map(|(place, value)| Assignment { place, value, span: arc.command.span });
            command.updates.extend(moved);
            for (expr, value) in &stores {
                let Some(place) = self.written(expr, &scope, &facts) else { return };
                let value = Expr::Constant(*value as i32);
                command.updates.push(Assignment { place, value, span: expr.span });
            }
            for update in &arc.command.updates {
                self.update(update, &scope, &facts, &mut command);
            }
            self.assigned_twice(&mut command);
            self.system.instances[id].commands.push(command);
        }
    }

    /// One command per combination of offered values.
    fn offers(
        &mut self,
        command: Command,
        fields: &[(Field<'t>, Domain)],
        at: Option<At<'_>>,
        scope: &Scope,
    ) -> Option<Vec<Command>> {
        let mut list = vec![command];
        for (row, (field, domain)) in fields.iter().enumerate() {
            let mut next = Vec::new();
            for command in list {
                match field {
                    Field::Known(value) => next.push(with_value(command, *value, None)),
                    Field::Offered(expr) => {
                        let value = self.expr(expr, scope, &command.facts)?;
                        self.can_be_offered(&value, *domain, expr, at?, row)?;
                        if value.kind != domain.kind {
                            continue;
                        }
                        let (low, high) = (value.low.max(domain.low), value.high.min(domain.high));
                        let is_constant = matches!(value.expr, Expr::Constant(_));
                        for known in low..=high {
                            let condition = (!is_constant).then(|| equals(&value, known));
                            next.push(with_value(command.clone(), known, condition));
                        }
                    }
                }
            }
            list = next;
            if list.len() as u64 > MOST {
                return None;
            }
        }
        Some(list)
    }

    /// Whether an offered value is one that the action can have; if it has several lists, one that some of them can have.
    fn can_be_offered(
        &mut self,
        value: &Value,
        domain: Domain,
        expr: &ast::Expr,
        at: At<'_>,
        row: usize,
    ) -> Option<()> {
        let place = self.system.gates[at.gate].span;
        let shown = self.range_shown(value.low, value.high, value.kind);
        if let [_] = at.all {
            self.same_kind(value.kind, domain.kind, expr.span, place)?;
            if value.high < domain.low || value.low > domain.high {
                let only = self.range_shown(domain.low, domain.high, domain.kind);
                let message = format!("this is {shown}, and the action has only {only}");
                let diagnostic = Diagnostic::error("alphabet-mismatch", expr.span, message);
                self.report(diagnostic.note(place, "the action is declared here"));
                return None;
            }
        }
        let fields = at.all.iter().map(|&it| self.system.gates[it].fields[row]);
        let mut ranges: Vec<(i64, i64)> =
            fields.filter(|it| it.kind == value.kind).map(|it| (it.low, it.high)).collect();
        ranges.sort_unstable();
        ranges.dedup();
        let covered = ranges.iter().fold(value.low, |next, it| if it.0 <= next { next.max(it.1 + 1) } else { next });
        if covered <= value.high {
            let only: Vec<String> = ranges.iter().map(|it| self.range_shown(it.0, it.1, value.kind)).collect();
            let message = format!("this can be {shown}, but only {} can be offered", only.join(", "));
            let diagnostic = Diagnostic::warning("partly-offered", expr.span, message);
            self.report(diagnostic.note(place, "the action is declared here"));
        }
        Some(())
    }

    /// One value, or the first and the last of several.
    fn range_shown(&self, low: i64, high: i64, kind: Kind) -> String {
        let (first, last) = (self.system.shown(low, kind), self.system.shown(high, kind));
        if low == high { first } else { format!("{first}..{last}") }
    }

    fn update(&mut self, update: &Update, scope: &Scope, facts: &Facts, command: &mut Command) {
        match update {
            Update::For(binding, updates) => {
                let Some((low, high, kind)) = self.values(binding, scope) else { return };
                for value in low..=high {
                    let scope = scope.with(&binding.name.text, value, kind);
                    updates.iter().for_each(|it| self.update(it, &scope, facts, command));
                }
            }
            Update::Assign(target, expr) => {
                let (place, value) = (self.written(target, scope, facts), self.expr(expr, scope, facts));
                let (Some(place), Some(value)) = (place, value) else { return };
                self.assign(place, value, target, expr, command);
            }
        }
    }

    fn assign(&mut self, place: Place, value: Value, target: &ast::Expr, expr: &ast::Expr, command: &mut Command) {
        let variable = &self.system.variables[place.variable.0 as usize];
        let (Domain { kind, low, high }, declared, name) = (variable.domain, variable.span, variable.name.clone());
        let span = target.span.to(expr.span);
        if value.kind != kind {
            let (wanted, found) = (self.kind_name(kind), self.kind_name(value.kind));
            let diagnostic = Diagnostic::error("type", expr.span, format!("expected {wanted}, found {found}"));
            self.report(diagnostic.note(declared, "the variable is declared here"));
            return;
        }
        if value.low > high || value.high < low {
            let shown =
                if value.low == value.high { value.low.to_string() } else { format!("{}..{}", value.low, value.high) };
            let message = format!("this is {shown}, and `{name}` can only be {low}..{high}");
            let diagnostic = Diagnostic::error("out-of-range", expr.span, message);
            self.report(diagnostic.note(declared, "the variable is declared here"));
            return;
        }
        if value.low < low || value.high > high {
            let below = binary(BinaryOp::Lt, value.expr.clone(), Expr::Constant(low as i32));
            let above = binary(BinaryOp::Gt, value.expr.clone(), Expr::Constant(high as i32));
            let bad = match (value.low < low, value.high > high) {
                (true, true) => binary(BinaryOp::Or, below, above),
                (true, false) => below,
                _ => above,
            };
            let message =
                (format!("`{name}` would become "), value.expr.clone(), format!(", outside its range {low}..{high}"));
            command.checks.push(Check { bad, message, span });
        }
        command.updates.push(Assignment { place, value: value.expr, span });
    }

    /// An element has one new value: where two could be the same, that is checked when it happens.
    fn assigned_twice(&mut self, command: &mut Command) {
        let mut checks = Vec::new();
        for (row, one) in command.updates.iter().enumerate() {
            for other in &command.updates[..row] {
                if let Some(bad) = clash(&one.place, &other.place) {
                    let name = self.system.variables[one.place.variable.0 as usize].name.clone();
                    if bad == Expr::TRUE {
                        let message = format!("`{name}` is changed twice in one step");
                        let diagnostic = Diagnostic::error("changed-twice", one.span, message);
                        self.report(diagnostic.note(other.span, "the other change"));
                    } else {
                        let index = one.place.indices.first().cloned().unwrap_or(Expr::TRUE);
                        let message =
                            ("element ".to_owned(), index, format!(" of `{name}` is changed twice in one step"));
                        checks.push(Check { bad, message, span: one.span });
                    }
                }
            }
        }
        command.checks.extend(checks);
    }
}

/// When two places are the same; `None` if they never are.
pub fn clash(one: &Place, other: &Place) -> Option<Expr> {
    if one.variable != other.variable {
        return None;
    }
    if let (Some(a), Some(b)) = (cell(one), cell(other)) {
        return (a == b).then_some(Expr::TRUE);
    }
    let mut parts = Vec::new();
    for (a, b) in one.indices.iter().zip(&other.indices) {
        match (a, b) {
            (Expr::Constant(a), Expr::Constant(b)) if a != b => return None,
            (a, b) if a == b => {}
            _ => parts.push(binary(BinaryOp::Eq, a.clone(), b.clone())),
        }
    }
    Some(all(parts))
}

/// All conditions together.
pub fn all(conditions: Vec<Expr>) -> Expr {
    conditions.into_iter().reduce(|one, other| binary(BinaryOp::And, one, other)).unwrap_or(Expr::TRUE)
}

fn equals(value: &Value, known: i64) -> Expr {
    match (value.kind, known) {
        (Kind::Bool, 0) => not(value.expr.clone()),
        (Kind::Bool, _) => value.expr.clone(),
        _ => binary(BinaryOp::Eq, value.expr.clone(), Expr::Constant(known as i32)),
    }
}

fn with_value(mut command: Command, value: i64, condition: Option<Expr>) -> Command {
    command.values.push(value as i32);
    condition.iter().for_each(|it| command.facts.learn(it, true));
    command.guard.extend(condition);
    command
}
