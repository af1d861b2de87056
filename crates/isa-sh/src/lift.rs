//! Lifting: what each instruction does, said once.

mod arithmetic;
mod branch;
mod compute;
mod dsp;
mod memory;
mod multiply;
mod parallel;
mod repeat;
mod special;

pub use memory::destination;

use cocrypt_ir::{Block, Builder, Exact, Exit, Insn, Op, Slot, StopKind, Value, simplify};
use cocrypt_isa::{
    BranchCondition, ByteOrder, CodeMemory, DelaySlot, Frontend, InstructionKind, LiftError, Lines,
    MappedCell, RegisterFile, Trap,
};

use crate::cells::{self, MODE, SR, TARGET};
use crate::class::{CLASSES, Class, KINDS};
use crate::decode::{Decoded, decode_at, word};
use crate::description::register_file;
use crate::disasm::disassemble;
use crate::exceptions::{self, behind};
use crate::frames;
use crate::generation::Generation;
use crate::mode::{self, USER};
use crate::status;
use crate::table::{Address, Opcode, Row, TABLE};

/// Instructions in a block at most.
const LONGEST: usize = 64;
/// The number of temporaries that the longest instruction needs, and a few more.
pub const TEMPORARIES: u16 = 160;
/// Temporaries that a branch keeps for the exit behind its delay slot: its condition.
const KEPT: u16 = 1;

/// The front end.
#[derive(Clone, Debug)]
pub struct SuperH {
    /// The order of a word's bytes in memory.
    pub order: ByteOrder,
    /// The instructions of the core, by number; others are illegal.
    pub implemented: [bool; TABLE.len()],
    /// The level of the interrupt lines, 1 to 15.
    pub level: u32,
    /// The registers of exceptions, as programs reach them.
    pub mapped: &'static [MappedCell],
    /// The generation of the core.
    pub generation: Generation,
}

/// The contents of an address.
enum Read {
    Insn(Decoded),
    Illegal,
    Unmapped,
}

impl SuperH {
    fn read(&self, code: &dyn CodeMemory, pc: u64) -> Read {
        match word(code, self.order, pc).map(|_| decode_at(code, self.order, pc)) {
            None => Read::Unmapped,
            Some(Some(decoded)) if self.implemented[decoded.opcode as usize] => Read::Insn(decoded),
            Some(_) => Read::Illegal,
        }
    }

    /// Returns true if an instruction is illegal where it stands: in user mode, or in a delay slot.
    const fn refuses(&self, insn: Decoded, mode: u32) -> bool {
        let is_user = mode & USER != 0;
        let in_slot = mode::slot(mode).is_some();
        let refused = match self.generation {
            Generation::Sh2 => jumps(insn),
            Generation::Sh3 | Generation::Sh3Dsp => is_illegal_in_slot(insn),
            Generation::Sh4 => is_illegal_in_slot(insn) || is_relative(insn),
        };
        let row = insn.opcode.row();
        let is_off = is_dsp(row) && mode & mode::DSP == 0;
        is_off || is_user && row.privileged || in_slot && refused
    }
}

