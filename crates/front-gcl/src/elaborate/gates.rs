//! Actions: where processes meet, and with which values.
//!
//! A name may be declared with several *lists* of values, as a gate of LOTOS (ISO 8807) goes with any of them: `INF(TURNED)` beside `INF(TESTED, bool)`. Every list, with
//! every combination of indices, is a *gate* of its own, so that who only says `INF !TURNED` has no part in `INF !TESTED`. Lists of one name have nothing in common: a
//! label belongs to one of them. An event belongs to all lists that it fits, by the number, the kinds and the ranges of its values; `INF ?x` can be several.
use text::{Diagnostic, Span};

use super::automaton::{Arc, Condition};
use super::scope::{Family, Meaning, Scope};
use super::{Elaborator, combinations, with_indices};
use crate::ast::{self, Datum, Element, Event, Expr, ExprKind, Field, GateIndex, Gates, Name};
use crate::facts::Facts;
use crate::system::{Domain, Gate, GateId, Kind};

/// The most gates of one list.
const MOST: u128 = 100_000;

impl<'t> Elaborator<'t> {
    pub(super) fn shared_actions(&mut self) {
        for action in &self.tree.actions {
            let Some(row) = self.family(action, &Scope::default(), "") else { continue };
            let lists = match self.names.get(&action.name.text) {
                Some((Meaning::Action(lists), _)) => lists.clone(),
                Some(_) => {
                    self.declare(&action.name, Meaning::Property);
                    continue;
                }
                None => Vec::new(),
            };
            let lists = self.one_more(lists, row, &action.name);
            let span = self.families[lists[0]].span;
            self.names.insert(action.name.text.clone(), (Meaning::Action(lists), span));
        }
    }

    /// The lists of a name with one more, unless it has something in common with one of them.
    pub(super) fn one_more(&mut self, mut lists: Vec<usize>, row: usize, name: &Name) -> Vec<usize> {
        let clash = lists.iter().copied().find(|&it| overlap(&self.families[it], &self.families[row]));
        let Some(first) = clash else {
            lists.push(row);
            return lists;
        };
        let (one, other) = (&self.families[first], &self.families[row]);
        let span = one.span;
        if (&one.indices, &one.fields) == (&other.indices, &other.fields) {
            self.duplicate(name, span);
            return lists;
        }
        let message = format!("`{}` and `{}` have values in common", self.declared(row), self.declared(first));
        let diagnostic = Diagnostic::error("duplicate-name", name.span, message);
        let help = "lists of one action differ in their number of values, or in a value that is only in one of them";
        self.report(diagnostic.note(span, "the other declaration").help(help));
        lists
    }

    /// A list of an action, with all its gates.
    pub(super) fn family(&mut self, action: &ast::Action, scope: &Scope, prefix: &str) -> Option<usize> {
        let (mut indices, mut fields) = (Vec::new(), Vec::new());
        for range in &action.indices {
            indices.push(self.range(range, scope, true)?);
        }
        for field in &action.fields {
            fields.push(self.field(field, scope)?);
        }
        let first: GateId = self.system.gates.len();
        let count = indices.iter().map(|it| (it.1 - it.0 + 1).max(0) as u128).product::<u128>();
        if count > MOST {
            let message = format!("an action can have {MOST} gates, and this has {count}");
            self.report(Diagnostic::error("too-large", action.name.span, message));
            return None;
        }
        let fixed = fields.iter().take_while(|it| it.size() == 1).count();
        let values: String =
            fields[..fixed].iter().map(|it| format!(" !{}", self.system.shown(it.low, it.kind))).collect();
        for indices in combinations(&indices) {
            let name = format!("{prefix}{}", with_indices(&action.name.text, &indices));
            let (title, span) = (format!("{name}{values}"), action.name.span);
            self.system.gates.push(Gate { name, fields: fields.clone(), title, fixed, span });
        }
        let (name, span) = (format!("{prefix}{}", action.name.text), action.name.span);
        self.families.push(Family { name, indices, fields, first, span });
        Some(self.families.len() - 1)
    }

