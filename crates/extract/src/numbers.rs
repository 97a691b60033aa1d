//! Integers of C in the 32-bit integers of a model, exactly or not at all.
//!
//! Up to 32 bits a model's `int` holds the bits of the number; operations on unsigned numbers are written so that they give the right bits.
//! A number of 64 bits is held as long as its *value* fits into 32 bits with a sign. Before an operation whose result may not fit stands an
//! assertion; where that fails, the model has come to its limit and nothing is said of the program.
use front_c::ast::Type;

use crate::translate::Translator;

/// The least number of a model.
const LEAST: &str = "(-2147483647 - 1)";
/// The largest.
const MOST: &str = "2147483647";

/// An integer type; 1 bit is `_Bool`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Int {
    pub bits: u8,
    pub signed: bool,
}

/// `int`
pub(crate) const INT: Int = Int { bits: 32, signed: true };
/// `long`
pub(crate) const LONG: Int = Int { bits: 64, signed: true };

impl Int {
    /// The integer type that a type is.
    pub(crate) fn of(ty: &Type) -> Option<Int> {
        match ty.plain() {
            Type::Bool => Some(Int { bits: 1, signed: false }),
            Type::Integer { bits, signed } if *bits <= 64 => Some(Int { bits: *bits, signed: *signed }),
            Type::Enumeration => Some(INT),
            _ => None,
        }
    }

    /// After the integer promotions (C11 6.3.1.1).
    pub(crate) fn promoted(self) -> Int {
        if self.bits < 32 { INT } else { self }
    }

    /// The type in which two operands meet (C11 6.3.1.8).
    pub(crate) fn common(self, other: Int) -> Int {
        let (one, two) = (self.promoted(), other.promoted());
        match one.bits.cmp(&two.bits) {
            std::cmp::Ordering::Equal => Int { bits: one.bits, signed: one.signed && two.signed },
            std::cmp::Ordering::Greater => one,
            std::cmp::Ordering::Less => two,
        }
    }

    /// A value as a variable of this type holds it.
    pub(crate) fn wrapped(self, value: i128) -> i128 {
        if self.bits == 1 {
            return i128::from(value != 0);
        }
        let size = 1_i128 << self.bits;
        let low = value.rem_euclid(size);
        if self.signed && low >= size / 2 { low - size } else { low }
    }

    /// Whether every value of `other` is one of this type.
    fn holds(self, other: Int) -> bool {
        self == other
            || (self.signed == other.signed && self.bits >= other.bits)
            || (self.signed && self.bits > other.bits)
    }

    /// How a variable of it is declared.
    pub(crate) fn declared(self) -> &'static str {
        match (self.bits, self.signed) {
            (1, _) => "bool",
            (8, false) => "byte",
            (16, true) => "short",
            _ => "int",
        }
    }
}

/// A number as text.
#[derive(Clone, Debug)]
pub(crate) struct Number {
    pub text: String,
    pub int: Int,
    /// Whether evaluating it reads shared data.
    pub reads: bool,
    /// Its value, if that is known.
    pub constant: Option<i128>,
    /// Whether the model's `int` is never negative.
    pub natural: bool,
}

impl Number {
    /// A constant; without a text if the model has no such number.
    pub(crate) fn constant(value: i128, int: Int) -> Number {
        let held = if int.bits == 32 { i128::from(value as u32 as i32) } else { value };
        let text = match i32::try_from(held) {
            Ok(i32::MIN) => LEAST.to_string(),
            Ok(held @ ..0) => format!("({held})"),
            Ok(held) => held.to_string(),
            Err(_) => String::new(),
        };
        Number { text, int, reads: false, constant: Some(value), natural: held >= 0 }
    }

    /// Itself, if the model has such a number.
    pub(crate) fn usable(self) -> Option<Number> {
        if self.text.is_empty() { None } else { Some(self) }
    }

    /// What a variable holds.
    pub(crate) fn of(text: impl Into<String>, int: Int, reads: bool) -> Number {
        let natural = !int.signed && int.bits != 32;
        Number { text: text.into(), int, reads, constant: None, natural }
    }

    /// The result of a comparison.
    pub(crate) fn truth(text: String, reads: bool) -> Number {
        Number { text, int: INT, reads, constant: None, natural: true }
    }

    fn made(&self, text: String, int: Int, natural: bool) -> Number {
        Number { text, int, reads: self.reads, constant: None, natural }
    }
}

