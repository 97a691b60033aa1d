//! Processes with their variables, one for each combination of indices.
use std::collections::BTreeMap;

use text::Diagnostic;

use super::automaton::Automaton;
use super::scope::{Group, Meaning, Scope};
use super::{Elaborator, combinations, with_indices};
use crate::ast::Process;
use crate::system::{Domain, Instance, Kind, Variable};

/// More than anybody has.
const MOST: usize = 20_000;

impl<'t> Elaborator<'t> {
    pub(super) fn processes(&mut self) {
        for (row, process) in self.tree.processes.iter().enumerate() {
            self.declare(&process.name, Meaning::Process(row));
            self.groups.push(Group::default());
            let (automaton, wrong) = Automaton::new(process);
            for target in wrong.into_iter().filter_map(|it| it.target.as_ref()) {
                let candidates = automaton.places.iter().map(|it| it.0.clone()).collect();
                self.unknown("state", target, candidates);
            }
            self.state_names(process);
            self.automata.push(automaton);
            self.process_instances(row, process);
        }
    }

    /// No two places of a process may have one name.
    fn state_names(&mut self, process: &Process) {
        for (row, state) in process.states.iter().enumerate() {
            if let Some(first) = process.states[..row].iter().find(|it| it.name.text == state.name.text) {
                self.duplicate(&state.name, first.name.span);
            }
        }
    }

    fn process_instances(&mut self, row: usize, process: &'t Process) {
        let mut ranges = Vec::new();
        for binding in &process.bindings {
            let Some(range) = self.values(binding, &Scope::default()) else { return };
            ranges.push(range);
        }
        self.groups[row].kinds = ranges.iter().map(|it| it.2).collect();
        let bounds: Vec<(i64, i64)> = ranges.iter().map(|it| (it.0, it.1)).collect();
        let count = bounds.iter().map(|it| (it.1 - it.0 + 1).max(0) as u128).product::<u128>();
        if count > MOST as u128 {
            let message = format!("there can be {MOST} processes, and these are {count}");
            self.report(Diagnostic::error("too-large", process.span, message));
            return;
        }
        for values in combinations(&bounds) {
            let bound = process.bindings.iter().zip(&values).zip(&ranges);
            let bound = bound.map(|((binding, value), range)| (binding.name.text.clone(), *value, range.2)).collect();
            self.process_instance(row, process, Scope { bound, instance: None }, values);
        }
    }

    fn process_instance(&mut self, row: usize, process: &'t Process, mut scope: Scope, values: Vec<i64>) {
        let (id, name) = (self.system.instances.len(), with_indices(&process.name.text, &values));
        let prefix = format!("{name}.");
        scope.instance = Some(id);
        self.groups[row].members.push((values, id));
        self.process_of.push(row);
        self.locals.push(BTreeMap::new());
        self.own_actions.push(BTreeMap::new());
        self.system.instances.push(Instance {
            name,
            span: process.span,
            commands: Vec::new(),
            alphabet: BTreeMap::new(),
            may_stop: None,
        });
        self.add_counter(row, process, id, &prefix);
        for declaration in &process.variables {
            for (name, variable) in self.variables(declaration, &scope, Some(id), &prefix) {
                let first = self.names.get(&name.text).map(|it| it.1);
                let first = first.or_else(|| self.locals[id].get(&name.text).map(|it| it.1));
                let bound = process.bindings.iter().find(|it| it.name.text == name.text).map(|it| it.name.span);
                match first.or(bound) {
                    Some(first) => self.duplicate(&name, first),
                    None => _ = self.locals[id].insert(name.text.clone(), (variable, name.span)),
                }
            }
        }
        for action in &process.actions {
            if let Some((_, first)) = self.names.get(&action.name.text) {
                let first = *first;
                self.duplicate(&action.name, first);
            } else if let Some(family) = self.family(action, &scope, &prefix) {
                let lists = self.own_actions[id].remove(&action.name.text).unwrap_or_default();
                let lists = self.one_more(lists, family, &action.name);
                self.own_actions[id].insert(action.name.text.clone(), lists);
            }
        }
        self.scopes.push(scope);
    }

    /// The variable that says where a process is, if it has places.
    fn add_counter(&mut self, row: usize, process: &Process, id: usize, prefix: &str) {
        let automaton = &self.automata[row];
        if automaton.size == 0 {
            return;
        }
        let names = automaton.is_named.then(|| automaton.places.iter().map(|it| it.0.clone()).collect());
        self.system.variables.push(Variable {
            name: format!("{prefix}pc"),
            domain: Domain { kind: Kind::Int, low: 0, high: automaton.size as i64 - 1 },
            dimensions: Vec::new(),
            initial: vec![0],
            owner: Some(id),
            names,
            span: process.name.span,
        });
        let variable = self.system.variables.len() as u32 - 1;
        self.locals[id].insert("pc".into(), (variable, process.name.span));
    }
}
