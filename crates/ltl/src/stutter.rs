//! Does a property notice stuttering?
//!
//! A language is *stutter-invariant* if repeating letters, or leaving out repeated ones, never changes whether a word is in it. Partial-order reduction keeps only such properties.
//! Formulas without `X` have it (Lamport, *What good is temporal logic?*, 1983), and others too. Michaud, Duret-Lutz, *Practical stutter-invariance checks for ω-regular languages*, SPIN 2015, decide
//! it: let `cl(A)` accept also what remains of the words of `A` when repeated letters are left out. Two words that differ by stuttering can be cut down to a common one,
//! so the language of `f` is invariant exactly if `cl(A_f)` and `cl(A_!f)` have no word in common.
//!
//! `cl(A)` has the states of `A`: where one edge can follow another with the same letter, an edge is added that does both at once.
use crate::automaton::{Automaton, Edge};
use crate::bdd::Bdd;
use crate::formula::Formula;
use crate::mistake::Mistake;
use crate::product::are_disjoint;
use crate::translate::{Options, TooLarge, translate_with};

/// Whether stuttering is noticed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stuttering {
    /// It makes no difference.
    Invariant,
    /// Some words are told apart.
    Sensitive,
    /// The question was too hard; whoever needs an answer must take it for a difference.
    Unknown,
}

impl Stuttering {
    /// Whether it certainly makes no difference.
    pub fn is_invariant(self) -> bool {
        self == Stuttering::Invariant
    }
}

/// Whether a formula notices stuttering.
pub fn of_formula(formula: &Formula) -> Stuttering {
    of_formula_with(formula, &Options::default())
}

/// The same with options.
pub fn of_formula_with(formula: &Formula, options: &Options) -> Stuttering {
    if !formula.has_next() || !formula.simplified().has_next() {
        return Stuttering::Invariant;
    }
    let both =
        translate_with(formula, options).and_then(|it| Ok((it, translate_with(&formula.clone().negated(), options)?)));
    match both {
        Ok((automaton, negation)) => of_languages(&automaton, &negation, options),
        Err(_) => Stuttering::Unknown,
    }
}

/// Whether the language of an automaton notices stuttering. Only for deterministic automata a complement is at hand.
pub fn of_automaton(automaton: &Automaton) -> Stuttering {
    match automaton.complement_of_deterministic() {
        Some(negation) => of_languages(automaton, &negation, &Options::default()),
        None => Stuttering::Unknown,
    }
}

/// The same when an automaton for the other words is known.
pub fn of_languages(automaton: &Automaton, negation: &Automaton, options: &Options) -> Stuttering {
    let closures = [automaton, negation].map(|it| closure(it, options));
    let disjoint = match &closures {
        [Ok(one), Ok(other)] => are_disjoint(one, other),
        [Err(large), _] | [_, Err(large)] => Err(*large),
    };
    match disjoint {
        Ok(true) => Stuttering::Invariant,
        Ok(false) => Stuttering::Sensitive,
        Err(_) => Stuttering::Unknown,
    }
}

/// More edges than this, and the closure is given up.
const MOST_EDGES: usize = 200_000;

/// `cl(A)`: adds shortcuts until there are no new ones.
fn closure(automaton: &Automaton, options: &Options) -> Result<Automaton, TooLarge> {
    let mut closed = automaton.clone();
    if options.mistake == Some(Mistake::Stuttering) {
        return Ok(closed);
    }
    for state in 0..closed.states() {
        let mut edges = automaton.edges[state].clone();
        let mut next = 0;
        while let Some(&first) = edges.get(next) {
            next += 1;
            for second in &automaton.edges[first.target] {
                let label = closed.labels.and(first.label, second.label);
                let shortcut = Edge { label, marks: first.marks.with(second.marks), target: second.target };
                if !is_covered(&mut closed, &edges, &shortcut) {
                    edges.push(shortcut);
                }
            }
            if edges.len() > MOST_EDGES {
                return Err(TooLarge::States(MOST_EDGES));
            }
        }
        closed.edges[state] = edges;
    }
    Ok(closed)
}

/// Whether other edges already do what an edge does.
fn is_covered(automaton: &mut Automaton, edges: &[Edge], edge: &Edge) -> bool {
    let stronger = |it: &&Edge| it.target == edge.target && edge.marks.within(it.marks);
    let known = edges.iter().filter(stronger).fold(Bdd::FALSE, |all, it| automaton.labels.or(all, it.label));
    automaton.labels.implies(edge.label, known)
}
