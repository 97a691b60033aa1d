//! Expressions: values computed from a state, by one of its processes.
use crate::{LocationId, Pattern, ProcessTypeId, VariableId};

/// An expression. Conditions are expressions too: 0 is false, everything else true.
#[derive(Clone, Debug, PartialEq)]
pub enum Expr {
    /// A constant.
    Constant(i32),
    /// The value of a variable.
    Read(Place),
    /// A prefix operator.
    Unary(UnaryOp, Box<Expr>),
    /// An infix operator; `And` and `Or` evaluate the right side only if it matters.
    Binary(BinaryOp, Box<Expr>, Box<Expr>),
    /// If the first is true the second, else the third.
    Conditional(Box<Expr>, Box<Expr>, Box<Expr>),
    /// Messages in a channel.
    Length(Box<Expr>),
    /// Whether a channel is full.
    Full(Box<Expr>),
    /// Whether a channel is empty.
    Empty(Box<Expr>),
    /// Whether a receive with these patterns would succeed.
    Poll {
        /// The channel.
        channel: Box<Expr>,
        /// What the message must be.
        patterns: Vec<Pattern>,
        /// Any message, not just the oldest.
        anywhere: bool,
    },
    /// The number of the process that evaluates this.
    Me,
    /// How many processes exist.
    ProcessCount,
    /// The process that made the last step.
    LastMover,
    /// Whether that process could make a step.
    Enabled(Box<Expr>),
    /// The number of that process's control location.
    LocationOf(Box<Expr>),
    /// That process's priority.
    PriorityOf(Box<Expr>),
    /// Whether nothing else in the system can move.
    Timeout,
    /// Whether some process is at a location with such a mark.
    AnyAt(Mark),
    /// The number of the process that this step has just created.
    Spawned,
    /// Whether a process is at a location. The process is given by number or is the first of its type;
    /// false if there is none.
    RemoteAt {
        /// Its type.
        process: ProcessTypeId,
        /// Its number.
        instance: Option<Box<Expr>>,
        /// The location.
        location: LocationId,
    },
    /// A variable of another process; 0 if there is no such process.
    RemoteRead {
        /// Its type.
        process: ProcessTypeId,
        /// Its number.
        instance: Option<Box<Expr>>,
        /// Which of its variables; indices are evaluated by the reader.
        variable: VariableId,
        /// One per dimension.
        indices: Vec<Expr>,
    },
}

/// What a location is marked as.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mark {
    /// [`crate::Location::progress`].
    Progress,
    /// [`crate::Location::accepting`].
    Accepting,
}

/// Where a value can be stored.
#[derive(Clone, Debug, PartialEq)]
pub struct Place {
    /// Whose variable.
    pub scope: Scope,
    /// Which.
    pub variable: VariableId,
    /// One per dimension.
    pub indices: Vec<Expr>,
}

/// Whose variables.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Scope {
    /// Everybody's.
    Global,
    /// The process's own.
    Local,
}

/// Prefix operators.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum UnaryOp {
    /// 1 if the operand is 0, else 0.
    Not,
    /// Two's complement.
    Negate,
    /// Every bit.
    Complement,
}

/// Infix operators, with the meaning they have in C on 32 bits; overflow wraps around.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum BinaryOp {
    Or,
    And,
    BitOr,
    BitXor,
    BitAnd,
    Eq,
    Ne,
    Lt,
    Le,
    Gt,
    Ge,
    Shl,
    Shr,
    Add,
    Sub,
    Mul,
    Div,
    Rem,
}

impl UnaryOp {
    /// The value it gives.
    pub fn apply(self, value: i32) -> i32 {
        match self {
            UnaryOp::Not => i32::from(value == 0),
            UnaryOp::Negate => value.wrapping_neg(),
            UnaryOp::Complement => !value,
        }
    }
}

impl BinaryOp {
    /// All of them, loosest first.
    pub const ALL: [BinaryOp; 18] = {
        use BinaryOp::*;
        [Or, And, BitOr, BitXor, BitAnd, Eq, Ne, Lt, Le, Gt, Ge, Shl, Shr, Add, Sub, Mul, Div, Rem]
    };

