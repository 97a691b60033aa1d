//! Current and next values exchanged.
//!
//! The two variables of a bit are neighbours, so that exchanging them is local: of the four parts of a function at a
//! bit, the two where the values differ change places.
use crate::function::Function;
use crate::manager::Operator;
use crate::nodes::{BOTTOM, Held, Nodes, Ref};
use crate::space::Full;

impl Function {
    /// The same function of next values where this has current ones, and the other way around.
    pub fn exchanged(&self) -> Result<Function, Full> {
        self.with_others([], |nodes, edge, []| exchange(nodes, edge))
    }
}

fn exchange<'a, 'id>(nodes: Nodes<'a, 'id>, edge: Ref<'_, 'id>) -> Result<Held<'a, 'id>, Full> {
    if nodes.level(edge) == BOTTOM {
        return Ok(nodes.hold(edge));
    }
    if let Some(known) = nodes.known(Operator::Exchange, &[edge], &[]) {
        return Ok(known);
    }
    let level = nodes.pair(edge);
    let parts = nodes.cofactors(edge, level).map(|half| nodes.cofactors(half, level + 1));
    let half = |here: usize| {
        let there = [exchange(nodes, parts[0][here])?, exchange(nodes, parts[1][here])?];
        let [then, otherwise] = there;
        nodes.node(level + 1, then, otherwise)
    };
    let result = nodes.node(level, half(0)?, half(1)?)?;
    nodes.remember(Operator::Exchange, &[edge], &[], result.borrowed());
    Ok(result)
}
