//! From one block to the next, which is made where there is none.

use std::sync::Arc;

use cocrypt_ir::{Block, Op, Value};
use cocrypt_isa::{BlockCost, Space};

use super::code::Code;
use super::{Cuts, Engine, Link};
use crate::bus::Bus;
use crate::cache::{Terminator, Translated};
use crate::ram::Ram;
use crate::source::Source;
use crate::stop::{Stop, StopCause, lift_cause};
use crate::translate::translate;
use crate::translation::Translation;

impl Engine {
    /// Finds the block that comes next. Most often its link was followed before.
    #[allow(clippy::inline_always)] // It is half of what goes from block to block.
    #[inline(always)]
    pub(super) fn follow(
        &mut self,
        from: u32,
        link: Link,
        ram: &mut Ram,
        bus: &mut dyn Bus,
    ) -> Result<u32, Box<Stop>> {
        if let (Link::Fixed(link), None) = (link, &self.contexts) {
            let known = self.cache.blocks[from as usize].links[link];
            if known != u32::MAX {
                return Ok(known);
            }
        }
        self.follow_on(from, link, ram, bus)
    }

    /// Finds the block that comes next, through the link if it was followed before.
    fn follow_on(
        &mut self,
        from: u32,
        link: Link,
        ram: &mut Ram,
        bus: &mut dyn Bus,
    ) -> Result<u32, Box<Stop>> {
        let link = match link {
            Link::Fixed(link) => link,
            Link::Computed => return self.follow_computed(from, ram, bus),
            Link::Block(index) => return Ok(index),
            Link::Yielded => return self.follow_yielded(from, ram, bus),
            Link::Address => {
                self.find_context();
                return self.enter(ram, bus);
            }
        };
        let block = &self.cache.blocks[from as usize];
        let known = block.links[link];
        if known != u32::MAX {
            self.transfer(from, link);
            return Ok(known);
        }
        if block.is_idle() && !self.may_be_interrupted(bus) {
            return Err(self.stopped(StopCause::Deadlock));
        }
        let index = self.enter_from(from, ram, bus)?;
        self.cache.blocks[from as usize].links[link] = index;
        self.transfer(from, link);
        Ok(index)
    }

    /// Notes in the contexts that a block's link was followed to `pc`.
    fn transfer(&mut self, from: u32, link: usize) {
        if let Some(contexts) = &mut self.contexts {
            let source = &self.cache.blocks[from as usize].source;
            contexts.go(source.transitions[link], source.jump, self.pc);
        }
    }

    /// Makes sure that the context is one of the function at `pc`, where no link led there.
    pub(super) fn find_context(&mut self) {
        if let Some(contexts) = &mut self.contexts {
            contexts.enter(self.pc);
        }
    }

    /// The block at `pc`, to which block `from` leads. A target that no instruction can start at is
    /// found at another time than the one at which the next instruction would have been issued.
    fn enter_from(&mut self, from: u32, ram: &mut Ram, bus: &dyn Bus) -> Result<u32, Box<Stop>> {
        self.enter(ram, bus).map_err(|stop| match stop.cause {
            StopCause::UnalignedJump { .. } => {
                let refused = self.cache.blocks[from as usize].refused;
                Box::new(Stop { cycles: self.left + u64::from(refused), ..*stop })
            }
            _ => stop,
        })
    }

    fn follow_computed(
        &mut self,
        from: u32,
        ram: &mut Ram,
        bus: &mut dyn Bus,
    ) -> Result<u32, Box<Stop>> {
        let index = self.enter_from(from, ram, bus)?;
        let entry = u64::from(self.cache.blocks[index as usize].entry);
        self.clock.cycles += entry;
        let counter = self.cache.blocks[from as usize].counter;
        self.counts()[counter as usize].cycles += entry;
        self.cache.blocks[from as usize].lead(index);
        self.transfer(from, 0);
        if let (Some(backend), 0) = (&mut self.backend, self.interrupts.alone()) {
            let source = &self.cache.blocks[index as usize].source;
            backend.computed(self.pipeline_state, source, index, entry as u32);
        }
        Ok(index)
    }

