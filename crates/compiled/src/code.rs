//! The instructions into which guards and effects are compiled.
//!
//! A register machine whose operands are slots of the packed state, registers and constants. What
//! occurs most often in models is one instruction: compare a variable with a constant and jump, copy
//! or count a variable. The code of a process is made for the place where its variables lie, so that
//! every address is a constant.
use crate::slot::Slot;

/// One of 256 registers.
pub type Reg = u8;

/// Whether the process has a step already.
pub const MOVED: Reg = 255;

/// Whether only one process is asked: 1 if it goes on alone, 2 if it is one among others.
pub const ALONE: Reg = 254;

/// A row of the code.
pub type Label = u32;

/// An array in a state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Array {
    /// First bit.
    pub bit: u32,
    /// Logarithm of the bits of an element.
    pub log_width: u8,
}

/// An element of an array whose index is a sum of multiples of two variables and a constant; a row of the
/// machine's tables.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Element {
    /// The array.
    pub array: Array,
    /// The variables and their factors; one that is not needed has factor 0.
    pub terms: [(Slot, i32); 2],
    /// The constant.
    pub offset: i32,
    /// Elements of the array.
    pub size: u32,
}

/// How two values are compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum Comparison {
    Eq,
    Ne,
    Lt,
    Le,
    Gt,
    Ge,
}

impl Comparison {
    /// Whether it holds.
    #[inline(always)]
    pub fn holds(self, left: i32, right: i32) -> bool {
        match self {
            Comparison::Eq => left == right,
            Comparison::Ne => left != right,
            Comparison::Lt => left < right,
            Comparison::Le => left <= right,
            Comparison::Gt => left > right,
            Comparison::Ge => left >= right,
        }
    }

    /// What holds exactly if this does not.
    pub fn negated(self) -> Comparison {
        match self {
            Comparison::Eq => Comparison::Ne,
            Comparison::Ne => Comparison::Eq,
            Comparison::Lt => Comparison::Ge,
            Comparison::Le => Comparison::Gt,
            Comparison::Gt => Comparison::Le,
            Comparison::Ge => Comparison::Lt,
        }
    }
}

