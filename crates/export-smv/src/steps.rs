//! Every step of every process: `model::semantics::moves`, as text.
//!
//! A step is an edge of a process, or two edges of two processes in a rendezvous. In a state it is possible or not, and what it does is determined, so that the
//! choice between steps is all that is left open. Inside an indivisible region every edge is a step of its own, after which
//! the process goes on alone.
use std::collections::BTreeMap;

use engine_symbolic::{Cell, Slot, Trouble};
use model::access::{effect_expressions, region};
use model::{Direction, Edge, EdgeId, Effect, Expr, LocationId, ProcessType, ProcessTypeId};

use crate::Mistake;
use crate::action::{Action, Actor, Handshake, Wrong};
use crate::faults::Faults;
use crate::term::{Truth, Word};
use crate::view::{Changes, Value, View};
use crate::world::{Kind, Point, World};

/// Something that can happen.
pub struct Step {
    /// Its name.
    pub name: String,
    /// The definition that says where it is possible.
    pub can: String,
    /// What that says.
    pub possible: Truth,
    /// What it makes of cells.
    pub changes: Changes,
    /// Who goes on alone afterwards.
    pub alone: Option<Slot>,
    /// Who tried.
    pub slot: Slot,
    /// In the words of the model.
    pub note: String,
    /// Only when nothing else is possible.
    pub is_late: bool,
}

/// All that can happen, and what can go wrong.
#[derive(Default)]
pub struct Steps {
    /// The steps.
    pub list: Vec<Step>,
    /// Where a step is tried that has no meaning, or that there is no room for: a name, who tried, whether only when nothing else was possible, where.
    pub faults: Vec<(String, Slot, bool, Truth)>,
    /// What goes wrong at which edge.
    pub errors: BTreeMap<(Trouble, ProcessTypeId, EdgeId), Vec<Truth>>,
    /// Where there is no room.
    pub needs: Vec<Truth>,
}

/// A step that is tried.
struct Attempt {
    name: String,
    note: String,
    action: Action,
    alone: Option<Slot>,
}

/// The rules that hold between the edges of one location.
struct Rules {
    moved: Truth,
    locked: BTreeMap<u32, Truth>,
    stopped: Truth,
}

impl Rules {
    fn new() -> Self {
        let never = Truth::constant(false);
        Rules { moved: never.clone(), locked: BTreeMap::new(), stopped: never }
    }

    /// Where an edge is tried.
    fn allowed(&mut self, edge: &Edge) -> Truth {
        for (_, locked) in self.locked.iter().filter(|it| *it.0 != edge.group) {
            self.stopped = self.stopped.or(locked);
        }
        self.stopped.not()
    }

    /// An edge had a step.
    fn note(&mut self, edge: &Edge, moved: &Truth) {
        self.moved = self.moved.or(moved);
        if edge.group > 0 {
            let locked = self.locked.get(&edge.group).map_or(moved.clone(), |it| it.or(moved));
            self.locked.insert(edge.group, locked);
        }
    }
}

/// Finds the steps of a world; `timeout` is the definition of states in which nothing else is possible.
pub struct Finder<'w> {
    /// The cells.
    pub world: &'w World<'w>,
    /// What was found.
    pub steps: Steps,
    /// The name of the definition of states in which only late steps are possible.
    pub timeout: String,
    late: bool,
    mistake: Option<Mistake>,
}

impl<'w> Finder<'w> {
    /// All steps of all processes.
    pub fn find(world: &'w World<'w>, timeout: String, mistake: Option<Mistake>) -> Steps {
        let mut finder = Finder { world, steps: Steps::default(), timeout, late: false, mistake };
        finder.all();
        if has_timeout(world) {
            finder.late = true;
            finder.all();
        }
        finder.steps
    }

    fn all(&mut self) {
        for slot in 0..self.world.points.len() {
            for point in self.world.points[slot].clone() {
                match point.inside {
                    None if !self.late || self.is_late(point) => self.at(slot, point),
                    Some(outer) if !self.late => self.inside(slot, point, outer),
                    _ => {}
                }
            }
        }
    }

