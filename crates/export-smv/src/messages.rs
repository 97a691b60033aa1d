//! What happens to messages: sending, receiving, and the automaton that watches.
use engine_symbolic::{Cell, ChannelRow, Trouble};
use model::{Direction, Edge, Effect, Expr, LocationId, Monitor, Pattern};

use crate::action::{Action, Actor, Handshake};
use crate::faults::Faults;
use crate::term::{Operator, Truth, Word};
use crate::view::{Number, Value};

impl Actor<'_> {
    /// Goes on with each channel that an expression can name.
    fn by_channel(&self, action: Action, channel: &Expr, go_on: impl Fn(ChannelRow, Action) -> Action) -> Action {
        let mut faults = Faults::default();
        self.view(&action).channel_faults(channel, &Truth::constant(true), &mut faults);
        let channels = self.view(&action).channels(channel);
        let action = self.settle(action, faults);
        let branches = channels.into_iter().map(|(row, here)| {
            let branch = Action { faults: Vec::new(), failures: Vec::new(), needs: Vec::new(), ..action.clone() };
            (here.clone(), go_on(row, branch.within(&here)))
        });
        let branches = branches.collect();
        self.join(action, branches)
    }

    /// Wherever this would be done, it has no meaning.
    fn meaningless(&self, mut action: Action, trouble: Trouble) -> Action {
        action.faults.push((trouble, self.me.1, self.edge, action.possible.clone()));
        action.within(&Truth::constant(false))
    }

    /// Sends to a channel that holds messages.
    pub fn send(&self, action: Action, channel: &Expr, message: &[Expr], sorted: bool) -> Action {
        self.by_channel(action, channel, |row, action| {
            if self.view(&action).capacity(row) == 0 {
                return self.meaningless(action, Trouble::RendezvousInside);
            }
            let full = self.view(&action).is_full(row);
            let (action, fields) = self.new_message(action.within(&full.not()), row, message);
            let action = self.check_exclusive(action, Direction::Send, row);
            let action = self.observe(action, Direction::Send, row, &fields);
            self.insert(action, row, &fields, sorted)
        })
    }

    /// The fields of a message as the channel keeps them.
    pub fn new_message(&self, mut action: Action, row: ChannelRow, values: &[Expr]) -> (Action, Vec<Number>) {
        let fields = self.world.fields(row);
        if values.len() != fields.len() {
            return (self.meaningless(action, Trouble::MessageLength), Vec::new());
        }
        let mut message = Vec::new();
        for (&ty, value) in fields.iter().zip(values) {
            let mut faults = Faults::default();
            self.view(&action).faults(value, &Truth::constant(true), &mut faults);
            action = self.settle(action, faults);
            message.push(Number::new(self.view(&action).word(value, Number::bits(ty)), ty));
        }
        (action, message)
    }

    /// At the end, or before the first greater message; what comes after moves on.
    fn insert(&self, action: Action, row: ChannelRow, message: &[Number], sorted: bool) -> Action {
        let before = action.clone();
        let view = self.view(&before);
        let capacity = view.capacity(row);
        let old: Vec<Vec<Number>> = (0..capacity).map(|place| view.message(row, place)).collect();
        let mut inserted = Truth::constant(false);
        let mut changed = action;
        for place in 0..capacity as usize {
            let greater = if sorted { is_greater(&old[place], message) } else { Truth::constant(false) };
            let greater = greater.and(&view.is_longer(row, place as u32));
            // There is room, so that the only place of a channel is free.
            let at_end = if capacity == 1 { Truth::constant(true) } else { view.has_length(row, place as u32) };
            let here = at_end.or(&greater).minus(&inserted);
            for (field, value) in message.iter().enumerate() {
                let stays = &old[place][field];
                let moved = if place > 0 { &old[place - 1][field] } else { stays };
                let shifted = if sorted { Number::choose(&inserted, moved, stays) } else { stays.clone() };
                changed = self.set_field(changed, (row, place, field), &Number::choose(&here, value, &shifted));
            }
            inserted = if sorted { inserted.or(&here) } else { inserted };
        }
        self.set_length(changed, row, Operator::Add)
    }

    fn set_field(&self, mut action: Action, (row, place, field): (ChannelRow, usize, usize), value: &Number) -> Action {
        let cell = Cell::Field(row, place as u32, field as u32);
        let word = value.low(self.world.kind(cell).bits());
        action.changes.insert(cell, Value::Word(word));
        action
    }

    /// One message more or less; a channel that has one place is full or empty then.
    fn set_length(&self, mut action: Action, row: ChannelRow, operator: Operator) -> Action {
        let view = self.view(&action);
        let bits = view.length_bits(row);
        let length = match (view.capacity(row), operator) {
            (1, _) => Word::constant(i32::from(operator == Operator::Add), bits),
            _ => Word::combine(operator, &view.cell(Cell::Length(row), bits), &Word::constant(1, bits)),
        };
        action.changes.insert(Cell::Length(row), Value::Word(length));
        action
    }

    /// Receives a message, or only looks at it.
    pub fn receive(&self, action: Action, channel: &Expr, patterns: &[Pattern], how: (bool, bool)) -> Action {
        self.by_channel(action, channel, |row, action| {
            let rendezvous = self.view(&action).capacity(row) == 0;
            match self.handshake {
                Some(handshake) if handshake.row != row => action.within(&Truth::constant(false)),
                _ if how.1 && rendezvous => self.meaningless(action, Trouble::RendezvousPoll),
                Some(handshake) => self.receive_handshake(handshake, patterns, action),
                None if rendezvous => action.within(&Truth::constant(false)),
                None => self.receive_buffered(row, patterns, how, action),
            }
        })
    }

    fn receive_handshake(&self, handshake: &Handshake, patterns: &[Pattern], action: Action) -> Action {
        let mut faults = Faults::default();
        let view = self.view(&action);
        view.match_faults(patterns, &handshake.message, &Truth::constant(true), &mut faults);
        let hit = view.matches(patterns, &handshake.message);
        if patterns.len() != handshake.message.len() {
            faults.add(Trouble::MessageLength, &hit);
        }
        let action = self.settle(action, faults).within(&hit);
        let action = self.check_exclusive(action, Direction::Receive, handshake.row);
        let action = self.observe(action, Direction::Receive, handshake.row, &handshake.message);
        self.accept(action, patterns, &handshake.message)
    }

    fn receive_buffered(
        &self,
        row: ChannelRow,
        patterns: &[Pattern],
        (anywhere, keep): (bool, bool),
        action: Action,
    ) -> Action {
        let mut faults = Faults::default();
        self.view(&action).find_faults(row, patterns, anywhere, true, &Truth::constant(true), &mut faults);
        let hits = self.view(&action).find(row, patterns, anywhere);
        let found = Truth::any(hits.iter().map(|it| &it.1));
        let action = self.settle(action, faults).within(&found);
        let message = self.found_message(&action, row, &hits);
        let action = self.check_exclusive(action, Direction::Receive, row);
        if keep {
            return self.accept(action, patterns, &message);
        }
        let action = self.remove(action, row, &hits);
        let action = self.observe(action, Direction::Receive, row, &message);
        self.accept(action, patterns, &message)
    }

    /// The message that was found: at one of these places.
    fn found_message(&self, action: &Action, row: ChannelRow, hits: &[(u32, Truth)]) -> Vec<Number> {
        let view = self.view(action);
        let Some(((last, _), others)) = hits.split_last() else { return view.message(row, 0) };
        others.iter().rev().fold(view.message(row, *last), |otherwise, (place, hit)| {
            let this = view.message(row, *place);
            this.iter().zip(&otherwise).map(|(yes, no)| Number::choose(hit, yes, no)).collect()
        })
    }

    fn accept(&self, mut action: Action, patterns: &[Pattern], message: &[Number]) -> Action {
        for (pattern, value) in patterns.iter().zip(message) {
            if let Pattern::Store(place) = pattern {
                action = self.store(action, place, &|bits| value.low(bits));
            }
        }
        action
    }

    /// What comes after the message moves one place on; the last place becomes free.
    fn remove(&self, action: Action, row: ChannelRow, hits: &[(u32, Truth)]) -> Action {
        let before = action.clone();
        let view = self.view(&before);
        let capacity = view.capacity(row);
        let free: Vec<Number> =
            self.world.fields(row).iter().map(|&ty| Number::new(Word::constant(0, Number::bits(ty)), ty)).collect();
        let mut changed = action;
        for place in 0..capacity {
            let earlier = Truth::any(hits.iter().filter(|it| it.0 <= place).map(|it| &it.1));
            // Some place is the one, so it is the first if there is no other.
            let moves = if hits.len() == 1 && hits[0].0 == 0 { Truth::constant(true) } else { earlier };
            let next = if place + 1 < capacity { view.message(row, place + 1) } else { free.clone() };
            for (field, (next, stays)) in next.iter().zip(view.message(row, place)).enumerate() {
                let value = Number::choose(&moves, next, &stays);
                changed = self.set_field(changed, (row, place as usize, field), &value);
            }
        }
        self.set_length(changed, row, Operator::Sub)
    }

    // The monitor.

    /// Tells the monitor of a message.
    pub fn observe(&self, mut action: Action, direction: Direction, row: ChannelRow, message: &[Number]) -> Action {
        let Some(monitor) = &self.world.model().monitor else { return action };
        let before = action.clone();
        let view = self.view(&before);
        let bits = self.world.kind(Cell::Monitor).bits();
        let code = |location: LocationId| Word::constant(location.0 as i32, bits);
        let watched: Vec<Truth> =
            monitor.graph.edges.iter().map(|it| self.watches(&before, it, direction, row)).collect();
        let watched = Truth::any(&watched);
        let mut next = view.cell(Cell::Monitor, bits);
        for location in (0..monitor.graph.locations.len() as u32).map(LocationId) {
            let mut searching = view.cell(Cell::Monitor, bits).equals(&code(location)).and(&watched);
            for (_, edge) in monitor.graph.outgoing(location) {
                let hit = searching.and(&self.hits(&before, edge, direction, row, message));
                searching = searching.minus(&hit);
                let target = edge.target.unwrap_or(location);
                next = Word::choose(&hit, &code(target), &next);
                if monitor.forbidden && monitor.graph.location(target).edge_count == 0 {
                    self.fail(&mut action, Trouble::Monitor, &hit);
                }
            }
            if monitor.forbidden {
                next = Word::choose(&searching, &code(last(monitor)), &next);
            } else {
                self.fail(&mut action, Trouble::Monitor, &searching);
            }
        }
        if bits < 32 {
            action.changes.insert(Cell::Monitor, Value::Word(next));
        }
        action
    }

    /// Where an edge is about this use of the channel.
    fn watches(&self, action: &Action, edge: &Edge, direction: Direction, row: ChannelRow) -> Truth {
        let never = Truth::constant(false);
        let Some((_, channel, _)) = event(edge).filter(|it| it.0 == direction) else { return never };
        let channels = self.view(action).channels(channel);
        channels.into_iter().find(|it| it.0 == row).map_or(never, |it| it.1)
    }

    fn hits(&self, action: &Action, edge: &Edge, direction: Direction, row: ChannelRow, message: &[Number]) -> Truth {
        let watched = self.watches(action, edge, direction, row);
        let Some((_, _, patterns)) = event(edge).filter(|_| !watched.is_false()) else { return watched };
        let (view, mut faults) = (self.view(action), Faults::default());
        view.match_faults(patterns, message, &Truth::constant(true), &mut faults);
        watched.and(&view.matches(patterns, message)).minus(&faults.any)
    }
}

/// What an edge of the monitor is about.
fn event(edge: &Edge) -> Option<(Direction, &Expr, &[Pattern])> {
    match edge.effects.first() {
        Some(Effect::Receive { channel, patterns, keep, .. }) => {
            Some((if *keep { Direction::Send } else { Direction::Receive }, channel, patterns))
        }
        _ => None,
    }
}

/// The location without edges: the end.
fn last(monitor: &Monitor) -> LocationId {
    let end = monitor.graph.locations.iter().position(|location| location.edge_count == 0);
    LocationId(end.map_or(monitor.graph.locations.len() as u32 - 1, |row| row as u32))
}

/// Whether one message is greater than another: the first field that differs decides.
fn is_greater(one: &[Number], other: &[Number]) -> Truth {
    let mut greater = Truth::constant(false);
    for (one, other) in one.iter().zip(other).rev() {
        greater = other.less(one).or(&one.equals(other).and(&greater));
    }
    greater
}
