//! Classes, quotients and formulas against the definitions, on random systems; `MODEL_SEED` replays one.
use lts::{Builder, Comparison, Equivalence, Label, Lts, classes, compare, minimise};

use crate::chance::Chance;
use crate::oracle::related;

const ALL: [Equivalence; 3] = [Equivalence::Strong, Equivalence::Branching, Equivalence::DivergenceBranching];

fn for_random_systems(count: u64, mut test: impl FnMut(&mut Chance, u64)) {
    let only = std::env::var("MODEL_SEED").ok().and_then(|it| it.parse().ok());
    let seeds = only.map_or(1..count + 1, |seed: u64| seed..seed + 1);
    seeds.for_each(|seed| test(&mut Chance::new(seed), seed));
}

/// Whether classes are those of the definition.
fn agrees(system: &Lts, of: &[u32], equivalence: Equivalence) -> bool {
    let pairs = related(system, equivalence);
    (0..system.states()).all(|one| (0..system.states()).all(|other| pairs[one][other] == (of[one] == of[other])))
}

#[test]
fn classes_are_those_of_the_definition() {
    for_random_systems(1500, |chance, seed| {
        let system = chance.small();
        for equivalence in ALL {
            let of = classes(&system, equivalence).of;
            assert!(agrees(&system, &of, equivalence), "MODEL_SEED={seed} {equivalence:?} {of:?} {system:?}");
        }
    });
}

/// A test of the test: a comparison of labels alone, the first step of the refinement, must not pass.
#[test]
fn the_definition_catches_a_refinement_that_stops_early() {
    let mut caught = [0; 3];
    for_random_systems(300, |chance, _| {
        let system = chance.small();
        for (row, equivalence) in ALL.into_iter().enumerate() {
            let labels = |state: usize| {
                let mut list: Vec<Label> = system.outgoing(state as u32).iter().map(|it| it.label).collect();
                list.sort_unstable();
                list.dedup();
                list
            };
            let all: Vec<Vec<Label>> = (0..system.states()).map(labels).collect();
            let of: Vec<u32> =
                all.iter().map(|it| all.iter().position(|other| other == it).unwrap_or(0) as u32).collect();
            caught[row] += u32::from(!agrees(&system, &of, equivalence));
        }
    });
    assert!(caught.iter().all(|&it| it > 100), "{caught:?} of 300");
}

/// A test of the test: the classes of one equivalence are not those of another.
#[test]
fn the_definition_tells_equivalences_apart() {
    let mut differ = [0; 2];
    for_random_systems(300, |chance, _| {
        let system = chance.small();
        let of = classes(&system, Equivalence::Branching).of;
        differ[0] += u32::from(!agrees(&system, &of, Equivalence::Strong));
        differ[1] += u32::from(!agrees(&system, &of, Equivalence::DivergenceBranching));
    });
    assert!(differ[0] > 50 && differ[1] > 10, "{differ:?} of 300");
}

/// Two algorithms that share nothing but the partition: strong classes, and branching classes where nothing is silent.
#[test]
fn without_silent_steps_both_refinements_agree_on_larger_systems() {
    for_random_systems(60, |chance, seed| {
        let states = 20 + chance.below(300);
        let steps = states + chance.below(2 * states);
        let labels = 1 + chance.below(3);
        let system = chance.system(states, steps, labels, 0);
        let (one, other) = (classes(&system, Equivalence::Strong), classes(&system, Equivalence::Branching));
        assert_eq!(one.count, other.count, "MODEL_SEED={seed}");
        let mut pairs: Vec<(u32, u32)> = one.of.iter().copied().zip(other.of).collect();
        pairs.sort_unstable();
        pairs.dedup();
        assert_eq!(pairs.len(), one.count, "MODEL_SEED={seed}");
    });
}

#[test]
fn the_quotient_is_equivalent_and_cannot_be_made_smaller() {
    for_random_systems(600, |chance, seed| {
        let system = chance.small();
        for equivalence in ALL {
            let small = minimise(&system, equivalence);
            let (both, begins) = system.beside(&small);
            let pairs = related(&both, equivalence);
            assert!(pairs[both.initial as usize][begins as usize], "MODEL_SEED={seed} {equivalence:?}");
            let inside = related(&small, equivalence);
            let same = (0..small.states()).flat_map(|it| (0..it).map(move |other| (it, other)));
            assert!(same.into_iter().all(|(it, other)| !inside[it][other]), "MODEL_SEED={seed} {equivalence:?}");
        }
    });
}

