//! Branching time: where the parts of a formula hold, and a path that shows why the whole does or does not.
//!
//! ```text
//! reach everything; for each part of the negated formula, inner ones first: the set of states in which it holds   tree
//! or: ask about sets that are found from the initial state on                                                     forward
//! if the initial state is among those of the whole: find a path that shows why                                    ctl::guide
//! ```
//!
//! The meaning is that of `docs/theory/ctl.md`, the same as for the explicit engine.
use ctl::forward::By;
use ctl::guide::{Round, can_be_shown, show};
use ctl::{Base, Country, Formula, Part, Plan as Questions};
use diagram::Function;
use engine::{
    BranchingProperty, Evidence, Explained, Fairness, Finding, Limits, Statistics, Trace, Verdict, Violation,
    ViolationKind, Watch, Why,
};
use model::Model;
use model::semantics::{Forbidden, State, Step};

use crate::conditions::Conditions;
use crate::explore::{Explored, explore};
use crate::forward;
use crate::forward_reduced::Reducer;
use crate::roads::{Hop, Visit};
use crate::run::{Evaluation, Mistake, Plan, Run, unknown, watched};
use crate::stop::{Refusal, Result, Stop};
use crate::symbolic::NAME;
use crate::tree::Tree;
use crate::trouble::Faults;

/// Checks a branching property on sets of states.
pub fn branching(
    model: &Model,
    property: BranchingProperty<'_>,
    limits: &Limits,
    plan: Plan,
    watch: &mut dyn Watch,
) -> std::result::Result<Explained, Refusal> {
    if property.fairness != Fairness::None {
        let why = "the symbolic engine knows fairness constraints, but not who moves; `--engine explicit` does";
        return Ok(explained(Verdict::Unknown(Why::Unsupported(why.into())), None, None, Statistics::default()));
    }
    let has_actions = property.branching.formula.has_actions();
    let why = match () {
        () if has_actions && !property.branching.fairness.is_empty() => {
            "fairness and restriction to actions do not go together"
        }
        () if has_actions && model.goes_on_alone() => "actions of steps that a process makes alone are not known",
        () => "",
    };
    if !why.is_empty() {
        return Ok(explained(Verdict::Unknown(Why::Unsupported(why.into())), None, None, Statistics::default()));
    }
    let began = std::time::Instant::now();
    let answer = watched(limits, watch, |pulse| {
        let run = Run { model, limits, plan, pulse, began, places: 0 };
        explore(&run, &mut |explored| answered(explored, property))
    });
    let statistics = Statistics { elapsed: began.elapsed(), ..Statistics::default() };
    match answer {
        Ok(explained) => Ok(explained),
        Err((Stop::NoStart(fault), _)) => {
            let violation = Violation { kind: ViolationKind::Start(fault), trace: Trace::default() };
            Ok(explained(Verdict::Violated, Some(violation), None, statistics))
        }
        Err((stop, why)) => Ok(explained(Verdict::Unknown(unknown(stop, why, limits)?), None, None, statistics)),
    }
}

fn explained(
    verdict: Verdict,
    violation: Option<Violation>,
    evidence: Option<Evidence>,
    statistics: Statistics,
) -> Explained {
    let complete = !matches!(verdict, Verdict::Unknown(_));
    let (violations, unreached) = (Vec::from_iter(violation), Vec::new());
    let errors = violations.len() as u64;
    let finding = Finding { engine: NAME, verdict, violations, errors, complete, unreached, statistics };
    Explained { finding, evidence }
}

/// The answer, once everything is reached.
fn answered(explored: &Explored<'_>, property: BranchingProperty<'_>) -> Result<Explained> {
    let tree = Tree::new(explored)?;
    let conditions = Conditions { encoding: explored.encoding, list: property.conditions, still: &tree.still };
    let mut faults = Faults::new(explored.encoding.constant(false));
    let rows = 0..property.conditions.len() as u32;
    let atoms = rows.map(|row| Ok(conditions.holds(row, &tree.states, &mut faults)?.and(&tree.states)?));
    let atoms = atoms.collect::<Result<Vec<Function>>>()?;
    if !faults.any.is_false() {
        let violation = faulty(explored, property, &faults.any)?;
        return Ok(explained(Verdict::Violated, Some(violation), None, explored.statistics()?));
    }
    Task::new(tree, atoms, property)?.answer()
}

/// The way to a state in which a condition cannot be computed.
fn faulty(explored: &Explored<'_>, property: BranchingProperty<'_>, states: &Function) -> Result<Violation> {
    let (steps, state) = explored.way(states)?;
    let still = !explored.reference.moves(&state, &mut |_| {});
    let mut values = property.conditions.iter().map(|it| explored.reference.holds(&state, it, still));
    let fault = values.find_map(std::result::Result::err).ok_or(Stop::Inconsistent("a condition without a fault"))?;
    let kind = ViolationKind::Forbidden(Forbidden::Fault(fault));
    Ok(Violation { kind, trace: Trace { steps, cycle: None } })
}

