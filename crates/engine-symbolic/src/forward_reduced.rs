//! FwdUntilPOR: what can be reached through a set, with fewer interleavings.
//!
//! Vander Meulen, Pecheur, *Efficient symbolic model checking for process algebras*, 2008, listing 1.1. `FwdUntil(h, f)` is found in two phases, as by
//! ImProviso ([`crate::improviso`]): first one component after the other goes on alone while it is deterministic ([`crate::components`]) and not seen; where that ends, everybody moves.
//!
//! ```text
//! phase 1 of the frontier:  stack := frontier
//!     for each component K:
//!         waiting := {}
//!         while the frontier is not empty:
//!             first    := the states of the frontier and of f in which K may go first
//!             image    := where K comes to from there
//!             waiting  := waiting ∪ (frontier - first) ∪ (image ∩ stack)
//!             frontier := image - stack
//!             stack    := stack ∪ image
//!         frontier := waiting
//!
//! frontier := h; reached := {}
//! while the frontier is not empty:
//!     stack, ends := phase 1 of the frontier
//!     image    := where everybody comes to from (ends - reached) ∩ f
//!     reached  := reached ∪ stack
//!     frontier := image - reached
//! ```
//!
//! Corrections to the listing: the search begins with `h` and not with the constraint (line 11), and the new frontier is the image without the stack as it was *before* it took in the image (lines
//! 28-29). States that a component does not move wait for the next one.
//!
//! *What is seen* (C3): an action that the question names, and a step that changes what a condition reads. Of everything else the question cannot tell one interleaving from another as long as it has no
//! *next* by steps that are not seen. So `Next` must be by named actions, and a condition is about variables, or that nothing is possible at all. A question that
//! is not like this is not answered here, and says why. Cycles are looked for among the reduced states by all steps: such a cycle is one of the system, and one of the reduced
//! system is among them. Why it is right: `docs/theory/forward-ctl.md`.
use std::collections::BTreeSet;

use ctl::forward::By;
use ctl::{Formula, Node, Path, Question, forward::Reach};
use diagram::Function;
use model::{Expr, Scope};

use crate::branching::Labels;
use crate::cell::{Cell, Owner};
use crate::components::{Components, First};
use crate::explore::Explored;
use crate::run::{Mistake, NODE};
use crate::stop::Result;

/// Reduced searches in one system.
pub struct Reducer<'e> {
    explored: &'e Explored<'e>,
    components: Components,
    /// The bits of the cells that each condition reads; `None` if that is not known.
    observed: Vec<Option<BTreeSet<usize>>>,
    /// What any of the questions sees.
    seen: Seen,
    /// Where components may go first.
    firsts: Vec<First>,
    /// What was found already.
    known: Vec<(Reach, Function)>,
    /// All states that were reached.
    pub visited: Function,
    /// Those from which everybody moved in phase 2; the others were only passed in phase 1.
    pub expanded: Function,
    /// How often both phases took place.
    pub rounds: u64,
}

