//! Questions about the tree of all executions, and what one path can show of the answer.
use ctl::{Formula, Way};
use model::semantics::Step;
use model::{Branching, Expr};

use crate::{Fairness, Finding, Trace};

/// A property of the tree of all executions.
#[derive(Clone, Copy, Debug)]
pub struct BranchingProperty<'a> {
    /// What it says.
    pub branching: &'a Branching,
    /// The conditions it looks at.
    pub conditions: &'a [Expr],
    /// Which executions count.
    pub fairness: Fairness,
}

/// A finding about a branching property, and why it is so.
#[derive(Clone, Debug)]
pub struct Explained {
    /// What was established.
    pub finding: Finding,
    /// Why the property is false, or why it is true; nothing if no path says anything about it.
    pub evidence: Option<Evidence>,
}

/// A path that shows why a formula holds in the initial state.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Evidence {
    /// The formula, in negation normal form.
    pub formula: Formula,
    /// The path.
    pub trace: Trace,
    /// What holds on the way, in its order.
    pub remarks: Vec<Remark>,
}

/// A formula that holds somewhere on a path.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Remark {
    /// In which of the states of the path in which everybody may move; the first is 0.
    pub position: usize,
    /// How many steps lead there.
    pub steps: usize,
    /// What holds there.
    pub formula: Formula,
    /// The path shows it. If not, it is about more paths than one.
    pub is_shown: bool,
}

impl Evidence {
    /// What a way shows, where `between` says which steps lead from a place to the next; none if the system stands still.
    pub fn along<P>(formula: &Formula, way: &Way<P>, mut between: impl FnMut(&P, &P) -> Vec<Step>) -> Evidence {
        let mut steps = Vec::new();
        let mut counts = vec![0];
        // Who stands still does so for ever, and in one place.
        let mut still = None;
        for row in 1..way.places.len() {
            let more = between(&way.places[row - 1], &way.places[row]);
            still = still.or(more.is_empty().then_some(row - 1));
            steps.extend(more);
            counts.push(steps.len());
        }
        let place = |position: usize| still.map_or(position, |it| position.min(it));
        let remark = |(position, formula, is_shown): &(usize, Formula, bool)| Remark {
            position: place(*position),
            steps: counts[*position],
            formula: formula.clone(),
            is_shown: *is_shown,
        };
        let mut remarks: Vec<Remark> = way.remarks.iter().map(remark).collect();
        remarks.sort_by_key(|it| it.position);
        let trace = Trace { steps, cycle: way.cycle.or(still).map(|it| counts[it]) };
        Evidence { formula: formula.clone(), trace, remarks }
    }
}
