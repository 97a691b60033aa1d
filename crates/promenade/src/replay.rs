//! A counterexample from a file, taken step by step.
//!
//! Every step is looked for among those that the plain semantics has, so that what is shown is a behaviour of the model as it is now. A trail
//! of SPIN's names statements and processes only. Where it was written with merged statements, some steps have no line: each is the only one
//! where its process is. They are taken when the next line cannot be taken without them, as few as possible; at the end of the trail, if they go wrong.
//! A cycle that does not close, because of them or of variables that its verifier has forgotten, is taken again.
use std::collections::{HashSet, VecDeque};
use std::path::Path;

use certify::Walk;
use engine::{Trace, Violation, ViolationKind};
use model::semantics::{Fault, Semantics, State, Step};
use model::{Expr, Model};
use report::{Scene, ShownStep, Story, Terms, TraceFile, Trail, TrailLine};
use simulate::History;
use text::{Diagnostic, Sources};

use crate::check::{Opened, completed, open};
use crate::violated::{Broken, Meant, Properties};
use crate::{Checked, Input, Options, c_replay, exclusive, load};

/// A counterexample that fits the model.
#[derive(Debug)]
pub struct Replayed {
    /// A sentence without its full stop: what it is of, and what was found at its end.
    pub says: String,
    /// The steps, all of them.
    pub violation: report::Violation,
    /// All that charts and pages show; nothing if the model cannot start.
    pub story: Story,
    /// The model of which they are steps: a program has two.
    pub model: Input,
}

/// Reads a model and a counterexample, and takes its steps.
pub fn replay(input: &Input, trace: &Path, front: &front_promela::Options) -> (Checked, Option<Replayed>) {
    if let Input::Program(program) = input {
        return c_replay::replay(program, trace, front);
    }
    let Opened { mut checked, name, model, .. } = open(input, front, &[]);
    let Some(model) = model else { return (checked, None) };
    let model = completed(model, &Options { progress: true, ..Options::default() });
    let replayed = read(trace).and_then(|it| follow(&model, &name, &checked.sources, &it, trace, &Plain));
    match replayed {
        Ok(replayed) => (checked, Some(Replayed { model: input.clone(), ..replayed })),
        Err(error) => {
            checked.diagnostics.push(error);
            (checked, None)
        }
    }
}

/// A counterexample in one of two formats.
pub(crate) enum Given {
    Own(TraceFile),
    Spin(Trail),
}

/// How steps are named when one does not fit.
pub(crate) trait Words {
    /// One of a file.
    fn recorded(&self, step: &ShownStep) -> String;
    /// One that can be taken instead.
    fn possible(&self, step: &ShownStep) -> String;
}

/// By their statements.
struct Plain;

impl Words for Plain {
    fn recorded(&self, step: &ShownStep) -> String {
        statements(step).join(" and ")
    }

    fn possible(&self, step: &ShownStep) -> String {
        self.recorded(step)
    }
}

fn statements(step: &ShownStep) -> Vec<&str> {
    std::iter::once(&step.mover).chain(&step.partner).map(|it| &*it.statement).collect()
}

pub(crate) fn read(file: &Path) -> Result<Given, Diagnostic> {
    let name = file.display().to_string();
    let text = load::bytes(file).and_then(|it| load::decode(&it)).map_err(|error| load::explain(&name, &error))?;
    let given = match text.trim_start().starts_with('{') {
        true => TraceFile::read(&text).map(Given::Own),
        false => Trail::read(&text).map(Given::Spin),
    };
    given.map_err(|why| {
        let help = "`prom check --trace FILE` writes traces; SPIN's verifiers write trails";
        Diagnostic::global("no-trace", format!("`{name}` is neither a trace nor a trail: {why}")).help(help)
    })
}

