//! Numbers whose bits are functions of a state.
//!
//! A number is a list of bits in two's complement, lowest first; the last bit is the sign and stands for all that follow. Operators
//! give what [`BinaryOp::apply`] gives, on 32 bits with wrap-around, but compute only as many bits as the result can have. Bits
//! that do not depend on the state are constants, and constants cost nothing. Circuits: ripple-carry addition, multiplication
//! by shifting and adding, restoring division (Kroening, Strichman, *Decision Procedures*, 2nd ed., 2016, chapter 6).
use diagram::{Function, Space};
use model::{BinaryOp, Type, UnaryOp};

use crate::stop::Result;

/// Bits of a value.
const WORD: usize = 32;

/// A number that depends on a state.
#[derive(Clone, Debug)]
pub struct Number {
    bits: Vec<Function>,
}

/// Makes numbers.
#[derive(Clone, Copy)]
pub struct Arithmetic<'s> {
    /// Where functions live.
    pub space: &'s Space,
}

impl Number {
    /// From the lowest bit to the sign.
    pub fn new(bits: Vec<Function>) -> Self {
        let mut number = Number { bits };
        number.bits.truncate(WORD);
        number.shorten();
        number
    }

    /// Forgets copies of the sign.
    fn shorten(&mut self) {
        while let [.., below, sign] = &self.bits[..]
            && below == sign
        {
            self.bits.pop();
        }
    }

    /// Bit `row`, the sign beyond the last.
    pub fn bit(&self, row: usize) -> &Function {
        &self.bits[row.min(self.bits.len() - 1)]
    }

    fn sign(&self) -> &Function {
        self.bit(WORD)
    }

    fn width(&self) -> usize {
        self.bits.len()
    }
}

