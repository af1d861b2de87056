//! Lifting: what each instruction does, said once.

mod arithmetic;
mod cipher;
mod flow;
mod interrupt;
mod memory;
mod operation;
mod pointer;
mod product;

use cocrypt_ir::{Block, Builder, Exact, Exit, Insn, Slot, StopKind, Transfer, Value, simplify};
use cocrypt_isa::{
    CodeMemory, Frontend, InstructionKind, LiftError, Lines, MappedCell, RegisterFile, Trap,
};

use crate::DATA;
use crate::cells::{self, FLAGS, STATE};
use crate::class::{CLASSES, Class};
use crate::decode::{Decoded, decode};
use crate::description::REGISTER_FILE;
use crate::disasm::disassemble;
use crate::features::{Features, Variant};
use crate::mapped::mapped;
use crate::table::{Has, Opcode};

/// Instructions in a block at most: long blocks delay events, and few programs have longer ones.
const LONGEST: usize = 64;
/// As many as the longest instruction needs, and a few more.
const TEMPORARIES: u16 = 96;

/// The AVR front end; cell n is register n.
#[derive(Clone, Debug)]
pub struct Avr {
    core: Features,
    /// The core's classes of instructions, by number; others are illegal.
    implemented: [bool; CLASSES.len()],
    mapped: Vec<MappedCell>,
}

impl Avr {
    /// A core with these features, which implements some of its classes.
    #[must_use]
    pub fn new(core: Features, implemented: [bool; CLASSES.len()]) -> Self {
        Self { core, implemented, mapped: mapped(&core) }
    }

    fn read(&self, code: &dyn CodeMemory, pc: u64) -> Read {
        let Some(first) = code.unit(pc) else { return Read::Unmapped(pc) };
        let next = self.core.wrap(pc + 2);
        let second = code.unit(next);
        match decode(&self.core, first, second.unwrap_or(0)) {
            Some(decoded) if decoded.length == 4 && second.is_none() => Read::Unmapped(next),
            Some(decoded) if self.implemented[decoded.opcode.row().class as usize] => {
                Read::Insn(decoded)
            }
            _ => Read::Illegal,
        }
    }
}

/// The instruction at an address.
enum Read {
    Insn(Decoded),
    Illegal,
    Unmapped(u64),
}

