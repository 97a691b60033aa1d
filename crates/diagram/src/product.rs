//! The relational product over partial relations: image and preimage in one recursion.
//!
//! A step of an asynchronous system changes a few bits and leaves the others alone. A relation `R(x, y)` that says so with
//! a conjunct `y = x` for each of the others mentions every bit, and so does everything computed from it. Here a relation
//! mentions the next values of the bits that it *touches* only, and the product keeps the others (van Dijk, van de Pol,
//! *Sylvan: multi-core framework for decision diagrams*, STTT 19, 2017, `relnext`; Meijer, van Dijk, van de Pol, *Fully
//! generalized symbolic saturation*, the same idea for list diagrams). A bit that is read but not touched occurs with its
//! current value, and costs one conjunction.
//!
//! With `s` the set, `r` the relation and `v` the touched bits that are still to come, all without the bits above:
//!
//! * no touched bit is left: the rest of `r` is a condition on what stays, so `s ∧ r`;
//! * the topmost bit is not touched: both halves of `s`, each with its half of `r`;
//! * the topmost bit is touched: `r` has four parts `r[i][j]`, from `i` to `j`. The image has at `j` the union over `i`
//!   of `s[i]` through `r[i][j]`; the preimage has at `i` the union over `j` of `s[j]` through `r[i][j]`.
use crate::manager::Operator;
use crate::nodes::{Held, Nodes, Ref};
use crate::reach::Direction;
use crate::space::Full;

/// The vectors that one step of `relation` leads to, or comes from.
pub(crate) fn product<'a, 'id>(
    nodes: Nodes<'a, 'id>,
    direction: Direction,
    set: Ref<'_, 'id>,
    relation: Ref<'_, 'id>,
    touched: Ref<'_, 'id>,
) -> Result<Held<'a, 'id>, Full> {
    if nodes.is_false(set) || nodes.is_false(relation) {
        return Ok(nodes.constant(false));
    }
    if nodes.is_true(touched) {
        return nodes.and(set, relation);
    }
    let here = nodes.level(touched);
    let level = nodes.pair(set).min(nodes.pair(relation));
    if here < level {
        // Any value leads to any value.
        return product(nodes, direction, set, relation, nodes.cofactors(touched, here)[0]);
    }
    let operator = direction.product();
    if let Some(known) = nodes.known(operator, &[set, relation, touched], &[]) {
        return Ok(known);
    }
    nodes.wanted()?;
    let [then, otherwise] = if here == level {
        at_touched(nodes, direction, level, [set, relation, touched])?
    } else {
        let (sets, relations) = (nodes.cofactors(set, level), nodes.cofactors(relation, level));
        [
            product(nodes, direction, sets[0], relations[0], touched)?,
            product(nodes, direction, sets[1], relations[1], touched)?,
        ]
    };
    let result = nodes.node(level, then, otherwise)?;
    nodes.remember(operator, &[set, relation, touched], &[], result.borrowed());
    Ok(result)
}

/// Both halves of the product where the topmost bit is touched.
fn at_touched<'a, 'id>(
    nodes: Nodes<'a, 'id>,
    direction: Direction,
    level: u32,
    [set, relation, touched]: [Ref<'_, 'id>; 3],
) -> Result<[Held<'a, 'id>; 2], Full> {
    let sets = nodes.cofactors(set, level);
    let parts = nodes.cofactors(relation, level).map(|from| nodes.cofactors(from, level + 1));
    let rest = nodes.cofactors(touched, level)[0];
    let half = |there: usize| {
        let part = |here: usize| match direction {
            Direction::Forward => parts[here][there],
            Direction::Backward => parts[there][here],
        };
        let one = product(nodes, direction, sets[0], part(0), rest)?;
        if nodes.is_true(one.borrowed()) {
            return Ok(one);
        }
        let other = product(nodes, direction, sets[1], part(1), rest)?;
        nodes.or(one.borrowed(), other.borrowed())
    };
    Ok([half(0)?, half(1)?])
}

impl Direction {
    fn product(self) -> Operator {
        match self {
            Direction::Forward => Operator::Image,
            Direction::Backward => Operator::Preimage,
        }
    }
}
