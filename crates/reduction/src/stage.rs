//! The processes of a state, as far as they stay what they are.
use model::{Expr, ProcessTypeId, Scope, VariableId};

/// A process that exists, or one that may be created.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Actor {
    /// Its type.
    pub ty: ProcessTypeId,
    /// Its number, if it exists.
    pub number: Option<u8>,
    /// Variables that keep their values as long as it exists.
    pub known: Vec<(VariableId, i32)>,
}

/// Everybody who takes part.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Stage {
    /// The processes that exist, in the order of their numbers, then those that may be created.
    pub actors: Vec<Actor>,
    /// How many messages each channel holds at most, from number 1 on; 0 for a rendezvous.
    pub capacities: Vec<u32>,
}

impl Actor {
    /// The value of an expression, if it is the same as long as the process exists.
    pub fn value(&self, expr: &Expr) -> Option<i32> {
        match expr {
            Expr::Constant(value) => Some(*value),
            Expr::Me => self.number.map(i32::from),
            Expr::Read(place) if place.scope == Scope::Local && place.indices.is_empty() => {
                self.known.iter().find(|it| it.0 == place.variable).map(|it| it.1)
            }
            Expr::Unary(op, part) => Some(op.apply(self.value(part)?)),
            Expr::Binary(op, left, right) => op.apply(self.value(left)?, self.value(right)?),
            Expr::Conditional(condition, then, otherwise) => {
                self.value(if self.value(condition)? != 0 { then } else { otherwise })
            }
            _ => None,
        }
    }
}

impl Stage {
    /// The rows of the actors that an expression may mean: those of a type, or the one with a number.
    pub fn rows(&self, ty: ProcessTypeId, number: Option<i32>) -> impl Iterator<Item = usize> {
        let fits = move |it: &Actor| {
            it.ty == ty && number.is_none_or(|wanted| it.number.is_none_or(|number| i32::from(number) == wanted))
        };
        self.actors.iter().enumerate().filter(move |it| fits(it.1)).map(|it| it.0)
    }

    /// Messages that a channel holds at most, if it exists.
    pub fn capacity(&self, channel: u8) -> Option<u32> {
        self.capacities.get(usize::from(channel).checked_sub(1)?).copied()
    }
}
