//! Sets of states that are known to lie on cycles together, shared by workers.
//!
//! Bloemen, Laarman, van de Pol, *Multi-core on-the-fly SCC decomposition*, PPoPP 2016. Each set is a tree of states with a root (Tarjan 1975), and a ring through
//! all its states; states that nobody has to look at any more are skipped in the ring, and drop out. A set knows which workers have
//! come to it, and what the edges inside it count for. When its ring is empty, the set is a complete component: it is *dead*.
//!
//! Finding a root and walking round a ring need no lock. Only one worker at a time joins sets.
use std::sync::atomic::Ordering::{AcqRel, Acquire, Relaxed, Release, SeqCst};
use std::sync::atomic::{AtomicU8, AtomicU32, AtomicU64};
use std::sync::{Mutex, OnceLock, PoisonError};

/// The number of a state.
pub type Number = u32;

/// In a ring: somebody has to look at the state; its place in the ring is being changed; nobody has to look at it.
const BUSY: u8 = 0;
const HELD: u8 = 1;
const DONE: u8 = 2;

/// All zero in the beginning: alone, and busy.
#[derive(Default)]
struct Node {
    /// One more than the parent, or 0 for a root.
    parent: AtomicU32,
    /// One more than the next state in the ring, or 0 for itself.
    next: AtomicU32,
    /// Of a root: the workers that came here, and the marks of inner edges.
    workers: AtomicU64,
    marks: AtomicU32,
    status: AtomicU8,
    is_dead: AtomicU8,
}

/// States of one piece of memory, and how many pieces there can be.
const PIECE: usize = 1 << 18;
const PIECES: usize = 1 << 14;

/// What a worker is told about a state that it comes to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Claimed {
    /// Nothing there can be on a violating cycle.
    Dead,
    /// It was in this set before: a cycle.
    Again,
    /// It is here for the first time.
    First,
}

/// All sets.
pub struct Unions {
    pieces: Vec<OnceLock<Box<[Node]>>>,
    joining: Mutex<()>,
}

impl Unions {
    /// Every state alone.
    pub fn new() -> Unions {
        Unions { pieces: (0..PIECES).map(|_| OnceLock::new()).collect(), joining: Mutex::new(()) }
    }

    /// How many states there can be.
    pub const fn most() -> u64 {
        (PIECE * PIECES) as u64
    }

    fn node(&self, number: Number) -> &Node {
        let (piece, place) = (number as usize / PIECE, number as usize % PIECE);
        &self.pieces[piece].get_or_init(|| (0..PIECE).map(|_| Node::default()).collect())[place]
    }

    /// The root of a state's set.
    fn root(&self, number: Number) -> Number {
        let mut here = number;
        loop {
            let parent = self.node(here).parent.load(Acquire);
            let Some(parent) = parent.checked_sub(1) else { return here };
            let above = self.node(parent).parent.load(Acquire);
            if above > 0 {
                // Halves the way for those who come after.
                self.node(here).parent.store(above, Release);
            }
            here = parent;
        }
    }

    fn is_root(&self, number: Number) -> bool {
        self.node(number).parent.load(SeqCst) == 0
    }

    /// Whether two states are in one set.
    pub fn are_together(&self, one: Number, other: Number) -> bool {
        loop {
            let (left, right) = (self.root(one), self.root(other));
            if left == right {
                return true;
            }
            if self.is_root(left) {
                return false;
            }
        }
    }

    /// What a worker would be told that comes to a state.
    pub fn look(&self, number: Number, worker: u64) -> Claimed {
        let node = self.node(self.root(number));
        if node.is_dead.load(Acquire) != 0 {
            Claimed::Dead
        } else if node.workers.load(Acquire) & worker != 0 {
            Claimed::Again
        } else {
            Claimed::First
        }
    }

    /// A worker comes to a state. Its bit follows the set wherever that is joined to meanwhile, and the worker is here for the first time all the same.
    pub fn claim(&self, number: Number, worker: u64) -> Claimed {
        let told = self.look(number, worker);
        while told == Claimed::First {
            let root = self.root(number);
            self.node(root).workers.fetch_or(worker, SeqCst);
            if self.is_root(root) {
                break;
            }
        }
        told
    }