/// A property and where its conditions are true.
struct Task<'e, 'p> {
    labels: Labels<'e>,
    property: BranchingProperty<'p>,
}

impl<'e, 'p> Task<'e, 'p> {
    fn new(mut tree: Tree<'e>, atoms: Vec<Function>, property: BranchingProperty<'p>) -> Result<Self> {
        let constraints = property.branching.fairness.iter().map(|&it| atoms[it as usize].clone()).collect();
        tree.restrict(constraints)?;
        Ok(Task { labels: Labels { tree, atoms, base: Base::default(), sets: Vec::new() }, property })
    }

    fn answer(mut self) -> Result<Explained> {
        let formula = self.property.branching.formula.clone();
        let questions = Questions::new(&formula);
        let plan = self.labels.tree.explored.run.plan;
        let (evaluation, because) = chosen(plan.evaluation, &formula, &questions);
        let why_not = formula.clone().negated().negation_normal_form();
        let mut details = vec![("evaluation", because)];
        let holds = match evaluation {
            Evaluation::Forward => forward::answers(&mut self.labels, &questions)?,
            Evaluation::ForwardReduced => self.answers_reduced(&questions, &mut details)?,
            Evaluation::Auto | Evaluation::Backward => !self.labels.hold_initially(&why_not)?,
        };
        let why = if holds { formula.negation_normal_form() } else { why_not };
        // What holds on all paths, no path shows.
        let is_telling = !holds || can_be_shown(&why);
        let evidence = if is_telling { Some(self.evidence(&why)?) } else { None };
        let mut statistics = self.labels.tree.explored.statistics()?;
        statistics.details.extend(details);
        Ok(match (holds, evidence) {
            (true, evidence) => explained(Verdict::Holds, None, evidence, statistics),
            (false, evidence) => {
                let trace = evidence.as_ref().map_or_else(Trace::default, |it| it.trace.clone());
                let violation = Violation { kind: ViolationKind::Branching, trace };
                explained(Verdict::Violated, Some(violation), evidence, statistics)
            }
        })
    }

    /// Whether all questions are answered with yes, asked of fewer interleavings where that is enough.
    fn answers_reduced(&mut self, questions: &Questions, details: &mut Details) -> Result<bool> {
        let explored = self.labels.tree.explored;
        if !self.labels.tree.constraints.is_empty() {
            details[0].1 = "forward, not reduced: fairness notices in which order processes move".into();
            return forward::answers(&mut self.labels, questions);
        }
        let began = std::time::Instant::now();
        let mut reducer = Reducer::new(explored, self.property.conditions, &questions.questions)?;
        details.push(("finding components", format!("{:.3} s", began.elapsed().as_secs_f64())));
        let (holds, why) = forward::answers_reduced(&mut self.labels, questions, &mut reducer)?;
        if let Some(why) = why {
            details[0].1 = format!("forward, a part of it not reduced: {why}");
        }
        details.push(("reduced states", explored.space().count(&reducer.visited).to_string()));
        details.push(("states in which everybody moved", explored.space().count(&reducer.expanded).to_string()));
        details.push(("nodes of the reduced states", reducer.visited.nodes().to_string()));
        details.push(("components", reducer.components().to_string()));
        details.push(("reduced rounds", reducer.rounds.to_string()));
        Ok(holds)
    }

    /// A path that shows why a formula holds in the initial state.
    fn evidence(&mut self, formula: &Formula) -> Result<Evidence> {
        if !self.labels.hold_initially(formula)? {
            return Err(Stop::Inconsistent("forward and backward evaluation differ"));
        }
        let start = Place { state: self.labels.tree.explored.initial.clone(), steps: Vec::new() };
        let way = show(&mut self.labels, start, formula)?;
        Ok(Evidence::along(formula, &way, |_, to| to.steps.clone()))
    }
}

/// What there is to say about a run.
type Details = Vec<(&'static str, String)>;

/// How a formula is evaluated, and why so.
fn chosen(wanted: Evaluation, formula: &Formula, questions: &Questions) -> (Evaluation, String) {
    let said = |text: &str| text.to_string();
    match wanted {
        Evaluation::Backward => (wanted, said("backward")),
        Evaluation::Forward => (wanted, said("forward")),
        Evaluation::ForwardReduced => (wanted, said("forward, reduced")),
        Evaluation::Auto if formula.has_actions() => {
            let because = "backward, chosen because steps by few actions lead back to few states, and forward to many";
            (Evaluation::Backward, said(because))
        }
        Evaluation::Auto if forward::suits(questions) => {
            let because = "forward, chosen because a cycle is asked for and nothing is left to be evaluated backward";
            (Evaluation::Forward, said(because))
        }
        Evaluation::Auto if questions.is_forward() => (
            Evaluation::Backward,
            said("backward, chosen because no cycle is asked for: from what is wrong it is not far back"),
        ),
        Evaluation::Auto => {
            (Evaluation::Backward, said("backward, chosen because a part of the formula cannot be evaluated forward"))
        }
    }
}

/// The sets of states in which the parts of formulas hold.
pub struct Labels<'e> {
    /// The states.
    pub tree: Tree<'e>,
    atoms: Vec<Function>,
    base: Base,
    sets: Vec<Function>,
}

