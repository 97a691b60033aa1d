//! How long three ways to search take: dining philosophers, and a ring of counters that send each other their values.
//!
//! ```sh
//! cargo run --release -p diagram --example philosophers
//! ```
use std::time::Instant;

use diagram::{Decision, Full, Function, Limits, Method, Relation, Search, Space};

/// Bits that hold a number, the lowest first.
type Variable = Vec<usize>;

/// A system: bits, where it starts, and steps.
struct System {
    bits: usize,
    steps: Vec<Step>,
}

/// Cases that belong to one relation: values that variables have, and values that they get.
type Step = Vec<(Vec<(Variable, usize)>, Vec<(Variable, usize)>)>;

/// Philosopher `n` takes fork `n`, then the next one, eats, and puts them down in this order. Two bits for what a
/// philosopher does and one for a fork, which lie next to each other.
fn philosophers(count: usize) -> System {
    let place = |n: usize| vec![3 * (n % count), 3 * (n % count) + 1];
    let fork = |n: usize| vec![3 * (n % count) + 2];
    let step = |n: usize, from: usize, used: Variable| {
        let (here, there) = (usize::from(from >= 2), usize::from(from < 2));
        vec![(vec![(place(n), from), (used.clone(), here)], vec![(place(n), (from + 1) % 4), (used, there)])]
    };
    let steps = |n: usize| [step(n, 0, fork(n)), step(n, 1, fork(n + 1)), step(n, 2, fork(n)), step(n, 3, fork(n + 1))];
    System { bits: 3 * count, steps: (0..count).flat_map(steps).collect() }
}

/// Counter `n` counts to eight, sends its value to the next one, and adds what it is sent.
fn ring(count: usize) -> System {
    let counter = |n: usize| (0..3).map(|bit| 7 * (n % count) + bit).collect::<Variable>();
    let message = |n: usize| (3..6).map(|bit| 7 * (n % count) + bit).collect::<Variable>();
    let waiting = |n: usize| vec![7 * (n % count) + 6];
    let send = |n: usize| {
        let case = |value| {
            let before = vec![(counter(n), value), (waiting(n), 0)];
            (before, vec![(counter(n), (value + 1) % 8), (message(n), value), (waiting(n), 1)])
        };
        (0..8).map(case).collect::<Step>()
    };
    let receive = |n: usize| {
        let case = |(own, sent)| {
            let before = vec![(counter(n + 1), own), (message(n), sent), (waiting(n), 1)];
            (before, vec![(counter(n + 1), (own + sent) % 8), (message(n), 0), (waiting(n), 0)])
        };
        (0..8).flat_map(|own| (0..8).map(move |sent| (own, sent))).map(case).collect::<Step>()
    };
    System { bits: 7 * count, steps: (0..count).flat_map(|n| [send(n), receive(n)]).collect() }
}

fn values(space: &Space, values: &[(Variable, usize)]) -> Result<Function, Full> {
    let bits = |(variable, value): &(Variable, usize)| {
        let value = *value;
        variable.clone().into_iter().enumerate().map(move |(place, bit)| (bit, value >> place & 1 == 1))
    };
    space.cube(values.iter().flat_map(bits))
}

fn relation(space: &Space, step: &Step) -> Result<Relation, Full> {
    let mut function = space.constant(false);
    for (before, after) in step {
        let case = values(space, before)?.and(&values(space, after)?.exchanged()?)?;
        function = function.or(&case)?;
    }
    Relation::new(space, function, &[])
}

fn measure(name: &str, system: &System, method: Method) -> Result<(), Full> {
    let space = Space::new(system.bits, Limits { nodes: 1 << 24, cache: 1 << 20 });
    let relations =
        space.run(|| system.steps.iter().map(|step| relation(&space, step)).collect::<Result<Vec<_>, _>>())?;
    let from = space.vector(&vec![false; system.bits])?;
    let began = Instant::now();
    let reached = Search::forward(&space, &from, &relations).run(method, &mut |progress| {
        if progress.elapsed.as_secs() < 10 { Decision::Continue } else { Decision::Stop }
    });
    let seconds = began.elapsed().as_secs_f64();
    let (states, nodes, peak) = (space.count(&reached.set), reached.set.nodes(), space.peak());
    println!(
        "{name:18} {method:12?} {:9?} {seconds:9.4} s  {nodes:7} of {peak:9} nodes  {states} states",
        reached.outcome
    );
    Ok(())
}

fn main() -> Result<(), Full> {
    let systems = [
        ("30 philosophers", philosophers(30)),
        ("100 philosophers", philosophers(100)),
        ("1000 philosophers", philosophers(1000)),
        ("ring of 3", ring(3)),
        ("ring of 7", ring(7)),
    ];
    for (name, system) in &systems {
        for method in [Method::BreadthFirst, Method::Chaining, Method::Saturation] {
            if system.bits < 1000 || method == Method::Saturation {
                measure(name, system, method)?;
            }
        }
    }
    Ok(())
}
