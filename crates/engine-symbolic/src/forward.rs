//! Branching time from the initial state on: the questions of `ctl::forward`, answered with sets of states.
//!
//! Iwashita, Nakata, Hirose, *CTL model checking based on forward state traversal*, ICCAD 1996; fwduntilpor-2008 §4. What a question asks is found forward; conditions that
//! are still temporal are evaluated backward.
use ctl::{Plan, Question, forward::Reach};
use diagram::Function;

use crate::branching::Labels;
use crate::forward_reduced::Reducer;
use crate::stop::Result;

/// Whether forward is thought to be better: where a cycle is asked for and nothing is left to be evaluated backward. Then only the states count that the question leads to, and
/// a greatest fixpoint over fewer of them has fewer rounds.
pub fn suits(plan: &Plan) -> bool {
    plan.is_forward() && plan.questions.iter().any(|it| matches!(it, Question::NoCycle { .. }))
}

/// Whether all questions are answered with yes.
pub fn answers(labels: &mut Labels<'_>, plan: &Plan) -> Result<bool> {
    for question in &plan.questions {
        if !found(labels, question)?.is_false() {
            return Ok(false);
        }
    }
    Ok(true)
}

/// The same with fewer interleavings, where no question notices; and why one might, if so.
pub fn answers_reduced(
    labels: &mut Labels<'_>,
    plan: &Plan,
    reducer: &mut Reducer<'_>,
) -> Result<(bool, Option<&'static str>)> {
    let mut why = None;
    for question in &plan.questions {
        let found = match reducer.found(labels, question)? {
            Ok(found) => found,
            Err(because) => {
                why = why.or(Some(because));
                found(labels, question)?
            }
        };
        if !found.is_false() {
            return Ok((false, why));
        }
    }
    Ok((true, why))
}

/// What should not be there.
fn found(labels: &mut Labels<'_>, question: &Question) -> Result<Function> {
    match question {
        Question::NoState { reach, condition, fair } => {
            let found = reached(labels, reach)?.and(&labels.set(condition)?)?;
            if *fair { labels.tree.fairly(&found) } else { Ok(found) }
        }
        Question::NoCycle { reach, by, condition } => {
            let within = reached(labels, reach)?.and(&labels.set(condition)?)?;
            labels.tree.behind_cycles(&labels.tree.steps(by.as_ref()), &within)
        }
    }
}

/// States that are found forward.
fn reached(labels: &mut Labels<'_>, reach: &Reach) -> Result<Function> {
    match reach {
        Reach::Initial => Ok(labels.tree.explored.start.clone()),
        Reach::Meet(reach, condition) => Ok(reached(labels, reach)?.and(&labels.set(condition)?)?),
        Reach::Next(reach, by) => {
            let states = reached(labels, reach)?;
            labels.tree.previous(&labels.tree.steps(by.as_ref()), &states)
        }
        Reach::Until(reach, by, through) => {
            let states = reached(labels, reach)?;
            let through = labels.set(through)?;
            labels.tree.reached_through(&labels.tree.steps(by.as_ref()), &states, &through)
        }
    }
}
