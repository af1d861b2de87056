//! The run loop: from block to block until the machine stops.

mod attend;
mod code;
mod compiled;
mod debug;
mod exit_memo;
mod follow;
mod interrupts;
mod latch;
mod leakage;
mod leave;
mod memory;
mod recall;
mod trap;

pub use debug::{Touch, Upcoming};
pub use leakage::Together;

use std::collections::BTreeSet;
use std::sync::Arc;

use cocrypt_ir::condition;
use cocrypt_isa::{CodeMemory as _, Frontend, InstructionKind, PipelineState, TimingModel};

use self::code::{Code, UncheckedCode};
use self::exit_memo::ExitMemo;
use self::interrupts::Interrupts;
use crate::access::{Outside, Refusal};
use crate::backend::{Backend, Fixed, FixedRom};
use crate::bus::Bus;
use crate::cache::{BlockProfile, Cache, Count, ObservedMemory, Terminator};
use crate::caches::CacheState;
use crate::contexts::{ContextProfile, Contexts};
use crate::interpret::{Break, Cells, Clock, Context, finish, interpret, operand};
use crate::leakage::Leakage;
use crate::mapped::Mapped;
use crate::ram::Ram;
use crate::stop::{Issue, Stop, StopCause};
use crate::translate::zero_cell;
use crate::turns::functions_of_turns;

/// Further addresses at which blocks are cut.
#[derive(Clone, Debug, Default)]
struct Cuts {
    /// After every instruction.
    everywhere: bool,
    /// At these addresses, in ascending order, the boundaries among them; none if there are no others.
    at: Vec<u64>,
}

/// The edge that leads to the next block.
#[derive(Clone, Copy, Debug)]
enum Link {
    /// One of the block's own links.
    Fixed(usize),
    /// A computed address.
    Computed,
    /// A block that is already chosen.
    Block(u32),
    /// Nothing but the address.
    Address,
    /// To a computed address, or straight on, behind what may let an interrupt in.
    Yielded,
}

/// The number of times that a block runs before the back end is asked again, at most; a power of two.
const POLL: u32 = 64;

/// A core in execution.
pub struct Engine {
    frontend: Arc<dyn Frontend>,
    timing: Arc<dyn TimingModel>,
    boundaries: Arc<[u64]>,
    cells: Box<Cells>,
    clock: Clock,
    /// The clock at the end of the last block, its predicted cycles not yet added.
    left: u64,
    pc: u64,
    mode: u32,
    /// The state of the core's pipeline before `pc`.
    pipeline_state: PipelineState,
    caches: CacheState,
    /// The block to go on with after the cycle limit was reached.
    next: Option<u32>,
    interrupts: Interrupts,
    cache: Cache,
    backend: Option<Box<dyn Backend>>,
    /// True while the back end may be asked for the blocks of an earlier run.
    may_recall: bool,
    /// The number of times that the interpreter runs a block before it offers it to the back end.
    hot: u32,
    /// The number of times that a block runs before the back end is asked again.
    poll: u32,
    trace: Option<Vec<Issue>>,
    cuts: Cuts,
    exit_memo: ExitMemo,
    /// The guest state that is memory too.
    mapped: Arc<Mapped>,
    /// True if addresses are translated; nothing is compiled then.
    is_translated: bool,
    /// The cycles and executions by calling context, if that is asked for.
    contexts: Option<Box<Contexts>>,
    /// The samples of a leakage model, if one is sampled.
    leakage: Option<Box<Leakage>>,
}

impl Engine {
    /// A core with all cells 0, about to come out of reset at `pc`. Blocks end at `boundaries`
    /// (sorted addresses), so that what is spent can be told apart there.
    ///
    /// # Panics
    /// If the front end has more cells than an engine can hold, which is a mistake in the front end.
    #[must_use]
    pub fn new(
        frontend: Arc<dyn Frontend>,
        timing: Arc<dyn TimingModel>,
        boundaries: Arc<[u64]>,
        pc: u64,
    ) -> Self {
        let count = frontend.cells().len() + usize::from(frontend.temporaries());
        assert!(count < 256, "{count} cells are more than an engine can hold");
        let mapped = Arc::new(Mapped::new(frontend.mapped_cells()));
        let mut cells = Box::new([0; 256]);
        for (cell, value) in frontend.reset() {
            cells[usize::from(cell.0)] = value;
        }
        let mode = frontend.mode(&cells[..]);
        // An even entry is an address in the mode that reset leaves.
        let (pc, mode) = if pc & 1 == 0 { (pc, mode) } else { frontend.land(pc, mode) };
        let mut caches = CacheState::new(timing.caches());
        caches.switch_data(timing.caches_on(mode).data);
        Self {
            frontend,
            timing,
            boundaries,
            cells,
            clock: Clock { lowest_stack: u32::MAX, ..Clock::default() },
            left: 0,
            pc,
            mode,
            pipeline_state: 0,
            caches,
            next: None,
            interrupts: Interrupts::default(),
            cache: Cache::default(),
            backend: None,
            may_recall: false,
            hot: POLL,
            poll: POLL,
            trace: None,
            cuts: Cuts::default(),
            exit_memo: ExitMemo::default(),
            mapped,
            is_translated: false,
            contexts: None,
            leakage: None,
        }
    }

