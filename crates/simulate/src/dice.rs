//! Chance that can be repeated.
//!
//! SplitMix64 (Steele, Lea, Flood, *Fast splittable pseudorandom number generators*, OOPSLA 2014): the same seed gives the same choices on every machine.
use crate::Choice;

/// A source of numbers that look random.
#[derive(Clone, Debug)]
pub struct Dice(u64);

impl Dice {
    /// The numbers of a seed.
    pub fn new(seed: u64) -> Self {
        Dice(seed)
    }

    /// A number below `count`, which is not 0; every number is as likely as any other.
    pub fn below(&mut self, count: usize) -> usize {
        // Of a product of 64 bits the upper half is below the count; the error of one in 2^64 shows in no execution.
        ((u128::from(self.next()) * count as u128) >> 64) as usize
    }

    /// One of some steps: first somebody who can move, then one of the steps of that process. So who has many choices does not move more often.
    pub fn choose(&mut self, choices: &[Choice]) -> Option<usize> {
        let mut movers: Vec<u8> = choices.iter().map(|it| it.step.process).collect();
        movers.dedup();
        let mover = *movers.get(self.below(movers.len().max(1)))?;
        let own: Vec<usize> = (0..choices.len()).filter(|&row| choices[row].step.process == mover).collect();
        Some(own[self.below(own.len())])
    }

    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut it = self.0;
        it = (it ^ (it >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        it = (it ^ (it >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        it ^ (it >> 31)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use model::EdgeId;
    use model::semantics::Step;

    #[test]
    fn a_seed_gives_the_same_numbers_again_and_another_one_others() {
        let numbers = |seed| {
            let mut dice = Dice::new(seed);
            (0..20).map(|_| dice.below(1000)).collect::<Vec<_>>()
        };
        assert_eq!(numbers(7), numbers(7));
        assert_ne!(numbers(7), numbers(8));
        assert!(numbers(7).iter().all(|&it| it < 1000));
    }

    #[test]
    fn who_has_many_choices_does_not_move_more_often() {
        let choice = |process, edge| Choice {
            step: Step { process, edge: EdgeId(edge), partner: None },
            next: None,
            failures: Vec::new(),
            events: Vec::new(),
        };
        let mut choices: Vec<Choice> = (0..9).map(|edge| choice(1, edge)).collect();
        choices.push(choice(0, 0));
        let mut dice = Dice::new(1);
        let count = (0..10_000).filter(|_| dice.choose(&choices) == Some(9)).count();
        assert!((4_700..5_300).contains(&count), "{count}");
    }
}
