//! What formulas mean on a graph that is written down: every operator by its own fixpoint.
//!
//! ```text
//! EF f = μZ. f ∨ EX Z        E[f U g] = μZ. g ∨ f ∧ EX Z        EG f = νZ. f ∧ EX Z        E[f W g] = νZ. g ∨ f ∧ EX Z
//! ```
//!
//! and the same with `A` (Emerson, Clarke, *Characterizing correctness properties of parallel programs using fixpoints*, 1980). As slow and as plain as can
//! be: the measure for engines, and shares nothing with them. With *constraints*, only paths count that satisfy each of them again and
//! again; `EG` is then `νZ. f ∧ EX E[f U Z ∧ c]` for all constraints `c` together (Emerson, Lei 1986). A constraint is a set of edges; a set of states is that of
//! the edges that leave them.
//!
//! Restricted to actions, with `ends` where no step has one of them:
//!
//! ```text
//! EAG(a) f = νZ. f ∧ (EAX(a) Z ∨ ends)     AAG(a) f = νZ. f ∧ AAX(a) Z
//! EAF(a) f = μZ. f ∨ EAX(a) Z              AAF(a) f = μZ. f ∨ (AAX(a) Z ∧ ¬ends)
//! ```
//!
//! and `U` and `W` like `F` and `G`. Constraints do not matter to them.
use std::collections::HashSet;

use crate::actions::Actions;
use crate::formula::{Formula, Node, Path};
use crate::forward::{By, Plan, Question, Reach};

/// A set of states: for each, whether it is in it.
pub type Set = Vec<bool>;

/// A graph with labels. A state without successors ends all paths that come to it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Graph {
    /// Per state: where its edges lead.
    pub edges: Vec<Vec<usize>>,
    /// Per state: its steps with their actions. Edges beside them are no steps: who stands still has such an edge.
    pub steps: Vec<Vec<(Option<u32>, usize)>>,
    /// Per state: which atoms are true, one bit each.
    pub labels: Vec<u64>,
    /// Where it begins.
    pub initial: Vec<usize>,
    /// Edges of which a path that counts takes some again and again, one set per constraint.
    pub constraints: Vec<HashSet<(usize, usize)>>,
}

impl Graph {
    /// Whether a formula holds in all initial states.
    pub fn satisfies(&self, formula: &Formula) -> bool {
        let holds = self.states(formula);
        self.initial.iter().all(|&it| holds[it])
    }

    /// The states in which a formula holds.
    pub fn states(&self, formula: &Formula) -> Set {
        let of = |f: &Formula| self.states(f);
        match formula.node() {
            Node::True => vec![true; self.edges.len()],
            Node::False => vec![false; self.edges.len()],
            Node::Atom(atom) => self.labels.iter().map(|it| it >> atom & 1 == 1).collect(),
            Node::Not(f) => not(&of(f)),
            Node::And(f, g) => and(&of(f), &of(g)),
            Node::Or(f, g) => or(&of(f), &of(g)),
            Node::Implies(f, g) => or(&not(&of(f)), &of(g)),
            Node::Equivalent(f, g) => of(f).iter().zip(&of(g)).map(|(f, g)| f == g).collect(),
            Node::Path(quantifier, path) if quantifier.actions.is_some() => {
                let actions = quantifier.actions.as_ref().expect("a restriction");
                self.restricted(quantifier.is_universal, actions, path)
            }
            Node::Path(quantifier, path) if self.constraints.is_empty() => match quantifier.is_universal {
                true => self.path(path, &|states| self.all_next(states)),
                false => self.path(path, &|states| self.some_next(states)),
            },
            Node::Path(quantifier, path) if quantifier.is_universal => not(&self.fair_path(&denied(path))),
            Node::Path(_, path) => self.fair_path(path),
        }
    }

