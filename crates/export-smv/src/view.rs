//! Expressions of the model as expressions of SMV: `model::semantics::eval`, as text.
//!
//! The value of an expression is a number of 32 bits. [`View::word`] gives its lowest bits, as many as are wanted: sums, products and bitwise operators need no more
//! of their operands, so that an assignment to a byte computes with bytes. [`View::truth`] compares with as many bits as both sides can
//! have ([`bounds`](mod@crate::bounds)). Where an expression has no value says [`faults`](mod@crate::faults); there these texts say nothing.
use std::collections::BTreeMap;

use engine_symbolic::{Cell, ChannelRow, Owner, Slot, channel_count};
use model::{BinaryOp, Expr, Mark, Pattern, Place, ProcessTypeId, Scope, UnaryOp, Variable, VariableId};

use crate::bounds::holding;
use crate::term::{Operator, Truth, Word};
use crate::world::{Kind, Point, World};

/// What a step has made of a cell.
#[derive(Clone, Debug)]
pub enum Value {
    /// A number, with the bits of the cell.
    Word(Word),
    /// Where the process is: the first that applies, else where it was.
    Point(Vec<(Truth, Option<Point>)>),
}

/// What a step has done so far.
pub type Changes = BTreeMap<Cell, Value>;

/// Who evaluates, and under which assumptions.
#[derive(Clone, Copy)]
pub struct View<'a> {
    /// The cells.
    pub world: &'a World<'a>,
    /// What the step has done so far.
    pub changes: &'a Changes,
    /// The process that evaluates; nobody for an invariant.
    pub me: Option<(Slot, ProcessTypeId)>,
    /// Whether nothing else can move.
    pub timeout: bool,
    /// The process that this step has created.
    pub spawned: Option<&'a Word>,
}

impl<'a> View<'a> {
    /// The lowest bits of a value.
    pub fn word(&self, expr: &Expr, bits: u32) -> Word {
        let (low, high) = self.bounds(expr);
        if low == high {
            return Word::constant(low as i32, bits);
        }
        match expr {
            Expr::Read(place) => self.read(place, bits),
            Expr::Unary(UnaryOp::Negate, operand) => self.word(operand, bits).negated(),
            Expr::Unary(UnaryOp::Complement, operand) => self.word(operand, bits).complement(),
            Expr::Binary(op, left, right) => self.binary(*op, left, right, expr, bits),
            Expr::Conditional(condition, yes, no) => {
                Word::choose(&self.truth(condition), &self.word(yes, bits), &self.word(no, bits))
            }
            Expr::Length(channel) => {
                let rows = self.channels(channel);
                self.first_of(rows.into_iter().map(|(row, here)| (here, self.cell(Cell::Length(row), bits))), bits)
            }
            Expr::ProcessCount => self.process_count(bits),
            Expr::LastMover => self.cell(Cell::LastMover, bits),
            Expr::LocationOf(process) => self.location_of(process, bits),
            Expr::Spawned => self.spawned.map_or(Word::constant(0, bits), |it| resized(it, false, bits)),
            Expr::RemoteRead { process, instance, variable, indices } => {
                self.remote_read(*process, instance.as_deref(), *variable, indices, bits)
            }
            _ => resized(&Word::of(&self.truth(expr)), false, bits),
        }
    }

