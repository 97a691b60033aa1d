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
use std::collections::{BTreeSet, HashMap};

use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{AbiParam, AliasRegion, Block, InstBuilder, MemFlags, UserFuncName, Value, types};
use cranelift_codegen::settings::{self, Configurable};
use cranelift_frontend::{FunctionBuilder, FunctionBuilderContext, Switch, Variable};
use cranelift_jit::{JITBuilder, JITModule};
use cranelift_module::{Linkage, Module, default_libcall_names};
use model::{BinaryOp, UnaryOp};

use crate::code::{ALONE, Array, Comparison, Element, Instr, Label, MOVED, Reg};
use crate::machine::Tables;
use crate::message::{ChannelPlace, MessageLayout};
use crate::slot::Slot;
use crate::successors::Making;

/// Longer programs are left to the loop: making machine code takes more time than it saves.
const LONGEST: usize = 40_000;
/// States of more words are copied in a loop.
const UNROLLED: usize = 24;

/// Points that machine code can reach before it stops.
const INNER: usize = 16;

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
    /// Words in the block.
    room: usize,
    tail: usize,
    next: usize,
    end: usize,
    end_room: usize,
    /// Where the next state of a point goes, and how many there are and may be.
    inner: *mut u64,
    inner_count: usize,
    inner_room: usize,
    /// The steps that led to points.
    acts: [u32; INNER],
}

macro_rules! field {
    ($name:ident) => {
        std::mem::offset_of!(Context, $name) as i32
    };
}

type Function = unsafe extern "C" fn(*mut Context, u32) -> u64;

/// Steps that have led to points at which a process goes on alone.
pub struct Inner {
    count: usize,
    acts: [u32; INNER],
}

impl std::ops::Deref for Inner {
    type Target = [u32];

    #[inline]
    fn deref(&self) -> &[u32] {
        &self.acts[..self.count]
    }
}

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
}

impl std::fmt::Debug for Native {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Native").field("entries", &self.entries.len()).finish()
    }
}

// SAFETY: the module owns its code, in memory from the system allocator or mapped by it; nothing in it depends on the
// thread that made it.
unsafe impl Send for Native {}

impl Drop for Native {
    fn drop(&mut self) {
        if let Some(module) = self.module.take() {
            // SAFETY: the function is only called through `self`, and nobody has `self` any more.
            unsafe { module.free_memory() };
        }
    }
}

impl Native {
    /// Translates a program that begins at these rows, on the state or on the successor in the making; `stride` is the length of all states, or 0 if they differ. None
    /// if the program is too long or the processor unknown.
    pub fn new(code: &[Instr], begins: &[(Label, bool)], tables: &Tables, stride: usize) -> Option<Native> {
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
        let (entries, words, edges) = Translator::new(builder, code, tables, stride).translate(begins);
        module.define_function(id, &mut context).ok()?;
        module.finalize_definitions().ok()?;
        let function = module.get_finalized_function(id);
        // SAFETY: this is the address of a function that was made with this very signature, in the
        // calling convention of the system.
        let function = unsafe { std::mem::transmute::<*const u8, Function>(function) };
        Some(Native { module: Some(module), function, entries, words, edges, stride })
    }

    /// Executes instructions from a row on, if they can be entered there, up to the first that needs more; says where that
    /// is, and whether it is about the successor in the making. The states of points are appended to `points`.
    #[inline]
    pub fn run(
        &self,
        (row, on_next): (usize, bool),
        here: &mut [u64],
        making: Making<'_>,
        registers: &mut [i32; 256],
        taken: &mut [bool],
        points: &mut Vec<u64>,
    ) -> Option<((usize, bool), Inner)> {
        let entry = self.entries[row][Side::of(on_next) as usize]?;
        let Making { words: block, tail, next, ends } = making;
        let is_sound = here.len() >= self.words
            && taken.len() >= self.edges
            && (!on_next || *next >= self.words && *tail + *next <= block.len());
        if !is_sound {
            return None;
        }
        if self.stride == 0 {
            ends.reserve(256);
        }
        let inner_room = if (1..=UNROLLED).contains(&self.stride) { INNER } else { 0 };
        points.reserve(inner_room * self.stride);
        let first = points.len();
        let mut context = Context {
            here: here.as_mut_ptr(),
            block: block.as_mut_ptr(),
            registers: registers.as_mut_ptr(),
            taken: taken.as_mut_ptr(),
            ends: ends.as_mut_ptr(),
            length: here.len(),
            room: block.len(),
            tail: *tail,
            next: *next,
            end: ends.len(),
            end_room: ends.capacity(),
            inner: points.spare_capacity_mut().as_mut_ptr().cast(),
            inner_count: 0,
            inner_room,
            acts: [0; INNER],
        };
        // SAFETY: all addresses that the code uses are inside these arrays. It accesses words below `self.words`
        // of the state, and of the copy, for which it finds room first; an index is compared with the size of its
        // array, which is part of `self.words`; edges are below `self.edges`; there are 256 registers; an
        // end is written only if there is room for it; and so is a point, which has `self.stride` words.
        let stopped = unsafe { (self.function)(&mut context, entry) };
        // SAFETY: so many have been written, and before them are those that were there.
        unsafe {
            ends.set_len(context.end);
            points.set_len(first + context.inner_count * self.stride);
        }
        (*tail, *next) = (context.tail, context.next);
        let inner = Inner { count: context.inner_count, acts: context.acts };
        Some((((stopped >> 1) as usize, stopped & 1 == 1), inner))
    }
}

/// The processor that this runs on.
fn host() -> Option<cranelift_codegen::isa::OwnedTargetIsa> {
    let mut flags = settings::builder();
    for (name, value) in [("opt_level", "speed"), ("enable_verifier", "false"), ("is_pic", "false")] {
        flags.set(name, value).ok()?;
    }
    cranelift_native::builder().ok()?.finish(settings::Flags::new(flags)).ok()
}

/// The row to which an instruction may jump.
fn target(instr: &Instr) -> Option<Label> {
    let mut copy = *instr;
    if let Instr::NextAt(to) = copy { Some(to) } else { copy.target_mut().copied() }
}

