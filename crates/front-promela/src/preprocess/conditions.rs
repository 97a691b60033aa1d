//! The integer expressions of `#if` and `#elif`.
//!
//! Operator precedence with two stacks (Dijkstra's shunting yard, 1961), so that
//! parentheses cost no recursion. An operator waits on its stack until a weaker
//! one arrives. A division by zero is not an error yet but a *fault* carried by
//! the value; `&&`, `||` and `?:` drop the faults of operands that do not count.
use text::{Diagnostic, Span};

use super::words::{RawWord, WordKind};
use crate::token::Punct;

/// Whether a condition holds; `whole` is its place. Macros have been replaced.
pub(super) fn holds(words: &[RawWord], whole: Span) -> Result<bool, Diagnostic> {
    let mut yard = Yard::default();
    for word in words {
        yard.take(word)?;
    }
    let value = yard.finish(whole)?;
    match value.fault {
        Some(fault) => Err(Diagnostic::error("division-by-zero", fault, "this condition divides by zero")),
        None => Ok(value.bits != 0),
    }
}

/// A value of 64 bits.
#[derive(Clone, Copy, Default)]
struct Value {
    bits: i64,
    /// Whether arithmetic on it is unsigned.
    unsigned: bool,
    /// Where it was divided by zero.
    fault: Option<Span>,
}

impl Value {
    fn signed(bits: i64) -> Value {
        Value { bits, ..Value::default() }
    }

    fn truth(holds: bool) -> Value {
        Value::signed(i64::from(holds))
    }
}

/// An operator that waits.
#[derive(Clone, Copy, PartialEq)]
enum Operator {
    /// `(`
    Open,
    /// `?` without its `:`.
    Question,
    /// `?` and `:`.
    Choice,
    /// In front of one operand.
    Prefix(Punct),
    /// Between two operands.
    Between(Punct),
}

impl Operator {
    /// How tightly it binds; nothing reduces a parenthesis or an unfinished choice.
    fn strength(self) -> u8 {
        match self {
            Operator::Open | Operator::Question => 0,
            Operator::Choice => 2,
            Operator::Prefix(_) => 13,
            Operator::Between(punct) => strength(punct).unwrap_or(0),
        }
    }
}

/// How tightly an operator between two operands binds; `None` if it is no such operator.
fn strength(punct: Punct) -> Option<u8> {
    Some(match punct {
        Punct::Comma => 1,
        Punct::Or => 3,
        Punct::And => 4,
        Punct::BitOr => 5,
        Punct::BitXor => 6,
        Punct::BitAnd => 7,
        Punct::Eq | Punct::Ne => 8,
        Punct::Lt | Punct::Le | Punct::Gt | Punct::Ge => 9,
        Punct::Shl | Punct::Shr => 10,
        Punct::Plus | Punct::Minus => 11,
        Punct::Star | Punct::Slash | Punct::Percent => 12,
        _ => return None,
    })
}

/// The two stacks.
#[derive(Default)]
struct Yard {
    operands: Vec<Value>,
    operators: Vec<(Operator, Span)>,
    /// Whether the last word ended an operand.
    after_operand: bool,
}

impl Yard {
    fn take(&mut self, word: &RawWord) -> Result<(), Diagnostic> {
        match &word.kind {
            WordKind::Punct(punct) if self.after_operand => self.take_behind_operand(*punct, word),
            WordKind::Punct(punct) => self.take_before_operand(*punct, word),
            _ if self.after_operand => Err(unexpected(word, "an operator")),
            _ => self.take_operand(word),
        }
    }

    fn take_operand(&mut self, word: &RawWord) -> Result<(), Diagnostic> {
        let value = match &word.kind {
            WordKind::Name(_) => Some(Value::default()),
            WordKind::Number(text) => number(text),
            WordKind::Character(text) => character(text).map(Value::signed),
            _ => None,
        };
        self.operands.push(value.ok_or_else(|| unexpected(word, "an integer"))?);
        self.after_operand = true;
        Ok(())
    }

