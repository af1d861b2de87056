//! Lifting: what each instruction does, said once.

mod arithmetic;
mod bits;
mod flow;
mod interrupt;
mod operand;
mod operation;
mod stack;

use cocrypt_ir::{Block, Builder, Exact, Exit, Insn, Slot, StopKind, Transfer, Value, simplify};
use cocrypt_isa::{
    CodeMemory, Frontend, InstructionKind, LiftError, Lines, MappedCell, RegisterFile, Trap,
};

use crate::ADDRESSES;
use crate::cells::{self, FLAGS, STATE};
use crate::class::{CLASSES, Class};
use crate::decode::{Decoded, Read, decode};
use crate::description::REGISTER_FILE;
use crate::disasm::disassemble;
use crate::mapped::mapped;
use crate::table::Opcode;

/// Instructions in a block at most: long blocks delay events, and few programs have longer ones.
const LONGEST: usize = 64;
/// As many as the longest instruction needs, and a few more.
const TEMPORARIES: u16 = 96;

/// The MCS-51 front end. The decode mode is the register bank.
#[derive(Clone, Debug)]
pub struct Mcs51 {
    mapped: Vec<MappedCell>,
}

/// The byte at an address.
pub fn byte(code: &dyn CodeMemory, address: u64) -> Option<u8> {
    let unit = code.unit(address & ADDRESSES & !1)?;
    Some(unit.to_le_bytes()[(address & 1) as usize])
}

/// The instruction at an address.
pub fn read(code: &dyn CodeMemory, pc: u64) -> Read {
    decode(&|at| byte(code, pc + u64::from(at)))
}

impl Default for Mcs51 {
    fn default() -> Self {
        Self { mapped: mapped() }
    }
}

impl Frontend for Mcs51 {
    fn classes(&self) -> &'static [&'static str] {
        CLASSES
    }

    fn required(&self) -> Vec<u8> {
        vec![Class::Illegal as u8, Class::Interrupt as u8]
    }

    fn cells(&self) -> &'static [&'static str] {
        STATE
    }

    fn temporaries(&self) -> u16 {
        TEMPORARIES
    }

    fn stack_pointer(&self) -> Slot {
        cells::SP
    }

    fn mapped_cells(&self) -> &[MappedCell] {
        &self.mapped
    }

    fn register_file(&self) -> RegisterFile {
        REGISTER_FILE
    }

    fn status(&self, state: &[u64], _mode: u32) -> u32 {
        let parity = state[usize::from(cells::A.0)].count_ones() & 1;
        let flags = FLAGS.iter().zip(1..);
        flags.fold(parity, |psw, (flag, bit)| psw | (state[usize::from(flag.0)] as u32) << bit)
    }

    fn with_status(&self, status: u32) -> Vec<(Slot, u64)> {
        let flags = FLAGS.iter().zip(1..).filter(|(flag, _)| !is_bank(**flag));
        flags.map(|(&flag, bit)| (flag, u64::from(status >> bit & 1))).collect()
    }

    fn mode(&self, state: &[u64]) -> u32 {
        let flag = |flag: Slot| state[usize::from(flag.0)] as u32;
        flag(cells::RS0) | flag(cells::RS1) << 1
    }

    fn lift(&self, code: &dyn CodeMemory, pc: u64, mode: u32) -> Result<Block, LiftError> {
        let mut lifter = Lifter::new(pc, mode);
        loop {
            match read(code, lifter.next) {
                Read::Unmapped(at) if lifter.block.insns.is_empty() => {
                    return Err(LiftError::Unmapped { address: pc + u64::from(at) });
                }
                Read::Unmapped(_) => return Ok(lifter.cut()),
                Read::Illegal => return Ok(lifter.illegal()),
                Read::Insn(decoded) => lifter.push(&decoded),
            }
            if lifter.ended {
                return Ok(lifter.finish());
            }
            let is_full = lifter.block.insns.len() == LONGEST;
            if is_full || lifter.next <= pc || code.is_boundary(lifter.next) {
                return Ok(lifter.cut());
            }
        }
    }

    fn reset(&self) -> Vec<(Slot, u64)> {
        vec![(cells::SP, cells::STACK_AT_RESET)]
    }

    fn interrupt(&self, state: &[u64], lines: Lines) -> Option<u8> {
        interrupt::accepted(state, lines)
    }

    fn trap(
        &self,
        trap: Trap,
        _code: &dyn CodeMemory,
        pc: u64,
        cells: &[u64],
        mode: u32,
    ) -> Option<Block> {
        let lifter = Lifter::new(pc, mode);
        match trap {
            Trap::Interrupt { number, .. } => Some(lifter.interrupt(number, cells)),
            _ => None,
        }
    }

    fn length(&self, code: &dyn CodeMemory, pc: u64) -> Option<u8> {
        match read(code, pc) {
            Read::Insn(decoded) => Some(decoded.length),
            Read::Illegal => Some(1),
            Read::Unmapped(_) => None,
        }
    }

    fn kind(&self, code: &dyn CodeMemory, pc: u64) -> InstructionKind {
        match read(code, pc) {
            Read::Insn(decoded) => decoded.class().kind(),
            Read::Illegal | Read::Unmapped(_) => InstructionKind::Other,
        }
    }

    fn disassemble(&self, code: &dyn CodeMemory, pc: u64) -> Option<(String, u8)> {
        match read(code, pc) {
            Read::Insn(decoded) => Some((disassemble(&decoded, pc), decoded.length)),
            Read::Illegal | Read::Unmapped(_) => None,
        }
    }
}

