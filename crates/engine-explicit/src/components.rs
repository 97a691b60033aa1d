//! Strongly connected components of a graph, and those of them that cannot be left.
//!
//! Tarjan, *Depth-first search and linear graph algorithms*, SIAM J. Comput. 1(2), 1972, without recursion.

/// Not seen yet.
const NEVER: u32 = u32::MAX;
/// In a component that is complete.
const COMPLETE: u32 = u32::MAX - 1;

/// The edges of a graph, or of a part of one.
pub trait Edges {
    /// How many nodes there are.
    fn nodes(&self) -> usize;

    /// Whether a node is in the part.
    fn is_in(&self, _node: usize) -> bool {
        true
    }

    /// The first edge of a node, from a row on, that stays in the part: where it leads, and the row behind it.
    fn next(&self, node: usize, row: usize) -> Option<(usize, usize)>;
}

impl Edges for [Vec<usize>] {
    fn nodes(&self) -> usize {
        self.len()
    }

    fn next(&self, node: usize, row: usize) -> Option<(usize, usize)> {
        self[node].get(row).map(|&to| (to, row + 1))
    }
}

/// The components that no edge leaves, each as a list of nodes. `edges` has the successors of each node.
pub fn bottoms(edges: &[Vec<usize>]) -> Vec<Vec<usize>> {
    let all = components(edges);
    let mut home = vec![0; edges.len()];
    for (row, members) in all.iter().enumerate() {
        members.iter().for_each(|&it| home[it] = row);
    }
    let leaves =
        |members: &Vec<usize>| members.iter().flat_map(|&it| &edges[it]).any(|&to| home[to] != home[members[0]]);
    all.iter().filter(|it| !leaves(it)).cloned().collect()
}

/// All components.
pub fn components(edges: &[Vec<usize>]) -> Vec<Vec<usize>> {
    let mut list = Vec::new();
    each_component(edges, |members| list.push(members.to_vec()));
    list
}

/// Visits all components of a graph, one after the other.
pub fn each_component<E: Edges + ?Sized>(edges: &E, mut visit: impl FnMut(&[usize])) {
    let mut search = Search {
        edges,
        number: vec![NEVER; edges.nodes()],
        lowest: vec![0; edges.nodes()],
        open: Vec::new(),
        seen: 0,
        visit: &mut visit,
    };
    (0..edges.nodes()).filter(|&it| edges.is_in(it)).for_each(|node| search.from(node));
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

struct Search<'a, E: ?Sized> {
    edges: &'a E,
    /// In which order nodes were seen, unless they are in a complete component; and the first of those on the way that can be reached from a node.
    number: Vec<u32>,
    lowest: Vec<u32>,
    /// Nodes whose component is not complete.
    open: Vec<usize>,
    seen: u32,
    visit: &'a mut dyn FnMut(&[usize]),
}

impl<E: Edges + ?Sized> Search<'_, E> {
    fn from(&mut self, start: usize) {
        let mut way = Vec::new();
        if self.number[start] == NEVER {
            way.push((self.enter(start), 0));
        }
        while let Some((node, next)) = way.last_mut() {
            let node = *node;
            match self.edges.next(node, *next) {
                Some((to, row)) => {
                    *next = row;
                    match self.number[to] {
                        NEVER => way.push((self.enter(to), 0)),
                        COMPLETE => {}
                        number => self.lowest[node] = self.lowest[node].min(number),
                    }
                }
                None => {
                    way.pop();
                    self.leave(node);
                    if let Some(&(parent, _)) = way.last() {
                        self.lowest[parent] = self.lowest[parent].min(self.lowest[node]);
                    }
                }
            }
        }
    }

    fn enter(&mut self, node: usize) -> usize {
        (self.number[node], self.lowest[node]) = (self.seen, self.seen);
        self.seen += 1;
        self.open.push(node);
        node
    }

    /// All nodes behind this one were seen. If none of them leads back beyond it, its component is complete.
    fn leave(&mut self, node: usize) {
        if self.lowest[node] < self.number[node] {
            return;
        }
        let first = self.open.iter().rposition(|&it| it == node).unwrap_or(0);
        self.open[first..].iter().for_each(|&it| self.number[it] = COMPLETE);
        (self.visit)(&self.open[first..]);
        self.open.truncate(first);
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
