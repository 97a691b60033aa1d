//! Intervals of 32-bit numbers, and the interval in which the value of an expression lies.
//!
//! P. and R. Cousot, *Static determination of dynamic properties of programs*, 1976. An operation whose result
//! might wrap around gives all 32-bit numbers.
use model::{BinaryOp, Expr, Place, ProcessTypeId, Type, UnaryOp, VariableId};

/// All numbers from `low` to `high`, which fit 32 bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Interval {
    /// The least.
    pub low: i64,
    /// The greatest.
    pub high: i64,
}

impl Interval {
    /// All 32-bit numbers.
    pub const ALL: Interval = Interval { low: i32::MIN as i64, high: i32::MAX as i64 };
    /// 0 and 1.
    pub const TRUTH: Interval = Interval { low: 0, high: 1 };
    /// 0 alone.
    pub const ZERO: Interval = Interval { low: 0, high: 0 };

    /// From one number to another.
    pub fn new(low: i64, high: i64) -> Interval {
        Interval { low, high }
    }

    /// One number.
    pub fn exact(value: i32) -> Interval {
        Interval::new(value.into(), value.into())
    }

    /// What a type can hold.
    pub fn of_type(ty: Type) -> Interval {
        match ty {
            Type::Unsigned { bits } => Interval::new(0, (1 << bits) - 1),
            Type::Short => Interval::new(i16::MIN.into(), i16::MAX.into()),
            Type::Int => Interval::ALL,
            Type::Channel => Interval::new(0, 255),
        }
    }

    /// Both, and what lies between.
    pub fn join(self, other: Interval) -> Interval {
        Interval::new(self.low.min(other.low), self.high.max(other.high))
    }

    /// What is in both, if anything is.
    pub fn meet(self, other: Interval) -> Option<Interval> {
        let both = Interval::new(self.low.max(other.low), self.high.min(other.high));
        (both.low <= both.high).then_some(both)
    }

    /// Whether every number is in the other one, too.
    pub fn is_within(self, other: Interval) -> bool {
        other.low <= self.low && self.high <= other.high
    }

    /// What is kept when such a value is stored.
    pub fn truncate(self, ty: Type) -> Interval {
        let range = Interval::of_type(ty);
        if self.is_within(range) { self } else { range }
    }

    fn value(self) -> Option<i32> {
        (self.low == self.high).then_some(self.low as i32)
    }

    /// Everything, unless the numbers fit 32 bits.
    fn checked(low: i64, high: i64) -> Interval {
        let it = Interval::new(low, high);
        if it.is_within(Interval::ALL) { it } else { Interval::ALL }
    }

    fn corners(self, other: Interval, operation: impl Fn(i64, i64) -> i64) -> Interval {
        let values = [(self.low, other.low), (self.low, other.high), (self.high, other.low), (self.high, other.high)]
            .map(|(left, right)| operation(left, right));
        let (low, high) = values.iter().fold((values[0], values[0]), |(low, high), &it| (low.min(it), high.max(it)));
        Interval::checked(low, high)
    }

    /// The part that compares so with some number of another interval.
    pub fn restrict(self, op: BinaryOp, other: Interval) -> Option<Interval> {
        match op {
            BinaryOp::Eq => self.meet(other),
            BinaryOp::Lt => self.meet(Interval::new(i64::MIN, other.high - 1)),
            BinaryOp::Le => self.meet(Interval::new(i64::MIN, other.high)),
            BinaryOp::Gt => self.meet(Interval::new(other.low + 1, i64::MAX)),
            BinaryOp::Ge => self.meet(Interval::new(other.low, i64::MAX)),
            BinaryOp::Ne if other.low == other.high && self.low == other.low => {
                self.meet(Interval::new(self.low + 1, i64::MAX))
            }
            BinaryOp::Ne if other.low == other.high && self.high == other.low => {
                self.meet(Interval::new(i64::MIN, self.high - 1))
            }
            _ => Some(self),
        }
    }

