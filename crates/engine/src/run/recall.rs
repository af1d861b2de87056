//! The blocks that an earlier run of the same code met, made before the program leads there, and what this run leaves
//! to the next one.

use std::ops::Range;

use cocrypt_isa::CodeMemory as _;

use super::code::{Code, UncheckedCode};
use super::{Engine, Terminator};
use crate::backend::{BlockName, Blocks, KnownBlock};
use crate::bus::Bus;
use crate::ram::Ram;
use crate::stop::StopCause;

/// A run recalls nothing unless it may take so many cycles, times the runs that make a block hot, and leaves nothing
/// unless it has executed so many instructions: making all blocks takes some milliseconds.
const LONG: u64 = 1 << 10;

/// The heat of a block that is left to the next run, at most, so that it never grows over.
const HOTTEST: u32 = 1 << 24;

impl Engine {
    /// Makes the blocks that the back end recalls, and lets it look for its regions. Only at the start, so that
    /// copies of a machine that run for a moment do not begin with it.
    pub(super) fn recall(&mut self, ram: &mut Ram, bus: &dyn Bus, limit: u64) {
        if !self.may_recall || limit < self.long() || !self.cache.blocks.is_empty() {
            return;
        }
        self.may_recall = false;
        let is_plain = self.contexts.is_none() && self.leakage.is_none() && !self.is_translated;
        if !is_plain || self.cuts.everywhere || !self.cuts.at.is_empty() {
            return;
        }
        let Some(known) = self.backend.as_mut().and_then(|backend| backend.recall()) else {
            return;
        };
        let begin = (self.pc, self.mode, self.pipeline_state);
        let numbers: Vec<_> = known.iter().map(|known| self.make(known, ram, bus)).collect();
        (self.pc, self.mode, self.pipeline_state) = begin;
        for (known, &number) in known.iter().zip(&numbers) {
            if let Some(number) = number {
                self.remind(number, known, &numbers);
            }
        }
        if let Some(backend) = &mut self.backend {
            backend.install(&Blocks(&self.cache), &numbers);
        }
    }

    /// Cycles or instructions of a run that is long enough.
    fn long(&self) -> u64 {
        LONG * u64::from(self.hot)
    }

    /// Makes a block if its code is still the same.
    fn make(&mut self, known: &KnownBlock, ram: &mut Ram, bus: &dyn Bus) -> Option<u32> {
        let BlockName { start, mode, pipeline_state } = known.name;
        if hash_code(start..known.end, ram, bus) != Some(known.code) {
            return None;
        }
        (self.pc, self.mode, self.pipeline_state) = (start, mode, pipeline_state);
        self.enter(ram, bus).ok()
    }

    /// Notes about a block what was known about it. A link leads to the block of its address, mode and pipeline state,
    /// whatever the record says.
    fn remind(&mut self, number: u32, known: &KnownBlock, numbers: &[Option<u32>]) {
        let block = &self.cache.blocks[number as usize];
        let next = match block.terminator {
            // The run recognises a deadlock by a link that is not known.
            _ if block.is_idle() => [None; 2],
            Terminator::To(next) | Terminator::YieldIf(_, next) => [Some(next), None],
            Terminator::Branch { taken, next, .. } => [Some(next), Some(taken)],
            Terminator::Computed(_) | Terminator::Yield(_) | Terminator::Stop(_) => [None; 2],
        };
        let (mode, exit_states) = (block.onward, block.exit_states);
        for (link, address) in next.into_iter().enumerate() {
            let Some(address) = address.filter(|_| known.followed[link]) else { continue };
            if let Some(to) = self.cache.find((address, mode, exit_states[link])) {
                self.cache.blocks[number as usize].links[link] = to;
            }
        }
        let block = &mut self.cache.blocks[number as usize];
        for &target in &known.targets {
            if let Some(target) = numbers[target as usize] {
                block.lead(target);
            }
        }
        block.seen = block.seen.with(known.seen);
        block.heat = known.heat;
    }

    /// Leaves what is known by now to the next run, if the back end has new regions.
    pub(super) fn bequeath(&mut self, ram: &Ram, bus: &dyn Bus, cause: StopCause) {
        let is_over = matches!(cause, StopCause::Exit { .. });
        if self.clock.instructions < self.long() || self.contexts.is_some() || self.is_translated {
            return;
        }
        let has_more = self.backend.as_ref().is_some_and(|backend| backend.has_more(is_over));
        if !has_more {
            return;
        }
        let mut known = vec![];
        let mut places = vec![None; self.cache.blocks.len()];
        for (number, place) in places.iter_mut().enumerate() {
            if let Some(block) = self.known(number, ram, bus) {
                *place = Some(known.len() as u32);
                known.push(block);
            }
        }
        for block in &mut known {
            block.targets = std::mem::take(&mut block.targets)
                .into_iter()
                .filter_map(|target| places[target as usize])
                .collect();
        }
        if let Some(backend) = &mut self.backend {
            backend.remember(known, &places);
        }
    }

    /// The knowledge about a block, whose targets are numbers in the engine; nothing about one that is not found by
    /// its name.
    fn known(&mut self, number: usize, ram: &Ram, bus: &dyn Bus) -> Option<KnownBlock> {
        let block = &self.cache.blocks[number];
        let (start, mode, pipeline_state) = (block.start, block.mode, block.pipeline_state);
        if self.cache.find((start, mode, pipeline_state)) != Some(number as u32) {
            return None;
        }
        let block = &self.cache.blocks[number];
        Some(KnownBlock {
            name: BlockName { start, mode, pipeline_state },
            end: block.end,
            code: hash_code(start..block.end, ram, bus)?,
            followed: block.links.map(|link| link != u32::MAX),
            targets: block.targets.into_iter().filter(|&target| target != u32::MAX).collect(),
            seen: block.seen,
            heat: block.heat.min(HOTTEST),
        })
    }
}

/// A hash of the code at some addresses (FNV-1a), to notice that it is other code; nothing if there is none.
fn hash_code(addresses: Range<u64>, ram: &Ram, bus: &dyn Bus) -> Option<u64> {
    let code = UncheckedCode(Code { ram, bus, boundaries: &[], single: false, cut: None });
    addresses.step_by(2).try_fold(0xcbf2_9ce4_8422_2325u64, |hash, address| {
        Some((hash ^ u64::from(code.unit(address)?)).wrapping_mul(0x0100_0000_01b3))
    })
}
