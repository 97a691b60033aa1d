//! The exit code. Scripts rely on it; it is decided here and nowhere else.
use std::process::ExitCode;

use promenade::Checked;
use report::{Answer, Report};

/// How a run ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Exit {
    /// Every property checked holds.
    Holds = 0,
    /// A violation was found.
    Violated = 1,
    /// Wrong usage or wrong input.
    Wrong = 2,
    /// A limit was reached, or the method cannot decide.
    Unknown = 3,
    /// Somebody stopped it.
    Interrupted = 130,
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> Self {
        ExitCode::from(exit as u8)
    }
}

/// How a check ended.
pub fn of(checked: &Checked, interrupted: bool) -> Exit {
    let is_wrong = checked.diagnostics.iter().any(text::Diagnostic::is_error);
    checked.report.as_ref().filter(|_| !is_wrong).map_or(Exit::Wrong, |report| of_report(report, interrupted))
}

/// How a check with this report ended.
pub fn of_report(report: &Report, interrupted: bool) -> Exit {
    let is_violated = report.results.iter().any(|it| it.answer == Answer::Violated);
    let is_unknown = report.results.iter().any(|it| matches!(it.answer, Answer::Unknown(_)));
    match () {
        () if interrupted => Exit::Interrupted,
        () if is_violated => Exit::Violated,
        () if is_unknown => Exit::Unknown,
        () => Exit::Holds,
    }
}
