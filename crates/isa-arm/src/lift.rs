//! Lifting: what each instruction does, said once.
//!
//! A program says that it gives a value away on purpose by a hint that does nothing else and that no
//! compiler writes: in A32 `bic rX, rX, #0`, in Thumb `mov rX, rX` of one of the registers 0 to 7
//! (0x4600 and up; `mov r8, r8` is what assemblers fill gaps with).

mod bits;
mod branch;
pub mod builder;
mod compute;
mod cost;
mod data;
mod dsp;
#[cfg(test)]
mod dsp_tests;
mod exceptions;
mod flags;
mod lifter;
mod memory;
mod multiple;
mod parallel;
mod products;
mod reason;
mod system;
mod term;
mod vector;

use cocrypt_ir::{Block, Exact, Slot, StopKind, Value, simplify};
use cocrypt_isa::{
    CodeMemory, Frontend, HostCall, InstructionKind, LiftError, Lines, Page, RegisterFile, Space,
    Trap,
};

use crate::architecture::{Architecture, Version};
use crate::cells;
use crate::class::{CLASSES, Class};
use crate::decode::{Read, read};
use crate::description::{host_call, register_file};
use crate::disasm::{absent, disassemble, is_arithmetic};
use crate::instruction::{
    Access, Condition, DataOp, Instruction, Operand, Operation, Register, Shift, VectorMove,
};
use crate::mmu;
use crate::mode::SUPERVISOR;
use crate::state::State;
use builder::TEMPORARIES;
use lifter::{Lifter, Unaligned};
use system::FLAGS;

/// Instructions in a block at most: long blocks delay events, and few programs have longer ones.
const LONGEST: usize = 64;

/// The exception of the M profile that faults lead to.
const HARD_FAULT: u32 = 3;

/// An ARM front end.
#[derive(Clone, Debug)]
pub struct Arm {
    /// The features of the core.
    pub architecture: Architecture,
    /// Its timing classes, by number; instructions of others are illegal.
    pub implemented: [bool; CLASSES.len()],
    /// The address of the vector table after reset.
    pub vectors: u32,
    /// The value that a store of the program counter stores in A32: bytes behind the instruction, 8 or 12
    /// (DDI 0100I, A2.4.3).
    pub stored_pc: u32,
    /// The main identification register of coprocessor 15.
    pub identification: u32,
    /// The points beside accesses at which blocks may be left.
    pub exact: Exact,
}

impl Arm {
    /// A front end of an architecture with all its classes, its vectors at 0.
    #[must_use]
    pub const fn new(architecture: Architecture) -> Self {
        Self {
            architecture,
            implemented: [true; CLASSES.len()],
            vectors: 0,
            stored_pc: 12,
            identification: 0,
            exact: Exact { operands: true, line: None },
        }
    }

    /// The instruction at `pc`, as this core decodes it.
    fn read(&self, code: &dyn CodeMemory, pc: u64, state: State) -> Read {
        if state.thumb != self.architecture.version.is_m() && !self.has_set(state.thumb) {
            return Read::Illegal { length: if state.thumb { 2 } else { 4 } };
        }
        match read(self.architecture, code, pc, state) {
            Read::Instruction(instruction)
                if !self.implemented[cost::class(&instruction) as usize] =>
            {
                Read::Illegal { length: instruction.length }
            }
            read => read,
        }
    }

    /// The cause of a stop at something that does not decode as an instruction. Arithmetic of the
    /// floating-point extension is one where the core has that, but nobody here knows what it takes.
    fn unknown(&self, code: &dyn CodeMemory, pc: u64, state: State) -> StopKind {
        let is_known =
            self.architecture.vector && is_arithmetic(wide(code, pc, state).unwrap_or(0));
        if is_known { StopKind::Unmodelled } else { StopKind::IllegalInstruction }
    }

    const fn has_set(&self, thumb: bool) -> bool {
        if thumb {
            self.architecture.version.has_thumb()
        } else {
            self.architecture.version.has_a32()
        }
    }

