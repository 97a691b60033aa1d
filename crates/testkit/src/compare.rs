//! When two answers agree.
//!
//! Where SPIN finishes and finds nothing but invalid end states, all counts have to be equal. After
//! any other error its counts depend on details that nobody should copy; then the verdict and the
//! kind have to be the same.
use crate::kind::Kind;
use crate::run::{Answer, Outcome};
use crate::spin::{Counts, SpinAnswer};

/// The result of a comparison.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Comparison {
    /// All counts are equal.
    SameCounts,
    /// Another error was found: the same kind by both.
    SameError,
    /// There is nothing to compare.
    Skipped(Skip),
    /// What is different.
    Different(Difference),
}

/// Why two answers cannot be compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Skip {
    /// SPIN refuses the model.
    SpinRejects,
    /// SPIN's C does not compile, or pan crashes.
    SpinFails,
    /// SPIN's search was cut.
    SpinTruncated,
    /// Ours was.
    OurLimit,
}

/// What is different.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Difference {
    /// We refuse what SPIN accepts.
    Rejected,
    /// One finds an error and the other does not.
    Verdict,
    /// Both find an error, but not the same.
    Kind,
    /// States.
    States,
    /// Transitions.
    Transitions,
    /// How often the error is found.
    Errors,
}

/// Compares our answer with SPIN's.
pub fn compare(ours: &Answer, theirs: &SpinAnswer) -> Comparison {
    let counts = match theirs {
        SpinAnswer::Counts(counts) => counts,
        SpinAnswer::Rejected(_) => return Comparison::Skipped(Skip::SpinRejects),
        SpinAnswer::Failed(_) => return Comparison::Skipped(Skip::SpinFails),
        SpinAnswer::Truncated(_) => return Comparison::Skipped(Skip::SpinTruncated),
    };
    if ours.verdict == Outcome::Rejected {
        return Comparison::Different(Difference::Rejected);
    }
    if !ours.complete {
        return Comparison::Skipped(Skip::OurLimit);
    }
    match difference(ours, counts) {
        Some(difference) => Comparison::Different(difference),
        None if counts.only_invalid_ends() => Comparison::SameCounts,
        None => Comparison::SameError,
    }
}

fn difference(ours: &Answer, theirs: &Counts) -> Option<Difference> {
    if (ours.verdict == Outcome::Violated) != (theirs.errors > 0) {
        return Some(Difference::Verdict);
    }
    if theirs.kinds.iter().any(|kind| !ours.kinds.contains(kind)) {
        return Some(Difference::Kind);
    }
    if !theirs.only_invalid_ends() {
        return None;
    }
    let counts = [
        (ours.states, theirs.states, Difference::States),
        (ours.transitions, theirs.transitions, Difference::Transitions),
        (ours.errors, theirs.errors, Difference::Errors),
    ];
    // A record holds only SPIN's first error: equal counts say that the others are there, too.
    let others = ours.kinds.iter().any(|kind| *kind != Kind::InvalidEnd);
    let different = counts.into_iter().find(|(ours, theirs, _)| ours != theirs).map(|it| it.2);
    different.map(|it| if others { Difference::Kind } else { it })
}
