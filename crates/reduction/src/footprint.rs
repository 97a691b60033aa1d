//! What a step of a process touches, with the steps that it makes alone afterwards.
//!
//! Two steps that only read the same things, or touch different things, are independent. Channels are finer: a send adds at the end and a
//! receive takes from the front, so that they are independent wherever both are possible; only those who *look* at a channel without
//! taking anything notice both. A send that is not the first thing a step does may have to wait halfway, where it loses control: then it looks,
//! too.
//!
//! Processes end from the youngest on. Two ends are independent, since at most one is possible; an end and a creation are not, since the
//! number of the new process depends on their order (this is where SPIN errs).
use std::collections::BTreeSet;

use model::access::{effect_expressions, region};
use model::{Direction, Edge, Effect, Expr, Initial, LocationId, Pattern, Place, ProcessType, Scope, VariableId};

use crate::channels::{ChannelSet, element};
use crate::facts::Facts;
use crate::stage::Stage;

/// Arrays with more elements count as one thing.
const MANY: usize = 64;

/// Something that more than one process may touch.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Thing {
    /// An element of a global variable.
    Global(VariableId, u32),
    /// A variable of an actor that somebody else looks at.
    Own(usize, VariableId),
    /// Whether an actor is at a location, if somebody else looks at that.
    At(usize, LocationId),
}

/// What a step touches.
#[derive(Clone, Debug, Default)]
pub struct Footprint {
    /// What it looks at.
    pub reads: BTreeSet<Thing>,
    /// What it changes.
    pub writes: BTreeSet<Thing>,
    /// Variables that it changes of those who move, seen or not.
    pub mine: BTreeSet<(usize, VariableId)>,
    /// Channels to which it sends.
    pub sends: ChannelSet,
    /// Channels from which it receives.
    pub takes: ChannelSet,
    /// Channels at which it looks in another way.
    pub looks: ChannelSet,
    /// It is, or goes on with, half of a rendezvous.
    pub is_rendezvous: bool,
    /// A rendezvous may be something that it does later, with whoever is ready then.
    pub hands_over_inside: bool,
    /// Rendezvous channels on which its process may be ready to receive before or after it.
    pub readiness: ChannelSet,
    /// Rendezvous channels of which it asks whether anybody is ready to receive.
    pub asks_ready: ChannelSet,
    /// It creates processes.
    pub spawns: bool,
    /// It ends its process.
    pub ends: bool,
    /// It counts processes, or looks for one.
    pub counts: bool,
    /// It happens only when nothing else can.
    pub is_last_resort: bool,
    /// It depends on whether anything else can happen.
    pub waits_for_all: bool,
}

impl Footprint {
    /// Takes over what another step touches.
    pub fn add(&mut self, other: &Footprint) {
        self.reads.extend(&other.reads);
        self.writes.extend(&other.writes);
        self.mine.extend(&other.mine);
        self.sends.extend(other.sends);
        self.takes.extend(other.takes);
        self.looks.extend(other.looks);
        self.readiness.extend(other.readiness);
        self.asks_ready.extend(other.asks_ready);
        self.is_rendezvous |= other.is_rendezvous;
        self.hands_over_inside |= other.hands_over_inside;
        self.spawns |= other.spawns;
        self.ends |= other.ends;
        self.counts |= other.counts;
        self.waits_for_all |= other.waits_for_all;
    }

    /// The same without the ends of channels that somebody else has declared his own.
    pub fn respecting(&self, declared: &Footprint) -> Footprint {
        let (sends, takes) = (self.sends.without(declared.sends), self.takes.without(declared.takes));
        Footprint { sends, takes, ..self.clone() }
    }

    /// Whether it touches nothing that another process could touch.
    pub fn is_local(&self) -> bool {
        let channels = [self.sends, self.takes, self.looks, self.asks_ready, self.readiness];
        self.reads.is_empty()
            && self.writes.is_empty()
            && channels.iter().all(|it| *it == ChannelSet::default())
            && !(self.spawns || self.ends || self.counts || self.is_last_resort || self.waits_for_all)
    }

    /// What two steps of different processes cannot share, if there is such a thing.
    pub fn clash(&self, other: &Footprint) -> Option<Clash> {
        let shared = |one: &BTreeSet<Thing>, other: &BTreeSet<Thing>| one.intersection(other).next().copied();
        let written = shared(&self.writes, &other.reads)
            .or_else(|| shared(&self.writes, &other.writes))
            .or_else(|| shared(&self.reads, &other.writes));
        if let Some(thing) = written {
            return Some(Clash::Thing(thing));
        }
        if self.sends.meets(other.sends)
            || self.takes.meets(other.takes)
            || self.looks_at(other)
            || other.looks_at(self)
        {
            return Some(Clash::Channel);
        }
        if self.readiness.meets(other.asks_ready) || other.readiness.meets(self.asks_ready) {
            return Some(Clash::Readiness);
        }
        let births = self.spawns && (other.spawns || other.ends || other.counts);
        let deaths = self.ends && (other.spawns || other.counts);
        if births || deaths || self.counts && (other.spawns || other.ends) {
            return Some(Clash::Processes);
        }
        (self.waits_for_all || other.waits_for_all).then_some(Clash::Timeout)
    }

