//! What was written down is there again: states, keys, counts, and what comes after goes on as before.
use std::io::{self, Write};

use super::{insert, of_many_lengths, protocol};
use crate::{Bitstate, Compact, Exact, Insertion, Lengths, Plain, Saved, Store, Tree, Unreadable};
use crate::{WordReader, WordWriter};

fn bytes_of(store: &impl Saved) -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut out = WordWriter::new(&mut bytes);
    store.save(&mut out).and_then(|()| out.finish()).expect("memory can be written to");
    bytes
}

fn read_into(store: &mut impl Saved, mut bytes: &[u8], limit: Option<u64>) -> Result<(), Unreadable> {
    let mut from = WordReader::new(&mut bytes);
    store.restore(&mut from, limit)?;
    from.finish()
}

/// Saves a store half-way, and lets the copy and the original go on: they give the same answers.
fn goes_on<S: Saved>(make: impl Fn() -> S, states: &[Vec<u64>]) -> S {
    let (first, second) = states.split_at(states.len() / 2);
    let mut store = make();
    let mut locals = [store.local(), store.local()];
    for (row, state) in first.iter().enumerate() {
        insert(&mut store, &mut locals[row % 2], state, None);
    }
    let mut copy = make();
    read_into(&mut copy, &bytes_of(&store), None).expect("what was written can be read");
    assert_eq!(copy.len(), store.len());
    let mut local = copy.local();
    for state in first {
        assert!(matches!(insert(&mut copy, &mut local, state, None), Insertion::Known(_)), "{state:?} was lost");
    }
    for state in second {
        let (expected, answer) =
            (insert(&mut store, &mut locals[0], state, None), insert(&mut copy, &mut local, state, None));
        let is_new = |it| matches!(it, Insertion::New(_));
        assert_eq!(is_new(answer), is_new(expected), "{state:?}");
    }
    assert_eq!(copy.len(), store.len());
    copy
}

/// As above for a store that gives its states back: keys from before are those of the same states.
fn keeps_keys<S: Exact + Saved>(make: impl Fn() -> S, states: &[Vec<u64>]) {
    goes_on(&make, states);
    let mut store = make();
    let mut local = store.local();
    let mut keys = Vec::new();
    for state in states {
        if let Insertion::New(key) = insert(&mut store, &mut local, state, None) {
            keys.push((key, state));
        }
    }
    let mut copy = make();
    read_into(&mut copy, &bytes_of(&store), None).expect("what was written can be read");
    let (mut loaded, mut trail) = (Vec::new(), Vec::new());
    for (key, state) in keys {
        copy.load(key, &mut loaded, &mut trail);
        assert_eq!(&loaded, state);
    }
}

#[test]
fn every_store_goes_on_where_it_was() {
    for words in [1, 2, 5, 17] {
        let states = protocol(40_000, words, 7);
        keeps_keys(|| Plain::new(Lengths::Fixed(words), 0, 1), &states);
        keeps_keys(|| Tree::new(Lengths::Fixed(words)), &states);
        goes_on(|| Compact::new(0, 1), &states);
        goes_on(|| Bitstate::new(1 << 20, 3, 0, 1).expect("memory"), &states);
    }
    let states = of_many_lengths(20_000, 9, 8);
    keeps_keys(|| Plain::new(Lengths::Varying, 0, 1), &states);
    keeps_keys(|| Tree::new(Lengths::Varying), &states);
    goes_on(|| Compact::new(0, 1), &states);
}

#[test]
fn a_large_set_is_read_into_a_small_table() {
    let numbers: Vec<Vec<u64>> = (0..2_000_000).map(|number| vec![number]).collect();
    goes_on(|| Compact::new(0, 1), &numbers);
}

#[test]
fn an_empty_store_is_empty_again() {
    let mut copy = Plain::new(Lengths::Fixed(3), 0, 1);
    read_into(&mut copy, &bytes_of(&Plain::new(Lengths::Fixed(3), 0, 1)), None).expect("nothing to read");
    assert_eq!(copy.len(), 0);
}

#[test]
fn a_bit_array_has_the_size_it_had() {
    let mut store = Bitstate::new(1 << 22, 3, 0, 1).expect("memory");
    let mut local = store.local();
    insert(&mut store, &mut local, &[5], None);
    let bytes = bytes_of(&store);
    assert!(bytes.len() < 16_384, "pages without bits are not written");
    let mut copy = Bitstate::new(64, 3, 0, 1).expect("memory");
    read_into(&mut copy, &bytes, None).expect("what was written can be read");
    assert_eq!((copy.memory(), copy.fill()), (store.memory(), store.fill()));
}

#[test]
fn a_limit_on_memory_is_kept_while_reading() {
    let mut store = Plain::new(Lengths::Fixed(4), 0, 1);
    let mut local = store.local();
    (0..100_000).for_each(|number| {
        assert!(matches!(insert(&mut store, &mut local, &[number, 1, 2, 3], None), Insertion::New(_)))
    });
    let bytes = bytes_of(&store);
    let mut copy = Plain::new(Lengths::Fixed(4), 0, 1);
    assert!(matches!(read_into(&mut copy, &bytes, Some(1 << 20)), Err(Unreadable::OutOfMemory)));
}

#[test]
fn every_damage_is_noticed() {
    let mut store = Compact::new(0, 1);
    let mut local = store.local();
    (0..50_000)
        .for_each(|number| assert!(matches!(insert(&mut store, &mut local, &[number], None), Insertion::New(_))));
    let bytes = bytes_of(&store);
    for place in (0..bytes.len()).step_by(997).chain([bytes.len() - 1]) {
        let mut damaged = bytes.clone();
        damaged[place] ^= 4;
        let read = read_into(&mut Compact::new(0, 1), &damaged, None);
        assert!(matches!(read, Err(Unreadable::Damaged)), "byte {place}: {read:?}");
        let read = read_into(&mut Compact::new(0, 1), &bytes[..place], None);
        assert!(matches!(read, Err(Unreadable::Damaged)), "cut at {place}: {read:?}");
    }
}

/// A disk that is full after so many bytes.
struct Full(usize);

impl Write for Full {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if bytes.len() > self.0 {
            return Err(io::ErrorKind::StorageFull.into());
        }
        self.0 -= bytes.len();
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[test]
fn a_full_disk_is_an_error_wherever_it_is_full() {
    let mut store = Plain::new(Lengths::Fixed(2), 0, 1);
    let mut local = store.local();
    (0..50_000)
        .for_each(|number| assert!(matches!(insert(&mut store, &mut local, &[number, 0], None), Insertion::New(_))));
    let whole = bytes_of(&store).len();
    for room in [0, 100, whole / 2, whole - 1] {
        let mut disk = Full(room);
        let mut out = WordWriter::new(&mut disk);
        let written = store.save(&mut out).and_then(|()| out.finish());
        assert_eq!(written.map_err(|it| it.kind()), Err(io::ErrorKind::StorageFull));
    }
}
