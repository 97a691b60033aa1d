//! Conditions and numbers as SMV writes them.
//!
//! A [`Truth`] is an expression of type `boolean`, a [`Word`] one of type `unsigned word[N]`. Both are text that knows how tightly it binds, so that
//! parentheses stand only where they are needed, and both know when they are constant, so that what is always true is not written at all.
//! Operators and their order: Cavada et al., *NuSMV 2.5 User Manual*, 2010, section 2.1.

/// How tightly the outermost operator of a text binds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Level {
    Or,
    And,
    Relation,
    Shift,
    Sum,
    Product,
    Unary,
    Atom,
}

/// Some text.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Piece {
    text: String,
    level: Level,
}

impl Piece {
    fn new(text: impl Into<String>, level: Level) -> Self {
        Piece { text: text.into(), level }
    }

    /// As an operand of an operator that binds like `level`.
    fn within(&self, level: Level) -> String {
        if self.level >= level { self.text.clone() } else { format!("({})", self.text) }
    }

    fn not(&self) -> Piece {
        Piece::new(format!("!{}", self.within(Level::Atom)), Level::Unary)
    }
}

/// A condition, with its opposite at hand.
#[derive(Clone, Debug)]
pub struct Truth {
    yes: Piece,
    no: Piece,
    known: Option<bool>,
}

impl Truth {
    /// Always so.
    pub fn constant(value: bool) -> Self {
        let name = |it: bool| Piece::new(if it { "TRUE" } else { "FALSE" }, Level::Atom);
        Truth { yes: name(value), no: name(!value), known: Some(value) }
    }

    /// A variable or a definition.
    pub fn symbol(name: impl Into<String>) -> Self {
        let yes = Piece::new(name, Level::Atom);
        Truth { no: yes.not(), yes, known: None }
    }

    /// A comparison of two texts, each an atom; `opposite` is the operator that says the contrary.
    fn relation(left: &str, operator: &str, right: &str, opposite: &str) -> Self {
        let piece = |operator| Piece::new(format!("{left} {operator} {right}"), Level::Relation);
        Truth { yes: piece(operator), no: piece(opposite), known: None }
    }

    /// Whether a variable has a value.
    pub fn is(variable: &str, value: &str) -> Self {
        Truth::relation(variable, "=", value, "!=")
    }

    /// Whether a variable has one of some values.
    pub fn is_one_of(variable: &str, values: &[&str]) -> Self {
        match values {
            [] => Truth::constant(false),
            [value] => Truth::is(variable, value),
            _ => {
                let yes = Piece::new(format!("{variable} in {{{}}}", values.join(", ")), Level::Relation);
                Truth { no: yes.not(), yes, known: None }
            }
        }
    }

    /// What it is, if that is the same in all states.
    pub fn known(&self) -> Option<bool> {
        self.known
    }

    /// Never so.
    pub fn is_false(&self) -> bool {
        self.known == Some(false)
    }

    /// The contrary.
    #[must_use]
    pub fn not(&self) -> Truth {
        Truth { yes: self.no.clone(), no: self.yes.clone(), known: self.known.map(|it| !it) }
    }

    /// Both.
    #[must_use]
    pub fn and(&self, other: &Truth) -> Truth {
        match (self.known, other.known) {
            (Some(true), _) => other.clone(),
            (_, Some(true)) => self.clone(),
            (Some(false), _) | (_, Some(false)) => Truth::constant(false),
            _ if self.yes == other.yes => self.clone(),
            _ if self.yes == other.no => Truth::constant(false),
            _ => {
                let text = format!("{} & {}", self.yes.within(Level::And), other.yes.within(Level::And));
                let yes = Piece::new(text, Level::And);
                Truth { no: yes.not(), yes, known: None }
            }
        }
    }

    /// One of them.
    #[must_use]
    pub fn or(&self, other: &Truth) -> Truth {
        match (self.known, other.known) {
            (Some(false), _) => other.clone(),
            (_, Some(false)) => self.clone(),
            (Some(true), _) | (_, Some(true)) => Truth::constant(true),
            _ if self.yes == other.yes => self.clone(),
            _ if self.yes == other.no => Truth::constant(true),
            _ => {
                let yes = Piece::new(format!("{} | {}", self.yes.text, other.yes.text), Level::Or);
                Truth { no: yes.not(), yes, known: None }
            }
        }
    }

    /// This and not the other.
    #[must_use]
    pub fn minus(&self, other: &Truth) -> Truth {
        self.and(&other.not())
    }

