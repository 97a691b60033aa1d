//! Any text through the whole front end. A model that comes of it can be run: a few hundred states are
//! visited, each through every move that the semantics allows.
#![no_main]
use std::collections::{HashSet, VecDeque};
use std::time::{Duration, Instant};

use front_promela::parse::Dialect;
use front_promela::{Options, compile};
use libfuzzer_sys::fuzz_target;
use model::Model;
use model::semantics::Semantics;
use promenade_fuzz::{files, show};
use text::{Diagnostic, Sources};

/// States that are visited.
const STATES: usize = 200;

/// Time for that: an endless `d_step` is noticed, but late.
const PATIENCE: Duration = Duration::from_millis(100);

/// The largest state that is run; larger ones are right but slow.
const LARGEST: usize = 10_000;

fuzz_target!(|input: &str| {
    let mut options = Options::default();
    if input.starts_with("//pv") {
        options.dialect = Dialect::Pv;
    }
    let mut sources = Sources::default();
    let (root, mut loader) = files(input, &mut sources);
    let compiled = compile(&mut sources, root, &options, &mut loader);
    show(&compiled.diagnostics, &sources);
    let wrong = compiled.diagnostics.iter().any(Diagnostic::is_error);
    assert_eq!(compiled.model.is_none(), wrong, "a model if and only if there is no error");
    if let Some(model) = &compiled.model {
        run(model);
    }
});

/// Visits states, breadth first.
fn run(model: &Model) {
    if size(model) > LARGEST {
        return;
    }
    let system = Semantics::new(model);
    let Ok(initial) = system.initial() else { return };
    let mut reached = HashSet::from([initial.bytes().to_vec()]);
    let mut waiting = VecDeque::from([initial]);
    let began = Instant::now();
    while let Some(state) = waiting.pop_front().filter(|_| began.elapsed() < PATIENCE) {
        let mut found = Vec::new();
        system.moves(&state, &mut |it| found.extend(it.next.cloned()));
        system.unfinished(&state);
        system.broken_invariant(&state);
        for next in found {
            if reached.len() < STATES && reached.insert(next.bytes().to_vec()) {
                waiting.push_back(next);
            }
        }
    }
}

/// Roughly the bytes of a state at the beginning.
fn size(model: &Model) -> usize {
    let elements = |it: &model::Variable| it.dimensions.iter().map(|&it| it as usize).product::<usize>();
    let message = |it: &model::Variable| match it.initial {
        model::Initial::Channels(shape) => {
            let shape = model.shape(shape);
            4 * shape.fields.len() * (shape.capacity as usize + 1)
        }
        _ => 4,
    };
    let all = |list: &[model::Variable]| list.iter().map(|it| elements(it) * message(it)).sum::<usize>();
    let started = model.start.iter().map(|it| all(&model.process(it.process).variables));
    all(&model.globals) + started.sum::<usize>() + model.processes.iter().map(|it| all(&it.variables)).sum::<usize>()
}
