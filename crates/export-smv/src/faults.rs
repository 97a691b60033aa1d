//! Where an expression has no value: division by 0, an index outside its array, no channel.
//!
//! What goes wrong counts only where the value matters: the right side of `&&` only where the left side is true. Of several faults the first counts.
use engine_symbolic::{ChannelRow, Owner, Trouble};
use model::{BinaryOp, Expr, Pattern, Variable};

use crate::term::Truth;
use crate::view::{Number, View};

/// Where something has no value.
#[derive(Clone, Debug)]
pub struct Faults {
    /// Each kind, and where it is the first.
    pub list: Vec<(Trouble, Truth)>,
    /// All of them.
    pub any: Truth,
}

impl Default for Faults {
    fn default() -> Self {
        Faults { list: Vec::new(), any: Truth::constant(false) }
    }
}

impl Faults {
    /// One more.
    pub fn add(&mut self, trouble: Trouble, condition: &Truth) {
        let new = condition.minus(&self.any);
        if !new.is_false() {
            self.any = self.any.or(&new);
            self.list.push((trouble, new));
        }
    }
}

impl View<'_> {
    /// Adds where an expression has no value.
    pub fn faults(&self, expr: &Expr, when: &Truth, faults: &mut Faults) {
        if when.is_false() {
            return;
        }
        match expr {
            Expr::Read(place) => self.index_faults(self.declared(place).1, &place.indices, when, faults),
            Expr::Binary(op @ (BinaryOp::And | BinaryOp::Or), left, right) => {
                self.faults(left, when, faults);
                let left = self.truth(left);
                let matters = if *op == BinaryOp::And { when.and(&left) } else { when.minus(&left) };
                self.faults(right, &matters, faults);
            }
            Expr::Binary(op, left, right) => {
                self.faults(left, when, faults);
                self.faults(right, when, faults);
                if matches!(op, BinaryOp::Div | BinaryOp::Rem) {
                    faults.add(Trouble::Division, &when.minus(&self.truth(right)));
                }
            }
            Expr::Conditional(condition, yes, no) => {
                self.faults(condition, when, faults);
                let condition = self.truth(condition);
                self.faults(yes, &when.and(&condition), faults);
                self.faults(no, &when.minus(&condition), faults);
            }
            Expr::Length(channel) | Expr::Full(channel) | Expr::Empty(channel) => {
                self.channel_faults(channel, when, faults);
            }
            Expr::Poll { channel, patterns, anywhere } => {
                self.channel_faults(channel, when, faults);
                for (row, here) in self.channels(channel) {
                    self.poll_faults(row, patterns, *anywhere, &when.and(&here), faults);
                }
            }
            Expr::RemoteRead { process, instance, variable, indices } => {
                instance.iter().for_each(|it| self.faults(it, when, faults));
                let variable = &self.world.model().process(*process).variables[variable.0 as usize];
                for (_, here) in self.instances(*process, instance.as_deref()) {
                    self.index_faults(variable, indices, &when.and(&here), faults);
                }
            }
            _ => expr.parts(&mut |part| self.faults(part, when, faults)),
        }
    }

    fn poll_faults(&self, row: ChannelRow, patterns: &[Pattern], anywhere: bool, here: &Truth, faults: &mut Faults) {
        match self.capacity(row) {
            0 => faults.add(Trouble::RendezvousPoll, here),
            _ => self.find_faults(row, patterns, anywhere, false, here, faults),
        }
    }

    /// Adds where an index is outside its array.
    pub fn index_faults(&self, variable: &Variable, indices: &[Expr], when: &Truth, faults: &mut Faults) {
        let mut valid = when.clone();
        for (&size, index) in variable.dimensions.iter().zip(indices) {
            self.faults(index, &valid, faults);
            let inside = self.is_within(index, size);
            faults.add(Trouble::Index, &valid.minus(&inside));
            valid = valid.and(&inside);
        }
    }

    fn is_within(&self, index: &Expr, size: u32) -> Truth {
        let compare =
            |op, limit| self.truth(&Expr::Binary(op, Box::new(index.clone()), Box::new(Expr::Constant(limit))));
        compare(BinaryOp::Ge, 0).and(&compare(BinaryOp::Lt, size as i32))
    }

    /// Adds where an expression names no channel.
    pub fn channel_faults(&self, expr: &Expr, when: &Truth, faults: &mut Faults) {
        self.faults(expr, when, faults);
        let possible = self.possible(expr);
        if possible.as_ref().is_none_or(|it| it.contains(&0)) {
            faults.add(Trouble::NoChannel, &when.and(&self.equal(expr, &Expr::Constant(0))));
        }
        let layout = &self.world.instance.layout;
        let globals = layout.channels_of(Owner::Global).filter_map(|row| self.fixed_number(row));
        let lasting: Vec<i32> = globals.collect();
        if possible.is_some_and(|it| it.iter().all(|number| *number == 0 || lasting.contains(number))) {
            return;
        }
        let named = self.channels(expr);
        faults.add(Trouble::DeadChannel, &when.minus(&Truth::any(named.iter().map(|it| &it.1))));
    }

    /// Adds where a receive cannot be told from another one because what it asks for has no value; if it `takes` a message, also where that has too
    /// many fields or too few.
    pub fn find_faults(
        &self,
        row: ChannelRow,
        patterns: &[Pattern],
        anywhere: bool,
        takes: bool,
        when: &Truth,
        faults: &mut Faults,
    ) {
        let candidates = if anywhere { self.capacity(row) } else { 1 };
        let mut searching = when.clone();
        for place in 0..candidates {
            searching = searching.and(&self.is_longer(row, place));
            let message = self.message(row, place);
            self.match_faults(patterns, &message, &searching, faults);
            let hit = searching.and(&self.matches(patterns, &message)).minus(&faults.any);
            searching = searching.minus(&self.matches(patterns, &message));
            if takes && patterns.len() != message.len() {
                faults.add(Trouble::MessageLength, &hit);
            }
        }
    }

    /// Adds where a value that a field must have has none itself.
    pub fn match_faults(&self, patterns: &[Pattern], message: &[Number], when: &Truth, faults: &mut Faults) {
        let mut same = when.clone();
        for (value, field) in patterns.iter().zip(message).filter_map(|(it, field)| Some((it.value()?, field))) {
            self.faults(value, &same, faults);
            same = same.and(&self.same(value, field));
        }
    }
}
