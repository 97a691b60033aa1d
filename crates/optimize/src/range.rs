//! Ranges of values: a variable or message field takes only the bits that its possible values need.
//!
//! An abstract interpretation with intervals (P. and R. Cousot, *Abstract interpretation: a unified lattice model*, POPL
//! 1977). Own scalars of a process have an interval per location, narrowed by the conditions on the way; globals, arrays
//! and message fields, which others can change at any time, have one for all states. Whatever a step can store is
//! in the interval: a received value is what somebody sends, a parameter what somebody passes. An interval that keeps growing
//! jumps to the next constant of the model, and after some jumps to the whole type.
//!
//! The result is a narrower type. Since every value fits it, nothing changes but the room it takes: the number of states
//! stays the same, exactly.
use model::access::{expressions, region};
use model::{
    BinaryOp, Edge, Effect, Expr, Initial, LocationId, Model, Pattern, Place, ProcessTypeId, Scope, ShapeId, Type,
    UnaryOp, VariableId,
};

use crate::Mistake;
use crate::interval::{Interval, Values, comparison, interval, mirrored};
use model::variables::{Name, assigned, can_wait, every_part, row_of, types};

/// Growths after which an interval jumps to the next constant.
const PATIENCE: u32 = 3;

/// Growths after which an interval jumps to the whole type.
const LIMIT: u32 = 12;

/// Models with more edges than this times the variables of a process are left as they are.
const LARGEST: usize = 5_000_000;

/// Gives variables and message fields the narrowest types that hold all their values.
pub fn narrow(model: &mut Model, mistake: Option<Mistake>) {
    if size(model) > LARGEST {
        return;
    }
    let mut analysis = Analysis::new(model, mistake);
    analysis.run();
    let Analysis { globals, locals, fields, .. } = analysis;
    let change = |ty: &mut Type, found: &Growing| {
        *ty = found.interval.map_or(*ty, |interval| narrower(*ty, interval));
    };
    model.globals.iter_mut().zip(&globals).for_each(|(it, found)| change(&mut it.ty, found));
    for (process, locals) in model.processes.iter_mut().zip(&locals) {
        process.variables.iter_mut().zip(locals).for_each(|(it, found)| change(&mut it.ty, found));
    }
    for (shape, fields) in model.shapes.iter_mut().zip(&fields) {
        shape.fields.iter_mut().zip(fields).for_each(|(it, found)| change(it, found));
    }
}

/// What values can be where: the analysis, for those who want to know more than types.
pub struct Ranges<'m>(Analysis<'m>);

impl<'m> Ranges<'m> {
    /// Of a model, unless it is too large.
    pub fn new(model: &'m Model) -> Option<Self> {
        (size(model) <= LARGEST).then(|| {
            let mut analysis = Analysis::new(model, None);
            analysis.run();
            Ranges(analysis)
        })
    }

    /// What the variables of a process hold at a location; none if no process can be there.
    pub fn at(&self, owner: ProcessTypeId, location: LocationId) -> Option<Vec<Interval>> {
        self.0.known[owner.0 as usize][location.0 as usize].0.clone()
    }

    /// Narrows what a process holds by a condition that is true, or false; returns false if that cannot be.
    pub fn narrow(&self, owner: ProcessTypeId, condition: &Expr, wanted: bool, locals: &mut Vec<Interval>) -> bool {
        self.0.refine(owner, condition, wanted, locals)
    }

    /// Where the value of an expression lies for a process that holds this.
    pub fn value(&self, owner: ProcessTypeId, locals: &[Interval], expr: &Expr) -> Interval {
        self.0.eval(owner, locals, expr)
    }

    /// The kinds of channels, by row, that an expression can name if messages have so many fields.
    pub fn shapes(&self, owner: ProcessTypeId, channel: &Expr, fields: usize) -> Vec<usize> {
        self.0.shapes(owner, channel, fields)
    }
}

/// How much there is to look at.
fn size(model: &Model) -> usize {
    model.processes.iter().map(|it| it.edges.len() * it.variables.len()).sum()
}

