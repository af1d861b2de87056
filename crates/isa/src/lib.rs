//! The interface of an instruction-set front end: decoding and lifting on one side, timing on the other.
//!
//! [`Frontend`] says what instructions do, [`TimingModel`] what they cost, and [`InterruptTiming`] in
//! front of which of them an interrupt is taken; none knows the others, and the engine knows them only
//! through these traits. [`InstructionSet`] is what everybody else knows.

mod caches;
mod delay;
mod description;
mod interrupt;
mod latch;
mod mapped;
mod pipeline;
mod space;
mod timing;
mod trap;

pub use caches::{Caches, CachesOn, Geometry, Invalidation, Replacement};
pub use delay::{BranchCondition, DelaySlot};
pub use description::{
    AddressSpace, Builder, ByteOrder, Caller, CodePointer, Compiler, CompilerKind, Convention,
    Core, CoreError, Effect, Elf, Encoding, External, InstructionKind, InstructionSet, Jump, Links,
    Pointers, Private, Register, RegisterFile, Role, Target, Toolchain, Written, names, parameter,
    quoted, table,
};
pub use interrupt::{AtIssue, Decision, Front, InterruptTiming, Registers};
pub use latch::Latch;
pub use mapped::{CellPart, MappedCell};
pub use pipeline::{PipelineState, STAYS};
pub use space::{Page, Purpose, Space};
pub use timing::{BlockCost, ClassCost, Collision, Extra, InsnCost, Line, Select, TimingModel};
pub use trap::{Lines, Trap};

use cocrypt_ir::{Block, Slot, StopKind};

/// The code that a front end reads, and what fetching it costs.
pub trait CodeMemory {
    /// The 16-bit unit at an even address, or nothing where no memory answers.
    fn unit(&self, address: u64) -> Option<u16>;
    /// Cycles from request to answer of an instruction fetch at this address.
    fn fetch_wait(&self, address: u64) -> u32;
    /// Returns true if a block must end before this address (the start of a function, say).
    fn is_boundary(&self, address: u64) -> bool;
}

/// The reason for which a block could not be lifted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LiftError {
    /// No memory answers at this address.
    Unmapped {
        /// The address of the fetch.
        address: u64,
    },
    /// The address is not one that an instruction can start at.
    Unaligned {
        /// The target of the jump.
        address: u64,
    },
}

/// A call to the host that an instruction is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct HostCall {
    /// Bytes of the instruction.
    pub length: u8,
    /// The cell with the number of what is asked for.
    pub number: Slot,
    /// The cell with its argument.
    pub argument: Slot,
    /// The cell that takes the answer.
    pub result: Slot,
}