    fn field(&mut self, field: &Field, scope: &Scope) -> Option<Domain> {
        let ty = match field {
            Field::Value(expr) => return self.only(expr, scope),
            Field::Type(ty) => ty,
        };
        if let (Element::Named(name), true) = (&ty.element, ty.dimensions.is_empty())
            && (scope.bound.iter().any(|it| it.0 == name.text)
                || matches!(self.names.get(&name.text), Some((Meaning::Value(..), _))))
        {
            return self.only(&Expr { kind: ExprKind::Name(name.text.clone()), span: name.span }, scope);
        }
        let (domain, dimensions) = self.ty(ty, scope)?;
        if !dimensions.is_empty() {
            self.report(Diagnostic::error("type", ty.span, "an array cannot go with an action"));
            return None;
        }
        Some(domain)
    }

    fn only(&mut self, expr: &Expr, scope: &Scope) -> Option<Domain> {
        self.constant(expr, scope).map(|(value, kind)| Domain::only(value, kind))
    }

    /// How a list is declared, with the values of its parameters: `CMD[1..2](LOCK)`.
    pub fn declared(&self, family: usize) -> String {
        let it = &self.families[family];
        let indices: Vec<String> = it.indices.iter().map(|it| format!("{}..{}", it.0, it.1)).collect();
        let fields: Vec<String> = it.fields.iter().map(|it| self.domain_name(*it)).collect();
        let around = |open, list: Vec<String>, close| match list.is_empty() {
            true => String::new(),
            false => format!("{open}{}{close}", list.join(", ")),
        };
        format!("{}{}{}", it.name, around("[", indices, "]"), around("(", fields, ")"))
    }

    fn domain_name(&self, domain: Domain) -> String {
        match domain.kind {
            _ if domain.size() == 1 => self.system.shown(domain.low, domain.kind),
            Kind::Bool => "bool".into(),
            Kind::Int => format!("{}..{}", domain.low, domain.high),
            Kind::Enum(row) => self.enumeration_names[row as usize].clone(),
        }
    }

    /// The lists of the action that a name means in a process.
    fn action(&mut self, name: &Name, scope: &Scope) -> Option<Vec<usize>> {
        if let Some(lists) = scope.instance.and_then(|it| self.own_actions[it].get(&name.text)) {
            return Some(lists.clone());
        }
        if let Some((Meaning::Action(lists), _)) = self.names.get(&name.text) {
            return Some(lists.clone());
        }
        let own = scope.instance.iter().flat_map(|it| self.own_actions[*it].keys().cloned());
        let candidates = own.chain(self.tree.actions.iter().map(|it| it.name.text.clone())).collect();
        self.unknown("action", name, candidates);
        if let Some(last) = self.diagnostics.last_mut().filter(|it| it.help.is_none() && it.code == "unknown-name") {
            last.help = Some(format!("declare it: `action {};`", name.text));
        }
        None
    }

    /// The gates with these indices, one of each list that has them; it is said if there is none.
    fn gates_at(&mut self, lists: &[usize], values: &[i64], name: &str, span: Span) -> Vec<GateId> {
        let found: Vec<GateId> = lists.iter().filter_map(|&it| gate_at(&self.families[it], values)).collect();
        if !found.is_empty() {
            return found;
        }
        let wanted = with_indices(name, values);
        if let [only] = lists {
            let it = &self.families[*only];
            let list: Vec<String> = it.indices.iter().map(|it| format!("{}..{}", it.0, it.1)).collect();
            let has = if list.is_empty() { "has no index".into() } else { format!("has [{}]", list.join(", ")) };
            let message = format!("there is no action `{wanted}`: `{name}` {has}");
            let diagnostic = Diagnostic::error("alphabet-mismatch", span, message);
            self.report(diagnostic.note(it.span, "it is declared here"));
        } else {
            self.report_lists(format!("there is no action `{wanted}`"), lists, span);
        }
        Vec::new()
    }

