//! Which processes and values to make room for: a guess that the search proves or corrects.
//!
//! How many processes a model creates, and with which arguments, is in general as hard as the question itself. So a part of the
//! states is visited one by one, `init`'s creation phase first, and what was seen there is what room is made for. A step that needs more is an
//! *escape*: the relations leave it out, but it is known where it could be taken. If no reachable state has an escape, nothing was left out and the guess was right;
//! otherwise it is [widened](Guess::widen) and the search begins again. (The idea of refinement on demand: Clarke, Grumberg, Jha, Lu, Veith,
//! *Counterexample-guided abstraction refinement*, CAV 2000.)
use std::collections::{BTreeMap, BTreeSet, HashSet, VecDeque};

use model::semantics::layout::{Frame, LENGTH};
use model::semantics::{Semantics, State};
use model::variables::{Name, assigned};
use model::{Effect, Initial, Model, ProcessTypeId, ShapeId, Type, Variable, VariableId};
use text::Span;

use crate::cell::{Cell, Domain, Owner, Slot};
use crate::crowd::{Random, crowd, following};
use crate::layout::name;
use crate::stop::Stop;

/// How much of the states is looked at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Effort {
    /// States that are visited nearest first.
    pub near: usize,
    /// Walks that go further.
    pub walks: u64,
    /// Their length.
    pub length: usize,
}

impl Default for Effort {
    fn default() -> Self {
        Effort { near: 2_000, walks: 24, length: 400 }
    }
}

impl Effort {
    /// Ten times as much, if that is not too much.
    pub fn more(self) -> Option<Effort> {
        (self.near < 10_000).then_some(Effort { near: 10 * self.near, walks: 10 * self.walks, ..self })
    }
}

/// Variables of so many bits may have all their values.
const NARROW: u8 = 6;

/// Longer lists of values are no help.
const LONGEST_LIST: usize = 16;

/// What room is made for.
#[derive(Clone, Debug, Default)]
pub struct Guess {
    /// Per slot: the types its process can have.
    pub slots: Vec<BTreeSet<ProcessTypeId>>,
    /// The values of cells that have few.
    pub values: BTreeMap<Cell, BTreeSet<i32>>,
    /// How large values become; those that are not here can be as large as their type allows.
    pub domains: BTreeMap<Kind, Domain>,
    /// How many messages channels of a shape hold.
    pub lengths: BTreeMap<ShapeId, u32>,
}

/// Cells that are alike: elements of an array, the same variable of processes of one type, the same field of channels of one shape. If one of them has a
/// value, the others will, too.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Kind {
    /// A variable.
    Variable(Name),
    /// A field of a message.
    Field(ShapeId, u32),
}

impl Kind {
    /// The type of its cells.
    pub fn ty(self, model: &Model) -> Type {
        match self {
            Kind::Variable(name) => name.declared(model).ty,
            Kind::Field(shape, field) => model.shape(shape).fields[field as usize],
        }
    }
}

/// What a step needs and the guess does not have.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Missing {
    /// A process of this type in this slot.
    Process(Slot, ProcessTypeId),
    /// Another value than those that are listed.
    Value(Cell),
    /// Larger or smaller values.
    Domain(Kind),
    /// More messages in channels of a shape.
    Length(ShapeId),
    /// More steps inside an indivisible region.
    Rounds,
}

/// Where something is missing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Need {
    /// What.
    pub missing: Missing,
    /// The statement.
    pub span: Span,
}

