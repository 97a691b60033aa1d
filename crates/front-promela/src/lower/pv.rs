//! PV's additions: locks, semaphores, and `run` over ranges (Gopalakrishnan et al., UUCS-01-004, §4).
//!
//! A lock is free or belongs to a process, which alone may release it; it is kept as 0 or the
//! process's number plus one. A semaphore counts. Both change in one step.
use model::{BinaryOp, Effect, Expr, Place};
use text::Span;

use super::Lower;
use super::names::{Class, Symbol};
use super::nodes::NodeId;
use crate::ast::{self, Ident, Reference};

/// The most processes that one `run` may start.
const MOST_INSTANCES: usize = 255;

fn binary(op: BinaryOp, left: Expr, right: i32) -> Expr {
    Expr::Binary(op, Box::new(left), Box::new(Expr::Constant(right)))
}

/// How a lock shows that it belongs to this process.
fn owner() -> Expr {
    binary(BinaryOp::Add, Expr::Me, 1)
}

impl Lower {
    fn guarded(&mut self, target: &Reference) -> Option<(Place, Class)> {
        let (place, class) = self.scalar(target)?;
        if matches!(class, Class::Lock | Class::Semaphore) {
            return Some((place, class));
        }
        let name = crate::print::reference(target);
        self.error_help(
            "not-a-lock",
            target.at.0,
            format!("`{name}` is neither a lock nor a semaphore"),
            "declare it as `lock` or `sema`",
        );
        None
    }

    pub fn lock(&mut self, target: &Reference, text: String, at: Span) -> Option<NodeId> {
        let (place, class) = self.guarded(target)?;
        let value = Expr::Read(place.clone());
        Some(match class {
            Class::Lock => {
                self.add_step(binary(BinaryOp::Eq, value, 0), vec![Effect::Assign(place, owner())], text, at)
            }
            _ => {
                let less = binary(BinaryOp::Sub, value.clone(), 1);
                self.add_step(binary(BinaryOp::Gt, value, 0), vec![Effect::Assign(place, less)], text, at)
            }
        })
    }

    pub fn unlock(&mut self, target: &Reference, text: String, at: Span) -> Option<NodeId> {
        let (place, class) = self.guarded(target)?;
        let value = Expr::Read(place.clone());
        let effects = match class {
            Class::Lock => {
                let mine = Expr::Binary(BinaryOp::Eq, Box::new(value), Box::new(owner()));
                vec![Effect::Assert(mine), Effect::Assign(place, Expr::Constant(0))]
            }
            _ => vec![Effect::Assign(place, binary(BinaryOp::Add, value, 1))],
        };
        Some(self.add_step(Expr::TRUE, effects, text, at))
    }

    /// `run [i < n] [j < m] P(…)`: one `run` after the other, the last counter fastest.
    pub fn run_many(&mut self, ranges: &[(Ident, ast::Expr)], run: &ast::Expr, at: Span) -> Option<NodeId> {
        let sizes: Vec<i32> = ranges.iter().map(|(_, size)| self.constant(size).unwrap_or(0).max(0)).collect();
        let count =
            sizes.iter().try_fold(1usize, |product, &size| product.checked_mul(size as usize)).unwrap_or(usize::MAX);
        if count == 0 || count > MOST_INSTANCES {
            self.error(
                "too-many-processes",
                at,
                format!("this starts {count} processes; there can be from 1 to {MOST_INSTANCES}"),
            );
            return None;
        }
        let mut first = None;
        for number in 0..count {
            self.scopes.open();
            let mut rest = number;
            for ((name, _), &size) in ranges.iter().zip(&sizes).rev() {
                self.declare_name(name, Symbol::Number((rest % size as usize) as i32));
                rest /= size as usize;
            }
            let text = crate::print::expression(run);
            let node = self.condition(run, text, at);
            first.get_or_insert(node);
            self.scopes.close();
        }
        first
    }
}