/// Returns true if a flag selects the register bank.
const fn is_bank(flag: Slot) -> bool {
    flag.0 == cells::RS0.0 || flag.0 == cells::RS1.0
}

/// A block in the making.
struct Lifter {
    builder: Builder,
    block: Block,
    next: u64,
    ended: bool,
    /// True if the current instruction has written what decides about interrupts, or selects the bank.
    yields: bool,
    /// The value that the current instruction's time depends on, and the number of its first operations that
    /// compute it.
    operand: Option<Value>,
    lead: u16,
    /// The index at which the current instruction's operations begin.
    first: usize,
}

impl Lifter {
    fn new(start: u64, mode: u32) -> Self {
        let builder = Builder::new(cells::COUNT, TEMPORARIES);
        let block = Block::new(start, mode);
        Self {
            builder,
            block,
            next: start,
            ended: false,
            yields: false,
            operand: None,
            lead: 0,
            first: 0,
        }
    }

    fn cut(mut self) -> Block {
        self.block.exit = Exit::Next { pc: self.next };
        self.finish()
    }

    fn illegal(mut self) -> Block {
        self.begin();
        self.note(Class::Illegal, 1);
        self.block.exit = Exit::Stop(StopKind::IllegalInstruction);
        self.finish()
    }

    /// Leaves out the flags that nobody reads.
    fn finish(mut self) -> Block {
        self.block.ops = self.builder.ops;
        simplify(&mut self.block, cells::COUNT, 0, Exact { operands: true, line: None });
        self.block
    }

    fn begin(&mut self) {
        self.builder.begin(0);
        (self.operand, self.lead, self.yields) = (None, 0, false);
        self.first = self.builder.ops.len();
    }

    fn push(&mut self, insn: &Decoded) {
        self.begin();
        let following = (self.next + u64::from(insn.length)) & ADDRESSES;
        let exit = self.operations(insn, following).or_else(|| self.yielding(following));
        self.note(insn.class(), insn.length);
        if let Some(exit) = exit {
            self.block.transfer = transfer(insn);
            self.block.exit = exit;
            self.ended = true;
        }
    }

    fn note(&mut self, class: Class, length: u8) {
        let insn = Insn::new(self.next, length, self.block.mode, class as u8);
        let ops = self.first..self.builder.ops.len();
        let (operand, lead) = (self.operand, self.lead);
        self.block.insns.push(Insn { operand, lead, ops, ..insn });
        self.next = (self.next + u64::from(length)) & ADDRESSES;
    }
}

/// The meaning of a jump for calls.
const fn transfer(insn: &Decoded) -> Transfer {
    match insn.opcode() {
        Opcode::Ret | Opcode::Reti => Transfer::Return,
        Opcode::Acall | Opcode::Lcall => Transfer::Call,
        _ => Transfer::Jump,
    }
}
