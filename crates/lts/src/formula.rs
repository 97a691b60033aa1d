//! Formulas that are true of one system and not of another, and what they mean.
//!
//! For strong bisimilarity those of Hennessy and Milner, *Algebraic laws for nondeterminism and concurrency*, 1985. For branching bisimilarity a step may come after silent ones, and
//! something may have to hold until then: De Nicola, Vaandrager, *Three logics for branching bisimulation*, 1995. Formulas share their parts.
use std::fmt::Write;

use crate::{Label, Lts, State};

/// A formula, by its row in [`Formulas`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct FormulaId(u32);

/// What can be said of a state.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Formula {
    /// All of these; of none, it is always true.
    All(Vec<FormulaId>),
    /// The opposite.
    Not(FormulaId),
    /// Some step with this label leads to where `then` is true.
    Can {
        /// The label.
        label: Label,
        /// Afterwards.
        then: FormulaId,
    },
    /// The same, after any number of silent steps; `until` is true at the beginning, and after each of these.
    Eventually {
        /// Before the step.
        until: FormulaId,
        /// The label.
        label: Label,
        /// Afterwards.
        then: FormulaId,
    },
    /// Silent steps can go on for ever where this is true.
    Forever(FormulaId),
}

/// Formulas and their parts; parts come before what they are part of.
#[derive(Clone, Debug, Default)]
pub struct Formulas {
    rows: Vec<Formula>,
}

/// A formula that is true of one of two systems.
#[derive(Clone, Debug)]
pub struct Distinction {
    /// All parts.
    pub formulas: Formulas,
    /// The formula, true of the first system and not of the second.
    pub formula: FormulaId,
    /// What labels are called.
    pub labels: Vec<String>,
}

impl Formulas {
    /// Adds a formula.
    pub fn add(&mut self, formula: Formula) -> FormulaId {
        if let Formula::All(parts) = &formula
            && let [only] = parts[..]
        {
            return only;
        }
        if let Formula::Not(inner) = formula
            && let Formula::Not(same) = self.rows[inner.0 as usize]
        {
            return same;
        }
        if let Some(known) = self.rows.iter().position(|it| *it == formula) {
            return FormulaId(known as u32);
        }
        self.rows.push(formula);
        FormulaId(self.rows.len() as u32 - 1)
    }

    /// Where a formula is true, by the definitions alone.
    pub fn holds(&self, lts: &Lts, formula: FormulaId) -> Vec<bool> {
        let mut truths: Vec<Vec<bool>> = Vec::new();
        for row in &self.rows[..=formula.0 as usize] {
            let of = |it: &FormulaId| &truths[it.0 as usize];
            let everywhere = |test: &dyn Fn(State) -> bool| (0..lts.states() as State).map(test).collect();
            let truth = match row {
                Formula::All(parts) => everywhere(&|state| parts.iter().all(|it| of(it)[state as usize])),
                Formula::Not(inner) => everywhere(&|state| !of(inner)[state as usize]),
                Formula::Can { label, then } => everywhere(&|state| can(lts, state, *label, of(then))),
                Formula::Eventually { until, label, then } => {
                    let begin: Vec<bool> =
                        everywhere(&|state| of(until)[state as usize] && can(lts, state, *label, of(then)));
                    least(lts, begin, of(until))
                }
                Formula::Forever(inner) => greatest(lts, of(inner).clone()),
            };
            truths.push(truth);
        }
        truths.pop().unwrap_or_default()
    }
}

fn can(lts: &Lts, state: State, label: Label, then: &[bool]) -> bool {
    lts.outgoing(state).iter().any(|it| it.label == label && then[it.target as usize])
}

/// Grows a set by the states where `until` is true that have a silent step into it.
fn least(lts: &Lts, mut set: Vec<bool>, until: &[bool]) -> Vec<bool> {
    let mut changed = true;
    while std::mem::take(&mut changed) {
        for state in 0..lts.states() as State {
            if !set[state as usize] && until[state as usize] && can(lts, state, Label::SILENT, &set) {
                set[state as usize] = true;
                changed = true;
            }
        }
    }
    set
}

/// Shrinks a set to the states that have a silent step inside it.
fn greatest(lts: &Lts, mut set: Vec<bool>) -> Vec<bool> {
    let mut changed = true;
    while std::mem::take(&mut changed) {
        for state in 0..lts.states() as State {
            if set[state as usize] && !can(lts, state, Label::SILENT, &set) {
                set[state as usize] = false;
                changed = true;
            }
        }
    }
    set
}

impl Distinction {
    /// The formula as text; `None` if it is longer than `most` characters.
    pub fn text(&self, most: usize) -> Option<String> {
        let mut out = String::new();
        self.write(self.formula, false, most, &mut out).then_some(out)
    }

    /// Writes a formula, in brackets if it is `inner` and would need them; false if it became too long.
    fn write(&self, formula: FormulaId, inner: bool, most: usize, out: &mut String) -> bool {
        if out.len() > most {
            return false;
        }
        match &self.formulas.rows[formula.0 as usize] {
            Formula::All(parts) if parts.is_empty() => *out += "true",
            Formula::All(parts) => {
                *out += if inner { "(" } else { "" };
                for (row, &part) in parts.iter().enumerate() {
                    *out += if row > 0 { " && " } else { "" };
                    if !self.write(part, true, most, out) {
                        return false;
                    }
                }
                *out += if inner { ")" } else { "" };
            }
            Formula::Not(negated) => {
                *out += "!";
                return self.write(*negated, true, most, out);
            }
            Formula::Can { label, then } => {
                let _ = write!(out, "<{}> ", self.label(*label));
                return self.write(*then, true, most, out);
            }
            Formula::Eventually { until, label, then } => {
                *out += "<";
                if !self.write_silent(*until, most, out) {
                    return false;
                }
                let _ = write!(out, " . {}> ", self.label(*label));
                return self.write(*then, true, most, out);
            }
            Formula::Forever(inner) => {
                *out += "<";
                if !self.write_silent(*inner, most, out) {
                    return false;
                }
                *out += " for ever> true";
            }
        }
        out.len() <= most
    }

    /// Silent steps, and what is true meanwhile.
    fn write_silent(&self, until: FormulaId, most: usize, out: &mut String) -> bool {
        if matches!(&self.formulas.rows[until.0 as usize], Formula::All(parts) if parts.is_empty()) {
            *out += "i*";
            return true;
        }
        *out += "(i while ";
        let written = self.write(until, false, most, out);
        *out += ")*";
        written
    }

    fn label(&self, label: Label) -> String {
        let name = &self.labels[label.0 as usize];
        if label == Label::SILENT { name.clone() } else { format!("\"{name}\"") }
    }
}
