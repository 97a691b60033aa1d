//! A program: instructions, and machine code for them as soon as there is some.
//!
//! Making machine code takes some 15 microseconds for an instruction, which is much for a search that is over in a
//! tenth of a second. So a program that was executed a few times is translated by a thread of its own, and the search
//! goes on with the instructions until the machine code is there.
//!
//! Workers that execute the same program share its translation.
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::{Arc, OnceLock};

use crate::code::Instr;
use crate::machine::Tables;
use crate::native::{Blueprint, Native};

/// A program that was executed so often will be executed often.
const HOT: u32 = 1000;
/// Executions between two looks at whether machine code is there.
const PAUSE: u32 = 256;

/// When programs become machine code.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MachineCode {
    /// Never.
    Never,
    /// Before they are executed for the first time.
    AtOnce,
    /// On the side, if they are executed often.
    OnTheSide,
}

/// Instructions, and machine code for them.
#[derive(Debug, Default)]
pub struct Program {
    /// The instructions.
    pub code: Vec<Instr>,
    /// Machine code for them.
    pub native: Option<Arc<Native>>,
    /// Where it comes from.
    translation: Arc<Translation>,
    /// How often it was executed.
    runs: u32,
}

/// Machine code in the making.
#[derive(Debug, Default)]
struct Translation {
    is_begun: AtomicBool,
    /// What came of it.
    native: OnceLock<Option<Arc<Native>>>,
}

impl Program {
    /// Whoever executes the same instructions gets the same machine code.
    pub fn share(&mut self, other: &Program) {
        self.translation = other.translation.clone();
    }

    /// It is about to be executed without machine code. Says whether it is time to make machine code.
    pub fn is_time(&mut self, when: MachineCode) -> bool {
        self.runs = self.runs.wrapping_add(1);
        if self.runs.is_multiple_of(PAUSE) {
            self.native = self.translation.native.get().cloned().flatten();
        }
        match when {
            MachineCode::Never => false,
            MachineCode::AtOnce => self.runs == 1,
            MachineCode::OnTheSide => self.runs == HOT && !self.translation.is_begun.swap(true, Relaxed),
        }
    }

    /// Makes machine code.
    pub fn translate(&mut self, when: MachineCode, blueprint: Blueprint, tables: &Tables) {
        if when == MachineCode::AtOnce {
            self.native = Native::new(&self.code, &blueprint, tables).map(Arc::new);
            return;
        }
        let (code, tables, translation) = (self.code.clone(), tables.clone(), self.translation.clone());
        let work = move || translation.native.set(Native::new(&code, &blueprint, &tables).map(Arc::new));
        // Without a thread the search goes on as it is.
        let _ = std::thread::Builder::new().name("translator".into()).spawn(work);
    }
}
