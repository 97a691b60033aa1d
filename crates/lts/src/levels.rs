//! What can be told apart in one look, in two, in three: the partition, level by level.
//!
//! On level 0 all states are the same; on level k + 1 those of a block of level k with the same signature. The classes of [`crate::classes`] are where this ends, and they are found faster;
//! but the levels remember *why* two states differ, from which a formula is made. Only as many are computed as two given states need.
use rustc_hash::FxHashMap as HashMap;

use crate::branching::{Signature, signature};
use crate::{Lts, State};

/// One level.
pub struct Level {
    /// Per state: its block.
    pub block_of: Vec<u32>,
    /// Per block: the block of the level before that it is part of.
    pub parent: Vec<u32>,
    /// Per block: what its states can do, in terms of the blocks of the level before.
    pub signatures: Vec<Signature>,
}

/// The levels up to the first on which two states differ; `None` if there are more than `most`.
/// Without `silent`, steps with that label are steps like others; with it they have no cycles and lead to smaller numbers.
pub fn levels(lts: &Lts, [one, other]: [State; 2], silent: bool, most: usize) -> Option<Vec<Level>> {
    let whole = Level { block_of: vec![0; lts.states()], parent: vec![0], signatures: vec![Vec::new()] };
    let mut levels = vec![whole];
    loop {
        let last = levels.last().expect("a level to begin with");
        if last.block_of[one as usize] != last.block_of[other as usize] {
            return Some(levels);
        }
        if levels.len() > most {
            return None;
        }
        let next = refined(lts, last, silent);
        if next.signatures.len() == last.signatures.len() {
            return None;
        }
        levels.push(next);
    }
}

fn refined(lts: &Lts, level: &Level, silent: bool) -> Level {
    let signatures = if silent { silent_signatures(lts, level) } else { plain_signatures(lts, level) };
    let mut next = Level { block_of: Vec::with_capacity(lts.states()), parent: Vec::new(), signatures: Vec::new() };
    let mut rows: HashMap<(u32, Signature), u32> = HashMap::default();
    for (&parent, signature) in level.block_of.iter().zip(signatures) {
        let row = *rows.entry((parent, signature.clone())).or_insert_with(|| {
            next.parent.push(parent);
            next.signatures.push(signature);
            next.parent.len() as u32 - 1
        });
        next.block_of.push(row);
    }
    next
}

fn plain_signatures(lts: &Lts, level: &Level) -> Vec<Signature> {
    let of = |state| {
        let steps = lts.outgoing(state).iter();
        let mut signature: Signature = steps.map(|it| (it.label, level.block_of[it.target as usize])).collect();
        signature.sort_unstable();
        signature.dedup();
        signature
    };
    (0..lts.states() as State).map(of).collect()
}

fn silent_signatures(lts: &Lts, level: &Level) -> Vec<Signature> {
    let mut known: Vec<Signature> = Vec::with_capacity(lts.states());
    for state in 0..lts.states() as State {
        let it = signature(lts, state, |it| level.block_of[it as usize], |it| &known[it as usize]);
        known.push(it);
    }
    known
}
