//! The interface of a compiled back end: it runs regions of hot blocks, and may decline any of them.

use std::sync::Arc;

use cocrypt_ir::Slot;
use cocrypt_isa::{Caches, PipelineState};

use crate::access::{Outside, Refusal};
use crate::cache::{Cache, Count, ObservedMemory};
use crate::caches::{CacheState, memory_of};
use crate::contexts::Contexts;
use crate::interpret::{Cells, Clock};
use crate::source::Source;

/// The blocks that were met so far, by number, for a back end to choose its regions from.
pub struct Blocks<'a>(pub(crate) &'a Cache);

impl Blocks<'_> {
    /// The source from which a block was translated.
    #[must_use]
    pub fn source(&self, index: u32) -> &Arc<Source> {
        &self.0.blocks[index as usize].source
    }

    /// The successors of a block seen so far: next or only one, taken.
    #[must_use]
    pub fn links(&self, index: u32) -> [Option<u32>; 2] {
        self.0.blocks[index as usize].links.map(|link| (link != u32::MAX).then_some(link))
    }

    /// The targets of a block's computed jump seen so far.
    pub fn targets(&self, index: u32) -> impl Iterator<Item = u32> + '_ {
        self.0.blocks[index as usize].targets.iter().copied().filter(|&target| target != u32::MAX)
    }

    /// The accesses of a block's instructions seen to reach something beside the directly mapped memory.
    #[must_use]
    pub fn seen(&self, index: u32) -> ObservedMemory {
        self.0.blocks[index as usize].seen
    }

    /// The number of times that the interpreter ran it.
    #[must_use]
    pub fn heat(&self, index: u32) -> u32 {
        self.0.blocks[index as usize].heat
    }
}

/// A block as another run of the same code finds it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BlockName {
    /// Address of its first instruction.
    pub start: u64,
    /// Decode mode.
    pub mode: u32,
    /// The pipeline state at its beginning.
    pub pipeline_state: PipelineState,
}

/// The knowledge about a block that one run leaves to the next one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KnownBlock {
    /// The block.
    pub name: BlockName,
    /// First address behind it.
    pub end: u64,
    /// A hash of its code.
    pub code: u64,
    /// True for the links that were followed: next or only one, taken.
    pub followed: [bool; 2],
    /// The targets of its computed jump, as positions in the list of known blocks.
    pub targets: Vec<u32>,
    /// The accesses of its instructions.
    pub seen: ObservedMemory,
    /// The number of times that the interpreter ran it.
    pub heat: u32,
}

/// Constants of a machine, on which compiled code may rely.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Fixed {
    /// Address of the directly mapped memory.
    pub base: u32,
    /// Its size in bytes.
    pub size: u32,
    /// The memory beside it that is only read.
    pub rom: Option<FixedRom>,
    /// The longest that an access to a peripheral waits, in cycles.
    pub longest_wait: u32,
    /// The number of cells that are guest state.
    pub guest_cells: u16,
    /// The cell of the stack pointer.
    pub stack_pointer: Slot,
    /// The core's caches.
    pub caches: Caches,
}

impl Fixed {
    /// See [`memory_of`].
    #[must_use]
    pub fn memory_of(&self, of_rom: bool) -> (u32, u32) {
        let rom = self.rom.map(|rom| (rom.base, rom.size));
        memory_of((self.base, self.size), rom, of_rom)
    }
}

/// The memory beside the directly mapped one that programs only read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct FixedRom {
    /// Its address.
    pub base: u32,
    /// Its size in bytes.
    pub size: u32,
    /// Cycles that a load takes longer there.
    pub more: i32,
}

/// Everything that a region works on.
pub struct State<'a> {
    /// Guest state and temporaries.
    pub cells: &'a mut Cells,
    /// The counters.
    pub clock: &'a mut Clock,
    /// Memory and bus.
    pub outside: Outside<'a>,
    /// Lines of the core's caches.
    pub caches: &'a mut CacheState,
    /// The cycles and executions spent, by counter; unused where there are contexts, whose counts they are
    /// then.
    pub counts: &'a mut [Count],
    /// Calling contexts.
    pub contexts: Option<&'a mut Contexts>,
    /// No block may start in this cycle or later.
    pub limit: u64,
}

/// The exit of compiled code. The clock stands at the next block's first cycle, unless it says else.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RegionExit {
    /// At the end of block `from`, through its fixed link.
    Link {
        /// The block.
        from: u32,
        /// The number of the link.
        link: u8,
        /// A number by which the back end knows this exit.
        exit: u32,
    },
    /// At the end of block `from`, to a computed address.
    Computed {
        /// The block.
        from: u32,
        /// The target.
        target: u64,
    },
    /// At the end of block `from`, which goes straight on but may have let an interrupt in.
    Yielded {
        /// The block.
        from: u32,
        /// The target.
        next: u64,
    },
    /// Before a block, since the limit is near; the interpreter knows how near.
    Near {
        /// The block.
        block: u32,
    },
    /// Before an instruction of a block, with which the interpreter goes on; the clock lacks the
    /// block's predicted cycles and its instructions.
    Resume {
        /// The block.
        block: u32,
        /// Index of the instruction.
        at: u8,
        /// Cycle in which the block began.
        began: u64,
        /// A block whose region should be compiled again, now that more is known.
        again: Option<u32>,
    },
    /// Within a block; the clock lacks the block's predicted cycles and its instructions.
    Broken {
        /// The block.
        block: u32,
        /// Index of the instruction.
        at: u8,
        /// Cycle in which the block began.
        began: u64,
        /// The reason.
        why: Refusal,
    },
}

/// A compiled back end.
pub trait Backend: Send + Sync {
    /// A block became hot: compiles a region that begins there, now or soon, or declines. `again`
    /// says that the back end itself asked for it.
    fn compile(&mut self, blocks: &Blocks<'_>, head: u32, again: bool);
    /// Takes in what was compiled meanwhile.
    fn poll(&mut self);
    /// Returns true if a region begins with this block.
    fn begins(&self, block: u32) -> bool;
    /// Runs the region that begins with this block.
    fn run(&mut self, block: u32, state: &mut State<'_>) -> RegionExit;
    /// The exit by this number leads to this block.
    fn link(&mut self, exit: u32, block: u32);
    /// A computed jump led to a block, which has this source, in this pipeline state; its entry takes
    /// `entry` cycles.
    fn computed(&mut self, pipeline_state: PipelineState, source: &Source, block: u32, entry: u32);
    /// All blocks are gone.
    fn forget(&mut self);
    /// The blocks that an earlier run of this code met, if that is known.
    fn recall(&mut self) -> Option<Vec<KnownBlock>> {
        None
    }
    /// The blocks that it recalled were made, with these numbers, but for those whose code is another one by now: looks
    /// for the regions that the earlier run had.
    fn install(&mut self, _blocks: &Blocks<'_>, _numbers: &[Option<u32>]) {}
    /// Returns true if there are regions that a next run would not recall, enough of them unless the run is over.
    fn has_more(&self, _is_over: bool) -> bool {
        false
    }
    /// Leaves its regions to the next run, with these blocks; `places` has the position of each block among them.
    fn remember(&mut self, _known: Vec<KnownBlock>, _places: &[Option<u32>]) {}
}
