//! Who may go first: for each process and location, whether the process may move there before all others.
//!
//! A process may go first in a state if all its steps there, possible or not, are independent of everything that the others can ever
//! do, and none of them can be seen by a property. Then its possible steps are an *ample set*: whatever the others do before, they
//! could as well do after (Peled, CAV 1993, conditions C1 and C2; a location like this is called *internal*, and its steps *safe*, by
//! Nalumasu and Gopalakrishnan). Some steps are safe only while a channel has a message or room: others could otherwise make them possible.
use model::{Edge, Effect, Expr, LocationId, ProcessType};

use crate::facts::Facts;
use crate::footprint::{Clash, Footprint, Prints};
use crate::mistake::Mistake;
use crate::stage::Stage;

/// Whether a process may go first at a location.
#[derive(Clone, Debug, PartialEq)]
pub enum Role {
    /// Whenever it can move.
    Always,
    /// Whenever it can move and all these are true.
    If(Vec<Condition>),
    /// Never, because of this edge.
    Never(u32, Obstacle),
}

/// A condition on a state. Channels are named by their numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Condition {
    /// The process is the youngest, so that it can end.
    IsYoungest,
    /// It has a message.
    HasMessage(u8),
    /// It has room.
    HasRoom(u8),
}

/// Why a step is not safe.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Obstacle {
    /// It shares something with a step of this actor.
    Clash(Clash, usize),
    /// A property can see it.
    Visible,
    /// It is half of a rendezvous.
    Rendezvous,
    /// It waits for all others.
    Timeout,
    /// It may have to wait for a channel that is not known before.
    UnknownChannel,
    /// Its end takes channels away that others may use.
    OwnsChannels,
}

/// What an edge is to the others.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Class {
    /// It touches nothing that anybody else could touch.
    Local,
    /// What it touches, nobody else touches in a way that matters.
    Safe,
    /// The same while this is true.
    SafeWhile(Condition),
    /// It has to be interleaved.
    Unsafe(Obstacle),
}

/// Per actor of a stage and edge: what it is to the others.
pub fn classes(facts: &Facts<'_>, stage: &Stage) -> Vec<Vec<Class>> {
    let analysis = Analysis::new(facts, stage, None);
    let class = |row: usize, edge: &Edge, print: &Footprint| match analysis.edge(row, edge, print) {
        Ok(None) if print.is_local() => Class::Local,
        Ok(None) => Class::Safe,
        Ok(Some(condition)) => Class::SafeWhile(condition),
        Err(obstacle) => Class::Unsafe(obstacle),
    };
    let actor = |row: usize| {
        let edges = process(facts, stage, row).edges.iter().zip(&analysis.edges[row]);
        edges.map(|(edge, print)| class(row, edge, print)).collect()
    };
    (0..stage.actors.len()).map(actor).collect()
}

/// The roles of all processes of a stage.
#[derive(Clone, Debug)]
pub struct Roles {
    /// Per actor and location. Locations that cannot be left or where others never find it have none.
    roles: Vec<Vec<Option<Role>>>,
}

impl Roles {
    /// Those of a stage.
    pub fn new(facts: &Facts<'_>, stage: &Stage) -> Roles {
        Roles::with_mistake(facts, stage, None)
    }

    /// The same with a deliberate mistake: a test of the tests.
    #[doc(hidden)]
    pub fn with_mistake(facts: &Facts<'_>, stage: &Stage, mistake: Option<Mistake>) -> Roles {
        let analysis = Analysis::new(facts, stage, mistake);
        let roles = (0..stage.actors.len()).map(|row| analysis.actor(row)).collect();
        Roles { roles }
    }

    /// Whether there is somebody before whom one could go.
    pub fn is_useful(&self) -> bool {
        self.roles.len() > 1
    }

    /// The role of a process at a location.
    #[inline]
    pub fn role(&self, row: usize, location: LocationId) -> Option<&Role> {
        self.roles[row][location.0 as usize].as_ref()
    }
}

fn process<'m>(facts: &Facts<'m>, stage: &Stage, row: usize) -> &'m ProcessType {
    facts.model.process(stage.actors[row].ty)
}

/// All that a process can do before everybody else has stopped.
fn sum(edges: &[Footprint]) -> Footprint {
    let mut sum = Footprint::default();
    edges.iter().filter(|it| !it.is_last_resort).for_each(|it| sum.add(it));
    sum
}

/// What properties look at.
pub fn seen(prints: &Prints<'_>, mistake: Option<Mistake>) -> Footprint {
    let mut seen = Footprint::default();
    if mistake != Some(Mistake::Visibility) {
        let model = prints.facts.model;
        let temporal = model.temporal_properties.iter().flat_map(|it| &it.observes);
        let conditions = model.invariants.iter().map(|it| &it.condition).chain(temporal);
        conditions.for_each(|it| seen.add(&prints.of_condition(it)));
    }
    seen
}

