//! What matters: data and control dependence to a fixpoint.
//!
//! A variable matters if a property looks at it, or if it decides whether, or with which values, a step happens that matters. A step matters if it stores in a
//! variable that matters, uses a channel that does, asserts something, creates a process, may go wrong, or leads to or from a place that somebody
//! sees. The conditions of a location count where the process is in the slice and the outcome makes a difference.
use std::collections::{HashMap, HashSet};

use model::access::{effect_expressions, region};
use model::observers::{Observers, outside};
use model::variables::{Name, all, every_part, types};
use model::{
    Edge, EdgeId, Effect, Expr, Initial, LocationId, Model, Pattern, Place, ProcessType, ProcessTypeId, VariableId,
};
use optimize::{Handshakes, Types};

use crate::channels::Channels;
use crate::shape::{Shape, Steps, is_smooth};
use crate::why::{Because, Origin, Thing};
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

/// What matters in a model, who asked for it first, and the graphs that are left.
pub fn needs(model: &Model, criterion: Criterion) -> (Needs, HashMap<Thing, Origin>, Vec<Shape>) {
    let mut search = Search::new(model, criterion);
    loop {
        let before = search.needs.size();
        let shapes: Vec<Shape> = types(model).map(|(owner, it)| search.steps(owner, it).shape()).collect();
        for ((owner, process), shape) in types(model).zip(&shapes) {
            search.demand_process(owner, process, shape);
        }
        search.demand_first_values();
        if search.needs.size() == before {
            return (search.needs, search.origins, shapes);
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
    /// Who asked for something first.
    origins: HashMap<Thing, Origin>,
    /// Who asks now.
    asker: Origin,
}

impl<'m> Search<'m> {
    fn new(model: &'m Model, criterion: Criterion) -> Self {
        let channels = Channels::new(model, criterion.mistake);
        let (observers, handshakes) = (Observers::new(model), Handshakes::new(model));
        let (needs, origins, asker) = (Needs::default(), HashMap::new(), Origin::Property);
        let mut search = Search { model, criterion, channels, observers, handshakes, needs, origins, asker };
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
        let seen: Vec<bool> = rows().map(|it| self.is_seen(owner, it)).collect();
        let receives =
            |it: LocationId| process.outgoing(it).any(|it| self.handshakes.begins_with_receive(owner, process, it.1));
        let ready = rows().map(|it| self.handshakes.observed && receives(it)).collect();
        let visible = |it: &Edge| seen[it.source.0 as usize] || it.target.is_some_and(|it| seen[it.0 as usize]);
        let matters = process.edges.iter().map(|it| visible(it) || self.edge_matters(owner, process, it)).collect();
        Steps { process, matters, seen, ready, criterion: self.criterion }
    }

    /// Why an edge does something that matters, if it does.
    pub fn why_edge(&self, owner: ProcessTypeId, process: &ProcessType, edge: &Edge) -> Option<Because> {
        let itself = match () {
            () if edge.action.is_some() => Some(Because::Seen),
            () if self.can_fault(owner, &edge.guard) => Some(Because::MayFail),
            () => None,
        };
        itself.or_else(|| edge.effects.iter().find_map(|it| self.why(owner, process, it)))
    }

    fn edge_matters(&self, owner: ProcessTypeId, process: &ProcessType, edge: &Edge) -> bool {
        self.why_edge(owner, process, edge).is_some()
    }

    /// Whether somebody sees when a process is there.
    pub fn is_seen(&self, owner: ProcessTypeId, location: LocationId) -> bool {
        self.observers.locations.contains(&(owner, location))
    }

    /// Whether an effect has to stay.
    pub fn matters(&self, owner: ProcessTypeId, process: &ProcessType, effect: &Effect) -> bool {
        self.why(owner, process, effect).is_some()
    }

    /// Why an effect has to stay, if it has to.
    pub fn why(&self, owner: ProcessTypeId, process: &ProcessType, effect: &Effect) -> Option<Because> {
        let fails = |it: bool| it.then_some(Because::MayFail);
        let stored = |place: &Place| {
            let name = Name::of(owner, place);
            self.needs.variables.contains(&name).then_some(Because::Stores(name))
        };
        match effect {
            Effect::Assign(place, value) => {
                stored(place).or(fails(!self.is_there(owner, place) || self.can_fault(owner, value)))
            }
            Effect::Evaluate(expr) => fails(self.can_fault(owner, expr)),
            Effect::Assert(expr) => {
                self.criterion.assertions.then_some(Because::Asserts).or(fails(self.can_fault(owner, expr)))
            }
            Effect::Print(_) => {
                let mut found = false;
                effect_expressions(effect, &mut |expr| found |= self.can_fault(owner, expr));
                fails(found)
            }
            Effect::Send { channel, message, .. } => self
                .why_used(owner, channel, message.len())
                .or(fails(message.iter().any(|it| self.can_fault(owner, it)))),
            Effect::Receive { channel, patterns, .. } => {
                let places =
                    || patterns.iter().filter_map(|it| if let Pattern::Store(place) = it { Some(place) } else { None });
                let absent = places().any(|it| !self.is_there(owner, it));
                let faults = patterns.iter().filter_map(Pattern::value).any(|it| self.can_fault(owner, it));
                places()
                    .find_map(stored)
                    .or_else(|| self.why_used(owner, channel, patterns.len()))
                    .or(fails(absent || faults))
            }
            Effect::Spawn { .. } => Some(Because::Creates),
            Effect::SetPriority(..) | Effect::Require(_) => Some(Because::Waits),
            Effect::Terminate => self.needs.processes.then_some(Because::Ends),
            Effect::Indivisible(entry) => {
                let inner = region(process, *entry);
                let waits = (!is_smooth(process, *entry)).then_some(Because::Waits);
                waits.or_else(|| inner.into_iter().find_map(|it| self.why_edge(owner, process, it)))
            }
        }
    }

    fn why_used(&self, owner: ProcessTypeId, channel: &Expr, fields: usize) -> Option<Because> {
        let fails = self.channels.may_fail(owner, channel, fields) || self.can_fault(owner, channel);
        let sites = self.channels.sites(owner, channel);
        let used = sites.into_iter().find(|it| self.needs.contents.contains(it));
        used.map(Because::Uses).or(fails.then_some(Because::MayFail))
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

    /// Notes that something matters, and who was the first to ask.
    fn need(&mut self, thing: Thing) {
        let is_new = match thing {
            Thing::Variable(it) => self.needs.variables.insert(it),
            Thing::Contents(it) => self.needs.contents.insert(it),
            Thing::Field(it, field) => self.needs.fields.insert((it, field)),
        };
        if is_new {
            self.origins.insert(thing, self.asker);
        }
    }

    fn demand(&mut self, owner: ProcessTypeId, expr: &Expr) {
        every_part(expr, &mut |part| match part {
            Expr::Read(place) => self.need(Thing::Variable(Name::of(owner, place))),
            Expr::RemoteRead { process, variable, .. } => {
                self.need(Thing::Variable(Name::Local(*process, *variable)));
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
        let sites = self.channels.sites(owner, channel);
        sites.into_iter().for_each(|it| self.need(Thing::Contents(it)));
    }

    fn demand_field(&mut self, owner: ProcessTypeId, channel: &Expr, field: usize) {
        let sites = self.channels.sites(owner, channel);
        sites.into_iter().for_each(|it| self.need(Thing::Field(it, field)));
    }

    fn demand_fields(&mut self, owner: ProcessTypeId, channel: &Expr, patterns: &[Pattern]) {
        for (field, pattern) in patterns.iter().enumerate() {
            let needed = match pattern {
                Pattern::Match(_) => true,
                Pattern::Store(place) => self.needs.variables.contains(&Name::of(owner, place)),
                Pattern::Any => false,
            };
            if needed && self.criterion.mistake != Some(Mistake::Messages) {
                self.demand_field(owner, channel, field);
            }
        }
    }

    fn demand_process(&mut self, owner: ProcessTypeId, process: &ProcessType, shape: &Shape) {
        for (number, edge) in process.edges.iter().enumerate() {
            self.asker = Origin::Step(owner, EdgeId(number as u32));
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
                    if *sorted {
                        self.demand_field(owner, channel, field);
                    }
                    if self.is_sent(owner, channel, field) || self.can_fault(owner, value) {
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
            self.asker = Origin::FirstValue(name);
            if values.iter().any(|it| self.can_fault(owner, it)) {
                self.need(Thing::Variable(name));
            }
            if self.needs.variables.contains(&name) {
                values.iter().for_each(|it| self.demand(owner, it));
            }
        }
    }
}
