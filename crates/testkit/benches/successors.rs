//! How long the successors of a state take, without any store: compiled and by the reference.
//!
//! `cargo bench -p testkit --bench successors -- FILE…`; without files, the larger examples. Each figure is the
//! fastest of several passes over the same states.
use std::collections::HashSet;
use std::path::{Path, PathBuf};
use std::time::Instant;

use compiled::{Steps, Successors};
use model::semantics::{Semantics, State};
use testkit::{corpus, run};

/// States of a model that are expanded.
const STATES: usize = 200_000;
/// Passes over them.
const PASSES: usize = 7;

fn main() {
    let given: Vec<PathBuf> = std::env::args().skip(1).filter(|it| !it.starts_with('-')).map(PathBuf::from).collect();
    let examples = || {
        ["leader_election.pml", "cache_coherence.pml", "treiber_stack.pml"]
            .map(|it| corpus::workspace().join("examples").join(it))
    };
    for file in if given.is_empty() { examples().to_vec() } else { given } {
        measure(&file);
    }
}

fn measure(file: &Path) {
    let Some(model) = run::model_of(file) else { return println!("{}: not a model", file.display()) };
    let system = Semantics::new(&model);
    let Ok(mut steps) = Steps::new(&system) else { return println!("{}: no initial state", file.display()) };
    let states = reachable(&mut steps);
    let mut out = steps.buffer();
    let compiled = fastest(|| {
        let mut transitions = 0;
        for row in 0..states.len() {
            out.clear();
            let _ = steps.successors(states.get(row), &mut out);
            transitions += out.len();
        }
        transitions
    });
    let mut state = State::default();
    let interpreted = fastest(|| {
        let mut transitions = 0;
        for row in 0..states.len() / 10 {
            steps.unpack(states.get(row), &mut state);
            system.moves(&state, &mut |_| transitions += 1);
        }
        transitions
    });
    println!(
        "{}: {} states, compiled {compiled:.1}, reference {interpreted:.1} ns a step",
        file.display(),
        states.len()
    );
}

/// Some states, nearest first.
fn reachable(steps: &mut Steps<'_>) -> Successors {
    let (mut seen, mut states, mut out, mut words) = (HashSet::new(), steps.buffer(), steps.buffer(), Vec::new());
    if let Ok(initial) = steps.system().initial() {
        steps.pack(&initial, &mut words);
        states.push(&words);
    }
    let mut row = 0;
    while row < states.len() && states.len() < STATES {
        out.clear();
        let _ = steps.successors(states.get(row), &mut out);
        for next in (0..out.len()).map(|it| out.get(it)) {
            if seen.insert(next.to_vec()) {
                states.push(next);
            }
        }
        row += 1;
    }
    states
}

/// Nanoseconds a step in the fastest pass.
fn fastest(mut pass: impl FnMut() -> usize) -> f64 {
    let time = |_| {
        let began = Instant::now();
        let steps = pass();
        began.elapsed().as_secs_f64() * 1e9 / steps.max(1) as f64
    };
    (0..PASSES).map(time).fold(f64::INFINITY, f64::min)
}