    /// The states where a path of the kind of `next` begins that is like this.
    fn path(&self, path: &Path, next: &dyn Fn(&Set) -> Set) -> Set {
        match path {
            Path::Next(f) => next(&self.states(f)),
            Path::Finally(f) => {
                let f = self.states(f);
                self.grow(|z| or(&f, &next(z)))
            }
            Path::Globally(f) => {
                let f = self.states(f);
                self.shrink(|z| and(&f, &next(z)))
            }
            Path::Until(f, g) => {
                let (f, g) = (self.states(f), self.states(g));
                self.grow(|z| or(&g, &and(&f, &next(z))))
            }
            Path::WeakUntil(f, g) => {
                let (f, g) = (self.states(f), self.states(g));
                self.shrink(|z| or(&g, &and(&f, &next(z))))
            }
        }
    }

    /// The states where all or some paths by these actions are like this.
    fn restricted(&self, is_universal: bool, actions: &Actions, path: &Path) -> Set {
        let possible = self.select(|it| self.by(actions, it).next().is_some());
        let some = |z: &Set| self.select(|it| self.by(actions, it).any(|to| z[to]));
        let all = |z: &Set| self.select(|it| self.by(actions, it).all(|to| z[to]));
        let least = |z: &Set| if is_universal { and(&all(z), &possible) } else { some(z) };
        let greatest = |z: &Set| if is_universal { all(z) } else { or(&some(z), &not(&possible)) };
        let every = vec![true; self.edges.len()];
        let until = |f: &Set, g: &Set| self.grow(|z| or(g, &and(f, &least(z))));
        let unless = |f: &Set, g: &Set| self.shrink(|z| or(g, &and(f, &greatest(z))));
        match path {
            Path::Next(f) if is_universal => all(&self.states(f)),
            Path::Next(f) => some(&self.states(f)),
            Path::Finally(f) => until(&every, &self.states(f)),
            Path::Until(f, g) => until(&self.states(f), &self.states(g)),
            Path::Globally(f) => unless(&self.states(f), &not(&every)),
            Path::WeakUntil(f, g) => unless(&self.states(f), &self.states(g)),
        }
    }

    /// Where the steps of a state by these actions lead.
    fn by<'g>(&'g self, actions: &'g Actions, state: usize) -> impl Iterator<Item = usize> + 'g {
        let steps = self.steps.get(state).into_iter().flatten();
        steps.filter(|it| actions.contains(it.0)).map(|it| it.1)
    }

    /// The states where a fair path begins that is like this.
    fn fair_path(&self, path: &Path) -> Set {
        let fair = |f: &Formula| and(&self.states(f), &self.fair());
        let until = |f: &Set, g: &Set| self.grow(|z| or(g, &and(f, &self.some_next(z))));
        let all = vec![true; self.edges.len()];
        match path {
            Path::Next(f) => self.some_next(&fair(f)),
            Path::Finally(f) => until(&all, &fair(f)),
            Path::Globally(f) => self.fairly_for_ever(&self.states(f)),
            Path::Until(f, g) => until(&self.states(f), &fair(g)),
            Path::WeakUntil(f, g) => {
                let f = self.states(f);
                or(&until(&f, &fair(g)), &self.fairly_for_ever(&f))
            }
        }
    }

    /// The states where a fair path begins.
    pub fn fair(&self) -> Set {
        self.fairly_for_ever(&vec![true; self.edges.len()])
    }

    fn fairly_for_ever(&self, within: &Set) -> Set {
        self.shrink(|z| {
            let here = and(within, z);
            let again = |edges: &HashSet<(usize, usize)>| {
                let takes = self
                    .select(|it| here[it] && self.edges[it].iter().any(|&to| here[to] && edges.contains(&(it, to))));
                self.grow(|y| or(&takes, &and(&here, &self.some_next(y))))
            };
            self.constraints.iter().fold(and(&here, &self.some_next(&here)), |left, it| and(&left, &again(it)))
        })
    }

