//! A set of groups, by their rows.

/// As many bits as there are groups.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct GroupSet(Vec<u64>);

impl GroupSet {
    /// None of so many groups.
    pub fn none_of(groups: usize) -> GroupSet {
        GroupSet(vec![0; groups.div_ceil(64)])
    }

    /// Those of so many groups for which something is true.
    pub fn of(groups: usize, is_in: impl Fn(usize) -> bool) -> GroupSet {
        let mut set = GroupSet::none_of(groups);
        (0..groups).filter(|&it| is_in(it)).for_each(|it| set.insert(it));
        set
    }

    /// Adds a group.
    pub fn insert(&mut self, group: usize) {
        self.0[group / 64] |= 1 << (group % 64);
    }

    /// Whether a group is in it.
    #[inline]
    pub fn contains(&self, group: usize) -> bool {
        self.0[group / 64] >> (group % 64) & 1 == 1
    }

    /// Takes all groups out.
    pub fn clear(&mut self) {
        self.0.fill(0);
    }

    /// Adds all groups of another set; calls `visit` for those that were not in it.
    #[inline]
    pub fn extend(&mut self, other: &GroupSet, mut visit: impl FnMut(usize)) {
        for (row, (mine, &more)) in self.0.iter_mut().zip(&other.0).enumerate() {
            let mut new = more & !*mine;
            *mine |= more;
            while new != 0 {
                visit(row * 64 + new.trailing_zeros() as usize);
                new &= new - 1;
            }
        }
    }

    /// How many groups are in it and not in the second set: all of them, and those that are in the third set.
    #[inline]
    pub fn count_beyond(&self, known: &GroupSet, special: &GroupSet) -> (u32, u32) {
        let words = self.0.iter().zip(&known.0).zip(&special.0);
        words.fold((0, 0), |(all, some), ((&mine, &known), &special)| {
            let new = mine & !known;
            (all + new.count_ones(), some + (new & special).count_ones())
        })
    }

    /// How many groups two sets have in common.
    #[inline]
    pub fn count_common(&self, other: &GroupSet) -> u32 {
        self.0.iter().zip(&other.0).map(|(mine, its)| (mine & its).count_ones()).sum()
    }

    /// The groups in it.
    pub fn iter(&self) -> impl Iterator<Item = usize> {
        (0..self.0.len() * 64).filter(|&it| self.contains(it))
    }
}
