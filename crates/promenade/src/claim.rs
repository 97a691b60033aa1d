//! From a formula to the claim that an engine searches with: an automaton for what the formula forbids.
use ltl::{Automaton, Formula, Marks, stutter};
use model::{Claim, ClaimEdge, ClaimLocation, Cube, Expr, Literal, Mark, Meaning, Model, TemporalProperty};

/// Conditions that a formula can have.
const MOST_ATOMS: usize = 64;

/// The names of properties that no text states.
pub const NON_PROGRESS: &str = "non-progress";
/// See [`NON_PROGRESS`].
pub const ACCEPT_LABELS: &str = "accept-labels";

/// A property of whole executions, ready to be searched for.
pub struct Prepared {
    /// What it says, if it is a formula.
    pub formula: Option<Formula>,
    /// What accepts the executions that it forbids.
    pub claim: Claim,
    /// The same with one set of places, for nested searches.
    pub buchi: Claim,
    /// It does not notice how often a state is repeated.
    pub stutters: bool,
}

/// The claim of a property, or why there is none.
pub fn prepare(model: &Model, property: &TemporalProperty) -> Result<Prepared, String> {
    match &property.meaning {
        Meaning::Claim(claim) => {
            let claim = with_labels(model, claim.clone(), &property.observes);
            Ok(Prepared { formula: None, buchi: claim.clone(), claim, stutters: false })
        }
        Meaning::Branching(_) => Err("no claim can say what is possible".into()),
        Meaning::Formula(formula) => {
            if property.observes.len() > MOST_ATOMS {
                return Err(format!("the formula has more than {MOST_ATOMS} conditions"));
            }
            let formula = translated(formula);
            let automaton = ltl::translate(&formula.clone().negated()).map_err(|it| it.to_string())?;
            let only_moving = property.name == NON_PROGRESS;
            let buchi = ltl::translate_to_buchi(&formula.clone().negated()).map_err(|it| it.to_string())?;
            let buchi = Claim { only_moving, ..claim(&buchi) };
            let claim = Claim { only_moving, ..claim(&automaton) };
            let stutters = stutter::of_formula(&formula).is_invariant();
            Ok(Prepared { formula: Some(formula), claim, buchi, stutters })
        }
    }
}

/// The formula in the terms of those who make automata.
pub fn translated(formula: &model::Formula) -> Formula {
    use model::Formula as It;
    let one = |it: &It| translated(it);
    match formula {
        It::Atom(row) => Formula::atom(*row),
        It::Not(it) => one(it).negated(),
        It::And(left, right) => one(left).and(one(right)),
        It::Or(left, right) => one(left).or(one(right)),
        It::Implies(left, right) => one(left).implies(one(right)),
        It::Equivalent(left, right) => one(left).equivalent(one(right)),
        It::Next(it) => one(it).next(),
        It::Always(it) => one(it).globally(),
        It::Eventually(it) => one(it).finally(),
        It::Until(left, right) => one(left).until(one(right)),
        It::Release(left, right) => one(left).release(one(right)),
        It::WeakUntil(left, right) => one(left).weak_until(one(right)),
    }
}

/// An automaton as a claim. Where it can stay for ever whatever happens, it is at its end.
fn claim(automaton: &Automaton) -> Claim {
    let all = Marks::all(automaton.sets);
    let is_end = |state: usize| {
        let stays = |it: &ltl::Edge| it.target == state && it.label == ltl::Bdd::TRUE && it.marks == all;
        automaton.edges[state].iter().any(stays)
    };
    let edge = |it: &ltl::Edge| ClaimEdge {
        label: automaton.cubes(it.label).into_iter().map(|it| cube(&it)).collect(),
        target: (!is_end(it.target)).then_some(it.target as u32),
        sets: it.marks.0 as u32,
        asserts: Vec::new(),
        statements: Vec::new(),
    };
    let location = |edges: &Vec<ltl::Edge>| ClaimLocation { edges: edges.iter().map(edge).collect() };
    let locations = automaton.edges.iter().map(location).collect();
    Claim { entry: automaton.initial as u32, locations, sets: automaton.sets, only_moving: false }
}

fn cube(literals: &[(u32, bool)]) -> Cube {
    let mut literals: Vec<Literal> = literals.iter().map(|&(row, is_true)| Literal { row, is_true }).collect();
    literals.sort_unstable();
    Cube(literals)
}

/// Labels of processes count in a claim as its own do, as in SPIN.
fn with_labels(model: &Model, mut claim: Claim, observes: &[Expr]) -> Claim {
    let Some(row) = observes.iter().position(|it| *it == Expr::AnyAt(Mark::Accepting)) else { return claim };
    if !has_mark(model, Mark::Accepting) {
        return claim;
    }
    for location in &mut claim.locations {
        let marked = location.edges.iter().filter(|it| it.sets == 0).map(|it| {
            let mut edge = it.clone();
            let literal = Literal { row: row as u32, is_true: true };
            edge.label.iter_mut().for_each(|it| it.0.push(literal));
            ClaimEdge { sets: 1, ..edge }
        });
        let marked: Vec<ClaimEdge> = marked.collect();
        location.edges.extend(marked);
    }
    claim
}

/// Whether any process has such a label.
pub fn has_mark(model: &Model, mark: Mark) -> bool {
    model.processes.iter().flat_map(|it| &it.locations).any(|it| it.is_marked(mark))
}

/// The properties that a text states without words: that nothing goes on without progress, and that no labelled place is visited again and again.
pub fn unstated(model: &Model, progress: bool) -> Vec<TemporalProperty> {
    use model::Formula as It;
    let again = |atom: It| It::Always(Box::new(It::Eventually(Box::new(atom))));
    let property = |name: &str, meaning, mark| TemporalProperty {
        name: name.into(),
        meaning: Meaning::Formula(meaning),
        observes: vec![Expr::AnyAt(mark)],
        span: text::Span::default(),
    };
    let never = model.temporal_properties.iter().any(|it| matches!(it.meaning, Meaning::Claim(_)));
    let accepts = has_mark(model, Mark::Accepting) && !never;
    let accept = accepts.then(|| {
        let meaning = It::Not(Box::new(again(It::Atom(0))));
        property(ACCEPT_LABELS, meaning, Mark::Accepting)
    });
    let progress = progress.then(|| property(NON_PROGRESS, again(It::Atom(0)), Mark::Progress));
    accept.into_iter().chain(progress).collect()
}

/// Gives claims the condition that [`with_labels`] needs.
pub fn add_label_conditions(model: &mut Model) {
    if has_mark(model, Mark::Accepting) {
        let claims = model.temporal_properties.iter_mut().filter(|it| matches!(it.meaning, Meaning::Claim(_)));
        claims.for_each(|it| it.observes.push(Expr::AnyAt(Mark::Accepting)));
    }
}
