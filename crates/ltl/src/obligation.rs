//! Obligations: the smallest deterministic automaton, for properties that have a weak one.
//!
//! Boolean combinations of safety properties are the *obligations* of Manna and Pnueli; they are what weak deterministic Büchi automata recognise. Dax, Eisinger, Klaedtke, *Mechanizing the powerset construction for
//! restricted classes of ω-automata*, ATVA 2007, build one for any automaton: take the powerset automaton, let a component accept if the automaton accepts the words that
//! some cycle of it repeats, minimise, and compare languages. If they are equal, the property was an obligation.
//!
//! Weak deterministic automata are minimised as automata on finite words, once acceptance of the states that lie on no cycle is chosen well: Löding, *Efficient minimization of
//! deterministic weak ω-automata*, Information Processing Letters 79, 2001.
use crate::automaton::{Automaton, Edge, Marks, add_edge};
use crate::bdd::Bdd;
use crate::components::{Components, pruned};
use crate::hash::QuickMap;
use crate::lasso::{Lasso, Letter};
use crate::mistake::Mistake;
use crate::powerset::{Powerset, powerset};
use crate::product::are_disjoint;
use crate::translate::Options;

/// The smallest weak deterministic automaton with the language of `automaton`, if there is one and the powerset automaton has at most `most` states.
/// `negation` accepts all other words.
pub fn minimal_weak(automaton: &Automaton, negation: &Automaton, most: usize, options: &Options) -> Option<Automaton> {
    if automaton.atoms > Letter::BITS {
        return None;
    }
    let powerset = powerset(automaton, most)?;
    let accepting = acceptance(automaton, &powerset)?;
    let minimal = minimised(&powerset.automaton, accepting);
    let unchecked = options.mistake == Some(Mistake::Obligation);
    let equal = || {
        let opposite = minimal.complement_of_deterministic()?;
        Some(are_disjoint(&minimal, negation).ok()? && are_disjoint(automaton, &opposite).ok()?)
    };
    (unchecked || equal()?).then(|| pruned(&minimal))
}

/// Which states accept: those of components whose cycles are accepted, and where it does not matter what makes the automaton small.
fn acceptance(automaton: &Automaton, powerset: &Powerset) -> Option<Vec<bool>> {
    let components = Components::of(&powerset.automaton);
    let mut ranks: Vec<usize> = Vec::new();
    for (component, members) in components.members.iter().enumerate() {
        let out = members.iter().flat_map(|&it| &powerset.automaton.edges[it]);
        // Successors have smaller numbers.
        let later = out.filter_map(|it| ranks.get(components.of[it.target]?)).copied().max().unwrap_or(0);
        let has_cycle = components.inner(&powerset.automaton, component).next().is_some();
        ranks.push(match has_cycle {
            false => later,
            // Even ranks accept, odd ones do not.
            true if is_cycle_accepted(automaton, powerset, members[0])? => later + later % 2,
            true => later + 1 - later % 2,
        });
    }
    Some(components.of.iter().map(|it| it.is_some_and(|it| ranks[it].is_multiple_of(2))).collect())
}

/// Whether the automaton accepts, from the set behind a state, the word that some cycle through that state repeats.
fn is_cycle_accepted(automaton: &Automaton, powerset: &Powerset, state: usize) -> Option<bool> {
    let word = Lasso::new(&[], &cycle_through(&powerset.automaton, state)?)?;
    let accepts_from = |&initial: &usize| Automaton { initial, ..automaton.clone() }.accepts(&word);
    Some(powerset.members[state].iter().any(accepts_from))
}

/// The letters of a shortest cycle through a state.
fn cycle_through(automaton: &Automaton, state: usize) -> Option<Vec<Letter>> {
    let mut before: Vec<Option<(usize, Letter)>> = vec![None; automaton.states()];
    let mut queue = vec![state];
    let mut next = 0;
    while before[state].is_none() {
        let source = *queue.get(next)?;
        next += 1;
        for edge in &automaton.edges[source] {
            if before[edge.target].is_none() {
                before[edge.target] = Some((source, some_letter(automaton, edge.label)?));
                queue.push(edge.target);
            }
        }
    }
    let (mut letters, mut at) = (Vec::new(), state);
    while let Some((source, letter)) = before[at] {
        letters.push(letter);
        at = source;
        if at == state {
            break;
        }
    }
    letters.reverse();
    Some(letters)
}

/// A letter of a label.
fn some_letter(automaton: &Automaton, label: Bdd) -> Option<Letter> {
    let cubes = automaton.cubes(label);
    cubes.first().map(|cube| cube.iter().filter(|it| it.1).map(|it| 1 << it.0).sum())
}

/// Moore's minimisation: states stay together as long as they agree on acceptance and on where letters lead.
fn minimised(automaton: &Automaton, accepting: Vec<bool>) -> Automaton {
    let mut labels = automaton.labels.clone();
    let mut block: Vec<usize> = accepting.iter().map(|&it| usize::from(it)).collect();
    let mut count = 0;
    loop {
        let (mut numbers, mut edges) = (QuickMap::default(), Vec::new());
        let mut finer = Vec::new();
        for state in 0..automaton.states() {
            let mut moves: Vec<Edge> = Vec::new();
            let marks = if accepting[state] { Marks::one(0) } else { Marks::NONE };
            for edge in &automaton.edges[state] {
                add_edge(&mut moves, &mut labels, Edge { label: edge.label, marks, target: block[edge.target] });
            }
            moves.sort();
            finer.push(*numbers.entry((block[state], moves)).or_insert_with_key(|(_, moves)| {
                edges.push(moves.clone());
                edges.len() - 1
            }));
        }
        let stable = edges.len() == count;
        (block, count) = (finer, edges.len());
        if stable {
            let initial = block[automaton.initial];
            // The edges still speak of the blocks of the round before, which had the same numbers.
            return Automaton { initial, edges, labels, ..automaton.clone() };
        }
    }
}