/// `a < b` and its like for numbers without a sign.
fn unsigned(a: &str, operator: &str, b: &str) -> String {
    format!("(({a} ^ {LEAST}) {operator} ({b} ^ {LEAST}))")
}

/// The quotient of numbers without a sign (Warren, Hacker's Delight, 9-3).
fn quotient(a: &str, b: &Number) -> String {
    let half = format!("((({a} >> 1) & {MOST}) / {b} * 2)", b = b.text);
    let rest = format!("({a} - {half} * {})", b.text);
    let slow = format!("({half} + {})", unsigned(&rest, ">=", &b.text));
    let by_natural = format!("({a} >= 0 -> {a} / {b} : {slow})", b = b.text);
    if b.natural {
        by_natural
    } else {
        format!("({b} < 0 -> {} : {by_natural})", unsigned(a, ">=", &b.text), b = b.text)
    }
}

fn folded(operator: &str, a: i128, b: i128, int: Int) -> Option<i128> {
    let shift = || u32::try_from(b).ok().filter(|it| *it < u32::from(int.bits));
    Some(match operator {
        "+" => a + b,
        "-" => a - b,
        "*" => a.checked_mul(b)?,
        "/" => a.checked_div(b)?,
        "%" => a.checked_rem(b)?,
        "&" => a & b,
        "|" => a | b,
        "^" => a ^ b,
        "<<" => a << shift()?,
        ">>" => a >> shift()?,
        "==" => i128::from(a == b),
        "!=" => i128::from(a != b),
        "<" => i128::from(a < b),
        "<=" => i128::from(a <= b),
        ">" => i128::from(a > b),
        ">=" => i128::from(a >= b),
        _ => return None,
    })
}

fn compares(operator: &str) -> bool {
    matches!(operator, "==" | "!=" | "<" | "<=" | ">" | ">=")
}

