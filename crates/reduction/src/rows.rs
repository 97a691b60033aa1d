//! A set of rows: of groups, or of guards.

/// As many bits as there are rows.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Rows(Vec<u64>);

impl Rows {
    /// None of so many.
    pub fn none_of(count: usize) -> Rows {
        Rows(vec![0; count.div_ceil(64)])
    }

    /// Those of so many for which something is true.
    pub fn of(count: usize, is_in: impl Fn(usize) -> bool) -> Rows {
        let mut set = Rows::none_of(count);
        (0..count).filter(|&it| is_in(it)).for_each(|it| set.insert(it));
        set
    }

    /// Adds a row.
    #[inline]
    pub fn insert(&mut self, row: usize) {
        self.0[row / 64] |= 1 << (row % 64);
    }

    /// Takes a row out.
    #[inline]
    pub fn remove(&mut self, row: usize) {
        self.0[row / 64] &= !(1 << (row % 64));
    }

    /// Whether a row is in it.
    #[inline]
    pub fn contains(&self, row: usize) -> bool {
        self.0[row / 64] >> (row % 64) & 1 == 1
    }

    /// Becomes empty, with room for so many.
    pub fn reset(&mut self, count: usize) {
        self.0.clear();
        self.0.resize(count.div_ceil(64), 0);
    }

    /// Becomes equal to another set.
    #[inline]
    pub fn copy(&mut self, other: &Rows) {
        self.0.clone_from(&other.0);
    }

    /// Adds all rows of another set.
    #[inline]
    pub fn extend(&mut self, other: &Rows) {
        self.0.iter_mut().zip(&other.0).for_each(|(mine, more)| *mine |= more);
    }

    /// Whether two sets have a row in common.
    #[inline]
    pub fn meets(&self, other: &Rows) -> bool {
        self.0.iter().zip(&other.0).any(|(mine, its)| mine & its != 0)
    }

    /// Whether some row is in this and the second set, but not in the third.
    #[inline]
    pub fn meets_without(&self, other: &Rows, without: &Rows) -> bool {
        self.0.iter().zip(&other.0).zip(&without.0).any(|((mine, its), not)| mine & its & !not != 0)
    }

    /// The rows in it.
    pub fn iter(&self) -> impl Iterator<Item = usize> {
        self.0.iter().enumerate().flat_map(|(word, &bits)| Ones { bits, first: word * 64 })
    }

    /// Calls `visit` for the rows that are in this and in the second set.
    #[inline]
    pub fn common(&self, other: &Rows, mut visit: impl FnMut(usize)) {
        for (word, (mine, its)) in self.0.iter().zip(&other.0).enumerate() {
            Ones { bits: mine & its, first: word * 64 }.for_each(&mut visit);
        }
    }

    /// Takes out the rows that are also in both other sets, and calls `visit` for them.
    #[inline]
    pub fn take(&mut self, one: &Rows, other: &Rows, mut visit: impl FnMut(usize)) {
        for (word, ((mine, its), more)) in self.0.iter_mut().zip(&one.0).zip(&other.0).enumerate() {
            let bits = *mine & its & more;
            *mine &= !bits;
            Ones { bits, first: word * 64 }.for_each(&mut visit);
        }
    }
}

/// The bits of a word that are set.
struct Ones {
    bits: u64,
    first: usize,
}

impl Iterator for Ones {
    type Item = usize;

    #[inline]
    fn next(&mut self) -> Option<usize> {
        if self.bits == 0 {
            return None;
        }
        let row = self.first + self.bits.trailing_zeros() as usize;
        self.bits &= self.bits - 1;
        Some(row)
    }
}