    /// The block to which a block leads that may have let an interrupt in, or changed the mode.
    fn follow_yielded(
        &mut self,
        from: u32,
        ram: &mut Ram,
        bus: &mut dyn Bus,
    ) -> Result<u32, Box<Stop>> {
        let block = &self.cache.blocks[from as usize];
        let jumps = matches!(block.terminator, Terminator::Yield(Value::Slot(_)));
        let source = Arc::clone(&block.source);
        self.mode = self.frontend.mode(&self.cells[..]);
        self.control_caches();
        let is_there = !self.find_space(ram);
        if self.mode != source.block.mode {
            // Compiled jumps do not look at the mode.
            self.forget_compiled();
        }
        let index = self.enter(ram, bus)?;
        let entry = u64::from(self.cache.blocks[index as usize].entry);
        if jumps {
            self.clock.cycles += entry;
        }
        if is_there {
            self.counts()[source.counter as usize].cycles += if jumps { entry } else { 0 };
            self.transfer(from, 0);
        } else {
            self.spend(source.block.start, if jumps { entry } else { 0 });
            self.find_context();
        }
        self.remember(jumps);
        bus.sees(&self.cells[..]);
        self.look(bus);
        self.interrupts.yielded(source, jumps, self.clock.cycles);
        Ok(index)
    }

    /// Does what the last instruction asked of the caches.
    fn control_caches(&mut self) {
        if let Some(line) = self.frontend.invalidation(&mut self.cells[..]) {
            self.caches.invalidate(line);
        }
        self.caches.switch_data(self.timing.caches_on(self.mode).data);
    }

    /// Counts cycles that were spent at an address beside those of blocks.
    pub(super) fn spend(&mut self, at: u64, cycles: u64) {
        match &mut self.contexts {
            None => self.cache.spend(at, cycles),
            Some(contexts) => contexts.spend(at, cycles),
        }
    }

    /// The block at `pc`, translated now if it was not before.
    pub(super) fn enter(&mut self, ram: &mut Ram, bus: &dyn Bus) -> Result<u32, Box<Stop>> {
        let alone = self.interrupts.alone();
        if let Some(index) = self.cache.find((self.pc, self.mode | alone, self.pipeline_state)) {
            return Ok(index);
        }
        let Cuts { everywhere, at } = &self.cuts;
        let boundaries = if at.is_empty() { &self.boundaries[..] } else { at };
        let single = *everywhere || alone != 0;
        let code = Code { ram, bus, boundaries, single, cut: None };
        let block = match self.frontend.lift(&code, self.pc, self.mode) {
            Ok(block) => block,
            Err(error) => return Err(self.stopped(lift_cause(error))),
        };
        let mut translated = self.translate(block, ram, bus);
        translated.mode |= alone;
        Ok(self.cache.insert(translated))
    }

    /// Makes a block ready to run, with the pipeline state before it.
    pub(super) fn translate(&mut self, block: Block, ram: &mut Ram, bus: &dyn Bus) -> Translated {
        let code = Code { ram, bus, boundaries: &self.boundaries, single: false, cut: None };
        let mut cost = self.timing.cost(&block, &code, ram.data_wait, self.pipeline_state);
        let mut block = block;
        let number = self.cache.blocks.len() as u32;
        let (mut counter, mut transitions) = (number, Default::default());
        let (mut jump, mut function) = Default::default();
        if let Some(contexts) = &mut self.contexts {
            if let Some(cut) = dynamic(&block, &cost) {
                let code = Code { cut: Some(cut), ..code };
                if let Ok(shorter) = self.frontend.lift(&code, block.start, block.mode) {
                    cost = self.timing.cost(&shorter, &code, ram.data_wait, self.pipeline_state);
                    block = shorter;
                }
            }
            (counter, transitions) =
                (contexts.new_counter(block.start, number), contexts.transitions(&block));
            (jump, function) = contexts.jump(&block, counter);
        }
        let data_cache = self.caches.data().is_some();
        if !data_cache && ram.translation().is_none() && self.leakage.is_none() {
            fold_constants(&mut block, &mut cost, ram);
        }
        let reached = self.frontend.reach(block.start, block.mode);
        let observation = self.observation(&block, ram, bus);
        let source =
            Source { block, cost, reached, counter, transitions, jump, function, observation };
        let source = Arc::new(source);
        let translated = translate(source, self.pipeline_state, &*self.frontend, data_cache);
        self.interrupts.longer(translated.source.longest(bus.longest_wait()));
        mark(&translated, ram);
        translated
    }

