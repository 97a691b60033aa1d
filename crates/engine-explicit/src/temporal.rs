//! Properties of whole executions: from a question to an answer with its evidence.
use compiled::{Refused, Steps, Successors};
use engine::{
    Approximation, Fairness, Finding, Limits, Progress, Property, Question, Search, Statistics, Trace, Verdict,
    Violation, ViolationKind, Watch, Why,
};
use model::Model;
use model::semantics::{Failure, Semantics, State, Step};
use rustc_hash::{FxHashMap as HashMap, FxHashSet as HashSet};
use store::{Bitstate, Compact, Lengths, Plain, Store, Tree};

use crate::behaviours::{MOST_SETS, movers, reference_temporal};
use crate::chain::{Arrive, chain_between, successors};
use crate::couvreur::{Couvreur, End, Lasso, Numbers};
use crate::expander::{Expander, Link};
use crate::explain::lengths;
use crate::explicit::{Estimate, NAME, Plan, Reduction, Run, StoreKind, no_start, unknown};
use crate::lasso::{Marks, Nearby, way};
use crate::nested::{Nested, accepting};
use crate::product::{Product, split};
use crate::together::{MOST_WORKERS, Shared, Together};

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
        StoreKind::Exact if task.can_share() => task.together(Plain::new(lengths, hidden, plan.seed), watch),
        StoreKind::Tree if hidden == 0 => {
            task.components(Tree::new(lengths), Numbers::Sparse(HashMap::default()), watch)
        }
        StoreKind::Exact | StoreKind::Tree => {
            task.components(Plain::new(lengths, hidden, plan.seed), numbers(lengths), watch)
        }
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

    /// Whether several workers can search.
    fn can_share(&self) -> bool {
        let Plan { threads, reduction, .. } = self.run.plan;
        let is_bounded = self.run.limits.depth.is_some();
        threads > 1 && self.property.fairness == Fairness::None && !is_ample(reduction) && !is_bounded
    }

    fn components<S: Store + Estimate>(self, store: S, numbers: Numbers, watch: &mut dyn Watch) -> Finding {
        let mut search = Couvreur::new(self.product(), store, numbers, self.run.limits);
        let end = search.run(&self.initial, watch);
        let progress = search.progress();
        let (product, store) = search.into_parts();
        self.conclude(product, end, progress, store.approximation())
    }

    fn nested<S: Store + Estimate>(self, store: S, places: Option<Vec<bool>>, watch: &mut dyn Watch) -> Finding {
        let Some(places) = places.filter(|_| !is_ample(self.run.plan.reduction)) else {
            let why =
                "fairness, and claims that accept by edges and not by places, need a store that tells all states apart";
            return unknown(Why::Unsupported(why.into()));
        };
        let mut search = Nested::new(self.product(), store, places, self.run.limits);
        let end = search.run(&self.initial, watch);
        let progress = search.progress();
        let (product, store) = search.into_parts();
        self.conclude(product, end, progress, store.approximation())
    }

    fn together(self, store: Plain, watch: &mut dyn Watch) -> Finding {
        let workers = self.run.plan.threads.min(MOST_WORKERS);
        let search = Shared::new(store, self.property.watcher.claim, workers, self.run.limits);
        let end = search.run(|| self.product(), &self.initial, watch);
        let progress = search.progress();
        let mut product = self.product();
        let end = match end {
            Together::Nothing => End::Nothing,
            Together::Stopped(why) => End::Stopped(why),
            Together::OnCycle(state) => {
                let cycle = search.cycle(&mut product, &state);
                drop(search);
                let way = cycle.as_ref().and_then(|_| self.way_to(&mut product, &state));
                match (way, cycle) {
                    (Some(way), Some(cycle)) => End::Found(Lasso { way, cycle, forbidden: None }),
                    _ => self.search_again(watch),
                }
            }
            Together::Wrong(state, what) => match self.way_to(&mut product, &state) {
                Some(way) => End::Found(Lasso { way, cycle: Vec::new(), forbidden: Some(what) }),
                None => self.search_again(watch),
            },
        };
        self.conclude(product, end, progress, None)
    }

    /// A shortest way to a state, if it is not too far.
    fn way_to(&self, product: &mut Product<'a>, state: &Vec<u64>) -> Option<Vec<Vec<u64>>> {
        let mut first = product.buffer();
        product.begin(&self.initial, &mut first);
        let nearby = Nearby { most: MOST_LOOKED_AT };
        first.iter_from(0).map(<[u64]>::to_vec).find_map(|from| {
            let hops = match from == *state {
                true => Some(Vec::new()),
                false => way(&from, |it| product.hops(it), |it, _| it == state, &nearby),
            };
            hops.map(|hops| std::iter::once(from).chain(hops.into_iter().map(|it| it.0)).collect())
        })
    }

    /// One worker finds a violation again, with all that belongs to it.
    fn search_again(&self, watch: &mut dyn Watch) -> End {
        let lengths = product_lengths(&self.run.steps);
        let hidden = self.run.steps.packing().hidden as usize;
        let store = Plain::new(lengths, hidden, self.run.plan.seed);
        Couvreur::new(self.product(), store, numbers(lengths), self.run.limits).run(&self.initial, watch)
    }

    fn conclude(
        &self,
        product: Product<'a>,
        end: End,
        progress: Progress,
        approximation: Option<Approximation>,
    ) -> Finding {
        let statistics = Statistics {
            states: progress.states,
            transitions: progress.transitions,
            depth: progress.depth,
            memory: progress.memory,
            elapsed: progress.elapsed,
            state_bytes: (u64::from(self.run.steps.packing().fixed_words) + 1) * 8,
            ..Statistics::default()
        };
        let (verdict, violations) = match end {
            End::Nothing => match approximation {
                Some(left_out) => (Verdict::Unknown(Why::Approximate(left_out)), Vec::new()),
                None => (Verdict::Holds, Vec::new()),
            },
            End::Found(lasso) => (Verdict::Violated, vec![self.explain(product, lasso, progress.states)]),
            End::Stopped(why) => (Verdict::Unknown(why), Vec::new()),
        };
        let (errors, complete) = (violations.len() as u64, verdict == Verdict::Holds);
        Finding { engine: NAME, verdict, violations, errors, complete, unreached: Vec::new(), statistics }
    }

    /// A violation in steps of the system.
    fn explain(&self, mut product: Product<'a>, lasso: Lasso, states: u64) -> Violation {
        let Lasso { way, cycle, forbidden } = self.shorter(&mut product, lasso, states);
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
        match forbidden {
            Some(what) => Violation { kind: ViolationKind::Forbidden(what), trace: Trace { steps, cycle: None } },
            None => Violation { kind: ViolationKind::Cycle, trace: Trace { steps, cycle: Some(begin) } },
        }
    }

    /// The same with a shortest way, if that is near enough.
    fn shorter(&self, product: &mut Product<'a>, lasso: Lasso, states: u64) -> Lasso {
        let last = lasso.way.last().into_iter();
        let goals: HashSet<&Vec<u64>> = lasso.cycle.iter().map(|it| &it.0).chain(last).collect();
        let mut first = product.buffer();
        product.begin(&self.initial, &mut first);
        let nearby = Nearby { most: states.max(FEW) as usize };
        let edges = |state: &Vec<u64>| product.hops(state);
        let from = lasso.way[0].clone();
        if goals.contains(&from) {
            return Lasso { way: vec![from.clone()], ..rotated(&lasso, &from) };
        }
        let Some(found) = way(&from, edges, |it, _| goals.contains(it), &nearby) else { return lasso };
        let mut shorter = vec![from];
        shorter.extend(found.into_iter().map(|it| it.0));
        let end = shorter.last().cloned().unwrap_or_default();
        Lasso { way: shorter, ..rotated(&lasso, &end) }
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
        let mut chains = Chains { list: Vec::new(), can_move: 0, to: &after };
        successors(self.run.system, &before, &mut chains);
        let processes = |it: Marks| it >> MOST_SETS;
        let moved = |path: &&Vec<Step>| path.iter().fold(!chains.can_move, |all, it| all | movers(it));
        let meant = chains.list.iter().find(|it| processes(moved(it)) == processes(marks));
        meant.or(chains.list.first()).cloned().unwrap_or_default()
    }
}

/// The cycle of a lasso, from one of its states on.
fn rotated(lasso: &Lasso, first: &[u64]) -> Lasso {
    let mut cycle = lasso.cycle.clone();
    let place = cycle.iter().position(|it| it.0 == first);
    place.into_iter().for_each(|it| cycle.rotate_left(it + 1));
    Lasso { cycle, ..lasso.clone() }
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

/// The chains of steps to a state.
struct Chains<'s> {
    list: Vec<Vec<Step>>,
    can_move: Marks,
    to: &'s State,
}

impl Arrive for Chains<'_> {
    fn state(&mut self, next: &State, path: &[Step]) {
        self.can_move |= path.first().map_or(0, movers);
        if next.identity() == self.to.identity() {
            self.list.push(path.to_vec());
        }
    }

    fn failure(&mut self, _: Failure, _: &[Step]) {}

    fn inner(&mut self, _: &State) {}
}
