//! Words on their way to a file and back, checked before anybody sees them.
//!
//! A file consists of frames: how many words, their checksum, the words, all little-endian. A frame
//! without words is the end. Each checksum goes on from the one before, so that frames that are missing or
//! in another order are noticed as well as bits that have changed. A reader hears of a frame only
//! when its checksum is right; so whoever reads need not expect nonsense.
use std::fmt;
use std::io::{self, ErrorKind, Read, Write};

use crate::hash::hash;
use crate::interface::OutOfMemory;

/// Words in a frame, at most.
const FRAME: usize = 1 << 15;

/// Writes words.
pub struct WordWriter<'a> {
    out: &'a mut dyn Write,
    frame: Vec<u64>,
    bytes: Vec<u8>,
    sum: u64,
}

impl<'a> WordWriter<'a> {
    /// Nothing is written yet.
    pub fn new(out: &'a mut dyn Write) -> Self {
        WordWriter { out, frame: Vec::with_capacity(FRAME), bytes: Vec::new(), sum: 0 }
    }

    /// Writes a word.
    #[inline]
    pub fn word(&mut self, word: u64) -> io::Result<()> {
        self.frame.push(word);
        if self.frame.len() == FRAME { self.flush() } else { Ok(()) }
    }

    /// Writes words, without saying how many.
    pub fn words(&mut self, words: impl IntoIterator<Item = u64>) -> io::Result<()> {
        words.into_iter().try_for_each(|word| self.word(word))
    }

    /// Writes how many words there are, and the words.
    pub fn list(&mut self, words: &[u64]) -> io::Result<()> {
        self.word(words.len() as u64)?;
        self.words(words.iter().copied())
    }

    /// Writes a text.
    pub fn text(&mut self, text: &str) -> io::Result<()> {
        self.word(text.len() as u64)?;
        self.words(text.as_bytes().chunks(8).map(|part| {
            let mut bytes = [0; 8];
            bytes[..part.len()].copy_from_slice(part);
            u64::from_le_bytes(bytes)
        }))
    }

    /// Says that this was all.
    pub fn finish(mut self) -> io::Result<()> {
        if !self.frame.is_empty() {
            self.flush()?;
        }
        self.flush()
    }

    fn flush(&mut self) -> io::Result<()> {
        self.sum = hash(&self.frame, self.sum);
        self.bytes.clear();
        let head = [self.frame.len() as u64, self.sum];
        self.bytes.extend(head.iter().chain(&self.frame).flat_map(|word| word.to_le_bytes()));
        self.frame.clear();
        self.out.write_all(&self.bytes)
    }
}

/// Why words cannot be read.
#[derive(Debug)]
pub enum Unreadable {
    /// They are not what was written, or not all of it.
    Damaged,
    /// The file could not be read.
    Failed(io::Error),
    /// They do not fit into memory.
    OutOfMemory,
}

impl fmt::Display for Unreadable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Unreadable::Damaged => f.write_str("it is damaged or incomplete"),
            Unreadable::Failed(error) => error.fmt(f),
            Unreadable::OutOfMemory => OutOfMemory.fmt(f),
        }
    }
}

impl std::error::Error for Unreadable {}

impl From<OutOfMemory> for Unreadable {
    fn from(_: OutOfMemory) -> Self {
        Unreadable::OutOfMemory
    }
}

impl From<io::Error> for Unreadable {
    fn from(error: io::Error) -> Self {
        if error.kind() == ErrorKind::UnexpectedEof { Unreadable::Damaged } else { Unreadable::Failed(error) }
    }
}

/// Reads what a [`WordWriter`] has written.
pub struct WordReader<'a> {
    input: &'a mut dyn Read,
    frame: Vec<u64>,
    at: usize,
    sum: u64,
}

impl<'a> WordReader<'a> {
    /// Nothing is read yet.
    pub fn new(input: &'a mut dyn Read) -> Self {
        WordReader { input, frame: Vec::new(), at: 0, sum: 0 }
    }

    /// Reads a word.
    #[inline]
    pub fn word(&mut self) -> Result<u64, Unreadable> {
        if self.at == self.frame.len() {
            self.fetch()?;
        }
        let word = *self.frame.get(self.at).ok_or(Unreadable::Damaged)?;
        self.at += 1;
        Ok(word)
    }

    /// Reads so many words.
    pub fn words(&mut self, count: u64, into: &mut Vec<u64>) -> Result<(), Unreadable> {
        into.clear();
        let mut missing = count;
        while missing > 0 {
            if self.at == self.frame.len() {
                self.fetch()?;
            }
            let here = &self.frame[self.at..];
            let some = here.len().min(usize::try_from(missing).unwrap_or(usize::MAX));
            if some == 0 {
                return Err(Unreadable::Damaged);
            }
            into.extend_from_slice(&here[..some]);
            self.at += some;
            missing -= some as u64;
        }
        Ok(())
    }

    /// Reads words that were written as a list.
    pub fn list(&mut self) -> Result<Vec<u64>, Unreadable> {
        let (count, mut list) = (self.word()?, Vec::new());
        self.words(count, &mut list)?;
        Ok(list)
    }

    /// Reads a text.
    pub fn text(&mut self) -> Result<String, Unreadable> {
        let (len, mut words) = (self.word()?, Vec::new());
        self.words(len.div_ceil(8), &mut words)?;
        let bytes = words.iter().flat_map(|word| word.to_le_bytes()).take(len as usize).collect();
        String::from_utf8(bytes).map_err(|_| Unreadable::Damaged)
    }

    /// Makes sure that this was all.
    pub fn finish(mut self) -> Result<(), Unreadable> {
        if self.at == self.frame.len() {
            self.fetch()?;
        }
        if self.frame.is_empty() { Ok(()) } else { Err(Unreadable::Damaged) }
    }

    /// Reads the next frame.
    fn fetch(&mut self) -> Result<(), Unreadable> {
        let mut head = [0; 16];
        self.input.read_exact(&mut head)?;
        let (len, sum) = (word_of(&head[..8]), word_of(&head[8..]));
        if len > FRAME as u64 {
            return Err(Unreadable::Damaged);
        }
        let mut bytes = vec![0; len as usize * 8];
        self.input.read_exact(&mut bytes)?;
        self.frame.clear();
        self.frame.extend(bytes.chunks_exact(8).map(word_of));
        self.at = 0;
        self.sum = hash(&self.frame, self.sum);
        if self.sum == sum { Ok(()) } else { Err(Unreadable::Damaged) }
    }
}

fn word_of(bytes: &[u8]) -> u64 {
    bytes.iter().rev().fold(0, |word, &byte| word << 8 | u64::from(byte))
}