/// The first row of the jumps of an instruction that looks at a location.
fn jumps(instr: &Instr) -> Option<u32> {
    if let Instr::Switch(_, first) | Instr::Next(_, first) = instr { Some(*first) } else { None }
}

struct Translator<'a> {
    builder: FunctionBuilder<'a>,
    code: &'a [Instr],
    tables: &'a Tables,
    stride: usize,
    /// Rows that begin a block.
    leaders: BTreeSet<Label>,
    /// First rows of jumps, in order.
    switches: BTreeSet<u32>,
    blocks: HashMap<(Label, Side), Block>,
    entries: Vec<[Option<u32>; 2]>,
    entered: Vec<Block>,
    waiting: Vec<(Label, Side)>,
    words: usize,
    edges: usize,
    context: Value,
    here: Value,
    block: Value,
    registers: Value,
    taken: Value,
    /// Where the copy begins, and where in the block that is.
    copy: Variable,
    tail: Variable,
}

impl<'a> Translator<'a> {
    fn new(mut builder: FunctionBuilder<'a>, code: &'a [Instr], tables: &'a Tables, stride: usize) -> Self {
        let start = builder.create_block();
        builder.append_block_params_for_function_params(start);
        builder.switch_to_block(start);
        let context = builder.block_params(start)[0];
        let (copy, tail) = (builder.declare_var(types::I64), builder.declare_var(types::I64));
        let mut load = |offset| builder.ins().load(types::I64, MemFlags::trusted(), context, offset);
        let (here, block) = (load(field!(here)), load(field!(block)));
        let (registers, taken) = (load(field!(registers)), load(field!(taken)));
        let switches: BTreeSet<u32> = code.iter().filter_map(jumps).collect();
        let leaders = code.iter().filter_map(target).collect();
        let mut translator = Translator {
            builder,
            code,
            tables,
            stride,
            leaders,
            switches,
            blocks: HashMap::new(),
            entries: vec![[None; 2]; code.len() + 1],
            entered: Vec::new(),
            waiting: Vec::new(),
            words: stride,
            edges: 0,
            context,
            here,
            block,
            registers,
            taken,
            copy,
            tail,
        };
        let tail = translator.field(field!(tail));
        translator.move_tail(tail);
        translator
    }

    /// Translates everything that can be reached from these rows.
    fn translate(mut self, begins: &[(Label, bool)]) -> (Vec<[Option<u32>; 2]>, usize, usize) {
        let start = self.builder.current_block().unwrap_or_else(|| unreachable!("the first block is being filled"));
        begins.iter().for_each(|&(row, on_next)| self.entry(row, Side::of(on_next)));
        let mut done = BTreeSet::new();
        while let Some((row, side)) = self.waiting.pop() {
            if done.insert((row, side)) {
                let block = self.block_of(row, side);
                self.builder.switch_to_block(block);
                self.rows(row, side);
            }
        }
        self.builder.switch_to_block(start);
        self.enter(start);
        self.builder.seal_all_blocks();
        self.builder.finalize();
        (self.entries, self.words, self.edges)
    }

    /// Goes to the block that the caller wants to enter.
    fn enter(&mut self, start: Block) {
        let mut switch = Switch::new();
        for (number, &block) in self.entered.iter().enumerate() {
            switch.set_entry(number as u128, block);
        }
        let nowhere = self.builder.create_block();
        let entry = self.builder.block_params(start)[1];
        switch.emit(&mut self.builder, entry, nowhere);
        self.builder.switch_to_block(nowhere);
        let zero = self.builder.ins().iconst(types::I64, 0);
        self.builder.ins().return_(&[zero]);
    }

    /// The caller may begin at this row.
    fn entry(&mut self, row: Label, side: Side) {
        let block = self.block_of(row, side);
        let number = &mut self.entries[row as usize][side as usize];
        if number.is_none() {
            *number = Some(self.entered.len() as u32);
            self.entered.push(block);
        }
    }

    fn block_of(&mut self, row: Label, side: Side) -> Block {
        if let Some(&block) = self.blocks.get(&(row, side)) {
            return block;
        }
        let block = self.builder.create_block();
        self.blocks.insert((row, side), block);
        self.waiting.push((row, side));
        block
    }

    /// Translates instructions up to one after which another block goes on.
    fn rows(&mut self, first: Label, side: Side) {
        let (mut row, mut side) = (first, side);
        while let Some(instr) = self.code.get(row as usize).copied() {
            match self.instr(instr, row, side) {
                Some(on) => side = on,
                None => return,
            }
            row += 1;
            if self.leaders.contains(&row) || self.blocks.contains_key(&(row, side)) {
                return self.go_to(row, side);
            }
        }
        self.exit(row, side);
    }

    fn go_to(&mut self, row: Label, side: Side) {
        let block = self.block_of(row, side);
        self.builder.ins().jump(block, &[]);
    }

    /// Returns to the caller, who has to look at this row.
    fn exit(&mut self, row: Label, side: Side) {
        let tail = self.builder.use_var(self.tail);
        self.builder.ins().store(MemFlags::trusted(), tail, self.context, field!(tail));
        let stopped = i64::from(row) << 1 | i64::from(side == Side::Next);
        let stopped = self.builder.ins().iconst(types::I64, stopped);
        self.builder.ins().return_(&[stopped]);
    }

    /// Returns to the caller if the condition holds.
    fn exit_if(&mut self, condition: Value, row: Label, side: Side) {
        let (exit, stay) = (self.builder.create_block(), self.builder.create_block());
        self.builder.set_cold_block(exit);
        self.builder.ins().brif(condition, exit, &[], stay, &[]);
        self.builder.switch_to_block(exit);
        self.exit(row, side);
        self.builder.switch_to_block(stay);
    }

    /// Returns to the caller, who will come back to the next row.
    fn call(&mut self, row: Label, side: Side) -> Option<Side> {
        self.exit(row, side);
        self.entry(row + 1, side);
        None
    }

