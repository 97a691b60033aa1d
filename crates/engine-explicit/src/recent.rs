//! States that a worker has met a moment ago.
//!
//! Where steps of two processes commute, both orders lead to the same state, and breadth-first they are taken in neighbouring
//! states: a tenth to two thirds of all successors were met among the few thousand before. Those are found here, in
//! a small table that stays in the cache of one processor, and the store is not asked for them. A state takes the place of
//! whatever was in its slot; states are compared word for word, so that nothing is ever missed.
use store::quick_hash;

/// All slots together have so many words.
const WORDS: usize = 1 << 13;
/// Longer states are not kept.
const LONGEST: usize = 64;

/// The states, each in the slot that its hash leads to: its length, then its words.
#[derive(Debug, Default)]
pub struct Recent {
    words: Vec<u64>,
    /// Words of a slot.
    stride: usize,
    slots: u64,
}

impl Recent {
    /// Whether this state was met a moment ago. From now on it was.
    #[inline]
    pub fn has_met(&mut self, state: &[u64]) -> bool {
        self.has_met_hashed(state, quick_hash(state))
    }

    /// The same for a state with a hash whose upper half is good.
    #[inline(always)]
    pub fn has_met_hashed(&mut self, state: &[u64], hash: u64) -> bool {
        if state.len() >= self.stride {
            return self.widen(state);
        }
        let slot = ((hash >> 32) * self.slots) >> 32;
        let words = &mut self.words[slot as usize * self.stride..][..=state.len()];
        // One pass without jumps: whether the state is there cannot be predicted.
        let mut difference = std::mem::replace(&mut words[0], state.len() as u64) ^ state.len() as u64;
        for (word, &new) in words[1..].iter_mut().zip(state) {
            difference |= std::mem::replace(word, new) ^ new;
        }
        difference == 0
    }

    /// Makes slots long enough, if the state is not too long, and forgets what was in them.
    #[cold]
    fn widen(&mut self, state: &[u64]) -> bool {
        if state.len() <= LONGEST {
            self.stride = state.len() + 1;
            self.slots = (WORDS / self.stride) as u64;
            self.forget();
        }
        false
    }

    /// Forgets all states.
    pub fn forget(&mut self) {
        self.words.clear();
        self.words.resize(self.slots as usize * self.stride, 0);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_state_is_met_again_word_for_word() {
        let mut recent = Recent::default();
        assert!(!recent.has_met(&[1, 2, 3]), "slots become long enough");
        assert!(!recent.has_met(&[1, 2, 3]));
        assert!(recent.has_met(&[1, 2, 3]));
        assert!(!recent.has_met(&[1, 2]), "a shorter state is another one");
        recent.forget();
        assert!(!recent.has_met(&[1, 2, 3]));
        assert!(recent.has_met(&[1, 2, 3]));
    }

    /// Many more states than slots: whatever is met must have come before.
    #[test]
    fn no_state_is_met_that_never_came() {
        let (mut recent, mut met) = (Recent::default(), 0);
        let mut came = std::collections::HashSet::new();
        let mut random = 1u64;
        for _ in 0..200_000 {
            random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            let state = [(random >> 33) % 100, (random >> 40) % 100, 7][..1 + (random >> 60) as usize % 3].to_vec();
            let is_known = recent.has_met(&state);
            assert!(!is_known || came.contains(&state));
            met += u32::from(is_known);
            came.insert(state);
        }
        assert!(met > 10_000);
    }

    #[test]
    fn long_states_are_not_kept() {
        let mut recent = Recent::default();
        let state = [5; LONGEST + 1];
        assert!((0..3).all(|_| !recent.has_met(&state)));
    }
}
