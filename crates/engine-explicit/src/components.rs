//! Strongly connected components of a graph, and those of them that cannot be left.
//!
//! Tarjan, *Depth-first search and linear graph algorithms*, SIAM J. Comput. 1(2), 1972, in the form of Pearce, *A space-efficient algorithm for finding
//! strongly connected components*, Inf. Process. Lett. 116, 2016, without recursion: one number a node. While a component is not complete, this is
//! when the first node was seen that the node is known to reach; afterwards, which component it is, counted downwards so that it is larger than
//! all those.

use std::cell::Cell;

/// Not seen yet.
pub const NEVER: u32 = 0;

/// A graph whose nodes are numbers.
pub trait Graph {
    /// How many nodes there are: fewer than 2^32 - 1.
    fn nodes(&self) -> usize;

    /// Where the edges of a node lead.
    fn edges(&self, node: usize) -> impl Iterator<Item = usize>;
}

impl Graph for [Vec<usize>] {
    fn nodes(&self) -> usize {
        self.len()
    }

    fn edges(&self, node: usize) -> impl Iterator<Item = usize> {
        self[node].iter().copied()
    }
}

/// The number that a search gives to each node. Numbers larger than those of all components belong to nodes that it leaves alone.
pub trait Numbers {
    /// Of a node; [`NEVER`] if it has none.
    fn get(&self, node: usize) -> u32;

    /// Gives one to a node, whose edges were asked for.
    fn set(&self, node: usize, number: u32);
}

impl Numbers for [Cell<u32>] {
    #[inline]
    fn get(&self, node: usize) -> u32 {
        self[node].get()
    }

    #[inline]
    fn set(&self, node: usize, number: u32) {
        self[node].set(number);
    }
}

/// Gives every node the number of its component, which is one of the highest up to the number of nodes. Says how many there are.
pub fn number<G: Graph + ?Sized, N: Numbers + ?Sized>(
    graph: &G,
    numbers: &N,
    nodes: impl Iterator<Item = usize>,
) -> usize {
    let last = graph.nodes() as u32;
    let mut search = Search { graph, numbers, way: Vec::new(), open: Vec::new(), next: 1, component: last };
    nodes.for_each(|node| search.from(node, G::edges));
    (last - search.component) as usize
}

/// Which component each node is in, and how many there are.
pub struct Components {
    /// For each node the number of its component.
    pub of: Vec<u32>,
    /// How many components there are.
    pub count: usize,
}

impl Components {
    /// Those of a graph.
    pub fn new<G: Graph + ?Sized>(graph: &G) -> Components {
        let last = graph.nodes();
        let numbers = vec![Cell::new(NEVER); last];
        let count = number(graph, &numbers[..], 0..last);
        Components { of: numbers.into_iter().map(|it| last as u32 - it.get()).collect(), count }
    }

    /// Visits them one after the other, each as a list of nodes.
    pub fn each(&self, mut visit: impl FnMut(&[usize])) {
        let mut ends = vec![0; self.count + 1];
        self.of.iter().for_each(|&home| ends[home as usize + 1] += 1);
        (0..self.count).for_each(|it| ends[it + 1] += ends[it]);
        let starts = ends.clone();
        let mut nodes = vec![0; self.of.len()];
        for (node, &home) in self.of.iter().enumerate() {
            nodes[ends[home as usize]] = node;
            ends[home as usize] += 1;
        }
        starts.windows(2).for_each(|it| visit(&nodes[it[0]..it[1]]));
    }

    /// The nodes of each.
    fn members(&self) -> Vec<Vec<usize>> {
        let mut members = Vec::with_capacity(self.count);
        self.each(|nodes| members.push(nodes.to_vec()));
        members
    }
}

/// The components that no edge leaves, each as a list of nodes. `edges` has the successors of each node.
pub fn bottoms(edges: &[Vec<usize>]) -> Vec<Vec<usize>> {
    let found = Components::new(edges);
    let stays = |&it: &usize| edges[it].iter().all(|&to| found.of[to] == found.of[it]);
    found.members().into_iter().filter(|members| members.iter().all(stays)).collect()
}

/// All components.
pub fn components(edges: &[Vec<usize>]) -> Vec<Vec<usize>> {
    Components::new(edges).members()
}

/// Whether there is a way from a node back to it.
pub fn has_cycle(edges: &[Vec<usize>]) -> bool {
    let mut before = vec![0; edges.len()];
    edges.iter().flatten().for_each(|&to| before[to] += 1);
    let mut waiting: Vec<usize> = (0..edges.len()).filter(|&it| before[it] == 0).collect();
    let mut left = edges.len();
    while let Some(node) = waiting.pop() {
        left -= 1;
        for &to in &edges[node] {
            before[to] -= 1;
            if before[to] == 0 {
                waiting.push(to);
            }
        }
    }
    left > 0
}