    /// One instruction. What follows is about this side; none if a block has ended.
    fn instr(&mut self, instr: Instr, row: Label, side: Side) -> Option<Side> {
        match instr {
            Instr::Jump(to) => {
                self.go_to(to, side);
                return None;
            }
            Instr::Fork => {
                self.fork(row, side);
                return Some(Side::Next);
            }
            Instr::Arrive(slot, location, edge, to) if side == Side::Next && self.stride > 0 => {
                self.write_const(slot, i32::from(location), side);
                self.take(edge as usize);
                self.keep();
                self.go_to(to, Side::Here);
                return None;
            }
            Instr::Emit(act) if side == Side::Next => {
                if self.stride == 0 {
                    self.end(row);
                }
                self.take(self.tables.acts[act as usize].edge);
                self.keep();
                return Some(Side::Here);
            }
            Instr::Drop => return Some(Side::Here),
            Instr::Next(slot, first) => {
                self.exit_if_alone(row, side);
                return self.switch(slot, first, row, side);
            }
            Instr::NextAt(to) => {
                self.exit_if_alone(row, side);
                self.go_to(to, side);
                return None;
            }
            Instr::Switch(slot, first) => return self.switch(slot, first, row, side),
            Instr::Mark(edge) => {
                let one = self.builder.ins().iconst(types::I8, 1);
                self.edges = self.edges.max(edge as usize + 1);
                self.builder.ins().store(flags(AliasRegion::Vmctx), one, self.taken, edge as i32);
            }
            Instr::Mask(word, bits) => {
                let (base, flags) = self.words_of(side);
                self.words = self.words.max(usize::from(word) + 1);
                let old = self.builder.ins().load(types::I64, flags, base, i32::from(word) * 8);
                let new = self.builder.ins().band_imm(old, bits as i64);
                self.builder.ins().store(flags, new, base, i32::from(word) * 8);
            }
            Instr::IfSlotConst(slot, comparison, value, to) => {
                let left = self.read(slot, side);
                let holds = self.builder.ins().icmp_imm(condition(comparison), left, i64::from(value));
                return self.branch(holds, to, row, side);
            }
            Instr::IfSlots(left, comparison, right, to) => {
                let (left, right) = (self.read(left, side), self.read(right, side));
                let holds = self.builder.ins().icmp(condition(comparison), left, right);
                return self.branch(holds, to, row, side);
            }
            Instr::IfElementConst(element, comparison, value, to) => {
                let left = self.read_element(element, row, side);
                let holds = self.builder.ins().icmp_imm(condition(comparison), left, i64::from(value));
                return self.branch(holds, to, row, side);
            }
            Instr::IfElementSlot(element, comparison, slot, to) => {
                let (left, right) = (self.read_element(element, row, side), self.read(slot, side));
                let holds = self.builder.ins().icmp(condition(comparison), left, right);
                return self.branch(holds, to, row, side);
            }
            Instr::IfRegs(left, comparison, right, to) => {
                let (left, right) = (self.register(left), self.register(right));
                let holds = self.builder.ins().icmp(condition(comparison), left, right);
                return self.branch(holds, to, row, side);
            }
            Instr::IfRegConst(left, comparison, right, to) => {
                let left = self.register(left);
                let holds = self.builder.ins().icmp_imm(condition(comparison), left, i64::from(right));
                return self.branch(holds, to, row, side);
            }
            Instr::Move(to, from) => {
                let value = self.register(from);
                self.set_register(to, value);
            }
            Instr::Const(to, value) => {
                let value = self.builder.ins().iconst(types::I32, i64::from(value));
                self.set_register(to, value);
            }
            Instr::Load(to, slot) => {
                let value = self.read(slot, side);
                self.set_register(to, value);
            }
            Instr::SignExtend(to) => {
                let value = self.register(to);
                let short = self.builder.ins().ireduce(types::I16, value);
                let value = self.builder.ins().sextend(types::I32, short);
                self.set_register(to, value);
            }
            Instr::LoadAt(to, index, array, size) => {
                let index = self.checked(index, size, row, side);
                let value = self.read_at(array, size, index, side);
                self.set_register(to, value);
            }
            Instr::LoadElement(to, element) => {
                let value = self.read_element(element, row, side);
                self.set_register(to, value);
            }
            Instr::Check(register, size) => {
                self.checked(register, size, row, side);
            }
            Instr::Index(first, second, size) => {
                let (left, right) = (self.register(first), self.register(second));
                let product = self.builder.ins().imul_imm(left, i64::from(size));
                let sum = self.builder.ins().iadd(product, right);
                self.set_register(first, sum);
            }
            Instr::Unary(op, to, from) => {
                let value = self.register(from);
                let value = self.unary(op, value);
                self.set_register(to, value);
            }
            Instr::Binary(op, to, left, right) => {
                let (left, right) = (self.register(left), self.register(right));
                let value = self.binary(op, left, right, row, side);
                self.set_register(to, value);
            }
            Instr::BinaryConst(op, to, left, right) => {
                let left = self.register(left);
                let right = self.builder.ins().iconst(types::I32, i64::from(right));
                let value = self.binary(op, left, right, row, side);
                self.set_register(to, value);
            }
            Instr::Store(slot, from) => {
                let value = self.register(from);
                self.write(slot, value, side);
            }
            Instr::StoreConst(slot, value) => self.write_const(slot, value, side),
            Instr::Copy(to, from) => {
                let value = self.read(from, side);
                self.write(to, value, side);
            }
            Instr::Add(to, from, value) => {
                let old = self.read(from, side);
                let new = self.builder.ins().iadd_imm(old, i64::from(value));
                self.write(to, new, side);
            }
            Instr::StoreAt(array, index, from, size) => {
                let index = self.checked(index, size, row, side);
                let value = self.register(from);
                self.write_at(array, size, index, value, side);
            }
            Instr::StoreElement(element, from) => {
                let value = self.register(from);
                self.write_element(element, value, row, side);
            }
            Instr::StoreElementConst(element, value) => {
                let value = self.builder.ins().iconst(types::I32, i64::from(value));
                self.write_element(element, value, row, side);
            }
            Instr::Push(queue, first) => self.push(self.tables.queues[queue as usize], first, side),
            Instr::Pop(queue) if self.words_of_queue(queue) <= UNROLLED => {
                self.pop(self.tables.queues[queue as usize], side);
            }
            Instr::Done | Instr::Blocked | Instr::Trouble => {
                self.exit(row, side);
                return None;
            }
            Instr::EmitInner(act) if (1..=UNROLLED).contains(&self.stride) => {
                self.leave_alone(act, row);
                self.entry(row + 1, Side::Here);
                return Some(Side::Here);
            }
            Instr::EmitInner(_) => {
                self.exit(row, side);
                self.entry(row + 1, Side::Here);
                return None;
            }
            Instr::IfTimeout(to) | Instr::IfOther(_, to) => {
                self.entry(to, side);
                return self.call(row, side);
            }
            _ => return self.call(row, side),
        }
        Some(side)
    }

