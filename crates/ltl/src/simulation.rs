//! Simulation: a state that can do all that another can, with at least its marks, makes the other superfluous.
//!
//! Etessami, Wilke, Schuller, *Fair simulation relations, parity games, and state space reduction for Büchi automata*, ICALP 2001 (direct simulation); Somenzi, Bloem, CAV 2000 (also
//! backwards); the computation by signatures is that of Babiak, Badie, Duret-Lutz, Křetínský, Strejček, *Compositional approach to suspension and other improvements to LTL
//! translation*, SPIN 2013. The *signature* of a state is a Boolean function: the sum, over its edges, of
//!
//! ```text
//! label  and  a variable for each set the edge is not in  and  a variable for each class that simulates the target
//! ```
//!
//! Then one state simulates another exactly if the other's signature implies its own. Classes are refined until nothing changes. The sum loses by itself what is
//! dominated, letter by letter, so the smaller automaton is read off the signatures. Backwards it is the same with the edges turned round.
//!
//! The relation that is found is used as a whole either forwards or backwards, never both at once, which would not be sound.
use crate::automaton::{Automaton, Edge, Marks, add_edge};
use crate::bdd::{Bdd, Bdds};
use crate::hash::QuickMap;
use crate::mistake::Mistake;
use crate::translate::Options;

/// Above this number of states the effort is not worth it.
const LARGEST: usize = 2000;

