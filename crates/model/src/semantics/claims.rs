//! What a claim can do in a state.
use text::Span;

use super::{Fault, Semantics, State};
use crate::{Claim, ClaimEdge, Cube, Expr};

/// A claim and the conditions it looks at.
#[derive(Clone, Copy, Debug)]
pub struct Watcher<'a> {
    /// The claim.
    pub claim: &'a Claim,
    /// Its conditions.
    pub conditions: &'a [Expr],
}

/// Why an execution is forbidden as soon as a claim moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Forbidden {
    /// The claim reaches its end.
    End,
    /// An assertion of the claim is false.
    Assertion(Span),
    /// A condition cannot be computed.
    Fault(Fault),
}

impl Semantics<'_> {
    /// The edges that a claim can take before the system moves on from a state; `stands_still` if it does not.
    pub fn claim_moves<'c>(
        &self,
        state: &State,
        watcher: Watcher<'c>,
        location: u32,
        stands_still: bool,
    ) -> Result<Vec<&'c ClaimEdge>, Forbidden> {
        let mut taken = Vec::new();
        for edge in &watcher.claim.locations[location as usize].edges {
            if self.claim_takes(state, watcher, edge, stands_still)? {
                taken.push(edge);
            }
        }
        Ok(taken)
    }

    /// Whether a claim can take one of its edges.
    pub fn claim_takes(
        &self,
        state: &State,
        watcher: Watcher<'_>,
        edge: &ClaimEdge,
        stands_still: bool,
    ) -> Result<bool, Forbidden> {
        let holds = |row: u32| self.holds(state, &watcher.conditions[row as usize], stands_still);
        let is_possible = any(&edge.label, holds).map_err(Forbidden::Fault)?;
        if is_possible { check(edge, holds).map(|()| true) } else { Ok(false) }
    }
}

fn any(label: &[Cube], holds: impl Fn(u32) -> Result<bool, Fault>) -> Result<bool, Fault> {
    for cube in label {
        let mut is_true = true;
        for literal in &cube.0 {
            is_true = is_true && holds(literal.row)? == literal.is_true;
        }
        if is_true {
            return Ok(true);
        }
    }
    Ok(false)
}

/// What is wrong with taking an edge.
fn check(edge: &ClaimEdge, holds: impl Fn(u32) -> Result<bool, Fault>) -> Result<(), Forbidden> {
    for &(row, span) in &edge.asserts {
        if !holds(row).map_err(Forbidden::Fault)? {
            return Err(Forbidden::Assertion(span));
        }
    }
    if edge.target.is_none() { Err(Forbidden::End) } else { Ok(()) }
}