    /// The block at `pc`, with all that its instructions do, be it needed or not.
    ///
    /// # Errors
    /// Fails if not even its first instruction can be read.
    pub fn draft(&self, code: &dyn CodeMemory, pc: u64, mode: u32) -> Result<Block, LiftError> {
        let state = State::from_number(mode);
        let mut lifter = Lifter::new(self, pc, mode);
        let is_m = self.architecture.version.is_m();
        let returns = is_m && exceptions::is_return(pc);
        if is_m && !state.thumb && !returns {
            return Ok(lifter.illegal(4, StopKind::InvalidState));
        }
        if pc & if state.thumb { 1 } else { 3 } != 0 {
            return Err(LiftError::Unaligned { address: pc });
        }
        if returns {
            return Ok(lifter.exception_return());
        }
        loop {
            let (at, count) = lifter.next();
            match self.read(code, at, lifter.state) {
                Read::Unmapped(address) if count == 0 => {
                    return Err(LiftError::Unmapped { address });
                }
                Read::Unmapped(_) => return Ok(lifter.finish()),
                Read::Illegal { length } => {
                    let kind = self.unknown(code, at, lifter.state);
                    return Ok(lifter.illegal(length, kind));
                }
                Read::Instruction(instruction) => lifter.push(&instruction),
            }
            let (next, count) = lifter.next();
            if lifter.ended() || count == LONGEST || code.is_boundary(next) {
                return Ok(lifter.finish());
            }
        }
    }

    /// The instruction at `pc` where an access of it is not aligned; nothing where the core refuses that.
    fn unaligned(&self, code: &dyn CodeMemory, pc: u64, address: u32, mode: u32) -> Option<Block> {
        let state = State::from_number(mode);
        let Read::Instruction(instruction) = self.read(code, pc, state) else { return None };
        let way = unaligned_way(self.architecture, &instruction.operation, address)?;
        let state = State { holds: true, ..state };
        let mut lifter = Lifter::new(self, pc, state.number());
        lifter.unaligned = way;
        lifter.push(&instruction);
        let mut block = lifter.finish();
        self.eliminate_dead_stores(&mut block);
        (block.mode, block.insns[0].mode) = (mode, mode);
        if let (Unaligned::Split(address), Some(bytes)) = (way, width(&instruction.operation)) {
            let parts = memory::parts(address, bytes).count();
            block.insns[0].operand = Some(Value::Const(parts as u64));
        }
        Some(block)
    }

    /// The address of code and the state to read it in, where nothing but an address is given: its lowest
    /// bit says that it is Thumb, as that of a function's symbol does.
    const fn named(&self, pc: u64) -> (u64, State) {
        let thumb = pc & 1 != 0 || self.architecture.version.is_m();
        (pc & !1, State { thumb, it: 0, mode: 0, holds: false })
    }

    fn eliminate_dead_stores(&self, block: &mut Block) {
        simplify(block, cells::COUNT, flags::KEPT, self.exact);
    }
}

/// The two units of a wide encoding, the first in the upper half.
fn wide(code: &dyn CodeMemory, pc: u64, state: State) -> Option<u32> {
    let (first, second) = (code.unit(pc)?, code.unit(pc.wrapping_add(2))?);
    let (high, low) = if state.thumb { (first, second) } else { (second, first) };
    let is_wide = !state.thumb || high >= 0xe800;
    is_wide.then_some(u32::from(high) << 16 | u32::from(low))
}

/// Returns true if the program has asked for a fault at any access that is not aligned.
const fn refuses_unaligned(cells: &[u64]) -> bool {
    cells[cells::SYSTEM_CONTROL.0 as usize] & 2 != 0
}

/// Bytes of the access of a load or store.
const fn width(operation: &Operation) -> Option<u32> {
    match operation {
        Operation::Transfer { access, .. } => Some(match access {
            Access::Byte | Access::SignedByte => 1,
            Access::Half | Access::SignedHalf => 2,
            Access::Word => 4,
        }),
        _ => None,
    }
}

/// The effect of a misaligned access (DDI 0100I, A2.8; DDI 0403, A3.2.1; DDI 0419, A3.2.1).
fn unaligned_way(
    architecture: Architecture,
    operation: &Operation,
    address: u32,
) -> Option<Unaligned> {
    let splits = architecture.version.has_thumb2();
    match operation {
        _ if architecture.version.has_a32() => Some(Unaligned::Rounded),
        Operation::Transfer { .. } if splits => Some(Unaligned::Split(address % 4)),
        _ => None,
    }
}

