//! A system and a claim together, as relations.
//!
//! Before the system moves, the claim takes an edge whose condition is true in the state (`model::temporal`). Two cells more say where the claim is and whose
//! *turn* it is:
//!
//! ```text
//! the claim      in a state, turn 0:   takes an edge, turn := 1
//! the system     in a state, turn 1:   a step as before, turn := 0;  at a point, where a process goes on alone: a step as before
//!                where nothing can move, turn 1:   turn := 0
//! ```
//!
//! So a relation of the system mentions one bit more, and that of an edge of the claim what its condition looks at. Composed to one relation per pair they would all
//! begin at the top of the diagram. A state of both is one with turn 0. Sets of edges are sets of relations. Every infinite path on which the claim moves again and again is one
//! of the product, and that it does is asked for anyway.
use std::collections::BTreeMap;

use diagram::{Function, Relation, Which};
use model::semantics::{State, Step, Watcher};
use model::{ClaimEdge, Cube};

use crate::cell::Cell;
use crate::conditions::Conditions;
use crate::encoding::Changes;
use crate::explore::Explored;
use crate::roads::{Alone, Walk};
use crate::run::Mistake;
use crate::stop::Result;
use crate::trouble::Faults;

/// Relations of a system and a claim.
pub struct Product {
    /// All of them: first those of the claim, then those of the system.
    pub relations: Vec<Relation>,
    /// The sets of each relation of the claim.
    pub sets: Vec<u32>,
    /// Where it begins.
    pub start: Function,
    /// Where it is the claim's turn in a state.
    pub rests: Function,
    /// Where whatever comes is forbidden: the claim comes to its end, an assertion of it is false, or a condition has no value.
    pub forbidden: Function,
}

/// Builds the relations.
struct Builder<'a> {
    explored: &'a Explored<'a>,
    watcher: Watcher<'a>,
    /// The system's states and those in which nothing can move, wherever the claim is.
    states: Function,
    still: Function,
    /// It is the system's turn.
    turn: Function,
}

impl Product {
    /// Of what was explored and a claim.
    pub fn new(explored: &Explored<'_>, watcher: Watcher<'_>) -> Result<Product> {
        let (encoding, none) = (explored.encoding, Changes::new());
        let anywhere = |set: &Function| set.exists(explored.space(), &bits(explored), Which::Current);
        let states = anywhere(&explored.states()?)?;
        let still = anywhere(&explored.system.stuck(explored.reached)?)?;
        let turn = encoding.has_code(&none, Cell::Turn, 1)?;
        let builder = Builder { explored, watcher, states, still, turn };
        let entry = encoding.has_code(&none, Cell::Claim, watcher.claim.entry)?;
        let start = anywhere(explored.start)?.and(&entry)?.minus(&builder.turn)?;
        let rests = explored.system.rests.minus(&builder.turn)?;
        let mut product =
            Product { relations: Vec::new(), sets: Vec::new(), start, rests, forbidden: encoding.constant(false) };
        builder.claim(&mut product)?;
        builder.system(&mut product)?;
        Ok(product)
    }

    /// The relations of the claim.
    pub fn claim(&self) -> &[Relation] {
        &self.relations[..self.sets.len()]
    }
}

/// The bits that the claim has.
fn bits(explored: &Explored<'_>) -> Vec<usize> {
    let bits = &explored.encoding.layout.bits;
    [&bits[&Cell::Claim][..], &bits[&Cell::Turn][..]].concat()
}

