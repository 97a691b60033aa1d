//! A whole model as relations between states, with the states in which something is wrong.
use std::collections::BTreeMap;

use diagram::{Function, Relation};
use model::access::effect_expressions;
use model::variables::types;
use model::{ActionId, Edge, Effect, Expr, LocationId, Model, ProcessType, ProcessTypeId};

use crate::case::gather;
use crate::cell::{Cell, Slot};
use crate::encoding::{Changes, Encoding};
use crate::eval::View;
use crate::guess::Need;
use crate::moves::{Moves, Transition, without};
use crate::pulse::Pulse;
use crate::run::Mistake;
use crate::stop::Result;
use crate::trouble::{Errors, Faults, add_error};

/// Everything that can happen in a model.
pub struct System {
    /// The steps.
    pub relations: Vec<Relation>,
    /// Per relation: who moves; in a rendezvous, who sends.
    pub movers: Vec<Slot>,
    /// Per relation: what an observer sees of its steps.
    pub actions: Vec<Option<ActionId>>,
    /// Where steps go wrong.
    pub errors: Errors,
    /// Where more room is needed than there is.
    pub needs: BTreeMap<Need, Vec<Function>>,
    /// Where everybody may move: these are the states; what else is reached is passed through.
    pub rests: Function,
    /// Per process and place: where it can move, at least after a timeout.
    moved: Vec<Function>,
    /// Per invariant: where it is false or has no value.
    pub broken: Vec<Function>,
}

/// Builds relations.
struct Builder<'a> {
    encoding: &'a Encoding<'a>,
    relations: BTreeMap<(Slot, Option<ActionId>, Vec<usize>), Vec<Function>>,
}

impl System {
    /// The meaning of a model.
    pub fn new(encoding: &Encoding<'_>, pulse: &Pulse) -> Result<System> {
        let model = encoding.model;
        let mut builder = Builder { encoding, relations: BTreeMap::new() };
        let rests = match encoding.layout.cells.contains_key(&Cell::Control) {
            true => encoding.has_code(&Changes::new(), Cell::Control, 0)?,
            false => encoding.constant(true),
        };
        let mut moves = Moves::new(encoding, false);
        let keeps = kept(model);
        let mut moved = Vec::new();
        for (slot, controls) in encoding.layout.controls.iter().enumerate() {
            for &(ty, location) in controls {
                pulse.check()?;
                encoding.space.adapt();
                let here = moves.at(slot, ty, location)?;
                if keeps[ty.0 as usize][location.0 as usize] {
                    builder.release(slot, (ty, location), &here)?;
                }
                builder.add_all(std::mem::take(&mut moves.transitions), None)?;
                moved.extend(here);
            }
        }
        let Moves { mut errors, mut needs, .. } = moves;
        if has_timeout(model) {
            let waits = without(rests.clone(), &moved)?;
            moved.extend(builder.after_timeout(&waits, &mut errors, &mut needs, pulse)?);
        }
        let broken = broken(encoding, &rests)?;
        let (relations, movers, actions) = builder.finished()?;
        Ok(System { relations, movers, actions, errors, needs, rests, moved, broken })
    }

    /// The states of a set in which nobody can move. For all states this would be a large function, for those that are reached it is not.
    pub fn stuck(&self, reached: &Function) -> Result<Function> {
        without(reached.and(&self.rests)?, &self.moved)
    }
}

