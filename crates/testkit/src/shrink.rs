//! Makes a random model smaller while something stays true of it.
//!
//! Greedy and ignorant of the language (see [`crate::random::tree`]): drop items of lists, big
//! pieces first (Zeller's delta debugging), put a part in the place of the whole, put the plainest
//! thing in the place of a complicated one; again until nothing helps.
use std::time::{Duration, Instant};

use crate::random::tree::{Node, Part, Sort};

/// How long shrinking may take.
#[derive(Clone, Copy, Debug)]
pub struct Effort {
    /// How often the question may be asked.
    pub attempts: usize,
    /// How long all of it may take.
    pub time: Duration,
}

impl Default for Effort {
    fn default() -> Self {
        Effort { attempts: 3000, time: Duration::from_secs(180) }
    }
}

/// The smallest tree found for which `still` is true; `still` must be true of `tree` itself.
pub fn shrink(tree: &Node, effort: Effort, still: &mut dyn FnMut(&Node) -> bool) -> Node {
    let mut search =
        Search { best: tree.clone(), attempts: effort.attempts, until: Instant::now() + effort.time, still };
    loop {
        let before = search.best.print();
        search.drop_items();
        search.replace();
        if search.best.print() == before || search.is_over() {
            return search.best;
        }
    }
}

struct Search<'a> {
    best: Node,
    attempts: usize,
    until: Instant,
    still: &'a mut dyn FnMut(&Node) -> bool,
}

impl Search<'_> {
    fn is_over(&self) -> bool {
        self.attempts == 0 || Instant::now() > self.until
    }

    /// Keeps a change if the question is still answered with yes.
    fn attempt(&mut self, row: usize, change: impl FnOnce(&mut Node) -> bool) -> bool {
        let mut candidate = self.best.clone();
        let Some(node) = candidate.nth(row) else { return false };
        if self.is_over() || !change(node) {
            return false;
        }
        self.attempts -= 1;
        let kept = (self.still)(&candidate);
        if kept {
            self.best = candidate;
        }
        kept
    }

    /// Leaves out items of lists, from the outermost list inwards.
    fn drop_items(&mut self) {
        let mut row = 0;
        while let Some(node) = self.best.nth(row) {
            for part in 0..node.parts.len() {
                self.drop_from(row, part);
            }
            row += 1;
        }
    }

    fn drop_from(&mut self, row: usize, part: usize) {
        let mut chunk = self.list_length(row, part).div_ceil(2);
        while chunk > 0 {
            let mut start = 0;
            while start < self.list_length(row, part) {
                let dropped = self.attempt(row, |node| {
                    let Part::List(list) = &mut node.parts[part] else { return false };
                    let end = (start + chunk).min(list.nodes.len());
                    let fits = list.nodes.len() - (end - start) >= list.least;
                    if fits {
                        list.nodes.drain(start..end);
                    }
                    fits
                });
                start += if dropped { 0 } else { chunk };
            }
            chunk /= 2;
        }
    }

    fn list_length(&mut self, row: usize, part: usize) -> usize {
        match self.best.nth(row).map(|node| &node.parts[part]) {
            Some(Part::List(list)) => list.nodes.len(),
            _ => 0,
        }
    }

    /// Puts something simpler in the place of each node.
    fn replace(&mut self) {
        let mut row = 1;
        while let Some(node) = self.best.nth(row) {
            let candidates = simpler(node);
            let replaced = candidates.into_iter().any(|simple| {
                self.attempt(row, |node| {
                    *node = simple;
                    true
                })
            });
            row += usize::from(!replaced);
        }
    }
}

/// What could stand in the place of a node, the simplest first.
fn simpler(node: &Node) -> Vec<Node> {
    let text = node.print();
    let plain: &[&str] = match node.sort {
        Sort::Statement => &["skip"],
        Sort::Expression => &["0", "1"],
        Sort::Unit | Sort::Branch | Sort::Other => &[],
    };
    let is_plain = plain.contains(&text.trim());
    let make = |text: &&str| Node { sort: node.sort, parts: vec![Part::Text(text.to_string())], labelable: false };
    let mut list: Vec<Node> = if is_plain { Vec::new() } else { plain.iter().map(make).collect() };
    let mut inner = Vec::new();
    inside(node, node.sort, &mut inner);
    list.extend(inner);
    list
}

/// The nearest nodes of a sort inside a node.
fn inside(node: &Node, sort: Sort, found: &mut Vec<Node>) {
    for child in node.children() {
        match child.sort == sort {
            true => found.push(child.clone()),
            false => inside(child, sort, found),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_matters_is_left() {
        let tree = crate::random::model(5).tree;
        let small = shrink(&tree, Effort::default(), &mut |it| it.print().contains("proctype"));
        assert!(small.print().contains("proctype"));
        assert!(small.size() < 8, "{}", small.print());
    }
}
