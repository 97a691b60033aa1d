//! The graph of a process without what nobody notices.
//!
//! A location is *passed* if it never waits, none of its steps matters, and all of them lead, through passed locations and without a cycle, to one place. That
//! place dominates it backwards; every bubble that dominators find in both directions is of this kind. An `atomic` must end on all ways or on none.
use model::access::region;
use model::variables::can_wait;
use model::{Edge, Effect, Expr, LocationId, ProcessType, UnaryOp};

use crate::{Criterion, Keep, Mistake};

/// Where a process is in the slice when it comes to a location, and whether it keeps control on the way.
pub type Stop = (LocationId, bool);

/// The graph of one process type.
#[derive(Clone, Debug)]
pub struct Shape {
    /// Per location: where a process that comes there is in the slice.
    pub stops: Vec<Stop>,
    /// Per location: nothing that matters can be reached from it.
    pub cut: Vec<bool>,
    /// Per location: it is reached in the slice.
    pub kept: Vec<bool>,
    /// Per location: which of its steps is taken matters.
    pub decides: Vec<bool>,
}

/// What is asked about the steps of a process.
pub struct Steps<'a> {
    /// Its graph.
    pub process: &'a ProcessType,
    /// Per edge: it does something that matters.
    pub matters: Vec<bool>,
    /// Per location: somebody sees when a process is there.
    pub seen: Vec<bool>,
    /// Per location: somebody notices that a process is ready there.
    pub ready: Vec<bool>,
    /// What has to be kept.
    pub criterion: Criterion,
}

impl Steps<'_> {
    /// The graph that is left.
    pub fn shape(&self) -> Shape {
        let count = self.process.locations.len();
        let cut = self.cut();
        let stops = self.stops(&cut);
        let mut shape = Shape { stops, cut, kept: vec![false; count], decides: vec![false; count] };
        let mut waiting = vec![shape.stops[self.process.entry.0 as usize].0];
        while let Some(here) = waiting.pop() {
            let row = here.0 as usize;
            if shape.cut[row] || std::mem::replace(&mut shape.kept[row], true) {
                continue;
            }
            let ways: Vec<Option<Stop>> = self.edges(here).map(|it| way(&shape.stops, it)).collect();
            let same = ways.windows(2).all(|it| it[0] == it[1]) && ways.iter().all(Option::is_some);
            let counts = self.criterion.coverage || self.process.locations[row].internal;
            shape.decides[row] = counts || !(same && self.is_free(here));
            for edge in self.edges(here) {
                let is_inside = |it: &LocationId| self.process.location(*it).internal;
                let next = edge.target.map(|it| if is_inside(&it) { it } else { shape.stops[it.0 as usize].0 });
                waiting.extend(next);
                waiting.extend(edge.effects.iter().filter_map(Effect::entry).filter(|_| self.edge_matters(edge)));
            }
        }
        shape
    }

    fn edges(&self, here: LocationId) -> impl Iterator<Item = &Edge> {
        self.process.outgoing(here).map(|it| it.1)
    }

    fn edge_matters(&self, edge: &Edge) -> bool {
        self.matters[model::variables::row_of(self.process, edge)]
    }

    /// Whether a process never waits at a location, and no step from there does anything that matters.
    fn is_free(&self, here: LocationId) -> bool {
        let edges: Vec<&Edge> = self.edges(here).collect();
        let hastens = self.criterion.mistake == Some(Mistake::Waiting);
        let idle = |it: &&Edge| !self.edge_matters(it) && it.group == 0 && (hastens || !waits(it));
        edges.iter().all(idle) && (hastens || never_waits(&edges))
    }

    /// The locations from which nothing that matters can be reached.
    fn cut(&self) -> Vec<bool> {
        let count = self.process.locations.len();
        if self.criterion.keep == Keep::Ends || self.criterion.coverage {
            return vec![false; count];
        }
        let mut live: Vec<bool> = (0..count)
            .map(|row| {
                let here = LocationId(row as u32);
                self.edges(here).any(|it| self.edge_matters(it))
                    || self.process.locations[row].internal
                    || self.criterion.keep == Keep::Cycles && self.reaches(here, here, &vec![true; count])
            })
            .collect();
        loop {
            let before = live.clone();
            for edge in &self.process.edges {
                live[edge.source.0 as usize] |= edge.target.is_some_and(|it| live[it.0 as usize]);
            }
            if live == before {
                return live.iter().map(|it| !it).collect();
            }
        }
    }

    fn reaches(&self, from: LocationId, to: LocationId, allowed: &[bool]) -> bool {
        let (mut seen, mut waiting) = (vec![false; allowed.len()], vec![from]);
        while let Some(here) = waiting.pop() {
            for next in self.edges(here).filter_map(|it| it.target) {
                if next == to {
                    return true;
                }
                if allowed[next.0 as usize] && !std::mem::replace(&mut seen[next.0 as usize], true) {
                    waiting.push(next);
                }
            }
        }
        false
    }

    /// Per location: it has one step, an assignment that does not matter, and is reached if and only if the place behind it is. So it is where a
    /// process begins, or if no other way leads to that place.
    fn idle(&self) -> Vec<bool> {
        let process = self.process;
        let only = |row: usize| match process.outgoing(LocationId(row as u32)).collect::<Vec<_>>()[..] {
            [(_, edge)] => Some(edge).filter(|it| assigns(it) && !self.edge_matters(it)),
            _ => None,
        };
        let opening: Vec<usize> = std::iter::successors(Some(process.entry), |it| only(it.0 as usize)?.target)
            .map(|it| it.0 as usize)
            .take(process.locations.len())
            .collect();
        let is_known = |row: usize, edge: &Edge| {
            let mut ways = process.edges.iter().filter(|it| it.target == edge.target);
            opening.contains(&row) || ways.all(|it| it.source == edge.source) && edge.target != Some(process.entry)
        };
        let is_idle = |row: usize| only(row).is_some_and(|edge| is_known(row, edge));
        (0..process.locations.len()).map(|row| self.criterion.idle && is_idle(row)).collect()
    }

    fn stops(&self, cut: &[bool]) -> Vec<Stop> {
        let count = cut.len();
        let idle = self.idle();
        let end = LocationId(cut.iter().position(|it| *it).unwrap_or(0) as u32);
        let passable = |row: usize| {
            let (here, location) = (LocationId(row as u32), &self.process.locations[row]);
            let counts = self.criterion.coverage && !idle[row] || location.internal;
            !counts && location.edge_count > 0 && !self.seen[row] && self.is_free(here)
        };
        let mut open: Vec<bool> = (0..count).map(|row| !cut[row] && passable(row)).collect();
        let at = |row: usize| (if cut[row] { end } else { LocationId(row as u32) }, true);
        let mut stops: Vec<Stop> = (0..count).map(at).collect();
        loop {
            let ready = |row: &usize| {
                let mut targets = self.edges(LocationId(*row as u32)).map(|it| it.target);
                open[*row] && targets.all(|it| it.is_none_or(|it| !open[it.0 as usize]))
            };
            let chosen = (0..count).find(ready);
            let Some(row) = chosen.or_else(|| (0..count).find(|&it| open[it] && self.is_on_cycle(it, &open))) else {
                return stops;
            };
            let wrong = chosen.is_none() && self.criterion.mistake == Some(Mistake::Cycles);
            let ways = self
                .edges(LocationId(row as u32))
                .filter(|it| !wrong || it.target.is_some_and(|it| !open[it.0 as usize]));
            let mut ways: Vec<Option<Stop>> = ways.map(|it| way(&stops, it)).collect();
            ways.dedup();
            open[row] = false;
            if let ([Some(stop)], true) = (&ways[..], chosen.is_some() || wrong)
                && !self.seen[stop.0.0 as usize]
                && !self.ready[stop.0.0 as usize]
            {
                stops[row] = *stop;
            }
        }
    }

    fn is_on_cycle(&self, row: usize, open: &[bool]) -> bool {
        let here = LocationId(row as u32);
        self.reaches(here, here, open)
    }
}

