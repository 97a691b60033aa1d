//! Expressions.
use model::{BinaryOp, Expr, Pattern, Place, ProcessTypeId, Scope, Type, UnaryOp, VariableId};

use super::{Compiler, Mark, wanted};
use crate::code::{Array, Comparison, Element, Instr, Reg};
use crate::machine::{Template, Wanted};
use crate::packing::Home;
use crate::slot::Slot;

/// An operand that needs no register.
enum Simple {
    Constant(i32),
    Variable(Slot),
}

impl Compiler<'_> {
    /// The value of an expression, if it is the same in every state.
    pub(super) fn constant(&self, expr: &Expr) -> Option<i32> {
        match expr {
            Expr::Constant(value) => Some(*value),
            Expr::Me => Some(self.pid as i32),
            Expr::Read(place) => self.constant_place(place),
            Expr::Unary(op, operand) => Some(op.apply(self.constant(operand)?)),
            Expr::Binary(BinaryOp::And, left, _) if self.constant(left)? == 0 => Some(0),
            Expr::Binary(BinaryOp::Or, left, _) if self.constant(left)? != 0 => Some(1),
            Expr::Binary(op, left, right) => op.apply(self.constant(left)?, self.constant(right)?),
            Expr::Conditional(condition, yes, no) => {
                self.constant(if self.constant(condition)? != 0 { yes } else { no })
            }
            _ => None,
        }
    }

    fn constant_place(&self, place: &Place) -> Option<i32> {
        if place.scope == Scope::Local
            && let Some(known) = self.site.known.iter().find(|it| it.0 == place.variable)
        {
            return place.indices.is_empty().then_some(known.1);
        }
        let (Home::Constant(values), variable) = self.variable(place.scope, place.variable) else { return None };
        values.get(self.constant_index(&variable.dimensions, &place.indices)?).copied()
    }

    fn constant_index(&self, dimensions: &[u32], indices: &[Expr]) -> Option<usize> {
        let mut element = 0;
        for (&size, index) in dimensions.iter().zip(indices) {
            let index = u32::try_from(self.constant(index)?).ok().filter(|&it| it < size)?;
            element = element * size as usize + index as usize;
        }
        Some(element)
    }

    /// A constant, or a variable that can be read in one go.
    fn simple(&self, expr: &Expr) -> Option<Simple> {
        if let Some(value) = self.constant(expr) {
            return Some(Simple::Constant(value));
        }
        match expr {
            Expr::Read(place) => self.slot(place).filter(|it| it.1 != Type::Short).map(|it| Simple::Variable(it.0)),
            Expr::ProcessCount => Some(Simple::Variable(self.packing.count)),
            Expr::LastMover => self.packing.last_mover.map(Simple::Variable),
            Expr::Length(channel) => {
                let place = self.known_channel(channel).filter(|it| self.capacity(*it) > 0)?;
                Some(Simple::Variable(place.length))
            }
            _ => None,
        }
    }

    /// A slot that is known now.
    pub(super) fn slot(&self, place: &Place) -> Option<(Slot, Type)> {
        let (home, variable) = self.variable(place.scope, place.variable);
        let Home::Bits { bit, width } = home else { return None };
        let element = self.constant_index(&variable.dimensions, &place.indices)?;
        Some((Slot::new(bit + element as u32 * width, *width), variable.ty))
    }

    /// An element whose index is a sum of multiples of at most two variables; a row of the tables.
    pub(super) fn element(&mut self, place: &Place) -> Option<u16> {
        let (home, variable) = self.variable(place.scope, place.variable);
        let ([index], Home::Bits { bit, width }) = (&place.indices[..], home) else { return None };
        if variable.ty == Type::Short {
            return None;
        }
        let mut sum = Sum::default();
        self.add_to_sum(index, 1, &mut sum)?;
        let element = Element {
            array: array(*bit, *width),
            terms: sum.terms,
            offset: sum.offset,
            size: variable.elements() as u32,
        };
        let row = self.tables.elements.iter().position(|it| *it == element).unwrap_or_else(|| {
            self.tables.elements.push(element);
            self.tables.elements.len() - 1
        });
        u16::try_from(row).ok()
    }

    /// Adds a multiple of an expression, if that is possible.
    fn add_to_sum(&self, expr: &Expr, times: i32, sum: &mut Sum) -> Option<()> {
        match (expr, self.simple(expr)) {
            (_, Some(Simple::Constant(value))) => {
                sum.offset = sum.offset.wrapping_add(value.wrapping_mul(times));
                Some(())
            }
            (_, Some(Simple::Variable(slot))) => sum.add(slot, times),
            (Expr::Binary(BinaryOp::Add, left, right), _) => {
                self.add_to_sum(left, times, sum)?;
                self.add_to_sum(right, times, sum)
            }
            (Expr::Binary(BinaryOp::Sub, left, right), _) => {
                self.add_to_sum(left, times, sum)?;
                self.add_to_sum(right, times.wrapping_neg(), sum)
            }
            (Expr::Binary(BinaryOp::Mul, left, right), _) => match (self.constant(left), self.constant(right)) {
                (Some(factor), _) => self.add_to_sum(right, times.wrapping_mul(factor), sum),
                (_, Some(factor)) => self.add_to_sum(left, times.wrapping_mul(factor), sum),
                _ => None,
            },
            _ => None,
        }
    }

    /// Compares an element with a constant or a variable; false if this is something else.
    fn compare_element(&mut self, left: &Expr, comparison: Comparison, right: &Expr, to: Mark) -> bool {
        let Expr::Read(place) = left else { return false };
        let Some(right) = self.simple(right) else { return false };
        let Some(element) = self.element(place) else { return false };
        self.emit(match right {
            Simple::Constant(value) => Instr::IfElementConst(element, comparison, value, to.0),
            Simple::Variable(slot) => Instr::IfElementSlot(element, comparison, slot, to.0),
        });
        true
    }

    /// Jumps if the condition is false.
    pub(super) fn jump_unless(&mut self, expr: &Expr, to: Mark, free: Reg) {
        match expr {
            _ if self.constant(expr).is_some() => {
                if self.constant(expr) == Some(0) {
                    self.jump(to);
                }
            }
            Expr::Unary(UnaryOp::Not, inner) => self.jump_if(inner, to, free),
            Expr::Binary(BinaryOp::And, left, right) => {
                self.jump_unless(left, to, free);
                self.jump_unless(right, to, free);
            }
            Expr::Binary(BinaryOp::Or, left, right) => {
                let yes = self.mark();
                self.jump_if(left, yes, free);
                self.jump_unless(right, to, free);
                self.set(yes);
            }
            Expr::Timeout => {
                let yes = self.mark();
                self.emit(Instr::IfTimeout(yes.0));
                self.jump(to);
                self.set(yes);
            }
            _ => self.compare_and_jump(expr, false, to, free),
        }
    }

    /// Jumps if the condition is true.
    pub(super) fn jump_if(&mut self, expr: &Expr, to: Mark, free: Reg) {
        match expr {
            _ if self.constant(expr).is_some() => {
                if self.constant(expr) != Some(0) {
                    self.jump(to);
                }
            }
            Expr::Unary(UnaryOp::Not, inner) => self.jump_unless(inner, to, free),
            Expr::Binary(BinaryOp::Or, left, right) => {
                self.jump_if(left, to, free);
                self.jump_if(right, to, free);
            }
            Expr::Binary(BinaryOp::And, left, right) => {
                let no = self.mark();
                self.jump_unless(left, no, free);
                self.jump_if(right, to, free);
                self.set(no);
            }
            Expr::Timeout => self.emit(Instr::IfTimeout(to.0)),
            _ => self.compare_and_jump(expr, true, to, free),
        }
    }

    /// Jumps if the truth of a condition without `&&`, `||` and `!` is `wanted`.
    fn compare_and_jump(&mut self, expr: &Expr, wanted: bool, to: Mark, free: Reg) {
        let (left, comparison, right) = match expr {
            Expr::Binary(op, left, right) if comparison(*op).is_some() => {
                (&**left, comparison(*op).unwrap_or(Comparison::Ne), &**right)
            }
            Expr::Empty(channel) if self.known_channel(channel).is_some_and(|it| self.capacity(it) > 0) => {
                return self.compare_and_jump(&is_zero(Expr::Length(channel.clone())), wanted, to, free);
            }
            Expr::Full(channel) if self.known_channel(channel).is_some_and(|it| self.capacity(it) > 0) => {
                let place = self.known_channel(channel).expect("tested above");
                let capacity = Expr::Constant(self.capacity(place) as i32);
                let full = Expr::Binary(BinaryOp::Eq, Box::new(Expr::Length(channel.clone())), Box::new(capacity));
                return self.compare_and_jump(&full, wanted, to, free);
            }
            _ => (expr, Comparison::Ne, &Expr::Constant(0)),
        };
        let comparison = if wanted { comparison } else { comparison.negated() };
        match (self.simple(left), self.simple(right)) {
            (Some(Simple::Variable(slot)), Some(Simple::Constant(value))) => {
                self.emit(Instr::IfSlotConst(slot, comparison, value, to.0));
            }
            (Some(Simple::Constant(value)), Some(Simple::Variable(slot))) => {
                self.emit(Instr::IfSlotConst(slot, mirrored(comparison), value, to.0));
            }
            (Some(Simple::Variable(left)), Some(Simple::Variable(right))) => {
                self.emit(Instr::IfSlots(left, comparison, right, to.0));
            }
            (None, Some(_)) if self.compare_element(left, comparison, right, to) => {}
            (Some(_), None) if self.compare_element(right, mirrored(comparison), left, to) => {}
            (_, Some(Simple::Constant(value))) => {
                self.expr(left, free);
                self.if_register(free, comparison, value, to);
            }
            _ => {
                self.expr(left, free);
                let second = self.next(free);
                self.expr(right, second);
                self.emit(Instr::IfRegs(free, comparison, second, to.0));
            }
        }
    }

    /// The value of an expression, in a register; those behind it are free.
    pub(super) fn expr(&mut self, expr: &Expr, to: Reg) {
        match self.simple(expr) {
            Some(Simple::Constant(value)) => return self.emit(Instr::Const(to, value)),
            Some(Simple::Variable(slot)) => return self.emit(Instr::Load(to, slot)),
            None => {}
        }
        match expr {
            Expr::Read(place) => self.read(place, to),
            Expr::Unary(UnaryOp::Not, _) | Expr::Binary(BinaryOp::And | BinaryOp::Or, ..) | Expr::Timeout => {
                self.truth(expr, to);
            }
            Expr::Unary(op, operand) => {
                self.expr(operand, to);
                self.emit(Instr::Unary(*op, to, to));
            }
            Expr::Binary(op, left, right) => self.binary(*op, left, right, to),
            Expr::Conditional(condition, yes, no) => {
                let (other, end) = (self.mark(), self.mark());
                self.jump_unless(condition, other, to);
                self.expr(yes, to);
                self.jump(end);
                self.set(other);
                self.expr(no, to);
                self.set(end);
            }
            Expr::Length(channel) => {
                self.channel(channel, to);
                self.emit(Instr::Length(to, to));
            }
            Expr::Full(channel) => {
                self.channel(channel, to);
                self.emit(Instr::Full(to, to));
            }
            Expr::Empty(channel) => {
                self.channel(channel, to);
                self.emit(Instr::Length(to, to));
                self.emit(Instr::Unary(UnaryOp::Not, to, to));
            }
            Expr::Poll { channel, patterns, anywhere } => self.poll(channel, patterns, *anywhere, to),
            Expr::Spawned => self.emit(Instr::Spawned(to)),
            Expr::RemoteAt { process, instance, location } => {
                let location = location.0 as i32;
                self.remote(*process, instance.as_deref(), to, &|it, pid, to| {
                    it.emit(Instr::Load(to, it.packing.fixed[pid].1.location));
                    it.emit(Instr::BinaryConst(BinaryOp::Eq, to, to, location));
                });
            }
            Expr::RemoteRead { process, instance, variable, indices } if indices.is_empty() => {
                self.remote(*process, instance.as_deref(), to, &|it, pid, to| it.remote_variable(pid, *variable, to));
            }
            _ => self.emit(Instr::Trouble),
        }
    }

    fn truth(&mut self, expr: &Expr, to: Reg) {
        let (no, end) = (self.mark(), self.mark());
        self.jump_unless(expr, no, to);
        self.emit(Instr::Const(to, 1));
        self.jump(end);
        self.set(no);
        self.emit(Instr::Const(to, 0));
        self.set(end);
    }

    fn binary(&mut self, op: BinaryOp, left: &Expr, right: &Expr, to: Reg) {
        self.expr(left, to);
        match self.constant(right) {
            Some(value) => self.emit(Instr::BinaryConst(op, to, to, value)),
            None => {
                let second = self.next(to);
                self.expr(right, second);
                self.emit(Instr::Binary(op, to, to, second));
            }
        }
    }

    fn read(&mut self, place: &Place, to: Reg) {
        let (home, variable) = self.variable(place.scope, place.variable);
        let ty = variable.ty;
        if let Some((slot, _)) = self.slot(place) {
            self.emit(Instr::Load(to, slot));
        } else if let Some(element) = self.element(place) {
            self.emit(Instr::LoadElement(to, element));
        } else {
            let dimensions = variable.dimensions.clone();
            self.index(&dimensions, &place.indices, to);
            let elements = variable.elements() as u32;
            match home {
                Home::Bits { bit, width } => self.emit(Instr::LoadAt(to, to, array(*bit, *width), elements)),
                Home::Constant(values) => {
                    self.tables.arrays.push(values.clone());
                    let row = self.tables.arrays.len() as u32 - 1;
                    return self.emit(Instr::LoadTable(to, to, row));
                }
            }
        }
        if ty == Type::Short {
            self.emit(Instr::SignExtend(to));
        }
    }

    /// The row-major index of an element.
    pub(super) fn index(&mut self, dimensions: &[u32], indices: &[Expr], to: Reg) {
        for (row, (&size, index)) in dimensions.iter().zip(indices).enumerate() {
            let register = if row == 0 { to } else { self.next(to) };
            self.expr(index, register);
            if dimensions.len() > 1 {
                self.emit(Instr::Check(register, size));
            }
            if row > 0 {
                self.emit(Instr::Index(to, register, size));
            }
        }
    }

    fn poll(&mut self, channel: &Expr, patterns: &[Pattern], anywhere: bool, to: Reg) {
        self.channel(channel, to);
        self.no_rendezvous(to);
        let first = self.next(to);
        self.values(patterns, first);
        let template = self.template(patterns, anywhere, false);
        self.emit(Instr::Find(to, to, first, template));
        self.emit(Instr::BinaryConst(BinaryOp::Ge, to, to, 0));
    }

    /// Trouble if the channel in a register is a rendezvous.
    pub(super) fn no_rendezvous(&mut self, channel: Reg) {
        let free = self.next(channel);
        let fine = self.mark();
        self.emit(Instr::IsRendezvous(free, channel));
        self.if_register(free, Comparison::Eq, 0, fine);
        self.emit(Instr::Trouble);
        self.set(fine);
    }

    /// The values that a pattern compares with, in registers one after the other; the next free one.
    pub(super) fn values(&mut self, patterns: &[Pattern], first: Reg) -> Reg {
        let mut register = first;
        for value in wanted(patterns) {
            self.expr(value, register);
            register = self.next(register);
        }
        register
    }

    pub(super) fn template(&mut self, patterns: &[Pattern], anywhere: bool, whole: bool) -> u32 {
        let wanted = |it: &Pattern| if it.value().is_some() { Wanted::Value } else { Wanted::Any };
        let template = Template { fields: patterns.iter().map(wanted).collect(), anywhere, whole };
        let row = self.tables.templates.iter().position(|it| *it == template);
        row.unwrap_or_else(|| {
            self.tables.templates.push(template);
            self.tables.templates.len() - 1
        }) as u32
    }

    // Other processes: only those that have fixed places.

    fn remote(&mut self, ty: ProcessTypeId, instance: Option<&Expr>, to: Reg, read: &dyn Fn(&mut Self, usize, Reg)) {
        let pid = match instance {
            _ if !self.packing.same_length => return self.emit(Instr::Trouble),
            Some(instance) => match self.constant(instance) {
                Some(pid) => usize::try_from(pid).ok(),
                None => return self.emit(Instr::Trouble),
            },
            None => self.packing.fixed.iter().position(|it| it.0 == ty),
        };
        let Some(pid) = pid.filter(|&it| self.packing.fixed.get(it).is_some_and(|it| it.0 == ty)) else {
            return self.emit(Instr::Const(to, 0));
        };
        let (gone, end) = (self.mark(), self.mark());
        self.emit(Instr::IfSlotConst(self.packing.count, Comparison::Le, pid as i32, gone.0));
        read(self, pid, to);
        self.jump(end);
        self.set(gone);
        self.emit(Instr::Const(to, 0));
        self.set(end);
    }

    fn remote_variable(&mut self, pid: usize, variable: VariableId, to: Reg) {
        let (ty, frame) = &self.packing.fixed[pid];
        let short = self.model.process(*ty).variables[variable.0 as usize].ty == Type::Short;
        match &frame.variables[variable.0 as usize] {
            Home::Constant(values) => self.emit(Instr::Const(to, values[0])),
            Home::Bits { bit, width } => {
                self.emit(Instr::Load(to, Slot::new(*bit, *width)));
                if short {
                    self.emit(Instr::SignExtend(to));
                }
            }
        }
    }
}

