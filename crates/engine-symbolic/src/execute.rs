//! What the effects of a step do, for all states at once: `model::semantics::execute`.
use std::collections::BTreeMap;

use diagram::Function;
use model::semantics::MOST_AT_ONCE;
use model::{Direction, Edge, EdgeId, Effect, Expr, Initial, LocationId, Pattern, Place, PrintPart, ProcessTypeId};

use crate::case::{Case, Notes, Outcome, merge};
use crate::cell::{Cell, ChannelRow, Domain, Owner, Slot};
use crate::encoding::Encoding;
use crate::eval::View;
use crate::guess::{Missing, Need};
use crate::layout::{channel_count, is_hidden};
use crate::number::Number;
use crate::split;
use crate::stop::Result;
use crate::trouble::{Faults, Trouble};

/// Rounds inside an indivisible region after which more are missing.
const ROUNDS: usize = 2_000;

/// A message that waits for the other half of a rendezvous.
pub struct Handshake {
    /// The channel.
    pub row: ChannelRow,
    /// The fields, as functions of the state in which the step begins.
    pub message: Vec<Number>,
}

/// A step in the making.
pub struct Execution<'a> {
    /// The cells.
    pub encoding: &'a Encoding<'a>,
    /// Who moves.
    pub me: (Slot, ProcessTypeId),
    /// Whether nothing else can move.
    pub timeout: bool,
    /// The message to be received, when this is the second half of a rendezvous.
    pub handshake: Option<&'a Handshake>,
    /// The edge that is taken, the inner one inside an indivisible region.
    pub edge: EdgeId,
    /// Inside an indivisible region.
    pub inside: bool,
    /// What else there is to say.
    pub notes: Notes,
}

impl<'a> Execution<'a> {
    /// The view of the process in a case.
    pub fn view<'v>(&'v self, case: &'v Case) -> View<'v> {
        View {
            encoding: self.encoding,
            changes: &case.changes,
            me: Some(self.me),
            timeout: self.timeout,
            spawned: case.spawned.as_ref(),
        }
    }

    fn faults(&self) -> Faults {
        Faults::new(self.encoding.constant(false))
    }

    /// The case without the states in which something has no value; those are noted.
    fn settle(&mut self, case: Case, faults: Faults) -> Result<Case> {
        if faults.list.is_empty() {
            return Ok(case);
        }
        for (trouble, condition) in faults.list {
            self.notes.faults.push((trouble, self.edge, condition.and(&case.condition)?));
        }
        case.outside(&faults.any)
    }

    fn eval(&mut self, case: Case, expr: &Expr) -> Result<(Case, Number)> {
        let mut faults = self.faults();
        let value = self.view(&case).eval(expr, &case.condition, &mut faults)?;
        Ok((self.settle(case, faults)?, value))
    }

    /// The case where an expression is true, and where it is not.
    fn test(&mut self, case: Case, expr: &Expr) -> Result<(Case, Case)> {
        let (case, value) = self.eval(case, expr)?;
        let condition = self.encoding.numbers().is_true(&value)?;
        Ok((case.within(&condition)?, case.outside(&condition)?))
    }

    /// Notes that a step goes wrong, though it goes on.
    pub fn fail(&mut self, trouble: Trouble, condition: Function) {
        if !condition.is_false() {
            self.notes.failures.push((trouble, self.edge, condition));
        }
    }

    fn span(&self) -> text::Span {
        self.graph().edge(self.edge).span
    }