/// The narrowest type for values of an interval, and 0.
fn narrower(ty: Type, interval: Interval) -> Type {
    let (low, high) = (interval.low.min(0), interval.high.max(0));
    let now = match ty {
        Type::Channel => return ty,
        Type::Unsigned { bits } => u32::from(bits),
        Type::Short => 16,
        Type::Int => 32,
    };
    let bits = (64 - (high as u64).leading_zeros()).max(1);
    match () {
        () if low >= 0 && bits < now => Type::Unsigned { bits: bits as u8 },
        () if now == 32 && Interval::new(low, high).is_within(Interval::of_type(Type::Short)) => Type::Short,
        () => ty,
    }
}

/// An interval that grows while more becomes known; none if nothing is.
#[derive(Clone, Copy, Debug, Default)]
struct Growing {
    interval: Option<Interval>,
    growths: u32,
}

/// What a process knows about its own variables at a location.
type Locals = Vec<Interval>;

struct Analysis<'m> {
    model: &'m Model,
    mistake: Option<Mistake>,
    /// Constants of the model, and their neighbours, in order.
    landmarks: Vec<i64>,
    globals: Vec<Growing>,
    /// Per process type and variable: all that is ever stored in it.
    locals: Vec<Vec<Growing>>,
    /// Per shape and field: all that is ever sent.
    fields: Vec<Vec<Growing>>,
    /// Per process type and location: what own variables hold there, if a process can be there; and how often that grew.
    known: Vec<Vec<(Option<Locals>, u32)>>,
    /// Variables whose channels are those they were created with.
    fixed: Vec<(Name, ShapeId)>,
    grown: bool,
}

/// What one process knows.
struct Knowledge<'a, 'm> {
    analysis: &'a Analysis<'m>,
    locals: &'a [Interval],
    owner: ProcessTypeId,
}

impl Values for Knowledge<'_, '_> {
    fn variable(&self, place: &Place) -> Interval {
        let row = place.variable.0 as usize;
        match place.scope {
            Scope::Global => self.analysis.globals[row].interval.unwrap_or(Interval::ZERO),
            Scope::Local if self.locals.is_empty() => Interval::ALL,
            Scope::Local if self.analysis.is_scalar(self.owner, row) => self.locals[row],
            Scope::Local => self.remote(self.owner, place.variable),
        }
    }

    fn remote(&self, process: ProcessTypeId, variable: VariableId) -> Interval {
        let all = self.analysis.locals[process.0 as usize][variable.0 as usize].interval;
        all.map_or(Interval::ZERO, |it| it.join(Interval::ZERO))
    }
}

impl<'m> Analysis<'m> {
    fn new(model: &'m Model, mistake: Option<Mistake>) -> Self {
        let written = assigned(model);
        let fixed = model::variables::all(model).into_iter().filter_map(|name| match name.declared(model).initial {
            Initial::Channels(shape) if !written.contains(&name) => Some((name, shape)),
            _ => None,
        });
        Analysis {
            model,
            mistake,
            landmarks: landmarks(model),
            globals: vec![Growing { interval: Some(Interval::ZERO), growths: 0 }; model.globals.len()],
            locals: model.processes.iter().map(|it| vec![Growing::default(); it.variables.len()]).collect(),
            fields: model.shapes.iter().map(|it| vec![Growing::default(); it.fields.len()]).collect(),
            known: model.processes.iter().map(|it| vec![(None, 0); it.locations.len()]).collect(),
            fixed: fixed.collect(),
            grown: false,
        }
    }

    fn is_scalar(&self, owner: ProcessTypeId, row: usize) -> bool {
        self.model.process(owner).variables[row].dimensions.is_empty()
    }

    fn run(&mut self) {
        loop {
            self.grown = false;
            self.first_values();
            for start in &self.model.start {
                self.spawn(start.process, &[]);
            }
            for (owner, process) in types(self.model) {
                process.edges.iter().enumerate().for_each(|(row, edge)| self.edge(owner, row, edge));
            }
            if !self.grown {
                return;
            }
        }
    }

    fn eval(&self, owner: ProcessTypeId, locals: &[Interval], expr: &Expr) -> Interval {
        interval(expr, &Knowledge { analysis: self, locals, owner })
    }

    // Growing.

    fn first_values(&mut self) {
        let model = self.model;
        for (row, variable) in model.globals.iter().enumerate() {
            if let Initial::Values(values) = &variable.initial {
                for value in values {
                    let value = self.eval(ProcessTypeId(0), &[], value);
                    self.store_all(Name::Global(VariableId(row as u32)), value.truncate(variable.ty));
                }
            }
        }
    }

