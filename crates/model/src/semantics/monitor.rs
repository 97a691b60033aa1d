//! The automaton that watches messages.
//!
//! It moves only with sends to channels it has sends for, and with receives from channels it has
//! receives for. A required sequence (`forbidden` is false) must have a matching edge for each such
//! message. A forbidden sequence must not be seen completely: a message that does not match ends the watch.
use super::eval::View;
use super::{Semantics, State};
use crate::{Direction, Edge, Effect, Expr, LocationId, Monitor, Pattern};

/// What a message means to the monitor.
pub(super) enum Observation {
    /// Not one of its channels.
    Ignored,
    /// An edge matches.
    Moves(LocationId),
    /// None matches.
    Mismatch(LocationId),
}

impl Semantics<'_> {
    pub(super) fn observe(
        &self,
        monitor: &Monitor,
        view: &View<'_>,
        here: LocationId,
        direction: Direction,
        channel: usize,
        message: &[i32],
    ) -> Observation {
        let watches =
            |edge: &Edge| event(edge).is_some_and(|(way, it, _)| way == direction && view.channel(it) == Ok(channel));
        if !monitor.graph.edges.iter().any(watches) {
            return Observation::Ignored;
        }
        let matches = |edge: &Edge| {
            let fields = event(edge).map_or(&[][..], |(_, _, fields)| fields);
            watches(edge) && view.matches(fields, message.iter().copied()) == Ok(true)
        };
        match monitor.graph.outgoing(here).find(|(_, edge)| matches(edge)) {
            Some((_, edge)) => Observation::Moves(edge.target.unwrap_or(here)),
            None if monitor.forbidden => Observation::Mismatch(last(monitor)),
            None => Observation::Mismatch(here),
        }
    }

    /// Where the monitor is.
    pub fn monitor_location(&self, state: &State) -> Option<LocationId> {
        self.layout.monitor.map(|at| LocationId(state.read_u16(at)))
    }
}

fn event(edge: &Edge) -> Option<(Direction, &Expr, &[Pattern])> {
    match edge.effects.first() {
        Some(Effect::Receive { channel, patterns, keep, .. }) => {
            // A send is written as a receive that keeps the message: both only look.
            Some((if *keep { Direction::Send } else { Direction::Receive }, channel, patterns))
        }
        _ => None,
    }
}

/// The location without edges: the end.
fn last(monitor: &Monitor) -> LocationId {
    let end = monitor.graph.locations.iter().position(|location| location.edge_count == 0);
    LocationId(end.map_or(monitor.graph.locations.len() as u32 - 1, |row| row as u32))
}
