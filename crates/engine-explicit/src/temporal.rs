//! Properties of whole executions: from a question to an answer with its evidence.
use std::sync::Arc;

use compiled::{Refused, Steps, Successors};
use engine::{
    Approximation, Fairness, Finding, Limits, Progress, Property, Question, Search, Statistics, Trace, Verdict,
    Violation, ViolationKind, Watch, Why,
};
use model::Model;
use model::semantics::{Semantics, State, Step};
use rustc_hash::{FxHashMap as HashMap, FxHashSet as HashSet};
use store::{Bitstate, Compact, Exact, Lengths, Plain, Saved, Store, Tree};

use crate::approach::{End, Lasso, Whole, matters};
use crate::behaviours::{ChainsTo, MOST_SETS, movers, reference_temporal};
use crate::chain::{chain_between, successors};
use crate::couvreur::{Couvreur, Numbers};
use crate::expander::{Expand, Expander, Link};
use crate::explain::lengths;
use crate::explicit::{Estimate, NAME, Plan, Reduction, Run, StoreKind, no_room_for_trace, no_start, unknown};
use crate::lasso::Marks;
use crate::nearest::{Reach, nearest};
use crate::nested::{Nested, accepting};
use crate::product::{Product, split};
use crate::together::Together;

/// A shorter way to a cycle is looked for among so many states, or as many as it took to find one.
const FEW: u64 = 100_000;

/// States that are looked at for a way to one that several workers have found.
const MOST_LOOKED_AT: usize = 2_000_000;

/// What goes wrong in a single step or state is the business of another search.
static NOTHING_ELSE: Question =
    Question { all_errors: true, search: Search::Depth, end_states: false, assertions: false, only_ends: true };

/// Checks a property of whole executions.
pub fn temporal(model: &Model, property: Property<'_>, limits: &Limits, plan: Plan, watch: &mut dyn Watch) -> Finding {
    let system = Semantics::new(model);
    if property.fairness == Fairness::Strong {
        return reference_temporal(model, property, limits, watch);
    }
    let steps = match Steps::new(&system) {
        Ok(steps) => steps,
        Err(Refused::NoStart(fault)) => return no_start(model, fault),
        Err(Refused::TooLarge) => return reference_temporal(model, property, limits, watch),
    };
    let Ok(initial) = system.initial() else { return unknown(Why::Interrupted) };
    let hidden = steps.packing().hidden as usize;
    let lengths = product_lengths(&steps);
    let run = Run { system: &system, question: &NOTHING_ELSE, limits, plan, steps, keeps_cycles: true };
    let task = Task { run, property, initial };
    let places = accepting(property.watcher.claim).filter(|_| property.fairness == Fairness::None);
    match plan.store {
        StoreKind::Exact if task.can_share() => task.together(watch),
        StoreKind::Tree if hidden == 0 => {
            task.components(Tree::new(lengths), Numbers::Sparse(HashMap::default()), watch)
        }
        StoreKind::Exact | StoreKind::Tree => task.components(task.plain(), numbers(lengths), watch),
        StoreKind::HashCompact => task.nested(Compact::new(hidden, plan.seed), places, watch),
        StoreKind::Bitstate { bytes, hashes } => match Bitstate::new(bytes * 8, hashes, hidden, plan.seed) {
            Ok(store) => task.nested(store, places, watch),
            Err(store::OutOfMemory) => unknown(Why::MemoryLimit(bytes)),
        },
    }
}

/// A state of the product has one word more.
fn product_lengths(steps: &Steps<'_>) -> Lengths {
    match lengths(steps) {
        Lengths::Fixed(words) => Lengths::Fixed(words + 1),
        Lengths::Varying => Lengths::Varying,
    }
}

/// Keys of states that are all equally long are numbers without gaps.
fn numbers(lengths: Lengths) -> Numbers {
    match lengths {
        Lengths::Fixed(_) => Numbers::Dense(Vec::new()),
        Lengths::Varying => Numbers::Sparse(HashMap::default()),
    }
}

/// What is chosen in a state depends on who looks.
fn is_ample(reduction: Reduction) -> bool {
    matches!(reduction, Reduction::Ample { .. })
}

struct Task<'a> {
    run: Run<'a>,
    property: Property<'a>,
    initial: State,
}

