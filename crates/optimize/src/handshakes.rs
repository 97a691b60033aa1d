//! Rendezvous: where they can happen, and who notices whether one could.
use model::access::region;
use model::{Edge, Effect, Expr, Initial, LocationId, Model, ProcessType, ProcessTypeId};

use model::variables::{Name, all, assigned, types};

/// What is known about the rendezvous of a model.
#[derive(Debug)]
pub struct Handshakes {
    /// Channels that always are what they were created as, and whether that is a rendezvous.
    fixed: Vec<(Name, bool)>,
    /// Whether any channel is a rendezvous.
    pub any: bool,
    /// Whether what a sender does next depends on whether somebody is ready to receive.
    pub observed: bool,
}

impl Handshakes {
    /// Those of a model.
    pub fn new(model: &Model) -> Self {
        let written = assigned(model);
        let channels = all(model).into_iter().filter_map(|name| match name.declared(model).initial {
            Initial::Channels(shape) if !written.contains(&name) => Some((name, model.shape(shape).capacity == 0)),
            _ => None,
        });
        let any = model.shapes.iter().any(|it| it.capacity == 0);
        let mut handshakes = Handshakes { fixed: channels.collect(), any, observed: false };
        handshakes.observed = types(model).any(|(owner, process)| handshakes.has_observer(owner, process));
        handshakes
    }

    /// Whether an expression may name a rendezvous channel.
    fn may_be_rendezvous(&self, owner: ProcessTypeId, channel: &Expr) -> bool {
        let known = match channel {
            Expr::Read(place) => self.fixed.iter().find(|it| it.0 == Name::of(owner, place)),
            _ => None,
        };
        known.map_or(self.any, |it| it.1)
    }

    /// Whether a process of this type has a location with a send and an alternative that depends on it, or with a send that
    /// can interrupt an `atomic`.
    fn has_observer(&self, owner: ProcessTypeId, process: &ProcessType) -> bool {
        let sends = |it: &Edge| match it.effects.first() {
            Some(Effect::Send { channel, .. }) => self.may_be_rendezvous(owner, channel),
            _ => false,
        };
        (0..process.locations.len()).map(|row| LocationId(row as u32)).any(|location| {
            let edges: Vec<&Edge> = process.outgoing(location).map(|it| it.1).collect();
            let has_alternative = || edges.iter().any(|it| it.otherwise || it.group > 0);
            let in_atomic = || process.edges.iter().any(|it| it.keeps_control && it.target == Some(location));
            edges.iter().any(|it| sends(it)) && (has_alternative() || in_atomic())
        })
    }

    /// Whether an edge may be the second half of a rendezvous.
    pub fn begins_with_receive(&self, owner: ProcessTypeId, process: &ProcessType, edge: &Edge) -> bool {
        let receives = |it: &Edge| match it.effects.first() {
            Some(Effect::Receive { channel, .. }) => self.may_be_rendezvous(owner, channel),
            _ => false,
        };
        match edge.effects.first() {
            Some(Effect::Indivisible(entry)) => region(process, *entry).into_iter().any(receives),
            _ => receives(edge),
        }
    }
}
