//! Stores that can be written down and read again.
//!
//! What is written is what a store knows, not how it is laid out: tables are made anew. Keys stay
//! what they are, so that states that wait under their keys can go on waiting.
//!
//! | store | writes |
//! | --- | --- |
//! | [`Plain`](crate::Plain) | its records, run by run of neighbours, each run with the number of its first |
//! | [`Tree`](crate::Tree) | which references of nodes are taken, with their words; its roots as a set |
//! | [`Compact`](crate::Compact) | the set of hashes |
//! | [`Bitstate`](crate::Bitstate) | the pages of its array that are not zero |
use std::io;

use crate::interface::Store;
use crate::stream::{Unreadable, WordReader, WordWriter};

/// A store that can be written down and read again.
pub trait Saved: Store {
    /// Writes everything, while nobody inserts.
    fn save(&self, out: &mut WordWriter<'_>) -> io::Result<()>;

    /// Fills a new store with what another of its kind has written, without using more than `limit` bytes.
    fn restore(&mut self, from: &mut WordReader<'_>, limit: Option<u64>) -> Result<(), Unreadable>;
}
