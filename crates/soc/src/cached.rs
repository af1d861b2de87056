//! Caches that a device puts before its memories: what a core waits for beyond its own timing.

use std::sync::Arc;

use cocrypt_config as config;
use cocrypt_ir::{Block, Insn, Op};
use cocrypt_isa::{
    BlockCost, Caches, CachesOn, CodeMemory, Geometry, InterruptTiming, Line, PipelineState,
    Replacement, TimingModel,
};

/// The timing of a core whose accesses go through caches. One that finds its line takes as long as the
/// memory's waits say; one that does not holds the core up for so many cycles more.
pub struct Cached {
    core: Arc<dyn TimingModel>,
    instruction: Option<Cache>,
    data: Option<Cache>,
    unified: bool,
}

#[derive(Clone, Copy)]
struct Cache {
    geometry: Geometry,
    refill: u32,
    /// Further cycles of an access while the program has the cache switched off.
    bypass: u32,
}

impl Cached {
    /// Puts a device's caches before a core.
    pub fn new(core: Arc<dyn TimingModel>, caches: &config::Caches) -> Self {
        let config::Caches { instruction, data, unified } = caches;
        let [instruction, data] =
            [instruction, data].map(|apart| unified.as_ref().or(apart.as_ref()).map(cache));
        Self { core, instruction, data, unified: unified.is_some() }
    }
}

fn cache(described: &config::Cache) -> Cache {
    let replacement = match described.replacement.as_str() {
        "fifo" => Replacement::FirstIn,
        _ => Replacement::LeastRecent,
    };
    let geometry = Geometry {
        sets: described.size / (described.line * described.ways),
        ways: described.ways,
        line: described.line,
        replacement,
        allocate_on_write: described.writes == "allocate",
    };
    Cache { geometry, refill: described.refill, bypass: described.bypass.unwrap_or(0) }
}

/// The lines that a block is fetched from, each before the first instruction that needs it.
fn lines(block: &Block, cache: Cache) -> Vec<Line> {
    let mut lines = vec![];
    let mut held = None;
    for (at, insn) in block.insns.iter().enumerate() {
        let last = insn.pc + u64::from(insn.length).saturating_sub(1);
        for address in [insn.pc, last] {
            let (address, number) = (address as u32, address as u32 / cache.geometry.line);
            if held == Some(number) {
                continue;
            }
            held = Some(number);
            let (at, miss) = (at as u8, cache.refill as i32);
            lines.push(Line { at, address, clears: false, miss, exit_state: None });
        }
    }
    lines
}

/// The cost of an instruction's cache miss: nothing if it does not load, and stores go around the cache.
fn waits(ops: &[Op], cache: Cache) -> u32 {
    let brings = |op: &Op| match op {
        Op::Load { .. } => true,
        Op::Store { .. } => cache.geometry.allocate_on_write,
        _ => false,
    };
    if ops.iter().any(brings) { cache.refill } else { 0 }
}

/// The further cycles of an instruction whose accesses go past the cache.
fn bypassing(ops: &[Op], cache: Cache) -> u32 {
    if ops.iter().any(Op::is_access) { cache.bypass } else { 0 }
}

/// Adds the fetches past the instruction cache to a block's cost.
fn fetch_past(block: &Block, cache: Cache, cost: &mut BlockCost) {
    let fetched = |insn: &Insn| if insn.length == 0 { 0 } else { cache.bypass };
    for (insn, cost) in block.insns.iter().zip(&mut cost.insns) {
        cost.cycles += fetched(insn);
        cost.sample += fetched(insn);
    }
    let last = block.insns.last().map_or(0, fetched);
    cost.taken += last;
    cost.refused += last;
}

impl TimingModel for Cached {
    fn cost(
        &self,
        block: &Block,
        code: &dyn CodeMemory,
        data_wait: u32,
        pipeline_state: PipelineState,
    ) -> BlockCost {
        let mut cost = self.core.cost(block, code, data_wait, pipeline_state);
        let on = self.caches_on(block.mode);
        match self.instruction {
            Some(cache) if on.instruction => cost.lines = lines(block, cache),
            Some(cache) => fetch_past(block, cache, &mut cost),
            None => {}
        }
        if let Some(cache) = self.data {
            let wait = if on.data { waits } else { bypassing };
            for (insn, cost) in block.insns.iter().zip(&mut cost.insns) {
                cost.miss = wait(&block.ops[insn.ops.clone()], cache);
            }
        }
        cost
    }

    fn caches(&self) -> Caches {
        Caches {
            instruction: self.instruction.map(|cache| cache.geometry),
            data: self.data.map(|cache| cache.geometry),
            unified: self.unified,
            ..Caches::default()
        }
    }

    fn caches_on(&self, mode: u32) -> CachesOn {
        self.core.caches_on(mode)
    }

    fn reset(&self, pc: u64, code: &dyn CodeMemory) -> u64 {
        self.core.reset(pc, code)
    }

    fn fetches_ahead(&self) -> bool {
        self.core.fetches_ahead()
    }

    fn shows_faults(&self) -> u64 {
        self.core.shows_faults()
    }

    fn interrupts(&self) -> &dyn InterruptTiming {
        self.core.interrupts()
    }

    fn implements(&self, class: u8) -> bool {
        self.core.implements(class)
    }
}