struct Search<'a, G: ?Sized, N: ?Sized, E> {
    graph: &'a G,
    numbers: &'a N,
    /// The nodes from the first to the one in hand, each with when it was seen and its edges.
    way: Vec<(u32, u32, E)>,
    /// Nodes whose component is not complete and that reach an earlier one.
    open: Vec<u32>,
    /// The number of the next node that is seen, and of the next component that is complete.
    next: u32,
    component: u32,
}

impl<'a, G: Graph + ?Sized, N: Numbers + ?Sized, E: Iterator<Item = usize>> Search<'a, G, N, E> {
    fn from(&mut self, start: usize, edges: impl Fn(&'a G, usize) -> E) {
        if self.numbers.get(start) == NEVER {
            self.enter(start, &edges);
        }
        while let Some((node, entered, rest)) = self.way.last_mut() {
            let (node, entered) = (*node as usize, *entered);
            match rest.next().map(|to| (to, self.numbers.get(to))) {
                Some((to, NEVER)) => self.enter(to, &edges),
                Some((_, number)) => self.lower(node, number),
                None => {
                    self.way.pop();
                    self.leave(node, entered);
                    let number = self.numbers.get(node);
                    if let Some(&(parent, ..)) = self.way.last() {
                        self.lower(parent as usize, number);
                    }
                }
            }
        }
    }

    fn enter(&mut self, node: usize, edges: impl Fn(&'a G, usize) -> E) {
        self.way.push((node as u32, self.next, edges(self.graph, node)));
        self.numbers.set(node, self.next);
        self.next += 1;
    }

    /// A node reaches one with this number.
    fn lower(&self, node: usize, number: u32) {
        if number < self.numbers.get(node) {
            self.numbers.set(node, number);
        }
    }

    /// All nodes behind this one were seen. If none of them leads back beyond it, its component is complete.
    fn leave(&mut self, node: usize, entered: u32) {
        if self.numbers.get(node) < entered {
            return self.open.push(node as u32);
        }
        while let Some(member) = self.open.pop_if(|it| self.numbers.get(*it as usize) >= entered) {
            self.numbers.set(member as usize, self.component);
            self.next -= 1;
        }
        self.numbers.set(node, self.component);
        self.next -= 1;
        self.component -= 1;
    }
}

#[cfg(test)]
mod tests {
    use super::{bottoms, has_cycle};

    fn sorted(edges: &[&[usize]]) -> Vec<Vec<usize>> {
        let mut list = bottoms(&edges.iter().map(|it| it.to_vec()).collect::<Vec<_>>());
        list.iter_mut().for_each(|it| it.sort_unstable());
        list.sort();
        list
    }

    #[test]
    fn components_without_a_way_out() {
        assert_eq!(sorted(&[&[1], &[2], &[0]]), [[0, 1, 2]]);
        assert_eq!(sorted(&[&[1, 3], &[2], &[1], &[]]), [vec![1, 2], vec![3]]);
        assert_eq!(sorted(&[&[0, 1], &[0, 2], &[2]]), [[2]]);
        assert!(sorted(&[]).is_empty());
    }

    #[test]
    fn cycles() {
        assert!(has_cycle(&[vec![1], vec![2], vec![1]]) && has_cycle(&[vec![0]]));
        assert!(!has_cycle(&[vec![1, 1, 2], vec![2], vec![]]) && !has_cycle(&[]));
    }

    /// A node is in a bottom exactly if everything that it leads to leads back to it.
    #[test]
    fn bottoms_of_random_graphs() {
        let mut random = 3u64;
        for _ in 0..300 {
            let nodes = 1 + (random % 9) as usize;
            let mut edges = vec![Vec::new(); nodes];
            for _ in 0..nodes + nodes / 2 {
                random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
                edges[(random >> 33) as usize % nodes].push((random >> 45) as usize % nodes);
            }
            let reach = |from: usize| {
                let (mut seen, mut waiting) = (vec![false; nodes], vec![from]);
                while let Some(node) = waiting.pop() {
                    if !std::mem::replace(&mut seen[node], true) {
                        waiting.extend(&edges[node]);
                    }
                }
                seen
            };
            let found = bottoms(&edges);
            for node in 0..nodes {
                let forth = reach(node);
                let is_bottom = (0..nodes).filter(|&it| forth[it]).all(|it| reach(it)[node]);
                assert_eq!(found.iter().any(|it| it.contains(&node)), is_bottom);
            }
        }
    }
}