    /// Whether a value is not 0.
    pub fn truth(&self, expr: &Expr) -> Truth {
        let bounds = self.bounds(expr);
        if bounds.0 == bounds.1 {
            return Truth::constant(bounds.0 != 0);
        }
        match expr {
            Expr::Unary(UnaryOp::Not, operand) => self.truth(operand).not(),
            Expr::Binary(BinaryOp::And, left, right) => self.truth(left).and(&self.truth(right)),
            Expr::Binary(BinaryOp::Or, left, right) => self.truth(left).or(&self.truth(right)),
            Expr::Binary(BinaryOp::Eq, left, right) => self.equal(left, right),
            Expr::Binary(BinaryOp::Ne, left, right) => self.equal(left, right).not(),
            Expr::Binary(BinaryOp::Lt, left, right) => self.less(left, right),
            Expr::Binary(BinaryOp::Ge, left, right) => self.less(left, right).not(),
            Expr::Binary(BinaryOp::Gt, left, right) => self.less(right, left),
            Expr::Binary(BinaryOp::Le, left, right) => self.less(right, left).not(),
            Expr::Conditional(condition, yes, no) => {
                Truth::choose(&self.truth(condition), &self.truth(yes), &self.truth(no))
            }
            Expr::Full(channel) => self.over(channel, |row| self.is_full(row)),
            Expr::Empty(channel) => self.over(channel, |row| self.has_length(row, 0)),
            Expr::Poll { channel, patterns, anywhere } => {
                self.over(channel, |row| Truth::any(self.find(row, patterns, *anywhere).iter().map(|it| &it.1)))
            }
            Expr::AnyAt(mark) => self.any_at(*mark),
            Expr::RemoteAt { process, instance, location } => {
                let point = Point { ty: *process, inside: None, location: *location };
                let slots = self.instances(*process, instance.as_deref());
                slots.iter().fold(Truth::constant(false), |at, (slot, here)| at.or(&here.and(&self.at(*slot, point))))
            }
            _ => self.word(expr, holding(bounds).bits()).is_true(),
        }
    }

    /// Whether two values are equal.
    pub fn equal(&self, left: &Expr, right: &Expr) -> Truth {
        let (one, two) = (self.bounds(left), self.bounds(right));
        if one.1 < two.0 || two.1 < one.0 {
            return Truth::constant(false);
        }
        let bits = holding((one.0.min(two.0), one.1.max(two.1))).bits();
        self.word(left, bits).equals(&self.word(right, bits))
    }

    /// Whether one value is less than another.
    fn less(&self, left: &Expr, right: &Expr) -> Truth {
        let (one, two) = (self.bounds(left), self.bounds(right));
        if one.1 < two.0 || one.0 >= two.1 {
            return Truth::constant(one.1 < two.0);
        }
        let kind = holding((one.0.min(two.0), one.1.max(two.1)));
        let (left, right) = (self.word(left, kind.bits()), self.word(right, kind.bits()));
        if let Kind::Signed(_) = kind { left.less_signed(&right) } else { left.less(&right) }
    }

    // Operators.

    fn binary(&self, op: BinaryOp, left: &Expr, right: &Expr, whole: &Expr, bits: u32) -> Word {
        let both = |operator| Word::combine(operator, &self.word(left, bits), &self.word(right, bits));
        match op {
            BinaryOp::Add => both(Operator::Add),
            BinaryOp::Sub => both(Operator::Sub),
            BinaryOp::Mul => both(Operator::Mul),
            BinaryOp::BitAnd => both(Operator::And),
            BinaryOp::BitOr => both(Operator::Or),
            BinaryOp::BitXor => both(Operator::Xor),
            BinaryOp::Shl => self.shifted(right, |places| self.left_by(left, places, bits)),
            BinaryOp::Shr => self.shifted(right, |places| self.right_by(left, places, bits)),
            BinaryOp::Div => self.divided(Operator::Div, left, right, bits),
            BinaryOp::Rem => self.divided(Operator::Mod, left, right, bits),
            _ => resized(&Word::of(&self.truth(whole)), false, bits),
        }
    }

    /// A shift by each distance that there can be; only the lowest five bits of it count.
    fn shifted(&self, distance: &Expr, by: impl Fn(u32) -> Word) -> Word {
        let (low, high) = self.bounds(distance);
        if low == high {
            return by(low as u32 & 31);
        }
        let counted = self.word(distance, 5);
        let inside = low >= 0 && high < 32;
        let (first, last) = if inside { (low as u32, high as u32) } else { (0, 31) };
        (first..last).fold(by(last), |otherwise, places| {
            Word::choose(&counted.equals(&Word::constant(places as i32, 5)), &by(places), &otherwise)
        })
    }

    fn left_by(&self, expr: &Expr, places: u32, bits: u32) -> Word {
        if places >= bits { Word::constant(0, bits) } else { self.word(expr, bits).shifted_left(places) }
    }

