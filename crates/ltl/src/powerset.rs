//! The powerset construction: which states can be reached with the letters so far.
//!
//! Rabin, Scott, *Finite automata and their decision problems*, 1959. The result is deterministic and complete. For infinite words it says nothing about acceptance by itself;
//! [`crate::obligation`] and [`crate::recurrence`] find out whether acceptance can be put on it.
use crate::automaton::{Automaton, Edge, Marks, add_edge};
use crate::bdd::{Bdd, Bdds};
use crate::hash::QuickMap;

/// The powerset automaton, complete and without marks, and the set of states behind each of its states.
pub(crate) struct Powerset {
    pub automaton: Automaton,
    pub members: Vec<Vec<usize>>,
}

/// The powerset automaton, if it has at most `most` states.
pub(crate) fn powerset(automaton: &Automaton, most: usize) -> Option<Powerset> {
    let mut labels = automaton.labels.clone();
    let (mut numbers, mut members) = (QuickMap::default(), vec![vec![automaton.initial]]);
    numbers.insert(members[0].clone(), 0);
    let mut edges: Vec<Vec<Edge>> = Vec::new();
    while edges.len() < members.len() {
        let mut out = Vec::new();
        for (label, targets) in successors(automaton, &mut labels, &members[edges.len()]) {
            let target = *numbers.entry(targets).or_insert_with_key(|targets| {
                members.push(targets.clone());
                members.len() - 1
            });
            add_edge(&mut out, &mut labels, Edge { label, marks: Marks::NONE, target });
        }
        edges.push(out);
        if members.len() > most {
            return None;
        }
    }
    let automaton = Automaton { atoms: automaton.atoms, sets: 1, initial: 0, edges, labels };
    Some(Powerset { automaton, members })
}

/// The sets of states that a set leads to, each with its letters.
fn successors(automaton: &Automaton, labels: &mut Bdds, members: &[usize]) -> Vec<(Bdd, Vec<usize>)> {
    let mut regions: Vec<(Bdd, Vec<usize>)> = vec![(Bdd::TRUE, Vec::new())];
    for edge in members.iter().flat_map(|&it| &automaton.edges[it]) {
        let mut finer: Vec<(Bdd, Vec<usize>)> = Vec::new();
        for (region, targets) in regions {
            let (inside, outside) = (labels.and(region, edge.label), labels.minus(region, edge.label));
            let mut more = targets.clone();
            if let Err(place) = more.binary_search(&edge.target) {
                more.insert(place, edge.target);
            }
            for (part, set) in [(inside, more), (outside, targets)] {
                match finer.iter_mut().find(|it| it.1 == set) {
                    _ if part == Bdd::FALSE => {}
                    Some(known) => known.0 = labels.or(known.0, part),
                    None => finer.push((part, set)),
                }
            }
        }
        regions = finer;
    }
    regions
}