    /// A core in the same state, to go on independently: with all that was counted, without back end.
    #[must_use]
    pub fn fork(&self) -> Self {
        Self {
            frontend: Arc::clone(&self.frontend),
            timing: Arc::clone(&self.timing),
            boundaries: Arc::clone(&self.boundaries),
            cells: self.cells.clone(),
            clock: self.clock.clone(),
            left: self.left,
            pc: self.pc,
            mode: self.mode,
            pipeline_state: self.pipeline_state,
            caches: self.caches.clone(),
            next: None,
            interrupts: self.interrupts.clone(),
            cache: self.cache.fork(),
            backend: None,
            may_recall: false,
            hot: self.hot,
            poll: self.poll,
            trace: self.trace.clone(),
            cuts: self.cuts.clone(),
            exit_memo: ExitMemo::default(),
            mapped: Arc::clone(&self.mapped),
            is_translated: self.is_translated,
            contexts: self.settled_contexts(),
            leakage: None,
        }
    }

    /// Goes back to the state of another engine with the same program, from which this one was forked;
    /// keeps what was translated and compiled, unless `changed` says that code in memory differs. How blocks
    /// are cut, and what is sampled, stays as it is.
    pub fn rewind(&mut self, to: &Self, ram: &mut Ram, changed: bool) {
        let is_translated = self.is_translated || to.is_translated;
        // Counts by context belong to the blocks of one engine alone.
        let has_contexts = self.contexts.is_some() || to.contexts.is_some();
        if changed || is_translated || has_contexts {
            self.forget(ram);
            self.is_translated = to.is_translated;
            self.contexts = to.settled_contexts();
        }
        if self.mode != to.mode {
            // Compiled jumps do not look at the mode.
            self.forget_compiled();
        }
        self.cells.copy_from_slice(&to.cells[..]);
        self.clock = to.clock.clone();
        (self.left, self.pc, self.mode) = (to.left, to.pc, to.mode);
        self.pipeline_state = to.pipeline_state;
        self.caches = to.caches.clone();
        self.interrupts.rewind(&to.interrupts);
        self.next = None;
        self.trace.iter_mut().for_each(Vec::clear);
        self.cache.count_from(&to.cache);
    }

    /// Returns true if code was translated that lies in memories of the bus.
    #[must_use]
    pub fn has_code_beside(&self, ram: &Ram) -> bool {
        let is_here = |address: u64| ram.get(address as u32, 1).is_some();
        let mut blocks = self.cache.blocks.iter();
        blocks.any(|block| !is_here(block.start) || !is_here(block.end.saturating_sub(1)))
    }

    /// The counts by calling context, those of blocks among them.
    fn settled_contexts(&self) -> Option<Box<Contexts>> {
        let mut contexts = self.contexts.clone()?;
        contexts.settle(&self.cache.blocks);
        Some(contexts)
    }

    /// The constants on which compiled code for this core may rely, given the directly mapped memory and
    /// the longest that an access to a peripheral waits.
    #[must_use]
    pub fn fixed(&self, ram: &Ram, longest_wait: u32) -> Fixed {
        Fixed {
            base: ram.base(),
            size: ram.size(),
            rom: ram.rom().map(|rom| {
                let (base, size) = rom.range();
                FixedRom {
                    base,
                    size,
                    more: rom.data_wait.cast_signed() - ram.data_wait.cast_signed(),
                }
            }),
            longest_wait,
            guest_cells: self.frontend.cells().len() as u16,
            stack_pointer: self.frontend.stack_pointer(),
            caches: self.timing.caches(),
        }
    }

