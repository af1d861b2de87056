//! The code cache: translated blocks by address, and what was spent in each.

use std::collections::HashMap;
use std::sync::Arc;

use cocrypt_ir::{Condition, StopKind, Value, Width};
use cocrypt_isa::{Extra, Line, PipelineState};

use crate::micro::{General, Micro};
use crate::source::Source;

/// The cycles, within its block, of an instruction's effects that others can see.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct InsnTiming {
    /// Address of the instruction.
    pub pc: u64,
    /// Decode mode of the instruction.
    pub mode: u32,
    /// Cycles from the block's start to the instruction's issue, operand-dependent ones left out.
    pub issue: u32,
    /// The same to the cycle in which its access would be answered without any wait.
    pub sample: u32,
    /// Further cycles if the data cache lacks the line of its access.
    pub miss: u32,
    /// The pipeline state if it is then replayed.
    pub miss_exit_state: Option<PipelineState>,
    /// The pipeline state if its access turns out to go beyond the directly mapped memory.
    pub elsewhere: Option<PipelineState>,
    /// True if stores right before it may hold it up.
    pub collides: bool,
    /// The index at which its instructions begin before fusion, behind those that only add to its cost.
    pub code: u32,
}

/// The target of a block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Terminator {
    /// To one address.
    To(u64),
    /// To one of two.
    Branch { condition: Condition, width: Width, a: Value, b: Value, taken: u64, next: u64 },
    /// To a computed address.
    Computed(Value),
    /// To an address, once the machine has looked whether something interrupts.
    Yield(Value),
    /// Straight on to an address, once the machine has looked where a value is not 0.
    YieldIf(Value, u64),
    /// Nowhere.
    Stop(StopKind),
}

/// A block, ready to run.
#[derive(Clone, Debug)]
pub struct Translated {
    pub start: u64,
    pub mode: u32,
    /// First address behind the block.
    pub end: u64,
    pub code: Box<[Micro]>,
    /// The same before fusion, for going on from its middle.
    pub plain: Box<[Micro]>,
    pub general: Box<[General]>,
    pub extras: Box<[Extra]>,
    /// Lines of the instruction cache that it reads.
    pub lines: Box<[Line]>,
    pub insn_timings: Box<[InsnTiming]>,
    pub terminator: Terminator,
    /// Decode mode behind it, as far as its terminator does not say.
    pub onward: u32,
    /// Cycles of the whole block when it falls through or has one successor.
    pub cycles: u32,
    /// Cycles of the whole block when its branch is taken.
    pub taken: u32,
    /// Further cycles when entered through a computed jump.
    pub entry: u32,
    /// Cycles of the whole block when no instruction can start where it leads.
    pub refused: u32,
    /// Instructions in it.
    pub count: u32,
    /// The index of its counter.
    pub counter: u32,
    /// The pipeline state at its beginning.
    pub pipeline_state: PipelineState,
    /// The pipeline state behind it: next or only successor, taken.
    pub exit_states: [PipelineState; 2],
    /// Indices of the successors (next or only one, taken), once known.
    pub links: [u32; 2],
    /// The targets of its computed jump seen so far, as indices.
    pub targets: [u32; TARGETS],
    /// The accesses of its instructions seen so far.
    pub seen: ObservedMemory,
    /// The number of times that the interpreter ran it.
    pub heat: u32,
    /// The number of times that compiled code led to it while no region began there.
    pub arrivals: u32,
    /// The source that it was made from.
    pub source: Arc<Source>,
}

/// The instructions of a block (bit n for the n-th, modulo 64) that were seen to reach something else than the
/// directly mapped memory.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct ObservedMemory {
    /// The memory beside it that programs only read.
    pub rom: u64,
    /// Everything else.
    pub elsewhere: u64,
}

impl ObservedMemory {
    pub(crate) const fn with(self, other: Self) -> Self {
        Self { rom: self.rom | other.rom, elsewhere: self.elsewhere | other.elsewhere }
    }
}

/// Computed targets that a block remembers.
pub const TARGETS: usize = 4;

impl Translated {
    /// Returns true if it does nothing but jump to itself.
    pub fn is_idle(&self) -> bool {
        // Where there is a cache, a block's code asks for its lines too.
        let does_nothing = self.code.is_empty() || self.source.block.ops.is_empty();
        self.terminator == Terminator::To(self.start) && does_nothing
    }

    /// Remembers where a computed jump led.
    pub fn lead(&mut self, target: u32) {
        if let Some(slot) =
            self.targets.iter_mut().find(|slot| **slot == target || **slot == u32::MAX)
        {
            *slot = target;
        }
    }
}

