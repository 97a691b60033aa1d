//! What the effects of a step do: `model::semantics::execute`, as text.
//!
//! A step is followed once for all states. It is an [`Action`]: where it is possible, what it makes of cells, where it goes wrong. Where the reference branches - by the channel that an
//! expression names, by the slot of a new process - the branches are followed each for itself and joined again.
use engine_symbolic::{Cell, ChannelRow, Domain, Owner, Slot, Trouble, is_hidden};
use model::semantics::MOST_AT_ONCE;
use model::{Direction, Edge, EdgeId, Effect, Expr, Initial, LocationId, Place, PrintPart, ProcessTypeId, Type};

use crate::faults::Faults;
use crate::term::{Truth, Word};
use crate::view::{Changes, Number, Value, View};
use crate::world::{Kind, Point, World};

/// Something that is wrong: what, at which edge of whom, where.
pub type Wrong = (Trouble, ProcessTypeId, EdgeId, Truth);

/// What has been done so far.
#[derive(Clone, Debug)]
pub struct Action {
    /// Where all of it is possible and goes right.
    pub possible: Truth,
    /// What it makes of cells.
    pub changes: Changes,
    /// The process that was created.
    pub spawned: Option<Word>,
    /// Where the step has no meaning.
    pub faults: Vec<Wrong>,
    /// Where it goes wrong, but goes on.
    pub failures: Vec<Wrong>,
    /// Where more room is needed than there is.
    pub needs: Vec<Truth>,
}

impl Default for Action {
    fn default() -> Self {
        Action {
            possible: Truth::constant(true),
            changes: Changes::new(),
            spawned: None,
            faults: Vec::new(),
            failures: Vec::new(),
            needs: Vec::new(),
        }
    }
}

impl Action {
    /// Where there is a step, right or wrong.
    pub fn moved(&self) -> Truth {
        Truth::any(self.faults.iter().map(|it| &it.3).chain(&self.needs)).or(&self.possible)
    }

    /// The whole of it, with all that is wrong, only where a condition is true.
    #[must_use]
    pub fn restricted(self, condition: &Truth) -> Action {
        let fewer = |list: Vec<Wrong>| -> Vec<Wrong> {
            list.into_iter().map(|(trouble, ty, edge, it)| (trouble, ty, edge, condition.and(&it))).collect()
        };
        let needs = self.needs.iter().map(|it| condition.and(it)).collect();
        let possible = condition.and(&self.possible);
        Action { possible, needs, faults: fewer(self.faults), failures: fewer(self.failures), ..self }
    }

    /// Only where a condition is true.
    #[must_use]
    pub fn within(self, condition: &Truth) -> Action {
        Action { possible: self.possible.and(condition), ..self }
    }
}

/// A message that waits for the other half of a rendezvous.
pub struct Handshake {
    /// The channel.
    pub row: ChannelRow,
    /// The fields.
    pub message: Vec<Number>,
}

/// Who takes a step, and how.
#[derive(Clone, Copy)]
pub struct Actor<'a> {
    /// The cells.
    pub world: &'a World<'a>,
    /// Who moves.
    pub me: (Slot, ProcessTypeId),
    /// Whether nothing else can move.
    pub timeout: bool,
    /// The message to be received, when this is the second half of a rendezvous.
    pub handshake: Option<&'a Handshake>,
    /// The edge that is taken.
    pub edge: EdgeId,
}