    /// A new process with these arguments.
    fn spawn(&mut self, ty: ProcessTypeId, arguments: &[Interval]) {
        let process = self.model.process(ty);
        let mut locals = vec![Interval::ZERO; process.variables.len()];
        for (row, variable) in process.variables.iter().enumerate() {
            locals[row] = arguments.get(row).map_or(Interval::ZERO, |it| it.truncate(variable.ty));
        }
        for (row, variable) in process.variables.iter().enumerate() {
            let name = Name::Local(ty, VariableId(row as u32));
            match &variable.initial {
                Initial::Zero => {}
                Initial::Channels(_) => locals[row] = Interval::of_type(variable.ty),
                Initial::Values(values) => {
                    let values = values.iter().map(|it| self.eval(ty, &locals, it).truncate(variable.ty));
                    locals[row] = values.reduce(Interval::join).unwrap_or(Interval::ZERO);
                }
            }
            self.store_all(name, locals[row]);
        }
        self.arrive(ty, process.entry, locals);
    }

    /// A process can be at a location with such variables.
    fn arrive(&mut self, owner: ProcessTypeId, location: LocationId, locals: Locals) {
        let (known, growths) = &mut self.known[owner.0 as usize][location.0 as usize];
        let Some(before) = known else {
            *known = Some(locals);
            self.grown = true;
            return;
        };
        if locals.iter().zip(&*before).all(|(new, old)| new.is_within(*old)) {
            return;
        }
        *growths += 1;
        self.grown = true;
        let variables = &self.model.process(owner).variables;
        for ((old, new), variable) in before.iter_mut().zip(locals).zip(variables) {
            *old = wider(*old, new, *growths, variable.ty, &self.landmarks);
        }
    }

    /// Something is stored in a variable.
    fn store_all(&mut self, name: Name, value: Interval) {
        let ty = name.declared(self.model).ty;
        let growing = match name {
            Name::Global(id) => &mut self.globals[id.0 as usize],
            Name::Local(owner, id) => &mut self.locals[owner.0 as usize][id.0 as usize],
        };
        self.grown |= growing.add(value, ty, &self.landmarks);
    }

    // Steps.

    fn edge(&mut self, owner: ProcessTypeId, row: usize, edge: &Edge) {
        let process = self.model.process(owner);
        let Some(locals) = self.known[owner.0 as usize][edge.source.0 as usize].0.clone() else { return };
        if let (Some(Effect::Send { .. }), Some(target)) = (edge.effects.first(), edge.target) {
            // A rendezvous is no more than this for the sender.
            self.arrive(owner, target, forgotten(locals.clone(), edge));
        }
        let Some(after) = self.step(owner, row, edge, locals) else { return };
        let is_internal = |location: LocationId| process.location(location).internal;
        match (edge.target, edge.effects.last()) {
            (None, _) => {}
            (Some(target), Some(Effect::Indivisible(entry))) => {
                self.arrive(owner, *entry, after);
                self.ways_out(owner, *entry, target, edge);
            }
            // A region is left to where the edge around it leads.
            (Some(target), _) if is_internal(edge.source) && !is_internal(target) => {}
            (Some(target), _) => self.arrive(owner, target, forgotten(after, edge)),
        }
    }

    fn ways_out(&mut self, owner: ProcessTypeId, entry: LocationId, target: LocationId, outer: &Edge) {
        let process = self.model.process(owner);
        for inner in region(process, entry) {
            if inner.target.is_some_and(|it| process.location(it).internal) {
                continue;
            }
            let Some(locals) = self.known[owner.0 as usize][inner.source.0 as usize].0.clone() else { continue };
            if let Some(after) = self.step(owner, row_of(process, inner), inner, locals) {
                self.arrive(owner, target, forgotten(after, outer));
            }
        }
    }

    /// What is known after an edge, if it can be taken.
    fn step(&mut self, owner: ProcessTypeId, row: usize, edge: &Edge, mut locals: Locals) -> Option<Locals> {
        // A rendezvous does not ask for the sender's guard.
        let sends = matches!(edge.effects.first(), Some(Effect::Send { .. }));
        if !sends && !self.refine(owner, &edge.guard, true, &mut locals) {
            return None;
        }
        if !self.others_failed(owner, row, edge, &mut locals) {
            return None;
        }
        for effect in &edge.effects {
            self.effect(owner, effect, &mut locals)?;
        }
        Some(locals)
    }

