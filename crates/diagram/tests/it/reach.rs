//! Three ways to search, forwards and backwards, within a set or not: all find what a plain search finds.
use diagram::{Decision, Direction, Function, Limits, Method, Outcome, Progress, Relation, Search, Space};

use crate::explicit::{Numbers, ROOMY, Random, Steps, closure, numbers, random_numbers, set, step, vector};

const BITS: usize = 6;
const METHODS: [Method; 3] = [Method::BreadthFirst, Method::Chaining, Method::Saturation];

fn go_on(_: &Progress) -> Decision {
    Decision::Continue
}

struct Case {
    space: Space,
    steps: Vec<Steps>,
    from: Numbers,
    within: Numbers,
}

impl Case {
    fn new(seed: u64) -> Case {
        Case::within(seed, ROOMY)
    }

    fn within(seed: u64, limits: Limits) -> Case {
        let (mut random, space) = (Random::new(seed), Space::new(BITS, limits));
        let count = 1 + random.below(5);
        let steps = (0..count).map(|_| Steps::random(&mut random, BITS)).collect();
        let from = random_numbers(&mut random, BITS, 20);
        let within = random_numbers(&mut random, BITS, 1 + random_choice(seed));
        Case { space, steps, from, within }
    }

    fn relations(&self) -> Vec<Relation> {
        self.steps.iter().map(|steps| steps.relation(&self.space)).collect()
    }

    fn expected(&self, direction: Direction) -> Numbers {
        closure(BITS, &self.steps, &self.from, direction, &self.within)
    }
}

/// One in two vectors may be entered, or all.
fn random_choice(seed: u64) -> u32 {
    seed.is_multiple_of(3).into()
}

/// A search that is asked for by a case, and its answer.
fn found(case: &Case, relations: &[Relation], direction: Direction, method: Method) -> Numbers {
    let (from, within) = (set(&case.space, &case.from), set(&case.space, &case.within));
    let search = Search { space: &case.space, from: &from, relations, direction, within: Some(&within) };
    let reached = search.run(method, &mut go_on);
    assert_eq!(reached.outcome, Outcome::Complete);
    numbers(&case.space, &reached.set)
}

#[test]
fn all_methods_find_the_closure() {
    let (mut largest, mut constrained) = (0, 0);
    for seed in 1..600 {
        let case = Case::new(seed);
        for direction in [Direction::Forward, Direction::Backward] {
            let expected = case.expected(direction);
            for method in METHODS {
                let found = found(&case, &case.relations(), direction, method);
                assert_eq!(found, expected, "seed {seed}, {direction:?}, {method:?}");
            }
            largest = largest.max(expected.len());
            let all = (0..1 << BITS).collect();
            constrained += usize::from(closure(BITS, &case.steps, &case.from, direction, &all) != expected);
        }
    }
    assert!(largest > 50 && constrained > 50, "the cases are not too easy: {largest}, {constrained}");
}

/// None, so few that there are too many soon, and two threads that share the work.
#[test]
fn room_for_contexts_and_the_number_of_threads_do_not_matter() {
    let few = |contexts| Limits { contexts, ..ROOMY };
    let limits = [few(0), few(20), few(60), Limits { threads: 2, ..ROOMY }];
    for seed in 1..200 {
        for limits in limits {
            let case = Case::within(seed, limits);
            for direction in [Direction::Forward, Direction::Backward] {
                let expected = case.expected(direction);
                for method in METHODS {
                    let found = found(&case, &case.relations(), direction, method);
                    assert_eq!(found, expected, "seed {seed}, {direction:?}, {method:?}, {limits:?}");
                }
            }
        }
    }
}

#[test]
fn without_a_constraint_everything_is_within() {
    for seed in 1..100 {
        let case = Case::new(seed);
        let (from, relations) = (set(&case.space, &case.from), case.relations());
        let all = (0..1 << BITS).collect();
        for method in METHODS {
            let forward = Search::forward(&case.space, &from, &relations).run(method, &mut go_on);
            let expected = closure(BITS, &case.steps, &case.from, Direction::Forward, &all);
            assert_eq!(numbers(&case.space, &forward.set), expected, "seed {seed}, {method:?}");
            let backward = Search::backward(&case.space, &from, &relations).run(method, &mut go_on);
            let expected = closure(BITS, &case.steps, &case.from, Direction::Backward, &all);
            assert_eq!(numbers(&case.space, &backward.set), expected, "seed {seed}, {method:?}");
        }
    }
}

#[test]
fn searches_that_are_wrong_on_purpose_are_caught() {
    let every: Vec<usize> = (0..BITS).collect();
    for method in METHODS {
        let caught = |damage: &dyn Fn(&Case) -> Vec<Relation>| {
            let wrong = |seed: &u64| {
                let case = Case::new(*seed);
                found(&case, &damage(&case), Direction::Forward, method) != case.expected(Direction::Forward)
            };
            (1..60).filter(wrong).count()
        };
        assert_eq!(caught(&|case| case.relations()), 0);
        let dropped = caught(&|case| case.relations().split_off(1));
        let moving = caught(&|case| {
            let damaged = |steps: &Steps| Relation::new(&case.space, steps.function(&case.space), &every).unwrap();
            case.steps.iter().map(damaged).collect()
        });
        assert!(dropped > 5 && moving > 20, "{method:?}: {dropped} {moving}");
    }
}

