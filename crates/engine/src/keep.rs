//! Checkpoints: what a run would need in order to go on later.
use std::io::{self, Write};

/// Writes a checkpoint to where it is told.
pub type WriteCheckpoint<'a> = &'a mut dyn FnMut(&mut dyn Write) -> io::Result<()>;

/// Keeps the last checkpoint of a run: in a file, in memory, …
pub trait Keeper {
    /// Whether it is time for the next one.
    fn is_due(&self) -> bool;

    /// Takes a new checkpoint in place of the last one. If that fails, the last one stays.
    fn keep(&mut self, write: WriteCheckpoint<'_>) -> io::Result<()>;
}