    /// All of them.
    pub fn all<'a>(list: impl IntoIterator<Item = &'a Truth>) -> Truth {
        list.into_iter().fold(Truth::constant(true), |all, it| all.and(it))
    }

    /// One of them.
    pub fn any<'a>(list: impl IntoIterator<Item = &'a Truth>) -> Truth {
        list.into_iter().fold(Truth::constant(false), |any, it| any.or(it))
    }

    /// The first where the condition is true, else the second.
    pub fn choose(condition: &Truth, yes: &Truth, no: &Truth) -> Truth {
        match (condition.known, yes.known, no.known) {
            (Some(true), ..) => yes.clone(),
            (Some(false), ..) => no.clone(),
            (_, Some(true), _) => condition.or(no),
            (_, Some(false), _) => no.minus(condition),
            (_, _, Some(true)) => condition.not().or(yes),
            (_, _, Some(false)) => condition.and(yes),
            _ if yes.yes == no.yes => yes.clone(),
            _ => Truth::symbol(format!("({} ? {} : {})", condition.yes.text, yes.yes.text, no.yes.text)),
        }
    }

    /// As text.
    pub fn text(&self) -> &str {
        &self.yes.text
    }
}

/// Some bits without a sign.
#[derive(Clone, Debug)]
pub struct Word {
    piece: Piece,
    /// How many.
    pub bits: u32,
    known: Option<u32>,
    /// If there is one bit and it is a condition.
    truth: Option<Box<Truth>>,
    /// The same as a `signed word`, if that is simpler.
    signed: Option<String>,
}

/// Operators on words of the same width that give a word of that width.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum Operator {
    Add,
    Sub,
    Mul,
    Div,
    Mod,
    And,
    Or,
    Xor,
}

/// The lowest bits of a value.
fn mask(bits: u32) -> u32 {
    if bits >= 32 { u32::MAX } else { (1 << bits) - 1 }
}

impl Word {
    fn new(text: impl Into<String>, level: Level, bits: u32) -> Self {
        Word { piece: Piece::new(text, level), bits, known: None, truth: None, signed: None }
    }

    /// The lowest bits of a number.
    pub fn constant(value: i32, bits: u32) -> Self {
        let value = value as u32 & mask(bits);
        let truth = (bits == 1).then(|| Box::new(Truth::constant(value == 1)));
        Word { known: Some(value), truth, ..Word::new(format!("0ud{bits}_{value}"), Level::Atom, bits) }
    }

    /// A variable of type `unsigned word`.
    pub fn symbol(name: &str, bits: u32) -> Self {
        Word::new(name, Level::Atom, bits)
    }

    /// A variable of type `signed word`.
    pub fn signed_symbol(name: &str, bits: u32) -> Self {
        Word { signed: Some(name.into()), ..Word::new(format!("unsigned({name})"), Level::Atom, bits) }
    }

    /// 1 where a condition is true, else 0.
    pub fn of(truth: &Truth) -> Self {
        match truth.known {
            Some(value) => Word::constant(i32::from(value), 1),
            None => {
                let text = format!("word1({})", truth.text());
                Word { truth: Some(Box::new(truth.clone())), ..Word::new(text, Level::Atom, 1) }
            }
        }
    }

    /// As text.
    pub fn text(&self) -> &str {
        &self.piece.text
    }

    /// As the text of a `signed word` of the same width.
    pub fn signed(&self) -> String {
        match (self.known, &self.signed) {
            // The least number has no opposite.
            (Some(value), _) if value != 1 << (self.bits - 1) => {
                let value = i64::from(value) - if value >> (self.bits - 1) & 1 == 1 { 1i64 << self.bits } else { 0 };
                format!("{}0sd{}_{}", if value < 0 { "-" } else { "" }, self.bits, value.abs())
            }
            (None, Some(text)) => text.clone(),
            _ => format!("signed({})", self.text()),
        }
    }

    /// Whether it is not 0.
    pub fn is_true(&self) -> Truth {
        match &self.truth {
            Some(truth) => (**truth).clone(),
            None => self.equals(&Word::constant(0, self.bits)).not(),
        }
    }

    /// Whether two words of the same width are equal.
    pub fn equals(&self, other: &Word) -> Truth {
        match (self.known, other.known, &self.truth, &other.truth) {
            (Some(one), Some(two), ..) => Truth::constant(one == two),
            (_, Some(bit), Some(truth), _) | (Some(bit), _, _, Some(truth)) => {
                if bit == 1 {
                    (**truth).clone()
                } else {
                    truth.not()
                }
            }
            _ if self.piece == other.piece => Truth::constant(true),
            _ => Truth::relation(&self.operand(), "=", &other.operand(), "!="),
        }
    }

    fn operand(&self) -> String {
        self.piece.within(Level::Shift)
    }

    /// Whether the first is less than the second, both without a sign.
    pub fn less(&self, other: &Word) -> Truth {
        match (self.known, other.known) {
            (Some(one), Some(two)) => Truth::constant(one < two),
            _ => Truth::relation(&self.operand(), "<", &other.operand(), ">="),
        }
    }

    /// Whether the first is less than the second, both with a sign.
    pub fn less_signed(&self, other: &Word) -> Truth {
        Truth::relation(&self.signed(), "<", &other.signed(), ">=")
    }