    fn looks_at(&self, other: &Footprint) -> bool {
        self.looks.meets(other.sends) || self.looks.meets(other.takes)
    }
}

/// What two steps share.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Clash {
    /// A variable or a location.
    Thing(Thing),
    /// A channel.
    Channel,
    /// Whether somebody is ready for a rendezvous.
    Readiness,
    /// Which processes exist.
    Processes,
    /// Whether nothing else can move.
    Timeout,
}

/// Makes footprints.
pub struct Prints<'a> {
    /// The model.
    pub facts: &'a Facts<'a>,
    /// Who takes part.
    pub stage: &'a Stage,
    /// Channels that may be rendezvous.
    rendezvous: ChannelSet,
}

impl<'a> Prints<'a> {
    /// For a stage.
    pub fn new(facts: &'a Facts<'a>, stage: &'a Stage) -> Prints<'a> {
        let any = facts.model.shapes.iter().any(|it| it.capacity == 0);
        let mut rendezvous = ChannelSet::default();
        let may_be = |it: &u8| stage.capacity(*it).map_or(any, |capacity| capacity == 0);
        (0..=u8::MAX).filter(may_be).for_each(|it| rendezvous.insert(it));
        Prints { facts, stage, rendezvous }
    }

    /// The channels whose ends an actor has declared its own: to which it alone sends, and from which it alone receives.
    pub fn declared(&self, row: usize) -> Footprint {
        let mut declared = Footprint::default();
        let actor = &self.stage.actors[row];
        for claim in &self.process(row).exclusive {
            let channels = self.facts.channels.named(self.facts.model, actor, &claim.channel);
            let mut known = ChannelSet::default();
            channels.only().into_iter().for_each(|it| known.insert(it));
            match claim.direction {
                Direction::Send => declared.sends.extend(known),
                Direction::Receive => declared.takes.extend(known),
            }
        }
        declared
    }

    /// What an edge of an actor touches, with all that its process does alone afterwards.
    pub fn of_edge(&self, row: usize, edge: &Edge) -> Footprint {
        let mut track = Track { prints: self, row, print: Footprint::default() };
        track.first(edge);
        track.alone(edge);
        if let Some(provided) = &self.process(row).provided {
            track.read(provided);
        }
        track.print
    }

    /// What a condition of the model looks at; it belongs to no process.
    pub fn of_condition(&self, expr: &Expr) -> Footprint {
        self.of_actors_condition(usize::MAX, expr)
    }

    /// What a condition of an actor looks at.
    pub fn of_actors_condition(&self, row: usize, expr: &Expr) -> Footprint {
        let mut track = Track { prints: self, row, print: Footprint::default() };
        track.read(expr);
        track.print
    }

    fn process(&self, row: usize) -> &'a ProcessType {
        self.facts.model.process(self.stage.actors[row].ty)
    }
}

/// A footprint in the making.
struct Track<'p, 'a> {
    prints: &'p Prints<'a>,
    row: usize,
    print: Footprint,
}

impl Track<'_, '_> {
    /// The edge itself. A channel that it uses first is part of its condition.
    fn first(&mut self, edge: &Edge) {
        let (is_last_resort, guard) = last_resort(&edge.guard);
        self.print.is_last_resort = is_last_resort;
        guard.into_iter().for_each(|it| self.read(it));
        self.moves(edge);
        for (row, effect) in edge.effects.iter().enumerate() {
            self.effect(effect, row > 0);
        }
        self.alternatives(edge);
    }

    /// Whether `else` can be taken, or what something may interrupt, depends on the other edges of the location.
    fn alternatives(&mut self, edge: &Edge) {
        let process = self.prints.process(self.row);
        let is_ranked = edge.otherwise || process.outgoing(edge.source).any(|it| it.1.group != edge.group);
        if !is_ranked && !process.deterministic {
            return;
        }
        for (_, other) in process.outgoing(edge.source) {
            self.read(&other.guard);
            self.looks_first(other);
        }
    }

