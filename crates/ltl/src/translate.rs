//! The way from a formula to a small automaton.
//!
//! Every step keeps the language. Where two ways are possible and neither is always better, both are taken and the smaller result
//! is kept; see [`Automaton::size`].
use crate::automaton::{Automaton, Edge, Marks};
use crate::components::{Components, Strength, pruned, without_useless_states};
use crate::degeneralise::{Plan, degeneralised, is_degeneralised};
use crate::formula::Formula;
use crate::mistake::Mistake;
use crate::obligation::minimal_weak;
use crate::recurrence::deterministic;
use crate::simulation::simulated;
use crate::tableau::{Cut, tableau};
use crate::terms::{TermId, Terms};

/// Choices of a translation.
#[derive(Clone, Debug)]
pub struct Options {
    /// Most states of the tableau; a formula that needs more is refused.
    pub states: usize,
    /// Most edges out of one state of the tableau.
    pub edges: usize,
    /// Most states of a powerset automaton; properties that need more are not tried as obligations.
    pub powerset: usize,
    /// What to get wrong.
    #[doc(hidden)]
    pub mistake: Option<Mistake>,
}

impl Default for Options {
    fn default() -> Self {
        Options { states: 20_000, edges: 2_000, powerset: 200, mistake: None }
    }
}

/// Why a formula has no automaton here.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TooLarge {
    /// More states than the limit.
    States(usize),
    /// More edges out of one state than the limit.
    Edges(usize),
    /// More acceptance sets than [`Marks::MOST`].
    Sets,
}

impl std::fmt::Display for TooLarge {
    fn fmt(&self, to: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            TooLarge::States(most) => write!(to, "the formula needs an automaton with more than {most} states"),
            TooLarge::Edges(most) => {
                write!(to, "the formula needs an automaton with more than {most} edges out of one state")
            }
            TooLarge::Sets => write!(to, "the formula needs more than {} acceptance sets", Marks::MOST),
        }
    }
}

impl std::error::Error for TooLarge {}

/// A small transition-based generalised Büchi automaton of a formula.
pub fn translate(formula: &Formula) -> Result<Automaton, TooLarge> {
    translate_with(formula, &Options::default())
}

/// The same with options.
pub fn translate_with(formula: &Formula, options: &Options) -> Result<Automaton, TooLarge> {
    let candidates = candidates(formula, options)?;
    let smallest = candidates.iter().min_by_key(|it| it.size());
    Ok(smallest.cloned().unwrap_or(Automaton::empty(formula.atoms())))
}

/// A small state-based Büchi automaton of a formula: often smaller than what [`buchi`] makes of [`translate`].
pub fn translate_to_buchi(formula: &Formula) -> Result<Automaton, TooLarge> {
    translate_to_buchi_with(formula, &Options::default())
}

/// The same with options.
pub fn translate_to_buchi_with(formula: &Formula, options: &Options) -> Result<Automaton, TooLarge> {
    let candidates = candidates(formula, options)?;
    let all = candidates.iter().map(|it| buchi_with(it, options));
    Ok(all.min_by_key(Automaton::size).unwrap_or(Automaton::empty(formula.atoms())))
}

/// A small state-based automaton with one set and the same language.
#[must_use]
pub fn buchi(automaton: &Automaton) -> Automaton {
    buchi_with(automaton, &Options::default())
}

/// Above this number of states only one plan is tried.
const MANY: usize = 100;

/// The same with options.
#[must_use]
pub fn buchi_with(automaton: &Automaton, options: &Options) -> Automaton {
    let mut plans = Plan::several(automaton.sets);
    plans.truncate(if automaton.states() > MANY { 1 } else { plans.len() });
    let known = is_degeneralised(automaton).then(|| automaton.clone());
    let made = plans.iter().map(|plan| degeneralised(automaton, plan, options));
    let smaller = |it: Automaton| simulated(&with_transient_marks(&it), options);
    made.chain(known).map(smaller).min_by_key(Automaton::size).unwrap_or_else(|| automaton.clone())
}

/// A state on no cycle may be accepting or not; it becomes accepting if that makes it equal to another state.
fn with_transient_marks(automaton: &Automaton) -> Automaton {
    let components = Components::of(automaton);
    let ways = |edges: &[Edge]| {
        let mut ways: Vec<_> = edges.iter().map(|it| (it.label, it.target)).collect();
        ways.sort();
        ways
    };
    let accepting: Vec<_> =
        (0..automaton.states()).filter(|&it| automaton.is_accepting(it)).map(|it| ways(&automaton.edges[it])).collect();
    let mut changed = automaton.clone();
    for (state, edges) in changed.edges.iter_mut().enumerate() {
        let on_cycle = components.of[state].is_none_or(|it| components.inner(automaton, it).next().is_some());
        if !on_cycle && accepting.contains(&ways(edges)) {
            edges.iter_mut().for_each(|it| it.marks = automaton.all_marks());
        }
    }
    changed
}

/// Several small automata of one formula.
fn candidates(formula: &Formula, options: &Options) -> Result<Vec<Automaton>, TooLarge> {
    let mut terms = Terms::default();
    let term = terms.of_formula(formula);
    let term = terms.simplified(term);
    let term = terms.simplified_thoroughly(term);
    let opposite = terms.not(term);
    let atoms = formula.atoms();
    let mut forms = vec![term, terms.gathered(term)];
    forms.dedup();
    let ways = forms.into_iter().flat_map(|form| [(form, Cut::Products), (form, Cut::Letters)]);
    let tried: Vec<_> = ways.map(|(form, cut)| reduced(&mut terms, form, atoms, cut, options)).collect();
    // One that is small enough will do.
    let trouble = tried.iter().find_map(|it| it.as_ref().err()).copied();
    let generalised: Vec<Automaton> = tried.into_iter().flatten().collect();
    if let (true, Some(trouble)) = (generalised.is_empty(), trouble) {
        return Err(trouble);
    }
    let smallest = generalised.iter().min_by_key(|it| it.size()).filter(|it| it.states() <= options.powerset).cloned();
    let negation = reduced(&mut terms, opposite, atoms, Cut::Letters, options).ok();
    let mut all = generalised;
    if let (Some(smallest), Some(negation)) = (smallest, negation) {
        all.extend(minimal_weak(&smallest, &negation, options.powerset, options));
        let found = deterministic(&smallest, &negation, options.powerset, options);
        all.extend(found.iter().map(|it| smaller_deterministic(it, options)));
    }
    Ok(all)
}

/// A deterministic automaton made smaller; with accepting states if it has them.
fn smaller_deterministic(automaton: &Automaton, options: &Options) -> Automaton {
    if automaton.is_state_based() {
        return simulated(&without_useless_states(automaton), options);
    }
    pruned(&simulated(&pruned(automaton), options))
}

/// The tableau of a term, made smaller.
fn reduced(terms: &mut Terms, term: TermId, atoms: u32, cut: Cut, options: &Options) -> Result<Automaton, TooLarge> {
    let automaton = tableau(terms, term, atoms, cut, options)?;
    let smaller = simulated(&pruned(&automaton), options);
    Ok(pruned(&smaller))
}

impl Automaton {
    /// The strength of each state's component, for searches that treat them differently.
    pub fn strength_of_states(&self) -> Vec<Strength> {
        let components = Components::of(self);
        let strengths = components.strengths(self);
        components.of.iter().map(|it| it.map_or(Strength::Rejecting, |it| strengths[it])).collect()
    }
}
