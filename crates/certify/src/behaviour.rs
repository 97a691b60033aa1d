//! Walking along a trace for ever.
//!
//! The states of a trace in which everybody may move are the letters of an infinite word: its cycle is repeated, or its last state if the system
//! stands still. A formula is evaluated on that word by its definition, without any automaton. A claim accepts the word if what is left
//! of its places on the cycle is not empty, after all have been taken out from which some of its sets cannot be reached again (Emerson,
//! Lei, *Efficient model checking in fragments of the propositional mu-calculus*, LICS 1986).
use std::collections::HashSet;

use engine::{Fairness, Trace, Violation, ViolationKind};
use ltl::Formula;
use model::semantics::{Forbidden, Semantics, State, Step, Watcher};

use crate::replay::{Rejected, Replay, Walk, can_move, rest};

/// What a property says.
#[derive(Clone, Copy, Debug)]
pub enum Meaning<'a> {
    /// What every execution is like; atoms are rows of the watcher's conditions.
    Formula(&'a Formula),
    /// What the watcher's claim does not accept.
    Claim,
}

/// A property of whole executions.
#[derive(Clone, Copy, Debug)]
pub struct Stated<'a> {
    /// What it says.
    pub meaning: Meaning<'a>,
    /// The conditions it looks at.
    pub watcher: Watcher<'a>,
    /// Which executions count.
    pub fairness: Fairness,
}

/// Checks that a violation's trace is a behaviour of the system, and that the property forbids it.
///
/// An engine may have found the cycle in a model without variables that do not matter. Here they do, so that the cycle may have to be taken several
/// times before it closes; the trace that is returned is the one that was walked.
pub fn replay_temporal(
    system: &Semantics<'_>,
    violation: &Violation,
    stated: Stated<'_>,
) -> Result<(Replay, Trace), Rejected> {
    let (mut states, mut trace) = closed(system, &violation.trace)?;
    let behaviour = Behaviour::new(system, &states, &trace).ok_or(Rejected::NotAViolation)?;
    let shown_after = match violation.kind {
        ViolationKind::Cycle if behaviour.is_fair(stated.fairness) && behaviour.violates(stated) => {
            Some(trace.steps.len())
        }
        ViolationKind::Forbidden(what) => behaviour.forbidden_after(stated, what),
        _ => None,
    };
    let length = shown_after.ok_or(Rejected::NotAViolation)?;
    states.truncate(length + 1);
    trace.steps.truncate(length);
    Ok((Replay { states }, trace))
}

/// Walks along a trace, and round its cycle until it comes back to where it was at the beginning of a round. The cycle begins as early as it can.
pub fn closed(system: &Semantics<'_>, trace: &Trace) -> Result<(Vec<State>, Trace), Rejected> {
    let (states, trace) = walked(system, trace)?;
    Ok(match trace.cycle.filter(|&it| it < trace.steps.len()) {
        Some(begin) => rolled(system, states, trace.steps, begin),
        None => (states, trace),
    })
}

/// The same, where the cycle begins where it is said to begin, so that whoever speaks of positions on the way means the same ones.
pub fn walked(system: &Semantics<'_>, trace: &Trace) -> Result<(Vec<State>, Trace), Rejected> {
    let mut walk = Walk::along(system, &trace.steps)?;
    let Some(first) = trace.cycle.filter(|&it| it < trace.steps.len()) else { return Ok((walk.states, trace.clone())) };
    let (mut steps, mut rounds) = (trace.steps.clone(), vec![first]);
    loop {
        let last = steps.len();
        let is_here = |&it: &usize| walk.states[it].bytes() == walk.states[last].bytes();
        if let Some(&begin) = rounds.iter().find(|it| is_here(it)) {
            return Ok((walk.states, Trace { steps, cycle: Some(begin) }));
        }
        if rounds.len() > ROUNDS || last > LONGEST {
            return Err(Rejected::NotAViolation);
        }
        rounds.push(last);
        for &step in &trace.steps[first..] {
            if !walk.take(step) {
                return Err(Rejected::NoSuchStep { at: steps.len() });
            }
            steps.push(step);
        }
    }
}

/// How many steps of a cycle there are until they are repeated: a claim may have gone round several times.
fn round(states: &[State], steps: &[Step], begin: usize) -> usize {
    let cycle = &steps[begin..];
    let is_round = |&length: &usize| {
        let is_back = cycle.len().is_multiple_of(length) && states[begin + length] == states[begin];
        is_back && (length..cycle.len()).all(|it| cycle[it] == cycle[it - length])
    };
    (1..cycle.len()).find(is_round).unwrap_or(cycle.len())
}