impl Arithmetic<'_> {
    /// The same in all states.
    pub fn constant(self, value: i32) -> Number {
        let bits = [value, !value].map(|it| WORD - it.leading_zeros() as usize).into_iter().min().unwrap_or(0);
        Number { bits: (0..=bits.min(WORD - 1)).map(|row| self.space.constant(value >> row & 1 == 1)).collect() }
    }

    /// The value of a number that is the same in all states.
    fn known(self, number: &Number) -> Option<i32> {
        let (yes, no) = (self.space.constant(true), self.space.constant(false));
        let mut value = if *number.sign() == yes { -1 } else { 0 };
        for (row, bit) in number.bits.iter().enumerate() {
            match bit {
                _ if *bit == yes => value |= 1 << row,
                _ if *bit == no => value &= !(1 << row),
                _ => return None,
            }
        }
        Some(value)
    }

    /// 1 where the condition is true, else 0.
    pub fn truth(self, condition: Function) -> Number {
        Number::new(vec![condition, self.space.constant(false)])
    }

    /// Bits without a sign.
    pub fn unsigned(self, mut bits: Vec<Function>) -> Number {
        bits.push(self.space.constant(false));
        Number::new(bits)
    }

    /// Where the number is not 0.
    pub fn is_true(self, number: &Number) -> Result<Function> {
        let mut any = self.space.constant(false);
        for bit in &number.bits {
            any = any.or(bit)?;
        }
        Ok(any)
    }

    /// The bits that a variable of this type keeps.
    pub fn kept(self, number: &Number, bits: usize) -> Vec<Function> {
        (0..bits).map(|row| number.bit(row).clone()).collect()
    }

    /// Where a number is not what so many bits make of it.
    pub fn beyond(self, number: &Number, bits: usize, signed: bool) -> Result<Function> {
        let above = if signed { number.bit(bits - 1).clone() } else { self.space.constant(false) };
        let mut beyond = self.space.constant(false);
        for row in bits..number.width().max(bits + 1) {
            beyond = beyond.or(&number.bit(row).xor(&above)?)?;
        }
        Ok(beyond)
    }

    /// What is left of a number in a variable of this type.
    pub fn truncate(self, number: &Number, ty: Type) -> Number {
        match ty {
            Type::Unsigned { bits } => self.unsigned(self.kept(number, bits as usize)),
            Type::Channel => self.unsigned(self.kept(number, 8)),
            Type::Short => Number::new(self.kept(number, 16)),
            Type::Int => number.clone(),
        }
    }

    /// The first where the condition is true, else the second.
    pub fn choose(self, condition: &Function, yes: &Number, no: &Number) -> Result<Number> {
        if *condition == self.space.constant(true) {
            return Ok(yes.clone());
        }
        let width = yes.width().max(no.width());
        let bits = (0..width).map(|row| Ok(condition.if_then_else(yes.bit(row), no.bit(row))?));
        Ok(Number::new(bits.collect::<Result<_>>()?))
    }

    /// A prefix operator.
    pub fn unary(self, op: UnaryOp, number: &Number) -> Result<Number> {
        Ok(match op {
            UnaryOp::Not => self.truth(self.is_true(number)?.not()),
            UnaryOp::Complement => self.complement(number)?,
            UnaryOp::Negate => self.negate(number)?,
        })
    }

    fn complement(self, number: &Number) -> Result<Number> {
        Ok(Number::new(number.bits.iter().map(|it| Ok(it.not())).collect::<Result<_>>()?))
    }

    fn negate(self, number: &Number) -> Result<Number> {
        self.sum(&self.complement(number)?, &self.constant(0), true)
    }

    /// An infix operator. Division by 0 gives some number.
    pub fn binary(self, op: BinaryOp, left: &Number, right: &Number) -> Result<Number> {
        if let (Some(left), Some(right)) = (self.known(left), self.known(right)) {
            return Ok(self.constant(op.apply(left, right).unwrap_or(0)));
        }
        Ok(match op {
            BinaryOp::Or => self.truth(self.is_true(left)?.or(&self.is_true(right)?)?),
            BinaryOp::And => self.truth(self.is_true(left)?.and(&self.is_true(right)?)?),
            BinaryOp::BitOr => self.bitwise(left, right, |a, b| Ok(a.or(b)?))?,
            BinaryOp::BitXor => self.bitwise(left, right, |a, b| Ok(a.xor(b)?))?,
            BinaryOp::BitAnd => self.bitwise(left, right, |a, b| Ok(a.and(b)?))?,
            BinaryOp::Eq => self.truth(self.equal(left, right)?),
            BinaryOp::Ne => self.truth(self.equal(left, right)?.not()),
            BinaryOp::Lt => self.truth(self.less(left, right)?),
            BinaryOp::Ge => self.truth(self.less(left, right)?.not()),
            BinaryOp::Gt => self.truth(self.less(right, left)?),
            BinaryOp::Le => self.truth(self.less(right, left)?.not()),
            BinaryOp::Shl => self.shift(left, right, Self::left_by)?,
            BinaryOp::Shr => self.shift(left, right, Self::right_by)?,
            BinaryOp::Add => self.add(left, right)?,
            BinaryOp::Sub => self.sum(left, &self.complement(right)?, true)?,
            BinaryOp::Mul => self.multiply(left, right)?,
            BinaryOp::Div => self.divide(left, right)?.0,
            BinaryOp::Rem => self.divide(left, right)?.1,
        })
    }

    fn bitwise(
        self,
        left: &Number,
        right: &Number,
        combine: impl Fn(&Function, &Function) -> Result<Function>,
    ) -> Result<Number> {
        let width = left.width().max(right.width());
        let bits = (0..width).map(|row| combine(left.bit(row), right.bit(row)));
        Ok(Number::new(bits.collect::<Result<_>>()?))
    }

    /// Where two numbers are equal.
    pub fn equal(self, left: &Number, right: &Number) -> Result<Function> {
        if let (Some(left), Some(right)) = (self.known(left), self.known(right)) {
            return Ok(self.space.constant(left == right));
        }
        let mut same = self.space.constant(true);
        for row in 0..left.width().max(right.width()) {
            if same.is_false() {
                break;
            }
            same = same.and(&left.bit(row).xor(right.bit(row))?.not())?;
        }
        Ok(same)
    }

    /// Where a number has this value.
    pub fn is(self, number: &Number, value: i32) -> Result<Function> {
        self.equal(number, &self.constant(value))
    }

    /// Where the first is less than the second: from the lowest bit up, the highest that differs decides.
    pub fn less(self, left: &Number, right: &Number) -> Result<Function> {
        let width = left.width().max(right.width());
        let mut less = self.space.constant(false);
        for row in 0..width {
            let (a, b) = (left.bit(row), right.bit(row));
            // The sign counts the other way round.
            let smaller = if row + 1 == width { a } else { b };
            less = a.xor(b)?.if_then_else(smaller, &less)?;
        }
        Ok(less)
    }

    fn sum(self, left: &Number, right: &Number, carry: bool) -> Result<Number> {
        let width = (left.width().max(right.width()) + 1).min(WORD);
        let mut carry = self.space.constant(carry);
        let mut bits = Vec::with_capacity(width);
        for row in 0..width {
            let (a, b) = (left.bit(row), right.bit(row));
            let half = a.xor(b)?;
            bits.push(half.xor(&carry)?);
            carry = half.if_then_else(&carry, a)?;
        }
        Ok(Number::new(bits))
    }

    /// The sum.
    pub fn add(self, left: &Number, right: &Number) -> Result<Number> {
        if let (Some(left), Some(right)) = (self.known(left), self.known(right)) {
            return Ok(self.constant(left.wrapping_add(right)));
        }
        self.sum(left, right, false)
    }

    fn multiply(self, left: &Number, right: &Number) -> Result<Number> {
        // The sign of the shorter number stands for all bits above it, which together are minus the sign's weight.
        let (long, short) = if left.width() < right.width() { (right, left) } else { (left, right) };
        let zero = self.constant(0);
        let mut product = zero.clone();
        for row in 0..short.width() {
            let addend = self.choose(short.bit(row), &self.left_by(long, row)?, &zero)?;
            let is_sign = row + 1 == short.width();
            let addend = if is_sign { self.negate(&addend)? } else { addend };
            product = self.add(&product, &addend)?;
        }
        Ok(product)
    }

    fn left_by(self, number: &Number, places: usize) -> Result<Number> {
        let zeros = std::iter::repeat_n(self.space.constant(false), places);
        Ok(Number::new(zeros.chain(number.bits.iter().cloned()).collect()))
    }

    fn right_by(self, number: &Number, places: usize) -> Result<Number> {
        Ok(Number::new((places..number.width().max(places + 1)).map(|row| number.bit(row).clone()).collect()))
    }

    /// Only the lowest five bits of the distance count.
    fn shift(
        self,
        number: &Number,
        distance: &Number,
        by: impl Fn(Self, &Number, usize) -> Result<Number>,
    ) -> Result<Number> {
        let mut shifted = number.clone();
        for row in 0..5 {
            shifted = self.choose(distance.bit(row), &by(self, &shifted, 1 << row)?, &shifted)?;
        }
        Ok(shifted)
    }

    fn magnitude(self, number: &Number) -> Result<Number> {
        let absolute = self.choose(number.sign(), &self.negate(number)?, number)?;
        // One bit more, for the least number of all.
        Ok(Number {
            bits: (0..number.width())
                .map(|row| absolute.bit(row).clone())
                .chain([self.space.constant(false)])
                .collect(),
        })
    }

    /// Quotient, towards 0, and remainder, with the sign of the dividend.
    fn divide(self, left: &Number, right: &Number) -> Result<(Number, Number)> {
        let (dividend, divisor) = (self.magnitude(left)?, self.magnitude(right)?);
        let mut rest = self.constant(0);
        let mut quotient = Vec::new();
        for row in (0..dividend.width()).rev() {
            rest = Number { bits: [vec![dividend.bit(row).clone()], rest.bits].concat() };
            rest.shorten();
            let fits = self.less(&rest, &divisor)?.not();
            // All are less than 2^34: no wrap-around may happen here.
            rest = self.choose(&fits, &self.difference(&rest, &divisor)?, &rest)?;
            quotient.push(fits);
        }
        quotient.reverse();
        let quotient = self.unsigned(quotient);
        let signs_differ = left.sign().xor(right.sign())?;
        let negative = self.negate(&quotient)?;
        let rest = Number::new(rest.bits);
        let negative_rest = self.negate(&rest)?;
        Ok((self.choose(&signs_differ, &negative, &quotient)?, self.choose(left.sign(), &negative_rest, &rest)?))
    }

    /// The difference of two numbers that are not negative, the first not less than the second.
    fn difference(self, left: &Number, right: &Number) -> Result<Number> {
        let width = left.width().max(right.width());
        let mut borrow = self.space.constant(false);
        let mut bits = Vec::with_capacity(width);
        for row in 0..width {
            let (a, b) = (left.bit(row), right.bit(row));
            let half = a.xor(b)?;
            bits.push(half.xor(&borrow)?);
            borrow = half.if_then_else(b, &borrow)?;
        }
        // Where it would be less than 0 nobody looks.
        let mut number = Number { bits };
        number.bits.push(self.space.constant(false));
        number.shorten();
        Ok(number)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use diagram::Limits;

    fn value(number: &Number, state: &[bool]) -> i32 {
        (0..WORD).fold(0, |value, row| value | i32::from(number.bit(row).evaluate(state, &[])) << row)
    }

    fn room() -> Limits {
        Limits { nodes: 1 << 20, cache: 1 << 14, ..Limits::default() }
    }

    /// Two signed numbers of four bits each, in all states.
    #[test]
    fn operators_agree_with_the_reference_on_all_small_numbers() {
        let space = Space::new(8, room());
        let numbers = Arithmetic { space: &space };
        let bits = |from: usize| (from..from + 4).map(|bit| space.current(bit).expect("room")).collect();
        let (left, right) = (Number::new(bits(0)), Number::new(bits(4)));
        let ops = BinaryOp::ALL.map(|op| (op, numbers.binary(op, &left, &right).expect("room")));
        for state in 0..256u32 {
            let state: Vec<bool> = (0..8).map(|bit| state >> bit & 1 == 1).collect();
            let (a, b) = (value(&left, &state), value(&right, &state));
            for (op, result) in &ops {
                if let Some(expected) = op.apply(a, b) {
                    assert_eq!(value(result, &state), expected, "{a} {op:?} {b}");
                }
            }
            for op in [UnaryOp::Not, UnaryOp::Negate, UnaryOp::Complement] {
                let result = numbers.unary(op, &left).expect("room");
                assert_eq!(value(&result, &state), op.apply(a), "{op:?} {a}");
            }
        }
    }

    #[test]
    fn operators_wrap_around_as_the_reference_does() {
        let space = Space::new(1, room());
        let numbers = Arithmetic { space: &space };
        let corners = [0, 1, -1, 2, -2, 3, 7, 31, 32, 33, 255, -256, 65_535, 1 << 30, i32::MAX, i32::MIN, -12_345_678];
        for (a, b) in corners.iter().flat_map(|&a| corners.map(|b| (a, b))) {
            for op in BinaryOp::ALL {
                let result = numbers.binary(op, &numbers.constant(a), &numbers.constant(b)).expect("room");
                if let Some(expected) = op.apply(a, b) {
                    assert_eq!(value(&result, &[false]), expected, "{a} {op:?} {b}");
                }
            }
        }
    }

    #[test]
    fn variables_keep_what_their_types_keep() {
        let space = Space::new(1, room());
        let numbers = Arithmetic { space: &space };
        for given in [0, 1, 2, 255, 256, 300, -1, 40_000, i32::MIN] {
            for ty in [Type::BIT, Type::BYTE, Type::Unsigned { bits: 31 }, Type::Short, Type::Int, Type::Channel] {
                let kept = numbers.truncate(&numbers.constant(given), ty);
                assert_eq!(value(&kept, &[false]), ty.truncate(given), "{given} as {ty:?}");
            }
        }
    }
}
