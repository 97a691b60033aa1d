//! SPIN's trails: a line `depth:process:statement` for each move of a process.
//!
//! Statements have the numbers in which SPIN creates them while it reads a text ([`model::Edge::statement`]). Negative depths say something about
//! the lines: `-1` that the cycle begins, `-2` that process 0 is a never claim and all others have a number more than they call
//! their own, `-4` that of statements that were merged only the first has a line. A rendezvous has two lines. Claim and system move in turn, the claim first.
use std::fmt::Write;

use engine::Trace;
use model::EdgeId;
use model::semantics::{State, Step};

use crate::Terms;

/// A trail.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Trail {
    /// What processes do; the moves of a claim are not among them.
    pub lines: Vec<TrailLine>,
    /// What a claim does meanwhile.
    pub claim_moves: Vec<ClaimMove>,
    /// How many lines come before the cycle.
    pub cycle: Option<usize>,
    /// Of merged statements only the first has a line.
    pub merged: bool,
    /// A claim moved along: its number among all processes and claims, in the order of the text.
    pub claim: Option<u32>,
    /// That claim is SPIN's own about progress.
    pub progress: bool,
}

/// A move of a process.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TrailLine {
    /// The process, by the number that it calls its own.
    pub process: u32,
    /// The statement.
    pub statement: u32,
}

/// A move of a claim.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ClaimMove {
    /// So many lines of processes come before it.
    pub after: usize,
    /// It belongs to the cycle.
    pub in_cycle: bool,
    /// The statement.
    pub statement: u32,
}

impl Terms<'_> {
    /// A trace through `states` as a trail.
    pub fn trail(&self, trace: &Trace, states: &[State]) -> Trail {
        let mut trail = Trail::default();
        for (row, (step, state)) in trace.steps.iter().zip(states).enumerate() {
            if trace.cycle == Some(row) {
                trail.cycle = Some(trail.lines.len());
            }
            trail.lines.extend(self.trail_lines(step, state));
        }
        trail.cycle = trail.cycle.or(trace.cycle.map(|_| trail.lines.len()));
        trail
    }

    /// The lines of a step out of a state.
    pub fn trail_lines(&self, step: &Step, state: &State) -> Vec<TrailLine> {
        let line = |(process, edge): (u8, EdgeId)| {
            let graph = self.system.model().process(state.type_of(usize::from(process)));
            TrailLine { process: process.into(), statement: graph.edge(edge).statement }
        };
        std::iter::once((step.process, step.edge)).chain(step.partner).map(line).collect()
    }
}

impl Trail {
    /// The text of the file.
    pub fn text(&self) -> String {
        let (mut text, mut depth) = (self.claim.map_or(String::new(), |it| format!("-2:{it}:-2\n")), 0);
        let mut line = |text: &mut String, process: u32, statement: u32| {
            depth += 1;
            let _ = writeln!(text, "{depth}:{process}:{statement}");
        };
        for row in 0..=self.lines.len() {
            let own =
                |in_cycle: bool| self.claim_moves.iter().filter(move |it| (it.after, it.in_cycle) == (row, in_cycle));
            own(false).for_each(|it| line(&mut text, 0, it.statement));
            if self.cycle == Some(row) {
                text += MARK;
            }
            own(true).for_each(|it| line(&mut text, 0, it.statement));
            if let Some(it) = self.lines.get(row) {
                line(&mut text, it.process + u32::from(self.claim.is_some()), it.statement);
            }
        }
        text
    }

    /// What a file says, or what is wrong with it.
    pub fn read(text: &str) -> Result<Self, String> {
        let mut trail = Trail::default();
        for (row, line) in text.lines().enumerate().filter(|it| !it.1.trim().is_empty()) {
            let wrong = || format!("line {} is not `depth:process:statement`", row + 1);
            match numbers(line).ok_or_else(wrong)? {
                [-1, ..] => trail.cycle = Some(trail.lines.len()),
                [-2, claim, _] => trail.claim = Some(u32::try_from(claim).map_err(|_| wrong())?),
                [-4, ..] => trail.merged = true,
                // In which order the search looked at processes and statements.
                [..0, _, _] => {}
                [_, 0, statement] if trail.claim.is_some() => {
                    trail.progress |= statement >= PROGRESS;
                    let statement = u32::try_from(statement).map_err(|_| wrong())?;
                    let (after, in_cycle) = (trail.lines.len(), trail.cycle.is_some());
                    trail.claim_moves.push(ClaimMove { after, in_cycle, statement });
                }
                [_, process, statement] => {
                    let process = u32::try_from(process - i64::from(trail.claim.is_some())).map_err(|_| wrong())?;
                    let statement = u32::try_from(statement).map_err(|_| wrong())?;
                    trail.lines.push(TrailLine { process, statement });
                }
            }
        }
        Ok(trail)
    }
}

/// Statements of SPIN's own claim have numbers from here on.
const PROGRESS: i64 = 9_990;

/// Where a cycle begins.
const MARK: &str = "-1:-1:-1\n";

fn numbers(line: &str) -> Option<[i64; 3]> {
    let mut parts = line.trim().split(':').map(|it| it.parse().ok());
    let numbers = [parts.next()??, parts.next()??, parts.next()??];
    parts.next().is_none().then_some(numbers)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn trail(lines: &[(u32, u32)], cycle: Option<usize>, merged: bool) -> Trail {
        let lines = lines.iter().map(|&(process, statement)| TrailLine { process, statement }).collect();
        Trail { lines, cycle, merged, ..Trail::default() }
    }

    #[test]
    fn a_trail_is_read_back_with_its_cycle_anywhere() {
        for cycle in [None, Some(0), Some(1), Some(2)] {
            let trail = trail(&[(0, 4), (1, 12)], cycle, false);
            assert_eq!(Trail::read(&trail.text()), Ok(trail));
        }
    }

    #[test]
    fn the_moves_of_a_claim_stand_apart_and_processes_have_their_own_numbers() {
        let text = "-2:2:-2\n1:0:30\n2:1:7\n3:0:31\n-1:-1:-1\n4:0:33\n5:2:9\n6:0:34\n";
        let moves = [(0, false, 30), (1, false, 31), (1, true, 33), (2, true, 34)];
        let moves = moves.map(|(after, in_cycle, statement)| ClaimMove { after, in_cycle, statement });
        let expected =
            Trail { claim: Some(2), claim_moves: moves.to_vec(), ..trail(&[(0, 7), (1, 9)], Some(1), false) };
        assert_eq!(Trail::read(text), Ok(expected.clone()));
        assert_eq!(expected.text(), text);
        let merged = text.replace("-2:2:-2", "-2:2:-2\n-4:-4:-4").replace("0:33", "0:9999");
        let read = Trail::read(&merged).expect("a trail");
        assert!(read.merged && read.progress && read.lines == expected.lines);
    }

    #[test]
    fn what_is_no_trail_is_refused_with_the_line() {
        for text in ["1:0:4\n2:0", "1:0:4\n2:0:x", "1:0:4\n2:0:4:5", "1:0:4\n2:-3:4"] {
            assert_eq!(Trail::read(text), Err("line 2 is not `depth:process:statement`".to_string()));
        }
    }
}