impl Translator<'_> {
    /// A number of one type as one of another; `None` if the model has no such number.
    pub(crate) fn converted(&mut self, it: Number, to: Int) -> Option<Number> {
        if let Some(value) = it.constant {
            return Number::constant(to.wrapped(value), to).usable();
        }
        if to.bits == 1 {
            return Some(Number { natural: true, ..it.made(format!("({} != 0)", it.text), to, true) });
        }
        if to.bits == 64 && !it.natural && !(to.signed && (it.int.signed || it.int.bits == 64)) {
            let it = self.settled_number(it);
            self.limit(format!("{} >= 0", it.text));
            return Some(Number { int: to, natural: true, ..it });
        }
        if to.holds(it.int) || to.bits >= 32 {
            let natural = it.natural;
            return Some(Number { int: to, natural, ..it });
        }
        let text = match (to.bits, to.signed) {
            (8, false) => format!("({} & 255)", it.text),
            (8, true) => format!("((({} + 128) & 255) - 128)", it.text),
            (16, false) => format!("({} & 65535)", it.text),
            _ => format!("((({} + 32768) & 65535) - 32768)", it.text),
        };
        Some(it.made(text, to, !to.signed))
    }

    /// Where this is false the model has come to its limit.
    pub(crate) fn limit(&mut self, condition: String) {
        let here = self.here.clone();
        if let Some(origin) = &mut self.here {
            origin.limit = true;
        }
        self.emit(format!("assert({condition})"));
        self.here = here;
    }

    /// `a operator b`; `None` if the model has no such number.
    pub(crate) fn arithmetic(&mut self, operator: &str, a: Number, b: Number) -> Option<Number> {
        let shifts = matches!(operator, "<<" | ">>");
        let int = if shifts { a.int.promoted() } else { a.int.common(b.int) };
        if let (Some(a), Some(b)) = (a.constant, b.constant) {
            let (a, b) = (int.wrapped(a), if shifts { b } else { int.wrapped(b) });
            let value = folded(operator, a, b, int)?;
            return Some(match compares(operator) {
                true => Number::constant(value, INT),
                false => Number::constant(int.wrapped(value), int),
            });
        }
        let a = self.converted(a, int)?;
        let b = if shifts { b.usable()? } else { self.converted(b, int)? };
        let reads = a.reads || b.reads;
        let signless = !int.signed && int.bits == 32 && !(a.natural && b.natural);
        let plain = format!("({} {operator} {})", a.text, b.text);
        if compares(operator) {
            let ordered = !matches!(operator, "==" | "!=");
            return Some(Number::truth(
                if signless && ordered { unsigned(&a.text, operator, &b.text) } else { plain },
                reads,
            ));
        }
        if int.bits == 64 {
            return self.long(operator, a, b, int);
        }
        let natural = match operator {
            "&" => a.natural || b.natural,
            "|" | "^" | "%" | "/" | ">>" => a.natural && b.natural,
            _ => false,
        };
        let text = match operator {
            "/" if signless => quotient(&a.text, &b),
            "%" if signless => format!("({} - {} * {})", a.text, quotient(&a.text, &b), b.text),
            ">>" if !int.signed && !a.natural => {
                format!("({b} == 0 -> {a} : (({a} >> {b}) & ({MOST} >> ({b} - 1))))", a = a.text, b = b.text)
            }
            _ => plain,
        };
        Some(Number { text, int, reads, constant: None, natural })
    }

    /// On numbers of 64 bits.
    fn long(&mut self, operator: &str, a: Number, b: Number, int: Int) -> Option<Number> {
        let exact = matches!(operator, "&" | "|" | "^") || (!int.signed && matches!(operator, "/" | "%"));
        let plain = |a: &str, b: &str| format!("({a} {operator} {b})");
        if exact {
            let text = plain(&a.text, &b.text);
            return Some(Number { text, int, reads: a.reads || b.reads, constant: None, natural: !int.signed });
        }
        let (a, b) = (self.settled_number(a), self.settled_number(b));
        let (x, y) = (&a.text, &b.text);
        let fits = match (operator, int.signed) {
            ("+", true) => format!("({y} >= 0 -> {x} <= {MOST} - {y} : {x} >= {LEAST} - {y})"),
            ("+", false) => format!("{x} <= {MOST} - {y}"),
            ("-", true) => format!("({y} >= 0 -> {x} >= {LEAST} + {y} : {x} <= {MOST} + {y})"),
            ("-", false) => format!("{x} >= {y}"),
            ("*", _) => format!(
                "({x} == 0 || {y} == 0 || (!({x} == -1 && {y} == {LEAST}) && !({y} == -1 && {x} == {LEAST}) && ({x} * {y}) / {y} == {x}))"
            ),
            ("/" | "%", _) => format!("!({y} == -1 && {x} == {LEAST})"),
            ("<<", _) => format!("({y} >= 0 && {y} < 31 && (({x} << {y}) >> {y}) == {x})"),
            _ => "true".into(),
        };
        if fits != "true" {
            self.limit(fits);
        }
        let text = match operator {
            ">>" => format!("({y} > 31 -> ({x} < 0 -> -1 : 0) : ({x} >> {y}))"),
            _ => plain(x, y),
        };
        Some(Number { text, int, reads: false, constant: None, natural: !int.signed })
    }

    /// `-x`, `~x`, `+x`.
    pub(crate) fn signed(&mut self, operator: &str, it: Number) -> Option<Number> {
        let int = it.int.promoted();
        if let Some(value) = it.constant {
            let value = match operator {
                "-" => -value,
                "~" => !value,
                _ => value,
            };
            return Some(Number::constant(int.wrapped(value), int));
        }
        let it = self.converted(it, int)?;
        match (operator, int.bits, int.signed) {
            ("+", ..) => Some(it),
            ("-", 64, _) => {
                let it = self.settled_number(it);
                self.limit(format!("{} {}", it.text, if int.signed { format!("!= {LEAST}") } else { "== 0".into() }));
                Some(it.made(format!("-({})", it.text), int, !int.signed))
            }
            ("~", 64, false) => None,
            _ => Some(it.made(format!("{operator}({})", it.text), int, false)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn operands_meet_as_in_c() {
        let int = |bits, signed| Int { bits, signed };
        assert_eq!(int(8, false).common(int(16, true)), INT);
        assert_eq!(INT.common(int(32, false)), int(32, false));
        assert_eq!(int(32, false).common(LONG), LONG);
        assert_eq!(LONG.common(int(64, false)), int(64, false));
    }

    #[test]
    fn values_wrap_as_in_c() {
        let int = |bits, signed| Int { bits, signed };
        assert_eq!(int(8, true).wrapped(200), -56);
        assert_eq!(int(8, false).wrapped(-1), 255);
        assert_eq!(int(32, false).wrapped(-1), 4294967295);
        assert_eq!(int(1, false).wrapped(2), 1);
    }

    #[test]
    fn a_constant_that_no_model_has_is_none() {
        assert!(Number::constant(1 << 40, LONG).usable().is_none());
        assert_eq!(Number::constant(4294967295, Int { bits: 32, signed: false }).text, "(-1)");
    }
}