    /// Lets a compiled back end run what the interpreter ran `hot` times, which is made a power of
    /// two. Nothing but speed depends on it.
    pub fn set_backend(&mut self, backend: Box<dyn Backend>, hot: u32) {
        self.backend = Some(backend);
        self.may_recall = self.clock.cycles == 0;
        self.hot = hot.clamp(1, 1 << 20).next_power_of_two();
        self.poll = self.hot.min(POLL);
    }

    /// Ends every block after one instruction and records every issue from now on.
    pub fn trace_issues(&mut self) {
        self.trace = Some(vec![]);
        self.cuts.everywhere = true;
        self.backend = None;
    }

    /// The issues recorded so far.
    #[must_use]
    pub fn issued(&self) -> &[Issue] {
        self.trace.as_deref().unwrap_or_default()
    }

    /// The guest state's cells.
    #[must_use]
    pub fn cells(&self) -> &[u64] {
        &self.cells[..self.frontend.cells().len()]
    }

    /// The front end: the semantics of instructions.
    #[must_use]
    pub fn frontend(&self) -> &dyn Frontend {
        &*self.frontend
    }

    /// The timing model: the cost of instructions.
    #[must_use]
    pub fn timing(&self) -> &dyn TimingModel {
        &*self.timing
    }

    /// The lowest value that the stack pointer took, if it ever moved.
    #[must_use]
    pub fn lowest_stack(&self) -> Option<u32> {
        (self.clock.lowest_stack != u32::MAX).then_some(self.clock.lowest_stack)
    }

    /// Forgets how low the stack pointer was, so that from now on another lowest value counts.
    pub fn forget_stack(&mut self) {
        self.clock.lowest_stack = u32::MAX;
    }

    /// The tags of the core's caches.
    #[must_use]
    pub const fn caches(&self) -> &CacheState {
        &self.caches
    }

    /// Counts by calling context from now on; to be said before the first run.
    pub fn trace_contexts(&mut self) {
        self.contexts = Some(Box::new(Contexts::new(Arc::clone(&self.boundaries), self.pc)));
    }

    /// The instruction at an address in assembly, with its length in bytes.
    #[must_use]
    pub fn disassemble(&self, ram: &Ram, bus: &dyn Bus, pc: u64) -> Option<(String, u8)> {
        let code = Code { ram, bus, boundaries: &[], single: true, cut: None };
        self.frontend.disassemble(&UncheckedCode(code), pc)
    }

    /// The effect of the instruction at an address on the device's energy.
    #[must_use]
    pub fn kind(&self, ram: &Ram, bus: &dyn Bus, pc: u64) -> InstructionKind {
        let code = Code { ram, bus, boundaries: &[], single: true, cut: None };
        self.frontend.kind(&UncheckedCode(code), pc)
    }

    /// The instruction at an address, read in a decode mode: its units of 16 bits, and what it would be to
    /// a core that has such an instruction.
    #[must_use]
    pub fn explain(
        &self,
        (ram, bus): (&Ram, &dyn Bus),
        pc: u64,
        mode: u32,
    ) -> Option<(Vec<u16>, Option<String>)> {
        let code = UncheckedCode(Code { ram, bus, boundaries: &[], single: true, cut: None });
        let pc = self.frontend.reach(pc, mode);
        let length = u64::from(self.frontend.length(&code, pc)?);
        let (first, _) = self.frontend.land(pc, mode);
        let units = (first..first + length).step_by(2).map(|at| code.unit(at));
        Some((units.collect::<Option<_>>()?, self.frontend.explain(&code, pc)))
    }

    /// An explanation of the stop, with what to do, where the front end can say more than the cause does;
    /// to be asked before the core goes on.
    #[must_use]
    pub fn reason(&self, (ram, bus): (&Ram, &dyn Bus), stop: &Stop) -> Option<String> {
        let StopCause::Instruction(kind) = stop.cause else { return None };
        let code = UncheckedCode(Code { ram, bus, boundaries: &[], single: true, cut: None });
        self.frontend.reason(kind, &code, stop.pc, self.cells())
    }

    /// The address at which the next run goes on.
    #[must_use]
    pub const fn pc(&self) -> u64 {
        self.pc
    }

    /// The decode mode of what the next run goes on with.
    #[must_use]
    pub const fn mode(&self) -> u32 {
        self.mode
    }

    /// Cycles and issued instructions so far.
    #[must_use]
    pub fn counted(&self) -> (u64, u64) {
        (self.clock.cycles, self.clock.instructions)
    }

    /// The host changed memory at this physical address: forgets what was made from code there.
    pub fn host_wrote(&mut self, ram: &mut Ram, physical: u32, size: u32) {
        if ram.may_be_code(physical, size) {
            self.next = None;
            self.forget(ram);
        }
    }

