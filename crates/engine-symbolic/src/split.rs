//! Steps that use an element of an array, one for each value of the index.
//!
//! `a[i]` as a function of the state chooses between all elements by the bits of `i`. If the elements are decided before the index, a diagram
//! has to remember them all on the way down. For a known `i` it is one element, and a step mentions nothing of the others. So a case is split by the variables of which the indices
//! of an edge consist, as long as there are few values (Burch, Clarke, Long, *Symbolic model checking with partitioned transition relations*, VLSI 1991,
//! for disjunctive partitions).
use model::access::effect_expressions;
use model::variables::{every_part, stores};
use model::{Edge, Expr, Place};

use crate::case::Case;
use crate::cell::{Cell, Domain};
use crate::execute::Execution;
use crate::stop::Result;

/// A case is split in so many parts at most.
const MOST_PARTS: usize = 256;

/// The parts of a case in which the indices of an edge have known values.
pub fn by_index(execution: &Execution<'_>, edge: &Edge, case: Case) -> Result<Vec<Case>> {
    let mut indices = Vec::new();
    places(edge, &mut |place| indices.extend(place.indices.iter().cloned()));
    let mut whole = vec![case];
    for index in &indices {
        let mut parts = Vec::new();
        for case in whole {
            split(execution, index, case, &mut parts)?;
        }
        whole = parts;
    }
    Ok(whole)
}

/// Splits a case by the variables of an index.
fn split(execution: &Execution<'_>, index: &Expr, case: Case, parts: &mut Vec<Case>) -> Result<()> {
    let Some((cell, codes)) = open(execution, index, &case) else {
        parts.push(case);
        return Ok(());
    };
    for code in 0..codes as u32 {
        let part = case.assuming(execution.encoding, cell, code)?;
        if !part.is_empty() {
            split(execution, index, part, parts)?;
        }
    }
    Ok(())
}

/// A variable of an index whose value is not known yet, and how many values it can have.
fn open(execution: &Execution<'_>, index: &Expr, case: &Case) -> Option<(Cell, usize)> {
    let layout = execution.encoding.layout;
    let known: usize = case.assumed.keys().map(|cell| values(&layout.cells[cell])).product();
    let mut found = None;
    every_part(index, &mut |part| {
        if let Expr::Read(place) = part
            && place.indices.is_empty()
        {
            let cell = Cell::Variable(execution.view(case).declared(place).0, place.variable, 0);
            let codes = layout.cells.get(&cell).map_or(1, values);
            let is_open = codes > 1 && known * codes <= MOST_PARTS && !case.changes.contains_key(&cell);
            found = found.or(is_open.then_some((cell, codes)));
        }
    });
    found
}

fn values(domain: &Domain) -> usize {
    match domain {
        Domain::Listed(list) => list.len(),
        other => 1_usize.checked_shl(other.bits() as u32).unwrap_or(usize::MAX).min(1 << 20),
    }
}

/// Every place that an edge reads or writes.
fn places(edge: &Edge, visit: &mut dyn FnMut(&Place)) {
    let mut expression = |expr: &Expr| {
        every_part(expr, &mut |part| {
            if let Expr::Read(place) = part {
                visit(place);
            }
        });
    };
    expression(&edge.guard);
    edge.effects.iter().for_each(|effect| effect_expressions(effect, &mut expression));
    edge.effects.iter().flat_map(stores).for_each(visit);
}
