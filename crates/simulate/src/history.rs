//! A walk that can be taken back.
use model::semantics::{Fault, Semantics, Step};
use report::{Happening, ShownStep, Terms};

use crate::Walk;

/// A step that was taken, and where it led.
#[derive(Clone)]
pub struct Moment<'a> {
    /// The execution after it.
    pub walk: Walk<'a>,
    /// The step, for people.
    pub shown: ShownStep,
    /// Its messages and texts.
    pub happenings: Vec<Happening>,
}

/// Everything since the beginning, and a place in it.
pub struct History<'a> {
    terms: Terms<'a>,
    first: Walk<'a>,
    moments: Vec<Moment<'a>>,
    at: usize,
}

impl<'a> History<'a> {
    /// Nothing has happened yet.
    pub fn new(terms: Terms<'a>) -> Result<Self, Fault> {
        let system: &'a Semantics<'a> = terms.system;
        Ok(History { terms, first: Walk::new(system)?, moments: Vec::new(), at: 0 })
    }

    /// Names and places.
    pub fn terms(&self) -> Terms<'a> {
        self.terms
    }

    /// The execution at the place.
    pub fn walk(&self) -> &Walk<'a> {
        self.at.checked_sub(1).map_or(&self.first, |row| &self.moments[row].walk)
    }

    /// The steps before the place.
    pub fn past(&self) -> &[Moment<'a>] {
        &self.moments[..self.at]
    }

    /// The steps that were taken back and can be taken again.
    pub fn future(&self) -> &[Moment<'a>] {
        &self.moments[self.at..]
    }

    /// The steps before the place, by numbers.
    pub fn steps(&self) -> Vec<Step> {
        self.past().iter().filter_map(|it| it.walk.last()).map(|it| it.1.step).collect()
    }

    /// Takes a step, by its row; what was taken back is forgotten, unless it is the same step. False if there is no such row.
    pub fn take(&mut self, row: usize) -> bool {
        let Some(choice) = self.walk().choices().get(row) else { return false };
        let same = |it: &Moment<'_>| it.walk.last().is_some_and(|last| last.1.step == choice.step);
        if !self.future().first().is_some_and(same) {
            let mut walk = self.walk().clone();
            walk.take(row);
            self.moments.truncate(self.at);
            self.moments.extend(moment(self.terms, walk));
        }
        self.at += 1;
        true
    }

    /// Takes a step, if it can be taken.
    pub fn follow(&mut self, step: Step) -> bool {
        let row = self.walk().choices().iter().position(|it| it.step == step);
        row.is_some_and(|row| self.take(row))
    }

    /// Goes to the place after so many steps, or to the last one.
    pub fn jump(&mut self, length: usize) {
        self.at = length.min(self.moments.len());
    }
}

/// What is worth keeping of a walk that has just moved.
fn moment<'a>(terms: Terms<'a>, walk: Walk<'a>) -> Option<Moment<'a>> {
    let (before, choice) = walk.last()?;
    let shown = terms.step(walk.length(), choice.step, before, choice.next.as_ref());
    let happenings = terms.happenings(before, &choice.events);
    Some(Moment { walk, shown, happenings })
}
