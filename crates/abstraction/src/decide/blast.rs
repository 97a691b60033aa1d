//! Terms as circuits, circuits as clauses: every bit of a value is a literal (Tseitin, 1968).
use std::collections::HashMap;

use model::{BinaryOp, Type, UnaryOp};

use super::sat::{Literal, Solver};
use crate::term::{Term, VarId};

/// 32 bits, the least significant first.
type Word = Vec<Literal>;

const WIDTH: usize = 32;

/// A circuit in the making.
pub struct Circuit<'a> {
    pub solver: Solver,
    types: &'a dyn Fn(VarId) -> Type,
    truth: Literal,
    variables: HashMap<VarId, Word>,
    gates: HashMap<(Literal, Literal), Literal>,
}

impl<'a> Circuit<'a> {
    pub fn new(types: &'a dyn Fn(VarId) -> Type) -> Self {
        let mut solver = Solver::default();
        let truth = solver.variable();
        solver.clause(&[truth]);
        Circuit { solver, types, truth, variables: HashMap::new(), gates: HashMap::new() }
    }

    /// The literal that is true where the term is not 0.
    pub fn condition(&mut self, term: &Term) -> Literal {
        let word = self.word(term);
        self.any(&word)
    }

    fn word(&mut self, term: &Term) -> Word {
        match term {
            Term::Constant(value) => self.constant(*value),
            Term::Variable(id) => self.variable(*id),
            Term::Unary(op, operand) => self.unary(*op, operand),
            Term::Binary(op, left, right) => self.binary(*op, left, right),
            Term::Choice(condition, yes, no) => {
                let condition = self.condition(condition);
                let (yes, no) = (self.word(yes), self.word(no));
                self.choose(condition, &yes, &no)
            }
            Term::Truncate(ty, operand) => {
                let word = self.word(operand);
                self.truncate(*ty, &word)
            }
        }
    }

    fn constant(&self, value: i32) -> Word {
        (0..WIDTH).map(|bit| if value >> bit & 1 == 1 { self.truth } else { !self.truth }).collect()
    }

    fn variable(&mut self, id: VarId) -> Word {
        if let Some(word) = self.variables.get(&id) {
            return word.clone();
        }
        let free: Word = (0..WIDTH).map(|_| self.solver.variable()).collect();
        let word = self.truncate((self.types)(id), &free);
        self.variables.insert(id, word.clone());
        word
    }

    fn truncate(&self, ty: Type, word: &Word) -> Word {
        let (bits, above) = match ty {
            Type::Unsigned { bits } => (bits as usize, !self.truth),
            Type::Short => (16, word[15]),
            Type::Int => (WIDTH, self.truth),
            Type::Channel => (8, !self.truth),
        };
        (0..WIDTH).map(|bit| if bit < bits { word[bit] } else { above }).collect()
    }

    fn truth_value(&self, literal: Literal) -> Word {
        (0..WIDTH).map(|bit| if bit == 0 { literal } else { !self.truth }).collect()
    }

    fn unary(&mut self, op: UnaryOp, operand: &Term) -> Word {
        let word = self.word(operand);
        match op {
            UnaryOp::Not => {
                let any = self.any(&word);
                self.truth_value(!any)
            }
            UnaryOp::Complement => inverted(&word),
            UnaryOp::Negate => self.negate(&word),
        }
    }

    fn binary(&mut self, op: BinaryOp, left: &Term, right: &Term) -> Word {
        if matches!(op, BinaryOp::And | BinaryOp::Or) {
            let (a, b) = (self.condition(left), self.condition(right));
            let result = if op == BinaryOp::And { self.and(a, b) } else { self.or(a, b) };
            return self.truth_value(result);
        }
        let (a, b) = (self.word(left), self.word(right));
        match op {
            BinaryOp::BitAnd => self.each(&a, &b, Self::and),
            BinaryOp::BitOr => self.each(&a, &b, Self::or),
            BinaryOp::BitXor => self.each(&a, &b, Self::xor),
            BinaryOp::Add => self.add(&a, &b, !self.truth).0,
            BinaryOp::Sub => self.add(&a, &inverted(&b), self.truth).0,
            BinaryOp::Mul => self.multiply(&a, &b),
            BinaryOp::Shl | BinaryOp::Shr => self.shift(op == BinaryOp::Shl, &a, &b),
            BinaryOp::Div => self.divide(&a, &b).0,
            BinaryOp::Rem => self.divide(&a, &b).1,
            comparison => {
                let result = self.compare(comparison, &a, &b);
                self.truth_value(result)
            }
        }
    }

    fn compare(&mut self, op: BinaryOp, a: &Word, b: &Word) -> Literal {
        match op {
            BinaryOp::Eq => !self.differ(a, b),
            BinaryOp::Ne => self.differ(a, b),
            BinaryOp::Lt => self.less(a, b),
            BinaryOp::Gt => self.less(b, a),
            BinaryOp::Le => !self.less(b, a),
            _ => !self.less(a, b),
        }
    }

    // Gates.

    fn and(&mut self, a: Literal, b: Literal) -> Literal {
        let (a, b) = (a.min(b), a.max(b));
        match () {
            () if a == b || b == self.truth => return a,
            () if a == self.truth => return b,
            () if a == !b || a == !self.truth || b == !self.truth => return !self.truth,
            () => {}
        }
        if let Some(gate) = self.gates.get(&(a, b)) {
            return *gate;
        }
        let gate = self.solver.variable();
        self.solver.clause(&[!gate, a]);
        self.solver.clause(&[!gate, b]);
        self.solver.clause(&[gate, !a, !b]);
        self.gates.insert((a, b), gate);
        gate
    }