    /// The edges before this one could not be taken, if they come first.
    fn others_failed(&self, owner: ProcessTypeId, row: usize, edge: &Edge, locals: &mut Locals) -> bool {
        let process = self.model.process(owner);
        let source = process.location(edge.source);
        // The second half of a rendezvous comes to edges that receive without trying the others.
        let receives = matches!(edge.effects.first(), Some(Effect::Receive { .. } | Effect::Indivisible(_)));
        if receives || !edge.otherwise && !source.internal {
            return true;
        }
        let wanted = self.mistake == Some(Mistake::RangeOtherwise);
        let earlier = &process.edges[source.first_edge as usize..row];
        let tells = |it: &&Edge| !it.otherwise && !it.effects.iter().any(can_wait);
        earlier.iter().filter(tells).all(|it| self.refine(owner, &it.guard, wanted, locals))
    }

    fn effect(&mut self, owner: ProcessTypeId, effect: &Effect, locals: &mut Locals) -> Option<()> {
        match effect {
            Effect::Assign(place, value) => {
                let value = self.eval(owner, locals, value);
                self.store(owner, place, value, locals);
            }
            Effect::Require(condition) => return self.refine(owner, condition, true, locals).then_some(()),
            Effect::Send { channel, message, .. } => {
                let values: Vec<Interval> = message.iter().map(|it| self.eval(owner, locals, it)).collect();
                for shape in self.shapes(owner, channel, values.len()) {
                    self.send(shape, &values);
                }
            }
            Effect::Receive { channel, patterns, .. } => return self.receive(owner, channel, patterns, locals),
            Effect::Spawn { process, arguments, .. } => {
                let arguments: Vec<Interval> = arguments.iter().map(|it| self.eval(owner, locals, it)).collect();
                self.spawn(*process, &arguments);
            }
            Effect::Evaluate(_)
            | Effect::Assert(_)
            | Effect::Print(_)
            | Effect::SetPriority(..)
            | Effect::Indivisible(_)
            | Effect::Terminate => {}
        }
        Some(())
    }

    fn store(&mut self, owner: ProcessTypeId, place: &Place, value: Interval, locals: &mut Locals) {
        let name = Name::of(owner, place);
        let variable = name.declared(self.model);
        let value = value.truncate(variable.ty);
        self.store_all(name, value);
        if place.scope == Scope::Local && variable.dimensions.is_empty() {
            locals[place.variable.0 as usize] = value;
        }
    }

    // Messages.

    fn send(&mut self, shape: usize, values: &[Interval]) {
        for (field, value) in values.iter().enumerate() {
            let ty = self.model.shapes[shape].fields[field];
            self.grown |= self.fields[shape][field].add(value.truncate(ty), ty, &self.landmarks);
        }
    }

    /// Nothing can be received before something is sent.
    fn receive(
        &mut self,
        owner: ProcessTypeId,
        channel: &Expr,
        patterns: &[Pattern],
        locals: &mut Locals,
    ) -> Option<()> {
        let shapes = self.shapes(owner, channel, patterns.len());
        for (field, pattern) in patterns.iter().enumerate() {
            let Pattern::Store(place) = pattern else { continue };
            let sent = shapes.iter().filter_map(|&shape| self.fields[shape][field].interval).reduce(Interval::join)?;
            let value = if self.mistake == Some(Mistake::RangeReceived) { Interval::ZERO } else { sent };
            self.store(owner, place, value, locals);
        }
        Some(())
    }

    /// The shapes that the channel of a message with so many fields can have.
    fn shapes(&self, owner: ProcessTypeId, channel: &Expr, fields: usize) -> Vec<usize> {
        let known = match channel {
            Expr::Read(place) => self.fixed.iter().find(|it| it.0 == Name::of(owner, place)),
            _ => None,
        };
        let all = 0..self.model.shapes.len();
        let fits = |&row: &usize| {
            self.model.shapes[row].fields.len() == fields && known.is_none_or(|it| it.1.0 as usize == row)
        };
        all.filter(fits).collect()
    }

    // Conditions.

