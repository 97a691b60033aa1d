//! The steps of a stage, one by one: an edge of an actor, or the two halves of a rendezvous.
use model::{Edge, Effect, Expr, LocationId, Pattern, ProcessType};

use crate::channels::ChannelSet;
use crate::facts::Facts;
use crate::footprint::{Footprint, Prints};
use crate::stage::Stage;

/// Stages with more groups are not looked at so closely.
const MOST: usize = 1000;

/// Steps that differ only in the state in which they are taken.
#[derive(Clone, Debug)]
pub struct Group {
    /// Who moves, by which edge. The second one receives what the first one sends.
    pub moves: Vec<(usize, u32)>,
    /// Who may be made to move by what they do alone afterwards: receivers of messages that are handed over on the way.
    pub also: Vec<(usize, u32)>,
    /// What all of them touch.
    pub print: Footprint,
}

impl Group {
    /// Who moves or may be made to move, by which edge.
    pub fn all_moves(&self) -> impl Iterator<Item = (usize, u32)> {
        self.moves.iter().chain(&self.also).copied()
    }

    /// The actor that moves, or sends.
    pub fn actor(&self) -> usize {
        self.moves[0].0
    }
}

/// The groups of a stage, if it can be looked at so closely: nobody will be created, and it is known which channels are rendezvous.
pub fn groups(facts: &Facts<'_>, stage: &Stage) -> Option<Vec<Group>> {
    let complete = Stages { facts, stage, prints: Prints::new(facts, stage) };
    let mut groups = Vec::new();
    for row in 0..stage.actors.len() {
        complete.actor(row, &mut groups)?;
        if groups.len() > MOST {
            return None;
        }
    }
    Some(groups)
}

/// The edges that a process may take alone after this one.
fn alone<'m>(process: &'m ProcessType, edge: &Edge) -> Vec<&'m Edge> {
    let mut edges: Vec<&Edge> = Vec::new();
    let mut seen: Vec<LocationId> = edge.target.filter(|_| edge.keeps_control).into_iter().collect();
    let mut next = 0;
    while let Some(&location) = seen.get(next) {
        for (_, inner) in process.outgoing(location) {
            edges.push(inner);
            let target = inner.target.filter(|it| inner.keeps_control && !seen.contains(it));
            seen.extend(target);
        }
        next += 1;
    }
    edges
}

/// The locations at which a process may be after an edge and what it does alone then.
pub fn ends(process: &ProcessType, edge: &Edge) -> Vec<LocationId> {
    let inner = alone(process, edge).into_iter().filter_map(|it| it.target);
    edge.target.into_iter().chain(inner).collect()
}

struct Stages<'a> {
    facts: &'a Facts<'a>,
    stage: &'a Stage,
    prints: Prints<'a>,
}

/// What an edge does first with a rendezvous.
struct Half<'e> {
    channels: ChannelSet,
    fields: Vec<Option<&'e Expr>>,
}

