//! Compares the compiled steps of a model with the reference semantics, state by state.
//!
//! For every state it visits: packing loses nothing, and the compiled successors are those of the
//! reference, in the same order. Where the compiled steps leave a state to the reference there is
//! nothing to compare; where a step fails, they must leave it.
use std::collections::{HashSet, VecDeque};

use compiled::{MachineCode, Steps, Successors, Trouble};
use model::Model;
use model::semantics::{Failure, Semantics, State, Step};

use crate::chain::{Arrive, successors};

/// Words of successors after which there is another buffer: as in a search there is mostly room for more, but every now and then, at any
/// place in the code, there is none.
const MOST_WORDS: usize = 1500;

/// What was compared.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Compared {
    /// States whose successors were the same.
    pub states: u64,
    /// States left to the reference although no step fails there.
    pub left: u64,
}

/// Compares up to `most` states, with machine code and without; says where the two differ.
pub fn crosscheck(model: &Model, most: usize) -> Result<Compared, String> {
    crosscheck_with(model, model, most)
}

/// The same for the compiled steps of a model that may be damaged: a test of this test.
pub fn crosscheck_with(model: &Model, compiled: &Model, most: usize) -> Result<Compared, String> {
    let system = Semantics::new(model);
    let twin = Semantics::new(compiled);
    let (Ok(mut steps), Ok(mut native)) = (Steps::new(&twin), Steps::new(&twin)) else {
        return Ok(Compared::default());
    };
    steps.set_machine_code(MachineCode::Never);
    native.set_machine_code(MachineCode::AtOnce);
    let (mut out, mut native_out) = (steps.buffer(), native.buffer());
    let Ok(initial) = system.initial() else { return Ok(Compared::default()) };
    let mut seen = HashSet::from([initial.identity().to_vec()]);
    let mut waiting = VecDeque::from([initial]);
    let mut compared = Compared::default();
    while let Some(state) = waiting.pop_front() {
        let mut expected = Expected { steps: &steps, list: Vec::new(), states: Vec::new(), failed: false };
        let moved = successors(&system, &state, &mut expected);
        let Expected { list, states, failed, .. } = expected;
        let same = compare(&mut steps, &state, moved, &list, &mut out)?;
        let as_machine_code = compare(&mut native, &state, moved, &list, &mut native_out);
        if as_machine_code.map_err(|text| format!("machine code: {text}"))? != same {
            return Err(format!(
                "machine code is not what it is made from (which is left to the reference: {}) in {state:?}",
                !same
            ));
        }
        match same {
            true if failed => return Err(format!("a failing step was not noticed in {state:?}")),
            true => compared.states += 1,
            false => compared.left += u64::from(!failed),
        }
        for next in states {
            if seen.len() < most && seen.insert(next.identity().to_vec()) {
                waiting.push_back(next);
            }
        }
    }
    Ok(compared)
}

/// Whether the compiled successors are as expected; false if they are left to the reference.
fn compare(
    steps: &mut Steps<'_>,
    state: &State,
    moved: bool,
    expected: &[Vec<u64>],
    out: &mut Successors,
) -> Result<bool, String> {
    let (mut words, mut back) = (Vec::new(), State::default());
    steps.pack(state, &mut words);
    steps.unpack(&words, &mut back);
    if back.bytes() != state.bytes() {
        return Err(format!("packing changes {state:?} into {back:?}"));
    }
    if out.used() > MOST_WORDS {
        *out = steps.buffer();
    }
    let first = out.len();
    match steps.successors(&words, out) {
        Err(Trouble) => return Ok(false),
        Ok(compiled) if compiled != moved => return Err(format!("moved: {compiled}, not {moved}, from {state:?}")),
        Ok(_) => {}
    }
    let same = out.len() - first == expected.len() && out.iter_from(first).zip(expected).all(|(ours, it)| ours == *it);
    if same {
        return Ok(true);
    }
    let (mut next, mut text) = (State::default(), format!("other successors of {state:?}\n"));
    for words in out.iter_from(first) {
        steps.unpack(words, &mut next);
        text += &format!("  compiled  {next:?}\n");
    }
    for words in expected {
        steps.unpack(words, &mut next);
        text += &format!("  reference {next:?}\n");
    }
    Err(text)
}

/// The successors that the reference has.
struct Expected<'a, 'm> {
    steps: &'a Steps<'m>,
    list: Vec<Vec<u64>>,
    states: Vec<State>,
    failed: bool,
}

impl Arrive for Expected<'_, '_> {
    fn state(&mut self, next: &State, _: &[Step]) {
        let mut words = Vec::new();
        self.steps.pack(next, &mut words);
        self.list.push(words);
        self.states.push(next.clone());
    }

    fn failure(&mut self, _: Failure, _: &[Step]) {
        self.failed = true;
    }

    fn inner(&mut self, _: &State) {}
}