    /// Says what is wrong with one use of an action, and how the action is declared.
    fn report_lists(&mut self, message: String, lists: &[usize], span: Span) {
        let mut diagnostic = Diagnostic::error("alphabet-mismatch", span, message);
        for &it in lists {
            diagnostic = diagnostic.note(self.families[it].span, format!("declared as `{}`", self.declared(it)));
        }
        self.report(diagnostic);
    }

    /// Some gates of an action: those with these indices, and those whose lists begin with these values.
    pub(super) fn gates(&mut self, gates: &Gates, scope: &Scope) -> Vec<GateId> {
        let Some(lists) = self.action(&gates.name, scope) else { return Vec::new() };
        let mut found = Vec::new();
        match &gates.indices {
            None => {
                for &list in &lists {
                    let it = &self.families[list];
                    let all = combinations(&it.indices);
                    found.extend(all.iter().filter_map(|values| gate_at(it, values)));
                }
            }
            Some(indices) => {
                let ranges: Option<Vec<_>> = indices.iter().map(|it| self.gate_range(it, scope)).collect();
                for values in combinations(&ranges.unwrap_or(vec![(1, 0)])) {
                    found.extend(self.gates_at(&lists, &values, &gates.name.text, gates.span));
                }
            }
        }
        self.beginning(gates, found, &lists, scope)
    }

    fn gate_range(&mut self, index: &GateIndex, scope: &Scope) -> Option<(i64, i64)> {
        match index {
            GateIndex::One(expr) => self.constant(expr, scope).map(|it| (it.0, it.0)),
            GateIndex::Range(range) => self.range(range, scope, true),
        }
    }

    /// The gates whose lists begin with some values, which must be all that they can begin with.
    fn beginning(&mut self, gates: &Gates, found: Vec<GateId>, lists: &[usize], scope: &Scope) -> Vec<GateId> {
        let mut wanted = Vec::new();
        for expr in &gates.values {
            let Some((value, kind)) = self.constant(expr, scope) else { return Vec::new() };
            wanted.push(Domain::only(value, kind));
        }
        let fits = |gate: &Gate| begins(&gate.fields, &wanted);
        let among: Vec<GateId> = found.iter().copied().filter(|&it| fits(&self.system.gates[it])).collect();
        let more = among.iter().find(|&&it| self.system.gates[it].fixed < wanted.len()).copied();
        let text = self.sources.slice(gates.span).to_string();
        if let Some(gate) = more {
            let place = self.system.gates[gate].span;
            let message = format!("`{text}` is a part of `{}` and no action of its own", self.of_gate(gate));
            let help = "name all of it, or declare a list that begins with the value itself";
            let diagnostic = Diagnostic::error("alphabet-mismatch", gates.span, message).help(help);
            self.report(diagnostic.note(place, "it is declared here"));
            return Vec::new();
        }
        if among.is_empty() && !found.is_empty() {
            self.report_lists(format!("no list of `{}` begins as `{text}`", gates.name.text), lists, gates.span);
        }
        among
    }

    /// How the list of a gate is declared.
    fn of_gate(&self, gate: GateId) -> String {
        let is_it = |it: &&usize| {
            let next = self.families.get(*it + 1).map_or(self.system.gates.len(), |it| it.first);
            (self.families[**it].first..next).contains(&gate)
        };
        let rows: Vec<usize> = (0..self.families.len()).collect();
        rows.iter().find(is_it).map_or_else(|| self.system.gates[gate].title.clone(), |it| self.declared(*it))
    }

    /// The gates that an event of a command belongs to; it is said if there is none.
    pub(super) fn meant(&mut self, arc: &Arc<'t>, event: &'t Event, scope: &Scope) -> Option<Vec<GateId>> {
        let lists = self.action(&event.name, scope)?;
        let mut indices = Vec::new();
        for it in &event.indices {
            indices.push(self.constant(it, scope)?.0);
        }
        let found = self.gates_at(&lists, &indices, &event.name.text, event.span);
        if lists.len() == 1 || found.is_empty() {
            return (!found.is_empty()).then_some(found);
        }
        let (mut fitting, mut obstacle) = (Vec::new(), None);
        for gate in found {
            let (fits, said) = self.quietly(|it| it.fits(arc, event, gate, scope));
            fitting.extend(fits.then_some(gate));
            obstacle = obstacle
                .or(said.into_iter().find(|it| it.is_error() && !["type", "alphabet-mismatch"].contains(&it.code)));
        }
        if fitting.is_empty() {
            match obstacle {
                Some(diagnostic) => self.report(diagnostic),
                None => {
                    let text = self.sources.slice(event.span).to_string();
                    let message = format!("`{text}` fits no list of values that `{}` has", event.name.text);
                    self.report_lists(message, &lists, event.span);
                }
            }
            return None;
        }
        Some(fitting)
    }

