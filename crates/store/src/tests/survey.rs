//! All slots of a line at once are what they are one by one.
use crate::hash::scatter;
use crate::memory::AtomicU64;
use crate::survey::{LINE, Sought, survey, survey_halves};

#[test]
fn a_survey_sees_what_is_in_each_slot() {
    for round in 0..10_000u64 {
        let unknown = (scatter(round) % 63) as u32;
        let sought = Sought { entry: scatter(round + 1), unknown };
        // Empty slots, equal entries, entries that differ in one bit, known or not, and others.
        let entry = |slot: usize| match scatter(round * LINE as u64 + slot as u64) {
            random if random % 4 == 0 => 0,
            random if random % 4 == 1 => sought.entry,
            random if random % 4 == 2 => sought.entry ^ 1 << (random >> 58),
            random => random,
        };
        let entries: [u64; LINE] = std::array::from_fn(entry);
        let (fitting, taken) = survey(&entries.map(AtomicU64::new), sought);
        for (slot, &entry) in entries.iter().enumerate() {
            assert_eq!(fitting >> slot & 1 == 1, sought.fits(entry), "{entry:x} in {slot}, {sought:?}");
            assert_eq!(taken >> slot & 1 == 1, entry != 0, "{entry:x} in {slot}");
        }
        assert_eq!((fitting >> LINE, taken >> LINE), (0, 0));
    }
}

#[test]
fn a_survey_sees_what_is_in_each_half() {
    for round in 0..10_000u64 {
        let half = scatter(round) as u32 | 1;
        // Full words up to some row, then one that may be half full, then empty ones.
        let rows = (scatter(round + 1) % (LINE as u64 + 1)) as usize;
        let mut words: [u64; LINE] = std::array::from_fn(|row| scatter(round * LINE as u64 + row as u64) | 1 << 32 | 1);
        words[rows..].fill(0);
        if round % 2 == 0 && rows < LINE {
            words[rows] = 7;
        }
        if round % 3 == 0 && rows > 0 {
            let shift = 32 * (round % 5 % 2);
            words[rows - 1] = words[rows - 1] & !(0xffff_ffff << shift) | u64::from(half) << shift;
        }
        let halves = words.iter().flat_map(|&word| [word as u32, (word >> 32) as u32]);
        let expected = (halves.into_iter().any(|it| it == half), rows);
        assert_eq!(survey_halves(&words.map(AtomicU64::new), half), expected, "{words:x?}");
    }
}