impl Frontend for Arm {
    fn classes(&self) -> &'static [&'static str] {
        CLASSES
    }

    fn required(&self) -> Vec<u8> {
        let ways = [Class::EnterSystem, Class::EnterIllegal, Class::EnterFault, Class::Interrupt];
        let back = self.architecture.version.is_m().then_some(Class::Return);
        let all = [Class::Illegal].into_iter().chain(ways).chain(back);
        all.map(|class| class as u8).collect()
    }

    fn cells(&self) -> &'static [&'static str] {
        cells::NAMES
    }

    fn temporaries(&self) -> u16 {
        TEMPORARIES
    }

    fn stack_pointer(&self) -> Slot {
        cells::SP
    }

    fn register_file(&self) -> RegisterFile {
        register_file(self.architecture.version)
    }

    fn status(&self, cells: &[u64], mode: u32) -> u32 {
        let state = State::from_number(mode);
        let bit = |cell: Slot, at: u32| (cells[usize::from(cell.0)] as u32 & 1) << at;
        let flags = FLAGS.iter().fold(0, |all, &(cell, at)| all | bit(cell, at as u32));
        let rest = if self.architecture.version.is_m() {
            cells[usize::from(cells::IPSR.0)] as u32 | u32::from(state.thumb) << 24
        } else {
            let off = bit(cells::IRQ_OFF, 7) | bit(cells::FIQ_OFF, 6);
            u32::from(state.mode) | off | u32::from(state.thumb) << 5
        };
        flags | rest | (cells[usize::from(cells::GE.0)] as u32 & 15) << 16
    }

    fn with_status(&self, status: u32) -> Vec<(Slot, u64)> {
        FLAGS.into_iter().map(|(cell, at)| (cell, u64::from(status) >> at & 1)).collect()
    }

    fn lift(&self, code: &dyn CodeMemory, pc: u64, mode: u32) -> Result<Block, LiftError> {
        let mut block = self.draft(code, pc, mode)?;
        self.eliminate_dead_stores(&mut block);
        Ok(block)
    }

    fn reset(&self) -> Vec<(Slot, u64)> {
        let vectors = (cells::VECTORS, self.vectors.into());
        if self.architecture.version.is_m() {
            return vec![vectors, (cells::THUMB, 1)];
        }
        let mode = (cells::MODE, SUPERVISOR.into());
        vec![vectors, mode, (cells::IRQ_OFF, 1), (cells::FIQ_OFF, 1)]
    }

    fn mode(&self, cells: &[u64]) -> u32 {
        let now = |cell: Slot| cells[usize::from(cell.0)];
        State {
            thumb: now(cells::THUMB) != 0,
            it: now(cells::IT) as u8,
            mode: now(cells::MODE) as u8,
            holds: now(cells::HOLDS) != 0,
        }
        .number()
    }

    fn land(&self, target: u64, onward: u32) -> (u64, u32) {
        let thumb = target & 1 != 0 && self.architecture.version.has_thumb();
        let state = State { thumb, ..State::from_number(onward) };
        let mask =
            if thumb || self.architecture.version.is_m() { 0xffff_fffe } else { 0xffff_fffc };
        (target & mask, state.number())
    }

    fn reach(&self, pc: u64, mode: u32) -> u64 {
        pc | u64::from(State::from_number(mode).thumb)
    }

    fn space(&self, cells: &[u64]) -> Option<Space> {
        if self.architecture.version.is_m() { None } else { mmu::space(cells) }
    }

    fn page(
        &self,
        space: &Space,
        address: u32,
        memory: &dyn Fn(u32) -> Option<u32>,
    ) -> Result<Page, u32> {
        mmu::page(space, address, memory)
    }

    fn interrupt(&self, cells: &[u64], lines: Lines) -> Option<u8> {
        exceptions::interrupt(self.architecture.version.is_m(), cells, lines)
    }

    fn vectors(&self) -> Option<Slot> {
        self.architecture.version.is_m().then_some(cells::VECTORS)
    }

    fn handles_fault(&self, cells: &[u64], mode: u32) -> bool {
        self.architecture.version.is_m() && self.status(cells, mode) & 0x1ff == HARD_FAULT
    }

    fn host_call(
        &self,
        stop: StopKind,
        memory: &dyn Fn(u32) -> Option<u32>,
        pc: u32,
        mode: u32,
    ) -> Option<HostCall> {
        let thumb = State::from_number(mode).thumb;
        host_call(self.architecture.version, stop, memory, pc, thumb)
    }

    fn trap(
        &self,
        trap: Trap,
        code: &dyn CodeMemory,
        pc: u64,
        cells: &[u64],
        mode: u32,
    ) -> Option<Block> {
        if let (Trap::Unaligned { address, .. }, false) = (trap, refuses_unaligned(cells))
            && let Some(block) = self.unaligned(code, pc, address, mode)
        {
            return Some(block);
        }
        let length = match self.read(code, pc, State::from_number(mode)) {
            Read::Instruction(instruction) => instruction.length,
            Read::Illegal { length } => length,
            Read::Unmapped(_) => 0,
        };
        exceptions::trap(self, trap, code, pc, length, cells, mode)
    }

    fn alike(&self, trap: Trap, cells: &[u64]) -> Option<u32> {
        match trap {
            Trap::Unaligned { address, .. } if !refuses_unaligned(cells) => {
                self.architecture.version.has_thumb2().then_some(address % 4)
            }
            _ => None,
        }
    }

    fn revealed(&self, code: &dyn CodeMemory, pc: u64) -> Option<Slot> {
        [false, true].into_iter().filter(|&thumb| self.has_set(thumb)).find_map(|thumb| {
            let state = State { thumb, ..State::default() };
            match self.read(code, pc, state) {
                Read::Instruction(instruction) => revealed(&instruction).map(cells::general),
                Read::Illegal { .. } | Read::Unmapped(_) => None,
            }
        })
    }

    fn length(&self, code: &dyn CodeMemory, pc: u64) -> Option<u8> {
        let (pc, state) = self.named(pc);
        match self.read(code, pc, state) {
            Read::Instruction(instruction) => Some(instruction.length),
            Read::Illegal { length } => Some(length),
            Read::Unmapped(_) => None,
        }
    }

    fn reason(
        &self,
        kind: StopKind,
        code: &dyn CodeMemory,
        pc: u64,
        cells: &[u64],
    ) -> Option<String> {
        let is_m = self.architecture.version.is_m();
        match kind {
            StopKind::NoHandler { number } => Some(reason::no_handler(is_m, number, code, cells)),
            StopKind::InvalidState => Some(reason::no_thumb(pc as u32, code, cells)),
            _ => None,
        }
    }

    fn explain(&self, code: &dyn CodeMemory, pc: u64) -> Option<String> {
        let (at, state) = self.named(pc);
        let (version, vector) = if self.architecture.version.is_m() {
            (Version::V7EM, true)
        } else {
            (Version::V5TE, false)
        };
        let word = wide(code, at, state);
        match read(Architecture { version, vector }, code, at, state) {
            Read::Instruction(instruction) if !word.is_some_and(is_arithmetic) => {
                Some(disassemble(&instruction, at))
            }
            _ => word.and_then(absent),
        }
    }

    fn kind(&self, code: &dyn CodeMemory, pc: u64) -> InstructionKind {
        let (pc, state) = self.named(pc);
        match self.read(code, pc, state) {
            Read::Instruction(instruction) => kind(&instruction),
            Read::Illegal { .. } | Read::Unmapped(_) => InstructionKind::Other,
        }
    }

    fn disassemble(&self, code: &dyn CodeMemory, pc: u64) -> Option<(String, u8)> {
        let (pc, state) = self.named(pc);
        match self.read(code, pc, state) {
            Read::Instruction(instruction) => {
                Some((disassemble(&instruction, pc), instruction.length))
            }
            Read::Illegal { .. } | Read::Unmapped(_) => None,
        }
    }
}

/// The energy class of an instruction: that of its class, which does not tell a branch from a jump, nor
/// moves of a status from others.
fn kind(instruction: &Instruction) -> InstructionKind {
    match instruction.operation {
        Operation::Branch { .. } if instruction.condition == Condition::Always => {
            InstructionKind::Jump
        }
        Operation::VectorMove(VectorMove::FromStatus { .. } | VectorMove::ToStatus { .. }) => {
            InstructionKind::Other
        }
        _ => cost::class(instruction).kind(),
    }
}

/// The register whose value a hint gives away.
fn revealed(instruction: &Instruction) -> Option<Register> {
    let Operation::Data { op, sets_flags: false, rd, rn, operand } = instruction.operation else {
        return None;
    };
    let gives = match (op, operand) {
        (DataOp::Bic, Operand::Immediate { value: 0, .. }) => !instruction.thumb && rn == rd,
        (DataOp::Mov, Operand::Register { rm, shift: Shift::Left, amount: 0 }) => {
            instruction.thumb && instruction.length == 2 && rm == rd && rd < 8
        }
        _ => false,
    };
    (gives && rd != 15).then_some(rd)
}