    // Successors.

    fn fork(&mut self, row: Label, side: Side) {
        let (tail, room) = (self.builder.use_var(self.tail), self.field(field!(room)));
        let length = self.length();
        let end = self.builder.ins().iadd(tail, length);
        let is_full = self.builder.ins().icmp(IntCC::UnsignedGreaterThan, end, room);
        self.exit_if(is_full, row, side);
        self.builder.ins().store(MemFlags::trusted(), length, self.context, field!(next));
        match self.stride {
            1..=UNROLLED => (0..self.stride).for_each(|word| self.copy_word(word)),
            _ => self.copy_words(length),
        }
    }

    fn length(&mut self) -> Value {
        match self.stride {
            0 => self.field(field!(length)),
            stride => self.builder.ins().iconst(types::I64, stride as i64),
        }
    }

    fn copy_word(&mut self, word: usize) {
        let ((from, from_flags), (to, to_flags)) = (self.words_of(Side::Here), self.words_of(Side::Next));
        let value = self.builder.ins().load(types::I64, from_flags, from, word as i32 * 8);
        self.builder.ins().store(to_flags, value, to, word as i32 * 8);
    }

    fn copy_words(&mut self, length: Value) {
        let (head, body, done) =
            (self.builder.create_block(), self.builder.create_block(), self.builder.create_block());
        let at = self.builder.append_block_param(head, types::I64);
        let zero = self.builder.ins().iconst(types::I64, 0);
        self.builder.ins().jump(head, &[zero.into()]);
        self.builder.switch_to_block(head);
        let more = self.builder.ins().icmp(IntCC::UnsignedLessThan, at, length);
        self.builder.ins().brif(more, body, &[], done, &[]);
        self.builder.switch_to_block(body);
        let offset = self.builder.ins().ishl_imm(at, 3);
        let ((from, from_flags), (to, to_flags)) = (self.words_of(Side::Here), self.words_of(Side::Next));
        let (from, to) = (self.builder.ins().iadd(from, offset), self.builder.ins().iadd(to, offset));
        let value = self.builder.ins().load(types::I64, from_flags, from, 0);
        self.builder.ins().store(to_flags, value, to, 0);
        let after = self.builder.ins().iadd_imm(at, 1);
        self.builder.ins().jump(head, &[after.into()]);
        self.builder.switch_to_block(done);
    }

    /// An edge was taken.
    fn take(&mut self, edge: usize) {
        self.edges = self.edges.max(edge + 1);
        let one = self.builder.ins().iconst(types::I8, 1);
        self.builder.ins().store(flags(AliasRegion::Vmctx), one, self.taken, edge as i32);
        let one = self.builder.ins().iconst(types::I32, 1);
        self.set_register(MOVED, one);
    }

    /// The copy is a successor.
    fn keep(&mut self) {
        let length = match self.stride {
            0 => self.field(field!(next)),
            _ => self.length(),
        };
        let tail = self.builder.use_var(self.tail);
        let tail = self.builder.ins().iadd(tail, length);
        self.move_tail(tail);
    }

    fn move_tail(&mut self, tail: Value) {
        self.builder.def_var(self.tail, tail);
        let offset = self.builder.ins().ishl_imm(tail, 3);
        let copy = self.builder.ins().iadd(self.block, offset);
        self.builder.def_var(self.copy, copy);
    }

    /// Notes where the copy ends.
    fn end(&mut self, row: Label) {
        let (end, room) = (self.field(field!(end)), self.field(field!(end_room)));
        let is_full = self.builder.ins().icmp(IntCC::UnsignedGreaterThanOrEqual, end, room);
        self.exit_if(is_full, row, Side::Next);
        let (tail, next) = (self.builder.use_var(self.tail), self.field(field!(next)));
        let value = self.builder.ins().iadd(tail, next);
        let (ends, offset) = (self.field(field!(ends)), self.builder.ins().ishl_imm(end, 3));
        let address = self.builder.ins().iadd(ends, offset);
        self.builder.ins().store(flags(AliasRegion::Table), value, address, 0);
        let after = self.builder.ins().iadd_imm(end, 1);
        self.builder.ins().store(MemFlags::trusted(), after, self.context, field!(end));
    }

    /// The copy becomes a point from which the process goes on alone.
    fn leave_alone(&mut self, act: u32, row: Label) {
        let (count, room) = (self.field(field!(inner_count)), self.field(field!(inner_room)));
        let is_full = self.builder.ins().icmp(IntCC::UnsignedGreaterThanOrEqual, count, room);
        self.exit_if(is_full, row, Side::Next);
        let place = self.field(field!(inner));
        let (from, flags) = self.words_of(Side::Next);
        for word in 0..self.stride as i32 {
            let value = self.builder.ins().load(types::I64, flags, from, word * 8);
            self.builder.ins().store(MemFlags::trusted(), value, place, word * 8);
        }
        let offset = self.builder.ins().ishl_imm(count, 2);
        let acts = self.builder.ins().iadd(self.context, offset);
        let number = self.builder.ins().iconst(types::I32, i64::from(act));
        self.builder.ins().store(MemFlags::trusted(), number, acts, field!(acts));
        let next = self.builder.ins().iadd_imm(place, self.stride as i64 * 8);
        self.builder.ins().store(MemFlags::trusted(), next, self.context, field!(inner));
        let count = self.builder.ins().iadd_imm(count, 1);
        self.builder.ins().store(MemFlags::trusted(), count, self.context, field!(inner_count));
        self.take(self.tables.acts[act as usize].edge);
    }

