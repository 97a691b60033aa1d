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
//!
//! The halves do not depend on each other, so threads can share the work, as OxiDD does it for its own operators.
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
    Product { nodes, direction }.of([set, relation, touched], nodes.splits())
}

/// A product in one direction.
#[derive(Clone, Copy)]
struct Product<'a, 'id> {
    nodes: Nodes<'a, 'id>,
    direction: Direction,
}

impl<'a, 'id> Product<'a, 'id> {
    /// Of a set, a relation and what is touched.
    fn of(self, [set, relation, touched]: [Ref<'_, 'id>; 3], splits: u32) -> Result<Held<'a, 'id>, Full> {
        let Product { nodes, direction } = self;
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
            return self.of([set, relation, nodes.cofactors(touched, here)[0]], splits);
        }
        let operator = direction.product();
        if let Some(known) = nodes.known(operator, &[set, relation, touched], &[]) {
            return Ok(known);
        }
        nodes.wanted()?;
        let [then, otherwise] = if here == level {
            self.at_touched(level, [set, relation, touched], splits)
        } else {
            let (sets, relations) = (nodes.cofactors(set, level), nodes.cofactors(relation, level));
            let half = |half: usize| move |splits| self.of([sets[half], relations[half], touched], splits);
            nodes.both(splits, half(0), half(1))
        };
        let result = nodes.node(level, then?, otherwise?)?;
        nodes.remember(operator, &[set, relation, touched], &[], result.borrowed());
        Ok(result)
    }

    /// Both halves of the product where the topmost bit is touched.
    fn at_touched(
        self,
        level: u32,
        [set, relation, touched]: [Ref<'_, 'id>; 3],
        splits: u32,
    ) -> [Result<Held<'a, 'id>, Full>; 2] {
        let nodes = self.nodes;
        let sets = nodes.cofactors(set, level);
        let parts = nodes.cofactors(relation, level).map(|from| nodes.cofactors(from, level + 1));
        let rest = nodes.cofactors(touched, level)[0];
        let half = |there: usize| {
            move |splits| {
                let part = |here: usize| match self.direction {
                    Direction::Forward => parts[here][there],
                    Direction::Backward => parts[there][here],
                };
                let one = self.of([sets[0], part(0), rest], splits)?;
                if nodes.is_true(one.borrowed()) {
                    return Ok(one);
                }
                let other = self.of([sets[1], part(1), rest], splits)?;
                nodes.or(one.borrowed(), other.borrowed())
            }
        };
        nodes.both(splits, half(0), half(1))
    }
}

impl Direction {
    fn product(self) -> Operator {
        match self {
            Direction::Forward => Operator::Image,
            Direction::Backward => Operator::Preimage,
        }
    }
}