/// Where an edge leads in the slice, and whether control is kept.
pub fn way(stops: &[Stop], edge: &Edge) -> Option<Stop> {
    let (stop, keeps) = stops[edge.target?.0 as usize];
    Some((stop, keeps && edge.keeps_control))
}

/// Whether a step does nothing but assign.
fn assigns(edge: &Edge) -> bool {
    !edge.effects.is_empty() && edge.effects.iter().all(|it| matches!(it, Effect::Assign(..)))
}

fn waits(edge: &Edge) -> bool {
    edge.effects.iter().any(|it| can_wait(it) && it.entry().is_none())
}

/// Whether one of these edges can always be taken, given that none has an effect that waits.
fn never_waits(edges: &[&Edge]) -> bool {
    let negates = |left: &Expr, right: &Expr| matches!(left, Expr::Unary(UnaryOp::Not, it) if **it == *right);
    let opposite = |it: &&Edge| edges.iter().any(|other| negates(&it.guard, &other.guard));
    edges.iter().any(|it| it.otherwise || it.guard.is_true() || opposite(it))
}

/// Whether an indivisible region never waits and surely ends.
pub fn is_smooth(process: &ProcessType, entry: LocationId) -> bool {
    let edges = region(process, entry);
    let mut sources: Vec<LocationId> = edges.iter().map(|it| it.source).collect();
    sources.sort_unstable();
    sources.dedup();
    let free = |&here: &LocationId| {
        let edges: Vec<&Edge> = process.outgoing(here).map(|it| it.1).collect();
        never_waits(&edges) && edges.iter().all(|it| !it.effects.iter().any(can_wait))
    };
    // Without cycles, locations can be taken away one by one whose steps lead only to those that are gone.
    let mut left = sources.clone();
    loop {
        let leads = |from: &LocationId, left: &[LocationId]| {
            edges.iter().any(|it| it.source == *from && it.target.is_some_and(|to| left.contains(&to)))
        };
        let next: Vec<LocationId> = left.iter().copied().filter(|it| leads(it, &left)).collect();
        if next.len() == left.len() {
            return left.is_empty() && sources.iter().all(free);
        }
        left = next;
    }
}