    fn right_by(&self, expr: &Expr, places: u32, bits: u32) -> Word {
        match places + bits <= 32 {
            true => self.word(expr, places + bits).slice(places, bits),
            false => self.word(expr, 32).slice(places, 32 - places).sign_extended(bits),
        }
    }

    /// Towards 0; the remainder has the sign of the dividend. Nobody looks at a division by 0.
    fn divided(&self, operator: Operator, left: &Expr, right: &Expr, bits: u32) -> Word {
        let (one, two) = (self.bounds(left), self.bounds(right));
        let kind = holding((one.0.min(two.0), one.1.max(two.1)));
        let width = if one.0 >= 0 && two.0 >= 0 { kind.bits() } else { 32 };
        let (dividend, divisor) = (self.magnitude(left, width), self.magnitude(right, width));
        let is_zero = divisor.is_true().not();
        let divisor = Word::choose(&is_zero, &Word::constant(1, width), &divisor);
        let result = Word::combine(operator, &dividend, &divisor);
        let negative = match operator {
            Operator::Div => {
                Truth::choose(&self.is_negative(left), &self.is_negative(right).not(), &self.is_negative(right))
            }
            _ => self.is_negative(left),
        };
        let result = Word::choose(&negative, &result.negated(), &result);
        let signed = width == 32;
        resized(&result, signed, bits)
    }

    fn is_negative(&self, expr: &Expr) -> Truth {
        self.less(expr, &Expr::Constant(0))
    }

    fn magnitude(&self, expr: &Expr, bits: u32) -> Word {
        let word = self.word(expr, bits);
        Word::choose(&self.is_negative(expr), &word.negated(), &word)
    }

    // Variables.

    /// Whose variable a place is, and its declaration.
    pub fn declared(&self, place: &Place) -> (Owner, &'a Variable) {
        let (model, row) = (self.world.model(), place.variable.0 as usize);
        match (place.scope, self.me) {
            (Scope::Local, Some((slot, ty))) => (Owner::Process(slot, ty), &model.process(ty).variables[row]),
            _ => (Owner::Global, &model.globals[row]),
        }
    }

    /// The lowest bits of what a cell holds.
    pub fn cell(&self, cell: Cell, bits: u32) -> Word {
        let kind = self.world.kind(cell);
        let name = self.world.cell(cell);
        let (word, signed) = match (kind, self.changes.get(&cell)) {
            (Kind::Fixed(value), _) => return Word::constant(value, bits),
            (_, Some(Value::Word(word))) => (word.clone(), matches!(kind, Kind::Signed(_))),
            (Kind::Boolean, _) => (Word::of(&Truth::symbol(name)), false),
            (Kind::Unsigned(own), _) => (Word::symbol(name, own), false),
            (Kind::Signed(own), _) => (Word::signed_symbol(name, own), true),
        };
        resized(&word, signed, bits)
    }

    fn read(&self, place: &Place, bits: u32) -> Word {
        let (owner, variable) = self.declared(place);
        self.one_of(owner, place.variable, &self.elements(variable, &place.indices), bits)
    }

    fn one_of(&self, owner: Owner, id: VariableId, elements: &[(u32, Truth)], bits: u32) -> Word {
        let cells = elements.iter().map(|(row, here)| (here.clone(), self.cell(Cell::Variable(owner, id, *row), bits)));
        self.last_else(cells, bits)
    }

    /// The elements that indices can mean, and where each is meant.
    pub fn elements(&self, variable: &Variable, indices: &[Expr]) -> Vec<(u32, Truth)> {
        let mut elements = vec![(0, Truth::constant(true))];
        for (&size, index) in variable.dimensions.iter().zip(indices) {
            let rows = (0..size).map(|row| (row, self.equal(index, &Expr::Constant(row as i32))));
            let rows: Vec<(u32, Truth)> = rows.filter(|it| !it.1.is_false()).collect();
            let longer = |(element, here): &(u32, Truth)| {
                let (element, here) = (*element, here.clone());
                rows.iter().map(move |(row, there)| (element * size + row, here.and(there))).collect::<Vec<_>>()
            };
            elements = elements.iter().flat_map(longer).collect();
        }
        elements
    }

