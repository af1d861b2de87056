//! What is found out once where a program leaves blocks again and again at the same places, as one does
//! that reads words from addresses that are not aligned.

use std::collections::HashMap;
use std::sync::Arc;

use cocrypt_ir::Block;
use cocrypt_isa::PipelineState;

/// Kept until code changes.
#[derive(Clone, Debug, Default)]
pub(super) struct Kept {
    /// What is pending behind an instruction in the middle of a block, by the block's index and the
    /// instruction's.
    pub behind: HashMap<(u32, u8), PipelineState>,
    /// The ways to handlers: by address, mode, what is pending, and the front end's number of the trap.
    pub detours: HashMap<(u64, u32, PipelineState, u32), Detour>,
    /// Bytes of instructions that make such accesses, by address and mode.
    pub lengths: HashMap<(u64, u32), u8>,
}

impl Kept {
    /// Forgets everything.
    pub fn clear(&mut self) {
        self.behind.clear();
        self.detours.clear();
        self.lengths.clear();
    }
}

/// What a core does on its way to a handler, and what that takes.
#[derive(Clone, Debug)]
pub(super) struct Detour {
    pub block: Arc<Block>,
    /// Cycles from the moment since which there is a reason for it.
    pub cycles: u64,
    /// Further cycles for each line that the data cache lacks.
    pub miss: u64,
    /// What is pending behind it.
    pub exit_state: PipelineState,
}
