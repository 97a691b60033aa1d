//! Sifting: a better order, found by trying.
//!
//! Rudell, *Dynamic variable ordering for ordered binary decision diagrams*, ICCAD 1993; Panda, Somenzi, *Who are the
//! variables in your neighborhood*, ICCAD 1995, for groups. One block of bits after the other, the one with the most nodes
//! first, moves through all positions and stays where there were the fewest nodes. A way that makes the diagrams larger by
//! more than a fifth is not followed further.
use std::time::{Duration, Instant};

use crate::order::Levels;
use crate::space::{Full, Space};

impl Space {
    /// Bits that belong together move together from now on, in the order in which they are given. A bit that is in no
    /// group moves alone; none may be in two.
    pub fn group(&self, groups: Vec<Vec<usize>>) {
        let mut bits = groups.concat();
        bits.sort_unstable();
        assert!(bits.windows(2).all(|pair| pair[0] < pair[1]), "a bit is in one group at most");
        assert!(bits.last().is_none_or(|bit| *bit < self.bits()), "groups are of bits of the space");
        *self.groups.lock().unwrap_or_else(std::sync::PoisonError::into_inner) = groups;
    }

    /// Looks for an order with fewer nodes, for so long. Where there is no room to try, it stays as it is.
    pub fn sift(&self, patience: Duration) {
        let (blocks, until) = (self.blocks(), Instant::now() + patience);
        if self.reorder(&blocks.concat()).is_err() {
            return;
        }
        self.rearrange(|levels| {
            let mut largest: Vec<usize> = (0..blocks.len()).collect();
            let size = |block: &usize| blocks[*block].iter().map(|bit| levels.nodes_of(*bit)).sum::<usize>();
            largest.sort_by_cached_key(|block| std::cmp::Reverse(size(block)));
            let sizes = blocks.iter().map(Vec::len).collect();
            let mut sifting = Sifting { levels, sizes, blocks: (0..blocks.len()).collect(), until };
            // Out of room is a reason to stay where one is, and so is being late.
            let _ = largest.into_iter().try_for_each(|block| sifting.place(block));
        });
    }

    /// All bits in blocks, each where its first bit is.
    fn blocks(&self) -> Vec<Vec<usize>> {
        let groups = self.groups.lock().unwrap_or_else(std::sync::PoisonError::into_inner).clone();
        let (mut blocks, mut seen): (Vec<Vec<usize>>, _) = (Vec::new(), vec![false; self.bits()]);
        for bit in self.order() {
            if !seen[bit] {
                let block = groups.iter().find(|group| group.contains(&bit)).cloned().unwrap_or(vec![bit]);
                block.iter().for_each(|bit| seen[*bit] = true);
                blocks.push(block);
            }
        }
        blocks
    }
}

/// Blocks on the move.
struct Sifting<'s, 'a, 'id> {
    levels: &'s mut Levels<'a, 'id>,
    /// The number of bits of each block.
    sizes: Vec<usize>,
    /// The blocks from the top to the bottom.
    blocks: Vec<usize>,
    /// When to end.
    until: Instant,
}

impl Sifting<'_, '_, '_> {
    /// Finds the best place for a block: first towards the nearer end, then towards the other.
    fn place(&mut self, block: usize) -> Result<(), Full> {
        if self.is_late() {
            return Ok(());
        }
        let (start, last) = (self.place_of(block), self.blocks.len() - 1);
        let mut best = (self.levels.nodes, start);
        let ends = if start < last - start { [0, last] } else { [last, 0] };
        let tried = ends.into_iter().try_for_each(|end| self.try_towards(block, end, &mut best));
        self.go(block, best.1)?;
        tried
    }

    /// Moves a block to an end, noting the best place, unless the diagrams become too large.
    fn try_towards(&mut self, block: usize, end: usize, best: &mut (usize, usize)) -> Result<(), Full> {
        while self.place_of(block) != end && self.levels.nodes <= best.0 + best.0 / 5 + 2 && !self.is_late() {
            let here = self.place_of(block);
            self.go(block, if here < end { here + 1 } else { here - 1 })?;
            *best = (*best).min((self.levels.nodes, self.place_of(block)));
        }
        Ok(())
    }

    /// Moves a block to a place, one exchange of neighbours after the other.
    fn go(&mut self, block: usize, place: usize) -> Result<(), Full> {
        while self.place_of(block) < place {
            self.exchange(self.place_of(block))?;
        }
        while self.place_of(block) > place {
            self.exchange(self.place_of(block) - 1)?;
        }
        Ok(())
    }

    fn is_late(&self) -> bool {
        Instant::now() > self.until
    }

    fn place_of(&self, block: usize) -> usize {
        self.blocks.iter().position(|other| *other == block).expect("every block has a place")
    }

    /// Exchanges the block at a place with the next one.
    fn exchange(&mut self, place: usize) -> Result<(), Full> {
        let above: usize = self.blocks[..place].iter().map(|block| self.sizes[*block]).sum();
        let [upper, lower] = [place, place + 1].map(|place| self.sizes[self.blocks[place]]);
        self.levels.move_up(above + upper..above + upper + lower, upper)?;
        self.blocks.swap(place, place + 1);
        Ok(())
    }
}
