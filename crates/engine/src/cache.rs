//! The code cache: translated blocks by address, and what was spent in each.

use std::collections::HashMap;

use cocrypt_ir::{Condition, StopKind, Value, Width};
use cocrypt_isa::{Extra, Line, Pending};

use crate::micro::{General, Micro};

/// When, within its block, an instruction does what others can see.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Moment {
    /// Address of the instruction.
    pub pc: u64,
    /// Cycles from the block's start to the instruction's launch, operand-dependent ones left out.
    pub launch: u32,
    /// The same to the cycle in which its access would be answered without any wait.
    pub sample: u32,
    /// Further cycles if the data cache lacks the line of its access.
    pub miss: u32,
}

/// Where a block leads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Way {
    /// To one address.
    To(u64),
    /// To one of two.
    Branch { condition: Condition, width: Width, a: Value, b: Value, taken: u64, next: u64 },
    /// To a computed address.
    Computed(Value),
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
    pub general: Box<[General]>,
    pub extras: Box<[Extra]>,
    /// Lines of the instruction cache that it reads.
    pub lines: Box<[Line]>,
    pub moments: Box<[Moment]>,
    pub way: Way,
    /// Cycles of the whole block when it falls through or has one way.
    pub cycles: u32,
    /// Cycles of the whole block when its branch is taken.
    pub taken: u32,
    /// Further cycles when entered through a computed jump.
    pub entry: u32,
    /// Cycles of the whole block when no instruction can start where it leads.
    pub refused: u32,
    /// Instructions in it.
    pub count: u32,
    /// What was pending when it began.
    pub pending: Pending,
    /// What is pending behind it: next or only way, taken.
    pub leaves: [Pending; 2],
    /// Indices of the successors (next or only one, taken), once known.
    pub links: [u32; 2],
    pub executions: u64,
    pub spent: u64,
}

/// What was spent in a block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BlockProfile {
    /// Address of its first instruction.
    pub start: u64,
    /// How often it was entered.
    pub executions: u64,
    /// Cycles spent in it, waiting included.
    pub cycles: u64,
}

/// Slots of the direct-mapped filter in front of the map.
const FILTER: usize = 1024;

/// Under what a block is found: address, decode mode, what is pending.
pub type Key = (u64, u32, Pending);

const NOWHERE: Key = (u64::MAX, 0, 0);

/// Translated blocks by address, mode and what is pending.
#[derive(Clone, Debug)]
pub struct Cache {
    pub blocks: Vec<Translated>,
    index: HashMap<Key, u32>,
    filter: Box<[(Key, u32)]>,
    retired: HashMap<u64, (u64, u64)>,
}

impl Default for Cache {
    fn default() -> Self {
        let filter = vec![(NOWHERE, 0); FILTER].into();
        Self { blocks: vec![], index: HashMap::new(), filter, retired: HashMap::new() }
    }
}

impl Cache {
    /// The block of this key, if it was translated.
    pub fn find(&mut self, key: Key) -> Option<u32> {
        let place = &mut self.filter[(key.0 >> 1) as usize % FILTER];
        if place.0 != key {
            *place = (key, *self.index.get(&key)?);
        }
        Some(place.1)
    }

    /// Adds a block.
    pub fn insert(&mut self, block: Translated) -> u32 {
        let index = self.blocks.len() as u32;
        self.index.insert((block.start, block.mode, block.pending), index);
        self.blocks.push(block);
        index
    }

    /// Adds a block that is to be run once and never found again.
    pub fn insert_unlisted(&mut self, block: Translated) -> u32 {
        self.blocks.push(block);
        self.blocks.len() as u32 - 1
    }

    /// Drops all blocks, but keeps what was spent in them.
    pub fn clear(&mut self) {
        for block in self.blocks.drain(..) {
            let kept = self.retired.entry(block.start).or_default();
            kept.0 += block.executions;
            kept.1 += block.spent;
        }
        self.index.clear();
        self.filter.fill((NOWHERE, 0));
    }

    /// What was spent, by block, in order of addresses.
    pub fn profile(&self) -> Vec<BlockProfile> {
        let mut all = self.retired.clone();
        for block in &self.blocks {
            let kept = all.entry(block.start).or_default();
            kept.0 += block.executions;
            kept.1 += block.spent;
        }
        let mut profile: Vec<_> = all
            .into_iter()
            .map(|(start, (executions, cycles))| BlockProfile { start, executions, cycles })
            .collect();
        profile.sort_by_key(|block| block.start);
        profile
    }
}