    /// Whether an event can happen at a gate, as far as numbers, kinds and ranges of its values say.
    fn fits(&mut self, arc: &Arc<'t>, event: &'t Event, gate: GateId, scope: &Scope) -> bool {
        let Some(unknowns) = self.unknowns(event, gate, scope) else { return false };
        let ranges: Vec<(i64, i64)> = unknowns.iter().map(|it| (it.low, it.high)).collect();
        combinations(&ranges).iter().any(|values| self.offers_fit(arc, event, gate, values, scope))
    }

    /// Whether what is offered can be there, if these values are accepted. What cannot be computed is not known to be wrong.
    fn offers_fit(&mut self, arc: &Arc<'t>, event: &Event, gate: GateId, values: &[i64], scope: &Scope) -> bool {
        let (fields, mut values, mut scope) = (self.system.gates[gate].fields.clone(), values.iter(), scope.clone());
        for (datum, field) in event.data.iter().zip(&fields).filter(|it| !matches!(it.0, Datum::Offer(_))) {
            let (Datum::Bind(name, _), Some(&value)) = (datum, values.next()) else { continue };
            scope = scope.with(&name.text, value, field.kind);
        }
        let own = arc.command.condition.iter().map(|it| (it, true));
        let conditions: Vec<Condition<'_>> = arc.conditions.iter().copied().chain(own).collect();
        let mut facts = Facts::default();
        if self.join(&conditions, &scope, &mut Vec::new(), &mut facts).is_none() {
            facts = Facts::default();
        }
        event.data.iter().zip(fields).all(|(datum, field)| {
            let Datum::Offer(expr) = datum else { return true };
            self.expr(expr, &scope, &facts)
                .is_none_or(|it| it.kind == field.kind && it.low <= field.high && field.low <= it.high)
        })
    }

    /// What is computed, and what would have been said about it.
    fn quietly<T>(&mut self, compute: impl FnOnce(&mut Self) -> T) -> (T, Vec<Diagnostic>) {
        let (diagnostics, said) = (std::mem::take(&mut self.diagnostics), std::mem::take(&mut self.said));
        let result = compute(self);
        self.said = said;
        (result, std::mem::replace(&mut self.diagnostics, diagnostics))
    }
}

/// The gate of a list with these indices.
fn gate_at(family: &Family, values: &[i64]) -> Option<GateId> {
    let ranges = &family.indices;
    let inside = values.len() == ranges.len() && values.iter().zip(ranges).all(|(v, r)| r.0 <= *v && *v <= r.1);
    let row = values.iter().zip(ranges).fold(0, |row, (v, r)| row * (r.1 - r.0 + 1) + (v - r.0));
    inside.then_some(family.first + row as usize)
}

/// Whether a label could belong to both lists.
fn overlap(one: &Family, other: &Family) -> bool {
    let meet = |(a, b): (&(i64, i64), &(i64, i64))| a == b || a.0 <= b.1 && b.0 <= a.1;
    one.indices.len() == other.indices.len()
        && one.indices.iter().zip(&other.indices).all(meet)
        && one.fields.len() == other.fields.len()
        && begins(&one.fields, &other.fields)
}

/// Whether the values of a list can begin with some of these.
fn begins(fields: &[Domain], wanted: &[Domain]) -> bool {
    let meet = |(a, b): (&Domain, &Domain)| a.kind == b.kind && a.meet(*b).size() > 0;
    fields.len() >= wanted.len() && fields.iter().zip(wanted).all(meet)
}
