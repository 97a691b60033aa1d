//! Twophase: partial-order reduction without looking at a stack.
//!
//! Nalumasu, Gopalakrishnan, *A new partial order reduction algorithm for concurrent system verification*, CHDL 1997; *PV: an explicit
//! enumeration model-checker*, FMCAD 1998. Every state that the search meets first goes through *phase 1*: processes that may go first
//! ([`crate::firsts`]) do so, one after the other, until none can. In *phase 2* everybody moves in the state at the end. Whoever was not asked in
//! phase 1 could have moved at its end as well, so nobody is forgotten: this is the proviso, and no stack is
//! needed for it. So it works in any order, by any number of threads.
//!
//! ```text
//! phase 1 of s:  list := {s}
//!     for each process P:
//!         while P may go first in s:
//!             s := the state after its step
//!             if s is in the list: go on with the next process
//!             add s to the list
//!     s is an end
//! ```
//!
//! As in Lerda, Sinha, Theobald, *Symbolic model checking of software*, 2003 (ImProviso), the process need not have exactly one step, which
//! makes the list a tree with several ends; and the processes are asked again until none of them moves. This keeps safety properties.
//! [`Variant::Plain`] is what the first papers describe; it keeps CTL*-X. [`Variant::Lasting`] keeps LTL-X: who goes first depends on
//! nothing but the state, and every way round in the graph of these steps is cut by an end, where everybody moves. So there is no execution for ever
//! in which somebody is ignored (condition C3 of Peled), and none for ever is lost.
use std::sync::Arc;

use compiled::{Steps, Successors};
use reduction::Mistake;
use rustc_hash::FxHashMap as HashMap;

use crate::components::{bottoms, components, has_cycle};
use crate::expander::Expander;
use crate::firsts::{Firsts, Known};

/// Phase 1 of one state goes on for so many states.
const LONGEST: usize = 1 << 14;
/// So many states are compared one by one.
const FEW: usize = 12;

/// How far phase 1 goes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Variant {
    /// Processes may choose, and are asked until none moves.
    #[default]
    Strong,
    /// Processes have one step, and are asked once.
    Plain,
    /// Processes may choose, and every way round has an end.
    Lasting,
}

/// Which states of phase 1 are stored.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Cache {
    /// All.
    #[default]
    All,
    /// Ends, and those that are smaller than the state before.
    BackEdges,
    /// Ends.
    None,
}

/// Phase 1 of one state after the other.
pub struct Phase1<'a> {
    firsts: Firsts<'a>,
    variant: Variant,
    /// States that were passed in this phase 1, and the rows from which they were reached.
    rows: Successors,
    parents: Vec<Option<usize>>,
    /// The rows of states, as soon as there are many.
    known: HashMap<Vec<u64>, usize>,
    /// Rows at which the next process begins.
    front: Vec<usize>,
    buffer: Successors,
    /// The row that was looked at last.
    looked: Option<usize>,
}

/// The steps of one process from all states of the front, as long as it may go first.
#[derive(Default)]
struct Turn {
    /// The rows that it comes to, and for each the rows to which its steps lead.
    nodes: Vec<usize>,
    edges: Vec<Vec<usize>>,
    /// Which node a row is.
    node_of: HashMap<usize, usize>,
    /// It came twice to the same row.
    may_return: bool,
}

impl Turn {
    /// The node of a row.
    fn reach(&mut self, row: usize) -> usize {
        let next = self.nodes.len();
        let node = *self.node_of.entry(row).or_insert(next);
        if node == next {
            self.nodes.push(row);
            self.edges.push(Vec::new());
        } else {
            self.may_return = true;
        }
        node
    }
}

impl<'a> Phase1<'a> {
    /// For some states, which need such buffers.
    pub fn new(firsts: Firsts<'a>, variant: Variant, buffer: impl Fn() -> Successors) -> Self {
        let (parents, known, front) = (Vec::new(), HashMap::default(), Vec::new());
        Phase1 { firsts, variant, rows: buffer(), parents, known, front, buffer: buffer(), looked: None }
    }

    /// Whether it is certain, at a glance, that nobody may go first in a state, and in whatever comes after it.
    #[inline]
    pub fn is_hopeless(&self, state: &[u64]) -> bool {
        self.firsts.is_hopeless(state)
    }