    fn process(&self, ty: ProcessTypeId) -> &'w ProcessType {
        self.world.model().process(ty)
    }

    fn actor(&self, me: (Slot, ProcessTypeId), edge: EdgeId) -> Actor<'w> {
        Actor { world: self.world, me, timeout: self.late, handshake: None, edge }
    }

    /// Where a process is there and nobody else goes on alone.
    fn here(&self, slot: Slot, point: Point) -> Truth {
        let at = Truth::is(self.world.cell(Cell::Location(slot)), self.world.point(point));
        let own = slot.to_string();
        let may_move = match (self.late, self.world.has_control) {
            (true, _) => Truth::symbol(&self.timeout),
            (false, true) => Truth::is_one_of(&self.world.alone, &["-1", &own]),
            (false, false) => Truth::constant(true),
        };
        at.and(&may_move)
    }

    /// The steps of a process at a location.
    fn at(&mut self, slot: Slot, point: Point) {
        let (ty, process) = (point.ty, self.process(point.ty));
        let mut here = self.here(slot, point);
        let (provided, faults) = self.provided(process, (slot, ty));
        let first = EdgeId(process.location(point.location).first_edge);
        for (trouble, condition) in faults.list {
            self.wrong(slot, &here, (trouble, ty, first, condition), true);
        }
        here = here.and(&provided);
        let mut rules = Rules::new();
        for (id, edge) in process.outgoing(point.location) {
            let mut allowed = rules.allowed(edge);
            if edge.otherwise && self.mistake != Some(Mistake::EagerElse) {
                allowed = allowed.minus(&rules.moved);
            }
            if allowed.is_false() || self.late && !self.is_late_edge(process, edge) {
                continue;
            }
            let attempts = self.edge((slot, ty), id, edge, &rules.moved);
            let moved: Vec<Truth> = attempts.iter().map(|it| it.action.moved()).collect();
            let moved = Truth::any(&moved).and(&allowed);
            attempts.into_iter().for_each(|it| self.add(slot, &here.and(&allowed), it));
            rules.note(edge, &moved);
        }
    }

    /// Where the condition on every step of a process is true.
    fn provided(&self, process: &ProcessType, me: (Slot, ProcessTypeId)) -> (Truth, Faults) {
        let mut faults = Faults::default();
        let Some(condition) = &process.provided else { return (Truth::constant(true), faults) };
        let none = Changes::new();
        let view = View { world: self.world, changes: &none, me: Some(me), timeout: self.late, spawned: None };
        view.faults(condition, &Truth::constant(true), &mut faults);
        (view.truth(condition).minus(&faults.any), faults)
    }

    /// The steps inside an indivisible region: always the first that is possible.
    fn inside(&mut self, slot: Slot, point: Point, outer: EdgeId) {
        let process = self.process(point.ty);
        let here = self.here(slot, point);
        let mut before = Truth::constant(false);
        for (id, inner) in process.outgoing(point.location) {
            let actor = self.actor((slot, point.ty), id);
            let action = actor.take(inner, Action::default()).restricted(&before.not());
            before = before.or(&action.moved());
            let attempt = self.arrived(&actor, action, (outer, process.edge(outer)), Some((id, inner)));
            self.add(slot, &here, attempt);
        }
        let first = EdgeId(process.location(point.location).first_edge);
        self.wrong(slot, &here, (Trouble::BlockedInside, point.ty, first, before.not()), true);
    }

    /// Tries one edge.
    fn edge(&self, me: (Slot, ProcessTypeId), id: EdgeId, edge: &Edge, before: &Truth) -> Vec<Attempt> {
        let Some(Effect::Send { channel, message, .. }) = edge.effects.first() else {
            return self.alone(self.actor(me, id), edge, Action::default(), before);
        };
        let (actor, none) = (self.actor(me, id), Action::default());
        let mut faults = Faults::default();
        actor.view(&none).channel_faults(channel, &Truth::constant(true), &mut faults);
        let valid = faults.any.not();
        let channels = actor.view(&none).channels(channel);
        let (waiting, buffered): (Vec<_>, Vec<_>) =
            channels.into_iter().partition(|it| actor.view(&none).capacity(it.0) == 0);
        let mut attempts = Vec::new();
        if !faults.list.is_empty() {
            let action = actor.settle(Action::default(), faults).within(&Truth::constant(false));
            attempts.push(self.attempt(&actor, edge, action));
        }
        if !buffered.is_empty() {
            let rendezvous = Truth::any(waiting.iter().map(|it| &it.1));
            attempts.extend(self.alone(actor, edge, Action::default().within(&valid.minus(&rendezvous)), before));
        }
        for (row, here) in waiting {
            attempts.extend(self.rendezvous(&actor, edge, row, message, &valid.and(&here), before));
        }
        attempts
    }

    fn attempt(&self, actor: &Actor<'_>, edge: &Edge, action: Action) -> Attempt {
        Attempt { name: self.name(actor.me.0, actor.edge, edge), note: self.note(actor, edge), action, alone: None }
    }

    fn name(&self, slot: Slot, id: EdgeId, edge: &Edge) -> String {
        format!("{}_line{}_{}", self.world.slot(slot), self.world.line(edge.span), id.0)
    }

    fn note(&self, actor: &Actor<'_>, edge: &Edge) -> String {
        let place = self.world.sources.place(edge.span);
        let text = edge.text.replace('\n', " ");
        format!("{} ({}:{}): {text}", self.world.slot(actor.me.0), place.file, place.line)
    }

    /// A step that needs nobody else, or the second half of one that does.
    fn alone(&self, actor: Actor<'_>, edge: &Edge, action: Action, before: &Truth) -> Vec<Attempt> {
        let process = self.process(actor.me.1);
        let mut attempts = Vec::new();
        match edge.effects.first().and_then(Effect::entry) {
            None => {
                let action = actor.take(edge, action);
                attempts.push(self.arrived(&actor, action, (actor.edge, edge), None));
            }
            Some(entry) => {
                let mut earlier = Truth::constant(false);
                for (id, inner) in process.outgoing(entry) {
                    if actor.handshake.is_some() && !matches!(inner.effects.first(), Some(Effect::Receive { .. })) {
                        continue;
                    }
                    let inside = Actor { edge: id, ..actor };
                    let action = inside.take(inner, action.clone()).restricted(&earlier.not());
                    earlier = earlier.or(&action.moved());
                    attempts.push(self.arrived(&inside, action, (actor.edge, edge), Some((id, inner))));
                }
            }
        }
        if process.deterministic {
            attempts.iter_mut().for_each(|it| actor.fail(&mut it.action, Trouble::Nondeterminism, before));
        }
        attempts
    }

    /// The process comes to where an edge leads, or stays inside its region.
    fn arrived(
        &self,
        actor: &Actor<'_>,
        action: Action,
        (outer, edge): (EdgeId, &Edge),
        inner: Option<(EdgeId, &Edge)>,
    ) -> Attempt {
        let (slot, ty) = actor.me;
        let action = inner.map_or(action.clone(), |(_, inner)| actor.forget(action, inner));
        let stays = inner.and_then(|it| it.1.target).filter(|it| self.process(ty).location(*it).internal);
        let (id, shown) = inner.unwrap_or((outer, edge));
        let (name, note) = (self.name(slot, id, shown), self.note(actor, shown));
        if let Some(location) = stays {
            let action = actor.move_to(action, Some(Point { ty, inside: Some(outer), location }));
            return Attempt { name, note, action, alone: Some(slot) };
        }
        let action = match edge.target {
            Some(target) => actor.forget(actor.arrive(action, target), edge),
            None => action,
        };
        let action = self.moved_last(action, slot);
        Attempt { name, note, action, alone: edge.keeps_control.then_some(slot) }
    }

    /// Who moved last.
    fn moved_last(&self, mut action: Action, slot: Slot) -> Action {
        let kind = self.world.kind(Cell::LastMover);
        if !matches!(kind, Kind::Fixed(_)) {
            action.changes.insert(Cell::LastMover, Value::Word(Word::constant(slot as i32, kind.bits())));
        }
        action
    }

    // Rendezvous.

    /// The first half of a rendezvous, and every second half that fits.
    fn rendezvous(
        &self,
        actor: &Actor<'_>,
        edge: &Edge,
        row: usize,
        message: &[Expr],
        here: &Truth,
        before: &Truth,
    ) -> Vec<Attempt> {
        let (action, message) = actor.new_message(Action::default().within(here), row, message);
        let handshake = Handshake { row, message };
        let mut attempts = Vec::new();
        if !action.faults.is_empty() {
            let only = Action { possible: Truth::constant(false), ..action.clone() };
            attempts.push(self.attempt(actor, edge, only));
        }
        let action = Action { faults: Vec::new(), ..action };
        for receiver in (0..self.world.points.len()).filter(|it| *it != actor.me.0) {
            for &point in self.world.points[receiver].iter().filter(|it| it.inside.is_none()) {
                attempts.extend(self.second_half(actor, edge, &handshake, &action, (receiver, point), before));
            }
        }
        attempts
    }

    fn second_half(
        &self,
        sender: &Actor<'_>,
        send: &Edge,
        handshake: &Handshake,
        action: &Action,
        (receiver, point): (Slot, Point),
        before: &Truth,
    ) -> Vec<Attempt> {
        let process = self.process(point.ty);
        let me = (receiver, point.ty);
        let mut attempts = Vec::new();
        let (provided, _) = self.provided(process, me);
        let there = Truth::is(self.world.cell(Cell::Location(receiver)), self.world.point(point)).and(&provided);
        let mut rules = Rules::new();
        for (id, receive) in process.outgoing(point.location) {
            let allowed = rules.allowed(receive);
            if !self.could_receive(process, receive, me, handshake.row) || allowed.is_false() {
                continue;
            }
            let halves = self.handshake(sender, send, handshake, action.clone(), (me, id, receive));
            let mut moved = Truth::constant(false);
            for (mut attempt, sent) in halves {
                attempt.action = attempt.action.restricted(&allowed);
                moved = moved.or(&attempt.action.moved());
                self.check_choices(&mut attempt.action, sender, me, id, (before, &rules.moved));
                attempt.action = with_failures(attempt.action, sent, &allowed).restricted(&there);
                attempts.push(attempt);
            }
            rules.note(receive, &moved);
        }
        attempts
    }

    /// Processes that must not have a choice.
    fn check_choices(
        &self,
        action: &mut Action,
        sender: &Actor<'_>,
        receiver: (Slot, ProcessTypeId),
        id: EdgeId,
        (sent, received): (&Truth, &Truth),
    ) {
        if self.process(receiver.1).deterministic {
            self.actor(receiver, id).fail(action, Trouble::Nondeterminism, received);
        }
        if self.process(sender.me.1).deterministic {
            sender.fail(action, Trouble::Nondeterminism, sent);
        }
    }

    /// Both halves, and what the sender does wrong in each.
    fn handshake(
        &self,
        sender: &Actor<'_>,
        send: &Edge,
        handshake: &Handshake,
        action: Action,
        (me, id, receive): ((Slot, ProcessTypeId), EdgeId, &Edge),
    ) -> Vec<(Attempt, Vec<Wrong>)> {
        let action = match send.target {
            Some(target) => sender.forget(sender.arrive(action, target), send),
            None => action,
        };
        let action = sender.check_exclusive(action, Direction::Send, handshake.row);
        let mut action = sender.observe(action, Direction::Send, handshake.row, &handshake.message);
        let sent = std::mem::take(&mut action.failures);
        let actor = Actor { handshake: Some(handshake), ..self.actor(me, id) };
        let name = self.name(sender.me.0, sender.edge, send);
        let note = self.note(sender, send);
        let attempts = self.alone_plain(actor, receive, action).into_iter().map(|it| {
            let (name, note) = (format!("{name}_{}", it.name), format!("{note} + {}", it.note));
            (Attempt { name, note, ..it }, sent.clone())
        });
        attempts.collect()
    }

    /// The second half, whoever else could have been there.
    fn alone_plain(&self, actor: Actor<'_>, edge: &Edge, action: Action) -> Vec<Attempt> {
        let mut attempts = self.alone(actor, edge, action, &Truth::constant(false));
        attempts.retain(|it| it.action.moved().known() != Some(false));
        attempts
    }

    /// Whether an edge could be the second half of a rendezvous on a channel.
    fn could_receive(&self, process: &ProcessType, edge: &Edge, me: (Slot, ProcessTypeId), row: usize) -> bool {
        if !begins_with_receive(process, edge) {
            return false;
        }
        let Some(Effect::Receive { channel, .. }) = edge.effects.first() else { return true };
        let none = Changes::new();
        let view = View { world: self.world, changes: &none, me: Some(me), timeout: self.late, spawned: None };
        let mut faults = Faults::default();
        view.channel_faults(channel, &Truth::constant(true), &mut faults);
        !faults.any.is_false() || view.channels(channel).iter().any(|it| it.0 == row)
    }

    // What was found.

    fn add(&mut self, slot: Slot, here: &Truth, attempt: Attempt) {
        let moved = attempt.action.moved();
        let Attempt { name, note, action, alone } = attempt;
        for (trouble, ty, edge, condition) in action.failures {
            self.wrong(slot, here, (trouble, ty, edge, condition.and(&moved)), false);
        }
        for wrong in action.faults {
            self.wrong(slot, here, wrong, true);
        }
        for need in action.needs {
            let condition = here.and(&need);
            self.steps.needs.push(condition.clone());
            self.fault(slot, condition);
        }
        let possible = here.and(&action.possible);
        if !possible.is_false() {
            let late = if self.late { "_timeout" } else { "" };
            let name = format!("{name}{late}");
            let (can, is_late) = (String::new(), self.late);
            self.steps.list.push(Step { name, can, possible, changes: action.changes, alone, slot, note, is_late });
        }
    }

    fn wrong(&mut self, slot: Slot, here: &Truth, (trouble, ty, edge, condition): Wrong, is_fault: bool) {
        let condition = here.and(&condition);
        if condition.is_false() {
            return;
        }
        self.steps.errors.entry((trouble, ty, edge)).or_default().push(condition.clone());
        if is_fault {
            self.fault(slot, condition);
        }
    }

    fn fault(&mut self, slot: Slot, condition: Truth) {
        self.steps.faults.push((String::new(), slot, self.late, condition));
    }

    // Timeouts.

    /// Whether a timeout can make a step of a location possible.
    fn is_late(&self, point: Point) -> bool {
        let process = self.process(point.ty);
        process.outgoing(point.location).any(|(_, edge)| self.is_late_edge(process, edge))
    }

    fn is_late_edge(&self, process: &ProcessType, edge: &Edge) -> bool {
        let regions = || edge.effects.iter().filter_map(Effect::entry);
        let inside = || regions().any(|entry| region(process, entry).into_iter().any(asks_late));
        let anybody = || self.world.model().processes.iter().flat_map(|it| &it.edges).any(receives_late);
        let sends = || matches!(edge.effects.first(), Some(Effect::Send { .. })) && anybody();
        let provided = self.world.model().processes.iter().filter_map(|it| it.provided.as_ref()).any(asks);
        provided || asks_late(edge) || inside() || sends()
    }
}

