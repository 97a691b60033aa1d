//! The hash is good enough for places, fingerprints, and hash compaction.
use super::Random;
use crate::{hash, scatter};

/// How often each bit of the result changes with each bit of the argument, in thousandths: the extremes.
fn avalanche(words: usize, digest: impl Fn(&[u64]) -> u64) -> (u32, u32) {
    let mut random = Random(77);
    let mut changes = vec![[0u32; 64]; words * 64];
    for _ in 0..1000 {
        let mut state: Vec<u64> = (0..words).map(|_| random.next()).collect();
        let before = digest(&state);
        for (bit, counts) in changes.iter_mut().enumerate() {
            state[bit / 64] ^= 1 << (bit % 64);
            let changed = before ^ digest(&state);
            counts.iter_mut().enumerate().for_each(|(to, count)| *count += (changed >> to & 1) as u32);
            state[bit / 64] ^= 1 << (bit % 64);
        }
    }
    let counts = || changes.iter().flatten().copied();
    (counts().min().unwrap_or(0), counts().max().unwrap_or(1000))
}

#[test]
fn every_bit_changes_every_bit_half_of_the_time() {
    for words in [1, 2, 3, 4, 7] {
        let (least, most) = avalanche(words, |state| hash(state, 5));
        assert!(least > 400 && most < 600, "{words} words: {least} to {most}");
    }
    let (least, most) = avalanche(1, |state| scatter(state[0]));
    assert!(least > 350 && most < 650, "scatter: {least} to {most}");
}

#[test]
fn a_poor_hash_is_noticed() {
    let (least, _) = avalanche(2, |state| state[0].wrapping_mul(31).wrapping_add(state[1]));
    assert!(least < 100);
}

/// States whose words count in small ranges, at several positions inside the words.
fn structured() -> impl Iterator<Item = [u64; 4]> {
    let positions = [0, 8, 32, 48, 60];
    positions.into_iter().flat_map(|shift| {
        (0..1u64 << 19).map(move |n| [n % 8, n / 8 % 16, n / 128 % 64, n / 8192].map(|part| part << shift))
    })
}

#[test]
fn structured_states_do_not_collide() {
    let mut hashes: Vec<u64> = structured().map(|state| hash(&state, 3)).collect();
    hashes.sort_unstable();
    let equal = hashes.windows(2).filter(|pair| pair[0] == pair[1]).count();
    // Some states occur at several positions, such as that of zeros.
    let mut states: Vec<[u64; 4]> = structured().collect();
    states.sort_unstable();
    let equal_states = states.windows(2).filter(|pair| pair[0] == pair[1]).count();
    assert_eq!(equal, equal_states);
}

#[test]
fn high_bits_and_middle_bits_are_spread_evenly() {
    for shift in [48, 24] {
        let mut counts = vec![0u32; 1 << 16];
        structured().take(1 << 19).for_each(|state| counts[(hash(&state, 3) >> shift & 0xffff) as usize] += 1);
        let mean = 8.0;
        let square = counts.iter().map(|&count| (f64::from(count) - mean).powi(2) / mean).sum::<f64>() / 65536.0;
        assert!((0.95..1.05).contains(&square), "chi square per degree of freedom {square}");
    }
}

#[test]
fn lengths_and_seeds_tell_states_apart() {
    assert_ne!(hash(&[0], 1), hash(&[0, 0], 1));
    assert_ne!(hash(&[0, 0], 1), hash(&[0, 0, 0], 1));
    assert_ne!(hash(&[4, 5], 1), hash(&[4, 5], 2));
    assert_ne!(hash(&[4, 5], 1), hash(&[5, 4], 1));
}
