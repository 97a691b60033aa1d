//! Bounded context switching: against a search that knows nothing but the definition.
//!
//! It visits every triple of a state, the process that moved last, and the number of switches so far.
use std::collections::{BTreeSet, HashSet};

use engine::{Search, Verdict, Why};
use engine_explicit::Descent;
use model::Model;
use model::semantics::{Semantics, State, Step};
use testkit::kind::Kind;
use testkit::parallel;
use testkit::random::seeds;
use testkit::run::{self, Budget};

use crate::depth::{BUDGET, descend, model, replayed};

/// What the search by definition may be wrong in.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Twin {
    Right,
    /// Going on after somebody who cannot costs a switch, too.
    CountsEverySwitch,
    /// States reached with as many switches are the same, whoever moved last.
    ForgetsWhoMoved,
    /// Only the sender takes part in a rendezvous.
    ForgetsReceivers,
}

type Triple = (State, Option<u8>, u64);

struct ByDefinition<'a> {
    system: &'a Semantics<'a>,
    limit: u64,
    twin: Twin,
    states: HashSet<Vec<u8>>,
    triples: HashSet<(Vec<u8>, Option<u8>, u64)>,
    waiting: Vec<Triple>,
    /// What is wrong, in which state.
    wrong: BTreeSet<String>,
    cut: bool,
}

impl<'a> ByDefinition<'a> {
    fn search(system: &'a Semantics<'a>, limit: u64, twin: Twin) -> Option<Self> {
        let mut search = ByDefinition {
            system,
            limit,
            twin,
            states: HashSet::new(),
            triples: HashSet::new(),
            waiting: Vec::new(),
            wrong: BTreeSet::new(),
            cut: false,
        };
        search.reach(system.initial().ok()?, None, 0);
        while let Some((state, last, used)) = search.waiting.pop() {
            search.expand(&state, last, used);
            if search.triples.len() > 10_000 {
                return None;
            }
        }
        Some(search)
    }

    fn reach(&mut self, state: State, last: Option<u8>, used: u64) {
        let identity = state.identity().to_vec();
        let remembered = if self.twin == Twin::ForgetsWhoMoved { None } else { last };
        self.states.insert(identity.clone());
        if self.system.broken_invariant(&state).is_some() {
            self.wrong.insert(format!("invariant {identity:?}"));
        }
        if self.triples.insert((identity, remembered, used)) {
            self.waiting.push((state, last, used));
        }
    }

    fn takes_part(&self, step: Step, process: u8) -> bool {
        let receives = step.partner.is_some_and(|it| it.0 == process) && self.twin != Twin::ForgetsReceivers;
        step.process == process || receives
    }

    fn expand(&mut self, state: &State, last: Option<u8>, used: u64) {
        let mut steps = Vec::new();
        self.system.moves(state, &mut |it| {
            steps.push((it.step, it.next.cloned(), !it.failures.is_empty()));
        });
        let could = last.is_some_and(|last| steps.iter().any(|it| self.takes_part(it.0, last)));
        let counts = |twin| could || (twin == Twin::CountsEverySwitch && last.is_some());
        if steps.is_empty() && self.system.unfinished(state).is_some() {
            self.wrong.insert(format!("end {:?}", state.identity()));
        }
        for (step, next, failed) in steps {
            let is_switch = counts(self.twin) && last.is_some_and(|last| !self.takes_part(step, last));
            let used = used + u64::from(is_switch);
            if used > self.limit {
                self.cut = true;
                continue;
            }
            self.follow(state, step, next, failed, used);
        }
    }

    /// Goes on inside an atomic sequence until everybody may move.
    fn follow(&mut self, from: &State, step: Step, next: Option<State>, failed: bool, used: u64) {
        let mut chain = vec![(step, next, failed)];
        let mut passed = HashSet::new();
        while let Some((step, next, failed)) = chain.pop() {
            if failed {
                self.wrong.insert(format!("step {:?}", from.identity()));
            }
            let Some(mut next) = next else { continue };
            let mover = step.partner.map_or(step.process, |it| it.0);
            if next.exclusive.is_some() && !passed.insert((next.bytes().to_vec(), next.exclusive)) {
                continue;
            }
            let before = chain.len();
            let goes_on = next.exclusive.is_some()
                && self.system.moves(&next, &mut |it| {
                    chain.push((it.step, it.next.cloned(), !it.failures.is_empty()));
                });
            if !goes_on {
                chain.truncate(before);
                self.system.release(&mut next);
                self.reach(next, Some(mover), used);
            }
        }
    }
}

/// Calls `check` with small models and few switches.
fn each(check: impl Fn(u64, &Model, u16) -> bool + Sync) -> usize {
    let small = Budget { states: 1500, ..BUDGET };
    let checked = parallel::map(&seeds(30_000, 160), |&seed| {
        let model = model(seed);
        if !run::search(&model, Search::Breadth, small).complete {
            return 0;
        }
        [0, 1, 2, 4].into_iter().filter(|&limit| check(seed, &model, limit)).count()
    });
    checked.into_iter().sum()
}