/// Takes the steps of a counterexample, or says which is the first that does not fit.
pub(crate) fn follow(
    model: &Model,
    name: &str,
    sources: &Sources,
    given: &Given,
    file: &Path,
    words: &dyn Words,
) -> Result<Replayed, Diagnostic> {
    let system = Semantics::new(model);
    let terms = Terms { system: &system, sources };
    if let Err(fault) = system.initial() {
        return no_start(fault, terms, name, given, file);
    }
    let walk = Walk::along(&system, &[]).map_err(|_| unstartable(name, file))?;
    let meant = match given {
        Given::Own(trace) => Meant { name: Some(trace.property.clone()), ..Meant::default() },
        Given::Spin(trail) => Meant { name: None, claim: trail.claim, progress: trail.progress },
    };
    let properties = Properties::new(model, &meant);
    let mut follower = Follower { model, terms, walk, steps: Vec::new(), file, words, properties };
    let (cycle, of) = match given {
        Given::Own(trace) => {
            follower.take_all(trace)?;
            (trace.cycle_start.map(|it| it.saturating_sub(1)), format!("{}: {}", trace.property, trace.message))
        }
        Given::Spin(trail) => (follower.take_lines(trail)?, "a trail".to_string()),
    };
    let last = match given {
        Given::Spin(trail) if trail.claim_moves.last().is_some_and(|it| it.after == trail.lines.len()) => Last::Claim,
        Given::Spin(_) => Last::Process,
        Given::Own(_) => Last::Certain,
    };
    // With a claim SPIN does not look at where the system may end.
    let ends_late = matches!(given, Given::Spin(Trail { claim: Some(_), .. }));
    Ok(follower.shown(cycle, of, ends_late, last))
}

/// Whose move was the last one of a counterexample, as far as it is not known what is wrong with it.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Last {
    Claim,
    Process,
    Certain,
}

/// Who takes steps does not know where their model came from.
fn nothing() -> Input {
    Input::Bytes { name: String::new(), bytes: Vec::new() }
}

/// A model that cannot start is its own counterexample, without a step.
fn no_start(fault: Fault, terms: Terms<'_>, name: &str, given: &Given, file: &Path) -> Result<Replayed, Diagnostic> {
    let is_empty = match given {
        Given::Own(trace) => trace.steps.is_empty(),
        Given::Spin(trail) => trail.lines.is_empty(),
    };
    let found = Violation { kind: ViolationKind::Start(fault), trace: Trace::default() };
    let violation = terms.violation(&found, &[], 0);
    let replayed = Replayed { says: violation.message.clone(), violation, story: Story::default(), model: nothing() };
    if is_empty { Ok(replayed) } else { Err(unstartable(name, file)) }
}

fn unstartable(name: &str, file: &Path) -> Diagnostic {
    let message = format!("`{}` does not fit: {name} has no initial state", file.display());
    Diagnostic::global("trace-mismatch", message)
}

/// Where a replay is.
struct Follower<'a> {
    model: &'a Model,
    terms: Terms<'a>,
    walk: Walk<'a>,
    steps: Vec<Step>,
    file: &'a Path,
    words: &'a dyn Words,
    properties: Properties<'a>,
}

