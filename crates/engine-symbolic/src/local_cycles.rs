//! Which steps can be part of a cycle, seen from one cell at a time.
//!
//! Kurshan, Levin, Minea, Peled, Yenigün, *Static partial order reduction*, TACAS 1998: whoever goes round in the graph of all states goes round in every cell, too, since
//! each cell has its value again. So a step that leads a cell from one value to another from which no step leads back is part of no cycle. Without it others may
//! have no way back, and so on:
//!
//! ```text
//! repeat
//!     for each cell: the graph of its values, with an arrow a → b if some step that is left changes a into b
//!     leave out the steps a → b with no way from b back to a
//! until all have one
//! ```
//!
//! What is left contains every cycle (and perhaps more). A greatest fixpoint over all steps takes away one layer of states per round, the ends of long ways first, and layers
//! have large diagrams; over the steps that are left there are often no rounds at all. With the turntable: if the command to turn is left out, nothing can go round, whatever the
//! number of drills, and that can be seen from every cell alone.
use std::collections::{BTreeMap, BTreeSet};

use diagram::{Function, Relation, Space, Which};

use crate::cell::Cell;
use crate::layout::Layout;
use crate::pulse::Pulse;
use crate::stop::Result;

/// Cells of more bits are not looked at.
const WIDEST: usize = 4;

/// How cells change: from which value to which.
type Arrows = BTreeSet<(usize, usize)>;

/// The steps of relations that can be part of a cycle; relations without such a step are left out.
pub fn cyclic(space: &Space, layout: &Layout, relations: &[Relation], pulse: &Pulse) -> Result<Vec<Relation>> {
    let mut steps = relations.iter().map(|it| Step::new(space, layout, it.clone())).collect::<Result<Vec<Step>>>()?;
    loop {
        let mut is_stable = true;
        for (cell, bits) in layout.bits.iter().filter(|it| it.1.len() <= WIDEST) {
            pulse.check()?;
            let arrows: Arrows = steps.iter().filter_map(|it| it.changes.get(cell)).flatten().copied().collect();
            let lasting = returning(&arrows, 1 << bits.len());
            if lasting == arrows {
                continue;
            }
            is_stable = false;
            let allowed = either(space, bits, &lasting)?;
            for step in &mut steps {
                if step.changes.get(cell).is_some_and(|it| !it.is_subset(&lasting)) {
                    *step = step.restricted(space, layout, bits, &allowed)?;
                }
            }
            steps.retain(|it| !it.relation.function().is_false());
        }
        if is_stable {
            return Ok(steps.into_iter().map(|it| it.relation).collect());
        }
    }
}

/// A relation, and what it does to the cells it touches.
struct Step {
    relation: Relation,
    changes: BTreeMap<Cell, Arrows>,
}

impl Step {
    fn new(space: &Space, layout: &Layout, relation: Relation) -> Result<Step> {
        let is_touched = |bits: &[usize]| bits.iter().any(|it| relation.touched().binary_search(it).is_ok());
        let cells = layout.bits.iter().filter(|it| it.1.len() <= WIDEST && is_touched(it.1));
        let changes = cells.map(|(cell, bits)| Ok((*cell, arrows(space, &relation, bits)?))).collect::<Result<_>>()?;
        Ok(Step { relation, changes })
    }

    /// Only what changes a cell in an allowed way.
    fn restricted(&self, space: &Space, layout: &Layout, bits: &[usize], allowed: &Function) -> Result<Step> {
        let wide = self.relation.widened(space, bits)?;
        let function = wide.function().and(allowed)?;
        Step::new(space, layout, Relation::new(space, function, wide.touched())?)
    }
}

/// What a relation does to the value of some bits.
fn arrows(space: &Space, relation: &Relation, bits: &[usize]) -> Result<Arrows> {
    let wide = relation.widened(space, bits)?;
    let support = wide.function().support();
    let others = |list: &[usize]| list.iter().copied().filter(|it| !bits.contains(it)).collect::<Vec<_>>();
    let seen = wide.function().exists(space, &others(&support.current), Which::Current)?;
    let seen = seen.exists(space, &others(&support.next), Which::Next)?;
    let values = 0..1 << bits.len();
    let pairs = values.clone().flat_map(|from| values.clone().map(move |to| (from, to)));
    Ok(pairs.filter(|&(from, to)| seen.evaluate(&vector(space, bits, from), &vector(space, bits, to))).collect())
}

/// All bits, of which these have a value and the others none.
fn vector(space: &Space, bits: &[usize], value: usize) -> Vec<bool> {
    let mut vector = vec![false; space.bits()];
    bits.iter().enumerate().for_each(|(row, bit)| vector[*bit] = value >> row & 1 == 1);
    vector
}

/// The arrows with a way back.
fn returning(arrows: &Arrows, values: usize) -> Arrows {
    let mut leads = vec![vec![false; values]; values];
    arrows.iter().for_each(|&(from, to)| leads[from][to] = true);
    for between in 0..values {
        for from in 0..values {
            for to in 0..values {
                leads[from][to] |= leads[from][between] && leads[between][to];
            }
        }
    }
    arrows.iter().copied().filter(|&(from, to)| leads[to][from]).collect()
}

/// Where the bits change in one of these ways.
fn either(space: &Space, bits: &[usize], arrows: &Arrows) -> Result<Function> {
    let mut any = space.constant(false);
    for &(from, to) in arrows {
        let mut all = space.constant(true);
        for (row, &bit) in bits.iter().enumerate().rev() {
            let is_set =
                |function: Function, value: usize| if value >> row & 1 == 1 { function } else { function.not() };
            all = all.and(&is_set(space.next(bit)?, to))?.and(&is_set(space.current(bit)?, from))?;
        }
        any = any.or(&all)?;
    }
    Ok(any)
}
