//! Products: the words that two automata both accept.
//!
//! A state of the product is a pair of states, an edge a pair of edges whose labels have a letter in common, and the acceptance sets of both
//! are side by side. With the emptiness test of [`crate::components`] this answers all questions of this crate about languages
//! (Vardi, Wolper, *An automata-theoretic approach to automatic program verification*, LICS 1986).
use crate::automaton::{Automaton, Edge, Marks, add_edge};
use crate::bdd::Bdd;
use crate::components::{components, is_empty};
use crate::hash::QuickMap;
use crate::lasso::Lasso;
use crate::translate::TooLarge;

/// The product of two automata.
pub fn product(left: &Automaton, right: &Automaton) -> Result<Automaton, TooLarge> {
    product_of_pairs(left, right).map(|it| it.0)
}

/// The product, and the pair of states behind each of its states.
pub(crate) fn product_of_pairs(
    left: &Automaton,
    right: &Automaton,
) -> Result<(Automaton, Vec<(usize, usize)>), TooLarge> {
    if left.sets + right.sets > Marks::MOST {
        return Err(TooLarge::Sets);
    }
    let mut labels = left.labels.clone();
    let mut known = QuickMap::default();
    let (mut numbers, mut pairs) = (QuickMap::default(), vec![(left.initial, right.initial)]);
    numbers.insert(pairs[0], 0);
    let mut edges = Vec::new();
    while let Some(&(first, second)) = pairs.get(edges.len()) {
        let mut out = Vec::new();
        for one in &left.edges[first] {
            for two in &right.edges[second] {
                let other = labels.import_known(&right.labels, two.label, &mut known);
                let label = labels.and(one.label, other);
                if label == Bdd::FALSE {
                    continue;
                }
                let target = *numbers.entry((one.target, two.target)).or_insert_with(|| {
                    pairs.push((one.target, two.target));
                    pairs.len() - 1
                });
                let marks = one.marks.with(Marks(two.marks.0.checked_shl(left.sets).unwrap_or(0)));
                add_edge(&mut out, &mut labels, Edge { label, marks, target });
            }
        }
        edges.push(out);
    }
    let (atoms, sets) = (left.atoms.max(right.atoms), left.sets + right.sets);
    Ok((Automaton { atoms, sets, initial: 0, edges, labels }, pairs))
}

/// Whether no word is accepted by both.
pub fn are_disjoint(left: &Automaton, right: &Automaton) -> Result<bool, TooLarge> {
    product(left, right).map(|it| is_empty(&it))
}

impl Automaton {
    /// Whether a word is accepted: the product with the word, without building labels.
    pub fn accepts(&self, word: &Lasso) -> bool {
        let length = word.letters().len();
        let moves = |node: usize| {
            let (state, position) = (node / length, node % length);
            self.moves(state, word.letters()[position])
                .map(move |it| (it.target * length + word.after(position), it.marks))
        };
        let parts =
            components(self.states() * length, &[self.initial * length], |it| moves(it).map(|it| it.0).collect());
        (0..parts.members.len()).any(|part| {
            let inner =
                || parts.members[part].iter().flat_map(|&it| moves(it)).filter(|it| parts.of[it.0] == Some(part));
            inner().next().is_some() && inner().fold(Marks::NONE, |all, it| all.with(it.1)) == self.all_marks()
        })
    }

    /// With a rejecting state for all letters that had no way.
    #[must_use]
    pub fn completed(&self) -> Automaton {
        let mut complete = self.clone();
        if complete.sets == 0 {
            complete.sets = 1;
            complete.edges.iter_mut().flatten().for_each(|it| it.marks = Marks::one(0));
        }
        let sink = complete.states();
        for edges in &mut complete.edges {
            let all = edges.iter().fold(Bdd::FALSE, |all, it| complete.labels.or(all, it.label));
            let label = complete.labels.not(all);
            if label != Bdd::FALSE {
                edges.push(Edge { label, marks: Marks::NONE, target: sink });
            }
        }
        complete.edges.push(vec![Edge { label: Bdd::TRUE, marks: Marks::NONE, target: sink }]);
        complete.tidied()
    }

    /// An automaton for all words that this deterministic one does not accept: from some day on the only run avoids some set.
    pub fn complement_of_deterministic(&self) -> Option<Automaton> {
        if !self.is_deterministic() {
            return None;
        }
        let complete = self.completed();
        let count = complete.states();
        let mut opposite = Automaton { sets: 1, ..complete.clone() };
        opposite.edges.iter_mut().flatten().for_each(|it| it.marks = Marks::NONE);
        for set in 0..complete.sets {
            let start = count * (set as usize + 1);
            let moved = |it: &Edge| Edge { target: it.target + start, marks: Marks::one(0), ..*it };
            for state in 0..count {
                let avoiding: Vec<Edge> =
                    complete.edges[state].iter().filter(|it| !it.marks.has(set)).map(moved).collect();
                opposite.edges[state].extend(avoiding.iter().map(|it| Edge { marks: Marks::NONE, ..*it }));
                opposite.edges.push(avoiding);
            }
        }
        Some(opposite.tidied())
    }
}
