//! Random programs: machine code does what the loop does, and the comparison notices if not.
use model::{BinaryOp, UnaryOp};

use super::{Blueprint, Memory, Native};
use crate::code::{Array, Comparison, Instr, Label, Reg};
use crate::machine::{Tables, compute};
use crate::points::Points;
use crate::slot::Slot;
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
        let (begins, processes, count) = (vec![(0, false)], vec![0], Slot::new(0, 8));
        let blueprint = Blueprint { begins, processes, count, stride: WORDS };
        let native = Native::new(code, &blueprint, &tables).expect("this processor is known");
        let (making, registers, taken, points) = (out.making(), &mut registers, &mut taken, &mut Points::default());
        let memory = Memory { here: &mut here, making, registers, taken, points };
        native.run((0, false), memory).expect("it can be entered").0
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