impl Guess {
    /// What the declarations say, if nothing is created and all variables are narrow: then there is nothing to guess.
    pub fn declared(system: &Semantics<'_>, initial: &State) -> Option<Guess> {
        let model = system.model();
        let creates = |it: &Effect| matches!(it, Effect::Spawn { .. });
        let is_static = model.shapes.is_empty()
            && !model.processes.iter().any(|it| it.edges.iter().any(|edge| edge.effects.iter().any(creates)));
        let is_narrow = |name: &Name| matches!(name.declared(model).ty, Type::Unsigned { bits } if bits <= NARROW);
        let written = assigned(model);
        if !is_static || !written.iter().all(is_narrow) {
            return None;
        }
        let domains = written.iter().map(|&name| (Kind::Variable(name), Domain::of(name.declared(model).ty))).collect();
        let mut sample =
            Sample { system, written, guess: Guess::default(), ranges: BTreeMap::new(), seen: HashSet::new() };
        sample.note(initial);
        sample.guess.values.retain(|_, values| values.len() <= LONGEST_LIST);
        Some(Guess { domains, ..sample.guess })
    }

    /// What a sample of the states shows, unless it shows that there is no end of processes.
    pub fn sample(system: &Semantics<'_>, initial: &State, effort: Effort) -> Result<Guess, Stop> {
        let written = assigned(system.model());
        let (guess, ranges) = (Guess::default(), BTreeMap::new());
        let mut sample = Sample { system, written, guess, ranges, seen: HashSet::new() };
        if !sample.nearest(initial, effort.near) {
            (0..effort.walks).for_each(|seed| sample.walk(initial, seed, effort.length));
            sample.crowd(initial, effort.length)?;
        }
        sample.guess.values.retain(|_, values| values.len() <= LONGEST_LIST);
        let domains = sample.ranges.iter().map(|(kind, (least, most))| (*kind, Domain::between(*least, *most)));
        sample.guess.domains = domains.collect();
        Ok(sample.guess)
    }

    /// Makes room for what another guess has room for, too.
    pub fn join(&mut self, other: Guess) {
        self.slots.resize(self.slots.len().max(other.slots.len()), BTreeSet::new());
        self.slots.iter_mut().zip(other.slots).for_each(|(types, more)| types.extend(more));
        for (cell, values) in other.values {
            self.values.entry(cell).and_modify(|it| it.extend(&values)).or_insert(values);
        }
        for (kind, domain) in other.domains {
            self.domains.entry(kind).and_modify(|it| *it = it.joined(&domain)).or_insert(domain);
        }
        for (shape, length) in other.lengths {
            self.lengths.entry(shape).and_modify(|it| *it = length.max(*it)).or_insert(length);
        }
    }

    /// Whether this has more of something than an earlier guess.
    pub fn grew(&self, before: &Guess, missing: Missing) -> bool {
        match missing {
            Missing::Process(slot, ty) => self.slots.get(slot).is_some_and(|it| it.contains(&ty)),
            Missing::Value(cell) => self.values.get(&cell) != before.values.get(&cell),
            Missing::Domain(kind) => self.domains.get(&kind) != before.domains.get(&kind),
            Missing::Length(shape) => self.lengths.get(&shape) != before.lengths.get(&shape),
            Missing::Rounds => false,
        }
    }

    /// Makes room for what is missing.
    pub fn widen(&mut self, model: &Model, need: Need) -> Result<(), Stop> {
        match need.missing {
            Missing::Process(slot, ty) => {
                self.slots.resize(self.slots.len().max(slot + 1), BTreeSet::new());
                self.slots[slot].insert(ty);
            }
            Missing::Value(cell) => _ = self.values.remove(&cell),
            Missing::Domain(kind) => {
                self.domains.entry(kind).and_modify(|it| *it = it.wider(kind.ty(model)));
            }
            Missing::Length(shape) => _ = self.lengths.entry(shape).and_modify(|it| *it = 2 * *it + 1),
            Missing::Rounds => return Err(Stop::refused("a `d_step` that goes round very often", need.span)),
        }
        Ok(())
    }
}

struct Sample<'a> {
    system: &'a Semantics<'a>,
    written: HashSet<Name>,
    guess: Guess,
    /// The least and the greatest value of each kind of cells.
    ranges: BTreeMap<Kind, (i32, i32)>,
    seen: HashSet<(Vec<u8>, Option<u8>)>,
}

