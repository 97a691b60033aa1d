//! Equivalences by their definitions: the greatest relation over pairs of states, found by removing pairs that break it.
//! Nothing of the crate is used but the systems themselves.
use lts::{Equivalence, Label, Lts};

/// Which pairs of states are equivalent.
pub fn related(lts: &Lts, equivalence: Equivalence) -> Vec<Vec<bool>> {
    let states = lts.states();
    let mut pairs = vec![vec![true; states]; states];
    loop {
        let mut next = pairs.clone();
        for one in 0..states {
            for other in 0..states {
                next[one][other] = pairs[one][other]
                    && transfers(lts, &pairs, one, other, equivalence)
                    && transfers(lts, &pairs, other, one, equivalence);
            }
        }
        if next == pairs {
            return pairs;
        }
        pairs = next;
    }
}

/// Whether what `one` does can be done by `other`.
fn transfers(lts: &Lts, pairs: &[Vec<bool>], one: usize, other: usize, equivalence: Equivalence) -> bool {
    let steps = lts.outgoing(one as u32);
    let matched = |label: Label, target: usize| match equivalence {
        Equivalence::Strong => takes(lts, pairs, other, label, target),
        _ => {
            let waits = label == Label::SILENT && pairs[target][other];
            waits || slips(lts, pairs, one, other).into_iter().any(|it| takes(lts, pairs, it, label, target))
        }
    };
    let follows = equivalence != Equivalence::DivergenceBranching || follows(lts, pairs, one, other);
    follows && steps.iter().all(|it| matched(it.label, it.target as usize))
}

fn takes(lts: &Lts, pairs: &[Vec<bool>], state: usize, label: Label, like: usize) -> bool {
    lts.outgoing(state as u32).iter().any(|it| it.label == label && pairs[like][it.target as usize])
}

/// Where `other` can get by silent steps through states that are related to `one`.
fn slips(lts: &Lts, pairs: &[Vec<bool>], one: usize, other: usize) -> Vec<usize> {
    let mut reached = vec![other];
    let mut next = 0;
    while next < reached.len() {
        for it in lts.outgoing(reached[next] as u32) {
            let target = it.target as usize;
            if it.label == Label::SILENT && pairs[one][target] && !reached.contains(&target) {
                reached.push(target);
            }
        }
        next += 1;
    }
    reached
}

/// Whether every endless silent way of `one` comes to a state that is related to one where `other` gets by some silent steps. In this form of the
/// condition (van Glabbeek, Luttik, Trčka, *Branching bisimilarity with explicit divergence*, 2009) a smaller relation never fulfils more.
fn follows(lts: &Lts, pairs: &[Vec<bool>], one: usize, other: usize) -> bool {
    let silent = |state: usize| lts.outgoing(state as u32).iter().filter(|it| it.label == Label::SILENT);
    let mut reached: Vec<usize> = silent(other).map(|it| it.target as usize).collect();
    let mut next = 0;
    while next < reached.len() {
        let further: Vec<usize> = silent(reached[next]).map(|it| it.target as usize).collect();
        further.into_iter().for_each(|it| {
            if !reached.contains(&it) {
                reached.push(it)
            }
        });
        next += 1;
    }
    let mut alone: Vec<bool> = (0..lts.states()).map(|it| !reached.iter().any(|&other| pairs[it][other])).collect();
    for _ in 0..=lts.states() {
        let before = alone.clone();
        for (it, stays) in alone.iter_mut().enumerate() {
            *stays = before[it] && silent(it).any(|step| before[step.target as usize]);
        }
    }
    !alone[one]
}