#[test]
fn few_switches_reach_what_the_definition_says() {
    let cut = each(|seed, model, limit| {
        let system = Semantics::new(model);
        let Some(expected) = ByDefinition::search(&system, u64::from(limit), Twin::Right) else {
            return false;
        };
        for order in [None, Some(seed)] {
            let found = descend(model, Descent { order, switches: Some(limit), shorten: None }, None);
            let told = format!("MODEL_SEED={seed} --max-switches {limit}");
            replayed(model, &found, seed);
            assert_eq!(found.statistics.states, expected.states.len() as u64, "{told}");
            assert_eq!(found.verdict == Verdict::Violated, !expected.wrong.is_empty(), "{told}: {:?}", expected.wrong);
            if found.complete {
                let all = run::search(model, Search::Breadth, BUDGET);
                assert_eq!((found.statistics.states, &found.verdict), (all.statistics.states, &all.verdict), "{told}");
            }
            if expected.wrong.is_empty() && !expected.cut {
                assert_eq!(found.verdict, Verdict::Holds, "{told}");
            }
            assert!(found.complete || expected.cut, "{told}");
            let why = Verdict::Unknown(Why::SwitchLimit(limit));
            assert!(found.complete || found.verdict == Verdict::Violated || found.verdict == why, "{told}");
        }
        expected.cut
    });
    println!("{cut} searches were cut");
    assert!(cut > 100, "only {cut} searches were cut");
}

#[test]
fn few_switches_and_few_steps_reach_less_than_either() {
    each(|seed, model, limit| {
        let switches = Some(limit);
        let shallow = descend(model, Descent { switches, ..Descent::default() }, Some(8));
        replayed(model, &shallow, seed);
        let again = descend(model, Descent { switches, order: Some(seed), shorten: None }, Some(8));
        assert_eq!(shallow.statistics.states, again.statistics.states, "MODEL_SEED={seed} {limit}: the order matters");
        assert_eq!(shallow.verdict == Verdict::Violated, again.verdict == Verdict::Violated, "MODEL_SEED={seed}");
        let either = [
            descend(model, Descent::default(), Some(8)),
            descend(model, Descent { switches, ..Descent::default() }, None),
        ];
        for more in either {
            assert!(shallow.statistics.states <= more.statistics.states, "MODEL_SEED={seed} {limit}");
            assert!(shallow.verdict != Verdict::Violated || more.verdict == Verdict::Violated, "MODEL_SEED={seed}");
        }
        true
    });
}

/// In how many searches this twin reaches other states.
fn caught(twin: Twin) -> usize {
    let caught = each(|_, model, limit| {
        let system = Semantics::new(model);
        let by = |twin| ByDefinition::search(&system, u64::from(limit), twin);
        let (Some(right), Some(wrong)) = (by(Twin::Right), by(twin)) else { return false };
        (right.states.len(), right.wrong.is_empty()) != (wrong.states.len(), wrong.wrong.is_empty())
    });
    println!("caught: {caught}");
    caught
}

#[test]
fn a_search_that_counts_every_switch_is_caught() {
    assert!(caught(Twin::CountsEverySwitch) > 50);
}

#[test]
fn a_search_that_forgets_who_moved_is_caught() {
    assert!(caught(Twin::ForgetsWhoMoved) > 20);
}

#[test]
fn a_search_that_takes_a_rendezvous_for_a_switch_is_caught() {
    assert!(caught(Twin::ForgetsReceivers) > 0);
}

#[test]
fn switches_are_what_the_manual_says() {
    let reached = |text: &str, limit| {
        let model = run::model(text).expect("a model");
        let found = descend(&model, Descent { switches: Some(limit), ..Descent::default() }, None);
        run::summary(&found).kinds.contains(&Kind::Assertion)
    };
    // Q has to interrupt P once; going on after Q has ended is free.
    let interrupt = "byte x; active proctype P() { x = 1; x = 2 } active proctype Q() { assert(x != 1) }";
    assert_eq!([0, 1].map(|limit| reached(interrupt, limit)), [false, true]);
    // P must be left and come back: leaving interrupts it, coming back does too, because Q could go on.
    let back = "byte x, y; active proctype P() { x = 1; assert(y != 1); x = 2 }
                active proctype Q() { x == 1; y = 1; y = 2 }";
    assert_eq!([0, 1, 2].map(|limit| reached(back, limit)), [false, false, true]);
    // A process that waits is not interrupted.
    let waits = "byte x; active proctype P() { x = 1; x == 2; assert(false) } active proctype Q() { x == 1; x = 2 }";
    assert!(reached(waits, 0));
    // Both sides take part in a rendezvous.
    let meet = "chan c = [0] of { byte }; byte x; active proctype P() { c!1; x++ }
                active proctype Q() { byte y; c?y; assert(x == 1) }";
    assert_eq!([0, 1].map(|limit| reached(meet, limit)), [true, true]);
    // Nobody is interrupted inside atomic.
    let whole = "byte x; active proctype P() { atomic { x = 1; x = 2 } } active proctype Q() { assert(x != 1) }";
    assert!(!reached(whole, 9));
}
