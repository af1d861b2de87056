//! Blocks: straight-line guest code with one entry and one exit.

use std::ops::Range;

use crate::{Condition, Op, Value, Width};

/// One guest instruction of a block.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Insn {
    /// Guest address, in the instruction set's unit.
    pub pc: u64,
    /// Length in the same unit.
    pub length: u8,
    /// Decode mode under which it was read.
    pub mode: u32,
    /// Timing class: an index into the front end's list of classes.
    pub class: u8,
    /// The operand that decides about the timing, before the instruction writes anything.
    pub operand: Option<Value>,
    /// The number of its first operations that only compute that operand, into temporaries.
    pub lead: u16,
    /// The instruction's operations, as a range of the block's.
    pub ops: Range<usize>,
}

impl Insn {
    /// An instruction without operations, on none of which its time depends.
    #[must_use]
    pub const fn new(pc: u64, length: u8, mode: u32, class: u8) -> Self {
        Self { pc, length, mode, class, operand: None, lead: 0, ops: 0..0 }
    }
}

/// The reason for which a block ends the run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum StopKind {
    /// The encoding means nothing on this core.
    IllegalInstruction,
    /// An environment call, which a core without handler answers by stopping.
    EnvironmentCall,
    /// A breakpoint instruction.
    Breakpoint,
    /// An instruction that waits for an interrupt.
    Wait,
    /// An instruction that the core has, but of which the front end does not know what it does there.
    Unmodelled,
    /// Code in a state, an instruction set as a rule, that the core lacks.
    InvalidState,
    /// An exception or interrupt comes, and the program has no handler where the core looks for one.
    NoHandler {
        /// Its number.
        number: u8,
    },
}

/// The exit of a block, behind the operations of its last instruction.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Exit {
    /// Straight on into the next instruction: the block was cut there.
    Next {
        /// Address of the next instruction.
        pc: u64,
    },
    /// To a known target.
    Jump {
        /// Target address.
        target: u64,
    },
    /// To one of two known targets.
    Branch {
        /// The condition under which the branch is taken.
        condition: Condition,
        /// Width of its operands.
        width: Width,
        /// First operand.
        a: Value,
        /// Second operand.
        b: Value,
        /// The target when taken.
        taken: u64,
        /// The target when not taken.
        next: u64,
    },
    /// To a computed target.
    Indirect {
        /// The target address.
        target: Value,
    },
    /// To an address, computed or straight on (a constant), once the machine has looked whether something
    /// interrupts: the last instruction changed what decides about that, or how code is decoded, of which
    /// it has told the cells that the front end finds the decode mode in.
    Yield {
        /// The address.
        target: Value,
    },
    /// Straight on, as [`Exit::Yield`] where the condition is not 0; else the last instruction changed
    /// nothing that decides about interrupts, and nobody looks.
    YieldIf {
        /// The condition.
        condition: Value,
        /// Address of the next instruction.
        next: u64,
    },
    /// Nowhere: the last instruction stops the machine.
    Stop(StopKind),
}

impl Exit {
    /// The values that it reads.
    #[must_use]
    pub fn operands(&self) -> Vec<Value> {
        match *self {
            Self::Branch { a, b, .. } => vec![a, b],
            Self::Indirect { target } | Self::Yield { target } => vec![target],
            Self::YieldIf { condition, .. } => vec![condition],
            Self::Next { .. } | Self::Jump { .. } | Self::Stop(_) => vec![],
        }
    }
}

/// The meaning of a block's exit for calls, by the conventions of its instruction set. Only profiles depend
/// on it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Transfer {
    /// Neither of the others.
    #[default]
    Jump,
    /// A call, which returns to the address behind the block.
    Call,
    /// A return from a call.
    Return,
}

/// Straight-line guest code, lifted.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Block {
    /// Address of the first instruction.
    pub start: u64,
    /// Decode mode under which the bytes were read (0 where the instruction set has only one).
    pub mode: u32,
    /// The instructions, in order; never empty.
    pub insns: Vec<Insn>,
    /// The operations of all instructions.
    pub ops: Vec<Op>,
    /// The exit of the block.
    pub exit: Exit,
    /// Decode mode of the code that its exit leads to, as far as the exit's target does not say.
    pub onward: u32,
    /// The meaning of the exit for calls.
    pub transfer: Transfer,
}

impl Block {
    /// A block without instructions yet, which goes straight on where it begins.
    #[must_use]
    pub const fn new(start: u64, mode: u32) -> Self {
        Self {
            start,
            mode,
            insns: vec![],
            ops: vec![],
            exit: Exit::Next { pc: start },
            onward: mode,
            transfer: Transfer::Jump,
        }
    }

    /// A block of one instruction, to which all of the operations belong; its exit keeps the mode.
    #[must_use]
    pub fn single(mut insn: Insn, ops: Vec<Op>, exit: Exit) -> Self {
        insn.ops = 0..ops.len();
        let empty = Self::new(insn.pc, insn.mode);
        Self { insns: vec![insn], ops, exit, ..empty }
    }
}
