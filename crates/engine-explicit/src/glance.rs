//! Which bits of a state can matter for who may go first.
//!
//! Where nobody may go first, nobody may after a step either, unless the step changes what somebody waits for. Most steps do not, and
//! that is seen at a glance: by comparing a few words.
use compiled::{Slot, Steps};
use reduction::{Condition, Role, Roles};

use crate::firsts::Gates;

/// An actor that may go first somewhere.
#[derive(Clone, PartialEq)]
struct Mover {
    row: usize,
    /// Where it is.
    location: Slot,
    /// Per location: whether it may.
    goes: Vec<bool>,
}

/// Bits of one word that matter for the same actors.
struct Region {
    bits: u64,
    actors: Vec<Mover>,
}

/// The bits of a word that matter.
#[derive(Clone, Copy)]
struct Word {
    row: usize,
    /// Those that tell which stage it is.
    stage: u64,
    /// Those that tell where actors are that may go first somewhere, and whether they can.
    movers: u64,
}

/// The bits of the states of a stage.
pub struct Bits {
    /// Words that matter.
    words: Vec<Word>,
    /// Per bit of a state: the region to which it belongs.
    region: Vec<u16>,
    regions: Vec<Region>,
}

impl Bits {
    /// Those of the stage of the state that was taken up, if every state has the same length. `parents` can create others.
    pub fn new(
        steps: &Steps<'_>,
        parents: impl Iterator<Item = usize>,
        roles: &Roles,
        gates: &[Gates],
    ) -> Option<Bits> {
        let mut stage = steps.bits_of_cast()?;
        parents.for_each(|it| steps.location_slot(it).mark(&mut stage));
        let is_mover = |it: &usize| gates[*it].iter().any(|edges| !edges.is_empty());
        let mover = |row: usize| {
            let goes = gates[row].iter().map(|edges| !edges.is_empty()).collect();
            let bits = bits_of_mover(steps, row, roles, &gates[row], stage.len());
            (Mover { row, location: steps.location_slot(row), goes }, bits)
        };
        let movers: Vec<(Mover, Vec<u64>)> = (0..gates.len()).filter(is_mover).map(mover).collect();
        let mut bits = Bits { words: Vec::new(), region: Vec::new(), regions: Vec::new() };
        stage.iter().enumerate().for_each(|(row, &stage)| bits.add_word(Word { row, stage, movers: 0 }, &movers));
        (bits.regions.len() <= usize::from(u16::MAX)).then_some(bits)
    }

    fn add_word(&mut self, mut word: Word, movers: &[(Mover, Vec<u64>)]) {
        let first = self.regions.len();
        for bit in 0..64 {
            let has = |it: &&(Mover, Vec<u64>)| it.1[word.row] >> bit & 1 == 1;
            let actors: Vec<Mover> = movers.iter().filter(has).map(|it| it.0.clone()).collect();
            if actors.is_empty() {
                self.region.push(0);
                continue;
            }
            word.movers |= 1 << bit;
            let known = self.regions[first..].iter().position(|it| it.actors == actors);
            let row = first + known.unwrap_or(self.regions.len() - first);
            if row == self.regions.len() {
                self.regions.push(Region { bits: 0, actors });
            }
            self.regions[row].bits |= 1 << bit;
            self.region.push(row as u16);
        }
        if word.stage | word.movers != 0 {
            self.words.push(word);
        }
    }

    /// Whether two states are of the same stage for certain.
    #[inline]
    pub fn is_same_stage(&self, one: &[u64], other: &[u64]) -> bool {
        !self.words.iter().any(|it| (one[it.row] ^ other[it.row]) & it.stage != 0)
    }

    /// Whether two states are of the same stage, and something is true of no actor who is where it may go first after a step, and perhaps
    /// could not before.
    #[inline(always)]
    pub fn none_changed(&self, before: &[u64], after: &[u64], mut is_true: impl FnMut(usize) -> bool) -> bool {
        for word in &self.words {
            let different = before[word.row] ^ after[word.row];
            if different & word.stage != 0 {
                return false;
            }
            let mut different = different & word.movers;
            while different != 0 {
                let region = self.region[word.row * 64 + different.trailing_zeros() as usize];
                let region = &self.regions[usize::from(region)];
                for mover in &region.actors {
                    if mover.goes[mover.location.read(after) as usize] && is_true(mover.row) {
                        return false;
                    }
                }
                different &= !region.bits;
            }
        }
        true
    }
}

/// What an actor asks is part of it as far as it is known where that lies. The rest can only be changed by the actor itself, and if it
/// does not even change its location with that, nobody looks: there is less reduction.
fn bits_of_mover(steps: &Steps<'_>, actor: usize, roles: &Roles, gates: &Gates, words: usize) -> Vec<u64> {
    let mut bits = vec![0; words];
    steps.location_slot(actor).mark(&mut bits);
    for (location, edges) in gates.iter().enumerate() {
        if let Some(Role::If(conditions)) = roles.role(actor, model::LocationId(location as u32)) {
            for condition in conditions {
                match *condition {
                    Condition::IsYoungest => {}
                    Condition::HasMessage(it) | Condition::HasRoom(it) => steps.mark_messages(it, &mut bits),
                }
            }
        }
        edges.iter().flatten().for_each(|it| it.mark(&mut bits));
    }
    bits
}
