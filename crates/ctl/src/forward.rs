//! Forward evaluation: from the initial states on, not back to them.
//!
//! Iwashita, Nakata, Hirose, *CTL model checking based on forward state traversal*, ICCAD 1996. A formula holds in all initial states if none of them
//! satisfies its negation. Such a question, *no state of `h` satisfies `f`*, moves outer operators from `f` to `h`:
//!
//! ```text
//! h ∧ (f ∨ g)   = ∅   iff   h ∧ f = ∅  and  h ∧ g = ∅
//! (h ∧ f) ∧ g   = ∅   iff   h ∧ (f ∧ g) = ∅
//! h ∧ EX f      = ∅   iff   EY(h) ∧ f = ∅               EY(h): the successors of h
//! h ∧ E[f U g]  = ∅   iff   FwdUntil(h, f) ∧ g = ∅      FwdUntil(h, f) = μZ. h ∨ EY(Z ∧ f)
//! h ∧ EG f      = ∅   iff   FwdGlobal(h, f) = ∅         FwdGlobal(h, f) = νZ. (FwdUntil(h, f) ∧ f) ∧ EY(Z)
//! ```
//!
//! With a restriction to actions, only steps of these actions are taken, and a path may end: `h ∧ EAG(a) f = ∅` also asks that no state of `FwdUntil(h, f) ∧ f` is one without such a step.
//!
//! Where `f` says that there is such a step, `EAX(a) true`, no path ends, and only cycles are asked for.
//!
//! What remains in `f` when no rule applies (it begins with `A`), and every `f` that restricts a way, is evaluated backward as usual; it is
//! [propositional](Formula::is_propositional) for the formulas that gain most. If only *fair* paths count, a path that is cut off must still be one that can
//! go on fairly ([`Question::NoState::fair`]), and a cycle must be a fair one.
use crate::actions::Actions;
use crate::formula::{Formula, Node, Path};

/// States that are found forward.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Reach {
    /// The initial states.
    Initial,
    /// Those of them that satisfy a formula.
    Meet(Box<Reach>, Formula),
    /// `EY`: their successors, by steps of these actions.
    Next(Box<Reach>, By),
    /// `FwdUntil`: they, and all that can be reached from them through states that satisfy a formula, by steps of these actions.
    Until(Box<Reach>, By, Formula),
}

/// Which steps are meant: all, or those of a set of actions.
pub type By = Option<Actions>;

/// A question about states that are found forward.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Question {
    /// Is there none that satisfies a formula?
    NoState {
        /// The states.
        reach: Reach,
        /// What none of them may satisfy.
        condition: Formula,
        /// Only states count in which a fair path begins.
        fair: bool,
    },
    /// `FwdGlobal`: is there no (fair) cycle among those that satisfy a formula? The states are closed under such steps.
    NoCycle {
        /// The states.
        reach: Reach,
        /// The steps of which a cycle may consist.
        by: By,
        /// What all states of a cycle satisfy.
        condition: Formula,
    },
}

/// What has to be asked: the formula holds in all initial states if all answers are yes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Plan {
    /// The questions.
    pub questions: Vec<Question>,
}

impl Plan {
    /// The questions for a formula.
    pub fn new(formula: &Formula) -> Plan {
        let mut plan = Plan { questions: Vec::new() };
        plan.ask(Reach::Initial, &formula.clone().negated().negation_normal_form(), false);
        plan
    }

    /// Whether nothing is left to be evaluated backward (but where a fair path can begin).
    pub fn is_forward(&self) -> bool {
        self.questions.iter().all(|it| match it {
            Question::NoState { reach, condition, .. } | Question::NoCycle { reach, condition, .. } => {
                condition.is_propositional() && reach.is_forward()
            }
        })
    }

    /// Is there no state in `reach` that satisfies a formula in negation normal form? `moved` if a path led there.
    fn ask(&mut self, reach: Reach, formula: &Formula, moved: bool) {
        match formula.node() {
            Node::Or(f, g) => {
                self.ask(reach.clone(), f, moved);
                self.ask(reach, g, moved);
            }
            Node::And(f, g) if !formula.is_propositional() => {
                let (first, second) = if is_later(f, g) { (g, f) } else { (f, g) };
                self.ask(Reach::Meet(Box::new(reach), first.clone()), second, moved);
            }
            Node::Path(quantifier, path) if !quantifier.is_universal => self.ask_path(reach, &quantifier.actions, path),
            Node::False => {}
            _ => self.questions.push(Question::NoState { reach, condition: formula.clone(), fair: moved }),
        }
    }

    fn ask_path(&mut self, reach: Reach, by: &By, path: &Path) {
        let until = |reach: Reach, f: &Formula| Reach::Until(Box::new(reach), by.clone(), f.clone());
        match path {
            Path::Next(f) => self.ask(Reach::Next(Box::new(reach), by.clone()), f, true),
            Path::Finally(f) => self.ask(until(reach, &Formula::constant(true)), f, true),
            Path::Until(f, g) => self.ask(until(reach, f), g, true),
            Path::Globally(f) if f.is_some_step(by) => {
                let (reach, condition) = (until(reach, &Formula::constant(true)), Formula::constant(true));
                self.questions.push(Question::NoCycle { reach, by: by.clone(), condition });
            }
            Path::Globally(f) => self.ask_for_ever(until(reach, f), by, f),
            Path::WeakUntil(f, g) => {
                self.ask(until(reach.clone(), f), g, true);
                self.ask_for_ever(until(reach, f), by, f);
            }
        }
    }

    /// Is there no cycle of states that satisfy a formula, and no end of a restricted path?
    fn ask_for_ever(&mut self, reach: Reach, by: &By, f: &Formula) {
        if let Some(actions) = by {
            let ends = Formula::constant(false).all_next_by(actions.clone());
            self.questions.push(Question::NoState { reach: reach.clone(), condition: f.clone().and(ends), fair: true });
        }
        self.questions.push(Question::NoCycle { reach, by: by.clone(), condition: f.clone() });
    }
}

impl Formula {
    /// Whether it says that a step of these actions is possible, and no more.
    pub(crate) fn is_some_step(&self, by: &By) -> bool {
        let Node::Path(quantifier, Path::Next(f)) = self.node() else { return false };
        !quantifier.is_universal && by.is_some() && quantifier.actions == *by && *f.node() == Node::True
    }
}

/// Whether the first of two conjuncts should be moved rather than the second: of those that can be, the last.
fn is_later(first: &Formula, second: &Formula) -> bool {
    !can_move(second) && (can_move(first) || second.is_propositional())
}

/// Whether a rule applies to some part that is not below a path.
fn can_move(formula: &Formula) -> bool {
    match formula.node() {
        Node::Path(quantifier, _) => !quantifier.is_universal,
        Node::And(f, g) | Node::Or(f, g) => can_move(f) || can_move(g),
        _ => false,
    }
}

impl Reach {
    fn is_forward(&self) -> bool {
        match self {
            Reach::Initial => true,
            Reach::Next(reach, _) => reach.is_forward(),
            Reach::Meet(reach, f) | Reach::Until(reach, _, f) => reach.is_forward() && f.is_propositional(),
        }
    }
}