    /// Forgets everything that was made from code.
    pub(super) fn forget(&mut self, ram: &mut Ram) {
        if let Some(contexts) = &mut self.contexts {
            contexts.settle(&self.cache.blocks);
        }
        self.cache.clear();
        self.exit_memo.clear();
        ram.forget_code();
        self.forget_compiled();
    }

    /// Has addresses translated as the guest state says now; whether all blocks were forgotten for that.
    pub(super) fn find_space(&mut self, ram: &mut Ram) -> bool {
        let space = self.frontend.space(&self.cells[..]);
        if ram.translation().map(Translation::space) == space.as_ref() {
            return false;
        }
        let rights = |space: &Space| Space { privileged: true, ..*space };
        let before = ram.translation().map(|translation| rights(translation.space()));
        let is_other = before != space.as_ref().map(rights);
        self.is_translated = space.is_some();
        let frontend = &self.frontend;
        ram.translate(space.map(|space| Translation::new(Arc::clone(frontend), space)));
        if is_other {
            self.next = None;
            self.forget(ram);
        }
        is_other
    }

    pub(super) fn forget_compiled(&mut self) {
        if let Some(backend) = &mut self.backend {
            backend.forget();
        }
    }
}

/// Takes loads from known addresses of the memory that is only read for what they give; their wait is known
/// too.
fn fold_constants(block: &mut Block, cost: &mut BlockCost, ram: &Ram) {
    for (insn, cost) in block.insns.iter().zip(&mut cost.insns) {
        for op in &mut block.ops[insn.ops.clone()] {
            let Op::Load { width, signed, dst, base: Value::Const(base), offset } = *op else {
                continue;
            };
            let address = (base as u32).wrapping_add_signed(offset);
            let more = ram.rom_more(address).filter(|_| address.is_multiple_of(width.bytes()));
            let Some((more, value)) = more.zip(ram.read(address, width)) else { continue };
            let Ok(more) = u32::try_from(more) else { continue };
            let value = if signed { width.sign_extend(value) as u32 as u64 } else { value };
            *op = Op::Move { dst, src: Value::Const(value) };
            cost.cycles += more;
        }
    }
}

/// The index at which a block must be cut so that what its cost depends on is its last instruction's.
fn dynamic(block: &Block, cost: &BlockCost) -> Option<u64> {
    let found = cost.insns.iter().position(|insn| insn.extra.is_some() || insn.miss != 0)?;
    block.insns.get(found + 1).map(|insn| insn.pc)
}

/// Remembers what a block was made from; its cost may depend on the instruction that comes next.
/// Behind a jump that is always taken there may be data, which does not matter.
fn mark(block: &Translated, ram: &mut Ram) {
    let mut mark = |from: u64, to: u64| {
        ram.mark_code(from as u32..to as u32);
    };
    mark(block.start, block.end);
    match block.terminator {
        Terminator::To(target) => mark(target, target + 4),
        Terminator::Branch { taken, next, .. } => {
            mark(taken, taken + 4);
            mark(next, next + 4);
        }
        Terminator::Yield(Value::Const(next)) | Terminator::YieldIf(_, next) => {
            mark(next, next + 4);
        }
        Terminator::Computed(_) | Terminator::Yield(_) | Terminator::Stop(_) => {}
    }
}