    fn or(&mut self, a: Literal, b: Literal) -> Literal {
        !self.and(!a, !b)
    }

    fn xor(&mut self, a: Literal, b: Literal) -> Literal {
        let (only_a, only_b) = (self.and(a, !b), self.and(!a, b));
        self.or(only_a, only_b)
    }

    fn select(&mut self, condition: Literal, yes: Literal, no: Literal) -> Literal {
        let (a, b) = (self.and(condition, yes), self.and(!condition, no));
        self.or(a, b)
    }

    fn any(&mut self, word: &[Literal]) -> Literal {
        let mut result = !self.truth;
        for &bit in word {
            result = self.or(result, bit);
        }
        result
    }

    // Words.

    fn each(&mut self, a: &Word, b: &Word, gate: fn(&mut Self, Literal, Literal) -> Literal) -> Word {
        a.iter().zip(b).map(|(&a, &b)| gate(self, a, b)).collect()
    }

    fn choose(&mut self, condition: Literal, yes: &[Literal], no: &[Literal]) -> Word {
        yes.iter().zip(no).map(|(&yes, &no)| self.select(condition, yes, no)).collect()
    }

    /// The sum and what is carried out of it.
    fn add(&mut self, a: &[Literal], b: &[Literal], mut carry: Literal) -> (Word, Literal) {
        let mut sum = Word::new();
        for (&a, &b) in a.iter().zip(b) {
            let half = self.xor(a, b);
            sum.push(self.xor(half, carry));
            let (both, passed) = (self.and(a, b), self.and(half, carry));
            carry = self.or(both, passed);
        }
        (sum, carry)
    }

    fn negate(&mut self, word: &Word) -> Word {
        let zero = self.constant(0);
        self.add(&inverted(word), &zero, self.truth).0
    }

    fn differ(&mut self, a: &Word, b: &Word) -> Literal {
        let bits = self.each(a, b, Self::xor);
        self.any(&bits)
    }

    /// Signed: with the sign bits inverted it is the unsigned order, and that is what a difference borrows.
    fn less(&mut self, a: &Word, b: &Word) -> Literal {
        let (mut a, mut b) = (a.clone(), b.clone());
        a[WIDTH - 1] = !a[WIDTH - 1];
        b[WIDTH - 1] = !b[WIDTH - 1];
        !self.add(&a, &inverted(&b), self.truth).1
    }

    fn multiply(&mut self, a: &Word, b: &Word) -> Word {
        let mut product = self.constant(0);
        for (by, &bit) in b.iter().enumerate() {
            let shifted: Word = (0..WIDTH).map(|it| if it < by { !self.truth } else { a[it - by] }).collect();
            let part: Word = shifted.into_iter().map(|it| self.and(it, bit)).collect();
            product = self.add(&product, &part, !self.truth).0;
        }
        product
    }

    /// By the last five bits, as processors do.
    fn shift(&mut self, left: bool, word: &Word, by: &Word) -> Word {
        let mut word = word.clone();
        for (stage, &bit) in by[..5].iter().enumerate() {
            let distance = 1usize << stage;
            let moved: Word = (0..WIDTH)
                .map(|it| match left {
                    true if it < distance => !self.truth,
                    true => word[it - distance],
                    false => word[(it + distance).min(WIDTH - 1)],
                })
                .collect();
            word = self.choose(bit, &moved, &word);
        }
        word
    }

    /// Quotient and remainder, rounded towards zero; both 0 if the divisor is.
    fn divide(&mut self, a: &Word, b: &Word) -> (Word, Word) {
        let (a_sign, b_sign) = (a[WIDTH - 1], b[WIDTH - 1]);
        let (a_size, b_size) = (self.magnitude(a), self.magnitude(b));
        let (quotient, remainder) = self.divide_magnitudes(&a_size, &b_size);
        let opposite = self.xor(a_sign, b_sign);
        let (minus_quotient, minus_remainder) = (self.negate(&quotient), self.negate(&remainder));
        let quotient = self.choose(opposite, &minus_quotient, &quotient);
        let remainder = self.choose(a_sign, &minus_remainder, &remainder);
        let defined = self.any(b);
        let zero = self.constant(0);
        (self.choose(defined, &quotient, &zero), self.choose(defined, &remainder, &zero))
    }

    fn magnitude(&mut self, word: &Word) -> Word {
        let minus = self.negate(word);
        self.choose(word[WIDTH - 1], &minus, word)
    }

    /// Long division of unsigned numbers.
    fn divide_magnitudes(&mut self, a: &Word, b: &Word) -> (Word, Word) {
        let mut divisor = b.clone();
        divisor.push(!self.truth);
        let mut rest: Word = vec![!self.truth; WIDTH + 1];
        let mut quotient = vec![!self.truth; WIDTH];
        for bit in (0..WIDTH).rev() {
            rest.rotate_right(1);
            rest[0] = a[bit];
            let (difference, fits) = self.add(&rest, &inverted(&divisor), self.truth);
            quotient[bit] = fits;
            rest = self.choose(fits, &difference, &rest);
        }
        rest.truncate(WIDTH);
        (quotient, rest)
    }
}

fn inverted(word: &[Literal]) -> Word {
    word.iter().map(|&it| !it).collect()
}