    fn take_before_operand(&mut self, punct: Punct, word: &RawWord) -> Result<(), Diagnostic> {
        let prefix = match punct {
            Punct::LParen => Operator::Open,
            Punct::Plus | Punct::Minus | Punct::Bang | Punct::Tilde => Operator::Prefix(punct),
            Punct::BangBang => {
                self.operators.push((Operator::Prefix(Punct::Bang), word.span));
                Operator::Prefix(Punct::Bang)
            }
            _ => return Err(unexpected(word, "an integer")),
        };
        self.operators.push((prefix, word.span));
        Ok(())
    }

    fn take_behind_operand(&mut self, punct: Punct, word: &RawWord) -> Result<(), Diagnostic> {
        match punct {
            Punct::RParen => return self.close(Operator::Open, word),
            Punct::Colon => {
                self.close(Operator::Question, word)?;
                self.operators.push((Operator::Choice, word.span));
            }
            Punct::Query => {
                self.reduce(3);
                self.operators.push((Operator::Question, word.span));
            }
            _ => {
                let strength = strength(punct).ok_or_else(|| unexpected(word, "an operator"))?;
                self.reduce(strength);
                self.operators.push((Operator::Between(punct), word.span));
            }
        }
        self.after_operand = false;
        Ok(())
    }

    /// Reduces up to the opening partner of `word` and removes that.
    fn close(&mut self, partner: Operator, word: &RawWord) -> Result<(), Diagnostic> {
        self.reduce(1);
        match self.operators.pop() {
            Some((operator, _)) if operator == partner => Ok(()),
            _ => Err(unexpected(word, "an operator")),
        }
    }

    fn finish(mut self, whole: Span) -> Result<Value, Diagnostic> {
        if self.after_operand {
            self.reduce(1);
        }
        let open = self.operators.last().map(|&(_, place)| place);
        let message = match (self.after_operand, self.operators.last()) {
            (false, None) => "this condition is empty",
            (false, Some(_)) => "this condition ends too early",
            (true, Some((Operator::Open, _))) => "this parenthesis does not end",
            (true, Some(_)) => "this `?` has no `:`",
            (true, None) => return Ok(self.operand()),
        };
        Err(Diagnostic::error("bad-condition", open.unwrap_or(whole), message))
    }

    /// Applies the waiting operators that bind at least this tightly.
    fn reduce(&mut self, strength: u8) {
        while let Some(&(operator, place)) = self.operators.last()
            && operator.strength() >= strength
        {
            self.operators.pop();
            self.apply(operator, place);
        }
    }

    fn apply(&mut self, operator: Operator, place: Span) {
        let last = self.operand();
        let value = match operator {
            Operator::Prefix(punct) => prefix(punct, last),
            Operator::Between(punct) => between(punct, self.operand(), last, place),
            Operator::Choice => {
                let first = self.operand();
                choice(self.operand(), first, last)
            }
            Operator::Open | Operator::Question => last,
        };
        self.operands.push(value);
    }

    fn operand(&mut self) -> Value {
        self.operands.pop().unwrap_or_default()
    }
}

fn unexpected(word: &RawWord, instead: &str) -> Diagnostic {
    let message = format!("`{}` stands where this condition needs {instead}", word.spelling());
    let error = Diagnostic::error("bad-condition", word.span, message);
    match word.is(Punct::LParen) {
        true => error.help("a name without a definition is 0 here and cannot be called"),
        false => error,
    }
}

fn prefix(punct: Punct, value: Value) -> Value {
    let bits = match punct {
        Punct::Minus => value.bits.wrapping_neg(),
        Punct::Tilde => !value.bits,
        Punct::Bang => return Value { fault: value.fault, ..Value::truth(value.bits == 0) },
        _ => value.bits,
    };
    Value { bits, ..value }
}

fn choice(condition: Value, yes: Value, no: Value) -> Value {
    let chosen = if condition.bits != 0 { yes } else { no };
    Value { unsigned: yes.unsigned || no.unsigned, fault: condition.fault.or(chosen.fault), ..chosen }
}

