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
use std::time::{Duration, Instant};

use diagram::{Decision, Function, Outcome, Progress, Reached, Search, Space};
use engine::{Growth, Statistics};
use model::Model;
use model::semantics::{Semantics, State};
use optimize::Pass;

use crate::encoding::Encoding;
use crate::guess::{Guess, Need};
use crate::layout::Layout;
use crate::run::{NODE, Run};
use crate::stop::{Result, Stop};
use crate::system::System;
use crate::{check, order};

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
    /// The state in which the system starts.
    pub initial: &'a State,
    /// Its bits.
    pub start: &'a Function,
    /// All that is reached: states, and points between them where a process goes on alone.
    pub reached: &'a Function,
    /// How many nodes there were while it was reached.
    pub record: &'a [Progress],
    /// What it took to build the relations.
    pub built: Duration,
    /// What it took to reach all that.
    pub searched: Duration,
}

/// Explores a model and answers a question about it. The question is asked once, when nothing is left out.
pub fn explore<T>(run: &Run<'_>, ask: &mut dyn FnMut(&Explored<'_>) -> Result<T>) -> Result<T> {
    // Neither changes the number of states.
    let model = optimize::optimize(run.model, &[Pass::Fold, Pass::Range]);
    check::check(&model)?;
    let reference = Semantics::new(&model);
    let initial = reference.initial().map_err(Stop::NoStart)?;
    let mut guess = Guess::sample(&reference, &initial)?;
    loop {
        match attempt(run, &reference, &initial, &guess, ask)? {
            Attempt::Answer(answer) => return Ok(answer),
            Attempt::Needs(needs) => needs.into_iter().try_for_each(|need| guess.widen(need))?,
        }
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
    reference: &Semantics<'_>,
    initial: &State,
    guess: &Guess,
    ask: &mut dyn FnMut(&Explored<'_>) -> Result<T>,
) -> Result<Attempt<T>> {
    let model = reference.model();
    let mut layout = Layout::new(model, guess);
    layout.place(&order::order(model, &layout));
    let space = Space::new(layout.bit_count(), run.room());
    let encoding = Encoding { model, layout: &layout, space: &space, mistake: run.plan.mistake };
    let start = encoding.encode(reference, initial).ok_or(Stop::Inconsistent("no room for the initial state"))?;
    let start = space.vector(&start)?;
    let began = Instant::now();
    let system = System::new(&encoding, run.pulse)?;
    let built = began.elapsed();
    let Reached { set: reached, record, .. } = reach(run, &space, &start, &system)?;
    let searched = began.elapsed() - built;
    let needs = needs(&system, &reached)?;
    if !needs.is_empty() {
        return Ok(Attempt::Needs(needs));
    }
    let (encoding, system, start, reached, record) = (&encoding, &system, &start, &reached, &record);
    ask(&Explored { run, encoding, system, reference, initial, start, reached, record, built, searched })
        .map(Attempt::Answer)
}

fn reach(run: &Run<'_>, space: &Space, start: &Function, system: &System) -> Result<Reached> {
    let mut watch = |progress: &Progress| {
        run.pulse.tell(progress.rounds as u64, progress.nodes as u64 * NODE);
        if run.pulse.check().is_ok() { Decision::Continue } else { Decision::Stop }
    };
    let reached = Search::forward(space, start, &system.relations).run(run.plan.method, &mut watch);
    match reached.outcome {
        Outcome::Complete => Ok(reached),
        Outcome::Stopped => Err(Stop::Told),
        Outcome::Full => Err(Stop::Full),
    }
}

/// What reachable states need and there is no room for.
fn needs(system: &System, reached: &Function) -> Result<Vec<Need>> {
    let mut needs = Vec::new();
    for (need, conditions) in &system.needs {
        for condition in conditions {
            if !needs.contains(need) && !reached.and(condition)?.is_false() {
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

    /// What it took, with the number of states.
    pub fn statistics(&self) -> Result<Statistics> {
        let (space, layout, began) = (self.space(), self.encoding.layout, self.run.began);
        let count = space.count(&self.states()?);
        let explained = began.elapsed().saturating_sub(self.built + self.searched);
        Ok(Statistics {
            states: u64::try_from(&count).unwrap_or(u64::MAX),
            many_states: u64::try_from(&count).is_err().then(|| count.to_string()),
            state_bytes: layout.bit_count().div_ceil(8) as u64,
            memory: space.bytes() as u64,
            elapsed: began.elapsed(),
            details: vec![
                ("bits", layout.bit_count().to_string()),
                ("relations", self.system.relations.len().to_string()),
                ("nodes of the relations", nodes(self.system).to_string()),
                ("nodes of the reached set", self.reached.nodes().to_string()),
                ("most nodes at once", space.peak().to_string()),
                ("rounds", self.record.last().map_or(0, |it| it.rounds).to_string()),
                ("building the relations", seconds(self.built)),
                ("reaching", seconds(self.searched)),
                ("all else", seconds(explained)),
                ("order", shown_order(self.encoding.model, layout)),
            ],
            growth: self.record.iter().map(growth).collect(),
            ..Statistics::default()
        })
    }
}

fn growth(it: &Progress) -> Growth {
    Growth { rounds: it.rounds as u64, nodes: it.nodes as u64, elapsed: it.elapsed }
}

fn seconds(time: Duration) -> String {
    format!("{:.3} s", time.as_secs_f64())
}

/// Nodes of all relations, each for itself.
fn nodes(system: &System) -> usize {
    system.relations.iter().map(|it| it.function().nodes()).sum()
}

/// The cells from the top of the diagrams to the bottom, each where its first bit is.
fn shown_order(model: &Model, layout: &Layout) -> String {
    let mut cells: Vec<_> = layout.bits.iter().filter_map(|(cell, bits)| Some((*bits.iter().min()?, *cell))).collect();
    cells.sort_unstable();
    let names: Vec<String> = cells.iter().map(|it| layout.name(model, it.1)).collect();
    names.join(" ")
}
