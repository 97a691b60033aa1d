//! Recurrence: a deterministic Büchi automaton on the powerset automaton, for properties that have one there.
//!
//! Landweber, *Decision problems for ω-automata*, 1969: a property has a deterministic Büchi automaton if adding to what an accepted run does infinitely often keeps it accepted.
//! Dax, Eisinger, Klaedtke, ATVA 2007, look for the marks of such an automaton on the powerset automaton by going through its cycles. Here the automaton of the negation
//! says which edges must not be marked: those that some word of the negation takes infinitely often, that is, those in an accepting component of the product of powerset automaton and negation.
//! All others, letter by letter, are marked. Then nothing wrong is accepted, and whether everything right is remains to be checked.
use crate::automaton::{Automaton, Edge, Marks};
use crate::bdd::Bdd;
use crate::components::Components;
use crate::hash::QuickMap;
use crate::mistake::Mistake;
use crate::powerset::powerset;
use crate::product::{are_disjoint, product_of_pairs};
use crate::translate::Options;

/// Where marks are put.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Place {
    /// On every edge that may have one.
    Edges,
    /// On the edges of states where all may have one: less, but no levels are needed to have accepting states.
    States,
}

/// Deterministic automata with the language of `automaton`, at most `most` states, and marks on edges or on states, as far as there are any.
/// `negation` accepts all other words.
pub fn deterministic(automaton: &Automaton, negation: &Automaton, most: usize, options: &Options) -> Vec<Automaton> {
    let Some(powerset) = powerset(automaton, most) else { return Vec::new() };
    let structure = Automaton { sets: 0, ..powerset.automaton };
    let Some(forbidden) = forbidden(&structure, negation) else { return Vec::new() };
    let unchecked = options.mistake == Some(Mistake::Recurrence);
    let candidates = [Place::Edges, Place::States].map(|place| marked(&structure, &forbidden, place));
    candidates.into_iter().filter(|it| unchecked || misses_nothing(it, automaton)).collect()
}

/// Whether the deterministic automaton accepts everything that the other does.
fn misses_nothing(deterministic: &Automaton, automaton: &Automaton) -> bool {
    deterministic.complement_of_deterministic().is_some_and(|it| are_disjoint(automaton, &it) == Ok(true))
}

/// The part of the labels between two states that words of the negation may take for ever, and the table of labels.
struct Forbidden {
    labels: QuickMap<(usize, usize), Bdd>,
    product: Automaton,
}

fn forbidden(structure: &Automaton, negation: &Automaton) -> Option<Forbidden> {
    let (mut product, pairs) = product_of_pairs(structure, negation).ok()?;
    let components = Components::of(&product);
    let accepting = components.accepting(&product);
    let mut labels: QuickMap<(usize, usize), Bdd> = QuickMap::default();
    for (source, edges) in product.edges.iter().enumerate() {
        let stays =
            |it: &&Edge| components.is_inside(source, it) && components.of[source].is_some_and(|it| accepting[it]);
        for edge in edges.iter().filter(stays) {
            let known = labels.entry((pairs[source].0, pairs[edge.target].0)).or_insert(Bdd::FALSE);
            *known = product.labels.or(*known, edge.label);
        }
    }
    Some(Forbidden { labels, product })
}

/// The structure with marks wherever they are not forbidden.
fn marked(structure: &Automaton, forbidden: &Forbidden, place: Place) -> Automaton {
    let mut result = Automaton { sets: 1, ..structure.clone() };
    let mut known = QuickMap::default();
    for (source, edges) in result.edges.iter_mut().enumerate() {
        let nowhere = place == Place::States && forbidden.labels.keys().any(|it| it.0 == source);
        for edge in std::mem::take(edges) {
            let never = forbidden.labels.get(&(source, edge.target)).copied().unwrap_or(Bdd::FALSE);
            let never = result.labels.import_known(&forbidden.product.labels, never, &mut known);
            let never = if nowhere { Bdd::TRUE } else { never };
            let (plain, marked) = (result.labels.and(edge.label, never), result.labels.minus(edge.label, never));
            let parts = [(plain, Marks::NONE), (marked, Marks::one(0))].into_iter().filter(|it| it.0 != Bdd::FALSE);
            edges.extend(parts.map(|(label, marks)| Edge { label, marks, ..edge }));
        }
    }
    result.tidied()
}
