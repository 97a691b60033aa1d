//! A smaller function that agrees where it matters.
//!
//! The operator *restrict* of Coudert and Madre (*A unified framework for the formal verification of sequential circuits*,
//! ICCAD 1990): where the care set excludes one value of a variable, the function need not depend on it. A variable of the
//! care set alone is quantified away, so that no new variable enters the function. Usually the result is smaller; it need
//! not be.
use crate::function::Function;
use crate::manager::Operator;
use crate::nodes::{BOTTOM, Held, Nodes, Ref};
use crate::space::Full;

impl Function {
    /// A function with the same values wherever `care` is true, and any values elsewhere.
    pub fn simplified(&self, care: &Function) -> Result<Function, Full> {
        self.with_others([care], |nodes, edge, [care]| simplify(nodes, edge, care))
    }
}

fn simplify<'a, 'id>(nodes: Nodes<'a, 'id>, edge: Ref<'_, 'id>, care: Ref<'_, 'id>) -> Result<Held<'a, 'id>, Full> {
    let level = nodes.level(edge);
    if level == BOTTOM || nodes.level(care) == BOTTOM {
        return Ok(nodes.hold(edge));
    }
    if nodes.level(care) < level {
        let [with, without] = nodes.cofactors(care, nodes.level(care));
        return simplify(nodes, edge, nodes.or(with, without)?.borrowed());
    }
    if let Some(known) = nodes.known(Operator::Simplify, &[edge, care], &[]) {
        return Ok(known);
    }
    let (parts, cares) = (nodes.cofactors(edge, level), nodes.cofactors(care, level));
    let result = if nodes.is_false(cares[0]) {
        simplify(nodes, parts[1], cares[1])?
    } else if nodes.is_false(cares[1]) {
        simplify(nodes, parts[0], cares[0])?
    } else {
        nodes.node(level, simplify(nodes, parts[0], cares[0])?, simplify(nodes, parts[1], cares[1])?)?
    };
    nodes.remember(Operator::Simplify, &[edge, care], &[], result.borrowed());
    Ok(result)
}
