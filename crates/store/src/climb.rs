//! Folds many states of one length at once, one height of the tree after the other.
//!
//! Interning a word reads a line of a table and then a word of an arena, both mostly outside the caches, and its answer is needed
//! before anything above it can be asked. One state at a time, a worker would wait for each of them. So all words that have
//! changed in a batch of states are looked for together, then all pairs above them, and so on: each question first
//! touches its line, then its word, and is answered last. (Group prefetching: Chen, Ailamaki, Gibbons, Mowry, *Improving hash join
//! performance through prefetching*, 2004.)
use crate::interface::Near;
use crate::nodes::{Interner, NOTHING, Nodes, Question};
use crate::tree::{middle, pair};

/// States with more words are folded one at a time: the nodes of a state are the bits of a word here.
const MOST_WORDS: usize = 32;

/// Where the nodes of a state are in its trail: those of the left part, those of the right part, then the node above both.
#[derive(Debug)]
pub struct Plan {
    /// The node of each word.
    leaves: Vec<usize>,
    /// For each word, the set of nodes above it.
    above: Vec<u64>,
    /// The two nodes below each node, if there are any.
    below: Vec<(usize, usize)>,
    /// The nodes of each height, as sets, without the leaves.
    heights: Vec<u64>,
}

impl Plan {
    /// For states of so many words, if there are neither too few nor too many.
    pub fn new(words: usize) -> Option<Plan> {
        if !(2..=MOST_WORDS).contains(&words) {
            return None;
        }
        let nodes = 2 * words - 2;
        let mut plan = Plan { leaves: vec![], above: vec![0; words], below: vec![(0, 0); nodes], heights: vec![] };
        plan.add(0, middle(words));
        plan.add(2 * middle(words) - 1, words - middle(words));
        Some(plan)
    }

    /// Adds the nodes of the next words, the first of which has a place in the trail. Returns their height.
    fn add(&mut self, first: usize, words: usize) -> usize {
        let (start, left) = (self.leaves.len(), middle(words));
        if words == 1 {
            self.leaves.push(first);
            return 0;
        }
        let height = self.add(first, left).max(self.add(first + 2 * left - 1, words - left));
        let top = first + 2 * words - 2;
        self.below[top] = (first + 2 * left - 2, top - 1);
        self.above[start..start + words].iter_mut().for_each(|nodes| *nodes |= 1 << top);
        self.heights.resize(self.heights.len().max(height + 1), 0);
        self.heights[height] |= 1 << top;
        height + 1
    }

    /// How many nodes a state has.
    fn nodes(&self) -> usize {
        self.below.len()
    }
}

/// The states that one worker folds together.
#[derive(Debug, Default)]
pub struct Batch {
    /// The trails of all states, one after the other.
    trails: Vec<u32>,
    /// For each state, the set of nodes above words that are not those of its parent.
    changed: Vec<u64>,
    /// What is asked at this height, and where in the trails the answer belongs.
    open: Vec<(Question, usize)>,
}

impl Batch {
    /// Adds a state, and asks for the words in it that have changed.
    pub fn add(&mut self, plan: &Plan, nodes: &Nodes, local: &mut Interner, state: &[u64], near: Option<Near<'_>>) {
        let (start, mut changed) = (self.trails.len(), 0);
        match near {
            Some(near) => self.trails.extend_from_slice(&near.trail[..plan.nodes()]),
            None => self.trails.resize(start + plan.nodes(), NOTHING),
        }
        for (row, &word) in state.iter().enumerate() {
            if near.is_none_or(|near| near.state[row] != word) {
                changed |= plan.above[row];
                self.ask(nodes, local, word, start + plan.leaves[row]);
            }
        }
        self.changed.push(changed);
    }

    /// Asks for the reference of a word.
    #[inline]
    fn ask(&mut self, nodes: &Nodes, local: &mut Interner, word: u64, at: usize) {
        match nodes.ask(local, word) {
            Ok(reference) => self.trails[at] = reference,
            Err(question) => self.open.push((question, at)),
        }
    }

    /// Answers what was asked. Where there was no room for a word, [`NOTHING`] is the answer.
    fn answer(&mut self, nodes: &Nodes, local: &mut Interner) {
        self.open.iter().for_each(|(question, _)| nodes.touch(question));
        for (question, at) in self.open.drain(..) {
            self.trails[at] = nodes.answer(local, &question).unwrap_or(NOTHING);
        }
    }

    /// The roots of all states, in the order in which they were added; `None` where there was no room for a node. Then the batch
    /// is empty again.
    pub fn roots(&mut self, plan: &Plan, nodes: &Nodes, local: &mut Interner, mut visit: impl FnMut(Option<u64>)) {
        self.answer(nodes, local);
        for &height in &plan.heights {
            for row in 0..self.changed.len() {
                self.ask_pairs(plan, nodes, local, row, self.changed[row] & height);
            }
            self.answer(nodes, local);
        }
        let (left, right) = (2 * middle(plan.leaves.len()) - 2, plan.nodes() - 1);
        self.trails.chunks_exact(plan.nodes()).for_each(|trail| visit(paired(trail[left], trail[right])));
        self.trails.clear();
        self.changed.clear();
    }

    /// Asks for some nodes of a state, whose parts are known.
    #[inline]
    fn ask_pairs(&mut self, plan: &Plan, nodes: &Nodes, local: &mut Interner, row: usize, mut wanted: u64) {
        let start = row * plan.nodes();
        while wanted != 0 {
            let node = wanted.trailing_zeros() as usize;
            let (left, right) = plan.below[node];
            match paired(self.trails[start + left], self.trails[start + right]) {
                Some(pair) => self.ask(nodes, local, pair, start + node),
                None => self.trails[start + node] = NOTHING,
            }
            wanted &= wanted - 1;
        }
    }
}

/// Two references as one word, if both are there.
#[inline]
fn paired(left: u32, right: u32) -> Option<u64> {
    (left != NOTHING && right != NOTHING).then(|| pair(left, right))
}
