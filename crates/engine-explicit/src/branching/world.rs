//! Systems whose states have numbers: by compiled steps, or by the reference.
use std::collections::HashMap;

use compiled::{Steps, Successors};
use engine::{Question, Why};
use model::Expr;
use model::semantics::{Failure, Fault, Semantics, State, Step};
use store::{Exact, Glance, Insertion, Key, Lengths, Plain, Store, Trail};

use super::graph::mark_of;
use crate::behaviours::{MOST_PROCESSES, movers};
use crate::chain::{Arrive, successors};
use crate::conditions::Conditions;
use crate::couvreur::{NEW, Numbers};
use crate::expander::{Expand, Expander};
use crate::explain::lengths;
use crate::lasso::Marks;
use crate::product::Who;

/// Why the graph cannot be built to its end.
pub enum Stopped {
    /// It is more than may be spent, or can be done.
    Limit(Why),
    /// A condition cannot be computed in the state that was looked at.
    Fault(Fault),
}

/// What there is to know of a state.
#[derive(Default)]
pub struct Surroundings {
    /// Where steps lead, each with who moves.
    pub next: Vec<(u32, Marks)>,
    /// Nothing can move.
    pub stands_still: bool,
    /// Which conditions are true.
    pub truths: Vec<bool>,
}

/// A system whose states have numbers, in the order in which they were reached.
pub trait World {
    /// How many states were reached.
    fn len(&self) -> usize;

    /// Looks at a state. New successors get the next numbers.
    fn look(&mut self, node: usize, around: &mut Surroundings) -> Result<(), Stopped>;

    /// A state as the reference has it.
    fn state(&self, node: usize) -> State;

    /// Bytes in use.
    fn memory(&self) -> u64;
}

fn too_many() -> Stopped {
    Stopped::Limit(Why::Unsupported("more states than a graph of them can have".into()))
}

/// What edges count for, if fairness asks for it; refuses more processes than there are marks.
fn check_processes(count: usize, marked: bool) -> Result<(), Stopped> {
    if marked && count > MOST_PROCESSES {
        let why = format!("fairness is known for at most {MOST_PROCESSES} processes");
        return Err(Stopped::Limit(Why::Unsupported(why)));
    }
    Ok(())
}

/// Compiled steps.
pub struct Compiled<'a> {
    expander: Expander<'a>,
    conditions: Conditions<'a>,
    rows: usize,
    marked: bool,
    store: Plain,
    local: <Plain as Store>::Local,
    memory: Option<u64>,
    keys: Vec<Key>,
    numbers: Numbers,
    words: Vec<u64>,
    out: Successors,
}

impl<'a> Compiled<'a> {
    /// With the initial state alone.
    pub fn new(
        steps: Steps<'a>,
        question: &'a Question,
        conditions: &'a [Expr],
        marked: bool,
        memory: Option<u64>,
    ) -> Result<Self, Stopped> {
        let initial = steps.system().initial().map_err(Stopped::Fault)?;
        let (lengths, hidden) = (lengths(&steps), steps.packing().hidden as usize);
        let store = Plain::new(lengths, hidden, 0);
        let mut expander = Expander::new(steps, question);
        let numbers = match lengths {
            Lengths::Fixed(_) => Numbers::Dense(Vec::new()),
            Lengths::Varying => Numbers::Sparse(Default::default()),
        };
        let mut world = Compiled {
            conditions: Conditions::new(conditions, expander.steps_mut(), &initial),
            rows: conditions.len(),
            marked,
            local: store.local(),
            store,
            memory,
            keys: Vec::new(),
            numbers,
            words: Vec::new(),
            out: expander.buffer(),
            expander,
        };
        let mut words = Vec::new();
        world.expander.steps().pack(&initial, &mut words);
        world.number(&words)?;
        Ok(world)
    }

    /// The number of a state, a new one if it has none.
    fn number(&mut self, state: &[u64]) -> Result<u32, Stopped> {
        let digest = self.store.digest(&mut self.local, state, None);
        loop {
            match self.store.insert(&mut self.local, state, digest, Glance::default()) {
                Insertion::Crowded => self.grow()?,
                Insertion::Known(key) => return Ok(self.numbers.get(key)),
                Insertion::New(key) => {
                    let number = u32::try_from(self.keys.len()).ok().filter(|&it| it < NEW).ok_or_else(too_many)?;
                    self.keys.push(key);
                    self.numbers.set(key, number);
                    return Ok(number);
                }
            }
        }
    }

    fn grow(&mut self) -> Result<(), Stopped> {
        let limit = self.memory;
        self.store.grow(limit).map_err(|_| Stopped::Limit(Why::MemoryLimit(limit.unwrap_or(0))))
    }

    /// Finds the successors of the state in `words`, and who moves to get there.
    fn move_on(&mut self) -> Result<Vec<Marks>, Stopped> {
        self.out.clear();
        if !self.marked {
            self.expander.expand(&self.words, 0, &mut self.out);
            return Ok(Vec::new());
        }
        check_processes(self.expander.steps().count_in(&self.words), true)?;
        let all = |_: &Semantics<'a>, _: &State| Who::default();
        let who = self.expander.expand_some(&self.words, 0, all, &mut self.out);
        Ok(who.moved.iter().map(|it| it | !who.can_move).collect())
    }
}

