//! Every step out of a state.
use super::eval::View;
use super::execute::{Execution, Handshake, Progress};
use super::{Event, Failure, FailureKind, Fault, Semantics, State};
use crate::{Direction, Edge, EdgeId, Effect, Expr, LocationId, ProcessType};

/// Who did what.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Step {
    /// The process.
    pub process: u8,
    /// Its edge.
    pub edge: EdgeId,
    /// In a rendezvous, the receiver and its edge.
    pub partner: Option<(u8, EdgeId)>,
}

/// A step out of a state.
#[derive(Clone, Copy, Debug)]
pub struct Move<'a> {
    /// Who did what.
    pub step: Step,
    /// Where it leads; `None` after a fault.
    pub next: Option<&'a State>,
    /// What went wrong.
    pub failures: &'a [Failure],
    /// What happened in it, if somebody listens ([`Semantics::listening`]).
    pub events: &'a [Event],
}

/// Whether a step happened, or which fault it met at which edge.
type Outcome = Result<Progress, (Fault, EdgeId)>;

/// Called for every step.
type Visit<'v> = &'v mut dyn FnMut(Move<'_>);

impl Semantics<'_> {
    /// Visits every step out of `state`, always in the same order; false if there is none.
    pub fn moves(&self, state: &State, visit: Visit<'_>) -> bool {
        let mut search = Moves::new(self, state, 0);
        if let Some(process) = state.exclusive {
            return search.of_process(process as usize, visit);
        }
        search.of_everybody(visit) || (self.has_timeout && search.after_timeout(visit))
    }

    /// Takes the right to go on alone from the process that has it and cannot use it.
    pub fn release(&self, state: &mut State) {
        state.exclusive = None;
    }

    /// Whether a process has a step, whatever the others do first; a fault if that depends on the answer.
    pub(super) fn can_move(&self, state: &State, process: usize, timeout: bool, asking: usize) -> Result<bool, Fault> {
        let mut search = Moves { timeout, ..Moves::new(self, state, asking) };
        let mut circular = false;
        let moved = search.edges(process, &mut |it| {
            circular |= it.failures.iter().any(|failure| failure.kind == FailureKind::Fault(Fault::EnabledSelf));
        });
        if circular { Err(Fault::EnabledSelf) } else { Ok(moved) }
    }
}

/// The steps out of one state, under one assumption about timeout.
struct Moves<'a> {
    system: &'a Semantics<'a>,
    state: &'a State,
    timeout: bool,
    asking: usize,
    /// The successor in the making; kept for its memory.
    next: State,
    failures: Vec<Failure>,
    events: Vec<Event>,
}

impl<'a> Moves<'a> {
    fn new(system: &'a Semantics<'a>, state: &'a State, asking: usize) -> Self {
        let (next, failures, events) = (State::default(), Vec::new(), Vec::new());
        Moves { system, state, timeout: false, asking, next, failures, events }
    }

    /// Forgets what another attempt has done.
    fn begin(&mut self) {
        self.failures.clear();
        self.events.clear();
    }

    fn of_everybody(&mut self, visit: Visit<'_>) -> bool {
        let mut any = false;
        for process in (0..self.state.process_count()).rev() {
            any |= self.of_process(process, visit);
        }
        any
    }

    fn after_timeout(&mut self, visit: Visit<'_>) -> bool {
        self.timeout = true;
        self.of_everybody(visit)
    }

    fn of_process(&mut self, process: usize, visit: Visit<'_>) -> bool {
        match self.may_move(process) {
            Ok(may) => may && self.edges(process, visit),
            Err(fault) => {
                let edge = EdgeId(self.graph(process).location(self.state.location_of(process)).first_edge);
                let step = Step { process: process as u8, edge, partner: None };
                self.begin();
                self.report(step, Err((fault, edge)), false, process, false, visit)
            }
        }
    }

    /// The edges of one process, in order, with the rules of groups and of `otherwise`.
    fn edges(&mut self, process: usize, visit: Visit<'_>) -> bool {
        let graph = self.graph(process);
        let mut moved = false;
        let mut group = 0;
        for (id, edge) in graph.outgoing(self.state.location_of(process)) {
            if group > 0 && edge.group != group {
                break;
            }
            if edge.otherwise && moved {
                continue;
            }
            if self.edge(process, id, edge, moved, visit) {
                moved = true;
                group = edge.group;
            }
        }
        moved
    }