impl<'e> Reducer<'e> {
    /// Nothing is reached yet.
    pub fn new(explored: &'e Explored<'e>, conditions: &[Expr], questions: &[Question]) -> Result<Reducer<'e>> {
        let observed: Vec<_> = conditions.iter().map(|it| bits_read(explored, it)).collect();
        let (components, none) = (Components::new(explored)?, explored.encoding.constant(false));
        let mut seen = Seen::default();
        questions.iter().for_each(|it| seen.question(it));
        let bits: BTreeSet<usize> =
            seen.atoms.iter().flat_map(|&row| observed[row as usize].iter().flatten()).copied().collect();
        let (system, is_mistaken) = (explored.system, explored.run.plan.mistake == Some(Mistake::VisibleIsSafe));
        let is_invisible = |row: usize| {
            let is_named = system.actions[row].is_some_and(|it| seen.actions.contains(&it.0));
            let is_observed = system.relations[row].touched().iter().any(|it| bits.contains(it));
            is_mistaken || !is_named && !is_observed
        };
        let firsts = components.firsts(&is_invisible, explored.space())?;
        let (visited, expanded) = (none.clone(), none);
        Ok(Reducer { explored, components, observed, seen, firsts, known: Vec::new(), visited, expanded, rounds: 0 })
    }

    /// How many components do something by themselves.
    pub fn components(&self) -> usize {
        self.components.count()
    }

    /// What is found, fewer states than there are, if the question does not notice; or why it might.
    pub fn found(
        &mut self,
        labels: &mut Labels<'_>,
        question: &Question,
    ) -> Result<std::result::Result<Function, &'static str>> {
        if let Some(why) = self.obstacle(question) {
            return Ok(Err(why));
        }
        let found = match question {
            Question::NoState { reach, condition, .. } => {
                let reached = self.reach(labels, reach)?;
                reached.and(&labels.set(condition)?)?
            }
            Question::NoCycle { reach, by, condition } => {
                let within = self.reach(labels, reach)?.and(&labels.set(condition)?)?;
                labels.tree.behind_cycles(&labels.tree.steps(by.as_ref()), &within)?
            }
        };
        Ok(Ok(found))
    }

    /// Why a question may notice that interleavings are missing.
    fn obstacle(&self, question: &Question) -> Option<&'static str> {
        let (reach, condition, is_cycle) = match question {
            Question::NoState { reach, condition, .. } => (reach, condition, false),
            Question::NoCycle { reach, condition, .. } => (reach, condition, true),
        };
        match () {
            () if self.explored.encoding.layout.cells.contains_key(&Cell::Control) => {
                Some("a process may go on alone (`atomic`)")
            }
            () if self.seen.atoms.iter().any(|&it| self.observed[it as usize].is_none()) => {
                Some("a condition looks at more than global variables")
            }
            () if !condition.is_propositional() && (is_cycle || !is_stuck(condition)) => {
                Some("a condition is still temporal")
            }
            () => steps_noticed(reach),
        }
    }
}

/// Why the steps of a search may be noticed.
fn steps_noticed(reach: &Reach) -> Option<&'static str> {
    match reach {
        Reach::Initial => None,
        Reach::Meet(before, f) | Reach::Until(before, _, f) if f.is_propositional() => steps_noticed(before),
        Reach::Meet(..) | Reach::Until(..) => Some("a condition is still temporal"),
        Reach::Next(before, Some(actions)) if !actions.contains(None) => steps_noticed(before),
        Reach::Next(..) => Some("a next step may be one that is not named"),
    }
}

/// Whether a formula says that nothing is possible.
fn is_stuck(formula: &Formula) -> bool {
    let Node::Path(quantifier, Path::Next(f)) = formula.node() else { return false };
    let is_any = quantifier.actions.as_ref().is_some_and(ctl::Actions::is_all);
    quantifier.is_universal && is_any && *f.node() == Node::False
}

/// What a question sees.
#[derive(Default)]
struct Seen {
    actions: BTreeSet<u32>,
    atoms: BTreeSet<u32>,
}

impl Seen {
    fn question(&mut self, question: &Question) {
        match question {
            Question::NoState { reach, condition, .. } => {
                self.reach(reach);
                self.formula(condition);
            }
            Question::NoCycle { reach, by, condition } => {
                self.reach(reach);
                self.steps(by);
                self.formula(condition);
            }
        }
    }

    fn reach(&mut self, reach: &Reach) {
        match reach {
            Reach::Initial => {}
            Reach::Meet(before, f) => {
                self.reach(before);
                self.formula(f);
            }
            Reach::Next(before, by) => {
                self.reach(before);
                self.steps(by);
            }
            Reach::Until(before, by, f) => {
                self.reach(before);
                self.steps(by);
                self.formula(f);
            }
        }
    }

    fn steps(&mut self, by: &By) {
        self.actions.extend(by.iter().flat_map(|it| it.names().iter().copied()));
    }

    fn formula(&mut self, formula: &Formula) {
        if let Node::Atom(row) = formula.node() {
            self.atoms.insert(*row);
        }
        formula.visit_actions(&mut |it| self.actions.extend(it.names().iter().copied()));
        formula.parts().into_iter().for_each(|it| self.formula(it));
    }
}

/// The bits of the global variables that a condition reads, if it reads nothing else.
fn bits_read(explored: &Explored<'_>, condition: &Expr) -> Option<BTreeSet<usize>> {
    let layout = explored.encoding.layout;
    let is_plain = |it: &Expr| match it {
        Expr::Read(place) => place.scope == Scope::Global,
        Expr::Constant(_) | Expr::Unary(..) | Expr::Binary(..) | Expr::Conditional(..) => true,
        _ => false,
    };
    let mut bits = BTreeSet::new();
    let mut only_plain = true;
    model::variables::every_part(condition, &mut |part| {
        only_plain &= is_plain(part);
        if let Expr::Read(place) = part {
            let is_meant = |it: &&Cell| matches!(it, Cell::Variable(Owner::Global, id, _) if *id == place.variable);
            bits.extend(layout.bits.keys().filter(is_meant).flat_map(|it| &layout.bits[it]));
        }
    });
    only_plain.then_some(bits)
}