    /// The first that applies; 0 if none does.
    fn first_of(&self, list: impl Iterator<Item = (Truth, Word)>, bits: u32) -> Word {
        let list: Vec<_> = list.collect();
        list.iter().rev().fold(Word::constant(0, bits), |otherwise, (here, word)| Word::choose(here, word, &otherwise))
    }

    /// The first that applies, where one does: the last needs no condition.
    fn last_else(&self, list: impl Iterator<Item = (Truth, Word)>, bits: u32) -> Word {
        let mut list: Vec<_> = list.collect();
        let last = list.pop().map_or(Word::constant(0, bits), |it| it.1);
        list.iter().rev().fold(last, |otherwise, (here, word)| Word::choose(here, word, &otherwise))
    }

    // Processes.

    /// Whether the process of a slot is at a point.
    pub fn at(&self, slot: Slot, point: Point) -> Truth {
        self.whether(slot, self.world.points[slot].contains(&point), &|it| it == Some(point), |name| {
            Truth::is(name, self.world.point(point))
        })
    }

    /// Whether a slot has a process.
    pub fn exists(&self, slot: Slot) -> Truth {
        let fits = slot < self.world.points.len();
        self.whether(slot, fits, &|it| it.is_some(), |name| Truth::is(name, &self.world.none).not())
    }

    /// Whether a slot has a process of a type.
    pub fn has_type(&self, slot: Slot, ty: ProcessTypeId) -> Truth {
        if self.world.instance.layout.types[slot][..] == [ty] {
            return self.exists(slot);
        }
        let points = self.world.points[slot].iter().filter(|it| it.ty == ty);
        let names: Vec<&str> = points.map(|it| self.world.point(*it)).collect();
        let fits = !names.is_empty();
        self.whether(slot, fits, &|it| it.is_some_and(|it| it.ty == ty), |name| Truth::is_one_of(name, &names))
    }

    /// Whether something is true of where the process of a slot is, after what the step has done.
    fn whether(
        &self,
        slot: Slot,
        fits: bool,
        test: &dyn Fn(Option<Point>) -> bool,
        before: impl Fn(&str) -> Truth,
    ) -> Truth {
        if !fits {
            return Truth::constant(false);
        }
        let cell = Cell::Location(slot);
        let before = before(self.world.cell(cell));
        let Some(Value::Point(list)) = self.changes.get(&cell) else { return before };
        let now = |otherwise: Truth, (here, point): &(Truth, Option<Point>)| {
            Truth::choose(here, &Truth::constant(test(*point)), &otherwise)
        };
        list.iter().rev().fold(before, now)
    }

    /// The slots that can be meant, and where each is.
    pub fn instances(&self, ty: ProcessTypeId, number: Option<&Expr>) -> Vec<(Slot, Truth)> {
        let mut list = Vec::new();
        let mut nobody_before = Truth::constant(true);
        for slot in 0..self.world.points.len() {
            if !self.world.instance.layout.types[slot].contains(&ty) {
                continue;
            }
            let is_one = self.has_type(slot, ty);
            let chosen = match number {
                Some(number) => self.equal(number, &Expr::Constant(slot as i32)),
                None => nobody_before.clone(),
            };
            nobody_before = nobody_before.minus(&is_one);
            list.push((slot, is_one.and(&chosen)));
        }
        list.retain(|it| !it.1.is_false());
        list
    }

    fn remote_read(
        &self,
        ty: ProcessTypeId,
        instance: Option<&Expr>,
        id: VariableId,
        indices: &[Expr],
        bits: u32,
    ) -> Word {
        let variable = &self.world.model().process(ty).variables[id.0 as usize];
        let slots = self.instances(ty, instance).into_iter();
        let each = slots.map(|(slot, here)| {
            (here, self.one_of(Owner::Process(slot, ty), id, &self.elements(variable, indices), bits))
        });
        self.first_of(each, bits)
    }

    /// Processes die youngest first, so the last one that exists says how many there are.
    fn process_count(&self, bits: u32) -> Word {
        let slots = (0..self.world.points.len()).rev();
        self.first_of(slots.map(|it| (self.exists(it), Word::constant(it as i32 + 1, bits))), bits)
    }