    fn graph(&self, process: usize) -> &'a ProcessType {
        self.system.model.process(self.state.type_of(process))
    }

    fn view(&self, me: usize) -> View<'_> {
        View { system: self.system, state: self.state, me, timeout: self.timeout, spawned: 0, asking: self.asking }
    }

    /// Its `provided` condition holds, and nobody of higher priority can move.
    fn may_move(&self, process: usize) -> Result<bool, Fault> {
        let layout = &self.system.layout;
        let priority = self.state.priority_of(process, layout);
        let preempts = |other: usize| {
            self.state.priority_of(other, layout) > priority
                && self.is_provided(other) == Ok(true)
                && self.system.can_move(self.state, other, self.timeout, self.asking) == Ok(true)
        };
        let preempted = layout.priorities && (0..self.state.process_count()).any(preempts);
        Ok(!preempted && self.is_provided(process)?)
    }

    fn is_provided(&self, process: usize) -> Result<bool, Fault> {
        self.graph(process).provided.as_ref().map_or(Ok(true), |it| self.view(process).test(it))
    }

    /// Tries one edge; true if there was a step.
    fn edge(&mut self, process: usize, id: EdgeId, edge: &Edge, choice: bool, visit: Visit<'_>) -> bool {
        let step = Step { process: process as u8, edge: id, partner: None };
        self.begin();
        let outcome = match self.rendezvous(process, edge) {
            Ok(None) => {
                self.next.copy_from(self.state);
                self.take(process, id, None)
            }
            Ok(Some(handshake)) => return self.send_handshake(step, edge, handshake, choice, visit),
            Err(fault) => Err((fault, id)),
        };
        self.report(step, outcome, edge.keeps_control, process, choice, visit)
    }

    /// The message to be handed over, if the edge sends to a rendezvous channel.
    fn rendezvous(&self, process: usize, edge: &Edge) -> Result<Option<Handshake>, Fault> {
        let Some(Effect::Send { channel, message, .. }) = edge.effects.first() else { return Ok(None) };
        let view = self.view(process);
        let channel = view.channel(channel)?;
        if view.shape(channel).capacity > 0 {
            return Ok(None);
        }
        Ok(Some(Handshake { channel, message: view.new_message(channel, message)? }))
    }

    fn take(&mut self, me: usize, id: EdgeId, handshake: Option<&Handshake>) -> Outcome {
        let process = self.state.type_of(me);
        let mut execution = Execution {
            system: self.system,
            state: &mut self.next,
            me,
            timeout: self.timeout,
            spawned: 0,
            asking: self.asking,
            handshake,
            failures: &mut self.failures,
            events: &mut self.events,
            process,
            edge: id,
        };
        execution.take(id).map_err(|fault| (fault, execution.edge))
    }

    /// Hands a step to the visitor; `mover` is who moved last.
    fn report(
        &mut self,
        step: Step,
        outcome: Outcome,
        keeps_control: bool,
        mover: usize,
        choice: bool,
        visit: Visit<'_>,
    ) -> bool {
        if outcome == Ok(Progress::Blocked) {
            return false;
        }
        if let Err((fault, edge)) = outcome {
            let process = self.state.type_of(mover);
            self.failures.push(Failure { kind: FailureKind::Fault(fault), process, edge });
            visit(Move { step, next: None, failures: &self.failures, events: &self.events });
            return true;
        }
        if choice && self.graph(step.process as usize).deterministic {
            let process = self.state.type_of(step.process as usize);
            self.failures.push(Failure { kind: FailureKind::Nondeterminism, process, edge: step.edge });
        }
        self.next.exclusive = keeps_control.then_some(mover as u8);
        if let Some(at) = self.system.layout.last_mover {
            self.next.bytes[at as usize] = mover as u8;
        }
        visit(Move { step, next: Some(&self.next), failures: &self.failures, events: &self.events });
        true
    }

    /// The first half of a rendezvous, and every second half that fits.
    fn send_handshake(
        &mut self,
        step: Step,
        edge: &Edge,
        handshake: Handshake,
        choice: bool,
        visit: Visit<'_>,
    ) -> bool {
        let sender = step.process as usize;
        let mut any = false;
        for receiver in (0..self.state.process_count()).rev().filter(|&it| it != sender) {
            if self.is_provided(receiver) == Ok(true) {
                any |= self.receive_handshake(step, edge, receiver, &handshake, choice, visit);
            }
        }
        any
    }

    fn receive_handshake(
        &mut self,
        send: Step,
        edge: &Edge,
        receiver: usize,
        handshake: &Handshake,
        choice: bool,
        visit: Visit<'_>,
    ) -> bool {
        let graph = self.graph(receiver);
        let (mut any, mut group) = (false, 0);
        for (id, receive) in graph.outgoing(self.state.location_of(receiver)) {
            if group > 0 && receive.group != group {
                break;
            }
            if !begins_with_receive(graph, receive) {
                continue;
            }
            self.prepare_handshake(send, edge, handshake);
            let outcome = self.take(receiver, id, Some(handshake));
            if any && graph.deterministic && outcome == Ok(Progress::Done) {
                let process = self.state.type_of(receiver);
                self.failures.push(Failure { kind: FailureKind::Nondeterminism, process, edge: id });
            }
            let step = Step { partner: Some((receiver as u8, id)), ..send };
            if self.report(step, outcome, receive.keeps_control, receiver, choice, visit) {
                (any, group) = (true, receive.group);
            }
        }
        any
    }

    /// The state between the two halves.
    fn prepare_handshake(&mut self, send: Step, edge: &Edge, handshake: &Handshake) {
        let sender = send.process as usize;
        self.begin();
        self.next.copy_from(self.state);
        edge.target.into_iter().for_each(|target| self.next.set_location(sender, target));
        self.system.forget(&mut self.next, sender, edge);
        let process = self.state.type_of(sender);
        let mut execution = Execution {
            system: self.system,
            state: &mut self.next,
            me: sender,
            timeout: self.timeout,
            spawned: 0,
            asking: self.asking,
            handshake: None,
            failures: &mut self.failures,
            events: &mut self.events,
            process,
            edge: send.edge,
        };
        execution.check_exclusive(Direction::Send, handshake.channel);
        execution.observe(Direction::Send, handshake.channel, &handshake.message);
        execution.tell(Direction::Send, handshake.channel, Some(0), &handshake.message, false);
    }
}

/// Whether an edge could be the second half of a rendezvous.
fn begins_with_receive(graph: &ProcessType, edge: &Edge) -> bool {
    match edge.effects.first() {
        Some(Effect::Receive { .. }) => true,
        Some(Effect::Indivisible(entry)) => region_begins_with_receive(graph, *entry),
        _ => false,
    }
}

fn region_begins_with_receive(graph: &ProcessType, entry: LocationId) -> bool {
    graph
        .outgoing(entry)
        .any(|(_, edge)| edge.guard == Expr::TRUE && matches!(edge.effects.first(), Some(Effect::Receive { .. })))
}
