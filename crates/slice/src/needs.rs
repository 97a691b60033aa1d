//! What matters: data and control dependence to a fixpoint.
//!
//! A variable matters if a property looks at it, or if it decides whether, or with which values, a step happens that matters. A step matters if it stores in a
//! variable that matters, uses a channel that does, asserts something, creates a process, may go wrong, or leads to or from a place that somebody
//! sees. The conditions of a location count where the process is in the slice and the outcome makes a difference.
use std::collections::HashSet;

use model::access::{effect_expressions, region};
use model::observers::{Observers, outside};
use model::variables::{Name, all, every_part, types};
use model::{Edge, Effect, Expr, Initial, LocationId, Model, Pattern, Place, ProcessType, ProcessTypeId, VariableId};
use optimize::{Handshakes, Types};

use crate::channels::Channels;
use crate::shape::{Shape, Steps, is_smooth};
use crate::{Criterion, Keep, Mistake};

/// What matters.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Needs {
    /// Variables.
    pub variables: HashSet<Name>,
    /// What is in channels, by the variables that create them.
    pub contents: HashSet<Name>,
    /// Fields of their messages.
    pub fields: HashSet<(Name, usize)>,
    /// Which processes exist.
    pub processes: bool,
}

impl Needs {
    fn size(&self) -> usize {
        self.variables.len() + self.contents.len() + self.fields.len() + usize::from(self.processes)
    }
}

/// What matters in a model, and the graphs that are left.
pub fn needs(model: &Model, criterion: Criterion) -> (Needs, Vec<Shape>) {
    let mut search = Search::new(model, criterion);
    loop {
        let before = search.needs.size();
        let shapes: Vec<Shape> = types(model).map(|(owner, it)| search.steps(owner, it).shape()).collect();
        for ((owner, process), shape) in types(model).zip(&shapes) {
            search.demand_process(owner, process, shape);
        }
        search.demand_first_values();
        if search.needs.size() == before {
            return (search.needs, shapes);
        }
    }
}

/// The search for what matters.
pub struct Search<'m> {
    model: &'m Model,
    criterion: Criterion,
    channels: Channels<'m>,
    observers: Observers,
    handshakes: Handshakes,
    needs: Needs,
}

impl<'m> Search<'m> {
    fn new(model: &'m Model, criterion: Criterion) -> Self {
        let (channels, observers, handshakes) = (Channels::new(model), Observers::new(model), Handshakes::new(model));
        let mut search = Search { model, criterion, channels, observers, handshakes, needs: Needs::default() };
        outside(model, &mut |expr| search.demand(ProcessTypeId(0), expr));
        let effects = || model.processes.iter().flat_map(|it| &it.edges).flat_map(|it| &it.effects);
        let local =
            |it: &Name| matches!(it, Name::Local(..)) && matches!(it.declared(model).initial, Initial::Channels(_));
        // The numbers of new processes depend on which are gone.
        search.needs.processes |= criterion.keep == Keep::Ends
            || effects().any(|it| matches!(it, Effect::Spawn { .. }))
            || all(model).iter().any(local);
        search
    }

    /// With what is known of other steps.
    pub fn given(model: &'m Model, criterion: Criterion, needs: Needs) -> Self {
        Search { needs, ..Search::new(model, criterion) }
    }