/// The same execution with a cycle that begins as early as it can, where everybody may move.
fn rolled(system: &Semantics<'_>, mut states: Vec<State>, mut steps: Vec<Step>, begin: usize) -> (Vec<State>, Trace) {
    let once = begin + round(&states, &steps, begin);
    steps.truncate(once);
    states.truncate(once + 1);
    let (last, mut back, mut earlier) = (steps.len(), 0, 0);
    let is_same = |it: usize| steps[last - it] == steps[begin - it] && states[last - it] == states[begin - it];
    while back < begin && is_same(back + 1) {
        back += 1;
        if rest(system, &states[begin - back]).exclusive.is_none() {
            earlier = back;
        }
    }
    steps.truncate(last - earlier);
    states.truncate(last - earlier + 1);
    (states, Trace { steps, cycle: Some(begin - earlier) })
}

/// A cycle is taken at most so often until it closes, and steps are taken.
const ROUNDS: usize = 1_000;
const LONGEST: usize = 1_000_000;

/// A word of states, and the steps between them.
pub struct Behaviour<'a> {
    /// What a step is.
    pub system: &'a Semantics<'a>,
    /// The states in which everybody may move.
    pub states: Vec<State>,
    /// Per state: the steps that follow it.
    pub(crate) steps: Vec<&'a [Step]>,
    /// The state after the last one.
    pub cycle: usize,
}

impl<'a> Behaviour<'a> {
    /// `None` if the trace does not come back to where its cycle begins.
    pub fn new(system: &'a Semantics<'a>, passed: &[State], trace: &'a Trace) -> Option<Self> {
        let steps = &trace.steps;
        let rested: Vec<State> = passed.iter().map(|it| rest(system, it)).collect();
        let rows: Vec<usize> = (0..rested.len()).filter(|&it| rested[it].exclusive.is_none()).collect();
        let end = *rows.last()?;
        let mut between: Vec<&[Step]> = rows.windows(2).map(|pair| &steps[pair[0]..pair[1]]).collect();
        let mut states: Vec<State> = rows.iter().map(|&it| rested[it].clone()).collect();
        let mut begin = states.len() - 1;
        match trace.cycle {
            Some(first) if first < steps.len() => {
                begin = rows.iter().position(|&it| it == first)?;
                states.pop().filter(|_| end == steps.len())?;
            }
            _ => between.push(&[]),
        }
        Some(Behaviour { system, states, steps: between, cycle: begin })
    }

    /// Where it goes on after a state.
    pub fn after(&self, position: usize) -> usize {
        if position + 1 < self.states.len() { position + 1 } else { self.cycle }
    }

    /// Whether nothing can move in a state.
    pub fn stands_still(&self, position: usize) -> bool {
        !can_move(self.system, &self.states[position])
    }

    /// Whether nobody is forgotten for ever, and nobody stands still who need not.
    pub fn is_fair(&self, fairness: Fairness) -> bool {
        let cycle = self.cycle..self.states.len();
        if cycle.clone().any(|it| self.steps[it].is_empty() && !self.stands_still(it)) {
            return false;
        }
        let most = cycle.clone().map(|it| self.states[it].process_count()).max().unwrap_or(0);
        (0..most).all(|process| {
            let moves = cycle.clone().any(|it| self.steps[it].iter().any(|step| takes_part(step, process)));
            let mut able = cycle.clone().map(|it| self.is_able(it, process));
            match fairness {
                Fairness::None => true,
                Fairness::Weak => moves || !able.all(|it| it),
                Fairness::Strong => moves || !able.any(|it| it),
            }
        })
    }

    fn is_able(&self, position: usize, process: usize) -> bool {
        let mut able = false;
        self.system.moves(&self.states[position], &mut |it| {
            able |= takes_part(&it.step, process) && it.next.is_some_and(|next| self.comes_to_rest(next));
        });
        able
    }

    /// Whether what a process does alone from here comes to an end without going wrong, in one way at least.
    fn comes_to_rest(&self, state: &State) -> bool {
        let (mut waiting, mut seen) = (vec![state.clone()], HashSet::new());
        while let Some(state) = waiting.pop() {
            if rest(self.system, &state).exclusive.is_none() {
                return true;
            }
            if seen.insert(state.bytes().to_vec()) {
                self.system.moves(&state, &mut |it| waiting.extend(it.next.cloned()));
            }
        }
        false
    }

    fn violates(&self, stated: Stated<'_>) -> bool {
        match stated.meaning {
            Meaning::Formula(formula) => self.falsifies(formula, stated.watcher, self.cycle),
            Meaning::Claim => self.is_accepted(stated.watcher),
        }
    }

    /// Whether a formula is false for the word that repeats what comes from a position on.
    fn falsifies(&self, formula: &Formula, watcher: Watcher<'_>, cycle: usize) -> bool {
        let letters: Option<Vec<u64>> = (0..self.states.len()).map(|it| self.letter(it, watcher)).collect();
        let Some(letters) = letters.filter(|_| !watcher.claim.only_moving || self.stands_still(cycle).eq(&false))
        else {
            return false;
        };
        let word = ltl::Lasso::new(&letters[..cycle], &letters[cycle..]);
        word.is_some_and(|word| !word.satisfies(formula))
    }

