//! Which processes and values to make room for: a guess that the search proves or corrects.
//!
//! How many processes a model creates, and with which arguments, is in general as hard as the question itself. So a part of the
//! states is visited one by one, `init`'s creation phase first, and what was seen there is what room is made for. A step that needs more is an
//! *escape*: the relations leave it out, but it is known where it could be taken. If no reachable state has an escape, nothing was left out and the guess was right;
//! otherwise it is [widened](Guess::widen) and the search begins again. (The idea of refinement on demand: Clarke, Grumberg, Jha, Lu, Veith,
//! *Counterexample-guided abstraction refinement*, CAV 2000.)
use std::collections::{BTreeMap, BTreeSet, HashSet, VecDeque};

use model::semantics::{Semantics, State};
use model::variables::{Name, assigned};
use model::{Effect, Model, ProcessTypeId, Type, Variable, VariableId};
use text::Span;

use crate::cell::{Cell, Owner, Slot};
use crate::stop::Stop;

/// States that are visited nearest first.
const NEAR: usize = 2_000;

/// Walks that go further, and their length.
const WALKS: (u64, usize) = (24, 400);

/// More processes than this are too many.
const MOST_SLOTS: usize = 100;

/// Longer lists of values are no help.
const LONGEST_LIST: usize = 16;

/// What room is made for.
#[derive(Clone, Debug, Default)]
pub struct Guess {
    /// Per slot: the types its process can have.
    pub slots: Vec<BTreeSet<ProcessTypeId>>,
    /// The values of cells that have few.
    pub values: BTreeMap<Cell, BTreeSet<i32>>,
}

/// What a step needs and the guess does not have.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Missing {
    /// A process of this type in this slot.
    Process(Slot, ProcessTypeId),
    /// Another value.
    Value(Cell),
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
    /// What a sample of the states shows.
    pub fn sample(system: &Semantics<'_>, initial: &State) -> Result<Guess, Stop> {
        let written = assigned(system.model());
        let mut sample = Sample { system, written, guess: Guess::default(), seen: HashSet::new() };
        sample.nearest(initial);
        (0..WALKS.0).for_each(|seed| sample.walk(initial, seed));
        sample.guess.values.retain(|_, values| values.len() <= LONGEST_LIST);
        match sample.guess.slots.get(MOST_SLOTS).and_then(|it| it.first()) {
            Some(&ty) => Err(too_many(creator(system.model(), ty))),
            None => Ok(sample.guess),
        }
    }

    /// Makes room for what is missing.
    pub fn widen(&mut self, need: Need) -> Result<(), Stop> {
        match need.missing {
            Missing::Process(slot, _) if slot >= MOST_SLOTS => return Err(too_many(need.span)),
            Missing::Process(slot, ty) => {
                self.slots.resize(self.slots.len().max(slot + 1), BTreeSet::new());
                self.slots[slot].insert(ty);
            }
            Missing::Value(cell) => _ = self.values.remove(&cell),
            Missing::Rounds => return Err(Stop::refused("a `d_step` that goes round very often", need.span)),
        }
        Ok(())
    }
}

fn too_many(span: Span) -> Stop {
    Stop::refused(format!("this creates more than {MOST_SLOTS} processes, perhaps without end"), span)
}

/// The first statement that creates processes of a type; its declaration if there is none.
fn creator(model: &Model, ty: ProcessTypeId) -> Span {
    let creates = |it: &Effect| matches!(it, Effect::Spawn { process, .. } if *process == ty);
    let mut edges = model.processes.iter().flat_map(|it| &it.edges);
    edges.find(|it| it.effects.iter().any(creates)).map_or(model.process(ty).span, |it| it.span)
}

struct Sample<'a> {
    system: &'a Semantics<'a>,
    written: HashSet<Name>,
    guess: Guess,
    seen: HashSet<(Vec<u8>, Option<u8>)>,
}

impl Sample<'_> {
    fn nearest(&mut self, initial: &State) {
        let mut waiting = VecDeque::from([initial.clone()]);
        while let Some(state) = waiting.pop_front() {
            self.note(&state);
            let next = self.next(&state);
            let new = next.into_iter().filter(|it| self.seen.insert((it.bytes().to_vec(), it.exclusive)));
            waiting.extend(new.collect::<Vec<_>>());
            if self.seen.len() > NEAR {
                waiting.iter().for_each(|it| self.note(it));
                return;
            }
        }
    }

    fn walk(&mut self, initial: &State, seed: u64) {
        let mut random = seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1;
        let mut state = initial.clone();
        for _ in 0..WALKS.1 {
            let mut next = self.next(&state);
            if next.is_empty() {
                return;
            }
            random ^= random << 13;
            random ^= random >> 7;
            random ^= random << 17;
            let row = (random % next.len() as u64) as usize;
            state = next.swap_remove(row);
            self.note(&state);
        }
    }

    fn next(&self, state: &State) -> Vec<State> {
        let mut list = Vec::new();
        let moved = self.system.moves(state, &mut |it| list.extend(it.next.cloned()));
        if !moved && state.exclusive.is_some() {
            let mut released = state.clone();
            self.system.release(&mut released);
            list.push(released);
        }
        list
    }

    fn note(&mut self, state: &State) {
        let (model, layout) = (self.system.model(), self.system.layout());
        self.frame(state, Owner::Global, &model.globals, &layout.globals.variables, 0);
        for slot in 0..state.process_count() {
            let ty = state.type_of(slot);
            self.guess.slots.resize(self.guess.slots.len().max(slot + 1), BTreeSet::new());
            self.guess.slots[slot].insert(ty);
            let (variables, frame) = (&model.process(ty).variables, &layout.processes[ty.0 as usize]);
            self.frame(state, Owner::Process(slot, ty), variables, &frame.variables, state.frame_of(slot));
        }
    }

    fn frame(&mut self, state: &State, owner: Owner, variables: &[Variable], places: &[u32], base: u32) {
        for (row, (variable, &at)) in variables.iter().zip(places).enumerate() {
            let id = VariableId(row as u32);
            let name = match owner {
                Owner::Global => Name::Global(id),
                Owner::Process(_, ty) => Name::Local(ty, id),
            };
            if variable.ty != Type::Channel && self.written.contains(&name) {
                continue;
            }
            for element in 0..variable.elements() {
                let value = state.read(base + at + (element * variable.ty.size()) as u32, variable.ty);
                self.guess.values.entry(Cell::Variable(owner, id, element as u32)).or_default().insert(value);
            }
        }
    }
}