/// What the sender does wrong counts where the receiver gets through or fails.
fn with_failures(mut action: Action, sent: Vec<Wrong>, allowed: &Truth) -> Action {
    action.failures.extend(sent.into_iter().map(|(trouble, ty, edge, it)| (trouble, ty, edge, it.and(allowed))));
    action
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

/// Whether some step waits until nothing else can move.
pub fn has_timeout(world: &World<'_>) -> bool {
    let processes = &world.model().processes;
    let provided = processes.iter().filter_map(|it| it.provided.as_ref()).any(asks);
    provided || processes.iter().flat_map(|it| &it.edges).any(asks_late)
}

/// Whether an expression asks whether nothing else can move.
pub fn asks(expr: &Expr) -> bool {
    expr.any(&|it| *it == Expr::Timeout)
}

/// Whether an edge asks that.
pub fn asks_late(edge: &Edge) -> bool {
    let mut found = asks(&edge.guard);
    edge.effects.iter().for_each(|effect| effect_expressions(effect, &mut |expr| found |= asks(expr)));
    found
}

/// Whether a timeout can make the second half of a rendezvous possible.
fn receives_late(edge: &Edge) -> bool {
    matches!(edge.effects.first(), Some(Effect::Receive { .. } | Effect::Indivisible(_))) && asks_late(edge)
}

/// Per process type and location: whether a process can come there and go on alone.
pub fn kept(process: &ProcessType) -> Vec<LocationId> {
    process.edges.iter().filter(|it| it.keeps_control).filter_map(|it| it.target).collect()
}
