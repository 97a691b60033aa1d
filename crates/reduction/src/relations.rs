//! Who hinders whom, and who can help: the relations that stubborn sets are made of.
//!
//! Two groups *accord* if, wherever both are possible, neither makes the other impossible and both orders lead to the same state. A
//! *necessary enabling set* of a false guard has every group that can make it true. Valmari, *Stubborn sets for reduced state space
//! generation*, 1989; with guards: Laarman, Pater, van de Pol, Weber, SPIN 2013.
use std::collections::BTreeSet;

use model::variables::{Name, reads};
use model::{Effect, Expr, LocationId, ProcessType, Scope, VariableId};

use crate::facts::Facts;
use crate::footprint::{Footprint, Prints};
use crate::groups::{Group, ends, groups};
use crate::guards::{Comparison, Guard, Guards, Subject, exclude};
use crate::mistake::Mistake;
use crate::roles::{Roles, seen};
use crate::rows::Rows;
use crate::stage::Stage;
use crate::sticky::sticky;

/// The relations of a stage.
#[derive(Clone, Debug)]
pub struct Relations {
    /// The groups.
    pub groups: Vec<Group>,
    /// All parts of what they wait for.
    pub guards: Vec<Guard>,
    /// Per group: the rows of its guards.
    pub needs: Vec<Vec<usize>>,
    /// Per group: those with which it does not accord.
    pub hinders: Vec<Rows>,
    /// Per guard: the groups that can make it true.
    pub helpers: Vec<Rows>,
    /// Per guard: the groups of which none may be possible, if it is about that and they are all known.
    pub rivals: Vec<Option<Vec<usize>>>,
    /// Per actor and location: the groups with which the actor may leave it; those of a receiver are the sender's.
    pub leaving: Vec<Vec<Vec<usize>>>,
    /// Groups of which each cycle has one.
    pub sticky: Rows,
}

impl Relations {
    /// Those of a stage, if it can be looked at so closely.
    pub fn new(facts: &Facts<'_>, stage: &Stage, roles: &Roles, mistake: Option<Mistake>) -> Option<Relations> {
        let groups = groups(facts, stage)?;
        let (prints, parts) = (Prints::new(facts, stage), Guards { facts, stage });
        let mut build = Build { facts, stage, prints, guards: parts, groups: &groups, buffered: Vec::new() };
        build.buffered = groups.iter().map(|it| build.without_rendezvous(&it.print)).collect();
        let (mut guards, mut needs) = (Vec::new(), Vec::new());
        for (row, group) in groups.iter().enumerate() {
            let rows = build.guards.of_group(row, group).into_iter().map(|it| find_or_add(&mut guards, it));
            needs.push(rows.collect::<Vec<usize>>());
        }
        let comparisons: Vec<Vec<Comparison>> = guards.iter().map(|it| build.guards.comparisons(it)).collect();
        let all: Vec<Vec<Comparison>> =
            needs.iter().map(|rows| rows.iter().flat_map(|&it| comparisons[it].clone()).collect()).collect();
        let mut hinders: Vec<Rows> =
            (0..groups.len()).map(|row| Rows::of(groups.len(), |other| build.hinders(row, other, &all))).collect();
        let visible = build.visible(mistake);
        visible.iter().for_each(|row| hinders[row].extend(&visible));
        let helpers = guards.iter().zip(&comparisons).map(|(it, compared)| build.helpers(it, compared)).collect();
        let sticky = match mistake {
            Some(Mistake::Cycles) => Rows::none_of(groups.len()),
            _ => sticky(facts, stage, roles, &groups),
        };
        let rivals = guards.iter().map(|it| build.rivals(it)).collect();
        Some(Relations { leaving: build.leaving(), guards, needs, hinders, helpers, rivals, sticky, groups })
    }
}

fn find_or_add(guards: &mut Vec<Guard>, guard: Guard) -> usize {
    guards.iter().position(|it| *it == guard).unwrap_or_else(|| {
        guards.push(guard);
        guards.len() - 1
    })
}

/// What a condition looks at.
struct Looks {
    /// Variables of the actor that asks.
    own: BTreeSet<(usize, VariableId)>,
    print: Footprint,
}

impl Looks {
    /// Whether a group changes some of it.
    fn notices(&self, group: &Group) -> bool {
        !self.own.is_disjoint(&group.print.mine) || self.print.clash(&group.print).is_some()
    }
}

