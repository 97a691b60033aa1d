//! A partition that is refined: elements of a set are marked, and the marked ones become a set of their own.
//!
//! The elements of a set lie side by side, the marked ones first, so that marking is a swap and splitting takes no
//! longer than marking did. After Valmari, Lehtinen, *Efficient minimization of DFAs with partial transition functions*, 2008.

/// A partition of `0..n` into numbered sets.
#[derive(Clone, Debug)]
pub struct Partition {
    elements: Vec<u32>,
    place: Vec<u32>,
    set_of: Vec<u32>,
    first: Vec<u32>,
    /// Per set: where its unmarked elements begin.
    unmarked: Vec<u32>,
    end: Vec<u32>,
    /// Sets with marked elements.
    touched: Vec<u32>,
}

/// Which part of a set gets a new number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Renumber {
    /// The marked one.
    Marked,
    /// The other one.
    Unmarked,
    /// The one with fewer elements.
    Smaller,
}

impl Partition {
    /// All elements in one set, number 0.
    pub fn whole(count: usize) -> Partition {
        let all: Vec<u32> = (0..count as u32).collect();
        let (first, unmarked, end) = (vec![0], vec![0], vec![count as u32]);
        Partition { place: all.clone(), elements: all, set_of: vec![0; count], first, unmarked, end, touched: vec![] }
    }

    /// How many sets there are.
    pub fn sets(&self) -> usize {
        self.first.len()
    }

    /// The set of an element.
    pub fn set_of(&self, element: u32) -> u32 {
        self.set_of[element as usize]
    }

    /// The sets of all elements.
    pub fn into_sets(self) -> Vec<u32> {
        self.set_of
    }

    /// The elements of a set.
    pub fn elements(&self, set: u32) -> &[u32] {
        &self.elements[self.first[set as usize] as usize..self.end[set as usize] as usize]
    }

    /// Marks an element; once is enough.
    pub fn mark(&mut self, element: u32) {
        let set = self.set_of[element as usize] as usize;
        let (at, border) = (self.place[element as usize], self.unmarked[set]);
        if at < border {
            return;
        }
        if border == self.first[set] {
            self.touched.push(set as u32);
        }
        let other = self.elements[border as usize];
        self.elements.swap(at as usize, border as usize);
        self.place[other as usize] = at;
        self.place[element as usize] = border;
        self.unmarked[set] += 1;
    }

    /// Splits every set with marked and unmarked elements, and removes the marks. Calls `done` with the number that stays and the new one.
    pub fn split(&mut self, renumber: Renumber, mut done: impl FnMut(u32, u32)) {
        while let Some(set) = self.touched.pop() {
            if let Some(new) = self.split_set(set as usize, renumber) {
                done(set, new);
            }
        }
    }

    fn split_set(&mut self, set: usize, renumber: Renumber) -> Option<u32> {
        let (first, border, end) = (self.first[set], self.unmarked[set], self.end[set]);
        self.unmarked[set] = first;
        if border == end {
            return None;
        }
        let marked_moves = match renumber {
            Renumber::Marked => true,
            Renumber::Unmarked => false,
            Renumber::Smaller => border - first <= end - border,
        };
        let (moves, stays) = if marked_moves { (first..border, border..end) } else { (border..end, first..border) };
        (self.first[set], self.unmarked[set], self.end[set]) = (stays.start, stays.start, stays.end);
        let new = self.first.len() as u32;
        for at in moves.clone() {
            self.set_of[self.elements[at as usize] as usize] = new;
        }
        self.first.push(moves.start);
        self.unmarked.push(moves.start);
        self.end.push(moves.end);
        Some(new)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(marks: &[u32], renumber: Renumber, expected: &[u32]) {
        let mut partition = Partition::whole(5);
        marks.iter().for_each(|&it| partition.mark(it));
        partition.split(renumber, |_, _| {});
        assert_eq!(partition.into_sets(), expected);
    }

    #[test]
    fn the_marked_elements_become_a_set() {
        check(&[1, 3, 1], Renumber::Marked, &[0, 1, 0, 1, 0]);
        check(&[1, 3], Renumber::Unmarked, &[1, 0, 1, 0, 1]);
        check(&[1, 3, 4], Renumber::Smaller, &[1, 0, 1, 0, 0]);
    }

    #[test]
    fn a_set_that_is_marked_as_a_whole_stays_one() {
        check(&[4, 3, 2, 1, 0], Renumber::Marked, &[0; 5]);
        check(&[], Renumber::Smaller, &[0; 5]);
    }

    #[test]
    fn marks_do_not_outlive_a_split() {
        let mut partition = Partition::whole(4);
        (0..4).for_each(|it| partition.mark(it));
        partition.split(Renumber::Marked, |_, _| {});
        partition.mark(2);
        partition.split(Renumber::Marked, |_, _| {});
        partition.mark(2);
        partition.mark(0);
        partition.split(Renumber::Marked, |_, _| {});
        assert_eq!(partition.into_sets(), [2, 0, 1, 0]);
    }
}
