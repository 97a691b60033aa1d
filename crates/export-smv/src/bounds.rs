//! Between which numbers the value of an expression lies, and which channels it can name.
//!
//! Intervals (Cousot, Cousot, *Static determination of dynamic properties of programs*, 1976) without control flow: a cell may hold whatever its kind can. They
//! say how many bits a comparison needs; whatever may wrap around has all 32 bits.
use std::collections::BTreeSet;

use model::{BinaryOp, Expr, UnaryOp, Variable, VariableId};

use crate::view::View;
use crate::world::{Kind, bits_of};
use engine_symbolic::{Cell, Owner};

/// The least and the greatest value.
pub type Bounds = (i64, i64);

/// Everything.
const ALL: Bounds = (i32::MIN as i64, i32::MAX as i64);

/// What may wrap around can be anything.
fn wrapped((low, high): Bounds) -> Bounds {
    if low < ALL.0 || high > ALL.1 { ALL } else { (low, high) }
}

fn union(one: Bounds, other: Bounds) -> Bounds {
    (one.0.min(other.0), one.1.max(other.1))
}

/// The smallest interval with these four.
fn around(values: [i64; 4]) -> Bounds {
    values.into_iter().fold((i64::MAX, i64::MIN), |it, value| union(it, (value, value)))
}

impl View<'_> {
    /// Between which numbers a value lies.
    pub fn bounds(&self, expr: &Expr) -> Bounds {
        match expr {
            Expr::Constant(value) => (i64::from(*value), i64::from(*value)),
            Expr::Read(place) => {
                let (owner, variable) = self.declared(place);
                self.of_variable(owner, place.variable, variable)
            }
            Expr::Unary(op, operand) => of_unary(*op, self.bounds(operand)),
            Expr::Binary(op, left, right) => of_binary(*op, self.bounds(left), self.bounds(right)),
            Expr::Conditional(_, yes, no) => union(self.bounds(yes), self.bounds(no)),
            Expr::Length(_) => (0, self.largest_capacity()),
            Expr::Me => self.me.map_or((0, 0), |it| (it.0 as i64, it.0 as i64)),
            Expr::ProcessCount | Expr::Spawned => (0, self.world.points.len() as i64),
            Expr::LastMover => self.world.kind(Cell::LastMover).bounds(),
            Expr::LocationOf(_) => (0, self.largest_number()),
            Expr::Timeout => (i64::from(self.timeout), i64::from(self.timeout)),
            Expr::RemoteRead { process, variable, .. } => {
                let declared = &self.world.model().process(*process).variables[variable.0 as usize];
                let slots = self.world.instance.layout.types.iter().enumerate().filter(|it| it.1.contains(process));
                let each = slots.map(|(slot, _)| self.of_variable(Owner::Process(slot, *process), *variable, declared));
                each.fold((0, 0), union)
            }
            Expr::PriorityOf(_) => ALL,
            Expr::Full(_)
            | Expr::Empty(_)
            | Expr::Poll { .. }
            | Expr::Enabled(_)
            | Expr::AnyAt(_)
            | Expr::RemoteAt { .. } => (0, 1),
        }
    }

    fn of_variable(&self, owner: Owner, id: VariableId, variable: &Variable) -> Bounds {
        let cells = (0..variable.elements() as u32).map(|element| Cell::Variable(owner, id, element));
        cells.map(|it| self.world.kind(it).bounds()).reduce(union).unwrap_or((0, 0))
    }

    fn largest_capacity(&self) -> i64 {
        self.world.model().shapes.iter().map(|it| i64::from(it.capacity)).max().unwrap_or(0)
    }

    fn largest_number(&self) -> i64 {
        let locations = self.world.model().processes.iter().flat_map(|it| &it.locations);
        locations.map(|it| i64::from(it.number)).max().unwrap_or(0)
    }

    /// The only values that an expression can have, where they are listed.
    pub fn possible(&self, expr: &Expr) -> Option<BTreeSet<i32>> {
        match expr {
            Expr::Constant(value) => Some([*value].into()),
            Expr::Me => self.me.map(|it| [it.0 as i32].into()),
            Expr::Read(place) => {
                let (owner, variable) = self.declared(place);
                let mut values = BTreeSet::new();
                for element in 0..variable.elements() as u32 {
                    let cell = Cell::Variable(owner, place.variable, element);
                    values.extend(self.world.listed(cell)?);
                }
                Some(values)
            }
            Expr::Conditional(_, yes, no) => Some(&self.possible(yes)? | &self.possible(no)?),
            _ => None,
        }
    }
}

fn of_unary(op: UnaryOp, (low, high): Bounds) -> Bounds {
    match op {
        UnaryOp::Not => (0, 1),
        UnaryOp::Negate => wrapped((-high, -low)),
        UnaryOp::Complement => (-high - 1, -low - 1),
    }
}

fn of_binary(op: BinaryOp, left: Bounds, right: Bounds) -> Bounds {
    let corners = |apply: fn(i64, i64) -> i64| {
        around([apply(left.0, right.0), apply(left.0, right.1), apply(left.1, right.0), apply(left.1, right.1)])
    };
    let positive = left.0 >= 0 && right.0 >= 0;
    let largest = left.0.abs().max(left.1.abs());
    let shifts = (0..32).contains(&right.0) && (0..32).contains(&right.1);
    match op {
        BinaryOp::Add => wrapped(corners(|a, b| a + b)),
        BinaryOp::Sub => wrapped(corners(|a, b| a - b)),
        BinaryOp::Mul => wrapped(corners(|a, b| a * b)),
        BinaryOp::Div if positive => (0, left.1),
        BinaryOp::Rem if left.0 >= 0 && right.0 > 0 => (0, left.1.min(right.1 - 1)),
        BinaryOp::Rem if left.0 >= 0 => (0, left.1),
        BinaryOp::Div | BinaryOp::Rem => wrapped((-largest, largest)),
        BinaryOp::Shl if shifts => wrapped(corners(|a, b| a << b)),
        BinaryOp::Shr if shifts => corners(|a, b| a >> b),
        BinaryOp::Shl | BinaryOp::Shr => ALL,
        BinaryOp::BitAnd if positive => (0, left.1.min(right.1)),
        BinaryOp::BitAnd if left.0 >= 0 => (0, left.1),
        BinaryOp::BitAnd if right.0 >= 0 => (0, right.1),
        BinaryOp::BitOr | BinaryOp::BitXor if positive => (0, (1 << bits_of(left.1.max(right.1))) - 1),
        BinaryOp::BitAnd | BinaryOp::BitOr | BinaryOp::BitXor => ALL,
        BinaryOp::Or
        | BinaryOp::And
        | BinaryOp::Eq
        | BinaryOp::Ne
        | BinaryOp::Lt
        | BinaryOp::Le
        | BinaryOp::Gt
        | BinaryOp::Ge => (0, 1),
    }
}

/// The kind of word that holds all numbers of an interval.
pub fn holding((low, high): Bounds) -> Kind {
    match low < 0 {
        true => Kind::Signed(1 + bits_of(high.max(0)).max(bits_of(-1 - low)).min(31)),
        false => Kind::Unsigned(bits_of(high)),
    }
}