    // Control.

    fn exit_if_alone(&mut self, row: Label, side: Side) {
        let alone = self.register(ALONE);
        self.exit_if(alone, row, side);
    }

    fn branch(&mut self, holds: Value, to: Label, row: Label, side: Side) -> Option<Side> {
        let (yes, no) = (self.block_of(to, side), self.block_of(row + 1, side));
        self.builder.ins().brif(holds, yes, &[], no, &[]);
        None
    }

    /// Goes to a row that depends on a location.
    fn switch(&mut self, slot: Slot, first: u32, row: Label, side: Side) -> Option<Side> {
        let next = self.switches.range(first + 1..).next().copied();
        let end = next.unwrap_or(u32::MAX).min(self.tables.jumps.len() as u32);
        let value = self.read(slot, side);
        let mut switch = Switch::new();
        for number in 0..(end - first).min(1 << slot.width().min(16)) {
            let to = self.tables.jumps[(first + number) as usize];
            if (to as usize) < self.code.len() {
                let block = self.block_of(to, side);
                switch.set_entry(u128::from(number), block);
            }
        }
        let otherwise = self.builder.create_block();
        switch.emit(&mut self.builder, value, otherwise);
        self.builder.switch_to_block(otherwise);
        self.exit(row, side);
        None
    }

    // Values.

    fn field(&mut self, offset: i32) -> Value {
        self.builder.ins().load(types::I64, MemFlags::trusted(), self.context, offset)
    }

    fn register(&mut self, register: Reg) -> Value {
        let flags = flags(AliasRegion::Vmctx);
        self.builder.ins().load(types::I32, flags, self.registers, i32::from(register) * 4)
    }

    fn set_register(&mut self, register: Reg, value: Value) {
        self.builder.ins().store(flags(AliasRegion::Vmctx), value, self.registers, i32::from(register) * 4);
    }

    /// The register, which is below a bound.
    fn checked(&mut self, register: Reg, size: u32, row: Label, side: Side) -> Value {
        let index = self.register(register);
        self.exit_unless_below(index, size, row, side);
        index
    }

    fn exit_unless_below(&mut self, index: Value, size: u32, row: Label, side: Side) {
        let size = self.builder.ins().iconst(types::I32, i64::from(size));
        let is_outside = self.builder.ins().icmp(IntCC::UnsignedGreaterThanOrEqual, index, size);
        self.exit_if(is_outside, row, side);
    }

    /// Where the words of a side are. Those of the state and of copies never overlap.
    fn words_of(&mut self, side: Side) -> (Value, MemFlags) {
        match side {
            Side::Here => (self.here, flags(AliasRegion::Heap)),
            Side::Next => (self.builder.use_var(self.copy), flags(AliasRegion::Table)),
        }
    }

    /// `(word >> shift) & mask` as an `i32`.
    fn bits(&mut self, word: Value, shift: u32, width: u32) -> Value {
        let shifted = if shift == 0 { word } else { self.builder.ins().ushr_imm(word, i64::from(shift)) };
        let low = self.builder.ins().ireduce(types::I32, shifted);
        if width >= 32 || shift + width == 64 && shift >= 32 {
            return low;
        }
        self.builder.ins().band_imm(low, (1 << width) - 1)
    }

    fn read(&mut self, slot: Slot, side: Side) -> Value {
        let (base, flags) = self.words_of(side);
        self.words = self.words.max(usize::from(slot.word) + 1);
        let word = self.builder.ins().load(types::I64, flags, base, i32::from(slot.word) * 8);
        self.bits(word, slot.shift(), slot.width())
    }

    fn write(&mut self, slot: Slot, value: Value, side: Side) {
        let wide = self.builder.ins().uextend(types::I64, value);
        let cut = self.builder.ins().band_imm(wide, mask(slot.width()));
        let shifted = self.builder.ins().ishl_imm(cut, i64::from(slot.shift()));
        let (base, flags) = self.words_of(side);
        self.words = self.words.max(usize::from(slot.word) + 1);
        let old = self.builder.ins().load(types::I64, flags, base, i32::from(slot.word) * 8);
        let others = self.builder.ins().band_imm(old, slot.others() as i64);
        let new = self.builder.ins().bor(others, shifted);
        self.builder.ins().store(flags, new, base, i32::from(slot.word) * 8);
    }

    fn write_const(&mut self, slot: Slot, value: i32, side: Side) {
        let value = self.builder.ins().iconst(types::I32, i64::from(value));
        self.write(slot, value, side);
    }

    /// The index of an element, which is inside.
    fn index(&mut self, element: &Element, row: Label, side: Side) -> Value {
        let [(first, times), (second, times_second)] = element.terms;
        let mut index = self.term(first, times, side);
        index = self.builder.ins().iadd_imm(index, i64::from(element.offset));
        if times_second != 0 {
            let term = self.term(second, times_second, side);
            index = self.builder.ins().iadd(index, term);
        }
        self.exit_unless_below(index, element.size, row, side);
        index
    }

    fn term(&mut self, slot: Slot, times: i32, side: Side) -> Value {
        let value = self.read(slot, side);
        if times == 1 { value } else { self.builder.ins().imul_imm(value, i64::from(times)) }
    }

    fn read_element(&mut self, element: u16, row: Label, side: Side) -> Value {
        let element = self.tables.elements[element as usize];
        let index = self.index(&element, row, side);
        self.read_at(element.array, element.size, index, side)
    }

    fn write_element(&mut self, element: u16, value: Value, row: Label, side: Side) {
        let element = self.tables.elements[element as usize];
        let index = self.index(&element, row, side);
        self.write_at(element.array, element.size, index, value, side);
    }