/// The cycles and executions of a block.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[repr(C)]
pub struct Count {
    /// The number of times that it was entered.
    pub executions: u64,
    /// Cycles spent in it, waiting included.
    pub cycles: u64,
}

impl Count {
    pub(crate) fn add(&mut self, other: Self) {
        self.executions += other.executions;
        // A part may be less than nothing: an access that is refused early gives cycles back.
        self.cycles = self.cycles.wrapping_add(other.cycles);
    }
}

/// The cycles and executions of a block, with its address.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BlockProfile {
    /// Address of its first instruction.
    pub start: u64,
    /// The number of times that it was entered.
    pub executions: u64,
    /// Cycles spent in it, waiting included.
    pub cycles: u64,
}

/// Slots of the direct-mapped filter in front of the map.
const FILTER: usize = 1024;

/// The key of a block: address, decode mode, pipeline state.
pub type Key = (u64, u32, PipelineState);

const NOWHERE: Key = (u64::MAX, 0, 0);

/// Translated blocks by address, mode and pipeline state.
#[derive(Clone, Debug)]
pub struct Cache {
    pub blocks: Vec<Translated>,
    /// The number of times that all blocks were dropped.
    pub age: u64,
    /// The counters of each.
    pub counts: Vec<Count>,
    index: HashMap<Key, u32>,
    filter: Box<[(Key, u32)]>,
    /// The cycles spent at addresses beside these blocks; forks share it until one of them adds to it.
    retired: Arc<HashMap<u64, Count>>,
}

impl Default for Cache {
    fn default() -> Self {
        let filter = vec![(NOWHERE, 0); FILTER].into();
        let (index, retired) = (HashMap::new(), Arc::default());
        Self { blocks: vec![], age: 0, counts: vec![], index, filter, retired }
    }
}

impl Cache {
    /// The block of this key, if it was translated.
    pub fn find(&mut self, key: Key) -> Option<u32> {
        let entry = &mut self.filter[(key.0 >> 1) as usize % FILTER];
        if entry.0 != key {
            *entry = (key, *self.index.get(&key)?);
        }
        Some(entry.1)
    }

    /// Adds a block.
    pub fn insert(&mut self, block: Translated) -> u32 {
        let index = self.blocks.len() as u32;
        self.index.insert((block.start, block.mode, block.pipeline_state), index);
        self.insert_unlisted(block);
        index
    }

    /// Adds a block that is to be run once and never found again.
    pub fn insert_unlisted(&mut self, block: Translated) -> u32 {
        self.blocks.push(block);
        self.counts.push(Count::default());
        self.blocks.len() as u32 - 1
    }

    /// Drops all blocks, but keeps what was spent in them.
    pub fn clear(&mut self) {
        self.age += 1;
        let retired = Arc::make_mut(&mut self.retired);
        for (block, count) in self.blocks.drain(..).zip(self.counts.drain(..)) {
            retired.entry(block.start).or_default().add(count);
        }
        self.index.clear();
        self.filter.fill((NOWHERE, 0));
    }

    /// Counts cycles that were spent at an address beside those of blocks.
    pub fn spend(&mut self, at: u64, cycles: u64) {
        Arc::make_mut(&mut self.retired)
            .entry(at)
            .or_default()
            .add(Count { executions: 0, cycles });
    }

    /// No block, and what was spent in these.
    pub fn fork(&self) -> Self {
        Self { retired: self.spent(), ..Self::default() }
    }

    /// Keeps its blocks, with the counts of another cache from now on.
    pub fn count_from(&mut self, other: &Self) {
        self.counts.fill(Count::default());
        self.retired = other.spent();
    }

    /// The cycles spent at each address.
    fn spent(&self) -> Arc<HashMap<u64, Count>> {
        let mut spent = Arc::clone(&self.retired);
        if !self.blocks.is_empty() {
            let spent = Arc::make_mut(&mut spent);
            for (block, &count) in self.blocks.iter().zip(&self.counts) {
                spent.entry(block.start).or_default().add(count);
            }
        }
        spent
    }

    /// The cycles and executions of each block that was run, in order of addresses.
    pub fn profile(&self) -> Vec<BlockProfile> {
        let mut profile: Vec<_> = self
            .spent()
            .iter()
            .filter(|(_, count)| **count != Count::default())
            .map(|(&start, &Count { executions, cycles })| BlockProfile {
                start,
                executions,
                cycles,
            })
            .collect();
        profile.sort_by_key(|block| block.start);
        profile
    }
}