#[test]
fn comparisons_are_right_and_mostly_explained() {
    let (mut equal, mut different, mut explained) = (0, 0, 0);
    for_random_systems(1500, |chance, seed| {
        let one = chance.small();
        // Related systems are equivalent often enough.
        let other = if chance.below(3) == 0 { twin(&one, chance) } else { chance.small() };
        for equivalence in ALL {
            let (both, begins) = one.beside(&other);
            let expected = related(&both, equivalence)[both.initial as usize][begins as usize];
            match compare(&one, &other, equivalence) {
                Comparison::Equivalent => {
                    assert!(expected, "MODEL_SEED={seed} {equivalence:?}");
                    equal += 1;
                }
                Comparison::Different(formula) => {
                    assert!(!expected, "MODEL_SEED={seed} {equivalence:?}");
                    different += 1;
                    explained += u32::from(formula.is_some());
                }
            }
        }
    });
    assert!(equal > 300 && different > 1000, "{equal} {different}");
    // Each was evaluated on both systems, or it would not be there.
    assert_eq!(explained, different);
}

/// The same system with a state doubled: its steps belong to the copy too, and some lead to it.
fn twin(system: &Lts, chance: &mut Chance) -> Lts {
    let (copied, copy) = (chance.below(system.states()) as u32, system.states() as u32);
    let mut builder = Builder::default();
    for (state, step) in system.all_steps() {
        let label = builder.label(system.name(step.label));
        let target = if step.target == copied && chance.below(2) == 0 { copy } else { step.target };
        builder.add(state, label, target);
        if state == copied {
            builder.add(copy, label, step.target);
        }
    }
    builder.finish(system.initial, system.states() + 1)
}

#[track_caller]
fn explanation(one: &str, other: &str, equivalence: Equivalence) -> String {
    let read = |text: &str| lts::read(&mut text.as_bytes()).expect("a text").expect("a system");
    match compare(&read(one), &read(other), equivalence) {
        Comparison::Equivalent => "equivalent".into(),
        Comparison::Different(formula) => formula.expect("a formula").text(1000).expect("a short one"),
    }
}

#[test]
fn explanations_are_readable() {
    // A choice before or after the first step.
    let late = "des (0,3,4)\n(0,a,1)\n(1,b,2)\n(1,c,3)\n";
    let early = "des (0,4,5)\n(0,a,1)\n(0,a,2)\n(1,b,3)\n(2,c,4)\n";
    assert_eq!(explanation(late, early, Equivalence::Strong), "<\"a\"> (<\"c\"> true && <\"b\"> true)");
    // A silent step that takes a choice away.
    let free = "des (0,2,3)\n(0,a,1)\n(0,b,2)\n";
    let bound = "des (0,3,4)\n(0,i,1)\n(1,a,2)\n(0,b,3)\n";
    assert_eq!(explanation(bound, free, Equivalence::Branching), "<i* . i> !<i* . \"b\"> true");
    // A silent step for ever.
    let rests = "des (0,1,2)\n(0,a,1)\n";
    let spins = "des (0,2,2)\n(0,a,1)\n(1,tau,1)\n";
    assert_eq!(explanation(spins, rests, Equivalence::Branching), "equivalent");
    assert_eq!(explanation(spins, rests, Equivalence::DivergenceBranching), "<i* . \"a\"> <i* for ever> true");
}

/// Long chains and rings are where refinement by rounds takes quadratic time.
#[test]
fn large_systems_take_seconds_at_most() {
    let began = std::time::Instant::now();
    let mut builder = Builder::default();
    let (a, b) = (builder.label("a"), builder.label("b"));
    let states = 200_000;
    (0..states).for_each(|it| builder.add(it, if it % 3 == 0 { a } else { b }, it + 1));
    let chain = builder.finish(0, states as usize + 1);
    for equivalence in ALL {
        assert_eq!(minimise(&chain, equivalence).states(), chain.states());
    }
    let mut chance = Chance::new(7);
    let random = chance.system(100_000, 300_000, 3, 3);
    for equivalence in ALL {
        minimise(&random, equivalence);
    }
    assert!(began.elapsed().as_secs() < 60, "{:?}", began.elapsed());
}
