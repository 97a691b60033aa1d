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

/// Peterson's protocol: at each level a process says that it is there, gives way, and waits until another came or nobody
/// is as far.
fn peterson(count: usize) -> System {
    let width = (count - 1).ilog2() as usize + 1;
    let number = |first: usize| (first..first + width).collect::<Variable>();
    let level = |process: usize| number(process * (width + 2));
    let place = |process: usize| vec![process * (width + 2) + width, process * (width + 2) + width + 1];
    let last = |at: usize| number(count * (width + 2) + (at - 1) * width);
    let mut steps: Vec<Step> = Vec::new();
    for process in 0..count {
        for at in 1..count {
            let here = |value| vec![(place(process), value), (level(process), at)];
            let others: Vec<usize> = (0..count).filter(|other| *other != process).collect();
            steps.push(vec![(
                vec![(place(process), 0), (level(process), at - 1)],
                vec![(place(process), 1), (level(process), at)],
            )]);
            steps.push(vec![(here(1), vec![(place(process), 2), (last(at), process)])]);
            let another = |other: &usize| ([here(2), vec![(last(at), *other)]].concat(), vec![(place(process), 0)]);
            steps.push(others.iter().map(another).collect());
            let nobody = |choice: usize| {
                let digits = others.iter().enumerate();
                let behind = digits.map(|(digit, other)| (level(*other), choice / at.pow(digit as u32) % at)).collect();
                ([here(2), behind].concat(), vec![(place(process), 0)])
            };
            steps.push((0..at.pow(count as u32 - 1)).map(nobody).collect());
        }
        let critical = vec![(place(process), 0), (level(process), count - 1)];
        steps.push(vec![(critical, vec![(level(process), 0)])]);
    }
    System { bits: count * (width + 2) + (count - 1) * width, steps }
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
    let space = Space::new(system.bits, Limits { nodes: 1 << 24, cache: 1 << 20, ..Limits::default() });
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
        ("peterson 3", peterson(3)),
        ("peterson 4", peterson(4)),
        ("peterson 5", peterson(5)),
        ("peterson 6", peterson(6)),
        ("ring of 3", ring(3)),
        ("ring of 7", ring(7)),
        ("ring of 100", ring(100)),
    ];
    let mut arguments = std::env::args().skip(1);
    let (wanted, way) = (arguments.next().unwrap_or_default(), arguments.next().unwrap_or_default());
    for (name, system) in systems.iter().filter(|(name, _)| name.contains(&wanted)) {
        for method in [Method::BreadthFirst, Method::Chaining, Method::Saturation] {
            if format!("{method:?}").contains(&way) && (system.bits < 1000 || method == Method::Saturation) {
                measure(name, system, method)?;
            }
        }
    }
    Ok(())
}