impl Sample<'_> {
    /// Visits so many states; returns whether these are all.
    fn nearest(&mut self, initial: &State, most: usize) -> bool {
        let mut waiting = VecDeque::from([initial.clone()]);
        while let Some(state) = waiting.pop_front() {
            self.note(&state);
            let next = self.next(&state);
            let new = next.into_iter().filter(|it| self.seen.insert((it.bytes().to_vec(), it.exclusive)));
            waiting.extend(new.collect::<Vec<_>>());
            if self.seen.len() > most {
                waiting.iter().for_each(|it| self.note(it));
                return false;
            }
        }
        true
    }

    fn walk(&mut self, initial: &State, seed: u64, length: usize) {
        let (mut random, mut state) = (Random::new(seed), initial.clone());
        for _ in 0..length {
            let mut next = self.next(&state);
            let Some(row) = random.below(next.len()) else { return };
            state = next.swap_remove(row);
            self.note(&state);
        }
    }

    fn next(&self, state: &State) -> Vec<State> {
        following(self.system, state, &mut |_| true).into_iter().map(|it| it.1).collect()
    }

    /// Room for as many processes as there can be, as far as is easily seen.
    fn crowd(&mut self, initial: &State, patience: usize) -> Result<(), Stop> {
        let system = self.system;
        let note = &mut |state: &State| {
            if state.process_count() > self.guess.slots.len() {
                self.note(state);
            }
        };
        crowd(system, initial, patience, note).map_or(Ok(()), |it| Err(Stop::Crowded(it)))
    }

    fn note(&mut self, state: &State) {
        let (model, layout) = (self.system.model(), self.system.layout());
        self.frame(state, Owner::Global, &model.globals, &layout.globals, 0);
        for slot in 0..state.process_count() {
            let ty = state.type_of(slot);
            self.guess.slots.resize(self.guess.slots.len().max(slot + 1), BTreeSet::new());
            self.guess.slots[slot].insert(ty);
            let (variables, frame) = (&model.process(ty).variables, &layout.processes[ty.0 as usize]);
            self.frame(state, Owner::Process(slot, ty), variables, frame, state.frame_of(slot));
        }
    }

    fn frame(&mut self, state: &State, owner: Owner, variables: &[Variable], frame: &Frame, base: u32) {
        let mut channels = frame.channels.iter();
        for (row, (variable, &at)) in variables.iter().zip(&frame.variables).enumerate() {
            let id = VariableId(row as u32);
            for element in 0..variable.elements() {
                let value = state.read(base + at + (element * variable.ty.size()) as u32, variable.ty);
                self.value(Cell::Variable(owner, id, element as u32), name(owner, id), variable.ty, value);
                if let Initial::Channels(shape) = variable.initial {
                    let (at, _) = channels.next().expect("the layout has every channel");
                    self.channel(state, shape, base + at);
                }
            }
        }
    }

    fn value(&mut self, cell: Cell, name: Name, ty: Type, value: i32) {
        if ty == Type::Channel || !self.written.contains(&name) {
            self.guess.values.entry(cell).or_default().insert(value);
        } else {
            self.range(Kind::Variable(name), value);
        }
    }

    fn range(&mut self, kind: Kind, value: i32) {
        let (least, most) = self.ranges.entry(kind).or_insert((value, value));
        (*least, *most) = (value.min(*least), value.max(*most));
    }

    fn channel(&mut self, state: &State, shape: ShapeId, at: u32) {
        if self.system.model().shape(shape).capacity == 0 {
            return;
        }
        let length = state.read(at, Type::Unsigned { bits: 16 }) as u32;
        let longest = self.guess.lengths.entry(shape).or_insert(1);
        *longest = length.max(*longest);
        let mut at = at + LENGTH;
        for _ in 0..length {
            for (field, &ty) in self.system.model().shape(shape).fields.iter().enumerate() {
                self.range(Kind::Field(shape, field as u32), state.read(at, ty));
                at += ty.size() as u32;
            }
        }
    }
}
