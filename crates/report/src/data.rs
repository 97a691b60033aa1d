//! The report as data. Every format shows a part of it.
use std::time::Duration;

use engine::{Statistics, Trace};
use model::Direction;

/// Everything there is to say about one run.
#[derive(Clone, Debug)]
pub struct Report {
    /// Version of this tool.
    pub version: String,
    /// The model's file, as the user named it.
    pub model: String,
    /// One per property, in the order in which they were checked.
    pub results: Vec<Outcome>,
    /// The file from which the run can go on, if it was stopped.
    pub checkpoint: Option<String>,
    /// The members, if this is what a swarm of runs says together.
    pub swarm: Vec<Member>,
}

/// What one run of a swarm has reported.
#[derive(Clone, Debug)]
pub struct Member {
    /// What makes it different.
    pub name: String,
    /// `violated` or `unknown`.
    pub verdict: &'static str,
    /// Why it is unknown.
    pub why: Option<String>,
    /// Distinct states stored.
    pub states: u64,
    /// Arrivals at a state.
    pub transitions: u64,
    /// Longest path.
    pub depth: u64,
    /// What it took.
    pub seconds: f64,
    /// The expected fraction of states that it told apart, if it came to its end.
    pub expected_coverage: Option<f64>,
}

/// What is known about one property.
#[derive(Clone, Debug)]
pub struct Outcome {
    /// Its name.
    pub property: String,
    /// Whether it holds.
    pub answer: Answer,
    /// The expected fraction of states that were told apart, if the search came to its end and may have left out some.
    pub expected_coverage: Option<f64>,
    /// Whether the search came to its own end.
    pub complete: bool,
    /// How it was checked.
    pub method: Method,
    /// What that took.
    pub effort: Effort,
    /// Violations found, repetitions included.
    pub errors: u64,
    /// Those that differ.
    pub violations: Vec<Violation>,
    /// What was never reached, per kind of process; empty unless the search was complete.
    pub coverage: Vec<Coverage>,
    /// Why it holds for a reason that nobody may have meant: a sentence.
    pub vacuous: Option<String>,
    /// A path that shows that it holds, if one can.
    pub witness: Option<Violation>,
}

/// Whether a property holds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Answer {
    /// Every behaviour satisfies it.
    Holds,
    /// Some behaviour does not.
    Violated,
    /// Nobody knows.
    Unknown(Reason),
}

/// Why there is no answer, and what to do about it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reason {
    /// A clause without a full stop.
    pub because: String,
    /// A sentence; may be empty.
    pub advice: String,
}

/// How a property was checked, by the names that the options have.
#[derive(Clone, Debug)]
pub struct Method {
    /// `reference`, …
    pub engine: &'static str,
    /// Why it is this one, if another one was asked first: a sentence.
    pub engine_because: Option<String>,
    /// `none`, …
    pub reduction: &'static str,
    /// Why it is this one, if that was not given: a clause.
    pub reduction_because: Option<&'static str>,
    /// What was done to the model before the search: `fold`, …
    pub optimizations: Vec<&'static str>,
    /// `exact`, …
    pub store: &'static str,
    /// `bfs` or `dfs`.
    pub search: &'static str,
    /// Worker threads.
    pub threads: u32,
    /// Whether false assertions count.
    pub assertions: bool,
    /// Whether invalid end states count.
    pub end_states: bool,
    /// Which executions count: `none`, `weak`, `strong`.
    pub fairness: &'static str,
}

/// What a check took.
#[derive(Clone, Debug, Default)]
pub struct Effort {
    /// The search.
    pub statistics: Statistics,
    /// Everything before it.
    pub setup: Duration,
    /// The most memory this program has had, in bytes.
    pub peak_memory: u64,
}

/// Evidence against a property.
#[derive(Clone, Debug)]
pub struct Violation {
    /// A word that programs can rely on, e.g. `assertion`.
    pub kind: &'static str,
    /// One phrase for people.
    pub message: String,
    /// Where it shows; `None` if no place in the source explains it.
    pub place: Option<Where>,
    /// The process that did it or suffers from it, e.g. `P(1)`.
    pub process: Option<String>,
    /// The statement.
    pub statement: Option<String>,
    /// Steps from the initial state.
    pub length: usize,
    /// The number of the step from which on the steps are repeated for ever; one more than there are steps if the
    /// system stands still for ever.
    pub cycle_start: Option<usize>,
    /// The steps, possibly without those in the middle.
    pub steps: Vec<ShownStep>,
    /// What is true on the way, in its order.
    pub remarks: Vec<Remark>,
    /// What everything is at the end.
    pub last: Snapshot,
    /// All steps, by numbers.
    pub trace: Trace,
}