/// Everything that a step may have to wait for, as something that only looks.
fn all_looks(print: &Footprint) -> Footprint {
    let mut looks = print.looks;
    looks.extend(print.sends);
    looks.extend(print.takes);
    let (reads, asks_ready) = (print.reads.clone(), print.asks_ready);
    Footprint { reads, looks, asks_ready, counts: true, ..Footprint::default() }
}

struct Build<'a> {
    facts: &'a Facts<'a>,
    stage: &'a Stage,
    prints: Prints<'a>,
    guards: Guards<'a>,
    groups: &'a [Group],
    /// Per group: what it touches, without rendezvous.
    buffered: Vec<Footprint>,
}

impl Build<'_> {
    fn process(&self, actor: usize) -> &ProcessType {
        self.facts.model.process(self.stage.actors[actor].ty)
    }

    fn source(&self, (actor, edge): (usize, u32)) -> LocationId {
        self.process(actor).edges[edge as usize].source
    }

    /// Per actor and location: the groups that begin there.
    fn leaving(&self) -> Vec<Vec<Vec<usize>>> {
        let locations = |actor| vec![Vec::new(); self.process(actor).locations.len()];
        let mut leaving: Vec<Vec<Vec<usize>>> = (0..self.stage.actors.len()).map(locations).collect();
        for (row, group) in self.groups.iter().enumerate() {
            leaving[group.actor()][self.source(group.moves[0]).0 as usize].push(row);
        }
        leaving
    }

    /// Whether two groups do not accord.
    fn hinders(&self, row: usize, other: usize, comparisons: &[Vec<Comparison>]) -> bool {
        let (one, two) = (&self.groups[row], &self.groups[other]);
        let shared: Vec<_> = one
            .moves
            .iter()
            .flat_map(|a| two.moves.iter().map(move |b| (*a, *b)))
            .filter(|it| it.0.0 == it.1.0)
            .collect();
        if row == other || shared.iter().any(|it| self.source(it.0) != self.source(it.1)) {
            return false;
        }
        let clash = !shared.is_empty()
            || self.takes_away(one)
            || self.takes_away(two)
            || self.buffered[row].clash(&self.buffered[other]).is_some();
        clash && !comparisons[row].iter().any(|a| comparisons[other].iter().any(|b| exclude(*a, *b)))
    }

    /// Whether a group ends a process whose channels others may use.
    fn takes_away(&self, group: &Group) -> bool {
        group.print.ends && self.facts.channels.parents.contains(&(self.stage.actors[group.actor()].ty.0 as usize))
    }

    /// A message that is handed over is in no channel.
    fn without_rendezvous(&self, print: &Footprint) -> Footprint {
        let mut print = print.clone();
        for channels in [&mut print.sends, &mut print.takes] {
            let rendezvous: Vec<u8> = channels.iter().filter(|&it| self.stage.capacity(it) == Some(0)).collect();
            rendezvous.into_iter().for_each(|it| channels.remove(it));
        }
        print
    }

    /// The groups that a property can see.
    fn visible(&self, mistake: Option<Mistake>) -> Rows {
        let seen = seen(&self.prints, mistake);
        Rows::of(self.groups.len(), |row| self.groups[row].print.clash(&seen).is_some())
    }

    /// The groups that can make a guard true.
    fn helpers(&self, guard: &Guard, compared: &[Comparison]) -> Rows {
        let those = |is_in: &dyn Fn(&Group) -> bool| Rows::of(self.groups.len(), |row| is_in(&self.groups[row]));
        match guard {
            Guard::At(actor, location) => {
                those(&|group| group.all_moves().any(|it| self.goes_to(it, *actor, *location)))
            }
            Guard::Holds(actor, condition) => {
                let looks = self.looks(*actor, condition);
                let is_kept = |group: &Group| matches!(compared, [only] if self.leaves_false(group, *only));
                those(&|group| looks.notices(group) && !is_kept(group))
            }
            Guard::HasMessage(channel) => those(&|group| group.print.sends.contains(*channel)),
            Guard::HasRoom(channel) => those(&|group| group.print.takes.contains(*channel)),
            Guard::Fits(channel, actor, poll) => {
                let Expr::Poll { patterns, anywhere, .. } = poll else { return those(&|_| true) };
                let values = patterns.iter().filter_map(model::Pattern::value);
                let looks: Vec<Looks> = values.map(|it| self.looks(*actor, it)).collect();
                those(&|group| {
                    group.print.takes.contains(*channel)
                        || *anywhere && group.print.sends.contains(*channel)
                        || looks.iter().any(|it| it.notices(group))
                })
            }
            Guard::IsYoungest(actor) => those(&|group| group.print.ends && group.actor() > *actor),
            Guard::Else(actor, location, edge) => {
                let print = self.prints.of_edge(*actor, &self.process(*actor).edges[*edge as usize]);
                let looks = all_looks(&print);
                those(&|group| self.concerns(group, &[(*actor, *location)], &looks))
            }
            Guard::Unknown(row) => {
                let other = &self.groups[*row];
                let places: Vec<_> = other.moves.iter().map(|it| (it.0, self.source(*it))).collect();
                let looks = all_looks(&other.print);
                those(&|group| self.concerns(group, &places, &looks))
            }
        }
    }

    /// The groups of the other edges of a location, if each of these has some.
    fn rivals(&self, guard: &Guard) -> Option<Vec<usize>> {
        let Guard::Else(actor, location, edge) = *guard else { return None };
        let mut rivals = Vec::new();
        for (id, other) in self.process(actor).outgoing(location) {
            if id.0 != edge && other.guard != Expr::Constant(0) {
                let before = rivals.len();
                let is_its = |it: &usize| self.groups[*it].moves[0] == (actor, id.0);
                rivals.extend((0..self.groups.len()).filter(is_its));
                if rivals.len() == before {
                    return None;
                }
            }
        }
        Some(rivals)
    }

    fn goes_to(&self, (mover, edge): (usize, u32), actor: usize, location: LocationId) -> bool {
        let process = self.process(actor);
        mover == actor && ends(process, &process.edges[edge as usize]).contains(&location)
    }

    /// What a condition of an actor looks at.
    fn looks(&self, actor: usize, condition: &Expr) -> Looks {
        let owner = self.stage.actors[actor].ty;
        let mut own = BTreeSet::new();
        reads(owner, condition, &mut |name| {
            if let Name::Local(ty, variable) = name
                && ty == owner
            {
                own.insert((actor, variable));
            }
        });
        Looks { own, print: self.prints.of_actors_condition(actor, condition) }
    }

    /// Whether a group has something to do with what others wait for at these places.
    fn concerns(&self, group: &Group, places: &[(usize, LocationId)], looks: &Footprint) -> bool {
        let leaves = |it: (usize, u32)| places.contains(&(it.0, self.source(it)));
        group.all_moves().any(leaves) || looks.clash(&group.print).is_some()
    }

    /// Whether a group certainly leaves a comparison false that is false: all it stores there is a constant for which it is.
    fn leaves_false(&self, group: &Group, compared: Comparison) -> bool {
        group.all_moves().all(|(actor, edge)| {
            let edge = &self.process(actor).edges[edge as usize];
            !edge.keeps_control
                && edge.forgets.is_empty()
                && edge.effects.iter().all(|it| self.stores_false(actor, it, compared))
        })
    }

    fn stores_false(&self, actor: usize, effect: &Effect, (subject, op, value): Comparison) -> bool {
        let (place, stored) = match effect {
            Effect::Assign(place, stored) => (place, stored),
            Effect::Receive { .. } => {
                return model::variables::stores(effect).into_iter().all(|it| self.is_elsewhere(actor, it, subject));
            }
            Effect::Indivisible(_) => return false,
            _ => return true,
        };
        if self.is_elsewhere(actor, place, subject) {
            return true;
        }
        let declared = match place.scope {
            Scope::Global => &self.facts.model.globals[place.variable.0 as usize],
            Scope::Local => &self.process(actor).variables[place.variable.0 as usize],
        };
        let stored = self.stage.actors[actor].value(stored).map(|it| declared.ty.truncate(it));
        stored.is_some_and(|it| op.apply(it, value) == Some(0))
    }

    /// Whether a place is certainly not what is compared.
    fn is_elsewhere(&self, actor: usize, place: &model::Place, subject: Subject) -> bool {
        match (self.guards.subject(actor, place), subject) {
            (Some(known), _) => known != subject,
            (None, Subject::Global(variable, _)) => place.scope == Scope::Local || place.variable != variable,
            (None, Subject::Own(owner, variable)) => {
                place.scope == Scope::Global || owner != actor || place.variable != variable
            }
            (None, Subject::Field(..)) => false,
        }
    }
}