fn between(punct: Punct, left: Value, right: Value, place: Span) -> Value {
    let fault = left.fault.or(right.fault);
    let unsigned = left.unsigned || right.unsigned;
    match punct {
        Punct::And if left.bits == 0 => Value { fault: left.fault, ..Value::truth(false) },
        Punct::Or if left.bits != 0 => Value { fault: left.fault, ..Value::truth(true) },
        Punct::And | Punct::Or => Value { fault, ..Value::truth(right.bits != 0) },
        Punct::Comma => Value { fault, ..right },
        Punct::Slash | Punct::Percent if right.bits == 0 => Value { bits: 0, unsigned, fault: fault.or(Some(place)) },
        Punct::Shl | Punct::Shr => Value { bits: shift(punct == Punct::Shl, left, right), fault, ..left },
        _ => match compare(punct, left.bits, right.bits, unsigned) {
            Some(holds) => Value { fault, ..Value::truth(holds) },
            None => Value { bits: arithmetic(punct, left.bits, right.bits, unsigned), unsigned, fault },
        },
    }
}

fn compare(punct: Punct, left: i64, right: i64, unsigned: bool) -> Option<bool> {
    let order = if unsigned { (left as u64).cmp(&(right as u64)) } else { left.cmp(&right) };
    Some(match punct {
        Punct::Eq => order.is_eq(),
        Punct::Ne => order.is_ne(),
        Punct::Lt => order.is_lt(),
        Punct::Le => order.is_le(),
        Punct::Gt => order.is_gt(),
        Punct::Ge => order.is_ge(),
        _ => return None,
    })
}

fn arithmetic(punct: Punct, left: i64, right: i64, unsigned: bool) -> i64 {
    match punct {
        Punct::Plus => left.wrapping_add(right),
        Punct::Minus => left.wrapping_sub(right),
        Punct::Star => left.wrapping_mul(right),
        Punct::Slash if unsigned => (left as u64 / right as u64) as i64,
        Punct::Slash => left.wrapping_div(right),
        Punct::Percent if unsigned => (left as u64 % right as u64) as i64,
        Punct::Percent => left.wrapping_rem(right),
        Punct::BitAnd => left & right,
        Punct::BitXor => left ^ right,
        _ => left | right,
    }
}

/// A negative distance shifts the other way.
fn shift(to_left: bool, value: Value, distance: Value) -> i64 {
    let negative = distance.bits < 0 && !distance.unsigned;
    let distance = distance.bits.unsigned_abs().min(127) as u32;
    let wide = if value.unsigned { i128::from(value.bits as u64) } else { i128::from(value.bits) };
    match to_left != negative {
        true => wide.checked_shl(distance).unwrap_or(0) as i64,
        false => (wide >> distance) as i64,
    }
}

/// A decimal, octal, hexadecimal or binary number with C's suffixes.
fn number(text: &str) -> Option<Value> {
    let lower = text.to_ascii_lowercase();
    let number = lower.trim_end_matches(['u', 'l']);
    let (radix, digits) = match number.as_bytes() {
        [b'0', b'x', ..] => (16, &number[2..]),
        [b'0', b'b', ..] => (2, &number[2..]),
        [b'0', _, ..] => (8, &number[1..]),
        _ => (10, number),
    };
    let bits = u64::from_str_radix(digits, radix).ok()?;
    let unsigned = lower[number.len()..].contains('u') || i64::try_from(bits).is_err();
    Some(Value { bits: bits as i64, unsigned, fault: None })
}

/// The value of a character constant, as in C.
fn character(text: &str) -> Option<i64> {
    let Some(escape) = text.strip_prefix('\\') else {
        let mut letters = text.chars();
        return letters.next().filter(|_| letters.next().is_none()).map(|letter| i64::from(u32::from(letter)));
    };
    Some(match escape {
        "n" => 10,
        "t" => 9,
        "r" => 13,
        "f" => 12,
        "v" => 11,
        "a" => 7,
        "b" => 8,
        "\\" | "'" | "\"" | "?" => i64::from(escape.as_bytes()[0]),
        _ => match escape.strip_prefix('x') {
            Some(hex) => i64::from_str_radix(hex, 16).ok()?,
            None => i64::from_str_radix(escape, 8).ok()?,
        },
    })
}

