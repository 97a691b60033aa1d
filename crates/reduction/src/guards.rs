//! What a group waits for, part by part.
//!
//! A step that is not possible has a false guard. Only those who can make *this* guard true have to move before it; so the more and
//! the smaller the parts, the better (Laarman, Pater, van de Pol, Weber, *Guard-based partial-order reduction*, SPIN 2013).
use model::variables::can_wait;
use model::{BinaryOp, Edge, Effect, Expr, LocationId, Pattern, Place, ProcessType, Scope, UnaryOp, VariableId};

use crate::channels::element;
use crate::facts::Facts;
use crate::groups::Group;
use crate::stage::Stage;

/// A part of what a group waits for.
#[derive(Clone, Debug, PartialEq)]
pub enum Guard {
    /// An actor is at a location.
    At(usize, LocationId),
    /// What an actor asks.
    Holds(usize, Expr),
    /// A channel has a message.
    HasMessage(u8),
    /// A channel has room.
    HasRoom(u8),
    /// The oldest message of a channel, if there is one, is what an actor asks for.
    Fits(u8, usize, Expr),
    /// An actor is the youngest process.
    IsYoungest(usize),
    /// An actor can take no other edge of the location than this one.
    Else(usize, LocationId, u32),
    /// Something that the group in this row waits for and that cannot be told.
    Unknown(usize),
}

/// Something whose value a guard may compare with a constant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Subject {
    /// An element of a global variable.
    Global(VariableId, u32),
    /// A variable of an actor.
    Own(usize, VariableId),
    /// A field of the oldest message of a channel.
    Field(u8, usize),
}

/// A comparison with a constant.
pub type Comparison = (Subject, BinaryOp, i32);

/// Whether two comparisons exclude each other.
pub fn exclude(one: Comparison, other: Comparison) -> bool {
    let holds = |it: Comparison, value: i32| it.1.apply(value, it.2) != Some(0);
    let near = |it: i32| [it.wrapping_sub(1), it, it.wrapping_add(1)];
    let mut values = near(one.2).into_iter().chain(near(other.2));
    one.0 == other.0 && !values.any(|it| holds(one, it) && holds(other, it))
}

/// Takes guards apart.
pub struct Guards<'a> {
    /// The model.
    pub facts: &'a Facts<'a>,
    /// Who takes part.
    pub stage: &'a Stage,
}