    /// A state of a set that somebody has to look at; if there is none, the set is dead.
    pub fn pick(&self, number: Number) -> Option<Number> {
        let mut here = number;
        loop {
            if self.node(here).status.load(Acquire) != DONE {
                return Some(here);
            }
            let next = self.after(here);
            if next == here {
                self.node(self.root(number)).is_dead.store(1, Release);
                return None;
            }
            if self.node(next).status.load(Acquire) != DONE {
                return Some(next);
            }
            // Both are done: the second drops out of the ring.
            let beyond = self.after(next);
            self.node(here).next.store(beyond + 1, Release);
            here = beyond;
        }
    }

    fn after(&self, number: Number) -> Number {
        self.node(number).next.load(Acquire).checked_sub(1).unwrap_or(number)
    }

    /// Nobody has to look at a state any more.
    pub fn finish(&self, number: Number) {
        let status = &self.node(number).status;
        while let Err(found) = status.compare_exchange_weak(BUSY, DONE, AcqRel, Acquire) {
            if found == DONE {
                return;
            }
            std::hint::spin_loop();
        }
    }

    /// Joins the sets of two states.
    pub fn join(&self, one: Number, other: Number) {
        let _only = self.joining.lock().unwrap_or_else(PoisonError::into_inner);
        let (left, right) = (self.root(one), self.root(other));
        if left == right {
            return;
        }
        let Some(first) = self.hold(one) else { return };
        let Some(second) = self.hold(other) else { return self.node(first).status.store(BUSY, Release) };
        let (after_first, after_second) = (self.after(first), self.after(second));
        self.node(first).next.store(after_second + 1, Release);
        self.node(second).next.store(after_first + 1, Release);
        let (lower, upper) = (self.node(left.min(right)), self.node(left.max(right)));
        // First the way to the new root, then what the old one knows: nobody's claim is lost.
        upper.parent.store(left.min(right) + 1, SeqCst);
        lower.workers.fetch_or(upper.workers.load(SeqCst), SeqCst);
        lower.marks.fetch_or(upper.marks.load(Acquire), AcqRel);
        self.node(first).status.store(BUSY, Release);
        self.node(second).status.store(BUSY, Release);
    }

    /// Keeps a busy state of a set where it is.
    fn hold(&self, number: Number) -> Option<Number> {
        loop {
            let busy = self.pick(number)?;
            if self.node(busy).status.compare_exchange(BUSY, HELD, AcqRel, Relaxed).is_ok() {
                return Some(busy);
            }
        }
    }

    /// An edge inside a set counts for this. Returns all that edges of the set count for.
    pub fn add(&self, number: Number, marks: u32) -> u32 {
        loop {
            let root = self.root(number);
            let all = self.node(root).marks.fetch_or(marks, AcqRel) | marks;
            if self.is_root(root) {
                return all;
            }
        }
    }

    /// Bytes in use.
    pub fn memory(&self) -> u64 {
        let pieces = self.pieces.iter().filter(|it| it.get().is_some()).count();
        (pieces * PIECE * size_of::<Node>()) as u64
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sets_are_joined_and_die() {
        let unions = Unions::new();
        assert_eq!(unions.claim(1, 1), Claimed::First);
        assert_eq!(unions.claim(1, 1), Claimed::Again);
        assert_eq!(unions.claim(1, 2), Claimed::First);
        unions.claim(2, 1);
        assert!(!unions.are_together(1, 2));
        unions.add(2, 4);
        unions.join(1, 2);
        assert!(unions.are_together(1, 2) && unions.claim(2, 2) == Claimed::Again);
        assert_eq!(unions.add(1, 1), 5);
        unions.finish(1);
        assert_eq!(unions.pick(1), Some(2));
        unions.finish(2);
        assert_eq!(unions.pick(2), None);
        assert_eq!(unions.claim(1, 4), Claimed::Dead);
    }

    /// Many workers join a ring of states in any order; every state is picked before the set is dead.
    #[test]
    fn workers_join_together() {
        let unions = Unions::new();
        let count = 2_000;
        std::thread::scope(|scope| {
            for worker in 0..4u32 {
                let unions = &unions;
                scope.spawn(move || {
                    for it in (0..count - 1).filter(|it| it % 4 == worker) {
                        unions.join(it, it + 1);
                    }
                });
            }
        });
        assert!((0..count).all(|it| unions.are_together(0, it)));
        let mut picked = 0;
        while let Some(it) = unions.pick(0) {
            unions.finish(it);
            picked += 1;
        }
        assert_eq!(picked, count);
    }
}
