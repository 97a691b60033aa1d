//! The automaton that watches messages, for all states at once: `model::semantics::monitor`.
use diagram::Function;
use model::{Direction, Edge, Effect, Expr, LocationId, Monitor, Pattern};

use crate::case::Case;
use crate::cell::{Cell, ChannelRow};
use crate::execute::Execution;
use crate::number::Number;
use crate::stop::Result;
use crate::trouble::{Faults, Trouble};

impl Execution<'_> {
    /// Tells the monitor of a message.
    pub fn observe(
        &mut self,
        direction: Direction,
        row: ChannelRow,
        message: &[Number],
        mut case: Case,
    ) -> Result<Case> {
        let Some(monitor) = self.encoding.model.monitor.as_ref().filter(|_| !case.is_empty()) else { return Ok(case) };
        let encoding = self.encoding;
        let mut watched = encoding.constant(false);
        for edge in &monitor.graph.edges {
            watched = watched.or(&self.watches(edge, direction, row, &case)?)?;
        }
        let watched = watched.and(&case.condition)?;
        let mut next = encoding.bits(&case.changes, Cell::Monitor)?;
        for location in 0..monitor.graph.locations.len() as u32 {
            let here = encoding.has_code(&case.changes, Cell::Monitor, location)?.and(&watched)?;
            let mut searching = here;
            for (_, edge) in monitor.graph.outgoing(LocationId(location)) {
                let hit = self.hits(edge, direction, row, message, &case, &searching)?;
                searching = searching.minus(&hit)?;
                let target = edge.target.unwrap_or(LocationId(location));
                next = self.moved(next, &hit, target)?;
                if monitor.forbidden && monitor.graph.location(target).edge_count == 0 {
                    self.fail(Trouble::Monitor, hit);
                }
            }
            if monitor.forbidden {
                next = self.moved(next, &searching, last(monitor))?;
            } else {
                self.fail(Trouble::Monitor, searching);
            }
        }
        case.changes.insert(Cell::Monitor, next);
        Ok(case)
    }

    fn moved(&self, bits: Vec<Function>, here: &Function, target: LocationId) -> Result<Vec<Function>> {
        let code = self.encoding.code(Cell::Monitor, target.0);
        code.iter().zip(&bits).map(|(new, old)| Ok(here.if_then_else(new, old)?)).collect()
    }

    /// Where an edge is about this use of the channel.
    fn watches(&self, edge: &Edge, direction: Direction, row: ChannelRow, case: &Case) -> Result<Function> {
        let never = self.encoding.constant(false);
        let Some((way, channel, _)) = event(edge).filter(|it| it.0 == direction) else { return Ok(never) };
        debug_assert_eq!(way, direction);
        let mut faults = Faults::new(never.clone());
        let channels = self.view(case).channels(channel, &case.condition, &mut faults)?;
        Ok(channels.into_iter().find(|it| it.0 == row).map_or(never, |it| it.1))
    }

    fn hits(
        &self,
        edge: &Edge,
        direction: Direction,
        row: ChannelRow,
        message: &[Number],
        case: &Case,
        when: &Function,
    ) -> Result<Function> {
        let watched = self.watches(edge, direction, row, case)?.and(when)?;
        let Some((_, _, patterns)) = event(edge) else { return Ok(watched) };
        let mut faults = Faults::new(self.encoding.constant(false));
        let hit = self.view(case).matches(patterns, message, &watched, &mut faults)?;
        Ok(hit.minus(&faults.any)?)
    }
}

fn event(edge: &Edge) -> Option<(Direction, &Expr, &[Pattern])> {
    match edge.effects.first() {
        Some(Effect::Receive { channel, patterns, keep, .. }) => {
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