    fn steps<'a>(&self, owner: ProcessTypeId, process: &'a ProcessType) -> Steps<'a> {
        let count = process.locations.len();
        let rows = || (0..count).map(|row| LocationId(row as u32));
        let seen: Vec<bool> = rows().map(|it| self.observers.locations.contains(&(owner, it))).collect();
        let receives =
            |it: LocationId| process.outgoing(it).any(|it| self.handshakes.begins_with_receive(owner, process, it.1));
        let ready = rows().map(|it| self.handshakes.observed && receives(it)).collect();
        let visible = |it: &Edge| seen[it.source.0 as usize] || it.target.is_some_and(|it| seen[it.0 as usize]);
        let matters = process.edges.iter().map(|it| visible(it) || self.edge_matters(owner, process, it)).collect();
        Steps { process, matters, seen, ready, keep: self.criterion.keep, mistake: self.criterion.mistake }
    }

    fn edge_matters(&self, owner: ProcessTypeId, process: &ProcessType, edge: &Edge) -> bool {
        edge.action.is_some()
            || self.can_fault(owner, &edge.guard)
            || edge.effects.iter().any(|it| self.matters(owner, process, it))
    }

    /// Whether an effect has to stay.
    pub fn matters(&self, owner: ProcessTypeId, process: &ProcessType, effect: &Effect) -> bool {
        match effect {
            Effect::Assign(place, value) => {
                self.needs.variables.contains(&Name::of(owner, place))
                    || !self.is_there(owner, place)
                    || self.can_fault(owner, value)
            }
            Effect::Evaluate(expr) => self.can_fault(owner, expr),
            Effect::Assert(expr) => self.criterion.assertions || self.can_fault(owner, expr),
            Effect::Print(_) => {
                let mut found = false;
                effect_expressions(effect, &mut |expr| found |= self.can_fault(owner, expr));
                found
            }
            Effect::Send { channel, message, .. } => {
                self.use_matters(owner, channel, message.len()) || message.iter().any(|it| self.can_fault(owner, it))
            }
            Effect::Receive { channel, patterns, .. } => {
                let stored = |it: &Pattern| matches!(it, Pattern::Store(place) if self.needs.variables.contains(&Name::of(owner, place)) || !self.is_there(owner, place));
                self.use_matters(owner, channel, patterns.len())
                    || patterns.iter().any(stored)
                    || patterns.iter().filter_map(Pattern::value).any(|it| self.can_fault(owner, it))
            }
            Effect::Spawn { .. } | Effect::SetPriority(..) | Effect::Require(_) => true,
            Effect::Terminate => self.needs.processes,
            Effect::Indivisible(entry) => {
                let inner = region(process, *entry);
                !is_smooth(process, *entry) || inner.into_iter().any(|it| self.edge_matters(owner, process, it))
            }
        }
    }

    fn use_matters(&self, owner: ProcessTypeId, channel: &Expr, fields: usize) -> bool {
        let fails = self.channels.may_fail(owner, channel, fields) || self.can_fault(owner, channel);
        fails || self.channels.sites(owner, channel).iter().any(|it| self.needs.contents.contains(it))
    }

    /// Whether a field of the messages of a channel matters.
    pub fn is_sent(&self, owner: ProcessTypeId, channel: &Expr, field: usize) -> bool {
        self.channels.sites(owner, channel).iter().any(|it| self.needs.fields.contains(&(*it, field)))
    }

    /// Whether a place exists whatever its indices are.
    pub fn is_there(&self, owner: ProcessTypeId, place: &Place) -> bool {
        Types::new(self.model, owner).is_always_there(place) || self.criterion.mistake == Some(Mistake::Faults)
    }

    /// Whether an expression may have no value.
    pub fn can_fault(&self, owner: ProcessTypeId, expr: &Expr) -> bool {
        let types = Types::new(self.model, owner);
        let mut found = false;
        every_part(expr, &mut |part| {
            found |= match part {
                Expr::Length(it) | Expr::Full(it) | Expr::Empty(it) => self.channels.may_be_missing(owner, it),
                other => types.can_fault_itself(other),
            }
        });
        found && self.criterion.mistake != Some(Mistake::Faults)
    }

    // What a step that stays looks at.

    fn demand(&mut self, owner: ProcessTypeId, expr: &Expr) {
        every_part(expr, &mut |part| match part {
            Expr::Read(place) => _ = self.needs.variables.insert(Name::of(owner, place)),
            Expr::RemoteRead { process, variable, .. } => {
                self.needs.variables.insert(Name::Local(*process, *variable));
                self.needs.processes = true;
            }
            Expr::RemoteAt { .. } | Expr::ProcessCount | Expr::AnyAt(_) => self.needs.processes = true,
            Expr::Length(it) | Expr::Full(it) | Expr::Empty(it) => self.demand_contents(owner, it),
            Expr::Poll { channel, patterns, .. } => {
                self.demand_contents(owner, channel);
                self.demand_fields(owner, channel, patterns);
            }
            _ => {}
        });
    }

    fn demand_contents(&mut self, owner: ProcessTypeId, channel: &Expr) {
        self.needs.contents.extend(self.channels.sites(owner, channel));
    }

    fn demand_fields(&mut self, owner: ProcessTypeId, channel: &Expr, patterns: &[Pattern]) {
        for (field, pattern) in patterns.iter().enumerate() {
            let needed = match pattern {
                Pattern::Match(_) => true,
                Pattern::Store(place) => self.needs.variables.contains(&Name::of(owner, place)),
                Pattern::Any => false,
            };
            if needed && self.criterion.mistake != Some(Mistake::Messages) {
                self.needs.fields.extend(self.channels.sites(owner, channel).into_iter().map(|it| (it, field)));
            }
        }
    }

    fn demand_process(&mut self, owner: ProcessTypeId, process: &ProcessType, shape: &Shape) {
        for edge in &process.edges {
            let row = edge.source.0 as usize;
            if !shape.kept[row] || shape.cut[row] {
                continue;
            }
            let decides = shape.decides[row] && self.criterion.mistake != Some(Mistake::Control);
            if decides || self.can_fault(owner, &edge.guard) {
                self.demand(owner, &edge.guard);
            }
            edge.effects.iter().for_each(|it| self.demand_effect(owner, process, it));
        }
    }

    fn demand_effect(&mut self, owner: ProcessTypeId, process: &ProcessType, effect: &Effect) {
        let waits = matches!(effect, Effect::Send { .. } | Effect::Receive { .. });
        if !waits && !self.matters(owner, process, effect) {
            return;
        }
        match effect {
            Effect::Assign(place, value) => {
                let needed = self.needs.variables.contains(&Name::of(owner, place));
                if needed || self.can_fault(owner, value) {
                    self.demand(owner, value);
                }
                place.indices.iter().for_each(|it| self.demand(owner, it));
            }
            Effect::Send { channel, message, sorted } => {
                self.demand(owner, channel);
                self.demand_contents(owner, channel);
                for (field, value) in message.iter().enumerate() {
                    let sites = self.channels.sites(owner, channel);
                    if *sorted {
                        self.needs.fields.extend(sites.iter().map(|it| (*it, field)));
                    }
                    if sites.iter().any(|it| self.needs.fields.contains(&(*it, field))) || self.can_fault(owner, value)
                    {
                        self.demand(owner, value);
                    }
                }
            }
            Effect::Receive { channel, patterns, .. } => {
                self.demand_contents(owner, channel);
                self.demand_fields(owner, channel, patterns);
                effect_expressions(effect, &mut |expr| self.demand(owner, expr));
            }
            Effect::Spawn { process, arguments, priority } => {
                self.demand(owner, priority);
                for (row, argument) in arguments.iter().enumerate() {
                    let parameter = Name::Local(*process, VariableId(row as u32));
                    if self.needs.variables.contains(&parameter) || self.can_fault(owner, argument) {
                        self.demand(owner, argument);
                    }
                }
            }
            Effect::Print(_)
            | Effect::Evaluate(_)
            | Effect::Assert(_)
            | Effect::Require(_)
            | Effect::SetPriority(..) => {
                effect_expressions(effect, &mut |expr| self.demand(owner, expr));
            }
            Effect::Terminate | Effect::Indivisible(_) => {}
        }
    }

    fn demand_first_values(&mut self) {
        for name in all(self.model) {
            let owner = if let Name::Local(owner, _) = name { owner } else { ProcessTypeId(0) };
            let Initial::Values(values) = &name.declared(self.model).initial else { continue };
            if values.iter().any(|it| self.can_fault(owner, it)) {
                self.needs.variables.insert(name);
            }
            if self.needs.variables.contains(&name) {
                values.iter().for_each(|it| self.demand(owner, it));
            }
        }
    }
}
