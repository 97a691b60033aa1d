//! Figures of a system.
use crate::{Label, Lts};

/// Figures of a system.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Statistics {
    /// States, and how many of them can be reached.
    pub states: usize,
    /// Reachable states.
    pub reachable: usize,
    /// Steps.
    pub transitions: usize,
    /// Steps that nobody sees.
    pub silent: usize,
    /// Reachable states without steps.
    pub deadlocks: usize,
    /// The nearest of them, by its number.
    pub first_deadlock: Option<u32>,
    /// The longest of the shortest ways from the initial state.
    pub depth: usize,
    /// The most steps out of one state.
    pub most_outgoing: usize,
    /// No state has two steps with one label to different states, nor a silent step.
    pub deterministic: bool,
    /// Labels that can be seen and how many steps have each, the most frequent first.
    pub labels: Vec<(String, usize)>,
}

/// Computes the figures.
pub fn statistics(lts: &Lts) -> Statistics {
    let (distance, first_deadlock) = distances(lts);
    let reached = |state: &u32| distance[*state as usize].is_some();
    let mut counts = vec![0; lts.labels.len()];
    lts.all_steps().for_each(|(_, it)| counts[it.label.0 as usize] += 1);
    let mut labels: Vec<(String, usize)> = lts.labels.iter().cloned().zip(counts.iter().copied()).skip(1).collect();
    labels.retain(|it| it.1 > 0);
    labels.sort_by(|one, other| other.1.cmp(&one.1).then_with(|| one.0.cmp(&other.0)));
    let states = 0..lts.states() as u32;
    Statistics {
        states: lts.states(),
        reachable: states.clone().filter(reached).count(),
        transitions: lts.transitions(),
        silent: counts[0],
        deadlocks: states.clone().filter(|it| reached(it) && lts.outgoing(*it).is_empty()).count(),
        first_deadlock,
        depth: distance.iter().flatten().max().copied().unwrap_or(0) as usize,
        most_outgoing: states.clone().map(|it| lts.outgoing(it).len()).max().unwrap_or(0),
        deterministic: states.clone().filter(reached).all(|it| is_deterministic(lts, it)),
        labels,
    }
}

/// How far each state is from the initial one, and the nearest state without steps.
fn distances(lts: &Lts) -> (Vec<Option<u32>>, Option<u32>) {
    let mut distance = vec![None; lts.states()];
    distance[lts.initial as usize] = Some(0);
    let (mut order, mut next, mut deadlock) = (vec![lts.initial], 0, None);
    while let Some(&state) = order.get(next) {
        next += 1;
        if lts.outgoing(state).is_empty() {
            deadlock = deadlock.or(Some(state));
        }
        let further = distance[state as usize].map(|it| it + 1);
        for step in lts.outgoing(state) {
            if distance[step.target as usize].is_none() {
                distance[step.target as usize] = further;
                order.push(step.target);
            }
        }
    }
    (distance, deadlock)
}

fn is_deterministic(lts: &Lts, state: u32) -> bool {
    let mut steps = lts.outgoing(state).to_vec();
    steps.sort_unstable();
    steps.dedup();
    steps.iter().all(|it| it.label != Label::SILENT) && steps.windows(2).all(|it| it[0].label != it[1].label)
}
