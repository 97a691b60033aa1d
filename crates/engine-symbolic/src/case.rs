//! Steps in the making: what has been done so far in which states.
use std::collections::BTreeMap;

use diagram::Function;
use model::EdgeId;

use crate::cell::Cell;
use crate::encoding::{Changes, Encoding};
use crate::guess::Need;
use crate::number::Number;
use crate::stop::Result;
use crate::trouble::Trouble;

/// In the states of the condition, a step has changed these cells so far.
#[derive(Clone, Debug)]
pub struct Case {
    /// Where.
    pub condition: Function,
    /// What.
    pub changes: Changes,
    /// The process that was created.
    pub spawned: Option<Number>,
}

/// What an effect makes of a case: it happens in some states and has to wait in others.
#[derive(Debug, Default)]
pub struct Outcome {
    /// It has happened.
    pub done: Vec<Case>,
    /// It has to wait.
    pub blocked: Vec<Case>,
}

/// Everything about a step but what it does.
#[derive(Debug, Default)]
pub struct Notes {
    /// Where the step has no meaning.
    pub faults: Vec<(Trouble, EdgeId, Function)>,
    /// Where it goes wrong, but goes on.
    pub failures: Vec<(Trouble, EdgeId, Function)>,
    /// Where it needs more room than there is.
    pub needs: BTreeMap<Need, Function>,
}

impl Notes {
    /// More room is needed.
    pub fn need(&mut self, need: Need, condition: &Function) -> Result<()> {
        if condition.is_false() {
            return Ok(());
        }
        let known = match self.needs.get(&need) {
            Some(known) => known.or(condition)?,
            None => condition.clone(),
        };
        self.needs.insert(need, known);
        Ok(())
    }
}

impl Case {
    /// Nothing has been done yet.
    pub fn new(condition: Function) -> Self {
        Case { condition, changes: Changes::new(), spawned: None }
    }

    /// The same in fewer states.
    pub fn within(&self, condition: &Function) -> Result<Case> {
        Ok(Case { condition: self.condition.and(condition)?, ..self.clone() })
    }

    /// The same in fewer states.
    pub fn outside(&self, condition: &Function) -> Result<Case> {
        Ok(Case { condition: self.condition.minus(condition)?, ..self.clone() })
    }

    /// Whether there is no such state.
    pub fn is_empty(&self) -> bool {
        self.condition.is_false()
    }
}

impl Outcome {
    /// Adds a case that is done.
    pub fn done(&mut self, case: Case) {
        self.done.extend(Some(case).filter(|it| !it.is_empty()));
    }

    /// Adds a case that has to wait.
    pub fn blocked(&mut self, case: Case) {
        self.blocked.extend(Some(case).filter(|it| !it.is_empty()));
    }
}

/// Cases of different states as one.
pub fn merge(encoding: &Encoding<'_>, cases: Vec<Case>) -> Result<Option<Case>> {
    let mut cases = cases.into_iter();
    let Some(mut merged) = cases.next() else { return Ok(None) };
    for case in cases {
        merged = merge_two(encoding, &case, &merged)?;
    }
    Ok(Some(merged))
}

fn merge_two(encoding: &Encoding<'_>, one: &Case, other: &Case) -> Result<Case> {
    let mut changes = Changes::new();
    let cells: std::collections::BTreeSet<Cell> = one.changes.keys().chain(other.changes.keys()).copied().collect();
    for cell in cells {
        let (yes, no) = (encoding.bits(&one.changes, cell)?, encoding.bits(&other.changes, cell)?);
        let bits = yes.iter().zip(&no).map(|(yes, no)| Ok(one.condition.if_then_else(yes, no)?));
        changes.insert(cell, bits.collect::<Result<_>>()?);
    }
    let zero = || encoding.numbers().constant(0);
    let spawned = match (&one.spawned, &other.spawned) {
        (None, None) => None,
        (yes, no) => {
            let (yes, no) = (yes.clone().unwrap_or_else(zero), no.clone().unwrap_or_else(zero));
            Some(encoding.numbers().choose(&one.condition, &yes, &no)?)
        }
    };
    Ok(Case { condition: one.condition.or(&other.condition)?, changes, spawned })
}