    /// Narrows what is known by a condition that is true, or false; returns false if that cannot be.
    fn refine(&self, owner: ProcessTypeId, condition: &Expr, wanted: bool, locals: &mut Locals) -> bool {
        match (condition, wanted) {
            (Expr::Constant(value), _) => (*value != 0) == wanted,
            (Expr::Unary(UnaryOp::Not, inner), _) => self.refine(owner, inner, !wanted, locals),
            (Expr::Binary(BinaryOp::And, left, right), true) | (Expr::Binary(BinaryOp::Or, left, right), false) => {
                self.refine(owner, left, wanted, locals) && self.refine(owner, right, wanted, locals)
            }
            (Expr::Binary(BinaryOp::And, left, right), false) | (Expr::Binary(BinaryOp::Or, left, right), true) => {
                self.refine_either(owner, left, right, wanted, locals)
            }
            (Expr::Binary(op, left, right), _) => self.compare(owner, *op, left, right, wanted, locals),
            (Expr::Read(_), _) => self.compare(owner, BinaryOp::Ne, condition, &Expr::Constant(0), wanted, locals),
            _ => true,
        }
    }

    /// The left side is as wanted, or the right side is. Each side is looked at once: conditions can be deeply nested.
    fn refine_either(
        &self,
        owner: ProcessTypeId,
        left: &Expr,
        right: &Expr,
        wanted: bool,
        locals: &mut Locals,
    ) -> bool {
        let mut other = locals.clone();
        let by_left = self.refine(owner, left, wanted, locals);
        let by_right = self.refine(owner, right, wanted, &mut other);
        match (by_left, by_right) {
            (true, true) => locals.iter_mut().zip(other).for_each(|(it, other)| *it = it.join(other)),
            (false, true) => *locals = other,
            (_, false) => {}
        }
        by_left || by_right
    }

    fn compare(
        &self,
        owner: ProcessTypeId,
        op: BinaryOp,
        left: &Expr,
        right: &Expr,
        wanted: bool,
        locals: &mut Locals,
    ) -> bool {
        let Some(op) = comparison(op, wanted) else { return true };
        let (low, high) = (self.eval(owner, locals, left), self.eval(owner, locals, right));
        for (side, now, op, other) in [(left, low, op, high), (right, high, mirrored(op), low)] {
            let Some(narrowed) = now.restrict(op, other) else { return false };
            if let Expr::Read(Place { scope: Scope::Local, variable, .. }) = side
                && self.is_scalar(owner, variable.0 as usize)
            {
                locals[variable.0 as usize] = narrowed;
            }
        }
        true
    }
}

impl Growing {
    /// Takes in more; false if that was known.
    fn add(&mut self, value: Interval, ty: Type, landmarks: &[i64]) -> bool {
        match self.interval {
            Some(known) if value.is_within(known) => return false,
            Some(known) => {
                self.growths += 1;
                self.interval = Some(wider(known, value, self.growths, ty, landmarks));
            }
            None => self.interval = Some(value),
        }
        true
    }
}

/// Both intervals together, and more if this goes on for too long.
fn wider(old: Interval, new: Interval, growths: u32, ty: Type, landmarks: &[i64]) -> Interval {
    let (both, all) = (old.join(new), Interval::of_type(ty));
    let mut wide = both;
    if both.low < old.low && growths > PATIENCE {
        let next = landmarks.iter().rev().copied().find(|&it| it <= both.low).filter(|_| growths <= LIMIT);
        wide.low = next.unwrap_or(all.low).max(all.low);
    }
    if both.high > old.high && growths > PATIENCE {
        let next = landmarks.iter().copied().find(|&it| it >= both.high).filter(|_| growths <= LIMIT);
        wide.high = next.unwrap_or(all.high).min(all.high);
    }
    wide
}

/// What is known when an edge has forgotten what it should.
fn forgotten(mut locals: Locals, edge: &Edge) -> Locals {
    edge.forgets.iter().for_each(|variable| locals[variable.0 as usize] = Interval::ZERO);
    locals
}

fn landmarks(model: &Model) -> Vec<i64> {
    let mut list = Vec::new();
    let mut note = |part: &Expr| {
        if let Expr::Constant(value) = part {
            list.extend([-1, 0, 1].map(|near| i64::from(*value) + near));
        }
    };
    expressions(model, &mut |expr| every_part(expr, &mut note));
    list.sort_unstable();
    list.dedup();
    list
}
