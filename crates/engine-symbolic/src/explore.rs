//! Everything that a model can reach: a guess, its relations, what they reach.
//!
//! ```text
//! guess := what a sample of the states shows
//! repeat
//!     make room for the guess, and relations for every step
//!     reached := everything that the relations reach from the initial state
//!     if some reached state needs more room: widen the guess, and begin again
//! until there is none
//! ```
use std::collections::BTreeSet;
use std::time::{Duration, Instant};

use diagram::{Decision, Function, Growth, Outcome, Progress, Reached, Search, Space};
use engine::Statistics;
use model::Model;
use model::semantics::{Semantics, State};
use optimize::Pass;

use crate::cell::Cell;
use crate::encoding::Encoding;
use crate::guess::{Guess, Need};
use crate::improviso::{Reduced, improviso};
use crate::layout::Layout;
use crate::run::{Mistake, NODE, Reduction, Run};
use crate::stop::{Refusal, Result, Stop};
use crate::system::System;
use crate::{check, order};

/// A better order may need so many times the nodes of the first one while relations are built.
const PATIENCE: usize = 2;

/// So many nodes are nothing.
const FEW: usize = 1 << 15;

/// A model as relations, and everything that they reach.
#[derive(Clone, Copy)]
pub struct Explored<'a> {
    /// What was asked.
    pub run: &'a Run<'a>,
    /// The cells.
    pub encoding: &'a Encoding<'a>,
    /// The relations.
    pub system: &'a System,
    /// The reference.
    pub reference: &'a Semantics<'a>,
    /// What room was made for.
    pub guess: &'a Guess,
    /// The state in which the system starts.
    pub initial: &'a State,
    /// Its bits.
    pub start: &'a Function,
    /// All that is reached: states, and points between them where a process goes on alone.
    pub reached: &'a Function,
    /// How many nodes there were while it was reached.
    pub record: &'a [Progress],
    /// What else a search came to that left out steps. Then only safety may be asked.
    pub reduced: Option<&'a Reduced>,
    /// What it took to build the relations.
    pub built: Duration,
    /// What it took to reach all that.
    pub searched: Duration,
}

/// Explores a model and answers a question about it. The question is asked once, when nothing is left out.
pub fn explore<T>(run: &Run<'_>, ask: &mut dyn FnMut(&Explored<'_>) -> Result<T>) -> Result<T> {
    widening(run, Reduction::None, ask)
}

/// The same without steps that need not be interleaved: enough for questions of safety.
pub fn explore_reduced<T>(run: &Run<'_>, ask: &mut dyn FnMut(&Explored<'_>) -> Result<T>) -> Result<T> {
    widening(run, Reduction::ImProviso, ask)
}

fn widening<T>(run: &Run<'_>, reduction: Reduction, ask: &mut dyn FnMut(&Explored<'_>) -> Result<T>) -> Result<T> {
    // Neither changes the number of states.
    let model = optimize::optimize(run.model, &[Pass::Fold, Pass::Range]);
    check::check(&model)?;
    let reference = Semantics::new(&model);
    let initial = reference.initial().map_err(Stop::NoStart)?;
    let mut effort = run.plan.sample;
    let declared = Guess::declared(&reference, &initial);
    let mut guess = declared.map_or_else(|| Guess::sample(&reference, &initial, effort), Ok)?;
    loop {
        let needs = match attempt(run, reduction, (&reference, &initial), &guess, ask)? {
            Attempt::Answer(answer) => return Ok(answer),
            Attempt::Needs(needs) => needs,
        };
        let before = guess.clone();
        if let Some(more) = effort.more() {
            effort = more;
            guess.join(Guess::sample(&reference, &initial, effort)?);
        }
        let still = needs.into_iter().filter(|it| !guess.grew(&before, it.missing)).collect::<Vec<_>>();
        still.into_iter().try_for_each(|need| guess.widen(&model, need))?;
    }
}

/// What came of a guess.
enum Attempt<T> {
    /// It was right.
    Answer(T),
    /// It was too small.
    Needs(Vec<Need>),
}