struct Analysis<'a> {
    facts: &'a Facts<'a>,
    stage: &'a Stage,
    edges: Vec<Vec<Footprint>>,
    everything: Vec<Footprint>,
    /// Per actor: what it has declared its own, if declarations are believed.
    declared: Vec<Footprint>,
    seen: Footprint,
    mistake: Option<Mistake>,
}

impl<'a> Analysis<'a> {
    fn new(facts: &'a Facts<'a>, stage: &'a Stage, mistake: Option<Mistake>) -> Self {
        let prints = Prints::new(facts, stage);
        let actor = |row| process(facts, stage, row).edges.iter().map(|edge| prints.of_edge(row, edge)).collect();
        let edges: Vec<Vec<Footprint>> = (0..stage.actors.len()).map(actor).collect();
        let everything = edges.iter().map(|it| sum(it)).collect();
        let believes = facts.model.trusts_exclusive || mistake == Some(Mistake::Declarations);
        let declared = |row| if believes { prints.declared(row) } else { Footprint::default() };
        let declared = (0..stage.actors.len()).map(declared).collect();
        Analysis { facts, stage, everything, edges, declared, seen: seen(&prints, mistake), mistake }
    }

    /// Locations where others never find the process have no role.
    fn actor(&self, row: usize) -> Vec<Option<Role>> {
        let process = process(self.facts, self.stage, row);
        let rests = process.resting();
        let location = |it: usize| if rests[it] { self.location(row, process, LocationId(it as u32)) } else { None };
        (0..process.locations.len()).map(location).collect()
    }

    fn location(&self, row: usize, process: &ProcessType, location: LocationId) -> Option<Role> {
        let mut conditions = Vec::new();
        let mut any = false;
        for (id, edge) in process.outgoing(location).filter(|it| it.1.guard != Expr::Constant(0)) {
            any = true;
            match self.edge(row, edge, &self.edges[row][id.0 as usize]) {
                Ok(more) => conditions.extend(more),
                Err(obstacle) => return Some(Role::Never(id.0, obstacle)),
            }
        }
        any.then_some(if conditions.is_empty() { Role::Always } else { Role::If(conditions) })
    }

    /// When an edge is safe.
    fn edge(&self, row: usize, edge: &Edge, print: &Footprint) -> Result<Option<Condition>, Obstacle> {
        if print.is_rendezvous {
            return Err(Obstacle::Rendezvous);
        }
        if print.is_last_resort || print.waits_for_all {
            return Err(Obstacle::Timeout);
        }
        if print.ends && self.facts.channels.parents.contains(&(self.stage.actors[row].ty.0 as usize)) {
            return Err(Obstacle::OwnsChannels);
        }
        if print.clash(&self.seen).is_some() {
            return Err(Obstacle::Visible);
        }
        for (other, everything) in self.others(row) {
            let clash = print.clash(everything);
            if let Some(clash) = clash.and_then(|_| print.clash(&everything.respecting(&self.declared[row]))) {
                return Err(Obstacle::Clash(clash, other));
            }
        }
        self.condition(row, edge)
    }

    fn others(&self, row: usize) -> impl Iterator<Item = (usize, &Footprint)> {
        self.everything.iter().enumerate().filter(move |it| it.0 != row)
    }

    /// What must be true lest others make the edge possible.
    fn condition(&self, row: usize, edge: &Edge) -> Result<Option<Condition>, Obstacle> {
        if self.mistake == Some(Mistake::Conditions) {
            return Ok(None);
        }
        if edge.effects.first() == Some(&Effect::Terminate) {
            return Ok(Some(Condition::IsYoungest));
        }
        let actor = &self.stage.actors[row];
        let named = |channel: &Expr| self.facts.channels.named(self.facts.model, actor, channel);
        let (channels, helps): (_, Vec<_>) = match edge.effects.first() {
            Some(Effect::Send { channel, .. }) => (named(channel), self.others(row).map(|it| it.1.takes).collect()),
            Some(Effect::Receive { channel, .. }) => (named(channel), self.others(row).map(|it| it.1.sends).collect()),
            _ => return Ok(None),
        };
        if !helps.into_iter().any(|it| it.meets(channels)) {
            return Ok(None);
        }
        let channel = channels.only().ok_or(Obstacle::UnknownChannel)?;
        match edge.effects.first() {
            Some(Effect::Send { .. }) => Ok(Some(Condition::HasRoom(channel))),
            Some(Effect::Receive { anywhere: false, .. }) => Ok(Some(Condition::HasMessage(channel))),
            _ => Err(Obstacle::UnknownChannel),
        }
    }
}
