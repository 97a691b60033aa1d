//! A system and a claim together.
//!
//! A state of both is a state of the system with one more word: where the claim is. Before the system moves, the claim takes an edge whose
//! condition is true in the state; if the system cannot move, the claim goes on alone (Holzmann, *The SPIN Model Checker*, 2003, appendix A;
//! `docs/theory/temporal-logic.md`).
use compiled::Successors;
use engine::{Fairness, Property, Why};
use model::semantics::{Forbidden, Semantics, State, Step};
use model::{ClaimEdge, Cube};

use crate::behaviours::{MOST_PROCESSES, MOST_SETS, movers};
use crate::conditions::Conditions;
use crate::expander::{Expand, Expander, Follow};
use crate::lasso::{Hop, Marks};

/// Why a state cannot be expanded.
#[derive(Clone, Debug, PartialEq)]
pub enum Stopped {
    /// Something is wrong there already.
    Forbidden(Forbidden),
    /// It is more than can be done.
    Unsupported(Why),
}

/// A system and a claim.
pub struct Product<'a> {
    /// Knows the system.
    pub expander: Expander<'a>,
    property: Property<'a>,
    conditions: Conditions<'a>,
    /// Successors of the system alone, and who moves to get there.
    next: Successors,
    movers: Vec<Marks>,
    /// The claim's edges that can be taken.
    taken: Vec<&'a ClaimEdge>,
}

impl<'a> Product<'a> {
    /// Of a system and a property.
    pub fn new(mut expander: Expander<'a>, property: Property<'a>, initial: &State) -> Self {
        let conditions = Conditions::new(property.watcher.conditions, expander.steps_mut(), initial);
        Product { conditions, next: expander.buffer(), movers: Vec::new(), taken: Vec::new(), expander, property }
    }

    /// What is checked.
    pub fn property(&self) -> Property<'a> {
        self.property
    }

    /// Room for states of both.
    pub fn buffer(&self) -> Successors {
        let packing = self.expander.steps().packing();
        Successors::new(if packing.same_length { packing.fixed_words as usize + 1 } else { 0 })
    }

    /// The states with which it begins.
    pub fn begin(&mut self, initial: &State, out: &mut Successors) {
        self.next.clear();
        self.expander.begin(initial, &mut self.next);
        self.expander.passed.clear();
        let entry = u64::from(self.property.watcher.claim.entry);
        self.next.iter_from(0).for_each(|it| push(out, it, entry));
    }

    /// Adds what follows a state, each with its marks. Says whether the system was asked what follows its own.
    pub fn expand(&mut self, state: &[u64], out: &mut Successors, marks: &mut Vec<Marks>) -> Result<bool, Stopped> {
        let (words, location) = split(state);
        self.conditions.forget();
        if !self.conditions.asks_stillness {
            self.choose(words, location, false)?;
            if self.taken.is_empty() {
                return Ok(false);
            }
        }
        self.move_system(words)?;
        let stands_still = self.next.is_empty() && !self.can_move(words);
        if self.conditions.asks_stillness {
            self.choose(words, location, stands_still)?;
        }
        if stands_still && !self.property.watcher.claim.only_moving {
            self.next.push(words);
            self.movers.push(Marks::MAX);
        }
        for edge in &self.taken {
            let Some(target) = edge.target else { continue };
            for (row, next) in self.next.iter_from(0).enumerate() {
                push(out, next, u64::from(target));
                let moved = self.movers.get(row).map_or(0, |it| it & !((1 << MOST_SETS) - 1));
                marks.push(Marks::from(edge.sets) | moved);
            }
        }
        out.inner += std::mem::take(&mut self.next.inner);
        Ok(true)
    }

    /// Whether the system could at least go wrong.
    fn can_move(&self, words: &[u64]) -> bool {
        let (steps, mut state) = (self.expander.steps(), State::default());
        steps.unpack(words, &mut state);
        steps.system().moves(&state, &mut |_| {})
    }

    /// The same as a list.
    pub fn hops(&mut self, state: &[u64]) -> Vec<Hop<Vec<u64>>> {
        let (mut next, mut marks) = (self.buffer(), Vec::new());
        // Where something is wrong, nothing follows.
        let _ = self.expand(state, &mut next, &mut marks);
        next.iter_from(0).map(<[u64]>::to_vec).zip(marks).collect()
    }

    /// The successors of the system.
    fn move_system(&mut self, words: &[u64]) -> Result<(), Stopped> {
        self.next.clear();
        self.movers.clear();
        if self.property.fairness == Fairness::None {
            self.expander.expand(words, 0, &mut self.next);
            self.expander.passed.clear();
            return Ok(());
        }
        if self.expander.steps().count_in(words) > MOST_PROCESSES {
            let why = format!("fairness is known for at most {MOST_PROCESSES} processes");
            return Err(Stopped::Unsupported(Why::Unsupported(why)));
        }
        let all = |_: &Semantics<'a>, _: &State| Who::default();
        let who = self.expander.expand_some(words, 0, all, &mut self.next);
        self.movers.extend(who.moved.iter().map(|it| it | !who.can_move));
        Ok(())
    }

    /// Finds the edges that the claim can take.
    fn choose(&mut self, words: &[u64], location: u32, stands_still: bool) -> Result<(), Stopped> {
        self.expander.steps_mut().look_at(words);
        self.taken.clear();
        for edge in &self.property.watcher.claim.locations[location as usize].edges {
            if self.any(&edge.label, words, stands_still)? {
                for &(row, span) in &edge.asserts {
                    if !self.holds(row, words, stands_still)? {
                        return Err(Stopped::Forbidden(Forbidden::Assertion(span)));
                    }
                }
                if edge.target.is_none() {
                    return Err(Stopped::Forbidden(Forbidden::End));
                }
                self.taken.push(edge);
            }
        }
        Ok(())
    }

    fn any(&mut self, label: &[Cube], words: &[u64], stands_still: bool) -> Result<bool, Stopped> {
        'cubes: for cube in label {
            for literal in &cube.0 {
                if self.holds(literal.row, words, stands_still)? != literal.is_true {
                    continue 'cubes;
                }
            }
            return Ok(true);
        }
        Ok(false)
    }

    fn holds(&mut self, row: u32, words: &[u64], stands_still: bool) -> Result<bool, Stopped> {
        let answer = self.conditions.holds(row as usize, self.expander.steps_mut(), words, stands_still);
        answer.map_err(|fault| Stopped::Forbidden(Forbidden::Fault(fault)))
    }
}

/// A state of the system, and where the claim is.
pub fn split(state: &[u64]) -> (&[u64], u32) {
    let (location, words) = state.split_last().expect("a state has a word for the claim");
    (words, *location as u32)
}

fn push(out: &mut Successors, words: &[u64], location: u64) {
    out.resize_next(words.len() + 1);
    let next = out.next_mut();
    next[..words.len()].copy_from_slice(words);
    next[words.len()] = location;
    out.keep();
}

/// Who moves.
#[derive(Default)]
pub struct Who {
    /// Who could.
    pub can_move: Marks,
    /// Per successor: who does to get there.
    pub moved: Vec<Marks>,
}

impl Follow for Who {
    fn may(&mut self, path: &[Step]) -> bool {
        self.can_move |= path.first().map_or(0, movers);
        true
    }

    fn arrived(&mut self, path: &[Step]) {
        self.moved.push(path.iter().fold(0, |all, it| all | movers(it)));
    }
}