/// An instruction.
#[derive(Clone, Copy, Debug)]
pub enum Instr {
    /// All is done: the condition is true, or the effects have happened.
    Done,
    /// All edges of the last process have been tried.
    End,
    /// The condition is false; the step has to wait.
    Blocked,
    /// A guard was true: what follows happens to a copy of the state.
    Fork,
    /// The process goes to this location; the copy is a successor by the edge with this row among all edges of the
    /// model. Goes on elsewhere, with the state again. Only where every state has the same length.
    Arrive(Slot, u16, u32, Label),
    /// The copy is a successor, by the step in this row of the tables; what follows is about the state again.
    Emit(u32),
    /// The same after a step that keeps control.
    EmitInner(u32),
    /// All edges of the process have been tried: goes on with the next process, at its location, unless only one process
    /// is asked.
    Next(Slot, u32),
    /// The same, but there is something to do before looking at the location.
    NextAt(Label),
    /// The edge with this row among all edges of the model is taken too.
    Mark(u32),
    /// Copies a register.
    Move(Reg, Reg),
    /// Keeps only these bits of a word.
    Mask(u16, u64),
    /// The copy is no successor; what follows is about the state again.
    Drop,
    /// Goes on where a row of the tables says: the first one, plus the value of a variable.
    Switch(Slot, u32),
    /// Hands the message in the registers from the third on to whoever takes it; the step is in this row of the tables.
    Rendezvous(u32, u8),
    /// Something that only the reference interpreter can tell: a fault, a false assertion, a rare construct.
    Trouble,
    /// Goes on elsewhere.
    Jump(Label),
    /// Counts a turn of a loop inside an indivisible region.
    Turn,
    /// Goes on elsewhere if the comparison holds.
    IfSlotConst(Slot, Comparison, i32, Label),
    /// The same for two variables.
    IfSlots(Slot, Comparison, Slot, Label),
    /// The same for an element and a constant; trouble if the index is outside.
    IfElementConst(u16, Comparison, i32, Label),
    /// The same for an element and a variable.
    IfElementSlot(u16, Comparison, Slot, Label),
    /// The same for two registers.
    IfRegs(Reg, Comparison, Reg, Label),
    /// The same for a register and a constant.
    IfRegConst(Reg, Comparison, i32, Label),
    /// Goes on elsewhere if nothing else can move.
    IfTimeout(Label),
    /// A constant.
    Const(Reg, i32),
    /// A variable.
    Load(Reg, Slot),
    /// Takes 16 bits for a number with a sign.
    SignExtend(Reg),
    /// An element; trouble if the index is outside.
    LoadAt(Reg, Reg, Array, u32),
    /// An element; trouble if the index is outside.
    LoadElement(Reg, u16),
    /// Stores a register; trouble if the index is outside.
    StoreElement(u16, Reg),
    /// Stores a constant; trouble if the index is outside.
    StoreElementConst(u16, i32),
    /// An element of a constant array.
    LoadTable(Reg, Reg, u32),
    /// Trouble if a register is not below a bound.
    Check(Reg, u32),
    /// A row-major index: `first = first * size + second`.
    Index(Reg, Reg, u32),
    /// A prefix operator.
    Unary(model::UnaryOp, Reg, Reg),
    /// An infix operator; trouble if it divides by zero.
    Binary(model::BinaryOp, Reg, Reg, Reg),
    /// An infix operator with a constant on the right.
    BinaryConst(model::BinaryOp, Reg, Reg, i32),
    /// Stores a register.
    Store(Slot, Reg),
    /// Stores a constant.
    StoreConst(Slot, i32),
    /// Copies a variable.
    Copy(Slot, Slot),
    /// Stores a variable plus a constant.
    Add(Slot, Slot, i32),
    /// Stores an element; trouble if the index is outside.
    StoreAt(Array, Reg, Reg, u32),
    /// The process created last.
    Spawned(Reg),
    /// Turns a channel's number into a row of the channel table; trouble if there is no such channel.
    Channel(Reg),
    /// Messages in a channel.
    Length(Reg, Reg),
    /// Whether a channel is full.
    Full(Reg, Reg),
    /// Whether a channel is a rendezvous.
    IsRendezvous(Reg, Reg),
    /// Trouble unless a channel's messages have so many fields.
    Fields(Reg, u8),
    /// Appends a message, the registers from this one on, to the channel in this row of the tables.
    Push(u16, Reg),
    /// Removes the oldest message from the channel in this row of the tables.
    Pop(u16),
    /// Sends the registers from the second on.
    Send(Reg, Reg, bool),
    /// Looks for a message that fits a pattern whose values are in the registers from the third on; the
    /// first register becomes its slot, or -1.
    Find(Reg, Reg, Reg, u32),
    /// A field of the message in the slot that the third register holds.
    Field(Reg, Reg, Reg, u8),
    /// Removes the message in a slot.
    Remove(Reg, Reg),
    /// A field of the message that is being handed over.
    Handed(Reg, u8),
    /// Goes on elsewhere unless the channel is the one over which the message is handed.
    IfOther(Reg, Label),
    /// Trouble if somebody else than this process has declared this use of the channel his own; true for sends.
    Exclusive(u8, Reg, bool),
    /// Creates a process; its arguments are in the registers from the second on.
    Spawn(u8, Reg, u8),
    /// A process with this number and type was created in its fixed place.
    Born(u8, u8),
    /// Ends this process.
    Terminate(u8),
}

impl Instr {
    /// Where it may jump, if the same code says so. (The code of the next process is another.)
    pub fn target_mut(&mut self) -> Option<&mut Label> {
        match self {
            Instr::Jump(to)
            | Instr::IfSlotConst(.., to)
            | Instr::IfSlots(.., to)
            | Instr::IfElementConst(.., to)
            | Instr::IfElementSlot(.., to)
            | Instr::IfRegs(.., to)
            | Instr::IfRegConst(.., to)
            | Instr::IfTimeout(to)
            | Instr::Arrive(.., to)
            | Instr::IfOther(_, to) => Some(to),
            _ => None,
        }
    }
}