impl<'a> Actor<'a> {
    /// The view of the process.
    pub fn view<'v>(&self, action: &'v Action) -> View<'v>
    where
        'a: 'v,
    {
        View {
            world: self.world,
            changes: &action.changes,
            me: Some(self.me),
            timeout: self.timeout,
            spawned: action.spawned.as_ref(),
        }
    }

    /// The action without what has no value, which is noted.
    pub fn settle(&self, mut action: Action, faults: Faults) -> Action {
        for (trouble, condition) in faults.list {
            action.faults.push((trouble, self.me.1, self.edge, action.possible.and(&condition)));
        }
        action.within(&faults.any.not())
    }

    /// Notes that a step goes wrong, though it goes on.
    pub fn fail(&self, action: &mut Action, trouble: Trouble, condition: &Truth) {
        let condition = action.possible.and(condition);
        if !condition.is_false() {
            action.failures.push((trouble, self.me.1, self.edge, condition));
        }
    }

    /// The action where an expression has a value.
    fn valued(&self, action: Action, expr: &Expr) -> Action {
        let mut faults = Faults::default();
        self.view(&action).faults(expr, &Truth::constant(true), &mut faults);
        self.settle(action, faults)
    }

    /// Takes the edge: guard and effects, but for the move to its target.
    pub fn take(&self, edge: &Edge, mut action: Action) -> Action {
        if !edge.guard.is_true() {
            action = self.require(action, &edge.guard);
        }
        for effect in &edge.effects {
            action = self.effect(effect, action);
        }
        action
    }

    fn require(&self, action: Action, condition: &Expr) -> Action {
        let action = self.valued(action, condition);
        let truth = self.view(&action).truth(condition);
        action.within(&truth)
    }

    fn effect(&self, effect: &Effect, action: Action) -> Action {
        match effect {
            Effect::Assign(place, value) => {
                let action = self.valued(action, value);
                let before = action.clone();
                self.store(action, place, &|bits| self.view(&before).word(value, bits))
            }
            Effect::Evaluate(expr) => self.valued(action, expr),
            Effect::Require(expr) => self.require(action, expr),
            Effect::Send { channel, message, sorted } => self.send(action, channel, message, *sorted),
            Effect::Receive { channel, patterns, anywhere, keep } => {
                self.receive(action, channel, patterns, (*anywhere, *keep))
            }
            Effect::Assert(condition) => {
                let mut action = self.valued(action, condition);
                let broken = self.view(&action).truth(condition).not();
                self.fail(&mut action, Trouble::Assertion, &broken);
                action
            }
            Effect::Print(parts) => self.print(action, parts),
            Effect::Spawn { process, arguments, .. } => self.spawn(action, *process, arguments),
            Effect::Terminate => self.terminate(action),
            // Priorities are refused; indivisible regions are steps of their own.
            Effect::SetPriority(..) | Effect::Indivisible(_) => action,
        }
    }

    fn print(&self, action: Action, parts: &[PrintPart]) -> Action {
        parts.iter().fold(action, |action, part| match part {
            PrintPart::Value(_, expr) | PrintPart::Name(_, expr) => self.valued(action, expr),
            PrintPart::Text(_) => action,
        })
    }

    /// The process is at a point, or has ceased to exist.
    pub fn move_to(&self, mut action: Action, point: Option<Point>) -> Action {
        action.changes.insert(Cell::Location(self.me.0), Value::Point(vec![(Truth::constant(true), point)]));
        action
    }

    /// The process is at a location.
    pub fn arrive(&self, action: Action, location: LocationId) -> Action {
        self.move_to(action, Some(Point { ty: self.me.1, inside: None, location }))
    }

    /// Variables that nobody will look at become 0.
    pub fn forget(&self, mut action: Action, edge: &Edge) -> Action {
        for &id in &edge.forgets {
            let variable = &self.world.model().process(self.me.1).variables[id.0 as usize];
            for element in 0..variable.elements() as u32 {
                let cell = Cell::Variable(Owner::Process(self.me.0, self.me.1), id, element);
                action = self.write(action, cell, variable.ty, &|bits| Word::constant(0, bits), &Truth::constant(true));
            }
        }
        action
    }

    // Variables.

    /// Stores a value, given by its lowest bits.
    pub fn store(&self, action: Action, place: &Place, value: &dyn Fn(u32) -> Word) -> Action {
        let (mut faults, before) = (Faults::default(), action.clone());
        let view = self.view(&before);
        let (owner, variable) = view.declared(place);
        view.index_faults(variable, &place.indices, &Truth::constant(true), &mut faults);
        let elements = view.elements(variable, &place.indices);
        let action = self.settle(action, faults);
        if is_hidden(owner, variable) {
            return action;
        }
        elements.into_iter().fold(action, |action, (element, here)| {
            self.write(action, Cell::Variable(owner, place.variable, element), variable.ty, value, &here)
        })
    }

    /// Writes a cell of a type where a condition holds.
    pub fn write(&self, mut action: Action, cell: Cell, ty: Type, value: &dyn Fn(u32) -> Word, only: &Truth) -> Action {
        action = self.make_room(action, cell, ty, value, only);
        let kind = self.world.kind(cell);
        if !matches!(kind, Kind::Fixed(_)) {
            let old = self.view(&action).cell(cell, kind.bits());
            let new = Word::choose(only, &value(kind.bits()), &old);
            action.changes.insert(cell, Value::Word(new));
        }
        action
    }

    /// A cell whose values are listed cannot hold others. If the instance is proved, nobody asks for that.
    fn make_room(&self, mut action: Action, cell: Cell, ty: Type, value: &dyn Fn(u32) -> Word, only: &Truth) -> Action {
        let Some(listed) = self.world.listed(cell).filter(|_| !self.world.is_proved()) else { return action };
        let bits = Domain::of(ty).bits() as u32;
        let given = value(bits);
        let fits: Vec<Truth> = listed.iter().map(|it| given.equals(&Word::constant(*it, bits))).collect();
        let missing = only.minus(&Truth::any(&fits));
        if missing.is_false() {
            return action;
        }
        action.needs.push(action.possible.and(&missing));
        action.within(&missing.not())
    }

    // Processes.

    fn spawn(&self, mut action: Action, ty: ProcessTypeId, arguments: &[Expr]) -> Action {
        let mut values = Vec::new();
        let parameters = &self.world.model().process(ty).variables;
        for (argument, parameter) in arguments.iter().zip(parameters) {
            action = self.valued(action, argument);
            let word = self.view(&action).word(argument, Number::bits(parameter.ty));
            values.push(Number::new(word, parameter.ty));
        }
        let slots = self.free_slots(&action);
        let (fitting, others): (Vec<_>, Vec<_>) = slots
            .into_iter()
            .partition(|it| self.world.instance.layout.types.get(it.0).is_some_and(|it| it.contains(&ty)));
        let mut faults = Faults::default();
        let full = others.iter().filter(|it| it.0 == MOST_AT_ONCE);
        full.for_each(|it| faults.add(Trouble::TooManyProcesses, &it.1));
        action = self.settle(action, faults);
        if !self.world.is_proved() {
            let missing = Truth::any(others.iter().map(|it| &it.1));
            action.needs.extend(Some(action.possible.and(&missing)).filter(|it| !it.is_false()));
            action = action.within(&missing.not());
        }
        let only_one = self.world.is_proved() && fitting.len() == 1;
        let branches = fitting.into_iter().map(|(slot, free)| {
            let free = if only_one { Truth::constant(true) } else { free };
            let branch = Action { faults: Vec::new(), failures: Vec::new(), needs: Vec::new(), ..action.clone() };
            (free.clone(), self.spawn_in(branch.within(&free), slot, ty, &values))
        });
        let branches = branches.collect();
        self.join(action, branches)
    }

    /// The slots that may be the first free one, and where each is; one more than there are.
    fn free_slots(&self, action: &Action) -> Vec<(Slot, Truth)> {
        let mut below = Truth::constant(true);
        let mut list = Vec::new();
        for slot in 0..=self.world.points.len() {
            let exists = self.view(action).exists(slot);
            list.push((slot, below.minus(&exists)));
            below = exists;
        }
        list.retain(|it| !it.1.is_false());
        list
    }

    /// A new process in a slot that is free, so that all its cells are 0.
    fn spawn_in(&self, mut action: Action, slot: Slot, ty: ProcessTypeId, arguments: &[Number]) -> Action {
        let (world, always) = (self.world, Truth::constant(true));
        let (process, owner) = (world.model().process(ty), Owner::Process(slot, ty));
        let entry = Point { ty, inside: None, location: process.entry };
        action.changes.insert(Cell::Location(slot), Value::Point(vec![(always.clone(), Some(entry))]));
        action.spawned = Some(Word::constant(slot as i32, 8));
        for (row, argument) in arguments.iter().enumerate() {
            let cell = Cell::Variable(owner, model::VariableId(row as u32), 0);
            action = self.write(action, cell, process.variables[row].ty, &|bits| argument.low(bits), &always);
        }
        let mut channels = world.instance.layout.channels_of(owner);
        for (row, variable) in process.variables.iter().enumerate() {
            for element in 0..variable.elements() as u32 {
                let cell = Cell::Variable(owner, model::VariableId(row as u32), element);
                action = match &variable.initial {
                    Initial::Zero => break,
                    Initial::Values(values) => {
                        let expr = &values[(element as usize).min(values.len() - 1)];
                        self.first_value(action, expr, (slot, ty), cell, variable.ty)
                    }
                    Initial::Channels(_) => {
                        let row = channels.next().expect("the layout has every channel");
                        let before = action.clone();
                        let number = |bits| self.view(&before).channel_number(row, bits);
                        self.write(action, cell, variable.ty, &number, &always)
                    }
                };
            }
        }
        action
    }

    fn first_value(&self, action: Action, expr: &Expr, new: (Slot, ProcessTypeId), cell: Cell, ty: Type) -> Action {
        let mut faults = Faults::default();
        let before = action.clone();
        let view = View { me: Some(new), timeout: false, spawned: None, ..self.view(&before) };
        view.faults(expr, &Truth::constant(true), &mut faults);
        let action = self.settle(action, faults);
        self.write(action, cell, ty, &|bits| view.word(expr, bits), &Truth::constant(true))
    }

    /// The process ceases to exist, if it is the youngest; all it had becomes 0.
    fn terminate(&self, action: Action) -> Action {
        let (slot, ty) = self.me;
        let younger = self.view(&action).exists(slot + 1);
        let mut action = self.move_to(action.within(&younger.not()), None);
        for cell in self.world.instance.layout.cells_of(Owner::Process(slot, ty)) {
            let kind = self.world.kind(cell);
            if !matches!(kind, Kind::Fixed(_)) {
                action.changes.insert(cell, Value::Word(Word::constant(0, kind.bits())));
            }
        }
        action
    }

    // Branches.

    /// What was done in branches, of which one is taken, as one action.
    pub fn join(&self, before: Action, branches: Vec<(Truth, Action)>) -> Action {
        let mut joined = Action { possible: Truth::constant(false), ..before.clone() };
        let single = branches.len() == 1;
        for (here, branch) in branches.into_iter().rev() {
            joined.possible = branch.possible.or(&joined.possible);
            joined.faults.extend(branch.faults);
            joined.failures.extend(branch.failures);
            joined.needs.extend(branch.needs);
            if single {
                (joined.changes, joined.spawned) = (branch.changes, branch.spawned);
                continue;
            }
            let zero = || Word::constant(0, 8);
            let spawned = (branch.spawned.clone().unwrap_or_else(zero), joined.spawned.clone().unwrap_or_else(zero));
            joined.spawned = Some(Word::choose(&here, &spawned.0, &spawned.1));
            for (cell, value) in branch.changes {
                let value = self.either(&here, value, cell, &joined);
                joined.changes.insert(cell, value);
            }
        }
        joined
    }

    /// A value in one branch, and what there was otherwise.
    fn either(&self, here: &Truth, value: Value, cell: Cell, otherwise: &Action) -> Value {
        match value {
            Value::Word(word) => Value::Word(Word::choose(here, &word, &self.view(otherwise).cell(cell, word.bits))),
            Value::Point(list) => {
                let mut all: Vec<_> = list.into_iter().map(|(it, point)| (here.and(&it), point)).collect();
                if let Some(Value::Point(others)) = otherwise.changes.get(&cell) {
                    all.extend(others.iter().cloned());
                }
                Value::Point(all)
            }
        }
    }

    /// Has somebody else declared this use of the channel his own?
    pub fn check_exclusive(&self, mut action: Action, direction: Direction, row: ChannelRow) -> Action {
        if !self.world.model().checks_exclusive() {
            return action;
        }
        let mut broken = Truth::constant(false);
        for other in (0..self.world.points.len()).filter(|it| *it != self.me.0) {
            for &ty in &self.world.instance.layout.types[other] {
                let view = View { me: Some((other, ty)), ..self.view(&action) };
                for declared in self.world.model().process(ty).exclusive.iter().filter(|it| it.direction == direction) {
                    let mut faults = Faults::default();
                    view.faults(&declared.channel, &Truth::constant(true), &mut faults);
                    let same = view.word(&declared.channel, 32).equals(&view.channel_number(row, 32));
                    broken = broken.or(&view.has_type(other, ty).and(&same).minus(&faults.any));
                }
            }
        }
        self.fail(&mut action, Trouble::Exclusive, &broken);
        action
    }
}
