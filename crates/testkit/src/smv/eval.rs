//! Values of expressions, with the types that the manual asks for: words of one operator have the same width and sign.
use std::collections::HashMap;

use super::parse::{Program, Term, Type};

/// A value.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Value {
    /// Of type `boolean`.
    Truth(bool),
    /// Of a word type: width, sign, bits.
    Word(u32, bool, u64),
    /// A number or one of an enumeration.
    Number(i64),
    /// One of an enumeration.
    Name(String),
}

/// Where names have values.
pub struct Scope<'p> {
    /// The program.
    pub program: &'p Program,
    /// Values of variables, in the order of the program, inputs last.
    pub values: Vec<Value>,
    /// Values of definitions that were computed.
    pub known: HashMap<&'p str, Value>,
    /// Rows of variables.
    pub rows: &'p HashMap<&'p str, usize>,
}

/// What is left of bits in a width.
fn kept(bits: u32, value: u64) -> u64 {
    if bits >= 64 { value } else { value & ((1 << bits) - 1) }
}

/// A word with its sign.
fn number(bits: u32, is_signed: bool, value: u64) -> i64 {
    let negative = is_signed && value >> (bits - 1) & 1 == 1;
    value as i64 - if negative { 1 << bits } else { 0 }
}

impl<'p> Scope<'p> {
    /// Whether a condition is true.
    pub fn test(&mut self, term: &'p Term) -> Result<bool, String> {
        match self.eval(term)? {
            Value::Truth(value) => Ok(value),
            other => Err(format!("{other:?} is no condition")),
        }
    }

    /// The value of an expression.
    pub fn eval(&mut self, term: &'p Term) -> Result<Value, String> {
        match term {
            Term::Truth(value) => Ok(Value::Truth(*value)),
            Term::Word(bits, is_signed, value) => Ok(Value::Word(*bits, *is_signed, *value)),
            Term::Number(value) => Ok(Value::Number(*value)),
            Term::Name(name) => self.name(name),
            Term::Unary(operator, operand) => unary(operator, self.eval(operand)?),
            Term::Binary(operator, left, right) if matches!(&**operator, "&" | "|" | "->") => {
                self.lazy(operator, left, right)
            }
            Term::Binary(operator, left, right) => binary(operator, self.eval(left)?, self.eval(right)?),
            Term::In(left, list) => {
                let value = self.eval(left)?;
                let values: Vec<Value> = list.iter().map(|it| self.eval(it)).collect::<Result<_, _>>()?;
                Ok(Value::Truth(values.contains(&value)))
            }
            Term::Slice(word, high, low) => match self.eval(word)? {
                Value::Word(bits, _, value) if high < &bits && low <= high => {
                    Ok(Value::Word(high - low + 1, false, kept(high - low + 1, value >> low)))
                }
                other => Err(format!("{other:?} has no bits {high} to {low}")),
            },
            Term::Case(list) => {
                for (condition, value) in list {
                    if self.test(condition)? {
                        return self.eval(value);
                    }
                }
                Err("no case applies".into())
            }
            Term::Until(..) => Err("a formula is no expression".into()),
        }
    }

    fn name(&mut self, name: &'p str) -> Result<Value, String> {
        if let Some(&row) = self.rows.get(name) {
            return self.values.get(row).cloned().ok_or_else(|| format!("`{name}` is not known here"));
        }
        if let Some(value) = self.known.get(name) {
            return Ok(value.clone());
        }
        let Some(term) = self.program.definitions.get(name) else {
            let mut types = self.program.variables.iter().chain(&self.program.inputs);
            let is_one = types.any(|it| matches!(&it.1, Type::Names(names) if names.iter().any(|it| it == name)));
            return if is_one { Ok(Value::Name(name.into())) } else { Err(format!("`{name}` is nothing")) };
        };
        let value = self.eval(term)?;
        self.known.insert(name, value.clone());
        Ok(value)
    }