impl World for Compiled<'_> {
    fn len(&self) -> usize {
        self.keys.len()
    }

    fn look(&mut self, node: usize, around: &mut Surroundings) -> Result<(), Stopped> {
        if node.is_multiple_of(256) {
            self.store.make_room(self.memory);
        }
        let mut words = std::mem::take(&mut self.words);
        self.store.load(self.keys[node], &mut words, &mut Trail::new());
        self.words = words;
        let moved = self.move_on()?;
        let out = std::mem::replace(&mut self.out, Successors::new(0));
        around.next.clear();
        for (row, state) in out.iter_from(0).enumerate() {
            let number = self.number(state)?;
            around.next.push((number, moved.get(row).copied().unwrap_or(0)));
        }
        self.out = out;
        around.stands_still = around.next.is_empty() && {
            let state = self.state(node);
            !self.expander.steps().system().moves(&state, &mut |_| {})
        };
        self.expander.steps_mut().look_at(&self.words);
        self.conditions.forget();
        around.truths.clear();
        for row in 0..self.rows {
            let holds = self.conditions.holds(row, self.expander.steps_mut(), &self.words, around.stands_still);
            around.truths.push(holds.map_err(Stopped::Fault)?);
        }
        Ok(())
    }

    fn state(&self, node: usize) -> State {
        let (mut words, mut state) = (Vec::new(), State::default());
        self.store.load(self.keys[node], &mut words, &mut Trail::new());
        self.expander.steps().unpack(&words, &mut state);
        state
    }

    fn memory(&self) -> u64 {
        self.store.memory() + self.keys.capacity() as u64 * 8 + self.numbers.memory()
    }
}

/// What is noted of every step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Noted {
    /// Nothing.
    Nothing,
    /// Who moves, and who could not.
    Movers,
    /// Its action.
    Action,
}

/// The reference.
pub struct Interpreted<'a> {
    system: &'a Semantics<'a>,
    conditions: &'a [Expr],
    noted: Noted,
    states: Vec<State>,
    numbers: HashMap<Vec<u8>, u32>,
}

impl<'a> Interpreted<'a> {
    /// With the initial state alone.
    pub fn new(system: &'a Semantics<'a>, conditions: &'a [Expr], noted: Noted) -> Result<Self, Stopped> {
        let initial = system.initial().map_err(Stopped::Fault)?;
        let mut world = Interpreted { system, conditions, noted, states: Vec::new(), numbers: HashMap::new() };
        world.number(initial)?;
        Ok(world)
    }

    fn number(&mut self, state: State) -> Result<u32, Stopped> {
        let next = u32::try_from(self.states.len()).map_err(|_| too_many())?;
        let number = *self.numbers.entry(state.identity().to_vec()).or_insert(next);
        if number == next {
            self.states.push(state);
        }
        Ok(number)
    }
}

impl World for Interpreted<'_> {
    fn len(&self) -> usize {
        self.states.len()
    }

    fn look(&mut self, node: usize, around: &mut Surroundings) -> Result<(), Stopped> {
        let state = self.states[node].clone();
        check_processes(state.process_count(), self.noted == Noted::Movers)?;
        let (system, noted) = (self.system, self.noted);
        let mut chains = Chains { world: self, from: &state, list: Vec::new(), can_move: 0, stopped: None };
        around.stands_still = !successors(system, &state, &mut chains);
        let Chains { list, can_move, stopped, .. } = chains;
        stopped.map_or(Ok(()), Err)?;
        around.next.clear();
        around.next.extend(list.into_iter().map(|(to, marks)| match noted {
            Noted::Nothing => (to, 0),
            Noted::Movers => (to, marks | !can_move),
            Noted::Action => (to, marks),
        }));
        around.truths.clear();
        for condition in self.conditions {
            let holds = self.system.holds(&state, condition, around.stands_still);
            around.truths.push(holds.map_err(Stopped::Fault)?);
        }
        Ok(())
    }

    fn state(&self, node: usize) -> State {
        self.states[node].clone()
    }

    fn memory(&self) -> u64 {
        self.states.first().map_or(0, |it| (it.bytes().len() * 2 + 200) * self.states.len()) as u64
    }
}

/// The chains of steps out of a state: where each ends, and who moves.
struct Chains<'w, 'a> {
    world: &'w mut Interpreted<'a>,
    from: &'w State,
    list: Vec<(u32, Marks)>,
    can_move: Marks,
    stopped: Option<Stopped>,
}

impl Arrive for Chains<'_, '_> {
    fn state(&mut self, next: &State, path: &[Step]) {
        self.can_move |= path.first().map_or(0, movers);
        match self.world.number(next.clone()) {
            Ok(number) if self.world.noted == Noted::Action => {
                let action = self.world.system.action(self.from, path[0]);
                self.list.push((number, mark_of(action.map(|it| it.0))));
            }
            Ok(number) => self.list.push((number, path.iter().fold(0, |all, it| all | movers(it)))),
            Err(stopped) => self.stopped = Some(stopped),
        }
    }

    fn failure(&mut self, _: Failure, _: &[Step]) {}

    fn inner(&mut self, _: &State) {}
}