impl Frontend for SuperH {
    fn classes(&self) -> &'static [&'static str] {
        CLASSES
    }

    fn required(&self) -> Vec<u8> {
        let classes =
            [Class::Illegal, Class::Unmodelled, Class::Trap, Class::Exception, Class::Interrupt];
        classes.map(|class| class as u8).to_vec()
    }

    fn cells(&self) -> &'static [&'static str] {
        cells::STATE
    }

    fn mapped_cells(&self) -> &[MappedCell] {
        self.mapped
    }

    fn temporaries(&self) -> u16 {
        TEMPORARIES
    }

    fn stack_pointer(&self) -> Slot {
        cells::STACK
    }

    fn register_file(&self) -> RegisterFile {
        register_file(self.order)
    }

    fn status(&self, cells: &[u64], _mode: u32) -> u32 {
        status::composed(cells)
    }

    fn with_status(&self, status: u32) -> Vec<(Slot, u64)> {
        status::parts(self.generation, status)
    }

    fn reset(&self) -> Vec<(Slot, u64)> {
        if self.generation == Generation::Sh2 {
            return status::RESET_SH2.to_vec();
        }
        status::RESET.to_vec()
    }

    fn mode(&self, cells: &[u64]) -> u32 {
        if self.generation == Generation::Sh2 {
            return mode::CODE;
        }
        mode::of_status(status::at(cells, SR) | status::at(cells, MODE))
    }

    fn lift(&self, code: &dyn CodeMemory, pc: u64, mode: u32) -> Result<Block, LiftError> {
        if pc & 1 != 0 {
            return Err(LiftError::Unaligned { address: pc });
        }
        let mut lifter = Lifter::new(self, pc, mode);
        loop {
            match self.read(code, lifter.next) {
                Read::Unmapped if lifter.block.insns.is_empty() => {
                    return Err(LiftError::Unmapped { address: pc });
                }
                Read::Unmapped => return Ok(lifter.cut()),
                Read::Insn(decoded) if !self.refuses(decoded, lifter.mode) => lifter.push(decoded),
                Read::Insn(_) | Read::Illegal => return Ok(lifter.illegal()),
            }
            if lifter.repeats() {
                let ends = self.ends(code, lifter.last());
                lifter.repeat_from(&ends);
            }
            if lifter.ended {
                return Ok(lifter.finish());
            }
            // A delay slot stays with its branch.
            let is_full = lifter.block.insns.len() >= LONGEST && mode::slot(lifter.mode).is_none();
            if is_full || lifter.next <= pc || code.is_boundary(lifter.next) {
                return Ok(lifter.cut());
            }
        }
    }

    fn interrupt(&self, cells: &[u64], lines: Lines) -> Option<u8> {
        exceptions::accepted(status::at(cells, SR), lines, self.level)
    }

    /// No computed target leads into a delay slot.
    fn reach(&self, pc: u64, mode: u32) -> u64 {
        pc | u64::from(mode & !mode::KEPT) << 32
    }

    fn trap(
        &self,
        trap: Trap,
        code: &dyn CodeMemory,
        pc: u64,
        cells: &[u64],
        mode: u32,
    ) -> Option<Block> {
        let insn = match self.read(code, pc) {
            Read::Insn(decoded) => Some(decoded),
            Read::Illegal | Read::Unmapped => None,
        };
        match self.generation {
            Generation::Sh2 => frames::entry(self.order, trap, pc, insn, (cells, mode), self.level),
            Generation::Sh3 | Generation::Sh3Dsp | Generation::Sh4 => {
                exceptions::entry(trap, pc, insn, cells, mode)
            }
        }
    }

    fn reason(
        &self,
        kind: StopKind,
        code: &dyn CodeMemory,
        pc: u64,
        cells: &[u64],
    ) -> Option<String> {
        let is_blocked = self.generation != Generation::Sh2;
        match (kind, self.read(code, pc)) {
            (StopKind::EnvironmentCall, _) if is_blocked => Some(special::BLOCKED.to_owned()),
            (StopKind::EnvironmentCall, _) => Some(special::NO_STACK.to_owned()),
            (StopKind::Unmodelled, Read::Insn(insn)) => Some(special::reason(insn)),
            (StopKind::IllegalInstruction, Read::Illegal) => {
                let found = word(code, self.order, pc)?;
                special::absent(found).map(|part| format!("the core here has no {part}"))
            }
            (StopKind::IllegalInstruction, Read::Insn(insn)) => {
                Some(special::refusal(insn, self.mode(cells)))
            }
            _ => None,
        }
    }

    fn length(&self, code: &dyn CodeMemory, pc: u64) -> Option<u8> {
        match self.read(code, pc) {
            Read::Unmapped => None,
            Read::Insn(insn) => Some(insn.length()),
            Read::Illegal => Some(2),
        }
    }

    fn kind(&self, code: &dyn CodeMemory, pc: u64) -> InstructionKind {
        match self.read(code, pc) {
            Read::Insn(insn) => KINDS[insn.opcode.row().class as usize].1,
            Read::Illegal | Read::Unmapped => InstructionKind::Other,
        }
    }

    fn disassemble(&self, code: &dyn CodeMemory, pc: u64) -> Option<(String, u8)> {
        match self.read(code, pc) {
            Read::Insn(insn) => Some((disassemble(insn, pc), insn.length())),
            Read::Illegal | Read::Unmapped => None,
        }
    }

    fn explain(&self, code: &dyn CodeMemory, pc: u64) -> Option<String> {
        let found = word(code, self.order, pc)?;
        let known = decode_at(code, self.order, pc).map(|insn| disassemble(insn, pc));
        known.or_else(|| special::absent(found).map(|part| format!("an instruction of the {part}")))
    }
}

