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
    /// Cells that have these codes in all these states when the step begins; the changes say so, too, until they change.
    pub assumed: BTreeMap<Cell, u32>,
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
    pub needs: BTreeMap<Need, Vec<Function>>,
}

impl Notes {
    /// More room is needed.
    pub fn need(&mut self, need: Need, condition: &Function) -> Result<()> {
        gather(self.needs.entry(need).or_default(), condition.clone())
    }
}

/// Adds a part to a union. It is joined with the last part if that makes no larger diagrams; a union of parts that have little in common can be far
/// larger than all of them.
pub fn gather(parts: &mut Vec<Function>, part: Function) -> Result<()> {
    if part.is_false() {
        return Ok(());
    }
    if let Some(last) = parts.last_mut() {
        let both = last.or(&part)?;
        if both.nodes() <= last.nodes() + part.nodes() {
            *last = both;
            return Ok(());
        }
    }
    parts.push(part);
    Ok(())
}

impl Case {
    /// Nothing has been done yet.
    pub fn new(condition: Function) -> Self {
        Case { condition, changes: Changes::new(), spawned: None, assumed: BTreeMap::new() }
    }

    /// The same in fewer states.
    pub fn within(&self, condition: &Function) -> Result<Case> {
        Ok(Case { condition: self.condition.and(condition)?, ..self.clone() })
    }

    /// The same in fewer states.
    pub fn outside(&self, condition: &Function) -> Result<Case> {
        Ok(Case { condition: self.condition.minus(condition)?, ..self.clone() })
    }

    /// The same where a cell that has not changed has a code.
    pub fn assuming(&self, encoding: &Encoding<'_>, cell: Cell, code: u32) -> Result<Case> {
        let mut case = self.within(&encoding.has_code(&self.changes, cell, code)?)?;
        case.changes.insert(cell, encoding.code(cell, code));
        case.assumed.insert(cell, code);
        Ok(case)
    }

    /// What changes, but for what is only assumed.
    pub fn real_changes(mut self, encoding: &Encoding<'_>) -> Changes {
        let same = |changes: &Changes, cell: Cell, code| changes.get(&cell) == Some(&encoding.code(cell, code));
        for (&cell, &code) in &self.assumed {
            if same(&self.changes, cell, code) {
                self.changes.remove(&cell);
            }
        }
        self.changes
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

/// Cases of different states as one for each assumption.
pub fn merge(encoding: &Encoding<'_>, cases: Vec<Case>) -> Result<Vec<Case>> {
    let mut merged: BTreeMap<BTreeMap<Cell, u32>, Case> = BTreeMap::new();
    for case in cases {
        let both = match merged.get(&case.assumed) {
            Some(known) => merge_two(encoding, &case, known)?,
            None => case,
        };
        merged.insert(both.assumed.clone(), both);
    }
    Ok(merged.into_values().collect())
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
    let (condition, assumed) = (one.condition.or(&other.condition)?, one.assumed.clone());
    Ok(Case { condition, changes, spawned, assumed })
}