    /// The address of the word with an element of an array, its offset, and the first bit in it.
    fn element(&mut self, array: Array, size: u32, index: Value, side: Side) -> (Value, i32, Value) {
        let (base, _) = self.words_of(side);
        let last = (array.bit + (size << array.log_width) - 1) / 64;
        self.words = self.words.max(last as usize + 1);
        let index = self.builder.ins().uextend(types::I64, index);
        let bits = self.builder.ins().ishl_imm(index, i64::from(array.log_width));
        let bit = self.builder.ins().iadd_imm(bits, i64::from(array.bit));
        if array.bit / 64 == last {
            return (base, last as i32 * 8, bit);
        }
        let word = self.builder.ins().ushr_imm(bit, 6);
        let offset = self.builder.ins().ishl_imm(word, 3);
        (self.builder.ins().iadd(base, offset), 0, bit)
    }

    fn read_at(&mut self, array: Array, size: u32, index: Value, side: Side) -> Value {
        let (address, offset, bit) = self.element(array, size, index, side);
        let (_, flags) = self.words_of(side);
        let word = self.builder.ins().load(types::I64, flags, address, offset);
        let shifted = self.builder.ins().ushr(word, bit);
        let low = self.builder.ins().ireduce(types::I32, shifted);
        if array.log_width >= 5 { low } else { self.builder.ins().band_imm(low, mask(1 << array.log_width)) }
    }

    fn write_at(&mut self, array: Array, size: u32, index: Value, value: Value, side: Side) {
        let (address, offset, bit) = self.element(array, size, index, side);
        let (_, flags) = self.words_of(side);
        let own = self.builder.ins().iconst(types::I64, mask(1 << array.log_width));
        let wide = self.builder.ins().uextend(types::I64, value);
        let cut = self.builder.ins().band(wide, own);
        let (own, shifted) = (self.builder.ins().ishl(own, bit), self.builder.ins().ishl(cut, bit));
        let old = self.builder.ins().load(types::I64, flags, address, offset);
        let others = self.builder.ins().band_not(old, own);
        let new = self.builder.ins().bor(others, shifted);
        self.builder.ins().store(flags, new, address, offset);
    }

    // Channels.

    /// Adds to the number of messages, which was this.
    fn count(&mut self, place: ChannelPlace, length: Value, more: i64, side: Side) {
        let length = self.builder.ins().iadd_imm(length, more);
        self.write(place.length, length, side);
    }

    /// Appends registers. Behind the last message there are zeros.
    fn push(&mut self, place: ChannelPlace, first: Reg, side: Side) {
        let tables = self.tables;
        let messages = &tables.messages[place.shape];
        let length = self.read(place.length, side);
        let start = self.message_start(messages, place, length);
        self.words = self.words.max((place.first + messages.bits()).div_ceil(64) as usize);
        for (row, field) in messages.fields.iter().enumerate() {
            let value = self.register(first + row as Reg);
            let wide = self.builder.ins().uextend(types::I64, value);
            let cut = self.builder.ins().band_imm(wide, mask(field.width));
            let bit = self.builder.ins().iadd_imm(start, i64::from(field.bit));
            let (address, offset, flags) = self.word_at(messages, place, bit, side);
            let shifted = self.builder.ins().ishl(cut, bit);
            let old = self.builder.ins().load(types::I64, flags, address, offset);
            let new = self.builder.ins().bor(old, shifted);
            self.builder.ins().store(flags, new, address, offset);
        }
        self.count(place, length, 1, side);
    }

    /// The bit where a message starts.
    fn message_start(&mut self, messages: &MessageLayout, place: ChannelPlace, slot: Value) -> Value {
        let slot = self.builder.ins().uextend(types::I64, slot);
        let offset = if messages.stride > 64 || messages.capacity <= messages.per_word {
            self.builder.ins().imul_imm(slot, i64::from(messages.stride))
        } else {
            let word = self.builder.ins().udiv_imm(slot, i64::from(messages.per_word));
            let first = self.builder.ins().imul_imm(word, i64::from(messages.per_word));
            let inside = self.builder.ins().isub(slot, first);
            let inside = self.builder.ins().imul_imm(inside, i64::from(messages.stride));
            let before = self.builder.ins().ishl_imm(word, 6);
            self.builder.ins().iadd(before, inside)
        };
        self.builder.ins().iadd_imm(offset, i64::from(place.first))
    }

    /// The address and offset of the word with a bit of a channel's messages.
    fn word_at(
        &mut self,
        messages: &MessageLayout,
        place: ChannelPlace,
        bit: Value,
        side: Side,
    ) -> (Value, i32, MemFlags) {
        let (base, flags) = self.words_of(side);
        if messages.is_small() {
            return (base, (place.first / 64) as i32 * 8, flags);
        }
        let word = self.builder.ins().ushr_imm(bit, 6);
        let offset = self.builder.ins().ishl_imm(word, 3);
        (self.builder.ins().iadd(base, offset), 0, flags)
    }

    /// How many words the messages of a channel take.
    fn words_of_queue(&self, queue: u16) -> usize {
        let messages = &self.tables.messages[self.tables.queues[queue as usize].shape];
        messages.bits().div_ceil(64) as usize
    }

    /// Removes the oldest message: all others move. Behind the last one there are zeros.
    fn pop(&mut self, place: ChannelPlace, side: Side) {
        let messages = &self.tables.messages[place.shape];
        let length = self.read(place.length, side);
        let (first, words) = ((place.first / 64) as i32, messages.bits().div_ceil(64) as i32);
        self.words = self.words.max((first + words) as usize);
        if messages.is_small() {
            self.shift_within(place, side);
        } else {
            (0..words).for_each(|word| self.shift_word(messages, first, word, words, side));
        }
        self.count(place, length, -1, side);
    }

    /// Moves messages that share a word with other things.
    fn shift_within(&mut self, place: ChannelPlace, side: Side) {
        let messages = &self.tables.messages[place.shape];
        let own = low_bits(messages.bits()) << (place.first % 64);
        let (base, flags) = self.words_of(side);
        let offset = (place.first / 64) as i32 * 8;
        let old = self.builder.ins().load(types::I64, flags, base, offset);
        let rest = self.builder.ins().band_imm(old, !own as i64);
        let kept = own & (own.checked_shl(messages.stride).unwrap_or(0));
        let kept = self.builder.ins().band_imm(old, kept as i64);
        let moved = self.shifted_down(kept, messages.stride);
        let new = self.builder.ins().bor(rest, moved);
        self.builder.ins().store(flags, new, base, offset);
    }

