//! Which steps are local as the text tells: the coarsest answer, and the one that SPIN gives.
//!
//! A step is *local* if it speaks of nothing that another process could speak of, too: of no global variable, be it in a
//! text that is printed; of no channel that is not declared the process's own (`xr`, `xs`); of nothing that has to do with
//! other processes except creating one. Who else exists and what they do is not asked. This is neither necessary
//! nor enough for a step to be independent of what others do; who reduces has to ask more.
use crate::access::{effect_expressions, region};
use crate::variables::{every_part, stores};
use crate::{Direction, Edge, Effect, Expr, LocationId, Pattern, Place, ProcessType, Scope, UnaryOp};

/// Whether all steps of a location are local; an `else` is, if the others are.
pub fn location_is_local(process: &ProcessType, location: LocationId) -> bool {
    process.outgoing(location).all(|(_, edge)| is_local(process, edge))
}

/// Whether a step speaks of no more than the process's own variables and channels.
pub fn is_local(process: &ProcessType, edge: &Edge) -> bool {
    let guard = is_own_test(process, &edge.guard) || is_own(&edge.guard);
    guard && edge.effects.iter().all(|it| effect_is_local(process, it))
}

fn effect_is_local(process: &ProcessType, effect: &Effect) -> bool {
    match effect {
        Effect::Send { channel, message, .. } => {
            declares(process, Direction::Send, channel) && message.iter().all(is_own)
        }
        Effect::Receive { channel, patterns, .. } => {
            declares(process, Direction::Receive, channel) && patterns.iter().all(pattern_is_own)
        }
        Effect::Indivisible(entry) => region(process, *entry).into_iter().all(|it| is_local(process, it)),
        other => {
            let mut own = stores(other).into_iter().all(place_is_own);
            effect_expressions(other, &mut |expr| own &= is_own(expr));
            own
        }
    }
}

/// `nempty(q)` or `nfull(q)` of a channel that is the process's own.
fn is_own_test(process: &ProcessType, guard: &Expr) -> bool {
    let Expr::Unary(UnaryOp::Not, inner) = guard else { return false };
    match &**inner {
        Expr::Empty(channel) => declares(process, Direction::Receive, channel),
        Expr::Full(channel) => declares(process, Direction::Send, channel),
        _ => false,
    }
}

fn declares(process: &ProcessType, direction: Direction, channel: &Expr) -> bool {
    process.exclusive.iter().any(|it| it.direction == direction && it.channel == *channel)
}

fn pattern_is_own(pattern: &Pattern) -> bool {
    match pattern {
        Pattern::Match(value) => is_own(value),
        Pattern::Store(place) => place_is_own(place),
        Pattern::Any => true,
    }
}

fn is_own(expr: &Expr) -> bool {
    let mut own = true;
    every_part(expr, &mut |part| {
        own &= match part {
            Expr::Read(place) => place_is_own(place),
            Expr::Constant(_) | Expr::Unary(..) | Expr::Binary(..) | Expr::Conditional(..) => true,
            Expr::Me | Expr::Spawned => true,
            _ => false,
        };
    });
    own
}

fn place_is_own(place: &Place) -> bool {
    place.scope == Scope::Local && place.indices.iter().all(is_own)
}
