//! The graph of all states, written down by the definition of steps alone: nothing here is shared with engines.
use std::collections::{HashMap, HashSet};

use engine::Fairness;
use model::Model;
use model::semantics::{Semantics, State, Step};

/// The states of a model and what follows them, with the conditions of one of its properties, unless there are more than `most` states or a condition cannot be
/// computed.
pub fn graph(model: &Model, property: usize, fairness: Fairness, most: usize) -> Option<ctl::Graph> {
    let system = Semantics::new(model);
    let model::Meaning::Branching(branching) = &model.temporal_properties[property].meaning else { return None };
    let conditions = &model.temporal_properties[property].observes;
    let mut states = vec![system.initial().ok()?];
    let mut numbers = HashMap::from([(states[0].identity().to_vec(), 0)]);
    let mut graph = ctl::Graph { initial: vec![0], ..ctl::Graph::default() };
    // Per process: the steps with which it is not forgotten.
    let mut patient: Vec<HashSet<(usize, usize)>> = vec![HashSet::new(); PROCESSES];
    while graph.edges.len() < states.len() {
        let here = graph.edges.len();
        let state = states[here].clone();
        let (chains, moves) = chains(&system, &state);
        let able: u128 = chains.iter().fold(0, |all, it| all | it.first);
        let mut next = Vec::new();
        for chain in chains {
            let fresh = states.len();
            let to = *numbers.entry(chain.end.identity().to_vec()).or_insert(fresh);
            if to == fresh {
                states.push(chain.end);
            }
            next.push(to);
            let remembered = (0..PROCESSES).filter(|it| (chain.all | !able) >> it & 1 == 1);
            remembered.for_each(|it| _ = patient[it].insert((here, to)));
        }
        if !moves {
            next.push(here);
            patient.iter_mut().for_each(|it| _ = it.insert((here, here)));
        }
        next.sort_unstable();
        next.dedup();
        graph.edges.push(next);
        graph.steps.push(steps(&system, &state, &numbers));
        let mut label = 0;
        for (row, condition) in conditions.iter().enumerate() {
            label |= u64::from(system.holds(&state, condition, !moves).ok()?) << row;
        }
        graph.labels.push(label);
        if states.len() > most || state.process_count() > PROCESSES {
            return None;
        }
    }
    let leaving = |row: &u32| {
        let edges = (0..graph.edges.len()).flat_map(|it| graph.edges[it].iter().map(move |&to| (it, to)));
        edges.filter(|it| graph.labels[it.0] >> row & 1 == 1).collect()
    };
    graph.constraints = branching.fairness.iter().map(leaving).collect();
    if fairness == Fairness::Weak {
        graph.constraints.extend(patient);
    }
    Some(graph)
}

/// As many as a generated model has.
const PROCESSES: usize = 12;

/// Steps that a process makes alone, up to a state in which everybody may move.
struct Chain {
    end: State,
    /// Who takes part in the first step, and in any.
    first: u128,
    all: u128,
}

/// The chains out of a state, and whether anything moves at all, be it wrongly.
fn chains(system: &Semantics<'_>, state: &State) -> (Vec<Chain>, bool) {
    let (mut list, mut seen) = (Vec::new(), HashSet::new());
    let mut waiting: Vec<Chain> = Vec::new();
    let moves = system.moves(state, &mut |it| {
        let who = who(&it.step);
        waiting.extend(it.next.map(|end| Chain { end: end.clone(), first: who, all: who }));
    });
    while let Some(mut chain) = waiting.pop() {
        if chain.end.exclusive.is_none() {
            list.push(chain);
            continue;
        }
        if !seen.insert((chain.end.bytes().to_vec(), chain.first, chain.all)) {
            continue;
        }
        let goes_on = system.moves(&chain.end, &mut |it| {
            let all = chain.all | who(&it.step);
            waiting.extend(it.next.map(|end| Chain { end: end.clone(), first: chain.first, all }));
        });
        if !goes_on {
            system.release(&mut chain.end);
            list.push(chain);
        }
    }
    (list, moves)
}

/// The steps of a state with their actions; chains are none.
fn steps(system: &Semantics<'_>, state: &State, numbers: &HashMap<Vec<u8>, usize>) -> Vec<(Option<u32>, usize)> {
    let mut list = Vec::new();
    system.moves(state, &mut |it| {
        let to = it.next.and_then(|next| numbers.get(next.identity()));
        list.extend(to.map(|&to| (system.action(state, it.step).map(|it| it.0), to)));
    });
    list
}

fn who(step: &Step) -> u128 {
    1 << step.process | step.partner.map_or(0, |it| 1 << it.0)
}