    /// Moves messages in one of several words. Other things can be at the end of the last one.
    fn shift_word(&mut self, messages: &MessageLayout, first: i32, word: i32, words: i32, side: Side) {
        let (base, flags) = self.words_of(side);
        let mut get = |word: i32| match word < words {
            true => self.builder.ins().load(types::I64, flags, base, (first + word) * 8),
            false => self.builder.ins().iconst(types::I64, 0),
        };
        let new = if messages.stride > 64 {
            get(word + (messages.stride / 64) as i32)
        } else {
            let (old, next) = (get(word), get(word + 1));
            let own = low_bits(if word + 1 < words { 64 } else { messages.bits() - word as u32 * 64 });
            let (kept, rest) =
                (self.builder.ins().band_imm(old, own as i64), self.builder.ins().band_imm(old, !own as i64));
            let moved = self.shifted_down(kept, messages.stride);
            let oldest = self.builder.ins().band_imm(next, mask(messages.stride));
            let oldest = self.builder.ins().ishl_imm(oldest, i64::from((messages.per_word - 1) * messages.stride));
            let own = self.builder.ins().bor(moved, oldest);
            self.builder.ins().bor(own, rest)
        };
        self.builder.ins().store(flags, new, base, (first + word) * 8);
    }

    /// A word, shifted by up to 64 bits.
    fn shifted_down(&mut self, word: Value, bits: u32) -> Value {
        match bits {
            64 => self.builder.ins().iconst(types::I64, 0),
            _ => self.builder.ins().ushr_imm(word, i64::from(bits)),
        }
    }

    fn unary(&mut self, op: UnaryOp, value: Value) -> Value {
        match op {
            UnaryOp::Negate => self.builder.ins().ineg(value),
            UnaryOp::Complement => self.builder.ins().bnot(value),
            UnaryOp::Not => {
                let is_zero = self.builder.ins().icmp_imm(IntCC::Equal, value, 0);
                self.builder.ins().uextend(types::I32, is_zero)
            }
        }
    }

    fn binary(&mut self, op: BinaryOp, left: Value, right: Value, row: Label, side: Side) -> Value {
        let ins = self.builder.ins();
        match op {
            BinaryOp::BitOr => ins.bor(left, right),
            BinaryOp::BitXor => ins.bxor(left, right),
            BinaryOp::BitAnd => ins.band(left, right),
            BinaryOp::Shl => ins.ishl(left, right),
            BinaryOp::Shr => ins.sshr(left, right),
            BinaryOp::Add => ins.iadd(left, right),
            BinaryOp::Sub => ins.isub(left, right),
            BinaryOp::Mul => ins.imul(left, right),
            BinaryOp::Or => {
                let either = ins.bor(left, right);
                self.compare(IntCC::NotEqual, either)
            }
            BinaryOp::And => {
                let (left, right) = (self.compare(IntCC::NotEqual, left), self.compare(IntCC::NotEqual, right));
                self.builder.ins().band(left, right)
            }
            BinaryOp::Div | BinaryOp::Rem => self.divide(op, left, right, row, side),
            BinaryOp::Eq | BinaryOp::Ne | BinaryOp::Lt | BinaryOp::Le | BinaryOp::Gt | BinaryOp::Ge => {
                let holds = ins.icmp(relation(op), left, right);
                self.builder.ins().uextend(types::I32, holds)
            }
        }
    }

    /// Whether a value is, or is not, zero.
    fn compare(&mut self, condition: IntCC, value: Value) -> Value {
        let holds = self.builder.ins().icmp_imm(condition, value, 0);
        self.builder.ins().uextend(types::I32, holds)
    }

    /// Divisors 0 and -1, with which processors differ, are left to the caller.
    fn divide(&mut self, op: BinaryOp, left: Value, right: Value, row: Label, side: Side) -> Value {
        let after = self.builder.ins().iadd_imm(right, 1);
        let is_special = self.builder.ins().icmp_imm(IntCC::UnsignedLessThanOrEqual, after, 1);
        self.exit_if(is_special, row, side);
        match op {
            BinaryOp::Div => self.builder.ins().sdiv(left, right),
            _ => self.builder.ins().srem(left, right),
        }
    }
}

/// Memory of this kind, which is there and aligned.
fn flags(region: AliasRegion) -> MemFlags {
    MemFlags::trusted().with_alias_region(Some(region))
}

/// So many low bits.
fn low_bits(width: u32) -> u64 {
    if width >= 64 { u64::MAX } else { (1 << width) - 1 }
}

fn mask(width: u32) -> i64 {
    low_bits(width) as i64
}

fn condition(comparison: Comparison) -> IntCC {
    match comparison {
        Comparison::Eq => IntCC::Equal,
        Comparison::Ne => IntCC::NotEqual,
        Comparison::Lt => IntCC::SignedLessThan,
        Comparison::Le => IntCC::SignedLessThanOrEqual,
        Comparison::Gt => IntCC::SignedGreaterThan,
        Comparison::Ge => IntCC::SignedGreaterThanOrEqual,
    }
}