    /// Whether all questions of a plan are answered with yes.
    pub fn answers(&self, plan: &Plan) -> bool {
        plan.questions.iter().all(|it| match it {
            Question::NoState { reach, condition, fair } => {
                let found = and(&self.reach(reach), &self.states(condition));
                let counts = if *fair && !self.constraints.is_empty() { and(&found, &self.fair()) } else { found };
                !counts.contains(&true)
            }
            Question::NoCycle { reach, by, condition } => {
                let within = and(&self.reach(reach), &self.states(condition));
                let left = match by {
                    None => self.global(&within),
                    Some(_) => self.shrink(|z| and(&within, &self.after(&and(&within, z), by))),
                };
                !left.contains(&true)
            }
        })
    }

    /// States that are found forward.
    fn reach(&self, reach: &Reach) -> Set {
        match reach {
            Reach::Initial => self.select(|it| self.initial.contains(&it)),
            Reach::Meet(reach, f) => and(&self.reach(reach), &self.states(f)),
            Reach::Next(reach, by) => self.after(&self.reach(reach), by),
            Reach::Until(reach, by, f) => {
                let (begin, f) = (self.reach(reach), self.states(f));
                self.grow(|z| or(&begin, &self.after(&and(z, &f), by)))
            }
        }
    }

    /// The states that can be reached from a fair cycle, all within a set.
    fn global(&self, within: &Set) -> Set {
        self.shrink(|z| {
            let here = and(within, z);
            let behind = |edges: &HashSet<(usize, usize)>| {
                let taken = |it: usize, to: usize| here[it] && here[to] && edges.contains(&(it, to));
                let ends =
                    self.select(|to| (0..self.edges.len()).any(|it| self.edges[it].contains(&to) && taken(it, to)));
                self.grow(|y| or(&ends, &and(&here, &self.after(y, &None))))
            };
            self.constraints.iter().fold(and(&here, &self.after(&here, &None)), |left, it| and(&left, &behind(it)))
        })
    }

    fn after(&self, states: &Set, by: &By) -> Set {
        let mut found = vec![false; states.len()];
        for from in (0..states.len()).filter(|&it| states[it]) {
            match by {
                None => self.edges[from].iter().for_each(|&to| found[to] = true),
                Some(actions) => self.by(actions, from).for_each(|to| found[to] = true),
            }
        }
        found
    }

    fn some_next(&self, states: &Set) -> Set {
        self.select(|it| self.edges[it].iter().any(|&to| states[to]))
    }

    fn all_next(&self, states: &Set) -> Set {
        self.select(|it| self.edges[it].iter().all(|&to| states[to]))
    }

    fn select(&self, is_in: impl Fn(usize) -> bool) -> Set {
        (0..self.edges.len()).map(is_in).collect()
    }

    /// The least fixpoint.
    fn grow(&self, step: impl Fn(&Set) -> Set) -> Set {
        until_stable(vec![false; self.edges.len()], step)
    }

    /// The greatest fixpoint.
    fn shrink(&self, step: impl Fn(&Set) -> Set) -> Set {
        until_stable(vec![true; self.edges.len()], step)
    }
}

/// What a path is like that is not like this.
fn denied(path: &Path) -> Path {
    let not = |f: &Formula| f.clone().negated();
    match path {
        Path::Next(f) => Path::Next(not(f)),
        Path::Finally(f) => Path::Globally(not(f)),
        Path::Globally(f) => Path::Finally(not(f)),
        Path::Until(f, g) => Path::WeakUntil(not(g), not(&f.clone().or(g.clone()))),
        Path::WeakUntil(f, g) => Path::Until(not(g), not(&f.clone().or(g.clone()))),
    }
}

fn until_stable(mut set: Set, step: impl Fn(&Set) -> Set) -> Set {
    loop {
        let next = step(&set);
        if next == set {
            return set;
        }
        set = next;
    }
}

fn not(set: &Set) -> Set {
    set.iter().map(|it| !it).collect()
}

fn and(left: &Set, right: &Set) -> Set {
    left.iter().zip(right).map(|(left, right)| *left && *right).collect()
}

fn or(left: &Set, right: &Set) -> Set {
    left.iter().zip(right).map(|(left, right)| *left || *right).collect()
}