    /// The channel that an edge needs first, and what a message there must be.
    fn looks_first(&mut self, edge: &Edge) {
        match edge.effects.first() {
            Some(effect @ (Effect::Send { channel, .. } | Effect::Receive { channel, .. })) => {
                self.uses(channel, true);
                effect_expressions(effect, &mut |expr| self.read(expr));
            }
            Some(Effect::Indivisible(entry)) => {
                let process = self.prints.process(self.row);
                region(process, *entry).into_iter().for_each(|it| self.inner(it));
            }
            _ => {}
        }
    }

    /// All that the process can do alone after an edge.
    fn alone(&mut self, edge: &Edge) {
        let process = self.prints.process(self.row);
        let (mut seen, mut waiting) = (BTreeSet::new(), Vec::new());
        waiting.extend(edge.target.filter(|_| edge.keeps_control));
        while let Some(location) = waiting.pop() {
            if !seen.insert(location) {
                continue;
            }
            for (_, next) in process.outgoing(location) {
                self.inner(next);
                waiting.extend(next.target.filter(|_| next.keeps_control));
            }
        }
    }

    /// An edge on the way: whether it can be taken decides where others come in.
    fn inner(&mut self, edge: &Edge) {
        self.read(&edge.guard);
        self.moves(edge);
        edge.effects.iter().for_each(|it| self.effect(it, true));
    }

    fn moves(&mut self, edge: &Edge) {
        let ty = self.prints.stage.actors[self.row].ty;
        let watched = &self.prints.facts.observers.locations;
        for location in [Some(edge.source), edge.target].into_iter().flatten() {
            if watched.contains(&(ty, location)) {
                self.print.writes.insert(Thing::At(self.row, location));
            }
        }
        edge.forgets.iter().for_each(|&it| self.own(it));
        let process = self.prints.process(self.row);
        for location in [Some(edge.source), edge.target].into_iter().flatten() {
            process.outgoing(location).for_each(|it| self.ready(process, it.1));
        }
    }

    /// An edge that waits for a rendezvous.
    fn ready(&mut self, process: &ProcessType, edge: &Edge) {
        match edge.effects.first() {
            Some(Effect::Receive { channel, .. }) => {
                let channels = self.rendezvous(self.named(channel));
                self.print.readiness.extend(channels);
            }
            Some(Effect::Indivisible(entry)) => {
                for inner in process.outgoing(*entry) {
                    self.ready(process, inner.1);
                }
            }
            _ => {}
        }
    }

    /// Those of some channels that may be rendezvous.
    fn rendezvous(&self, channels: ChannelSet) -> ChannelSet {
        channels.common(self.prints.rendezvous)
    }

    fn effect(&mut self, effect: &Effect, is_inner: bool) {
        match effect {
            Effect::Assign(place, _) => self.write(place),
            Effect::Send { channel, sorted, .. } => {
                let channels = self.uses(channel, is_inner);
                self.print.sends.extend(channels);
                if *sorted {
                    self.print.takes.extend(channels);
                }
            }
            Effect::Receive { channel, patterns, .. } => {
                let channels = self.uses(channel, is_inner);
                self.print.takes.extend(channels);
                for pattern in patterns {
                    if let Pattern::Store(place) = pattern {
                        self.write(place);
                    }
                }
            }
            Effect::Spawn { process, .. } => {
                self.print.spawns = true;
                self.first_values(*process);
            }
            Effect::Terminate => self.print.ends = true,
            Effect::Indivisible(entry) => {
                let process = self.prints.process(self.row);
                region(process, *entry).into_iter().for_each(|it| self.inner(it));
            }
            Effect::SetPriority(..) => self.print.waits_for_all = true,
            Effect::Evaluate(_) | Effect::Require(_) | Effect::Assert(_) | Effect::Print(_) => {}
        }
        effect_expressions(effect, &mut |expr| self.read(expr));
    }

    /// What a new process looks at for the first values of its variables.
    fn first_values(&mut self, ty: model::ProcessTypeId) {
        for variable in &self.prints.facts.model.process(ty).variables {
            if let Initial::Values(values) = &variable.initial {
                values.iter().for_each(|it| self.print.add(&self.prints.of_condition(it)));
            }
        }
    }

    /// The channels that are used; what others have declared their own is looked at, too.
    fn uses(&mut self, channel: &Expr, is_inner: bool) -> ChannelSet {
        let channels = self.named(channel);
        let rendezvous = self.rendezvous(channels);
        self.print.is_rendezvous |= rendezvous != ChannelSet::default();
        if is_inner {
            self.print.looks.extend(channels);
            self.print.asks_ready.extend(rendezvous);
            self.print.hands_over_inside |= rendezvous != ChannelSet::default();
        }
        if self.prints.facts.model.checks_exclusive() {
            self.claims();
        }
        channels
    }

