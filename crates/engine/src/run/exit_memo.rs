//! Memoised results for programs that leave blocks again and again at the same points, as one does that
//! reads words from addresses that are not aligned.

use std::collections::HashMap;
use std::sync::Arc;

use cocrypt_ir::Block;
use cocrypt_isa::PipelineState;

/// Memoised results, valid until code changes.
#[derive(Clone, Debug, Default)]
pub(super) struct ExitMemo {
    /// The pipeline state behind an instruction in the middle of a block, by the block's index and the
    /// instruction's.
    pub behind: HashMap<(u32, u8), PipelineState>,
    /// The entries into handlers: by address, mode, pipeline state, and the front end's number of the trap.
    pub handler_entries: HashMap<(u64, u32, PipelineState, u32), HandlerEntry>,
    /// Bytes of instructions that make such accesses, by address and mode.
    pub lengths: HashMap<(u64, u32), u8>,
}

impl ExitMemo {
    /// Forgets everything.
    pub fn clear(&mut self) {
        self.behind.clear();
        self.handler_entries.clear();
        self.lengths.clear();
    }
}

/// The entry of a core into a handler, with its cost.
#[derive(Clone, Debug)]
pub(super) struct HandlerEntry {
    pub block: Arc<Block>,
    /// Cycles from the moment since which there is a reason for it.
    pub cycles: u64,
    /// Further cycles for each line that the data cache lacks.
    pub miss: u64,
    /// The pipeline state behind it.
    pub exit_state: PipelineState,
}
