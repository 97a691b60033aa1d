//! How processes are put together: who does what with whom.
//!
//! A composition is, for each gate that can be seen from outside, the *ways* in which it can happen: each way lists who takes part. `||` combines the
//! ways of both sides at gates that both have (multiway synchronisation, Hoare 1985), `|||` puts them side by side, hiding takes the name away, renaming
//! gives another one (LOTOS, ISO 8807).
use std::collections::{BTreeMap, BTreeSet};

use text::{Diagnostic, Span};

use super::Elaborator;
use super::scope::Scope;
use crate::ast::{Composition, Gates, Name, Operator};
use crate::system::{GateId, InstanceId, Way};

/// The processes of one way.
type Parts = Vec<(InstanceId, GateId)>;

/// What can be seen of some processes together.
#[derive(Clone, Debug, Default)]
struct View {
    members: BTreeMap<InstanceId, Span>,
    seen: BTreeMap<GateId, Vec<Parts>>,
    hidden: Vec<Parts>,
}

/// The most ways in which one action can happen.
const MOST: usize = 100_000;

impl Elaborator<'_> {
    pub(super) fn compose(&mut self) {
        let systems = &self.tree.systems;
        if let [first, .., last] = &systems[..] {
            let diagnostic = Diagnostic::error("two-systems", last.span, "there is one system");
            self.report(diagnostic.note(first.span, "the first one"));
        }
        let view = match systems.first() {
            Some(system) => self.view(&system.composition, &Scope::default()),
            None => {
                let all = (0..self.system.instances.len()).map(|it| self.alone(it, self.system.instances[it].span));
                let all = all.collect();
                self.together(all, &Operator::Together, Span::default())
            }
        };
        let Some(view) = view else { return };
        self.system.present = view.members.keys().copied().collect();
        let seen = view.seen.into_iter().flat_map(|(gate, ways)| ways.into_iter().map(move |it| (Some(gate), it)));
        let hidden = view.hidden.into_iter().map(|it| (None, it));
        self.system.ways = seen.chain(hidden).map(|(seen, parts)| Way { seen, parts }).collect();
        self.left_out();
    }

    /// What is declared and has no part in the system.
    fn left_out(&mut self) {
        for id in 0..self.system.instances.len() {
            if !self.system.present.contains(&id) {
                let instance = &self.system.instances[id];
                let message = format!("`{}` is not part of the system", instance.name);
                let mut diagnostic = Diagnostic::warning("left-out", instance.span, message);
                if let Some(system) = self.tree.systems.first() {
                    diagnostic = diagnostic.note(system.span, "the system");
                }
                self.report(diagnostic);
            }
        }
        let present = &self.system.present;
        let used: BTreeSet<GateId> =
            present.iter().flat_map(|it| self.system.instances[*it].alphabet.keys().copied()).collect();
        for gate in (0..self.system.gates.len()).filter(|it| !used.contains(it)) {
            let (name, span) = (self.system.gates[gate].title.clone(), self.system.gates[gate].span);
            let message = format!("the action `{name}` is offered by nobody");
            self.report(Diagnostic::warning("offered-by-nobody", span, message));
        }
    }

    fn view(&mut self, composition: &Composition, scope: &Scope) -> Option<View> {
        match composition {
            Composition::Process(name, indices) => self.process_view(name, indices, scope),
            Composition::Parallel(operator, parts) => {
                let views = parts.iter().map(|it| self.view(it, scope)).collect::<Vec<_>>();
                let views = views.into_iter().collect::<Option<Vec<View>>>()?;
                self.together(views, operator, Span::default())
            }
            Composition::Replicated(operator, binding, body) => {
                let (low, high, kind) = self.values(binding, scope)?;
                let mut views = Vec::new();
                for value in low..=high {
                    views.push(self.view(body, &scope.with(&binding.name.text, value, kind))?);
                }
                self.together(views, operator, binding.name.span)
            }
            Composition::Hide(inner, gates) => {
                let mut view = self.view(inner, scope)?;
                for it in gates {
                    for gate in self.some_gates(it, &view, scope)? {
                        view.hidden.extend(view.seen.remove(&gate).unwrap_or_default());
                    }
                }
                Some(view)
            }
            Composition::Rename(inner, pairs) => {
                let view = self.view(inner, scope)?;
                self.renamed(view, pairs, scope)
            }
        }
    }

    fn process_view(&mut self, name: &Name, indices: &[crate::ast::Expr], scope: &Scope) -> Option<View> {
        let row = self.process_row(name)?;
        let members = self.groups[row].members.clone();
        if indices.is_empty() {
            let views = members.iter().map(|it| self.alone(it.1, name.span)).collect();
            return self.together(views, &Operator::Together, name.span);
        }
        let mut values = Vec::new();
        for it in indices {
            values.push(self.constant(it, scope)?.0);
        }
        let Some((_, id)) = members.iter().find(|it| it.0 == values) else {
            let message = format!("there is no process `{}`", super::with_indices(&name.text, &values));
            let place = self.tree.processes[row].span;
            self.report(Diagnostic::error("no-such-process", name.span, message).note(place, "it is declared here"));
            return None;
        };
        Some(self.alone(*id, name.span))
    }

    fn alone(&self, id: InstanceId, span: Span) -> View {
        let gates = self.system.instances[id].alphabet.keys();
        let seen = gates.map(|&gate| (gate, vec![vec![(id, gate)]])).collect();
        View { members: BTreeMap::from([(id, span)]), seen, hidden: Vec::new() }
    }

    fn together(&mut self, views: Vec<View>, operator: &Operator, place: Span) -> Option<View> {
        let mut views = views.into_iter();
        let mut all = views.next().unwrap_or_default();
        for view in views {
            let common: BTreeSet<GateId> = match operator {
                Operator::Together => view.seen.keys().filter(|it| all.seen.contains_key(it)).copied().collect(),
                Operator::Interleaved => BTreeSet::new(),
                Operator::On(list) => self.meeting(list, &all, &view)?,
            };
            all = self.two(all, view, &common, place)?;
        }
        Some(all)
    }

    /// The gates of `|[ … ]|`, which both sides must have.
    fn meeting(&mut self, list: &[Gates], one: &View, other: &View) -> Option<BTreeSet<GateId>> {
        let mut common = BTreeSet::new();
        for gates in list {
            for gate in self.gates(gates, &Scope::default()) {
                let (left, right) = (one.seen.contains_key(&gate), other.seen.contains_key(&gate));
                if !left || !right {
                    let name = self.system.gates[gate].title.clone();
                    let side = if left { "right" } else { "left" };
                    let message = format!("`{name}` is not in the alphabet of the {side} side");
                    let mut diagnostic = Diagnostic::error("alphabet-mismatch", gates.span, message);
                    let has = if left { one } else { other };
                    let part = has.seen.get(&gate).and_then(|it| it.first()).and_then(|it| it.first());
                    if let Some((instance, own)) = part {
                        let span = self.system.instances[*instance].alphabet[own];
                        diagnostic = diagnostic.note(span, "the other side has it here");
                    }
                    self.report(diagnostic);
                    return None;
                }
                common.insert(gate);
            }
        }
        Some(common)
    }

    fn two(&mut self, mut one: View, other: View, common: &BTreeSet<GateId>, place: Span) -> Option<View> {
        for (id, span) in other.members {
            if let Some(first) = one.members.insert(id, span) {
                let name = self.system.instances[id].name.clone();
                let span = if span == first { place } else { span };
                let diagnostic = Diagnostic::error("twice-in-system", span, format!("`{name}` is in the system twice"));
                self.report(diagnostic.note(first, "the first time").help("declare an array: `process P[i in 1..2]`"));
                return None;
            }
        }
        for (gate, ways) in other.seen {
            if !common.contains(&gate) {
                one.seen.entry(gate).or_default().extend(ways);
                continue;
            }
            let before = one.seen.remove(&gate).unwrap_or_default();
            if before.len() * ways.len() > MOST {
                let (name, span) = (self.system.gates[gate].title.clone(), self.system.gates[gate].span);
                let message = format!("`{name}` can happen in more than {MOST} ways");
                self.report(Diagnostic::error("too-many-ways", span, message));
                return None;
            }
            let joined = before.iter().flat_map(|a| ways.iter().map(move |b| [&a[..], &b[..]].concat()));
            one.seen.insert(gate, joined.collect());
        }
        one.hidden.extend(other.hidden);
        Some(one)
    }

    /// Gates that must be seen from outside.
    fn some_gates(&mut self, gates: &Gates, view: &View, scope: &Scope) -> Option<Vec<GateId>> {
        let all = self.gates(gates, scope);
        let found: Vec<GateId> = all.iter().copied().filter(|it| view.seen.contains_key(it)).collect();
        if let (true, Some(first)) = (found.is_empty(), all.first()) {
            let place = self.system.gates[*first].span;
            let text = self.sources.slice(gates.span);
            let message = format!("`{text}` is not in the alphabet of these processes");
            let diagnostic = Diagnostic::error("alphabet-mismatch", gates.span, message);
            self.report(diagnostic.note(place, "the action is declared here"));
            return None;
        }
        Some(found)
    }

    fn renamed(&mut self, mut view: View, pairs: &[(Gates, Gates)], scope: &Scope) -> Option<View> {
        let mut moved: Vec<(GateId, Vec<Parts>)> = Vec::new();
        for (old, new) in pairs {
            self.some_gates(old, &view, scope)?;
            let (from, to) = (self.gates(old, scope), self.gates(new, scope));
            if from.len() != to.len() && to.len() != 1 {
                let message = format!("{} actions cannot get {} names", from.len(), to.len());
                self.report(Diagnostic::error("alphabet-mismatch", new.span, message).note(old.span, "the actions"));
                return None;
            }
            for (row, gate) in from.iter().enumerate() {
                let target = to[row.min(to.len() - 1)];
                let (one, other) = (&self.system.gates[*gate], &self.system.gates[target]);
                if one.fields[one.fixed..] != other.fields[other.fixed..] {
                    let message = format!("`{}` and `{}` have different values", one.title, other.title);
                    let place = self.system.gates[target].span;
                    let diagnostic = Diagnostic::error("alphabet-mismatch", old.span, message);
                    self.report(diagnostic.note(place, "the new name is declared here"));
                    return None;
                }
                moved.extend(view.seen.remove(gate).map(|ways| (target, ways)));
            }
        }
        for (gate, ways) in moved {
            view.seen.entry(gate).or_default().extend(ways);
        }
        Some(view)
    }
}
