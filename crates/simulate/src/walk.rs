//! Where an execution is.
use engine::{Trace, Violation, ViolationKind};
use model::semantics::{Event, Failure, Fault, Semantics, State, Step};
use report::Terms;

/// A step that can be taken, and what it does.
#[derive(Clone, Debug)]
pub struct Choice {
    /// Who does what.
    pub step: Step,
    /// Where it leads; `None` if it goes so wrong that it leads nowhere.
    pub next: Option<State>,
    /// What goes wrong.
    pub failures: Vec<Failure>,
    /// Messages and texts.
    pub events: Vec<Event>,
}

/// Why an execution is at its end, or should be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// The last step went wrong. If it leads somewhere, the execution can go on.
    Failed(Failure),
    /// A condition is false that should hold in every state; the execution can go on.
    Broken(u32, Option<Fault>),
    /// Nothing can move, and this process should not stop where it is.
    Stuck(usize),
    /// Nothing can move, and every process is where it may stop.
    Rests,
    /// There is no process any more.
    Over,
}

/// An execution: where it is and what can be done there.
#[derive(Clone)]
pub struct Walk<'a> {
    system: &'a Semantics<'a>,
    here: State,
    choices: Vec<Choice>,
    last: Option<(State, Choice)>,
    length: usize,
}

impl<'a> Walk<'a> {
    /// From the initial state, if there is one.
    pub fn new(system: &'a Semantics<'a>) -> Result<Self, Fault> {
        let mut walk = Walk { system, here: system.initial()?, choices: Vec::new(), last: None, length: 0 };
        walk.arrive();
        Ok(walk)
    }

    /// The state.
    pub fn here(&self) -> &State {
        &self.here
    }

    /// The steps that can be taken, always in the same order.
    pub fn choices(&self) -> &[Choice] {
        &self.choices
    }

    /// How many steps have been taken.
    pub fn length(&self) -> usize {
        self.length
    }

    /// The last step, and the state before it.
    pub fn last(&self) -> Option<&(State, Choice)> {
        self.last.as_ref()
    }

    /// Takes a step, by its row among the choices; false if there is no such row.
    pub fn take(&mut self, row: usize) -> bool {
        if row >= self.choices.len() {
            return false;
        }
        let choice = self.choices.swap_remove(row);
        let next = choice.next.clone();
        let leads = next.is_some();
        let before = std::mem::replace(&mut self.here, next.unwrap_or_default());
        if !leads {
            self.here = before.clone();
        }
        self.last = Some((before, choice));
        self.length += 1;
        self.choices.clear();
        if leads {
            self.arrive();
        }
        true
    }

    /// Takes a step, if it can be taken.
    pub fn follow(&mut self, step: Step) -> bool {
        let row = self.choices.iter().position(|it| it.step == step);
        row.is_some_and(|row| self.take(row))
    }

    /// Asks what can be done. Who may go on alone but cannot loses that right.
    fn arrive(&mut self) {
        if !self.look() && self.here.exclusive.is_some() {
            self.system.release(&mut self.here);
            self.look();
        }
    }

    fn look(&mut self) -> bool {
        let choices = &mut self.choices;
        self.system.moves(&self.here, &mut |it| {
            let (failures, events) = (it.failures.to_vec(), it.events.to_vec());
            choices.push(Choice { step: it.step, next: it.next.cloned(), failures, events });
        })
    }

    /// What is wrong with the last step or here, or why nothing can be done.
    pub fn end(&self) -> Option<End> {
        let failed = self.last.as_ref().and_then(|it| it.1.failures.first());
        let broken = || self.system.broken_invariant(&self.here).map(|(row, fault)| End::Broken(row as u32, fault));
        let rests = || match self.system.unfinished(&self.here) {
            Some(process) => End::Stuck(process),
            None if self.here.process_count() == 0 => End::Over,
            None => End::Rests,
        };
        let stands = || self.choices.is_empty().then(rests);
        failed.map(|&it| End::Failed(it)).or_else(broken).or_else(stands)
    }

    /// The end as something that a report can speak of; its trace is only the last step.
    pub fn violation(&self, terms: Terms<'_>) -> Option<report::Violation> {
        let kind = match self.end()? {
            End::Failed(failure) => ViolationKind::Step(failure),
            End::Broken(invariant, fault) => ViolationKind::Invariant { invariant, fault },
            End::Stuck(process) => ViolationKind::InvalidEnd { process: process as u8 },
            End::Rests | End::Over => return None,
        };
        let steps = self.last.iter().map(|it| it.1.step).collect();
        let mut states: Vec<State> = self.last.iter().map(|it| it.0.clone()).collect();
        let leads = self.last.as_ref().is_none_or(|it| it.1.next.is_some());
        states.extend(leads.then(|| self.here.clone()));
        Some(terms.violation(&Violation { kind, trace: Trace { steps, cycle: None } }, &states, 1))
    }

    /// Why the execution ends here, if it does, for people.
    pub fn says(&self, terms: Terms<'_>) -> Option<String> {
        Some(match (self.end()?, self.violation(terms)) {
            (_, Some(violation)) => violation.message,
            (End::Over, None) => "every process has ended".into(),
            (_, None) => "nothing can move any more, and every process is where it may stop".into(),
        })
    }
}

impl End {
    /// Whether it is an error.
    pub fn is_error(self) -> bool {
        !matches!(self, End::Rests | End::Over)
    }
}