/// A sum of multiples of variables and a constant.
#[derive(Default)]
struct Sum {
    terms: [(Slot, i32); 2],
    used: usize,
    offset: i32,
}

impl Sum {
    fn add(&mut self, slot: Slot, times: i32) -> Option<()> {
        let known = self.terms[..self.used].iter_mut().find(|it| it.0 == slot);
        if let Some(term) = known {
            term.1 = term.1.wrapping_add(times);
            return Some(());
        }
        *self.terms.get_mut(self.used)? = (slot, times);
        self.used += 1;
        Some(())
    }
}

pub(super) fn array(bit: u32, width: u32) -> Array {
    Array { bit, log_width: width.ilog2() as u8 }
}

fn is_zero(expr: Expr) -> Expr {
    Expr::Binary(BinaryOp::Eq, Box::new(expr), Box::new(Expr::Constant(0)))
}

fn comparison(op: BinaryOp) -> Option<Comparison> {
    Some(match op {
        BinaryOp::Eq => Comparison::Eq,
        BinaryOp::Ne => Comparison::Ne,
        BinaryOp::Lt => Comparison::Lt,
        BinaryOp::Le => Comparison::Le,
        BinaryOp::Gt => Comparison::Gt,
        BinaryOp::Ge => Comparison::Ge,
        _ => return None,
    })
}

/// The comparison with its sides exchanged.
fn mirrored(comparison: Comparison) -> Comparison {
    match comparison {
        Comparison::Lt => Comparison::Gt,
        Comparison::Le => Comparison::Ge,
        Comparison::Gt => Comparison::Lt,
        Comparison::Ge => Comparison::Le,
        same => same,
    }
}