#[cfg(test)]
mod tests {
    use std::rc::Rc;

    use text::FileId;

    use super::super::scan::Scanner;
    use super::super::splice::Spliced;
    use super::*;

    /// `yes`, `no`, or the code and the text of what is wrong.
    fn answer(text: &str) -> String {
        let words = Scanner::new(FileId(0), Rc::new(Spliced::new(text))).line(&mut Vec::new());
        let whole = Span { file: FileId(0), start: 0, end: text.len() as u32 };
        match holds(&words, whole) {
            Ok(value) => (if value { "yes" } else { "no" }).to_string(),
            Err(error) => {
                let at = error.span.expect("a place");
                format!("{} at {}", error.code, &text[at.start as usize..at.end as usize])
            }
        }
    }

    #[track_caller]
    fn check(conditions: &[&str], expected: &str) {
        for text in conditions {
            assert_eq!(answer(text), expected, "{text}");
        }
    }

    #[test]
    fn operators_bind_as_in_c() {
        check(
            &["1 + 2 * 3 == 7", "(1 + 2) * 3 == 9", "2 - 1 - 1 == 0", "1 || 0 && 0", "!0 == 1", "-2 * -3 == 6"],
            "yes",
        );
        check(
            &["1 << 3 == 8", "~0 == -1", "7 / 2 == 3 && -7 / 2 == -3 && -7 % 3 == -1", "1 | 2 ^ 2 & 3", "!!5 == 1"],
            "yes",
        );
        check(&["0", "1 == 2", "3 < 3", "1, 0", "x", "true", "-1 >> 70 == 0"], "no");
    }

    #[test]
    fn a_choice_groups_to_the_right() {
        check(&["1 ? 2 : 0", "0 ? 0 : 0 ? 0 : 3", "(1 ? 0 ? 1 : 2 : 3) == 2", "1 ? 1 : 0 || 1"], "yes");
        check(&["0 ? 1 : 0", "1 ? 0 : 1 || 1"], "no");
    }

    #[test]
    fn numbers_have_bases_and_suffixes() {
        check(&["0x1F == 31", "010 == 8", "0b11 == 3", "10UL == 10", "0 == 0L", "0xFul == 15", "-1 > 0u"], "yes");
        check(&["08 + 1"], "bad-condition at 08");
        check(&["1.5"], "bad-condition at 1.5");
    }

    #[test]
    fn characters_are_their_codes() {
        check(&["'a' == 97", "'\\n' == 10", "'\\0' == 0", "'\\x41' == 65", "'\\'' == 39"], "yes");
    }

    #[test]
    fn what_does_not_count_may_divide_by_zero() {
        check(&["0 && 1 / 0"], "no");
        check(&["1 || 1 % 0", "1 ? 1 : 1 / 0"], "yes");
        check(&["1 / 0", "1 && 1 / 0", "!(1 / 0)"], "division-by-zero at /");
        check(&["1 % 0"], "division-by-zero at %");
    }

    #[test]
    fn a_bad_condition_is_reported_where_it_breaks() {
        check(&["F(1)"], "bad-condition at (");
        check(&["1 2"], "bad-condition at 2");
        check(&["(1"], "bad-condition at (");
        check(&["1)", "1 ? 2 )"], "bad-condition at )");
        check(&["1 : 2"], "bad-condition at :");
        check(&["1 ? 2"], "bad-condition at ?");
        check(&["1 +"], "bad-condition at +");
        check(&["x = 1"], "bad-condition at =");
        check(&["#"], "bad-condition at #");
        check(&[""], "bad-condition at ");
    }

    #[test]
    fn deep_parentheses_are_no_problem() {
        let text = "(".repeat(100_000) + "1" + &")".repeat(100_000);
        check(&[&text], "yes");
    }
}