    fn claims(&mut self) {
        for row in 0..self.prints.stage.actors.len() {
            for claim in &self.prints.process(row).exclusive {
                model::variables::every_part(&claim.channel, &mut |part| {
                    if let Expr::Read(place) = part {
                        let thing = match place.scope {
                            Scope::Local => vec![Thing::Own(row, place.variable)],
                            Scope::Global => self.elements(place),
                        };
                        self.print.reads.extend(thing);
                    }
                });
            }
        }
    }

    fn named(&self, channel: &Expr) -> ChannelSet {
        let Prints { facts, stage, .. } = self.prints;
        match stage.actors.get(self.row) {
            Some(actor) => facts.channels.named(facts.model, actor, channel),
            None => ChannelSet::ALL,
        }
    }

    fn write(&mut self, place: &Place) {
        match place.scope {
            Scope::Local => self.own(place.variable),
            Scope::Global => {
                let elements = self.elements(place);
                self.print.writes.extend(elements);
            }
        }
        place.indices.iter().for_each(|index| self.read(index));
    }

    /// A variable of the process itself, which matters if somebody looks at it.
    fn own(&mut self, variable: VariableId) {
        self.print.mine.insert((self.row, variable));
        let ty = self.prints.stage.actors[self.row].ty;
        if self.prints.facts.observers.variables.contains(&(ty, variable)) {
            self.print.writes.insert(Thing::Own(self.row, variable));
        }
    }

    /// The elements of a global variable that a place can mean.
    fn elements(&self, place: &Place) -> Vec<Thing> {
        let Prints { facts, stage, .. } = self.prints;
        let declared = &facts.model.globals[place.variable.0 as usize];
        let count = declared.elements();
        if count > MANY {
            return vec![Thing::Global(place.variable, 0)];
        }
        let known = stage.actors.get(self.row).and_then(|actor| element(declared, actor, &place.indices));
        let elements = known.map_or(0..count as u32, |it| it..it + 1);
        elements.map(|it| Thing::Global(place.variable, it)).collect()
    }

    fn read(&mut self, expr: &Expr) {
        match expr {
            Expr::Read(place) if place.scope == Scope::Global => {
                let elements = self.elements(place);
                self.print.reads.extend(elements);
            }
            Expr::Length(channel) | Expr::Full(channel) | Expr::Empty(channel) | Expr::Poll { channel, .. } => {
                let channels = self.named(channel);
                self.print.looks.extend(channels);
            }
            Expr::ProcessCount => self.print.counts = true,
            Expr::RemoteAt { process, instance, location } => {
                let rows = self.others(*process, instance.as_deref());
                self.print.reads.extend(rows.into_iter().map(|row| Thing::At(row, *location)));
            }
            Expr::AnyAt(mark) => {
                self.print.counts = true;
                for (row, actor) in self.prints.stage.actors.iter().enumerate() {
                    let locations = self.prints.facts.model.process(actor.ty).locations.iter().enumerate();
                    let marked = locations.filter(|it| it.1.is_marked(*mark));
                    self.print.reads.extend(marked.map(|it| Thing::At(row, LocationId(it.0 as u32))));
                }
            }
            Expr::RemoteRead { process, instance, variable, .. } => {
                let rows = self.others(*process, instance.as_deref());
                self.print.reads.extend(rows.into_iter().map(|row| Thing::Own(row, *variable)));
            }
            Expr::Timeout | Expr::LastMover | Expr::Enabled(_) | Expr::LocationOf(_) | Expr::PriorityOf(_) => {
                self.print.waits_for_all = true;
            }
            _ => {}
        }
        expr.parts(&mut |part| self.read(part));
    }

    /// Whom a reference to another process can mean; whether there is one matters, too.
    fn others(&mut self, ty: model::ProcessTypeId, instance: Option<&Expr>) -> Vec<usize> {
        self.print.counts = true;
        let stage = self.prints.stage;
        let number = instance.and_then(|it| match stage.actors.get(self.row) {
            Some(actor) => actor.value(it),
            None => {
                if let Expr::Constant(value) = it {
                    Some(*value)
                } else {
                    None
                }
            }
        });
        stage.rows(ty, number).collect()
    }
}

/// Whether a guard is true only if nothing else can move, and what else it asks.
fn last_resort(guard: &Expr) -> (bool, Vec<&Expr>) {
    match guard {
        Expr::Timeout => (true, Vec::new()),
        Expr::Binary(model::BinaryOp::And, left, right) => {
            let ((first, mut parts), (second, more)) = (last_resort(left), last_resort(right));
            parts.extend(more);
            (first || second, parts)
        }
        _ => (false, vec![guard]),
    }
}
