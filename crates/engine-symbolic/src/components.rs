//! Parts of a system that mostly keep to themselves, and where one of them may go first.
//!
//! fwduntilpor-2008 §2.3, for *components* instead of processes. A component is a set of cells. A relation that reads and changes cells of one component alone is an *inner* one; all
//! others that mention a cell of it meet there with others. A component is *deterministic* in a state if
//!
//! ```text
//! (1) it offers nothing to others: no relation that meets others is possible as far as the cells of this component say
//! (2) exactly one step of it is possible: one inner relation, with one successor
//! ```
//!
//! Both depend on its own cells alone, and nobody else changes these before it has moved. So the step is independent of all that others do meanwhile (C1), and it is the only one (C4).
//! If the property does not see it (C3), going first is noticed by nobody.
//!
//! Any division of the cells into components is right; a good one has small components with many inner relations. In a process language steps that belong together are steps of
//! several processes, so a process alone would have no inner steps at all. Here relations of few cells join them: all of at most one cell, of at most two, and so on; the limit is chosen for which
//! most relations are inner ones of small components.
use std::collections::BTreeSet;

use diagram::{Function, Relation, Space, Which};

use crate::explore::Explored;
use crate::layout::Layout;
use crate::pulse::Pulse;
use crate::stop::Result;

/// The components of a system.
pub struct Components {
    list: Vec<Component>,
}

/// What a component does by itself.
struct Component {
    steps: Vec<InnerStep>,
}

/// An inner relation.
struct InnerStep {
    /// Its row among the relations of the system.
    relation: usize,
    /// The states in which the component can do this and nothing else.
    alone: Function,
}

/// One component, for a property.
pub struct First {
    /// The rows of the relations that may go first, each with the states in which it may.
    pub steps: Vec<(usize, Function)>,
    /// All these states.
    pub states: Function,
}

impl Components {
    /// Divides the cells of a system.
    pub fn new(explored: &Explored<'_>) -> Result<Components> {
        let (layout, relations) = (explored.encoding.layout, &explored.system.relations);
        let used: Vec<BTreeSet<usize>> = relations.iter().map(|it| cells(layout, it)).collect();
        let division = best_division(layout.bits.len(), &used);
        let builder = Builder { space: explored.space(), layout, relations, used: &used, pulse: explored.run.pulse };
        let list = components(&division).map(|own| builder.component(&own)).collect::<Result<_>>()?;
        Ok(Components { list })
    }

    /// How many there are that do something by themselves.
    pub fn count(&self) -> usize {
        self.list.iter().filter(|it| !it.steps.is_empty()).count()
    }

    /// Where each of them may go first, if these relations are not seen.
    pub fn firsts(&self, is_invisible: &dyn Fn(usize) -> bool, space: &Space) -> Result<Vec<First>> {
        let mut list = Vec::new();
        for component in &self.list {
            let mut first = First { steps: Vec::new(), states: space.constant(false) };
            for step in component.steps.iter().filter(|it| is_invisible(it.relation)) {
                first.states = first.states.or(&step.alone)?;
                first.steps.push((step.relation, step.alone.clone()));
            }
            if !first.states.is_false() {
                list.push(first);
            }
        }
        Ok(list)
    }
}

/// The rows of the cells that a relation mentions.
fn cells(layout: &Layout, relation: &Relation) -> BTreeSet<usize> {
    let mentioned = layout.mentioned(relation);
    layout.bits.keys().enumerate().filter(|it| mentioned.contains(it.1)).map(|it| it.0).collect()
}

/// Per cell: the component it belongs to.
type Division = Vec<usize>;

/// The division for which most relations are inner ones of small components.
fn best_division(count: usize, used: &[BTreeSet<usize>]) -> Division {
    let mut sizes: Vec<usize> = used.iter().map(BTreeSet::len).collect();
    sizes.sort_unstable();
    sizes.dedup();
    let divisions = sizes.into_iter().map(|most| joined(count, used, most));
    let worth = |division: &Division| {
        let inner = used.iter().filter_map(|it| component_of(division, it));
        let size = |component: usize| division.iter().filter(|it| **it == component).count();
        inner.map(|it| count - size(it)).sum::<usize>()
    };
    divisions.max_by_key(worth).unwrap_or_default()
}