impl<'a> Stages<'a> {
    fn process(&self, row: usize) -> &'a ProcessType {
        self.facts.model.process(self.stage.actors[row].ty)
    }

    /// The edges that an actor may still take before everybody else has stopped.
    fn edges(&self, row: usize) -> impl Iterator<Item = (u32, &'a Edge)> {
        let process = self.process(row);
        let ty = self.stage.actors[row].ty;
        let may = move |it: &(usize, &Edge)| {
            let source = it.1.source;
            it.1.guard != Expr::Constant(0)
                && !process.location(source).internal
                && self.facts.offspring(ty, source).is_empty()
        };
        process.edges.iter().enumerate().filter(may).map(|(row, edge)| (row as u32, edge))
    }

    fn actor(&self, row: usize, groups: &mut Vec<Group>) -> Option<()> {
        if self.stage.actors[row].number.is_none() || self.process(row).deterministic {
            return None;
        }
        for (id, edge) in self.edges(row) {
            if self.prints.of_edge(row, edge).is_last_resort {
                continue;
            }
            match (self.half(row, edge)?, edge.effects.first()) {
                (None, _) => groups.push(self.group(vec![(row, id)])?),
                (Some(half), Some(Effect::Send { .. })) => {
                    for receiver in self.receivers(row, &half)? {
                        groups.push(self.group(vec![(row, id), receiver])?);
                    }
                }
                // The group is the sender's.
                (Some(_), _) => {}
            }
        }
        Some(())
    }

    /// Who moves, and whoever is made to move by that.
    fn group(&self, moves: Vec<(usize, u32)>) -> Option<Group> {
        let mut print = Footprint::default();
        let mut all = moves.clone();
        let mut next = 0;
        while let Some(&(row, edge)) = all.get(next) {
            let process = self.process(row);
            let edge = &process.edges[edge as usize];
            print.add(&self.prints.of_edge(row, edge));
            for inner in alone(process, edge) {
                if let (Some(Effect::Send { .. }), Some(half)) = (inner.effects.first(), self.half(row, inner)?) {
                    let more = self.receivers(row, &half)?.into_iter().filter(|it| !all.contains(it));
                    all.extend(more.collect::<Vec<_>>());
                }
            }
            next += 1;
        }
        Some(Group { also: all.split_off(moves.len()), moves, print })
    }

    /// The half of a rendezvous that an edge is, if it is one, and if that can be told.
    fn half<'e>(&self, row: usize, edge: &'e Edge) -> Option<Option<Half<'e>>> {
        let (channel, fields) = match edge.effects.first() {
            Some(Effect::Send { channel, message, .. }) => (channel, message.iter().map(Some).collect()),
            Some(Effect::Receive { channel, patterns, .. }) => (channel, patterns.iter().map(Pattern::value).collect()),
            _ => return (!self.receives_inside(row, edge)).then_some(None),
        };
        let channels = self.existing(row, channel);
        let rendezvous = channels.iter().filter(|&it| self.stage.capacity(it) == Some(0)).count();
        match rendezvous {
            0 => Some(None),
            _ if rendezvous == channels.iter().count() => Some(Some(Half { channels, fields })),
            _ => None,
        }
    }

    /// Whether an edge is indivisible and may begin with half of a rendezvous.
    fn receives_inside(&self, row: usize, edge: &Edge) -> bool {
        let Some(Effect::Indivisible(entry)) = edge.effects.first() else { return false };
        let process = self.process(row);
        let mut first = process.outgoing(*entry).map(|it| it.1.effects.first());
        first.any(|effect| match effect {
            Some(Effect::Send { channel, .. } | Effect::Receive { channel, .. }) => {
                self.existing(row, channel).iter().any(|it| self.stage.capacity(it) == Some(0))
            }
            _ => false,
        })
    }

    fn existing(&self, row: usize, channel: &Expr) -> ChannelSet {
        let mut channels = self.facts.channels.named(self.facts.model, &self.stage.actors[row], channel);
        let missing: Vec<u8> = channels.iter().filter(|&it| self.stage.capacity(it).is_none()).collect();
        missing.into_iter().for_each(|it| channels.remove(it));
        channels
    }

    /// Who could receive what is handed over.
    fn receivers(&self, row: usize, half: &Half<'_>) -> Option<Vec<(usize, u32)>> {
        let mut receivers = Vec::new();
        for other in (0..self.stage.actors.len()).filter(|&it| it != row) {
            for (second, edge) in self.edges(other) {
                let Some(Effect::Receive { .. }) = edge.effects.first() else { continue };
                let Some(its) = self.half(other, edge)? else { continue };
                if its.channels.meets(half.channels) && self.may_fit(row, half, other, &its) {
                    receivers.push((other, second));
                }
            }
        }
        Some(receivers)
    }

    /// Whether a message may be what somebody waits for.
    fn may_fit(&self, row: usize, half: &Half<'_>, other: usize, its: &Half<'_>) -> bool {
        let value = |row: usize, expr: Option<&Expr>| expr.and_then(|it| self.stage.actors[row].value(it));
        let differs = |(field, (sent, wanted)): (usize, (&Option<&Expr>, &Option<&Expr>))| match (
            value(row, *sent),
            value(other, *wanted),
        ) {
            (Some(sent), Some(wanted)) => sent != wanted && self.has_room(field, sent),
            _ => false,
        };
        !half.fields.iter().zip(&its.fields).enumerate().any(differs)
    }

    /// Whether a value arrives as it was sent.
    fn has_room(&self, field: usize, value: i32) -> bool {
        let types = self.facts.model.shapes.iter().filter_map(|it| it.fields.get(field));
        types.into_iter().all(|ty| ty.truncate(value) == value)
    }
}
