//! From what was found in a model back to the C program: places, statements, and what an answer means.
//!
//! A model that does everything that the program does, and perhaps more, is a proof where nothing is violated (fail-safe abstraction, Holzmann
//! 2000, section 6). Where it may do less, or says what a table says, nothing is proved. A counterexample is one of the program
//! if none of its steps depends on what the model does not know.
use extract::{Fragment, Model, Origin, Quality};
use report::{Answer, Outcome, ProcessState, Reason, Report, ShownStep, Unreached, Violation, Where};
use text::{Sources, Span};

use crate::c_program::Reading;
use crate::{Extra, Options};

/// Rows that are named; of more only the number is said.
const NAMED: usize = 4;

/// What is needed to tell what was found in terms of the program.
pub(crate) struct Lifting<'a> {
    pub model: &'a Model,
    pub sources: &'a Sources,
    pub reading: &'a Reading,
    pub options: &'a Options,
}

fn origin(model: &Model, line: u32) -> Option<&Origin> {
    model.origins.get((line as usize).checked_sub(1)?)?.as_ref()
}

/// What a verdict on a model means for its program, in one sentence.
pub fn meaning(model: &Model) -> String {
    let count = |quality| model.fragments.iter().filter(|it| it.quality == quality).count();
    let (exact, more) = (count(Quality::Exact), count(Quality::More));
    let (yours, less) = (count(Quality::Yours), count(Quality::Less));
    let rows = [(exact, "exact"), (more, "over-approximate"), (less, "restrict"), (yours, "as a table says")];
    let rows: Vec<String> = rows.iter().filter(|it| it.0 > 0).map(|it| format!("{} {}", it.0, it.1)).collect();
    let holds = match (less, yours) {
        (0, 0) => "what holds in the model holds of the program",
        (0, _) => "what holds in the model holds of the program if the table is right",
        _ => "what holds in the model is not proved of the program",
    };
    let found = match (more, yours, less) {
        (0, 0, 0) => "and a counterexample is one of the program",
        _ => "and a counterexample says whether it is certain",
    };
    format!("{} fragments ({}): {holds}, {found}", model.fragments.len(), rows.join(", "))
}

/// Whether a counterexample needs threads that outlive the program.
pub(crate) fn goes_on(report: &Report, model: &Model) -> bool {
    let mut steps = report.results.iter().flat_map(|it| &it.violations).flat_map(|it| &it.steps);
    steps.any(|it| origin(model, it.mover.place.line).is_some_and(|it| it.goes_on))
}

