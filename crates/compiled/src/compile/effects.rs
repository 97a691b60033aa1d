//! Effects: when they can happen, and what they do.
use model::{BinaryOp, Effect, Expr, LocationId, Place, PrintPart, ProcessTypeId, Type};

use super::expressions::array;
use super::{Compiler, Mark};
use crate::births::Parent;
use crate::code::{Comparison, Instr, Reg};
use crate::packing::{Home, width as bits_of};
use crate::slot::Slot;

impl Compiler<'_> {
    /// Jumps if the effect cannot happen now.
    pub(super) fn condition(&mut self, effect: &Effect, blocked: Mark) {
        match effect {
            Effect::Require(condition) => self.jump_unless(condition, blocked, 0),
            Effect::Send { channel, .. } => self.can_send(channel, blocked),
            Effect::Receive { channel, patterns, anywhere, keep } => {
                self.can_receive(channel, patterns, *anywhere, *keep, blocked);
            }
            Effect::Indivisible(entry) => self.can_enter(*entry, blocked),
            Effect::Terminate => {
                let count = self.packing.count;
                self.emit(Instr::IfSlotConst(count, Comparison::Ne, self.pid as i32 + 1, blocked.0));
            }
            Effect::Assign(..)
            | Effect::Evaluate(_)
            | Effect::Assert(_)
            | Effect::Print(_)
            | Effect::Spawn { .. }
            | Effect::SetPriority(..) => {}
        }
    }

    /// What the effect does if it can happen; jumps if it turns out that it cannot.
    pub(super) fn action(&mut self, effect: &Effect, target: Option<LocationId>, blocked: Mark) {
        match effect {
            Effect::Assign(place, value) => self.assign(place, value),
            Effect::Evaluate(expr) => self.expr(expr, 0),
            Effect::Require(_) => {}
            Effect::Send { channel, message, sorted } => match self.known_queue(channel, message.len()) {
                Some(place) if !*sorted => self.push(channel, place, message),
                _ => self.send(channel, message, *sorted),
            },
            Effect::Receive { channel, patterns, anywhere, keep } => {
                self.receive(channel, patterns, *anywhere, *keep);
            }
            Effect::Assert(condition) => self.trouble_unless(condition),
            Effect::Print(parts) => self.print(parts),
            Effect::Spawn { process, arguments, .. } => self.spawn(*process, arguments),
            Effect::SetPriority(..) => self.emit(Instr::Trouble),
            Effect::Indivisible(entry) => self.region(*entry, target, false, blocked),
            Effect::Terminate => self.terminate(),
        }
    }

    fn spawn(&mut self, process: ProcessTypeId, arguments: &[Expr]) {
        let mut register = 0;
        for argument in arguments {
            self.expr(argument, register);
            register = self.next(register);
        }
        let here = self.effect.map(|(edge, effect)| Parent::Edge(edge, effect));
        match self.packing.births.iter().position(|it| Some(it.by) == here) {
            // It was rehearsed, in few states.
            None if self.packing.same_length => self.emit(Instr::Trouble),
            Some(row) if self.packing.same_length => {
                let child = self.model.start.len() + row;
                self.emit(Instr::StoreConst(self.packing.count, child as i32 + 1));
                self.as_process(child, |it| it.come_to_life(arguments.len()));
                self.emit(Instr::Born(child as u8, process.0 as u8));
            }
            _ => self.emit(Instr::Spawn(process.0 as u8, 0, arguments.len() as u8)),
        }
    }

    /// The first values of a process with a fixed place, whose arguments are in the first registers.
    fn come_to_life(&mut self, arguments: usize) {
        self.emit(Instr::StoreConst(self.frame.location, self.graph.entry.0 as i32));
        for row in 0..arguments.min(self.graph.variables.len()) {
            self.store_element(row, 0, row as Reg);
        }
        self.initial_channels();
        self.initial_values();
    }

    /// A process with a fixed place leaves zeros.
    fn terminate(&mut self) {
        if self.site.keeps.is_empty() {
            return self.emit(Instr::Terminate(self.pid as u8));
        }
        self.emit(Instr::StoreConst(self.packing.count, self.pid as i32));
        self.site.keeps.iter().for_each(|&(word, bits)| self.emit(Instr::Mask(word as u16, bits)));
    }

    /// Nobody listens, but a fault in an argument is a fault all the same.
    fn print(&mut self, parts: &[PrintPart]) {
        for part in parts {
            if let PrintPart::Value(_, expr) | PrintPart::Name(_, expr) = part
                && self.constant(expr).is_none()
            {
                self.expr(expr, 0);
            }
        }
    }

    fn assign(&mut self, place: &Place, value: &Expr) {
        if let Some((slot, ty)) = self.slot(place)
            && slot.width() == bits_of(ty)
            && self.assign_simple(slot, value)
        {
            return;
        }
        let (home, variable) = self.variable(place.scope, place.variable);
        if let (Some(constant), Home::Bits { .. }) = (self.constant(value), home)
            && let Some(element) = self.element(place)
        {
            return self.emit(Instr::StoreElementConst(element, variable.ty.truncate(constant)));
        }
        self.expr(value, 0);
        self.store(place, 0);
    }

    /// A constant, another variable, or a variable and a constant: one instruction.
    fn assign_simple(&mut self, slot: Slot, value: &Expr) -> bool {
        if let Some(constant) = self.constant(value) {
            self.emit(Instr::StoreConst(slot, constant));
            return true;
        }
        let read = |it: &Self, expr: &Expr| match expr {
            Expr::Read(place) => it.slot(place).filter(|it| it.1 != Type::Short).map(|it| it.0),
            _ => None,
        };
        if let Some(from) = read(self, value) {
            self.emit(Instr::Copy(slot, from));
            return true;
        }
        let Expr::Binary(op, left, right) = value else { return false };
        let (Some(from), Some(constant)) = (read(self, left), self.constant(right)) else { return false };
        let constant = match op {
            BinaryOp::Add => constant,
            BinaryOp::Sub => constant.wrapping_neg(),
            _ => return false,
        };
        self.emit(Instr::Add(slot, from, constant));
        true
    }

    /// Stores a register; those behind it are free.
    pub(super) fn store(&mut self, place: &Place, from: Reg) {
        let (home, variable) = self.variable(place.scope, place.variable);
        let Home::Bits { bit, width } = home else { return self.emit(Instr::Trouble) };
        self.narrow(from, variable.ty, *width);
        if let Some((slot, _)) = self.slot(place) {
            return self.emit(Instr::Store(slot, from));
        }
        if let Some(element) = self.element(place) {
            return self.emit(Instr::StoreElement(element, from));
        }
        let index = self.next(from);
        let dimensions = variable.dimensions.clone();
        self.index(&dimensions, &place.indices, index);
        self.emit(Instr::StoreAt(array(*bit, *width), index, from, variable.elements() as u32));
    }

    /// Cuts a value to its type where its place is wider.
    pub(super) fn narrow(&mut self, register: Reg, ty: Type, width: u32) {
        let bits = bits_of(ty);
        if bits < width {
            self.emit(Instr::BinaryConst(BinaryOp::BitAnd, register, register, (1 << bits) - 1));
        }
    }
}