    /// The first where the condition is true, else the second.
    pub fn choose(condition: &Truth, yes: &Word, no: &Word) -> Word {
        match (condition.known, &yes.truth, &no.truth) {
            (Some(true), ..) => yes.clone(),
            (Some(false), ..) => no.clone(),
            (_, Some(yes), Some(no)) => Word::of(&Truth::choose(condition, yes, no)),
            _ if yes.piece == no.piece => yes.clone(),
            _ => {
                let text = format!("({} ? {} : {})", condition.text(), yes.text(), no.text());
                Word::new(text, Level::Atom, yes.bits)
            }
        }
    }

    /// With zeros above.
    pub fn extended(&self, bits: u32) -> Word {
        match self.known {
            Some(value) => Word::constant(value as i32, bits),
            None if bits == self.bits => self.clone(),
            None => Word::new(format!("extend({}, {})", self.text(), bits - self.bits), Level::Atom, bits),
        }
    }

    /// With copies of the highest bit above.
    pub fn sign_extended(&self, bits: u32) -> Word {
        match self.known {
            Some(value) => Word::constant((value << (32 - self.bits)) as i32 >> (32 - self.bits), bits),
            None if bits == self.bits => self.clone(),
            None => {
                let signed = format!("extend({}, {})", self.signed(), bits - self.bits);
                let text = format!("unsigned({signed})");
                Word { signed: Some(signed), ..Word::new(text, Level::Atom, bits) }
            }
        }
    }

    /// Some of its bits, from `low` on.
    pub fn slice(&self, low: u32, bits: u32) -> Word {
        match self.known {
            Some(value) => Word::constant((value >> low) as i32, bits),
            None if bits == self.bits => self.clone(),
            None => {
                let text = format!("{}[{}:{low}]", self.piece.within(Level::Atom), low + bits - 1);
                Word::new(text, Level::Unary, bits)
            }
        }
    }

    /// Every bit the other way round.
    pub fn complement(&self) -> Word {
        match (self.known, &self.truth) {
            (Some(value), _) => Word::constant(!value as i32, self.bits),
            (_, Some(truth)) => Word::of(&truth.not()),
            _ => Word { piece: self.piece.not(), ..Word::new("", Level::Atom, self.bits) },
        }
    }

    /// 0 minus this.
    pub fn negated(&self) -> Word {
        match self.known {
            Some(value) => Word::constant((value as i32).wrapping_neg(), self.bits),
            None => Word::new(format!("-{}", self.piece.within(Level::Atom)), Level::Unary, self.bits),
        }
    }

    /// Shifted to the left by less than its width.
    pub fn shifted_left(&self, places: u32) -> Word {
        match self.known {
            Some(value) => Word::constant((value << places) as i32, self.bits),
            None if places == 0 => self.clone(),
            None => Word::new(format!("{} << {places}", self.piece.within(Level::Sum)), Level::Shift, self.bits),
        }
    }

    /// Two words of the same width, and an operator.
    pub fn combine(operator: Operator, left: &Word, right: &Word) -> Word {
        let (symbol, level) = match operator {
            Operator::Add => ("+", Level::Sum),
            Operator::Sub => ("-", Level::Sum),
            Operator::Mul => ("*", Level::Product),
            Operator::Div => ("/", Level::Product),
            Operator::Mod => ("mod", Level::Product),
            Operator::And => ("&", Level::And),
            Operator::Or => ("|", Level::Or),
            Operator::Xor => ("xor", Level::Or),
        };
        // What stands on the right binds more tightly, and bits are not mixed with conditions.
        let above = if level < Level::Relation { Level::Unary } else { level };
        let next = if level == Level::Sum { Level::Product } else { Level::Unary };
        let text = format!("{} {symbol} {}", left.piece.within(above), right.piece.within(next));
        Word::new(text, level, left.bits)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parentheses_stand_where_they_are_needed() {
        let (a, b, c) = (Truth::symbol("a"), Truth::symbol("b"), Truth::is("x", "3"));
        assert_eq!(a.or(&b).and(&c).text(), "(a | b) & x = 3");
        assert_eq!(a.and(&c.not()).not().text(), "!(a & x != 3)");
        let (x, y) = (Word::symbol("x", 8), Word::constant(3, 8));
        let sum = Word::combine(Operator::Add, &x, &y);
        assert_eq!(Word::combine(Operator::Mul, &sum, &x).text(), "(x + 0ud8_3) * x");
        assert_eq!(Word::combine(Operator::Sub, &x, &sum).text(), "x - (x + 0ud8_3)");
        assert_eq!(sum.less(&y).text(), "x + 0ud8_3 < 0ud8_3");
    }

    #[test]
    fn what_is_always_so_is_not_written() {
        let a = Truth::symbol("a");
        assert_eq!(a.and(&Truth::constant(true)).text(), "a");
        assert_eq!(a.or(&a.not()).known(), Some(true));
        assert_eq!(Word::constant(-3, 16).signed(), "-0sd16_3");
        assert_eq!(Word::constant(-1, 8).text(), "0ud8_255");
        assert_eq!(Word::of(&a).equals(&Word::constant(0, 1)).text(), "!a");
    }
}