    fn unary(self, op: UnaryOp) -> Interval {
        match op {
            UnaryOp::Not => Interval::TRUTH,
            UnaryOp::Negate => Interval::checked(-self.high, -self.low),
            UnaryOp::Complement => Interval::new(-self.high - 1, -self.low - 1),
        }
    }

    fn binary(self, op: BinaryOp, right: Interval) -> Interval {
        if let (Some(left), Some(right)) = (self.value(), right.value())
            && let Some(value) = op.apply(left, right)
        {
            return Interval::exact(value);
        }
        match op {
            BinaryOp::Add => Interval::checked(self.low + right.low, self.high + right.high),
            BinaryOp::Sub => Interval::checked(self.low - right.high, self.high - right.low),
            BinaryOp::Mul => self.corners(right, |left, right| left * right),
            BinaryOp::Div if right.low > 0 => self.corners(right, |left, right| left / right),
            BinaryOp::Div => Interval::ALL,
            BinaryOp::Rem => self.remainder(right),
            BinaryOp::BitAnd => self.bit_and(right),
            BinaryOp::BitOr | BinaryOp::BitXor if self.low >= 0 && right.low >= 0 => {
                let most = self.high.max(right.high) as u64;
                Interval::new(0, (most + 1).next_power_of_two() as i64 - 1)
            }
            BinaryOp::BitOr | BinaryOp::BitXor | BinaryOp::Shl => Interval::ALL,
            BinaryOp::Shr => Interval::new(self.low.min(0), self.high.max(0)),
            BinaryOp::Or
            | BinaryOp::And
            | BinaryOp::Eq
            | BinaryOp::Ne
            | BinaryOp::Lt
            | BinaryOp::Le
            | BinaryOp::Gt
            | BinaryOp::Ge => Interval::TRUTH,
        }
    }

    /// Less than the divisor, not more than the dividend, and with its sign.
    fn remainder(self, right: Interval) -> Interval {
        let most = right.low.abs().max(right.high.abs()) - 1;
        Interval::new(self.low.max(-most).min(0), self.high.min(most).max(0))
    }

    /// Not more than an operand that is not negative.
    fn bit_and(self, right: Interval) -> Interval {
        match (self.low >= 0, right.low >= 0) {
            (true, true) => Interval::new(0, self.high.min(right.high)),
            (true, false) => Interval::new(0, self.high),
            (false, true) => Interval::new(0, right.high),
            (false, false) => Interval::ALL,
        }
    }
}

/// The comparison that holds if this one is as wanted.
pub fn comparison(op: BinaryOp, wanted: bool) -> Option<BinaryOp> {
    Some(match (op, wanted) {
        (BinaryOp::Eq, true) | (BinaryOp::Ne, false) => BinaryOp::Eq,
        (BinaryOp::Ne, true) | (BinaryOp::Eq, false) => BinaryOp::Ne,
        (BinaryOp::Lt, true) | (BinaryOp::Ge, false) => BinaryOp::Lt,
        (BinaryOp::Le, true) | (BinaryOp::Gt, false) => BinaryOp::Le,
        (BinaryOp::Gt, true) | (BinaryOp::Le, false) => BinaryOp::Gt,
        (BinaryOp::Ge, true) | (BinaryOp::Lt, false) => BinaryOp::Ge,
        _ => return None,
    })
}

/// The comparison with its sides exchanged.
pub fn mirrored(op: BinaryOp) -> BinaryOp {
    match op {
        BinaryOp::Lt => BinaryOp::Gt,
        BinaryOp::Le => BinaryOp::Ge,
        BinaryOp::Gt => BinaryOp::Lt,
        BinaryOp::Ge => BinaryOp::Le,
        same => same,
    }
}

/// What is known about the parts of a state.
pub trait Values {
    /// What a variable holds, or any element of it.
    fn variable(&self, place: &Place) -> Interval;
    /// The same for a variable of another process.
    fn remote(&self, process: ProcessTypeId, variable: VariableId) -> Interval;
}

