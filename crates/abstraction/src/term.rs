//! Values of expressions as terms over typed variables, for decision procedures.
//!
//! Arithmetic is that of the model: 32 bits, two's complement, overflow wraps around, and what is stored is
//! reduced to the type of the variable ([`Term::Truncate`]). Division by zero is 0 here; that it is a fault is
//! said by a term of its own, so that a procedure never meets a value that does not exist.
use model::{BinaryOp, Type, UnaryOp};

/// A variable of a term: a row of the table that goes with it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct VarId(pub u32);

/// A value.
#[derive(Clone, Debug, PartialEq)]
pub enum Term {
    /// A number.
    Constant(i32),
    /// What a variable holds.
    Variable(VarId),
    /// A prefix operator.
    Unary(UnaryOp, Box<Term>),
    /// An infix operator.
    Binary(BinaryOp, Box<Term>, Box<Term>),
    /// If the first is not 0 the second, else the third.
    Choice(Box<Term>, Box<Term>, Box<Term>),
    /// What is kept when the value is stored.
    Truncate(Type, Box<Term>),
}

impl Term {
    /// True.
    pub const TRUE: Term = Term::Constant(1);
    /// False.
    pub const FALSE: Term = Term::Constant(0);

    /// An infix operator, computed at once where both sides are numbers.
    pub fn binary(op: BinaryOp, left: Term, right: Term) -> Term {
        match (op, &left, &right) {
            (_, Term::Constant(a), Term::Constant(b)) => Term::Constant(op.apply(*a, *b).unwrap_or(0)),
            (BinaryOp::And, Term::Constant(0), _) | (BinaryOp::And, _, Term::Constant(0)) => Term::FALSE,
            (BinaryOp::Or, Term::Constant(0), other) | (BinaryOp::Or, other, Term::Constant(0)) => {
                other.clone().truth()
            }
            (BinaryOp::And, Term::Constant(_), other) | (BinaryOp::And, other, Term::Constant(_)) => {
                other.clone().truth()
            }
            (BinaryOp::Or, Term::Constant(_), _) | (BinaryOp::Or, _, Term::Constant(_)) => Term::TRUE,
            _ => Term::Binary(op, Box::new(left), Box::new(right)),
        }
    }

    /// A prefix operator, computed at once where the operand is a number.
    pub fn unary(op: UnaryOp, operand: Term) -> Term {
        match operand {
            Term::Constant(value) => Term::Constant(op.apply(value)),
            operand => Term::Unary(op, Box::new(operand)),
        }
    }

    /// A choice.
    pub fn choice(condition: Term, yes: Term, no: Term) -> Term {
        match condition {
            Term::Constant(0) => no,
            Term::Constant(_) => yes,
            _ if yes == no => yes,
            condition => Term::Choice(Box::new(condition), Box::new(yes), Box::new(no)),
        }
    }

    /// What a variable of this type keeps of it.
    pub fn stored(self, ty: Type) -> Term {
        match self {
            Term::Constant(value) => Term::Constant(ty.truncate(value)),
            value if ty == Type::Int => value,
            value => Term::Truncate(ty, Box::new(value)),
        }
    }

    /// Both.
    pub fn and(self, other: Term) -> Term {
        Term::binary(BinaryOp::And, self, other)
    }

    /// One of them, or both.
    pub fn or(self, other: Term) -> Term {
        Term::binary(BinaryOp::Or, self, other)
    }

    /// The opposite.
    pub fn negated(self) -> Term {
        Term::unary(UnaryOp::Not, self)
    }

    /// 1 if it is not 0.
    fn truth(self) -> Term {
        match &self {
            Term::Unary(UnaryOp::Not, _) => self,
            Term::Binary(op, ..) if is_condition(*op) => self,
            _ => Term::binary(BinaryOp::Ne, self, Term::FALSE),
        }
    }

    /// Its value when variables have these.
    pub fn value(&self, of: &dyn Fn(VarId) -> i32) -> i32 {
        match self {
            Term::Constant(value) => *value,
            Term::Variable(id) => of(*id),
            Term::Unary(op, operand) => op.apply(operand.value(of)),
            Term::Binary(op, left, right) => op.apply(left.value(of), right.value(of)).unwrap_or(0),
            Term::Choice(condition, yes, no) => if condition.value(of) != 0 { yes } else { no }.value(of),
            Term::Truncate(ty, operand) => ty.truncate(operand.value(of)),
        }
    }

    /// The term with other terms in the place of variables.
    pub fn substitute(&self, with: &dyn Fn(VarId) -> Option<Term>) -> Term {
        let again = |it: &Term| it.substitute(with);
        match self {
            Term::Constant(_) => self.clone(),
            Term::Variable(id) => with(*id).unwrap_or_else(|| self.clone()),
            Term::Unary(op, operand) => Term::unary(*op, again(operand)),
            Term::Binary(op, left, right) => Term::binary(*op, again(left), again(right)),
            Term::Choice(condition, yes, no) => Term::choice(again(condition), again(yes), again(no)),
            Term::Truncate(ty, operand) => again(operand).stored(*ty),
        }
    }

    /// Calls `visit` for every variable in it.
    pub fn variables(&self, visit: &mut dyn FnMut(VarId)) {
        match self {
            Term::Constant(_) => {}
            Term::Variable(id) => visit(*id),
            Term::Unary(_, operand) | Term::Truncate(_, operand) => operand.variables(visit),
            Term::Binary(_, left, right) => [left, right].into_iter().for_each(|it| it.variables(visit)),
            Term::Choice(a, b, c) => [a, b, c].into_iter().for_each(|it| it.variables(visit)),
        }
    }
}

/// Whether an operator gives only 0 and 1.
fn is_condition(op: BinaryOp) -> bool {
    use BinaryOp::{And, Eq, Ge, Gt, Le, Lt, Ne, Or};
    matches!(op, And | Or | Eq | Ne | Lt | Le | Gt | Ge)
}
