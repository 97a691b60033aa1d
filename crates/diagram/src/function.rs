//! Boolean functions of current and next values.
use std::collections::HashSet;
use std::fmt;

use oxidd_core::function::{BooleanFunction, BooleanFunctionQuant, Function as _};
use oxidd_core::{HasLevel, InnerNode, Manager as _, Node};

use crate::manager::Diagram;
use crate::nodes::{Held, Nodes, Ref};
use crate::space::{Full, Space};

/// A function from the current and next values of all bits to true or false. Equal functions are equal values.
///
/// Functions of one [`Space`] can be combined; to mix spaces is a mistake that panics.
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct Function(pub(crate) Diagram);

/// Which variables of a bit are meant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Which {
    /// The value now.
    Current,
    /// The value after a step.
    Next,
    /// Both.
    Both,
}

/// The bits whose values matter to a function, ascending.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Support {
    /// Bits whose current value matters.
    pub current: Vec<usize>,
    /// Bits whose next value matters.
    pub next: Vec<usize>,
}

impl Function {
    /// Not this.
    pub fn not(&self) -> Function {
        match self.0.not() {
            Ok(not) => Function(not),
            Err(_) => unreachable!("complementing an edge makes no node"),
        }
    }

    /// This and that.
    pub fn and(&self, other: &Function) -> Result<Function, Full> {
        self.with_others([other], |nodes, left, [right]| nodes.and(left, right))
    }

    /// This or that.
    pub fn or(&self, other: &Function) -> Result<Function, Full> {
        self.with_others([other], |nodes, left, [right]| nodes.or(left, right))
    }

    /// Either this or that.
    pub fn xor(&self, other: &Function) -> Result<Function, Full> {
        self.with_others([other], |nodes, left, [right]| nodes.made(Diagram::xor_edge(nodes.0, left, right)))
    }

    /// Both or neither.
    pub fn equivalent(&self, other: &Function) -> Result<Function, Full> {
        Ok(self.xor(other)?.not())
    }

    /// If this, then that.
    pub fn implies(&self, other: &Function) -> Result<Function, Full> {
        Ok(self.minus(other)?.not())
    }

    /// This without that.
    pub fn minus(&self, other: &Function) -> Result<Function, Full> {
        self.and(&other.not())
    }

    /// If this, then the one, else the other.
    pub fn if_then_else(&self, then: &Function, otherwise: &Function) -> Result<Function, Full> {
        self.with_others([then, otherwise], |nodes, condition, [then, otherwise]| {
            nodes.made(Diagram::ite_edge(nodes.0, condition, then, otherwise))
        })
    }

    /// True where some values of these variables make this true.
    pub fn exists(&self, space: &Space, bits: &[usize], which: Which) -> Result<Function, Full> {
        let variables = space.variables(bits, which)?;
        self.with_others([&variables], |nodes, edge, [cube]| nodes.made(Diagram::exists_edge(nodes.0, edge, cube)))
    }

    /// True where all values of these variables make this true.
    pub fn forall(&self, space: &Space, bits: &[usize], which: Which) -> Result<Function, Full> {
        let variables = space.variables(bits, which)?;
        self.with_others([&variables], |nodes, edge, [cube]| nodes.made(Diagram::forall_edge(nodes.0, edge, cube)))
    }

    /// Whether this is never true.
    pub fn is_false(&self) -> bool {
        self.with(|nodes, edge| nodes.is_false(edge))
    }

    /// Whether this is always true.
    pub fn is_true(&self) -> bool {
        self.with(|nodes, edge| nodes.is_true(edge))
    }

    /// Whether that is true wherever this is; as sets, whether this is a subset.
    pub fn is_subset(&self, other: &Function) -> Result<bool, Full> {
        Ok(self.minus(other)?.is_false())
    }

    /// The value for these current and next values of all bits.
    pub fn evaluate(&self, current: &[bool], next: &[bool]) -> bool {
        self.with(|nodes, mut edge| {
            while let Node::Inner(node) = nodes.0.get_node(edge) {
                let variable = nodes.0.level_to_var(node.level()) as usize;
                let value = if variable.is_multiple_of(2) { current[variable / 2] } else { next[variable / 2] };
                edge = nodes.cofactors(edge, node.level())[usize::from(!value)];
            }
            nodes.is_true(edge)
        })
    }

    /// The number of nodes of this diagram, the constant included.
    pub fn nodes(&self) -> usize {
        self.0.node_count()
    }

    /// The bits whose values matter.
    pub fn support(&self) -> Support {
        let mut variables = self.with(|nodes, edge| {
            let mut found = (HashSet::new(), HashSet::new());
            collect_variables(nodes, edge, &mut found);
            found.1.into_iter().collect::<Vec<u32>>()
        });
        variables.sort_unstable();
        let bits = |which| variables.iter().filter(|v| *v % 2 == which).map(|v| *v as usize / 2).collect();
        Support { current: bits(0), next: bits(1) }
    }

    pub(crate) fn with<T>(&self, work: impl for<'r, 'id> FnOnce(Nodes<'r, 'id>, Ref<'r, 'id>) -> T) -> T {
        self.0.with_manager_shared(|manager, _| work(Nodes(manager), self.0.as_edge(manager)))
    }

    /// Applies an operator to this and other functions, twice if it takes a collection to have room.
    pub(crate) fn with_others<const N: usize>(
        &self,
        others: [&Function; N],
        operator: impl for<'a, 'id> Fn(Nodes<'a, 'id>, Ref<'a, 'id>, [Ref<'a, 'id>; N]) -> Result<Held<'a, 'id>, Full>,
    ) -> Result<Function, Full> {
        self.0.with_manager_shared(|manager, _| {
            let (nodes, edge) = (Nodes(manager), self.0.as_edge(manager));
            let others = others.map(|other| other.0.as_edge(manager));
            let result = nodes.attempt(|| operator(nodes, edge, others))?;
            Ok(Function(Diagram::from_edge(manager, result.into_edge())))
        })
    }
}

impl Space {
    /// The conjunction of these variables, which is how OxiDD is told of a set of variables.
    pub(crate) fn variables(&self, bits: &[usize], which: Which) -> Result<Function, Full> {
        let mut literals = Vec::new();
        for bit in bits {
            if which != Which::Next {
                literals.push((self.level(*bit), self.current(*bit)?));
            }
            if which != Which::Current {
                literals.push((self.level(*bit) + 1, self.next(*bit)?));
            }
        }
        self.conjunction(literals)
    }
}

fn collect_variables<'r, 'id>(nodes: Nodes<'r, 'id>, edge: Ref<'r, 'id>, found: &mut (HashSet<usize>, HashSet<u32>)) {
    if let Node::Inner(node) = nodes.0.get_node(edge)
        && found.0.insert(edge.node_id())
    {
        found.1.insert(nodes.0.level_to_var(node.level()));
        node.children().for_each(|child| collect_variables(nodes, child, found));
    }
}

impl fmt::Debug for Function {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "function of {} nodes", self.nodes())
    }
}