/// The division in which relations of at most so many cells have joined them.
fn joined(count: usize, used: &[BTreeSet<usize>], most: usize) -> Division {
    let mut division: Division = (0..count).collect();
    for cells in used.iter().filter(|it| it.len() <= most) {
        let together: BTreeSet<usize> = cells.iter().map(|&it| division[it]).collect();
        let Some(&first) = together.first() else { continue };
        division.iter_mut().filter(|it| together.contains(it)).for_each(|it| *it = first);
    }
    division
}

/// The component to which all of some cells belong.
fn component_of(division: &Division, cells: &BTreeSet<usize>) -> Option<usize> {
    let together: BTreeSet<usize> = cells.iter().map(|&it| division[it]).collect();
    together.first().copied().filter(|_| together.len() == 1)
}

/// The cells of each component.
fn components(division: &Division) -> impl Iterator<Item = BTreeSet<usize>> {
    let names: BTreeSet<usize> = division.iter().copied().collect();
    names.into_iter().map(|name| (0..division.len()).filter(|&it| division[it] == name).collect())
}

/// What it takes to describe a component.
struct Builder<'a> {
    space: &'a Space,
    layout: &'a Layout,
    relations: &'a [Relation],
    used: &'a [BTreeSet<usize>],
    pulse: &'a Pulse,
}

impl Builder<'_> {
    fn component(&self, own: &BTreeSet<usize>) -> Result<Component> {
        self.pulse.check()?;
        let is_inner = |&row: &usize| !self.used[row].is_empty() && self.used[row].is_subset(own);
        let inner: Vec<usize> = (0..self.relations.len()).filter(is_inner).collect();
        if inner.is_empty() {
            return Ok(Component { steps: Vec::new() });
        }
        let possible: Vec<Function> =
            inner.iter().map(|&row| Ok(self.relations[row].sources(self.space)?)).collect::<Result<_>>()?;
        let quiet = self.offers_nothing(own)?;
        let mut steps = Vec::new();
        for (place, &relation) in inner.iter().enumerate() {
            let mut alone = quiet.and(&possible[place])?.minus(&self.undetermined(&self.relations[relation])?)?;
            for (_, other) in possible.iter().enumerate().filter(|it| it.0 != place) {
                alone = alone.minus(other)?;
            }
            steps.push(InnerStep { relation, alone });
        }
        Ok(Component { steps })
    }

    /// Where a component has nothing to do with others: nothing that meets them is possible, as far as it has a say.
    fn offers_nothing(&self, own: &BTreeSet<usize>) -> Result<Function> {
        let own_bits: BTreeSet<usize> = self.bits(own);
        let mut quiet = self.space.constant(true);
        for (relation, used) in self.relations.iter().zip(self.used) {
            if used.is_subset(own) || used.is_disjoint(own) {
                continue;
            }
            let sources = relation.sources(self.space)?;
            let others: Vec<usize> =
                sources.support().current.into_iter().filter(|it| !own_bits.contains(it)).collect();
            quiet = quiet.minus(&sources.exists(self.space, &others, Which::Current)?)?;
        }
        Ok(quiet)
    }

    fn bits(&self, cells: &BTreeSet<usize>) -> BTreeSet<usize> {
        let lists = self.layout.bits.values().enumerate().filter(|it| cells.contains(&it.0));
        lists.flat_map(|it| it.1.iter().copied()).collect()
    }

    /// Where a relation has more than one successor: then some bit can become both.
    fn undetermined(&self, relation: &Relation) -> Result<Function> {
        let mut any = self.space.constant(false);
        for &bit in relation.touched() {
            let next = self.space.next(bit)?;
            let becomes =
                |value: &Function| relation.function().and(value)?.exists(self.space, relation.touched(), Which::Next);
            any = any.or(&becomes(&next)?.and(&becomes(&next.not())?)?)?;
        }
        Ok(any)
    }
}