    fn letter(&self, position: usize, watcher: Watcher<'_>) -> Option<u64> {
        let mut letter = 0;
        for (row, condition) in watcher.conditions.iter().enumerate() {
            let holds = self.system.holds(&self.states[position], condition, self.stands_still(position));
            // What cannot be computed matters only where it is asked for.
            letter |= u64::from(holds.unwrap_or(false)) << row;
        }
        (watcher.conditions.len() <= 64).then_some(letter)
    }

    /// Where a claim can be after the letter of a position, with the sets of the edges that lead there.
    fn moves(&self, watcher: Watcher<'_>, (position, location): Node) -> Result<Vec<(Node, u32)>, Forbidden> {
        let still = self.stands_still(position);
        let taken = self.system.claim_moves(&self.states[position], watcher, location, still)?;
        let next = self.after(position);
        Ok(taken.iter().filter_map(|it| it.target.map(|to| ((next, to), it.sets))).collect())
    }

    fn is_accepted(&self, watcher: Watcher<'_>) -> bool {
        let stays = watcher.claim.only_moving && self.stands_still(self.cycle);
        !stays && !self.again_and_again(watcher, &self.reachable(watcher)).is_empty()
    }

    /// The nodes of the cycle from which all sets can be reached again and again, with these moves.
    pub(crate) fn again_and_again(&self, watcher: Watcher<'_>, edges: &[(Node, Node, u32)]) -> HashSet<Node> {
        let mut left: HashSet<Node> = edges.iter().map(|it| it.0).filter(|it| it.0 >= self.cycle).collect();
        let sets = watcher.claim.sets.max(1);
        loop {
            let before = left.len();
            for set in 0..sets {
                let mark = if watcher.claim.sets == 0 { 0 } else { 1 << set };
                left = leading_to(edges, &left, mark);
            }
            if left.len() == before {
                return left;
            }
        }
    }

    /// All moves of the claim along the word.
    fn reachable(&self, watcher: Watcher<'_>) -> Vec<(Node, Node, u32)> {
        let (mut seen, mut waiting, mut edges) = (HashSet::new(), vec![(0, watcher.claim.entry)], Vec::new());
        while let Some(node) = waiting.pop() {
            if seen.insert(node) {
                for (next, sets) in self.moves(watcher, node).unwrap_or_default() {
                    edges.push((node, next, sets));
                    waiting.push(next);
                }
            }
        }
        edges
    }

    /// The number of steps after which all that may come is forbidden. That a condition cannot be computed, or that the claim of a formula has come to its end, may be seen
    /// earlier than after all of them, for a search may take steps that do not matter for it before it looks.
    fn forbidden_after(&self, stated: Stated<'_>, what: Forbidden) -> Option<usize> {
        let length = |position: usize| self.steps[..position].iter().map(|it| it.len()).sum();
        let last = self.states.len() - 1;
        // That a formula is false if the last state is repeated does not mean that it is false whatever comes: its claim has to say so, too.
        let formula = if let (Meaning::Formula(it), Forbidden::End) = (stated.meaning, what) { Some(it) } else { None };
        if formula.is_some_and(|it| !self.falsifies(it, stated.watcher, last)) {
            return None;
        }
        let mut places = HashSet::from([stated.watcher.claim.entry]);
        for position in 0..last {
            let mut next = HashSet::new();
            for &place in &places {
                match self.moves(stated.watcher, (position, place)) {
                    Err(wrong @ Forbidden::Fault(_)) if wrong == what => return Some(length(position)),
                    Err(Forbidden::End) if formula.is_some() => return Some(length(last)),
                    moves => next.extend(moves.unwrap_or_default().into_iter().map(|it| it.0.1)),
                }
            }
            places = next;
        }
        // Where the system stands still, the claim may go on for a while.
        let mut waiting: Vec<u32> = places.iter().copied().collect();
        while let Some(place) = waiting.pop() {
            match self.moves(stated.watcher, (last, place)) {
                Err(wrong) if wrong == what => return Some(length(last)),
                Ok(moves) if self.stands_still(last) => {
                    waiting.extend(moves.into_iter().map(|it| it.0.1).filter(|&it| places.insert(it)));
                }
                _ => {}
            }
        }
        None
    }
}

/// A position of the word and a place of the claim.
pub(crate) type Node = (usize, u32);

/// Those of some nodes from which an edge with a mark can be reached without leaving them.
fn leading_to(edges: &[(Node, Node, u32)], nodes: &HashSet<Node>, mark: u32) -> HashSet<Node> {
    let inner = || edges.iter().filter(|it| nodes.contains(&it.0) && nodes.contains(&it.1));
    let mut found: HashSet<Node> = inner().filter(|it| it.2 & mark == mark).map(|it| it.0).collect();
    loop {
        let before = found.len();
        let more: Vec<Node> = inner().rev().filter(|it| found.contains(&it.1)).map(|it| it.0).collect();
        found.extend(more);
        if found.len() == before {
            return found;
        }
    }
}

fn takes_part(step: &Step, process: usize) -> bool {
    usize::from(step.process) == process || step.partner.is_some_and(|it| usize::from(it.0) == process)
}