impl Builder<'_> {
    /// A process that goes on alone and cannot loses control.
    fn release(&mut self, slot: Slot, control: (ProcessTypeId, LocationId), moved: &[Function]) -> Result<()> {
        let encoding = self.encoding;
        let alone = encoding.has_code(&Changes::new(), Cell::Control, slot as u32 + 1)?;
        let here = without(alone.and(&encoding.is_at(&Changes::new(), slot, control)?)?, moved)?;
        let changes = Changes::from([(Cell::Control, encoding.code(Cell::Control, 0))]);
        self.add(Transition { slot, action: None, condition: here, changes }, None)
    }

    /// The steps that are possible only when nothing else is; returns where there is one.
    fn after_timeout(
        &mut self,
        waits: &Function,
        errors: &mut Errors,
        needs: &mut BTreeMap<Need, Vec<Function>>,
        pulse: &Pulse,
    ) -> Result<Vec<Function>> {
        let encoding = self.encoding;
        let mut moves = Moves::new(encoding, true);
        let mut moved = Vec::new();
        let anybody = types(encoding.model).any(|it| it.1.edges.iter().any(receives_late));
        for (slot, controls) in encoding.layout.controls.iter().enumerate() {
            for &(ty, location) in controls {
                pulse.check()?;
                encoding.space.adapt();
                if is_late(encoding.model.process(ty), location, anybody) {
                    moved.extend(moves.at(slot, ty, location)?);
                }
            }
        }
        self.add_all(moves.transitions, Some(waits))?;
        for (key, conditions) in moves.errors {
            for condition in conditions {
                add_error(errors, key, &condition.and(waits)?);
            }
        }
        for (need, conditions) in moves.needs {
            for condition in conditions {
                needs.entry(need).or_default().push(condition.and(waits)?);
            }
        }
        Ok(moved)
    }

    fn add_all(&mut self, transitions: Vec<Transition>, only: Option<&Function>) -> Result<()> {
        transitions.into_iter().try_for_each(|it| self.add(it, only))
    }

    /// A transition as a relation; those of one process that touch the same bits become one.
    fn add(&mut self, transition: Transition, only: Option<&Function>) -> Result<()> {
        let encoding = self.encoding;
        let mut function = match only {
            Some(only) => transition.condition.and(only)?,
            None => transition.condition,
        };
        if function.is_false() {
            return Ok(());
        }
        let mut changed = Vec::new();
        for (cell, bits) in &transition.changes {
            for (&bit, value) in encoding.layout.bits[cell].iter().zip(bits) {
                if *value != encoding.space.current(bit)? {
                    changed.push((bit, value));
                }
            }
        }
        // From the bottom of the diagram to its top, so that every conjunction adds to what is below.
        changed.sort_by_key(|it| std::cmp::Reverse(it.0));
        let mut effect = encoding.constant(true);
        let loose = usize::from(encoding.mistake == Some(Mistake::LooseBit));
        for (bit, value) in changed.iter().skip(loose) {
            effect = effect.and(&encoding.space.next(*bit)?.equivalent(value)?)?;
        }
        function = function.and(&effect)?;
        let mut touched: Vec<usize> = changed.into_iter().map(|it| it.0).collect();
        touched.sort_unstable();
        gather(self.relations.entry((transition.slot, transition.action, touched)).or_default(), function)
    }

    /// The relations, and per relation who moves and with which action.
    #[allow(clippy::type_complexity)] // Three columns of one table.
    fn finished(self) -> Result<(Vec<Relation>, Vec<Slot>, Vec<Option<ActionId>>)> {
        let Builder { encoding, relations } = self;
        let parts = relations.into_iter().flat_map(|(key, list)| list.into_iter().map(move |it| (key.clone(), it)));
        let mut finished = (Vec::new(), Vec::new(), Vec::new());
        for ((slot, action, touched), it) in parts {
            finished.0.push(Relation::new(encoding.space, it, &touched)?);
            finished.1.push(slot);
            finished.2.push(action);
        }
        Ok(finished)
    }
}

/// Per process type and location: whether a process can come there and go on alone.
fn kept(model: &Model) -> Vec<Vec<bool>> {
    let of = |process: &ProcessType| {
        let mut kept = vec![false; process.locations.len()];
        let targets = process.edges.iter().filter(|it| it.keeps_control).filter_map(|it| it.target);
        targets.for_each(|it| kept[it.0 as usize] = true);
        kept
    };
    model.processes.iter().map(of).collect()
}

fn has_timeout(model: &Model) -> bool {
    let mut found = false;
    model::access::expressions(model, &mut |expr| found |= asks(expr));
    found
}

fn asks(expr: &Expr) -> bool {
    expr.any(&|it| *it == Expr::Timeout)
}

fn edge_asks(edge: &Edge) -> bool {
    let mut found = asks(&edge.guard);
    edge.effects.iter().for_each(|effect| effect_expressions(effect, &mut |expr| found |= asks(expr)));
    found
}

/// Whether a timeout can make the second half of a rendezvous possible.
fn receives_late(edge: &Edge) -> bool {
    matches!(edge.effects.first(), Some(Effect::Receive { .. } | Effect::Indivisible(_))) && edge_asks(edge)
}

/// Whether a timeout can make an edge of a location possible.
fn is_late(process: &ProcessType, location: LocationId, anybody: bool) -> bool {
    let inside = |edge: &Edge| {
        let mut regions = edge.effects.iter().filter_map(Effect::entry);
        regions.any(|entry| model::access::region(process, entry).into_iter().any(edge_asks))
    };
    let sends = |edge: &Edge| anybody && matches!(edge.effects.first(), Some(Effect::Send { .. }));
    process.provided.as_ref().is_some_and(asks)
        || process.outgoing(location).any(|(_, edge)| edge_asks(edge) || inside(edge) || sends(edge))
}

fn broken(encoding: &Encoding<'_>, rests: &Function) -> Result<Vec<Function>> {
    let none = Changes::new();
    let view = View { encoding, changes: &none, me: None, timeout: false, spawned: None };
    let each = encoding.model.invariants.iter().map(|it| {
        let mut faults = Faults::new(encoding.constant(false));
        let holds = view.test(&it.condition, rests, &mut faults)?;
        Ok(rests.minus(&holds)?.or(&faults.any)?)
    });
    each.collect()
}