/// Where the value of an expression lies, if it has one.
pub fn interval(expr: &Expr, values: &dyn Values) -> Interval {
    match expr {
        Expr::Constant(value) => Interval::exact(*value),
        Expr::Read(place) => values.variable(place),
        Expr::Unary(op, operand) => interval(operand, values).unary(*op),
        Expr::Binary(op, left, right) => interval(left, values).binary(*op, interval(right, values)),
        Expr::Conditional(_, yes, no) => interval(yes, values).join(interval(no, values)),
        Expr::Length(_) => Interval::new(0, 65_535),
        Expr::Full(_)
        | Expr::Empty(_)
        | Expr::Poll { .. }
        | Expr::Enabled(_)
        | Expr::Timeout
        | Expr::AnyAt(_)
        | Expr::RemoteAt { .. } => Interval::TRUTH,
        Expr::Me | Expr::ProcessCount | Expr::LastMover | Expr::PriorityOf(_) | Expr::Spawned => Interval::new(0, 255),
        Expr::LocationOf(_) => Interval::ALL,
        Expr::RemoteRead { process, variable, .. } => values.remote(*process, *variable).join(Interval::ZERO),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn intervals() -> Vec<Interval> {
        let ends = [i32::MIN, i32::MIN + 1, -9, -2, -1, 0, 1, 3, 8, i32::MAX - 1, i32::MAX];
        let from = |&low: &i32| ends.iter().filter(move |it| **it >= low).map(move |&high| (low, high));
        ends.iter().flat_map(from).map(|(low, high)| Interval::new(low.into(), high.into())).collect()
    }

    /// Some numbers of an interval, its ends among them.
    fn members(it: Interval) -> Vec<i32> {
        let near = [it.low, it.low + 1, it.low + 2, -1, 0, 1, 2, 5, 7, it.high - 1, it.high];
        near.into_iter().filter(|value| (it.low..=it.high).contains(value)).map(|value| value as i32).collect()
    }

    #[test]
    fn every_result_lies_in_the_interval() {
        for (left, right) in intervals().iter().flat_map(|left| intervals().into_iter().map(move |it| (*left, it))) {
            for op in BinaryOp::ALL {
                let result = left.binary(op, right);
                assert!(result.is_within(Interval::ALL));
                for (a, b) in members(left).into_iter().flat_map(|a| members(right).into_iter().map(move |b| (a, b))) {
                    if let Some(value) = op.apply(a, b) {
                        assert!(
                            Interval::exact(value).is_within(result),
                            "{a} {op:?} {b} = {value}, not in {result:?}"
                        );
                    }
                }
            }
        }
        for it in intervals() {
            for op in [UnaryOp::Not, UnaryOp::Negate, UnaryOp::Complement] {
                members(it).iter().for_each(|&value| {
                    assert!(Interval::exact(op.apply(value)).is_within(it.unary(op)), "{op:?} {value}");
                });
            }
            for ty in [Type::BIT, Type::BYTE, Type::Short, Type::Int, Type::Channel] {
                members(it).iter().for_each(|&value| {
                    assert!(Interval::exact(ty.truncate(value)).is_within(it.truncate(ty)), "{value} as {ty:?}");
                });
            }
        }
    }

    #[test]
    fn what_compares_so_is_kept() {
        for (it, other) in intervals().iter().flat_map(|it| intervals().into_iter().map(move |other| (*it, other))) {
            for op in BinaryOp::ALL.into_iter().filter_map(|op| comparison(op, true)) {
                let kept = it.restrict(op, other);
                for (a, b) in members(it).into_iter().flat_map(|a| members(other).into_iter().map(move |b| (a, b))) {
                    let inside = kept.is_some_and(|kept| Interval::exact(a).is_within(kept));
                    assert!(op.apply(a, b) == Some(0) || inside, "{a} {op:?} {b}, but {a} is not in {kept:?}");
                }
            }
        }
    }
}