/// Reduces forwards and backwards until nothing changes.
#[must_use]
pub fn simulated(automaton: &Automaton, options: &Options) -> Automaton {
    let mut best = automaton.tidied();
    loop {
        let forwards = quotient(&best, Direction::Forwards, options);
        let backwards = quotient(&forwards, Direction::Backwards, options);
        if backwards.size() >= best.size() {
            return best;
        }
        best = backwards;
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Direction {
    Forwards,
    Backwards,
}

/// One reduction. A state-based automaton stays one.
fn quotient(automaton: &Automaton, direction: Direction, options: &Options) -> Automaton {
    if automaton.states() > LARGEST {
        return automaton.clone();
    }
    match direction {
        Direction::Forwards => from_signatures(automaton, false, options),
        Direction::Backwards if automaton.is_state_based() => {
            // The acceptance of a state goes to the edges into it, so that states are told apart by it.
            let arriving = with_marks_of(automaton, |_, edge| edge.target);
            leaving(&turned(&from_signatures(&turned(&arriving), true, options)))
        }
        Direction::Backwards => turned(&from_signatures(&turned(automaton), true, options)),
    }
    .tidied()
}

/// The state-based automaton where each edge carries the acceptance of the chosen state.
fn with_marks_of(automaton: &Automaton, chosen: impl Fn(usize, &Edge) -> usize) -> Automaton {
    let mut changed = automaton.clone();
    for (source, edges) in changed.edges.iter_mut().enumerate() {
        for edge in edges {
            let accepting = automaton.is_accepting(chosen(source, edge));
            edge.marks = if accepting { automaton.all_marks() } else { Marks::NONE };
        }
    }
    changed
}

/// The inverse of marking edges by their target: a state is accepting if edges into it are marked.
fn leaving(arriving: &Automaton) -> Automaton {
    let mut marks = vec![Marks::NONE; arriving.states()];
    arriving.edges.iter().flatten().for_each(|it| marks[it.target] = it.marks);
    let mut changed = arriving.clone();
    for (source, edges) in changed.edges.iter_mut().enumerate() {
        edges.iter_mut().for_each(|it| it.marks = marks[source]);
    }
    changed
}

/// All edges the other way. Twice gives the same automaton again.
fn turned(automaton: &Automaton) -> Automaton {
    let mut turned = Automaton { edges: vec![Vec::new(); automaton.states()], ..automaton.clone() };
    for (source, edges) in automaton.edges.iter().enumerate() {
        for edge in edges {
            turned.edges[edge.target].push(Edge { target: source, ..*edge });
        }
    }
    turned
}

/// The automaton of the signatures of the greatest simulation. Backwards it matters where runs start.
fn from_signatures(automaton: &Automaton, start_matters: bool, options: &Options) -> Automaton {
    let mut work = Signatures {
        automaton,
        functions: automaton.labels.clone(),
        sets: automaton.atoms,
        classes: automaton.atoms + automaton.sets,
        start_matters,
        ignore_marks: options.mistake == Some(Mistake::Acceptance),
    };
    let mut class = vec![0; automaton.states()];
    let mut above = vec![vec![0]];
    loop {
        let signatures = work.of_states(&class, &above);
        let (finer, representatives) = numbered(&signatures);
        let functions: Vec<Bdd> = representatives.iter().map(|&it| signatures[it]).collect();
        let relation = work.relation(&functions);
        if representatives.len() == above.len() && relation == above {
            return work.read_off(&class, &above, &functions);
        }
        (class, above) = (finer, relation);
    }
}

/// Equal functions get equal numbers, in order of appearance, so that stable classes keep theirs; and a state for each number.
fn numbered(signatures: &[Bdd]) -> (Vec<usize>, Vec<usize>) {
    let (mut numbers, mut representatives) = (QuickMap::default(), Vec::new());
    let class = signatures.iter().enumerate().map(|(state, &signature)| {
        *numbers.entry(signature).or_insert_with(|| {
            representatives.push(state);
            representatives.len() - 1
        })
    });
    (class.collect(), representatives)
}

struct Signatures<'a> {
    automaton: &'a Automaton,
    functions: Bdds,
    /// The first variable for sets, and the one for classes; then one that tells where runs start.
    sets: u32,
    classes: u32,
    start_matters: bool,
    ignore_marks: bool,
}

impl Signatures<'_> {
    fn start(&self) -> u32 {
        self.classes + self.automaton.states() as u32
    }

    fn of_states(&mut self, class: &[usize], above: &[Vec<usize>]) -> Vec<Bdd> {
        let targets: Vec<Bdd> =
            above.iter().map(|it| self.all_of(self.classes, it.iter().map(|&it| it as u32))).collect();
        (0..class.len()).map(|state| self.of_state(state, class, &targets)).collect()
    }

    fn of_state(&mut self, state: usize, class: &[usize], targets: &[Bdd]) -> Bdd {
        let automaton = self.automaton;
        let begins = self.start_matters && state == automaton.initial;
        let begins = if begins { self.functions.variable(self.start()) } else { Bdd::FALSE };
        automaton.edges[state].iter().fold(begins, |sum, edge| {
            let missing = automaton.all_marks().without(edge.marks);
            let missing = if self.ignore_marks { Marks::NONE } else { missing };
            let missing = self.all_of(self.sets, missing.sets());
            let product = self.functions.and(edge.label, missing);
            let product = self.functions.and(product, targets[class[edge.target]]);
            self.functions.or(sum, product)
        })
    }

    fn all_of(&mut self, base: u32, variables: impl Iterator<Item = u32>) -> Bdd {
        let mut variables: Vec<u32> = variables.map(|it| base + it).collect();
        variables.sort();
        variables.iter().rev().fold(Bdd::TRUE, |all, &it| {
            let variable = self.functions.variable(it);
            self.functions.and(variable, all)
        })
    }

    /// For each class the classes that simulate it, in order.
    fn relation(&mut self, functions: &[Bdd]) -> Vec<Vec<usize>> {
        let simulates =
            |functions_table: &mut Bdds, below: Bdd, other: usize| functions_table.implies(below, functions[other]);
        functions
            .iter()
            .map(|&below| (0..functions.len()).filter(|&other| simulates(&mut self.functions, below, other)).collect())
            .collect()
    }

    /// One state for each class, with the edges that its signature has.
    fn read_off(&mut self, class: &[usize], above: &[Vec<usize>], functions: &[Bdd]) -> Automaton {
        let by_above: QuickMap<&[usize], usize> =
            above.iter().enumerate().map(|(class, it)| (&it[..], class)).collect();
        let edges = functions.iter().map(|&it| self.edges(it, &by_above)).collect();
        Automaton {
            initial: class[self.automaton.initial],
            edges,
            labels: std::mem::take(&mut self.functions),
            ..Automaton { sets: self.automaton.sets, ..Automaton::empty(self.automaton.atoms) }
        }
    }

    fn edges(&mut self, function: Bdd, by_above: &QuickMap<&[usize], usize>) -> Vec<Edge> {
        let mut edges = Vec::new();
        for (label, rest) in self.functions.split(function, self.automaton.atoms) {
            for product in self.functions.cubes(rest) {
                if let Some(edge) = self.edge(label, &product, by_above) {
                    add_edge(&mut edges, &mut self.functions, edge);
                }
            }
        }
        edges
    }

    /// The edge of a product. The product that says where runs start is none.
    fn edge(&self, label: Bdd, product: &[(u32, bool)], by_above: &QuickMap<&[usize], usize>) -> Option<Edge> {
        let (sets, classes) = product.split_at(product.partition_point(|it| it.0 < self.classes));
        let classes: Vec<usize> = classes.iter().map(|it| (it.0 - self.classes) as usize).collect();
        let missing = sets.iter().fold(Marks::NONE, |all, it| all.with(Marks::one(it.0 - self.sets)));
        let marks = self.automaton.all_marks().without(missing);
        by_above.get(&classes[..]).map(|&target| Edge { label, marks, target })
    }
}