fn attempt<T>(
    run: &Run<'_>,
    reduction: Reduction,
    (reference, initial): (&Semantics<'_>, &State),
    guess: &Guess,
    ask: &mut dyn FnMut(&Explored<'_>) -> Result<T>,
) -> Result<Attempt<T>> {
    let model = reference.model();
    let layout = arranged(run, model, guess)?;
    let space = run.space(layout.bit_count(), run.room());
    let encoding = Encoding { model, layout: &layout, space: &space, mistake: run.plan.mistake };
    space.group(order::blocks(&layout));
    let start = encoding.encode(reference, initial).ok_or(Stop::Inconsistent("no room for the initial state"))?;
    let start = space.vector(&start)?;
    let began = Instant::now();
    let system = System::new(&encoding, run.pulse)?;
    let built = began.elapsed();
    let reduced = match reduction {
        Reduction::None => None,
        Reduction::ImProviso => Some(improviso(&encoding, &system, &start, run.pulse)?),
    };
    let (reached, record) = match &reduced {
        None => {
            let reached = searched_by(run, Search::forward(&space, &start, &system.relations))?;
            (reached.set, reached.record)
        }
        Some(reduced) => (reduced.reached.clone(), Vec::new()),
    };
    let searched = began.elapsed() - built;
    let needs = needs(&system, &reached)?;
    if !needs.is_empty() && run.plan.mistake != Some(Mistake::LostNeed) {
        return Ok(Attempt::Needs(needs));
    }
    let (encoding, system, start, reached) = (&encoding, &system, &start, &reached);
    let (record, reduced) = (&*record, reduced.as_ref());
    let explored =
        Explored { run, encoding, system, reference, guess, initial, start, reached, record, reduced, built, searched };
    ask(&explored).map(Attempt::Answer)
}

/// A place for every bit. The relations that a first order leads to say what belongs together, and so which order may be better.
fn arranged(run: &Run<'_>, model: &Model, guess: &Guess) -> Result<Layout> {
    let mut layout = Layout::new(model, guess);
    if run.places > 0 {
        layout.add_claim(run.places);
    }
    layout.place(&order::order(model, &layout));
    if let Some(names) = run.plan.order {
        layout.place(&order::named(model, &layout, names).ok_or_else(no_order)?);
        return Ok(layout);
    }
    let (used, nodes) = drafted(run, model, &layout, run.room())?;
    let mut other = layout.clone();
    other.place(&order::improved(&layout, &used));
    // What is near each other need not be in a good order: an index below what it chooses from makes diagrams large.
    let room = diagram::Limits { nodes: PATIENCE * (nodes + FEW), ..run.room() };
    match drafted(run, model, &other, room) {
        Ok(_) => Ok(other),
        Err(Stop::Full) => run.pulse.check().map(|()| layout),
        Err(stop) => Err(stop),
    }
}

/// The cells that each relation of a layout mentions, and the nodes that it takes to build them.
fn drafted(
    run: &Run<'_>,
    model: &Model,
    layout: &Layout,
    room: diagram::Limits,
) -> Result<(Vec<BTreeSet<Cell>>, usize)> {
    let space = run.space(layout.bit_count(), room);
    let encoding = Encoding { model, layout, space: &space, mistake: run.plan.mistake };
    let draft = System::new(&encoding, run.pulse)?;
    Ok((draft.relations.iter().map(|it| layout.mentioned(it)).collect(), space.peak()))
}

fn no_order() -> Stop {
    Stop::Refused(Refusal {
        message: "the given order names nothing of this model".into(),
        span: text::Span::default(),
        help: "take the order of a run of this model".into(),
    })
}

/// What a search reaches, in the way that the run is told to.
pub fn reach(run: &Run<'_>, search: Search<'_>) -> Result<Function> {
    searched_by(run, search).map(|it| it.set)
}

fn searched_by(run: &Run<'_>, search: Search<'_>) -> Result<Reached> {
    let mut growth = Growth::new(run.plan.sift);
    let mut watch = |progress: &Progress| {
        run.pulse.tell(progress.rounds as u64, progress.nodes as u64 * NODE);
        if run.pulse.check().is_ok() { growth.decide(progress) } else { Decision::Stop }
    };
    let reached = search.run(run.plan.method, &mut watch);
    finished(reached.outcome).map(|()| reached)
}

/// Why a search did not come to its end, if it did not.
pub fn finished(outcome: Outcome) -> Result<()> {
    match outcome {
        Outcome::Complete => Ok(()),
        Outcome::Stopped => Err(Stop::Told),
        Outcome::Full => Err(Stop::Full),
    }
}

/// What reachable states need and there is no room for.
fn needs(system: &System, reached: &Function) -> Result<Vec<Need>> {
    let mut needs: Vec<Need> = Vec::new();
    let is_known = |needs: &[Need], need: &Need| needs.iter().any(|it| it.missing == need.missing);
    for (need, conditions) in &system.needs {
        for condition in conditions {
            if !is_known(&needs, need) && !reached.and(condition)?.is_false() {
                needs.push(*need);
            }
        }
    }
    Ok(needs)
}

impl Explored<'_> {
    /// Where the relations and sets live.
    pub fn space(&self) -> &Space {
        self.encoding.space
    }

    /// The reached states: points at which a process goes on alone are none.
    pub fn states(&self) -> Result<Function> {
        Ok(self.reached.and(&self.system.rests)?)
    }

    fn rounds(&self) -> u64 {
        self.reduced.map_or_else(|| self.record.last().map_or(0, |it| it.rounds as u64), |it| it.rounds)
    }

    /// What it took, with the number of states.
    pub fn statistics(&self) -> Result<Statistics> {
        let (space, layout, began) = (self.space(), self.encoding.layout, self.run.began);
        let count = space.count(&self.states()?);
        let explained = began.elapsed().saturating_sub(self.built + self.searched);
        let mut details = vec![
            ("bits", layout.bit_count().to_string()),
            ("relations", self.system.relations.len().to_string()),
            ("nodes of the relations", nodes(self.system).to_string()),
            ("nodes of the reached set", self.reached.nodes().to_string()),
            ("most nodes at once", space.peak().to_string()),
            ("rounds", self.rounds().to_string()),
            ("building the relations", seconds(self.built)),
            ("reaching", seconds(self.searched)),
            ("all else", seconds(explained)),
        ];
        if let Some(reduced) = self.reduced {
            details.push(("stages", reduced.stages.to_string()));
            details.push(("states in which everybody moved", space.count(&reduced.expanded).to_string()));
        }
        details.push(("order", shown_order(self.encoding.model, layout, space)));
        Ok(Statistics {
            states: u64::try_from(&count).unwrap_or(u64::MAX),
            many_states: u64::try_from(&count).is_err().then(|| count.to_string()),
            state_bytes: layout.bit_count().div_ceil(8) as u64,
            memory: space.bytes() as u64,
            elapsed: began.elapsed(),
            details,
            growth: self.record.iter().map(grown).collect(),
            ..Statistics::default()
        })
    }
}

fn grown(it: &Progress) -> engine::Growth {
    engine::Growth { rounds: it.rounds as u64, nodes: it.nodes as u64, elapsed: it.elapsed }
}

fn seconds(time: Duration) -> String {
    format!("{:.6} s", time.as_secs_f64())
}

/// Nodes of all relations, each for itself.
fn nodes(system: &System) -> usize {
    system.relations.iter().map(|it| it.function().nodes()).sum()
}

/// The cells from the top of the diagrams to the bottom, each where its first bit is now.
fn shown_order(model: &Model, layout: &Layout, space: &Space) -> String {
    let mut places = vec![0; space.bits()];
    space.order().into_iter().enumerate().for_each(|(place, bit)| places[bit] = place);
    let first = |bits: &[usize]| bits.iter().map(|bit| places[*bit]).min();
    let mut cells: Vec<_> = layout.bits.iter().filter_map(|(cell, bits)| Some((first(bits)?, *cell))).collect();
    cells.sort_unstable();
    let names: Vec<String> = cells.iter().map(|it| layout.name(model, it.1)).collect();
    names.join(" ")
}
