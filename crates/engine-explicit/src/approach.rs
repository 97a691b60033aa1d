//! The way to where cycles matter, breadth first.
//!
//! No cycle of system and claim leaves a strongly connected part of the claim. If the edges of a part do not have all its sets, no cycle there
//! violates anything (Bloem, Ravi, Somenzi, *Efficient decision procedures for model checking of linear time logic properties*, 1999), and its states need only be visited, in
//! any order. So they are visited breadth first, by the search that safety properties have, and what they lead to in other parts is put
//! aside as *seeds* for a search that looks for cycles:
//!
//! ```text
//! repeat until nothing waits:
//!     visit states of parts without violating cycles; those that they lead to in other parts are seeds
//!     look for cycles from the seeds; what these lead to in parts without violating cycles waits
//! ```
//!
//! Of a formula that only forbids to come somewhere there are no other parts at all.
use std::sync::{Arc, Mutex};

use compiled::Successors;
use engine::{Limits, Progress, Watch, Why};
use model::Claim;
use model::semantics::{Forbidden, State};
use store::{Exact, Key, Saved};

use crate::checkpoint::Label;
use crate::components::components;
use crate::couvreur::Couvreur;
use crate::expander::Expand;
use crate::frontier::Keys;
use crate::lasso::{Hop, Marks};
use crate::levels::{Lead, Search};
use crate::product::{Product, Stopped, split};
use crate::shared::{lock, opened, reading, writing};
use crate::slip::Slip;
use crate::worker::Worker;

/// What a search has found: states of system and claim.
#[derive(Clone, Debug)]
pub struct Lasso {
    /// From a seed, or an initial state, to the cycle, or to where something is wrong.
    pub way: Vec<Vec<u64>>,
    /// The cycle after the last of these.
    pub cycle: Vec<Hop<Vec<u64>>>,
    /// What is wrong, if there is no cycle.
    pub forbidden: Option<Forbidden>,
}

impl Lasso {
    /// One without a cycle, of which only the end is known.
    pub fn to(state: Vec<u64>, forbidden: Forbidden) -> Lasso {
        Lasso { way: vec![state], cycle: Vec::new(), forbidden: Some(forbidden) }
    }
}

/// How a search for violations ended.
pub enum End {
    /// There is nothing to be found.
    Nothing,
    /// A violation.
    Found(Lasso),
    /// A limit.
    Stopped(Why),
}

/// What is searched, and by how many.
pub struct Whole<'t, 'a> {
    /// The system and the claim, for each worker.
    pub product: &'t dyn Fn() -> Product<'a>,
    /// Where the system begins.
    pub initial: &'t State,
    /// Per place of the claim: whether it can be on a cycle with all sets.
    pub matters: Arc<[bool]>,
    /// What may be spent.
    pub limits: &'a Limits,
    /// How many workers visit.
    pub threads: usize,
    /// What is wrong with it, on purpose.
    pub slip: Option<Slip>,
}