/// A block in the making.
struct Lifter {
    generation: Generation,
    builder: Builder,
    block: Block,
    /// Address and mode of the next instruction.
    next: u64,
    mode: u32,
    ended: bool,
    /// The exit behind the delay slot that comes next, where both are in the block.
    exit: Option<Exit>,
    /// The condition of a branch with a delay slot, should the block not end by the branch.
    condition: Option<BranchCondition>,
}

impl Lifter {
    fn new(core: &SuperH, start: u64, mode: u32) -> Self {
        let builder = Builder::new(cells::COUNT, TEMPORARIES);
        Self {
            generation: core.generation,
            builder: if core.order == ByteOrder::Big { builder.big_endian() } else { builder },
            block: Block::new(start, mode),
            next: start,
            mode,
            ended: false,
            exit: None,
            condition: None,
        }
    }

    /// Ends the block in front of the next instruction, whose mode says what this one began.
    fn cut(mut self) -> Block {
        self.block.exit = Exit::Next { pc: self.next };
        self.block.onward = self.mode;
        self.finish()
    }

    fn illegal(mut self) -> Block {
        self.builder.begin(KEPT);
        self.note(Class::Illegal, self.builder.ops.len());
        self.end(Exit::Stop(StopKind::IllegalInstruction));
        self.finish()
    }

    fn finish(mut self) -> Block {
        if let Some(condition) = self.condition {
            condition.apply(&mut self.block.insns, &self.block.exit);
        }
        self.block.ops = self.builder.ops;
        simplify(&mut self.block, cells::COUNT, KEPT, Exact { operands: true, line: None });
        self.block
    }

    fn push(&mut self, insn: Decoded) {
        let first = self.builder.ops.len();
        self.builder.begin(KEPT);
        let slot = mode::slot(self.mode);
        let mode = self.mode;
        self.mode = mode & mode::KEPT;
        if slot.is_some() && is_unknown_in_slot(insn) {
            self.end(Exit::Stop(StopKind::Unmodelled));
        } else {
            self.operations(insn, first);
        }
        let stops = matches!(self.block.exit, Exit::Stop(StopKind::Unmodelled));
        let class = if stops { Class::Unmodelled } else { insn.opcode.row().class };
        let next = std::mem::replace(&mut self.mode, mode);
        self.note_of(class, first, insn.length());
        self.mode = next;
        if let Some(slot) = slot.filter(|_| !matches!(self.block.exit, Exit::Stop(_))) {
            self.leave(slot);
        }
    }

    /// Goes where the branch leads in whose delay slot the last instruction is.
    fn leave(&mut self, slot: DelaySlot) {
        let exit = slot.exit(self.exit.take(), Value::Slot(TARGET), &self.block.exit);
        self.end(exit);
        self.block.transfer = slot.transfer();
    }

    fn end(&mut self, exit: Exit) {
        self.block.exit = exit;
        self.block.onward = self.mode & mode::KEPT;
        self.ended = true;
    }

    /// Notes the instruction whose operations are those from `first` on.
    fn note(&mut self, class: Class, first: usize) {
        self.note_of(class, first, 2);
    }

    /// The same of an instruction of a length.
    fn note_of(&mut self, class: Class, first: usize, length: u8) {
        let ops = first..self.builder.ops.len();
        let insn = Insn::new(self.next, length, self.mode, class as u8);
        self.block.insns.push(Insn { ops, ..insn });
        self.next = self.next.wrapping_add(length.into()) & 0xffff_ffff;
    }

