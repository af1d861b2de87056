//! Timing beside semantics: what a block costs, folded from a core's class table.

use cocrypt_ir::Block;

use crate::CodeMemory;

/// One timing class of one core, its parameters already applied: a row of the core's table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ClassCost {
    /// Cycles from launch until the core asks for the next instruction.
    pub ask: u32,
    /// The named dynamic rule.
    pub rule: Option<String>,
    /// The rule's number, if it takes one.
    pub per_step: Option<u32>,
}

/// Cost that depends on an operand: `table[operand & (table.len() - 1)]` further cycles.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Extra {
    /// Further cycles by operand; its length is a power of two.
    pub table: Vec<u32>,
}

/// What one instruction costs.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct InsnCost {
    /// Cycles from its launch to the launch of its successor, without `extra`. Of a block's last
    /// instruction: when the exit is not taken, or has only one way.
    pub cycles: u32,
    /// The cycle, counted from the launch, in which a memory access would be answered without any
    /// wait, or in which a counter is read.
    pub sample: u32,
    /// Operand-dependent cost.
    pub extra: Option<Extra>,
}

/// What a block costs.
#[derive(Clone, Debug, PartialEq, Eq)]
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
}

/// A core's timing.
pub trait TimingModel: Send + Sync {
    /// What a block costs, given the code around it and `data_wait`, the cycles from request to
    /// answer that every data access is assumed to take.
    fn cost(&self, block: &Block, code: &dyn CodeMemory, data_wait: u32) -> BlockCost;
    /// Cycles from the release of reset to the launch of the instruction at `pc`.
    fn reset(&self, pc: u64, code: &dyn CodeMemory) -> u64;
    /// Whether the core has taken in the next instruction before a store reaches memory, so that a
    /// store to that instruction comes too late for it.
    fn fetches_ahead(&self) -> bool;
    /// Whether the core implements a class at all.
    fn implements(&self, class: u8) -> bool;
}
