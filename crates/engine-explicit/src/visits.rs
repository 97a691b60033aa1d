//! How states were reached: when it is worth to visit a state again.
//!
//! A search that follows paths only so far may reach a state first by a long path, with few steps left, and later
//! by a short one. If it then says "known", as SPIN's does unless compiled with `-DREACH`, it misses what lies
//! within its bound. So here the best visits of each state are remembered, and a better one makes the search
//! expand the state again: at once, or [later](crate::later).
//!
//! What can be reached from a visit grows when its depth or the number of switches shrinks. A visit with fewer
//! switches is as good as any other: whoever moves next, that costs at most one switch. With equally many it
//! matters who moved last. So the visits of a state are pairwise incomparable in this order.
use hashbrown::HashMap;
use rustc_hash::FxBuildHasher;
use store::Key;

use crate::switches::Turn;

/// How a state was reached.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Visit {
    /// Steps from the initial state; 0 if they do not matter.
    pub depth: u64,
    /// Who moved.
    pub turn: Turn,
}

impl Visit {
    /// Whether everything that can be reached from the other can be reached from this.
    fn is_as_good_as(&self, other: &Visit) -> bool {
        let (mine, others) = (self.turn, other.turn);
        self.depth <= other.depth && (mine.used < others.used || mine == others)
    }
}

/// What was left out at a visit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cut {
    /// All successors: they are too deep.
    Depth,
    /// Some: too many switches.
    Switches,
}

struct Row {
    visit: Visit,
    cut: Option<Cut>,
    /// Another visit of the same state.
    next: u32,
}

/// There is no other visit.
const END: u32 = u32::MAX;

/// The best visits of all states.
#[derive(Default)]
pub struct Visits {
    first: HashMap<u64, u32, FxBuildHasher>,
    rows: Vec<Row>,
}

impl Visits {
    /// The first visit of a state.
    pub fn first(&mut self, key: Key, visit: Visit) -> usize {
        self.first.insert(key.0, self.rows.len() as u32);
        self.rows.push(Row { visit, cut: None, next: END });
        self.rows.len() - 1
    }

    /// Another visit of a state, if it leads further than those before it. It takes the place of a worse one.
    pub fn again(&mut self, key: Key, visit: Visit) -> Option<usize> {
        // A store that is not exact may know a state that was never visited.
        let first = *self.first.get(&key.0)?;
        if self.of(first).any(|row| self.rows[row].visit.is_as_good_as(&visit)) {
            return None;
        }
        let place = self.drop_worse(first, &visit).unwrap_or_else(|| {
            self.first.insert(key.0, self.rows.len() as u32);
            self.rows.push(Row { visit, cut: None, next: first });
            self.rows.len() - 1
        });
        self.rows[place].visit = visit;
        Some(place)
    }

    /// What was left out at worse visits does not matter any more. The first of them can be overwritten.
    fn drop_worse(&mut self, first: u32, visit: &Visit) -> Option<usize> {
        let (mut place, mut next) = (None, first);
        while let Some(row) = self.rows.get_mut(next as usize) {
            if visit.is_as_good_as(&row.visit) {
                match place {
                    None => place = Some(next as usize),
                    Some(_) => row.cut = None,
                }
            }
            next = row.next;
        }
        place
    }

    /// The state is expanded now. Says what was left out when it was before.
    pub fn begin(&mut self, row: usize) -> Option<Cut> {
        self.rows[row].cut.take()
    }

    /// The depth of a visit.
    pub fn depth(&self, row: usize) -> u64 {
        self.rows[row].visit.depth
    }

    /// Something was left out at a visit.
    pub fn cut(&mut self, row: usize, cut: Cut) {
        self.rows[row].cut = Some(cut);
    }

    /// What was left out, if no better visit has made up for it.
    pub fn left_out(&self) -> Option<Cut> {
        self.rows.iter().find_map(|row| row.cut)
    }

    /// The visits of a state.
    fn of(&self, first: u32) -> impl Iterator<Item = usize> {
        let next = |&row: &usize| Some(self.rows[row].next).filter(|&it| it != END).map(|it| it as usize);
        std::iter::successors(Some(first as usize), next)
    }

    /// Bytes in use.
    pub fn memory(&self) -> u64 {
        (self.first.allocation_size() + self.rows.capacity() * size_of::<Row>()) as u64
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn visit(depth: u64, used: u16, last: u16) -> Visit {
        Visit { depth, turn: Turn { used, last } }
    }

    #[test]
    fn only_a_better_visit_counts() {
        let mut visits = Visits::default();
        let row = visits.first(Key(7), visit(5, 1, 0));
        visits.cut(row, Cut::Depth);
        assert_eq!(visits.again(Key(7), visit(6, 1, 0)), None);
        assert_eq!(visits.again(Key(7), visit(5, 2, 1)), None, "fewer switches are as good");
        assert_eq!(visits.again(Key(8), visit(0, 0, 0)), None, "it was never visited");
        assert_eq!(visits.left_out(), Some(Cut::Depth));
        assert_eq!(visits.again(Key(7), visit(4, 1, 0)), Some(row));
        assert_eq!(visits.begin(row), Some(Cut::Depth));
        assert_eq!(visits.left_out(), None, "the better visit makes up for the other");
    }

    #[test]
    fn visits_that_cannot_be_compared_are_all_kept() {
        let mut visits = Visits::default();
        visits.first(Key(7), visit(5, 1, 0));
        assert!(visits.again(Key(7), visit(5, 1, 2)).is_some(), "somebody else moved last");
        assert!(visits.again(Key(7), visit(3, 2, 0)).is_some(), "nearer, with more switches");
        for known in [visit(5, 1, 0), visit(5, 1, 2), visit(4, 2, 0)] {
            assert_eq!(visits.again(Key(7), known), None);
        }
        assert!(visits.again(Key(7), visit(3, 0, 3)).is_some(), "better than all");
        assert_eq!(visits.again(Key(7), visit(3, 1, 0)), None);
    }
}
