//! The turntable as the explicit reading of its model: how many states and steps it has is known from other tools.
use std::collections::{HashSet, VecDeque};

use model::semantics::Semantics;
use text::Sources;

/// States and steps of the example for `n` drills.
fn counts(n: u32) -> (usize, usize) {
    let mut sources = Sources::default();
    let root = sources.add("turntable.gcl", include_str!("../../../examples/gcl/turntable.gcl"));
    let compiled = front_gcl::compile(&sources, root, &[("n".into(), n.to_string())], &[]);
    let model = compiled.model.expect("a model");
    let system = Semantics::new(&model);
    let first = system.initial().expect("an initial state");
    let (mut seen, mut waiting, mut steps) = (HashSet::from([first.identity().to_vec()]), VecDeque::from([first]), 0);
    while let Some(state) = waiting.pop_front() {
        let moves = system.moves(&state, &mut |it| {
            steps += 1;
            let next = it.next.expect("no step goes wrong");
            if seen.insert(next.identity().to_vec()) {
                waiting.push_back(next.clone());
            }
        });
        assert!(moves, "there is no deadlock");
    }
    (seen.len(), steps)
}

#[test]
fn the_turntable_with_one_drill_has_as_many_states_and_steps_as_elsewhere() {
    assert_eq!(counts(1), (10_033, 30_872));
}
