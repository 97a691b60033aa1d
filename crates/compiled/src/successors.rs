//! Successors in one block of memory, and the one that is being made at its end.

/// Successors, one after the other.
#[derive(Clone, Debug)]
pub struct Successors {
    words: Vec<u64>,
    /// Where the successor in the making starts.
    tail: usize,
    /// How long it is.
    next: usize,
    /// The length of all states, or 0 if they differ.
    stride: usize,
    /// Where each ends, if lengths differ.
    ends: Vec<usize>,
    /// Steps in between that are not states of their own.
    pub inner: u64,
}

/// What a loop needs that makes successors without asking.
pub struct Making<'a> {
    /// All memory.
    pub words: &'a mut [u64],
    /// Where the successor in the making starts.
    pub tail: &'a mut usize,
    /// How long it is.
    pub next: &'a mut usize,
    /// Where each ends, if lengths differ.
    pub ends: &'a mut Vec<usize>,
    /// Steps in between that are not states of their own.
    pub inner: &'a mut u64,
}

impl Successors {
    /// None yet; `stride` is the length of all states, or 0 if they differ.
    pub fn new(stride: usize) -> Successors {
        Successors { words: Vec::new(), tail: 0, next: 0, stride, ends: Vec::new(), inner: 0 }
    }

    /// Forgets all.
    pub fn clear(&mut self) {
        self.tail = 0;
        self.ends.clear();
        self.inner = 0;
    }

    /// How many there are.
    #[inline]
    pub fn len(&self) -> usize {
        self.tail.checked_div(self.stride).unwrap_or(self.ends.len())
    }

    /// How many words they take.
    #[inline]
    pub fn used(&self) -> usize {
        self.tail
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.tail == 0
    }

    /// One of them.
    #[inline]
    pub fn get(&self, row: usize) -> &[u64] {
        if self.stride > 0 {
            return &self.words[row * self.stride..(row + 1) * self.stride];
        }
        let start = row.checked_sub(1).map_or(0, |before| self.ends[before]);
        &self.words[start..self.ends[row]]
    }

    /// Those from a row on.
    #[inline]
    pub fn iter_from(&self, row: usize) -> States<'_> {
        let (first, ends) = match self.stride {
            0 => (row.checked_sub(1).map_or(0, |before| self.ends[before]), &self.ends[row..]),
            stride => (row * stride, &[][..]),
        };
        States { words: &self.words[first..self.tail], stride: self.stride, first, ends: ends.iter() }
    }

    /// Adds one.
    pub fn push(&mut self, state: &[u64]) {
        self.fork(state);
        self.keep();
    }

    /// Begins a successor as a copy.
    pub fn fork(&mut self, state: &[u64]) {
        self.resize_next(state.len());
        self.next_mut().copy_from_slice(state);
    }

    /// The successor in the making.
    pub fn next(&self) -> &[u64] {
        &self.words[self.tail..self.tail + self.next]
    }

    /// The successor in the making.
    pub fn next_mut(&mut self) -> &mut [u64] {
        &mut self.words[self.tail..self.tail + self.next]
    }

    /// Makes the successor in the making longer, with zeros, or shorter.
    pub fn resize_next(&mut self, len: usize) {
        let (old, end) = (self.tail + self.next, self.tail + len);
        if self.words.len() < end {
            self.words.resize(end.next_power_of_two().max(1024), 0);
        }
        if old < end {
            self.words[old..end].fill(0);
        }
        self.next = len;
    }

    /// The successor in the making is one.
    pub fn keep(&mut self) {
        self.tail += self.next;
        if self.stride == 0 {
            self.ends.push(self.tail);
        }
    }

    /// Forgets all but the first so many.
    pub fn truncate(&mut self, len: usize) {
        if self.stride > 0 {
            self.tail = self.tail.min(len * self.stride);
        } else {
            self.ends.truncate(len);
            self.tail = self.ends.last().copied().unwrap_or(0);
        }
    }

    /// Bytes in use.
    pub fn memory(&self) -> u64 {
        ((self.words.capacity() + self.ends.capacity()) * size_of::<u64>()) as u64
    }

    /// What to go back to.
    pub(crate) fn mark(&self) -> (usize, usize, u64) {
        (self.tail, self.ends.len(), self.inner)
    }

    /// Forgets all that came after a mark.
    pub(crate) fn go_back(&mut self, (tail, ends, inner): (usize, usize, u64)) {
        self.tail = tail;
        self.ends.truncate(ends);
        self.inner = inner;
    }

    /// The parts, for a loop of its own.
    #[inline]
    pub(crate) fn making(&mut self) -> Making<'_> {
        let Successors { words, tail, next, ends, inner, .. } = self;
        Making { words, tail, next, ends, inner }
    }
}

/// States one after the other.
pub struct States<'a> {
    words: &'a [u64],
    stride: usize,
    /// Where the next one starts, if lengths differ, and where each ends.
    first: usize,
    ends: std::slice::Iter<'a, usize>,
}

impl<'a> Iterator for States<'a> {
    type Item = &'a [u64];

    #[inline]
    fn next(&mut self) -> Option<&'a [u64]> {
        let mut length = self.stride;
        if length == 0 {
            let end = *self.ends.next()?;
            length = end - self.first;
            self.first = end;
        }
        let (state, others) = self.words.split_at_checked(length)?;
        self.words = others;
        Some(state)
    }
}
