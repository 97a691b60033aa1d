//! Which channels an expression can name.
//!
//! A variable that never changes names the channel it was created with, or got when its process was created. What can be in a variable
//! that changes, or in a message, has *escaped*: it was assigned, sent, or handed over to a variable that changes. A channel whose
//! variable never occurs as a value, but only to be used, is in nobody else's hands.
use std::collections::HashSet;

use model::variables::{Name, assigned, reads, types};
use model::{Effect, Expr, Initial, Model, Place, ProcessType, ProcessTypeId, Scope, Variable, VariableId};

use crate::stage::Actor;

/// A set of channels, by their numbers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ChannelSet([u64; 4]);

impl ChannelSet {
    /// All of them.
    pub const ALL: ChannelSet = ChannelSet([u64::MAX; 4]);

    /// Adds a channel.
    pub fn insert(&mut self, number: u8) {
        self.0[usize::from(number / 64)] |= 1 << (number % 64);
    }

    /// Takes a channel out.
    pub fn remove(&mut self, number: u8) {
        self.0[usize::from(number / 64)] &= !(1 << (number % 64));
    }

    /// Adds all channels of another set.
    pub fn extend(&mut self, other: ChannelSet) {
        self.0.iter_mut().zip(other.0).for_each(|(mine, more)| *mine |= more);
    }

    /// Whether two sets have a channel in common.
    pub fn meets(self, other: ChannelSet) -> bool {
        self.0.iter().zip(other.0).any(|(mine, its)| mine & its != 0)
    }

    /// Whether a channel is in it.
    pub fn contains(self, number: u8) -> bool {
        self.0[usize::from(number / 64)] >> (number % 64) & 1 == 1
    }

    /// The numbers in it.
    pub fn iter(self) -> impl Iterator<Item = u8> {
        (0..=u8::MAX).filter(move |&it| self.contains(it))
    }

    /// The channels that are in both sets.
    pub fn common(self, other: ChannelSet) -> ChannelSet {
        ChannelSet(std::array::from_fn(|word| self.0[word] & other.0[word]))
    }

    /// The channels of this set that are not in another one.
    pub fn without(self, other: ChannelSet) -> ChannelSet {
        ChannelSet(std::array::from_fn(|word| self.0[word] & !other.0[word]))
    }

    /// The only number in it.
    pub fn only(self) -> Option<u8> {
        let mut numbers = self.iter();
        numbers.next().filter(|_| numbers.next().is_none())
    }
}

/// What is known of the channels of a model.
#[derive(Clone, Debug)]
pub struct Channels {
    /// Per global variable: the number of its first channel, if it always names the channels it was created with.
    first: Vec<Option<u32>>,
    /// Channels that may be in a variable that changes.
    escaped: ChannelSet,
    /// Types that create channels which others may come to know.
    pub parents: HashSet<usize>,
}

impl Channels {
    /// Those of a model.
    pub fn new(model: &Model) -> Channels {
        let assigned = assigned(model);
        let (mut first, mut next) = (Vec::new(), 1);
        for (row, variable) in model.globals.iter().enumerate() {
            let is_fixed = !assigned.contains(&Name::Global(VariableId(row as u32)));
            let creates = matches!(variable.initial, Initial::Channels(_));
            first.push((creates && is_fixed).then_some(next));
            next += if creates { variable.elements() as u32 } else { 0 };
        }
        let escaping = escaping(model, &assigned);
        let mut escaped = ChannelSet::ALL;
        for (row, number) in first.iter().enumerate() {
            if let Some(number) = number.filter(|_| !escaping.contains(&Name::Global(VariableId(row as u32)))) {
                let last = number + model.globals[row].elements() as u32;
                (number..last.min(256)).for_each(|it| escaped.remove(it as u8));
            }
        }
        let parents = types(model).filter(|(owner, process)| {
            let mut own = process.variables.iter().enumerate();
            own.any(|(row, it)| {
                let name = Name::Local(*owner, VariableId(row as u32));
                matches!(it.initial, Initial::Channels(_)) && (escaping.contains(&name) || assigned.contains(&name))
            })
        });
        Channels { first, escaped, parents: parents.map(|it| it.0.0 as usize).collect() }
    }

