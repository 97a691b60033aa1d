//! Regular expressions over actions, as formulas.
//!
//! Mateescu, Sighireanu, *Efficient on-the-fly model-checking for regular alternation-free mu-calculus*, Science of Computer Programming 46(3), 2003: `[R] f` says that `f` holds
//! after every sequence of steps that `R` describes, `<R> f` that it holds after some. Both are words for what the logic has already:
//!
//! ```text
//! [a] f     = AAX(a) f             <a> f     = EAX(a) f
//! [R.S] f   = [R] [S] f            <R.S> f   = <R> <S> f
//! [R|S] f   = [R] f && [S] f       <R|S> f   = <R> f || <S> f
//! [a*] f    = AAG(a) f             <a*> f    = EAF(a) f
//! ```
//!
//! except for the repetition of more than one step, for which this logic has no word. `inev(a, b, f)` says that a step of `b` comes inevitably, after steps of `a` alone, and that `f` holds
//! behind it: `μZ. <true> true && [!(a|b)] false && [b] f && [a & !b] Z`.
use crate::actions::Actions;
use crate::formula::{Formula, Path, Quantifier};

/// A set of sequences of steps.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Regular {
    /// One step of these actions.
    Step(Actions),
    /// One behind the other.
    Then(Box<Regular>, Box<Regular>),
    /// One of both.
    Either(Box<Regular>, Box<Regular>),
    /// Any number of steps of these actions.
    Steps(Actions),
    /// No step, or this.
    Maybe(Box<Regular>),
}

impl Regular {
    /// One behind the other.
    #[must_use]
    pub fn then(self, other: Regular) -> Regular {
        Regular::Then(Box::new(self), Box::new(other))
    }

    /// One of both.
    #[must_use]
    pub fn or(self, other: Regular) -> Regular {
        match (self, other) {
            (Regular::Step(left), Regular::Step(right)) => Regular::Step(left.or(&right)),
            (left, right) => Regular::Either(Box::new(left), Box::new(right)),
        }
    }

    /// Any number of times; nothing if it is more than single steps that are repeated.
    pub fn repeated(&self) -> Option<Regular> {
        self.single_steps().map(Regular::Steps)
    }

    /// The steps that can be taken in any number and order by repeating this, if it is so simple.
    fn single_steps(&self) -> Option<Actions> {
        match self {
            Regular::Step(actions) | Regular::Steps(actions) => Some(actions.clone()),
            Regular::Maybe(inner) => inner.single_steps(),
            Regular::Either(left, right) => Some(left.single_steps()?.or(&right.single_steps()?)),
            Regular::Then(..) => None,
        }
    }

    /// `[self] f`
    pub fn after_all(&self, f: Formula) -> Formula {
        match self {
            Regular::Step(actions) => f.all_next_by(actions.clone()),
            Regular::Steps(actions) => Formula::path(Quantifier::ALL.by(actions.clone()), Path::Globally(f)),
            Regular::Then(first, second) => first.after_all(second.after_all(f)),
            Regular::Either(left, right) => left.after_all(f.clone()).and(right.after_all(f)),
            Regular::Maybe(inner) => f.clone().and(inner.after_all(f)),
        }
    }

    /// `<self> f`
    pub fn after_some(&self, f: Formula) -> Formula {
        match self {
            Regular::Step(actions) => f.some_next_by(actions.clone()),
            Regular::Steps(actions) => Formula::path(Quantifier::SOME.by(actions.clone()), Path::Finally(f)),
            Regular::Then(first, second) => first.after_some(second.after_some(f)),
            Regular::Either(left, right) => left.after_some(f.clone()).or(right.after_some(f)),
            Regular::Maybe(inner) => f.clone().or(inner.after_some(f)),
        }
    }
}

/// `inev(before, last, f)`: on every way, steps of `before` and then, inevitably, one of `last`, behind which `f` holds. A step of both is one of `last`.
///
/// All ways by steps of `before` come to an end, and in each of their states there is a step, one of these two kinds, and `f` behind each of `last`.
pub fn inevitable(before: &Actions, last: &Actions, f: Formula) -> Formula {
    let before = before.and(&last.not());
    let never = || Formula::constant(false);
    let others = before.or(last).not();
    let moves = Formula::constant(true).some_next_by(Actions::all());
    let kinds = if others.is_empty() { moves } else { moves.and(never().all_next_by(others)) };
    let well = kinds.and(f.all_next_by(last.clone()));
    let ends = never().all_next_by(before.clone());
    let all = |path| Formula::path(Quantifier::ALL.by(before.clone()), path);
    all(Path::Globally(well)).and(all(Path::Finally(ends)))
}