impl Labels<'_> {
    /// Where a formula holds.
    pub fn set(&mut self, formula: &Formula) -> Result<Function> {
        let row = self.base.add(formula);
        while self.sets.len() < self.base.parts().len() {
            let part = self.base.parts()[self.sets.len()];
            self.sets.push(self.part(part)?);
        }
        Ok(self.sets[row].clone())
    }

    fn part(&self, part: Part) -> Result<Function> {
        let (set, tree) = (|row: usize| &self.sets[row], &self.tree);
        let steps = |by| tree.steps(self.base.actions(by));
        Ok(match part {
            Part::True => tree.states.clone(),
            Part::Atom(row) => self.atoms[row as usize].clone(),
            Part::Not(f) => tree.states.minus(set(f))?,
            Part::And(f, g) => set(f).and(set(g))?,
            Part::Or(f, g) => set(f).or(set(g))?,
            Part::Next(by, f) => {
                let next = tree.next(&steps(by), &tree.fairly(set(f))?)?;
                match tree.explored.run.plan.mistake {
                    Some(Mistake::WeakNext) => next.or(&tree.states.minus(&tree.next(&steps(by), &tree.states)?)?)?,
                    _ => next,
                }
            }
            Part::Until(by, f, g) => tree.until(&steps(by), set(f), &tree.fairly(set(g))?)?,
            Part::Globally(by, f) => tree.globally(&steps(by), set(f))?,
        })
    }

    /// Whether a formula holds in the initial state.
    fn hold_initially(&mut self, formula: &Formula) -> Result<bool> {
        Ok(!self.set(formula)?.and(self.tree.explored.start)?.is_false())
    }
}

/// A state, and the steps that led there from the one before.
#[derive(Clone)]
pub struct Place {
    state: State,
    steps: Vec<Step>,
}

/// The states of a way; what is passed through is left out.
fn places(hops: Vec<Hop<State>>) -> Vec<Place> {
    let (mut list, mut steps) = (Vec::new(), Vec::new());
    for (step, state) in hops {
        steps.extend(step);
        if state.exclusive.is_none() {
            list.push(Place { state, steps: std::mem::take(&mut steps) });
        }
    }
    list
}

impl Labels<'_> {
    /// A way through some states and whatever lies between them.
    fn go(&self, from: &Place, by: &By, through: &Function, to: &Function, moved: bool) -> Result<Vec<Place>> {
        let within = through.or(&self.tree.points)?;
        let hops = self.tree.roads_by(&self.tree.steps(by.as_ref())).way(&from.state, Some(&within), to, moved)?;
        hops.map(places).ok_or(Stop::Inconsistent("no way to where a formula holds"))
    }
}

impl Country for Labels<'_> {
    type Place = Place;
    type Error = Stop;

    fn holds(&mut self, formula: &Formula, place: &Place) -> Result<bool> {
        let explored = self.tree.explored;
        let bits = explored.encoding.encode(explored.reference, &place.state);
        let bits = bits.ok_or(Stop::Inconsistent("no room for a state that was reached"))?;
        Ok(self.set(formula)?.evaluate(&bits, &[]))
    }

    fn next(&mut self, from: &Place, by: &By, formula: &Formula) -> Result<Place> {
        let set = self.set(formula)?;
        let way = self.go(from, by, &self.tree.points, &self.tree.fairly(&set)?, true)?;
        way.into_iter().next().ok_or(Stop::Inconsistent("no next state where there should be one"))
    }

    fn way(&mut self, from: &Place, by: &By, through: &Formula, to: &Formula) -> Result<Vec<Place>> {
        let (through, to) = (self.set(through)?, self.set(to)?);
        self.go(from, by, &through, &self.tree.fairly(&to)?, false)
    }

    fn round(&mut self, from: &Place, by: &By, within: &Formula) -> Result<Round<Place>> {
        let set = self.set(within)?;
        let tree = &self.tree;
        let steps = tree.steps(by.as_ref());
        let left = tree.globally(&steps, &set)?;
        let mut visits = Vec::new();
        for at in &tree.constraints {
            visits.push(Visit { at: at.and(&left)?, by: &[] });
        }
        if visits.is_empty() {
            visits.push(Visit { at: left.clone(), by: &[] });
        }
        let (way, round) = tree.roads_by(&steps).round(&from.state, &left.or(&tree.points)?, &left, &visits)?;
        Ok((places(way), places(round)))
    }

    fn must_go_on(&mut self, from: &Place) -> Result<bool> {
        let everywhere = Formula::constant(true).some_globally();
        Ok(!self.tree.constraints.is_empty() && self.holds(&everywhere, from)?)
    }
}
