//! Machine code for the programs that are executed most often.
//!
//! A loop over instructions takes some 25 of the processor's for each of its own: it fetches, jumps, and finds
//! out again and again which bits of which word are meant. Machine code has all that as constants. It is made by
//! Cranelift from the same instructions, one after the other, so there is nothing to be understood twice:
//! [`compute`](crate::machine) says what an instruction means, and here it is said again to Cranelift. What
//! machine code cannot do, it leaves to the loop: it returns the row of the instruction where it stopped.
//!
//! The code knows statically whether it works on the state or on the copy that becomes a successor
//! ([`Side`]): every row is translated once for each side from which it is reached.
#![allow(unsafe_code)]
#[cfg(test)]
mod tests;
mod translator;

use std::ops::Range;

use cranelift_codegen::ir::{AbiParam, UserFuncName, types};
use cranelift_codegen::settings::{self, Configurable};
use cranelift_frontend::{FunctionBuilder, FunctionBuilderContext};
use cranelift_jit::{JITBuilder, JITModule};
use cranelift_module::{Linkage, Module, default_libcall_names};

use self::translator::Translator;
use crate::code::{Instr, Label};
use crate::machine::Tables;
use crate::points::Points;
use crate::slot::Slot;
use crate::successors::Making;

/// Longer programs are left to the loop: making machine code takes more time than it saves.
const LONGEST: usize = 40_000;
/// States of more words are copied in a loop.
const UNROLLED: usize = 24;

/// Where a program begins, and what the states are like.
#[derive(Debug)]
pub struct Blueprint {
    /// Rows at which the caller begins, and whether that is on the successor in the making.
    pub begins: Vec<(Label, bool)>,
    /// Where the code of each process begins.
    pub processes: Vec<Label>,
    /// How many processes there are.
    pub count: Slot,
    /// The length of all states, or 0 if they differ.
    pub stride: usize,
}

impl Blueprint {
    /// Whether machine code goes on by itself where a process goes on alone.
    fn has_points(&self) -> bool {
        (1..=UNROLLED).contains(&self.stride)
    }
}

/// What a program works on.
pub struct Memory<'a> {
    /// The state.
    pub here: &'a mut [u64],
    /// The successors.
    pub making: Making<'a>,
    /// The registers.
    pub registers: &'a mut [i32; 256],
    /// Per edge of the model: whether it was ever taken.
    pub taken: &'a mut [bool],
    /// The points at which a process goes on alone.
    pub points: &'a mut Points,
}

/// What code works on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
enum Side {
    /// The state.
    Here,
    /// The copy that becomes a successor.
    Next,
}

impl Side {
    fn of(on_next: bool) -> Side {
        if on_next { Side::Next } else { Side::Here }
    }
}

/// What machine code is given.
#[repr(C)]
struct Context {
    here: *mut u64,
    block: *mut u64,
    registers: *mut i32,
    taken: *mut bool,
    ends: *mut usize,
    /// Words of the state.
    length: usize,
    /// Where the copy begins.
    copy: *mut u64,
    /// The last place where a copy can end.
    limit: *mut u64,
    next: usize,
    end: usize,
    end_room: usize,
    /// Steps to points.
    inner: u64,
    points: *mut u64,
    /// Words of points in use.
    point: usize,
    /// Words for points.
    point_room: usize,
    patience: usize,
}

/// Where a field of the context is.
macro_rules! field {
    ($name:ident) => {
        std::mem::offset_of!(Context, $name) as i32
    };
}
use field;

type Function = unsafe extern "C" fn(*mut Context, u32) -> u64;

/// The machine code of a program.
pub struct Native {
    module: Option<JITModule>,
    function: Function,
    /// Per row and side: the number under which it can be entered.
    entries: Vec<[Option<u32>; 2]>,
    /// Words that a state must have at least, and edges of the model.
    words: usize,
    edges: usize,
    /// The length of all states, or 0 if they differ.
    stride: usize,
    /// It goes on by itself where a process goes on alone.
    has_points: bool,
}

impl std::fmt::Debug for Native {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Native").field("entries", &self.entries.len()).finish()
    }
}

// SAFETY: the module owns its code, in memory from the system allocator or mapped by it; nothing in it depends on the
// thread that made it.
unsafe impl Send for Native {}
// SAFETY: code and tables never change once they are made; what they work on is given with each call.
unsafe impl Sync for Native {}

impl Drop for Native {
    fn drop(&mut self) {
        if let Some(module) = self.module.take() {
            // SAFETY: the function is only called through `self`, and nobody has `self` any more.
            unsafe { module.free_memory() };
        }
    }
}

