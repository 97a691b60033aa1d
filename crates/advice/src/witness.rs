//! Values for which conditions are all false.
//!
//! Intervals do not know that `x < y` and `x >= y` cannot both be false. So values are tried out: all of small
//! intervals, the ends and what is near the constants of large ones, and only those that are ever assigned where these are known. Values that were
//! tried and do it are shown; if none does, nothing is said.
use model::{BinaryOp, Expr};
use optimize::Interval;

/// The most combinations of values that are tried.
const MOST: usize = 20_000;

/// An interval of at most so many numbers is tried as a whole.
const SMALL: i64 = 20;

/// Something that has a value, and the values to try.
struct Unknown<'a> {
    expr: &'a Expr,
    values: Vec<i32>,
}

/// What the unknown parts of conditions can be so that all are false: each with its value.
pub fn all_false<'a>(
    conditions: &[&'a Expr],
    range: &dyn Fn(&Expr) -> Interval,
    known: &dyn Fn(&Expr) -> Option<Vec<i32>>,
) -> Option<Vec<(&'a Expr, i32)>> {
    let (mut unknown, mut constants) = (Vec::new(), vec![0, 1]);
    conditions.iter().for_each(|it| collect(it, &mut unknown, &mut constants));
    let values = |expr: &Expr| {
        let range = range(expr);
        let inside = |it: &i32| (range.low..=range.high).contains(&i64::from(*it));
        known(expr).map_or_else(|| candidates(range, &constants), |it| it.into_iter().filter(inside).collect())
    };
    let tried: Vec<Unknown> = unknown.into_iter().map(|expr| Unknown { expr, values: values(expr) }).collect();
    let combinations = tried.iter().try_fold(1usize, |product, it| product.checked_mul(it.values.len()))?;
    if combinations > MOST {
        return None;
    }
    (0..combinations)
        .map(|number| combination(&tried, number))
        .find(|chosen| conditions.iter().all(|it| value(it, chosen) == Some(0)))
}

/// The value of an expression without variables.
pub fn constant(expr: &Expr) -> Option<i32> {
    value(expr, &[])
}

fn combination<'a>(tried: &[Unknown<'a>], mut number: usize) -> Vec<(&'a Expr, i32)> {
    let mut chosen = Vec::new();
    for it in tried {
        chosen.push((it.expr, it.values[number % it.values.len()]));
        number /= it.values.len();
    }
    chosen
}

fn collect<'a>(expr: &'a Expr, unknown: &mut Vec<&'a Expr>, constants: &mut Vec<i32>) {
    match expr {
        Expr::Constant(value) => constants.push(*value),
        Expr::Unary(_, part) => collect(part, unknown, constants),
        Expr::Binary(_, left, right) => [left, right].into_iter().for_each(|it| collect(it, unknown, constants)),
        Expr::Conditional(a, b, c) => [a, b, c].into_iter().for_each(|it| collect(it, unknown, constants)),
        _ if !unknown.contains(&expr) => unknown.push(expr),
        _ => {}
    }
}

fn candidates(range: Interval, constants: &[i32]) -> Vec<i32> {
    if range.high - range.low < SMALL {
        return (range.low..=range.high).map(|it| it as i32).collect();
    }
    let near = constants.iter().flat_map(|&it| [-1, 0, 1].map(|by| i64::from(it) + by));
    let ends = [range.low, range.low + 1, range.high - 1, range.high];
    let mut list: Vec<i64> = near.chain(ends).filter(|it| (range.low..=range.high).contains(it)).collect();
    // Small numbers make better examples.
    list.sort_by_key(|it| (it.abs(), *it < 0));
    list.dedup();
    list.into_iter().map(|it| it as i32).collect()
}

fn value(expr: &Expr, chosen: &[(&Expr, i32)]) -> Option<i32> {
    match expr {
        Expr::Constant(value) => Some(*value),
        Expr::Unary(op, part) => Some(op.apply(value(part, chosen)?)),
        Expr::Binary(op, left, right) => match (op, value(left, chosen)?) {
            (BinaryOp::And, 0) => Some(0),
            (BinaryOp::Or, left) if left != 0 => Some(1),
            (op, left) => op.apply(left, value(right, chosen)?),
        },
        Expr::Conditional(condition, yes, no) => value(if value(condition, chosen)? != 0 { yes } else { no }, chosen),
        other => chosen.iter().find(|it| it.0 == other).map(|it| it.1),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use model::{Place, Scope, UnaryOp, VariableId};

    fn variable(row: u32) -> Expr {
        Expr::Read(Place { scope: Scope::Local, variable: VariableId(row), indices: Vec::new() })
    }

    fn compare(op: BinaryOp, left: Expr, right: Expr) -> Expr {
        Expr::Binary(op, Box::new(left), Box::new(right))
    }

    /// Values of the first two variables, both from 0 to `high`.
    fn check(conditions: &[Expr], high: i64, expected: Option<&[i32]>) {
        let conditions: Vec<&Expr> = conditions.iter().collect();
        let found = all_false(&conditions, &|_| Interval::new(0, high), &|_| None);
        let values = found.map(|it| it.iter().map(|it| it.1).collect::<Vec<i32>>());
        assert_eq!(values.as_deref(), expected);
    }

    #[test]
    fn conditions_that_leave_nothing_out_have_no_witness() {
        let (x, y) = (variable(0), variable(1));
        let less = compare(BinaryOp::Lt, x.clone(), y.clone());
        check(&[less.clone(), compare(BinaryOp::Ge, x.clone(), y.clone())], 255, None);
        check(&[less, compare(BinaryOp::Gt, x.clone(), y)], 255, Some(&[0, 0]));
        let not = Expr::Unary(UnaryOp::Not, Box::new(x.clone()));
        check(&[x, not], 1, None);
    }

    #[test]
    fn the_value_between_two_constants_is_found() {
        let is = |value| compare(BinaryOp::Eq, variable(0), Expr::Constant(value));
        check(&[is(0), is(1), is(7)], 255, Some(&[2]));
        check(&[is(0), is(1), is(2)], 2, None);
    }

    #[test]
    fn values_that_are_never_assigned_are_not_tried() {
        let is = |value| compare(BinaryOp::Eq, variable(0), Expr::Constant(value));
        let (one, three) = (is(1), is(3));
        let found = |known: Vec<i32>| {
            all_false(&[&one, &three], &|_| Interval::new(1, 9), &|_| Some(known.clone())).map(|it| it[0].1)
        };
        assert_eq!((found(vec![0, 1, 3]), found(vec![0, 1, 3, 7])), (None, Some(7)));
    }

    #[test]
    fn too_many_combinations_are_no_reason_to_complain() {
        let many: Vec<Expr> = (0..40).map(variable).collect();
        check(&many, 15, None);
    }
}