    fn location_of(&self, process: &Expr, bits: u32) -> Word {
        let mut list = Vec::new();
        for slot in 0..self.world.points.len() {
            let is_it = self.equal(process, &Expr::Constant(slot as i32));
            for &point in self.world.points[slot].iter().filter(|it| it.inside.is_none() && !is_it.is_false()) {
                let number = self.world.model().process(point.ty).location(point.location).number;
                list.push((is_it.and(&self.at(slot, point)), Word::constant(number as i32, bits)));
            }
        }
        self.first_of(list.into_iter(), bits)
    }

    fn any_at(&self, mark: Mark) -> Truth {
        let mut any = Truth::constant(false);
        for (slot, points) in self.world.points.iter().enumerate() {
            for &point in points {
                if self.world.model().process(point.ty).location(point.location).is_marked(mark) {
                    any = any.or(&self.at(slot, point));
                }
            }
        }
        any
    }

    // Channels.

    /// The channels that an expression can name, and where it names each.
    pub fn channels(&self, expr: &Expr) -> Vec<(ChannelRow, Truth)> {
        let (rows, possible) = (self.world.instance.layout.channels.len(), self.possible(expr));
        let mut list = Vec::new();
        for row in 0..rows {
            let same = match self.fixed_number(row) {
                Some(number) if possible.as_ref().is_some_and(|it| !it.contains(&number)) => continue,
                Some(number) => self.equal(expr, &Expr::Constant(number)),
                None => self.word(expr, 32).equals(&self.channel_number(row, 32)),
            };
            let here = same.and(&self.channel_exists(row));
            list.extend(Some((row, here)).filter(|it| !it.1.is_false()));
        }
        list
    }

    /// Something that is true of the channel that an expression names.
    fn over(&self, channel: &Expr, test: impl Fn(ChannelRow) -> Truth) -> Truth {
        let rows = self.channels(channel);
        rows.into_iter().fold(Truth::constant(false), |any, (row, here)| any.or(&here.and(&test(row))))
    }

    /// The number of a channel, if it is always the same.
    pub fn fixed_number(&self, row: ChannelRow) -> Option<i32> {
        let layout = &self.world.instance.layout;
        let channel = layout.channels[row];
        let Owner::Process(slot, _) = channel.owner else { return Some(channel.index as i32 + 1) };
        let mut below = layout.channels_of(Owner::Global).count() as u32;
        for types in &layout.types[..slot] {
            let mut counts = types.iter().map(|ty| channel_count(self.world.model(), *ty));
            let first = counts.next().unwrap_or(0);
            if counts.any(|it| it != first) {
                return None;
            }
            below += first;
        }
        Some((below + channel.index + 1) as i32)
    }

    /// The number of a channel.
    pub fn channel_number(&self, row: ChannelRow, bits: u32) -> Word {
        if let Some(number) = self.fixed_number(row) {
            return Word::constant(number, bits);
        }
        let layout = &self.world.instance.layout;
        let channel = layout.channels[row];
        let first = layout.channels_of(Owner::Global).count() as i32 + channel.index as i32 + 1;
        let mut number = Word::constant(first, bits);
        if let Owner::Process(slot, _) = channel.owner {
            for below in 0..slot {
                let each = layout.types[below].iter().map(|&ty| {
                    (self.has_type(below, ty), Word::constant(channel_count(self.world.model(), ty) as i32, bits))
                });
                number = Word::combine(Operator::Add, &number, &self.last_else(each, bits));
            }
        }
        number
    }

    /// Whether a channel exists.
    pub fn channel_exists(&self, row: ChannelRow) -> Truth {
        match self.world.instance.layout.channels[row].owner {
            Owner::Global => Truth::constant(true),
            Owner::Process(slot, ty) => self.has_type(slot, ty),
        }
    }

    /// Messages that a channel can hold.
    pub fn capacity(&self, row: ChannelRow) -> u32 {
        self.world.shape(row).capacity
    }

    /// Whether a channel holds so many messages.
    pub fn has_length(&self, row: ChannelRow, length: u32) -> Truth {
        let bits = self.length_bits(row);
        self.cell(Cell::Length(row), bits).equals(&Word::constant(length as i32, bits))
    }