impl Lifting<'_> {
    /// Puts places and statements of the program where those of the model were, and answers where the model's answers were. What fails for
    /// the [limits](Self::limits) of the model is no longer there.
    pub(crate) fn report(&self, report: &mut Report, file: &str) {
        report.model = file.into();
        for outcome in &mut report.results {
            if outcome.answer == Answer::Holds {
                self.holds(outcome);
            }
            outcome.violations.iter_mut().chain(&mut outcome.witness).for_each(|it| self.violation(it));
            // Threads that outlive the program are the model's own, and the end of a function is no statement.
            let ours = |it: &Unreached| {
                it.statements == ["-end-"] || origin(self.model, it.place.line).is_some_and(|it| it.goes_on)
            };
            outcome.coverage.iter_mut().for_each(|it| it.unreached.retain(|it| !ours(it)));
            for unreached in outcome.coverage.iter_mut().flat_map(|it| &mut it.unreached) {
                self.moved(&mut unreached.place);
            }
        }
    }

    /// An assertion of the model's own that fails says nothing of the program.
    pub(crate) fn limits(&self, outcome: &mut Outcome) {
        let Some(because) = outcome.violations.iter().find_map(|it| self.limit(it)) else { return };
        outcome.violations.retain(|it| self.limit(it).is_none());
        outcome.errors = outcome.violations.len() as u64;
        if outcome.violations.is_empty() {
            outcome.complete = false;
            outcome.answer = Answer::Unknown(Reason {
                because,
                advice: "Use smaller numbers or fewer threads; a row in a table can say what the statement becomes."
                    .into(),
            });
        }
    }

    /// What the model does not have, if that is all that is wrong.
    pub(crate) fn limit(&self, it: &Violation) -> Option<String> {
        let mut place = it.place.clone().filter(|_| it.kind == "assertion")?;
        origin(self.model, place.line).filter(|it| it.limit)?;
        self.moved(&mut place);
        Some(format!(
            "at {} a number needs more than 32 bits, or there are more than 7 threads, which the model does not have",
            place.short()
        ))
    }

    fn rows(&self, quality: Quality) -> Vec<&Fragment> {
        self.model.fragments.iter().filter(|it| it.quality == quality).collect()
    }

    /// What holds of the model: what that means for the program.
    fn holds(&self, outcome: &mut Outcome) {
        let (less, yours, more) = (self.rows(Quality::Less), self.rows(Quality::Yours), self.rows(Quality::More));
        let branching = self.options.extras.iter().any(|it| matches!(it, Extra::Branching(_)));
        let harness = self.reading.harness.is_some() || !self.reading.functions.is_empty();
        if !less.is_empty() {
            outcome.answer = Answer::Unknown(Reason {
                because: format!("it holds in the model, which may do less than the program: {}", self.named(&less)),
                advice: "A row in a table can say what such a fragment becomes (`prom extract --show-table`).".into(),
            });
        } else if (!yours.is_empty() || harness) && !self.reading.trust_table {
            let rests = if yours.is_empty() { "the functions that were chosen".into() } else { self.named(&yours) };
            outcome.answer = Answer::Unknown(Reason {
                because: format!("it holds in the model; whether it does in the program depends on {rests}"),
                advice: "With `--trust-table` what the table and the harness say counts as right.".into(),
            });
        } else if !more.is_empty() && branching {
            outcome.answer = Answer::Unknown(Reason {
                because: format!("it holds in the model, which does more than the program: {}", self.named(&more)),
                advice: "Branching time asks for an exact model.".into(),
            });
        } else {
            let says = match (more.len(), yours.len() + usize::from(harness)) {
                (0, 0) => "the model is exact: it holds of the program".to_string(),
                (count, 0) => format!(
                    "the model does everything that the program does, and more at {count} of its fragments: it holds of the program"
                ),
                _ => "it holds of the program if what the table and the harness say is right".to_string(),
            };
            outcome.vacuous = Some(match outcome.vacuous.take() {
                Some(known) => format!("{known} ({says})"),
                None => says,
            });
        }
    }

    fn named(&self, list: &[&Fragment]) -> String {
        let mut rows: Vec<String> = list
            .iter()
            .take(NAMED)
            .map(|it| {
                let place = self.sources.place(it.span);
                let why = if it.why.is_empty() { String::new() } else { format!(" ({})", it.why) };
                format!("`{}: {}` at {}:{}{why}", it.class, it.text, place.file, place.line)
            })
            .collect();
        if list.len() > NAMED {
            rows.push(format!("and {} more", list.len() - NAMED));
        }
        rows.join("; ")
    }

    /// A step in terms of the program; what it depends on is added to `doubtful`.
    pub(crate) fn step(&self, step: &mut ShownStep, doubtful: &mut Vec<String>) {
        step.changes.retain(|it| !self.is_ours(it));
        step.changes.iter_mut().for_each(|it| *it = self.in_c(it));
        for half in std::iter::once(&mut step.mover).chain(&mut step.partner) {
            let here = origin(self.model, half.place.line);
            doubtful.extend(here.and_then(|it| it.uncertain.clone()));
            if let Some(text) = self.moved(&mut half.place) {
                half.statement = text;
            }
        }
    }

    /// A counterexample in terms of the program.
    pub(crate) fn violation(&self, it: &mut Violation) {
        let mut doubtful: Vec<String> = Vec::new();
        it.steps.iter_mut().for_each(|it| self.step(it, &mut doubtful));
        if let Some(place) = &mut it.place {
            doubtful.extend(origin(self.model, place.line).and_then(|it| it.uncertain.clone()));
            if let Some(text) = self.moved(place) {
                it.statement = Some(text);
            }
        }
        for process in &mut it.last.processes {
            process.values.retain(|it| !self.is_ours(&it.0));
            if let Some(text) = self.moved(&mut process.place) {
                process.next = text;
            }
        }
        it.last.globals.retain(|it| !self.is_ours(&it.0));
        for (name, value) in &mut it.last.globals {
            if let Some(state) = self.lock_state(name, value) {
                *value = state;
            }
        }
        blame(it);
        it.message = in_words(it);
        let hides = |it: &&Fragment| it.quality == Quality::Yours && matches!(&*it.becomes, "hide" | "comment");
        doubtful.extend(
            self.model.fragments.iter().filter(hides).take(NAMED).map(|it| format!("the row for `{}`", it.text)),
        );
        doubtful.sort();
        doubtful.dedup();
        let says = match doubtful.is_empty() {
            true => "certain: every step is one of the program".to_string(),
            false => format!("not certain: it depends on {}", doubtful.join(", ")),
        };
        it.message = format!("{} ({says})", it.message);
        fold(it);
        self.shorten(it);
    }

    /// Steps in the middle are left out as of any other counterexample.
    fn shorten(&self, it: &mut Violation) {
        let most = self.options.steps;
        if it.steps.len() > most {
            let behind = it.steps.len() - most / 2;
            let first = most - most / 2;
            it.steps.drain(first..behind);
        }
    }

    /// Whether a variable is one that the program does not have.
    pub(crate) fn is_ours(&self, change: &str) -> bool {
        let own = change.split_once(").").map_or(change, |it| it.1);
        let name = own.split([' ', '[', '=']).next().unwrap_or("");
        ["threads", "running", "done", "self", "exited"].contains(&name)
            || name.starts_with("argument_")
            || self.model.temporaries.iter().any(|it| it == name)
    }

    /// Whether a lock is held, and by whom.
    pub(crate) fn lock_state(&self, name: &str, value: &str) -> Option<String> {
        let plain: String = name
            .split('[')
            .enumerate()
            .map(|(at, it)| if at == 0 { it } else { it.split_once(']').map_or("", |it| it.1) })
            .collect();
        let is_lock = self.model.locks.contains(&plain);
        match value.parse::<u32>().ok().filter(|_| is_lock)? {
            0 => Some("free".into()),
            owner => Some(format!("held by thread {}", owner - 1)),
        }
    }

    /// A change in terms of the program.
    fn in_c(&self, change: &str) -> String {
        let Some((name, value)) = change.split_once(" = ") else { return change.to_string() };
        self.lock_state(name, value).map_or_else(|| change.to_string(), |it| format!("{name} is {it}"))
    }

    /// Moves a place from the model to the program; the statement there.
    pub(crate) fn moved(&self, place: &mut Where) -> Option<String> {
        let (span, text) = self.statement(place.line)?;
        let found = self.sources.place(span);
        *place = Where { file: found.file.to_string(), line: found.line };
        Some(text)
    }

    /// The statement of the program that a line of the model comes from.
    pub(crate) fn statement(&self, line: u32) -> Option<(Span, String)> {
        let Origin { span, says, .. } = origin(self.model, line)?;
        let text = self.sources.slice(*span).lines().next().unwrap_or("").trim();
        Some((*span, says.map_or(text, |it| it).to_string()))
    }
}

