//! Points at which one process goes on alone, and that wait for their turn.
//!
//! A stack in one piece of memory, which machine code uses as well: each state is followed by a word that says whose turn
//! it is and how long the state is.

/// Points out of one state after which each is followed only once.
const PATIENCE: usize = 10_000;
/// Room for so many points is made at a time.
const MORE: usize = 32;

/// Points that wait; the last one goes on first.
#[derive(Debug, Default)]
pub struct Points {
    words: Vec<u64>,
    /// Words in use.
    used: usize,
    /// Points that are followed without remembering them.
    patience: usize,
}

/// What machine code needs of points.
pub struct Stack<'a> {
    /// All memory.
    pub words: &'a mut [u64],
    /// Words in use.
    pub used: &'a mut usize,
    /// Points that may be taken.
    pub patience: &'a mut usize,
}

/// A point that is taken.
#[derive(Clone, Copy, Debug)]
pub struct Point {
    /// The process that goes on.
    pub process: usize,
    /// There have been so many that it has to be remembered.
    pub is_late: bool,
}

/// The word behind the state of a point.
pub fn label(process: usize, length: usize) -> u64 {
    (process as u64) | (length as u64) << 32
}

impl Points {
    /// Begins with another state.
    #[inline]
    pub fn begin(&mut self) {
        self.used = 0;
        self.patience = PATIENCE;
    }

    /// Machine code takes none for a while.
    pub fn hold(&mut self) {
        self.patience = 0;
    }

    /// Machine code may take some again; none has been taken yet.
    pub fn release(&mut self) {
        self.patience = PATIENCE;
    }

    /// Whether none waits.
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.used == 0
    }

    /// Adds one whose state is this.
    pub fn push(&mut self, process: usize, state: &[u64]) {
        self.make_room(state.len());
        self.words[self.used..][..state.len()].copy_from_slice(state);
        self.used += state.len() + 1;
        self.words[self.used - 1] = label(process, state.len());
    }

    /// Takes the last one, with its state.
    pub fn pop(&mut self, state: &mut Vec<u64>) -> Option<Point> {
        let label = self.words[self.used.checked_sub(1)?];
        let length = (label >> 32) as usize;
        self.used -= length + 1;
        state.clear();
        state.extend_from_slice(&self.words[self.used..][..length]);
        let is_late = self.patience == 0;
        self.patience = self.patience.saturating_sub(1);
        Some(Point { process: label as u32 as usize, is_late })
    }

    /// The parts, with room for some points of this length.
    #[inline]
    pub fn stack(&mut self, length: usize) -> Stack<'_> {
        self.make_room(length);
        Stack { words: &mut self.words, used: &mut self.used, patience: &mut self.patience }
    }

    #[inline]
    fn make_room(&mut self, length: usize) {
        let end = self.used + length + 1;
        if self.words.len() < end {
            self.words.resize(end + MORE * (length + 1), 0);
        }
    }
}