/// An instruction-set front end.
pub trait Frontend: Send + Sync {
    /// Names of the timing classes, in the order of [`cocrypt_ir::Insn::class`].
    fn classes(&self) -> &'static [&'static str];
    /// The classes, by number, that come up beside those of the instructions that the core implements:
    /// of what is no instruction, and of entries into handlers. A core without a cost for one of them
    /// cannot run.
    fn required(&self) -> Vec<u8> {
        vec![]
    }
    /// Names of the guest state's cells, in order; they are the first cells of the file.
    fn cells(&self) -> &'static [&'static str];
    /// The guest state that programs reach as memory too. An instruction that reaches it by an address which
    /// is known when it is lifted uses the cells themselves; one that computes the address writes guest state
    /// behind all of its accesses, so that it can be begun again.
    fn mapped_cells(&self) -> &[MappedCell] {
        &[]
    }
    /// The number of temporaries that a block may use beyond the guest state.
    fn temporaries(&self) -> u16;
    /// The cell of the stack pointer.
    fn stack_pointer(&self) -> Slot;
    /// The debugger's view of the registers.
    fn register_file(&self) -> RegisterFile {
        RegisterFile::NONE
    }
    /// The status register that the cells compose, where the register file has one.
    fn status(&self, _cells: &[u64], _mode: u32) -> u32 {
        0
    }
    /// The new values of the cells if that register is written; what decides about modes in it stays.
    fn with_status(&self, _status: u32) -> Vec<(Slot, u64)> {
        vec![]
    }
    /// Lifts the block that starts at `pc` under the decode mode `mode`.
    ///
    /// # Errors
    /// Fails if not even its first instruction can be read.
    fn lift(&self, code: &dyn CodeMemory, pc: u64, mode: u32) -> Result<Block, LiftError>;
    /// The reset values of the guest state's cells, where they are not 0.
    fn reset(&self) -> Vec<(Slot, u64)> {
        vec![]
    }
    /// The decode mode that the guest state asks for, as it stands behind [`cocrypt_ir::Exit::Yield`] and
    /// on entry into a handler.
    fn mode(&self, _cells: &[u64]) -> u32 {
        0
    }
    /// The line that the last instruction takes out of a cache, which ended its block by
    /// [`cocrypt_ir::Exit::Yield`]; it stands in the guest state, and is taken from there.
    fn invalidation(&self, _cells: &mut [u64]) -> Option<Invalidation> {
        None
    }
    /// The address and mode of a computed target, from code whose exits go on in the mode `onward`: its
    /// address, and the decode mode there. Some instruction sets say the mode in the target's lowest bit,
    /// which is 0 in every address.
    fn land(&self, target: u64, onward: u32) -> (u64, u32) {
        (target, onward)
    }
    /// The computed target that leads to an address in a decode mode: what [`Frontend::land`] undoes.
    fn reach(&self, pc: u64, _mode: u32) -> u64 {
        pc
    }
    /// The address translation that the guest state sets up; nothing where they are not.
    fn space(&self, _cells: &[u64]) -> Option<Space> {
        None
    }
    /// The page of an address, given what words of memory hold.
    ///
    /// # Errors
    /// The core's fault status, where there is none.
    fn page(
        &self,
        _space: &Space,
        _address: u32,
        _memory: &dyn Fn(u32) -> Option<u32>,
    ) -> Result<Page, u32> {
        Err(0)
    }
    /// The interrupt that is taken next, of the lines that are up.
    fn interrupt(&self, _cells: &[u64], _lines: Lines) -> Option<u8> {
        None
    }
    /// The cell that says where the vector table is, of a core that starts by what stands there.
    fn vectors(&self) -> Option<Slot> {
        None
    }
    /// Returns true if the guest state is that of the handler which faults lead to.
    fn handles_fault(&self, _cells: &[u64], _mode: u32) -> bool {
        false
    }
    /// The call to the host that the instruction at `pc` is which stopped the machine for this, given what
    /// words of memory hold.
    fn host_call(
        &self,
        _stop: StopKind,
        _memory: &dyn Fn(u32) -> Option<u32>,
        _pc: u32,
        _mode: u32,
    ) -> Option<HostCall> {
        None
    }
    /// The core's latch of interrupt requests, if it has one.
    fn latch(&self) -> Option<&dyn Latch> {
        None
    }
    /// Returns true if an interrupt that comes while an exception leads to its handler is taken there at
    /// once, as if the exception had not switched interrupts off.
    fn interrupts_exceptions(&self) -> bool {
        false
    }
    /// The core's entry into its handler from `pc`, as a block of one instruction; nothing if it has none,
    /// or the program did not say where it is.
    fn trap(
        &self,
        _trap: Trap,
        _code: &dyn CodeMemory,
        _pc: u64,
        _cells: &[u64],
        _mode: u32,
    ) -> Option<Block> {
        None
    }
    /// The number under which the block of a trap may be kept for the next one at the same address in the same
    /// mode: it is the same then, if it leads on behind its instruction. Nothing if it depends on more.
    fn alike(&self, _trap: Trap, _cells: &[u64]) -> Option<u32> {
        None
    }
    /// The cell whose value the program says, at `pc`, that it gives away on purpose: a hint that does
    /// nothing else.
    fn revealed(&self, _code: &dyn CodeMemory, _pc: u64) -> Option<Slot> {
        None
    }
    /// Bytes of what stands at `pc`, be it an instruction of this core or not.
    fn length(&self, _code: &dyn CodeMemory, _pc: u64) -> Option<u8> {
        None
    }
    /// The effect of the instruction at `pc` on a device's energy; the address as for `disassemble`.
    fn kind(&self, _code: &dyn CodeMemory, _pc: u64) -> InstructionKind {
        InstructionKind::Other
    }
    /// The instruction at `pc` in assembly, with its length in bytes.
    fn disassemble(&self, code: &dyn CodeMemory, pc: u64) -> Option<(String, u8)>;
    /// An explanation of the stop at `pc`, with what to do, where more can be said than the kind says; the
    /// guest state as it was then.
    fn reason(
        &self,
        _kind: StopKind,
        _code: &dyn CodeMemory,
        _pc: u64,
        _cells: &[u64],
    ) -> Option<String> {
        None
    }
    /// The instruction at an address, in assembly or in words, if only another core has it; the address as
    /// for `disassemble`.
    fn explain(&self, code: &dyn CodeMemory, pc: u64) -> Option<String> {
        self.disassemble(code, pc).map(|(text, _)| text)
    }
}