/// What is wrong, in terms of the program.
fn in_words(it: &Violation) -> String {
    let Some(statement) = &it.statement else { return it.message.clone() };
    let thread = it.process.as_deref().unwrap_or("a thread");
    match it.kind {
        "assertion" if statement.contains("unlock") => format!("{thread} unlocks what it has not locked: {statement}"),
        "assertion" if statement.contains("wait") => format!("{thread} waits without the lock: {statement}"),
        "assertion" if statement.contains("assert") => format!("assertion violated: {statement}"),
        "assertion" if statement.contains("abort") || statement.contains("__builtin_") => {
            format!("the program is given up: {statement}")
        }
        "assertion" if statement.contains(['[', '*']) => format!("an index is out of its bounds: {statement}"),
        "assertion" => format!("assertion violated: {statement}"),
        "invalid-end-state" => format!("deadlock: {}", waiting(it)),
        _ => format!("{}: {statement}", it.message.split(':').next().unwrap_or("")),
    }
}

/// A deadlock is shown where somebody waits for something else than the end of a thread.
fn blame(it: &mut Violation) {
    if it.kind != "invalid-end-state" {
        return;
    }
    let waits = |process: &&ProcessState| waits(process) && !process.next.contains("_join");
    if let Some(first) = it.last.processes.iter().find(waits) {
        it.place = Some(first.place.clone());
        it.process = Some(first.process.clone());
        it.statement = Some(first.next.clone());
    }
}

fn waits(it: &ProcessState) -> bool {
    !it.next.is_empty() && it.next != "the thread has ended"
}

/// Everybody who waits.
fn waiting(it: &Violation) -> String {
    let list: Vec<String> = it
        .last
        .processes
        .iter()
        .filter(|it| waits(it))
        .map(|it| format!("{} waits at line {}", it.process, it.place.line))
        .collect();
    list.join(", ")
}

/// Steps of one thread at one statement, one after the other, are shown as one; a cycle stays as it is.
fn fold(it: &mut Violation) {
    if it.cycle_start.is_some() || !it.remarks.is_empty() {
        return;
    }
    it.steps.dedup_by(|next, kept| {
        let same = is_same(kept, next);
        if same {
            kept.changes.append(&mut next.changes);
        }
        same
    });
    it.steps.iter_mut().enumerate().for_each(|(at, it)| it.number = at + 1);
    it.length = it.steps.len();
}

/// Whether two steps are parts of one statement of one thread.
pub(crate) fn is_same(one: &ShownStep, next: &ShownStep) -> bool {
    next.partner.is_none() && one.partner.is_none() && next.mover == one.mover
}