    /// Conditions from left to right; words as a whole.
    fn lazy(&mut self, operator: &'p str, left: &'p Term, right: &'p Term) -> Result<Value, String> {
        match (self.eval(left)?, operator) {
            (Value::Truth(false), "&") => Ok(Value::Truth(false)),
            (Value::Truth(true), "|") | (Value::Truth(false), "->") => Ok(Value::Truth(true)),
            (Value::Truth(_), _) => self.test(right).map(Value::Truth),
            (left, _) => binary(operator, left, self.eval(right)?),
        }
    }
}

fn unary(operator: &str, operand: Value) -> Result<Value, String> {
    match (operator, operand) {
        ("!", Value::Truth(it)) => Ok(Value::Truth(!it)),
        ("!", Value::Word(bits, sign, it)) => Ok(Value::Word(bits, sign, kept(bits, !it))),
        ("-", Value::Word(bits, sign, it)) => Ok(Value::Word(bits, sign, kept(bits, it.wrapping_neg()))),
        ("-", Value::Number(it)) => Ok(Value::Number(-it)),
        ("word1", Value::Truth(it)) => Ok(Value::Word(1, false, u64::from(it))),
        ("signed", Value::Word(bits, false, it)) => Ok(Value::Word(bits, true, it)),
        ("unsigned", Value::Word(bits, true, it)) => Ok(Value::Word(bits, false, it)),
        (operator, operand) => Err(format!("`{operator}` of {operand:?}")),
    }
}

fn binary(operator: &str, left: Value, right: Value) -> Result<Value, String> {
    let wrong = format!("{left:?} {operator} {right:?}");
    match (left, right) {
        (Value::Word(bits, sign, word), Value::Number(more)) => {
            by_number(operator, bits, sign, word, more).ok_or(wrong)
        }
        (Value::Word(bits, sign, one), Value::Word(other_bits, other_sign, two)) => {
            let fits = bits == other_bits && sign == other_sign;
            fits.then(|| of_words(operator, bits, sign, one, two)).flatten().ok_or(wrong)
        }
        (left, right) => match operator {
            "=" => Ok(Value::Truth(left == right)),
            "!=" => Ok(Value::Truth(left != right)),
            "<->" => Ok(Value::Truth(left == right)),
            _ => Err(wrong),
        },
    }
}

fn by_number(operator: &str, bits: u32, sign: bool, word: u64, more: i64) -> Option<Value> {
    let more = u32::try_from(more).ok()?;
    match operator {
        "extend" => {
            let wide = bits + more;
            Some(Value::Word(wide, sign, kept(wide, number(bits, sign, word) as u64)))
        }
        "<<" if more <= bits => Some(Value::Word(bits, sign, kept(bits, word << more))),
        _ => None,
    }
}

fn of_words(operator: &str, bits: u32, sign: bool, one: u64, two: u64) -> Option<Value> {
    let (a, b) = (number(bits, sign, one), number(bits, sign, two));
    let word = |value: u64| Some(Value::Word(bits, sign, kept(bits, value)));
    let truth = |value: bool| Some(Value::Truth(value));
    match operator {
        "+" => word(one.wrapping_add(two)),
        "-" => word(one.wrapping_sub(two)),
        "*" => word(one.wrapping_mul(two)),
        // What they mean with a sign differs between versions of NuSMV.
        "/" if !sign && two != 0 => word(one / two),
        "mod" if !sign && two != 0 => word(one % two),
        "&" => word(one & two),
        "|" => word(one | two),
        "xor" => word(one ^ two),
        "=" => truth(a == b),
        "!=" => truth(a != b),
        "<" => truth(a < b),
        "<=" => truth(a <= b),
        ">" => truth(a > b),
        ">=" => truth(a >= b),
        _ => None,
    }
}

/// Whether a value is one of a type.
pub fn belongs(value: &Value, ty: &Type) -> bool {
    match (value, ty) {
        (Value::Truth(_), Type::Boolean) => true,
        (Value::Word(bits, false, _), Type::Unsigned(wanted)) => bits == wanted,
        (Value::Word(bits, true, _), Type::Signed(wanted)) => bits == wanted,
        (Value::Name(name), Type::Names(names)) => names.contains(name),
        (Value::Number(it), Type::Range(low, high)) => (low..=high).contains(&it),
        _ => false,
    }
}