fn relation(op: BinaryOp) -> IntCC {
    match op {
        BinaryOp::Ne => IntCC::NotEqual,
        BinaryOp::Lt => IntCC::SignedLessThan,
        BinaryOp::Le => IntCC::SignedLessThanOrEqual,
        BinaryOp::Gt => IntCC::SignedGreaterThan,
        BinaryOp::Ge => IntCC::SignedGreaterThanOrEqual,
        _ => IntCC::Equal,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::machine::compute;
    use crate::successors::Successors;

    const WORDS: usize = 3;
    const ROWS: u64 = 24;

    /// Numbers that look random (Knuth's linear congruential generator).
    struct Random(u64);

    impl Random {
        fn below(&mut self, bound: u64) -> u64 {
            self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (self.0 >> 33) % bound
        }

        fn slot(&mut self) -> Slot {
            let width = [1, 3, 8, 16, 32][self.below(5) as usize];
            let bit = self.below(64 - u64::from(width)) as u32;
            Slot::new(64 * self.below(WORDS as u64) as u32 + bit, width)
        }

        fn register(&mut self) -> Reg {
            self.below(4) as Reg
        }

        fn value(&mut self) -> i32 {
            [0, 1, -1, 3, 200, 70_000, i32::MIN][self.below(7) as usize]
        }

        fn comparison(&mut self) -> Comparison {
            use Comparison::*;
            [Eq, Ne, Lt, Le, Gt, Ge][self.below(6) as usize]
        }

        fn operator(&mut self) -> BinaryOp {
            use BinaryOp::*;
            let all = [Or, And, BitOr, BitXor, BitAnd, Eq, Ne, Lt, Le, Gt, Ge, Shl, Shr, Add, Sub, Mul, Div, Rem];
            all[self.below(all.len() as u64) as usize]
        }

        /// A row further on.
        fn later(&mut self, row: u64) -> Label {
            (row + 1 + self.below(ROWS - row)) as Label
        }

        fn instr(&mut self, row: u64) -> Instr {
            let array = Array { bit: 0, log_width: self.below(6) as u8 };
            let size = (128 >> array.log_width).min(5);
            match self.below(22) {
                0 => Instr::Load(self.register(), self.slot()),
                1 => Instr::Store(self.slot(), self.register()),
                2 => Instr::StoreConst(self.slot(), self.value()),
                3 => Instr::Copy(self.slot(), self.slot()),
                4 => Instr::Add(self.slot(), self.slot(), self.value()),
                5 => Instr::Const(self.register(), self.value()),
                6 => Instr::Move(self.register(), self.register()),
                7 => Instr::SignExtend(self.register()),
                8 => Instr::Binary(self.operator(), self.register(), self.register(), self.register()),
                9 => Instr::BinaryConst(self.operator(), self.register(), self.register(), self.value()),
                10 => {
                    let op = [UnaryOp::Not, UnaryOp::Negate, UnaryOp::Complement][self.below(3) as usize];
                    Instr::Unary(op, self.register(), self.register())
                }
                11 => Instr::Mask(self.below(WORDS as u64) as u16, self.0),
                12 => Instr::LoadAt(self.register(), self.register(), array, size),
                13 => Instr::StoreAt(array, self.register(), self.register(), size),
                14 => Instr::IfSlotConst(self.slot(), self.comparison(), self.value(), self.later(row)),
                15 => Instr::IfSlots(self.slot(), self.comparison(), self.slot(), self.later(row)),
                16 => Instr::IfRegs(self.register(), self.comparison(), self.register(), self.later(row)),
                17 => Instr::IfRegConst(self.register(), self.comparison(), self.value(), self.later(row)),
                18 => Instr::Index(self.register(), self.register(), 3),
                19 => Instr::Jump(self.later(row)),
                20 => Instr::Mark(self.below(4) as u32),
                _ => Instr::Fork,
            }
        }

        fn program(&mut self) -> Vec<Instr> {
            (0..ROWS).map(|row| self.instr(row)).chain([Instr::Done]).collect()
        }
    }

    /// All that code can change.
    #[derive(Debug, PartialEq, Eq)]
    struct Effects {
        stopped: (usize, bool),
        here: Vec<u64>,
        copy: Vec<u64>,
        registers: [i32; 256],
        taken: [bool; 4],
    }

    /// Executes a program by machine code or in the loop.
    fn effects(code: &[Instr], here: &[u64], native: bool) -> Effects {
        let tables = Tables::default();
        let (mut here, mut registers, mut taken) = (here.to_vec(), [0; 256], [false; 4]);
        let mut out = Successors::new(WORDS);
        out.push(&[7; WORDS]);
        let stopped = if native {
            let native = Native::new(code, &[(0, false)], &tables, WORDS).expect("this processor is known");
            let mut points = Vec::new();
            let ended = native.run((0, false), &mut here, out.making(), &mut registers, &mut taken, &mut points);
            ended.expect("it can be entered").0
        } else {
            compute(code, 0, false, &mut here, out.making(), &mut registers, &tables, &mut taken)
        };
        Effects { stopped, here, copy: out.next().to_vec(), registers, taken }
    }

    /// Division by -1 is left to the loop, which can do it.
    fn is_left(code: &[Instr], row: usize) -> bool {
        use BinaryOp::{Div, Rem};
        matches!(code[row], Instr::Binary(Div | Rem, ..) | Instr::BinaryConst(Div | Rem, ..))
    }

    /// How many of many random programs do something else as machine code made from what `damage` makes of them.
    fn differences(damage: impl Fn(&mut [Instr])) -> usize {
        let different = |&seed: &u64| {
            let mut random = Random(seed);
            let code = random.program();
            let here: Vec<u64> = (0..WORDS).map(|_| random.below(1 << 31) << 20 ^ random.below(1 << 31)).collect();
            let mut damaged = code.clone();
            damage(&mut damaged);
            let native = effects(&damaged, &here, true);
            !is_left(&code, native.stopped.0) && native != effects(&code, &here, false)
        };
        (0..500).filter(different).count()
    }

    #[test]
    fn machine_code_does_what_the_loop_does() {
        assert_eq!(differences(|_| {}), 0);
    }

    #[test]
    fn wrong_machine_code_is_caught() {
        let swap = |instr: &mut Instr| {
            if let Instr::IfRegConst(_, comparison, ..) | Instr::IfSlotConst(_, comparison, ..) = instr {
                *comparison = comparison.negated();
            }
        };
        assert!(differences(|code| code.iter_mut().for_each(swap)) > 50);
        let forget = |instr: &mut Instr| {
            if let Instr::Copy(..) | Instr::Store(..) = instr {
                *instr = Instr::Mark(0);
            }
        };
        assert!(differences(|code| code.iter_mut().for_each(forget)) > 50);
    }
}