impl<'a> Task<'a> {
    fn product(&self) -> Product<'a> {
        Product::new(self.run.expander(), self.property, &self.initial)
    }

    /// Whether several workers can look for cycles, if there can be any.
    fn can_share(&self) -> bool {
        let Plan { threads, reduction, .. } = self.run.plan;
        let is_bounded = self.run.limits.depth.is_some();
        let is_simple = self.property.fairness == Fairness::None && !is_ample(reduction) && !is_bounded;
        threads > 1 && is_simple && self.matters().contains(&true)
    }

    /// One worker looks for cycles.
    fn components<S: Exact + Saved>(&self, store: S, numbers: Numbers, watch: &mut dyn Watch) -> Finding {
        let Run { limits, plan, .. } = &self.run;
        let cycles = Couvreur::new(self.property, self.product().buffer(), self.matters(), numbers, limits, plan.slip);
        let threads = self.run.plan.threads.max(1);
        let (end, progress) = self.whole(threads, &|| self.product()).search(store, cycles, watch);
        self.conclude(end, &progress, None)
    }

    fn nested<S: Store + Estimate>(self, store: S, places: Option<Vec<bool>>, watch: &mut dyn Watch) -> Finding {
        let Some(places) = places.filter(|_| !is_ample(self.run.plan.reduction)) else {
            let why =
                "fairness, and claims that accept by edges and not by places, need a store that tells all states apart";
            return unknown(Why::Unsupported(why.into()));
        };
        let mut search = Nested::new(self.product(), store, places, self.run.limits, self.run.plan.slip);
        let end = search.run(&self.initial, watch);
        self.conclude(end, &search.progress(), search.store.approximation())
    }

    /// Several workers look for cycles. If it is not easily found how to get to theirs, one looks again: a way is all that it knows.
    fn together(&self, watch: &mut dyn Watch) -> Finding {
        let products = (0..self.run.plan.threads).map(|_| self.product()).collect();
        let search = Together::new(self.plain(), self.matters(), self.run.limits, self.run.plan.slip);
        let (end, progress) = search.run(&self.initial, products, watch);
        match end {
            End::Found(lasso) => match self.explain(lasso, progress.states) {
                Some(violation) => self.finding(Verdict::Violated, vec![violation], &progress),
                None => self.components(self.plain(), numbers(product_lengths(&self.run.steps)), watch),
            },
            end => self.conclude(end, &progress, None),
        }
    }

    fn whole<'t>(&'t self, threads: usize, product: &'t dyn Fn() -> Product<'a>) -> Whole<'t, 'a> {
        Whole {
            product,
            initial: &self.initial,
            matters: self.matters(),
            limits: self.run.limits,
            threads,
            slip: self.run.plan.slip,
        }
    }

    /// Per place of the claim: whether cycles are looked for there. They are everywhere, if states have to be visited depth first.
    fn matters(&self) -> Arc<[bool]> {
        let matters = matters(self.property.watcher.claim);
        let is_depth_first = self.run.limits.depth.is_some() || is_ample(self.run.plan.reduction);
        matters.into_iter().map(|it| it || is_depth_first).collect()
    }

    /// An empty store.
    fn plain(&self) -> Plain {
        let hidden = self.run.steps.packing().hidden as usize;
        Plain::new(product_lengths(&self.run.steps), hidden, self.run.plan.seed)
    }

    fn conclude(&self, end: End, progress: &Progress, approximation: Option<Approximation>) -> Finding {
        let (verdict, violations) = match end {
            End::Nothing => {
                (approximation.map_or(Verdict::Holds, |it| Verdict::Unknown(Why::Approximate(it))), Vec::new())
            }
            End::Stopped(why) => (Verdict::Unknown(why), Vec::new()),
            End::Found(lasso) => match self.explain(lasso, progress.states) {
                Some(violation) => (Verdict::Violated, vec![violation]),
                None => (Verdict::Unknown(no_room_for_trace()), Vec::new()),
            },
        };
        self.finding(verdict, violations, progress)
    }

    fn finding(&self, verdict: Verdict, violations: Vec<Violation>, progress: &Progress) -> Finding {
        let statistics = Statistics {
            states: progress.states,
            many_states: None,
            transitions: progress.transitions,
            depth: progress.depth,
            memory: progress.memory,
            elapsed: progress.elapsed,
            details: Vec::new(),
            growth: Vec::new(),
            state_bytes: (u64::from(self.run.steps.packing().fixed_words) + 1) * 8,
            ..Statistics::default()
        };
        let (errors, complete) = (violations.len() as u64, verdict == Verdict::Holds);
        Finding { engine: NAME, verdict, violations, errors, complete, unreached: Vec::new(), statistics }
    }

    /// A violation in steps of the system; none if it is not found how to get there.
    fn explain(&self, lasso: Lasso, states: u64) -> Option<Violation> {
        let mut product = self.product();
        product.expander.look_away();
        let Lasso { way, cycle, forbidden } = self.with_whole_way(&mut product, lasso, states)?;
        let mut steps = self.steps_to(&mut product.expander, &way[0]);
        let mut here = &way[0];
        for next in &way[1..] {
            steps.extend(self.between(&mut product.expander, here, next, None));
            here = next;
        }
        let begin = steps.len();
        for (next, marks) in &cycle {
            steps.extend(self.between(&mut product.expander, here, next, Some(*marks)));
            here = next;
        }
        Some(match forbidden {
            Some(what) => Violation { kind: ViolationKind::Forbidden(what), trace: Trace { steps, cycle: None } },
            None => Violation { kind: ViolationKind::Cycle, trace: Trace { steps, cycle: Some(begin) } },
        })
    }

    /// The same with a way from an initial state: a shortest one, if that is near enough.
    fn with_whole_way(&self, product: &mut Product<'a>, lasso: Lasso, states: u64) -> Option<Lasso> {
        if lasso.cycle.is_empty() && lasso.forbidden.is_none() {
            return None;
        }
        let hidden = self.run.steps.packing().hidden as usize;
        let memory = self.run.limits.memory;
        let goals: HashSet<&[u64]> =
            lasso.cycle.iter().map(|it| &it.0).chain(lasso.way.last()).map(|it| &it[hidden..]).collect();
        let near = Reach { most: states.max(FEW) as usize, memory };
        let found = nearest(product, &self.initial, self.plain(), near, |it| goals.contains(&it[hidden..]));
        if let Some(way) = found {
            let end = way.last().map_or(&[][..], |it| &it[hidden..]);
            let place = lasso.cycle.iter().position(|it| &it.0[hidden..] == end);
            let mut cycle = lasso.cycle;
            place.into_iter().for_each(|it| cycle.rotate_left(it + 1));
            return Some(Lasso { way, cycle, ..lasso });
        }
        let far = Reach { most: MOST_LOOKED_AT.max(states as usize * 4), memory };
        let begin = &lasso.way[0][hidden..];
        let mut way = nearest(product, &self.initial, self.plain(), far, |it| &it[hidden..] == begin)?;
        way.extend(lasso.way.iter().skip(1).cloned());
        Some(Lasso { way, ..lasso })
    }

    /// From the initial state of the system to one with which a search begins.
    fn steps_to(&self, expander: &mut Expander<'a>, first: &[u64]) -> Vec<Step> {
        let (mut words, mut out, mut links) = (Vec::new(), expander.buffer(), Vec::new());
        self.run.steps.pack(&self.initial, &mut words);
        expander.link(&words, 0, &mut out, &mut links);
        self.along(&passed(&out, &links, split(first).0), None)
    }

    /// The steps of the system between two states of the product, none if it stands still.
    fn between(&self, expander: &mut Expander<'a>, from: &[u64], to: &[u64], marks: Option<Marks>) -> Vec<Step> {
        let (mut out, mut links) = (expander.buffer(), Vec::new());
        let from = split(from).0;
        expander.expand_linked(from, 0, &mut out, &mut links);
        let states = passed(&out, &links, split(to).0);
        self.along(&[&[from], &states[..]].concat(), marks)
    }

    fn along(&self, states: &[&[u64]], marks: Option<Marks>) -> Vec<Step> {
        states.windows(2).flat_map(|pair| self.chain(pair[0], pair[1], marks)).collect()
    }

    /// The steps from one state to the next; if it matters, by processes that these marks tell.
    fn chain(&self, from: &[u64], to: &[u64], marks: Option<Marks>) -> Vec<Step> {
        let (mut before, mut after) = (State::default(), State::default());
        self.run.steps.unpack(from, &mut before);
        self.run.steps.unpack(to, &mut after);
        let Some(marks) = marks.filter(|_| self.property.fairness != Fairness::None) else {
            return chain_between(self.run.system, &before, &after);
        };
        let mut chains = ChainsTo::new(&after);
        successors(self.run.system, &before, &mut chains);
        let processes = |it: Marks| it >> MOST_SETS;
        let moved = |path: &&Vec<Step>| path.iter().fold(!chains.can_move, |all, it| all | movers(it));
        let meant = chains.list.iter().find(|it| processes(moved(it)) == processes(marks));
        meant.or(chains.list.first()).cloned().unwrap_or_default()
    }
}

/// The states that were passed to come to one of them.
fn passed<'o>(out: &'o Successors, links: &[Link], to: &[u64]) -> Vec<&'o [u64]> {
    let mut states = Vec::new();
    let mut row = out.iter_from(0).position(|it| it == to);
    while let Some(here) = row {
        states.push(out.get(here));
        row = links[here].parent;
    }
    states.reverse();
    states
}