impl<'a> Whole<'_, 'a> {
    /// Searches all of it.
    pub fn search<S: Exact + Saved>(
        &self,
        store: S,
        mut cycles: Couvreur<'a>,
        watch: &mut dyn Watch,
    ) -> (End, Progress) {
        let mut search = Search::<S, Keys>::new(store, self.limits, true, self.threads);
        let mut workers = self.workers(&search);
        let mut progress = Progress::default();
        let end = match workers[0].begin(self.initial, &search.store) {
            Err(store::OutOfMemory) => End::Stopped(Why::MemoryLimit(self.limits.memory.unwrap_or(0))),
            Ok(()) => {
                search.begin(&mut workers[0]);
                let workers: Vec<_> = workers.into_iter().map(Mutex::new).collect();
                self.by_turns(&search, &workers, &mut cycles, &mut progress, watch)
            }
        };
        (end, cycles.progress(opened(&mut search.store), &progress))
    }

    fn workers<S: Exact + Saved>(&self, search: &Search<'a, S, Keys>) -> Vec<Worker<Approach<'a>, S, Keys>> {
        let store = reading(&search.store);
        let approach = || Approach::new((self.product)(), self.matters.clone());
        (0..self.threads).map(|row| Worker::new(row, approach(), &*store, self.limits.memory)).collect()
    }

    /// Visits and looks for cycles by turns, until nothing waits.
    fn by_turns<S: Exact + Saved>(
        &self,
        search: &Search<'a, S, Keys>,
        workers: &[Mutex<Worker<Approach<'a>, S, Keys>>],
        cycles: &mut Couvreur<'a>,
        progress: &mut Progress,
        watch: &mut dyn Watch,
    ) -> End {
        let label = Label::default();
        loop {
            let ended = search.run(workers, &mut Lead { watch, keeper: None, label: &label });
            *progress = ended.progress;
            let seeds = match gathered(workers) {
                Err(end) => return end,
                Ok(_) if ended.why.is_some() => return ended.why.map_or(End::Nothing, End::Stopped),
                Ok(seeds) => seeds,
            };
            let product = &mut lock(&workers[0]).expander.product;
            match cycles.run(&mut *writing(&search.store), product, seeds, progress, watch) {
                End::Nothing if search.go_on(self.exits(cycles)) => {}
                end => return end,
            }
        }
    }

    fn exits(&self, cycles: &mut Couvreur<'a>) -> Vec<Keys> {
        let exits = cycles.exits();
        if self.slip == Some(Slip::Exits) { Vec::new() } else { vec![exits] }
    }
}

/// The seeds that workers have put aside, unless there is something else. The next time they put aside more before they stop.
fn gathered<S: Exact + Saved>(workers: &[Mutex<Worker<Approach<'_>, S, Keys>>]) -> Result<Vec<Key>, End> {
    let (mut seeds, mut wrong): (Vec<Key>, Option<(Vec<u64>, Forbidden)>) = (Vec::new(), None);
    for worker in workers {
        let approach = &mut lock(worker).expander;
        if let Some(why) = approach.unsupported.take() {
            return Err(End::Stopped(why));
        }
        wrong = wrong.into_iter().chain(approach.wrong.take()).min_by(|one, other| one.0.cmp(&other.0));
        seeds.append(&mut approach.seeds);
        approach.enough *= 2;
    }
    wrong.map_or(Ok(seeds), |(state, what)| Err(End::Found(Lasso::to(state, what))))
}

/// Per place of a claim: whether it is in a part of the claim whose edges have all sets.
pub fn matters(claim: &Claim) -> Vec<bool> {
    let targets =
        |it: &model::ClaimLocation| it.edges.iter().filter_map(|it| it.target).map(|it| it as usize).collect();
    let edges: Vec<Vec<usize>> = claim.locations.iter().map(targets).collect();
    let all = (1u64 << claim.sets) as u32 - 1;
    let mut matters = vec![false; edges.len()];
    for part in components(&edges) {
        let inner = part.iter().flat_map(|&it| &claim.locations[it].edges);
        let inner = inner.filter(|it| it.target.is_some_and(|it| part.contains(&(it as usize))));
        let (count, sets) = inner.fold((0, 0), |(count, sets), it| (count + 1, sets | it.sets));
        part.into_iter().for_each(|it| matters[it] = count > 0 && sets & all == all);
    }
    matters
}

/// Visits states of the product, and puts seeds aside.
pub struct Approach<'a> {
    /// The system and the claim.
    pub product: Product<'a>,
    matters: Arc<[bool]>,
    marks: Vec<Marks>,
    /// States from which to look for cycles.
    pub seeds: Vec<Key>,
    /// With so many seeds it is time to look.
    pub enough: usize,
    /// The first state where something is wrong.
    pub wrong: Option<(Vec<u64>, Forbidden)>,
    /// What is more than can be done.
    pub unsupported: Option<Why>,
}

impl<'a> Approach<'a> {
    /// For a claim with these places that matter.
    pub fn new(product: Product<'a>, matters: Arc<[bool]>) -> Self {
        let (marks, seeds) = (Vec::new(), Vec::new());
        Approach { product, matters, marks, seeds, enough: 1, wrong: None, unsupported: None }
    }
}

impl Expand for Approach<'_> {
    fn buffer(&self) -> Successors {
        self.product.buffer()
    }

    fn begin(&mut self, initial: &State, out: &mut Successors) {
        self.product.begin(initial, out);
    }

    fn expand(&mut self, state: &[u64], _: u64, out: &mut Successors) {
        self.marks.clear();
        match self.product.expand(state, out, &mut self.marks) {
            Ok(_) => {}
            Err(Stopped::Unsupported(why)) => self.unsupported = Some(why),
            Err(Stopped::Forbidden(what)) => {
                if self.wrong.as_ref().is_none_or(|it| state < &it.0[..]) {
                    self.wrong = Some((state.to_vec(), what));
                }
            }
        }
    }

    fn is_end(&mut self, state: &[u64], level: u64, out: &mut Successors) -> bool {
        let before = out.len();
        self.expand(state, level, out);
        let is_end = out.len() == before;
        out.truncate(before);
        is_end
    }

    #[inline]
    fn arrive(&mut self, key: Key, state: &[u64], _: usize, _: u64) -> bool {
        let is_seed = self.matters[split(state).1 as usize];
        if is_seed {
            self.seeds.push(key);
        }
        !is_seed
    }

    fn has_found(&self) -> bool {
        self.wrong.is_some() || self.unsupported.is_some() || self.seeds.len() >= self.enough
    }
}