    /// The channels that an expression may name, as an actor says it.
    pub fn named(&self, model: &Model, actor: &Actor, expr: &Expr) -> ChannelSet {
        if let Some(number) = actor.value(expr) {
            let mut set = ChannelSet::default();
            set.insert(number as u8);
            return set;
        }
        match expr {
            Expr::Read(Place { scope: Scope::Global, variable, indices }) => {
                self.global(model, actor, *variable, indices).unwrap_or(self.escaped)
            }
            // It may be handed any channel when it is created.
            _ if actor.number.is_none() => ChannelSet::ALL,
            _ => self.escaped,
        }
    }

    fn global(&self, model: &Model, actor: &Actor, variable: VariableId, indices: &[Expr]) -> Option<ChannelSet> {
        let first = self.first[variable.0 as usize]?;
        let declared = &model.globals[variable.0 as usize];
        let mut set = ChannelSet::default();
        let elements = match element(declared, actor, indices) {
            Some(element) => element..element + 1,
            None => 0..declared.elements() as u32,
        };
        elements.filter_map(|it| u8::try_from(first + it).ok()).for_each(|it| set.insert(it));
        Some(set)
    }
}

/// The element of an array that an actor means, if it always means the same.
pub fn element(variable: &Variable, actor: &Actor, indices: &[Expr]) -> Option<u32> {
    let mut element = 0;
    for (&size, index) in variable.dimensions.iter().zip(indices) {
        let index = u32::try_from(actor.value(index)?).ok().filter(|&it| it < size)?;
        element = element * size + index;
    }
    Some(element)
}

/// The variables whose channels may be in variables that change, or in messages.
fn escaping(model: &Model, assigned: &HashSet<Name>) -> HashSet<Name> {
    let mut escaping = HashSet::new();
    model.globals.iter().for_each(|it| initial_values(it, |value| note(ProcessTypeId(0), value, &mut escaping)));
    for (owner, process) in types(model) {
        process.variables.iter().for_each(|it| initial_values(it, |value| note(owner, value, &mut escaping)));
        for effect in effects(process) {
            match effect {
                Effect::Assign(_, value) => note(owner, value, &mut escaping),
                Effect::Send { message, .. } => message.iter().for_each(|it| note(owner, it, &mut escaping)),
                _ => {}
            }
        }
    }
    loop {
        let before = escaping.len();
        for (owner, process) in types(model) {
            effects(process).for_each(|it| hand_over(owner, it, assigned, &mut escaping));
        }
        if escaping.len() == before {
            return escaping;
        }
    }
}

/// What a new process gets escapes if its parameter changes or escapes itself.
fn hand_over(owner: ProcessTypeId, effect: &Effect, assigned: &HashSet<Name>, escaping: &mut HashSet<Name>) {
    let Effect::Spawn { process, arguments, .. } = effect else { return };
    for (row, argument) in arguments.iter().enumerate() {
        let parameter = Name::Local(*process, VariableId(row as u32));
        if assigned.contains(&parameter) || escaping.contains(&parameter) {
            note(owner, argument, escaping);
        }
    }
}

/// The variables that an expression reads.
fn note(owner: ProcessTypeId, expr: &Expr, names: &mut HashSet<Name>) {
    reads(owner, expr, &mut |name| _ = names.insert(name));
}

fn effects(process: &ProcessType) -> impl Iterator<Item = &Effect> {
    process.edges.iter().flat_map(|it| &it.effects)
}

fn initial_values(variable: &Variable, visit: impl FnMut(&Expr)) {
    if let Initial::Values(values) = &variable.initial {
        values.iter().for_each(visit);
    }
}