impl Reducer<'_> {
    /// States that are found forward, up to interleavings.
    fn reach(&mut self, labels: &mut Labels<'_>, reach: &Reach) -> Result<Function> {
        if let Some((_, known)) = self.known.iter().find(|it| it.0 == *reach) {
            return Ok(known.clone());
        }
        let found = match reach {
            Reach::Initial => self.explored.start.clone(),
            Reach::Meet(before, f) => self.reach(labels, before)?.and(&labels.set(f)?)?,
            Reach::Next(before, by) => {
                let states = self.reach(labels, before)?;
                self.image(&self.rows(by), &states)?
            }
            Reach::Until(before, by, through) => {
                let (states, through) = (self.reach(labels, before)?, labels.set(through)?);
                let reached = self.until(&self.rows(by), &states, &through)?;
                self.visited = self.visited.or(&reached)?;
                reached
            }
        };
        self.known.push((reach.clone(), found.clone()));
        Ok(found)
    }

    /// The rows of the relations of some actions.
    fn rows(&self, by: &By) -> Vec<usize> {
        let actions = &self.explored.system.actions;
        let is_one = |row: &usize| by.as_ref().is_none_or(|it| it.contains(actions[*row].map(|it| it.0)));
        (0..actions.len()).filter(is_one).collect()
    }

    /// Both phases until nothing is new.
    fn until(&mut self, by: &[usize], from: &Function, through: &Function) -> Result<Function> {
        let space = self.explored.space();
        let (mut reached, mut frontier) = (space.constant(false), from.clone());
        // What may go first is not seen, so that it belongs to all of these steps or to none.
        let is_mistaken = self.explored.run.plan.mistake == Some(Mistake::VisibleIsSafe);
        let may_go_first = is_mistaken || self.firsts.iter().flat_map(|it| &it.steps).all(|it| by.contains(&it.0));
        while !frontier.is_false() {
            self.rounds += 1;
            let (ends, stack) =
                if may_go_first { self.phase1(frontier, through)? } else { (frontier.clone(), frontier) };
            let moving = ends.minus(&reached)?.and(through)?;
            self.expanded = self.expanded.or(&moving)?;
            let image = self.image(by, &moving)?;
            reached = reached.or(&stack)?;
            frontier = image.minus(&reached)?;
            self.explored.run.pulse.tell(self.rounds, space.tidy() as u64 * NODE);
            space.adapt();
        }
        Ok(reached)
    }

    /// Lets components go first until none moves; returns where that ends, and all that it came to.
    fn phase1(&self, mut frontier: Function, through: &Function) -> Result<(Function, Function)> {
        let mut stack = frontier.clone();
        let is_constrained = self.explored.run.plan.mistake != Some(Mistake::PhaseOneConstraint);
        for component in &self.firsts {
            let mut waiting = self.explored.encoding.constant(false);
            loop {
                let first = frontier.and(&component.states)?;
                let first = if is_constrained { first.and(through)? } else { first };
                waiting = waiting.or(&frontier.minus(&first)?)?;
                if first.is_false() {
                    break;
                }
                let image = self.moved(component, &first)?;
                waiting = waiting.or(&image.and(&stack)?)?;
                frontier = image.minus(&stack)?;
                stack = stack.or(&image)?;
            }
            frontier = waiting;
        }
        Ok((frontier, stack))
    }

    /// Where a component goes by itself.
    fn moved(&self, component: &First, from: &Function) -> Result<Function> {
        let mut union = self.explored.encoding.constant(false);
        for (row, states) in &component.steps {
            union = union.or(&self.image(&[*row], &from.and(states)?)?)?;
        }
        Ok(union)
    }

    fn image(&self, relations: &[usize], from: &Function) -> Result<Function> {
        let mut union = self.explored.encoding.constant(false);
        if from.is_false() {
            return Ok(union);
        }
        for &row in relations {
            self.explored.run.pulse.check()?;
            union = union.or(&self.explored.system.relations[row].image(from)?)?;
        }
        Ok(union)
    }
}