    /// Lets the next run go on at another address, after a stop that the host has dealt with.
    pub fn go_on_at(&mut self, pc: u64) {
        (self.pc, self.pipeline_state, self.next) = (pc, 0, None);
        self.find_context();
    }

    /// Lets time pass without the core, until a cycle.
    pub fn pass(&mut self, cycle: u64) {
        self.clock.cycles = self.clock.cycles.max(cycle);
    }

    /// Sets a cell of the guest state.
    pub fn set_cell(&mut self, index: usize, value: u64) {
        debug_assert!(index < usize::from(zero_cell(&*self.frontend)));
        self.cells[index] = value;
    }

    /// The calling contexts while it runs, if that is asked for.
    pub fn current_contexts(&mut self) -> Option<&mut Contexts> {
        self.contexts.as_deref_mut()
    }

    /// The cycles and executions by calling context, callers before callees; nothing if nobody asked for
    /// it.
    #[must_use]
    pub fn contexts(&self) -> Vec<ContextProfile> {
        self.contexts
            .as_ref()
            .map_or_else(Vec::new, |contexts| contexts.profile(&self.cache.blocks))
    }

    /// Of each of these instructions, the functions that the shortest path back to it leads through, by
    /// where they begin: those of a loop. Nothing where the code that ran has no such path, or is forgotten.
    #[must_use]
    pub fn functions_of_turns(&self, from: &[u64]) -> Vec<Option<BTreeSet<u64>>> {
        functions_of_turns(&self.cache, &self.boundaries, from)
    }

    /// The cycles and executions by block; nothing where contexts are told apart.
    #[must_use]
    pub fn profile(&self) -> Vec<BlockProfile> {
        self.cache.profile()
    }

    /// Runs until the machine stops, or a block starts in cycle `limit` or later. After the latter,
    /// another call goes on where this one ended.
    pub fn run(&mut self, ram: &mut Ram, bus: &mut dyn Bus, limit: u64) -> Stop {
        self.recall(ram, bus, limit);
        let stop = self.run_on(ram, bus, limit);
        self.bequeath(ram, bus, stop.cause);
        stop
    }

    fn run_on(&mut self, ram: &mut Ram, bus: &mut dyn Bus, limit: u64) -> Stop {
        let mut index = match self.start(ram, bus) {
            Ok(index) => index,
            Err(stop) => return *stop,
        };
        loop {
            if self.clock.cycles >= limit.min(self.interrupts.near) {
                if self.clock.cycles >= limit {
                    self.next = Some(index);
                    return *self.stopped(StopCause::CycleLimit);
                }
                index = match self.attend(index, ram, bus) {
                    Ok(index) => index,
                    Err(stop) => return *stop,
                };
            }
            let was_compiled = self.begins(index);
            let (from, went) = if was_compiled {
                self.region(index, ram, bus, limit.min(self.interrupts.near))
            } else {
                self.step(index, ram, bus)
            };
            let next = match went {
                Ok(link) => self.follow(from, link, ram, bus),
                Err(stop) => return *stop,
            };
            index = match next {
                Ok(index) => index,
                Err(stop) => return *stop,
            };
            if was_compiled {
                self.arrived(index);
            }
        }
    }

    /// The block to go on with, after reset at first.
    fn start(&mut self, ram: &mut Ram, bus: &dyn Bus) -> Result<u32, Box<Stop>> {
        if self.clock.cycles == 0 {
            let code = Code { ram, bus, boundaries: &self.boundaries, single: false, cut: None };
            self.clock.cycles = self.timing.reset(self.pc, &code);
        }
        self.caches.hold_of(ram);
        self.look(bus);
        self.next.take().map_or_else(|| self.enter(ram, bus), Ok)
    }

    /// Interprets a block; its number, and what leads on from there.
    #[allow(clippy::inline_always)] // As `follow`.
    #[inline(always)]
    fn step(
        &mut self,
        index: u32,
        ram: &mut Ram,
        bus: &mut dyn Bus,
    ) -> (u32, Result<Link, Box<Stop>>) {
        if let Some(trace) = &mut self.trace {
            trace.push(Issue { cycle: self.clock.cycles, pc: self.pc });
        }
        (index, self.block(index, ram, bus))
    }