impl Builder<'_> {
    /// The steps of the system.
    fn system(&self, product: &mut Product) -> Result<()> {
        let (space, system) = (self.explored.space(), self.explored.system);
        let bit = self.explored.encoding.layout.bits[&Cell::Turn][0];
        let may_move = self.turn.or(&system.rests.not())?;
        let over = may_move.minus(&space.next(bit)?)?;
        for relation in &system.relations {
            self.explored.run.pulse.check()?;
            let function = relation.function().and(&over)?;
            product.relations.push(Relation::new(space, function, relation.touched())?);
        }
        let mistaken = self.explored.run.plan.mistake == Some(Mistake::Ends);
        if !self.watcher.claim.only_moving && !mistaken {
            product.relations.push(Relation::new(space, self.still.and(&over)?, &[])?);
        }
        Ok(())
    }

    /// The edges of the claim, those of the same sets as one relation.
    fn claim(&self, product: &mut Product) -> Result<()> {
        let mut relations: BTreeMap<u32, Function> = BTreeMap::new();
        for (place, location) in self.watcher.claim.locations.iter().enumerate() {
            let here = self.explored.encoding.has_code(&Changes::new(), Cell::Claim, place as u32)?;
            let mut faults = Faults::new(self.explored.encoding.constant(false));
            for edge in &location.edges {
                self.explored.run.pulse.check()?;
                let label = self.any(&edge.label, &mut faults)?;
                let wrong = self.wrong(edge, &label, &mut faults)?;
                product.forbidden = product.forbidden.or(&here.and(&wrong)?)?;
                if let Some(target) = edge.target {
                    let moves = here.and(&label)?.and(&self.goes_to(target)?)?.and(&product.rests)?;
                    let known = relations.get(&edge.sets).map_or(Ok(moves.clone()), |it| it.or(&moves))?;
                    relations.insert(edge.sets, known);
                }
            }
            product.forbidden = product.forbidden.or(&here.and(&faults.any)?)?;
        }
        for (sets, function) in relations {
            product.sets.push(sets);
            product.relations.push(Relation::new(self.explored.space(), function, &bits(self.explored))?);
        }
        Ok(())
    }

    /// The claim is there next, and it is the system's turn.
    fn goes_to(&self, target: u32) -> Result<Function> {
        let (space, layout) = (self.explored.space(), self.explored.encoding.layout);
        let mut next = space.next(layout.bits[&Cell::Turn][0])?;
        if self.explored.run.plan.mistake == Some(Mistake::LooseClaim) {
            return Ok(next);
        }
        for (row, &bit) in layout.bits[&Cell::Claim].iter().enumerate() {
            let value = space.next(bit)?;
            next = if target >> row & 1 == 1 { next.and(&value)? } else { next.minus(&value)? };
        }
        Ok(next)
    }

    fn conditions(&self) -> Conditions<'_> {
        Conditions { encoding: self.explored.encoding, list: self.watcher.conditions, still: &self.still }
    }

    /// Where one of some conjunctions is true. What comes after one that is true, or a literal that is false, is not looked at.
    fn any(&self, label: &[Cube], faults: &mut Faults) -> Result<Function> {
        let (mut found, mut asked) = (self.explored.encoding.constant(false), self.states.clone());
        for cube in label {
            let (mut all, mut matters) = (self.explored.encoding.constant(true), asked.clone());
            for literal in &cube.0 {
                let holds = self.conditions().holds(literal.row, &matters, faults)?;
                let fits = if literal.is_true { holds } else { holds.not() };
                all = all.and(&fits)?;
                matters = matters.and(&fits)?;
            }
            found = found.or(&all)?;
            asked = asked.minus(&all)?;
        }
        Ok(found)
    }

    /// Where it is wrong to take an edge.
    fn wrong(&self, edge: &ClaimEdge, label: &Function, faults: &mut Faults) -> Result<Function> {
        let taken = self.states.and(label)?;
        if edge.target.is_none() {
            return Ok(taken);
        }
        let mut wrong = self.explored.encoding.constant(false);
        for &(row, _) in &edge.asserts {
            let holds = self.conditions().holds(row, &taken, faults)?;
            wrong = wrong.or(&taken.minus(&holds)?)?;
        }
        Ok(wrong)
    }
}

/// A place of the system, one of the claim, and whether it is the system's turn.
#[derive(Clone)]
pub struct Both {
    /// The system.
    pub state: State,
    /// The claim.
    pub place: u32,
    turn: bool,
}

/// Walks along both.
#[derive(Clone, Copy)]
pub struct Together<'a> {
    /// The system.
    pub alone: Alone<'a>,
    /// The claim.
    pub watcher: Watcher<'a>,
}

impl Together<'_> {
    /// Where it begins.
    pub fn begin(&self, initial: &State) -> Both {
        Both { state: initial.clone(), place: self.watcher.claim.entry, turn: false }
    }

    /// Whether nothing can move.
    pub fn stands_still(&self, state: &State) -> bool {
        !self.alone.reference.moves(state, &mut |_| {})
    }
}

impl Walk for Together<'_> {
    type Place = Both;

    fn bits(&self, both: &Both) -> Option<Vec<bool>> {
        let mut bits = self.alone.bits(&both.state)?;
        let layout = self.alone.encoding.layout;
        for (cell, code) in [(Cell::Claim, both.place), (Cell::Turn, u32::from(both.turn))] {
            layout.bits[&cell].iter().enumerate().for_each(|(row, &bit)| bits[bit] = code >> row & 1 == 1);
        }
        Some(bits)
    }

    fn follow(&self, both: &Both, visit: &mut dyn FnMut(Option<Step>, Both)) {
        let Both { state, place, turn } = both;
        if *turn || state.exclusive.is_some() {
            self.alone.follow(state, &mut |step, state| visit(step, Both { state, place: *place, turn: false }));
            return;
        }
        let still = self.stands_still(state);
        // Where something is wrong, nothing follows.
        let taken = self.alone.reference.claim_moves(state, self.watcher, *place, still).unwrap_or_default();
        for place in taken.iter().filter_map(|it| it.target) {
            visit(None, Both { state: state.clone(), place, turn: true });
        }
    }
}