impl Follower<'_> {
    /// Takes the steps of a file of our own. That the statement is still the same is asked too, for numbers say little.
    fn take_all(&mut self, trace: &TraceFile) -> Result<(), Diagnostic> {
        for (row, recorded) in trace.steps.iter().enumerate() {
            let is_possible = self.walk.steps().contains(&recorded.step);
            let now = is_possible.then(|| self.shown_step(recorded.step));
            let then = &recorded.shown;
            if now.is_none_or(|now| statements(&now) != statements(then)) {
                let (number, what) = (format!("step {}", row + 1), self.words.recorded(then));
                return Err(self.lost(&number, recorded.step.process.into(), &what));
            }
            self.take(recorded.step);
        }
        Ok(())
    }

    /// Takes the steps of a trail; returns the step at which its cycle begins.
    fn take_lines(&mut self, trail: &Trail) -> Result<Option<usize>, Diagnostic> {
        let (mut row, mut cycle) = (0, None);
        while row < trail.lines.len() {
            if trail.cycle == Some(row) {
                cycle = Some(self.steps.len());
            }
            row += self.take_line(trail, row).ok_or_else(|| {
                let TrailLine { process, statement } = trail.lines[row];
                let step = format!("step {} of the trail", row + 1);
                self.lost(&step, process as usize, &format!("statement {statement}"))
            })?;
        }
        match (trail.cycle, cycle) {
            (Some(first), Some(begin)) if !self.is_here(begin) => Ok(Some(self.go_round(trail, first, begin))),
            (Some(_), begin) => Ok(Some(begin.unwrap_or(self.steps.len()))),
            (None, _) => {
                self.take_what_goes_wrong(trail.merged);
                Ok(None)
            }
        }
    }

    /// Takes the step of a line, and those without a line before it; returns how many lines that are.
    fn take_line(&mut self, trail: &Trail, row: usize) -> Option<usize> {
        let (line, partner) = (trail.lines[row], trail.lines.get(row + 1).copied());
        let found = |walk: &Walk<'_>| self.find(walk, line, partner).map(|it| vec![it]);
        let steps = if trail.merged { self.behind_merged(None, found) } else { found(&self.walk) }?;
        let lines = steps.last().map_or(1, |it| 1 + usize::from(it.partner.is_some()));
        steps.into_iter().for_each(|it| self.take(it));
        Some(lines)
    }

    /// Steps without a line at the end, if something goes wrong behind them.
    fn take_what_goes_wrong(&mut self, merged: bool) {
        let (true, Some(last)) = (merged, self.steps.last()) else { return };
        let wrong = |walk: &Walk<'_>| walk.violation().map(|_| Vec::new());
        let steps = self.behind_merged(Some(last.process), wrong).unwrap_or_default();
        steps.into_iter().for_each(|it| self.take(it));
    }

    /// Whether the state after so many steps is the one where the replay is.
    fn is_here(&self, step: usize) -> bool {
        self.walk.states.get(step).is_some_and(|it| it.bytes() == self.walk.here().bytes())
    }

    /// Takes the lines of a cycle again until the state after its first line is one that was there before; returns where the cycle
    /// begins then. If it never closes, the steps are left as they were.
    fn go_round(&mut self, trail: &Trail, first: usize, begin: usize) -> usize {
        let (steps, walk) = (self.steps.clone(), self.walk.branch());
        let mut passed = vec![self.after_first_line(trail, first, begin)];
        for _ in 0..MOST_ROUNDS {
            let Some(mut row) = self.take_line(trail, first).map(|it| first + it) else { break };
            if let Some(&start) = passed.iter().find(|it| self.is_here(**it)) {
                return start;
            }
            passed.push(self.steps.len());
            while let Some(lines) = (row < trail.lines.len()).then(|| self.take_line(trail, row)).flatten() {
                row += lines;
            }
        }
        (self.steps, self.walk) = (steps, walk);
        begin
    }

    /// How many steps there were after the first line of the cycle, when it was taken for the first time.
    fn after_first_line(&self, trail: &Trail, first: usize, begin: usize) -> usize {
        let TrailLine { process, statement } = trail.lines[first];
        let is_it = |(at, it): (usize, &Step)| {
            let state = &self.walk.states[at];
            u32::from(it.process) == process && self.edge(state, it.process, it.edge).statement == statement
        };
        (begin..self.steps.len()).find(|&at| is_it((at, &self.steps[at]))).map_or(begin, |at| at + 1)
    }

    fn take(&mut self, step: Step) {
        self.walk.take(step);
        self.steps.push(step);
    }

    /// The step that a line means, or it and the next, which is the other half of a rendezvous.
    fn find(&self, walk: &Walk<'_>, line: TrailLine, partner: Option<TrailLine>) -> Option<Step> {
        let here = walk.here();
        let means = |process: u8, edge, line: TrailLine| {
            u32::from(process) == line.process && self.edge(here, process, edge).statement == line.statement
        };
        walk.steps().into_iter().find(|it| {
            let joins = |(process, edge)| partner.is_some_and(|line| means(process, edge, line));
            means(it.process, it.edge, line) && it.partner.is_none_or(joins)
        })
    }

    /// What is found after as few steps without a line as possible, with these steps before it; `only` one process takes them, if given.
    fn behind_merged(&self, only: Option<u8>, find: impl Fn(&Walk<'_>) -> Option<Vec<Step>>) -> Option<Vec<Step>> {
        let (mut seen, mut waiting) = (HashSet::new(), VecDeque::from([(self.walk.branch(), Vec::new())]));
        while let Some((walk, path)) = waiting.pop_front() {
            if let Some(steps) = find(&walk) {
                return Some([path, steps].concat());
            }
            if seen.len() < MOST_TRIED && seen.insert(walk.here().bytes().to_vec()) {
                let wanted =
                    |it: &Step| only.is_none_or(|only| only == it.process) && self.may_be_merged(walk.here(), *it);
                for step in walk.steps().into_iter().filter(wanted) {
                    let (mut walk, mut path) = (walk.branch(), path.clone());
                    walk.take(step);
                    path.push(step);
                    waiting.push_back((walk, path));
                }
            }
        }
        None
    }

    /// Whether a step is the only one where its process is.
    fn may_be_merged(&self, state: &State, step: Step) -> bool {
        let process = usize::from(step.process);
        let graph = self.model.process(state.type_of(process));
        step.partner.is_none() && graph.outgoing(state.location_of(process)).count() == 1
    }

    fn edge(&self, state: &State, process: u8, edge: model::EdgeId) -> &model::Edge {
        self.model.process(state.type_of(usize::from(process))).edge(edge)
    }

    /// A step that can be taken here, as a file shows it.
    fn shown_step(&self, step: Step) -> ShownStep {
        self.terms.step(self.steps.len() + 1, step, self.walk.here(), None)
    }

    fn lost(&self, step: &str, process: usize, what: &str) -> Diagnostic {
        let message = format!(
            "{step} in `{}` does not fit the model: process {process} cannot take it here: {what}",
            self.file.display()
        );
        let own = self.walk.steps().into_iter().filter(|it| usize::from(it.process) == process);
        let mut possible: Vec<String> = own.map(|it| self.words.possible(&self.shown_step(it))).collect();
        possible.dedup();
        let help = match (process < self.walk.here().process_count(), possible.is_empty()) {
            (false, _) => format!("there are {} processes here", self.walk.here().process_count()),
            (true, true) => "it can do nothing here".into(),
            (true, false) => format!("it can do this: {}", possible.join(", ")),
        };
        Diagnostic::global("trace-mismatch", message).help(help)
    }

    fn shown(self, cycle: Option<usize>, of: String, ends_late: bool, last: Last) -> Replayed {
        let trace = Trace { steps: self.steps.clone(), cycle };
        let ends = self.walk.violation();
        let is_late =
            ends.is_none() || cycle.is_some() || ends_late && matches!(ends, Some(ViolationKind::InvalidEnd { .. }));
        let broken = is_late.then(|| self.properties.violated(self.terms, &trace, self.walk.here())).flatten();
        let (violation, end) = match broken {
            Some(Broken { property, shown }) => {
                let end = format!("{property}: {}", shown.message);
                (shown, end)
            }
            None => self.asked(&trace, ends, last).unwrap_or_else(|| self.plain(trace, ends)),
        };
        let says = if of.ends_with(&end) { of } else { format!("{of}; here: {end}") };
        let story = story(self.model, self.terms.sources, &says, &violation);
        Replayed { says, violation, story, model: nothing() }
    }

    /// That the last move asks about a channel of others, if nothing else is wrong.
    fn asked(&self, trace: &Trace, ends: Option<ViolationKind>, last: Last) -> Option<(report::Violation, String)> {
        if ends.is_some() || trace.cycle.is_some() {
            return None;
        }
        let (who, owner, what) = match last {
            Last::Claim => {
                let (here, property) = (self.walk.here(), self.properties.likely()?);
                let asked = |it: &Expr| exclusive::owner(self.terms.system, here, None, it);
                let owner = property.observes.iter().find_map(asked)?;
                ("the claim".to_string(), self.terms.process(here, owner), property.name.clone())
            }
            Last::Process => {
                let (step, before) = (self.steps.last()?, self.walk.states.get(self.steps.len() - 1)?);
                let (process, edge) = (usize::from(step.process), self.edge(before, step.process, step.edge));
                let owner = exclusive::owner(self.terms.system, before, Some(process), &edge.guard)?;
                (self.terms.process(before, process), self.terms.process(before, owner), edge.text.clone())
            }
            Last::Certain => return None,
        };
        let message = format!("{who} asks about a channel that {owner} has declared its own: {what}");
        let (plain, _) = self.plain(trace.clone(), None);
        Some((report::Violation { kind: "xr-xs", message: message.clone(), ..plain }, message))
    }

    /// What is there at the end, if no property of whole executions is known to be violated.
    fn plain(&self, trace: Trace, ends: Option<ViolationKind>) -> (report::Violation, String) {
        let closes = trace.cycle.is_some_and(|it| self.is_here(it));
        let found = Violation { kind: ends.unwrap_or(ViolationKind::Cycle), trace };
        let violation = self.terms.violation(&found, &self.walk.states, usize::MAX);
        let end = match (found.trace.cycle, ends) {
            (Some(it), _) if it == found.trace.steps.len() => "nothing moves any more at its end".to_string(),
            (Some(_), _) if closes => "its cycle leads back to where it began".into(),
            (Some(_), _) => "its cycle does not lead back to where it began".into(),
            (None, Some(_)) => violation.message.clone(),
            (None, None) => "no step goes wrong, and its end is not an invalid one".into(),
        };
        (violation, end)
    }
}