    fn operations(&mut self, insn: Decoded, first: usize) {
        match insn.opcode.row().class {
            Class::Alu => self.compute(insn),
            Class::Multiply16 | Class::Multiply32 | Class::Multiply64 => self.multiply(insn),
            Class::Accumulate16 | Class::Accumulate32 => self.accumulate(insn),
            Class::Load if insn.opcode == Opcode::LdsPrPop => self.special(insn),
            Class::Store if insn.opcode == Opcode::StsPrPush => self.special(insn),
            Class::Load => self.load(insn),
            Class::Store => self.store(insn),
            Class::Modify => self.modify(insn),
            Class::TestAndSet => self.test_and_set(insn),
            Class::Branch | Class::BranchDelayed => self.branch(insn, first),
            Class::Jump | Class::Return => self.jump(insn),
            Class::MacRegister
            | Class::MacMemory
            | Class::Control
            | Class::ControlLoad
            | Class::Status
            | Class::StatusLoad
            | Class::ControlRead
            | Class::ControlStore
            | Class::DspRegister
            | Class::DspMemory => self.special(insn),
            Class::Dsp | Class::DspSingle => self.dsp(insn),
            Class::Repeat => self.repeat(insn),
            // The memories here have nothing that a hint about caches changes.
            Class::Hint => {}
            Class::Sleep => self.end(Exit::Stop(StopKind::Wait)),
            Class::Trap => self.end(Exit::Stop(StopKind::EnvironmentCall)),
            Class::Unmodelled | Class::Illegal | Class::Exception | Class::Interrupt => {
                self.end(Exit::Stop(StopKind::Unmodelled));
            }
        }
    }

    /// Writes a register.
    fn set(&mut self, register: u8, value: Value) {
        self.builder.write(Slot(register.into()), value);
    }

    /// The operations since `first` only compute what an instruction's time depends on.
    fn leads(&self, first: usize) -> u16 {
        debug_assert!(self.builder.ops[first..].iter().all(|op| !Op::is_access(op)));
        (self.builder.ops.len() - first) as u16
    }
}

/// Returns true if an instruction in a delay slot leads to the handler: one that changes the program counter or the
/// whole status register (SH-4 Software Manual, section 5.6.2, "Slot Illegal Instruction Exception").
const fn is_illegal_in_slot(insn: Decoded) -> bool {
    jumps(insn) || matches!(insn.opcode.row().class, Class::Status | Class::StatusLoad)
}

/// Returns true if an instruction changes the program counter (SH7615 Hardware Manual, table 4.9, of those which are
/// illegal in a delay slot of SH-1 and SH-2).
const fn jumps(insn: Decoded) -> bool {
    matches!(
        insn.opcode.row().class,
        Class::Branch | Class::BranchDelayed | Class::Jump | Class::Return | Class::Trap
    )
}

/// Returns true if an instruction other than a branch counts from the program counter. In a delay slot, such a one is
/// illegal on an SH-4 (SH7760 Group Hardware Manual, "Slot Illegal Instruction Exception", page 191).
const fn is_relative(insn: Decoded) -> bool {
    matches!(insn.opcode.row().address, Address::Relative) || matches!(insn.opcode, Opcode::Mova)
}

/// Returns true if cores differ in what an instruction does in a delay slot: one that sleeps or, before the SH-4, one
/// that counts from the program counter.
const fn is_unknown_in_slot(insn: Decoded) -> bool {
    // Whether a branch that is not taken goes on behind 16 or 32 bits of its slot, no available source says.
    let is_wide = matches!(insn.opcode, Opcode::Parallel);
    is_wide || is_relative(insn) || matches!(insn.opcode.row().class, Class::Sleep | Class::Repeat)
}

/// Returns true if an instruction is one of the DSP.
const fn is_dsp(row: &Row) -> bool {
    matches!(row.extension.as_bytes(), b"dsp")
}