impl Native {
    /// Translates a program. None if it is too long or the processor unknown.
    pub fn new(code: &[Instr], blueprint: &Blueprint, tables: &Tables) -> Option<Native> {
        if code.len() > LONGEST {
            return None;
        }
        let mut module = JITModule::new(JITBuilder::with_isa(host()?, default_libcall_names()));
        let mut context = module.make_context();
        let pointer = module.target_config().pointer_type();
        context.func.signature.params.extend([AbiParam::new(pointer), AbiParam::new(types::I32)]);
        context.func.signature.returns.push(AbiParam::new(types::I64));
        let id = module.declare_function("steps", Linkage::Local, &context.func.signature).ok()?;
        context.func.name = UserFuncName::user(0, id.as_u32());
        let mut memory = FunctionBuilderContext::new();
        let builder = FunctionBuilder::new(&mut context.func, &mut memory);
        let (entries, words, edges) = Translator::new(builder, code, tables, blueprint).translate();
        module.define_function(id, &mut context).ok()?;
        module.finalize_definitions().ok()?;
        let function = module.get_finalized_function(id);
        // SAFETY: this is the address of a function that was made with this very signature, in the
        // calling convention of the system.
        let function = unsafe { std::mem::transmute::<*const u8, Function>(function) };
        let (stride, has_points) = (blueprint.stride, blueprint.has_points());
        Some(Native { module: Some(module), function, entries, words, edges, stride, has_points })
    }

    /// Executes instructions from a row on, if they can be entered there, up to the first that needs more; says where that
    /// is, whether it is about the successor in the making, and whether points have been taken on the way.
    #[inline(always)]
    pub fn run(&self, (row, on_next): (usize, bool), memory: Memory<'_>) -> Option<((usize, bool), bool)> {
        let entry = self.entries[row][Side::of(on_next) as usize]?;
        let Memory { here, making, registers, taken, points } = memory;
        let Making { words: block, tail, next, ends, inner } = making;
        let is_sound = here.len() >= self.words
            && taken.len() >= self.edges
            && *tail <= block.len()
            && (!on_next || *next >= self.words && *tail + *next <= block.len());
        if !is_sound {
            return None;
        }
        if self.stride == 0 {
            ends.reserve(256);
        }
        let Range { start: first, end: end_of_block } = block.as_mut_ptr_range();
        let copy = first.wrapping_add(*tail);
        let stack = points.stack(if self.has_points { self.stride } else { 0 });
        let mut context = Context {
            here: here.as_mut_ptr(),
            block: first,
            registers: registers.as_mut_ptr(),
            taken: taken.as_mut_ptr(),
            ends: ends.as_mut_ptr(),
            length: here.len(),
            copy,
            limit: end_of_block,
            next: if self.stride > 0 { self.stride } else { *next },
            end: ends.len(),
            end_room: ends.capacity(),
            inner: *inner,
            points: stack.words.as_mut_ptr(),
            point: *stack.used,
            point_room: stack.words.len(),
            patience: *stack.patience,
        };
        // SAFETY: all addresses that the code uses are inside these arrays. It accesses words below `self.words`
        // of the state, and of the copy, for which it finds room first; an index is compared with the size of its
        // array, which is part of `self.words`; edges are below `self.edges`; there are 256 registers; an
        // end is written only if there is room for it. A point has `self.stride` words, which is at most
        // `self.words`, and its label; it is written only if there is room for it, and read only if so many words
        // are in use.
        let stopped = unsafe { (self.function)(&mut context, entry) };
        // SAFETY: so many have been written, and before them are those that were there.
        unsafe { ends.set_len(context.end) };
        *tail = (context.copy as usize - first as usize) / size_of::<u64>();
        (*next, *inner) = (context.next, context.inner);
        let took_points = *stack.patience != context.patience;
        (*stack.used, *stack.patience) = (context.point, context.patience);
        Some((((stopped >> 1) as usize, stopped & 1 == 1), took_points))
    }
}

/// The processor that this runs on; none if its words do not have their low bits first. Optimising saves at most
/// 6 % of what is executed, but translation takes a quarter to half as long again.
fn host() -> Option<cranelift_codegen::isa::OwnedTargetIsa> {
    if cfg!(target_endian = "big") {
        return None;
    }
    let mut flags = settings::builder();
    for (name, value) in [("opt_level", "none"), ("enable_verifier", "false"), ("is_pic", "false")] {
        flags.set(name, value).ok()?;
    }
    cranelift_native::builder().ok()?.finish(settings::Flags::new(flags)).ok()
}