impl Frontend for Avr {
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
        let flags = FLAGS.iter().zip(0..);
        flags.fold(0, |status, (flag, bit)| status | (state[usize::from(flag.0)] as u32) << bit)
    }

    fn with_status(&self, status: u32) -> Vec<(Slot, u64)> {
        let flags = FLAGS.iter().zip(0..);
        flags.map(|(&flag, bit)| (flag, u64::from(status >> bit & 1))).collect()
    }

    fn lift(&self, code: &dyn CodeMemory, pc: u64, mode: u32) -> Result<Block, LiftError> {
        if pc & 1 != 0 {
            return Err(LiftError::Unaligned { address: pc });
        }
        let mut lifter = Lifter::new(&self.core, code, pc, mode);
        loop {
            match self.read(code, lifter.next) {
                Read::Unmapped(address) if lifter.block.insns.is_empty() => {
                    return Err(LiftError::Unmapped { address });
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
        vec![(cells::SP, u64::from(DATA) | u64::from(self.core.ram_end))]
    }

    fn interrupt(&self, state: &[u64], lines: Lines) -> Option<u8> {
        let holds = |cell: Slot| state[usize::from(cell.0)] != 0;
        let open = holds(cells::I) && !holds(cells::EXECUTING) && lines != 0;
        open.then_some(lines.trailing_zeros() as u8)
    }

    fn trap(
        &self,
        trap: Trap,
        code: &dyn CodeMemory,
        pc: u64,
        _cells: &[u64],
        mode: u32,
    ) -> Option<Block> {
        let lifter = Lifter::new(&self.core, code, pc, mode);
        match trap {
            Trap::Interrupt { number, .. } => Some(lifter.interrupt(number)),
            Trap::Instruction(StopKind::Wait) => Some(lifter.waited()),
            _ => None,
        }
    }

    fn reason(
        &self,
        kind: StopKind,
        code: &dyn CodeMemory,
        pc: u64,
        _cells: &[u64],
    ) -> Option<String> {
        let (StopKind::Unmodelled, Read::Insn(decoded)) = (kind, self.read(code, pc)) else {
            return None;
        };
        let part = match decoded.opcode {
            Opcode::Wdr => "the watchdog",
            Opcode::Spm | Opcode::SpmIncrement => "what the program writes to its flash memory",
            _ => return None,
        };
        Some(format!("{part} is not modelled: `{}`", decoded.opcode.row().name))
    }

    fn revealed(&self, code: &dyn CodeMemory, pc: u64) -> Option<Slot> {
        match self.read(code, pc) {
            Read::Insn(Decoded { opcode: Opcode::Mov, d, r, .. }) if d == r => Some(Slot(d.into())),
            Read::Insn(_) | Read::Illegal | Read::Unmapped(_) => None,
        }
    }

    fn length(&self, code: &dyn CodeMemory, pc: u64) -> Option<u8> {
        match self.read(code, pc) {
            Read::Insn(decoded) => Some(decoded.length),
            Read::Illegal => Some(2),
            Read::Unmapped(_) => None,
        }
    }

    fn kind(&self, code: &dyn CodeMemory, pc: u64) -> InstructionKind {
        match self.read(code, pc) {
            Read::Insn(decoded) => decoded.opcode.row().class.kind(),
            Read::Illegal | Read::Unmapped(_) => InstructionKind::Other,
        }
    }

    fn disassemble(&self, code: &dyn CodeMemory, pc: u64) -> Option<(String, u8)> {
        match self.read(code, pc) {
            Read::Insn(decoded) => Some((disassemble(&decoded, pc), decoded.length)),
            Read::Illegal | Read::Unmapped(_) => None,
        }
    }

    fn explain(&self, code: &dyn CodeMemory, pc: u64) -> Option<String> {
        let (first, second) = (code.unit(pc)?, code.unit(self.core.wrap(pc + 2)).unwrap_or(0));
        let known = |core: &Features| decode(core, first, second);
        let decoded = known(&self.core).or_else(|| known(&everything(self.core.variant)))?;
        Some(disassemble(&decoded, pc))
    }
}

/// A core that has whatever any other has.
const fn everything(variant: Variant) -> Features {
    let widest = match variant {
        Variant::Avrrc => Variant::Avrrc,
        _ => Variant::Avrxm,
    };
    Features { wide_counter: true, ..Features::new(widest, 1 << 22) }
}

/// A block in the making.
struct Lifter<'a> {
    core: &'a Features,
    code: &'a dyn CodeMemory,
    builder: Builder,
    block: Block,
    next: u64,
    ended: bool,
    /// Operations at the beginning of the current instruction that compute what its time depends on, and
    /// that value.
    lead: u16,
    operand: Option<Value>,
    /// The index at which the current instruction's operations begin.
    first: usize,
}

impl<'a> Lifter<'a> {
    fn new(features: &'a Features, code: &'a dyn CodeMemory, start: u64, mode: u32) -> Self {
        let builder = Builder::new(cells::COUNT, TEMPORARIES);
        let block = Block::new(start, mode);
        Self {
            core: features,
            code,
            builder,
            block,
            next: start,
            ended: false,
            lead: 0,
            operand: None,
            first: 0,
        }
    }

    fn cut(mut self) -> Block {
        self.block.exit = Exit::Next { pc: self.next };
        self.finish()
    }

    fn illegal(mut self) -> Block {
        self.begin();
        self.note(Class::Illegal, 2);
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
        (self.lead, self.operand, self.first) = (0, None, self.builder.ops.len());
    }

    fn push(&mut self, insn: &Decoded) {
        self.begin();
        let following = self.core.wrap(self.next + u64::from(insn.length));
        let exit = self.operations(insn, following);
        let transfer = transfer(insn, following, exit.as_ref());
        self.note(insn.opcode.row().class, insn.length);
        if let Some(exit) = exit {
            (self.block.exit, self.block.transfer) = (exit, transfer);
            self.ended = true;
        }
    }

    fn note(&mut self, class: Class, length: u8) {
        let insn = Insn::new(self.next, length, self.block.mode, class as u8);
        let (operand, lead) = (self.operand, self.lead);
        let ops = self.first..self.builder.ops.len();
        self.block.insns.push(Insn { operand, lead, ops, ..insn });
        self.next = self.core.wrap(self.next + u64::from(length));
    }
}

/// The meaning of a jump for calls. A call of what follows is how compilers make room on the stack.
fn transfer(insn: &Decoded, following: u64, exit: Option<&Exit>) -> Transfer {
    match insn.opcode.row().class {
        Class::Return => Transfer::Return,
        Class::Call | Class::CallLong | Class::CallExtended => match exit {
            Some(Exit::Jump { target }) if *target == following => Transfer::Jump,
            _ => Transfer::Call,
        },
        _ => Transfer::Jump,
    }
}

const _: () = assert!(Has::FarReads.holds(&everything(Variant::Avrxm)));