/// Everything that happens along the steps of a violation.
fn story(model: &Model, sources: &Sources, says: &str, violation: &report::Violation) -> Story {
    let system = Semantics::new(model).listening();
    let terms = Terms { system: &system, sources };
    let Ok(mut history) = History::new(terms) else { return Story::default() };
    let files = sources.files().map(|it| (it.name.clone(), it.text.clone())).collect();
    let mut story = Story { says: says.into(), cycle_start: violation.cycle_start, sources: files, ..Story::default() };
    let names = |state: &State| (0..state.process_count()).map(|it| terms.process(state, it)).collect::<Vec<_>>();
    let values = |state: &State| {
        let snapshot = terms.snapshot(state);
        let own = snapshot.processes.into_iter().flat_map(|process| {
            process.values.into_iter().map(move |(name, value)| (format!("{}.{name}", process.process), value))
        });
        snapshot.globals.into_iter().chain(own)
    };
    story.record(0, values(history.walk().here()));
    story.processes = names(history.walk().here());
    for &step in &violation.trace.steps {
        let before = history.walk().here().clone();
        if !history.follow(step) {
            break;
        }
        let others = others(model, &before, step);
        let here = history.walk().here().clone();
        story.record(history.past().len(), values(&here));
        let processes = names(&here);
        for (row, name) in processes.iter().enumerate() {
            match story.processes.get_mut(row) {
                None => story.processes.push(name.clone()),
                Some(known) if !known.contains(&**name) => *known += &format!(", {name}"),
                Some(_) => {}
            }
        }
        let Some(moment) = history.past().last() else { break };
        let (shown, happenings) = (moment.shown.clone(), moment.happenings.clone());
        let (process, partner) = (step.process.into(), step.partner.map(|it| it.0.into()));
        story.scenes.push(Scene { shown, process, partner, others, happenings, processes });
    }
    story
}

/// Who else takes part in an action, by number.
fn others(model: &Model, before: &State, step: Step) -> Option<Vec<usize>> {
    let mover = before.type_of(step.process.into());
    let kinds = model.participants.get(&(mover, step.edge))?;
    let numbers = kinds.iter().map(|kind| (0..before.process_count()).find(|&it| before.type_of(it) == *kind));
    Some(numbers.flatten().collect())
}

/// The most states that are looked at between two lines of a trail.
const MOST_TRIED: usize = 2_000;

/// How often a cycle is taken until it closes.
const MOST_ROUNDS: usize = 300;
