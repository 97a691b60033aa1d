//! Whether two systems can be told apart, and by what.
//!
//! Both systems beside each other are one system; they are equivalent if their initial states are in one class. If not, there is a formula that is true of one alone
//! (Cleaveland, *On automatically explaining bisimulation inequivalence*, 1990; Korver, *Computing distinguishing formulas for branching bisimulation*, 1991). It is read off the signatures: on the level on which
//! two blocks P₁, P₂ ⊆ P part, one can do some (a, C) that the other cannot. So the one *can do `a` and be in C then*, where to be in C
//! is said by what tells C from every C′ with (a, C′) among what the other can do. With silent steps, to stay in P until then is said by what tells P from
//! every block that the other can slip to. Before a formula is shown it is evaluated on both systems by its definition.
use rustc_hash::FxHashMap as HashMap;

use crate::branching::{Condensed, Signature};
use crate::formula::{Distinction, Formula, FormulaId, Formulas};
use crate::levels::{Level, levels};
use crate::{Equivalence, Label, Lts, State, classes};

/// The most levels and parts of formulas that an explanation may have.
const MOST: usize = 400;

/// What a comparison says.
#[derive(Clone, Debug)]
pub enum Comparison {
    /// Nobody can tell one from the other.
    Equivalent,
    /// They differ, and a formula says in what if one of reasonable size was found.
    Different(Option<Distinction>),
}

/// Compares two systems.
pub fn compare(one: &Lts, other: &Lts, equivalence: Equivalence) -> Comparison {
    let one = one.reachable();
    let (both, begins) = one.beside(&other.reachable());
    let classes = classes(&both, equivalence);
    if classes.of(both.initial) == classes.of(begins) {
        return Comparison::Equivalent;
    }
    Comparison::Different(explain(&both, [both.initial, begins], equivalence))
}

/// A formula that is true of the first of two states and not of the second.
fn explain(lts: &Lts, [one, other]: [State; 2], equivalence: Equivalence) -> Option<Distinction> {
    let mut explainer = match equivalence {
        Equivalence::Strong => Explainer::new(levels(lts, [one, other], false, MOST)?, None),
        Equivalence::Branching | Equivalence::DivergenceBranching => {
            let condensed = Condensed::new(lts, equivalence == Equivalence::DivergenceBranching);
            let ends = [one, other].map(|it| condensed.component_of[it as usize]);
            Explainer::new(levels(&condensed.lts, ends, true, MOST)?, Some((&condensed, ends)))
        }
    };
    let last = explainer.levels.last()?;
    let [one_end, other_end] = explainer.ends.unwrap_or([one, other]);
    let blocks = [last.block_of[one_end as usize], last.block_of[other_end as usize]];
    let formula = explainer.tell(explainer.levels.len() - 1, blocks)?;
    let truth = explainer.formulas.holds(lts, formula);
    let is_right = truth[one as usize] && !truth[other as usize];
    is_right.then(|| Distinction { formulas: explainer.formulas, formula, labels: lts.labels.clone() })
}

struct Explainer {
    levels: Vec<Level>,
    formulas: Formulas,
    /// Formulas that tell two blocks of a level apart.
    known: HashMap<(usize, [u32; 2]), FormulaId>,
    /// With silent steps: the label of those that can go on.
    divergence: Option<Label>,
    ends: Option<[State; 2]>,
    truth: FormulaId,
    size: usize,
}

impl Explainer {
    fn new(levels: Vec<Level>, condensed: Option<(&Condensed, [State; 2])>) -> Self {
        let mut formulas = Formulas::default();
        let truth = formulas.add(Formula::All(Vec::new()));
        let (divergence, ends) = (condensed.map(|it| it.0.divergence), condensed.map(|it| it.1));
        Explainer { levels, formulas, known: HashMap::default(), divergence, ends, truth, size: 0 }
    }

    /// A formula that is true in the first of two blocks of a level and not in the second.
    fn tell(&mut self, mut level: usize, mut blocks: [u32; 2]) -> Option<FormulaId> {
        let parents = |level: &Level, blocks: [u32; 2]| blocks.map(|it| level.parent[it as usize]);
        let mut above = parents(&self.levels[level], blocks);
        while above[0] != above[1] {
            (level, blocks) = (level - 1, above);
            above = parents(&self.levels[level], blocks);
        }
        if let Some(&known) = self.known.get(&(level, blocks)) {
            return Some(known);
        }
        self.size += 1;
        if self.size > MOST {
            return None;
        }
        let formula = self.tell_siblings(level, blocks, above[0])?;
        self.known.insert((level, blocks), formula);
        Some(formula)
    }

    /// The same for two blocks that are parts of one on the level before.
    fn tell_siblings(&mut self, level: usize, [one, other]: [u32; 2], parent: u32) -> Option<FormulaId> {
        let signatures = &self.levels[level].signatures;
        let (has, lacks) = (signatures[one as usize].clone(), signatures[other as usize].clone());
        // The step with the fewest alternatives makes the shortest formula.
        let alternatives = |label: Label| lacks.iter().filter(|it| it.0 == label).count();
        let extra = has.iter().filter(|it| lacks.binary_search(it).is_err()).min_by_key(|it| alternatives(it.0));
        let Some(&(label, block)) = extra else {
            let opposite = self.tell(level, [other, one])?;
            return Some(self.formulas.add(Formula::Not(opposite)));
        };
        if self.divergence.is_none() {
            let then = self.unlike(level - 1, block, &lacks, label)?;
            return Some(self.formulas.add(Formula::Can { label, then }));
        }
        let until = self.unlike(level - 1, parent, &lacks, Label::SILENT)?;
        if self.divergence == Some(label) {
            return Some(self.formulas.add(Formula::Forever(until)));
        }
        let mut others = lacks;
        if label == Label::SILENT {
            others.push((label, parent));
        }
        let then = self.unlike(level - 1, block, &others, label)?;
        Some(self.formulas.add(Formula::Eventually { until, label, then }))
    }

    /// What is true in a block and in none of those that steps with a label lead to.
    fn unlike(&mut self, level: usize, block: u32, others: &Signature, label: Label) -> Option<FormulaId> {
        let mut parts = Vec::new();
        for &(_, other) in others.iter().filter(|it| it.0 == label) {
            parts.push(self.tell(level, [block, other])?);
        }
        parts.sort_unstable();
        parts.dedup();
        Some(if parts.is_empty() { self.truth } else { self.formulas.add(Formula::All(parts)) })
    }
}