    /// Whether nobody may go first in a state that is an end.
    #[inline]
    pub fn is_settled(&mut self, steps: &mut Steps<'_>, state: &[u64]) -> bool {
        self.firsts.is_settled(steps, state, self.variant == Variant::Strong)
    }

    /// Whether it is certain, at a glance, that nobody may go first after a step, where nobody could before.
    #[inline(always)]
    pub fn stays_still(&self, steps: &Steps<'_>, before: &[u64], after: &[u64]) -> bool {
        self.firsts.stays_still(steps, before, after)
    }

    /// Phase 1 of a state, which is so many steps from the initial one.
    pub fn run(&mut self, expander: &mut Expander<'_>, state: &[u64], level: u64) {
        let steps = expander.steps_mut();
        self.firsts.look_at(steps, state);
        self.begin(state);
        let processes = steps.process_count();
        if self.firsts.is_still(steps, state) {
            return;
        }
        if self.variant == Variant::Lasting {
            return self.run_lasting(expander, level);
        }
        loop {
            let before = self.rows.len();
            for process in (0..processes).rev() {
                match self.variant {
                    Variant::Plain => self.plain_turn(expander, process, level),
                    Variant::Strong | Variant::Lasting => self.turn(expander, process, level),
                }
            }
            if self.rows.len() == before || self.variant == Variant::Plain || self.rows.len() > LONGEST {
                return;
            }
        }
    }

    /// What is known of the processes of a state, which is taken up.
    pub fn stage_of(&mut self, steps: &mut Steps<'_>, state: &[u64]) -> Arc<Known> {
        self.firsts.look_at(steps, state);
        self.looked = None;
        self.firsts.known()
    }

    fn begin(&mut self, state: &[u64]) {
        self.rows.clear();
        self.parents.clear();
        self.known.clear();
        self.front.clear();
        let first = self.row_of(state, None);
        self.front.push(first);
        self.looked = Some(first);
    }

    /// The states that were passed: each with the row from which it was reached, and whether it is an end.
    pub fn passed(&self) -> impl Iterator<Item = (&[u64], Option<usize>, bool)> {
        let rows = self.rows.iter_from(0).zip(&self.parents).enumerate();
        rows.map(move |(row, (state, parent))| (state, *parent, self.front.contains(&row)))
    }

    /// Whether a state is smaller than the one from which it was reached.
    pub fn is_smaller(&self, state: &[u64], parent: Option<usize>) -> bool {
        parent.is_some_and(|it| state < self.rows.get(it))
    }

    /// The row of a state, a new one if it was not passed before.
    fn row_of(&mut self, state: &[u64], parent: Option<usize>) -> usize {
        if let Some(row) = self.find(state) {
            return row;
        }
        self.rows.push(state);
        self.parents.push(parent);
        if self.rows.len() > FEW {
            for row in self.known.len()..self.rows.len() {
                self.known.insert(self.rows.get(row).to_vec(), row);
            }
        }
        self.rows.len() - 1
    }

    fn find(&self, state: &[u64]) -> Option<usize> {
        match self.rows.len() {
            ..=FEW => self.rows.iter_from(0).position(|it| it == state),
            _ => self.known.get(state).copied(),
        }
    }

    /// The row of one of the successors in the buffer.
    fn row_of_next(&mut self, row: usize, parent: usize) -> usize {
        let buffer = std::mem::replace(&mut self.buffer, Successors::new(0));
        let found = self.row_of(buffer.get(row), Some(parent));
        self.buffer = buffer;
        found
    }

    /// Follows who may go first until nobody may, or a way round is cut.
    fn run_lasting(&mut self, expander: &mut Expander<'_>, level: u64) {
        let (mut edges, mut may_return) = (Vec::new(), false);
        while edges.len() < self.rows.len() {
            let (row, before) = (edges.len(), self.rows.len());
            let next = self.first_moves(expander, row, level);
            may_return |= next.iter().any(|&it| it < before);
            edges.push(next);
        }
        let is_cut = if may_return { self.cuts(&edges) } else { vec![false; edges.len()] };
        let (mut waiting, mut seen) = (vec![0], vec![false; edges.len()]);
        self.front.clear();
        while let Some(row) = waiting.pop() {
            if std::mem::replace(&mut seen[row], true) {
                continue;
            }
            match is_cut[row] || edges[row].is_empty() {
                true => self.front.push(row),
                false => waiting.extend(&edges[row]),
            }
        }
    }

