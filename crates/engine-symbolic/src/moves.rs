//! Every step of every process, for all states at once: `model::semantics::moves`.
//!
//! For a slot and a place where its process can be, the edges are tried in order. What the reference remembers from edge to edge
//! (whether there was a step, and of which group) is here a set of states.
use std::collections::BTreeMap;

use diagram::Function;
use model::{ActionId, Direction, Edge, EdgeId, Effect, Expr, LocationId, ProcessType, ProcessTypeId};

use crate::case::{Case, Notes, Outcome, gather};
use crate::cell::{Cell, Slot};
use crate::encoding::{Changes, Encoding};
use crate::eval::View;
use crate::execute::{Execution, Handshake};
use crate::guess::Need;
use crate::stop::Result;
use crate::trouble::{Errors, Faults, Trouble, add_error, within};

/// A step that is possible in the states of a condition, and what it changes.
#[derive(Clone, Debug)]
pub struct Transition {
    /// Who moves; in a rendezvous, who sends.
    pub slot: Slot,
    /// What an observer sees of it.
    pub action: Option<ActionId>,
    /// Where.
    pub condition: Function,
    /// What.
    pub changes: Changes,
}

/// The steps of all processes.
pub struct Moves<'a> {
    /// The cells.
    pub encoding: &'a Encoding<'a>,
    /// Whether nothing else can move.
    pub timeout: bool,
    /// The steps.
    pub transitions: Vec<Transition>,
    /// Where steps go wrong.
    pub errors: Errors,
    /// Where more room is needed.
    pub needs: BTreeMap<Need, Vec<Function>>,
}

/// Who tries which edge where.
#[derive(Clone, Copy)]
struct Attempt<'e> {
    me: (Slot, ProcessTypeId),
    id: EdgeId,
    edge: &'e Edge,
}

/// The rules that hold between the edges of one location.
struct Rules {
    /// Where there was a step.
    moved: Vec<Function>,
    /// Per group that interrupts: where it had a step.
    locked: BTreeMap<u32, Function>,
    /// Where no more edges are tried.
    stopped: Function,
    never: Function,
}

impl Rules {
    fn new(never: Function) -> Self {
        Rules { moved: Vec::new(), locked: BTreeMap::new(), stopped: never.clone(), never }
    }

    /// Where an edge is tried.
    fn allowed(&mut self, edge: &Edge, here: &Function) -> Result<Function> {
        for (_, locked) in self.locked.iter().filter(|it| *it.0 != edge.group) {
            self.stopped = self.stopped.or(locked)?;
        }
        Ok(here.minus(&self.stopped)?)
    }

    /// An edge had a step.
    fn note(&mut self, edge: &Edge, moved: Vec<Function>) -> Result<()> {
        if edge.group > 0 {
            let before = self.locked.remove(&edge.group).unwrap_or_else(|| self.never.clone());
            self.locked.insert(edge.group, moved.iter().try_fold(before, |all, it| all.or(it))?);
        }
        moved.into_iter().try_for_each(|it| gather(&mut self.moved, it))
    }
}

impl<'a> Moves<'a> {
    /// No steps yet.
    pub fn new(encoding: &'a Encoding<'a>, timeout: bool) -> Self {
        Moves { encoding, timeout, transitions: Vec::new(), errors: Errors::new(), needs: BTreeMap::new() }
    }

    fn never(&self) -> Function {
        self.encoding.constant(false)
    }

    /// The steps of a process at a place; returns where there is one, in parts.
    pub fn at(&mut self, slot: Slot, ty: ProcessTypeId, location: LocationId) -> Result<Vec<Function>> {
        let process = self.encoding.model.process(ty);
        let here = self.may_move(slot)?.and(&self.encoding.is_at(&Changes::new(), slot, (ty, location))?)?;
        let (here, mut faults) = self.provided(process, (slot, ty), &here)?;
        let first = EdgeId(process.location(location).first_edge);
        for (trouble, condition) in faults.list.drain(..) {
            add_error(&mut self.errors, (trouble, ty, first), &condition);
        }
        let mut rules = Rules::new(self.never());
        for (id, edge) in process.outgoing(location) {
            let mut allowed = rules.allowed(edge, &here)?;
            if edge.otherwise {
                allowed = without(allowed, &rules.moved)?;
            }
            if !allowed.is_false() {
                let moved = self.edge(Attempt { me: (slot, ty), id, edge }, allowed, &rules.moved)?;
                rules.note(edge, moved)?;
            }
        }
        rules.moved.push(faults.any);
        Ok(rules.moved)
    }

    /// Where nobody else goes on alone.
    fn may_move(&self, slot: Slot) -> Result<Function> {
        let (encoding, none) = (self.encoding, Changes::new());
        if !encoding.layout.cells.contains_key(&Cell::Control) {
            return Ok(encoding.constant(true));
        }
        let free = encoding.has_code(&none, Cell::Control, 0)?;
        // Nobody who goes on alone waits for a timeout.
        let own = if self.timeout { self.never() } else { encoding.has_code(&none, Cell::Control, slot as u32 + 1)? };
        Ok(free.or(&own)?)
    }

