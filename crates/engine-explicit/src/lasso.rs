//! Cycles that show what is wrong, and short ways to them.
//!
//! In a strongly connected part of a graph whose edges have all marks between them there is a cycle with all marks: go from one mark that is still
//! missing to the nearest next one, and in the end back to the beginning.
use std::hash::Hash;

use rustc_hash::FxHashSet as HashSet;

/// What an edge counts for: sets of a claim, processes that were not forgotten.
pub type Marks = u128;

/// Leaves out what would be too far.
pub struct Nearby {
    /// So many nodes are looked at.
    pub most: usize,
}

/// A node, and the marks of the edge that leads to it.
pub type Hop<N> = (N, Marks);

/// The nodes after one, up to the nearest that is reached by an edge that is wanted.
pub fn way<N: Clone + Eq + Hash>(
    from: &N,
    mut edges: impl FnMut(&N) -> Vec<Hop<N>>,
    is_wanted: impl Fn(&N, Marks) -> bool,
    nearby: &Nearby,
) -> Option<Vec<Hop<N>>> {
    let mut rows: Vec<(Hop<N>, usize)> = vec![((from.clone(), 0), 0)];
    let mut known: HashSet<N> = HashSet::from_iter([from.clone()]);
    let mut here = 0;
    while here < rows.len() {
        for (next, marks) in edges(&rows[here].0.0.clone()) {
            if is_wanted(&next, marks) {
                return Some(backwards(&rows, here, (next, marks)));
            }
            if rows.len() < nearby.most && known.insert(next.clone()) {
                rows.push(((next, marks), here));
            }
        }
        here += 1;
    }
    None
}

fn backwards<N: Clone>(rows: &[(Hop<N>, usize)], last: usize, end: Hop<N>) -> Vec<Hop<N>> {
    let (mut hops, mut row) = (vec![end], last);
    while row > 0 {
        hops.push(rows[row].0.clone());
        row = rows[row].1;
    }
    hops.reverse();
    hops
}

/// A cycle from a node to itself that has all the marks wanted, if there is one within what `edges` shows.
pub fn cycle<N: Clone + Eq + Hash>(
    root: &N,
    wanted: Marks,
    mut edges: impl FnMut(&N) -> Vec<Hop<N>>,
) -> Option<Vec<Hop<N>>> {
    let everywhere = Nearby { most: usize::MAX };
    let (mut hops, mut missing) = (Vec::new(), wanted);
    while missing != 0 {
        let here = hops.last().map_or(root, |it: &Hop<N>| &it.0).clone();
        let more = way(&here, &mut edges, |_, marks| marks & missing != 0, &everywhere)?;
        missing = more.iter().fold(missing, |missing, it| missing & !it.1);
        hops.extend(more);
    }
    let here = hops.last().map_or(root, |it| &it.0).clone();
    if hops.is_empty() || here != *root {
        hops.extend(way(&here, &mut edges, |it, _| it == root, &everywhere)?);
    }
    Some(hops)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// 0 → 1 → 2 → 0, and 1 → 3 → 1; the edges to 2 and 3 are marked.
    fn edges(node: &u32) -> Vec<(u32, Marks)> {
        match node {
            0 => vec![(1, 0)],
            1 => vec![(2, 1), (3, 2)],
            2 => vec![(0, 0)],
            _ => vec![(1, 0)],
        }
    }

    fn nodes(hops: Option<Vec<Hop<u32>>>) -> Vec<u32> {
        hops.expect("a cycle").into_iter().map(|it| it.0).collect()
    }

    #[test]
    fn a_cycle_has_all_marks() {
        assert_eq!(nodes(cycle(&0, 1, edges)), [1, 2, 0]);
        assert_eq!(nodes(cycle(&0, 3, edges)), [1, 2, 0, 1, 3, 1, 2, 0]);
        assert_eq!(cycle(&0, 4, edges), None);
    }

    #[test]
    fn without_marks_a_cycle_still_goes_round() {
        assert_eq!(nodes(cycle(&3, 0, edges)), [1, 3]);
    }

    #[test]
    fn a_way_is_a_shortest_one() {
        let nearby = Nearby { most: 100 };
        assert_eq!(way(&0, edges, |it, _| *it == 3, &nearby), Some(vec![(1, 0), (3, 2)]));
        assert_eq!(way(&0, edges, |it, _| *it == 9, &nearby), None);
    }
}
