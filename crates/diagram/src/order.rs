//! The order of the bits.
//!
//! Two neighbouring levels are exchanged by rewriting the nodes of the upper one (Rudell, *Dynamic variable ordering for
//! ordered binary decision diagrams*, ICCAD 1993); nodes keep their places, so all functions stay what they are. The two
//! variables of a bit move together, and the current one stays first: everything in this crate relies on it.
use oxidd_core::{LevelView, Manager as _, ManagerRef as _};

use crate::manager::{Data, Manager};
use crate::nodes::Nodes;
use crate::space::{Full, Space};

impl Space {
    /// The bits from the top of the diagrams to the bottom.
    pub fn order(&self) -> Vec<usize> {
        self.with(|nodes| order(nodes.0))
    }

    /// Orders the bits like this; `order` names each of them once.
    ///
    /// A change can make diagrams larger. If there is no room, the order is some other one, and all functions are as
    /// they were.
    pub fn reorder(&self, order: &[usize]) -> Result<(), Full> {
        let mut sorted = order.to_vec();
        sorted.sort_unstable();
        assert!(sorted.iter().copied().eq(0..self.bits()), "an order names each bit once");
        self.rearrange(|levels| {
            order.iter().enumerate().try_for_each(|(to, bit)| {
                let from = levels.position(*bit);
                levels.move_up(from..from + 1, from - to)
            })
        })
    }

    /// Changes the order. Garbage is collected before, so that only nodes in use are moved.
    ///
    /// OxiDD ends the program when an exchange finds no room, so there must be some. A thread that has worked on diagrams
    /// keeps free nodes for itself; therefore it is the one thread of [`Space::run`] that reorders.
    pub(crate) fn rearrange<T: Send>(&self, work: impl FnOnce(&mut Levels<'_, '_>) -> T + Send) -> T {
        let change = |manager: &mut Manager<'_>| {
            Nodes(manager).collect();
            manager.reorder(|manager| {
                let nodes = manager.num_inner_nodes();
                work(&mut Levels { manager, nodes })
            })
        };
        self.run(|| self.manager.with_manager_exclusive(change))
    }
}

/// The levels of a manager that is being reordered.
pub(crate) struct Levels<'a, 'id> {
    manager: &'a mut Manager<'id>,
    /// How many nodes there are.
    pub(crate) nodes: usize,
}

impl Levels<'_, '_> {
    /// The position of a bit in the order.
    pub(crate) fn position(&self, bit: usize) -> usize {
        self.manager.var_to_level(2 * bit as u32) as usize / 2
    }

    /// The number of nodes of a bit's two levels.
    pub(crate) fn nodes_of(&self, bit: usize) -> usize {
        let level = self.manager.var_to_level(2 * bit as u32);
        self.size(level) + self.size(level + 1)
    }

    fn size(&self, level: u32) -> usize {
        self.manager.level(level).len()
    }

    /// Moves the bits at some positions up by so many positions; those that are passed come to lie below. Without room
    /// all stay where they are.
    pub(crate) fn move_up(&mut self, positions: std::ops::Range<usize>, by: usize) -> Result<(), Full> {
        let moved = 2 * positions.start..2 * positions.end;
        let exchanges = moved.flat_map(|level| (level - 2 * by..level).rev()).map(|upper| upper as u32);
        let mut done = Vec::new();
        for upper in exchanges {
            if !self.has_room(upper) {
                done.into_iter().rev().for_each(|upper| self.exchange(upper));
                return Err(Full);
            }
            self.exchange(upper);
            done.push(upper);
        }
        Ok(())
    }

    /// Whether a level can be exchanged with the one below, and back.
    ///
    /// Of `a` nodes above and `b` below, each of the `a` may need two new ones, which makes `2 * a` more; on the way back
    /// up to `b` are made before others are given up.
    fn has_room(&self, upper: u32) -> bool {
        let data: &Data<'_> = (*self.manager).as_ref();
        self.nodes + 2 * self.size(upper) + self.size(upper + 1) < data.capacity
    }

    /// Exchanges a level with the one below.
    fn exchange(&mut self, upper: u32) {
        let before = self.size(upper) + self.size(upper + 1);
        // Levels are lent out by `rearrange` alone, from within `reorder` and with the only reference to the manager.
        #[allow(unsafe_code)]
        unsafe {
            oxidd_reorder::level_down(&*self.manager, upper);
        }
        self.nodes = self.nodes - before + self.size(upper) + self.size(upper + 1);
    }
}

fn order(manager: &Manager<'_>) -> Vec<usize> {
    (0..manager.num_levels()).step_by(2).map(|level| manager.level_to_var(level) as usize / 2).collect()
}
