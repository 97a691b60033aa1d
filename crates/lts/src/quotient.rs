//! The smallest system that cannot be told from a given one: its classes, and the steps between them.
use crate::{Builder, Equivalence, Label, Lts, State, classes};

/// The smallest equivalent system: one state for each class that can be reached, numbered breadth first, each step once.
pub fn minimise(lts: &Lts, equivalence: Equivalence) -> Lts {
    let lts = lts.reachable();
    let classes = classes(&lts, equivalence);
    let mut steps: Vec<(State, Label, State)> = Vec::with_capacity(lts.transitions());
    for (state, it) in lts.all_steps() {
        let (source, target) = (classes.of(state), classes.of(it.target));
        let changes_nothing = it.label == Label::SILENT && source == target;
        if equivalence == Equivalence::Strong || !changes_nothing {
            steps.push((source, it.label, target));
        }
    }
    let diverging = (0..classes.count as State).filter(|&it| classes.diverges[it as usize]);
    steps.extend(diverging.map(|it| (it, Label::SILENT, it)));
    steps.sort_unstable();
    steps.dedup();
    let mut builder = Builder::with_labels(lts.labels.clone());
    steps.into_iter().for_each(|(source, label, target)| builder.add(source, label, target));
    builder.finish(classes.of(lts.initial), classes.count).reachable()
}