    /// Where the condition on every step of a process is true.
    fn provided(
        &self,
        process: &ProcessType,
        me: (Slot, ProcessTypeId),
        here: &Function,
    ) -> Result<(Function, Faults)> {
        let mut faults = Faults::new(self.never());
        let Some(condition) = &process.provided else { return Ok((here.clone(), faults)) };
        let none = Changes::new();
        let view = View { encoding: self.encoding, changes: &none, me: Some(me), timeout: self.timeout, spawned: None };
        let holds = view.test(condition, here, &mut faults)?;
        Ok((here.and(&holds)?.minus(&faults.any)?, faults))
    }

    fn execution<'x>(&self, me: (Slot, ProcessTypeId), edge: EdgeId, handshake: Option<&'x Handshake>) -> Execution<'x>
    where
        'a: 'x,
    {
        let (encoding, timeout, notes) = (self.encoding, self.timeout, Notes::default());
        Execution { encoding, me, timeout, handshake, edge, inside: false, notes }
    }

    /// Tries one edge; returns where there was a step.
    fn edge(&mut self, it: Attempt<'_>, allowed: Function, before: &[Function]) -> Result<Vec<Function>> {
        let Some(Effect::Send { channel, message, .. }) = it.edge.effects.first() else {
            return self.alone(it, allowed, before);
        };
        // Whether a send waits for somebody depends on the channel.
        let none = Case::new(allowed.clone());
        let execution = self.execution(it.me, it.id, None);
        let mut faults = Faults::new(self.never());
        let channels = execution.view(&none).channels(channel, &allowed, &mut faults)?;
        let mut moved = vec![faults.any.clone()];
        for (trouble, condition) in &faults.list {
            add_error(&mut self.errors, (*trouble, it.me.1, it.id), condition);
        }
        let mut buffered = self.never();
        for (row, here) in channels {
            let here = here.and(&allowed)?.minus(&faults.any)?;
            if execution.view(&none).capacity(row) > 0 {
                buffered = buffered.or(&here)?;
            } else if !here.is_false() {
                moved.extend(self.rendezvous(it, row, message, here, before)?);
            }
        }
        if !buffered.is_false() {
            moved.extend(self.alone(it, buffered, before)?);
        }
        Ok(moved)
    }

    /// A step that needs nobody else.
    fn alone(&mut self, it: Attempt<'_>, allowed: Function, before: &[Function]) -> Result<Vec<Function>> {
        let mut execution = self.execution(it.me, it.id, None);
        let Outcome { done, .. } = execution.take(it.id, Case::new(allowed))?;
        if self.is_deterministic(it.me.1) {
            for case in &done {
                execution.edge = it.id;
                execution.fail(Trouble::Nondeterminism, self.both(&case.condition, before)?);
            }
        }
        let moved = self.absorb(execution.notes, it.me.1, conditions(&done))?;
        self.finish(done, it.me.0, it.me.0, it.edge, it.edge.action);
        Ok(moved)
    }

    fn is_deterministic(&self, ty: ProcessTypeId) -> bool {
        self.encoding.model.process(ty).deterministic
    }

    /// The states of a set in which one of these conditions holds.
    fn both(&self, set: &Function, conditions: &[Function]) -> Result<Function> {
        within(set, conditions, self.never())
    }

    /// Keeps what is to be said about a step that is done in these cases; returns where there was a step.
    fn absorb(&mut self, notes: Notes, ty: ProcessTypeId, done: Vec<Function>) -> Result<Vec<Function>> {
        let mut moved = Vec::new();
        for condition in done.into_iter().chain(notes.faults.iter().map(|it| it.2.clone())) {
            gather(&mut moved, condition)?;
        }
        for (trouble, edge, condition) in &notes.faults {
            add_error(&mut self.errors, (*trouble, ty, *edge), condition);
        }
        // What goes wrong in a step that then has to wait does not happen.
        for (trouble, edge, condition) in &notes.failures {
            let happens = self.both(condition, &moved)?;
            add_error(&mut self.errors, (*trouble, ty, *edge), &happens);
        }
        for (need, conditions) in notes.needs {
            for condition in conditions {
                gather(&mut moved, condition.clone())?;
                self.needs.entry(need).or_default().push(condition);
            }
        }
        Ok(moved)
    }

    /// Keeps steps of `slot` after which `mover` has moved last, by this edge.
    fn finish(&mut self, done: Vec<Case>, slot: Slot, mover: Slot, edge: &Edge, action: Option<ActionId>) {
        let encoding = self.encoding;
        for case in done {
            let condition = case.condition.clone();
            let mut changes = case.real_changes(encoding);
            let control = if edge.keeps_control { mover as u32 + 1 } else { 0 };
            for (cell, code) in [(Cell::Control, control), (Cell::LastMover, mover as u32)] {
                if encoding.layout.cells.contains_key(&cell) {
                    changes.insert(cell, encoding.code(cell, code));
                }
            }
            self.transitions.push(Transition { slot, action, condition, changes });
        }
    }

    // Rendezvous.

    /// The first half of a rendezvous, and every second half that fits.
    fn rendezvous(
        &mut self,
        it: Attempt<'_>,
        row: usize,
        message: &[Expr],
        here: Function,
        before: &[Function],
    ) -> Result<Vec<Function>> {
        let mut execution = self.execution(it.me, it.id, None);
        let (case, message) = execution.new_message(Case::new(here), row, message)?;
        let mut moved = self.absorb(execution.notes, it.me.1, Vec::new())?;
        let handshake = Handshake { row, message };
        for receiver in (0..self.encoding.layout.slots()).filter(|slot| *slot != it.me.0) {
            for (ty, location) in self.encoding.layout.controls[receiver].clone() {
                moved.extend(self.second_half(it, &handshake, &case, before, (receiver, ty), location)?);
            }
        }
        Ok(moved)
    }

    fn second_half(
        &mut self,
        send: Attempt<'_>,
        handshake: &Handshake,
        case: &Case,
        before: &[Function],
        me: (Slot, ProcessTypeId),
        location: LocationId,
    ) -> Result<Vec<Function>> {
        let process = self.encoding.model.process(me.1);
        let candidates: Vec<(EdgeId, &Edge)> = process.outgoing(location).collect();
        if !candidates.iter().any(|(_, edge)| self.could_receive(process, edge, me, handshake.row)) {
            return Ok(Vec::new());
        }
        let there = case.condition.and(&self.encoding.is_at(&Changes::new(), me.0, (me.1, location))?)?;
        let (there, _) = self.provided(process, me, &there)?;
        let mut rules = Rules::new(self.never());
        for (id, edge) in candidates {
            let allowed = rules.allowed(edge, &there)?;
            if !begins_with_receive(process, edge) || allowed.is_false() {
                continue;
            }
            let receive = Attempt { me, id, edge };
            let moved = self.handshake(send, receive, handshake, case.within(&allowed)?, before, &rules.moved)?;
            rules.note(edge, moved)?;
        }
        Ok(rules.moved)
    }

    /// Both halves.
    fn handshake(
        &mut self,
        send: Attempt<'_>,
        receive: Attempt<'_>,
        handshake: &Handshake,
        case: Case,
        before: &[Function],
        received_before: &[Function],
    ) -> Result<Vec<Function>> {
        let mut sending = self.execution(send.me, send.id, None);
        let case = send.edge.target.map_or(case.clone(), |target| sending.move_to(target, case));
        let case = if send.edge.target.is_some() { sending.forget(send.edge, case)? } else { case };
        sending.check_exclusive(Direction::Send, handshake.row, &case)?;
        let case = sending.observe(Direction::Send, handshake.row, &handshake.message, case)?;
        let mut receiving = self.execution(receive.me, receive.id, Some(handshake));
        let Outcome { done, .. } = receiving.take(receive.id, case)?;
        for case in &done {
            if self.is_deterministic(receive.me.1) {
                receiving.edge = receive.id;
                receiving.fail(Trouble::Nondeterminism, self.both(&case.condition, received_before)?);
            }
            if self.is_deterministic(send.me.1) {
                sending.fail(Trouble::Nondeterminism, self.both(&case.condition, before)?);
            }
        }
        // What the sender does wrong counts where the receiver gets through or fails.
        let moved = self.absorb(receiving.notes, receive.me.1, conditions(&done))?;
        let moved = self.absorb(sending.notes, send.me.1, moved)?;
        self.finish(done, send.me.0, receive.me.0, receive.edge, send.edge.action.or(receive.edge.action));
        Ok(moved)
    }

    /// Whether an edge could be the second half of a rendezvous on a channel.
    fn could_receive(&self, process: &ProcessType, edge: &Edge, me: (Slot, ProcessTypeId), row: usize) -> bool {
        if !begins_with_receive(process, edge) {
            return false;
        }
        let Some(Effect::Receive { channel, .. }) = edge.effects.first() else { return true };
        // A sender changes nothing that the receiver's channel depends on.
        let none = Changes::new();
        let view = View { encoding: self.encoding, changes: &none, me: Some(me), timeout: self.timeout, spawned: None };
        let mut faults = Faults::new(self.never());
        match view.channels(channel, &self.encoding.constant(true), &mut faults) {
            Ok(channels) => !faults.any.is_false() || channels.iter().any(|it| it.0 == row),
            Err(_) => true,
        }
    }
}

fn conditions(cases: &[Case]) -> Vec<Function> {
    cases.iter().map(|it| it.condition.clone()).collect()
}

/// A set without all of these.
pub fn without(set: Function, others: &[Function]) -> Result<Function> {
    others.iter().try_fold(set, |set, it| Ok(set.minus(it)?))
}

/// Whether an edge could be the second half of a rendezvous.
fn begins_with_receive(process: &ProcessType, edge: &Edge) -> bool {
    let receives = |edge: &Edge| matches!(edge.effects.first(), Some(Effect::Receive { .. }));
    match edge.effects.first() {
        Some(Effect::Indivisible(entry)) => {
            process.outgoing(*entry).any(|(_, inner)| inner.guard == Expr::TRUE && receives(inner))
        }
        _ => receives(edge),
    }
}