    /// Runs one block; on success `pc` is the next address, and the result what leads there.
    #[allow(clippy::inline_always)] // As `follow`.
    #[inline(always)]
    fn block(&mut self, index: u32, ram: &mut Ram, bus: &mut dyn Bus) -> Result<Link, Box<Stop>> {
        self.block_from(index, None, self.clock.cycles, ram, bus)
    }

    /// Runs a block that began in cycle `began`, from its instruction `at` on, to whose cost nothing
    /// is to be added any more, or else from its beginning.
    #[allow(clippy::inline_always)] // As `follow`.
    #[inline(always)]
    fn block_from(
        &mut self,
        index: u32,
        at: Option<u8>,
        began: u64,
        ram: &mut Ram,
        bus: &mut dyn Bus,
    ) -> Result<Link, Box<Stop>> {
        let block = &mut self.cache.blocks[index as usize];
        let (cells, clock, caches) = (&mut self.cells, &mut self.clock, &mut self.caches);
        let outside = Outside { ram: &mut *ram, bus: &mut *bus, mapped: &self.mapped };
        let code = match at {
            None => &block.code[..],
            Some(at) => &block.plain[block.insn_timings[usize::from(at)].code as usize..],
        };
        let mut seen = ObservedMemory::default();
        let contexts = self.contexts.as_deref_mut();
        let mut context = Context { clock, outside, caches, seen: &mut seen, contexts };
        block.heat = block.heat.wrapping_add(1);
        let broken = interpret(block, code, cells, &mut context);
        let broken = broken.map_err(|first| match first {
            Break {
                why: Refusal::Changed { .. } | Refusal::CodeWritten { .. },
                op: Some(op),
                ..
            } => finish(block, cells, &mut context, first, op),
            _ => first,
        });
        block.seen = block.seen.with(seen);
        if let Err(Break { at, why, .. }) = broken {
            return self.leave_early(index, at, why, began, ram, bus);
        }
        self.end(index, began)
    }

    /// Takes the exit of a block that began in cycle `began`; on success `pc` is the next address, and the result
    /// what leads there.
    #[allow(clippy::inline_always)] // As `follow`.
    #[inline(always)]
    fn end(&mut self, index: u32, began: u64) -> Result<Link, Box<Stop>> {
        let block = &self.cache.blocks[index as usize];
        let (target, cycles, link) = match block.terminator {
            Terminator::To(pc) => (pc, block.cycles, Link::Fixed(0)),
            Terminator::Branch { condition: c, width, a, b, taken, next } => {
                if condition(c, width, operand(&self.cells, a), operand(&self.cells, b)) {
                    (taken, block.taken, Link::Fixed(1))
                } else {
                    (next, block.cycles, Link::Fixed(0))
                }
            }
            Terminator::Computed(target) => {
                (operand(&self.cells, target), block.cycles, Link::Computed)
            }
            Terminator::Yield(target) => {
                (operand(&self.cells, target), block.cycles, Link::Yielded)
            }
            Terminator::YieldIf(changed, next) => {
                let is_same = operand(&self.cells, changed) == 0;
                (next, block.cycles, if is_same { Link::Fixed(0) } else { Link::Yielded })
            }
            Terminator::Stop(kind) => return Err(self.stop_at_end(index, kind, began)),
        };
        self.left = self.clock.cycles;
        self.clock.cycles += u64::from(cycles);
        self.clock.instructions += u64::from(block.count);
        let counts = match &mut self.contexts {
            None => &mut self.cache.counts[..],
            Some(contexts) => contexts.current_counts(),
        };
        counts[block.counter as usize]
            .add(Count { executions: 1, cycles: self.clock.cycles - began });
        (self.pc, self.mode) = (target, block.onward);
        if matches!(link, Link::Computed) {
            (self.pc, self.mode) = self.frontend.land(target, block.onward);
        }
        self.pipeline_state = block.exit_states[usize::from(matches!(link, Link::Fixed(1)))];
        if block.heat & (self.poll - 1) == 0 {
            self.warm(index);
        }
        Ok(link)
    }

    /// The counters, by index.
    fn counts(&mut self) -> &mut [Count] {
        match &mut self.contexts {
            None => &mut self.cache.counts,
            Some(contexts) => contexts.current_counts(),
        }
    }

    /// In a box, since what a block gives back must be small: it is copied after every block.
    #[allow(clippy::unnecessary_box_returns)] // What it goes into is copied often, this is not.
    fn stopped(&self, cause: StopCause) -> Box<Stop> {
        let Clock { cycles, instructions, .. } = self.clock;
        Box::new(Stop { cause, pc: self.pc, cycles, instructions })
    }
}