    /// The rows to which the first process leads that may go first.
    fn first_moves(&mut self, expander: &mut Expander<'_>, row: usize, level: u64) -> Vec<usize> {
        for process in (0..expander.steps().process_count()).rev() {
            if self.moves(expander, row, process, level) {
                return (0..self.buffer.len()).map(|it| self.row_of_next(it, row)).collect();
            }
        }
        Vec::new()
    }

    /// The smallest row of every way round, until there is no way round left: always the same states, wherever phase 1 began.
    fn cuts(&self, edges: &[Vec<usize>]) -> Vec<bool> {
        let mut is_cut = vec![false; edges.len()];
        if self.firsts.mistake == Some(Mistake::Cycles) {
            return is_cut;
        }
        let mut left = edges.to_vec();
        while has_cycle(&left) {
            for part in components(&left) {
                if part.len() == 1 && !left[part[0]].contains(&part[0]) {
                    continue;
                }
                let least = part.into_iter().min_by_key(|&it| self.rows.get(it));
                least.into_iter().for_each(|it| is_cut[it] = true);
            }
            let keep = |row: usize, to: &usize| !is_cut[row] && !is_cut[*to];
            left.iter_mut().enumerate().for_each(|(row, list)| list.retain(|to| keep(row, to)));
        }
        is_cut
    }

    /// A process moves from all states of the front, as long as it may.
    fn turn(&mut self, expander: &mut Expander<'_>, process: usize, level: u64) {
        if let [only] = self.front[..]
            && let Some(end) = self.straight(expander, process, only, level)
        {
            self.front[0] = end;
            return;
        }
        let mut turn = Turn::default();
        std::mem::take(&mut self.front).into_iter().for_each(|row| _ = turn.reach(row));
        turn.may_return = false;
        let mut node = 0;
        while node < turn.nodes.len() {
            let from = turn.nodes[node];
            if self.moves(expander, from, process, level) {
                for row in 0..self.buffer.len() {
                    let to = self.row_of_next(row, from);
                    let to = turn.reach(to);
                    turn.edges[node].push(to);
                }
            }
            node += 1;
        }
        self.front = self.ends(&turn);
    }

    /// Where a turn ends in which the process never has a choice and never comes to a state that was passed.
    fn straight(&mut self, expander: &mut Expander<'_>, process: usize, from: usize, level: u64) -> Option<usize> {
        let mut here = from;
        while self.moves(expander, here, process, level) {
            if self.buffer.len() > 1 || self.find(self.buffer.get(0)).is_some() {
                return None;
            }
            here = self.row_of_next(0, here);
        }
        Some(here)
    }

    /// Where a turn ends: where the process cannot go on, and once in every part of its way that it cannot leave. There it
    /// is always the same state, whichever way the process came.
    fn ends(&self, turn: &Turn) -> Vec<usize> {
        if !turn.may_return || self.firsts.mistake == Some(Mistake::Cycles) {
            let stuck = |it: &usize| turn.edges[*it].is_empty();
            return (0..turn.nodes.len()).filter(stuck).map(|it| turn.nodes[it]).collect();
        }
        let least = |part: Vec<usize>| part.into_iter().map(|it| turn.nodes[it]).min_by_key(|&it| self.rows.get(it));
        bottoms(&turn.edges).into_iter().filter_map(least).collect()
    }

    /// A process that has only one step moves until it comes to a state that was passed.
    fn plain_turn(&mut self, expander: &mut Expander<'_>, process: usize, level: u64) {
        let mut here = self.front[0];
        while self.moves(expander, here, process, level) && self.buffer.len() == 1 {
            let before = self.rows.len();
            here = self.row_of_next(0, here);
            if here < before {
                break;
            }
        }
        self.front[0] = here;
    }

    /// Whether the process goes first in a state. Its successors are in the buffer then.
    fn moves(&mut self, expander: &mut Expander<'_>, row: usize, process: usize, level: u64) -> bool {
        let state = self.rows.get(row);
        if self.looked != Some(row) {
            self.firsts.look_at(expander.steps_mut(), state);
            self.looked = Some(row);
        }
        let steps = expander.steps_mut();
        if self.rows.len() > LONGEST || process >= steps.process_count() || !self.firsts.may_go(steps, process, state) {
            return false;
        }
        self.looked = None;
        self.buffer.clear();
        expander.expand_one(process, state, level, &mut self.buffer);
        // Who goes on alone for ever comes nowhere, and then the others have to be asked.
        !self.buffer.is_empty()
    }
}