    fn graph(&self) -> &'a model::ProcessType {
        self.encoding.model.process(self.me.1)
    }

    /// Takes an edge: guard, effects, and the move to its target.
    pub fn take(&mut self, id: EdgeId, case: Case) -> Result<Outcome> {
        let edge = self.graph().edge(id);
        self.edge = id;
        let mut outcome = Outcome::default();
        let mut cases = Vec::new();
        for case in split::by_index(self, edge, case)? {
            let (yes, no) = self.test(case, &edge.guard)?;
            outcome.blocked(no);
            cases.push(yes);
        }
        for effect in &edge.effects {
            let mut next = Vec::new();
            for case in cases.into_iter().filter(|it| !it.is_empty()) {
                let Outcome { done, blocked } = self.effect(effect, edge.target, case)?;
                next.extend(done);
                outcome.blocked.extend(blocked);
            }
            cases = next;
        }
        for case in cases {
            outcome.done(self.arrive(edge, case)?);
        }
        Ok(outcome)
    }

    /// The process is at the target of an edge and forgets what it should.
    fn arrive(&mut self, edge: &Edge, case: Case) -> Result<Case> {
        let Some(target) = edge.target else { return Ok(case) };
        let region = matches!(edge.effects.last(), Some(Effect::Indivisible(_)));
        let case = if self.inside || region { case } else { self.move_to(target, case) };
        self.forget(edge, case)
    }

    /// The process is at a location.
    pub fn move_to(&self, target: LocationId, mut case: Case) -> Case {
        let cell = Cell::Location(self.me.0);
        if let Some(code) = self.encoding.layout.code(self.me.0, (self.me.1, target)) {
            case.changes.insert(cell, self.encoding.code(cell, code));
        }
        case
    }

    /// Variables that nobody will look at become 0.
    pub fn forget(&mut self, edge: &Edge, mut case: Case) -> Result<Case> {
        for &variable in &edge.forgets {
            for element in 0..self.graph().variables[variable.0 as usize].elements() as u32 {
                let cell = Cell::Variable(Owner::Process(self.me.0, self.me.1), variable, element);
                case = self.write(case, cell, &self.encoding.numbers().constant(0), None)?;
            }
        }
        Ok(case)
    }

    fn effect(&mut self, effect: &Effect, target: Option<LocationId>, case: Case) -> Result<Outcome> {
        let done = match effect {
            Effect::Assign(place, value) => {
                let (case, value) = self.eval(case, value)?;
                self.store(case, place, &value)?
            }
            Effect::Evaluate(expr) => vec![self.eval(case, expr)?.0],
            Effect::Require(expr) => {
                let (yes, no) = self.test(case, expr)?;
                let mut outcome = Outcome::default();
                outcome.done(yes);
                outcome.blocked(no);
                return Ok(outcome);
            }
            Effect::Send { channel, message, sorted } => return self.send(case, channel, message, *sorted),
            Effect::Receive { channel, patterns, anywhere, keep } => {
                return self.receive(case, channel, patterns, *anywhere, *keep);
            }
            Effect::Assert(condition) => {
                let (mut yes, no) = self.test(case, condition)?;
                self.fail(Trouble::Assertion, no.condition.clone());
                yes.condition = yes.condition.or(&no.condition)?;
                vec![yes]
            }
            Effect::Print(parts) => vec![self.print(case, parts)?],
            Effect::Spawn { process, arguments, .. } => self.spawn(case, *process, arguments)?,
            // Refused before.
            Effect::SetPriority(..) => vec![case],
            Effect::Indivisible(entry) => return self.indivisible(*entry, target, case),
            Effect::Terminate => return self.terminate(case),
        };
        Ok(Outcome { done: done.into_iter().filter(|it| !it.is_empty()).collect(), blocked: Vec::new() })
    }

    fn print(&mut self, mut case: Case, parts: &[PrintPart]) -> Result<Case> {
        for part in parts {
            if let PrintPart::Value(_, expr) | PrintPart::Name(_, expr) = part {
                case = self.eval(case, expr)?.0;
            }
        }
        Ok(case)
    }

    // Variables.

    /// Stores a value. Outside of indivisible regions every element of an array is a case of its own, so that a step touches only one.
    fn store(&mut self, case: Case, place: &Place, value: &Number) -> Result<Vec<Case>> {
        let mut faults = self.faults();
        let (elements, ty, owner, hidden) = {
            let view = self.view(&case);
            let (owner, variable) = view.declared(place);
            let elements = view.elements(variable, &place.indices, &case.condition, &mut faults)?;
            (elements, variable.ty, owner, is_hidden(owner, variable))
        };
        let case = self.settle(case, faults)?;
        if hidden {
            return Ok(vec![case]);
        }
        let value = self.encoding.numbers().truncate(value, ty);
        if elements.len() == 1 {
            return Ok(vec![self.write(case, Cell::Variable(owner, place.variable, elements[0].0), &value, None)?]);
        }
        if self.inside {
            let mut case = case;
            for (element, here) in elements {
                case = self.write(case, Cell::Variable(owner, place.variable, element), &value, Some(&here))?;
            }
            return Ok(vec![case]);
        }
        let each = elements.into_iter().map(|(element, here)| {
            self.write(case.within(&here)?, Cell::Variable(owner, place.variable, element), &value, None)
        });
        each.collect()
    }

    /// Writes a cell, only where a condition holds if there is one.
    fn write(&mut self, mut case: Case, cell: Cell, value: &Number, only: Option<&Function>) -> Result<Case> {
        let (mut bits, mut missing) = self.encoding.coded(cell, value)?;
        if let Some(only) = only {
            let old = self.encoding.bits(&case.changes, cell)?;
            let chosen = bits.iter().zip(&old).map(|(new, old)| Ok(only.if_then_else(new, old)?));
            bits = chosen.collect::<Result<_>>()?;
            missing = missing.and(only)?;
        }
        case.changes.insert(cell, bits);
        let missing = missing.and(&case.condition)?;
        if missing.is_false() {
            return Ok(case);
        }
        let listed = matches!(self.encoding.layout.cells[&cell], Domain::Listed(_));
        let kind = self.encoding.layout.kind(cell).filter(|_| !listed);
        let what = kind.map_or(Missing::Value(cell), Missing::Domain);
        self.notes.need(Need { missing: what, span: self.span() }, &missing)?;
        case.outside(&missing)
    }

    // Processes.

    fn spawn(&mut self, mut case: Case, ty: ProcessTypeId, arguments: &[Expr]) -> Result<Vec<Case>> {
        let mut values = Vec::new();
        for argument in arguments {
            let value;
            (case, value) = self.eval(case, argument)?;
            values.push(value);
        }
        let mut list = Vec::new();
        let mut below = self.encoding.constant(true);
        for slot in 0..=self.encoding.layout.slots() {
            let exists = self.encoding.exists(&case.changes, slot)?;
            let free = case.within(&below.minus(&exists)?)?;
            below = exists;
            if free.is_empty() {
                continue;
            }
            if slot == MOST_AT_ONCE {
                self.notes.faults.push((Trouble::TooManyProcesses, self.edge, free.condition));
            } else if self.encoding.layout.types.get(slot).is_some_and(|it| it.contains(&ty)) {
                list.push(self.spawn_in(free, slot, ty, &values)?);
            } else {
                let need = Need { missing: Missing::Process(slot, ty), span: self.span() };
                self.notes.need(need, &free.condition)?;
            }
        }
        Ok(list)
    }

    /// A new process in a slot that is free, so that all its cells are 0.
    fn spawn_in(&mut self, mut case: Case, slot: Slot, ty: ProcessTypeId, arguments: &[Number]) -> Result<Case> {
        let (encoding, owner) = (self.encoding, Owner::Process(slot, ty));
        case = self.count_channels(case, slot, ty)?;
        let process = encoding.model.process(ty);
        let cell = Cell::Location(slot);
        let code = encoding.layout.code(slot, (ty, process.entry)).expect("a process can be at its entry");
        case.changes.insert(cell, encoding.code(cell, code));
        case.spawned = Some(encoding.numbers().constant(slot as i32));
        let zero = encoding.numbers().constant(0);
        for cell in encoding.layout.cells_of(owner) {
            if let Cell::Variable(_, id, element) = cell {
                let given = if element == 0 { arguments.get(id.0 as usize) } else { None };
                let value = encoding.numbers().truncate(given.unwrap_or(&zero), process.variables[id.0 as usize].ty);
                // What is listed may not have 0 in the first place.
                if given.is_some() || matches!(encoding.layout.cells[&cell], Domain::Listed(_)) {
                    case = self.write_first(case, cell, &value, process, id)?;
                }
            }
        }
        let mut channels = encoding.layout.channels_of(owner);
        for (row, variable) in process.variables.iter().enumerate() {
            for element in 0..variable.elements() as u32 {
                let value = match &variable.initial {
                    Initial::Zero => break,
                    Initial::Values(values) => {
                        let expr = &values[(element as usize).min(values.len() - 1)];
                        let value;
                        (case, value) = self.first_value(case, expr, (slot, ty))?;
                        value
                    }
                    Initial::Channels(_) => {
                        let row = channels.next().expect("the layout has every channel");
                        encoding.channel_number(&case.changes, row)?
                    }
                };
                let cell = Cell::Variable(owner, model::VariableId(row as u32), element);
                case = self.write(case, cell, &encoding.numbers().truncate(&value, variable.ty), None)?;
            }
        }
        Ok(case)
    }

    /// More channels than can exist are a fault.
    fn count_channels(&mut self, case: Case, slot: Slot, ty: ProcessTypeId) -> Result<Case> {
        let (numbers, own) = (self.encoding.numbers(), channel_count(self.encoding.model, ty) as i32);
        if own == 0 {
            return Ok(case);
        }
        let all = numbers.add(&self.encoding.channels_below(&case.changes, slot)?, &numbers.constant(own))?;
        let mut faults = self.faults();
        faults.add(Trouble::TooManyChannels, &numbers.less(&numbers.constant(MOST_AT_ONCE as i32), &all)?)?;
        self.settle(case, faults)
    }

    /// What a variable holds before its own first value is computed; if that comes at once, nobody sees the difference.
    fn write_first(
        &mut self,
        case: Case,
        cell: Cell,
        value: &Number,
        process: &model::ProcessType,
        id: model::VariableId,
    ) -> Result<Case> {
        let starts_later = !matches!(process.variables[id.0 as usize].initial, Initial::Zero);
        if starts_later { Ok(case) } else { self.write(case, cell, value, None) }
    }

    fn first_value(&mut self, case: Case, expr: &Expr, new: (Slot, ProcessTypeId)) -> Result<(Case, Number)> {
        let mut faults = self.faults();
        let view = View { me: Some(new), timeout: false, spawned: None, ..self.view(&case) };
        let value = view.eval(expr, &case.condition, &mut faults)?;
        Ok((self.settle(case, faults)?, value))
    }

    fn terminate(&mut self, case: Case) -> Result<Outcome> {
        let (slot, ty) = self.me;
        let younger = self.encoding.exists(&case.changes, slot + 1)?;
        let mut outcome = Outcome::default();
        outcome.blocked(case.within(&younger)?);
        let mut case = case.outside(&younger)?;
        let cells = self.encoding.layout.cells_of(Owner::Process(slot, ty));
        for cell in cells.into_iter().chain([Cell::Location(slot)]) {
            case.changes.insert(cell, self.encoding.code(cell, 0));
        }
        outcome.done(case);
        Ok(outcome)
    }

    // Indivisible regions.

    /// All states go round together; each takes the first edge that is possible.
    fn indivisible(&mut self, entry: LocationId, target: Option<LocationId>, case: Case) -> Result<Outcome> {
        let outer = self.edge;
        let mut outcome = Outcome::default();
        let mut active = vec![(entry, case)];
        self.inside = true;
        for round in 0..ROUNDS {
            let mut next: BTreeMap<LocationId, Vec<Case>> = BTreeMap::new();
            for (here, case) in active {
                let left = self.first_possible(here, case, &mut next, &mut outcome.done)?;
                match round {
                    0 => outcome.blocked.extend(left),
                    _ => self.blocked_inside(here, left)?,
                }
            }
            self.handshake = None;
            active = Vec::new();
            for (here, cases) in next {
                active.extend(merge(self.encoding, cases)?.into_iter().map(|case| (here, case)));
            }
            if active.is_empty() {
                break;
            }
        }
        self.inside = false;
        self.edge = outer;
        for (_, case) in active {
            self.notes.need(Need { missing: Missing::Rounds, span: self.span() }, &case.condition)?;
        }
        let done = merge(self.encoding, outcome.done)?;
        outcome.done = done.into_iter().map(|case| target.map_or(case.clone(), |it| self.move_to(it, case))).collect();
        Ok(outcome)
    }

    /// Takes the first edge that is possible in each state; returns the cases in which none is.
    fn first_possible(
        &mut self,
        here: LocationId,
        case: Case,
        next: &mut BTreeMap<LocationId, Vec<Case>>,
        finished: &mut Vec<Case>,
    ) -> Result<Vec<Case>> {
        let graph = self.graph();
        let mut left = vec![case];
        for (id, edge) in graph.outgoing(here) {
            if self.handshake.is_some() && !matches!(edge.effects.first(), Some(Effect::Receive { .. })) {
                continue;
            }
            let mut waiting = Vec::new();
            for case in left {
                let Outcome { done, blocked } = self.take(id, case)?;
                waiting.extend(blocked);
                match edge.target.filter(|it| graph.location(*it).internal) {
                    Some(target) => next.entry(target).or_default().extend(done),
                    None => finished.extend(done),
                }
            }
            left = waiting;
        }
        Ok(left)
    }

    fn blocked_inside(&mut self, here: LocationId, left: Vec<Case>) -> Result<()> {
        let edge = EdgeId(self.graph().location(here).first_edge);
        self.notes.faults.extend(left.into_iter().map(|it| (Trouble::BlockedInside, edge, it.condition)));
        Ok(())
    }

    // Messages.

    /// The cases of the channels that an expression can name.
    fn by_channel(&mut self, case: Case, channel: &Expr) -> Result<Vec<(ChannelRow, Case)>> {
        let mut faults = self.faults();
        let channels = self.view(&case).channels(channel, &case.condition, &mut faults)?;
        let case = self.settle(case, faults)?;
        let mut list = Vec::new();
        for (row, here) in channels {
            let case = case.within(&here)?;
            list.extend(Some((row, case)).filter(|it| !it.1.is_empty()));
        }
        Ok(list)
    }

    fn send(&mut self, case: Case, channel: &Expr, message: &[Expr], sorted: bool) -> Result<Outcome> {
        let mut outcome = Outcome::default();
        for (row, case) in self.by_channel(case, channel)? {
            if self.view(&case).capacity(row) == 0 {
                self.notes.faults.push((Trouble::RendezvousInside, self.edge, case.condition));
                continue;
            }
            let full = self.view(&case).is_full(row)?;
            outcome.blocked(case.within(&full)?);
            let (case, fields) = self.new_message(case.outside(&full)?, row, message)?;
            self.check_exclusive(Direction::Send, row, &case)?;
            let case = self.observe(Direction::Send, row, &fields, case)?;
            for case in self.insert(case, row, &fields, sorted)? {
                outcome.done(case);
            }
        }
        Ok(outcome)
    }

    /// The fields of a message as the channel keeps them.
    pub fn new_message(&mut self, mut case: Case, row: ChannelRow, values: &[Expr]) -> Result<(Case, Vec<Number>)> {
        let fields = &self.encoding.model.shape(self.encoding.layout.channels[row].shape).fields;
        let mut message = Vec::new();
        if values.len() != fields.len() {
            self.notes.faults.push((Trouble::MessageLength, self.edge, case.condition.clone()));
            case.condition = self.encoding.constant(false);
            return Ok((case, message));
        }
        for (&field, value) in fields.iter().zip(values) {
            let value_of_field;
            (case, value_of_field) = self.eval(case, value)?;
            message.push(self.encoding.numbers().truncate(&value_of_field, field));
        }
        Ok((case, message))
    }

    fn insert(&mut self, case: Case, row: ChannelRow, message: &[Number], sorted: bool) -> Result<Vec<Case>> {
        let case = self.with_room(case, row)?;
        if case.is_empty() {
            return Ok(Vec::new());
        }
        if sorted || self.inside {
            return Ok(vec![self.insert_anywhere(case, row, message, sorted)?]);
        }
        // The place is known as soon as the length is.
        let length = self.view(&case).length(row)?;
        let mut list = Vec::new();
        for place in 0..self.view(&case).places(row) {
            let mut case = case.within(&self.encoding.numbers().is(&length, place as i32)?)?;
            if !case.is_empty() {
                case = self.write_message(case, row, place, message)?;
                list.push(self.set_length(case, row, &self.encoding.numbers().constant(place as i32 + 1))?);
            }
        }
        Ok(list)
    }

    /// The case where there is room for one more message.
    fn with_room(&mut self, case: Case, row: ChannelRow) -> Result<Case> {
        let places = self.view(&case).places(row);
        if places == self.view(&case).capacity(row) {
            return Ok(case);
        }
        let none_left = self.encoding.numbers().is(&self.view(&case).length(row)?, places as i32)?;
        let missing = Missing::Length(self.encoding.layout.channels[row].shape);
        self.notes.need(Need { missing, span: self.span() }, &none_left.and(&case.condition)?)?;
        case.outside(&none_left)
    }

    fn write_message(&mut self, mut case: Case, row: ChannelRow, place: u32, message: &[Number]) -> Result<Case> {
        for (field, value) in message.iter().enumerate() {
            case = self.write(case, Cell::Field(row, place, field as u32), value, None)?;
        }
        Ok(case)
    }

    fn set_length(&mut self, case: Case, row: ChannelRow, length: &Number) -> Result<Case> {
        self.write(case, Cell::Length(row), length, None)
    }

    /// Before the first greater message, or at the end; what comes after moves on.
    fn insert_anywhere(&mut self, case: Case, row: ChannelRow, message: &[Number], sorted: bool) -> Result<Case> {
        let numbers = self.encoding.numbers();
        let length = self.view(&case).length(row)?;
        let capacity = self.view(&case).places(row);
        let old: Vec<Vec<Number>> = (0..capacity).map(|it| self.view(&case).message(row, it)).collect::<Result<_>>()?;
        let mut inserted = self.encoding.constant(false);
        let mut changed = case;
        for place in 0..capacity as usize {
            let at_end = numbers.is(&length, place as i32)?;
            let exists = numbers.less(&numbers.constant(place as i32), &length)?;
            let greater = if sorted {
                self.is_greater(&old[place], message)?.and(&exists)?
            } else {
                self.encoding.constant(false)
            };
            let here = at_end.or(&greater)?.minus(&inserted)?;
            for (field, value) in message.iter().enumerate() {
                let stays = &old[place][field];
                let moved = if place > 0 { &old[place - 1][field] } else { stays };
                let new = numbers.choose(&inserted, moved, &numbers.choose(&here, value, stays)?)?;
                changed = self.write(changed, Cell::Field(row, place as u32, field as u32), &new, None)?;
            }
            inserted = inserted.or(&here)?;
        }
        let longer = numbers.add(&length, &numbers.constant(1))?;
        self.set_length(changed, row, &longer)
    }

    /// Where one message is greater than another: the first field that differs decides.
    fn is_greater(&self, one: &[Number], other: &[Number]) -> Result<Function> {
        let numbers = self.encoding.numbers();
        let mut greater = self.encoding.constant(false);
        for (one, other) in one.iter().zip(other).rev() {
            let same = numbers.equal(one, other)?;
            greater = numbers.less(other, one)?.or(&same.and(&greater)?)?;
        }
        Ok(greater)
    }

    fn receive(
        &mut self,
        case: Case,
        channel: &Expr,
        patterns: &[Pattern],
        anywhere: bool,
        keep: bool,
    ) -> Result<Outcome> {
        let mut outcome = Outcome::default();
        for (row, case) in self.by_channel(case, channel)? {
            let rendezvous = self.view(&case).capacity(row) == 0;
            match self.handshake {
                Some(handshake) if handshake.row != row => outcome.blocked(case),
                _ if keep && rendezvous => {
                    self.notes.faults.push((Trouble::RendezvousPoll, self.edge, case.condition));
                }
                Some(handshake) => self.receive_handshake(handshake, patterns, case, &mut outcome)?,
                None if rendezvous => outcome.blocked(case),
                None => self.receive_buffered(row, patterns, (anywhere, keep), case, &mut outcome)?,
            }
        }
        Ok(outcome)
    }

    fn receive_handshake(
        &mut self,
        handshake: &Handshake,
        patterns: &[Pattern],
        case: Case,
        outcome: &mut Outcome,
    ) -> Result<()> {
        let mut faults = self.faults();
        let hit = self.view(&case).matches(patterns, &handshake.message, &case.condition, &mut faults)?;
        if patterns.len() != handshake.message.len() {
            faults.add(Trouble::MessageLength, &hit)?;
        }
        let case = self.settle(case, faults)?;
        outcome.blocked(case.outside(&hit)?);
        let case = case.within(&hit)?;
        self.check_exclusive(Direction::Receive, handshake.row, &case)?;
        let case = self.observe(Direction::Receive, handshake.row, &handshake.message, case)?;
        for case in self.accept(case, patterns, &handshake.message)? {
            outcome.done(case);
        }
        Ok(())
    }

    fn receive_buffered(
        &mut self,
        row: ChannelRow,
        patterns: &[Pattern],
        (anywhere, keep): (bool, bool),
        case: Case,
        outcome: &mut Outcome,
    ) -> Result<()> {
        let mut faults = self.faults();
        let hits = self.view(&case).find(row, patterns, anywhere, true, &case.condition, &mut faults)?;
        let case = self.settle(case, faults)?;
        let mut rest = case.clone();
        for (place, hit) in hits {
            rest = rest.outside(&hit)?;
            let mut case = case.within(&hit)?;
            if case.is_empty() {
                continue;
            }
            let message = self.view(&case).message(row, place)?;
            self.check_exclusive(Direction::Receive, row, &case)?;
            if !keep {
                case = self.remove(case, row, place)?;
                case = self.observe(Direction::Receive, row, &message, case)?;
            }
            for case in self.accept(case, patterns, &message)? {
                outcome.done(case);
            }
        }
        outcome.blocked(rest);
        Ok(())
    }

    fn accept(&mut self, case: Case, patterns: &[Pattern], message: &[Number]) -> Result<Vec<Case>> {
        let mut cases = vec![case];
        for (pattern, value) in patterns.iter().zip(message) {
            if let Pattern::Store(place) = pattern {
                let mut next = Vec::new();
                for case in cases.into_iter().filter(|it| !it.is_empty()) {
                    next.extend(self.store(case, place, value)?);
                }
                cases = next;
            }
        }
        Ok(cases)
    }

    fn remove(&mut self, mut case: Case, row: ChannelRow, place: u32) -> Result<Case> {
        let numbers = self.encoding.numbers();
        let capacity = self.view(&case).places(row);
        let length = self.view(&case).length(row)?;
        for to in place..capacity {
            let moved = match to + 1 < capacity {
                true => self.view(&case).message(row, to + 1)?,
                false => vec![numbers.constant(0); self.view(&case).message(row, to)?.len()],
            };
            case = self.write_message(case, row, to, &moved)?;
        }
        let shorter = numbers.binary(model::BinaryOp::Sub, &length, &numbers.constant(1))?;
        self.set_length(case, row, &shorter)
    }

    /// Has somebody else declared this use of the channel his own?
    pub fn check_exclusive(&mut self, direction: Direction, row: ChannelRow, case: &Case) -> Result<()> {
        if !self.encoding.model.checks_exclusive() || case.is_empty() {
            return Ok(());
        }
        let (encoding, numbers) = (self.encoding, self.encoding.numbers());
        let mut broken = encoding.constant(false);
        for other in (0..encoding.layout.slots()).filter(|it| *it != self.me.0) {
            for &ty in &encoding.layout.types[other] {
                let is_one = encoding.has_type(&case.changes, other, ty)?.and(&case.condition)?;
                for declared in encoding.model.process(ty).exclusive.iter().filter(|it| it.direction == direction) {
                    let view = View { me: Some((other, ty)), ..self.view(case) };
                    let mut faults = self.faults();
                    let named = view.eval(&declared.channel, &is_one, &mut faults)?;
                    let same = numbers.equal(&named, &encoding.channel_number(&case.changes, row)?)?;
                    broken = broken.or(&is_one.and(&same)?.minus(&faults.any)?)?;
                }
            }
        }
        self.fail(Trouble::Exclusive, broken);
        Ok(())
    }
}
