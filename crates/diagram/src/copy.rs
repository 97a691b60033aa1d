//! A function in another space, where its variables have other places.
//!
//! Node by node: `if x then f else g` becomes `if x' then f' else g'`, whatever the order of the other space is. Meant for comparing orders of variables, also such as a space of
//! this crate does not have.
use std::collections::HashMap;

use oxidd_core::Manager as _;
use oxidd_rules_bdd::complement_edge::EdgeTag;

use crate::function::{Function, Which};
use crate::nodes::{BOTTOM, Nodes, Ref};
use crate::space::{Full, Space};

impl Function {
    /// The same function of the current values of other bits in another space; `name` tells which.
    pub fn copied(&self, to: &Space, name: &dyn Fn(usize, Which) -> usize) -> Result<Function, Full> {
        self.with(|nodes, edge| Copy { to, name, known: HashMap::new() }.copy(nodes, edge))
    }
}

struct Copy<'c> {
    to: &'c Space,
    name: &'c dyn Fn(usize, Which) -> usize,
    /// By node, and whether the edge negates it.
    known: HashMap<(usize, bool), Function>,
}

impl Copy<'_> {
    fn copy<'r, 'id>(&mut self, nodes: Nodes<'r, 'id>, edge: Ref<'r, 'id>) -> Result<Function, Full> {
        let level = nodes.level(edge);
        if level == BOTTOM {
            return Ok(self.to.constant(nodes.is_true(edge)));
        }
        let key = (edge.node_id(), edge.tag() == EdgeTag::Complemented);
        if let Some(known) = self.known.get(&key) {
            return Ok(known.clone());
        }
        let [then, otherwise] = nodes.cofactors(edge, level);
        let (then, otherwise) = (self.copy(nodes, then)?, self.copy(nodes, otherwise)?);
        let variable = nodes.0.level_to_var(level) as usize;
        let which = if variable.is_multiple_of(2) { Which::Current } else { Which::Next };
        let copy = self.to.current((self.name)(variable / 2, which))?.if_then_else(&then, &otherwise)?;
        self.known.insert(key, copy.clone());
        Ok(copy)
    }
}
