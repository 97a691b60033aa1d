//! A state of the system, and reading and writing its parts.
use super::layout::{Frame, LOCATION, Layout, PRIORITY};
use crate::{LocationId, ProcessTypeId, ShapeId, Type};

/// A state: what every variable and channel holds and where every process is.
///
/// Two states are the same if their [`State::identity`] is; the rest is an index into it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct State {
    pub(super) bytes: Vec<u8>,
    /// Where each process's frame starts.
    pub(super) processes: Vec<u32>,
    /// Where each channel lies; channel number `n` is row `n - 1`.
    pub(super) channels: Vec<(u32, ShapeId)>,
    pub(super) hidden: u32,
    /// The process that goes on alone, if any. Such a state is passed through, not rested in.
    pub exclusive: Option<u8>,
}

impl State {
    /// All bytes, from which [`super::Semantics::decode`] makes the state again.
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// The bytes that tell this state from others.
    pub fn identity(&self) -> &[u8] {
        &self.bytes[self.hidden as usize..]
    }

    /// How many processes there are.
    pub fn process_count(&self) -> usize {
        self.processes.len()
    }

    /// How many channels there are.
    pub fn channel_count(&self) -> usize {
        self.channels.len()
    }

    /// The type of a process.
    pub fn type_of(&self, process: usize) -> ProcessTypeId {
        ProcessTypeId(u32::from(self.bytes[self.processes[process] as usize]))
    }

    /// Where a process is.
    pub fn location_of(&self, process: usize) -> LocationId {
        LocationId(self.read_u16(self.processes[process] + LOCATION))
    }

    /// Where the bytes of a process start.
    pub fn frame_of(&self, process: usize) -> u32 {
        self.processes[process]
    }

    pub(super) fn set_location(&mut self, process: usize, location: LocationId) {
        self.write_u16(self.processes[process] + LOCATION, location.0);
    }

    pub(super) fn priority_of(&self, process: usize, layout: &Layout) -> i32 {
        if layout.priorities { i32::from(self.bytes[(self.processes[process] + PRIORITY) as usize]) } else { 1 }
    }

    pub(super) fn set_priority(&mut self, process: usize, priority: i32) {
        let at = self.processes[process] + PRIORITY;
        self.bytes[at as usize] = priority as u8;
    }

    pub(super) fn read_u16(&self, at: u32) -> u32 {
        let at = at as usize;
        u32::from(u16::from_le_bytes([self.bytes[at], self.bytes[at + 1]]))
    }

    pub(super) fn write_u16(&mut self, at: u32, value: u32) {
        let at = at as usize;
        self.bytes[at..at + 2].copy_from_slice(&(value as u16).to_le_bytes());
    }

    /// The value of this type that starts at a byte.
    pub fn read(&self, at: u32, ty: Type) -> i32 {
        let at = at as usize;
        match ty.size() {
            1 => i32::from(self.bytes[at]),
            2 if ty == Type::Short => i32::from(i16::from_le_bytes([self.bytes[at], self.bytes[at + 1]])),
            2 => i32::from(u16::from_le_bytes([self.bytes[at], self.bytes[at + 1]])),
            _ => {
                let four = [self.bytes[at], self.bytes[at + 1], self.bytes[at + 2], self.bytes[at + 3]];
                i32::from_le_bytes(four)
            }
        }
    }

    pub(super) fn write(&mut self, at: u32, ty: Type, value: i32) {
        let at = at as usize;
        let bytes = ty.truncate(value).to_le_bytes();
        self.bytes[at..at + ty.size()].copy_from_slice(&bytes[..ty.size()]);
    }

    /// Adds a frame of zeros with its channels; returns where it starts.
    pub(super) fn push_frame(&mut self, frame: &Frame) -> u32 {
        let base = self.bytes.len() as u32;
        self.bytes.resize((base + frame.size) as usize, 0);
        self.index_frame(base, frame);
        base
    }

    fn index_frame(&mut self, base: u32, frame: &Frame) {
        self.processes.push(base);
        self.channels.extend(frame.channels.iter().map(|&(at, shape)| (base + at, shape)));
    }

    /// Removes the youngest process and its channels.
    pub(super) fn pop_frame(&mut self, frame: &Frame) {
        let base = self.processes.pop().expect("a process to remove");
        self.channels.truncate(self.channels.len() - frame.channels.len());
        self.bytes.truncate(base as usize);
    }

    /// Rebuilds the index from the bytes.
    pub(super) fn reindex(&mut self, layout: &Layout) {
        self.hidden = layout.hidden;
        self.processes.clear();
        self.channels.clear();
        self.channels.extend_from_slice(&layout.globals.channels);
        let mut at = layout.fixed();
        while (at as usize) < self.bytes.len() {
            let frame = &layout.processes[self.bytes[at as usize] as usize];
            self.index_frame(at, frame);
            at += frame.size;
        }
    }

    /// Like `clone_from`, which keeps the allocations.
    pub(super) fn copy_from(&mut self, other: &State) {
        self.bytes.clone_from(&other.bytes);
        self.processes.clone_from(&other.processes);
        self.channels.clone_from(&other.channels);
        self.hidden = other.hidden;
        self.exclusive = other.exclusive;
    }
}
