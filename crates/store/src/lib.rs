//! Sets of states, shared by threads.
//!
//! A state is a non-empty sequence of 64-bit words. A search asks of each state it meets whether it is
//! new, and most of its time goes to that question: the table is larger than the caches. So a question
//! has parts, and a worker asks each part for a whole batch of states before it goes on:
//!
//! ```text
//! for each successor:  enlist          what the table is asked for, mostly a hash; touch the line of the table
//! for the batch:       conclude        the same for what could only be asked together
//! for each successor:  glance          look at it, and touch the record that it names
//! for each successor:  insert
//! ```
//!
//! Workers share the store behind a read lock and do not wait for each other in it (but see [`Bitstate`]). Only [`Store::grow`]
//! needs the store alone, and only it allocates: a limit on memory is kept there. A worker that is told
//! [`Insertion::Crowded`] takes the write lock, inserts again (another may have made room), and grows the
//! store if that fails too.
//!
//! | store | keeps | bytes a state | can miss states |
//! | --- | --- | --- | --- |
//! | [`Plain`] | every word | its words and 11 to 21 | no |
//! | [`Tree`] | every word, equal parts once | 4.4 to 5.7 and the parts | no |
//! | [`Compact`] | 64 bits of hash | 9 to 12 | hardly ever |
//! | [`Bitstate`] | some bits | as given | yes |
//!
//! What a store can do is which traits it has: one that is [`Exact`] gives states back, one that is [`Saved`]
//! can be written to a file and read again.
mod arena;
mod bitstate;
mod climb;
mod compact;
mod counter;
mod growth;
mod halves;
mod hash;
mod interface;
mod memory;
mod nodes;
mod pairs;
mod plain;
mod saved;
mod set64;
mod stream;
mod survey;
mod table;
mod tree;

pub use bitstate::Bitstate;
pub use compact::Compact;
pub use counter::Count;
pub use hash::{hash, quick_hash, scatter};
pub use interface::{Digest, Exact, Glance, Insertion, Key, Lengths, Near, OutOfMemory, Store, Trail, Wanted};
pub use plain::{Plain, Writer};
pub use saved::Saved;
pub use set64::{Added, Set64};
pub use stream::{Unreadable, WordReader, WordWriter};
pub use tree::{Climber, Tree};

#[cfg(test)]
mod tests;