    /// Bits of the length of a channel.
    pub fn length_bits(&self, row: ChannelRow) -> u32 {
        self.world.kind(Cell::Length(row)).bits()
    }

    /// Whether a channel holds more messages than this.
    pub fn is_longer(&self, row: ChannelRow, length: u32) -> Truth {
        let bits = self.length_bits(row);
        match length {
            0 => self.has_length(row, 0).not(),
            _ => Word::constant(length as i32, bits).less(&self.cell(Cell::Length(row), bits)),
        }
    }

    /// Whether no more fits into a channel.
    pub fn is_full(&self, row: ChannelRow) -> Truth {
        match self.capacity(row) {
            0 => Truth::constant(false),
            capacity => self.has_length(row, capacity),
        }
    }

    /// A message in a channel.
    pub fn message(&self, row: ChannelRow, place: u32) -> Vec<Number> {
        let fields = self.world.fields(row).iter().enumerate();
        fields
            .map(|(field, &ty)| Number::new(self.cell(Cell::Field(row, place, field as u32), Number::bits(ty)), ty))
            .collect()
    }

    /// The places of the message that a receive would take, and where each is the one.
    pub fn find(&self, row: ChannelRow, patterns: &[Pattern], anywhere: bool) -> Vec<(u32, Truth)> {
        let candidates = if anywhere { self.capacity(row) } else { self.capacity(row).min(1) };
        let mut searching = Truth::constant(true);
        let mut list = Vec::new();
        for place in 0..candidates {
            let hit = self.is_longer(row, place).and(&self.matches(patterns, &self.message(row, place)));
            list.push((place, searching.and(&hit)));
            searching = searching.minus(&hit);
        }
        list.retain(|it| !it.1.is_false());
        list
    }

    /// Whether a message has the values that a receive wants.
    pub fn matches(&self, patterns: &[Pattern], message: &[Number]) -> Truth {
        let pairs = patterns.iter().zip(message);
        let each: Vec<Truth> = pairs.filter_map(|(it, field)| Some(self.same(it.value()?, field))).collect();
        Truth::all(&each)
    }

    /// Whether a value is that of a field.
    pub fn same(&self, expr: &Expr, field: &Number) -> Truth {
        let (one, two) = (self.bounds(expr), field.bounds());
        if one.1 < two.0 || two.1 < one.0 {
            return Truth::constant(false);
        }
        let bits = holding((one.0.min(two.0), one.1.max(two.1))).bits();
        self.word(expr, bits).equals(&field.low(bits))
    }
}

/// A word with more or fewer bits.
pub fn resized(word: &Word, signed: bool, bits: u32) -> Word {
    match bits < word.bits {
        true => word.slice(0, bits),
        false if signed => word.sign_extended(bits),
        false => word.extended(bits),
    }
}

/// A number with the bits of a type.
#[derive(Clone, Debug)]
pub struct Number {
    word: Word,
    ty: model::Type,
}

impl Number {
    /// A word that has the bits of a type.
    pub fn new(word: Word, ty: model::Type) -> Self {
        Number { word, ty }
    }

    /// The bits of a type.
    pub fn bits(ty: model::Type) -> u32 {
        crate::world::type_bits(ty)
    }

    /// Its lowest bits.
    pub fn low(&self, bits: u32) -> Word {
        resized(&self.word, crate::world::is_signed(self.ty), bits)
    }

    /// The first where the condition is true, else the second, both of the same type.
    pub fn choose(condition: &Truth, yes: &Number, no: &Number) -> Number {
        Number { word: Word::choose(condition, &yes.word, &no.word), ty: yes.ty }
    }

    /// Whether it is less than another of the same type.
    pub fn less(&self, other: &Number) -> Truth {
        match crate::world::is_signed(self.ty) {
            true => self.word.less_signed(&other.word),
            false => self.word.less(&other.word),
        }
    }

    /// Whether it is equal to another of the same type.
    pub fn equals(&self, other: &Number) -> Truth {
        self.word.equals(&other.word)
    }

    fn bounds(&self) -> (i64, i64) {
        let bits = self.word.bits;
        if crate::world::is_signed(self.ty) { Kind::Signed(bits).bounds() } else { Kind::Unsigned(bits).bounds() }
    }
}
