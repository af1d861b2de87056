//! Timing beside semantics: what a block costs, folded from a core's class table.

use cocrypt_ir::{Block, Insn, Slot, Value};

use crate::{AtIssue, Caches, CachesOn, CodeMemory, InterruptTiming, PipelineState};

/// One timing class of one core, its parameters already applied: a row of the core's table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ClassCost {
    /// Cycles from issue until the core asks for the next instruction.
    pub ask: u32,
    /// The named dynamic rule.
    pub rule: Option<String>,
    /// The rule's number, if it takes one.
    pub per_step: Option<u32>,
}

/// The part of an operand that decides about further cycles.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Select {
    /// Its low bits, as many as the table's length needs.
    Low,
    /// The number of its bits up to the highest one, 0 to 32; the table has 64 entries.
    Length,
    /// The same of the operand, or of its complement where it is negative: 0 to 31, of 32 entries.
    SignedLength,
    /// True if it is not zero; the table has two entries.
    NonZero,
}

impl Select {
    /// The entry of a table of `entries` (a power of two) that a 32-bit operand selects.
    #[must_use]
    pub const fn index(self, operand: u32, entries: usize) -> usize {
        let index = match self {
            Self::Low => operand,
            Self::Length => 32 - operand.leading_zeros(),
            Self::SignedLength => 32 - (operand ^ ((operand as i32) >> 31) as u32).leading_zeros(),
            Self::NonZero => (operand != 0) as u32,
        };
        index as usize & (entries - 1)
    }
}

/// Cost that depends on an operand: `table[select.index(operand, table.len())]` further cycles.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Extra {
    /// The part of the operand that decides.
    pub select: Select,
    /// Further cycles; its length is a power of two.
    pub table: Vec<u32>,
    /// Nothing, or for each entry the pipeline state before the instruction once it is known that this
    /// entry counts, if what follows then costs something else than predicted, or else
    /// [`STAYS`](crate::STAYS). The block is left before the instruction, and another entered.
    pub exit_states: Vec<PipelineState>,
    /// The cell that decides, if it is not the instruction's own operand.
    pub of: Option<Slot>,
}

impl Extra {
    /// The operand that decides about the cost of an instruction.
    #[must_use]
    pub fn operand(&self, insn: &Insn) -> Option<Value> {
        self.of.map(Value::Slot).or(insn.operand)
    }
}

/// A line of the instruction cache that a block reads, or that the cache forgets all lines.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Line {
    /// Index of the instruction before which it is read.
    pub at: u8,
    /// An address in the line.
    pub address: u32,
    /// True if the cache forgets all lines instead, which counts as lacking one.
    pub clears: bool,
    /// Further cycles if the cache lacks it; fewer if what would have held up the instruction does not.
    pub miss: i32,
    /// The pipeline state before the instruction if the cache lacked the line, where that is another
    /// than if it had it. The block is then left there, and another entered.
    pub exit_state: Option<PipelineState>,
}

/// The cost of one instruction.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct InsnCost {
    /// Cycles from its issue to the issue of its successor, without `extra`. Of a block's last
    /// instruction: when the exit is not taken, or has only one successor.
    pub cycles: u32,
    /// The cycle, counted from the issue, in which a memory access would be answered without any
    /// wait, or in which a counter is read.
    pub sample: u32,
    /// Operand-dependent cost.
    pub extra: Option<Extra>,
    /// Further cycles of a load or store whose line the data cache lacks.
    pub miss: u32,
    /// The pipeline state before the instruction if a load's line was brought in, and the load is made
    /// again; the block is then left there. Nothing if it goes on as if the line had been there. This
    /// and what follows is for instructions that do nothing but load.
    pub miss_exit_state: Option<PipelineState>,
    /// The pipeline state before a load once it is known that it goes beyond the directly mapped memory,
    /// if it then costs something else; the block is left before it, and another entered.
    pub elsewhere: Option<PipelineState>,
    /// Stores right before a load that hold it up if they wrote some of what it reads, to a line that
    /// the data cache holds.
    pub collisions: Vec<Collision>,
}

/// A store that holds up a load which reads what it wrote.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Collision {
    /// 0 for the store that was made last, 1 for the one before it.
    pub recent: u8,
    /// Its width in bytes.
    pub bytes: u32,
    /// Cycles from the load's issue to its replay.
    pub cycles: i32,
    /// The pipeline state then.
    pub exit_state: PipelineState,
}

impl Collision {
    /// Returns true if a load reads some of what the store wrote.
    #[must_use]
    pub const fn meets(&self, stored: u32, address: u32, bytes: u32) -> bool {
        address.wrapping_sub(stored) < self.bytes || stored.wrapping_sub(address) < bytes
    }
}

/// The cost of a block.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct BlockCost {
    /// One entry per instruction.
    pub insns: Vec<InsnCost>,
    /// Cost of the last instruction when a branch is taken; its `cycles` otherwise.
    pub taken: u32,
    /// Added when the block is entered through a computed jump: the part of the jump's cost that
    /// depends on where it goes.
    pub entry: u32,
    /// Cost of the last instruction, a jump or a taken branch, when no instruction can start where it
    /// goes: up to and including the first cycle in which the core shows that it stopped.
    pub refused: u32,
    /// The pipeline state behind the block: when its exit is not taken or has only one successor, and when
    /// its branch is taken.
    pub exit_states: [PipelineState; 2],
    /// The lines of the instruction cache that it reads, in order.
    pub lines: Vec<Line>,
}

/// A core's timing: what blocks cost, and who says when interrupts are taken.
pub trait TimingModel: Send + Sync {
    /// The cost of a block, given the code around it, `data_wait`, the cycles from request to answer that
    /// every data access is assumed to take, and the pipeline state where it begins.
    fn cost(
        &self,
        block: &Block,
        code: &dyn CodeMemory,
        data_wait: u32,
        state: PipelineState,
    ) -> BlockCost;
    /// Cycles from the release of reset to the issue of the instruction at `pc`.
    fn reset(&self, pc: u64, code: &dyn CodeMemory) -> u64;
    /// Returns true if the core has taken in the next instruction before a store reaches memory, so that a
    /// store to that instruction comes too late for it.
    fn fetches_ahead(&self) -> bool;
    /// Cycles from an access's request to where the machine shows that nobody answers it.
    fn shows_faults(&self) -> u64 {
        0
    }
    /// Its interrupt timing.
    fn interrupts(&self) -> &dyn InterruptTiming {
        &AtIssue
    }
    /// The caches whose contents decide about further cycles.
    fn caches(&self) -> Caches {
        Caches::default()
    }
    /// The caches that are on in a decode mode.
    fn caches_on(&self, _mode: u32) -> CachesOn {
        CachesOn { instruction: true, data: true }
    }
    /// Returns true if the core implements a class at all.
    fn implements(&self, class: u8) -> bool;
}