impl Guards<'_> {
    /// What a group waits for; it is the one in this row.
    pub fn of_group(&self, row: usize, group: &Group) -> Vec<Guard> {
        let mut guards = Vec::new();
        for &(actor, edge) in &group.moves {
            let process = self.process(actor);
            let edge_row = edge;
            let edge = &process.edges[edge as usize];
            guards.push(Guard::At(actor, edge.source));
            self.parts(actor, &edge.guard, &mut guards);
            process.provided.iter().for_each(|it| self.parts(actor, it, &mut guards));
            if edge.otherwise {
                guards.push(Guard::Else(actor, edge.source, edge_row));
            }
            if self.is_unclear(process, edge) {
                guards.push(Guard::Unknown(row));
            }
        }
        match group.moves[..] {
            [(actor, edge)] => self.first_effect(row, actor, edge, &mut guards),
            _ if self.always_fit(group) => {}
            _ => guards.push(Guard::Unknown(row)),
        }
        guards.dedup();
        guards
    }

    fn process(&self, actor: usize) -> &ProcessType {
        self.facts.model.process(self.stage.actors[actor].ty)
    }

    /// The parts of a condition that must all be true.
    fn parts(&self, actor: usize, condition: &Expr, guards: &mut Vec<Guard>) {
        let is_open = |it: &&Expr| self.stage.actors[actor].value(it).is_none_or(|it| it == 0);
        guards.extend(condition.conjuncts().into_iter().filter(is_open).map(|it| Guard::Holds(actor, it.clone())));
    }

    /// Whether an edge may have to wait for something else than its guard and its first effect.
    fn is_unclear(&self, process: &ProcessType, edge: &Edge) -> bool {
        let is_ranked = process.outgoing(edge.source).any(|it| it.1.group != edge.group);
        let waits = |effect: &Effect| can_wait(effect) && !matches!(effect, Effect::Terminate);
        is_ranked || edge.effects.iter().skip(1).any(waits)
    }

    fn first_effect(&self, row: usize, actor: usize, edge: u32, guards: &mut Vec<Guard>) {
        let process = self.process(actor);
        let named = |channel: &Expr| {
            let channels = self.facts.channels.named(self.facts.model, &self.stage.actors[actor], channel);
            channels.only().filter(|&it| self.stage.capacity(it).is_some())
        };
        match process.edges[edge as usize].effects.first() {
            Some(Effect::Send { channel, .. }) => guards.push(match named(channel) {
                Some(number) => Guard::HasRoom(number),
                None => Guard::Unknown(row),
            }),
            Some(Effect::Receive { channel, patterns, anywhere, .. }) => {
                let Some(number) = named(channel) else { return guards.push(Guard::Unknown(row)) };
                guards.push(Guard::HasMessage(number));
                let patterns: Vec<Pattern> = patterns.iter().map(only_values).collect();
                if patterns.iter().any(|it| it.value().is_some()) {
                    let channel = Box::new(channel.clone());
                    let poll = Expr::Poll { channel, patterns, anywhere: *anywhere };
                    guards.push(Guard::Fits(number, actor, poll));
                }
            }
            Some(Effect::Indivisible(entry)) => self.first_inside(row, actor, *entry, guards),
            Some(Effect::Terminate) => guards.push(Guard::IsYoungest(actor)),
            Some(effect) if can_wait(effect) => guards.push(Guard::Unknown(row)),
            _ => {}
        }
    }

    /// An indivisible region waits for the first of its edges.
    fn first_inside(&self, row: usize, actor: usize, entry: LocationId, guards: &mut Vec<Guard>) {
        let process = self.process(actor);
        let edges: Vec<&Edge> = process.outgoing(entry).map(|it| it.1).collect();
        match edges[..] {
            [only] if !only.otherwise && !only.effects.iter().any(can_wait) => self.parts(actor, &only.guard, guards),
            _ => guards.push(Guard::Unknown(row)),
        }
    }

    /// Whether two halves of a rendezvous always fit.
    fn always_fit(&self, group: &Group) -> bool {
        let effect = |(actor, edge): (usize, u32)| {
            (&self.stage.actors[actor], self.process(actor).edges[edge as usize].effects.first())
        };
        let (sender, first) = effect(group.moves[0]);
        let (receiver, second) = effect(group.moves[1]);
        let (Some(Effect::Send { channel: to, message, .. }), Some(Effect::Receive { channel: from, patterns, .. })) =
            (first, second)
        else {
            return false;
        };
        let named = |actor, channel| self.facts.channels.named(self.facts.model, actor, channel).only();
        let fits = |(sent, wanted): (&Expr, &Pattern)| match wanted.value() {
            None => true,
            Some(wanted) => sender.value(sent).is_some() && sender.value(sent) == receiver.value(wanted),
        };
        named(sender, to).is_some()
            && named(sender, to) == named(receiver, from)
            && message.len() == patterns.len()
            && message.iter().zip(patterns).all(fits)
    }

    /// What a guard compares with a constant, if that is all it does.
    pub fn comparisons(&self, guard: &Guard) -> Vec<Comparison> {
        match guard {
            Guard::Holds(actor, condition) => self.comparison(*actor, condition).into_iter().collect(),
            Guard::Fits(channel, actor, Expr::Poll { patterns, anywhere: false, .. }) => {
                let value = |it: &Pattern| it.value().and_then(|it| self.stage.actors[*actor].value(it));
                let fields = patterns.iter().enumerate();
                fields
                    .filter_map(|(field, it)| Some((Subject::Field(*channel, field), BinaryOp::Eq, value(it)?)))
                    .collect()
            }
            _ => Vec::new(),
        }
    }

    fn comparison(&self, actor: usize, condition: &Expr) -> Option<Comparison> {
        let me = &self.stage.actors[actor];
        match condition {
            Expr::Read(place) => Some((self.subject(actor, place)?, BinaryOp::Ne, 0)),
            Expr::Unary(UnaryOp::Not, part) => {
                let (subject, op, value) = self.comparison(actor, part)?;
                Some((subject, negated(op)?, value))
            }
            Expr::Binary(op, left, right) if negated(*op).is_some() => match (&**left, &**right) {
                (Expr::Read(place), value) if me.value(value).is_some() => {
                    Some((self.subject(actor, place)?, *op, me.value(value)?))
                }
                (value, Expr::Read(place)) if me.value(value).is_some() => {
                    Some((self.subject(actor, place)?, mirrored(*op), me.value(value)?))
                }
                _ => None,
            },
            _ => None,
        }
    }

    /// What an actor means by a place, if it always means the same.
    pub fn subject(&self, actor: usize, place: &Place) -> Option<Subject> {
        let me = &self.stage.actors[actor];
        match place.scope {
            Scope::Global => {
                let declared = &self.facts.model.globals[place.variable.0 as usize];
                Some(Subject::Global(place.variable, element(declared, me, &place.indices)?))
            }
            Scope::Local => place.indices.is_empty().then_some(Subject::Own(actor, place.variable)),
        }
    }
}

/// What a pattern asks, without what it does.
fn only_values(pattern: &Pattern) -> Pattern {
    match pattern {
        Pattern::Match(value) => Pattern::Match(value.clone()),
        Pattern::Store(_) | Pattern::Any => Pattern::Any,
    }
}

fn negated(op: BinaryOp) -> Option<BinaryOp> {
    Some(match op {
        BinaryOp::Eq => BinaryOp::Ne,
        BinaryOp::Ne => BinaryOp::Eq,
        BinaryOp::Lt => BinaryOp::Ge,
        BinaryOp::Le => BinaryOp::Gt,
        BinaryOp::Gt => BinaryOp::Le,
        BinaryOp::Ge => BinaryOp::Lt,
        _ => return None,
    })
}

fn mirrored(op: BinaryOp) -> BinaryOp {
    match op {
        BinaryOp::Lt => BinaryOp::Gt,
        BinaryOp::Le => BinaryOp::Ge,
        BinaryOp::Gt => BinaryOp::Lt,
        BinaryOp::Ge => BinaryOp::Le,
        other => other,
    }
}