    /// The value it gives; there is none if it divides by zero.
    pub fn apply(self, left: i32, right: i32) -> Option<i32> {
        Some(match self {
            BinaryOp::Or => i32::from(left != 0 || right != 0),
            BinaryOp::And => i32::from(left != 0 && right != 0),
            BinaryOp::BitOr => left | right,
            BinaryOp::BitXor => left ^ right,
            BinaryOp::BitAnd => left & right,
            BinaryOp::Eq => i32::from(left == right),
            BinaryOp::Ne => i32::from(left != right),
            BinaryOp::Lt => i32::from(left < right),
            BinaryOp::Le => i32::from(left <= right),
            BinaryOp::Gt => i32::from(left > right),
            BinaryOp::Ge => i32::from(left >= right),
            BinaryOp::Shl => left.wrapping_shl(right as u32),
            BinaryOp::Shr => left.wrapping_shr(right as u32),
            BinaryOp::Add => left.wrapping_add(right),
            BinaryOp::Sub => left.wrapping_sub(right),
            BinaryOp::Mul => left.wrapping_mul(right),
            BinaryOp::Div | BinaryOp::Rem if right == 0 => return None,
            BinaryOp::Div => left.wrapping_div(right),
            BinaryOp::Rem => left.wrapping_rem(right),
        })
    }
}

impl Expr {
    /// The constant true.
    pub const TRUE: Expr = Expr::Constant(1);

    /// Whether this is the constant true.
    pub fn is_true(&self) -> bool {
        matches!(self, Expr::Constant(value) if *value != 0)
    }

    /// The parts that must all be true if this is.
    pub fn conjuncts(&self) -> Vec<&Expr> {
        match self {
            Expr::Binary(BinaryOp::And, left, right) => [left.conjuncts(), right.conjuncts()].concat(),
            _ => vec![self],
        }
    }

    /// Calls `visit` for every direct part.
    pub fn parts(&self, visit: &mut dyn FnMut(&Expr)) {
        match self {
            Expr::Constant(_)
            | Expr::Me
            | Expr::ProcessCount
            | Expr::LastMover
            | Expr::Timeout
            | Expr::AnyAt(_)
            | Expr::Spawned => {}
            Expr::Read(place) => place.indices.iter().for_each(visit),
            Expr::Unary(_, part)
            | Expr::Length(part)
            | Expr::Full(part)
            | Expr::Empty(part)
            | Expr::Enabled(part)
            | Expr::LocationOf(part)
            | Expr::PriorityOf(part) => visit(part),
            Expr::Binary(_, left, right) => [left, right].into_iter().for_each(|part| visit(part)),
            Expr::Conditional(a, b, c) => [a, b, c].into_iter().for_each(|part| visit(part)),
            Expr::Poll { channel, patterns, .. } => {
                visit(channel);
                patterns.iter().filter_map(Pattern::value).for_each(visit);
            }
            Expr::RemoteAt { instance, .. } => instance.iter().for_each(|part| visit(part)),
            Expr::RemoteRead { instance, indices, .. } => {
                instance.iter().for_each(|part| visit(part));
                indices.iter().for_each(visit);
            }
        }
    }

    /// Calls `visit` for every direct part, which it may change.
    pub fn parts_mut(&mut self, visit: &mut dyn FnMut(&mut Expr)) {
        match self {
            Expr::Constant(_)
            | Expr::Me
            | Expr::ProcessCount
            | Expr::LastMover
            | Expr::Timeout
            | Expr::AnyAt(_)
            | Expr::Spawned => {}
            Expr::Read(place) => place.indices.iter_mut().for_each(visit),
            Expr::Unary(_, part)
            | Expr::Length(part)
            | Expr::Full(part)
            | Expr::Empty(part)
            | Expr::Enabled(part)
            | Expr::LocationOf(part)
            | Expr::PriorityOf(part) => visit(part),
            Expr::Binary(_, left, right) => [left, right].into_iter().for_each(|part| visit(part)),
            Expr::Conditional(a, b, c) => [a, b, c].into_iter().for_each(|part| visit(part)),
            Expr::Poll { channel, patterns, .. } => {
                visit(channel);
                patterns.iter_mut().for_each(|pattern| pattern.expressions_mut(visit));
            }
            Expr::RemoteAt { instance, .. } => instance.iter_mut().for_each(|part| visit(part)),
            Expr::RemoteRead { instance, indices, .. } => {
                instance.iter_mut().for_each(|part| visit(part));
                indices.iter_mut().for_each(visit);
            }
        }
    }

    /// Calls `visit` for this expression and all its parts.
    pub fn all_mut(&mut self, visit: &mut dyn FnMut(&mut Expr)) {
        visit(self);
        self.parts_mut(&mut |part| part.all_mut(visit));
    }

    /// Whether this expression or a part of it satisfies `test`.
    pub fn any(&self, test: &dyn Fn(&Expr) -> bool) -> bool {
        let mut found = test(self);
        self.parts(&mut |part| found = found || part.any(test));
        found
    }
}