#[test]
fn layers_are_distances_and_paths_are_shortest() {
    let mut lengths = Vec::new();
    for seed in 1..200 {
        let case = Case::new(seed);
        let (from, relations) = (set(&case.space, &case.from), case.relations());
        for direction in [Direction::Forward, Direction::Backward] {
            let search = Search { space: &case.space, from: &from, relations: &relations, direction, within: None };
            let layers = search.layers(None, &mut go_on);
            let (mut ring, mut seen) = (case.from.clone(), Numbers::new());
            for layer in &layers.rings {
                assert_eq!(numbers(&case.space, layer), ring, "seed {seed}");
                seen.extend(&ring);
                ring = step(BITS, &case.steps, &ring, direction).difference(&seen).copied().collect();
            }
            assert!(ring.is_empty(), "seed {seed}");
            if let Some(farthest) = layers.rings.last().and_then(|ring| case.space.pick(ring)) {
                let target = case.space.vector(&farthest).unwrap();
                check_path(&case, search, &target);
                lengths.push(layers.rings.len());
            }
        }
    }
    assert!(lengths.iter().any(|length| *length > 4));
}

fn check_path(case: &Case, search: Search<'_>, target: &Function) {
    let layers = search.layers(Some(target), &mut go_on);
    let path = search.shortest_path(&layers, target).unwrap().expect("the target was reached");
    assert_eq!(path.vectors.len(), layers.rings.len());
    assert_eq!(path.steps.len() + 1, path.vectors.len());
    let (first, last) = (&path.vectors[0], &path.vectors[path.vectors.len() - 1]);
    let (start, end) = if search.direction == Direction::Forward { (first, last) } else { (last, first) };
    assert!(search.from.evaluate(start, &[]) && target.evaluate(end, &[]));
    for (pair, steps) in path.vectors.windows(2).zip(&path.steps) {
        assert!(case.steps[*steps].allow(crate::explicit::number(&pair[0]), crate::explicit::number(&pair[1])));
    }
}

#[test]
fn a_target_that_is_not_there_has_no_path() {
    let space = Space::new(1, ROOMY);
    let from = space.vector(&vector(1, 0)).unwrap();
    let search = Search::forward(&space, &from, &[]);
    let layers = search.layers(None, &mut go_on);
    assert_eq!(search.shortest_path(&layers, &space.current(0).unwrap()), Ok(None));
}

/// A counter of so many bits, one relation for each bit that may be the highest to change.
pub fn counter(space: &Space) -> Vec<Relation> {
    let step = |highest: usize| {
        let mut function = space.next(highest).unwrap().minus(&space.current(highest).unwrap()).unwrap();
        for bit in 0..highest {
            let carried = space.current(bit).unwrap().minus(&space.next(bit).unwrap()).unwrap();
            function = function.and(&carried).unwrap();
        }
        Relation::new(space, function, &[]).unwrap()
    };
    (0..space.bits()).map(step).collect()
}

#[test]
fn a_search_that_is_told_to_stop_keeps_what_it_has() {
    let space = Space::new(14, ROOMY);
    let (from, relations) = (space.vector(&[false; 14]).unwrap(), counter(&space));
    for method in METHODS {
        let mut calls = 0;
        let reached = Search::forward(&space, &from, &relations).run(method, &mut |_| {
            calls += 1;
            if calls == 2 { Decision::Stop } else { Decision::Continue }
        });
        assert_eq!(reached.outcome, Outcome::Stopped, "{method:?}");
        assert!(reached.record.len() >= 2, "{method:?}");
        let count = space.count(&reached.set);
        assert!(from.is_subset(&reached.set).unwrap() && count < (1u32 << 14).into(), "{method:?}: {count}");
        let rest = Search::forward(&space, &reached.set, &relations).run(method, &mut go_on);
        assert!(rest.outcome == Outcome::Complete && rest.set.is_true(), "{method:?}");
    }
}

#[test]
fn a_record_is_short_and_ascending() {
    let space = Space::new(12, ROOMY);
    let (from, relations) = (space.vector(&[false; 12]).unwrap(), counter(&space));
    let reached = Search::forward(&space, &from, &relations).run(Method::BreadthFirst, &mut go_on);
    assert!((200..512).contains(&reached.record.len()), "{}", reached.record.len());
    assert!(reached.record.is_sorted_by(|one, other| one.rounds <= other.rounds && one.elapsed <= other.elapsed));
    assert!(reached.record.iter().all(|moment| moment.nodes > 0));
    assert!(reached.record.iter().any(|moment| moment.set.is_some()));
    assert!(reached.record.last().is_some_and(|moment| moment.rounds > 4000));
}