/// What is true somewhere on the way of a counterexample.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Remark {
    /// After so many steps.
    pub after: usize,
    /// A sentence without a full stop.
    pub text: String,
}

/// A place in the source.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Where {
    /// The file, as the user named it.
    pub file: String,
    /// From 1.
    pub line: u32,
}

/// A step of a counterexample.
#[derive(Clone, Debug)]
pub struct ShownStep {
    /// From 1.
    pub number: usize,
    /// Who moves, and how.
    pub mover: Half,
    /// The receiver of a rendezvous.
    pub partner: Option<Half>,
    /// What is different afterwards, e.g. `x = 1`.
    pub changes: Vec<String>,
}

/// What one process does in a step.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Half {
    /// Name and number, e.g. `P(1)`.
    pub process: String,
    /// Where.
    pub place: Where,
    /// The statement.
    pub statement: String,
}

/// A message or a text of a step.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Happening {
    /// Whose, by number.
    pub process: usize,
    /// What it is.
    pub what: What,
}

/// What others see of a step.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum What {
    /// A message.
    Message {
        /// Which way it went.
        direction: Direction,
        /// The channel, from 1 in the order of creation.
        channel: usize,
        /// Its name.
        name: String,
        /// The fields, as the source would write them.
        fields: String,
        /// Which message of the channel it is now, or was; `None` if it was lost because the channel is full.
        slot: Option<u32>,
        /// It was only looked at.
        stays: bool,
    },
    /// What a `printf` wrote.
    Text(String),
}

impl What {
    /// A message as a statement: `q!1,2`, `q?1,2`.
    pub fn statement(&self) -> Option<String> {
        let What::Message { direction, name, fields, stays, .. } = self else { return None };
        Some(match (direction, stays) {
            (Direction::Send, _) => format!("{name}!{fields}"),
            (Direction::Receive, false) => format!("{name}?{fields}"),
            (Direction::Receive, true) => format!("{name}?<{fields}>"),
        })
    }
}

/// A whole state.
#[derive(Clone, Debug, Default)]
pub struct Snapshot {
    /// Global variables and channels: name and value.
    pub globals: Vec<(String, String)>,
    /// Every process, by number.
    pub processes: Vec<ProcessState>,
}

/// Where a process is and what its variables hold.
#[derive(Clone, Debug)]
pub struct ProcessState {
    /// Name and number, e.g. `P(1)`.
    pub process: String,
    /// Where it is.
    pub place: Where,
    /// What it would do next; empty at its end.
    pub next: String,
    /// Its variables: name and value.
    pub values: Vec<(String, String)>,
}

/// How much of a process was reached.
#[derive(Clone, Debug)]
pub struct Coverage {
    /// The name of its type.
    pub process: String,
    /// How many locations it has.
    pub locations: u32,
    /// Those that were not reached.
    pub unreached: Vec<Unreached>,
}

/// A location that was not reached.
#[derive(Clone, Debug)]
pub struct Unreached {
    /// Where it is.
    pub place: Where,
    /// Its number.
    pub number: u32,
    /// What would happen there.
    pub statements: Vec<String>,
}

impl Outcome {
    /// A property about which nothing was found out.
    pub fn unchecked(property: impl Into<String>, reason: Reason) -> Self {
        Outcome {
            property: property.into(),
            answer: Answer::Unknown(reason),
            expected_coverage: None,
            complete: false,
            method: Method::none(),
            effort: Effort::default(),
            errors: 0,
            violations: Vec::new(),
            coverage: Vec::new(),
            vacuous: None,
            witness: None,
        }
    }

    /// Whether anything was searched.
    pub fn is_checked(&self) -> bool {
        self.effort.statistics.states > 0 || !self.violations.is_empty()
    }
}

impl Method {
    fn none() -> Self {
        Method {
            engine: "none",
            reduction: "none",
            engine_because: None,
            reduction_because: None,
            optimizations: Vec::new(),
            store: "none",
            search: "none",
            threads: 0,
            assertions: false,
            end_states: false,
            fairness: "none",
        }
    }
}

impl Where {
    /// `file:line`.
    pub fn short(&self) -> String {
        format!("{}:{}", self.file, self.line)
    }
}

impl Violation {
    /// How many steps are repeated for ever, none if the system stands still.
    pub fn cycle_length(&self) -> Option<usize> {
        self.cycle_start.map(|first| (self.length + 1).saturating_sub(first))
    }
}
